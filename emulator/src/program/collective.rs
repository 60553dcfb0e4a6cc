//! What the threads of a warp do together (PTX ISA "shfl.sync", "vote.sync", "match.sync", "redux.sync",
//! "activemask", "elect.sync", "bar.warp.sync"; "shfl" and "vote", which are deprecated).

use smallvec::{SmallVec, smallvec};

use super::code::{Op, Reduce, ReduceFloat, Shuffle, Source, Vote, WarpCollective};
use super::operand::{Decoded, InstructionDecoder};
use crate::ptx::syntax::{Instruction, Operand, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// None of other instructions.
    ///
    /// A predicate that stands negated has been computed before: `negated`.
    pub(super) fn together(
        &mut self,
        instruction: &Instruction<'t>,
        negated: Option<Source>,
    ) -> Decoded<Option<Op>> {
        let Some((operation, result_types, operand_types)) =
            known(instruction.opcode, &instruction.modifiers)
        else {
            return Ok(None);
        };
        let mut operands = &instruction.operands[..];
        let mut results = SmallVec::new();
        if let ([first, second @ ..], [result, rest @ ..]) = (result_types, operands) {
            let (result, other) = match result {
                Operand::Pair(pair) => (&pair.0, Some(&pair.1)),
                result => (result, None),
            };
            results.push(self.result(result, *first)?);
            results.extend(match (second.first(), other) {
                (Some(&ty), Some(other)) => Some(self.result(other, ty)?),
                (Some(_), None) => Some(None),
                (None, _) => None,
            });
            operands = rest;
        }
        let is_sync = instruction.modifiers.contains(&"sync");
        if let WarpCollective::Shuffle(_) | WarpCollective::Vote(_) = operation
            && !is_sync
        {
            self.require_before_sync(instruction.opcode)?;
        }
        if let WarpCollective::ReduceFloat(_) = operation {
            let names = ["sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_107a", "sm_107f"];
            self.require_architecture("`redux.sync` of `.f32`", (8, 6), &names)?;
        }
        // The members stand last, but where it is for those that are there.
        let members = match (operation, operands) {
            (WarpCollective::ActiveMask, []) => None,
            (WarpCollective::Shuffle(_) | WarpCollective::Vote(_), _) if !is_sync => None,
            (_, [rest @ .., members]) => {
                operands = rest;
                Some(self.source(members, Type::B32)?)
            }
            _ => return Err(self.error("the member mask is missing")),
        };
        if operands.len() != operand_types.len() {
            return Err(self.error("wrong number of operands"));
        }
        let mut sources = smallvec![];
        for (operand, &ty) in operands.iter().zip(operand_types) {
            sources.push(match (operand, negated) {
                (Operand::Not(_), Some(negated)) => negated,
                _ => self.source(operand, ty)?,
            });
        }
        Ok(Some(Op::WarpCollective { operation, operands: sources, members, results }))
    }

    /// Without `.sync` shuffles and votes are for warps whose threads go on as one, and in PTX before 6.4.
    fn require_before_sync(&self, opcode: &str) -> Decoded<()> {
        let target = self.symbols.target;
        if target.version < (6, 4) || target.number() < 70 {
            return Ok(());
        }
        let why = "`.target sm_70` and higher do not support since `.version 6.4`";
        Err(self.error(format!("`{opcode}` without `.sync`, which {why}")))
    }
}

/// The operation, and the types of its results and operands.
fn known(opcode: &str, modifiers: &[&str]) -> Option<(WarpCollective, &'static [Type], &'static [Type])> {
    const WORD: &[Type] = &[Type::B32];
    Some(match (opcode, modifiers) {
        ("shfl", ["sync", mode, "b32"] | [mode, "b32"]) => {
            let mode = match *mode {
                "up" => Shuffle::Up,
                "down" => Shuffle::Down,
                "bfly" => Shuffle::Butterfly,
                "idx" => Shuffle::Index,
                _ => return None,
            };
            (WarpCollective::Shuffle(mode), &[Type::B32, Type::Pred], &[Type::B32, Type::B32, Type::B32])
        }
        ("vote", ["sync", "ballot", "b32"] | ["ballot", "b32"]) => {
            (WarpCollective::Vote(Vote::Ballot), WORD, &[Type::Pred])
        }
        ("vote", ["sync", mode, "pred"] | [mode, "pred"]) => {
            let vote = match *mode {
                "all" => Vote::All,
                "any" => Vote::Any,
                "uni" => Vote::Uniform,
                _ => return None,
            };
            (WarpCollective::Vote(vote), &[Type::Pred], &[Type::Pred])
        }
        ("match", ["any", "sync", "b32"]) => (WarpCollective::MatchAny { is_wide: false }, WORD, WORD),
        ("match", ["any", "sync", "b64"]) => (WarpCollective::MatchAny { is_wide: true }, WORD, &[Type::B64]),
        ("match", ["all", "sync", "b32"]) => {
            (WarpCollective::MatchAll { is_wide: false }, &[Type::B32, Type::Pred], WORD)
        }
        ("match", ["all", "sync", "b64"]) => {
            (WarpCollective::MatchAll { is_wide: true }, &[Type::B32, Type::Pred], &[Type::B64])
        }
        ("redux", ["sync", operation @ ("min" | "max"), rest @ .., "f32"]) => {
            let (is_abs, gives_nan) = match rest {
                [] => (false, false),
                ["abs"] => (true, false),
                ["NaN"] => (false, true),
                ["abs", "NaN"] | ["NaN", "abs"] => (true, true),
                _ => return None,
            };
            let reduce = ReduceFloat { is_max: *operation == "max", is_abs, gives_nan };
            (WarpCollective::ReduceFloat(reduce), &[Type::F32], &[Type::F32])
        }
        ("redux", ["sync", operation, ty]) => {
            let reduce = match (*operation, *ty) {
                ("add", "u32" | "s32") => Reduce::Add,
                ("min", "s32") => Reduce::MinSigned,
                ("min", "u32") => Reduce::MinUnsigned,
                ("max", "s32") => Reduce::MaxSigned,
                ("max", "u32") => Reduce::MaxUnsigned,
                ("and", "b32") => Reduce::And,
                ("or", "b32") => Reduce::Or,
                ("xor", "b32") => Reduce::Xor,
                _ => return None,
            };
            (WarpCollective::Reduce(reduce), WORD, WORD)
        }
        ("activemask", ["b32"]) => (WarpCollective::ActiveMask, WORD, &[]),
        ("elect", ["sync"]) => (WarpCollective::Elect, &[Type::B32, Type::Pred], &[]),
        ("bar", ["warp", "sync"]) => (WarpCollective::Meet, &[], &[]),
        _ => return None,
    })
}
