//! Runs kernels.

mod absent;
mod atomic;
mod atomic_vector;
mod barrier;
mod bulk;
mod call;
mod cluster;
mod collected;
mod collective;
mod console;
mod cooperative;
mod copy;
mod decoder;
mod division;
mod livelock;
mod matrix;
mod matrix_rows;
mod mbarrier;
mod memory;
mod operands;
mod order;
mod profile;
mod provenance;
mod races;
mod races_order;
mod scaled;
mod semantics;
mod special;
mod stack;
mod stochastic;
mod tensor;
mod texture;
mod trace;
mod turns;
mod undefined;
mod variables;
mod vector;
mod video;
mod wide;

use super::device::{Device, Launch};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// Runs a kernel `k` on a buffer of 32-bit words, whose address is its first argument, and returns the
/// buffer.
fn run(text: &str, launch: &Launch, words: &[u32], args: &[Vec<u8>]) -> Result<Vec<u32>, String> {
    let module = parse(text).map_err(|error| error.to_string())?;
    let program =
        link(&[Input { name: "test", text, module: &module }]).map_err(|error| error.to_string())?;
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let len = 4 * words.len();
    let buffer = device.global.allocate(len as u64, 1).expect("there is room");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    device.global.write(buffer, &bytes).expect("it is there");
    let mut all = vec![buffer.to_le_bytes().to_vec()];
    all.extend_from_slice(args);
    device.launch("k", launch, &all).map_err(|fault| fault.to_string())?;
    let mut bytes = vec![0; len];
    device.global.read(buffer, &mut bytes).expect("it is there");
    Ok(bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

const ONE_BLOCK: Launch = Launch::new([1; 3], [32, 1, 1]);

/// A kernel with registers: `%rd1` is the address of the thread's word, `%r1` the thread's index.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\" .visible .entry k(.param .u64 p, .param .u32 n) {{\n\
         .reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;\n\
         ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1;\n\
         mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r1, %tid.x; mad.lo.s32 %r1, %r2, %r3, %r1;\n\
         mul.wide.s32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;\n{body}\n}}"
    )
}

fn run_body(body: &str, words: &[u32]) -> Vec<u32> {
    run(&kernel(body), &ONE_BLOCK, words, &[vec![7, 0, 0, 0]]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn threads_have_words_of_their_own() {
    let text = kernel("ld.param.u32 %r4, [n]; mad.lo.u32 %r5, %r1, 3, %r4; st.global.u32 [%rd1], %r5; ret;");
    let launch = Launch::new([3, 1, 1], [20, 1, 1]);
    let found = run(&text, &launch, &[0; 60], &[vec![100, 0, 0, 0]]);
    assert_eq!(found, Ok((0..60).map(|n| 3 * n + 100).collect()));
}

#[test]
fn threads_that_branch_differently_meet_again() {
    let found = run_body(
        "and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; mov.u32 %r6, 0; @%p1 bra EVEN;\n\
         mov.u32 %r5, 1; bra.uni JOIN;\n\
         EVEN: mov.u32 %r5, 2;\n\
         JOIN: setp.ge.u32 %p2, %r6, %r1; @%p2 bra END; add.u32 %r6, %r6, 1; bra JOIN;\n\
         END: mad.lo.u32 %r5, %r6, 10, %r5; st.global.u32 [%rd1], %r5;",
        &[0; 32],
    );
    assert_eq!(found, (0..32).map(|n| 10 * n + 2 - n % 2).collect::<Vec<u32>>());
}

#[test]
fn predicates_may_be_negated_and_guard_anything() {
    let found = run_body(
        "setp.lt.u32 %p1|%p2, %r1, 16; mov.u32 %r4, 5; @!%p1 mov.u32 %r4, 6; @%p2 add.u32 %r4, %r4, 10;\n\
         selp.u32 %r5, 100, 200, %p1; add.u32 %r4, %r4, %r5; @%p1 exit; st.global.u32 [%rd1], %r4;",
        &[1; 32],
    );
    let expected: Vec<u32> = (0..32).map(|n| if n < 16 { 1 } else { 216 }).collect();
    assert_eq!(found, expected);
}

#[test]
fn blocks_share_memory_and_wait_at_barriers() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 s[400];\n\
        .visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s;\n\
        add.u32 %r4, %r3, %r2; st.shared.u32 [%r4], %r1; bar.sync 0;\n\
        sub.u32 %r5, 396, %r2; add.u32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5];\n\
        mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r6; ret; }";
    let launch = Launch::new([1; 3], [100, 1, 1]);
    assert_eq!(run(text, &launch, &[0; 100], &[]), Ok((0..100).rev().collect()));
}

