//! Memory orders and scopes of accesses and fences: the emulator runs those that ptxas accepts, and rejects
//! the others.

use super::{ONE_BLOCK, kernel, run, run_body};
use crate::exec::launch::{Checks, Launch};

const SCOPES: [&str; 4] = ["cta", "cluster", "gpu", "sys"];

/// A kernel for a GPU that supports all of them.
fn newest(body: &str) -> String {
    kernel(body).replacen(".version 8.0\n.target sm_90", ".version 9.0\n.target sm_100a", 1)
}

/// The memory orders of an opcode, each with a scope if it takes one.
fn orders(opcode: &str) -> Vec<String> {
    let (alone, scoped): (&[&str], &[&str]) = match opcode {
        "ld" => (&["", "weak.", "volatile.", "mmio.relaxed.sys."], &["relaxed", "acquire"]),
        "st" => (&["", "weak.", "volatile.", "mmio.relaxed.sys."], &["relaxed", "release"]),
        "red" => (&[""], &["", "relaxed", "release"]),
        _ => (&[""], &["", "relaxed", "acquire", "release", "acq_rel"]),
    };
    let with_scope =
        |order: &&str| SCOPES.map(|scope| format!("{order}.{scope}.").trim_start_matches('.').to_owned());
    alone.iter().map(|&order| order.to_owned()).chain(scoped.iter().flat_map(with_scope)).collect()
}

#[test]
fn each_order_of_loads_and_stores_is_run() {
    for (load, store) in orders("ld").into_iter().zip(orders("st")) {
        for space in ["global.", "", "shared.", "shared::cta.", "shared::cluster."] {
            let is_shared = space.starts_with("shared");
            if is_shared && load.starts_with("mmio") {
                continue;
            }
            // Copies memory 32 bytes further, in every width.
            let address = match space {
                "global." => "mov.u64 %rd4, %rd3;",
                "" => "cvta.global.u64 %rd4, %rd3;",
                _ => {
                    "mov.u64 %rd4, s; ld.global.v4.u64 {%rd5, %rd6, %rd7, %rd8}, [%rd3]; st.shared.v2.u64 [s], {%rd5, %rd6};"
                }
            };
            let back = if is_shared {
                "ld.shared.v2.u64 {%rd5, %rd6}, [s+32]; st.global.v2.u64 [%rd3+32], {%rd5, %rd6};"
            } else {
                ""
            };
            let copies = [("b8", "%h1", 0), ("b16", "%h1", 2), ("b32", "%r4", 4), ("b64", "%rd8", 8)];
            let copies: String = copies
                .iter()
                .map(|(ty, register, at)| {
                    format!("ld.{load}{space}{ty} {register}, [%rd4+{at}]; st.{store}{space}{ty} [%rd4+{}], {register};", at + 32)
                })
                .collect();
            let body = format!(
                ".reg .b16 %h<9>; .shared .align 16 .b8 s[64]; ld.param.u64 %rd3, [p]; cvta.to.global.u64 %rd3, %rd3;\n\
                 mov.u64 %rd5, 0; mov.u64 %rd6, 0; st.shared.v2.u64 [s+32], {{%rd5, %rd6}};\n{address} {copies} {back}"
            );
            let mut words = [0; 32];
            words[..4].copy_from_slice(&[0x1122_3344, 0x5566_7788, 0x99AA_BBCC, 0xDDEE_FF00]);
            let launch = Launch { block: [1; 3], ..ONE_BLOCK };
            let found = run(&newest(&body), &launch, &words, &[vec![0; 4]]);
            let found = found.unwrap_or_else(|error| panic!("{load}{space} {error}"));
            assert_eq!(found[8..12], [0x1122_0044, 0x5566_7788, 0x99AA_BBCC, 0xDDEE_FF00], "{load}{space}");
        }
    }
}

