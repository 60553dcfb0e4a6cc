//! The guide's mappings (PTX interoperability guide, chapter 4), and which of them a function's instructions
//! are.

use std::collections::BTreeMap;

use super::cell::{Cell, Kind, Op, Order, Scope, Space};

/// The classification of a function's instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// The recommended mapping, or the only one.
    Recommended,
    /// An alternative mapping.
    Alternative,
    /// Not a mapping, and why.
    Other(String),
}

/// An instruction of the memory model.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    /// `ld`, `st`, `atom`, `red`, `fence`
    name: String,
    /// `acquire`
    order: String,
    /// `gpu`
    scope: String,
    /// `.shared`, or empty.
    space: String,
    /// `add`, or empty.
    op: String,
    /// `u32`, or empty.
    ty: String,
}

/// The instructions of each function that order memory or access it atomically, as written.
pub fn functions(ptx: &str) -> BTreeMap<String, Vec<String>> {
    instructions(ptx, |opcode| step(opcode).is_some())
}

/// The same, including plain accesses to global memory.
pub fn accesses(ptx: &str) -> BTreeMap<String, Vec<String>> {
    instructions(ptx, |opcode| {
        step(opcode).is_some() || ["ld.global.", "st.global."].iter().any(|plain| opcode.starts_with(plain))
    })
}

fn instructions(ptx: &str, counts: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<String>> {
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in ptx.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.contains(".func") || line.contains(".entry") {
            let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$');
            let is_ours = |word: &&str| {
                word.strip_prefix('f').is_some_and(|rest| !rest.is_empty() && rest.parse::<usize>().is_ok())
            };
            current = words.find(is_ours).map(str::to_owned);
            if let Some(name) = &current {
                functions.entry(name.clone()).or_default();
            }
        } else if let Some(name) = &current {
            for statement in line.split(['{', '}', ';']) {
                let opcode = statement.split_whitespace().next().unwrap_or("");
                if counts(opcode) {
                    functions.entry(name.clone()).or_default().push(opcode.to_owned());
                }
            }
        }
    }
    functions
}

/// The instruction, if it belongs to the memory model: not a plain access, or anything else.
fn step(opcode: &str) -> Option<Step> {
    let mut parts = opcode.split('.');
    let name = parts.next()?;
    let mut step = Step {
        name: name.to_owned(),
        order: String::new(),
        scope: String::new(),
        space: String::new(),
        op: String::new(),
        ty: String::new(),
    };
    match name {
        "membar" => {
            let scope = match parts.next()? {
                "gl" => "gpu",
                scope => scope,
            };
            return Some(Step { name: "fence".into(), order: "sc".into(), scope: scope.into(), ..step });
        }
        "ld" | "st" | "atom" | "red" | "fence" => {}
        _ => return None,
    }
    for part in parts {
        let field = match part {
            "relaxed" | "acquire" | "release" | "acq_rel" | "sc" | "volatile" => &mut step.order,
            "cta" | "cluster" | "gpu" | "sys" => &mut step.scope,
            "global" | "shared" | "shared::cta" | "shared::cluster" => &mut step.space,
            "add" | "exch" | "cas" | "min" | "max" | "and" | "or" | "xor" | "inc" | "dec" => &mut step.op,
            _ if part.starts_with(['b', 'u', 's', 'f']) && part[1..].parse::<u32>().is_ok() => &mut step.ty,
            _ => continue,
        };
        *field = part.to_owned();
    }
    match name {
        // By default both are relaxed, with GPU scope (PTX ISA "atom").
        "atom" | "red" => {
            if step.order.is_empty() {
                step.order = "relaxed".into();
            }
            if step.scope.is_empty() {
                step.scope = "gpu".into();
            }
        }
        _ if step.order.is_empty() => return None,
        _ => {}
    }
    Some(step)
}

