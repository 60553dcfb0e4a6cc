//! The output of kernels, and when it is delivered.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::exec::device::{Device, Launch};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// A kernel with a buffer at `%rd9`, and `PRINT`, which prints `%r1`, the index of the block.
fn printing(body: &str) -> String {
    let print = "st.local.u32 [args], %r1;\n\
        { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd2; st.param.b64 [a], %rd4;\n\
        call.uni (r), vprintf, (f, a); }";
    let body = body.replace("PRINT", print);
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
         .extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n\
         .global .align 1 .b8 format[4] = {{37, 117, 32, 0}};\n\
         .visible .entry k(.param .u64 p) {{ .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<10>;\n\
         .local .align 8 .b8 args[8]; mov.u32 %r1, %ctaid.x; mov.u64 %rd1, format; cvta.global.u64 %rd2, %rd1;\n\
         mov.u64 %rd3, args; cvta.local.u64 %rd4, %rd3; ld.param.u64 %rd9, [p]; mul.wide.u32 %rd8, %r1, 4;\n\
         add.u64 %rd8, %rd8, %rd9;\n{body}\nret; }}"
    )
}

/// The output of a launch: each piece, with the number of blocks that had ended; and the fault.
fn output_of(body: &str, launch: &Launch) -> (Vec<(String, u64)>, Option<String>) {
    let text = printing(body);
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let input = Input { name: "test", text: &text, module: &module };
    let program = link(&[input]).unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffer = device.global.allocate(256, 1).expect("there is room");
    let n_ended = Arc::clone(&device.n_blocks_ended);
    let mut pieces = Vec::new();
    let mut printed = |piece: &[u8]| {
        pieces.push((String::from_utf8_lossy(piece).into_owned(), n_ended.load(Ordering::Relaxed)));
    };
    let outcome = device.launch_with_output("k", launch, &[buffer.to_le_bytes().to_vec()], &mut printed);
    assert!(device.take_output().is_empty(), "what is reported is not kept");
    (pieces, outcome.err().map(|fault| fault.to_string()))
}

/// The whole output, which is the same on any number of cores.
fn full_output(body: &str, n_blocks: u32) -> (String, Option<String>) {
    let on = |n_workers| {
        let launch =
            Launch { n_workers: NonZeroUsize::new(n_workers), ..Launch::new([n_blocks, 1, 1], [1; 3]) };
        let launch = Launch { step_limit: Some(100_000), ..launch };
        let (pieces, fault) = output_of(body, &launch);
        (pieces.into_iter().map(|(piece, _)| piece).collect::<String>(), fault)
    };
    let alone = on(1);
    for _ in 0..5 {
        assert_eq!(on(4), alone);
    }
    alone
}

fn numbers(n: u32) -> String {
    (0..n).map(|n| format!("{n} ")).collect()
}

#[test]
fn prints_before_the_launch_ends() {
    let one = NonZeroUsize::new(1);
    let launch = Launch { n_workers: one, ..Launch::new([3, 1, 1], [1; 3]) };
    let (pieces, fault) = output_of("PRINT PRINT", &launch);
    let expected = [("0 ", 0), ("0 ", 0), ("1 ", 1), ("1 ", 1), ("2 ", 2), ("2 ", 2)];
    assert_eq!(pieces, expected.map(|(piece, n_ended)| (piece.to_owned(), n_ended)));
    assert_eq!(fault, None);
    // The output of a warp's threads is delivered together.
    let (pieces, _) = output_of("PRINT", &Launch { n_workers: one, ..Launch::new([2, 1, 1], [3, 1, 1]) });
    assert_eq!(pieces, [("0 0 0 ".to_owned(), 0), ("1 1 1 ".to_owned(), 1)]);
}

#[test]
fn prints_output_before_a_fault() {
    let (text, fault) = full_output("PRINT setp.eq.u32 %p1, %r1, 5; @%p1 trap; PRINT", 20);
    let expected: String = (0..5).map(|n| format!("{n} {n} ")).collect();
    assert_eq!(text, expected + "5 ");
    assert!(fault.is_some_and(|fault| fault.contains("block (5, 0, 0)")));
    // If a thread's string is invalid, the output of the threads before it is delivered.
    let launch = Launch::new([1; 3], [3, 1, 1]);
    let body = "mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 2; selp.u64 %rd2, 64, %rd2, %p1; PRINT";
    let (pieces, fault) = output_of(body, &launch);
    assert_eq!(pieces, [("0 0 ".to_owned(), 0)]);
    assert!(fault.is_some_and(|fault| fault.contains("thread (2, 0, 0)")));
}

#[test]
fn prints_output_of_an_endless_loop() {
    let (text, fault) = full_output("PRINT AGAIN: bra AGAIN;", 4);
    assert_eq!(text, "0 ");
    assert!(fault.is_some_and(|fault| fault.starts_with("limit of ")));
}

/// They are tried on several cores, and run again: nothing is delivered twice.
#[test]
fn prints_dependent_blocks_once() {
    let body = "PRINT setp.eq.u32 %p1, %r1, 0; @%p1 bra FIRST; ld.global.u32 %r2, [%rd8+-4];\n\
        FIRST: add.u32 %r1, %r2, 1; st.global.u32 [%rd8], %r1; PRINT";
    let expected: String = (0..40).map(|n| format!("{n} {} ", n + 1)).collect();
    assert_eq!(full_output(&format!("mov.u32 %r2, 0; {body}"), 40), (expected, None));
    assert_eq!(full_output("PRINT", 50), (numbers(50), None));
}

/// They wait for one another, and take turns: the output of the first is delivered while it waits.
#[test]
fn prints_waiting_blocks_in_order() {
    let body = "setp.ne.u32 %p1, %r1, 0; @%p1 bra OTHER; PRINT AGAIN: ld.volatile.global.u32 %r2, [%rd9];\n\
        setp.ne.u32 %p2, %r2, 2; @%p2 bra AGAIN; PRINT ret; OTHER: PRINT atom.global.add.u32 %r3, [%rd9], 1;";
    let launch = Launch { step_limit: Some(1 << 20), ..Launch::new([3, 1, 1], [1; 3]) };
    let (pieces, fault) = output_of(body, &launch);
    let texts: Vec<&str> = pieces.iter().map(|(piece, _)| &piece[..]).collect();
    assert_eq!((texts, fault), (vec!["0 ", "0 ", "1 ", "2 "], None));
    assert_eq!((pieces[0].1, pieces[1].1), (0, 2));
}
