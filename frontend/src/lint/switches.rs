//! Switches over an enum that do not handle a value.

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, CaseRange, Enum, Expr, ExprData, StmtData, TyKind};
use crate::source::Span;

/// How many missing values are named.
const N_NAMED: usize = 3;

/// The values of a switch over an enum.
pub(super) struct CaseSet {
    /// In the order of their values.
    ranges: Vec<CaseRange>,
}

impl CaseSet {
    pub(super) fn new(cases: &[CaseRange]) -> Self {
        let mut ranges = cases.to_vec();
        ranges.sort_by_key(|range| range.first);
        CaseSet { ranges }
    }

    pub(super) fn contains(&self, value: i128) -> bool {
        let n_before = self.ranges.partition_point(|range| range.first <= value);
        self.ranges[..n_before].last().is_some_and(|range| value <= range.last)
    }
}

impl Lints<'_> {
    /// Looks at the switches over enums whose values are known there: those of one with a fixed type may follow later in
    /// the text (C++17 10.2p4).
    pub(super) fn switches(&mut self, body: &Body) {
        if !self.sink.is_on(Code::Switch) {
            return;
        }
        for node in body.stmts.values() {
            if let StmtData::Switch { head, .. } = &node.data
                && !head.has_default
                && let Some(enum_) = self.enum_of(body, head.value)
                && let data = &self.module.types.enums[enum_]
                && let Some(enumerators) = &data.enumerators
                && (!data.is_fixed || self.sources.order(data.span) < self.sources.order(node.span))
            {
                self.missing_values(enumerators, &head.cases, node.span);
            }
        }
    }

    /// The enum that a switch's value has, as written.
    fn enum_of(&self, body: &Body, mut value: Expr) -> Option<Enum> {
        while let ExprData::Convert(_, inner) = body.exprs[value].data {
            value = inner;
        }
        let types = &self.module.types;
        match *types.kind(types.canonical(body.exprs[value].ty)) {
            TyKind::Enum(enum_) => Some(enum_),
            _ => None,
        }
    }

    /// Warns of the values that no case has; `switch` is the statement's place.
    fn missing_values(&mut self, enumerators: &[(String, i128)], cases: &[CaseRange], switch: Span) {
        let cases = CaseSet::new(cases);
        let missing: Vec<&str> = enumerators
            .iter()
            .filter(|(_, value)| !cases.contains(*value))
            .map(|(name, _)| name.as_str())
            .collect();
        let named = |n: usize| missing.iter().take(n).map(|name| format!("`{name}`")).collect::<Vec<_>>();
        let message = match missing.len() {
            0 => return,
            1 => format!("enumeration value {} not handled in switch", named(1).join("")),
            n if n <= N_NAMED => {
                let names = named(n);
                let (last, first) = (names[n - 1].clone(), names[..n - 1].join(", "));
                format!("enumeration values {first} and {last} not handled in switch")
            }
            n => format!("{n} enumeration values not handled in switch: {}…", named(N_NAMED).join(", ")),
        };
        let keyword = Span::new(switch.lo, switch.lo + "switch".len() as u32);
        let diagnostic = Diagnostic::new(Code::Switch, keyword, message)
            .with_help("add the missing cases or a `default:`");
        self.warn(diagnostic);
    }
}
