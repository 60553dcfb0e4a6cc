//! Threads of one warp that wait for one another in loops.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::{Device, Launch};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// `%rd3` is the address of the first word.
const FIRST: &str = "ld.param.u64 %rd3, [p]; cvta.to.global.u64 %rd3, %rd3;\n";

/// Takes the lock in the first word.
const LOCK: &str =
    "LOCK: atom.global.cas.b32 %r4, [%rd3], 0, 1; setp.ne.s32 %p1, %r4, 0; @%p1 bra LOCK; membar.gl;\n";

/// Releases it.
const UNLOCK: &str = "membar.gl; atom.global.exch.b32 %r4, [%rd3], 0;\n";

/// Adds the thread's index to the second word.
const ADD: &str =
    "ld.volatile.global.u32 %r5, [%rd3+4]; add.u32 %r5, %r5, %r1; st.volatile.global.u32 [%rd3+4], %r5;\n";

fn launch(n_blocks: u32, n_threads: u32) -> Launch {
    Launch { step_limit: Some(2_000_000), ..Launch::new([n_blocks, 1, 1], [n_threads, 1, 1]) }
}

fn words(body: &str, launch: &Launch) -> Vec<u32> {
    let n_words = (launch.grid[0] * launch.block[0]) as usize;
    run(&kernel(&format!("{FIRST}{body}")), launch, &vec![0; n_words], &[vec![0; 4]])
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The number of instructions that the threads execute.
fn n_instructions(body: &str) -> u64 {
    let text = kernel(&format!("{FIRST}{body}"));
    let module = parse(&text).expect("it is PTX");
    let program = link(&[Input { name: "test", text: &text, module: &module }]).expect("it links");
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffer = device.global.allocate(128, 1).expect("there is room");
    device.global.write(buffer, &[0; 128]).expect("it is there");
    let args = [buffer.to_le_bytes().to_vec(), vec![0; 4]];
    device.launch("k", &launch(1, 32), &args).expect("it ends").n_instructions
}

#[test]
fn all_lanes_of_a_warp_take_one_lock() {
    assert_eq!(words(&format!("{LOCK}{ADD}{UNLOCK}"), &ONE_BLOCK)[..2], [0, 31 * 16]);
    let several = launch(3, 96);
    assert_eq!(words(&format!("{LOCK}{ADD}{UNLOCK}"), &several)[..2], [0, 288 * 287 / 2]);
}

#[test]
fn a_seed_changes_nothing_about_a_lock() {
    for seed in 1..4 {
        let launch = Launch { seed: Some(seed), ..launch(2, 64) };
        assert_eq!(words(&format!("{LOCK}{ADD}{UNLOCK}"), &launch)[..2], [0, 64 * 127]);
    }
}

#[test]
fn a_lane_waits_for_a_later_one_and_an_earlier_one() {
    for (waiting, setting) in [(1, 0), (0, 1), (31, 4)] {
        let body = format!(
            "setp.eq.u32 %p1, %r1, {waiting}; @%p1 bra WAIT; setp.ne.u32 %p2, %r1, {setting}; @%p2 exit;\n\
             st.volatile.global.u32 [%rd3], 7; exit;\n\
             WAIT: ld.volatile.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra WAIT;\n\
             st.global.u32 [%rd3+4], %r4;"
        );
        assert_eq!(words(&body, &ONE_BLOCK)[..2], [7, 7]);
        // The waiting loop is further back than the store.
        let body = format!(
            "setp.eq.u32 %p1, %r1, {setting}; @%p1 bra SET; setp.ne.u32 %p2, %r1, {waiting}; @%p2 exit;\n\
             WAIT: ld.volatile.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra WAIT;\n\
             st.global.u32 [%rd3+4], %r4; exit;\n\
             SET: st.volatile.global.u32 [%rd3], 7;"
        );
        assert_eq!(words(&body, &ONE_BLOCK)[..2], [7, 7]);
    }
}

#[test]
fn lanes_pass_a_token_on() {
    // Each lane waits in the same loop until the word reaches its own number, the lowest lane last.
    let body = "sub.u32 %r6, 31, %r1;\n\
        WAIT: ld.volatile.global.u32 %r4, [%rd3]; setp.ne.u32 %p1, %r4, %r6; @%p1 bra WAIT;\n\
        add.u32 %r4, %r4, 1; st.volatile.global.u32 [%rd3], %r4;";
    assert_eq!(words(body, &ONE_BLOCK)[0], 32);
}

#[test]
fn four_paths_wait_for_one_another_in_loops_of_their_own() {
    // Path n waits until the word is 3 - n.
    let path = |n: u32| {
        format!(
            "PATH{n}: ld.volatile.global.u32 %r4, [%rd3]; setp.ne.u32 %p1, %r4, {}; @%p1 bra PATH{n};\n\
             bar.warp.sync 0x{:08x}; st.volatile.global.u32 [%rd3], {}; exit;\n",
            3 - n,
            0x1111_1111_u32 << n,
            4 - n
        )
    };
    let body = format!(
        "and.b32 %r5, %r1, 3; setp.eq.u32 %p1, %r5, 1; @%p1 bra PATH1; setp.eq.u32 %p1, %r5, 2; @%p1 bra PATH2;\n\
         setp.eq.u32 %p1, %r5, 3; @%p1 bra PATH3;\n{}{}{}{}",
        path(0),
        path(1),
        path(2),
        path(3)
    );
    assert_eq!(words(&body, &ONE_BLOCK)[0], 4);
}

#[test]
fn a_function_waits_for_its_caller() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func wait (.param .b64 a, .param .b32 n) { .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<2>;\n\
        ld.param.b64 %rd1, [a]; ld.param.b32 %r1, [n]; setp.eq.u32 %p1, %r1, 0; @%p1 bra LOOK; sub.u32 %r1, %r1, 1;\n\
        { .param .b64 b; .param .b32 m; st.param.b64 [b], %rd1; st.param.b32 [m], %r1; call.uni wait, (b, m); } ret;\n\
        LOOK: ld.volatile.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra LOOK; ret; }\n\
        .visible .entry k(.param .u64 p) { .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        ld.param.u64 %rd1, [p]; add.u64 %rd3, %rd1, 36; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 9; @%p1 bra SET;\n\
        { .param .b64 b; .param .b32 m; st.param.b64 [b], %rd3; st.param.b32 [m], %r1; call.uni wait, (b, m); }\n\
        mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; st.u32 [%rd2], %r1; ret;\n\
        SET: st.volatile.u32 [%rd3], 9; ret; }";
    let found = run(text, &launch(1, 32), &[0; 32], &[]);
    assert_eq!(found, Ok((0..32).collect()));
}

