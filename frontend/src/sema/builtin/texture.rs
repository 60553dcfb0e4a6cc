//! Templates that read textures, and read and write surfaces (CUDA C++ Programming Guide "Texture Functions", "Surface Functions").
//!
//! There are two of each read: `tex2D<float4>(texture, x, y)` gives what it reads, and `tex2D(&texel, texture, x, y)` writes it to an
//! object, whose type says what is read. A write takes that from the value. Of some reads there is one more that tells
//! whether there was memory behind the texels.

use thin_vec::ThinVec;

use crate::ast::{ExprId, ExprKind, TemplateArg, TypeNameId};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::builtin::{Class, Operand};
use crate::ir::{
    Builtin, Conversion, Expr, ExprData, Geometry, OpaqueKind, PlaceData, Residency, TextureOp, Ty, TyKind,
};
use crate::predeclared::named_texture_op;
use crate::sema::Builtins;
use crate::sema::call::overload::{Origin, Sequences, Viable};
use crate::sema::conversion::Target;
use crate::sema::name::scope::Entity;
use crate::source::Span;
use crate::token::Symbol;

/// `cudaBoundaryModeTrap`, which stands where a call names no mode.
const TRAP: i128 = 2;

/// One of the templates of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    op: TextureOp,
    /// What is read goes where the first argument points.
    is_through_pointer: bool,
}

impl Candidate {
    /// All of the name.
    fn all(op: TextureOp) -> impl Iterator<Item = Candidate> {
        let told = match op {
            TextureOp::TextureRead(geometry, level, _)
                if matches!(geometry, Geometry::TwoD | Geometry::ThreeD | Geometry::TwoDLayered) =>
            {
                Some(TextureOp::TextureRead(geometry, level, Residency::Reported))
            }
            TextureOp::TextureGather(_) => Some(TextureOp::TextureGather(Residency::Reported)),
            _ => None,
        };
        [Some(op), told].into_iter().flatten().flat_map(|op| {
            let by_pointer = !matches!(op, TextureOp::SurfaceWrite(_));
            [false, true]
                .into_iter()
                .filter(move |&it| !it || by_pointer)
                .map(move |is_through_pointer| Candidate { op, is_through_pointer })
        })
    }

    /// The operands of the operation, which are the parameters behind the pointer.
    fn operands(self) -> &'static [Operand] {
        Builtin::Texture(self.op).signature().params
    }

    /// The value of the last parameter where a call leaves it out.
    fn default(self) -> Option<(i128, Ty)> {
        match self.op {
            TextureOp::TextureGather(_) => Some((0, Ty::INT)),
            TextureOp::SurfaceRead(_) | TextureOp::SurfaceWrite(_) => Some((TRAP, Ty::UINT)),
            TextureOp::TextureFetch | TextureOp::TextureRead(..) => None,
        }
    }

    fn class(self) -> Class {
        Builtin::Texture(self.op).signature().class
    }
}

