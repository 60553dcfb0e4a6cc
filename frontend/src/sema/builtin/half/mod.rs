//! The half-precision types of CUDA: `__half`, `__half2`, `__nv_bfloat16`, `__nv_bfloat162`.
//!
//! To nvcc they are classes of `cuda_fp16.h` and `cuda_bf16.h`; here they are structs of the compiler's,
//! to which the headers that ship give their names. The names by which the headers know them show
//! that a text includes the header: without it, its functions are not there either.
//!
//! - [`class`]: numbers of eight bits and less, whose classes the headers define in terms of these
//! - [`convert`]: what the classes' constructors and conversions do
//! - [`operator`]: what their operators do

mod class;
mod convert;
mod operator;

use crate::ir::{Builtin, Expr, ExprData, Field, HalfOp, HalfTy, Namespace, RecordData, Ty};
use crate::predeclared::HALVES;
use crate::sema::Builtins;
use crate::source::Span;

/// A header without which nobody has certain functions of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Header {
    Fp16,
    Bf16,
    /// It defines functions in terms of those in the table.
    Barriers,
    /// Likewise, or the program declares the function by itself.
    Declaration,
}

/// A name that only the header of barriers has.
const BARRIER_TYPE: &str = "__weft_mbarrier";

impl Header {
    pub(in crate::sema) fn name(self) -> &'static str {
        match self {
            Header::Fp16 => "cuda_fp16.h",
            Header::Bf16 => "cuda_bf16.h",
            Header::Barriers | Header::Declaration => "cuda_awbarrier_primitives.h",
        }
    }
}

impl Builtins<'_> {
    /// Whether the text includes the header.
    pub(in crate::sema) fn has_header(&self, header: Option<Header>) -> bool {
        let half = match header {
            None => return true,
            Some(Header::Fp16) => HalfTy::Half,
            Some(Header::Bf16) => HalfTy::Bfloat,
            Some(Header::Barriers | Header::Declaration) => {
                return self.interner.lookup(BARRIER_TYPE).is_some();
            }
        };
        self.known.builtins.halves.contains_key(&half)
    }

    /// The half-precision type of the value.
    fn half_of(&self, expr: Expr) -> Option<HalfTy> {
        self.module.types.half_ty(self.ty_of(expr))
    }

    fn half_builtin(&mut self, op: HalfOp, args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        self.expr(ExprData::Builtin(Builtin::Half(op), args.into()), ty, span)
    }

    /// The half-precision type.
    pub(in crate::sema) fn half_ty(&mut self, half: HalfTy) -> Ty {
        if let Some(&ty) = self.known.builtins.halves.get(&half) {
            return ty;
        }
        let fields = if half.is_pair() {
            let lane = self.half_ty(half.lane());
            vec![field("x", lane), field("y", lane)]
        } else {
            // CUDA's is protected: no program can name it.
            vec![field("(bits)", Ty::USHORT)]
        };
        let tag = HALVES.iter().find(|&&(.., known)| known == half).map(|&(_, tag, _)| tag.into());
        let (_, ty) = self.module.types.add_record(RecordData {
            tag,
            typedef_name: None,
            outer: None,
            owner: None,
            namespace: Namespace::GLOBAL,
            is_union: false,
            fields: Some(fields),
            align: half.is_pair().then_some(4),
            is_builtin: true,
            half: Some(half),
            has_own_copy: half.is_pair(),
            lambda: None,
            span: Span::default(),
        });
        self.known.builtins.halves.insert(half, ty);
        ty
    }
}

fn field(name: &str, ty: Ty) -> Field {
    Field {
        name: Some(name.into()),
        ty,
        bit_width: None,
        align: None,
        pack: None,
        is_base: false,
        is_mutable: false,
        span: Span::default(),
    }
}
