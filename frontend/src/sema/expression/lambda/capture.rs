//! What lambda expressions capture, where they are (C++17 8.1.5.2).

use super::{Captured, LambdaCx, Source, VariableKind};
use crate::ast::{Capture, CaptureKind, Lambda, Name};
use crate::diag::{Code, Reported};
use crate::ir::{Field, Init, InitData, PlaceData, RefKind, Ty};
use crate::sema::Expressions;
use crate::sema::conversion::Target;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Binding, Entity};
use crate::token::Symbol;

impl Expressions<'_> {
    /// Captures what the brackets name.
    pub(super) fn capture_listed(
        &mut self,
        cx: &mut LambdaCx,
        capture: &Capture,
        lambda: &Lambda,
        variables: &[(Symbol, Binding)],
    ) -> Result<(), Reported> {
        let Some(name) = capture.name else {
            let Some(pointer) = self.this_pointer(capture.span) else {
                let message = "`this` cannot be captured in this context";
                return Err(self.error(Code::InvalidLambda, capture.span, message));
            };
            if cx.captures.iter().any(|captured| matches!(captured.source, Source::This)) {
                let message = "`this` can appear only once in a capture list";
                return Err(self.error(Code::InvalidLambda, capture.span, message));
            }
            let mut ty = self.ty_of(pointer);
            if capture.kind == CaptureKind::Copy {
                ty = self.module.types.pointee(ty).unwrap_or(ty);
                ty = self.module.types.unqualified(ty);
            }
            self.add_capture(cx, Captured { source: Source::This, ty, span: capture.span }, None);
            return Ok(());
        };
        let spelling = self.spelling(name.symbol);
        if let Some(init) = capture.init {
            let ty = self.type_of_capture(capture.kind, init, name)?;
            self.add_capture(cx, Captured { source: Source::Init(init), ty, span: name.span }, Some(name));
            return Ok(());
        }
        if let Some((default, _)) = lambda.default
            && default == capture.kind
        {
            let message = match default {
                CaptureKind::Copy => "`&` must precede a capture when the capture default is `=`",
                CaptureKind::Reference => "`&` cannot precede a capture when the capture default is `&`",
            };
            return Err(self.error(Code::InvalidLambda, capture.span, message));
        }
        let found = variables.iter().rfind(|(symbol, _)| *symbol == name.symbol).map(|(_, binding)| *binding);
        let found = found.map(|binding| self.captured_element(binding, capture.element));
        let Some(Binding { entity: Entity::Captured(variable), span: declared }) = found else {
            let Some(binding) = self.names_ref().lookup(name.symbol) else {
                return Err(self.names().undeclared(name, "identifier"));
            };
            let message = match binding.entity {
                Entity::Poison => return Err(self.poisoned()),
                Entity::Global(_) | Entity::Const(_) => format!(
                    "`{spelling}` cannot be captured because it does not have automatic storage duration"
                ),
                Entity::Pack(_) => {
                    let message = format!("capture of `{spelling}` contains an unexpanded parameter pack");
                    return Err(self.error(Code::InvalidTemplate, name.span, message));
                }
                _ => format!("`{spelling}` in capture list does not name a variable"),
            };
            return Err(self.error(Code::InvalidLambda, name.span, message));
        };
        let is_same =
            |captured: &Captured| matches!(captured.source, Source::Variable(other, ..) if other == variable);
        if cx.captures.iter().any(is_same) {
            let message = format!("`{spelling}` can appear only once in a capture list");
            return Err(self.error(Code::InvalidLambda, name.span, message));
        }
        let (entity, ty) = self.held_type(name, capture.element, variable);
        let binding = Binding { entity, span: declared };
        self.capture_variable(cx, variable, name, binding, ty, capture.kind)
    }

    /// The element of a pack that a capture names.
    fn captured_element(&self, binding: Binding, element: Option<u32>) -> Binding {
        match (binding.entity, element) {
            (Entity::Pack(pack), Some(idx)) => match self.templates_ref().param_of_pack(pack, idx) {
                Some(entity) => Binding { entity, ..binding },
                None => binding,
            },
            _ => binding,
        }
    }

    /// What a variable is in the function around the lambda, where it is not yet one of a function around, and its type.
    pub(super) fn held_type(&mut self, name: Name, element: Option<u32>, variable: u32) -> (Entity, Ty) {
        let held = self.names_ref().lookup(name.symbol);
        let held = held.map(|binding| self.captured_element(binding, element).entity);
        let ty = match held {
            Some(Entity::Local(local)) => self.statements().func_cx().locals[local].ty,
            Some(Entity::Captured(_)) => {
                let level = self.lambdas().open.len();
                self.ty_around(variable, level)
            }
            _ => Ty::ERROR,
        };
        (held.unwrap_or(Entity::Poison), ty)
    }

    /// The type of a variable that the lambda has for itself.
    fn type_of_capture(
        &mut self,
        kind: CaptureKind,
        init: crate::ast::InitId,
        name: Name,
    ) -> Result<Ty, Reported> {
        let crate::ast::InitKind::Expr(value) = self.unit.inits[init].kind else {
            let message = "the capture of a list is not supported";
            return Err(self.error(Code::UnsupportedLambda, name.span, message));
        };
        if kind == CaptureKind::Copy {
            let ty = self.type_of_initializer(value, Some(name))?;
            return Ok(self.module.types.unqualified(ty));
        }
        let was_quiet = self.sink.set_quiet(true);
        let ty = self.in_unevaluated(|cx| {
            let operand = cx.expressions().check_expr(value)?;
            cx.expressions().operand_ty(operand)
        });
        self.sink.set_quiet(was_quiet);
        let ty = ty?;
        Ok(self.module.types.reference_to(ty, RefKind::Lvalue))
    }

    pub(super) fn capture_variable(
        &mut self,
        cx: &mut LambdaCx,
        variable: u32,
        name: Name,
        binding: Binding,
        ty: Ty,
        kind: CaptureKind,
    ) -> Result<(), Reported> {
        let spelling = self.spelling(name.symbol);
        if self.lambdas().variables[variable as usize].kind == VariableKind::Other {
            let message = format!("structured binding `{spelling}` cannot be captured");
            return Err(self.error(Code::InvalidLambda, name.span, message));
        }
        let referred = self.conversions_ref().unreferenced(ty);
        if self.canonical(referred) == Ty::ERROR {
            return Err(self.poisoned());
        }
        if self.module.types.func(referred).is_some() {
            let message = "the capture of a reference to a function is not supported";
            return Err(self.error(Code::UnsupportedLambda, name.span, message));
        }
        let ty = match kind {
            CaptureKind::Copy => referred,
            CaptureKind::Reference => self.module.types.reference_to(referred, RefKind::Lvalue),
        };
        let source = Source::Variable(variable, name, binding);
        self.add_capture(cx, Captured { source, ty, span: name.span }, Some(name));
        Ok(())
    }

    pub(super) fn add_capture(&mut self, cx: &mut LambdaCx, captured: Captured, name: Option<Name>) {
        cx.captures.push(captured);
        let name = name.map(|name| self.spelling(name.symbol).to_owned());
        let Captured { ty, span, .. } = captured;
        let field = Field {
            is_base: false,
            is_mutable: false,
            name,
            ty,
            bit_width: None,
            align: None,
            pack: None,
            span,
        };
        self.module.types.records[cx.closure].fields.get_or_insert_default().push(field);
    }

    /// The initializer of a member, in the function around the lambda.
    pub(super) fn captured_value(&mut self, captured: Captured) -> Result<Init, Reported> {
        let Captured { source, ty, span } = captured;
        let operand = match source {
            Source::Init(init) => {
                return self.conversions().check_variable_init(ty, init).map(|(init, _)| init);
            }
            Source::This => {
                let Some(pointer) = self.this_pointer(span) else { return Err(self.poisoned()) };
                match self.module.types.record(ty) {
                    None => Operand::Value(pointer),
                    Some(_) => {
                        let object = self.module.types.pointee(self.ty_of(pointer)).unwrap_or(ty);
                        Operand::Place(self.place(PlaceData::Deref(pointer), object, span))
                    }
                }
            }
            Source::Variable(_, name, binding) => {
                if let crate::ir::TyKind::Array(..) = self.module.types.kind(ty) {
                    return self.declarations().copy_of_captured(binding, name, ty);
                }
                match binding.entity {
                    // A reference needs the variable, even to a constant.
                    Entity::Captured(around) if self.module.types.reference(ty).is_some() => {
                        self.captured_place(around, name, binding.span)?
                    }
                    _ => self.entity_operand(binding, name)?,
                }
            }
        };
        let value = match self.module.types.reference(ty) {
            Some(_) => self.conversions().bind(operand, ty, Target::Initialize)?,
            None => {
                let value = self.rvalue(operand)?;
                let bare = self.module.types.unqualified(ty);
                let value = self.conversions().convert(value, bare, Target::Initialize)?;
                self.conversions().own_value(value)?
            }
        };
        Ok(self.init(InitData::Expr(value), span))
    }
}
