//! States and patches as the payloads of rollout lines, and back.

use crate::{
    chain::{BaselineChain, ChainStep},
    patch::WorldStatePatch,
    snapshot::WorldStateSnapshot,
};
use annals_protocol::{DecodeError, RawJson, WorldStateRecord};

pub(crate) fn full(snapshot: &WorldStateSnapshot) -> Result<WorldStateRecord, DecodeError> {
    RawJson::parse(snapshot.to_json()).map(|state| WorldStateRecord { full: true, state })
}

pub(crate) fn patch(patch: &WorldStatePatch) -> Result<WorldStateRecord, DecodeError> {
    RawJson::parse(patch.as_str()).map(|state| WorldStateRecord { full: false, state })
}

impl BaselineChain {
    /// Replays a record of a rollout.
    pub fn record(&mut self, record: &WorldStateRecord) -> ChainStep {
        if record.full {
            self.full(record.state.as_str())
        } else {
            self.patch(record.state.as_str())
        }
    }
}
