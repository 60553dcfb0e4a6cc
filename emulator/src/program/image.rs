//! What variables hold when a program begins (PTX ISA "Initializers").

use super::GlobalVariable;
use super::layout::{size_of, size_of_variable};
use super::link::{Input, LinkError, Symbols, size_with_initializer, value_of};
use super::texture::{is_opaque, kind_of, sampler_of};
use crate::memory::bytes::Bytes;
use crate::ptx::syntax::{Initializer, Space, Variable};
use crate::texture::{ObjectKind, Sampler};

/// The variables of a program with their contents.
pub(super) struct Images {
    /// `.const`
    pub(super) constants: Bytes,
    /// The variables there: the symbol, the offset, the size.
    pub(super) constant_variables: Vec<(String, u64, u64)>,
    /// `.global`
    pub(super) globals: Vec<GlobalVariable>,
    /// Those that are textures, samplers and surfaces.
    pub(super) opaque: Vec<(u64, ObjectKind, Option<Sampler>)>,
}

impl Images {
    pub(super) fn new(const_size: u64) -> Self {
        Images {
            constants: Bytes::zeroed(const_size as usize),
            constant_variables: Vec::new(),
            globals: Vec::new(),
            opaque: Vec::new(),
        }
    }

    /// A variable at its address.
    pub(super) fn add(
        &mut self,
        variable: &Variable<'_>,
        address: u64,
        symbols: &Symbols<'_>,
        input: &Input<'_, '_>,
    ) -> Result<(), LinkError> {
        let error = |message: String| input.error(variable.place, message);
        let image = image(variable, symbols).map_err(error)?;
        let (name, size) = (variable.name.to_owned(), size_with_initializer(variable).unwrap_or(0));
        match variable.space {
            Space::Const => {
                self.constants.write(address, &image);
                self.constant_variables.push((name, address, size));
            }
            Space::Global => {
                if let Some(kind) = kind_of(variable.ty) {
                    self.opaque.push((address, kind, sampler_of(variable).map_err(error)?));
                }
                self.globals.push(GlobalVariable { name, address, size, image });
            }
            Space::Reg | Space::Sreg | Space::Local | Space::Param | Space::Shared | Space::Tex => {}
        }
        Ok(())
    }
}

/// The bytes of a variable at the start; zeros at the end are left out.
fn image(variable: &Variable<'_>, symbols: &Symbols<'_>) -> Result<Vec<u8>, String> {
    let Some(init) = &variable.init else { return Ok(Vec::new()) };
    // What such a variable holds, nobody can read.
    if is_opaque(variable.ty) {
        return Ok(Vec::new());
    }
    let size = size_with_initializer(variable).ok_or("the variable is too large")?;
    let covered = match init {
        Initializer::List(items) => {
            let inner = Variable {
                dims: variable.dims.get(1..).unwrap_or_default().into(),
                init: None,
                ..variable.clone()
            };
            size_of_variable(&inner).and_then(|size| size.checked_mul(items.len() as u64)).unwrap_or(size)
        }
        _ => size,
    };
    let mut bytes = vec![0; covered.min(size) as usize];
    fill(init, variable, &variable.dims, &mut bytes, symbols)?;
    Ok(bytes)
}

/// Writes an initial value; `dims` are the dimensions of what it is for.
fn fill(
    init: &Initializer<'_>,
    variable: &Variable<'_>,
    dims: &[Option<u64>],
    bytes: &mut [u8],
    symbols: &Symbols<'_>,
) -> Result<(), String> {
    match init {
        Initializer::Property(name, _) => {
            return Err(format!("`{name}` applies only to textures, samplers and surfaces"));
        }
        Initializer::Value(constant) => {
            let value = value_of(constant, variable.ty, symbols)?.to_le_bytes();
            let size = size_of(variable.ty).min(8) as usize;
            let room = bytes.get_mut(..size).ok_or("the initializer has too many values")?;
            room.copy_from_slice(&value[..size]);
        }
        Initializer::List(items) => {
            let inner = dims.get(1..).unwrap_or_default();
            let is_vector = dims.is_empty();
            let element = size_of(variable.ty) * if is_vector { 1 } else { u64::from(variable.vector) };
            let step = inner.iter().try_fold(element, |size, dim| size.checked_mul(dim.unwrap_or(0)));
            let step = step.ok_or("the variable is too large")? as usize;
            for (idx, item) in items.iter().enumerate() {
                let room = bytes.get_mut(idx * step..).ok_or("the initializer has too many values")?;
                fill(item, variable, inner, room, symbols)?;
            }
        }
    }
    Ok(())
}
