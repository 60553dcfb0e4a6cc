//! The form that an instruction is; or what is wrong with it, compared with the nearest.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::operands::{Misfit, Operands};
use super::{Form, Labels, Slot, forms_of};
use crate::program::fragment::opcodes;
use crate::program::operand::InstructionDecoder;
use crate::ptx::syntax::{Instruction, Type};

/// What is wrong with an instruction.
pub(in crate::program::fragment) struct Complaint {
    pub(in crate::program::fragment) at: At,
    pub(in crate::program::fragment) message: String,
    /// What may stand there, where a word is unknown.
    pub(in crate::program::fragment) words: Vec<&'static str>,
}

/// What part of an instruction is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::program::fragment) enum At {
    /// The modifier of that index.
    Word(usize),
    /// The opcode and its modifiers.
    Name,
    /// The operand of that index.
    Operand(usize),
}

/// Modifiers that ptxas accepts and ignores on any instruction for which they have no meaning.
const IGNORED: &[&str] = &[
    "finite",
    "infinite",
    "number",
    "notanumber",
    "normal",
    "subnormal",
    "u8x4",
    "s8x4",
    "box_dim",
    "element_stride",
    "elemtype",
    "fill_mode",
    "global_address",
    "global_dim",
    "global_stride",
    "interleave_layout",
    "rank",
    "swizzle_atomicity",
    "swizzle_mode",
    "acc::f16",
    "acc::f32",
    "b4x16_p64",
    "b6x16_p32",
    "b8x16",
    "b2",
];

/// The same for some instructions, given by the prefixes of their names.
const IGNORED_WITH: &[(&[&str], &[&str])] = &[
    (
        &["atom", "red", "multimem", "ldmatrix", "wgmma", "cp.reduce"],
        &["pred", "texref", "samplerref", "surfref"],
    ),
    (
        &["cp.async.bulk.wait_group", "tcgen05.commit"],
        &["sync_restrict::shared::cta", "sync_restrict::shared::cluster"],
    ),
    (&["fence"], &["async"]),
    (&["ldmatrix", "stmatrix", "movmatrix", "wgmma", "tcgen05"], &["row", "col"]),
    (&["movmatrix", "mma"], &["b1", "s4", "u4", "bf16", "bf16x2", "tf32"]),
    (&["wmma"], &["v2", "v4", "v8"]),
    (&["cp.async.bulk", "cp.reduce.async.bulk"], &["cta", "cluster", "gpu", "sys"]),
    (&["cp.async.bulk"], &["inc", "dec", "exch", "b128"]),
    (&["bar", "barrier"], &["all", "any"]),
    (&["st.async"], &["cluster"]),
    (&["tex"], &["uni"]),
];

/// Words that ptxas takes twice.
const TWICE: &[&str] = &["sync", "uni", "sat", "satfinite", "NaN"];

/// The modifiers in the orders of the PTX ISA, one for each form that they are, in whatever order they are written.
pub(in crate::program) fn isa_orders<'t>(opcode: &str, modifiers: &[&'t str]) -> Vec<SmallVec<[&'t str; 4]>> {
    let mut orders: Vec<SmallVec<[&str; 4]>> = Vec::new();
    for form in forms_of(opcode) {
        let Some(words) = without_name(form, modifiers) else { continue };
        let fit = Fit::of(form, &words);
        if fit.n_flaws() > 0 || fit.slots.contains(&None) {
            continue;
        }
        let mut placed: SmallVec<[(u32, Option<usize>, &str); 4]> =
            words.iter().zip(&fit.slots).map(|(&word, &slot)| (rank(&form.name, word), slot, word)).collect();
        placed.sort_by_key(|&(rank, slot, _)| (rank, slot));
        let name = form.name[1..].iter().copied();
        let order = name.chain(placed.into_iter().map(|(.., word)| word)).collect();
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders
}

/// Words of names that ptxas takes at any place; all others of a name come first.
const FREE: &[&str] = &["sync", "noComplete", "mbarrier_init", "async::generic", "tensormap::generic"];

/// The modifiers of an instruction that has the name of a form, without those of the name.
fn without_name<'t>(form: &Form, modifiers: &[&'t str]) -> Option<Vec<&'t str>> {
    let mut rest = modifiers.to_vec();
    for word in &form.name[1..] {
        let at = rest.iter().position(|other| other == word)?;
        if at > 0 && !FREE.contains(word) {
            return None;
        }
        rest.remove(at);
    }
    Some(rest)
}

