//! Operands of instructions: registers by number, constants, special registers, addresses.

use std::collections::{HashMap, HashSet};

use super::agreement::{ConstantKind, Named, SpecialUse};
use super::code::{Guard, Op, Register, Source};
use super::layout::size_of;
use super::link::{Symbol, Symbols, value_of};
use super::provenance::{Base, Flow};
use super::special::{fixed, is_read_as, is_special_vector, special, special_size};
use super::vector::ELEMENTS;
use crate::compute::{Lanes, WARP_SIZE};
use crate::ptx::place::Place;
use crate::ptx::syntax::{self, Constant, Operand, Space, SymbolAddress, Type, Variable};

/// What is wrong with a body, and where.
pub(crate) struct DecodeError {
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) flaw: Flaw,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The instruction has operands that no form of it takes.
    Misfit,
    /// The instruction has no form with these modifiers that is known here.
    UnknownForm,
    /// Something that depends on what is known here.
    Other,
}

impl DecodeError {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        DecodeError { place, message: message.into(), flaw: Flaw::Other }
    }
}

pub(super) type Decoded<T> = Result<T, DecodeError>;

/// What a name in a body stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Name {
    Register {
        first: u32,
        ty: Type,
    },
    /// Several registers, one behind the other, of the type of an element.
    Vector {
        first: u32,
        ty: Type,
        n_elements: u32,
    },
    /// A variable in local memory or a parameter: its place in the frame.
    Frame {
        offset: u64,
        size: u64,
    },
    /// A parameter as large as what a call has for it: the register that holds its address.
    OpenParam(Register),
    /// A parameter of a kernel: its place in `.param`.
    KernelParam(u64),
    /// A variable in another space, and its address there.
    Variable(Space, u64),
}

/// The names of a body, the constants that it uses.
pub(super) struct InstructionDecoder<'s, 't> {
    pub(super) symbols: &'s Symbols<'t>,
    /// Those of the blocks that are open, the outermost first.
    scopes: Vec<HashMap<&'t str, Name>>,
    /// Parameterized registers, by what stands before the number.
    families: Vec<HashMap<&'t str, Declared<'t>>>,
    n_registers: u32,
    /// What is declared, for messages.
    declared: Vec<Declared<'t>>,
    /// Whether any of them are vectors.
    pub(super) has_vectors: bool,
    /// The carry, once something uses it.
    carry: Option<Register>,
    constants: Vec<Lanes>,
    constant_numbers: HashMap<u64, u32>,
    /// Those that are addresses of variables.
    variable_numbers: HashMap<(u64, Base), u32>,
    /// The variable that the address at hand names.
    pub(super) direct: Option<Base>,
    /// Offsets in the frame that are sums.
    pub(super) frame_sums: HashSet<u32>,
    /// Where the instruction at hand is.
    pub(super) place: Place,
    /// The types that it names.
    pub(super) named: Named,
    /// What is done before it, and after it, since its operands are more than registers and constants.
    pub(super) before: Vec<(Op, Flow)>,
    pub(super) after: Vec<Op>,
    /// How large the elements of arrays are that are declared in the blocks that are open, in bytes.
    arrays: Vec<HashMap<&'t str, u64>>,
    /// The accesses of parameters that are misaligned.
    pub(super) misaligned: Vec<Place>,
}

/// Registers that are declared together.
#[derive(Clone, Copy)]
struct Declared<'t> {
    name: &'t str,
    ty: Type,
    /// 1 but for vectors.
    n_elements: u32,
    /// How many there are if they are numbered.
    count: Option<u32>,
    first: u32,
}

impl Declared<'_> {
    /// How many registers of ours a value of the type takes.
    fn n_parts(&self) -> u32 {
        if self.ty == Type::B128 { 2 } else { 1 }
    }

    /// What the name with a number stands for.
    fn meaning(&self, number: u32) -> Name {
        let Declared { ty, n_elements, .. } = *self;
        let first = self.first + number * n_elements * self.n_parts();
        if n_elements == 1 { Name::Register { first, ty } } else { Name::Vector { first, ty, n_elements } }
    }
}

