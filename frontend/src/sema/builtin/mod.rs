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
//!
//! Overloads are chosen as C++ does (C++17 16.3): the one that is better for some argument and worse
//! for none. A call that is ambiguous to nvcc is ambiguous here.

mod address;
mod beside;
mod constant;
mod generic;
mod ordered;
pub(super) mod prototype;
mod quad;
mod system;
mod table;
mod texture;
mod ty;

use std::ops::RangeInclusive;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::Cx;
use super::convert::{Target, promoted};
use super::half::Header;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::builtin::Operand;
use crate::ir::{Expr, ExprData, FloatTy, Ty, TyKind};
use crate::predeclared::named_texture_op;
use crate::source::Span;
use crate::token::Symbol;

pub(super) use address::Wanted;
pub(super) use beside::{ASSERT_FAIL, Beside, Meant};
use table::Overload;
pub(super) use table::{Function, FunctionId, all, named};
use ty::Type;
pub(super) use ty::{BOUNDARY_MODE_TAG, ROUND_MODE_TAG};

/// How many overloads a message shows.
const MAX_CANDIDATES: usize = 16;

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

/// How an argument fits a parameter, best first (C++17 16.3.3.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Exact,
    Qualification,
    Promotion,
    Conversion,
    /// By a constructor or conversion of a class.
    UserDefined,
}

/// Those of a call.
type Ranks = SmallVec<[Rank; 8]>;

