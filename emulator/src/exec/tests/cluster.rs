//! Clusters of blocks: their indices, their shared memory, and their barrier.

use super::{kernel, run};
use crate::exec::launch::{Checks, Launch};

/// A kernel for clusters of this size.
fn clustered(cluster: &str, body: &str) -> String {
    kernel(body).replacen(".version 8.0", ".version 8.6", 1).replacen(
        ") {",
        &format!(") .reqnctapercluster {cluster} {{"),
        1,
    )
}

fn run_clusters(cluster: &str, n_blocks: u32, body: &str) -> Result<Vec<u32>, String> {
    let n_words = 32 * n_blocks as usize;
    let launch = Launch {
        checks: Checks::ALL,
        step_limit: Some(100_000),
        ..Launch::new([n_blocks, 1, 1], [32, 1, 1])
    };
    let found = run(&clustered(cluster, body), &launch, &vec![7; n_words], &[vec![0; 4]]);
    // Other ways to run it: on several cores, and in another order.
    for launch in [Launch { checks: Checks::USUAL, ..launch }, Launch { seed: Some(3), ..launch }] {
        let other = run(&clustered(cluster, body), &launch, &vec![7; n_words], &[vec![0; 4]]);
        assert!(found.is_err() || found == other, "{other:?}");
    }
    found
}

#[test]
fn blocks_know_their_place() {
    for (cluster, register, wanted) in [
        ("2, 1, 1", "%cluster_ctarank", [0, 1, 0, 1]),
        ("4", "%cluster_ctarank", [0, 1, 2, 3]),
        ("2", "%cluster_ctaid.x", [0, 1, 0, 1]),
        ("2", "%clusterid.x", [0, 0, 1, 1]),
        ("2", "%nclusterid.x", [2; 4]),
        ("4, 1", "%cluster_nctarank", [4; 4]),
        ("2", "%cluster_nctaid.x", [2; 4]),
        ("2", "%cluster_nctaid.y", [1; 4]),
        ("1", "%clusterid.x", [0, 1, 2, 3]),
    ] {
        let found = run_clusters(cluster, 4, &format!("mov.u32 %r4, {register}; st.global.u32 [%rd1], %r4;"));
        let wanted: Vec<u32> = wanted.iter().flat_map(|&value| [value; 32]).collect();
        assert_eq!(found, Ok(wanted), "{cluster} {register}");
    }
    for (cluster, wanted) in [(None, 0), (Some([1; 3]), 1), (Some([2, 1, 1]), 1)] {
        let text =
            kernel("mov.pred %p1, %is_explicit_cluster; selp.u32 %r4, 1, 0, %p1; st.global.u32 [%rd1], %r4;");
        let launch = Launch { cluster, ..Launch::new([2, 1, 1], [32, 1, 1]) };
        assert_eq!(run(&text, &launch, &[7; 64], &[vec![0; 4]]), Ok(vec![wanted; 64]), "{cluster:?}");
    }
}

/// Each thread reads what the one of the next block has stored.
const NEXT: &str = ".shared .align 16 .b32 s[32]; .shared .align 8 .b64 b; .reg .pred %done; mov.u32 %r4, s; mad.lo.u32 %r5, %tid.x, 4, %r4; st.shared.u32 [%r5], %r1;\n\
    mov.u32 %r6, %cluster_ctarank; mov.u32 %r7, %cluster_nctarank; add.u32 %r6, %r6, 1; rem.u32 %r6, %r6, %r7;";

fn next() -> String {
    NEXT.replace("mad.lo.u32 %r5, %tid.x, 4, %r4", "mov.u32 %r5, %tid.x; mad.lo.u32 %r5, %r5, 4, %r4")
}

#[test]
fn blocks_see_the_shared_memory_of_others() {
    let meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
    for read in [
        "mapa.shared::cluster.u32 %r8, %r5, %r6; ld.shared::cluster.u32 %r9, [%r8];",
        "cvt.u64.u32 %rd3, %r5; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r6; ld.u32 %r9, [%rd4];",
        "mapa.shared::cluster.u32 %r8, s, %r6; sub.u32 %r9, %r5, %r4; add.u32 %r8, %r8, %r9; ld.relaxed.cluster.shared::cluster.u32 %r9, [%r8];",
        "mapa.shared::cluster.u32 %r8, %r5, %r6; atom.shared::cluster.add.u32 %r9, [%r8], 0;",
    ] {
        let body = format!("{} {meet} {read} {meet} st.global.u32 [%rd1], %r9;", next());
        let wanted: Vec<u32> = (0..4).flat_map(|block| (0..32).map(move |n| 32 * (block ^ 1) + n)).collect();
        assert_eq!(run_clusters("2", 4, &body), Ok(wanted), "{read}");
    }
    let body = format!(
        "{} {meet} mapa.shared::cluster.u32 %r8, %r5, %r6; st.shared::cluster.u32 [%r8], %r6; {meet}\nld.shared.u32 %r9, [%r5]; st.global.u32 [%rd1], %r9;",
        next()
    );
    let wanted: Vec<u32> = (0..8).flat_map(|block| [block % 4; 32]).collect();
    assert_eq!(run_clusters("4", 8, &body), Ok(wanted));
}

