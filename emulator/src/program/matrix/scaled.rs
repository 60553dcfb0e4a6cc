//! Products with a sparse matrix, and those of small formats with scales (PTX ISA "mma.sp", "Block Scaling for mma.sync").

use smallvec::{SmallVec, smallvec};

use super::{Needs, Product, Types};
use crate::compute::matrix::fragment::Fragment;
use crate::compute::matrix::scale::{Scale, ScaleFormat};
use crate::compute::matrix::sparse::Sparse;
use crate::compute::matrix::{Arrangement, Element, Rule, Shape};
use crate::program::code::Source;
use crate::program::operand::{Decoded, InstructionDecoder};
use crate::program::target::COMPLETE;
use crate::ptx::syntax::{Constant, Operand, Type};

/// `.kind`, `.block_scale` and `.scale_vec`.
pub(super) struct Kind<'t> {
    name: &'t str,
    is_scaled: bool,
    n_blocks: Option<&'t str>,
}

/// GPUs that have products of small formats.
const ARCHITECTURES: &[&str] = &["sm_120a", "sm_120f", "sm_121a", "sm_121f"];

/// Those that have what has no family.
const ARCHITECTURES_ALONE: &[&str] = &["sm_120a", "sm_121a"];

impl<'t> Kind<'t> {
    /// The kind among the modifiers, and the others: ptxas takes it in any place behind `.aligned`.
    pub(super) fn taken<'m>(modifiers: &'m [&'t str]) -> Option<(Option<Self>, SmallVec<[&'t str; 12]>)> {
        let (mut kind, mut is_scaled, mut n_blocks) = (None, false, None);
        let mut others = SmallVec::new();
        for (idx, &modifier) in modifiers.iter().enumerate() {
            let is_again = match modifier.split_once("::") {
                Some(("kind", name)) => kind.replace(name).is_some(),
                Some(("scale_vec", n)) => n_blocks.replace(n).is_some(),
                _ if modifier == "block_scale" => std::mem::replace(&mut is_scaled, true),
                _ => {
                    others.push(modifier);
                    continue;
                }
            };
            if is_again || idx < 2 {
                return None;
            }
        }
        match kind {
            Some(name) => Some((Some(Kind { name, is_scaled, n_blocks }), others)),
            None => (!is_scaled && n_blocks.is_none()).then_some((None, others)),
        }
    }
}

/// `mma` and `mma.sp` of a kind.
pub(super) fn product(kind: Kind<'_>, sparse: Option<bool>, shape: Shape, types: &[&str]) -> Option<Product> {
    let (types, format) = match types {
        [types @ .., "ue8m0"] => (types, Some(ScaleFormat::Ue8m0)),
        [types @ .., "ue4m3"] => (types, Some(ScaleFormat::Ue4m3)),
        types => (types, None),
    };
    let mut types = Types::named(types)?;
    let is_small = |element| {
        use Element::{E2m1, E2m3, E3m2, E4m3, E5m2};
        matches!(element, E4m3 | E5m2 | E3m2 | E2m3 | E2m1)
    };
    let is_bytes = matches!(kind.name, "f8f6f4" | "mxf8f6f4");
    let scale = match (kind.name, kind.is_scaled, kind.n_blocks, format) {
        ("f8f6f4", false, None, None) => None,
        ("mxf8f6f4", true, None | Some("1X"), Some(format @ ScaleFormat::Ue8m0)) => Some((format, 1)),
        ("mxf4", true, None | Some("2X"), Some(format @ ScaleFormat::Ue8m0))
        | ("mxf4nvf4", true, Some("2X"), Some(format @ ScaleFormat::Ue8m0)) => Some((format, 2)),
        ("mxf4nvf4", true, Some("4X"), Some(format)) => Some((format, 4)),
        _ => return None,
    };
    let is_known = match is_bytes {
        true => is_small(types.a) && is_small(types.b),
        false => types.are_both([Element::E2m1; 2]),
    };
    let is_sum = types.accumulates(Element::F32) || scale.is_none() && types.accumulates(Element::F16);
    let k = match (is_bytes, sparse) {
        (true, None) => 32,
        (false, None) | (true, Some(true)) => 64,
        (false, Some(true)) => 128,
        (_, Some(false)) => return None,
    };
    // What there was before the kinds.
    let is_old = kind.name == "f8f6f4" && types.are_both([Element::E4m3, Element::E5m2]);
    let is_short = is_old && sparse.is_none() && shape == Shape { m: 16, n: 8, k: 16 };
    if !is_known || !is_sum || shape != (Shape { m: 16, n: 8, k }) && !is_short {
        return None;
    }
    if is_bytes {
        for element in [&mut types.a, &mut types.b] {
            if *element == Element::E2m1 {
                *element = Element::E2m1Byte;
            }
        }
    }
    // With all four factors as powers of two it came later.
    let is_late = matches!(scale, Some((ScaleFormat::Ue8m0, 4)));
    let is_wide = is_old && (sparse.is_none() || types.d == Element::F32);
    let (architectures, needs) = match (is_wide, is_bytes, sparse) {
        (true, ..) => (COMPLETE, ((8, 6), 100)),
        (false, false, Some(_)) => (ARCHITECTURES_ALONE, ((8, 7), 120)),
        _ => (ARCHITECTURES, ((8, 7), 120)),
    };
    Some(Product {
        shape,
        types,
        rule: Rule::Float,
        arrangements: [Arrangement::Groups; 2],
        needs: if is_late { ((9, 1), 120) } else { needs },
        architectures,
        sparse,
        scale: scale.map(|(format, n_blocks)| Scale { format, n_blocks }),
    })
}

