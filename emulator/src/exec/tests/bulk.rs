//! Bulk copies: their effect, when it is visible, and their errors.

use super::{kernel, run};
use crate::exec::launch::{Checks, Launch};

/// `%rd3` is the address of the buffer; `s` is 512 bytes of shared memory, at `%r4`, whose words hold 1000
/// plus their index; `b`, at `%r7`, is an mbarrier for one thread. `%p1` is true in all but the first thread.
/// `%r9` is stored at the end.
fn with_memory(body: &str) -> String {
    kernel(&format!(
        ".shared .align 128 .b8 s[512]; .shared .align 8 .b64 b; .reg .b64 %state; .reg .pred %done; .reg .b16 %h<4>; mov.u32 %r9, 0;\n\
         ld.param.u64 %rd3, [p]; mov.u32 %r4, s; mov.u32 %t, %tid.x; mad.lo.u32 %r5, %t, 4, %r4; mov.u32 %r7, b;\n\
         add.u32 %r6, %t, 1000; st.shared.u32 [%r5], %r6; add.u32 %r6, %r6, 32; st.shared.u32 [%r5+128], %r6;\n\
         add.u32 %r6, %r6, 32; st.shared.u32 [%r5+256], %r6; add.u32 %r6, %r6, 32; st.shared.u32 [%r5+384], %r6;\n\
         setp.ne.u32 %p1, %t, 0; @!%p1 mbarrier.init.shared::cta.b64 [b], 1;\n\
         fence.proxy.async; barrier.cluster.arrive; barrier.cluster.wait;\n\
         {body}\nbarrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%rd1], %r9;"
    ))
    .replacen(".version 8.0\n.target sm_90", ".version 8.6\n.target sm_100", 1)
    .replacen(".reg .pred", ".reg .b32 %t; .reg .pred", 1)
}

/// Runs two blocks of a cluster on words that hold their index.
fn outcome(body: &str) -> Result<Vec<u32>, String> {
    outcome_of(body, Checks::ALL)
}

fn outcome_of(body: &str, checks: Checks) -> Result<Vec<u32>, String> {
    let launch = Launch {
        checks,
        step_limit: Some(100_000),
        cluster: Some([2, 1, 1]),
        ..Launch::new([2, 1, 1], [32, 1, 1])
    };
    run(&with_memory(body), &launch, &(0..64).collect::<Vec<u32>>(), &[vec![0; 4]])
}

const WAIT: &str = "W: mbarrier.try_wait.parity.shared.b64 %done, [b], 0; @!%done bra W;";

const LOAD: &str = "@%p1 bra L; mbarrier.arrive.expect_tx.shared.b64 %state, [b], 128;\n\
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], 128, [%r7]; L:";

#[test]
fn copies_to_shared_memory_complete_at_the_wait() {
    let found = outcome(&format!("{LOAD} {WAIT} ld.shared.u32 %r9, [%r5];"));
    assert_eq!(found, Ok((0..64).map(|n| n % 32).collect()));
    // A read before the wait gives the old value.
    let early = format!("{LOAD} ld.shared.u32 %r9, [%r5]; {WAIT}");
    let found = outcome_of(&early, Checks::USUAL);
    assert_eq!(found, Ok((0..64).map(|n| 1000 + n % 32).collect()));
    for form in [
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%rd3], 128, [%r7];",
        "mov.u32 %r8, 128; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r4], [%rd3], %r8, [%r7], %rd4;",
    ] {
        let load = LOAD.split("cp.async").next().unwrap_or_default();
        let found = outcome(&format!(
            "createpolicy.fractional.L2::evict_first.b64 %rd4; {load}{form} L: {WAIT} ld.shared.u32 %r9, [%r5];"
        ));
        assert_eq!(found, Ok((0..64).map(|n| n % 32).collect()), "{form}");
    }
}

