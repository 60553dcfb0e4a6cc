//! The host's part of a program: functions that launch its kernels, variables in place of those of the device, and their
//! registration with CUDA's runtime.
//!
//! It is C++ for the host's compiler, which knows its own calling convention. Every symbol is given by an assembler label, so that
//! names, namespaces and the types' own names do not matter: a parameter's type is declared by its layout alone, as
//! `weft_type_0` and so on. The text needs no header.
//!
//! The runtime's functions are those that NVIDIA's compiler calls (CUDA 13, crt/host_runtime.h), except for the launch itself:
//! `cudaLaunchKernel`, which is the same in CUDA 12 and 13, instead of CUDA 13's `__cudaLaunchKernel`.

use std::collections::HashMap;
use std::fmt::Write;

use weft_frontend::ir::{
    Field, FloatTy, Function, FunctionKind, GlobalData, Linkage, Module, Record, Scalar, Space, Ty, TyKind,
    TypeTable, VerifiedModule, View,
};
use weft_frontend::layout;

use super::mangle::Symbols;
use super::signature::is_indirect;
use super::unit::UnitName;

const PRELUDE: &str = r#"struct weft_dim3 { unsigned x, y, z; };
extern "C" {
int __cudaPopCallConfiguration(weft_dim3 *grid, weft_dim3 *block, __SIZE_TYPE__ *shared, void *stream);
int cudaLaunchKernel(const void *kernel, weft_dim3 grid, weft_dim3 block, void **arguments, __SIZE_TYPE__ shared, void *stream);
void __cudaRegisterFunction(void **handle, const char *kernel, char *symbol, const char *name, int thread_limit, void *, void *,
                            void *, void *, int *);
void __cudaRegisterVar(void **handle, char *variable, char *symbol, const char *name, int is_extern, __SIZE_TYPE__ size,
                       int is_constant, int is_global);
void __cudaRegisterManagedVar(void **handle, void **variable, char *symbol, const char *name, int is_extern,
                              __SIZE_TYPE__ size, int is_constant, int is_global);
}

static void weft_launch(const void *kernel, void **arguments)
{
    weft_dim3 grid, block;
    __SIZE_TYPE__ shared;
    void *stream;
    if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == 0)
        (void)cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
"#;

/// The host's part of a program, as C++; its function `weft_register(void **)` registers all of it. `unit` is given if the program is
/// linked with others, as for the device's symbols; the variables of a whole program are its own, and another may have the same.
pub fn host_stub(module: &VerifiedModule, unit: Option<&UnitName>) -> String {
    let module = module.module();
    let symbols = Symbols::in_unit(module, unit);
    let mut stub = Stub {
        types: HostTypes::new(&module.types),
        is_whole: unit.is_none(),
        code: String::new(),
        calls: String::new(),
    };
    for (func, function) in &module.functions {
        if matches!(function.kind, FunctionKind::Kernel(_)) && function.body.is_some() {
            stub.kernel(module, function, &symbols.functions[func]);
        }
    }
    for (global, data) in &module.globals {
        if data.name.is_some() && data.owner.is_none() && !data.is_extern && data.space != Space::Shared {
            stub.variable(module, data, &symbols.globals[global]);
        }
    }
    let Stub { types, code, calls, .. } = stub;
    format!(
        "{PRELUDE}\n{}{code}\nstatic void weft_register(void **handle)\n{{\n    (void)handle;\n{calls}}}\n",
        types.text
    )
}

/// What precedes the declaration of an entity that other objects of the program see, as in NVIDIA's compiler since CUDA 13.
fn visibility(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External | Linkage::Internal => "__attribute__((visibility(\"hidden\"))) ",
        Linkage::Weak | Linkage::Inline => "__attribute__((weak, visibility(\"hidden\"))) ",
    }
}

/// The name by which host code of clang calls and takes the address of a kernel: the function's own name is prefixed (clang,
/// `CodeGenModule::getMangledName`, since version 9), which is the last one of a name within namespaces.
fn name_for_clang(symbol: &str) -> Option<String> {
    const PREFIX: &str = "__device_stub__";
    let Some(mangled) = symbol.strip_prefix("_Z") else { return Some(format!("{PREFIX}{symbol}")) };
    let mut rest = mangled.strip_prefix('N').unwrap_or(mangled);
    loop {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let before = &symbol[..symbol.len() - rest.len()];
        let len: usize = rest[..rest.len() - name.len()].parse().ok()?;
        rest = name.get(len..)?;
        if !mangled.starts_with('N') || rest.starts_with('E') {
            return Some(format!("{before}{}{PREFIX}{name}", len + PREFIX.len()));
        }
    }
}

