//! Kinds of instructions, for those who count them.
//!
//! In: an opcode with its modifiers. Out: what kind of work it is. Any instruction has a kind, also one that is not
//! listed here: that of the type which it names last.

use std::fmt;

use crate::ptx::syntax::Type;

/// What kind of work an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Arithmetic on integers.
    Integer,
    /// Arithmetic in `.f32`.
    Float32,
    /// Arithmetic in `.f64`.
    Float64,
    /// Arithmetic in `.f16` and `.bf16`, also on pairs of them, and in smaller formats.
    Half,
    /// `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh`.
    SpecialFunction,
    /// `cvt`.
    Conversion,
    /// Comparisons, and what chooses between two values: `setp`, `set`, `selp`, `slct`, `testp`.
    Comparison,
    /// Logic, shifts, and bits and bytes of words.
    Logic,
    /// Copies between registers, special registers, and addresses of one space as those of another.
    Move,
    /// A load.
    Load(AccessSpace),
    /// A store.
    Store(AccessSpace),
    /// An atomic operation on memory: `atom`, `red`.
    Atomic(AccessSpace),
    /// A read of a texture, an access to a surface: `tex`, `tld4`, `suld`, `sust`, `sured`, and what asks about them.
    Texture,
    /// Barriers of the block, and fences.
    Barrier,
    /// What the threads of a warp do together: `shfl`, `vote`, `match`, `redux` and their kin.
    Warp,
    /// Products of matrices: `mma`, `wmma.mma`, and `movmatrix`.
    Matrix,
    /// Branches: `bra`, `brx`.
    Branch,
    /// Calls, returns, and the end of a thread.
    Call,
    /// All else: `trap`, `nanosleep`, `prefetch`.
    Other,
}

/// The space that an access names; where it goes may turn out only when it is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessSpace {
    /// `.global`
    Global,
    /// `.shared`
    Shared,
    /// `.local`
    Local,
    /// `.const`
    Constant,
    /// `.param`
    Parameter,
    /// None is named: the address tells.
    Generic,
}

impl Kind {
    /// The kind of an instruction.
    pub fn of(opcode: &str, modifiers: &[&str]) -> Kind {
        match opcode {
            "ld" | "ldu" => Kind::Load(AccessSpace::of(modifiers)),
            "st" => Kind::Store(AccessSpace::of(modifiers)),
            "ldmatrix" => Kind::Load(AccessSpace::of(modifiers)),
            "stmatrix" => Kind::Store(AccessSpace::of(modifiers)),
            "wmma" if modifiers.first() == Some(&"load") => Kind::Load(AccessSpace::of(modifiers)),
            "wmma" if modifiers.first() == Some(&"store") => Kind::Store(AccessSpace::of(modifiers)),
            "mma" | "wmma" | "movmatrix" => Kind::Matrix,
            "atom" | "red" => Kind::Atomic(AccessSpace::of(modifiers)),
            "tex" | "tld4" | "txq" | "istypep" | "suld" | "sust" | "sured" | "suq" => Kind::Texture,
            "bar" if modifiers.first() == Some(&"warp") => Kind::Warp,
            "bar" | "barrier" | "membar" | "fence" | "mbarrier" => Kind::Barrier,
            "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => Kind::Warp,
            "bra" | "brx" => Kind::Branch,
            "call" | "ret" | "exit" => Kind::Call,
            "mov" | "cvta" | "isspacep" | "alloca" | "stacksave" | "stackrestore" => Kind::Move,
            "cvt" => Kind::Conversion,
            "setp" | "set" | "selp" | "slct" | "testp" => Kind::Comparison,
            "and" | "or" | "xor" | "not" | "cnot" | "lop3" | "shl" | "shr" | "shf" | "bfe" | "bfi"
            | "bfind" | "bmsk" | "brev" | "clz" | "fns" | "popc" | "prmt" | "szext" => Kind::Logic,
            "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => Kind::SpecialFunction,
            "nanosleep" | "prefetch" | "prefetchu" | "pmevent" | "griddepcontrol" | "trap" | "brkpt" => {
                Kind::Other
            }
            _ => Kind::by_type(modifiers),
        }
    }

    /// By the type that an instruction names last.
    fn by_type(modifiers: &[&str]) -> Kind {
        let of_type = |modifier: &&str| match *modifier {
            "f32" | "f32x2" => Some(Kind::Float32),
            "f64" => Some(Kind::Float64),
            "f16" | "f16x2" | "bf16" | "bf16x2" => Some(Kind::Half),
            "u16x2" | "s16x2" | "u8x4" | "s8x4" => Some(Kind::Integer),
            other => Type::named(other).map(|_| Kind::Integer),
        };
        modifiers.iter().rev().find_map(of_type).unwrap_or(Kind::Other)
    }
}

