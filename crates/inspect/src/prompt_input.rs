//! The exact input that a model received, rebuilt from a session in bounded memory.
//!
//! Two passes: the first finds out which items are live and holds a few dozen bytes of each; the
//! second fetches their bytes from the file as they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

use annals_history::{ItemFacts, PromptOptions, Repair, Slot};
use annals_replay::{Ignored, LocatedItem, Place, Replayed, write_slot};
use annals_rollout::{Fault, Lineage, ParentSearch, Source};

use crate::blocks::Blocks;
use crate::error::Error;
use crate::places::{check_line, lines_of, no_such};
use crate::session::cut_behind_turn;
use crate::window::LineWindow;

mod reading;

/// How much of a session is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ReadUpTo {
    /// All of it.
    #[default]
    End,
    /// So many physical lines of the session's own file, decompressed.
    Line(u64),
    /// So many of the user turns that survived, counted from 1.
    Turn(u64),
}

impl std::fmt::Display for ReadUpTo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::End => f.write_str("end"),
            Self::Line(line) => write!(f, "line:{line}"),
            Self::Turn(turn) => write!(f, "turn:{turn}"),
        }
    }
}

impl std::str::FromStr for ReadUpTo {
    type Err = String;

    /// Reads `end`, `line:12` or `turn:3`; both count from 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| digits.parse::<u64>().ok();
        let point = match text.split_once(':') {
            Some(("line", digits)) => number(digits).filter(|line| *line > 0).map(Self::Line),
            Some(("turn", digits)) => number(digits).filter(|turn| *turn > 0).map(Self::Turn),
            None if text == "end" => Some(Self::End),
            _ => None,
        };
        point.ok_or_else(|| format!("{text:?} is no point: write line:12, turn:3 or end"))
    }
}

/// What to rebuild, and for whom.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct PromptInputOptions {
    /// How much of the session is looked at.
    pub up_to: ReadUpTo,
    /// What the provider takes.
    pub prompt: PromptOptions,
}

impl PromptInputOptions {
    /// The whole session for a provider with these options.
    pub fn new(up_to: ReadUpTo, prompt: PromptOptions) -> Self {
        Self { up_to, prompt }
    }
}

/// Something that a reader of the input should know; none of it stops the reading.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// A damaged line.
    Fault(Fault),
    /// A record that could not be used.
    Ignored {
        /// The file.
        path: PathBuf,
        /// The record.
        ignored: Ignored,
    },
    /// A place where the input differs from what the session holds.
    Repair {
        /// The file that the item stands in, if it stands in one.
        path: Option<PathBuf>,
        /// The one-based line of that file.
        line: Option<u64>,
        /// Where in that file, in bytes from 0.
        byte_offset: Option<u64>,
        /// What was done.
        repair: Repair,
    },
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Ignored { path, ignored } => {
                write!(
                    f,
                    "{}:{}: byte {}: {}",
                    path.display(),
                    ignored.line,
                    ignored.byte_offset,
                    ignored.reason.text()
                )
            }
            Self::Repair {
                path: Some(path),
                line,
                byte_offset: Some(byte_offset),
                repair,
            } => {
                write!(f, "{}:", path.display())?;
                if let Some(line) = line {
                    write!(f, "{line}:")?;
                }
                write!(f, " byte {byte_offset}: {}", repair.why())
            }
            Self::Repair { repair, .. } => repair.fmt(f),
        }
    }
}

/// Why an input could not be rebuilt.
#[derive(Debug)]
#[non_exhaustive]
pub enum PromptInputError {
    /// The session can't be read.
    Rollout(annals_rollout::Error),
    /// The session has fewer user turns than were asked for.
    NoSuchTurn {
        /// The turn that was asked for.
        asked: u64,
        /// How many there are.
        n_turns: u64,
    },
    /// The session's own file has fewer lines than were asked for; lines count from 1.
    NoSuchLine {
        /// The line that was asked for.
        asked: u64,
        /// How many there are.
        n_lines: u64,
    },
    /// No line of the session could be used.
    NothingReadable {
        /// The file.
        path: PathBuf,
        /// How many lines were damaged.
        n_faults: usize,
    },
    /// The input can't be written.
    Write(io::Error),
}

