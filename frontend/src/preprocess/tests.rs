//! Rescanning and other examples of the standards; comparisons with other compilers are in `tests/preprocess`.

use std::collections::BTreeMap;

use super::*;
use crate::FrontendOptions;
use crate::source::SourceText;

/// Headers by their names.
struct Texts(BTreeMap<&'static str, &'static str>, usize);

impl Headers for Texts {
    fn find(&mut self, request: &Request<'_>) -> Result<Header, NotFound> {
        self.1 += 1;
        let text = self.0.get(request.name).ok_or_else(NotFound::default)?;
        Ok(Header {
            name: request.name.to_owned(),
            path: None,
            identity: request.name.to_owned(),
            text: SourceText::from(*text),
            is_system: false,
            next: 1,
        })
    }

    fn predefined(&mut self, name: &str) -> Option<Predefined> {
        match name {
            "__FIRST__" => Some(Predefined::Macro("__FIRST__ 1st".into())),
            "first_t" | "FIRST" => Some(Predefined::Header("first.h")),
            _ => None,
        }
    }
}

struct Outcome {
    /// The tokens, with a space where white space stood before one.
    text: String,
    messages: Vec<String>,
    n_asked: usize,
}

/// Preprocesses with the stack that the compiler has.
fn run(text: &str, headers: &[(&'static str, &'static str)], options: &PreprocessOptions) -> Outcome {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(crate::limits::STACK_BYTES);
        thread.spawn_scoped(scope, || run_here(text, headers, options)).unwrap().join().unwrap()
    })
}

fn run_here(text: &str, headers: &[(&'static str, &'static str)], options: &PreprocessOptions) -> Outcome {
    let mut compilation =
        Compilation::new(FrontendOptions { preprocessor: options.clone(), ..FrontendOptions::default() });
    let root = compilation.sources.add("main".into(), text).unwrap();
    let mut headers = Texts(headers.iter().copied().collect(), 0);
    let tokens = compilation.preprocess(root, &mut headers).tokens;
    let Compilation { sources, interner, sink, .. } = compilation;
    let mut text = String::new();
    for token in &tokens {
        if (token.after_space || token.at_line_start) && !text.is_empty() {
            text.push(' ');
        }
        match token.kind {
            TokenKind::PragmaStart(pragma) => text.push_str(&format!("<{}>", pragma.spelling())),
            TokenKind::PragmaEnd => text.push_str("</>"),
            _ => text.push_str(token.spelling(&interner)),
        }
    }
    let message = |diagnostic: &Diagnostic| {
        let at = sources.location(diagnostic.primary.span);
        format!("{}:{}:{}: {}: {}", at.file, at.line, at.column, diagnostic.code.name(), diagnostic.message)
    };
    let list = sink.into_sorted(&sources);
    let messages = list.iter().map(message).collect();
    crate::diag::render::render(&sources, &list, crate::diag::render::Format::Human { color: false });
    crate::diag::render::render(&sources, &list, crate::diag::render::Format::Json);
    Outcome { text: text.trim_end().to_owned(), messages, n_asked: headers.1 }
}

fn expand(text: &str) -> String {
    let outcome = run(text, &[], &PreprocessOptions::default());
    assert_eq!(outcome.messages, Vec::<String>::new(), "{text}");
    outcome.text
}

fn messages(text: &str) -> Vec<String> {
    run(text, &[], &PreprocessOptions::default()).messages
}

