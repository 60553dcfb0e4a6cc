//! What a program has declared so far: its types, classes, functions and templates, by which expressions are made.

/// A type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// A type of numbers, by its index in [`NUMBERS`].
    Number(usize),
    /// A scoped enum, by its name.
    Enum(String),
    /// A class, by its index in the program's list.
    Class(usize),
    /// A type parameter of the template around, of which it is only known that numbers convert to it and it to numbers.
    Param(&'static str),
}

/// The types of numbers, and their spellings.
pub(super) const NUMBERS: [&str; 7] =
    ["unsigned", "unsigned char", "unsigned short", "int", "unsigned long long", "bool", "signed char"];

/// `unsigned`, of which most values are.
pub(super) const UNSIGNED: Ty = Ty::Number(0);
/// `unsigned long long`.
pub(super) const WIDE: Ty = Ty::Number(4);
/// `bool`.
pub(super) const BOOL: Ty = Ty::Number(5);

/// How a parameter takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Value,
    ConstRef,
    /// Changes the argument.
    Ref,
    RvalueRef,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) ty: Ty,
    pub(super) pass: Pass,
    /// Whether it has a default argument.
    pub(super) is_optional: bool,
}

/// What a member function may be called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Static,
    Const,
    /// Changes the object.
    Mutable,
    /// `const &`
    ConstLvalue,
    /// `&&`
    Rvalue,
}

/// A function or member function.
#[derive(Clone, Debug)]
pub(super) struct Func {
    /// With its qualifier, if it is of a namespace.
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) result: Ty,
    pub(super) object: Object,
    /// About how many statements a call executes.
    pub(super) cost: u64,
    /// Whether the first parameter, not listed, is the log.
    pub(super) logs: bool,
}

/// What a class is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Without constructors, initialized by a list.
    Aggregate,
    /// Constructed from a number, and converts to one.
    Value,
    /// Writes to the log when it is constructed, copied, moved, assigned and destroyed.
    Tracked,
}

/// A class, or an instance of a class template.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) spelled: String,
    pub(super) kind: Kind,
    /// Data members that can be named, and their types.
    pub(super) fields: Vec<(String, Ty)>,
    pub(super) methods: Vec<Func>,
    /// Operators that are members or functions: the sign, and the type of the second operand. The result is the class.
    pub(super) operators: Vec<(&'static str, Ty)>,
    /// Compound assignments with a number.
    pub(super) assigns: Vec<&'static str>,
    /// Names of constants.
    pub(super) constants: Vec<String>,
    /// Names of types that are members, and what they are.
    pub(super) types: Vec<(String, Ty)>,
    /// Whether it has `operator[]` and `operator()` of a number, and `==` and `<`.
    pub(super) has_subscript: bool,
    pub(super) has_call: bool,
    pub(super) compares: bool,
    /// Whether a number converts to it implicitly.
    pub(super) is_implicit: bool,
    /// Whether it has what a tracked class may lack: copies, assignment.
    pub(super) copies: bool,
    pub(super) assigned: bool,
    /// Whether it has `touch(x)`, which is `const` and changes a mutable member.
    pub(super) is_touched: bool,
    /// Whether it has the member templates `as(x)` and `at<N>()`.
    pub(super) has_templates: bool,
    /// Its base classes.
    pub(super) bases: Vec<usize>,
    /// Data members of the bases, as its own functions name them, and their types.
    pub(super) inherited: Vec<(String, Ty)>,
    /// The template that it is of, and the arguments.
    pub(super) of: Option<(usize, Vec<Arg>)>,
}

impl Class {
    pub(super) fn new(spelled: &str, kind: Kind) -> Class {
        Class {
            spelled: spelled.to_owned(),
            kind,
            fields: Vec::new(),
            methods: Vec::new(),
            operators: Vec::new(),
            assigns: Vec::new(),
            constants: Vec::new(),
            types: Vec::new(),
            has_subscript: false,
            has_call: false,
            compares: false,
            is_implicit: false,
            copies: true,
            assigned: true,
            is_touched: false,
            has_templates: false,
            bases: Vec::new(),
            inherited: Vec::new(),
            of: None,
        }
    }
}

/// A template argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Arg {
    Type(Ty),
    Value(String),
}

/// A class template: its parameters, `T` and so on for types and `N` for numbers, and the class by its parameters.
#[derive(Clone, Debug)]
pub(super) struct ClassTemplate {
    pub(super) name: String,
    pub(super) params: Vec<(&'static str, bool)>,
    pub(super) class: Class,
}

/// The form of a function template, which says how it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `(T x, unsigned y)`
    Plain,
    /// `(const T &x, U y)`
    Two,
    /// `<N, T>(T x)`, the number written
    Number,
    /// `(T (&x)[N])`
    Array,
    /// `(const T *x, unsigned n)`
    Pointer,
    /// `(Ts... xs)`
    Pack,
    /// `(T &&x)`
    Forward,
    /// `(F f, unsigned x)`
    Callable,
    /// `(const C<T, N> &x)`
    OfTemplate(usize),
    /// `<N>(unsigned x)`, by recursion
    Recursive,
    /// `<T>()`, only written
    Written,
}

/// A function template, whose result is a number.
#[derive(Clone, Debug)]
pub(super) struct FuncTemplate {
    pub(super) name: String,
    pub(super) form: Form,
    pub(super) cost: u64,
}

/// A variable of the function.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) what: What,
    pub(super) is_const: bool,
}

/// What a local name means.
#[derive(Clone, Debug)]
pub(super) enum What {
    Object(Ty),
    Array(Ty, usize),
    /// A closure with so many number parameters.
    Closure {
        n_params: usize,
        cost: u64,
        is_generic: bool,
    },
}
