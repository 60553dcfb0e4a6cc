//! Profiles, compared with counts by hand.

use std::num::NonZeroUsize;

use super::{ONE_BLOCK, kernel};
use crate::exec::device::{Device, Launch};
use crate::profile::{AccessSpace, Branches, Counts, Kind, Profile};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// Runs the kernel `k` on a buffer of this size, and returns its profile.
fn profile_of(text: &str, launch: Launch, n_bytes: u64) -> Profile {
    let module = parse(text).expect("PTX");
    let program = link(&[Input { name: "test", text, module: &module }]).expect("a program");
    let mut device = Device::new(&program, 1 << 24).expect("the host has room");
    let buffer = device.global.allocate(n_bytes, 256).expect("there is room");
    let args = [buffer.to_le_bytes().to_vec(), vec![7, 0, 0, 0]];
    let n_args =
        module.functions.iter().find(|function| function.name == "k").expect("k").prototype.params.len();
    let launch = Launch { is_profiled: true, ..launch };
    let done = device.launch("k", &launch, &args[..n_args]).unwrap_or_else(|fault| panic!("{fault}"));
    let profile = device.take_profile().expect("it was asked for");
    assert_eq!(profile.total().n_threads, done.n_instructions, "both count the same");
    assert_eq!(device.take_profile(), None);
    profile
}

/// The counts of source line 1, in a kernel of one warp: `%rd1` is the address of the thread's word, `%rd8`
/// that of the buffer, `%r1` the thread's index, and `%r9` the address of the array `s` in shared memory.
fn line(body: &str) -> Counts {
    let text = kernel(&format!(
        ".shared .align 16 .b8 s[8192];\nld.param.u64 %rd8, [p]; mov.u32 %r9, s;\n.loc 1 1 0\n{body}\n.loc 1 2 0\nret;"
    ));
    profile_of(&text, ONE_BLOCK, 1 << 16).line("kernel.cu", 1)
}

/// The line loads from global memory: thread `n` at `n * stride`.
fn global(load: &str, stride: u32) -> (u64, u64, u64) {
    let at = format!(".loc 1 3 0\nmul.wide.u32 %rd2, %r1, {stride}; add.u64 %rd2, %rd8, %rd2;\n.loc 1 1 0\n");
    let traffic = line(&format!("{at}{load}")).global;
    assert_eq!(traffic.n_requests, 1);
    (traffic.n_sectors, traffic.n_ideal_sectors, traffic.n_lines)
}

/// The line loads from shared memory: thread `n` at `n * stride`.
fn shared(load: &str, stride: u32) -> (u64, u64) {
    let at = format!(".loc 1 3 0\nmad.lo.u32 %r2, %r1, {stride}, %r9;\n.loc 1 1 0\n");
    let counts = line(&format!("{at}{load}"));
    assert_eq!((counts.shared.n_requests, counts.global.n_requests), (1, 0));
    (counts.shared.n_passes, counts.shared.n_conflicts())
}

#[test]
fn sectors_of_global_memory() {
    assert_eq!(global("ld.global.f32 %r3, [%rd2];", 4), (4, 4, 1), "stride 1");
    assert_eq!(global("ld.global.f32 %r3, [%rd2];", 8), (8, 4, 2), "stride 2");
    assert_eq!(global("ld.global.f32 %r3, [%rd2];", 128), (32, 4, 32), "stride 32");
    assert_eq!(global("ld.global.f32 %r3, [%rd2];", 0), (1, 1, 1), "one for all");
    assert_eq!(global("st.global.f32 [%rd2+4], %r1;", 4), (5, 4, 2), "stride 1, one behind");
    assert_eq!(global("ld.global.v4.f32 {%r3, %r4, %r5, %r6}, [%rd2];", 16), (16, 16, 4), "float4");
    assert_eq!(global("ld.global.u8 %r3, [%rd2];", 1), (1, 1, 1), "bytes");
}

