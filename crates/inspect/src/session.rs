//! One session and its parents, ready to be looked at.

use annals_history::{Ledger, RollbackStyle};
use annals_protocol::Envelope;
use annals_replay::{Record, Replay, Replayed};
use annals_rollout::{Entry, Fault, Lineage, ParentSearch, Segment, Source};
use serde::Serialize;

use crate::blocks::Blocks;
use crate::error::Error;
use crate::part::text_member;
use crate::places::check_line;
use crate::progress::ReadProgress;
use crate::prompt_input::ReadUpTo;
use crate::traced::{Traced, TracedItems};

/// A session and its parents, ready to be looked at.
///
/// # Bounds and cost
///
/// Opening reads the first record of each file. Each analysis is one pass over the files, and holds
/// about a hundred bytes an item beside what it returns.
///
/// # Example
///
/// ```
/// use annals_inspect::{ReadUpTo, Session};
/// use annals_rollout::{ParentSearch, Source};
///
/// let text = concat!(
///     r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"session_meta","payload":{"id":"x"}}"#, "\n",
///     r#"{"timestamp":"2026-01-03T12:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}"#, "\n",
/// );
/// let session = Session::open(Source::from_bytes("memory", text)?, &ParentSearch::default())?;
/// let context = session.context(ReadUpTo::End)?;
/// assert_eq!(context.n_items, 1);
/// assert!(context.fragments.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    pub(crate) lineage: Lineage,
    progress: ReadProgress,
}

impl Session {
    /// Opens a session and finds its parents.
    ///
    /// # Errors
    ///
    /// As [`Lineage::resolve`].
    pub fn open(source: Source, parents: &ParentSearch) -> Result<Self, Error> {
        Ok(Self::of(Lineage::resolve(source, parents)?))
    }

    /// Looks at files that were found already.
    pub fn of(lineage: Lineage) -> Self {
        Self {
            lineage,
            progress: ReadProgress::default(),
        }
    }

    /// Lets somebody see how far an analysis is.
    #[must_use = "the session is handed back"]
    pub fn with_progress(mut self, progress: &ReadProgress) -> Self {
        self.progress = progress.clone();
        self
    }

    /// The name of the session's own file.
    pub fn file(&self) -> String {
        self.lineage
            .segments()
            .last()
            .map(|segment| segment.path().display().to_string())
            .unwrap_or_default()
    }

    /// What its head says, given a replay of it.
    pub(crate) fn about(&self, replayed: &Replayed<Traced>) -> About {
        let session = replayed.session.as_ref();
        let text = |key: &str| session.and_then(|session| text_member(session.as_str(), key));
        About {
            file: self.file(),
            id: text("id"),
            started: text("timestamp"),
            cwd: text("cwd"),
            written_by: text("cli_version"),
            n_files: self.lineage.segments().len(),
        }
    }

