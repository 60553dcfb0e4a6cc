"""NVRTC, the compiler that is a library: a child process keeps it loaded and times compilations in it.

Run as a program, this file is that child: each line on its input is a path, each line of its output the
microseconds that `nvrtcCompileProgram` took, or `error` and the log on one line. In the bench, `Nvrtc` talks
to it. What is timed is the call alone, without loading the library: the best case for a caller.
"""

import ctypes
import subprocess
import sys
import time
from pathlib import Path


class Nvrtc:
    """The child with NVRTC loaded. The first compilation, which sets the library up, is done at once."""

    def __init__(self, library, arch, warm_up):
        self.child = subprocess.Popen(
            [sys.executable, __file__, library, arch.replace("sm_", "compute_")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self.child.stdout.readline().strip()
        self.first_ms = self.compile(warm_up) * 1e3

    def compile(self, source):
        """Seconds to compile `source` to PTX."""
        self.child.stdin.write(f"{source}\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline().strip()
        if not answer.isdigit():
            raise RuntimeError(f"NVRTC on {source}: {answer or 'no answer'}")
        return int(answer) / 1e6

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def compile_once(nvrtc, text, name, options):
    """Compiles `text`; returns microseconds, or the log of a failure."""
    program = ctypes.c_void_p()
    created = nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, name, 0, None, None)
    if created != 0:
        return f"error {created}"
    arguments = (ctypes.c_char_p * len(options))(*options)
    start = time.perf_counter_ns()
    result = nvrtc.nvrtcCompileProgram(program, len(options), arguments)
    micros = (time.perf_counter_ns() - start) // 1000
    answer = str(micros) if result == 0 else f"error {log_of(nvrtc, program)}"
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return answer


def log_of(nvrtc, program):
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    return " ".join(log.value.decode(errors="replace").split())


def serve(library, arch):
    nvrtc = ctypes.CDLL(library)
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    print(f"NVRTC {major.value}.{minor.value}", flush=True)
    options = [f"--gpu-architecture={arch}".encode(), b"-std=c++17", b"-rdc=true"]
    for line in sys.stdin:
        source = Path(line.strip())
        print(compile_once(nvrtc, source.read_bytes(), source.name.encode(), options), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2])
