//! The tests that memory models are distinguished by, in PTX. Where a verdict is from, its test says; those without a source
//! follow from the axiom that is named. x, y and z begin with zero, results are r0 to r3.

use std::collections::BTreeSet;

use super::{Error, Outcomes, Test, Thread, explore};
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// A thread: its cluster and block, and its body, in which `%r0` to `%r3` are what it leaves in the results of these numbers,
/// if it names them.
type Body<'b> = ((u32, u32), &'b str);

const FINALS: [&str; 3] = ["x", "y", "z"];

fn text(threads: &[Body<'_>]) -> String {
    let mut text = ".version 8.6\n.target sm_90\n.address_size 64\n.shared .align 4 .u32 s;\n".to_owned();
    for name in ["x", "y", "z", "r0", "r1", "r2", "r3"] {
        text.push_str(&format!(".visible .global .align 4 .u32 {name};\n"));
    }
    for (number, (_, body)) in threads.iter().enumerate() {
        let mut stores = String::new();
        for result in (0..4).filter(|result| body.contains(&format!("%r{result}"))) {
            stores.push_str(&format!("st.global.u32 [r{result}], %r{result};\n"));
        }
        text.push_str(&format!(
            ".visible .entry t{number}() {{ .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n{body}\n{stores} ret; }}\n"
        ));
    }
    text
}

fn outcomes(threads: &[Body<'_>], finals: &[&str]) -> Result<Outcomes, Error> {
    let text = text(threads);
    let module = parse(&text).unwrap_or_else(|error| panic!("{text}{error}"));
    let program = link(&[Input { name: "test", text: &text, module: &module }]);
    let program = program.unwrap_or_else(|error| panic!("{text}{error}"));
    let n_results = (0..4).filter(|result| text.contains(&format!("%r{result};"))).count();
    let thread = |(number, ((cluster, block), _)): (usize, &Body<'_>)| Thread {
        kernel: format!("t{number}"),
        cluster: *cluster,
        block: *block,
        thread: number as u32,
    };
    explore(
        &program,
        &Test {
            threads: threads.iter().enumerate().map(thread).collect(),
            results: (0..n_results).map(|result| format!("r{result}")).collect(),
            finals: finals.iter().map(|&name| name.to_owned()).collect(),
        },
    )
}

/// Whether the results can be these.
fn can(threads: &[Body<'_>], results: &[u64]) -> bool {
    let found = outcomes(threads, &[]).unwrap_or_else(|error| panic!("{error}"));
    found.values.contains(results)
}

/// Threads in blocks of their own, in clusters of their own.
fn apart<'b>(bodies: &[&'b str]) -> Vec<Body<'b>> {
    (0..).map(|n| (n, n)).zip(bodies.iter().copied()).collect()
}

fn set(values: &[&[u64]]) -> BTreeSet<Vec<u64>> {
    values.iter().map(|values| values.to_vec()).collect()
}

