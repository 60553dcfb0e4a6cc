//! mbarrier objects: what they synchronize, and invalid uses.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::launch::{Checks, Launch};

/// An object `b` with this expected count; `%r9` is stored at the end.
fn with_object(count: u32, body: &str) -> String {
    kernel(&format!(
        ".shared .align 8 .b64 b; .shared .align 16 .b32 x[64]; .reg .b64 %state; .reg .pred %done; mov.u32 %r9, 0;\n\
         setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared::cta.b64 [b], {count}; bar.sync 0;\n\
         {body}\nst.global.u32 [%rd1], %r9;"
    ))
    .replacen(".version 8.0", ".version 8.6", 1)
}

fn run_on(body: &str, count: u32, n_threads: u32) -> Result<Vec<u32>, String> {
    let launch =
        Launch { checks: Checks::ALL, step_limit: Some(100_000), ..Launch::new([1; 3], [n_threads, 1, 1]) };
    run(&with_object(count, body), &launch, &vec![7; n_threads as usize], &[vec![0; 4]])
}

/// Each thread reads the shared word of the thread at the other end.
const EXCHANGE: &str = "mov.u32 %r4, x; mad.lo.u32 %r5, %r1, 4, %r4; st.shared.u32 [%r5], %r1;";
const READ: &str =
    "mov.u32 %r6, 63; sub.u32 %r6, %r6, %r1; mad.lo.u32 %r5, %r6, 4, %r4; ld.shared.u32 %r9, [%r5];";

#[test]
fn waits_see_everything_before_arrivals() {
    for (arrive, wait) in [
        ("mbarrier.arrive.shared.b64 %state, [b];", "mbarrier.test_wait.shared.b64 %done, [b], %state;"),
        (
            "mbarrier.arrive.shared::cta.b64 %state, [b], 1;",
            "mbarrier.try_wait.shared.b64 %done, [b], %state;",
        ),
        (
            "mbarrier.arrive.release.cta.b64 %state, [%rd7];",
            "mbarrier.try_wait.b64 %done, [%rd7], %state, 99;",
        ),
        ("mbarrier.arrive.shared.b64 _, [b];", "mbarrier.test_wait.parity.shared.b64 %done, [b], 0;"),
        (
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [b];",
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [b], 0, 5;",
        ),
        (
            "mbarrier.arrive.expect_tx.shared.b64 %state, [b], 16; mbarrier.complete_tx.shared.b64 [b], 16;",
            "mbarrier.test_wait.shared.b64 %done, [b], %state;",
        ),
        (
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 8; mbarrier.arrive_drop.shared.b64 %state, [b]; mbarrier.complete_tx.shared::cluster.b64 [b], 8;",
            "mbarrier.test_wait.shared.b64 %done, [b], %state;",
        ),
    ] {
        let body = format!(
            "mov.u64 %rd7, b; cvta.shared.u64 %rd7, %rd7; {EXCHANGE} {arrive} L: {wait} @!%done bra L; {READ}"
        );
        let found = run_on(&body, 64, 64).unwrap_or_else(|error| panic!("{arrive} {wait}: {error}"));
        assert!(found.iter().zip((0..64).rev()).all(|(&word, wanted)| word == wanted), "{arrive}: {found:?}");
    }
    // A thread that is not waited for is not ordered.
    let again = "bar.sync 0; add.u32 %r7, %r1, 1; st.shared.u32 [%r5], %r7;";
    let body = format!("{EXCHANGE} {again} mbarrier.arrive.shared.b64 %state, [b]; {READ}");
    let error = run_on(&body, 64, 64).expect_err("no thread waits");
    assert!(error.starts_with("data race: "), "{error}");
    // A relaxed operation orders nothing.
    let body = format!(
        "{EXCHANGE} mbarrier.arrive.relaxed.cta.shared.b64 %state, [b]; L: mbarrier.test_wait.relaxed.cta.shared.b64 %done, [b], %state; @!%done bra L; {READ}"
    );
    let error = run_on(&body, 64, 64).expect_err("the arrival does not release");
    assert!(error.starts_with("data race: "), "{error}");
}

#[test]
fn threads_of_a_warp_wait_for_one_another() {
    // The first half waits in a loop for what the second half does later in the text.
    let body = "setp.lt.u32 %p2, %r1, 16; @!%p2 bra A; L: mbarrier.test_wait.parity.shared.b64 %done, [b], 0; @!%done bra L;\n\
                ld.shared.u32 %r9, [x]; bra E; A: setp.eq.u32 %p2, %r1, 20; @%p2 st.shared.u32 [x], 5; mbarrier.arrive.shared.b64 %state, [b]; E:";
    let found = run_on(body, 16, 32).expect("they arrive");
    assert_eq!((&found[..16], &found[16..]), (&[5; 16][..], &[0; 16][..]));
}

#[test]
fn a_barrier_opens_while_others_wait_in_a_loop() {
    let body = "setp.lt.u32 %p2, %r1, 32; @!%p2 bra A; L: mbarrier.try_wait.parity.shared.b64 %done, [b], 0; @!%done bra L;\n\
                mov.u32 %r9, 3; bra E; A: bar.sync 1, 64; mbarrier.arrive.shared.b64 %state, [b]; E:";
    let found = run_on(body, 64, 96).expect("the barrier opens");
    assert_eq!(found[..32], [3; 32]);
}

