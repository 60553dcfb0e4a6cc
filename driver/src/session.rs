//! What the command line decided, checked and whole: no later stage reads the command line again.
//!
//! In: the inputs and outputs as named. Out: a [`Session`], in which every input has a kind, every
//! output a place, no output falls on an input or on another output, and the request makes sense.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use weft_frontend::diag::render::Format;
use weft_frontend::layout::DataModel;

use crate::emit::{Destination, apart};
use crate::error::{Error, Message, shown};
use crate::pipeline::{Emit, Settings};
use crate::toolchain::ToolOptions;
use crate::toolchain::steps::ImageKind;
use weft_lower::target::Target;

/// One run of the compiler.
#[derive(Debug)]
pub struct Session {
    /// What is made.
    pub work: Work,
    /// How sources are compiled.
    pub settings: Settings,
    /// How messages look.
    pub format: Format,
    /// Where NVIDIA's programs are.
    pub tools: ToolOptions,
    /// For which GPUs code is made.
    pub code: Code,
    /// A fat binary holds code that is to be linked.
    pub relocatable: bool,
    /// What kernels need is shown.
    pub resource_usage: bool,
    /// More arguments for ptxas.
    pub ptxas_args: Vec<OsString>,
    /// Each program that is run is shown.
    pub verbose: bool,
    /// What is made on the way stays, beside the output.
    pub save_temps: bool,
    /// Where the time went is shown.
    pub time_report: bool,
    /// A rule for make is written for each output.
    pub dependencies: Option<Dependencies>,
}

/// For which GPUs code is made, and of what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// One for each virtual architecture, each once; not empty.
    pub generations: Vec<Generation>,
    /// The options name one GPU, and nothing of what a fat binary is to hold.
    pub is_plain: bool,
}

/// What is made of one compilation to PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// What it is compiled for: compute_90 is written as `sm_90`.
    pub arch: Target,
    /// The images that a fat binary holds of it.
    pub images: Vec<(ImageKind, Target)>,
}

/// What is made of what.
#[derive(Debug, PartialEq, Eq)]
pub enum Work {
    /// An output for each input.
    Each(Product, Vec<(Input, Destination)>),
    /// One cubin of all.
    Link(Vec<Input>, Destination),
    /// Nothing: the sources are checked.
    Check(Vec<Input>),
}

/// What is made of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A text.
    Text(Emit),
    /// A cubin that can be loaded.
    Cubin,
    /// A cubin that can be linked.
    Relocatable,
    /// An object of the host that holds relocatable code, as nvcc's `-dc` makes it.
    HostObject,
    /// Code for several GPUs in one file, which a program loads.
    FatBinary,
}

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it comes from.
    pub origin: Origin,
    /// What it is.
    pub kind: InputKind,
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A program to compile.
    Source,
    /// PTX to assemble.
    Ptx,
    /// A cubin, an object or an archive to link.
    Object,
}

/// A rule for make: what an output depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// It is made in place of the output.
    pub only: bool,
    /// Where it goes, if not to standard output or, with an output, beside that.
    pub at: Option<PathBuf>,
    /// That is where `-o` says.
    pub is_output: bool,
    /// What depends, if it is not called as the output is.
    pub targets: Vec<String>,
    /// It names the headers of `-isystem` as well.
    pub with_system: bool,
    /// It has an empty rule for each header.
    pub phony: bool,
}

/// What the command line names, before it is checked.
#[derive(Debug, Default)]
pub struct Named {
    /// The inputs.
    pub inputs: Vec<PathBuf>,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// The product, if an option names one.
    pub product: Option<Product>,
    /// `--emit`: to standard output unless `-o` says otherwise.
    pub to_stdout: bool,
    /// `-rdc=true`: a cubin is relocatable.
    pub relocatable: bool,
    /// `-x`: every file is a source, whatever its name.
    pub all_sources: bool,
    /// `-fsyntax-only`: whatever else is asked for, nothing is made.
    pub check_only: bool,
}

impl Input {
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Stdin => None,
            Origin::File(path) => Some(path),
        }
    }

    /// Its name in messages and in the output.
    pub fn name(&self) -> String {
        match &self.origin {
            Origin::Stdin => "<stdin>".to_owned(),
            Origin::File(path) => path.display().to_string(),
        }
    }

    /// The first part of the names of what is made of it.
    pub fn stem(&self) -> OsString {
        match &self.origin {
            Origin::Stdin => OsString::from("stdin"),
            Origin::File(path) => path.file_stem().unwrap_or(path.as_os_str()).to_owned(),
        }
    }
}

