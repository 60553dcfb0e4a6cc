"""Runs one process and says how long it took and how much memory it had at its peak.

The time is wall time from before the spawn to after the wait, for whole processes, children included;
beside it stands their processor time, which other programs on the machine disturb less. The peak is the
resident size of the largest process of the tree, as the kernel counts it; since it counts from the moment
of the spawn, the bench's own size (some 15 MB) is the least that it can answer.
"""

import os
import statistics
import time
from dataclasses import dataclass, field


class Failed(Exception):
    """A compiler refused an example. The text has the command and what it said."""


@dataclass
class Series:
    """What repeated runs of one command gave."""

    seconds: list = field(default_factory=list)
    cpu_seconds: list = field(default_factory=list)
    peak_kib: list = field(default_factory=list)

    def add(self, seconds, cpu_seconds=0.0, peak_kib=0):
        self.seconds.append(seconds)
        self.cpu_seconds.append(cpu_seconds)
        self.peak_kib.append(peak_kib)

    def median_ms(self):
        return statistics.median(self.seconds) * 1e3

    def cpu_ms(self):
        return statistics.median(self.cpu_seconds) * 1e3

    def peak_mib(self):
        return statistics.median(self.peak_kib) / 1024

    def as_json(self):
        return {
            "median_ms": round(self.median_ms(), 3),
            "min_ms": round(min(self.seconds) * 1e3, 3),
            "max_ms": round(max(self.seconds) * 1e3, 3),
            "cpu_ms": round(self.cpu_ms(), 3),
            "peak_mib": round(self.peak_mib(), 1),
            "runs": len(self.seconds),
        }


def run(command, env, log):
    """Runs `command` with its output going to the file `log`. Returns seconds of wall time and of
    processor time, and the peak in KiB."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(log), flags, 0o644),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, env, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        with open(log, encoding="utf-8", errors="replace") as text:
            raise Failed(f"{' '.join(command)}\n{text.read()}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
