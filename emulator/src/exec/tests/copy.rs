//! Asynchronous copies: when they are visible, and what they copy.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::launch::{Checks, Launch};

/// `%rd3` is the address of the buffer, `s` is 64 words of shared memory that hold -1, `b` is an mbarrier for
/// all threads; `%r9` is stored at the end.
fn with_memory(body: &str) -> String {
    kernel(&format!(
        ".shared .align 16 .b8 s[512]; .shared .align 8 .b64 b; .reg .b64 %state; .reg .pred %done; mov.u32 %r9, 0;\n\
         ld.param.u64 %rd3, [p]; mov.u32 %r4, s; mad.lo.u32 %r5, %r1, 16, %r4; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd3;\n\
         mov.u32 %r6, -1; st.shared.v4.u32 [%r5], {{%r6, %r6, %r6, %r6}};\n\
         setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared::cta.b64 [b], 32; bar.sync 0;\n\
         {body}\nst.global.u32 [%rd1], %r9;"
    ))
    .replacen(".version 8.0", ".version 8.6", 1)
}

fn outcome(body: &str) -> Result<Vec<u32>, String> {
    outcome_of(body, Checks::ALL)
}

fn outcome_of(body: &str, checks: Checks) -> Result<Vec<u32>, String> {
    let words: Vec<u32> = (0..32).map(|n| 0x0101_0101 * (n + 1)).collect();
    let launch = Launch { checks, step_limit: Some(100_000), ..ONE_BLOCK };
    run(&with_memory(body), &launch, &words, &[vec![0; 4]])
}

fn word(n: u32) -> u32 {
    0x0101_0101 * (n + 1)
}

#[test]
fn copies_complete_at_the_wait() {
    let copy = "cp.async.ca.shared.global [%r5], [%rd4], 4;";
    for (wait, is_complete) in [
        ("cp.async.wait_all;", true),
        ("cp.async.commit_group; cp.async.wait_group 0;", true),
        ("cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;", true),
        ("cp.async.commit_group; cp.async.wait_group 1;", false),
        // Only `wait_all` waits for copies in no group.
        ("cp.async.wait_group 0;", false),
        ("cp.async.commit_group;", false),
        (
            "cp.async.mbarrier.arrive.noinc.shared.b64 [b]; L: mbarrier.test_wait.parity.shared.b64 %done, [b], 0; @!%done bra L;",
            true,
        ),
        (
            "cp.async.mbarrier.arrive.shared::cta.b64 [b]; mbarrier.arrive.shared.b64 %state, [b]; L: mbarrier.test_wait.shared.b64 %done, [b], %state; @!%done bra L;",
            true,
        ),
    ] {
        let body = format!("{copy} {wait} ld.shared.u32 %r9, [%r5];");
        let found = outcome_of(&body, Checks::USUAL);
        let found = found.unwrap_or_else(|error| panic!("{wait}: {error}"));
        let wanted: Vec<u32> = (0..32).map(|n| if is_complete { word(n) } else { u32::MAX }).collect();
        assert_eq!(found, wanted, "{wait}");
        let races = outcome(&body).err().map(|error| error.split(',').next().unwrap_or_default().to_owned());
        assert_eq!(races.as_deref(), (!is_complete).then_some("data race: read of `s`"), "{wait}");
    }
}

#[test]
fn a_thread_sees_its_copy_only_after_the_wait() {
    let after_copy = |access: &str| {
        let body = format!(
            "cp.async.ca.shared.global [%r5], [%rd4], 4; cp.async.commit_group; {access} cp.async.wait_all;"
        );
        outcome(&body).err().map(|error| error.split('`').next().unwrap_or_default().to_owned())
    };
    for (access, race) in [
        ("ld.shared.u32 %r9, [%r5+4];", None),
        ("st.shared.u16 [%r5+2], 7;", Some("data race: write of ")),
        ("ld.shared.u8 %r9, [%r5+3];", Some("data race: read of ")),
        ("atom.shared.add.u32 %r9, [%r5], 1;", Some("data race: atomic operation of ")),
        (
            "cvt.u64.u32 %rd5, %r5; cvta.shared.u64 %rd5, %rd5; ld.u32 %r9, [%rd5];",
            Some("data race: read of "),
        ),
        ("cp.async.ca.shared.global [%r5], [%rd4], 4;", Some("data race: write of ")),
    ] {
        assert_eq!(after_copy(access).as_deref(), race, "{access}");
    }
}

/// Several threads copy the same bytes: they write equal values.
#[test]
fn copies_of_the_same_are_races_of_equal_values() {
    let body = "and.b32 %r7, %r1, 28; mul.wide.u32 %rd4, %r7, 4; add.u64 %rd4, %rd4, %rd3; mad.lo.u32 %r5, %r7, 4, %r4;\n\
        bar.sync 0; cp.async.cg.shared.global [%r5], [%rd4], 16; cp.async.wait_all; bar.sync 0; ld.shared.u32 %r9, [%r5+4];";
    let error = outcome(body).expect_err("they write the same places");
    assert!(error.starts_with("data race: write of `s") && error.contains("of the same value"), "{error}");
    let checks = Checks { same_value_races: false, ..Checks::ALL };
    assert_eq!(outcome_of(body, checks), Ok((0..32).map(|n| word((n & 28) + 1)).collect()));
}