#[test]
fn a_call_in_a_loop_may_wait() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .b32 r) take (.param .b64 a) { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n\
        ld.param.b64 %rd1, [a]; atom.cas.b32 %r1, [%rd1], 0, 1; st.param.b32 [r], %r1; ret; }\n\
        .visible .entry k(.param .u64 p) { .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        ld.param.u64 %rd1, [p];\n\
        AGAIN: { .param .b64 b; .param .b32 r; st.param.b64 [b], %rd1; call.uni (r), take, (b); ld.param.b32 %r1, [r]; }\n\
        setp.ne.s32 %p1, %r1, 0; @%p1 bra AGAIN;\n\
        ld.volatile.u32 %r2, [%rd1+4]; add.u32 %r2, %r2, 1; st.volatile.u32 [%rd1+4], %r2;\n\
        st.volatile.u32 [%rd1], 0; ret; }";
    let found = run(text, &launch(1, 32), &[0; 32], &[]);
    assert_eq!(found.map(|words| (words[0], words[1])), Ok((0, 32)));
}

#[test]
fn a_barrier_waits_for_lanes_that_spin() {
    // Half of the warp waits at a barrier of the block or of the warp, while the other half waits for lane 0.
    for wait in ["barrier.sync 0;", "bar.warp.sync 0xffffffff;"] {
        let body = format!(
            "setp.eq.u32 %p1, %r1, 0; @%p1 bra SET; setp.ge.u32 %p1, %r1, 16; @%p1 bra MEET;\n\
             WAIT: ld.volatile.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra WAIT; bra.uni MEET;\n\
             SET: st.volatile.global.u32 [%rd3], 1;\n\
             MEET: {wait} st.global.u32 [%rd1], %r1;"
        );
        assert_eq!(words(&body, &launch(1, 32)), (0..32).collect::<Vec<u32>>());
    }
}

#[test]
fn threads_that_wait_by_nanosleep_let_others_go_on() {
    let body = format!(
        "BACK: atom.global.cas.b32 %r4, [%rd3], 0, 1; setp.eq.s32 %p1, %r4, 0; @%p1 bra HAVE; nanosleep.u32 20; bra BACK;\n\
         HAVE: {ADD}{UNLOCK}"
    );
    assert_eq!(words(&body, &launch(1, 64))[..2], [0, 32 * 63]);
}

#[test]
fn tickets_are_served_in_their_order() {
    let body = format!(
        "atom.global.add.u32 %r6, [%rd3+8], 1;\n\
         WAIT: ld.acquire.gpu.global.u32 %r4, [%rd3+12]; setp.ne.u32 %p1, %r4, %r6; @%p1 bra WAIT;\n\
         {ADD} membar.gl; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%rd3+12], %r6;"
    );
    assert_eq!(words(&body, &launch(2, 64))[1..4], [64 * 127, 128, 128]);
}

#[test]
fn a_long_critical_section_ends() {
    let work = "mov.u32 %r7, 0; WORK: add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 3000; @%p2 bra WORK;\n";
    assert_eq!(words(&format!("{LOCK}{work}{ADD}{UNLOCK}"), &launch(1, 32))[..2], [0, 496]);
}

#[test]
fn retries_of_an_atomic_operation_keep_threads_together() {
    // All 32 lanes leave the loop before any continues: the loop costs 32 rounds, and the code after it
    // executes once.
    let retry = "ld.volatile.global.u32 %r4, [%rd3];\n\
        AGAIN: mov.u32 %r5, %r4; add.u32 %r6, %r5, 1; atom.global.cas.b32 %r4, [%rd3], %r5, %r6;\n\
        setp.ne.u32 %p1, %r4, %r5; @%p1 bra AGAIN; activemask.b32 %r7; st.global.u32 [%rd1], %r7;\n";
    assert_eq!(words(&format!("{retry}setp.ne.u32 %p1, %r1, 0; @%p1 exit;"), &launch(1, 32))[1], u32::MAX);
    // 32 + 31 + … + 1 rounds of five instructions; the branch out of the loop is not executed.
    let others =
        n_instructions("activemask.b32 %r7; st.global.u32 [%rd1], %r7; ld.volatile.global.u32 %r4, [%rd3];");
    assert_eq!(n_instructions(retry) - others, 5 * 33 * 16 - 32);
}

#[test]
fn long_loops_of_some_lanes_keep_threads_together() {
    // The lanes loop for different times, none of them waiting for others.
    let body = "mul.lo.u32 %r4, %r1, 300; mov.u32 %r5, 0;\n\
        AGAIN: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r4; @%p1 bra AGAIN;\n\
        activemask.b32 %r7; st.global.u32 [%rd1], %r7;";
    assert_eq!(words(body, &launch(1, 32)), vec![u32::MAX; 32]);
}
