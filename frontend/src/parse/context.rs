//! The contexts that the grammar is divided into.

use super::Parser;

contexts! {
    Parser, parser;
    /// Names: namespaces, `using`, and names with `::`.
    Names, names, names_ref;
    /// Types: specifiers, declarators, type names, structs, unions, enums, attributes.
    Types, types, types_ref;
    /// Declarations and definitions of functions.
    Declarations, declarations, declarations_ref;
    /// Expressions, literals and initializers.
    Expressions, expressions, expressions_ref;
    /// Statements.
    Statements, statements;
    /// Templates, which are kept as tokens, and their arguments.
    Templates, templates, templates_ref;
    /// Host code at file scope, which is skipped by its tokens.
    HostItems, host_items, host_items_ref;
    /// Constructs that are recognised in order to be refused.
    Refusals, refusals;
}
