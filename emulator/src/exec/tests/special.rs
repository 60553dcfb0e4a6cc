//! Special registers: those that say where a thread is, and those that hold the same everywhere.

use super::{kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// What each thread of two blocks of 40 finds in a register.
fn values(name: &str) -> Vec<u32> {
    let wide = ["%globaltimer", "%clock64", "%pm0_64", "%current_graph_exec"].contains(&name);
    let body = match name {
        "%is_explicit_cluster" => format!("mov.pred %p1, {name}; selp.u32 %r4, 1, 0, %p1;"),
        _ if wide => format!("mov.u64 %rd3, {name}; cvt.u32.u64 %r4, %rd3;"),
        _ => format!("mov.u32 %r4, {name};"),
    };
    let text = kernel(&format!(".shared .b8 s[100]; {body} st.global.u32 [%rd1], %r4;"));
    let launch = Launch { checks: Checks::ALL, dynamic_shared: 64, ..Launch::new([2, 1, 1], [40, 1, 1]) };
    run(&text, &launch, &[99; 80], &[vec![0; 4]]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn threads_know_where_they_are() {
    let (thread, block) = (|n: u32| n % 40, |n: u32| n / 40);
    let lane = move |n: u32| thread(n) % 32;
    /// What a register holds for the thread of a number.
    type Of = Box<dyn Fn(u32) -> u32>;
    let expected: Vec<(&str, Of)> = vec![
        ("%tid.x", Box::new(thread)),
        ("%ntid.x", Box::new(|_| 40)),
        ("%ctaid.x", Box::new(block)),
        ("%nctaid.x", Box::new(|_| 2)),
        ("%clusterid.x", Box::new(block)),
        ("%nclusterid.x", Box::new(|_| 2)),
        ("%laneid", Box::new(lane)),
        ("%warpid", Box::new(move |n| thread(n) / 32)),
        ("%nwarpid", Box::new(|_| 2)),
        ("%lanemask_eq", Box::new(move |n| 1 << lane(n))),
        ("%lanemask_lt", Box::new(move |n| (0..lane(n)).map(|at| 1 << at).sum())),
        ("%lanemask_le", Box::new(move |n| (0..=lane(n)).map(|at| 1 << at).sum())),
        ("%lanemask_gt", Box::new(move |n| (lane(n) + 1..32).map(|at| 1 << at).sum())),
        ("%lanemask_ge", Box::new(move |n| (lane(n)..32).map(|at| 1 << at).sum())),
    ];
    for (name, of) in expected {
        assert_eq!(values(name), (0..80).map(of).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn registers_that_are_fixed_hold_their_values() {
    for name in [
        "%tid.w",
        "%ntid.w",
        "%ctaid.w",
        "%nctaid.w",
        "%tid.y",
        "%ctaid.z",
        "%cluster_ctaid.x",
        "%cluster_ctarank",
        "%is_explicit_cluster",
        "%reserved_smem_offset_begin",
        "%reserved_smem_offset_end",
        "%reserved_smem_offset_cap",
        "%reserved_smem_offset_0",
        "%reserved_smem_offset_1",
        "%envreg0",
        "%envreg31",
        "%pm0",
        "%pm7",
        "%pm0_64",
        "%current_graph_exec",
        "%smid",
    ] {
        assert_eq!(values(name), [0; 80], "{name}");
    }
    for name in ["%ntid.y", "%nctaid.z", "%cluster_nctaid.y", "%cluster_nctarank", "%nsmid"] {
        assert_eq!(values(name), [1; 80], "{name}");
    }
    assert_eq!(values("%dynamic_smem_size"), [64; 80]);
    assert_eq!(values("%aggr_smem_size"), values("%total_smem_size"));
    assert!(values("%total_smem_size")[0] >= 164);
}

#[test]
fn registers_that_are_not_there_are_refused() {
    for name in
        ["%envreg32", "%envreg01", "%pm8", "%reserved_smem_offset_2", "%tid.v", "%laneid.x", "%nothing"]
    {
        let text = kernel(&format!("mov.u32 %r4, {name};"));
        let error = run(&text, &super::ONE_BLOCK, &[0], &[vec![0; 4]]).expect_err(name);
        assert!(error.starts_with("test:9:1: ") && error.contains(name), "{name}: {error}");
    }
}