#[test]
fn a_phase_without_its_bytes_does_not_end() {
    let missing = LOAD.replace("[b], 128", "[b], 144");
    let error = outcome(&format!("{missing} {WAIT}")).expect_err("16 bytes are missing");
    let expected = "wait for a phase of the mbarrier in `b`, 8 bytes of shared memory at 0x200, with 0 arrivals \
        and 16 bytes pending,";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn copies_from_shared_memory_complete_at_the_wait() {
    let store = "setp.eq.u32 %p2, %t, 0; mul.wide.u32 %rd4, %r2, 128; add.u64 %rd4, %rd4, %rd3;\n\
        @%p2 cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r4], 64; cp.async.bulk.commit_group;";
    let read = "bar.sync 0; ld.global.u32 %r9, [%rd1];";
    let there = |n: u32| if n % 32 < 16 { 1000 + n % 32 } else { n };
    let found = outcome(&format!("{store} cp.async.bulk.wait_group 0; {read}"));
    assert_eq!(found, Ok((0..64).map(there).collect()));
    // Only the source may be written again.
    let wait = "cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r5], 7;";
    let found = outcome_of(&format!("{store} {wait} {read} cp.async.bulk.wait_group 0;"), Checks::USUAL);
    assert_eq!(found, Ok((0..64).collect()));
    // A copy that no thread waits for is made nevertheless, when the warp ends.
    let found = outcome(&format!("{store} @%p1 exit; bar.warp.sync 1; exit;"));
    assert_eq!(found, Ok((0..64).map(there).collect()));
    // The last group is pending, and the one before is complete.
    let two = "setp.eq.u32 %p2, %t, 0; mul.wide.u32 %rd4, %r2, 128; add.u64 %rd4, %rd4, %rd3;\n\
        @%p2 cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r4], 16; cp.async.bulk.commit_group;\n\
        @%p2 cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd4+16], [%r4+16], 16, %rd4; cp.async.bulk.commit_group;\n\
        cp.async.bulk.wait_group 1; bar.sync 0; ld.global.u32 %r9, [%rd1]; cp.async.bulk.wait_group 0; bar.sync 0;";
    let found = outcome_of(two, Checks::USUAL);
    assert_eq!(found, Ok((0..64).map(|n| if n % 32 < 4 { 1000 + n % 32 } else { n }).collect()));
}

#[test]
fn a_mask_says_which_bytes_are_copied() {
    let body = "mul.wide.u32 %rd4, %r2, 128; add.u64 %rd4, %rd4, %rd3; mov.u16 %h1, 0xf00f;\n\
        @!%p1 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd4], [%r4], 128, %h1; cp.async.bulk.commit_group;\n\
        cp.async.bulk.wait_group 0; bar.sync 0; ld.global.u32 %r9, [%rd1];";
    let wanted = (0..64).map(|n| if matches!(n % 4, 0 | 3) { 1000 + n % 32 } else { n });
    assert_eq!(outcome(body), Ok(wanted.collect()));
}

#[test]
fn blocks_copy_into_one_anothers_memory() {
    // The other block gets the first 64 bytes, after its own.
    let body = format!(
        "@%p1 bra L; mbarrier.arrive.expect_tx.shared.b64 %state, [b], 64; L: xor.b32 %r10, %r2, 1;\n\
         add.u32 %r11, %r4, 256; mapa.shared::cluster.u32 %r11, %r11, %r10; mapa.shared::cluster.u32 %r12, %r7, %r10;\n\
         add.u32 %r6, %r2, 1; st.shared.u32 [%r5], %r6; fence.proxy.async.shared::cta; bar.sync 0;\n\
         @!%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r11], [%r4], 64, [%r12];\n\
         {WAIT} ld.shared.u32 %r9, [%r5+256];"
    );
    let wanted = |n: u32| if n % 32 < 16 { 2 - n / 32 } else { 1064 + n % 32 };
    assert_eq!(outcome(&body), Ok((0..64).map(wanted).collect()));
}

#[test]
fn one_copy_goes_to_several_blocks() {
    for (mask, reaches) in [(3, [true, true]), (1, [true, false]), (2, [false, true])] {
        let body = format!(
            "@%p1 bra L; setp.eq.u32 %p2, %r2, 0; shr.u32 %r10, {mask}, %r2; and.b32 %r10, %r10, 1; shl.b32 %r10, %r10, 6;\n\
             mbarrier.arrive.expect_tx.shared.b64 %state, [b], %r10; mov.u16 %h1, {mask};\n\
             @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4+128], [%rd3], 64, [%r7], %h1;\n\
             L: {WAIT} ld.shared.u32 %r9, [%r5+128];"
        );
        let wanted = |n: u32| {
            if n % 32 < 16 && reaches[n as usize / 32] { n % 32 } else { 1032 + n % 32 }
        };
        assert_eq!(outcome(&body), Ok((0..64).map(wanted).collect()), "{mask}");
    }
}

#[test]
fn reductions_combine_elements() {
    let f16 = |bits: u32| bits | bits << 16;
    for (operation, old, new, wanted) in [
        ("add.u32", 5, u32::MAX, 4),
        ("add.s32", 5, 6, 11),
        ("and.b32", 0xff0, 0x0ff, 0x0f0),
        ("or.b32", 0xf00, 0x00f, 0xf0f),
        ("xor.b32", 0xff0, 0x0ff, 0xf0f),
        ("and.b64", 0xff0, 0x0ff, 0x0f0),
        ("inc.u32", 5, 5, 0),
        ("dec.u32", 0, 9, 9),
        ("min.s32", 3, u32::MAX, u32::MAX),
        ("min.u32", 3, u32::MAX, 3),
        ("max.s32", 3, u32::MAX, 3),
        ("max.u64", 3, 4, 4),
        ("min.s64", 3, u32::MAX, u32::MAX),
        ("add.f32", 0x3f80_0000, 0x4000_0000, 0x4040_0000),
        ("add.noftz.f16", f16(0x3c00), f16(0x4000), f16(0x4200)),
        ("add.noftz.bf16", f16(0x3f80), f16(0x4000), f16(0x4040)),
        ("min.f16", f16(0x3c00), f16(0xc000), f16(0xc000)),
        ("max.bf16", f16(0x3f80), f16(0x4000), f16(0x4000)),
    ] {
        let body = format!(
            "mov.u32 %r8, {old}; st.global.u32 [%rd1], %r8; mov.u32 %r8, {new}; st.shared.u32 [%r5], %r8; fence.proxy.async; bar.sync 0;\n\
             mul.wide.u32 %rd4, %r2, 128; add.u64 %rd4, %rd4, %rd3;\n\
             @!%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation} [%rd4], [%r4], 128; cp.async.bulk.commit_group;\n\
             cp.async.bulk.wait_group 0; bar.sync 0; ld.global.u32 %r9, [%rd1];"
        );
        assert_eq!(outcome(&body), Ok(vec![wanted; 64]), "{operation}");
    }
    // To the shared memory of another block.
    let body = format!(
        "@%p1 bra L; mbarrier.arrive.expect_tx.shared.b64 %state, [b], 128; L: xor.b32 %r10, %r2, 1;\n\
         mapa.shared::cluster.u32 %r11, %r4, %r10; mapa.shared::cluster.u32 %r12, %r7, %r10; barrier.cluster.arrive; barrier.cluster.wait;\n\
         @!%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r11], [%r4+128], 128, [%r12];\n\
         {WAIT} ld.shared.u32 %r9, [%r5];"
    );
    assert_eq!(outcome(&body), Ok((0..64).map(|n| 2032 + 2 * (n % 32)).collect()));
}

#[test]
fn races_with_copies_are_found() {
    let store = "mul.wide.u32 %rd4, %r2, 128; add.u64 %rd4, %rd4, %rd3;\n\
        @!%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r4], 128; cp.async.bulk.commit_group;";
    for (body, message) in [
        // The target is read before the wait: by another thread, and by the issuing one.
        (
            format!("{LOAD} @%p1 ld.shared.u32 %r9, [%r5]; bar.sync 0; {WAIT}"),
            "data race: write of `s`, 16 bytes of shared memory at 0x0, after a read by thread (",
        ),
        (format!("{LOAD} @!%p1 ld.shared.u32 %r9, [%r5]; {WAIT}"), "data race: write of `s"),
        // The reading thread has not waited, but another one has.
        (format!("{LOAD} @%p1 bra M; {WAIT} M: bar.warp.sync -1; @%p1 ld.shared.u32 %r9, [%r5];"), ""),
        (
            format!("{LOAD} setp.lt.u32 %p3, %t, 16; @%p3 bra M; {WAIT} M: @%p3 ld.shared.u32 %r9, [%r5];"),
            "data race: ",
        ),
        // The target was read before, without synchronization.
        (format!("ld.shared.u32 %r9, [%r5]; {LOAD} {WAIT}"), "data race: write of `s"),
        (format!("ld.shared.u32 %r9, [%r5]; bar.sync 0; {LOAD} {WAIT}"), ""),
        // The source is written before it has been read.
        (format!("{store} st.shared.u32 [%r5], 3; cp.async.bulk.wait_group 0;"), "data race: read of `s"),
        (
            format!(
                "{store} cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r5], 3; cp.async.bulk.wait_group 0;"
            ),
            "",
        ),
        // A thread that has not waited reads the target.
        (
            format!("{store} cp.async.bulk.wait_group.read 0; bar.sync 0; ld.global.u32 %r9, [%rd1];"),
            "data race: write of 16 bytes of global",
        ),
        (format!("{store} cp.async.bulk.wait_group 0; bar.sync 0; ld.global.u32 %r9, [%rd1];"), ""),
        ("@!%p1 st.bulk.shared::cta [%r4], 128, 0; @%p1 ld.shared.u32 %r9, [%r5];".to_owned(), "data race: "),
        ("@!%p1 st.bulk.shared::cta [%r4], 128, 0; bar.sync 0; ld.shared.u32 %r9, [%r5];".to_owned(), ""),
        // A thread's write is not visible to a copy without a proxy fence.
        (
            format!("st.shared.u32 [%r5], 3; bar.sync 0; {store} cp.async.bulk.wait_group 0;"),
            "a bulk copy reads `s`, 16 bytes of shared memory at 0x0, written by thread (",
        ),
        (
            format!(
                "st.shared.u32 [%r5], 3; fence.proxy.async.shared::cta; bar.sync 0; {store} cp.async.bulk.wait_group 0;"
            ),
            "",
        ),
    ] {
        match outcome(&body) {
            Ok(_) => assert!(message.is_empty(), "{body}"),
            Err(error) => assert!(!message.is_empty() && error.starts_with(message), "{body}\n{error}"),
        }
    }
    let error = outcome(&format!("{LOAD}\nld.shared.u32 %r9, [%r5];\n{WAIT}")).expect_err("it is a race");
    let asked = "; the copy was started by thread (0, 0, 0) of block (0, 0, 0) at test:";
    assert!(error.contains(asked), "{error}");
}

#[test]
fn wrong_copies_are_named() {
    let group = "cp.async.bulk.global.shared::cta.bulk_group";
    for (body, message) in [
        (
            format!("mov.u32 %r8, 8; {group} [%rd3], [%r4], %r8;"),
            "`cp.async.bulk` of 8 bytes; the size must be a multiple of 16",
        ),
        (format!("{group} [%rd3+8], [%r4], 16;"), "misaligned global write of 16 bytes at 0x7f0000000008: "),
        (format!("{group} [%rd3], [%r4+4], 16;"), "misaligned shared read of 16 bytes at 0x4: "),
        (format!("{group} [%rd3], [%r4], 4096;"), "out-of-bounds shared read of 16 bytes at 0x"),
        (format!("{group} [%rd3+192], [%r4], 128;"), "out-of-bounds global write of 16 bytes at 0x7f0000000100: "),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], 16, [s];".to_owned(),
            "mbarrier at 0x0: not initialized",
        ),
        (
            "mov.u16 %h1, 4; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], [%rd3], 16, [%r7], %h1;"
                .to_owned(),
            "out-of-bounds shared write of 16 bytes at 0x300000: ",
        ),
    ] {
        let error = outcome(&body).expect_err(&body);
        assert!(error.starts_with(message), "{body}: {error}");
    }
}

