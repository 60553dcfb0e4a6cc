//! Functions with several atomic operations, and plain accesses between them: named litmus tests, and random
//! ones. An optimization that hoists, merges or drops an operation shows in the order of the instructions.

use std::fmt::Write as _;

use super::cell::{Cell, Op, Order, Scope, Space, int_cells};
use super::mapping::lengths;
use crate::random::Random;

/// An item of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A plain load of a variable that nothing else in the function uses.
    Load,
    /// A plain store to such a variable.
    Store,
    /// An atomic operation on the variable with this index; whether its result is used.
    Atomic(Cell, usize, bool),
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Its name in messages.
    pub name: String,
    /// In order.
    pub items: Vec<Item>,
}

/// The threads of the classic litmus tests, with each pair of orders for their loads and stores, in each
/// scope.
pub fn litmus() -> Vec<Sequence> {
    let mut all = Vec::new();
    for scope in [Scope::Block, Scope::Cluster, Scope::Device, Scope::System] {
        for store in [Order::Relaxed, Order::Release, Order::SeqCst] {
            for load in [Order::Relaxed, Order::Acquire, Order::SeqCst] {
                let cell = |op, order| Cell { op, order, scope, ty: None, space: Space::Global }.of_int();
                let set = |at| Item::Atomic(cell(Op::Store, store), at, true);
                let get = |at| Item::Atomic(cell(Op::Load, load), at, true);
                let threads = [
                    ("message passing, who sends", vec![Item::Store, set(0)]),
                    ("message passing, who receives", vec![get(0), Item::Load]),
                    ("message passing by atomics, who sends", vec![set(0), set(1)]),
                    ("message passing by atomics, who receives", vec![get(1), get(0)]),
                    ("store buffering", vec![set(0), get(1)]),
                    ("load buffering", vec![get(0), set(1)]),
                    ("2+2W", vec![set(0), set(1), Item::Load]),
                    ("IRIW, who reads", vec![get(0), get(1)]),
                    ("read twice", vec![get(0), get(0)]),
                    ("written twice", vec![set(0), set(0)]),
                ];
                for (name, items) in threads {
                    all.push(Sequence { name: format!("{name}, {store:?}, {load:?}, {scope:?}"), items });
                }
            }
        }
    }
    all
}

/// Random functions: atomic operations, some duplicated or with unused results, with plain accesses between
/// them.
pub fn random(seed: u64, n: usize) -> Vec<Sequence> {
    let mut random = Random::new(seed);
    let cells = int_cells();
    let one = |random: &mut Random| {
        let mut items = Vec::new();
        for _ in 0..2 + random.below(6) {
            if random.below(3) > 0 {
                items.push(if random.below(2) == 0 { Item::Load } else { Item::Store });
            }
            let cell = cells[random.below(cells.len())];
            let item = Item::Atomic(cell, random.below(3), random.below(3) > 0);
            items.push(item);
            if random.below(4) == 0 {
                items.push(item);
            }
        }
        items
    };
    (0..n).map(|idx| Sequence { name: format!("random {seed}-{idx}"), items: one(&mut random) }).collect()
}

/// A file with a kernel for each: `f0`, `f1`.
pub fn source(sequences: &[Sequence]) -> String {
    let mut text = String::new();
    for (idx, sequence) in sequences.iter().enumerate() {
        let mut variables = format!("__device__ int y{idx}_0, y{idx}_1, y{idx}_2, out{idx};\n");
        let mut body = String::from("int r = v, sum = 0; bool done = true; ");
        for (at, item) in sequence.items.iter().enumerate() {
            // Writing to a `String` cannot fail.
            let _ = match item {
                Item::Load => {
                    let _ = writeln!(variables, "__device__ int x{idx}_{at};");
                    write!(body, "sum += x{idx}_{at}; ")
                }
                Item::Store => {
                    let _ = writeln!(variables, "__device__ int x{idx}_{at};");
                    write!(body, "x{idx}_{at} = v + {at}; ")
                }
                Item::Atomic(cell, at, is_used) => {
                    let used = if *is_used { "sum += r + done; " } else { "" };
                    write!(body, "{{ int *p = &y{idx}_{at}; {} {used}}} ", cell.call())
                }
            };
        }
        let _ = writeln!(
            text,
            "{variables}extern \"C\" __global__ void f{idx}(int v) {{ {body}if (sum == v + 77) __trap(); }}"
        );
    }
    text
}

/// Whether the instructions are those of the items, in order: a mapping of the guide for each atomic
/// operation, and a plain access for each other item.
pub fn is_kept(items: &[Item], opcodes: &[String]) -> bool {
    let Some((first, rest)) = items.split_first() else { return opcodes.is_empty() };
    let is_plain = |name: &str| {
        opcodes.first().is_some_and(|opcode| opcode.starts_with(&format!("{name}.global.")))
            && is_kept(rest, &opcodes[1..])
    };
    match first {
        Item::Load => is_plain("ld"),
        Item::Store => is_plain("st"),
        Item::Atomic(cell, ..) => lengths(cell, opcodes).into_iter().any(|n| is_kept(rest, &opcodes[n..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_hoisted_merged_and_dropped_operations() {
        let all = litmus();
        let named = |name: &str| {
            let found = all.iter().find(|sequence| sequence.name == name);
            found.map_or_else(|| panic!("there is no `{name}`"), |found| found.items.clone())
        };
        let kept = |items: &[Item], opcodes: &[&str]| {
            let opcodes: Vec<String> = opcodes.iter().map(|&opcode| opcode.to_owned()).collect();
            is_kept(items, &opcodes)
        };
        let sends = named("message passing, who sends, Release, Acquire, Device");
        assert!(kept(&sends, &["st.global.b32", "st.release.gpu.global.b32"]));
        assert!(!kept(&sends, &["st.release.gpu.global.b32", "st.global.b32"]), "hoisted");
        assert!(!kept(&sends, &["st.release.gpu.global.b32"]), "dropped");
        assert!(!kept(&sends, &["st.global.b32", "st.relaxed.gpu.global.b32"]), "weakened");
        let twice = named("read twice, Release, SeqCst, Device");
        let one = ["fence.sc.gpu", "ld.acquire.gpu.global.b32"];
        assert!(kept(&twice, &[one, one].concat()));
        assert!(!kept(&twice, &one), "merged");
        assert!(!kept(&twice, &["fence.sc.gpu", one[1], one[1]]), "a fence merged");
    }
}
