//! The decisions of the command line, checked: no later stage reads the command line again.
//!
//! In: the inputs and outputs as named. Out: a [`Session`], in which every input has a kind and every output
//! a destination, no output overwrites an input or another output, and the request is consistent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use weft_frontend::diag::render::Format;
use weft_frontend::layout::DataModel;

use crate::emit::time_reports::TimeReports;
use crate::emit::{Destination, apart};
use crate::error::{Error, Message, shown};
use crate::input::{Input, InputKind, Origin};
use crate::pipeline::{Emit, Settings};
use crate::toolchain::{ImageKind, Passed, ToolOptions};
use weft_lower::target::Target;

/// One run of the compiler.
#[derive(Debug)]
pub struct Session {
    /// What to make.
    pub work: Work,
    /// The settings for compiling sources.
    pub settings: Settings,
    /// The format of messages.
    pub format: Format,
    /// Where to search for NVIDIA's programs.
    pub tools: ToolOptions,
    /// The GPUs to generate code for.
    pub code: Code,
    /// Whether host objects and fat binaries contain relocatable code.
    pub relocatable: bool,
    /// Whether to report the resource usage of kernels.
    pub resource_usage: bool,
    /// Additional arguments for programs.
    pub passed: Passed,
    /// Whether to print each program that is run.
    pub verbose: bool,
    /// Whether programs are only printed, and nothing is written.
    pub dry_run: bool,
    /// How many programs may run at the same time; by default as many as there are cores.
    pub threads: Option<NonZeroUsize>,
    /// Whether to keep intermediate files next to the output.
    pub save_temps: bool,
    /// Where to keep them instead.
    pub keep_dir: Option<PathBuf>,
    /// How many errors of an input are reported.
    pub max_errors: Option<NonZeroUsize>,
    /// Options that are not on the command line, but in files and environment variables.
    pub from_elsewhere: Vec<String>,
    /// Which reports of the durations of stages to write.
    pub time_reports: TimeReports,
    /// The rule for make to write for each output.
    pub dependencies: Option<Dependencies>,
}

/// The GPUs to generate code for, and the virtual architecture for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// One for each distinct virtual architecture; not empty.
    pub generations: Vec<Generation>,
    /// Whether the options name one GPU, and no contents of fat binaries.
    pub is_plain: bool,
}

/// The images made from one compilation to PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// The target of the compilation: compute_90 is written as `sm_90`.
    pub arch: Target,
    /// The images that a fat binary contains.
    pub images: Vec<(ImageKind, Target)>,
}

/// Which outputs are made from which inputs.
#[derive(Debug, PartialEq, Eq)]
pub enum Work {
    /// An output for each input.
    Each(Product, Vec<(Input, Destination)>),
    /// One cubin, fat binary, or host object of a device link, from all inputs.
    Link(Product, Vec<Input>, Destination),
    /// An archive of host objects.
    Archive(Vec<Input>, Destination),
    /// No output: the sources are checked.
    Check(Vec<Input>),
}

/// The product of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A text.
    Text(Emit),
    /// A loadable cubin.
    Cubin,
    /// A relocatable cubin.
    Relocatable,
    /// A host object: with relocatable code like that of nvcc's `-dc`, or with a whole program like that of `-c`.
    HostObject,
    /// A file with code for several GPUs.
    FatBinary,
}

/// A rule for make: the dependencies of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// Whether it is made instead of the output.
    pub only: bool,
    /// Its file; by default next to the output, or standard output without one.
    pub at: Option<PathBuf>,
    /// Whether `-o` specifies that file.
    pub is_output: bool,
    /// The targets; by default the output.
    pub targets: Vec<String>,
    /// Whether it includes headers from `-isystem`.
    pub with_system: bool,
    /// Whether it has an empty rule for each header.
    pub phony: bool,
}

/// What the command line names, before it is checked.
#[derive(Debug, Default)]
pub struct Named {
    /// The inputs.
    pub inputs: Vec<PathBuf>,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// `-odir`: the directory of outputs that `-o` does not name.
    pub folder: Option<PathBuf>,
    /// The product, if an option names one.
    pub product: Option<Product>,
    /// `--emit`: the output is standard output unless `-o` is given.
    pub to_stdout: bool,
    /// `-rdc=true`: a cubin is relocatable.
    pub relocatable: bool,
    /// `-dlink`: the product is made by linking.
    pub device_link: bool,
    /// `-lib`: the product is an archive.
    pub archive: bool,
    /// `-x`: every file is a source, whatever its name.
    pub all_sources: bool,
    /// `-fsyntax-only`: nothing is made, whatever else is requested.
    pub check_only: bool,
}

