//! Launches that continue after faults.

use std::num::NonZeroUsize;

use super::super::collected::{Collected, MAX_DISTINCT};
use super::super::device::{Checks, Device, Launch};
use super::{ONE_BLOCK, kernel};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// The outcome of a launch.
#[derive(Debug, PartialEq)]
struct Outcome {
    words: Vec<u32>,
    faults: Collected,
    /// The fault that stopped it.
    end: Option<String>,
}

impl Outcome {
    /// Each distinct fault, without addresses and positions, with its count and its number of threads.
    fn list(&self) -> Vec<(String, u64, u64)> {
        let short = |text: String| text.split(" at 0x").next().unwrap_or_default().to_owned();
        let distinct = self.faults.distinct.iter();
        distinct.map(|one| (short(one.fault.kind.to_string()), one.n_times, one.n_threads)).collect()
    }
}

/// Runs a kernel `k` on a named buffer of 32-bit words, whose address is its argument.
fn run(text: &str, launch: &Launch, words: &[u32]) -> Outcome {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let program = link(&[Input { name: "test", text, module: &module }]);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffer = device.global.allocate_named(4 * words.len() as u64, "a", true).expect("there is room");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    device.global.write(buffer, &bytes).expect("it is there");
    let launch = Launch { keeps_going: true, ..*launch };
    let args = [buffer.to_le_bytes().to_vec(), vec![7, 0, 0, 0]];
    let end = device.launch("k", &launch, &args).err().map(|fault| fault.kind.to_string());
    let mut bytes = vec![0; 4 * words.len()];
    device.global.read(buffer, &mut bytes).expect("it is there");
    let words = bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Outcome { words: words.collect(), faults: device.take_faults(), end }
}

fn run_body(body: &str) -> Outcome {
    run(&kernel(body), &ONE_BLOCK, &[9; 32])
}

#[test]
fn wrong_stores_do_nothing_and_the_others_go_on() {
    let found = run_body("st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+2], %r1;");
    let expected = [
        ("out-of-bounds global write of 4 bytes".to_owned(), 2, 2),
        ("misaligned global write of 4 bytes".to_owned(), 32, 32),
    ];
    assert_eq!((found.list(), found.faults.n_faults, &found.end), (expected.to_vec(), 34, &None));
    assert_eq!(found.words, [9, 9].into_iter().chain(0..30).collect::<Vec<u32>>());
    let first = found.faults.distinct[0].fault.to_string();
    assert!(first.contains("in `k`, by thread (30, 0, 0) of block (0, 0, 0), at test:9"), "{first}");
}

#[test]
fn wrong_loads_give_zeros_on_which_nothing_undefined_depends() {
    let found = run_body(
        "mov.u32 %r4, 5; mov.u32 %r5, 5; ld.global.v2.u32 {%r4, %r5}, [%rd1+128]; add.u32 %r4, %r4, %r5;
         ld.global.u32 %r6, [%rd1+4]; setp.eq.u32 %p1, %r6, 0; @%p1 add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;",
    );
    let expected = [
        ("out-of-bounds global read of 8 bytes".to_owned(), 16, 16),
        ("misaligned global read of 8 bytes".to_owned(), 16, 16),
        ("out-of-bounds global read of 4 bytes".to_owned(), 1, 1),
    ];
    assert_eq!(found.list(), expected);
    assert_eq!(found.words, (0..32).map(|lane| u32::from(lane == 31)).collect::<Vec<u32>>());
}

#[test]
fn wrong_atomic_operations_do_nothing_and_give_zeros() {
    let found = run_body(
        "mov.u32 %r4, 5; atom.global.add.u32 %r4, [%rd1+64], 1; red.global.add.u32 [%rd1+126], 1;
         add.u32 %r4, %r4, 100; st.global.u32 [%rd1], %r4;",
    );
    let expected = [
        ("out-of-bounds global write of 4 bytes".to_owned(), 16, 16),
        ("misaligned global write of 4 bytes".to_owned(), 32, 32),
    ];
    assert_eq!(found.list(), expected);
    assert_eq!(found.words, (0..32).map(|lane| if lane < 16 { 109 } else { 100 }).collect::<Vec<u32>>());
}

#[test]
fn shared_arrays_and_copies_and_matrices_keep_their_bounds() {
    let found = run_body(
        ".shared .align 16 .b8 tile[64]; .shared .align 16 .b8 other[1024]; mov.u32 %r5, tile; shl.b32 %r6, %r1, 2;
         add.u32 %r9, %r5, %r6; st.shared.u32 [%r9], 3; cp.async.ca.shared.global [%r5], [%rd1+256], 4;
         cp.async.wait_all; mov.u32 %r8, 4096;
         ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r8]; ld.shared.u32 %r10, [tile]; add.u32 %r10, %r10, %r7;
         st.global.u32 [%rd1], %r10;",
    );
    let expected = [
        ("out-of-bounds shared write of 4 bytes".to_owned(), 16, 16),
        ("out-of-bounds global read of 4 bytes".to_owned(), 32, 32),
        ("out-of-bounds shared read of 16 bytes".to_owned(), 8, 8),
    ];
    assert_eq!((found.list(), found.end), (expected.to_vec(), None));
    assert_eq!(found.words, [0; 32]);
}

