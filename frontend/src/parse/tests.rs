//! The parser on the example kernels, on mistakes, and on what is hostile.

use super::*;
use crate::diag::Code;
use crate::diag::render::{Format, render};
use crate::source::SourceMap;
use crate::{Bodies, Compilation, Dialect, FrontendOptions, HostCode, NoHeaders};

/// What was said about a text, a line each: `line:column code message`.
fn messages(text: &str) -> Vec<String> {
    let (sources, sink) = run(text);
    let rendered = render(&sources, sink.diagnostics(), Format::Short);
    rendered.lines().map(|line| line.strip_prefix("t.src:").unwrap().to_owned()).collect()
}

fn run(text: &str) -> (SourceMap, Sink) {
    // With host code skipped, what is wrong in declarations of the host is not reported.
    let dialect = Dialect { host_code: HostCode::Refuse, ..Dialect::default() };
    let mut compilation = Compilation::new(FrontendOptions { dialect, ..FrontendOptions::default() });
    let file = compilation.sources.add("t.src".into(), text).unwrap();
    let tokens = compilation.preprocess(file, &mut NoHeaders).tokens;
    compilation.parse(&tokens);
    (compilation.sources, compilation.sink)
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

#[test]
fn the_dump_reads_declarators_out() {
    let mut compilation = Compilation::new(FrontendOptions::default());
    let text = "static int (*const table[3])(float x, ...), y = -1;\nstruct S { int a : 2; };\n__global__ void k(S *s)\n{\n    if (s->a > y) y += (char)2u; else return;\n}\n";
    let file = compilation.sources.add("t.src".into(), text).unwrap();
    let tokens = compilation.lex(file);
    let ast = compilation.parse(&tokens);
    let expected = "\
declare table: array [3] of const pointer to function (x: float, ...) returning int, static <1:12>
declare y: int, static <1:45>
  unary - <1:49>
    int 1 <1:50>
define struct S <2:1>
  member a: int : 2 <2:16>
define k: function (s: pointer to S) returning void, __global__ <3:17>
  block <4:1>
    if <5:5>
      binary > <5:9>
        member ->a <5:9>
          name s <5:9>
        name y <5:16>
      assign += <5:19>
        name y <5:19>
        cast to char <5:24>
          int 2u <5:30>
    else <5:39>
      return <5:39>
";
    assert_eq!(ast.print(&compilation), expected);
}

/// Runs on a thread with the stack that the driver gives to the frontend.
fn on_big_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(crate::limits::STACK_BYTES);
    thread.spawn(test).unwrap().join().unwrap();
}

/// The whole way through the text side; what matters is that it ends, and does not panic.
fn survives(text: String) -> usize {
    let mut compilation = Compilation::new(FrontendOptions::default());
    let file = compilation.sources.add("t.src".into(), text).unwrap();
    let tokens = compilation.preprocess(file, &mut NoHeaders).tokens;
    crate::token::print_tokens(&compilation.sources, &compilation.interner, &tokens);
    compilation.parse(&tokens).print(&compilation);
    let Compilation { sources, sink, .. } = compilation;
    render(&sources, sink.diagnostics(), Format::Human { color: true });
    render(&sources, sink.diagnostics(), Format::Json);
    sink.n_errors()
}

#[test]
fn truncated_sample_does_not_panic() {
    let (sources, _) = run(SAMPLE);
    let mut interner = Interner::new();
    let file = sources.files().next().unwrap().0;
    let tokens = crate::lex::lex(&sources, file, &mut interner);
    for token in &tokens {
        let at = token.span.lo as usize;
        survives(SAMPLE[..at].into());
        survives(SAMPLE[at..].into());
    }
}

