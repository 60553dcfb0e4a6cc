//! Finds the headers of `#include`, and defines the macros that depend on the options.
//!
//! - this file: the search, which implements the frontend's [`Headers`]
//! - [`predefined`]: `__CUDA_ARCH__` and other macros that depend on the target
//! - [`not_found`]: the messages for missing headers
//!
//! The search order, in which the first match wins:
//!
//! | | `"name"` | `<name>` |
//! |---|---|---|
//! | the folder of the file with the directive | 1 | |
//! | the texts of a program that embeds the compiler, then the embedded headers | 2 | 1 |
//! | `-I`, in order, then `-isystem`, in order | 3 | 2 |
//!
//! So no `-I` of a CUDA toolkit or of the system hides an embedded header. Names in
//! [`weft_runtime_shims::absent`] are rejected before the file search, so that no C++ header of CUDA is read by
//! accident.

mod not_found;
pub mod predefined;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use weft_frontend::layout::DataModel;
use weft_frontend::source::{PrefixMap, SourceText};
use weft_frontend::{Dialect, Header, Headers, HostCode, MacroOption, NotFound, Predefined, Request};
use weft_lower::Options;
use weft_runtime_shims::{Absent, Known, absent};

use crate::error::Message;

/// The input of the preprocessor besides the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessing {
    /// `-D` and `-U`, in their order.
    pub macros: Vec<MacroOption>,
    /// `-include`, in their order.
    pub includes: Vec<String>,
    /// The prefix map of file names in `__FILE__` and `__BASE_FILE__` (`-fmacro-prefix-map`).
    pub file_prefixes: PrefixMap,
    /// The texts of headers by name, for programs that embed the compiler.
    pub texts: BTreeMap<String, String>,
    /// Whether to search for files, too; a program that embeds the compiler may not want that.
    pub files: bool,
    /// `-I`.
    pub include_path: Vec<PathBuf>,
    /// `-isystem`.
    pub system_path: Vec<PathBuf>,
    /// The architectures that the program is compiled for, in order; empty for the current one.
    pub arch_list: Vec<u16>,
}

/// The header search of one compilation.
pub struct Loader<'o> {
    preprocessing: &'o Preprocessing,
    options: &'o Options,
    model: DataModel,
    cplusplus: Option<&'static str>,
    /// Where host code is skipped, files have precedence over what is known of a header, and known headers of the host that are found
    /// nowhere are empty.
    host_code: HostCode,
    /// The files found through `-isystem`: files next to them are system headers, too.
    system_files: BTreeSet<String>,
}

/// The embedded texts are the first entry of the search list; the directories follow.
const FIRST_DIRECTORY: usize = 1;

impl<'o> Loader<'o> {
    /// The search that the options specify.
    pub fn new(preprocessing: &'o Preprocessing, options: &'o Options, dialect: Dialect) -> Self {
        let Dialect { model, host_code, cplusplus, .. } = dialect;
        Loader { preprocessing, options, model, cplusplus, host_code, system_files: BTreeSet::new() }
    }