/// A part of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A fence of this order.
    Fence(&'static str),
    /// The access with this order.
    Access(&'static str),
}

/// The mappings of a row, the recommended one first (PTX interoperability guide, tables of chapter 4).
fn rows(op: Op, order: Order) -> &'static [&'static [Part]] {
    use Part::{Access, Fence};
    let is_rmw = matches!(op, Op::Exchange | Op::Compare { .. } | Op::Fetch(_));
    match (op, order) {
        (Op::Fence, Order::SeqCst) => &[&[Fence("sc")]],
        (Op::Fence, Order::AcqRel) => &[&[Fence("acq_rel")]],
        (Op::Fence, Order::Acquire) => &[&[Fence("acquire")]],
        (Op::Fence, Order::Release) => &[&[Fence("release")]],
        (Op::Store, Order::SeqCst) => &[&[Fence("sc"), Access("relaxed")]],
        (Op::Store, Order::Release) => &[&[Access("release")], &[Fence("release"), Access("relaxed")]],
        (Op::Load, Order::SeqCst) => {
            &[&[Fence("sc"), Access("acquire")], &[Fence("sc"), Access("relaxed"), Fence("acquire")]]
        }
        (Op::Load, Order::Acquire) => &[&[Access("acquire")], &[Access("relaxed"), Fence("acquire")]],
        (_, Order::Relaxed) => &[&[Access("relaxed")]],
        (_, Order::SeqCst) if is_rmw => {
            &[&[Fence("sc"), Access("acquire")], &[Fence("sc"), Access("relaxed"), Fence("acquire")]]
        }
        (_, Order::Acquire) if is_rmw => &[&[Access("acquire")], &[Access("relaxed"), Fence("acquire")]],
        (_, Order::Release) if is_rmw => &[&[Access("release")], &[Fence("release"), Access("relaxed")]],
        (_, Order::AcqRel) if is_rmw => &[
            &[Access("acq_rel")],
            &[Fence("release"), Access("acquire")],
            &[Fence("release"), Access("relaxed"), Fence("acquire")],
        ],
        _ => &[],
    }
}

/// Classifies a cell's instructions; with `knows_space`, they must specify the state space that the source
/// shows.
pub fn mapping(cell: &Cell, opcodes: &[String], knows_space: bool) -> Mapping {
    let steps: Vec<Step> = opcodes.iter().filter_map(|opcode| step(opcode)).collect();
    for (idx, parts) in rows(cell.op, cell.guide_order()).iter().enumerate() {
        if fits(cell, parts, &steps, knows_space) {
            return if idx == 0 { Mapping::Recommended } else { Mapping::Alternative };
        }
    }
    let found = if opcodes.is_empty() { "nothing".to_owned() } else { opcodes.join("; ") };
    Mapping::Other(found)
}

/// The lengths of the prefixes of the instructions that are mappings of the cell.
pub(super) fn lengths(cell: &Cell, opcodes: &[String]) -> Vec<usize> {
    // A plain access ends it.
    let steps: Vec<Step> = opcodes.iter().map_while(|opcode| step(opcode)).collect();
    let rows = rows(cell.op, cell.guide_order());
    let fits = |n: &usize| rows.iter().any(|parts| fits(cell, parts, &steps[..*n], false));
    (1..=steps.len().min(MOST_STEPS)).filter(fits).collect()
}

/// The maximum length of a mapping.
const MOST_STEPS: usize = 4;

fn fits(cell: &Cell, parts: &[Part], steps: &[Step], knows_space: bool) -> bool {
    let mut left = steps;
    for &part in parts {
        let n = match part {
            Part::Fence(order) => usize::from(left.first().is_some_and(|step| is_fence(cell, order, step))),
            Part::Access(order) => accessed(cell, order, left, knows_space),
        };
        if n == 0 {
            return false;
        }
        left = &left[n..];
    }
    left.is_empty()
}

/// A fence in both directions includes one in each: before version 8.6, PTX only had the former (PTX ISA
/// "membar/fence").
fn is_fence(cell: &Cell, order: &str, step: &Step) -> bool {
    let is_order = step.order == order || step.order == "acq_rel" && matches!(order, "acquire" | "release");
    step.name == "fence" && is_order && step.scope == scope(cell.scope)
}

