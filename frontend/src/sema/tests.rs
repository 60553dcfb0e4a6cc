//! Whole programs, small ones, through the lexer, the parser and the checks.
//!
//! The IR's text is what most assertions look at: `verify` has seen it by then.

use crate::diag::Reported;
use crate::ir::verify::Unverified;
use crate::{Bodies, Compilation, FrontendOptions, NoHeaders, ir};

fn analyzed(text: &str) -> (Result<Unverified, Reported>, Compilation) {
    let mut compilation = Compilation::new(FrontendOptions::default());
    let file = compilation.sources.add("test.src".into(), text).expect("small");
    (compilation.analyze(file, &mut NoHeaders, Bodies::Keep).module, compilation)
}

/// The IR of a program that must be right, as text; it is verified on the way.
fn ir_of(text: &str) -> String {
    let (module, messages) = checked(text);
    match module {
        Some(module) => ir::print::print(module.module()),
        None => panic!("{messages:?} in: {text}"),
    }
}

/// The codes of what is reported, each with the text that it points at.
fn reported(text: &str) -> Vec<String> {
    checked(text).1
}

fn checked(text: &str) -> (Option<ir::VerifiedModule>, Vec<String>) {
    let (module, Compilation { sources, sink, .. }) = analyzed(text);
    let found = sink.diagnostics().iter();
    let messages = found.map(|d| format!("{}: {}", d.code.name(), sources.text(d.primary.span))).collect();
    let verified = module.ok().map(|module| module.verify().expect("the IR is sound"));
    (verified, messages)
}

/// The statement's IR, on one line, over parameters of every kind.
fn stmt_ir(stmt: &str) -> String {
    let params = "int i, unsigned u, long l, long long ll, unsigned long ul, unsigned long long ull, float f, \
                  double d, int *p, const int *q, void *v, char c, short s, unsigned char uc, bool b";
    let text = ir_of(&format!("__device__ void f({params}) {{ {stmt} }}"));
    let body = text.lines().skip_while(|line| !line.ends_with(" block")).skip(1);
    strip_handles(&body.map(str::trim).collect::<Vec<_>>().join(" "))
}

/// Leaves out the handles, which say nothing about the meaning.
fn strip_handles(text: &str) -> String {
    let is_handle = |word: &str, prefix: char| {
        word.strip_prefix(prefix).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut out = String::new();
    for piece in text.split_inclusive(['(', ' ']) {
        let piece = match piece.split_once(':') {
            Some((handle, rest)) if is_handle(handle, 'v') || is_handle(handle, 'p') => rest,
            Some(_) | None => piece,
        };
        out.push_str(piece);
    }
    out
}

/// The type of an expression: what a pointer to it would be refused as.
fn type_of(expr: &str) -> String {
    let ir = stmt_ir(&format!("{expr};"));
    let ty = ir.split_once("expr ").expect("an expression statement").1;
    match ty.strip_prefix('{') {
        Some(braced) => braced.split_once('}').expect("a closing brace").0.to_owned(),
        None => ty.split_once(' ').expect("an operation").0.to_owned(),
    }
}

#[test]
fn checks_a_kernel_into_valid_ir() {
    let text = ir_of(
        "const int N = 16;\n\
         __global__ void k(float *__restrict__ y, const float *x, float a, int n) {\n\
           __shared__ float tile[N][N + 1];\n\
           int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
           if (i < n) { tile[threadIdx.y][threadIdx.x] = x[i]; __syncthreads(); y[i] += a * tile[0][i % N]; }\n\
         }",
    );
    assert!(text.contains("float tile[16][17]"), "{text}");
    assert!(text.contains("ctaid.x"), "{text}");
}

