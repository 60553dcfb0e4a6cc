//! The text of `--emit=ast`: a tree, one node per line, children indented by two.
//!
//! A line is `kind details <line:column>`. Types are read out as C programmers read declarators,
//! `array [3] of pointer to function (int) returning float`; lengths, widths and arguments of
//! attributes are shown as written in the source. The tree is recursed over; the parser bounds
//! its height.

mod expr;

use std::fmt::Write;

use super::{
    AsmId, AsmOperand, AsmStmt, AsmString, Attr, AttrKind, BuiltinTy, Chunk, ChunkKind, Condition, Decl,
    DeclKind, DeclSpecs, Declarator, Designator, EnumSpec, ExprId, FunctionChunk, FunctionDef, InitId,
    InitKind, Member, MemberDecl, MemberInit, MemberTemplate, Method, Name, NamespaceDecl, QualSpecs,
    RecordSpec, StmtId, StmtKind, Storage, TemplateArg, TemplateArgsId, TranslationUnit, TypeName, TypeSpec,
};
use crate::ir::RefKind;
use crate::source::{SourceMap, Span};
use crate::token::{Interner, Symbol};

/// The unit as an indented tree.
pub(crate) fn print(unit: &TranslationUnit, sources: &SourceMap, interner: &Interner) -> String {
    let mut printer = Printer { unit, sources, interner, out: String::new(), depth: 0 };
    for decl in &unit.decls {
        printer.decl(decl);
    }
    printer.out
}

