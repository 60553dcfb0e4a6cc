//! Matrices of a warp (PTX ISA "Warp Level Matrix Multiply-Accumulate Instructions").
//!
//! Which shapes and types go together is that of the PTX ISA, as ptxas takes them. Sparse and scaled products are in `scaled`.

mod scaled;

use smallvec::SmallVec;

use self::scaled::Kind;

use super::code::{
    Address, MatrixCompute, MatrixFragment, MatrixRegisters, MatrixRows, Memory, Op, Register, RowForm,
    Source,
};
use super::operand::{Decoded, InstructionDecoder};
use super::target::COMPLETE;
use crate::compute::float::exact::Rounding;
use crate::compute::matrix::fragment::Fragment;
use crate::compute::matrix::scale::Scale;
use crate::compute::matrix::{self, Arrangement, Element, Multiply, Role, Rule, Shape};
use crate::ptx::syntax::{Instruction, Operand, Type};

/// A version of PTX, and the number of an architecture.
type Needs = ((u32, u32), u32);

/// The types of A, B, C and D.
#[derive(Clone, Copy)]
struct Types {
    a: Element,
    b: Element,
    c: Element,
    d: Element,
}

impl Types {
    /// In the order in which `mma` names them.
    fn named(names: &[&str]) -> Option<Types> {
        let [d, a, b, c] = names else { return None };
        let [a, b, c, d] = [a, b, c, d].map(|name| Element::named(name));
        Some(Types { a: a?, b: b?, c: c?, d: d? })
    }

    fn accumulates(self, c: Element) -> bool {
        self.c == c && self.d == c
    }

    fn are_both(self, either: [Element; 2]) -> bool {
        either.contains(&self.a) && either.contains(&self.b)
    }
}

/// What `mma` and `wmma.mma` compute.
struct Product {
    shape: Shape,
    types: Types,
    rule: Rule,
    /// Of A and C, and of B.
    arrangements: [Arrangement; 2],
    needs: Needs,
    /// The architectures that have it, if not all from one on.
    architectures: &'static [&'static str],
    /// Of A there is half: whether the metadata is in order.
    sparse: Option<bool>,
    scale: Option<Scale>,
}

/// What `wmma.load` and `wmma.store` access.
struct Stored {
    fragment: Fragment,
    /// None for generic addresses.
    memory: Option<Memory>,
    is_row: bool,
    needs: Needs,
}

/// The version of PTX that has one of the instructions here with its modifiers, if they are known.
pub(super) fn version(opcode: &str, modifiers: &[&str]) -> Option<(u32, u32)> {
    let needs = match (opcode, modifiers) {
        ("mma", _) => mma(modifiers)?.needs,
        ("wmma", ["mma", rest @ ..]) => wmma_product(rest)?.needs,
        ("wmma", _) => {
            let stored = stored(modifiers)?;
            let is_newer = modifiers.contains(&"shared::cta");
            return Some(if is_newer { stored.needs.0.max((7, 8)) } else { stored.needs.0 });
        }
        _ => return None,
    };
    Some(needs.0)
}

