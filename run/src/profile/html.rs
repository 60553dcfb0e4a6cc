//! A profile as a self-contained HTML page.
//!
//! All external text (names, lines of source and PTX) goes through [`escaped`].

use std::fmt::Write;

use super::chart::{self, Bar};
use super::number::{grouped, part, percent};
use super::{Counts, Executed, File, Kind, Listing, Place};

/// The column titles of a line's figures.
const FIGURES: [&str; 6] =
    ["share", "instructions", "lanes", "sectors needed", "bank conflicts", "divergent"];

/// The style of the page, and the script that sorts its tables.
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The maximum number of bars per chart.
const MAX_BARS: usize = 12;

/// The number of lines shown before the first and after the last executed line.
const CONTEXT: u32 = 8;

/// A figure that colors lines.
struct Heat {
    /// Its name in the page's selector.
    id: &'static str,
    title: &'static str,
    /// The figure of a line.
    of: fn(&Counts) -> u64,
}

const HEATS: [Heat; 4] = [
    Heat { id: "instructions", title: "instructions", of: |counts| counts.n_warps },
    Heat { id: "sectors", title: "global memory sectors", of: |counts| counts.global.n_sectors },
    Heat { id: "conflicts", title: "bank conflicts", of: |counts| counts.shared.n_conflicts() },
    Heat { id: "divergence", title: "divergent branches", of: |counts| counts.branches.n_divergent },
];

/// Escapes a text for HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' => safe.push_str("    "),
            // HTML permits no other control characters.
            other if other.is_control() => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