/// Where a word stands in the PTX ISA, for the forms whose slots have another order: there, types, shapes and what belongs to them go
/// together.
fn rank(name: &[&str], word: &str) -> u32 {
    let is_shape = word.starts_with('m') && word.contains('n') && word.contains('k');
    match (name, word) {
        (["mma", ..], "sync" | "aligned") => 0,
        (["mma", ..], _) if is_shape => 1,
        (["mma", ..], "row" | "col") => 2,
        (["mma", ..], "rn" | "rz" | "rm" | "rp" | "satfinite") => 3,
        (["mma", ..], "xor" | "and" | "popc") => 5,
        (["mma", ..], _) => 4,
        (["wmma", ..], "sync" | "aligned" | "row" | "col") => 0,
        (["wmma", ..], _) if is_shape => 1,
        (["wmma", ..], "global" | "shared" | "shared::cta") => 2,
        (["wmma", ..], _) => 3,
        (["ldmatrix" | "stmatrix"], "sync" | "aligned") => 0,
        (["ldmatrix" | "stmatrix"], _) if word.starts_with('m') => 1,
        (["ldmatrix" | "stmatrix"], _) if word.starts_with('x') => 2,
        (["ldmatrix" | "stmatrix"], _) => 3,
        (["sured", "b"], "add" | "min" | "max" | "and" | "or") => 0,
        (["sured", "b"], "1d" | "2d" | "3d") => 1,
        (["cp", "async"], "ca" | "cg") => 0,
        (["tensormap", "replace"], "tile") => 0,
        (["tensormap", "replace"], "global" | "shared::cta") => 2,
        (["tensormap", "replace"], "b1024" | "b32" | "b64") => 3,
        (["tensormap", "replace"], _) => 1,
        _ => 2,
    }
}

/// What is wrong with an instruction; none if it is one of the forms, or if there are no forms of its opcode here.
pub(in crate::program::fragment) fn complaint<'t>(
    instruction: &Instruction<'t>,
    names: &mut InstructionDecoder<'_, 't>,
    labels: &Labels<'t>,
    address_bits: u32,
) -> Option<Complaint> {
    let of_opcode = forms_of(instruction.opcode);
    let words = &instruction.modifiers[..];
    let longest = of_opcode.iter().map(|form| n_named(form, words)).max()?;
    let named: Vec<&Form> =
        of_opcode.iter().filter(|form| n_named(form, words) == longest).copied().collect();
    let whole: Vec<&Form> = named.iter().filter(|form| form.name.len() == longest + 1).copied().collect();
    let is_no_order = || isa_orders(instruction.opcode, words).is_empty();
    if whole.is_empty() && !is_no_order() {
        return None;
    }
    if whole.is_empty() {
        return Some(no_name(instruction, &named, longest));
    }
    let rest = &words[longest..];
    let fits: Vec<Fit<'_, '_, '_>> = whole.iter().map(|form| Fit::of(form, rest)).collect();
    let least = fits.iter().map(Fit::n_flaws).min()?;
    // It may have the name of another form, with its words apart.
    if least > 0 && !is_no_order() {
        return None;
    }
    if least > 0 {
        // What is not looked at may have taken the place of what is.
        let seen: Vec<&str> = rest.iter().copied().filter(|word| !fits[0].is_unseen(word)).collect();
        if seen.len() < rest.len() && whole.iter().any(|form| Fit::of(form, &seen).n_flaws() == 0) {
            return None;
        }
        let nearest = fits.iter().min_by_key(|fit| fit.distance())?;
        return Some(nearest.complaint(instruction, longest, &whole));
    }
    let mut misfits: Vec<Misfit> = Vec::new();
    for fit in fits.iter().filter(|fit| fit.n_flaws() == 0) {
        let operands =
            Operands { operands: &instruction.operands, words: fit.placed(), labels, address_bits };
        misfits.push(operands.misfit(fit.form, names)?);
    }
    Some(Misfit::of_all(misfits, &name_of(instruction, longest), instruction.operands.len()))
}