/// `mma`
fn mma(modifiers: &[&str]) -> Option<Product> {
    let (sparse, modifiers) = match modifiers {
        ["sp", rest @ ..] => (Some(false), rest),
        ["sp::ordered_metadata", rest @ ..] => (Some(true), rest),
        rest => (None, rest),
    };
    let (kind, modifiers) = Kind::taken(modifiers)?;
    let ["sync", "aligned", shape, a_layout, b_layout, rest @ ..] = &modifiers[..] else { return None };
    if let Some(kind) = kind {
        let (shape, is_row) = (Shape::named(shape)?, is_row(a_layout)? && !is_row(b_layout)?);
        return scaled::product(kind, sparse, shape, rest).filter(|_| is_row);
    }
    let (types, is_saturated, bits) = match rest {
        ["satfinite", types @ ..] => (types, true, None),
        [types @ .., bits @ ("and" | "xor"), "popc"] => (types, false, Some(*bits)),
        types => (types, false, None),
    };
    let (types, rounding) = match types {
        [rounding, types @ ..] if types.len() == 4 => (types, Some(*rounding)),
        types => (types, None),
    };
    let (shape, types) = (Shape::named(shape)?, Types::named(types)?);
    let (a_is_row, b_is_row) = (is_row(a_layout)?, is_row(b_layout)?);
    let (rule, needs) = match sparse {
        Some(is_ordered) => scaled::sparse_form(shape, types, is_ordered).filter(|_| bits.is_none())?,
        None => mma_form(shape, types, bits)?,
    };
    let rule = match (rule, rounding, is_saturated) {
        (Rule::Double(_), Some(name), false) => Rule::Double(rounding_of_doubles(name)?),
        (Rule::Integer { .. }, None, is_saturated) => Rule::Integer { is_saturated },
        (rule, None, false) => rule,
        _ => return None,
    };
    let is_quartered = types.a == Element::F16 && shape.m == 8;
    if !is_quartered && (!a_is_row || b_is_row) {
        return None;
    }
    let arrangement = |is_row| match is_quartered {
        true => Arrangement::Quarters { is_row },
        false => Arrangement::Groups,
    };
    let arrangements = [arrangement(a_is_row), arrangement(b_is_row)];
    let architectures = if sparse.is_some() { scaled::architectures_of_sparse(types) } else { &[] };
    Some(Product { shape, types, rule, arrangements, needs, architectures, sparse, scale: None })
}

/// `wmma.mma`
fn wmma_product(modifiers: &[&str]) -> Option<Product> {
    let (bits, rest) = match modifiers {
        [bits @ ("and" | "xor"), "popc", rest @ ..] => (Some(*bits), rest),
        rest => (None, rest),
    };
    let ["sync", "aligned", a_layout, b_layout, shape, types @ ..] = rest else { return None };
    let (types, last) = match types {
        [types @ .., last @ ("satfinite" | "rn" | "rz" | "rm" | "rp")] => (types, Some(*last)),
        // LLVM has it there, and ptxas takes it.
        [first @ ("rn" | "rz" | "rm" | "rp"), types @ ..] => (types, Some(*first)),
        types => (types, None),
    };
    let types = match types {
        [d, c] => Types::named(&[d, "f16", "f16", c]),
        types => Types::named(types).filter(|types| types.a != Element::F16),
    };
    let (shape, types) = (Shape::named(shape)?, types?);
    let (a_is_row, b_is_row) = (is_row(a_layout)?, is_row(b_layout)?);
    let (rule, needs) = wmma_form(shape, types, bits)?;
    let rule = match (rule, last) {
        (Rule::Double(_), Some(name)) => Rule::Double(rounding_of_doubles(name)?),
        (Rule::Integer { .. }, Some("satfinite")) => Rule::Integer { is_saturated: true },
        // Of old, and without a meaning.
        (Rule::Float, Some("satfinite")) if types.a == Element::F16 => Rule::Float,
        (rule, None) => rule,
        _ => return None,
    };
    if types.a.n_bits() < 8 && (!a_is_row || b_is_row) {
        return None;
    }
    let arrangements = [Arrangement::Opaque; 2];
    Some(Product { shape, types, rule, arrangements, needs, architectures: &[], sparse: None, scale: None })
}

/// `wmma.load`, `wmma.store`
fn stored(modifiers: &[&str]) -> Option<Stored> {
    let [action, matrix, "sync", "aligned", layout, shape, rest @ ..] = modifiers else { return None };
    let (memory, ty) = match rest {
        [ty] => (None, ty),
        ["global", ty] => (Some(Memory::Global), ty),
        ["shared" | "shared::cta", ty] => (Some(Memory::Shared), ty),
        _ => return None,
    };
    let role = match (*action, *matrix) {
        ("load", "a") => Role::A,
        ("load", "b") => Role::B,
        ("load", "c") | ("store", "d") => Role::C,
        _ => return None,
    };
    let (shape, element, is_row) = (Shape::named(shape)?, Element::named(ty)?, is_row(layout)?);
    let fragment = Fragment { role, shape, element, arrangement: Arrangement::Opaque };
    // What is smaller than a byte follows one another along `k` in memory too.
    let is_along = element.n_bits() >= 8 || is_row == (role == Role::A);
    let needs = fragment_needs(&fragment).filter(|_| is_along)?;
    Some(Stored { fragment, memory, is_row, needs })
}

