//! Which object an address is derived from, found once for each function.
//!
//! In: the decoded instructions, and for each how its result comes from its operands ([`Flow`]). Out: for each load, store and
//! atomic operation the object that its address is derived from ([`Base`]), if that is sure: a chain of copies, conversions and sums
//! leads from that object alone to the address, on every path. An address that is a sum or difference of two pointers, or was loaded
//! from memory, has no base. So `p + (q - p)` has none.
//!
//! Local variables share one array, the depot. Where debug information says which bytes are whose (`debug`), the sum of the
//! depot's address and constants is the address of a variable, and what is added to that after it stays in the variable.
//!
//! A register has one state for the whole function, the join of all instructions that write it.

use std::collections::HashSet;

use super::code::{Address, Atomic, Code, Instruction, Memory, Op, Register, Source};
use crate::ptx::syntax::Space;

/// An object that addresses are derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Base {
    /// What the pointer in a kernel's parameter points to: the offset of the pointer in `.param`.
    Param(u32),
    /// A variable in global memory, by its address.
    Global(u64),
    /// A variable in shared memory, by its address there.
    Shared(u64),
    /// A variable in constant memory, by its address there.
    Constant(u64),
    /// The variable in local memory that an offset in the frame is in.
    Frame(u32),
}

impl Base {
    /// A variable of a space at an address there.
    pub(super) fn of_variable(space: Space, address: u64) -> Option<Self> {
        match space {
            Space::Global => Some(Base::Global(address)),
            Space::Shared => Some(Base::Shared(address)),
            Space::Const => Some(Base::Constant(address)),
            _ => None,
        }
    }
}

/// How the result of an instruction comes from its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The operand in other words: `mov`, `cvta`, `cvt` between integers.
    Copy,
    /// A sum, also with carries between bits left out: `add`, `or`, `and`, `xor`.
    Sum,
    Difference,
    /// A product and a sum: `mad`.
    ProductSum,
    /// A number of elements becomes a number of bytes: `mul`, `shl`.
    Product,
    /// One of the first two operands: `selp`.
    Choice,
    /// Anything else.
    Other,
}

impl Flow {
    /// That of an instruction (PTX ISA "Integer Arithmetic Instructions" and others).
    pub(super) fn of(opcode: &str, modifiers: &[&str]) -> Self {
        const INTEGERS: [&str; 12] =
            ["u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "lo", "wide", "to"];
        const SPACES: [&str; 7] = ["global", "shared", "shared::cta", "const", "local", "param", "generic"];
        let is_plain =
            modifiers.iter().all(|modifier| INTEGERS.contains(modifier) || SPACES.contains(modifier));
        if !is_plain {
            return Flow::Other;
        }
        match opcode {
            "mov" | "cvta" | "cvt" => Flow::Copy,
            "add" | "or" | "and" | "xor" => Flow::Sum,
            "sub" => Flow::Difference,
            "mad" => Flow::ProductSum,
            "mul" | "shl" => Flow::Product,
            "selp" => Flow::Choice,
            _ => Flow::Other,
        }
    }
}

/// What is known of the value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Nothing has been seen to write it.
    Unseen,
    /// A number that no pointer went into.
    Number,
    From(Base),
    /// The address at an offset in the frame that is in a depot, and nothing else.
    Slot(u32),
    /// It may be any pointer, or a difference of two.
    Unknown,
}

/// What a function's instructions say of addresses, beside their operands.
#[derive(Default)]
pub(super) struct Hints {
    /// For each instruction.
    pub(super) flows: Vec<Flow>,
    /// For each instruction, the variable that it names in the place of an address.
    pub(super) direct: Vec<Option<Base>>,
    /// Constants that are addresses of variables, by number.
    pub(super) constants: Vec<(u32, Base)>,
    /// Offsets in the frame that are sums of a variable's and a number.
    pub(super) frame_sums: HashSet<u32>,
    /// Offsets in the frame where depots begin whose variables are known.
    pub(super) depots: Vec<u64>,
}

