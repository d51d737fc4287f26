//! Where files lie under a home and what their names say.
//! Names are only for finding and ordering; the truth about a thread stands inside its file.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::time::Timestamp;

/// The directory that holds sessions, archive and index: the reference program's home.
///
/// **Shape**: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl[.zst]`, `archived_sessions/` flat,
/// `session_index.jsonl`. Times are UTC. Symbolic links that lead out of the home are not followed.
///
/// # Example
///
/// ```
/// use annals_rollout::{Home, RolloutName, Timestamp};
///
/// let home = Home::new("home");
/// let id = "01a22f4d-919e-7c60-8290-89a0ff8f876a".parse().unwrap();
/// let name = RolloutName::new(Timestamp::from_unix_ms(1_796_089_966_402), id);
/// assert_eq!(
///     home.active_path(&name),
///     std::path::Path::new("home/sessions/2026/12/01")
///         .join("rollout-2026-12-01T01-52-46-01a22f4d-919e-7c60-8290-89a0ff8f876a.jsonl"),
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// Takes the directory; nothing is created or looked at.
    pub fn new<P: Into<PathBuf>>(root: P) -> Self {
        Self { root: root.into() }
    }

    /// The home that a rollout lies in, judged by its path alone: `…/sessions/YYYY/MM/DD/file` or
    /// `…/archived_sessions/file`.
    pub fn of_rollout(path: &Path) -> Option<Self> {
        let folder = path.parent()?;
        if folder.file_name() == Some(OsStr::new(ARCHIVE_DIR)) {
            return folder.parent().map(Self::new);
        }
        let sessions = folder.ancestors().nth(3)?;
        let dated = folder
            .ancestors()
            .take(3)
            .all(|dir| numeric_name(dir.file_name()).is_some());
        (dated && sessions.file_name() == Some(OsStr::new(SESSIONS_DIR)))
            .then(|| sessions.parent().map(Self::new))?
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where active sessions lie, in directories by date.
    pub fn sessions_dir(&self) -> PathBuf {
        self.root.join(SESSIONS_DIR)
    }

    /// Where archived sessions lie, side by side.
    pub fn archive_dir(&self) -> PathBuf {
        self.root.join(ARCHIVE_DIR)
    }

    /// The file that maps thread ids to names.
    pub fn session_index(&self) -> PathBuf {
        self.root.join("session_index.jsonl")
    }

    /// Where an active rollout of that name lies.
    pub fn active_path(&self, name: &RolloutName) -> PathBuf {
        let (year, month, day) = name.created.date_parts();
        self.sessions_dir()
            .join(year)
            .join(month)
            .join(day)
            .join(name.file_name())
    }

    /// Where an archived rollout of that name lies.
    pub fn archived_path(&self, name: &RolloutName) -> PathBuf {
        self.archive_dir().join(name.file_name())
    }

    /// Finds the file whose rollout id (the last id in its name) is `id`, active or archived.
    ///
    /// **Cost**: a version-7 id tells its day, so three directories are looked at first, then all.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] or [`ErrorKind::PermissionDenied`] if a directory can't be read.
    pub fn find_rollout(&self, id: Uuid) -> Result<Option<PathBuf>, Error> {
        for day in days_around(id) {
            let (year, month, dir) = day.date_parts();
            let folder = self.sessions_dir().join(year).join(month).join(dir);
            if let Some(found) = find_in_folder(&folder, id)? {
                return Ok(Some(found));
            }
        }
        if let Some(found) = find_in_folder(&self.archive_dir(), id)? {
            return Ok(Some(found));
        }
        for folder in self.date_dirs()? {
            if let Some(found) = find_in_folder(&folder?, id)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The day directories, newest first, read one level at a time as they are asked for.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] or [`ErrorKind::PermissionDenied`] if the sessions directory can't be read.
    pub(crate) fn date_dirs(&self) -> Result<DateDirs, Error> {
        let years = numeric_dirs(&self.sessions_dir())?;
        Ok(DateDirs {
            years,
            months: Vec::new(),
            days: Vec::new(),
        })
    }

    /// Whether `path` lies inside this home once every symbolic link is resolved.
    pub fn contains(&self, path: &Path) -> bool {
        match (fs::canonicalize(&self.root), fs::canonicalize(path)) {
            (Ok(root), Ok(path)) => path.starts_with(root),
            _ => false,
        }
    }
}

const SESSIONS_DIR: &str = "sessions";
const ARCHIVE_DIR: &str = "archived_sessions";

/// What the name of a rollout says.
///
/// **Shape**: `rollout-YYYY-MM-DDThh-mm-ss-<thread id>[_<segment id>].jsonl[.zst]`. The rollout id
/// is the segment id where there is one, else the thread id; `history_base` refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct RolloutName {
    /// The time in the name, read as UTC. The reference program writes local time there.
    pub created: Timestamp,
    /// The thread that it belongs to.
    pub thread_id: Uuid,
    /// The segment's own id, for a thread that was reverted.
    pub segment_id: Option<Uuid>,
}

impl RolloutName {
    /// The first file of a thread.
    pub fn new(created: Timestamp, thread_id: Uuid) -> Self {
        Self {
            created,
            thread_id,
            segment_id: None,
        }
    }

    /// A later segment of the same thread.
    #[must_use = "names are values"]
    pub fn with_segment(mut self, segment_id: Uuid) -> Self {
        self.segment_id = Some(segment_id);
        self
    }