impl Builtins<'_> {
    /// The name and the type of `name<type>`, where the name is that of one of CUDA's templates for textures and surfaces.
    pub(in crate::sema) fn specialization(&self, callee: ExprId) -> Option<(Symbol, TypeNameId)> {
        match self.unit.exprs[callee].kind {
            ExprKind::TemplateId { name, args } => match self.unit.exprs[name].kind {
                ExprKind::Ident(symbol) => {
                    named_texture_op(self.spelling(symbol))?;
                    match self.unit.template_args[args][..] {
                        [TemplateArg::Type(ty)] => Some((symbol, ty)),
                        _ => None,
                    }
                }
                _ => None,
            },
            ExprKind::Paren(inner) => self.specialization(inner),
            _ => None,
        }
    }

    /// `name<…>` where it is not called, or has other arguments than one type.
    pub(in crate::sema) fn uncalled_template(&mut self, name: &str, span: Span) -> Reported {
        let message = format!("`{name}` must be called, with one type as its template argument");
        self.error(Code::UnsupportedTemplate, span, message)
    }

    /// `name<type>(args)`
    pub(in crate::sema) fn check_specialized_call(
        &mut self,
        name: Symbol,
        ty: TypeNameId,
        callee: ExprId,
        args: &[ExprId],
        span: Span,
    ) -> Result<Expr, Reported> {
        let unit = self.unit;
        let (callee, ty_name) = (unit.exprs[callee].span, &unit.type_names[ty]);
        let ty = self.types().resolve_type_name(ty_name);
        let hiding =
            self.names_ref().lookup(name).map(|binding| binding.entity).filter(|&entity| match entity {
                Entity::Overloads(id) => self.calls_ref().overloads_of(id).builtin.is_none(),
                _ => true,
            });
        let op = named_texture_op(self.spelling(name)).filter(|_| hiding.is_none());
        let args = match op {
            Some(op) => self.check_texture_args(op, ty.as_ref().ok().copied(), args),
            None => self.check_rvalues(args),
        };
        let (ty, args) = (ty?, args?);
        let Some(op) = op else {
            let message = format!("redefinition of built-in function template `{}`", self.spelling(name));
            return Err(self.error(Code::UnsupportedTemplate, callee, message));
        };
        self.check_texture_call(op, callee, Some((ty, ty_name.span)), &args, span)
    }

    /// The arguments, of which braced lists have the type of the parameter that is meant.
    pub(super) fn check_texture_args(
        &mut self,
        op: TextureOp,
        elem: Option<Ty>,
        args: &[ExprId],
    ) -> Result<Vec<Expr>, Reported> {
        let value = |(idx, &arg)| match self.unit.exprs[arg].kind {
            ExprKind::Braced(init) => {
                let param = self.sole_texture_param(op, elem, args.len(), idx);
                self.calls().check_listed_arg(init, arg, param)
            }
            _ => self.expressions().check_rvalue(arg),
        };
        let values: Vec<_> = args.iter().enumerate().map(value).collect();
        values.into_iter().collect()
    }

    /// The type of a parameter that has the same type in all templates with as many parameters.
    fn sole_texture_param(
        &mut self,
        op: TextureOp,
        elem: Option<Ty>,
        n_args: usize,
        idx: usize,
    ) -> Option<Ty> {
        let mut found = None;
        for candidate in Candidate::all(op) {
            // Without a type argument those of `T` are not known.
            let params = self.texture_params(candidate, elem.unwrap_or(Ty::VOID));
            let n_least = params.len() - usize::from(candidate.default().is_some());
            if !(n_least..=params.len()).contains(&n_args) {
                continue;
            }
            if found.is_some_and(|found| found != params[idx]) {
                return None;
            }
            found = Some(params[idx]);
        }
        found.filter(|&found| self.module.types.kind(found) != &TyKind::Void)
    }

    /// A call, with the type argument if there is one.
    pub(in crate::sema) fn check_texture_call(
        &mut self,
        op: TextureOp,
        name_span: Span,
        ty: Option<(Ty, Span)>,
        args: &[Expr],
        span: Span,
    ) -> Result<Expr, Reported> {
        if let Some((ty, at)) = ty {
            self.require_texel(op, ty, at)?;
        }
        let mut viable: Vec<Viable<(Candidate, Ty)>> = Vec::new();
        for candidate in Candidate::all(op) {
            if let Some(elem) = self.texel_of(candidate, ty.map(|(ty, _)| ty), args)
                && let Some(sequences) = self.texture_sequences(candidate, elem, args)
            {
                viable.push(Viable {
                    candidate: (candidate, elem),
                    sequences,
                    origin: Origin::BuiltinTemplate,
                });
            }
        }
        let Some(best) = self.calls().best(&viable) else {
            return Err(self.no_texture_candidate(op, name_span, ty, args, !viable.is_empty()));
        };
        let (candidate, elem) = viable[best].candidate;
        self.texture_call(candidate, elem, args, span)
    }

    /// `__nv_tex_surf_handler("__itex2D", &texel, texture, x, y)`: what the templates are made of. It takes variables that are
    /// textures or surfaces, too, which no template does.
    pub(super) fn check_texture_handler(
        &mut self,
        args: &[ExprId],
        name_span: Span,
        span: Span,
    ) -> Result<Expr, Reported> {
        let op = args.first().and_then(|&name| {
            let units = &self.expressions_ref().string_behind(name)?.units;
            let name: String = units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
            let name = name.strip_prefix("__i")?;
            named_texture_op(name.strip_suffix("_v2").unwrap_or(name))
        });
        let (Some(op), Some((_, operands))) = (op, args.split_first()) else {
            let at = args.first().map_or(name_span, |&name| self.unit.exprs[name].span);
            let message = "first argument must name an operation on textures or surfaces";
            let diagnostic = Diagnostic::new(Code::NoMatchingBuiltin, at, message)
                .with_help("write it as CUDA's headers do: `\"__itex2D\"`");
            return Err(self.sink.error(diagnostic));
        };
        let is_write = matches!(op, TextureOp::SurfaceWrite(_));
        let values: Vec<_> = operands.iter().map(|&arg| self.expressions().check_rvalue(arg)).collect();
        let mut values: Vec<Expr> = values.into_iter().collect::<Result<_, _>>()?;
        for (idx, value) in values.iter_mut().enumerate() {
            let ty = self.ty_of(*value);
            let wanted = match op {
                TextureOp::SurfaceRead(_) | TextureOp::SurfaceWrite(_) => OpaqueKind::Surface,
                TextureOp::TextureFetch | TextureOp::TextureRead(..) | TextureOp::TextureGather(_) => {
                    OpaqueKind::Texture
                }
            };
            if idx == 1 && self.module.types.opaque(ty) == Some(wanted) {
                *value = self.expressions().conversion(Conversion::HandleToInt, *value, Ty::ULONGLONG);
            }
            // What is written, and vectors of derivatives, come by their addresses.
            let is_behind = if is_write { idx == 0 } else { idx > 1 };
            if let Some(pointee) = self.module.types.pointee(ty).filter(|_| is_behind) {
                let to = self.module.types.unqualified(pointee);
                let at = self.span_of(*value);
                let place = self.place(PlaceData::Deref(*value), pointee, at);
                *value = self.expr(ExprData::Load(place), to, at);
            }
        }
        let candidate = Candidate { op, is_through_pointer: !is_write };
        let elem = self.texel_of(candidate, None, &values);
        match elem.filter(|&elem| self.texture_sequences(candidate, elem, &values).is_some()) {
            Some(elem) => self.texture_call(candidate, elem, &values, span),
            None => Err(self.no_texture_candidate(op, name_span, None, &values, false)),
        }
    }

    /// The call of one of the templates, which takes the arguments.
    fn texture_call(
        &mut self,
        candidate: Candidate,
        elem: Ty,
        args: &[Expr],
        span: Span,
    ) -> Result<Expr, Reported> {
        let (texel, args) = match args.split_first() {
            Some((&texel, others)) if candidate.is_through_pointer => (Some(texel), others),
            _ => (None, args),
        };
        let operands = candidate.operands();
        let mut values = ThinVec::with_capacity(operands.len());
        for (idx, &operand) in operands.iter().enumerate() {
            values.push(match (args.get(idx), candidate.default()) {
                (Some(&arg), _) => {
                    let ty = self.texture_param(operand, elem);
                    let value = self.conversions().convert(arg, ty, Target::Argument(None))?;
                    if operand == Operand::Is(Ty::UINT) {
                        self.conversions().numeric(value, Ty::UINT)
                    } else {
                        value
                    }
                }
                (None, Some((default, ty))) => self.expr(ExprData::int(default), ty, span.end()),
                (None, None) => unreachable!("invariant: the number of arguments was compared"),
            });
        }
        let ret = if matches!(candidate.op, TextureOp::SurfaceWrite(_)) { Ty::VOID } else { elem };
        let value = self.expr(ExprData::Builtin(Builtin::Texture(candidate.op), values), ret, span);
        let Some(texel) = texel else { return Ok(value) };
        let pointer = self.module.types.pointer_to(elem);
        let texel = self.conversions().convert(texel, pointer, Target::Argument(None))?;
        let place = self.place(PlaceData::Deref(texel), elem, span);
        let assign = self.expr(ExprData::Assign { place, value }, elem, span);
        Ok(self.expressions().discarded(assign))
    }

    /// What a template would read or write: as its argument says, or as the type of the first argument does.
    fn texel_of(&self, candidate: Candidate, ty: Option<Ty>, args: &[Expr]) -> Option<Ty> {
        let types = &self.module.types;
        let elem = match ty {
            Some(ty) => ty,
            // Nothing is found out from what stands in braces (C++17 17.8.2.1p1).
            None if args.first().is_some_and(|&arg| self.arena.listed.contains(arg)) => return None,
            None if candidate.is_through_pointer => types.pointee(self.ty_of(*args.first()?))?,
            None if matches!(candidate.op, TextureOp::SurfaceWrite(_)) => self.ty_of(*args.first()?),
            None => return None,
        };
        (types.quals(elem).is_empty() && candidate.class().has(types, elem)).then_some(elem)
    }

    /// How the arguments fit the parameters; none if they do not.
    fn texture_sequences(&mut self, candidate: Candidate, elem: Ty, args: &[Expr]) -> Option<Sequences> {
        let params = self.texture_params(candidate, elem);
        let n_least = params.len() - usize::from(candidate.default().is_some());
        if !(n_least..=params.len()).contains(&args.len()) {
            return None;
        }
        args.iter().zip(params).map(|(&arg, param)| self.calls().sequence(arg, param)).collect()
    }

    /// The types of the parameters.
    fn texture_params(&mut self, candidate: Candidate, elem: Ty) -> Vec<Ty> {
        let pointer = candidate.is_through_pointer.then(|| self.module.types.pointer_to(elem));
        let operands = candidate.operands().iter();
        pointer.into_iter().chain(operands.map(|&operand| self.texture_param(operand, elem))).collect()
    }

    /// The type of a parameter.
    fn texture_param(&mut self, operand: Operand, elem: Ty) -> Ty {
        match operand {
            Operand::T => elem,
            // Where the program does not name the type, no argument has it.
            Operand::Is(Ty::UINT) => self.known.boundary_mode.unwrap_or(Ty::VOID),
            Operand::Is(ty) => ty,
            Operand::Struct(name) => self.vector_named(name),
            Operand::PointerTo(ty) => self.module.types.pointer_to(ty),
            _ => unreachable!("invariant: these are the parameters of textures and surfaces"),
        }
    }

    fn require_texel(&mut self, op: TextureOp, ty: Ty, at: Span) -> Result<(), Reported> {
        let types = &self.module.types;
        if types.kind(ty) == &TyKind::Error {
            return Err(self.poisoned());
        }
        let class = Builtin::Texture(op).signature().class;
        if types.quals(ty).is_empty() && class.has(types, ty) {
            return Ok(());
        }
        let (what, which) = if class == Class::SurfaceElement {
            (
                "surface",
                "integers except `long`, `float`, and vectors of one, two or four of these with at most 16 bytes",
            )
        } else {
            ("texture", "integers of at most 32 bits, `float`, and vectors of one, two or four of these")
        };
        let message = format!("invalid {what} element type {}", self.show(ty));
        let diagnostic = Diagnostic::new(Code::NoMatchingBuiltin, at, message)
            .with_note(format!("valid element types are {which}, without qualifiers"));
        Err(self.sink.error(diagnostic))
    }

    fn no_texture_candidate(
        &mut self,
        op: TextureOp,
        name_span: Span,
        ty: Option<(Ty, Span)>,
        args: &[Expr],
        is_ambiguous: bool,
    ) -> Reported {
        let written: Vec<String> =
            args.iter().map(|&arg| self.module.types.display(self.ty_of(arg))).collect();
        let (name, written) = (name_of(op), written.join(", "));
        let (code, message) = if is_ambiguous {
            (Code::AmbiguousBuiltin, format!("call to `{name}` with arguments ({written}) is ambiguous"))
        } else {
            (
                Code::NoMatchingBuiltin,
                format!("no matching function for call to `{name}` with arguments ({written})"),
            )
        };
        let mut diagnostic = Diagnostic::new(code, name_span, message);
        for candidate in Candidate::all(op) {
            diagnostic = diagnostic.with_note(format!("candidate: `{}`", candidate.prototype(&name)));
        }
        if ty.is_none() && !matches!(op, TextureOp::SurfaceWrite(_)) {
            diagnostic = diagnostic.with_help(format!("specify the element type: `{name}<float4>(…)`"));
        }
        self.sink.error(diagnostic)
    }
}

