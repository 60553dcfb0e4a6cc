//! Initialization of objects of classes: by constructors (C++17 11.6p17, 15.1), by default (11.6p7), by the values that a class gives its
//! members (12.2p9).

use cranelift_entity::packed_option::ReservedValue;
use thin_vec::ThinVec;

use crate::ast::{ExprId, InitId, InitItem, InitKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Func, Init, InitData, PlaceData, Record, Ty, TyKind, View};
use crate::sema::Conversions;
use crate::sema::call::overload::{Arg, Args};
use crate::sema::declaration::special::{Implicit, Origin};
use crate::sema::expression::Operand;
use crate::source::Span;

/// As many elements of an array are initialized one by one.
const MAX_ELEMENTS: u64 = 1024;

/// How an object is initialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Form {
    /// `S a(…)`, `S{…}`, a cast: by any constructor.
    Direct,
    /// `S a = …`, an argument, a result: explicit constructors are not considered.
    Copy,
    /// `= {…}`: an explicit constructor is a mistake where it fits best (C++17 16.3.1.7).
    CopyList,
}

impl<'a> Conversions<'a> {
    /// The class, if constructors of the program's initialize its objects: it is no aggregate.
    pub(in crate::sema) fn constructed_class(&self, ty: Ty) -> Option<Record> {
        if ty.is_plain_number() {
            return None;
        }
        let class = self.module.types.record(ty)?;
        self.known.specials.get(&class).filter(|specials| specials.is_constructed).map(|_| class)
    }

