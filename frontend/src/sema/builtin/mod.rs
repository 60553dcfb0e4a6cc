//! Built-in functions: the choice among their overloads, and their calls.
//!
//! - [`table`]: names, overloads, operations
//! - [`ty`]: the types in the table
//! - [`address`]: those whose address is taken
//! - [`beside`]: functions of the program's that have the name of a built-in one
//! - [`constant`]: functions that are constants
//! - [`generic`]: functions that take what has no one type
//! - [`ordered`]: atomic operations with a memory order
//! - [`quad`]: exchanges of 128 bits
//! - [`texture`]: templates that read textures, and read and write surfaces
//! - [`system`]: formatted output
//! - [`prototype`]: the table as text
//! - [`vector`]: the built-in vector types, and the functions that make values of them; [`dim3`]: the type that has constructors;
//!   [`half`]: the half-precision types
//! - [`text_function`]: functions on texts that are computed
//!
//! Overloads are chosen as those of the program's functions are (`overload`). A call that is ambiguous to nvcc is ambiguous here.

mod address;
mod beside;
mod constant;
mod dim3;
mod generic;
mod half;
mod ordered;
pub(super) mod prototype;
mod quad;
mod system;
mod table;
mod text_function;
mod texture;
mod ty;
mod vector;

use std::ops::RangeInclusive;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::Builtins;
use super::call::overload::{Arg, Args, Candidate, Origin, Sequence, Sequences, Viable};
use super::conversion::Target;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::builtin::Operand;
use crate::ir::{Expr, ExprData, Ty, TyKind};
use crate::predeclared::{Vector, named_texture_op};
use crate::source::Span;
use crate::token::Symbol;
use half::Header;

use crate::ir::Func;
use crate::ir::HalfTy;
pub(super) use address::Wanted;
pub(super) use beside::{ASSERT_FAIL, Beside};
use hashbrown::HashMap;
use hashbrown::HashSet;
use table::Overload;
pub(super) use table::{Function, FunctionId, all, named};
pub(super) use ty::{BOUNDARY_MODE_TAG, ROUND_MODE_TAG};