impl Candidate {
    /// How CUDA's header declares it.
    fn prototype(self, name: &str) -> String {
        let is_surface = matches!(self.op, TextureOp::SurfaceRead(_) | TextureOp::SurfaceWrite(_));
        let handle = if is_surface { "cudaSurfaceObject_t" } else { "cudaTextureObject_t" };
        let mut params: Vec<String> = Vec::new();
        if self.is_through_pointer {
            params.push("T *".to_owned());
        }
        params.extend(self.operands().iter().map(|operand| match operand {
            Operand::Is(Ty::ULONGLONG) => handle.to_owned(),
            Operand::Is(Ty::UINT) => "cudaSurfaceBoundaryMode".to_owned(),
            Operand::Is(Ty::FLOAT) => "float".to_owned(),
            Operand::Is(_) => "int".to_owned(),
            Operand::Struct(name) => (*name).to_owned(),
            Operand::PointerTo(_) => "bool *".to_owned(),
            _ => "T".to_owned(),
        }));
        if let (Some((default, _)), Some(last)) = (self.default(), params.last_mut()) {
            let default = if is_surface { "cudaBoundaryModeTrap".to_owned() } else { default.to_string() };
            *last = format!("{last} = {default}");
        }
        let gives_value = !self.is_through_pointer && !matches!(self.op, TextureOp::SurfaceWrite(_));
        format!("{} {name}<T>({})", if gives_value { "T" } else { "void" }, params.join(", "))
    }
}

/// The function of the operation.
fn name_of(op: TextureOp) -> String {
    let named = super::table::all().map(|(_, function)| function.name);
    let same = |name: &&str| named_texture_op(name) == Some(op);
    named.into_iter().find(same).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::*;

    #[test]
    fn each_function_has_a_name_of_its_own() {
        let named: Vec<_> = table::all()
            .filter_map(|(_, function)| Some((function.name, named_texture_op(function.name)?)))
            .collect();
        assert_eq!(named.len(), 7 * 3 + 2 + 7 * 2);
        for &(name, op) in &named {
            assert_eq!(name_of(op), name);
        }
    }
}
