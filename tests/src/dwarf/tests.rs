//! Each kind of change to a tree is reported as such.

use std::collections::{BTreeMap, BTreeSet};

use super::allowed::{self, ALLOWED};
use super::compare::{Kind, compare};
use super::tree::{
    Block, Inlined, Location, Member, Place, PointerKind, Qualifier, Record, Subprogram, Tree, Type, TypeId,
    Variable,
};
use crate::tools::repository;

fn at(line: u64) -> Option<Place> {
    Some(Place { file: "/source/a.src".into(), line })
}

fn variable(name: &str, line: u64, ty: TypeId) -> Variable {
    Variable {
        name: name.into(),
        place: at(line),
        class: Some(2),
        location: Location::Register("%r1".into()),
        ty,
        ..Variable::default()
    }
}

/// A tree with something of every kind, and the types that the tests change.
struct Sample {
    tree: Tree,
    int: TypeId,
    pointer: TypeId,
    array: TypeId,
    pair: TypeId,
    colour: TypeId,
    size: TypeId,
    constant: TypeId,
    function: TypeId,
}

/// ```c
/// typedef unsigned long size_t;
/// struct Pair { int a; int b : 3; struct Pair *next; };
/// enum Colour { RED, GREEN = 5 };
/// __device__ Pair global;
/// __global__ void kernel(int *p, const size_t n)
/// {
///     int sum; int grid[2][3]; Colour colour; int (*f)(int);
///     { int sum; }
///     { int other; inner(1); }
/// }
/// ```
fn sample() -> Sample {
    let mut tree = Tree {
        name: "a.src".into(),
        folder: "/source".into(),
        language: "DW_LANG_C_plus_plus".into(),
        ..Tree::default()
    };
    let base =
        |name: &str, encoding: &str, size| Type::Base { name: name.into(), encoding: encoding.into(), size };
    let types = &mut tree.types;
    let int = types.add(base("int", "DW_ATE_signed", 4));
    let long = types.add(base("unsigned long", "DW_ATE_unsigned", 8));
    let pointer = types.add(Type::Pointer { to: int, class: Some(12), kind: PointerKind::Pointer });
    let array = types.add(Type::Array { of: int, counts: vec![Some(2), Some(3)] });
    let pair = types.add(Type::Void);
    let next = types.add(Type::Pointer { to: pair, class: Some(12), kind: PointerKind::Pointer });
    let member =
        |name: &str, ty, first_bit, n_bits| Member { name: name.into(), ty, first_bit, n_bits, place: at(2) };
    let members =
        vec![member("a", int, 0, None), member("b", int, 32, Some(3)), member("next", next, 64, None)];
    let record = Record { is_union: false, name: "Pair".into(), size: 16, place: at(2), members };
    types.set(pair, Type::Record(record));
    let enumerators = vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 5)];
    let colour = types.add(Type::Enum { name: "Colour".into(), size: 4, place: at(3), enumerators });
    let size = types.add(Type::Typedef { name: "size_t".into(), to: long, place: at(1) });
    let constant = types.add(Type::Qualified { qualifier: Qualifier::Const, to: size });
    let function = types.add(Type::Function { result: int, parameters: vec![int], is_variadic: false });
    let to_function = types.add(Type::Pointer { to: function, class: Some(12), kind: PointerKind::Pointer });
    tree.variables.push(Variable {
        linkage_name: Some("global".into()),
        is_external: true,
        class: Some(5),
        location: Location::Symbol("global".into()),
        ..variable("global", 4, pair)
    });
    let inner = |name: &str, line| Block { variables: vec![variable(name, line, int)], blocks: Vec::new() };
    let own = Block {
        variables: vec![
            variable("sum", 7, int),
            variable("grid", 7, array),
            variable("colour", 7, colour),
            variable("f", 7, to_function),
        ],
        blocks: vec![inner("sum", 8), inner("other", 9)],
    };
    tree.subprograms.push(Subprogram {
        name: "kernel".into(),
        linkage_name: Some("_Z6kernelPim".into()),
        is_external: true,
        place: at(5),
        parameters: vec![variable("p", 5, pointer), variable("n", 5, constant)],
        body: Block { variables: Vec::new(), blocks: vec![own] },
        code: Some("_Z6kernelPim".into()),
        inlined: vec![Inlined {
            subprogram: Subprogram {
                name: "inner".into(),
                place: at(1),
                parameters: vec![variable("x", 1, int)],
                ..Subprogram::default()
            },
            call: at(9),
        }],
        ..Subprogram::default()
    });
    Sample { tree, int, pointer, array, pair, colour, size, constant, function }
}

