//! Warp collectives, each form compared with a computation over a list.

use super::{ONE_BLOCK, kernel, run};
use crate::compute::tests::Random;

/// The words of 32 threads after a body, in which `%r4` is the word of the previous thread, and `%r9` is
/// stored.
fn warp(body: &str, words: &[u32]) -> Vec<u32> {
    let text =
        kernel(&format!("ld.global.u32 %r4, [%rd1]; mov.u32 %r9, 77;\n{body}\nst.global.u32 [%rd1], %r9;"));
    run(&text, &ONE_BLOCK, words, &[vec![0; 4]]).unwrap_or_else(|error| panic!("{body}: {error}"))
}

/// Words with many duplicates, some negative.
fn words(seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    (0..32).map(|_| [random.next() as u32, 3, 0xFFFF_FFFE, 0x8000_0000][random.next() as usize % 4]).collect()
}

/// Member masks: the threads in `mask` take part, and the others are elsewhere.
const MASKS: [u32; 4] = [u32::MAX, 0x0000_FFFF, 0xAAAA_AAAA, 0x8000_0001];

/// A body for the threads of a mask.
fn among(mask: u32, body: &str) -> String {
    format!(
        "mov.u32 %r5, {mask}; shr.u32 %r6, %r5, %r1; and.b32 %r6, %r6, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra OUT; {body} OUT:"
    )
}

fn members(mask: u32) -> impl Iterator<Item = usize> + Clone {
    (0..32).filter(move |lane| mask >> lane & 1 != 0)
}

