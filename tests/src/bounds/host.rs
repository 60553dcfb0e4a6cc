//! Host code, which is skipped by its tokens alone.

use super::{Case, checked, refused};

pub(super) fn cases() -> Vec<Case> {
    vec![
        checked("host-angles-unclosed", || with_kernel(&format!("{};", "a<".repeat(100_000)))),
        checked("host-angles-in-value", || with_kernel(&format!("int x = a{};", "<a".repeat(100_000)))),
        checked("host-launches", || in_function(&"k<<<1, 1>>>(a < b);".repeat(50_000))),
        checked("host-kernels-before-angles", || in_function(&"k<".repeat(100_000))),
        checked("host-angles-before-launches", || in_function(&"a><<<1>>>();".repeat(50_000))),
        checked("host-constructors-cut-short", || {
            with_kernel(&format!("struct S {{{}}};", "S(int a<".repeat(50_000)))
        }),
        checked("host-classes-in-classes", || {
            let (open, close) = ("struct A { A() {} ".repeat(3000), "};".repeat(3000));
            with_kernel(&format!("{open}int x;{close}"))
        }),
        checked("host-types-of-host-types", || {
            let types: String =
                (0..3000).map(|n| format!("struct S{} {{ S{n} m; ~S{}(); }};\n", n + 1, n + 1)).collect();
            with_kernel(&types)
        }),
        checked("host-variables", || {
            with_kernel(&format!(
                "int a{}; std::string s{};",
                ", a = 1".repeat(100_000),
                ", a{1}".repeat(100_000)
            ))
        }),
        refused("host-classes-unclosed", "nesting-too-deep", || with_kernel(&"class A {".repeat(50_000))),
        refused("host-namespaces-unclosed", "nesting-too-deep", || {
            with_kernel(&"namespace a {".repeat(50_000))
        }),
        refused("host-templates-unclosed", "unsupported-template", || {
            with_kernel(&"template <".repeat(50_000))
        }),
    ]
}

fn with_kernel(host: &str) -> String {
    format!("{host}\n__global__ void k() {{}}\n")
}

fn in_function(body: &str) -> String {
    format!("__global__ void k();\nvoid f() {{ {body} }}\n__global__ void k() {{}}\n")
}