fn rounding_of_doubles(name: &str) -> Option<Rounding> {
    Rounding::named(name).filter(|rounding| *rounding != Rounding::NearestAway)
}

impl<'t> InstructionDecoder<'_, 't> {
    /// `mma`, `wmma`
    pub(super) fn matrix(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let modifiers = &instruction.modifiers[..];
        let product = match (instruction.opcode, modifiers) {
            ("mma", _) => mma(modifiers),
            (_, ["mma", rest @ ..]) => wmma_product(rest),
            _ => {
                let Stored { fragment, memory, is_row, needs: (version, number) } =
                    stored(modifiers).ok_or_else(|| self.unknown(instruction))?;
                self.require_target("`wmma` of this shape and type", version, number)?;
                let memory = memory.unwrap_or_else(|| self.generic());
                return self.fragment_access(instruction, fragment, memory, is_row);
            }
        };
        let product = product.ok_or_else(|| self.unknown(instruction))?;
        // Of sums of floating-point numbers it meant nothing, and went with PTX 6.5.
        if product.rule == Rule::Float
            && modifiers.last() == Some(&"satfinite")
            && self.symbols.target.version >= (6, 5)
        {
            return Err(self.unknown(instruction));
        }
        let (version, number) = product.needs;
        let what = format!("`{}` of this shape and these types", instruction.opcode);
        self.require_target(&what, version, number)?;
        if !product.architectures.is_empty() {
            self.require_architecture(&what, version, product.architectures)?;
        }
        self.multiplication(instruction, &product)
    }

    /// `ldmatrix`, `stmatrix`
    pub(super) fn matrix_rows(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let unknown = |names: &Self| Err(names.unknown(instruction));
        let is_store = instruction.opcode == "stmatrix";
        let (form, count, rest) = match (&instruction.modifiers[..], is_store) {
            (["sync", "aligned", "m8n8", count, rest @ .., "b16"], _) => (RowForm::Words, count, rest),
            (["sync", "aligned", "m8n16", count, rest @ .., "b8x16", "b6x16_p32"], false) => {
                (RowForm::Packed(6), count, rest)
            }
            (["sync", "aligned", "m8n16", count, rest @ .., "b8x16", "b4x16_p64"], false) => {
                (RowForm::Packed(4), count, rest)
            }
            (["sync", "aligned", "m16n8", count, rest @ .., "b8"], true) => (RowForm::Bytes, count, rest),
            (["sync", "aligned", "m16n16", count, rest @ .., "b8x16", "b6x16_p32"], false) => {
                (RowForm::Square(6), count, rest)
            }
            (["sync", "aligned", "m16n16", count, rest @ .., "b8x16", "b4x16_p64"], false) => {
                (RowForm::Square(4), count, rest)
            }
            (["sync", "aligned", "m16n16", count, rest @ .., "b8"], false) => {
                (RowForm::Square(8), count, rest)
            }
            _ => return unknown(self),
        };
        let n_registers = match (*count, form) {
            ("x1", RowForm::Square(_)) => 2,
            ("x2", RowForm::Square(_)) => 4,
            ("x1", _) => 1,
            ("x2", _) => 2,
            ("x4", RowForm::Words | RowForm::Transposed | RowForm::Packed(_) | RowForm::Bytes) => 4,
            _ => return unknown(self),
        };
        let (is_transposed, memory) = match rest {
            [] => (false, self.generic()),
            ["trans"] => (true, self.generic()),
            ["shared" | "shared::cta"] => (false, Memory::Shared),
            ["trans", "shared" | "shared::cta"] | ["shared" | "shared::cta", "trans"] => {
                (true, Memory::Shared)
            }
            _ => return unknown(self),
        };
        // Bytes have no other way.
        let form = match (form, is_transposed) {
            (RowForm::Words, true) => RowForm::Transposed,
            (form @ (RowForm::Words | RowForm::Packed(_)), false)
            | (form @ (RowForm::Bytes | RowForm::Square(_)), true) => form,
            _ => return unknown(self),
        };
        let what = format!("`{}`", instruction.opcode);
        match (form, is_store) {
            (RowForm::Packed(_) | RowForm::Bytes | RowForm::Square(_), _) => {
                let what = format!("{what} of bytes");
                self.require_architecture(&what, (8, 6), COMPLETE)?;
            }
            (_, true) => self.require_target(&what, (7, 8), 90)?,
            (_, false) => self.require_target(&what, (6, 5), 75)?,
        }
        let (values, address) = match (&instruction.operands[..], is_store) {
            ([values, address], false) | ([address, values], true) => (values, address),
            _ => return Err(self.misfit(format!("`{}` takes registers and an address", instruction.opcode))),
        };
        let address = self.address(address, memory)?;
        let registers = match is_store {
            true => MatrixRegisters::Stored(self.list(values, n_registers, Type::B32)?),
            false => MatrixRegisters::Loaded(self.result_list(values, n_registers, Type::B32)?),
        };
        Ok(Op::MatrixRows(Box::new(MatrixRows { address, form, registers })))
    }

    /// `movmatrix`
    pub(super) fn movmatrix(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        if instruction.modifiers[..] != ["sync", "aligned", "m8n8", "trans", "b16"] {
            return Err(self.unknown(instruction));
        }
        self.require_target("`movmatrix`", (7, 8), 75)?;
        let [result, operand] = &instruction.operands[..] else {
            return Err(self.misfit("`movmatrix` takes a result and an operand"));
        };
        let operands = SmallVec::from_slice(&[self.source(operand, Type::B32)?]);
        let results = SmallVec::from_slice(&[self.result(result, Type::B32)?]);
        let compute = matrix::transposed();
        let checked = None;
        Ok(Op::MatrixCompute(Box::new(MatrixCompute { compute, checked, operands, results })))
    }

    /// The product with its registers.
    fn multiplication(&mut self, instruction: &Instruction<'t>, product: &Product) -> Decoded<Op> {
        let Product { shape, types, rule, arrangements: [of_a, of_b], sparse, scale, .. } = *product;
        let fragment = |role, element, arrangement| Fragment { role, shape, element, arrangement };
        let mut a = fragment(Role::A, types.a, of_a);
        if sparse.is_some() {
            a.shape.k /= 2;
        }
        let b = fragment(Role::B, types.b, of_b);
        let (c, d) = (fragment(Role::C, types.c, of_a), fragment(Role::C, types.d, of_a));
        let [result, matrices @ ..] = &instruction.operands[..] else {
            return Err(self.misfit("the result is missing"));
        };
        let n_extras = if sparse.is_some() { 2 } else { 0 } + if scale.is_some() { 4 } else { 0 };
        if matrices.len() != 3 + n_extras {
            let n = instruction.operands.len();
            return Err(self.misfit(format!("the instruction takes {} operands, found {n}", 4 + n_extras)));
        }
        let (matrices, extras) = matrices.split_at(3);
        let mut operands: SmallVec<[Source; 8]> = SmallVec::new();
        for (operand, fragment) in matrices.iter().zip([a, b, c]) {
            operands.extend(self.list(operand, fragment.n_registers(), fragment.element.register())?);
        }
        let results = self.result_list(result, d.n_registers(), d.element.register())?;
        let (sparse, factors) = match sparse {
            Some(is_ordered) => {
                let (metadata, sparse) = self.metadata(extras, &a, is_ordered)?;
                operands.push(metadata);
                (Some(sparse), &extras[2..])
            }
            None => (None, extras),
        };
        if let Some(scale) = scale {
            operands.extend(self.factors(factors, scale)?);
        }
        let multiply = Multiply { a, b, c, d, rule, sparse, scale };
        let checked = (n_extras > 0).then_some(multiply);
        let compute = multiply.compute();
        Ok(Op::MatrixCompute(Box::new(MatrixCompute { compute, checked, operands, results })))
    }

    /// `wmma.load`, `wmma.store`
    fn fragment_access(
        &mut self,
        instruction: &Instruction<'t>,
        fragment: Fragment,
        memory: Memory,
        is_row: bool,
    ) -> Decoded<Op> {
        let is_store = instruction.modifiers[0] == "store";
        let (values, address, stride) = match (&instruction.operands[..], is_store) {
            ([values, address, stride @ ..], false) | ([address, values, stride @ ..], true)
                if stride.len() <= 1 =>
            {
                (values, address, stride.first())
            }
            _ => return Err(self.misfit("`wmma` takes registers, an address and a stride")),
        };
        let address: Address = self.address(address, memory)?;
        let stride = stride.map(|stride| self.source(stride, Type::B32)).transpose()?;
        let (n, ty) = (fragment.n_registers(), fragment.element.register());
        let registers = match is_store {
            true => MatrixRegisters::Stored(self.list(values, n, ty)?),
            false => MatrixRegisters::Loaded(self.result_list(values, n, ty)?),
        };
        Ok(Op::MatrixFragment(Box::new(MatrixFragment { address, stride, is_row, fragment, registers })))
    }

    /// The registers of a matrix.
    fn list(&mut self, operand: &Operand<'t>, n: usize, ty: Type) -> Decoded<SmallVec<[Source; 8]>> {
        let mut sources = SmallVec::new();
        for register in self.registers(operand, n)? {
            sources.push(match self.source(register, ty)? {
                source @ Source::Register(_) => source,
                _ => return Err(self.misfit("expected a register")),
            });
        }
        Ok(sources)
    }

    fn result_list(
        &mut self,
        operand: &Operand<'t>,
        n: usize,
        ty: Type,
    ) -> Decoded<SmallVec<[Option<Register>; 8]>> {
        self.registers(operand, n)?.iter().map(|register| self.result(register, ty)).collect()
    }

    fn registers<'o>(&self, operand: &'o Operand<'t>, n: usize) -> Decoded<&'o [Operand<'t>]> {
        let Operand::Vector(found) = operand else {
            return Err(self.misfit("the registers of a matrix must be in a list"));
        };
        if found.len() == n {
            return Ok(found);
        }
        let registers = if n == 1 { "register" } else { "registers" };
        Err(self.misfit(format!("the matrix takes {n} {registers}, found {}", found.len())))
    }
}

