//! Definitions of types, each after the types of its members.
//!
//! Each definition has its own guard macro, `WEFT_TYPE_NAME`: two headers may have the same type, and a
//! program that has it from elsewhere defines the macro first, as this header does for types from the
//! program's headers. The assertions apply to whichever definition is used.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt::Write;

use weft_frontend::ir::{
    Enum, EnumData, Field, HalfTy, IntTy, Namespace, Opaque, OpaqueKind, Record, RecordData, Ty, TyKind,
    TypeTable, Typedef,
};
use weft_frontend::layout;
use weft_frontend::source::SourceMap;

use super::assertions::Assertions;
use super::origin::Origins;

/// The types that the header needs.
pub(super) struct Types<'a> {
    types: &'a TypeTable,
    definitions: String,
    assertions: Assertions<'a>,
    includes: BTreeSet<&'static str>,
    origins: Origins<'a>,
    /// Structs and unions whose tags have been declared, and those that have been defined.
    declared: HashSet<Record>,
    defined: HashSet<Record>,
    enums: HashSet<Enum>,
    opaques: HashSet<Opaque>,
    typedefs: HashSet<Typedef>,
    /// Pointees, which are defined at the end.
    pointed_to: VecDeque<Record>,
}

impl<'a> Types<'a> {
    pub(super) fn new(types: &'a TypeTable, sources: &'a SourceMap) -> Self {
        Types {
            types,
            definitions: String::new(),
            assertions: Assertions::new(types),
            includes: BTreeSet::new(),
            origins: Origins::new(sources),
            declared: HashSet::new(),
            defined: HashSet::new(),
            enums: HashSet::new(),
            opaques: HashSet::new(),
            typedefs: HashSet::new(),
            pointed_to: VecDeque::new(),
        }
    }

    /// Declares the types that a type needs; returns whether the type can be named.
    pub(super) fn declare(&mut self, ty: Ty) -> bool {
        let is_named = self.is_named(ty);
        if is_named {
            self.need(ty, true);
            while let Some(record) = self.pointed_to.pop_front() {
                self.define(record);
            }
        }
        is_named
    }

