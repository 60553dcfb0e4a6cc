//! Declarations of variables, at file scope and in blocks.

use thin_vec::ThinVec;

use super::Declaration;
use crate::ast::{InitId, Name, Storage};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    ConstInit, FloatTy, Global, GlobalData, Init, LinkName, Linkage, LocalData, Module, Quals, Scalar, Space,
    Stmt, StmtData, Ty, TyKind,
};
use crate::layout;
use crate::sema::name::advice::Advised;
use crate::sema::name::scope::{Entity, HostEntity};
use crate::sema::types::qualifier::Attrs;
use crate::sema::{Declarations, Evaluation};
use crate::source::Span;

impl<'a> Declarations<'a> {
    pub(super) fn declare_file_variable(
        &mut self,
        decl: &Declaration<'_>,
        init: Option<InitId>,
    ) -> Result<(), Reported> {
        self.types().refuse_function_attrs(decl.attrs, "a variable");
        self.types().refuse_packed(decl.attrs, "a variable");
        self.refuse_weak_static(decl);
        self.refuse_builtin_name(decl.name, "a variable")?;
        self.types().check_opaque_global(decl.ty, decl.attrs, init.is_some(), decl.name.span)?;
        match self.variable_space(decl.attrs)? {
            Some(space) => self.declare_global(decl, init, space).map(|_| ()),
            None if self.dialect.device_by_default => {
                self.declare_global(decl, init, Space::Global).map(|_| ())
            }
            None if init.is_none() && matches!(decl.specs.storage, Some((Storage::Extern, _))) => {
                self.declare_host(decl, HostEntity::Variable)
            }
            None if decl.specs.constexpr.is_some() && self.is_aggregate(decl.ty) => {
                self.declare_host_object(decl, init)
            }
            None => self.declare_named_const(decl, init),
        }
    }

    /// CUDA's headers, and those of the host, declare functions: the program's are their overloads, and `what` else is an error.
    pub(in crate::sema) fn refuse_builtin_name(&mut self, name: Name, what: &str) -> Result<(), Reported> {
        if !self.scopes.is_global() {
            return Ok(());
        }
        let spelling = self.spelling(name.symbol);
        let kind = if crate::sema::name::host_function::is_host(spelling) {
            "the host's function"
        } else if self.builtins_ref().find_builtin(spelling).is_some()
            || crate::sema::name::known_function::is_predeclared(spelling)
            || crate::sema::name::system_function::is_named(spelling)
            || crate::sema::name::lacking::find(spelling).is_some_and(|lacking| lacking.is_declared)
        {
            "the built-in function"
        } else {
            return Ok(());
        };
        let message = format!("redefinition of {kind} `{spelling}` as {what}");
        Err(self.error(Code::Redefinition, name.span, message))
    }

    /// The memory that the qualifiers ask for.
    fn variable_space(&mut self, attrs: &Attrs) -> Result<Option<Space>, Reported> {
        if let (Some(_), Some(span)) = (attrs.managed, attrs.shared.or(attrs.constant)) {
            let message = "`__managed__` is not compatible with `__shared__` and `__constant__`";
            return Err(self.error(Code::InvalidAttribute, span, message));
        }
        match (attrs.shared, attrs.constant) {
            (Some(_), Some(span)) => {
                let message = "`__constant__` and `__shared__` attributes are not compatible";
                Err(self.error(Code::InvalidAttribute, span, message))
            }
            (Some(_), None) => Ok(Some(Space::Shared)),
            (None, Some(_)) => Ok(Some(Space::Constant)),
            (None, None) => Ok(attrs.device.or(attrs.managed).map(|_| Space::Global)),
        }
    }

    /// A `constexpr` array or struct without a memory of the device: constant expressions may read of it, and
    /// nothing else, as with nvcc. As nothing else does, it is left out of the output.
    fn declare_host_object(&mut self, decl: &Declaration<'_>, init: Option<InitId>) -> Result<(), Reported> {
        let global = self.declare_global(decl, init, Space::Global)?;
        self.module.globals[global].linkage = Linkage::Internal;
        self.known.used_globals.insert(global);
        self.known.host_objects.insert(global);
        Ok(())
    }