#[test]
fn odd_bytes_in_the_sample_do_not_panic() {
    let odd: [&[u8]; 16] = [
        b"\0", b"\x80", b"\xff", b"\n", b"\\", b"\"", b"'", b"#", b"{", b"}", b"(", b")", b"[", b";", b"@",
        b"<",
    ];
    let short = r#"extern "C" { struct S { int a : 2, *b[3]; }; }
enum E { X = 'a', }; const char *s = "b\n" u8"c";
__global__ void __launch_bounds__(64) k(float *p, ...) { /* c */
    for (int i = 0; i < 0x1p3f; ++i) if (p[i] > (float)i) { S t = {.a = 1}; p = &t.b[i]->c; } // d
    switch (1 ? 2 : 3) { case 1: goto l; default: l: return; }
}"#;
    for at in 0..short.len() {
        for byte in odd {
            let bytes = [&short.as_bytes()[..at], byte, &short.as_bytes()[at + 1..]].concat();
            survives(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

#[test]
fn missing_doubled_or_swapped_tokens_do_not_panic() {
    let (sources, _) = run(SAMPLE);
    let mut interner = Interner::new();
    let file = sources.files().next().unwrap().0;
    let tokens = crate::lex::lex(&sources, file, &mut interner);
    for idx in 0..tokens.len() - 2 {
        let mut without = tokens.clone();
        without.remove(idx);
        let mut doubled = tokens.clone();
        doubled.insert(idx, tokens[idx]);
        let mut swapped = tokens.clone();
        swapped.swap(idx, idx + 1);
        for changed in [without, doubled, swapped] {
            parse(&changed, Dialect::default(), &sources, &interner, &mut Sink::new());
        }
    }
}

#[test]
fn depth_and_height_are_bounded() {
    on_big_stack(|| {
        let many = 10_000;
        let in_function = |inner: String| format!("__device__ void f(int x) {{ {inner} }}");
        let deep = [
            in_function("(".repeat(many)),
            in_function(format!("x = {}1{};", "(".repeat(many), ")".repeat(many))),
            in_function("{".repeat(many)),
            in_function(format!("x = {}x;", "-~".repeat(many))),
            in_function(format!("x = {}x;", "(int)".repeat(many))),
            in_function(format!("x = {}x;", "sizeof ".repeat(many))),
            in_function(format!("x = x{};", " + x".repeat(many))),
            in_function(format!("x = x{};", ", x".repeat(many))),
            in_function(format!("x{};", "[0]".repeat(many))),
            in_function(format!("x{};", "++".repeat(many))),
            in_function(format!("x{};", " = x".repeat(many))),
            in_function(format!("x = x{};", " ? x : x".repeat(many))),
            in_function(format!("x = {}x", "x ? ".repeat(many))),
            in_function(format!("{};", "if (x) ; else ".repeat(many))),
            in_function(format!("{};", "if (x) ".repeat(many))),
            in_function(format!("{};", "for (;;) ".repeat(many))),
            in_function(format!("{};", "do ".repeat(many))),
            in_function(format!("{};", "case 1: ".repeat(many))),
            in_function(format!("{};", "l: ".repeat(many))),
            format!("int {}x;", "*".repeat(many)),
            format!("int {}x;", "(".repeat(many)),
            format!("int x{};", "[1]".repeat(many)),
            format!("int x{};", "[sizeof(int".repeat(many)),
            format!("int x = {};", "{".repeat(many)),
            format!("int x = {}", "(int[]){".repeat(many)),
            format!("int f{};", "(int".repeat(many)),
            "struct {".repeat(many),
            "enum : ".repeat(many),
            "extern \"C\" {".repeat(many),
            "extern \"C\" ".repeat(many),
            "template <".repeat(many),
        ];
        for text in deep {
            let (_, sink) = run(&text);
            let found = sink
                .diagnostics()
                .iter()
                .any(|d| d.code == Code::NestingTooDeep || d.code == Code::UnsupportedTemplate);
            assert!(found, "{} …: {:?}", &text[..text.len().min(60)], sink.diagnostics().first());
            assert!(
                sink.n_errors() < 4,
                "{} …: {:#?}",
                &text[..text.len().min(60)],
                &sink.diagnostics()[..4]
            );
            survives(text);
        }
        // What is within the bounds is taken, and later passes have the stack for it.
        let highest =
            in_function(format!("{}x = x{};", "{".repeat(240), " + x".repeat(1700)) + &"}".repeat(240));
        let chain = in_function(format!("{};", "if (x) ; else ".repeat(2000)));
        for text in [highest, chain] {
            let mut compilation = Compilation::new(FrontendOptions::default());
            let file = compilation.sources.add("t.src".into(), format!("__device__ {text}")).unwrap();
            let module = compilation.analyze(file, &mut NoHeaders, Bodies::Keep).module.expect("a program");
            assert_ne!(format!("{:?}", module.module()), "");
        }
        assert_eq!(messages(&in_function(format!("x = {}1{};", "(".repeat(200), ")".repeat(200)))), [""; 0]);
        assert_eq!(messages(&in_function(format!("x = x{};", " + x".repeat(1500)))), [""; 0]);
        assert_eq!(messages(&in_function(format!("{};", "if (x) ; else ".repeat(1500)))), [""; 0]);
    });
}

/// What is said about statements in a function, a line each; a declaration behind it must be read.
fn in_body(stmts: &str) -> Vec<String> {
    messages(&format!("__device__ void f(int x) {{\n{stmts}\n}}\nint after = 1;\n"))
}

#[test]
fn reports_a_missing_semicolon_after_the_previous_token() {
    assert_eq!(
        in_body("int a = 1\n  int b = 2;\n  x = 3"),
        [
            "2:10: error[expected-token]: expected `;` after `1`",
            "4:8: error[expected-token]: expected `;` after `3`"
        ]
    );
    assert_eq!(
        codes("struct S { int a }\nint x;\nenum E { A }\n__device__ int y;\nstruct S z"),
        ["expected-token"; 4]
    );
    assert_eq!(codes("struct S { int a; } int x;"), ["invalid-specifiers"]);
    assert_eq!(
        in_body("int a[] = {1, 2 3, {4}};\n x = int{2 3} + (4;\n"),
        [
            "2:17: error[expected-token]: expected `}`, found `3`",
            "3:12: error[expected-token]: expected `}`, found `3`",
            "3:19: error[expected-token]: expected `)`, found `;`",
        ]
    );
}

#[test]
fn each_mistake_gives_one_message() {
    let text = "x = 1 2;\ny(;\ng(1, 2;\nx = ;\nif (x {\n x = 1; }\nfor (int i = 0; i < ; i++) { x = i; }\nwhile () x++;\ncase : ;\ngoto ;\nbreak x = 2;\nelse x = 1;\ndo x++; x = 2;";
    let expected = [
        "2:6: error[expected-token]: expected `;` after `1`",
        "3:3: error[expected-expression]: expected an expression, found `;`",
        "4:7: error[expected-token]: expected `)`, found `;`",
        "5:5: error[expected-expression]: expected an expression, found `;`",
        "6:7: error[expected-token]: expected `)`, found `{`",
        "8:21: error[expected-expression]: expected an expression, found `;`",
        "9:8: error[expected-expression]: expected an expression, found `)`",
        "10:6: error[expected-expression]: expected an expression, found `:`",
        "11:6: error[expected-identifier]: expected the name of a label, found `;`",
        "12:6: error[expected-token]: expected `;` after `break`",
        "13:1: error[expected-expression]: `else` without an `if`",
        "14:9: error[expected-token]: expected `while` after the body of `do`, found `x`",
    ];
    assert_eq!(in_body(text), expected);
    let declarations = "unsigned float x;\nstatic extern int y;\nint long long long z;\nconst q = 3;\nint a[3, b = 2;\nint c = (1;\nenum E { A B, C };\nint h(int, , int);\nint i(int x,);\nunion;\nint d;";
    let expected = [
        "1:1: error[invalid-specifiers]: cannot combine `unsigned` with `float`",
        "2:8: error[invalid-specifiers]: cannot combine `extern` with another storage class",
        "3:15: error[invalid-specifiers]: cannot combine `long` with previous type specifier",
        "4:7: error[expected-type]: expected a type before `q`",
        "5:8: error[expected-token]: expected `]`, found `,`",
        "6:11: error[expected-token]: expected `)`, found `;`",
        "7:12: error[expected-token]: expected `,`, found `B`",
        "8:12: error[expected-type]: expected a type, found `,`",
        "9:13: error[expected-type]: expected a parameter, found `)`",
        "10:6: error[expected-identifier]: expected a name or `{`, found `;`",
    ];
    assert_eq!(messages(declarations), expected);
}

#[test]
fn unbalanced_braces_give_one_message() {
    assert_eq!(
        messages("__device__ void f(int x) {\n if (x) {\n x = 1;\n}\n__global__ void k() { }\nint y;\n"),
        ["3:8: error[expected-token]: expected `}` here, by the indentation"]
    );
    assert_eq!(
        messages("__device__ void f(int x) {\n  x = 1; }\n  x = 2;\n  return x;\n}\nint y;\n"),
        ["2:10: error[unmatched-bracket]: extraneous closing brace (`}`)"]
    );
    assert_eq!(
        messages("int x; }\nint y;"),
        ["1:8: error[unmatched-bracket]: extraneous closing brace (`}`)"]
    );
    assert_eq!(codes("extern \"C\" {\nint v;\n"), ["expected-token"]);
    assert_eq!(
        messages("struct S {\n int a;\n__device__ int f(int x)\n{\n return x;\n}\n"),
        ["2:8: error[expected-token]: expected `}`, found `__device__`"]
    );
}

#[test]
fn recognizes_unknown_types_by_position() {
    let text = "foo y = 1; foo *p = 0; const bar z; (baz)x; uint32_t u; x = y * *p; x * y;";
    assert!(in_body(text).iter().all(|line| line.contains("error[unknown-type-name]: unknown type name `")));
    assert_eq!(in_body(text).len(), 5);
    assert_eq!(codes("foo g(bar x, int y, baz *) { return y; }\nfoo *h;"), ["unknown-type-name"; 4]);
}

#[test]
fn reports_invalid_tokens_once() {
    let text = "int x = @ 3; int y = 4 `;\nchar *s = \"abc;\nint z = 'a;\nint w;\n/* never";
    let expected = [
        "invalid-character",
        "invalid-character",
        "unterminated-literal",
        "unterminated-literal",
        "unterminated-comment",
    ];
    assert_eq!(codes(text), expected);
}

#[test]
fn checks_each_literal() {
    let text = "int x = 08 + 1.5q + 99999999999999999999 + '' + '\\q' + 'ab' + u'ab' + \"\\xzz\" + 1e999;\nconst char *s = u\"a\" U\"b\";";
    let expected = [
        "invalid-number",
        "invalid-number",
        "integer-too-large",
        "empty-character",
        "unknown-escape",
        "multichar-constant",
        "character-too-large",
        "invalid-escape",
        "float-out-of-range",
        "mixed-string-prefixes",
    ];
    assert_eq!(codes(text), expected);
}

#[test]
fn rejects_unsupported_statements_whole() {
    let cases = [
        ("k<<<1, 2>>>(x);", "unsupported-launch"),
        ("asm goto(\"bra %l0;\" : \"=r\"(x) : : \"memory\" : out);", "unsupported-asm"),
        ("try { x = 1; } catch (int y) { } catch (...) { }", "unsupported-exception"),
        ("throw 1;", "unsupported-exception"),
        ("x = typeid(x).name();", "unsupported-type-query"),
        ("dynamic_cast<int *>(x);", "unsupported-cast"),
        ("void *q = &&lab;", "unsupported-extension"),
        ("int g() { return 1; }", "unsupported-extension"),
        ("thread_local int tl;", "unsupported-specifier"),
        ("x = f<float>(1);", "invalid-template"),
        ("std::vector<int> v;", "unsupported-namespace"),
        ("std::swap(x, y);", "unsupported-namespace"),
    ];
    for (text, code) in cases {
        let lines = in_body(text);
        assert!(lines[0].contains(&format!("error[{code}]: ")), "{text}: {lines:?}");
        // Operands of a refused call are read no more than it.
        assert_eq!(lines.len(), 1, "{text}: {lines:?}");
    }
}

#[test]
fn rejects_unsupported_declarations_whole() {
    let cases = [
        ("template <template <class> class... C> struct A { int c; };\nA<A> *b;", "unsupported-template"),
        ("struct C : virtual B { int a; };\nC c;", "unsupported-member"),
        ("struct S { virtual void f() = 0; };", "unsupported-member"),
        ("struct S { template <class T> operator T() const; };", "unsupported-member"),
        ("asm(\"nop\");", "unsupported-asm"),
        ("__declspec(align(8)) int x;", "unsupported-extension"),
        ("__global__ void k(int a) __launch_bounds__(3) { }", "misplaced-attribute"),
        ("int é;", "unsupported-unicode-name"),
        ("__device__ int é(int) __asm__(\"e\");", "unsupported-unicode-name"),
    ];
    for (text, code) in cases {
        assert_eq!(codes(&format!("{text}\nint after = 1;\n")), [code], "{text}");
    }
    assert_eq!(codes("__device__ void f() { int ö; }\nstruct ü { int ä; };\nenum ö { É };"), [""; 0]);
}

#[test]
fn a_name_is_a_type_until_hidden() {
    let text = "typedef int T;\nstruct S { T T; };\nint g(T x, struct New *n, New *m);\n__device__ void f(T T) { T = T * 2; { struct T { int a; }; struct T t; t.a = 1; } T = 3; }\nint x(T a), y = sizeof(T) + (T)1 + (T(2)) - T(3);\n__device__ void h(int S) { S * S; { typedef float S; S * p; } S = 2; }\n";
    assert_eq!(messages(text), [""; 0]);
}