/// The base of the address of each instruction of a function.
pub(super) fn find(code: &Code, hints: &Hints, is_kernel: bool, word: u64) -> Vec<Option<Base>> {
    let mut analysis = Analysis {
        registers: vec![Origin::Unseen; code.n_registers as usize],
        constants: vec![Origin::Number; code.constants.len()],
        code,
        hints,
        is_kernel,
        word,
    };
    for &(number, base) in &hints.constants {
        analysis.constants[number as usize] = Origin::From(base);
    }
    for unwritten in &code.unwritten {
        analysis.registers[unwritten.register.0 as usize] = Origin::Unknown;
    }
    if let Some(register) = code.open_param {
        analysis.registers[register.0 as usize] = Origin::Unknown;
    }
    while code
        .instructions
        .iter()
        .enumerate()
        .fold(false, |is_changed, (pc, instruction)| analysis.step(pc, instruction) || is_changed)
    {}
    let base = |(pc, instruction): (usize, &Instruction)| {
        let address = accessed(&instruction.op)?;
        match address.base {
            None => hints.direct[pc],
            Some(source) => match analysis.origin(source) {
                Origin::From(base) => Some(base),
                Origin::Unseen | Origin::Number | Origin::Slot(_) | Origin::Unknown => None,
            },
        }
    };
    code.instructions.iter().enumerate().map(base).collect()
}

/// The address of an instruction that accesses memory at one.
fn accessed(op: &Op) -> Option<&Address> {
    match op {
        Op::Load { address, .. } | Op::Store { address, .. } => Some(address),
        Op::Atomic(Atomic { address, .. }) => Some(address),
        Op::AtomicVector(atomic) => Some(&atomic.address),
        Op::AtomicWide(atomic) => Some(&atomic.address),
        _ => None,
    }
}

struct Analysis<'h> {
    registers: Vec<Origin>,
    constants: Vec<Origin>,
    code: &'h Code,
    hints: &'h Hints,
    is_kernel: bool,
    /// How many bytes an address has.
    word: u64,
}

impl Analysis<'_> {
    /// Looks at an instruction; whether something became known of a register.
    fn step(&mut self, pc: usize, instruction: &Instruction) -> bool {
        match &instruction.op {
            Op::Load { address, width, results, .. } => {
                let mut is_changed = false;
                for (idx, result) in results.iter().enumerate() {
                    let offset = address.offset.wrapping_add(idx as i64 * width.bytes() as i64);
                    let origin = match (address.memory, address.base) {
                        _ if width.bytes() < self.word => Origin::Number,
                        (Memory::Param, None) if self.is_kernel => {
                            u32::try_from(offset).map_or(Origin::Unknown, |at| Origin::From(Base::Param(at)))
                        }
                        _ => Origin::Unknown,
                    };
                    is_changed |= result.is_some_and(|register| self.join(register.0, origin));
                }
                is_changed
            }
            Op::Compute { operands, results, .. } => {
                let origins: Vec<Origin> = operands.iter().map(|&operand| self.origin(operand)).collect();
                let flow = if results.len() == 1 { self.hints.flows[pc] } else { Flow::Other };
                let origin = self.moved(flow, operands, &origins).unwrap_or_else(|| flow.result(&origins));
                self.join_all(results.iter().flatten().copied(), origin)
            }
            Op::Divide { operands, result, .. } => {
                let origins = operands.map(|operand| self.origin(operand));
                result.is_some_and(|register| self.join(register.0, Flow::Other.result(&origins)))
            }
            op => {
                let origins: Vec<Origin> =
                    op.sources().into_iter().map(|source| self.origin(source)).collect();
                let origin = match op {
                    Op::WarpCollective { .. } => Flow::Other.result(&origins),
                    _ => Origin::Unknown,
                };
                self.join_all(op.results(), origin)
            }
        }
    }

    /// The address in a depot that an address in it becomes when a constant is added.
    fn moved(&self, flow: Flow, operands: &[Source], origins: &[Origin]) -> Option<Origin> {
        match (flow, origins, operands) {
            (Flow::Sum, &[Origin::Slot(at), Origin::Number], &[_, Source::Constant(number)]) => {
                let addend = self.code.constants[number as usize][0];
                Some(Origin::Slot((u64::from(at)).wrapping_add(addend) as u32))
            }
            _ => None,
        }
    }

    fn origin(&self, source: Source) -> Origin {
        match source {
            Source::Register(register) => self.registers[register.0 as usize],
            Source::Constant(number) => self.constants[number as usize],
            Source::Special(_) => Origin::Number,
            Source::Frame(offset) if self.hints.frame_sums.contains(&offset) => Origin::Unknown,
            Source::Frame(offset) if self.hints.depots.contains(&u64::from(offset)) => Origin::Slot(offset),
            Source::Frame(offset) => Origin::From(Base::Frame(offset)),
        }
    }

    /// The same for several; whether something became known of any.
    fn join_all(&mut self, registers: impl IntoIterator<Item = Register>, origin: Origin) -> bool {
        let mut is_changed = false;
        for register in registers {
            is_changed |= self.join(register.0, origin);
        }
        is_changed
    }

    /// A register may hold this as well; whether that is new.
    fn join(&mut self, register: u32, new: Origin) -> bool {
        let known = &mut self.registers[register as usize];
        let joined = known.or(new);
        let is_changed = joined != *known;
        *known = joined;
        is_changed
    }
}

