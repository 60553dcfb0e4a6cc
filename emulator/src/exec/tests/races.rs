//! Races: what is one, and what is none.

use super::{kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// Shared memory; `%r5` is the place of the thread in `tile`, `%r6` that of its neighbour in the warp, `%r7` that of a
/// thread of the other warp. `%rd3` is the address of the first word in global memory.
const NAMES: &str = ".shared .align 8 .b8 tile[256]; .shared .align 4 .b32 flag; .shared .align 4 .b32 data; .reg .b32 %t;\n\
    mov.u32 %t, %tid.x; shl.b32 %r4, %t, 2; mov.u32 %r5, tile; xor.b32 %r6, %r4, 4; xor.b32 %r7, %r4, 128;\n\
    add.u32 %r6, %r6, %r5; add.u32 %r7, %r7, %r5; add.u32 %r5, %r4, %r5;\n\
    ld.param.u64 %rd3, [p]; cvta.to.global.u64 %rd3, %rd3; setp.eq.u32 %p7, %t, 0; setp.eq.u32 %p8, %t, 40;\n";

/// Runs two blocks of two warps, for several orders.
fn run_watched(body: &str, checks: Checks) -> Result<(), String> {
    let text = kernel(&format!("{NAMES}{body}"));
    for seed in [None, Some(1), Some(2)] {
        let launch = Launch { checks, seed, step_limit: Some(100_000), ..Launch::new([2, 1, 1], [64, 1, 1]) };
        run(&text, &launch, &[0; 128], &[vec![0; 4]])?;
    }
    Ok(())
}

fn assert_race(body: &str, expected: &str) {
    assert_eq!(run_watched(body, Checks::USUAL), Ok(()), "{body}");
    let error = run_watched(body, Checks::ALL).expect_err(body);
    assert!(error.starts_with("race: ") && error.contains(expected), "{body}\n{error}");
}

fn assert_silent(body: &str) {
    assert_eq!(run_watched(body, Checks::ALL), Ok(()), "{body}");
}

#[test]
fn races_name_both_threads() {
    assert_race(
        ".loc 1 7 1\nst.shared.u32 [%r5], %t;\n.loc 1 9 1\nld.shared.u32 %r8, [%r6];",
        "race: read of 4 bytes of shared memory at 0x4, in `tile`, 4 bytes behind its beginning, after a write by thread \
         (1, 0, 0) of block (0, 0, 0) at test:14, from kernel.cu:7, and nothing orders the two, in `k`, by thread (0, 0, \
         0) of block (0, 0, 0), at test:16, from kernel.cu:9",
    );
}

#[test]
fn races_on_shared_memory_are_found() {
    for (body, expected) in [
        // Of one warp and of two.
        ("st.shared.u32 [%r5], %t; ld.shared.u32 %r8, [%r6];", "read of 4 bytes"),
        ("st.shared.u32 [%r5], %t; bar.warp.sync -1; ld.shared.u32 %r8, [%r7];", "in `tile`"),
        (
            "st.shared.u32 [%r5], %t; shfl.sync.bfly.b32 %r9, %r1, 1, 31, -1; ld.shared.u32 %r8, [%r6];",
            "after a write",
        ),
        (
            "st.shared.u32 [%r5], %t; bar.sync 0; ld.shared.u32 %r8, [%r6]; st.shared.u32 [%r5], %r8;",
            "after a read",
        ),
        ("st.shared.u32 [tile], %t;", "write of 4 bytes of shared memory at 0x0, in `tile`, after a write"),
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
fn what_barriers_order_is_no_race() {
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
fn what_no_order_changes_is_no_race() {
    for body in [
        "st.shared.u32 [tile], 7;",
        "add.u64 %rd4, %rd3, 0; st.global.u32 [%rd4], 7;",
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
fn what_fences_and_flags_order_is_no_race() {
    for body in [
        // A flag for another warp.
        "@%p7 st.volatile.shared.u32 [flag], 0; bar.sync 0; @%p7 st.shared.u32 [data], 5; @%p7 membar.cta; \
         @%p7 st.volatile.shared.u32 [flag], 1; @!%p8 exit; WAIT: ld.volatile.shared.u32 %r8, [flag]; \
         setp.eq.u32 %p1, %r8, 0; @%p1 bra WAIT; ld.shared.u32 %r9, [data];",
        // The same by release and acquire.
        "@%p7 st.relaxed.cta.shared.u32 [flag], 0; bar.sync 0; @%p7 st.shared.u32 [data], 5; \
         @%p7 st.release.cta.shared.u32 [flag], 1; @!%p8 exit; WAIT: ld.acquire.cta.shared.u32 %r8, [flag]; \
         setp.eq.u32 %p1, %r8, 0; @%p1 bra WAIT; ld.shared.u32 %r9, [data];",
        // The block that is last reads what all have written.
        "setp.ne.u32 %p2, %t, 63; @%p2 st.global.u32 [%rd1], %r1; fence.acq_rel.gpu; bar.sync 0; @%p7 atom.global.add.u32 %r8, [%rd3+252], 1; \
         @%p7 st.shared.u32 [flag], %r8; bar.sync 0; ld.shared.u32 %r8, [flag]; setp.eq.u32 %p1, %r8, 0; @%p1 exit; \
         xor.b64 %rd4, %rd1, 256; ld.global.u32 %r9, [%rd4];",
        // A lock.
        "mov.u32 %r9, 0; @!%p7 bra END; LOCK: atom.global.cas.b32 %r8, [%rd3+4], 0, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra LOCK; \
         fence.acq_rel.gpu; ld.global.u32 %r9, [%rd3]; add.u32 %r9, %r9, 1; st.global.u32 [%rd3], %r9; fence.acq_rel.gpu; \
         atom.global.exch.b32 %r8, [%rd3+4], 0; END:",
    ] {
        assert_silent(body);
    }
}