#[test]
fn examples_of_c() {
    // C17 6.10.3.3p4
    let text = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
                #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);";
    assert_eq!(expand(text), "char p[] = \"x ## y\";");
    // C17 6.10.3.4p4: what GNU's preprocessor does of the two.
    assert_eq!(expand("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2*9*g");
    // C17 6.10.3.5p5
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
                #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n\
                #define r(x,y) x ## y\n#define str(x) # x\n\
                f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
                g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
                p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
                char c[2][6] = { str(hello), str() };";
    assert_eq!(
        expand(text),
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); \
         f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1); \
         int i[] = { 1, 23, 4, 5, }; \
         char c[2][6] = { \"hello\", \"\" };"
    );
    // C17 6.10.3.5p6
    let text = "#define str(s) # s\n#define xstr(s) str(s)\n\
                #define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n x ## s, x ## t)\n\
                #define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
                #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
                debug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n == 0) str(: @\\n), s);\n\
                xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)";
    assert_eq!(
        expand(text),
        "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2); \
         fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s); \
         \"vers2.h\" \"hello\"; \"hello\" \", world\""
    );
    // C17 6.10.3.5p7
    let text = "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\n\
                t(10,,), t(,11,), t(,,12), t(,,) };";
    assert_eq!(expand(text), "int j[] = { 123, 45, 67, 89, 10, 11, 12, };");
    // C17 6.10.3.5p9
    let text = "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
                #define report(test, ...) ((test)?puts(#test):\\\n printf(__VA_ARGS__))\n\
                debug(\"Flag\");\ndebug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\n\
                report(x>y, \"x is %d but y is %d\", x, y);";
    assert_eq!(
        expand(text),
        "fprintf(stderr, \"Flag\"); fprintf(stderr, \"X = %d\\n\", x); \
         puts(\"The first, second, and third items.\"); \
         ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));"
    );
}

#[test]
fn examples_of_va_opt() {
    // C++20 15.6.2p3
    let text = "#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)\n\
                #define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)\n\
                #define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })\n#define EMP\n\
                F(a, b, c)\nF()\nF(EMP)\nG(a, b, c)\nG(a, )\nG(a)\nSDEF(foo);\nSDEF(bar, 1, 2);";
    assert_eq!(
        expand(text),
        "f(0 , a, b, c) f(0 ) f(0 ) f(0, a , b, c) f(0, a ) f(0, a ) S foo; S bar = { 1, 2 };"
    );
    let text = "#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__\n\
                #define H3(X, ...) #__VA_OPT__(X##X X##X)\n\
                #define H4(X, ...) __VA_OPT__(a X ## X) ## b\n\
                #define H5A(...) __VA_OPT__()/**/__VA_OPT__()\n\
                #define H5B(X) a ## X ## b\n#define H5C(X) H5B(X)\n\
                H2(a, b, c, d)\nH3(, 0)\nH4(, 1)\nH5C(H5A())";
    assert_eq!(expand(text), "ab, c, d \"\" a b ab");
}

#[test]
fn does_not_expand_a_macro_in_itself() {
    assert_eq!(expand("#define foo foo + bar\n#define bar foo\nfoo bar"), "foo + foo foo + bar");
    assert_eq!(expand("#define f(x) x f\nf(1)(2)"), "1 f(2)");
    assert_eq!(expand("#define f(x) [x]\nf(f(f(1)))"), "[[[1]]]");
    assert_eq!(expand("#define NIL(x) x\n#define G0(a) NIL(G1)(a)\n#define G1(a) NIL(a)\nG0(42)"), "42");
    assert_eq!(expand("#define a a b\n#define id(x) x\nid(a) id(id(a))"), "a b a b");
    assert_eq!(expand("#define inline\n#define const volatile\ninline const int"), "volatile int");
}

#[test]
fn gnu_variadic_macros() {
    let text = "#define e(x, ...) f(x, ## __VA_ARGS__)\n#define n(x, a...) f(x, ##a)\n\
                e(1) e(1,) e(1,2) n(1) n(1,2,3)";
    assert_eq!(expand(text), "f(1) f(1,) f(1,2) f(1) f(1,2,3)");
    assert_eq!(expand("#define z z1\n#define e(x, ...) x, ##__VA_ARGS__\ne(z,z)"), "z1,z1");
}

#[test]
fn white_space_is_kept_for_strings() {
    let text = "#define EMPTY\n#define str(x) #x\n#define xstr(x) str(x)\n#define op(x) [x]\n\
                xstr(a EMPTY-) xstr(-EMPTY-) xstr(EMPTY a) xstr( a  EMPTY   b ) xstr(op( a ))\n\
                str( a  \"b  c\"\n d ) xstr(-op(-)-)";
    assert_eq!(expand(text), "\"a -\" \"--\" \"a\" \"a b\" \"[a]\" \"a \\\"b  c\\\" d\" \"-[-]-\"");
    let text = "#define str(...) #__VA_ARGS__\n#define xstr(...) str(__VA_ARGS__)\n#define E\n#define f(x) a x\n\
                #define g a E\n#define v(n, ...) n __VA_OPT__(x)\nxstr(f(E)-) xstr(f()-) xstr(g-) xstr(v(q)-) xstr(f(q E)-)";
    assert_eq!(expand(text), "\"a -\" \"a -\" \"a -\" \"q -\" \"a q -\"");
    assert_eq!(expand("#define s(x) #x\ns(<: and %:%: R\"(a\nb)\")"), "\"<: and %:%: R\\\"(a\\nb)\\\"\"");
}

