//! Statements, expressions, places and initializers.
//!
//! A node is `handle:type operation(operands)`. A statement is a line, its parts are indented.

use std::fmt::Write;

use super::super::{
    Asm, AsmPieceData, Axis, BinaryOp, Body, CaseRange, Change, CompareOp, Conversion, Expr, ExprData,
    ForHead, Func, Global, Init, InitData, Local, LogicalOp, Module, Place, PlaceData, SpecialReg, Stmt,
    StmtData, SwitchHead, TypeTable, UnaryOp, Unroll, VaListOp, Yields,
};
use super::tree::Tree;
use super::{bytes_text, float_text, type_word};

/// The parameters and the statements of a function.
pub(super) fn print(out: &mut String, module: &Module, body: &Body) {
    let mut printer = Printer { out, module, types: &module.types, body };
    for &param in &body.params {
        let text = format!("param {}", printer.declared(param));
        printer.line(1, &text);
    }
    printer.stmt(body.root, 1);
}

struct Printer<'a> {
    out: &'a mut String,
    module: &'a Module,
    types: &'a TypeTable,
    body: &'a Body,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A line that ends in a tree.
    fn tree_line(&mut self, depth: usize, text: &str, tree: &Tree) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
        tree.write(self.out, 2 * depth + text.chars().count() + 1, depth + 1);
        self.out.push('\n');
    }

    fn declared(&self, local: Local) -> String {
        let data = &self.body.locals[local];
        let name = data.name.as_deref().unwrap_or("<unnamed>");
        let declared = self.types.display_declared(data.ty, name);
        match data.align {
            Some(align) => format!("{local} {declared} align {align}"),
            None => format!("{local} {declared}"),
        }
    }

    fn global(&self, global: Global) -> String {
        match self.module.globals.get(global).and_then(|data| data.name.as_ref()) {
            Some(name) => format!("{global} {name}"),
            None => global.to_string(),
        }
    }

    fn func(&self, func: Func) -> String {
        match self.module.functions.get(func) {
            Some(function) => format!("{func} {}", function.name),
            None => func.to_string(),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt], depth: usize) {
        for &stmt in stmts {
            self.stmt(stmt, depth);
        }
    }

    fn stmt(&mut self, stmt: Stmt, depth: usize) {
        let body = self.body;
        match &body.stmts[stmt].data {
            StmtData::Expr(expr) => self.tree_line(depth, &format!("{stmt} expr"), &self.expr(*expr)),
            StmtData::Init(place, init) => {
                let parts = vec![self.place(*place), self.init(*init)];
                self.tree_line(depth, &format!("{stmt} init"), &named("", parts));
            }
            StmtData::Local(local, None) => {
                let text = format!("{stmt} local {}", self.declared(*local));
                self.line(depth, &text);
            }
            StmtData::Local(local, Some(init)) => {
                let text = format!("{stmt} local {} =", self.declared(*local));
                self.tree_line(depth, &text, &self.init(*init));
            }
            StmtData::Static(global) => {
                let text = format!("{stmt} static {}", self.global(*global));
                self.line(depth, &text);
            }
            StmtData::Block(stmts) => {
                self.line(depth, &format!("{stmt} block"));
                self.stmts(stmts, depth + 1);
            }
            StmtData::If { cond, then, otherwise } => {
                self.tree_line(depth, &format!("{stmt} if"), &self.expr(*cond));
                self.stmt(*then, depth + 1);
                if let Some(otherwise) = otherwise.expand() {
                    self.line(depth, "else");
                    self.stmt(otherwise, depth + 1);
                }
            }
            StmtData::While { cond, body, unroll } => {
                let text = format!("{stmt}{} while", unroll_words(*unroll));
                self.tree_line(depth, &text, &self.expr(*cond));
                self.stmt(*body, depth + 1);
            }
            StmtData::DoWhile { body, cond, unroll } => {
                self.line(depth, &format!("{stmt}{} do", unroll_words(*unroll)));
                self.stmt(*body, depth + 1);
                self.tree_line(depth, "while", &self.expr(*cond));
            }
            StmtData::For(head, body) => {
                let ForHead { init, cond, step, unroll } = &**head;
                self.line(depth, &format!("{stmt}{} for", unroll_words(*unroll)));
                self.stmts(init, depth + 2);
                match cond {
                    Some(cond) => self.tree_line(depth + 1, "while", &self.expr(*cond)),
                    None => self.line(depth + 1, "forever"),
                }
                if let Some(step) = step {
                    self.tree_line(depth + 1, "step", &self.expr(*step));
                }
                self.stmt(*body, depth + 1);
            }
            StmtData::Switch { head, body } => {
                let SwitchHead { value, cases, has_default } = &**head;
                self.tree_line(depth, &format!("{stmt} switch"), &self.expr(*value));
                let mut targets: Vec<String> = cases.iter().map(|case| case_text(*case)).collect();
                targets.extend(has_default.then(|| "default".to_owned()));
                self.line(depth + 1, &format!("cases {}", targets.join(", ")));
                self.stmt(*body, depth + 1);
            }
            StmtData::Case(case, body) => {
                self.line(depth, &format!("{stmt} case {}", case_text(**case)));
                self.stmt(*body, depth + 1);
            }
            StmtData::Default(body) => {
                self.line(depth, &format!("{stmt} default"));
                self.stmt(*body, depth + 1);
            }
            StmtData::Label(label, labelled) => {
                self.line(depth, &format!("{stmt} {label} {}", body.labels[*label].name));
                self.stmt(*labelled, depth + 1);
            }
            StmtData::Goto(label) => self.line(depth, &format!("{stmt} goto {label}")),
            StmtData::Break => self.line(depth, &format!("{stmt} break")),
            StmtData::Continue => self.line(depth, &format!("{stmt} continue")),
            StmtData::Return(None) => self.line(depth, &format!("{stmt} return")),
            StmtData::Return(Some(value)) => {
                self.tree_line(depth, &format!("{stmt} return"), &self.expr(*value));
            }
            StmtData::Asm(asm) => self.asm(stmt, asm, depth),
            StmtData::Empty => self.line(depth, &format!("{stmt} empty")),
        }
    }

    fn asm(&mut self, stmt: Stmt, asm: &Asm, depth: usize) {
        let mut text = String::new();
        for piece in &asm.pieces {
            match &piece.data {
                AsmPieceData::Text(piece) => text.push_str(&piece.replace('%', "%%")),
                AsmPieceData::Operand(idx) => write!(text, "%{idx}").expect("invariant: a string takes all"),
                AsmPieceData::Unique => text.push_str("%="),
            }
        }
        let effects = if asm.has_effects { " volatile" } else { "" };
        self.line(depth, &format!("{stmt} asm{effects} {text:?}"));
        for output in &asm.outputs {
            let mode = if output.is_read { '+' } else { '=' };
            let early = if output.is_early { "&" } else { "" };
            let label = format!("output {mode}{early}{}", output.register.letter());
            self.tree_line(depth + 1, &label, &self.place(output.place));
        }
        for input in &asm.inputs {
            let label = format!("input {}", input.register.letter());
            self.tree_line(depth + 1, &label, &self.expr(input.value));
        }
    }

    /// A block within an expression, each statement on one line.
    fn inner_block(&self, stmts: &[Stmt], value: Option<Expr>) -> Tree {
        let mut parts = Vec::new();
        for &stmt in stmts {
            let mut text = String::new();
            let mut printer =
                Printer { out: &mut text, module: self.module, types: self.types, body: self.body };
            printer.stmt(stmt, 0);
            let words: Vec<&str> = text.split_whitespace().collect();
            parts.push(Tree::leaf(words.join(" ")));
        }
        parts.extend(value.map(|value| self.expr(value)));
        named("block", parts)
    }

    fn init(&self, init: Init) -> Tree {
        match &self.body.inits[init].data {
            InitData::Expr(expr) => self.expr(*expr).labelled(&format!("{init} ")),
            InitData::Array(elems) => {
                let elem = |&(idx, elem): &(u64, Init)| self.init(elem).labelled(&format!("[{idx}] = "));
                Tree::node(format!("{init} array"), elems.iter().map(elem).collect())
            }
            data @ (InitData::Record(members) | InitData::Partial(members)) => {
                let word = if matches!(data, InitData::Record(_)) { "record" } else { "partial" };
                let member = |&(idx, member): &(u32, Init)| self.init(member).labelled(&format!(".{idx} = "));
                Tree::node(format!("{init} {word}"), members.iter().map(member).collect())
            }
            InitData::Each(elem) => Tree::node(format!("{init} each"), vec![self.init(*elem)]),
            InitData::Construct(func, args) => {
                Tree::node(format!("{init} construct {func}"), self.exprs(args))
            }
            InitData::Bytes(bytes) => Tree::leaf(format!("{init} {}", bytes_text(bytes))),
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> Vec<Tree> {
        exprs.iter().map(|&expr| self.expr(expr)).collect()
    }

    fn expr(&self, expr: Expr) -> Tree {
        let node = &self.body.exprs[expr];
        let prefix = format!("{expr}:{} ", type_word(self.types, node.ty));
        let tree = match &node.data {
            ExprData::Int(value) => Tree::leaf(value.to_string()),
            ExprData::WideInt(value) => Tree::leaf(value.to_string()),
            ExprData::Float(value) => Tree::leaf(float_text(self.types, node.ty, *value)),
            ExprData::Null => Tree::leaf("null".to_owned()),
            ExprData::Load(place) => named("load", vec![self.place(*place)]),
            ExprData::AddrOf(place) => named("addr_of", vec![self.place(*place)]),
            ExprData::ArrayDecay(place) => named("array_decay", vec![self.place(*place)]),
            ExprData::FuncAddr(func) => Tree::leaf(format!("&{}", self.func(*func))),
            ExprData::SpecialReg(reg) => Tree::leaf(special_reg_name(*reg)),
            ExprData::Unary(op, operand) => named(unary_name(*op), self.exprs(&[*operand])),
            ExprData::Binary(op, lhs, rhs) => named(binary_name(*op), self.exprs(&[*lhs, *rhs])),
            ExprData::Compare(op, lhs, rhs) => named(compare_name(*op), self.exprs(&[*lhs, *rhs])),
            ExprData::Not(operand) => named("not", self.exprs(&[*operand])),
            ExprData::Logical(LogicalOp::And, lhs, rhs) => named("logical_and", self.exprs(&[*lhs, *rhs])),
            ExprData::Logical(LogicalOp::Or, lhs, rhs) => named("logical_or", self.exprs(&[*lhs, *rhs])),
            ExprData::PtrOffset { ptr, index, subtract } => {
                named(if *subtract { "ptr_sub" } else { "ptr_add" }, self.exprs(&[*ptr, *index]))
            }
            ExprData::PtrDiff(lhs, rhs) => named("ptr_diff", self.exprs(&[*lhs, *rhs])),
            ExprData::Convert(conversion, operand) => {
                named(conversion_name(*conversion), self.exprs(&[*operand]))
            }
            ExprData::Conditional { cond, then, otherwise } => {
                named("conditional", self.exprs(&[*cond, *then, *otherwise]))
            }
            ExprData::Assign { place, value } => named("assign", vec![self.place(*place), self.expr(*value)]),
            ExprData::Modify { place, change, yields } => {
                let Change { rhs, old, new } = **change;
                let mut parts = vec![self.place(*place)];
                parts.extend(rhs.map(|rhs| self.expr(rhs.value).labelled(&format!("{} = ", rhs.bound))));
                parts.push(self.expr(new).labelled(&format!("{old} => ")));
                let name = match yields {
                    Yields::Old => "modify_yield_old",
                    Yields::New => "modify",
                };
                named(name, parts)
            }
            ExprData::Bound => Tree::leaf("bound".to_owned()),
            ExprData::Call { callee: func, args, from_last } => {
                let order = if *from_last { " from_last" } else { "" };
                Tree::node(format!("call {}{order}", self.func(*func)), self.exprs(args))
            }
            ExprData::CallIndirect { callee: pointer, args } => {
                let mut parts = vec![self.expr(*pointer).labelled("callee ")];
                parts.extend(self.exprs(args));
                named("call", parts)
            }
            ExprData::Builtin(builtin, args) => Tree::node(builtin.to_string(), self.exprs(args)),
            ExprData::Comma(first, second) => named("comma", self.exprs(&[*first, *second])),
            ExprData::Block(stmts, value) => self.inner_block(stmts, value.expand()),
            ExprData::VaList(op, lists) => named(va_list_name(*op), self.exprs(lists)),
            ExprData::Record(fields) => named("record", self.exprs(fields)),
        };
        tree.labelled(&prefix)
    }

    fn place(&self, place: Place) -> Tree {
        let node = &self.body.places[place];
        let prefix = format!("{place}:{} ", type_word(self.types, node.ty));
        let tree = match &node.data {
            PlaceData::Local(local) => match &self.body.locals[*local].name {
                Some(name) => Tree::leaf(format!("{local} {name}")),
                None => Tree::leaf(local.to_string()),
            },
            PlaceData::Global(global) => Tree::leaf(self.global(*global)),
            PlaceData::Deref(pointer) => named("deref", self.exprs(&[*pointer])),
            PlaceData::Field(base, field_idx) => {
                Tree::node(format!("field .{field_idx}"), vec![self.place(*base)])
            }
            PlaceData::Temporary(value) => named("temporary", self.exprs(&[*value])),
            PlaceData::Assigned(assignment) => named("assigned", self.exprs(&[*assignment])),
            PlaceData::Conditional(cond, choice) => {
                let [then, otherwise] = self.body.choices[*choice];
                named("conditional", vec![self.expr(*cond), self.place(then), self.place(otherwise)])
            }
            PlaceData::Comma(effect, place) => named("comma", vec![self.expr(*effect), self.place(*place)]),
            PlaceData::CompoundLiteral(local, init) => {
                Tree::node(format!("compound_literal {}", self.declared(*local)), vec![self.init(*init)])
            }
        };
        tree.labelled(&prefix)
    }
}

fn named(name: &str, operands: Vec<Tree>) -> Tree {
    Tree::node(name.to_owned(), operands)
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::BitNot => "bit_not",
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Shl => "shl",
        BinaryOp::Shr => "shr",
    }
}