/// The length of the access at the start: one, or that of a compare-and-swap loop; zero if there is none.
fn accessed(cell: &Cell, order: &str, steps: &[Step], knows_space: bool) -> usize {
    let Some(ty) = cell.ty else { return 0 };
    let is_there = |step: &Step| {
        let known = match cell.space {
            Space::Generic => "",
            Space::Global => "global",
            Space::Shared => "shared",
            // In C it has a generic address.
            Space::ClusterShared => "",
        };
        step.scope == scope(cell.scope)
            && step.order == order
            && match step.space.as_str() {
                "" => !knows_space || known.is_empty(),
                "shared::cta" => known == "shared",
                "shared::cluster" => cell.space == Space::ClusterShared,
                space => space == known,
            }
    };
    let has_width = |step: &Step, n_bits: u32| step.ty.get(1..) == Some(&n_bits.to_string());
    let is_one = |name: &str, op: &str, letters: &str, step: &Step| {
        let is_letter = step.ty.chars().next().is_some_and(|letter| letters.contains(letter));
        step.name == name && step.op == op && is_letter && has_width(step, ty.n_bits) && is_there(step)
    };
    let number = match ty.kind {
        Kind::Signed => "s",
        Kind::Unsigned => "u",
        Kind::Float => "f",
        Kind::Object => "b",
    };
    let is_first = steps.first().is_some_and(|step| match cell.op {
        Op::Load => is_one("ld", "", "bsuf", step),
        Op::Store => is_one("st", "", "bsuf", step),
        Op::Exchange => is_one("atom", "exch", "b", step),
        Op::Compare { .. } => is_one("atom", "cas", "b", step),
        // A sum is the same for signed numbers, and a difference is a sum.
        Op::Fetch("add" | "sub") if ty.kind != Kind::Float => is_one("atom", "add", "us", step),
        Op::Fetch("add" | "sub") => is_one("atom", "add", "f", step),
        Op::Fetch(op @ ("and" | "or" | "xor")) => {
            // For a narrow object, the containing word.
            let is_of_word = ty.n_bits < 32
                && step.name == "atom"
                && step.op == op
                && has_width(step, 32)
                && is_there(step);
            is_one("atom", op, "b", step) || is_of_word
        }
        Op::Fetch(op) => is_one("atom", op, number, step),
        Op::Fence => false,
    });
    if is_first {
        return 1;
    }
    // The first read is only a guess, with any order; a plain one is not among the steps.
    let is_modified = matches!(cell.op, Op::Exchange | Op::Compare { .. } | Op::Fetch(_));
    let is_exchange = |step: &Step| {
        let is_wide_enough = has_width(step, ty.n_bits) || ty.n_bits < 32 && has_width(step, 32);
        step.name == "atom" && step.op == "cas" && is_wide_enough && is_there(step)
    };
    let n_reads = usize::from(steps.first().is_some_and(|step| step.name == "ld" && is_there(step)));
    if is_modified && order == "relaxed" && steps.get(n_reads).is_some_and(is_exchange) {
        return n_reads + 1;
    }
    0
}

/// The PTX name.
fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread | Scope::Block => "cta",
        Scope::Cluster => "cluster",
        Scope::Device => "gpu",
        Scope::System => "sys",
    }
}

/// Whether instructions that are not a mapping of the guide are at least as strong: with a wider scope, or
/// with a releasing store after a sufficient fence.
pub fn is_stronger(cell: &Cell, opcodes: &[String]) -> bool {
    let is_sc_store = cell.op == Op::Store && cell.order == Order::SeqCst;
    let asked: Vec<String> = opcodes
        .iter()
        .map(|one| if is_sc_store { one.replace("st.release", "st.relaxed") } else { one.clone() })
        .collect();
    let scopes = [Scope::Block, Scope::Cluster, Scope::Device, Scope::System];
    scopes
        .into_iter()
        .filter(|&scope| scope >= cell.scope)
        .any(|scope| !matches!(mapping(&Cell { scope, ..*cell }, &asked, false), Mapping::Other(_)))
}

