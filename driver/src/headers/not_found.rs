//! The messages for missing headers: the searched folders, similar names, or why the language has no such
//! header.

use std::fs;
use std::path::{Path, PathBuf};

use weft_frontend::diag::similar::similar;
use weft_frontend::{NotFound, Request};
use weft_runtime_shims::Absent;

use super::{Preprocessing, is_embedded};

/// A header that intentionally does not exist.
pub(super) fn absent(name: &str, reason: Absent) -> NotFound {
    NotFound {
        message: Some(format!("`<{name}>` {}", reason.reason())),
        notes: vec!["Weft compiles device code only".to_owned()],
        help: vec!["hide it from Weft with `#ifndef __WEFT__`".to_owned()],
    }
}

/// A name that was not found anywhere.
pub(super) fn nowhere(request: &Request<'_>, preprocessing: &Preprocessing) -> NotFound {
    let folders = folders(request, preprocessing);
    let mut notes = Vec::new();
    if let Some(path) = folders.iter().map(|folder| folder.join(request.name)).find(|path| path.is_dir()) {
        notes.push(format!("`{}` is a directory", path.display()));
    }
    if Path::new(request.name).is_absolute() {
        return NotFound { notes, ..NotFound::default() };
    }
    let shown: Vec<String> = folders.iter().map(|folder| format!("`{}`", shown(folder))).collect();
    notes.push(match &shown[..] {
        [] => "searched the headers that ship with the compiler".to_owned(),
        [..] => format!("searched {} and the headers that ship with the compiler", shown.join(", ")),
    });
    let help = match nearest(request.name, &folders, preprocessing) {
        Some(name) => format!("did you mean `{name}`?"),
        None if !preprocessing.files => "pass its text with the options".to_owned(),
        None => "add its directory with `-I`".to_owned(),
    };
    NotFound { message: None, notes, help: vec![help] }
}

/// The folders that are searched.
fn folders<'a>(request: &Request<'a>, preprocessing: &'a Preprocessing) -> Vec<&'a Path> {
    let mut folders = Vec::new();
    if !preprocessing.files {
        return folders;
    }
    if !request.is_angled && request.from.is_none() && !is_embedded(request.includer) {
        folders.push(Path::new(request.includer).parent().unwrap_or(Path::new("")));
    }
    folders.extend(preprocessing.include_path.iter().map(PathBuf::as_path));
    folders.extend(preprocessing.system_path.iter().map(PathBuf::as_path));
    folders
}

fn shown(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { ".".to_owned() } else { folder.display().to_string() }
}

/// The most similar name: of an embedded header, or of a file in one of the folders.
fn nearest(name: &str, folders: &[&Path], preprocessing: &Preprocessing) -> Option<String> {
    let mut names: Vec<String> = weft_runtime_shims::headers().map(str::to_owned).collect();
    names.extend(preprocessing.texts.keys().cloned());
    let (parent, _) = name.rsplit_once('/').map_or((None, name), |(parent, rest)| (Some(parent), rest));
    for folder in folders {
        let folder = parent.map_or_else(|| folder.to_path_buf(), |parent| folder.join(parent));
        let folder = if folder.as_os_str().is_empty() { Path::new(".").to_owned() } else { folder };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.extend(files.map(|file| parent.map_or(file.clone(), |parent| format!("{parent}/{file}"))));
    }
    names.sort();
    similar(name, names.iter().map(String::as_str)).map(|idx| names.swap_remove(idx))
}
