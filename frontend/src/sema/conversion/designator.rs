//! Designators in braced lists (C++17 has none; C17 6.7.9, and nvcc's rules: members in their order, each
//! once; elements in any order, of which the last value counts), and the place in a list where its reader is.

use hashbrown::HashMap;
use thin_vec::ThinVec;

use crate::ast::{Designator, ExprId, InitItem, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{ExprData, Init, InitData, Record, Ty, TyKind};
use crate::layout;
use crate::sema::Conversions;
use crate::sema::constant::const_eval::Mode;
use crate::sema::expression::Operand;
use crate::source::Span;

/// How many elements all ranges of designators may have, each of which is written out.
const MAX_RANGED: u64 = 1 << 16;

/// A place in a list: what comes next.
#[derive(Clone)]
pub(in crate::sema) struct Cursor<'a> {
    items: &'a [InitItem],
    next: usize,
    /// The next item's expression, if it was checked already to find out what it initializes.
    pub(in crate::sema) checked: Option<Operand>,
    /// How many of the next item's designators have been followed.
    n_followed: usize,
    /// The next designator has led into an unnamed member, in which the one is that it names.
    is_within: bool,
}

impl<'a> Cursor<'a> {
    pub(in crate::sema) fn new(items: &'a [InitItem]) -> Self {
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

    /// The same place in a list that ends behind the next item.
    fn item(&self) -> Cursor<'a> {
        Cursor { items: &self.items[..self.next + 1], ..self.clone() }
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
pub(in crate::sema) struct Steps {
    pub(in crate::sema) first: u64,
    pub(in crate::sema) last: u64,
}

/// Elements of an array in the order of the list.
#[derive(Default)]
pub(in crate::sema) struct Elements {
    list: ThinVec<(u64, Init)>,
    /// One more than the greatest index.
    end: u64,
    /// Where in the list each is, once they were not in order.
    places: Option<HashMap<u64, usize>>,
    /// Where in the list elements are that others have taken the place of.
    n_overridden: usize,
}

/// The index of an element whose place another one has taken.
const OVERRIDDEN: u64 = u64::MAX;

impl Elements {
    /// Those that an array has before designators lead into it.
    pub(in crate::sema) fn of(list: ThinVec<(u64, Init)>) -> Self {
        let end = list.iter().map(|&(idx, _)| idx + 1).max().unwrap_or(0);
        Elements { list, end, ..Elements::default() }
    }

    /// What the element is by now.
    pub(in crate::sema) fn get(&mut self, idx: u64) -> Option<Init> {
        if idx >= self.end {
            return None;
        }
        let places = self.places.get_or_insert_with(|| {
            self.list.iter().enumerate().map(|(place, &(idx, _))| (idx, place)).collect()
        });
        places.get(&idx).map(|&place| self.list[place].1)
    }

    /// Puts it in the place of what it was.
    pub(in crate::sema) fn put(&mut self, idx: u64, init: Init) {
        if let Some(places) = &mut self.places
            && let Some(before) = places.insert(idx, self.list.len())
        {
            self.list[before].0 = OVERRIDDEN;
            self.n_overridden += 1;
        }
        self.end = self.end.max(idx + 1);
        self.list.push((idx, init));
    }

    pub(super) fn into_list(mut self) -> ThinVec<(u64, Init)> {
        if self.n_overridden > 0 {
            self.list.retain(|&(idx, _)| idx != OVERRIDDEN);
        }
        self.list
    }
}

impl<'a> Conversions<'a> {
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
                    let message = format!("array designator range [{first}, {last}] is empty");
                    return Err(self.error(Code::InvalidDesignator, span, message));
                }
                self.known.conversions.n_ranged += last - first;
                if self.known.conversions.n_ranged > MAX_RANGED {
                    let message =
                        format!("more than {MAX_RANGED} elements in ranges of designators are not supported");
                    return Err(self.error(Code::UnsupportedDesignator, span, message));
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
        let value = self.types().int_constant(expr, "array designator")?;
        match u64::try_from(value) {
            Ok(idx) if len.is_none_or(|len| idx < len) && idx < 1 << 32 => Ok(idx),
            Ok(_) | Err(_) => {
                let message = format!("array designator index ({value}) exceeds array bounds");
                Err(self.error(Code::InvalidDesignator, span, message))
            }
        }
    }

    /// Initializes the elements of an array that the next item is for. What stands behind a range must be a constant: nvcc takes
    /// no other. What follows without a designator goes on behind the last element of a range.
    pub(super) fn array_elements(
        &mut self,
        elem: Ty,
        steps: Steps,
        cursor: &mut Cursor<'a>,
        elements: &mut Elements,
    ) -> Result<(), Reported> {
        let start = cursor.clone();
        self.array_element(elem, steps.last, cursor, elements)?;
        for idx in steps.first..steps.last {
            self.quietly(|cx| cx.conversions().array_element(elem, idx, &mut start.item(), elements))?;
        }
        if steps.first < steps.last {
            // The last one has what follows, too.
            for idx in [steps.first, steps.last] {
                let Some(init) = elements.get(idx) else { continue };
                self.require_constant_init(init, "value of a range of designators is not a constant")?;
            }
        }
        Ok(())
    }

    fn array_element(
        &mut self,
        elem: Ty,
        idx: u64,
        cursor: &mut Cursor<'a>,
        elements: &mut Elements,
    ) -> Result<(), Reported> {
        let before = elements.get(idx);
        if let Some(before) = before {
            // Whether its effects are left out is not said anywhere.
            let message = "overridden initializer is not a constant";
            if let Err(reported) = self.require_constant_init(before, message) {
                cursor.advance();
                return Err(reported);
            }
            if !cursor.leads_on() {
                self.warn_overridden(before, idx, cursor);
            }
        }
        let init = self.element(elem, cursor, before)?;
        if before.is_some() {
            // nvcc stores the constants of a list last, so that the first value stays.
            let message = "overriding initializer is not a constant";
            self.require_constant_init(init, message)?;
        }
        elements.put(idx, init);
        Ok(())
    }

    fn warn_overridden(&mut self, before: Init, idx: u64, cursor: &Cursor<'a>) {
        let Some(item) = cursor.peek() else { return };
        let message = format!("initializer overrides prior initialization of element {idx}");
        let diagnostic =
            Diagnostic::new(Code::InitializerOverrides, self.unit.inits[item.init].span, message)
                .with_label(self.arena.inits[before].span, "previous initialization is here");
        self.sink.emit(diagnostic);
    }

    /// What an array or struct has already, into which designators lead.
    pub(super) fn overridden_parts(
        &mut self,
        ty: Ty,
        base: Option<Init>,
    ) -> Result<Option<InitData>, Reported> {
        let Some(base) = base else { return Ok(None) };
        let node = self.arena.inits[base].clone();
        match node.data {
            InitData::Array(_) | InitData::Record(_) => Ok(Some(node.data)),
            InitData::Bytes(bytes) => Ok(Some(self.characters(ty, &bytes, node.span))),
            InitData::Expr(_) | InitData::Partial(_) | InitData::Each(_) | InitData::Construct(..) => {
                let message = "a designator into an object initialized by a single value is not supported";
                let diagnostic = Diagnostic::new(Code::UnsupportedDesignator, node.span, message)
                    .with_help("initialize the object with a list in braces");
                Err(self.sink.error(diagnostic))
            }
        }
    }

    /// The elements of an array that a string literal has initialized.
    fn characters(&mut self, ty: Ty, bytes: &[u8], span: Span) -> InitData {
        let TyKind::Array(elem, _) = *self.module.types.kind(ty) else {
            unreachable!("invariant: a string literal initializes an array")
        };
        let elem = self.module.types.unqualified(elem);
        let TyKind::Int(int) = *self.module.types.kind(elem) else {
            unreachable!("invariant: the elements of such an array are characters")
        };
        let unit = layout::int_layout(int).size as usize;
        let elements = bytes.chunks(unit).zip(0..).map(|(bytes, idx)| {
            let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | i128::from(byte));
            let value = self.expr(ExprData::int(int.wrap(bits)), elem, span);
            (idx, self.init(InitData::Expr(value), span))
        });
        InitData::Array(elements.collect())
    }

