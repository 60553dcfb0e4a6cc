//! Stack allocations: valid uses, and accesses out of bounds and after the lifetime.

use super::{ONE_BLOCK, kernel, run, run_body};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

fn fault(body: &str) -> String {
    let launch = Launch { checks: Checks::ALL, ..ONE_BLOCK };
    run(&kernel(body), &launch, &[0; 32], &[vec![0; 4]]).expect_err(body)
}

#[test]
fn each_thread_has_as_much_as_it_asks_for() {
    // Thread `n` writes the numbers below `n`, byte by byte, and adds them up.
    let body = "cvt.u64.u32 %rd3, %r1; alloca.u64 %rd4, %rd3, 32; cvta.local.u64 %rd5, %rd4; mov.u32 %r4, 0;\n\
        WRITE: setp.ge.u32 %p1, %r4, %r1; @%p1 bra ADD; cvt.u64.u32 %rd6, %r4; add.u64 %rd6, %rd6, %rd5;\n\
        st.u8 [%rd6], %r4; add.u32 %r4, %r4, 1; bra WRITE;\n\
        ADD: mov.u32 %r5, 0; cvt.u32.u64 %r8, %rd4; and.b32 %r8, %r8, 31;\n\
        NEXT: setp.eq.u32 %p1, %r4, 0; @%p1 bra END; sub.u32 %r4, %r4, 1; cvt.u64.u32 %rd6, %r4;\n\
        add.u64 %rd6, %rd6, %rd4; ld.local.u8 %r6, [%rd6]; add.u32 %r5, %r5, %r6; bra NEXT;\n\
        END: add.u32 %r5, %r5, %r8; st.global.u32 [%rd1], %r5;";
    assert_eq!(
        run_body(body, &[0; 32]),
        (0..32).map(|n| n * u32::saturating_sub(n, 1) / 2).collect::<Vec<_>>()
    );
}

#[test]
fn the_stack_pointer_is_put_back() {
    // A loop that runs out of memory unless it is released.
    let body = "mov.u32 %r4, 0; stacksave.u32 %r8;\n\
        LOOP: stacksave.u64 %rd3; alloca.u64 %rd4, 300000; st.local.u32 [%rd4+299996], %r4; stackrestore.u64 %rd3;\n\
        add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9; @%p1 bra LOOP;\n\
        alloca.u32 %r5, 8; alloca.u32 %r6, 8; st.local.u32 [%r5], 7; stackrestore.u32 %r5; ld.local.u32 %r7, [%r5];\n\
        stackrestore.u32 %r8; st.global.u32 [%rd1], %r7;";
    assert_eq!(run_body(body, &[0; 32]), [7; 32]);
}

/// One thread holds 400,000 pieces at a time: quadratic work would not end.
#[test]
fn many_pieces_cost_no_more_each_than_a_few() {
    let body = "setp.ne.u32 %p1, %r1, 0; @%p1 exit; mov.u32 %r4, 0; stacksave.u64 %rd5;\n\
        LOOP: alloca.u64 %rd4, 1; st.local.u8 [%rd4], %r4; ld.local.u8 %r5, [%rd4];\n\
        add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 400000; @%p1 bra LOOP;\n\
        stackrestore.u64 %rd4; ld.local.u8 %r5, [%rd4]; stackrestore.u64 %rd5; st.global.u32 [%rd1], %r5;";
    assert_eq!(run_body(body, &[0; 1]), [399_999 & 0xFF]);
}

