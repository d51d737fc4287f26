//! The few things a writer asks of a file, as a port: so that faults can be injected beneath it.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::files::{self, FileId};

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
    /// Its length in bytes; 0 if the path names another file or none.
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
        Ok(Box::new(StdFile::new(options.open(path)?)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Box::new(StdFile::new(file)?))
    }
}

#[derive(Debug)]
struct StdFile {
    file: File,
    id: FileId,
}

impl StdFile {
    fn new(file: File) -> io::Result<Self> {
        let id = FileId::of(&file)?;
        Ok(Self { file, id })
    }
}

impl AppendFile for StdFile {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.file).write(bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn rewrite(&self, path: &Path, from_bytes: u64, to_bytes: u64) -> io::Result<()> {
        // A handle for appending writes at the end whatever it is told.
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        if self.id.len_at(path)?.is_none() {
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
        let found = self.id.len_at(path)?;
        Ok(FileLook {
            same_file: found.is_some(),
            len_bytes: found.unwrap_or_default(),
        })
    }
}