/// Message passing: the flag is seen and what was written before it is not. PTX ISA "Release and Acquire Patterns".
#[test]
fn message_passing() {
    for (write, read, is_stale) in [
        ("st.release.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", false),
        ("st.release.sys.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", false),
        (
            "fence.acq_rel.gpu; st.relaxed.gpu.u32 [y], 1;",
            "ld.relaxed.gpu.u32 %r0, [y]; fence.acq_rel.gpu;",
            false,
        ),
        (
            "fence.release.gpu; st.relaxed.gpu.u32 [y], 1;",
            "ld.relaxed.gpu.u32 %r0, [y]; fence.acquire.gpu;",
            false,
        ),
        ("fence.sc.gpu; st.volatile.u32 [y], 1;", "ld.volatile.u32 %r0, [y]; membar.gl;", false),
        ("atom.release.gpu.exch.b32 %r9, [y], 1;", "atom.acquire.gpu.add.u32 %r0, [y], 0;", false),
        ("red.release.gpu.add.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", false),
        ("st.release.gpu.u32 [y], 7; st.relaxed.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", false),
        // One side is relaxed.
        ("st.relaxed.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", true),
        ("st.release.gpu.u32 [y], 1;", "ld.relaxed.gpu.u32 %r0, [y];", true),
        ("st.volatile.u32 [y], 1;", "ld.volatile.u32 %r0, [y];", true),
        ("fence.acquire.gpu; st.relaxed.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", true),
        (
            "fence.acq_rel.gpu; st.relaxed.gpu.u32 [y], 1;",
            "ld.relaxed.gpu.u32 %r0, [y]; fence.release.gpu;",
            true,
        ),
        // One side is weak: nothing is observed.
        ("fence.acq_rel.gpu; st.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", true),
        ("st.release.gpu.u32 [y], 1;", "ld.u32 %r0, [y]; fence.acq_rel.gpu;", true),
        // One scope does not include the other thread.
        ("st.release.cta.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", true),
        ("st.release.gpu.u32 [y], 1;", "ld.acquire.cta.u32 %r0, [y];", true),
        ("st.release.cluster.u32 [y], 1;", "ld.acquire.cluster.u32 %r0, [y];", true),
        ("fence.acq_rel.cta; st.relaxed.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r0, [y];", true),
    ] {
        let (writer, reader) = (format!("st.u32 [x], 1; {write}"), format!("{read} ld.u32 %r1, [x];"));
        let threads = apart(&[&writer, &reader]);
        assert_eq!(can(&threads, &[1, 0]), is_stale, "{write} {read}");
        assert!(can(&threads, &[1, 1]) && can(&threads, &[0, 0]), "{write} {read}");
    }
}

/// The same within a block and within a cluster (PTX ISA "Scope").
#[test]
fn scopes_include_threads() {
    for (scope, positions, is_stale) in [
        ("cta", [(0, 0), (0, 0)], false),
        ("cta", [(0, 0), (0, 1)], true),
        ("cluster", [(0, 0), (0, 1)], false),
        ("cluster", [(0, 0), (1, 2)], true),
        ("gpu", [(0, 0), (1, 2)], false),
        ("sys", [(0, 0), (1, 2)], false),
    ] {
        let writer = format!("st.u32 [x], 1; st.release.{scope}.u32 [y], 1;");
        let reader = format!("ld.acquire.{scope}.u32 %r0, [y]; ld.u32 %r1, [x];");
        let threads = [(positions[0], &writer[..]), (positions[1], &reader[..])];
        assert_eq!(can(&threads, &[1, 0]), is_stale, "{scope} {positions:?}");
    }
}

/// Who reads only if the flag is set races with no one (PTX ISA "Conflict and Data-races").
#[test]
fn races_are_found() {
    let reader =
        "ld.ORDER.gpu.u32 %r0, [y]; mov.u32 %r1, 5; setp.eq.u32 %p1, %r0, 0; @%p1 bra E; ld.u32 %r1, [x]; E:";
    let writer = "st.u32 [x], 1; st.release.gpu.u32 [y], 1;";
    for (order, wanted, has_race) in
        [("acquire", set(&[&[0, 5], &[1, 1]]), false), ("relaxed", set(&[&[0, 5], &[1, 0], &[1, 1]]), true)]
    {
        let found = outcomes(&apart(&[writer, &reader.replace("ORDER", order)]), &[]);
        assert_eq!(found, Ok(Outcomes { values: wanted, has_race }), "{order}");
    }
}

