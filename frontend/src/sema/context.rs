//! What the checks share, and the contexts that they are divided into.

use std::cell::Cell;
use std::mem;
use std::ops::Deref;

use cranelift_entity::{EntityRef, PrimaryMap};
use elsa::FrozenVec;
use hashbrown::{HashMap, HashSet};
use ref_cast::RefCast;
use smallvec::SmallVec;

use super::Program;
use super::constant::const_eval::Value;
use super::name::scope::Scopes;
use super::notes::Notes;
use crate::Dialect;
use crate::ast;
use crate::diag::{Code, Diagnostic, Reported, Severity, Sink};
use crate::ir::{
    Body, Choice, Expr, ExprData, ExprNode, Func, Global, Init, InitData, InitNode, Module, Namespace, Place,
    PlaceData, PlaceNode, Quals, Record, Ty, TyKind,
};
use crate::parse::Rereader;
use crate::source::Span;
use crate::token::{Interner, Symbol};

contexts! {
    Cx, cx;
    /// Names: declares them and looks them up.
    Names, names, names_ref;
    /// Types as they are written: specifiers, declarators, structs, unions, enums, attributes.
    Types, types, types_ref;
    /// Declarations of functions and variables.
    Declarations, declarations, declarations_ref;
    /// Expressions and their operators.
    Expressions, expressions, expressions_ref;
    /// Conversions, what references bind to, and initial values.
    Conversions, conversions, conversions_ref;
    /// Calls: overload resolution and arguments.
    Calls, calls, calls_ref;
    /// Function templates and their instances.
    Templates, templates, templates_ref;
    /// Built-in functions and types.
    Builtins, builtins, builtins_ref;
    /// Statements.
    Statements, statements, statements_ref;
    /// Doubts about what is right.
    Warnings, warnings, warnings_ref;
}

/// Constant expressions: evaluates what has been checked, and changes nothing.
#[derive(RefCast)]
#[repr(transparent)]
pub(super) struct Constants<'a> {
    pub(super) cx: Cx<'a>,
}

impl<'a> Deref for Constants<'a> {
    type Target = Cx<'a>;

    #[inline(always)]
    fn deref(&self) -> &Cx<'a> {
        &self.cx
    }
}

impl<'a> Cx<'a> {
    #[inline(always)]
    pub(super) fn constants(&self) -> &Constants<'a> {
        Constants::ref_cast(self)
    }
}

/// What was read again of templates: syntax that stays while anything refers to it.
pub(super) type Units = FrozenVec<Box<ast::TranslationUnit>>;

/// The map in memory of just its size; what it was made in stays for the next one.
fn moved_out<K: EntityRef, V>(map: &mut PrimaryMap<K, V>) -> PrimaryMap<K, V> {
    let mut values = Vec::from(mem::take(map));
    let moved = values.split_off(0);
    *map = values.into();
    moved.into()
}

/// What the checks share: the syntax on one side, the module in the making on the other.
pub(super) struct Cx<'a> {
    pub(super) unit: &'a ast::TranslationUnit,
    /// The unit of the program's own text: [`Self::unit`] unless that was read again for an instance of a template.
    pub(super) text: &'a ast::TranslationUnit,
    pub(super) dialect: Dialect,
    pub(super) interner: &'a Interner,
    pub(super) sink: &'a mut Sink,
    /// Reads the text of templates again, where a unit is checked.
    pub(super) rereader: Option<&'a mut Rereader>,
    /// What it has read.
    pub(super) units: &'a Units,
    pub(super) module: Module,
    pub(super) scopes: Scopes,
    /// Where expressions and initializers go.
    pub(super) arena: Arena,
    pub(super) known: Box<Known>,
    /// The function whose body is being checked.
    pub(super) func: Option<Box<super::statement::FuncCx>>,
    /// That of the function before, whose memory the next one takes.
    pub(super) spare: Option<Box<super::statement::FuncCx>>,
    /// The last body that has been let go of, empty.
    pub(super) spare_body: Option<Box<Body>>,
    /// The functions of the unit whose bodies have been checked.
    pub(super) checked: Vec<Func>,
    /// The variable whose type is being deduced from its initializer.
    pub(super) deducing: Option<Symbol>,
    /// What is written for the result of the function whose body is read, if the body says what that is.
    pub(super) placeholder: Option<super::declaration::deduced_result::Placeholder<'a>>,
    /// The default arguments that are being put into a call.
    pub(super) expansions: super::call::default_arg::Expansions,
    /// Where the template was declared whose text is checked: what comes after it is not known there.
    pub(super) horizon: Option<super::template::Horizon>,
    /// How often something was left out for an error that was reported elsewhere.
    pub(super) n_poisoned: Cell<usize>,
    /// The errors of declarations of the host that were left out.
    pub(super) host_errors: Vec<Diagnostic>,
    /// The device needs one of these declarations.
    pub(super) needs_host_code: Cell<bool>,
    /// A declaration of the host is read, whose errors may be dropped.
    pub(super) tries_host_code: bool,
    pub(super) evaluation: Evaluation,
    /// What is within braces stands where a constant that does not survive is an error.
    pub(super) refuses_narrowing: bool,
    /// How often a value was narrowed within braces, but for constants that nvcc takes.
    pub(super) n_narrowed: usize,
    /// What is checked stands in the initializer of a variable.
    pub(super) initializes_variable: bool,
    /// See [`Program`].
    pub(super) is_damaged: bool,
}

