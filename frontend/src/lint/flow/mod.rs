//! Warnings based on control flow: uninitialized variables, unreachable code, infinite
//! recursion, fall-through between cases.
//!
//! - [`graph`]: basic blocks, and what happens in each
//! - [`build`]: from a body to its graph
//! - [`fold`]: conditions that are constants
//! - [`uninit`]: variables that are read before they have a value
//! - [`reach`]: code that is never reached, recursion without end, cases that fall through

mod build;
pub(super) mod fold;
mod graph;
mod reach;
mod uninit;

use super::Lints;
use crate::diag::Code;
use crate::ir::{Body, Func, Function};

impl Lints<'_> {
    pub(super) fn flow(&mut self, func: Func, function: &Function, body: &Body) {
        let codes = [
            Code::Uninitialized,
            Code::SometimesUninitialized,
            Code::UnreachableCode,
            Code::InfiniteRecursion,
            Code::ImplicitFallthrough,
        ];
        if !self.is_any_on(&codes) {
            return;
        }
        let graph = build::graph(self.module, body, &self.seen.fallthroughs);
        self.uninitialized(body, &graph);
        self.unreachable(&graph);
        self.endless_recursion(func, function, &graph);
        self.fallthrough(&graph);
    }
}