#[test]
fn functions_free_their_stack() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .b64 r) f (.param .b32 n) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p1;\n\
        ld.param.b32 %r1, [n]; alloca.u64 %rd1, 16; st.local.u32 [%rd1], %r1; setp.eq.u32 %p1, %r1, 0; @%p1 bra END;\n\
        { .param .b32 a; .param .b64 v; sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call (v), f, (a); }\n\
        ld.local.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, %r1; @%p1 trap; END: st.param.b64 [r], %rd1; ret; }\n\
        .visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd1, [p];\n\
        { .param .b32 a; .param .b64 v; st.param.b32 [a], 5; call (v), f, (a); ld.param.b64 %rd2, [v]; }\n\
        READ ld.param.u64 %rd3, [p]; st.global.u32 [%rd3], 1; ret; }";
    assert_eq!(run(&text.replace("READ", ""), &ONE_BLOCK, &[0], &[]), Ok(vec![1]));
    let error = run(&text.replace("READ", "ld.local.u32 %r1, [%rd2];"), &ONE_BLOCK, &[0], &[]);
    let expected = "byte 0 of the memory of an `alloca` (16 bytes at ";
    assert!(error.clone().is_err_and(|error| error.contains(expected)), "{error:?}");
}

#[test]
fn accesses_beyond_and_after_the_end_are_found() {
    let beyond = "alloca.u64 %rd3, 20; st.local.u32 [%rd3+20], 1;";
    assert!(fault(beyond).contains("just past the end of the memory of an `alloca` (20 bytes"));
    let across = "alloca.u64 %rd3, 20; cvta.local.u64 %rd3, %rd3; st.u64 [%rd3+16], %rd3;";
    assert!(fault(across).contains("and extends past its end"));
    let before = "alloca.u64 %rd3, 20; ld.local.u32 %r4, [%rd3+-4];";
    assert!(fault(before).contains("out-of-bounds"));
    let empty = "alloca.u64 %rd3, 0; ld.local.u8 %r4, [%rd3];";
    assert!(fault(empty).contains("out-of-bounds"));
    let after = "stacksave.u64 %rd4; alloca.u64 %rd3, 20; st.local.u32 [%rd3+4], 1; stackrestore.u64 %rd4; ld.local.u32 %r4, [%rd3+4];";
    assert!(fault(after).contains("byte 4 of the memory of an `alloca` (20 bytes"));
    // A thread has more than its neighbor.
    let other = "cvt.u64.u32 %rd3, %r1; mul.lo.u64 %rd3, %rd3, 4; alloca.u64 %rd4, %rd3; setp.lt.u32 %p1, %r1, 3; @%p1 exit; st.local.u32 [%rd4+12], 1;";
    assert!(fault(other).contains("by thread (3, 0, 0)"), "{}", fault(other));
}

#[test]
fn reports_misuse_of_the_stack() {
    let unwritten = "alloca.u64 %rd3, 8; ld.local.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 exit;";
    assert!(fault(unwritten).contains("condition depends on uninitialized memory: 4 bytes of local memory"));
    let large = "mov.u64 %rd3, -8; alloca.u64 %rd4, %rd3;";
    assert!(
        fault(large).contains("`alloca` of 18446744073709551608 bytes exceeds the local memory that is left")
    );
    let twice = "alloca.u64 %rd3, 300000; alloca.u64 %rd4, 300000;";
    assert!(fault(twice).contains("`alloca` of 300000 bytes"));
    for body in [
        "mov.u64 %rd3, 1000; stackrestore.u64 %rd3;",
        "stacksave.u64 %rd4; alloca.u64 %rd3, 8; stackrestore.u64 %rd4; stackrestore.u64 %rd3;",
        "alloca.u64 %rd3, 8; add.u64 %rd3, %rd3, 4; stackrestore.u64 %rd3;",
    ] {
        assert!(fault(body).contains("`stackrestore` of 0x"), "{body}: {}", fault(body));
    }
    for (instruction, expected) in [
        ("alloca.u64 %rd3, 8, 3;", "a power of two"),
        ("alloca.u64 %rd3, 8, 16777216;", "a power of two"),
        ("alloca.u64 %rd3, %r1;", "does not match the instruction"),
        ("alloca.b64 %rd3, 8;", "unknown instruction `alloca.b64`"),
        ("stacksave.u64 %rd3, 8;", "wrong number of operands"),
        ("stackrestore.u64 8;", "takes a register"),
    ] {
        let error = fault(instruction);
        assert!(error.starts_with("test:9:1: ") && error.contains(expected), "{instruction}: {error}");
    }
}
