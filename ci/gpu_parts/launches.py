"""Launches of tests/run and of the examples: each buffer that one leaves must be the same on the GPU and on the emulator."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# The least difference between the directive's words and weftc's options.
TOLERANCES = {"ulps": "--ulp", "relative": "--rtol", "absolute": "--atol"}


# Of the examples: kernel, the launch, and how far results may be apart where the GPU approximates.
EXAMPLES = [
    ("saxpy", "saxpy", "--grid 2 --block 160", "1003 1.5 f32[1003]=random f32[1003]=random", ""),
    ("sgemm", "sgemm", "--grid 2,2 --block 256", "70 83 75 1.5 f32[70,80]=random 80 f32[75,96]=random 96 -0.25 f32[70,85]=random 85", ""),
    ("hgemm", "hgemm", "--grid 2,2 --block 128", "70 83 75 1.5 f16[70,80]=random 80 f16[75,96]=random 96 -0.25 f32[70,85]=random 85",
     "--rtol 1e-5"),
    ("reduce", "block_sum", "--grid 3 --block 256 --shared 32", "5003 f32[5003]=random f32[3]", ""),
    ("reduce", "block_max", "--grid 3 --block 256 --shared 32", "5003 f32[5003]=random f32[3]", ""),
    ("transpose", "transpose", "--grid 3,2 --block 32,8", "50 70 f32[50,70]=iota f32[70,50]", ""),
    ("stencil3d", "stencil3d", "--grid 2,2 --block 32,8", "{40,11,5} 0.4 0.1 f32[5,11,40]=random f32[5,11,40]", ""),
    ("nbody", "nbody", "--grid 2 --block 256", "300 0.01 0.5 f32[1200]=random f32[900]=random f32[1200]", "--rtol 1e-5"),
    ("histogram", "exposure_histogram", "--grid 2 --block 256", "1001 u16[3003]=random u32[32]=zeros", ""),
    ("mandelbrot", "mandelbrot", "--grid 2,5 --block 32,8", "50 37 -2 1.25 0.05 100 i32[37,50]", ""),
    ("mandelbrot", "mandelbrot_deep", "--grid 2,5 --block 32,8", "50 37 -2 1.25 0.05 100 i32[37,50]", ""),
    ("bitonic", "bitonic_sort_block", "--grid 4 --block 256", "u32[2048]=random u32[2048]=iota", ""),
    ("layernorm", "layernorm", "--grid 2 --block 160 --shared 4352", """f32[43,68]=random f32[68]=random f32[68]=ones f32[68]=zeros f32[43,68]
        43 68 1e-3""", "--rtol 1e-3 --atol 1e-4"),
    ("resample", "resample", "--grid 2,2 --block 16,16", """texture(u8[16,16,4]=random,2d,linear,float) surface(u8[32,32,4]=zeros,2d) 32 32 0.5 0.5
        1.1""", "--atol 1"),
    ("call", "test", "", "i32[1]", ""),
]


@dataclass
class Launch:
    source: Path
    line: int
    kernel: str
    arch: str
    options: list
    shape: list
    args: list = field(default_factory=list)
    tolerance: list = field(default_factory=list)
    is_bound: bool = False
    is_nvcc_unchecked: bool = False

    def saved(self):
        """The numbers of the arguments that are buffers."""
        return [index for index, text in enumerate(self.args)
                if re.search(r"\[|=\{|@", text) and "&" not in text and not text.startswith("{")]


def read(source, arch):
    """The launches of a test and why it does not run on this GPU, if so."""
    number = int(re.sub(r"\D", "", arch))
    launches, own, options, unchecked = [], arch, [], False
    for line, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r"//@ (\w+): (.*)", text)
        if not found:
            continue
        key, value = found[1], found[2].strip()
        if key == "arch":
            wanted = int(re.sub(r"\D", "", value))
            if wanted > number or value[-1] in "af" and wanted != number:
                return [], f"for {value}"
            own = value if value[-1] in "af" else arch
        elif key == "args":
            options = value.split()
        elif key == "nvcc":
            unchecked = value.startswith("unchecked")
        elif key == "launch":
            kernel, *words = value.split()
            shape = [part for word in words for part in ("--" + word.partition("=")[0], word.partition("=")[2])]
            launches.append(Launch(source, line, kernel, own, options, shape, is_nvcc_unchecked=unchecked))
        elif key == "arg":
            launches[-1].args.append(value)
        elif key == "bind":
            launches[-1].is_bound = True
        elif key == "tolerance":
            amount, unit = value.split()
            launches[-1].tolerance = [TOLERANCES[unit], amount]
    return launches, "for 32-bit addresses" if "-m32" in options else None


def command(run, launch, device, program):
    words = [run.weftc, "run", program, "--device", device, "--quiet", "--kernel", launch.kernel, *launch.shape]
    return words + [part for arg in launch.args for part in ("--arg", arg)]


def compare_one(run, launch, way, program, options):
    """Runs one launch both ways. Returns what differs, if anything."""
    folder = run.work / "buffers" / f"{launch.source.stem}.{launch.line}.{launch.kernel}.{way.replace(' ', '')}"
    folder.mkdir(parents=True)
    saves, expectations = [], []
    for index in launch.saved():
        saves += ["--save", f"{index}={folder / str(index)}.bin"]
        expectations += ["--expect", f"{index}=@{folder / str(index)}.bin"]
    outputs = []
    for device, words in (("emulator", saves), (run.device, [*expectations, *launch.tolerance])):
        done = subprocess.run([*command(run, launch, device, program), *options, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=launch.source.parent, timeout=120, check=False)
        if done.returncode:
            return f"{device}: {done.stderr.decode(errors='replace').strip()}"
        outputs.append(done.stdout)
    shutil.rmtree(folder)
    # On a GPU, the blocks of a grid print in any order.
    if sorted(outputs[0].splitlines()) != sorted(outputs[1].splitlines()):
        return f"printed {outputs[1].decode(errors='replace')!r}, on the emulator {outputs[0].decode(errors='replace')!r}"
    return None


def nvcc_ptx(run, source, arch):
    """nvcc's PTX of a test; None: this nvcc does not compile it."""
    path = run.work / f"{source.stem}.{arch}.ptx"
    done = subprocess.run([run.nvcc_path, "-x", "cu", "-std=c++17", f"-arch={arch}", "-rdc=true", "--ptx", "-o", path, source],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return path if done.returncode == 0 else None


def examples(run):
    for name, kernel, shape, args, tolerance in EXAMPLES:
        source = run.root / f"examples/{name}.src"
        yield Launch(source, 1, kernel, run.arch, [], shape.split(), args.split(), tolerance.split())


def compare(run):
    launches, skipped = list(examples(run)), {}
    for source in sorted((run.root / "tests/run").glob("*.src")):
        found, reason = read(source, run.arch)
        if reason:
            skipped[source.stem] = reason
            continue
        for launch in found:
            if launch.is_bound:
                skipped[source.stem] = "binds variables, which only the emulator does"
            else:
                launches.append(launch)
    if run.tests:
        launches = [launch for launch in launches if launch.source.stem in run.tests]
        skipped = {name: reason for name, reason in skipped.items() if name in run.tests}
    for name, reason in skipped.items():
        run.say(f"skipped: {name}: {reason}")
    theirs = {}
    if run.nvcc_path:
        keys = sorted({(launch.source, launch.arch) for launch in launches if not launch.is_nvcc_unchecked})
        theirs = dict(zip(keys, run.pool.map(lambda key: nvcc_ptx(run, *key), keys), strict=True))
        for source, _ in (key for key in keys if theirs[key] is None):
            run.say(f"skipped: nvcc of this machine does not compile {source.stem}")
    trials = []
    for launch in launches:
        for level in ("-O0", "-O3"):
            trials.append((launch, f"weftc {level}", launch.source, [level, "--arch", launch.arch, *launch.options]))
        ptx = theirs.get((launch.source, launch.arch))
        if ptx and not launch.is_nvcc_unchecked:
            trials.append((launch, "nvcc", ptx, []))

    def judged(trial):
        try:
            return compare_one(run, *trial)
        except subprocess.TimeoutExpired as error:
            return str(error)[:200]

    wrong = 0
    for (launch, way, *_), difference in zip(trials, run.pool.map(judged, trials), strict=True):
        if difference:
            wrong += 1
            run.say(f"differs: {launch.source.stem}, line {launch.line}, {launch.kernel}, {way}: {difference}")
    run.count(len(trials) - wrong, wrong)
    what = ", ".join(f"`{name}`" for name in run.tests) if run.tests else "`tests/run/` and the examples"
    return [(f"{what} on the GPU and on the emulator",
             f"{len(trials) - wrong} of {len(trials)} launches leave the same; {len(skipped)} tests do not run there")]
