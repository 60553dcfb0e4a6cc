//! Texture reads and surface accesses, through object handles.
//!
//! LLVM has intrinsics for all of them except reads that report residency, which are inline PTX. Parts of an
//! instruction that are variable in the program (the boundary mode of a surface, the gathered component) are
//! selected by a `switch`, like in nvcc; an invalid value has no effect, and an undefined result.
//!
//! A texture read returns four 32-bit numbers, and a surface read returns numbers of the element size in
//! registers of at least 16 bits: the program's type determines their conversion (PTX ISA "tex", "tld4",
//! "suld", "sust").

use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue};
use weft_frontend::ir::{Expr, ExprNode, Geometry, Level, Place, PlaceData, Residency, TextureOp, Ty};

use crate::builtin::Builtins;
use crate::place::Address;
use crate::types::Shape;
use crate::{Bug, addr_space};

/// The type of an access: a number, or a vector of them.
struct Element<'ctx> {
    /// The numbers in their memory representation.
    scalar: BasicTypeEnum<'ctx>,
    /// The size of a number in bytes.
    size: u64,
    n_elems: u32,
    /// Whether it is a vector, even of one number.
    is_record: bool,
    is_signed: bool,
}

/// The numbers of an instruction.
type Numbers<'ctx> = Vec<BasicValueEnum<'ctx>>;

/// The components that can be gathered, by index.
const COMPONENTS: [&str; 4] = ["r", "g", "b", "a"];

