//! Rewrites nvcc's spellings to ours before clap parses the arguments.
//!
//! nvcc accepts long options with one dash or two, and a value after `=` or as the next argument. An option
//! with a counterpart is rewritten; one that requests the default is dropped; one that would change the
//! output and is not supported is rejected with a message, and never silently ignored.

use std::ffi::{OsStr, OsString};

use crate::error::Message;

/// What to do with an option of nvcc.
enum Action {
    /// Replaced by our flag.
    Flag(&'static str),
    /// Replaced by our option, with the value.
    Value(&'static str),
    /// Replaced by each of our options, with the value.
    Each(&'static [&'static str]),
    /// Replaced by our option, once for each comma-separated part of the value.
    List(&'static str),
    /// Dropped if the value is one of these, which are our behavior.
    Given(&'static [&'static str]),
    /// Warning numbers of nvcc: an option with this prefix for each number.
    Numbers(&'static str),
    /// Dropped with its value, since it is only for host code, except [options of the
    /// preprocessor](of_preprocessor).
    Host,
    /// Options of nvcc's frontend, of which only those for warnings matter.
    Frontend,
    /// Rejected, with advice.
    Refused(&'static str),
}

/// nvcc's option names without dashes, and their actions.
const SPELLINGS: &[(&str, Action)] = &[
    ("arch", Action::Value("--arch")),
    ("gpu-architecture", Action::Value("--arch")),
    ("gencode", Action::Value("--generate-code")),
    ("generate-code", Action::Value("--generate-code")),
    ("code", Action::Value("--gpu-code")),
    ("gpu-code", Action::Value("--gpu-code")),
    ("arch-ls", Action::Flag("--list-gpu-arch")),
    ("code-ls", Action::Flag("--list-gpu-code")),
    ("list-gpu-arch", Action::Flag("--list-gpu-arch")),
    ("list-gpu-code", Action::Flag("--list-gpu-code")),
    ("res-usage", Action::Flag("--resource-usage")),
    ("resource-usage", Action::Flag("--resource-usage")),
    ("rdc", Action::Value("--relocatable-device-code")),
    ("relocatable-device-code", Action::Value("--relocatable-device-code")),
    ("fsyntax-only", Action::Flag("--syntax-only")),
    ("default-device", Action::Flag("--device-as-default-execution-space")),
    ("expt-relaxed-constexpr", Action::Flag("--expt-relaxed-constexpr")),
    ("expt-extended-lambda", Action::Flag("")),
    ("extended-lambda", Action::Flag("")),
    ("dc", Action::Flag("--device-c")),
    ("device-c", Action::Flag("--device-c")),
    ("ptx", Action::Flag("--ptx")),
    ("cubin", Action::Flag("--cubin")),
    ("compile", Action::Flag("-c")),
    ("output-file", Action::Value("-o")),
    ("lineinfo", Action::Flag("--line-info")),
    ("generate-line-info", Action::Flag("--line-info")),
    ("fdebug-prefix-map", Action::Value("--debug-prefix-map")),
    ("fmacro-prefix-map", Action::Value("--macro-prefix-map")),
    ("ffile-prefix-map", Action::Each(&["--debug-prefix-map", "--macro-prefix-map"])),
    ("fdebug-compilation-dir", Action::Value("--debug-compilation-dir")),
    ("ffile-compilation-dir", Action::Value("--debug-compilation-dir")),
    ("optimize", Action::Value("-O")),
    ("Xptxas", Action::List("--ptxas-option")),
    ("ptxas-options", Action::List("--ptxas-option")),
    ("maxrregcount", Action::List("--ptxas-option=-maxrregcount")),
    ("fmad", Action::Value("--fmad")),
    ("std", Action::Given(&["c++11", "c++14", "c++17"])),
    ("ftz", Action::Value("--ftz")),
    ("prec-div", Action::Value("--prec-div")),
    ("prec-sqrt", Action::Value("--prec-sqrt")),
    ("m", Action::Value("--machine")),
    ("use_fast_math", Action::Flag("--use-fast-math")),
    ("G", Action::Flag("--device-debug")),
    // nvcc's `--debug` is for host code, which weftc does not compile: the user wants debug information.
    ("debug", Action::Flag("--device-debug")),
    ("dopt", Action::Value("--dopt")),
    ("I", Action::List("--include-path")),
    ("include-path", Action::List("--include-path")),
    ("isystem", Action::List("--system-include")),
    ("system-include", Action::List("--system-include")),
    ("D", Action::List("--define-macro")),
    ("define-macro", Action::List("--define-macro")),
    ("U", Action::List("--undefine-macro")),
    ("undefine-macro", Action::List("--undefine-macro")),
    ("include", Action::List("--pre-include")),
    ("pre-include", Action::List("--pre-include")),
    ("E", Action::Flag("--preprocess")),
    ("M", Action::Flag("--generate-dependencies")),
    ("MM", Action::Flag("--generate-nonsystem-dependencies")),
    ("MT", Action::Value("--dependency-target-name")),
    ("MQ", Action::Value("--dependency-target-name")),
    ("MP", Action::Flag("--generate-dependency-targets")),
    ("dlink", Action::Flag("--device-link")),
    ("device-link", Action::Flag("--device-link")),
    ("lib", Action::Flag("--lib")),
    ("dlto", Action::Refused("link without it: `-dlink`; each object is optimized by itself")),
    ("fatbin", Action::Flag("--fatbin")),
    ("diag-suppress", Action::Numbers("-Wno-nvcc-")),
    ("diag-warn", Action::Numbers("-Wnvcc-")),
    ("diag-error", Action::Numbers("-Werror=nvcc-")),
    ("display-error-number", Action::Flag("")),
    ("Xcudafe", Action::Frontend),
    ("Xcompiler", Action::Host),
    ("compiler-options", Action::Host),
    ("ccbin", Action::Value("--host-compiler")),
    ("compiler-bindir", Action::Value("--host-compiler")),
    ("keep", Action::Flag("--save-temps")),
    ("save-temps", Action::Flag("--save-temps")),
    ("MD", Action::Flag("--generate-dependencies-with-compile")),
    ("MMD", Action::Flag("--generate-nonsystem-dependencies-with-compile")),
    ("MF", Action::Value("--dependency-output")),
    ("disable-warnings", Action::Flag("-w")),
    ("fdiagnostics-color", Action::Value("--color")),
    ("print-prog-name", Action::Value("--print-prog-name")),
];

/// nvcc's option names without dashes, each with its replacement.
pub fn names() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    SPELLINGS.iter().map(|(name, action)| match action {
        Action::Flag(ours) | Action::Value(ours) | Action::List(ours) => (*name, Some(*ours)),
        Action::Each(ours) => (*name, ours.first().copied()),
        Action::Given(_) | Action::Numbers(_) | Action::Host | Action::Frontend | Action::Refused(_) => {
            (*name, None)
        }
    })
}

/// Rewrites nvcc's spellings; other arguments remain unchanged.
///
/// # Errors
///
/// If an option is rejected, or lacks its value.
pub fn rewrite(args: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, Message> {
    let mut args = args.into_iter().peekable();
    let mut out: Vec<OsString> = args.next().into_iter().collect();
    let mut host: Vec<String> = Vec::new();
    while let Some(arg) = args.next() {
        if arg == "--" {
            out.push(arg);
            break;
        }
        // The next argument is its value, even if it looks like an option.
        if arg == "-o" {
            out.push(arg);
            out.extend(args.next());
            continue;
        }
        let Some(text) = arg.to_str().filter(|text| text.starts_with('-') && text.len() > 1) else {
            out.push(arg);
            continue;
        };
        // nvcc's own `-Werror` takes kinds of warnings as the next argument; that of host compilers takes no
        // argument.
        if let Some(kinds) = text.trim_start_matches('-').strip_prefix("Werror") {
            let kinds = kinds.strip_prefix('=').map(str::to_owned);
            let kinds = match kinds {
                None if args.peek().and_then(|next| next.to_str()).is_some_and(are_kinds) => args.next(),
                Some(kinds) if are_kinds(&kinds) => Some(kinds.into()),
                Some(_) | None => None,
            };
            match kinds {
                Some(kinds) => out.extend(kinds.to_str().into_iter().flat_map(error_options)),
                None => out.push(format!("-{}", text.trim_start_matches('-')).into()),
            }
            continue;
        }
        let (name, value) = split(text);
        let Some((_, action)) = SPELLINGS.iter().find(|(known, _)| *known == name) else {
            out.push(arg);
            continue;
        };
        let mut value = || match value {
            Some(value) => Ok(OsString::from(value)),
            None => args.next().ok_or_else(|| Message::new(format!("`{text}` requires a value"))),
        };
        match action {
            Action::Flag("") => {}
            Action::Flag(ours) => out.push(ours.into()),
            Action::Value(ours) => out.push(joined(ours, &value()?)),
            Action::Each(each) => {
                let value = value()?;
                out.extend(each.iter().map(|ours| joined(ours, &value)));
            }
            Action::List(ours) => {
                let value = value()?;
                // A path that is not UTF-8 is not split.
                let list = value.to_str().map_or(vec![value.as_os_str()], |text| {
                    parts(text).into_iter().map(OsStr::new).collect()
                });
                out.extend(list.into_iter().map(|part| joined(ours, part)));
            }
            Action::Given(values) => {
                let value = value()?;
                if !values.iter().any(|&known| value == known) {
                    let is_inside = value.to_str().is_some_and(|value| text.ends_with(value));
                    let shown =
                        if is_inside { text.to_owned() } else { format!("{text} {}", value.display()) };
                    return Err(Message::new(format!("`{shown}` is not supported"))
                        .help(format!("supported values: {}", values.join(", "))));
                }
            }
            Action::Numbers(prefix) => {
                let value = value()?;
                out.extend(numbered(prefix, &value.to_string_lossy()));
            }
            Action::Frontend => {
                let value = value()?;
                let value = value.to_string_lossy();
                for option in value.split([',', ' ']) {
                    let (name, number) = option.trim_start_matches('-').split_once('=').unwrap_or_default();
                    let prefix = match name {
                        "diag_suppress" => "-Wno-nvcc-",
                        "diag_warning" => "-Wnvcc-",
                        "diag_error" => "-Werror=nvcc-",
                        _ => continue,
                    };
                    out.extend(numbered(prefix, number));
                }
            }
            Action::Host => {
                let value = value()?;
                host.extend(parts(value.to_str().unwrap_or_default()).into_iter().map(str::to_owned));
            }
            Action::Refused(advice) => {
                return Err(Message::new(format!("`{text}` is not supported")).help(*advice));
            }
        }
    }
    // They come before nvcc's own options.
    out.splice(1.min(out.len())..1.min(out.len()), of_preprocessor(host));
    out.extend(args);
    Ok(out)
}

/// The options for the host compiler that change device code, since nvcc uses its preprocessor: macros,
/// headers, `__FILE__`.
fn of_preprocessor(options: Vec<String>) -> Vec<OsString> {
    const NAMES: [(&str, &str); 7] = [
        ("-D", "--define-macro"),
        ("-U", "--undefine-macro"),
        ("-isystem", "--system-include"),
        ("-include", "--pre-include"),
        ("-I", "--include-path"),
        ("-fmacro-prefix-map=", "--macro-prefix-map"),
        ("-ffile-prefix-map=", "--macro-prefix-map"),
    ];
    let mut ours = Vec::new();
    let mut options = options.into_iter();
    while let Some(option) = options.next() {
        let known = NAMES.iter().find_map(|(name, ours)| Some((*ours, option.strip_prefix(name)?)));
        let Some((name, value)) = known else { continue };
        let value = if value.is_empty() { options.next().unwrap_or_default() } else { value.to_owned() };
        ours.push(joined(name, OsStr::new(&value)));
    }
    ours
}

/// An option for each number in a list.
fn numbered(prefix: &'static str, list: &str) -> Vec<OsString> {
    list.split(',').map(|number| format!("{prefix}{}", number.trim()).into()).collect()
}

/// The kinds that nvcc's `-Werror` accepts.
const WARNING_KINDS: &[&str] = &[
    "all-warnings",
    "cross-execution-space-call",
    "reorder",
    "default-stream-launch",
    "missing-launch-bounds",
    "ext-lambda-captures-this",
    "deprecated-declarations",
];

fn are_kinds(word: &str) -> bool {
    word.split(',').all(|kind| WARNING_KINDS.contains(&kind))
}

fn error_options(kinds: &str) -> impl Iterator<Item = OsString> {
    kinds.split(',').filter_map(|kind| match kind {
        "all-warnings" => Some("-Werror".into()),
        "deprecated-declarations" => Some("-Werror=deprecated-declarations".into()),
        _ => None,
    })
}

/// The name and, if it is in the same argument, the value.
fn split(text: &str) -> (&str, Option<&str>) {
    let name = text.trim_start_matches('-');
    if let Some(value) = name.strip_prefix("m").filter(|value| matches!(*value, "32" | "64")) {
        return ("m", Some(value));
    }
    // The letters that take a value without a separator: `-Iinclude`, `-DN=4`.
    let is_letter = !text.starts_with("--") && name.starts_with(['I', 'D', 'U']);
    if is_letter && name.len() > 1 {
        return (&name[..1], Some(&name[1..]));
    }
    name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)))
}

