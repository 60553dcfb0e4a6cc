//! Video instructions in kernels: their operands.

use super::{ONE_BLOCK, kernel, run, run_body};

#[test]
fn parts_of_operands_are_chosen_and_negated() {
    // `%r1` is the thread's index.
    let body = "mov.u32 %r4, 0x80402010; shl.b32 %r5, %r1, 16; mov.u32 %r6, -1;\n\
                vadd.s32.s32.u32 %r7, %r4.b3, %r5.h1; vmad.s32.s32.u32 %r7, -%r7, %r1.b0, 1000;\n\
                vsub2.u32.u32.u32 %r6.h1, %r5, %r6, %r6; vabsdiff4.u32.u32.u32.add %r7, %r4, 0, %r7;\n\
                vadd.u32.u32.u32 %r8.b3, %r1, 1, %r7; vmin.u32.u32.u32 %r8, %r8, -1, 9; st.global.u32 [%rd1], %r8;";
    let found = run_body(body, &[0; 32]);
    let expected = (0..32_i32).map(|n| {
        let product = 1000 - (n - 128) * n;
        let sum = (product + 0x80 + 0x40 + 0x20 + 0x10) as u32;
        sum & 0xFF_FFFF | (n as u32 + 1) << 24
    });
    assert_eq!(found, expected.collect::<Vec<u32>>());
}

#[test]
fn rejects_invalid_operands() {
    for (instruction, expected) in [
        ("vadd.u32.u32.u32 %r4, %r1.b5, %r2;", "`.b5` does not select a byte or half"),
        ("vadd.u32.u32.u32 %r4, %r1;", "takes 3 operands, found 2"),
        ("vadd.u32.u32.u32.min %r4, %r1, %r2;", "takes 4 operands, found 3"),
        ("vadd.u32.u32.u32.min %r4, %r1, %r2, %r3.b0;", "the third operand must be a whole word"),
        ("vadd4.u32.u32.u32 %r4, %r1, %r2;", "takes 4 operands, found 3"),
        ("vadd.u32.u32.u32 %rd1, %r1, %r2;", "does not match the instruction"),
        ("vadd.u32.u32.u32 %r4, -%r1, %r2;", "cannot be negated"),
        ("add.u32 %r4, -%r1, %r2;", "does not support `-` before an operand"),
        ("vadd.u32.u32.u32;", "has no operands"),
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with("test:9:1: ") && error.contains(expected), "{instruction}: {error}");
    }
}