    /// Whether an object without an initializer is not left as it is: a constructor runs, or there is none.
    pub(in crate::sema) fn has_default(&self, ty: Ty) -> bool {
        match self.module.types.view(ty) {
            View::Array(elem, _) => self.has_default(elem),
            View::Record(record) => {
                self.builtins_ref().is_dim3(record)
                    || self.known.record_facts.get(&record).is_some_and(|facts| facts.has_default)
            }
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// Whether an object may be const without an initializer: a constructor of the program's runs, or each member has a value
    /// (C++17 11.6p7, with CWG 253: a class without members may be, too).
    pub(in crate::sema) fn is_const_default(&self, ty: Ty) -> bool {
        match self.module.types.view(ty) {
            View::Array(elem, _) => self.is_const_default(elem),
            View::Record(record) => {
                self.builtins_ref().is_dim3(record)
                    || self.is_default_provided(record)
                    || self.members_have_values(record)
            }
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// Whether the class's constructor without arguments is the program's, or there is none, which has its own message.
    fn is_default_provided(&self, class: Record) -> bool {
        let declares =
            self.known.specials.get(&class).is_some_and(|specials| specials.declares_constructor());
        declares && !self.has_default_of(class, |origin| origin == Origin::Defaulted)
    }

    /// Whether the class declares a constructor that needs no argument and has such an origin.
    fn has_default_of(&self, class: Record, wanted: impl Fn(Origin) -> bool) -> bool {
        let constructors = self.known.specials.get(&class).map(|specials| &specials.constructors);
        constructors.into_iter().flatten().any(|&func| {
            let facts = self.known.func_facts.get(&func);
            self.calls_ref().n_required_args(func) == 1 && facts.is_some_and(|facts| wanted(facts.origin))
        })
    }

    fn members_have_values(&self, class: Record) -> bool {
        let values = self.known.specials.get(&class).map(|specials| &specials.values);
        let has_value = |idx: u32| values.is_some_and(|values| values.contains_key(&idx));
        let data = &self.module.types.records[class];
        let fields = data.fields.as_deref().unwrap_or_default();
        if data.is_union {
            return fields.is_empty() || (0..).zip(fields).any(|(idx, _)| has_value(idx));
        }
        (0..).zip(fields).all(|(idx, field)| has_value(idx) || self.is_const_default(field.ty))
    }

    /// Whether an object without an initializer is left as it is, or its constructor is one that does nothing (CUDA C++ Programming Guide
    /// "Device Memory Space Specifiers"): memory that no thread owns takes it.
    pub(in crate::sema) fn has_empty_default(&self, ty: Ty) -> bool {
        match self.module.types.view(ty) {
            View::Array(elem, _) => self.has_empty_default(elem),
            _ if !self.has_default(ty) => true,
            View::Record(record) => {
                let Some(specials) = self.known.specials.get(&record) else { return false };
                let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
                let is_empty = |&func: &Func| {
                    let facts = self.known.func_facts.get(&func);
                    facts.is_some_and(|facts| facts.is_empty)
                };
                specials.values.is_empty()
                    && (specials.constructors.is_empty() && specials.constructor_templates.is_empty()
                        || specials.constructors.iter().any(is_empty))
                    && fields.iter().all(|field| self.has_empty_default(field.ty))
            }
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => true,
        }
    }

    /// What an object without an initializer is initialized with (C++17 11.6p7); none if nothing is done.
    pub(in crate::sema) fn default_init(&mut self, ty: Ty, span: Span) -> Result<Option<Init>, Reported> {
        if !self.has_default(ty) {
            return Ok(None);
        }
        if let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
            let elem = self.default_init(elem, span)?;
            return Ok(elem.map(|elem| self.init(InitData::Each(elem), span)));
        }
        if self.builtins_ref().is_dim3_ty(ty) {
            return self.builtins().default_dim3(ty, span).map(Some);
        }
        // An aggregate may have a deleted one, too.
        let is_deleted = |class| self.has_default_of(class, |origin| matches!(origin, Origin::Deleted(_)));
        if self.constructed_class(ty).is_some() || self.module.types.record(ty).is_some_and(is_deleted) {
            return self.construct(ty, &[], Form::Direct, span).map(Some);
        }
        self.implicit_default(ty, span).map(Some)
    }

    /// What the implicit default constructor does. As in nvcc, it is a function unless its values are constants.
    fn implicit_default(&mut self, ty: Ty, span: Span) -> Result<Init, Reported> {
        let Some(class) = self.module.types.record(ty) else { return Err(self.poisoned()) };
        let known = self.known.specials.get(&class).and_then(|specials| specials.implicit);
        let implicit = match known {
            Some(implicit) => implicit,
            None => {
                // What is wrong with it is reported here; the function reports it no more.
                let init = self.quietly(|cx| {
                    cx.conversions().as_value_of(class, |cx| cx.conversions().default_of_members(ty, span))
                })?;
                let implicit = match self.constants().eval_init(init, ty) {
                    Ok(_) => Implicit::Constants,
                    Err(_) => Implicit::Func(self.declarations().implicit_constructor(class)?),
                };
                self.known.specials.entry(class).or_default().implicit = Some(implicit);
                implicit
            }
        };
        match implicit {
            Implicit::Constants => self.default_of_members(ty, span),
            Implicit::Func(func) => Ok(self.init(InitData::Construct(func, ThinVec::new()), span)),
        }
    }

    fn default_of_members(&mut self, ty: Ty, span: Span) -> Result<Init, Reported> {
        let mut members = ThinVec::new();
        self.init_members(ty, &mut members, false, span)?;
        Ok(self.init_of_members(ty, members, false, span))
    }

    /// The initializer that these are; `zeroes`: what it leaves out is zero.
    fn init_of_members(&mut self, ty: Ty, members: ThinVec<(u32, Init)>, zeroes: bool, span: Span) -> Init {
        let record = self.module.types.record(ty);
        let is_union = record.is_some_and(|record| self.module.types.records[record].is_union);
        let data = match zeroes || is_union {
            true => InitData::Record(members),
            false => InitData::Partial(members),
        };
        self.init(data, span)
    }

    /// Constructs the elements that the list leaves out.
    pub(super) fn default_elements(
        &mut self,
        elem: Ty,
        len: u64,
        elements: &mut ThinVec<(u64, Init)>,
        span: Span,
    ) -> Result<(), Reported> {
        if !self.has_default(elem) {
            return Ok(());
        }
        if len > MAX_ELEMENTS {
            let shown = self.show(elem);
            let message =
                format!("a list for more than {MAX_ELEMENTS} elements of type {shown} is not supported");
            return Err(self.error(Code::UnsupportedInitializer, span, message));
        }
        elements.sort_by_key(|&(idx, _)| idx);
        for idx in 0..len {
            if let Err(at) = elements.binary_search_by_key(&idx, |&(idx, _)| idx)
                && let Some(init) = self.init_from_nothing(elem, true, span)?
            {
                elements.insert(at, (idx, init));
            }
        }
        Ok(())
    }

    /// Initializes the members that the list leaves out: by the values that the class gives them, or by their constructors. Of a union
    /// it constructs none: nvcc refuses it one that is not initialized.
    pub(super) fn default_members(
        &mut self,
        ty: Ty,
        members: &mut ThinVec<(u32, Init)>,
        span: Span,
    ) -> Result<(), Reported> {
        self.init_members(ty, members, true, span)
    }

    /// The same; `zeroes`: as by an empty list, and not as a default constructor does it.
    fn init_members(
        &mut self,
        ty: Ty,
        members: &mut ThinVec<(u32, Init)>,
        zeroes: bool,
        span: Span,
    ) -> Result<(), Reported> {
        if !self.has_default(ty) {
            return Ok(());
        }
        let record = self.module.types.record(ty).expect("invariant: members are a record's");
        let n_fields = self.module.types.records[record].fields.as_ref().map_or(0, Vec::len) as u32;
        for idx in 0..n_fields {
            let Err(at) = members.binary_search_by_key(&idx, |&(idx, _)| idx) else { continue };
            let field_ty = self.expressions().field_ty(ty, idx);
            let init = match self.member_value(record, idx, span)? {
                Some(init) if self.func.is_some() => {
                    Some(self.statements().full_initializer(field_ty, init)?)
                }
                Some(init) => Some(init),
                None if self.declarations_ref().anonymous_member(record, idx).is_some() => {
                    let mut inner = ThinVec::new();
                    self.init_members(field_ty, &mut inner, zeroes, span)?;
                    let init = self.init_of_members(field_ty, inner, zeroes, span);
                    Some(init).filter(|_| self.has_default(field_ty))
                }
                None => self.init_from_nothing(field_ty, zeroes, span)?,
            };
            if let Some(init) = init {
                self.declarations().construct_as_base(record, idx, init);
                members.insert(at, (idx, init));
            }
        }
        Ok(())
    }

    fn init_from_nothing(&mut self, ty: Ty, zeroes: bool, span: Span) -> Result<Option<Init>, Reported> {
        let class = self.constructed_class(ty).filter(|_| zeroes && self.has_default(ty));
        match class.is_some_and(|class| self.has_implicit_default(class)) {
            true => self.value_init(ty, span).map(Some),
            false => self.default_init(ty, span),
        }
    }

    /// The default member initializer of a member, if it has one (C++17 12.2p9), with what `this` is where an object is constructed.
    pub(in crate::sema) fn member_value(
        &mut self,
        class: Record,
        idx: u32,
        span: Span,
    ) -> Result<Option<Init>, Reported> {
        let Some(value) =
            self.known.specials.get(&class).and_then(|specials| specials.values.get(&idx).copied())
        else {
            return Ok(None);
        };
        if value.is_broken {
            return Err(self.poisoned());
        }
        if value.is_open {
            let message = "default member initializer needs itself";
            return Err(self.error(Code::InvalidInitializer, span, message));
        }
        if value.unit.is_none() {
            self.names().require_text(class, span)?;
        }
        let ty = self.declared_field(class, idx);
        self.set_open(class, idx, true);
        let blocks = self.scopes.leave_to(value.depth);
        self.scopes.push();
        let locals = self.known.declarations.enclosing_locals.get(&class).cloned();
        for (symbol, binding) in locals.into_iter().flatten() {
            self.scopes.bind(symbol, binding.entity, binding.span.unwrap_or_default());
        }
        let init = self.within_class(class, |cx| {
            cx.templates().in_numbered_unit(value.unit, |cx| {
                cx.conversions().check_variable_init(ty, value.init).map(|(init, _)| init)
            })
        });
        self.scopes.pop();
        self.scopes.enter_again(blocks);
        self.set_open(class, idx, false);
        init.map(Some)
    }

    /// Makes the members of instances of class templates: which constructors and conversion functions there are.
    pub(super) fn complete_classes(&mut self, value: Expr, to: Ty) {
        let (from, span) = (self.ty_of(value), self.span_of(value));
        self.templates().complete(from, span);
        self.templates().complete(to, span);
    }

    /// Checks a default member initializer where its class is complete, whether a constructor needs it or not.
    pub(in crate::sema) fn check_member_value(&mut self, class: Record, idx: u32) {
        let value = self.known.specials.get(&class).and_then(|specials| specials.values.get(&idx));
        if value.is_none_or(|value| value.unit.is_some()) {
            // Those of instances of templates are checked where they are used.
            return;
        }
        let span = self.module.types.records[class].span;
        let checked = self.in_scratch(|cx| {
            cx.conversions().as_value_of(class, |cx| cx.conversions().member_value(class, idx, span))
        });
        let specials = self.known.specials.get_mut(&class);
        if let Some(value) = specials.and_then(|specials| specials.values.get_mut(&idx)) {
            value.is_broken = checked.is_err();
        }
    }

    /// Checks a value of a member where no function makes an object of the class.
    fn as_value_of<R>(&mut self, class: Record, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.known.expressions.value_of.replace(class);
        let result = check(self);
        self.known.expressions.value_of = outer;
        result
    }

    fn set_open(&mut self, class: Record, idx: u32, is_open: bool) {
        let specials = self.known.specials.get_mut(&class);
        if let Some(value) = specials.and_then(|specials| specials.values.get_mut(&idx)) {
            value.is_open = is_open;
        }
    }

    /// Checks an initializer written directly after a name: `a(1)`, `a{1}`, `a()`.
    pub(in crate::sema) fn check_direct_init(&mut self, ty: Ty, id: InitId) -> Result<Init, Reported> {
        let node = &self.unit.inits[id];
        match &node.kind {
            InitKind::Parens(args) if args.is_empty() && self.module.types.reference(ty).is_none() => {
                self.value_init(ty, node.span)
            }
            _ => self.check_variable_init(ty, id).map(|(init, _)| init),
        }
    }

    /// What `T()` makes (C++17 11.6p8).
    pub(in crate::sema) fn value_init(&mut self, ty: Ty, span: Span) -> Result<Init, Reported> {
        let constructed = self.constructed_class(ty);
        if constructed.is_some_and(|class| !self.has_implicit_default(class)) {
            return self.construct(ty, &[], Form::Direct, span);
        }
        match self.module.types.view(ty) {
            View::Array(elem, len) => {
                let mut elements = ThinVec::new();
                self.default_elements(elem, len.unwrap_or(0), &mut elements, span)?;
                Ok(self.init(InitData::Array(elements), span))
            }
            View::Record(_) => {
                let value = self.empty_record(ty, span)?;
                Ok(self.init(InitData::Expr(value), span))
            }
            _ => {
                let zero = self.zero_value(ty, span)?;
                Ok(self.init(InitData::Expr(zero), span))
            }
        }
    }

    /// Whether the default constructor of the class is not the program's: an object that `T()` makes is zero before it is constructed.
    fn has_implicit_default(&self, class: Record) -> bool {
        let Some(specials) = self.known.specials.get(&class) else { return true };
        let is_implicit = |&func: &Func| {
            let facts = self.known.func_facts.get(&func);
            self.calls_ref().n_required_args(func) == 1
                && facts.is_some_and(|facts| facts.origin == Origin::Defaulted)
        };
        !specials.declares_constructor() && !specials.inherits.is_empty()
            || specials.constructors.iter().any(is_implicit)
    }

    /// The items of a list, as the arguments of a constructor.
    pub(super) fn construct_from_list(
        &mut self,
        ty: Ty,
        (id, items): (InitId, &'a [InitItem]),
        form: Form,
        span: Span,
    ) -> Result<Init, Reported> {
        // C++17 11.6.4p3.4
        if let (true, Some(class)) = (items.is_empty(), self.constructed_class(ty))
            && self.has_implicit_default(class)
        {
            return self.value_init(ty, span);
        }
        if let Some(init) = self.list_object(ty, items, span)? {
            return Ok(init);
        }
        if let Some(init) = self.construct_by_list(ty, (id, items), form, span)? {
            return Ok(init);
        }
        let unit = self.unit;
        let mut args = Args::new();
        for item in items {
            if !item.designators.is_empty() {
                let shown = self.show(ty);
                let message = format!("designator in the initializer of {shown}, which has constructors");
                return Err(self.error(Code::InvalidDesignator, span, message));
            }
            match unit.inits[item.init].kind {
                InitKind::Expr(expr) => {
                    let arg = self.calls().check_object_arg(expr)?;
                    // No value is narrowed (C++17 11.6.4p3.6). It is noted at once: a list that follows has values of its own.
                    if let Arg::Value(value) | Arg::Object(_, value) = arg {
                        self.arena.listed.add(value, ());
                    }
                    args.push(arg);
                }
                InitKind::List(_) => args.push(Arg::Braced(item.init, ExprId::reserved_value())),
                InitKind::Parens(_) => return Err(self.poisoned()),
            }
        }
        self.construct(ty, &args, form, span)
    }

    /// The arguments in parentheses.
    pub(super) fn construct_from_exprs(
        &mut self,
        ty: Ty,
        args: &[ExprId],
        span: Span,
    ) -> Result<Init, Reported> {
        if args.is_empty() {
            return self.value_init(ty, span);
        }
        let args = self.calls().check_args(args, true)?;
        self.construct(ty, &args, Form::Direct, span)
    }

    /// Initializes an object of a class by one of its constructors.
    pub(in crate::sema) fn construct(
        &mut self,
        ty: Ty,
        args: &[Arg],
        form: Form,
        span: Span,
    ) -> Result<Init, Reported> {
        self.types().require_complete(ty, span)?;
        let ty = self.module.types.unqualified(ty);
        let Some(class) = self.module.types.record(ty) else { return Err(self.poisoned()) };
        if let [arg] = *args
            && let Arg::Value(_) | Arg::Object(..) = arg
            && self.is_of_class(arg, class)
        {
            let value = self.calls().typed_arg(arg)?;
            let value = self.own_value(value)?;
            return Ok(self.init_of_value(value, span));
        }
        if let [Arg::Value(value) | Arg::Object(_, value)] = *args
            && let Some(path) = self.types_ref().derivation(self.ty_of(value), ty)
            && self.is_copied_as_base(value, ty, form)?
        {
            let from = self.ty_of(value);
            self.names().require_base_access(from, ty, span)?;
            let value = self.value_of_base(value, &path, ty);
            return Ok(self.init(InitData::Expr(value), span));
        }
        let specials = self.known.specials.get(&class);
        let copies = specials.filter(|_| args.len() == 1).map(|s| s.implicit_copies.clone());
        if args.is_empty() && specials.is_some_and(|s| !s.inherits.is_empty() && !s.declares_constructor()) {
            return self.implicit_default(ty, span);
        }
        let mut methods = self.constructors_of(class, args.len());
        methods.funcs.extend(copies.into_iter().flatten());
        methods.funcs.retain(|&mut func| form != Form::Copy || !self.is_explicit(func));
        if methods.funcs.is_empty() && methods.templates.is_empty() {
            return Err(self.no_constructor(ty, args, span));
        }
        let object = self.constructed_object(ty, span);
        let Some((func, values)) = self.calls().choose_constructor(&methods, object, args, form, span)?
        else {
            let Some(value) = self.converted_by_function(args, ty, form)? else {
                return Err(self.calls().no_choice_of_constructor(&methods, object, args, (ty, form), span));
            };
            return Ok(self.init_of_value(value, span));
        };
        self.constructed_by(func, values, ty, form, span)
    }

    /// The object that the constructor makes.
    pub(super) fn constructed_by(
        &mut self,
        func: Func,
        values: ThinVec<Expr>,
        ty: Ty,
        form: Form,
        span: Span,
    ) -> Result<Init, Reported> {
        let Some(class) = self.module.types.record(ty) else { return Err(self.poisoned()) };
        let facts = self.known.func_facts.get(&func);
        let (origin, is_explicit) =
            facts.map_or_else(Default::default, |facts| (facts.origin, facts.is_explicit));
        if form == Form::CopyList && is_explicit {
            let message =
                format!("chosen constructor of {} is explicit in copy-initialization", self.show(ty));
            let diagnostic = Diagnostic::new(Code::InvalidInitializer, span, message)
                .with_label(self.module.functions[func].span, "explicit constructor declared here");
            return Err(self.sink.error(diagnostic));
        }
        if self.module.functions[func].method.is_some_and(|method| method.class != class) {
            let func = self.declarations().inheriting_constructor(class, func)?;
            return Ok(self.init(InitData::Construct(func, values), span));
        }
        match origin {
            Origin::Provided => Ok(self.init(InitData::Construct(func, values), span)),
            Origin::Defaulted if self.deed(func).is_some() => {
                Ok(self.init(InitData::Construct(func, values), span))
            }
            Origin::Defaulted => self.implicit_default(ty, span),
            Origin::Deleted(_) => Err(self.poisoned()),
        }
    }

    /// The object that a constructor makes: only its type matters where one is chosen.
    pub(super) fn constructed_object(&mut self, ty: Ty, span: Span) -> Operand {
        let pointer = self.module.types.pointer_to(ty);
        let null = self.expr(ExprData::Null, pointer, span);
        Operand::Place(self.place(PlaceData::Deref(null), ty, span))
    }

    /// An initializer by a value: what a constructor has made without a name is the object itself (C++17 11.6p17.6.1).
    pub(in crate::sema) fn init_of_value(&mut self, value: Expr, span: Span) -> Init {
        if let ExprData::Load(place) = self.arena.exprs[value].data
            && let PlaceData::CompoundLiteral(_, init) = self.arena.places[place].data
            && let InitData::Construct(..) | InitData::Partial(_) = self.arena.inits[init].data
        {
            return init;
        }
        self.init(InitData::Expr(value), span)
    }

    /// An object without a name that is initialized so, as a value.
    pub(in crate::sema) fn value_of_init(&mut self, init: Init, ty: Ty, span: Span) -> Expr {
        let ty = self.module.types.unqualified(ty);
        match self.arena.inits[init].data {
            InitData::Expr(value) if !self.names_destroyed(value) => value,
            _ => {
                let place = self.literal_place(init, ty, span);
                self.expr(ExprData::Load(place), ty, span)
            }
        }
    }

    /// Whether the value is that of an object with a destructor, whose copy is another one.
    fn names_destroyed(&self, value: Expr) -> bool {
        let node = &self.arena.exprs[value];
        match node.data {
            ExprData::Load(place) => {
                self.module.types.is_destroyed(node.ty)
                    && !matches!(
                        self.arena.places[place].data,
                        PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_)
                    )
            }
            _ => false,
        }
    }

    pub(in crate::sema) fn is_explicit(&self, func: Func) -> bool {
        self.known.func_facts.get(&func).is_some_and(|facts| facts.is_explicit)
    }

    fn is_of_class(&mut self, arg: Arg, class: Record) -> bool {
        let (Arg::Value(value) | Arg::Object(_, value)) = arg else { return false };
        self.module.types.record(self.ty_of(value)) == Some(class)
    }

    fn no_constructor(&mut self, ty: Ty, args: &[Arg], span: Span) -> Reported {
        let shown = self.show(ty);
        let written = self.calls_ref().written_args(args);
        let message =
            format!("no matching constructor for initialization of {shown} with arguments ({written})");
        self.error(Code::NoMatchingFunction, span, message)
    }
}
