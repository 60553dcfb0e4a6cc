//! The table of nvcc's options (`driver/src/args/nvcc/table.rs`), compared with nvcc: its list, what becomes of each option, repeated
//! options, and the words of option files and environment variables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use weft_driver::args::generate;
use weft_driver::args::nvcc::rewrite;
use weft_driver::args::nvcc::table::{Arity, Does, NVCC, Program, Row, Takes};
use weft_driver::args::parse::{Parsed, Request, parse};
use weft_tests::Failure;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Answer, Tool, run};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    suite.add("nvcc_options/list".into(), &[Tool::Nvcc], list);
    suite.add("nvcc_options/spellings".into(), &[], |_| spellings());
    let needs = [Tool::Nvcc, Tool::Ptxas];
    suite.add("nvcc_options/implemented".into(), &needs, |bench| {
        each(
            bench,
            |row| matches!(row.does, Does::Ours(_) | Does::Values(..) | Does::Read(_)),
            Expected::Silence,
        )
    });
    suite.add("nvcc_options/passed on".into(), &needs, |bench| {
        each(bench, |row| matches!(row.does, Does::Passed(..)), Expected::Silence)
    });
    suite.add("nvcc_options/no effect".into(), &needs, |bench| {
        each(bench, |row| matches!(row.does, Does::Silent(_)), Expected::Silence)
    });
    suite.add("nvcc_options/no effect, warning".into(), &needs, |bench| {
        each(bench, |row| matches!(row.does, Does::Warned(_)), Expected::Warning)
    });
    suite.add("nvcc_options/refused".into(), &[], |bench| {
        each(bench, |row| matches!(row.does, Does::Refused(..)), Expected::Error)
    });
    suite.add("nvcc_options/repeated and wrong".into(), &needs, repeated);
    suite.add("nvcc_options/wrong values".into(), &[Tool::Nvcc], wrong_values);
    suite.add("nvcc_options/files and variables".into(), &[Tool::Nvcc], words);
    suite.add("nvcc_options/standards".into(), &[Tool::Nvcc], standards);
    suite.add("nvcc_options/rejected by programs".into(), &[Tool::Nvcc, Tool::Ptxas, Tool::Nvlink], rejected);
    Ok(())
}

/// nvcc's list has the options of the table, in its order, with their short names and arity.
fn list(bench: &Bench) -> Result<(), Failure> {
    let help = run(bench.tools.tool(Tool::Nvcc)?.arg("--help"))?.success()?.stdout;
    let theirs: Vec<String> =
        help.lines().filter(|line| line.starts_with("--")).map(str::trim).map(their_option).collect();
    let ours: Vec<String> = NVCC.iter().map(our_option).collect();
    if theirs.len() < 100 {
        return Err(format!("nvcc lists {} options", theirs.len()));
    }
    match theirs.iter().zip(&ours).find(|(theirs, ours)| theirs != ours) {
        Some((theirs, ours)) => Err(format!("nvcc has `{theirs}`, and the table `{ours}`")),
        None if theirs.len() == ours.len() => Ok(()),
        None => Err(format!("nvcc has {} options, and the table {}", theirs.len(), ours.len())),
    }
}

/// `--include-path <path>,...     (-I)` as `include-path I LIST`
fn their_option(line: &str) -> String {
    let (option, short) = line.rsplit_once(['(', ' ']).unwrap_or((line, ""));
    let short = short.trim_end_matches(')').trim_start_matches('-');
    let (long, value) = option.trim().split_once(' ').unwrap_or((option.trim(), ""));
    let long = long.trim_start_matches('-');
    // The help omits the values of these.
    let has_value = !value.is_empty() || matches!(long, "dependency-output" | "qpp-config");
    let arity = match (has_value, value.ends_with(",...")) {
        (false, _) => "FLAG",
        (true, false) => "VALUE",
        (true, true) => "LIST",
    };
    format!("{long} {} {arity}", if short == long { long } else { short })
}

fn our_option(row: &Row) -> String {
    let arity = match row.arity {
        Arity::Flag => "FLAG",
        Arity::Value => "VALUE",
        Arity::List | Arity::Each => "LIST",
    };
    format!("{} {} {arity}", row.long, if row.short.is_empty() { row.long } else { row.short })
}

