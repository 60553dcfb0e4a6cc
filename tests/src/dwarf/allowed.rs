//! The permitted differences from nvcc, each with its reason. The suite requires each to occur, so that none
//! remains here when it is fixed.

use super::compare::{Difference, Entity, Kind, NOTHING};

/// A permitted difference.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// Its name.
    pub name: &'static str,
    /// Its reason.
    pub why: &'static str,
    is_it: fn(&Difference) -> bool,
}

/// The location of a variable in one register, and in several.
const REGISTER: &str = "class 2, in a register";
const REGISTERS: &str = "no class, in a list of places";
/// From sm_100 on.
const LISTED: &str = "class 2, in a list of places";
const AT_REGISTER: &str = "class 12, behind a register"; // words: allow
const FRAME: &str = "class 6, in the frame";
const PARAMETER: &str = "class 7, at an address";

fn is_register(storage: &str) -> bool {
    [REGISTER, REGISTERS, LISTED].contains(&storage)
}

/// Whether a mangled name such as `_ZN8WithEnum6WithinE` or `_ZZ1fiE3RED__27504_` ends in this name.
fn is_mangled(mangled: &str, name: &str) -> bool {
    mangled.starts_with("_Z") && !name.is_empty() && mangled.contains(&format!("{}{name}", name.len()))
}

