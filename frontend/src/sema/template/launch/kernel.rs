//! Names of kernels in host code: launches, and addresses.

use std::ops::Range;

use cranelift_entity::packed_option::ReservedValue;

use super::walk::Walk;
use crate::ast::{ExprId, ExprKind, InitId, TranslationUnit};
use crate::diag::Reported;
use crate::ir::Func;
use crate::parse::Rereader;
use crate::sema::Templates;
use crate::sema::call::overload::{Arg, Args, Overloads};
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Binding, Entity};
use crate::token::{Keyword, Punct, Token, TokenKind};

/// The name of a kernel, as host code writes it.
struct Written {
    /// Its first token, a qualifier or the name.
    start: usize,
    name: usize,
    /// The `<` and the `>` of template arguments.
    angles: Option<(usize, usize)>,
    /// The token after it.
    after: usize,
}

impl<'a> Walk<'_, 'a> {
    /// Looks at the name of a kernel template, within an expression that begins at a token.
    pub(super) fn kernel(&mut self, name: usize, begin: usize) {
        let TokenKind::Ident(symbol) = self.kind(name) else { return };
        let is_member = name > 0 && (self.is(name - 1, Punct::Dot) || self.is(name - 1, Punct::Arrow));
        let start = self.first_of_name(name, begin);
        // What a block declares hides it.
        if is_member || start == name && self.names.is_type(symbol).is_some() {
            return;
        }
        let angles = match self.is(name + 1, Punct::Lt) {
            true => self.close_angle(name + 1).filter(|(_, rest)| rest.is_none()),
            false => None,
        };
        let angles = angles.map(|(close, _)| (name + 1, close));
        let written = Written { start, name, angles, after: angles.map_or(name, |(_, close)| close) + 1 };
        if self.is(written.after, Punct::LaunchOpen) {
            return self.launch(&written);
        }
        // A function of the same name that is called.
        if self.is(written.after, Punct::LParen) {
            return;
        }
        self.address(&written);
    }

    /// The first token of the qualified name that ends at `name`.
    pub(super) fn first_of_name(&self, name: usize, begin: usize) -> usize {
        let mut start = name;
        while start > begin && self.is(start - 1, Punct::ColonColon) {
            start -= 1;
            start -= usize::from(start > begin && matches!(self.kind(start - 1), TokenKind::Ident(_)));
        }
        start
    }

    /// The tokens of the name with its arguments.
    fn tokens_of(&self, written: &Written) -> Vec<Token> {
        match written.angles {
            None => self.tokens[written.start..=written.name].to_vec(),
            Some((_, close)) => self.tokens[written.start..=close].to_vec(),
        }
    }

    /// `kernel<…><<<…>>>(…)`
    fn launch(&mut self, written: &Written) {
        let end = self.tokens.len() - 1;
        let args = self
            .find(written.after + 1..end, Punct::LaunchClose)
            .filter(|&close| self.is(close + 1, Punct::LParen));
        let args: Vec<Range<usize>> = match args {
            Some(close) => self.split(close + 2..self.close(close + 1)),
            None => Vec::new(),
        };
        let Some((overloads, unit)) = self.overloads(written) else { return };
        let args: Args = args.into_iter().map(|arg| self.argument_or_opaque(arg)).collect();
        let is_known = !args.iter().any(|arg| matches!(arg, Arg::Braced(..)));
        let sole = match overloads.templates[..] {
            [template] if overloads.funcs.is_empty() => Some(template),
            _ => None,
        };
        let func = match (sole, is_known) {
            (Some(template), _) => {
                let mark = self.cx.sink.mark();
                let cx = &mut *self.cx;
                let found = cx.in_unit(unit, |cx| cx.instance_for_call(template, overloads.written, &args));
                cx.sink.rewind(mark);
                found.map_err(|why| Some(self.cx.why_ignored(template, &why, args.len())))
            }
            (None, true) => self.best_of(&overloads, unit, &args).ok_or(None),
            (None, false) => Err(None),
        };
        match func {
            Ok(_) if self.is_doubtful => self.unknown(written, &overloads, None),
            Ok(func) => self.need(func, written.name),
            Err(why) => self.unknown(written, &overloads, why),
        }
    }

    /// A kernel that is named and not launched here.
    fn address(&mut self, written: &Written) {
        let Some((overloads, unit)) = self.overloads(written) else { return };
        let mut found = Vec::new();
        if let Some(args) = overloads.written {
            for &template in &overloads.templates {
                let mark = self.cx.sink.mark();
                found.extend(self.cx.in_unit(unit, |cx| cx.written_whole(template, args)));
                self.cx.sink.rewind(mark);
            }
        }
        match found[..] {
            [func] if !self.is_doubtful => self.need(func, written.name),
            _ => self.unknown(written, &overloads, None),
        }
    }

    /// Notes that the instance is not known.
    fn unknown(&mut self, written: &Written, overloads: &Overloads, why: Option<String>) {
        let is_kernel = |&template: &_| self.cx.is_kernel_template(template);
        let Some(template) = overloads.templates.iter().copied().find(is_kernel) else { return };
        self.found.unknown.push((self.tokens[written.name].span, template, why));
    }

    /// What the name means, with the written arguments, if templates are among it.
    fn overloads(&mut self, written: &Written) -> Option<(Overloads, &'a TranslationUnit)> {
        let named = |walk: &mut Self, tokens: Vec<Token>| {
            let (unit, id) = walk.read(tokens, Rereader::value)?;
            let found = walk.check(unit, |cx| overloads_of(cx, id))?;
            let has_kernel = found.templates.iter().any(|&template| walk.cx.is_kernel_template(template));
            has_kernel.then_some((found, unit))
        };
        if let Some(found) = named(self, self.tokens_of(written)) {
            return Some(found);
        }
        // The arguments are wrong, or not known.
        written.angles?;
        let (overloads, _) = named(self, self.tokens[written.start..=written.name].to_vec())?;
        self.unknown(written, &overloads, None);
        None
    }

    /// The kernel that a launch means among several.
    fn best_of(&mut self, overloads: &Overloads, unit: &'a TranslationUnit, args: &[Arg]) -> Option<Func> {
        self.check(unit, |cx| cx.calls().best_func(overloads, args).ok_or_else(|| cx.poisoned()))
    }

    /// An argument of a call, if its type is known.
    pub(super) fn argument(&mut self, range: Range<usize>) -> Option<Arg> {
        if self.calls_host(range.clone()) {
            return None;
        }
        let (unit, id) = self.read(self.tokens[range].to_vec(), Rereader::value)?;
        self.check(unit, |cx| argument_of(cx, id))
    }

    /// An argument; one that is not known takes no part in deduction, as a braced list does not.
    pub(super) fn argument_or_opaque(&mut self, range: Range<usize>) -> Arg {
        let opaque = Arg::Braced(InitId::reserved_value(), ExprId::reserved_value());
        self.argument(range).unwrap_or(opaque)
    }

    /// Whether the tokens may call a function of the host, or another whose host version differs.
    fn calls_host(&self, mut range: Range<usize>) -> bool {
        range.any(|at| match self.kind(at) {
            TokenKind::Ident(symbol) => {
                let is_called = self.is(at + 1, Punct::LParen);
                let is_type = |binding: Binding| matches!(binding.entity, Entity::Typedef(_));
                is_called && self.cx.names_ref().lookup(symbol).is_some_and(|binding| !is_type(binding))
            }
            TokenKind::Keyword(Keyword::New | Keyword::This) => true,
            _ => false,
        })
    }
}

/// The functions and templates that a name means.
pub(super) fn overloads_of(cx: &mut Templates<'_>, id: ExprId) -> Result<Overloads, Reported> {
    if let Some((overloads, _)) = cx.calls().overloads_behind(id) {
        return Ok(overloads);
    }
    match cx.expressions().check_expr(id)? {
        Operand::Overloads(id, _) => Ok(cx.calls_ref().overloads_of(id)),
        _ => Err(cx.poisoned()),
    }
}

/// An argument, as calls take it.
fn argument_of(cx: &mut Templates<'_>, id: ExprId) -> Result<Arg, Reported> {
    if let ExprKind::Braced(_) = cx.unit.exprs[id].kind {
        return Err(cx.poisoned());
    }
    match cx.calls().check_object_arg(id)? {
        // It refers to syntax of its own.
        Arg::Overloaded(id) => cx.expressions().check_rvalue(id).map(Arg::Value),
        arg => Ok(arg),
    }
}
