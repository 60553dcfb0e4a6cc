//! The text of `--emit=ir`.
//!
//! In: a [`Module`], verified or not. Out: text for people, in the order of the tables: records and
//! enums with their layouts, typedefs, variables, functions. Every node shows its handle, its type
//! and what it does; every conversion is a node. A node whose text does not fit on a line has its
//! operands on lines of their own. The same module gives the same text.
//!
//! - [`body`]: statements, expressions, places, initializers
//! - [`tree`]: which nodes share a line
//!
//! Nothing reads this text back.

mod body;
mod tree;

use std::fmt::Write as _;

use super::{
    ConstInit, EnumData, FloatTy, Func, Function, FunctionKind, Global, GlobalData, InlineHint, LinkName,
    Linkage, Module, RecordData, Space, Ty, TypeTable,
};
use crate::layout::{self, FieldLayout};
use tree::Tree;

/// The text of a module.
pub fn print(module: &Module) -> String {
    let mut out = String::new();
    print_types(&mut out, &module.types);
    for (global, data) in &module.globals {
        print_global(&mut out, module, global, data);
    }
    for (func, function) in &module.functions {
        print_function(&mut out, module, func, function);
    }
    out
}

/// One line; writing to a `String` cannot fail.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn print_types(out: &mut String, types: &TypeTable) {
    // Those of the program alone, and numbered so: which of the compiler's own it names, and where, makes no difference.
    let shown = types.records.iter().filter(|(_, data)| !data.is_builtin);
    for (number, (record, data)) in shown.enumerate() {
        let layout = layout::record_layout(types, record);
        let size = match &layout {
            Ok(known) => format!("size {}, align {}", known.layout.size, known.layout.align),
            Err(error) => error.to_string(),
        };
        line(out, format_args!("record{number} = {} ({size})", record_name(data)));
        for (field_idx, field) in data.fields.iter().flatten().enumerate() {
            let name = field.name.as_deref().unwrap_or("<unnamed>");
            let at = layout.as_ref().ok().map(|known| field_position(&known.fields[field_idx]));
            let declared = types.display_declared(field.ty, name);
            line(out, format_args!("  .{field_idx} {declared}{}", at.unwrap_or_default()));
        }
    }
    for (enum_, data) in &types.enums {
        line(out, format_args!("{enum_} = {} : {}", enum_name(data), data.underlying.spelling()));
        for (name, value) in data.enumerators.iter().flatten() {
            line(out, format_args!("  {name} = {value}"));
        }
    }
    let shown = types.typedefs.values().filter(|data| !data.is_builtin);
    for (number, data) in shown.enumerate() {
        line(out, format_args!("typedef{number} = typedef {}", types.display_declared(data.ty, &data.name)));
    }
}

fn field_position(field: &FieldLayout) -> String {
    match field.bits {
        None => format!(" @ {}", field.offset),
        Some(bits) => {
            let (unit_bits, first) = (bits.unit_size * 8, bits.bit_offset);
            format!(" : {} @ {} (u{unit_bits}, from bit {first})", bits.width, field.offset)
        }
    }
}

fn record_name(data: &RecordData) -> String {
    let keyword = if data.is_union { "union" } else { "struct" };
    let name = data.tag.as_deref().or(data.typedef_name.as_deref()).unwrap_or("<unnamed>");
    format!("{keyword} {name}")
}

fn enum_name(data: &EnumData) -> String {
    let name = data.tag.as_deref().or(data.typedef_name.as_deref()).unwrap_or("<unnamed>");
    format!("enum {name}")
}

fn print_global(out: &mut String, module: &Module, global: Global, data: &GlobalData) {
    let space = match data.space {
        Space::Global if data.is_managed => "managed",
        Space::Global => "global",
        Space::Constant => "constant",
        Space::Shared => "shared",
    };
    let name = data.name.as_deref().unwrap_or("<string>");
    let mut head = format!("{global} = {space} {}", module.types.display_declared(data.ty, name));
    head.push_str(&link_words(data.linkage, &data.link_name));
    if data.is_extern {
        head.push_str(", extern");
    }
    if let Some(align) = data.align {
        let _ = write!(head, ", align {align}");
    }
    if let Some(owner) = data.owner {
        let _ = write!(head, ", in {owner}");
    }
    match &data.init {
        None => line(out, format_args!("{head}")),
        Some(init) => {
            out.push_str(&head);
            out.push_str(" =");
            const_init(&module.types, data.ty, init).write(out, head.len() + 3, 1);
            out.push('\n');
        }
    }
}

fn link_words(linkage: Linkage, link_name: &LinkName) -> String {
    let linkage = match linkage {
        Linkage::External => ", external",
        Linkage::Inline => ", inline",
        Linkage::Weak => ", weak",
        Linkage::Internal => ", internal",
    };
    match link_name {
        LinkName::Cxx => linkage.to_owned(),
        LinkName::C => format!("{linkage}, extern \"C\""),
        LinkName::Asm { symbol, .. } => format!("{linkage}, asm {symbol:?}"),
    }
}

fn print_function(out: &mut String, module: &Module, func: Func, function: &Function) {
    let mut head = match &function.kind {
        FunctionKind::Device => format!("{func} = device "),
        FunctionKind::Kernel(_) => format!("{func} = kernel "),
    };
    head.push_str(&module.types.display_declared(function.ty, &function.name));
    head.push_str(&link_words(function.linkage, &function.link_name));
    head.push_str(match function.inline {
        InlineHint::Auto => "",
        InlineHint::Inline => ", inline",
        InlineHint::Always => ", forceinline",
        InlineHint::Never => ", noinline",
    });
    if let FunctionKind::Kernel(bounds) = &function.kind {
        let bounds = [
            ("max threads", bounds.max_threads),
            ("min blocks", bounds.min_blocks),
            ("max cluster blocks", bounds.max_cluster_blocks),
        ];
        for (word, bound) in bounds {
            if let Some(bound) = bound {
                let _ = write!(head, ", {word} {bound}");
            }
        }
    }
    match &function.body {
        None => line(out, format_args!("{head}")),
        Some(body) => {
            line(out, format_args!("{head}"));
            body::print(out, module, body);
        }
    }
}

