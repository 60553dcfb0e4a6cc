//! Whether a register fits an instruction (PTX ISA "Operand Type Checking"), as ptxas sees it.
//!
//! Sizes are compared elsewhere. Here it is the kind of number: bits fit any, integers fit integers, and a floating-point
//! number fits its own format. What operations compute with here are numbers where an instruction speaks of bits, and bits
//! where it speaks of several numbers in a register; so the types that it names are looked at too.

use super::layout::size_of;
use crate::ptx::syntax::Type;

/// The types that an instruction names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// A bit for each size in bytes of which it names bits: `.b32` is 4.
    bits: u64,
    /// Several numbers in a register: how large all are, and whether a register of `.f16x2` may hold them.
    packed: Option<(u64, bool)>,
    /// What it chooses between: `selp.f32`, `slct.f32.s32`.
    chosen: Option<Type>,
    /// How it reads special registers.
    pub(super) special: SpecialUse,
}

/// How an instruction reads special registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SpecialUse {
    /// Not at all.
    #[default]
    None,
    /// `mov`: as they are.
    Moved,
    /// `cvt` between integers: or a part of them.
    Converted,
}

impl Named {
    /// Bits of all sizes, so that any number fits.
    pub(super) const OF_ANY_KIND: Named =
        Named { bits: u64::MAX, packed: None, chosen: None, special: SpecialUse::None };

    /// By an instruction and its modifiers.
    pub(super) fn by(opcode: &str, modifiers: &[&str]) -> Self {
        let mut named = Named::default();
        for modifier in modifiers {
            match *modifier {
                "b8" => named.bits |= 1,
                "b16" => named.bits |= 2,
                "b32" => named.bits |= 4,
                "b64" => named.bits |= 8,
                "f16x2" | "u16x2" | "s16x2" | "u8x4" | "s8x4" => named.packed = Some((4, true)),
                "bf16x2" => named.packed = Some((4, false)),
                "f32x2" => named.packed = Some((8, false)),
                _ => {}
            }
        }
        let is_integer = |ty: &str| ty.starts_with(['u', 's']) && ty != "sat";
        named.special = match (opcode, modifiers) {
            ("mov", _) => SpecialUse::Moved,
            ("cvt", [.., to, _]) if is_integer(to) => SpecialUse::Converted,
            _ => SpecialUse::None,
        };
        named.chosen = match (opcode, modifiers) {
            ("selp", [ty]) | ("slct", [ty, _] | ["ftz", ty, _]) => Type::named(ty),
            _ => None,
        };
        named
    }

    /// Whether a register of a type fits where an operation has another one.
    pub(super) fn agree(self, has: Type, wants: Type) -> bool {
        let kind = Kind::of(has);
        if kind == Kind::Bits || self.bits & size_of(wants) != 0 {
            return true;
        }
        // The third operand of `slct` has a type of its own, and what is chosen is an unsigned integer here.
        let wants = match (self.chosen, wants) {
            (Some(chosen), Type::U16 | Type::U32 | Type::U64) => chosen,
            _ => wants,
        };
        match (Kind::of(wants), self.packed) {
            (Kind::Packed { is_word }, _) => is_word && has == Type::F16x2,
            (Kind::Bits, Some((size, is_word))) if size == size_of(wants) => is_word && has == Type::F16x2,
            (Kind::Bits, _) => true,
            (Kind::Integer, _) => kind == Kind::Integer || has == Type::F16x2,
            (wanted, _) => kind == wanted,
        }
    }

    /// Whether a constant fits where an operation has a type, as ptxas sees it: an integer is no floating-point number, nor the other
    /// way round; bits may be a floating-point number of their size; there is none of half precision, nor of several numbers in a
    /// register.
    pub(super) fn agrees_constant(self, constant: ConstantKind, wants: Type) -> bool {
        let fits_bits = match constant {
            ConstantKind::Int => true,
            ConstantKind::F32 => size_of(wants) == 4,
            ConstantKind::F64 => size_of(wants) == 8,
        };
        if self.bits & size_of(wants) != 0 && wants != Type::Pred {
            return fits_bits;
        }
        let wants = match (self.chosen, wants) {
            (Some(chosen), Type::U16 | Type::U32 | Type::U64) => chosen,
            _ => wants,
        };
        match (Kind::of(wants), self.packed) {
            (Kind::Packed { .. } | Kind::Float(Type::F16 | Type::Bf16), _) => false,
            (Kind::Bits, Some((size, _))) if size == size_of(wants) => false,
            // Parts of a `mov`.
            (Kind::Bits, _) => true,
            (Kind::Float(_), _) => constant != ConstantKind::Int,
            (Kind::Predicate | Kind::Integer | Kind::Handle, _) => constant == ConstantKind::Int,
        }
    }
}

/// How a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstantKind {
    Int,
    /// `0f3F800000`
    F32,
    /// `1.0`, `0d3FF0000000000000`
    F64,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Predicate,
    Bits,
    Integer,
    /// A floating-point number of a format.
    Float(Type),
    /// Several numbers, which a register of `.f16x2` may hold or not. It may hold integers as well.
    Packed {
        is_word: bool,
    },
    Handle,
}

