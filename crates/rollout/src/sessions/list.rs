//! Pages of sessions, newest first, with filters; only what a page needs is opened.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::error::{Error, ErrorKind};
use crate::layout::{Home, RolloutName, parse_id};
use crate::read::head::SessionHead;
use crate::read::records::{Entry, ReadOptions, RecordReader};
use crate::read::source::open_stream;
use crate::sessions::folder::same_folder;
use crate::sessions::preview::user_words;
use crate::sessions::threads::{Passed, add_past, newest_segments};
use crate::sessions::walk::{Found, Position, Scope, key, walk};
use crate::time::Timestamp;

/// How many records from the start are looked at for the head and the first words.
const HEAD_RECORDS: u64 = 210;
/// The longest line that is held while a head is looked for.
const HEAD_LINE_BYTES: u64 = 16 * 1024 * 1024;

/// What to list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListOptions {
    /// Active sessions, archived ones, or both.
    pub scope: Scope,
    /// What they are ordered by.
    pub order: ListOrder,
    /// The most sessions on one page.
    pub page_sessions: usize,
    /// The most files that are opened for one page; the page is then short, with a cursor.
    pub opened_files: usize,
    /// Where the page before ended.
    pub cursor: Option<Cursor>,
    /// Whether a thread with several files is one entry, at the place of its newest one.
    pub one_per_thread: bool,
    /// Only sessions in this folder.
    pub cwd: Option<String>,
    /// Only sessions from these sources; empty for all.
    pub sources: Vec<String>,
    /// Only sessions of these providers; empty for all.
    pub providers: Vec<String>,
    /// The provider that a session without one counts as.
    pub default_provider: Option<String>,
    /// Only sessions from this moment on.
    pub since: Option<Timestamp>,
    /// Only sessions before this moment.
    pub until: Option<Timestamp>,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            scope: Scope::Active,
            order: ListOrder::Created,
            page_sessions: 50,
            opened_files: 10_000,
            cursor: None,
            one_per_thread: false,
            cwd: None,
            sources: Vec::new(),
            providers: Vec::new(),
            default_provider: None,
            since: None,
            until: None,
        }
    }
}

/// What sessions are ordered by, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ListOrder {
    /// The time in the name. Reads one day at a time.
    #[default]
    Created,
    /// The time of the last change. Looks at every file of the scope, and holds the names of twice
    /// as many as a page may open.
    Updated,
}

/// Where a page ended. As text: `<time>|<id>`, as the reference program has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    position: Position,
}

impl Cursor {
    /// Reads the text form.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_rollout::Cursor;
    ///
    /// let text = "2026-12-01T01:52:46.000Z|01a22f4d-919e-7c60-8290-89a0ff8f876a";
    /// assert_eq!(Cursor::parse(text).unwrap().to_string(), text);
    /// assert!(Cursor::parse("yesterday").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (time, id) = text.split_once('|')?;
        Some(Self {
            position: (Timestamp::parse(time)?, parse_id(id)?),
        })
    }
}

impl Cursor {
    pub(crate) fn at(position: Position) -> Self {
        Self { position }
    }

    pub(crate) fn place(self) -> Position {
        self.position
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}|{}", self.position.0, self.position.1)
    }
}

/// One session of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionSummary {
    /// The file.
    pub path: PathBuf,
    /// What its name says.
    pub name: RolloutName,
    /// What its first `session_meta` says.
    pub head: SessionHead,
    /// The first thing that its user said, at most 200 characters.
    pub preview: Option<String>,
    /// Its size on the disk, in bytes.
    pub len_bytes: u64,
    /// When it was last changed.
    pub updated: Timestamp,
    /// Through how many files of its own the thread goes, this one included: a revert begins a new
    /// one. Counted for [`ListOptions::one_per_thread`] only; else it is 1.
    pub files: u32,
    /// The size of all those files.
    pub thread_bytes: u64,
    /// When the oldest of those files was made.
    pub thread_created: Timestamp,
    /// Whether it lies in the archive.
    pub archived: bool,
}

/// A page of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[must_use = "a page is what was asked for"]
pub struct Page {
    /// The sessions, newest first.
    pub sessions: Vec<SessionSummary>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<Cursor>,
    /// Files passed over because they are empty.
    pub empty_files: u64,
    /// Files passed over because they have no readable head, the first few by name.
    pub unreadable: Vec<(PathBuf, ErrorKind)>,
    /// How many such files there were.
    pub unreadable_files: u64,
}

/// How many unreadable files a page names.
const NAMED_UNREADABLE: usize = 20;