/// A value that nvcc takes.
fn sample(row: &Row) -> &'static str {
    match row.long {
        "gpu-architecture" => "compute_75",
        "gpu-code" => "sm_75",
        "generate-code" => "arch=compute_75,code=sm_75",
        "std" => "c++20",
        "x" => "cu",
        "machine" => "64",
        "dopt" => "on",
        "Ofast-compile" => "max",
        "optimization-info" => "inline",
        "tile-preview" => "simt",
        "stdlib" => "libstdc++",
        "host-linker-script" => "use-lcs",
        "Werror" => "reorder",
        "fdevice-sanitize" => "memcheck",
        "compress-mode" => "size",
        "default-stream" => "per-thread",
        "cudart" | "cudadevrt" => "none",
        "entries" => "_Z1kPi",
        "define-macro" | "undefine-macro" => "N",
        "compiler-bindir" => "gcc",
        "pre-include" => "before.h",
        "options-file" => "options",
        "ptxas-options" | "nvlink-options" => "-v",
        "fatbin-options" => "-compress-all",
        "compiler-options" => "-O1",
        "output-directory" | "keep-dir" => "folder",
        "relocatable-device-code"
        | "ftz"
        | "prec-div"
        | "prec-sqrt"
        | "fmad"
        | "brief-diagnostics"
        | "device-stack-protector"
        | "static-global-template-stub"
        | "device-entity-has-hidden-visibility" => "true",
        "output-file" => "out.o",
        _ => "4",
    }
}

/// The option with its value, in all of nvcc's spellings.
fn spelled(row: &Row, value: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for name in row.spellings() {
        if row.arity == Arity::Flag {
            all.push(vec![name]);
            continue;
        }
        all.push(vec![format!("{name}={value}")]);
        if row.is_attachable() && !name.starts_with("--") {
            all.push(vec![format!("{name}{value}")]);
        }
        all.push(vec![name, value.to_owned()]);
    }
    all
}

fn rewritten(line: &[String]) -> Result<Vec<String>, String> {
    let args = line.iter().map(Into::into);
    let rewritten = rewrite(args, &generate::command(""), "").map_err(|message| message.to_string())?;
    Ok(rewritten.words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect())
}