#[test]
fn usual_arithmetic_conversions() {
    for (expr, ty) in [
        ("c + c", "int"),
        ("b + b", "int"),
        ("s * uc", "int"),
        ("i + u", "unsigned int"),
        ("i + l", "long"),
        ("u + l", "long"),
        ("l + ll", "long long"),
        ("ul + ll", "unsigned long long"),
        ("ull + ul", "unsigned long long"),
        ("ull + f", "float"),
        ("f + d", "double"),
        ("c << ll", "int"),
        ("uc >> u", "int"),
        ("ul << i", "unsigned long"),
        ("~uc", "int"),
        ("-u", "unsigned int"),
        ("+s", "int"),
        ("!f", "bool"),
        ("i == d", "bool"),
        ("b ? i : u", "unsigned int"),
        ("b ? c : s", "int"),
        ("b ? f : i", "float"),
        ("b ? p : q", "const int *"),
        ("b ? p : v", "void *"),
        ("b ? q : v", "const void *"),
        ("b ? p : 0", "int *"),
        ("p - q", "long"),
        ("p + uc", "int *"),
        ("1 + p", "int *"),
        ("sizeof c", "unsigned long"),
        ("b && i", "bool"),
    ] {
        assert_eq!(type_of(expr), ty, "{expr}");
    }
}

#[test]
fn literals_have_the_first_type_that_holds_them() {
    for (expr, ty) in [
        ("2147483647", "int"),
        ("2147483648", "long"),
        ("0x7fffffff", "int"),
        ("0xffffffff", "unsigned int"),
        ("0x100000000", "long"),
        ("0xffffffffffffffff", "unsigned long"),
        ("1u", "unsigned int"),
        ("4294967296u", "unsigned long"),
        ("1l", "long"),
        ("1ll", "long long"),
        ("0xffffffffffffffffll", "unsigned long long"),
        ("1ull", "unsigned long long"),
        ("'a'", "char"),
        ("true", "bool"),
        ("1.0", "double"),
        ("1.0f", "float"),
    ] {
        assert_eq!(type_of(expr), ty, "{expr}");
    }
}

#[test]
fn compound_assignment_evaluates_each_operand_once() {
    let ir = stmt_ir("c += d;").replace("( ", "(");
    let modify = "modify(char local11 c v1 = double load(double local7 d) v2 => char float_to_int(";
    let sum = "double add(double int_to_float(char bound), double bound)))";
    assert_eq!(ir, format!("s0 expr char {modify}{sum}"));
}

#[test]
fn prefix_increment_is_an_lvalue_and_postfix_is_not() {
    assert_eq!(
        reported("__device__ void f(int i) { ++++i; (i += 2) = 3; (void)&--i; }"),
        Vec::<String>::new()
    );
    assert_eq!(reported("__device__ void f(int i) { i++ = 3; }"), ["not-assignable: ="]);
}

#[test]
fn a_conditional_of_lvalues_is_an_lvalue() {
    assert_eq!(reported("__device__ void f(int i, int j) { (i ? i : j) = 3; }"), Vec::<String>::new());
    assert_eq!(reported("__device__ void f(int i, long j) { (i ? i : j) = 3; }"), ["not-assignable: ="]);
}

#[test]
fn only_literals_of_value_zero_are_null_pointers() {
    for zero in ["0", "0u", "0x0L", "(0)", "'\\0'", "(int)0", "nullptr"] {
        let text = format!("__device__ int *f() {{ int *p = {zero}; return {zero}; }}");
        assert_eq!(reported(&text), Vec::<String>::new());
    }
    for other in ["(int)1", "1 - 1", "false", "'\\1'", "1"] {
        let text = format!("__device__ void f() {{ int *p = {other}; }}");
        assert_eq!(reported(&text), [format!("invalid-conversion: {other}")]);
    }
}

