//! Designators in braced lists (C++17 has none; C17 6.7.9, and nvcc's rules: members in their order,
//! elements in any order, nothing twice), and the place in a list where its reader is.

use hashbrown::HashSet;
use thin_vec::ThinVec;

use super::Cx;
use super::const_eval::Mode;
use super::expr::Operand;
use crate::ast::{Designator, ExprId, InitItem, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Init, InitData, Record, Ty};
use crate::source::Span;

/// How many elements all ranges of designators may have, each of which is written out.
const MAX_RANGED: u64 = 1 << 16;

/// A place in a list: what comes next.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    items: &'a [InitItem],
    next: usize,
    /// The next item's expression, if it was checked already to find out what it initializes.
    pub(super) checked: Option<Operand>,
    /// How many of the next item's designators have been followed.
    n_followed: usize,
    /// The next designator has led into an unnamed member, in which the one is that it names.
    is_within: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(items: &'a [InitItem]) -> Self {
        Cursor { items, next: 0, checked: None, n_followed: 0, is_within: false }
    }

    pub(super) fn peek(&self) -> Option<&'a InitItem> {
        self.items.get(self.next)
    }

    /// Whether the list names members or elements.
    pub(super) fn has_designators(&self) -> bool {
        self.items.iter().any(|item| !item.designators.is_empty())
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
        self.checked = None;
        self.n_followed = 0;
        self.is_within = false;
    }

    /// Whether the next item has designators, none of which has been followed: it is for the object
    /// whose list this is.
    pub(super) fn begins_designated(&self) -> bool {
        self.n_followed == 0
            && !self.is_within
            && self.peek().is_some_and(|item| !item.designators.is_empty())
    }

    /// Whether designators of the next item are still to be followed.
    pub(super) fn leads_on(&self) -> bool {
        self.peek().is_some_and(|item| self.n_followed < item.designators.len())
    }

    /// The designator that was followed last is to be followed further.
    fn stay_within(&mut self) {
        self.n_followed -= 1;
        self.is_within = true;
    }

    fn follow(&mut self) -> Option<&'a Designator> {
        let designator = self.peek()?.designators.get(self.n_followed)?;
        self.n_followed += 1;
        self.is_within = false;
        Some(designator)
    }
}

/// The elements that an item initializes, both ends included.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    pub(super) first: u64,
    pub(super) last: u64,
}

/// Elements of an array in the order of the list.
#[derive(Default)]
pub(super) struct Elements {
    pub(super) list: ThinVec<(u64, Init)>,
    /// One more than the greatest index.
    end: u64,
    /// All indices, once they were not in order.
    indices: Option<HashSet<u64>>,
}

impl Elements {
    /// Notes elements that come next, or gives one that was there before.
    pub(super) fn reserve(&mut self, steps: Steps) -> Option<u64> {
        if steps.first < self.end {
            let known = self.indices.get_or_insert_with(|| self.list.iter().map(|&(idx, _)| idx).collect());
            if let Some(again) = (steps.first..=steps.last).find(|idx| known.contains(idx)) {
                return Some(again);
            }
        }
        if let Some(indices) = &mut self.indices {
            indices.extend(steps.first..=steps.last);
        }
        self.end = self.end.max(steps.last + 1);
        None
    }
}

impl<'a> Cx<'a> {
    /// The elements of an array that the next item is for; without a designator, the one at `next`.
    pub(super) fn array_step(
        &mut self,
        cursor: &mut Cursor<'a>,
        next: u64,
        len: Option<u64>,
    ) -> Result<Steps, Reported> {
        if !cursor.leads_on() || cursor.checked.is_some() {
            return Ok(Steps { first: next, last: next });
        }
        match cursor.follow() {
            Some(&Designator::Index(expr, span)) => {
                let idx = self.designated_index(expr, len, span)?;
                Ok(Steps { first: idx, last: idx })
            }
            Some(&Designator::Range(first, last, span)) => {
                let (first, last) =
                    (self.designated_index(first, len, span)?, self.designated_index(last, len, span)?);
                if first > last {
                    let message = format!("range of designators is empty: {first} is more than {last}");
                    return Err(self.error(Code::InvalidDesignator, span, message));
                }
                self.known.n_ranged += last - first;
                if self.known.n_ranged > MAX_RANGED {
                    let message =
                        format!("more than {MAX_RANGED} elements by ranges of designators are not supported");
                    return Err(self.error(Code::UnsupportedDesignator, span, message));
                }
                if cursor.leads_on() {
                    let message = "designators behind a range of designators are not supported";
                    let diagnostic = Diagnostic::new(Code::UnsupportedDesignator, span, message)
                        .with_help("use nested braces: `[0 ... 3] = {.member = …}`");
                    return Err(self.sink.error(diagnostic));
                }
                Ok(Steps { first, last })
            }
            Some(Designator::Field(name)) => {
                let message = "field designator in the initializer of an array";
                Err(self.error(Code::InvalidDesignator, name.span, message))
            }
            None => Err(self.poisoned()),
        }
    }

