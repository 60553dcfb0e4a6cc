//! Itanium C++ ABI 5.1.3: the encodings of operators.

/// `<operator-name>` of a function with the name and as many parameters, if it is an operator.
pub(super) fn code(name: &str, n_params: usize) -> Option<&'static str> {
    let operator = name.strip_prefix("operator")?;
    let is_unary = n_params == 1;
    Some(match operator {
        "+" if is_unary => "ps",
        "-" if is_unary => "ng",
        "*" if is_unary => "de",
        "&" if is_unary => "ad",
        "+" => "pl",
        "-" => "mi",
        "*" => "ml",
        "/" => "dv",
        "%" => "rm",
        "^" => "eo",
        "&" => "an",
        "|" => "or",
        "~" => "co",
        "!" => "nt",
        "<" => "lt",
        ">" => "gt",
        "<=" => "le",
        ">=" => "ge",
        "==" => "eq",
        "!=" => "ne",
        "&&" => "aa",
        "||" => "oo",
        "<<" => "ls",
        ">>" => "rs",
        "++" => "pp",
        "--" => "mm",
        "+=" => "pL",
        "-=" => "mI",
        "*=" => "mL",
        "/=" => "dV",
        "%=" => "rM",
        "^=" => "eO",
        "&=" => "aN",
        "|=" => "oR",
        "<<=" => "lS",
        ">>=" => "rS",
        "=" => "aS",
        "()" => "cl",
        "[]" => "ix",
        "->" => "pt",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn the_number_of_parameters_tells_operators_apart() {
        assert_eq!(code("operator-", 1), Some("ng"));
        assert_eq!(code("operator-", 2), Some("mi"));
        assert_eq!(code("operators", 1), None);
        assert_eq!(code("operator", 2), None);
    }

    #[test]
    fn every_operator_that_functions_can_be_has_a_code() {
        for (_, name) in weft_frontend::token::OPERATORS {
            assert!(code(name, 1).is_some() && code(name, 2).is_some(), "{name}");
        }
    }
}
