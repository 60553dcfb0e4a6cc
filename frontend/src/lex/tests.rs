//! The lexer on unusual input.

use super::*;
use crate::token::{Punct, print_tokens};

fn tokens(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("t.src".into(), text).unwrap();
    let mut interner = Interner::new();
    let tokens = lex(&sources, file, &mut interner);
    for pair in tokens.windows(2) {
        assert!(pair[0].span.hi <= pair[1].span.lo);
    }
    print_tokens(&sources, &interner, &tokens)
}

/// The spellings of a text, apart by spaces.
fn spellings(text: &str) -> String {
    let printed = tokens(text);
    let words: Vec<_> = printed.lines().filter_map(|line| line.splitn(3, ' ').nth(2)).collect();
    words
        .iter()
        .filter_map(|w| w.trim_start().split_once(' '))
        .map(|(_, s)| s.trim())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn punctuators_munch_maximally() {
    assert_eq!(spellings("a+++b->c...<<=>>=<<<>>>"), "a ++ + b -> c ... <<= >>= <<< >>>");
    assert_eq!(spellings("a >> >b >>>= <=>"), "a >> > b >>> = <= >");
    assert_eq!(spellings("<: :> <% %> %: %:%: %:% <::a <::>"), "[ ] { } # ## # % < :: a [ ]");
    assert_eq!(spellings("a and not b xor_eq c .. ."), "a && ! b ^= c . . .");
}

#[test]
fn numbers_follow_the_grammar() {
    assert_eq!(spellings("0x1p-3f 1e+5 .5. 1'000 0xE+1 1..2 a.b"), "0x1p-3f 1e+5 .5. 1'000 0xE+1 1..2 a . b");
}

#[test]
fn ignores_line_splices() {
    assert_eq!(
        spellings("in\\\nt x\\\r\n = 1\\\n2 +\\\n+ '\\\\\nn' \"a\\\nb\";"),
        "int x = 12 ++ '\\n' \"ab\" ;"
    );
    assert_eq!(spellings("a /\\\n/ gone \\\n gone\nb /\\\n* gone *\\\n/ c"), "a b c");
}

#[test]
fn positions_are_raw() {
    let printed = tokens("\u{feff}a\\\nb\r\n\té /* x\n */ \"s\"");
    assert_eq!(
        printed,
        "1:2      identifier  ab\n3:2      identifier  é\n4:5      string      \"s\"\n4:8      end\n"
    );
}

#[test]
fn universal_character_names_are_their_characters() {
    assert_eq!(spellings(r"caf\u00e9 \U000000E9x"), "café éx");
}

#[test]
fn literals_with_prefixes() {
    assert_eq!(spellings(r#"u8"a" L'b' u'c' U"d" x"e""#), r#"u8"a" L'b' u'c' U"d" x "e""#);
    assert_eq!(spellings("R\"(a\n\\\n\")\" LR\"x()\")x\""), "R\"(a\\n\\\\n\")\" LR\"x()\")x\"");
}

#[test]
fn other_characters_become_other_tokens() {
    assert_eq!(spellings("a @`\u{1} b \\ €"), "a @`\u{1} b \\ €");
    assert_eq!(tokens("\"ab\\\"\nc").lines().next().unwrap(), "1:1      other       \"ab\\\"");
    assert_eq!(tokens("a /* b"), "1:1      identifier  a\n1:3      other       /* b\n1:7      end\n");
    assert_eq!(tokens(""), "1:1      end\n");
    assert_eq!(tokens("'\\"), "1:1      other       '\\\n1:3      end\n");
}

#[test]
fn plain_tokens_match_the_full_lexer() {
    let text = "int value_17 = a1+b - 0x1p-3f * .5; // c\n  x = 7 == 8 ? 'c' : \"s\" \\\n;\n# define F(x) x##x\n\t{ y->z %: <: 3 }\n\
        and and_eq u8\"s\" R\"(r)\" L'c' u8 $d e$ \\u00e9 \u{e9}f a\\\nb 1'0 1e+5 12.5e-3 1..2 long_name_of_17_bytes\n@ / /= ... \n\
        /* c */ /**/ end /* open";
    for stops in ["", "a1", "=", ";", "int", "{", "("] {
        let mut interner = Interner::new();
        let mut expected = Vec::new();
        let mut lexer = Lexer::new(text, 1);
        while expected.last().is_none_or(|last: &Token| last.kind != TokenKind::Eof) {
            expected.push(lexer.token(&mut interner));
        }
        let stop = interner.intern(stops);
        let mut found = Vec::new();
        let mut lexer = Lexer::new(text, 1);
        while found.last().is_none_or(|last: &Token| last.kind != TokenKind::Eof) {
            let n_before = found.len();
            let special: Vec<Punct> =
                Punct::ALL.iter().copied().filter(|punct| punct.spelling() == stops).collect();
            lexer.plain_tokens(&mut found, &mut interner, |word| word != stop, Puncts::of(&special));
            let is_stop = |token: &Token| token.spelling(&interner) == stops && !stops.is_empty();
            let inner = found[n_before..].split_last().map_or(&[][..], |(_, inner)| inner);
            assert!(!inner.iter().any(is_stop), "a token was passed over: {stops}");
        }
        assert_eq!(found, expected, "{stops}");
    }
}
