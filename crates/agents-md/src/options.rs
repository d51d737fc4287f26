//! What a load goes by. Where the values come from (settings, environment) is the caller's matter.

use std::path::{Path, PathBuf};

/// Where to look for AGENTS.md files, and how much of them to take.
///
/// # Example
///
/// ```
/// use annals_agents_md::LoadOptions;
///
/// let options = LoadOptions::new("/repo/crate")
///     .with_home("/home/dev/.codex")
///     .with_fallback_names(["RULES.md"])
///     .with_max_project_bytes(16_384);
/// assert_eq!(options.cwd(), std::path::Path::new("/repo/crate"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    pub(crate) cwd: PathBuf,
    pub(crate) home: Option<PathBuf>,
    pub(crate) root_markers: Vec<String>,
    pub(crate) fallback_names: Vec<String>,
    pub(crate) max_project_bytes: usize,
    pub(crate) trusts_project: bool,
}

impl LoadOptions {
    /// How many bytes the project's files share unless another number is set: 32 KiB.
    pub const DEFAULT_MAX_PROJECT_BYTES: usize = 32_768;

    /// A load for a working directory, which must be an absolute path: no home, `.git` as root marker, no fallback names,
    /// 32 KiB, project files are read.
    pub fn new<P: AsRef<Path>>(cwd: P) -> Self {
        Self {
            cwd: cwd.as_ref().to_owned(),
            home: None,
            root_markers: vec![".git".to_owned()],
            fallback_names: Vec::new(),
            max_project_bytes: Self::DEFAULT_MAX_PROJECT_BYTES,
            trusts_project: true,
        }
    }

    /// Reads the user's own file from this directory first.
    #[must_use]
    pub fn with_home<P: AsRef<Path>>(mut self, home: P) -> Self {
        self.home = Some(home.as_ref().to_owned());
        self
    }

    /// Takes other names as marks of a project's root. With none the working directory alone is looked at. Blank names
    /// are left aside.
    #[must_use]
    pub fn with_root_markers<I>(mut self, markers: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        self.root_markers = markers.into_iter().map(Into::into).collect();
        self
    }

    /// Looks for files of these names where a directory of the project has no AGENTS.md. Blank names, names that were
    /// given already, and names that are paths are left aside.
    #[must_use]
    pub fn with_fallback_names<I>(mut self, names: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        self.fallback_names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how many bytes of text the project's files share; 0 reads none of them.
    #[must_use]
    pub const fn with_max_project_bytes(mut self, bytes: usize) -> Self {
        self.max_project_bytes = bytes;
        self
    }

    /// Reads no file of the project, as it is not trusted. They are reported.
    #[must_use]
    pub const fn without_project_files(mut self) -> Self {
        self.trusts_project = false;
        self
    }

    /// The working directory.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }
}
