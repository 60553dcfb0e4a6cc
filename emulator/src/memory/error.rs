//! What is wrong with an access.

use std::fmt;

use super::host::HostOutOfMemory;

/// What is wrong with an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// The address is no multiple of the size.
    Misaligned,
    /// It is in no allocation, or reaches beyond its end; the nearest allocation that does not begin after the address,
    /// if there is one.
    OutOfBounds(Option<Box<Nearest>>),
    /// The pointer was derived from one object, and the address is elsewhere.
    Strayed(Box<Strayed>),
    /// It was freed.
    Freed(Box<Freed>),
    /// It can only be read.
    ReadOnly,
    /// What is to be known of who accesses it has no room in the host's memory.
    NoRoom(HostOutOfMemory),
}

/// Where an address is as seen from an allocation that it is not in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The allocation.
    pub piece: Extent,
    /// How far the address is after the beginning; before it, the negative distance.
    pub offset: u64,
    /// The element of an array that would be there, if its type is known: `in[3500]`.
    pub element: Option<String>,
}

/// An address outside the object that its pointer was derived from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strayed {
    /// The object.
    pub through: Extent,
    /// The nearest allocation that does not begin after the address; it may hold the address.
    pub place: Nearest,
}

/// Memory that is there no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freed {
    /// What it was.
    pub piece: Extent,
    /// How far the address is after the beginning.
    pub offset: u64,
    /// Who freed it, in words.
    pub by: String,
}

/// An allocation, or a space that has a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The address of its first byte.
    pub start: u64,
    /// How large it is, in bytes.
    pub len: u64,
    /// What it is called.
    pub name: Option<String>,
}

impl AccessError {
    /// An address that is not in a piece of memory.
    pub(crate) fn outside(piece: Extent, address: u64) -> Self {
        let offset = address.wrapping_sub(piece.start);
        AccessError::OutOfBounds(Some(Box::new(Nearest { piece, offset, element: None })))
    }
}

impl AccessError {
    /// What kind of mistake it is, as an adjective.
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
            // Whichever end is nearer.
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
