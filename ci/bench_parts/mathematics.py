"""What a call of libdevice's functions costs: pairs of programs, of which one calls a function and the other does not.

The pairs are a kernel of two lines, and that kernel behind each of the examples. --instructions counts weftc's instructions too:
unlike time, they do not depend on what else the machine does.
"""

from . import instructions, measure, report, tools

KERNEL = """extern "C" __global__ void mapped(float *out, const float *in, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = {value};
}}
"""
PLAIN = "in[i] * 2.0f"
FUNCTIONS = {
    "sinf": "sinf(in[i])", "expf": "expf(in[i])", "powf": "powf(in[i], 2.5f)", "erff": "erff(in[i])",
    "sin": "sin((double)in[i])", "pow": "pow((double)in[i], 2.5)", "tgamma": "tgamma((double)in[i])",
}


def programs(examples, scratch):
    """(name, without, with) for each pair, as files."""
    def write(name, text):
        path = scratch / f"{name}.src"
        path.write_text(text)
        return path

    without = write("without", KERNEL.format(value=PLAIN))
    for name, value in FUNCTIONS.items():
        yield f"two lines: {name}", without, write(f"with_{name}", KERNEL.format(value=value))
    for example in examples:
        text = example.read_text() + "\n"
        yield (f"{example.stem}: sinf", write(f"{example.stem}_without", text + KERNEL.format(value=PLAIN)),
               write(f"{example.stem}_with", text + KERNEL.format(value=FUNCTIONS["sinf"])))


def run(args, examples, scratch):
    """Prints the table."""
    cuda = tools.find_cuda()
    env = {**tools.environment(cuda), "TMPDIR": str(scratch)}
    program = args.weftc or tools.build_shipped()
    weftc, nvcc = tools.weftc(str(program), args.arch), tools.nvcc(cuda, args.arch)
    ways = [("weftc", weftc), *([("nvcc", nvcc)] if "nvcc" in args.tools else [])]
    counted = counter(args, env, scratch) if args.instructions else None
    rows, all_ratios = [], {way: [] for way, _ in ways}
    for name, *pair in programs(examples, scratch):
        series = {(way, i): measure.Series() for way, _ in ways for i in range(2)}
        # The first round finds files that nobody has read yet, and is not counted.
        for number in range(args.runs + 1):
            for way, compiler in ways:
                for i, source in enumerate(pair):
                    command = compiler.command("ptx", source, scratch / "out.ptx")
                    spent = measure.run(command, env, scratch / "log")
                    if number > 0:
                        series[way, i].add(*spent)
        row = [name]
        for way, _ in ways:
            plain, calling = (series[way, i].median_ms() for i in range(2))
            all_ratios[way].append(calling / plain)
            row += [report.number(plain), report.number(calling), report.ratio(calling / plain)]
        if counted:
            row += [f"{counted(source) / 1e6:.1f}" for source in pair]
        rows.append(row)
    heads = ["program", *(f"{way}{suffix}" for way, _ in ways for suffix in (" ms", ", calling", ", ratio"))]
    if counted:
        heads += ["million instructions", "calling"]
    means = ["geometric mean"]
    for way, _ in ways:
        means += ["", "", report.ratio(report.geometric_mean(all_ratios[way]))]
    print(report.table(heads, rows, means + [""] * (len(heads) - len(means))))


def counter(args, env, scratch):
    """What counts the instructions of one compilation by weftc."""
    valgrind = instructions.find_valgrind()
    if not valgrind:
        raise tools.Missing("no valgrind (Debian: valgrind)")
    weftc = tools.weftc(tools.build_weftc("symbols"), args.arch)

    def count(source):
        return instructions.own_share(valgrind, weftc.command("ptx", source, scratch / "out.ptx"), env, scratch)[1]
    return count
