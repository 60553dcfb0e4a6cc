#!/usr/bin/env python3
"""Programs that make compilers slow, by weftc and nvcc to PTX: processor time, peak memory, and their ratio.

    ci/bench_parts/blowups.py WEFTC [-O0] [NAME ...]

Each program goes through both compilers one after the other, so the ratios are of one run. Processor time is counted with that of all
child processes: other work on the machine hardly changes it. nvcc is taken from PATH.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 200


def chain(leaf, step, depth):
    functions = [f"__device__ __forceinline__ int f0(int x, int *o) {{ return {leaf}; }}"]
    for idx in range(1, depth + 1):
        body = step.replace("F", f"f{idx - 1}")
        functions.append(f"__device__ __forceinline__ int f{idx}(int x, int *o) {{ return {body}; }}")
    return "\n".join(functions) + f"\n__global__ void k(int *o) {{ o[0] = f{depth}(o[1], o); }}\n"


def kernel(lines):
    return "__global__ void k(int *o, int x, int y) {\n" + "\n".join(lines) + "\n}\n"


def by_value(members):
    return (f"struct S {{ {members} }};\n__device__ __noinline__ S f(S a) {{ ((char *)&a)[1] = 2; return a; }}\n"
            "__global__ void k(S *o) { o[0] = f(o[1]); }\n")


def switch(n_cases):
    cases = [f"case {i * 3}: o[{i % 77}] = {i * 7 % 1001}; break;" for i in range(n_cases)]
    return kernel(["switch (x) {", *cases, "}"])


def values(ty, elems):
    return f"__device__ {ty} a[] = {{" + ",".join(elems) + "};\n" + kernel(["o[0] = *(int *)&a[x];"])


def structs():
    types = ["struct S0 { int x; };"] + [f"struct S{i} {{ S{i - 1} a, b; }};" for i in range(1, 11)]
    return "\n".join(types) + "\n__device__ S10 f(S10 a) { return a; }\n__global__ void k(S10 *o) { o[0] = f(o[1]); }\n"


CALLS = "F(x, o) + F(x + 1, o) * F(x ^ 3, o)"
PROGRAMS = {
    "unroll, 16,000 times": kernel(["#pragma unroll 16000", "for (int i = 0; i < o[1]; i++) o[i * 7] += i;"]),
    "unroll, 2,147,483,647 times": kernel(
        ["#pragma unroll 2147483647", "for (int i = 0; i < 2147483647; i++) o[i & 1023] += i;"]),
    "unroll, nested": kernel(
        ["#pragma unroll", "for (int i = 0; i < 1000; i++) {", "#pragma unroll",
         "for (int j = 0; j < 1000; j++) o[i * j] += i ^ j; }"]),
    "forceinline, equal calls": chain("x * x + 3", CALLS, 11),
    "forceinline, different calls": chain("atomicXor(o + x, x * x)", CALLS, 8),
    "struct of 4,000 bytes": by_value("char a[4000];"),
    "struct of 8,000 bytes": by_value("char a[8000];"),
    "struct of 16,000 bytes": by_value("char a[16000];"),
    "struct of 4,000 ints": by_value("int a[4000];"),
    "struct of 2,000 doubles": by_value("double a[2000];"),
    "struct of 1,000 structs": by_value("struct { short x; char c[2][3]; int y[2]; } a[1000];"),
    "structs nested 11 deep": structs(),
    "switch of 5,000 cases": switch(5000),
    "switch of 20,000 cases": switch(20000),
    "1,000 statements": kernel([f"o[x * {i + 3} + y] += {i};" for i in range(1000)]),
    "1,000 branches": kernel([f"if (o[{i % 97}] > x) o[{i % 50}] = x + {i};" for i in range(1000)]),
    "4,000 variables": kernel(
        [f"int v{i} = o[{i}];" for i in range(4000)]
        + ["o[0] = " + " + ".join(f"v{i} * v{i * 7 % 4000}" for i in range(0, 4000, 5)) + ";"]),
    "100,000 initial values": values("int", [str(i * 7919 % 100003) for i in range(100000)]),
    "100,000 structs": "struct S { int a; float b; char c; };\n" + values("S", [f"{{{i}, {i}.5f, {i % 100}}}" for i in range(100000)]),
    "100,000 pointers": "__device__ int v[100];\n" + values("int *", [f"&v[{i % 100}]" for i in range(100000)]),
    "string of 4 MB": '__device__ const char s[] = "' + "abcdefgh" * 500000 + '";\n' + kernel(["o[0] = s[x];"]),
    "asm text of 1 MB": kernel(['asm volatile("' + "add.s32 %0, %0, 1;\\n\\t" * 50000 + '" : "+r"(x));', "o[0] = x;"]),
    "5,000 asm statements": kernel(['asm volatile("add.s32 %0, %0, 1;" : "+r"(x));'] * 5000 + ["o[0] = x;"]),
    "macros that double 16 times": "#define A0 1,\n" + "\n".join(f"#define A{i} A{i - 1} A{i - 1}" for i in range(1, 17))
                                   + "\n" + values("int", ["A16"]),
    "sum of 1,900 terms": kernel(["o[0] = " + " + ".join(f"o[{i}]" for i in range(1900)) + ";"]),
    "else if, 1,000 times": kernel(["if (x == 1) o[0] = 1;"] + [f"else if (x == {i * 3}) o[{i}] = y + {i};" for i in range(1000)]),
    "60 loops within one another": kernel(
        [f"for (int i{i} = 0; i{i} < o[{i}]; i{i}++) {{" for i in range(60)] + ["o[x] += 1;"] + ["}"] * 60),
    "array of 5,000 local values": kernel(
        ["int a[5000] = {" + ", ".join(f"x + {i}" for i in range(5000)) + "};", "o[0] = a[y];"]),
    "struct of 5,000 members": by_value("".join(f"{['int', 'char', 'double', 'short'][i % 4]} m{i}; " for i in range(5000))),
    "10,000 functions": "\n".join(
        f"__device__ int f{i}(int x) {{ return x * {i} + {f'f{i - 1}(x)' if i % 10 else 1}; }}" for i in range(10000))
        + "\n" + kernel(["o[0] = f9999(x) + f5(y);"]),
    "10,000 variables": "\n".join(f"__device__ int v{i} = {i};" for i in range(10000)) + "\n" + kernel(["o[0] = v9999 + v5;"]),
    "2,000 parameters": "__device__ __noinline__ int f(" + ", ".join(f"int p{i}" for i in range(2000)) + ") { return "
                        + " + ".join(f"p{i} * {i}" for i in range(0, 2000, 3)) + "; }\n"
                        + kernel(["o[0] = f(" + ", ".join(f"x + {i}" for i in range(2000)) + ");"]),
    "2,000 gotos": kernel([f"l{i}: o[{i}] = x; if (o[{i * 3 % 97}] == y) goto l{i * 7919 % 2000};" for i in range(2000)]),
}


def measured(command):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, status == 0


def main():
    weftc, *names = sys.argv[1:]
    is_plain = "-O0" in names
    names = [name for name in names if name != "-O0"]
    options = (["-O0"], ["-Xcicc", "-O0"]) if is_plain else ([], [])
    print("| program | weftc | nvcc | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "a.cu", Path(folder) / "a.ptx"
        for name, text in PROGRAMS.items():
            if names and not any(part in name for part in names):
                continue
            source.write_text(text)
            ours = measured([weftc, "-arch=sm_90", "--ptx", *options[0], str(source), "-o", str(output)])
            theirs = measured(["nvcc", "-arch=sm_90", "-rdc=true", "--ptx", *options[1], str(source), "-o", str(output)])
            cells = [f"{time:.2f} s, {memory} MB" if is_ok else f"none within {SECONDS} s" for time, memory, is_ok in (ours, theirs)]
            print(f"| {name} | {cells[0]} | {cells[1]} | {ours[0] / theirs[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
