//! What symbols and messages need of templates: the arguments of instances, and the types in the signatures of
//! templates that depend on parameters.

use super::TypeTable;
use crate::ir::{ClassTemplate, Dependent, Func, Global, Namespace, Quals, Record, Ty, TyKind};
use crate::source::Span;

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

/// A template of structs or unions, or of other names for types.
#[derive(Clone, Debug)]
pub struct ClassTemplateData {
    /// The name.
    pub name: String,
    /// The innermost namespace around it.
    pub namespace: Namespace,
    /// The struct or union whose member it is.
    pub outer: Option<Record>,
}

/// What a struct or union is an instance of.
#[derive(Clone, Debug)]
pub struct ClassInstance {
    /// The template.
    pub template: ClassTemplate,
    /// The arguments, one for each parameter of the template.
    pub args: Vec<TemplateArg>,
}

/// An argument of a template.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TemplateArg {
    /// A canonical type.
    Type(Ty),
    /// A value of an integer or enum type; a null pointer is zero.
    Value(Ty, i128),
    /// The address of a function or a variable as a pointer of the type, or what a reference of the type refers to.
    Address(Ty, Address),
    /// A template of types.
    Template(ClassTemplate),
    /// A value that depends on the parameters of a template.
    Dependent(DependentValue),
    /// The arguments of a pack.
    Pack(Vec<TemplateArg>),
}

/// What has an address that is an argument of a template.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The function or variable.
    pub of: Addressed,
    /// Its name.
    pub name: String,
    /// It is an array, of which the address is that of the first element.
    pub is_array: bool,
}

/// A function or a variable with static storage duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addressed {
    /// A function.
    Func(Func),
    /// A variable.
    Global(Global),
}

