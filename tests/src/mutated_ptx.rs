//! Compilers' PTX, randomly mutated by bytes, tokens and lines, and run like `weftc run` does: it must end in
//! an error, a fault or results, never in a panic, an abort or a hang.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use weft_emulator::program::fragment::forms::forms;
use weft_emulator::program::fragment::{TYPES, check, opcodes};
use weft_run::device::emulator::Checks;

use crate::Failure;
use crate::damage::caught;
use crate::launches::LaunchSpec;
use crate::random::Random;

/// The instruction limit per warp.
const MAX_STEPS: u64 = 2000;

/// The memory of a program, in bytes.
const MEMORY: u64 = 1 << 26;

/// The maximum number of threads per launch.
const MAX_THREADS: u64 = 4096;

/// Numbers at the limits of ranges, and beyond.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "32",
    "33",
    "255",
    "65535",
    "65536",
    "1048576",
    "2147483647",
    "0x80000000",
    "4294967295",
    "0x7fffffffffffffff",
    "18446744073709551615",
    "99999999999999999999",
    "0f7FC00000",
    "0d7FF0000000000000",
];

/// Words of modules and operands.
const WORDS: &str = ".version .target .address_size .entry .func .visible .extern .weak .common .global .shared .local .const .param .reg \
     .align .b8 .b16 .b32 .b64 .b128 .u32 .s32 .f16 .f32 .f64 .pred .v2 .v4 .ptr .maxntid .reqntid .reqnctapercluster .noreturn .alias .file \
     .loc .section .pragma .branchtargets .calltargets .callprototype .texref .samplerref .surfref .attribute .managed %tid.x %ntid.y %ctaid.z \
     %laneid %clock64 %dynamic_smem_size WARP_SZ generic _ @ @! { } ( ) [ ] , ; : + - * / % < > ! ~ | & ^ ? =";

/// PTX with the launches of its kernels.
#[derive(Clone, Debug)]
pub struct Original {
    /// The name in failures.
    pub name: String,
    /// The text.
    pub ptx: String,
    /// The launches.
    pub launches: Vec<LaunchSpec>,
}

impl Original {
    /// A text with its small launches.
    pub fn new(name: String, ptx: String, launches: &[LaunchSpec]) -> Self {
        let n_threads = |launch: &LaunchSpec| {
            launch.grid.iter().chain(&launch.block).map(|&n| u64::from(n)).product::<u64>()
        };
        let launches = launches.iter().filter(|launch| n_threads(launch) <= MAX_THREADS).cloned().collect();
        Original { name, ptx, launches }
    }

    /// Runs a mutated text with each of the launches, or without any if only its kernels are to be parsed.
    ///
    /// # Errors
    ///
    /// A panic.
    pub fn try_text(&self, text: &str) -> Result<(), Failure> {
        let body = text.split_once('{').map_or(text, |(_, body)| body);
        let body = body.rsplit_once('}').map_or(body, |(body, _)| body);
        caught(|| Ok(check(body, 64)))?;
        for launch in &self.launches {
            let one = NonZeroUsize::MIN;
            let launch = launch.of(&[("mutated.ptx", text)]).workers(one).memory(MEMORY);
            // A fault is not a finding.
            let launch = launch.max_steps(Some(MAX_STEPS)).checks(Checks::ALL).profile();
            caught(|| Ok(launch.run()))?.ok();
        }
        Ok(())
    }
}

/// A text with a few mutations, which may insert parts of the other one.
pub fn mutated(random: &mut Random, text: &str, other: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        bytes = match random.below(8) {
            0 | 1 => by_bytes(random, bytes),
            2..=5 => by_tokens(random, &bytes, other),
            _ => by_lines(random, &bytes, other),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn by_bytes(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] = random.draw() as u8,
        1 => bytes[at] ^= 1 << random.below(8),
        2 => drop(bytes.remove(at)),
        3 => bytes.insert(at, *random.of(b" \n\t\0\"\\/*{}[]()<>;:,.%@!|-+0x9_\x80\xff")),
        _ => bytes.truncate(at),
    }
    bytes
}

