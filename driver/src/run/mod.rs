//! `weftc run`: runs kernels, and shows their results.
//!
//! In: the command line. Out: the kernel's output and its buffers on standard output, files, and messages. The crate
//! `weft-run` does what a host program does for a kernel.
//!
//! - this file: builds the launch from the inputs, and runs it
//! - `inputs`: reads and compiles the inputs; `texts`: their texts for messages
//! - [`describe`]: the source's description of a kernel's parameters
//! - [`results`]: prints, saves and compares buffers
//! - `json`: prints results as JSON
//! - `expression`: the expression at the position of a fault
//! - `keep_going`: the faults after which a launch continues, and their number
//! - `observe`: profiles and traces, on the terminal and in files
//! - [`fault`]: reports a thread's fault with its source line

pub mod describe;
pub mod fault;
pub mod results;

mod expression;
mod inputs;
mod json;
mod keep_going;
mod observe;
mod texts;

use std::io::{self, IsTerminal};
use std::path::Path;

use weft_emulator::exec::collected::Collected;
use weft_frontend::diag::render::Format;
use weft_run::argument::ArgumentError;
use weft_run::argument::spec::Spec;
use weft_run::device::emulator::Checks;
use weft_run::device::{Backend, Watcher};
use weft_run::profile::Profile;
use weft_run::{Launch, Report};

use crate::args::run::{DeviceKind, RunArgs};
use crate::emit::{apart, report, write_stdout};
use crate::error::{Error, Message, UserError};
use crate::pipeline::{self, Emit, Settings};
use keep_going::Tally;
use observe::{Profiles, Trace};
use results::Results;
use texts::Texts;

/// Runs a kernel as the command line specifies.
///
/// # Errors
///
/// If the program or the request has errors, the kernel faults, or a result differs from the expected one.
pub fn run(args: &RunArgs) -> Result<(), Error> {
    let format = args.compile.format();
    let results = Results::of(args)?;
    let profiles = Profiles::of(args)?;
    check_outputs(args, &results)?;
    let texts = Texts::read(args, format)?;
    let mut launch = with_inputs(Launch::new(), args, &texts)?;
    launch = results.keys().fold(launch, Launch::read_variable);
    launch = with_options(launch, args);
    if profiles.are_wanted() {
        launch = launch.profile();
    }
    let trace = Trace::of(args);
    if let Some(trace) = &trace {
        launch = trace.attach(launch);
    }
    let is_traced_here = trace.as_ref().is_some_and(Trace::is_on_terminal);
    let Watched { report: outcome, faults, stopped, written } =
        watched(&launch, args.device, is_traced_here, format);
    // Also if the kernel was stopped.
    let traced = trace.map_or(Ok(()), Trace::finish);
    let profiled =
        stopped.map_or(Ok(()), |(kernel, profile)| profiles.write(&kernel, &profile, args, &texts));
    let tally = Tally::report(outcome.as_ref().map_or(&faults, |report| &report.faults), &texts, format);
    let shown = outcome.map_err(|error| failure(error, &texts)).and_then(|report| {
        traced.and(profiled).and(written)?;
        let shown = results.show(&report, args, format);
        if let Some(profile) = &report.profile {
            profiles.write(&report.kernel, profile, args, &texts)?;
        }
        shown
    });
    tally.conclude(shown, format)
}

/// Adds the program, the arguments and the variables.
fn with_inputs(mut launch: Launch, args: &RunArgs, texts: &Texts) -> Result<Launch, Error> {
    for module in &texts.modules {
        launch = launch.module(&*module.name, &*module.ptx);
        for kernel in &module.kernels {
            launch = launch.parameters(&*kernel.symbol, kernel.parameters.clone());
            launch = launch.pointees(&*kernel.symbol, kernel.pointees.clone());
        }
        launch = module.variables.iter().cloned().fold(launch, Launch::variable);
    }
    launch = args.arguments.iter().fold(launch, Launch::arg_text);
    launch = args.bindings.iter().fold(launch, Launch::bind_text);
    Ok(settings(args)?.into_iter().fold(launch, Launch::set_text))
}

/// Sets the kernel, the shape, and the options of the launch.
fn with_options(mut launch: Launch, args: &RunArgs) -> Launch {
    launch = launch.grid(args.grid).block(args.block).shared(args.shared).seed(args.seed);
    launch = launch.memory(args.memory).checks(checks(args));
    if let Some(kernel) = &args.kernel {
        launch = launch.kernel(kernel);
    }
    if args.cooperative {
        launch = launch.cooperative();
    }
    if let Some(n_instructions) = args.max_steps {
        launch = launch.max_steps((n_instructions != 0).then_some(n_instructions));
    }
    if let Some(seed) = args.schedule {
        launch = launch.schedule(seed);
    }
    if let Some(n_workers) = args.jobs {
        launch = launch.workers(n_workers);
    }
    if let Some(n_launches) = args.time {
        launch = launch.time(n_launches);
    }
    if args.keep_going {
        launch = launch.keep_going();
    }
    launch
}

