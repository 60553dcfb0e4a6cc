//! Runs of kernels: how they are specified, and how they are executed.
//!
//! - this file: arguments, options and the launch
//! - `placed`: buffers on the device, and the bytes of arguments
//! - `variables`: variables to set and read
//! - `names`: the names of functions, buffers and variables in messages

mod names;
mod placed;
mod variables;

use std::collections::BTreeMap;
use std::io::Write;
use std::mem;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use weft_emulator::exec::names::Layout;
use weft_emulator::exec::trace::Tracer;
use weft_emulator::memory::host::HostMemory;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;
use weft_emulator::ptx::syntax::Module;

use crate::argument::{Argument, ArgumentError, Spec, Surroundings, Value};
use crate::device::emulator::{Checks, Emulator, EmulatorOptions, no_room};
use crate::device::gpu::Gpu;
use crate::device::{Backend, Console, Device, Shape, Watcher};
use crate::error::Error;
use crate::kernel;
use crate::parameter::{Parameter, ParameterType};
use crate::print_calls::Recorder;
use crate::report::Report;
use crate::trace::{Trace, TraceFilter};
use crate::variable::Variable;
use placed::{Placed, Problem};

/// The emulator's default memory size, in bytes.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// A builder for a run of a kernel.
///
/// Running it does not change it: it can be run again, or with another argument.
#[derive(Clone, Debug)]
#[must_use = "it does nothing until it is run"]
pub struct Launch {
    modules: Vec<(String, String)>,
    kernel: Option<String>,
    shape: Shape,
    arguments: Vec<Given>,
    /// Textures and surfaces to bind to variables, as texts.
    bindings: Vec<String>,
    /// The variables to set, by name.
    settings: Vec<(String, Given)>,
    /// The variables to read after the launch, by name.
    reads: Vec<String>,
    parameters: BTreeMap<String, Vec<Parameter>>,
    /// The layout of what the parameters point to, by kernel symbol.
    pointees: BTreeMap<String, Vec<Option<Layout>>>,
    /// The variables of the source, by symbol.
    variables: BTreeMap<String, Variable>,
    folder: PathBuf,
    seed: u64,
    memory: u64,
    backend: Backend,
    emulator: EmulatorOptions,
    trace: Option<Trace>,
    keeps_print_calls: bool,
    n_timed: u32,
}

/// An argument: a value or a text.
#[derive(Clone, Debug)]
enum Given {
    Text(String),
    Value(Argument),
}

/// The number of blocks or threads along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(pub [u32; 3]);

impl From<u32> for Extent {
    fn from(x: u32) -> Self {
        Extent([x, 1, 1])
    }
}

impl From<(u32, u32)> for Extent {
    fn from((x, y): (u32, u32)) -> Self {
        Extent([x, y, 1])
    }
}

impl From<(u32, u32, u32)> for Extent {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Extent([x, y, z])
    }
}

impl From<[u32; 3]> for Extent {
    fn from(all: [u32; 3]) -> Self {
        Extent(all)
    }
}

impl Default for Launch {
    fn default() -> Self {
        Launch::new()
    }
}

impl Launch {
    /// A launch of one block with one thread, without modules.
    pub fn new() -> Self {
        Launch {
            modules: Vec::new(),
            kernel: None,
            shape: Shape { grid: [1; 3], block: [1; 3], shared: 0, is_cooperative: false },
            arguments: Vec::new(),
            bindings: Vec::new(),
            settings: Vec::new(),
            reads: Vec::new(),
            parameters: BTreeMap::new(),
            pointees: BTreeMap::new(),
            variables: BTreeMap::new(),
            folder: PathBuf::new(),
            seed: 0,
            memory: DEFAULT_MEMORY,
            backend: Backend::default(),
            emulator: EmulatorOptions::default(),
            trace: None,
            keeps_print_calls: false,
            n_timed: 0,
        }
    }

    /// Adds a module: its name in messages, and its PTX. Several modules are linked.
    pub fn module(mut self, name: impl Into<String>, ptx: impl Into<String>) -> Self {
        self.modules.push((name.into(), ptx.into()));
        self
    }

    /// Sets the kernel, by its symbol or its source name. Optional if there is only one.
    pub fn kernel(mut self, name: impl Into<String>) -> Self {
        self.kernel = Some(name.into());
        self
    }

    /// Sets the number of blocks: `4`, `(4, 2)`, `(4, 2, 2)`.
    pub fn grid(mut self, blocks: impl Into<Extent>) -> Self {
        self.shape.grid = blocks.into().0;
        self
    }

