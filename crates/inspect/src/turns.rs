//! The turns of a session that survived, and where each begins.

use annals_protocol::RecordKind;
use serde::Serialize;

use crate::error::Error;
use crate::part::text_member;
use crate::prompt_input::ReadUpTo;
use crate::session::{At, Session, TracedReplay, Watch};

/// A user turn that survived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TurnStart {
    /// Its number, from 1.
    pub turn: usize,
    /// Its id, where the file has one.
    pub turn_id: Option<String>,
    /// The line of its first record: the one that announces it, else the user's words.
    pub line: u64,
    /// The ordinal of that record; records without one count on from the one before.
    pub ordinal: u64,
}

impl Session {
    /// Every user turn that survived, in order.
    ///
    /// **Cost**: one pass.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read.
    pub fn turns(&self) -> Result<Vec<TurnStart>, Error> {
        let mut turns = Turns::default();
        let _replayed = self.walk(ReadUpTo::End, &mut turns)?;
        Ok(turns.starts)
    }
}

#[derive(Debug, Default)]
struct Turns {
    starts: Vec<TurnStart>,
    next_ordinal: u64,
    /// What was announced, and nobody has said anything in yet.
    announced: Option<TurnStart>,
}

impl Watch for Turns {
    fn after(&mut self, at: &At<'_>, replay: &TracedReplay) {
        let ordinal = at.envelope.ordinal.unwrap_or(self.next_ordinal);
        self.next_ordinal = ordinal.saturating_add(1);
        let here = |turn_id| TurnStart {
            turn: 0,
            turn_id,
            line: at.line,
            ordinal,
        };
        let payload = at.envelope.payload;
        if at.envelope.kind == RecordKind::EventMsg {
            let tag = text_member(payload, "type");
            if matches!(tag.as_deref(), Some("task_started" | "turn_started")) {
                self.announced = Some(here(text_member(payload, "turn_id")));
            }
        }
        let turns = replay.ledger().turns();
        self.starts.truncate(turns);
        while self.starts.len() < turns {
            let mut start = self.announced.take().unwrap_or_else(|| here(None));
            start.turn = self.starts.len() + 1;
            self.starts.push(start);
        }
    }
}
