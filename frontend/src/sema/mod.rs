//! Meaning: from the abstract syntax to the typed program.
//!
//! In: an [`ast::TranslationUnit`]. Out: an [`ir::Module`] in which each name is resolved, each
//! expression typed, each conversion a node. What a program may say is what nvcc takes as C++17;
//! the clauses cited are C++17's where the two languages differ, C17's where they agree.
//!
//! - [`scope`]: what names stand for, and for how long
//! - [`namespace`]: namespaces; [`qualified`]: names with `::`
//! - [`qualifier`]: CUDA's qualifiers and attributes
//! - [`ty`]: specifiers and declarators to types
//! - [`record`]: structs and unions
//! - [`enumeration`]: enumerated types
//! - [`decl`]: declarations, and typedefs; [`function`]: declarations of functions; [`function_body`]: their bodies;
//!   [`deduced_result`]: results of type `auto`
//! - [`launch`]: what kernels say about their launches
//! - [`default_arg`]: default arguments; [`constexpr_function`]: `constexpr` functions
//! - [`variable`]: declarations of variables
//! - [`stmt`]: statements, and where jumps may lead; [`repeat`]: conditions, `if` and loops;
//!   [`range_for`]: loops over arrays; [`switch`]: `switch` and its labels
//! - [`asm`]: inline PTX
//! - [`lifetime`]: which variables are alive where
//! - [`notes`]: what is noted of few of the expressions
//! - [`flow`]: whether control reaches the end of a function
//! - [`expr`]: expressions of every kind; [`literal`]: literals
//! - [`place`]: those that designate objects
//! - [`arith`]: operators; [`assign`]: assignments and increments; [`conditional`]: the conditional operator
//! - [`call`]: calls of functions; [`overload`]: which function of a name is meant
//! - [`variadic`]: the arguments of `...`
//! - [`reference`]: what references bind to
//! - [`convert`]: implicit conversions; [`integer_rank`]: promotions and common types of integers
//! - [`cast`]: explicit conversions
//! - [`init`]: initializers of objects; [`designator`]: designators in their lists
//! - [`type_query`]: what is asked of types and members
//! - [`type_trait`]: `__is_pod`, `__is_same` and their kin
//! - [`dim3`]: the type that has constructors
//! - [`required_constant`]: what must be constant; [`const_eval`]: constant expressions; [`constant`]: the evaluation of `constexpr` functions; [`constant_object`]: what they read of arrays and structs
//! - [`advice`]: what attributes say to users of a name; [`unused`]: names that nothing uses
//! - [`warn`]: doubts about what is right
//! - [`cycle`]: variables that lead back to themselves
//! - [`builtin`]: built-in functions, their names and overloads
//! - [`vector`]: the built-in vector types, and the functions that make values of them
//! - [`half`]: the half-precision types
//! - [`known_function`]: the names of those that are not there yet; [`lacking`]: of all else that nvcc knows
//!
//! **Invariant**: a check that fails has reported, and gives [`Reported`]; callers go on with what
//! does not depend on it. Nothing is reported about the poison type or a poisoned name.
//!
//! **Invariant**: what is not evaluated (the operand of `sizeof`, constant expressions) is checked in
//! an arena of its own, which is dropped; the nodes of a body are those that it reaches, but for
//! designations that were folded away.

mod address_constant;
mod advice;
mod arith;
mod asm;
mod assign;
mod builtin;
mod call;
mod cast;
mod conditional;
mod const_eval;
mod constant;
mod constant_object;
mod constexpr_function;
mod convert;
mod cycle;
mod decl;
mod deduced_result;
mod default_arg;
mod designator;
mod dim3;
mod enumeration;
mod expr;
mod flow;
mod function;
mod function_body;
mod function_name;
mod half;
mod host_code;
mod host_function;
mod init;
mod integer_rank;
mod known_function;
mod lacking;
mod launch;
mod library_function;
mod lifetime;
mod literal;
mod long_double;
mod namespace;
mod notes;
mod opaque;
mod overload;
mod place;
mod qualified;
mod qualifier;
mod range_for;
mod record;
mod reference;
mod repeat;
mod required_constant;
mod runtime_function;
mod scope;
mod stmt;
mod switch;
mod system_function;
mod text_function;
mod ty;
mod type_query;
mod type_trait;
mod unused;
mod variable;
mod variadic;
mod vector;
mod warn;

