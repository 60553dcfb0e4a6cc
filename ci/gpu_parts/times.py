"""Run time of the examples and of a few loops: weftc's code and nvcc's, through the driver's compiler, in turns."""

import re
import subprocess

MANY = 60

# File, kernel, further options of the compilers, and the launch.
LAUNCHES = [
    ("examples/saxpy.src", "saxpy", "--grid 2112 --block 256 --arg 33554432 --arg 1.5 --arg f32[33554432]=random --arg f32[33554432]=random"),
    ("examples/sgemm.src", "sgemm", """--grid 32,32 --block 256 --arg 2048 --arg 2048 --arg 2048 --arg 1 --arg f32[2048,2048]=random
        --arg 2048 --arg f32[2048,2048]=random --arg 2048 --arg 0 --arg f32[2048,2048]=zeros --arg 2048"""),
    ("examples/hgemm.src", "hgemm", """--grid 64,64 --block 128 --arg 4096 --arg 4096 --arg 4096 --arg 1 --arg f16[4096,4096]=random
        --arg 4096 --arg f16[4096,4096]=random --arg 4096 --arg 0 --arg f32[4096,4096]=zeros --arg 4096"""),
    ("examples/hopper_gemm.src", "hopper_gemm", """--grid 32,32 --block 288 --shared 132096
        --arg tensor_map(f16[4096,4096]=random,box(128,64),swizzle(128)) --arg tensor_map(f16[4096,4096]=random,box(128,64),swizzle(128))
        --arg f32[4096,4096] --arg 4096 --arg 4096"""),
    ("examples/reduce.src", "block_sum", "--grid 528 --block 1024 --shared 128 --arg 67108864 --arg f32[67108864]=random --arg f32[528]"),
    ("examples/reduce.src", "block_max", "--grid 528 --block 1024 --shared 128 --arg 67108864 --arg f32[67108864]=random --arg f32[528]"),
    ("examples/transpose.src", "transpose", "--grid 256,256 --block 32,8 --arg 8192 --arg 8192 --arg f32[8192,8192]=random --arg f32[8192,8192]"),
    ("examples/stencil3d.src", "stencil3d", """--grid 16,64 --block 32,8 --arg {512,512,256} --arg 0.4 --arg 0.1
        --arg f32[67108864]=random --arg f32[67108864]"""),
    ("examples/nbody.src", "nbody", """--grid 128 --block 256 --arg 32768 --arg 0.01 --arg 0.5 --arg f32[131072]=random --arg f32[98304]=random
        --arg f32[131072]"""),
    ("examples/histogram.src", "exposure_histogram", "--grid 1056 --block 256 --arg 16777216 --arg u16[50331648]=random --arg u32[32]=zeros"),
    ("examples/mandelbrot.src", "mandelbrot", "--grid 128,512 --block 32,8 --arg 4096 --arg 4096 --arg=-2 --arg 1.25 --arg 0.0006 --arg 500 --arg i32[16777216]"),
    ("examples/mandelbrot.src", "mandelbrot_deep", "--grid 64,256 --block 32,8 --arg 2048 --arg 2048 --arg=-2 --arg 1.25 --arg 0.0012 --arg 500 --arg i32[4194304]"),
    ("examples/bitonic.src", "bitonic_sort_block", "--grid 16384 --block 256 --arg u32[8388608]=random --arg u32[8388608]=iota"),
    ("examples/layernorm.src", "layernorm", """--grid 264 --block 160 --shared 65536 --arg f32[16384,1024]=random --arg f32[1024]=random
        --arg f32[1024]=ones --arg f32[1024]=zeros --arg f32[16384,1024] --arg 16384 --arg 1024 --arg 1e-5"""),
    ("examples/resample.src", "resample", """--grid 256,256 --block 16,16 --arg texture(u8[2048,2048,4]=random,2d,linear,float)
        --arg surface(u8[4096,4096,4],2d) --arg 4096 --arg 4096 --arg 0.5 --arg 0.5 --arg 1.1"""),
    ("ci/gpu_parts/loops.src", "column_sums", "--grid 64 --block 256 --arg f32[2048,16384]=random --arg f32[16384]=zeros --arg 2048 --arg 16384"),
    ("ci/gpu_parts/loops.src", "column_sums_by_1", "--grid 64 --block 256 --arg f32[2048,16384]=random --arg f32[16384]=zeros --arg 2048 --arg 16384"),
    ("ci/gpu_parts/loops.src", "column_sums_by_4", "--grid 64 --block 256 --arg f32[2048,16384]=random --arg f32[16384]=zeros --arg 2048 --arg 16384"),
    ("ci/gpu_parts/loops.src", "column_sums_by_8", "--grid 64 --block 256 --arg f32[2048,16384]=random --arg f32[16384]=zeros --arg 2048 --arg 16384"),
    ("ci/gpu_parts/loops.src", "row_products", "--grid 64 --block 256 --arg f32[2048,16384]=random --arg f32[2048]=random --arg f32[16384] --arg 16384 --arg 2048"),
    ("ci/gpu_parts/loops.src", "polynomials", "--grid 8192 --block 256 --arg f32[512]=random --arg f32[2097152]=random --arg 512"),
    ("ci/gpu_parts/loops.src", "greatest_divisors", "--grid 4096 --block 256 --arg u64[1048576]=random(1) --arg u64[1048576]=random(2) --arg u64[1048576]"),
    ("ci/gpu_parts/loops.src", "small_structs", "--grid 4096 --block 256 --arg i32[15728640]=random --arg i32[15728640] --arg 3"),
    ("ci/gpu_parts/loops.src", "large_structs", "--grid 1024 --block 256 --arg u8[66584576]=random --arg u8[66584576] --arg 3"),
]