/// The boundary modes of a surface, by enumerator value (`cudaSurfaceBoundaryMode`).
const MODES: [&str; 3] = ["zero", "clamp", "trap"];

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_texture(
        &mut self,
        op: TextureOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match op {
            TextureOp::TextureFetch => self.lower_fetch(args, node).map(Some),
            TextureOp::TextureRead(geometry, level, residency) => {
                self.lower_texture_read((geometry, level, residency), args, node).map(Some)
            }
            TextureOp::TextureGather(residency) => self.lower_gather(residency, args, node).map(Some),
            TextureOp::SurfaceRead(geometry) => self.lower_surface_read(geometry, args, node).map(Some),
            TextureOp::SurfaceWrite(geometry) => {
                self.lower_surface_write(geometry, args, node).map(|()| None)
            }
        }
    }

    /// The handle of a variable that is a texture or surface.
    pub(crate) fn lower_opaque_handle(
        &mut self,
        place: Place,
        ty: Ty,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        if self.cx.ir.types.opaque(ty).is_none() {
            return Ok(None);
        }
        let PlaceData::Global(global) = self.exprs.body.places[place].data else { return Ok(None) };
        let variable = self.cx.globals[global].ok_or("a variable that was not declared")?;
        let space = self.cx.llvm.ptr_type(addr_space::GLOBAL.into());
        let variable = variable.as_pointer_value();
        self.code
            .call_intrinsic("llvm.nvvm.texsurf.handle.internal", &[space.into()], &[variable.into()])
            .map(Some)
    }

    fn lower_fetch(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [handle, x] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let element = self.element(node.ty)?;
        let name = format!("llvm.nvvm.tex.unified.1d.v4{}.s32", element.texel());
        let texel = self.read_numbers(&name, &[handle.into(), x.into()], 4)?;
        self.texel_value(&element, &texel)
    }

    fn lower_texture_read(
        &mut self,
        (geometry, level, residency): (Geometry, Level, Residency),
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (told, args) = match (residency, args.split_last()) {
            (Residency::Reported, Some((&told, others))) => (Some(told), others),
            _ => (None, args),
        };
        let (place, rest) = args.split_at(1 + geometry.n_coordinates() + usize::from(geometry.is_layered()));
        let mut operands = Numbers::new();
        for &arg in place {
            operands.push(self.exprs.lower_scalar(arg)?);
        }
        // In instructions the layer precedes the coordinates.
        if geometry.is_layered()
            && let Some(layer) = operands.pop()
        {
            operands.insert(1, layer);
        }
        let n_place = operands.len();
        for &arg in rest {
            self.push_derivatives(arg, geometry.n_coordinates(), &mut operands)?;
        }
        let told = told.map(|told| self.exprs.lower_scalar(told)).transpose()?;
        self.exprs.debug.locate(node.span);
        let element = self.element(node.ty)?;
        let level = match level {
            Level::Base => "",
            Level::Lod => ".level",
            Level::Grad => ".grad",
        };
        let texel = if let Some(told) = told {
            let instruction = format!("tex{level}.{}.v4.{}.f32", ptx_geometry(geometry), element.texel());
            let (place, rest_operands) = operands.split_at(n_place);
            let (numbers, resident) =
                self.read_with_residency(&instruction, geometry, place, rest_operands)?;
            self.store_resident(told, resident)?;
            numbers
        } else {
            let name =
                format!("llvm.nvvm.tex.unified.{}{level}.v4{}.f32", llvm_geometry(geometry), element.texel());
            let operands: Vec<BasicMetadataValueEnum<'ctx>> = operands.into_iter().map(Into::into).collect();
            self.read_numbers(&name, &operands, 4)?
        };
        self.texel_value(&element, &texel)
    }

    /// The level, or a derivative for each coordinate: one, or those in a vector.
    fn push_derivatives(
        &mut self,
        arg: Expr,
        n_coordinates: usize,
        to: &mut Numbers<'ctx>,
    ) -> Result<(), Bug> {
        if self.cx.shape(self.exprs.body.exprs[arg].ty) != Shape::Record {
            to.push(self.exprs.lower_scalar(arg)?);
            return Ok(());
        }
        let from = self.exprs.lower_record(arg)?;
        for idx in 0..n_coordinates as u64 {
            let at = self.code.memory().byte_offset(from, 4 * idx)?;
            to.push(self.code.memory().load_part(at, self.cx.tys.f32.into())?);
        }
        Ok(())
    }

    /// An instruction that reports residency: four numbers, and whether all of them were resident.
    fn read_with_residency(
        &self,
        instruction: &str,
        geometry: Geometry,
        place: &[BasicValueEnum<'ctx>],
        rest_operands: &[BasicValueEnum<'ctx>],
    ) -> Result<(Numbers<'ctx>, BasicValueEnum<'ctx>), Bug> {
        // The result registers are numbered before those of the operands.
        let mut next = 5..;
        let mut names =
            |n: usize| -> Vec<String> { next.by_ref().take(n).map(|idx| format!("${idx}")).collect() };
        let (handle, mut at) = (names(1).join(""), names(place.len() - 1));
        // PTX lists have one, two or four elements.
        if at.len() == 3
            && let Some(last) = at.last().cloned()
        {
            at.push(last);
        }
        let mut text = format!("{instruction} {{$0, $1, $2, $3}}|$4, [{handle}, {{{}}}]", at.join(", "));
        match rest_operands.len() {
            0 => {}
            1 => text += &format!(", {}", names(1).join("")),
            n => {
                for _ in 0..2 {
                    let mut list = names(n / 2);
                    if geometry == Geometry::ThreeD {
                        list.extend(list.last().cloned());
                    }
                    text += &format!(", {{{}}}", list.join(", "));
                }
            }
        }
        text.push(';');
        let number: BasicTypeEnum<'ctx> =
            if text.contains(".v4.f32") { self.cx.tys.f32.into() } else { self.cx.tys.i32.into() };
        let resident = self.cx.llvm.bool_type();
        let ret = self.cx.llvm.struct_type(&[number, number, number, number, resident.into()], false);
        let args: Vec<BasicMetadataValueEnum<'ctx>> =
            place.iter().chain(rest_operands).map(|&value| value.into()).collect();
        let all = self.code.asm_load(&text, ret.into(), &args)?.into_struct_value();
        let mut numbers = Numbers::new();
        for idx in 0..4 {
            numbers.push(self.code.builder.build_extract_value(all, idx, "")?);
        }
        Ok((numbers, self.code.builder.build_extract_value(all, 4, "")?))
    }

    fn store_resident(&self, to: BasicValueEnum<'ctx>, resident: BasicValueEnum<'ctx>) -> Result<(), Bug> {
        let byte = self.code.builder.build_int_z_extend(resident.into_int_value(), self.cx.tys.i8, "")?;
        self.code
            .memory()
            .store_part(Address { ptr: to.into_pointer_value(), align: 1, volatile: false }, byte.into())
    }

    fn lower_gather(
        &mut self,
        residency: Residency,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (told, place, component) = match (residency, args) {
            (Residency::Assumed, &[handle, x, y, component]) => (None, [handle, x, y], component),
            (Residency::Reported, &[handle, x, y, told, component]) => {
                (Some(told), [handle, x, y], component)
            }
            _ => return Err(Bug::from("a gather with other operands")),
        };
        let place = self.lower_scalars::<3>(&place)?;
        let told = told.map(|told| self.exprs.lower_scalar(told)).transpose()?;
        let component = self.exprs.lower_scalar(component)?.into_int_value();
        self.exprs.debug.locate(node.span);
        let element = self.element(node.ty)?;
        let number: BasicTypeEnum<'ctx> =
            if element.texel() == "f32" { self.cx.tys.f32.into() } else { self.cx.tys.i32.into() };
        let mut tys = vec![number; 4];
        if told.is_some() {
            tys.push(self.cx.llvm.bool_type().into());
        }
        let numbers = self.one_of(component, &COMPONENTS, &tys, |component| {
            if told.is_none() {
                let name = format!("llvm.nvvm.tld4.unified.{component}.2d.v4{}.f32", element.texel());
                return self.read_numbers(&name, &place.map(Into::into), 4);
            }
            let instruction = format!("tld4.{component}.2d.v4.{}.f32", element.texel());
            let (mut numbers, resident) =
                self.read_with_residency(&instruction, Geometry::TwoD, &place, &[])?;
            numbers.push(resident);
            Ok(numbers)
        })?;
        if let (Some(told), Some(&resident)) = (told, numbers.get(4)) {
            self.store_resident(told, resident)?;
        }
        self.texel_value(&element, &numbers)
    }

    fn lower_surface_read(
        &mut self,
        geometry: Geometry,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (place, mode) = self.lower_surface_place(geometry, args)?;
        self.exprs.debug.locate(node.span);
        let element = self.element(node.ty)?;
        let register = self.surface_register(&element)?;
        let tys = vec![register; element.n_elems as usize];
        let numbers = self.one_of(mode, &MODES, &tys, |mode| {
            let name = format!("llvm.nvvm.suld.{}.{}.{mode}", surface_geometry(geometry), element.surface());
            self.read_numbers(&name, &place, element.n_elems)
        })?;
        let mut elems = Numbers::new();
        for number in numbers {
            elems.push(match (number, element.scalar) {
                (BasicValueEnum::IntValue(int), BasicTypeEnum::IntType(ty)) => {
                    self.code.builder.build_int_truncate_or_bit_cast(int, ty, "")?.into()
                }
                (number, ty) => self.code.builder.build_bit_cast(number, ty, "")?,
            });
        }
        self.whole(&element, &elems)
    }

    fn lower_surface_write(&mut self, geometry: Geometry, args: &[Expr], node: &ExprNode) -> Result<(), Bug> {
        let (&value, rest) = args.split_first().ok_or("a write without a value")?;
        let element = self.element(self.exprs.body.exprs[value].ty)?;
        let mut elems = Numbers::new();
        if element.is_record {
            let from = self.exprs.lower_record(value)?;
            for idx in 0..u64::from(element.n_elems) {
                let at = self.code.memory().byte_offset(from, idx * element.size)?;
                elems.push(self.code.memory().load_part(at, element.scalar)?);
            }
        } else {
            elems.push(self.exprs.lower_scalar(value)?);
        }
        let (mut operands, mode) = self.lower_surface_place(geometry, rest)?;
        self.exprs.debug.locate(node.span);
        let register = self.surface_register(&element)?;
        for elem in elems {
            let number: BasicValueEnum<'ctx> = match (elem, register) {
                (BasicValueEnum::IntValue(int), BasicTypeEnum::IntType(ty)) => {
                    self.code.builder.build_int_z_extend_or_bit_cast(int, ty, "")?.into()
                }
                (elem, ty) => self.code.builder.build_bit_cast(elem, ty, "")?,
            };
            operands.push(number.into());
        }
        self.one_of(mode, &MODES, &[], |mode| {
            let name =
                format!("llvm.nvvm.sust.b.{}.{}.{mode}", surface_geometry(geometry), element.surface());
            self.code.call_intrinsic_for_effect(&name, &operands)?;
            Ok(Numbers::new())
        })?;
        Ok(())
    }

    /// The handle and the coordinates in instruction order, and the boundary mode.
    fn lower_surface_place(
        &mut self,
        geometry: Geometry,
        args: &[Expr],
    ) -> Result<(Vec<BasicMetadataValueEnum<'ctx>>, IntValue<'ctx>), Bug> {
        let mut operands = Numbers::new();
        for &arg in args {
            operands.push(self.exprs.lower_scalar(arg)?);
        }
        let mode = operands.pop().ok_or("an access to a surface without a mode")?;
        // A cubemap is six layers.
        if (geometry.is_layered() || geometry == Geometry::Cubemap)
            && let Some(layer) = operands.pop()
        {
            operands.insert(1, layer);
        }
        Ok((operands.into_iter().map(Into::into).collect(), mode.into_int_value()))
    }

    /// The result of one of several instructions, selected by a number. Other numbers give an undefined
    /// result.
    fn one_of(
        &self,
        selector: IntValue<'ctx>,
        names: &[&str],
        tys: &[BasicTypeEnum<'ctx>],
        mut emit: impl FnMut(&str) -> Result<Numbers<'ctx>, Bug>,
    ) -> Result<Numbers<'ctx>, Bug> {
        let undefined = || tys.iter().map(|ty| undef(*ty)).collect::<Numbers<'ctx>>();
        if let Some(known) = selector.get_zero_extended_constant() {
            let name = usize::try_from(known).ok().and_then(|known| names.get(known));
            return name.map_or_else(|| Ok(undefined()), |name| emit(name));
        }
        let end = self.code.new_block("chosen");
        let cases: Vec<_> = names.iter().map(|_| self.code.new_block("choice")).collect();
        let ty = selector.get_type();
        let targets: Vec<_> =
            (0..).zip(&cases).map(|(idx, &block)| (ty.const_int(idx, false), block)).collect();
        let before = self.code.block();
        self.code.builder.build_switch(selector, end, &targets)?;
        let mut incoming = vec![(before, undefined())];
        for (&name, &case) in names.iter().zip(&cases) {
            self.code.continue_in(case)?;
            let numbers = emit(name)?;
            incoming.push((self.code.block(), numbers));
            self.code.builder.build_unconditional_branch(end)?;
        }
        self.code.continue_in(end)?;
        let mut chosen = Numbers::new();
        for (idx, &ty) in tys.iter().enumerate() {
            let phi = self.code.builder.build_phi(ty, "")?;
            for (block, numbers) in &incoming {
                phi.add_incoming(&[(&numbers[idx], *block)]);
            }
            chosen.push(phi.as_basic_value());
        }
        Ok(chosen)
    }

    /// The numbers that an intrinsic returns.
    fn read_numbers(
        &self,
        name: &str,
        args: &[BasicMetadataValueEnum<'ctx>],
        n_numbers: u32,
    ) -> Result<Numbers<'ctx>, Bug> {
        let read = self.code.call_reading_intrinsic(name, args)?;
        let BasicValueEnum::StructValue(all) = read else { return Ok(vec![read]) };
        let mut numbers = Numbers::new();
        for idx in 0..n_numbers {
            numbers.push(self.code.builder.build_extract_value(all, idx, "")?);
        }
        Ok(numbers)
    }

    /// The result of a texture read, in the program's type.
    fn texel_value(
        &self,
        element: &Element<'ctx>,
        texel: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut elems = Numbers::new();
        for &number in &texel[..element.n_elems as usize] {
            elems.push(match (number, element.scalar) {
                (BasicValueEnum::IntValue(int), BasicTypeEnum::IntType(ty)) => {
                    self.code.builder.build_int_truncate_or_bit_cast(int, ty, "")?.into()
                }
                (number, _) => number,
            });
        }
        self.whole(element, &elems)
    }

    /// A number, or the vector of all.
    fn whole(
        &self,
        element: &Element<'ctx>,
        elems: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if let [elem] = *elems {
            return Ok(elem);
        }
        let vector = match element.scalar {
            BasicTypeEnum::IntType(ty) => ty.vec_type(element.n_elems),
            BasicTypeEnum::FloatType(ty) => ty.vec_type(element.n_elems),
            _ => return Err(Bug::from("a vector of a non-numeric type")),
        };
        let mut whole = vector.get_undef();
        for (idx, &elem) in (0..).zip(elems) {
            let idx = self.cx.tys.i32.const_int(idx, false);
            whole = self.code.builder.build_insert_element(whole, elem, idx, "")?;
        }
        Ok(whole.into())
    }

    fn element(&self, ty: Ty) -> Result<Element<'ctx>, Bug> {
        let types = &self.cx.ir.types;
        let (elem, n_elems, is_record) = match types.record(ty) {
            Some(record) => {
                let fields = types.records[record].fields.as_deref().unwrap_or_default();
                let first = fields.first().ok_or("a vector without elements")?;
                (first.ty, fields.len() as u32, true)
            }
            None => (ty, 1, false),
        };
        Ok(Element {
            scalar: self.cx.scalar_ty(elem),
            size: self.cx.layout(elem).size,
            n_elems,
            is_record,
            is_signed: self.cx.is_signed(elem),
        })
    }

    /// The register type for a number of a surface.
    fn surface_register(&self, element: &Element<'ctx>) -> Result<BasicTypeEnum<'ctx>, Bug> {
        Ok(self.cx.wide_int_ty((8 * element.size as u32).max(16))?.into())
    }
}

