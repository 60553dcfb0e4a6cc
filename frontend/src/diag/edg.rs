//! nvcc's numbers and names for warnings that Weft has too: the arguments of `#pragma nv_diag_suppress` and
//! `--diag-suppress`. nvcc prints the number with each warning.

use super::Code;

/// The number, the name where it is known, and the warnings.
const WARNINGS: &[(u16, &str, &[Code])] = &[
    (39, "divide_by_zero", &[Code::DivisionByZero]),
    (47, "bad_macro_redef", &[Code::MacroRedefined]),
    (61, "integer_overflow", &[Code::IntegerOverflow]),
    (62, "negative_shift_count", &[Code::ShiftCount]),
    (63, "shift_count_too_large", &[Code::ShiftCount]),
    (68, "integer_sign_change", &[Code::SignConversion, Code::SignCompare]),
    (
        69,
        "integer_truncated",
        &[
            Code::BitfieldConstantConversion,
            Code::ConstantConversion,
            Code::ImplicitIntConversion,
            Code::ImplicitIntConversionOnNegation,
            Code::Shorten64To32,
        ],
    ),
    (111, "code_is_unreachable", &[Code::UnreachableCode]),
    (128, "loop_not_reachable", &[Code::UnreachableCode]),
    (161, "unrecognized_pragma", &[Code::UnknownPragma]),
    (173, "float_to_integer_conversion", &[Code::LiteralConversion, Code::FloatOverflowConversion]),
    (174, "expr_has_no_effect", &[Code::UnusedComparison, Code::UnusedValue]),
    (175, "subscript_out_of_range", &[Code::ArrayBounds]),
    (
        177,
        "declared_but_not_referenced",
        &[
            Code::UnusedConstVariable,
            Code::UnusedFunction,
            Code::UnusedLabel,
            Code::UnusedLocalTypedef,
            Code::UnusedVariable,
        ],
    ),
    (179, "mod_by_zero", &[Code::DivisionByZero]),
    (181, "", &[Code::Format]),
    (186, "unsigned_compare_with_zero", &[Code::TautologicalUnsignedZeroCompare]),
    (187, "assign_where_compare_meant", &[Code::Parentheses]),
    (188, "mixed_enum_type", &[Code::EnumCompare]),
    (192, "unrecognized_char_escape", &[Code::UnknownEscape]),
    (224, "", &[Code::FormatInsufficientArgs]),
    (225, "", &[Code::FormatExtraArgs]),
    (226, "", &[Code::FormatInvalidSpecifier]),
    (514, "unsigned_compare_with_negative", &[Code::TautologicalConstantOutOfRangeCompare]),
    (549, "used_before_set", &[Code::SometimesUninitialized, Code::Uninitialized]),
    (550, "set_but_not_used", &[Code::UnusedButSetParameter, Code::UnusedButSetVariable]),
    (607, "pragma_must_precede_statement", &[Code::MisplacedPragma]),
    (708, "incr_of_bool_deprecated", &[Code::IncrementOfBool]),
    (767, "", &[Code::PointerToSmallInteger]),
    (826, "", &[Code::UnusedParameter]),
    (940, "implicit_return_from_non_void_function", &[Code::MissingReturn]),
    (959, "", &[Code::BitfieldWidth]),
    (1056, "returning_ptr_to_local_variable", &[Code::ReturnStackAddress]),
    (1215, "deprecated_entity", &[Code::DeprecatedDeclarations, Code::DeprecatedVectorType]),
    (1422, "multi_char_literal", &[Code::MulticharConstant]),
    (
        1444,
        "deprecated_entity_with_custom_message",
        &[Code::DeprecatedDeclarations, Code::DeprecatedVectorType],
    ),
    (1650, "", &[Code::UnusedResult, Code::UnusedValue]),
    (1675, "unrecognized_gcc_pragma", &[Code::UnknownPragma]),
    (2361, "narrowing_conversion", &[Code::Narrowing]),
    (2464, "deprecated_string_conv", &[Code::WritableString]),
    (2665, "", &[Code::IgnoredAttributes]),
    (2710, "", &[Code::FunctionToVoidPointer]),
    (2803, "", &[Code::UnknownAttributes]),
    (2809, "nodiscard_routine", &[Code::UnusedResult]),
    (20054, "", &[Code::SharedConstructor]),
];

/// The warnings of a number or name; empty if there is no counterpart.
pub(super) fn codes(word: &str) -> &'static [Code] {
    // nvcc prints `177-D`.
    let number = word.trim_end_matches("-D").parse::<u16>().ok();
    let found = WARNINGS.iter().find(|&&(of, name, _)| number.map_or(name == word, |number| number == of));
    found.map_or(&[], |(_, _, codes)| codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_mean_the_same() {
        assert_eq!(codes("177-D"), codes("declared_but_not_referenced"));
        assert!(codes("177").contains(&Code::UnusedVariable));
        assert!(codes("20012").is_empty());
        assert!(WARNINGS.is_sorted_by_key(|(number, ..)| *number));
        assert!(WARNINGS.iter().flat_map(|(_, _, codes)| *codes).all(|code| code.group().is_some()));
    }
}