/// All spellings of an option are the same, and the last one of an option with one value counts.
fn spellings() -> Result<(), Failure> {
    let is_read = |row: &&Row| {
        !matches!(row.does, Does::Refused(..)) && !matches!(row.long, "options-file" | "help" | "version")
    };
    for row in NVCC.iter().filter(is_read) {
        let value = sample(row);
        let all = spelled(row, value);
        let first = rewritten(&all[0])?;
        for other in &all[1..] {
            let words = rewritten(other)?;
            if words != first {
                return Err(format!("{other:?} is {words:?}, and {:?} is {first:?}", all[0]));
            }
        }
        let other = match row.takes {
            Takes::Any => "other",
            Takes::Number => "7",
            Takes::OneOf(values) => values[0],
        };
        if row.arity == Arity::Value && !matches!(row.does, Does::Values(..)) {
            let twice = rewritten(&[&spelled(row, other)[0][..], &all[0]].concat())?;
            if twice != first {
                return Err(format!("the last {} does not count: {twice:?}", all[0][0]));
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Silence,
    Warning,
    Error,
}

/// Runs weftc with the options, each in one of its spellings, as many at once as go together, and asks nvcc whether it takes them.
fn each(bench: &Bench, is_wanted: impl Fn(&Row) -> bool, expected: Expected) -> Result<(), Failure> {
    let work = folder()?;
    line(bench, work.path(), &["-dc", "-arch=sm_75", "a.cu", "-o", "a.o"])?.success()?;
    let mut lines: BTreeMap<Vec<&str>, (Vec<String>, Vec<&Row>)> = BTreeMap::new();
    for (idx, row) in NVCC.iter().enumerate().filter(|(_, row)| is_wanted(row)) {
        let company = company(row);
        let is_alone = expected == Expected::Error || company == ["a.cu"];
        let key = if is_alone { [company, &[row.long]].concat() } else { company.to_vec() };
        let all = spelled(row, sample(row));
        let (args, rows) = lines
            .entry(key)
            .or_insert_with(|| (company.iter().map(ToString::to_string).collect(), Vec::new()));
        args.extend(all[idx % all.len()].iter().cloned());
        rows.push(row);
    }
    for (args, rows) in lines.values() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ours = line(bench, work.path(), &args)?;
        if expected != Expected::Error {
            run(bench.tools.tool(Tool::Nvcc)?.current_dir(work.path()).arg("-dryrun").args(&args))?
                .success()?;
        }
        let has_warning = ours.stderr.contains("warning[-Wunused-command-line-argument]");
        let is_right = rows.iter().all(|row| match (expected, &row.does) {
            (Expected::Error, Does::Refused(why, instead)) => {
                ours.status == Some(1) && ours.stderr.contains(why) && ours.stderr.contains(instead)
            }
            (Expected::Warning, Does::Warned(why)) => {
                ours.status == Some(0) && has_warning && ours.stderr.contains(why)
            }
            _ => ours.status == Some(0) && !has_warning,
        });
        if !is_right {
            return Err(ours.report(&format!("{args:?}")));
        }
    }
    if lines.is_empty() { Err("no options".to_owned()) } else { Ok(()) }
}

/// The other arguments of a line with an option.
fn company(row: &Row) -> &'static [&'static str] {
    match row.long {
        "cubin"
        | "fatbin"
        | "ptx"
        | "preprocess"
        | "lib"
        | "compile"
        | "device-c"
        | "device-w"
        | "generate-dependencies"
        | "generate-nonsystem-dependencies"
        | "help"
        | "version"
        | "list-gpu-code"
        | "list-gpu-arch" => &["a.cu"],
        "output-file" | "options-file" => &["-c", "a.cu"],
        "dependency-output" => &["-MD", "-ptx", "a.cu"],
        "device-link" => &["a.o"],
        "gpu-code" => &["-arch=compute_75", "-cubin", "a.cu"],
        "keep-dir" => &["-keep", "-cubin", "a.cu"],
        "resource-usage" | "generate-code" => &["-cubin", "a.cu"],
        // nvcc does not take these with others of their kind.
        "no-compress" => &["-fatbin", "a.cu"],
        "use-local-env" | "no-display-error-number" => &["-c", "a.cu"],
        _ => match row.does {
            Does::Passed(Program::Nvlink, _) => &["-dlink", "a.o"],
            Does::Passed(Program::Ptxas, _) => &["-cubin", "a.cu"],
            Does::Passed(..) => &["-c", "a.cu"],
            _ => &["-ptx", "a.cu"],
        },
    }
}

/// Both compilers take the line or refuse it, and warn of overridden values or do not.
fn repeated(bench: &Bench) -> Result<(), Failure> {
    let work = folder()?;
    for options in LINES.lines() {
        let mut args: Vec<&str> = options.split(' ').collect();
        args.extend(["-c", "a.cu", "-dryrun"]);
        let theirs = run(bench.tools.tool(Tool::Nvcc)?.current_dir(work.path()).args(&args))?;
        let ours = line(bench, work.path(), &args)?;
        let is_same = (ours.status == Some(0)) == (theirs.status == Some(0));
        let redefines = theirs.stderr.contains("incompatible redefinition");
        if !is_same || redefines != ours.stderr.contains("overrides it") {
            return Err(ours.report(&format!("{args:?}\n{}", theirs.report("nvcc says otherwise"))));
        }
    }
    Ok(())
}

/// A wrong value is refused where nvcc refuses it.
fn wrong_values(bench: &Bench) -> Result<(), Failure> {
    let work = folder()?;
    let (mut n_taken, mut n_refused) = (0, 0);
    // `-Werror=NAME` is also an option of host compilers; the host compiler is searched for when it is run.
    let is_wanted = |row: &&Row| {
        !matches!(row.does, Does::Refused(..))
            && row.arity != Arity::Flag
            && !matches!(row.long, "Werror" | "compiler-bindir")
    };
    for row in NVCC.iter().filter(is_wanted) {
        let option = format!("--{}=wrong", row.long);
        let args = ["-c", "-w", "-MD", "a.cu", &option];
        let theirs = run(bench.tools.tool(Tool::Nvcc)?.current_dir(work.path()).arg("-dryrun").args(args))?;
        let ours = match parse(std::iter::once("weftc").chain(args).map(Into::into)) {
            Ok(Parsed { request: Request::Compile(args), .. }) => {
                args.session().map_err(|error| error.to_string())
            }
            Ok(_) => return Err(format!("{option}: another command")),
            Err(error) => Err(format!("{error:?}")),
        };
        match (&ours, theirs.status == Some(0)) {
            (Ok(_), true) => n_taken += 1,
            (Err(_), false) => n_refused += 1,
            _ => return Err(theirs.report(&format!("{option}: weftc: {:?}", ours.err()))),
        }
    }
    if n_taken > 20 && n_refused > 20 { Ok(()) } else { Err(format!("{n_taken} taken, {n_refused} refused")) }
}

const LINES: &str = "\
-g -G
-O3 -O2
-O3 -O=3
-O4
-Ofast
-O
-arch=sm_80 -arch=sm_90
-arch sm_80 -arch=sm_80
-std=c++17 -std=c++14
-std=gnu++17
-std=c++03
-rdc=true -rdc=false
-dc -rdc=false
-ftz
-t 4 -t 2
-t4
-cudart=static -cudart shared
-ccbin g++ -ccbin gcc
-x cu -x=cu
-lineinfo=true
-MD -MT x -MT y
-MD -MF x.d -MF y.d
-default-stream legacy -default-stream per-thread
-code=sm_90 -code=sm_80 -arch=compute_80
-fmax-errors=0
-frandom-seed=1 -frandom-seed=2
-Xptxas -v -Xptxas -O1
-Ix -I y -I=z -Dx -D y -D=z -Ux -U y -U=z
-Werror all-warnings -O3 -O2
-frobnicate
--frobnicate
-forward-unknown-to-host-compiler -frobnicate=1
-forward-unknown-to-host-compiler -frobnicate x
-forward-unknown-to-host-linker -frobnicate
-Xcompiler
@options
-optf options
-optf missing
-optf loop";

/// The macros of files and variables are those that nvcc passes to the preprocessor.
fn words(bench: &Bench) -> Result<(), Failure> {
    let work = folder()?;
    let texts = [
        "-DA=\"b c\" -DB=d",
        "-DA='x'",
        "-DA=a\"b c\"d",
        "-DA=q\\nr -DB='x'",
        "-DA=$HOME\t-DB=1",
        "-DA=1,B=2 -D B=3",
        "-O1 -DA=3 -O2",
    ];
    let mut n_compared = 0;
    for text in texts {
        fs::write(work.path().join("words"), format!("{text}\n")).map_err(|error| error.to_string())?;
        for (args, variable) in [(&["-optf", "words"][..], ""), (&[], text)] {
            let asked = |mut command: Command, more: &[&str]| {
                command.current_dir(work.path()).env("NVCC_APPEND_FLAGS", variable);
                run(command.args(more).args(args).arg("macros.cu"))
            };
            let theirs = asked(bench.tools.tool(Tool::Nvcc)?, &["-dryrun", "-ptx"])?.success()?.stderr;
            let ours = asked(bench.tools.weftc(), &["-E", "-P"])?.success()?.stdout;
            // The last line is a hash of the options.
            let tokens = ours.lines().filter(|line| !line.starts_with("//"));
            let found: Vec<&str> = tokens.flat_map(str::split_whitespace).collect();
            let found = found.join(" ");
            let wanted = [macro_of(&theirs, "A"), macro_of(&theirs, "B")].join(" ; ");
            if found != wanted.trim() {
                return Err(format!("{text:?} {args:?}: nvcc has `{wanted}`, and weftc `{found}`"));
            }
            n_compared += 1;
        }
    }
    if n_compared == 2 * texts.len() { Ok(()) } else { Err(format!("{n_compared} compared")) }
}

/// The value of `-D "NAME=VALUE"`, the last one, which nvcc escapes for a shell; the name if there is none.
fn macro_of(shown: &str, name: &str) -> String {
    let Some((_, rest)) = shown.rsplit_once(&format!("-D \"{name}=")) else { return name.to_owned() };
    let mut value = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            // Only a quote is escaped.
            '\\' if chars.clone().next() == Some('"') => value.extend(chars.next()),
            _ => value.push(c),
        }
    }
    value
}

