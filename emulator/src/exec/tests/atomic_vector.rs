//! Atomic operations on vectors: element by element, one thread after the other.

use super::{ONE_BLOCK, kernel, run};
use crate::compute::operation;
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// The supported vectors of each type: the operations, the type, the sizes.
const FORMS: [(&[&str], &str, &[usize]); 5] = [
    (&["add"], "f32", &[2, 4]),
    (&["add.noftz", "min.noftz", "max.noftz"], "f16", &[2, 4, 8]),
    (&["add.noftz", "min.noftz", "max.noftz"], "bf16", &[2, 4, 8]),
    (&["add.noftz", "min.noftz", "max.noftz"], "f16x2", &[2, 4]),
    (&["add.noftz", "min.noftz", "max.noftz"], "bf16x2", &[2, 4]),
];

/// The initial values in memory, and the operands of a thread: numbers, zeros, infinities and a NaN.
fn words(thread: usize) -> [u32; 4] {
    const SOME: [u32; 11] = [
        0x3C00_BC00,
        0x4000_0001,
        0x8000_7C00,
        0x3F80_4248,
        0xC000_0000,
        0x0000_8000,
        0x7FC0_7E00,
        0xFF80_FC00,
        0x4049_0FDB,
        0x03FF_83FF,
        0x3555_B555,
    ];
    std::array::from_fn(|idx| SOME[(5 * thread + 3 * idx + thread * idx) % SOME.len()])
}

fn wide_kernel(body: &str) -> String {
    kernel(body).replacen(".version 8.0", ".version 8.1", 1)
}

/// A list of registers.
fn list(register: &str, n_values: usize, from: usize) -> String {
    let all: Vec<String> = (from..from + n_values).map(|number| format!("{register}{number}")).collect();
    format!("{{{}}}", all.join(", "))
}

/// The result of an operation, which other tests prove.
fn updated(kind: &str, ty: &str, old: u64, operand: u64) -> u64 {
    let kind = kind.trim_end_matches(".noftz");
    let made = if kind == "add" { operation(kind, &["rn", ty]) } else { operation(kind, &[ty]) };
    let mut result = [[0; 32]];
    (made.expect("there is one").compute)(&[&[old; 32], &[operand; 32]], &mut result);
    result[0][0]
}

/// The layout: four operand words per thread, the words of memory, then the results.
#[test]
fn each_value_is_updated_by_one_thread_after_the_other() {
    let mut n_forms = 0;
    for (kinds, ty, sizes) in FORMS {
        let width = if matches!(ty, "f16" | "bf16") { 2 } else { 4 };
        for (&kind, &n_values) in kinds.iter().flat_map(|kind| sizes.iter().map(move |size| (kind, size))) {
            let (register, moved) = if width == 2 { ("%h", "b16") } else { ("%r", "b32") };
            let (operands, results) = (list(register, n_values, 20), list(register, n_values, 30));
            for (opcode, space) in [("atom", ".global"), ("atom", ""), ("red", ".global")] {
                let given = if opcode == "atom" { format!("{results},") } else { String::new() };
                let body = format!(
                    ".reg .b16 %h<40>; ld.param.u64 %rd3, [p]; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd4, %rd4, %rd3;\n\
                     ld.global.v{n_values}.{moved} {operands}, [%rd4]; ld.global.v{n_values}.{moved} {results}, [%rd3];\n\
                     {opcode}{space}.{kind}.v{n_values}.{ty} {given} [%rd3+512], {operands};\n\
                     st.global.v{n_values}.{moved} [%rd4+528], {results};"
                );
                let mut memory: Vec<u32> = (0..33).flat_map(words).collect();
                memory.extend([0; 128]);
                let launch = Launch { checks: Checks::ALL, ..ONE_BLOCK };
                let found = run(&wide_kernel(&body), &launch, &memory, &[vec![0; 4]])
                    .unwrap_or_else(|error| panic!("{body}: {error}"));
                let value = |words: &[u32], idx: usize| match width {
                    2 => u64::from(words[idx / 2] >> (16 * (idx % 2)) & 0xFFFF),
                    _ => u64::from(words[idx]),
                };
                let form = format!("{opcode}{space}.{kind}.v{n_values}.{ty}");
                for idx in 0..n_values {
                    let mut expected = value(&words(32), idx);
                    for thread in 0..32 {
                        if opcode == "atom" {
                            let got = value(&found[132 + 4 * thread..], idx);
                            assert_eq!(got, expected, "{form}: value {idx} of thread {thread}");
                        }
                        expected = updated(kind, ty, expected, value(&words(thread), idx));
                    }
                    assert_eq!(value(&found[128..], idx), expected, "{form}: value {idx} in memory");
                }
                let used = n_values * width / 4;
                assert_eq!(found[128 + used..132], words(32)[used..], "{form}: what is after the vector");
                n_forms += 1;
            }
        }
    }
    assert_eq!(n_forms, 3 * (2 + 9 + 9 + 6 + 6));
}

