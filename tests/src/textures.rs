//! Calls of all functions that access textures or surfaces, for all element types: as files for nvcc and
//! `weftc`, and the parts of the PTX that are compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fmt::{self, Display};

/// A call, in a separate kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    function: String,
    element: &'static str,
    /// The parameters of the kernel after the handle: types and names.
    params: Vec<(&'static str, &'static str)>,
    /// The arguments after the handle.
    args: String,
    form: Form,
}

/// How the function transfers the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `*out = tex2D<float>(handle, …)`
    Value,
    /// `tex2D(out, handle, …)`
    Pointer,
    /// `surf2Dwrite(*out, handle, …)`
    Write,
}

/// The element types of texture reads.
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

/// Element types that only surfaces support.
const WIDE: &[&str] =
    &["long long", "longlong1", "longlong2", "unsigned long long", "ulonglong1", "ulonglong2"];

/// Geometries, the texture coordinates, the type of derivatives, and the number of integer coordinates of a
/// surface.
const GEOMETRIES: &[(&str, &[&str], &str, usize)] = &[
    ("1D", &["x"], "float", 1),
    ("2D", &["x", "y"], "float2", 2),
    ("3D", &["x", "y", "z"], "float4", 3),
    ("1DLayered", &["x", "layer"], "float", 2),
    ("2DLayered", &["x", "y", "layer"], "float2", 3),
    ("Cubemap", &["x", "y", "z"], "float4", 3),
    ("CubemapLayered", &["x", "y", "z", "layer"], "float4", 3),
];

/// Geometries whose reads can report residency.
const WITH_RESIDENCY: &[&str] = &["2D", "3D", "2DLayered"];