/// `__cplusplus` and the macros of other options are nvcc's.
fn standards(bench: &Bench) -> Result<(), Failure> {
    let work = folder()?;
    for options in [
        "-std=c++03",
        "-std=c++11",
        "-std=c++14",
        "--std=c++20",
        "--expt-relaxed-constexpr --extended-lambda -default-stream=per-thread -rdc=true",
    ] {
        let asked = |mut command: Command, more: &[&str]| {
            run(command.current_dir(work.path()).args(options.split(' ')).args(more))
        };
        let theirs = asked(bench.tools.tool(Tool::Nvcc)?, &["-E", "standard.cu"])?.success()?.stdout;
        let theirs = theirs.lines().rfind(|line| line.contains(" k(long")).unwrap_or_default();
        let more: &[&str] = if options.contains("rdc") { &[] } else { &["-rdc=false"] };
        let ours =
            asked(bench.tools.weftc(), &[more, &["-E", "-P", "standard.cu"]].concat())?.success()?.stdout;
        let tokens = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let theirs = theirs
            .replace("__attribute__((global))", "__global__")
            .replace("__location__(global)", "__global__");
        if !tokens(&ours).contains("long") || tokens(&ours) != tokens(&theirs) {
            return Err(format!("{options}: nvcc has `{theirs}`, and weftc `{ours}`"));
        }
    }
    Ok(())
}

