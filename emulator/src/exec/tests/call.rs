//! Parameters and results in registers, and calls with register arguments.

use super::{ONE_BLOCK, run};
use crate::exec::device::Launch;

const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Runs a body after some functions; `%r1` is the thread's index, and `%r9` is stored.
fn words(functions: &str, body: &str) -> Result<Vec<u32>, String> {
    let text = format!(
        "{HEAD}{functions}\n.visible .entry k(.param .u64 p) {{\n\
         .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>; .reg .b128 %q<3>;\n\
         ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n\
         {body}\nst.global.u32 [%rd1], %r9; ret; }}"
    );
    run(&text, &Launch { block: [5, 1, 1], ..ONE_BLOCK }, &[0; 5], &[])
}

/// `a + 10 * b`.
const SUM: &str = ".func (.reg .u32 r) sum (.reg .u32 a, .reg .u32 b) { mad.lo.u32 r, b, 10, a; ret; }";

#[test]
fn registers_and_constants_are_arguments() {
    assert_eq!(words(SUM, "call (%r9), sum, (%r1, 7);"), Ok(vec![70, 71, 72, 73, 74]));
    let body = "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 5; call (y), sum, (%r1, x); ld.param.b32 %r9, [y]; }";
    assert_eq!(words(SUM, body), Ok(vec![50, 51, 52, 53, 54]));
    let in_memory = ".func (.param .u32 r) twice (.param .u32 a) { .reg .u32 x; ld.param.u32 x, [a]; add.u32 x, x, x; st.param.u32 [r], x; ret; }";
    assert_eq!(words(in_memory, "call (%r9), twice, (%r1); call (_), twice, (4);"), Ok(vec![0, 2, 4, 6, 8]));
}

#[test]
fn functions_of_registers_call_themselves() {
    let function = ".func (.reg .u32 r) upto (.reg .u32 a) { .reg .pred p; .reg .u32 b; mov.u32 r, 0; setp.eq.u32 p, a, 0;\n\
        @p ret; sub.u32 b, a, 1; call (r), upto, (b); add.u32 r, r, a; ret; }";
    assert_eq!(words(function, "call (%r9), upto, (%r1);"), Ok(vec![0, 1, 3, 6, 10]));
}

#[test]
fn calls_may_omit_variadic_arguments() {
    let function = ".func (.param .b32 r) f (.param .b32 a, .param .align 8 .b8 more[]) { .reg .u32 x, y; .reg .u64 at;\n\
        ld.param.u32 x, [a]; setp.eq.u32 p, x, 0; @p bra done; mov.b64 at, more; ld.param.u32 y, [more]; add.u32 x, x, y;\n\
        done: st.param.b32 [r], x; ret; }";
    let function = function.replace(".reg .u32 x, y;", ".reg .pred p; .reg .u32 x, y;");
    let call = |n: u32, with: &str, list: &str| {
        format!(
            "{{ .param .b32 a; .param .b32 r; {with} st.param.b32 [a], {n}; call (r), f, ({list}); ld.param.b32 %r9, [r]; }}"
        )
    };
    assert_eq!(words(&function, &call(0, "", "a")), Ok(vec![0; 5]));
    let with = ".param .align 8 .b8 b[4]; st.param.b32 [b], 7;";
    assert_eq!(words(&function, &call(3, with, "a, b")), Ok(vec![10; 5]));
    let error = words(&function, &call(3, "", "")).expect_err("the first one is missing");
    assert!(error.contains("takes 2 arguments"), "{error}");
    let body = "mov.u64 %rd3, f; pr: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
        { .param .b32 a; .param .b32 r; st.param.b32 [a], 0; call (r), %rd3, (a), pr; ld.param.b32 %r9, [r]; }";
    assert_eq!(words(&function, body), Ok(vec![0; 5]));
}

#[test]
fn guarded_calls_are_of_those_whose_predicate_holds() {
    let body = "mov.u32 %r9, 99; setp.gt.u32 %p1, %r1, 2; @%p1 call (%r9), sum, (%r1, %r1);";
    assert_eq!(words(SUM, body), Ok(vec![99, 99, 99, 33, 44]));
}

#[test]
fn several_results_and_all_widths_go_through() {
    let function = ".func (.reg .u32 low, .reg .pred is_odd, .reg .b128 both) f (.reg .u64 a, .reg .u16 b, .reg .b128 c, .reg .pred q) {\n\
        .reg .u32 x; .reg .u64 l, h; cvt.u32.u64 low, a; cvt.u32.u16 x, b; add.u32 low, low, x; and.b32 x, low, 1;\n\
        setp.eq.u32 is_odd, x, 1; xor.pred is_odd, is_odd, q; mov.b128 {l, h}, c; mov.b128 both, {h, l}; ret; }";
    let body = "cvt.u64.u32 %rd3, %r1; cvt.u16.u32 %h1, %r1; mov.b128 %q1, {%rd3, 1000}; setp.eq.u32 %p2, %r1, 3;\n\
        call (%r4, %p1, %q2), f, (%rd3, 7, %q1, %p2); mov.b128 {%rd5, %rd6}, %q2; sub.u64 %rd5, %rd5, %rd6;\n\
        cvt.u32.u64 %r9, %rd5; add.u32 %r9, %r9, %r4; @%p1 add.u32 %r9, %r9, 5000;";
    // `1000 - n + (n + 7)`, and 5000 where `n + 7` is odd, except for 3.
    assert_eq!(words(function, body), Ok(vec![6007, 1007, 6007, 6007, 6007]));
}

#[test]
fn indirect_calls_take_them_too() {
    let body = "mov.u64 %rd3, sum; pr: .callprototype (.reg .u32 _) _ (.reg .u32 _, .reg .u32 _);\n\
        call (%r9), %rd3, (%r1, 3), pr;";
    assert_eq!(words(SUM, body), Ok(vec![30, 31, 32, 33, 34]));
}

#[test]
fn rejects_mismatched_calls_at_their_place() {
    for (body, expected) in [
        (
            "call (%r9), sum, (%r1);",
            "`sum` takes 2 arguments and returns 1 results, but the call has 1 and 1",
        ),
        ("call sum, (%r1, %r1);", "`sum` takes 2 arguments and returns 1 results, but the call has 2 and 0"),
        ("call (%r9), sum, (%rd1, %r1);", "`%rd1` has 8 bytes; the function expects 4"),
        ("call (%rd3), sum, (%r1, %r1);", "`%rd3` has 8 bytes; the function expects 4"),
        ("call (%r9), sum, (%r1, x);", "`x` is neither a parameter nor a register"),
        ("call (%r9), sum, (%r1, {%r1});", "an argument must be a parameter, a register or a constant"),
        ("call (7), sum, (%r1, %r1);", "a result must be a parameter or a register"),
        ("mov.u64 %rd3, sum; call (%r9), %rd3, (%r1, 3);", "the size of the argument is unknown"),
        ("call (%r9), nothing, (%r1);", "the function `nothing` is not defined"),
    ] {
        let error = words(SUM, body).expect_err(body);
        assert!(error.starts_with("test:8:") && error.contains(expected), "{body}: {error}");
    }
    for (text, expected) in [
        (".entry k(.reg .u32 a) { ret; }", "test:4:20: a kernel parameter must be in `.param`"),
        (
            ".func f(.reg .v2 .f32 a<2>) { ret; }\n.entry k() { ret; }",
            "test:4:23: a parameter must be one register or one vector",
        ),
    ] {
        let error = run(&format!("{HEAD}{text}"), &ONE_BLOCK, &[0], &[]).expect_err(text);
        assert!(error.starts_with(expected), "{error}");
    }
}
