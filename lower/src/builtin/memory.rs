//! Global memory accesses with cache hints.
//!
//! LLVM has an operation only for the read-only cache; the others are inline PTX, like in CUDA's headers.

use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{BasicValue, BasicValueEnum};
use weft_frontend::ir::builtin::{LoadCache, StoreCache};
use weft_frontend::ir::{Expr, ExprNode, MemoryOp, Ty};
use weft_frontend::layout::Layout;

use crate::builtin::Builtins;
use crate::place::Address;
use crate::types::Shape;
use crate::{Bug, addr_space};

/// The type of one access: one scalar, a vector of them, or the bits of half-precision numbers.
struct Access<'ctx> {
    /// The type in memory.
    ty: BasicTypeEnum<'ctx>,
    /// The type of each register: at least 16 bits.
    register: BasicTypeEnum<'ctx>,
    /// The type of each element in memory, and its size in bytes.
    elem: BasicTypeEnum<'ctx>,
    elem_size: u64,
    n_elems: u32,
    align: u32,
    /// `.v2.s32`
    suffix: String,
}

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_memory(
        &mut self,
        op: MemoryOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match op {
            MemoryOp::LoadReadOnly => self.lower_read_only(args, node).map(Some),
            MemoryOp::Load(cache) => self.lower_cached_load(cache, args, node).map(Some),
            MemoryOp::Store(cache) => self.lower_cached_store(cache, args, node).map(|()| None),
        }
    }

    fn lower_read_only(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [ptr] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let global = self.cx.llvm.ptr_type(addr_space::GLOBAL.into());
        let ptr = self.code.builder.build_address_space_cast(ptr.into_pointer_value(), global, "")?;
        let Access { ty, align, .. } = self.access(node.ty)?;
        let value = self.code.memory().load_part(Address { ptr, align, volatile: false }, ty)?;
        let load = value.as_instruction_value().expect("invariant: a load is an instruction");
        load.set_metadata(self.cx.llvm.metadata_node(&[]), self.cx.invariant_load_kind)
            .map_err(|_| Bug::from("LLVM takes no metadata on a load"))?;
        Ok(value)
    }

    fn lower_cached_load(
        &mut self,
        cache: LoadCache,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let cache = match cache {
            LoadCache::All => "ca",
            LoadCache::Global => "cg",
            LoadCache::Streaming => "cs",
            LoadCache::LastUse => "lu",
            LoadCache::Volatile => "cv",
        };
        let [ptr] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let access = self.access(node.ty)?;
        let (list, next) = access.registers(0);
        let text = format!("ld.global.{cache}{} {list}, [${next}];", access.suffix);
        if access.n_elems == 1 {
            let value = self.code.asm_load(&text, access.register, &[ptr.into()])?;
            return self.narrow(value, access.ty);
        }
        let registers = vec![access.register; access.n_elems as usize];
        let registers = self.cx.llvm.struct_type(&registers, false);
        let loaded = self.code.asm_load(&text, registers.into(), &[ptr.into()])?.into_struct_value();
        let vector = access.ty.into_vector_type();
        let mut value = vector.get_undef();
        for elem_idx in 0..access.n_elems {
            let elem = self.code.builder.build_extract_value(loaded, elem_idx, "")?;
            let elem = self.narrow(elem, vector.get_element_type())?;
            let elem_idx = self.cx.tys.i32.const_int(elem_idx.into(), false);
            value = self.code.builder.build_insert_element(value, elem, elem_idx, "")?;
        }
        Ok(value.into())
    }

    fn lower_cached_store(&mut self, cache: StoreCache, args: &[Expr], node: &ExprNode) -> Result<(), Bug> {
        let cache = match cache {
            StoreCache::WriteBack => "wb",
            StoreCache::Global => "cg",
            StoreCache::Streaming => "cs",
            StoreCache::WriteThrough => "wt",
        };
        let &[ptr, value] = args else { return Err(Bug::from("a store of other than one value")) };
        let ptr = self.exprs.lower_scalar(ptr)?;
        let ty = self.exprs.body.exprs[value].ty;
        let access = self.access(ty)?;
        let (list, _) = access.registers(1);
        let text = format!("st.global.{cache}{} [$0], {list};", access.suffix);
        let mut operands = vec![ptr.into()];
        if self.cx.shape(ty) == Shape::Record {
            let from = self.exprs.lower_record(value)?;
            self.exprs.debug.locate(node.span);
            for elem_idx in 0..access.n_elems {
                let at = self.code.memory().byte_offset(from, u64::from(elem_idx) * access.elem_size)?;
                let elem = self.code.memory().load_part(at, access.elem)?;
                operands.push(self.widen(elem, access.register)?.into());
            }
        } else {
            let value = self.exprs.lower_scalar(value)?;
            self.exprs.debug.locate(node.span);
            operands.push(self.widen(value, access.register)?.into());
        }
        self.code.asm_effect(&text, &operands)
    }

    fn access(&self, ty: Ty) -> Result<Access<'ctx>, Bug> {
        let Layout { size, align } = self.cx.layout(ty);
        if self.cx.ir.types.half_ty(ty).is_some() {
            let word: BasicTypeEnum<'ctx> = self.cx.wide_int_ty(8 * size as u32)?.into();
            let suffix = format!(".b{}", 8 * size);
            return Ok(Access {
                ty: word,
                register: word,
                elem: word,
                elem_size: size,
                n_elems: 1,
                align,
                suffix,
            });
        }
        let (elem, n_elems) = match self.cx.ir.types.record(ty) {
            Some(record) => {
                let fields = self.cx.ir.types.records[record].fields.as_deref().unwrap_or_default();
                let first = fields.first().ok_or("a vector without elements")?;
                (first.ty, fields.len() as u32)
            }
            None => (ty, 1),
        };
        let scalar = self.cx.scalar_ty(elem);
        let letter = match scalar {
            BasicTypeEnum::FloatType(_) => 'f',
            _ if self.cx.is_signed(elem) => 's',
            _ => 'u',
        };
        let width = 8 * self.cx.layout(elem).size;
        // There are no 8-bit registers.
        let register = if width == 8 { self.cx.tys.i32.into() } else { scalar };
        let vector = if n_elems == 1 { String::new() } else { format!(".v{n_elems}") };
        Ok(Access {
            ty: if n_elems == 1 { scalar } else { vector_of(scalar, n_elems)? },
            register,
            elem: scalar,
            elem_size: width / 8,
            n_elems,
            align,
            suffix: format!("{vector}.{letter}{width}"),
        })
    }

    /// The memory representation of a register's value.
    fn narrow(
        &self,
        value: BasicValueEnum<'ctx>,
        ty: BasicTypeEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match (value, ty) {
            (BasicValueEnum::IntValue(int), BasicTypeEnum::IntType(ty)) => {
                Ok(self.code.builder.build_int_truncate_or_bit_cast(int, ty, "")?.into())
            }
            (value, _) => Ok(value),
        }
    }

    /// The register representation of a value; the upper bits are arbitrary.
    fn widen(
        &self,
        value: BasicValueEnum<'ctx>,
        ty: BasicTypeEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match (value, ty) {
            (BasicValueEnum::IntValue(int), BasicTypeEnum::IntType(ty)) => {
                Ok(self.code.builder.build_int_z_extend_or_bit_cast(int, ty, "")?.into())
            }
            (value, _) => Ok(value),
        }
    }
}

impl Access<'_> {
    /// The operands of the value as a PTX list, numbered from `first`, and the next number.
    fn registers(&self, first: u32) -> (String, u32) {
        let next = first + self.n_elems;
        let names: Vec<String> = (first..next).map(|n| format!("${n}")).collect();
        let names = names.join(", ");
        (if self.n_elems == 1 { names } else { format!("{{{names}}}") }, next)
    }
}

fn vector_of(elem: BasicTypeEnum<'_>, n_elems: u32) -> Result<BasicTypeEnum<'_>, Bug> {
    match elem {
        BasicTypeEnum::IntType(ty) => Ok(ty.vec_type(n_elems).as_basic_type_enum()),
        BasicTypeEnum::FloatType(ty) => Ok(ty.vec_type(n_elems).as_basic_type_enum()),
        _ => Err(Bug::from("a vector of a non-numeric type")),
    }
}
