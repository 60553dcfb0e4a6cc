//! Types for debuggers: as written, including typedef names and qualifiers.
//!
//! Where DWARF leaves a choice we follow nvcc, because CUDA debuggers expect it: `void` is a separate type,
//! pointers are generic addresses, `__restrict__` is not part of a type.

use std::cell::RefCell;
use std::collections::HashMap;

use weft_frontend::ir::{Enum, FloatTy, FuncTy, IntTy, Opaque, OpaqueKind, Quals, Record, Ty, TyKind};
use weft_frontend::layout;
use weft_frontend::source::Span;

use super::ModuleDebug;
use super::address_class::AddressClass;
use super::raw::Metadata;
use super::raw::types::{Declared, MemberNode, RecordNode};

/// DWARF 2, section 7.8: the encodings of base types.
mod encoding {
    pub(super) const BOOLEAN: u32 = 2;
    pub(super) const FLOAT: u32 = 4;
    pub(super) const SIGNED: u32 = 5;
    pub(super) const SIGNED_CHAR: u32 = 6;
    pub(super) const UNSIGNED: u32 = 7;
    pub(super) const UNSIGNED_CHAR: u32 = 8;
}

/// DWARF 2, section 7.5.4: the tags of qualified types.
const CONST_TYPE: u32 = 0x26;
const VOLATILE_TYPE: u32 = 0x35;

/// The requested types.
#[derive(Default)]
pub(super) struct TypeCache<'ctx> {
    types: RefCell<HashMap<Ty, Metadata<'ctx>>>,
    records: RefCell<HashMap<Record, Metadata<'ctx>>>,
    enums: RefCell<HashMap<Enum, Metadata<'ctx>>>,
}

