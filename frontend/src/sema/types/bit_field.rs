//! Bit-fields (C++17 12.2.4): their widths, and what does not fit.

use super::record::Packing;
use crate::ast::{ExprId, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Field, IntTy, Ty};
use crate::sema::Types;
use crate::source::Span;

impl Types<'_> {
    /// Warns of an unnamed bit-field of a packed record where nvcc and the host's compilers put what follows, or
    /// align the whole, differently.
    pub(super) fn warn_host_layout(&mut self, packing: Packing, bit_width: Option<u32>, span: Span) {
        if packing.pack.is_some() && (bit_width == Some(0) || packing.pragma.is_some_and(|pack| pack > 1)) {
            let message = "host compilers lay out an unnamed bit-field in a packed struct differently";
            self.sink.emit(Diagnostic::new(Code::HostLayout, span, message));
        }
    }

    /// Splits a bit-field that is wider than its type (C++17 12.2.4p1): it keeps its type's bits, and begins where
    /// the largest integer type that it fills would begin (Itanium C++ ABI 2.4). The padding comes back, as unnamed
    /// bit-fields.
    pub(super) fn overwide_padding(
        &mut self,
        field: &mut Field,
        in_union: bool,
    ) -> Result<Vec<Field>, Reported> {
        let (Some(width), Some(int)) = (field.bit_width, self.module.types.int_ty(field.ty)) else {
            return Ok(Vec::new());
        };
        if width <= int.bits() {
            return Ok(Vec::new());
        }
        let align = [1, 2, 4, 8].into_iter().filter(|bytes| bytes * 8 <= width).max();
        field.bit_width = Some(int.bits());
        field.align = field.align.max(align);
        let pad = |ty, width| Field { name: None, ty, bit_width: Some(width), align: None, ..field.clone() };
        if in_union {
            if width > IntTy::ULongLong.bits() {
                let message = format!("a bit-field of {width} bits in a union is not supported");
                return Err(self.error(Code::UnsupportedLayout, field.span, message));
            }
            return Ok(vec![pad(Ty::ULONGLONG, width)]);
        }
        let excess = width - int.bits();
        let bytes = (0..excess / 8).map(|_| 8).chain((excess % 8 > 0).then_some(excess % 8));
        Ok(bytes.map(|width| pad(Ty::UCHAR, width)).collect())
    }

    /// The width of a bit-field (C++17 12.2.4).
    pub(super) fn bit_width(
        &mut self,
        ty: Ty,
        width: ExprId,
        name: Option<Name>,
        is_packed: bool,
    ) -> Result<u32, Reported> {
        let span = self.unit.exprs[width].span;
        let Some(int) = self.module.types.int_ty(ty) else {
            let ty = self.show(ty);
            let message = format!("bit-field has non-integral type {ty}");
            return Err(self.error(Code::InvalidBitField, span, message));
        };
        let value = self.int_constant(width, "width of a bit-field")?;
        match u32::try_from(value) {
            Ok(0) if name.is_some() => {
                Err(self.error(Code::InvalidBitField, span, "named bit-field has width zero"))
            }
            Ok(width) if width <= int.bits() => Ok(width),
            Ok(_) if is_packed => {
                let message = "a packed bit-field that is wider than its type is not supported";
                Err(self.unsupported_layout(span, message))
            }
            // nvcc aligns a wider one to 8 bytes, g++ to 16.
            Ok(128..) => {
                let message = format!("a bit-field of {value} bits is not supported");
                Err(self.unsupported_layout(span, &message))
            }
            Ok(width) => {
                if let (Some(name), false) = (name, int == IntTy::Bool) {
                    let name = self.spelling(name.symbol);
                    let n_bits = int.bits();
                    let message = format!(
                        "width of bit-field `{name}` ({width} bits) exceeds the width of its type; value will be truncated to {n_bits} bits"
                    );
                    self.sink.emit(Diagnostic::new(Code::BitfieldWidth, span, message));
                }
                Ok(width)
            }
            Err(_) => Err(self.error(Code::InvalidBitField, span, "bit-field has negative width")),
        }
    }
}
