//! Symbols, over all modules, as nvlink resolves them: one strong definition, else a weak or common one.
//!
//! Each module sees its own internal symbols and what the others let it see. Variables get their addresses here,
//! and initial values with addresses in them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error;
use std::fmt;

use super::agree;
use super::call::Shape;
use super::code::System;
use super::decode::decode;
use super::layout::{MAX_VARIABLES, align_of_variable, size_of, size_of_variable};
use super::target::Target;
use super::texture::{is_opaque, kind_of, sampler_of};
use super::{GlobalVariable, ModuleText, Program, SharedVariable, loops};
use crate::memory::bytes::Bytes;
use crate::memory::{FUNCTION_STRIDE, WIDE, Windows};
use crate::ptx::place::Place;
use crate::ptx::syntax::{
    Block, Constant, Function, Initializer, Linkage, Module, Space, Statement, SymbolAddress, Type, Variable,
};
use crate::texture::ObjectKind;

/// How many bytes are left free between two variables in global memory.
const GAP: u64 = 256;

/// A module with what messages call it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'m, 't> {
    /// The name.
    pub name: &'m str,
    /// The text.
    pub text: &'t str,
    /// What was read from it.
    pub module: &'m Module<'t>,
}

/// What keeps modules from being a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// The name of the module.
    pub module: String,
    /// The line and the column, from one.
    pub at: (u32, u32),
    /// A lower-case phrase.
    pub message: String,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.at;
        write!(f, "{}:{line}:{column}: {}", self.module, self.message)
    }
}

impl error::Error for LinkError {}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// A function with a body, by its number.
    Function(usize),
    System(System),
    /// A variable: its space, and its address there.
    Variable(Space, u64),
}

/// What the names of a module stand for.
pub(crate) struct Symbols<'t> {
    /// Where the windows of addresses lie.
    pub(crate) windows: &'static Windows,
    names: HashMap<&'t str, Symbol>,
    /// The addresses of `.shared` variables in functions, by the places of their names.
    inner: HashMap<Place, u64>,
    n_functions: usize,
    /// What the functions that are declared or defined take and give.
    shapes: HashMap<&'t str, Shape>,
    /// Which variables are textures, samplers and surfaces.
    objects: HashMap<&'t str, ObjectKind>,
    /// What the module is for.
    pub(crate) target: Target<'t>,
}

impl<'t> Symbols<'t> {
    /// Those of a module that has none.
    pub(super) fn none(target: Target<'t>) -> Self {
        Symbols {
            windows: &WIDE,
            names: HashMap::new(),
            inner: HashMap::new(),
            n_functions: 0,
            shapes: HashMap::new(),
            objects: HashMap::new(),
            target,
        }
    }
}

impl Symbols<'_> {
    pub(crate) fn find(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).copied()
    }

    /// What a function takes and gives, as the module has it.
    pub(crate) fn shape(&self, name: &str) -> Option<&Shape> {
        self.shapes.get(name)
    }

    /// What a variable is, if it is a texture, sampler or surface.
    pub(crate) fn object(&self, name: &str) -> Option<ObjectKind> {
        self.objects.get(name).copied()
    }

    /// The address of a `.shared` variable in a function.
    pub(crate) fn inner_address(&self, variable: &Variable<'_>) -> Option<u64> {
        self.inner.get(&variable.place).copied()
    }

    /// The address of a symbol in its space; generic, if that is asked for.
    pub(crate) fn address(&self, symbol: Symbol, is_generic: bool) -> u64 {
        match symbol {
            Symbol::Function(number) => self.windows.function + FUNCTION_STRIDE * number as u64,
            Symbol::System(system) => {
                self.windows.function + FUNCTION_STRIDE * (self.n_functions as u64 + system as u64)
            }
            Symbol::Variable(Space::Const, offset) if is_generic => self.windows.constant + offset,
            Symbol::Variable(Space::Shared, offset) if is_generic => self.windows.shared + offset,
            Symbol::Variable(_, address) => address,
        }
    }
}

