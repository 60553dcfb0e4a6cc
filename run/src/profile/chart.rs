//! Bars, as SVG that stands within a page: its colours are those of the page. The attributes are for who takes a picture out
//! of the page.

use std::fmt::Write;

use super::html::escaped;
use super::number::{grouped, part, percent};

/// A bar: a whole, of which a part stands out.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) whole: u64,
    pub(super) part: u64,
    /// What is said of it.
    pub(super) note: String,
}

/// How high a bar with its blank is.
const ROW: usize = 24;

/// Where bars begin, and how long the longest is; the page scales all of it.
const LEFT: usize = 230;
const LENGTH: usize = 290;

/// How wide the picture is.
const WIDTH: usize = 800;

/// Of a label, how many characters there is room for.
const MAX_LABEL: usize = 24;

/// One bar below the other.
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

/// The end of a label tells more than its beginning, which is folders: of these, as many as there is room for.
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
