//! Arguments of GNU C's attributes, where nvcc checks them (GNU C "Common Function Attributes"). What they promise changes nothing here.

use crate::ast::{ExprId, ExprKind};
use crate::diag::{Code, Reported};
use crate::sema::Types;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Binding, Entity, HostEntity};
use crate::source::Span;

/// What an attribute takes in parentheses.
struct Shape {
    name: &'static str,
    first: First,
    /// How many arguments it has, the first one included.
    n_args: (usize, usize),
}

/// What the first argument is; all others are integer constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Number,
    /// A function.
    Function,
    /// A word that only the attribute knows.
    Word,
    /// One of these string literals.
    Text(&'static [&'static str]),
}

const MANY: usize = usize::MAX;

const SHAPES: &[Shape] = &[
    Shape { name: "aligned", first: First::Number, n_args: (1, 1) },
    Shape { name: "alloc_size", first: First::Number, n_args: (1, 2) },
    Shape { name: "constructor", first: First::Number, n_args: (1, 1) },
    Shape { name: "destructor", first: First::Number, n_args: (1, 1) },
    Shape { name: "format", first: First::Word, n_args: (3, 3) },
    Shape { name: "format_arg", first: First::Number, n_args: (1, 1) },
    Shape { name: "malloc", first: First::Function, n_args: (1, 2) },
    Shape { name: "mode", first: First::Word, n_args: (1, 1) },
    Shape { name: "nonnull", first: First::Number, n_args: (1, MANY) },
    Shape { name: "sentinel", first: First::Number, n_args: (1, 1) },
    Shape {
        name: "visibility",
        first: First::Text(&["default", "hidden", "internal", "protected"]),
        n_args: (1, 1),
    },
];

impl Types<'_> {
    /// Reports arguments that nvcc refuses, too. `args` is not empty.
    pub(super) fn check_attribute_args(
        &mut self,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Reported> {
        let Some(shape) = SHAPES.iter().find(|shape| shape.name == name) else { return Ok(()) };
        let (least, most) = shape.n_args;
        if args.len() < least || args.len() > most {
            let (few, count) = if args.len() < least { ("few", least) } else { ("many", most) };
            let message = format!("too {few} arguments for attribute `{name}`, {count} expected");
            return Err(self.error(Code::InvalidAttribute, span, message));
        }
        let [first, rest @ ..] = args else { return Ok(()) };
        match shape.first {
            // Read as an alignment.
            First::Number if name == "aligned" => {}
            First::Number => self.check_attribute_number(name, *first)?,
            First::Function => self.check_attribute_function(name, *first)?,
            First::Word => match self.unit.exprs[*first].kind {
                ExprKind::Ident(_) => {}
                _ => {
                    let at = self.unit.exprs[*first].span;
                    let message = format!("the first argument of attribute `{name}` must be a name");
                    return Err(self.error(Code::InvalidAttribute, at, message));
                }
            },
            First::Text(known) => self.check_attribute_text(name, *first, known)?,
        }
        rest.iter().try_for_each(|&arg| self.check_attribute_number(name, arg))
    }

    fn check_attribute_number(&mut self, name: &str, arg: ExprId) -> Result<(), Reported> {
        self.int_constant(arg, &format!("argument of attribute `{name}`")).map(|_| ())
    }

    fn check_attribute_function(&mut self, name: &str, arg: ExprId) -> Result<(), Reported> {
        let node = &self.unit.exprs[arg];
        // Whose function it is does not matter.
        if let ExprKind::Ident(symbol) = node.kind
            && let Some(Binding { entity: Entity::Host(HostEntity::Function), .. }) =
                self.names_ref().lookup(symbol)
        {
            return Ok(());
        }
        let operand = self.in_scratch(|cx| cx.expressions().check_expr(arg))?;
        match operand {
            Operand::Func(..) | Operand::Overloads(..) | Operand::Builtin(..) => Ok(()),
            _ => {
                let message = format!("the first argument of attribute `{name}` must be a function");
                Err(self.error(Code::InvalidAttribute, node.span, message))
            }
        }
    }

    fn check_attribute_text(&mut self, name: &str, arg: ExprId, known: &[&str]) -> Result<(), Reported> {
        let node = &self.unit.exprs[arg];
        // The parser has reported what is no string literal.
        let ExprKind::Str(literal) = node.kind else { return Ok(()) };
        let units = &self.unit.strings[literal].units;
        if known.iter().any(|text| text.chars().map(u32::from).eq(units.iter().copied())) {
            return Ok(());
        }
        let list: Vec<String> = known.iter().map(|text| format!("`\"{text}\"`")).collect();
        let message = format!("unknown argument of attribute `{name}`, expected one of {}", list.join(", "));
        Err(self.error(Code::InvalidAttribute, node.span, message))
    }
}