impl Product {
    /// The option that asks for it.
    fn option(self) -> String {
        match self {
            Product::Text(Emit::Ptx) => "--ptx".to_owned(),
            Product::Text(emit) => {
                let name = emit.to_possible_value().map(|value| value.get_name().to_owned());
                format!("--emit {}", name.unwrap_or_default())
            }
            Product::Cubin => "--cubin".to_owned(),
            Product::Relocatable => "-c".to_owned(),
            Product::HostObject => "-dc".to_owned(),
            Product::FatBinary => "-fatbin".to_owned(),
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Product::Text(emit) => emit.extension(),
            Product::Cubin => "cubin",
            Product::Relocatable | Product::HostObject => "o",
            Product::FatBinary => "fatbin",
        }
    }
}

/// Decides what is made of what.
///
/// # Errors
/// When the request makes no sense; the message says what would.
pub fn plan(named: &Named) -> Result<Work, Error> {
    if named.inputs.is_empty() {
        return Err(Message::new("no input")
            .help(
                "name a file, for example `weftc a.cu`, or `-` for standard input; `weftc -h` lists options",
            )
            .user());
    }
    let inputs: Vec<Input> =
        named.inputs.iter().map(|path| input(path, named.all_sources)).collect::<Result<_, _>>()?;
    if named.check_only {
        let is_source = |input: &Input| input.kind == InputKind::Source;
        return Ok(Work::Check(inputs.into_iter().filter(is_source).collect()));
    }
    let product = product(named)?;
    let is_linked = |input: &Input| input.kind == InputKind::Object;
    if product == Product::Cubin
        && (inputs.len() > 1 && named.output.is_some() || inputs.iter().any(is_linked))
    {
        let Some(output) = &named.output else {
            return Err(Message::new("linking requires `-o`").help("add `-o linked.cubin`").user());
        };
        check_apart(&inputs, output)?;
        return Ok(Work::Link(inputs, Destination::File(output.clone())));
    }
    if let Some(stray) = inputs.iter().find(|input| !accepts(product, input.kind)) {
        let name = stray.name();
        return Err(match stray.kind {
            InputKind::Object => Message::new(format!("`{name}` can only be linked"))
                .help("to link, name a cubin as the output: `-o linked.cubin`"),
            InputKind::Ptx => Message::new(format!("`{name}` is PTX already"))
                .help("to assemble it, name a cubin as the output: `-o a.cubin`, or use `-c`"),
            InputKind::Source => Message::new(format!("`{name}` cannot become this output")),
        }
        .user());
    }
    let outputs = destinations(named, product, &inputs)?;
    for (input, output) in inputs.iter().zip(&outputs) {
        if let Destination::File(path) = output {
            check_apart(std::slice::from_ref(input), path)?;
        }
    }
    Ok(Work::Each(product, inputs.into_iter().zip(outputs).collect()))
}

/// Fails where 64-bit programs alone can make the product: nvlink, and the runtime that a host object registers itself
/// with.
///
/// # Errors
/// When addresses have 32 bits, and such a product is asked for.
pub fn check_model(work: &Work, model: DataModel) -> Result<(), Error> {
    let what = match (model, work) {
        (DataModel::Ilp32, Work::Link(..)) => "linking",
        (DataModel::Ilp32, Work::Each(Product::HostObject, _)) => "host objects",
        (DataModel::Ilp32, Work::Each(Product::FatBinary, _)) => "fat binaries",
        (DataModel::Lp64, _) | (DataModel::Ilp32, Work::Each(..) | Work::Check(_)) => return Ok(()),
    };
    Err(Message::new(format!(
        "`-m32` cannot be used for {what}: NVIDIA's programs for it support only 64-bit addresses"
    ))
    .help("make PTX with `--ptx`, which the CUDA driver of a 32-bit host accepts")
    .user())
}