/// What is remembered of built-in functions and types.
#[derive(Default)]
pub(super) struct BuiltinFacts {
    /// The functions that built-in ones are whose address is taken, by name.
    builtin_addresses: HashMap<(&'static str, Ty), Func>,
    /// Those of them that have no body yet.
    builtins_to_define: Vec<Wanted>,
    /// The built-in vector types that the program uses, by name.
    vectors: HashMap<&'static str, Ty>,
    /// Those of which it was said that they are deprecated.
    deprecated_vectors: HashSet<&'static str>,
    /// The half-precision types that the program uses.
    halves: HashMap<HalfTy, Ty>,
    /// The built-in functions that have been named.
    named_builtins: HashMap<Symbol, FunctionId>,
}

/// How many overloads a message shows.
pub(super) const MAX_CANDIDATES: usize = 16;

/// Functions of which the C++ library has a template of several numbers (C++17 29.9.1p10).
const HOST_TEMPLATES: &[&str] = &[
    "atan2",
    "copysign",
    "fdim",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "nextafter",
    "remainder",
    "remquo",
];

/// Functions of which device code has the C++ library's template of several numbers: it takes every mix of them as it is, and
/// computes in `double`.
const DEVICE_TEMPLATES: &[&str] = &["pow"];

/// What a call of a built-in function's name may mean.
#[derive(Clone, Copy, Debug)]
pub(super) enum TableCandidate {
    Overload(&'static Overload),
    /// A function such as `make_float4`.
    Maker(&'static Vector),
    /// What the host's library adds: a template of several numbers, an overload for `long double`.
    Host,
    /// The device's, which computes in `double`.
    DeviceTemplate(&'static Overload),
}

impl PartialEq for TableCandidate {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (TableCandidate::Overload(a), TableCandidate::Overload(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl TableCandidate {
    /// Device code cannot call it.
    pub(super) fn is_of_host(self) -> bool {
        matches!(self, TableCandidate::Host)
    }
}

impl Builtins<'_> {
    pub(super) fn check_builtin_call(
        &mut self,
        function: &'static Function,
        name_span: Span,
        args: &[Expr],
        span: Span,
    ) -> Result<Expr, Reported> {
        if let Some(vector) = vector::made_by(function.name) {
            return self.make_vector(vector, args, span);
        }
        if let Some(op) = named_texture_op(function.name) {
            return self.check_texture_call(op, name_span, None, args, span);
        }
        if let Some(call) = self.quad_exchange(function, args, span) {
            return Ok(call);
        }
        let args: Args = args.iter().copied().map(Arg::Value).collect();
        let chosen = self.choose(function, name_span, &args)?;
        self.call_builtin(function, chosen, &args, span)
    }

    /// The call of the candidate, which takes the arguments.
    pub(super) fn call_builtin(
        &mut self,
        function: &'static Function,
        chosen: TableCandidate,
        args: &[Arg],
        span: Span,
    ) -> Result<Expr, Reported> {
        let overload = match chosen {
            TableCandidate::Overload(overload) | TableCandidate::DeviceTemplate(overload) => overload,
            TableCandidate::Maker(vector) => {
                let values: Result<Vec<Expr>, _> =
                    args.iter().map(|&arg| self.builtin_arg(arg, vector.elem)).collect();
                return self.make_vector(vector, &values?, span);
            }
            TableCandidate::Host => unreachable!("invariant: the host's functions are not chosen"),
        };
        let ret = self.table_ty(overload.ret);
        let signature = overload.builtin.signature();
        let mut values = ThinVec::with_capacity(overload.params.len());
        for (idx, &param) in overload.params.iter().enumerate() {
            let ty = self.table_ty(param);
            let value = match args.get(idx) {
                Some(&arg) => self.builtin_arg(arg, ty)?,
                None => self.expr(ExprData::int(overload.default(idx)), ty, span.end()),
            };
            // An operation has one type: `min(int, unsigned)` is the minimum of two `unsigned`s.
            values.push(match (signature.params[idx], signature.ret) {
                (Operand::T, Operand::T) => self.conversions().numeric(value, ret),
                _ if param == ty::ROUND_MODE => self.conversions().numeric(value, Ty::UINT),
                (operand, _) => match operand.constants() {
                    Some((range, step)) => self.immediate(function, value, range, step)?,
                    None => value,
                },
            });
        }
        Ok(self.expr(ExprData::Builtin(overload.builtin, values), ret, span))
    }

    /// An argument in the parameter's type.
    fn builtin_arg(&mut self, arg: Arg, ty: Ty) -> Result<Expr, Reported> {
        let value = match arg {
            Arg::Value(_) | Arg::Object(..) => self.calls().typed_arg(arg)?,
            Arg::Braced(init, id) => self.calls().check_listed_arg(init, id, Some(ty))?,
            Arg::Overloaded(id) => self.calls().check_wanted(id, ty)?,
        };
        self.conversions().convert(value, ty, Target::Argument(None))
    }

    /// The type of a parameter that has the same type in all overloads with as many parameters.
    pub(super) fn sole_builtin_param(
        &mut self,
        function: &'static Function,
        n_args: usize,
        idx: usize,
    ) -> Option<Ty> {
        let takes =
            |overload: &&Overload| (overload.n_least_args()..=overload.params.len()).contains(&n_args);
        let mut params = self.overloads(function).filter(takes).map(|overload| overload.params[idx]);
        let param = params.next()?;
        params.all(|other| other == param).then(|| self.table_ty(param))
    }

    /// The built-in function that a symbol names. Programs name the same few again and again.
    pub(super) fn builtin_named(&mut self, symbol: Symbol) -> Option<FunctionId> {
        let known = self.known.builtins.named_builtins.get(&symbol).copied();
        let is_again = self.known.builtins_again.contains_key(&symbol);
        let find = || {
            let spelling = self.spelling(symbol);
            if is_again { self.find_declarable(spelling) } else { self.find_builtin(spelling) }
        };
        let function = known.or_else(find)?;
        self.known.builtins.named_builtins.insert(symbol, function);
        Some(function)
    }

    /// The built-in function of the name, where the headers that the text includes have it.
    pub(super) fn find_builtin(&self, name: &str) -> Option<FunctionId> {
        named(name).find(|&(header, _)| self.has_header(header)).map(|(_, function)| function)
    }

    /// The built-in function that a declaration of the name may mean.
    pub(super) fn find_declarable(&self, name: &str) -> Option<FunctionId> {
        let may_declare = |header| header == Some(Header::Declaration) || self.has_header(header);
        named(name).find(|&(header, _)| may_declare(header)).map(|(_, function)| function)
    }

    /// All overloads of the function's name.
    fn overloads(&self, function: &Function) -> impl Iterator<Item = &'static Overload> + use<> {
        let barriers = self.has_header(Some(Header::Barriers));
        let (half, bfloat) = (self.has_header(Some(Header::Fp16)), self.has_header(Some(Header::Bf16)));
        let functions = named(function.name).filter(move |(header, _)| match header {
            None => true,
            Some(Header::Fp16) => half,
            Some(Header::Bf16) => bfloat,
            Some(Header::Barriers) => barriers,
            Some(Header::Declaration) => true,
        });
        functions.flat_map(|(_, function)| function.function().overloads)
    }

    /// An operand that is part of the instruction.
    fn immediate(
        &mut self,
        function: &Function,
        value: Expr,
        range: RangeInclusive<u32>,
        step: u32,
    ) -> Result<Expr, Reported> {
        let (ty, span) = (self.ty_of(value), self.span_of(value));
        let constant = self.expressions().require_int(value, "the operand of the built-in function")?;
        let is_right = |constant: &u32| range.contains(constant) && constant.is_multiple_of(step);
        match u32::try_from(constant).ok().filter(is_right) {
            Some(constant) => Ok(self.expr(ExprData::int(constant), ty, span)),
            None => {
                let name = function.name;
                let (min, max) = range.into_inner();
                let wanted = match step {
                    1 if min == max => format!("{min}"),
                    1 => format!("in the range from {min} to {max}"),
                    step => format!("a multiple of {step} from {min} to {max}"),
                };
                let message = format!("operand {constant} of `{name}` is out of range; it must be {wanted}");
                Err(self.error(Code::ImmediateOutOfRange, span, message))
            }
        }
    }

    /// Adds the candidates that take the arguments.
    pub(super) fn add_viable_builtins(
        &mut self,
        function: &'static Function,
        args: &[Arg],
        viable: &mut SmallVec<[Viable<Candidate>; 2]>,
    ) {
        let mut add = |candidate, sequences: Option<Sequences>, is_template: bool| {
            let origin = if is_template { Origin::BuiltinTemplate } else { Origin::Function };
            let candidate = Candidate::Builtin(candidate);
            viable.extend(sequences.map(|sequences| Viable { candidate, sequences, origin }));
        };
        if let Some(vector) = vector::made_by(function.name) {
            let fits = || args.iter().map(|&arg| self.calls().arg_sequence(arg, vector.elem)).collect();
            let sequences = (args.len() == vector.n_elems).then(fits).flatten();
            return add(TableCandidate::Maker(vector), sequences, false);
        }
        for overload in self.overloads(function) {
            if (overload.n_least_args()..=overload.params.len()).contains(&args.len()) {
                let fit = |(&arg, &param)| {
                    let to = self.known_table_ty(param)?;
                    self.calls().arg_sequence(arg, to)
                };
                let sequences = args.iter().zip(overload.params).map(fit).collect();
                add(TableCandidate::Overload(overload), sequences, false);
            }
        }
        if let Some(overload) = self.long_double_of(function, args) {
            let fit = |(&arg, &param)| {
                let to = if param == ty::DOUBLE { Ty::LONGDOUBLE } else { self.table_ty(param) };
                self.calls().arg_sequence(arg, to)
            };
            let sequences = args.iter().zip(overload.params).map(fit).collect();
            add(TableCandidate::Host, sequences, false);
        }
        if let Some(template) = self.number_template(function, args) {
            add(template, Some(args.iter().map(|_| Sequence::EXACT).collect()), true);
        }
    }

    /// The overload for `double` to which the host's library adds one for `long double`, where that makes a difference: for numbers
    /// that a class makes.
    fn long_double_of(&self, function: &'static Function, args: &[Arg]) -> Option<&'static Overload> {
        let is_half = |&arg: &Arg| match arg {
            Arg::Value(value) | Arg::Object(_, value) => {
                self.module.types.half_ty(self.ty_of(value)).is_some()
            }
            Arg::Braced(..) | Arg::Overloaded(_) => false,
        };
        let is_floating = function.overloads.iter().any(|overload| overload.ret == ty::FLOAT);
        let takes = |overload: &&Overload| overload.ret == ty::DOUBLE && overload.params.len() == args.len();
        let overload = function.overloads.iter().find(takes)?;
        (is_floating && args.iter().any(is_half)).then_some(overload)
    }

    /// The C++ library's template of the name, which takes every mix of numbers as it is.
    fn number_template(&self, function: &'static Function, args: &[Arg]) -> Option<TableCandidate> {
        let is_number = |&arg: &Arg| match arg {
            Arg::Value(value) | Arg::Object(_, value) => {
                matches!(self.module.types.kind(self.ty_of(value)), TyKind::Int(_) | TyKind::Float(_))
            }
            Arg::Braced(..) | Arg::Overloaded(_) => false,
        };
        let takes = |overload: &&Overload| overload.ret == ty::DOUBLE && overload.params.len() == args.len();
        let is_of_device = DEVICE_TEMPLATES.contains(&function.name);
        if !is_of_device && !HOST_TEMPLATES.contains(&function.name) || !args.iter().all(is_number) {
            return None;
        }
        let overload = function.overloads.iter().find(takes)?;
        Some(match is_of_device {
            true => TableCandidate::DeviceTemplate(overload),
            false => TableCandidate::Host,
        })
    }

    /// The best of the candidates (C++17 16.3.3p1).
    fn choose(
        &mut self,
        function: &'static Function,
        name_span: Span,
        args: &[Arg],
    ) -> Result<TableCandidate, Reported> {
        let mut viable = SmallVec::new();
        self.add_viable_builtins(function, args, &mut viable);
        match self.calls().best(&viable).map(|idx| viable[idx].candidate) {
            Some(Candidate::Builtin(chosen)) if !chosen.is_of_host() => Ok(chosen),
            _ => {
                let is_ambiguous = viable.iter().any(|viable| viable.origin == Origin::Function);
                let diagnostic = self.no_choice(function, name_span, args, is_ambiguous);
                Err(self.sink.error(diagnostic))
            }
        }
    }

    pub(super) fn no_choice(
        &self,
        function: &Function,
        name_span: Span,
        args: &[Arg],
        is_ambiguous: bool,
    ) -> Diagnostic {
        let (name, written) = (function.name, self.calls_ref().written_args(args));
        let (code, message) = if is_ambiguous {
            (Code::AmbiguousBuiltin, format!("call to `{name}` with arguments ({written}) is ambiguous"))
        } else {
            (
                Code::NoMatchingBuiltin,
                format!("no matching function for call to `{name}` with arguments ({written})"),
            )
        };
        let mut diagnostic = Diagnostic::new(code, name_span, message);
        let overloads: Vec<&Overload> = self.overloads(function).collect();
        for overload in overloads.iter().take(MAX_CANDIDATES) {
            let types = &self.module.types;
            let params: Vec<String> = overload.params.iter().map(|param| param.spelling(types)).collect();
            let ret = overload.ret.spelling(types);
            diagnostic = diagnostic.with_note(format!("candidate: `{ret} {name}({})`", params.join(", ")));
        }
        if overloads.len() > MAX_CANDIDATES {
            let n_others = overloads.len() - MAX_CANDIDATES;
            diagnostic = diagnostic.with_note(format!("and {n_others} other candidates"));
        }
        if is_ambiguous {
            diagnostic = diagnostic.with_help("cast the arguments to the intended type");
        }
        diagnostic
    }
}

impl Function {
    /// Whether the table has overloads of it; others check their arguments themselves.
    pub(super) fn has_table(&self) -> bool {
        !self.overloads.is_empty()
    }

    /// Whether a use of the name means one of several.
    pub(super) fn has_overloads(&self) -> bool {
        self.overloads.len() > 1
    }
}

impl Overload {
    /// How many arguments a call has at least.
    fn n_least_args(&self) -> usize {
        self.params.len() - self.defaults.len()
    }

    /// The value of a parameter that the call leaves out.
    fn default(&self, param_idx: usize) -> i128 {
        self.defaults[param_idx - self.n_least_args()]
    }
}