struct Printer<'a> {
    unit: &'a TranslationUnit,
    sources: &'a SourceMap,
    interner: &'a Interner,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, span: Span, text: &str) {
        let at = self.sources.line_column(span);
        let indent = 2 * self.depth;
        writeln!(self.out, "{:indent$}{text} <{}:{}>", "", at.line, at.column)
            .expect("invariant: writing to a string succeeds");
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn name(&self, name: Option<Name>) -> &str {
        name.map_or("(unnamed)", |name| self.interner.spelling(name.symbol))
    }

    fn element(&self, pack: Symbol, idx: Option<u32>) -> String {
        let idx = idx.map_or_else(|| "pack".to_owned(), |idx| idx.to_string());
        format!("element {idx} of {}", self.interner.spelling(pack))
    }

    /// An expression as written in the source, on one line.
    fn source(&self, expr: ExprId) -> String {
        let text = self.sources.text(self.unit.exprs[expr].span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn source_list(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&expr| self.source(expr)).collect::<Vec<_>>().join(", ")
    }

    fn decl(&mut self, decl: &Decl) {
        self.decl_kind(&decl.kind, decl.span);
    }

    fn decl_kind(&mut self, kind: &DeclKind, span: Span) {
        match kind {
            DeclKind::Declarators { specs, declarators } => {
                self.tag_definition(specs);
                let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
                for init_declarator in declarators {
                    let declarator = &init_declarator.declarator;
                    let kind = if is_typedef { "typedef" } else { "declare" };
                    let text = format!("{kind} {}", self.declared(specs, declarator));
                    self.line(declarator.span, &text);
                    if let Some(init) = init_declarator.init {
                        self.nested(|p| p.init(init));
                    }
                }
            }
            DeclKind::Function(def) => {
                let FunctionDef { specs, declarator, inits, body, nodes: _ } = &**def;
                self.tag_definition(specs);
                let text = format!("define {}", self.declared(specs, declarator));
                self.line(declarator.span, &text);
                self.nested(|p| p.member_inits(inits));
                self.nested(|p| p.stmt(*body));
            }
            DeclKind::Template(template) => {
                let name = self.interner.spelling(template.name.symbol);
                self.line(span, &format!("template {name}"));
            }
            DeclKind::Specialization(decl) => {
                self.line(span, "specialization");
                self.nested(|p| p.decl_kind(decl, span));
            }
            DeclKind::Instantiation(decl) => {
                self.line(span, "instantiation");
                self.nested(|p| p.decl_kind(decl, span));
            }
            DeclKind::Binding(binding) => {
                let names: Vec<_> = binding.names.iter().map(|&name| self.name(Some(name))).collect();
                let ty = self.ty(&binding.specs, &binding.declared.declarator.chunks);
                self.line(span, &format!("bind {}: {ty}", names.join(", ")));
                if let Some(init) = binding.declared.init {
                    self.nested(|p| p.init(init));
                }
            }
            DeclKind::StaticAssert { cond, message } => {
                self.line(span, "static_assert");
                self.nested(|p| {
                    p.expr(*cond);
                    message.iter().for_each(|&message| p.expr(message));
                });
            }
            DeclKind::Host(host) => {
                let names: Vec<&str> =
                    host.names.iter().map(|name| self.interner.spelling(name.symbol)).collect();
                self.line(span, format!("skipped host {} {}", host.kind.name(), names.join(", ")).trim_end());
            }
            DeclKind::Namespace(namespace) => self.namespace_decl(namespace, span),
            DeclKind::Empty => self.line(span, "empty declaration"),
            DeclKind::Error => self.line(span, "error"),
        }
    }

    fn namespace_decl(&mut self, decl: &NamespaceDecl, span: Span) {
        let text = match decl {
            NamespaceDecl::Open { name, is_inline } => {
                let inline = if *is_inline { "inline " } else { "" };
                format!("{inline}namespace {} {{", self.name(*name))
            }
            NamespaceDecl::Close => "}".to_owned(),
            NamespaceDecl::Alias { name, target } => {
                format!("namespace {} = {}", self.name(Some(*name)), self.type_spec(target))
            }
            NamespaceDecl::Directive { target } => format!("using namespace {}", self.type_spec(target)),
            NamespaceDecl::Using { scope, name } => {
                format!("using {}::{}", self.type_spec(scope), self.name(Some(*name)))
            }
        };
        self.line(span, &text);
    }

    /// `name: type`, with the other specifiers and parts of the declarator.
    fn declared(&self, specs: &DeclSpecs, declarator: &Declarator) -> String {
        let mut text = format!("{}: {}", self.name(declarator.name), self.ty(specs, &declarator.chunks));
        if let Some((storage, _)) = specs.storage {
            match storage {
                Storage::Typedef => {}
                Storage::Extern => text.push_str(", extern"),
                Storage::Static => text.push_str(", static"),
                Storage::Register => text.push_str(", register"),
            }
        }
        let flags =
            [(specs.inline, "inline"), (specs.constexpr, "constexpr"), (specs.extern_c, "extern \"C\"")];
        for (_, flag) in flags.iter().filter(|(span, _)| span.is_some()) {
            text.push_str(", ");
            text.push_str(flag);
        }
        for attr in specs.attrs.iter().chain(&declarator.attrs) {
            text.push_str(", ");
            text.push_str(&self.attr(attr));
        }
        if let Some((label, _)) = declarator.asm_label {
            write!(text, ", symbol {}", self.source(label)).expect("invariant: writing to a string succeeds");
        }
        text
    }

    fn attr(&self, attr: &Attr) -> String {
        let with = |name: &str, args: &[ExprId]| format!("{name}({})", self.source_list(args));
        match &attr.kind {
            AttrKind::Global => "__global__".into(),
            AttrKind::Device => "__device__".into(),
            AttrKind::Host => "__host__".into(),
            AttrKind::Shared => "__shared__".into(),
            AttrKind::Constant => "__constant__".into(),
            AttrKind::Managed => "__managed__".into(),
            AttrKind::GridConstant => "__grid_constant__".into(),
            AttrKind::Noinline => "__noinline__".into(),
            AttrKind::Forceinline => "__forceinline__".into(),
            AttrKind::InlineHint => "__inline_hint__".into(),
            AttrKind::LaunchBounds(args) => with("__launch_bounds__", args),
            AttrKind::Maxnreg(arg) => with("__maxnreg__", &[*arg]),
            AttrKind::ClusterDims(args) => with("__cluster_dims__", args),
            AttrKind::BlockSize(args) => with("__block_size__", args),
            AttrKind::Align(arg) => with("__align__", &[*arg]),
            AttrKind::AlignasType(ty) => format!("alignas({})", self.type_name(ty)),
            AttrKind::AlignasValue(arg) => with("alignas", &[*arg]),
            AttrKind::Unknown(name) => format!("[[?::{}]]", self.interner.spelling(name.symbol)),
            AttrKind::Gnu { name, args } => {
                let name = self.interner.spelling(name.symbol);
                if args.is_empty() { format!("[[{name}]]") } else { format!("[[{}]]", with(name, args)) }
            }
        }
    }

    fn template_args(&self, args: TemplateArgsId) -> String {
        let text = |arg: &TemplateArg| match *arg {
            TemplateArg::Type(ty) => self.type_name(&self.unit.type_names[ty]),
            TemplateArg::Value(value) => self.source(value),
            TemplateArg::Types(ty) => self.type_name(&self.unit.type_names[ty]) + "...",
            TemplateArg::Values(value) => self.source(value) + "...",
        };
        self.unit.template_args[args].iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn type_name(&self, ty: &TypeName) -> String {
        self.ty(&ty.specs, &ty.declarator.chunks)
    }

    fn ty(&self, specs: &DeclSpecs, chunks: &[Chunk]) -> String {
        let mut text = String::new();
        for chunk in chunks {
            match &chunk.kind {
                ChunkKind::Pointer(quals) => {
                    text.push_str(&quals_text(*quals));
                    text.push_str("pointer to ");
                }
                ChunkKind::Reference(RefKind::Lvalue, _) => text.push_str("reference to "),
                ChunkKind::Reference(RefKind::Rvalue, _) => text.push_str("rvalue reference to "),
                ChunkKind::Array(len) => {
                    let len = len.map_or_else(String::new, |len| self.source(len));
                    text.push_str(&format!("array [{len}] of "));
                }
                ChunkKind::Function(function) => {
                    let FunctionChunk {
                        params,
                        packs: _,
                        variadic,
                        noexcept,
                        trailing,
                        quals,
                        ref_qualifier,
                    } = &**function;
                    let params = params.iter().map(|param| match param.declarator.name {
                        Some(_) => self.declared(&param.specs, &param.declarator),
                        None => self.ty(&param.specs, &param.declarator.chunks),
                    });
                    let params: Vec<_> = params.chain(variadic.map(|_| "...".into())).collect();
                    let noexcept = if noexcept.is_some() { "noexcept " } else { "" };
                    let quals = quals_text(*quals);
                    let reference = match ref_qualifier {
                        Some((RefKind::Lvalue, _)) => "& ",
                        Some((RefKind::Rvalue, _)) => "&& ",
                        None => "",
                    };
                    let params = params.join(", ");
                    text.push_str(&format!("{quals}{reference}{noexcept}function ({params}) returning "));
                    if let Some(name) = trailing {
                        return text + &self.ty(&name.specs, &name.declarator.chunks);
                    }
                }
            }
        }
        text.push_str(&quals_text(specs.quals));
        text.push_str(&self.type_spec(&specs.ty));
        text
    }

    /// A tag with what is before it.
    fn tag(&self, scope: Option<&TypeSpec>, tag: Option<Name>) -> String {
        scope.map_or_else(String::new, |scope| self.type_spec(scope) + "::") + self.name(tag)
    }

    fn type_spec(&self, ty: &TypeSpec) -> String {
        match ty {
            TypeSpec::Builtin(builtin) => builtin_text(*builtin).into(),
            TypeSpec::Named(name) => self.name(Some(*name)).into(),
            TypeSpec::Element(element) => self.element(element.0.symbol, element.1),
            TypeSpec::Instance(instance) => {
                format!("{}<{}>", self.type_spec(&instance.0), self.template_args(instance.1))
            }
            TypeSpec::Nested(nested) => {
                let (outer, name) = &**nested;
                format!("{}::{}", self.type_spec(outer), self.name(Some(*name)))
            }
            TypeSpec::Record(spec) => {
                let keyword = if spec.is_union { "union" } else { "struct" };
                format!("{keyword} {}", self.tag(spec.scope.as_deref(), spec.tag))
            }
            TypeSpec::Enum(spec) => format!("enum {}", self.tag(spec.scope.as_deref(), spec.tag)),
            TypeSpec::Global => String::new(),
            TypeSpec::Auto => "auto".into(),
            TypeSpec::DecltypeAuto => "decltype(auto)".into(),
            TypeSpec::TypeofExpr(_) => "typeof(…)".into(),
            TypeSpec::TypeofType(ty) => format!("typeof({})", self.type_name(ty)),
            TypeSpec::Decltype(_) => "decltype(…)".into(),
            TypeSpec::Error => "(error)".into(),
        }
    }

    /// The struct, union or enum that specifiers define or mention, as a node of its own.
    fn tag_definition(&mut self, specs: &DeclSpecs) {
        match &specs.ty {
            TypeSpec::Record(spec) => {
                let RecordSpec { keyword, members: Some(members), attrs, .. } = &**spec else { return };
                let mut text = format!("define {}", self.type_spec(&specs.ty));
                for attr in attrs {
                    text.push_str(", ");
                    text.push_str(&self.attr(attr));
                }
                self.line(*keyword, &text);
                self.nested(|p| members.iter().for_each(|member| p.member(member)));
            }
            TypeSpec::Enum(spec) => {
                let EnumSpec { keyword, scoped, underlying, enumerators: Some(enumerators), .. } = &**spec
                else {
                    return;
                };
                let mut text = format!("define {}", self.type_spec(&specs.ty));
                if scoped.is_some() {
                    text.push_str(", scoped");
                }
                if let Some(underlying) = underlying {
                    text.push_str(&format!(" of {}", self.type_name(underlying)));
                }
                self.line(*keyword, &text);
                self.nested(|p| {
                    for enumerator in enumerators {
                        let text = format!("enumerator {}", p.interner.spelling(enumerator.name.symbol));
                        p.line(enumerator.name.span, &text);
                        p.nested(|p| enumerator.value.iter().for_each(|&value| p.expr(value)));
                    }
                });
            }
            TypeSpec::Builtin(_)
            | TypeSpec::Named(_)
            | TypeSpec::Element(_)
            | TypeSpec::Nested(_)
            | TypeSpec::Instance(_)
            | TypeSpec::Global
            | TypeSpec::Auto
            | TypeSpec::DecltypeAuto
            | TypeSpec::TypeofExpr(_)
            | TypeSpec::TypeofType(_)
            | TypeSpec::Decltype(_)
            | TypeSpec::Error => {}
        }
    }

    fn member(&mut self, member: &Member) {
        match member {
            Member::Data(member) => self.data_member(member),
            Member::Using(names) => {
                for using in names {
                    let spelling = self.interner.spelling(using.name.symbol);
                    self.line(using.name.span, &format!("using {spelling}"));
                }
            }
            Member::Assertion(assertion) => self.line(assertion.span, "static_assert"),
            Member::FriendTemplate(name) => {
                let spelling = self.interner.spelling(name.symbol);
                self.line(name.span, &format!("friend template {spelling}"));
            }
            Member::Template(MemberTemplate { declaration, .. }) => {
                let name = self.interner.spelling(declaration.name.symbol);
                self.line(declaration.name.span, &format!("member template {name}"));
            }
            Member::Method(id) => {
                let Method { specs, declarator, inits, body, .. } = &self.unit.methods[*id];
                let text = format!("member {}", self.declared(specs, declarator));
                self.line(declarator.span, &text);
                self.nested(|p| p.member_inits(inits));
                if let Some(body) = *body {
                    self.nested(|p| p.stmt(body));
                }
            }
        }
    }

    fn member_inits(&mut self, inits: &[MemberInit]) {
        for MemberInit { name, init, span, .. } in inits {
            let text = format!("initialize {}", self.interner.spelling(name.symbol));
            self.line(*span, &text);
            self.nested(|p| p.init(*init));
        }
    }

    fn data_member(&mut self, member: &MemberDecl) {
        self.tag_definition(&member.specs);
        if member.declarators.is_empty() {
            let text = format!("member {}", self.type_spec(&member.specs.ty));
            self.line(member.span, &text);
        }
        for declarator in &member.declarators {
            let width = declarator.bit_width.map_or_else(String::new, |w| format!(" : {}", self.source(w)));
            let text = format!("member {}{width}", self.declared(&member.specs, &declarator.declarator));
            self.line(declarator.declarator.span, &text);
            if let Some(init) = declarator.init {
                self.nested(|p| p.init(init));
            }
        }
    }

    fn init(&mut self, id: InitId) {
        let unit = self.unit;
        let node = &unit.inits[id];
        match &node.kind {
            InitKind::Expr(expr) => self.expr(*expr),
            InitKind::Parens(args) => {
                self.line(node.span, "parens");
                self.nested(|p| args.iter().for_each(|&arg| p.expr(arg)));
            }
            InitKind::List(items) => {
                self.line(node.span, "list");
                self.nested(|p| {
                    for item in items {
                        let designators = p.designators(&item.designators);
                        if designators.is_empty() {
                            p.init(item.init);
                        } else {
                            p.line(unit.inits[item.init].span, &format!("at {designators}"));
                            p.nested(|p| p.init(item.init));
                        }
                    }
                });
            }
        }
    }

    fn designators(&self, designators: &[Designator]) -> String {
        let text = |designator: &Designator| match designator {
            Designator::Field(name) => format!(".{}", self.interner.spelling(name.symbol)),
            Designator::Index(index, _) => format!("[{}]", self.source(*index)),
            Designator::Range(first, last, _) => {
                format!("[{} ... {}]", self.source(*first), self.source(*last))
            }
        };
        designators.iter().map(text).collect()
    }

    fn stmt(&mut self, id: StmtId) {
        let unit = self.unit;
        let node = &unit.stmts[id];
        match &node.kind {
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Decl(decl) => self.decl(&unit.local_decls[*decl]),
            StmtKind::Block(stmts) => {
                self.line(node.span, "block");
                self.nested(|p| unit.stmt_list(*stmts).iter().for_each(|&stmt| p.stmt(stmt)));
            }
            StmtKind::If { cond, then, otherwise, constexpr: _ } => {
                self.if_chain(node.span, cond, *then, *otherwise)
            }
            StmtKind::While { cond, body } => self.controlled(node.span, "while", cond, *body),
            StmtKind::Switch { cond, body } => self.controlled(node.span, "switch", cond, *body),
            StmtKind::DoWhile { body, cond } => {
                self.line(node.span, "do");
                self.nested(|p| {
                    p.stmt(*body);
                    p.expr(*cond);
                });
            }
            StmtKind::For { init, cond, step, body } => {
                self.line(node.span, "for");
                self.nested(|p| {
                    p.part(node.span, "init", init.as_ref(), |p, &init| p.stmt(init));
                    p.part(node.span, "condition", cond.as_ref(), Self::condition);
                    p.part(node.span, "step", step.as_ref(), |p, &step| p.expr(step));
                    p.stmt(*body);
                });
            }
            StmtKind::RangeFor { decl, range, body } => {
                self.line(node.span, "for");
                self.nested(|p| {
                    p.stmt(*decl);
                    p.part(node.span, "range", Some(range), |p, &range| p.expr(range));
                    p.stmt(*body);
                });
            }
            StmtKind::Case { first, last, body } => {
                let last = last.map_or_else(String::new, |last| format!(" ... {}", self.source(last)));
                let text = format!("case {}{last}", self.source(*first));
                self.line(node.span, &text);
                self.nested(|p| p.stmt(*body));
            }
            StmtKind::Unroll { pragma, count, body } => {
                let count = count.map_or_else(String::new, |count| format!(" {}", self.source(count)));
                self.line(*pragma, &format!("unroll{count}"));
                self.nested(|p| p.stmt(*body));
            }
            StmtKind::Default { body } => {
                self.line(node.span, "default");
                self.nested(|p| p.stmt(*body));
            }
            StmtKind::Label { name, body } => {
                let text = format!("label {}", self.name(Some(*name)));
                self.line(node.span, &text);
                self.nested(|p| p.stmt(*body));
            }
            StmtKind::Goto(name) => {
                let text = format!("goto {}", self.name(Some(*name)));
                self.line(node.span, &text);
            }
            StmtKind::Break => self.line(node.span, "break"),
            StmtKind::Continue => self.line(node.span, "continue"),
            StmtKind::Return(value) => {
                self.line(node.span, "return");
                self.nested(|p| value.iter().for_each(|&value| p.expr(value)));
            }
            StmtKind::Asm(asm) => self.asm(*asm, node.span),
            StmtKind::Fallthrough => self.line(node.span, "fallthrough"),
            StmtKind::Empty => self.line(node.span, "empty"),
            StmtKind::Error => self.line(node.span, "error"),
        }
    }

    fn asm(&mut self, asm: AsmId, span: Span) {
        let AsmStmt { volatile, text, outputs, inputs, clobbers } = &self.unit.asms[asm];
        let text = self.asm_string(*text);
        self.line(span, &format!("asm{} {text}", if volatile.is_some() { " volatile" } else { "" }));
        self.nested(|p| {
            for (kind, operands) in [("output", outputs), ("input", inputs)] {
                for AsmOperand { name, constraint, expr, span } in operands {
                    let name = name.map_or(String::new(), |name| format!(" [{}]", p.name(Some(name))));
                    let text = format!("{kind}{name} {}", p.asm_string(*constraint));
                    p.line(*span, &text);
                    p.nested(|p| p.expr(*expr));
                }
            }
            for clobber in clobbers {
                let text = format!("clobber {}", p.asm_string(*clobber));
                p.line(clobber.span, &text);
            }
        });
    }

    /// The literals as they are written, in a row.
    fn asm_string(&self, string: AsmString) -> String {
        let pieces = &self.unit.strings[string.literal].pieces;
        let spellings: Vec<&str> =
            pieces.iter().map(|piece| self.interner.spelling(piece.spelling)).collect();
        spellings.join(" ")
    }

    fn part<T>(&mut self, span: Span, name: &str, part: Option<&T>, print: impl FnOnce(&mut Self, &T)) {
        if let Some(part) = part {
            self.line(span, name);
            self.nested(|p| print(p, part));
        }
    }

    fn if_chain(&mut self, span: Span, cond: &Condition, then: StmtId, otherwise: Option<StmtId>) {
        self.controlled(span, "if", cond, then);
        let mut otherwise = otherwise;
        while let Some(id) = otherwise {
            let unit = self.unit;
            let node = &unit.stmts[id];
            // A chain stays as flat as it is in the source.
            if let StmtKind::If { cond, then, otherwise: next, constexpr: _ } = &node.kind {
                self.controlled(node.span, "else if", cond, *then);
                otherwise = *next;
            } else {
                self.line(node.span, "else");
                self.nested(|p| p.stmt(id));
                otherwise = None;
            }
        }
    }

    fn controlled(&mut self, span: Span, word: &str, cond: &Condition, body: StmtId) {
        self.line(span, word);
        self.nested(|p| {
            p.condition(cond);
            p.stmt(body);
        });
    }

    fn condition(&mut self, cond: &Condition) {
        self.unit.stmt_list(cond.first).iter().for_each(|&stmt| self.stmt(stmt));
        self.expr(cond.expr);
    }
}

fn quals_text(quals: QualSpecs) -> String {
    let words = [(quals.const_, "const "), (quals.volatile, "volatile "), (quals.restrict, "__restrict__ ")];
    words.iter().filter(|(span, _)| span.is_some()).map(|(_, word)| *word).collect()
}

fn builtin_text(ty: BuiltinTy) -> &'static str {
    match ty {
        BuiltinTy::Void => "void",
        BuiltinTy::Bool => "bool",
        BuiltinTy::Char => "char",
        BuiltinTy::SChar => "signed char",
        BuiltinTy::UChar => "unsigned char",
        BuiltinTy::Short => "short",
        BuiltinTy::UShort => "unsigned short",
        BuiltinTy::Int => "int",
        BuiltinTy::UInt => "unsigned int",
        BuiltinTy::Long => "long",
        BuiltinTy::ULong => "unsigned long",
        BuiltinTy::LongLong => "long long",
        BuiltinTy::ULongLong => "unsigned long long",
        BuiltinTy::Int128 => "__int128",
        BuiltinTy::UInt128 => "unsigned __int128",
        BuiltinTy::WChar => "wchar_t",
        BuiltinTy::Char16 => "char16_t",
        BuiltinTy::Char32 => "char32_t",
        BuiltinTy::Float => "float",
        BuiltinTy::Double => "double",
        BuiltinTy::LongDouble => "long double",
    }
}
