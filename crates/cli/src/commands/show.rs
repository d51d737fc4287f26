//! `annals show`: the conversation as its user saw it.

use std::io::{self, Write};
use std::time::Duration;

use annals_inspect::{ConversationEntry, EntryKind, ReadUpTo};
use serde::Serialize;

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
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
    let mut page = Page {
        out: out::page(),
        style: Style::new(/*exact_bytes*/ false),
        last_turn: None,
    };
    let mut behind_line = 0;
    loop {
        let session = lookup.session(&args.file)?;
        let mut last = behind_line;
        let print = |entry: &ConversationEntry, page: &mut Page<_>| {
            if args.json {
                let schema = "annals.entry/1";
                return out::json_line(&mut page.out, &Line { schema, entry });
            }
            page.entry(entry, args)
        };
        let talk = session.conversation(args.part.up_to())?;
        talk.for_each(|entry| {
            last = last.max(entry.line);
            if args.follow && entry.line <= behind_line {
                return Ok(());
            }
            print(&entry, &mut page)
        })?;
        page.out.flush()?;
        if !args.follow {
            return Ok(Exit::Done);
        }
        behind_line = last;
        std::thread::sleep(LOOKED_AT_AFTER);
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
