//! What is wrong with an access.

use std::fmt;

use super::host::HostOutOfMemory;

/// What is wrong with an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// The address is no multiple of the size.
    Misaligned,
    /// It is in no allocation, or reaches beyond its end; the nearest allocation that does not begin behind the address,
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
    /// How far the address is behind the beginning.
    pub offset: u64,
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
    /// How far the address is behind the beginning.
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
        AccessError::OutOfBounds(Some(Box::new(Nearest { piece, offset })))
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::Misaligned => f.write_str("the address is misaligned"),
            AccessError::OutOfBounds(None) => {
                f.write_str("the address is out of bounds, and nothing is before it")
            }
            AccessError::OutOfBounds(Some(nearest)) => {
                let Nearest { piece, offset } = &**nearest;
                f.write_str("the address is out of bounds, ")?;
                if (*offset as i64) < 0 {
                    return write!(f, "{} bytes before the beginning of {piece}", offset.wrapping_neg());
                }
                match offset.checked_sub(piece.len) {
                    Some(0) => write!(f, "just behind the end of {piece}"),
                    Some(behind) => write!(f, "{behind} bytes behind the end of {piece}"),
                    None => write!(f, "and reaches beyond the end of {piece}, from byte {offset} of it on"),
                }
            }
            AccessError::Strayed(strayed) => {
                let Strayed { through, place: Nearest { piece, offset } } = &**strayed;
                write!(f, "access through {} lands ", through.sized())?;
                match offset.checked_sub(piece.len) {
                    None => write!(f, "at byte {offset} of {}", piece.sized()),
                    Some(0) => write!(f, "just past the end of {}", piece.sized()),
                    Some(past) => write!(f, "{past} bytes past the end of {}", piece.sized()),
                }
            }
            AccessError::Freed(freed) => {
                write!(f, "the memory was freed by {}: byte {} of {}", freed.by, freed.offset, freed.piece)
            }
            AccessError::ReadOnly => f.write_str("the memory can only be read"),
            AccessError::NoRoom(error) => error.fmt(f),
        }
    }
}

impl Extent {
    /// `in` (14000 bytes at 0x7f0000001000)
    fn sized(&self) -> String {
        let name = self.name.as_deref().unwrap_or("an allocation");
        format!("{name} ({} bytes at {:#x})", self.len, self.start)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}, which has {} bytes, from {:#x} on", self.len, self.start),
            None => write!(f, "the allocation of {} bytes at {:#x}", self.len, self.start),
        }
    }
}