impl<'ctx> ModuleDebug<'_, '_, 'ctx> {
    /// The type of an object, or of the target of a pointer.
    pub(super) fn ty(&self, ty: Ty) -> Metadata<'ctx> {
        if let Some(&known) = self.types.types.borrow().get(&ty) {
            return known;
        }
        let made = self.qualified(ty);
        // A record may still be a placeholder, so records are cached separately.
        let is_record = matches!(self.cx.ir.types.written(ty), TyKind::Record(_));
        if !is_record || !self.cx.ir.types.written_quals(ty).is_empty() {
            self.types.types.borrow_mut().insert(ty, made);
        }
        made
    }

    /// The type of a function.
    pub(super) fn function_ty(&self, func: &FuncTy) -> Metadata<'ctx> {
        let parts = [func.ret].into_iter().chain(func.params.iter().copied()).map(|part| Some(self.ty(part)));
        let parts: Vec<_> = parts.chain(func.variadic.then_some(None)).collect();
        self.builder.function_ty(self.main, &parts)
    }

    /// The position of a declaration; `None` for the compiler's own.
    pub(super) fn declared(&self, span: Option<Span>) -> Declared<'ctx> {
        match span {
            Some(span) => {
                let at = self.cx.sources.location(span);
                Declared { file: self.file(at.file), line: at.line }
            }
            None => Declared { file: self.main, line: 0 },
        }
    }

    fn qualified(&self, ty: Ty) -> Metadata<'ctx> {
        let quals = self.cx.ir.types.written_quals(ty);
        let mut made = self.unqualified(ty);
        if quals.contains(Quals::VOLATILE) {
            made = self.builder.qualified_ty(VOLATILE_TYPE, Some(made));
        }
        if quals.contains(Quals::CONST) {
            made = self.builder.qualified_ty(CONST_TYPE, Some(made));
        }
        made
    }

    fn unqualified(&self, ty: Ty) -> Metadata<'ctx> {
        let types = &self.cx.ir.types;
        match types.written(ty) {
            TyKind::Error | TyKind::Void | TyKind::Dependent(_) => self.builder.unspecified_ty("void"),
            TyKind::Nullptr => self.builder.unspecified_ty("decltype(nullptr)"),
            TyKind::Int(int) => {
                let size = layout::int_layout(*int).size * 8;
                self.builder.basic_ty(int.spelling(), size, int_encoding(*int))
            }
            TyKind::Float(float) => {
                let name = match float {
                    FloatTy::Float => "float",
                    FloatTy::Double => "double",
                    FloatTy::LongDouble => "long double",
                };
                self.builder.basic_ty(name, layout::float_bits(*float).into(), encoding::FLOAT)
            }
            TyKind::Pointer(pointee) => {
                let bits = types.model().address_bits();
                self.builder.pointer_ty(Some(self.ty(*pointee)), bits, AddressClass::Generic.code())
            }
            TyKind::Reference(referred, kind) => {
                let bits = types.model().address_bits();
                self.builder.reference_ty(*kind, self.ty(*referred), bits, AddressClass::Generic.code())
            }
            TyKind::Array(..) => self.array(ty),
            TyKind::Func(func) => self.function_ty(func),
            TyKind::Record(record) => self.record(*record),
            TyKind::Enum(of) => self.enumeration(*of),
            TyKind::Opaque(of) => self.handle(*of),
            TyKind::Typedef(of) => {
                let data = &types.typedefs[*of];
                // The name of such a type is its tag in CUDA's headers.
                if data.is_builtin && types.half_ty(data.ty).is_some() {
                    return self.ty(data.ty);
                }
                let declared = self.declared((!data.is_builtin).then_some(data.span));
                self.builder.typedef_ty(&data.name, Some(self.ty(data.ty)), declared, self.unit)
            }
        }
    }

    /// An array with its dimensions, up to the first typedef.
    fn array(&self, ty: Ty) -> Metadata<'ctx> {
        let types = &self.cx.ir.types;
        let (mut elem, mut dims) = (ty, Vec::new());
        while let TyKind::Array(inner, len) = *types.written(elem) {
            // An array without a length has an unknown one; in shared memory the launch determines it.
            dims.push(len.or(Some(0)));
            elem = inner;
        }
        let (size, align) = self.layout_in_bits(ty);
        self.builder.array_ty(self.ty(elem), &dims, size, align)
    }

    fn record(&self, record: Record) -> Metadata<'ctx> {
        if let Some(&known) = self.types.records.borrow().get(&record) {
            return known;
        }
        let data = &self.cx.ir.types.records[record];
        let name = &super::instance::record_name(&self.cx.ir.types, record);
        let declared = self.declared((!data.is_builtin).then_some(data.span));
        let mut node = RecordNode { name, is_union: data.is_union, declared, size: 0, align: 0 };
        let layout = layout::record_layout(&self.cx.ir.types, record);
        let (Some(fields), Ok(layout)) = (&data.fields, layout) else {
            let made = self.builder.incomplete_record_ty(&node, self.unit);
            self.types.records.borrow_mut().insert(record, made);
            return made;
        };
        node.size = layout.layout.size * 8;
        node.align = layout.layout.align * 8;
        let placeholder = self.builder.record_to_be(&node, self.unit);
        self.types.records.borrow_mut().insert(record, placeholder);
        let mut members = Vec::new();
        for (field, at) in fields.iter().zip(&layout.fields) {
            if self.cx.is_empty_base(field) {
                continue;
            }
            let offset = at.offset * 8;
            let (offset, size, unit) = match at.bits {
                Some(bits) => (offset + u64::from(bits.bit_offset), bits.width.into(), Some(offset)),
                None => (offset, self.layout_in_bits(field.ty).0, None),
            };
            members.push(self.builder.member(
                placeholder,
                &MemberNode {
                    name: match data.half {
                        Some(half) if !half.is_pair() => "__x",
                        _ => field.name.as_deref().unwrap_or(""),
                    },
                    declared: self.declared((!data.is_builtin).then_some(field.span)),
                    offset,
                    size,
                    unit,
                    ty: self.ty(field.ty),
                },
            ));
        }
        let made = self.builder.record_ty(&node, self.unit, &members, placeholder);
        self.types.records.borrow_mut().insert(record, made);
        made
    }

    fn enumeration(&self, of: Enum) -> Metadata<'ctx> {
        if let Some(&known) = self.types.enums.borrow().get(&of) {
            return known;
        }
        let data = &self.cx.ir.types.enums[of];
        let name = data.tag.as_deref().or(data.typedef_name.as_deref()).unwrap_or("");
        let made = self.builder.enum_ty(
            name,
            self.declared(Some(data.span)),
            layout::int_layout(data.underlying).size * 8,
            (self.ty(Ty::int(data.underlying)), data.underlying.is_signed()),
            data.enumerators.as_deref().unwrap_or_default(),
            self.unit,
        );
        self.types.enums.borrow_mut().insert(of, made);
        made
    }

    /// nvcc describes handles as integers, not by their type in the program.
    fn handle(&self, of: Opaque) -> Metadata<'ctx> {
        let data = &self.cx.ir.types.opaques[of];
        let name = match data.kind {
            OpaqueKind::Texture => "__texture_type__",
            OpaqueKind::Surface => "__surface_type__",
        };
        let number = self.ty(Ty::ULONGLONG);
        self.builder.typedef_ty(name, Some(number), self.declared(Some(data.span)), self.unit)
    }

    /// Size and alignment in bits; zero for an incomplete type.
    fn layout_in_bits(&self, ty: Ty) -> (u64, u32) {
        layout::layout_of(&self.cx.ir.types, ty).map_or((0, 0), |layout| (layout.size * 8, layout.align * 8))
    }
}

fn int_encoding(int: IntTy) -> u32 {
    match int {
        IntTy::Bool => encoding::BOOLEAN,
        IntTy::Char | IntTy::SChar => encoding::SIGNED_CHAR,
        IntTy::UChar => encoding::UNSIGNED_CHAR,
        _ if int.is_signed() => encoding::SIGNED,
        _ => encoding::UNSIGNED,
    }
}
