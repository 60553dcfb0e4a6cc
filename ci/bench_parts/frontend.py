"""The throughput of weftc's frontend on long programs, beside clang's on the same text.

`weftc -fsyntax-only` and `clang -fsyntax-only -x c++` take turns; what a stage takes is what `--time-report`
says. A check forgets the bodies of functions that it has checked; what the same stages take where they are kept
for translation, of `weftc --emit=ir`, is measured as well. The programs are those of `sources`, of several lengths, so that it shows whether time is linear. With
valgrind, instructions a line are counted too: they do not depend on what else the machine does.
"""

import json
import multiprocessing
import re
import statistics
import subprocess
from pathlib import Path

from . import instructions, measure, report, sources, tools

LENGTHS = [12_500, 25_000, 50_000, 100_000, 200_000]
STAGES = ["lex", "preprocess", "analyze", "verify"]
N_INCLUDES = 1000
# The longest program whose instructions are counted: valgrind takes its time.
COUNTED_LENGTH = 26_000


class Program:
    """One program under measurement, and what was found."""

    def __init__(self, kind, path, n_lines):
        self.kind, self.path, self.n_lines = kind, path, n_lines
        self.ours, self.clang = measure.Series(), measure.Series()
        self.stages = []                # of each run: {stage: microseconds}
        self.kept = []                  # the same, where bodies are kept
        self.instructions = None        # a line

    @staticmethod
    def total_us(runs):
        return statistics.median(sum(run.values()) for run in runs)

    def stage_us(self, stage):
        return statistics.median(run.get(stage, 0) for run in self.stages)

    def lines_a_second(self):
        return self.n_lines / self.total_us(self.stages) * 1e6

    def lines_a_second_kept(self):
        return self.n_lines / self.total_us(self.kept) * 1e6

    def lines_a_cpu_second(self):
        """By the processor time of the whole process, which other programs disturb less."""
        return self.n_lines / self.ours.cpu_ms() * 1e3

    def as_json(self):
        return {
            "kind": self.kind,
            "lines": self.n_lines,
            "weftc": self.ours.as_json(),
            "clang": self.clang.as_json() if self.clang.seconds else None,
            "stages_us": {stage: self.stage_us(stage) for stage in STAGES},
            "lines_a_second": round(self.lines_a_second()),
            "lines_a_second_kept": round(self.lines_a_second_kept()) if self.kept else None,
            "lines_a_cpu_second": round(self.lines_a_cpu_second()),
            "instructions_a_line": self.instructions,
        }


def write(scratch, kinds, lengths):
    """Writes the programs into a folder."""
    (scratch / "prelude.h").write_text(sources.PRELUDE, encoding="utf-8")
    # In another process: what this one takes is the least that it can measure of others.
    with multiprocessing.Pool(1) as pool:
        for kind in kinds:
            for n_lines in lengths:
                path = scratch / f"{kind}.{n_lines}.src"
                yield Program(kind, path, pool.apply(write_program, (kind, n_lines, path)))


def write_program(kind, n_lines, path):
    """Writes one program, and gives the number of its lines."""
    text = sources.program(kind, n_lines)
    path.write_text(text, encoding="utf-8")
    return text.count("\n")


class Includes:
    """Two programs that include the same header, one of them once and the other many times. Differences count,
    so the fastest of the runs does."""

    def __init__(self, guard, scratch):
        self.guard = guard
        self.programs = {n: self.write(scratch / f"{guard.strip('#').replace(' ', '-')}.{n}", n)
                         for n in (1, N_INCLUDES)}

    def write(self, folder, n_includes):
        folder.mkdir()
        for name, text in sources.guarded(self.guard, n_includes).items():
            (folder / name).write_text(text, encoding="utf-8")
        return Program(self.guard, folder / "main.src", n_includes)

    def more_ns(self, time_us):
        """What each include more costs, by a time of the programs in microseconds."""
        times = {n: time_us(program) for n, program in self.programs.items()}
        return (times[N_INCLUDES] - times[1]) * 1e3 / (N_INCLUDES - 1)

    def ours_ns(self):
        return self.more_ns(lambda program: min(run["preprocess"] for run in program.stages))

    def clang_ns(self):
        has_clang = all(program.clang.seconds for program in self.programs.values())
        return self.more_ns(lambda program: min(program.clang.cpu_seconds) * 1e6) if has_clang else None

    def as_json(self):
        return {"guard": self.guard, "weftc_ns": self.ours_ns(), "clang_ns": self.clang_ns()}


def run_ours(weftc, program, env, log):
    program.ours.add(*measure.run([weftc, "-fsyntax-only", "--time-report", str(program.path)], env, log))
    program.stages.append(stages(log))


