//! Moves a session to the archive and back, and deletes one: never while a writer has it open.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, ErrorKind};
use crate::files::{create_private_dirs, parent_of, rename_new};
use crate::layout::{Home, RolloutName};
use crate::lock::WriterLock;
use crate::read::source::other_representation;
use crate::write::writer::plain_path;

/// Moves an active session to the archive of its home. Returns the new path.
///
/// The file keeps its name, its time of change and its form, compressed or plain.
///
/// # Errors
///
/// [`ErrorKind::NotFound`]; [`ErrorKind::InvalidInput`] if the file does not lie in the sessions of
/// `home` under the name of a rollout; [`ErrorKind::AlreadyOpen`]; [`ErrorKind::AlreadyExists`]; or
/// what the system says.
pub fn archive(home: &Home, path: &Path) -> Result<PathBuf, Error> {
    let (name, path) = checked(path, &home.sessions_dir())?;
    let target = with_form(home.archived_path(&name), &path);
    move_locked(&path, &target, None)?;
    Ok(target)
}

/// Moves an archived session back to the day that its name tells. Returns the new path.
///
/// Its time of change becomes now, so that it counts as recent and not as cold.
///
/// # Errors
///
/// As [`archive`], for a file in the archive of `home`.
pub fn unarchive(home: &Home, path: &Path) -> Result<PathBuf, Error> {
    let (name, path) = checked(path, &home.archive_dir())?;
    let target = with_form(home.active_path(&name), &path);
    move_locked(&path, &target, Some(SystemTime::now()))?;
    Ok(target)
}

/// Deletes a session's file for good, compressed or plain.
///
/// Other sessions may refer to it by `history_base`; they can't be read whole afterwards.
///
/// # Errors
///
/// [`ErrorKind::InvalidInput`] if the name is not that of a rollout; [`ErrorKind::AlreadyOpen`];
/// [`ErrorKind::NotFound`]; or what the system says.
pub fn delete(path: &Path) -> Result<(), Error> {
    let folder = parent_of(path).to_path_buf();
    let (_, path) = checked(path, &folder)?;
    let _lock = WriterLock::acquire(&plain_path(&path))?;
    let twin = other_representation(&path);
    fs::remove_file(&path).map_err(|error| Error::io("delete", &path, error))?;
    match fs::remove_file(&twin) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("delete", &twin, error))
        }
        _ => Ok(()),
    }
}

/// The name of a rollout that lies inside `root`, and the representation of it that is there.
fn checked(path: &Path, root: &Path) -> Result<(RolloutName, PathBuf), Error> {
    let invalid = |what: &str| Error::new(ErrorKind::InvalidInput, what).at(path);
    let other = other_representation(path);
    if !path.exists() && !other.exists() {
        return Err(Error::io("open", path, io::ErrorKind::NotFound.into()));
    }
    let name = RolloutName::parse(path).ok_or_else(|| invalid("the name is not a rollout's"))?;
    let there = if path.exists() || !other.exists() {
        path.to_path_buf()
    } else {
        other
    };
    let folder = fs::canonicalize(parent_of(&there))
        .map_err(|error| Error::io("look at", parent_of(&there), error))?;
    let root = fs::canonicalize(root).map_err(|error| Error::io("look at", root, error))?;
    if !folder.starts_with(&root) {
        return Err(invalid("the file lies elsewhere"));
    }
    let kind = fs::symlink_metadata(&there).map_err(|error| Error::io("look at", &there, error))?;
    if !kind.is_file() {
        return Err(invalid("not a plain file"));
    }
    Ok((name, there))
}

fn with_form(target: PathBuf, like: &Path) -> PathBuf {
    if like.extension().is_some_and(|extension| extension == "zst") {
        return other_representation(&target);
    }
    target
}

/// Moves a file and sets its time of change while both places are locked, so that whoever gets a
/// lock afterwards finds a file that nobody touches any more.
fn move_locked(from: &Path, to: &Path, changed: Option<SystemTime>) -> Result<(), Error> {
    let _lock = WriterLock::acquire(&plain_path(from))?;
    if other_representation(to).exists() {
        return Err(Error::io("create", to, io::ErrorKind::AlreadyExists.into()));
    }
    create_private_dirs(parent_of(to))?;
    // Whoever opens the new place for writing must wait until the move is done.
    let _target_lock = WriterLock::acquire(&plain_path(to))?;
    rename_new(from, to)?;
    let Some(changed) = changed else {
        return Ok(());
    };
    fs::OpenOptions::new()
        .append(true)
        .open(to)
        .and_then(|file| file.set_modified(changed))
        .map_err(|error| Error::io("set the time of", to, error))
}