    /// A variable with static storage duration in device memory, at file scope, or `static` or
    /// `extern` in a block.
    fn declare_global(
        &mut self,
        decl: &Declaration<'_>,
        init: Option<InitId>,
        space: Space,
    ) -> Result<Global, Reported> {
        let name = decl.name;
        let in_block = !self.scopes.is_file_scope();
        let is_reference = self.module.types.reference(decl.ty).is_some();
        if let (true, Some(span)) = (is_reference, decl.attrs.managed) {
            let message = "a `__managed__` variable cannot have a reference type";
            return Err(self.error(Code::InvalidAttribute, span, message));
        }
        let has_extern = matches!(decl.specs.storage, Some((Storage::Extern, _)));
        let is_definition = !has_extern || init.is_some();
        if in_block && has_extern && init.is_some() {
            let message = "`extern` variable in a block cannot have an initializer";
            return Err(self.error(Code::InvalidInitializer, name.span, message));
        }
        if space == Space::Shared
            && let Some(init) = init
        {
            let span = self.unit.inits[init].span;
            let message = "initialization is not supported for `__shared__` variables";
            let diagnostic = Diagnostic::new(Code::SharedInitializer, span, message)
                .with_help("assign to it in the kernel, and call `__syncthreads()`");
            return Err(self.sink.error(diagnostic));
        }
        let declared = if decl.specs.constexpr.is_some() && !is_reference {
            self.module.types.with_quals(decl.ty, Quals::CONST)
        } else {
            decl.ty
        };
        if *self.module.types.kind(declared) == TyKind::Void {
            // Nothing completes it.
            self.types().require_complete(declared, name.span)?;
        }
        let has_linkage = has_extern || !in_block;
        let key = (self.scopes.namespace(), name.symbol);
        let known = has_linkage.then(|| self.known.declarations.globals_by_name.get(&key).copied()).flatten();
        if known.is_none() {
            self.require_declared_member(decl)?;
        }
        self.check_redeclared_entity(decl, known)?;
        self.expressions().refuse_long_doubles_in(declared, name.span)?;
        if decl.attrs.managed.is_some() && self.expressions_ref().is_long_double(declared) {
            return Err(self.expressions().refuse_long_double_of_host(name.span, "`__managed__` variables"));
        }
        if let Some(span) = decl.attrs.managed
            && self.module.types.quals(declared).contains(Quals::CONST)
        {
            return Err(self.error(Code::InvalidAttribute, span, "a `__managed__` variable cannot be const"));
        }
        // The name is in scope in its own initializer (C++17 6.3.2p1).
        let linkage = self.variable_linkage(decl, declared, known, in_block && !has_extern);
        let data = GlobalData {
            name: Some(self.spelling(name.symbol).to_owned()),
            link_name: self.link_name(decl, has_linkage && decl.specs.extern_c.is_some()),
            linkage,
            space,
            is_managed: decl.attrs.managed.is_some(),
            ty: declared,
            align: decl.attrs.align.map(|(align, _)| align),
            init: None,
            is_extern: true,
            namespace: self.scopes.namespace(),
            owner: if has_linkage { None } else { self.func.as_ref().map(|f| f.func) },
            span: name.span,
        };
        let global = match known {
            Some(global) => {
                self.merge_variable(global, data, is_definition)?;
                global
            }
            None => self.module.globals.push(data),
        };
        if has_linkage {
            self.known.declarations.globals_by_name.insert(key, global);
        }
        self.scopes.bind(name.symbol, Entity::Global(global), name.span);
        self.names().advise(Advised::Global(global), decl.attrs);
        if decl.attrs.is_maybe_unused {
            self.known.used_globals.insert(global);
        }
        if is_definition {
            let defined = self.define_global(global, decl, declared, init);
            if defined.is_err() && self.is_usable_const(declared, decl.specs.constexpr.is_some()) {
                // Where a constant is needed, there is no more to say.
                self.scopes.bind(name.symbol, Entity::Poison, name.span);
            }
            defined?;
        }
        Ok(global)
    }