def run_ours_kept(weftc, program, env, scratch):
    command = [weftc, "--emit=ir", "-o", str(scratch / "out.ir"), "--time-report", str(program.path)]
    measure.run(command, env, scratch / "log")
    program.kept.append(stages(scratch / "log"))


def stages(log):
    """What a time report says of the frontend's stages: {stage: microseconds}."""
    said = json.loads(Path(log).read_text(encoding="utf-8").strip().splitlines()[-1])
    return {stage["stage"]: stage["us"] for stage in said["stages"] if stage["stage"] in STAGES}


def run_clang(clang, program, env, scratch):
    command = [clang, "-fsyntax-only", "-x", "c++", "-std=c++17", "-w", "-include", str(scratch / "prelude.h"),
               str(program.path)]
    program.clang.add(*measure.run(command, env, scratch / "log"))


def count(valgrind, weftc, program, env):
    """Counts the instructions for each line; those of a program of one line, the loader's above all, are
    taken off."""
    empty = program.path.with_name("empty.src")
    empty.write_text("\n", encoding="utf-8")
    counts = []
    for path in (program.path, empty):
        line = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", weftc, "-fsyntax-only", str(path)]
        done = subprocess.run(line, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or not found:
            raise measure.Failed(f"{' '.join(line)}\n{done.stderr}")
        counts.append(int(found[1]))
    program.instructions = round((counts[0] - counts[1]) / program.n_lines)


def table(programs):
    heads = ["program", "lines", "klines/s", "kept", "by CPU", *(f"{stage} ns" for stage in STAGES), "process ms", "clang ms",
             "clang/weftc", "by CPU", "MiB", "clang MiB", "instr/line"]
    rows = []
    for program in programs:
        ours, clang = program.ours, program.clang
        with_clang = bool(clang.seconds)
        rows.append([
            program.kind,
            program.n_lines,
            report.number(program.lines_a_second() / 1e3, 0),
            report.number(program.lines_a_second_kept() / 1e3, 0),
            report.number(program.lines_a_cpu_second() / 1e3, 0),
            *(report.number(program.stage_us(stage) * 1e3 / program.n_lines, 0) for stage in STAGES),
            report.number(ours.median_ms()),
            report.number(clang.median_ms() if with_clang else None),
            report.times(clang.median_ms() / ours.median_ms() if with_clang else None),
            report.times(clang.cpu_ms() / ours.cpu_ms() if with_clang else None),
            report.number(ours.peak_mib(), 0),
            report.number(clang.peak_mib() if with_clang else None, 0),
            program.instructions or "-",
        ])
    return report.table(heads, rows)


def run(args, scratch):
    """Measures and prints; returns what goes into the JSON file."""
    scratch = Path(scratch)
    env = {**tools.environment(tools.find_cuda()), "TMPDIR": str(scratch)}
    weftc = str(Path(args.weftc or tools.build_shipped()).resolve())
    clang = tools.find_clang() if "clang" in args.tools else None
    lengths = [100_000] if args.quick else LENGTHS
    programs = list(write(scratch, args.only or sources.KINDS, lengths))
    includes = [] if args.only else [Includes(guard, scratch) for guard in sources.GUARDS]
    included = [program for pair in includes for program in pair.programs.values()]
    for _ in range(args.runs):
        for program in [*programs, *included]:
            run_ours(weftc, program, env, scratch / "log")
            if clang:
                run_clang(clang, program, env, scratch)
        for program in programs:
            run_ours_kept(weftc, program, env, scratch)
    if args.instructions and (valgrind := instructions.find_valgrind()):
        for program in programs:
            if program.n_lines < COUNTED_LENGTH:
                count(valgrind, weftc, program, env)
    print(f"The frontend on long programs; medians of {args.runs} rounds")
    print("klines/s, ns a line: lex, preprocess, analyze (parse, check, lint) and verify, on one core; kept: where")
    print("the bodies of functions are kept for translation; by CPU: the whole process by its processor time\n")
    print(table(programs))
    if includes:
        print(f"\nOne header included {N_INCLUDES} times: what each include but the first costs; weftc's by its preprocessor's")
        print("time, clang's by the processor time of the whole process\n")
        rows = [[pair.guard, report.number(pair.ours_ns(), 0), report.number(pair.clang_ns(), 0)] for pair in includes]
        print(report.table(["guard", "weftc ns", "clang ns"], rows))
    return {"rounds": args.runs, "programs": [program.as_json() for program in programs],
            "includes": [pair.as_json() for pair in includes]}
