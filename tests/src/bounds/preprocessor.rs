//! Directives and macros.

use super::{COUNT, Case, DEPTH, MEGA, checked, each, list, nest, refused, taken};

const TOO_DEEP: &str = "nesting-too-deep";
const TOO_LARGE: &str = "macro-expansion-too-large";

pub(super) fn cases() -> Vec<Case> {
    [conditionals(), directives(), calls(), explosions()].into_iter().flatten().collect()
}

fn conditionals() -> Vec<Case> {
    let condition = |text: String| format!("#if {text}\n#endif\n");
    vec![
        taken("if-directives", || nest("#if 1\n", "", "#endif\n")),
        taken("if-directives-skipped", || nest("#if 0\n", "", "#endif\n")),
        refused("if-directives-open", "unterminated-conditional", || "#if 1\n".repeat(DEPTH)),
        taken("elif-directives", || format!("#if 0\n{}#endif\n", "#elif 0\n".repeat(10 * COUNT))),
        taken("ifdef-directives", || "#ifdef X\nfoo\n#endif\n".repeat(10 * COUNT)),
        refused("condition-parentheses", TOO_DEEP, move || condition(nest("(", "1", ")"))),
        taken("condition-not", move || condition(nest("!", "1", ""))),
        refused("condition-conditional", TOO_DEEP, move || condition(nest("1 ? 1 : ", "1", ""))),
        taken("condition-sum", move || condition(format!("1{}", " + 1".repeat(MEGA / 4)))),
        taken("condition-defined", move || condition(format!("{}0", "defined(X) || ".repeat(10 * COUNT)))),
        taken("condition-has-include", move || condition("__has_include(\"x.h\")".into()).repeat(COUNT)),
    ]
}

fn directives() -> Vec<Case> {
    vec![
        refused("include-of-itself", "include-too-deep", || "#include \"include-of-itself.src\"\nint x;\n"),
        refused(
            "include-of-itself-twice",
            "include-too-deep",
            || "#include \"include-of-itself-twice.src\"\n#include \"include-of-itself-twice.src\"\n",
        ),
        refused("include-missing", "header-not-found", || {
            each(COUNT, |i| format!("#include \"missing{i}.h\"\n"))
        }),
        taken("include-again", || "#include <stdint.h>\n".repeat(10 * COUNT)),
        taken("define-directives", || {
            let all = each(10 * COUNT, |i| format!("#define A{i} {i}\n"));
            format!("{all}__device__ int x = 0{};\n", each(1000, |i| format!(" + A{i}")))
        }),
        taken("undef-directives", || "#undef A\n".repeat(MEGA)),
        taken("line-directives", || "#line 1\n".repeat(MEGA)),
        refused("error-directives", "error-directive", || "#error x\n".repeat(10 * COUNT)),
        refused("unknown-directives", "unknown-directive", || "#foo\n".repeat(10 * COUNT)),
        taken("pragma-operators", || "_Pragma(\"unroll\") ".repeat(COUNT)),
        taken("define-of-a-megabyte", || {
            format!("#define A {}\n__device__ int x[] = {{ A }};\n", "1, ".repeat(MEGA / 3))
        }),
    ]
}

