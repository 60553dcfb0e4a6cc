//! Atomic operations: each operation on each type, by the threads of a warp in order, compared with a
//! sequential computation in the test.

use super::{ONE_BLOCK, kernel, run};
use crate::compute::lane::Lane;
use crate::compute::operation;

/// The initial value in memory; the operands derive from it.
const START: u64 = 0x3C00_4000_0000_0005;

fn operand(n: u64) -> u64 {
    // Small numbers, and some that are at the limits of all widths.
    match n % 4 {
        0 => n,
        1 => 0x8000_7FFF_8000_7FFF ^ n,
        2 => 0x4100_3C00_4100_3C00 + n,
        _ => 5,
    }
}

/// The final value in memory, and the result of each thread.
fn outcome(opcode: &str, kind: &str, ty: &str, width: u32, space: &str) -> (u64, Vec<u64>) {
    let (register, store) = match width {
        16 => ("%h", "st.u16"),
        32 => ("%r", "st.u32"),
        _ => ("%rd", "st.u64"),
    };
    // The new value of `.cas` is one more than the operand.
    let (new, make_new) = match (kind, width) {
        ("cas", 16) => (", %h6", "add.u16 %h6, %h4, 1;"),
        ("cas", 32) => (", %r6", "add.u32 %r6, %r4, 1;"),
        ("cas", _) => (", %rd7", "add.u64 %rd7, %rd4, 1;"),
        _ => ("", ""),
    };
    let operation = match opcode {
        "atom" => format!("atom.{space}.{kind}.{ty} {register}5, [%rd8], {register}4{new};"),
        _ => format!("red.{space}.{kind}.{ty} [%rd8], {register}4;"),
    };
    // The operands of all threads, the word of memory, then their results.
    let address = if space == "shared" {
        "mov.u64 %rd8, s; ld.global.u64 %rd5, [%rd3+256]; st.shared.u64 [%rd8], %rd5; bar.warp.sync -1;"
    } else {
        "add.u64 %rd8, %rd3, 256;"
    };
    let back = if space == "shared" {
        "bar.warp.sync -1; ld.shared.u64 %rd7, [%rd8]; st.global.u64 [%rd3+256], %rd7;"
    } else {
        ""
    };
    let text = kernel(&format!(
        ".reg .b16 %h<9>; .shared .align 8 .b8 s[8]; ld.param.u64 %rd3, [p]; mul.wide.u32 %rd6, %r1, 8; add.u64 %rd6, %rd6, %rd3;\n\
         ld.global.u64 %rd4, [%rd6]; cvt.u32.u64 %r4, %rd4; cvt.u16.u64 %h4, %rd4; mov.u16 %h5, 0; mov.u32 %r5, 0; {make_new}\n\
         {address} mov.u64 %rd5, 0; {operation} {store} [%rd6+264], {register}5; {back}"
    ));
    let mut longs: Vec<u64> = (0..32).map(operand).collect();
    longs.push(START);
    longs.extend([0; 32]);
    let words: Vec<u32> = longs.iter().flat_map(|&long| [long as u32, (long >> 32) as u32]).collect();
    let found =
        run(&text, &ONE_BLOCK, &words, &[vec![0; 4]]).unwrap_or_else(|error| panic!("{text}: {error}"));
    let long = |idx: usize| u64::from(found[2 * idx + 1]) << 32 | u64::from(found[2 * idx]);
    (long(32), (33..65).map(long).collect())
}

/// The new value, computed from the old one.
fn updated(kind: &str, ty: &str, old: u64, operand: u64, width: u32) -> u64 {
    let signed = |value: u64| (value << (64 - width)) as i64 >> (64 - width);
    match (kind, ty) {
        ("and", _) => old & operand,
        ("or", _) => old | operand,
        ("xor", _) => old ^ operand,
        ("exch", _) => operand,
        ("cas", _) => {
            if old == operand {
                operand.wrapping_add(1)
            } else {
                old
            }
        }
        ("inc", _) => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        ("dec", _) => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        ("add", "u32" | "s32" | "u64") => old.wrapping_add(operand),
        ("min", "u32" | "u64") => old.min(operand),
        ("max", "u32" | "u64") => old.max(operand),
        ("min", _) => signed(old).min(signed(operand)) as u64,
        ("max", _) => signed(old).max(signed(operand)) as u64,
        ("add.noftz", _) | ("add", _) => {
            // Other tests prove sums rounded to nearest.
            let sum = operation("add", &["rn", ty]).expect("there is a sum");
            let mut result = [[0; 32]];
            (sum.compute)(&[&[old; 32], &[operand; 32]], &mut result);
            u64::from_bits(result[0][0])
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_kind_of_each_type_is_done_by_one_thread_after_the_other() {
    let mut n_forms = 0;
    for (kinds, types) in [
        (&["and", "or", "xor"][..], &["b32", "b64"][..]),
        (&["exch"], &["b32", "b64"]),
        (&["cas"], &["b16", "b32", "b64"]),
        (&["inc", "dec"], &["u32"]),
        (&["add"], &["u32", "s32", "u64", "f32", "f64"]),
        (&["min", "max"], &["u32", "s32", "u64", "s64"]),
        (&["add.noftz"], &["f16", "f16x2", "bf16", "bf16x2"]),
    ] {
        for (&kind, &ty) in kinds.iter().flat_map(|kind| types.iter().map(move |ty| (kind, ty))) {
            let width = match ty {
                "b16" | "f16" | "bf16" => 16,
                "b64" | "u64" | "s64" | "f64" => 64,
                _ => 32,
            };
            let mask = u64::MAX >> (64 - width);
            let (mut memory, mut olds) = (START & mask, Vec::new());
            for n in 0..32 {
                olds.push(memory);
                memory = updated(kind, ty, memory, operand(n) & mask, width) & mask;
            }
            for space in ["global", "shared"] {
                let (found, got) = outcome("atom", kind, ty, width, space);
                assert_eq!(
                    (found & mask, found & !mask),
                    (memory, START & !mask),
                    "atom.{space}.{kind}.{ty}"
                );
                assert_eq!(got, olds, "atom.{space}.{kind}.{ty}");
                if !matches!(kind, "exch" | "cas") {
                    let (found, _) = outcome("red", kind, ty, width, space);
                    assert_eq!(found & mask, memory, "red.{space}.{kind}.{ty}");
                }
                n_forms += 1;
            }
        }
    }
    assert_eq!(n_forms, 2 * (6 + 2 + 3 + 2 + 5 + 8 + 4));
}

/// Like ptxas.
#[test]
fn kinds_that_there_are_not_are_refused() {
    for instruction in [
        "atom.global.and.u32 %r4, [%rd1], %r1;",
        "atom.global.exch.u32 %r4, [%rd1], %r1;",
        "atom.global.exch.f32 %r4, [%rd1], %r1;",
        "red.global.exch.b32 [%rd1], %r1;",
        "atom.global.cas.u32 %r4, [%rd1], %r1, %r2;",
        "atom.global.add.s64 %rd4, [%rd1], %rd1;",
        "atom.global.add.b32 %r4, [%rd1], %r1;",
        "atom.global.add.f16x2 %r4, [%rd1], %r1;",
        "atom.global.add.noftz.u32 %r4, [%rd1], %r1;",
        "atom.global.min.f32 %r4, [%rd1], %r1;",
        "atom.global.inc.s32 %r4, [%rd1], %r1;",
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with("test:9:1: unknown operation of `"), "{instruction}: {error}");
    }
}
