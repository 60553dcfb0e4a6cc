//! Types, interned.
//!
//! A [`Ty`] carries its qualifiers and remembers the typedef names through which it was written, so
//! that messages and debug information can name it as the user did. [`TypeTable::kind`] sees
//! through typedefs; [`TypeTable::written`] does not. Two types are the same type to the language
//! when their [`TypeTable::canonical`] handles are equal.
//!
//! **Invariants**: an array's qualifiers sit on its element type (C17 6.7.3p10); a function type
//! has no qualifiers, its parameter types are adjusted (arrays and functions to pointers) and
//! unqualified; [`Ty::ERROR`] is only in modules whose analysis failed.

mod arithmetic;
mod class;
mod declared;
mod template;
mod view;

pub use arithmetic::{FloatTy, HalfTy, IntTy};
pub use declared::{
    EnumData, Field, LambdaName, LocalOwner, NamespaceData, OpaqueData, OpaqueKind, RecordData, TypedefData,
};
pub use template::{
    Address, Addressed, ClassInstance, ClassTemplateData, DependentTy, DependentValue, Instance, TemplateArg,
};
pub use view::{Scalar, View};

use hashbrown::HashMap;

use bitflags::bitflags;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};

use super::{ClassTemplate, Dependent, Enum, Namespace, Opaque, Record, Ty, Typedef};
use crate::layout::{Cache, DataModel};

bitflags! {
    /// Type qualifiers (C17 6.7.3).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Quals: u8 {
        /// `const`
        const CONST = 1;
        /// `volatile`
        const VOLATILE = 2;
        /// `__restrict__`; on pointers only
        const RESTRICT = 4;
    }
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FuncTy {
    /// The return type.
    pub ret: Ty,
    /// The parameter types, adjusted and unqualified.
    pub params: Vec<Ty>,
    /// It ends in `...`.
    pub variadic: bool,
}

/// What a reference binds to (C++17 11.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefKind {
    /// `&`
    Lvalue,
    /// `&&`
    Rvalue,
}

/// The kind of a type, without its own qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    /// The type of an expression with a reported error.
    Error,
    /// `void`
    Void,
    /// An integer type.
    Int(IntTy),
    /// A floating type.
    Float(FloatTy),
    /// `nullptr_t`, the type of `nullptr`: only of discarded values; one that is used is a null
    /// pointer of a pointer type.
    Nullptr,
    /// A pointer to the type.
    Pointer(Ty),
    /// A reference to the type: of what is declared, never of an expression or a place. What holds one holds an address,
    /// which expressions have as a pointer.
    Reference(Ty, RefKind),
    /// An array of elements, with its length unless incomplete.
    Array(Ty, Option<u64>),
    /// A function.
    Func(FuncTy),
    /// A struct or union.
    Record(Record),
    /// An enumerated type.
    Enum(Enum),
    /// A texture or surface, and the handle of one.
    Opaque(Opaque),
    /// A type that depends on the parameters of a template: only signatures of templates have it.
    Dependent(Dependent),
    /// A typedef name: only [`TypeTable::written`] shows it.
    Typedef(Typedef),
}

#[derive(Clone, Debug)]
struct Entry {
    kind: TyKind,
    quals: Quals,
    /// The same type without typedef names; its own handle if it has none.
    canonical: Ty,
    /// The qualifiers, those of typedefs and of an array's elements included.
    all_quals: Quals,
    /// The nesting depth of pointers, arrays and functions.
    depth: u32,
    /// It is a function with a parameter of reference type.
    takes_references: bool,
    /// The pointer to it, once requested.
    pointer: PackedOption<Ty>,
    /// The const-qualified type, once requested.
    constant: PackedOption<Ty>,
}

