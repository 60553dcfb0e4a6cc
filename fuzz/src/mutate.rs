//! Changes of a text token by token, which reach further than those of bytes: what they make is more often a
//! program, or nearly one.

use weft_frontend::diag::Sink;
use weft_frontend::source::{SourceMap, SourceText};
use weft_frontend::token::Interner;

use crate::words::ALL;

/// Numbers by a linear congruential generator: the fuzzer gives the seed, and wants the same for the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Changes the text in `data[..size]` in up to four places; gives its new size, none where it has no tokens.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    let mut random = Random(u64::from(seed) | 1 << 40);
    let mut pieces = pieces(data.get(..size)?)?;
    for _ in 0..=random.below(4) {
        change(&mut pieces, &mut random);
    }
    let text = pieces.concat();
    let size = text.len().min(max_size).min(data.len());
    data[..size].copy_from_slice(&text[..size]);
    Some(size)
}

/// The tokens, each with what stands before it.
fn pieces(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.src".into(), SourceText::from(text.to_owned())).ok()?;
    let tokens = weft_frontend::lex(&sources, file, &mut Interner::new(), &mut Sink::new());
    let mut start = 0;
    let mut pieces = Vec::new();
    for token in tokens {
        let end = sources.range(token.span).end;
        pieces.push(text.as_bytes()[start..end.max(start)].to_vec());
        start = end.max(start);
    }
    (pieces.len() > 1).then_some(pieces)
}

fn change(pieces: &mut Vec<Vec<u8>>, random: &mut Random) {
    let at = random.below(pieces.len());
    let other = random.below(pieces.len());
    let len = 1 + random.below(8).min(random.below(16));
    match random.below(7) {
        0 if pieces.len() > len => drop(pieces.drain(at..(at + len).min(pieces.len()))),
        1 => pieces.swap(at, other),
        2 => pieces[at] = pieces[other].clone(),
        3 => {
            let copied = pieces[other..(other + len).min(pieces.len())].to_vec();
            pieces.splice(at..at, copied);
        }
        4 => pieces[at] = word(random),
        _ => pieces.insert(at, word(random)),
    }
    if pieces.is_empty() {
        pieces.push(word(random));
    }
}

fn word(random: &mut Random) -> Vec<u8> {
    format!(" {}", ALL[random.below(ALL.len())]).into_bytes()
}