/// Links modules to a program.
///
/// # Errors
/// The first thing that keeps them from being one.
pub fn link(inputs: &[Input<'_, '_>]) -> Result<Program, LinkError> {
    let windows = windows_of(inputs)?;
    agree::check(inputs)?;
    let chosen = choose(inputs)?;
    let live = Live { inputs, chosen };
    let mut layout = Layout::new(windows);
    let placed = layout.place(&live)?;
    let mut tables: Vec<Symbols<'_>> =
        (0..inputs.len()).map(|module| live.symbols_of(module, &placed)).collect();
    for (module, function) in live.functions() {
        for variable in function.body.iter().flat_map(|body| shared_in(body)) {
            let address = layout.place_variable(variable, &inputs[module])?;
            tables[module].inner.insert(variable.place, address);
        }
    }
    let (mut codes, mut kernels) = (Vec::new(), BTreeMap::new());
    for (module, function) in live.functions() {
        let input = &inputs[module];
        let code = decode(function, module, &tables[module])
            .map_err(|error| input.error(error.place, error.message))?;
        if function.is_entry {
            kernels.insert(function.name.to_owned(), codes.len());
        }
        codes.push(code);
    }
    let constants = Bytes::zeroed(layout.const_size as usize);
    let (mut globals, mut opaque, mut constant_variables) = (Vec::new(), Vec::new(), Vec::new());
    for ((module, variable), &address) in live.variables().zip(&placed.addresses) {
        let input = &inputs[module];
        let image =
            image(variable, &tables[module]).map_err(|message| input.error(variable.place, message))?;
        match variable.space {
            Space::Const => {
                constants.write(address, &image);
                let size = size_with_initializer(variable).unwrap_or(0);
                constant_variables.push((variable.name.to_owned(), address, size));
            }
            Space::Global => {
                if let Some(kind) = kind_of(variable.ty) {
                    let sampler = sampler_of(variable);
                    let sampler = sampler.map_err(|message| input.error(variable.place, message))?;
                    opaque.push((address, kind, sampler));
                }
                let size = size_with_initializer(variable).unwrap_or(0);
                globals.push(GlobalVariable { name: variable.name.to_owned(), address, size, image });
            }
            _ => {}
        }
    }
    let modules =
        inputs.iter().map(|input| ModuleText::new(input.name, input.text, &input.module.files)).collect();
    let Layout { shared, dynamic_shared, .. } = layout;
    loops::mark(&mut codes);
    Ok(Program {
        windows,
        codes,
        modules,
        kernels,
        globals,
        opaque,
        constants,
        constant_variables,
        shared,
        dynamic_shared,
    })
}

/// The windows of the modules' addresses, all of which have the same width.
fn windows_of(inputs: &[Input<'_, '_>]) -> Result<&'static Windows, LinkError> {
    let mut all = None;
    for input in inputs {
        let bits = input.module.address_size;
        let windows = Windows::of_bits(bits).ok_or_else(|| {
            input.error(input.module.address_place, format!("no addresses have {bits} bits"))
        })?;
        let first = *all.get_or_insert(windows);
        if first.address_bits != bits {
            let message =
                format!("addresses have {bits} bits here, and {} in another module", first.address_bits);
            return Err(input.error(input.module.address_place, message));
        }
    }
    Ok(all.unwrap_or(&WIDE))
}

impl Input<'_, '_> {
    pub(super) fn error(&self, place: Place, message: impl Into<String>) -> LinkError {
        LinkError { module: self.name.to_owned(), at: place.line_column(self.text), message: message.into() }
    }
}

/// Which definition of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Definition {
    module: usize,
    item: Item,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    Function(usize),
    Variable(usize),
}

/// The definitions of a module that are not `.extern`, with name, linkage and place.
fn definitions<'m, 't>(
    module: usize,
    tree: &'m Module<'t>,
) -> impl Iterator<Item = (Definition, &'t str, Linkage, Place)> + use<'m, 't> {
    let functions = tree.functions.iter().enumerate().filter(|(_, function)| function.body.is_some());
    let functions = functions.map(move |(idx, function)| {
        let definition = Definition { module, item: Item::Function(idx) };
        (definition, function.name, function.linkage, function.place)
    });
    let variables = tree.variables.iter().enumerate();
    let variables = variables.filter(|(_, variable)| variable.linkage != Linkage::Extern);
    functions.chain(variables.map(move |(idx, variable)| {
        let definition = Definition { module, item: Item::Variable(idx) };
        (definition, variable.name, variable.linkage, variable.place)
    }))
}