/// Lists sessions of a home, page by page. Every file is an entry of its own, segments too, unless
/// [`ListOptions::one_per_thread`] asks for threads.
///
/// **Cost**: opens the files that it shows and those that a filter on their content turns away, and
/// reads the first records of each; for a list of threads also the names of what the pages before
/// showed. **Bounds**: one page, the names of one day, and an id for each thread of several files.
///
/// # Errors
///
/// [`ErrorKind::PermissionDenied`] or [`ErrorKind::Io`] if a directory can't be read. A file that
/// can't be read is counted, not an error.
pub fn list(home: &Home, options: &ListOptions) -> Result<Page, Error> {
    let position = options.cursor.map(|cursor| cursor.position);
    match options.order {
        ListOrder::Created => {
            let found = walk(home, options.scope)?.behind(position);
            let found = found.map(|found| found.map(|found| (key(&found.name), found)));
            if !options.one_per_thread {
                return page(found, home, options);
            }
            let mut passed = Passed::before(home, options.scope, position)?;
            let is_newest = |found: &Result<(Position, Found), Error>| {
                found
                    .as_ref()
                    .map_or(true, |(_, found)| passed.is_newest(found))
            };
            page(found.filter(is_newest), home, options)
        }
        ListOrder::Updated => {
            // One more than a page may open tells whether there is another page.
            let kept = options.opened_files.saturating_add(1);
            let mut newest = Vec::new();
            let segments = if options.one_per_thread {
                newest_segments(home, options.scope)?
            } else {
                BTreeMap::new()
            };
            for found in walk(home, options.scope)? {
                let found = found?;
                let newer = segments.get(&found.name.thread_id);
                if newer.is_some_and(|newer| key(&found.name) < *newer) {
                    continue;
                }
                // To the second, so that copying a file about does not move it in the list.
                let Ok(metadata) = fs::metadata(&found.path) else {
                    continue;
                };
                let updated = metadata
                    .modified()
                    .map_or(found.name.created, Timestamp::from);
                let second = Timestamp::from_unix_ms(updated.unix_ms() / 1000 * 1000);
                let place = (second, found.name.rollout_id());
                if position.is_none_or(|position| place < position) && in_time(place.0, options) {
                    newest.push((place, found));
                }
                if newest.len() / 2 >= kept {
                    keep_newest(&mut newest, kept);
                }
            }
            keep_newest(&mut newest, kept);
            page(newest.into_iter().map(Ok), home, options)
        }
    }
}

/// Newest first, and no more than `kept`.
fn keep_newest(found: &mut Vec<(Position, Found)>, kept: usize) {
    found.sort_unstable_by_key(|(place, _)| std::cmp::Reverse(*place));
    found.truncate(kept);
}

fn in_time(time: Timestamp, options: &ListOptions) -> bool {
    options.since.is_none_or(|since| time >= since)
        && options.until.is_none_or(|until| time < until)
}

fn page<I>(found: I, home: &Home, options: &ListOptions) -> Result<Page, Error>
where
    I: Iterator<Item = Result<(Position, Found), Error>>,
{
    let mut page = Page::default();
    let mut opened = 0;
    let mut last = None;
    for found in found {
        let (place, found) = found?;
        if page.sessions.len() >= options.page_sessions || opened >= options.opened_files {
            page.next = last.map(|position| Cursor { position });
            break;
        }
        last = Some(place);
        if !in_time(place.0, options) {
            continue;
        }
        opened += 1;
        match summary(&found) {
            Ok(mut session) if matches(&session.head, options) => {
                if options.one_per_thread && found.name.segment_id.is_some() {
                    add_past(&mut session, home);
                }
                page.sessions.push(session);
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Empty => page.empty_files += 1,
            Err(error) => {
                page.unreadable_files += 1;
                if page.unreadable.len() < NAMED_UNREADABLE {
                    page.unreadable.push((found.path, error.kind()));
                }
            }
        }
    }
    Ok(page)
}

fn matches(head: &SessionHead, options: &ListOptions) -> bool {
    let among = |wanted: &[String], found: Option<&String>| {
        wanted.is_empty() || found.is_some_and(|found| wanted.contains(found))
    };
    let provider = head
        .model_provider
        .as_ref()
        .or(options.default_provider.as_ref());
    let folder = options.cwd.as_deref().is_none_or(|wanted| {
        head.cwd
            .as_deref()
            .is_some_and(|found| same_folder(found, wanted))
    });
    folder && among(&options.sources, head.source.as_ref()) && among(&options.providers, provider)
}

/// Reads what a list shows of one file.
pub(crate) fn summary(found: &Found) -> Result<SessionSummary, Error> {
    let metadata =
        fs::metadata(&found.path).map_err(|error| Error::io("look at", &found.path, error))?;
    let stream = open_stream(&found.path)?;
    let options = ReadOptions::structure_only().with_line_limit(HEAD_LINE_BYTES);
    let mut records = RecordReader::from_stream(&*found.path, stream, options);
    let (mut head, mut preview) = (None, None);
    while records.counts().records < HEAD_RECORDS {
        let Some(entry) = records.next()? else { break };
        let Entry::Record(record) = entry else {
            continue;
        };
        if head.is_none() {
            head = SessionHead::of(&record);
        }
        preview = preview.or_else(|| user_words(&record));
        if head.is_some() && preview.is_some() {
            break;
        }
    }
    let Some(head) = head else {
        let none = records.counts().records == 0;
        let kind = if none {
            ErrorKind::Unreadable
        } else {
            ErrorKind::NoSessionMeta
        };
        return Err(Error::new(kind, "no session_meta in the first records").at(&found.path));
    };
    Ok(SessionSummary {
        path: found.path.clone(),
        name: found.name,
        head,
        preview,
        len_bytes: metadata.len(),
        files: 1,
        thread_bytes: metadata.len(),
        thread_created: found.name.created,
        updated: metadata
            .modified()
            .map_or(found.name.created, Timestamp::from),
        archived: found.archived,
    })
}