/// When what is checked is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Evaluation {
    AtRunTime,
    /// It is the initial value of a `constexpr` variable of a block.
    AtCompileTime,
    /// It is not part of the program: a constant expression.
    NotInProgram,
    /// Its type alone matters: the operand of `sizeof` (C++17 8p8).
    Unevaluated,
}

/// What is remembered of a program beside its module.
#[derive(Default)]
pub(super) struct Known {
    pub(super) builtins: super::builtin::BuiltinFacts,
    pub(super) names: super::name::NameFacts,
    pub(super) types: super::types::TypeFacts,
    pub(super) declarations: super::declaration::DeclarationFacts,
    pub(super) expressions: super::expression::ExpressionFacts,
    pub(super) conversions: super::conversion::ConversionFacts,
    pub(super) constants: super::constant::ConstantFacts,
    pub(super) templates: super::template::TemplateFacts,
    /// The functions without `__device__` that are errors and that nothing has used yet: where their names are, and where they begin.
    pub(super) refused_functions: HashMap<Symbol, (Span, Span)>,
    /// What is remembered of each function.
    pub(super) func_facts: HashMap<Func, Box<super::declaration::function::FuncFacts>>,
    /// A function that is an operator was declared.
    pub(super) has_operators: bool,
    /// How many functions there are whose results no body has said yet.
    pub(super) n_undeduced: usize,
    /// The names with a declaration that has a mistake in it.
    pub(super) broken_names: HashSet<Symbol>,
    /// What declares built-in functions again, by their names.
    pub(super) builtins_again: HashMap<Symbol, Vec<Func>>,
    /// Functions that share a name.
    pub(super) overloads: PrimaryMap<super::call::overload::OverloadsId, super::call::overload::Overloads>,
    /// The names of functions that namespaces other than the global one have.
    pub(super) names_of_namespaces: HashSet<Symbol>,
    /// The functions of namespaces by name, local declarations of them included.
    pub(super) funcs_by_name: HashMap<(Namespace, Symbol), SmallVec<[Func; 2]>>,
    /// The variables without external linkage that something uses.
    pub(super) used_globals: HashSet<Global>,
    /// The values of `const` variables that constant expressions may use (C++17 8.20p2).
    pub(super) global_values: HashMap<Global, Value>,
    /// The `constexpr` arrays and structs, of which constant expressions may read.
    pub(super) constexpr_objects: HashSet<Global>,
    /// The formats that `const` variables stand for.
    pub(super) formats: HashMap<Global, super::warn::Formats>,
    /// Those without a memory of the device, of which nothing else may.
    pub(super) host_objects: HashSet<Global>,
    /// `const` variables that only have a value, since nvcc gives them no place on the device.
    pub(super) named_consts: Vec<super::name::scope::NamedConst>,
    /// The `constexpr` functions of the host, by where their name was bound last.
    pub(super) host_constexprs: HashMap<Span, super::name::scope::Entity>,
    /// Their bodies.
    pub(super) constant_bodies: HashMap<Func, Box<Body>>,
    /// What is remembered of each complete struct and union.
    pub(super) record_facts: HashMap<Record, super::types::record::RecordFacts>,
    /// What classes have beside their names.
    pub(super) specials: HashMap<Record, super::declaration::special::Specials>,
    /// The structs and unions of which a member has a mistake in it: what they have is not known.
    pub(super) broken_records: HashSet<Record>,
    /// The tags and enumerators that structs and unions have declared in their braces.
    pub(super) nested_names: HashMap<Symbol, Span>,
    /// What is declared in structs and unions: types, enumerators, constants.
    pub(super) class_names: HashMap<(Record, Symbol), super::name::scope::Binding>,
    /// `uint3` and `dim3`.
    pub(super) builtin_records: Option<BuiltinRecords>,
    /// The struct of a list of arguments, once it is named.
    pub(super) va_list_tag: Option<Ty>,
    /// The enum that says how built-in functions round, if the program names it.
    pub(super) round_mode: Option<Ty>,
    /// The enum that says what becomes of accesses beside a surface, if the program names it.
    pub(super) boundary_mode: Option<Ty>,
    /// What attributes say to users of a name.
    pub(super) advice: super::name::advice::AdviceTable,
    /// The typedef names of functions that nothing has used yet.
    pub(super) local_typedefs: Vec<(String, Span)>,
}

