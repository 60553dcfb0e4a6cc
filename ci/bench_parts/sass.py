"""What ptxas makes of PTX: instructions, registers, spills and stack of every kernel.

The same ptxas and the same rule for every compiler: an instruction is a line of the disassembly, without
the NOPs that fill a function up to its alignment behind the last real instruction.
"""

import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

FUNCTION = re.compile(r"^\s*Function : (\S+)")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;")
PROPERTIES = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


@dataclass
class Code:
    """One kernel's machine code, with that of the functions it calls, which ptxas puts behind it."""

    instructions: int = 0
    registers: int = 0
    spill_bytes: int = 0
    stack_bytes: int = 0

    def as_json(self):
        return asdict(self)


def assemble(cuda, arch, ptx, env):
    """Runs ptxas on the file `ptx`. Returns the kernels' code by name."""
    cubin = Path(ptx).with_suffix(".sass.cubin")
    said = subprocess.run(
        [str(cuda / "bin/ptxas"), f"-arch={arch}", "-v", "-o", str(cubin), str(ptx)],
        env=env, capture_output=True, text=True, check=True,
    )
    functions = {}
    read_resources(said.stderr + said.stdout, functions)
    disassembly = subprocess.run(
        [str(cuda / "bin/cuobjdump"), "-sass", str(cubin)],
        env=env, capture_output=True, text=True, check=True,
    ).stdout
    read_instructions(disassembly, functions)
    return {name: code for name, code in sorted(functions.items()) if code.instructions}


def read_resources(text, functions):
    current = None
    for line in text.splitlines():
        if found := PROPERTIES.search(line):
            current = functions.setdefault(found[1], Code())
        elif current is not None and (found := FRAME.search(line)):
            current.stack_bytes = int(found[1])
            current.spill_bytes = int(found[2]) + int(found[3])
        elif current is not None and (found := REGISTERS.search(line)):
            current.registers = int(found[1])


def read_instructions(disassembly, functions):
    current, padding = None, 0
    for line in disassembly.splitlines():
        if found := FUNCTION.match(line):
            current, padding = functions.setdefault(found[1], Code()), 0
        elif current is not None and (found := INSTRUCTION.match(line)):
            padding += 1
            if found[1] != "NOP":
                current.instructions += padding
                padding = 0
