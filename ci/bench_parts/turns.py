"""What a change of the emulator costs: instructions of two builds of weftc that run the same kernels, counted by valgrind.

The kernels (`turns.src`) wait for nothing. Unlike time the counts are the same in every run, up to a thousandth.
"""

import subprocess
import tempfile
from pathlib import Path

from . import instructions, report, tools
from .measure import Failed

SOURCE = Path(__file__).with_name("turns.src")

# Kernels, and how they are launched.
LAUNCHES = {
    "uniform": ["--arg", "f32[65536]=ones", "--arg", "f32[8]", "--arg", "i32:65536", "--grid", "8"],
    "stores": ["--arg", "i32[1024]", "--arg", "i32:10000", "--grid", "1"],
    "loops_of_different_lengths": ["--arg", "i32[2048]", "--grid", "16"],
    "escapes": ["--arg", "i32[2048]", "--arg", "i32:64", "--arg", "i32:500", "--grid", "16"],
    "atomic_sums": ["--arg", "i32[8]=zeros", "--arg", "i32[128]=zeros", "--arg", "i32:300", "--grid", "4"],
    "retries": ["--arg", "i32[1]=zeros", "--arg", "i32:60", "--grid", "2"],
}


def count(valgrind, weftc, ptx, kernel):
    """How many instructions a build executes to run a kernel."""
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        command = [valgrind, "--tool=callgrind", f"--callgrind-out-file={out.name}", weftc, "run", str(ptx),
                   "--kernel", kernel, "--block", "128", *LAUNCHES[kernel]]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        collected = [line for line in done.stderr.splitlines() if "Collected :" in line]
        if done.returncode != 0 or not collected:
            raise Failed(f"{' '.join(command)}\n{done.stderr}")
        return int(collected[0].split()[-1])


def run(args, scratch):
    """Prints the table."""
    valgrind = instructions.find_valgrind()
    if valgrind is None:
        raise tools.Missing("no valgrind")
    weftc = str(args.weftc or tools.build_shipped())
    ptx = Path(scratch) / "turns.ptx"
    subprocess.run([weftc, str(SOURCE), "--arch", args.arch, "-o", str(ptx)], check=True)
    rows, ratios = [], []
    for kernel in LAUNCHES:
        before, now = (count(valgrind, program, ptx, kernel) for program in (args.against, weftc))
        ratios.append(now / before)
        rows.append([kernel, f"{before / 1e6:.1f}", f"{now / 1e6:.1f}", f"{now / before:.3f}"])
    mean = ["geometric mean", "", "", f"{report.geometric_mean(ratios):.3f}"]
    print(report.table(["kernel", "before, million", "now, million", "ratio"], rows, mean))
