//! Special registers: those that identify a thread, and those that are the same everywhere.

use super::{kernel, run};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;

/// The values of a register in each thread of two blocks of 40.
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
    /// The value of a register in the thread of this index.
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

/// They once had 16 bits, and may be read like that; `cvt` reads as many bits as it names.
#[test]
fn parts_of_them_are_read() {
    let body = ".reg .b16 %h<4>; mov.u16 %h1, %ctaid.x; cvt.u32.u16 %r4, %h1; cvt.u32.u16 %r5, %ctaid.x; sub.u32 %r6, %r4, %r5;\n\
        mov.b32 %r7, {%ctaid.x, 1}; shr.u32 %r7, %r7, 16; setp.eq.u32 %p1, %r7, 1; selp.u32 %r6, %r6, 9, %p1;\n\
        cvt.u64.u32 %rd3, %ctaid.x; cvt.u32.u64 %r8, %rd3; and.b32 %r8, %r8, 0xFFFF; sub.u32 %r8, %r8, %r4; or.b32 %r6, %r6, %r8;\n\
        ld.param.u64 %rd3, [p]; setp.ne.u32 %p1, %r6, 0; @%p1 st.global.u32 [%rd3], %r6; setp.eq.u32 %p1, %r2, 65539;\n\
        @%p1 st.global.u32 [%rd3+4], %r4;";
    let launch = Launch { checks: Checks::NONE, ..Launch::new([65540, 1, 1], [1; 3]) };
    assert_eq!(run(&kernel(body), &launch, &[0, 0], &[vec![0; 4]]), Ok(vec![0, 3]));
}

/// Like ptxas.
#[test]
fn other_instructions_and_types_are_refused() {
    for (instruction, expected) in [
        ("add.u32 %r4, %tid.x, 1;", "`%tid` is a special register, which only `mov` and `cvt` can read"),
        ("setp.eq.u32 %p1, %laneid, 0;", "`%laneid` is a special register"),
        ("st.global.u32 [%rd1], %tid.x;", "`%tid` is a special register"),
        ("bar.sync %tid.x;", "`%tid` is a special register"),
        ("cvt.rn.f32.u32 %r4, %ctaid.x;", "`%ctaid` is a special register"),
        ("mov.u64 %rd3, %tid.x;", "`%tid` has 32 bits and cannot be read as `.u64`"),
        ("mov.f32 %r4, %tid.x;", "cannot be read as `.f32`"),
        ("mov.u32 %r4, %clock64;", "`%clock64` cannot be read as `.u32`"),
        ("mov.u64 %rd3, %clock;", "`%clock` cannot be read as `.u64`"),
        ("mov.u32 %r4, %pm0_64;", "`%pm0_64` has 64 bits and cannot be read as `.u32`"),
        ("mov.u32 %r4, %is_explicit_cluster;", "cannot be read as `.u32`"),
        (".reg .b16 %h<3>; mov.u16 %h1, %smid;", "`%smid` has 32 bits and cannot be read as `.u16`"),
        ("cvt.u64.u64 %rd3, %ctaid.x;", "`%ctaid` has 32 bits and cannot be read as `.u64`"),
    ] {
        let error = run(&kernel(instruction), &Launch::new([1; 3], [1; 3]), &[0], &[vec![0; 4]]);
        let error = error.expect_err(instruction);
        assert!(error.starts_with("test:9:") && error.contains(expected), "{instruction}: {error}");
    }
}
