//! Archives of host objects, with the table of their symbols that linkers need.

use std::io::Cursor;

use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream};

use crate::error::{Error, Message};

/// The archive of objects, each with its name. The same objects give the same bytes.
///
/// # Errors
///
/// If one of them is not an object.
pub(super) fn of_objects(members: Vec<(Vec<u8>, Vec<u8>)>) -> Result<Vec<u8>, Error> {
    let members: Vec<NewArchiveMember<'_>> = members
        .into_iter()
        .map(|(name, bytes)| {
            let name = String::from_utf8_lossy(&name).into_owned();
            NewArchiveMember::new(bytes, &DEFAULT_OBJECT_READER, name)
        })
        .collect();
    let mut archive = Cursor::new(Vec::new());
    write_archive_to_stream(&mut archive, &members, ArchiveKind::Gnu, false, None)
        .map_err(|error| Message::new(format!("cannot write the archive: {error}")).user())?;
    Ok(archive.into_inner())
}