#[test]
fn groups_end_in_their_order() {
    // Three groups, the last one pending.
    let body = "cp.async.ca.shared.global [%r5], [%rd4], 4; cp.async.commit_group; cp.async.ca.shared.global [%r5+4], [%rd4], 4;\n\
                cp.async.commit_group; cp.async.ca.shared.global [%r5+8], [%rd4], 4; cp.async.commit_group; cp.async.wait_group 1;\n\
                ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [%r5]; add.u32 %r9, %r9, %r10; add.u32 %r9, %r9, %r11;";
    let wanted: Vec<u32> = (0..32).map(|n| (2 * word(n)).wrapping_sub(1)).collect();
    assert_eq!(outcome_of(body, Checks::USUAL), Ok(wanted));
}

#[test]
fn fills_missing_source_bytes_with_zeros() {
    for (copy, wanted) in [
        ("cp.async.ca.shared.global [%r5], [%rd4], 4, 4;", 0x0101_0101),
        ("cp.async.ca.shared.global [%r5], [%rd4], 4, 3;", 0x0001_0101),
        ("mov.u32 %r7, 1; cp.async.ca.shared.global [%r5], [%rd4], 4, %r7;", 0x0000_0001),
        ("cp.async.ca.shared::cta.global [%r5], [%rd4], 4, 0;", 0),
        ("setp.eq.u32 %p2, %r1, %r1; cp.async.ca.shared.global [%r5], [%rd4], 4, %p2;", 0),
        ("setp.ne.u32 %p2, %r1, %r1; cp.async.ca.shared.global.L2::128B [%r5], [%rd4], 4, %p2;", 0x0101_0101),
        ("cp.async.ca.shared.global.L2::cache_hint [%r5], [%rd4], 4, 2, %rd3;", 0x0000_0101),
        // Nothing is read, so the address may be invalid.
        ("mov.u64 %rd4, 16; cp.async.cg.shared.global [%r5], [%rd4], 16, 0;", 0),
    ] {
        let found = outcome(&format!("{copy} cp.async.wait_all; ld.shared.u32 %r9, [%r5];"));
        let wanted: Vec<u32> = (0..32).map(|n: u32| wanted * (n + 1)).collect();
        assert_eq!(found, Ok(wanted), "{copy}");
    }
    for (operator, n_bytes) in [("ca", 8), ("ca", 16), ("cg", 16)] {
        let body = format!(
            "and.b32 %r7, %r1, 28; mul.wide.u32 %rd4, %r7, 4; add.u64 %rd4, %rd4, %rd3;\n\
             cp.async.{operator}.shared.global [%r5], [%rd4], {n_bytes}; cp.async.wait_all;\n\
             ld.shared.v4.u32 {{%r10, %r11, %r12, %r13}}, [%r5]; sub.u32 %r9, %r11, %r10; add.u32 %r13, %r13, %r12; add.u32 %r9, %r9, %r13; bar.sync 0;"
        );
        let third_and_fourth =
            |n: u32| if n_bytes == 16 { word(n + 2).wrapping_add(word(n + 3)) } else { u32::MAX - 1 };
        let wanted: Vec<u32> = (0..32).map(|n| third_and_fourth(n & 28).wrapping_add(0x0101_0101)).collect();
        assert_eq!(outcome(&body), Ok(wanted), "{operator} {n_bytes}");
    }
}

#[test]
fn wrong_copies_are_named() {
    for (body, message) in [
        (
            "mov.u32 %r7, 5; cp.async.ca.shared.global [%r5], [%rd4], 4, %r7;",
            "`cp.async` reads 5 bytes of the source; the copy has only 4",
        ),
        (
            "mov.u32 %r5, 4096; cp.async.ca.shared.global [%r5], [%rd4], 4;",
            "out-of-bounds shared write of 4 bytes at 0x1000: ",
        ),
        (
            "mov.u64 %rd4, 16; cp.async.ca.shared.global [%r5], [%rd4], 4;",
            "out-of-bounds global read of 4 bytes at 0x10: ",
        ),
        (
            "add.u32 %r5, %r5, 2; cp.async.ca.shared.global [%r5], [%rd4], 4;",
            "misaligned shared write of 4 bytes at 0x2: ",
        ),
        ("cp.async.mbarrier.arrive.shared.b64 [s];", "mbarrier at 0x0: not initialized"),
    ] {
        let error = outcome(body).expect_err(body);
        assert!(error.starts_with(message), "{body}: {error}");
    }
    // Another thread reads the copied bytes without synchronization.
    let error = outcome(
        "cp.async.ca.shared.global [%r5], [%rd4], 4; cp.async.wait_all; xor.b32 %r5, %r5, 16; ld.shared.u32 %r9, [%r5];",
    );
    let error = error.expect_err("there is no barrier");
    assert!(error.starts_with("data race: read of `s"), "{error}");
}

/// Like ptxas.
#[test]
fn forms_that_there_are_not_are_refused() {
    for (instruction, message) in [
        ("cp.async.cg.shared.global [%r1], [%rd1], 8;", "`cp.async.cg` copies 16 bytes"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 2;", "`cp.async.ca` copies 4, 8 or 16 bytes"),
        ("cp.async.ca.shared.global [%r1], [%rd1], %r1;", "`cp.async` takes two addresses and a constant"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 4, 8;", "the source size is 8 bytes; the copy has only 4"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 4, 0, %rd3;", "`cp.async` has too many operands"),
        ("cp.async.ca.shared::cluster.global [%r1], [%rd1], 4;", "unknown instruction"),
        ("cp.async.ca.global.shared [%r1], [%rd1], 4;", "unknown instruction"),
        ("cp.async.wait_group %r1;", "the number of groups must be a constant"),
        ("cp.async.mbarrier.arrive.shared.b32 [%r1];", "unknown instruction"),
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with(&format!("test:9:1: {message}")), "{instruction}: {error}");
    }
}
