//! Textures, samplers and surfaces: through handles, and as variables, in both modes.

use super::{Device, Input, Launch, link, parse};
use crate::texture::{AddressMode, Array, Channel, Filter, Format, Geometry, Object, Sampler};

const ONE: Launch = Launch::new([1; 3], [1, 1, 1]);

/// Runs a kernel `k` with a buffer of words and the handle of an object on another buffer, and returns both.
/// Also binds objects to the named variables.
fn run(
    texts: &[&str],
    array: Array,
    make: impl Fn(Array) -> Object,
    contents: &[u8],
    named: &[&str],
) -> Result<(Vec<u32>, Vec<u8>), String> {
    let modules: Vec<_> =
        texts.iter().map(|text| parse(text).unwrap_or_else(|error| panic!("{error}"))).collect();
    let inputs: Vec<_> =
        texts.iter().zip(&modules).map(|(text, module)| Input { name: "test", text, module }).collect();
    let program = link(&inputs).map_err(|error| error.to_string())?;
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let out = device.global.allocate(32, 16).expect("there is room");
    let texels = device.global.allocate(contents.len() as u64, 16).expect("there is room");
    device.global.write(texels, contents).expect("it is there");
    let object = make(Array { address: texels, ..array });
    for name in named {
        assert!(device.bind_object(name, object.clone()), "there is no `{name}`");
    }
    let handle = device.add_object(object);
    let args = [out.to_le_bytes().to_vec(), handle.to_le_bytes().to_vec()];
    device.launch("k", &ONE, &args).map_err(|fault| fault.to_string())?;
    let (mut bytes, mut texels_after) = ([0; 32], vec![0; contents.len()]);
    device.global.read(out, &mut bytes).expect("it is there");
    device.global.read(texels, &mut texels_after).expect("it is there");
    let words = bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Ok((words.collect(), texels_after))
}

/// A module with a kernel that has its buffer in `%rd1` and the handle in `%rd2`, and stores `%r0` to `%r3`.
fn module(target: &str, variables: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target {target}\n.address_size 64\n{variables}\n.visible .entry k(.param .u64 p, .param .u64 h) {{\n\
         .reg .pred %p<3>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n\
         ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [h]; mov.u32 %r0, 0; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0;\n\
         mov.f32 %f1, 0f3FC00000; mov.f32 %f2, 0f3F000000;\n{body}\n\
         st.global.v4.u32 [%rd1], {{%r0, %r1, %r2, %r3}}; ret; }}"
    )
}

/// Four texels in two rows.
fn square(channel: Channel, n_channels: u32) -> Array {
    let format = Format { channel, n_channels };
    Array { address: 0, format, geometry: Geometry::TwoD, extent: [2, 2, 1], n_layers: 1, n_levels: 1 }
}

fn texture(sampler: Sampler) -> impl Fn(Array) -> Object {
    move |array| Object::Texture(array, sampler)
}

fn floats(all: &[f32]) -> Vec<u8> {
    all.iter().flat_map(|number| number.to_le_bytes()).collect()
}

const READ: &str = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [T, {%f1, %f2}];";

#[test]
fn a_handle_and_a_variable_are_the_same() {
    let contents = floats(&[1.0, 2.0, 3.0, 4.0]);
    let wanted = vec![2.0_f32.to_bits(), 0, 0, 1.0_f32.to_bits(), 0, 0, 0, 0];
    let variable = ".visible .global .texref t;";
    for (variables, body) in [
        ("", READ.replace('T', "%rd2")),
        (variable, READ.replace('T', "t")),
        (variable, format!("mov.u64 %rd3, t; {}", READ.replace('T', "%rd3"))),
        (
            variable,
            format!(
                "mov.u64 %rd3, t; st.global.u64 [%rd1], %rd3; ld.global.u64 %rd4, [%rd1]; {}",
                READ.replace('T', "%rd4")
            ),
        ),
    ] {
        let text = module("sm_75", variables, &body);
        let named: &[&str] = if variables.is_empty() { &[] } else { &["t"] };
        let found = run(&[&text], square(Channel::F32, 1), texture(Sampler::default()), &contents, named);
        assert_eq!(found, Ok((wanted.clone(), contents.clone())), "{body}");
    }
    // A variable of another module, and a function there that takes its handle.
    let text = module(
        "sm_75",
        ".extern .global .texref t; .extern .func (.param .b32 r) f (.param .b64 h);",
        "mov.u64 %rd3, t; { .param .b64 a; .param .b32 v; st.param.b64 [a], %rd3; call (v), f, (a); ld.param.b32 %r0, [v]; }",
    );
    let other = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .global .texref t;\n\
        .visible .func (.param .b32 r) f (.param .b64 h) { .reg .b32 %r<5>; .reg .f32 %f<3>; .reg .b64 %rd<2>;\n\
        ld.param.b64 %rd1, [h]; mov.f32 %f1, 0f3F000000; mov.f32 %f2, 0f3FC00000;\n\
        tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%f1, %f2}]; st.param.b32 [r], %r1; ret; }";
    let found = run(&[&text, other], square(Channel::F32, 1), texture(Sampler::default()), &contents, &["t"]);
    assert_eq!(found.map(|(words, _)| words[0]), Ok(3.0_f32.to_bits()));
}