/// Store buffering: both read what was there before. sequentially consistent fences forbid it (PTX ISA
/// "Fence-SC").
#[test]
fn store_buffering() {
    for (fence, is_allowed) in [
        ("fence.sc.gpu;", false),
        ("fence.sc.sys;", false),
        ("membar.gl;", false),
        ("fence.acq_rel.gpu;", true),
        ("fence.sc.cta;", true),
        ("membar.cta;", true),
        ("", true),
    ] {
        let first = format!("st.relaxed.gpu.u32 [x], 1; {fence} ld.relaxed.gpu.u32 %r0, [y];");
        let second = format!("st.relaxed.gpu.u32 [y], 1; {fence} ld.relaxed.gpu.u32 %r1, [x];");
        assert_eq!(can(&apart(&[&first, &second]), &[0, 0]), is_allowed, "{fence}");
        assert!(can(&apart(&[&first, &second]), &[1, 1]), "{fence}");
    }
    let orders = [
        "st.release.gpu.u32 [x], 1; ld.acquire.gpu.u32 %r0, [y];",
        "st.release.gpu.u32 [y], 1; ld.acquire.gpu.u32 %r1, [x];",
    ];
    assert!(can(&apart(&orders), &[0, 0]), "acquire and release do not order a store and a later load");
}

/// Load buffering: both read what the other one writes later. Without dependencies it is allowed; with them values would come
/// out of thin air (PTX ISA "No Thin Air").
#[test]
fn load_buffering() {
    let relaxed = [
        "ld.relaxed.gpu.u32 %r0, [x]; st.relaxed.gpu.u32 [y], 1;",
        "ld.relaxed.gpu.u32 %r1, [y]; st.relaxed.gpu.u32 [x], 1;",
    ];
    assert!(can(&apart(&relaxed), &[1, 1]));
    let ordered =
        relaxed.map(|body| body.replace("st.relaxed", "st.release").replace("ld.relaxed", "ld.acquire"));
    assert!(!can(&apart(&[&ordered[0], &ordered[1]]), &[1, 1]));
    for depends in [
        "st.relaxed.gpu.u32 [TO], %rN;",
        "and.b32 %r9, %rN, 0; add.u32 %r9, %r9, 1; st.relaxed.gpu.u32 [TO], %r9;",
        "and.b32 %r9, %rN, 0; cvt.u64.u32 %rd2, %r9; mov.u64 %rd1, TO; add.u64 %rd1, %rd1, %rd2; st.relaxed.gpu.u32 [%rd1], 1;",
        "setp.eq.u32 %p1, %rN, 1; @!%p1 bra E; st.relaxed.gpu.u32 [TO], 1; E:",
        "setp.eq.u32 %p1, %rN, 1; @%p1 st.relaxed.gpu.u32 [TO], 1;",
        "setp.eq.u32 %p1, %rN, 1; selp.u32 %r9, 1, 0, %p1; st.relaxed.gpu.u32 [TO], %r9;",
        "st.shared.u32 [s], %rN; ld.shared.u32 %r9, [s]; st.relaxed.gpu.u32 [TO], %r9;",
    ] {
        let body = |from: &str, to: &str, result: &str| {
            format!("ld.relaxed.gpu.u32 %rN, [{from}]; {depends}").replace("TO", to).replace("%rN", result)
        };
        let (first, second) = (body("x", "y", "%r0"), body("y", "x", "%r1"));
        assert!(!can(&apart(&[&first, &second]), &[1, 1]), "{depends}");
    }
    // One dependency alone forbids nothing.
    let copies = "ld.relaxed.gpu.u32 %r1, [y]; st.relaxed.gpu.u32 [x], %r1;";
    assert!(can(&apart(&[relaxed[0], copies]), &[1, 1]));
}

