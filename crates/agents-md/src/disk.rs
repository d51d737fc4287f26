//! The few things that are asked of a file system, so that tests can have one that fails.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What stands at a path, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A regular file of so many bytes.
    File { len_bytes: u64 },
    /// A directory.
    Directory,
    /// A pipe, a device, a socket.
    Special,
}

/// A file system.
pub(crate) trait FileSystem {
    /// What stands at a path; `NotFound` if nothing does, or if a link leads nowhere.
    fn entry(&self, path: &Path) -> io::Result<Entry>;
    /// Whether a link stands at a path, wherever it leads.
    fn is_link(&self, path: &Path) -> bool;
    /// Whether a directory holds nothing.
    fn is_empty_directory(&self, path: &Path) -> io::Result<bool>;
    /// The path without links.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// The first bytes of a file, at most `limit_bytes`.
    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>>;
}

/// The real one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl FileSystem for Disk {
    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let found = fs::metadata(path)?;
        Ok(if found.is_file() {
            Entry::File {
                len_bytes: found.len(),
            }
        } else if found.is_dir() {
            Entry::Directory
        } else {
            Entry::Special
        })
    }

    fn is_link(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_symlink())
    }

    fn is_empty_directory(&self, path: &Path) -> io::Result<bool> {
        Ok(fs::read_dir(path)?.next().is_none())
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?
            .take(limit_bytes)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
