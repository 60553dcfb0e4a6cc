//! Warnings that pragmas turn on and off for the following text, up to the next change.
//!
//! The passes go over the text one after the other, so the level of a warning is decided at the end, by
//! its place. The tokens of a macro are at the place of its call; among tokens of macros, the order of
//! expansion counts. A warning that a macro turns off, even temporarily, is off for its arguments.

use super::code::Code;
use super::edg;
use super::level::{Level, Levels, UnknownWarning};
use crate::source::{SourceMap, Span};

/// The effect of a pragma on the levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    /// They are kept, to be put back.
    Push,
    /// Those are put back that were kept last.
    Pop,
    /// A warning of GCC's or clang's name, without its `-W`.
    Name(&'a str, Level),
    /// A warning by nvcc's number or name.
    Nvcc(&'a str, Level),
    /// The same, as the options say.
    NvccDefault(&'a str),
}

/// Why a pragma changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unchanged {
    /// Nothing was kept.
    NothingPushed,
    /// No warning has the name.
    Unknown(UnknownWarning),
}

/// The changes, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    changes: Vec<(Span, Levels)>,
    kept: Vec<Levels>,
    current: Levels,
    /// Warnings that are enabled somewhere.
    anywhere: Levels,
}

impl Regions {
    pub(super) fn new(levels: &Levels) -> Self {
        Regions { changes: Vec::new(), kept: Vec::new(), current: levels.clone(), anywhere: levels.clone() }
    }

    pub(super) fn is_on_somewhere(&self, code: Code) -> bool {
        self.anywhere.level(code) != Level::Ignored
    }

    /// Whether nothing was changed.
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    pub(super) fn change(&mut self, at: Span, change: &Change<'_>, base: &Levels) -> Result<(), Unchanged> {
        match *change {
            Change::Push => {
                self.kept.push(self.current.clone());
                return Ok(());
            }
            Change::Pop => match self.kept.pop() {
                Some(kept) => self.current = kept,
                None => return Err(Unchanged::NothingPushed),
            },
            Change::Name(name, level) => self.current.set(name, level).map_err(Unchanged::Unknown)?,
            // nvcc has more numbers than anyone knows.
            Change::Nvcc(word, level) => {
                edg::codes(word).iter().for_each(|&code| self.current.set_code(code, level));
            }
            Change::NvccDefault(word) => {
                edg::codes(word).iter().for_each(|&code| self.current.copy_code(code, base));
            }
        }
        self.anywhere.turn_on_what_is_on_in(&self.current);
        self.changes.push((at, self.current.clone()));
        Ok(())
    }

    /// Whether the macro whose argument contains the place turns the warning off temporarily.
    fn is_silenced_around(&self, code: Code, span: Span, sources: &SourceMap) -> bool {
        span.is_written()
            && self.changes.iter().any(|(at, levels)| {
                let call = sources.written(*at);
                let is_around = !at.is_written() && (call.lo..call.hi).contains(&span.lo);
                is_around && levels.level(code) == Level::Ignored
            })
    }

    /// The level of a warning at a place.
    pub(super) fn level(&self, code: Code, span: Span, base: &Levels, sources: &SourceMap) -> Level {
        if self.is_silenced_around(code, span, sources) {
            return Level::Ignored;
        }
        let order = sources.order(span);
        let is_before = |at: Span| match (at.is_written(), span.is_written()) {
            (false, false) => at.lo <= span.lo,
            (true, _) | (_, true) => sources.order(at) <= order,
        };
        let levels = self.changes.iter().rev().find(|(at, _)| is_before(*at));
        levels.map_or(base, |(_, levels)| levels).level(code)
    }
}
