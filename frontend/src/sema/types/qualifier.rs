//! CUDA's qualifiers and attributes, collected from both sides of a declarator.
//!
//! Goes in: the attributes in the order of the text. Comes out: [`Attrs`], which says where each was
//! written. Whether one fits its declaration is for the declaration's check, with the help of
//! [`Types::refuse_attrs`].

use super::launch::Launch;
use crate::ast::{Attr, AttrKind, ExprId, ExprKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Enum, FloatTy, IntTy, OpaqueKind, Ty, TyKind};
use crate::layout;
use crate::sema::Types;
use crate::sema::expression::integer_rank::to_signed;
use crate::sema::name::advice::Advice;
use crate::source::Span;

/// Where each qualifier was written, and what it says.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sema) struct Attrs {
    pub(in crate::sema) global: Option<Span>,
    pub(in crate::sema) device: Option<Span>,
    pub(in crate::sema) host: Option<Span>,
    pub(in crate::sema) shared: Option<Span>,
    pub(in crate::sema) constant: Option<Span>,
    pub(in crate::sema) managed: Option<Span>,
    pub(in crate::sema) noinline: Option<Span>,
    pub(in crate::sema) forceinline: Option<Span>,
    pub(in crate::sema) launch: Launch,
    pub(in crate::sema) grid_constant: Option<Span>,
    /// The strictest alignment asked for.
    pub(in crate::sema) align: Option<(u32, Span)>,
    /// Where `alignas` was written, which stands in fewer places than the others of its kind.
    pub(in crate::sema) alignas: Option<Span>,
    pub(in crate::sema) packed: Option<Span>,
    pub(in crate::sema) weak: Option<Span>,
    /// Variables of the struct are textures or surfaces.
    pub(in crate::sema) opaque: Option<(OpaqueKind, Span)>,
    /// Functions of the header are its constructors and conversions.
    pub(in crate::sema) is_class: bool,
    /// That it is not used is no matter.
    pub(in crate::sema) is_maybe_unused: bool,
    /// There are some.
    pub(in crate::sema) any: bool,
    /// What users of the name are told.
    pub(in crate::sema) advice: Advice,
}

/// A machine mode (GNU C "Common Type Attributes").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// An integer of so many bits.
    Int(u32),
    Float(FloatTy),
}

impl Attrs {
    /// The qualifiers of functions, named.
    fn of_functions(&self) -> impl Iterator<Item = (Option<Span>, &'static str)> {
        let qualifiers = [
            (self.global, "__global__"),
            (self.host, "__host__"),
            (self.noinline, "__noinline__"),
            (self.forceinline, "__forceinline__"),
        ];
        qualifiers.into_iter().chain(self.launch.qualifiers())
    }

    /// The qualifiers of variables, named.
    fn of_variables(&self) -> [(Option<Span>, &'static str); 3] {
        [(self.shared, "__shared__"), (self.constant, "__constant__"), (self.managed, "__managed__")]
    }
}

/// GNU C's attributes that change no meaning: promises to the optimiser and to those who warn, and requests about
/// how the code is arranged, which PTX has nothing for. nvcc takes them as silently.
const PROMISES: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "artificial",
    "assume_aligned",
    "cold",
    "common",
    "externally_visible",
    "flatten",
    "format",
    "format_arg",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "no_instrument_function",
    "no_stack_protector",
    "noclone",
    "nocommon",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "noreturn",
    "nothrow",
    "nv_pure",
    "optimize",
    "regparm",
    "returns_nonnull",
    "section",
    "sentinel",
    "transparent_union",
    "visibility",
];

/// Attributes of the host's functions and objects: calling conventions, start-up code, instruction sets. nvcc takes
/// them, and device code is the same with and without.
const OF_HOST: &[&str] = &[
    "cdecl",
    "constructor",
    "destructor",
    "fastcall",
    "gcc_struct",
    "interrupt",
    "ms_abi",
    "ms_struct",
    "naked",
    "scalar_storage_order",
    "stdcall",
    "sysv_abi",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "vectorcall",
];

/// Attributes that change what a program means, or that another compiler gives such a meaning. They are refused, so
/// that nobody relies on them.
const MEANINGFUL: &[&str] = &[
    "address_space",
    "alias",
    "cleanup",
    "copy",
    "enable_if",
    "ext_vector_type",
    "gnu_inline",
    "ifunc",
    "no_unique_address",
    "overloadable",
    "symver",
    "vector_size",
    "weakref",
];

