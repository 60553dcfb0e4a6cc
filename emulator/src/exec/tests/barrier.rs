//! Barriers: who has to come together to which.

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
        "the threads of a warp have not come together to barrier 0: ",
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
    assert!(error.contains("have not come together to barrier 1"), "{error}");
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
        // What has ended is not waited for.
        ("setp.lt.u32 %p1, %r1, 8; @%p1 exit; bar.sync 0;", 40),
        // Parts of a warp may come to these.
        ("setp.lt.u32 %p1, %r1, 8; @%p1 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B:", 64),
        // Threads of a warp come at different times.
        (
            "mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r1; @%p1 bra L; bar.sync 0; bar.sync 0;",
            70,
        ),
        // A block without whole warps.
        ("bar.sync 0;", 7),
    ] {
        assert_eq!(run_checked(body, n_threads, Checks::ALL), Ok(()), "{body}");
    }
}
