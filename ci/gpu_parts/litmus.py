"""Litmus tests: what comes out on the GPU, of weftc's code and of nvcc's, must be what PTX's memory model allows.

litmus.src and litmus.json are written by the test suite `litmus`, with what the model of the emulator lets each test come to.
"""

import json
import subprocess

LAUNCHES = 12


def outcomes(run, name, test_lines):
    """The outcomes of each test, with how often each came: tuples of r0 to r3, x and y."""
    done = subprocess.run(["./litmus", f"litmus.{name}.cubin", str(LAUNCHES)], cwd=run.work, input=test_lines, text=True, timeout=150,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        run.say(f"fails: litmus tests of {name}: {done.stderr.strip()}")
    found = {}
    for line in done.stdout.splitlines():
        test, *counts = line.split()
        found[test] = {tuple(map(int, key.split(","))): int(n) for key, n in (word.split(":") for word in counts)}
    return found


def compare(run):
    tests = json.loads((run.here / "litmus.json").read_text(encoding="utf-8"))
    source = run.here / "litmus.src"
    run.nvcc("-o", "litmus", run.here / "litmus.cpp", "-lcuda")
    run.check([run.weftc, f"-arch={run.arch}", "-o", "litmus.weftc.cubin", source])
    run.nvcc("-x", "cu", "-cubin", "-o", "litmus.nvcc.cubin", source)
    lines = "".join(f"{test['name']} {test['roles']} {test['place']} {int(test['has_finals'])}\n" for test in tests)
    rows = []
    for name in ("weftc", "nvcc"):
        found = outcomes(run, name, lines)
        n_forbidden = n_seen = n_allowed = n_weak = n_instances = 0
        for test in tests:
            if test["name"] not in found:
                run.count(0, 1)
                continue
            allowed = {tuple(outcome) for outcome in test["model"]}
            kept = [int(result[1]) for result in test["results"]] + ([4, 5] if test["has_finals"] else [])
            seen = {}
            for key, n in found[test["name"]].items():
                outcome = tuple(key[index] for index in kept)
                seen[outcome] = seen.get(outcome, 0) + n
            forbidden = {outcome: n for outcome, n in seen.items() if outcome not in allowed}
            run.say(f"litmus: {name}: {test['name']}: "
                    + ", ".join(f"{''.join(map(str, outcome))} {n}" for outcome, n in sorted(seen.items()))
                    + f"; not seen: {' '.join(''.join(map(str, outcome)) for outcome in sorted(allowed - set(seen))) or 'none'}")
            if forbidden:
                run.say(f"differs: {name}: {test['name']}: the model forbids {forbidden}")
            run.count(int(not forbidden), int(bool(forbidden)))
            n_forbidden += len(forbidden)
            n_seen += len(set(seen) & allowed)
            n_allowed += len(allowed)
            n_instances += sum(seen.values())
            n_weak += len(seen) > 1
        rows.append(f"{name}: {n_seen} of the {n_allowed} outcomes that the model allows were seen in {n_instances:.3g} instances of "
                    f"{len(found)} tests, and {n_forbidden} that it forbids")
    return [("litmus tests", "; ".join(rows))]
