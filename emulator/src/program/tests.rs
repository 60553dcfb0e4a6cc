//! Modules that are linked: what they say of the same symbol. What is refused and what is taken was tried with nvlink, but
//! for alignments, which it does not see.

use super::link::{Input, link};
use crate::ptx::parse;

const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Links two modules.
fn linked(first: &str, second: &str) -> Result<(), String> {
    let texts = [first, second].map(|text| format!("{HEAD}{text}"));
    let modules = texts.each_ref().map(|text| parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    let inputs: Vec<Input<'_, '_>> = ["a", "b"]
        .iter()
        .zip(texts.iter().zip(&modules))
        .map(|(name, (text, module))| Input { name, text, module })
        .collect();
    link(&inputs).map(drop).map_err(|error| error.to_string())
}

/// A module with a kernel that calls `f`, declared as said.
fn caller(returns: &str, params: &str, call: &str) -> String {
    format!(
        ".extern .func {returns} f {params};\n.visible .entry k() {{ .reg .b64 %rd1; mov.u64 %rd1, f; {call} ret; }}"
    )
}

const CALL: &str = "{ .param .b32 a; .param .b32 r; st.param.b32 [a], 1; call (r), f, (a); }";

#[test]
fn prototypes_are_compared_as_nvlink_does_and_by_alignment() {
    let (b32, a32) = ("(.param .b32 r)", "(.param .b32 a)");
    let bytes = |align: u32, size: u32| format!("(.param .align {align} .b8 a[{size}])");
    let call_bytes = "{ .param .align 8 .b8 a[8]; .param .b32 r; call (r), f, (a); }";
    let call_half = "{ .param .b16 a; .param .b32 r; call (r), f, (a); }";
    let call_none = "{ .param .b32 a; call f, (a); }";
    /// Results, parameters and a call; results and parameters of the definition; what is told.
    type Case<'c> = (&'c str, &'c str, &'c str, &'c str, &'c str, Option<&'c str>);
    let cases: &[Case<'_>] = &[
        (b32, a32, CALL, b32, a32, None),
        (b32, a32, CALL, b32, "(.param .b32 a, .param .b32 b)", Some("1 parameters here, 2 there")),
        (b32, a32, CALL, b32, "", Some("1 parameters here, 0 there")),
        (
            b32,
            a32,
            CALL,
            b32,
            "(.param .b64 a)",
            Some("parameter 1 is a value of 4 bytes here, a value of 8 bytes there"),
        ),
        (b32, a32, CALL, b32, "(.param .f32 a)", Some("a floating-point number of 4 bytes there")),
        (b32, "(.param .u32 a)", CALL, b32, "(.param .s32 a)", None),
        (b32, a32, CALL, b32, "(.param .align 4 .b8 a[4])", Some("an array of 4 bytes aligned to 4 there")),
        (b32, &bytes(8, 8), call_bytes, b32, &bytes(8, 8), None),
        // nvlink links these, and the program does something else than it says.
        (b32, &bytes(8, 8), call_bytes, b32, &bytes(4, 8), Some("an array of 8 bytes aligned to 4 there")),
        (
            b32,
            &bytes(8, 8),
            call_bytes,
            b32,
            &bytes(8, 12),
            Some("an array of 8 bytes aligned to 8 here, an array of 12 bytes aligned to 8 there"),
        ),
        (b32, "(.param .b16 a)", call_half, b32, a32, Some("a value of 2 bytes here")),
        (b32, a32, CALL, "", a32, Some("1 results here, 0 there")),
        ("", a32, call_none, b32, a32, Some("0 results here, 1 there")),
        (
            b32,
            a32,
            CALL,
            "(.param .b64 r)",
            a32,
            Some("result 1 is a value of 4 bytes here, a value of 8 bytes there"),
        ),
        (b32, a32, CALL, "(.reg .b32 r)", "(.reg .b32 a)", None),
    ];
    for &(returns, params, call, other_returns, other_params, expected) in cases {
        let first = caller(returns, params, call);
        let second = format!(".visible .func {other_returns} f {other_params} {{ ret; }}");
        for (texts, places) in
            [([&first, &second], ("a:4:", "at b:4:")), ([&second, &first], ("b:4:", "at a:4:"))]
        {
            let outcome = linked(texts[0], texts[1]);
            match expected {
                None => assert_eq!(outcome, Ok(()), "{first}\n{second}"),
                Some(expected) => {
                    let error = outcome.expect_err(&second);
                    let (here, there) = places;
                    assert!(error.contains(expected), "{error}");
                    assert!(error.starts_with(here) && error.contains(there), "{error}");
                }
            }
        }
    }
}

#[test]
fn what_does_not_matter_is_not_compared() {
    let definition = ".visible .func f (.param .b64 a) { ret; }";
    // Nothing uses the declaration.
    let unused = ".extern .func f (.param .b32 a);\n.visible .entry k() { ret; }";
    assert_eq!(linked(unused, definition), Ok(()));
    // Internal functions are others.
    let internal = ".func f (.param .b32 a) { ret; }\n.visible .entry k() { ret; }";
    assert_eq!(linked(internal, definition), Ok(()));
    let never_returns = caller("", "(.param .b64 a) .noreturn", "{ .param .b64 a; call f, (a); }");
    assert_eq!(linked(&never_returns, definition), Ok(()));
}

#[test]
fn kinds_of_symbols_are_compared() {
    let address = ".visible .entry k() { .reg .b64 %rd1; mov.u64 %rd1, f; ret; }";
    for (first, second, expected) in [
        (
            ".extern .func f (.param .b32 a);",
            ".visible .entry f(.param .b32 a) { ret; }",
            "a function here, a kernel there",
        ),
        (".extern .global .u32 f;", ".visible .func f() { ret; }", "a variable here, a function there"),
        (".extern .func f ();", ".visible .global .u32 f;", "a function here, a variable there"),
        (
            ".extern .func f (.param .b32 a);",
            ".extern .func f (.param .b64 a);\n.visible .entry l() { .reg .b64 %rd1; mov.u64 %rd1, f; ret; }",
            "conflicting types for `f`, which is also declared at a:4:15: parameter 1",
        ),
        (
            ".weak .func f (.param .b32 a) { ret; }",
            ".weak .func f (.param .b64 a) { ret; }",
            "conflicting types for `f`, which is also defined at a:4:13: parameter 1",
        ),
    ] {
        let error = linked(&format!("{first}\n{address}"), second).expect_err(second);
        assert!(error.contains(expected), "{error}");
    }
    let error =
        linked(&format!(".func f (.param .b32 a);\n.func f (.param .b64 a) {{ ret; }}\n{address}"), "")
            .expect_err("in one module");
    assert!(error.starts_with("a:4:7: conflicting types for `f`, which is also defined at a:5:7"), "{error}");
}

#[test]
fn variables_are_compared_as_nvlink_does() {
    for (declared, defined, expected) in [
        (".global .align 4 .u32 g", ".global .u32 g", None),
        (".global .u32 g", ".global .f32 g", None),
        (".global .u32 g", ".global .u64 g", Some("4 bytes here, 8 there")),
        (".global .align 4 .b8 g[8]", ".global .align 4 .b8 g[4]", Some("8 bytes here, 4 there")),
        (".global .align 4 .b8 g[]", ".global .align 4 .b8 g[12]", None),
        (".global .align 4 .b8 g[3]", ".global .align 4 .b8 g[] = {1, 2, 3}", None),
        (".global .align 16 .b8 g[8]", ".global .align 4 .b8 g[8]", None),
        (".global .align 4 .b8 g[8]", ".global .align 16 .b8 g[8]", None),
        (
            ".global .align 4 .b8 g[8]",
            ".const .align 4 .b8 g[8]",
            Some("in `.global` here, in `.const` there"),
        ),
        (".global .align 4 .b8 g[8]", ".global .attribute(.managed) .align 4 .b8 g[8]", Some("`.managed`")),
    ] {
        let user =
            format!(".extern {declared};\n.visible .entry k() {{ .reg .b64 %rd1; mov.u64 %rd1, g; ret; }}");
        let outcome = linked(&user, &format!(".visible {defined};"));
        match expected {
            None => assert_eq!(outcome, Ok(()), "{declared}; {defined}"),
            Some(expected) => {
                let error = outcome.expect_err(defined);
                assert!(error.starts_with("a:4:") && error.contains("at b:4:"), "{error}");
                assert!(error.contains(expected), "{error}");
            }
        }
        let unused = format!(".extern {declared};\n.visible .entry k() {{ ret; }}");
        assert_eq!(linked(&unused, &format!(".visible {defined};")), Ok(()));
    }
}

#[test]
fn of_common_variables_the_largest_counts() {
    let (small, large) = (".common .global .align 4 .b8 g[8];", ".common .global .align 8 .b8 g[16];");
    for (first, second) in [(small, large), (large, small)] {
        let texts = [first, second].map(|text| format!("{HEAD}{text}"));
        let modules = texts.each_ref().map(|text| parse(text).expect("it is right"));
        let inputs: Vec<Input<'_, '_>> =
            texts.iter().zip(&modules).map(|(text, module)| Input { name: "m", text, module }).collect();
        let program = link(&inputs).unwrap_or_else(|error| panic!("{error}"));
        let sizes: Vec<u64> = program.globals.iter().map(|global| global.size).collect();
        assert_eq!(sizes, [16]);
    }
    let error = linked(small, ".visible .global .align 4 .b8 g[4];").expect_err("one is not common");
    assert!(error.contains("4 bytes here, 8 there") || error.contains("8 bytes here, 4 there"), "{error}");
    let error =
        linked(".weak .global .align 4 .b8 g[8];", ".weak .global .align 4 .b8 g[4];").expect_err("weak");
    assert!(error.contains("4 bytes here, 8 there"), "{error}");
}