impl Listing<'_> {
    /// The profile as a page.
    pub fn html(&self) -> String {
        let title = escaped(&self.headline());
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        );
        self.tiles(&mut page);
        self.hint_list(&mut page);
        self.charts(&mut page);
        self.sources(&mut page);
        self.line_table(&mut page);
        page.push_str(
            "<footer>Counted by the Weft emulator: this is what the program does, not how long a GPU \
             takes. Instructions are PTX instructions, counted once for all threads of a warp that \
             execute them together.</footer>\n</main>\n<script>\n",
        );
        page.push_str(SCRIPT);
        page.push_str("</script>\n</body>\n</html>\n");
        page
    }

    /// The most important figures.
    fn tiles(&self, page: &mut String) {
        let Counts { n_warps, n_threads, branches, global, local, shared, atomics, .. } = self.total;
        page.push_str("<section class=\"tiles\">\n");
        tile(
            page,
            &grouped(n_warps),
            "warp instructions",
            &format!("{} thread instructions", grouped(n_threads)),
            None,
        );
        if let Some(efficiency) = self.total.simt_efficiency() {
            let note = format!("{:.1} of 32 on average", efficiency * 32.0);
            tile(page, &percent(efficiency), "of the lanes active", &note, Some(efficiency));
        }
        if let Some(efficiency) = global.efficiency() {
            let note = format!("{} global memory sectors touched", grouped(global.n_sectors));
            tile(page, &percent(efficiency), "of the sectors needed", &note, Some(efficiency));
        }
        if shared.n_passes > 0 {
            let conflicts = part(shared.n_conflicts(), shared.n_passes);
            let note = format!("{} shared memory wavefronts", grouped(shared.n_passes));
            tile(page, &percent(conflicts), "of the wavefronts are bank conflicts", &note, Some(conflicts));
        }
        if let Some(divergence) = branches.divergence() {
            let note = format!("{} warp branches", grouped(branches.n_executed));
            tile(page, &percent(divergence), "of the branches divergent", &note, Some(divergence));
        }
        if local.n_requests > 0 {
            let note = format!("in {} warp accesses", grouped(local.n_requests));
            tile(page, &grouped(local.n_sectors), "local memory sectors", &note, None);
        }
        if atomics.n_operations > 0 {
            let conflicts = part(atomics.n_conflicts, atomics.n_operations);
            let note = format!("{} atomic operations", grouped(atomics.n_operations));
            tile(page, &percent(conflicts), "of the atomics conflicting", &note, Some(conflicts));
        }
        page.push_str("</section>\n");
    }

    fn hint_list(&self, page: &mut String) {
        let hints = self.hints();
        if hints.is_empty() {
            return;
        }
        page.push_str("<section>\n<h2>Hints</h2>\n<ul class=\"hints\">\n");
        for hint in &hints {
            let link =
                |place: &str| format!("<a href=\"#{}\"><code>{}</code></a> ", anchor(place), escaped(place));
            let place = hint.place.as_deref().map(link).unwrap_or_default();
            // Writing to a string does not fail, here and below.
            let _ = writeln!(page, "<li>{place}{}</li>", escaped(&hint.message));
        }
        page.push_str("</ul>\n</section>\n");
    }

    fn charts(&self, page: &mut String) {
        let kinds = self.profile.by_kind();
        let mut kinds: Vec<(&Kind, &Counts)> = kinds.iter().collect();
        kinds.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.n_warps));
        let bar = |(kind, counts): (&Kind, &Counts)| {
            chart::share(kind.to_string(), counts.n_warps, self.total.n_warps)
        };
        let kinds: Vec<Bar> = kinds.into_iter().map(bar).collect();
        chart(page, "Instructions by kind", "Warp instructions.", &kinds);
        let sectors = self.bars(|counts| {
            let global = &counts.global;
            let needed = percent(global.efficiency()?);
            let note = format!("{} sectors, {needed} needed", grouped(global.n_sectors));
            Some((global.n_sectors, global.n_ideal_sectors, note))
        });
        let note = "32-byte sectors that warps touched; the dark part would suffice for the bytes requested.";
        chart(page, "Global memory", note, &sectors);
        let passes = self.bars(|counts| {
            let shared = &counts.shared;
            let ways = shared.ways()?;
            let note = format!("{} wavefronts, {ways:.1}-way on average", grouped(shared.n_passes));
            Some((shared.n_passes, shared.n_ideal_passes, note))
        });
        chart(page, "Shared memory", "Wavefronts; those beyond the dark part are bank conflicts.", &passes);
    }

    /// The bars of the lines that have a value, longest first: the whole, the highlighted part, and a note.
    fn bars(&self, of: impl Fn(&Counts) -> Option<(u64, u64, String)>) -> Vec<Bar> {
        let bar = |place: Place<'_>| {
            let (whole, part, note) = of(&place.line.counts)?;
            Some(Bar { label: place.name(), whole, part, note })
        };
        let mut bars: Vec<Bar> = self.places().filter_map(bar).collect();
        bars.sort_by_key(|bar| std::cmp::Reverse(bar.whole));
        bars.truncate(MAX_BARS);
        bars
    }

    /// The texts, each line with its heat, followed by its instructions.
    fn sources(&self, page: &mut String) {
        page.push_str(
            "<section>\n<h2>Source</h2>\n<p>Click a line to see its PTX.</p>\n<div \
         class=\"choices\">color by",
        );
        for (idx, heat) in HEATS.iter().filter(|heat| (heat.of)(&self.total) > 0).enumerate() {
            let checked = if idx == 0 { " checked=\"checked\"" } else { "" };
            let _ = write!(
                page,
                " <label><input type=\"radio\" name=\"heat\" id=\"by-{0}\" value=\"{0}\"{checked}/> {1}</label>",
                heat.id, heat.title
            );
        }
        page.push_str("</div>\n");
        let most =
            HEATS.map(|heat| self.places().map(|place| (heat.of)(&place.line.counts)).max().unwrap_or(0));
        for file in &self.files {
            self.file(file, most, page);
        }
        page.push_str("</section>\n");
    }

    fn file(&self, file: &File, most: [u64; HEATS.len()], page: &mut String) {
        let _ = write!(
            page,
            "<h3><code>{}</code></h3>\n<div class=\"scroll\"><table class=\"source\">\n<thead><tr><th>line</th>",
            escaped(&file.name)
        );
        let titles: Vec<&str> = self.shown(FIGURES).collect();
        titles.iter().for_each(|title| page.push_str(&format!("<th>{title}</th>")));
        page.push_str("<th></th></tr></thead>\n<tbody>\n");
        for number in file.shown_lines() {
            let content = file.content.get(number as usize - 1).map_or("", String::as_str);
            match file.lines.get(&number) {
                Some(line) => self.source_line(&Place { file, number, line }, content, most, page),
                None => {
                    let content = escaped(content);
                    let _ = writeln!(
                        page,
                        "<tr class=\"idle\"><td>{number}</td><td colspan=\"{}\"></td><td><pre>{content}</pre></td></tr>",
                        titles.len()
                    );
                }
            }
        }
        page.push_str("</tbody>\n</table></div>\n");
    }

    fn source_line(&self, place: &Place<'_>, content: &str, most: [u64; HEATS.len()], page: &mut String) {
        let counts = &place.line.counts;
        let heat = |(heat, most): (&Heat, u64)| format!("--{}:{:.3}", heat.id, part((heat.of)(counts), most));
        let heats: Vec<String> = HEATS.iter().zip(most).map(heat).collect();
        let _ = write!(
            page,
            "<tr id=\"{}\" class=\"hot\" style=\"{}\"><td>{}</td>",
            anchor(&place.name()),
            heats.join(";"),
            place.number
        );
        for (_, text) in self.shown(self.figures(counts)) {
            let _ = write!(page, "<td>{}</td>", escaped(&text));
        }
        let content = escaped(content);
        let _ = write!(page, "<td><details><summary><pre>{content}</pre></summary><table class=\"ptx\">");
        for Executed { number: _, line, text, kind, counts } in &place.line.instructions {
            let (text, note) = (escaped(text), escaped(&remarks(counts)));
            let _ = write!(
                page,
                "<tr><td>{line}</td><td>{}</td><td><code>{text}</code></td><td>{kind}</td><td>{note}</td></tr>",
                grouped(counts.n_warps)
            );
        }
        page.push_str("</table></details></td></tr>\n");
    }

    /// Selects the entries of `all` for figures that any line has.
    fn shown<T>(&self, all: [T; FIGURES.len()]) -> impl Iterator<Item = T> {
        let has = self.figures(&self.total).map(|(_, text)| !text.is_empty());
        all.into_iter().zip(has).filter_map(|(figure, has)| has.then_some(figure))
    }

    /// The figures of a line: the sort keys and the texts.
    fn figures(&self, counts: &Counts) -> [(f64, String); FIGURES.len()] {
        let share = part(counts.n_warps, self.total.n_warps);
        let lanes = counts.lanes().unwrap_or(0.0);
        let optional = |part: Option<f64>| part.map_or((-1.0, String::new()), |part| (part, percent(part)));
        let (n_passes, n_conflicts) = (counts.shared.n_passes, counts.shared.n_conflicts());
        let conflicts = match n_passes {
            0 => (-1.0, String::new()),
            _ => (n_conflicts as f64, format!("{} of {}", grouped(n_conflicts), grouped(n_passes))),
        };
        [
            (share, percent(share)),
            (counts.n_warps as f64, grouped(counts.n_warps)),
            (lanes, format!("{lanes:.1}")),
            optional(counts.global.efficiency()),
            conflicts,
            optional(counts.branches.divergence()),
        ]
    }

    /// The table of all lines, sortable by each figure.
    fn line_table(&self, page: &mut String) {
        page.push_str(
            "<section>\n<h2>All lines</h2>\n<p>Click a column header to sort.</p>\n<div \
             class=\"scroll\"><table class=\"sortable\">\n<thead><tr>",
        );
        for title in std::iter::once("line").chain(self.shown(FIGURES)).chain(["source"]) {
            let _ = write!(page, "<th><button type=\"button\">{title}</button></th>");
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for place in self.hottest() {
            let (name, link, text) = (escaped(&place.name()), anchor(&place.name()), escaped(place.text()));
            let _ = write!(page, "<tr><td data-key=\"{name}\"><a href=\"#{link}\">{name}</a></td>");
            for (key, text) in self.shown(self.figures(&place.line.counts)) {
                let _ = write!(page, "<td data-key=\"{key}\">{}</td>", escaped(&text));
            }
            let _ = writeln!(page, "<td data-key=\"{text}\"><code>{text}</code></td></tr>");
        }
        page.push_str("</tbody>\n</table></div>\n</section>\n");
    }
}

