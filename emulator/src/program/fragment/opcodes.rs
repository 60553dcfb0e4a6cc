//! All instructions of PTX ISA 9.1 by name, and the versions of PTX that they and their modifiers came with (PTX ISA,
//! "Instruction Set", the notes of each instruction; "Changes in PTX ISA Version …").

use crate::program::{convert, matrix};
use crate::ptx::syntax::Type;

/// The version of PTX of which all instructions and modifiers are known here.
pub const VERSION: (u32, u32) = (9, 1);

/// The names of the instructions, in order, each with the version that it came with.
const INSTRUCTIONS: &[(&str, (u32, u32))] = &[
    ("abs", (1, 0)),
    ("activemask", (6, 2)),
    ("add", (1, 0)),
    ("addc", (1, 2)),
    ("alloca", (7, 3)),
    ("and", (1, 0)),
    ("applypriority", (7, 4)),
    ("atom", (1, 1)),
    ("bar", (1, 0)),
    ("barrier", (6, 0)),
    ("bfe", (2, 0)),
    ("bfi", (2, 0)),
    ("bfind", (2, 0)),
    ("bmsk", (7, 6)),
    ("bra", (1, 0)),
    ("brev", (2, 0)),
    ("brkpt", (1, 0)),
    ("brx", (6, 0)),
    ("call", (1, 0)),
    ("clusterlaunchcontrol", (8, 6)),
    ("clz", (2, 0)),
    ("cnot", (1, 0)),
    ("copysign", (2, 0)),
    ("cos", (1, 0)),
    ("cp", (7, 0)),
    ("createpolicy", (7, 4)),
    ("cvt", (1, 0)),
    ("cvta", (2, 0)),
    ("discard", (7, 4)),
    ("div", (1, 0)),
    ("dp2a", (5, 0)),
    ("dp4a", (5, 0)),
    ("elect", (8, 0)),
    ("ex2", (1, 0)),
    ("exit", (1, 0)),
    ("fabric", (9, 3)),
    ("fence", (6, 0)),
    ("fma", (1, 4)),
    ("fns", (6, 0)),
    ("getctarank", (7, 8)),
    ("griddepcontrol", (7, 8)),
    ("isspacep", (2, 0)),
    ("istypep", (4, 0)),
    ("ld", (1, 0)),
    ("ldmatrix", (6, 5)),
    ("ldu", (2, 0)),
    ("lg2", (1, 0)),
    ("lop3", (4, 3)),
    ("mad", (1, 0)),
    ("mad24", (1, 0)),
    ("madc", (3, 0)),
    ("mapa", (7, 8)),
    ("match", (6, 0)),
    ("max", (1, 0)),
    ("mbarrier", (7, 0)),
    ("membar", (1, 4)),
    ("min", (1, 0)),
    ("mma", (6, 4)),
    ("mov", (1, 0)),
    ("movmatrix", (7, 8)),
    ("mul", (1, 0)),
    ("mul24", (1, 0)),
    ("multimem", (8, 1)),
    ("nanosleep", (6, 3)),
    ("neg", (1, 0)),
    ("not", (1, 0)),
    ("or", (1, 0)),
    ("pmevent", (1, 4)),
    ("popc", (2, 0)),
    ("prefetch", (2, 0)),
    ("prefetchu", (2, 0)),
    ("prmt", (2, 0)),
    ("rcp", (1, 0)),
    ("red", (1, 2)),
    ("redux", (7, 0)),
    ("rem", (1, 0)),
    ("ret", (1, 0)),
    ("rsqrt", (1, 0)),
    ("sad", (1, 0)),
    ("selp", (1, 0)),
    ("set", (1, 0)),
    ("setmaxnreg", (8, 0)),
    ("setp", (1, 0)),
    ("shf", (3, 1)),
    ("shfl", (3, 0)),
    ("shl", (1, 0)),
    ("shr", (1, 0)),
    ("sin", (1, 0)),
    ("slct", (1, 0)),
    ("sqrt", (1, 0)),
    ("st", (1, 0)),
    ("stackrestore", (7, 3)),
    ("stacksave", (7, 3)),
    ("stmatrix", (7, 8)),
    ("sub", (1, 0)),
    ("subc", (1, 2)),
    ("suld", (1, 5)),
    ("suq", (1, 5)),
    ("sured", (2, 0)),
    ("sust", (1, 5)),
    ("szext", (7, 6)),
    ("tanh", (7, 0)),
    ("tcgen05", (8, 6)),
    ("tensormap", (8, 3)),
    ("testp", (2, 0)),
    ("tex", (1, 0)),
    ("tld4", (2, 2)),
    ("trap", (1, 0)),
    ("txq", (1, 5)),
    ("vabsdiff", (2, 0)),
    ("vabsdiff2", (3, 0)),
    ("vabsdiff4", (3, 0)),
    ("vadd", (2, 0)),
    ("vadd2", (3, 0)),
    ("vadd4", (3, 0)),
    ("vavrg2", (3, 0)),
    ("vavrg4", (3, 0)),
    ("vmad", (2, 0)),
    ("vmax", (2, 0)),
    ("vmax2", (3, 0)),
    ("vmax4", (3, 0)),
    ("vmin", (2, 0)),
    ("vmin2", (3, 0)),
    ("vmin4", (3, 0)),
    ("vote", (1, 2)),
    ("vset", (2, 0)),
    ("vset2", (3, 0)),
    ("vset4", (3, 0)),
    ("vshl", (2, 0)),
    ("vshr", (2, 0)),
    ("vsub", (2, 0)),
    ("vsub2", (3, 0)),
    ("vsub4", (3, 0)),
    ("wgmma", (8, 0)),
    ("wmma", (6, 0)),
    ("xor", (1, 0)),
];

