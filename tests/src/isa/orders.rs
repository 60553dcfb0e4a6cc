//! Orders of modifiers: for an instruction that the emulator supports, it accepts every order that ptxas
//! accepts.
//!
//! There are forms of each line of the emulator's tables, and random ones of each instruction that only
//! computes, in the order of the PTX ISA and in others. Parts of the name are moved, too: ptxas rejects that,
//! which shows where a name ends.

use std::collections::BTreeSet;
use std::path::Path;

use weft_emulator::program::fragment::forms::forms;
use weft_emulator::program::fragment::{MistakeKind, check, closed};

use super::all_forms::{Target, refused};
use super::forms::candidate;
use super::mutated::{OPEN, REGISTERS, TARGETS, has_open, parts, whole};
use super::unexecuted::names;
use crate::Failure;
use crate::random::Random;
use crate::tools::Tools;

/// The number of forms per line of the tables and per computing instruction, and of orders of each.
const N_FORMS: usize = 6;
const N_COMPUTED: usize = 40;
const N_ORDERS: usize = 4;

/// A supported instruction, and the same with its modifiers in other orders.
struct Orders {
    instruction: String,
    others: BTreeSet<String>,
}

impl Orders {
    fn of(random: &mut Random, instruction: String) -> Self {
        let (name, operands) = instruction.split_once(' ').unwrap_or((&instruction, ";"));
        let words: Vec<&str> = name.split('.').collect();
        let mut others = BTreeSet::new();
        for _ in 0..N_ORDERS {
            let mut rest = words[1..].to_vec();
            for at in (1..rest.len()).rev() {
                rest.swap(at, random.below(at + 1));
            }
            others.insert(format!("{}.{} {operands}", words[0], rest.join(".")));
            // A random order of many modifiers rarely keeps the name.
            let mut swapped = words.clone();
            if words.len() > 2 {
                let at = 1 + random.below(words.len() - 2);
                swapped.swap(at, at + 1);
            }
            others.insert(format!("{} {operands}", swapped.join(".")));
        }
        others.remove(&instruction);
        Orders { instruction, others }
    }
}

fn instructions(seed: u64) -> Vec<Orders> {
    let mut random = Random::new(seed);
    let mut found: BTreeSet<String> = OPEN.iter().map(|text| parts(text).1.in_order()).collect();
    let lines = forms().chunk_by(|a, b| a.line == b.line).filter(|line| !line.iter().any(has_open));
    for line in lines {
        found
            .extend((0..N_FORMS).map(|idx| whole(&mut random, &line[idx * line.len() / N_FORMS]).in_order()));
    }
    for opcode in closed() {
        found.extend((0..N_COMPUTED).map(|_| candidate(&mut random, opcode)));
    }
    found.into_iter().map(|instruction| Orders::of(&mut random, instruction)).collect()
}

/// Compares the emulator with ptxas, for each GPU; returns the number of other orders that both accept.
///
/// # Errors
///
/// Lists the orders that only ptxas accepts, of supported instructions.
pub fn compare(tools: &Tools, seed: u64, work: &Path) -> Result<usize, Failure> {
    let all = instructions(seed);
    let (mut n_taken, mut wrong) = (0, BTreeSet::new());
    for target in TARGETS {
        let is_run = |instruction: &str| names(target).ours(instruction, target).is_none();
        let run: Vec<&Orders> = all.iter().filter(|orders| is_run(&orders.instruction)).collect();
        let others: Vec<&str> = run.iter().flat_map(|orders| &orders.others).map(String::as_str).collect();
        let refused =
            refused(tools, target, names(target), &others, |text| ours(text, target).is_some(), work)?;
        for text in others.into_iter().filter(|text| !refused.contains(text)) {
            match ours(text, target) {
                None => n_taken += 1,
                Some(why) => drop(wrong.insert(format!("{text} ({}: {why})", target.0))),
            }
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    if wrong.is_empty() { Ok(n_taken) } else { Err(format!("ptxas takes\n{}", wrong.join("\n"))) }
}

/// Why the emulator rejects an instruction, in a module or in the text of an `asm` statement.
fn ours(text: &str, target: Target<'_>) -> Option<String> {
    let of_module = names(target).ours(text, target);
    of_module.or_else(|| {
        let checked = check(&format!("{REGISTERS} {text}"), 64);
        // The variables belong to the module.
        let mut mistakes =
            checked.mistakes.into_iter().filter(|mistake| !matches!(mistake.kind, MistakeKind::Name(_)));
        mistakes.next().map(|mistake| mistake.message)
    })
}
