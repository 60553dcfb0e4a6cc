use super::parse;
use super::syntax::{
    Address, Constant, Initializer, Instruction, Linkage, Module, Operand, Space, Statement, SymbolAddress,
    Type,
};

const HEAD: &str = ".version 8.4\n.target sm_90\n.address_size 64\n";

fn module(text: &str) -> Module<'_> {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The instructions of the only function, blocks within it included.
fn instructions<'m, 't>(module: &'m Module<'t>) -> Vec<&'m Instruction<'t>> {
    fn collect<'m, 't>(statements: &'m [Statement<'t>], found: &mut Vec<&'m Instruction<'t>>) {
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => found.push(instruction),
                Statement::Block(block) => collect(&block.statements, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(&module.functions[0].body.as_ref().expect("a body").statements, &mut found);
    found
}

fn body(text: &str) -> String {
    format!("{HEAD}.func f() {{ {text} }}")
}

fn constants(text: &str) -> Vec<Constant<'_>> {
    let module = module(text);
    let Some(Initializer::List(items)) = module.variables[0].init.clone() else { panic!("a list") };
    let values = items.into_iter().map(|item| match item {
        Initializer::Value(value) => value,
        Initializer::List(_) | Initializer::Property(..) => panic!("a value"),
    });
    values.collect()
}

#[test]
fn versions_are_two_numbers() {
    let module = module(".version 9.10\n.target sm_100a, debug, texmode_independent\n");
    assert_eq!(module.version, (9, 10));
    assert_eq!(module.targets, ["sm_100a", "debug", "texmode_independent"]);
}

#[test]
fn variables_have_all_that_is_said_of_them() {
    let text = format!(
        "{HEAD}.visible .global .align 16 .v4 .f32 a[2][3];\n\
         .extern .shared .align 8 .b8 dyn[];\n\
         .global .attribute(.managed) .u32 m = 5;\n\
         .weak .const .u64 p = generic(a)+8;\n\
         .common .global .b8 c[4] = {{1, 2}};"
    );
    let module = module(&text);
    let [a, dynamic, managed, pointer, common] = &module.variables[..] else { panic!("five variables") };
    assert_eq!((a.linkage, a.space, a.align), (Linkage::Visible, Space::Global, Some(16)));
    assert_eq!((a.ty, a.vector, &a.dims[..]), (Type::F32, 4, &[Some(2), Some(3)][..]));
    assert_eq!(
        (dynamic.linkage, dynamic.space, &dynamic.dims[..]),
        (Linkage::Extern, Space::Shared, &[None][..])
    );
    assert_eq!(managed.attributes, ["managed"]);
    assert_eq!(managed.init, Some(Initializer::Value(Constant::Int(5))));
    let Some(Initializer::Value(Constant::Symbol(address))) = pointer.init else { panic!("an address") };
    assert_eq!((address.name, address.addend, address.is_generic), ("a", 8, true));
    assert_eq!(common.linkage, Linkage::Common);
}

#[test]
fn constants_are_computed_as_in_c() {
    let text = format!(
        "{HEAD}.global .u64 a[] = {{1 + 2 * 3, (1 + 2) * 3, -1 / 2, -1U / 2, -8 >> 1, 1 << 40, !5, ~0, \
         0x1F, 0b101, 017, 7 % 4 == 3, -1 < 0, -1 < 0U, 2 > 1 && 0, 1 ? 10 : 20, (.u64)-1 >> 63, WARP_SZ}};"
    );
    let found: Vec<u64> = constants(&text)
        .into_iter()
        .map(|value| match value {
            Constant::Int(value) => value,
            other => panic!("{other:?}"),
        })
        .collect();
    let max = u64::MAX;
    let expected = [7, 9, 0, max / 2, max - 3, 1 << 40, 0, max, 31, 5, 15, 1, 1, 0, 0, 10, 1, 32];
    assert_eq!(found, expected);
}

#[test]
fn floating_constants_keep_their_bits() {
    let text = format!(
        "{HEAD}.global .f32 a[] = {{0f3F800000, (0f3F800000), 0d3FF8000000000000, 1.5, -2e3, .25, 2., -.5e1, 1.e2, \
         -(1.5 + 0.5) * 3.0 / 2.0 - 1.0}};"
    );
    let expected = [
        Constant::F32(0x3F80_0000),
        Constant::F32(0x3F80_0000),
        Constant::F64(1.5),
        Constant::F64(1.5),
        Constant::F64(-2000.0),
        Constant::F64(0.25),
        Constant::F64(2.0),
        Constant::F64(-5.0),
        Constant::F64(100.0),
        Constant::F64(-4.0),
    ];
    assert_eq!(constants(&text), expected);
    let compared =
        format!("{HEAD}.global .u32 a[] = {{1.0 < 2.0, 1.0 == 2.0, (1.5 >= 1.5) + 1, 2.0 > 1.0 ? 5 : 6}};");
    assert_eq!(constants(&compared), [1, 0, 2, 5].map(Constant::Int));
}

