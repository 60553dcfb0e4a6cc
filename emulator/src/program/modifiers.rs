//! Orders of modifiers: ptxas takes most in any order, as long as the words of the name come first and those of a kind keep theirs.
//!
//! In: the opcode and the modifiers as written. Out: the orders of the PTX ISA that they may mean, which alone the decoders of the
//! instructions know. Instructions with forms have their order from those; of one that only computes, all orders are tried.

use smallvec::SmallVec;

use super::fragment::forms::isa_orders;
use super::fragment::opcodes::is_closed;
use crate::ptx::syntax::Type;

/// The modifiers, in an order.
type Order<'t> = SmallVec<[&'t str; 4]>;

/// The most modifiers whose orders are tried.
const MAX_PERMUTED: usize = 6;

/// The modifiers in the other orders that may be meant.
pub(super) fn other_orders<'t>(opcode: &str, modifiers: &[&'t str]) -> Vec<Order<'t>> {
    let mut orders = match is_closed(opcode) {
        true => permutations(opcode, modifiers),
        false => isa_orders(opcode, modifiers),
    };
    orders.retain(|order| order[..] != *modifiers);
    orders
}

/// The words of which one belongs to the name of an instruction, and comes first.
fn name_words(opcode: &str) -> &'static [&'static str] {
    match opcode {
        "cvt" => &["pack"],
        "mul" | "mad" | "mul24" | "mad24" | "madc" => &["lo", "hi", "wide"],
        "dp2a" => &["lo", "hi"],
        "shf" => &["l", "r"],
        _ => &[],
    }
}

/// All orders, as long as there are few. Types keep theirs, since it matters which comes first, and so does a word of the name.
fn permutations<'t>(opcode: &str, modifiers: &[&'t str]) -> Vec<Order<'t>> {
    let is_of_name = |word: &&str| name_words(opcode).contains(word);
    let n_named = usize::from(modifiers.first().is_some_and(is_of_name));
    let (name, words) = modifiers.split_at(n_named);
    if words.len() > MAX_PERMUTED || words.iter().any(is_of_name) {
        return Vec::new();
    }
    let is_type = |word: &str| Type::named(word).is_some() || word == "tf32" || word.ends_with(['2', '4']);
    let mut orders: Vec<Order<'t>> = vec![Order::new()];
    for &word in words {
        let longer = |order: &Order<'t>| {
            let last_type = order.iter().rposition(|other| is_type(other));
            let first = last_type.filter(|_| is_type(word)).map_or(0, |idx| idx + 1);
            let at = |idx: usize| {
                let mut longer = order.clone();
                longer.insert(idx, word);
                longer
            };
            (first..=order.len()).map(at).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders.into_iter().map(|order| name.iter().copied().chain(order).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(instruction: &str) -> Vec<String> {
        let words: Vec<&str> = instruction.split('.').collect();
        other_orders(words[0], &words[1..]).iter().map(|order| order.join(".")).collect()
    }

    #[test]
    fn forms_say_the_order() {
        assert_eq!(orders("match.b32.sync.any"), ["any.sync.b32"]);
        assert_eq!(
            orders("ldmatrix.b16.x4.aligned.trans.sync.shared.m8n8"),
            ["sync.aligned.m8n8.x4.trans.shared.b16"]
        );
        assert_eq!(
            orders("mma.f32.sync.row.f16.col.f16.m16n8k16.f32.aligned"),
            ["sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"]
        );
        assert!(orders("match.any.sync.b32").is_empty());
        assert_eq!(
            orders("mbarrier.arrive.cta.b64.noComplete.release"),
            ["arrive.noComplete.release.cta.b64"]
        );
    }

    #[test]
    fn names_and_kinds_keep_theirs() {
        assert!(orders("mbarrier.b64.init").is_empty());
        assert!(orders("cvt.sat.pack.u16.s32").is_empty());
        assert!(orders("mul.u32.lo").is_empty() && orders("shf.wrap.l.b32").is_empty());
        assert!(orders("cvt.pack.u16.sat.s32").contains(&"pack.sat.u16.s32".to_owned()));
        assert!(!orders("cvt.f32.rn.s32").iter().any(|order| order.find("s32") < order.find("f32")));
    }
}
