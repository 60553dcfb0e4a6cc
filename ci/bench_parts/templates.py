#!/usr/bin/env python3
"""A program that consists of templates, by weftc and nvcc to PTX: processor time, peak memory, and their ratio.

    ci/bench_parts/templates.py WEFTC [RUNS]

templates.cu has class templates, packs, recursion over types, expression templates and traits; COUNT says how many groups of instances
of all of them it makes. The compilers take turns; figures are medians. Processor time is that of all child processes. The target is
that nvcc takes 12 times as long. nvcc is taken from PATH.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench_parts import measure  # noqa: E402

SOURCE = Path(__file__).with_suffix(".cu")
COUNTS = [1, 8, 32]


def main():
    weftc, n_runs = str(Path(sys.argv[1]).resolve()), int((sys.argv[2:] or ["9"])[0])
    nvcc = shutil.which("nvcc") or sys.exit("nvcc is not on PATH")
    print("| groups | kernels | weftc, ms | nvcc, ms | ratio |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        output, log = Path(folder) / "a.ptx", Path(folder) / "log"
        env = {**os.environ, "TMPDIR": folder}
        for count in COUNTS:
            options = ["-std=c++17", "-arch=sm_90", f"-DCOUNT={count}", "--ptx", str(SOURCE), "-o", str(output)]
            series = {weftc: measure.Series(), nvcc: measure.Series()}
            for _ in range(n_runs):
                for compiler, found in series.items():
                    found.add(*measure.run([compiler, *options], env, log))
            cells = [f"{found.cpu_ms():,.1f}, {found.peak_mib():.0f} MiB" for found in series.values()]
            ratio = series[nvcc].cpu_ms() / series[weftc].cpu_ms()
            print(f"| {count} | {3 * count} | {cells[0]} | {cells[1]} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main()