/// The type as a part of a line: in braces where it has a space in it.
fn type_word(types: &TypeTable, ty: Ty) -> String {
    let text = types.display(ty);
    if text.contains(' ') { format!("{{{text}}}") } else { text }
}

/// A floating constant, exactly: the shortest decimal that reads back as the same value of the type.
fn float_text(types: &TypeTable, ty: Ty, value: f64) -> String {
    if value.is_nan() {
        return format!("nan(0x{:016x})", value.to_bits());
    }
    match types.float_ty(ty) {
        Some(FloatTy::Float) if f64::from(value as f32) == value => format!("{:?}", value as f32),
        Some(FloatTy::Float | FloatTy::Double | FloatTy::LongDouble) | None => format!("{value:?}"),
    }
}

fn bytes_text(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

fn const_init(types: &TypeTable, ty: Ty, init: &ConstInit) -> Tree {
    match init {
        ConstInit::Zero => Tree::leaf("zero".to_owned()),
        ConstInit::Int(value) => Tree::leaf(value.to_string()),
        ConstInit::Float(value) => Tree::leaf(float_text(types, ty, *value)),
        ConstInit::GlobalAddr(global, 0) => Tree::leaf(format!("&{global}")),
        ConstInit::GlobalAddr(global, offset) => Tree::leaf(format!("&{global}{offset:+}")),
        ConstInit::FuncAddr(func) => Tree::leaf(format!("&{func}")),
        ConstInit::IntPtr(value) => Tree::leaf(format!("{value:#x}")),
        ConstInit::Bytes(bytes) => Tree::leaf(bytes_text(bytes)),
        ConstInit::Array(elems) => {
            let elem_ty = match *types.kind(ty) {
                super::TyKind::Array(elem, _) => elem,
                _ => Ty::ERROR,
            };
            let elem = |(idx, elem): &(u64, ConstInit)| {
                const_init(types, elem_ty, elem).labelled(&format!("[{idx}] = "))
            };
            Tree::node("array".to_owned(), elems.iter().map(elem).collect())
        }
        ConstInit::Record(members) => {
            let fields = types.record(ty).and_then(|record| types.records[record].fields.as_deref());
            let field_ty =
                |idx: u32| fields.and_then(|fields| fields.get(idx as usize)).map(|field| field.ty);
            let member = |(idx, member): &(u32, ConstInit)| {
                const_init(types, field_ty(*idx).unwrap_or(Ty::ERROR), member).labelled(&format!(".{idx} = "))
            };
            Tree::node("record".to_owned(), members.iter().map(member).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Field, TypedefData};
    use super::*;
    use crate::ir::Namespace;
    use crate::source::Span;

    #[test]
    fn types_and_variables_show_layouts_and_exact_values() {
        let mut module = Module::default();
        let span = Span::default();
        let field = |name: &str, ty, bit_width| Field {
            is_base: false,
            is_mutable: false,
            name: Some(name.into()),
            ty,
            bit_width,
            align: None,
            pack: None,
            span,
        };
        let (_, pair) = module.types.add_record(RecordData {
            tag: Some("Pair".into()),
            typedef_name: None,
            outer: None,
            owner: None,
            namespace: Namespace::GLOBAL,
            is_union: false,
            fields: Some(vec![field("x", Ty::FLOAT, None), field("flag", Ty::UINT, Some(3))]),
            align: None,
            is_builtin: false,
            half: None,
            has_own_copy: false,
            lambda: None,
            span,
        });
        module.types.add_typedef(TypedefData {
            name: "pair_t".into(),
            namespace: Namespace::GLOBAL,
            ty: pair,
            align: None,
            is_builtin: false,
            span,
        });
        let pairs = module.types.array_of(pair, Some(4));
        let member = ConstInit::Record(vec![(0, ConstInit::Float(0.1f32.into())), (1, ConstInit::Int(5))]);
        module.globals.push(GlobalData {
            name: Some("table".into()),
            link_name: LinkName::Cxx,
            linkage: Linkage::Internal,
            space: Space::Constant,
            is_managed: false,
            ty: pairs,
            align: Some(16),
            init: Some(ConstInit::Array(vec![(2, member)])),
            is_extern: false,
            owner: None,
            namespace: Namespace::GLOBAL,
            span,
        });
        assert_eq!(
            print(&module),
            "record0 = struct Pair (size 8, align 4)\n\
             \x20 .0 float x @ 0\n\
             \x20 .1 unsigned int flag : 3 @ 4 (u32, from bit 0)\n\
             typedef0 = typedef Pair pair_t\n\
             global0 = constant Pair table[4], internal, align 16 = \
             array([2] = record(.0 = 0.1, .1 = 5))\n"
        );
    }

    #[test]
    fn floats_read_back_exactly() {
        let types = TypeTable::new();
        assert_eq!(float_text(&types, Ty::FLOAT, f64::from(1.0e-45f32)), "1e-45");
        assert_eq!(float_text(&types, Ty::DOUBLE, 0.1), "0.1");
        assert_eq!(float_text(&types, Ty::DOUBLE, -0.0), "-0.0");
        assert_eq!(float_text(&types, Ty::FLOAT, f64::INFINITY), "inf");
        assert_eq!(float_text(&types, Ty::DOUBLE, f64::NAN), "nan(0x7ff8000000000000)");
    }
}