impl Known {
    /// Keeps a constant, and returns its number.
    pub(super) fn add_constant(&mut self, constant: super::name::scope::NamedConst) -> u32 {
        self.named_consts.push(constant);
        self.named_consts.len() as u32 - 1
    }
}

/// The types of the built-in variables.
#[derive(Clone, Copy)]
pub(super) struct BuiltinRecords {
    pub(super) uint3: Ty,
    pub(super) dim3: (Record, Ty),
}

/// The nodes of one body, or of one constant expression.
#[derive(Default)]
pub(super) struct Arena {
    pub(super) exprs: PrimaryMap<Expr, ExprNode>,
    pub(super) places: PrimaryMap<Place, PlaceNode>,
    pub(super) choices: PrimaryMap<Choice, [Place; 2]>,
    pub(super) inits: PrimaryMap<Init, InitNode>,
    /// The null pointer constants: integer and character literals with the value zero (C++17 7.11p1), and such
    /// literals behind casts to integer types, which nvcc takes too.
    pub(super) zero_literals: Notes<()>,
    /// The arrays that `__func__` and its kin stand for, which are no literals.
    pub(super) function_names: HashSet<Place>,
    /// The values that stand alone in a braced list, as arguments of built-in functions.
    pub(super) listed: Notes<()>,
    /// The objects of classes, read and not copied yet, that are not needed any more (C++17 6.10p1: xvalues).
    pub(super) expiring: Notes<()>,
    /// The qualifiers of values of classes (C++17 6.10p6), which their types do not have.
    pub(super) value_quals: Notes<Quals>,
    /// The literals that are written in another base than ten, where one may be for its bits.
    pub(super) bit_patterns: HashSet<Expr>,
    /// What each name of a compound assignment's right side stands for, and the second use of what stands before `?:`.
    pub(super) bindings: Notes<Expr>,
    /// What constants of `long double` are apart from the doubles nearest to them, where it is something.
    pub(super) rests: Notes<i16>,
    /// The records that the call of a function makes of its arguments: no constants to nvcc, whatever
    /// the arguments are.
    pub(super) made_records: HashSet<Expr>,
}

impl<'a> Cx<'a> {
    pub(super) fn new(
        unit: &'a ast::TranslationUnit,
        program: Program,
        dialect: Dialect,
        interner: &'a Interner,
        sink: &'a mut Sink,
        (rereader, units): (Option<&'a mut Rereader>, &'a Units),
    ) -> Self {
        let Program { module, scopes, arena, spare, spare_body, checked, known, is_damaged } = program;
        Cx {
            unit,
            text: unit,
            dialect,
            interner,
            sink,
            rereader,
            units,
            module,
            scopes,
            arena,
            known,
            func: None,
            spare,
            spare_body,
            checked,
            deducing: None,
            placeholder: None,
            expansions: super::call::default_arg::Expansions::default(),
            horizon: None,
            n_poisoned: Cell::new(0),
            host_errors: Vec::new(),
            needs_host_code: Cell::new(false),
            tries_host_code: false,
            evaluation: Evaluation::AtRunTime,
            refuses_narrowing: false,
            n_narrowed: 0,
            initializes_variable: false,
            is_damaged,
        }
    }

