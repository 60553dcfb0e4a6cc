use super::*;

/// A compile unit with a kernel and its parameter, as LLVM writes it.
const UNIT: &str = "\t.file\t1 \"a.src\"\n\
    \t.section\t.debug_abbrev\n\t{\n\
    .b8 1\n.b8 17\n.b8 1\n.b8 3\n.b8 8\n.b8 180\n.b8 66\n.b8 12\n.b8 0\n.b8 0\n\
    .b8 2\n.b8 46\n.b8 1\n.b8 17\n.b8 1\n.b8 3\n.b8 8\n.b8 0\n.b8 0\n\
    .b8 3\n.b8 5\n.b8 0\n.b8 51\n.b8 11\n.b8 28\n.b8 15\n.b8 3\n.b8 8\n.b8 73\n.b8 19\n.b8 0\n.b8 0\n\
    .b8 4\n.b8 36\n.b8 0\n.b8 3\n.b8 8\n.b8 0\n.b8 0\n\
    .b8 0\n\t}\n\
    \t.section\t.debug_info\n\t{\n\
    .b32 35\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n\
    .b8 1\n.b8 97\n.b8 0\n.b8 1\n\
    .b8 2\n.b64 $L__func_begin0\n.b8 107\n.b8 0\n\
    .b8 3\n.b8 2\n.b8 0\n.b8 112\n.b8 0\n.b32 36\n.b8 0\n\
    .b8 4\n.b8 105\n.b8 0\n\
    .b8 0\n\t}\n\
    \t.section\t.debug_pubtypes\n\t{\n.b32 $L__end-$L__start\n\t}\n\
    \t.section\t.debug_macinfo\t{\t}\n";

fn rewritten(symbols: &[AtSymbol], is_defined: bool) -> String {
    rewrite(UNIT, symbols, |_| is_defined).expect("sections that LLVM could have written")
}

fn unit(text: &str) -> Unit {
    let body = |name| Section::find(text, name).expect("a section").body;
    read::unit(body(".debug_info"), body(".debug_abbrev")).expect("a unit")
}

#[test]
fn variable_numbers_map_to_places() {
    let at = AtSymbol { class: AddressClass::Param, symbol: "k_param_0".into() };
    let unit = unit(&rewritten(&[at], true));
    let param = &unit.root.children[0].children[0];
    let value = |name| {
        let attribute = param.attributes.iter().find(|attribute| attribute.name == name);
        attribute.map(|attribute| attribute.value.clone())
    };
    let address = Value::Block(vec![Piece::Byte(OP_ADDR), Piece::Label("k_param_0".into())]);
    assert_eq!(value(attribute::LOCATION), Some(address));
    assert_eq!(value(attribute::ADDRESS_CLASS), Some(Value::Number(7)));
    assert_eq!(value(attribute::CONST_VALUE), None);
    let n_classes = param.attributes.iter().filter(|attribute| attribute.name == attribute::ADDRESS_CLASS);
    assert_eq!(n_classes.count(), 1);
}

#[test]
fn references_follow_the_entries_that_moved() {
    let at = AtSymbol { class: AddressClass::Param, symbol: "k_param_0".into() };
    let unit = unit(&rewritten(&[at], true));
    let [kernel, int] = &unit.root.children[..] else { panic!("two entries") };
    assert_eq!((kernel.tag, int.tag), (tag::SUBPROGRAM, 0x24));
    let ty = kernel.children[0].attributes.iter().find_map(|attribute| match attribute.value {
        Value::Entry(id) => Some(id),
        _ => None,
    });
    assert_eq!(ty, Some(int.id));
    assert_ne!(int.id, 36, "the place of the parameter is longer than its number was");
}

#[test]
fn removed_variables_have_no_place() {
    let at = AtSymbol { class: AddressClass::Global, symbol: "gone".into() };
    let text = rewritten(&[at], false);
    assert!(!text.contains("gone"), "{text}");
    let attributes = &unit(&text).root.children[0].children[0].attributes;
    assert!(attributes.iter().all(|attribute| attribute.name != attribute::LOCATION), "{attributes:?}");
}

#[test]
fn lengths_match_the_written_bytes() {
    let text = rewritten(&[], true);
    for name in [".debug_info", ".debug_pubnames"] {
        let body = Section::find(&text, name).expect("a section").body;
        let mut size = 0;
        for line in body.lines().filter(|line| !line.is_empty() && !line.starts_with('\t')) {
            let (directive, values) = line.split_once(' ').expect("a directive and values");
            let bits: usize = directive[2..].parse().expect("a size");
            size += bits / 8 * values.split(',').count();
        }
        let length = body.trim().lines().next().and_then(|line| line.strip_prefix(".b32 "));
        assert_eq!(length, Some((size - 4).to_string().as_str()), "{name}");
    }
}

#[test]
fn removes_only_llvms_name_sections() {
    let text = rewritten(&[], true);
    assert!(!text.contains("$L__end-$L__start") && !text.contains(".debug_pubtypes"), "{text}");
    assert!(
        text.starts_with("\t.file\t1 \"a.src\"\n") && text.ends_with("\t.section\t.debug_macinfo\t{\t}\n")
    );
    let gnu_names =
        unit(&text).root.attributes.iter().any(|attribute| attribute.name == attribute::GNU_PUBNAMES);
    assert!(!gnu_names);
    assert_eq!(rewrite("no sections", &[], |_| true).ok().as_deref(), Some("no sections"));
}

#[test]
fn rejects_malformed_debug_information() {
    for (from, to) in [
        (".b32 35\n.b8 2\n", ".b32 35\n.b8 4\n"),
        (".b8 3\n.b8 2\n.b8 0\n.b8 112", ".b8 9\n.b8 2\n.b8 0\n.b8 112"),
        (".b8 4\n.b8 105\n.b8 0\n.b8 0\n", ".b8 4\n"),
        (".b64 $L__func_begin0", ".b32 $L__func_begin0"),
        (".b32 36\n", ".b32 99\n"),
        (".b8 73\n.b8 19", ".b8 73\n.b8 16"),
    ] {
        assert!(UNIT.contains(from), "{from}");
        assert!(rewrite(&UNIT.replacen(from, to, 1), &[], |_| true).is_err(), "{to}");
    }
}
