//! Bar charts as SVG inside a page: the colors come from the page's style sheet. The attributes are for a
//! picture copied out of the page.

use std::fmt::Write;

use super::html::escaped;
use super::number::{grouped, part, percent};

/// A bar: a whole, with a highlighted part.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) whole: u64,
    pub(super) part: u64,
    /// Its note.
    pub(super) note: String,
}

/// The height of a bar with its gap.
const ROW: usize = 24;

/// The start of bars, and the length of the longest one; the page scales the picture.
const LEFT: usize = 230;
const LENGTH: usize = 290;

/// The width of the picture.
const WIDTH: usize = 800;

/// The maximum length of a label.
const MAX_LABEL: usize = 24;

/// A chart of horizontal bars.
pub(super) fn bars(title: &str, bars: &[Bar]) -> String {
    let most = bars.iter().map(|bar| bar.whole).max().unwrap_or(0);
    let height = bars.len() * ROW + 4;
    let mut svg = format!(
        "<svg class=\"chart\" font-size=\"13\" font-family=\"sans-serif\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(title)
    );
    for (idx, bar) in bars.iter().enumerate() {
        let top = idx * ROW + 4;
        let base = top + ROW - 10;
        let length = |n: u64| part(n, most) * LENGTH as f64;
        let (whole, inner) = (length(bar.whole), length(bar.part));
        // Writing to a string does not fail.
        let _ = writeln!(
            svg,
            "<g><title>{label}: {note}</title>\
             <text class=\"label\" text-anchor=\"end\" x=\"{x}\" y=\"{base}\">{short}</text>\
             <rect class=\"whole\" fill=\"#b9cdf0\" x=\"{LEFT}\" y=\"{top}\" width=\"{whole:.1}\" height=\"{bar_height}\" rx=\"2\"/>\
             <rect class=\"part\" fill=\"#2f62c4\" x=\"{LEFT}\" y=\"{top}\" width=\"{inner:.1}\" height=\"{bar_height}\" rx=\"2\"/>\
             <text class=\"note\" x=\"{end:.1}\" y=\"{base}\">{note}</text></g>",
            label = escaped(&bar.label),
            note = escaped(&bar.note),
            short = escaped(&shortened(&bar.label)),
            x = LEFT - 10,
            end = LEFT as f64 + whole + 8.0,
            bar_height = ROW - 6,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A bar for a share of a whole: `12 345 · 46 %`.
pub(super) fn share(label: String, n: u64, whole: u64) -> Bar {
    let note = format!("{} · {}", grouped(n), percent(part(n, whole)));
    Bar { label, whole: n, part: n, note }
}

/// Truncates a label at the front: its end says more than the folders that it begins with.
fn shortened(label: &str) -> String {
    let fits = |part: &str| part.chars().count() <= MAX_LABEL;
    if fits(label) {
        return label.to_owned();
    }
    let folders = label.match_indices('/').map(|(at, _)| &label[at..]);
    let n_chars = label.chars().count();
    match folders.into_iter().find(|part| fits(part)) {
        Some(part) => format!("…{part}"),
        None => std::iter::once('…').chain(label.chars().skip(n_chars - MAX_LABEL)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_their_first_folders() {
        for (label, expected) in [
            ("sgemm.src:30", "sgemm.src:30"),
            ("/home/someone/kernels/sgemm.src:30", "…/kernels/sgemm.src:30"),
            ("kernels/of-a-long-project/matrix_product.cu:1", "…/matrix_product.cu:1"),
            ("a_name_that_is_longer_than_there_is_room.cu:12", "…than_there_is_room.cu:12"),
        ] {
            assert_eq!(shortened(label), expected);
        }
    }
}