struct Stub<'a> {
    types: HostTypes<'a>,
    /// It is not linked with other code of the device.
    is_whole: bool,
    code: String,
    /// The statements that register everything.
    calls: String,
}

impl Stub<'_> {
    /// The function that host code calls to launch a kernel. Its address is the kernel's handle.
    fn kernel(&mut self, module: &Module, function: &Function, symbol: &str) {
        let params =
            module.types.written_func(function.ty).map(|func| func.params.clone()).unwrap_or_default();
        let (mut list, mut arguments) = (Vec::new(), Vec::new());
        for (idx, &ty) in params.iter().enumerate() {
            if is_indirect(&module.types, ty) {
                // Itanium C++ ABI 3.1.2.3: the caller passes the address of a temporary.
                list.push(format!("void *a{idx}"));
                arguments.push(format!("a{idx}"));
            } else {
                list.push(format!("{} a{idx}", self.types.scalar_or_record(ty)));
                arguments.push(format!("&a{idx}"));
            }
        }
        let name = format!("weft_kernel_{}", self.calls.lines().count());
        let parameters = list.join(", ");
        let is_static = function.linkage == Linkage::Internal;
        let _ = match is_static {
            true => writeln!(self.code, "\nstatic void {name}({parameters})"),
            false => writeln!(
                self.code,
                "\nextern \"C\" {}void {name}({parameters}) __asm__(\"{symbol}\");\nvoid {name}({parameters})",
                visibility(function.linkage)
            ),
        };
        let array = match &arguments[..] {
            [] => "    void *arguments[1] = {};\n".to_owned(),
            all => format!("    void *arguments[] = {{{}}};\n", all.join(", ")),
        };
        let _ = writeln!(self.code, "{{\n{array}    weft_launch((const void *)&{name}, arguments);\n}}");
        if let (false, Some(other)) = (is_static, name_for_clang(symbol)) {
            let _ = writeln!(
                self.code,
                "extern \"C\" {}void {name}_({parameters}) __asm__(\"{other}\") __attribute__((alias(\"{symbol}\")));",
                visibility(function.linkage)
            );
        }
        let _ = writeln!(
            self.calls,
            "    __cudaRegisterFunction(handle, (const char *)&{name}, (char *)\"{symbol}\", \"{symbol}\", -1, 0, 0, 0, 0, 0);"
        );
    }

    /// The variable whose address names one of the device to the runtime.
    fn variable(&mut self, module: &Module, data: &GlobalData, symbol: &str) {
        let Ok(layout) = layout::layout_of(&module.types, data.ty) else { return };
        let align = layout.align.max(data.align.unwrap_or(1));
        let name = format!("weft_variable_{}", self.calls.lines().count());
        let (declared, attribute) = match data.is_managed {
            true => (format!("void *{name}"), "section(\"__nv_managed_data__\")".to_owned()),
            false => (format!("char {name}[{}]", layout.size.max(1)), format!("aligned({align})")),
        };
        let attribute = format!("__attribute__(({attribute}))");
        let _ = match self.is_whole || data.linkage == Linkage::Internal {
            true => writeln!(self.code, "\nstatic {declared} {attribute};"),
            false => writeln!(
                self.code,
                "\nextern \"C\" {{ {}{declared} __asm__(\"{symbol}\") {attribute}; }}",
                visibility(data.linkage)
            ),
        };
        let size = layout.size;
        let _ = match data.is_managed {
            true => writeln!(
                self.calls,
                "    __cudaRegisterManagedVar(handle, &{name}, (char *)\"{symbol}\", \"{symbol}\", 0, {size}, 0, 0);"
            ),
            false => writeln!(
                self.calls,
                "    __cudaRegisterVar(handle, {name}, (char *)\"{symbol}\", \"{symbol}\", 0, {size}, {}, 0);",
                i32::from(data.space == Space::Constant)
            ),
        };
    }
}

/// Declarations of types by their layout.
struct HostTypes<'a> {
    types: &'a TypeTable,
    text: String,
    names: HashMap<Record, String>,
}

