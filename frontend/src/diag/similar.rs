//! Which name was probably meant: for "did you mean".

/// The index of the candidate that `word` was probably meant to be: within a third of its length in
/// edits, the nearest, the first of equals.
pub fn similar<'n>(word: &str, mut candidates: impl Iterator<Item = &'n str>) -> Option<usize> {
    let limit = match word.chars().count() {
        // Only the case can tell.
        0..=2 => return candidates.position(|name| name != word && name.eq_ignore_ascii_case(word)),
        n_chars => (n_chars / 3).min(4),
    };
    let (idx, distance) = candidates
        .enumerate()
        .map(|(idx, candidate)| (idx, edit_distance(word, candidate)))
        .min_by_key(|&(_, distance)| distance)?;
    (distance > 0 && distance <= limit).then_some(idx)
}

/// Insertions, deletions, replacements and swaps of neighbours from one word to the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 4 {
        return usize::MAX;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["threadIdx", "blockIdx", "x"];
        let found = |word| similar(word, names.iter().copied()).map(|i| names[i]);
        assert_eq!(found("threadIxd"), Some("threadIdx"));
        assert_eq!(found("treadIdx"), Some("threadIdx"));
        assert_eq!(found("blockDimension"), None);
        assert_eq!(found("x"), None, "a name is not similar to itself");
        assert_eq!(found("X"), Some("x"));
        assert_eq!(found("y"), None);
    }
}