#[test]
fn generic_addresses_count_where_they_lead() {
    assert_eq!(global("ld.f32 %r3, [%rd2];", 128), (32, 4, 32));
    let counts = line("cvt.u64.u32 %rd3, %r9; cvta.shared.u64 %rd3, %rd3; st.u32 [%rd3], %r1;");
    assert_eq!((counts.shared.n_requests, counts.shared.n_passes, counts.global.n_requests), (1, 1, 0));
    // Half of the warp accesses global memory, half shared memory.
    let counts = line(
        "cvt.u64.u32 %rd3, %r9; cvta.shared.u64 %rd3, %rd3; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd3, %rd3, %rd4;\n\
         setp.lt.u32 %p1, %r1, 16; selp.b64 %rd3, %rd1, %rd3, %p1; st.u32 [%rd3], %r1;",
    );
    assert_eq!((counts.shared.n_requests, counts.shared.n_passes), (1, 1));
    assert_eq!((counts.global.n_requests, counts.global.n_sectors, counts.global.n_bytes), (1, 2, 64));
}

#[test]
fn passes_of_shared_memory() {
    assert_eq!(shared("st.shared.f32 [%r2], %r1;", 4), (1, 0), "a row");
    assert_eq!(shared("st.shared.f32 [%r2], %r1;", 32 * 4), (32, 31), "a column of 32 x 32");
    assert_eq!(shared("st.shared.f32 [%r2], %r1;", 33 * 4), (1, 0), "a column of 32 x 33");
    assert_eq!(shared("ld.shared.f32 %r3, [%r2];", 0), (1, 0), "one for all");
    assert_eq!(shared("ld.shared.f32 %r3, [%r2];", 8), (2, 1), "stride 2");
    assert_eq!(shared("ld.shared.v4.f32 {%r3, %r4, %r5, %r6}, [%r2];", 16), (4, 0), "float4");
    assert_eq!(shared("ld.shared.b64 %rd3, [%r2];", 16), (4, 2), "every other double");
}

#[test]
fn atomics_to_one_address_come_one_after_the_other() {
    let counts = line("red.global.add.u32 [%rd8], 1;");
    assert_eq!((counts.atomics.n_operations, counts.atomics.n_conflicts), (32, 31));
    assert_eq!((counts.global.n_sectors, counts.global.n_ideal_sectors), (1, 1));
    let counts = line(
        "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r9; st.shared.u32 [%r2], 0; atom.shared.add.u32 %r3, [%r2], 1;",
    );
    assert_eq!((counts.atomics.n_operations, counts.atomics.n_conflicts), (32, 28));
    assert_eq!(line("red.global.add.u32 [%rd1], 1;").atomics.n_conflicts, 0);
}

#[test]
fn branches_on_which_threads_agree_do_not_diverge() {
    let parity = |n: u32| {
        line(&format!(
            "and.b32 %r4, %r1, {n}; setp.eq.u32 %p1, %r4, 0; @%p1 bra EVEN;\n mov.u32 %r5, 1;\nEVEN:"
        ))
    };
    assert_eq!(parity(1).branches, Branches { n_executed: 1, n_divergent: 1 });
    assert_eq!(parity(0).branches, Branches { n_executed: 1, n_divergent: 0 }, "all go");
    assert_eq!(parity(32).branches, Branches { n_executed: 1, n_divergent: 0 }, "again");
    // Three instructions by all threads, one by the odd ones.
    let counts = parity(1);
    assert_eq!((counts.n_warps, counts.n_active, counts.n_threads), (4, 3 * 32 + 16, 2 * 32 + 16 + 16));
    assert_eq!(counts.lanes(), Some(28.0));
    assert_eq!(counts.simt_efficiency(), Some(0.875));
}

#[test]
fn an_indexed_branch_diverges_if_threads_have_different_labels() {
    let switch = |index: &str| {
        line(&format!(
            "{index} brx.idx %r4, T; T: .branchtargets A, B;\nA: mov.u32 %r5, 1; bra.uni C;\nB: mov.u32 %r5, 2;\nC:"
        ))
    };
    let counts = switch("and.b32 %r4, %r1, 1;");
    assert_eq!(counts.branches, Branches { n_executed: 2, n_divergent: 1 });
    assert_eq!(switch("mov.u32 %r4, 1;").branches, Branches { n_executed: 1, n_divergent: 0 });
}

#[test]
fn loops_count_each_turn() {
    // Ten iterations for all: three instructions each.
    let counts = line("mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 10; @%p1 bra L;");
    assert_eq!((counts.n_warps, counts.n_active), (31, 31 * 32));
    assert_eq!(counts.branches, Branches { n_executed: 10, n_divergent: 0 });
    // Thread `n` makes `n + 1` iterations: `32 - t` threads are in iteration `t`, and all but the last
    // iteration lose one.
    let counts = line("mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r1; @%p1 bra L;");
    assert_eq!((counts.n_warps, counts.n_active), (1 + 3 * 32, 32 + 3 * (32 * 33 / 2)));
    assert_eq!(counts.branches, Branches { n_executed: 32, n_divergent: 31 });
}