fn compare_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "eq",
        CompareOp::Ne => "ne",
        CompareOp::Lt => "lt",
        CompareOp::Le => "le",
        CompareOp::Gt => "gt",
        CompareOp::Ge => "ge",
    }
}

fn conversion_name(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::IntToInt => "int_to_int",
        Conversion::IntToFloat => "int_to_float",
        Conversion::FloatToInt => "float_to_int",
        Conversion::FloatToFloat => "float_to_float",
        Conversion::ToBool => "to_bool",
        Conversion::PtrToBool => "ptr_to_bool",
        Conversion::PtrToPtr => "ptr_to_ptr",
        Conversion::IntToPtr => "int_to_ptr",
        Conversion::PtrToInt => "ptr_to_int",
        Conversion::HandleToInt => "handle_to_int",
        Conversion::ToVoid => "to_void",
    }
}

fn special_reg_name(reg: SpecialReg) -> String {
    let (name, axis) = match reg {
        SpecialReg::Tid(axis) => ("tid", axis),
        SpecialReg::Ntid(axis) => ("ntid", axis),
        SpecialReg::Ctaid(axis) => ("ctaid", axis),
        SpecialReg::Nctaid(axis) => ("nctaid", axis),
        SpecialReg::WarpSize => return "warp_size".to_owned(),
    };
    let axis = match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("{name}.{axis}")
}

fn unroll_words(unroll: Option<Unroll>) -> String {
    match unroll.map(Unroll::count) {
        None => String::new(),
        Some(None) => " unrolled".to_owned(),
        Some(Some(count)) => format!(" unrolled by {count}"),
    }
}

fn case_text(case: CaseRange) -> String {
    if case.first == case.last { case.first.to_string() } else { format!("{} ... {}", case.first, case.last) }
}

fn va_list_name(op: VaListOp) -> &'static str {
    match op {
        VaListOp::Start => "va_start",
        VaListOp::Arg => "va_arg",
        VaListOp::End => "va_end",
        VaListOp::Copy => "va_copy",
    }
}
