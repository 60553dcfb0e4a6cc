//! Thousands of one thing.

use super::{COUNT, Case, MEGA, checked, each, function, list, refused, taken};

pub(super) fn cases() -> Vec<Case> {
    [
        functions(),
        members(),
        switches(),
        locals(),
        globals(),
        initializers(),
        sizes(),
        classes(),
        mistakes(),
        others(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn functions() -> Vec<Case> {
    vec![
        taken("parameters", || format!("__device__ void f({}) {{}}\n", list(1000, |i| format!("int p{i}")))),
        refused("parameters-of-one-name", "redefinition", || {
            format!("__device__ void f({}) {{}}\n", list(COUNT, |_| "int p".into()))
        }),
        taken("arguments", || {
            let types = list(1000, |_| "int".into());
            format!(
                "__device__ int g({types});\n{}",
                function(&format!("g({});", list(1000, |_| "a".into())))
            )
        }),
        taken("arguments-variadic", || {
            format!(
                "__device__ int g(int, ...);\n{}",
                function(&format!("g({});", list(1000, |_| "a".into())))
            )
        }),
        refused("arguments-too-many", "argument-count", || {
            format!("__device__ int g(int);\n{}", function(&format!("g({});", list(COUNT, |_| "a".into()))))
        }),
        taken("redeclarations", || each(COUNT, |i| format!("__device__ int f(int a{i});\n"))),
        taken("definitions", || {
            each(2000, |i| format!("__device__ int f{i}(int a) {{ return a + {i}; }}\n"))
        }),
        taken("definitions-static", || {
            each(COUNT, |i| format!("static __device__ int f{i}(int a) {{ return a + {i}; }}\n"))
        }),
        taken("calls-of-calls", || {
            let first = "__device__ int f0(int a) { return a; }\n";
            first.to_owned()
                + &each(2000, |i| format!("__device__ int f{}(int a) {{ return f{i}(a); }}\n", i + 1))
        }),
        refused("undefined-functions", "undefined-function", || {
            let declared = each(COUNT, |i| format!("static __device__ int f{i}(int a);\n"));
            declared + &function(&each(COUNT, |i| format!("f{i}(0);")))
        }),
        taken("function-types", || {
            each(COUNT, |i| format!("typedef void (*F{i})(int[{}], struct Q{i}*);\n", i + 1))
        }),
    ]
}

/// A struct with many members.
fn wide(member: impl Fn(usize) -> String) -> String {
    format!("struct S {{\n{}}};\n", each(COUNT, member))
}

fn uses_of_members(n: usize, name: &str) -> String {
    let uses = each(n, |i| format!("a += s->{name}{i};\n"));
    format!("__device__ int f(S *s)\n{{\nint a = 0;\n{uses}return a;\n}}\n")
}

fn members() -> Vec<Case> {
    let plain = || wide(|i| format!("int m{i};\n"));
    vec![
        taken("members", move || plain() + &uses_of_members(COUNT, "m")),
        taken("members-of-members", || {
            wide(|i| format!("struct {{ int m{i}; }};\n")) + &uses_of_members(COUNT, "m")
        }),
        taken("bit-fields", || wide(|i| format!("int m{i} : 3;\n")) + &uses_of_members(1000, "m")),
        refused("members-of-one-name", "redefinition", || wide(|_| "int m;\n".into())),
        refused("members-that-are-not-there", "no-member", || {
            wide(|i| format!("int member{i};\n")) + &uses_of_members(COUNT, "nomember")
        }),
        taken("members-by-name", move || {
            plain() + &format!("__device__ S s = {{ {} }};\n", list(COUNT, |i| format!(".m{i} = {i}")))
        }),
        checked("members-by-name-in-a-function", move || {
            let values = list(COUNT, |i| format!(".m{i} = {i}"));
            plain() + &format!("__device__ int f() {{ S s = {{ {values} }}; return s.m1; }}\n")
        }),
        taken("enumerators", || {
            let all = each(COUNT, |i| format!("e{i},\n"));
            format!("enum E {{ {all} }};\n{}", function(&each(COUNT, |i| format!("a += e{i};\n"))))
        }),
        refused("enumerators-of-one-name", "redefinition", || {
            format!("enum E {{ {} }};\n", each(COUNT, |_| "e,\n".into()))
        }),
    ]
}

fn switches() -> Vec<Case> {
    let switch = |cases: String| function(&format!("switch (a) {{\n{cases}}}"));
    vec![
        taken("cases", move || switch(each(2000, |i| format!("case {i}: a += b; break;\n")))),
        taken("cases-that-fall-through", move || switch(each(2000, |i| format!("case {i}: a += {i};\n")))),
        checked("cases-with-variables", move || {
            switch(each(COUNT, |i| format!("case {i}: int x{i}; x{i} = a; a += x{i};\n")))
        }),
        refused("cases-of-one-value", "duplicate-case", move || {
            switch(each(COUNT, |i| format!("case 1: a += {i}; break;\n")))
        }),
        taken("labels", || function(&each(2000, |i| format!("l{i}: if (a) goto l{};\n", 1999 - i)))),
        refused("labels-that-are-not-there", "undeclared-label", || {
            function(&each(COUNT, |i| format!("goto l{i};\n")))
        }),
        refused("labels-behind-initializers", "jump-past-initialization", || {
            function(&each(COUNT, |i| format!("goto l{i}; int x{i} = a; l{i}: a += x{i};\n")))
        }),
        checked("jumps-back", || {
            function(&format!(
                "l: a++;\n{}",
                each(COUNT, |i| format!("int x{i} = a; if (a == x{i}) goto l;\n"))
            ))
        }),
        taken("unused-labels", || function(&each(COUNT, |i| format!("l{i}:;\n")))),
    ]
}

fn locals() -> Vec<Case> {
    vec![
        taken("variables", || function(&each(COUNT, |i| format!("int x{i} = a + {i}; a += x{i};\n")))),
        taken("variables-of-one-declaration", || {
            function(&format!("int {};", list(COUNT, |i| format!("x{i} = a"))))
        }),
        refused("variables-of-one-name", "redefinition", || function(&"int x;\n".repeat(COUNT))),
        taken("variables-unused", || function(&each(COUNT, |i| format!("int x{i};\n")))),
        taken("variables-uninitialized", || function(&each(COUNT, |i| format!("int x{i}; a += x{i};\n")))),
        taken("variables-assigned-by-branches", || {
            function(&each(2000, |i| format!("int x{i}; if (a > {i}) {{ x{i} = 1; }} a += x{i};\n")))
        }),
        taken("blocks", || function(&"{ int x = a; a += x; }\n".repeat(COUNT))),
        taken("loops", || {
            function(&each(1000, |i| format!("while (a > {i}) {{ a--; if (a == 7) break; }}\n")))
        }),
        checked("variables-in-nested-loops", || {
            let variables = each(2000, |i| format!("int x{i} = a; a = x{i};\n"));
            function(&["while (a) {".repeat(120), variables, "}".repeat(120)].concat())
        }),
        taken("shared-variables", || function(&each(COUNT, |i| format!("__shared__ int s{i}; s{i} = a;\n")))),
        taken("compound-literals", || function(&each(2000, |i| format!("a += ((int[2]){{{i}, 1}})[0];\n")))),
        taken("strings", || {
            let calls = each(COUNT, |i| format!("g(\"s{i}\");\n"));
            format!("__device__ void g(const char *);\n{}", function(&calls))
        }),
        taken("strings-that-are-the-same", || {
            format!("__device__ void g(const char *);\n{}", function(&"g(\"same\");\n".repeat(COUNT)))
        }),
    ]
}

fn globals() -> Vec<Case> {
    vec![
        taken("globals", || each(COUNT, |i| format!("__device__ int g{i} = {i};\n"))),
        taken("globals-that-point-to-one", || {
            format!("__device__ int g;\n{}", each(COUNT, |i| format!("__device__ int *g{i} = &g;\n")))
        }),
        taken("globals-that-point-to-the-one-before", || {
            let chain = each(COUNT, |i| format!("__device__ void *g{} = &g{i};\n", i + 1));
            format!("__device__ void *g0;\n{chain}")
        }),
        refused("globals-that-point-in-a-circle", "circular-initializer", || {
            let declared = each(COUNT, |i| format!("extern __device__ void *g{i};\n"));
            declared + &each(COUNT, |i| format!("__device__ void *g{i} = &g{};\n", (i + 1) % COUNT))
        }),
        taken("constants-from-constants", || {
            let chain = each(COUNT, |i| format!("const int c{} = c{i} + 1;\n", i + 1));
            format!("const int c0 = 1;\n{chain}__device__ int x = c{COUNT};\n")
        }),
        taken("constexpr-from-constexpr", || {
            let chain = each(COUNT, |i| format!("constexpr int c{} = c{i} + 1;\n", i + 1));
            format!("constexpr int c0 = 1;\n{chain}__device__ int x = c{COUNT};\n")
        }),
        taken("declarations-of-one", || "extern __device__ int g;\n".repeat(COUNT)),
        taken("static-assertions", || "static_assert(1, \"x\");\n".repeat(COUNT)),
        taken("qualifiers-repeated", || format!("{}int x;\n", "__device__ ".repeat(COUNT))),
        taken("attributes", || {
            format!("__attribute__(({})) __device__ int x;\n", list(COUNT, |_| "unused".into()))
        }),
        refused("long-repeated", "invalid-specifiers", || format!("{}x;\n", "long ".repeat(COUNT))),
    ]
}

fn initializers() -> Vec<Case> {
    let array = |values: String| format!("__device__ int a[] = {{ {values} }};\n");
    vec![
        taken("array-of-a-million", move || array(list(MEGA, |i| i.to_string()))),
        checked("array-in-a-function", || {
            let values = list(100_000, |i| i.to_string());
            format!("__device__ int f(int i) {{ int a[] = {{ {values} }}; return a[i]; }}\n")
        }),
        taken("array-of-arrays", || {
            format!("__device__ int a[][2] = {{ {} }};\n", list(COUNT, |i| format!("{{{i}, 1}}")))
        }),
        taken("designators-backwards", move || array(list(COUNT, |i| format!("[{}] = {i}", COUNT - i)))),
        taken("designators-of-one", move || array(list(COUNT, |i| format!("[1] = {i}")))),
    ]
}

fn sizes() -> Vec<Case> {
    let doubled = || {
        "struct S0 { int a[2]; };\n".to_owned()
            + &each(62, |i| format!("struct S{} {{ S{i} a, b; }};\n", i + 1))
    };
    vec![
        refused(
            "array-larger-than-memory",
            "invalid-array-length",
            || "__device__ char a[0x7fffffffffffffff];\n__device__ int b[0x7fffffffffffffff];\n",
        ),
        refused("array-of-many-dimensions", "invalid-array-length", || {
            format!("__device__ int a{};\n", "[2]".repeat(70))
        }),
        refused("structs-that-double", "invalid-array-length", doubled),
        refused("structs-that-double-initialized", "invalid-array-length", move || {
            doubled() + "__device__ S61 x = {};\n"
        }),
        taken("array-mostly-of-zeros", || "__device__ int a[1000000] = {1, 2};\n"),
        refused(
            "array-designator-far-out",
            "invalid-array-length",
            || "__device__ int a[] = {[2147483647] = 1};\n",
        ),
        checked("array-mostly-of-zeros-in-a-function", || function("int x[1000000000] = {1}; a += x[b];")),
        checked("array-longer-than-its-string", || "__device__ char a[200000000] = \"x\";\n"),
        refused(
            "array-too-long-for-its-string",
            "invalid-array-length",
            || "__device__ char a[1000000000] = \"x\";\n",
        ),
        taken("copies-of-a-megabyte", || {
            let copies = each(200, |i| format!("__device__ void f{i}(S *to, S *from) {{ *to = *from; }}\n"));
            format!(
                "struct S {{ char text[{MEGA}]; }};\n{copies}__device__ void g(char *p) {{ memset(p, 0, {MEGA}); }}\n"
            )
        }),
        taken("structs-in-structs-initialized-flat", || {
            let types = each(200, |i| format!("struct S{} {{ S{i} a; int b; }};\n", i + 1));
            format!("struct S0 {{ int a[2]; }};\n{types}__device__ S200 x = {{1, 2, 3}};\n")
        }),
    ]
}

fn classes() -> Vec<Case> {
    let levels = |n| {
        let derived = each(n, |i| {
            format!("struct B{} : B{i} {{ int x{i}; __device__ int g{i}() {{ return b; }} }};\n", i + 1)
        });
        format!("struct B0 {{ int b; __device__ int f() {{ return b; }} }};\n{derived}")
    };
    vec![
        taken("bases-of-bases", move || levels(200) + &function("B200 x{}; a += x.f() + x.g7();")),
        refused("bases-of-too-many-bases", "nesting-too-deep", move || levels(COUNT)),
        refused("bases-that-double", "unsupported-member", || {
            let doubled = each(60, |i| {
                format!(
                    "struct L{i} : B{i} {{}}; struct R{i} : B{i} {{}}; struct B{} : L{i}, R{i} {{}};\n",
                    i + 1
                )
            });
            format!("struct B0 {{ int b; }};\n{doubled}") + &function("B60 x{}; a = x.b;")
        }),
        taken("bases-of-one-class", || {
            let bases = each(1000, |i| format!("struct B{i} {{ int x{i}; }};\n"));
            let list = each(1000, |i| format!("B{i}, "));
            format!("{bases}struct Last {{}}; struct D : {list}Last {{}};\n") + &function("D x{}; a = x.x5;")
        }),
    ]
}

fn mistakes() -> Vec<Case> {
    vec![
        refused("undeclared", "undeclared-identifier", || function(&"u;\n".repeat(MEGA / 4))),
        refused("undeclared-of-many-names", "undeclared-identifier", || {
            function(&each(MEGA / 8, |i| format!("u{i};\n")))
        }),
        refused("undeclared-like-declared", "undeclared-identifier", || {
            let declared = each(COUNT, |i| format!("__device__ int variable_name_{i};\n"));
            declared + &function(&each(1000, |i| format!("a += variable_nome_{i};\n")))
        }),
        refused("unknown-types", "unknown-type-name", || {
            let declared = each(COUNT, |i| format!("foo{i} x{i};\n"));
            declared + &function(&each(COUNT, |i| format!("x{i}++;")))
        }),
        refused("syntax", "expected-expression", || function(&"a = ;\n".repeat(MEGA / 6))),
        refused("syntax-at-file-scope", "expected-declaration", || ") ;\n".repeat(MEGA / 4)),
        taken("warnings", || function(&"a == 1;\n".repeat(COUNT))),
    ]
}

fn others() -> Vec<Case> {
    vec![
        taken("semicolons", || ";".repeat(MEGA)),
        taken("empty-statements", || function(&";".repeat(MEGA))),
        refused("casts-or-calls", "undeclared-identifier", || {
            format!("typedef int T;\n{}", function(&"T (x) + 1;\n".repeat(COUNT)))
        }),
        refused("elements-of-a-pack", "no-matching-function", || {
            let args = each(COUNT, |i| format!("{i}, "));
            format!(
                "template <class... T> __device__ int made(T... a) {{ int x[] = {{a...}}; return x[0]; }}\n{}",
                function(&format!("a = made({args}0);"))
            )
        }),
        refused("packs-that-double", "no-matching-function", || {
            let head = "template <int... N> __device__ int made() { return made<N..., N...>(); }\n";
            head.to_owned() + &function("a = made<1>();")
        }),
        refused("expansions-in-expansions", "nesting-too-deep", || {
            let nested = (0..60).fold("a...".to_owned(), |inner, _| format!("g(a, {inner})..."));
            format!(
                "template <class... T> __device__ int g(T...) {{ return 0; }}\n\
                 template <class... T> __device__ int made(T... a) {{ return g({nested}); }}\n{}",
                function("a = made(1, 2);")
            )
        }),
        taken("pragmas", || "#pragma unroll\n".repeat(COUNT)),
    ]
}
