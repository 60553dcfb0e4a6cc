//! Similar names, for "did you mean".

use std::mem;

/// The index of the candidate that `word` was probably meant to be: within a third of its length in
/// edits, the nearest, the first of equals.
pub fn similar<'n>(word: &str, candidates: impl Iterator<Item = &'n str>) -> Option<usize> {
    let mut nearest = Nearest::new(word);
    let mut found = None;
    for (idx, candidate) in candidates.enumerate() {
        if nearest.distance(candidate).is_some_and(|distance| nearest.take(distance)) {
            found = Some(idx);
        }
    }
    found
}

/// The nearest of candidates that come in no order, and how far it is: of equally near ones, the first in the
/// order of the alphabet.
pub(crate) fn nearest<'n>(word: &str, candidates: impl Iterator<Item = &'n str>) -> Option<(usize, &'n str)> {
    let mut nearest = Nearest::new(word);
    let mut found = None;
    for candidate in candidates {
        let Some(distance) = nearest.distance(candidate) else { continue };
        if nearest.take(distance) || found.is_some_and(|(at, name)| distance == at && candidate < name) {
            found = Some((distance, candidate));
        }
    }
    found
}

/// How near candidates are to a word. Most are rejected by their length and letters code.
struct Nearest {
    word: Vec<char>,
    letters: u64,
    /// Names at a greater distance do not count.
    limit: usize,
    /// The least distance so far.
    least: usize,
    candidate: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl Nearest {
    fn new(word: &str) -> Self {
        let chars: Vec<char> = word.chars().collect();
        let limit = (chars.len() / 3).min(4);
        let letters = letters(&chars);
        let rows = [Vec::new(), Vec::new(), Vec::new()];
        Nearest { word: chars, letters, limit, least: usize::MAX, candidate: Vec::new(), rows }
    }

    /// Whether the distance is less than all before.
    fn take(&mut self, distance: usize) -> bool {
        let is_less = distance < self.least;
        self.least = self.least.min(distance);
        is_less
    }

    /// The distance of the candidate from the word; `None` if it is the word or too far away.
    fn distance(&mut self, candidate: &str) -> Option<usize> {
        let Nearest { word, candidate: chars, .. } = self;
        if word.len() <= 2 {
            // Only the case differs.
            let mut word_chars = word.iter();
            let same = |c: char| word_chars.next().is_some_and(|w| w.eq_ignore_ascii_case(&c));
            let is_same = candidate.chars().count() == word.len() && candidate.chars().all(same);
            return (is_same && !candidate.chars().eq(word.iter().copied())).then_some(1);
        }
        // Candidates that are no nearer than the nearest so far need no exact distance.
        let limit = self.limit.min(self.least);
        let n_bytes = candidate.len();
        let is_longer =
            n_bytes > word.len() + limit && (candidate.is_ascii() || n_bytes > 4 * (word.len() + limit));
        if is_longer || n_bytes + limit < word.len() {
            return None;
        }
        chars.clear();
        chars.extend(candidate.chars());
        // An edit brings at most one letter in and one out.
        let n_other = (self.letters ^ letters(chars)).count_ones() as usize;
        if word.len().abs_diff(chars.len()) > limit || n_other > 2 * limit {
            return None;
        }
        let distance = edit_distance(word, chars, &mut self.rows);
        (distance > 0 && distance <= limit).then_some(distance)
    }
}

/// Which letters there are, as bits.
fn letters(chars: &[char]) -> u64 {
    chars.iter().fold(0, |letters, &c| letters | 1 << (u32::from(c) % 64))
}

/// Insertions, deletions, replacements and swaps of neighbours from one word to the other.
fn edit_distance(a: &[char], b: &[char], rows: &mut [Vec<usize>; 3]) -> usize {
    let [before, last, row] = rows;
    for row in [&mut *before, &mut *row] {
        row.clear();
        row.resize(b.len() + 1, 0);
    }
    last.clear();
    last.extend(0..=b.len());
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        mem::swap(before, last);
        mem::swap(last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_similar_names() {
        let names = ["threadIdx", "blockIdx", "x"];
        let found = |word| similar(word, names.iter().copied()).map(|i| names[i]);
        assert_eq!(found("threadIxd"), Some("threadIdx"));
        assert_eq!(found("treadIdx"), Some("threadIdx"));
        assert_eq!(found("blockDimension"), None);
        assert_eq!(found("x"), None, "a name is not similar to itself");
        assert_eq!(found("X"), Some("x"));
        assert_eq!(found("y"), None);
    }

    #[test]
    fn letters_count_and_not_their_bytes() {
        assert_eq!(similar("größe", ["größer"].into_iter()), Some(0));
        assert_eq!(similar("größen", ["grösse", "größe"].into_iter()), Some(1));
        assert_eq!(similar("aaaa", ["äaää"].into_iter()), None);
    }

    #[test]
    fn first_of_equally_similar_names_wins() {
        let names = ["valud", "valub", "valuc"];
        assert_eq!(similar("value", names.into_iter()), Some(0));
        assert_eq!(nearest("value", names.into_iter()), Some((1, "valub")));
        assert_eq!(nearest("values", ["valuesx", "value"].into_iter()), Some((1, "value")));
    }
}
