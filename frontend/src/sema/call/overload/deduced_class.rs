//! Class template argument deduction: the class that values mean which initialize an object of a template without arguments (C++17
//! 10.1.7.5, 16.3.1.8).

use cranelift_entity::packed_option::ReservedValue;
use smallvec::SmallVec;

use super::{Arg, Args, Candidate, Ignored, Origin, Overloads, Viable};
use crate::ast::{ExprId, InitId, InitKind, Name, TypeName, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Ty;
use crate::sema::Calls;
use crate::sema::conversion::construct::Form;
use crate::sema::template::Template;

/// What says the arguments of the class.
#[derive(Clone, Copy)]
pub(in crate::sema) enum ClassValues<'v> {
    /// The initializer of a variable, if it has one.
    Init(Option<InitId>),
    /// The arguments in parentheses.
    Args(&'v [ExprId]),
}

impl<'a> Calls<'a> {
    /// The type that a specifier names, where values say the arguments of a class template; and the name of that.
    pub(in crate::sema) fn deduced_class(
        &mut self,
        spec: &TypeSpec,
        values: ClassValues<'_>,
    ) -> Option<Result<(Ty, &'a str), Reported>> {
        let (template, name) = self.templates().class_without_args(spec)?;
        let deduced = self.deduce_class(template, name, values);
        Some(deduced.map(|ty| (ty, self.spelling(name.symbol))))
    }

    /// The type of `S(…)`, `S{…}`, `new S(…)`.
    pub(in crate::sema) fn type_made_of(
        &mut self,
        name: &TypeName,
        values: ClassValues<'_>,
    ) -> Result<Ty, Reported> {
        if !name.declarator.chunks.is_empty() {
            return self.types().resolve_type_name(name);
        }
        match self.deduced_class(&name.specs.ty, values) {
            Some(deduced) => {
                let (ty, _) = deduced?;
                self.types().qualified(ty, &name.specs.quals)
            }
            None => self.types().resolve_type_name(name),
        }
    }

    fn deduce_class(
        &mut self,
        template: Template,
        name: Name,
        values: ClassValues<'_>,
    ) -> Result<Ty, Reported> {
        let templates = self.templates().guides_of(template, name)?;
        let guides = Overloads { templates, ..Overloads::default() };
        let was_quiet = self.sink.set_quiet(true);
        let found = self.in_unevaluated(|cx| {
            let (args, form) = cx.calls().args_of_class(values)?;
            cx.calls().choose_guide(&guides, name, &args, form)
        });
        self.sink.set_quiet(was_quiet);
        found
    }

    fn args_of_class(&mut self, values: ClassValues<'_>) -> Result<(Args, Form), Reported> {
        let unit = self.unit;
        let init = match values {
            ClassValues::Args(args) => return Ok((self.check_args(args, true)?, Form::Direct)),
            ClassValues::Init(None) => return Ok((Args::new(), Form::Direct)),
            ClassValues::Init(Some(init)) => &unit.inits[init],
        };
        let items = match &init.kind {
            InitKind::Expr(expr) => {
                let arg = self.check_object_arg(*expr)?;
                let form = if init.is_direct { Form::Direct } else { Form::Copy };
                return Ok((Args::from_iter([arg]), form));
            }
            InitKind::Parens(args) => return Ok((self.check_args(args, true)?, Form::Direct)),
            InitKind::List(items) => items,
        };
        let mut args = Args::new();
        for item in items {
            args.push(match unit.inits[item.init].kind {
                InitKind::Expr(expr) => self.check_object_arg(expr)?,
                _ => Arg::Braced(item.init, ExprId::reserved_value()),
            });
        }
        Ok((args, if init.is_direct { Form::Direct } else { Form::CopyList }))
    }

    fn choose_guide(
        &mut self,
        guides: &Overloads,
        name: Name,
        args: &[Arg],
        form: Form,
    ) -> Result<Ty, Reported> {
        let mut viable = SmallVec::new();
        let ignored = self.add_viable_templates(guides, args, &mut viable);
        if form == Form::Copy {
            viable.retain(|viable| !self.is_explicit_guide(viable));
        }
        let best = self.best(&viable);
        let Some(best) = best else { return Err(self.no_guide(name, args, &viable, &ignored)) };
        let Candidate::Func(func) = viable[best].candidate else { return Err(self.poisoned()) };
        let ty = self.module.functions[func].ty;
        if form == Form::CopyList && self.is_explicit_guide(&viable[best]) {
            let message = format!(
                "class template argument deduction for `{}` selected an explicit deduction guide for copy-list-initialization",
                self.spelling(name.symbol)
            );
            let diagnostic = Diagnostic::new(Code::NoMatchingFunction, name.span, message)
                .with_label(self.module.functions[func].span, "explicit deduction guide declared here");
            return Err(self.sink.error(diagnostic));
        }
        match self.module.types.func(ty) {
            Some(func) => Ok(func.ret),
            None => Err(self.poisoned()),
        }
    }

    fn is_explicit_guide(&self, viable: &Viable<Candidate>) -> bool {
        matches!(viable.origin, Origin::Template(guide) if self.templates_ref().is_explicit_guide(guide))
    }

    fn no_guide(
        &mut self,
        name: Name,
        args: &[Arg],
        viable: &[Viable<Candidate>],
        ignored: &Ignored,
    ) -> Reported {
        let (spelling, written) = (self.spelling(name.symbol), self.written_args(args));
        let mut diagnostic = if viable.is_empty() {
            let message = format!(
                "no viable constructor or deduction guide for deduction of template arguments of `{spelling}` with arguments ({written})"
            );
            Diagnostic::new(Code::NoMatchingFunction, name.span, message)
        } else {
            let message = format!("ambiguous deduction for template arguments of `{spelling}`");
            Diagnostic::new(Code::AmbiguousCall, name.span, message)
        };
        for viable in viable {
            if let Candidate::Func(func) = viable.candidate {
                diagnostic = diagnostic.with_label(self.module.functions[func].span, "candidate function");
            }
        }
        if viable.is_empty() {
            diagnostic = self.with_ignored(diagnostic, ignored, args);
        }
        self.sink.error(diagnostic)
    }
}
