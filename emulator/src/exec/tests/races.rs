//! Data races, and accesses that do not race.

use super::{kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// Shared memory: `%r5` is the thread's word in `tile`, `%r6` that of its neighbor in the warp, `%r7` that of
/// a thread of the other warp. `%rd3` is the address of the first word in global memory.
pub(super) const NAMES: &str = ".shared .align 8 .b8 tile[256]; .shared .align 4 .b32 flag; .shared .align 4 .b32 data; .reg .b32 %t;\n\
    mov.u32 %t, %tid.x; shl.b32 %r4, %t, 2; mov.u32 %r5, tile; xor.b32 %r6, %r4, 4; xor.b32 %r7, %r4, 128;\n\
    add.u32 %r6, %r6, %r5; add.u32 %r7, %r7, %r5; add.u32 %r5, %r4, %r5;\n\
    ld.param.u64 %rd3, [p]; cvta.to.global.u64 %rd3, %rd3; setp.eq.u32 %p7, %t, 0; setp.eq.u32 %p8, %t, 40;\n";

/// Runs two blocks of two warps, in several orders.
pub(super) fn run_watched(body: &str, checks: Checks) -> Vec<Result<(), String>> {
    let text = kernel(&format!("{NAMES}{body}"));
    let run = |seed| {
        let launch = Launch { checks, seed, step_limit: Some(100_000), ..Launch::new([2, 1, 1], [64, 1, 1]) };
        run(&text, &launch, &[0; 128], &[vec![0; 4]]).map(drop)
    };
    [None, Some(1), Some(2), Some(3)].map(run).into()
}

/// Expects a race in each order of blocks and warps; the message is that of ascending order.
pub(super) fn assert_race(body: &str, expected: &str) {
    assert!(run_watched(body, Checks::USUAL).iter().all(Result::is_ok), "{body}");
    for (idx, outcome) in run_watched(body, Checks::ALL).into_iter().enumerate() {
        let error = outcome.expect_err(body);
        assert!(error.starts_with("data race: ") && (idx > 0 || error.contains(expected)), "{body}\n{error}");
    }
}

pub(super) fn assert_silent(body: &str) {
    assert_silent_with(body, Checks::ALL);
}

pub(super) fn assert_silent_with(body: &str, checks: Checks) {
    for outcome in run_watched(body, checks) {
        assert_eq!(outcome, Ok(()), "{body}");
    }
}

#[test]
fn races_name_both_threads() {
    assert_race(
        ".loc 1 7 1\nst.shared.u32 [%r5], %t;\n.loc 1 9 1\nld.shared.u32 %r8, [%r6];",
        "data race: read of `tile+0x4`, 4 bytes of shared memory at 0x4, after a write by thread \
         (1, 0, 0) of block (0, 0, 0) at test:14, from kernel.cu:7, with no synchronization between them: the threads are in one warp, \
         but no `__syncwarp()` or barrier of both comes between the accesses, in `k`, by thread (0, 0, 0) of block (0, 0, 0), at test:16, from kernel.cu:9",
    );
}

#[test]
fn races_on_shared_memory_are_found() {
    for (body, expected) in [
        // In one warp and in two.
        ("st.shared.u32 [%r5], %t; ld.shared.u32 %r8, [%r6];", "read of `tile"),
        ("st.shared.u32 [%r5], %t; bar.warp.sync -1; ld.shared.u32 %r8, [%r7];", "of `tile"),
        (
            "st.shared.u32 [%r5], %t; shfl.sync.bfly.b32 %r9, %r1, 1, 31, -1; ld.shared.u32 %r8, [%r6];",
            "after a write",
        ),
        (
            "st.shared.u32 [%r5], %t; bar.sync 0; ld.shared.u32 %r8, [%r6]; st.shared.u32 [%r5], %r8;",
            "after a read",
        ),
        ("st.shared.u32 [tile], %t;", "write of `tile`, 4 bytes of shared memory at 0x0, after a write"),
        ("@%p7 st.shared.u32 [flag], 1; @%p8 atom.shared.exch.b32 %r8, [flag], 1;", "`flag`"),
        (
            "@%p7 st.shared.u32 [flag], 0; bar.sync 0; atom.shared.add.u32 %r8, [flag], 1; ld.shared.u32 %r9, [flag];",
            "`flag`",
        ),
        // A word and one of its bytes.
        ("@%p7 st.shared.u8 [tile+3], 1; @%p8 st.shared.u32 [tile], 0;", "after a write"),
        ("@%p7 st.shared.u32 [tile], 1; @%p8 st.shared.u8 [tile+3], 9;", "after a write"),
        // A flag without a fence.
        (
            "@%p7 st.shared.u32 [data], 5; @%p7 st.volatile.shared.u32 [flag], 1; \
          @%p8 ld.volatile.shared.u32 %r8, [flag]; @%p8 ld.shared.u32 %r9, [data];",
            "`data`",
        ),
    ] {
        assert_race(body, expected);
    }
}

#[test]
fn races_on_global_memory_are_found() {
    assert_race("st.global.u32 [%rd3], %r2;", "bytes of global memory");
    assert_race(
        "st.global.u32 [%rd1], %r1; @%p7 ld.global.u32 %r8, [%rd3+256];",
        "global memory at 0x7f0000000100",
    );
    assert_race(
        "st.u32 [%rd1], %r1; bar.sync 0; @%p7 ld.global.u32 %r8, [%rd3+256];",
        "global memory at 0x7f0000000100",
    );
    // A lock that orders nothing.
    assert_race(
        "mov.u32 %r9, 0; @!%p7 bra END; LOCK: atom.global.cas.b32 %r8, [%rd3+4], 0, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra LOCK; \
         ld.global.u32 %r9, [%rd3]; add.u32 %r9, %r9, 1; st.global.u32 [%rd3], %r9; atom.global.exch.b32 %r8, [%rd3+4], 0; END:",
        "at 0x7f0000000000",
    );
}

#[test]
fn barriers_prevent_races() {
    for body in [
        "st.shared.u32 [%r5], %t; bar.sync 0; ld.shared.u32 %r8, [%r7]; bar.sync 0; st.shared.u32 [%r5], %r8;",
        "st.shared.u32 [%r5], %t; bar.warp.sync -1; ld.shared.u32 %r8, [%r6]; bar.warp.sync -1; st.shared.u32 [%r5], %r8;",
        "st.global.u32 [%rd1], %t; bar.sync 0; xor.b64 %rd4, %rd1, 128; ld.global.u32 %r8, [%rd4];",
        "st.shared.u32 [%r5], %t; barrier.sync 3; @%p7 ld.shared.u32 %r8, [tile+240];",
    ] {
        assert_silent(body);
    }
}

#[test]
fn commutative_accesses_do_not_race() {
    for body in [
        "ld.global.u32 %r8, [%rd3]; ld.global.u32 %r8, [%rd3+128];",
        "red.global.add.u32 [%rd3], 1; atom.global.max.u32 %r8, [%rd3], %r1;",
        "@%p7 st.shared.u32 [flag], 0; bar.sync 0; atom.shared.add.u32 %r8, [flag], 1; bar.sync 0; ld.shared.u32 %r9, [flag];",
        // Bytes of one word.
        "mov.u32 %r9, tile; add.u32 %r9, %r9, %t; st.shared.u8 [%r9], %t; ld.shared.u8 %r8, [%r9];",
        "st.volatile.shared.u32 [flag], 1; ld.volatile.shared.u32 %r8, [flag];",
        "st.shared.u32 [%r5], %t; ld.shared.u32 %r8, [%r5]; st.shared.u32 [%r5], %r8;",
    ] {
        assert_silent(body);
    }
}

#[test]
fn writes_of_the_same_value_are_races_of_their_own() {
    let checks = Checks { same_value_races: false, ..Checks::ALL };
    for (body, is_same) in [
        ("st.shared.u32 [tile], 7;", true),
        ("add.u64 %rd4, %rd3, 0; st.global.u32 [%rd4], 7;", true),
        ("st.shared.u8 [tile+1], 7;", true),
        ("@%p7 st.shared.v2.u32 [tile], {7, 8}; @%p8 st.shared.u32 [tile+4], 8;", true),
        ("@%p7 st.shared.u32 [tile], 0x01020304; @%p8 st.shared.u8 [tile+1], 3;", true),
        ("@%p7 st.shared.u32 [tile], 0x01020304; @%p8 st.shared.u8 [tile+1], 4;", false),
        ("st.shared.u32 [tile], %t;", false),
        ("@%p7 st.shared.u32 [tile], 7; @%p8 ld.shared.u32 %r8, [tile];", false),
    ] {
        assert_race(body, if is_same { "after a write of the same value by" } else { "" });
        if is_same {
            assert_silent_with(body, checks);
        } else {
            assert!(run_watched(body, checks).iter().all(Result::is_err), "{body}");
        }
    }
}

#[test]
fn volatile_accesses_are_strong_unless_they_are_to_be_plain() {
    let body = "@%p7 st.volatile.shared.u32 [flag], 1; @%p8 ld.volatile.shared.u32 %r8, [flag];";
    assert_silent(body);
    let checks = Checks { volatile_races: true, ..Checks::ALL };
    for outcome in run_watched(body, checks) {
        assert!(outcome.is_err_and(|error| error.starts_with("data race: `.volatile` ")), "{body}");
    }
    assert_race(
        "@%p7 st.volatile.shared.u32 [flag], 1; @%p8 ld.shared.u32 %r8, [flag];",
        "after a `.volatile` write by thread (0, 0, 0)",
    );
    assert_race(
        "@%p7 st.volatile.shared.u32 [flag], 1; @%p8 ld.shared.u32 %r8, [flag];",
        "(`.volatile` is `.relaxed.sys`, which orders nothing without fences)",
    );
}
