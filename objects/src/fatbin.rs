//! Fat binaries, in which host objects contain device code.
//!
//! In: the bytes of a section, a sequence of containers, one per module. Out: their unpacked elements: PTX and cubins,
//! each for one GPU. The format is NVIDIA's and undocumented; this follows the output of fatbinary 13.5.
//!
//! **Invariant.** The input is untrusted: every size is checked against that of the section, each step consumes at least
//! one header, and unpacked data is limited to [`MAX_UNPACKED`] bytes.
//!
//! | container | bytes | |
//! |---|---|---|
//! | magic | 4 | `0xba55ed50` |
//! | version, size of this header | 2, 2 | 1, 16 |
//! | size of all elements | 8 | |
//!
//! | element | offset | |
//! |---|---|---|
//! | kind | 0, 2 bytes | 1 PTX, 2 cubin, 8 for link-time optimization, 256 several, packed as one (nvcc's `-concat`) |
//! | size of this header | 4, 4 bytes | |
//! | size of the content, including padding | 8, 8 bytes | |
//! | packed size | 16, 4 bytes | without padding |
//! | GPU | 28, 4 bytes | 80 for sm_80 |
//! | flags | 40, 8 bytes | 0x2000 packed with LZ4, 0x8000 with zstd |
//! | unpacked size | 56, 8 bytes | 0 if it was never packed |
//!
//! The header of several elements continues with their number, at 64, and from 72 on with 64 bytes for each: kind and GPU
//! as in an element, and the offset and size in the unpacked bytes at 4 and 8, 4 bytes each.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

const MAGIC: usize = 0xba55_ed50;
/// The kind of an element that contains several.
const SEVERAL: u64 = 256;

const IS_LZ4: u64 = 0x2000;
const IS_ZSTD: u64 = 0x8000;

/// The header size of a container, and the minimum header size of an element: smaller ones are damaged.
const CONTAINER_HEAD: usize = 16;
const ELEMENT_HEAD: usize = 64;

/// The maximum unpacked size of a section's elements in bytes. A few bytes of zstd can unpack to any size.
pub const MAX_UNPACKED: usize = 512 << 20;

/// The maximum compression ratio of LZ4 (its block format, "Literals").
const MAX_LZ4_RATIO: usize = 255;

/// The error for a fat binary that is shorter than its headers say.
const CUT_OFF: &str = "its fat binary is truncated";
const ELEMENT_CUT_OFF: &str = "an entry of its fat binary is truncated";

/// An element of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its kind.
    pub kind: Kind,
    /// The number of its GPU: 80 for sm_80.
    pub sm: u32,
    /// Its unpacked content.
    pub bytes: Vec<u8>,
}

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Ptx,
    /// A GPU object.
    Cubin,
    /// Input for link-time optimization, which only NVIDIA's programs can read.
    Intermediate,
    /// Something else.
    Other,
}

/// The containers of a section, each with its elements.
///
/// # Errors
///
/// A phrase that describes the error.
pub fn containers(bytes: &[u8]) -> Result<Vec<Vec<Element>>, String> {
    read_containers(bytes, Room::of(MAX_UNPACKED))
}

fn read_containers(mut bytes: &[u8], mut room: Room) -> Result<Vec<Vec<Element>>, String> {
    let mut all = Vec::new();
    // Zeros pad containers to their alignment.
    while let Some(start) = bytes.iter().position(|&byte| byte != 0) {
        bytes = &bytes[start / 8 * 8..];
        if size(bytes, 0, 4) != Some(MAGIC) {
            return Err("its fat binary has an invalid header".to_owned());
        }
        let (head, rest) = split(bytes, (6, 2), CONTAINER_HEAD).ok_or(CUT_OFF)?;
        let (elements, rest) = rest.split_at_checked(size(head, 8, 8).ok_or(CUT_OFF)?).ok_or(CUT_OFF)?;
        all.push(read_elements(elements, &mut room)?);
        bytes = rest;
    }
    Ok(all)
}

fn read_elements(mut bytes: &[u8], room: &mut Room) -> Result<Vec<Element>, String> {
    let mut elements = Vec::new();
    while !bytes.is_empty() {
        let (head, rest) = split(bytes, (4, 4), ELEMENT_HEAD).ok_or(ELEMENT_CUT_OFF)?;
        let size = size(head, 8, 8).ok_or(ELEMENT_CUT_OFF)?;
        let (held, rest) = rest.split_at_checked(size).ok_or(ELEMENT_CUT_OFF)?;
        if number(head, 0, 2) == Some(SEVERAL) {
            elements.extend(read_several(head, &unpack(head, held, room)?, room)?);
        } else {
            let bytes = match kind(head) {
                Kind::Intermediate | Kind::Other => Vec::new(),
                Kind::Ptx | Kind::Cubin => unpack(head, held, room)?,
            };
            elements.push(Element { kind: kind(head), sm: sm(head), bytes });
        }
        bytes = rest;
    }
    Ok(elements)
}