/// Independent reads of independent writes: two readers see two writes in different orders. PTX is not multi-copy atomic
/// (ASPLOS 2019); sequentially consistent fences between the reads forbid it (PTX ISA "Fence-SC").
#[test]
fn independent_reads_of_independent_writes() {
    for (order, fence, is_allowed) in [
        ("relaxed", "", true),
        ("acquire", "", true),
        ("relaxed", "fence.acq_rel.gpu;", true),
        ("relaxed", "fence.sc.gpu;", false),
        ("relaxed", "fence.sc.cta;", true),
    ] {
        let read = |first: &str, second: &str, n: u32| {
            format!(
                "ld.{order}.gpu.u32 %r{n}, [{first}]; {fence} ld.{order}.gpu.u32 %r{}, [{second}];",
                n + 1
            )
        };
        let (one, other) = (read("x", "y", 0), read("y", "x", 2));
        let write = |place: &str| match order {
            "acquire" => format!("st.release.gpu.u32 [{place}], 1;"),
            _ => format!("st.relaxed.gpu.u32 [{place}], 1;"),
        };
        let (first, second) = (write("x"), write("y"));
        let threads = apart(&[&first, &second, &one, &other]);
        assert_eq!(can(&threads, &[1, 0, 1, 0]), is_allowed, "{order} {fence}");
        assert!(can(&threads, &[1, 1, 1, 1]), "{order} {fence}");
    }
}

/// 2+2W: each place ends with the first of a thread's writes. Nothing but sequentially consistent fences orders writes that
/// no one reads (PTX ISA "Coherence", "Fence-SC").
#[test]
fn two_writes_each() {
    for (order, fence, is_allowed) in [
        ("relaxed.gpu", "", true),
        ("release.gpu", "", true),
        ("relaxed.gpu", "fence.acq_rel.gpu;", true),
        ("relaxed.gpu", "fence.sc.gpu;", false),
    ] {
        let body = |first: &str, second: &str| {
            format!("st.{order}.u32 [{first}], 1; {fence} st.{order}.u32 [{second}], 2;")
        };
        let (one, other) = (body("x", "y"), body("y", "x"));
        let found = outcomes(&apart(&[&one, &other]), &FINALS[..2]).expect("it is small");
        assert_eq!(found.values.contains(&vec![1, 1]), is_allowed, "{order} {fence}");
        assert!(found.values.contains(&vec![2, 2]));
    }
}

/// PTX ISA "Sequential Consistency Per Location" for what is morally strong; weak accesses race, and see writes in any order (PTX ISA
/// "Coherence Order").
#[test]
fn coherence() {
    let read_twice = |order: &str| format!("ld.{order}u32 %r0, [x]; ld.{order}u32 %r1, [x];");
    for (order, is_backwards) in
        [("relaxed.gpu.", false), ("volatile.", false), ("relaxed.cta.", true), ("", true)]
    {
        let (write, read) = (format!("st.{order}u32 [x], 1;"), read_twice(order));
        assert_eq!(can(&apart(&[&write, &read]), &[1, 0]), is_backwards, "CoRR {order}");
    }
    // CoWW, and CoRR of two writes of a thread.
    let found = outcomes(
        &apart(&["st.relaxed.gpu.u32 [x], 1; st.relaxed.gpu.u32 [x], 2;", &read_twice("relaxed.gpu.")]),
        &["x"],
    );
    let wanted = set(&[&[0, 0, 2], &[0, 1, 2], &[0, 2, 2], &[1, 1, 2], &[1, 2, 2], &[2, 2, 2]]);
    assert_eq!(found, Ok(Outcomes { values: wanted, has_race: false }));
    // CoWR: a thread does not read past its own write.
    let found = outcomes(
        &apart(&["st.relaxed.gpu.u32 [x], 1; ld.relaxed.gpu.u32 %r0, [x];", "st.relaxed.gpu.u32 [x], 2;"]),
        &["x"],
    );
    assert_eq!(found.map(|found| found.values), Ok(set(&[&[1, 1], &[1, 2], &[2, 2]])));
    // CoRW: nor is its write before what it has read.
    let found = outcomes(
        &apart(&["ld.relaxed.gpu.u32 %r0, [x]; st.relaxed.gpu.u32 [x], 1;", "st.relaxed.gpu.u32 [x], 2;"]),
        &["x"],
    );
    assert_eq!(found.map(|found| found.values), Ok(set(&[&[0, 1], &[0, 2], &[2, 1]])));
    // Writes that race are in no order.
    let found = outcomes(&apart(&["st.u32 [x], 1;", "st.u32 [x], 2;"]), &["x"]);
    assert_eq!(found, Ok(Outcomes { values: set(&[&[1], &[2]]), has_race: true }));
}

