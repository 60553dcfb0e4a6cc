//! 128-bit values: packed, unpacked, loaded, stored, exchanged.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// Runs a body in one thread, with a buffer of eight words at `%rd1`.
fn words(body: &str) -> Result<Vec<u32>, String> {
    let text = kernel(&format!(
        ".reg .b128 %q<9>; .shared .align 16 .b8 s[32]; .local .align 16 .b8 o[32];\n{body}"
    ));
    let launch = Launch { checks: Checks::ALL, block: [1, 1, 1], ..ONE_BLOCK };
    run(&text, &launch, &[1, 2, 3, 4, 5, 6, 7, 8], &[vec![0; 4]])
}

#[test]
fn halves_make_a_value_and_come_out_of_it() {
    let body = "ld.global.b128 %q1, [%rd1]; mov.b128 {%rd3, %rd4}, %q1; mov.b128 %q2, {%rd4, %rd3};\n\
        mov.b128 %q3, %q2; mov.b128 {_, %rd5}, %q3; add.u64 %rd5, %rd5, 16; mov.b128 %q4, {%rd5, 9};\n\
        st.global.b128 [%rd1], %q4; st.global.b128 [%rd1+16], %q3;";
    assert_eq!(words(body), Ok(vec![17, 2, 9, 0, 3, 4, 1, 2]));
    let quarters = "ld.global.b128 %q1, [%rd1]; mov.b128 {%r4, _, %r6, %r7}, %q1; mov.b128 %q2, {%r7, %r6, %r4, 7};\n\
        st.global.b128 [%rd1], %q2;";
    assert_eq!(words(quarters), Ok(vec![4, 3, 1, 7, 5, 6, 7, 8]));
}

#[test]
fn all_memories_hold_them() {
    let body = "ld.relaxed.gpu.global.b128 %q1, [%rd1]; st.shared.b128 [s+16], %q1; st.local.b128 [o], %q1;\n\
        ld.shared.b128 %q2, [s+16]; cvta.global.u64 %rd3, %rd1; ld.b128 %q3, [%rd3+16]; st.b128 [%rd3], %q3;\n\
        ld.volatile.local.b128 %q4, [o]; mov.b128 {%rd4, %rd5}, %q4; mov.b128 {%rd6, %rd7}, %q2;\n\
        sub.u64 %rd6, %rd6, %rd4; sub.u64 %rd7, %rd7, %rd5; mov.b128 %q5, {%rd6, %rd7}; st.global.b128 [%rd1+16], %q5;";
    assert_eq!(words(body), Ok(vec![5, 6, 7, 8, 0, 0, 0, 0]));
}

#[test]
fn they_are_exchanged_as_wholes() {
    let body = "ld.global.b128 %q1, [%rd1]; atom.global.exch.b128 %q2, [%rd1+16], %q1;\n\
        atom.global.cas.b128 %q3, [%rd1], %q2, %q2; atom.acq_rel.gpu.global.cas.b128 _, [%rd1], %q3, %q2;";
    assert_eq!(words(body), Ok(vec![5, 6, 7, 8, 1, 2, 3, 4]));
    // The comparison of the first one fails: it exchanges nothing, and returns the old value.
    let fails = "ld.global.b128 %q1, [%rd1]; ld.global.b128 %q2, [%rd1+16]; atom.global.cas.b128 %q3, [%rd1], %q2, %q2;\n\
        st.global.b128 [%rd1+16], %q3;";
    assert_eq!(words(fails), Ok(vec![1, 2, 3, 4, 1, 2, 3, 4]));
}

/// All threads of four warps add to a value with `.cas`, in shared memory.
#[test]
fn many_threads_count() {
    let body = ".reg .b128 %q<9>; .shared .align 16 .b8 s[16]; setp.eq.u32 %p1, %r1, 0; mov.u64 %rd3, -1; mov.b128 %q1, {%rd3, 5};\n\
        @%p1 st.shared.b128 [s], %q1; bar.sync 0;\n\
        TRY: ld.volatile.shared.b128 %q1, [s]; mov.b128 {%rd3, %rd4}, %q1; add.cc.u64 %rd5, %rd3, 1; addc.u64 %rd6, %rd4, 0;\n\
        mov.b128 %q2, {%rd5, %rd6}; atom.shared.cas.b128 %q3, [s], %q1, %q2; mov.b128 {%rd7, %rd8}, %q3;\n\
        setp.ne.u64 %p2, %rd7, %rd3; @%p2 bra TRY; bar.sync 0;\n\
        ld.shared.b128 %q1, [s]; mov.b128 {%rd3, %rd4}, %q1; mul.lo.u64 %rd4, %rd4, 1000; add.u64 %rd3, %rd3, %rd4;\n\
        cvt.u32.u64 %r4, %rd3; st.global.u32 [%rd1], %r4;";
    let launch = Launch { checks: Checks::ALL, block: [128, 1, 1], ..ONE_BLOCK };
    assert_eq!(run(&kernel(body), &launch, &[0; 128], &[vec![0; 4]]), Ok(vec![6127; 128]));
}

#[test]
fn rejects_invalid_wide_operands() {
    for (body, expected) in [
        ("ld.global.b128 %q1, [%rd1+8];", "misaligned"),
        ("ld.global.b128 %q1, [%rd1+32];", "just past the end"),
        ("ld.shared.b128 %q1, [s]; atom.global.exch.b128 _, [%rd1], %q1;", "atomic operation depends on"),
        ("ld.global.b128 %q1, [%rd1]; atom.shared.cas.b128 _, [s], %q1, %q1;", "atomic operation depends on"),
        (
            "ld.global.b128 %q1, [%rd1]; atom.shared.exch.b128 %q2, [s], %q1; mov.b128 {%rd3, _}, %q2; st.global.u64 [%rd1], %rd3;",
            "value stored to global memory depends on",
        ),
        ("ld.global.v2.b128 {%q1, %q2}, [%rd1];", "cannot have elements of 128 bits"),
        ("ld.global.b128 %rd3, [%rd1];", "`%rd3` is not a register of 128 bits"),
        ("st.const.b128 [%rd1], %q1;", "is read-only"),
        ("mov.b128 {%rd1, %rd2}, {%r1, %r2, %r3};", "the sizes of the parts do not add up to the whole"),
        ("mov.b128 %q1, 5;", "expected a register of 128 bits"),
        ("atom.global.add.b128 %q1, [%rd1], %q2;", "only `atom.exch` and `atom.cas`"),
        ("red.global.exch.b128 [%rd1], %q2;", "only `atom.exch` and `atom.cas`"),
        ("atom.global.cas.b128 %q1, [%rd1], %q2;", "too few operands"),
        ("mov.f64 %rd3, {%r1, %r2};", "the sizes of the parts do not add up to the whole"),
        ("mov.u8 %r1, %r2;", "unknown instruction `mov.u8`"),
        ("mov.v2.u32 {%r1, %r2}, {%r1};", "the sizes of the parts do not add up to the whole"),
    ] {
        let error = words(body).expect_err(body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}
