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
use super::debug::{Locals, locals};
use super::decode::decode;
use super::image::Images;
use super::layout::{MAX_VARIABLES, align_of_variable, size_of, size_of_variable};
use super::note::notes;
use super::target::Target;
use super::texture::kind_of;
use super::{ModuleText, Program, SharedVariable, loops};
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
    /// The addresses of variables in functions that are in no frame, by the places of their names.
    inner: HashMap<Place, u64>,
    /// How large the elements of arrays are, in bytes.
    arrays: HashMap<&'t str, u64>,
    n_functions: usize,
    /// What the functions that are declared or defined take and give.
    shapes: HashMap<&'t str, Shape>,
    /// Which variables are textures, samplers and surfaces.
    objects: HashMap<&'t str, ObjectKind>,
    /// What the module is for.
    pub(crate) target: Target<'t>,
    /// What debug information says of local variables.
    pub(super) locals: Locals<'t>,
}

impl<'t> Symbols<'t> {
    /// Those of a module that has none.
    pub(super) fn none(target: Target<'t>) -> Self {
        Symbols {
            windows: &WIDE,
            names: HashMap::new(),
            inner: HashMap::new(),
            arrays: HashMap::new(),
            n_functions: 0,
            shapes: HashMap::new(),
            objects: HashMap::new(),
            target,
            locals: Locals::new(),
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

    /// How large the elements of an array are, in bytes.
    pub(crate) fn element_size(&self, name: &str) -> Option<u64> {
        self.arrays.get(name).copied()
    }

    /// The address of a variable in a function that is in no frame.
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
            Symbol::Variable(Space::Local, offset) if is_generic => self.windows.local + offset,
            Symbol::Variable(_, address) => address,
        }
    }
}

/// Links modules to a program.
///
/// # Errors
/// The first thing that keeps them from being one.
pub fn link(inputs: &[Input<'_, '_>]) -> Result<Program, LinkError> {
    inputs.iter().try_for_each(require_version)?;
    let windows = windows_of(inputs)?;
    agree::check(inputs)?;
    let chosen = choose(inputs)?;
    let live = Live { inputs, chosen };
    let mut layout = Layout::new(windows);
    let placed = layout.place(&live)?;
    let mut tables: Vec<Symbols<'_>> =
        (0..inputs.len()).map(|module| live.symbols_of(module, &placed)).collect();
    for (module, function) in live.functions() {
        for variable in function.body.iter().flat_map(|body| placed_in(body)) {
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
    let mut images = Images::new(layout.const_size);
    for ((module, variable), &address) in live.variables().zip(&placed.addresses) {
        images.add(variable, address, &tables[module], &inputs[module])?;
    }
    for (module, function) in live.functions() {
        let inner: Vec<&Variable<'_>> = function.body.iter().flat_map(|body| placed_in(body)).collect();
        add_inner(&mut images, &inner, &mut tables[module], &inputs[module])?;
    }
    let Images { constants, constant_variables, globals, opaque } = images;
    let notes = notes(&codes, inputs);
    let modules =
        inputs.iter().map(|input| ModuleText::new(input.name, input.text, &input.module.files)).collect();
    let Layout { shared, dynamic_shared, local_size, .. } = layout;
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
        local_size: local_size.next_multiple_of(LOCAL_ALIGN),
        notes,
        shared,
        dynamic_shared,
    })
}

/// The contents of the variables in a function, of which each may name those before it.
fn add_inner<'t>(
    images: &mut Images,
    inner: &[&Variable<'t>],
    symbols: &mut Symbols<'t>,
    input: &Input<'_, '_>,
) -> Result<(), LinkError> {
    let mut hidden = Vec::new();
    for variable in inner {
        let address = symbols.inner_address(variable).unwrap_or_default();
        images.add(variable, address, symbols, input)?;
        let symbol = Symbol::Variable(variable.space, address);
        hidden.push((variable.name, symbols.names.insert(variable.name, symbol)));
    }
    for (name, outer) in hidden.into_iter().rev() {
        match outer {
            Some(symbol) => drop(symbols.names.insert(name, symbol)),
            None => drop(symbols.names.remove(name)),
        }
    }
    Ok(())
}

/// Older versions have other parameters, state spaces and addresses, and little of them is left in ptxas 13.
fn require_version(input: &Input<'_, '_>) -> Result<(), LinkError> {
    let (major, minor) = input.module.version;
    if input.module.version >= OLDEST {
        return Ok(());
    }
    let (least_major, least_minor) = OLDEST;
    let place = Place(input.text.find(".version").unwrap_or(0) as u32);
    let message = format!(
        "the module is PTX {major}.{minor}; the emulator supports PTX {least_major}.{least_minor} \
         and later"
    );
    Err(input.error(place, message))
}

