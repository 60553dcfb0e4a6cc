//! What orders accesses of several threads, clause by clause of the PTX memory model: each pattern complete,
//! and with each of its parts missing.

use super::races::{assert_race, assert_silent, run_watched};
use super::{kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// Thread 0 of block 0 hands a value to thread 0 of block 1, using a flag in the next word.
fn handed(release: &str, set: &str, get: &str, acquire: &str) -> String {
    format!(
        "mov.u32 %r7, %ctaid.x; setp.eq.u32 %p6, %r7, 0; @!%p7 bra END; @!%p6 bra READ;\n\
         st.global.u32 [%rd3], 5; {release} {set} bra END;\n\
         READ: {get} setp.eq.u32 %p1, %r8, 0; @%p1 bra READ; {acquire} ld.global.u32 %r9, [%rd3]; END:"
    )
}

const SET: &str = "st.relaxed.gpu.global.u32 [%rd3+4], 1;";
const GET: &str = "ld.relaxed.gpu.global.u32 %r8, [%rd3+4];";
const FENCE: &str = "fence.acq_rel.gpu;";

#[test]
fn release_and_acquire_between_blocks() {
    let add = "atom.global.add.u32 %r8, [%rd3+4], 0;";
    for (release, set, get, acquire) in [
        (FENCE, SET, GET, FENCE),
        ("fence.release.gpu;", SET, GET, "fence.acquire.gpu;"),
        (
            "membar.gl;",
            "st.volatile.global.u32 [%rd3+4], 1;",
            "ld.volatile.global.u32 %r8, [%rd3+4];",
            "membar.sys;",
        ),
        ("", "st.release.gpu.global.u32 [%rd3+4], 1;", "ld.acquire.sys.global.u32 %r8, [%rd3+4];", ""),
        ("membar.gl;", "atom.global.exch.b32 %r8, [%rd3+4], 1;", add, "membar.gl;"),
        ("membar.gl;", "red.global.add.u32 [%rd3+4], 1;", GET, FENCE),
        (
            "",
            "atom.release.gpu.global.exch.b32 %r8, [%rd3+4], 1;",
            "atom.acquire.gpu.global.or.b32 %r8, [%rd3+4], 0;",
            "",
        ),
        // A release sequence of the same thread.
        ("", "st.release.gpu.global.u32 [%rd3+4], 1; st.relaxed.gpu.global.u32 [%rd3+4], 2;", GET, FENCE),
        // An additional narrow fence changes nothing.
        ("fence.acq_rel.gpu; fence.acq_rel.cta;", SET, GET, "fence.acq_rel.cta; fence.acq_rel.gpu;"),
    ] {
        assert_silent(&handed(release, set, get, acquire));
    }
}

#[test]
fn a_side_that_is_missing_is_named() {
    let no_release = "needs a `__threadfence()` before that write";
    let no_acquire = "was read, but not acquired";
    let narrow = "a scope does not include the other thread";
    for (release, set, get, acquire, why) in [
        ("", SET, GET, FENCE, no_release),
        ("fence.acquire.gpu;", SET, GET, FENCE, no_release),
        ("", SET, "ld.acquire.gpu.global.u32 %r8, [%rd3+4];", "", no_release),
        (FENCE, SET, GET, "", no_acquire),
        (FENCE, SET, GET, "fence.release.gpu;", no_acquire),
        ("", "st.release.gpu.global.u32 [%rd3+4], 1;", GET, "", no_acquire),
        (FENCE, SET, GET, "membar.cta;", "but the scope of the fence after that read is too narrow"),
        ("membar.cta;", SET, GET, FENCE, "the scope of the release or of the read does not include"),
        (FENCE, "st.relaxed.cta.global.u32 [%rd3+4], 1;", GET, FENCE, narrow),
        (FENCE, SET, "ld.acquire.cta.global.u32 %r8, [%rd3+4];", "", narrow),
        (FENCE, "atom.cta.global.exch.b32 %r8, [%rd3+4], 1;", GET, FENCE, narrow),
        (FENCE, "st.global.u32 [%rd3+4], 1;", GET, FENCE, ""),
        (FENCE, SET, "ld.global.u32 %r8, [%rd3+4];", FENCE, ""),
    ] {
        let body = handed(release, set, get, acquire);
        // With the writer first.
        assert_race(&body, "");
        let text = kernel(&format!("{}{body}", super::races::NAMES));
        let launch = Launch { checks: Checks::ALL, seed: None, ..Launch::new([2, 1, 1], [64, 1, 1]) };
        let error = run(&text, &launch, &[0; 128], &[vec![0; 4]]).expect_err(&body);
        assert!(error.contains(why), "{body}\n{error}");
    }
}

#[test]
fn a_scope_of_the_block_is_enough_within_it() {
    let body = |fence: &str, scope: &str| {
        format!(
            "@%p7 st.relaxed.cta.shared.u32 [flag], 0; bar.sync 0; @!%p7 bra OTHER; st.shared.u32 [data], 5; {fence}\n\
             st.relaxed.{scope}.shared.u32 [flag], 1; OTHER: @!%p8 bra END;\n\
             READ: ld.relaxed.{scope}.shared.u32 %r8, [flag]; setp.eq.u32 %p1, %r8, 0; @%p1 bra READ; {fence}\n\
             ld.shared.u32 %r9, [data]; END:"
        )
    };
    assert_silent(&body("fence.acq_rel.cta;", "cta"));
    assert_silent(&body("membar.gl;", "sys"));
    assert_race(&body("", "cta"), "`data`");
}

#[test]
fn atomic_operations_continue_a_release_sequence() {
    // Block 0 releases; its thread 40 adds to the flag; block 1 reads the result.
    let body = |between: &str| {
        format!(
            "mov.u32 %r7, %ctaid.x; setp.eq.u32 %p6, %r7, 0; @!%p6 bra OTHER;\n\
             @%p7 st.global.u32 [%rd3], 5; @%p7 membar.gl; @%p7 st.relaxed.gpu.global.u32 [%rd3+4], 1; @!%p8 bra END;\n\
             WAIT: ld.relaxed.gpu.global.u32 %r8, [%rd3+4]; setp.eq.u32 %p1, %r8, 0; @%p1 bra WAIT; {between} bra END;\n\
             OTHER: @!%p7 bra END; READ: ld.relaxed.gpu.global.u32 %r8, [%rd3+4]; setp.lt.u32 %p1, %r8, 2; @%p1 bra READ;\n\
             membar.gl; ld.global.u32 %r9, [%rd3]; END:"
        )
    };
    assert_silent(&body("red.relaxed.gpu.global.add.u32 [%rd3+4], 1;"));
    assert_silent(&body("membar.gl; st.relaxed.gpu.global.u32 [%rd3+4], 2;"));
    assert_race(&body("st.relaxed.gpu.global.u32 [%rd3+4], 2;"), "");
}

#[test]
fn locks_need_a_fence_on_both_sides() {
    let body = |acquire: &str, release: &str| {
        format!(
            "@!%p7 bra END; LOCK: atom.global.cas.b32 %r8, [%rd3+4], 0, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra LOCK; {acquire}\n\
             ld.global.u32 %r9, [%rd3]; add.u32 %r9, %r9, 1; st.global.u32 [%rd3], %r9; {release}\n\
             atom.global.exch.b32 %r8, [%rd3+4], 0; END:"
        )
    };
    assert_silent(&body("membar.gl;", "membar.gl;"));
    assert_race(&body("", "membar.gl;"), "was read, but not acquired");
    assert_race(&body("membar.gl;", ""), "before that write");
    assert_race(&body("membar.cta;", "membar.gl;"), "is too narrow");
    assert_race(&body("membar.gl;", "membar.cta;"), "does not include the other thread");
}

/// The last block adds up what all have written (CUDA C++ Programming Guide "Memory Fence Functions").
#[test]
fn the_last_block_needs_to_acquire() {
    let body = |acquire: &str| {
        format!(
            "mov.u32 %r7, %ctaid.x; mul.wide.u32 %rd4, %r7, 4; add.u64 %rd4, %rd4, %rd3;\n\
             @%p7 st.global.u32 [%rd4], 9; @%p7 membar.gl; @%p7 atom.global.inc.u32 %r8, [%rd3+64], 2; {acquire}\n\
             @%p7 st.shared.u32 [flag], %r8; bar.sync 0; ld.shared.u32 %r8, [flag]; setp.eq.u32 %p1, %r8, 0; @%p1 exit;\n\
             ld.global.u32 %r9, [%rd3]; ld.global.u32 %r9, [%rd3+4]; @%p7 st.global.u32 [%rd3+64], 0;"
        )
    };
    assert_silent(&body("@%p7 membar.gl;"));
    // A fence of other threads does not acquire what this one has read.
    assert_race(&body(""), "the reading thread needs a `__threadfence()` after that read");
    assert_race(&body("bar.sync 0; @!%p7 membar.gl;"), "the reading thread");
}

#[test]
fn barriers_order_those_that_take_part() {
    for body in [
        "@%p7 st.shared.u32 [data], 5; bar.sync 1, 64; @%p8 ld.shared.u32 %r8, [data];",
        // An arrival precedes the wait.
        "setp.lt.u32 %p1, %t, 32; @!%p1 bra B; @%p7 st.shared.u32 [data], 5; bar.arrive 2, 64; bra END;\n\
         B: bar.sync 2, 64; @%p8 ld.shared.u32 %r8, [data]; END:",
        // What a thread learns by one barrier it passes on by the next.
        "setp.lt.u32 %p1, %t, 32; @%p7 st.shared.u32 [data], 5; @%p1 bar.warp.sync -1; bar.sync 0; bar.warp.sync -1;\n\
         ld.shared.u32 %r8, [data];",
    ] {
        assert_silent(body);
    }
    for (body, why) in [
        // A wait does not precede an arrival that did not wait.
        (
            "setp.lt.u32 %p1, %t, 32; @%p1 bra B; @%p8 st.shared.u32 [data], 5; bar.sync 2, 64; bra END;\n\
             B: bar.arrive 2, 64; @%p7 ld.shared.u32 %r8, [data]; END:",
            "",
        ),
        // A barrier of each warp.
        (
            "setp.lt.u32 %p1, %t, 32; @%p7 st.shared.u32 [data], 5; @%p1 bar.sync 1, 32; @!%p1 bar.sync 2, 32;\n\
             @%p8 ld.shared.u32 %r8, [data];",
            "the barrier in between did not include both threads",
        ),
        // Of other blocks.
        ("@%p7 st.global.u32 [%rd3], %r2; bar.sync 0;", "the threads are in different blocks"),
    ] {
        assert_race(body, why);
    }
    // Threads that have ended do not arrive at a barrier.
    let body = "@%p7 st.shared.u32 [data], 5; @%p7 exit; barrier.sync 0; @%p8 ld.shared.u32 %r8, [data];";
    let checks = Checks { divergent_barriers: false, ..Checks::ALL };
    for outcome in run_watched(body, checks) {
        assert!(outcome.is_err_and(|error| error.starts_with("data race: ")), "{body}");
    }
}

#[test]
fn threads_of_a_warp_are_ordered_by_their_masks() {
    let body = |mask: &str| {
        format!(
            "setp.eq.u32 %p1, %t, 3; setp.eq.u32 %p2, %t, 5; @%p1 st.shared.u32 [data], 5; and.b32 %r8, %t, 31; setp.lt.u32 %p3, %r8, 16;\n\
             @%p3 bar.warp.sync 0xFFFF; @!%p3 bar.warp.sync 0xFFFF0000; setp.eq.u32 %p4, %t, {mask}; @%p4 ld.shared.u32 %r9, [data];"
        )
    };
    assert_silent(&body("5"));
    assert_race(&body("20"), "the barrier in between did not include both threads");
    // One of several readers comes first, and does not synchronize with the others.
    let read = |mask: &str| {
        format!(
            "setp.gt.u32 %p1, %t, 31; @%p1 exit; st.shared.u32 [%r5], %t; bar.warp.sync -1; setp.eq.u32 %p1, %t, 1; @%p1 ld.shared.u32 %r8, [tile];\n\
             @!%p1 ld.shared.u32 %r8, [tile]; setp.eq.u32 %p2, %t, 2; @!%p1 bar.warp.sync 0xFFFFFFFD; @%p1 bar.warp.sync 2;\n\
             {mask} @%p2 st.shared.u32 [tile], 9;"
        )
    };
    assert_silent(&read("bar.warp.sync -1;"));
    assert_race(&read(""), "after a read by thread (1, 0, 0)");
}

#[test]
fn strong_accesses_of_other_sizes_race() {
    for (body, why) in [
        (
            "@%p7 atom.shared.add.u32 %r8, [tile], 1; @%p8 atom.shared.add.u64 %rd4, [tile], 1;",
            "of different sizes",
        ),
        (
            "@%p7 st.relaxed.cta.shared.u8 [tile], 1; @%p8 ld.relaxed.cta.shared.u32 %r8, [tile];",
            "of different sizes",
        ),
    ] {
        let body = format!("@%p7 st.shared.v4.u32 [tile], {{0, 0, 0, 0}}; bar.sync 0; {body}");
        assert_race(&body, why);
    }
    assert_silent(
        "@%p7 st.shared.v4.u32 [tile], {0, 0, 0, 0}; bar.sync 0; @%p7 st.volatile.shared.v2.u32 [tile], {1, 2};\n\
         @%p8 ld.volatile.shared.u32 %r8, [tile+4];",
    );
}

/// A read by an atomic operation comes after the writes that it observes (PTX ISA "Causality Order").
#[test]
fn observed_writes_happen_before() {
    let body = |last: &str| {
        format!(
            "setp.gt.u32 %p1, %t, 31; @%p1 exit; @%p7 st.shared.u32 [flag], 0; bar.warp.sync -1;\n\
             atom.shared.add.u32 %r8, [flag], 1; setp.eq.u32 %p2, %r8, {last}; @%p2 st.shared.u32 [flag], 0;"
        )
    };
    assert_silent(&body("31"));
    assert_race(&body("30"), "after a `.relaxed.gpu` atomic operation by thread (31, 0, 0)");
}

/// A thread keeps what it has observed after writing to the location itself.
#[test]
fn observed_writes_stay_ordered() {
    assert_silent(
        "setp.gt.u32 %p1, %t, 31; @%p1 exit; setp.eq.u32 %p2, %t, 1; @%p7 st.shared.u32 [flag], 0; bar.warp.sync -1;\n\
         @%p7 atom.shared.add.u32 %r8, [flag], 1; @%p2 atom.shared.add.u32 %r8, [flag], 1;\n\
         @%p2 st.shared.u32 [flag], 0; @%p2 ld.shared.u32 %r9, [flag];",
    );
}

/// All blocks wait for all others, using a counter.
#[test]
fn barriers_of_grids_order_all() {
    let body = |arrive: &str, leave: &str| {
        format!(
            "st.global.u32 [%rd1], %t; bar.sync 0; @!%p7 bra WAIT; {arrive} atom.global.add.u32 %r8, [%rd3+252], 1;\n\
             LOOP: ld.volatile.global.u32 %r8, [%rd3+252]; setp.lt.u32 %p1, %r8, 2; @%p1 bra LOOP; {leave}\n\
             WAIT: bar.sync 0; xor.b64 %rd4, %rd1, 256; ld.global.u32 %r9, [%rd4];"
        )
    };
    assert_silent(&skipping(&body("membar.gl;", "membar.gl;")));
    assert_race(&skipping(&body("", "membar.gl;")), "");
    assert_race(&skipping(&body("membar.gl;", "")), "");
}

/// Thread 63 of the first block does not touch the counter.
fn skipping(body: &str) -> String {
    body.replacen("st.global.u32 [%rd1], %t;", "setp.ne.u32 %p2, %t, 63; @%p2 st.global.u32 [%rd1], %t;", 1)
        .replacen("ld.global.u32 %r9, [%rd4];", "@%p2 ld.global.u32 %r9, [%rd4];", 1)
}
