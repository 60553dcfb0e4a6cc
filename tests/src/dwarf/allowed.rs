//! The differences from nvcc that there may be, each with its reason. The suite asks for each to occur, so that none stays here when
//! it has gone.

use super::compare::{Difference, Entity, Kind};

/// A difference that there may be.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// Its name.
    pub name: &'static str,
    /// Why it is there.
    pub why: &'static str,
    is_it: fn(&Difference) -> bool,
}

/// How a variable's place is written where it has one register, and where it has several.
const REGISTER: &str = "class 2, in a register";
const REGISTERS: &str = "no class, in a list of places";
const FRAME: &str = "class 6, in the frame";
const PARAMETER: &str = "class 7, at an address";

fn is_register(storage: &str) -> bool {
    storage == REGISTER || storage == REGISTERS
}

/// `_ZN8WithEnum6WithinE`, and `_ZZ1fiE3RED__27504_`, for the last name in it.
fn is_mangled(mangled: &str, name: &str) -> bool {
    mangled.starts_with("_Z") && !name.is_empty() && mangled.contains(&format!("{}{name}", name.len()))
}

/// All of them.
pub const ALLOWED: &[Allowed] = &[
    Allowed {
        name: "locals-in-memory",
        why: "at -O0 every variable of a function has memory of its own, where a debugger can change it; nvcc keeps in registers \
              what has no address",
        is_it: |it| {
            let is_local = matches!(it.of, Entity::Local | Entity::InlinedParameter);
            it.kind == Kind::Storage && is_local && is_register(&it.theirs) && it.ours == FRAME
        },
    },
    Allowed {
        name: "parameters-in-memory",
        why: "the same for parameters that are written",
        is_it: |it| {
            it.kind == Kind::Storage
                && it.of == Entity::Parameter
                && is_register(&it.theirs)
                && it.ours == FRAME
        },
    },
    Allowed {
        name: "parameters-of-kernels-in-place",
        why: "a kernel's parameter is where the launch has put it; nvcc copies numbers of other kinds than 32- and 64-bit integers \
              into registers first, and structs into the frame",
        is_it: |it| {
            let is_copy = is_register(&it.theirs) || it.theirs == FRAME;
            it.kind == Kind::Storage && it.of == Entity::Parameter && is_copy && it.ours == PARAMETER
        },
    },
    Allowed {
        name: "symbols-of-one-file",
        why: "what other files do not see has a symbol of each compiler's own: nvcc's has a hash of the file in it",
        is_it: |it| {
            let of_file = it.theirs.starts_with("__nv_static_") || it.theirs.contains("_INTERNAL_");
            matches!(it.kind, Kind::LinkageName | Kind::Symbol) && of_file && it.ours.starts_with("_ZL")
        },
    },
    Allowed {
        name: "places-in-headers",
        why: "types of CUDA's headers are declared in headers of our own, or built in",
        is_it: |it| it.kind == Kind::Place && it.is_of_header,
    },
    Allowed {
        name: "functions-of-headers",
        why: "what CUDA's headers define as functions of C++ is built in, and has no function of its own",
        is_it: |it| {
            it.kind == Kind::Missing
                && matches!(it.of, Entity::Subprogram | Entity::Inlined)
                && it.is_of_header
        },
    },
    Allowed {
        name: "names-within-names",
        why: "of an enum or enumerator within something nvcc gives the mangled name, which nobody writes",
        is_it: |it| {
            let is_named = matches!(it.of, Entity::Type | Entity::Enumerator);
            it.kind == Kind::Name && is_named && is_mangled(&it.theirs, &it.ours)
        },
    },
    Allowed {
        name: "types-without-a-name",
        why: "they have none; nvcc makes one up",
        is_it: |it| {
            let is_made_up =
                it.theirs.starts_with("__C") || it.theirs.starts_with("_Z") && it.theirs.contains("Ut");
            it.kind == Kind::Name && it.of == Entity::Type && is_made_up && it.ours.is_empty()
        },
    },
    Allowed {
        name: "wide-characters",
        why: "`wchar_t`, `char16_t` and `char32_t` are types of C++; nvcc gives the integers that they are like",
        is_it: |it| {
            let names = [("int", "wchar_t"), ("unsigned short", "char16_t"), ("unsigned int", "char32_t")];
            it.kind == Kind::Name
                && it.of == Entity::Type
                && names.contains(&(it.theirs.as_str(), it.ours.as_str()))
        },
    },
    Allowed {
        name: "structs-behind-pointers",
        why: "nvcc leaves out the members of a struct that only pointers lead to",
        is_it: |it| {
            matches!(it.kind, Kind::Size | Kind::Number)
                && it.of == Entity::Type
                && it.theirs == "0"
                && it.path.starts_with('*')
        },
    },
    Allowed {
        name: "bit-fields-of-all-bits",
        why: "a bit-field as wide as its type is one; nvcc gives a plain member",
        is_it: |it| it.kind == Kind::BitSize && it.theirs == "all bits" && it.ours == "64 bits",
    },
];

/// The first that a difference is.
pub fn find(difference: &Difference) -> Option<&'static Allowed> {
    ALLOWED.iter().find(|allowed| (allowed.is_it)(difference))
}