    /// The needed headers of CUDA and C.
    pub(super) fn includes(&self) -> impl Iterator<Item = &'static str> {
        self.includes.iter().copied()
    }

    /// The includes of the program's headers, the definitions, and the assertions about all of them.
    pub(super) fn finish(self) -> (String, String, String) {
        (self.origins.finish(), self.definitions, self.assertions.finish())
    }

    /// Why [`Types::declare`] could not name one of the types.
    pub(super) fn why_unnamed(&self, ty: Ty) -> &'static str {
        if self.all_parts(ty, &|types, ty| types.namespace_of(ty) == Namespace::GLOBAL) {
            "no name"
        } else {
            "a name that is of a namespace, which C lacks"
        }
    }

    /// The namespace that has the name by which a type was written.
    fn namespace_of(&self, ty: Ty) -> Namespace {
        match *self.types.written(ty) {
            TyKind::Typedef(typedef) => self.types.typedefs[typedef].namespace,
            TyKind::Record(record) => self.types.records[record].namespace,
            TyKind::Enum(enum_) => self.types.enums[enum_].namespace,
            _ => Namespace::GLOBAL,
        }
    }

    /// Whether it is so of all needed types.
    fn all_parts(&self, ty: Ty, is_so: &dyn Fn(&Self, Ty) -> bool) -> bool {
        is_so(self, ty)
            && match self.types.written(ty) {
                TyKind::Typedef(typedef) => self.all_parts(self.types.typedefs[*typedef].ty, is_so),
                TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                    self.all_parts(*inner, is_so)
                }
                TyKind::Func(func) => {
                    let mut parts = func.params.iter().chain([&func.ret]);
                    parts.all(|&part| self.all_parts(part, is_so))
                }
                _ => true,
            }
    }

    /// Whether all needed types have names that C can have.
    fn is_named(&self, ty: Ty) -> bool {
        self.all_parts(ty, &|types, ty| types.has_name(ty) && types.namespace_of(ty) == Namespace::GLOBAL)
    }

    fn has_name(&self, ty: Ty) -> bool {
        match self.types.written(ty) {
            TyKind::Record(record) => {
                let data = &self.types.records[*record];
                let has_name = data.tag.is_some() || data.typedef_name.is_some();
                has_name && self.types.class_instance(*record).is_none()
            }
            TyKind::Enum(enum_) => {
                let data = &self.types.enums[*enum_];
                data.tag.is_some() || data.typedef_name.is_some()
            }
            kind => !matches!(kind, TyKind::Error | TyKind::Nullptr),
        }
    }

    /// Declares the parts of a type; completely if its size matters.
    fn need(&mut self, ty: Ty, is_complete: bool) {
        if let Some((referred, _)) = self.types.reference(ty) {
            self.assertions.pointer();
            return self.need(referred, false);
        }
        match *self.types.written(ty) {
            TyKind::Typedef(typedef) => self.typedef(typedef, is_complete),
            TyKind::Pointer(pointee) | TyKind::Reference(pointee, _) => {
                self.assertions.pointer();
                self.need(pointee, false);
            }
            TyKind::Array(elem, _) => self.need(elem, is_complete),
            TyKind::Func(ref func) => {
                self.need(func.ret, true);
                func.params.iter().for_each(|&param| self.need(param, true));
            }
            TyKind::Record(record) => self.record(record, is_complete),
            TyKind::Enum(enum_) => self.enumeration(enum_),
            TyKind::Opaque(opaque) => self.opaque(opaque),
            TyKind::Int(int) => self.integer(int),
            TyKind::Error | TyKind::Void | TyKind::Float(_) | TyKind::Nullptr | TyKind::Dependent(_) => {}
        }
    }

    fn integer(&mut self, int: IntTy) {
        self.assertions.integer(int);
        if matches!(int, IntTy::Char16 | IntTy::Char32) {
            self.includes.insert("uchar.h");
        }
    }

    fn typedef(&mut self, typedef: Typedef, is_complete: bool) {
        let types = self.types;
        let data = &types.typedefs[typedef];
        if let Some(include) = standard_header(&data.name) {
            self.includes.insert(include);
            return;
        }
        let names_it = self.is_name_of(&data.name, data.ty);
        self.need(data.ty, is_complete || names_it);
        if data.is_builtin || names_it || !self.typedefs.insert(typedef) {
            return;
        }
        let align = data.align.map(|align| format!(" __attribute__((aligned({align})))")).unwrap_or_default();
        let declared = types.display_declared(data.ty, &data.name);
        self.origins.need(&data.name, data.span, false);
        self.guarded(&data.name, &format!("typedef {declared}{align};\n"));
    }

    /// Whether a typedef name is the only name of a struct or an enum.
    fn is_name_of(&self, name: &str, ty: Ty) -> bool {
        let (tag, typedef_name) = match self.types.written(ty) {
            TyKind::Record(record) => {
                let data = &self.types.records[*record];
                (&data.tag, &data.typedef_name)
            }
            TyKind::Enum(enum_) => {
                let data = &self.types.enums[*enum_];
                (&data.tag, &data.typedef_name)
            }
            _ => return false,
        };
        tag.is_none() && typedef_name.as_deref() == Some(name)
    }

    /// A texture or surface type, which other compilers only need to know as such.
    fn opaque(&mut self, opaque: Opaque) {
        if !self.opaques.insert(opaque) {
            return;
        }
        let data = &self.types.opaques[opaque];
        let marked = match data.kind {
            OpaqueKind::Texture => "__device_builtin_texture_type__",
            OpaqueKind::Surface => "__device_builtin_surface_type__",
        };
        self.origins.need(&data.tag, data.span, false);
        self.guarded(&data.tag, &format!("struct {marked} {} {{ int unused; }};\n", data.tag));
    }

    fn record(&mut self, record: Record, is_complete: bool) {
        let data = &self.types.records[record];
        if data.is_builtin {
            self.includes.insert(match data.half {
                Some(HalfTy::Half | HalfTy::Half2) => "cuda_fp16.h",
                Some(HalfTy::Bfloat | HalfTy::Bfloat2) => "cuda_bf16.h",
                None if data.tag.as_deref().is_some_and(|tag| tag.starts_with("__va_list")) => "stdarg.h",
                None => "vector_types.h",
            });
            if self.defined.insert(record) {
                self.assertions.builtin(record);
            }
            return;
        }
        if let Some(tag) = &data.tag
            && self.declared.insert(record)
        {
            let _ = writeln!(self.definitions, "typedef {0} {tag} {tag};", keyword(data));
        }
        if is_complete || data.tag.is_none() {
            self.define(record);
        } else {
            self.pointed_to.push_back(record);
        }
    }

    fn define(&mut self, record: Record) {
        let types = self.types;
        let data = &types.records[record];
        let Some(fields) = &data.fields else { return };
        if !self.defined.insert(record) {
            return;
        }
        self.note_inner(data, fields);
        self.need_fields(fields);
        let Some(name) = data.tag.as_ref().or(data.typedef_name.as_ref()) else { return };
        let body = self.body(data, fields, 0);
        let definition = match &data.tag {
            Some(tag) => format!("{} {}{tag} {body};\n", keyword(data), attributes(data, fields)),
            None => format!("typedef {} {}{body} {name};\n", keyword(data), attributes(data, fields)),
        };
        let definition = match common_pack(fields) {
            Some(pack @ 2..) => format!("#pragma pack(push, {pack})\n{definition}#pragma pack(pop)\n"),
            _ => definition,
        };
        self.origins.need(name, data.span, false);
        self.guarded(name, &definition);
        self.assertions.record(name, record);
    }

    /// Records the structs and enums that are defined among the members: after the tag, and before the
    /// member.
    fn note_inner(&mut self, data: &RecordData, fields: &[Field]) {
        let Some(outer) = data.tag.as_ref().or(data.typedef_name.as_ref()) else { return };
        let types = self.types;
        for field in fields {
            let mut ty = field.ty;
            while let TyKind::Array(inner, _) | TyKind::Pointer(inner) | TyKind::Reference(inner, _) =
                *types.written(ty)
            {
                ty = inner;
            }
            let tag = match *types.written(ty) {
                TyKind::Record(inner) => types.records[inner].tag.as_ref().map(|_| types.records[inner].span),
                TyKind::Enum(inner) => types.enums[inner].tag.as_ref().map(|_| types.enums[inner].span),
                _ => None,
            };
            // Within one file, spans are in text order.
            if let Some(tag) =
                tag.filter(|tag| data.span.lo < tag.lo && tag.lo < field.span.lo && field.span.is_written())
            {
                self.origins.is_within(tag, outer);
            }
        }
    }

    fn need_fields(&mut self, fields: &[Field]) {
        let types = self.types;
        for field in fields {
            match unnamed(types, field.ty) {
                Some(Unnamed::Record(inner)) => {
                    self.need_fields(types.records[inner].fields.as_deref().unwrap_or_default());
                }
                Some(Unnamed::Enum(_)) => {}
                None => self.need(field.ty, true),
            }
        }
    }

    /// The members in braces.
    fn body(&self, data: &RecordData, fields: &[Field], depth: usize) -> String {
        let indent = "    ".repeat(depth + 1);
        let mut body = String::from("{\n");
        let is_packed = common_pack(fields) == Some(1);
        for field in fields {
            let name = field.name.as_deref().unwrap_or_default();
            let declared = self.types.display_held(field.ty, name);
            let declared = match unnamed(self.types, field.ty) {
                Some(Unnamed::Record(record)) => {
                    let inner = &self.types.records[record];
                    let (word, members) = (keyword(inner), inner.fields.as_deref().unwrap_or_default());
                    let body = self.body(inner, members, depth + 1);
                    let definition = format!("{word} {}{body}", attributes(inner, members));
                    declared.replacen(&format!("(unnamed {word})"), &definition, 1)
                }
                Some(Unnamed::Enum(enum_)) => {
                    let data = &self.types.enums[enum_];
                    let list = data.enumerators.as_deref().unwrap_or_default();
                    let list = enumerators(list, depth + 1);
                    declared.replacen("(unnamed enum)", &format!("enum {list}"), 1)
                }
                None => declared,
            };
            let width = field.bit_width.map(|width| format!(" : {width}")).unwrap_or_default();
            let align = field.align.map(|n| format!(" __attribute__((aligned({n})))")).unwrap_or_default();
            let packed = if field.pack == Some(1) && !is_packed { " __attribute__((packed))" } else { "" };
            let _ = writeln!(body, "{indent}{declared}{width}{align}{packed};");
        }
        if fields.is_empty() && !data.is_union {
            // C has no empty structs, and in GNU C their size is zero.
            let _ = writeln!(body, "#ifndef __cplusplus\n{indent}char weft_empty;\n#endif");
        }
        let _ = write!(body, "{}}}", "    ".repeat(depth));
        body
    }

    fn enumeration(&mut self, enum_: Enum) {
        let data = &self.types.enums[enum_];
        let Some(name) = data.tag.as_ref().or(data.typedef_name.as_ref()) else { return };
        if !self.enums.insert(enum_) {
            return;
        }
        self.assertions.enumeration(name, data.underlying);
        let list = data.enumerators.as_deref().map(|list| enumerators(list, 0));
        let definition = match list {
            Some(list) if !has_written_type(data) => match &data.tag {
                Some(tag) => format!("enum {tag} {list};\ntypedef enum {tag} {tag};\n"),
                None => format!("typedef enum {list} {name};\n"),
            },
            list => {
                // C has underlying types since C23.
                let underlying = data.underlying.spelling();
                let in_c = list.as_ref().map(|list| format!("enum {list};\n")).unwrap_or_default();
                let list = list.map(|list| format!(" {list}")).unwrap_or_default();
                format!(
                    "#ifdef __cplusplus\nenum {name} : {underlying}{list};\n#else\ntypedef {underlying} {name};\n{in_c}#endif\n"
                )
            }
        };
        self.origins.need(name, data.span, data.tag.is_some());
        self.guarded(name, &definition);
    }

    fn guarded(&mut self, name: &str, definition: &str) {
        let _ = write!(
            self.definitions,
            "#ifndef WEFT_TYPE_{name}\n#define WEFT_TYPE_{name}\n{definition}#endif\n\n"
        );
    }
}

