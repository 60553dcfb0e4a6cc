//! The instructions of random `asm` statements.
//!
//! A form is a text in which `$0`, `$1` and so on are operands, and a constraint letter for each; outputs
//! come first, and are written after all inputs have been read. `n` is a small constant.

/// Text and operands.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// PTX.
    pub text: &'static str,
    /// The number of outputs among the operands.
    pub n_outputs: usize,
    /// The letter of each operand.
    pub letters: &'static str,
}

const fn one(text: &'static str, letters: &'static str) -> Form {
    Form { text, n_outputs: 1, letters }
}

const fn two(text: &'static str, letters: &'static str) -> Form {
    Form { text, n_outputs: 2, letters }
}

/// All forms.
pub const FORMS: &[Form] = &[
    one("add.u32 $0, $1, $2;", "rrr"),
    one("sub.s32 $0, $1, $2;", "rrr"),
    one("mul.lo.s32 $0, $1, $2;", "rrr"),
    one("mul.hi.u32 $0, $1, $2;", "rrr"),
    one("mad.lo.u32 $0, $1, $2, $3;", "rrrr"),
    one("mad.hi.s32 $0, $1, $2, $3;", "rrrr"),
    one("and.b32 $0, $1, $2;", "rrr"),
    one("or.b32 $0, $1, $2;", "rrn"),
    one("xor.b32 $0, $1, $2;", "rrr"),
    one("not.b32 $0, $1;", "rr"),
    one("neg.s32 $0, $1;", "rr"),
    one("abs.s32 $0, $1;", "rr"),
    one("shl.b32 $0, $1, $2;", "rrn"),
    one("shr.u32 $0, $1, $2;", "rrr"),
    one("shr.s32 $0, $1, $2;", "rrn"),
    one("shf.l.wrap.b32 $0, $1, $2, $3;", "rrrr"),
    one("min.s32 $0, $1, $2;", "rrr"),
    one("max.u32 $0, $1, $2;", "rrr"),
    one("sad.u32 $0, $1, $2, $3;", "rrrr"),
    one("popc.b32 $0, $1;", "rr"),
    one("clz.b32 $0, $1;", "rr"),
    one("brev.b32 $0, $1;", "rr"),
    one("bfind.u32 $0, $1;", "rr"),
    one("bfe.u32 $0, $1, $2, $3;", "rrnn"),
    one("bfi.b32 $0, $1, $2, $3, $4;", "rrrnn"),
    one("prmt.b32 $0, $1, $2, $3;", "rrrr"),
    one("lop3.b32 $0, $1, $2, $3, 0x96;", "rrrr"),
    one("dp4a.u32.u32 $0, $1, $2, $3;", "rrrr"),
    one("slct.s32.s32 $0, $1, $2, $3;", "rrrr"),
    one("add.sat.s32 $0, $1, $2;", "rrr"),
    one("mul24.lo.u32 $0, $1, $2;", "rrr"),
    one("mov.u32 $0, %tid.x;", "r"),
    one("{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }", "rrr"),
    one("{ .reg .pred p, q; setp.eq.u32 p|q, $1, $2; selp.b32 $0, 1, 2, q; }", "rrr"),
    one("{ .reg .b32 t<2>; add.u32 t0, $1, $2; xor.b32 t1, t0, $1; mul.lo.u32 $0, t0, t1; }", "rrr"),
    one("set.gt.u32.s32 $0, $1, $2;", "rrr"),
    one("{ .reg .u32 c; add.cc.u32 c, $1, $2; addc.u32 $0, $1, c; }", "rrr"),
    one("add.s16 $0, $1, $2;", "hhh"),
    one("mul.lo.u16 $0, $1, $2;", "hhh"),
    one("xor.b16 $0, $1, $2;", "hhh"),
    one("shl.b16 $0, $1, $2;", "hhn"),
    one("max.s16 $0, $1, $2;", "hhh"),
    one("mad.wide.u16 $0, $1, $2, $3;", "rhhr"),
    one("mul.wide.s16 $0, $1, $2;", "rhh"),
    one("cvt.u16.u32 $0, $1;", "hr"),
    one("cvt.s32.s16 $0, $1;", "rh"),
    one("add.u64 $0, $1, $2;", "lll"),
    one("sub.s64 $0, $1, $2;", "lll"),
    one("mul.lo.u64 $0, $1, $2;", "lll"),
    one("mul.hi.s64 $0, $1, $2;", "lll"),
    one("and.b64 $0, $1, $2;", "lll"),
    one("xor.b64 $0, $1, $2;", "lll"),
    one("shl.b64 $0, $1, $2;", "lln"),
    one("shr.s64 $0, $1, $2;", "llr"),
    one("mul.wide.u32 $0, $1, $2;", "lrr"),
    one("mad.wide.s32 $0, $1, $2, $3;", "lrrl"),
    one("popc.b64 $0, $1;", "rl"),
    one("clz.b64 $0, $1;", "rl"),
    one("brev.b64 $0, $1;", "ll"),
    one("cvt.u64.u32 $0, $1;", "lr"),
    one("cvt.s64.s32 $0, $1;", "lr"),
    one("cvt.u32.u64 $0, $1;", "rl"),
    one("mov.b64 $0, {$1, $2};", "lrr"),
    two("mov.b64 {$0, $1}, $2;", "rrl"),
    one("mov.b32 $0, {$1, $2};", "rhh"),
    two("mov.b32 {$0, $1}, $2;", "hhr"),
    one("mov.b64 $0, {$1, $2, $3, $4};", "lhhhh"),
    one("mov.b32 $0, $1;", "fr"),
    one("mov.b32 $0, $1;", "rf"),
    one("mov.b64 $0, $1;", "dl"),
    one("mov.b64 $0, $1;", "ld"),
    one("add.rn.f32 $0, $1, $2;", "fff"),
    one("sub.rz.f32 $0, $1, $2;", "fff"),
    one("mul.rn.f32 $0, $1, $2;", "fff"),
    one("fma.rn.f32 $0, $1, $2, $3;", "ffff"),
    one("min.f32 $0, $1, $2;", "fff"),
    one("sqrt.rn.f32 $0, $1;", "ff"),
    one("div.rn.f32 $0, $1, $2;", "fff"),
    one("cvt.rn.f32.s32 $0, $1;", "fr"),
    one("cvt.rzi.s32.f32 $0, $1;", "rf"),
    one("cvt.rn.f16.f32 $0, $1;", "hf"),
    one("cvt.f32.f16 $0, $1;", "fh"),
    one("add.rn.f64 $0, $1, $2;", "ddd"),
    one("mul.rm.f64 $0, $1, $2;", "ddd"),
    one("fma.rn.f64 $0, $1, $2, $3;", "dddd"),
    one("max.f64 $0, $1, $2;", "ddd"),
    one("cvt.f64.f32 $0, $1;", "df"),
    one("cvt.rn.f32.f64 $0, $1;", "fd"),
    one("cvt.rn.f64.u64 $0, $1;", "dl"),
    one("cvt.rzi.u64.f64 $0, $1;", "ld"),
    one("mov.b128 $0, {$1, $2};", "qll"),
    two("mov.b128 {$0, $1}, $2;", "llq"),
    two("{ .reg .u64 c; add.cc.u64 c, $2, $3; addc.u64 $1, $2, 0; mov.b64 $0, c; }", "llll"),
    two("{ min.u32 $0, $2, $3; max.u32 $1, $2, $3; }", "rrrr"),
    one(
        "{ .reg .pred p; setp.ge.u32 p, $1, $2; @p bra L%=; add.u32 $0, $1, $2; bra M%=; L%=: sub.u32 $0, $1, $2; M%=: }",
        "rrr",
    ),
    one(
        "{ .reg .pred p; .reg .u32 n, s; and.b32 n, $1, 7; mov.u32 s, $2; L%=: setp.eq.u32 p, n, 0; @p bra M%=; \
         mad.lo.u32 s, s, 3, n; sub.u32 n, n, 1; bra L%=; M%=: mov.u32 $0, s; }",
        "rrr",
    ),
];

/// Opcodes of instructions on two 32-bit registers, for operands with the constraint `C`.
pub const NAMES: &[&str] = &["add.u32", "sub.u32", "xor.b32", "mul.lo.u32", "min.s32", "max.u32"];