#[test]
fn reports_undefined_values_once_per_use() {
    let body = ".shared .u32 s[32]; mov.u32 %r5, s; ld.shared.u32 %r4, [%r5]; setp.eq.u32 %p1, %r4, 0;
        @%p1 bra NEXT;\nNEXT: @%p1 bra END;\nEND: ld.shared.u32 %r6, [%r5+4]; add.u32 %r6, %r6, 1;
        st.global.u32 [%rd1], %r6; ld.global.u32 %r7, [%rd1]; setp.eq.u32 %p2, %r7, 1; @%p2 st.global.u32 [%rd1], 5;
        atom.shared.add.u32 %r8, [%r5+8], 1; setp.eq.u32 %p3, %r8, 1; @%p3 bra OUT;\nOUT: ret;";
    let found = run_body(body);
    let of = |usage: &str| format!("{usage} depends on uninitialized memory: `s");
    let texts: Vec<String> = found.faults.distinct.iter().map(|one| one.fault.kind.to_string()).collect();
    let starts = ["condition", "value stored to global memory", "atomic operation"].map(of);
    assert_eq!(texts.len(), 3, "{texts:#?}");
    assert!(texts.iter().zip(&starts).all(|(text, start)| text.starts_with(start)), "{texts:#?}");
    // The first thread that adds to the word finds it uninitialized.
    let counts: Vec<u64> = found.faults.distinct.iter().map(|one| one.n_times).collect();
    assert_eq!((counts, found.words), (vec![32, 32, 1], vec![5; 32]));
}

#[test]
fn races_do_not_stop_a_launch() {
    let launch = Launch { checks: Checks::ALL, ..Launch::new([2, 1, 1], [64, 1, 1]) };
    let body = "cvta.to.global.u64 %rd3, %rd3; and.b32 %r4, %r1, 31; setp.ne.u32 %p1, %r4, 0; @%p1 exit;
        ld.param.u64 %rd3, [p]; st.global.u32 [%rd3], %r1; ld.global.u32 %r5, [%rd3+4];";
    let found = run(&kernel(body), &launch, &[0; 128]);
    assert_eq!(found.list(), [("data race: write of `a`, 4 bytes of global memory".to_owned(), 3, 3)]);
    assert_eq!((found.words[0], found.end), (96, None));
}

#[test]
fn faults_do_not_depend_on_the_number_of_cores() {
    let text = kernel(
        "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; st.global.u32 [%rd1], %r1; ld.global.u32 %r4, [%rd1+2];",
    );
    let outcome = |n_workers, seed| {
        let launch =
            Launch { n_workers: NonZeroUsize::new(n_workers), seed, ..Launch::new([9, 1, 1], [40, 1, 1]) };
        run(&text, &launch, &[0; 360])
    };
    let one = outcome(1, None);
    // Threads of the fifth block are the first whose words are outside.
    let expected = [
        ("misaligned global read of 4 bytes".to_owned(), 360, 360),
        ("out-of-bounds global write of 4 bytes".to_owned(), 180, 180),
    ];
    assert_eq!(one.list(), expected);
    assert_eq!(one, outcome(2, None));
    assert_eq!(outcome(1, Some(5)), outcome(4, Some(5)));
}

#[test]
fn a_thread_is_counted_once() {
    let found = run_body(
        "setp.ne.u32 %p1, %r1, 3; @%p1 exit; mov.u32 %r4, 0;\nAGAIN: st.global.u32 [%rd1+1024], %r4;
         add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra AGAIN;",
    );
    assert_eq!(found.list(), [("out-of-bounds global write of 4 bytes".to_owned(), 10, 1)]);
}

#[test]
fn only_so_many_distinct_faults_are_kept() {
    let stores = "st.global.u32 [%rd1+512], %r1;\n".repeat(MAX_DISTINCT + 20);
    let found = run_body(&stores);
    assert_eq!((found.faults.distinct.len(), found.faults.n_left_out), (MAX_DISTINCT, 20 * 32));
    assert_eq!(found.faults.n_faults, (MAX_DISTINCT as u64 + 20) * 32);
}

#[test]
fn other_faults_stop_the_launch_after_all() {
    let found = run_body("st.global.u32 [%rd1+512], %r1; trap;");
    assert_eq!((found.faults.n_faults, found.end.as_deref()), (32, Some("`trap` was executed")));
    // The load returns zeros, which nothing changes.
    let found =
        run_body("AGAIN: ld.volatile.global.u32 %r4, [%rd1+512]; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;");
    assert!(found.end.is_some_and(|end| end.contains("no thread can make progress")));
    assert_eq!(found.faults.distinct.len(), 1);
}

#[test]
fn nothing_is_kept_where_the_first_fault_is_to_stop_the_launch() {
    let text = kernel("st.global.u32 [%rd1+8], %r1;");
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let program = link(&[Input { name: "test", text: &text, module: &module }]);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let args = [vec![0; 8], vec![0; 4]];
    assert!(device.launch("k", &ONE_BLOCK, &args).is_err());
    assert!(device.take_faults().is_empty());
}
