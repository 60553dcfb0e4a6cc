//! Variables of the modules: found by name, set before a launch, read after it.
//!
//! A name is the symbol (`_ZN2ns1nE`) or the source name (`ns::n`), with or without a leading `::`.

use std::collections::BTreeMap;
use std::sync::Arc;

use weft_emulator::memory::host::HostMemory;
use weft_emulator::ptx::syntax::{Block, Function, Linkage, Module, Space, Statement, Type};

use super::{Given, Launch, Placed, Problem, no_room, plain};
use crate::argument::spec::{BufferSpec, Source, SpecKind};
use crate::argument::{ArgumentError, Expected, Spec, Surroundings, Value};
use crate::buffer::Buffer;
use crate::buffer::file::Format;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::kernel::source_name;
use crate::report::BufferReport;
use crate::variable::{Variable, VariableSpace};

/// The variables of a program, by symbol.
pub(super) struct Variables {
    found: BTreeMap<String, Found>,
    /// Variables that the source declares and no module defines.
    absent: Vec<String>,
    /// Variables in shared memory, including those of functions.
    shared: Vec<String>,
    objects: Vec<String>,
}

struct Found {
    variable: Variable,
    /// Whether several modules define one.
    is_ambiguous: bool,
}

/// Why a name is not that of a variable.
enum Lack {
    /// There is no such variable.
    Unknown(String),
    /// The variable exists, but cannot be set or read.
    Unusable(ArgumentError),
}

/// A variable to read after the launch.
pub(super) struct Read {
    symbol: String,
    name: String,
    address: u64,
    before: Buffer,
    is_opaque: bool,
}

impl Variables {
    /// The variables of the modules, with the types of the source if the sizes agree.
    pub(super) fn new(trees: &[Module<'_>], known: &BTreeMap<String, Variable>) -> Self {
        let mut all = Variables {
            found: BTreeMap::new(),
            absent: Vec::new(),
            shared: trees.iter().flat_map(|tree| &tree.functions).flat_map(shared_in).collect(),
            objects: Vec::new(),
        };
        for tree in trees {
            for declared in tree.variables.iter().filter(|variable| variable.linkage != Linkage::Extern) {
                let symbol = declared.name.to_owned();
                if matches!(declared.ty, Type::Texref | Type::Samplerref | Type::Surfref) {
                    all.objects.push(symbol);
                    continue;
                }
                let Some(variable) = Variable::of_ptx(declared) else { continue };
                if variable.space == VariableSpace::Shared {
                    all.shared.push(symbol);
                    continue;
                }
                let typed = known.get(&symbol).filter(|known| known.size() == variable.size());
                let variable = typed.cloned().unwrap_or(variable);
                let is_own = declared.linkage == Linkage::Internal;
                all.found
                    .entry(symbol)
                    .and_modify(|found| found.is_ambiguous |= is_own)
                    .or_insert(Found { variable, is_ambiguous: false });
            }
        }
        let is_shared = |variable: &&Variable| variable.space == VariableSpace::Shared;
        all.shared.extend(known.values().filter(is_shared).map(|variable| variable.symbol.clone()));
        let is_absent =
            |variable: &&Variable| !is_shared(variable) && !all.found.contains_key(&variable.symbol);
        all.absent = known.values().filter(is_absent).map(|variable| variable.symbol.clone()).collect();
        all
    }

    /// The variable with this name.
    fn find(&self, name: &str) -> Result<&Variable, Lack> {
        let wanted = name.trim().trim_start_matches("::");
        let is_meant = |symbol: &str| symbol == wanted || source_name(symbol) == wanted;
        let has =
            |symbols: &[String]| symbols.iter().any(|symbol| is_meant(symbol) || last_name(symbol) == wanted);
        let exact = self.found.get(wanted).into_iter();
        let named = self.found.iter().filter(|(symbol, _)| *symbol != wanted && is_meant(symbol));
        let meant: Vec<&Found> = exact.chain(named.map(|(_, found)| found)).collect();
        match the_one(&meant) {
            Ok(Some(variable)) => return Ok(variable),
            Ok(None) => {}
            Err(message) => return Err(Lack::Unusable(plain(format!("{message} `{wanted}`")))),
        }
        if has(&self.shared) {
            let message = format!(
                "`{wanted}` is in shared memory: each block has its own copy, which exists only while the \
                 block runs"
            );
            return Err(Lack::Unusable(plain(message)));
        }
        if has(&self.objects) {
            let message = format!("`{wanted}` is a texture or surface");
            let advice = format!("bind it: `--bind {wanted}=texture(…)`");
            return Err(Lack::Unusable(help(message, advice)));
        }
        if has(&self.absent) {
            let message = format!(
                "`{wanted}` is not in the compiled module: no code uses it, or its value was folded into the code"
            );
            return Err(Lack::Unusable(plain(message)));
        }
        Err(Lack::Unknown(wanted.to_owned()))
    }
}

impl Lack {
    /// The error, with similar names, including those of buffers.
    fn describe(self, variables: &Variables, buffers: &[String]) -> ArgumentError {
        let wanted = match self {
            Lack::Unusable(error) => return error,
            Lack::Unknown(wanted) => wanted,
        };
        let variables = variables.found.values().map(|found| found.variable.name());
        let names: Vec<String> = buffers.iter().cloned().chain(variables).collect();
        let near = names.iter().map(|name| (strsim::damerau_levenshtein(&wanted, name), name)).min();
        let near = near.filter(|(distance, name)| *distance <= name.len().max(3) / 3);
        let advice = match near {
            Some((_, name)) => format!("did you mean `{name}`?"),
            None if names.is_empty() => {
                "the program has no variables in global or constant memory".to_owned()
            }
            None => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("available: {}", names.join(", "))
            }
        };
        let what = if buffers.is_empty() { "no variable named" } else { "no buffer or variable named" };
        help(format!("{what} `{wanted}`"), advice)
    }
}