/// The types of a module.
#[derive(Clone, Debug)]
pub struct TypeTable {
    /// The sizes of `long` and pointers.
    model: DataModel,
    entries: PrimaryMap<Ty, Entry>,
    interned: HashMap<(TyKind, Quals), Ty>,
    /// Namespaces, the global one first.
    pub namespaces: PrimaryMap<Namespace, NamespaceData>,
    /// Structs and unions, in the order of declaration.
    pub records: PrimaryMap<Record, RecordData>,
    /// Enumerated types, in the order of declaration.
    pub enums: PrimaryMap<Enum, EnumData>,
    /// Types of textures and surfaces, in the order of declaration.
    pub opaques: PrimaryMap<Opaque, OpaqueData>,
    /// Typedef names, in the order of declaration.
    pub typedefs: PrimaryMap<Typedef, TypedefData>,
    /// The types that depend on parameters of templates.
    dependents: PrimaryMap<Dependent, DependentTy>,
    dependent_ids: HashMap<DependentTy, Dependent>,
    /// Templates of structs and unions, in the order of declaration.
    pub class_templates: PrimaryMap<ClassTemplate, ClassTemplateData>,
    /// The structs and unions that are instances of them.
    class_instances: HashMap<Record, ClassInstance>,
    /// The complete records that copying the bytes does not copy.
    copied_by_constructor: EntitySet<Record>,
    /// Those of them that copy by a function of the program's.
    copied_by_call: EntitySet<Record>,
    /// Those with destructors that do something.
    destroyed: EntitySet<Record>,
    /// Those whose padding members of derived classes may take.
    sharing_padding: EntitySet<Record>,
    /// The layouts of complete records that were needed so far.
    pub(crate) layouts: Cache,
}

