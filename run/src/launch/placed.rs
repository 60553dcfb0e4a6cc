//! The buffers of a launch on the device, and the bytes of arguments that refer to them.

use std::collections::BTreeMap;

use weft_emulator::exec::collected::Collected;
use weft_emulator::texture::Object;

use super::plain;
use crate::argument::object::ObjectSpec;
use crate::argument::{Argument, ArgumentError, Value};
use crate::buffer::Buffer;
use crate::device::{Device, Statistics};
use crate::error::Error;
use crate::parameter::{Parameter, ParameterType};
use crate::report::{BufferReport, Report};

/// Why an argument cannot be encoded.
pub(super) enum Problem {
    /// The buffer name is unknown.
    NoBuffer(String),
    /// The buffer does not fit the texture or surface.
    Object(String),
    /// The device fails or does not support it.
    Device(Error),
}

/// The buffers of a launch, and their addresses on the device.
#[derive(Default)]
pub(super) struct Placed {
    /// The size of an address in bytes.
    pub(super) word: usize,
    pub(super) buffers: Vec<PlacedBuffer>,
    /// By name: the address, and the size of an element.
    pub(super) names: BTreeMap<String, (u64, usize)>,
}

pub(super) struct PlacedBuffer {
    pub(super) address: u64,
    /// The content before the launch.
    pub(super) before: Buffer,
    pub(super) place: String,
    /// Its name in messages.
    pub(super) shown: String,
    pub(super) name: Option<String>,
    pub(super) is_const: bool,
    pub(super) is_written: bool,
}

impl Placed {
    /// Places the buffers of an argument on the device: moves their contents out of the argument.
    pub(super) fn place(
        &mut self,
        device: &mut dyn Device,
        index: usize,
        argument: &mut Argument,
        parameter: &Parameter,
    ) -> Result<(), Error> {
        let first = self.buffers.len();
        let is_const = matches!(parameter.ty, ParameterType::Pointer { is_const: true, .. });
        let name = argument.name.clone().or(parameter.name.clone());
        let shown = name.clone().unwrap_or(format!("argument {index}"));
        self.place_value(device, &mut argument.value, &index.to_string(), &shown, is_const)?;
        if let (Some(name), Some(buffer)) = (name, self.buffers.get_mut(first)) {
            let size = buffer.before.ty().size();
            if self.names.insert(name.clone(), (buffer.address, size)).is_some() {
                let message = format!("duplicate buffer name `{name}`");
                return Err(Error::Argument(index, plain(message)));
            }
            buffer.name = Some(name);
        }
        Ok(())
    }

    pub(super) fn place_value(
        &mut self,
        device: &mut dyn Device,
        value: &mut Value,
        place: &str,
        name: &str,
        is_const: bool,
    ) -> Result<(), Error> {
        let is_written = matches!(value, Value::Buffer(_));
        match value {
            Value::Bytes(_) | Value::Reference { .. } => {}
            Value::Buffer(buffer) | Value::Unwritten(buffer) => {
                let address = device.allocate(buffer.bytes().len() as u64, name, is_written)?;
                if is_written {
                    device.write(address, buffer.bytes())?;
                }
                // Moved, since the contents may be large.
                let (before, place) = (std::mem::replace(buffer, Buffer::new::<u8>(&[])), place.to_owned());
                let shown = name.to_owned();
                self.buffers.push(PlacedBuffer {
                    address,
                    before,
                    place,
                    shown,
                    name: None,
                    is_const,
                    is_written,
                });
            }
            Value::Object(object) => {
                let (spec, source) = &mut **object;
                self.place_value(device, source, place, name, !spec.is_surface)?;
            }
            Value::TensorMap(map) => self.place_value(device, &mut map.1, place, name, is_const)?,
            Value::Struct(_, parts) => {
                for (index, (_, part)) in parts.iter_mut().enumerate() {
                    let (place, name) = (format!("{place}.{index}"), format!("{name}.{index}"));
                    self.place_value(device, part, &place, &name, false)?;
                }
            }
        }
        Ok(())
    }

