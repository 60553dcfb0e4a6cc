//! Makes the outputs of inputs, with the compiler and NVIDIA's programs.
//!
//! - this file: which output is made from which input
//! - `archive`: archives of host objects
//! - `assembly`: cubins and fat binaries, and the messages of ptxas and nvlink
//! - `preprocessed`: the text of `-E`
//!
//! In: a [`Session`]. Out: the written outputs, and the reported warnings. The first failure ends the run,
//! except errors in a source: the other sources are still compiled, so that one run reports all errors.

mod archive;
mod assembly;
mod preprocessed;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use weft_frontend::diag::render::{self, Format};
use weft_frontend::diag::{Diagnostic, Severity};
use weft_frontend::source::SourceMap;
use weft_frontend::{Dependency, MacroOption};
use weft_lower::abi::unit::UnitName;
use weft_lower::target::Target;
use weft_objects::interface::Interface;
use weft_objects::object;

use crate::abi::compare::compare;
use crate::abi::declared;
use crate::emit::times::Times;
use crate::emit::{Destination, apart, depfile, report};
use crate::error::{Diagnostics, Error, Message, UserError};
use crate::findings::program::Program;
use crate::headers;
use crate::input::{Input, InputKind, Origin, read_file, read_input};
use crate::pipeline::{self, Emit, Outputs, Settings};
use crate::session::{Dependencies, Product, Session, Work};
use crate::toolchain::ImageKind;
use crate::toolchain::host_object::{self, fnv1a};
use crate::toolchain::steps::{Image, Linking, Workbench};

/// Does the work.
///
/// # Errors
///
/// The failure that ended the run, or the last one of several sources with errors.
pub fn run(session: &Session, times: &mut Times) -> Result<(), Error> {
    let mut runner = Runner {
        session,
        bench: Workbench::new(&session.settings.options, session.settings.dialect.model, session),
        times: Times::default(),
        headers: Vec::new(),
        interfaces: matches!(session.work, Work::Link(..)).then(Vec::new),
        host_stub: None,
        programs: Vec::new(),
        reported: BTreeSet::new(),
    };
    let makes_cubins = match &session.work {
        Work::Each(Product::Text(_), _) | Work::Check(_) => false,
        Work::Each(..) | Work::Link(..) | Work::Archive(..) => true,
    };
    if session.resource_usage && !makes_cubins {
        report::warning(&Message::new(NO_CUBIN), session.format);
    }
    if !session.passed.host.is_empty() && !session.dry_run {
        runner.bench.check_host_options()?;
    }
    let result = match &session.work {
        Work::Each(product, jobs) => runner.each(*product, jobs),
        Work::Link(product, inputs, output) => runner.link(*product, inputs, output),
        Work::Archive(inputs, output) => runner.archive(inputs, output),
        Work::Check(inputs) => runner.check(inputs),
    };
    times.append(runner.times);
    times.append(runner.bench.times);
    result
}

/// Only cubins have known resource usage.
const NO_CUBIN: &str = "`--resource-usage` has no effect: no cubin is made";

struct Runner<'s> {
    session: &'s Session,
    bench: Workbench<'s>,
    times: Times,
    /// The headers that the current outputs were made from.
    headers: Vec<Dependency>,
    /// The interfaces of inputs to link; `None` if nothing is linked.
    interfaces: Option<Vec<Interface>>,
    /// The host's part of the current input, of its first architecture.
    host_stub: Option<String>,
    /// Programs to link.
    programs: Vec<Program>,
    /// The messages already reported for the current input.
    reported: BTreeSet<String>,
}

