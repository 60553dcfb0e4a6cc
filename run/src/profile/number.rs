//! Formats figures.

/// A fraction of a whole, from 0 to 1, as a percentage: `46 %`, `3.1 %`. Only exactly all is `100 %`, and
/// only exactly nothing is `0 %`.
pub(super) fn percent(part: f64) -> String {
    let percent = part * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        _ if percent < 0.1 => "< 0.1 %".to_owned(),
        _ if percent < 9.95 => format!("{percent:.1} %"),
        _ if (99.5..100.0).contains(&percent) => "> 99 %".to_owned(),
        _ => format!("{percent:.0} %"),
    }
}

/// A part of a whole that may be zero.
pub(super) fn part(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Groups digits by three with narrow no-break spaces: `25 336`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `1 pass`, `31 passes`
pub(super) fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_not_rounded_to_all_or_nothing() {
        let texts = [0.0, 0.0001, 0.031, 0.0995, 0.125, 0.994, 0.9999, 1.0].map(percent);
        assert_eq!(texts, ["0 %", "< 0.1 %", "3.1 %", "10 %", "12 %", "99 %", "> 99 %", "100 %"]);
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(
            [7, 999, 1000, 25336, 1234567].map(grouped).map(|text| text.replace('\u{202f}', " ")),
            ["7", "999", "1 000", "25 336", "1 234 567"]
        );
    }
}
