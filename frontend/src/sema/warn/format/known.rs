//! The formats that an expression may stand for: literals and parts of them, and `const` variables that have been given
//! one, as clang looks for them.
//!
//! A variable's are noted where it is declared: its initializer is gone when it is used.

use std::sync::Arc;

use crate::ir::{ConstInit, Expr, ExprData, Init, InitData, IntTy, Place, PlaceData, Ty, TyKind};
use crate::sema::Warnings;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::source::Span;

/// How many formats an expression may stand for: one may be chosen of two again and again.
const MAX_TEXTS: usize = 32;

/// The text of a literal.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// All of it, without the zero at the end.
    literal: Arc<[u8]>,
    /// Where the pointer points.
    start: usize,
    /// The literal, or the initializer of the array that it fills.
    pub(super) span: Span,
    /// A variable that holds it or points to it stands between.
    pub(super) is_by_variable: bool,
}

impl Text {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.literal[self.start..]
    }

    pub(super) fn is_whole(&self) -> bool {
        self.start == 0
    }
}

/// The formats that an expression may stand for.
#[derive(Clone, Debug, Default)]
pub(in crate::sema) struct Formats {
    pub(super) texts: Vec<Text>,
    /// There may be others.
    pub(super) is_open: bool,
}

impl Formats {
    /// Of a pointer that is so many bytes further on.
    fn add(&mut self, text: Text, offset: i128) {
        let start = offset.checked_add(text.start as i128).and_then(|start| usize::try_from(start).ok());
        match start.filter(|&start| start <= text.literal.len()) {
            Some(start) => {
                let is_same = |known: &Text| known.span == text.span && known.start == start;
                if self.texts.iter().any(is_same) {
                    return;
                }
                match self.texts.len() {
                    MAX_TEXTS.. => self.is_open = true,
                    _ => self.texts.push(Text { start, ..text }),
                }
            }
            None => self.is_open = true,
        }
    }

    fn add_all(&mut self, formats: Option<&Formats>, offset: i128) {
        let Some(formats) = formats else {
            self.is_open = true;
            return;
        };
        self.is_open |= formats.is_open;
        for text in &formats.texts {
            self.add(Text { is_by_variable: true, ..text.clone() }, offset);
        }
    }
}

impl Warnings<'_> {
    /// The formats that a variable of the type keeps, if it is one that never changes.
    pub(in crate::sema) fn formats_of_variable(&self, ty: Ty, init: Init) -> Option<Formats> {
        let node = &self.arena.inits[init];
        let mut formats = Formats::default();
        match (self.module.types.kind(ty), &node.data) {
            (TyKind::Array(elem, len), InitData::Bytes(bytes)) if self.is_const_char(*elem) => {
                formats.add(whole(bytes, *len, node.span), 0);
            }
            (TyKind::Pointer(to), &InitData::Expr(value)) if self.is_const(ty) && self.is_const_char(*to) => {
                self.find_formats(value, 0, &mut formats);
            }
            _ => return None,
        }
        Some(formats)
    }

    fn is_const_char(&self, ty: Ty) -> bool {
        self.is_const(ty) && matches!(self.module.types.kind(ty), TyKind::Int(IntTy::Char))
    }

    /// Adds the formats that a pointer may stand for, so many bytes further on.
    pub(super) fn find_formats(&self, pointer: Expr, offset: i128, found: &mut Formats) {
        match self.arena.exprs[pointer].data {
            ExprData::ArrayDecay(place) | ExprData::Load(place) => {
                self.find_formats_at(place, offset, found);
            }
            ExprData::AddrOf(place) if let PlaceData::Deref(pointer) = self.arena.places[place].data => {
                self.find_formats(pointer, offset, found);
            }
            ExprData::PtrOffset { ptr, index, subtract } => {
                match self.constants().eval(index, Mode::Optional) {
                    Ok(Value::Int(index)) => {
                        let moved =
                            if subtract { offset.checked_sub(index) } else { offset.checked_add(index) };
                        self.find_formats(ptr, moved.unwrap_or(-1), found);
                    }
                    _ => found.is_open = true,
                }
            }
            ExprData::Convert(_, pointer) => self.find_formats(pointer, offset, found),
            ExprData::Conditional { cond, then, otherwise } => {
                for (value, is_taken) in self.taken(cond, [then, otherwise]) {
                    // What may be no format at all says nothing of the other.
                    if is_taken && !found.is_open {
                        self.find_formats(value, offset, found);
                    }
                }
            }
            // Of which nothing is printed.
            ExprData::Null => {}
            _ => found.is_open = true,
        }
    }

    /// Likewise, of an array or a pointer in memory.
    fn find_formats_at(&self, place: Place, offset: i128, found: &mut Formats) {
        let node = &self.arena.places[place];
        match node.data {
            PlaceData::Global(global) => {
                let data = &self.module.globals[global];
                match (self.module.types.kind(data.ty), &data.init) {
                    (TyKind::Array(_, len), Some(ConstInit::Bytes(bytes))) if data.name.is_none() => {
                        found.add(whole(bytes, *len, node.span), offset);
                    }
                    _ => found.add_all(self.known.formats.get(&global), offset),
                }
            }
            PlaceData::Local(local) => {
                let formats = self.func.as_ref().and_then(|func| func.local_formats.get(&local));
                found.add_all(formats, offset);
            }
            PlaceData::Conditional(cond, choice) => {
                for (place, is_taken) in self.taken(cond, self.arena.choices[choice]) {
                    if is_taken && !found.is_open {
                        self.find_formats_at(place, offset, found);
                    }
                }
            }
            _ => found.is_open = true,
        }
    }

    /// The two of `?:`, and whether each may be taken.
    fn taken<T>(&self, cond: Expr, [then, otherwise]: [T; 2]) -> [(T, bool); 2] {
        let cond = self.constants().eval(cond, Mode::Optional).ok();
        let is = |truth: bool| cond.is_none_or(|cond| cond == Value::Int(i128::from(truth)));
        [(then, is(true)), (otherwise, is(false))]
    }
}

/// What a literal or an array that was filled with one holds.
fn whole(bytes: &[u8], len: Option<u64>, span: Span) -> Text {
    // The zero at the end may stand there, or be what is left of the array.
    let has_zero = len == Some(bytes.len() as u64);
    let text = &bytes[..bytes.len() - usize::from(has_zero && bytes.ends_with(&[0]))];
    Text { literal: text.into(), start: 0, span, is_by_variable: false }
}
