"""What debug information costs a compilation: -G beside -O0 without it, and line tables beside -O3 without them."""

from . import measure, report, tools

PAIRS = [("-O0", ["-O0"], ["-G"]), ("-O3", ["-O3"], ["-O3", "-lineinfo"])]
NVCC_PAIRS = [("nvcc", [], ["-G"])]


def run(args, examples, scratch):
    """Prints the table."""
    cuda = tools.find_cuda()
    env = {**tools.environment(cuda), "TMPDIR": str(scratch)}
    program = str(args.weftc or tools.build_shipped())
    nvcc = tools.nvcc(cuda, args.arch)
    ways = {}
    for name, *pair in PAIRS:
        for i, flags in enumerate(pair):
            ways[f"weftc {name}", i] = lambda source, flags=flags: [
                program, "--arch", args.arch, *flags, "-o", str(scratch / "out.ptx"), str(source)]
    if "nvcc" in args.tools:
        for name, *pair in NVCC_PAIRS:
            for i, flags in enumerate(pair):
                ways[name, i] = lambda source, flags=flags: [
                    *nvcc.command("ptx", source, scratch / "out.ptx"), *flags]
    names = list(dict.fromkeys(name for name, _ in ways))
    rows, all_ratios = [], {name: [] for name in names}
    for source in examples:
        series = {way: measure.Series() for way in ways}
        for _ in range(args.runs):
            for way, command in ways.items():
                series[way].add(*measure.run(command(source), env, scratch / "log"))
        row = [source.stem]
        for name in names:
            plain, told = (series[name, i].median_ms() for i in range(2))
            all_ratios[name].append(told / plain)
            row += [report.number(plain), report.number(told), report.ratio(told / plain)]
        rows.append(row)
    heads = ["program"]
    for name in names:
        heads += [f"{name} ms", {"weftc -O0": "-G", "weftc -O3": "-lineinfo", "nvcc": "-G"}[name], "ratio"]
    means = ["geometric mean"]
    for name in names:
        means += ["", "", report.ratio(report.geometric_mean(all_ratios[name]))]
    print(report.table(heads, rows, means))