/// Write-to-read causality, and ISA2: the writer, who passes it on, and the reader. PTX ISA "Causality Order".
#[test]
fn causality_is_passed_on() {
    for (pass, read, is_stale) in [
        ("st.release.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r1, [y];", false),
        ("fence.acq_rel.gpu; st.relaxed.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r1, [y];", false),
        ("st.relaxed.gpu.u32 [y], 1;", "ld.acquire.gpu.u32 %r1, [y];", true),
        ("st.release.gpu.u32 [y], 1;", "ld.relaxed.gpu.u32 %r1, [y];", true),
        ("st.release.cta.u32 [y], 1;", "ld.acquire.gpu.u32 %r1, [y];", true),
    ] {
        let (passer, reader) =
            (format!("ld.relaxed.gpu.u32 %r0, [x]; {pass}"), format!("{read} ld.relaxed.gpu.u32 %r2, [x];"));
        let threads = apart(&["st.relaxed.gpu.u32 [x], 1;", &passer, &reader]);
        assert_eq!(can(&threads, &[1, 1, 0]), is_stale, "WRC {pass} {read}");
        let (passer, reader) =
            (format!("ld.acquire.gpu.u32 %r0, [z]; {pass}"), format!("{read} ld.u32 %r2, [x];"));
        let threads = apart(&["st.u32 [x], 1; st.release.gpu.u32 [z], 1;", &passer, &reader]);
        assert_eq!(can(&threads, &[1, 1, 0]), is_stale, "ISA2 {pass} {read}");
    }
}

/// PTX ISA "Atomicity", its first two litmus tests: what is not morally strong may tear, and its writes are in no order.
#[test]
fn read_modify_writes_are_atomic() {
    let add = |scope: &str, result: &str| format!("atom.{scope}.add.u32 {result}, [x], 1;");
    for (scopes, positions, wanted) in [
        (["sys", "sys"], [(0, 0), (1, 1)], set(&[&[0, 1, 2], &[1, 0, 2]])),
        (["cta", "gpu"], [(0, 0), (0, 0)], set(&[&[0, 1, 2], &[1, 0, 2]])),
        (
            ["cta", "gpu"],
            [(0, 0), (1, 1)],
            set(&[&[0, 0, 1], &[0, 1, 2], &[1, 0, 2], &[0, 1, 1], &[1, 0, 1]]),
        ),
    ] {
        let (first, second) = (add(scopes[0], "%r0"), add(scopes[1], "%r1"));
        let threads = [(positions[0], &first[..]), (positions[1], &second[..])];
        let found = outcomes(&threads, &["x"]).expect("it is small");
        assert_eq!(found.values, wanted, "{scopes:?} {positions:?}");
    }
    // Of three that exchange zero for their number, one succeeds.
    let swap = |n: u32| format!("atom.relaxed.gpu.cas.b32 %r{}, [x], 0, {n};", n - 1);
    let bodies = [1, 2, 3].map(swap);
    let found = outcomes(&apart(&[&bodies[0], &bodies[1], &bodies[2]]), &["x"]).expect("it is small");
    assert_eq!(found.values, set(&[&[0, 1, 1, 1], &[2, 0, 2, 2], &[3, 3, 0, 3]]));
}

