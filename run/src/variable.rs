//! Variables at module scope: `__device__`, `__constant__` and `__managed__` ones, which the host can set
//! before a launch and read after it.
//!
//! In: declarations in PTX, or the types of the source. Out: a variable's type as an argument and as
//! elements.

use weft_emulator::exec::names::Layout;
use weft_emulator::program::layout::size_of_variable;
use weft_emulator::ptx::syntax::{self as ptx, Space, Type};

use crate::element::ElementType;
use crate::kernel::source_name;
use crate::parameter::{ParameterType, of_fundamental};

/// A variable at module scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its PTX name.
    pub symbol: String,
    /// Its memory.
    pub space: VariableSpace,
    /// The type of an element.
    pub ty: ParameterType,
    /// The number of elements along each axis of an array, the outermost first; empty for anything else.
    pub shape: Vec<usize>,
    /// The names of its elements and members, if known.
    pub layout: Option<Layout>,
}

/// The memory of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSpace {
    /// `__device__` and `__managed__`
    Global,
    /// `__constant__`
    Constant,
    /// `__shared__`: one per block, which the host cannot access.
    Shared,
}

/// The maximum number of elements of an array in a nested list.
const MAX_MEMBERS: usize = 1024;

impl Variable {
    /// A variable by its PTX declaration; `None` in other state spaces, and for textures and surfaces.
    pub fn of_ptx(variable: &ptx::Variable<'_>) -> Option<Self> {
        let space = match variable.space {
            Space::Global => VariableSpace::Global,
            Space::Const => VariableSpace::Constant,
            Space::Shared => VariableSpace::Shared,
            _ => return None,
        };
        if matches!(variable.ty, Type::Texref | Type::Samplerref | Type::Surfref) {
            return None;
        }
        let symbol = variable.name.to_owned();
        let size = usize::try_from(size_of_variable(variable)?).ok()?;
        // Compilers declare structs and all arrays as bytes.
        let is_opaque = variable.ty == Type::B8 && !variable.dims.is_empty();
        if is_opaque || variable.dims.contains(&None) {
            let ty = ParameterType::Struct { size, members: Vec::new() };
            return Some(Variable { symbol, space, ty, shape: Vec::new(), layout: None });
        }
        let dims = variable.dims.iter().map(|dim| dim.unwrap_or(0) as usize);
        let vector = (variable.vector > 1).then_some(variable.vector as usize);
        let shape: Vec<usize> = dims.chain(vector).collect();
        let ty = of_fundamental(variable.ty);
        let number = Layout::Number(ty.size() as u64);
        let layout =
            shape.iter().rev().fold(number, |element, &dim| Layout::Array(Box::new(element), dim as u64));
        Some(Variable { symbol, space, ty, shape, layout: Some(layout) })
    }

    /// Its source name, including namespaces.
    pub fn name(&self) -> String {
        source_name(&self.symbol)
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.shape.iter().fold(self.ty.size(), |size, &dim| size.saturating_mul(dim))
    }

    /// Whether only its size is known.
    pub(crate) fn is_opaque(&self) -> bool {
        matches!(&self.ty, ParameterType::Struct { members, .. } if members.is_empty())
    }

    /// Whether it is an address, or may be one.
    pub(crate) fn is_pointer(&self, word: usize) -> bool {
        let is_word = matches!(self.ty, ParameterType::Word(size) if size == word);
        self.shape.is_empty() && (is_word || matches!(self.ty, ParameterType::Pointer { .. }))
    }

    /// The whole variable as one type, for lists in braces.
    pub(crate) fn parameter(&self) -> ParameterType {
        self.shape.iter().rev().fold(self.ty.clone(), |ty, &dim| {
            let size = ty.size();
            let members = if dim <= MAX_MEMBERS { dim } else { 0 };
            let members = (0..members).map(|idx| (idx * size, ty.clone())).collect();
            ParameterType::Struct { size: size.saturating_mul(dim), members }
        })
    }

    /// The type and shape of its numbers; bytes, if they have several types.
    pub(crate) fn elements(&self) -> (ElementType, Vec<usize>) {
        let (ty, inner) = numbers(&self.ty);
        (ty, self.shape.iter().copied().chain(inner).collect())
    }

    /// The element type for contents without one.
    pub(crate) fn element(&self) -> Option<ElementType> {
        let is_known = match &self.ty {
            ParameterType::Number(_) => true,
            ParameterType::Struct { .. } => self.elements().0 != ElementType::U8,
            ParameterType::Word(_) | ParameterType::Pointer { .. } => false,
        };
        is_known.then(|| self.elements().0)
    }
}

/// The number type that a type consists of, and the number of elements if it is not a number itself.
fn numbers(ty: &ParameterType) -> (ElementType, Option<usize>) {
    match ty {
        ParameterType::Number(ty) => (*ty, None),
        ParameterType::Word(size) | ParameterType::Pointer { size, .. } => match size {
            1 => (ElementType::U8, None),
            2 => (ElementType::U16, None),
            4 => (ElementType::U32, None),
            8 => (ElementType::U64, None),
            _ => (ElementType::U8, Some(*size)),
        },
        ParameterType::Struct { size, members } => {
            let mut all = members.iter().map(|(_, member)| numbers(member).0);
            let first = all.next();
            match first.filter(|first| all.all(|other| other == *first)) {
                Some(ty) if count(members) * ty.size() == *size => (ty, Some(count(members))),
                _ => (ElementType::U8, Some(*size)),
            }
        }
    }
}

fn count(members: &[(usize, ParameterType)]) -> usize {
    members.iter().map(|(_, member)| numbers(member).1.unwrap_or(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_of_one_type_are_rows_of_numbers() {
        let float = || ParameterType::Number(ElementType::F32);
        let members = vec![(0, float()), (4, float())];
        let float2 = ParameterType::Struct { size: 8, members };
        let variable = |ty, shape: &[usize]| Variable {
            symbol: "_ZN2ns1xE".to_owned(),
            space: VariableSpace::Global,
            ty,
            shape: shape.to_vec(),
            layout: None,
        };
        let points = variable(float2.clone(), &[3]);
        assert_eq!((points.elements(), points.size()), ((ElementType::F32, vec![3, 2]), 24));
        assert_eq!(points.name(), "ns::x");
        let mixed =
            ParameterType::Struct { size: 16, members: vec![(0, float2), (8, ParameterType::Word(8))] };
        assert_eq!(variable(mixed, &[2]).elements(), (ElementType::U8, vec![2, 16]));
        let text = ".version 7.0 .target sm_80 .address_size 64 .global .b8 a[12]; .const .v2 .f32 b[4]; .global .texref t;";
        let module = weft_emulator::ptx::parse(text).expect("PTX");
        let found: Vec<Variable> = module.variables.iter().filter_map(Variable::of_ptx).collect();
        assert_eq!(found.len(), 2);
        assert!(found[0].is_opaque() && found[0].size() == 12);
        assert_eq!(found[1].elements(), (ElementType::F32, vec![4, 2]));
    }
}