#[test]
fn each_order_of_vectors_and_of_128_bits_is_run() {
    for (load, store) in orders("ld").into_iter().zip(orders("st")) {
        let body = format!(
            ".reg .b128 %q<3>; ld.param.u64 %rd3, [p]; ld.{load}global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%rd3];\n\
             st.{store}global.v4.b32 [%rd3+32], {{%r7, %r6, %r5, %r4}}; ld.{load}global.b128 %q1, [%rd3+32];\n\
             st.{store}global.b128 [%rd3+48], %q1; ld.{load}global.v2.b64 {{%rd4, %rd5}}, [%rd3+48];\n\
             st.{store}global.v2.b64 [%rd3+64], {{%rd5, %rd4}};"
        );
        let mut words = [0; 32];
        words[..4].copy_from_slice(&[1, 2, 3, 4]);
        let launch = Launch { block: [1; 3], ..ONE_BLOCK };
        let found = run(&newest(&body), &launch, &words, &[vec![0; 4]]).expect("it runs");
        assert_eq!(found[8..20], [4, 3, 2, 1, 4, 3, 2, 1, 2, 1, 4, 3], "{load} {store}");
    }
}

#[test]
fn each_order_of_atomic_operations_is_run() {
    let launch = Launch { block: [1; 3], ..ONE_BLOCK };
    let words: Vec<u32> = (0..32).map(|n| if n < 4 { 7 } else { 0 }).collect();
    for order in orders("atom") {
        let body = format!(
            ".reg .b128 %q<4>; ld.param.u64 %rd3, [p]; atom.{order}global.add.u32 %r4, [%rd3], 3; atom.add.{order}u32 %r5, [%rd3+4], 4;\n\
             atom.{order}global.cas.b32 %r6, [%rd3+8], 7, 9; atom.exch.{order}b32 %r7, [%rd3+12], 8;\n\
             st.global.v4.u32 [%rd3+16], {{%r4, %r5, %r6, %r7}}; mov.b128 %q1, {{%rd3, %rd3}};\n\
             atom.{order}global.exch.b128 %q2, [%rd3+32], %q1; atom.{order}global.cas.b128 %q3, [%rd3+32], %q1, %q2;"
        );
        let found = run(&newest(&body), &launch, &words, &[vec![0; 4]]);
        let found = found.unwrap_or_else(|error| panic!("{order}: {error}"));
        assert_eq!(found[..12], [10, 11, 9, 8, 7, 7, 7, 7, 0, 0, 0, 0], "{order}");
    }
    for order in orders("red") {
        let body = format!(
            "ld.param.u64 %rd3, [p]; red.{order}global.add.u32 [%rd3], 3; red.max.{order}u32 [%rd3+4], 40;"
        );
        let found = run(&newest(&body), &launch, &words, &[vec![0; 4]]).expect("it runs");
        assert_eq!(found[..3], [10, 40, 7], "{order}");
    }
}

#[test]
fn each_fence_is_run() {
    let mut fences = vec![
        "membar.cta;".to_owned(),
        "membar.gl;".to_owned(),
        "membar.sys;".to_owned(),
        "membar.proxy.alias;".to_owned(),
        "fence.acquire.sync_restrict::shared::cluster.cluster;".to_owned(),
        "fence.release.sync_restrict::shared::cta.cluster;".to_owned(),
        "fence.mbarrier_init.release.cluster;".to_owned(),
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;".to_owned(),
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;".to_owned(),
    ];
    for proxy in ["alias", "async", "async.global", "async.shared::cta", "async.shared::cluster"] {
        fences.push(format!("fence.proxy.{proxy};"));
    }
    for scope in SCOPES {
        fences.push(format!("fence.{scope};"));
        for semantics in ["sc", "acq_rel", "acquire", "release"] {
            fences.push(format!("fence.{semantics}.{scope};"));
            fences.push(format!("fence.{scope}.{semantics};"));
        }
    }
    fences.push("fence.proxy.tensormap::generic.release.gpu;".to_owned());
    fences.push("fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;".to_owned());
    let body = format!("{} mov.u32 %r4, 5; st.global.u32 [%rd1], %r4;", fences.join("\n"));
    assert_eq!(run_body(&body, &[0; 32]), [5; 32]);
}