impl Named {
    /// The path of an output that `-o` does not name.
    fn in_folder(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.as_deref().unwrap_or(Path::new("")).join(name)
    }
}

impl Product {
    /// The option that requests it.
    fn option(self) -> String {
        match self {
            Product::Text(Emit::Ptx) => "--ptx".to_owned(),
            Product::Text(emit) => {
                let name = emit.to_possible_value().map(|value| value.get_name().to_owned());
                format!("--emit {}", name.unwrap_or_default())
            }
            Product::Cubin => "--cubin".to_owned(),
            Product::Relocatable => "--cubin".to_owned(),
            Product::HostObject => "-c".to_owned(),
            Product::FatBinary => "-fatbin".to_owned(),
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Product::Text(emit) => emit.extension(),
            Product::Cubin | Product::Relocatable => "cubin",
            Product::HostObject => "o",
            Product::FatBinary => "fatbin",
        }
    }
}

/// Decides which outputs are made from which inputs.
///
/// # Errors
///
/// If the request is invalid; the message suggests a valid one.
pub fn plan(named: &Named) -> Result<Work, Error> {
    if named.inputs.is_empty() {
        return Err(Message::new("no input")
            .help(
                "name a file, for example `weftc a.cu`, or `-` for standard input; `weftc -h` lists options",
            )
            .user());
    }
    let is_preprocessing = named.product == Some(Product::Text(Emit::Preprocessed)) && !named.all_sources;
    let inputs: Vec<Input> = named
        .inputs
        .iter()
        .map(|path| match is_preprocessing && is_host_source(path) {
            true => Ok(Input { origin: Origin::File(path.clone()), kind: InputKind::Host }),
            false => Input::named(path, named.all_sources),
        })
        .collect::<Result<_, _>>()?;
    if named.check_only {
        let is_source = |input: &Input| input.kind == InputKind::Source;
        return Ok(Work::Check(inputs.into_iter().filter(is_source).collect()));
    }
    let product = product(named)?;
    if named.archive {
        let output = named.output.clone().unwrap_or_else(|| named.in_folder("a.a"));
        check_apart(&inputs, &output)?;
        return Ok(Work::Archive(inputs, Destination::File(output)));
    }
    if named.device_link {
        return plan_device_link(named, product, inputs);
    }
    let is_linked = |input: &Input| input.kind == InputKind::Object;
    if product == Product::Cubin
        && (inputs.len() > 1 && named.output.is_some() || inputs.iter().any(is_linked))
    {
        let Some(output) = &named.output else {
            return Err(Message::new("linking requires `-o`").help("add `-o linked.cubin`").user());
        };
        check_apart(&inputs, output)?;
        return Ok(Work::Link(product, inputs, Destination::File(output.clone())));
    }
    if let Some(stray) = inputs.iter().find(|input| !accepts(product, input.kind)) {
        let name = stray.name();
        return Err(match stray.kind {
            InputKind::Object => Message::new(format!("`{name}` can only be linked"))
                .help("to link, name a cubin as the output, `-o linked.cubin`, or use `-dlink`"),
            InputKind::Ptx => Message::new(format!("`{name}` is PTX already"))
                .help("to assemble it, name a cubin as the output: `-o a.cubin`"),
            InputKind::Source | InputKind::Host => {
                Message::new(format!("`{name}` cannot become this output"))
            }
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

/// `-dlink`: what nvcc links into a program, or with `-cubin` or `-fatbin` the linked code alone.
fn plan_device_link(named: &Named, product: Product, inputs: Vec<Input>) -> Result<Work, Error> {
    if let Some(source) = inputs.iter().find(|input| input.kind != InputKind::Object) {
        return Err(Message::new(format!("`-dlink` links objects, but `{}` is not one", source.name()))
            .help("compile it first: `weftc -dc`")
            .user());
    }
    let output = named.output.clone();
    let output = output.unwrap_or_else(|| named.in_folder("a_dlink").with_extension(product.extension()));
    check_apart(&inputs, &output)?;
    Ok(Work::Link(product, inputs, Destination::File(output)))
}

/// Rejects products that require 64-bit programs: those of nvlink, and host objects, because of the runtime
/// that they register with.
///
/// # Errors
///
/// If such a product is requested with 32-bit addresses.
pub fn check_model(work: &Work, model: DataModel) -> Result<(), Error> {
    let what = match (model, work) {
        (DataModel::Ilp32, Work::Link(..)) => "linking",
        (DataModel::Ilp32, Work::Archive(..)) => "host objects",
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

/// Rejects requests for more than the output can hold: one text, or code for one GPU (like nvcc).
///
/// # Errors
///
/// If the options name several GPUs or architectures.
pub fn check_code(work: &Work, code: &Code) -> Result<(), Error> {
    let n_cubins = || code.images().filter(|(_, kind, _)| *kind == ImageKind::Cubin).count();
    let fault = match work {
        _ if code.is_plain => None,
        Work::Check(_)
        | Work::Archive(..)
        | Work::Each(Product::HostObject | Product::FatBinary, _)
        | Work::Link(Product::HostObject | Product::FatBinary, ..) => None,
        // Preprocessed text is that of the first architecture, like in nvcc, with hashes of the others; macros name all.
        Work::Each(Product::Text(Emit::Preprocessed | Emit::Tokens | Emit::Launches), _) => None,
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
    /// All images: the architecture that each is made from, its kind, and its GPU.
    pub fn images(&self) -> impl Iterator<Item = (Target, ImageKind, Target)> {
        let of = |it: &Generation| {
            it.images.iter().map(|&(kind, target)| (it.arch, kind, target)).collect::<Vec<_>>()
        };
        self.generations.iter().flat_map(of)
    }

    /// The architecture and the GPU of a single text or a single GPU's code.
    pub fn single(&self) -> (Target, Target) {
        let cubin = self.images().find(|(_, kind, _)| *kind == ImageKind::Cubin);
        cubin.map_or((self.first(), self.first()), |(arch, _, target)| (arch, target))
    }

    /// The architecture of a single text.
    pub fn first(&self) -> Target {
        self.generations.first().map_or(Target::DEFAULT, |first| first.arch)
    }

    /// The numbers of the distinct architectures, in order: `__CUDA_ARCH_LIST__`.
    pub fn arch_list(&self) -> Vec<u16> {
        let numbers: BTreeSet<u16> = self.generations.iter().map(|generation| generation.arch.sm()).collect();
        numbers.into_iter().collect()
    }
}

/// Whether nvcc gives the file to the host's compiler.
fn is_host_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["c", "cc", "cpp", "cxx", "c++", "C"].contains(&extension))
}

/// The product that an option or the output's name requests; by default PTX.
fn product(named: &Named) -> Result<Product, Error> {
    let default = match named.device_link || named.archive {
        true => Product::HostObject,
        false => Product::Text(Emit::Ptx),
    };
    let Some(output) = &named.output else {
        return Ok(relocated(named.product.unwrap_or(default), named.relocatable));
    };
    if named.archive {
        return Ok(Product::HostObject);
    }
    let extension = output.extension().and_then(|extension| extension.to_str());
    let by_name = match extension {
        Some("ptx") => Some(Product::Text(Emit::Ptx)),
        Some("ll") => Some(Product::Text(Emit::LlvmIr)),
        Some("h") => Some(Product::Text(Emit::Header)),
        Some("cubin") => Some(Product::Cubin),
        Some("o") => Some(Product::HostObject),
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
        // A pipe or a device has no suffix.
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

/// `-cubin -o x.cubin` and `-dc -o x.o` are valid; `-c -o x.ptx` is not.
fn fits(asked: Product, by_name: Product) -> bool {
    match asked {
        Product::Text(Emit::Ptx) => by_name == Product::Text(Emit::Ptx),
        Product::Text(Emit::LlvmIr) => by_name == Product::Text(Emit::LlvmIr),
        Product::Text(Emit::Header) => by_name == Product::Text(Emit::Header),
        Product::Text(
            Emit::Tokens | Emit::Preprocessed | Emit::Ast | Emit::Launches | Emit::Ir | Emit::Nothing,
        ) => false,
        Product::Cubin | Product::Relocatable => by_name == Product::Cubin,
        Product::HostObject => by_name == Product::HostObject,
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
        Product::Text(Emit::Preprocessed) => matches!(kind, InputKind::Source | InputKind::Host),
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
    let extension = product.extension();
    let mut taken: BTreeMap<PathBuf, &Input> = BTreeMap::new();
    let mut outputs = Vec::new();
    for input in inputs {
        if is_text && (named.to_stdout || input.origin == Origin::Stdin) {
            outputs.push(Destination::Stdout);
            continue;
        }
        let path = named.in_folder(input.stem()).with_added_extension(extension);
        if let Some(other) = taken.insert(path.clone(), input) {
            let text =
                format!("`{}` and `{}` would both become `{}`", other.name(), input.name(), shown(&path));
            return Err(Message::new(text).help("compile them one at a time, each with its own `-o`").user());
        }
        outputs.push(Destination::File(path));
    }
    Ok(outputs)
}

/// The output must not be one of the inputs, under any name.
fn check_apart(inputs: &[Input], output: &Path) -> Result<(), Error> {
    apart::check(None, output, inputs.iter().filter_map(Input::path))
}

impl Session {
    /// Whether the output of a source is linked with other code.
    pub fn is_relocatable(&self) -> bool {
        match self.work {
            Work::Link(..) | Work::Each(Product::Relocatable, _) => true,
            Work::Archive(..)
            | Work::Each(Product::Text(_) | Product::Cubin | Product::FatBinary | Product::HostObject, _) => {
                self.relocatable
            }
            Work::Check(_) => false,
        }
    }

    /// The inputs that are files.
    pub fn input_paths(&self) -> Vec<&Path> {
        let inputs: Vec<&Input> = match &self.work {
            Work::Each(_, jobs) => jobs.iter().map(|(input, _)| input).collect(),
            Work::Link(_, inputs, _) | Work::Archive(inputs, _) | Work::Check(inputs) => {
                inputs.iter().collect()
            }
        };
        inputs.into_iter().filter_map(Input::path).collect()
    }

    /// Fails if an output overwrites an input, or two are the same file.
    ///
    /// # Errors
    ///
    /// Names the file.
    pub fn check_outputs(&self) -> Result<(), Error> {
        let outputs: Vec<&Destination> = match &self.work {
            Work::Each(_, jobs) => jobs.iter().map(|(_, output)| output).collect(),
            Work::Link(_, _, output) | Work::Archive(_, output) => vec![output],
            Work::Check(_) => Vec::new(),
        };
        let mut all: Vec<(&str, PathBuf)> = Vec::new();
        let rule = self.dependencies.as_ref();
        // A rule that is made alone replaces the output.
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
            Work::Link(..) | Work::Archive(..) | Work::Check(..) => panic!("no output each"),
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
        assert_eq!(outputs(&["a.src"], Some("x.o"), None), (Product::HostObject, vec!["x.o".to_owned()]));
        assert_eq!(outputs(&["a.src"], Some("-"), None), (ptx, vec!["-".to_owned()]));
        assert_eq!(outputs(&["-"], None, None), (ptx, vec!["-".to_owned()]));
        let several = vec!["a.o".to_owned(), "b.o".to_owned()];
        let object = Some(Product::HostObject);
        assert_eq!(outputs(&["a.src", "b.ptx"], None, object), (Product::HostObject, several));
    }

    #[test]
    fn several_inputs_with_one_cubin_are_linked() {
        let work =
            plan(&named(&["a.src", "b.ptx", "c.o", "d.cubin"], Some("x.cubin"), None)).expect("a plan");
        let Work::Link(Product::Cubin, inputs, _) = work else { panic!("not linked: {work:?}") };
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
            refusal(&["a.src"], Some("x.ptx"), Some(Product::HostObject))
                .contains("`-c` makes a `.o`, but `-o` names a `.ptx`")
        );
        assert!(refusal(&["a.ptx", "x.cubin"], Some("x.cubin"), None).contains("is also an input"));
    }
}