impl Form {
    /// Whether its name is that one, or begins with it: `cp.async` names `cp.async.bulk` too.
    fn is_named(&self, name: &str) -> bool {
        let mut words = self.name.iter();
        name.split('.').all(|word| words.next() == Some(&word))
    }

    /// The version that has what the form cannot be without, where it is newer than the one of which all is known.
    fn newness(&self) -> (u32, u32) {
        let needed = self.slots.iter().filter(|slot| !slot.is_optional).map(|slot| slot.words[0]);
        let words: Vec<&str> = self.name[1..].iter().copied().chain(needed).collect();
        opcodes::version(self.name[0], &words).version.max(opcodes::VERSION)
    }
}

/// How many modifiers are the beginning of a form's name.
fn n_named(form: &Form, words: &[&str]) -> usize {
    form.name[1..].iter().zip(words).take_while(|(name, word)| name == word).count()
}

/// The name of an instruction as it is written.
fn name_of(instruction: &Instruction<'_>, n_named: usize) -> String {
    let words = instruction.modifiers[..n_named].iter().map(|word| format!(".{word}"));
    instruction.opcode.to_owned() + &words.collect::<String>()
}

/// No instruction has such a name.
fn no_name(instruction: &Instruction<'_>, named: &[&Form], n_named: usize) -> Complaint {
    let mut words: Vec<&'static str> = Vec::new();
    for form in named {
        let word = form.name[n_named + 1];
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let name = name_of(instruction, n_named);
    let (at, message) = match instruction.modifiers.get(n_named) {
        Some(word) => (
            At::Word(n_named),
            format!("unknown instruction `{name}.{word}`: expected {} after `{name}`", list(&words)),
        ),
        None => (At::Name, format!("expected {} after `{name}`", list(&words))),
    };
    Complaint { at, message, words }
}

/// A form beside the modifiers of an instruction.
struct Fit<'f, 'w, 't> {
    form: &'f Form,
    words: &'w [&'t str],
    /// The slot that each word stands in.
    slots: Vec<Option<usize>>,
    /// The slots that should not be empty.
    missing: Vec<usize>,
}

impl<'f, 'w, 't> Fit<'f, 'w, 't> {
    /// Words stand in any order, but for those of which an instruction has several of a kind.
    fn of(form: &'f Form, words: &'w [&'t str]) -> Self {
        let mut filled = vec![false; form.slots.len()];
        let mut slots: Vec<Option<usize>> = Vec::with_capacity(words.len());
        for word in words {
            let kind = Kind::of(word);
            let is_behind = |idx: usize| {
                kind == Kind::Other
                    || slots.iter().zip(words).all(|(slot, other)| {
                        Kind::of(other) != kind || slot.is_none_or(|slot: usize| slot <= idx)
                    })
            };
            let takes =
                |(idx, slot): &(usize, &Slot)| !filled[*idx] && slot.words.contains(word) && is_behind(*idx);
            let slot = form.slots.iter().enumerate().find(takes).map(|(idx, _)| idx);
            if let Some(idx) = slot {
                filled[idx] = true;
            }
            slots.push(slot);
        }
        let is_missing = |idx: &usize| match &form.slots[*idx] {
            slot if slot.is_with_last => *idx > 0 && filled[*idx] != filled[idx - 1],
            slot => !filled[*idx] && !slot.is_optional,
        };
        let missing = (0..form.slots.len()).filter(is_missing).collect();
        Fit { form, words, slots, missing }
    }

    fn unfit(&self) -> impl Iterator<Item = usize> {
        let is_before = move |idx: usize| {
            let word = &self.words[idx];
            self.words[..idx].contains(word) || self.form.name.contains(word)
        };
        // What is not looked at may not stand twice either, but for types.
        let is_let_pass = move |idx: usize| match self.words[idx] {
            word if is_before(idx) && Kind::of(word) != Kind::Type => TWICE.contains(&word),
            word => self.is_unseen(word),
        };
        (0..self.words.len()).filter(move |&idx| self.slots[idx].is_none() && !is_let_pass(idx))
    }

    fn is_unseen(&self, word: &str) -> bool {
        let has_meaning = || {
            let alike = forms_of(self.form.name[0]).iter().filter(|form| form.name == self.form.name);
            alike.flat_map(|form| &form.slots).any(|slot| slot.words.contains(&word))
        };
        let is_of = |name: &&str| self.form.is_named(name);
        let with = |(names, words): &(&[&str], &[&str])| words.contains(&word) && names.iter().any(is_of);
        IGNORED.contains(&word) && !has_meaning() || IGNORED_WITH.iter().any(with)
    }

    /// The words that stand in slots.
    fn placed(&self) -> Vec<&'t str> {
        (0..self.words.len()).filter(|&idx| self.slots[idx].is_some()).map(|idx| self.words[idx]).collect()
    }