    /// Sets the number of threads per block: `256`, `(16, 16)`, `(8, 8, 4)`.
    pub fn block(mut self, threads: impl Into<Extent>) -> Self {
        self.shape.block = threads.into().0;
        self
    }

    /// Sets the dynamic shared memory per block, in bytes.
    pub fn shared(mut self, n_bytes: u64) -> Self {
        self.shape.shared = n_bytes;
        self
    }

    /// Adds an argument: a number of a Rust type, elements, which become a buffer, or an [`Argument`].
    pub fn arg(mut self, argument: impl Into<Argument>) -> Self {
        self.arguments.push(Given::Value(argument.into()));
        self
    }

    /// Launches cooperatively, like `cudaLaunchCooperativeKernel`: all blocks run at the same time, and can
    /// synchronize with `grid.sync()` of CUDA's cooperative groups.
    pub fn cooperative(mut self) -> Self {
        self.shape.is_cooperative = true;
        self
    }

    /// Adds an argument as a text, by the grammar in [`crate::argument`]. [`Launch::run`] reports errors in
    /// it.
    pub fn arg_text(mut self, text: impl Into<String>) -> Self {
        self.arguments.push(Given::Text(text.into()));
        self
    }

    /// Binds a texture or surface to a variable of the modules (`.global .texref t`), with a text such as
    /// `t=texture(f32[4]=iota)`, by the grammar in [`crate::argument`]. The name is the symbol.
    /// [`Launch::run`] reports errors in it.
    pub fn bind_text(mut self, text: impl Into<String>) -> Self {
        self.bindings.push(text.into());
        self
    }

