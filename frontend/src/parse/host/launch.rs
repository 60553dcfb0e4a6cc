//! Kernels that host code names: launches, and the functions of CUDA's runtime that take a kernel. They are recorded while the host
//! code is skipped, by its tokens alone.

use std::ops::Range;

use super::item::MAX_ANGLES;
use crate::ast::{KernelUse, KernelUseKind, Name};
use crate::parse::HostItems;
use crate::token::{Punct, Symbol, Token, TokenKind};

impl HostItems<'_> {
    /// Records what a range of skipped tokens says of kernels.
    pub(super) fn record_kernel_uses(&mut self, range: Range<usize>) {
        // For each open parenthesis the function that is called, if it is one of CUDA's.
        let mut calls: Vec<Option<Symbol>> = Vec::new();
        for at in range {
            match self.tokens[at].kind {
                TokenKind::Punct(Punct::LParen) => {
                    let around = calls.last().copied().flatten();
                    calls.push(self.runtime_function_before(at, around));
                }
                TokenKind::Punct(Punct::RParen) => {
                    calls.pop();
                }
                TokenKind::Punct(Punct::LaunchOpen) => {
                    if let Some(kernel) = self.kernel_before(at) {
                        self.unit.kernel_uses.push(KernelUse { kind: KernelUseKind::Launch, ..kernel });
                    }
                }
                TokenKind::Ident(symbol) if self.kernels.contains(&symbol) => {
                    let (args, end) = self.template_arguments_at(at + 1);
                    if self.kind_of(end) == TokenKind::Punct(Punct::LaunchOpen) {
                        continue;
                    }
                    let kind = match calls.last() {
                        Some(&Some(function)) => KernelUseKind::Call(function),
                        Some(None) | None => KernelUseKind::Address,
                    };
                    let name = Name { symbol, span: self.tokens[at].span };
                    let scopes = self.scopes_before(at);
                    self.unit.kernel_uses.push(KernelUse { name, scopes, args, kind });
                }
                _ => {}
            }
        }
    }

    /// The function `cuda…` whose arguments the parenthesis opens. Around a cast it is that of the parentheses `around`:
    /// `cudaLaunchKernel((void *)(k), …)`.
    fn runtime_function_before(&self, open: usize, around: Option<Symbol>) -> Option<Symbol> {
        let mut at = open.checked_sub(1)?;
        // The template arguments of the function, or the type of a cast.
        if let TokenKind::Punct(Punct::Gt | Punct::Shr) = self.tokens[at].kind {
            at = self.open_angle(at)?.checked_sub(1)?;
        }
        match self.tokens[at].kind {
            TokenKind::Ident(symbol) => {
                Some(symbol).filter(|&it| self.interner.spelling(it).starts_with("cuda"))
            }
            _ => around,
        }
    }

    /// The kernel whose launch opens at `<<<`: a name, perhaps with template arguments.
    fn kernel_before(&self, open: usize) -> Option<KernelUse> {
        let last = open.checked_sub(1)?;
        let (at, args) = match self.tokens[last].kind {
            TokenKind::Punct(Punct::Gt | Punct::Shr) => {
                let angle = self.open_angle(last)?;
                (angle.checked_sub(1)?, Some(self.tokens[angle + 1..last].to_vec()))
            }
            _ => (last, None),
        };
        match self.tokens[at].kind {
            TokenKind::Ident(symbol) => {
                let name = Name { symbol, span: self.tokens[at].span };
                let scopes = self.scopes_before(at);
                Some(KernelUse { name, scopes, args, kind: KernelUseKind::Launch })
            }
            _ => None,
        }
    }

    /// The names that qualify the one at `at`.
    fn scopes_before(&self, at: usize) -> Vec<Symbol> {
        let mut scopes = Vec::new();
        let mut at = at;
        while let Some(before) = at.checked_sub(2)
            && self.tokens[at - 1].kind == TokenKind::Punct(Punct::ColonColon)
            && let TokenKind::Ident(scope) = self.tokens[before].kind
        {
            scopes.push(scope);
            at = before;
        }
        scopes.reverse();
        scopes
    }

    /// The `<` that the `>` at `close` closes.
    fn open_angle(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (close.saturating_sub(MAX_ANGLES)..=close).rev() {
            match self.tokens[at].kind {
                TokenKind::Punct(Punct::Gt) => depth += 1,
                TokenKind::Punct(Punct::Shr) => depth += 2,
                TokenKind::Punct(Punct::Lt) => depth = depth.checked_sub(1)?,
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) => return None,
                _ => continue,
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// The template arguments at a `<`, and the token after them.
    pub(super) fn template_arguments_at(&self, open: usize) -> (Option<Vec<Token>>, usize) {
        if self.kind_of(open) != TokenKind::Punct(Punct::Lt) {
            return (None, open);
        }
        let mut depth = 0_usize;
        for at in open..self.tokens.len().min(open + MAX_ANGLES) {
            let n_closed = match self.tokens[at].kind {
                TokenKind::Punct(Punct::Lt) => {
                    depth += 1;
                    continue;
                }
                TokenKind::Punct(Punct::Gt) => 1,
                TokenKind::Punct(Punct::Shr) => 2,
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) | TokenKind::Eof => break,
                _ => continue,
            };
            if n_closed >= depth {
                return (Some(self.tokens[open + 1..at].to_vec()), at + 1);
            }
            depth -= n_closed;
        }
        (None, open)
    }
}