fn by_lines(random: &mut Random, bytes: &[u8], other: &str) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let others: Vec<&str> = other.lines().collect();
    let (at, to) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(to, lines[at]),
        2 => lines.swap(at, to),
        3 => {
            let line = lines.remove(at);
            lines.insert(to.min(lines.len()), line);
        }
        4 => drop(lines.drain(at.min(to)..(at.min(to) + 8).min(lines.len()))),
        5 => lines = [&lines[..at], &vec![lines[at]; 300], &lines[at..]].concat(),
        _ if others.is_empty() => {}
        _ => {
            let from = random.below(others.len());
            let some = others[from..].iter().take(1 + random.below(6)).map(|line| line.as_bytes());
            lines.splice(at..at, some);
        }
    }
    lines.join(&b'\n')
}

fn by_tokens(random: &mut Random, bytes: &[u8], other: &str) -> Vec<u8> {
    let mut tokens = tokens(bytes);
    if tokens.is_empty() {
        return Vec::new();
    }
    let (at, to) = (random.below(tokens.len()), random.below(tokens.len()));
    let is_number = |token: &&[u8]| token.first().is_some_and(u8::is_ascii_digit);
    match random.below(9) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(to, tokens[at]),
        2 => tokens.swap(at, to),
        3 => tokens[at] = tokens[to],
        4 => tokens[at] = random.of(words()).as_bytes(),
        5 => tokens.insert(at, random.of(words()).as_bytes()),
        6 => {
            let others = self::tokens(other.as_bytes());
            if !others.is_empty() {
                tokens[at] = others[random.below(others.len())];
                return tokens.concat();
            }
        }
        _ => {
            // The next number from there on.
            let number = tokens[at..].iter().position(is_number).map_or(at, |after| at + after);
            tokens[number] = random.of(&NUMBERS).as_bytes();
        }
    }
    tokens.concat()
}

/// Words, numbers, and single bytes for everything else. A modifier is a word with its dot.
fn tokens(bytes: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%');
    let (mut tokens, mut start) = (Vec::new(), 0);
    for at in 1..=bytes.len() {
        let goes_on =
            at < bytes.len() && is_word(bytes[at]) && (is_word(bytes[at - 1]) || bytes[at - 1] == b'.');
        if !goes_on {
            tokens.push(&bytes[start..at]);
            start = at;
        }
    }
    tokens
}

/// Words of PTX: opcodes, modifiers, types, directives.
fn words() -> &'static [String] {
    static ALL: OnceLock<Vec<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<String> = WORDS.split_whitespace().map(str::to_owned).collect();
        all.extend(opcodes().map(str::to_owned));
        all.extend(TYPES.iter().map(|ty| format!(".{ty}")));
        let slots = forms().iter().flat_map(|form| &form.slots).flat_map(|slot| &slot.words);
        let mut modifiers: Vec<String> = slots.map(|word| format!(".{word}")).collect();
        modifiers.sort();
        modifiers.dedup();
        all.extend(modifiers);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_all_of_a_text() {
        let text = "@%p1 ld.global.v2.u32 {%r1, %r2}, [%rd1+-4]; // a\n";
        let found: Vec<&str> = tokens(text.as_bytes())
            .into_iter()
            .map(|token| std::str::from_utf8(token).expect("text"))
            .collect();
        assert_eq!(found.concat(), text);
        assert_eq!(found[..6], ["@", "%p1", " ", "ld", ".global", ".v2"]);
    }

    #[test]
    fn the_same_seed_gives_the_same_text() {
        let text = ".version 8.0\n.target sm_90\n.entry k() {\nret;\n}\n";
        let all = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| mutated(&mut random, text, text)).collect::<Vec<_>>()
        };
        assert_eq!(all(3), all(3));
        assert!(all(3).iter().filter(|mutated| *mutated != text).count() > 40);
    }
}
