"""Runs weftc on an older Linux: the libraries of Debian 11, whose glibc (2.31) is that of Ubuntu 20.04.

In: a program. Out: a complaint if it does not do there what it does here. The system has glibc and nothing else; it is fetched from
Debian with apt-get, as ci/setup.sh fetches packages, into a folder of its own, once.
"""

import glob
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from bench_parts import tools

SUITE = "bullseye"
NAME = "Debian 11"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"

EXAMPLE = "examples/saxpy.src"
# What is run, with a word that must be in what it prints. `out.ptx` must be the same as here.
COMMANDS = (
    (["--version"], "LLVM"),
    (["saxpy.src", "-o", "out.ptx"], ""),
    (["run", "saxpy.src", "--grid", "4", "--block", "256", "--arg", "1000", "--arg", "2", "--arg", "[1000]=iota",
      "--arg", "[1000]=ones"], "max 1999"),
    # Fails, and says so: files that are missing.
    (["missing.src"], "cannot read"),
)


class Unavailable(Exception):
    """The older system could not be fetched; the text says why."""


def fetch(work, may_download):
    """The folder of the older system; if it is missing, it is made."""
    root = work / f"older-{SUITE}"
    if root.is_dir():
        return root
    if not may_download:
        raise Unavailable("it is not downloaded, which `ci/release --check` does")
    if not shutil.which("apt-get") or not Path(KEYS).is_file():
        raise Unavailable("this is no Debian")
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work) as scratch:
        folder = Path(scratch)
        (folder / "lists/partial").mkdir(parents=True)
        (folder / "sources").write_text(f"deb [signed-by={KEYS}] http://deb.debian.org/debian {SUITE} main\n", encoding="utf-8")
        options = {"Dir::Etc::SourceList": folder / "sources", "Dir::Etc::SourceParts": "/dev/null",
                   "Dir::State::Lists": folder / "lists", "Dir::State::Status": "/dev/null", "Dir::Cache": folder,
                   "APT::Sandbox::User": "root", "Acquire::Retries": "1", "Acquire::http::Timeout": "30"}
        apt = ["apt-get", "-qq", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
        for words in (["update"], ["download", "libc6"]):
            done = subprocess.run([*apt, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                raise Unavailable((done.stdout.strip().splitlines() or ["apt-get failed"])[-1])
        package = glob.glob(str(folder / "libc6_*.deb"))
        if len(package) != 1:
            raise Unavailable(f"Debian has no libc6 in {SUITE}")
        subprocess.run(["dpkg-deb", "-x", package[0], folder / "root"], check=True)
        (folder / "root/tmp").mkdir(exist_ok=True)
        (folder / "root").rename(root)
    return root


def glibc_version(root):
    """The version of the older system's glibc, by the name of the file."""
    return glob.glob(str(root / "lib/*/libc-2.*.so"))[0].rsplit("libc-", 1)[1].removesuffix(".so")


def run(line, folder, root=None):
    """What a command prints, and its exit status. With `root`, `folder` is the root of the file system and the place where the command
    runs; without the right to do that, only the libraries are the older ones."""
    env = {"PATH": "/usr/bin:/bin", "TMPDIR": "/tmp", "LC_ALL": "C"}
    if root and os.geteuid() == 0:
        line = [shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin"), root, *line]
    elif root:
        libraries = glob.glob(str(root / "lib/*/libc.so.6"))[0].removesuffix("/libc.so.6")
        line = [glob.glob(f"{libraries}/ld-linux-*")[0], "--library-path", libraries, str(folder / line[0].lstrip("/")), *line[1:]]
    done = subprocess.run(line, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.stdout, done.returncode


def check(program, root):
    """What the program does otherwise than here, as lines."""
    faults = []
    there = root / "weftc"
    copies = [there, there.with_name("saxpy.src"), there.with_name("out.ptx")]
    try:
        with tempfile.TemporaryDirectory() as scratch:
            here = Path(scratch) / "weftc"
            for copy in (here, there):
                shutil.copy(program, copy)
                shutil.copy(tools.ROOT / EXAMPLE, copy.with_name("saxpy.src"))
            for words, expected in COMMANDS:
                wanted = run([str(here), *words], here.parent)
                found = run(["/weftc", *words], root, root)
                if found != wanted or expected not in found[0]:
                    faults = [f"`weftc {' '.join(words)}` ends with status {found[1]} and prints:", *found[0].splitlines(),
                              f"and here with status {wanted[1]}:", *wanted[0].splitlines()]
                    break
            ptx = [copy.with_name("out.ptx") for copy in (here, there)]
            if not faults and ptx[0].read_bytes() != ptx[1].read_bytes():
                faults.append(f"the PTX of {EXAMPLE} is another one")
    finally:
        for copy in copies:
            copy.unlink(missing_ok=True)
    return faults