#[test]
fn in_independent_mode_samplers_say_how_textures_are_read() {
    let contents = floats(&[1.0, 2.0, 3.0, 4.0]);
    let read = |sampler: &str| {
        let variables = format!(".visible .global .texref t;\n.global .samplerref s = {{ {sampler} }};");
        let body = "mov.f32 %f1, 0f3F000000; tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [t, s, {%f1, %f1}];";
        let text = module("sm_75, texmode_independent", &variables, body);
        let normalized = Sampler { has_normalized_coordinates: true, ..Sampler::default() };
        run(&[&text], square(Channel::F32, 1), texture(normalized), &contents, &["t"])
            .map(|(words, _)| f32::from_bits(words[0]))
    };
    assert_eq!(read("filter_mode = linear"), Ok(2.5));
    assert_eq!(read("filter_mode = nearest, addr_mode_0 = wrap, addr_mode_1 = mirror"), Ok(4.0));
    assert_eq!(read("filter_mode = linear, force_unnormalized_coords = 1"), Ok(1.0));
    let error = read("filter_mode = cubic").expect_err("there is no such filter");
    assert!(error.contains("invalid value of the sampler property `filter_mode`"), "{error}");
}

#[test]
fn reads_of_all_forms() {
    let contents: Vec<u8> = vec![1, 255, 2, 254, 3, 253, 4, 252];
    let run_on = |body: &str, sampler| {
        let text = module("sm_75", "", body);
        run(&[&text], square(Channel::S8, 2), texture(sampler), &contents, &[])
            .map(|(words, _)| words[..4].to_vec())
    };
    let plain = Sampler::default();
    let minus = |n: i32| -n as u32;
    let read = "tex.2d.v4.s32.f32 {%r0, %r1, %r2, %r3}|%p1, [%rd2, {%f1, %f2}]; selp.u32 %r2, 7, 8, %p1;";
    assert_eq!(run_on(read, plain), Ok(vec![2, minus(2), 7, 1]));
    let fetch = "mov.u32 %r4, 1; tex.2d.v4.s32.s32 {%r0, %r1, _, _}, [%rd2, {%r4, %r4}];";
    assert_eq!(run_on(fetch, plain), Ok(vec![4, minus(4), 0, 0]));
    let gather = "mov.f32 %f3, 0f3F800000; tld4.g.2d.v4.s32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%f3, %f3}];";
    assert_eq!(run_on(gather, plain), Ok([3, 4, 2, 1].map(minus).to_vec()));
    let query = "txq.width.b32 %r0, [%rd2]; txq.height.b32 %r1, [%rd2]; txq.normalized_coords.b32 %r2, [%rd2]; txq.num_mipmap_levels.b32 %r3, [%rd2];";
    assert_eq!(run_on(query, plain), Ok(vec![2, 2, 0, 0]));
    let normalized = Sampler { gives_normalized: true, filter: Filter::Linear, ..plain };
    let level = "tex.level.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}], %f1; mov.b32 %r0, %f3; mov.b32 %r1, %f4;";
    let scaled = |n: f32| (n / 127.0).to_bits();
    assert_eq!(run_on(level, normalized), Ok(vec![scaled(2.0), scaled(-2.0), 0, 0]));
    let border = Sampler { address_modes: [AddressMode::Border; 3], border: [9.0, 8.0, 0.0, 0.0], ..plain };
    let beside = "mov.f32 %f1, 0fC0000000; tex.base.2d.v4.s32.f32 {%r0, %r1, _, _}, [%rd2, {%f1, %f2}];";
    assert_eq!(run_on(beside, border), Ok(vec![9, 8, 0, 0]));
}