impl Types<'_> {
    /// Reads the attributes before and behind a declarator. Inlined, since mostly there are none.
    #[inline(always)]
    pub(in crate::sema) fn collect_attrs(&mut self, before: &[Attr], behind: &[Attr]) -> Attrs {
        let mut attrs = Attrs::default();
        self.add_attrs(&mut attrs, before);
        self.add_attrs(&mut attrs, behind);
        attrs
    }

    /// Adds the attributes behind a declarator to those before it.
    pub(in crate::sema) fn extend_attrs(&mut self, before: &Attrs, more: &[Attr]) -> Attrs {
        let mut attrs = *before;
        self.add_attrs(&mut attrs, more);
        attrs
    }

    /// Adds attributes, if there are any.
    #[inline]
    pub(in crate::sema) fn add_attrs(&mut self, attrs: &mut Attrs, more: &[Attr]) {
        if !more.is_empty() {
            self.add_some_attrs(attrs, more);
        }
    }

    fn add_some_attrs(&mut self, attrs: &mut Attrs, more: &[Attr]) {
        attrs.any = true;
        for attr in more {
            self.collect_attr(attr, attrs);
        }
        if let (Some(_), Some(span)) = (attrs.noinline, attrs.forceinline) {
            self.error(
                Code::InvalidAttribute,
                span,
                "`__forceinline__` and `__noinline__` attributes are not compatible",
            );
        }
        self.check_launch(attrs);
    }

    fn collect_attr(&mut self, attr: &Attr, attrs: &mut Attrs) {
        let span = attr.span;
        match &attr.kind {
            AttrKind::Global => attrs.global = Some(span),
            AttrKind::Device => attrs.device = Some(span),
            AttrKind::Host => attrs.host = Some(span),
            AttrKind::Shared => attrs.shared = Some(span),
            AttrKind::Constant => attrs.constant = Some(span),
            AttrKind::Noinline => attrs.noinline = Some(span),
            AttrKind::Forceinline => attrs.forceinline = Some(span),
            // A hint that the optimiser does without.
            AttrKind::InlineHint => {}
            AttrKind::LaunchBounds(args) => self.collect_launch_bounds(args, span, &mut attrs.launch),
            AttrKind::Maxnreg(arg) => self.collect_maxnreg(*arg, span, &mut attrs.launch),
            AttrKind::ClusterDims(args) => self.collect_cluster_dims(args, span, &mut attrs.launch),
            AttrKind::BlockSize(args) => self.collect_block_size(args, span, &mut attrs.launch),
            AttrKind::GridConstant => attrs.grid_constant = Some(span),
            AttrKind::Align(value) => self.collect_align(*value, span, attrs),
            AttrKind::AlignasValue(value) => {
                attrs.alignas = Some(span);
                self.collect_align(*value, span, attrs);
            }
            AttrKind::AlignasType(ty) => {
                attrs.alignas = Some(span);
                if let Ok(ty) = self.resolve_type_name(ty)
                    && let Ok(align) = layout::align_of(&self.module.types, ty)
                {
                    raise_align(attrs, align, span);
                }
            }
            AttrKind::Gnu { name, args } => self.collect_gnu(self.spelling(name.symbol), args, span, attrs),
            AttrKind::Unknown(name) => self.ignore_attr(self.spelling(name.symbol), span),
            AttrKind::Managed => attrs.managed = Some(span),
        }
    }

    /// Warns of an attribute that nothing here knows, as other compilers do.
    fn ignore_attr(&mut self, name: &str, span: Span) {
        let message = format!("unknown attribute `{name}` ignored");
        self.sink.emit(Diagnostic::new(Code::UnknownAttributes, span, message));
    }

    /// Warns of an attribute that asks for messages where a function is called, which neither nvcc nor Weft writes.
    fn ignore_message_attr(&mut self, name: &str, span: Span) {
        let message = format!("attribute `{name}` ignored");
        let diagnostic = Diagnostic::new(Code::IgnoredAttributes, span, message);
        self.sink.emit(diagnostic.with_note("calls of the function do not cause a message"));
    }

    /// Warns of an attribute that has a meaning on other machines.
    fn ignore_host_attr(&mut self, name: &str, span: Span) {
        let diagnostic =
            Diagnostic::new(Code::IgnoredAttributes, span, format!("attribute `{name}` ignored"));
        self.sink.emit(diagnostic.with_note("it has no effect in device code"));
    }

    fn unsupported_attr(&mut self, name: &str, span: Span) {
        self.error(Code::UnsupportedAttribute, span, format!("`{name}` is not supported"));
    }

    fn collect_gnu(&mut self, name: &str, args: &[ExprId], span: Span, attrs: &mut Attrs) {
        let bare = name.trim_matches('_');
        let is_bare = bare == name;
        if !args.is_empty() && self.check_attribute_args(bare, args, span).is_err() {
            return;
        }
        match (bare, args) {
            ("aligned", &[value]) => self.collect_align(value, span, attrs),
            ("aligned", []) => raise_align(attrs, MAX_ALIGN, span),
            ("packed", []) => attrs.packed = Some(span),
            // What CUDA's qualifiers are macros for, which take the underscores for themselves.
            ("global", []) if is_bare => attrs.global = Some(span),
            ("device", []) if is_bare => attrs.device = Some(span),
            ("host", []) if is_bare => attrs.host = Some(span),
            ("shared", []) if is_bare => attrs.shared = Some(span),
            ("constant", []) if is_bare => attrs.constant = Some(span),
            ("managed", []) if is_bare => attrs.managed = Some(span),
            // [`Self::moded`] reads it.
            ("mode", [_]) => {}
            ("weak", []) => attrs.weak = Some(span),
            ("device_builtin_texture_type", []) => attrs.opaque = Some((OpaqueKind::Texture, span)),
            ("device_builtin_surface_type", []) => attrs.opaque = Some((OpaqueKind::Surface, span)),
            ("weft_class", []) => attrs.is_class = true,
            ("noinline", []) => attrs.noinline = Some(span),
            ("always_inline", []) => attrs.forceinline = Some(span),
            ("unused" | "maybe_unused" | "used", []) => attrs.is_maybe_unused = true,
            ("unused" | "maybe_unused", _) => {}
            ("deprecated", args) => {
                attrs.advice.deprecated = Some(self.names().reasoned(span, args.first().copied()));
            }
            ("nodiscard" | "warn_unused_result", args) => {
                attrs.advice.nodiscard = Some(self.names().reasoned(span, args.first().copied()));
            }
            ("pure", []) => attrs.advice.purity = Some("pure"),
            ("const", []) => attrs.advice.purity = Some("const"),
            (bare, _) if PROMISES.contains(&bare) => {}
            (bare @ ("error" | "warning"), &[_]) => self.ignore_message_attr(bare, span),
            (bare, _) if OF_HOST.contains(&bare) => self.ignore_host_attr(bare, span),
            (bare, _) if MEANINGFUL.contains(&bare) => self.unsupported_attr(bare, span),
            (_, _) => self.ignore_attr(name, span),
        }
    }

    /// Whether the attribute asks for an alignment.
    pub(super) fn is_alignment(&self, attr: &Attr) -> bool {
        match &attr.kind {
            AttrKind::Align(_) | AttrKind::AlignasType(_) | AttrKind::AlignasValue(_) => true,
            AttrKind::Gnu { name, .. } => self.spelling(name.symbol).trim_matches('_') == "aligned",
            _ => false,
        }
    }

    fn collect_align(&mut self, value: ExprId, span: Span, attrs: &mut Attrs) {
        let Ok(value) = self.int_constant(value, "alignment") else { return };
        match u32::try_from(value) {
            // C++17 10.6.2p2
            Ok(0) => {}
            Ok(align) if align.is_power_of_two() && align <= 1 << 20 => raise_align(attrs, align, span),
            Ok(_) | Err(_) => {
                self.error(
                    Code::InvalidAlignment,
                    span,
                    format!("requested alignment {value} is not a power of 2"),
                );
            }
        }
    }

    /// Reports the qualifiers that only functions and their parameters take, on `what`.
    pub(in crate::sema) fn refuse_function_attrs(&mut self, attrs: &Attrs, what: &str) {
        if !attrs.any {
            return;
        }
        self.refuse_grid_constant(attrs, what);
        for (span, name) in attrs.of_functions().filter(|(span, _)| span.is_some()) {
            self.refuse_attr(span, name, what);
        }
    }

    /// Reports the qualifiers that only variables take, on `what`.
    pub(in crate::sema) fn refuse_variable_attrs(&mut self, attrs: &Attrs, what: &str) {
        if !attrs.any {
            return;
        }
        for (span, name) in attrs.of_variables() {
            self.refuse_attr(span, name, what);
        }
    }

    /// The type that attributes which stand with it make of it: before a declarator the specifiers', behind it what is declared.
    #[inline]
    pub(super) fn moded(&mut self, ty: Ty, attrs: &[Attr]) -> Result<Ty, Reported> {
        attrs.iter().try_fold(ty, |ty, attr| match self.mode_argument(attr) {
            Some(mode) => {
                let mode = self.mode(mode)?;
                self.ty_of_mode(ty, mode, attr.span)
            }
            None => Ok(ty),
        })
    }

    /// The argument of `mode(M)`, if the attribute is that.
    pub(in crate::sema) fn mode_argument(&self, attr: &Attr) -> Option<ExprId> {
        match &attr.kind {
            AttrKind::Gnu { name, args } if self.spelling(name.symbol).trim_matches('_') == "mode" => {
                match args[..] {
                    [mode] => Some(mode),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The machine mode that the argument names.
    fn mode(&mut self, arg: ExprId) -> Result<Mode, Reported> {
        let name = match self.unit.exprs[arg].kind {
            ExprKind::Ident(symbol) => self.spelling(symbol).trim_matches('_'),
            _ => "",
        };
        let mode = match name {
            "QI" | "byte" => Mode::Int(8),
            "HI" => Mode::Int(16),
            "SI" => Mode::Int(32),
            "DI" => Mode::Int(64),
            "word" | "pointer" => Mode::Int(self.module.types.model().address_bits()),
            "TI" => Mode::Int(128),
            "SF" => Mode::Float(FloatTy::Float),
            "DF" => Mode::Float(FloatTy::Double),
            _ => {
                let span = self.unit.exprs[arg].span;
                return Err(self.error(Code::UnsupportedAttribute, span, "unknown machine mode"));
            }
        };
        Ok(mode)
    }

    /// The type of the mode (GNU C "Common Type Attributes"): of the same kind and sign as the one that was
    /// written.
    fn ty_of_mode(&mut self, ty: Ty, mode: Mode, span: Span) -> Result<Ty, Reported> {
        let types = &self.module.types;
        let quals = types.quals(ty);
        let integer = match types.kind(ty) {
            // nvcc takes it for a signed one.
            TyKind::Int(IntTy::Bool) => Some(IntTy::Int),
            TyKind::Enum(enum_) => Some(self.moded_integer(*enum_)),
            TyKind::Int(int) => Some(*int),
            _ => None,
        };
        let moded = match (integer, mode) {
            (Some(int), Mode::Int(bits)) => {
                let (signed, unsigned) = match bits {
                    8 => (IntTy::SChar, IntTy::UChar),
                    16 => (IntTy::Short, IntTy::UShort),
                    32 => (IntTy::Int, IntTy::UInt),
                    64 => (types.model().int64(), types.model().uint64()),
                    _ => (IntTy::Int128, IntTy::UInt128),
                };
                TyKind::Int(if int.is_signed() { signed } else { unsigned })
            }
            (None, Mode::Float(float)) if matches!(types.kind(ty), TyKind::Float(_)) => TyKind::Float(float),
            _ => {
                let ty = self.show(ty);
                return Err(self.error(
                    Code::InvalidAttribute,
                    span,
                    format!("type of machine mode does not match {ty}"),
                ));
            }
        };
        Ok(self.module.types.intern(moded, quals))
    }

    /// The integer type of an enum whose sign a mode keeps: signed, where that holds its constants and no type was written.
    fn moded_integer(&self, enum_: Enum) -> IntTy {
        let data = &self.module.types.enums[enum_];
        match data.underlying {
            IntTy::Bool => IntTy::Int,
            fixed if data.is_fixed => fixed,
            underlying => {
                let signed = to_signed(underlying);
                if self.enum_range(enum_).1.fits(signed) { signed } else { underlying }
            }
        }
    }

    /// Reports `packed`, on `what` that is no struct and no member.
    pub(in crate::sema) fn refuse_packed(&mut self, attrs: &Attrs, what: &str) {
        self.refuse_attr(attrs.packed, "packed", what);
    }

    /// Reports `alignas`, on `what` to which it does not apply.
    pub(in crate::sema) fn refuse_alignas(&mut self, attrs: &Attrs, what: &str) {
        self.refuse_attr(attrs.alignas, "alignas", what);
    }

    /// Reports an alignment, on `what` that takes none.
    pub(super) fn refuse_align(&mut self, attrs: &Attrs, what: &str) {
        self.refuse_attr(attrs.align.map(|(_, span)| span), "aligned", what);
    }

    /// Reports each qualifier, on `what` which takes none but alignment.
    pub(in crate::sema) fn refuse_attrs(&mut self, attrs: &Attrs, what: &str) {
        self.refuse_function_attrs(attrs, what);
        self.refuse_variable_attrs(attrs, what);
        self.refuse_attr(attrs.device, "__device__", what);
    }

    /// Reports `__grid_constant__`, on `what` that is no parameter.
    pub(in crate::sema) fn refuse_grid_constant(&mut self, attrs: &Attrs, what: &str) {
        self.refuse_attr(attrs.grid_constant, "__grid_constant__", what);
    }

    #[inline]
    fn refuse_attr(&mut self, span: Option<Span>, name: &str, what: &str) {
        if let Some(span) = span {
            self.error(Code::InvalidAttribute, span, format!("`{name}` attribute does not apply to {what}"));
        }
    }
}

/// What `aligned` without an argument asks for: as much as any scalar needs.
const MAX_ALIGN: u32 = 16;

fn raise_align(attrs: &mut Attrs, align: u32, span: Span) {
    if attrs.align.is_none_or(|(before, _)| before < align) {
        attrs.align = Some((align, span));
    }
}