impl Flow {
    fn result(self, operands: &[Origin]) -> Origin {
        if operands.contains(&Origin::Unseen) {
            return Origin::Unseen;
        }
        match (self, operands) {
            (Flow::Copy, &[only]) => only,
            (Flow::Sum, &[a, b]) => a.plus(b),
            (Flow::Difference, &[a, b]) => match (a.based(), b.based()) {
                (Origin::From(a), Origin::From(b)) if a == b => Origin::Number,
                (a, Origin::Number) => a,
                _ => Origin::Unknown,
            },
            (Flow::Product, &[a, b]) => a.times(b),
            (Flow::ProductSum, &[a, b, c]) => a.times(b).plus(c),
            (Flow::Choice, &[a, b, _]) => a.or(b),
            _ if operands.iter().all(|&operand| operand == Origin::Number) => Origin::Number,
            _ => Origin::Unknown,
        }
    }
}

impl Origin {
    fn or(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Unseen, other) | (other, Origin::Unseen) => other,
            (a, b) if a == b => a,
            _ => Origin::Unknown,
        }
    }

    /// What stays known if a number is added.
    fn based(self) -> Origin {
        match self {
            Origin::Slot(at) => Origin::From(Base::Frame(at)),
            Origin::Unseen | Origin::Number | Origin::From(_) | Origin::Unknown => self,
        }
    }

    fn plus(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Number, other) | (other, Origin::Number) => other.based(),
            _ => Origin::Unknown,
        }
    }

    /// An element's number times its size. A parameter of the size of a pointer is a number here.
    fn times(self, other: Origin) -> Origin {
        let is_unknown = self == Origin::Unknown || other == Origin::Unknown;
        if is_unknown { Origin::Unknown } else { Origin::Number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::link::{Input, link};

    /// The bases of the loads and stores of a kernel, in their order.
    fn bases(body: &str) -> Vec<Option<Base>> {
        let text = format!(
            ".version 8.0 .target sm_80 .address_size 64 .shared .b8 tile[64]; .shared .b8 other[64]; .global .u32 n;
            .visible .entry k(.param .u64 a, .param .u64 b, .param .u32 i, .param .u64 m) {{
                .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<19>; .local .b8 l[16]; .local .b8 l2[16];
                ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [i]; ld.param.u64 %rd3, [m];
                setp.eq.u32 %p, %r1, 0;
                {body} ret; }}"
        );
        let module = crate::ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let program = link(&[Input { name: "k", text: &text, module: &module }]);
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        let code = &program.codes[0];
        let accesses = code.instructions.iter().zip(&code.bases).skip(5);
        accesses
            .filter(|(instruction, _)| accessed(&instruction.op).is_some())
            .map(|(_, &base)| base)
            .collect()
    }

    #[test]
    fn sums_and_copies_of_one_pointer_keep_it() {
        let body = "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r2, [%rd5+8];
            cvta.to.global.u64 %rd6, %rd2; shl.b64 %rd7, %rd3, 2; add.s64 %rd8, %rd6, %rd7; st.global.u32 [%rd8], %r2;
            mad.wide.u32 %rd9, %r2, 4, %rd1; ld.u32 %r3, [%rd9]; or.b64 %rd10, %rd9, 4; ld.u32 %r3, [%rd10];
            sub.s64 %rd11, %rd1, %rd4; ld.u32 %r3, [%rd11]; atom.global.add.u32 %r3, [%rd8], 1;";
        let [a, b] = [Some(Base::Param(0)), Some(Base::Param(8))];
        assert_eq!(bases(body), [a, b, a, a, a, b]);
    }

    #[test]
    fn what_may_be_another_pointer_has_no_base() {
        // A difference of two, a choice, a pointer from memory, a sum with an unscaled parameter, and two ways to one register.
        let body = "sub.s64 %rd4, %rd2, %rd1; add.s64 %rd5, %rd1, %rd4; ld.u32 %r2, [%rd5];
            selp.b64 %rd6, %rd1, %rd2, %p; ld.u32 %r2, [%rd6]; ld.u64 %rd7, [%rd1]; ld.u32 %r2, [%rd7];
            add.s64 %rd8, %rd1, %rd3; ld.u32 %r2, [%rd8]; mov.b64 %rd9, %rd1; @%p mov.b64 %rd9, %rd2; ld.u32 %r2, [%rd9];
            add.s64 %rd10, %rd1, %rd7; ld.u32 %r2, [%rd10]; ld.u32 %r2, [%rd12];";
        let mut expected = [None; 8];
        expected[2] = Some(Base::Param(0));
        assert_eq!(bases(body), expected);
    }

    #[test]
    fn a_pointer_that_steps_through_a_loop_keeps_its_base() {
        let body = "mov.b64 %rd4, %rd1; L: ld.u32 %r2, [%rd4]; add.s64 %rd4, %rd4, 4; @%p bra L;
            selp.b64 %rd5, %rd4, %rd1, %p; ld.u32 %r2, [%rd5]; sub.s64 %rd6, %rd4, %rd1; add.s64 %rd7, %rd2, %rd6;
            ld.u32 %r2, [%rd7];";
        assert_eq!(bases(body), [Some(Base::Param(0)), Some(Base::Param(0)), Some(Base::Param(8))]);
    }

    #[test]
    fn variables_are_told_apart_from_numbers() {
        let body = "mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3; st.shared.u32 [%r4], %r1;
            mov.u32 %r5, other+4; st.shared.u32 [%r5], 0; st.shared.u32 [other+8], 0; mov.u32 %r6, 0; ld.shared.u32 %r7, [%r6];
            mov.u64 %rd4, n; ld.global.u32 %r7, [%rd4]; mov.u64 %rd5, l2; ld.local.u32 %r7, [%rd5];
            cvta.shared.u64 %rd6, 0; cvta.local.u64 %rd7, %rd5; ld.u32 %r7, [%rd7];";
        let found = bases(body);
        let (tile, other) = (Some(Base::Shared(0)), Some(Base::Shared(64)));
        assert_eq!(found[..4], [tile, other, other, None]);
        assert!(matches!(found[4..], [Some(Base::Global(_)), Some(Base::Frame(16)), Some(Base::Frame(16))]));
    }
}
