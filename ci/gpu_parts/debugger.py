"""cuda-gdb asked what tests/debugger/*.gdb ask, of a kernel of weftc's that calls a function of nvcc's.

A line `#= REGEX` of a script is what cuda-gdb must print, in that order. `@NAME@` is the line of features.src with `// at: NAME`.
"""

import os
import re
import shutil
import signal
import subprocess


def ask(run):
    tests = run.root / "tests/debugger"
    if not shutil.which("cuda-gdb"):
        run.say("skipped: debugger: there is no cuda-gdb")
        return []
    source = tests / "features.src"
    run.nvcc("-G", "-rdc=true", "-cubin", "-o", "callee.o", tests / "callee.cu")
    run.check([run.weftc, "-G", f"-arch={run.arch}", source, "callee.o", "-o", "debugged.cubin"])
    run.nvcc("-o", "debugged", tests / "main.cpp", "-lcuda")
    text = run.check(["./debugged", "debugged.cubin"])
    is_right = "found 188 298 408 88" in text.splitlines()
    run.count(int(is_right), int(not is_right))
    if not is_right:
        run.say(f"differs: the kernel for the debugger: {text}")
    lines = {}
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        found = re.search(r"// at: (\w+)", line)
        if found:
            lines[found[1]] = number
    scripts = sorted(tests.glob("*.gdb"))
    # One debugger at a time can have the GPU.
    answers = [answer(run, script, lines) for script in scripts]
    for script, difference in zip(scripts, answers, strict=True):
        run.count(int(difference is None), int(difference is not None))
        if difference:
            run.say(f"differs: cuda-gdb, {script.name}: {difference}")
    return [("cuda-gdb on `weftc -G`: `tests/debugger/`", f"{answers.count(None)} of {len(scripts)} scripts right")]


def answer(run, script, lines):
    """What cuda-gdb does not say of what it must, with all that it said."""
    text = re.sub(r"@(\w+)@", lambda found: str(lines[found[1]]), script.read_text(encoding="utf-8"))
    # The names are known only when the program has loaded its module.
    command = ["cuda-gdb", "-batch", "-nx", "-ex", "set breakpoint pending on"]
    # Unlike a script of its own, these go on after an error.
    for line in [line for line in text.splitlines() if line and not line.startswith("#")] + ["info breakpoints"]:
        command += ["-ex", f"echo > {line}\\n", "-ex", line]
    # A session of its own, which ends as a whole: a program that goes on alone keeps the GPU.
    process = subprocess.Popen([*command, "--args", "./debugged", "debugged.cubin"], cwd=run.work, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
    ending = ""
    try:
        said = process.communicate(timeout=40)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, ending = process.communicate(timeout=10)[0], "it does not end; "
    printed = said.splitlines()
    at = 0
    for wanted in re.findall(r"^#= (.*)", text, re.MULTILINE):
        found = next((index for index in range(at, len(printed)) if re.search(wanted, printed[index])), None)
        if found is None:
            return f"{ending}after line {at} it does not say: {wanted}\n{said}"
        at = found + 1
    return f"it does not end\n{said}" if ending else None
