//! Whether objects of a type can be made: all of it is known, and it has a size.

use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Ty, TyKind, View};
use crate::layout;
use crate::limits::MAX_INITIALIZED_BYTES;
use crate::sema::Types;
use crate::source::Span;

impl Types<'_> {
    /// That values of the type can be passed or returned, which take `most` bytes at most.
    #[inline]
    pub(in crate::sema) fn require_value_ty(
        &mut self,
        ty: Ty,
        most: u64,
        span: Span,
    ) -> Result<(), Reported> {
        if ty.is_plain_number() { Ok(()) } else { self.require_value_type(ty, most, span) }
    }

    /// The same of any other type.
    #[inline(never)]
    fn require_value_type(&mut self, ty: Ty, most: u64, span: Span) -> Result<(), Reported> {
        self.require_complete(ty, span)?;
        if !matches!(self.module.types.kind(ty), TyKind::Record(_)) {
            return Ok(());
        }
        self.expressions().refuse_long_doubles_in(ty, span)?;
        match layout::size_of(&self.module.types, ty) {
            Ok(size) if size > most => {
                let ty = self.show(ty);
                let message = format!("passing {ty} by value is not supported: it has {size} bytes");
                let diagnostic = Diagnostic::new(Code::UnsupportedType, span, message)
                    .with_note(format!("the maximum is {most} bytes"))
                    .with_help("pass a pointer to it");
                Err(self.sink.error(diagnostic))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Objects of the type can be made: it is not `void`, not a function, and all of it is known.
    #[inline]
    pub(in crate::sema) fn require_complete(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if ty.is_plain_number() { Ok(()) } else { self.require_complete_type(ty, span) }
    }

    /// The same of any other type.
    #[inline(never)]
    fn require_complete_type(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        self.templates().complete(ty, span);
        match self.module.types.kind(ty) {
            TyKind::Int(_) | TyKind::Float(_) | TyKind::Pointer(_) | TyKind::Dependent(_) => Ok(()),
            TyKind::Record(record) if self.module.types.records[*record].fields.is_some() => Ok(()),
            _ => self.require_complete_object(ty, span),
        }
    }

    fn require_complete_object(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let why = match self.module.types.view(ty) {
            View::Error => return Err(self.poisoned()),
            View::Void => None,
            View::Func(_) => None,
            View::Array(elem, Some(_)) => {
                self.require_complete(elem, span)?;
                // Where the element was incomplete before, nobody has asked.
                return match layout::size_of(&self.module.types, ty) {
                    Ok(_) => Ok(()),
                    Err(_) if self.module.types.is_dependent(ty) => Ok(()),
                    Err(_) => Err(self.error(Code::InvalidArrayLength, span, "array is too large")),
                };
            }
            View::Array(_, None) => None,
            View::Record(record) => Some(self.module.types.records[record].span),
            View::Scalar(_) => return Ok(()),
        };
        if let TyKind::Record(record) = *self.module.types.kind(ty)
            && let Some(tag) = self.module.types.records[record].tag.as_deref()
            && self.interner.lookup(tag).is_some_and(|tag| self.names_ref().is_refused(tag))
        {
            return Err(self.poisoned());
        }
        let shown = self.show(ty);
        let mut diagnostic = Diagnostic::new(Code::IncompleteType, span, format!("incomplete type {shown}"));
        if let Some(declared) = why {
            diagnostic = diagnostic.with_label(declared, "declared here but not defined");
        }
        if let TyKind::Record(record) = *self.module.types.kind(ty)
            && let Some(tag) = self.module.types.records[record].tag.as_deref()
            && let Some(tag) = self.interner.lookup(tag)
        {
            diagnostic = self.note_nested(tag, diagnostic);
        }
        Err(self.sink.error(diagnostic))
    }

    /// Variables of the type take room: nvcc has none that do not.
    pub(in crate::sema) fn require_room(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if layout::size_of(&self.module.types, ty) != Ok(0) {
            return Ok(());
        }
        let ty = self.show(ty);
        Err(self.error(
            Code::InvalidArrayLength,
            span,
            format!("variable has type {ty}, which has size zero"),
        ))
    }

    /// The initial value of a variable of the type can be written down.
    pub(in crate::sema) fn require_writable_value(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if layout::size_of(&self.module.types, ty).is_ok_and(|size| size <= MAX_INITIALIZED_BYTES) {
            return Ok(());
        }
        let ty = self.show(ty);
        let message = format!("variable of type {ty} is too large to be initialized");
        let diagnostic = Diagnostic::new(Code::InvalidArrayLength, span, message)
            .with_note(format!("the maximum for an initialized variable is {MAX_INITIALIZED_BYTES} bytes"))
            .with_help("assign the values in a kernel");
        Err(self.sink.error(diagnostic))
    }
}