/// An unnamed type, which is defined where it is used.
pub(super) enum Unnamed {
    Record(Record),
    Enum(Enum),
}

/// The unnamed type that a type contains, if there is one.
pub(super) fn unnamed(types: &TypeTable, ty: Ty) -> Option<Unnamed> {
    match *types.written(ty) {
        TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
            unnamed(types, inner)
        }
        TyKind::Record(record) => {
            let data = &types.records[record];
            (data.tag.is_none() && data.typedef_name.is_none()).then_some(Unnamed::Record(record))
        }
        TyKind::Enum(enum_) => {
            let data = &types.enums[enum_];
            (data.tag.is_none() && data.typedef_name.is_none()).then_some(Unnamed::Enum(enum_))
        }
        _ => None,
    }
}

/// The enumerators in braces.
fn enumerators(list: &[(String, i128)], depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let lines = list.iter().map(|(name, value)| format!("{indent}    {name} = {},\n", constant(*value)));
    format!("{{\n{}{indent}}}", lines.collect::<String>())
}

/// The standard header that declares a typedef name which every program may use.
fn standard_header(name: &str) -> Option<&'static str> {
    let digits = |text: &str| matches!(text, "8" | "16" | "32" | "64");
    let is_sized = |rest: &str| {
        let rest = rest.strip_suffix("_t").unwrap_or_default();
        digits(rest.trim_start_matches("_least").trim_start_matches("_fast")) || matches!(rest, "ptr" | "max")
    };
    match name {
        "size_t" | "ptrdiff_t" | "max_align_t" => Some("stddef.h"),
        "clock_t" | "time_t" => Some("time.h"),
        "va_list" | "__builtin_va_list" | "__gnuc_va_list" => Some("stdarg.h"),
        "float_t" | "double_t" => Some("math.h"),
        "ushort" | "uint" | "ulong" | "u_char" | "u_short" | "u_int" | "u_long" | "ssize_t" | "quad_t"
        | "u_quad_t" | "off_t" | "loff_t" | "pid_t" => Some("sys/types.h"),
        _ if name.strip_prefix("u_int").is_some_and(is_sized) => Some("sys/types.h"),
        _ => {
            let rest = name.strip_prefix('u').unwrap_or(name).strip_prefix("int")?;
            is_sized(rest).then_some("stdint.h")
        }
    }
}

