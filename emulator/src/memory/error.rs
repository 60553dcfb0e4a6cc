//! Errors of memory accesses.

use std::fmt;

use super::host::HostOutOfMemory;

/// An error of a memory access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// The address is not a multiple of the size.
    Misaligned,
    /// No allocation contains the access; the nearest allocation that begins at or before the address, if
    /// there is one.
    OutOfBounds(Option<Box<Nearest>>),
    /// The pointer derives from one object, and the address is outside of it.
    Strayed(Box<Strayed>),
    /// The memory was freed.
    Freed(Box<Freed>),
    /// The memory is read-only.
    ReadOnly,
    /// The host has too little memory to record the access.
    NoRoom(HostOutOfMemory),
}

/// An address relative to an allocation that does not contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The allocation.
    pub piece: Extent,
    /// The offset of the address from the start; negative before it.
    pub offset: u64,
    /// The element of an array that would be there, if the type is known: `in[3500]`.
    pub element: Option<String>,
}

/// An address outside the object that its pointer derives from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strayed {
    /// The object.
    pub through: Extent,
    /// The nearest allocation that begins at or before the address; it may contain the address.
    pub place: Nearest,
}

/// Memory that was freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freed {
    /// The former allocation.
    pub piece: Extent,
    /// The offset of the address from the start.
    pub offset: u64,
    /// What freed it, in words.
    pub by: String,
}

/// An allocation, or a state space that has a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The address of its first byte.
    pub start: u64,
    /// The size in bytes.
    pub len: u64,
    /// Its name in messages.
    pub name: Option<String>,
}

impl AccessError {
    /// An address outside a piece of memory.
    pub(crate) fn outside(piece: Extent, address: u64) -> Self {
        let offset = address.wrapping_sub(piece.start);
        AccessError::OutOfBounds(Some(Box::new(Nearest { piece, offset, element: None })))
    }
}

impl AccessError {
    /// The kind of error, as an adjective.
    pub fn adjective(&self) -> &'static str {
        match self {
            AccessError::Misaligned => "misaligned",
            AccessError::OutOfBounds(_) | AccessError::Strayed(_) => "out-of-bounds",
            AccessError::Freed(_) => "use-after-free:",
            AccessError::ReadOnly | AccessError::NoRoom(_) => "invalid",
        }
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::Misaligned => f.write_str("the address is not a multiple of the size"),
            AccessError::OutOfBounds(None) => f.write_str("no memory is allocated at or before the address"),
            AccessError::OutOfBounds(Some(nearest)) => match &nearest.element {
                Some(element) => write!(f, "`{element}` is {nearest}"),
                None => nearest.fmt(f),
            },
            AccessError::Strayed(strayed) => {
                let Strayed { through, place } = &**strayed;
                write!(f, "access through {through} lands ")?;
                match (place.is_inside(), &place.element) {
                    (true, Some(element)) => write!(f, "in `{element}`, of {}", place.piece),
                    (true, None) => write!(f, "in {}, at byte {}", place.piece, place.offset),
                    (false, _) => place.fmt(f),
                }
            }
            AccessError::Freed(freed) => {
                write!(f, "byte {} of {}, freed by {}", freed.offset, freed.piece, freed.by)
            }
            AccessError::ReadOnly => f.write_str("the memory is read-only"),
            AccessError::NoRoom(error) => error.fmt(f),
        }
    }
}

impl Nearest {
    fn is_inside(&self) -> bool {
        self.offset < self.piece.len
    }
}

impl fmt::Display for Nearest {
    /// `just past the end of `in` (14000 bytes at 0x7f0000001000)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Nearest { piece, offset, element: _ } = self;
        let bytes = |n: u64| if n == 1 { "byte" } else { "bytes" };
        match offset.checked_sub(piece.len) {
            // The nearer end.
            Some(past) if offset.wrapping_neg() < past => {
                let before = offset.wrapping_neg();
                write!(f, "{before} {} before the start of {piece}", bytes(before))
            }
            Some(0) => write!(f, "just past the end of {piece}"),
            Some(past) => write!(f, "{past} {} past the end of {piece}", bytes(past)),
            None => write!(f, "at byte {offset} of {piece} and extends past its end"),
        }
    }
}

impl fmt::Display for Extent {
    /// `in` (14000 bytes at 0x7f0000001000)
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().unwrap_or("the allocation");
        write!(f, "{name} ({} bytes at {:#x})", self.len, self.start)
    }
}
