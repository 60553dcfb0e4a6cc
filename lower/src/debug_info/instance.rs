//! The names of instances of templates, which nvcc describes with their arguments: `f<int,-4,Mode::FAST,'c'>`.

use std::borrow::Cow;

use weft_frontend::ir::{Address, Function, IntTy, Record, TemplateArg, Ty, TyKind, TypeTable};

/// The name of a struct or union for debuggers.
pub(super) fn record_name(types: &TypeTable, record: Record) -> Cow<'_, str> {
    let data = &types.records[record];
    match types.class_instance(record) {
        None => Cow::Borrowed(data.tag.as_deref().or(data.typedef_name.as_deref()).unwrap_or("")),
        Some(instance) => {
            let name = &types.class_templates[instance.template].name;
            let args = list(types, &instance.args);
            let space = if args.ends_with('>') { " " } else { "" };
            Cow::Owned(format!("{name}<{args}{space}>"))
        }
    }
}

/// The name of a function for debuggers.
pub(super) fn name<'f>(types: &TypeTable, function: &'f Function) -> Cow<'f, str> {
    match &function.instance {
        None => Cow::Borrowed(&function.name),
        Some(instance) => Cow::Owned(format!("{}<{}>", function.name, list(types, &instance.args))),
    }
}

fn list(types: &TypeTable, args: &[TemplateArg]) -> String {
    let shown: Vec<String> = args
        .iter()
        .filter(|arg| !matches!(arg, TemplateArg::Pack(pack) if pack.is_empty()))
        .map(|arg| match arg {
            TemplateArg::Type(ty) => type_name(types, *ty),
            TemplateArg::Value(ty, value) => self::value(types, *ty, *value),
            TemplateArg::Address(ty, address) => self::address(types, *ty, address),
            TemplateArg::Template(template) => types.class_templates[*template].name.clone(),
            TemplateArg::Pack(pack) => list(types, pack),
            // Only signatures of templates have them.
            TemplateArg::Dependent(_) => String::new(),
        })
        .collect();
    shown.join(",")
}

/// A type without the namespaces around it.
fn type_name(types: &TypeTable, ty: Ty) -> String {
    let shown = types.display(ty);
    let mut text = String::with_capacity(shown.len());
    let mut rest = &shown[..];
    while let Some(at) = rest.find("::") {
        let before = &rest[..at];
        let scope = before.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_');
        text.push_str(&before[..scope.map_or(0, |at| at + 1)]);
        rest = &rest[at + 2..];
    }
    text.push_str(rest);
    text.replace("(anonymous namespace)", "")
}

/// `f`, `&variable`, `(const int *)array`
fn address(types: &TypeTable, ty: Ty, address: &Address) -> String {
    match types.pointee(ty) {
        Some(inner) if types.func(inner).is_none() => match address.is_array {
            true => format!("({}){}", type_name(types, ty), address.name),
            false => format!("&{}", address.name),
        },
        _ => address.name.clone(),
    }
}

fn value(types: &TypeTable, ty: Ty, value: i128) -> String {
    let (int, enum_) = match *types.kind(ty) {
        TyKind::Enum(enum_) => (types.enums[enum_].underlying, Some(enum_)),
        TyKind::Int(int) => (int, None),
        TyKind::Pointer(_) => return format!("({})nullptr", type_name(types, ty)),
        _ => return value.to_string(),
    };
    if let Some(enum_) = enum_ {
        let data = &types.enums[enum_];
        let known = data.enumerators.iter().flatten().find(|(_, constant)| *constant == value);
        let tag = type_name(types, ty);
        return match known {
            Some((name, _)) if data.is_scoped => format!("{tag}::{name}"),
            Some((name, _)) => name.clone(),
            None if value < 0 => format!("({tag})({value})"),
            None => format!("({tag}){value}"),
        };
    }
    let spelling = int.spelling();
    match int {
        IntTy::Bool => (value != 0).to_string(),
        IntTy::Char => character(value),
        IntTy::SChar | IntTy::UChar => format!("({spelling}){}", character(value)),
        IntTy::WChar => format!("L'\\x{value:x}'"),
        IntTy::Short if value < 0 => format!("(short)({value})"),
        IntTy::Short => format!("(short){value}"),
        IntTy::UShort => format!("(unsigned short){value}U"),
        IntTy::UInt => format!("{value}U"),
        IntTy::Long | IntTy::Long32 => format!("{value}L"),
        IntTy::ULong | IntTy::ULong32 => format!("{value}UL"),
        IntTy::LongLong => format!("{value}LL"),
        IntTy::ULongLong => format!("{value}ULL"),
        IntTy::Int | IntTy::Int128 | IntTy::UInt128 | IntTy::Char16 | IntTy::Char32 => value.to_string(),
    }
}

/// A character in quotes, escaped where it cannot be printed.
fn character(value: i128) -> String {
    let code = value as u8;
    match code {
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        0x20..0x7f => format!("'{}'", char::from(code)),
        _ => format!("'\\{code:03o}'"),
    }
}
