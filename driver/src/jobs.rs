//! Outputs of inputs: the compiler's texts, and what NVIDIA's programs make of them.
//!
//! In: a [`Session`]. Out: the outputs in their places and the warnings told. The first failure ends
//! the run, but a wrong source does not: the other sources are still compiled, so that one run
//! shows all mistakes.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use weft_frontend::Dependency;

use crate::abi::compare::compare;
use crate::abi::interface::Interface;
use crate::abi::object;
use crate::emit::times::Times;
use crate::emit::{Destination, depfile, report};
use crate::error::{Error, Message, UserError};
use crate::headers;
use crate::pipeline::{self, Emit, Settings};
use crate::session::{Dependencies, Input, InputKind, Origin, Product, Session, Work};
use crate::toolchain::steps::{Ptx, Workbench};

/// Does the work.
///
/// # Errors
/// The first failure that ended the run, or the last of several wrong sources.
pub fn run(session: &Session, times: &mut Times) -> Result<(), Error> {
    let mut runner = Runner {
        session,
        bench: Workbench::new(
            &session.settings.options,
            session.settings.dialect.model,
            &session.tools,
            &session.ptxas_args,
            session.verbose,
        ),
        times: Times::default(),
        headers: Vec::new(),
        interfaces: matches!(session.work, Work::Link(..)).then(Vec::new),
    };
    let result = match &session.work {
        Work::Each(product, jobs) => runner.each(*product, jobs),
        Work::Link(inputs, output) => runner.link(inputs, output),
        Work::Check(inputs) => runner.check(inputs),
    };
    times.append(runner.times);
    times.append(runner.bench.times);
    result
}

/// Reads a file whole.
///
/// # Errors
/// Names the file and the cause.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| Message::file("read", path, &error).environment())
}

struct Runner<'s> {
    session: &'s Session,
    bench: Workbench<'s>,
    times: Times,
    /// What the outputs in work were made from besides their inputs.
    headers: Vec<Dependency>,
    /// What inputs that are to be linked say of their symbols; none where nothing is linked.
    interfaces: Option<Vec<Interface>>,
}