/// Like ptxas.
#[test]
fn forms_that_there_are_not_are_refused() {
    let group = "cp.async.bulk.global.shared::cta.bulk_group";
    let completion = "mbarrier::complete_tx::bytes";
    let unknown = "unknown instruction";
    for (instruction, message) in [
        ("cp.async.bulk.global.global [%rd1], [%rd1], 16;".to_owned(), unknown),
        ("cp.async.bulk.global.shared::cta [%rd1], [%r1], 16;".to_owned(), unknown),
        (format!("cp.async.bulk.shared::cta.shared::cta.{completion} [%r1], [%r2], 16, [%r3];"), unknown),
        (
            format!(
                "cp.async.bulk.shared::cta.global.{completion}.multicast::cluster [%r1], [%rd1], 16, [%r3], %h1;"
            ),
            unknown,
        ),
        (
            format!(
                "cp.async.bulk.shared::cluster.shared::cta.{completion}.L2::cache_hint [%r1], [%r2], 16, [%r3], %rd1;"
            ),
            unknown,
        ),
        (format!("{group}.multicast::cluster [%rd1], [%r1], 16, %h1;"), unknown),
        (format!("{group}.L2::cache_hint.L2::cache_hint [%rd1], [%r1], 16, %rd1;"), unknown),
        ("cp.async.bulk.prefetch.L2 [%rd1], 16;".to_owned(), unknown),
        ("cp.async.bulk.wait_all;".to_owned(), unknown),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1], [%r1], 16;".to_owned(), unknown),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd1], [%r1], 16;".to_owned(), unknown),
        (
            format!(
                "cp.reduce.async.bulk.shared::cluster.shared::cta.{completion}.add.f32 [%r1], [%r2], 16, [%r3];"
            ),
            unknown,
        ),
        (format!("{group} [%rd1], [%r1], 24;"), "the copy has 24 bytes; the size must be a multiple of 16"),
        (format!("{group} [%rd1], [%r1];"), "invalid operands of `cp.async.bulk`"),
        (format!("{group} [%rd1], [%r1], 16, %rd1;"), "invalid operands of `cp.async.bulk`"),
        ("cp.async.bulk.wait_group %r1;".to_owned(), "the number of groups must be a constant"),
        ("prefetch.global.tensormap [%rd1];".to_owned(), unknown),
        ("setmaxnreg.inc.sync.aligned.u32 20;".to_owned(), "`setmaxnreg` takes a number of registers"),
        ("createpolicy.fractional.L2::evict_first.L2::evict_last.b64 %rd1;".to_owned(), unknown),
        ("applypriority.global.L2::evict_normal [%rd1], 64;".to_owned(), "`applypriority` takes an address"),
    ] {
        let error = outcome(&instruction).expect_err(&instruction);
        assert!(error.contains(message) && error.starts_with("test:1"), "{instruction}: {error}");
    }
}