/// How `mma.sp` without a kind computes, and what has it.
pub(super) fn sparse_form(shape: Shape, types: Types, is_ordered: bool) -> Option<(Rule, Needs)> {
    use Element::{Bf16, E4m3, E5m2, F16, F32, S4, S8, S32, Tf32, U4, U8};
    let Shape { m: 16, n: 8, k } = shape else { return None };
    let halves = types.accumulates(F16) || types.accumulates(F32);
    let (rule, (version, number)) = match (types.a, k) {
        (F16, 16 | 32) if types.b == F16 && halves => (Rule::Float, ((7, 1), 80)),
        (Bf16, 16 | 32) if types.b == Bf16 && types.accumulates(F32) => (Rule::Float, ((7, 1), 80)),
        (Tf32, 8 | 16) if types.b == Tf32 && types.accumulates(F32) => (Rule::Float, ((7, 1), 80)),
        (E4m3 | E5m2, 64) if types.are_both([E4m3, E5m2]) && types.accumulates(F32) => {
            (Rule::Float, ((8, 4), 89))
        }
        (E4m3 | E5m2, 64) if types.are_both([E4m3, E5m2]) && types.accumulates(F16) && is_ordered => {
            (Rule::Float, ((8, 7), 120))
        }
        (S8 | U8, 32 | 64) if types.are_both([S8, U8]) && types.accumulates(S32) => {
            (Rule::Integer { is_saturated: false }, ((7, 1), 80))
        }
        (S4 | U4, 64 | 128) if types.are_both([S4, U4]) && types.accumulates(S32) => {
            (Rule::Integer { is_saturated: false }, ((7, 1), 80))
        }
        _ => return None,
    };
    Some((rule, (if is_ordered { version.max((8, 5)) } else { version }, number)))
}

/// The architectures that have `mma.sp` of types without a kind, if not all from one on.
pub(super) fn architectures_of_sparse(types: Types) -> &'static [&'static str] {
    let is_small = matches!(types.a, Element::E4m3 | Element::E5m2);
    if is_small && types.d == Element::F16 { ARCHITECTURES } else { &[] }
}

impl<'t> InstructionDecoder<'_, 't> {
    /// The metadata of a sparse matrix, and its selector.
    pub(super) fn metadata(
        &mut self,
        operands: &[Operand<'t>],
        a: &Fragment,
        is_ordered: bool,
    ) -> Decoded<(Source, Sparse)> {
        let n_selectors = Sparse::n_selectors(a);
        let Operand::Constant(Constant::Int(selector)) = operands[1] else {
            return Err(self.error("the sparsity selector must be a constant"));
        };
        let selector = usize::try_from(selector).ok().filter(|selector| *selector < n_selectors);
        let Some(selector) = selector else {
            return Err(self.error(format!("the sparsity selector must be less than {n_selectors}")));
        };
        Ok((self.source(&operands[0], Type::B32)?, Sparse { is_ordered, selector }))
    }

    /// The factors of A and of B: data, number of the byte, number of the threads.
    pub(super) fn factors(
        &mut self,
        operands: &[Operand<'t>],
        scale: Scale,
    ) -> Decoded<SmallVec<[Source; 6]>> {
        let mut sources = smallvec![];
        for (matrix, of_matrix) in operands.chunks(2).enumerate() {
            let [data, Operand::Vector(selectors)] = of_matrix else {
                return Err(self.misfit("a scale takes a register and two selectors in braces"));
            };
            let [byte, thread] = &selectors[..] else {
                return Err(self.misfit("a scale takes two selectors"));
            };
            let is_a = matrix == 0;
            let is_wrong = |operand: &Operand<'_>, is_right: &dyn Fn(u16) -> bool| matches!(operand, Operand::Constant(Constant::Int(n)) if !u16::try_from(*n).is_ok_and(is_right));
            if is_wrong(byte, &|n| scale.has_byte(n)) || is_wrong(thread, &|n| Scale::has_thread(is_a, n)) {
                return Err(self.error("the scale selector is out of range"));
            }
            sources.push(self.source(data, Type::B32)?);
            sources.push(self.source(byte, Type::B16)?);
            sources.push(self.source(thread, Type::B16)?);
        }
        Ok(sources)
    }
}
