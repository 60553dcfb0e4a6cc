//! Accesses through a pointer to one object that land in another one.

use super::super::device::{Checks, Device, Launch};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// Runs a kernel with two buffers of 16 words, which are 512 bytes apart, and returns its fault.
fn run(body: &str, checks: Checks) -> Option<String> {
    let text = format!(
        ".version 8.0 .target sm_80 .address_size 64 .global .u32 v[4]; .global .u32 w[4];
        .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 m) {{
            .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<9>;
            ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [m]; mov.u32 %r1, %tid.x;
            {body} ret; }}"
    );
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let program = link(&[Input { name: "test", text: &text, module: &module }]);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffers = ["a", "b"].map(|name| device.global.allocate_named(64, name, true).expect("there is room"));
    assert_eq!(buffers[1] - buffers[0], 512);
    let mut args: Vec<Vec<u8>> = buffers.iter().map(|buffer| buffer.to_le_bytes().to_vec()).collect();
    args.push(128_u64.to_le_bytes().to_vec());
    let launch = Launch { checks, ..Launch::new([1; 3], [2, 1, 1]) };
    device.launch("k", &launch, &args).err().map(|fault| fault.kind.to_string())
}

#[test]
fn a_far_index_does_not_reach_another_buffer_unnoticed() {
    // Element 128 of `a` is element 0 of `b`.
    let body = "shl.b64 %rd4, %rd3, 2; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;";
    let message = run(body, Checks::USUAL).expect("it is not `a`");
    assert!(message.contains("access through `a` (64 bytes at 0x7f"), "{message}");
    assert!(message.contains(" lands in `b` (64 bytes at 0x7f"), "{message}");
    assert_eq!(run(body, Checks { provenance: false, ..Checks::USUAL }), None);
    let past = "add.s64 %rd5, %rd1, 580; ld.global.u32 %r2, [%rd5];";
    assert!(run(past, Checks::USUAL).expect("past the end").contains("lands 4 bytes past the end of `b`"));
    let before = "sub.s64 %rd5, %rd2, 512; ld.global.u32 %r2, [%rd5];";
    assert!(run(before, Checks::USUAL).expect("before the start").contains("through `b` (64 bytes"));
    let variable = "mov.u64 %rd4, v; add.s64 %rd4, %rd4, 272; ld.global.u32 %r2, [%rd4];";
    assert!(run(variable, Checks::USUAL).expect("another one").contains("through `v` (16 bytes"));
}

#[test]
fn pointers_that_are_differences_of_two_may_land_anywhere() {
    let body = "sub.s64 %rd4, %rd2, %rd1; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;
        mov.u32 %r2, 0; setp.eq.u32 %p, %r1, 0; selp.b64 %rd6, %rd1, %rd2, %p; st.global.u32 [%rd6+4], %r2;
        atom.global.add.u32 %r3, [%rd1], 1; ld.u32 %r3, [%rd2+60];";
    assert_eq!(run(body, Checks::USUAL), None);
}

/// Runs a kernel of two threads with two arrays of 8 words in shared memory, and returns its fault.
fn run_shared(body: &str, checks: Checks) -> Option<String> {
    let variables =
        ".shared .align 4 .b8 tile[32]; .shared .align 4 .b8 other[32]; .shared .align 4 .b8 odd[6];";
    run(&format!("{variables} mul.lo.u32 %r4, %r1, 4; {body}"), checks)
}

#[test]
fn a_step_from_one_shared_array_into_another_is_noticed() {
    for (body, expected) in [
        (
            "mov.u32 %r5, tile; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5+28], %r1;",
            "access through `tile` (32 bytes at 0x0) lands in `other` (32 bytes at 0x20), at byte 0",
        ),
        (
            "mov.u32 %r5, other; sub.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r1;",
            "access through `other` (32 bytes at 0x20) lands in `tile` (32 bytes at 0x0), at byte 28",
        ),
        (
            "mov.u64 %rd4, tile; cvta.shared.u64 %rd4, %rd4; mad.wide.u32 %rd5, %r1, 32, %rd4; st.u32 [%rd5], %r1;",
            "access through `tile` (32 bytes at 0x0) lands in `other` (32 bytes at 0x20), at byte 0",
        ),
        (
            "atom.shared.add.u32 %r5, [tile+60], 1;",
            "access through `tile` (32 bytes at 0x0) lands in `other` (32 bytes at 0x20), at byte 28",
        ),
        (
            "mov.u32 %r5, tile; sub.u32 %r5, %r5, 4; st.shared.u32 [%r5], %r1;",
            ": 4 bytes before the start of `tile`",
        ),
        (
            "mov.u64 %rd4, tile; sub.u64 %rd4, %rd4, 8; st.shared.u32 [%rd4], %r1;",
            ": 8 bytes before the start of `tile`",
        ),
        ("mov.u32 %r5, odd; st.shared.u16 [%r5+6], %r1;", ": just past the end of `odd`"),
    ] {
        let body =
            body.replace("st.shared.u16 [%r5+6], %r1", "cvt.u16.u32 %h1, %r1; st.shared.u16 [%r5+6], %h1");
        let body = format!(".reg .b16 %h<2>; {body}");
        let message = run_shared(&body, Checks::USUAL).expect("it is another variable");
        assert!(message.contains(expected), "{body}\n{message}");
    }
    let stray = "mov.u32 %r5, tile; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5+28], %r1;";
    assert_eq!(run_shared(stray, Checks { provenance: false, ..Checks::USUAL }), None);
}

#[test]
fn accesses_to_shared_memory_whose_variable_is_not_sure_are_silent() {
    for body in [
        "mov.u32 %r5, tile; mov.u32 %r6, other; sub.u32 %r7, %r6, %r5; add.u32 %r7, %r7, %r5; st.shared.u32 [%r7], %r1;",
        "setp.eq.u32 %p, %r1, 0; mov.u32 %r5, tile; mov.u32 %r6, other; selp.b32 %r7, %r5, %r6, %p; st.shared.u32 [%r7], %r1;",
        "mov.u32 %r5, 32; st.shared.u32 [%r5], %r1;",
        "mov.u32 %r5, tile; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5+24], %r1;",
        // An aligned load that begins in the variable.
        "mov.u32 %r5, odd; ld.shared.u32 %r6, [%r5+4];",
    ] {
        assert_eq!(run_shared(body, Checks::USUAL), None, "{body}");
    }
}