/// The enabled checks.
fn checks(args: &RunArgs) -> Checks {
    Checks {
        races: args.races,
        same_value_races: !args.no_same_value_races,
        volatile_races: args.volatile_races,
        divergent_barriers: !args.no_barrier_check,
        ..Checks::USUAL
    }
}

/// Fails if an output file is an input, or is written twice.
fn check_outputs(args: &RunArgs, results: &Results) -> Result<(), Error> {
    let saves = results.saved_files().map(|path| ("--save", path));
    let trace = args.trace.iter().map(|path| ("--trace", path.as_path()));
    let profiles = args.profile.iter().map(|path| ("--profile", path.as_path()));
    let outputs: Vec<(&str, &Path)> = saves
        .chain(trace)
        .chain(profiles)
        .filter(|(_, path)| *path != Path::new("-") && !is_device(path))
        .collect();
    let values = args.bindings.iter().chain(&args.settings).filter_map(|text| Some(text.split_once('=')?.1));
    let values = args.arguments.iter().map(String::as_str).chain(values);
    // Malformed arguments are reported when they are parsed for the launch.
    let values: Vec<Spec> = values.filter_map(|text| Spec::parse(text).ok()).collect();
    let files = values.iter().flat_map(Spec::files).chain(results.expected_files());
    let inputs: Vec<&Path> = args.inputs.iter().map(|input| input.as_path()).chain(files).collect();
    for (option, path) in &outputs {
        apart::check(Some(option), path, inputs.iter().copied())?;
    }
    apart::check_outputs(&outputs)
}

/// Whether several outputs may be written to it.
fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file())
}

/// A launch of the kernels of a source program, which is compiled. `name` is its name in messages.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let source = "__global__ void twice(float *x) { x[threadIdx.x] *= 2; }";
/// let launch = weft_driver::launch("twice.src", source, &weft_driver::options())?;
/// let report = launch.block(3).arg(vec![1.0_f32, 2.0, 3.0]).run()?;
/// assert_eq!(report.buffer("x").to_vec::<f32>(), [2.0, 4.0, 6.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Like [`crate::compile`].
pub fn launch(name: &str, text: impl Into<Vec<u8>>, options: &weft_lower::Options) -> Result<Launch, Error> {
    // So that faults and profiles can name lines and variables of the source; this changes no instruction.
    let options = weft_lower::Options {
        debug: options.debug.for_emulator(options.opt_level),
        debug_paths: weft_lower::DebugPaths::default(),
        ..options.clone()
    };
    let settings = Settings { describe_kernels: true, ..Settings::new(options) };
    let outputs = pipeline::compile_with(name, text, Emit::Ptx, &settings)?;
    let launch = Launch::new().module(format!("{name} (PTX)"), outputs.text);
    let launch = outputs.variables.into_iter().fold(launch, Launch::variable);
    Ok(outputs.kernels.into_iter().fold(launch, |launch, kernel| {
        launch.pointees(&*kernel.symbol, kernel.pointees).parameters(kernel.symbol, kernel.parameters)
    }))
}

/// The variables to set, as `NAME=VALUE`.
fn settings(args: &RunArgs) -> Result<Vec<&String>, Error> {
    let is_pair = |text: &&String| {
        text.split_once('=').is_some_and(|(name, value)| !name.trim().is_empty() && !value.is_empty())
    };
    match args.settings.iter().find(|text| !is_pair(text)) {
        None => Ok(args.settings.iter().collect()),
        Some(text) => Err(Message::new(format!("`--set {text}`: expected a variable, `=` and a value"))
            .help("for example `--set n=5` or `--set filter=@f.npy`")
            .user()),
    }
}

/// Runs the kernel, showing its progress unless a trace goes to the terminal. A stopped kernel has a profile
/// until then, if it is profiled.
fn watched(launch: &Launch, device: DeviceKind, is_traced_here: bool, format: Format) -> Watched {
    let backend = match device {
        DeviceKind::Emulator => Backend::Emulator,
        DeviceKind::Gpu => Backend::Gpu,
    };
    let has_progress = io::stderr().is_terminal() && !is_traced_here;
    let mut terminal = Terminal {
        has_progress,
        is_line_shown: false,
        is_line_open: false,
        faults: Collected::default(),
        stopped: None,
        written: Ok(()),
        format,
    };
    let report = launch.clone().backend(backend).run_watched(&mut terminal);
    terminal.clear();
    Watched { report, faults: terminal.faults, stopped: terminal.stopped, written: terminal.written }
}

/// The outcome of a launch.
struct Watched {
    report: Result<Report, weft_run::Error>,
    /// The faults after which a kernel continued, before it was stopped.
    faults: Collected,
    /// A stopped kernel, and its profile until then.
    stopped: Option<(String, Profile)>,
    /// The result of writing the kernel's output.
    written: Result<(), Error>,
}