#[test]
fn reports_undefined_texture_accesses() {
    let contents = floats(&[1.0, 2.0, 3.0, 4.0]);
    let fault = |body: &str, sampler: Sampler| {
        let text = module("sm_75", ".visible .global .texref t;", body);
        run(&[&text], square(Channel::F32, 1), texture(sampler), &contents, &[]).expect_err(body)
    };
    let plain = Sampler::default();
    for (body, message) in [
        (READ.replace('T', "%rd1"), "not the handle of a texture"),
        (READ.replace('T', "t"), "not the handle of a texture"),
        (
            "tex.1d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%f1}];".into(),
            "the object is two-dimensional, but is accessed as one-dimensional",
        ),
        (
            READ.replace("T", "%rd2").replace("v4.f32", "v4.u32"),
            "the texels are f32, but the instruction returns `.s32`",
        ),
        (
            "tld4.b.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%f1, %f1}];".into(),
            "the texels have no component 2",
        ),
        (
            "suld.b.2d.b32.trap {%r0}, [%rd2, {%r1, %r1}];".into(),
            "not the handle of a surface, but of another kind of object",
        ),
    ] {
        let error = fault(&body, plain);
        assert!(error.contains(message) && error.contains("in `k`, by thread (0, 0, 0)"), "{body}: {error}");
    }
    let linear = Sampler { filter: Filter::Linear, ..plain };
    let error = fault("tex.2d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%rd2, {%r1, %r1}];", linear);
    assert!(error.contains("texel coordinates cannot be combined"), "{error}");
}

#[test]
fn surfaces_are_read_and_written_by_bytes() {
    let contents: Vec<u8> = (0..16).collect();
    let run_on = |body: &str| {
        let text = module("sm_75", "", body);
        run(&[&text], square(Channel::U16, 2), Object::Surface, &contents, &[])
    };
    let body = "mov.u32 %r4, 6; mov.u32 %r5, 1; mov.u32 %r6, -2; mov.u32 %r7, 9;\n\
        suld.b.2d.b16.trap {%h1}, [%rd2, {%r4, %r5}]; cvt.u32.u16 %r0, %h1;\n\
        suld.b.2d.v2.b8.clamp {%h1, %h2}, [%rd2, {%r7, %r7}]; cvt.u32.u16 %r1, %h1;\n\
        suld.b.2d.v4.b8.zero {%h1, %h2, %h3, %h4}, [%rd2, {%r6, %r5}]; cvt.u32.u16 %r2, %h4;\n\
        suq.width.b32 %r3, [%rd2]; mov.u32 %r7, 0; mov.u64 %rd3, -1;\n\
        sust.b.2d.b64.zero [%rd2, {%r7, %r6}], {%rd3}; sust.b.2d.b64.zero [%rd2, {%r7, %r7}], {%rd3};";
    let (words, texels) = run_on(body).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(words[..4], [0x0f0e, 14, 0, 2]);
    assert_eq!(texels, [&[255; 8][..], &contents[8..]].concat());
    let reduce = "mov.u32 %r4, 4; mov.u32 %r5, 0; mov.u32 %r6, -5; mov.u32 %r7, 1; sured.b.add.2d.u32.trap [%rd2, {%r5, %r5}], %r6;\n\
        sured.b.min.2d.s32.trap [%rd2, {%r4, %r5}], %r6; sured.b.max.2d.u32.trap [%rd2, {%r5, %r7}], %r6;\n\
        sured.b.and.2d.b32.trap [%rd2, {%r5, %r5}], %r7; sured.b.or.2d.b32.trap [%rd2, {%r5, %r5}], %r7;";
    let (_, texels) = run_on(reduce).unwrap_or_else(|error| panic!("{error}"));
    let word = |idx: usize| {
        u32::from_le_bytes([texels[4 * idx], texels[4 * idx + 1], texels[4 * idx + 2], texels[4 * idx + 3]])
    };
    assert_eq!([word(0), word(1), word(2)], [1, -5_i32 as u32, -5_i32 as u32]);
    let error = run_on("mov.u32 %r4, 5; mov.u32 %r5, 0; suld.b.2d.b32.trap {%r0}, [%rd2, {%r4, %r5}];")
        .expect_err("it reaches beyond the row");
    assert!(
        error.contains("access to byte 5 of row 0 in slice or layer 0 is out of bounds; the surface has 1 of 2 rows of 8 bytes"),
        "{error}"
    );
    let error = run_on("mov.u32 %r4, 2; mov.u32 %r5, 0; suld.b.2d.b32.trap {%r0}, [%rd2, {%r4, %r5}];")
        .expect_err("it is misaligned");
    assert!(error.contains("misaligned"), "{error}");
}