    /// Variables of unnamed namespaces that are declared `extern` and never defined: no other object can define them, and nvcc does it here.
    pub(in crate::sema) fn define_internal_variables(&mut self) {
        let Module { globals, types, .. } = &mut self.module;
        for data in globals.values_mut() {
            if data.is_extern && data.linkage == Linkage::Internal {
                // Arrays without a length and dynamic shared memory are no definitions.
                let is_complete = layout::layout_of(types, data.ty).is_ok();
                data.is_extern = data.space == Space::Shared || !is_complete;
                data.linkage = if data.is_extern { Linkage::External } else { Linkage::Internal };
                data.init = (!data.is_extern).then_some(ConstInit::Zero);
            }
        }
    }

    /// The name is free, or means the same variable.
    fn check_redeclared_entity(
        &mut self,
        decl: &Declaration<'_>,
        known: Option<Global>,
    ) -> Result<(), Reported> {
        let Some(previous) = self.scopes.get_here(decl.name.symbol) else {
            let storage = decl.specs.storage.map(|(storage, _)| storage);
            self.refuse_beside_tag_of_inline(decl.name, storage)?;
            return self.refuse_beside_function_of_block(decl.name);
        };
        match (previous.entity, known) {
            (Entity::Global(global), Some(known)) if global == known => Ok(()),
            (Entity::Host(HostEntity::Variable), None) => Ok(()),
            (
                Entity::Func(_)
                | Entity::Overloads(_)
                | Entity::Global(_)
                | Entity::Local(_)
                | Entity::Field(_)
                | Entity::Member(_)
                | Entity::Element(..)
                | Entity::Typedef(_)
                | Entity::Enumerator(..)
                | Entity::Const(_)
                | Entity::Special(_)
                | Entity::Constant(_)
                | Entity::TemplateParam(_)
                | Entity::Template(_)
                | Entity::Pack(_)
                | Entity::Enclosing
                | Entity::Captured(_)
                | Entity::Namespace(_)
                | Entity::Several
                | Entity::Host(_)
                | Entity::Poison,
                _,
            ) => Err(self.names().redefinition(decl.name, previous)),
        }
    }