    pub(super) fn spelling(&self, symbol: Symbol) -> &'a str {
        self.interner.spelling(symbol)
    }

    /// Reports an error that needs no more than its phrase.
    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.sink.error(Diagnostic::new(code, span, message))
    }

    /// The witness behind a poison type or name.
    pub(super) fn poisoned(&self) -> Reported {
        self.n_poisoned.set(self.n_poisoned.get() + 1);
        match self.sink.reported() {
            Some(reported) => reported,
            None => {
                // A declaration of the host has the mistake: `Names::report_needed_host_code`.
                self.needs_host_code.set(true);
                self.sink.postponed()
            }
        }
    }

    /// A type for a message.
    pub(super) fn show(&self, ty: Ty) -> String {
        self.module.types.describe(ty)
    }

    #[inline(always)]
    pub(super) fn expr(&mut self, data: ExprData, ty: Ty, span: Span) -> Expr {
        self.arena.exprs.push(ExprNode { data, ty, span })
    }

    #[inline(always)]
    pub(super) fn place(&mut self, data: PlaceData, ty: Ty, span: Span) -> Place {
        self.arena.places.push(PlaceNode { data, ty, span })
    }

    pub(super) fn init(&mut self, data: InitData, span: Span) -> Init {
        self.arena.inits.push(InitNode { data, span })
    }

    pub(super) fn ty_of(&self, expr: Expr) -> Ty {
        self.arena.exprs[expr].ty
    }

    pub(super) fn span_of(&self, expr: Expr) -> Span {
        self.arena.exprs[expr].span
    }

    pub(super) fn place_ty(&self, place: Place) -> Ty {
        self.arena.places[place].ty
    }

    pub(super) fn canonical(&self, ty: Ty) -> Ty {
        self.module.types.canonical(ty)
    }

    /// Whether two types are the same to the language, qualifiers included.
    pub(super) fn same(&self, a: Ty, b: Ty) -> bool {
        a == b || self.canonical(a) == self.canonical(b)
    }

    /// Whether the value is a number: of an integer, floating or enum type.
    pub(super) fn is_number(&self, expr: Expr) -> bool {
        let ty = self.ty_of(expr);
        match self.module.types.kind(ty) {
            TyKind::Int(_) | TyKind::Float(_) => true,
            TyKind::Enum(_) => !self.module.types.is_scoped_enum(ty),
            _ => false,
        }
    }

    /// Whether two types are the same but for their top-level qualifiers.
    pub(super) fn same_unqualified(&mut self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.module.types.unqualified(a), self.module.types.unqualified(b));
        self.same(a, b)
    }

    pub(super) fn is_const(&self, ty: Ty) -> bool {
        self.module.types.quals(ty).contains(Quals::CONST)
    }

    /// Runs a check of an operand that is not evaluated.
    pub(super) fn in_unevaluated<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        self.in_scratch(|cx| cx.evaluated(Evaluation::Unevaluated, check))
    }

    /// Runs a check whose nodes are not part of the program.
    pub(super) fn in_scratch<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let saved = mem::take(&mut self.arena);
        let result = self.evaluated(Evaluation::NotInProgram, check);
        self.arena = saved;
        result
    }

    /// Checks something apart from the function and the expression that need it.
    pub(super) fn apart<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let func = self.func.take();
        let arena = mem::take(&mut self.arena);
        let evaluation = mem::replace(&mut self.evaluation, Evaluation::AtRunTime);
        let placeholder = self.placeholder.take();
        let deducing = self.deducing.take();
        let refuses_narrowing = mem::take(&mut self.refuses_narrowing);
        let initializes_variable = mem::take(&mut self.initializes_variable);
        let expansions = mem::take(&mut self.expansions);
        let value_of = self.known.expressions.value_of.take();
        let result = check(self);
        self.known.expressions.value_of = value_of;
        self.func = func;
        self.arena = arena;
        self.evaluation = evaluation;
        self.placeholder = placeholder;
        self.deducing = deducing;
        self.refuses_narrowing = refuses_narrowing;
        self.initializes_variable = initializes_variable;
        self.expansions = expansions;
        result
    }

    /// Runs a check of what is evaluated in another way than what is around it.
    pub(super) fn evaluated<R>(&mut self, evaluation: Evaluation, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = mem::replace(&mut self.evaluation, evaluation);
        let result = check(self);
        self.evaluation = outer;
        result
    }

    /// Checks again what has been checked: what there is to say of it has been said, but for errors.
    pub(super) fn quietly<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
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
    pub(super) fn aside<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
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
    pub(super) fn take_body(
        &mut self,
        func: &mut super::statement::FuncCx,
        root: crate::ir::Stmt,
        end: Span,
    ) -> Box<Body> {
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
            expiring,
            value_quals,
        } = &mut self.arena;
        expiring.clear();
        value_quals.clear();
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
            mem::swap(&mut body.results, &mut func.results);
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
            results: mem::take(&mut func.results),
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
    pub(super) fn finish(&mut self) {
        self.templates().instantiate_launches();
        self.templates().make_pending(true);
        self.declarations().check_internal_functions_defined();
        self.declarations().define_internal_variables();
        self.declarations().check_used_functions_complete();
        self.declarations().check_circular_initializers();
        let codes = [Code::UnusedConstVariable, Code::UnusedLocalTypedef, Code::UnusedVariable];
        if codes.iter().any(|&code| self.sink.is_on(code)) {
            self.names().note_unused();
        }
    }
}
