"""Writes the programs on which the frontend is measured: as long as asked, the same for the same seed.

They are what weftc and a C++ compiler both take, once the words of CUDA are defined away (`PRELUDE`). There are
two kinds, which stress different stages:

- `mixed`: functions and kernels of some fifteen lines, structs, enums, tables, comments, blank lines, in about
  the shares that kernel code has
- `macros`: the same kind of functions with object-like and function-like macros and conditionals on most lines

`guarded` is a program that includes one header many times, to see what a header costs that is not read again.
"""

import random

# What a C++ compiler has to know of CUDA to take the programs.
PRELUDE = """\
#define __global__
#define __device__
#define __constant__
#define __shared__ static
#define __forceinline__ inline
struct uint3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
void __syncthreads();
float sqrtf(float); float fabsf(float); float fmaxf(float, float); float fminf(float, float);
"""

INT_OPS = ["+", "-", "*", "&", "|", "^", "+", "-"]
FLOAT_OPS = ["+", "-", "*", "/", "+", "*"]
COMPARISONS = ["<", ">", "<=", ">=", "==", "!="]
WORDS = ["row", "col", "sum", "acc", "idx", "count", "offset", "width", "height", "stride", "tile", "lane", "warp",
         "value", "scale", "bias", "left", "right", "depth", "limit"]
PROSE = ["the rows that this block owns", "accumulate in registers", "bounds are checked by the caller",
         "one thread for each element", "keep the last value for the next round", "see the note on strides above",
         "unrolled by hand; measure before changing", "in bytes, not elements"]


class Function:
    """The names that are in scope while a function is written."""

    def __init__(self):
        self.ints = ["n"]
        self.floats = ["x"]


