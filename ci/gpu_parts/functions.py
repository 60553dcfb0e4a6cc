"""Mathematical functions: results of weftc's code and of nvcc's, compared bit for bit on the GPU.

A function of one `float` gets all 2**32 arguments, others 2**28 random ones: half of them any bits, half numbers from 2**-16 to 2**16.
"""

import subprocess

ALL_FLOATS, SOME = 1 << 32, 1 << 28

# Names by signature: result and parameters, f for float, d for double, i for int, l for long long, w for unsigned.
FUNCTIONS = {
    "f f": """acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif cyl_bessel_i0f cyl_bessel_i1f erfcf erfcinvf erfcxf
        erff erfinvf exp10f exp2f expf expm1f fabsf floorf j0f j1f lgammaf log10f log1pf log2f logbf logf nearbyintf normcdff normcdfinvf
        rcbrtf rintf roundf rsqrtf sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf y0f y1f __cosf __exp10f __expf __log10f __log2f __logf
        __sinf __tanf __saturatef __frcp_rn __frcp_rz __frcp_ru __frcp_rd __fsqrt_rn __fsqrt_rz __fsqrt_ru __fsqrt_rd __frsqrt_rn""",
    "i f": "ilogbf __float2int_rn __float2int_rz __float2int_ru __float2int_rd __float_as_int",
    "l f": "llrintf llroundf __float2ll_rn __float2ll_rz __float2ll_ru __float2ll_rd",
    "f ff": """atan2f copysignf fdimf fdividef fmaxf fminf fmodf hypotf nextafterf powf remainderf rhypotf __fdividef __powf __fadd_rn
        __fadd_rz __fadd_ru __fadd_rd __fmul_rn __fmul_rz __fmul_ru __fmul_rd __fdiv_rn __fdiv_rz __fdiv_ru __fdiv_rd""",
    "f fff": "fmaf norm3df rnorm3df __fmaf_rn __fmaf_rz __fmaf_ru __fmaf_rd",
    "f fi": "ldexpf scalbnf",
    "f if": "jnf ynf",
    "d d": """acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10
        exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt
        tan tanh tgamma trunc y0 y1 __drcp_rn __drcp_rz __drcp_ru __drcp_rd __dsqrt_rn __dsqrt_rz __dsqrt_ru __dsqrt_rd""",
    "i d": "ilogb __double2int_rn __double2int_rz __double2hiint __double2loint",
    "l d": "llrint llround __double2ll_rn __double2ll_rz __double2ll_ru __double2ll_rd",
    "f d": "__double2float_rn __double2float_rz __double2float_ru __double2float_rd",
    "d dd": """atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot __dadd_rn __dadd_rz __dadd_ru __dadd_rd __dmul_rn
        __dmul_rz __dmul_ru __dmul_rd __ddiv_rn __ddiv_rz __ddiv_ru __ddiv_rd""",
    "d ddd": "fma norm3d rnorm3d __fma_rn __fma_rz __fma_ru __fma_rd",
    "d di": "ldexp scalbn",
    "d id": "jn yn",
    "f i": "__int2float_rn __int2float_rz __int2float_ru __int2float_rd __int_as_float",
    "d l": "__ll2double_rn __ll2double_rz __ll2double_ru __ll2double_rd __longlong_as_double",
    "w w": "__brev __clz __ffs __popc",
    "w ww": "__umulhi __uhadd __urhadd __vaddss2 __vadd4 __vabsdiffu4 __vcmpgts2 __vmaxs2 __vavgu4 __vsads4",
}

