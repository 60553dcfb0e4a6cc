//! Overload resolution (C++17 16.3), for the program's functions and the built-in ones.
//!
//! - [`sequence`]: how an argument fits a parameter
//! - [`call`]: calls of functions that share a name
//! - [`argument_dependent`]: functions of the namespaces of the arguments
//! - [`address`]: their addresses, of which the type that is wanted says which is meant
//! - [`operator`]: operators that are functions of the program
//! - [`deduced_class`]: classes whose template arguments the values say that initialize them
//! - [`message`]: what is said where none fits, or more than one
//!
//! A name with one function, as in C, does not come here: its arguments are converted directly.

mod address;
mod argument_dependent;
mod call;
mod deduced_class;
mod message;
mod operator;
mod sequence;

use smallvec::SmallVec;

use crate::ast::{ExprId, InitId, Name, TemplateArgsId};
use crate::ir::{Expr, Func, Record};
use crate::sema::Calls;
use crate::sema::builtin::{FunctionId, TableCandidate};
use crate::sema::expression::Operand;
use crate::sema::name::advice::Advised;
use crate::sema::name::host_code::HostFunction;
use crate::sema::template::Template;
use crate::source::Span;

pub(in crate::sema) use call::Ignored;
pub(in crate::sema) use deduced_class::ClassValues;
pub(in crate::sema) use operator::OperatorUse;
pub(in crate::sema) use sequence::Sequence;

/// An argument before it is converted.
#[derive(Clone, Copy)]
pub(in crate::sema) enum Arg {
    Value(Expr),
    /// What designates an object or a function, to which a reference may bind; and what stands for its value, until it is known whether
    /// it is read.
    Object(Operand, Expr),
    /// A braced list, which has the parameter's type.
    Braced(InitId, ExprId),
    /// The name of several functions, of which the parameter's type says which is meant.
    Overloaded(ExprId),
}

/// Those of a call; mostly there are few.
pub(in crate::sema) type Args = SmallVec<[Arg; 8]>;

/// How the arguments of a call fit.
pub(in crate::sema) type Sequences = SmallVec<[Sequence; 8]>;

/// Functions that share a name in one scope.
#[derive(Clone, Debug, Default)]
pub(in crate::sema) struct Overloads {
    /// The program's.
    pub(in crate::sema) funcs: SmallVec<[Func; 4]>,
    /// The built-in one.
    pub(in crate::sema) builtin: Option<FunctionId>,
    /// Those of the host.
    pub(in crate::sema) host: Vec<HostFunction>,
    /// The program's templates.
    pub(in crate::sema) templates: SmallVec<[Template; 2]>,
    /// The class that has them, if `using` declarations bring some of them from its bases.
    pub(in crate::sema) naming: Option<Record>,
    /// The template arguments that are written after the name: only templates are meant.
    pub(in crate::sema) written: Option<TemplateArgsId>,
}

impl Overloads {
    /// Adds a function, unless it is there.
    pub(in crate::sema) fn add(&mut self, func: Func) {
        if !self.funcs.contains(&func) {
            self.funcs.push(func);
        }
    }

    /// Adds those of another set.
    pub(in crate::sema) fn merge(&mut self, other: &Overloads) {
        other.funcs.iter().for_each(|&func| self.add(func));
        self.builtin = self.builtin.or(other.builtin);
        self.host.extend_from_slice(&other.host);
        for &template in &other.templates {
            if !self.templates.contains(&template) {
                self.templates.push(template);
            }
        }
    }

    pub(in crate::sema) fn is_empty(&self) -> bool {
        self.funcs.is_empty() && self.templates.is_empty() && self.builtin.is_none() && self.host.is_empty()
    }

    /// The function, if it is the only one that may be meant.
    pub(in crate::sema) fn sole(&self) -> Option<Func> {
        match (&self.funcs[..], self.builtin, &self.templates[..]) {
            (&[func], None, []) => Some(func),
            _ => None,
        }
    }
}

/// Such functions in the context's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) struct OverloadsId(u32);

cranelift_entity::entity_impl!(OverloadsId);

/// What a call may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sema) enum Candidate {
    /// A function of the program's.
    Func(Func),
    /// One of the table of built-in ones.
    Builtin(TableCandidate),
    /// The built-in operator.
    BuiltinOperator,
}

/// Where a candidate comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::sema) enum Origin {
    Function,
    /// A template that is built in.
    BuiltinTemplate,
    /// A template of the program's.
    Template(Template),
}

/// A candidate that takes the arguments of a call.
pub(in crate::sema) struct Viable<C> {
    pub(in crate::sema) candidate: C,
    pub(in crate::sema) sequences: Sequences,
    pub(in crate::sema) origin: Origin,
}

impl Overloads {
    /// One function alone.
    pub(in crate::sema) fn of(func: Func) -> Self {
        Overloads { funcs: [func].into_iter().collect(), ..Overloads::default() }
    }
}

impl Calls<'_> {
    /// The functions, as far as they were declared where what is being checked was written.
    pub(in crate::sema) fn overloads_of(&self, id: OverloadsId) -> Overloads {
        let mut overloads = self.known.overloads[id].clone();
        if let Some(n_declared) = self.expansions.n_declared {
            // All members of a class are known in its default arguments (C++17 6.3.7p1).
            let functions = &self.module.functions;
            overloads
                .funcs
                .retain(|&mut func| func.as_u32() < n_declared || functions[func].method.is_some());
        }
        if self.horizon.is_some() {
            overloads.funcs.retain(|&mut func| !self.templates_ref().is_beyond_horizon(func));
            overloads
                .templates
                .retain(|&mut template| !self.templates_ref().is_template_beyond_horizon(template));
        }
        overloads
    }

    /// Notes a declaration with a mistake in it: a call of the name that no other declaration fits may mean it.
    pub(in crate::sema) fn note_broken(&mut self, name: Name) {
        self.known.has_operators |= name.symbol.operator().is_some();
        self.known.broken_names.insert(name.symbol);
    }

    /// Notes that the function is the one of its name that is meant.
    pub(in crate::sema::call) fn use_overload(&mut self, func: Func, span: Span) {
        self.module.functions[func].is_referenced = true;
        if !self.known.advice.is_empty() {
            let name = self.module.functions[func].name.clone();
            self.names().warn_use(Advised::Func(func), &name, span);
        }
    }

    /// The candidate that is better than all others (C++17 16.3.3p1).
    pub(in crate::sema) fn best<C>(&mut self, viable: &[Viable<C>]) -> Option<usize> {
        (0..viable.len()).find(|&idx| {
            let mut others = (0..viable.len()).filter(|&other| other != idx);
            others.all(|other| self.beats(&viable[idx], &viable[other]))
        })
    }

    /// Whether the first fits better for some argument and worse for none, or as well and is no template.
    fn beats<C>(&mut self, a: &Viable<C>, b: &Viable<C>) -> bool {
        let mut is_better = false;
        for (&ours, &theirs) in a.sequences.iter().zip(&b.sequences) {
            if self.is_better(theirs, ours) {
                return false;
            }
            is_better |= self.is_better(ours, theirs);
        }
        is_better
            || match (a.origin, b.origin) {
                // C++17 16.3.3p1.6, p1.7
                (Origin::Function, Origin::BuiltinTemplate | Origin::Template(_)) => true,
                (Origin::Template(a), Origin::Template(b)) => {
                    self.templates().is_more_specialized(a, b)
                        || self.templates_ref().is_better_guide(a, b)
                            && !self.templates().is_more_specialized(b, a)
                }
                _ => false,
            }
    }
}
