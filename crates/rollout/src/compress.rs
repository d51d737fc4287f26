//! Cold files as zstd, and back: verified first, then swapped, so that no byte is ever lost.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::files::TempBeside;
use crate::lock::WriterLock;
use crate::read::source::other_representation;
use crate::write::writer::plain_path;

/// The level that the reference program uses.
const LEVEL: i32 = 3;
/// Bytes compared at once.
const BLOCK_BYTES: usize = 256 * 1024;

/// Compresses a rollout: `name.jsonl` becomes `name.jsonl.zst`. Returns the new path.
///
/// The compressed file is written beside the original, read back and compared byte for byte, made
/// durable and named; only then is the original removed. Its modification time and mode stay. The
/// writer lock is held meanwhile, so an open thread is never compressed.
///
/// # Errors
///
/// [`ErrorKind::AlreadyOpen`] if a writer has it; [`ErrorKind::AlreadyExists`] if both
/// representations are there and differ; [`ErrorKind::VerifyFailed`] if the copy does not read back
/// or the original changed meanwhile; [`ErrorKind::Empty`]; or what the system says. The original is
/// untouched in every case.
pub fn compress<P: AsRef<Path>>(path: P) -> Result<PathBuf, Error> {
    let plain = plain_path(path.as_ref());
    let packed = other_representation(&plain);
    if !plain.exists() {
        if packed.exists() {
            return Ok(packed);
        }
        return Err(Error::io("open", &plain, io::ErrorKind::NotFound.into()));
    }
    let _lock = WriterLock::acquire(&plain)?;
    let before = look(&plain)?;
    if before.len() == 0 {
        return Err(Error::new(ErrorKind::Empty, "the file is empty").at(&plain));
    }
    if packed.exists() {
        // A swap that died between naming and removing leaves both.
        same_content(&plain, &packed, before.len())?;
    } else {
        let temp = TempBeside::create(&packed)?;
        pack_into(&plain, &temp, before.len())?;
        same_content(&plain, temp.path(), before.len())?;
        copy_attributes(&before, &temp.file, temp.path())?;
        unchanged(&plain, &before)?;
        temp.keep_as(&packed)?;
    }
    if let Err(error) = unchanged(&plain, &before) {
        let _gone = fs::remove_file(&packed);
        return Err(error);
    }
    fs::remove_file(&plain).map_err(|error| Error::io("remove", &plain, error))?;
    Ok(packed)
}

/// Decompresses a rollout: `name.jsonl.zst` becomes `name.jsonl`. Returns the new path.
///
/// # Errors
///
/// As [`compress`]; [`ErrorKind::VerifyFailed`] if the compressed file is damaged, which stays then.
pub fn decompress<P: AsRef<Path>>(path: P) -> Result<PathBuf, Error> {
    let plain = plain_path(path.as_ref());
    if plain.exists() {
        return Ok(plain);
    }
    if !other_representation(&plain).exists() {
        return Err(Error::io("open", &plain, io::ErrorKind::NotFound.into()));
    }
    let _lock = WriterLock::acquire(&plain)?;
    unpack_locked(&plain)?;
    Ok(plain)
}

/// Decompresses for a caller that holds the lock of `plain`.
///
/// The modification time becomes now: what was just unpacked is not cold.
pub(crate) fn unpack_locked(plain: &Path) -> Result<(), Error> {
    let packed = other_representation(plain);
    let before = look(&packed)?;
    let temp = TempBeside::create(plain)?;
    let fail = |error| Error::io("write", temp.path(), error);
    let source = File::open(&packed).map_err(|error| Error::io("open", &packed, error))?;
    let mut decoder = zstd::Decoder::new(source).map_err(|e| damaged(&packed, &e))?;
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        // A damaged archive and a full disk are different errors.
        let n_bytes = decoder.read(&mut block).map_err(|e| damaged(&packed, &e))?;
        if n_bytes == 0 {
            break;
        }
        (&temp.file)
            .write_all(block.get(..n_bytes).unwrap_or_default())
            .map_err(fail)?;
    }
    temp.file
        .set_permissions(before.permissions())
        .map_err(fail)?;
    temp.keep_as(plain)?;
    fs::remove_file(&packed).map_err(|error| Error::io("remove", &packed, error))
}

fn pack_into(plain: &Path, temp: &TempBeside, len_bytes: u64) -> Result<(), Error> {
    let fail = |error| Error::io("compress", plain, error);
    let mut source = File::open(plain).map_err(fail)?;
    let mut encoder = zstd::Encoder::new(&temp.file, LEVEL).map_err(fail)?;
    encoder.include_checksum(true).map_err(fail)?;
    encoder
        .set_pledged_src_size(Some(len_bytes))
        .map_err(fail)?;
    encoder.include_contentsize(true).map_err(fail)?;
    io::copy(&mut source, &mut encoder).map_err(fail)?;
    encoder.finish().map_err(fail)?.sync_all().map_err(fail)
}

/// Compares a plain file with what a compressed one holds.
fn same_content(plain: &Path, packed: &Path, len_bytes: u64) -> Result<(), Error> {
    let open = |path: &Path| File::open(path).map_err(|error| Error::io("open", path, error));
    let mut decoder = zstd::Decoder::new(open(packed)?).map_err(|e| damaged(packed, &e))?;
    let mut original = open(plain)?;
    let (mut left, mut right) = (vec![0; BLOCK_BYTES], vec![0; BLOCK_BYTES]);
    let mut compared = 0_u64;
    loop {
        let n_bytes = decoder.read(&mut right).map_err(|e| damaged(packed, &e))?;
        let unpacked = right.get(..n_bytes).unwrap_or_default();
        let room = left.get_mut(..n_bytes).unwrap_or_default();
        if original.read_exact(room).is_err() || *room != *unpacked {
            let what = format!("the copy differs after byte {compared}");
            return Err(Error::new(ErrorKind::VerifyFailed, what).at(packed));
        }
        if n_bytes == 0 {
            break;
        }
        compared += n_bytes as u64;
    }
    if compared != len_bytes {
        let what = format!("the copy holds {compared} of {len_bytes} bytes");
        return Err(Error::new(ErrorKind::VerifyFailed, what).at(packed));
    }
    Ok(())
}

fn damaged(path: &Path, error: &io::Error) -> Error {
    Error::new(
        ErrorKind::VerifyFailed,
        format!("the compressed file is damaged ({error})"),
    )
    .at(path)
}

fn look(path: &Path) -> Result<Metadata, Error> {
    fs::metadata(path).map_err(|error| Error::io("look at", path, error))
}

fn copy_attributes(from: &Metadata, to: &File, path: &Path) -> Result<(), Error> {
    let fail = |error| Error::io("set the attributes of", path, error);
    to.set_permissions(from.permissions()).map_err(fail)?;
    match from.modified() {
        Ok(modified) => to.set_modified(modified).map_err(fail),
        Err(_) => Ok(()),
    }
}

/// Refuses to go on if someone without the lock changed the file.
fn unchanged(path: &Path, before: &Metadata) -> Result<(), Error> {
    let now = look(path)?;
    if now.len() == before.len() && now.modified().ok() == before.modified().ok() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::VerifyFailed,
        "the file changed while it was compressed",
    )
    .at(path))
}