#[test]
fn phases_follow_one_another() {
    // Ten rounds, in each of which every thread adds to the previous thread's value.
    let body = "mov.u32 %r4, x; mad.lo.u32 %r5, %r1, 4, %r4; mov.u32 %r9, %r1; mov.u32 %r7, 0;\n\
         L: st.shared.u32 [%r5], %r9; mbarrier.arrive.shared.b64 %state, [b];\n\
         W: mbarrier.test_wait.shared.b64 %done, [b], %state; @!%done bra W;\n\
         add.u32 %r6, %r1, 1; and.b32 %r6, %r6, 63; mad.lo.u32 %r6, %r6, 4, %r4; ld.shared.u32 %r8, [%r6]; add.u32 %r9, %r9, %r8;\n\
         and.b32 %r6, %r7, 1; mbarrier.arrive.shared.b64 %state, [b];\n\
         V: mbarrier.test_wait.shared.b64 %done, [b], %state; @!%done bra V;\n\
         add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 10; @%p2 bra L;";
    let mut wanted: Vec<u32> = (0..64).collect();
    for _ in 0..10 {
        wanted = (0..64).map(|n| wanted[n] + wanted[(n + 1) % 64]).collect();
    }
    assert_eq!(run_on(body, 64, 64), Ok(wanted));
}

#[test]
fn a_state_tells_how_many_were_pending() {
    let body = "mbarrier.arrive.noComplete.release.cta.shared.b64 %state, [b], 1; mbarrier.pending_count.b64 %r9, %state;";
    let found = run_on(body, 40, 32).expect("it runs");
    assert_eq!(found, (9..=40).rev().collect::<Vec<u32>>());
}

#[test]
fn misuse_is_named() {
    for (body, message) in [
        ("mbarrier.arrive.shared.b64 %state, [x];", "mbarrier at 0x10: not initialized"),
        ("mbarrier.test_wait.parity.shared.b64 %done, [x+8], 0;", "mbarrier at 0x18: not initialized"),
        (
            "mbarrier.inval.shared.b64 [b]; mbarrier.arrive.shared.b64 %state, [b];",
            "mbarrier at 0x0: not initialized",
        ),
        ("mbarrier.arrive.shared.b64 %state, [b], 3;", "mbarrier at 0x0: 3 arrivals, but only 2 pending"),
        (
            "mbarrier.arrive.noComplete.shared.b64 %state, [b], 2;",
            "mbarrier at 0x0: an arrival with `.noComplete` completes the phase",
        ),
        ("mbarrier.init.shared.b64 [b], 0;", "mbarrier at 0x0: count is 0; it must be from 1 to 1048575"),
        (
            "mbarrier.arrive_drop.shared.b64 %state, [b], 2; mbarrier.arrive.shared.b64 %state, [b];",
            "mbarrier at 0x0: a thread arrives, but no arrival is pending",
        ),
        (
            "mbarrier.expect_tx.shared.b64 [b], 1048576;",
            "mbarrier at 0x0: 1048576 bytes of transactions pending; the maximum is 1048575",
        ),
        ("ld.param.u64 %rd3, [p]; mbarrier.init.b64 [%rd3], 1;", "mbarrier at 0x7f"),
        ("mbarrier.arrive.shared.b64 %state, [x+4];", "misaligned shared write of 8 bytes at 0x14: "),
    ] {
        let error = run_on(body, 2, 1).expect_err(body);
        assert!(
            error.starts_with(message)
                || message.starts_with("misaligned") && error.contains("8 bytes at 0x14"),
            "{body}: {error}"
        );
    }
}

/// Like ptxas.
#[test]
fn forms_that_there_are_not_are_refused() {
    for (instruction, message) in [
        ("mbarrier.init.shared.b32 [%rd1], 1;", "unknown instruction"),
        ("mbarrier.init.relaxed.cta.shared.b64 [%rd1], 1;", "unknown instruction"),
        ("mbarrier.arrive.acquire.cta.shared.b64 %rd3, [%rd1];", "unknown instruction"),
        ("mbarrier.arrive.release.gpu.shared.b64 %rd3, [%rd1];", "unknown instruction"),
        ("mbarrier.test_wait.release.cta.shared.b64 %p1, [%rd1], %rd3;", "unknown instruction"),
        (
            "mbarrier.arrive.shared::cluster.b64 %rd3, [%rd1];",
            "an arrival in `.shared::cluster` returns no state; write `_`",
        ),
        ("mbarrier.arrive.noComplete.shared.b64 %rd3, [%rd1];", "invalid operands of `mbarrier.arrive`"),
        ("mbarrier.test_wait.shared.b64 %p1, [%rd1], %rd3, 5;", "invalid operands of `mbarrier.test_wait`"),
        ("mbarrier.test_wait.shared.b64 %p1, [%rd1], %r3;", "the type of register `%r3` does not match"),
        (
            "mbarrier.test_wait.parity.shared.b64 %p1, [%rd1], %rd3;",
            "the type of register `%rd3` does not match",
        ),
        ("mbarrier.wait.shared.b64 %p1, [%rd1], %rd3;", "unknown instruction"),
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with(&format!("test:9:1: {message}")), "{instruction}: {error}");
    }
}