impl<'a> HostTypes<'a> {
    fn new(types: &'a TypeTable) -> Self {
        HostTypes { types, text: String::new(), names: HashMap::new() }
    }

    /// A type that is passed like this one.
    fn scalar_or_record(&mut self, ty: Ty) -> String {
        match self.types.view(ty) {
            View::Scalar(Scalar::Int(int)) => int.spelling().to_owned(),
            View::Scalar(Scalar::Enum(enum_)) => self.types.enums[enum_].underlying.spelling().to_owned(),
            View::Scalar(Scalar::Float(FloatTy::Float)) => "float".to_owned(),
            View::Scalar(Scalar::Float(FloatTy::Double)) => "double".to_owned(),
            View::Scalar(Scalar::Float(FloatTy::LongDouble)) => "long double".to_owned(),
            View::Record(record) => self.record(record),
            // The handle of a texture or surface.
            View::Scalar(Scalar::Opaque(_)) => "unsigned long long".to_owned(),
            View::Scalar(Scalar::Pointer(_) | Scalar::Reference(..) | Scalar::Nullptr)
            | View::Array(..)
            | View::Func(_)
            | View::Void
            | View::Error => "void *".to_owned(),
        }
    }

    /// The name of a struct or union, which is declared first.
    fn record(&mut self, record: Record) -> String {
        if let Some(name) = self.names.get(&record) {
            return name.clone();
        }
        let types = self.types;
        let data = &types.records[record];
        let fields = data.fields.as_deref().unwrap_or_default();
        let members: Vec<String> =
            fields.iter().enumerate().map(|(idx, field)| self.member(idx, field)).collect();
        let name = format!("weft_type_{}", self.names.len());
        self.names.insert(record, name.clone());
        let word = if data.is_union { "union" } else { "struct" };
        let align = data.align.map(|align| format!(" __attribute__((aligned({align})))")).unwrap_or_default();
        // `packed` is written on each member, which is the same, and `#pragma pack` is around all or none of them.
        let pack = fields.iter().find_map(|field| field.pack.filter(|&pack| pack > 1));
        let around = pack.map(|pack| (format!("#pragma pack(push, {pack})\n"), "#pragma pack(pop)\n"));
        let (before, after) = around.unwrap_or_default();
        let _ = writeln!(self.text, "{before}{word}{align} {name} {{\n{}}};\n{after}", members.concat());
        self.check(&name, record, fields);
        name
    }

    fn member(&mut self, idx: usize, field: &Field) -> String {
        let types = self.types;
        let (mut elem, mut bounds) = (field.ty, String::new());
        while let TyKind::Array(inner, len) = *types.kind(elem) {
            let _ = write!(bounds, "[{}]", len.unwrap_or(0));
            elem = inner;
        }
        let ty = self.scalar_or_record(elem);
        let name =
            if field.bit_width.is_some() && field.name.is_none() { String::new() } else { format!("m{idx}") };
        let width = field.bit_width.map(|width| format!(" : {width}")).unwrap_or_default();
        // A typedef name may have an alignment of its own.
        let of_type = || {
            let written = layout::align_of(types, field.ty).ok()?;
            let canonical = layout::align_of(types, types.canonical(field.ty)).ok()?;
            (written != canonical).then_some(written)
        };
        let align = field.align.or_else(of_type);
        let align = align.map(|align| format!(" __attribute__((aligned({align})))")).unwrap_or_default();
        let packed = if field.pack == Some(1) { " __attribute__((packed))" } else { "" };
        format!("    {ty} {name}{bounds}{width}{align}{packed};\n")
    }

    /// The host's compiler must lay the type out as the device's code does.
    fn check(&mut self, name: &str, record: Record, fields: &[Field]) {
        let Ok(layout) = layout::record_layout(self.types, record) else { return };
        let size = layout.layout.size.max(1);
        let _ = writeln!(
            self.text,
            "static_assert(sizeof({name}) == {size} && alignof({name}) == {}, \"layout\");",
            layout.layout.align
        );
        for (idx, (_, place)) in
            fields.iter().zip(&layout.fields).enumerate().filter(|(_, (field, _))| field.bit_width.is_none())
        {
            let _ = writeln!(
                self.text,
                "static_assert(__builtin_offsetof({name}, m{idx}) == {}, \"layout\");",
                place.offset
            );
        }
    }
}