/// Modifiers that came later than the instructions that have them, each with the version that has it everywhere.
const MODIFIERS: &[(&str, (u32, u32))] = &[
    ("L2::128B", (7, 4)),
    ("L2::256B", (7, 4)),
    ("L2::64B", (7, 4)),
    ("L2::cache_hint", (7, 4)),
    ("L1::evict_first", (7, 4)),
    ("L1::evict_last", (7, 4)),
    ("L1::evict_normal", (7, 4)),
    ("L1::evict_unchanged", (7, 4)),
    ("L1::no_allocate", (7, 4)),
    ("L2::evict_first", (7, 4)),
    ("L2::evict_last", (7, 4)),
    ("L2::evict_normal", (7, 4)),
    ("NaN", (7, 0)),
    ("acq_rel", (6, 0)),
    ("acquire", (6, 0)),
    ("async", (8, 1)),
    ("b128", (8, 4)),
    ("bf16", (7, 8)),
    ("bf16x2", (7, 8)),
    ("bulk", (8, 0)),
    ("cluster", (7, 8)),
    ("cta", (6, 0)),
    ("expect_tx", (8, 0)),
    ("f16", (4, 2)),
    ("f16x2", (4, 2)),
    ("f32x2", (8, 6)),
    ("idx", (6, 0)),
    ("mmio", (8, 2)),
    ("parity", (7, 1)),
    ("proxy", (7, 5)),
    ("relaxed", (6, 0)),
    ("release", (6, 0)),
    ("relu", (7, 0)),
    ("rs", (8, 7)),
    ("s16x2", (8, 0)),
    ("sc", (6, 0)),
    ("shared::cluster", (7, 8)),
    ("shared::cta", (7, 8)),
    ("sync", (6, 0)),
    ("sys", (6, 0)),
    ("tf32", (7, 0)),
    ("try_wait", (7, 8)),
    ("u16x2", (8, 0)),
    ("v8", (8, 8)),
    ("warp", (6, 0)),
    ("weak", (6, 0)),
    ("xorsign", (7, 2)),
    ("rna", (7, 0)),
    ("4d", (8, 0)),
    ("5d", (8, 0)),
    ("tensor", (8, 0)),
    ("tile", (8, 0)),
    ("bulk_group", (8, 0)),
    ("read", (8, 0)),
    ("mbarrier::complete_tx::bytes", (8, 0)),
    ("multicast::cluster", (8, 0)),
    ("complete_tx", (8, 0)),
    ("mma_async", (8, 0)),
    ("m8n16", (8, 6)),
    ("m16n8", (8, 6)),
    ("m16n16", (8, 6)),
    ("b8x16", (8, 6)),
    ("b4x16_p64", (8, 6)),
    ("b6x16_p32", (8, 6)),
    ("m16n8k4", (7, 0)),
    ("m16n8k8", (7, 0)),
    ("m16n8k16", (7, 0)),
    ("m16n8k32", (7, 0)),
    ("m16n8k64", (7, 0)),
    ("m16n8k128", (7, 0)),
    ("m16n8k256", (7, 0)),
    ("m8n8k16", (7, 0)),
    ("m8n8k32", (7, 0)),
    ("m8n8k128", (7, 0)),
];

