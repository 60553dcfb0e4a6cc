//! Generic lambda expressions of host code: each call walks the body with the types of its arguments.

use std::ops::Range;

use super::walk::Walk;
use crate::ir::Ty;
use crate::sema::call::overload::Arg;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// A variable that holds a generic lambda expression.
#[derive(Clone, Copy)]
pub(super) struct GenericLambda {
    name: Symbol,
    /// How many scopes are around it.
    nesting: u32,
    /// The parenthesis of its parameters, and the brace of its body.
    params: usize,
    body: usize,
    /// It is called, each time with arguments whose types are known.
    is_known: Option<bool>,
}

impl Walk<'_, '_> {
    /// Keeps a generic lambda expression whose variable is called later. False: it has none.
    pub(super) fn keep_generic(&mut self, open: usize, params: usize, body: usize) -> bool {
        let Some(before) = open.checked_sub(2).filter(|_| self.is(open - 1, Punct::Eq)) else { return false };
        let TokenKind::Ident(name) = self.kind(before) else { return false };
        if self.is_doubtful || self.is_dropped {
            return false;
        }
        self.generics.push(GenericLambda { name, nesting: self.nesting, params, body, is_known: None });
        true
    }

    /// Walks the bodies of those of the scope that is left whose calls are not known.
    pub(super) fn leave_generics(&mut self) {
        while let Some(lambda) = self.generics.pop_if(|lambda| lambda.nesting >= self.nesting) {
            if lambda.is_known != Some(true) {
                self.walk_doubtful(lambda.params, lambda.body);
            }
        }
    }

    /// The body of a generic lambda expression of which no call is known: it is a template.
    pub(super) fn walk_doubtful(&mut self, params: usize, body: usize) {
        self.scoped(|walk| {
            let is_doubtful = std::mem::replace(&mut walk.is_doubtful, true);
            walk.parameters(params + 1..walk.close(params));
            walk.block(body);
            walk.is_doubtful = is_doubtful;
        });
    }

    /// A name that may be that of a generic lambda expression.
    pub(super) fn generic_use(&mut self, name: usize) {
        let TokenKind::Ident(symbol) = self.kind(name) else { return };
        let Some(idx) = self.generics.iter().rposition(|lambda| lambda.name == symbol) else { return };
        let lambda = self.generics[idx];
        let own = self.split(lambda.params + 1..self.close(lambda.params));
        let args = match self.is(name + 1, Punct::LParen) {
            true => self.split(name + 2..self.close(name + 1)),
            false => Vec::new(),
        };
        let tys: Option<Vec<Ty>> = (own.len() == args.len() && !own.is_empty())
            .then(|| args.into_iter().map(|arg| self.argument_ty(arg)).collect())
            .flatten();
        let is_known = tys.is_some() && lambda.is_known != Some(false);
        self.generics[idx].is_known = Some(is_known);
        if let Some(tys) = tys {
            self.scoped(|walk| {
                for (param, ty) in own.into_iter().zip(tys) {
                    walk.generic_param(param, ty);
                }
                walk.block(lambda.body);
            });
        }
    }

    fn argument_ty(&mut self, range: Range<usize>) -> Option<Ty> {
        match self.argument(range)? {
            Arg::Value(value) | Arg::Object(_, value) => Some(self.cx.ty_of(value)),
            Arg::Braced(..) | Arg::Overloaded(_) => None,
        }
    }

    /// A parameter, which has the type of the argument if it says `auto`.
    fn generic_param(&mut self, param: Range<usize>, ty: Ty) {
        let is_auto = |at| self.kind(at) == TokenKind::Keyword(Keyword::Auto);
        if !param.clone().any(is_auto) {
            return self.parameters(param);
        }
        if let TokenKind::Ident(symbol) = self.kind(param.end - 1) {
            self.declare_variable(symbol, self.tokens[param.end - 1].span, ty);
        }
    }
}