/// The only one, if any.
fn the_one<'f>(meant: &[&'f Found]) -> Result<Option<&'f Variable>, &'static str> {
    match meant {
        [] => Ok(None),
        [found] if found.is_ambiguous => Err("several modules define a variable"),
        [found] => Ok(Some(&found.variable)),
        _ => Err("several variables match"),
    }
}

/// The name without enclosing functions and namespaces.
pub(super) fn last_name(symbol: &str) -> String {
    let name = source_name(symbol);
    name.rsplit("::").next().unwrap_or(&name).to_owned()
}

pub(super) fn shared_in(function: &Function<'_>) -> Vec<String> {
    fn search(block: &Block<'_>, found: &mut Vec<String>) {
        for statement in &block.statements {
            match statement {
                Statement::Variable(variable) if variable.space == Space::Shared => {
                    found.push(variable.name.to_owned());
                }
                Statement::Block(inner) => search(inner, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    function.body.iter().for_each(|body| search(body, &mut found));
    found
}

fn help(message: String, help: String) -> ArgumentError {
    ArgumentError { help: Some(help), ..plain(message) }
}

impl Launch {
    /// Sets variables, and finds those to read.
    pub(super) fn set_variables(
        &self,
        trees: &[Module<'_>],
        device: &mut dyn Device,
        placed: &mut Placed,
        host: &Arc<HostMemory>,
    ) -> Result<Vec<Read>, Error> {
        let variables = Variables::new(trees, &self.variables);
        let mut reads: Vec<Read> = Vec::new();
        for (idx, (name, given)) in self.settings.iter().enumerate() {
            let wrong = |error| Error::Variable(name.clone(), error);
            let variable =
                variables.find(name).map_err(|lack| Error::Name(lack.describe(&variables, &[])))?;
            let (address, _) = located(device, variable)?;
            let index = self.arguments.len() + self.bindings.len() + idx;
            let value = self.value_for(variable, given, index, host, placed.word).map_err(wrong)?;
            let bytes = placed.variable_bytes(device, variable, value).map_err(|problem| match problem {
                Problem::NoBuffer(buffer) => wrong(placed.unknown(&buffer, String::new())),
                Problem::Object(message) => wrong(plain(message)),
                Problem::Device(error) => error,
            })?;
            device.write(address, &bytes)?;
            if !reads.iter().any(|read| read.symbol == variable.symbol) {
                reads.push(read(device, variable)?);
            }
        }
        for name in &self.reads {
            let is_buffer = placed
                .buffers
                .iter()
                .any(|buffer| buffer.name.as_ref() == Some(name) || buffer.place == *name);
            // A number is the index of an argument.
            if is_buffer || name.starts_with(|first: char| first.is_ascii_digit()) {
                continue;
            }
            let variable = variables.find(name).map_err(|lack| {
                let buffers: Vec<String> = placed.names.keys().cloned().collect();
                Error::Name(lack.describe(&variables, &buffers))
            })?;
            if !reads.iter().any(|read| read.symbol == variable.symbol) {
                reads.push(read(device, variable)?);
            }
        }
        Ok(reads)
    }

    fn value_for(
        &self,
        variable: &Variable,
        given: &Given,
        index: usize,
        host: &Arc<HostMemory>,
        word: usize,
    ) -> Result<Value, ArgumentError> {
        match given {
            Given::Text(text) => {
                let seed = self.seed.wrapping_add(index as u64);
                let (folder, host) = (self.folder.clone(), host.clone());
                let surroundings = Surroundings { folder, seed, max_bytes: self.memory, host, word };
                value_of_text(variable, text, &surroundings)
            }
            Given::Value(argument) => {
                host.take(argument.value.n_host_bytes())
                    .map_err(|error| plain(no_room(error).to_string()))?;
                let value = match &argument.value {
                    Value::Buffer(buffer) if !variable.is_pointer(word) => {
                        Value::Bytes(buffer.bytes().to_vec())
                    }
                    value => value.clone(),
                };
                checked(variable, value, word).map_err(plain)
            }
        }
    }
}

/// The value of a text for a variable: contents for an array, otherwise as for a parameter.
fn value_of_text(
    variable: &Variable,
    text: &str,
    surroundings: &Surroundings,
) -> Result<Value, ArgumentError> {
    let is_list = text.trim_start().starts_with('{');
    if !variable.shape.is_empty() && variable.element().is_some() {
        match Expected::parse(text) {
            Ok(expected) => return contents(variable, &expected, surroundings),
            Err(error) if !is_list && !text.trim_start().starts_with("hex:") => return Err(error),
            Err(_) => {}
        }
    }
    let spec = Spec::parse(text)?;
    if let SpecKind::Buffer(buffer) = &spec.value.kind
        && !variable.is_pointer(surroundings.word)
    {
        let (text, buffer, span) = (text.to_owned(), buffer.clone(), spec.value.span.clone());
        return contents(variable, &Expected { text, buffer, span }, surroundings);
    }
    let value = spec.resolve_value(&variable.parameter(), surroundings)?;
    checked(variable, value, surroundings.word).map_err(|message| at_all(text, message))
}

/// The elements of an array.
fn contents(
    variable: &Variable,
    expected: &Expected,
    surroundings: &Surroundings,
) -> Result<Value, ArgumentError> {
    let wrong = |message: String| ArgumentError {
        text: expected.text.clone(),
        span: expected.span.clone(),
        ..plain(message)
    };
    let BufferSpec { ty, source, .. } = &expected.buffer;
    if *source == Source::Nothing {
        let error = wrong(format!("the contents of `{}` are missing", variable.name()));
        return Err(ArgumentError {
            help: Some("add contents, as in `[4]=iota`, or a list".to_owned()),
            ..error
        });
    }
    let has_type = matches!(source, Source::File(path) if Format::of(path) == Format::Npy);
    if ty.or(variable.element()).is_none() && !has_type {
        let error = wrong(format!("the element type of `{}` is unknown", variable.name()));
        let advice = "prefix it, as in `f32={1, 2}` or `f32@x.bin`".to_owned();
        return Err(ArgumentError { help: Some(advice), ..error });
    }
    let like = like(variable, *ty).map_err(wrong)?;
    let buffer = expected.resolve(&like, surroundings)?;
    let is_other = ty.is_none() && variable.element().is_some_and(|ty| ty.size() != buffer.ty().size());
    if is_other || buffer.bytes().len() != variable.size() {
        let (name, wanted) = (variable.name(), like.signature());
        return Err(wrong(format!("`{name}` is {wanted}, but the value is {}", buffer.signature())));
    }
    Ok(Value::Bytes(buffer.bytes().to_vec()))
}

/// Zeros with the type and shape of a variable; with another type, one-dimensional.
fn like(variable: &Variable, ty: Option<ElementType>) -> Result<Buffer, String> {
    let (own, shape) = variable.elements();
    match ty.filter(|&ty| ty != own) {
        Some(ty) if variable.size().is_multiple_of(ty.size()) => {
            Ok(Buffer::zeros(ty, [variable.size() / ty.size()]))
        }
        Some(ty) => Err(format!(
            "`{}` has {} bytes, which is not a multiple of the size of {ty}",
            variable.name(),
            variable.size()
        )),
        None => Ok(Buffer::zeros(own, shape)),
    }
}

fn checked(variable: &Variable, value: Value, word: usize) -> Result<Value, String> {
    let (found, wanted) = (value.size(word), variable.size());
    if found == wanted {
        return Ok(value);
    }
    Err(format!("`{}` has {wanted} bytes, but the value has {found}", variable.name()))
}

fn at_all(text: &str, message: String) -> ArgumentError {
    ArgumentError { text: text.to_owned(), span: 0..text.len(), ..plain(message) }
}

fn located(device: &mut dyn Device, variable: &Variable) -> Result<(u64, u64), Error> {
    let found = device.variable(&variable.symbol)?;
    found.ok_or_else(|| {
        let message = "not in the linked program".to_owned();
        Error::Variable(variable.name(), plain(message))
    })
}

fn read(device: &mut dyn Device, variable: &Variable) -> Result<Read, Error> {
    let (address, size) = located(device, variable)?;
    let (ty, shape) = variable.elements();
    let mut before = Buffer::zeros(ty, shape);
    // PTX may omit the first dimension of an array.
    if before.bytes().len() as u64 != size {
        before = Buffer::zeros(ElementType::U8, [size as usize]);
    }
    device.read(address, before.bytes_mut())?;
    let symbol = variable.symbol.clone();
    Ok(Read { symbol, name: variable.name(), address, before, is_opaque: variable.is_opaque() })
}

impl Read {
    /// Its value after the launch.
    pub(super) fn report(self, device: &mut dyn Device) -> Result<BufferReport, Error> {
        let mut buffer = self.before.clone();
        device.read(self.address, buffer.bytes_mut())?;
        Ok(BufferReport {
            is_changed: buffer != self.before,
            buffer,
            place: format!("::{}", self.name),
            name: Some(self.name),
            symbol: Some(self.symbol),
            is_opaque: self.is_opaque,
            is_const: false,
        })
    }
}

impl Placed {
    /// The bytes of a variable. Buffers that it points to are allocated, and reported under its name.
    fn variable_bytes(
        &mut self,
        device: &mut dyn Device,
        variable: &Variable,
        mut value: Value,
    ) -> Result<Vec<u8>, Problem> {
        let name = variable.name();
        let mut next = self.buffers.len();
        self.place_value(device, &mut value, &format!("::{name}"), &name, false).map_err(Problem::Device)?;
        if let Some(buffer) = self.buffers.get_mut(next)
            && !self.names.contains_key(&name)
        {
            self.names.insert(name.clone(), (buffer.address, buffer.before.ty().size()));
            buffer.name = Some(name);
        }
        let mut bytes = Vec::new();
        self.append(device, &value, &mut next, &mut bytes)?;
        Ok(bytes)
    }
}