#[test]
fn blocks_add_to_the_same_vector() {
    let body = "ld.param.u64 %rd3, [p]; mov.b32 %r4, 0f3F800000; mov.b32 %r5, 0f40000000;\n\
        red.relaxed.gpu.global.v2.f32.add [%rd3], {%r4, %r5}; atom.global.add.v2.f32 _, [%rd3+8], {%r5, %r4};";
    let launch = Launch::new([16, 1, 1], [64, 1, 1]);
    let expected: Vec<u32> = [1024.0_f32, 2048.0, 2048.0, 1024.0].map(f32::to_bits).to_vec();
    assert_eq!(run(&wide_kernel(body), &launch, &[0; 4], &[vec![0; 4]]), Ok(expected));
}

/// A lock: while blocks wait for what another one adds, they take turns.
#[test]
fn blocks_may_wait_for_additions_of_others() {
    let body = "ld.param.u64 %rd3, [p]; mov.b32 %r4, 0f3F800000; mov.b32 %r5, 0f00000000; red.global.add.v2.f32 [%rd3], {%r4, %r5};\n\
        AGAIN: atom.global.add.v2.f32 {%r6, _}, [%rd3], {%r5, %r5}; setp.ne.u32 %p1, %r6, 0x41000000; @%p1 bra AGAIN;\n\
        red.global.add.v2.f32 [%rd3], {%r5, %r4};";
    let launch = Launch { step_limit: Some(1_000_000), ..Launch::new([8, 1, 1], [1, 1, 1]) };
    let expected = [8.0_f32, 8.0].map(f32::to_bits).to_vec();
    assert_eq!(run(&wide_kernel(body), &launch, &[0; 2], &[vec![0; 4]]), Ok(expected));
}

#[test]
fn results_may_overwrite_operands() {
    let body = "mov.b32 %r4, 0f3F800000; mov.b32 %r5, 0f40000000; atom.global.add.v2.f32 {%r5, %r4}, [%rd1], {%r4, %r5};\n\
        st.global.v2.b32 [%rd1+8], {%r4, %r5};";
    let launch = Launch { checks: Checks::ALL, block: [1, 1, 1], ..ONE_BLOCK };
    let [two, three, four, six] = [2.0_f32, 3.0, 4.0, 6.0].map(f32::to_bits);
    let found = run(&wide_kernel(body), &launch, &[two, four, 0, 0], &[vec![0; 4]]);
    assert_eq!(found, Ok(vec![three, six, four, two]));
}

