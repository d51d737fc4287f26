//! Lists of threads: the newest file of each stands for all that it goes on from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use uuid::Uuid;

use crate::error::Error;
use crate::layout::{Home, RolloutName};
use crate::read::lineage::{Lineage, ParentSearch};
use crate::read::source::Source;
use crate::sessions::list::{SessionSummary, summary};
use crate::sessions::walk::{Found, Position, Scope, key, walk};

/// The threads whose newest file a walk from the newest to the oldest has come by.
#[derive(Debug, Default)]
pub(crate) struct Passed(BTreeSet<Uuid>);

impl Passed {
    /// Those whose newest file stands before the place where a page starts.
    ///
    /// Reads the names of what the pages before it showed.
    pub(crate) fn before(
        home: &Home,
        scope: Scope,
        position: Option<Position>,
    ) -> Result<Self, Error> {
        let mut passed = Self::default();
        let Some(position) = position else {
            return Ok(passed);
        };
        for found in walk(home, scope)? {
            let found = found?;
            if key(&found.name) < position {
                break;
            }
            passed.is_newest(&found);
        }
        Ok(passed)
    }

    /// Whether a file is the newest one of its thread, as the walk comes to it.
    pub(crate) fn is_newest(&mut self, found: &Found) -> bool {
        let thread = found.name.thread_id;
        match found.name.segment_id {
            Some(_) => self.0.insert(thread),
            // It is the oldest one, so nobody asks again.
            None => !self.0.contains(&thread),
        }
    }
}

/// The newest files of those threads that have several, by the places of their names.
pub(crate) fn newest_segments(
    home: &Home,
    scope: Scope,
) -> Result<BTreeMap<Uuid, Position>, Error> {
    let mut newest = BTreeMap::new();
    for found in walk(home, scope)? {
        let found = found?;
        if found.name.segment_id.is_some() {
            newest
                .entry(found.name.thread_id)
                .or_insert(key(&found.name));
        }
    }
    Ok(newest)
}

/// Adds what the older files of a thread know of it. One that can't be followed stays as it is: a
/// list is no place to complain about a parent.
pub(crate) fn add_past(session: &mut SessionSummary, home: &Home) {
    let search = ParentSearch::in_home(home.clone());
    let lineage = Source::open(&session.path).and_then(|source| Lineage::resolve(source, &search));
    let Ok(lineage) = lineage else {
        return;
    };
    let (mut preview, mut files, mut bytes) = (None, 0, 0);
    for segment in lineage.segments() {
        let name = RolloutName::parse(segment.path());
        let Some(name) = name.filter(|name| name.thread_id == session.name.thread_id) else {
            continue;
        };
        files += 1;
        bytes += fs::metadata(segment.path()).map_or(0, |found| found.len());
        session.thread_created = session.thread_created.min(name.created);
        let found = Found {
            name,
            path: segment.path().to_path_buf(),
            archived: session.archived,
        };
        preview = preview.or_else(|| summary(&found).ok()?.preview);
    }
    session.files = files.max(1);
    session.thread_bytes = bytes.max(session.len_bytes);
    session.preview = preview.or(session.preview.take());
}
