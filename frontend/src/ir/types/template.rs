//! What symbols and messages need of templates: the arguments of instances, and the types in the signatures of
//! templates that depend on parameters.

use super::TypeTable;
use crate::ir::{Dependent, Quals, Ty, TyKind};

/// How many arguments of a template, or elements of a pack, messages show.
const MAX_SHOWN: usize = 16;

/// What a function is an instance of.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The arguments, one for each parameter of the template.
    pub args: Vec<TemplateArg>,
    /// The type of the function as the template declares it, with types that depend on parameters.
    pub pattern: Ty,
}

/// An argument of a template.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TemplateArg {
    /// A canonical type.
    Type(Ty),
    /// A value of an integer or enum type.
    Value(Ty, i128),
    /// The arguments of a pack.
    Pack(Vec<TemplateArg>),
}

impl TemplateArg {
    /// How many arguments a pack has.
    pub(crate) fn n_elements(&self) -> usize {
        match self {
            TemplateArg::Type(_) | TemplateArg::Value(..) => 0,
            TemplateArg::Pack(elements) => elements.len(),
        }
    }
}

/// A type that depends on the parameters of a template. Only signatures of templates have them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DependentTy {
    /// A parameter, by its index.
    Param(u32),
    /// The types of a pack: `T...`
    Expansion(Ty),
    /// An array, of a length that depends on a parameter.
    Array(Ty, DependentValue),
    /// `typename T::name`
    Member(Ty, String),
    /// `decltype(value)`
    Decltype(DependentValue),
    /// `auto`: the body says what it is.
    Auto,
    /// `decltype(auto)`
    DecltypeAuto,
}

/// A value that depends on the parameters of a template, as symbols have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DependentValue {
    /// A parameter, by its index.
    Param(u32),
    /// A constant of a canonical type.
    Constant(Ty, i128),
    /// A constant of type `float` or `double`: its bits.
    Float(Ty, u64),
    /// `type()`
    Default(Ty),
    /// `type{value, …}`
    List(Ty, Vec<DependentValue>),
    /// An operator, by its code in symbols, and its operands.
    Operator(&'static str, Vec<DependentValue>),
    /// A fold, by its code and that of its operator: the pack, and before or after it the start.
    Fold(&'static str, &'static str, Vec<DependentValue>),
    /// `sizeof(type)`
    SizeofType(Ty),
    /// A parameter of the function, by its index.
    FuncParam(u32),
    /// A conversion to a type, by the code of how it is written.
    Cast(&'static str, Ty, Box<DependentValue>),
    /// `value.name`, or with an arrow `value->name`
    Member(Box<DependentValue>, bool, String),
    /// A call of what a parameter of the function is.
    Invoke(Box<DependentValue>, Vec<DependentValue>),
    /// A call of a function by its name.
    Call(String, Vec<DependentValue>),
}

impl TypeTable {
    /// The type that depends on parameters.
    pub fn dependent_ty(&mut self, ty: DependentTy) -> Ty {
        let dependents = &mut self.dependents;
        let dependent = *self.dependent_ids.entry(ty).or_insert_with_key(|ty| dependents.push(ty.clone()));
        self.intern(TyKind::Dependent(dependent), Quals::empty())
    }

    /// The type of a handle.
    pub fn dependent_of(&self, dependent: Dependent) -> &DependentTy {
        &self.dependents[dependent]
    }

    /// What depends on parameters, if the type itself does.
    pub fn dependent(&self, ty: Ty) -> Option<&DependentTy> {
        match *self.kind(ty) {
            TyKind::Dependent(dependent) => Some(&self.dependents[dependent]),
            _ => None,
        }
    }

    /// Whether a part of the type depends on parameters.
    pub fn is_dependent(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Dependent(_) => true,
            TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                self.is_dependent(*inner)
            }
            TyKind::Func(func) => func.params.iter().chain([&func.ret]).any(|&part| self.is_dependent(part)),
            _ => false,
        }
    }

    /// `<int, 4>`
    pub fn display_template_args(&self, args: &[TemplateArg]) -> String {
        format!("<{}>", self.template_arg_list(args))
    }

    fn template_arg_list(&self, args: &[TemplateArg]) -> String {
        let shown = args.iter().take(MAX_SHOWN).filter_map(|arg| match arg {
            TemplateArg::Type(ty) => Some(self.display(*ty)),
            TemplateArg::Value(ty, value) => Some(self.display_value(*ty, *value)),
            TemplateArg::Pack(pack) if pack.is_empty() => None,
            TemplateArg::Pack(pack) => Some(self.template_arg_list(pack)),
        });
        let rest = (args.len() > MAX_SHOWN).then(|| "…".to_owned());
        shown.chain(rest).collect::<Vec<_>>().join(", ")
    }

    fn display_value(&self, ty: Ty, value: i128) -> String {
        match *self.kind(ty) {
            TyKind::Int(super::IntTy::Bool) => (value != 0).to_string(),
            TyKind::Enum(_) => format!("({}){value}", self.display(ty)),
            _ => value.to_string(),
        }
    }

    /// How messages spell the type.
    pub(in crate::ir) fn display_dependent(&self, dependent: Dependent) -> String {
        match &self.dependents[dependent] {
            DependentTy::Param(idx) => format!("type-parameter-{idx}"),
            DependentTy::Expansion(ty) => format!("{}...", self.display(*ty)),
            DependentTy::Array(elem, _) => format!("{}[…]", self.display(*elem)),
            DependentTy::Member(of, name) => format!("typename {}::{name}", self.display(*of)),
            DependentTy::Decltype(_) => "decltype(…)".to_owned(),
            DependentTy::Auto => "auto".to_owned(),
            DependentTy::DecltypeAuto => "decltype(auto)".to_owned(),
        }
    }
}