/// The windows of the modules' addresses, all of which have the same width.
fn windows_of(inputs: &[Input<'_, '_>]) -> Result<&'static Windows, LinkError> {
    let mut all = None;
    for input in inputs {
        let bits = input.module.address_size;
        let windows = Windows::of_bits(bits).ok_or_else(|| {
            input.error(input.module.address_place, format!("addresses cannot have {bits} bits"))
        })?;
        let first = *all.get_or_insert(windows);
        if first.address_bits != bits {
            let message =
                format!("addresses have {bits} bits here, but {} in another module", first.address_bits);
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
                return Err(input.error(place, format!("redefinition of `{name}`")));
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
        let is_array = |variable: &&Variable<'t>| !variable.dims.is_empty();
        let arrays = tree.variables.iter().filter(is_array);
        let arrays = arrays.map(|variable| (variable.name, size_of(variable.ty))).collect();
        let shapes = tree.functions.iter().map(|function| (function.name, Shape::of(&function.prototype)));
        let shapes = shapes.collect();
        let variables = tree.variables.iter();
        let objects = variables.filter_map(|variable| Some((variable.name, kind_of(variable.ty)?))).collect();
        let target = Target::of(tree);
        Symbols {
            windows: placed.windows,
            names,
            inner: HashMap::new(),
            arrays,
            n_functions: placed.n_functions,
            shapes,
            objects,
            target,
            locals: locals(tree),
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
    local_size: u64,
    dynamic_shared: u64,
    /// The variables in `.shared`: where each begins, how large it is, its name.
    shared: Vec<SharedVariable>,
}

/// The variables in a body that are in no frame: one of each for the block (`.shared`) or the program, wherever they stand.
fn placed_in<'b, 't>(body: &'b Block<'t>) -> Vec<&'b Variable<'t>> {
    let mut found = Vec::new();
    for statement in &body.statements {
        match statement {
            Statement::Variable(variable)
                if matches!(variable.space, Space::Shared | Space::Global | Space::Const) =>
            {
                found.push(variable);
            }
            Statement::Block(block) => found.extend(placed_in(block)),
            _ => {}
        }
    }
    found
}

/// The oldest version of PTX that is run.
const OLDEST: (u32, u32) = (2, 3);

/// The version from which on modules have no `.local` variables (PTX ISA "Local State Space").
const WITHOUT_LOCALS: (u32, u32) = (3, 0);

/// How many bytes the variables in `.const` may have together (PTX ISA "Constant State Space"; ptxas and nvlink refuse more).
const MAX_CONSTANTS: u64 = 64 << 10;

/// How much local memory variables of modules may take, in bytes: what a thread has in all (PTX ISA "State Spaces").
const MAX_LOCALS: u64 = 512 << 10;

/// What the frames above them are aligned to.
const LOCAL_ALIGN: u64 = 16;

/// What dynamic shared memory is aligned to at least.
const DYNAMIC_SHARED_ALIGN: u64 = 128;

impl Layout {
    fn new(windows: &'static Windows) -> Self {
        Layout {
            windows,
            global_size: 0,
            const_size: 0,
            shared_size: 0,
            local_size: 0,
            dynamic_shared: 0,
            shared: Vec::new(),
        }
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
            .flat_map(placed_in)
            .filter(|variable| variable.space == Space::Shared)
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
        let (next, gap, most) = match variable.space {
            Space::Global => (&mut self.global_size, GAP, MAX_VARIABLES),
            Space::Const => (&mut self.const_size, 0, MAX_CONSTANTS),
            Space::Shared => (&mut self.shared_size, 0, MAX_VARIABLES),
            Space::Local if input.module.version < WITHOUT_LOCALS => (&mut self.local_size, 0, MAX_LOCALS),
            space => return Err(input.error(variable.place, misplaced(space))),
        };
        let offset = next.next_multiple_of(align_of_variable(variable));
        *next = offset + size + gap;
        if *next > most {
            return Err(
                input.error(variable.place, "the variables of this state space are too large in total")
            );
        }
        if variable.space == Space::Shared {
            self.shared.push(SharedVariable { name: variable.name.to_owned(), start: offset, size });
        }
        Ok(if variable.space == Space::Global { self.windows.global + offset } else { offset })
    }
}

/// Why a module has no variable in a space.
fn misplaced(space: Space) -> &'static str {
    match space {
        Space::Local => "since PTX 3.0, `.local` variables must be declared in functions",
        Space::Reg => {
            "the emulator does not support registers at module scope, which PTX before 3.0 allows; \
             declare them in functions"
        }
        Space::Param => "parameters must be declared in functions",
        Space::Tex => "`.tex` is not a state space since PTX 1.5; declare a `.global .texref`",
        Space::Sreg => "special registers cannot be declared",
        Space::Global | Space::Const | Space::Shared => "invalid state space",
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
