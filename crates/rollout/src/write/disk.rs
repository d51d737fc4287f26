//! The few things a writer asks of a file, as a port: so that faults can be injected beneath it.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::files;

/// Opens files for appending. Open for implementation: tests put faulty disks here.
pub trait FileSystem: fmt::Debug + Send + Sync {
    /// Creates a file that must not exist, for appending, readable by its owner alone.
    ///
    /// # Errors
    ///
    /// What the system reports; [`io::ErrorKind::AlreadyExists`] if it exists.
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>>;

    /// Opens a file that must exist, for appending.
    ///
    /// # Errors
    ///
    /// What the system reports.
    fn open(&self, path: &Path) -> io::Result<Box<dyn AppendFile>>;
}

/// A file open for appending. Open for implementation: tests put faulty disks here.
pub trait AppendFile: fmt::Debug + Send + Sync {
    /// Appends some of the bytes and says how many; like `write(2)`, it may take fewer.
    ///
    /// # Errors
    ///
    /// What the system reports; nothing was taken then.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Makes everything that was written durable.
    ///
    /// # Errors
    ///
    /// What the system reports; how much is durable is not known then.
    fn sync_data(&self) -> io::Result<()>;

    /// Writes bytes that are in the file once more, in place, after a sync that failed: a system
    /// may take what it could not bring to the disk for done, and would not try it again.
    ///
    /// # Errors
    ///
    /// What the system reports.
    fn rewrite(&self, path: &Path, from_bytes: u64, to_bytes: u64) -> io::Result<()>;

    /// Looks whether the path still names this file, and how long it is.
    ///
    /// # Errors
    ///
    /// What the system reports.
    fn look(&self, path: &Path) -> io::Result<FileLook>;
}

/// What a look at an open file found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLook {
    /// Whether the path still names the open file.
    pub same_file: bool,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// The real one: `std::fs`.
#[derive(Debug, Clone, Copy, Default)]
pub struct StdFileSystem;

impl FileSystem for StdFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        files::private(&mut options);
        Ok(Box::new(StdFile(options.open(path)?)))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(StdFile(
            OpenOptions::new().append(true).open(path)?,
        )))
    }
}

#[derive(Debug)]
struct StdFile(File);

impl AppendFile for StdFile {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn rewrite(&self, path: &Path, from_bytes: u64, to_bytes: u64) -> io::Result<()> {
        // A handle for appending writes at the end whatever it is told.
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        if !files::same_file(&self.0, path)? {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut block = vec![0; 64 * 1024];
        let mut at = from_bytes;
        while at < to_bytes {
            let wanted = usize::try_from(to_bytes - at).unwrap_or(usize::MAX);
            let len = wanted.min(block.len());
            let part = block.get_mut(..len).unwrap_or_default();
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(part)?;
            file.seek(SeekFrom::Start(at))?;
            file.write_all(part)?;
            at += len as u64;
        }
        Ok(())
    }

    fn look(&self, path: &Path) -> io::Result<FileLook> {
        let same_file = files::same_file(&self.0, path)?;
        Ok(FileLook {
            same_file,
            len_bytes: self.0.metadata()?.len(),
        })
    }
}
