//! Places in files, headers and macro expansions.

use super::*;

#[test]
fn positions_count_characters_and_files() {
    let mut map = SourceMap::new();
    let a = map.add("a".into(), "x\n\té y\n").unwrap();
    let b = map.add("b".into(), "z").unwrap();
    let y = map.file(a).base() + 6;
    assert_eq!(map.text(Span::new(y, y + 1)), "y");
    assert_eq!(map.line_column(Span::new(y, y + 1)), LineColumn { line: 2, column: 4 });
    let z = map.file(b).span();
    assert_eq!((map.file_of(z), map.text(z)), (b, "z"));
    assert_eq!(map.file_of(map.file(a).span().end()), a);
}

/// `OUTER` expands to `1 INNER(a)`, and `INNER(x)` to `(x)`: the spans of the tokens of `OUTER;`.
fn expanded() -> (SourceMap, [Span; 5]) {
    let mut map = SourceMap::new();
    map.add("a".into(), "#define INNER(x) (x)\n#define OUTER 1 INNER(a)\nOUTER;\n").unwrap();
    let inner = map.add_definition(Definition { name: Span::new(8, 13), list: Span::new(17, 20) });
    let outer = map.add_definition(Definition { name: Span::new(29, 34), list: Span::new(35, 45) });
    let outer_shift = map.add_expansion(outer, Span::new(46, 51)).unwrap();
    let shifted = |lo: u32, hi: u32, shift: u32| Span::new(lo.wrapping_add(shift), hi.wrapping_add(shift));
    let one = shifted(35, 36, outer_shift);
    let call = shifted(37, 45, outer_shift);
    let a = shifted(43, 44, outer_shift);
    let inner_shift = map.add_expansion(inner, call).unwrap();
    let (open, close) = (shifted(17, 18, inner_shift), shifted(19, 20, inner_shift));
    (map, [one, open, a, close, Span::new(51, 52)])
}

#[test]
fn macro_tokens_are_shown_at_the_invocation() {
    let (map, [one, open, a, close, semi]) = expanded();
    for span in [one, open, a, close, one.to(close), open.to(close)] {
        assert_eq!((map.text(span), map.line_column(span).line), ("OUTER", 3));
    }
    assert_eq!(map.text(one.to(semi)), "OUTER;");
    assert_eq!(map.range(close.end()), 51..51);
}

#[test]
fn keeps_the_chain_of_macros() {
    let (map, [one, open, a, close, semi]) = expanded();
    let trace = |span: Span| {
        let levels = map.backtrace(span).into_iter();
        levels.map(|level| [map.text(level.definition), map.text(level.place)]).collect::<Vec<_>>()
    };
    assert_eq!(trace(one), [["OUTER", "1"]]);
    assert_eq!(trace(a), [["OUTER", "a"]]);
    assert_eq!(trace(open), [["OUTER", "INNER(a)"], ["INNER", "("]]);
    assert_eq!(trace(open.to(close)), [["OUTER", "INNER(a)"], ["INNER", "(x)"]]);
    assert_eq!(trace(one.to(close)), [["OUTER", "1 INNER(a)"]]);
    assert_eq!(trace(open.to(semi)), [["OUTER", "INNER(a)"], ["INNER", ""]]);
    assert!(trace(semi).is_empty());
}

#[test]
fn spans_end_in_the_file_where_they_begin() {
    let mut map = SourceMap::new();
    let main = map.add("a".into(), "int\n#include \"b\"\nx").unwrap();
    let included_at = Span::new(4, 16);
    let b = map.add_file("b".into(), "y;".into(), Some(included_at), false).unwrap();
    let (int, y) = (Span::new(0, 3), map.file(b).span());
    assert_eq!(map.text(int.to(y)), "int\n#include \"b\"");
    assert_eq!(map.text(y.to(Span::new(17, 18))), "");
    assert_eq!(map.included_from(y), [included_at]);
    let x = Span::new(17, 18);
    assert!(map.order(int) < map.order(y) && map.order(y) < map.order(x));
    assert_eq!(map.file_of(int.to(y)), main);
}

#[test]
fn line_directives_change_positions() {
    let mut map = SourceMap::new();
    let a = map.add("a".into(), "one\n#line 10 \"b\"\nten\n  x").unwrap();
    let mark = LineMark { offset: 17, line: 10, name: Some("b".into()), is_system: true, included_at: None };
    map.add_line_mark(a, mark);
    let (one, x) = (Span::new(0, 3), Span::new(23, 24));
    assert_eq!(map.location(one), Location { file: "a", line: 1, column: 1 });
    assert_eq!(map.location(x), Location { file: "b", line: 11, column: 3 });
    assert!(map.is_system(x) && !map.is_system(one));
}

#[test]
fn records_invalid_utf8() {
    let text = SourceText::decode(b"\xc3\xa9\xff\xfe;");
    assert_eq!(text.as_str(), "é\u{fffd}\u{fffd};");
    assert_eq!(text.first_invalid(0..2), None);
    assert_eq!(text.first_invalid(0..3), Some((2, 0xff)));
    assert_eq!(text.first_invalid(3..9), Some((5, 0xfe)));
}