    fn require_constant_init(&mut self, init: Init, message: &str) -> Result<(), Reported> {
        let node = self.arena.inits[init].clone();
        match node.data {
            InitData::Expr(value) => match self.constants().eval(value, Mode::Optional) {
                Ok(_) => Ok(()),
                Err(not) => Err(self
                    .expressions()
                    .not_constant(Diagnostic::new(Code::NotConstant, node.span, message), &not)),
            },
            InitData::Array(elems) => {
                elems.iter().try_for_each(|&(_, init)| self.require_constant_init(init, message))
            }
            InitData::Record(members) => {
                members.iter().try_for_each(|&(_, init)| self.require_constant_init(init, message))
            }
            InitData::Bytes(_) => Ok(()),
            InitData::Partial(_) | InitData::Each(_) | InitData::Construct(..) => {
                Err(self.error(Code::NotConstant, node.span, message))
            }
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
                let Some(idx) = self.expressions_ref().find_member(record, name.symbol) else {
                    return Err(self.expressions().no_member(record, ty, name));
                };
                if idx < next {
                    return Err(self.out_of_order(name));
                }
                if !self.expressions_ref().is_named_member(record, idx) {
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
        let message = "designators must name each member at most once, in declaration order";
        let diagnostic = Diagnostic::new(Code::InvalidDesignator, name.span, message)
            .with_note("C does not require this order; C++ and nvcc do");
        self.sink.error(diagnostic)
    }
}
