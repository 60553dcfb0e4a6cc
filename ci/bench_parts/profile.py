"""Where weftc's own time goes: what `--time-report` says, over several runs.

The report is one line of JSON on the error output: `stages` with their microseconds, `total_us` of the
program, and `own_us` of it that was spent in neither LLVM nor another program. The share is of the
processor time of the whole process, so that loading and ending the program, nearly all of which is LLVM,
counts as well. Of each figure the least is taken: what else the machine does can only add.
"""

import json
from pathlib import Path

from . import measure


def profile(command, env, log, runs):
    """Runs weftc's `command` with `--time-report`. Returns the share of its time outside LLVM and the
    microseconds of each stage, in the order in which the stages ran."""
    reports, cpu_seconds = [], []
    for _ in range(runs):
        _, cpu, _ = measure.run([*command, "--time-report"], env, log)
        cpu_seconds.append(cpu)
        reports.append(json.loads(Path(log).read_text(encoding="utf-8").strip().splitlines()[-1]))
    own_us = min(found["own_us"] for found in reports)
    stages = {stage["stage"]: [] for stage in reports[0]["stages"]}
    for found in reports:
        for stage in found["stages"]:
            stages[stage["stage"]].append(stage["us"])
    return {
        "own_share": round(own_us / (min(cpu_seconds) * 1e6), 4),
        "own_us": own_us,
        "stages_us": {stage: min(us) for stage, us in stages.items()},
    }
