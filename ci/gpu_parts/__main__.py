"""Runs on a GPU what continuous integration runs on the emulator, and compares the two. See ci/gpu.sh."""

import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import debugger  # noqa: E402
import functions  # noqa: E402
import launches  # noqa: E402
import litmus  # noqa: E402
import programs  # noqa: E402
import times  # noqa: E402

# In the order in which they run: what can be lost without harm comes last. The second tells whether it needs a GPU and nvcc.
PARTS = {
    "programs": (programs.link, True),
    "hopper": (programs.hopper, True),
    "launches": (launches.compare, False),
    "times": (times.measure, True),
    "litmus": (litmus.compare, True),
    "functions": (functions.compare, True),
    "debugger": (debugger.ask, True),
    "profilers": (programs.profilers, True),
    "textures": (programs.textures, True),
    "tiles": (programs.tiles, True),
    "approximations": (programs.approximations, True),
    "properties": (programs.properties, True),
}


class Run:
    """What the parts share: programs, a folder of their own, and the counts."""

    def __init__(self, weftc, work, tests):
        self.root, self.here, self.work = HERE.parents[1], HERE, work
        self.device = os.environ.get("WEFT_GPU_DEVICE", "gpu")
        self.weftc = str(Path(weftc).resolve())
        self.nvcc_path = shutil.which("nvcc") or next((path for path in ["/usr/local/cuda/bin/nvcc"] if os.path.exists(path)), None)
        self.arch, self.where = "sm_90", f"{self.device}, no driver, no toolkit"
        self.passed = self.failed = 0
        self.tests = tests
        self.pool = ThreadPoolExecutor(os.cpu_count())
        if self.device == "gpu":
            query = ["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"]
            found = subprocess.run(query, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
            name, driver, capability = found[0].split(", ")
            self.arch = "sm_" + capability.replace(".", "")
            self.where = f"{name}, driver {driver}, {self.toolkit()}"

    def toolkit(self):
        if not self.nvcc_path:
            return "no toolkit"
        text = subprocess.run([self.nvcc_path, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        return "CUDA " + text.partition("release ")[2].partition(",")[0]

    def say(self, text):
        print(text, flush=True)

    def count(self, n_passed, n_failed):
        self.passed += n_passed
        self.failed += n_failed

    def check(self, command):
        """Runs a command in the folder of the run. Raises when it fails; what it printed is in the message."""
        done = subprocess.run([str(word) for word in command], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout.strip()}")
        return done.stdout

    def nvcc(self, *words):
        return self.check([self.nvcc_path, "-std=c++17", f"-arch={self.arch}", *words])

    def start(self, command, jobs):
        """Runs a command beside others."""
        jobs.append(self.pool.submit(self.check, command))

    @staticmethod
    def finish(jobs):
        for job in jobs:
            job.result()


def main():
    parser = argparse.ArgumentParser(prog="ci/gpu.sh", description=__doc__)
    parser.add_argument("weftc", nargs="?", help="the program; without it, the one of ci/release or of cargo build --release")
    parser.add_argument("--only", action="append", choices=PARTS, help="run only this part; may be repeated")
    parser.add_argument("--test", action="append", help="of the launches, only those of this test or example; may be repeated")
    args = parser.parse_args()
    root = HERE.parents[1]
    built = [args.weftc] if args.weftc else [root / "target/shipped/release/weftc", root / "target/release/weftc"]
    weftc = next((path for path in built if os.access(path, os.X_OK)), None)
    if weftc is None:
        sys.exit("ci/gpu.sh: there is no weftc; build it with ci/release, or name one")
    with tempfile.TemporaryDirectory() as work:
        try:
            run = Run(weftc, Path(work), args.test)
        except (OSError, subprocess.CalledProcessError):
            print("ci/gpu.sh: nvidia-smi finds no GPU", file=sys.stderr)
            sys.exit(2)
        rows = []
        for name in args.only or PARTS:
            part, needs_gpu = PARTS[name]
            if needs_gpu and (run.device != "gpu" or not run.nvcc_path):
                run.say(f"skipped: {name}: it needs a GPU and nvcc")
                continue
            start = time.monotonic()
            run.say(f"== {name}")
            try:
                rows += part(run)
            except (OSError, RuntimeError, subprocess.SubprocessError, LookupError, ValueError) as error:
                run.count(0, 1)
                traceback.print_exc()
                run.say(f"fails: {name}: {error}")
            run.say(f"{time.monotonic() - start:.0f} seconds")
        print()
        for what, result in rows:
            print(f"| {what} | {run.where} | {datetime.datetime.now(datetime.UTC):%F} | {result} |")
        print(f"{run.passed} passed, {run.failed} failed")
        sys.exit(run.failed > 0 or run.passed == 0)


if __name__ == "__main__":
    main()
