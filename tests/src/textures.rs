//! Calls of all functions that read textures, or read and write surfaces, for all types of elements: what a file with them is to
//! nvcc and to `weftc`, and what of it is compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fmt::{self, Display};

/// A call, in a kernel of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    function: String,
    element: &'static str,
    /// The parameters of the kernel behind the handle: types and names.
    params: Vec<(&'static str, &'static str)>,
    /// The arguments behind the handle.
    args: String,
    form: Form,
}

/// How the element gets from or to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `*out = tex2D<float>(handle, …)`
    Value,
    /// `tex2D(out, handle, …)`
    Pointer,
    /// `surf2Dwrite(*out, handle, …)`
    Write,
}

/// What a texture gives.
const TEXELS: &[&str] = &[
    "char",
    "signed char",
    "char1",
    "char2",
    "char4",
    "unsigned char",
    "uchar1",
    "uchar2",
    "uchar4",
    "short",
    "short1",
    "short2",
    "short4",
    "unsigned short",
    "ushort1",
    "ushort2",
    "ushort4",
    "int",
    "int1",
    "int2",
    "int4",
    "unsigned int",
    "uint1",
    "uint2",
    "uint4",
    "float",
    "float1",
    "float2",
    "float4",
];

/// What only a surface has.
const WIDE: &[&str] =
    &["long long", "longlong1", "longlong2", "unsigned long long", "ulonglong1", "ulonglong2"];

/// Geometries, the coordinates of textures, the type of derivatives, and the number of integers that say where on a surface.
const GEOMETRIES: &[(&str, &[&str], &str, usize)] = &[
    ("1D", &["x"], "float", 1),
    ("2D", &["x", "y"], "float2", 2),
    ("3D", &["x", "y", "z"], "float4", 3),
    ("1DLayered", &["x", "layer"], "float", 2),
    ("2DLayered", &["x", "y", "layer"], "float2", 3),
    ("Cubemap", &["x", "y", "z"], "float4", 3),
    ("CubemapLayered", &["x", "y", "z", "layer"], "float4", 3),
];

/// Geometries of which a read can tell of residency.
const TOLD: &[&str] = &["2D", "3D", "2DLayered"];

/// All of them.
pub fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    texture_calls(&mut calls, "tex1Dfetch", &[("int", "x")], None);
    for &(geometry, coordinates, derivative, _) in GEOMETRIES {
        let place: Vec<_> =
            coordinates.iter().map(|&name| (if name == "layer" { "int" } else { "float" }, name)).collect();
        let levels: [(&str, &[(&'static str, &'static str)]); 3] =
            [("", &[]), ("Lod", &[("float", "level")]), ("Grad", &[(derivative, "dx"), (derivative, "dy")])];
        for (level, behind) in levels {
            let params: Vec<_> = place.iter().chain(behind).copied().collect();
            let function = format!("tex{geometry}{level}");
            texture_calls(&mut calls, &function, &params, None);
            if TOLD.contains(&geometry) {
                let told: Vec<_> = params.iter().copied().chain([("bool *", "told")]).collect();
                texture_calls(&mut calls, &function, &told, None);
            }
        }
    }
    let place = [("float", "x"), ("float", "y")];
    for component in [None, Some("0"), Some("1"), Some("2"), Some("3")] {
        texture_calls(&mut calls, "tex2Dgather", &place, component);
        let told = [place[0], place[1], ("bool *", "told")];
        texture_calls(&mut calls, "tex2Dgather", &told, component);
    }
    for &(geometry, _, _, n_integers) in GEOMETRIES {
        let params = [("int", "x"), ("int", "y"), ("int", "z")][..n_integers].to_vec();
        let modes = ["", ", cudaBoundaryModeZero", ", cudaBoundaryModeClamp", ", cudaBoundaryModeTrap"];
        for (mode, &element) in
            modes.iter().flat_map(|mode| TEXELS.iter().chain(WIDE).map(move |it| (mode, it)))
        {
            let accesses = [("read", Form::Value), ("read", Form::Pointer), ("write", Form::Write)];
            for (access, form) in accesses {
                // Of both spellings of a read, one is enough.
                if form == Form::Pointer && !mode.is_empty() {
                    continue;
                }
                let function = format!("surf{geometry}{access}");
                let args = format!("{}{mode}", names(&params));
                calls.push(Call { function, element, params: params.clone(), args, form });
            }
        }
    }
    calls
}

fn texture_calls(
    calls: &mut Vec<Call>,
    function: &str,
    params: &[(&'static str, &'static str)],
    component: Option<&str>,
) {
    let mut args = names(params);
    if let Some(component) = component {
        args = format!("{args}, {component}");
    }
    for &element in TEXELS {
        for form in [Form::Value, Form::Pointer] {
            if form == Form::Pointer && component.is_some() {
                continue;
            }
            let (function, params, args) = (function.to_owned(), params.to_vec(), args.clone());
            calls.push(Call { function, element, params, args, form });
        }
    }
}

fn names(params: &[(&str, &str)]) -> String {
    params.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

impl Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call { function, element, args, form, .. } = self;
        match form {
            Form::Value => write!(f, "*out = {function}<{element}>(handle, {args})"),
            Form::Pointer => write!(f, "{function}(out, handle, {args})"),
            Form::Write => write!(f, "{function}(*out, handle, {args})"),
        }
    }
}

/// A file with a kernel for each call, `k0` and so on.
pub fn source(calls: &[Call]) -> String {
    let mut text = String::new();
    for (idx, call) in calls.iter().enumerate() {
        let handle =
            if call.function.starts_with("surf") { "cudaSurfaceObject_t" } else { "cudaTextureObject_t" };
        let params: String = call.params.iter().map(|(ty, name)| format!(", {ty} {name}")).collect();
        let element = call.element;
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "extern \"C\" __global__ void k{idx}({element} *out, {handle} handle{params}) {{ {call}; }}"
        );
    }
    text
}

/// The instructions of each kernel that have to do with textures and surfaces: names, and operands of which registers have lost
/// theirs.
pub fn instructions(ptx: &str) -> BTreeMap<String, Vec<String>> {
    let mut kernels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current = None;
    for line in ptx.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if let Some((_, name)) = line.split_once(".entry ") {
            current = Some(name.split('(').next().unwrap_or(name).to_owned());
        }
        let is_one = ["tex.", "tld4.", "suld.", "sust."].iter().any(|opcode| line.starts_with(opcode));
        if let (Some(kernel), true) = (&current, is_one) {
            kernels.entry(kernel.clone()).or_default().push(without_names(line));
        }
    }
    kernels
}

/// `%f1` and `%rd12` become `%`, and spaces go.
fn without_names(line: &str) -> String {
    let mut text = String::new();
    let mut is_name = false;
    for c in line.chars().filter(|c| !c.is_whitespace()) {
        is_name = c == '%' || is_name && c.is_ascii_alphanumeric();
        if !is_name || c == '%' {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_read_without_the_names_of_registers() {
        let ptx =
            ".visible .entry k3(\n)\n{\n\ttex.2d.v4.f32.f32 \t{%f3, %f4}|%p1, [%rd2, {%r1, %r1}];\n\tret;\n}";
        let found = instructions(ptx);
        assert_eq!(found["k3"], ["tex.2d.v4.f32.f32{%,%}|%,[%,{%,%}];"]);
    }
}