#[test]
fn addresses_tell_whose_they_are() {
    let body = ".shared .b32 s; mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, 3; getctarank.u64 %r4, %rd4;\n\
        getctarank.u64 %r5, %rd3; mov.u32 %r6, s; mapa.shared::cluster.u32 %r6, %r6, 2; getctarank.shared::cluster.u32 %r6, %r6;\n\
        mad.lo.u32 %r4, %r4, 10, %r5; mad.lo.u32 %r4, %r4, 10, %r6;\n\
        isspacep.shared %p1, %rd3; isspacep.shared::cta %p2, %rd4; isspacep.shared::cluster %p3, %rd4; isspacep.global %p4, %rd4;\n\
        selp.u32 %r5, 1000, 0, %p1; add.u32 %r4, %r4, %r5; selp.u32 %r5, 2000, 0, %p2; add.u32 %r4, %r4, %r5;\n\
        selp.u32 %r5, 4000, 0, %p3; add.u32 %r4, %r4, %r5; selp.u32 %r5, 8000, 0, %p4; add.u32 %r4, %r4, %r5; st.global.u32 [%rd1], %r4;";
    let wanted: Vec<u32> = (0..4).flat_map(|rank| [5302 + 10 * rank; 32]).collect();
    assert_eq!(run_clusters("4", 4, body), Ok(wanted));
}

#[test]
fn blocks_arrive_at_the_mbarriers_of_others() {
    // The first block waits for both, and reads what the second one has written there and in global memory.
    let body = "setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared.b64 [b], 64; barrier.cluster.arrive; barrier.cluster.wait;\n\
        mov.u32 %r6, b; mapa.shared::cluster.u32 %r6, %r6, 0; mapa.shared::cluster.u32 %r8, %r5, 0; mov.u32 %r9, %cluster_ctarank;\n\
        setp.eq.u32 %p2, %r9, 0; @%p2 bra A; st.shared::cluster.u32 [%r8], %r1; st.global.u32 [%rd1], %r1; A:\n\
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6]; @!%p2 bra E;\n\
        L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [b], 0; @!%done bra L;\n\
        ld.shared.u32 %r9, [%r5]; ld.global.u32 %r10, [%rd1+128]; add.u32 %r9, %r9, %r10; st.global.u32 [%rd1], %r9; E: barrier.cluster.arrive.release; barrier.cluster.wait.acquire;";
    let found = run_clusters("2", 2, &format!("{} {body}", next())).expect("it runs");
    assert_eq!(found[..32], (0..32).map(|n| 2 * (32 + n)).collect::<Vec<u32>>());
}

#[test]
fn blocks_store_to_others_and_tell_their_mbarriers() {
    // Each thread stores to the same thread's word in the other block, whose mbarrier waits for all bytes.
    for (store, n_bytes, kind) in [
        ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r8], %r1, [%r6];", 4, 0),
        ("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r8], {%r1, %r1}, [%r6];", 8, 0),
        ("st.async.weak.mbarrier::complete_tx::bytes.b32 [%rd3], %r1, [%rd4];", 4, 0),
        (
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r8], %r1, [%r6];",
            4,
            1,
        ),
        (
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%r8], %r1, [%r6];",
            4,
            2,
        ),
    ] {
        let body = format!(
            ".shared .align 16 .b64 x[32]; .shared .align 8 .b64 b; .reg .pred %done; mov.u32 %r4, %tid.x; mov.u32 %r5, x; mad.lo.u32 %r5, %r4, 8, %r5;\n\
             mov.u32 %r10, 100; mov.u32 %r11, 0; st.shared.v2.u32 [%r5], {{%r10, %r11}};\n\
             setp.ne.u32 %p1, %r4, 0; @%p1 bra A; mbarrier.init.shared.b64 [b], 1; mbarrier.arrive.expect_tx.shared.b64 _, [b], {}; A:\n\
             barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r7, %cluster_ctarank; xor.b32 %r7, %r7, 1; mov.u32 %r6, b;\n\
             mapa.shared::cluster.u32 %r6, %r6, %r7; mapa.shared::cluster.u32 %r8, %r5, %r7; cvt.u64.u32 %rd3, %r8; cvta.shared.u64 %rd3, %rd3;\n\
             cvt.u64.u32 %rd4, %r6; cvta.shared.u64 %rd4, %rd4; {store}\n\
             L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [b], 0; @!%done bra L;\n\
             ld.shared.u32 %r9, [%r5]; st.global.u32 [%rd1], %r9; barrier.cluster.arrive; barrier.cluster.wait;",
            32 * n_bytes
        );
        let value = |n: u32| match kind {
            0 => n,
            1 => n + 100,
            _ => n.max(100),
        };
        let wanted: Vec<u32> = (0..64).map(|n| value(n ^ 32)).collect();
        assert_eq!(run_clusters("2", 2, &body), Ok(wanted), "{store}");
    }
}

