//! Vector registers: their elements, and lists of values instead of them.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// Declarations before a body.
const VECTORS: &str = ".reg .v4 .b32 v, w<3>; .reg .v2 .f32 pair; .reg .v2 .b16 halves; .reg .v4 .b8 bytes;\n\
    .reg .v2 .b64 longs; .reg .b16 %h<9>; .reg .b128 %q<3>; .reg .f32 %f<9>;\n";

/// Runs a body in one thread, with a buffer of the words 1 to 8 at `%rd1`.
fn words(body: &str) -> Result<Vec<u32>, String> {
    let launch = Launch { checks: Checks::ALL, block: [1, 1, 1], ..ONE_BLOCK };
    let text = kernel(&format!("{VECTORS}{body}"));
    run(&text, &launch, &[1, 2, 3, 4, 5, 6, 7, 8], &[vec![0; 4]])
}

#[test]
fn elements_are_registers() {
    let body = "ld.global.v4.b32 v, [%rd1]; add.u32 v.x, v.y, v.w; mad.lo.u32 w1.z, v.x, v.z, v.r;\n\
        mov.b32 w1.x, 9; mov.b32 w1.g, v.b; mov.b32 w1.a, v.a; st.global.v4.u32 [%rd1], w1; st.global.u32 [%rd1+16], v.x;";
    assert_eq!(words(body), Ok(vec![9, 3, 24, 4, 6, 6, 7, 8]));
    let guarded = "setp.gt.u32 %p1|%p2, %r1, 5; selp.u32 v.y, 7, 6, %p1; @%p2 atom.global.add.u32 v.x, [%rd1+4], v.y;\n\
        @%p2 red.global.add.u32 [%rd1], v.x; shfl.sync.idx.b32 v.z|%p1, v.y, 0, 31, 1; @%p1 st.global.u32 [%rd1+8], v.z;";
    assert_eq!(words(guarded), Ok(vec![3, 8, 6, 4, 5, 6, 7, 8]));
    let floats = "mov.f32 pair.x, 0f40000000; mov.f32 pair.y, 0f40400000; mul.rn.f32 pair.x, pair.x, pair.y;\n\
        cvt.rni.u32.f32 v.x, pair.x; st.global.u32 [%rd1], v.x;";
    assert_eq!(words(floats), Ok(vec![6, 2, 3, 4, 5, 6, 7, 8]));
}

#[test]
fn vectors_are_copied_as_wholes() {
    let body = "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1+16]; mov.v4.b32 v, {%r7, %r6, 1, %r4}; mov.v4.u32 w2, v;\n\
        mov.v4.b32 {%r4, _, %r6, %r7}, w2; add.u32 %r4, %r4, %r6; st.global.u32 [%rd1], %r4; st.global.v4.b32 [%rd1+16], w2;";
    assert_eq!(words(body), Ok(vec![9, 2, 3, 4, 8, 7, 1, 5]));
    let narrow = "ld.global.v4.u8 v, [%rd1+4]; st.global.v4.u8 [%rd1], v; mov.v2.f32 pair, {0f3F800000, 0f00000000};\n\
        st.global.v2.f32 [%rd1+8], pair;";
    assert_eq!(words(narrow), Ok(vec![2, 2, 0x3F80_0000, 0, 5, 6, 7, 8]));
}

#[test]
fn vectors_are_packed_and_unpacked() {
    let body = "mov.b32 bytes, 0x44332211; mov.b32 halves, 0x88776655; mov.b32 %r4, {bytes.w, bytes.z, bytes.y, bytes.x};\n\
        mov.b32 {%h1, %h2}, %r4; mov.v2.b16 halves, {%h2, halves.x}; mov.b32 %r5, halves; mov.b64 %rd3, {%r4, %r5};\n\
        mov.v2.b64 longs, {%rd3, %rd3}; mov.b128 %q1, longs; st.global.b128 [%rd1], %q1; mov.b32 %r6, bytes;\n\
        ld.global.b128 %q2, [%rd1+16]; mov.b128 longs, %q2; st.global.u64 [%rd1+24], longs.x; st.global.u32 [%rd1+16], %r6;";
    let (low, high) = (0x1122_3344, 0x6655_1122);
    assert_eq!(words(body), Ok(vec![low, high, low, high, 0x4433_2211, 6, 5, 6]));
}