#[test]
fn bytes_of_addresses_are_masks() {
    let text = format!("{HEAD}.global .u8 a[] = {{0xff(b), 0xff00(generic(b)+4)}};");
    let found = constants(&text);
    let [Constant::Symbol(first), Constant::Symbol(second)] = found[..] else { panic!("{found:?}") };
    assert_eq!((first.mask, first.is_generic), (Some(0xff), false));
    assert_eq!((second.mask, second.is_generic, second.addend), (Some(0xff00), true, 4));
}

#[test]
fn functions_have_prototypes_and_directives() {
    let text = format!(
        "{HEAD}.extern .func (.param .b32 r) g (.param .align 8 .b8 p[16], .reg .pred q) .noreturn;\n\
         .visible .entry k(.param .u64 .ptr .global .align 4 k_0) .maxntid 128, 1, 1 .minnctapersm 2 {{ ret; }}"
    );
    let module = module(&text);
    let [g, k] = &module.functions[..] else { panic!("two functions") };
    assert!(g.body.is_none() && g.prototype.is_noreturn && !g.is_entry);
    assert_eq!((g.prototype.returns.len(), g.prototype.params.len()), (1, 2));
    assert_eq!(g.prototype.params[1].space, Space::Reg);
    assert!(k.is_entry && k.body.is_some());
    assert_eq!(k.prototype.params[0].ptr, Some((Some(Space::Global), Some(4))));
    let ints = |values: &[u64]| values.iter().map(|&value| Constant::Int(value)).collect::<Vec<_>>();
    assert_eq!(k.directives, [("maxntid", ints(&[128, 1, 1])), ("minnctapersm", ints(&[2]))]);
}

#[test]
fn instructions_have_guards_modifiers_and_operands() {
    let text = body(
        "@!%p1 ld.global.L1::evict_last.v2.u32 {%r1, _}, [%rd1+-8]; setp.lt.and.s32 %p1|%p2, %r1, -3, !%p3;\n\
         mov.u32 %r1, %tid.x; mov.u64 %rd1, a+4; tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1, %r2}]; ret;",
    );
    let module = module(&text);
    let [load, setp, special, address, tex, ret] = instructions(&module)[..] else { panic!("six") };
    let guard = load.guard.expect("a guard");
    assert_eq!((guard.name, guard.is_negated), ("%p1", true));
    assert_eq!((load.opcode, &load.modifiers[..]), ("ld", &["global", "L1::evict_last", "v2", "u32"][..]));
    assert_eq!(load.operands[0], Operand::Vector(vec![Operand::Name("%r1"), Operand::Sink]));
    assert_eq!(load.operands[1], Operand::Address(Address { base: Some("%rd1"), offset: -8 }));
    assert_eq!(setp.operands[0], Operand::Pair(Box::new((Operand::Name("%p1"), Operand::Name("%p2")))));
    assert_eq!(setp.operands[2], Operand::Constant(Constant::Int(-3_i64 as u64)));
    assert_eq!(setp.operands[3], Operand::Not("%p3"));
    assert_eq!(special.operands[1], Operand::Part("%tid", "x"));
    let Operand::Constant(Constant::Symbol(SymbolAddress { name: "a", addend: 4, .. })) = address.operands[1]
    else {
        panic!("{address:?}")
    };
    assert!(matches!(&tex.operands[1], Operand::Parts(parts) if parts.len() == 2));
    assert!(ret.operands.is_empty());
}

