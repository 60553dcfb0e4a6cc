//! Threads that loop: the fault when none of them can make progress, and loops that only look stuck.

use super::{kernel, run};
use crate::exec::device::Launch;

/// `%rd3` is the address of the first word.
const FIRST: &str = "ld.param.u64 %rd3, [p]; cvta.to.global.u64 %rd3, %rd3; mov.u32 %r30, %tid.x;\n";

fn outcome(body: &str, launch: &Launch) -> Result<Vec<u32>, String> {
    let launch = Launch { step_limit: Some(20_000_000), ..*launch };
    let n_words = (launch.grid[0] * launch.block[0]).max(8) as usize;
    run(&kernel(&format!("{FIRST}{body}")), &launch, &vec![0; n_words], &[vec![0; 4]])
}

fn on(n_blocks: u32, n_threads: u32) -> Launch {
    Launch::new([n_blocks, 1, 1], [n_threads, 1, 1])
}

/// The message without line numbers.
fn fault(body: &str, launch: &Launch) -> String {
    let error = outcome(body, launch).expect_err("it never ends");
    let (_, said) = error
        .split_once("livelock: no thread can make progress, since all loop or wait and no memory changes: ")
        .unwrap_or_else(|| panic!("{error}"));
    said.split(", in `k`, by").next().unwrap_or(said).to_owned()
}

/// A loop that takes the lock at an offset from the first word.
fn take(label: &str, offset: u32) -> String {
    format!(
        "{label}: atom.global.cas.b32 %r4, [%rd3+{offset}], 0, 1; setp.ne.s32 %p1, %r4, 0; @%p1 bra {label};\n"
    )
}

const LOCK: &str = "4 bytes of global memory at 0x7f00000000";

#[test]
fn a_lock_is_never_released() {
    // The thread that takes it ends.
    let said = fault(&take("LOCK", 0), &on(1, 32));
    assert_eq!(
        said,
        format!(
            "thread (1, 0, 0) of block (0, 0, 0) and 30 more of its warp wait for a value other than 1 in {LOCK}00, written by \
             thread (0, 0, 0) of block (0, 0, 0) at test:10 (that thread has exited), at test:10"
        )
    );
}

#[test]
fn a_thread_takes_a_lock_twice() {
    let body =
        format!("setp.ne.u32 %p2, %r30, 5; @%p2 exit;\n{}.loc 1 30 1\n{}", take("ONCE", 4), take("TWICE", 4));
    let said = fault(&body, &on(1, 32));
    assert_eq!(
        said,
        format!(
            "thread (5, 0, 0) of block (0, 0, 0) waits for a value other than 1 in {LOCK}04, written by thread (5, 0, 0) of \
             block (0, 0, 0) at test:11 (that thread is at test:13, from kernel.cu:30), at test:13, from kernel.cu:30"
        )
    );
}

#[test]
fn two_locks_are_taken_in_opposite_order() {
    // By two lanes, two warps, two blocks; each holds its first lock while it waits for the other's.
    for (launch, who, second) in [
        (on(1, 2), "%tid.x", "thread (1, 0, 0) of block (0, 0, 0)"),
        (on(1, 33), "%warpid", "thread (32, 0, 0) of block (0, 0, 0)"),
        (on(2, 1), "%ctaid.x", "thread (0, 0, 0) of block (1, 0, 0)"),
    ] {
        let body = format!(
            "and.b32 %r31, %r30, 31; setp.ne.u32 %p2, %r31, 0; mov.u32 %r5, {who}; setp.eq.u32 %p3, %r5, 1;\n\
             @!%p3 bra HERE; bra OTHER; HERE: @%p2 exit;\n{}{}{} exit;\nOTHER:\n{}{}{}",
            take("A", 0),
            "WAIT0: ld.volatile.global.u32 %r6, [%rd3+4]; setp.eq.u32 %p4, %r6, 0; @%p4 bra WAIT0;\n",
            take("B", 4),
            take("C", 4),
            "WAIT1: ld.volatile.global.u32 %r6, [%rd3]; setp.eq.u32 %p4, %r6, 0; @%p4 bra WAIT1;\n",
            take("D", 0),
        );
        let said = fault(&body, &launch);
        let first = "thread (0, 0, 0) of block (0, 0, 0)";
        for (waits, address, holds) in [(first, "04", second), (second, "00", first)] {
            let expected = format!(
                "{waits} waits for a value other than 1 in {LOCK}{address}, written by {holds} at test:"
            );
            assert!(said.contains(&expected), "{said}\n{expected}");
        }
    }
}