impl Element<'_> {
    /// `f32`, `s32`, `u32`: the type that a texture read returns for it.
    fn texel(&self) -> &'static str {
        match self.scalar {
            BasicTypeEnum::FloatType(_) => "f32",
            _ if self.is_signed => "s32",
            _ => "u32",
        }
    }

    /// `v4i8`: the type in the names of LLVM's surface intrinsics.
    fn surface(&self) -> String {
        let vector = if self.n_elems == 1 { String::new() } else { format!("v{}", self.n_elems) };
        format!("{vector}i{}", 8 * self.size)
    }
}

fn undef(ty: BasicTypeEnum<'_>) -> BasicValueEnum<'_> {
    match ty {
        BasicTypeEnum::IntType(ty) => ty.get_undef().into(),
        BasicTypeEnum::FloatType(ty) => ty.get_undef().into(),
        other => other.as_basic_type_enum().const_zero(),
    }
}

/// The infix in the names of LLVM's texture intrinsics.
fn llvm_geometry(geometry: Geometry) -> &'static str {
    match geometry {
        Geometry::OneD => "1d",
        Geometry::TwoD => "2d",
        Geometry::ThreeD => "3d",
        Geometry::OneDLayered => "1d.array",
        Geometry::TwoDLayered => "2d.array",
        Geometry::Cubemap => "cube",
        Geometry::CubemapLayered => "cube.array",
    }
}

/// The same for surfaces: a cubemap is six layers.
fn surface_geometry(geometry: Geometry) -> &'static str {
    match geometry {
        Geometry::Cubemap | Geometry::CubemapLayered => llvm_geometry(Geometry::TwoDLayered),
        _ => llvm_geometry(geometry),
    }
}

/// The PTX modifier.
fn ptx_geometry(geometry: Geometry) -> &'static str {
    match geometry {
        Geometry::OneD => "1d",
        Geometry::TwoD => "2d",
        Geometry::ThreeD => "3d",
        Geometry::OneDLayered => "a1d",
        Geometry::TwoDLayered => "a2d",
        Geometry::Cubemap => "cube",
        Geometry::CubemapLayered => "acube",
    }
}