fn kernel(sample: &mut Sample) -> &mut Subprogram {
    &mut sample.tree.subprograms[0]
}

fn body(sample: &mut Sample) -> &mut Block {
    &mut kernel(sample).body.blocks[0]
}

fn pair(sample: &mut Sample, change: impl FnOnce(&mut Record)) {
    let Type::Record(mut record) = sample.tree.types.get(sample.pair).clone() else { return };
    change(&mut record);
    sample.tree.types.set(sample.pair, Type::Record(record));
}

fn colour(sample: &mut Sample, change: impl FnOnce(&mut Vec<(String, i64)>)) {
    let ty = sample.tree.types.get(sample.colour).clone();
    let Type::Enum { name, size, place, mut enumerators } = ty else { return };
    change(&mut enumerators);
    sample.tree.types.set(sample.colour, Type::Enum { name, size, place, enumerators });
}

/// The report for a change to our tree.
fn reported(change: impl FnOnce(&mut Sample)) -> Vec<String> {
    let (theirs, mut ours) = (sample(), sample());
    change(&mut ours);
    compare(&theirs.tree, &ours.tree).iter().map(ToString::to_string).collect()
}

#[track_caller]
fn reports(expected: &str, change: impl FnOnce(&mut Sample)) {
    assert_eq!(reported(change), [expected]);
}

#[test]
fn the_same_is_the_same() {
    assert_eq!(reported(|_| ()), [""; 0]);
}

#[test]
fn order_without_meaning_is_not_compared() {
    let reversed = reported(|ours| {
        let own = body(ours);
        own.variables.reverse();
        own.blocks.reverse();
    });
    assert_eq!(reversed, [""; 0]);
}

#[test]
fn variables() {
    reports("global: external of global: nvcc has true, ours is false", |ours| {
        ours.tree.variables[0].is_external = false;
    });
    reports("global: linkage-name of global: nvcc has global, ours is nothing", |ours| {
        ours.tree.variables[0].linkage_name = None;
    });
    reports("global: symbol of global: nvcc has global, ours is other", |ours| {
        ours.tree.variables[0].location = Location::Symbol("other".into());
    });
    reports("global: missing of global: nvcc has class 5, at a symbol, ours is nothing", |ours| {
        ours.tree.variables.clear();
    });
    reports("global: place of global: nvcc has /source/a.src:4, ours is /source/a.src:3", |ours| {
        ours.tree.variables[0].place = at(3);
    });
    reports(
        "kernel(p): storage of parameter: nvcc has class 2, in a register, ours is class 6, in a register",
        |ours| kernel(ours).parameters[0].class = Some(6),
    );
    reports(
        "kernel/sum: storage of local: nvcc has class 2, in a register, ours is class 2, nowhere",
        |ours| body(ours).variables[0].location = Location::None,
    );
    reports("kernel/grid: missing of local: nvcc has class 2, in a register, ours is nothing", |ours| {
        body(ours).variables.remove(1);
    });
    reports("kernel/more: extra of local: nvcc has nothing, ours is class 2, in a register", |ours| {
        let more = variable("more", 7, ours.int);
        body(ours).variables.push(more);
    });
    reports("kernel/grid: place of local: nvcc has /source/a.src:7, ours is /source/a.src:6", |ours| {
        body(ours).variables[1].place = at(6);
    });
}

#[test]
fn functions() {
    reports("kernel: external of subprogram: nvcc has true, ours is false", |ours| {
        kernel(ours).is_external = false;
    });
    reports(
        "kernel: symbol of subprogram: nvcc has the code of _Z6kernelPim, ours is the code of other",
        |ours| kernel(ours).code = Some("other".into()),
    );
    reports("kernel: place of subprogram: nvcc has /source/a.src:5, ours is nothing", |ours| {
        kernel(ours).place = None;
    });
    reports(
        "kernel: missing of subprogram: nvcc has external _Z6kernelPim, /source/a.src:5, ours is nothing",
        |ours| {
            ours.tree.subprograms.clear();
        },
    );
    reports("kernel: type-kind of type: nvcc has void, ours is int", |ours| kernel(ours).result = ours.int);
    reports("kernel(n): missing of parameter: nvcc has class 2, in a register, ours is nothing", |ours| {
        kernel(ours).parameters.pop();
    });
    let swapped = reported(|ours| kernel(ours).parameters.reverse());
    assert!(
        swapped.iter().any(|line| line == "kernel(p): name of parameter: nvcc has p, ours is n"),
        "{swapped:?}"
    );
}

