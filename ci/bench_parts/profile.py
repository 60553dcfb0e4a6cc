"""Where weftc's own time goes: what `--time-report` says, over several runs.

The report is one line of JSON on the error output: `stages` with their microseconds, `total_us` of the
program, and `own_us` of it that was spent in neither LLVM nor another program.
"""

import json
import statistics
import subprocess
from collections import defaultdict


def profile(command, env, runs):
    """Runs weftc's `command` with `--time-report`. Returns medians: the share of its time outside LLVM and
    the microseconds of each stage, in the order in which the stages ran."""
    shares, stages = [], defaultdict(list)
    for _ in range(runs):
        said = subprocess.run(
            [*command, "--time-report"], env=env, capture_output=True, text=True, check=True
        ).stderr
        found = json.loads(said.strip().splitlines()[-1])
        shares.append(found["own_us"] / found["total_us"])
        for stage in found["stages"]:
            stages[stage["stage"]].append(stage["us"])
    return {
        "own_share": round(statistics.median(shares), 4),
        "stages_us": {stage: round(statistics.median(us)) for stage, us in stages.items()},
    }
