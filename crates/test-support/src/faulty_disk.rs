//! A file system whose calls fail when they are told to: short writes, errors, stalls.
//! The bytes that are taken land in a real file, so that readers see what they would see.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use annals_rollout::{AppendFile, FileLook, FileSystem, StdFileSystem};

/// What a call asks of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiskCall {
    /// Create a file.
    Create,
    /// Open a file.
    Open,
    /// Write so many bytes.
    Write(usize),
    /// Make durable.
    Sync,
    /// Look at the file.
    Look,
    /// Write bytes that are there once more.
    Rewrite,
}

/// How a call goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DiskFault {
    /// As it should.
    #[default]
    None,
    /// A write takes at most so many bytes, at least one.
    Short(usize),
    /// The call fails; a write takes nothing.
    Fail(io::ErrorKind),
    /// The call takes so long, then goes as it should.
    Stall(Duration),
}

type Plan = dyn FnMut(u64, DiskCall) -> DiskFault + Send;

/// A [`FileSystem`] that asks a plan before every call.
///
/// # Example
///
/// ```
/// use annals_test_support::{DiskCall, DiskFault, FaultyDisk};
///
/// // The first write takes 37 bytes, the second finds the disk full, then all is well.
/// let mut writes = 0;
/// let disk = FaultyDisk::new(move |_, call| match call {
///     DiskCall::Write(_) => {
///         writes += 1;
///         match writes {
///             1 => DiskFault::Short(37),
///             2 => DiskFault::Fail(std::io::ErrorKind::StorageFull),
///             _ => DiskFault::None,
///         }
///     }
///     _ => DiskFault::None,
/// });
/// assert_eq!(disk.calls(), 0);
/// ```
#[derive(Clone)]
pub struct FaultyDisk {
    plan: Arc<Mutex<(u64, Box<Plan>)>>,
}

impl FaultyDisk {
    /// Takes the plan; it gets the number of the call, from 0, and what is asked.
    pub fn new<F>(plan: F) -> Self
    where
        F: FnMut(u64, DiskCall) -> DiskFault + Send + 'static,
    {
        Self {
            plan: Arc::new(Mutex::new((0, Box::new(plan)))),
        }
    }

    /// How many calls there were.
    pub fn calls(&self) -> u64 {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    fn ask(&self, call: DiskCall) -> io::Result<Option<usize>> {
        let fault = {
            let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
            let number = plan.0;
            plan.0 += 1;
            (plan.1)(number, call)
        };
        match fault {
            DiskFault::None => Ok(None),
            DiskFault::Short(bytes) => Ok(Some(bytes.max(1))),
            DiskFault::Fail(kind) => Err(kind.into()),
            DiskFault::Stall(time) => {
                std::thread::sleep(time);
                Ok(None)
            }
        }
    }
}

impl fmt::Debug for FaultyDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultyDisk")
            .field("calls", &self.calls())
            .finish_non_exhaustive()
    }
}

impl FileSystem for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        self.ask(DiskCall::Create)?;
        Ok(Box::new(FaultyFile {
            disk: self.clone(),
            file: StdFileSystem.create(path)?,
        }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        self.ask(DiskCall::Open)?;
        Ok(Box::new(FaultyFile {
            disk: self.clone(),
            file: StdFileSystem.open(path)?,
        }))
    }
}

#[derive(Debug)]
struct FaultyFile {
    disk: FaultyDisk,
    file: Box<dyn AppendFile>,
}

impl AppendFile for FaultyFile {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let limit = self
            .disk
            .ask(DiskCall::Write(bytes.len()))?
            .unwrap_or(bytes.len());
        self.file.write(bytes.get(..limit).unwrap_or(bytes))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.disk.ask(DiskCall::Sync)?;
        self.file.sync_data()
    }

    fn rewrite(&self, path: &Path, from_bytes: u64, to_bytes: u64) -> io::Result<()> {
        self.disk.ask(DiskCall::Rewrite)?;
        self.file.rewrite(path, from_bytes, to_bytes)
    }

    fn look(&self, path: &Path) -> io::Result<FileLook> {
        self.disk.ask(DiskCall::Look)?;
        self.file.look(path)
    }
}
