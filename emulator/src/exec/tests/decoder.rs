//! Instructions that do more than compute, and whether a test runs each opcode of the decoder.

use std::collections::BTreeSet;

use super::{ONE_BLOCK, kernel, run, run_body};

#[test]
fn addresses_know_their_space() {
    let spaces = ["global", "shared", "const", "local", "param"];
    let addresses = [
        ("mov.u64 %rd3, g; cvta.global.u64 %rd3, %rd3;", Some("global")),
        ("mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3;", Some("shared")),
        ("mov.u64 %rd3, c; cvta.const.u64 %rd3, %rd3;", Some("const")),
        ("mov.u64 %rd3, o; cvta.local.u64 %rd3, %rd3;", Some("local")),
        ("mov.u64 %rd3, p; cvta.param.u64 %rd3, %rd3;", Some("param")),
        // An address in no window counts as global.
        ("mov.u64 %rd3, 0;", Some("global")),
    ];
    for (address, space) in addresses {
        for asked in spaces {
            let body = format!(
                ".shared .b32 s; .local .b32 o; {address} isspacep.{asked} %p1, %rd3; selp.u32 %r4, 1, 0, %p1;\n\
                 cvta.to.{asked}.u64 %rd4, %rd3; cvta.{asked}.u64 %rd4, %rd4; setp.eq.u64 %p2, %rd3, %rd4;\n\
                 selp.u32 %r5, 2, 0, %p2; add.u32 %r4, %r4, %r5; st.global.u32 [%rd1], %r4;"
            );
            let text = kernel(&body).replacen(".visible", ".global .b32 g; .const .b32 c;\n.visible", 1);
            let found =
                run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).unwrap_or_else(|error| panic!("{error}"));
            // Converting back gives the same address.
            let expected = 2 + u32::from(space == Some(asked));
            assert_eq!(found, [expected; 32], "{address} {asked}");
        }
    }
}

#[test]
fn hints_and_fences_change_nothing() {
    let body = "membar.cta; membar.gl; membar.sys; fence.sc.gpu; fence.acq_rel.cta; fence.sys; nanosleep.u32 100; griddepcontrol.wait; griddepcontrol.launch_dependents;\n\
        prefetch.global.L1 [%rd1]; prefetch.L2 [%rd1]; prefetchu.L1 [%rd1]; prefetch.L2::evict_last [%rd1];\n\
        prefetch.global.L1::32B.valid_addr.L2 [%rd1]; applypriority.async.bulk.global.bulk_group.L2::evict_normal [%rd1], 16;\n\
        cp.async.bulk.prefetch.L2.global.L2::evict_last [%rd1], 16; discard.global.L2 [%rd1], 128; applypriority.L2::evict_normal [%rd1], 128;\n\
        fence.proxy.async.sync_restrict::shared::cta; fence.proxy.alias; fence.proxy.async::generic.acq_rel.shared::cta.gpu;\n\
        fence.proxy.tensormap::generic.acq_rel.sys; fence.mbarrier_init.sync_restrict::shared::cta.release.cluster; pmevent 3; pmevent.mask 5;\n\
        ldu.global.u32 %r4, [%rd1]; ld.global.nc.L1::no_allocate.u32 %r5, [%rd1]; add.u32 %r4, %r4, %r5;\n\
        st.global.wb.u32 [%rd1], %r4;";
    assert_eq!(run_body(body, &[21; 32]), [42; 32]);
    let stopped = run(&kernel("brkpt;"), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("it stops");
    assert!(stopped.starts_with("`brkpt` was executed"), "{stopped}");
}

#[test]
fn rejects_unknown_instructions() {
    for instruction in [
        "fence.gl;",
        "fence.sc;",
        "membar.gpu;",
        "membar;",
        "nanosleep.u64 1;",
        "prefetch.L3 [%rd1];",
        "pmevent.all 3;",
        "bra.sync %r1;",
        "exit.uni;",
        "trap.sync;",
        "cp.reduce.async.bulk.commit_group;",
        "tex.1d.v2.f32.s32 {%r1, %r2}, [t, {%r1}];",
        "suld.p.1d.f32.trap {%r1}, [t, {%r1}];",
        "discard.global.L1 [%rd1], 128;",
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with("test:9:1: unknown instruction `"), "{instruction}: {error}");
    }
}

#[test]
fn names_instructions_that_only_gpus_run() {
    for instruction in [
        "wgmma.fence.sync.aligned;",
        "tcgen05.wait::ld.sync.aligned;",
        "multimem.red.add.u32 [%rd1], %r1;",
        "fabric.submit;",
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1;",
    ] {
        let error = run(&kernel(instruction), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        let name = instruction.split([' ', ';']).next().unwrap_or_default();
        let expected = format!("test:9:1: `{name}` is not executed: ");
        assert!(error.starts_with(&expected), "{instruction}: {error}");
    }
}

/// Each opcode that the decoder matches is in one of these tests.
#[test]
fn every_opcode_is_run() {
    let arms = include_str!("../../program/decode/dispatch.rs").lines().map(str::trim);
    let arms = arms.map(|line| line.trim_start_matches("| ")).filter(|line| line.starts_with("(\""));
    let first = |arm: &str| arm.split(',').next().unwrap_or_default().to_owned();
    let of_decoder: Vec<String> =
        arms.flat_map(|line| line.split(" | (").map(first).collect::<Vec<_>>()).collect();
    let collective = include_str!("../../program/collective.rs");
    let of_warps = collective.lines().map(str::trim).filter(|line| line.starts_with("(\"")).map(first);
    let opcodes: BTreeSet<String> = of_decoder
        .into_iter()
        .chain(of_warps)
        .flat_map(|arm| arm.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(opcodes.len() > 30 && opcodes.contains("brx") && opcodes.contains("redux"), "{opcodes:?}");
    let tests = [
        include_str!("../tests.rs"),
        include_str!("atomic.rs"),
        include_str!("barrier.rs"),
        include_str!("bulk.rs"),
        include_str!("call.rs"),
        include_str!("cluster.rs"),
        include_str!("copy.rs"),
        include_str!("decoder.rs"),
        include_str!("matrix.rs"),
        include_str!("matrix_rows.rs"),
        include_str!("mbarrier.rs"),
        include_str!("scaled.rs"),
        include_str!("semantics.rs"),
        include_str!("stack.rs"),
        include_str!("tensor.rs"),
        include_str!("texture.rs"),
        include_str!("collective.rs"),
        include_str!("undefined.rs"),
        include_str!("video.rs"),
        include_str!("wide.rs"),
    ];
    for opcode in opcodes {
        let is_run = |text: &&str| {
            text.match_indices(&opcode).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let behind = text[at + opcode.len()..].chars().next();
                let is_word = before.is_none_or(|c| " \"\n;:{".contains(c));
                is_word && behind.is_some_and(|c| ". ;".contains(c))
            })
        };
        assert!(tests.iter().any(is_run), "no test runs `{opcode}`");
    }
}