/// The elements that are packed as one: their list is in the header.
fn read_several(head: &[u8], held: &[u8], room: &mut Room) -> Result<Vec<Element>, String> {
    let (n_parts, list) = size(head, 64, 4).zip(head.get(72..)).ok_or(ELEMENT_CUT_OFF)?;
    let part = |part: &[u8]| {
        let (start, size) =
            (size(part, 4, 4).ok_or(ELEMENT_CUT_OFF)?, size(part, 8, 4).ok_or(ELEMENT_CUT_OFF)?);
        let bytes = held.get(start..).and_then(|held| held.get(..size)).ok_or(ELEMENT_CUT_OFF)?;
        // The parts of a damaged list may overlap.
        room.take(bytes.len())?;
        Ok(Element { kind: kind(part), sm: sm(part), bytes: bytes.to_vec() })
    };
    list.chunks_exact(64).take(n_parts).map(part).collect()
}

/// A header, whose size is the number at `at`, and what follows it.
fn split(bytes: &[u8], (at, n_bytes): (usize, usize), least: usize) -> Option<(&[u8], &[u8])> {
    let head = size(bytes, at, n_bytes).filter(|&head| head >= least)?;
    bytes.split_at_checked(head)
}

/// The number of bytes that may still be unpacked.
struct Room {
    most: usize,
    left: usize,
}

impl Room {
    fn of(most: usize) -> Self {
        Room { most, left: most }
    }

    fn take(&mut self, n_bytes: usize) -> Result<(), String> {
        let left = self.left.checked_sub(n_bytes);
        self.left =
            left.ok_or_else(|| format!("its fat binary decompresses to more than {} MiB", self.most >> 20))?;
        Ok(())
    }
}

fn kind(head: &[u8]) -> Kind {
    match number(head, 0, 2) {
        Some(1) => Kind::Ptx,
        Some(2) => Kind::Cubin,
        Some(8) => Kind::Intermediate,
        _ => Kind::Other,
    }
}

fn sm(head: &[u8]) -> u32 {
    number(head, 28, 4).and_then(|sm| u32::try_from(sm).ok()).unwrap_or(0)
}

fn unpack(head: &[u8], held: &[u8], room: &mut Room) -> Result<Vec<u8>, String> {
    let flags = number(head, 40, 8).unwrap_or(0);
    if flags & (IS_LZ4 | IS_ZSTD) == 0 {
        room.take(held.len())?;
        return Ok(held.to_vec());
    }
    let wrong = || "an entry of its fat binary cannot be decompressed".to_owned();
    let held = held.get(..size(head, 16, 4).ok_or_else(wrong)?).ok_or_else(wrong)?;
    let unpacked = size(head, 56, 8).ok_or_else(wrong)?;
    room.take(unpacked)?;
    if flags & IS_LZ4 != 0 {
        // Check the size before unpacking anything.
        if unpacked / MAX_LZ4_RATIO > held.len() {
            return Err(wrong());
        }
        return lz4_flex::block::decompress(held, unpacked).map_err(|_| wrong());
    }
    let mut bytes = Vec::new();
    let decoder = StreamingDecoder::new(held).map_err(|_| wrong())?;
    decoder.take(unpacked as u64 + 1).read_to_end(&mut bytes).map_err(|_| wrong())?;
    if bytes.len() == unpacked { Ok(bytes) } else { Err(wrong()) }
}

/// A number that is a size.
fn size(bytes: &[u8], at: usize, n_bytes: usize) -> Option<usize> {
    usize::try_from(number(bytes, at, n_bytes)?).ok()
}

