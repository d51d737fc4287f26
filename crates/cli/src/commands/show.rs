//! `annals show`: the conversation as its user saw it.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use annals_inspect::{Conversation, ConversationEntry, EntryKind, ReadUpTo, Session};
use annals_rollout::{Fault, FaultKind};
use serde::Serialize;

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{self, Warnings};
use crate::render::{Style, color, harmless, one_line, paint, plural};
use crate::target::Lookup;

/// How many lines of a folded text are shown.
const FOLDED_LINES: usize = 3;
/// How often a growing session is looked at.
const LOOKED_AT_AFTER: Duration = Duration::from_secs(1);

/// Prints the conversation, and what is added to it if asked.
pub(crate) fn run(args: &ShowArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    if args.base {
        return base(args, lookup);
    }
    if args.follow && args.file == "-" {
        let what = "standard input is read to its end, so it can't be followed";
        return Err(Failure::new(Exit::Usage, what));
    }
    let mut shown = Shown {
        page: Page {
            out: out::page(),
            style: Style::new(/*exact_bytes*/ false),
            last_turn: None,
        },
        line: 0,
        n_faults: 0,
    };
    shown.look(args, &lookup.session(&args.file)?)?;
    if args.follow {
        let path = lookup.path(&args.file)?;
        shown.follow(args, lookup, &mut || {
            std::thread::sleep(LOOKED_AT_AFTER);
            changed(&path)
        })?;
    }
    Ok(Exit::Done)
}

/// What tells that a file was written to, as far as it is there.
type Stamp = Option<(u64, std::time::SystemTime)>;

fn changed(path: &Path) -> ControlFlow<(), Stamp> {
    let metadata = std::fs::metadata(path).ok();
    ControlFlow::Continue(
        metadata.and_then(|metadata| Some((metadata.len(), metadata.modified().ok()?))),
    )
}

/// How far a session has been shown.
struct Shown<W> {
    page: Page<W>,
    /// The last line of the session's own file that was looked at.
    line: u64,
    /// How many damaged lines were told.
    n_faults: usize,
}

impl<W: Write> Shown<W> {
    /// Shows what is new.
    fn look(&mut self, args: &ShowArgs, session: &Session) -> Result<(), Failure> {
        let talk = session.conversation(args.part.up_to())?;
        self.warn(args, &talk);
        let page = &mut self.page;
        talk.for_each_behind(self.line, |entry| {
            if args.json {
                let schema = "annals.entry/1";
                let line = Line {
                    schema,
                    entry: &entry,
                };
                return out::json_line(&mut page.out, &line);
            }
            page.entry(&entry, args)
        })?;
        self.line = self.line.max(talk.last_line);
        Ok(self.page.out.flush()?)
    }

    /// Goes on showing what is new, each time that the file changed.
    ///
    /// `wait` waits a while and says what tells one state of the file from another, or that it is
    /// enough.
    fn follow<F>(&mut self, args: &ShowArgs, lookup: &Lookup, wait: &mut F) -> Result<(), Failure>
    where
        F: FnMut() -> ControlFlow<(), Stamp>,
    {
        let mut last = None;
        while let ControlFlow::Continue(stamp) = wait() {
            // A file that is gone for a moment is being moved or compressed.
            if stamp.is_some() && stamp != last {
                last = stamp;
                self.look(args, &lookup.session(&args.file)?)?;
            }
        }
        Ok(())
    }

    /// Tells of lines that could not be used. One that may still be written to is none yet.
    fn warn(&mut self, args: &ShowArgs, talk: &Conversation<'_>) {
        let mut warnings = Warnings::default();
        let is_over = |fault: &&Fault| !args.follow || fault.kind() != FaultKind::TornTail;
        for fault in talk.faults.iter().filter(is_over).skip(self.n_faults) {
            warnings.add_with(&fault.to_string(), || {
                let window = talk.window(fault).filter(|_| !args.json)?;
                Some(self.page.style.window(&window))
            });
        }
        self.n_faults = talk.faults.iter().filter(is_over).count();
        warnings.finish("lines that could not be used");
    }
}

fn base(args: &ShowArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let session = lookup.session(&args.file)?;
    let talk = session.conversation(ReadUpTo::End)?;
    let Some(base) = &talk.base else {
        let what = format!(
            "{}: the file does not hold the base instructions",
            session.file()
        );
        return Err(Failure::new(Exit::Bad, what));
    };
    let mut out = out::results();
    if args.json {
        out::json_line(&mut out, base)?;
    } else {
        writeln!(out, "{}", base.trim_end())?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// One entry of a conversation as a line of JSON: `annals.entry/1`.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    /// The members of the entry itself stand here.
    #[serde(flatten)]
    entry: &'a ConversationEntry,
}

struct Page<W> {
    out: W,
    style: Style,
    last_turn: Option<usize>,
}

impl<W: Write> Page<W> {
    fn entry(&mut self, entry: &ConversationEntry, args: &ShowArgs) -> Result<(), Failure> {
        if entry.kind.is_injected() && !args.context {
            return Ok(());
        }
        if self.last_turn != Some(entry.turn) && entry.turn > 0 {
            self.last_turn = Some(entry.turn);
            let time = self.style.time(&entry.timestamp);
            let heading = format!("turn {} · {time}", entry.turn);
            writeln!(self.out, "{}\n", paint(&heading, color::DIM))?;
        }
        match entry.kind {
            EntryKind::User => self.words("user", color::CYAN, entry)?,
            EntryKind::Assistant => self.words("assistant", color::GREEN, entry)?,
            EntryKind::Reasoning => self.folded("thought", entry, args)?,
            EntryKind::Call => {
                let name = entry.name.as_deref().unwrap_or("tool");
                self.folded(&format!("call {name}"), entry, args)?;
            }
            EntryKind::Output => self.folded("output", entry, args)?,
            EntryKind::Context => {
                let name = entry.name.as_deref().unwrap_or("context");
                self.folded(&format!("injected {name}"), entry, args)?;
            }
            EntryKind::Compaction => self.folded("compaction: a summary took over", entry, args)?,
            EntryKind::Aborted => {
                let text = format!("the turn was cut off ({})", one_line(&entry.text));
                writeln!(self.out, "{}\n", paint(&text, color::YELLOW))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn words(
        &mut self,
        who: &str,
        color: &'static str,
        entry: &ConversationEntry,
    ) -> io::Result<()> {
        let who = entry.name.as_deref().unwrap_or(who);
        writeln!(self.out, "{}", paint(&one_line(who), color))?;
        writeln!(self.out, "{}\n", harmless(entry.text.trim_end()))
    }

    fn folded(&mut self, what: &str, entry: &ConversationEntry, args: &ShowArgs) -> io::Result<()> {
        let size = self.style.size(entry.text.len() as u64);
        let heading = format!("{} · {size}", one_line(what));
        writeln!(self.out, "{}", paint(&heading, color::DIM))?;
        let lines = entry.text.trim_end().lines();
        let shown = if args.full { usize::MAX } else { FOLDED_LINES };
        let hidden = lines.clone().count().saturating_sub(shown);
        for line in lines.take(shown) {
            let line = if args.full {
                harmless(line)
            } else {
                self.style.fit(line, 2)
            };
            writeln!(self.out, "  {line}")?;
        }
        if hidden > 0 {
            let more = plural(hidden as u64, "more line", "more lines");
            writeln!(self.out, "  {}", paint(&format!("… {more}"), color::DIM))?;
        }
        writeln!(self.out)
    }
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
