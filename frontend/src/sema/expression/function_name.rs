//! The name of the function that is being defined: `__func__` (C++17 11.4.1p8) and what GNU C has beside it
//! (GNU C "Function Names").

use crate::ir::{Place, Quals, Ty};
use crate::sema::Expressions;
use crate::source::Span;
use crate::token::Symbol;

impl Expressions<'_> {
    /// The array that the word stands for within a function, if it is one of those words. With
    /// `__PRETTY_FUNCTION__` it holds the declaration without the names of the parameters, as nvcc writes it.
    pub(super) fn function_name(&mut self, word: Symbol, span: Span) -> Option<Place> {
        let is_pretty = match self.spelling(word) {
            "__func__" | "__FUNCTION__" => false,
            "__PRETTY_FUNCTION__" => true,
            _ => return None,
        };
        let data = &self.module.functions[self.func.as_ref()?.func];
        let text = if is_pretty {
            let types = &self.module.types;
            types.display_declared(types.canonical(data.ty), &data.name)
        } else {
            data.name.clone()
        };
        let const_char = self.module.types.with_quals(Ty::CHAR, Quals::CONST);
        let ty = self.module.types.array_of(const_char, Some(text.len() as u64 + 1));
        let place = self.string_place(text.into_bytes(), ty, span);
        self.arena.function_names.insert(place);
        Some(place)
    }
}
