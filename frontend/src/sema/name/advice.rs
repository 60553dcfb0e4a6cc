//! What attributes say to those who use a name: `deprecated`, `nodiscard`, `pure` and their kin.
//!
//! They change no meaning: nothing but warnings comes of them.

use hashbrown::HashMap;

use crate::ast::{ExprId, ExprKind, Name};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Expr, ExprData, Func, Global, Record, Ty};
use crate::sema::Names;
use crate::sema::name::scope::{Binding, Entity};
use crate::sema::types::qualifier::Attrs;
use crate::source::Span;

/// What has an attribute of the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::sema) enum Advised {
    Func(Func),
    Global(Global),
    Record(Record),
    /// A member, typedef name or enumerator, by the place of its declaration.
    At(Span),
}

/// An attribute that may have a reason in a string.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Reasoned {
    pub(in crate::sema) span: Span,
    /// Its number among those of the program.
    pub(in crate::sema) reason: Option<usize>,
}

/// The attributes of a declaration that advise its users.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sema) struct Advice {
    pub(in crate::sema) deprecated: Option<Reasoned>,
    pub(in crate::sema) nodiscard: Option<Reasoned>,
    /// `pure` or `const`: a call has no effect but its value.
    pub(in crate::sema) purity: Option<&'static str>,
}

/// All advice of the program.
pub(in crate::sema) type AdviceTable = HashMap<Advised, Advice>;

impl Advice {
    fn is_none(&self) -> bool {
        self.deprecated.is_none() && self.nodiscard.is_none() && self.purity.is_none()
    }
}

impl Names<'_> {
    /// Remembers what the attributes of a declaration advise.
    pub(in crate::sema) fn advise(&mut self, what: Advised, attrs: &Attrs) {
        if attrs.advice.is_none() {
            return;
        }
        let known = self.known.advice.entry(what).or_default();
        let Advice { deprecated, nodiscard, purity } = attrs.advice;
        known.deprecated = known.deprecated.or(deprecated);
        known.nodiscard = known.nodiscard.or(nodiscard);
        known.purity = known.purity.or(purity);
    }

    /// Looks at a use of something.
    pub(in crate::sema) fn warn_use(&mut self, what: Advised, name: &str, span: Span) {
        let Some(deprecated) = self.known.advice.get(&what).and_then(|advice| advice.deprecated) else {
            return;
        };
        // What is deprecated itself may use what is.
        let user = self.func.as_ref().map(|func| Advised::Func(func.func));
        let is_excused = user
            .and_then(|user| self.known.advice.get(&user))
            .is_some_and(|advice| advice.deprecated.is_some());
        if is_excused {
            return;
        }
        let message = match self.reason(deprecated) {
            Some(reason) => format!("`{name}` is deprecated: {reason}"),
            None => format!("`{name}` is deprecated"),
        };
        let diagnostic = Diagnostic::new(Code::DeprecatedDeclarations, span, message)
            .with_label(deprecated.span, "marked as deprecated here");
        self.sink.emit(diagnostic);
    }

    /// The same, of a type.
    pub(in crate::sema) fn warn_type_use(&mut self, ty: Ty, span: Span) {
        if let Some(record) = self.module.types.record(ty)
            && self.known.advice.contains_key(&Advised::Record(record))
        {
            let name = self.module.types.records[record].tag.clone().unwrap_or_default();
            self.warn_use(Advised::Record(record), &name, span);
        }
    }

    /// An attribute with its reason, which is used where the text of the attribute may be forgotten.
    pub(in crate::sema) fn reasoned(&mut self, span: Span, reason: Option<ExprId>) -> Reasoned {
        let reason = reason.and_then(|reason| match self.unit.exprs[reason].kind {
            ExprKind::Str(literal) => {
                Some(self.unit.strings[literal].units.iter().filter_map(|&u| char::from_u32(u)).collect())
            }
            _ => None,
        });
        let number = reason.is_some().then_some(self.known.names.reasons.len());
        self.known.names.reasons.extend(reason);
        Reasoned { span, reason: number }
    }

    fn reason(&self, attr: Reasoned) -> Option<&str> {
        self.known.names.reasons.get(attr.reason?).map(String::as_str)
    }

    /// Looks at a call whose value is dropped.
    pub(in crate::sema) fn warn_dropped_call(&mut self, value: Expr) {
        let mut call = value;
        while let ExprData::Convert(_, inner) = self.arena.exprs[call].data {
            call = inner;
        }
        let span = self.span_of(call);
        let func = match self.arena.exprs[call].data {
            ExprData::Call { callee, .. } => Some(Advised::Func(callee)),
            ExprData::CallIndirect { .. } => None,
            ExprData::Builtin(builtin, _)
                if builtin.is_pure() && self.canonical(self.ty_of(call)) != Ty::VOID =>
            {
                let message = "ignoring return value of built-in function without side effects";
                self.sink.emit(Diagnostic::new(Code::UnusedValue, span, message));
                return;
            }
            _ => return,
        };
        if self.known.advice.is_empty() {
            return;
        }
        let record = self.module.types.record(self.ty_of(call)).map(Advised::Record);
        let of = |what: Option<Advised>| what.and_then(|what| self.known.advice.get(&what)).copied();
        let (of_func, of_record) = (of(func).unwrap_or_default(), of(record).unwrap_or_default());
        if let Some(nodiscard) = of_func.nodiscard.or(of_record.nodiscard) {
            let message = match self.reason(nodiscard) {
                Some(reason) => {
                    format!("ignoring return value of function declared with `nodiscard` attribute: {reason}")
                }
                None => "ignoring return value of function declared with `nodiscard` attribute".to_owned(),
            };
            let diagnostic = Diagnostic::new(Code::UnusedResult, span, message)
                .with_label(nodiscard.span, "declared with the attribute here")
                .with_help("cast the call to `void` to silence this warning");
            self.sink.emit(diagnostic);
        } else if let Some(purity) = of_func.purity {
            let message = format!("ignoring return value of function declared with `{purity}` attribute");
            self.sink.emit(Diagnostic::new(Code::UnusedValue, span, message));
        }
    }
}

impl Names<'_> {
    /// Says what attributes of the declaration say to users of the name.
    pub(in crate::sema) fn advise_use(&mut self, binding: Binding, name: Name) {
        if self.known.advice.is_empty() {
            return;
        }
        let what = match binding.entity {
            Entity::Func(func) => Some(Advised::Func(func)),
            Entity::Global(global) => Some(Advised::Global(global)),
            Entity::Enumerator(..) => binding.span.map(Advised::At),
            Entity::Overloads(_)
            | Entity::Local(_)
            | Entity::Field(_)
            | Entity::Member(_)
            | Entity::Element(..)
            | Entity::Typedef(_)
            | Entity::Const(_)
            | Entity::Special(_)
            | Entity::Constant(_)
            | Entity::TemplateParam(_)
            | Entity::Template(_)
            | Entity::Pack(_)
            | Entity::Enclosing
            | Entity::Captured(_)
            | Entity::Namespace(_)
            | Entity::Several
            | Entity::Host(_)
            | Entity::Poison => None,
        };
        if let Some(what) = what {
            let spelling = self.spelling(name.symbol);
            self.warn_use(what, spelling, name.span);
        }
    }
}
