"""Links weftc so that it runs with glibc 2.28 and later, and checks that it does.

A linker takes the newest version of each symbol that the machine's glibc defines, so older systems refuse the program. But glibc
keeps the older versions of each symbol. In: the machine's libraries of glibc 2.34 or later. Out: stub libraries for the linker,
which define the newest version of each symbol up to 2.28 and contain no code; what glibc 2.28 lacks is in older_glibc.c.
Since 2.34 libpthread, libdl and librt are parts of libc; the stubs keep them apart, so that the program loads them where they exist.
Symbols that moved to libc without a new version (internal ones of libpthread and libresolv) are in libc's stub; a program that
needs them would fail on an older system, which ci/release tries.
"""

import hashlib
import platform
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

# The version of RHEL 8, Debian 10 and Ubuntu 18.10; auditwheel calls it manylinux_2_28.
OLDEST = (2, 28)

LOADER = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}[platform.machine()]
# All that the program may load.
LIBRARIES = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", LOADER)

# The libraries of 2.28 for symbols that libc defines today with one version after 2.28 and one up to it. Others are left out.
MOVED = {
    "libdl.so.2": re.compile("dl[a-z]"),
    "librt.so.1": re.compile("(aio|lio|mq|shm|timer)_"),
    "libpthread.so.0": re.compile("(__)?(pthread|sem|thrd|mtx|cnd|tss)_|call_once$"),
    "libc.so.6": re.compile("__libc_start_main$"),
}

# What a program is linked with, besides the stubs.
SHIM = "older_glibc.o"
LINKER_OPTIONS = ("-Wl,--wrap=__libc_start_main",)


@dataclass(frozen=True)
class Symbol:
    """A row of the dynamic symbol table."""

    name: str
    # The library that a version is of: GLIBC, GCC, GLIBCXX; "" without a version.
    family: str
    version: tuple
    defined: bool
    weak: bool
    is_data: bool
    address: int
    size: int


# As GNU objdump prints it: the address, seven flags, the section, the size, the version (in parentheses: not the default one).
ROW = re.compile(r"([0-9a-f]{8,16}) (.{7}) (\S+)\t([0-9a-f]{8,16}) +(?:\(?([A-Z]\w*?)_([0-9.]+)\)?|Base)? +(?:\.hidden )?(\S+)")


def parse_symbols(text):
    """The symbols in the output of `objdump -T`. Private versions, and the rows that name the versions, are not among them."""
    for line in text.splitlines():
        if row := ROW.fullmatch(line.rstrip()):
            address, flags, section, size, family, version, name = row.groups()
            if section == "*ABS*":
                continue
            yield Symbol(name, family or "", tuple(map(int, version.split("."))) if version else (),
                         section != "*UND*", flags[1] == "w", flags[6] == "O", int(address, 16), int(size, 16))


def read(*command):
    return subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=True).stdout


def show(version):
    return ".".join(map(str, version))


def check(symbols, headers):
    """What keeps a program from running with glibc OLDEST, as lines; none if it runs.

    `headers` is the output of `objdump -p`, with the libraries and versions that the loader requires."""
    faults = [f"{symbol.name} needs {symbol.family}_{show(symbol.version)}" for symbol in symbols
              if symbol.family == "GLIBC" and not symbol.defined and symbol.version > OLDEST]
    for library in re.findall(r"^  NEEDED +(\S+)$", headers, re.MULTILINE):
        if library not in LIBRARIES:
            faults.append(f"it needs the library {library}")
    # Versions that no symbol has, such as GLIBC_ABI_DT_RELR.
    for family, version in re.findall(r"^    0x[0-9a-f]+ 0x[0-9a-f]+ \d+ (\w+?)_([\w.]+)$", headers, re.MULTILINE):
        if family == "GLIBC" and not re.fullmatch(r"[0-9.]+", version):
            faults.append(f"it needs {family}_{version}")
        if family not in ("GLIBC", "GCC"):
            faults.append(f"it needs {family}_{version}")
    return faults


def check_program(program):
    """The same for a file."""
    return check(parse_symbols(read("objdump", "-T", program)), read("objdump", "-p", program))


def newest_needed(program):
    """The newest version of glibc that a program needs."""
    return max((symbol.version for symbol in parse_symbols(read("objdump", "-T", program))
                if symbol.family == "GLIBC" and not symbol.defined), default=())