/// All calls.
pub fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    texture_calls(&mut calls, "tex1Dfetch", &[("int", "x")], None);
    for &(geometry, coordinates, derivative, _) in GEOMETRIES {
        let place: Vec<_> =
            coordinates.iter().map(|&name| (if name == "layer" { "int" } else { "float" }, name)).collect();
        let levels: [(&str, &[(&'static str, &'static str)]); 3] =
            [("", &[]), ("Lod", &[("float", "level")]), ("Grad", &[(derivative, "dx"), (derivative, "dy")])];
        for (level, level_params) in levels {
            let params: Vec<_> = place.iter().chain(level_params).copied().collect();
            let function = format!("tex{geometry}{level}");
            texture_calls(&mut calls, &function, &params, None);
            if WITH_RESIDENCY.contains(&geometry) {
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
                // One of the two spellings of a read is enough.
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

impl Call {
    /// The arguments of its kernel in the emulator, by the grammar of `weftc run`, and which of them are
    /// buffers that may change: a texture or surface of the function's geometry with elements of the call's
    /// type, and coordinates that are not the middle of a texel.
    pub fn arguments(&self) -> Vec<String> {
        let number = match self.element.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "char" | "signed char" => "i8",
            "unsigned char" | "uchar" => "u8",
            "short" => "i16",
            "unsigned short" | "ushort" => "u16",
            "int" => "i32",
            "unsigned int" | "uint" => "u32",
            "long long" | "longlong" => "i64",
            "unsigned long long" | "ulonglong" => "u64",
            _ => "f32",
        };
        let n_numbers = self.element.chars().last().and_then(|last| last.to_digit(10)).unwrap_or(1);
        let (n_bytes, is_surface) =
            (number[1..].parse::<u32>().unwrap_or(8) / 8 * n_numbers, self.is_surface());
        let mut arguments = vec![format!("{number}[{n_numbers}]=random(3)"), self.object(number, n_numbers)];
        for &(ty, name) in &self.params {
            arguments.push(match (ty, name) {
                // The first coordinate of a surface counts bytes.
                ("int", "x") if is_surface => n_bytes.to_string(),
                ("int", "x") => "3".into(),
                ("int", "layer") => "1".into(),
                ("int", _) => "1".into(),
                ("bool *", _) => "u8[1]".into(),
                ("float", "x") => "1.375".into(),
                ("float", "y") => "-0.75".into(),
                ("float", "z") => "0.875".into(),
                ("float", "level") => "0.625".into(),
                ("float", "dx") => "1.5".into(),
                ("float", _) => "2".into(),
                ("float2", "dx") => "{f32:1.5, f32:0}".into(),
                ("float2", _) => "{f32:0.25, f32:2.5}".into(),
                ("float4", "dx") => "{f32:0, f32:1.5, f32:0.5, f32:0}".into(),
                // nvcc 13.5 reads y of `dx` instead of z of `dy` there, and for no other type: so they are
                // the same.
                _ if self.function == "texCubemapLayeredGrad" && self.element == "short" => {
                    "{f32:0.25, f32:0, f32:1.5, f32:0}".into()
                }
                _ => "{f32:0.25, f32:0, f32:2.5, f32:0}".into(),
            });
        }
        arguments
    }

    fn is_surface(&self) -> bool {
        self.function.starts_with("surf")
    }

    /// The texture or surface; a texture read returns all four channels.
    fn object(&self, number: &str, n_numbers: u32) -> String {
        let name = self.function.trim_start_matches("tex").trim_start_matches("surf");
        let (shape, geometry) = match name {
            _ if name.starts_with("CubemapLayered") => ("12, 4, 4", "layered_cubemap"),
            _ if name.starts_with("Cubemap") => ("6, 4, 4", "cubemap"),
            _ if name.starts_with("1DLayered") => ("3, 8", "layered1d"),
            _ if name.starts_with("2DLayered") => ("3, 4, 8", "layered2d"),
            "1Dfetch" => ("8", "linear_memory"),
            _ if name.starts_with("1D") => ("8", "1d"),
            _ if name.starts_with("2D") => ("4, 8", "2d"),
            _ => ("3, 4, 8", "3d"),
        };
        if self.is_surface() {
            // Channels have at most 32 bits: a wider element has two.
            let (number, n_numbers) = match number {
                "i64" | "u64" => ("u32", 2 * n_numbers),
                _ => (number, n_numbers),
            };
            return format!("it=surface({number}[{shape}, {n_numbers}]=random(1), {geometry})");
        }
        let filter = if number == "f32" && name != "1Dfetch" { ", linear" } else { "" };
        // A single array has only one level: reads with a level have three, one after the other.
        let has_levels = name.ends_with("Lod") || name.ends_with("Grad");
        let (shape, geometry) = match geometry {
            "1d" if has_levels => ("14", "1d(8), levels(3), mip_linear"),
            "2d" if has_levels => ("42", "2d(8, 4), levels(3), mip_linear"),
            "3d" if has_levels => ("106", "3d(8, 4, 3), levels(3), mip_linear"),
            "layered1d" if has_levels => ("42", "layered1d(8, 3), levels(3), mip_linear"),
            "layered2d" if has_levels => ("126", "layered2d(8, 4, 3), levels(3), mip_linear"),
            "cubemap" if has_levels => ("126", "cubemap(4, 4, 6), levels(3), mip_linear"),
            "layered_cubemap" if has_levels => ("252", "layered_cubemap(4, 4, 12), levels(3), mip_linear"),
            _ => (shape, geometry),
        };
        let mip =
            if number == "f32" { geometry.to_owned() } else { geometry.replace("mip_linear", "mip_point") };
        format!("texture({number}[{shape}, 4]=random(1), {mip}{filter})")
    }
}

/// A module with one kernel of a PTX text, which calls no functions.
pub fn alone(ptx: &str, idx: usize) -> Option<String> {
    let head = ptx.find(".address_size").map(|at| at + ptx[at..].find('\n').unwrap_or(0))?;
    let from = ptx.find(&format!(".visible .entry k{idx}("))?;
    let len = ptx[from..].find("\n}")?;
    Some(format!("{}\n{}\n}}\n", &ptx[..head], &ptx[from..from + len]))
}

/// The texture and surface instructions of each kernel: names, and operands without register names.
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
    fn kernels_are_taken_out_of_their_module() {
        let ptx = ".version 6.3\n.target sm_75\n.address_size 64\n\n.visible .entry k1(\n)\n{\n\tret;\n}\n.visible .entry k10(\n)\n{\n\texit;\n}\n";
        let alone = alone(ptx, 1).expect("it is there");
        assert_eq!(
            alone,
            ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k1(\n)\n{\n\tret;\n}\n"
        );
    }

    #[test]
    fn instructions_are_read_without_the_names_of_registers() {
        let ptx =
            ".visible .entry k3(\n)\n{\n\ttex.2d.v4.f32.f32 \t{%f3, %f4}|%p1, [%rd2, {%r1, %r1}];\n\tret;\n}";
        let found = instructions(ptx);
        assert_eq!(found["k3"], ["tex.2d.v4.f32.f32{%,%}|%,[%,{%,%}];"]);
    }
}