    fn designated_index(&mut self, expr: ExprId, len: Option<u64>, span: Span) -> Result<u64, Reported> {
        let value = self.int_constant(expr, "array designator")?;
        match u64::try_from(value) {
            Ok(idx) if len.is_none_or(|len| idx < len) && idx < 1 << 32 => Ok(idx),
            Ok(_) | Err(_) => {
                let message = format!("array designator {value} is out of the array's bounds");
                Err(self.error(Code::InvalidDesignator, span, message))
            }
        }
    }

    /// Writes out for the further elements of a range what has been read for its first. It must be a
    /// constant: nvcc takes no other.
    pub(super) fn repeat_element(
        &mut self,
        elem: Ty,
        start: &Cursor<'a>,
        steps: Steps,
        elements: &mut Elements,
    ) -> Result<(), Reported> {
        if let Some(&(_, first)) = elements.list.last() {
            self.require_constant_init(first)?;
        }
        for at in steps.first + 1..=steps.last {
            let init = self.quietly(|cx| cx.element(elem, &mut start.clone()))?;
            elements.list.push((at, init));
        }
        Ok(())
    }

    fn require_constant_init(&mut self, init: Init) -> Result<(), Reported> {
        let node = self.arena.inits[init].clone();
        match node.data {
            InitData::Expr(value) => match self.eval(value, Mode::Optional) {
                Ok(_) => Ok(()),
                Err(not) => {
                    let message = "value behind a range of designators is not a constant";
                    let diagnostic = Diagnostic::new(Code::NotConstant, node.span, message)
                        .with_label(not.span, self.why_not(not.why));
                    Err(self.sink.error(diagnostic))
                }
            },
            InitData::Array(elems) => {
                elems.iter().try_for_each(|&(_, init)| self.require_constant_init(init))
            }
            InitData::Record(members) => {
                members.iter().try_for_each(|&(_, init)| self.require_constant_init(init))
            }
            InitData::Bytes(_) => Ok(()),
        }
    }

    /// The member of a struct or union that the next item is for; without a designator, the one at `next`.
    pub(super) fn record_step(
        &mut self,
        cursor: &mut Cursor<'a>,
        record: Record,
        ty: Ty,
        next: u32,
    ) -> Result<u32, Reported> {
        if !cursor.leads_on() || cursor.checked.is_some() {
            return Ok(next);
        }
        match cursor.follow() {
            Some(&Designator::Field(name)) => {
                let Some(idx) = self.find_member(record, name.symbol) else {
                    return Err(self.no_member(record, ty, name));
                };
                if idx < next {
                    return Err(self.out_of_order(name));
                }
                if !self.is_named_member(record, idx) {
                    cursor.stay_within();
                }
                Ok(idx)
            }
            Some(Designator::Index(_, span) | Designator::Range(_, _, span)) => {
                let message = "array designator in the initializer of a struct";
                Err(self.error(Code::InvalidDesignator, *span, message))
            }
            None => Err(self.poisoned()),
        }
    }

    fn out_of_order(&mut self, name: Name) -> Reported {
        let message = "designators must be in the order of the members, each member once";
        let diagnostic = Diagnostic::new(Code::InvalidDesignator, name.span, message)
            .with_note("C has no such rule; C++ and nvcc do");
        self.sink.error(diagnostic)
    }
}
