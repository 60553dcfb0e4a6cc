//! Whole programs, small ones, through the lexer, the parser and the checks.
//!
//! The IR's text is what most assertions look at: `verify` has seen it by then.

use crate::diag::Sink;
use crate::ir;
use crate::source::SourceMap;
use crate::token::Interner;

/// The IR of a program that must be right, as text; it is verified on the way.
fn ir_of(text: &str) -> String {
    let (module, messages) = checked(text);
    assert_eq!(messages, Vec::<String>::new(), "in: {text}");
    ir::print::print(module.expect("no error was reported").module())
}

/// The codes of what is reported, each with the text that it points at.
fn reported(text: &str) -> Vec<String> {
    checked(text).1
}

fn checked(text: &str) -> (Option<ir::VerifiedModule>, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.src".into(), text.into()).expect("small");
    let mut interner = Interner::new();
    let mut sink = Sink::new();
    let tokens = crate::lex(&sources, file, &mut interner, &mut sink);
    let tokens = crate::preprocess(tokens, &mut interner, &mut sink);
    let ast = crate::parse(&tokens, &interner, &mut sink);
    let module = crate::check(&ast, &interner, &mut sink);
    let found = sink.diagnostics().iter();
    let messages = found.map(|d| format!("{}: {}", d.code.name(), sources.text(d.primary.span))).collect();
    let verified = module.ok().map(|module| ir::verify::verify(module).expect("the IR is sound"));
    (verified, messages)
}

/// The IR of an expression over `int i; unsigned u; long l; float f; double d; int *p; char c; bool b`.
fn expr_ir(expr: &str) -> String {
    let params = "int i, unsigned u, long l, long long ll, unsigned long ul, float f, double d, int *p, char c, bool b";
    let text = ir_of(&format!("__device__ void f({params}) {{ {expr}; }}"));
    let body = text.lines().skip_while(|line| !line.contains("block")).skip(1);
    body.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_kernel_is_checked_into_sound_ir() {
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