impl Runner<'_> {
    fn each(&mut self, product: Product, jobs: &[(Input, Destination)]) -> Result<(), Error> {
        self.all(jobs, |runner, (input, output)| runner.one(product, input, output))
    }

    fn check(&mut self, inputs: &[Input]) -> Result<(), Error> {
        let code = &self.session.code;
        let archs = if code.is_plain { vec![code.single().0] } else { self.all_archs() };
        self.all(inputs, |runner, input| {
            let text = runner.read(input)?;
            archs.iter().try_for_each(|&arch| runner.compile(input, &text, Emit::Nothing, arch).map(drop))
        })
    }

    /// Does the same for each input; errors in a source end the run only after the others.
    fn all<T>(
        &mut self,
        jobs: &[T],
        mut work: impl FnMut(&mut Self, &T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut wrong = None;
        for job in jobs {
            self.reported.clear();
            match work(self, job) {
                Err(error @ Error::User(UserError::Program(_))) => {
                    if let Some(earlier) = wrong.replace(error) {
                        report::error(&earlier, self.session.format);
                    }
                }
                result => result?,
            }
        }
        wrong.map_or(Ok(()), Err)
    }

    fn one(&mut self, product: Product, input: &Input, output: &Destination) -> Result<(), Error> {
        self.headers.clear();
        if let Some(dependencies) = self.session.dependencies.as_ref().filter(|rule| rule.only) {
            if input.kind == InputKind::Source {
                let text = self.read(input)?;
                // The headers of all architectures, like nvcc.
                let archs = if self.session.code.is_plain { self.archs(product) } else { self.all_archs() };
                for arch in archs {
                    self.compile(input, &text, Emit::Preprocessed, arch)?;
                }
            }
            let rule = self.rule(dependencies, output, std::slice::from_ref(input));
            let place = dependencies.at.clone().map_or(Destination::Stdout, Destination::File);
            self.check_apart(&place)?;
            return place.write(&rule);
        }
        let bytes = match product {
            Product::Text(Emit::Preprocessed) => self.preprocessed(input)?,
            Product::Text(emit) => {
                let text = self.read(input)?;
                let arch = self.session.code.first();
                self.compile(input, &text, emit, arch)?.text.into_bytes()
            }
            Product::Cubin => self.cubin(input, output, false)?,
            Product::Relocatable => self.cubin(input, output, true)?,
            Product::FatBinary => self.fat_binary(input, output, self.session.relocatable)?,
            Product::HostObject => self.host_object(input, output)?,
        };
        self.write(output, &bytes, std::slice::from_ref(input))
    }

    fn host_object(&mut self, input: &Input, output: &Destination) -> Result<Vec<u8>, Error> {
        let relocatable = self.session.relocatable;
        self.host_stub = None;
        let fat_binary = self.fat_binary(input, output, relocatable)?;
        // Of PTX, the types of the kernels' parameters are not known.
        let stub = self.host_stub.take().unwrap_or_else(|| host_object::NO_STUB.to_owned());
        self.save_temp(input, output, "stub.cpp", stub.as_bytes())?;
        self.bench.host_object(&stem(input), &fat_binary, &stub, relocatable)
    }

    /// An archive of the host objects of all inputs.
    fn archive(&mut self, inputs: &[Input], output: &Destination) -> Result<(), Error> {
        let mut members = Vec::new();
        self.all(inputs, |runner, input| {
            let name = Path::new(&input.stem()).with_added_extension("o");
            members.push(match (&input.origin, input.kind) {
                (Origin::File(path), InputKind::Object) => {
                    let name = path.file_name().unwrap_or_default();
                    (name.as_encoded_bytes().to_vec(), read_file(path)?)
                }
                _ => (name.into_os_string().into_encoded_bytes(), runner.host_object(input, output)?),
            });
            Ok(())
        })?;
        let bytes = archive::of_objects(members)?;
        self.write(output, &bytes, inputs)
    }

    /// The architectures that a product is compiled for.
    fn archs(&self, product: Product) -> Vec<Target> {
        let code = &self.session.code;
        match product {
            Product::FatBinary | Product::HostObject => self.all_archs(),
            Product::Text(_) => vec![code.first()],
            Product::Cubin | Product::Relocatable => vec![code.single().0],
        }
    }

    fn all_archs(&self) -> Vec<Target> {
        self.session.code.generations.iter().map(|it| it.arch).collect()
    }

    fn link(&mut self, product: Product, inputs: &[Input], output: &Destination) -> Result<(), Error> {
        let (_, target) = self.session.code.single();
        let mut parts: Vec<PathBuf> = Vec::new();
        let mut wrong = None;
        for input in inputs {
            let part = match (input.kind, &input.origin) {
                (InputKind::Object, Origin::File(path)) => {
                    // Checked before nvlink, whose message would not name the cause.
                    let bytes = read_file(path)?;
                    self.interfaces.iter_mut().for_each(|all| {
                        all.extend(object::interfaces(&input.name(), &bytes, target.sm().into()))
                    });
                    Ok(path.clone())
                }
                (InputKind::Object | InputKind::Source | InputKind::Ptx | InputKind::Host, _) => {
                    self.part(input, output)
                }
            };
            match part {
                Ok(part) => parts.push(part),
                Err(error @ Error::User(UserError::Program(_))) => {
                    if let Some(earlier) = wrong.replace(error) {
                        report::error(&earlier, self.session.format);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = wrong {
            return Err(error);
        }
        // nvlink would find some of these mismatches, with terse messages.
        compare(self.interfaces.as_deref().unwrap_or_default()).report(self.session.format)?;
        let bytes = match product {
            Product::HostObject | Product::FatBinary => self.link_images(product, &parts, output)?,
            Product::Text(_) | Product::Cubin | Product::Relocatable => {
                let made = self.bench.link(&parts, target, None, self.session.resource_usage)?;
                self.linked(&made, output)?
            }
        };
        self.write(output, &bytes, inputs)
    }

    /// A device link: the parts linked for each GPU, in a fat binary, which is wrapped in an object.
    fn link_images(
        &mut self,
        product: Product,
        parts: &[PathBuf],
        output: &Destination,
    ) -> Result<Vec<u8>, Error> {
        let list = self.bench.put("modules.h", &[])?;
        let cubins = self.session.code.images().filter(|(_, kind, _)| *kind == ImageKind::Cubin);
        let targets: Vec<Target> = cubins.map(|(_, _, target)| target).collect();
        let mut images = Vec::new();
        for target in targets {
            let made = self.bench.link(parts, target, Some(&list), self.session.resource_usage)?;
            let bytes = self.linked(&made, output)?;
            images.push(Image { kind: ImageKind::Cubin, target, bytes });
        }
        if images.is_empty() {
            return Err(Message::new("linking makes code for a GPU, but the options name no GPU")
                .help("name one, for example `-arch=sm_90`")
                .user());
        }
        let stem = output.path().and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        let fat_binary = self.bench.fat_binary(&stem, &images, Linking::Linked)?;
        if product == Product::FatBinary {
            return Ok(fat_binary);
        }
        let modules = fs::read_to_string(&list).unwrap_or_default();
        self.bench.link_object(&stem, &fat_binary, &modules)
    }

    /// A relocatable cubin of a source or of PTX, in a file for nvlink.
    fn part(&mut self, input: &Input, output: &Destination) -> Result<PathBuf, Error> {
        self.reported.clear();
        let cubin = self.cubin(input, output, true)?;
        self.save_temp(input, output, "cubin", &cubin)?;
        self.bench.put(&format!("{}.reloc.cubin", stem(input)), &cubin)
    }

    /// Compiles for an architecture, and reports diagnostics that were not reported for another one.
    fn compile(&mut self, input: &Input, text: &[u8], emit: Emit, arch: Target) -> Result<Outputs, Error> {
        let mut settings = self.settings(emit, arch);
        if self.session.is_relocatable() {
            settings.options.unit = Some(unit_name(&input.name(), text, &settings.preprocessing.macros));
        }
        let compiled = pipeline::compile_with(&input.name(), text, emit, &settings);
        let mut outputs = match compiled {
            Ok(outputs) => outputs,
            Err(Error::User(UserError::Program(Diagnostics { list, sources }))) => {
                let mut list = self.take_unreported(&list, &sources);
                limit(&mut list, self.session.max_errors);
                return Err(Error::User(UserError::Program(Diagnostics { list, sources })));
            }
            Err(error) => return Err(error),
        };
        if let (Some(all), Emit::Ptx) = (&mut self.interfaces, emit) {
            all.extend(declared::interface(&input.name(), &outputs.text, &outputs.declared));
        }
        if !outputs.host_stub.is_empty() {
            self.host_stub.get_or_insert(std::mem::take(&mut outputs.host_stub));
        }
        self.times.append(std::mem::take(&mut outputs.times));
        self.headers.extend(std::mem::take(&mut outputs.dependencies));
        self.report(&outputs.diagnostics.list, &outputs.diagnostics.sources);
        Ok(outputs)
    }

    /// The settings for compiling for an architecture.
    fn settings(&self, emit: Emit, arch: Target) -> Settings {
        let Session { settings, work, .. } = self.session;
        let options = weft_lower::Options { target: arch, ..settings.options.clone() };
        let is_text = matches!(work, Work::Each(Product::Text(_), _));
        let is_host_object = matches!(work, Work::Each(Product::HostObject, _) | Work::Archive(..));
        Settings {
            options,
            describe_symbols: emit == Emit::Ptx && !is_text,
            makes_host_stub: emit == Emit::Ptx && is_host_object,
            ..settings.clone()
        }
    }

    /// Reports diagnostics, each once per input.
    fn report(&mut self, list: &[Diagnostic], sources: &SourceMap) {
        let list = self.take_unreported(list, sources);
        report::findings(&list, sources, self.session.format);
    }

    fn take_unreported(&mut self, list: &[Diagnostic], sources: &SourceMap) -> Vec<Diagnostic> {
        let is_new = |it: &&Diagnostic| {
            let shown = render::render(sources, std::slice::from_ref(*it), Format::Short);
            self.reported.insert(shown)
        };
        list.iter().filter(is_new).cloned().collect()
    }

    fn read(&mut self, input: &Input) -> Result<Vec<u8>, Error> {
        self.times.measure("read", || read_input(input))
    }

    fn write(&mut self, output: &Destination, bytes: &[u8], inputs: &[Input]) -> Result<(), Error> {
        if self.session.dry_run {
            return Ok(());
        }
        self.check_apart(output)?;
        self.times.measure("write", || output.write(bytes))?;
        let Some(dependencies) = &self.session.dependencies else { return Ok(()) };
        // Of `-E`, the text may go to standard output.
        let named = output.path().or_else(|| inputs.first()?.path()?.file_name().map(Path::new));
        let beside = || Some(named?.with_extension("d"));
        let Some(place) = dependencies.at.clone().or_else(beside) else { return Ok(()) };
        let place = Destination::File(place);
        self.check_apart(&place)?;
        place.write(&self.rule(dependencies, output, inputs))
    }

    /// Fails if an output overwrites an input or one of its headers.
    fn check_apart(&self, output: &Destination) -> Result<(), Error> {
        let Some(path) = output.path().filter(|path| path.exists()) else { return Ok(()) };
        let headers = self.headers.iter().filter(|header| !headers::is_embedded(&header.name));
        let headers = headers.map(path_of);
        apart::check(None, path, self.session.input_paths().into_iter().chain(headers))
    }

    /// The rule for make: the files that the output was made from. Embedded headers are not files.
    fn rule(&self, dependencies: &Dependencies, output: &Destination, inputs: &[Input]) -> Vec<u8> {
        let wanted = |header: &&Dependency| {
            !headers::is_embedded(&header.name) && (dependencies.with_system || !header.is_system)
        };
        let mut headers: Vec<&Path> = self.headers.iter().filter(wanted).map(path_of).collect();
        // Several linked sources may share headers.
        let mut seen = BTreeSet::new();
        headers.retain(|header| seen.insert(*header));
        let targets = match (&dependencies.targets[..], output) {
            ([], Destination::File(path)) => depfile::escaped(path),
            // As with GCC, the rule is that of the object.
            ([], Destination::Stdout) => match self.session.work {
                Work::Each(Product::Text(Emit::Preprocessed), _) if !dependencies.only => {
                    let stem = inputs.first().map(Input::stem).unwrap_or_default();
                    depfile::escaped(&Path::new(&stem).with_added_extension("o"))
                }
                _ => b"-".to_vec(),
            },
            (names, _) => names.join(" ").into_bytes(),
        };
        let inputs: Vec<&Path> = inputs.iter().filter_map(Input::path).collect();
        depfile::render(&targets, &inputs, &headers, dependencies.phony)
    }

    /// Saves an intermediate file next to the output, if requested.
    fn save_temp(&self, input: &Input, output: &Destination, kind: &str, bytes: &[u8]) -> Result<(), Error> {
        if !self.session.save_temps || self.session.dry_run {
            return Ok(());
        }
        let name = format!("{}.{kind}", stem(input));
        let path = match output {
            _ if self.session.keep_dir.is_some() => {
                self.session.keep_dir.iter().collect::<PathBuf>().join(name)
            }
            Destination::File(path) => path.with_file_name(name),
            Destination::Stdout => PathBuf::from(name),
        };
        // `a.src` linked to `a.cubin`: the relocatable cubin must not replace the output.
        let is_output = *output == Destination::File(path.clone());
        let path = if is_output { path.with_extension(format!("reloc.{kind}")) } else { path };
        let place = Destination::File(path);
        self.check_apart(&place)?;
        place.write(bytes)
    }
}

/// Drops the diagnostics after a number of errors.
fn limit(list: &mut Vec<Diagnostic>, max_errors: Option<NonZeroUsize>) {
    let Some(max_errors) = max_errors else { return };
    let errors = list.iter().enumerate().filter(|(_, it)| it.severity == Severity::Error);
    if let Some((idx, _)) = errors.skip(max_errors.get()).map(|(idx, it)| (idx, it.severity)).next() {
        list.truncate(idx);
    }
}

/// The name of a translation unit that is linked with others: it depends on the unit's content, and not on
/// its folder.
fn unit_name(file: &str, text: &[u8], macros: &[MacroOption]) -> UnitName {
    let options = format!("{macros:?}");
    UnitName::new(file.rsplit('/').next().unwrap_or(file), fnv1a(&[text, options.as_bytes()].concat()))
}

fn stem(input: &Input) -> String {
    input.stem().to_string_lossy().into_owned()
}

/// The path of a header.
fn path_of(header: &Dependency) -> &Path {
    header.path.as_deref().unwrap_or(Path::new(&header.name))
}
