//! The one thing that ends a load: a working directory from which nothing can be found.

use std::path::{Path, PathBuf};

/// A load that cannot be done.
#[derive(Debug, thiserror::Error)]
#[error("working directory {} is not an absolute path", path.display())]
pub struct Error {
    path: PathBuf,
}

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The working directory is not an absolute path, so its parents are not known. Join it to the current directory.
    RelativeDirectory,
}

impl Error {
    pub(crate) fn relative(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// What kind of error it is.
    pub const fn kind(&self) -> ErrorKind {
        ErrorKind::RelativeDirectory
    }

    /// The path that it is about.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        "join it to the current directory first"
    }
}