class Writer:
    """Lines of a program, and what later lines can use of it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.structs = []       # (name, int fields, float fields)
        self.functions = []     # names; all are float f(const float* in, int n, float x)
        self.n_names = 0

    def add(self, depth, text):
        self.lines.append("    " * depth + text if text else "")

    def name(self):
        self.n_names += 1
        return f"{self.random.choice(WORDS)}_{self.n_names}"

    def integer(self, scope, depth=2):
        pick = self.random.random()
        if depth == 0 or pick < 0.3:
            literal = self.random.choice(["1", "2", "4", "7", "16", "31", "0x7f", "255u", "1024"])
            return self.random.choice([*scope.ints, *scope.ints, literal])
        if pick < 0.4:
            return f"({self.integer(scope, depth - 1)} >> {self.random.randrange(1, 8)})"
        if pick < 0.5:
            return f"(int){self.float(scope, 0)}"
        operator = self.random.choice(INT_OPS)
        return f"({self.integer(scope, depth - 1)} {operator} {self.integer(scope, depth - 1)})"

    def float(self, scope, depth=2):
        pick = self.random.random()
        if depth == 0 or pick < 0.3:
            literal = self.random.choice(["0.5f", "1.0f", "2.0f", "3.14159f", "1e-6f"])
            return self.random.choice([*scope.floats, *scope.floats, literal])
        if pick < 0.45:
            return f"in[{self.integer(scope, depth - 1)}]"
        if pick < 0.5:
            return f"sqrtf({self.float(scope, depth - 1)})"
        if pick < 0.56:
            return f"fmaxf({self.float(scope, depth - 1)}, {self.float(scope, depth - 1)})"
        if pick < 0.6:
            return f"(float){self.integer(scope, depth - 1)}"
        operator = self.random.choice(FLOAT_OPS)
        return f"({self.float(scope, depth - 1)} {operator} {self.float(scope, depth - 1)})"

    def condition(self, scope):
        left = f"{self.integer(scope, 1)} {self.random.choice(COMPARISONS)} {self.integer(scope, 1)}"
        if self.random.random() < 0.3:
            return f"{left} && {self.float(scope, 0)} > {self.float(scope, 0)}"
        return left

    def declaration(self, depth, scope):
        name = self.name()
        if self.random.random() < 0.5:
            self.add(depth, f"int {name} = {self.integer(scope)};")
            scope.ints.append(name)
        else:
            self.add(depth, f"float {name} = {self.float(scope)};")
            scope.floats.append(name)

    def assignment(self, depth, scope):
        if self.random.random() < 0.5:
            operator = self.random.choice(["=", "+=", "-=", "^=", "|="])
            self.add(depth, f"{self.random.choice(scope.ints)} {operator} {self.integer(scope)};")
        else:
            operator = self.random.choice(["=", "+=", "*=", "-="])
            self.add(depth, f"{self.random.choice(scope.floats)} {operator} {self.float(scope)};")

    def call(self, depth, scope):
        if not self.functions:
            return self.assignment(depth, scope)
        callee = self.random.choice(self.functions[-30:])
        target = self.random.choice(scope.floats)
        self.add(depth, f"{target} += {callee}(in + {self.integer(scope, 0)}, "
                        f"{self.integer(scope, 1)}, {self.float(scope, 1)});")

    def members(self, depth, scope):
        if not self.structs:
            return self.assignment(depth, scope)
        struct, ints, floats = self.random.choice(self.structs[-20:])
        name = self.name()
        self.add(depth, f"{struct} {name};")
        self.add(depth, f"{name}.{ints[0]} = {self.integer(scope, 1)};")
        self.add(depth, f"{name}.{floats[0]} = {self.float(scope, 1)} * {name}.{ints[0]};")
        scope.ints.append(f"{name}.{ints[0]}")
        scope.floats.append(f"{name}.{floats[0]}")

    def nested(self, depth, scope, n_statements):
        n_ints, n_floats = len(scope.ints), len(scope.floats)
        for _ in range(n_statements):
            self.statement(depth, scope)
        del scope.ints[n_ints:]
        del scope.floats[n_floats:]

    def loop(self, depth, scope):
        name = self.name()
        self.add(depth, f"for (int {name} = 0; {name} < {self.integer(scope, 0)}; {name} += 1) {{")
        scope.ints.append(name)
        self.nested(depth + 1, scope, self.random.randrange(1, 4))
        scope.ints.remove(name)
        self.add(depth, "}")

    def branch(self, depth, scope):
        self.add(depth, f"if ({self.condition(scope)}) {{")
        self.nested(depth + 1, scope, self.random.randrange(1, 3))
        if self.random.random() < 0.4:
            self.add(depth, "} else {")
            self.nested(depth + 1, scope, self.random.randrange(1, 3))
        self.add(depth, "}")

    def switch(self, depth, scope):
        self.add(depth, f"switch ({self.integer(scope, 1)} & 3) {{")
        for case in range(self.random.randrange(2, 4)):
            self.add(depth, f"case {case}:")
            self.assignment(depth + 1, scope)
            self.add(depth + 1, "break;")
        self.add(depth, "default:")
        self.add(depth + 1, "break;")
        self.add(depth, "}")

    def comment(self, depth, _scope):
        if self.random.random() < 0.8:
            self.add(depth, f"// {self.random.choice(PROSE).capitalize()}.")
        else:
            self.add(depth, f"/* {self.random.choice(PROSE).capitalize()},")
            self.add(depth, f"   {self.random.choice(PROSE)}. */")

    def statement(self, depth, scope):
        kinds = [(30, self.declaration), (25, self.assignment), (8, self.call), (5, self.members),
                 (12, self.comment)]
        if depth < 4:
            kinds += [(8, self.loop), (9, self.branch), (2, self.switch)]
        weights, choices = zip(*kinds)
        self.random.choices(choices, weights)[0](depth, scope)

    def function(self):
        scope = Function()
        name = self.name()
        if self.random.random() < 0.3:
            self.add(0, f"__global__ void {name}(const float* in, float* out, int n, float x) {{")
            self.add(1, "int i = blockIdx.x * blockDim.x + threadIdx.x;")
            self.add(1, "if (i >= n) return;")
            scope.ints.append("i")
            self.nested(1, scope, self.random.randrange(5, 12))
            self.add(1, f"out[i] = {self.float(scope)};")
        else:
            inline = self.random.choice(["", "static ", "__forceinline__ static "])
            self.add(0, f"{inline}__device__ float {name}(const float* in, int n, float x) {{")
            self.nested(1, scope, self.random.randrange(5, 12))
            self.add(1, f"return {self.float(scope)};")
            self.functions.append(name)
        self.add(0, "}")
        self.add(0, "")

    def struct(self):
        name = f"{self.name()}_t".capitalize()
        ints = [self.name() for _ in range(self.random.randrange(1, 4))]
        floats = [self.name() for _ in range(self.random.randrange(1, 4))]
        self.add(0, f"struct {name} {{")
        for field in ints:
            self.add(1, f"int {field};")
        for field in floats:
            self.add(1, f"float {field};  // {self.random.choice(PROSE)}")
        self.add(0, "};")
        self.add(0, "")
        self.structs.append((name, ints, floats))

    def enumeration(self):
        self.add(0, "enum {")
        for value in range(self.random.randrange(2, 6)):
            self.add(1, f"{self.name().upper()} = {1 << value},")
        self.add(0, "};")
        self.add(0, "")

    def table(self):
        self.add(0, f"__constant__ float {self.name()}[16] = {{")
        for _ in range(2):
            self.add(1, ", ".join(f"{self.random.random():.4f}f" for _ in range(8)) + ",")
        self.add(0, "};")
        self.add(0, "")

    def item(self):
        kinds = [(80, self.function), (8, self.struct), (4, self.enumeration), (5, self.table)]
        weights, choices = zip(*kinds)
        self.random.choices(choices, weights)[0]()


class MacroWriter(Writer):
    """The same functions, in which most lines use macros and many are conditional."""

    def __init__(self, seed):
        super().__init__(seed)
        for line in MACROS.splitlines():
            self.add(0, line)

    def integer(self, scope, depth=2):
        pick = self.random.random()
        if pick < 0.2:
            return self.random.choice(["TILE", "LANES", "MASK", "N_ROUNDS"])
        if pick < 0.35 and depth > 0:
            macro = self.random.choice(["MIN", "MAX", "DIV_UP", "SELECT"])
            return f"{macro}({self.integer(scope, depth - 1)}, {self.integer(scope, depth - 1)})"
        return super().integer(scope, depth)

    def float(self, scope, depth=2):
        pick = self.random.random()
        if pick < 0.12:
            return self.random.choice(["EPSILON", "HALF", "SCALE"])
        if pick < 0.3 and depth > 0:
            macro = self.random.choice(["SQUARE", "LOAD", "CLAMP"])
            return f"{macro}({self.integer(scope, 0) if macro == 'LOAD' else self.float(scope, depth - 1)})"
        return super().float(scope, depth)

    def statement(self, depth, scope):
        if self.random.random() < 0.12:
            self.add(0, self.random.choice(["#ifdef TRACE", "#if TILE > 16 && !defined(SMALL)",
                                            "#if defined(WIDE) || LANES == 32", "#ifndef FAST"]))
            self.assignment(depth, scope)
            if self.random.random() < 0.5:
                self.add(0, "#else")
                self.assignment(depth, scope)
            self.add(0, "#endif")
            return
        super().statement(depth, scope)

    def item(self):
        if self.random.random() < 0.1:
            name = self.name().upper()
            self.add(0, f"#define {name}(a) ((a) * {self.random.randrange(2, 99)} + TILE)")
        super().item()


MACROS = """\
#define TILE 32
#define LANES 32
#define MASK (LANES - 1)
#define N_ROUNDS (TILE / 4)
#define EPSILON 1e-6f
#define HALF 0.5f
#define SCALE (HALF * 3.0f)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define DIV_UP(a, b) (((a) + ((b) | 1) - 1) / ((b) | 1))
#define SELECT(a, b) PICK(a, b, TILE)
#define PICK(a, b, c) ((a) + (b) * (c))
#define SQUARE(v) ((v) * (v))
#define LOAD(i) (in[(i) & MASK])
#define CLAMP(v) (fminf(fmaxf((v), 0.0f), SCALE))
#define CAT(a, b) a##b
#define NAME(a, b) CAT(a, b)
"""


KINDS = ["mixed", "macros"]
GUARDS = ["#ifndef", "#pragma once"]


def program(kind, n_lines, seed=1):
    """The text of a program of `kind` ("mixed" or "macros") with `n_lines` lines or a few more."""
    writer = {"mixed": Writer, "macros": MacroWriter}[kind](seed)
    while len(writer.lines) < n_lines:
        writer.item()
    return "\n".join(writer.lines) + "\n"


def guarded(guard, n_includes, n_lines=100, seed=1):
    """A program that includes one header `n_includes` times, and the header of some `n_lines` lines, which is kept
    from being read again by `guard`: {file name: text}."""
    writer = Writer(seed)
    while len(writer.lines) < n_lines:
        writer.item()
    if guard == "#ifndef":
        header = ["#ifndef COMMON_H", "#define COMMON_H", "", *writer.lines, "", "#endif"]
    else:
        header = [guard, "", *writer.lines]
    main = ['#include "common.h"'] * n_includes
    return {"main.src": "\n".join(main) + "\n", "common.h": "\n".join(header) + "\n"}