    /// Reads a file name, with or without directories before it and `.zst` behind it.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_rollout::RolloutName;
    ///
    /// let name = RolloutName::parse(
    ///     "rollout-2026-12-01T01-52-46-01a22f4d-e817-7bb1-81b4-d895d89a126a_01a22f4d-ef3c-7f80-b2ef-1fe22e1167e2.jsonl.zst",
    /// )
    /// .unwrap();
    /// assert_eq!(name.rollout_id().to_string(), "01a22f4d-ef3c-7f80-b2ef-1fe22e1167e2");
    /// assert_eq!(RolloutName::parse("notes.jsonl"), None);
    /// ```
    pub fn parse<P: AsRef<Path>>(path: P) -> Option<Self> {
        let name = path.as_ref().file_name()?.to_str()?;
        let stem = name
            .strip_suffix(".zst")
            .unwrap_or(name)
            .strip_suffix(".jsonl")?;
        let rest = stem.strip_prefix("rollout-")?;
        let created = Timestamp::parse(rest.get(..19)?)?;
        let ids = rest.get(19..)?.strip_prefix('-')?;
        let (thread, segment) = match ids.split_once('_') {
            Some((thread, segment)) => (thread, Some(parse_id(segment)?)),
            None => (ids, None),
        };
        Some(Self {
            created,
            thread_id: parse_id(thread)?,
            segment_id: segment,
        })
    }

    /// The id that other files refer to.
    pub fn rollout_id(&self) -> Uuid {
        self.segment_id.unwrap_or(self.thread_id)
    }

    /// The plain file name.
    pub fn file_name(&self) -> String {
        let time = self.created.file_name_part();
        match self.segment_id {
            Some(segment) => format!("rollout-{time}-{}_{segment}.jsonl", self.thread_id),
            None => format!("rollout-{time}-{}.jsonl", self.thread_id),
        }
    }
}

/// Reads an id in its hyphenated form only: an id becomes part of a path, so nothing else passes.
pub(crate) fn parse_id(text: &str) -> Option<Uuid> {
    (text.len() == 36).then(|| Uuid::try_parse(text).ok())?
}

/// Reads an id that a caller gave.
pub(crate) fn require_id(text: &str) -> Result<Uuid, Error> {
    parse_id(text).ok_or_else(|| {
        let shown: String = text.chars().take(60).collect();
        Error::new(ErrorKind::InvalidId, format!("{shown:?} is no thread id"))
    })
}

/// Finds a rollout by its rollout id among the files of one folder; a missing folder holds none.
pub(crate) fn find_in_folder(folder: &Path, id: Uuid) -> Result<Option<PathBuf>, Error> {
    let mut compressed = None;
    for entry in read_dir(folder)? {
        let entry = entry?;
        let Some(name) = RolloutName::parse(entry.path()) else {
            continue;
        };
        if name.rollout_id() != id || !is_file_inside(&entry, folder) {
            continue;
        }
        if entry.path().extension() == Some(OsStr::new("zst")) {
            compressed = Some(entry.path());
        } else {
            return Ok(Some(entry.path()));
        }
    }
    Ok(compressed)
}

/// Whether a directory entry is a file, and no link to one that lies elsewhere.
pub(crate) fn is_file_inside(entry: &DirEntry, folder: &Path) -> bool {
    match entry.file_type() {
        Ok(kind) if kind.is_file() => true,
        Ok(kind) if kind.is_symlink() => {
            match (fs::canonicalize(folder), fs::canonicalize(entry.path())) {
                (Ok(folder), Ok(target)) => target.is_file() && target.parent() == Some(&*folder),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The entries of a directory; one that is not there has none.
pub(crate) fn read_dir(
    folder: &Path,
) -> Result<impl Iterator<Item = Result<DirEntry, Error>> + use<'_>, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => Some(entries),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(Error::io("list", folder, error)),
    };
    Ok(entries
        .into_iter()
        .flatten()
        .map(move |entry| entry.map_err(|e| Error::io("list", folder, e))))
}

/// The day of a version-7 id, the day before and the day after: directories may go by local time.
fn days_around(id: Uuid) -> Vec<Timestamp> {
    const DAY_MS: u64 = 86_400_000;
    let Some((seconds, _)) = id
        .get_timestamp()
        .filter(|_| id.get_version_num() == 7)
        .map(|t| t.to_unix())
    else {
        return Vec::new();
    };
    let ms = seconds.saturating_mul(1000);
    [ms, ms.saturating_sub(DAY_MS), ms.saturating_add(DAY_MS)]
        .map(Timestamp::from_unix_ms)
        .into()
}

/// Directories with a number for a name, the largest last.
fn numeric_dirs(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in read_dir(folder)? {
        let entry = entry?;
        // A link is no directory here, so that no link leads out of the home or in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Some(number) = numeric_name(Some(&entry.file_name()))
        {
            found.push((number, entry.path()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn numeric_name(name: Option<&OsStr>) -> Option<u32> {
    let name = name?.to_str()?;
    (name.len() <= 4 && name.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| name.parse().ok())?
}

/// Iterator over day directories, newest first; holds at most one year, month and day list.
#[derive(Debug)]
pub(crate) struct DateDirs {
    years: Vec<PathBuf>,
    months: Vec<PathBuf>,
    days: Vec<PathBuf>,
}

impl Iterator for DateDirs {
    type Item = Result<PathBuf, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(day) = self.days.pop() {
                return Some(Ok(day));
            }
            let (list, folder) = if let Some(month) = self.months.pop() {
                (&mut self.days, month)
            } else {
                (&mut self.months, self.years.pop()?)
            };
            match numeric_dirs(&folder) {
                Ok(found) => *list = found,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
