//! Numbers are those of nvcc 13.5 for `sizeof`, `alignof` and the addresses of members.

use super::*;
use crate::ir::{Namespace, Quals};
use crate::source::Span;

struct Member(&'static str, Ty, Option<u32>, Option<u32>);

fn plain(name: &'static str, ty: Ty) -> Member {
    Member(name, ty, None, None)
}

fn bits(name: &'static str, ty: Ty, width: u32) -> Member {
    Member(name, ty, Some(width), None)
}

fn aligned(name: &'static str, ty: Ty, align: u32) -> Member {
    Member(name, ty, None, Some(align))
}

fn add(types: &mut TypeTable, is_union: bool, align: Option<u32>, members: Vec<Member>) -> (Record, Ty) {
    let span = Span::default();
    let field = |Member(name, ty, bit_width, align)| Field {
        is_base: false,
        is_mutable: false,
        pack: None,
        name: (!name.is_empty()).then(|| name.to_owned()),
        ty,
        bit_width,
        align,
        span,
    };
    types.add_record(RecordData {
        tag: None,
        typedef_name: None,
        outer: None,
        owner: None,
        namespace: Namespace::GLOBAL,
        is_union,
        fields: Some(members.into_iter().map(field).collect()),
        align,
        is_builtin: false,
        half: None,
        has_own_copy: false,
        lambda: None,
        span,
    })
}

fn size_align(is_union: bool, align: Option<u32>, members: Vec<Member>) -> (u64, u32) {
    let mut types = TypeTable::new();
    let (_, ty) = add(&mut types, is_union, align, members);
    let layout = layout_of(&types, ty).expect("complete");
    (layout.size, layout.align)
}

fn struct_of(members: Vec<Member>) -> (u64, u32) {
    size_align(false, None, members)
}

#[test]
fn scalars_have_host_sizes() {
    let sizes = |model: DataModel| {
        let mut types = TypeTable::of(model);
        let pointer = types.pointer_to(Ty::VOID);
        let (size, difference) = (model.size_ty(), model.ptrdiff_ty());
        let listed =
            [Ty::BOOL, Ty::UINT, Ty::LONG, Ty::ULONG, Ty::LONGLONG, pointer, Ty::NULLPTR, size, difference];
        listed.map(|ty| size_of(&types, ty).expect("complete"))
    };
    assert_eq!(sizes(DataModel::Lp64), [1, 4, 8, 8, 8, 8, 8, 8, 8]);
    assert_eq!(sizes(DataModel::Ilp32), [1, 4, 4, 4, 8, 4, 4, 4, 4]);
    let mut types = TypeTable::new();
    let array = types.array_of(Ty::SHORT, Some(7));
    assert_eq!(layout_of(&types, array), Ok(Layout { size: 14, align: 2 }));
}

#[test]
fn bit_fields_of_the_guides_figures() {
    let int_run = vec![bits("j", Ty::INT, 5), bits("k", Ty::INT, 6), bits("m", Ty::INT, 7)];
    assert_eq!(struct_of(int_run), (4, 4));
    let boundary = vec![
        bits("s", Ty::SHORT, 9),
        bits("j", Ty::INT, 9),
        plain("c", Ty::CHAR),
        bits("t", Ty::SHORT, 9),
        bits("u", Ty::SHORT, 9),
        plain("d", Ty::CHAR),
    ];
    assert_eq!(struct_of(boundary), (12, 4));
    assert_eq!(struct_of(vec![plain("c", Ty::CHAR), bits("s", Ty::SHORT, 8)]), (2, 2));
    assert_eq!(size_align(true, None, vec![plain("c", Ty::CHAR), bits("s", Ty::SHORT, 8)]), (2, 2));
    let unnamed = vec![
        plain("c", Ty::CHAR),
        bits("", Ty::INT, 0),
        plain("d", Ty::CHAR),
        bits("", Ty::SHORT, 9),
        plain("e", Ty::CHAR),
    ];
    assert_eq!(struct_of(unnamed), (9, 1));
}

#[test]
fn bit_fields_know_their_units() {
    let mut types = TypeTable::new();
    let members = vec![
        bits("s", Ty::SHORT, 9),
        bits("j", Ty::INT, 9),
        plain("c", Ty::CHAR),
        bits("t", Ty::SHORT, 9),
        bits("u", Ty::SHORT, 9),
        plain("d", Ty::CHAR),
    ];
    let (record, _) = add(&mut types, false, None, members);
    let layout = record_layout(&types, record).expect("complete");
    let bit = |offset, unit_size, bit_offset| FieldLayout {
        offset,
        bits: Some(BitField { unit_size, bit_offset, width: 9 }),
    };
    let byte = |offset| FieldLayout { offset, bits: None };
    let expected = [bit(0, 2, 0), bit(0, 4, 9), byte(3), bit(4, 2, 0), bit(6, 2, 0), byte(8)];
    assert_eq!(layout.fields, expected);
}

#[test]
fn bit_fields_of_mixed_widths() {
    let mixed = vec![bits("b", Ty::BOOL, 1), bits("x", Ty::LONGLONG, 33), bits("y", Ty::INT, 31)];
    assert_eq!(struct_of(mixed), (16, 8));
    let shared = vec![plain("a", Ty::CHAR), bits("b", Ty::LONGLONG, 40), plain("c", Ty::CHAR)];
    assert_eq!(struct_of(shared), (8, 8));
    let unnamed_first = vec![plain("c", Ty::CHAR), bits("", Ty::INT, 7), bits("y", Ty::INT, 3)];
    assert_eq!(struct_of(unnamed_first), (4, 4));
    let closed = vec![bits("a", Ty::LONGLONG, 63), bits("", Ty::INT, 0), bits("b", Ty::CHAR, 2)];
    assert_eq!(struct_of(closed), (16, 8));
    assert_eq!(struct_of(vec![plain("a", Ty::CHAR), bits("", Ty::INT, 0)]), (4, 1));
    let over_aligned = Member("b", Ty::INT, Some(4), Some(8));
    assert_eq!(struct_of(vec![plain("c", Ty::CHAR), over_aligned]), (16, 8));
}

#[test]
fn declared_alignments_raise_and_never_lower() {
    assert_eq!(size_align(false, Some(16), vec![plain("x", Ty::FLOAT)]), (16, 16));
    assert_eq!(struct_of(vec![plain("c", Ty::CHAR), aligned("d", Ty::CHAR, 8)]), (16, 8));
    assert_eq!(struct_of(vec![aligned("z", Ty::INT, 2), plain("c", Ty::CHAR)]), (8, 4));
}

#[test]
fn empty_records_have_a_byte() {
    assert_eq!(struct_of(vec![]), (1, 1));
    assert_eq!(size_align(true, None, vec![]), (1, 1));
    assert_eq!(struct_of(vec![bits("", Ty::INT, 0)]), (1, 1));
    assert_eq!(size_align(true, None, vec![bits("", Ty::INT, 0)]), (1, 1));
    let mut types = TypeTable::new();
    let (_, empty) = add(&mut types, false, None, vec![]);
    let three = types.array_of(empty, Some(3));
    let (record, ty) = add(&mut types, false, None, vec![plain("e", three), plain("x", Ty::INT)]);
    assert_eq!(layout_of(&types, ty), Ok(Layout { size: 8, align: 4 }));
    assert_eq!(record_layout(&types, record).expect("complete").fields[1].offset, 4);
}

#[test]
fn incomplete_types_have_no_layout() {
    let mut types = TypeTable::new();
    let open = types.array_of(Ty::INT, None);
    let (record, ty) = add(&mut types, false, None, vec![]);
    types.records[record].fields = None;
    let const_ty = types.with_quals(ty, Quals::CONST);
    for incomplete in [Ty::VOID, open, const_ty, Ty::ERROR] {
        assert_eq!(layout_of(&types, incomplete), Err(LayoutError::Incomplete));
    }
    assert_eq!(align_of(&types, open), Ok(4));
    let (_, flexible) = add(&mut types, false, None, vec![plain("n", Ty::CHAR), plain("rest", open)]);
    assert_eq!(layout_of(&types, flexible), Ok(Layout { size: 4, align: 4 }));
    let (_, not_last) = add(&mut types, false, None, vec![plain("rest", open), plain("n", Ty::CHAR)]);
    assert_eq!(layout_of(&types, not_last), Err(LayoutError::Incomplete));
}

#[test]
fn sizes_beyond_the_address_space_are_errors() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut types = TypeTable::of(model);
        let large = types.array_of(Ty::CHAR, Some(model.max_size()));
        assert_eq!(size_of(&types, large), Ok(model.max_size()));
        let two = types.array_of(large, Some(2));
        let four = types.array_of(large, Some(4));
        let (_, pair) = add(&mut types, false, None, vec![plain("a", large), plain("b", Ty::CHAR)]);
        let (_, padded) = add(&mut types, false, Some(16), vec![plain("a", large)]);
        for ty in [two, four, pair, padded] {
            assert_eq!(size_of(&types, ty), Err(LayoutError::TooLarge));
        }
    }
}

#[test]
fn deep_sharing_takes_linear_time() {
    let mut types = TypeTable::new();
    let mut ty = Ty::CHAR;
    for _ in 0..62 {
        ty = add(&mut types, false, None, vec![plain("a", ty), plain("b", ty)]).1;
    }
    assert_eq!(size_of(&types, ty), Ok(1 << 62));
}