#[test]
fn special_registers_are_vectors_of_four() {
    let body = ".reg .v4 .u32 v; mov.v4.u32 v, %ntid; mov.v4.b32 {%r4, %r5, _, %r7}, %ctaid; shl.b32 v.y, v.y, 8;\n\
        shl.b32 v.z, v.z, 16; or.b32 v.x, v.x, v.y; or.b32 v.x, v.x, v.z; add.u32 v.x, v.x, v.w; add.u32 %r4, %r4, %r7;\n\
        st.global.u32 [%rd1], v.x; st.global.u32 [%rd1+128], %r4;";
    let launch = Launch::new([2, 1, 1], [4, 2, 1]);
    let found =
        run(&kernel(body), &launch, &[0; 64], &[vec![0; 4]]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((&found[..8], &found[32..40]), (&[0x1_0204; 8][..], &[0, 0, 0, 0, 1, 1, 1, 1][..]));
}

#[test]
fn vectors_are_parameters_and_results() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.reg .v2 .b32 r) swapped (.reg .v2 .b32 a, .reg .v4 .b16 b) { .reg .b32 t; cvt.u32.u16 t, b.w;\n\
        mov.b32 r.x, a.y; add.u32 r.y, a.x, t; ret; }\n\
        .visible .entry k(.param .u64 p) { .reg .b64 %rd1; .reg .v2 .b32 v, w; .reg .v4 .b16 h; ld.param.u64 %rd1, [p];\n\
        ld.global.v2.b32 v, [%rd1]; mov.b64 h, 0x0064000000000000; call (w), swapped, (v, h); st.global.v2.b32 [%rd1], w; ret; }";
    let launch = Launch { checks: Checks::ALL, block: [1, 1, 1], ..ONE_BLOCK };
    assert_eq!(run(text, &launch, &[1, 2], &[]), Ok(vec![2, 101]));
}

/// Inner names hide outer ones, vectors or not.
#[test]
fn blocks_have_vectors_of_their_own() {
    let body = "mov.b32 v.x, 5; { .reg .b32 v; mov.b32 v, 6; st.global.u32 [%rd1], v; }\n\
        { .reg .v2 .b32 %r<9>; mov.v2.b32 %r4, {7, 8}; st.global.v2.b32 [%rd1+8], %r4; } st.global.u32 [%rd1+4], v.x;";
    assert_eq!(words(body), Ok(vec![6, 5, 7, 8, 5, 6, 7, 8]));
}

#[test]
fn elements_that_nothing_writes_are_watched() {
    let error =
        words("mov.b32 w2.x, 3; add.u32 w2.x, w2.x, w2.y; st.global.u32 [%rd1], w2.x;").expect_err("no `.y`");
    assert!(error.contains("register `w2.y`, never written"), "{error}");
    assert_eq!(
        words("mov.b32 w2.x, 3; mov.v4.b32 v, w2; st.global.u32 [%rd1], v.x;"),
        Ok(vec![3, 2, 3, 4, 5, 6, 7, 8])
    );
    // The whole vector may be copied, and a register that only some threads write counts as written.
    for body in [
        "mov.b32 w2.x, 3; st.global.v4.b32 [%rd1+16], w2;",
        "setp.eq.u32 %p1, %r1, 0; @%p1 mov.b32 v.y, 4; @%p1 ld.global.v2.b32 {v.x, _}, [%rd1]; add.u32 v.x, v.x, v.y;",
    ] {
        assert!(words(body).is_ok(), "{body}: {:?}", words(body));
    }
}

/// Like ptxas, except that ptxas accepts elements that a vector lacks.
#[test]
fn rejects_invalid_vectors() {
    for (body, expected) in [
        (".reg .v2 .pred p;", "vectors cannot have predicates"),
        (".reg .v4 .f64 d;", "at most 4 elements and 128 bits"),
        (".reg .v2 .b128 d;", "at most 4 elements and 128 bits"),
        (".reg .v8 .b16 d;", "at most 4 elements and 128 bits"),
        (".reg .v2 .f32 d[4];", "registers cannot be arrays"),
        ("add.f32 pair, pair, pair;", "expected a register"),
        ("add.f32 pair.x, pair, pair.x;", "invalid operand"),
        ("add.f32 pair.x, pair.z, pair.x;", "`pair` has 2 elements and no `.z`"),
        ("add.u32 %r4, %r4.x, 1;", "`%r4` is not a vector"),
        ("mov.b32 w1, v;", "invalid operand"),
        ("mov.b64 %rd3, v;", "the type of register `v.x` does not match"),
        ("mov.v4.b32 {pair, pair}, v;", "the sizes of the parts do not add up to the whole"),
        ("mov.v2.b64 longs, {pair, %rd3};", "expected one value, but `pair` is a vector"),
        (".reg .v2 .b64 d; mov.b128 d, longs;", "the sizes of the parts do not add up to the whole"),
        ("mov.b128 {%rd3, %rd4}, {%rd5, %rd6};", "the sizes of the parts do not add up to the whole"),
        ("mov.v2.b64 pair, {%rd3, %rd4};", "does not match"),
        ("mov.v4.b32 v, {_, _, _, %r4};", "invalid operand"),
        ("mov.u32 %r4, %tid;", "`%tid` is a vector of four"),
        ("mov.v2.u32 {%r4, %r5}, %tid;", "the sizes of the parts do not add up to the whole"),
        ("mov.v4.u64 v, %tid;", "takes two vectors"),
        ("ld.global.v2.u32 v, [%rd1];", "expected 2 values, found 4"),
        ("ld.global.u32 %r4, [longs.x];", "expected an address"),
        ("ld.global.u32 %r4, [longs];", "the vector `longs` is not an address"),
    ] {
        let error = words(body).expect_err(body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}