/// The comma-separated parts, except for commas in brackets and quotes: `-D 'MAX(a,b)=…'` is one.
pub(super) fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_u32, None);
    for (at, c) in list.char_indices() {
        match c {
            '"' | '\'' if quote.is_none() => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// `--option=value`, or `-ovalue`.
fn joined(option: &str, value: &OsStr) -> OsString {
    let mut joined = OsString::from(option);
    if option.starts_with("--") || option.len() > 2 {
        joined.push("=");
    }
    joined.push(value);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(line: &str) -> String {
        let args = line.split(' ').map(OsString::from);
        let out = rewrite(args).expect("a line that is taken");
        out.iter().map(|arg| arg.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    fn refused(line: &str) -> String {
        rewrite(line.split(' ').map(OsString::from)).expect_err("a line that is refused").to_string()
    }

    #[test]
    fn accepts_a_build_line_of_nvcc() {
        let ours = rewritten("weftc -arch=sm_90 -rdc true -dc -lineinfo -O3 -std=c++17 -m64 a.src -o a.o");
        let same = "weftc --arch=sm_90 --relocatable-device-code=true --device-c --line-info -O3 --machine=64 a.src -o a.o";
        assert_eq!(ours, same);
        assert_eq!(rewritten("weftc -arch sm_80 --ptx a.src"), "weftc --arch=sm_80 --ptx a.src");
        let ptxas = rewritten("weftc -Xptxas -v,-warn-spills --ptxas-options=-O1 -maxrregcount 32 a.src");
        let same = "weftc --ptxas-option=-v --ptxas-option=-warn-spills --ptxas-option=-O1 \
                    --ptxas-option=-maxrregcount=32 a.src";
        assert_eq!(ptxas, same);
        let werror =
            rewritten("weftc --Werror all-warnings -Werror reorder -Werror=shift-count -Werror a.src");
        assert_eq!(werror, "weftc -Werror -Werror=shift-count -Werror a.src");
        let numbers =
            rewritten("weftc -diag-suppress 177,550 --diag-error=20 -Xcudafe --diag_suppress=68 a.src");
        assert_eq!(
            rewritten("weftc -m32 -m64 -m 32 --machine=64 a.src"),
            "weftc --machine=32 --machine=64 --machine=32 --machine=64 a.src"
        );
        assert_eq!(numbers, "weftc -Wno-nvcc-177 -Wno-nvcc-550 -Werror=nvcc-20 -Wno-nvcc-68 a.src");
        assert_eq!(
            rewritten("weftc -fdebug-prefix-map=a=b,c -ffile-prefix-map==d -fdebug-compilation-dir e a.src"),
            "weftc --debug-prefix-map=a=b,c --debug-prefix-map==d --macro-prefix-map==d --debug-compilation-dir=e a.src"
        );
        assert_eq!(
            rewritten(
                "weftc -DN=1 -Xcompiler -fPIC,-ffile-prefix-map=a=b,-DM -Xcompiler -isystem -Xcompiler s a.src"
            ),
            "weftc --macro-prefix-map=a=b --define-macro=M --system-include=s --define-macro=N=1 a.src"
        );
        assert_eq!(rewritten("weftc -Xcompiler -fdebug-prefix-map=a=b,-O2,-g,-Wall a.src"), "weftc a.src");
        assert_eq!(rewritten("weftc -Xcompiler -fPIC -keep -O 2 a.src"), "weftc --save-temps -O 2 a.src");
        let ours = rewritten(
            "weftc -gencode arch=compute_90,code=[sm_90,compute_90] -code sm_80 -res-usage -fatbin a.src",
        );
        let same = "weftc --generate-code=arch=compute_90,code=[sm_90,compute_90] --gpu-code=sm_80 \
                    --resource-usage --fatbin a.src";
        assert_eq!(ours, same);
    }

    #[test]
    fn accepts_every_spelling_of_preprocessor_options() {
        for line in ["weftc -I a,b a.src", "weftc -Ia -Ib a.src", "weftc --include-path=a,b a.src"] {
            assert_eq!(rewritten(line), "weftc --include-path=a --include-path=b a.src", "{line}");
        }
        let ours = rewritten("weftc -DN=4 -D M,K=a=b -UN -isystem s -include x.h -E -P a.src");
        let same = "weftc --define-macro=N=4 --define-macro=M --define-macro=K=a=b --undefine-macro=N \
                    --system-include=s --pre-include=x.h --preprocess -P a.src";
        assert_eq!(ours, same);
        assert_eq!(parts("MAX(a,b)=\"x,y\",N=','"), ["MAX(a,b)=\"x,y\"", "N=','"]);
        assert_eq!(
            rewritten("weftc -MM -MF a.d -MT t a.src"),
            "weftc --generate-nonsystem-dependencies \
            --dependency-output=a.d --dependency-target-name=t a.src"
        );
    }

    #[test]
    fn keeps_values_and_words_after_a_double_dash() {
        assert_eq!(rewritten("weftc -o -ptx a.src"), "weftc -o -ptx a.src");
        assert_eq!(rewritten("weftc -- -ptx"), "weftc -- -ptx");
        assert_eq!(rewritten("weftc -"), "weftc -");
        assert_eq!(rewritten("weftc --emit=ir a.src"), "weftc --emit=ir a.src");
    }

    #[test]
    fn rejects_options_that_would_change_the_meaning() {
        assert!(refused("weftc -std c++20 a.src").contains("supported values: c++11, c++14, c++17"));
        assert!(refused("weftc a.src -arch").contains("requires a value"));
    }
}
