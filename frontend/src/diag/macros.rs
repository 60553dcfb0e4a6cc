//! Which warnings apply only to source text, not to macro expansions.
//!
//! A macro accepts any argument, so code that is suspicious in one expansion is needed in another. The choice is clang's.

use super::Code;
use crate::source::{SourceMap, Span};

/// Where a warning is of use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Everywhere,
    /// Not in replacement lists, but in arguments.
    InArguments,
    /// Neither in replacement lists nor in arguments.
    OutsideMacros,
}

fn use_of(code: Code) -> Use {
    match code {
        Code::BitwiseOpParentheses
        | Code::ConstantLogicalOperand
        | Code::EmptyBody
        | Code::LogicalOpParentheses
        | Code::ParenthesesEquality
        | Code::SelfAssign
        | Code::TautologicalBitwiseCompare
        | Code::TautologicalCompare
        | Code::TautologicalOverlapCompare
        | Code::UnreachableCode
        | Code::XorUsedAsPow => Use::OutsideMacros,
        Code::PointerBoolConversion
        | Code::TautologicalPointerCompare
        | Code::UnusedComparison
        | Code::UnusedValue => Use::InArguments,
        _ => Use::Everywhere,
    }
}

/// Whether the warning should be dropped because of its place.
pub(super) fn is_of_no_use(code: Code, span: Span, sources: &SourceMap) -> bool {
    match use_of(code) {
        Use::Everywhere => false,
        Use::InArguments => !span.is_written(),
        Use::OutsideMacros => !span.is_written() || sources.is_argument(span),
    }
}