#[test]
fn places_are_moved_by_texels() {
    let contents = floats(&[1.0, 2.0, 3.0, 4.0]);
    let run_on = |body: &str, sampler| {
        let text = module("sm_75", "", body);
        run(&[&text], square(Channel::F32, 1), texture(sampler), &contents, &[])
            .map(|(words, _)| words[..4].iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>())
    };
    let plain = Sampler::default();
    let linear = Sampler { filter: Filter::Linear, ..plain };
    let wrap = Sampler {
        address_modes: [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Wrap],
        has_normalized_coordinates: true,
        ..plain
    };
    // 1.5, 0.5: the texel 2.
    let read = |offset: &str| format!("tex.2d.v4.f32.f32 {{%r0, _, _, _}}, [%rd2, {{%f1, %f2}}], {offset};");
    assert_eq!(run_on(&read("{-1, 1}"), plain).map(|found| found[0]), Ok(3.0));
    assert_eq!(run_on(&read("{-8, 7}"), plain).map(|found| found[0]), Ok(3.0));
    assert_eq!(run_on(&read("{-1, 0, 5, 5}"), plain).map(|found| found[0]), Ok(1.0));
    // Of an image of two rows and columns a texel is half of it: 2 and 1 again, to the first of the next copies, or in the mirror.
    let body = format!("mov.f32 %f1, 0f3F400000; mov.f32 %f2, 0f3E800000; {}", read("{1, 0}"));
    assert_eq!(run_on(&body, wrap).map(|found| found[0]), Ok(1.0));
    let body = format!("mov.f32 %f1, 0f3F400000; mov.f32 %f2, 0f3F400000; {}", read("{0, 1}"));
    assert_eq!(run_on(&body, wrap).map(|found| found[0]), Ok(4.0));
    // A coordinate between two texels does not change.
    let body = "mov.f32 %f1, 0f3F800000; tex.level.2d.v4.f32.f32 {%r0, _, _, _}, [%rd2, {%f1, %f2}], %f2, {0, 1};\n\
        tex.grad.2d.v4.f32.f32 {%r1, _, _, _}, [%rd2, {%f1, %f2}], {%f1, %f1}, {%f1, %f1}, {-1, 0};\n\
        mov.u32 %r4, 1; tex.base.2d.v4.f32.s32 {%r2, _, _, _}, [%rd2, {%r4, %r4}], {-1, 0};";
    let error = run_on(body, linear).expect_err("texels are fetched through a filter");
    assert!(error.contains("texel coordinates cannot be combined"), "{error}");
    let body = body.split("mov.u32 %r4").next().unwrap_or_default();
    assert_eq!(run_on(body, linear).map(|found| (found[0], found[1])), Ok((3.5, 1.0)));
    let fetch = "mov.u32 %r4, 1; tex.2d.v4.f32.s32 {%r0, _, _, _}, [%rd2, {%r4, %r4}], {-1, 0};\n\
        tex.2d.v4.f32.s32 {%r1, _, _, _}, [%rd2, {%r4, %r4}], {1, 0};";
    assert_eq!(run_on(fetch, plain).map(|found| (found[0], found[1])), Ok((3.0, 0.0)));
    let gather =
        "mov.f32 %f1, 0f3F800000; tld4.r.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%f1, %f1}], {1, 0};";
    assert_eq!(run_on(gather, plain), Ok(vec![4.0, 4.0, 2.0, 2.0]));
    let error =
        run_on("mov.u32 %r4, 8; tex.2d.v4.f32.f32 {%r0, _, _, _}, [%rd2, {%f1, %f2}], {%r4, %r4};", plain)
            .expect_err("it is too far");
    assert!(error.contains("offset is 8 texels; it must be from -8 to 7"), "{error}");
}