impl TemplateArg {
    /// How many arguments a pack has.
    pub(crate) fn n_elements(&self) -> usize {
        match self {
            TemplateArg::Type(_)
            | TemplateArg::Value(..)
            | TemplateArg::Address(..)
            | TemplateArg::Template(_)
            | TemplateArg::Dependent(_) => 0,
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
    /// `typename type::template name<arguments>`
    MemberInstance(Ty, String, Vec<TemplateArg>),
    /// `S<T>`, an instance of a template of structs or unions.
    Instance(ClassTemplate, Vec<TemplateArg>),
    /// An instance of the template that is a parameter.
    ParamInstance(Ty, Vec<TemplateArg>),
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
    /// `type::name`, where the type depends on parameters.
    Scoped(Ty, String),
    /// An instance of a template of variables.
    Variable(Namespace, String),
    /// An expression that no symbol can have: where it is.
    Nameless(Span),
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

    /// Whether an argument of a template depends on parameters of another.
    pub fn is_dependent_arg(&self, arg: &TemplateArg) -> bool {
        match arg {
            TemplateArg::Type(ty) => self.is_dependent(*ty),
            TemplateArg::Value(..) | TemplateArg::Address(..) | TemplateArg::Template(_) => false,
            TemplateArg::Dependent(_) => true,
            TemplateArg::Pack(args) => args.iter().any(|arg| self.is_dependent_arg(arg)),
        }
    }

    /// An expression in the type that no symbol can have.
    pub fn nameless_part(&self, ty: Ty) -> Option<Span> {
        match self.kind(ty) {
            TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                self.nameless_part(*inner)
            }
            TyKind::Func(func) => {
                func.params.iter().chain([&func.ret]).find_map(|&part| self.nameless_part(part))
            }
            TyKind::Dependent(dependent) => match &self.dependents[*dependent] {
                DependentTy::Param(_) | DependentTy::Auto | DependentTy::DecltypeAuto => None,
                DependentTy::Expansion(ty) | DependentTy::Member(ty, _) => self.nameless_part(*ty),
                DependentTy::Array(elem, len) => {
                    self.nameless_part(*elem).or_else(|| self.nameless_value(len))
                }
                DependentTy::Instance(_, args) | DependentTy::ParamInstance(_, args) => {
                    args.iter().find_map(|arg| self.nameless_arg(arg))
                }
                DependentTy::MemberInstance(of, _, args) => {
                    self.nameless_part(*of).or_else(|| args.iter().find_map(|arg| self.nameless_arg(arg)))
                }
                DependentTy::Decltype(value) => self.nameless_value(value),
            },
            _ => None,
        }
    }

    fn nameless_arg(&self, arg: &TemplateArg) -> Option<Span> {
        match arg {
            TemplateArg::Type(ty) => self.nameless_part(*ty),
            TemplateArg::Value(..) | TemplateArg::Address(..) | TemplateArg::Template(_) => None,
            TemplateArg::Dependent(value) => self.nameless_value(value),
            TemplateArg::Pack(args) => args.iter().find_map(|arg| self.nameless_arg(arg)),
        }
    }

    fn nameless_value(&self, value: &DependentValue) -> Option<Span> {
        let of_all = |values: &[DependentValue]| values.iter().find_map(|value| self.nameless_value(value));
        match value {
            DependentValue::Nameless(span) => Some(*span),
            DependentValue::Param(_)
            | DependentValue::Constant(..)
            | DependentValue::Float(..)
            | DependentValue::FuncParam(_)
            | DependentValue::Variable(..) => None,
            DependentValue::Default(ty) | DependentValue::SizeofType(ty) | DependentValue::Scoped(ty, _) => {
                self.nameless_part(*ty)
            }
            DependentValue::List(ty, values) => self.nameless_part(*ty).or_else(|| of_all(values)),
            DependentValue::Cast(_, ty, value) => {
                self.nameless_part(*ty).or_else(|| self.nameless_value(value))
            }
            DependentValue::Operator(_, values)
            | DependentValue::Fold(_, _, values)
            | DependentValue::Call(_, values) => of_all(values),
            DependentValue::Member(value, ..) => self.nameless_value(value),
            DependentValue::Invoke(callee, values) => self.nameless_value(callee).or_else(|| of_all(values)),
        }
    }

    /// Notes what a struct or union is an instance of.
    pub fn set_class_instance(&mut self, record: Record, instance: ClassInstance) {
        self.class_instances.insert(record, instance);
    }

    /// What a struct or union is an instance of.
    pub fn class_instance(&self, record: Record) -> Option<&ClassInstance> {
        self.class_instances.get(&record)
    }

    /// The name of a struct or union in its own text, which an instance shares with its template.
    pub fn class_name(&self, record: Record) -> Option<&str> {
        match self.class_instance(record) {
            Some(instance) => Some(&self.class_templates[instance.template].name),
            None => self.records[record].tag.as_deref(),
        }
    }

    /// The template and the arguments of a type that is an instance, or depends on parameters as one.
    pub fn instance_parts(&self, ty: Ty) -> Option<(ClassTemplate, &[TemplateArg])> {
        match *self.kind(ty) {
            TyKind::Record(record) => {
                self.class_instance(record).map(|instance| (instance.template, &instance.args[..]))
            }
            TyKind::Dependent(dependent) => match &self.dependents[dependent] {
                DependentTy::Instance(template, args) => Some((*template, &args[..])),
                _ => None,
            },
            _ => None,
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
            TemplateArg::Address(ty, address) => Some(self.display_address(*ty, address)),
            TemplateArg::Template(template) => {
                let data = &self.class_templates[*template];
                Some(self.qualified_name(data.namespace, &data.name))
            }
            TemplateArg::Dependent(DependentValue::Param(idx)) => Some(format!("type-parameter-{idx}")),
            TemplateArg::Dependent(_) => Some("…".to_owned()),
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
            TyKind::Pointer(_) => format!("({})nullptr", self.display(ty)),
            _ => value.to_string(),
        }
    }

    /// `f`, `&variable`
    fn display_address(&self, ty: Ty, address: &Address) -> String {
        match self.pointee(ty) {
            Some(inner) if self.func(inner).is_none() && !address.is_array => format!("&{}", address.name),
            _ => address.name.clone(),
        }
    }

    /// How messages spell the type.
    pub(in crate::ir) fn display_dependent(&self, dependent: Dependent) -> String {
        match &self.dependents[dependent] {
            DependentTy::Param(idx) => format!("type-parameter-{idx}"),
            DependentTy::Expansion(ty) => format!("{}...", self.display(*ty)),
            DependentTy::Array(elem, _) => format!("{}[…]", self.display(*elem)),
            DependentTy::Member(of, name) => format!("typename {}::{name}", self.display(*of)),
            DependentTy::Instance(template, args) => {
                let data = &self.class_templates[*template];
                let name = format!("{}{}", data.name, self.display_template_args(args));
                self.qualified_name(data.namespace, &name)
            }
            DependentTy::ParamInstance(param, args) => {
                format!("{}{}", self.display(*param), self.display_template_args(args))
            }
            DependentTy::MemberInstance(of, name, args) => {
                let args = self.display_template_args(args);
                format!("typename {}::template {name}{args}", self.display(*of))
            }
            DependentTy::Decltype(_) => "decltype(…)".to_owned(),
            DependentTy::Auto => "auto".to_owned(),
            DependentTy::DecltypeAuto => "decltype(auto)".to_owned(),
        }
    }
}
