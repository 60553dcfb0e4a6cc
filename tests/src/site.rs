//! The pages of the documentation as a site: which pages there are, and whether their links lead anywhere.
//!
//! In: the Markdown files of the repository. Out: one line for each link without a target, each anchor without a heading, each
//! mention of a page that does not exist, and each page that `docs/SUMMARY.md` does not list. Headings get the anchors that
//! mdBook and GitHub give them. Addresses of the web are not looked up.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use regex::Regex;

use crate::Failure;
use crate::tools::repository;

/// The contents of the site.
const SUMMARY: &str = "docs/SUMMARY.md";
/// Pages that `ci/docs` lists below the index of diagnostics.
const EXPLANATIONS: &str = "docs/diagnostics/";

/// The Markdown files: a path from the root of the repository, and the text.
pub type Pages = BTreeMap<String, String>;

/// Reads all Markdown files of the repository that documentation consists of.
///
/// # Errors
/// A folder or a file that cannot be read.
pub fn pages() -> Result<Pages, Failure> {
    let mut pages = Pages::new();
    for name in
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "tests/README.md"]
    {
        let text = fs::read_to_string(repository().join(name)).map_err(|e| format!("{name}: {e}"))?;
        pages.insert(name.to_owned(), text);
    }
    add_folder(Path::new("docs"), &mut pages).map_err(|e| format!("docs: {e}"))?;
    Ok(pages)
}

fn add_folder(folder: &Path, pages: &mut Pages) -> io::Result<()> {
    for entry in fs::read_dir(repository().join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            add_folder(&path, pages)?;
        } else if path.extension().is_some_and(|it| it == "md") {
            pages.insert(path.display().to_string(), fs::read_to_string(entry.path())?);
        }
    }
    Ok(())
}

/// Checks every relative link and its anchor; `exists` says whether a path of the repository is a file or a folder.
pub fn broken_links(pages: &Pages, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let link = Regex::new(r"\]\(([^()\s]+)\)").expect("invariant: the expression is right");
    let mut broken = Vec::new();
    for (page, text) in pages {
        for (number, line) in prose(text) {
            for target in link.captures_iter(&line).filter_map(|found| found.get(1)) {
                let target = target.as_str();
                if target.starts_with("https://") {
                    continue;
                }
                if let Some(why) = why_broken(page, target, pages, &exists) {
                    broken.push(format!("{page}:{number}: `{target}`: {why}"));
                }
            }
        }
    }
    broken
}

fn why_broken(page: &str, target: &str, pages: &Pages, exists: impl Fn(&str) -> bool) -> Option<String> {
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let path = if file.is_empty() { page.to_owned() } else { resolve(page, file)? };
    if !exists(&path) {
        return Some(format!("there is no {path}"));
    }
    let anchor = anchor?;
    let Some(text) = pages.get(&path) else { return Some(format!("{path} is not a page")) };
    (!anchors(text).iter().any(|it| it == anchor)).then(|| format!("{path} has no heading for #{anchor}"))
}

/// A link's path from the root; a link that leaves the repository is kept as it is, and exists nowhere.
fn resolve(page: &str, file: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for component in Path::new(page).parent()?.join(file).components() {
        match component {
            Component::ParentDir if !path.pop() => return Some(file.to_owned()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path.display().to_string())
}

/// The lines outside code blocks, without their inline code, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> {
    let code = Regex::new("`[^`]*`").expect("invariant: the expression is right");
    let mut in_block = false;
    text.lines().enumerate().filter_map(move |(idx, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        (!is_fence && !in_block).then(|| (idx + 1, code.replace_all(line, "`…`").into_owned()))
    })
}

/// The anchors of a page's headings.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        in_block ^= line.trim_start().starts_with("```");
        let Some(heading) =
            line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#') && !in_block)
        else {
            continue;
        };
        let slug = slug(heading);
        let n_before = anchors.iter().filter(|it| **it == slug).count();
        anchors.push(if n_before == 0 { slug } else { format!("{slug}-{n_before}") });
    }
    anchors
}

fn slug(heading: &str) -> String {
    let shown = heading.trim().to_lowercase();
    let kept = shown.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Finds the pages that the summary does not list.
pub fn unlisted(pages: &Pages) -> Vec<String> {
    let summary = pages.get(SUMMARY).map_or("", String::as_str);
    let link = Regex::new(r"\]\(([^()\s]+)\)").expect("invariant: the expression is right");
    let listed: Vec<String> =
        link.captures_iter(summary).filter_map(|found| resolve(SUMMARY, found.get(1)?.as_str())).collect();
    let is_listed =
        |page: &str| page == SUMMARY || page.starts_with(EXPLANATIONS) || listed.iter().any(|it| it == page);
    let missing = pages.keys().filter(|page| page.starts_with("docs/") && !is_listed(page));
    missing.map(|page| format!("{SUMMARY} does not list {page}")).collect()
}

/// Finds `docs/….md` in a file of the repository that names no page.
pub fn dead_mentions(file: &str, text: &str, pages: &Pages) -> Vec<String> {
    let mention = Regex::new(r"\bdocs/[A-Za-z0-9_./-]+\.md\b").expect("invariant: the expression is right");
    let mut dead = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        for found in mention.find_iter(line).map(|it| it.as_str()).filter(|it| !pages.contains_key(*it)) {
            dead.push(format!("{file}:{}: there is no {found}", idx + 1));
        }
    }
    dead
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(texts: &[(&str, &str)]) -> Pages {
        texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn links_lead_to_files_and_headings() {
        let site = pages(&[
            ("README.md", "[a](docs/a.md) [b](docs/a.md#in-short-x) [c](#d) [e](https://f.org/x)\n# `D`\n"),
            (
                "docs/a.md",
                "## In short: `x`\n[up](../README.md#d)\n```c\n[no](gone.md)\n```\n`[no](gone.md)`\n",
            ),
        ]);
        assert_eq!(broken_links(&site, |path| site.contains_key(path)), [""; 0]);
    }

    #[test]
    fn reports_missing_files_headings_and_pages() {
        let site = pages(&[
            ("docs/SUMMARY.md", "[a](guide/a.md)\n"),
            ("docs/guide/a.md", "# A\n# A\n[b](b.md) [c](#a-1) [d](#a-2) [e](../../../x)\n"),
            ("docs/guide/c.md", ""),
        ]);
        let broken = broken_links(&site, |path| site.contains_key(path));
        assert_eq!(
            broken,
            [
                "docs/guide/a.md:3: `b.md`: there is no docs/guide/b.md",
                "docs/guide/a.md:3: `#a-2`: docs/guide/a.md has no heading for #a-2",
                "docs/guide/a.md:3: `../../../x`: there is no ../../../x",
            ]
        );
        assert_eq!(unlisted(&site), ["docs/SUMMARY.md does not list docs/guide/c.md"]);
        let dead = dead_mentions("a.rs", "// docs/guide/a.md,\n// docs/b.md.\n", &site);
        assert_eq!(dead, ["a.rs:2: there is no docs/b.md"]);
    }
}