    fn n_flaws(&self) -> usize {
        self.unfit().count() + self.missing.len()
    }

    /// The less, the nearer: of forms with as many flaws those that every version has, and then those to which the first words belong.
    fn distance(&self) -> (usize, (u32, u32), usize, Reverse<Option<usize>>) {
        (self.n_flaws(), self.form.newness(), self.unfit().count(), Reverse(self.unfit().next()))
    }

    fn complaint(&self, instruction: &Instruction<'_>, n_named: usize, forms: &[&Form]) -> Complaint {
        let name = name_of(instruction, n_named);
        let Some(idx) = self.unfit().next() else {
            let slot = self.missing[0];
            let placed = self.slots.iter().position(|&filled| filled == Some(slot));
            // The one before it is what is missing.
            let slot = if placed.is_some() { slot - 1 } else { slot };
            let message = format!("`{name}` needs {}", list(&self.form.slots[slot].words));
            return Complaint { at: At::Name, message, words: Vec::new() };
        };
        let word = self.words[idx];
        let is_known = forms.iter().flat_map(|form| &form.slots).any(|slot| slot.words.contains(&word));
        let in_the_way = (0..self.words.len())
            .find(|&other| self.slots[other].is_some_and(|slot| self.form.slots[slot].words.contains(&word)));
        let is_twice = in_the_way.is_some_and(|other| self.words[other] == word);
        let message = match in_the_way.map(|other| self.words[other]) {
            Some(_) if is_twice && !self.missing.is_empty() => {
                let missing = list(&self.form.slots[self.missing[0]].words);
                format!("duplicate modifier `.{word}`, and {missing} is missing")
            }
            Some(_) if is_twice => format!("duplicate modifier `.{word}`"),
            Some(other) => format!("`.{word}` cannot be combined with `.{other}`"),
            None if is_known => format!("`.{word}` cannot be combined with the other modifiers of `{name}`"),
            None => format!("`{name}` has no modifier `.{word}`"),
        };
        let words = match is_known {
            true => Vec::new(),
            false => forms.iter().flat_map(|form| &form.slots).flat_map(|slot| slot.words.clone()).collect(),
        };
        Complaint { at: At::Word(n_named + idx), message, words }
    }
}

/// Kinds of words of which an instruction may have several, and which have an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    Space,
    Layout,
    Other,
}

impl Kind {
    fn of(word: &str) -> Self {
        match word {
            "global" | "shared" | "shared::cta" | "shared::cluster" => Kind::Space,
            "row" | "col" => Kind::Layout,
            "b8x16" | "b4x16_p64" | "b6x16_p32" => Kind::Type,
            "tf32" | "e4m3" | "e5m2" | "e3m2" | "e2m3" | "e2m1" | "s4" | "u4" | "b1" => Kind::Type,
            _ if Type::named(word).is_some() => Kind::Type,
            _ => Kind::Other,
        }
    }
}

/// How many words a message has at most.
const MAX_WORDS: usize = 8;

/// `.a`, `.b` or `.c`; what they are, where there are many.
fn list(words: &[&str]) -> String {
    let are_types = words.iter().all(|word| Kind::of(word) == Kind::Type);
    match words {
        [] => "nothing".to_owned(),
        [word] => format!("`.{word}`"),
        _ if are_types && words.len() > MAX_WORDS => "a type".to_owned(),
        [words @ .., last] => {
            let shown = words.len().min(MAX_WORDS);
            let text: Vec<String> = words[..shown].iter().map(|word| format!("`.{word}`")).collect();
            let last = if shown < words.len() { "another one".to_owned() } else { format!("`.{last}`") };
            format!("{} or {last}", text.join(", "))
        }
    }
}