impl std::fmt::Display for PromptInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rollout(error) => error.fmt(f),
            Self::NoSuchTurn { asked, n_turns } => {
                f.write_str(&no_such("user turn", *asked, "the session has", *n_turns))
            }
            Self::NoSuchLine { asked, n_lines } => {
                f.write_str(&no_such("line", *asked, "the file has", *n_lines))
            }
            Self::NothingReadable { path, n_faults } => {
                write!(
                    f,
                    "{}: no readable record, {n_faults} unreadable lines",
                    path.display()
                )
            }
            Self::Write(error) => write!(f, "writing the input: {error}"),
        }
    }
}

impl std::error::Error for PromptInputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rollout(error) => error.source(),
            Self::Write(error) => Some(error),
            Self::NoSuchTurn { .. } | Self::NoSuchLine { .. } | Self::NothingReadable { .. } => {
                None
            }
        }
    }
}

impl From<annals_rollout::Error> for PromptInputError {
    fn from(error: annals_rollout::Error) -> Self {
        Self::Rollout(error)
    }
}

impl From<Error> for PromptInputError {
    fn from(error: Error) -> Self {
        match error {
            Error::Rollout(error) => Self::Rollout(error),
            Error::NoSuchTurn { asked, n_turns } => Self::NoSuchTurn { asked, n_turns },
            Error::NoSuchLine { asked, n_lines } => Self::NoSuchLine { asked, n_lines },
        }
    }
}

impl From<io::Error> for PromptInputError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// The input that a model received, ready to be written.
#[derive(Debug)]
pub struct PromptInput {
    lineage: Lineage,
    replayed: Replayed<LocatedItem>,
    faults: Vec<Fault>,
    options: PromptInputOptions,
}

impl PromptInput {
    /// Reads a session with its parents and finds out what of it is live.
    ///
    /// **Cost**: one pass over the files. What is held is a few dozen bytes a live item. A file of
    /// more than 8 MiB with a compaction in it is read from there on, if nothing behind it is
    /// damaged; what is damaged before it is not looked at then.
    ///
    /// # Errors
    ///
    /// [`PromptInputError::Rollout`] if a file can't be read or has no `session_meta`;
    /// [`PromptInputError::NothingReadable`]; [`PromptInputError::NoSuchTurn`];
    /// [`PromptInputError::NoSuchLine`].
    pub fn read(
        source: Source,
        parents: &ParentSearch,
        options: PromptInputOptions,
    ) -> Result<Self, PromptInputError> {
        let lineage = Lineage::resolve(source, parents)?;
        check_line(&lineage, options.up_to)?;
        let (mut replayed, faults) = match reading::from_checkpoint(&lineage, options.up_to)? {
            Some(replayed) => (replayed, Vec::new()),
            None => reading::from_start(&lineage, options.up_to)?,
        };
        if let ReadUpTo::Turn(asked) = options.up_to {
            cut_behind_turn(&mut replayed.ledger, asked)?;
        }
        Ok(Self {
            lineage,
            replayed,
            faults,
            options,
        })
    }

    /// How many items the input has, stand-ins included.
    pub fn n_items(&self) -> usize {
        self.replayed.ledger.slots().count()
    }