    // C++17 6.5p3
    fn variable_linkage(
        &self,
        decl: &Declaration<'_>,
        ty: Ty,
        known: Option<Global>,
        is_local: bool,
    ) -> Linkage {
        let quals = self.module.types.quals(ty);
        let is_const = quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE);
        let storage = decl.specs.storage.map(|(storage, _)| storage);
        if is_local
            && let Some(func) = self.func.as_ref().map(|func| &self.module.functions[func.func])
            && func.instance.is_some()
            && func.linkage != Linkage::Internal
        {
            // All units that have the instance share it.
            return Linkage::Inline;
        }
        if is_local || storage == Some(Storage::Static) || self.names_ref().is_in_unnamed_namespace() {
            return Linkage::Internal;
        }
        match known {
            _ if decl.attrs.weak.is_some() => Linkage::Weak,
            Some(known) => self.module.globals[known].linkage,
            // C++17 10.1.6p6
            None if decl.specs.inline.is_some() => Linkage::Inline,
            None if is_const && storage != Some(Storage::Extern) => Linkage::Internal,
            None => Linkage::External,
        }
    }

    fn merge_variable(
        &mut self,
        global: Global,
        new: GlobalData,
        is_definition: bool,
    ) -> Result<(), Reported> {
        let old = &self.module.globals[global];
        let (old_ty, old_span) = (old.ty, old.span);
        let name = new.name.clone().unwrap_or_default();
        let conflict = |cx: &mut Self, code, message: String| {
            let diagnostic =
                Diagnostic::new(code, new.span, message).with_label(old_span, "previously declared here");
            Err(cx.sink.error(diagnostic))
        };
        if is_definition && self.known.declarations.defined_globals.contains(&global) {
            return conflict(self, Code::Redefinition, format!("redefinition of `{name}`"));
        }
        let Some(ty) = self.merged_variable_ty(old_ty, new.ty) else {
            let (old_ty, new_ty) = (self.show(old_ty), self.show(new.ty));
            let message = format!("redefinition of `{name}` with a different type: {new_ty} vs {old_ty}");
            return conflict(self, Code::ConflictingTypes, message);
        };
        let old = &mut self.module.globals[global];
        if old.space != new.space {
            let message = format!("redeclaration of `{name}` in a different address space");
            return conflict(self, Code::ConflictingTypes, message);
        }
        if old.is_managed != new.is_managed {
            let message = format!("`{name}` is declared both with and without `__managed__`");
            return conflict(self, Code::ConflictingTypes, message);
        }
        if old.linkage == Linkage::External && new.linkage == Linkage::Internal {
            let message = format!("static declaration of `{name}` follows non-static declaration");
            return conflict(self, Code::ConflictingTypes, message);
        }
        match (&mut old.link_name, new.link_name) {
            (LinkName::Asm { symbol: old, .. }, LinkName::Asm { symbol: new, .. }) if *old != new => {
                let message = format!("conflicting asm label for `{name}`; the previous one is `{old}`");
                return conflict(self, Code::ConflictingTypes, message);
            }
            (old @ (LinkName::Cxx | LinkName::C), LinkName::Asm { symbol, .. }) => {
                *old = LinkName::Asm { symbol, is_c: *old == LinkName::C };
            }
            (LinkName::Cxx | LinkName::C | LinkName::Asm { .. }, _) => {}
        }
        if new.linkage == Linkage::Weak {
            old.linkage = Linkage::Weak;
        }
        old.ty = ty;
        old.align = old.align.max(new.align);
        if is_definition {
            old.span = new.span;
        }
        Ok(())
    }

    /// The type of both declarations together: an array's length may come later (C++17 6.1p11).
    fn merged_variable_ty(&self, old: Ty, new: Ty) -> Option<Ty> {
        if self.same(old, new) {
            return Some(new);
        }
        let types = &self.module.types;
        match (types.kind(old), types.kind(new)) {
            (TyKind::Array(a, None), TyKind::Array(b, _)) if self.same(*a, *b) => Some(new),
            (TyKind::Array(a, Some(_)), TyKind::Array(b, None)) if self.same(*a, *b) => Some(old),
            _ => None,
        }
    }

    /// What lies in memory of the device is never destroyed, and nvcc takes no object that would be.
    fn refuse_lasting_destructor(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if ty.is_plain_number() || !self.manners_of(ty).is_destroyed() {
            return Ok(());
        }
        let shown = self.show(ty);
        let message = format!(
            "a variable of type {shown}, which has a destructor, is not supported outside of functions' frames"
        );
        Err(self.error(Code::UnsupportedMember, span, message))
    }

    pub(super) fn define_global(
        &mut self,
        global: Global,
        decl: &Declaration<'_>,
        declared: Ty,
        init: Option<InitId>,
    ) -> Result<(), Reported> {
        self.known.declarations.defined_globals.insert(global);
        let name = decl.name;
        self.refuse_lasting_destructor(declared, name.span)?;
        self.module.globals[global].is_extern = false;
        let Some(init) = init else { return self.define_without_value(global, decl, declared) };
        let what = format!("`{}`", self.spelling(name.symbol));
        // What a reference is bound to by a constant never changes (C++17 8.20p2.11).
        let is_const_int = self.module.types.reference(declared).is_some()
            || self.is_usable_const(declared, decl.specs.constexpr.is_some());
        let (value, ty, number, formats) = self.in_scratch(|cx| {
            let (init, ty) = cx.conversions().check_variable_init(declared, init)?;
            cx.conversions().refuse_lasting_temporary(declared, init)?;
            let formats = cx.warnings_ref().formats_of_variable(ty, init);
            let value = cx.conversions().static_init(init, ty, &what)?;
            let number = match is_const_int {
                true => cx.declarations().constant_init(init)?.ok(),
                false => None,
            };
            Ok((value, ty, number, formats))
        })?;
        self.types().require_complete(ty, name.span)?;
        self.types().require_room(ty, name.span)?;
        if value != ConstInit::Zero {
            self.types().require_writable_value(ty, name.span)?;
        }
        let data = &mut self.module.globals[global];
        data.ty = ty;
        data.init = Some(value);
        if let Some(number) = number {
            self.known.global_values.insert(global, number);
        }
        if let Some(formats) = formats {
            self.known.formats.insert(global, formats);
        }
        if decl.specs.constexpr.is_some() && self.is_aggregate(ty) {
            self.refuse_mutable_constant(ty, name.span)?;
            self.known.constexpr_objects.insert(global);
        }
        Ok(())
    }

    pub(in crate::sema) fn is_aggregate(&self, ty: Ty) -> bool {
        matches!(self.module.types.kind(ty), TyKind::Array(..) | TyKind::Record(_))
    }

    /// Whether constant expressions may use the variable, if its value is constant (C++17 8.20p2.7).
    fn is_usable_const(&self, ty: Ty, is_constexpr: bool) -> bool {
        if self.module.types.reference(ty).is_some() {
            return is_constexpr;
        }
        let quals = self.module.types.quals(ty);
        if !quals.contains(Quals::CONST) || quals.contains(Quals::VOLATILE) {
            return false;
        }
        match self.module.types.scalar(ty) {
            Some(Scalar::Int(_) | Scalar::Enum(_)) => true,
            // nvcc computes with its exact value.
            Some(Scalar::Float(FloatTy::LongDouble)) => true,
            Some(Scalar::Float(_) | Scalar::Pointer(_)) => is_constexpr,
            Some(Scalar::Nullptr | Scalar::Opaque(_) | Scalar::Reference(..)) | None => false,
        }
    }

    /// A variable declared in a block.
    pub(super) fn declare_local(
        &mut self,
        decl: &Declaration<'_>,
        init: Option<InitId>,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        if decl.attrs.any {
            self.types().refuse_function_attrs(decl.attrs, "a variable");
            self.types().refuse_packed(decl.attrs, "a variable");
        }
        let space = self.variable_space(decl.attrs)?;
        let storage = decl.specs.storage.map(|(storage, _)| storage);
        let is_static = matches!(storage, Some(Storage::Static | Storage::Extern));
        // An automatic one is a copy of a handle.
        if is_static || space.is_some() || self.module.types.opaque(decl.ty).is_none() {
            self.types().require_no_opaque_object(decl.ty, decl.name.span)?;
        }
        let space = match space {
            Some(Space::Shared) => Space::Shared,
            Some(space) if is_static => space,
            Some(_) => {
                let attrs = decl.attrs;
                let span = attrs.constant.or(attrs.managed).or(attrs.device).unwrap_or(decl.name.span);
                let message = "`__device__`, `__managed__` and `__constant__` are not allowed on non-static local variables";
                let diagnostic =
                    Diagnostic::new(Code::InvalidAttribute, span, message).with_help("make it `static`");
                return Err(self.sink.error(diagnostic));
            }
            None if storage == Some(Storage::Static) => Space::Global,
            None if storage == Some(Storage::Extern) => {
                match self
                    .known
                    .declarations
                    .globals_by_name
                    .get(&(self.scopes.namespace(), decl.name.symbol))
                {
                    Some(&known) => self.module.globals[known].space,
                    None => return self.declare_named_const(decl, init),
                }
            }
            None => return self.declare_automatic(decl, init, list),
        };
        let global = self.declare_global(decl, init, space)?;
        // What has linkage is no part of the block, only its name is.
        if self.module.globals[global].owner.is_some() {
            let stmt = self.statements().stmt(StmtData::Static(global), decl.name.span);
            list.push(stmt);
        }
        Ok(())
    }

    /// What a `constexpr` object has in a `mutable` member is no constant (C++17 8.20p2.7).
    fn refuse_mutable_constant(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if !self.module.types.has_mutable(ty) {
            return Ok(());
        }
        let message = "a `constexpr` object with a `mutable` member is not supported";
        Err(self.error(Code::UnsupportedSpecifier, span, message))
    }

    fn declare_automatic(
        &mut self,
        decl: &Declaration<'_>,
        init: Option<InitId>,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let name = decl.name;
        let is_constexpr = decl.specs.constexpr.is_some();
        let mut ty = decl.ty;
        if is_constexpr && self.module.types.reference(ty).is_none() {
            ty = self.module.types.with_quals(ty, Quals::CONST);
        }
        let takes_len = init.is_some() && matches!(self.module.types.kind(ty), TyKind::Array(_, None));
        if !takes_len && !ty.is_plain_number() {
            self.types().require_complete(ty, name.span)?;
            self.types().require_room(ty, name.span)?;
        }
        if !ty.is_plain_number() {
            self.expressions().refuse_long_doubles_in(ty, name.span)?;
        }
        if is_constexpr && !ty.is_plain_number() {
            self.refuse_mutable_constant(ty, name.span)?;
        }
        let spelling = self.spelling(name.symbol).into();
        let align = decl.attrs.align.map(|(align, _)| align);
        let data = LocalData {
            name: Some(spelling),
            ty,
            align,
            is_param: false,
            is_grid_constant: false,
            is_referenced: decl.attrs.is_maybe_unused,
            span: name.span,
        };
        let local = self.statements().func_cx().locals.push(data);
        self.names().warn_shadow(name);
        self.names().declare(name, Entity::Local(local))?;
        let checked = match init {
            Some(init) => {
                let evaluation = match self.evaluation {
                    Evaluation::AtRunTime | Evaluation::AtCompileTime if is_constexpr => {
                        Evaluation::AtCompileTime
                    }
                    Evaluation::AtCompileTime => Evaluation::AtRunTime,
                    outer => outer,
                };
                let checked = self.evaluated(evaluation, |cx| cx.conversions().check_variable_init(ty, init));
                checked.and_then(|(init, ty)| {
                    self.conversions().refuse_open_value(ty, init)?;
                    Ok((Some(init), ty))
                })
            }
            None => self
                .require_no_const(decl, ty)
                .and_then(|()| self.conversions().default_init(ty, name.span))
                .map(|init| (init, ty)),
        };
        let (init, ty) = match checked {
            Ok(checked) => checked,
            Err(reported) => {
                // An array without its length is of no use, nor is a constant without its value; anything else is.
                if takes_len || self.is_usable_const(ty, is_constexpr) {
                    self.scopes.bind(name.symbol, Entity::Poison, name.span);
                }
                return Err(reported);
            }
        };
        let func = self.statements().func_cx();
        func.locals[local].ty = ty;
        if let Some(init) = init {
            func.note_initialized(name);
            if let Some(formats) = self.warnings_ref().formats_of_variable(ty, init) {
                self.statements().func_cx().local_formats.insert(local, formats);
            }
            self.note_constant(local, ty, init, is_constexpr, name.span)?;
            let is_const_number = self.statements().func_cx().local_values.contains_key(&local);
            if is_constexpr || is_const_number {
                self.fold_calls(init, ty);
            }
        }
        let found = init.map(|init| self.statements().temporaries_of_init(ty, init)).unwrap_or_default();
        let stmt = self.statements().stmt(StmtData::Local(local, init), name.span);
        self.statements().push_full(stmt, found, list);
        if is_constexpr && !ty.is_plain_number() && self.manners_of(ty).is_destroyed() {
            let message = "`constexpr` variable must be initialized by a constant expression";
            let note = format!("{} has a destructor", self.show(ty));
            let diagnostic = Diagnostic::new(Code::NotConstant, name.span, message).with_note(note);
            return Err(self.sink.error(diagnostic));
        }
        self.statements().note_destructor(local, name.span);
        Ok(())
    }

    fn note_constant(
        &mut self,
        local: crate::ir::Local,
        ty: Ty,
        init: Init,
        is_constexpr: bool,
        span: Span,
    ) -> Result<(), Reported> {
        if is_constexpr && self.is_aggregate(ty) {
            let name = self.statements().func_cx().locals[local].name.clone().unwrap_or_default();
            let value =
                self.conversions().static_init(init, ty, &format!("the `constexpr` variable `{name}`"))?;
            self.statements().func_cx().local_objects.insert(local, value);
            return Ok(());
        }
        if !self.is_usable_const(ty, is_constexpr) {
            return Ok(());
        }
        match self.constant_init(init)? {
            Ok(value) => {
                self.statements().func_cx().local_values.insert(local, value);
                Ok(())
            }
            Err(not) if is_constexpr => {
                let message = "`constexpr` variable must be initialized by a constant expression";
                Err(self.expressions().not_constant(Diagnostic::new(Code::NotConstant, span, message), &not))
            }
            Err(_) => Ok(()),
        }
    }
}