fn is_row(layout: &str) -> Option<bool> {
    match layout {
        "row" => Some(true),
        "col" => Some(false),
        _ => None,
    }
}

/// How `mma` of a shape and types computes, and what has it.
fn mma_form(shape: Shape, types: Types, bits: Option<&str>) -> Option<(Rule, Needs)> {
    use Element::{B1, Bf16, E4m3, E5m2, F16, F32, F64, S4, S8, S32, Tf32, U4, U8};
    let Shape { m, n: 8, k } = shape else { return None };
    if let Some(bits) = bits {
        let is_known = types.are_both([B1; 2]) && types.accumulates(S32);
        let (rule, needs) = match (bits, m, k) {
            ("xor", 8, 128) => (Rule::Xor, ((7, 0), 75)),
            ("xor", 16, 128 | 256) => (Rule::Xor, ((7, 0), 80)),
            ("and", 8 | 16, 128) | ("and", 16, 256) => (Rule::And, ((7, 1), 80)),
            _ => return None,
        };
        return is_known.then_some((rule, needs));
    }
    let integer = Rule::Integer { is_saturated: false };
    Some(match (types.a, m, k) {
        (F16, 8, 4) if types.b == F16 && is_sum_of_halves(types) => (Rule::Float, ((6, 4), 70)),
        (F16, 16, 8) if types.b == F16 && is_sum_of_halves(types) && types.c == types.d => {
            (Rule::Float, ((6, 5), 75))
        }
        (F16, 16, 16) if types.b == F16 && is_sum_of_halves(types) && types.c == types.d => {
            (Rule::Float, ((7, 0), 80))
        }
        (Bf16, 16, 8 | 16) if types.b == Bf16 && types.accumulates(F32) => (Rule::Float, ((7, 0), 80)),
        (Tf32, 16, 4 | 8) if types.b == Tf32 && types.accumulates(F32) => (Rule::Float, ((7, 0), 80)),
        (E4m3 | E5m2, 16, 32) if types.are_both([E4m3, E5m2]) && types.accumulates(F32) => {
            (Rule::Float, ((8, 4), 89))
        }
        (E4m3 | E5m2, 16, 16 | 32)
            if types.are_both([E4m3, E5m2]) && (types.accumulates(F32) || types.accumulates(F16)) =>
        {
            (Rule::Float, ((8, 7), 89))
        }
        (F64, 8, 4) if types.b == F64 && types.accumulates(F64) => {
            (Rule::Double(Rounding::Nearest), ((7, 0), 80))
        }
        (F64, 16, 4 | 8 | 16) if types.b == F64 && types.accumulates(F64) => {
            (Rule::Double(Rounding::Nearest), ((7, 8), 90))
        }
        (S8 | U8, 8, 16) if types.are_both([S8, U8]) && types.accumulates(S32) => (integer, ((6, 5), 75)),
        (S8 | U8, 16, 16 | 32) if types.are_both([S8, U8]) && types.accumulates(S32) => {
            (integer, ((7, 0), 80))
        }
        (S4 | U4, 8, 32) if types.are_both([S4, U4]) && types.accumulates(S32) => (integer, ((6, 5), 75)),
        (S4 | U4, 16, 32 | 64) if types.are_both([S4, U4]) && types.accumulates(S32) => {
            (integer, ((7, 0), 80))
        }
        _ => return None,
    })
}