/// What a read-modify-write leaves counts as what it has read: PTX ISA "Observation Order".
#[test]
fn releases_are_seen_through_read_modify_writes() {
    for (middle, is_stale) in [
        ("atom.relaxed.gpu.add.u32 %r9, [y], 1;", false),
        ("red.relaxed.gpu.add.u32 [y], 1;", false),
        ("atom.relaxed.cta.add.u32 %r9, [y], 1;", true),
        ("ld.relaxed.gpu.u32 %r9, [y]; add.u32 %r9, %r9, 1; st.relaxed.gpu.u32 [y], %r9;", true),
    ] {
        let threads = apart(&[
            "st.u32 [x], 1; st.release.gpu.u32 [y], 1;",
            middle,
            "ld.acquire.gpu.u32 %r0, [y]; ld.u32 %r1, [x];",
        ]);
        assert_eq!(can(&threads, &[2, 0]), is_stale, "{middle}");
        assert!(can(&threads, &[2, 1]), "{middle}");
    }
}

/// PTX ISA "bar": what was before it is seen after it.
#[test]
fn barriers_of_a_block_order() {
    let threads = [
        ((0, 0), "st.u32 [x], 1; st.shared.u32 [s], 3; bar.sync 0;"),
        ((0, 0), "bar.sync 0; ld.u32 %r0, [x]; ld.shared.u32 %r1, [s];"),
    ];
    assert_eq!(outcomes(&threads, &["x"]), Ok(Outcomes { values: set(&[&[1, 3, 1]]), has_race: false }));
    let late = [((0, 0), "bar.sync 0; st.u32 [x], 1;"), ((0, 0), "bar.sync 0; ld.u32 %r0, [x];")];
    assert_eq!(outcomes(&late, &[]), Ok(Outcomes { values: set(&[&[0], &[1]]), has_race: true }));
}

/// Verdicts of tests that come with NVIDIA's model of PTX in Alloy (NVlabs/mixedproxy, `tests`), by their names there.
#[test]
fn published_verdicts() {
    let rmw = |result: u32, place: &str| format!("atom.acq_rel.gpu.add.u32 %r{result}, [{place}], 1;");
    // SB_rmw: of two that add to both places in opposite orders, one finds the other's.
    let (first, second) =
        (format!("{} {}", rmw(0, "x"), rmw(1, "y")), format!("{} {}", rmw(2, "y"), rmw(3, "x")));
    assert!(!can(&apart(&[&first, &second]), &[0, 0, 0, 0]));
    // SB_rmw_2: not where one of them stores and loads.
    let second = "st.relaxed.gpu.u32 [y], 1; ld.relaxed.gpu.u32 %r2, [x];";
    assert!(can(&apart(&[&first, second]), &[0, 0, 0]));
    // Cause-base-weak: the first write is weak, so that who reads it comes after nothing.
    let threads = apart(&[
        "st.u32 [x], 1; st.release.sys.u32 [y], 1;",
        "ld.acquire.gpu.u32 %r0, [x]; st.u32 [x], 2; st.release.sys.u32 [z], 1;",
        "ld.acquire.sys.u32 %r1, [z]; ld.acquire.sys.u32 %r2, [z]; ld.u32 %r3, [x];",
    ]);
    assert!(can(&threads, &[1, 1, 1, 1]));
    // Co-Total-3-threads-scope-same: writes that race are in no order, also for who comes after both.
    let threads = [
        ((0, 0), "st.u32 [x], 1; st.release.sys.u32 [y], 1;"),
        ((0, 0), "st.u32 [x], 2; st.release.sys.u32 [z], 1;"),
        (
            (0, 0),
            "ld.acquire.sys.u32 %r0, [y]; ld.acquire.sys.u32 %r1, [z]; ld.u32 %r2, [x]; ld.u32 %r3, [x];",
        ),
    ];
    assert!(can(&threads, &[1, 1, 1, 2]) && can(&threads, &[1, 1, 2, 1]) && !can(&threads, &[1, 1, 0, 1]));
    // Atom-plus-register: with the scope of a block, the other block's need not be found.
    let add = "atom.acq_rel.cta.add.u32 %r0, [x], 1;";
    let threads = apart(&[add, "atom.acq_rel.cta.add.u32 %r1, [x], 1; ld.acquire.cta.u32 %r2, [x];"]);
    assert!(can(&threads, &[0, 0, 1]));
    // SB+sc-gpu-multipleFence-TotalOrder: the fences are in one order, so that one thread finds the other's last.
    let body = |own: &str, other: &str, result: u32| {
        format!(
            "st.u32 [{own}], 1; fence.sc.gpu; st.u32 [{own}], 2; fence.sc.gpu; ld.u32 %r{result}, [{other}];"
        )
    };
    let (first, second) = (body("x", "y", 0), body("y", "x", 1));
    let found = outcomes(&apart(&[&first, &second]), &[]).expect("it is small");
    assert_eq!(found.values, set(&[&[0, 2], &[1, 2], &[2, 0], &[2, 1], &[2, 2]]));
}

