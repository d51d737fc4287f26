//! One writer per rollout: an OS lock that dies with its process, and a note that names who holds it.
//! Readers never take it.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::files::{self, FileId};
use crate::time::Timestamp;

/// Who holds a writer lock.
///
/// **Shape**: `{"pid":4711,"program":"annals","started_at":"2026-12-01T01:52:46.402Z"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Holder {
    /// The process id.
    pub pid: u32,
    /// The program's file name.
    pub program: String,
    /// When it took the lock, UTC.
    pub started_at: String,
}

impl Holder {
    /// This process, now.
    pub fn this_process() -> Self {
        let program = std::env::current_exe()
            .ok()
            .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .unwrap_or_else(|| "unknown".to_owned());
        Self {
            pid: std::process::id(),
            program,
            started_at: Timestamp::now().to_string(),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (process {}) since {}",
            self.program, self.pid, self.started_at
        )
    }
}

/// The lock on one rollout, held until it is dropped or the process ends.
///
/// Two files beside the rollout, named by its id: `.<id>.lock` carries the lock of the operating
/// system and nothing else; `.<id>.holder` says who has it. Both go with the lock; what a killed
/// process left behind locks nothing.
#[derive(Debug)]
pub struct WriterLock {
    file: File,
    id: FileId,
    lock_path: PathBuf,
    holder_path: PathBuf,
}

impl WriterLock {
    /// Takes the lock of the rollout at `path`, in this process or not at all.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyOpen`], with the holder where it can be read, if another writer has it,
    /// in this process or in another; otherwise what the system reports.
    pub fn acquire(path: &Path) -> Result<Self, Error> {
        let (lock_path, holder_path) = lock_paths(path)?;
        // A holder removes its lock file as its last act, so a lock may be got on a file that is
        // gone already: only the lock on the file that everybody sees counts.
        for _ in 0..100 {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            files::private(&mut options);
            let file = options
                .open(&lock_path)
                .map_err(|e| Error::io("open the lock", &lock_path, e))?;
            match try_lock_patiently(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(error)) => {
                    return Err(Error::io("lock", &lock_path, error));
                }
            }
            let id = FileId::of(&file).map_err(|e| Error::io("look at the lock", &lock_path, e))?;
            let lock = Self {
                file,
                id,
                lock_path: lock_path.clone(),
                holder_path: holder_path.clone(),
            };
            if lock.is_current() {
                lock.write_holder()?;
                return Ok(lock);
            }
            lock.abandon();
        }
        let what = "another writer has the rollout open";
        let holder = read_holder(&holder_path);
        Err(Error::new(ErrorKind::AlreadyOpen, what)
            .at(path)
            .with_holder(holder))
    }

    /// Lets go of a lock on a file that is gone, without touching what others made in its place.
    fn abandon(mut self) {
        self.lock_path = PathBuf::new();
        self.holder_path = PathBuf::new();
    }

    fn write_holder(&self) -> Result<(), Error> {
        let mut text = serde_json::to_vec(&Holder::this_process()).unwrap_or_default();
        text.push(b'\n');
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        files::private(&mut options);
        options
            .open(&self.holder_path)
            .and_then(|mut file| file.write_all(&text))
            .or_else(|error| match error.kind() {
                // A full disk must not keep anyone from opening; only the name is missing then.
                std::io::ErrorKind::StorageFull
                | std::io::ErrorKind::QuotaExceeded
                | std::io::ErrorKind::FileTooLarge => Ok(()),
                _ => Err(Error::io("name the holder in", &self.holder_path, error)),
            })
    }

    /// Whether the lock file is still the one that others would lock.
    pub(crate) fn is_current(&self) -> bool {
        matches!(self.id.len_at(&self.lock_path), Ok(Some(_)))
    }

    /// As [`is_current`](Self::is_current), without walking the path: it sees that the lock file
    /// was removed or replaced, but not that it was moved away.
    pub(crate) fn still_has_a_name(&self) -> bool {
        files::has_a_name(&self.file).unwrap_or(false)
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // Only what is still ours: someone may have removed the lock file beneath us.
        if !self.lock_path.as_os_str().is_empty() && self.is_current() {
            let _note_gone = fs::remove_file(&self.holder_path);
            let _lock_gone = fs::remove_file(&self.lock_path);
        }
        let _free = self.file.unlock();
    }
}

/// Who has the rollout at `path` open for writing, if anyone.
///
/// # Errors
///
/// What the system reports, where the lock file is there but can't be looked at.
pub fn writer_of(path: &Path) -> Result<Option<Holder>, Error> {
    let (lock_path, holder_path) = lock_paths(path)?;
    let file = match OpenOptions::new().read(true).write(true).open(&lock_path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("open the lock", &lock_path, error)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(Some(read_holder(&holder_path).unwrap_or(Holder {
            pid: 0,
            program: "unknown".to_owned(),
            started_at: String::new(),
        }))),
        Err(TryLockError::Error(error)) => Err(Error::io("lock", &lock_path, error)),
    }
}

/// Someone who only asks who the writer is holds the lock for a moment: that must refuse nobody.
fn try_lock_patiently(file: &File) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
            other => return other,
        }
    }
    file.try_lock()
}

fn read_holder(path: &Path) -> Option<Holder> {
    let mut text = String::new();
    File::open(path)
        .ok()?
        .take(4096)
        .read_to_string(&mut text)
        .ok()?;
    serde_json::from_str(&text).ok()
}

/// Lock and holder of a rollout: dot files beside it, so that no reader takes them for sessions.
fn lock_paths(path: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let key = match crate::layout::RolloutName::parse(path) {
        Some(name) => name.rollout_id().to_string(),
        None => path
            .file_name()
            .map(|name| name.to_string_lossy().trim_end_matches(".zst").to_owned())
            .ok_or_else(|| {
                Error::new(ErrorKind::InvalidInput, "the path names no file").at(path)
            })?,
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    Ok((
        folder.join(format!(".{key}.lock")),
        folder.join(format!(".{key}.holder")),
    ))
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
