//! Self-nested constructs, and chains of operators, which take a level of the syntax tree each.

use super::{COUNT, Case, DEPTH, MEGA, each, expression, function, nest, refused, taken};

const TOO_DEEP: &str = "nesting-too-deep";

pub(super) fn cases() -> Vec<Case> {
    [expressions(), chains(), statements(), declarators(), declarations()].into_iter().flatten().collect()
}

fn expressions() -> Vec<Case> {
    vec![
        taken("lambdas", || {
            let (open, close) =
                ("auto l = [&] { ".repeat(60), "return a; }; ".to_owned() + &"return l(); }; ".repeat(59));
            function(&format!("{open}{close}a = l();"))
        }),
        refused("lambdas-too-deep", TOO_DEEP, || expression(&nest("[&] { return ", "a", "; }()"))),
        refused("lambdas-open", TOO_DEEP, || function(&"[&] { ".repeat(DEPTH))),
        refused("parentheses", TOO_DEEP, || expression(&nest("(", "a", ")"))),
        refused("parentheses-open", TOO_DEEP, || function(&format!("a = {}", "(".repeat(DEPTH)))),
        refused("brackets-that-close-only", "unmatched-bracket", || {
            ["}", ")", "]"].map(|bracket| bracket.repeat(DEPTH)).concat()
        }),
        refused("brackets-crosswise", "expected-expression", || expression(&nest("([", "", "]"))),
        refused("minus", TOO_DEEP, || expression(&nest("- ", "a", ""))),
        refused("not", TOO_DEEP, || expression(&nest("!", "a", ""))),
        refused("complement", TOO_DEEP, || expression(&nest("~", "a", ""))),
        refused("dereference", TOO_DEEP, || expression(&nest("*", "a", ""))),
        refused("address-of", TOO_DEEP, || expression(&nest("& ", "a", ""))),
        refused("pre-increment", TOO_DEEP, || expression(&nest("++ ", "a", ""))),
        refused("post-increment", TOO_DEEP, || expression(&nest("", "a", "++"))),
        refused("cast", TOO_DEEP, || expression(&nest("(int)", "a", ""))),
        refused("cast-by-call", TOO_DEEP, || expression(&nest("int(", "a", ")"))),
        refused("sizeof", TOO_DEEP, || expression(&nest("sizeof ", "a", ""))),
        refused("sizeof-parentheses", TOO_DEEP, || expression(&nest("sizeof(", "a", ")"))),
        refused("typeof", TOO_DEEP, || function(&format!("{} x;", nest("typeof(", "a", ")")))),
        refused("decltype", TOO_DEEP, || function(&format!("{} x;", nest("decltype(", "a", ")")))),
        refused("call", TOO_DEEP, || {
            format!("__device__ int g(int);\n{}", expression(&nest("g(", "0", ")")))
        }),
        refused("call-of-call", TOO_DEEP, || {
            format!("__device__ int g(int);\n{}", expression(&nest("", "g", "(1)")))
        }),
        refused("subscript", TOO_DEEP, || function(&format!("int *p; a = {};", nest("p[", "0", "]")))),
        refused("subscript-chain", TOO_DEEP, || expression(&nest("", "a", "[0]"))),
        refused("member-chain", TOO_DEEP, || expression(&nest("", "a", ".x"))),
        refused("arrow-chain", TOO_DEEP, || {
            format!("struct S {{ S *s; }};\n__device__ S *f(S *s) {{ return {}; }}\n", nest("", "s", "->s"))
        }),
        refused("statement-expression", TOO_DEEP, || expression(&nest("({", "a;", "})"))),
        refused("compound-literal", TOO_DEEP, || expression(&nest("(int){", "a", "}"))),
        refused("offsetof", TOO_DEEP, || {
            format!(
                "struct S {{ S *s; int a; }};\n{}",
                expression(&format!("offsetof(S, {})", nest("s[", "0", "]")))
            )
        }),
    ]
}

fn chains() -> Vec<Case> {
    let long = |operator: &'static str| {
        move || expression(&format!("a{}", format!(" {operator} b").repeat(MEGA / (operator.len() + 3))))
    };
    vec![
        refused("chain-plus", TOO_DEEP, long("+")),
        refused("chain-minus", TOO_DEEP, long("-")),
        refused("chain-times", TOO_DEEP, long("*")),
        refused("chain-divide", TOO_DEEP, long("/")),
        refused("chain-modulo", TOO_DEEP, long("%")),
        refused("chain-shift", TOO_DEEP, long("<<")),
        refused("chain-less", TOO_DEEP, long("<")),
        refused("chain-equal", TOO_DEEP, long("==")),
        refused("chain-bit-and", TOO_DEEP, long("&")),
        refused("chain-bit-or", TOO_DEEP, long("|")),
        refused("chain-bit-xor", TOO_DEEP, long("^")),
        refused("chain-and", TOO_DEEP, long("&&")),
        refused("chain-or", TOO_DEEP, long("||")),
        refused("chain-comma", TOO_DEEP, long(",")),
        refused("chain-assignment", TOO_DEEP, || expression(&format!("{}a", "a = ".repeat(MEGA / 4)))),
        refused("chain-compound-assignment", TOO_DEEP, || {
            expression(&format!("{}a", "a += ".repeat(MEGA / 5)))
        }),
        refused("chain-conditional", TOO_DEEP, || expression(&format!("{}a", "a ? b : ".repeat(MEGA / 8)))),
        refused("conditional-in-the-middle", TOO_DEEP, || expression(&nest("a ? ", "a", " : a"))),
        refused("chain-that-ends-open", TOO_DEEP, || expression(&"a + ".repeat(MEGA / 4))),
        taken("chain-of-2000", || expression(&format!("{}a", "a + ".repeat(2000)))),
        taken("parentheses-250", || expression(&["(".repeat(250), "a".into(), ")".repeat(250)].concat())),
    ]
}

