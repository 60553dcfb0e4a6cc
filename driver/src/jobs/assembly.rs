//! Cubins and fat binaries: runs ptxas and nvlink, and reports their messages.
//!
//! In: an input. Out: bytes; messages are reported at their position in the program.

use weft_frontend::diag::Code;

use super::{Runner, stem};
use crate::emit::{Destination, report};
use crate::error::{Error, Message, UserError};
use crate::findings::program::Program;
use crate::findings::tool_message::{Severity, ToolMessage};
use crate::findings::usage::Usage;
use crate::findings::{self, linked, table, usage};
use crate::input::{Input, InputKind};
use crate::pipeline::{Emit, Settings, compile_with};
use crate::session::{Generation, Work};
use crate::toolchain::ImageKind;
use crate::toolchain::steps::{Image, Linking, Made, Ptx};
use weft_lower::target::Target;
use weft_objects::interface::Interface;

/// PTX to assemble.
struct Unit {
    program: Program,
    /// The text.
    ptx: Vec<u8>,
    generation: Generation,
}

impl Runner<'_> {
    /// A cubin for the selected GPU.
    pub(super) fn cubin(
        &mut self,
        input: &Input,
        output: &Destination,
        relocatable: bool,
    ) -> Result<Vec<u8>, Error> {
        let (arch, target) = self.session.code.single();
        let generation = Generation { arch, images: vec![(ImageKind::Cubin, target)] };
        let images = self.images(input, output, vec![generation], relocatable)?;
        let image = images.into_iter().next().expect("invariant: an image was asked for, and made");
        Ok(image.bytes)
    }

    /// A fat binary of all images.
    pub(super) fn fat_binary(
        &mut self,
        input: &Input,
        output: &Destination,
        relocatable: bool,
    ) -> Result<Vec<u8>, Error> {
        let images = self.images(input, output, self.session.code.generations.clone(), relocatable)?;
        let cubins: Vec<&Image> = images.iter().filter(|image| image.kind == ImageKind::Cubin).collect();
        for image in &cubins {
            let kind = if cubins.len() == 1 { "cubin".to_owned() } else { format!("{}.cubin", image.target) };
            self.save_temp(input, output, &kind, &image.bytes)?;
        }
        let linking = if relocatable { Linking::Relocatable } else { Linking::None };
        self.bench.fat_binary(&stem(input), &images, linking)
    }

    fn images(
        &mut self,
        input: &Input,
        output: &Destination,
        generations: Vec<Generation>,
        relocatable: bool,
    ) -> Result<Vec<Image>, Error> {
        let text = self.read(input)?;
        let has_several = generations.len() > 1;
        let mut units = Vec::new();
        for generation in generations {
            let unit = self.unit(input, &text, generation)?;
            if input.kind == InputKind::Source {
                let arch = unit.generation.arch.to_string().replace("sm_", "compute_");
                let kind = if has_several { format!("{arch}.ptx") } else { "ptx".to_owned() };
                self.save_temp(input, output, &kind, &unit.ptx)?;
            }
            units.push(unit);
        }
        let stem = stem(input);
        let is_ours = input.kind == InputKind::Source;
        let is_verbose =
            self.session.resource_usage || units.iter().any(|unit| self.asks_for_usage(&unit.program));
        let cubins: Vec<(usize, Target)> = units
            .iter()
            .enumerate()
            .flat_map(|(idx, unit)| {
                unit.generation.images.iter().map(move |&(kind, target)| (idx, kind, target))
            })
            .filter_map(|(idx, kind, target)| (kind == ImageKind::Cubin).then_some((idx, target)))
            .collect();
        let ptx = |idx: usize| Ptx { stem: &stem, text: &units[idx].ptx, is_ours };
        let jobs: Vec<_> = cubins.iter().map(|&(idx, target)| (ptx(idx), target)).collect();
        let made =
            if jobs.is_empty() { Vec::new() } else { self.bench.assemble(&jobs, relocatable, is_verbose)? };
        let mut images = Vec::new();
        for ((idx, target), made) in cubins.into_iter().zip(made) {
            let bytes = self.assembled(input, &text, &mut units[idx], target, &made)?;
            images.push(Image { kind: ImageKind::Cubin, target, bytes });
        }
        for unit in units {
            let texts = unit.generation.images.iter().filter(|(kind, _)| *kind == ImageKind::Ptx);
            let bytes = &unit.ptx;
            images.extend(texts.map(|&(kind, target)| Image { kind, target, bytes: bytes.clone() }));
            if matches!(self.session.work, Work::Link(..)) {
                self.programs.push(unit.program);
            }
        }
        Ok(images)
    }

    /// The PTX of an input for an architecture.
    fn unit(&mut self, input: &Input, text: &[u8], generation: Generation) -> Result<Unit, Error> {
        let name = input.name();
        if input.kind == InputKind::Source {
            let outputs = self.compile(input, text, Emit::Ptx, generation.arch)?;
            let ptx = outputs.text.clone().into_bytes();
            return Ok(Unit { program: Program::of_source(&name, outputs), ptx, generation });
        }
        // ptxas reports PTX that cannot be parsed.
        let interface = Interface::of_ptx(&name, &String::from_utf8_lossy(text));
        self.interfaces.iter_mut().for_each(|all| all.extend(interface.clone()));
        let program = Program::of_ptx(&name, text, &self.session.settings.levels);
        let program = program.ok_or_else(|| Message::new(format!("`{name}` is too large")).user())?;
        Ok(Unit { program, ptx: text.to_vec(), generation })
    }

    /// Whether the resource usage is needed, so that ptxas must report it.
    fn asks_for_usage(&self, program: &Program) -> bool {
        // ptxas respects a kernel's launch bounds, unless an option overrides them.
        program.wants(Code::Spills)
            || program.wants(Code::LaunchBounds)
                && (!self.session.passed.ptxas.is_empty() || program.has_min_blocks())
    }

    /// Reports ptxas's messages, and returns its output.
    fn assembled(
        &mut self,
        input: &Input,
        text: &[u8],
        unit: &mut Unit,
        target: Target,
        made: &Made,
    ) -> Result<Vec<u8>, Error> {
        let settings = self.settings(Emit::Ptx, unit.generation.arch);
        let program = &mut unit.program;
        let rest = findings::of_assembly(&made.messages, program, &mut || {
            let debug = settings.options.debug.or_lines();
            let options = weft_lower::Options { debug, ..settings.options.clone() };
            let settings = Settings { options, ..settings.clone() };
            let outputs = compile_with(&input.name(), text, Emit::Ptx, &settings).ok()?;
            Some(Program::of_source(&input.name(), outputs))
        });
        let Some(bytes) = &made.bytes else {
            let (list, has_failed) = program.take();
            if has_failed {
                let list = self.take_unreported(&list, program.sources());
                return Err(Error::User(UserError::Program(program.failure(list))));
            }
            self.report(&list, program.sources());
            let ptx = Ptx { stem: &stem(input), text: &unit.ptx, is_ours: input.kind == InputKind::Source };
            let note = rest.made_for.map(|place| format!("the line is in the PTX made for {place}"));
            return Err(self.bench.assembly_failed(ptx, target, made, note));
        };
        let (mut memory, mut all) = usage::read(&made.messages);
        findings::of_usage(&all, target, program);
        let (list, has_failed) = program.take();
        if has_failed {
            let list = self.take_unreported(&list, program.sources());
            return Err(Error::User(UserError::Program(program.failure(list))));
        }
        self.report(&list, program.sources());
        if program.wants(Code::Ptxas) {
            self.report_unplaced("ptxas", &rest.messages);
        }
        self.forward_requested(&made.messages);
        if self.session.resource_usage && !matches!(self.session.work, Work::Link(..)) {
            usage::add_banks(bytes, &mut memory, &mut all);
            self.show_usage(&input.name(), target, (memory, &all), std::slice::from_ref(&unit.program));
        }
        Ok(bytes.clone())
    }

    /// Reports nvlink's messages, and returns its output.
    pub(super) fn linked(&mut self, made: &Made, output: &Destination) -> Result<Vec<u8>, Error> {
        let (_, target) = self.session.code.single();
        let format = self.session.format;
        self.reported.clear();
        let mut programs = std::mem::take(&mut self.programs);
        let unplaced = linked::of_link(&made.messages, &mut programs);
        let mut errors: Vec<Error> = Vec::new();
        for program in &mut programs {
            let (list, has_failed) = program.take();
            if has_failed {
                let list = self.take_unreported(&list, program.sources());
                errors.push(Error::User(UserError::Program(program.failure(list))));
            } else {
                self.report(&list, program.sources());
            }
        }
        unplaced.warnings.iter().for_each(|message| report::warning(message, format));
        errors.extend(unplaced.undefined.into_iter().map(Message::user));
        if made.bytes.is_none() && (unplaced.has_other || errors.is_empty()) {
            errors.push(self.bench.link_failed(made));
        }
        if let Some(last) = errors.pop() {
            errors.iter().for_each(|error| report::error(error, format));
            return Err(last);
        }
        self.forward_requested(&made.messages);
        if self.session.resource_usage {
            let name = match output {
                Destination::Stdout => "-".to_owned(),
                Destination::File(path) => path.display().to_string(),
            };
            let (memory, all) = usage::read(&made.messages);
            self.show_usage(&name, target, (memory, &all), &programs);
        }
        Ok(made.bytes.clone().expect("invariant: a link that failed has an error"))
    }

    fn show_usage(
        &self,
        name: &str,
        target: Target,
        figures: (usage::Memory, &[Usage]),
        programs: &[Program],
    ) {
        let (memory, all) = figures;
        let target = target.to_string();
        report::say(&table::render(name, &target, memory, all, programs, self.session.format));
    }

    /// Reports warnings without a position.
    fn report_unplaced(&self, tool: &str, messages: &[&ToolMessage]) {
        for message in messages.iter().filter(|message| message.severity == Severity::Warning) {
            let message = Message::new(format!("{tool}: {}", findings::phrase(&message.text)));
            report::warning(&message, self.session.format);
        }
    }

    /// Forwards the output that options for ptxas have requested, and text that is not a message.
    fn forward_requested(&self, messages: &[ToolMessage]) {
        let is_asked = self.requests_usage();
        for message in messages {
            let is_forwarded = match message.severity {
                Severity::Info => is_asked,
                Severity::Other => true,
                Severity::Warning | Severity::Error => false,
            };
            if is_forwarded {
                report::note(&message.whole, self.session.format);
            }
        }
    }

    fn requests_usage(&self) -> bool {
        let words = ["-v", "--verbose", "-verbose", "-v2", "--verbose2"];
        self.session.passed.ptxas.iter().any(|arg| words.iter().any(|&word| arg == word))
    }
}
