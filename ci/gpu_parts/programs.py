"""Small programs: one that two compilers made, approximate instructions, textures, tensor maps, the GPU's properties, and profilers."""

import math
import re
import shutil
import struct
import subprocess

CALLEE = "__device__ __noinline__ int foo(int i, int j) { return i + j; }\n"
CALLER = """#include <cstdio>
__device__ int foo(int i, int j);
__global__ void test(int *p) { *p = foo(40, 2); }
int main()
{
    int *p, found = 0;
    cudaMalloc(&p, 4);
    test<<<1, 1>>>(p);
    cudaMemcpy(&found, p, 4, cudaMemcpyDeviceToHost);
    std::printf("%d, %s\\n", found, cudaGetErrorString(cudaGetLastError()));
    return found != 42;
}
"""


def link(run):
    """A program whose kernel nvcc compiled, and whose function weftc compiled."""
    (run.work / "callee.src").write_text(CALLEE, encoding="utf-8")
    (run.work / "caller.cu").write_text(CALLER, encoding="utf-8")
    run.check([run.weftc, "-dc", f"-arch={run.arch}", "callee.src", "-o", "callee.o"])
    run.nvcc("-rdc=true", "-o", "app", "caller.cu", "callee.o")
    run.check(["./app"])
    run.count(1, 0)
    return [("a program with a `weftc -dc` object starts and calls it", "it starts, and the result is right")]


def hopper(run):
    """A tile of examples/hopper_gemm.src, whose instructions the emulator lacks, beside the same in Python."""
    size, depth = 128, 128
    maps = [f"tensor_map(f16[{size},{depth}]=random({seed}),box(128,64),swizzle(128))" for seed in (1, 2)]
    saves = [part for index in range(3) for part in ("--save", f"{index}={index}.bin")]
    run.check([run.weftc, "run", run.root / "examples/hopper_gemm.src", "--arch", run.arch + "a", "--device", "gpu", "--grid", "1", "--block",
               "288", "--shared", "132096", "--arg", maps[0], "--arg", maps[1], "--arg", f"f32[{size},{size}]", "--arg", str(size), "--arg",
               str(depth), "--quiet", *saves])
    a, b = (struct.unpack(f"<{size * depth}e", (run.work / f"{index}.bin").read_bytes()) for index in (0, 1))
    c = struct.unpack(f"<{size * size}f", (run.work / "2.bin").read_bytes())
    worst = 0.0
    for row in range(size):
        for column in range(size):
            exact = math.fsum(a[row * depth + i] * b[column * depth + i] for i in range(depth))
            worst = max(worst, abs(c[row * size + column] - exact) / abs(exact))
    run.count(int(worst < 1e-5), int(worst >= 1e-5))
    run.say(f"hopper_gemm: largest relative error {worst:.2e}")
    return [("`hopper_gemm` on sm_90a: a tile of 128 by 128, 128 deep", f"largest relative error {worst:.1e}")]


def approximations(run):
    run.nvcc("-O3", "-o", "approximations", run.here / "approximations.cu")
    lines = run.check(["./approximations"]).splitlines()
    for line in lines:
        run.say(f"approximation: {line}")
    run.count(len(lines), 0)
    return [("approximate instructions, over all arguments", f"{len(lines)} measured: docs/reference/math.md")]


def textures(run):
    """How textures round."""
    run.nvcc("-O3", "-o", "textures", run.here / "textures.cu")
    lines = run.check(["./textures"]).splitlines()
    for line in lines:
        run.say(f"texture: {line}")
    run.count(len(lines), 0)
    exact = [line.split(": ")[1] for line in lines if re.search(r"^formula: .*: (\d+) of \1$", line)]
    return [("how textures round", f"{len(lines)} lines; formulas that are always right: {'; '.join(exact) or 'none'}")]


def tiles(run):
    """Which tiles of tensor maps the GPU copies."""
    run.nvcc("-o", "tiles", run.here / "tiles.cu")
    lines = run.check(["./tiles"]).splitlines()
    n_right = {True: [0, 0], False: [0, 0]}
    for line in lines:
        run.say(f"tile: {line}")
        size, x = (int(number) for number in re.search(r"(\d+) bytes, .* at (-?\d+) ", line).groups())
        counts = n_right[size * x % 16 == 0]
        counts[0] += line.endswith("right")
        counts[1] += 1
    (right, of), (others_right, of_others) = n_right[True], n_right[False]
    run.count(right, of - right)
    return [("tiles of tensor maps", f"{right} of {of} that begin at a multiple of 16 bytes are copied right, {others_right} of {of_others} others")]


def properties(run):
    """The attributes of the GPU, by their names in cuda.h, and what the driver reports after faults."""
    header = next(path for path in (f"{run.nvcc_path.removesuffix('/bin/nvcc')}{folder}/cuda.h"
                                    for folder in ("/include", "/targets/x86_64-linux/include")) if shutil.os.path.exists(path))
    with open(header, encoding="utf-8") as file:
        text = file.read()
    names = sorted(set(re.findall(r"\b(CU_DEVICE_ATTRIBUTE_\w+) += (\d+)", text)), key=lambda pair: int(pair[1]))
    prints = "".join(f'    print("{name}", {number});\n' for name, number in names)
    (run.work / "attributes.cpp").write_text("""#include <cstdio>
#include <cuda.h>
static void print(const char *name, int number)
{
    int value = 0;
    if (!cuDeviceGetAttribute(&value, (CUdevice_attribute)number, 0))
        std::printf("%d %s %d\\n", number, name, value);
}
int main()
{
    cuInit(0);
""" + prints + "    return 0;\n}\n", encoding="utf-8")
    run.nvcc("-o", "attributes", "attributes.cpp", "-lcuda")
    for line in run.check(["./attributes"]).splitlines():
        run.say(f"attribute: {line}")
    run.nvcc("-o", "faults", run.here / "faults.cu")
    for number in [*range(11), *range(12, 16)]:
        done = subprocess.run(["./faults", str(number)], cwd=run.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                              check=False)
        run.say(f"fault: {done.stdout.strip() or done.returncode}")
    run.count(1, 0)
    return []


def profilers(run):
    """Whether ncu and compute-sanitizer find the lines of the source in code of `weftc -lineinfo`."""
    source = run.here / "loops.src"
    run.check([run.weftc, "-lineinfo", f"-arch={run.arch}", "-o", "lines.cubin", source])
    run.nvcc("-o", "host", run.here / "host.cpp", "-lcuda")
    line = next(number for number, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1) if "sum[j] += data" in text)
    right, rows = ["lines.cubin", "column_sums", "1", "256", "65536*", "1024*", "64", "256"], []
    wrong = [*right[:-2], "4096", "256"]
    tools = {
        "ncu": (["ncu", "--clock-control", "none", "--set", "full", "--import-source", "yes", "--page", "source", "--print-source", "cuda",
                 "--csv"], right, r"sum\[j\] \+= data"),
        "compute-sanitizer": (["compute-sanitizer"], wrong, rf"loops\.src:{line}\b"),
    }
    for name, (command, arguments, wanted) in tools.items():
        if not shutil.which(name):
            run.say(f"skipped: there is no {name}")
            continue
        done = subprocess.run([*command, "./host", *arguments], cwd=run.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=100, check=False)
        is_found = re.search(wanted, done.stdout) is not None
        run.count(int(is_found), int(not is_found))
        rows.append(f"{name} {'names' if is_found else 'does not name'} the line")
        run.say(f"{name}: {done.stdout[:1500]}")
    return [("profilers on `-lineinfo`", ", ".join(rows))]
