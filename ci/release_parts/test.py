#!/usr/bin/env python3
"""Tests of ci/release that need no release: what is read from objdump, what is refused, and a small program that is linked for the
older glibc, as weftc is."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from release_parts import glibc, notices  # noqa: E402

SYMBOLS = """
weftc:     file format elf64-x86-64

DYNAMIC SYMBOL TABLE:
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.34) pthread_create
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) malloc
0000000000000000  w   DF *UND*\t0000000000000000 (GLIBC_2.30) gettid
0000000000000000  w   D  *UND*\t0000000000000000  Base        __gmon_start__
0000000000000000  w   D  *UND*\t0000000000000000              __cxa_finalize
0000000000000000      DO *UND*\t0000000000000000 (GLIBC_2.32) __libc_single_threaded
0000000002c9f0a0 g    DO .bss\t0000000000000008 (GLIBC_2.2.5) stdout
"""
LIBRARY = """
0000000000000000 g    DO *ABS*\t0000000000000000  GLIBC_2.2.5 GLIBC_2.2.5
0000000000088180 g    DF .text\t0000000000000938  GLIBC_2.34  pthread_create
0000000000088180 g    DF .text\t0000000000000938 (GLIBC_2.2.5) pthread_create
00000000000a1b90 g   iDF .text\t00000000000000b3  GLIBC_2.14  memcpy
00000000000a1b80 g   iDF .text\t000000000000000a (GLIBC_2.2.5) memcpy
00000000000f8660  w   DF .text\t0000000000000010  GLIBC_2.33  stat
00000000001d6740 g    DO .data\t0000000000000008  GLIBC_2.2.5 stdout
0000000000000010 g    D  .tbss\t0000000000000004  GLIBC_PRIVATE errno
"""
HEADERS = """
Dynamic Section:
  NEEDED               libc.so.6
  NEEDED               libfoo.so.1
  SONAME               libbar.so

Version References:
  required from libc.so.6:
    0x09691a75 0x00 03 GLIBC_2.2.5
    0x0fd0a0d2 0x00 02 GLIBC_ABI_DT_RELR
"""
# Uses what is newer than 2.28, and what older glibc does only with help: constructors, exceptions, threads.
PROGRAM = """
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>

static int n_arguments;
__attribute__((constructor)) static void first(int argc, char **argv, char **environment)
{
    n_arguments = argc + (argv[argc] == nullptr && environment != nullptr ? 0 : 100);
}

int main(int argc, char **argv)
{
    struct stat folder, link;
    std::string caught;
    auto counted = std::make_shared<int>(argc);
    std::thread([&, counted] {
        try {
            throw std::runtime_error("caught");
        } catch (const std::exception &e) {
            caught = e.what();
        }
    }).join();
    bool random = false;
    for (int i = 0; i < 100; i++)
        random |= arc4random() != arc4random();
    std::printf("%d %s %d %d %d %d %.3f %d\\n", n_arguments, caught.c_str(), stat(argv[1], &folder) == 0 && S_ISDIR(folder.st_mode),
                lstat(argv[2], &link) == 0 && S_ISLNK(link.st_mode), stat("/missing/file", &folder), random,
                std::pow(argc, 0.5), (int)(mallinfo2().arena >= 0));
    return fflush(stdout) == 0 ? 0 : 1;
}
"""


class Symbols(unittest.TestCase):
    def test_versions_of_a_program(self):
        symbols = list(glibc.parse_symbols(SYMBOLS))
        self.assertEqual([(symbol.name, symbol.version, symbol.defined) for symbol in symbols],
                         [("pthread_create", (2, 34), False), ("malloc", (2, 2, 5), False), ("gettid", (2, 30), False),
                          ("__gmon_start__", (), False), ("__cxa_finalize", (), False),
                          ("__libc_single_threaded", (2, 32), False), ("stdout", (2, 2, 5), True)])
        self.assertEqual([symbol.name for symbol in symbols if symbol.weak], ["gettid", "__gmon_start__", "__cxa_finalize"])
        self.assertEqual([symbol.name for symbol in symbols if symbol.is_data], ["__libc_single_threaded", "stdout"])

    def test_newer_symbols_and_other_libraries_are_refused(self):
        self.assertEqual(glibc.check(glibc.parse_symbols(SYMBOLS), HEADERS),
                         ["pthread_create needs GLIBC_2.34", "gettid needs GLIBC_2.30", "__libc_single_threaded needs GLIBC_2.32",
                          "it needs the library libfoo.so.1", "it needs GLIBC_ABI_DT_RELR"])

    def test_the_newest_old_version_in_the_library_of_that_time(self):
        chosen = glibc.choose("libc.so.6", glibc.parse_symbols(LIBRARY))
        found = {library: [(symbol.name, symbol.version) for symbol in symbols] for library, symbols in chosen.items()}
        self.assertEqual(found, {"libpthread.so.0": [("pthread_create", (2, 2, 5))],
                                 "libc.so.6": [("memcpy", (2, 14)), ("stdout", (2, 2, 5))]})
        chosen = glibc.choose("libm.so.6", glibc.parse_symbols(LIBRARY))
        self.assertEqual(list(chosen), ["libm.so.6"])


class Link(unittest.TestCase):
    def test_a_program_for_the_older_glibc(self):
        with tempfile.TemporaryDirectory() as scratch:
            work = Path(scratch)
            source, link = work / "program.cpp", work / "link"
            source.write_text(PROGRAM, encoding="utf-8")
            link.symlink_to(work)
            folder = glibc.make(work)
            self.assertEqual(glibc.make(work), folder)
            options = {"plain": [], "older": [f"-L{folder}", folder / glibc.SHIM, *glibc.LINKER_OPTIONS]}
            for name, more in options.items():
                program = work / name
                command = ["g++", "-no-pie", "-pthread", "-static-libgcc", "-static-libstdc++", source, *more, "-o", program]
                subprocess.run(command, check=True)
                done = subprocess.run([program, work, link], stdout=subprocess.PIPE, text=True, check=True)
                self.assertEqual(done.stdout, "3 caught 1 1 -1 1 1.732 1\n", name)
            self.assertIn("arc4random needs GLIBC_2.36", glibc.check_program(work / "plain"))
            self.assertEqual(glibc.check_program(work / "older"), [])
            self.assertLessEqual(glibc.newest_needed(work / "older"), glibc.OLDEST)


class Notices(unittest.TestCase):
    def test_every_part_has_a_license(self):
        text = notices.notices()
        for part in ("LLVM (", "libstdc++ (", "zlib\n", "Zstandard\n", "mimalloc "):
            self.assertIn(f"  - {part}", text)
            self.assertIn(f"\nFor {part.strip()}", text)
        for words in ("LLVM Exceptions to the Apache 2.0 License", "GCC RUNTIME LIBRARY EXCEPTION", "Mark Adler", "Yann Collet"):
            self.assertIn(words.lower(), text.lower())


if __name__ == "__main__":
    unittest.main()
