//! `annals stats`: a session, or all of them, in numbers.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annals_inspect::{Count, SessionStats};
use annals_rollout::{ErrorKind, ListOptions, Scope, Timestamp, list};
use serde::Serialize;

use crate::args::StatsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, Table, grouped, one_line, plural, span};
use crate::target::Lookup;

/// Counts, and prints the numbers.
pub(crate) fn run(args: &StatsArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let style = Style::new(args.look.bytes);
    let Some(file) = &args.file else {
        return all(args, lookup, &style);
    };
    let stats = lookup.look_at(file, annals_inspect::Session::stats)?;
    if args.look.json {
        out::json(&stats)?;
        return Ok(Exit::Done);
    }
    let mut out = out::page();
    print(&mut out, &stats, &style)?;
    out.flush()?;
    Ok(Exit::Done)
}

fn print<W: Write>(out: &mut W, stats: &SessionStats, style: &Style) -> io::Result<()> {
    let about = &stats.session;
    writeln!(
        out,
        "{}: {}",
        one_line(&about.file),
        style.size(stats.bytes)
    )?;
    if about.n_files > 1 {
        writeln!(out, "  with {} parents", about.n_files - 1)?;
    }
    if let Some((first, last)) = &stats.time_span {
        writeln!(out, "  from {} to {}", style.time(first), style.time(last))?;
        let ms = |text: &str| Timestamp::parse(text).map(Timestamp::unix_ms);
        if let Some((first, last)) = ms(first).zip(ms(last)) {
            let seconds = last.saturating_sub(first) / 1000;
            writeln!(out, "  open for {}", span(seconds))?;
        }
    }
    writeln!(
        out,
        "  {}, {}, {}, {}, {} cut off",
        plural(stats.n_turns as u64, "turn", "turns"),
        plural(stats.n_requests as u64, "request", "requests"),
        plural(stats.n_compactions, "compaction", "compactions"),
        plural(stats.n_rollbacks, "rollback", "rollbacks"),
        plural(stats.n_aborted, "turn", "turns"),
    )?;
    if let Some(usage) = stats.measured {
        writeln!(
            out,
            "  {} tokens in, {} of them cached, {} out",
            grouped(usage.input_tokens),
            grouped(usage.cached_input_tokens),
            grouped(usage.output_tokens)
        )?;
    }
    let models: Vec<&str> = stats.models.iter().map(String::as_str).collect();
    if !models.is_empty() {
        writeln!(out, "  models: {}", models.join(", "))?;
    }
    if stats.n_faults > 0 {
        writeln!(
            out,
            "  {}",
            plural(stats.n_faults, "damaged line", "damaged lines")
        )?;
    }
    writeln!(
        out,
        "  longest record: {}",
        style.size(stats.longest_record_bytes)
    )?;
    counts(out, "record", &stats.kinds, style)?;
    counts(out, "item", &stats.items, style)?;
    counts(out, "tool", &stats.tools, style)
}

fn counts<W: Write>(
    out: &mut W,
    what: &'static str,
    counts: &BTreeMap<String, Count>,
    style: &Style,
) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let size = if what == "tool" { "#output" } else { "#size" };
    let mut table = Table::new(&["#count", size, what]);
    let mut rows: Vec<_> = counts.iter().collect();
    rows.sort_by_key(|(name, count)| (std::cmp::Reverse(count.bytes), *name));
    for (name, count) in rows {
        table.row([grouped(count.count), style.size(count.bytes), name.clone()]);
    }
    table.write(out, style)
}

/// All sessions together as JSON: `annals.home-stats/1`.
#[derive(Debug, Default, Serialize)]
struct HomeStats {
    schema: &'static str,
    /// The home.
    home: String,
    /// How many sessions it has.
    sessions: u64,
    /// How many of them lie in the archive.
    archived: u64,
    /// Bytes of their files as they lie on the disk.
    bytes: u64,
    /// Files that could not be read.
    unreadable_files: u64,
    /// Files without a byte.
    empty_files: u64,
    /// Sessions by the folder that they work in.
    folders: BTreeMap<String, Sessions>,
    /// Sessions by the version of the program that wrote them.
    versions: BTreeMap<String, Sessions>,
}

/// Some sessions together.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Sessions {
    /// How many.
    count: u64,
    /// Bytes of their files.
    bytes: u64,
}

fn all(args: &StatsArgs, lookup: &Lookup, style: &Style) -> Result<Exit, Failure> {
    let home = lookup.needed_home()?;
    let mut stats = HomeStats {
        schema: "annals.home-stats/1",
        home: home.root().display().to_string(),
        ..HomeStats::default()
    };
    let mut options = ListOptions::default();
    options.scope = Scope::Both;
    options.one_per_thread = true;
    options.page_sessions = 1_000;
    loop {
        let page = match list(&home, &options) {
            Err(error) if error.kind() == ErrorKind::NotFound => break,
            page => page?,
        };
        stats.unreadable_files += page.unreadable_files;
        stats.empty_files += page.empty_files;
        for session in page.sessions {
            stats.sessions += 1;
            stats.archived += u64::from(session.archived);
            stats.bytes += session.thread_bytes;
            let folder = session.head.cwd.unwrap_or_default();
            let version = session.head.cli_version.unwrap_or_default();
            for (counts, name) in [(&mut stats.folders, folder), (&mut stats.versions, version)] {
                let count = counts.entry(name).or_default();
                count.count += 1;
                count.bytes += session.thread_bytes;
            }
        }
        options.cursor = page.next;
        if options.cursor.is_none() {
            break;
        }
    }
    if args.look.json {
        out::json(&stats)?;
        return Ok(Exit::Done);
    }
    let mut out = out::page();
    writeln!(
        out,
        "{}: {} ({} archived), {}",
        stats.home,
        plural(stats.sessions, "session", "sessions"),
        grouped(stats.archived),
        style.size(stats.bytes)
    )?;
    if stats.unreadable_files + stats.empty_files > 0 {
        writeln!(
            out,
            "  {} and {} besides",
            plural(
                stats.unreadable_files,
                "unreadable file",
                "unreadable files"
            ),
            plural(stats.empty_files, "empty one", "empty ones")
        )?;
    }
    for (what, counts) in [("folder", &stats.folders), ("written by", &stats.versions)] {
        let mut rows: Vec<_> = counts.iter().collect();
        rows.sort_by_key(|(name, count)| (std::cmp::Reverse(count.bytes), *name));
        if rows.is_empty() {
            continue;
        }
        writeln!(out)?;
        let mut table = Table::new(&["#sessions", "#size", what]);
        for (name, count) in rows {
            table.row([grouped(count.count), style.size(count.bytes), name.clone()]);
        }
        table.write(&mut out, style)?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
