//! If the host has less memory than a kernel needs, the launch fails, and the memory is released.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::{ONE_BLOCK, kernel};
use crate::exec::device::{Checks, Device, Launch};
use crate::memory::host::{HostMemory, HostOutOfMemory};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// Runs a kernel with one word per thread, on a host with `n_bytes` of memory, and returns the words.
fn run_on(n_bytes: u64, text: &str, launch: &Launch) -> Result<Vec<u32>, String> {
    let module = parse(text).map_err(|error| error.to_string())?;
    let program =
        link(&[Input { name: "test", text, module: &module }]).map_err(|error| error.to_string())?;
    let host = Arc::new(HostMemory::limited(n_bytes));
    let mut device = Device::on_host(&program, 1 << 40, host.clone())
        .map_err(|error: HostOutOfMemory| error.to_string())?;
    let mut bytes = vec![0; (4 * launch.grid[0] * launch.block[0]) as usize];
    let buffer = device.global.allocate(bytes.len() as u64, 1).expect("there is room");
    let left = host.left();
    let done = device.launch("k", launch, &[buffer.to_le_bytes().to_vec(), vec![0; 4]]);
    device.global.read(buffer, &mut bytes).expect("it is there");
    done.map_err(|fault| fault.to_string())?;
    assert_eq!(host.left(), left, "what the launch has taken is given back");
    Ok(bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

#[test]
fn hosts_whose_memory_is_used_up_end_a_launch() {
    let text = kernel("MORE: add.u32 %r4, %r4, 1; bra MORE;");
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let program = link(&[Input { name: "test", text: &text, module: &module }])
        .unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::on_host(&program, 0, Arc::new(HostMemory::waning())).expect("there is room");
    let fault = device.launch("k", &ONE_BLOCK, &[vec![0; 8], vec![0; 4]]).expect_err("it has no end");
    assert!(fault.to_string().contains("not enough host memory for the run: "), "{fault}");
}

/// The kernel fails on a host with `n_bytes`, for lack of memory for the purpose, and runs on one with many
/// more.
fn assert_lacks(n_bytes: u64, purpose: &str, text: &str, launch: &Launch) {
    let message = run_on(n_bytes, text, launch).expect_err("the host has too little");
    let expected = format!("not enough host memory for {purpose}: ");
    assert!(message.contains(&expected), "{message}");
    run_on(100 * n_bytes, text, launch).unwrap_or_else(|message| panic!("{message}"));
}

#[test]
fn variables_need_memory_of_the_host() {
    let text = kernel("ret;").replace(".visible", ".global .b8 v[1000000];\n.visible");
    let message = run_on(1_000_000, &text, &ONE_BLOCK).expect_err("the host has too little");
    assert!(message.starts_with("not enough host memory: "), "{message}");
    assert_eq!(run_on(3_000_000, &text, &ONE_BLOCK), Ok(vec![0; 32]));
}

#[test]
fn malloc_gives_null_where_the_host_has_no_more() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .extern .func (.param .b64 r) malloc (.param .b64 n); .extern .func free (.param .b64 a);\n\
        .visible .entry k(.param .u64 p, .param .u32 n) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n\
        ld.param.u64 %rd2, [p]; mov.u32 %r1, 0; mov.u64 %rd3, 0;\n\
        MORE: { .param .b64 n0; .param .b64 r; st.param.b64 [n0], 1000000; call (r), malloc, (n0); ld.param.b64 %rd1, [r]; }\n\
        setp.eq.u64 %p1, %rd1, 0; @%p1 bra FULL; st.u64 [%rd1], %rd3; mov.u64 %rd3, %rd1; add.u32 %r1, %r1, 1; bra MORE;\n\
        FULL: st.global.u32 [%rd2], %r1;\n\
        AGAIN: setp.eq.u64 %p1, %rd3, 0; @%p1 ret; ld.u64 %rd1, [%rd3];\n\
        { .param .b64 a; st.param.b64 [a], %rd3; call free, (a); } mov.u64 %rd3, %rd1; bra AGAIN; }";
    let launch = Launch::new([1; 3], [1; 3]);
    // Recording the written bytes takes as much again.
    assert_eq!(run_on(10_500_000, text, &launch), Ok(vec![5]));
}

#[test]
fn recursion_needs_memory_of_the_host() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .b32 r) upto (.param .b32 a) { .reg .pred %p<2>; .reg .b32 %r<9>; .local .b8 own[64];\n\
        ld.param.u32 %r1, [a]; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra END;\n\
        sub.u32 %r3, %r1, 1; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), upto, (x); ld.param.b32 %r2, [y]; }\n\
        add.u32 %r2, %r2, %r1; END: st.param.b32 [r], %r2; ret; }\n\
        .visible .entry k(.param .u64 p, .param .u32 n) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
        { .param .b32 x; .param .b32 y; st.param.b32 [x], 1000; call (y), upto, (x); ld.param.b32 %r1, [y]; }\n\
        ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r1; ret; }";
    let launch = Launch::new([1; 3], [1; 3]);
    assert_lacks(1_000_000, "local memory and registers", text, &launch);
    assert_eq!(run_on(100_000_000, text, &launch), Ok(vec![500_500]));
}

#[test]
fn the_check_of_races_needs_memory_of_the_host() {
    let launch = Launch { checks: Checks::ALL, ..Launch::new([256, 1, 1], [256, 1, 1]) };
    assert_lacks(700_000, "the check of races", &kernel("st.global.u32 [%rd1], %r1; ret;"), &launch);
}

#[test]
fn blocks_go_one_by_one_where_the_host_has_no_room_for_claims() {
    let text = kernel("ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, %r1; st.global.u32 [%rd1], %r4; ret;");
    let expected: Vec<u32> = (0..512 * 32).collect();
    // The buffer takes 64 KiB, its claims three times as much, and a warp's registers 30 KiB.
    for n_bytes in [190_000, 10_000_000] {
        let launch = Launch { n_workers: NonZeroUsize::new(4), ..Launch::new([512, 1, 1], [32, 1, 1]) };
        assert_eq!(run_on(n_bytes, &text, &launch).as_ref(), Ok(&expected));
    }
}

/// The address of `array[63 - i]`: a base minus a multiple of the index, plus an offset.
#[test]
fn sums_of_shared_addresses_have_32_bits() {
    let body = ".shared .align 4 .b32 s[64]; mov.u32 %r4, s; shl.b32 %r5, %r1, 2; add.u32 %r6, %r4, %r5; st.shared.u32 [%r6+128], %r1;\n\
                bar.sync 0; sub.u32 %r6, %r4, %r5; ld.shared.u32 %r7, [%r6+252]; st.global.u32 [%rd1], %r7;";
    assert_eq!(super::run_body(body, &[0; 32]), (0..32).rev().collect::<Vec<u32>>());
}