PRELUDE = """typedef unsigned long long Word;

static __device__ Word mix(Word i)
{
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
    i = (i ^ i >> 27) * 0x94d049bb133111ebull;
    return i ^ i >> 31;
}
static __device__ Word bits(Word i, int which) { return mix(4 * i + which + 0x9e3779b97f4a7c15ull); }
static __device__ float arg_f(Word i, int which)
{
    const unsigned word = (unsigned)bits(i, which);
    return __uint_as_float(i & 1 ? word : (word & 0x807fffff) | (111 + (word >> 23 & 31)) << 23);
}
static __device__ double arg_d(Word i, int which)
{
    const Word word = bits(i, which);
    return __longlong_as_double(i & 1 ? word : (word & 0x800fffffffffffffull) | (1007 + (word >> 52 & 31)) << 52);
}
static __device__ int arg_i(Word i, int which) { return (int)bits(i, which) >> (i & 1 ? 0 : 26); }
static __device__ long long arg_l(Word i, int which) { return (long long)bits(i, which); }
static __device__ unsigned arg_w(Word i, int which) { return (unsigned)bits(i, which); }
// The bits of a NaN are not specified.
static __device__ Word word_f(float x) { return x != x ? 0x7fffffff : __float_as_uint(x); }
static __device__ Word word_d(double x) { return x != x ? ~0ull >> 1 : (Word)__double_as_longlong(x); }
static __device__ Word word_i(int x) { return (unsigned)x; }
static __device__ Word word_l(long long x) { return (Word)x; }
static __device__ Word word_w(unsigned x) { return x; }
"""


def functions():
    """Each function with its signature."""
    return [(name, signature) for signature, names in FUNCTIONS.items() for name in names.split()]


def source():
    """A kernel for each function, named `of_` and the function's name."""
    text = [PRELUDE]
    for name, signature in functions():
        result, parameters = signature.split()
        if parameters == "f":
            args = "__uint_as_float((unsigned)i)"
        else:
            args = ", ".join(f"arg_{kind}(i, {index})" for index, kind in enumerate(parameters))
        if name in ("jnf", "ynf", "jn", "yn"):
            # A large order takes a step for each.
            args = f"arg_i(i, 0) & 15, arg_{parameters[1]}(i, 1)"
        text.append(f'extern "C" __global__ void __launch_bounds__(256) of_{name}(Word first, Word *out)\n{{\n'
                    "    const Word at = blockIdx.x * 256ull + threadIdx.x, i = first + at;\n"
                    f"    out[at] = word_{result}({name}({args}));\n}}\n")
    return "\n".join(text)


def compare(run):
    """Compares all functions, with two sets of options; gives rows of results."""
    (run.work / "functions.src").write_text(source(), encoding="utf-8")
    run.nvcc("-o", "compare", run.here / "compare.cu", "-lcuda")
    jobs = []
    for options in ("", "-use_fast_math"):
        words = options.split()
        tag = options.strip("-") or "default"
        run.start([run.nvcc_path, "-x", "cu", f"-arch={run.arch}", "-cubin", *words, "-o", f"nvcc.{tag}.cubin", "functions.src"], jobs)
        run.start([run.weftc, f"-arch={run.arch}", *words, "-o", f"weftc.{tag}.cubin", "functions.src"], jobs)
    run.finish(jobs)
    table = "".join(f"of_{name} {ALL_FLOATS if signature.endswith(' f') else SOME}\n" for name, signature in functions())
    lines = []
    for tag in ("default", "use_fast_math"):
        done = subprocess.run(["./compare", f"weftc.{tag}.cubin", f"nvcc.{tag}.cubin"], cwd=run.work, input=table, text=True,
                              stdout=subprocess.PIPE, timeout=200, check=False)
        results = [line.split() for line in done.stdout.splitlines()]
        differing = [words for words in results if int(words[2])]
        n_results = sum(int(words[1]) for words in results)
        for words in differing:
            run.say(f"differs: {words[0].removeprefix('of_')} ({tag}): {words[2]} of {words[1]} results, first {' '.join(words[3:])} "
                    "(argument, weftc's, nvcc's)")
        run.count(len(results) - len(differing), len(functions()) - len(results) + len(differing))
        lines.append(f"{tag}: {len(results) - len(differing)} of {len(functions())} functions equal in all of {n_results:.3g} results")
    return [("mathematical functions: results of weftc's code and nvcc's", "; ".join(lines))]
