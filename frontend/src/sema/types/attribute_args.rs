//! Arguments of GNU C's attributes, where nvcc checks them (GNU C "Common Function Attributes"). What they promise changes nothing here.

use crate::ast::{AttrKind, DeclSpecs, Declarator, ExprId, ExprKind};
use crate::diag::{Code, Reported};
use crate::ir::{Exact, FuncTy, IntTy, Ty};
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

/// What an attribute says of the parameters of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    /// Parameters that are no null pointers, all pointers if none is named.
    Nonnull,
    /// The arguments of `...` end in a null pointer.
    Sentinel,
    /// A parameter is a format, which the result is, too.
    FormatArg,
    /// A parameter is a format, for the arguments from another one on.
    Format,
    /// Parameters are the size of what the result points to.
    AllocSize,
}

impl Promise {
    fn of(name: &str) -> Option<Promise> {
        Some(match name {
            "nonnull" => Promise::Nonnull,
            "sentinel" => Promise::Sentinel,
            "format_arg" => Promise::FormatArg,
            "format" => Promise::Format,
            "alloc_size" => Promise::AllocSize,
            _ => return None,
        })
    }
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

    /// Reports what attributes say of parameters that the function does not have, or that have other types.
    pub(in crate::sema) fn check_promises(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        ty: Ty,
    ) -> Result<(), Reported> {
        for attr in specs.attrs.iter().chain(&declarator.attrs) {
            let AttrKind::Gnu { name, args } = &attr.kind else { continue };
            let name = self.spelling(name.symbol).trim_matches('_');
            let (Some(promise), Some(func)) = (Promise::of(name), self.module.types.func(ty).cloned()) else {
                continue;
            };
            // What is wrong with the arguments by themselves has been reported.
            let is_read = args.is_empty()
                || self.aside(|cx| cx.types().check_attribute_args(name, args, attr.span).is_ok());
            if is_read {
                self.check_promise(promise, args, attr.span, &func)?;
            }
        }
        Ok(())
    }

    fn check_promise(
        &mut self,
        promise: Promise,
        args: &[ExprId],
        span: Span,
        func: &FuncTy,
    ) -> Result<(), Reported> {
        let mut numbers = Vec::new();
        let from = usize::from(promise == Promise::Format);
        for &arg in args.iter().skip(from) {
            let value = self.int_constant(arg, "argument of an attribute")?;
            numbers.push((value, self.unit.exprs[arg].span));
        }
        let wrong = match promise {
            Promise::Nonnull => numbers.iter().find_map(|&(number, at)| {
                let message = match self.param_numbered(number, func) {
                    Ok(Some(ty)) if self.module.types.pointee(ty).is_some() => return None,
                    Ok(Some(_)) => "attribute `nonnull` refers to a parameter that is no pointer",
                    Ok(None) => "attribute `nonnull` refers to more parameters than there are",
                    Err(()) => "the parameters that attribute `nonnull` refers to begin at 1",
                };
                Some((at, message))
            }),
            Promise::AllocSize => numbers.iter().find_map(|&(number, at)| {
                let is_known = matches!(self.param_numbered(number, func), Ok(Some(_)));
                (!is_known)
                    .then_some((at, "the argument of attribute `alloc_size` is none of the parameters"))
            }),
            Promise::Sentinel if !func.variadic => {
                Some((span, "attribute `sentinel` requires a parameter `...`"))
            }
            Promise::Sentinel => {
                let negative = numbers.iter().find(|(number, _)| *number < Exact::ZERO);
                negative.map(|&(_, at)| (at, "the argument of attribute `sentinel` is negative"))
            }
            Promise::Format if !func.variadic => {
                Some((span, "attribute `format` requires a parameter `...`"))
            }
            Promise::Format | Promise::FormatArg => self.wrong_format(&numbers, func),
        };
        match wrong {
            Some((at, message)) => Err(self.error(Code::InvalidAttribute, at, message)),
            None => Ok(()),
        }
    }

    /// What is wrong with the parameter that is a format, and the first of its arguments.
    fn wrong_format(&self, numbers: &[(Exact, Span)], func: &FuncTy) -> Option<(Span, &'static str)> {
        let &(format, at) = numbers.first()?;
        match self.param_numbered(format, func) {
            Ok(Some(ty)) => {
                let pointee = self.module.types.pointee(ty);
                let int = pointee.and_then(|pointee| self.module.types.int_ty(pointee));
                if int != Some(IntTy::Char) {
                    return Some((at, "the format argument is no string"));
                }
            }
            Ok(None) => return Some((at, "the format argument is none of the parameters")),
            // To nvcc, 0 is no parameter.
            Err(()) => return None,
        }
        let &(first, at) = numbers.get(1)?;
        let is_first = first == Exact::ZERO || first == Exact::from(func.params.len() as i128 + 1);
        (!is_first).then_some((at, "the first argument of the format is not the first of `...`"))
    }

    /// The parameter of that number, from 1 on; an error for numbers below.
    fn param_numbered(&self, number: Exact, func: &FuncTy) -> Result<Option<Ty>, ()> {
        if number <= Exact::ZERO {
            return Err(());
        }
        let idx = u64::try_from(number).ok().and_then(|number| usize::try_from(number - 1).ok());
        Ok(idx.and_then(|idx| func.params.get(idx).copied()))
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
