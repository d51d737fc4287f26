//! `annals search`: a text in all sessions.

use std::io::Write as _;

use serde::Serialize;

use crate::args::SearchArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, color, paint, short};
use crate::target::Lookup;

/// One place as JSON: `annals.hit/1`.
#[derive(Serialize)]
struct Place<'a> {
    schema: &'static str,
    /// The id of the session.
    id: String,
    /// Its file.
    path: String,
    /// The line of the record that holds the text.
    line: u64,
    /// Where that record starts in the file, in bytes from 0.
    byte_offset: u64,
    /// The text with a few words around it, on one line.
    snippet: &'a str,
}

/// Prints every place as it is found.
pub(crate) fn run(args: &SearchArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    if args.text.is_empty() {
        return Err(Failure::new(Exit::Usage, "there is no text to find"));
    }
    let home = lookup.needed_home()?;
    let style = Style::new(/*exact_bytes*/ false);
    let mut hits = annals_rollout::search(&home, &args.text, args.which.into(), args.per_session)?;
    let mut out = out::page();
    let mut last = None;
    let mut n_hits = 0;
    for hit in hits.by_ref().take(args.limit) {
        let hit = hit?;
        n_hits += 1;
        if args.json {
            out::json_line(
                &mut out,
                &Place {
                    schema: "annals.hit/1",
                    id: hit.name.thread_id.to_string(),
                    path: hit.path.display().to_string(),
                    line: hit.line,
                    byte_offset: hit.byte_offset,
                    snippet: &hit.snippet,
                },
            )?;
            continue;
        }
        if last.as_ref() != Some(&hit.path) {
            let id = hit.name.thread_id.to_string();
            writeln!(
                out,
                "{} · {} ({})",
                paint(&id, color::CYAN),
                short(hit.name.created),
                style.ago(hit.name.created)
            )?;
            last = Some(hit.path.clone());
        }
        let line = format!("{:>7}", hit.line);
        writeln!(
            out,
            "{}  {}",
            paint(&line, color::DIM),
            style.fit(&hit.snippet, 9)
        )?;
    }
    out.flush()?;
    if hits.unreadable_files() > 0 {
        let count = hits.unreadable_files();
        out::note(&format!("warning: {count} files could not be read"));
    }
    // As `grep` has it: nothing found is no success.
    Ok(if n_hits == 0 { Exit::Bad } else { Exit::Done })
}
