//! Blocks at the same time, one after the other, and in turns: the results are the same.

use std::num::NonZeroUsize;

use super::kernel;
use crate::exec::device::{Device, Launch};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// The observable effects of a launch.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    words: Vec<u32>,
    output: String,
    error: Option<String>,
    n_instructions: u64,
}

/// Runs a kernel with one word per thread.
fn outcome(text: &str, launch: &Launch) -> Outcome {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let program =
        link(&[Input { name: "test", text, module: &module }]).unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let n_words = launch.grid[0] * launch.block[0];
    let buffer = device.global.allocate(u64::from(4 * n_words), 1).expect("there is room");
    let done = device.launch("k", launch, &[buffer.to_le_bytes().to_vec(), vec![0; 4]]);
    let mut bytes = vec![0; 4 * n_words as usize];
    device.global.read(buffer, &mut bytes).expect("it is there");
    let words = bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Outcome {
        words: words.collect(),
        output: String::from_utf8_lossy(&device.take_output()).into_owned(),
        error: done.as_ref().err().map(ToString::to_string),
        n_instructions: done.map_or(0, |statistics| statistics.n_instructions),
    }
}

/// The outcome of blocks of one warp, which is the same on one core and on four.
fn on_any_cores(body: &str, n_blocks: u32) -> Outcome {
    let launch = Launch { step_limit: Some(1_000_000), ..Launch::new([n_blocks, 1, 1], [32, 1, 1]) };
    let with =
        |n_workers| outcome(&kernel(body), &Launch { n_workers: NonZeroUsize::new(n_workers), ..launch });
    let alone = with(1);
    for _ in 0..3 {
        assert_eq!(with(4), alone);
    }
    alone
}

/// `%rd3` is the address of the first word.
const FIRST: &str = "ld.param.u64 %rd3, [p]; cvta.to.global.u64 %rd3, %rd3;\n";

#[test]
fn blocks_that_do_not_meet_run_at_once() {
    let body = format!("{FIRST} st.global.u32 [%rd1], %r1; red.global.add.u32 [%rd3+128], 1;");
    let mut expected: Vec<u32> = (0..640).collect();
    // All threads count in the word of one of them: blocks depend on one another here.
    let found = on_any_cores(&body, 20);
    expected[32] = found.words[32];
    assert_eq!(found.words, expected);
    assert_eq!(found.words[32], 32 + 32 * 19);
    let body = format!(
        "{FIRST} setp.gt.u32 %p1, %r2, 0; @!%p1 bra COUNT; st.global.u32 [%rd1], %r1;\n\
         COUNT: red.global.add.u32 [%rd3], 2; atom.global.max.u32 %r9, [%rd3+4], %r1;"
    );
    let found = on_any_cores(&body, 20);
    assert_eq!((found.words[0], found.words[1]), (2 * 640, 639));
    assert_eq!(
        found.words[32..],
        expected.iter().enumerate().skip(32).map(|(at, _)| at as u32).collect::<Vec<_>>()
    );
}

#[test]
fn blocks_that_write_the_same_do_so_in_their_order() {
    let body = format!("{FIRST} st.global.u32 [%rd3], %r2; st.global.u32 [%rd1+4], %r2;");
    let body = format!("setp.eq.u32 %p1, %r1, 639; @%p1 exit; {body}");
    assert_eq!(on_any_cores(&body, 20).words[0], 19);
}

#[test]
fn blocks_read_writes_of_earlier_blocks() {
    let body = "setp.eq.u32 %p1, %r2, 0; @%p1 bra FIRST; ld.global.u32 %r4, [%rd1-128];\n\
        FIRST: add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;";
    assert_eq!(on_any_cores(body, 20).words, (0..640).map(|n| n / 32 + 1).collect::<Vec<u32>>());
}

#[test]
fn the_first_block_that_does_wrong_is_reported() {
    let body = "st.global.u32 [%rd1], %r1; rem.u32 %r4, %r2, 7; setp.eq.u32 %p1, %r4, 5; @!%p1 exit;\n\
        mov.u32 %r5, %tid.x; setp.eq.u32 %p1, %r5, 9; @%p1 trap;";
    let found = on_any_cores(body, 20);
    let error = found.error.expect("blocks 5, 12 and 19 stop");
    assert!(error.contains("thread (9, 0, 0) of block (5, 0, 0)"), "{error}");
    assert_eq!(found.words, (0..640).map(|n| if n < 192 { n } else { 0 }).collect::<Vec<u32>>());
}