#[test]
fn values_are_reduced() {
    let signed =
        |f: fn(i64, i64) -> i64| move |a: u32, b: u32| f((a as i32).into(), (b as i32).into()) as u32;
    let (least, greatest) = (signed(i64::min), signed(i64::max));
    /// Combines two values.
    type Combine<'f> = &'f dyn Fn(u32, u32) -> u32;
    let operations: [(&str, Combine<'_>); 9] = [
        ("add.u32", &|a, b| (u64::from(a) + u64::from(b)) as u32),
        ("add.s32", &|a, b| (u64::from(a) + u64::from(b)) as u32),
        ("min.u32", &|a, b| if a < b { a } else { b }),
        ("max.u32", &|a, b| if a > b { a } else { b }),
        ("min.s32", &least),
        ("max.s32", &greatest),
        ("and.b32", &|a, b| a & b),
        ("or.b32", &|a, b| a | b),
        ("xor.b32", &|a, b| a ^ b),
    ];
    for (seed, (name, combine)) in operations.into_iter().enumerate() {
        for mask in MASKS {
            let words = words(seed as u64);
            let found = warp(&among(mask, &format!("redux.sync.{name} %r9, %r4, %r5;")), &words);
            let all = members(mask).map(|lane| words[lane]).reduce(combine).expect("there are some");
            let expected: Vec<u32> =
                (0..32).map(|lane| if mask >> lane & 1 != 0 { all } else { 77 }).collect();
            assert_eq!(found, expected, "{name} {mask:#x}");
        }
    }
}

/// A module for the GPUs that reduce `.f32`.
fn for_blackwell(text: &str) -> String {
    text.replacen(".version 8.0\n.target sm_90", ".version 8.6\n.target sm_100a", 1)
}

/// The rank of a number by its bits: negative numbers have the sign bit set, and descend.
fn rank(bits: u32) -> i64 {
    if bits >> 31 == 0 { i64::from(bits) } else { -1 - i64::from(bits & 0x7FFF_FFFF) }
}

#[test]
fn floating_point_numbers_are_reduced() {
    const INFINITY: u32 = 0x7F80_0000;
    let is_nan = |bits: u32| bits & 0x7FFF_FFFF > INFINITY;
    let lists: [&[u32]; 6] = [
        // Zeros of both signs, the smallest subnormal number, one.
        &[0, 0x8000_0000, 1, 0x8000_0001, 0x3F80_0000],
        &[0x8000_0000, 0],
        &[0xFF80_0000, INFINITY, 0xC2F6_E979, 0x42F6_E978],
        // NaNs and numbers.
        &[0x7FC0_0000, 0xC000_0000, 0xFF80_0001, 0x3F00_0000],
        &[0x7FC0_0001, 0xFFFF_FFFF],
        &[0xBF80_0000],
    ];
    for (seed, list) in lists.into_iter().enumerate() {
        let mut random = Random(seed as u64);
        let words: Vec<u32> = (0..32).map(|_| list[random.next() as usize % list.len()]).collect();
        for mask in MASKS {
            for (modes, is_abs, gives_nan) in [
                ("", false, false),
                (".abs", true, false),
                (".NaN", false, true),
                (".abs.NaN", true, true),
                (".NaN.abs", true, true),
            ] {
                let all: Vec<u32> = members(mask)
                    .map(|lane| if is_abs { words[lane] & 0x7FFF_FFFF } else { words[lane] })
                    .collect();
                let mut numbers: Vec<u32> = all.iter().copied().filter(|&bits| !is_nan(bits)).collect();
                numbers.sort_by_key(|&bits| rank(bits));
                let has_none = numbers.is_empty() || (gives_nan && numbers.len() < all.len());
                for (mode, found) in [("min", numbers.first()), ("max", numbers.last())] {
                    let expected = if has_none { 0x7FFF_FFFF } else { *found.expect("there is one") };
                    let body = among(mask, &format!("redux.sync.{mode}{modes}.f32 %r9, %r4, %r5;"));
                    let text = kernel(&format!(
                        "ld.global.u32 %r4, [%rd1]; mov.u32 %r9, 77;\n{body}\nst.global.u32 [%rd1], %r9;"
                    ));
                    let found = run(&for_blackwell(&text), &ONE_BLOCK, &words, &[vec![0; 4]]);
                    let all = (0..32).map(|lane| if mask >> lane & 1 != 0 { expected } else { 77 }).collect();
                    assert_eq!(found, Ok(all), "{mode}{modes} {mask:#x} {list:x?}");
                }
            }
        }
    }
}

/// Like ptxas.
#[test]
fn reductions_that_there_are_not_are_refused() {
    for instruction in [
        "redux.sync.add.f32 %r4, %r1, -1;",
        "redux.sync.min.ftz.f32 %r4, %r1, -1;",
        "redux.sync.min.abs.s32 %r4, %r1, -1;",
        "redux.sync.min.abs.abs.f32 %r4, %r1, -1;",
        "redux.sync.min.xorsign.abs.f32 %r4, %r1, -1;",
        "redux.sync.min.f64 %rd4, %rd1, -1;",
        "redux.sync.max.s64 %rd4, %rd1, -1;",
        "redux.sync.and.u32 %r4, %r1, -1;",
    ] {
        let text = for_blackwell(&kernel(instruction));
        let error = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with("test:9:1: unknown instruction `redux."), "{instruction}: {error}");
    }
    for (version, target, expected) in [
        ("8.6", "sm_100a", None),
        ("8.8", "sm_100f", None),
        ("8.8", "sm_103f", None),
        ("8.8", "sm_103a", None),
        ("9.4", "sm_107f", None),
        (
            "8.6",
            "sm_100",
            Some("needs one of the targets sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f"),
        ),
        ("8.8", "sm_110a", Some("needs one of the targets")),
        ("8.8", "sm_120a", Some("needs one of the targets")),
        ("8.0", "sm_90a", Some("needs `.version 8.6` or later")),
    ] {
        let head = format!(".version {version}\n.target {target}");
        let text =
            kernel("redux.sync.min.f32 %r4, %r1, -1;").replacen(".version 8.0\n.target sm_90", &head, 1);
        let outcome = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]);
        match expected {
            None => assert!(outcome.is_ok(), "{head}: {outcome:?}"),
            Some(expected) => {
                let error = outcome.expect_err(&head);
                assert!(
                    error.starts_with("test:9:1: `redux.sync` of `.f32`") && error.contains(expected),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn votes_are_counted() {
    for limit in [0, 1, 16, 31, 32] {
        for mask in MASKS {
            for (negation, is_negated) in [("", false), ("!", true)] {
                let holds = |lane: usize| (lane < limit) != is_negated;
                let holding: u32 = members(mask).filter(|&lane| holds(lane)).map(|lane| 1 << lane).sum();
                let outcomes = [holding == mask, holding != 0, holding == mask || holding == 0];
                for (mode, outcome) in ["all", "any", "uni"].into_iter().zip(outcomes) {
                    let body = format!(
                        "setp.lt.u32 %p2, %r1, {limit}; vote.sync.{mode}.pred %p3, {negation}%p2, %r5; selp.u32 %r9, 1, 0, %p3;"
                    );
                    let found = warp(&among(mask, &body), &[0; 32]);
                    let expected = |lane: u32| if mask >> lane & 1 != 0 { outcome.into() } else { 77 };
                    assert_eq!(
                        found,
                        (0..32).map(expected).collect::<Vec<u32>>(),
                        "{mode} {limit} {mask:#x}"
                    );
                }
                let body =
                    format!("setp.lt.u32 %p2, %r1, {limit}; vote.sync.ballot.b32 %r9, {negation}%p2, %r5;");
                let expected = |lane: u32| if mask >> lane & 1 != 0 { holding } else { 77 };
                assert_eq!(warp(&among(mask, &body), &[0; 32]), (0..32).map(expected).collect::<Vec<u32>>());
            }
        }
    }
}

#[test]
fn same_values_are_found() {
    for seed in 0..4 {
        for mask in MASKS {
            let words = if seed == 0 { vec![5; 32] } else { words(seed) };
            let same = |lane: usize| {
                members(mask)
                    .filter(|&other| words[other] == words[lane])
                    .map(|other| 1 << other)
                    .sum::<u32>()
            };
            let all = members(mask).all(|lane| same(lane) == mask);
            let is_in = |lane: usize| mask >> lane & 1 != 0;
            for (ty, register, wide) in [("b32", "%r4", ""), ("b64", "%rd4", "mov.b64 %rd4, {%r4, %r4};")] {
                let found =
                    warp(&among(mask, &format!("{wide} match.any.sync.{ty} %r9, {register}, %r5;")), &words);
                let expected: Vec<u32> =
                    (0..32).map(|lane| if is_in(lane) { same(lane) } else { 77 }).collect();
                assert_eq!(found, expected, "any {ty} {mask:#x}");
                let body =
                    format!("{wide} match.all.sync.{ty} %r9|%p2, {register}, %r5; @%p2 add.u32 %r9, %r9, 1;");
                let outcome = if all { mask.wrapping_add(1) } else { 0 };
                let expected: Vec<u32> = (0..32).map(|lane| if is_in(lane) { outcome } else { 77 }).collect();
                assert_eq!(warp(&among(mask, &body), &words), expected, "all {ty} {mask:#x}");
            }
        }
    }
}

/// The pseudocode of PTX, lane by lane.
#[test]
fn values_come_from_other_threads() {
    let words = words(9);
    for mode in ["up", "down", "bfly", "idx"] {
        for distance in [0, 1, 5, 16, 31, 33] {
            for clamp in [0, 7, 31] {
                for segment in [0, 0x18, 0x1E] {
                    let bound = segment << 8 | clamp;
                    let body = format!(
                        "shfl.sync.{mode}.b32 %r9|%p2, %r4, {distance}, {bound}, -1; @%p2 xor.b32 %r9, %r9, 1;"
                    );
                    let found = warp(&body, &words);
                    for lane in 0..32_i64 {
                        let by = distance % 32;
                        let max = lane & segment | clamp & !segment;
                        let (from, is_in_bounds) = match mode {
                            "up" => (lane - by, lane - by >= max),
                            "down" => (lane + by, lane + by <= max),
                            "bfly" => (lane ^ by, lane ^ by <= max),
                            _ => {
                                let from = lane & segment | by & !segment & 31;
                                (from, from <= max)
                            }
                        };
                        let value = words[if is_in_bounds { from as usize } else { lane as usize }];
                        let expected = value ^ u32::from(is_in_bounds);
                        assert_eq!(found[lane as usize], expected, "{mode} {distance} {bound:#x} {lane}");
                    }
                }
            }
        }
    }
}

#[test]
fn one_is_elected_and_all_are_known() {
    for mask in MASKS {
        let is_in = |lane: u32| mask >> lane & 1 != 0;
        let found = warp(&among(mask, "elect.sync %r9|%p2, %r5; @%p2 add.u32 %r9, %r9, 100;"), &[0; 32]);
        let leader = mask.trailing_zeros();
        let expected = |lane| match lane {
            lane if !is_in(lane) => 77,
            lane if lane == leader => leader + 100,
            _ => leader,
        };
        assert_eq!(found, (0..32).map(expected).collect::<Vec<u32>>());
        let found = warp(&among(mask, "bar.warp.sync %r5; activemask.b32 %r9;"), &[0; 32]);
        assert_eq!(found, (0..32).map(|lane| if is_in(lane) { mask } else { 77 }).collect::<Vec<u32>>());
    }
}

/// A module from before `.sync` existed.
fn old(text: &str) -> String {
    text.replacen(".version 8.0\n.target sm_90", ".version 5.0\n.target sm_60", 1)
}

/// Collectives without `.sync` are for the threads that are active.
#[test]
fn old_shuffles_and_votes_are_for_those_that_are_there() {
    let text = |body: &str| {
        old(&kernel(&format!(
            "ld.global.u32 %r4, [%rd1]; mov.u32 %r9, 77;\n{body}\nst.global.u32 [%rd1], %r9;"
        )))
    };
    let words = words(3);
    for mask in MASKS {
        let is_in = |lane: usize| mask >> lane & 1 != 0;
        let check = |body: &str, expected: &dyn Fn(usize) -> u32| {
            let found = run(&text(&among(mask, body)), &ONE_BLOCK, &words, &[vec![0; 4]]);
            let all = (0..32).map(|lane| if is_in(lane) { expected(lane) } else { 77 }).collect();
            assert_eq!(found, Ok(all), "{body} {mask:#x}");
        };
        let small: u32 = members(mask).filter(|&lane| lane < 16).map(|lane| 1 << lane).sum();
        let holds = [small == mask, small != 0, small == mask || small == 0].map(u32::from);
        for (mode, holds) in ["all", "any", "uni"].into_iter().zip(holds) {
            let body =
                format!("setp.lt.u32 %p2, %r1, 16; vote.{mode}.pred %p3, %p2; selp.u32 %r9, 1, 0, %p3;");
            check(&body, &|_| holds);
        }
        check("setp.lt.u32 %p2, %r1, 16; vote.ballot.b32 %r9, %p2;", &|_| small);
        check("setp.lt.u32 %p2, %r1, 16; vote.ballot.b32 %r9, !%p2;", &|_| mask & !small);
        let first = members(mask).next().expect("there is one");
        check(&format!("shfl.idx.b32 %r9, %r4, {first}, 31;"), &|_| words[first]);
        check("shfl.bfly.b32 %r9|%p2, %r4, 0, 31; @%p2 add.u32 %r9, %r9, 1;", &|lane| {
            words[lane].wrapping_add(1)
        });
    }
    let found = run(
        &text("shfl.up.b32 %r8, %r4, 1, 0; shfl.down.b32 %r9|%p2, %r4, 2, 31; @!%p2 mov.u32 %r9, %r8;"),
        &ONE_BLOCK,
        &words,
        &[vec![0; 4]],
    );
    let expected = (0..32).map(|lane| if lane < 30 { words[lane + 2] } else { words[lane - 1] }).collect();
    assert_eq!(found, Ok(expected));
}

/// Like ptxas.
#[test]
fn the_target_says_whether_sync_may_be_left_out() {
    for instruction in
        ["shfl.idx.b32 %r4, %r1, 1, 31;", "vote.ballot.b32 %r4, %p1;", "vote.all.pred %p2, %p1;"]
    {
        let text = format!("setp.eq.u32 %p1, %r1, 1;\n{instruction}");
        for (version, target, is_taken) in [
            ("3.0", "sm_30", true),
            ("5.0", "sm_52", true),
            ("6.3", "sm_70", true),
            ("6.4", "sm_61", true),
            ("8.8", "sm_52", true),
            ("6.4", "sm_70", false),
            ("9.0", "sm_75", false),
            ("9.0", "sm_100a", false),
        ] {
            let head = format!(".version {version}\n.target {target}");
            let text = kernel(&text).replacen(".version 8.0\n.target sm_90", &head, 1);
            let outcome = run(&text, &ONE_BLOCK, &[0; 32], &[vec![0; 4]]);
            match outcome {
                Ok(_) => assert!(is_taken, "{instruction} {head}"),
                Err(error) => {
                    assert!(!is_taken, "{instruction} {head}: {error}");
                    assert!(error.starts_with("test:10:1:") && error.contains("without `.sync`"), "{error}");
                }
            }
        }
    }
    for (instruction, expected) in [
        ("shfl.idx.b32 %r4, %r1, 1, 31, -1;", "wrong number of operands"),
        ("vote.ballot.b32 %r4, %p1, -1;", "wrong number of operands"),
        ("shfl.idx.u32 %r4, %r1, 1, 31;", "unknown instruction `shfl.idx.u32`"),
        ("vote.ballot.u32 %r4, %p1;", "unknown instruction `vote.ballot.u32`"),
        ("vote.all.pred !%p2, %p1;", "expected a register for the result"),
        ("match.any.b32 %r4, %r1;", "unknown instruction `match.any.b32`"),
    ] {
        let error =
            run(&old(&kernel(instruction)), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err(instruction);
        assert!(error.starts_with("test:9:1:") && error.contains(expected), "{instruction}: {error}");
    }
}

#[test]
fn each_thread_is_in_its_own_mask() {
    let words = words(9);
    // Halves of the warp at the same instruction, each with its own mask.
    let halves =
        "setp.lt.u32 %p1, %r1, 16; selp.b32 %r5, 65535, 4294901760, %p1; vote.sync.ballot.b32 %r9, %p1, %r5;";
    let expected: Vec<u32> = (0..32).map(|lane| if lane < 16 { 0xFFFF } else { 0 }).collect();
    assert_eq!(warp(halves, &words), expected);
    let sums =
        "setp.lt.u32 %p1, %r1, 16; selp.b32 %r5, 65535, 4294901760, %p1; redux.sync.add.u32 %r9, %r1, %r5;";
    let expected: Vec<u32> = (0..32).map(|lane| if lane < 16 { 120 } else { 376 }).collect();
    assert_eq!(warp(sums, &words), expected);

    let fault = |body: &str| {
        let text = kernel(&format!("ld.global.u32 %r4, [%rd1];\n{body}"));
        let error =
            run(&text, &ONE_BLOCK, &words, &[vec![0; 4]]).expect_err("a thread is in no mask of its own");
        error.to_string()
    };
    let outside = fault("shfl.sync.idx.b32 %r9, %r4, 0, 31, 15;");
    assert!(
        outside.contains("not in its own mask 0x0000000f") && outside.contains("thread (4, 0, 0)"),
        "{outside}"
    );
    let other =
        fault("setp.lt.u32 %p1, %r1, 8; selp.b32 %r5, 4294967295, 4294967040, %p1; bar.warp.sync %r5;");
    assert!(other.contains("is in the mask 0xffffffff of other threads"), "{other}");
}
