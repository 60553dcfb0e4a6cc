"""The emulator's speed: weftc compiles the examples, and the emulator's bench runs their kernels."""

import subprocess
from pathlib import Path

from . import tools


def run(args, sources, scratch):
    """Prints a line for each kernel, for each way to compile and each set of checks."""
    program = args.weftc or tools.build_shipped()
    for level in ("3", "0"):
        texts = []
        for source in sources:
            output = Path(scratch) / f"{source.stem}.O{level}.ptx"
            command = [program, str(source), "--arch", args.arch, f"-O{level}", "-o", str(output)]
            subprocess.run(command, cwd=tools.ROOT, check=True)
            texts.append(str(output))
        for checks in ("none", "usual", "all"):
            print(f"\n-O{level}, checks: {checks}\n", flush=True)
            bench = ["cargo", "bench", "-q", "-p", "weft-emulator", "--bench", "examples", "--"]
            subprocess.run([*bench, "--checks", checks, *texts], cwd=tools.ROOT, check=True)
