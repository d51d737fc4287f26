//! The rollouts of a home, newest first, one day's names in memory at a time.

use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::error::Error;
use crate::layout::{DateDirs, Home, RolloutName, is_file_inside, read_dir};
use crate::read::source::other_representation;
use crate::time::Timestamp;

/// Which part of a home is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scope {
    /// Active sessions.
    #[default]
    Active,
    /// Archived sessions.
    Archived,
    /// Active and archived sessions.
    Both,
}

/// A rollout as its name tells it: what is known without opening it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The name's parts.
    pub(crate) name: RolloutName,
    /// The file, `.zst` included where only the compressed one is there.
    pub(crate) path: PathBuf,
    /// Whether it lies in the archive.
    pub(crate) archived: bool,
}

/// Where a walk goes on: strictly behind the file with this time and id.
pub(crate) type Position = (Timestamp, Uuid);

/// Iterator over the rollouts of a home; see [`walk`].
#[derive(Debug)]
pub(crate) struct Walk {
    home: Home,
    days: Option<DateDirs>,
    day: Names,
    archive: Option<Names>,
    behind: Option<Position>,
}

/// The names of one folder, the next one last; true for those only there compressed.
#[derive(Debug, Default)]
struct Names {
    folder: PathBuf,
    names: Vec<(RolloutName, bool)>,
}

impl Names {
    fn read(folder: PathBuf, behind: Option<Position>) -> Result<Self, Error> {
        let names = names_of(&folder, behind)?;
        Ok(Self { folder, names })
    }

    fn next_key(&self) -> Option<Position> {
        self.names.last().map(|(name, _)| key(name))
    }

    fn pop(&mut self, archived: bool) -> Option<Found> {
        let (name, packed) = self.names.pop()?;
        let mut path = self.folder.join(name.file_name());
        if packed {
            path = other_representation(&path);
        }
        Some(Found {
            name,
            path,
            archived,
        })
    }
}

/// Goes through the rollouts of a home, the newest by name first, day by day.
///
/// **Bounds**: holds the names of one day, and those of the archive: about 60 bytes a file.
pub(crate) fn walk(home: &Home, scope: Scope) -> Result<Walk, Error> {
    Ok(Walk {
        home: home.clone(),
        days: if scope == Scope::Archived {
            None
        } else {
            Some(home.date_dirs()?)
        },
        day: Names::default(),
        archive: (scope == Scope::Active).then(Names::default),
        behind: None,
    })
}

impl Walk {
    /// Leaves out everything up to a position; whole days are passed over unread where they can be.
    pub(crate) fn behind(mut self, position: Option<Position>) -> Self {
        self.behind = position;
        self
    }

    fn step(&mut self) -> Result<Option<Found>, Error> {
        while self.day.names.is_empty() {
            let Some(day) = self.days.as_mut().and_then(Iterator::next) else {
                break;
            };
            let day = day?;
            if !self.is_later_day(&day) {
                self.day = Names::read(day, self.behind)?;
            }
        }
        let behind = self.behind;
        let archive = match &mut self.archive {
            Some(archive) => archive,
            none => none.insert(Names::read(self.home.archive_dir(), behind)?),
        };
        // None is less than any key.
        if archive.next_key() > self.day.next_key() {
            return Ok(archive.pop(true));
        }
        Ok(self.day.pop(false))
    }

    /// Whether all of a day lies before the position, with a day to spare for local times.
    fn is_later_day(&self, day: &Path) -> bool {
        let Some((after, _)) = self.behind else {
            return false;
        };
        let mut parts = day.iter().rev().take(3).filter_map(|part| part.to_str());
        let (Some(day), Some(month), Some(year)) = (parts.next(), parts.next(), parts.next())
        else {
            return false;
        };
        Timestamp::parse(&format!("{year:0>4}-{month:0>2}-{day:0>2}T00:00:00"))
            .is_some_and(|day| day.unix_ms() > after.unix_ms() + 2 * 86_400_000)
    }
}

impl Iterator for Walk {
    type Item = Result<Found, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

/// The names in one folder behind a position, newest last; the plain file hides its `.zst`.
fn names_of(folder: &Path, behind: Option<Position>) -> Result<Vec<(RolloutName, bool)>, Error> {
    let mut names = Vec::new();
    for entry in read_dir(folder)? {
        let entry = entry?;
        let file_name = entry.file_name();
        let Some(name) = RolloutName::parse(&file_name) else {
            continue;
        };
        if behind.is_some_and(|position| key(&name) >= position) || !is_file_inside(&entry, folder)
        {
            continue;
        }
        let packed = Path::new(&file_name)
            .extension()
            .is_some_and(|extension| extension == "zst");
        names.push((name, packed));
    }
    // Plain sorts before packed, so that the packed twin is the one that goes.
    names.sort_unstable_by_key(|(name, packed)| (key(name), *packed));
    names.dedup_by_key(|(name, _)| *name);
    Ok(names)
}

/// What rollouts are ordered by.
pub(crate) fn key(name: &RolloutName) -> Position {
    (name.created, name.rollout_id())
}
