//! Expressions.

use super::Printer;
use crate::ast::{BinaryOp, ExprId, ExprKind, FloatSuffix, IntLength, IntLit, LitPrefix, NamedCast, UnaryOp};

impl Printer<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        let unit = self.unit;
        let node = &unit.exprs[id];
        let (text, operands): (String, Vec<ExprId>) = match &node.kind {
            ExprKind::Int(lit) => (format!("int {}", int_text(*lit)), vec![]),
            ExprKind::Float(lit) => {
                let suffix = match lit.suffix {
                    FloatSuffix::None => "",
                    FloatSuffix::F => "f",
                    FloatSuffix::L(_) | FloatSuffix::Far => "l",
                };
                (format!("float {:?}{suffix}", { lit.value }), vec![])
            }
            ExprKind::Char(lit) => (format!("char {}{}", prefix_text(lit.prefix), { lit.value }), vec![]),
            ExprKind::Str(lit) => {
                let lit = &unit.strings[*lit];
                let text: String = lit
                    .units
                    .iter()
                    .map(|&unit| match char::from_u32(unit) {
                        Some(c) if c.is_ascii_graphic() && c != '"' && c != '\\' || c == ' ' => c.to_string(),
                        _ => format!("\\x{unit:02x}"),
                    })
                    .collect();
                (format!("string {}\"{text}\"", prefix_text(lit.prefix)), vec![])
            }
            ExprKind::Bool(value) => (format!("bool {value}"), vec![]),
            ExprKind::Nullptr => ("nullptr".into(), vec![]),
            ExprKind::Ident(symbol) => (format!("name {}", self.interner.spelling(*symbol)), vec![]),
            ExprKind::Element { pack, idx } => (self.element(*pack, *idx), vec![]),
            ExprKind::Paren(inner) => ("parentheses".into(), vec![*inner]),
            ExprKind::Unary { op, operand, .. } => (format!("unary {}", unary_text(*op)), vec![*operand]),
            ExprKind::Binary { op, lhs, rhs, .. } => {
                (format!("binary {}", binary_text(*op)), vec![*lhs, *rhs])
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                (format!("assign {}=", op.map_or("", binary_text)), vec![*lhs, *rhs])
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                ("conditional".into(), [Some(*cond), *then, Some(*otherwise)].into_iter().flatten().collect())
            }
            ExprKind::Call { callee, args } => {
                ("call".into(), std::iter::once(callee).chain(unit.args(*args)).copied().collect())
            }
            ExprKind::Index { base, index } => ("index".into(), vec![*base, *index]),
            ExprKind::Member { base, arrow, name } => {
                let op = if *arrow { "->" } else { "." };
                (format!("member {op}{}", self.interner.spelling(name.symbol)), vec![*base])
            }
            ExprKind::Cast { ty, operand } => {
                (format!("cast to {}", self.type_name(&unit.type_names[*ty])), vec![*operand])
            }
            ExprKind::NamedCast { cast, ty, operand } => {
                let word = match cast {
                    NamedCast::Static => "static_cast",
                    NamedCast::Reinterpret => "reinterpret_cast",
                    NamedCast::Const => "const_cast",
                };
                (format!("{word} to {}", self.type_name(&unit.type_names[*ty])), vec![*operand])
            }
            ExprKind::FunctionalCast { ty, args } => (
                format!("functional cast to {}", self.type_name(&unit.type_names[*ty])),
                unit.args(*args).to_vec(),
            ),
            ExprKind::TemplateId { name, args } => {
                (format!("template arguments <{}>", self.template_args(*args)), vec![*name])
            }
            ExprKind::Scoped { ty, name } => {
                let ty = self.type_name(&unit.type_names[*ty]);
                (format!("name {ty}::{}", self.interner.spelling(name.symbol)), vec![])
            }
            ExprKind::ScopedMember { base, arrow, member } => {
                (format!("qualified member {}", if *arrow { "->" } else { "." }), vec![*base, *member])
            }
            ExprKind::Destroy { base, ty, .. } => {
                (format!("destructor of {}", self.type_name(&unit.type_names[*ty])), vec![*base])
            }
            ExprKind::ConversionCall { base, ty, .. } => {
                (format!("conversion to {}", self.type_name(&unit.type_names[*ty])), vec![*base])
            }
            ExprKind::New(id) => {
                let crate::ast::New { placement, ty, count, init } = unit.news[*id];
                self.line(node.span, &format!("new {}", self.type_name(&unit.type_names[ty])));
                let placement = placement.map_or(&[][..], |placement| unit.args(placement));
                self.nested(|p| placement.iter().chain(&count).for_each(|&operand| p.expr(operand)));
                if let Some(init) = init {
                    self.nested(|p| p.init(init));
                }
                return;
            }
            ExprKind::Delete { operand, is_array } => {
                ((if *is_array { "delete[]" } else { "delete" }).into(), vec![*operand])
            }
            ExprKind::This => ("this".into(), vec![]),
            ExprKind::StdFunction { function, .. } => (format!("function {}", function.name()), vec![]),
            ExprKind::NumericLimit { ty, limit } => {
                let ty = self.type_name(&unit.type_names[*ty]);
                (format!("limit {} of {ty}", limit.name()), vec![])
            }
            ExprKind::VaArg { list, ty } => {
                (format!("argument of type {}", self.type_name(&unit.type_names[*ty])), vec![*list])
            }
            ExprKind::Braced(init) => return self.init(*init),
            ExprKind::Statements(block) => {
                self.line(node.span, "statements");
                self.nested(|p| p.stmt(*block));
                return;
            }
            ExprKind::Lambda(id) => {
                let crate::ast::Lambda { captures, specs, declarator, body, .. } = &unit.lambdas[*id];
                self.line(node.span, &format!("lambda {}", self.declared(specs, declarator)));
                for crate::ast::Capture { name, init, span, .. } in captures {
                    let name = name.map_or("this", |name| self.interner.spelling(name.symbol));
                    self.nested(|p| p.line(*span, &format!("capture {name}")));
                    if let Some(init) = init {
                        self.nested(|p| p.init(*init));
                    }
                }
                if let Some(body) = body.expand() {
                    self.nested(|p| p.stmt(body));
                }
                return;
            }
            ExprKind::CompoundLiteral { ty, init, .. } => {
                let text = format!("literal of {}", self.type_name(&unit.type_names[*ty]));
                self.line(node.span, &text);
                self.nested(|p| p.init(*init));
                return;
            }
            ExprKind::SizeofExpr(operand) => ("sizeof".into(), vec![*operand]),
            ExprKind::SizeofType(ty) => (format!("sizeof {}", self.type_name(&unit.type_names[*ty])), vec![]),
            ExprKind::SizeofPack { pack, .. } => {
                (format!("sizeof... {}", self.interner.spelling(*pack)), vec![])
            }
            ExprKind::Expansion(pattern) => ("expansion".into(), vec![*pattern]),
            ExprKind::Fold { pack, init, .. } => {
                ("fold".into(), [Some(*pack), init.expand()].into_iter().flatten().collect())
            }
            ExprKind::AlignofExpr(operand) => ("alignof".into(), vec![*operand]),
            ExprKind::AlignofType(ty) => {
                (format!("alignof {}", self.type_name(&unit.type_names[*ty])), vec![])
            }
            ExprKind::Offsetof { ty, path } => {
                let path = self.designators(&unit.paths[*path]);
                (format!("offset of {path} in {}", self.type_name(&unit.type_names[*ty])), vec![])
            }
            ExprKind::TypeTrait { asked, ty, other } => {
                let types = [Some(*ty), *other].into_iter().flatten();
                let types: Vec<String> = types.map(|ty| self.type_name(&unit.type_names[ty])).collect();
                (format!("{asked:?} {}", types.join(", ")), vec![])
            }
            ExprKind::RangeElement => ("element".into(), vec![]),
            ExprKind::Error => ("error".into(), vec![]),
        };
        self.line(node.span, &text);
        self.nested(|p| operands.iter().for_each(|&operand| p.expr(operand)));
    }
}

fn int_text(lit: IntLit) -> String {
    let unsigned = if lit.is_unsigned { "u" } else { "" };
    let length = match lit.length {
        IntLength::None => "",
        IntLength::Long => "l",
        IntLength::LongLong => "ll",
    };
    format!("{}{unsigned}{length}", { lit.value })
}

fn prefix_text(prefix: LitPrefix) -> &'static str {
    match prefix {
        LitPrefix::None => "",
        LitPrefix::U8 => "u8",
        LitPrefix::U16 => "u",
        LitPrefix::U32 => "U",
        LitPrefix::Wide => "L",
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Deref => "*",
        UnaryOp::AddrOf => "&",
        UnaryOp::PreInc => "++",
        UnaryOp::PreDec => "--",
        UnaryOp::PostInc => "postfix ++",
        UnaryOp::PostDec => "postfix --",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
        BinaryOp::Comma => ",",
    }
}