    /// What was wrong and what was done about it, in the order of the files.
    ///
    /// **Cost**: if items were repaired, a search for line ends up to the last one of each file.
    pub fn notices(&self) -> impl Iterator<Item = Notice> + '_ {
        let faults = self.faults.iter().cloned().map(Notice::Fault);
        let ignored = self.replayed.ignored.iter().map(|ignored| Notice::Ignored {
            path: self.path_of(ignored.segment as usize).unwrap_or_default(),
            ignored: *ignored,
        });
        faults.chain(ignored).chain(self.repairs())
    }

    fn repairs(&self) -> impl Iterator<Item = Notice> + '_ {
        let ledger = &self.replayed.ledger;
        let repairs: Vec<(Repair, Option<Place>)> = ledger
            .repairs()
            .into_iter()
            .map(|repair| (repair, ledger.body(repair.at).and_then(LocatedItem::place)))
            .collect();
        let mut lines = BTreeMap::new();
        for (idx, segment) in self.lineage.segments().iter().enumerate() {
            let in_this = repairs.iter().filter_map(|(_, place)| *place);
            let in_this = in_this.filter(|place| place.segment as usize == idx);
            let offsets: BTreeSet<u64> = in_this.map(|place| place.offset).collect();
            let offsets: Vec<u64> = offsets.into_iter().collect();
            // A file that went away meanwhile costs the numbers of its lines and nothing else.
            let source = segment.source().ok();
            let found = source.and_then(|source| lines_of(source, &offsets).ok());
            for (offset, line) in offsets.into_iter().zip(found.unwrap_or_default()) {
                lines.insert((idx, offset), line);
            }
        }
        repairs
            .into_iter()
            .map(move |(repair, place)| Notice::Repair {
                path: place.and_then(|place| self.path_of(place.segment as usize)),
                line: place.and_then(|place| {
                    let key = (place.segment as usize, place.offset);
                    lines.get(&key).copied()
                }),
                byte_offset: place.map(|place| place.offset),
                repair,
            })
    }

    /// The damaged line around the place of a fault; `None` if it can't be read any more.
    pub fn window(&self, fault: &Fault) -> Option<LineWindow> {
        LineWindow::of_fault(&self.lineage, fault)
    }

    fn path_of(&self, segment: usize) -> Option<PathBuf> {
        self.lineage
            .segments()
            .get(segment)
            .map(|segment| segment.path().to_path_buf())
    }

    /// Calls `each` with the JSON text of every item, in order.
    ///
    /// **Cost**: the bytes of the items, read once; one item is held at a time.
    ///
    /// # Errors
    ///
    /// Those of `each`, and [`PromptInputError::Rollout`] if the file changed meanwhile.
    pub fn for_each<F>(&self, mut each: F) -> Result<(), PromptInputError>
    where
        F: FnMut(&str) -> io::Result<()>,
    {
        let mut blocks = Blocks::new(&self.lineage);
        let mut text = String::new();
        for slot in self.replayed.ledger.slots() {
            let (_, body) = parts(&slot);
            let fetched = blocks.text_of(body)?;
            text.clear();
            write_slot(&mut text, &slot, fetched, self.options.prompt);
            each(&text)?;
        }
        Ok(())
    }

    /// Writes the input as a JSON array, an item a line.
    ///
    /// # Errors
    ///
    /// [`PromptInputError::Write`], and as [`for_each`](Self::for_each).
    pub fn write_json<W: Write>(&self, out: &mut W) -> Result<(), PromptInputError> {
        let mut separator: &[u8] = b"[\n";
        self.for_each(|item| {
            out.write_all(separator)?;
            separator = b",\n";
            out.write_all(item.as_bytes())
        })?;
        out.write_all(if separator.starts_with(b"[") {
            b"[]\n"
        } else {
            b"\n]\n"
        })?;
        Ok(out.flush()?)
    }
}

fn parts<'a>(slot: &Slot<'a, LocatedItem>) -> (&'a ItemFacts, &'a LocatedItem) {
    match *slot {
        Slot::Item { facts, body, .. } | Slot::StandIn { facts, body, .. } => (facts, body),
    }
}

#[cfg(test)]
#[path = "prompt_input_tests.rs"]
mod tests;