/// The definition of each name that other modules see.
fn choose<'t>(inputs: &[Input<'_, 't>]) -> Result<HashMap<&'t str, Definition>, LinkError> {
    let mut chosen = HashMap::<&str, (Definition, Linkage)>::new();
    for (module, input) in inputs.iter().enumerate() {
        let mut own = HashSet::new();
        for (definition, name, linkage, place) in definitions(module, input.module) {
            if !own.insert(name) {
                return Err(input.error(place, format!("`{name}` is defined twice")));
            }
            if linkage == Linkage::Internal {
                continue;
            }
            match chosen.get(name) {
                Some((other, Linkage::Visible)) if linkage == Linkage::Visible => {
                    let other = inputs[other.module].name;
                    return Err(input.error(place, format!("`{name}` is defined in `{other}` as well")));
                }
                Some((other, Linkage::Common)) if linkage == Linkage::Common => {
                    // The largest counts.
                    if size_of_definition(inputs, definition) > size_of_definition(inputs, *other) {
                        chosen.insert(name, (definition, linkage));
                    }
                }
                Some(_) if linkage != Linkage::Visible => {}
                _ => drop(chosen.insert(name, (definition, linkage))),
            }
        }
    }
    Ok(chosen.into_iter().map(|(name, (definition, _))| (name, definition)).collect())
}

fn size_of_definition(inputs: &[Input<'_, '_>], definition: Definition) -> Option<u64> {
    match definition.item {
        Item::Variable(idx) => size_with_initializer(&inputs[definition.module].module.variables[idx]),
        Item::Function(_) => None,
    }
}

/// The definitions that make up the program: those that are internal, and those that were chosen.
struct Live<'a, 'm, 't> {
    inputs: &'a [Input<'m, 't>],
    chosen: HashMap<&'t str, Definition>,
}

impl<'m, 't> Live<'_, 'm, 't> {
    fn is_live(&self, definition: Definition, name: &str, linkage: Linkage) -> bool {
        linkage == Linkage::Internal || self.chosen.get(name) == Some(&definition)
    }

    fn definitions(&self) -> impl Iterator<Item = Definition> {
        let all = self.inputs.iter().enumerate().flat_map(|(idx, input)| definitions(idx, input.module));
        all.filter(|&(definition, name, linkage, _)| self.is_live(definition, name, linkage))
            .map(|(definition, ..)| definition)
    }

    /// In the order of their numbers.
    fn functions(&self) -> impl Iterator<Item = (usize, &'m Function<'t>)> {
        self.definitions().filter_map(|definition| match definition.item {
            Item::Function(idx) => {
                Some((definition.module, &self.inputs[definition.module].module.functions[idx]))
            }
            Item::Variable(_) => None,
        })
    }

    fn variables(&self) -> impl Iterator<Item = (usize, &'m Variable<'t>)> {
        self.definitions().filter_map(|definition| match definition.item {
            Item::Variable(idx) => {
                Some((definition.module, &self.inputs[definition.module].module.variables[idx]))
            }
            Item::Function(_) => None,
        })
    }

    /// What the names of a module stand for. What is only declared and not there is left out: it is an error where
    /// it is used.
    fn symbols_of(&self, module: usize, placed: &Placed) -> Symbols<'t> {
        let tree = self.inputs[module].module;
        let functions = tree.functions.iter().map(|function| function.name);
        let names = functions.chain(tree.variables.iter().map(|variable| variable.name));
        let own: HashMap<&str, Definition> = definitions(module, tree)
            .filter(|(.., linkage, _)| *linkage == Linkage::Internal)
            .map(|(definition, name, ..)| (name, definition))
            .collect();
        let find = |name: &'t str| {
            let definition = own.get(name).or_else(|| self.chosen.get(name));
            let symbol = match definition {
                Some(definition) => placed.symbols.get(definition).copied(),
                None => System::named(name).map(Symbol::System).or_else(|| {
                    let dynamic = tree.variables.iter().find(|variable| variable.name == name)?;
                    // `extern __shared__`: all of them are the dynamic memory.
                    (dynamic.space == Space::Shared)
                        .then_some(Symbol::Variable(Space::Shared, placed.dynamic_shared))
                }),
            };
            symbol.map(|symbol| (name, symbol))
        };
        let mut names: HashMap<&str, Symbol> = names.filter_map(find).collect();
        for alias in &tree.aliases {
            if let Some(&symbol) = names.get(alias.aliasee) {
                names.insert(alias.name, symbol);
            }
        }
        let shapes = tree.functions.iter().map(|function| (function.name, Shape::of(&function.prototype)));
        let shapes = shapes.collect();
        let variables = tree.variables.iter();
        let objects = variables.filter_map(|variable| Some((variable.name, kind_of(variable.ty)?))).collect();
        let target = Target::of(tree);
        Symbols {
            windows: placed.windows,
            names,
            inner: HashMap::new(),
            n_functions: placed.n_functions,
            shapes,
            objects,
            target,
        }
    }
}