/// Fails where more is asked for than the output can hold: one text, or code for one GPU (as nvcc does).
///
/// # Errors
/// When the options name several GPUs or architectures.
pub fn check_code(work: &Work, code: &Code) -> Result<(), Error> {
    let n_cubins = || code.images().filter(|(_, kind, _)| *kind == ImageKind::Cubin).count();
    let fault = match work {
        _ if code.is_plain => None,
        Work::Check(_) | Work::Each(Product::HostObject | Product::FatBinary, _) => None,
        // What the preprocessor makes is the first architecture's, as with nvcc; macros name all.
        Work::Each(Product::Text(Emit::Preprocessed | Emit::Tokens), _) => None,
        Work::Each(Product::Text(emit), _) if code.generations.len() > 1 => {
            let shown = code.generations.iter().map(|it| it.arch.to_string().replace("sm_", "compute_"));
            let shown = shown.collect::<Vec<_>>().join(", ");
            Some(format!(
                "a `.{}` file is for one architecture, but the options name {shown}",
                emit.extension()
            ))
        }
        Work::Each(Product::Text(_), _) => None,
        Work::Each(Product::Cubin | Product::Relocatable, _) | Work::Link(..) => match n_cubins() {
            0 => Some("a cubin is for a GPU, but the options name no GPU".to_owned()),
            1 if code.images().count() == 1 => None,
            _ => Some("a cubin is for one GPU, but the options name several".to_owned()),
        },
    };
    let Some(fault) = fault else { return Ok(()) };
    Err(Message::new(fault)
        .help("use `-fatbin` or `-dc` for several, or name one, for example `-arch=sm_90`")
        .user())
}

impl Code {
    /// All images: what each is made of, what it is, and for which GPU.
    pub fn images(&self) -> impl Iterator<Item = (Target, ImageKind, Target)> {
        let of = |it: &Generation| {
            it.images.iter().map(|&(kind, target)| (it.arch, kind, target)).collect::<Vec<_>>()
        };
        self.generations.iter().flat_map(of)
    }

    /// What one text, or code for one GPU, is compiled for, and the GPU.
    pub fn single(&self) -> (Target, Target) {
        let cubin = self.images().find(|(_, kind, _)| *kind == ImageKind::Cubin);
        cubin.map_or((self.first(), self.first()), |(arch, _, target)| (arch, target))
    }

    /// What a text is made for.
    pub fn first(&self) -> Target {
        self.generations.first().map_or(Target::DEFAULT, |first| first.arch)
    }

    /// The numbers of the architectures, each once and in order: `__CUDA_ARCH_LIST__`.
    pub fn arch_list(&self) -> Vec<u16> {
        let numbers: BTreeSet<u16> = self.generations.iter().map(|generation| generation.arch.sm()).collect();
        numbers.into_iter().collect()
    }
}