impl AccessSpace {
    fn of(modifiers: &[&str]) -> AccessSpace {
        let named = |modifier: &&str| match modifier.split("::").next() {
            Some("global") => Some(AccessSpace::Global),
            Some("shared") => Some(AccessSpace::Shared),
            Some("local") => Some(AccessSpace::Local),
            Some("const") => Some(AccessSpace::Constant),
            Some("param") => Some(AccessSpace::Parameter),
            _ => None,
        };
        modifiers.iter().find_map(named).unwrap_or(AccessSpace::Generic)
    }
}

impl fmt::Display for Kind {
    /// `integer`, `load global`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Integer => "integer",
            Kind::Float32 => "float32",
            Kind::Float64 => "float64",
            Kind::Half => "half",
            Kind::SpecialFunction => "special function",
            Kind::Conversion => "conversion",
            Kind::Comparison => "comparison",
            Kind::Logic => "logic",
            Kind::Move => "move",
            Kind::Load(space) => return write!(f, "load {space}"),
            Kind::Store(space) => return write!(f, "store {space}"),
            Kind::Atomic(space) => return write!(f, "atomic {space}"),
            Kind::Texture => "texture",
            Kind::Barrier => "barrier",
            Kind::Warp => "warp-wide",
            Kind::Matrix => "matrix",
            Kind::Branch => "branch",
            Kind::Call => "call",
            Kind::Other => "other",
        })
    }
}

impl fmt::Display for AccessSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessSpace::Global => "global",
            AccessSpace::Shared => "shared",
            AccessSpace::Local => "local",
            AccessSpace::Constant => "constant",
            AccessSpace::Parameter => "parameter",
            AccessSpace::Generic => "generic",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(instruction: &str) -> Kind {
        let mut parts = instruction.split('.');
        let opcode = parts.next().unwrap_or_default();
        Kind::of(opcode, &parts.collect::<Vec<&str>>())
    }

    #[test]
    fn arithmetic_is_told_apart_by_type() {
        assert_eq!(["add.s32", "mad.lo.u32", "mul.wide.u32", "dp4a.u32.s32"].map(kind), [Kind::Integer; 4]);
        assert_eq!(["fma.rn.ftz.f32", "div.full.f32", "add.rn.f32x2"].map(kind), [Kind::Float32; 3]);
        assert_eq!(kind("fma.rn.f64"), Kind::Float64);
        assert_eq!(["fma.rn.f16x2", "max.bf16"].map(kind), [Kind::Half; 2]);
        assert_eq!(["rcp.approx.f32", "ex2.approx.ftz.f16"].map(kind), [Kind::SpecialFunction; 2]);
        assert_eq!(kind("cvt.rn.f32.s32"), Kind::Conversion);
        assert_eq!(["setp.lt.f32", "selp.b32"].map(kind), [Kind::Comparison; 2]);
        assert_eq!(["and.pred", "shl.b32", "lop3.b32"].map(kind), [Kind::Logic; 3]);
        // Nobody knows it here; its type says enough.
        assert_eq!(kind("vadd4.s32.s32.s32.add"), Kind::Integer);
        let products =
            ["mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", "movmatrix.sync.aligned.m8n8.trans.b16"];
        assert_eq!(products.map(kind), [Kind::Matrix; 2]);
        assert_eq!(["trap", "nanosleep.u32"].map(kind), [Kind::Other; 2]);
    }

    #[test]
    fn accesses_are_told_apart_by_space() {
        assert_eq!(kind("ld.global.nc.v4.f32"), Kind::Load(AccessSpace::Global));
        assert_eq!(kind("st.shared::cta.b32"), Kind::Store(AccessSpace::Shared));
        assert_eq!(kind("ld.param::entry.u64"), Kind::Load(AccessSpace::Parameter));
        assert_eq!(kind("ld.volatile.u32"), Kind::Load(AccessSpace::Generic));
        assert_eq!(kind("red.relaxed.gpu.global.add.u32"), Kind::Atomic(AccessSpace::Global));
        assert_eq!(kind("ldmatrix.sync.aligned.m8n8.x1.shared.b16"), Kind::Load(AccessSpace::Shared));
        assert_eq!(kind("wmma.store.d.sync.aligned.row.m8n8k4.global.f64"), Kind::Store(AccessSpace::Global));
        assert_eq!(kind("redux.sync.add.u32"), Kind::Warp);
        assert_eq!(["bar.warp.sync", "shfl.sync.bfly.b32"].map(kind), [Kind::Warp; 2]);
        assert_eq!(["bar.sync", "barrier.cta.red.popc.u32", "membar.gl"].map(kind), [Kind::Barrier; 3]);
        assert_eq!(["bra.uni", "ret", "call"].map(kind), [Kind::Branch, Kind::Call, Kind::Call]);
    }
}