/// What was given a number or an address.
struct Placed {
    windows: &'static Windows,
    symbols: HashMap<Definition, Symbol>,
    /// Of the variables, in order.
    addresses: Vec<u64>,
    n_functions: usize,
    /// Where dynamic shared memory begins.
    dynamic_shared: u64,
}

struct Layout {
    windows: &'static Windows,
    global_size: u64,
    const_size: u64,
    shared_size: u64,
    dynamic_shared: u64,
    /// The variables in `.shared`: where each begins, how large it is, its name.
    shared: Vec<SharedVariable>,
}

/// The `.shared` variables in a body: one of each for the block, wherever they stand.
fn shared_in<'b, 't>(body: &'b Block<'t>) -> Vec<&'b Variable<'t>> {
    let mut found = Vec::new();
    for statement in &body.statements {
        match statement {
            Statement::Variable(variable) if variable.space == Space::Shared => found.push(variable),
            Statement::Block(block) => found.extend(shared_in(block)),
            _ => {}
        }
    }
    found
}

/// What dynamic shared memory is aligned to at least.
const DYNAMIC_SHARED_ALIGN: u64 = 128;

impl Layout {
    fn new(windows: &'static Windows) -> Self {
        let (global_size, const_size, shared_size, dynamic_shared) = (0, 0, 0, 0);
        Layout { windows, global_size, const_size, shared_size, dynamic_shared, shared: Vec::new() }
    }

    fn place(&mut self, live: &Live<'_, '_, '_>) -> Result<Placed, LinkError> {
        let (mut symbols, mut addresses) = (HashMap::new(), Vec::new());
        let mut n_functions = 0;
        for definition in live.definitions() {
            let input = &live.inputs[definition.module];
            let symbol = match definition.item {
                Item::Function(_) => {
                    n_functions += 1;
                    Symbol::Function(n_functions - 1)
                }
                Item::Variable(idx) => {
                    let variable = &input.module.variables[idx];
                    let address = self.place_variable(variable, input)?;
                    addresses.push(address);
                    Symbol::Variable(variable.space, address)
                }
            };
            symbols.insert(definition, symbol);
        }
        // Those of functions lie behind them, and the dynamic memory behind all.
        let in_functions = live.functions().filter_map(|(_, function)| function.body.as_ref());
        let in_functions = in_functions
            .flat_map(shared_in)
            .map(|variable| align_of_variable(variable) + size_of_variable(variable).unwrap_or(0));
        let end = self.shared_size + in_functions.sum::<u64>();
        self.dynamic_shared = end.next_multiple_of(DYNAMIC_SHARED_ALIGN);
        Ok(Placed {
            windows: self.windows,
            symbols,
            addresses,
            n_functions,
            dynamic_shared: self.dynamic_shared,
        })
    }

    /// Gives a variable its address.
    fn place_variable(&mut self, variable: &Variable<'_>, input: &Input<'_, '_>) -> Result<u64, LinkError> {
        let size = size_with_initializer(variable)
            .ok_or_else(|| input.error(variable.place, "the variable is too large"))?;
        let (next, gap) = match variable.space {
            Space::Global => (&mut self.global_size, GAP),
            Space::Const => (&mut self.const_size, 0),
            Space::Shared => (&mut self.shared_size, 0),
            _ => {
                let message = "variables of this space at module scope are not supported yet";
                return Err(input.error(variable.place, message));
            }
        };
        let offset = next.next_multiple_of(align_of_variable(variable));
        *next = offset + size + gap;
        if *next > MAX_VARIABLES {
            return Err(input.error(variable.place, "the variables of the space are too large together"));
        }
        if variable.space == Space::Shared {
            self.shared.push(SharedVariable { name: variable.name.to_owned(), start: offset, size });
        }
        Ok(if variable.space == Space::Global { self.windows.global + offset } else { offset })
    }
}