#[cfg(test)]
mod tests;

use hashbrown::{HashMap, HashSet};
use std::cell::Cell;
use std::mem;

use cranelift_entity::{EntityRef, PrimaryMap};
use smallvec::SmallVec;

use crate::Dialect;
use crate::ast;
use crate::diag::{Code, Diagnostic, Reported, Severity, Sink};
use crate::ir::{
    Body, Choice, Enum, Exact, Expr, ExprData, ExprNode, Func, Global, HalfTy, Init, InitData, InitNode,
    Module, Namespace, Place, PlaceData, PlaceNode, Quals, Record, Ty, TyKind, TypeTable,
};
use crate::predeclared::Predeclared;
use crate::source::Span;
use crate::token::{Interner, Symbol};

pub use builtin::prototype::Prototype;
pub(crate) use builtin::prototype::prototypes as builtin_prototypes;

use const_eval::Value;
use notes::Notes;
use scope::Scopes;

/// What `__has_builtin` answers: as in GNU's preprocessor, only names with that prefix count.
pub(crate) fn has_builtin(name: &str) -> bool {
    name.starts_with("__builtin_") && builtin::named(name).next().is_some()
}

/// A program that is checked declaration by declaration, and what is known of it so far.
pub(crate) struct Checker {
    dialect: Dialect,
    /// None while a check has it.
    program: Option<Program>,
}

impl Checker {
    /// Knows what the compiler declares by itself.
    pub(crate) fn new(dialect: Dialect, interner: &Interner, sink: &mut Sink) -> Self {
        let program = Program {
            module: Module { types: TypeTable::of(dialect.model), ..Module::default() },
            scopes: Scopes::default(),
            arena: Arena::default(),
            spare: None,
            spare_body: None,
            checked: Vec::new(),
            known: Box::default(),
            is_damaged: false,
        };
        let mut checker = Checker { dialect, program: Some(program) };
        checker.with(&ast::TranslationUnit::default(), interner, sink, Cx::make_builtin_records);
        checker
    }

    /// Takes note of names that the text has and that it had not before: those of the compiler's own are `named`.
    pub(crate) fn learn(&mut self, named: &[(Symbol, Predeclared)], interner: &Interner, sink: &mut Sink) {
        self.with(&ast::TranslationUnit::default(), interner, sink, |cx| {
            cx.scopes.make_room(interner.len());
            cx.declare_named(named);
        });
    }

    /// Checks the declarations of the unit. What they refer to may stand in units that came before, whose nodes are
    /// forgotten but for those outside of functions, which the unit has in their old places.
    /// `is_damaged` says that mistakes were found in their text: what was not understood is missing.
    pub(crate) fn check(
        &mut self,
        unit: &ast::TranslationUnit,
        is_damaged: bool,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        if let Some(program) = &mut self.program {
            program.checked.clear();
            program.is_damaged = is_damaged;
        }
        self.with(unit, interner, sink, |cx| {
            for decl in &cx.unit.decls {
                cx.check_file_decl(decl);
            }
            cx.define_builtins();
        });
    }

    /// What is known of the program.
    pub(crate) fn module(&self) -> &Module {
        &self.program().module
    }

    /// The functions whose bodies were in the last unit.
    pub(crate) fn checked(&self) -> &[Func] {
        &self.program().checked
    }

    /// Lets go of the bodies in the last unit; those of the next one will lie where they lay.
    pub(crate) fn drop_bodies(&mut self) {
        let Some(Program { module, checked, spare_body, known, .. }) = &mut self.program else { return };
        for &func in &*checked {
            // A constant may need it.
            if known.func_facts.get(&func).is_some_and(|facts| facts.is_constexpr) {
                continue;
            }
            if let Some(body) = &mut module.functions[func].body {
                let placeholder = Box::new(Body::placeholder(body.root, body.end));
                let mut spare = mem::replace(body, placeholder);
                spare.clear();
                *spare_body = Some(spare);
            }
        }
    }

    fn program(&self) -> &Program {
        self.program.as_ref().expect("invariant: a check gives the program back")
    }

