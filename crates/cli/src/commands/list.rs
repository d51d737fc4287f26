//! `annals list`: the sessions on disk, newest first.

use std::io::Write as _;

use annals_rollout::{
    Cursor, ErrorKind, ListOptions, ListOrder, Page, Scope, SessionSummary, list,
};
use serde::Serialize;

use crate::args::{ListArgs, Which};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, Table, color, one_line, plural, short};
use crate::target::Lookup;

impl From<Which> for Scope {
    fn from(which: Which) -> Self {
        match which {
            Which::Active => Self::Active,
            Which::Archived => Self::Archived,
            Which::All => Self::Both,
        }
    }
}

/// One page of sessions as JSON: `annals.list/1`.
#[derive(Serialize)]
struct Listing<'a> {
    schema: &'static str,
    /// The sessions of this page.
    sessions: Vec<Listed<'a>>,
    /// What `--after` takes for the next page.
    next: Option<String>,
    /// Files that could not be read.
    unreadable_files: u64,
    /// Files without a byte: sessions that nothing was written to.
    empty_files: u64,
}

/// One session of a list.
#[derive(Serialize)]
struct Listed<'a> {
    /// The id.
    id: &'a str,
    /// The file, the newest one where there are several.
    path: String,
    /// Through how many files it goes: a rollback of a session with ordinals begins a new one.
    files: u32,
    /// When it was made.
    created: String,
    /// When its file was changed last.
    updated: String,
    /// Bytes of its files as they lie on the disk.
    bytes: u64,
    /// The folder that it works in.
    cwd: Option<&'a str>,
    /// The version of the program that wrote it.
    written_by: Option<&'a str>,
    /// Whether it lies in the archive.
    archived: bool,
    /// The first words of its user.
    preview: Option<&'a str>,
}

impl<'a> Listed<'a> {
    fn of(session: &'a SessionSummary) -> Self {
        Self {
            id: &session.head.id,
            path: session.path.display().to_string(),
            files: session.files,
            created: session.thread_created.to_string(),
            updated: session.updated.to_string(),
            bytes: session.thread_bytes,
            cwd: session.head.cwd.as_deref(),
            written_by: session.head.cli_version.as_deref(),
            archived: session.archived,
            preview: session.preview.as_deref(),
        }
    }
}

/// Reads a page, and prints it.
pub(crate) fn run(args: &ListArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let home = lookup.needed_home()?;
    let mut options = ListOptions::default();
    options.scope = args.which.into();
    options.page_sessions = args.limit;
    options.one_per_thread = true;
    options.cwd.clone_from(&args.cwd);
    if args.updated {
        options.order = ListOrder::Updated;
    }
    if let Some(after) = &args.after {
        let what = || format!("{after:?} is no cursor: give what the list before ended with");
        options.cursor =
            Some(Cursor::parse(after).ok_or_else(|| Failure::new(Exit::Usage, what()))?);
    }
    let page = match list(&home, &options) {
        Err(error) if error.kind() == ErrorKind::NotFound => Page::default(),
        page => page?,
    };
    if args.look.json {
        out::json(&Listing {
            schema: "annals.list/1",
            sessions: page.sessions.iter().map(Listed::of).collect(),
            next: page.next.map(|cursor| cursor.to_string()),
            unreadable_files: page.unreadable_files,
            empty_files: page.empty_files,
        })?;
    } else {
        print(&page, args, &Style::new(args.look.bytes))?;
    }
    let more = page.unreadable.iter();
    for (path, kind) in more {
        out::note(&one_line(&format!(
            "warning: {}: {}",
            path.display(),
            kind.as_str()
        )));
    }
    let unnamed = page
        .unreadable_files
        .saturating_sub(page.unreadable.len() as u64);
    if unnamed > 0 {
        out::note(&format!(
            "warning: {unnamed} more files that are no session"
        ));
    }
    Ok(Exit::Done)
}

fn print(page: &Page, args: &ListArgs, style: &Style) -> Result<(), Failure> {
    let mut out = out::page();
    if page.sessions.is_empty() {
        out::note("no session is there; --home names another folder to look in");
        return Ok(());
    }
    // Most sessions are a file each, and then there is nothing to be said about it.
    let has_several = page.sessions.iter().any(|session| session.files > 1);
    let mut columns = vec!["id", "created", "changed", "#size", "folder", "first words"];
    if has_several {
        columns.insert(4, "#files");
    }
    let mut table = Table::new(&columns);
    for session in &page.sessions {
        // Where lines are short, so are the ids: the start of one names its session too.
        let id = &session.head.id;
        let n_chars = if style.is_narrow() {
            SHORT_ID_CHARS
        } else {
            id.len()
        };
        let mut row = vec![
            id.chars().take(n_chars).collect(),
            short(session.thread_created),
            style.ago(session.updated),
            style.size(session.thread_bytes),
            folder(session.head.cwd.as_deref().unwrap_or("")),
            session.preview.clone().unwrap_or_default(),
        ];
        if has_several {
            row.insert(4, session.files.to_string());
        }
        table.row(row);
        table.color(0, color::CYAN);
    }
    table.write(&mut out, style)?;
    out.flush()?;
    if let Some(next) = &page.next {
        out::note(&format!(
            "{} shown; more with --after '{next}'",
            plural(
                args.limit.min(page.sessions.len()) as u64,
                "session",
                "sessions"
            )
        ));
    }
    Ok(())
}

/// How much of an id is shown on a narrow terminal: its time and a thousandth of chance.
const SHORT_ID_CHARS: usize = 18;

/// The end of a long path, which tells more than its start.
fn folder(path: &str) -> String {
    const COLUMNS: usize = 32;
    let count = path.chars().count();
    if count <= COLUMNS {
        return path.to_owned();
    }
    let tail: String = path.chars().skip(count - COLUMNS + 1).collect();
    format!("…{tail}")
}