impl<'s, 't> InstructionDecoder<'s, 't> {
    pub(super) fn new(symbols: &'s Symbols<'t>) -> Self {
        InstructionDecoder {
            symbols,
            scopes: vec![HashMap::new()],
            families: vec![HashMap::new()],
            n_registers: 0,
            declared: Vec::new(),
            has_vectors: false,
            carry: None,
            constants: Vec::new(),
            constant_numbers: HashMap::new(),
            variable_numbers: HashMap::new(),
            direct: None,
            frame_sums: HashSet::new(),
            place: Place::default(),
            named: Named::default(),
            before: Vec::new(),
            after: Vec::new(),
            arrays: vec![HashMap::new()],
            misaligned: Vec::new(),
        }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(HashMap::new());
        self.families.push(HashMap::new());
        self.arrays.push(HashMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.arrays.pop();
        self.scopes.pop();
        self.families.pop();
    }

    /// The constants that are addresses of variables.
    pub(super) fn variable_constants(&self) -> Vec<(u32, Base)> {
        self.variable_numbers.iter().map(|(&(_, base), &number)| (number, base)).collect()
    }

    /// How many registers there are, and the constants.
    pub(super) fn into_parts(self) -> (u32, Vec<Lanes>) {
        (self.n_registers, self.constants)
    }

    pub(super) fn declare(&mut self, name: &'t str, meaning: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, meaning);
        }
    }

    /// A variable of a block, at its place.
    pub(super) fn declare_variable(&mut self, variable: &Variable<'t>, meaning: Name) {
        self.declare(variable.name, meaning);
        if let (Some(arrays), false) = (self.arrays.last_mut(), variable.dims.is_empty()) {
            arrays.insert(variable.name, size_of(variable.ty));
        }
    }

    /// How large the elements of an array are, in bytes; those of vectors are single values, as ptxas counts them.
    pub(super) fn element_size(&self, name: &str) -> Decoded<u64> {
        let inner = self.arrays.iter().rev().find_map(|arrays| arrays.get(name).copied());
        let size = inner.or_else(|| self.symbols.element_size(name));
        size.ok_or_else(|| self.error(format!("`{name}` is not an array")))
    }

    pub(super) fn declare_registers(&mut self, variable: &Variable<'t>) -> Decoded<()> {
        let Variable { name, ty, vector: n_elements, count, .. } = *variable;
        let is_vector = n_elements != 1;
        if is_vector && ty == Type::Pred {
            return Err(self.error("vectors cannot have predicates as elements"));
        }
        if is_vector && (size_of(ty) * u64::from(n_elements) > MAX_VECTOR || n_elements > 4) {
            return Err(self.error("a vector of registers can have at most 4 elements and 128 bits"));
        }
        if let Type::Bf16 | Type::Bf16x2 | Type::F32x2 | Type::Texref | Type::Samplerref | Type::Surfref = ty
        {
            return Err(self.error(format!("registers cannot have type `.{}`", ty.name())));
        }
        if !variable.dims.is_empty() {
            return Err(self.error(format!("`{name}` is an array; registers cannot be arrays")));
        }
        let declared = Declared { name, ty, n_elements, count, first: self.n_registers };
        let n_each = u64::from(n_elements * declared.n_parts());
        let end = u64::from(self.n_registers) + u64::from(count.unwrap_or(1)) * n_each;
        if end > MAX_REGISTERS {
            return Err(self.error("too many registers"));
        }
        self.n_registers = end as u32;
        self.has_vectors |= is_vector;
        self.declared.push(declared);
        match count {
            None => self.declare(name, declared.meaning(0)),
            Some(_) => {
                if let Some(families) = self.families.last_mut() {
                    families.insert(name, declared);
                }
            }
        }
        Ok(())
    }

    /// The name of a register, and how large it is in bytes; none of those that no name has.
    pub(super) fn name_of(&self, register: Register) -> Option<(String, u64)> {
        let idx = self.declared.partition_point(|declared| declared.first <= register.0).checked_sub(1)?;
        let declared = &self.declared[idx];
        let idx = (register.0 - declared.first) / declared.n_parts();
        let (number, element) = (idx / declared.n_elements, idx % declared.n_elements);
        if number >= declared.count.unwrap_or(1) {
            return None;
        }
        let mut name = declared.name.to_owned();
        if declared.count.is_some() {
            name.push_str(&number.to_string());
        }
        if declared.n_elements > 1 {
            name.push('.');
            name.push_str(ELEMENTS[element as usize]);
        }
        Some((name, size_of(declared.ty).min(8)))
    }

    /// A register that no name has.
    pub(super) fn fresh(&mut self) -> Register {
        self.n_registers += 1;
        Register(self.n_registers - 1)
    }