def time(run, program, kernel, words):
    """The shortest and median time in microseconds; what went wrong instead."""
    command = [run.weftc, "run", program, "--device", "gpu", "--kernel", kernel, *words, "--time", str(MANY), "--memory", "8G"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=run.work, timeout=120, check=False)
    if done.returncode:
        return None, done.stderr.strip()
    found = re.search(r"shortest of \d+ launches ([\d.]+) us, median ([\d.]+) us", done.stdout)
    return (float(found[1]), float(found[2])), None


def measure(run):
    """Times of each kernel, and their ratios."""
    ptx = {}
    for file in sorted({file for file, *_ in LAUNCHES}):
        arch = run.arch + "a" if "hopper" in file else run.arch
        ours, theirs = (run.work / f"{file.split('/')[-1]}.{name}.ptx" for name in ("weftc", "nvcc"))
        run.check([run.weftc, "--emit=ptx", f"-arch={arch}", "-o", ours, run.root / file])
        run.check([run.nvcc_path, "-x", "cu", "-std=c++17", f"-gencode=arch=compute_{arch[3:]},code=compute_{arch[3:]}", "--ptx", "-o", theirs,
                   run.root / file])
        ptx[file] = (ours, theirs)
    rows, ratios = [], []
    for file, kernel, text in LAUNCHES:
        words = text.split()
        results = [time(run, program, kernel, words) for program in ptx[file]]
        wrong = next((why for _, why in results if why), None)
        run.count(int(wrong is None), int(wrong is not None))
        if wrong:
            run.say(f"fails: {kernel}: {wrong}")
            continue
        (ours, _), (theirs, _) = (result for result, _ in results)
        ratios.append(ours / theirs)
        run.say(f"time: {kernel}: weftc {ours:.1f} us, nvcc {theirs:.1f} us, ratio {ours / theirs:.3f}")
        rows.append(f"{kernel} {ours / theirs:.2f}")
    mean = 1.0
    for ratio in ratios:
        mean *= ratio ** (1 / len(ratios))
    return [("run time by nvcc's, shortest of 60 launches each", f"geometric mean {mean:.3f}: " + ", ".join(rows))]