#[test]
fn output_is_in_block_order() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n\
        .global .align 1 .b8 format[4] = {37, 117, 10, 0};\n\
        .visible .entry k(.param .u64 p, .param .u32 n) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        .local .align 8 .b8 args[8]; mov.u32 %r1, %ctaid.x; st.local.u32 [args], %r1;\n\
        mov.u64 %rd1, format; cvta.global.u64 %rd2, %rd1; mov.u64 %rd3, args; cvta.local.u64 %rd4, %rd3;\n\
        { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd2; st.param.b64 [a], %rd4;\n\
        call.uni (r), vprintf, (f, a); } ret; }";
    let launch = Launch::new([50, 1, 1], [1, 1, 1]);
    let expected: String = (0..50).map(|n| format!("{n}\n")).collect();
    for n_workers in [1, 2, 8] {
        let launch = Launch { n_workers: NonZeroUsize::new(n_workers), ..launch };
        assert_eq!(outcome(text, &launch).output, expected);
    }
}

#[test]
fn blocks_may_wait_for_later_ones() {
    let body = format!(
        "{FIRST} setp.eq.u32 %p1, %r2, 3; @%p1 bra SET;\n\
         WAIT: ld.volatile.global.u32 %r4, [%rd3]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT; st.global.u32 [%rd1], %r4; exit;\n\
         SET: st.volatile.global.u32 [%rd3], 7;"
    );
    let found = on_any_cores(&body, 4);
    assert_eq!((found.error, &found.words[..96]), (None, &[7; 96][..]));
}

#[test]
fn blocks_may_meet() {
    let body = format!(
        "{FIRST} mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0; @%p1 bra MET; atom.global.add.u32 %r5, [%rd3], 1;\n\
         WAIT: ld.acquire.gpu.global.u32 %r6, [%rd3]; setp.lt.u32 %p2, %r6, 40; @%p2 bra WAIT;\n\
         MET: bar.sync 0; add.u32 %r7, %r1, 40; setp.lt.u32 %p3, %r1, 1; @%p3 exit; st.global.u32 [%rd1], %r7;"
    );
    let found = on_any_cores(&body, 40);
    assert_eq!((found.error, found.words), (None, (40..40 + 1280).collect()));
}

#[test]
fn a_seed_varies_the_order_of_blocks_and_warps() {
    // Each thread takes a number.
    let text = kernel(
        ".shared .align 4 .b32 turn; mov.u32 %r5, %tid.x; setp.eq.u32 %p1, %r5, 0; @%p1 st.shared.u32 [turn], 0;\n\
         bar.sync 0; atom.shared.add.u32 %r4, [turn], 1; st.global.u32 [%rd1], %r4;",
    );
    let drawn = |seed| {
        let found = outcome(&text, &Launch { seed, ..Launch::new([2, 1, 1], [512, 1, 1]) });
        assert_eq!(found.error, None);
        found.words
    };
    let in_order = drawn(None);
    assert_eq!(in_order[..512], (0..512).collect::<Vec<u32>>());
    for seed in 1..4 {
        let words = drawn(Some(seed));
        assert_eq!(words, drawn(Some(seed)));
        assert_ne!(words, in_order);
        let mut sorted = words[..512].to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..512).collect::<Vec<u32>>());
    }
    let tickets = format!("{FIRST} atom.global.add.u32 %r4, [%rd3], 1; st.global.u32 [%rd1+128], %r4;");
    let tickets = kernel(&format!("setp.ge.u32 %p1, %r1, 608; @%p1 exit; {tickets}"));
    let drawn = |seed| outcome(&tickets, &Launch { seed, ..Launch::new([20, 1, 1], [32, 1, 1]) }).words;
    assert_eq!(drawn(None)[32..], (0..608).collect::<Vec<u32>>());
    assert_eq!(drawn(Some(1)), drawn(Some(1)));
    assert_ne!(drawn(Some(1)), drawn(None));
}

#[test]
fn threads_of_many_blocks_allocate() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .extern .func (.param .b64 r) malloc (.param .b64 n); .extern .func free (.param .b64 a);\n\
        .visible .entry k(.param .u64 p, .param .u32 n) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        { .param .b64 n0; .param .b64 r; st.param.b64 [n0], 4; call (r), malloc, (n0); ld.param.b64 %rd1, [r]; }\n\
        mov.u32 %r1, %ctaid.x; st.u32 [%rd1], %r1; ld.u32 %r2, [%rd1]; cvt.u32.u64 %r3, %rd1;\n\
        ld.param.u64 %rd2, [p]; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r3;\n\
        { .param .b64 a; st.param.b64 [a], %rd1; call free, (a); } ret; }";
    let with = |n_workers| {
        let launch = Launch { n_workers: NonZeroUsize::new(n_workers), ..Launch::new([9, 1, 1], [1, 1, 1]) };
        outcome(text, &launch)
    };
    let alone = with(1);
    assert_eq!(alone.error, None);
    assert!(alone.words.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", alone.words);
    assert_eq!(with(4), alone);
}
