//! `annals prune`: deletes sessions that nobody touched for long.

use std::collections::BTreeSet;
use std::io::Write as _;

use annals_rollout::{ErrorKind, ListOptions, RolloutName, Scope, SessionSummary, Timestamp, list};
use serde::Serialize;

use crate::args::PruneArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Listener};
use crate::out;
use crate::render::{Style, plural};
use crate::target::Lookup;

/// What was pruned, or would be, as JSON: `annals.prune/1`.
#[derive(Serialize)]
struct Pruned {
    schema: &'static str,
    /// Whether they were only listed.
    dry_run: bool,
    /// The files that were deleted.
    files: Vec<String>,
    /// Their bytes together, as they lay on the disk.
    bytes: u64,
    /// Old sessions that are kept because a younger one goes on from them.
    kept_for_children: Vec<String>,
}

/// Finds what is old and needed by nobody, and deletes it.
pub(crate) fn run(args: &PruneArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let home = lookup.needed_home()?;
    let style = Style::new(args.look.bytes);
    let age_ms = u64::from(args.older_than) * 86_400_000;
    let before = Timestamp::from_unix_ms(style.now().unix_ms().saturating_sub(age_ms));
    let sessions = everything(&home)?;
    let scope: Scope = args.which.into();
    let is_meant = |session: &SessionSummary| match scope {
        Scope::Active => !session.archived,
        Scope::Archived => session.archived,
        _ => true,
    };
    // What a session that stays goes on from stays too, however old it is.
    let mut needed = BTreeSet::new();
    for session in &sessions {
        let stays = !is_meant(session) || session.updated >= before;
        if stays {
            need_parents(session, &sessions, &mut needed);
        }
    }
    let old = sessions
        .iter()
        .filter(|session| is_meant(session) && session.updated < before);
    let mut pruned = Pruned {
        schema: "annals.prune/1",
        dry_run: args.dry_run,
        files: Vec::new(),
        bytes: 0,
        kept_for_children: Vec::new(),
    };
    let mut exit = Exit::Done;
    for session in old {
        let path = session.path.display().to_string();
        if needed.contains(&id_of(session)) {
            pruned.kept_for_children.push(path);
            continue;
        }
        if !args.dry_run
            && let Err(error) = annals_rollout::delete(&session.path)
        {
            exit = exit.max(Failure::from(error).print(Listener::of(args.look.json)));
            continue;
        }
        pruned.bytes += session.len_bytes;
        pruned.files.push(path);
    }
    if args.look.json {
        out::json(&pruned)?;
        return Ok(exit);
    }
    let mut out = out::results();
    for path in &pruned.files {
        writeln!(out, "{path}")?;
    }
    out.flush()?;
    let word = if args.dry_run { "would free" } else { "freed" };
    let count = plural(pruned.files.len() as u64, "session", "sessions");
    out::note(&format!("{count}, {word} {}", style.size(pruned.bytes)));
    for path in &pruned.kept_for_children {
        out::note(&format!(
            "kept, as a younger session goes on from it: {path}"
        ));
    }
    Ok(exit)
}

fn everything(home: &annals_rollout::Home) -> Result<Vec<SessionSummary>, Failure> {
    let mut options = ListOptions::default();
    options.scope = Scope::Both;
    options.page_sessions = 1_000;
    let mut sessions = Vec::new();
    loop {
        let page = match list(home, &options) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(sessions),
            page => page?,
        };
        sessions.extend(page.sessions);
        options.cursor = page.next;
        if options.cursor.is_none() {
            return Ok(sessions);
        }
    }
}

fn id_of(session: &SessionSummary) -> String {
    RolloutName::rollout_id(&session.name).to_string()
}

fn need_parents(
    session: &SessionSummary,
    sessions: &[SessionSummary],
    needed: &mut BTreeSet<String>,
) {
    let mut next = session.head.history_base.as_ref();
    while let Some(base) = next {
        let id = base.rollout_id.to_ascii_lowercase();
        if !needed.insert(id.clone()) {
            return;
        }
        let parent = sessions.iter().find(|session| id_of(session) == id);
        next = parent.and_then(|parent| parent.head.history_base.as_ref());
    }
}
