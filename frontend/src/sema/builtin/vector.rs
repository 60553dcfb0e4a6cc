//! The built-in structs of CUDA: `dim3`, and the vector types with the functions that make values of
//! them (CUDA C++ Programming Guide "Built-in Vector Types").
//!
//! A vector type is made when the text first names it: `float4`, or `make_float4`. To the rest of the
//! checks it is a struct like any other; it has no operators.

use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Field, Namespace, Record, RecordData, Ty};
use crate::predeclared::{DIM3, VECTORS, Vector};
use crate::sema::BuiltinRecords;
use crate::sema::Builtins;
use crate::sema::conversion::Target;
use crate::source::Span;

/// The function of a name such as `make_float4`, as the type that it makes.
pub(super) fn made_by(name: &str) -> Option<&'static Vector> {
    name.starts_with("make_").then(|| VECTORS.iter().find(|vector| vector.maker == name))?
}

impl Builtins<'_> {
    /// Makes the types of the built-in variables.
    pub(in crate::sema) fn make_builtin_records(&mut self) {
        let uint3 = self.vector_named("uint3");
        let dim3 = self.builtin_record(DIM3, Ty::UINT, 3, None);
        self.known.builtin_records = Some(BuiltinRecords { uint3, dim3 });
    }

    pub(super) fn vector_named(&mut self, name: &str) -> Ty {
        let vector = VECTORS.iter().find(|vector| vector.name == name);
        self.vector_ty(vector.expect("invariant: the table has the types that the compiler needs"))
    }

    pub(in crate::sema) fn vector_ty(&mut self, vector: &'static Vector) -> Ty {
        if let Some(&ty) = self.known.builtins.vectors.get(vector.name) {
            return ty;
        }
        let align = vector.align_in(self.module.types.model());
        let (_, ty) = self.builtin_record(vector.name, vector.elem, vector.n_elems, Some(align));
        self.known.builtins.vectors.insert(vector.name, ty);
        ty
    }

    fn builtin_record(&mut self, name: &str, elem: Ty, n_elems: usize, align: Option<u32>) -> (Record, Ty) {
        let span = Span::default();
        let field = |name: &&str| Field {
            is_base: false,
            is_mutable: false,
            name: Some((*name).into()),
            ty: elem,
            bit_width: None,
            align: None,
            pack: None,
            span,
        };
        self.module.types.add_record(RecordData {
            tag: Some(name.into()),
            typedef_name: None,
            outer: None,
            owner: None,
            namespace: Namespace::GLOBAL,
            is_union: false,
            fields: Some(Vector::MEMBERS[..n_elems].iter().map(field).collect()),
            align,
            is_builtin: true,
            half: None,
            has_own_copy: false,
            lambda: None,
            span,
        })
    }

    /// The vector type that it is, if it is one.
    pub(in crate::sema) fn vector_of(&self, ty: Ty) -> Option<&'static Vector> {
        let data = &self.module.types.records[self.module.types.record(ty)?];
        let tag = data.tag.as_deref().filter(|_| data.is_builtin)?;
        VECTORS.iter().find(|vector| vector.name == tag)
    }

    /// CUDA 13 gave the vectors of four elements of 8 bytes another alignment, with other names.
    pub(in crate::sema) fn warn_deprecated_vector(&mut self, ty: Ty, span: Span) {
        let Some(Vector { name, successor: Some(successor), .. }) = self.vector_of(ty) else { return };
        if self.known.builtins.deprecated_vectors.insert(name) {
            let message = format!("`{name}` is deprecated");
            let diagnostic = Diagnostic::new(Code::DeprecatedVectorType, span, message)
                .with_note(format!("`{name}` is aligned to 16 bytes; the new types name their alignment"))
                .with_help(format!(
                    "use `{successor}`, which is the same type, or `{}`",
                    aligned_to_32(successor)
                ));
            self.sink.emit(diagnostic);
        }
    }

    /// `make_float4(x, y, z, w)`: the arguments convert as to the parameters of a function.
    pub(super) fn make_vector(
        &mut self,
        vector: &'static Vector,
        args: &[Expr],
        span: Span,
    ) -> Result<Expr, Reported> {
        if args.len() != vector.n_elems {
            let few_or_many = if args.len() < vector.n_elems { "few" } else { "many" };
            let message = format!(
                "too {few_or_many} arguments to `{}`, expected {}, have {}",
                vector.maker,
                vector.n_elems,
                args.len()
            );
            let at = args.get(vector.n_elems).map(|&extra| self.span_of(extra));
            let at = at.unwrap_or(Span::new(span.hi.saturating_sub(1), span.hi));
            return Err(self.error(Code::ArgumentCount, at, message));
        }
        let values: Vec<_> = args
            .iter()
            .map(|&arg| self.conversions().convert(arg, vector.elem, Target::Argument(None)))
            .collect();
        let values: Vec<Expr> = values.into_iter().collect::<Result<_, _>>()?;
        let ty = self.vector_ty(vector);
        let record = self.expr(ExprData::Record(values.into()), ty, span);
        self.arena.made_records.insert(record);
        Ok(record)
    }
}

/// The name of the type that needs the greater alignment: `long4_32a` for `long4_16a`.
fn aligned_to_32(name: &str) -> String {
    name.replace("_16a", "_32a")
}