/// Modifiers of instructions that the LLVM of today does not know, each with the version that ptxas wants for it.
const NEWER_MODIFIERS: &[(&str, (u32, u32))] = &[
    ("ignore_oob", (9, 2)),
    ("check_layout", (9, 3)),
    ("fabric::fabric", (9, 3)),
    ("fabric::generic", (9, 3)),
    ("generic::fabric", (9, 3)),
    ("layout::v0", (9, 3)),
    ("layout::v1", (9, 3)),
    ("mbarrier::complete_tx::16B", (9, 3)),
    ("mbarrier::report::fabric", (9, 3)),
    ("op_restrict::fetching", (9, 3)),
    ("phase_type::conditional", (9, 3)),
    ("phase_type::primary", (9, 3)),
    ("sync_restrict::reads", (9, 3)),
    ("L1::32B", (9, 4)),
    ("exclusive", (9, 4)),
    ("mbarrier::report::disabled", (9, 4)),
    ("mbarrier::report::validity::per_16bytes::8", (9, 4)),
    ("mbarrier::report::validity::per_16bytes::80", (9, 4)),
    ("mbarrier::report::validity::per_16bytes::8000", (9, 4)),
    ("mbarrier::report::validity::per_16bytes::80000000", (9, 4)),
    ("mbarrier::report::validity::per_element::ff", (9, 4)),
    ("multicast::cluster::32b", (9, 4)),
    ("override::global_address", (9, 4)),
    ("override::global_dim", (9, 4)),
    ("override::global_dim_stride", (9, 4)),
    ("sp::2:4", (9, 4)),
    ("spcompress", (9, 4)),
    ("sync_restrict::shared::cluster::read", (9, 4)),
    ("sync_restrict::shared::read::mma::a", (9, 4)),
    ("try_atom", (9, 4)),
    ("valid_addr", (9, 4)),
    ("2pi", (9, 5)),
    ("sync_restrict::proxy::async", (9, 5)),
    ("sync_restrict::read", (9, 5)),
];

/// Instructions with modifiers that are old elsewhere, likewise.
const NEWER_FORMS: &[(&str, &[&str], (u32, u32))] = &[
    ("cp", &["prefetch", "L2::evict_last"], (9, 4)),
    ("ld", &["volatile", "local"], (9, 1)),
    ("st", &["volatile", "local"], (9, 1)),
    ("applypriority", &["async"], (9, 4)),
    ("fence", &["alias", "acquire"], (9, 4)),
    ("fence", &["alias", "release"], (9, 4)),
    ("fabric", &["submit", "commit_group"], (9, 5)),
];