impl Runner<'_> {
    fn each(&mut self, product: Product, jobs: &[(Input, Destination)]) -> Result<(), Error> {
        self.all(jobs, |runner, (input, output)| runner.one(product, input, output))
    }

    fn check(&mut self, inputs: &[Input]) -> Result<(), Error> {
        self.all(inputs, |runner, input| runner.compile(input, Emit::Nothing).map(drop))
    }

    /// Does the same for each; a wrong source ends the run only after the others have been looked at.
    fn all<T>(
        &mut self,
        jobs: &[T],
        mut work: impl FnMut(&mut Self, &T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut wrong = None;
        for job in jobs {
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
                self.compile(input, Emit::Preprocessed)?;
            }
            let rule = self.rule(dependencies, output, std::slice::from_ref(input));
            let place = dependencies.at.clone().map_or(Destination::Stdout, Destination::File);
            return place.write(rule.as_bytes());
        }
        let bytes = match product {
            Product::Text(emit) => self.compile(input, emit)?.into_bytes(),
            Product::Cubin => self.assemble(input, output, false)?,
            Product::Relocatable => self.assemble(input, output, true)?,
            Product::HostObject => {
                let cubin = self.assemble(input, output, true)?;
                self.save_temp(input, output, "cubin", &cubin)?;
                self.bench.host_object(&stem(input), &cubin)?
            }
        };
        self.write(output, &bytes, std::slice::from_ref(input))
    }

    fn link(&mut self, inputs: &[Input], output: &Destination) -> Result<(), Error> {
        let mut parts: Vec<PathBuf> = Vec::new();
        let mut wrong = None;
        for input in inputs {
            let part = match (input.kind, &input.origin) {
                (InputKind::Object, Origin::File(path)) => {
                    // Before nvlink, whose message would name no cause.
                    let bytes = read_file(path)?;
                    let target = self.session.settings.options.target;
                    self.interfaces
                        .iter_mut()
                        .for_each(|all| all.extend(object::interfaces(&input.name(), &bytes, target)));
                    Ok(path.clone())
                }
                (InputKind::Object | InputKind::Source | InputKind::Ptx, _) => self.part(input, output),
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
        // nvlink would find some of what is wrong, and say little of it.
        compare(self.interfaces.as_deref().unwrap_or_default()).tell(self.session.format)?;
        let cubin = self.bench.link(&parts)?;
        self.write(output, &cubin, inputs)
    }

    /// A relocatable cubin of a source or of PTX, where nvlink can read it.
    fn part(&mut self, input: &Input, output: &Destination) -> Result<PathBuf, Error> {
        let cubin = self.assemble(input, output, true)?;
        self.save_temp(input, output, "cubin", &cubin)?;
        self.bench.put(&format!("{}.reloc.cubin", stem(input)), &cubin)
    }

    fn assemble(&mut self, input: &Input, output: &Destination, relocatable: bool) -> Result<Vec<u8>, Error> {
        let is_ours = input.kind == InputKind::Source;
        let text = if is_ours {
            let text = self.compile(input, Emit::Ptx)?.into_bytes();
            self.save_temp(input, output, "ptx", &text)?;
            text
        } else {
            let text = self.read(input)?;
            // What cannot be read is for ptxas to judge.
            let interface = Interface::of_ptx(&input.name(), &String::from_utf8_lossy(&text));
            self.interfaces.iter_mut().for_each(|all| all.extend(interface.clone()));
            text
        };
        self.bench.assemble(Ptx { stem: &stem(input), text: &text, is_ours }, relocatable)
    }

    fn compile(&mut self, input: &Input, emit: Emit) -> Result<String, Error> {
        let text = self.read(input)?;
        let Session { settings, format, .. } = self.session;
        let settings = Settings { describe_symbols: self.interfaces.is_some(), ..settings.clone() };
        let outputs = pipeline::compile_with(&input.name(), text, emit, &settings)?;
        if let (Some(all), Emit::Ptx) = (&mut self.interfaces, emit) {
            all.extend(Interface::of_source(&input.name(), &outputs.text, &outputs.declared));
        }
        self.times.append(outputs.times);
        self.headers.extend(outputs.dependencies);
        report::diagnostics(&outputs.diagnostics, *format);
        Ok(outputs.text)
    }

    fn read(&mut self, input: &Input) -> Result<Vec<u8>, Error> {
        self.times.measure("read", || match &input.origin {
            Origin::File(path) => read_file(path),
            Origin::Stdin => {
                let mut text = Vec::new();
                let read = io::stdin().lock().read_to_end(&mut text);
                read.map_err(|error| {
                    Message::file("read", Path::new("standard input"), &error).environment()
                })?;
                Ok(text)
            }
        })
    }

    fn write(&mut self, output: &Destination, bytes: &[u8], inputs: &[Input]) -> Result<(), Error> {
        self.times.measure("write", || output.write(bytes))?;
        let (Some(dependencies), Destination::File(target)) = (&self.session.dependencies, output) else {
            return Ok(());
        };
        let place = dependencies.at.clone().unwrap_or_else(|| target.with_extension("d"));
        Destination::File(place).write(self.rule(dependencies, output, inputs).as_bytes())
    }

    /// The rule for make: what the output was made from. What is within the compiler is no file.
    fn rule(&self, dependencies: &Dependencies, output: &Destination, inputs: &[Input]) -> String {
        let inputs = inputs.iter().filter_map(|input| match &input.origin {
            Origin::File(path) => Some(path.as_path()),
            Origin::Stdin => None,
        });
        let wanted = |header: &&Dependency| {
            !headers::is_embedded(&header.name) && (dependencies.with_system || !header.is_system)
        };
        let mut headers: Vec<&Path> =
            self.headers.iter().filter(wanted).map(|header| Path::new(&header.name)).collect();
        // Linked of several sources, which may have headers in common.
        let mut seen = BTreeSet::new();
        headers.retain(|header| seen.insert(*header));
        let targets = match (&dependencies.targets[..], output) {
            ([], Destination::File(path)) => depfile::escaped(path),
            ([], Destination::Stdout) => "-".to_owned(),
            (names, _) => names.join(" "),
        };
        depfile::render(&targets, &inputs.collect::<Vec<_>>(), &headers, dependencies.phony)
    }

    /// What is made on the way, beside the output, if it is to stay.
    fn save_temp(&self, input: &Input, output: &Destination, kind: &str, bytes: &[u8]) -> Result<(), Error> {
        if !self.session.save_temps {
            return Ok(());
        }
        let name = format!("{}.{kind}", stem(input));
        let path = match output {
            Destination::File(path) => path.with_file_name(name),
            Destination::Stdout => PathBuf::from(name),
        };
        // `a.src` linked to `a.cubin`: the relocatable one must not take the output's place.
        let is_output = *output == Destination::File(path.clone());
        let path = if is_output { path.with_extension(format!("reloc.{kind}")) } else { path };
        Destination::File(path).write(bytes)
    }
}

fn stem(input: &Input) -> String {
    input.stem().to_string_lossy().into_owned()
}
