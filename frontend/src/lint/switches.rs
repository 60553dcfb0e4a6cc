//! Switches over an enum that leave out a value.

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, CaseRange, Expr, ExprData, StmtData, TyKind};
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
    /// Looks at the switches over enums without a fixed type, whose values are known where they are used.
    pub(super) fn switches(&mut self, body: &Body) {
        self.switches_over(body, false);
    }

    /// Looks at those over enums with a fixed type, whose values may follow later in the text (C++17 10.2p4).
    pub(super) fn fixed_switches(&mut self, body: &Body) {
        if self.module.types.enums.values().any(|data| data.is_fixed) {
            self.switches_over(body, true);
        }
    }

    fn switches_over(&mut self, body: &Body, is_fixed: bool) {
        if !self.sink.is_on(Code::Switch) {
            return;
        }
        for node in body.stmts.values() {
            if let StmtData::Switch { head, .. } = &node.data
                && !head.has_default
            {
                let span = Span::new(node.span.lo, node.span.lo + 6);
                self.missing_values(body, head.value, &head.cases, is_fixed, span);
            }
        }
    }

    fn missing_values(&mut self, body: &Body, value: Expr, cases: &[CaseRange], is_fixed: bool, span: Span) {
        let mut expr = value;
        while let ExprData::Convert(_, inner) = body.exprs[expr].data {
            expr = inner;
        }
        let types = &self.module.types;
        let TyKind::Enum(enum_) = *types.kind(types.canonical(body.exprs[expr].ty)) else { return };
        if types.enums[enum_].is_fixed != is_fixed {
            return;
        }
        let enumerators = types.enums[enum_].enumerators.as_deref().unwrap_or_default();
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
        let diagnostic =
            Diagnostic::new(Code::Switch, span, message).with_help("add the cases, or a `default:`");
        self.warn(diagnostic);
    }
}