/// Options that a program does not know are errors, in every mode in which they are in nvcc.
fn rejected(bench: &Bench) -> Result<(), Failure> {
    let work = folder()?;
    line(bench, work.path(), &["-dc", "a.cu", "-o", "a.o"])?.success()?;
    line(bench, work.path(), &["-ptx", "a.cu"])?.success()?;
    for (options, words) in [
        ("-c a.cu -Xcompiler -fnonsense", "-Xcompiler"),
        ("-dc a.cu -Xcompiler -fnonsense", "-Xcompiler"),
        ("-ptx a.cu -Xcompiler -O1,-fnonsense", "-Xcompiler"),
        ("-cubin a.cu -Xcompiler -fnonsense", "-Xcompiler"),
        ("-E a.cu -Xcompiler=-fnonsense", "-Xcompiler"),
        ("-c a.cu -forward-unknown-to-host-compiler -fnonsense", "-Xcompiler"),
        ("-cubin a.ptx -Xptxas --nonsense", "-Xptxas"),
        ("-fatbin a.ptx -Xfatbin --nonsense", "-Xfatbin"),
        ("-dlink a.o -Xnvlink --nonsense", "-Xnvlink"),
    ] {
        let args: Vec<&str> = options.split(' ').collect();
        let theirs = run(bench.tools.tool(Tool::Nvcc)?.current_dir(work.path()).args(&args))?;
        let ours = line(bench, work.path(), &args)?;
        if theirs.status == Some(0) || ours.status != Some(1) || !ours.stderr.contains(words) {
            return Err(ours.report(&format!("{options}\n{}", theirs.report("nvcc"))));
        }
    }
    Ok(())
}

fn line(bench: &Bench, work: &Path, args: &[&str]) -> Result<Answer, Failure> {
    run(bench.tools.weftc().current_dir(work).args(args))
}

/// A folder with the files that the lines name.
fn folder() -> Result<TempDir, Failure> {
    let work = tempfile::tempdir().map_err(|error| error.to_string())?;
    let files = [
        ("a.cu", "__global__ void k(int *p) { *p = 1; }\n"),
        ("before.h", ""),
        ("options", "-DN=1\n"),
        ("loop", "-optf loop\n"),
        ("macros.cu", "A ; B\n"),
        (
            "standard.cu",
            "#ifndef __CUDACC_RELAXED_CONSTEXPR__\n#define __CUDACC_RELAXED_CONSTEXPR__ 0\n#endif\n\
             #ifndef __CUDACC_EXTENDED_LAMBDA__\n#define __CUDACC_EXTENDED_LAMBDA__ 0\n#endif\n\
             #ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM\n#define CUDA_API_PER_THREAD_DEFAULT_STREAM 0\n#endif\n\
             #ifndef __CUDACC_RDC__\n#define __CUDACC_RDC__ 0\n#endif\n\
             __global__ void k(long *p) { p[0] = __cplusplus; p[1] = __CUDACC_RELAXED_CONSTEXPR__; p[2] = \
             __CUDACC_EXTENDED_LAMBDA__; p[3] = CUDA_API_PER_THREAD_DEFAULT_STREAM; p[4] = __CUDACC_RDC__; }\n",
        ),
    ];
    for (name, text) in files {
        fs::write(work.path().join(name), text).map_err(|error| error.to_string())?;
    }
    fs::create_dir(work.path().join("folder")).map_err(|error| error.to_string())?;
    Ok(work)
}
