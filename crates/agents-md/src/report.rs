//! What a load found: the text, and for every file what became of it. How it is shown is the caller's matter.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use annals_context_fragments::catalog::UserInstructions;

/// The AGENTS.md files that hold for a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "a load that nobody looks at did nothing"]
pub struct AgentsMd {
    pub(crate) text: String,
    pub(crate) home_text: String,
    pub(crate) project_text: String,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) root: ProjectRoot,
    pub(crate) files: Vec<FileReport>,
}

impl AgentsMd {
    /// Both tiers joined, within the room of the fragment; empty when nothing was found.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the home file, trimmed, and cut to the room that the project leaves.
    pub fn home_text(&self) -> &str {
        &self.home_text
    }

    /// The texts of the project's files, each trimmed, joined by blank lines, within their shared budget but for marks
    /// and joiners.
    pub fn project_text(&self) -> &str {
        &self.project_text
    }

    /// The working directory, if a file of the project contributed to the text.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// The project's root and what marks it.
    pub fn root(&self) -> &ProjectRoot {
        &self.root
    }

    /// Every file that was looked at and is there, in the order in which it was looked at.
    pub fn files(&self) -> &[FileReport] {
        &self.files
    }

    /// The fragment that tells the text for the first time; nothing when there is no text.
    pub fn fragment(&self) -> Option<UserInstructions> {
        let directory = self
            .directory
            .as_ref()
            .map(|directory| directory.display().to_string());
        (!self.text.is_empty())
            .then(|| UserInstructions::new(directory.as_deref(), self.text.as_str()))
    }

    /// What a person should be told, each with the path that it is about. One fault gives one warning.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let marker = self
            .root
            .marker
            .iter()
            .filter(|marker| marker.is_empty_directory);
        let markers = marker.map(|marker| Warning {
            path: marker.path.clone(),
            text: format!(
                "is an empty directory, yet it makes {} the project's root",
                self.root.path.display()
            ),
        });
        markers.chain(self.files.iter().flat_map(FileReport::warnings))
    }
}

/// The directory that a project's files are looked for from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectRoot {
    /// The directory.
    pub path: PathBuf,
    /// What marks it; nothing when no marker was found and the working directory stands alone.
    pub marker: Option<RootMarker>,
}

/// What marks a project's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootMarker {
    /// The file or directory.
    pub path: PathBuf,
    /// Whether it is a directory with nothing in it, which is suspect: a `.git` that was left behind.
    pub is_empty_directory: bool,
}

/// Which tier a file is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// The user's own file.
    Home,
    /// A file of the project.
    Project,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// Its path, as it was looked for.
    pub path: PathBuf,
    /// Its tier.
    pub tier: Tier,
    /// Its size on disk; nothing when that is not known.
    pub len_bytes: Option<u64>,
    /// What became of it.
    pub outcome: FileOutcome,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileOutcome {
    /// Its text was taken, whole or cut.
    Read {
        /// Bytes of its trimmed text that are in the result.
        kept_bytes: usize,
        /// Bytes of its trimmed text that were cut off; a mark stands in their place.
        cut_bytes: u64,
        /// How many times bytes that are not UTF-8 were replaced by U+FFFD.
        n_replaced: usize,
    },
    /// Its text was not taken.
    PassedOver(PassedOver),
}

/// Why a file was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassedOver {
    /// It holds nothing but white space. In a project it still hides the names after it.
    Empty,
    /// Another file of the same directory comes first.
    HiddenBy(PathBuf),
    /// It is the same file as one that was taken already, by another path or through a link.
    AlreadyRead(PathBuf),
    /// The budget of the project's files is used up.
    NoRoom,
    /// The budget of the project's files is 0.
    TurnedOff,
    /// The project is not trusted.
    NotTrusted,
    /// It lies above the project's root.
    AboveRoot,
    /// It is a directory, a pipe or a device.
    NoFile,
    /// It is a link that leads nowhere.
    BrokenLink,
    /// It could not be looked at or read.
    Unreadable {
        /// What was tried.
        operation: &'static str,
        /// What the system said.
        kind: io::ErrorKind,
    },
}

impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::HiddenBy(path) => write!(f, "hidden by {}", path.display()),
            Self::AlreadyRead(path) => write!(f, "already read as {}", path.display()),
            Self::NoRoom => f.write_str("no room left in the project's budget"),
            Self::TurnedOff => f.write_str("project files are turned off"),
            Self::NotTrusted => f.write_str("the project is not trusted"),
            Self::AboveRoot => f.write_str("above the project's root"),
            Self::NoFile => f.write_str("not a regular file"),
            Self::BrokenLink => f.write_str("a link that leads nowhere"),
            Self::Unreadable { operation, kind } => write!(f, "failed to {operation}: {kind}"),
        }
    }
}

/// One line for a person: the path and what became of the file.
impl fmt::Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.outcome {
            FileOutcome::Read {
                kept_bytes,
                cut_bytes: 0,
                ..
            } => write!(f, "read, {kept_bytes} bytes"),
            FileOutcome::Read {
                kept_bytes,
                cut_bytes,
                ..
            } => {
                write!(f, "cut, {kept_bytes} bytes kept and {cut_bytes} left out")
            }
            FileOutcome::PassedOver(why) => write!(f, "passed over: {why}"),
        }
    }
}

impl FileReport {
    /// Whether the text of the file is in the result, whole or cut.
    pub const fn is_read(&self) -> bool {
        matches!(self.outcome, FileOutcome::Read { .. })
    }

    fn warnings(&self) -> impl Iterator<Item = Warning> {
        let (cut, replaced, passed) = match &self.outcome {
            FileOutcome::Read {
                kept_bytes,
                cut_bytes,
                n_replaced,
            } => (
                (*cut_bytes > 0)
                    .then(|| format!("was cut: {kept_bytes} bytes kept, {cut_bytes} left out")),
                (*n_replaced > 0)
                    .then(|| format!("is not UTF-8: U+FFFD was put in {n_replaced} places")),
                None,
            ),
            FileOutcome::PassedOver(why) => (None, None, why.warning()),
        };
        let texts = [cut, replaced, passed].into_iter().flatten();
        texts.map(|text| Warning {
            path: self.path.clone(),
            text,
        })
    }
}

impl PassedOver {
    /// What a person should be told; what goes by the rules is not worth a warning.
    fn warning(&self) -> Option<String> {
        match self {
            Self::NoRoom => {
                Some("was left out: the budget of the project's files is used up".to_owned())
            }
            Self::NoFile | Self::BrokenLink | Self::Unreadable { .. } => {
                Some(format!("was passed over: {self}"))
            }
            Self::Empty
            | Self::HiddenBy(_)
            | Self::AlreadyRead(_)
            | Self::TurnedOff
            | Self::NotTrusted
            | Self::AboveRoot => None,
        }
    }
}

/// Something that a person should be told about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it, to stand behind its path.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path.display(), self.text)
    }
}