#[test]
fn conditions_are_integers_of_64_bits() {
    let holds = |condition: &str| expand(&format!("#if {condition}\nyes\n#else\nno\n#endif"));
    for condition in [
        "1",
        "-1 < 0",
        "-1 > 0u",
        "0x7fffffffffffffff + 1 < 0",
        "0xffffffffffffffff > 0",
        "(2 || 1/0)",
        "!(0 && 1/0)",
        "1 ? 1 : 1/0",
        "(0 ? 1/0 : 2) == 2",
        "7 % -4 == 3",
        "-7 / 2 == -3",
        "1 << 63 < 0",
        "-8 >> 1 == -4",
        "1 << -1 == 0",
        "'a' == 97",
        "'\\377' < 0",
        "L'a' == 97",
        "true && !false",
        "foo == 0",
        "not defined foo and defined(__LINE__)",
        "1, 2",
        "1 == 1u",
        "~0u == -1",
        "- - 1",
        "(1)",
        "0b101 == 5",
        "1'000 == 1000",
        "3 - 2 - 1 == 0",
        "1 | 6 & 4 ^ 1",
        "1 + 2 * 3 == 7 && 10 == 10",
        "(-1 ? -1 : 0u) > 0",
        "int == 0",
        "__has_include(<no>) == 0",
        "defined __has_include",
        "__has_cpp_attribute(nodiscard)",
        "__has_builtin(nothing) == 0",
        "1 ? 0 ? 3 : 2 : 4",
        "9223372036854775808 > 0",
    ] {
        assert_eq!(holds(condition), "yes", "{condition}");
    }
    for condition in ["0", "-1 > 0", "u'a' > -1", "1 ? 0 : 1", "defined foo", "!1", "1 == 2 || 0"] {
        assert_eq!(holds(condition), "no", "{condition}");
    }
}

#[test]
fn conditions_use_expanded_macros() {
    let text = "#define A 1\n#define HAS defined(A)\n#define IN(a) a\n#if HAS && IN(defined B) == 0 && A == 1\nyes\n#endif";
    assert_eq!(expand(text), "yes");
}

#[test]
fn rejects_invalid_conditions() {
    let message = |condition: &str| {
        let found = messages(&format!("#if {condition}\n#endif"));
        assert_eq!(found.len(), 1, "{condition}: {found:?}");
        found[0].split_once(": ").map(|(at, rest)| format!("{} {rest}", &at["main:1:".len()..])).unwrap()
    };
    let code = "invalid-if-expression";
    assert_eq!(message(""), format!("1 {code}: `#if` with no expression"));
    assert_eq!(message("1 +"), format!("7 {code}: expected an expression after `+`"));
    assert_eq!(message("(1"), format!("7 {code}: expected `)` in preprocessor expression"));
    assert_eq!(
        message("a b"),
        format!("7 {code}: token is not a valid binary operator in a preprocessor subexpression: `b`")
    );
    assert_eq!(message("1 / 0"), format!("7 {code}: division by zero in preprocessor expression"));
    assert_eq!(
        message("\"a\""),
        format!("5 {code}: a string literal is not valid in a preprocessor expression")
    );
    assert_eq!(message("a = 1"), format!("7 {code}: `=` is not valid in a preprocessor expression"));
    assert_eq!(message("defined"), format!("5 {code}: expected a macro name after `defined`"));
    assert_eq!(message("defined(a"), format!("14 {code}: expected `)` after `defined(name`"));
    assert_eq!(message("1 ? 2"), format!("10 {code}: expected `:` after `?` and its expression"));
    assert_eq!(message("1)"), format!("6 {code}: unmatched `)` in preprocessor expression"));
    assert_eq!(message("* 1"), format!("5 {code}: expected an expression before `*`"));
    assert_eq!(message("!"), format!("6 {code}: expected value in expression"));
    assert_eq!(message("__has_include"), format!("5 {code}: expected `(` after `__has_include`"));
    let deep = format!("{}1{}", "(".repeat(400), ")".repeat(400));
    assert!(message(&deep).contains("nesting-too-deep"));
}

