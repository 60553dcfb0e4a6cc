//! The kernels that host code names, and the text of `--list-launches`.

use std::fmt::Write;

use super::{Name, TranslationUnit};
use crate::source::SourceMap;
use crate::token::{Interner, Symbol, Token};

/// A use of a kernel in host code.
#[derive(Debug)]
pub(crate) struct KernelUse {
    pub(crate) name: Name,
    /// The names before `::`, the outermost first.
    pub(crate) scopes: Vec<Symbol>,
    /// The tokens of the template arguments.
    pub(crate) args: Option<Vec<Token>>,
    pub(crate) kind: KernelUseKind,
}

/// How host code uses a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelUseKind {
    /// `kernel<<<…>>>(…)`
    Launch,
    /// An argument of a function of CUDA's runtime.
    Call(Symbol),
    /// Anything else.
    Address,
}

/// The lines of `Ast::print_launches`.
pub(crate) fn print(unit: &TranslationUnit, sources: &SourceMap, interner: &Interner) -> String {
    let mut text = String::new();
    for used in &unit.kernel_uses {
        let place = sources.location(used.name.span);
        let how = match used.kind {
            KernelUseKind::Launch => "launch",
            KernelUseKind::Call(function) => interner.spelling(function),
            KernelUseKind::Address => "address",
        };
        let scopes = used.scopes.iter().map(|&scope| format!("{}::", interner.spelling(scope)));
        let name = scopes.collect::<String>() + interner.spelling(used.name.symbol);
        let _ = write!(text, "{}:{}:{}: {how} {name}", place.file, place.line, place.column);
        if let Some(args) = &used.args {
            text.push('<');
            for (idx, token) in args.iter().enumerate() {
                if idx > 0 && token.after_space {
                    text.push(' ');
                }
                text.push_str(token.spelling(interner));
            }
            text.push('>');
        }
        text.push('\n');
    }
    text
}
