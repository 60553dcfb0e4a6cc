//! Shuffles from lanes that do not take part: the result is undefined, and may be discarded.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

fn run_checked(body: &str, n_threads: u32, checks: Checks) -> Result<Vec<u32>, String> {
    let launch = Launch { checks, block: [n_threads, 1, 1], ..ONE_BLOCK };
    run(&kernel(body), &launch, &[0; 32], &[vec![0; 4]])
}

fn assert_fault(body: &str, n_threads: u32, expected: &str) {
    assert!(run_checked(body, n_threads, Checks::NONE).is_ok(), "{body}");
    let error = run_checked(body, n_threads, Checks::USUAL).expect_err(body);
    assert!(error.contains(expected), "{body}\n{error}");
}

fn assert_fine(body: &str, n_threads: u32) {
    if let Err(error) = run_checked(body, n_threads, Checks::USUAL) {
        panic!("{body}\n{error}");
    }
}

#[test]
fn a_shuffle_from_a_lane_that_has_ended_is_undefined() {
    let body = "setp.ge.u32 %p1, %r1, 20; @%p1 exit;\n.loc 1 5 1\nshfl.sync.down.b32 %r4, %r1, 1, 31, -1;\n\
                .loc 1 6 1\nst.global.u32 [%rd1], %r4;";
    assert_fault(
        body,
        32,
        "value stored to global memory depends on an undefined value: shuffle from lane 20, which has exited, by \
         thread (19, 0, 0) of block (0, 0, 0) at test:11, from kernel.cu:5, in `k`, by thread (19, 0, 0) of block (0, 0, 0), \
         at test:13, from kernel.cu:6",
    );
}

#[test]
fn every_reason_for_which_a_lane_is_absent_is_named() {
    let store = "st.global.u32 [%rd1], %r4;";
    for (body, n_threads, expected) in [
        (
            format!("shfl.sync.bfly.b32 %r4, %r1, 16, 31, -1; {store}"),
            20,
            "from lane 20, which the block does not contain",
        ),
        (
            format!(
                "setp.ge.u32 %p1, %r1, 16; @%p1 bra A; shfl.sync.up.b32 %r4, %r1, 0, 0, 0xFFFF; bra B;\n\
                 A: shfl.sync.up.b32 %r4, %r1, 1, 0, 0xFFFF0000; B: {store}"
            ),
            32,
            "from lane 15, which is not in the mask",
        ),
        (
            format!(
                "setp.ne.u32 %p1, %r1, 3; mov.u32 %r4, 0; @%p1 shfl.sync.idx.b32 %r4, %r1, 3, 31, -1; {store}"
            ),
            32,
            "from lane 3, which does not execute the shuffle",
        ),
    ] {
        assert_fault(&body, n_threads, expected);
    }
}

#[test]
fn shuffles_without_masks_are_watched() {
    let body =
        "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.down.b32 %r4, %r1, 1, 31; st.global.u32 [%rd1], %r4;";
    let text = kernel(body).replace(".version 8.0\n.target sm_90", ".version 6.3\n.target sm_60");
    let error = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("lane 20 has ended");
    assert!(error.contains("shuffle from lane 20, which has exited"), "{error}");
}

#[test]
fn reports_undefined_conditions_and_addresses() {
    let shuffle = "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.sync.down.b32 %r4, %r1, 1, 31, -1;";
    assert_fault(
        &format!("{shuffle} setp.gt.u32 %p2, %r4, 3; @%p2 exit;"),
        32,
        "condition depends on an undefined value",
    );
    assert_fault(
        &format!(
            "{shuffle} and.b32 %r4, %r4, 4; cvt.u64.u32 %rd3, %r4; add.u64 %rd3, %rd3, %rd1; ld.global.u32 %r5, [%rd3];"
        ),
        32,
        "address depends on an undefined value",
    );
}

#[test]
fn ignores_discarded_values() {
    for body in [
        // The result is unused, or only used where the source lane takes part.
        "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.sync.down.b32 %r4, %r1, 1, 31, -1; st.global.u32 [%rd1], %r1;",
        "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.sync.down.b32 %r4, %r1, 1, 31, -1; setp.lt.u32 %p2, %r1, 19; \
         @%p2 st.global.u32 [%rd1], %r4;",
        "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.sync.down.b32 %r4, %r1, 1, 31, -1; setp.lt.u32 %p2, %r1, 19; \
         selp.b32 %r5, %r4, 0, %p2; add.u32 %r5, %r5, %r1; st.global.u32 [%rd1], %r5;",
        // A lane out of bounds is not a source: the thread keeps its own value.
        "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.sync.down.b32 %r4, %r1, 1, 19, -1; st.global.u32 [%rd1], %r4;",
        "shfl.sync.down.b32 %r4, %r1, 16, 31, -1; st.global.u32 [%rd1], %r4;",
        // A mask may name lanes that have ended, in votes and reductions too: they are ignored.
        "setp.ge.u32 %p1, %r1, 20; @%p1 exit; setp.lt.u32 %p2, %r1, 3; vote.sync.ballot.b32 %r4, %p2, -1; \
         redux.sync.add.u32 %r5, %r1, -1; match.any.sync.b32 %r6, %r1, -1; add.u32 %r4, %r4, %r5; \
         add.u32 %r4, %r4, %r6; st.global.u32 [%rd1], %r4;",
    ] {
        assert_fine(body, 32);
    }
}