#[test]
fn skips_groups_without_reading_them() {
    let text = "#if 0\ndon't \" /* */ #else\n# what\n R\"(\n#else\n)\" 1'000 // \\\n#else\n#if 1\n#else\n#endif\n#define A\n\
                #elif 1 // yes\nA\n#elif (\n#else\nno\n#endif";
    assert_eq!(expand(text), "A");
    assert_eq!(expand("#if 0 /*\n#endif\n*/\n#el\\\nse\nok\n#endif"), "ok");
    assert_eq!(expand("#ifndef X\n%:define X 1\n#endif\n#ifdef X\nX\n#endif"), "1");
    assert_eq!(expand("#if 1\na\n#elif garbage (\nb\n#else\nc\n#endif\nd"), "a d");
}

#[test]
fn reads_guarded_headers_once() {
    let once = "#pragma once\nonce";
    let guarded = "/* c */\n#ifndef G // x\n#define G\nguarded\n#endif // G\n";
    let defined = "#if !defined(D)\n#define D\ndefined_\n#endif";
    let open = "#ifndef O\n#define O\n#else\nagain\n#endif";
    let late = "#ifndef L\n#define L\nlate\n#endif\nbehind";
    let headers = [("o", once), ("g", guarded), ("d", defined), ("e", open), ("l", late)];
    let includes = "#include <o>\n#include <g>\n#include <d>\n#include <e>\n#include <l>\n";
    let outcome = run(&includes.repeat(3), &headers, &PreprocessOptions::default());
    assert_eq!(outcome.messages, Vec::<String>::new());
    assert_eq!(outcome.text, "once guarded defined_ late behind again behind again behind");
    assert_eq!(outcome.n_asked, 5);
    // The guard has to be defined still.
    let text = "#include \"g\"\n#undef G\n#include \"g\"";
    assert_eq!(run(text, &headers, &PreprocessOptions::default()).text, "guarded guarded");
}

#[test]
fn headers_named_by_macros_and_nested() {
    let headers = [
        ("a", "1 __INCLUDE_LEVEL__\n#include \"b\"\n__FILE__"),
        ("b", "__FILE__ __LINE__ __INCLUDE_LEVEL__"),
    ];
    let text = "#define NAME <a>\n#include NAME\n#define S(x) #x\n#include S(b)\n__INCLUDE_LEVEL__ __FILE__ __LINE__";
    let outcome = run(text, &headers, &PreprocessOptions::default());
    assert_eq!(outcome.messages, Vec::<String>::new());
    assert_eq!(outcome.text, "1 1 \"b\" 1 2 \"a\" \"b\" 1 1 0 \"main\" 5");
}

#[test]
fn predeclared_headers_come_first() {
    let headers = [("first.h", "#pragma once\n#define FIRST first_macro\ntypedef int first_t;")];
    let text = "#define id(x) x\nint a; id(first_t) b; FIRST __FIRST__ c;\n#include <first.h>\nd";
    let outcome = run(text, &headers, &PreprocessOptions::default());
    assert_eq!(outcome.messages, Vec::<String>::new());
    assert_eq!(outcome.text, "typedef int first_t; int a; first_t b; first_macro 1st c; d");
    let text = "#ifdef FIRST\nyes\n#endif\n#undef FIRST\nFIRST";
    let outcome = run(text, &headers, &PreprocessOptions::default());
    assert_eq!(outcome.text, "typedef int first_t; yes FIRST");
}