#[test]
fn hints_change_nothing() {
    let body = "prefetch.tensormap [%rd3]; prefetch.param.tensormap [%rd3]; setmaxnreg.dec.sync.aligned.u32 40;\n\
        createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd5, [%rd3], 16, 64; createpolicy.cvt.L2.b64 %rd6, %rd5;\n\
        createpolicy.fractional.L2::evict_normal.b64 %rd6, 0.5; applypriority.global.L2::evict_normal [%rd3], 128;\n\
        cp.async.bulk.prefetch.L2.global [%rd3], 64; cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd3], 64, %rd5;\n\
        prefetch.global.L2::evict_last [%rd3]; ld.global.u32 %r9, [%rd1];";
    assert_eq!(outcome(body), Ok((0..64).collect()));
}

#[test]
fn zeros_are_stored_at_once() {
    for form in [
        "st.bulk.weak.shared::cta [%r4+16], 48, 0;",
        "st.bulk.shared::cta [s+16], %rd4, 0;",
        "cvt.u64.u32 %rd3, %r4; cvta.shared.u64 %rd3, %rd3; st.bulk [%rd3+16], 48, 0;",
    ] {
        let body = format!(
            "mov.u64 %rd4, 48; bar.sync 0; @%p1 bra L; {form} L: bar.sync 0; ld.shared.u32 %r9, [%r5];"
        );
        let found = outcome(&body);
        let wanted = (0..64).map(|n| n % 32).map(|n| if (4..16).contains(&n) { 0 } else { 1000 + n });
        assert_eq!(found, Ok(wanted.collect()), "{form}");
    }
}

#[test]
fn reports_bytes_that_no_bulk_store_wrote() {
    for (form, expected) in [
        ("mov.u64 %rd4, 12; st.bulk.shared::cta [%r4], %rd4, 0;", "`st.bulk` of 12 bytes"),
        ("mov.u64 %rd4, 1024; st.bulk.shared::cta [%r4], %rd4, 0;", "out-of-bounds"),
        ("st.bulk [%rd1], 16, 0;", "in shared memory"),
        ("st.bulk.global [%rd1], 16, 0;", "unknown instruction"),
        ("st.bulk [%rd1], 16, 1;", "the value 0"),
    ] {
        let error = outcome(&format!("@%p1 bra L; {form} L:")).expect_err(form);
        assert!(error.contains(expected), "{form}: {error}");
    }
    let old = with_memory("st.bulk [%rd1], 16, 0;").replacen(
        ".version 8.6\n.target sm_100",
        ".version 8.5\n.target sm_90",
        1,
    );
    let error =
        run(&old, &Launch::new([1, 1, 1], [32, 1, 1]), &[0; 64], &[vec![0; 4]]).expect_err("an old target");
    assert!(error.contains("`st.bulk` needs `.version 8.6` or later"), "{error}");
}