/// Writes the output of kernels to standard output and, on a terminal, their progress to standard error: a
/// line that is overwritten and finally erased.
struct Terminal {
    has_progress: bool,
    is_line_shown: bool,
    /// Whether the last output has not ended its line, which then must not be overwritten.
    is_line_open: bool,
    /// The faults after which the kernel continued, before it was stopped.
    faults: Collected,
    /// The stopped kernel, and its profile until then.
    stopped: Option<(String, Profile)>,
    /// The result of writing the output.
    written: Result<(), Error>,
    format: Format,
}

impl Terminal {
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_line_shown) {
            report::say("\r\x1b[K");
        }
    }
}

impl Watcher for Terminal {
    fn printed(&mut self, text: &[u8]) {
        self.clear();
        self.is_line_open = text.last() != Some(&b'\n');
        // The first failure is reported.
        if self.written.is_ok() {
            self.written = write_stdout(text);
        }
    }

    fn progress(&mut self, n_ended: u64, n_blocks: u64) {
        if self.has_progress && !self.is_line_open {
            self.is_line_shown = true;
            let percent = n_ended * 100 / n_blocks.max(1);
            report::say(&format!("\r\x1b[Krunning: {n_ended} of {n_blocks} blocks, {percent} %"));
        }
    }

    fn noted(&mut self, note: &str) {
        report::aside(&Message::new(note), self.format);
    }

    fn went_on(&mut self, faults: Collected) {
        self.faults = faults;
    }

    fn stopped(&mut self, kernel: &str, profile: Profile) {
        self.stopped = Some((kernel.to_owned(), profile));
    }
}

/// The failure of a run, with its message.
fn failure(error: weft_run::Error, texts: &Texts) -> Error {
    let is_environment = error.is_environment();
    let message = match error {
        weft_run::Error::Fault(fault) => {
            return Error::User(UserError::Fault(Box::new(fault::FaultReport::new(&fault, texts))));
        }
        weft_run::Error::Kernel(error) => {
            let message = Message::new(error.message);
            match error.similar {
                Some(similar) => message.help(format!("did you mean `{similar}`?")),
                None if error.kernels.is_empty() => message.help("a kernel is declared `__global__`"),
                None => message.help(format!("available: {}", error.kernels.join(", "))),
            }
        }
        weft_run::Error::Argument(index, error) => argument_message(format!("argument {index}"), &error),
        weft_run::Error::Name(error) => advised(Message::new(&error.message), &error),
        weft_run::Error::Variable(name, error) => argument_message(format!("variable `{name}`"), &error),
        weft_run::Error::Device { message, help } => {
            let message = Message::new(message);
            help.into_iter().fold(message, Message::help)
        }
        weft_run::Error::Module { .. } | weft_run::Error::Launch(_) | weft_run::Error::File { .. } => {
            Message::new(error.to_string())
        }
    };
    if is_environment { message.environment() } else { message.user() }
}

fn argument_message(what: String, error: &ArgumentError) -> Message {
    advised(Message::new(format!("{what}: {}", error.message)), error)
}

/// A message with the text position and the advice of an error.
fn advised(message: Message, error: &ArgumentError) -> Message {
    let message =
        if error.text.is_empty() { message } else { message.note(format!("in\n{}", error.excerpt())) };
    error.help.iter().fold(message, |message, help| message.help(help))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_program_can_be_run_from_its_text() {
        let source = "struct Scale { short by; float plus; };
            __global__ void scale(const float *x, struct Scale scale, float *y)
            {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                y[i] = x[i] * scale.by + scale.plus;
            }";
        let launch = crate::launch("scale.src", source, &crate::options()).expect("it is a program");
        let launch = launch.grid(2).block(2).arg(vec![1.0_f32, 2.0, 3.0, 4.0]).arg_text("{-2, 0.5}");
        let report = launch.arg_text("[4]").run().expect("it runs");
        assert_eq!(report.buffer("y").to_vec::<f32>(), [-1.5, -3.5, -5.5, -7.5]);
        assert_eq!(report.buffer(0), report.buffer("x"));
        assert!(report.buffers[0].is_const && !report.buffers[0].is_changed);
    }

    /// A 64 x 64 matrix, in 4 blocks of 8 warps; each thread moves 4 elements.
    #[test]
    fn a_profile_names_lines_of_the_source() {
        let source = include_str!("../../../examples/transpose.src");
        let launch = crate::launch("transpose.src", source, &crate::options()).expect("it is a program");
        let launch = launch.grid((2, 2)).block((32, 8)).arg(64_i32).arg(64_i32).arg(vec![1.0_f32; 4096]);
        let report = launch.arg_text("[4096]").profile().run().expect("it runs");
        let profile = report.profile();
        let (rows, columns) = (profile.line("transpose.src", 29), profile.line("transpose.src", 37));
        // Rows are stored to shared memory, and columns loaded, which are padded by one element.
        assert_eq!((rows.shared.n_requests, rows.shared.n_conflicts()), (128, 0));
        assert_eq!((columns.shared.n_requests, columns.shared.n_conflicts()), (128, 0));
        assert_eq!((rows.global.n_sectors, columns.global.n_sectors), (512, 512));
        assert_eq!(profile.total().global.efficiency(), Some(1.0));
        assert_eq!(profile.total().branches.n_divergent, 0);
    }
}