    /// The register of the carry (PTX ISA "CC.CF").
    pub(super) fn carry(&mut self) -> Register {
        match self.carry {
            Some(carry) => carry,
            None => {
                let carry = self.fresh();
                self.carry = Some(carry);
                carry
            }
        }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> DecodeError {
        DecodeError::new(self.place, message)
    }

    /// The operands are too many or too few, or of the wrong types.
    pub(super) fn misfit(&self, message: impl Into<String>) -> DecodeError {
        DecodeError { flaw: Flaw::Misfit, ..self.error(message) }
    }

    /// No such instruction is known.
    pub(super) fn unknown(&self, instruction: &syntax::Instruction<'t>) -> DecodeError {
        let dots: String = instruction.modifiers.iter().map(|modifier| format!(".{modifier}")).collect();
        let error = self.error(format!("unknown instruction `{}{dots}`", instruction.opcode));
        DecodeError { flaw: Flaw::UnknownForm, ..error }
    }

    /// There is such an instruction, and what it does is known to GPUs alone.
    pub(super) fn not_executed(&self, instruction: &syntax::Instruction<'t>) -> DecodeError {
        let dots: String = instruction.modifiers.iter().map(|modifier| format!(".{modifier}")).collect();
        let opcode = instruction.opcode;
        self.error(format!(
            "`{opcode}{dots}` is not executed: the emulator does not support `{opcode}`, which assembles \
             and runs on a GPU"
        ))
    }

    /// What has come with a version of PTX, and with an architecture.
    pub(super) fn require_target(&self, what: &str, version: (u32, u32), number: u32) -> Decoded<()> {
        let target = self.symbols.target;
        if target.version < version {
            let (major, minor) = version;
            return Err(self.error(format!("{what} needs `.version {major}.{minor}` or later")));
        }
        if target.number() < number {
            return Err(self.error(format!("{what} needs `.target sm_{number}` or higher")));
        }
        Ok(())
    }

    /// What only some architectures have.
    pub(super) fn require_architecture(
        &self,
        what: &str,
        version: (u32, u32),
        names: &[&str],
    ) -> Decoded<()> {
        self.require_target(what, version, 0)?;
        if names.contains(&self.symbols.target.name) {
            return Ok(());
        }
        Err(self.error(format!("{what} needs one of the targets {}", names.join(", "))))
    }

    /// What a name stands for, from the innermost block outwards.
    pub(super) fn find(&self, name: &str) -> Option<Name> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (stem, number) = name.split_at(name.len() - digits);
        let number: Option<u32> = number.parse().ok().filter(|_| digits == 1 || !number.starts_with('0'));
        for (scope, families) in self.scopes.iter().zip(&self.families).rev() {
            if let Some(&meaning) = scope.get(name) {
                return Some(meaning);
            }
            if let (Some(family), Some(number)) = (families.get(stem), number)
                && family.count.is_some_and(|count| number < count)
            {
                return Some(family.meaning(number));
            }
        }
        match self.symbols.find(name)? {
            Symbol::Variable(space, address) => Some(Name::Variable(space, address)),
            Symbol::Function(_) | Symbol::System(_) => None,
        }
    }

    /// A register for a result of a type; none for `_`.
    pub(super) fn result(&self, operand: &Operand<'t>, ty: Type) -> Decoded<Option<Register>> {
        if *operand == Operand::Sink {
            return Ok(None);
        }
        let (register, has) = self.result_register(operand)?;
        self.require_width(operand, has, ty)?;
        Ok(Some(register))
    }

    /// A result as wide as the type or wider, with the type of the register.
    pub(super) fn wide_result(&self, operand: &Operand<'t>, ty: Type) -> Decoded<(Option<Register>, Type)> {
        if *operand == Operand::Sink {
            return Ok((None, ty));
        }
        let (register, has) = self.result_register(operand)?;
        if size_of(has) < size_of(ty) {
            let message = format!("the register `{}` is too narrow for the result", spelled(operand));
            return Err(self.misfit(message));
        }
        self.require_kind(operand, has, ty)?;
        Ok((Some(register), has))
    }

    fn result_register(&self, operand: &Operand<'t>) -> Decoded<(Register, Type)> {
        match (operand, self.register(operand)?) {
            (_, Some(found)) => Ok(found),
            (Operand::Name(name) | Operand::Part(name, _), None) => match self.find(name) {
                Some(_) => Err(self.error(format!("`{name}` is not a register"))),
                None => Err(self.error(format!("`{name}` is not declared"))),
            },
            _ => Err(self.misfit("expected a register for the result")),
        }
    }