#[test]
fn options_come_first() {
    let options = PreprocessOptions {
        predefined: "#define P 1\n".into(),
        macros: vec![
            MacroOption::Define("A".into()),
            MacroOption::Define("B=b c".into()),
            MacroOption::Define("F(x)=[x]".into()),
            MacroOption::Undefine("P".into()),
        ],
        includes: vec!["i".into()],
        build_time: 951_826_154,
        ..PreprocessOptions::default()
    };
    let outcome = run("A B F(2) P __DATE__ __TIME__", &[("i", "included A")], &options);
    assert_eq!(outcome.messages, Vec::<String>::new());
    assert_eq!(outcome.text, "included 1 1 b c [2] P \"Feb 29 2000\" \"12:09:14\"");
    let options = PreprocessOptions { macros: vec![MacroOption::Define("1=2".into())], ..options };
    let outcome = run("", &[("i", "")], &options);
    let expected = "<command line>:1:9: invalid-directive: macro name must be an identifier, found `1`";
    assert_eq!(outcome.messages, [expected]);
}

#[test]
fn places_are_in_the_source() {
    let text = "#define L __LINE__\n#define f(x) x L\nf(\nL\n) L\n#line 100 \"other\"\nL __FILE__ f(\nL)";
    assert_eq!(expand(text), "4 3 5 100 \"other\" 101 100");
    let text = "__COUNTER__ __COUNTER__\n# 7 \"h\" 1 3\n__LINE__ __FILE__ __INCLUDE_LEVEL__\n# 3 \"main\" 2\n__LINE__ __INCLUDE_LEVEL__";
    assert_eq!(expand(text), "0 1 7 \"h\" 1 3 0");
}

#[test]
fn pragmas_reach_the_parser() {
    let text = "#define N 4\n#pragma unroll N\n_Pragma(\"pack(1)\") a\n#define P(x) _Pragma(#x) b\nP(nounroll)\n\
                #pragma nv_diag_suppress 20\n#pragma push_macro(\"N\")\n#undef N\nN\n#pragma pop_macro(\"N\")\nN";
    assert_eq!(expand(text), "<unroll> N</> <pack>(1)</> a <nounroll></> b N 4");
}

#[test]
fn executes_directives_within_arguments() {
    let text = "#define f(x) [x]\nf(\n#if 1\na\n#else\nb\n#endif\n#define Z q\nZ\n#undef f\n)\nf(1)";
    assert_eq!(expand(text), "[ a q] f(1)");
}

#[test]
fn limits_are_errors() {
    let mut text = String::from("#define A0 x x\n");
    for n in 1..64 {
        text.push_str(&format!("#define A{n} A{} A{}\n", n - 1, n - 1));
    }
    text.push_str("A63\n}}}");
    let assert_too_large = |text: &str, line: usize| {
        let [message] = &messages(text)[..] else { panic!("one message") };
        assert!(message.starts_with(&format!("main:{line}:")), "{message}");
        assert!(message.ends_with(": macro-expansion-too-large: macro expansion is too large"), "{message}");
    };
    assert_too_large(&text, 65);
    let mut text = String::from("#define S(x) #x\n#define D(x) S(x x)\n#define E(x) D(x)\n");
    text.push_str(&format!("{}a{}", "E(".repeat(60), ")".repeat(60)));
    assert_too_large(&text, 4);
    let nested = format!("#define f(x) x\n{}1{}", "f(".repeat(3000), ")".repeat(3000));
    assert_too_large(&nested, 2);
    let large = format!("#define f(x) x\n{}{}{}", "f(".repeat(1000), "1 ".repeat(3000), ")".repeat(1000));
    assert_too_large(&large, 2);
    let outcome = run(
        "#include \"self\"",
        &[("self", "#include \"self\"\n#include \"self\"")],
        &PreprocessOptions::default(),
    );
    assert_eq!(outcome.messages.len(), 1);
    assert!(outcome.messages[0].contains("include-too-deep"), "{:?}", outcome.messages);
}

#[test]
fn placemarkers_at_the_ends_of_va_opt() {
    let text = "#define A(X, ...) __VA_OPT__(a X ## X) ## b\n#define B(X, ...) b ## __VA_OPT__(X ## X a)\n\
                #define C(X, ...) b ## __VA_OPT__(X a)\n#define D(X, ...) __VA_OPT__(a X) ## b\n\
                A(,1) B(,1) C(,1) D(,1) D(E,1) A(p,1) A(,) C(p,1)";
    assert_eq!(expand(text), "a b b a b a a b a Eb a ppb b bp a");
}
