//! The names are those of nvcc 13.5, except internal ones, which are g++ 12's.

use weft_frontend::ir::{ConstInit, EnumData, IntTy, Namespace, RecordData, Space, TypedefData};
use weft_frontend::source::Span;

use super::*;

const SPAN: Span = Span { lo: 0, hi: 0 };

fn record(module: &mut Module, tag: Option<&str>, typedef_name: Option<&str>) -> Ty {
    let data = RecordData {
        tag: tag.map(str::to_owned),
        typedef_name: typedef_name.map(str::to_owned),
        outer: None,
        owner: None,
        namespace: Namespace::GLOBAL,
        is_union: false,
        fields: None,
        align: None,
        is_builtin: false,
        half: None,
        has_own_copy: false,
        lambda: None,
        span: SPAN,
    };
    module.types.add_record(data).1
}

fn func_ty(types: &mut TypeTable, ret: Ty, params: &[Ty], variadic: bool) -> Ty {
    types.intern(TyKind::Func(FuncTy { ret, params: params.to_vec(), variadic }), Quals::empty())
}

fn func_ptr(types: &mut TypeTable, ret: Ty, params: &[Ty]) -> Ty {
    let func = func_ty(types, ret, params, false);
    types.pointer_to(func)
}

fn ptr_to(types: &mut TypeTable, ty: Ty, quals: Quals) -> Ty {
    let pointee = types.with_quals(ty, quals);
    types.pointer_to(pointee)
}

fn declare(module: &mut Module, name: &str, ty: Ty, linkage: Linkage, link_name: LinkName) -> Func {
    module.functions.push(Function::device(name.into(), ty, (link_name, linkage), SPAN))
}

#[track_caller]
fn check(module: &mut Module, name: &str, params: &[Ty], symbol: &str) {
    let ty = func_ty(&mut module.types, Ty::INT, params, false);
    let func = declare(module, name, ty, Linkage::External, LinkName::Cxx);
    assert_eq!(function_symbol(module, func), symbol);
}

fn variable(module: &mut Module, name: Option<&str>, owner: Option<Func>, linkage: Linkage) -> Global {
    module.globals.push(GlobalData {
        name: name.map(str::to_owned),
        link_name: LinkName::Cxx,
        linkage,
        space: Space::Global,
        is_managed: false,
        ty: Ty::INT,
        align: None,
        init: Some(ConstInit::Zero),
        is_extern: false,
        owner,
        namespace: Namespace::GLOBAL,
        span: SPAN,
    })
}

#[test]
fn scalars_and_vectors() {
    let mut module = Module::default();
    check(&mut module, "f", &[], "_Z1fv");
    let scalars = [
        Ty::ULONGLONG,
        Ty::LONG,
        Ty::SCHAR,
        Ty::UCHAR,
        Ty::CHAR,
        Ty::SHORT,
        Ty::USHORT,
        Ty::FLOAT,
        Ty::DOUBLE,
        Ty::LONGLONG,
        Ty::ULONG,
        Ty::UINT,
        Ty::INT,
        Ty::BOOL,
        Ty::NULLPTR,
    ];
    check(&mut module, "kern", &scalars, "_Z4kernylahcstfdxmjibDn");
    let vectors = ["float4", "dim3", "uint3", "int2"].map(|tag| record(&mut module, Some(tag), None));
    let [float4, dim3, uint3, int2] = vectors;
    let int2_ptr = module.types.pointer_to(int2);
    check(&mut module, "vec", &[float4, dim3, uint3, int2_ptr], "_Z3vec6float44dim35uint3P4int2");
    let mut module = Module::default();
    let ty = func_ty(&mut module.types, Ty::INT, &[], true);
    let func = declare(&mut module, "g", ty, Linkage::External, LinkName::Cxx);
    assert_eq!(function_symbol(&module, func), "_Z1gz");
}

#[test]
fn substitutes_repeated_components() {
    let mut module = Module::default();
    let p = record(&mut module, Some("P"), None);
    let types = &mut module.types;
    let const_float = ptr_to(types, Ty::FLOAT, Quals::CONST);
    let p_ptr = types.pointer_to(p);
    let const_p = ptr_to(types, p, Quals::CONST);
    let p_ptr_ptr = types.pointer_to(p_ptr);
    let fp = func_ptr(types, Ty::INT, &[Ty::INT, const_float]);
    check(&mut module, "kern", &[p, p_ptr, const_p, p_ptr_ptr, fp, fp], "_Z4kern1PPS_PKS_PS0_PFiiPKfES7_");
}