    /// Checks what can only be told at the end of the text; `unit` is the last that there was.
    pub(crate) fn finish(
        mut self,
        unit: &ast::TranslationUnit,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Result<Module, Reported> {
        self.with(unit, interner, sink, Cx::finish);
        let program = self.program.expect("invariant: a check gives the program back");
        sink.reported().map_or(Ok(program.module), Err)
    }

    fn with<'a>(
        &'a mut self,
        unit: &'a ast::TranslationUnit,
        interner: &'a Interner,
        sink: &'a mut Sink,
        check: impl FnOnce(&mut Cx<'a>),
    ) {
        let program = self.program.take().expect("invariant: a check gives the program back");
        let mut cx = Cx::new(unit, program, self.dialect, interner, sink);
        check(&mut cx);
        let Cx { module, scopes, arena, spare, spare_body, checked, known, is_damaged, .. } = cx;
        self.program = Some(Program { module, scopes, arena, spare, spare_body, checked, known, is_damaged });
    }
}

/// What one declaration leaves to the next. What is large does not move in memory, however many declarations there are.
struct Program {
    module: Module,
    scopes: Scopes,
    /// The nodes of initial values at file scope.
    arena: Arena,
    /// See [`Cx`].
    spare: Option<Box<stmt::FuncCx>>,
    /// See [`Cx`].
    spare_body: Option<Box<Body>>,
    /// See [`Cx`].
    checked: Vec<Func>,
    known: Box<Known>,
    /// Mistakes were found in the text of what is checked: what was not understood is missing.
    is_damaged: bool,
}

/// The map in memory of just its size; what it was made in stays for the next one.
fn moved_out<K: EntityRef, V>(map: &mut PrimaryMap<K, V>) -> PrimaryMap<K, V> {
    let mut values = Vec::from(mem::take(map));
    let moved = values.split_off(0);
    *map = values.into();
    moved.into()
}

/// What the checks share: the syntax on one side, the module in the making on the other.
struct Cx<'a> {
    unit: &'a ast::TranslationUnit,
    dialect: Dialect,
    interner: &'a Interner,
    sink: &'a mut Sink,
    module: Module,
    scopes: Scopes,
    /// Where expressions and initializers go.
    arena: Arena,
    known: Box<Known>,
    /// The function whose body is being checked.
    func: Option<Box<stmt::FuncCx>>,
    /// That of the function before, whose memory the next one takes.
    spare: Option<Box<stmt::FuncCx>>,
    /// The last body that has been let go of, empty.
    spare_body: Option<Box<Body>>,
    /// The functions of the unit whose bodies have been checked.
    checked: Vec<Func>,
    /// The declaration is a member's.
    is_member: bool,
    /// The variable whose type is being deduced from its initializer.
    deducing: Option<Symbol>,
    /// The default arguments that are being put into a call.
    expansions: default_arg::Expansions,
    /// How often something was left out for an error that was reported elsewhere.
    n_poisoned: Cell<usize>,
    /// The errors of declarations of the host that were left out.
    host_errors: Vec<Diagnostic>,
    /// The device needs one of these declarations.
    needs_host_code: Cell<bool>,
    /// A declaration of the host is read, whose errors may be dropped.
    tries_host_code: bool,
    /// What is checked is not part of the program: a constant expression, the operand of `sizeof`.
    is_in_scratch: bool,
    /// The value of a `constexpr` variable of a block is being checked.
    is_constexpr_init: bool,
    /// What is within braces stands where a constant that does not survive is an error.
    refuses_narrowing: bool,
    /// How often a value was narrowed within braces, but for constants that nvcc takes.
    n_narrowed: usize,
    /// What is checked stands in the initializer of a variable.
    initializes_variable: bool,
    /// See [`Program`].
    is_damaged: bool,
}

