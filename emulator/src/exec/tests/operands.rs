//! Operands other than registers and constants, and modifiers in unusual order.

use super::{ONE_BLOCK, kernel, run, run_body};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

const CHECKED: Launch = Launch { checks: Checks::ALL, ..ONE_BLOCK };

#[test]
fn sums_of_registers_and_numbers_are_values() {
    let body = "setp.lt.u32 %p1, %r1, 5; add.u32 %r4, %r1+2*3, %r1+-1; mov.u64 %rd3, %rd1+(4-4); @%p1 mov.u32 %r4, %r1+0x10;\n\
        mul.wide.u32 %rd4, %r1+0xffffffff, 2; cvt.u32.u64 %r5, %rd4+1; xor.b32 %r4, %r4, %r5+0; st.global.u32 [%rd3], %r4+1;";
    let expected = (0..32_u32).map(|n| {
        let sum = if n < 5 { n + 16 } else { 2 * n + 5 };
        let wide = u64::from(n.wrapping_sub(1)) * 2 + 1;
        (sum ^ wide as u32) + 1
    });
    assert_eq!(run_body(body, &[0; 32]), expected.collect::<Vec<_>>());
}

#[test]
fn sums_choose_a_target() {
    let body = "and.b32 %r4, %r1, 1; T: .branchtargets ZERO, ONE, TWO; brx.idx %r4+1, T;\n\
        ZERO: mov.u32 %r5, 7; bra END; ONE: mov.u32 %r5, 8; bra END; TWO: mov.u32 %r5, 9; END: st.global.u32 [%rd1], %r5;";
    assert_eq!(run_body(body, &[0; 32]), (0..32).map(|n| 8 + n % 2).collect::<Vec<_>>());
}

/// PTX ISA "Labels": each is local to its block, as in inline PTX that occurs several times.
#[test]
fn blocks_have_labels_of_their_own() {
    let body = "mov.u32 %r4, 0; bra L; { bra L; L: add.u32 %r4, %r4, 1; } L: add.u32 %r4, %r4, 10;\n\
        { L: add.u32 %r4, %r4, 100; setp.lt.u32 %p1, %r4, 300; @%p1 bra L; bra OUT; } OUT:\n\
        { .reg .u32 %i; mov.u32 %i, 0; { T: .branchtargets A, B; brx.idx %i, T; A: add.u32 %r4, %r4, 1000; B: } { A: } }\n\
        st.global.u32 [%rd1], %r4;";
    assert_eq!(run_body(body, &[0; 32]), [1310; 32]);
    for (body, expected) in
        [("bra L; { L: }", "undeclared label `L`"), ("L: bra L; L: ret;", "duplicate label `L`")]
    {
        let error = run(&kernel(body), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}

#[test]
fn sums_of_other_registers_are_refused() {
    for body in ["st.global.f32 [%rd1], %f1+1;", "mov.pred %p1, %p2+1;"] {
        let text = kernel(&format!(".reg .f32 %f1; {body}"));
        let error = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(body);
        assert!(error.contains("is not an integer"), "{error}");
    }
    let list = kernel("st.global.v2.u32 [%rd1], {%r1+1, %r1};");
    let error = run(&list, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("no sum in braces");
    assert!(error.contains("a list in braces cannot contain a sum"), "{error}");
}

/// PTX ISA "Arrays as Operands": an index is multiplied by the size of an element.
#[test]
fn elements_of_arrays_are_addresses() {
    let body = ".local .u32 o[8]; .shared .u16 s[64]; and.b32 %r4, %r1, 7; st.local.u32 o[%r4], %r1; ld.local.u32 %r5, o[%r4+0];\n\
        st.local.u32 o[3], 100; ld.local.u32 %r6, o[1+2]; add.u32 %r5, %r5, %r6; cvt.u64.u32 %rd3, %r1; st.shared.u16 s[%rd3], %r1;\n\
        ld.shared.u16 %r7, s[%r1]; add.u32 %r5, %r5, %r7; ld.global.u32 %r8, g[2]; mov.u64 %rd4, g[%r4]; mov.u64 %rd5, g[1];\n\
        ld.global.u32 %r9, [%rd4]; ld.global.u32 %r10, [%rd5]; add.u32 %r5, %r5, %r8; add.u32 %r5, %r5, %r9; add.u32 %r5, %r5, %r10;\n\
        st.global.u32 [%rd1], %r5;";
    let global = ".global .u32 g[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n.visible";
    let text = kernel(body).replacen(".visible", global, 1);
    let expected: Vec<u32> = (0..32).map(|n| n + 100 + n + 3 + n % 8 + 1 + 2).collect();
    assert_eq!(run(&text, &CHECKED, &[0; 32], &[vec![0; 4]]), Ok(expected));
}

#[test]
fn rejects_elements_of_non_arrays() {
    for (operand, expected) in [
        ("%rd1[1]", "`%rd1` is not an array"),
        ("n[0]", "is in a different state space"),
        ("g[%p1]", "an integer of 32 or 64 bits"),
    ] {
        let text = kernel(&format!("ld.global.u32 %r4, {operand};"));
        let text = text.replacen(".visible", ".global .u32 g[8];\n.visible", 1);
        let error = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(operand);
        assert!(error.contains(expected), "{operand}: {error}");
    }
}

#[test]
fn accepts_modifiers_in_any_order() {
    let body = "match.b32.sync.any %r4, 5, -1; cvt.pack.u8.s32.sat.b32 %r5, 300, -7, %r4; shfl.b32.idx.sync %r6, %r5, 0, 31, -1;\n\
        vote.b32.sync.ballot %r7, 1, -1; xor.b32 %r6, %r6, %r7; st.u32.global [%rd1], %r6;";
    assert_eq!(run_body(body, &[0; 32]), [0xFFFF_FF00 ^ u32::MAX; 32]);
    let error = run(&kernel("match.sync.u32.any %r4, 5, -1;"), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]);
    assert!(error.is_err_and(|error| error.contains("unknown instruction `match.sync.u32.any`")));
}

/// PTX ISA "cvt.pack": the upper half, the lower half, and the bits above both.
#[test]
fn integers_are_packed() {
    let body = "cvt.pack.sat.u8.s32.b32 %r4, 300, -7, 0x11223344; cvt.pack.sat.s16.s32 %r5, 40000, -7; cvt.pack.sat.s4.s32.b32 %r6, 100, -100, 5;\n\
        setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; selp.u32 %r4, %r4, %r5, %p1; selp.u32 %r4, %r6, %r4, %p2; st.global.u32 [%rd1], %r4;";
    assert_eq!(run_body(body, &[0; 32])[..3], [0x3344_FF00, 0x578, 0x7FFF_FFF9]);
    for (version, target, expected) in
        [("6.4", "sm_75", "`.version 6.5`"), ("6.5", "sm_70", "`.target sm_72`")]
    {
        let text = kernel("cvt.pack.sat.u16.s32 %r4, 1, 2;");
        let text = text.replacen("8.0", version, 1).replacen("sm_90", target, 1);
        let error = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
}