#[test]
fn texels_of_an_image_are_fetched_by_its_number() {
    let array = Array { n_levels: 2, ..square(Channel::F32, 1) };
    let contents = floats(&[1.0, 2.0, 3.0, 4.0, 9.0]);
    let run_on = |level: &str| {
        let body = format!(
            "mov.u32 %r4, 0; mov.u32 %r5, {level}; tex.level.2d.v4.f32.s32 {{%r0, _, _, _}}, [%rd2, {{%r4, %r4}}], %r5;\n\
             txq.num_mipmap_levels.b32 %r1, [%rd2]; txq.level.width.b32 %r2, [%rd2], %r5;"
        );
        let text = module("sm_75", "", &body);
        run(&[&text], array, texture(Sampler::default()), &contents, &[])
            .map(|(words, _)| (f32::from_bits(words[0]), words[1], words[2]))
    };
    assert_eq!(run_on("0"), Ok((1.0, 2, 2)));
    assert_eq!(run_on("1"), Ok((9.0, 2, 1)));
    let error = run_on("2").expect_err("there are two");
    assert!(error.contains("no mipmap level 2"), "{error}");
}

#[test]
fn numbers_of_texels_are_given_as_halves() {
    let contents = floats(&[1.0, -2.0, 0.1, 65520.0]);
    let array = Array { extent: [1, 1, 1], ..square(Channel::F32, 4) };
    let body = "tex.2d.v2.f16x2.f32 {%r0, %r1}, [%rd2, {%f1, %f2}];\n\
        tex.2d.v4.f16.f32 {%h1, %h2, %h3, %h4}, [%rd2, {%f1, %f2}]; mov.b32 %r2, {%h1, %h2}; mov.b32 %r3, {%h3, %h4};";
    let found = run(&[&module("sm_75", "", body)], array, texture(Sampler::default()), &contents, &[]);
    // 65520 is halfway between the largest finite half and the next step.
    let both = [0xc000_3c00, 0x7c00_2e66];
    assert_eq!(found.map(|(words, _)| words[..4].to_vec()), Ok([both, both].concat()));
}

#[test]
fn four_texels_are_gathered_from_layers_and_faces() {
    let contents = floats(&(0..48).map(|number| number as f32).collect::<Vec<_>>());
    let read = |geometry, n_layers, body: &str| {
        let array = Array { geometry, n_layers, ..square(Channel::F32, 1) };
        run(&[&module("sm_75", "", body)], array, texture(Sampler::default()), &contents, &[])
            .map(|(words, _)| words[..4].iter().map(|&word| f32::from_bits(word) as u32).collect::<Vec<_>>())
    };
    let body = "mov.f32 %f1, 0f3F800000; mov.u32 %r4, 5; tld4.r.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%r4, %f1, %f1, %f1}];";
    assert_eq!(read(Geometry::TwoDLayered, 12, body), Ok(vec![22, 23, 21, 20]));
    let body = "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f00000000;\n\
        tld4.r.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%f2, %f1, %f2, %f2}];";
    assert_eq!(read(Geometry::Cubemap, 6, body), Ok(vec![10, 11, 9, 8]));
    let body = "mov.u32 %r4, 1; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f00000000;\n\
        tld4.r.acube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd2, {%r4, %f2, %f1, %f2}];";
    assert_eq!(read(Geometry::CubemapLayered, 12, body), Ok(vec![34, 35, 33, 32]));
}

#[test]
fn rejects_undocumented_forms() {
    let contents = floats(&[1.0, 2.0, 3.0, 4.0]);
    for (body, message) in [
        (
            "tex.2d.v4.f32.f32 {%r0, _, _, _}, [%rd2, {%f1, %f2}], %f1;",
            "depth comparison is a property of the sampler",
        ),
        (
            "tld4.r.2d.v4.f32.f32 {%r0, _, _, _}, [%rd2, {%f1, %f2}], {1, 1}, %f1;",
            "depth comparison is a property of the sampler",
        ),
        (
            "mov.u32 %r4, 0; tex.2dms.v4.f32.s32 {%r0, _, _, _}, [%rd2, {%r4, %r4, %r4, %r4}];",
            "multi-sample textures cannot be created with CUDA",
        ),
        (
            "mov.u32 %r4, 0; tex.grad.2d.v4.f32.s32 {%r0, _, _, _}, [%rd2, {%r4, %r4}], {%f1, %f1}, {%f1, %f1};",
            "derivatives with texel coordinates",
        ),
        ("txq.channel_order.b32 %r0, [%rd2];", "the channel data type is queried"),
        ("txq.depth.b32 %r0, [%rd2];", "the object is two-dimensional and has no depth"),
    ] {
        let array = square(Channel::F32, 1);
        let error = run(&[&module("sm_75", "", body)], array, texture(Sampler::default()), &contents, &[])
            .expect_err(body);
        assert!(error.contains(message), "{body}: {error}");
    }
}