#[test]
fn calls_have_lists_and_tables_have_labels() {
    let text = body(
        "{ .param .b32 r; call.uni (r), g, (%r1, 4); }\n\
         p : .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\n\
         t: .branchtargets $L1, $L2; $L1: brx.idx %r1, t; $L2: .reg .b32 %q<3>, x;",
    );
    let module = module(&text);
    let [call, brx] = instructions(&module)[..] else { panic!("two") };
    assert_eq!(call.operands[0], Operand::List(vec![Operand::Name("r")]));
    assert_eq!(call.operands[1], Operand::Name("g"));
    assert_eq!(brx.operands[1], Operand::Name("t"));
    let statements = &module.functions[0].body.as_ref().expect("a body").statements;
    assert!(matches!(&statements[1], Statement::CallPrototype("p", prototype, _) if prototype.is_noreturn));
    assert!(
        matches!(&statements[2], Statement::BranchTargets("t", targets, _) if targets == &["$L1", "$L2"])
    );
    let counts: Vec<_> = statements
        .iter()
        .filter_map(|statement| match statement {
            Statement::Variable(variable) => Some((variable.name, variable.count)),
            _ => None,
        })
        .collect();
    assert_eq!(counts, [("%q", Some(3)), ("x", None)]);
}

#[test]
fn reads_places_of_inlined_code() {
    let text = body(".loc 2 10 3, function_name $L__info+4, inlined_at 1 17 5 ret;");
    let module = module(&text);
    let Statement::Loc(loc) = &module.functions[0].body.as_ref().expect("a body").statements[0] else {
        panic!("a place")
    };
    assert_eq!((loc.file, loc.line, loc.column), (2, 10, 3));
    assert_eq!(loc.inlined.map(|inlined| inlined.at), Some((1, 17, 5)));
}

#[test]
fn sections_are_kept_as_text() {
    let text = format!("{HEAD}.file 1 \"a.cu\", 5, 7\n.section .debug_str {{ $L: .b8 1,2 }}\n.alias f, g;");
    let module = module(&text);
    assert_eq!(module.files, [(1, "a.cu")]);
    assert_eq!(module.sections, [("debug_str", " $L: .b8 1,2 ")]);
    assert_eq!((module.aliases[0].name, module.aliases[0].aliasee), ("f", "g"));
}

#[test]
fn mistakes_have_their_place() {
    let cases = [
        (".target sm_90", "1:14: missing `.version` directive"),
        (".version 8.4\n.global u32 x;", "2:9: expected a type, found `u32`"),
        (".version 8.4\n.func f() { add.s32 %r1, %r2 ret; }", "2:30: expected `;`, found `ret`"),
        (".version 8.4\n.func f() { mov.f32 %f1, 0f123; }", "2:26: `0f` needs eight hexadecimal digits"),
        (".version 8.4\n.global .u32 x = 1/0;", "2:21: division by zero"),
        (".version 8.4\n.global .align 3 .u32 x;", "2:18: alignment is 3; it must be a power of two"),
        (
            ".version 8.4\n.global .align 2097152 .u32 x;",
            "2:24: alignment is 2097152; the maximum is 1048576",
        ),
        (".version 8.4\n.func f() {", "2:12: expected a statement, found the end of the text"),
        (".version 8.4\n/* no end", "2:1: unterminated comment"),
        (".version 8.4\n.global .u33 x;", "2:9: unknown directive `.u33`"),
        (".version 8.4\nä", "2:1: invalid character `ä`"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).expect_err(text).to_string(), expected);
    }
}

#[test]
fn texts_that_nest_too_deep_are_refused() {
    for (open, head) in [
        ("{", ".version 8.4 .func f() "),
        ("{", ".version 8.4 .global .u32 x = "),
        ("(", ".version 8.4 .global .u32 x = "),
    ] {
        let text = format!("{head}{}", open.repeat(100_000));
        assert!(parse(&text).expect_err("too deep").message.contains("too deep"));
    }
}

/// Whatever the text, there is a tree or an error.
#[test]
fn texts_that_are_cut_are_no_trouble() {
    let text = format!(
        "{HEAD}.visible .global .align 4 .u64 a[2] = {{generic(b)+4, 0xff(c)}};\n.file 1 \"x\"\n\
         .visible .entry k(.param .u64 .ptr .global .align 4 k_0) .maxntid 32, 1, 1 {{\n\
         .reg .b32 %r<4>; .loc 1 2 3, function_name $L, inlined_at 1 2 3\n\
         t: .branchtargets $A, $B; @!%p0 setp.lt.s32 %p1|%p2, %r1, 0x10U; call (r), %rd1, (a, 1.5e3), p;\n\
         ld.v2.f32 {{%f1, _}}, [%rd1+4]; $A: $B: ret; }}\n.section .debug_info {{ .b8 1 }}"
    );
    assert!(parse(&text).is_ok());
    for end in 0..text.len() {
        let _ = parse(&text[..end]);
        let _ = parse(&format!("{}{}", &text[..end], &text[end + 1..]));
    }
}