/// The first dimension may be left to the initializer.
pub(super) fn size_with_initializer(variable: &Variable<'_>) -> Option<u64> {
    match (&variable.init, variable.dims.first()) {
        (Some(Initializer::List(items)), Some(None)) => {
            let inner = Variable { dims: variable.dims[1..].into(), init: None, ..variable.clone() };
            let size = size_of_variable(&inner)?.checked_mul(items.len() as u64);
            size.filter(|&size| size <= MAX_VARIABLES)
        }
        _ => size_of_variable(variable),
    }
}

/// The bytes of a variable at the start; zeros behind them are left out.
fn image(variable: &Variable<'_>, symbols: &Symbols<'_>) -> Result<Vec<u8>, String> {
    let Some(init) = &variable.init else { return Ok(Vec::new()) };
    // What such a variable holds, nobody can read.
    if is_opaque(variable.ty) {
        return Ok(Vec::new());
    }
    let size = size_with_initializer(variable).ok_or("the variable is too large")?;
    let covered = match init {
        Initializer::List(items) => {
            let inner = Variable {
                dims: variable.dims.get(1..).unwrap_or_default().into(),
                init: None,
                ..variable.clone()
            };
            size_of_variable(&inner).and_then(|size| size.checked_mul(items.len() as u64)).unwrap_or(size)
        }
        _ => size,
    };
    let mut bytes = vec![0; covered.min(size) as usize];
    fill(init, variable, &variable.dims, &mut bytes, symbols)?;
    Ok(bytes)
}

/// Writes an initial value; `dims` are the dimensions of what it is for.
fn fill(
    init: &Initializer<'_>,
    variable: &Variable<'_>,
    dims: &[Option<u64>],
    bytes: &mut [u8],
    symbols: &Symbols<'_>,
) -> Result<(), String> {
    match init {
        Initializer::Property(name, _) => {
            return Err(format!("`{name}` is for textures, samplers and surfaces"));
        }
        Initializer::Value(constant) => {
            let value = value_of(constant, variable.ty, symbols)?.to_le_bytes();
            let size = size_of(variable.ty).min(8) as usize;
            let room = bytes.get_mut(..size).ok_or("the initializer has too many values")?;
            room.copy_from_slice(&value[..size]);
        }
        Initializer::List(items) => {
            let inner = dims.get(1..).unwrap_or_default();
            let is_vector = dims.is_empty();
            let element = size_of(variable.ty) * if is_vector { 1 } else { u64::from(variable.vector) };
            let step = inner.iter().try_fold(element, |size, dim| size.checked_mul(dim.unwrap_or(0)));
            let step = step.ok_or("the variable is too large")? as usize;
            for (idx, item) in items.iter().enumerate() {
                let room = bytes.get_mut(idx * step..).ok_or("the initializer has too many values")?;
                fill(item, variable, inner, room, symbols)?;
            }
        }
    }
    Ok(())
}

/// The bits of a constant in a type.
pub(crate) fn value_of(constant: &Constant<'_>, ty: Type, symbols: &Symbols<'_>) -> Result<u64, String> {
    Ok(match (constant, ty) {
        (Constant::Int(value), Type::F32) => u64::from((*value as i64 as f32).to_bits()),
        (Constant::Int(value), Type::F64) => (*value as i64 as f64).to_bits(),
        (Constant::Int(value), _) => *value,
        (Constant::F32(bits), Type::F64) => f64::from(f32::from_bits(*bits)).to_bits(),
        (Constant::F32(bits), _) => u64::from(*bits),
        (Constant::F64(value), Type::F32) => u64::from((*value as f32).to_bits()),
        (Constant::F64(value), _) => value.to_bits(),
        (Constant::Symbol(address), _) => address_of(address, symbols)?,
    })
}

fn address_of(wanted: &SymbolAddress<'_>, symbols: &Symbols<'_>) -> Result<u64, String> {
    let symbol = symbols.find(wanted.name).ok_or_else(|| format!("`{}` is not defined", wanted.name))?;
    let address = symbols.address(symbol, wanted.is_generic).wrapping_add_signed(wanted.addend);
    Ok(match wanted.mask {
        None => address,
        Some(0) => 0,
        Some(mask) => (address & mask) >> mask.trailing_zeros(),
    })
}