impl File {
    /// The lines to show: those near executed ones; without a text, only those.
    fn shown_lines(&self) -> Vec<u32> {
        if self.content.is_empty() {
            return self.lines.keys().copied().collect();
        }
        let first = self.lines.keys().next().map_or(1, |&line| line.saturating_sub(CONTEXT).max(1));
        let last = self.lines.keys().next_back().map_or(0, |&line| line);
        let end = last.saturating_add(CONTEXT).min(self.content.len() as u32);
        // The file may have changed and have fewer lines now.
        let beyond = self.lines.keys().copied().filter(|&line| line > end);
        (first..=end).chain(beyond).collect()
    }
}

/// A figure with its title, a note, and a fraction from 0 to 1 as a bar.
fn tile(page: &mut String, figure: &str, of: &str, note: &str, share: Option<f64>) {
    let (figure, of, note) = (escaped(figure), escaped(of), escaped(note));
    let _ = write!(page, "<div class=\"tile\"><b>{figure}</b><span>{of}</span><small>{note}</small>");
    if let Some(share) = share {
        let width = share * 100.0;
        let _ = write!(page, "<i class=\"meter\"><i style=\"width:{width:.1}%\"></i></i>");
    }
    page.push_str("</div>\n");
}

fn chart(page: &mut String, title: &str, note: &str, bars: &[Bar]) {
    if !bars.is_empty() {
        let svg = chart::bars(title, bars);
        let _ = write!(
            page,
            "<section>\n<h2>{title}</h2>\n<p>{note}</p>\n<div class=\"wide\">{svg}</div></section>\n"
        );
    }
}

/// Remarkable counts of an instruction.
fn remarks(counts: &Counts) -> String {
    let mut remarks = Vec::new();
    if let Some(efficiency) = counts.global.efficiency() {
        remarks.push(format!("{} sectors, {} needed", grouped(counts.global.n_sectors), percent(efficiency)));
    }
    if let Some(ways) = counts.shared.ways() {
        remarks.push(format!("{} wavefronts, {ways:.1}-way on average", grouped(counts.shared.n_passes)));
    }
    if counts.local.n_sectors > 0 {
        remarks.push(format!("{} local memory sectors", grouped(counts.local.n_sectors)));
    }
    if counts.atomics.n_conflicts > 0 {
        let (conflicts, all) = (counts.atomics.n_conflicts, counts.atomics.n_operations);
        remarks.push(format!("{} of {} operations conflict", grouped(conflicts), grouped(all)));
    }
    if counts.branches.n_divergent > 0 {
        remarks.push(format!("{} times divergent", grouped(counts.branches.n_divergent)));
    }
    remarks.join("; ")
}

/// The anchor of a line within the page.
fn anchor(place: &str) -> String {
    let mut name = "line-".to_owned();
    for byte in place.bytes() {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(byte));
        } else {
            // Escaped so that anchors are unique.
            let _ = write!(name, "-{byte:02x}");
        }
    }
    name
}