    /// Sets a `__device__`, `__constant__` or `__managed__` variable before the launch, by its name in the source
    /// (`ns::n`) or in PTX: to a number, the elements of an array, or an [`Argument`]. A buffer for a pointer is
    /// allocated, and its address is stored. The report has the value of the variable after the launch.
    ///
    /// ```
    /// use weft_run::Launch;
    ///
    /// const COUNT: &str = "
    /// .version 6.4
    /// .target sm_75
    /// .address_size 64
    /// .visible .global .u32 count;
    /// .visible .const .f32 factors[2];
    /// .visible .entry next(.param .u64 out)
    /// {
    ///     .reg .b32 %r; .reg .f32 %f; .reg .b64 %rd;
    ///     ld.param.u64 %rd, [out];
    ///     ld.const.f32 %f, [factors+4];
    ///     st.global.f32 [%rd], %f;
    ///     ld.global.u32 %r, [count];
    ///     add.u32 %r, %r, 1;
    ///     st.global.u32 [count], %r;
    ///     ret;
    /// }";
    ///
    /// # fn main() -> Result<(), weft_run::Error> {
    /// let launch = Launch::new().module("count.ptx", COUNT).arg_text("out=f32[1]");
    /// let report = launch.set("count", 41_u32).set_text("factors={1, 2.5}").run()?;
    /// assert_eq!(report.buffer("count").to_vec::<u32>(), [42]);
    /// assert_eq!(report.buffer("out").to_vec::<f32>(), [2.5]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set(mut self, name: impl Into<String>, value: impl Into<Argument>) -> Self {
        self.settings.push((name.into(), Given::Value(value.into())));
        self
    }

    /// Sets a variable from a text, `n=5` or `filter=@f.npy`: the name and an argument by the grammar in
    /// [`crate::argument`], or, for an array, contents by [`crate::argument::Expected`]. [`Launch::run`]
    /// reports errors in it.
    pub fn set_text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        let (name, value) = text.split_once('=').unwrap_or((&text, ""));
        self.settings.push((name.trim().to_owned(), Given::Text(value.to_owned())));
        self
    }

    /// Reads a variable after the launch, for the report. A buffer of the launch with the same name takes
    /// precedence; `::name` always means the variable.
    pub fn read_variable(mut self, name: impl Into<String>) -> Self {
        self.reads.push(name.into());
        self
    }

    /// Sets the types that a kernel's parameters point to, so that messages can name elements: `in[3500]`.
    pub fn pointees(mut self, symbol: impl Into<String>, pointees: Vec<Option<Layout>>) -> Self {
        self.pointees.insert(symbol.into(), pointees);
        self
    }

    /// Adds the source's description of a variable.
    pub fn variable(mut self, variable: Variable) -> Self {
        self.variables.insert(variable.symbol.clone(), variable);
        self
    }

    /// Sets the source's description of the parameters of the kernel with this symbol: their names and types.
    pub fn parameters(mut self, symbol: impl Into<String>, parameters: Vec<Parameter>) -> Self {
        self.parameters.insert(symbol.into(), parameters);
        self
    }

    /// Sets the folder that paths in argument texts are relative to; by default the working directory.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Sets the seed of random contents without one.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the device memory for buffers and for `malloc`, in bytes. The emulator takes it, and what it
    /// records about it, from the host's memory: if the host has less, running the kernel fails.
    pub fn memory(mut self, n_bytes: u64) -> Self {
        self.memory = n_bytes;
        self
    }

    /// Limits the instructions that each warp may execute, which ends infinite loops; `None` for no limit. An
    /// instruction that several threads of a warp execute together counts once.
    pub fn max_steps(mut self, n_instructions: Option<u64>) -> Self {
        self.emulator.step_limit = n_instructions;
        self
    }

    /// Randomizes the order of blocks and warps; by default the order is ascending.
    pub fn schedule(mut self, seed: u64) -> Self {
        self.emulator.schedule = Some(seed);
        self
    }

    /// Sets the number of cores to run blocks on; by default all.
    pub fn workers(mut self, n: NonZeroUsize) -> Self {
        self.emulator.n_workers = Some(n);
        self
    }

    /// Sets the checks besides those that are always on: [`Checks::ALL`] includes races.
    pub fn checks(mut self, checks: Checks) -> Self {
        self.emulator.checks = checks;
        self
    }

    /// Continues after a thread's fault, like compute-sanitizer: an invalid access, a use of an undefined value, a
    /// race. An invalid load returns zero, and an invalid store or atomic operation does nothing. [`Report::faults`]
    /// has each distinct fault once, in the same order on any number of cores. Any other fault still is an error;
    /// then [`Watcher::went_on`] receives the faults before it. Only the emulator supports this.
    ///
    /// ```
    /// use weft_run::Launch;
    ///
    /// const STORE: &str = "
    /// .version 6.4
    /// .target sm_75
    /// .address_size 64
    /// .visible .entry store(.param .u64 out)
    /// {
    ///     .reg .b32 %r; .reg .b64 %rd<3>;
    ///     ld.param.u64 %rd1, [out];
    ///     mov.u32 %r, %tid.x;
    ///     mul.wide.u32 %rd2, %r, 4;
    ///     add.u64 %rd1, %rd1, %rd2;
    ///     st.global.u32 [%rd1], %r;
    ///     ret;
    /// }";
    ///
    /// # fn main() -> Result<(), weft_run::Error> {
    /// let launch = Launch::new().module("store.ptx", STORE).block(32).arg_text("out=u32[30]").keep_going();
    /// let report = launch.run()?;
    /// let [fault] = &report.faults.distinct[..] else { panic!("two threads make the same mistake") };
    /// assert_eq!((fault.n_times, fault.n_threads), (2, 2));
    /// assert!(fault.fault.to_string().contains("`out[30]` is just past the end of `out`"));
    /// assert_eq!(report.buffer("out").to_vec::<u32>(), (0..30).collect::<Vec<u32>>());
    /// # Ok(())
    /// # }
    /// ```
    pub fn keep_going(mut self) -> Self {
        self.emulator.keeps_going = true;
        self
    }

    /// Counts executed instructions, for [`Report::profile`]. Only the emulator supports this.
    pub fn profile(mut self) -> Self {
        self.emulator.is_profiled = true;
        self
    }

    /// Writes a line for each instruction that a warp executes and the filter accepts, as it is executed.
    /// Only the emulator supports this, and runs on one core.
    pub fn trace(mut self, filter: TraceFilter, out: impl Write + Send + 'static) -> Self {
        self.trace = Some(Trace::new(filter, out));
        self
    }

    /// Records the calls of `vprintf`, for [`Report::print_calls`]. Only the emulator supports this, and runs
    /// on one core.
    pub fn keep_print_calls(mut self) -> Self {
        self.keeps_print_calls = true;
        self
    }

    /// Repeats the launch `n_launches` times after its results are read, and measures each: [`Report::times`]. Only a GPU does that.
    pub fn time(mut self, n_launches: u32) -> Self {
        self.n_timed = n_launches;
        self
    }

    /// Where it runs; on the emulator, if nothing is said.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Runs the kernel.
    ///
    /// # Errors
    ///
    /// If the modules, the kernel's name, the arguments or the launch are invalid, or a thread faults.
    pub fn run(&self) -> Result<Report, Error> {
        let mut console = Console::default();
        let mut report = self.run_watched(&mut console)?;
        report.printed = console.into_bytes();
        Ok(report)
    }

    /// Runs the kernel, and reports events as they happen; then the output is not in the report.
    ///
    /// # Errors
    ///
    /// Like [`Launch::run`].
    pub fn run_watched(&self, watcher: &mut dyn Watcher) -> Result<Report, Error> {
        let trees = self.trees()?;
        let host = Arc::new(HostMemory::available());
        if self.backend == Backend::Gpu {
            if self.emulator.keeps_going {
                let message = "only the emulator can continue after a fault";
                return Err(Error::Launch(message.to_owned()));
            }
            if self.emulator.is_profiled || self.trace.is_some() || self.keeps_print_calls {
                let message = "only the emulator can profile and trace instructions";
                return Err(Error::Launch(message.to_owned()));
            }
            let modules: Vec<(&str, &str)> =
                self.modules.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            return self.run_on(&trees, &mut Gpu::new(&modules)?, &host, watcher);
        }
        if self.n_timed > 0 {
            return Err(Error::Launch("only a GPU can time launches; use `--device gpu`".to_owned()));
        }
        let texts = self.modules.iter().zip(&trees);
        let inputs: Vec<Input<'_, '_>> =
            texts.map(|((name, text), module)| Input { name, text, module }).collect();
        let program = link(&inputs).map_err(|error| Error::Module {
            module: error.module,
            at: Some(error.at),
            message: error.message,
        })?;
        program.notes().iter().for_each(|note| watcher.noted(&note.to_string()));
        let mut device = Emulator::on_host(&program, self.memory, self.emulator, host.clone())?;
        let trace = self.trace.as_ref().map(|trace| trace.tracer(&self.modules, self.shape.block));
        let mut tracer = trace.map(|trace| Box::new(trace) as Box<dyn Tracer>);
        let kept = Arc::new(Mutex::new(Vec::new()));
        if self.keeps_print_calls {
            tracer = Some(Box::new(Recorder { kept: Arc::clone(&kept), next: tracer }));
        }
        if let Some(tracer) = tracer {
            device.trace(tracer);
        }
        let mut report = self.run_on(&trees, &mut device, &host, watcher)?;
        report.print_calls = mem::take(&mut kept.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(report)
    }

    fn trees(&self) -> Result<Vec<Module<'_>>, Error> {
        let parsed = self.modules.iter().map(|(name, text)| {
            parse(text).map_err(|error| Error::Module {
                module: name.clone(),
                at: Some((error.line, error.column)),
                message: error.message,
            })
        });
        parsed.collect()
    }

    fn run_on(
        &self,
        trees: &[Module<'_>],
        device: &mut dyn Device,
        host: &Arc<HostMemory>,
        watcher: &mut dyn Watcher,
    ) -> Result<Report, Error> {
        let functions = trees.iter().flat_map(|tree| &tree.functions);
        let kernels: BTreeMap<&str, _> = functions
            .filter(|function| function.is_entry && function.body.is_some())
            .map(|function| (function.name, function))
            .collect();
        let symbols: Vec<&str> = kernels.keys().copied().collect();
        let symbol = kernel::find(&symbols, self.kernel.as_deref()).map_err(Error::Kernel)?;
        kernel::check_shape(kernels[symbol], &self.shape).map_err(Error::Launch)?;
        let declared = kernels[symbol].prototype.params.iter().map(Parameter::of_ptx).collect();
        let parameters = described(declared, self.parameters.get(symbol));
        if parameters.len() != self.arguments.len() {
            let takes: Vec<String> = parameters.iter().map(shown).collect();
            let (name, wanted, found) = (kernel::source_name(symbol), takes.len(), self.arguments.len());
            let takes = if takes.is_empty() { String::new() } else { format!(": {}", takes.join(", ")) };
            let unit = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("`{name}` expects {wanted} {unit}, got {found}{takes}");
            return Err(Error::Launch(message));
        }
        let address_size = trees.first().map_or(64, |tree| tree.address_size);
        let word = if address_size == 32 { 4 } else { 8 };
        let mut placed = Placed { word, ..Placed::default() };
        let mut arguments = Vec::new();
        for (index, (given, parameter)) in self.arguments.iter().zip(&parameters).enumerate() {
            let mut argument = self.resolved(index, given, parameter, host, word)?;
            placed.place(device, index, &mut argument, parameter)?;
            arguments.push(argument);
        }
        self.bind(device, &mut placed, host, word)?;
        let reads = self.set_variables(trees, device, &mut placed, host)?;
        let mut bytes = Vec::new();
        let mut next = 0;
        for (index, argument) in arguments.iter().enumerate() {
            let mut own = Vec::new();
            placed.append(device, &argument.value, &mut next, &mut own).map_err(|problem| {
                let name = match problem {
                    Problem::NoBuffer(name) => name,
                    Problem::Object(message) => return Error::Argument(index, plain(message)),
                    Problem::Device(error) => return error,
                };
                let text = match &self.arguments[index] {
                    Given::Text(text) => text.clone(),
                    Given::Value(_) => String::new(),
                };
                Error::Argument(index, placed.unknown(&name, text))
            })?;
            bytes.push(own);
        }
        device.describe(self.names(trees, symbol, &placed));
        let launched = device.launch(symbol, &self.shape, &bytes, watcher);
        let (profile, faults) = (device.take_profile(), device.take_faults());
        let statistics = match launched {
            Ok(statistics) => statistics,
            Err(error) => {
                watcher.went_on(faults);
                profile.into_iter().for_each(|profile| watcher.stopped(symbol, profile));
                return Err(error);
            }
        };
        let variables = reads.into_iter().map(|read| read.report(device)).collect::<Result<_, Error>>()?;
        let report = placed.report(device, symbol, statistics)?;
        let times = if self.n_timed > 0 { device.time(self.n_timed)? } else { Vec::new() };
        Ok(Report { profile, faults, variables, times, ..report })
    }

    /// Binds textures and surfaces to variables. Their buffers come after those of the arguments.
    fn bind(
        &self,
        device: &mut dyn Device,
        placed: &mut Placed,
        host: &Arc<HostMemory>,
        word: usize,
    ) -> Result<(), Error> {
        for (idx, text) in self.bindings.iter().enumerate() {
            let index = self.arguments.len() + idx;
            let parameter = Parameter { name: None, ty: ParameterType::Word(8) };
            let given = Given::Text(text.clone());
            let mut argument = self.resolved(index, &given, &parameter, host, word)?;
            let mut next = placed.buffers.len();
            placed.place(device, index, &mut argument, &parameter)?;
            let (Some(name), Value::Object(object)) = (&argument.name, &argument.value) else {
                let message = "a binding must be a variable and a texture or surface: `t=texture(…)`";
                return Err(Error::Argument(index, plain(message.to_owned())));
            };
            let object = placed.object(object, &mut next).map_err(|problem| match problem {
                Problem::NoBuffer(name) => Error::Argument(index, placed.unknown(&name, text.clone())),
                Problem::Object(message) => Error::Argument(index, plain(message)),
                Problem::Device(error) => error,
            })?;
            if !device.bind_object(name, object)? {
                let message = format!("no variable named `{name}`");
                return Err(Error::Argument(index, plain(message)));
            }
        }
        Ok(())
    }

    fn resolved(
        &self,
        index: usize,
        given: &Given,
        parameter: &Parameter,
        host: &Arc<HostMemory>,
        word: usize,
    ) -> Result<Argument, Error> {
        match given {
            Given::Text(text) => {
                // Two buffers of random numbers must not be the same.
                let seed = self.seed.wrapping_add(index as u64);
                let (folder, host) = (self.folder.clone(), host.clone());
                let surroundings = Surroundings { folder, seed, max_bytes: self.memory, host, word };
                let argument = Spec::parse(text).and_then(|spec| spec.resolve(&parameter.ty, &surroundings));
                argument.map_err(|error| Error::Argument(index, error))
            }
            Given::Value(argument) => {
                let (found, wanted) = (argument.value.size(word), parameter.ty.size());
                if found == wanted {
                    host.take(argument.value.n_host_bytes()).map_err(no_room)?;
                    return Ok(argument.clone());
                }
                let message = format!("it has {found} bytes, but the parameter is {}", parameter.ty);
                Err(Error::Argument(index, plain(message)))
            }
        }
    }
}

/// The parameters by PTX, or by the source if the sizes agree.
fn described(declared: Vec<Parameter>, known: Option<&Vec<Parameter>>) -> Vec<Parameter> {
    let sizes = |parameters: &[Parameter]| {
        parameters.iter().map(|parameter| parameter.ty.size()).collect::<Vec<usize>>()
    };
    match known {
        Some(known) if sizes(known) == sizes(&declared) => known.clone(),
        Some(_) | None => declared,
    }
}

fn shown(parameter: &Parameter) -> String {
    match &parameter.name {
        Some(name) => format!("`{name}` ({})", parameter.ty),
        None => parameter.ty.to_string(),
    }
}

fn plain(message: String) -> ArgumentError {
    ArgumentError { text: String::new(), span: 0..0, message, help: None, is_environment: false }
}