macro_rules! fixed_types {
    ($($name:ident = $idx:literal, $doc:literal, $kind:expr;)*) => {
        impl Ty {
            $(#[doc = $doc] pub const $name: Ty = Ty::fixed($idx);)*
            const FIXED: &[(Ty, TyKind)] = &[$((Ty::$name, $kind),)*];
        }
    };
}

fixed_types! {
    ERROR = 0, "The poison type.", TyKind::Error;
    VOID = 1, "`void`", TyKind::Void;
    BOOL = 2, "`bool`", TyKind::Int(IntTy::Bool);
    CHAR = 3, "`char`", TyKind::Int(IntTy::Char);
    SCHAR = 4, "`signed char`", TyKind::Int(IntTy::SChar);
    UCHAR = 5, "`unsigned char`", TyKind::Int(IntTy::UChar);
    SHORT = 6, "`short`", TyKind::Int(IntTy::Short);
    USHORT = 7, "`unsigned short`", TyKind::Int(IntTy::UShort);
    INT = 8, "`int`", TyKind::Int(IntTy::Int);
    UINT = 9, "`unsigned int`", TyKind::Int(IntTy::UInt);
    LONG = 10, "`long`, of either model's width", TyKind::Int(IntTy::Long);
    ULONG = 11, "`unsigned long`, of either model's width", TyKind::Int(IntTy::ULong);
    LONGLONG = 12, "`long long`", TyKind::Int(IntTy::LongLong);
    ULONGLONG = 13, "`unsigned long long`", TyKind::Int(IntTy::ULongLong);
    FLOAT = 14, "`float`", TyKind::Float(FloatTy::Float);
    DOUBLE = 15, "`double`", TyKind::Float(FloatTy::Double);
    NULLPTR = 16, "`nullptr_t`", TyKind::Nullptr;
    INT128 = 17, "`__int128`", TyKind::Int(IntTy::Int128);
    UINT128 = 18, "`unsigned __int128`", TyKind::Int(IntTy::UInt128);
    WCHAR = 19, "`wchar_t`", TyKind::Int(IntTy::WChar);
    CHAR16 = 20, "`char16_t`", TyKind::Int(IntTy::Char16);
    CHAR32 = 21, "`char32_t`", TyKind::Int(IntTy::Char32);
    LONGDOUBLE = 22, "`long double`", TyKind::Float(FloatTy::LongDouble);
}

impl Ty {
    /// Whether it is one of the arithmetic types that keywords spell, without qualifiers or another name: all about
    /// those is known without the table.
    #[inline]
    pub(crate) fn is_plain_number(self) -> bool {
        (Ty::BOOL..=Ty::DOUBLE).contains(&self)
    }

    /// The integer type.
    pub const fn int(int: IntTy) -> Ty {
        match int {
            IntTy::Bool => Ty::BOOL,
            IntTy::Char => Ty::CHAR,
            IntTy::SChar => Ty::SCHAR,
            IntTy::UChar => Ty::UCHAR,
            IntTy::Short => Ty::SHORT,
            IntTy::UShort => Ty::USHORT,
            IntTy::Int => Ty::INT,
            IntTy::UInt => Ty::UINT,
            // A table has one of the two.
            IntTy::Long | IntTy::Long32 => Ty::LONG,
            IntTy::ULong | IntTy::ULong32 => Ty::ULONG,
            IntTy::LongLong => Ty::LONGLONG,
            IntTy::ULongLong => Ty::ULONGLONG,
            IntTy::Int128 => Ty::INT128,
            IntTy::UInt128 => Ty::UINT128,
            IntTy::WChar => Ty::WCHAR,
            IntTy::Char16 => Ty::CHAR16,
            IntTy::Char32 => Ty::CHAR32,
        }
    }

    /// The floating type.
    pub const fn float(float: FloatTy) -> Ty {
        match float {
            FloatTy::Float => Ty::FLOAT,
            FloatTy::Double => Ty::DOUBLE,
            FloatTy::LongDouble => Ty::LONGDOUBLE,
        }
    }
}

impl Default for TypeTable {
    fn default() -> Self {
        Self::new()
    }
}

impl TypeTable {
    /// A table with the fixed types in it, of a host whose addresses have 64 bits.
    pub fn new() -> Self {
        Self::of(DataModel::default())
    }

    /// A table with the fixed types in it.
    pub fn of(model: DataModel) -> Self {
        let mut table = TypeTable {
            model,
            entries: PrimaryMap::new(),
            interned: HashMap::new(),
            namespaces: [NamespaceData::default()].into_iter().collect(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            opaques: PrimaryMap::new(),
            typedefs: PrimaryMap::new(),
            dependents: PrimaryMap::new(),
            dependent_ids: HashMap::new(),
            class_templates: PrimaryMap::new(),
            class_instances: HashMap::new(),
            copied_by_constructor: EntitySet::new(),
            copied_by_call: EntitySet::new(),
            destroyed: EntitySet::new(),
            sharing_padding: EntitySet::new(),
            layouts: Cache::default(),
        };
        for (ty, kind) in Ty::FIXED {
            let kind = match *ty {
                Ty::LONG => TyKind::Int(model.long()),
                Ty::ULONG => TyKind::Int(model.ulong()),
                _ => kind.clone(),
            };
            let interned = table.intern(kind, Quals::empty());
            assert_eq!(interned, *ty, "invariant: fixed types are numbered in order");
        }
        table
    }

    /// The sizes of `long` and pointers.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The handle of a type. Qualifiers on an array go to its elements, on a function nowhere.
    pub fn intern(&mut self, kind: TyKind, quals: Quals) -> Ty {
        let (kind, quals) = match kind {
            TyKind::Array(elem, len) if !quals.is_empty() => {
                (TyKind::Array(self.with_quals(elem, quals), len), Quals::empty())
            }
            TyKind::Func(_) | TyKind::Error => (kind, Quals::empty()),
            // Typedef names alone can give it more (C++17 11.3.2p1).
            TyKind::Reference(..) => (kind, quals & Quals::RESTRICT),
            _ => (kind, quals),
        };
        let key = (kind, quals);
        if let Some(&ty) = self.interned.get(&key) {
            return ty;
        }
        // Where the canonical form is a different entry, it is interned first.
        let canonical = self.canonical_parts(&key.0, quals).map(|(kind, quals)| self.intern(kind, quals));
        let all_quals = match (canonical, &key.0) {
            (Some(canonical), _) => self.quals(canonical),
            (None, TyKind::Array(elem, _)) => self.quals(*elem),
            (None, _) => quals,
        };
        let canonical = canonical.unwrap_or(self.entries.next_key());
        let depth = self.depth_of(&key.0);
        let takes_references = match &key.0 {
            TyKind::Func(func) => func.params.iter().any(|&param| self.reference(param).is_some()),
            TyKind::Typedef(name) => self.takes_references(self.typedefs[*name].ty),
            _ => false,
        };
        let (pointer, constant) = (PackedOption::default(), PackedOption::default());
        let entry = Entry {
            kind: key.0.clone(),
            quals,
            canonical,
            all_quals,
            depth,
            takes_references,
            pointer,
            constant,
        };
        let ty = self.entries.push(entry);
        self.interned.insert(key, ty);
        ty
    }

    /// The type's parts with typedef names seen through, or none if there are none.
    fn canonical_parts(&self, kind: &TyKind, quals: Quals) -> Option<(TyKind, Quals)> {
        let canonical = match kind {
            TyKind::Typedef(name) => {
                let target = &self.entries[self.canonical(self.typedefs[*name].ty)];
                return Some((target.kind.clone(), target.quals | quals));
            }
            TyKind::Pointer(pointee) => TyKind::Pointer(self.canonical(*pointee)),
            TyKind::Reference(referred, kind) => TyKind::Reference(self.canonical(*referred), *kind),
            TyKind::Array(elem, len) => TyKind::Array(self.canonical(*elem), *len),
            TyKind::Func(func) => TyKind::Func(FuncTy {
                ret: self.canonical(func.ret),
                params: func.params.iter().map(|&p| self.canonical(p)).collect(),
                variadic: func.variadic,
            }),
            TyKind::Error
            | TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Opaque(_)
            | TyKind::Record(_)
            | TyKind::Enum(_)
            | TyKind::Dependent(_) => return None,
        };
        (canonical != *kind).then_some((canonical, quals))
    }

    fn depth_of(&self, kind: &TyKind) -> u32 {
        match kind {
            TyKind::Typedef(name) => self.depth(self.typedefs[*name].ty),
            TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                self.depth(*inner) + 1
            }
            TyKind::Func(func) => {
                let parts = func.params.iter().chain([&func.ret]);
                parts.map(|&part| self.depth(part)).max().unwrap_or(0) + 1
            }
            TyKind::Error
            | TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Opaque(_)
            | TyKind::Record(_)
            | TyKind::Enum(_)
            | TyKind::Dependent(_) => 0,
        }
    }

    /// Every type but the first `n`, in the order in which they were made.
    pub(crate) fn all_but(&self, n: usize) -> impl Iterator<Item = Ty> {
        (n..self.entries.len()).map(Ty::new)
    }

    /// The nesting depth of pointers, arrays and functions.
    pub fn depth(&self, ty: Ty) -> u32 {
        self.entries[ty].depth
    }

    /// The type without typedef names, at any depth.
    pub fn canonical(&self, ty: Ty) -> Ty {
        self.entries[ty].canonical
    }

    /// What the type is: never [`TyKind::Typedef`] at the top.
    pub fn kind(&self, ty: Ty) -> &TyKind {
        let entry = &self.entries[ty];
        // Most types are made without typedef names.
        if entry.canonical == ty { &entry.kind } else { &self.entries[entry.canonical].kind }
    }

    /// What the type is as it was written: may be [`TyKind::Typedef`].
    pub fn written(&self, ty: Ty) -> &TyKind {
        &self.entries[ty].kind
    }

    /// The qualifiers, those of typedefs included. An array has those of its elements.
    pub fn quals(&self, ty: Ty) -> Quals {
        self.entries[ty].all_quals
    }

    /// The qualifiers written at the top of the type itself, typedefs not seen through.
    pub fn written_quals(&self, ty: Ty) -> Quals {
        self.entries[ty].quals
    }

    /// The type with more qualifiers.
    #[must_use]
    pub fn with_quals(&mut self, ty: Ty, quals: Quals) -> Ty {
        let Entry { kind, quals: own, constant, .. } = &self.entries[ty];
        let own = *own;
        if own.contains(quals) {
            return ty;
        }
        if let (Quals::CONST, Some(constant)) = (quals, constant.expand()) {
            return constant;
        }
        let qualified = self.intern(kind.clone(), own | quals);
        if quals == Quals::CONST {
            self.entries[ty].constant = qualified.into();
        }
        qualified
    }

    /// The type without its top-level qualifiers (for an array, its elements'), with as many of
    /// its typedef names as that leaves.
    #[must_use]
    #[inline]
    pub fn unqualified(&mut self, ty: Ty) -> Ty {
        if self.quals(ty).is_empty() { ty } else { self.without_quals(ty) }
    }

    /// [`TypeTable::unqualified`] of a type that has some.
    fn without_quals(&mut self, ty: Ty) -> Ty {
        let Entry { kind, .. } = self.entries[ty].clone();
        match kind {
            TyKind::Array(elem, len) => {
                let elem = self.unqualified(elem);
                self.intern(TyKind::Array(elem, len), Quals::empty())
            }
            TyKind::Typedef(name) => {
                let bare = self.intern(kind, Quals::empty());
                if self.quals(bare).is_empty() { bare } else { self.unqualified(self.typedefs[name].ty) }
            }
            _ => self.intern(kind, Quals::empty()),
        }
    }

    /// A pointer to the type.
    pub fn pointer_to(&mut self, pointee: Ty) -> Ty {
        if let Some(pointer) = self.entries[pointee].pointer.expand() {
            return pointer;
        }
        let pointer = self.intern(TyKind::Pointer(pointee), Quals::empty());
        self.entries[pointee].pointer = pointer.into();
        pointer
    }

    /// A reference to the type; one to a reference is one (C++17 11.3.2p6).
    pub fn reference_to(&mut self, referred: Ty, kind: RefKind) -> Ty {
        match self.reference(referred) {
            Some((inner, RefKind::Rvalue)) => self.intern(TyKind::Reference(inner, kind), Quals::empty()),
            Some((inner, RefKind::Lvalue)) => {
                self.intern(TyKind::Reference(inner, RefKind::Lvalue), Quals::empty())
            }
            None => self.intern(TyKind::Reference(referred, kind), Quals::empty()),
        }
    }

    /// An array of the type.
    pub fn array_of(&mut self, elem: Ty, len: Option<u64>) -> Ty {
        self.intern(TyKind::Array(elem, len), Quals::empty())
    }

    /// The array type with a length, if it has none of its own; as much of its typedef names as that leaves.
    pub fn with_len(&mut self, ty: Ty, len: u64) -> Ty {
        let Entry { kind, quals, .. } = self.entries[ty].clone();
        match kind {
            TyKind::Array(elem, None) => self.array_of(elem, Some(len)),
            TyKind::Typedef(name) => {
                let target = self.typedefs[name].ty;
                let array = self.with_len(target, len);
                if array == target { ty } else { self.with_quals(array, quals) }
            }
            _ => ty,
        }
    }

    /// A new enumerated type.
    pub fn add_enum(&mut self, data: EnumData) -> (Enum, Ty) {
        let enum_ = self.enums.push(data);
        (enum_, self.intern(TyKind::Enum(enum_), Quals::empty()))
    }

    /// A new type of textures or surfaces.
    pub fn add_opaque(&mut self, data: OpaqueData) -> (Opaque, Ty) {
        let opaque = self.opaques.push(data);
        (opaque, self.intern(TyKind::Opaque(opaque), Quals::empty()))
    }

    /// A new typedef name.
    pub fn add_typedef(&mut self, data: TypedefData) -> (Typedef, Ty) {
        let typedef = self.typedefs.push(data);
        (typedef, self.intern(TyKind::Typedef(typedef), Quals::empty()))
    }

    /// The integer type that holds the values of `ty`: its own, or its enum's underlying one.
    pub fn int_ty(&self, ty: Ty) -> Option<IntTy> {
        match *self.kind(ty) {
            TyKind::Int(int) => Some(int),
            TyKind::Enum(enum_) => Some(self.enums[enum_].underlying),
            _ => None,
        }
    }

    /// Whether it is an `enum class`, whose values do not convert to integers (C++17 10.2p10).
    pub fn is_scoped_enum(&self, ty: Ty) -> bool {
        matches!(*self.kind(ty), TyKind::Enum(enum_) if self.enums[enum_].is_scoped)
    }

    /// The integer type of a value that takes part in arithmetic; `None` of an `enum class`.
    pub fn operand_int_ty(&self, ty: Ty) -> Option<IntTy> {
        self.int_ty(ty).filter(|_| !self.is_scoped_enum(ty))
    }

    /// The kind of its variables, if it is an opaque type.
    pub fn opaque(&self, ty: Ty) -> Option<OpaqueKind> {
        match *self.kind(ty) {
            TyKind::Opaque(opaque) => Some(self.opaques[opaque].kind),
            _ => None,
        }
    }

    /// The floating type, if it is one.
    pub fn float_ty(&self, ty: Ty) -> Option<FloatTy> {
        match *self.kind(ty) {
            TyKind::Float(float) => Some(float),
            _ => None,
        }
    }

    /// The pointed-to type, if it is a pointer.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match *self.kind(ty) {
            TyKind::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    /// What a reference refers to, if it is one.
    pub fn reference(&self, ty: Ty) -> Option<(Ty, RefKind)> {
        match *self.kind(ty) {
            TyKind::Reference(referred, kind) => Some((referred, kind)),
            _ => None,
        }
    }

    /// What a pointer or a reference leads to, if it is one.
    pub fn target(&self, ty: Ty) -> Option<Ty> {
        match *self.kind(ty) {
            TyKind::Pointer(target) | TyKind::Reference(target, _) => Some(target),
            _ => None,
        }
    }

    /// Whether it is a function that has a parameter of reference type.
    pub fn takes_references(&self, func: Ty) -> bool {
        self.entries[func].takes_references
    }

    /// The function type, if it is one.
    pub fn func(&self, ty: Ty) -> Option<&FuncTy> {
        match self.kind(ty) {
            TyKind::Func(func) => Some(func),
            _ => None,
        }
    }

    /// The function type with its parameter and result types as they were written, if it is one: a typedef name
    /// can give an object another alignment.
    pub fn written_func(&self, ty: Ty) -> Option<&FuncTy> {
        match self.written(ty) {
            TyKind::Func(func) => Some(func),
            TyKind::Typedef(name) => self.written_func(self.typedefs[*name].ty),
            _ => None,
        }
    }

    /// What a pointer type points to as it was written, if it is one.
    pub fn written_pointee(&self, ty: Ty) -> Option<Ty> {
        match *self.written(ty) {
            TyKind::Pointer(pointee) => Some(pointee),
            TyKind::Typedef(name) => self.written_pointee(self.typedefs[name].ty),
            _ => None,
        }
    }

    /// The half-precision type, if it is one.
    pub fn half_ty(&self, ty: Ty) -> Option<HalfTy> {
        self.record(ty).and_then(|record| self.records[record].half)
    }

    /// The struct or union, if it is one.
    pub fn record(&self, ty: Ty) -> Option<Record> {
        match *self.kind(ty) {
            TyKind::Record(record) => Some(record),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn typedefs_are_seen_through_and_remembered() {
        let mut types = TypeTable::new();
        let const_float = types.with_quals(Ty::FLOAT, Quals::CONST);
        let span = Span::default();
        let (_, real) = types.add_typedef(TypedefData {
            name: "real".into(),
            namespace: Namespace::GLOBAL,
            ty: const_float,
            align: None,
            is_builtin: false,
            span,
        });
        let pointer = types.pointer_to(real);
        let plain = types.pointer_to(const_float);
        assert_ne!(pointer, plain);
        assert_eq!(types.canonical(pointer), types.canonical(plain));
        assert_eq!(types.quals(real), Quals::CONST);
        assert_eq!(types.unqualified(real), Ty::FLOAT);
        assert!(matches!(types.written(real), TyKind::Typedef(_)));
    }

    #[test]
    fn array_qualifiers_sit_on_the_elements() {
        let mut types = TypeTable::new();
        let array = types.array_of(Ty::INT, Some(3));
        let qualified = types.with_quals(array, Quals::CONST);
        let const_int = types.with_quals(Ty::INT, Quals::CONST);
        assert_eq!(qualified, types.array_of(const_int, Some(3)));
        assert_eq!(types.quals(qualified), Quals::CONST);
        assert_eq!(types.unqualified(qualified), array);
    }
}