impl Kind {
    fn of(ty: Type) -> Self {
        match ty {
            Type::Pred => Kind::Predicate,
            Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::B128 => Kind::Bits,
            Type::S8 | Type::S16 | Type::S32 | Type::S64 | Type::U8 | Type::U16 | Type::U32 | Type::U64 => {
                Kind::Integer
            }
            Type::F16x2 => Kind::Packed { is_word: true },
            Type::Bf16x2 | Type::F32x2 => Kind::Packed { is_word: false },
            Type::F16 | Type::Bf16 | Type::F32 | Type::F64 => Kind::Float(ty),
            Type::Texref | Type::Samplerref | Type::Surfref => Kind::Handle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The types that registers have, by their sizes.
    const REGISTERS: [&[(&str, Type)]; 3] = [
        &[("b16", Type::B16), ("u16", Type::U16), ("s16", Type::S16), ("f16", Type::F16)],
        &[
            ("b32", Type::B32),
            ("u32", Type::U32),
            ("s32", Type::S32),
            ("f32", Type::F32),
            ("f16x2", Type::F16x2),
        ],
        &[("b64", Type::B64), ("u64", Type::U64), ("s64", Type::S64), ("f64", Type::F64)],
    ];

    /// Which registers the first operand of an instruction may be, as ptxas 13 takes them.
    const TAKEN: [(&str, &str); 28] = [
        ("add.u16", "b16 u16 s16"),
        ("and.b16", "b16 u16 s16 f16"),
        ("add.f16", "b16 f16"),
        ("add.rn.bf16", "b16"),
        ("selp.u16", "b16 u16 s16"),
        ("selp.b16", "b16 u16 s16 f16"),
        ("add.u32", "b32 u32 s32 f16x2"),
        ("add.s32", "b32 u32 s32 f16x2"),
        ("mad.lo.s32", "b32 u32 s32 f16x2"),
        ("add.f32", "b32 f32"),
        ("sin.approx.f32", "b32 f32"),
        ("and.b32", "b32 u32 s32 f32 f16x2"),
        ("prmt.b32", "b32 u32 s32 f32 f16x2"),
        ("add.f16x2", "b32 f16x2"),
        ("add.rn.bf16x2", "b32"),
        ("max.u16x2", "b32 f16x2"),
        ("max.s16x2.relu", "b32 f16x2"),
        ("set.eq.u32.f16x2", "b32 f16x2"),
        ("selp.f32", "b32 f32"),
        ("selp.b32", "b32 u32 s32 f32 f16x2"),
        ("slct.f32.s32", "b32 f32"),
        ("slct.u32.f32", "b32 u32 s32 f16x2"),
        ("add.u64", "b64 u64 s64"),
        ("add.f64", "b64 f64"),
        ("and.b64", "b64 u64 s64 f64"),
        ("add.rn.f32x2", "b64"),
        ("slct.f64.f32", "b64 f64"),
        ("popc.b64", "b64 u64 s64 f64"),
    ];

    #[test]
    fn registers_fit_as_ptxas_says() {
        for (instruction, expected) in TAKEN {
            let words: Vec<&str> = instruction.split('.').collect();
            let words = if instruction == "max.s16x2.relu" { vec!["max", "relu", "s16x2"] } else { words };
            let operation = crate::compute::operation(words[0], &words[1..]).expect(instruction);
            let wants = operation.operands[0];
            let named = Named::by(words[0], &words[1..]);
            let all = REGISTERS.iter().flat_map(|types| types.iter());
            let fit = all.filter(|(_, has)| size_of(*has) == size_of(wants) && named.agree(*has, wants));
            let found: Vec<&str> = fit.map(|(name, _)| *name).collect();
            assert_eq!(found.join(" "), expected, "{instruction}");
        }
    }

    /// Which constants the last operand of an instruction may be, as ptxas 13 takes them: an integer, `0f3F800000`, `1.0`.
    #[test]
    fn constants_fit_as_ptxas_says() {
        for (instruction, wants, expected) in [
            ("add.u32", Type::U32, [true, false, false]),
            ("and.b16", Type::U16, [true, false, false]),
            ("and.b32", Type::U32, [true, true, false]),
            ("and.b64", Type::U64, [true, false, true]),
            ("selp.b32", Type::U32, [true, true, false]),
            ("selp.f32", Type::U32, [false, true, true]),
            ("slct.f32.s32", Type::S32, [true, false, false]),
            ("add.f32", Type::F32, [false, true, true]),
            ("add.f64", Type::F64, [false, true, true]),
            ("add.f16", Type::F16, [false, false, false]),
            ("add.f16x2", Type::B32, [false, false, false]),
            ("mov.pred", Type::Pred, [true, false, false]),
        ] {
            let words: Vec<&str> = instruction.split('.').collect();
            let named = Named::by(words[0], &words[1..]);
            let kinds = [ConstantKind::Int, ConstantKind::F32, ConstantKind::F64];
            let found = kinds.map(|kind| named.agrees_constant(kind, wants));
            assert_eq!(found, expected, "{instruction}");
        }
    }

    /// What chooses, and what is given: other operands than the first.
    #[test]
    fn operands_have_types_of_their_own() {
        let named = Named::by("slct", &["f32", "s32"]);
        assert!(named.agree(Type::U32, Type::S32) && !named.agree(Type::F32, Type::S32));
        let named = Named::by("slct", &["ftz", "f64", "f32"]);
        assert!(named.agree(Type::F32, Type::F32) && !named.agree(Type::U32, Type::F32));
        let named = Named::by("set", &["eq", "u32", "bf16x2"]);
        assert!(named.agree(Type::S32, Type::U32));
        assert!(!Named::by("cvt", &["rn", "f16x2", "f32"]).agree(Type::F32, Type::B32));
    }
}
