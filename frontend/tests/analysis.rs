//! Analyzes a program while it is read, with and without the bodies of its functions.

use weft_frontend::ir::verify::Unverified;
use weft_frontend::ir::{Func, Module};
use weft_frontend::{Bodies, Compilation, FrontendOptions, NoHeaders, PreprocessOptions};

const PROGRAM: &str = "
    __device__ int twice(int x);
    __device__ int thrice(int x) { return x + twice(x); }
    __device__ int twice(int x) { static int calls; calls++; return 2 * x; }
    __global__ void kernel(int *out) { *out = thrice(*out); }
";

/// The program, analyzed.
fn analyze(bodies: Bodies<'_>) -> Unverified {
    // A piece for every function.
    let preprocessor = PreprocessOptions { piece_len: 1, ..PreprocessOptions::default() };
    let mut compilation = Compilation::new(FrontendOptions { preprocessor, ..FrontendOptions::default() });
    let file = compilation.sources.add("program.src".to_owned(), PROGRAM).expect("it is short");
    compilation.analyze(file, &mut NoHeaders, bodies).module.expect("the program is right")
}

fn n_exprs(module: &Module, func: Func) -> usize {
    module.functions[func].body.as_ref().map_or(0, |body| body.exprs.len())
}

#[test]
fn bodies_are_visited_and_then_dropped() {
    let kept = analyze(Bodies::Keep).verify().expect("it is valid");
    let kept = kept.module();

    let mut seen = Vec::new();
    let mut visitor = |module: &Module, func: Func| {
        seen.push((module.functions[func].name.clone(), n_exprs(module, func)));
    };
    let module = analyze(Bodies::Visit(&mut visitor)).verify_but_bodies().expect("it is valid");

    let in_order = ["thrice", "twice", "kernel"].map(|name| {
        let found = kept.functions.iter().find(|(_, function)| function.name == name);
        let (func, _) = found.expect("the function is there");
        (name.to_owned(), n_exprs(kept, func))
    });
    assert_eq!(seen, in_order);
    assert!(seen.iter().all(|&(_, n_exprs)| n_exprs > 0), "{seen:?}");
    for (func, function) in &module.functions {
        assert_eq!(function.body.is_some(), kept.functions[func].body.is_some(), "{}", function.name);
        assert_eq!(n_exprs(&module, func), 0, "{}", function.name);
    }
}

#[test]
fn rejects_lowering_without_bodies() {
    let error = analyze(Bodies::Visit(&mut |_, _| {})).verify().expect_err("its bodies are gone");
    assert_eq!(error.message, "function `twice` (fn0): parameters: a body has the parameters of its type");
}