#[test]
fn declarators_of_every_kind() {
    let mut module = Module::default();
    let record_td = record(&mut module, None, Some("TD"));
    let types = &mut module.types;
    let enum_data = |name: &str| EnumData {
        tag: None,
        typedef_name: Some(name.to_owned()),
        outer: None,
        owner: None,
        namespace: Namespace::GLOBAL,
        underlying: IntTy::UInt,
        is_fixed: false,
        is_scoped: false,
        enumerators: Some(vec![]),
        span: SPAN,
    };
    let enum_te = types.add_enum(enum_data("TE")).1;
    let const_float = ptr_to(types, Ty::FLOAT, Quals::CONST);
    let fp = func_ptr(types, Ty::INT, &[Ty::INT, const_float]);
    let int_ptr = types.pointer_to(Ty::INT);
    let four = types.array_of(Ty::INT, Some(4));
    let row_ptr = types.pointer_to(four);
    let five = types.array_of(Ty::INT, Some(5));
    let plane = types.array_of(five, Some(4));
    let plane_ptr = types.pointer_to(plane);
    let plane_ptr_ptr = types.pointer_to(plane_ptr);
    let td_ptr = types.pointer_to(record_td);
    let cv_int = ptr_to(types, Ty::INT, Quals::CONST | Quals::VOLATILE);
    let const_ptr_ptr = ptr_to(types, int_ptr, Quals::CONST);
    let params = [
        Ty::INT,
        fp,
        int_ptr,
        row_ptr,
        plane_ptr_ptr,
        td_ptr,
        enum_te,
        Ty::BOOL,
        cv_int,
        int_ptr,
        const_ptr_ptr,
    ];
    let symbol = "_Z3fooiPFiiPKfEPiPA4_iPPA4_A5_iP2TD2TEbPVKiS3_PKS3_";
    check(&mut module, "foo", &params, symbol);

    let types = &mut module.types;
    let inner = func_ptr(types, Ty::INT, &[Ty::FLOAT]);
    let outer = func_ptr(types, Ty::INT, &[Ty::DOUBLE]);
    let f = func_ptr(types, outer, &[inner]);
    let g = func_ptr(types, Ty::VOID, &[]);
    let variadic = func_ty(types, Ty::VOID, &[Ty::INT], true);
    let h = types.pointer_to(variadic);
    check(&mut module, "fptr", &[f, g, h], "_Z4fptrPFPFidEPFifEEPFvvEPFvizE");
}

#[test]
fn keeps_inner_qualifiers_and_drops_typedefs() {
    let mut module = Module::default();
    let types = &mut module.types;
    let int_ptr = types.pointer_to(Ty::INT);
    let const_int = types.with_quals(Ty::INT, Quals::CONST);
    let const_int_ptr = types.pointer_to(const_int);
    let const_row = types.array_of(const_int, Some(4));
    let row_ptr = types.pointer_to(const_row);
    let name = TypedefData {
        name: "count".into(),
        ty: Ty::INT,
        align: None,
        namespace: Namespace::GLOBAL,
        is_builtin: false,
        span: SPAN,
    };
    let count = types.add_typedef(name).1;
    check(&mut module, "const4", &[count, int_ptr, row_ptr, const_int_ptr], "_Z6const4iPiPA4_KiPS0_");

    let types = &mut module.types;
    let restrict_ptr = ptr_to(types, int_ptr, Quals::RESTRICT);
    let cv_restrict = ptr_to(types, const_int_ptr, Quals::RESTRICT | Quals::VOLATILE);
    let three = types.array_of(Ty::INT, Some(3));
    let three_ptr = types.pointer_to(three);
    check(&mut module, "restr", &[restrict_ptr, cv_restrict, three_ptr], "_Z5restrPrPiPrVPKiPA3_i");
}