/// An attribute that only nvcc's entries of the tag have.
fn lacks(it: &Difference, tag: &str, attribute: &str) -> bool {
    it.kind == Kind::Attributes && it.path == tag && it.theirs == attribute
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
        name: "parameters-in-one-register",
        why: "a parameter that is not written stays in the register into which it is read; nvcc lists copies of it, too",
        is_it: |it| {
            it.kind == Kind::Storage
                && it.of == Entity::Parameter
                && it.theirs == REGISTERS
                && it.ours == REGISTER
        },
    },
    Allowed {
        name: "large-parameters-in-memory",
        why: "a struct that is passed by value is in the frame, as all are; of large ones that are not written nvcc says that a \
              register has their address",
        is_it: |it| {
            it.kind == Kind::Storage
                && it.of == Entity::Parameter
                && it.theirs == AT_REGISTER
                && it.ours == FRAME
        },
    },
    Allowed {
        name: "large-parameters-that-nvcc-leaves-out",
        why: "every parameter is there; large structs that are not used nvcc leaves out",
        is_it: |it| {
            it.kind == Kind::Extra
                && it.of == Entity::Parameter
                && [FRAME, PARAMETER].contains(&it.ours.as_str())
        },
    },
    Allowed {
        name: "parameters-of-kernels-in-place",
        why: "a kernel's parameter is where the launch has put it; nvcc copies numbers of other kinds than 32- and 64-bit integers \
              into registers first, and structs into the frame, or has their address in a register",
        is_it: |it| {
            let is_copy = is_register(&it.theirs) || [FRAME, AT_REGISTER].contains(&it.theirs.as_str());
            it.kind == Kind::Storage && it.of == Entity::Parameter && is_copy && it.ours == PARAMETER
        },
    },
    Allowed {
        name: "symbols-of-one-file",
        why: "what other files do not see has a symbol of each compiler's own: nvcc's has a hash of the file in it; of a static kernel, \
              ours is nvcc's without that prefix",
        is_it: |it| {
            let of_file = it.theirs.starts_with("__nv_static_") || it.theirs.contains("_INTERNAL_");
            let is_own = ["_ZL", "_ZN12_GLOBAL__N_1"].iter().any(|own| it.ours.starts_with(own))
                || it.theirs.ends_with(&format!("_{}", it.ours));
            matches!(it.kind, Kind::LinkageName | Kind::Symbol) && of_file && is_own
        },
    },
    Allowed {
        name: "attributes-of-the-unit",
        why: "the directory is said where an option says it; where code begins, functions say",
        is_it: |it| {
            let is_other = ["DW_AT_comp_dir", "DW_AT_low_pc"].contains(&it.theirs.as_str());
            it.kind == Kind::Attributes && it.path == "DW_TAG_compile_unit" && is_other
        },
    },
    Allowed {
        name: "attributes-that-say-more",
        why: "that a struct is only declared, the column of a call that is inlined, and which scope of the function a scope of it is",
        is_it: |it| {
            let more = [
                ("DW_TAG_structure_type", "DW_AT_declaration"),
                ("DW_TAG_inlined_subroutine", "DW_AT_call_column"),
                ("DW_TAG_lexical_block", "DW_AT_abstract_origin"),
            ];
            it.kind == Kind::Attributes && more.contains(&(it.path.as_str(), it.ours.as_str()))
        },
    },
    Allowed {
        name: "places-in-headers",
        why: "types of CUDA's headers are declared in headers of our own, or built in",
        is_it: |it| {
            // In a unit with only built-in structs, none of ours has a position.
            let has_no_place = |tag| lacks(it, tag, "DW_AT_decl_file") || lacks(it, tag, "DW_AT_decl_line");
            it.kind == Kind::Place && it.is_of_header
                || has_no_place("DW_TAG_structure_type")
                || has_no_place("DW_TAG_member")
        },
    },
    Allowed {
        name: "places-of-parameters-without-a-name",
        why: "they are declared somewhere all the same; nvcc does not say where",
        is_it: |it| {
            it.kind == Kind::Place
                && it.of == Entity::Parameter
                && it.path.ends_with("()")
                && it.theirs == NOTHING
        },
    },
    Allowed {
        name: "places-of-unnamed-unions",
        why: "a variable without a name is declared where its type begins; nvcc says where the declaration ends",
        is_it: |it| it.kind == Kind::Place && it.of == Entity::Local && it.path.ends_with('/'),
    },
    Allowed {
        name: "incomplete-structs",
        why: "a struct without members has no place: another file may be where it is declared",
        is_it: |it| {
            it.kind == Kind::Place && it.of == Entity::Type && it.path.starts_with('*') && it.ours == NOTHING
        },
    },
    Allowed {
        name: "types-of-headers",
        why: "vectors, halves and integers of a fixed width are built in, or declared more shortly than in CUDA's headers and the \
              host's: a typedef may be missing on the way, or be there as well",
        is_it: |it| {
            it.kind == Kind::TypeKind
                && (it.theirs.starts_with("typedef ") || it.ours.starts_with("typedef "))
                && it.is_of_header
        },
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
        name: "functions-that-nvcc-leaves-out",
        why: "a function of one file that is called where nothing comes by has code; nvcc leaves it out",
        is_it: |it| it.kind == Kind::Extra && it.of == Entity::Subprogram && it.ours.starts_with("internal "),
    },
    Allowed {
        name: "passed-by-address",
        why: "structs with `__half2` in them are copied by functions of C++, and so their addresses are passed: nvcc shows these, with \
              a parameter for the result and the functions that copy; we show what is written",
        is_it: |it| {
            let is_address = it.theirs == format!("{} *", it.ours)
                || it.theirs == "void" && it.ours.starts_with("struct ");
            let is_of_result = it.of == Entity::Parameter && it.path.ends_with("()") && it.theirs == REGISTER;
            let copies = ["C1ERKS_, ", "aSERKS_, "].iter().any(|name| it.theirs.contains(name));
            match it.kind {
                Kind::TypeKind => is_address,
                Kind::Missing => is_of_result || it.of == Entity::Subprogram && copies,
                _ => false,
            }
        },
    },
    Allowed {
        name: "names-within-names",
        why: "of an enum or enumerator within something nvcc gives the mangled name, which no one writes",
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
            let all = ["DW_TAG_union_type", "DW_TAG_structure_type", "DW_TAG_enumeration_type"];
            all.iter().any(|tag| lacks(it, tag, "DW_AT_name"))
                || it.kind == Kind::Name && it.of == Entity::Type && is_made_up && it.ours.is_empty()
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
            let is_size = it.kind == Kind::Size && it.of == Entity::Type && it.theirs == "0";
            it.path.starts_with('*') && (is_size || it.kind == Kind::Extra && it.of == Entity::Member)
        },
    },
    Allowed {
        name: "locals-that-nvcc-leaves-out",
        why: "every local variable is somewhere; nvcc gives no place to some that are constants, and leaves out others of which it \
              keeps only what was decided by them",
        is_it: |it| {
            let is_nowhere = it.kind == Kind::Storage && it.theirs == "no class, nowhere";
            lacks(it, "DW_TAG_variable", "DW_AT_const_value")
                || it.of == Entity::Local && (is_nowhere || it.kind == Kind::Extra) && it.ours == FRAME
        },
    },
    Allowed {
        name: "statics-of-inlined-functions",
        why: "a static variable of a function that is inlined can be seen in each of its calls; nvcc has it at file scope",
        is_it: |it| {
            let is_moved = it.kind == Kind::Scope && it.of == Entity::Global;
            let is_here = it.kind == Kind::Extra && it.of == Entity::Local && it.path.contains('+');
            // If no other variable is external.
            let is_of_all = lacks(it, "DW_TAG_variable", "DW_AT_external");
            is_moved || is_of_all || is_here && it.ours.ends_with(", at a symbol")
        },
    },
    Allowed {
        name: "inlined-constants",
        why: "the same for parameters of inlined calls",
        is_it: |it| it.kind == Kind::Extra && it.of == Entity::InlinedParameter && it.ours == FRAME,
    },
    Allowed {
        name: "bit-fields-of-no-bits-in-unions",
        why: "they are nothing in a union, where no member is behind another",
        is_it: |it| {
            let is_of_union = it.path.contains(": union ");
            it.kind == Kind::Missing && it.of == Entity::Member && is_of_union && it.theirs == "0 bits"
        },
    },
    Allowed {
        name: "bit-fields-of-all-bits",
        why: "a bit-field as wide as its type is one; nvcc gives a plain member",
        is_it: |it| {
            let widths = ["8 bits", "16 bits", "32 bits", "64 bits", "128 bits"];
            it.kind == Kind::BitSize && it.theirs == "all bits" && widths.contains(&it.ours.as_str())
        },
    },
];

/// The first entry that permits a difference.
pub fn find(difference: &Difference) -> Option<&'static Allowed> {
    ALLOWED.iter().find(|allowed| (allowed.is_it)(difference))
}