/// Modifiers that every instruction that has them has had from its beginning, or from version 6.0 on.
const OLD_MODIFIERS: &str = "rn rz rm rp rni rzi rmi rpi sat ftz cc hi lo wide approx full global shared local const param \
     volatile ca cg cs lu cv wb wt nc v2 v4 eq ne lt le gt ge ls hs equ neu ltu leu gtu geu num nan lo and or xor \
     add inc dec min max exch cas uni to gpu gl down up bfly idx all any ballot red popc arrive l r clamp wrap u8 u16 \
     u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 f32 f64 pred noftz aligned L1 L2 mask f4e b4e rc8 ecl ecr rc16 shiftamt \
     po noinc finite infinite number notanumber normal subnormal b0 b1 b2 b3 h0 h1 shr7 shr15 \
     x1 x2 x4 trans m8n8 row col m8n8k4 \
     commit_group wait_group wait_all init inval test_wait pending_count noComplete arrive_drop 1d 2d 3d a1d a2d cube";

/// The names of all instructions, in order.
pub fn opcodes() -> impl Iterator<Item = &'static str> {
    INSTRUCTIONS.iter().map(|&(name, _)| name)
}

/// The instructions of which all forms are known, so that others are mistakes.
pub fn closed() -> impl Iterator<Item = &'static str> {
    CLOSED.iter().copied()
}

/// The types of numbers that instructions compute with.
pub const TYPES: &[&str] = &[
    "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2",
    "f64", "b8", "b16", "b32", "b64", "b128", "pred", "s16x2", "u16x2", "s8x4", "u8x4",
];

/// Instructions of which all forms are known here, those of all GPUs: what is another one, ptxas refuses too.
const CLOSED: &[&str] = &[
    "abs", "add", "addc", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign", "cos",
    "cvt", "div", "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "lop3", "mad", "mad24", "madc", "max", "min",
    "mov", "mul", "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "sad", "selp", "set",
    "setp", "shf", "shl", "shr", "sin", "slct", "sqrt", "sub", "subc", "szext", "tanh", "testp", "xor",
];

/// Words with which ptxas takes instructions that are not known here, each with the instructions (none: all): most are words that it
/// does not look at, and some have come with a GPU.
const LOOSE: &[(&[&str], &[&str])] = &[
    (&[], &["finite"]),
    (&[], &["infinite"]),
    (&[], &["number"]),
    (&[], &["notanumber"]),
    (&[], &["normal"]),
    (&[], &["subnormal"]),
    (&[], &["u8x4"]),
    (&[], &["s8x4"]),
    (&["add"], &["sat", "u32"]),
    (&["add"], &["sat", "u16x2"]),
    (&["add"], &["sat", "s16x2"]),
    (&["cvt"], &["s2f6x2"]),
    (&["fma"], &["oob"]),
    (&["add", "sub", "fma"], &["f32", "f16"]),
    (&["add", "sub", "fma"], &["f32", "bf16"]),
    (&["addc", "subc", "madc"], &["sat"]),
    (&["addc", "subc", "madc"], &["u16"]),
    (&["addc", "subc", "madc"], &["s16"]),
    (&["rcp"], &["ftz", "f64"]),
    (&["testp"], &["f32"]),
    (&["testp"], &["f64"]),
];

/// Types that ptxas does not look at beside another one.
const IGNORED_TYPES: &[&str] = &["pred", "bf16", "bf16x2", "tf32", "s4", "u4"];

fn is_type(word: &str) -> bool {
    Type::named(word).is_some() || TYPES.contains(&word) || IGNORED_TYPES.contains(&word)
}

/// Words that ptxas takes twice.
const TWICE: &[&str] = &["cc", "relu", "sat", "shiftamt"];

/// Whether all forms of the instruction are known, those of new GPUs aside.
pub(in crate::program) fn is_closed(opcode: &str) -> bool {
    CLOSED.contains(&opcode)
}