#[test]
fn linkage_decides_mangling() {
    let mut module = Module::default();
    let p = record(&mut module, Some("P"), None);
    let p_ptr = module.types.pointer_to(p);
    let ty = func_ty(&mut module.types, Ty::INT, &[p_ptr, p_ptr, Ty::INT], false);
    let internal = declare(&mut module, "sf", ty, Linkage::Internal, LinkName::Cxx);
    let c = declare(&mut module, "exc", ty, Linkage::External, LinkName::C);
    let internal_c = declare(&mut module, "sfc", ty, Linkage::Internal, LinkName::C);
    let named = declare(
        &mut module,
        "h",
        ty,
        Linkage::External,
        LinkName::Asm { symbol: "_ZN2ns1hEv".into(), is_c: false },
    );
    let inline = declare(&mut module, "inl", ty, Linkage::Inline, LinkName::Cxx);
    let symbols = [internal, c, internal_c, named, inline].map(|func| function_symbol(&module, func));
    assert_eq!(symbols, ["_ZL2sfP1PS0_i", "exc", "_ZL3sfcP1PS0_i", "_ZN2ns1hEv", "_Z3inlP1PS0_i"]);

    let globals = [
        variable(&mut module, Some("counter"), None, Linkage::External),
        variable(&mut module, Some("scount"), None, Linkage::Internal),
        variable(&mut module, Some("in_c"), Some(c), Linkage::Internal),
        variable(&mut module, Some("z"), Some(internal), Linkage::Internal),
        variable(&mut module, None, Some(c), Linkage::Internal),
        variable(&mut module, None, None, Linkage::Internal),
        variable(&mut module, Some("ii"), Some(inline), Linkage::Inline),
    ];
    let expected =
        ["counter", "scount", "_ZZ3excE4in_c", "_ZZL2sfP1PS0_iE1z", "$str", "$str_1", "_ZZ3inlP1PS0_iE2ii"];
    assert_eq!(globals.map(|global| global_symbol(&module, global)), expected);
    assert!(Symbols::of(&module).globals.values().eq(expected.iter()));
}

#[test]
fn locals_of_one_name_are_numbered() {
    let mut module = Module::default();
    let ty = func_ty(&mut module.types, Ty::INT, &[Ty::INT], false);
    let f = declare(&mut module, "f", ty, Linkage::External, LinkName::Cxx);
    let all: Vec<_> = (0..13).map(|_| variable(&mut module, Some("x"), Some(f), Linkage::Internal)).collect();
    let other = variable(&mut module, Some("y"), Some(f), Linkage::Internal);
    let symbols = Symbols::of(&module).globals;
    for (idx, suffix) in [(0, ""), (1, "_0"), (2, "_1"), (10, "_9"), (11, "__10_"), (12, "__11_")] {
        assert_eq!(symbols[all[idx]], format!("_ZZ1fiE1x{suffix}"));
        assert_eq!(symbols[all[idx]], global_symbol(&module, all[idx]));
    }
    assert_eq!(symbols[other], "_ZZ1fiE1y");
}

#[test]
fn an_extern_declaration_in_a_function_names_the_global() {
    let mut module = Module::default();
    let ty = func_ty(&mut module.types, Ty::VOID, &[], false);
    let k = declare(&mut module, "k", ty, Linkage::External, LinkName::Cxx);
    let tile = variable(&mut module, Some("tile"), Some(k), Linkage::External);
    (module.globals[tile].is_extern, module.globals[tile].init) = (true, None);
    module.globals[tile].space = Space::Shared;
    assert_eq!(global_symbol(&module, tile), "tile");
}

#[test]
fn many_components_are_numbered_in_base_36() {
    assert_eq!([0, 9, 10, 35, 36, 1295, 1296].map(base_36), ["0", "9", "A", "Z", "10", "ZZ", "100"]);
}

#[test]
fn internal_symbols_yield() {
    let mut module = Module::default();
    let ty = func_ty(&mut module.types, Ty::VOID, &[], false);
    let internal = declare(&mut module, "f", ty, Linkage::Internal, LinkName::Cxx);
    let external = declare(&mut module, "_ZL1fv", ty, Linkage::External, LinkName::C);
    let literal = variable(&mut module, None, None, Linkage::Internal);
    let named = variable(&mut module, Some("$str"), None, Linkage::External);
    let also_named = variable(&mut module, Some("$str$1"), None, Linkage::External);
    let symbols = Symbols::of(&module);
    assert_eq!([&symbols.functions[internal], &symbols.functions[external]], ["_ZL1fv$1", "_ZL1fv"]);
    let globals = [literal, named, also_named].map(|global| symbols.globals[global].as_str());
    assert_eq!(globals, ["$str$2", "$str", "$str$1"]);
}

#[test]
fn escapes_non_ascii_letters() {
    let names = ["größe", "a𝒳b", "plain"].map(source_name);
    assert_eq!(names, ["15gr_u00f6_u00dfe", "12a_U0001d4b3b", "5plain"]);
}