#[test]
fn variables_and_samplers_are_asked() {
    let body = "txq.filter_mode.b32 %r0, [s]; txq.addr_mode_0.b32 %r1, [s]; txq.addr_mode_2.b32 %r2, [s];\n\
        txq.force_unnormalized_coords.b32 %r3, [s]; shl.b32 %r1, %r1, 4; shl.b32 %r2, %r2, 8; shl.b32 %r3, %r3, 12;\n\
        or.b32 %r0, %r0, %r1; or.b32 %r0, %r0, %r2; or.b32 %r0, %r0, %r3;\n\
        mov.u64 %rd3, s; istypep.samplerref %p1, %rd3; selp.u32 %r1, 1, 0, %p1; mov.u64 %rd3, u; istypep.surfref %p1, %rd3;\n\
        selp.u32 %r2, 2, 0, %p1; or.b32 %r1, %r1, %r2; istypep.texref %p1, %rd3; selp.u32 %r2, 4, 0, %p1; or.b32 %r1, %r1, %r2;\n\
        istypep.texref %p1, %rd2; selp.u32 %r2, 8, 0, %p1; or.b32 %r1, %r1, %r2;\n\
        txq.num_samples.b32 %r2, [%rd2]; txq.array_size.b32 %r3, [%rd2];";
    let variables = ".global .surfref u;\n.global .samplerref s = { filter_mode = linear, addr_mode_0 = mirror,\n\
        addr_mode_2 = clamp_to_border, force_unnormalized_coords = 1 };";
    let text = module("sm_75, texmode_independent", variables, body);
    let found = run(&[&text], square(Channel::F32, 1), texture(Sampler::default()), &floats(&[0.0; 4]), &[]);
    assert_eq!(found.map(|(words, _)| words[..4].to_vec()), Ok(vec![0x1411, 1 | 2 | 8, 0, 0]));
    let error = run(
        &[&module("sm_75", "", "txq.force_unnormalized_coords.b32 %r0, [%rd2];")],
        square(Channel::F32, 1),
        texture(Sampler::default()),
        &floats(&[0.0; 4]),
        &[],
    );
    assert!(
        error
            .is_err_and(|error| error.contains("not the handle of a sampler, but of another kind of object"))
    );
}

