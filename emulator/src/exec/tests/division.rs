//! Integer division by zero: the result is undefined, and may be discarded.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

fn run_checked(body: &str, checks: Checks) -> Result<Vec<u32>, String> {
    let launch = Launch { checks, ..ONE_BLOCK };
    run(&kernel(&format!(".reg .b16 %h<9>;\n{body}")), &launch, &[0; 32], &[vec![0; 4]])
}

#[test]
fn a_division_by_zero_that_reaches_memory_a_condition_or_an_address_is_reported() {
    let divide = "ld.param.u32 %r4, [n];\n.loc 1 5 1\ndiv.s32 %r5, %r1, %r4;\n.loc 1 6 1\n";
    for (usage, expected) in [
        (
            "st.global.u32 [%rd1], %r5;",
            "value stored to global memory depends on an undefined value: division by zero, by thread (0, 0, 0) of block \
             (0, 0, 0) at test:12, from kernel.cu:5, in `k`, by thread (0, 0, 0) of block (0, 0, 0), at test:14, from \
             kernel.cu:6",
        ),
        (
            "setp.gt.s32 %p1, %r5, 5; @%p1 exit;",
            "condition depends on an undefined value: division by zero, by",
        ),
        (
            "mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd3, %rd1; ld.global.u32 %r6, [%rd3];",
            "address depends on an undefined value: division by zero, by",
        ),
        (
            "red.global.add.u32 [%rd1], %r5;",
            "atomic operation depends on an undefined value: division by zero, by",
        ),
    ] {
        let body = format!("{divide}{usage}");
        let error = run_checked(&body, Checks::USUAL).expect_err(&body);
        assert!(error.contains(expected), "{body}\n{error}");
    }
}

#[test]
fn every_type_is_watched() {
    for (ty, dividend, divisor, result) in [
        ("s16", "%h1", "%h2", "%h3"),
        ("u16", "%h1", "%h2", "%h3"),
        ("s32", "%r1", "%r4", "%r5"),
        ("u32", "%r1", "%r4", "%r5"),
        ("s64", "%rd1", "%rd4", "%rd5"),
        ("u64", "%rd1", "%rd4", "%rd5"),
    ] {
        for (opcode, what) in
            [("div", "division by zero, by"), ("rem", "remainder of a division by zero, by")]
        {
            let body = format!(
                "ld.param.u32 %r4, [n]; cvt.u64.u32 %rd4, %r4; cvt.u16.u32 %h2, %r4; cvt.u16.u32 %h1, %r1;\n\
                 {opcode}.{ty} {result}, {dividend}, {divisor}; st.global.b{} [%rd1], {result};",
                &ty[1..]
            );
            let body = body.replace("st.global.b64 [%rd1]", "and.b64 %rd1, %rd1, -8; st.global.b64 [%rd1]");
            assert!(run_checked(&body, Checks::NONE).is_ok(), "{body}");
            let error = run_checked(&body, Checks::USUAL).expect_err(&body);
            assert!(error.contains(what), "{body}\n{error}");
        }
    }
}

#[test]
fn the_register_of_the_divisor_may_take_the_result() {
    let body = "ld.param.u32 %r4, [n]; div.u32 %r4, %r1, %r4; st.global.u32 [%rd1], %r4;";
    assert!(run_checked(body, Checks::USUAL).is_err_and(|error| error.contains("division by zero")));
}

#[test]
fn divisions_that_do_not_matter_are_silent() {
    for body in [
        // A compiler hoists a division above the condition that guards it.
        "ld.param.u32 %r4, [n]; div.u32 %r5, %r1, %r4; setp.eq.u32 %p1, %r4, 0; selp.b32 %r6, 0, %r5, %p1; \
         st.global.u32 [%rd1], %r6;",
        "ld.param.u32 %r4, [n]; rem.u32 %r5, %r1, %r4; and.b32 %r5, %r5, %r4; st.global.u32 [%rd1], %r5;",
        "ld.param.u32 %r4, [n]; setp.ne.u32 %p1, %r4, 0; @%p1 div.u32 %r4, %r1, %r4; st.global.u32 [%rd1], %r4;",
        // A quotient that overflows wraps: the ISA does not call it undefined.
        "mov.u32 %r4, 0x80000000; mov.u32 %r5, -1; div.s32 %r6, %r4, %r5; st.global.u32 [%rd1], %r6;",
        "add.u32 %r4, %r1, 1; div.u32 %r6, 100, %r4; st.global.u32 [%rd1], %r6;",
    ] {
        if let Err(error) = run_checked(body, Checks::USUAL) {
            panic!("{body}\n{error}");
        }
    }
}
