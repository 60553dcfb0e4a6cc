//! The parser on the example kernels, on mistakes, and on what is hostile.

use super::*;
use crate::diag::render::{Format, render};
use crate::source::SourceMap;

/// What was said about a text, a line each: `line:column code message`.
fn messages(text: &str) -> Vec<String> {
    let (sources, sink) = run(text);
    let rendered = render(&sources, sink.diagnostics(), Format::Short);
    rendered.lines().map(|line| line.strip_prefix("t.src:").unwrap().to_owned()).collect()
}

fn run(text: &str) -> (SourceMap, Sink) {
    let mut sources = SourceMap::new();
    let file = sources.add("t.src".into(), text.into()).unwrap();
    let (mut interner, mut sink) = (Interner::new(), Sink::new());
    let tokens = crate::lex::lex(&sources, file, &mut interner, &mut sink);
    let tokens = crate::preprocess::preprocess(tokens, &mut interner, &mut sink);
    parse(&tokens, &interner, &mut sink);
    (sources, sink)
}

/// The codes of what was said, in order, each once for each time.
fn codes(text: &str) -> Vec<&'static str> {
    run(text).1.diagnostics().iter().map(|d| d.code.name()).collect()
}

const EXAMPLES: &[(&str, &str)] = &[
    ("bitonic", include_str!("../../../examples/bitonic.src")),
    ("call", include_str!("../../../examples/call.src")),
    ("histogram", include_str!("../../../examples/histogram.src")),
    ("mandelbrot", include_str!("../../../examples/mandelbrot.src")),
    ("nbody", include_str!("../../../examples/nbody.src")),
    ("reduce", include_str!("../../../examples/reduce.src")),
    ("saxpy", include_str!("../../../examples/saxpy.src")),
    ("sgemm", include_str!("../../../examples/sgemm.src")),
    ("stencil3d", include_str!("../../../examples/stencil3d.src")),
    ("transpose", include_str!("../../../examples/transpose.src")),
];

#[test]
fn examples_parse() {
    for (name, text) in EXAMPLES {
        assert_eq!(messages(text), Vec::<String>::new(), "{name}");
    }
}

/// Every production once, or nearly.
const SAMPLE: &str = r#"
extern "C" { __device__ int ext(int), *extp; struct InC { int a; }; }
extern "C" __global__ void __launch_bounds__(128, 2) k1(float *__restrict__ p, const int n);
__launch_bounds__(64) __global__ void k2(float *p) { p[0] = 1.5f; }
typedef unsigned long long u64t, *u64p;
struct Pair { int key, val : 3, : 0; unsigned : 2; union { float f; int i; }; struct Pair *next; };
enum Color { RED, GREEN = 1 << 2, BLUE, };
enum class Scoped : unsigned char { A, B };
union U { Pair p; char c[sizeof(Pair)]; };
int (*table[3])(float, Pair *), (*(*fp)(int))[4];
static const float coef[2][3] = {{1, 2, 3}, {4, 5, 0x1.8p1f}};
Pair pairs[] = {[1] = {.key = 3}, {4, 5}};
__constant__ int c0 = RED, c1{GREEN}, c2(BLUE);
__device__ int renamed(int) __asm__("_ZN1a1bEi");
__device__ __attribute__((noinline, aligned(8))) [[nodiscard]] int attr(int a, ...);
static_assert(sizeof(Pair) == 24, "size" " of " "Pair");
alignas(16) __device__ char buffer[16];
extern __shared__ float dynamic[];
const char *text = "a\n" "b", wide = L'x';
__device__ int f(int a, float (*m)[4], void (*cb)(void), int) {
    int i = 0, *p = &a, Pair = 3;
    struct Pair local = {1}, copy = local;
    Pair = Pair * a;
    for (int j = 0, k = 1; j < 10 && k; ++j, k--) { if (j == 3) continue; else if (j == 4) break; else i += j; }
    for (;;) { while (i) i--; do { i++; } while (i < 10); break; }
    switch (i) { case RED: case GREEN: i = 1; break; default: ; }
    goto out;
    float x = float(i) + (float)a + static_cast<float>(a) * (float(i)) - sizeof(int[3]) + sizeof i + alignof(double);
    float (*q)[4] = m; float (y) = x; int (*g)(int) = (int (*)(int))p;
    *p = (a, i) ? a : i ? -i : ~+a; p[0]++; (*q)[1] -= ++x; local.next->next->f = !x;
    i = (struct Pair){1, 2}.key, i <<= 2, i >>= 1, i ^= i | a & ~i, i %= 3;
    i = *reinterpret_cast<int *>(const_cast<char *>(text)) + 'a' + '\x41' + true + (nullptr == 0);
    auto z = unsigned(3) * int{4}; constexpr int zz = 1'000; typedef int T; T t = T(3); (void)t;
    not_a_label: { struct Pair { int a; } inner; inner.a = 1; }
out:
    [[fallthrough]]; __attribute__((fallthrough));
    return i + (a >> 1) + z;
}
"#;

#[test]
fn sample_parses() {
    assert_eq!(messages(SAMPLE), Vec::<String>::new());
}
