//! From what a person types to a file: an id, the start of one, or a thread's name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;
use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::layout::{Home, parse_id};
use crate::read::lines::LineReader;
use crate::read::source::Source;
use crate::sessions::walk::{Found, Scope, key, walk};

/// The fewest characters that count as the start of an id.
const PREFIX_CHARS: usize = 4;
/// The longest line of the session index that is looked at.
const INDEX_LINE_BYTES: u64 = 64 * 1024;

/// A row of the session index.
#[derive(Deserialize)]
struct Row {
    id: String,
    thread_name: String,
}

/// Finds a session by its thread id or rollout id, the start of one, or its name in the index.
///
/// A thread with several segments is its newest one; a rollout id names exactly that file. Active
/// sessions and the archive are looked through.
///
/// **Cost**: reads the names of all sessions; for a name, the index too.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] with where was looked; [`ErrorKind::Ambiguous`] with the first few ids
/// that fit; or what the system says.
pub fn lookup(home: &Home, text: &str) -> Result<PathBuf, Error> {
    let wanted = text.trim();
    if let Some(id) = parse_id(wanted) {
        return by_id(home, id)?
            .map(|found| found.path)
            .ok_or_else(|| missing(home, wanted));
    }
    let hex = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    if wanted.len() >= PREFIX_CHARS && wanted.bytes().all(hex) {
        let lower = wanted.to_ascii_lowercase();
        if let Some(found) = by_prefix(home, &lower)? {
            return Ok(found.path);
        }
    }
    by_name(home, wanted)?.ok_or_else(|| missing(home, wanted))
}

/// All files of a thread, the newest first: one, and one more for each revert.
///
/// **Cost**: reads the names of all sessions.
///
/// # Errors
///
/// What the system says; a thread that is not there has no files.
pub fn files_of_thread(home: &Home, thread: Uuid) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for found in walk(home, Scope::Both)? {
        let found = found?;
        if found.name.thread_id == thread {
            files.push((key(&found.name), found.path));
        }
    }
    files.sort_unstable_by(|one, other| other.cmp(one));
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

fn missing(home: &Home, wanted: &str) -> Error {
    let shown: String = wanted.chars().take(60).collect();
    let what = format!("no session {shown:?} in the sessions and the archive");
    Error::new(ErrorKind::NotFound, what).at(home.root())
}

fn by_id(home: &Home, id: Uuid) -> Result<Option<Found>, Error> {
    let mut best: Option<Found> = None;
    for found in walk(home, Scope::Both)? {
        let found = found?;
        if found.name.segment_id == Some(id) {
            return Ok(Some(found));
        }
        if found.name.thread_id == id
            && best
                .as_ref()
                .is_none_or(|best| key(&best.name) < key(&found.name))
        {
            best = Some(found);
        }
    }
    Ok(best)
}

fn by_prefix(home: &Home, prefix: &str) -> Result<Option<Found>, Error> {
    let mut best: Option<Found> = None;
    let mut threads = BTreeSet::new();
    for found in walk(home, Scope::Both)? {
        let found = found?;
        let segment_fits = found
            .name
            .segment_id
            .is_some_and(|id| id.to_string().starts_with(prefix));
        if !segment_fits && !found.name.thread_id.to_string().starts_with(prefix) {
            continue;
        }
        if threads.len() < 6 {
            threads.insert(found.name.thread_id);
        }
        if best
            .as_ref()
            .is_none_or(|best| key(&best.name) < key(&found.name))
        {
            best = Some(found);
        }
    }
    if threads.len() > 1 {
        let some: Vec<String> = threads.iter().take(5).map(Uuid::to_string).collect();
        let more = if threads.len() > 5 { " and more" } else { "" };
        let what = format!("{prefix} fits several sessions: {}{more}", some.join(", "));
        return Err(Error::new(ErrorKind::Ambiguous, what).at(home.root()));
    }
    Ok(best)
}

/// The newest row of each id is its name; a name whose file was never written hides no older one.
fn by_name(home: &Home, wanted: &str) -> Result<Option<PathBuf>, Error> {
    let source = match Source::open(home.session_index()) {
        Ok(source) => source,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Empty) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    // One pass: the last row of each id is its name, and the order in which names were given counts.
    let mut names: BTreeMap<Uuid, (u64, bool)> = BTreeMap::new();
    let mut lines = LineReader::with_limit(source.bytes(), INDEX_LINE_BYTES);
    let fail = |error| Error::io("read", &home.session_index(), error);
    while let Some(line) = lines.next_line().map_err(fail)? {
        let Ok(row) = serde_json::from_slice::<Row>(line.bytes) else {
            continue;
        };
        let Some(id) = parse_id(&row.id) else {
            continue;
        };
        let name = row.thread_name.trim();
        names.insert(id, (line.number, !name.is_empty() && name == wanted));
    }
    let mut fitting: Vec<(u64, Uuid)> = names
        .into_iter()
        .filter(|(_, (_, fits))| *fits)
        .map(|(id, (row, _))| (row, id))
        .collect();
    fitting.sort_unstable();
    for (_, id) in fitting.into_iter().rev() {
        if let Some(found) = by_id(home, id)? {
            return Ok(Some(found.path));
        }
    }
    Ok(None)
}