fn calls() -> Vec<Case> {
    let macro_of_one = "#define M(x) x\n";
    vec![
        refused("calls-in-an-argument", TOO_DEEP, || {
            let nested = ["M(".repeat(1000), "1".into(), ")".repeat(1000)].concat();
            format!("#define M(x) ((x) + 1)\n__device__ int a = {nested};\n")
        }),
        refused("call-open", "unterminated-macro-call", move || {
            format!("{macro_of_one}M({}", "a, ".repeat(MEGA))
        }),
        taken("call-with-a-million-arguments", || {
            format!(
                "#define M(...) __VA_ARGS__\n__device__ int x[] = {{ M({}1) }};\n",
                "1, ".repeat(MEGA / 3)
            )
        }),
        refused("macro-parameters", "invalid-macro-definition", || {
            let (parameters, values) = (list(COUNT, |i| format!("p{i}")), list(COUNT, |_| "1".into()));
            format!("#define M({parameters}) p7\n__device__ int x = M({values});\n")
        }),
        refused("optional-in-optional", "invalid-macro-definition", || {
            format!("#define M(...) {}\nM(1)\n", nest("__VA_OPT__(", "", ")"))
        }),
        taken("optional", || {
            let all = "__VA_OPT__(+ __VA_ARGS__) ".repeat(1000);
            format!("#define M(...) {all}\n__device__ int x[] = {{ 0 M(1) }};\n")
        }),
        taken("string-of-a-megabyte", || {
            format!(
                "#define S(...) #__VA_ARGS__\n__device__ const char s[] = S({}b);\n",
                "a, ".repeat(MEGA / 3)
            )
        }),
        taken("macros-in-a-circle", || {
            each(COUNT, |i| format!("#define A{i} A{}\n", (i + 1) % COUNT)) + "__device__ int A0;\n"
        }),
        taken("macros-of-macros", || {
            each(COUNT, |i| format!("#define A{i} A{}\n", i + 1)) + "__device__ int A0;\n"
        }),
        taken("calls-of-calls-of-macros", || {
            each(COUNT, |i| format!("#define A{i}(x) A{}(x)\n", i + 1))
                + "__device__ int x = sizeof(int[1]);\n"
        }),
        taken("counter", || format!("__device__ int x[] = {{ {} }};\n", "__COUNTER__, ".repeat(COUNT))),
        taken("line-numbers", || format!("__device__ int x[] = {{ {} }};\n", "__LINE__,\n".repeat(COUNT))),
    ]
}

fn explosions() -> Vec<Case> {
    // Each of thirty macros is the previous one ten times.
    let tenfold = |first: &str| {
        let level = |i: usize| format!("#define A{} {}\n", i + 1, format!("A{i} ").repeat(10));
        format!("#define A0 {first}\n{}__device__ int x = A30;\n", each(30, level))
    };
    let twofold = |first: &'static str, level: fn(usize) -> String| {
        move || format!("{first}{}__device__ int A40;\n", each(40, level))
    };
    vec![
        refused("laughs", TOO_LARGE, move || tenfold("x")),
        refused("laughs-of-nothing", TOO_LARGE, move || tenfold("")),
        refused("laughs-by-calls", TOO_LARGE, || {
            let level = |i: usize| format!("#define A{}(x) A{i}(A{i}(x))\n", i + 1);
            format!("#define A0(x) x x x x x x x x x x\n{}__device__ int x = A30(y);\n", each(30, level))
        }),
        refused("laughs-by-arguments", TOO_LARGE, || {
            let call = ["M(".repeat(12), "a".into(), ")".repeat(12)].concat();
            format!("#define M(x) x x x x x x x x x x\n__device__ int x = {call};\n")
        }),
        refused("laughs-by-optional", TOO_LARGE, || {
            let level = |i: usize| format!("#define A{}(...) __VA_OPT__(A{i}(__VA_ARGS__) A{i}(1))\n", i + 1);
            format!("#define A0(...) x\n{}__device__ int x = A40(1);\n", each(40, level))
        }),
        refused(
            "strings-that-double",
            TOO_LARGE,
            twofold("#define S(x) #x\n#define T(x) S(x)\n#define A0 \"\\\\\"\n", |i| {
                format!("#define A{} T(A{i}) A{i}\n", i + 1)
            }),
        ),
        refused(
            "pastes-that-double",
            TOO_LARGE,
            twofold("#define C(a, b) a##b\n#define D(a, b) C(a, b)\n#define A0 xx\n", |i| {
                format!("#define A{} D(A{i}, A{i})\n", i + 1)
            }),
        ),
        refused("pastes-in-a-row", TOO_LARGE, || {
            format!("#define M x{}\n__device__ int M;\n", " ## x".repeat(10 * COUNT))
        }),
        checked("laughs-in-a-condition", || {
            let level = |i: usize| format!("#define A{} A{i} + A{i}\n", i + 1);
            format!("#define A0 1\n{}#if A10\n#endif\n", each(10, level))
        }),
    ]
}
