//! Cooperative launches: blocks that run at the same time and synchronize like CUDA's cooperative groups.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::Launch;

/// The address of the grid's workspace in `%rd3`; without one, `trap`.
const WORKSPACE: &str = "mov.u32 %r10, %envreg2; cvt.u64.u32 %rd3, %r10; mov.u32 %r11, %envreg1; cvt.u64.u32 %rd4, %r11;\n\
    bfi.b64 %rd3, %rd4, %rd3, 32, 32; setp.ne.s64 %p1, %rd3, 0; @%p1 bra READY; trap; READY:\n";

/// Each block of one thread arrives at the barrier of the workspace, and waits until all have.
const SYNC: &str = "mov.u32 %r4, %nctaid.x; mov.u32 %r5, -2147483647; sub.u32 %r5, %r5, %r4; mov.u32 %r6, %ctaid.x;\n\
    setp.eq.u32 %p2, %r6, 0; selp.b32 %r5, %r5, 1, %p2; atom.add.release.gpu.u32 %r7, [%rd3+4], %r5;\n\
    WAIT: ld.acquire.gpu.u32 %r8, [%rd3+4]; xor.b32 %r8, %r8, %r7; setp.gt.s32 %p3, %r8, -1; @%p3 bra WAIT;\n";

fn launch(n_blocks: u32, is_cooperative: bool) -> Launch {
    Launch { grid: [n_blocks, 1, 1], block: [1; 3], is_cooperative, ..ONE_BLOCK }
}

#[test]
fn blocks_of_a_cooperative_launch_wait_for_one_another() {
    // Each block writes its word, and reads that of the block that starts last.
    let body = format!(
        "{WORKSPACE} add.u32 %r9, %r1, 100; st.global.u32 [%rd1], %r9; {SYNC}\n\
         ld.param.u64 %rd5, [p]; ld.global.u32 %r12, [%rd5+36]; st.global.u32 [%rd1+40], %r12;"
    );
    let words = run(&kernel(&body), &launch(10, true), &[0; 20], &[vec![0; 4]])
        .expect("all blocks run at the same time");
    assert_eq!(words[10..], [109; 10]);
}

#[test]
fn explains_a_trap_without_a_workspace() {
    let error = run(&kernel(WORKSPACE), &launch(2, false), &[0; 2], &[vec![0; 4]])
        .expect_err("there is no workspace");
    assert!(error.contains("which requires a cooperative launch; use `weftc run --cooperative`"), "{error}");
    let error = run(&kernel("trap;"), &launch(2, false), &[0; 2], &[vec![0; 4]]).expect_err("it traps");
    assert!(error.starts_with("`trap` was executed, in `k`"), "{error}");
    let both = format!("{WORKSPACE} trap;");
    let error = run(&kernel(&both), &launch(2, true), &[0; 2], &[vec![0; 4]]).expect_err("it traps");
    assert!(error.starts_with("`trap` was executed, in `k`"), "{error}");
}

#[test]
fn a_cooperative_launch_has_as_many_blocks_as_run_at_the_same_time() {
    let text = kernel("");
    let of_threads = |n_blocks| Launch { block: [1024, 1, 1], ..launch(n_blocks, true) };
    assert!(run(&text, &of_threads(64), &[0; 1], &[vec![0; 4]]).is_ok());
    let error = run(&text, &of_threads(65), &[0; 1], &[vec![0; 4]]).expect_err("65 blocks of 1024 threads");
    assert_eq!(
        error,
        "cooperative launch has 65 blocks; at most 64 of this size can be resident at the same time"
    );
}