#[test]
fn a_guard_that_holds_for_some_counts_for_them() {
    let counts = line("setp.lt.u32 %p1, %r1, 8; @%p1 st.global.u32 [%rd1], %r1; @!%p1 bra L;\nL:");
    assert_eq!((counts.n_warps, counts.n_active, counts.n_threads), (3, 96, 32 + 8 + 24));
    assert_eq!((counts.global.n_requests, counts.global.n_bytes, counts.global.n_sectors), (1, 32, 1));
    let none = line("setp.lt.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd1], %r1;");
    assert_eq!((none.n_warps, none.n_threads, none.global.n_requests), (2, 32, 0));
}

#[test]
fn blocks_that_are_no_whole_warps_leave_lanes_idle() {
    let text = kernel("st.global.u32 [%rd1], %r1;");
    let profile = profile_of(&text, Launch::new([3, 1, 1], [40, 1, 1]), 480);
    let store = profile.kind(Kind::Store(AccessSpace::Global));
    assert_eq!((store.n_warps, store.n_active), (6, 120));
    assert_eq!(store.lanes(), Some(20.0));
    // 160 bytes per block, 128 in the first warp and 32 in the second.
    assert_eq!((store.global.n_bytes, store.global.n_sectors), (480, 15));
}

const FUNCTIONS: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"a/kernel.cu\"\n\
    .func (.param .b32 r) one (.param .b32 n) { .reg .b32 %r<9>; ld.param.b32 %r1, [n]; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }\n\
    .func (.param .b32 r) two (.param .b32 n) { .reg .b32 %r<9>; ld.param.b32 %r1, [n]; add.u32 %r1, %r1, 2; st.param.b32 [r], %r1; ret; }\n\
    .global .u64 table[2] = {one, two};\n\
    .visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .local .align 8 .b8 own[128];\n\
    ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, table; add.u64 %rd4, %rd4, %rd3;\n\
    ld.global.u64 %rd5, [%rd4];\n\
    { .param .b32 a; .param .b32 v; st.param.b32 [a], %r1;\n\
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
    .loc 1 5 0\n call (v), %rd5, (a), proto;\n .loc 1 6 0\n ld.param.b32 %r4, [v]; }\n\
    setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD; add.u32 %r4, %r4, 1;\n\
    ODD:\n.loc 1 7 0\nshfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;\n\
    .loc 1 8 0\nst.local.u32 [own], %r5; ld.local.u32 %r5, [own];\n.loc 1 9 0\nmul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], %r5; ret; }";

#[test]
fn calls_of_different_functions_are_calls_of_their_own() {
    let profile = profile_of(FUNCTIONS, ONE_BLOCK, 128);
    let call = profile.line("kernel.cu", 5);
    assert_eq!((call.n_warps, call.n_active, call.n_threads), (2, 32, 32));
    let functions = profile.by_function();
    assert_eq!((functions["one"].n_warps, functions["two"].n_threads), (4, 4 * 16));
    // Parameters of functions do not count as memory.
    let total = profile.total();
    assert_eq!((total.local.n_requests, total.local.n_bytes, total.local.n_sectors), (2, 256, 8));
    assert_eq!(profile.kind(Kind::Load(AccessSpace::Parameter)).n_warps, 1 + 2 + 1);
}

#[test]
fn threads_that_wait_for_others_of_their_warp_count_once() {
    // The even threads reach the shuffle first, and wait there.
    let text = kernel(
        "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;\n.loc 1 1 0\nshfl.sync.bfly.b32 %r3, %r1, 2, 31, 0x55555555; bra.uni END;\n\
         ODD:\n.loc 1 2 0\nshfl.sync.bfly.b32 %r3, %r1, 2, 31, -1;\nEND: ret;",
    );
    let profile = profile_of(&text, ONE_BLOCK, 128);
    assert_eq!(profile.line("kernel.cu", 1).n_threads, 32, "sixteen shuffle, and branch");
    assert_eq!(profile.line("kernel.cu", 2).n_threads, 48, "sixteen shuffle; all end");
}