    /// The directories of the search list, and whether each is from `-isystem`.
    fn directories(&self) -> impl Iterator<Item = (&'o Path, bool)> + use<'o> {
        let Preprocessing { include_path, system_path, .. } = self.preprocessing;
        let user = include_path.iter().map(|path| (path.as_path(), false));
        user.chain(system_path.iter().map(|path| (path.as_path(), true)))
    }

    /// A header that is not a file.
    fn embedded(&self, name: &str) -> Option<Header> {
        if let Some(text) = self.preprocessing.texts.get(name) {
            return Some(Header {
                name: name.to_owned(),
                path: None,
                identity: format!("text {name}"),
                text: text.as_str().into(),
                is_system: false,
                next: FIRST_DIRECTORY,
            });
        }
        let text = weft_runtime_shims::header(name)?;
        Some(Header {
            name: format!("<{name}>"),
            path: None,
            // The same header under any of its names.
            identity: format!("shipped {}", weft_runtime_shims::canonical(name)),
            text: text.into(),
            is_system: true,
            next: FIRST_DIRECTORY,
        })
    }

    /// Next to the file with the directive.
    fn beside(&self, request: &Request<'_>) -> Result<Option<Header>, NotFound> {
        let folder = Path::new(request.includer).parent().unwrap_or(Path::new(""));
        let path = folder.join(request.name);
        if let Some(name) = path.to_str()
            && let Some(text) = self.preprocessing.texts.get(name)
        {
            let (name, identity, text) = (name.to_owned(), format!("text {name}"), text.as_str().into());
            return Ok(Some(Header { name, path: None, identity, text, is_system: false, next: 0 }));
        }
        if !self.preprocessing.files || is_embedded(request.includer) {
            return Ok(None);
        }
        open(&path, self.system_files.contains(request.includer), 0)
    }

    fn listed(&self, request: &Request<'_>) -> Result<Option<Header>, NotFound> {
        if !self.preprocessing.files {
            return Ok(None);
        }
        let skipped = request.from.unwrap_or(0).saturating_sub(FIRST_DIRECTORY);
        for (idx, (folder, is_system)) in self.directories().enumerate().skip(skipped) {
            if let Some(header) = open(&folder.join(request.name), is_system, idx + FIRST_DIRECTORY + 1)? {
                return Ok(Some(header));
            }
        }
        Ok(None)
    }
}

impl Loader<'_> {
    fn search(&self, request: &Request<'_>) -> Result<Header, NotFound> {
        let &Request { name, is_angled, from, .. } = request;
        if Path::new(name).is_absolute() {
            let found = if self.preprocessing.files { open(Path::new(name), false, 0)? } else { None };
            return found.ok_or_else(|| not_found::nowhere(request, self.preprocessing));
        }
        if !is_angled
            && from.is_none()
            && let Some(header) = self.beside(request)?
        {
            return Ok(header);
        }
        if from.unwrap_or(0) < FIRST_DIRECTORY
            && let Some(header) = self.embedded(name)
        {
            return Ok(header);
        }
        let known_absent = absent(name);
        if self.host_code.is_skipped() && known_absent.is_some() {
            return Ok(self.listed(request)?.unwrap_or_else(|| empty(name)));
        }
        if let Some(reason) = known_absent.filter(|reason| is_angled || *reason != Absent::HostSystem) {
            return Err(not_found::absent(name, reason));
        }
        match (self.listed(request)?, known_absent) {
            (Some(header), _) => Ok(header),
            (None, Some(reason)) => Err(not_found::absent(name, reason)),
            (None, None) => Err(not_found::nowhere(request, self.preprocessing)),
        }
    }
}

impl Headers for Loader<'_> {
    fn find(&mut self, request: &Request<'_>) -> Result<Header, NotFound> {
        let header = self.search(request)?;
        if header.is_system {
            self.system_files.insert(header.name.clone());
        }
        Ok(header)
    }

    fn predefined(&mut self, name: &str) -> Option<Predefined> {
        let known = match self.model {
            DataModel::Lp64 => weft_runtime_shims::known(name),
            DataModel::Ilp32 => weft_runtime_shims::known_in_32_bits(name),
        };
        match known {
            Some(Known::Macro(definition)) => Some(Predefined::Macro(match self.cplusplus {
                Some(number) if name == "__cplusplus" => format!("{name} {number}").into(),
                _ => definition.into(),
            })),
            Some(Known::Header(header)) => Some(Predefined::Header(header)),
            None => predefined::of_target(name, self.options, &self.preprocessing.arch_list)
                .map(Predefined::Macro),
        }
    }
}

/// Whether a name in messages is that of an embedded header.
pub(crate) fn is_embedded(name: &str) -> bool {
    let name = name.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
    name.is_some_and(|name| weft_runtime_shims::header(name).is_some())
}

/// A header of the host whose declarations only host code needs.
fn empty(name: &str) -> Header {
    Header {
        name: format!("<{name}>"),
        path: None,
        identity: format!("host header {name}"),
        text: String::new().into(),
        is_system: true,
        next: FIRST_DIRECTORY,
    }
}

