"""The licenses of everything that is linked into weftc: the file NOTICES.txt of a release.

In: the crates that `cargo metadata` lists, with the license files in their sources; Debian's `copyright` files of the archives
and objects that the linker takes; rustc's, for Rust's standard library. Out: one text, in which equal texts are once.
Invariant: nothing is left out silently; a part without a license is an error.
"""

import html
import json
import os
import platform
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from bench_parts import tools

INTRODUCTION = """weftc is distributed under the MIT license or the Apache License, Version 2.0, whichever you prefer.

The program contains these works of others, which are linked statically, under the licenses below:

"""
# A name for readers, and a file that the linker takes.
OF_COMPILER = {
    "libstdc++ (GPL 3 with the GCC Runtime Library Exception)": "libstdc++.a",
    "libgcc (GPL 3 with the GCC Runtime Library Exception)": "libgcc_eh.a",
    "zlib": "libz.a",
    "Zstandard": "libzstd.a",
    "startup code of the GNU C Library (LGPL 2.1, with an exception for linked programs)": "crt1.o",
}
LICENSE_FILE = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)([-_. ].*)?", re.IGNORECASE)
# Debian's files refer to these instead of repeating them.
COMMON = Path("/usr/share/common-licenses")


class Missing(Exception):
    """A part has no license file."""


def text_of(path):
    return "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8", errors="replace").strip().splitlines())


def debian_texts(path):
    """The copyright file of the Debian package that installed a file, and the licenses that it refers to."""
    owner = subprocess.run(["dpkg-query", "-S", str(path)], stdout=subprocess.PIPE, text=True, check=False).stdout
    package = owner.split(":")[0]
    notice = Path("/usr/share/doc") / package / "copyright"
    if not package or not notice.is_file():
        raise Missing(f"the license of {path}: no Debian package has this file")
    text = text_of(notice)
    named = {name.rstrip(".") for name in re.findall(rf"{COMMON}/([\w.+-]+)", text)}
    return [text, *(text_of(COMMON / name) for name in sorted(named) if (COMMON / name).is_file())]


def linked_files():
    """Names, and the files that they stand for, of what is not a crate."""
    llvm = Path(os.environ.get("LLVM_SYS_221_PREFIX", "/usr/lib/llvm-22")) / "lib/libLLVMCore.a"
    yield "LLVM (Apache License 2.0 with LLVM Exceptions)", llvm.resolve()
    for name, file in OF_COMPILER.items():
        done = subprocess.run(["cc", f"-print-file-name={file}"], stdout=subprocess.PIPE, text=True, check=True)
        yield name, Path(done.stdout.strip()).resolve()


def rust_documents():
    """Where rustc has its licenses, and those that others use."""
    done = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, text=True, check=True)
    return Path(done.stdout.strip()) / "share/doc/rust"


def standard_texts(expression):
    """The texts of the licenses in an SPDX expression."""
    folder = rust_documents() / "licenses"
    names = re.findall(r"[\w.-]+", re.sub(r"\b(AND|OR|WITH)\b", " ", expression))
    if lacking := [name for name in names if not (folder / f"{name}.txt").is_file()]:
        raise Missing(f"the text of the license {' and '.join(lacking)}: it is not in {folder}")
    return [text_of(folder / f"{name}.txt") for name in names]


def rust_texts():
    """The licenses of Rust's standard library and of the crates in it."""
    page = rust_documents() / "COPYRIGHT-library.html"
    if not page.is_file():
        raise Missing(f"the license of Rust's standard library: there is no {page}")
    words = html.unescape(re.sub(r"<[^>]*>", "", text_of(page)))
    return [*standard_texts("MIT OR Apache-2.0"), "\n".join(line for line in words.splitlines() if line.strip())]


def crates():
    """The packages of crates that are linked into weftc: no build scripts' and no procedural macros'."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    done = subprocess.run(["cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={target}"],
                          cwd=tools.ROOT, stdout=subprocess.PIPE, check=True)
    metadata = json.loads(done.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    todo = [package["id"] for package in packages.values() if package["name"] == "weft-driver"]
    seen = set()
    while todo:
        here = todo.pop()
        if here in seen or any("proc-macro" in target["kind"] for target in packages[here]["targets"]):
            continue
        seen.add(here)
        todo += [dependency["pkg"] for dependency in nodes[here]["deps"]
                 if any(kind["kind"] is None for kind in dependency["dep_kinds"])]
    foreign = (packages[each] for each in seen if packages[each]["source"])
    return sorted(foreign, key=lambda package: (package["name"], package["version"]))


def crate_texts(package):
    """The license files in a crate's source, those of C libraries in it among them. Without one, the text of the license that the
    crate names, with its authors."""
    folder = Path(package["manifest_path"]).parent
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and LICENSE_FILE.fullmatch(path.name)]
    if files:
        return [text_of(path) for path in files]
    if not package["license"]:
        raise Missing(f"the license of the crate {package['name']}: it names none")
    return [f"Copyright: {', '.join(package['authors'])}", *standard_texts(package["license"])]


def notices():
    """The text."""
    parts = [(name, debian_texts(path)) for name, path in linked_files()]
    parts.append(("Rust's standard library (MIT OR Apache-2.0)", rust_texts()))
    parts += [(f"{package['name']} {package['version']} ({package['license']})", crate_texts(package)) for package in crates()]
    users = defaultdict(list)
    for name, texts in parts:
        for text in texts:
            if name not in users[text]:
                users[text].append(name)
    lines = [INTRODUCTION, *(f"  - {name}\n" for name, _ in parts)]
    for text, names in users.items():
        heading = "\n".join(f"For {name}:" for name in names)
        lines.append(f"\n{'=' * 100}\n{heading}\n\n{text}\n")
    return "".join(lines)
