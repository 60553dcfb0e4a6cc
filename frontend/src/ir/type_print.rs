//! Types as C spells them.
//!
//! In: a [`Ty`]. Out: its full declarator syntax, with the typedef names through which it was
//! written, laid out as clang does (`const float *`, `int (*)[4]`, `void (*)(int, float *)`). The
//! text is for messages and dumps; it is C where the types have names.

use super::{Namespace, NamespaceData, Quals, RefKind, Ty, TyKind, TypeTable};

impl TypeTable {
    /// The type as it was written.
    pub fn display(&self, ty: Ty) -> String {
        self.display_declared(ty, "")
    }

    /// The declaration of `name` with the type: `int (*name)[4]`.
    pub fn display_declared(&self, ty: Ty, name: &str) -> String {
        let quals = quals_text(self.written_quals(ty));
        let base = match self.written(ty) {
            TyKind::Pointer(target) | TyKind::Reference(target, _) => {
                let sign = match self.written(ty) {
                    TyKind::Reference(_, RefKind::Lvalue) => "&",
                    TyKind::Reference(_, RefKind::Rvalue) => "&&",
                    _ => "*",
                };
                let space = if quals.is_empty() || name.is_empty() { "" } else { " " };
                let inner = format!("{sign}{quals}{space}{name}");
                let nested = matches!(self.written(*target), TyKind::Array(..) | TyKind::Func(_));
                let inner = if nested { format!("({inner})") } else { inner };
                return self.display_declared(*target, &inner);
            }
            TyKind::Array(elem, len) => {
                let len = len.map(|n| n.to_string()).unwrap_or_default();
                return self.display_declared(*elem, &format!("{name}[{len}]"));
            }
            TyKind::Func(func) => {
                let mut params: Vec<String> = func.params.iter().map(|&p| self.display(p)).collect();
                if func.variadic {
                    params.push("...".into());
                }
                return self.display_declared(func.ret, &format!("{name}({})", params.join(", ")));
            }
            TyKind::Error => "<error>".into(),
            TyKind::Void => "void".into(),
            TyKind::Int(int) => int.spelling().into(),
            TyKind::Float(super::FloatTy::Float) => "float".into(),
            TyKind::Float(super::FloatTy::Double) => "double".into(),
            TyKind::Float(super::FloatTy::LongDouble) => "long double".into(),
            TyKind::Nullptr => "nullptr_t".into(),
            TyKind::Record(record) => {
                let data = &self.records[*record];
                let kind = if data.is_union { "union" } else { "struct" };
                self.qualified_name(
                    data.namespace,
                    &tag_text(
                        &data.tag,
                        &data.typedef_name,
                        if data.lambda.is_some() { "lambda" } else { kind },
                    ),
                )
            }
            TyKind::Enum(enum_) => {
                let data = &self.enums[*enum_];
                self.qualified_name(data.namespace, &tag_text(&data.tag, &data.typedef_name, "enum"))
            }
            TyKind::Dependent(dependent) => self.display_dependent(*dependent),
            TyKind::Opaque(opaque) => self.opaques[*opaque].tag.clone(),
            TyKind::Typedef(typedef) => {
                let data = &self.typedefs[*typedef];
                self.qualified_name(data.namespace, &data.name)
            }
        };
        let space = if quals.is_empty() { "" } else { " " };
        let base = format!("{quals}{space}{base}");
        if name.is_empty() { base } else { format!("{base} {name}") }
    }

    /// The name with the namespaces around it: `a::b::name`.
    pub fn qualified_name(&self, namespace: Namespace, name: &str) -> String {
        let mut text = name.to_owned();
        let mut at = namespace;
        while let NamespaceData { parent: Some(parent), name, .. } = &self.namespaces[at] {
            match name {
                Some(name) => text.insert_str(0, &format!("{name}::")),
                None => text.insert_str(0, "(anonymous namespace)::"),
            }
            at = *parent;
        }
        text
    }

    /// The name of a namespace with those around it.
    pub fn namespace_name(&self, namespace: Namespace) -> String {
        let NamespaceData { parent, name, .. } = &self.namespaces[namespace];
        let name = name.as_deref().unwrap_or("(anonymous namespace)");
        self.qualified_name(parent.unwrap_or(Namespace::GLOBAL), name)
    }