#[test]
fn attributes() {
    let with = |name: &str| {
        let mut sample = sample();
        let tag = "DW_TAG_subprogram".to_owned();
        sample.tree.attributes = BTreeMap::from([(tag, BTreeSet::from([name.to_owned()]))]);
        sample.tree
    };
    let found = compare(&with("DW_AT_frame_base"), &with("DW_AT_name"));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "DW_TAG_subprogram: attributes of unit: nvcc has DW_AT_frame_base, ours is nothing",
            "DW_TAG_subprogram: attributes of unit: nvcc has nothing, ours is DW_AT_name",
        ]
    );
}

#[test]
fn inlined_calls() {
    reports("kernel+inner: missing of inlined: nvcc has /source/a.src:9, ours is nothing", |ours| {
        kernel(ours).inlined.clear();
    });
    reports("kernel+inner: place of inlined: nvcc has /source/a.src:9, ours is /source/a.src:8", |ours| {
        kernel(ours).inlined[0].call = at(8);
    });
    reports(
        "kernel+inner(x): storage of inlined-parameter: nvcc has class 2, in a register, ours is no class, in a register",
        |ours| kernel(ours).inlined[0].subprogram.parameters[0].class = None,
    );
    reports(
        "kernel+inner(x): missing of inlined-parameter: nvcc has class 2, in a register, ours is nothing",
        |ours| kernel(ours).inlined[0].subprogram.parameters.clear(),
    );
}

#[test]
fn scopes() {
    reports("kernel/{}/other: scope of local: nvcc has a block 1 deep, ours is a block 0 deep", |ours| {
        let other = body(ours).blocks.pop().expect("there are two");
        body(ours).variables.extend(other.variables);
    });
    // Two blocks become one.
    reports("kernel/{}/other: scope of local: nvcc has a block 1 deep, ours is a block 1 deep", |ours| {
        let other = body(ours).blocks.pop().expect("there are two");
        body(ours).blocks[0].variables.extend(other.variables);
    });
    reports("kernel/{}/other: scope of local: nvcc has a block 1 deep, ours is a block 2 deep", |ours| {
        let other = body(ours).blocks.pop().expect("there are two");
        body(ours).blocks[0].blocks.push(other);
    });
    // A block whose variables the other side lacks.
    reports("kernel/{}/more: extra of local: nvcc has nothing, ours is class 2, in a register", |ours| {
        let more = variable("more", 9, ours.int);
        let other = body(ours).blocks.pop().expect("there are two");
        body(ours).blocks.push(Block { variables: vec![more], blocks: vec![other] });
    });
    reports("kernel: body-block of subprogram: nvcc has a block, ours is no block", |ours| {
        let own = kernel(ours).body.blocks.pop().expect("there is one");
        kernel(ours).body = own;
    });
}

#[test]
fn types() {
    reports("*kernel(p): size of type: nvcc has 4, ours is 8", |ours| {
        let other = Type::Base { name: "int".into(), encoding: "DW_ATE_signed".into(), size: 8 };
        let other = ours.tree.types.add(other);
        ours.tree
            .types
            .set(ours.pointer, Type::Pointer { to: other, class: Some(12), kind: PointerKind::Pointer });
    });
    reports("kernel(p): pointer-class of type: nvcc has 12, ours is nothing", |ours| {
        ours.tree
            .types
            .set(ours.pointer, Type::Pointer { to: ours.int, class: None, kind: PointerKind::Pointer });
    });
    reports("kernel/grid: count of type: nvcc has [2][3], ours is [3][2]", |ours| {
        ours.tree.types.set(ours.array, Type::Array { of: ours.int, counts: vec![Some(3), Some(2)] });
    });
    reports("kernel(n): qualifiers of type: nvcc has const, ours is volatile", |ours| {
        let other = Type::Qualified { qualifier: Qualifier::Volatile, to: ours.size };
        ours.tree.types.set(ours.constant, other);
    });
    reports("kernel(n): type-kind of type: nvcc has typedef size_t, ours is unsigned long", |ours| {
        let Type::Typedef { to, .. } = *ours.tree.types.get(ours.size) else { return };
        ours.tree.types.set(ours.constant, Type::Qualified { qualifier: Qualifier::Const, to });
    });
    reports("*kernel/f (): number of type: nvcc has 1 parameters, ours is 1 parameters and more", |ours| {
        let other = Type::Function { result: ours.int, parameters: vec![ours.int], is_variadic: true };
        ours.tree.types.set(ours.function, other);
    });
}