    /// The two registers of a value of 128 bits, the low half first.
    pub(super) fn wide_pair(&self, operand: &Operand<'t>) -> Decoded<[Register; 2]> {
        match operand {
            Operand::Name(name) => match self.find(name) {
                Some(Name::Register { first, ty: Type::B128 }) => Ok([Register(first), Register(first + 1)]),
                Some(_) => Err(self.misfit(format!("`{name}` is not a register of 128 bits"))),
                None => Err(self.error(format!("`{name}` is not declared"))),
            },
            _ => Err(self.misfit("expected a register of 128 bits")),
        }
    }

    fn require_width(&self, operand: &Operand<'t>, has: Type, wants: Type) -> Decoded<()> {
        if size_of(has) == size_of(wants) && (has == Type::Pred) == (wants == Type::Pred) {
            return self.require_kind(operand, has, wants);
        }
        let name = spelled(operand);
        Err(self.misfit(format!("the type of register `{name}` does not match the instruction")))
    }

    /// The size fits.
    fn require_kind(&self, operand: &Operand<'t>, has: Type, wants: Type) -> Decoded<()> {
        if self.named.agree(has, wants) {
            return Ok(());
        }
        let (name, has) = (spelled(operand), has.name());
        Err(self.misfit(format!("`{name}` has type `.{has}`, which does not match the instruction")))
    }

    /// Where the value of an operand of a type comes from.
    pub(super) fn source(&mut self, operand: &Operand<'t>, ty: Type) -> Decoded<Source> {
        match (operand, self.register_or_sum(operand)?) {
            (_, Some((register, has))) => {
                self.require_width(operand, has, ty)?;
                Ok(Source::Register(register))
            }
            (Operand::Name(name), None) => self.named_source(name, ty),
            (_, None) => self.other_source(operand, ty),
        }
    }

    /// The same, of a register as wide as the type or wider.
    pub(super) fn wide_source(&mut self, operand: &Operand<'t>, ty: Type) -> Decoded<Source> {
        match (operand, self.register_or_sum(operand)?) {
            (_, Some((register, has))) if size_of(has) >= size_of(ty) => {
                self.require_kind(operand, has, ty)?;
                Ok(Source::Register(register))
            }
            (_, Some(_)) => {
                let message =
                    format!("the register `{}` is too narrow for the instruction", spelled(operand));
                Err(self.misfit(message))
            }
            (Operand::Name(name), None) => self.named_source(name, ty),
            (_, None) => self.other_source(operand, ty),
        }
    }

    /// The address of a variable or function; a special register.
    fn named_source(&mut self, name: &'t str, ty: Type) -> Decoded<Source> {
        match self.find(name) {
            Some(Name::Frame { offset, .. }) => Ok(Source::Frame(offset as u32)),
            Some(Name::OpenParam(register)) => Ok(Source::Register(register)),
            Some(Name::KernelParam(offset)) => Ok(self.constant(offset)),
            Some(Name::Variable(space, address)) => Ok(self.variable_constant(space, address, address)),
            Some(Name::Register { .. } | Name::Vector { .. }) => {
                unreachable!("the caller handles registers")
            }
            None => {
                if let Some(source) = self.special_source(name, None, ty)? {
                    return Ok(source);
                }
                if is_special_vector(name) {
                    let message = format!("expected one value, but `{name}` is a vector of four");
                    return Err(self.misfit(message));
                }
                match self.symbols.find(name) {
                    Some(symbol) => {
                        let address = self.symbols.address(symbol, false);
                        self.bits(&Constant::Int(address), ty)
                    }
                    None if name.starts_with('%') => Err(self.error(format!("`{name}` is not declared"))),
                    None => Err(self.error(format!("`{name}` is not defined"))),
                }
            }
        }
    }

    fn other_source(&mut self, operand: &Operand<'t>, ty: Type) -> Decoded<Source> {
        match operand {
            Operand::Constant(Constant::Symbol(SymbolAddress {
                name,
                addend,
                is_generic: false,
                mask: None,
                ..
            })) => match self.find(name) {
                // Sums with registers have been made.
                Some(Name::Frame { offset, .. }) => {
                    let sum = offset.wrapping_add_signed(*addend) as u32;
                    self.frame_sums.insert(sum);
                    Ok(Source::Frame(sum))
                }
                Some(Name::KernelParam(offset)) => Ok(self.constant(offset.wrapping_add_signed(*addend))),
                Some(Name::Variable(space, address)) => {
                    Ok(self.variable_constant(space, address, address.wrapping_add_signed(*addend)))
                }
                Some(Name::Register { .. } | Name::Vector { .. } | Name::OpenParam(_)) => {
                    Err(self.error("a register with an offset is an address"))
                }
                None => Err(self.error(format!("`{name}` is not defined"))),
            },
            Operand::Constant(constant) => self.bits(constant, ty),
            Operand::Element(name, index) => self.element(name, index),
            Operand::Part(name, part) => match self.special_source(name, Some(part), ty)? {
                Some(source) => Ok(source),
                None => Err(self.misfit(format!("unknown special register `{name}.{part}`"))),
            },
            Operand::Negated(_) => Err(self.misfit("the instruction does not support `-` before an operand")),
            _ => Err(self.misfit("invalid operand")),
        }
    }