#[test]
fn constants_fold_at_their_type() {
    let global = |declaration: &str| {
        let text = ir_of(&format!("__device__ {declaration};"));
        text.lines()
            .next()
            .and_then(|line| line.split_once(" = ")?.1.split_once(" = "))
            .map(|v| v.1.to_owned())
    };
    for (declaration, value) in [
        ("unsigned g = -1", "4294967295"),
        ("char g = 300 - 100", "-56"),
        ("long g = 1 << 4 | 3 ^ 1", "18"),
        ("int g = -7 / 2 * 10 + -7 % 2", "-31"),
        ("unsigned long g = ~0ul >> 60", "15"),
        ("float g = 1.0f / 3", "0.33333334"),
        ("float g = 16777217", "16777216.0"),
        ("double g = 1 / 3 + 0.5", "0.5"),
        ("bool g = 0.25", "1"),
        ("int g = sizeof(double[3]) > 20 ? 1 : 2", "1"),
        ("int g = (1, 2) && !0", "1"),
        ("unsigned char g = (char)200", "200"),
    ] {
        assert_eq!(global(declaration).as_deref(), Some(value), "{declaration}");
    }
}

#[test]
fn static_addresses_are_constants() {
    let text = ir_of(
        "struct S { int a; float m[4]; };\n\
         __device__ struct S s[3];\n\
         __device__ int f(int a) { return a; }\n\
         __device__ float *p = &s[1].m[2], *e = s[2].m + 4;\n\
         __device__ int (*fp)(int) = f;\n\
         __device__ const char *text = \"ab\";\n\
         __device__ long n = &s[2] - s;",
    );
    for part in ["*p, external = &global0+32", "*e, external = &global0+60", "= &fn0", "= 2"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn const_variables_are_constants_where_cpp_says_so() {
    let fine = "const int N = 4; constexpr int M = N * 2; __device__ const int D = M + 1;\n\
                __device__ int f() { const int l = N + D; int a[l]; static_assert(l == 13); return a[0] = l; }";
    assert_eq!(reported(fine), Vec::<String>::new());
    let text = "__device__ void f(int n) { const int l = n; int a[l]; const double d = 2; int b[(int)d]; }";
    assert_eq!(reported(text), ["unsupported-vla: l", "unsupported-vla: (int)d"]);
}

#[test]
fn host_constants_are_values_without_an_object() {
    let text = ir_of("const float HALF = 0.5f; __device__ float f(float x) { return x * HALF; }");
    assert!(!text.contains("global0"), "{text}");
    assert!(text.contains("float 0.5"), "{text}");
}

#[test]
fn brace_elision_and_designators_find_their_elements() {
    let text = ir_of(
        "struct P { int x, y; };\n\
         __device__ struct P a[2] = {1, 2, 3}, b[2] = {{1}, {2, 3}}, c = {.y = 4};\n\
         __device__ int m[][2] = {1, 2, 3}, d[4] = {[2] = 7, 8};\n\
         __device__ char s[2][4] = {\"ab\", {'c'}};",
    );
    for part in [
        "array([0] = record(.0 = 1, .1 = 2), [1] = record(.0 = 3))",
        "array([0] = record(.0 = 1), [1] = record(.0 = 2, .1 = 3))",
        "= record(.1 = 4)",
        "int m[2][2]",
        "array([2] = 7, [3] = 8)",
    ] {
        assert!(text.replace("\n  ", " ").contains(part) || text.contains(part), "{part} in {text}");
    }
}

#[test]
fn enums_promote_by_their_values() {
    let text = |values: &str| {
        let text = ir_of(&format!("enum E {{ {values} }}; __device__ void f(enum E e) {{ +e; }}"));
        let line = text.lines().find(|line| line.contains("expr ")).expect("a statement").to_owned();
        strip_handles(line.trim()).split_once("expr ").expect("an expression").1.to_owned()
    };
    assert!(text("A, B").starts_with("int "));
    assert!(text("A = 0xffffffff").starts_with("{unsigned int} "));
    assert!(text("A = -1, B = 0x80000000").starts_with("long "));
}

#[test]
fn one_mistake_gives_one_message() {
    assert_eq!(
        reported("__device__ int f() { int a = b + 1; a += b; b(a); return b; }"),
        ["undeclared-identifier: b"]
    );
    assert_eq!(
        reported("__device__ void f(struct T *p) { struct T t; t.x = 1; t = t; }"),
        ["incomplete-type: t"]
    );
}

#[test]
fn builtin_overloads_are_chosen_as_cpp_does() {
    for (expr, ty) in [
        ("min(i, i)", "int"),
        ("min(c, s)", "int"),
        ("max(i, u)", "unsigned int"),
        ("max(f, d)", "double"),
        ("abs(s)", "int"),
        ("fabs(f)", "float"),
        ("sqrt(d)", "double"),
        ("fmaxf(i, d)", "float"),
        ("atomicAdd(p, u)", "int"),
        ("__shfl_down_sync(0xffffffff, f, i)", "float"),
    ] {
        assert_eq!(type_of(expr), ty, "{expr}");
    }
    assert_eq!(reported("__device__ void f(int i, long l) { min(i, l); }"), ["ambiguous-builtin: min"]);
    assert_eq!(reported("__device__ void f(int i) { sqrt(i); }"), ["ambiguous-builtin: sqrt"]);
    assert_eq!(reported("__device__ void f(float x) { fmax(x, 0); }"), ["ambiguous-builtin: fmax"]);
}

#[test]
fn linkage_follows_the_declarations() {
    let text = ir_of(
        "__device__ int a; static __device__ int b; const __device__ int c = 1; extern __device__ int d;\n\
         extern const __device__ int e; const __device__ int e = 2; extern \"C\" __device__ int g;\n\
         inline __device__ int h() { return 1; } static __device__ int i() { return h(); }\n\
         __forceinline__ __device__ int j() { return i(); }\n\
         __attribute__((weak)) __device__ int k() { return 1; } __attribute__((weak)) __device__ int l;",
    );
    for part in [
        "int a, external",
        "int b, internal",
        "const int c, internal",
        "int d, external, extern",
        "const int e, external",
        "int g, external, extern \"C\", extern",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let n_lines = |word| text.lines().filter(|line| line.contains(word)).count();
    assert_eq!((n_lines(", inline"), n_lines(", weak")), (2, 2), "{text}");
}

#[test]
fn suggests_similar_members() {
    let text = "struct S { int height; }; __device__ int f(struct S s) { return s.hieght; }";
    let (module, Compilation { sources, sink, .. }) = analyzed(text);
    assert!(module.is_err());
    let [diagnostic] = sink.diagnostics() else { panic!("one message") };
    let [fix] = &diagnostic.fixes[..] else { panic!("one fix") };
    assert_eq!(fix.title, "did you mean `height`?");
    assert_eq!(fix.edits[0].replacement, "height");
    assert_eq!(sources.text(diagnostic.secondary[0].span), "height");
}

#[test]
fn types_may_nest_as_deeply_as_brackets() {
    let pointers: String = (0..400).map(|n| format!("typedef T{n} *T{};\n", n + 1)).collect();
    assert_eq!(reported(&format!("typedef int T0;\n{pointers}")), ["nesting-too-deep: *"]);
    let names: String = (0..400).map(|n| format!("typedef T{n} T{};\n", n + 1)).collect();
    assert_eq!(reported(&format!("typedef int T0;\n{names}")), Vec::<String>::new());
    let structs: String = (0..400).map(|n| format!("struct S{} {{ S{n} m; }};\n", n + 1)).collect();
    assert_eq!(reported(&format!("struct S0 {{ int a; }};\n{structs}")), ["nesting-too-deep: S256"]);
}

#[test]
fn doubling_structs_take_linear_time() {
    let structs: String =
        (0..60).map(|n| format!("struct S{} {{ S{n} m[1]; S{n} *p; }};\n", n + 1)).collect();
    let doubled: String = (0..25).map(|n| format!("struct D{} {{ D{n} m, n; }};\n", n + 1)).collect();
    let text = format!(
        "struct S0 {{ int a; }};\n{structs}struct D0 {{ char a; }};\n{doubled}\
         __device__ void f(S60 *x, D25 *y) {{ *x = *x; *y = *y; S60 local; local = *x; }}"
    );
    ir_of(&text);
}
