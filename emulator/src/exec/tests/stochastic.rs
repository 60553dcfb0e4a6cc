//! `cvt.rs` in kernels: its operands, and the GPUs that support it. The tests of conversions cover its
//! results.

use super::{ONE_BLOCK, kernel, run};

/// Runs a body for the GPUs that support it.
fn rounded(body: &str, words: &[u32]) -> Result<Vec<u32>, String> {
    let text = kernel(&format!(".reg .b16 %h<9>; .reg .f32 %f<9>; .reg .v4 .f32 v;\n{body}"));
    let text = text.replacen(".version 8.0\n.target sm_90", ".version 8.7\n.target sm_100a", 1);
    run(&text, &ONE_BLOCK, words, &[vec![0; 4]])
}

#[test]
fn values_and_random_bits_are_taken() {
    // The first value is a quarter of the way from 1 to the next number, the second one half of it.
    let body = "mov.f32 %f1, 0f3F804000; mov.f32 %f2, 0f3F808000; ld.global.u32 %r4, [%rd1];\n\
        cvt.rs.bf16x2.f32 %r5, %f1, %f2, %r4; st.global.u32 [%rd1], %r5;";
    let words: Vec<u32> = (0..32).map(|lane| lane << 27 | lane << 11).collect();
    let expected = words.iter().map(|random| {
        let [first, second] = [random >> 16, random & 0xFFFF];
        0x3F80_3F80 + (u32::from(first >= 0xC000) << 16) + u32::from(second >= 0x8000)
    });
    assert_eq!(rounded(body, &words), Ok(expected.collect()));
    let four = "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0fC0000000; mov.f32 %f3, 0f40C00000; mov.f32 %f4, 0f3E800000;\n\
        mov.b32 %r4, 0; cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1, %f2, %f3, %f4}, %r4; mov.b32 %r4, -1;\n\
        cvt.rs.relu.satfinite.e2m1x4.f32 %h2, {%f1, %f2, %f3, %f4}, %r4; mov.b32 %r5, {%h1, %h2};\n\
        st.global.u32 [%rd1], %r5;";
    assert_eq!(rounded(four, &[0; 32]), Ok(vec![0x2071_2C70; 32]));
    let element = "mov.f32 v.x, 0f40000000; mov.b32 %r4, 0; cvt.rs.satfinite.e4m3x4.f32 %r5, {v.x, v.x, v.x, v.x}, %r4;\n\
        st.global.u32 [%rd1], %r5;";
    assert_eq!(rounded(element, &[0; 32]), Ok(vec![0x4040_4040; 32]));
}

/// Like ptxas.
#[test]
fn other_operands_and_targets_are_refused() {
    for (instruction, expected) in [
        ("cvt.rs.f16x2.f32 %r4, %f1, %f2;", "takes 4 operands, found 3"),
        ("cvt.rs.f16x2.f32 %r4, %f1, %f2, 5;", "the random bits must be in a register"),
        ("cvt.rs.f16.f32 %h1, %f1, %r5;", "unknown instruction `cvt.rs.f16.f32`"),
        ("cvt.rs.e4m3x4.f32 %r4, {%f1, %f2, %f3, %f4}, %r5;", "unknown instruction"),
        ("cvt.rs.satfinite.e4m3x4.f32 %h1, {%f1, %f2, %f3, %f4}, %r5;", "the type of register `%h1`"),
        ("cvt.rs.satfinite.e2m1x4.f32 %r4, {%f1, %f2, %f3, %f4}, %r5;", "the type of register `%r4`"),
        ("cvt.rs.satfinite.e4m3x4.f32 %r4, {%f1, %f2}, %r5;", "takes 6 operands, found 4"),
        ("cvt.rs.satfinite.e4m3x4.f32 %r4, %f1, %f2, %f3, %f4, %r5;", "a list of four values"),
        ("cvt.rs.satfinite.e4m3x4.f32 %r4, v, %r5;", "a list of four values"),
    ] {
        let error = rounded(instruction, &[0; 32]).expect_err(instruction);
        assert!(error.starts_with("test:10:1:") && error.contains(expected), "{instruction}: {error}");
    }
    for (version, target, expected) in [
        ("8.7", "sm_100a", None),
        ("8.8", "sm_103a", None),
        ("9.4", "sm_107a", None),
        ("8.8", "sm_100f", Some("`cvt.rs` needs one of the targets sm_100a, sm_103a, sm_107a")),
        ("9.0", "sm_120a", Some("`cvt.rs` needs one of the targets")),
        ("8.6", "sm_100a", Some("`cvt.rs` needs `.version 8.7` or later")),
    ] {
        let head = format!(".version {version}\n.target {target}");
        let text = kernel("mov.b32 %r5, 0; cvt.rs.f16x2.f32 %r4, %r5, %r5, %r5;");
        let outcome =
            run(&text.replacen(".version 8.0\n.target sm_90", &head, 1), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]);
        match expected {
            None => assert!(outcome.is_ok(), "{head}: {outcome:?}"),
            Some(expected) => assert!(outcome.expect_err(&head).contains(expected), "{head}"),
        }
    }
}