#[test]
fn misuse_is_named() {
    let meet = "barrier.cluster.arrive; barrier.cluster.wait;";
    for (body, message) in [
        ("barrier.cluster.wait;".to_owned(), "a thread waits at the cluster barrier without having arrived at it"),
        ("barrier.cluster.arrive; barrier.cluster.arrive;".to_owned(), "a thread arrives at the cluster barrier twice without waiting"),
        ("mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p1, %r4, 0; @%p1 bra A; L: bra L; A: barrier.cluster.arrive; barrier.cluster.wait;".to_owned(), "limit of 100000 instructions"),
        ("mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p1, %r4, 0; @%p1 bra A; bar.sync 1, 64; A: barrier.cluster.arrive; barrier.cluster.wait;".to_owned(), "deadlock: threads wait for others that never arrive: "),
        (format!("{} mapa.shared::cluster.u32 %r8, %r5, 2; {meet} ld.shared::cluster.u32 %r9, [%r8];", next()), "out-of-bounds shared read of 4 bytes at 0x300000: "),
        (format!("{} mapa.shared::cluster.u32 %r8, %r5, 0; {meet} mov.u32 %r6, %cluster_ctarank; setp.eq.u32 %p1, %r6, 0; @%p1 exit; bar.sync 0; ld.shared::cluster.u32 %r9, [%r8];", next()), "use-after-free: shared read of 4 bytes at 0x100000: byte 0 of the shared memory of another block"),
        // A relaxed arrival orders nothing.
        (format!("{} mapa.shared::cluster.u32 %r8, %r5, %r6; ld.shared.u32 %r9, [%r5]; barrier.cluster.arrive.relaxed; barrier.cluster.wait; ld.shared::cluster.u32 %r9, [%r8]; {meet}", next()), "data race: read of "),
    ] {
        let error = run_clusters("2", 2, &body).expect_err(&body);
        assert!(error.starts_with(message), "{body}: {error}");
    }
    for (cluster, grid, message) in [
        (Some([2, 1, 1]), 3, "a grid of [3, 1, 1] blocks cannot be divided into clusters of [2, 1, 1]"),
        (Some([17, 1, 1]), 17, "cluster has 17 blocks; it must have from 1 to 16"),
        (Some([0, 1, 1]), 1, "cluster has 0 blocks"),
    ] {
        let launch = Launch { cluster, ..Launch::new([grid, 1, 1], [1; 3]) };
        let error = run(&kernel(""), &launch, &[0; 32], &[vec![0; 4]]).expect_err(message);
        assert!(error.starts_with(message), "{error}");
    }
    let launch = Launch { cluster: Some([4, 1, 1]), ..Launch::new([4, 1, 1], [1; 3]) };
    let error = run(&clustered("2", ""), &launch, &[0; 32], &[vec![0; 4]]).expect_err("they differ");
    assert_eq!(error, "the kernel requires clusters of [2, 1, 1] blocks, but the launch asks for [4, 1, 1]");
}

/// Like ptxas.
#[test]
fn forms_that_there_are_not_are_refused() {
    for (instruction, message) in [
        ("barrier.cluster.wait.relaxed;", "unknown instruction"),
        ("barrier.cluster.arrive.acquire;", "unknown instruction"),
        ("barrier.cluster.sync;", "unknown instruction"),
        ("mapa.shared.u32 %r4, %r5, 1;", "unknown instruction"),
        ("st.async.weak.shared::cluster.b32 [%r1], %r2;", "unknown instruction"),
        (
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b16 [%r1], %h2, [%r3];",
            "unknown instruction",
        ),
        (
            "st.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3];",
            "unknown instruction",
        ),
        (
            "red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r3];",
            "unknown instruction",
        ),
        (
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u64 [%r1], %rd2, [%r3];",
            "unknown instruction",
        ),
        ("mapa.u64 %rd3, %rd3;", "invalid operands of `mapa`"),
        ("getctarank.u64 %rd3, %rd3;", "the type of register `%rd3` does not match"),
    ] {
        let error =
            run(&kernel(instruction), &Launch::default(), &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with(&format!("test:9:1: {message}")), "{instruction}: {error}");
    }
}