def choose(library, symbols):
    """The symbols of a library at OLDEST, by the libraries that had them then. libc's alone have moved."""
    versions = defaultdict(list)
    for symbol in symbols:
        if symbol.family == "GLIBC" and symbol.defined:
            versions[symbol.name].append(symbol)
    chosen = defaultdict(list)
    for name, all_versions in versions.items():
        old = [symbol for symbol in all_versions if symbol.version <= OLDEST]
        then = library
        if library == "libc.so.6" and len(old) < len(all_versions):
            then = next((other for other, pattern in MOVED.items() if pattern.match(name)), None)
        if old and then:
            chosen[then].append(max(old, key=lambda symbol: symbol.version))
    return chosen


def assembly(symbols):
    """A library's source with these symbols and without code. Variables are as large as they are in glibc, since the program gets
    copies, and those at one address stay together."""
    lines = [".text"]
    variables = defaultdict(list)
    for symbol in symbols:
        if symbol.is_data:
            variables[symbol.address].append(symbol)
        else:
            lines += [f".globl {symbol.name}", f".type {symbol.name}, @function", f"{symbol.name}:"]
    lines += [".byte 0", ".bss"]
    for names in variables.values():
        lines.append(".balign 32")
        for symbol in names:
            lines += [f".globl {symbol.name}", f".type {symbol.name}, @object", f".size {symbol.name}, {symbol.size}",
                      f"{symbol.name}:"]
        lines.append(f".skip {max(1, *(symbol.size for symbol in names), 1)}")
    return "".join(f"{line}\n" for line in [*lines, '.section .note.GNU-stack,"",%progbits'])


def version_script(symbols):
    nodes = defaultdict(list)
    for symbol in symbols:
        nodes[symbol.version].append(symbol.name)
    return "".join(f"GLIBC_{show(version)} {{ global: {' '.join(f'{name};' for name in sorted(names))} }};\n"
                   for version, names in sorted(nodes.items()))


def make_stub(folder, library, symbols):
    """Makes the stub of a library, and a link to it with the name that `-l` looks for."""
    source, script, stub = (folder / f"{library}{suffix}" for suffix in (".s", ".versions", ""))
    source.write_text(assembly(symbols), encoding="utf-8")
    script.write_text(version_script(symbols), encoding="utf-8")
    subprocess.run(["cc", "-shared", "-nostdlib", "-o", stub, source, f"-Wl,-soname={library}", f"-Wl,--version-script={script}"],
                   check=True)
    short = folder / f"{library.split('.')[0]}.so"
    short.unlink(missing_ok=True)
    short.symlink_to(library)


def make(work):
    """Makes the stubs and compiles older_glibc.c, in a folder of `work` whose name changes with the content, so that cargo links
    again; returns the folder."""
    libraries = {library: Path(read("cc", f"-print-file-name={library}").strip()).resolve()
                 for library in ("libc.so.6", "libm.so.6", LOADER)}
    shim = Path(__file__).with_name("older_glibc.c")
    content = hashlib.sha256()
    for path in (*libraries.values(), shim, Path(__file__)):
        content.update(path.read_bytes())
    folder = work / f"glibc-{show(OLDEST)}-{content.hexdigest()[:16]}"
    compiled = folder / SHIM
    if compiled.is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    stubs = defaultdict(list)
    for library, path in libraries.items():
        for then, symbols in choose(library, parse_symbols(read("objdump", "-T", path))).items():
            stubs[then] += symbols
    for library, symbols in stubs.items():
        make_stub(folder, library, symbols)
    (folder / "libc.so").unlink()
    static_part = read("cc", "-print-file-name=libc_nonshared.a").strip()
    (folder / "libc.so").write_text(f"GROUP ( libc.so.6 {static_part} AS_NEEDED ( {LOADER} ) )\n", encoding="utf-8")
    # rustc takes the unwinder from the shared library, which some small systems lack.
    unwinder = read("cc", "-print-file-name=libgcc_eh.a").strip()
    (folder / "libgcc_s.so").write_text(f"INPUT ( {unwinder} )\n", encoding="utf-8")
    new = compiled.with_suffix(".new")
    subprocess.run(["cc", "-c", "-O2", "-Wall", "-Werror", "-ffunction-sections", "-o", new, shim], check=True)
    new.replace(compiled)
    return folder


def link_arguments(work):
    """Arguments for rustc that link a program for OLDEST."""
    folder = make(work)
    # rustc searches this folder before those of build scripts, one of which has the machine's glibc.
    return [f"-Lnative={folder}", f"-Clink-arg={folder / SHIM}", *(f"-Clink-arg={option}" for option in LINKER_OPTIONS)]
