"""The compilers under measurement: where they are, which versions, and their command lines.

All compile for one GPU with full optimisation. PTX is made with relocatable device code in nvcc and clang,
because weftc keeps external device functions too; cubins are made as each compiler makes them by default.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Missing(Exception):
    """A program that the bench needs is not there; the text says how to get it."""


def set_up():
    """Runs ci/setup.sh and takes over the environment that it leaves: where CUDA and LLVM are."""
    done = subprocess.run(
        ["bash", "-c", ". ci/setup.sh && env -0"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(done.returncode)
    os.environ.update(line.split("=", 1) for line in done.stdout.split("\0") if "=" in line)


def find_cuda():
    """The CUDA tree: what ci/setup.sh says, or CUDA_HOME, or /usr/local/cuda."""
    named = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME")]
    for tree in [*filter(None, named), "/usr/local/cuda"]:
        if (Path(tree) / "bin/ptxas").is_file():
            return Path(tree)
    raise Missing("no CUDA tools found: run without --no-setup, or set CUDA_PATH")


def find_clang():
    """clang 22, or None where it is not installed."""
    prefix = os.environ.get("LLVM_SYS_221_PREFIX", "/usr/lib/llvm-22")
    beside_llvm = Path(prefix) / "bin/clang"
    return str(beside_llvm) if beside_llvm.is_file() else shutil.which("clang-22")


def find_nvrtc(cuda):
    """The NVRTC library of the CUDA tree, or None."""
    found = sorted(glob.glob(str(cuda / "lib*/libnvrtc.so.*")))
    return found[-1] if found else None


def build_shipped():
    """Builds weftc as it is shipped, and returns the program."""
    done = subprocess.run([str(ROOT / "ci/release"), "--no-setup"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]


def build_weftc(profile):
    """Builds weftc by a profile of Cargo.toml, and returns the program."""
    subprocess.run(
        ["cargo", "build", "--profile", profile, "-p", "weft-driver"],
        cwd=ROOT,
        check=True,
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(target / profile / "weftc")


@dataclass
class Compiler:
    """A compiler that is run as a process. `flags` go to every run, `to_ptx` and `to_cubin` to one kind."""

    name: str
    program: str
    flags: list = field(default_factory=list)
    to_ptx: list = field(default_factory=list)
    to_cubin: list = field(default_factory=list)

    def command(self, kind, source, output):
        """The command line that compiles `source` to `output`; `kind` is "ptx" or "cubin"."""
        chosen = {"ptx": self.to_ptx, "cubin": self.to_cubin}[kind]
        return [self.program, *self.flags, *chosen, "-o", str(output), str(source)]


def is_for(source, arch):
    """Whether a GPU has what a program needs, whose first line may name one: `//@ arch: sm_90a`."""
    named = re.match(r"//@ arch: sm_(\d+)([af]?)\n", source.read_text(encoding="utf-8"))
    return not named or arch == f"sm_{named[1]}{named[2]}" or not named[2] and int(re.sub(r"\D", "", arch)) >= int(named[1])


def weftc(program, arch):
    return Compiler("weftc", program, ["--arch", arch, "-O3"])


def nvcc(cuda, arch):
    return Compiler(
        "nvcc",
        str(cuda / "bin/nvcc"),
        ["-x", "cu", "-std=c++17", f"-arch={arch}", "-O3"],
        ["-rdc=true", "--ptx"],
        ["-cubin"],
    )


def clang(program, cuda, arch):
    return Compiler(
        "clang",
        program,
        ["-x", "cuda", f"--cuda-path={cuda}", "--cuda-device-only", f"--cuda-gpu-arch={arch}", "-O3",
         "-std=c++17", "-Wno-unknown-cuda-version"],
        ["-fgpu-rdc", "-S"],
        ["-c"],
    )


def environment(cuda):
    """The environment for every child: this one, with the CUDA programs first on the path."""
    env = dict(os.environ)
    env["PATH"] = f"{cuda / 'bin'}:{env.get('PATH', '')}"
    return env


def version(program, env, flag="--version"):
    """The line of `program --version` that has the version in it."""
    text = subprocess.run([program, flag], env=env, capture_output=True, text=True, check=True).stdout
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    release = [line for line in lines if "release" in line]
    return (release or lines)[0]