/// The same instructions with one error each: one omitted, one duplicated, two swapped, or one with another
/// order, scope or operation.
pub fn weakened(opcodes: &[String]) -> Vec<Vec<String>> {
    let mut wrong = Vec::new();
    for idx in 0..opcodes.len() {
        let mut without = opcodes.to_vec();
        without.remove(idx);
        wrong.push(without);
        let mut swapped = opcodes.to_vec();
        swapped.swap(idx, (idx + 1) % opcodes.len());
        if swapped != opcodes {
            wrong.push(swapped);
        }
        let pairs = [
            (".acquire", ".relaxed"),
            (".release", ".relaxed"),
            (".acq_rel", ".acquire"),
            (".acq_rel", ".release"),
            (".sc", ".acq_rel"),
            (".relaxed", ".volatile"),
            (".cta", ".gpu"),
            (".cluster", ".cta"),
            (".gpu", ".cta"),
            (".sys", ".gpu"),
            (".add", ".and"),
            (".min", ".max"),
            (".max", ".min"),
            (".exch", ".or"),
            (".cas", ".exch"),
        ];
        for (from, to) in pairs {
            if opcodes[idx].contains(from) {
                let mut other = opcodes.to_vec();
                other[idx] = other[idx].replace(from, to);
                wrong.push(other);
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::super::cell::cells;
    use super::*;

    fn cell(text: &str) -> Cell {
        let found = cells(100).into_iter().find(|cell| cell.to_string() == text);
        found.unwrap_or_else(|| panic!("there is no cell `{text}`"))
    }

    fn of(text: &str, opcodes: &[&str]) -> Mapping {
        let opcodes: Vec<String> = opcodes.iter().map(|&opcode| opcode.to_owned()).collect();
        mapping(&cell(text), &opcodes, false)
    }

    #[test]
    fn distinguishes_the_guides_mappings() {
        let add = "fetch_add seq_cst device int Generic";
        assert_eq!(of(add, &["fence.sc.gpu", "atom.add.acquire.gpu.s32"]), Mapping::Recommended);
        let by_fences = ["fence.sc.gpu", "atom.relaxed.gpu.add.u32", "fence.acquire.gpu"];
        assert_eq!(of(add, &by_fences), Mapping::Alternative);
        for wrong in [
            &["atom.add.u32"][..],
            &["fence.sc.sys", "atom.acquire.gpu.add.u32"],
            &["fence.sc.gpu", "atom.acquire.cta.add.u32"],
            &["atom.acquire.gpu.add.u32", "fence.sc.gpu"],
            &["fence.sc.gpu", "atom.acquire.gpu.add.u64"],
            &["fence.sc.gpu", "atom.acquire.gpu.add.f32"],
            &["fence.sc.gpu", "atom.acquire.gpu.shared.add.u32"],
            &["fence.sc.gpu", "atom.relaxed.gpu.add.u32"],
        ] {
            assert!(matches!(of(add, wrong), Mapping::Other(_)), "{wrong:?}");
        }
    }

    #[test]
    fn a_bare_atom_is_relaxed_for_the_gpu() {
        assert_eq!(of("exchange relaxed device unsigned Generic", &["atom.exch.b32"]), Mapping::Recommended);
        let other = of("exchange relaxed system unsigned Generic", &["atom.exch.b32"]);
        assert!(matches!(other, Mapping::Other(_)));
    }

    #[test]
    fn loops_of_comparisons_are_relaxed_between_fences() {
        let text = "fetch_add acq_rel system short Generic";
        let looped =
            ["fence.release.sys", "ld.relaxed.sys.b32", "atom.relaxed.sys.cas.b32", "fence.acquire.sys"];
        assert_eq!(of(text, &looped), Mapping::Alternative);
        assert!(matches!(of(text, &looped[1..]), Mapping::Other(_)));
        assert!(matches!(of("load relaxed system short Generic", &looped[1..3]), Mapping::Other(_)));
    }

    #[test]
    fn a_wider_scope_is_stronger() {
        let stronger = |text, opcodes: &[&str]| {
            let opcodes: Vec<String> = opcodes.iter().map(|&opcode| opcode.to_owned()).collect();
            is_stronger(&cell(text), &opcodes)
        };
        let load = "load acquire device int Generic";
        assert!(stronger(load, &["ld.acquire.sys.b32"]));
        assert!(!stronger(load, &["ld.acquire.cta.b32"]) && !stronger(load, &["ld.relaxed.sys.b32"]));
        let store = "store seq_cst device int Generic";
        assert!(stronger(store, &["fence.sc.gpu", "st.release.gpu.b32"]));
        assert!(!stronger(store, &["fence.acq_rel.gpu", "st.release.gpu.b32"]));
    }

    #[test]
    fn functions_and_kernels_are_found() {
        let ptx = ".visible .func f0(\n)\n{\nld.relaxed.gpu.b32 %r1, [%rd1];\nld.global.b32 %r2, [%rd1];\n}\n\
                   .visible .entry f12(\n)\n{\n{ fence.sc.cta; }\nmembar.gl;\n}\n.func other()\n{\nfence.sc.cta;\n}\n";
        let found = functions(ptx);
        assert_eq!(found["f0"], ["ld.relaxed.gpu.b32"]);
        assert_eq!(found["f12"], ["fence.sc.cta", "membar.gl"]);
        assert_eq!(found.len(), 2);
    }
}