    /// The buffer of a texture, surface or tensor map: its own, or a named one.
    pub(super) fn source(&self, source: &Value, next: &mut usize) -> Result<&PlacedBuffer, Problem> {
        match source {
            Value::Reference { name, .. } => {
                let named = self.buffers.iter().find(|buffer| buffer.name.as_ref() == Some(name));
                named.ok_or_else(|| Problem::NoBuffer(name.clone()))
            }
            _ => {
                *next += 1;
                Ok(&self.buffers[*next - 1])
            }
        }
    }

    /// A texture or surface over its buffer.
    pub(super) fn object(&self, object: &(ObjectSpec, Value), next: &mut usize) -> Result<Object, Problem> {
        let (spec, source) = object;
        let buffer = self.source(source, next)?;
        let array = spec.array(&buffer.before, buffer.address).map_err(Problem::Object)?;
        Ok(if spec.is_surface { Object::Surface(array) } else { Object::Texture(array, spec.sampler) })
    }

    /// Appends the bytes of an argument; buffers are taken in the order in which they were placed.
    pub(super) fn append(
        &self,
        device: &mut dyn Device,
        value: &Value,
        next: &mut usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        match value {
            Value::Bytes(own) => bytes.extend_from_slice(own),
            Value::Buffer(_) | Value::Unwritten(_) => {
                bytes.extend(&self.buffers[*next].address.to_le_bytes()[..self.word]);
                *next += 1;
            }
            Value::Reference { name, index } => {
                let &(address, size) = self.names.get(name).ok_or_else(|| Problem::NoBuffer(name.clone()))?;
                let offset = index.wrapping_mul(size as i64);
                bytes.extend(&address.wrapping_add_signed(offset).to_le_bytes()[..self.word]);
            }
            Value::Object(object) => {
                let object = self.object(object, next)?;
                let handle = device.add_object(object).map_err(Problem::Device)?;
                bytes.extend(&handle.to_le_bytes());
            }
            Value::TensorMap(map) => {
                let (spec, source) = &**map;
                let buffer = self.source(source, next)?;
                let map = spec.map(&buffer.before, buffer.address).map_err(Problem::Object)?;
                bytes.extend(device.tensor_map(&map).map_err(Problem::Device)?);
            }
            Value::Struct(size, parts) => {
                let start = bytes.len();
                for (offset, part) in parts {
                    bytes.resize(start + offset, 0);
                    self.append(device, part, next, bytes)?;
                }
                bytes.resize(start + size, 0);
            }
        }
        Ok(())
    }

    pub(super) fn unknown(&self, name: &str, text: String) -> ArgumentError {
        let span = text.find(&format!("&{name}")).map_or(0..text.len(), |at| at + 1..at + 1 + name.len());
        let names: Vec<String> = self.names.keys().map(|name| format!("`{name}`")).collect();
        let help = if names.is_empty() {
            format!("name a buffer: `{name}=f32[16]`")
        } else {
            format!("available: {}", names.join(", "))
        };
        let message = format!("no buffer named `{name}`");
        ArgumentError { text, span, message, help: Some(help), is_environment: false }
    }

    pub(super) fn report(
        self,
        device: &mut dyn Device,
        symbol: &str,
        statistics: Statistics,
    ) -> Result<Report, Error> {
        let mut buffers = Vec::new();
        for placed in self.buffers {
            let mut buffer = placed.before.clone();
            device.read(placed.address, buffer.bytes_mut())?;
            buffers.push(BufferReport {
                is_changed: !placed.is_written || buffer != placed.before,
                buffer,
                place: placed.place,
                name: placed.name,
                symbol: None,
                is_opaque: false,
                is_const: placed.is_const,
            });
        }
        let kernel = symbol.to_owned();
        let (printed, print_calls) = (Vec::new(), Vec::new());
        let (variables, faults) = (Vec::new(), Collected::default());
        let (times, profile) = (Vec::new(), None);
        Ok(Report { kernel, buffers, variables, printed, print_calls, statistics, times, faults, profile })
    }
}