#[test]
fn a_flag_is_never_set() {
    let body = "LOOK: ld.volatile.global.u32 %r4, [%rd3+8]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOK;";
    let said = fault(body, &on(1, 64));
    assert_eq!(said.matches("and 31 more of its warp wait for a value other than 0 in").count(), 2, "{said}");
    assert!(said.contains("never changed by an atomic operation, at test:10"), "{said}");
    // Blocks that take turns.
    let said = fault(body, &on(3, 32));
    assert_eq!(said.matches("wait for a value other than 0").count(), 3, "{said}");
    // With a seed.
    let said = fault(body, &Launch { seed: Some(3), ..on(3, 32) });
    assert_eq!(said.matches("wait for a value other than 0").count(), 3, "{said}");
}

#[test]
fn others_wait_at_a_barrier() {
    let body = "setp.eq.u32 %p1, %r30, 0; @!%p1 bra MEET;\n\
        LOOK: ld.acquire.gpu.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOK;\n\
        MEET: barrier.sync 0;";
    let said = fault(body, &on(1, 64));
    assert!(said.contains("thread (0, 0, 0) of block (0, 0, 0) waits for a value other than 0"), "{said}");
    assert!(
        said.contains(
            "thread (32, 0, 0) of block (0, 0, 0) and 31 more of its warp wait for all threads at barrier 0"
        ),
        "{said}"
    );
    let meet = body.replace("barrier.sync 0;", "bar.warp.sync 0xffffffff;");
    assert!(fault(&meet, &on(1, 32)).contains("wait for the threads in mask 0xffffffff"));
}

#[test]
fn loops_that_read_nothing_are_found() {
    let said = fault("setp.ne.u32 %p1, %r30, 9; @%p1 exit;\nLOOP: bra LOOP;", &on(1, 32));
    assert_eq!(
        said,
        "thread (9, 0, 0) of block (0, 0, 0) waits in a loop that reads no memory that can change at test:11"
    );
}

#[test]
fn waiting_in_functions_and_by_sleeping_is_found() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .b32 r) look (.param .b64 a) { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n\
        .local .align 4 .b8 mine[4]; ld.param.b64 %rd1, [a]; st.local.u32 [mine], 1; ld.volatile.u32 %r1, [%rd1];\n\
        st.local.u32 [mine], %r1; ld.local.u32 %r1, [mine]; st.param.b32 [r], %r1; ret; }\n\
        .visible .entry k(.param .u64 p) { .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        ld.param.u64 %rd1, [p];\n\
        AGAIN: { .param .b64 b; .param .b32 r; st.param.b64 [b], %rd1; call.uni (r), look, (b); ld.param.b32 %r1, [r]; }\n\
        nanosleep.u32 100; setp.eq.s32 %p1, %r1, 0; @%p1 bra AGAIN; ret; }";
    let error = run(text, &on(1, 32), &[0; 32], &[]).expect_err("no one sets it");
    assert!(error.contains("no thread can make progress") && error.contains("at test:5"), "{error}");
}

#[test]
fn reports_an_mbarrier_without_arrivals() {
    let body = ".shared .align 8 .b64 bar; setp.ne.u32 %p1, %r30, 0; @%p1 bra WAIT; mbarrier.init.shared.b64 [bar], 2;\n\
        mbarrier.arrive.shared.b64 %rd5, [bar];\n\
        WAIT: bar.warp.sync 0xffffffff; AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra AGAIN;";
    let said = fault(body, &on(1, 32));
    assert!(said.contains("with 1 arrivals and 0 bytes pending"), "{said}");
}