#[test]
fn members_and_enumerators() {
    reports("global: struct Pair: size of type: nvcc has 16, ours is 12", |ours| {
        pair(ours, |pair| pair.size = 12)
    });
    reports("global: struct Pair: name of type: nvcc has Pair, ours is ", |ours| {
        pair(ours, |pair| pair.name.clear())
    });
    reports("global: struct Pair.b: first-bit of member: nvcc has 32, ours is 61", |ours| {
        pair(ours, |pair| pair.members[1].first_bit = 61);
    });
    reports("global: struct Pair.b: bit-size of member: nvcc has 3 bits, ours is all bits", |ours| {
        pair(ours, |pair| pair.members[1].n_bits = None);
    });
    // A plain member cannot begin within a byte.
    let (mut theirs, mut ours) = (sample(), sample());
    pair(&mut theirs, |pair| pair.members[1].n_bits = None);
    pair(&mut ours, |pair| pair.members[1].first_bit = 36);
    let found = compare(&theirs.tree, &ours.tree);
    assert!(matches!(&found[..], [only] if only.kind == Kind::BitSize), "{found:?}");
    pair(&mut ours, |pair| pair.members[1].first_bit = 40);
    assert_eq!(compare(&theirs.tree, &ours.tree).len(), 2);
    reports("global: struct Pair.a: missing of member: nvcc has all bits, ours is nothing", |ours| {
        pair(ours, |pair| drop(pair.members.remove(0)));
    });
    let mut theirs = sample();
    pair(&mut theirs, |pair| drop(pair.members.remove(1)));
    let found = compare(&theirs.tree, &sample().tree);
    assert!(matches!(&found[..], [only] if only.kind == Kind::Extra && only.ours == "3 bits"), "{found:?}");
    let swapped = reported(|ours| pair(ours, |pair| pair.members.swap(0, 1)));
    let first = "global: struct Pair.a: name of member: nvcc has a, ours is b";
    assert!(swapped.iter().any(|line| line == first), "{swapped:?}");
    reports("kernel/colour: enum Colour.GREEN: value of enumerator: nvcc has 5, ours is 6", |ours| {
        colour(ours, |enumerators| enumerators[1].1 = 6);
    });
    reports("kernel/colour: enum Colour: number of type: nvcc has 2, ours is 1", |ours| {
        colour(ours, |enumerators| drop(enumerators.pop()));
    });
}

#[test]
fn marks_declarations_of_headers() {
    let change = |sample: &mut Sample| {
        pair(sample, |pair| pair.place = Some(Place { file: "/include/pair.h".into(), line: 9 }));
    };
    let (mut theirs, ours) = (sample(), sample());
    change(&mut theirs);
    let found = compare(&theirs.tree, &ours.tree);
    assert_eq!(found.len(), 1);
    assert!(found[0].kind == Kind::Place && found[0].is_of_header, "{found:?}");
}

#[test]
fn allowed_differences_have_names_of_their_own() {
    for (idx, allowed) in ALLOWED.iter().enumerate() {
        assert!(ALLOWED[..idx].iter().all(|other| other.name != allowed.name), "{}", allowed.name);
        assert!(!allowed.why.is_empty(), "{}", allowed.name);
    }
    let page = repository().join("docs/reference/debug-info.md");
    let page = std::fs::read_to_string(page).expect("the page can be read");
    let undocumented =
        ALLOWED.iter().map(|allowed| allowed.name).filter(|name| !page.contains(&format!("| {name} |")));
    assert_eq!(undocumented.collect::<Vec<_>>(), [""; 0], "docs/reference/debug-info.md has a row for each");
    let (theirs, mut ours) = (sample(), sample());
    pair(&mut ours, |pair| pair.size = 12);
    assert!(allowed::find(&compare(&theirs.tree, &ours.tree)[0]).is_none(), "no size may differ");
}