/// A file as a header; `None` if there is no file, or it is a directory.
fn open(path: &Path, is_system: bool, next: usize) -> Result<Option<Header>, NotFound> {
    let Ok(data) = fs::metadata(path) else { return Ok(None) };
    let refuse = |why: &str| NotFound {
        message: Some(format!("cannot read `{}`: {why}", path.display())),
        ..NotFound::default()
    };
    // A pipe could block the compiler forever; `-include /dev/null` is a common idiom.
    let is_null = path == Path::new("/dev/null");
    match data.file_type() {
        kind if kind.is_dir() => return Ok(None),
        kind if !kind.is_file() && !is_null => return Err(refuse("it is not a regular file")),
        _ => {}
    }
    if u32::try_from(data.len()).is_err() {
        return Err(refuse("it is larger than 4 GiB"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(data.len()).unwrap_or(0));
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| NotFound {
        message: Some(Message::file("read", path, &error).text),
        ..NotFound::default()
    })?;
    Ok(Some(Header {
        name: path.display().to_string(),
        path: Some(path.to_owned()),
        identity: format!("file {}:{}", data.dev(), data.ino()),
        text: SourceText::decode(bytes),
        is_system,
        next,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(preprocessing: &Preprocessing, request: Request<'_>) -> Result<(String, bool), NotFound> {
        let header = Loader::new(preprocessing, &crate::options(), Dialect::default()).find(&request)?;
        Ok((header.name, header.is_system))
    }

    fn quoted<'a>(name: &'a str, includer: &'a str) -> Request<'a> {
        Request { name, is_angled: false, includer, from: None }
    }

    fn angled(name: &str) -> Request<'_> {
        Request { is_angled: true, ..quoted(name, "k.src") }
    }

    #[test]
    fn a_program_that_embeds_the_compiler_gives_texts() {
        let texts = [("a.h", ""), ("sub/b.h", ""), ("sub/c.h", ""), ("stdint.h", "")];
        let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let preprocessing = Preprocessing { texts, ..Preprocessing::default() };
        assert_eq!(find(&preprocessing, angled("a.h")), Ok(("a.h".to_owned(), false)));
        // Next to the including text, as among files.
        assert_eq!(find(&preprocessing, quoted("b.h", "sub/c.h")), Ok(("sub/b.h".to_owned(), false)));
        assert!(find(&preprocessing, quoted("b.h", "a.h")).is_err());
        // The program's own headers hide the embedded ones.
        assert_eq!(find(&preprocessing, angled("stdint.h")), Ok(("stdint.h".to_owned(), false)));
        assert_eq!(find(&preprocessing, angled("math.h")), Ok(("<math.h>".to_owned(), true)));
    }

    #[test]
    fn files_are_looked_for_only_if_asked() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("math.h"), "").unwrap();
        fs::write(folder.path().join("own.h"), "").unwrap();
        fs::write(folder.path().join("vector"), "").unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let include_path = vec![folder.path().to_owned()];
        let mut preprocessing = Preprocessing { include_path, files: true, ..Preprocessing::default() };
        assert_eq!(find(&preprocessing, angled("own.h")), Ok((path("own.h"), false)));
        assert_eq!(find(&preprocessing, quoted("own.h", &path("k.src"))), Ok((path("own.h"), false)));
        assert_eq!(find(&preprocessing, quoted("math.h", &path("k.src"))), Ok((path("math.h"), false)));
        assert_eq!(find(&preprocessing, quoted("math.h", "k.src")), Ok(("<math.h>".to_owned(), true)));
        assert_eq!(find(&preprocessing, angled("math.h")), Ok(("<math.h>".to_owned(), true)));
        // `#include_next` continues after the embedded headers.
        let next = Request { from: Some(FIRST_DIRECTORY), ..angled("math.h") };
        assert_eq!(find(&preprocessing, next), Ok((path("math.h"), false)));
        assert_eq!(find(&preprocessing, angled("vector")), Ok((path("vector"), false)));
        preprocessing.files = false;
        assert!(find(&preprocessing, angled("own.h")).is_err());
        assert!(find(&preprocessing, quoted("own.h", &path("k.src"))).is_err());
    }

    #[test]
    fn one_file_has_one_identity() {
        let preprocessing = Preprocessing { files: true, ..Preprocessing::default() };
        let options = crate::options();
        let mut loader = Loader::new(&preprocessing, &options, Dialect::default());
        let mut identity = |request: Request<'_>| loader.find(&request).unwrap().identity;
        assert_eq!(identity(angled("cstdint")), identity(angled("stdint.h")));
        assert_ne!(identity(angled("stddef.h")), identity(angled("stdint.h")));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.h"), "").unwrap();
        std::os::unix::fs::symlink("a.h", folder.path().join("b.h")).unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(identity(quoted(&path("a.h"), "")), identity(quoted(&path("b.h"), "")));
    }
}