/// A little-endian number of this size.
fn number(bytes: &[u8], at: usize, n_bytes: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(n_bytes)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element of a container.
    fn element(kind: u16, sm: u32, flags: u64, held: &[u8], unpacked: usize) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        let padded = held.len().next_multiple_of(8);
        bytes[0..2].copy_from_slice(&kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&64_u32.to_le_bytes());
        bytes[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
        bytes[16..20].copy_from_slice(&(held.len() as u32).to_le_bytes());
        bytes[28..32].copy_from_slice(&sm.to_le_bytes());
        bytes[40..48].copy_from_slice(&flags.to_le_bytes());
        bytes[56..64].copy_from_slice(&(unpacked as u64).to_le_bytes());
        bytes.extend_from_slice(held);
        bytes.resize(64 + padded, 0);
        bytes
    }

    fn container(elements: &[Vec<u8>]) -> Vec<u8> {
        let elements = elements.concat();
        let mut bytes = (MAGIC as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&[1, 0, 16, 0]);
        bytes.extend_from_slice(&(elements.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&elements);
        bytes
    }

    // LZ4's encoding: three literals, a match of 14 at distance three, five literals.
    const LZ4: &[u8] = &[0x3a, b'a', b'b', b'c', 3, 0, 0x50, b'c', b'a', b'b', b'c', b'a'];
    const TEXT: &[u8] = b"abcabcabcabcabcabcabca";

    #[test]
    fn elements_are_read_and_unpacked() {
        let packed = element(2, 90, 0x2011, LZ4, TEXT.len());
        let first = container(&[element(1, 80, 0x11, b"plain te", 0), packed]);
        let second = container(&[element(8, 75, 0x8011, b"other", 9)]);
        let all = containers(&[first, vec![0; 8], second].concat()).expect("containers");
        let kinds = |elements: &[Element]| -> Vec<(Kind, u32)> {
            elements.iter().map(|element| (element.kind, element.sm)).collect()
        };
        assert_eq!(all.len(), 2);
        assert_eq!(kinds(&all[0]), [(Kind::Ptx, 80), (Kind::Cubin, 90)]);
        assert_eq!((&*all[0][0].bytes, &*all[0][1].bytes), (&b"plain te"[..], TEXT));
        assert_eq!(kinds(&all[1]), [(Kind::Intermediate, 75)]);
    }

    #[test]
    fn several_packed_as_one_are_taken_apart() {
        let mut head = element(256, 0, 0, b"", 0);
        head.extend_from_slice(&[2, 0, 0, 0, 0, 0, 0, 0]);
        for (kind, sm, start, size) in [(2, 80, 0, 3), (1, 90, 3, 5)] {
            let mut part = vec![0; 64];
            (part[0], part[4], part[8], part[28]) = (kind, start, size, sm);
            head.extend_from_slice(&part);
        }
        (head[4], head[8]) = (200, 8);
        head.extend_from_slice(b"cubtexts");
        let all = containers(&container(&[head.clone()])).expect("a container");
        let found: Vec<_> =
            all[0].iter().map(|element| (element.kind, element.sm, &*element.bytes)).collect();
        assert_eq!(found, [(Kind::Cubin, 80, &b"cub"[..]), (Kind::Ptx, 90, &b"texts"[..])]);
        head[72 + 64 + 8] = 6;
        assert!(containers(&container(&[head])).is_err());
    }

    #[test]
    fn rejects_damaged_binaries() {
        let whole = container(&[element(2, 80, 0x2011, LZ4, 20), element(1, 80, 0x8011, b"no zstd", 20)]);
        assert!(containers(&whole).is_err());
        assert!(containers(b"something else").is_err());
        let sound = container(&[element(1, 80, 0, b"plain te", 0)]);
        for len in 1..sound.len() {
            assert!(containers(&sound[..len]).is_err(), "{len}");
        }
        assert_eq!(containers(&[]), Ok(Vec::new()));
        assert_eq!(containers(&[0; 32]), Ok(Vec::new()));
    }

    #[test]
    fn a_size_of_zero_does_not_loop() {
        let endless = container(&[vec![0; 64]]);
        assert!(containers(&endless).is_err());
        // A container with an empty header and body.
        let mut empty = container(&[]);
        empty[6..16].fill(0);
        assert_eq!(containers(&empty), Err(CUT_OFF.to_owned()));
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        for (at, n_bytes) in [(6, 2), (8, 8), (16 + 4, 4), (16 + 8, 8), (16 + 16, 4), (16 + 56, 8)] {
            let mut damaged = container(&[element(2, 80, 0x2011, LZ4, TEXT.len())]);
            damaged[at..at + n_bytes].fill(0xff);
            assert!(containers(&damaged).is_err(), "{at}");
        }
    }

    #[test]
    fn rejects_oversized_unpacked_images() {
        // A zstd block that repeats a byte 128 KiB times, and no last block.
        let zstd = |n_blocks: usize| {
            let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
            (0..n_blocks).for_each(|_| bytes.extend([0x02, 0x00, 0x10, b'x']));
            bytes.extend([0x01, 0x00, 0x00]);
            bytes
        };
        let of = |n_blocks: usize| element(1, 80, 0x8011, &zstd(n_blocks), n_blocks << 17);
        let sound = containers(&container(&[of(2)])).expect("a container");
        assert_eq!(sound[0][0].bytes.len(), 2 << 17);
        let bomb = container(&[of(3), of(6)]);
        let within = |most: usize| read_containers(&bomb, Room::of(most));
        assert_eq!(within(1 << 20), Err("its fat binary decompresses to more than 1 MiB".to_owned()));
        assert!(within(9 << 17).is_ok());
        // LZ4 cannot unpack so few bytes to this size.
        assert!(containers(&container(&[element(2, 80, 0x2011, LZ4, 1 << 20)])).is_err());
    }

    #[test]
    fn parts_that_overlap_take_no_more_than_all_may() {
        let mut head = element(256, 0, 0, b"", 0);
        head.extend_from_slice(&[0; 8]);
        let held = vec![b'x'; 1 << 20];
        let n_parts = 4_u32;
        for _ in 0..n_parts {
            let mut part = vec![0; 64];
            part[0] = 1;
            part[8..12].copy_from_slice(&(1_u32 << 20).to_le_bytes());
            head.extend_from_slice(&part);
        }
        head[64..68].copy_from_slice(&n_parts.to_le_bytes());
        let size = head.len() as u32;
        head[4..8].copy_from_slice(&size.to_le_bytes());
        head[8..16].copy_from_slice(&(held.len() as u64).to_le_bytes());
        head.extend(held);
        let container = container(&[head]);
        assert!(read_containers(&container, Room::of(5 << 20)).is_ok());
        assert!(read_containers(&container, Room::of(4 << 20)).is_err());
    }
}