fn statements() -> Vec<Case> {
    vec![
        refused("block", TOO_DEEP, || function(&nest("{", "", "}"))),
        refused("block-open", TOO_DEEP, || format!("__device__ void f() {}", "{".repeat(DEPTH))),
        refused("if", TOO_DEEP, || function(&nest("if (a) ", ";", ""))),
        refused("if-in-condition", TOO_DEEP, || function(&nest("if (({", "a;", "})) ;"))),
        refused("while", TOO_DEEP, || function(&nest("while (a) ", ";", ""))),
        refused("for", TOO_DEEP, || function(&nest("for (;;) ", ";", ""))),
        refused("do", TOO_DEEP, || function(&nest("do ", ";", " while (0);"))),
        refused("switch", TOO_DEEP, || function(&nest("switch (a) { case 1: ", ";", "}"))),
        refused("labels-on-one", TOO_DEEP, || function(&(each(DEPTH, |i| format!("l{i}:\n")) + ";"))),
        refused("cases-on-one", TOO_DEEP, || {
            function(&format!("switch (a) {{ {} ; }}", each(DEPTH, |i| format!("case {i}:\n"))))
        }),
        refused("else-if", TOO_DEEP, || {
            let chain = each(COUNT, |i| format!("else if (a == {i}) a = {};\n", i + 1));
            function(&format!("if (b) ;\n{chain}"))
        }),
        taken("else-if-of-500", || {
            let chain = each(500, |i| format!("else if (a == {i}) a = {};\n", i + 1));
            function(&format!("if (b) ;\n{chain}"))
        }),
        taken("blocks-200", || function(&["{ int x = a; a = x; ".repeat(200), "}".repeat(200)].concat())),
    ]
}

fn declarators() -> Vec<Case> {
    let variable = |declarator: String| format!("__device__ int {declarator};\n");
    vec![
        refused("pointer", TOO_DEEP, move || variable(nest("*", "p", ""))),
        refused("declarator-parentheses", TOO_DEEP, move || variable(nest("(", "p", ")"))),
        refused("declarator-arrays", TOO_DEEP, move || variable(nest("", "p", "[1]"))),
        refused("declarator-functions", TOO_DEEP, move || variable(nest("", "(*p)", "(int)"))),
        refused("declarator-parentheses-in-body", TOO_DEEP, || {
            function(&format!("int {};", nest("(", "x", ")")))
        }),
        refused("parameters-of-parameters", TOO_DEEP, || {
            format!("__device__ void f({});\n", nest("void (*p)(", "", ")"))
        }),
        refused("parameters-of-returned", TOO_DEEP, || {
            format!("__device__ void {};\n", nest("(*", "p", ")(int)"))
        }),
        refused("type-name", TOO_DEEP, || expression(&format!("sizeof(int {})", nest("(*", "", ")")))),
        refused("attribute", "expected-expression", || {
            format!("{} __device__ int x;\n", nest("__attribute__((", "unused", "))"))
        }),
        refused("array-length", TOO_DEEP, || format!("__device__ int x{};\n", nest("[sizeof(int", "", ")]"))),
    ]
}

fn declarations() -> Vec<Case> {
    vec![
        refused("initializer", "invalid-initializer", || {
            format!("__device__ int p[1] = {};\n", nest("{", "1", "}"))
        }),
        refused("initializer-of-struct", "invalid-designator", || {
            format!("struct S {{ int a; }};\n__device__ S s = {};\n", nest("{.a = ", "1", "}"))
        }),
        refused("designator", "invalid-designator", || {
            format!("__device__ int p[1] = {{ {} = 1 }};\n", nest("", "", "[0]"))
        }),
        refused("struct", TOO_DEEP, || nest("struct A {", "int x;", "} a;")),
        refused("struct-without-a-name", TOO_DEEP, || nest("struct {", "int x;", "};")),
        refused("union", TOO_DEEP, || nest("union A {", "int x;", "} a;")),
        refused("extern-c", TOO_DEEP, || nest("extern \"C\" ", "int x;", "")),
        refused("extern-c-braces", TOO_DEEP, || nest("extern \"C\" {", "", "}")),
        refused("types-of-types", TOO_DEEP, || {
            let first = "struct S0 { int x; };\n";
            first.to_owned() + &each(COUNT, |i| format!("struct S{} {{ struct S{i} m; }};\n", i + 1))
        }),
        refused("pointers-to-pointers", TOO_DEEP, || {
            "typedef int T0;\n".to_owned() + &each(COUNT, |i| format!("typedef T{i} *T{};\n", i + 1))
        }),
        taken("typedefs-of-typedefs", || {
            let chain = each(COUNT, |i| format!("typedef T{i} T{};\n", i + 1));
            format!("typedef int T0;\n{chain}__device__ T{COUNT} x;\n")
        }),
        refused("template-parameters", "unsupported-template", || nest("template <", "typename T", ">")),
        refused("template-arguments", "expected-declaration", || nest("foo<", "int", "> ") + "x;"),
    ]
}