/// What is remembered of a program beside its module.
#[derive(Default)]
struct Known {
    /// The items of the host that were skipped, by the places of their names.
    host_items: HashMap<Span, host_code::HostItem>,
    /// The functions of the host that are defined, by their names: those of the device with such a name have other parameters.
    host_definitions: HashMap<(Namespace, Symbol), Vec<host_code::HostFunction>>,
    /// Names that declarations of the host use, and nothing declares for them.
    wrong_in_host_code: HashSet<Symbol>,
    /// The functions without `__device__` that are errors and that nothing has used yet: where their names are, and where they begin.
    refused_functions: HashMap<Symbol, (Span, Span)>,
    /// A definition of the host that the output would lack was reported.
    has_host_definition: bool,
    /// What is remembered of each function.
    func_facts: HashMap<Func, Box<function::FuncFacts>>,
    /// A function that is an operator was declared.
    has_operators: bool,
    /// The names with a declaration that has a mistake in it.
    broken_names: HashSet<Symbol>,
    /// What declares built-in functions again, by their names.
    builtins_again: HashMap<Symbol, Vec<Func>>,
    /// Functions that share a name.
    overloads: PrimaryMap<overload::OverloadsId, overload::Overloads>,
    /// Sets of functions that several namespaces have, by what is in them.
    merged_overloads: HashMap<(SmallVec<[Func; 4]>, bool), overload::OverloadsId>,
    /// The names of functions that namespaces other than the global one have.
    names_of_namespaces: HashSet<Symbol>,
    /// The functions of namespaces by name, local declarations of them included.
    funcs_by_name: HashMap<(Namespace, Symbol), SmallVec<[Func; 2]>>,
    /// The variables with linkage by name, local `extern` declarations of them included.
    globals_by_name: HashMap<(Namespace, Symbol), Global>,
    /// The variables whose definition has been seen.
    defined_globals: HashSet<Global>,
    /// The variables without external linkage that something uses.
    used_globals: HashSet<Global>,
    /// The values of `const` variables that constant expressions may use (C++17 8.20p2).
    global_values: HashMap<Global, Value>,
    /// The `constexpr` arrays and structs, of which constant expressions may read.
    constexpr_objects: HashSet<Global>,
    /// The formats that `const` variables stand for.
    formats: HashMap<Global, warn::Formats>,
    /// Those without a memory of the device, of which nothing else may.
    host_objects: HashSet<Global>,
    /// `const` variables that only have a value, since nvcc gives them no place on the device.
    named_consts: Vec<scope::NamedConst>,
    /// The global of each string literal seen.
    strings: HashMap<(Vec<u8>, Ty), Global>,
    /// The built-in functions that have been named.
    named_builtins: HashMap<Symbol, builtin::FunctionId>,
    /// The functions that built-in ones are whose address is taken, by name.
    builtin_addresses: HashMap<(&'static str, Ty), Func>,
    /// Those of them that have no body yet.
    builtins_to_define: Vec<builtin::Wanted>,
    /// The `constexpr` functions of the host, by where their name was bound last.
    host_constexprs: HashMap<Span, scope::Entity>,
    /// Their bodies.
    constant_bodies: HashMap<Func, Box<Body>>,
    /// How much work constants have taken so far.
    constant_work: Cell<u64>,
    /// How many elements ranges of designators have initialized.
    n_ranged: u64,
    /// What is remembered of each complete struct and union.
    record_facts: HashMap<Record, record::RecordFacts>,
    /// The structs and unions of which a member has a mistake in it: what they have is not known.
    broken_records: HashSet<Record>,
    /// The tags and enumerators that structs and unions have declared in their braces.
    nested_names: HashMap<Symbol, Span>,
    /// What is declared in structs and unions: types, enumerators, constants.
    class_names: HashMap<(Record, Symbol), scope::Binding>,
    /// The least and the greatest value of each enum, zero included.
    enum_ranges: HashMap<Enum, (Exact, Exact)>,
    /// `uint3` and `dim3`.
    builtin_records: Option<BuiltinRecords>,
    /// The struct of a list of arguments, once it is named.
    va_list_tag: Option<Ty>,
    /// The half-precision types that the program uses.
    halves: HashMap<HalfTy, Ty>,
    /// The enum that says how built-in functions round, if the program names it.
    round_mode: Option<Ty>,
    /// The enum that says what becomes of accesses beside a surface, if the program names it.
    boundary_mode: Option<Ty>,
    /// The built-in vector types that the program uses, by name.
    vectors: HashMap<&'static str, Ty>,
    /// Those of which it was said that they are deprecated.
    deprecated_vectors: HashSet<&'static str>,
    /// What attributes say to users of a name.
    advice: advice::AdviceTable,
    /// The reasons that they give.
    reasons: Vec<String>,
    /// The typedef names of functions that nothing has used yet.
    local_typedefs: Vec<(String, Span)>,
}

/// The types of the built-in variables.
#[derive(Clone, Copy)]
struct BuiltinRecords {
    uint3: Ty,
    dim3: (Record, Ty),
}

/// The nodes of one body, or of one constant expression.
#[derive(Default)]
struct Arena {
    exprs: PrimaryMap<Expr, ExprNode>,
    places: PrimaryMap<Place, PlaceNode>,
    choices: PrimaryMap<Choice, [Place; 2]>,
    inits: PrimaryMap<Init, InitNode>,
    /// The null pointer constants: integer and character literals with the value zero (C++17 7.11p1), and such
    /// literals behind casts to integer types, which nvcc takes too.
    zero_literals: Notes<()>,
    /// The arrays that `__func__` and its kin stand for, which are no literals.
    function_names: HashSet<Place>,
    /// The values that stand alone in a braced list, as arguments of built-in functions.
    listed: Notes<()>,
    /// The literals that are written in another base than ten, where one may be for its bits.
    bit_patterns: HashSet<Expr>,
    /// What each name of a compound assignment's right side stands for, and the second use of what stands before `?:`.
    bindings: Notes<Expr>,
    /// What constants of `long double` are apart from the doubles nearest to them, where it is something.
    rests: Notes<i16>,
    /// The records that the call of a function makes of its arguments: no constants to nvcc, whatever
    /// the arguments are.
    made_records: HashSet<Expr>,
}

impl<'a> Cx<'a> {
    fn new(
        unit: &'a ast::TranslationUnit,
        program: Program,
        dialect: Dialect,
        interner: &'a Interner,
        sink: &'a mut Sink,
    ) -> Self {
        let Program { module, scopes, arena, spare, spare_body, checked, known, is_damaged } = program;
        Cx {
            unit,
            dialect,
            interner,
            sink,
            module,
            scopes,
            arena,
            known,
            func: None,
            spare,
            spare_body,
            checked,
            is_member: false,
            deducing: None,
            expansions: default_arg::Expansions::default(),
            n_poisoned: Cell::new(0),
            host_errors: Vec::new(),
            needs_host_code: Cell::new(false),
            tries_host_code: false,
            is_in_scratch: false,
            is_constexpr_init: false,
            refuses_narrowing: false,
            n_narrowed: 0,
            initializes_variable: false,
            is_damaged,
        }
    }