#[test]
fn counts_do_not_depend_on_the_number_of_cores() {
    let text = kernel(
        "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; and.b32 %r5, %r1, 7; setp.le.u32 %p1, %r4, %r5; @%p1 bra L;\n\
         st.global.u32 [%rd1], %r4; ld.param.u64 %rd8, [p]; red.global.add.u32 [%rd8+16384], 1;",
    );
    let launch =
        |n: usize| Launch { n_workers: NonZeroUsize::new(n), ..Launch::new([32, 1, 1], [128, 1, 1]) };
    let one = profile_of(&text, launch(1), 1 << 16);
    assert_eq!(one, profile_of(&text, launch(4), 1 << 16));
    assert_eq!(one.total().atomics.n_operations, 4096);
    // Blocks that depend on one another run again: the first attempt does not count.
    let dependent = kernel(
        "ld.param.u64 %rd8, [p]; ld.global.u32 %r4, [%rd8]; add.u32 %r4, %r4, 1; st.global.u32 [%rd8], %r4;",
    );
    let again = profile_of(&dependent, launch(4), 1 << 16);
    assert_eq!(again, profile_of(&dependent, launch(1), 1 << 16));
    assert_eq!(again.kind(Kind::Store(AccessSpace::Global)).n_warps, 128);
    // Blocks that may wait for one another take turns.
    let waiting =
        kernel("ld.param.u64 %rd8, [p]; atom.global.exch.b32 %r4, [%rd8], 1; st.global.u32 [%rd1], %r4;");
    assert_eq!(profile_of(&waiting, launch(4), 1 << 16).total().atomics.n_operations, 4096);
}

#[test]
fn profiles_are_added() {
    let text = kernel("st.global.u32 [%rd1], %r1;");
    let one = profile_of(&text, ONE_BLOCK, 128);
    let mut sum = one.clone();
    sum.add(&one);
    sum.add(&Profile::default());
    assert_eq!(sum.instructions.len(), one.instructions.len());
    assert_eq!(sum.total().n_threads, 2 * one.total().n_threads);
    let order = |profile: &Profile| profile.instructions.iter().map(|of| of.offset).collect::<Vec<u32>>();
    assert_eq!(order(&sum), order(&one));
    assert_eq!(sum.by_kind().values().map(|counts| counts.n_warps).sum::<u64>(), sum.total().n_warps);
    assert_eq!(sum.by_line().len(), 1, "no line of a source is known");
    assert_eq!(sum.ptx_line("test", 9).global.n_requests, 2);
}

/// A lock makes the threads of a warp take turns (`turns`): each executes the critical section alone.
#[test]
fn threads_that_take_turns_are_counted_one_by_one() {
    let alone = line(
        ".loc 1 3 0\nLOCK: atom.global.cas.b32 %r4, [%rd8], 0, 1; setp.ne.s32 %p1, %r4, 0; @%p1 bra LOCK;\n\
         .loc 1 1 0\nld.volatile.global.u32 %r5, [%rd8+4]; add.u32 %r5, %r5, 1; st.volatile.global.u32 [%rd8+4], %r5;\n\
         .loc 1 3 0\natom.global.exch.b32 %r4, [%rd8], 0;",
    );
    assert_eq!((alone.n_warps, alone.n_active, alone.n_threads), (3 * 32, 3 * 32, 3 * 32));
    assert_eq!((alone.global.n_requests, alone.global.n_sectors), (2 * 32, 2 * 32));
}

#[test]
fn does_not_count_the_faulting_instruction() {
    let text = kernel(".loc 1 1 0\nst.global.u32 [%rd1], %r1;\n.loc 1 2 0\nst.global.u32 [%rd1+126], %r1;");
    let module = parse(&text).expect("PTX");
    let program = link(&[Input { name: "test", text: &text, module: &module }]).expect("a program");
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffer = device.global.allocate(128, 256).expect("there is room");
    let args = [buffer.to_le_bytes().to_vec(), vec![0; 4]];
    let launch = Launch { is_profiled: true, ..ONE_BLOCK };
    device.launch("k", &launch, &args).expect_err("the second store is not aligned");
    let profile = device.take_profile().expect("it was asked for");
    assert_eq!(profile.line("kernel.cu", 1).global.n_sectors, 4);
    assert_eq!(profile.line("kernel.cu", 2), Counts::default());
    device.launch("nothing", &launch, &args).expect_err("there is no such kernel");
    assert_eq!(device.take_profile(), None, "that of an earlier launch is gone");
}