/// What an input is, by its name.
///
/// # Errors
/// When the name does not say it.
pub(crate) fn input(path: &Path, all_sources: bool) -> Result<Input, Error> {
    if path.as_os_str() == "-" {
        return Ok(Input { origin: Origin::Stdin, kind: InputKind::Source });
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let kind = match extension {
        _ if all_sources => InputKind::Source,
        "src" | "cu" => InputKind::Source,
        "ptx" => InputKind::Ptx,
        "cubin" | "o" | "a" => InputKind::Object,
        _ => {
            return Err(Message::new(format!("`{}`: unknown kind of input", shown(path)))
                .note("known are .cu and .src (programs), .ptx, and for linking .cubin, .o and .a")
                .help("`-x cu` treats every input as a program")
                .user());
        }
    };
    Ok(Input { origin: Origin::File(path.to_owned()), kind })
}

/// The product that an option names, or that the output's name asks for; PTX otherwise.
fn product(named: &Named) -> Result<Product, Error> {
    let Some(output) = &named.output else {
        return Ok(relocated(named.product.unwrap_or(Product::Text(Emit::Ptx)), named.relocatable));
    };
    let extension = output.extension().and_then(|extension| extension.to_str());
    let by_name = match extension {
        Some("ptx") => Some(Product::Text(Emit::Ptx)),
        Some("ll") => Some(Product::Text(Emit::LlvmIr)),
        Some("h") => Some(Product::Text(Emit::Header)),
        Some("cubin") => Some(Product::Cubin),
        Some("o") => Some(Product::Relocatable),
        Some("fatbin") => Some(Product::FatBinary),
        Some(_) | None => None,
    };
    match (named.product, by_name) {
        (Some(asked), Some(found)) if !fits(asked, found) => {
            let (option, made) = (asked.option(), asked.extension());
            let named = extension.unwrap_or_default();
            let text = format!("`{option}` makes a `.{made}`, but `-o` names a `.{named}`");
            Err(Message::new(text)
                .help("change the name, or remove the option")
                .user())
        }
        (Some(asked), _) => Ok(relocated(asked, named.relocatable)),
        (None, Some(found)) => Ok(relocated(found, named.relocatable)),
        (None, None) if output.as_os_str() == "-" => Ok(Product::Text(Emit::Ptx)),
        // A pipe or a device has no extension to go by.
        (None, None) if extension.is_none() && fs::metadata(output).is_ok_and(|data| !data.is_file()) => {
            Ok(Product::Text(Emit::Ptx))
        }
        (None, None) => {
            Err(Message::new(format!("cannot tell from the name `{}` what to make", shown(output)))
                .help("end it in .ptx, .cubin, .fatbin, .o, .ll or .h, or add `--ptx`, `--cubin`, `-fatbin`, `-c` or `-dc`")
                .user())
        }
    }
}

/// `-c -o x.cubin` and `-dc -o x.o` are sound; `-c -o x.ptx` is not.
fn fits(asked: Product, by_name: Product) -> bool {
    match asked {
        Product::Text(Emit::Ptx) => by_name == Product::Text(Emit::Ptx),
        Product::Text(Emit::LlvmIr) => by_name == Product::Text(Emit::LlvmIr),
        Product::Text(Emit::Header) => by_name == Product::Text(Emit::Header),
        Product::Text(Emit::Tokens | Emit::Preprocessed | Emit::Ast | Emit::Ir | Emit::Nothing) => false,
        Product::Cubin => by_name == Product::Cubin,
        Product::Relocatable => matches!(by_name, Product::Cubin | Product::Relocatable),
        Product::HostObject => by_name == Product::Relocatable,
        Product::FatBinary => by_name == Product::FatBinary,
    }
}

fn relocated(product: Product, relocatable: bool) -> Product {
    match product {
        Product::Cubin if relocatable => Product::Relocatable,
        Product::Text(_)
        | Product::Cubin
        | Product::Relocatable
        | Product::HostObject
        | Product::FatBinary => product,
    }
}

fn accepts(product: Product, kind: InputKind) -> bool {
    match product {
        Product::Text(_) => kind == InputKind::Source,
        Product::Cubin | Product::Relocatable | Product::HostObject | Product::FatBinary => {
            kind != InputKind::Object
        }
    }
}

fn destinations(named: &Named, product: Product, inputs: &[Input]) -> Result<Vec<Destination>, Error> {
    if let Some(output) = &named.output {
        if inputs.len() > 1 {
            return Err(Message::new(format!("`-o {}` with {} inputs", shown(output), inputs.len()))
                .note("without linking, each input has an output of its own")
                .help("remove `-o`, or link with `-o linked.cubin`")
                .user());
        }
        let is_stdout = output.as_os_str() == "-";
        return Ok(vec![if is_stdout { Destination::Stdout } else { Destination::File(output.clone()) }]);
    }
    let is_text = matches!(product, Product::Text(_));
    // A relocatable cubin that was asked for as a cubin is called one.
    let extension = named.product.unwrap_or(product).extension();
    let mut taken: BTreeMap<PathBuf, &Input> = BTreeMap::new();
    let mut outputs = Vec::new();
    for input in inputs {
        if is_text && (named.to_stdout || input.origin == Origin::Stdin) {
            outputs.push(Destination::Stdout);
            continue;
        }
        let path = Path::new(&input.stem()).with_added_extension(extension);
        if let Some(other) = taken.insert(path.clone(), input) {
            let text =
                format!("`{}` and `{}` would both become `{}`", other.name(), input.name(), shown(&path));
            return Err(Message::new(text).help("compile them one at a time, each with its own `-o`").user());
        }
        outputs.push(Destination::File(path));
    }
    Ok(outputs)
}

/// The output must be none of the inputs, under whatever name.
fn check_apart(inputs: &[Input], output: &Path) -> Result<(), Error> {
    apart::check(None, output, inputs.iter().filter_map(Input::path))
}

impl Session {
    /// Whether what is made of a source is to be linked with other code.
    pub fn is_relocatable(&self) -> bool {
        match self.work {
            Work::Link(..) | Work::Each(Product::Relocatable | Product::HostObject, _) => true,
            Work::Each(Product::Text(_) | Product::Cubin | Product::FatBinary, _) => self.relocatable,
            Work::Check(_) => false,
        }
    }

    /// The inputs that are files.
    pub fn input_paths(&self) -> Vec<&Path> {
        let inputs: Vec<&Input> = match &self.work {
            Work::Each(_, jobs) => jobs.iter().map(|(input, _)| input).collect(),
            Work::Link(inputs, _) | Work::Check(inputs) => inputs.iter().collect(),
        };
        inputs.into_iter().filter_map(Input::path).collect()
    }

    /// Fails if an output falls on an input, or two fall on one another.
    ///
    /// # Errors
    /// Names the file.
    pub fn check_outputs(&self) -> Result<(), Error> {
        let outputs: Vec<&Destination> = match &self.work {
            Work::Each(_, jobs) => jobs.iter().map(|(_, output)| output).collect(),
            Work::Link(_, output) => vec![output],
            Work::Check(_) => Vec::new(),
        };
        let mut all: Vec<(&str, PathBuf)> = Vec::new();
        let rule = self.dependencies.as_ref();
        // A rule that is made alone takes the place of the output.
        if rule.is_none_or(|rule| !rule.only) {
            all.extend(outputs.iter().filter_map(|it| it.path()).map(|path| ("-o", path.to_owned())));
        }
        if let Some(rule) = rule {
            let beside = outputs.iter().filter_map(|it| it.path()).map(|path| path.with_extension("d"));
            let option = if rule.is_output { "-o" } else { "-MF" };
            match &rule.at {
                Some(at) => all.push((option, at.clone())),
                None if rule.only => {}
                None => all.extend(beside.map(|path| ("-MD", path))),
            }
        }
        for (option, output) in &all {
            let named = (*option != "-o").then_some(*option);
            apart::check(named, output, self.input_paths())?;
        }
        let all: Vec<(&str, &Path)> = all.iter().map(|(option, path)| (*option, &**path)).collect();
        apart::check_outputs(&all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(inputs: &[&str], output: Option<&str>, product: Option<Product>) -> Named {
        let inputs = inputs.iter().map(PathBuf::from).collect();
        Named { inputs, output: output.map(PathBuf::from), product, ..Named::default() }
    }

    fn outputs(inputs: &[&str], output: Option<&str>, product: Option<Product>) -> (Product, Vec<String>) {
        match plan(&named(inputs, output, product)).expect("a plan") {
            Work::Each(product, jobs) => {
                let name = |destination: &Destination| match destination {
                    Destination::Stdout => "-".to_owned(),
                    Destination::File(path) => path.display().to_string(),
                };
                (product, jobs.iter().map(|(_, destination)| name(destination)).collect())
            }
            Work::Link(..) | Work::Check(..) => panic!("no output each"),
        }
    }

    fn refusal(inputs: &[&str], output: Option<&str>, product: Option<Product>) -> String {
        plan(&named(inputs, output, product)).expect_err("a refusal").to_string()
    }

    #[test]
    fn the_suffix_of_the_output_selects_its_kind() {
        let ptx = Product::Text(Emit::Ptx);
        assert_eq!(outputs(&["d/a.src"], None, None), (ptx, vec!["a.ptx".to_owned()]));
        assert_eq!(outputs(&["a.src"], Some("x.cubin"), None), (Product::Cubin, vec!["x.cubin".to_owned()]));
        assert_eq!(outputs(&["a.src"], Some("x.o"), None), (Product::Relocatable, vec!["x.o".to_owned()]));
        assert_eq!(outputs(&["a.src"], Some("-"), None), (ptx, vec!["-".to_owned()]));
        assert_eq!(outputs(&["-"], None, None), (ptx, vec!["-".to_owned()]));
        let several = vec!["a.o".to_owned(), "b.o".to_owned()];
        let relocatable = Some(Product::Relocatable);
        assert_eq!(outputs(&["a.src", "b.ptx"], None, relocatable), (Product::Relocatable, several));
    }

    #[test]
    fn several_inputs_with_one_cubin_are_linked() {
        let work =
            plan(&named(&["a.src", "b.ptx", "c.o", "d.cubin"], Some("x.cubin"), None)).expect("a plan");
        let Work::Link(inputs, _) = work else { panic!("not linked: {work:?}") };
        let kinds = [InputKind::Source, InputKind::Ptx, InputKind::Object, InputKind::Object];
        assert_eq!(inputs.iter().map(|input| input.kind).collect::<Vec<_>>(), kinds);
    }

    #[test]
    fn rejects_contradictions_with_advice() {
        assert!(refusal(&[], None, None).starts_with("no input"));
        assert!(refusal(&["a.txt"], None, None).starts_with("`a.txt`: unknown kind of input"));
        assert!(refusal(&["a.src"], Some("x"), None).contains("cannot tell from the name `x`"));
        assert!(refusal(&["a.src", "b.src"], Some("x.ptx"), None).starts_with("`-o x.ptx` with 2 inputs"));
        assert!(refusal(&["a.src", "d/a.src"], None, None).contains("would both become `a.ptx`"));
        assert!(refusal(&["a.ptx"], None, None).contains("is PTX already"));
        assert!(refusal(&["a.o"], None, None).contains("can only be linked"));
        assert!(
            refusal(&["a.src"], Some("x.ptx"), Some(Product::Relocatable))
                .contains("`-c` makes a `.o`, but `-o` names a `.ptx`")
        );
        assert!(refusal(&["a.ptx", "x.cubin"], Some("x.cubin"), None).contains("is also an input"));
    }
}