fn keyword(data: &RecordData) -> &'static str {
    if data.is_union { "union" } else { "struct" }
}

/// The part after the keyword.
fn attributes(data: &RecordData, fields: &[Field]) -> String {
    let align = data.align.map(|align| format!("__attribute__((aligned({align}))) ")).unwrap_or_default();
    let packed = if common_pack(fields) == Some(1) { "__attribute__((packed)) " } else { "" };
    format!("{align}{packed}")
}

/// The packing of all members, if it is uniform.
fn common_pack(fields: &[Field]) -> Option<u32> {
    let first = fields.first()?.pack?;
    fields.iter().all(|field| field.pack == Some(first)).then_some(first)
}

/// Whether the underlying type of an enum differs from the one that its values require.
fn has_written_type(data: &EnumData) -> bool {
    data.is_fixed || layout::int_layout(data.underlying).size < 4
}

/// A constant with this value, in a type that can represent it.
fn constant(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => format!("({}LL - 1)", i64::MIN + 1),
        Ok(value) if i32::try_from(value).is_ok() => value.to_string(),
        Ok(value) if u32::try_from(value).is_ok() => format!("{value}U"),
        Ok(value) => format!("{value}LL"),
        Err(_) => format!("{value}ULL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_a_type_that_holds_them() {
        let texts = [-1, 1 << 31, -(1 << 31), i128::from(i64::MIN), i128::from(u64::MAX)].map(constant);
        assert_eq!(
            texts,
            ["-1", "2147483648U", "-2147483648", "(-9223372036854775807LL - 1)", "18446744073709551615ULL"]
        );
    }

    #[test]
    fn names_of_standard_types_come_from_their_headers() {
        for (name, expected) in [
            ("uint8_t", Some("stdint.h")),
            ("int_least32_t", Some("stdint.h")),
            ("uint_fast16_t", Some("stdint.h")),
            ("uintptr_t", Some("stdint.h")),
            ("intmax_t", Some("stdint.h")),
            ("u_int32_t", Some("sys/types.h")),
            ("u_int", Some("sys/types.h")),
            ("size_t", Some("stddef.h")),
            ("integer_t", None),
            ("uint24_t", None),
            ("real_t", None),
        ] {
            assert_eq!(standard_header(name), expected, "{name}");
        }
    }
}