/// Whether an instruction that is not known here is one that ptxas does not know either.
pub(super) fn is_no_form(opcode: &str, modifiers: &[&str]) -> bool {
    let is_loose = LOOSE.iter().any(|(opcodes, words)| {
        (opcodes.is_empty() || opcodes.contains(&opcode)) && words.iter().all(|word| modifiers.contains(word))
    });
    let n_types = modifiers.iter().filter(|word| is_type(word)).count();
    let n_meant = if matches!(opcode, "cvt" | "set" | "slct" | "dp2a" | "dp4a") { 2 } else { 1 };
    let is_loose = is_loose || n_types > n_meant && modifiers.iter().any(|word| IGNORED_TYPES.contains(word));
    let is_twice = |word: &&str| modifiers.iter().filter(|&&modifier| modifier == *word).count() > 1;
    is_closed(opcode) && !is_loose && !TWICE.iter().any(is_twice)
}

/// Instructions one of whose modifiers is a type of a number, mostly the last.
const TYPED: &[&str] = &[
    "abs", "add", "addc", "and", "brev", "clz", "cnot", "div", "fma", "mad", "max", "min", "mov", "mul",
    "neg", "not", "or", "popc", "rem", "selp", "setp", "shl", "shr", "sub", "subc", "xor",
];

pub(super) fn is_known(opcode: &str) -> bool {
    find(opcode).is_some()
}

fn find(opcode: &str) -> Option<(u32, u32)> {
    let idx = INSTRUCTIONS.binary_search_by_key(&opcode, |&(name, _)| name).ok()?;
    Some(INSTRUCTIONS[idx].1)
}

/// Where an instruction ends in a type, what stands there that is none.
pub(super) fn wrong_type<'t>(opcode: &str, modifiers: &[&'t str]) -> Option<Option<&'t str>> {
    if !TYPED.contains(&opcode) {
        return None;
    }
    if modifiers.iter().any(|word| is_type(word)) {
        return None;
    }
    Some(modifiers.last().copied())
}

/// The version that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needed {
    /// The lowest that has what is known of it.
    pub(super) version: (u32, u32),
    /// All of its modifiers are known.
    pub(super) is_sure: bool,
}

/// The version that has an instruction with its modifiers.
pub(super) fn version(opcode: &str, modifiers: &[&str]) -> Needed {
    let sure = |version| Needed { version, is_sure: true };
    if let "mma" | "wmma" = opcode
        && let Some(version) = matrix::version(opcode, modifiers)
    {
        return sure(version);
    }
    if opcode == "cvt" && modifiers.first() == Some(&"pack") {
        return sure(convert::PACK_VERSION);
    }
    if opcode == "cvt"
        && let Some((version, _)) = convert::needs(modifiers)
    {
        return sure(version);
    }
    let Some(mut version) = find(opcode) else { return Needed { version: (1, 0), is_sure: false } };
    let mut is_sure = true;
    for modifier in modifiers {
        match MODIFIERS.iter().chain(NEWER_MODIFIERS).find(|(name, _)| name == modifier) {
            // `bar.sync` and `cp.async` are older than what `.sync` and `.async` mean elsewhere.
            Some(_) if matches!((opcode, *modifier), ("bar", "sync") | ("cp", "async")) => {}
            // The scope of a fence of old.
            Some(_) if opcode == "membar" => version = version.max((1, 4)),
            Some((_, least)) => version = version.max(*least),
            None if OLD_MODIFIERS.split(' ').any(|name| name == *modifier) => {}
            // Shapes of `wgmma`.
            None if modifier.starts_with("m64n") => {}
            None => is_sure = false,
        }
    }
    let has = |words: &[&str]| words.iter().all(|word| modifiers.contains(word));
    let forms = NEWER_FORMS.iter().filter(|(name, words, _)| *name == opcode && has(words));
    let version = forms.fold(version, |version, &(.., least)| version.max(least));
    Needed { version, is_sure }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(INSTRUCTIONS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
