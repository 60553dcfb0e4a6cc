//! Instructions that the emulator does not support: the forms in its tables that ptxas accepts and the
//! emulator cannot execute are exactly those that the page docs/reference/emulator.md names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use weft_emulator::program::fragment::forms::forms;

use super::all_forms::{Names, Target, refused};
use super::mutated::{OPEN, REGISTERS, TARGETS, VARIABLES, has_open, parts, whole};
use crate::Failure;
use crate::random::Random;
use crate::tools::{Tools, repository};

/// The path of the page, from the repository's root.
const PAGE: &str = "docs/reference/emulator.md";

/// The minimum and maximum number of forms per line of the tables.
const N_EACH: (usize, usize) = (16, 48);

/// Lines whose operands the forms do not specify, and instructions that only compute.
const OTHERS: &[&str] = &[
    "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1, %r2}], [%l2], {%h0};",
    "cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1, %r2}], [%l2], {%h0, %h1};",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1, %r2, %r3, %r4}], [%l2];",
    "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%l0, {%r0, %r1, %r2, %r3, %r4}], [%l1];",
    "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%l0, {%r0, %r1, %r2}], [%l1];",
    "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group [%l0, {%r0, %r1, %r2}], [%l1];",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::1 [%l0], [%l1, {%r0, %r1}], [%l2];",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [%l0], [%l1, {%r0, %r1}], [%l2];",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%l0], [%l1, {%r0, %r1}], [%l2], %h0;",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster::32b [%l0], [%l1, {%r0, %r1}], [%l2], %r2;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b [%l0], [%l1], 16, [%l2], %r0;",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%l0], [%l1], 16, %r0, %r1, [%l2];",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%l0], [%l1], 16, [%l2];",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%l0, {%r0, %r1}];",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%l0], [%l1], 16, [%l2];",
    "mbarrier.init.layout::v0.b64 [%l0], %r0;",
    "mbarrier.init.layout::v1.b64 [%l0], %r0;",
    "fma.rn.oob.f16 %h0, %h1, %h2, %h3;",
    "fma.rn.oob.relu.bf16x2 %r0, %r1, %r2, %r3;",
    "fma.rn.relu.bf16x2 %r0, %r1, %r2, %r3;",
    "cvt.rn.satfinite.s2f6x2.f32 %h0, %f1, %f2;",
    "cvt.rn.bf16x2.s2f6x2 %r0, %h1;",
    "addc.u16 %h0, %h1, %h2;",
    "subc.s16 %h0, %h1, %h2;",
    "madc.lo.u16 %h0, %h1, %h2, %h3;",
    "addc.cc.u32 %r0, %r1, %r2;",
    "add.sat.u8x4 %r0, %r1, %r2;",
    "min.relu.s8x4 %r0, %r1, %r2;",
    "add.sat.u32 %r0, %r1, %r2;",
];

/// A fixed seed, so that the page remains correct.
const SEED: u64 = 1;

/// Packed bytes are family-specific.
const FAMILY: Target<'_> = ("sm_120f", "9.5");

/// The emulator's messages for unsupported forms; errors have other messages.
const SAID: &[&str] =
    &["unknown instruction `", " is not executed: ", " not supported yet", "unknown modifier `"];

/// Whether ptxas accepts modifiers here that the PTX ISA lacks, and ignores them: kinds of products without
/// scales, and operations and sums of integers.
fn is_ignored(name: &str, words: &[String]) -> bool {
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    let has_kind = words.iter().any(|word| word.starts_with("kind::") && word != "kind::f8f6f4");
    let is_small = name.starts_with("wmma.") && has(&["m8n8k32", "m8n8k128"]) && has(&["f32"]);
    is_small
        || name == "mma" && (has_kind && !has(&["block_scale"]) || has(&["s4", "u4"]) && has(&["xor", "and"]))
}

/// Forms of all lines of the tables.
fn instances() -> BTreeSet<String> {
    let mut random = Random::new(SEED);
    let mut found: BTreeSet<String> = OTHERS.iter().map(|&text| text.to_owned()).collect();
    found.extend(OPEN.iter().map(|text| parts(text).1.text()));
    let lines = forms().chunk_by(|a, b| a.line == b.line).filter(|line| !line.iter().any(has_open));
    for line in lines {
        let n = (4 * line.len()).clamp(N_EACH.0, N_EACH.1);
        for idx in 0..n {
            let written = whole(&mut random, &line[idx * line.len() / n]);
            if !is_ignored(&written.name, &written.words) {
                found.insert(written.in_order());
            }
        }
    }
    found
}

/// The opcode with its modifiers.
fn words(text: &str) -> Vec<&str> {
    text.split([' ', ';']).next().unwrap_or_default().split('.').collect()
}

/// The unsupported instructions on the page: an opcode and modifiers in any order (`::…` for all with this
/// prefix), and `without` a modifier.
fn named(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

fn is_named(text: &str, name: &str) -> bool {
    let (name, unwanted) = name.split_once(" without .").unwrap_or((name, ""));
    let (words, mut wanted) = (words(text), name.split('.'));
    let is_opcode = wanted.next() == words.first().copied();
    let has = |wanted: &str| match wanted.strip_suffix('…') {
        Some(start) => words.iter().any(|word| word.starts_with(start)),
        None => words.contains(&wanted),
    };
    is_opcode && wanted.all(has) && !words.contains(&unwanted)
}

/// Whether the emulator does not support a form, on any target.
fn is_unexecuted(text: &str) -> bool {
    let why = |target| names(target).ours(text, target);
    let all: Option<Vec<String>> = TARGETS.into_iter().chain([FAMILY]).map(why).collect();
    all.is_some_and(|all| all.iter().any(|why| SAID.iter().any(|said| why.contains(said))))
}

pub(super) fn names(target: Target<'_>) -> Names<'static> {
    let old_registers = REGISTERS.split_once("; ").map_or(REGISTERS, |(_, others)| others);
    let registers = if target.1.starts_with('6') { old_registers } else { REGISTERS };
    Names { variables: VARIABLES, registers }
}

/// Compares the page with the emulator.
///
/// # Errors
///
/// Lists what ptxas accepts and neither the emulator runs nor the page names, and what the page names but the
/// emulator runs or ptxas rejects.
pub fn compare(tools: &Tools, work: &Path) -> Result<(), Failure> {
    let path = repository().join(PAGE);
    let page = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let named = named(&page);
    let all = instances();
    let (unexecuted, executed): (Vec<&str>, Vec<&str>) =
        all.iter().map(String::as_str).partition(|text| is_unexecuted(text));
    let mut wrong = Vec::new();
    for text in executed {
        wrong.extend(
            named.iter().filter(|name| is_named(text, name)).map(|name| format!("`{name}` is run: {text}")),
        );
    }
    let (mut taken, mut open) = (BTreeSet::new(), unexecuted);
    for target in TARGETS.into_iter().chain([FAMILY]) {
        let refused = refused(tools, target, names(target), &open, |_| false, work)?;
        taken.extend(open.iter().copied().filter(|text| !refused.contains(text)));
        open.retain(|text| refused.contains(text));
    }
    for text in &taken {
        if !named.iter().any(|name| is_named(text, name)) {
            wrong.push(format!("{PAGE} does not say that it is not run: {text}"));
        }
    }
    for name in named.iter().filter(|name| !taken.iter().any(|text| is_named(text, name))) {
        wrong.push(format!("`{name}` on {PAGE} is no form that ptxas takes and that is not run"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
