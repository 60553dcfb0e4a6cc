//! Variables that are textures or surfaces themselves (PTX Interop 1.4): of structs that are
//! `__attribute__((device_builtin_texture_type))`, or `device_builtin_surface_type`.
//!
//! Their values are handles, which are passed, returned and chosen between. nvcc takes no address of what has such a type, and
//! assigns nothing to it; to what has no counterpart in PTX (arrays of textures, members) nvcc has internal errors.

use super::qualifier::Attrs;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Quals, Ty, TyKind};
use crate::sema::Types;
use crate::source::Span;

impl Types<'_> {
    /// What is done with a texture or surface is nothing that can be done with a handle.
    pub(in crate::sema) fn opaque_misuse(&mut self, span: Span) -> Reported {
        let message = "textures and surfaces have no address, size or members and cannot be assigned";
        let diagnostic = Diagnostic::new(Code::UnsupportedType, span, message)
            .with_note("a texture or surface can only be passed, returned, and copied to a new variable");
        self.sink.error(diagnostic)
    }

    /// A texture or surface is a variable of its own.
    pub(in crate::sema) fn require_no_opaque_object(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let mut elem = ty;
        while let TyKind::Array(inner, _) = *self.module.types.kind(elem) {
            elem = inner;
        }
        if self.module.types.opaque(elem).is_none() {
            return Ok(());
        }
        let message = "a texture or surface must be a separate `__device__` variable without an initializer or qualifiers";
        Err(self.error(Code::UnsupportedType, span, message))
    }

    /// Whether a variable of file scope may be one.
    pub(in crate::sema) fn check_opaque_global(
        &mut self,
        ty: Ty,
        attrs: &Attrs,
        has_init: bool,
        span: Span,
    ) -> Result<(), Reported> {
        let is_plain =
            attrs.device.is_some() && attrs.shared.is_none() && attrs.constant.is_none() && !has_init;
        let types = &self.module.types;
        let is_one = types.opaque(ty).is_some() && types.quals(ty) == Quals::empty();
        if is_one && is_plain { Ok(()) } else { self.require_no_opaque_object(ty, span) }
    }
}
