//! Everything that a page about a session shows, as one value.

use serde::Serialize;

use crate::cache::{Cause, Request, Requests};
use crate::context::preview;
use crate::conversation::{ConversationEntry, EntryKind};
use crate::error::Error;
use crate::part::{Origin, member};
use crate::prompt_input::ReadUpTo;
use crate::session::{About, At, Session, TracedReplay, Watch};
use crate::state::{FieldChange, changes_between};

/// Texts that are longer are cut, so that a page stays small enough to open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportLimits {
    /// The most bytes of one text.
    pub text_bytes: usize,
    /// The most bytes of all texts together; behind them only the first words are kept.
    pub all_bytes: usize,
}

impl Default for ReportLimits {
    fn default() -> Self {
        Self {
            text_bytes: 16 * 1024,
            all_bytes: 24 * 1024 * 1024,
        }
    }
}

/// Everything that a page about a session shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// `annals.report/1`
    pub schema: &'static str,
    /// Which session.
    pub session: About,
    /// The names of the origins, in the order of [`Request::origins`].
    pub origins: Vec<&'static str>,
    /// Every request to the model.
    pub requests: Vec<Request>,
    /// A sentence for each cause.
    pub causes: Vec<(Cause, &'static str)>,
    /// Every change of what the model knows of the world.
    pub state_changes: Vec<StateChange>,
    /// The conversation, injected context included.
    pub entries: Vec<ReportEntry>,
    /// Bytes of texts that were left out for their size.
    pub omitted_bytes: u64,
}

/// One entry of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportEntry {
    /// The entry, its text perhaps cut.
    #[serde(flatten)]
    pub entry: ConversationEntry,
    /// How many bytes the whole text has.
    pub bytes: usize,
    /// Whether the text here is less than that.
    pub is_cut: bool,
}

/// One change of what the model knows of the world.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StateChange {
    /// The user turn.
    pub turn: usize,
    /// The line of its record.
    pub line: u64,
    /// When, as written.
    pub timestamp: String,
    /// Whether everything was told anew.
    pub is_full: bool,
    /// What changed, member by member.
    pub changes: Vec<FieldChange>,
}

impl Session {
    /// Everything that a page about this session shows.
    ///
    /// **Cost**: two passes. **Bounds**: those of `limits`, and about two hundred bytes an entry.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read.
    pub fn report(&self, limits: ReportLimits) -> Result<Report, Error> {
        let mut watch = ReportWatch::default();
        let replayed = self.walk(ReadUpTo::End, &mut watch)?;
        watch.requests.explain();
        let mut entries = Vec::new();
        let mut all_bytes = 0_usize;
        let mut omitted_bytes = 0_u64;
        let talk = self.conversation(ReadUpTo::End)?;
        talk.for_each(|mut entry| {
            let bytes = entry.text.len();
            let keep = limits
                .text_bytes
                .min(limits.all_bytes.saturating_sub(all_bytes));
            let is_cut = bytes > keep;
            if is_cut {
                let end = entry.text.floor_char_boundary(keep);
                if end == 0 {
                    entry.text = preview(&entry.text);
                } else {
                    entry.text.truncate(end);
                }
                omitted_bytes += (bytes - entry.text.len().min(bytes)) as u64;
            }
            all_bytes = all_bytes.saturating_add(entry.text.len());
            entries.push(ReportEntry {
                entry,
                bytes,
                is_cut,
            });
            Ok::<(), Error>(())
        })?;
        let causes = [
            Cause::FirstRequest,
            Cause::None,
            Cause::Compaction,
            Cause::Rollback,
            Cause::LateOutput,
            Cause::InputChanged,
            Cause::ModelChanged,
            Cause::SettingsChanged,
            Cause::Expired,
            Cause::Provider,
        ];
        Ok(Report {
            schema: "annals.report/1",
            session: self.about(&replayed),
            origins: Origin::ALL.map(Origin::as_str).to_vec(),
            requests: watch.requests.seen,
            causes: causes.map(|cause| (cause, cause.text())).to_vec(),
            state_changes: watch.state_changes,
            entries,
            omitted_bytes,
        })
    }
}

#[derive(Debug, Default)]
struct ReportWatch {
    requests: Requests,
    state_changes: Vec<StateChange>,
    before: Option<annals_world_state::WorldStateSnapshot>,
}

impl Watch for ReportWatch {
    fn before(&mut self, at: &At<'_>, replay: &mut TracedReplay) {
        self.requests.before(at, replay);
        self.before
            .clone_from(&replay.ledger().state().world_state_baseline);
    }

    fn after(&mut self, at: &At<'_>, replay: &TracedReplay) {
        let now = &replay.ledger().state().world_state_baseline;
        if at.envelope.kind != annals_protocol::RecordKind::WorldState {
            return;
        }
        let changes = changes_between(self.before.as_ref(), now.as_ref());
        self.state_changes.push(StateChange {
            turn: replay.ledger().turns(),
            line: at.line,
            timestamp: at.envelope.timestamp.to_owned(),
            is_full: member(at.envelope.payload, "full") == Some("true"),
            changes,
        });
    }
}

impl EntryKind {
    /// Whether nobody said it: it is shown folded.
    pub const fn is_injected(self) -> bool {
        matches!(self, Self::Context)
    }
}
