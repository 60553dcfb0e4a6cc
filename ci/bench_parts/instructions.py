"""The share of weftc's instructions that are not LLVM's, counted by valgrind's callgrind.

Unlike time the count is the same in every run. It needs a weftc with its symbols. A call from weftc's own
code or inkwell's to one of LLVM's functions counts whole for LLVM; what comes before and after `main`, the
loader and LLVM's static constructors, counts for neither but is in the total.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .measure import Failed


def find_valgrind():
    return shutil.which("valgrind")


def own_share(valgrind, command, env, scratch):
    """Runs `command`, a weftc with symbols, and returns own instructions, all instructions."""
    total, in_main, in_llvm = read(profile(valgrind, command, env, scratch))
    if not in_main or not in_llvm:
        raise Failed(f"{' '.join(command)}: no `main` or no function of LLVM's: the program has no symbols")
    return in_main - in_llvm, total


def functions(valgrind, command, env, scratch):
    """Runs `command`, and returns the functions that it calls, by the linker's names, in the order of the profile."""
    path = profile(valgrind, command, env, scratch, ["--demangle=no"])
    text = path.read_text(encoding="utf-8", errors="replace")
    # What calls itself has a number behind its name.
    return list(dict.fromkeys(re.findall(r"^c?fn=\(\d+\) ([A-Za-z_.]\S*?)(?:'\d+)?$", text, re.MULTILINE)))


def profile(valgrind, command, env, scratch, options=()):
    """Runs `command` under callgrind, and returns the file of the profile."""
    with tempfile.NamedTemporaryFile(dir=scratch, prefix="callgrind.", delete=False) as file:
        line = [valgrind, "--tool=callgrind", f"--callgrind-out-file={file.name}", *options, *command]
    done = subprocess.run(line, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(line)}\n{done.stderr}")
    return Path(file.name)


def is_llvm(name):
    return name.startswith("LLVM") or "llvm::" in name


def is_ours(name):
    return not is_llvm(name) and ("weft" in name or "inkwell" in name)


def read(path):
    """Sums up a profile: all instructions, those within `main`, and those within calls to LLVM.

    Callgrind's format: `fn=` begins a function's lines of cost; after `cfn=` and `calls=` the next line is
    the cost of the calls to that function, its own callees included. A name is spelled once, with a number.
    """
    names = {}

    def name_of(token):
        number, name = re.fullmatch(r"(\(\d+\))(?: (.*))?", token).groups()
        return names.setdefault(number, name)

    total = in_main = in_llvm = 0
    function = callee = ""
    is_call = False
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in map(str.rstrip, lines):
            if line.startswith("fn="):
                function = name_of(line[len("fn="):])
            elif line.startswith("cfn="):
                callee = name_of(line[len("cfn="):])
            elif line.startswith("calls="):
                is_call = True
            elif re.match(r"[-+*\d]", line) and len(parts := line.split()) > 1:
                cost = int(parts[1])
                if not is_call:
                    total += cost
                elif callee == "main":
                    in_main += cost
                elif is_llvm(callee) and is_ours(function):
                    in_llvm += cost
                is_call = False
    return total, in_main, in_llvm