    /// Goes through all records of the session and its parents, and shows them to `watch`.
    pub(crate) fn walk<W: Watch>(
        &self,
        up_to: ReadUpTo,
        watch: &mut W,
    ) -> Result<Replayed<Traced>, Error> {
        let segments = self.lineage.segments();
        let last = segments.len().saturating_sub(1);
        let mut sizes = Vec::with_capacity(segments.len());
        for segment in segments {
            sizes.push(segment.source()?.len_bytes());
        }
        self.progress.start(sizes.iter().sum());
        check_line(&self.lineage, up_to)?;
        let is_beyond = |segment: usize, line: u64| match up_to {
            ReadUpTo::Line(lines) => segment == last && line > lines,
            ReadUpTo::End | ReadUpTo::Turn(_) => false,
        };
        let items = TracedItems::default();
        let line = std::rc::Rc::clone(&items.line);
        let mut replay = Replay::new(items);
        let mut records = self.lineage.scan();
        while let Some((segment, entry)) = records.next()? {
            let record = match entry {
                Entry::Record(record) if is_beyond(segment, record.line) => break,
                Entry::Fault(fault) if is_beyond(segment, fault.line()) => break,
                Entry::Fault(fault) => {
                    watch.fault(segment, fault);
                    continue;
                }
                Entry::Record(record) => record,
            };
            let before: u64 = sizes.iter().take(segment).sum();
            self.progress.reached(before + record.byte_offset);
            let path = segments.get(segment).map(Segment::path);
            let record = match record.check(path.unwrap_or(std::path::Path::new(""))) {
                Ok(record) => record,
                Err(fault) => {
                    watch.fault(segment, fault);
                    continue;
                }
            };
            let at = At {
                segment,
                line: record.line,
                byte_offset: record.byte_offset,
                text: record.text,
                envelope: record.envelope,
            };
            line.set(record.line);
            watch.before(&at, &mut replay);
            replay.feed(&Record {
                segment: u32::try_from(segment).unwrap_or(u32::MAX),
                line: record.line,
                byte_offset: record.byte_offset,
                text: record.text,
                envelope: record.envelope,
            });
            watch.after(&at, &replay);
        }
        let mut replayed = replay.finish();
        if let ReadUpTo::Turn(asked) = up_to {
            cut_behind_turn(&mut replayed.ledger, asked)?;
        }
        Ok(replayed)
    }

    /// A reader of items' texts.
    pub(crate) fn texts(&self) -> Texts<'_> {
        Texts {
            blocks: Blocks::new(&self.lineage),
        }
    }
}

/// Takes back all turns behind the one that was asked for.
pub(crate) fn cut_behind_turn<B: Clone>(ledger: &mut Ledger<B>, asked: u64) -> Result<(), Error> {
    let n_turns = ledger.turns();
    let dropped = usize::try_from(asked)
        .ok()
        .filter(|asked| *asked > 0)
        .and_then(|asked| n_turns.checked_sub(asked))
        .ok_or(Error::NoSuchTurn {
            asked,
            n_turns: n_turns as u64,
        })?;
    // What a turn was told stands before it, whatever the program that wrote the file does.
    ledger.set_rollback_style(RollbackStyle::default());
    if dropped > 0 {
        let _cut = ledger.roll_back(dropped);
    }
    Ok(())
}

/// Which session an analysis is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct About {
    /// The session's own file.
    pub file: String,
    /// The thread's id.
    pub id: Option<String>,
    /// When it began, as written.
    pub started: Option<String>,
    /// The folder that it works in.
    pub cwd: Option<String>,
    /// The version of the program that wrote it.
    pub written_by: Option<String>,
    /// How many files it consists of, parents included.
    pub n_files: usize,
}

/// The replay that is under way.
pub(crate) type TracedReplay = Replay<TracedItems>;

/// A record and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) segment: usize,
    pub(crate) line: u64,
    pub(crate) byte_offset: u64,
    pub(crate) text: &'a str,
    pub(crate) envelope: Envelope<'a>,
}

/// One who looks at the records as they are replayed.
pub(crate) trait Watch {
    /// Something is wrong with a line.
    fn fault(&mut self, _segment: usize, _fault: Fault) {}
    /// A record, before it counts.
    fn before(&mut self, _at: &At<'_>, _replay: &mut TracedReplay) {}
    /// The same record, now that it counts.
    fn after(&mut self, _at: &At<'_>, _replay: &TracedReplay) {}
}

/// Looks at nothing.
pub(crate) struct Nobody;

impl Watch for Nobody {}

/// Fetches the texts of items.
pub(crate) struct Texts<'l> {
    blocks: Blocks<'l>,
}

impl Texts<'_> {
    /// The item as the history holds it.
    pub(crate) fn of(
        &mut self,
        body: &Traced,
        facts: &annals_history::ItemFacts,
    ) -> Result<String, Error> {
        let fetched = self.blocks.text_of(&body.located)?;
        Ok(body.located.recorded(fetched, facts).into_owned())
    }
}
