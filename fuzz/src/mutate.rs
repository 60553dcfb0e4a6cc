//! Changes of a text token by token, and phrase by phrase, which reach further than those of bytes: what they make
//! is more often a program, or nearly one.

use std::ops::Range;

use weft_frontend::source::SourceText;
use weft_frontend::{Compilation, FrontendOptions};

use crate::words::ALL;

/// Numbers by a linear congruential generator: the fuzzer gives the seed, and wants the same for the same.
struct Random(u64);

impl Random {
    fn of_seed(seed: u32) -> Random {
        Random(u64::from(seed) | 1 << 40)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// A token with what precedes it.
type Piece = Vec<u8>;

/// Changes the text in `data[..size]` in up to four places; gives its new size, none where it has no tokens.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    let mut random = Random::of_seed(seed);
    let mut pieces = pieces(data.get(..size)?)?;
    for _ in 0..=random.below(4) {
        change(&mut pieces, &mut random);
    }
    Some(write(&pieces, data, max_size))
}

/// The first text with a phrase of the second, instead of one of its own or beside it; none where one of them
/// has no tokens.
pub fn cross(first: &[u8], second: &[u8], out: &mut [u8], seed: u32) -> Option<usize> {
    let mut random = Random::of_seed(seed);
    let mut pieces = pieces(first)?;
    let other = self::pieces(second)?;
    let taken = phrase(&other, random.below(other.len()));
    let place = phrase(&pieces, random.below(pieces.len()));
    let place = if random.below(2) == 0 { place } else { place.start..place.start };
    pieces.splice(place, other[taken].to_vec());
    Some(write(&pieces, out, out.len()))
}

fn write(pieces: &[Piece], out: &mut [u8], max_size: usize) -> usize {
    let text = pieces.concat();
    let size = text.len().min(max_size).min(out.len());
    out[..size].copy_from_slice(&text[..size]);
    size
}

fn pieces(text: &[u8]) -> Option<Vec<Piece>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut compilation = Compilation::new(FrontendOptions::default());
    let file = compilation.sources.add("fuzz.src".into(), SourceText::from(text.to_owned())).ok()?;
    let tokens = compilation.lex(file);
    let mut start = 0;
    let mut pieces = Vec::new();
    for token in tokens {
        let end = compilation.sources.range(token.span).end;
        pieces.push(text.as_bytes()[start..end.max(start)].to_vec());
        start = end.max(start);
    }
    (pieces.len() > 1).then_some(pieces)
}

/// From a token to where what it begins ends: a bracket with all up to the one that closes it, else all up to the
/// next `;` or `,`, or to the end of the brackets that it is in.
fn phrase(pieces: &[Piece], start: usize) -> Range<usize> {
    let mut depth = 0;
    for (at, piece) in pieces.iter().enumerate().skip(start) {
        match piece.last() {
            Some(b'(' | b'[' | b'{') => depth += 1,
            Some(b')' | b']' | b'}') if depth == 0 => return start..at,
            Some(b')' | b']' | b'}') => {
                depth -= 1;
                let is_whole = depth == 0 && (piece.last() == Some(&b'}') || opens(&pieces[start]));
                if is_whole {
                    return start..at + 1;
                }
            }
            Some(b';' | b',') if depth == 0 => return start..at + 1,
            _ => {}
        }
    }
    start..pieces.len()
}

fn opens(piece: &Piece) -> bool {
    matches!(piece.last(), Some(b'(' | b'[' | b'{'))
}

fn change(pieces: &mut Vec<Piece>, random: &mut Random) {
    let at = random.below(pieces.len());
    let other = random.below(pieces.len());
    let len = 1 + random.below(8).min(random.below(16));
    match random.below(12) {
        0 => drop(pieces.drain(at..(at + len).min(pieces.len()))),
        1 => pieces.swap(at, other),
        2 => pieces[at] = pieces[other].clone(),
        3 => {
            let copied = pieces[other..(other + len).min(pieces.len())].to_vec();
            pieces.splice(at..at, copied);
        }
        4 | 5 => pieces[at] = word(random),
        6 | 7 => pieces.insert(at, word(random)),
        8 => drop(pieces.drain(phrase(pieces, at))),
        9 => {
            let copied = pieces[phrase(pieces, other)].to_vec();
            pieces.splice(at..at, copied);
        }
        10 => {
            let copied = pieces[phrase(pieces, other)].to_vec();
            pieces.splice(phrase(pieces, at), copied);
        }
        _ => {
            let (open, close) = [("(", ")"), ("{", "}"), ("[", "]"), ("(T)(", ")")][random.below(4)];
            let end = phrase(pieces, at).end;
            pieces.insert(end, close.into());
            pieces.insert(at, open.into());
        }
    }
    if pieces.is_empty() {
        pieces.push(word(random));
    }
}

fn word(random: &mut Random) -> Piece {
    format!(" {}", ALL[random.below(ALL.len())]).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(text: &str) -> Vec<String> {
        let pieces = pieces(text.as_bytes()).expect("the text has tokens");
        let text_of =
            |start| String::from_utf8(pieces[phrase(&pieces, start)].concat()).expect("it is UTF-8");
        (0..pieces.len()).map(text_of).collect()
    }

    #[test]
    fn a_phrase_includes_its_brackets() {
        assert_eq!(phrases("f(a, b);")[..5], ["f(a, b);", "(a, b)", "a,", ",", " b"]);
        assert_eq!(phrases("if (a) { b; } c")[0], "if (a) { b; }");
    }

    #[test]
    fn the_same_seed_makes_the_same_text() {
        let changed = |seed| {
            let mut data = *b"int f(int a) { return a + 1; }                                  ";
            let size = mutate(&mut data, 30, 64, seed).expect("the text has tokens");
            data[..size].to_vec()
        };
        assert_eq!(changed(7), changed(7));
        assert!((0..20).any(|seed| changed(seed) != changed(7)));
    }
}