#[test]
fn rejects_invalid_vector_atomics() {
    let checks = Checks { same_value_races: false, ..Checks::ALL };
    let launch = Launch { checks, block: [2, 1, 1], ..ONE_BLOCK };
    for (body, expected) in [
        ("ld.param.u64 %rd3, [p]; red.global.add.v4.f32 [%rd3+8], {%r1, %r1, %r1, %r1};", "misaligned"),
        (
            "ld.param.u64 %rd3, [p]; red.global.add.v4.f32 [%rd3+16], {%r1, %r1, %r1, %r1};",
            "just past the end",
        ),
        ("ld.param.u64 %rd3, [p]; red.global.add.v2.f32 [%rd3], {%r1, %r50};", "register `%r50`"),
        (
            ".shared .align 8 .b8 s[8]; mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3; st.b32 [%rd3], 0; bar.sync 0;\n\
             red.add.v2.f32 [%rd3], {%r1, %r1};",
            "atomic operation depends on uninitialized memory: ",
        ),
        (
            "ld.param.u64 %rd3, [p]; setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd3+4], 7; @!%p1 bra ADD; exit;\n\
             ADD: red.global.add.v2.f32 [%rd3], {%r1, %r1};",
            "race",
        ),
    ] {
        let error = run(&wide_kernel(body), &launch, &[0; 4], &[vec![0; 4]]).expect_err(body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}

/// Like ptxas.
#[test]
fn vectors_that_there_are_not_are_refused() {
    let unknown = "unknown operation of `";
    for (instruction, expected) in [
        ("atom.shared.add.v2.f32 {%r4, %r5}, [s], {%r4, %r5};", unknown),
        ("atom.global.add.v8.f32 {%r4, %r5}, [%rd1], {%r4, %r5};", unknown),
        ("atom.global.add.noftz.v2.f32 {%r4, %r5}, [%rd1], {%r4, %r5};", unknown),
        ("atom.global.min.v2.f32 {%r4, %r5}, [%rd1], {%r4, %r5};", unknown),
        ("atom.global.add.v2.f64 {%rd4, %rd5}, [%rd1], {%rd4, %rd5};", unknown),
        ("atom.global.add.v2.u32 {%r4, %r5}, [%rd1], {%r4, %r5};", unknown),
        ("atom.global.exch.v2.b32 {%r4, %r5}, [%rd1], {%r4, %r5};", unknown),
        ("atom.global.add.v2.f16x2 {%r4, %r5}, [%rd1], {%r4, %r5};", unknown),
        ("red.global.max.noftz.v8.bf16x2 [%rd1], {%r4, %r5};", unknown),
        ("atom.global.min.noftz.f16 %r4, [%rd1], %r4;", unknown),
        ("atom.global.add.v2.f32 {%r4, %r5}, [%rd1], {%r4, %r5, %r6};", "expected 2 values, found 3"),
        ("atom.global.add.v2.f32 %rd4, [%rd1], {%r4, %r5};", "expected 2 values, found 1"),
        ("atom.global.add.v2.f32 {%r4, %r5}, [%rd1], {%r4, %r5}, %rd3;", "too many operands"),
        ("atom.global.add.L2::cache_hint.v2.f32 {%r4, %r5}, [%rd1], {%r4, %r5};", "too few operands"),
        ("atom.global.add.u32 %r4, [%rd1], %r4, %rd3;", "too many operands"),
    ] {
        let error =
            run(&wide_kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with("test:9:1: ") && error.contains(expected), "{instruction}: {error}");
    }
    let add = kernel("atom.global.add.v2.f32 {%r4, %r5}, [%rd1], {%r4, %r5};");
    for (text, expected) in [
        (add.clone(), "test:9:1: an atomic operation on a vector needs `.version 8.1` or later"),
        (
            add.replace(".version 8.0", ".version 8.1").replace("sm_90", "sm_89"),
            "test:9:1: an atomic operation on a vector needs `.target sm_90` or higher",
        ),
    ] {
        assert_eq!(run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]), Err(expected.to_owned()));
    }
}

#[test]
fn accepts_cache_hints() {
    let body = "mov.u32 %r4, 2; atom.global.add.L2::cache_hint.u32 %r5, [%rd1], %r4, %rd1; red.global.add.L2::cache_hint.v2.f32 [%rd1], {0f00000000, %r5}, %rd1;";
    let launch = Launch { block: [1, 1, 1], ..ONE_BLOCK };
    assert_eq!(run(&wide_kernel(body), &launch, &[7, 0], &[vec![0; 4]]), Ok(vec![9, 7]));
}