    /// Whether it is the `std` of headers that ship.
    pub fn is_std(&self, namespace: Namespace) -> bool {
        let data = &self.namespaces[namespace];
        data.parent == Some(Namespace::GLOBAL) && data.name.as_deref() == Some("std")
    }

    /// The declaration in C of `name` that has the contents of an object of the type: a reference is an address.
    pub fn display_held(&self, ty: Ty, name: &str) -> String {
        let Some((referred, _)) = self.reference(ty) else { return self.display_declared(ty, name) };
        match self.written(referred) {
            TyKind::Array(..) | TyKind::Func(_) => self.display_declared(referred, &format!("(*{name})")),
            _ => self.display_declared(referred, &format!("*{name}")),
        }
    }

    /// The type in backticks for a message, with what it stands for where that is not plain:
    /// `` `real` (aka `float`) ``.
    pub fn describe(&self, ty: Ty) -> String {
        let written = self.display(ty);
        let canonical = self.display(self.canonical(ty));
        if written == canonical { format!("`{written}`") } else { format!("`{written}` (aka `{canonical}`)") }
    }
}

fn quals_text(quals: Quals) -> String {
    let words = [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile"), (Quals::RESTRICT, "__restrict__")];
    let present: Vec<&str> = words.iter().filter(|(q, _)| quals.contains(*q)).map(|&(_, w)| w).collect();
    present.join(" ")
}

fn tag_text(tag: &Option<String>, typedef_name: &Option<String>, kind: &str) -> String {
    let unnamed = || if kind == "lambda" { "(lambda)".to_owned() } else { format!("(unnamed {kind})") };
    tag.clone().or_else(|| typedef_name.clone()).unwrap_or_else(unnamed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{FuncTy, TypedefData};
    use crate::source::Span;

    #[test]
    fn declarators_nest() {
        let mut types = TypeTable::new();
        let const_float = types.with_quals(Ty::FLOAT, Quals::CONST);
        let pointer = types.pointer_to(const_float);
        let restricted = types.with_quals(pointer, Quals::CONST | Quals::RESTRICT);
        assert_eq!(types.display(restricted), "const float *const __restrict__");
        assert_eq!(types.display_declared(restricted, "p"), "const float *const __restrict__ p");
        let row = types.array_of(Ty::INT, Some(4));
        let rows = types.pointer_to(row);
        assert_eq!(types.display(rows), "int (*)[4]");
        let func = FuncTy { ret: rows, params: vec![Ty::INT, pointer], variadic: true };
        let func = types.intern(TyKind::Func(func), Quals::empty());
        assert_eq!(types.display(func), "int (*(int, const float *, ...))[4]");
        let pointer = types.pointer_to(func);
        let table = types.array_of(pointer, None);
        assert_eq!(types.display_declared(table, "t"), "int (*(*t[])(int, const float *, ...))[4]");
    }

    #[test]
    fn references_are_held_as_addresses() {
        let mut types = TypeTable::new();
        let row = types.array_of(Ty::INT, Some(4));
        let reference = types.reference_to(row, RefKind::Rvalue);
        assert_eq!(types.display_declared(reference, "r"), "int (&&r)[4]");
        assert_eq!(types.display_held(reference, "r"), "int (*r)[4]");
        let again = types.reference_to(reference, RefKind::Lvalue);
        assert_eq!(types.display(again), "int (&)[4]");
    }

    #[test]
    fn typedef_names_stay_and_are_explained() {
        let mut types = TypeTable::new();
        let data = TypedefData {
            name: "real".into(),
            namespace: Namespace::GLOBAL,
            ty: Ty::FLOAT,
            align: None,
            is_builtin: false,
            span: Span::default(),
        };
        let (_, real) = types.add_typedef(data);
        let pointer = types.pointer_to(real);
        assert_eq!(types.describe(pointer), "`real *` (aka `float *`)");
        assert_eq!(types.describe(Ty::UCHAR), "`unsigned char`");
    }
}