/// Like ptxas.
#[test]
fn orders_that_there_are_not_are_refused() {
    for (instruction, message) in [
        ("ld.release.gpu.u32 %r4, [%rd1];", "`ld` cannot be `.release`"),
        ("ld.acq_rel.gpu.u32 %r4, [%rd1];", "`ld` cannot be `.acq_rel`"),
        ("st.acquire.gpu.u32 [%rd1], %r4;", "`st` cannot be `.acquire`"),
        ("atom.sc.gpu.global.add.u32 %r4, [%rd1], 1;", "`atom` cannot be `.sc`"),
        ("red.acquire.gpu.global.add.u32 [%rd1], 1;", "`red` cannot be `.acquire`"),
        ("red.acq_rel.gpu.global.add.u32 [%rd1], 1;", "`red` cannot be `.acq_rel`"),
        ("ld.relaxed.u32 %r4, [%rd1];", "`.relaxed` of `ld` needs a scope"),
        ("ld.gpu.u32 %r4, [%rd1];", "the scope `.gpu` of `ld` needs `.relaxed`, `.acquire` or `.release`"),
        ("ld.weak.gpu.u32 %r4, [%rd1];", "the scope `.gpu` of `ld` needs"),
        ("ld.volatile.gpu.u32 %r4, [%rd1];", "the scope `.gpu` of `ld` needs"),
        ("ld.volatile.relaxed.u32 %r4, [%rd1];", "`ld` has more than one memory ordering or scope"),
        ("ld.relaxed.gpu.sys.u32 %r4, [%rd1];", "`ld` has more than one memory ordering or scope"),
        ("atom.relaxed.gpu.cta.add.u32 %r4, [%rd1], 1;", "`atom` has more than one memory ordering or scope"),
        ("ld.mmio.sys.global.u32 %r4, [%rd1];", "the scope `.sys` of `ld` needs"),
        ("ld.mmio.global.u32 %r4, [%rd1];", "`.mmio` of `ld` needs `.relaxed`"),
        ("ld.mmio.relaxed.gpu.global.u32 %r4, [%rd1];", "`.mmio` of `ld` needs the scope `.sys`"),
        (
            "ld.mmio.relaxed.sys.shared.u32 %r4, [%r1];",
            "`.relaxed` of `ld` is not valid for this state space",
        ),
        ("ld.relaxed.gpu.const.u32 %r4, [%rd1];", "`.relaxed` of `ld` is not valid for this state space"),
        ("ld.acquire.gpu.local.u32 %r4, [%rd1];", "`.acquire` of `ld` is not valid for this state space"),
        ("ld.relaxed.gpu.param.u32 %r4, [n];", "`.relaxed` of `ld` is not valid for this state space"),
        ("ld.relaxed.gpu.global.nc.u32 %r4, [%rd1];", "`.relaxed` of `ld` cannot be combined with"),
        ("st.relaxed.gpu.global.wb.u32 [%rd1], %r4;", "`.relaxed` of `st` cannot be combined with"),
        ("fence.weak.gpu;", "unknown instruction `fence.weak.gpu`"),
        ("fence.acquire.gpu.cta;", "unknown instruction"),
        ("fence.acquire.sync_restrict::shared::cta.cluster;", "unknown instruction"),
        ("fence.sc.sync_restrict::shared::cluster.cluster;", "unknown instruction"),
        ("fence.mbarrier_init.release.gpu;", "unknown instruction"),
        ("fence.proxy.texture;", "unknown instruction"),
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with(&format!("test:9:1: {message}")), "{instruction}: {error}");
    }
}

/// With or without a fence, the second warp reads what the first one wrote before its flag.
#[test]
fn a_release_fence_orders_earlier_accesses() {
    for (fence, is_race) in [
        ("fence.release.gpu;", false),
        ("fence.acq_rel.cta;", false),
        ("fence.sc.gpu;", false),
        ("membar.gl;", false),
        ("fence.acquire.gpu;", true),
        ("", true),
    ] {
        let body = format!(
            "ld.param.u64 %rd3, [p]; setp.ge.u32 %p1, %r1, 32; @%p1 bra B; setp.ne.u32 %p3, %r1, 0; @%p3 bra E;\n\
             st.global.u32 [%rd3+4], 7; {fence} st.relaxed.gpu.global.u32 [%rd3], 1; bra E;\n\
             B: ld.acquire.gpu.global.u32 %r4, [%rd3]; setp.eq.u32 %p2, %r4, 0; @%p2 bra B;\n\
             ld.global.u32 %r5, [%rd3+4]; E:"
        );
        let launch = Launch { checks: Checks::ALL, ..Launch::new([1; 3], [64, 1, 1]) };
        let outcome = run(&kernel(&body), &launch, &[0; 64], &[vec![0; 4]]).map(drop);
        let found = outcome
            .as_ref()
            .is_err_and(|error| error.starts_with("data race: read of 4 bytes of global memory"));
        assert!(found == is_race && (is_race || outcome.is_ok()), "{fence} {outcome:?}");
    }
}