#[test]
fn functions_call_themselves_and_others() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .b32 r) fib (.param .b32 n) { .reg .pred %p<2>; .reg .b32 %r<9>;\n\
        ld.param.b32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra SMALL;\n\
        { .param .b32 a; .param .b32 v; sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call.uni (v), fib, (a); ld.param.b32 %r3, [v]; }\n\
        { .param .b32 a; .param .b32 v; sub.u32 %r2, %r1, 2; st.param.b32 [a], %r2; call.uni (v), fib, (a); ld.param.b32 %r4, [v]; }\n\
        add.u32 %r1, %r3, %r4; SMALL: st.param.b32 [r], %r1; ret; }\n\
        .func (.param .b32 r) twice (.param .b32 n) { .reg .b32 %r<3>;\n\
        ld.param.b32 %r1, [n]; shl.b32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }\n\
        .global .u64 table[2] = {fib, twice};\n\
        .visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n\
        and.b32 %r2, %r1, 1; mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, table; add.u64 %rd4, %rd4, %rd3;\n\
        ld.global.u64 %rd5, [%rd4]; shr.u32 %r3, %r1, 1;\n\
        { .param .b32 a; .param .b32 v; st.param.b32 [a], %r3;\n\
        proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (v), %rd5, (a), proto; ld.param.b32 %r4, [v]; }\n\
        st.global.u32 [%rd1], %r4; ret; }";
    let fib = |n: u32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    let expected = (0..32).map(|n| if n % 2 == 0 { fib(n / 2) } else { n / 2 * 2 }).collect();
    assert_eq!(run(text, &ONE_BLOCK, &[0; 32], &[]), Ok(expected));
}

#[test]
fn wrong_accesses_stop_the_launch() {
    let text = kernel(".loc 1 17 5\nst.global.u32 [%rd1+8], %r1;");
    let error = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("two words too far");
    let expected = "out-of-bounds global write of 4 bytes at 0x7f0000000080: just past the end of the allocation (128 bytes at 0x7f0000000000), in `k`, by thread (30, 0, 0) of block (0, 0, 0), at test:10, from kernel.cu:17";
    assert!(error.contains(expected), "{error}");
    let error = run(&kernel("ld.global.u32 %r1, [%rd1+2];"), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]);
    assert!(error.expect_err("misaligned").contains("misaligned"));
}

#[test]
fn barriers_that_some_never_reach_are_noticed() {
    let text = kernel(
        "setp.ge.u32 %p1, %r1, 5; @%p1 bra OTHER;\n.loc 1 3 1\nbar.sync 1, 64;\nOTHER:\n.loc 1 4 1\nbarrier.sync 2, 64;",
    );
    let error =
        run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("half of the threads are not there");
    let expected = "deadlock: threads wait for others that never arrive: \
        thread (0, 0, 0) of block (0, 0, 0) and 4 more of its warp wait for 64 threads at barrier 1 at test:11, from \
        kernel.cu:3; thread (5, 0, 0) of block (0, 0, 0) and 26 more of its warp wait for 64 threads at barrier 2 at \
        test:14, from kernel.cu:4";
    assert_eq!(error, expected);
}

#[test]
fn loops_without_an_end_come_to_a_limit() {
    let text = kernel("setp.eq.u32 %p1, %r1, 3; @!%p1 exit;\nAGAIN: add.u32 %r4, %r4, 1; bra AGAIN;");
    let launch = Launch { step_limit: Some(1000), ..ONE_BLOCK };
    let error = run(&text, &launch, &[0; 32], &[vec![0; 4]]).expect_err("it never ends");
    let expected = "limit of 1000 instructions per warp reached: thread (3, 0, 0) of block (0, 0, 0) was \
        at test:10";
    assert_eq!(error, expected);
}

#[test]
fn as_many_instructions_as_the_limit_are_allowed() {
    let body = "st.global.u32 [%rd1], %r1; exit;";
    let launch = |limit| Launch { step_limit: Some(limit), ..ONE_BLOCK };
    let run = |limit| run(&kernel(body), &launch(limit), &[0; 32], &[vec![0; 4]]);
    assert!(run(10).is_ok());
    assert!(run(9).is_err_and(|error| error.starts_with("limit of ")));
}

#[test]
fn faults_name_the_function_and_the_kernel() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.func f () { trap; ret; }\n\
        .visible .entry k(.param .u64 p) { call f; ret; }";
    let error = run(text, &ONE_BLOCK, &[0], &[]).expect_err("it stops");
    assert_eq!(
        error,
        "`trap` was executed, in `f` of kernel `k`, by thread (0, 0, 0) of block (0, 0, 0), at test:4"
    );
}

#[test]
fn rejects_programs_that_cannot_be_laid_out_or_decoded() {
    let head = ".version 8.0\n.target sm_90\n.address_size 64\n";
    let cases = [
        (".global .b8 t[-4];", "too large"),
        (".shared .b8 t[-6];", "too large"),
        (".global .b8 a[4000000000]; .global .b8 b[4000000000];", "too large in total"),
        (".entry k() { .reg .f32 %f; cvt.rn.f32.s32 %f; }", "takes 2 operands, found 1"),
        (".entry k() { .reg .f32 %f; cvt.rn.f32.s32 %f, 1, 2; }", "takes 2 operands, found 3"),
    ];
    for (text, why) in cases {
        let error = run(&format!("{head}{text}"), &ONE_BLOCK, &[0], &[]).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}
