//! Barriers: which threads must arrive at which one.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

fn run_checked(body: &str, n_threads: u32, checks: Checks) -> Result<(), String> {
    let launch = Launch { checks, block: [n_threads, 1, 1], ..ONE_BLOCK };
    run(&kernel(body), &launch, &vec![0; n_threads as usize], &[vec![0; 4]]).map(drop)
}

#[test]
fn parts_of_a_warp_do_not_come_to_a_barrier_of_whole_warps() {
    let body = "setp.lt.u32 %p1, %r1, 8; @%p1 bra A;\n.loc 1 3 1\nbar.sync 0; bra B;\nA:\n.loc 1 5 1\nbar.sync 0;\nB:";
    assert_eq!(run_checked(body, 64, Checks::NONE), Ok(()));
    let error = run_checked(body, 64, Checks::USUAL).expect_err("the first warp is divided");
    for expected in [
        "divergent threads of a warp at barrier 0: ",
        "thread (8, 0, 0) of block (0, 0, 0) and 23 more of its warp wait for all threads at barrier 0 at test:11, from \
         kernel.cu:3",
        "thread (0, 0, 0) of block (0, 0, 0) and 7 more of its warp wait for all threads at barrier 0 at test:14, from \
         kernel.cu:5",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    let body =
        "setp.lt.u32 %p1, %r1, 8; @%p1 bra A; barrier.sync.aligned 1, 24; bra B; A: barrier.sync 2, 8; B:";
    let error = run_checked(body, 32, Checks::USUAL).expect_err("barrier 1 is for whole warps");
    assert!(error.starts_with("divergent threads of a warp at barrier 1: "), "{error}");
}

#[test]
fn barriers_that_are_met_as_they_should_be_are_silent() {
    for (body, n_threads) in [
        // Warps at different barriers and in different branches.
        ("setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:", 64),
        (
            "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1, 32; bra B; A: bar.sync 2, 32; B: bar.sync 0;",
            64,
        ),
        // Threads that have ended do not matter to a barrier with a thread count.
        ("setp.lt.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0, 32;", 64),
        // Threads may end after it.
        ("bar.sync 0; setp.lt.u32 %p1, %r1, 8; @%p1 exit; mov.u32 %r4, 0;", 40),
        // Part of a warp may arrive at these.
        ("setp.lt.u32 %p1, %r1, 8; @%p1 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B:", 64),
        // Threads of a warp arrive at different times.
        (
            "mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r1; @%p1 bra L; bar.sync 0; bar.sync 0;",
            70,
        ),
        // A block with a partial warp.
        ("bar.sync 0;", 7),
    ] {
        assert_eq!(run_checked(body, n_threads, Checks::ALL), Ok(()), "{body}");
    }
}

#[test]
fn a_barrier_for_the_block_that_some_threads_never_reach_is_reported() {
    let body = "setp.lt.u32 %p1, %r1, 40; @!%p1 bra OUT;\n.loc 1 3 1\nbar.sync 0;\n.loc 1 4 1\nOUT: ret;";
    assert_eq!(run_checked(body, 100, Checks::NONE), Ok(()));
    assert_eq!(
        run_checked(body, 100, Checks::USUAL).expect_err("60 threads end before"),
        "60 of 100 threads of the block exited without reaching barrier 0, at which all must arrive: thread (40, 0, 0) of block \
         (0, 0, 0) and 59 more exited at test:13, from kernel.cu:4, in `k`, by thread (0, 0, 0) of block (0, 0, 0), at \
         test:11, from kernel.cu:3"
    );
    for (body, n_threads, expected) in [
        // Within a warp; by an early exit; with threads in separate branches; at a barrier with a thread
        // count.
        (
            "and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 1; @%p1 bra OUT; bar.sync 0; OUT: ret;",
            32,
            "16 of 32 threads",
        ),
        (
            "setp.ge.u32 %p1, %r1, 31; @%p1 exit; bar.sync 3;",
            32,
            "1 of 32 threads of the block exited without reaching barrier 3",
        ),
        (
            "setp.eq.u32 %p1, %r1, 3; @%p1 exit; setp.eq.u32 %p1, %r1, 5; @%p1 exit; barrier.sync 0;",
            32,
            "thread (3, 0, 0) of block (0, 0, 0) exited at test:9; thread (5, 0, 0) of block (0, 0, 0) exited at test:9",
        ),
        ("setp.eq.u32 %p1, %r1, 3; @%p1 exit; bar.red.popc.u32 %r9, 0, %p1;", 32, "1 of 32 threads"),
    ] {
        assert_eq!(run_checked(body, n_threads, Checks::NONE), Ok(()), "{body}");
        let error = run_checked(body, n_threads, Checks::USUAL).expect_err(body);
        assert!(error.contains(expected), "{body}\n{error}");
    }
}

/// What each thread of two warps stores; the last warp exits earlier.
fn words_of(body: &str) -> Vec<u32> {
    let text = kernel(&format!("setp.eq.u32 %p8, %r1, 63; @%p8 exit;\n{body}\nst.global.u32 [%rd1], %r9;"));
    let launch = Launch { block: [64, 1, 1], checks: Checks::NONE, ..ONE_BLOCK };
    run(&text, &launch, &[7; 64], &[vec![0; 4]]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_barrier_counts_and_joins_predicates_of_the_whole_block() {
    let count = "setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r9, 0, %p1;";
    let negated = "setp.lt.u32 %p1, %r1, 40; barrier.cta.red.popc.aligned.u32 %r9, 3, !%p1;";
    for (body, wanted) in [(count, 40), (negated, 23)] {
        let words = words_of(body);
        assert!(words[..63].iter().all(|&word| word == wanted), "{body}: {words:?}");
        assert_eq!(words[63], 7);
    }
    for (limit, all, any) in [(64, 1, 1), (40, 0, 1), (0, 0, 0)] {
        let body = format!(
            "setp.lt.u32 %p1, %r1, {limit}; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 1, %p1;\n\
             selp.u32 %r9, 2, 0, %p2; selp.u32 %r4, 1, 0, %p3; add.u32 %r9, %r9, %r4;"
        );
        assert!(words_of(&body)[..63].iter().all(|&word| word == 2 * all + any), "{limit}");
    }
}

#[test]
fn arriving_threads_continue_and_are_counted() {
    // The first warp waits for the second one's store to shared memory; the second warp does not wait.
    let body = ".shared .u32 x; mov.u32 %r9, 5; setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\n\
                mov.u32 %r5, 11; st.shared.u32 [x], %r5; barrier.arrive 1, 64; bra B;\n\
                A: barrier.sync 1, 64; ld.shared.u32 %r9, [x]; B:";
    let text = kernel(&format!("{body} st.global.u32 [%rd1], %r9;"));
    let launch = Launch { block: [64, 1, 1], ..ONE_BLOCK };
    let words = run(&text, &launch, &[0; 64], &[vec![0; 4]]).expect("it ends");
    assert_eq!((&words[..32], &words[32..]), (&[11; 32][..], &[5; 32][..]));
    let alone = text.replace("barrier.arrive 1, 64;", "");
    assert!(
        run(&alone, &launch, &[0; 64], &[vec![0; 4]]).expect_err("no thread arrives").contains("barrier 1")
    );
}

#[test]
fn clocks_go_forward() {
    let body = "mov.u64 %rd3, %clock64; mov.u32 %r4, %clock; mov.u64 %rd4, %globaltimer;\n\
                setp.lt.u64 %p1, %rd3, %rd4; cvt.u32.u64 %r5, %rd3; setp.lt.and.u32 %p2, %r5, %r4, %p1;\n\
                mov.u32 %r6, %clock_hi; setp.eq.and.u32 %p3, %r6, 0, %p2; selp.u32 %r9, 1, 0, %p3;";
    assert!(words_of(body)[..63].iter().all(|&word| word == 1));
}