    /// A special register as a type; none if there is no such.
    fn special_source(&mut self, name: &str, part: Option<&str>, ty: Type) -> Decoded<Option<Source>> {
        let source = match (special(name, part), fixed(name, part)) {
            (Some(special), _) => Source::Special(special),
            (None, Some(value)) => self.constant(value),
            (None, None) => return Ok(None),
        };
        match self.named.special {
            SpecialUse::None => {
                let message = format!("`{name}` is a special register, which only `mov` and `cvt` can read");
                return Err(self.misfit(message));
            }
            SpecialUse::Moved if !is_read_as(name, ty) => {}
            SpecialUse::Converted if size_of(ty) > special_size(name) => {}
            SpecialUse::Moved | SpecialUse::Converted => return Ok(Some(source)),
        }
        let bits = 8 * special_size(name);
        Err(self.misfit(format!("`{name}` has {bits} bits and cannot be read as `.{}`", ty.name())))
    }

    /// A constant as the bits of a type.
    fn bits(&mut self, constant: &Constant<'t>, ty: Type) -> Decoded<Source> {
        let kind = match constant {
            Constant::Int(_) => Some(ConstantKind::Int),
            Constant::F32(_) => Some(ConstantKind::F32),
            Constant::F64(_) => Some(ConstantKind::F64),
            Constant::Symbol(_) => None,
        };
        if let Some(kind) = kind
            && !self.named.agrees_constant(kind, ty)
        {
            let what = if kind == ConstantKind::Int { "an integer" } else { "a floating-point number" };
            return Err(self.misfit(format!("{what} is not a valid operand here")));
        }
        let value = value_of(constant, ty, self.symbols).map_err(|message| self.error(message))?;
        let width = 8 * size_of(ty).min(8);
        let mask = if ty == Type::Pred { 1 } else { u64::MAX >> (64 - width) };
        let variable = match constant {
            Constant::Symbol(SymbolAddress { name, mask: None, .. }) => self.find(name),
            _ => None,
        };
        Ok(match variable {
            Some(Name::Variable(space, address)) => self.variable_constant(space, address, value & mask),
            _ => self.constant(value & mask),
        })
    }

    /// A constant that is an address of a variable: it is told apart from numbers.
    fn variable_constant(&mut self, space: Space, variable: u64, bits: u64) -> Source {
        let Some(base) = Base::of_variable(space, variable) else { return self.constant(bits) };
        let constants = &mut self.constants;
        let number = *self.variable_numbers.entry((bits, base)).or_insert_with(|| {
            constants.push([bits; WARP_SIZE]);
            constants.len() as u32 - 1
        });
        Source::Constant(number)
    }

    pub(super) fn constant(&mut self, bits: u64) -> Source {
        let constants = &mut self.constants;
        let number = *self.constant_numbers.entry(bits).or_insert_with(|| {
            constants.push([bits; WARP_SIZE]);
            constants.len() as u32 - 1
        });
        Source::Constant(number)
    }

    pub(super) fn guard(&self, guard: &syntax::Guard<'t>) -> Decoded<Guard> {
        let predicate = self.result(&Operand::Name(guard.name), Type::Pred)?;
        let predicate = predicate.ok_or_else(|| self.error("expected a predicate"))?;
        Ok(Guard { predicate, is_negated: guard.is_negated })
    }
}

/// How an operand that is a register is written.
fn spelled(operand: &Operand<'_>) -> String {
    match operand {
        Operand::Part(name, part) => format!("{name}.{part}"),
        Operand::Name(name) | Operand::Constant(Constant::Symbol(SymbolAddress { name, .. })) => {
            (*name).to_owned()
        }
        _ => String::new(),
    }
}

/// How large a vector of registers may be, in bytes.
const MAX_VECTOR: u64 = 16;

/// How many registers a function may have.
const MAX_REGISTERS: u64 = 1 << 20;