/// A sum may be wider than what it is added to.
fn is_sum_of_halves(types: Types) -> bool {
    use Element::{F16, F32};
    matches!((types.c, types.d), (F16, F16) | (F32, F32) | (F16, F32))
}

/// How `wmma.mma` of a shape and types computes, and what has it.
fn wmma_form(shape: Shape, types: Types, bits: Option<&str>) -> Option<(Rule, Needs)> {
    use Element::{B1, Bf16, F16, F32, F64, S4, S8, S32, Tf32, U4, U8};
    let Types { a, b, c, d } = types;
    let rule = match (a, bits) {
        (B1, Some("xor")) => Rule::Xor,
        (B1, Some("and")) => Rule::And,
        (F16 | Bf16 | Tf32, None) => Rule::Float,
        (F64, None) => Rule::Double(Rounding::Nearest),
        (S8 | U8 | S4 | U4, None) => Rule::Integer { is_saturated: false },
        _ => return None,
    };
    let is_sum = match a {
        F16 => [c, d].iter().all(|element| [F16, F32].contains(element)),
        Bf16 | Tf32 => types.accumulates(F32),
        F64 => types.accumulates(F64),
        _ => types.accumulates(S32),
    };
    let fragment = |role, element| Fragment { role, shape, element, arrangement: Arrangement::Opaque };
    let needs = [fragment(Role::A, a), fragment(Role::B, b)]
        .iter()
        .map(fragment_needs)
        .collect::<Option<Vec<_>>>()?;
    let needs = if rule == Rule::And { ((7, 1), 80) } else { needs[0] };
    (a == b && is_sum).then_some((rule, needs))
}