/// The overloads that take the arguments: mostly one.
type Viable = SmallVec<[(&'static Overload, Ranks); 2]>;

impl Cx<'_> {
    pub(super) fn check_builtin_call(
        &mut self,
        function: &'static Function,
        name_span: Span,
        args: &[Expr],
        span: Span,
    ) -> Result<Expr, Reported> {
        if let Some(vector) = super::vector::made_by(function.name) {
            return self.make_vector(vector, args, span);
        }
        if let Some(op) = named_texture_op(function.name) {
            return self.check_texture_call(op, name_span, None, args, span);
        }
        if let Some(call) = self.quad_exchange(function, args, span) {
            return Ok(call);
        }
        let overload = self.choose(function, name_span, args)?;
        let ret = self.table_ty(overload.ret);
        let signature = overload.builtin.signature();
        let mut values = ThinVec::with_capacity(overload.params.len());
        for (idx, &param) in overload.params.iter().enumerate() {
            let ty = self.table_ty(param);
            let value = match args.get(idx) {
                Some(&arg) => self.convert(arg, ty, Target::Argument(None))?,
                None => self.expr(ExprData::int(overload.default(idx)), ty, span.end()),
            };
            // An operation has one type: `min(int, unsigned)` is the minimum of two `unsigned`s.
            values.push(match (signature.params[idx], signature.ret) {
                (Operand::T, Operand::T) => self.numeric(value, ret),
                _ if param == ty::ROUND_MODE => self.numeric(value, Ty::UINT),
                (operand, _) => match operand.constants() {
                    Some((range, step)) => self.immediate(function, value, range, step)?,
                    None => value,
                },
            });
        }
        Ok(self.expr(ExprData::Builtin(overload.builtin, values), ret, span))
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
        let known = self.known.named_builtins.get(&symbol).copied();
        let is_again = self.known.builtins_again.contains_key(&symbol);
        let find = || {
            let spelling = self.spelling(symbol);
            if is_again { self.find_declarable(spelling) } else { self.find_builtin(spelling) }
        };
        let function = known.or_else(find)?;
        self.known.named_builtins.insert(symbol, function);
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
        let constant = self.require_int(value, "the operand of the built-in function")?;
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

    /// The overloads that take the arguments, and how each argument fits.
    fn viable(&mut self, function: &'static Function, args: &[Expr]) -> Viable {
        let mut viable = Viable::new();
        for overload in self.overloads(function) {
            if args.len() < overload.n_least_args() || args.len() > overload.params.len() {
                continue;
            }
            let ranks = args.iter().zip(overload.params).map(|(&arg, &param)| self.rank(arg, param));
            if let Some(ranks) = ranks.collect::<Option<Ranks>>() {
                viable.push((overload, ranks));
            }
        }
        viable
    }

    /// The best of the overloads (C++17 16.3.3p1).
    fn choose(
        &mut self,
        function: &'static Function,
        name_span: Span,
        args: &[Expr],
    ) -> Result<&'static Overload, Reported> {
        let viable = self.viable(function, args);
        let best = viable.iter().find(|(overload, ranks)| {
            viable
                .iter()
                .all(|(other, other_ranks)| std::ptr::eq(*overload, *other) || beats(ranks, other_ranks))
        });
        if let Some(overload) = self.device_template(function, args, best) {
            return Ok(overload);
        }
        match best {
            Some((overload, ranks)) if !self.fits_host_template(function, args, ranks) => Ok(overload),
            _ => {
                let diagnostic = self.no_choice(function, name_span, args, !viable.is_empty());
                Err(self.sink.error(diagnostic))
            }
        }
    }

    /// The overload for `double`, where the C++ library's template of the name fits better than the best overload.
    fn device_template(
        &self,
        function: &'static Function,
        args: &[Expr],
        best: Option<&(&'static Overload, Ranks)>,
    ) -> Option<&'static Overload> {
        let is_exact = best.is_some_and(|(_, ranks)| ranks.iter().all(|&rank| rank == Rank::Exact));
        if !DEVICE_TEMPLATES.contains(&function.name) || is_exact || !self.are_numbers(args) {
            return None;
        }
        function
            .overloads
            .iter()
            .find(|overload| overload.ret == ty::DOUBLE && overload.params.len() == args.len())
    }

    fn are_numbers(&self, args: &[Expr]) -> bool {
        args.iter()
            .all(|&arg| matches!(self.module.types.kind(self.ty_of(arg)), TyKind::Int(_) | TyKind::Float(_)))
    }

    /// Whether the C++ library's template of the name fits better than the best overload, which has to
    /// convert a number: the template takes every mix of numbers as it is, and is the host's.
    fn fits_host_template(&self, function: &Function, args: &[Expr], ranks: &[Rank]) -> bool {
        HOST_TEMPLATES.contains(&function.name)
            && ranks.iter().any(|&rank| rank != Rank::Exact)
            && self.are_numbers(args)
    }

    fn rank(&mut self, arg: Expr, param: Type) -> Option<Rank> {
        let to = self.known_table_ty(param)?;
        self.rank_to(arg, to)
    }

    fn rank_to(&mut self, arg: Expr, to: Ty) -> Option<Rank> {
        let from = self.ty_of(arg);
        if self.same(from, to) {
            return Some(Rank::Exact);
        }
        let types = &self.module.types;
        let is_promotion = match (types.kind(from).clone(), types.kind(to).clone()) {
            (_, TyKind::Pointer(_)) if self.is_null_constant(arg) => false,
            (TyKind::Pointer(from), TyKind::Pointer(to)) => return self.rank_pointer(from, to),
            (TyKind::Int(from), TyKind::Int(to)) => promoted(from) == to,
            (TyKind::Float(FloatTy::Float), TyKind::Float(FloatTy::Double)) => true,
            (TyKind::Enum(_), TyKind::Int(_)) => self.promotes_to(arg, to),
            (TyKind::Int(_) | TyKind::Float(_), TyKind::Int(_) | TyKind::Float(_))
            | (TyKind::Enum(_), TyKind::Float(_)) => false,
            _ => return self.converts_by_half(from, to).then_some(Rank::UserDefined),
        };
        Some(if is_promotion { Rank::Promotion } else { Rank::Conversion })
    }

    /// A pointer to more qualifiers is as good as an exact match, but for one to fewer of them
    /// (C++17 16.3.3.2p3).
    fn rank_pointer(&mut self, from: Ty, to: Ty) -> Option<Rank> {
        if !self.pointer_converts(from, to) {
            return None;
        }
        Some(if self.same_unqualified(from, to) { Rank::Qualification } else { Rank::Conversion })
    }

    fn promotes_to(&mut self, arg: Expr, to: Ty) -> bool {
        let promoted = self.promote(arg);
        self.same(self.ty_of(promoted), to)
    }

    fn no_choice(
        &self,
        function: &Function,
        name_span: Span,
        args: &[Expr],
        is_ambiguous: bool,
    ) -> Diagnostic {
        let name = function.name;
        let mut written: Vec<String> = Vec::new();
        for &arg in args {
            written.push(self.module.types.display(self.ty_of(arg)));
        }
        let written = written.join(", ");
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

/// Whether the first fits better for some argument, and worse for none.
fn beats(a: &[Rank], b: &[Rank]) -> bool {
    let pairs = || a.iter().zip(b);
    pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
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
