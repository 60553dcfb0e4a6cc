//! Fat binaries: what an object of the host holds its device code in.
//!
//! In: the bytes of a section, in which one container stands behind another, each a module's. Out: their elements, PTX and
//! cubins for one GPU each, unpacked. The format is NVIDIA's own and told nowhere; what is read here was measured with
//! fatbinary 13.5, and is checked where it can be:
//!
//! | container | bytes | |
//! |---|---|---|
//! | magic | 4 | `0xba55ed50` |
//! | version, size of this head | 2, 2 | 1, 16 |
//! | bytes of all elements | 8 | |
//!
//! | element | at | |
//! |---|---|---|
//! | kind | 0, 2 bytes | 1 PTX, 2 cubin, 8 for link-time optimisation, 256 several, packed as one (nvcc's `-concat`) |
//! | size of this head | 4, 4 bytes | |
//! | size of what follows it, padding included | 8, 8 bytes | |
//! | size of it when packed | 16, 4 bytes | without padding |
//! | GPU | 28, 4 bytes | 80 of sm_80 |
//! | flags | 40, 8 bytes | 0x2000 packed with LZ4, 0x8000 with zstd |
//! | size of it when unpacked | 56, 8 bytes | 0 if it never was packed |
//!
//! The head of several goes on with their number, at 64, and from 72 on with 64 bytes for each: its kind, its GPU where an
//! element has them, the place and the size of it among the unpacked bytes at 4 and 8, 4 bytes each.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

const MAGIC: u32 = 0xba55_ed50;
/// The kind of an element that is several.
const SEVERAL: u64 = 256;

const IS_LZ4: u64 = 0x2000;
const IS_ZSTD: u64 = 0x8000;

/// No element is taken for larger than this: a damaged one could ask for all memory.
const MAX_SIZE: usize = 1 << 30;

/// A part of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What it holds.
    pub kind: Kind,
    /// The number of its GPU: 80 of sm_80.
    pub sm: u32,
    /// What it holds, unpacked.
    pub bytes: Vec<u8>,
}

/// What an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Ptx,
    /// An object of the GPU.
    Cubin,
    /// What is left to the link to make code of; only NVIDIA's programs read it.
    Intermediate,
    /// Something else.
    Other,
}

/// The containers of a section, each with its elements.
///
/// # Errors
/// A phrase that says what is wrong with it.
pub fn containers(mut bytes: &[u8]) -> Result<Vec<Vec<Element>>, String> {
    let mut all = Vec::new();
    // What is aligned may have zeros before it.
    while let Some(start) = bytes.iter().position(|&byte| byte != 0) {
        bytes = &bytes[start / 8 * 8..];
        if number(bytes, 0, 4) != Some(u64::from(MAGIC)) {
            return Err("its fat binary does not begin as one does".to_owned());
        }
        let head = number(bytes, 6, 2).and_then(|size| usize::try_from(size).ok());
        let size = number(bytes, 8, 8).and_then(|size| usize::try_from(size).ok());
        let end = head.zip(size).and_then(|(head, size)| Some((head, head.checked_add(size)?)));
        let elements = end.and_then(|(head, end)| Some((bytes.get(head..end)?, end)));
        let (elements, end) = elements.ok_or("its fat binary is cut off")?;
        all.push(read_elements(elements)?);
        bytes = &bytes[end..];
    }
    Ok(all)
}

fn read_elements(mut bytes: &[u8]) -> Result<Vec<Element>, String> {
    let mut elements = Vec::new();
    while !bytes.is_empty() {
        let at = |offset, n_bytes| {
            let value = number(bytes, offset, n_bytes)?;
            usize::try_from(value).ok()
        };
        let parts = at(4, 4).zip(at(8, 8)).and_then(|(head, size)| {
            let end = head.checked_add(size)?;
            // A head without a size would not end.
            (head >= 64).then_some((bytes.get(..head)?, bytes.get(head..end)?))
        });
        let (head, held) = parts.ok_or("an element of its fat binary is cut off")?;
        let end = head.len() + held.len();
        let flags = number(bytes, 40, 8).unwrap_or(0);
        let (packed, unpacked) = (at(16, 4).unwrap_or(0), at(56, 8).unwrap_or(0));
        if number(head, 0, 2) == Some(SEVERAL) {
            let held = unpack(held, flags, packed, unpacked)?;
            let list = at(64, 4).zip(head.get(72..));
            let (n_parts, list) = list.ok_or("an element of its fat binary is cut off")?;
            for part in list.chunks_exact(64).take(n_parts) {
                let of_part = |offset| number(part, offset, 4).and_then(|value| usize::try_from(value).ok());
                let range = of_part(4)
                    .zip(of_part(8))
                    .and_then(|(start, size)| Some(start..start.checked_add(size)?));
                let held = range
                    .and_then(|range| held.get(range))
                    .ok_or("an element of its fat binary is cut off")?;
                elements.push(Element { kind: kind(part), sm: sm(part), bytes: held.to_vec() });
            }
        } else {
            let held = match kind(head) {
                Kind::Intermediate | Kind::Other => Vec::new(),
                Kind::Ptx | Kind::Cubin => unpack(held, flags, packed, unpacked)?,
            };
            elements.push(Element { kind: kind(head), sm: sm(head), bytes: held });
        }
        bytes = &bytes[end..];
    }
    Ok(elements)
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

fn unpack(held: &[u8], flags: u64, packed: usize, unpacked: usize) -> Result<Vec<u8>, String> {
    if flags & (IS_LZ4 | IS_ZSTD) == 0 {
        return Ok(held.to_vec());
    }
    let wrong = || "an element of its fat binary cannot be unpacked".to_owned();
    let held = held.get(..packed).ok_or_else(wrong)?;
    if unpacked > MAX_SIZE {
        return Err("an element of its fat binary is too large".to_owned());
    }
    if flags & IS_LZ4 != 0 {
        return lz4_flex::block::decompress(held, unpacked).map_err(|_| wrong());
    }
    let mut bytes = Vec::new();
    let decoder = StreamingDecoder::new(held).map_err(|_| wrong())?;
    decoder.take(unpacked as u64 + 1).read_to_end(&mut bytes).map_err(|_| wrong())?;
    if bytes.len() == unpacked { Ok(bytes) } else { Err(wrong()) }
}

/// A number of so many bytes, the lowest first.
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
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend_from_slice(&[1, 0, 16, 0]);
        bytes.extend_from_slice(&(elements.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&elements);
        bytes
    }

    // As LZ4 packs it: three letters, 14 more from three before, five letters.
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
    fn what_is_damaged_is_refused() {
        let whole = container(&[element(2, 80, 0x2011, LZ4, 20), element(1, 80, 0x8011, b"no zstd", 20)]);
        assert!(containers(&whole).is_err());
        assert!(containers(b"something else").is_err());
        let sound = container(&[element(1, 80, 0, b"plain te", 0)]);
        for len in 1..sound.len() {
            assert!(containers(&sound[..len]).is_err(), "{len}");
        }
        assert_eq!(containers(&[]), Ok(Vec::new()));
        assert_eq!(containers(&[0; 32]), Ok(Vec::new()));
        let endless = container(&[vec![0; 64]]);
        assert!(containers(&endless).is_err());
    }
}