    fn spelling(&self, symbol: Symbol) -> &'a str {
        self.interner.spelling(symbol)
    }

    /// Reports an error that needs no more than its phrase.
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.sink.error(Diagnostic::new(code, span, message))
    }

    /// The witness behind a poison type or name.
    fn poisoned(&self) -> Reported {
        self.n_poisoned.set(self.n_poisoned.get() + 1);
        match self.sink.reported() {
            Some(reported) => reported,
            None => {
                // A declaration of the host has the mistake: `Cx::report_needed_host_code`.
                self.needs_host_code.set(true);
                self.sink.postponed()
            }
        }
    }

    /// A type for a message.
    fn show(&self, ty: Ty) -> String {
        self.module.types.describe(ty)
    }

    #[inline(always)]
    fn expr(&mut self, data: ExprData, ty: Ty, span: Span) -> Expr {
        self.arena.exprs.push(ExprNode { data, ty, span })
    }

    #[inline(always)]
    fn place(&mut self, data: PlaceData, ty: Ty, span: Span) -> Place {
        self.arena.places.push(PlaceNode { data, ty, span })
    }

    fn init(&mut self, data: InitData, span: Span) -> Init {
        self.arena.inits.push(InitNode { data, span })
    }

    fn ty_of(&self, expr: Expr) -> Ty {
        self.arena.exprs[expr].ty
    }

    fn span_of(&self, expr: Expr) -> Span {
        self.arena.exprs[expr].span
    }

    fn place_ty(&self, place: Place) -> Ty {
        self.arena.places[place].ty
    }

    fn canonical(&self, ty: Ty) -> Ty {
        self.module.types.canonical(ty)
    }

    /// Whether two types are the same to the language, qualifiers included.
    fn same(&self, a: Ty, b: Ty) -> bool {
        a == b || self.canonical(a) == self.canonical(b)
    }

    /// Whether the value is a number: of an integer, floating or enum type.
    fn is_number(&self, expr: Expr) -> bool {
        let ty = self.ty_of(expr);
        match self.module.types.kind(ty) {
            TyKind::Int(_) | TyKind::Float(_) => true,
            TyKind::Enum(_) => !self.module.types.is_scoped_enum(ty),
            _ => false,
        }
    }

    /// Whether two types are the same but for their top-level qualifiers.
    fn same_unqualified(&mut self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.module.types.unqualified(a), self.module.types.unqualified(b));
        self.same(a, b)
    }

    fn is_const(&self, ty: Ty) -> bool {
        self.module.types.quals(ty).contains(Quals::CONST)
    }

    /// Runs a check of a member's declaration, in which an array may have no elements.
    fn in_member<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = mem::replace(&mut self.is_member, true);
        let result = check(self);
        self.is_member = outer;
        result
    }

    /// Runs a check whose nodes are not part of the program.
    fn in_scratch<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let saved = mem::take(&mut self.arena);
        let outer = mem::replace(&mut self.is_in_scratch, true);
        let result = check(self);
        self.is_in_scratch = outer;
        self.arena = saved;
        result
    }

    /// Checks again what has been checked: what there is to say of it has been said, but for errors.
    fn quietly<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let aside = self.sink.aside();
        let said = mem::replace(self.sink, aside);
        let result = check(self);
        let again = mem::replace(self.sink, said);
        for diagnostic in again.into_emitted() {
            if diagnostic.severity == Severity::Error {
                self.sink.emit(diagnostic);
            }
        }
        result
    }

    /// Runs a check that leaves nothing behind, messages included.
    fn aside<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let aside = self.sink.aside();
        let said = mem::replace(self.sink, aside);
        let n_poisoned = self.n_poisoned.get();
        let result = self.in_scratch(check);
        self.n_poisoned.set(n_poisoned);
        *self.sink = said;
        result
    }

    /// The body of a finished function. The arenas are empty then, and keep their memory or have that of a body which
    /// nobody wanted.
    fn take_body(&mut self, func: &mut stmt::FuncCx, root: crate::ir::Stmt, end: Span) -> Box<Body> {
        let Arena {
            exprs,
            places,
            choices,
            inits,
            zero_literals,
            function_names,
            listed,
            bit_patterns,
            bindings,
            rests,
            made_records,
        } = &mut self.arena;
        bit_patterns.clear();
        zero_literals.clear();
        function_names.clear();
        listed.clear();
        bindings.clear();
        rests.clear();
        made_records.clear();
        if let Some(mut body) = self.spare_body.take() {
            mem::swap(&mut body.params, &mut func.params);
            mem::swap(&mut body.locals, &mut func.locals);
            mem::swap(&mut body.exprs, exprs);
            mem::swap(&mut body.places, places);
            mem::swap(&mut body.choices, choices);
            mem::swap(&mut body.inits, inits);
            mem::swap(&mut body.stmts, &mut func.stmts);
            mem::swap(&mut body.labels, &mut func.labels);
            mem::swap(&mut body.unroll_pragmas, &mut func.unroll_pragmas);
            (body.root, body.end) = (root, end);
            return body;
        }
        Box::new(Body {
            params: func.params.drain(..).collect(),
            locals: moved_out(&mut func.locals),
            exprs: moved_out(exprs),
            places: moved_out(places),
            choices: moved_out(choices),
            inits: moved_out(inits),
            stmts: moved_out(&mut func.stmts),
            labels: moved_out(&mut func.labels),
            unroll_pragmas: mem::take(&mut func.unroll_pragmas),
            root,
            end,
        })
    }

    /// What can only be told at the end of the text.
    fn finish(&mut self) {
        self.check_internal_functions_defined();
        self.check_used_functions_complete();
        self.check_circular_initializers();
        let codes = [Code::UnusedConstVariable, Code::UnusedLocalTypedef, Code::UnusedVariable];
        if codes.iter().any(|&code| self.sink.is_on(code)) {
            self.note_unused();
        }
    }
}
