#!/usr/bin/env python3
"""What `alloca` in a loop costs the emulator: processor time by the number of pieces, which must grow in proportion.

    ci/bench_parts/allocations.py WEFTC

Each figure is the least of five runs. The time of a run without pieces is taken off, and ratios are to the row before, in one run.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = """
__global__ void k(int *o, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        volatile int *piece = (volatile int *)alloca(8);
        piece[0] = i;
        sum += piece[0];
    }
    o[0] = sum;
}
"""
N_PIECES = [8000, 16000, 32000, 64000]
N_RUNS = 5


def seconds(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def main():
    weftc = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        source, ptx = Path(folder) / "a.src", Path(folder) / "a.ptx"
        source.write_text(SOURCE)
        subprocess.run([weftc, str(source), "-o", str(ptx)], check=True)
        command = [weftc, "run", str(ptx), "--arg", "i32[1]", "--grid", "1", "--block", "1"]
        least = {n: min(seconds([*command, "--arg", f"i32:{n}"]) for _ in range(N_RUNS)) for n in [0, *N_PIECES]}
    print("| pieces | seconds | ratio |\n|---|---|---|")
    before = None
    for n in N_PIECES:
        own = least[n] - least[0]
        print(f"| {n:,} | {own:.3f} | {f'{own / before:.2f}' if before else ''} |")
        before = own


if __name__ == "__main__":
    main()