#[test]
fn numbers_become_those_of_a_surfaces_texels() {
    let run_on = |channel, n_channels, body: &str| {
        let size = Format { channel, n_channels }.size() as usize * 4;
        run(
            &[&module("sm_75", "", body)],
            square(channel, n_channels),
            Object::Surface,
            &vec![0x55; size],
            &[],
        )
        .map(|(_, texels)| texels)
    };
    let store = "mov.u32 %r4, 1; mov.u32 %r5, 0; mov.u32 %r6, -2; mov.u32 %r7, 9; sust.p.2d.v2.b32.trap [%rd2, {%r4, %r5}], {%r6, %r7};";
    let untouched =
        |texels: &[u8], n: usize| texels[..n].iter().chain(&texels[2 * n..]).all(|&byte| byte == 0x55);
    let texels = run_on(Channel::S8, 2, store).unwrap_or_else(|error| panic!("{error}"));
    assert!(texels[2..4] == [0xfe, 9] && untouched(&texels, 2), "{texels:?}");
    // Writing channels that a texel lacks has no effect.
    let texels = run_on(Channel::S16, 1, store).unwrap_or_else(|error| panic!("{error}"));
    assert!(texels[2..4] == [0xfe, 0xff] && untouched(&texels, 2), "{texels:?}");
    let texels = run_on(Channel::U32, 1, store).unwrap_or_else(|error| panic!("{error}"));
    assert!(texels[4..8] == [0xfe, 0xff, 0xff, 0xff] && untouched(&texels, 4), "{texels:?}");
    let error = run_on(Channel::U8, 2, store).expect_err("a byte has no such number");
    assert!(error.contains("which cannot represent the stored value"), "{error}");
    let error = run_on(Channel::S32, 4, store).expect_err("two are missing");
    assert!(error.contains("the texels are 4 of i32, but only 2 stored"), "{error}");
    // 1.5 and 0.5 are exact as halves, and a third is not.
    let halves = "mov.u32 %r4, 1; mov.u32 %r5, 0; sust.p.2d.v2.b32.clamp [%rd2, {%r4, %r5}], {%f1, %f2};";
    let texels = run_on(Channel::F16, 2, halves).unwrap_or_else(|error| panic!("{error}"));
    assert!(texels[4..8] == [0x00, 0x3e, 0x00, 0x38] && untouched(&texels, 4), "{texels:?}");
    let third = halves.replace("sust", "mov.f32 %f1, 0f3EAAAAAB; sust");
    let error = run_on(Channel::F16, 2, &third).expect_err("it would have to be rounded");
    assert!(error.contains("the texels are 2 of f16"), "{error}");
    // Outside the surface.
    let beside = store.replace("%r4, 1", "%r4, 2");
    let error = run_on(Channel::S8, 2, &beside).expect_err("there are two in a row");
    assert!(error.contains("access to byte 4 of row 0"), "{error}");
    assert_eq!(run_on(Channel::S8, 2, &beside.replace("trap", "zero")), Ok(vec![0x55; 8]));
    let texels =
        run_on(Channel::S8, 2, &beside.replace("trap", "clamp")).unwrap_or_else(|error| panic!("{error}"));
    assert!(texels[2..4] == [0xfe, 9] && untouched(&texels, 2), "{texels:?}");
}

#[test]
fn reductions_take_their_sign_from_the_texels() {
    let run_on = |channel, n_channels, body: &str| {
        let size = Format { channel, n_channels }.size() as usize * 4;
        run(
            &[&module("sm_75", "", body).replace("8.0", "8.1")],
            square(channel, n_channels),
            Object::Surface,
            &vec![1; size],
            &[],
        )
        .map(|(_, texels)| texels)
    };
    let words = "mov.u32 %r4, 1; mov.u32 %r5, 0; mov.u32 %r6, -1; sured.p.min.2d.b32.trap [%rd2, {%r4, %r5}], %r6;\n\
        sured.p.max.2d.b32.trap [%rd2, {%r5, %r4}], %r6; sured.p.add.2d.b32.trap [%rd2, {%r4, %r4}], %r4;";
    let (one, ones) = (vec![1_u8; 4], vec![255_u8; 4]);
    assert_eq!(run_on(Channel::S32, 1, words), Ok([&one[..], &ones, &one, &[2, 1, 1, 1]].concat()));
    assert_eq!(run_on(Channel::U32, 1, words), Ok([&one[..], &one, &ones, &[2, 1, 1, 1]].concat()));
    let pairs =
        "mov.u32 %r4, 1; mov.u32 %r5, 0; mov.u64 %rd3, -1; sured.p.min.2d.b64.trap [%rd2, {%r4, %r5}], %rd3;";
    assert_eq!(run_on(Channel::S32, 2, pairs), Ok([&[1; 8][..], &[255; 8], &[1; 16]].concat()));
    assert_eq!(run_on(Channel::U32, 2, pairs), Ok(vec![1; 32]));
    let error = run_on(Channel::U16, 2, words).expect_err("they are no integers of 32 bits");
    assert!(
        error.contains("the texels are 2 of u16, but the reduction is on integers of 32 bits"),
        "{error}"
    );
    let bytes = "mov.u32 %r4, 8; mov.u32 %r5, 0; mov.u64 %rd3, -1; sured.b.min.2d.s64.trap [%rd2, {%r4, %r5}], %rd3;\n\
        sured.b.max.2d.u64.trap [%rd2, {%r5, %r5}], %rd3;";
    assert_eq!(run_on(Channel::U32, 2, bytes), Ok([&[255; 16][..], &[1; 16]].concat()));
}