/// What has `wmma.load` or `wmma.store` of a fragment.
fn fragment_needs(fragment: &Fragment) -> Option<Needs> {
    use Element::{B1, Bf16, F16, F32, F64, S4, S8, S32, Tf32, U4, U8};
    let Shape { m, n, k } = fragment.shape;
    let is_sum = fragment.role == Role::C;
    Some(match ((m, n, k), fragment.element) {
        ((16, 16, 16), F16) => ((6, 0), 70),
        ((16, 16, 16), F32) if is_sum => ((6, 0), 70),
        ((8, 32, 16) | (32, 8, 16), F16) => ((6, 1), 70),
        ((8, 32, 16) | (32, 8, 16), F32) if is_sum => ((6, 1), 70),
        ((16, 16, 16) | (8, 32, 16) | (32, 8, 16), S32) if is_sum => ((6, 3), 72),
        ((16, 16, 16) | (8, 32, 16) | (32, 8, 16), S8 | U8) if !is_sum => ((6, 3), 72),
        ((16, 16, 16) | (8, 32, 16) | (32, 8, 16), Bf16) if !is_sum => ((7, 0), 80),
        ((16, 16, 8), Tf32) if !is_sum => ((7, 0), 80),
        ((16, 16, 8), F32) if is_sum => ((7, 0), 80),
        ((8, 8, 4), F64) => ((7, 0), 80),
        ((8, 8, 32), S4 | U4) | ((8, 8, 128), B1) if !is_sum => ((6, 3), 75),
        ((8, 8, 32 | 128), S32) if is_sum => ((6, 3), 75),
        _ => return None,
    })
}
