//! What this crate asks of a file system beyond reading and writing: privacy, identity, durability.
//! Every difference between systems stands here.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Makes a file that is created by these options readable by its owner alone.
pub(crate) fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _inherits_from_its_directory = options;
}

/// Creates a directory and what is missing above it, open to its owner alone.
///
/// Returns the directories whose entries changed, outermost first, for a sync of them.
pub(crate) fn create_private_dirs(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut missing = Vec::new();
    let mut at = dir;
    while !at.as_os_str().is_empty() && !at.exists() {
        missing.push(at);
        match at.parent() {
            Some(parent) => at = parent,
            None => break,
        }
    }
    let mut changed = Vec::new();
    for dir in missing.iter().rev() {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(0o700);
        }
        match builder.create(dir) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(Error::io("create the directory", dir, error));
            }
            _ => changed.push(parent_of(dir).to_path_buf()),
        }
    }
    Ok(changed)
}

/// The directory that holds `path`; `.` for a bare name.
pub(crate) fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes the entries of a directory durable, where the system can.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return File::open(dir)?.sync_all();
    #[cfg(not(unix))]
    {
        let _entries_are_durable_with_the_file = dir;
        Ok(())
    }
}

/// Which file is open. Nobody else gets its number as long as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
}

impl FileId {
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        Ok(Self::from_metadata(&file.metadata()?))
    }

    /// How long the file is if `path` still names it, for one call of the system.
    pub(crate) fn len_at(self, path: &Path) -> io::Result<Option<u64>> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok((self == Self::from_metadata(&found)).then_some(found.len()))
    }

    #[cfg(unix)]
    fn from_metadata(metadata: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let device_and_inode = (metadata.dev(), metadata.ino());
        Self { device_and_inode }
    }

    /// An open file can't be removed or replaced there.
    #[cfg(not(unix))]
    fn from_metadata(_: &fs::Metadata) -> Self {
        Self {}
    }
}

/// Whether any path still names the open file; much cheaper than to walk its path.
pub(crate) fn has_a_name(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    return Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0);
    #[cfg(not(unix))]
    {
        let _cannot_be_removed_while_open = file;
        Ok(true)
    }
}

/// A private file with a name of its own beside `path`, for a swap; removed unless it is kept.
#[derive(Debug)]
pub(crate) struct TempBeside {
    pub(crate) file: File,
    path: PathBuf,
    keep: bool,
}

impl TempBeside {
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let name = format!(".annals-{}.tmp", uuid::Uuid::now_v7());
        let temp = parent_of(path).join(name);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        private(&mut options);
        let file = options
            .open(&temp)
            .map_err(|e| Error::io("create", &temp, e))?;
        Ok(Self {
            file,
            path: temp,
            keep: false,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the content durable and gives it the name `target`, which must be free.
    pub(crate) fn keep_as(mut self, target: &Path) -> Result<(), Error> {
        self.file
            .sync_all()
            .map_err(|e| Error::io("write", &self.path, e))?;
        rename_new(&self.path, target)?;
        self.keep = true;
        sync_dir(parent_of(target)).map_err(|e| Error::io("sync the directory of", target, e))
    }
}

impl Drop for TempBeside {
    fn drop(&mut self) {
        if !self.keep {
            let _gone = fs::remove_file(&self.path);
        }
    }
}

/// Renames without ever replacing a file.
pub(crate) fn rename_new(from: &Path, to: &Path) -> Result<(), Error> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from).map_err(|e| Error::io("remove", from, e)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Error::io("create", to, error))
        }
        // A file system without hard links: the look before the rename has to do.
        Err(_) if !to.exists() => fs::rename(from, to).map_err(|e| Error::io("rename", from, e)),
        Err(_) => Err(Error::io("create", to, io::ErrorKind::AlreadyExists.into())),
    }
}