#[test]
fn a_kernel_that_reads_weakly_waits_for_later_blocks() {
    let body = "setp.eq.u32 %p1, %r2, 2; @%p1 bra SET;\n\
        LOOK: ld.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOK; st.global.u32 [%rd1], %r4; exit;\n\
        SET: st.global.u32 [%rd3], 7;";
    assert_eq!(outcome(body, &on(3, 32)).map(|words| words[..64].to_vec()), Ok(vec![7; 64]));
    let body = body.replace("[%rd3], 7", "[%rd3], 0");
    assert!(fault(&body, &on(3, 32)).contains("block (1, 0, 0)"));
}

/// A word is set after a long time, in which the others wait and nothing in memory changes.
fn is_awaited(work: &str) {
    let body = format!(
        "setp.eq.u32 %p1, %r30, 7; @%p1 bra WORK;\n\
         LOOK: ld.volatile.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOK; st.global.u32 [%rd1], %r4; exit;\n\
         WORK: {work} st.volatile.global.u32 [%rd3], 5; st.global.u32 [%rd1], 5;"
    );
    for launch in [on(1, 64), on(1, 32)] {
        let n_words = launch.block[0] as usize;
        assert_eq!(outcome(&body, &launch), Ok(vec![5; n_words]), "{work}");
    }
}

#[test]
fn long_work_is_progress() {
    is_awaited("mov.u32 %r9, 0; AGAIN: add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 400000; @%p2 bra AGAIN;");
    // The counter is in the thread's own memory.
    is_awaited(
        ".local .align 4 .b8 mine[4]; st.local.u32 [mine], 0;\n\
         AGAIN: ld.local.u32 %r9, [mine]; add.u32 %r9, %r9, 1; st.local.u32 [mine], %r9; setp.lt.u32 %p2, %r9, 200000;\n\
         mov.u32 %r9, 0; @%p2 bra AGAIN;",
    );
    // Growing back-off, and counted attempts.
    is_awaited(
        "mov.u32 %r9, 1; mov.u32 %r10, 0; AGAIN: mov.u32 %r11, 0;\n\
         WAIT: add.u32 %r11, %r11, 1; setp.lt.u32 %p3, %r11, %r9; @%p3 bra WAIT;\n\
         min.u32 %r9, %r9, 1000; shl.b32 %r9, %r9, 1; add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 300; @%p2 bra AGAIN;",
    );
}

#[test]
fn a_clock_and_other_variables_are_progress() {
    is_awaited(
        "mov.u64 %rd5, %clock64; add.u64 %rd5, %rd5, 3000000;\n\
         AGAIN: mov.u64 %rd6, %clock64; setp.lt.u64 %p2, %rd6, %rd5; mov.u64 %rd6, 0; @%p2 bra AGAIN;",
    );
    // The counter is in another variable, which no thread waits for.
    is_awaited(
        "AGAIN: ld.global.u32 %r9, [%rd3+4]; add.u32 %r9, %r9, 1; st.global.u32 [%rd3+4], %r9;\n\
         setp.lt.u32 %p2, %r9, 300000; mov.u32 %r9, 0; @%p2 bra AGAIN;",
    );
}

#[test]
fn one_that_waits_for_bulk_copies_gets_them() {
    // The copy completes without a wait, as on a GPU.
    let body = ".shared .align 16 .b8 from[16]; setp.ne.u32 %p1, %r30, 0; @%p1 bra LOOK;\n\
        st.shared.v4.u32 [from], {7, 7, 7, 7}; fence.proxy.async; mov.u32 %r9, from;\n\
        cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r9], 16; cp.async.bulk.commit_group;\n\
        LOOK: ld.volatile.global.u32 %r4, [%rd3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra LOOK;";
    assert_eq!(outcome(body, &on(1, 32)).map(|words| words[..4].to_vec()), Ok(vec![7; 4]));
}
