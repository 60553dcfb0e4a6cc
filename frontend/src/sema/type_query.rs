//! What is asked of types and members: `offsetof`.

use super::Cx;
use crate::ast::{Designator, Name, TypeName};
use crate::diag::{Code, Reported};
use crate::ir::{Expr, ExprData, Ty, TyKind};
use crate::layout;
use crate::source::Span;

impl Cx<'_> {
    /// `__builtin_offsetof(type, path)` (C17 7.19p3, GNU C "Offsetof").
    pub(super) fn offsetof(
        &mut self,
        name: &TypeName,
        path: &[Designator],
        span: Span,
    ) -> Result<Expr, Reported> {
        let mut ty = self.resolve_type_name(name)?;
        let mut offset = 0_u64;
        for designator in path {
            let (inner, distance, at) = match *designator {
                Designator::Field(member) => {
                    let (inner, distance) = self.member_offset(ty, member)?;
                    (inner, Some(distance), member.span)
                }
                Designator::Range(_, _, at) => {
                    return Err(self.error(
                        Code::InvalidSubscript,
                        at,
                        "`offsetof` takes no range of elements",
                    ));
                }
                Designator::Index(index, at) => {
                    let TyKind::Array(elem, _) = *self.module.types.kind(ty) else {
                        let ty = self.show(ty);
                        let message = format!("subscripted member of type {ty} is no array");
                        return Err(self.error(Code::InvalidSubscript, at, message));
                    };
                    let index = self.int_constant(index, "subscript")?;
                    let size = layout::size_of(&self.module.types, elem).unwrap_or(0);
                    (elem, u64::try_from(index).ok().and_then(|index| index.checked_mul(size)), at)
                }
            };
            ty = inner;
            let sum = distance.and_then(|distance| offset.checked_add(distance));
            offset = match sum.filter(|&sum| sum <= layout::MAX_SIZE) {
                Some(sum) => sum,
                None => return Err(self.error(Code::InvalidSubscript, at, "the offset is out of range")),
            };
        }
        Ok(self.expr(ExprData::Int(offset.into()), Ty::ULONG, span))
    }

    /// A member's type, and its distance from the beginning of the struct in bytes.
    fn member_offset(&mut self, ty: Ty, name: Name) -> Result<(Ty, u64), Reported> {
        let Some(record) = self.module.types.record(ty) else {
            let ty = self.show(ty);
            let message = format!("`offsetof` of a member of {ty}, which is no struct or union");
            return Err(self.error(Code::InvalidMemberAccess, name.span, message));
        };
        self.require_complete(ty, name.span)?;
        let Some(idx) = self.find_member(record, name.symbol) else {
            return Err(self.no_member(record, ty, name));
        };
        let types = &self.module.types;
        let Ok(layout) = layout::record_layout(types, record) else { return Err(self.poisoned()) };
        let field = layout.fields[idx as usize];
        if field.bits.is_some() {
            let message = "a bit-field has no offset in bytes";
            return Err(self.error(Code::InvalidMemberAccess, name.span, message));
        }
        let ty = self.field_ty(ty, idx);
        if self.is_named_member(record, idx) {
            return Ok((ty, field.offset));
        }
        // It is a member of an anonymous one.
        let (ty, offset) = self.member_offset(ty, name)?;
        Ok((ty, field.offset + offset))
    }
}