#[test]
fn kernels_may_branch_on_the_thread() {
    let text = ".version 8.6\n.target sm_90\n.address_size 64\n.visible .global .u32 x;\n.visible .global .u32 y;\n.visible .global .u32 r0;\n.visible .global .u32 r1;\n\
        .func (.param .b32 v) load (.param .b64 a) { .reg .b64 %a; .reg .b32 %v; ld.param.b64 %a, [a]; ld.acquire.gpu.u32 %v, [%a]; st.param.b32 [v], %v; ret; }\n\
        .visible .entry k() { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra R;\n\
        st.u32 [x], 1; st.release.gpu.u32 [y], 1; ret;\n\
        R: { .param .b64 a; .param .b32 v; mov.u64 %rd1, y; st.param.b64 [a], %rd1; call (v), load, (a); ld.param.b32 %r2, [v]; }\n\
        st.u32 [r0], %r2; ld.u32 %r3, [x]; st.u32 [r1], %r3; ret; }";
    let module = parse(text).expect("it is PTX");
    let program = link(&[Input { name: "test", text, module: &module }]).expect("it is whole");
    let thread = |thread| Thread { kernel: "k".to_owned(), cluster: 0, block: 0, thread };
    let test = Test {
        threads: vec![thread(0), thread(1)],
        results: vec!["r0".to_owned(), "r1".to_owned()],
        finals: Vec::new(),
    };
    assert_eq!(explore(&program, &test).map(|found| found.values), Ok(set(&[&[0, 0], &[0, 1], &[1, 1]])));
    let bad = |test: Test| explore(&program, &test).expect_err("it is none").to_string();
    assert_eq!(
        bad(Test { results: vec!["q".to_owned()], ..test.clone() }),
        "no variable `q` of at most 8 bytes in global memory"
    );
    let kernel = Thread { kernel: "load".to_owned(), ..thread(0) };
    assert_eq!(bad(Test { threads: vec![kernel], ..test.clone() }), "no kernel `load` without parameters");
}

#[test]
fn names_missing_variables() {
    for (body, message) in [
        ("vote.sync.ballot.b32 %r9, %p1, -1;", "test:13: a warp collective is not supported in litmus tests"),
        ("ld.u16 %r9, [x]; ld.u32 %r9, [x];", "accesses of different sizes overlap"),
        (
            "L: ld.relaxed.gpu.u32 %r9, [x]; setp.eq.u32 %p1, %r9, 0; @%p1 bra L;",
            "too many accesses in a thread: a loop that waits never ends here",
        ),
        ("L: bra L;", "too many instructions in a thread: a loop that waits never ends here"),
        ("mov.u64 %rd1, 64; ld.u32 %r9, [%rd1];", "no variable at 0x40"),
        ("mov.u32 %r0, 1;", "the result `r0` is accessed by more than one thread"),
    ] {
        let error = outcomes(&apart(&[body, "mov.u32 %r0, 2;"]), &[]).expect_err(body);
        assert_eq!(error.to_string(), message, "{body}");
    }
}
