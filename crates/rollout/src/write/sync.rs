//! The leader of a sync: one `fdatasync` for everybody who waits for durability.
//! Whoever finds nobody syncing leads; what was written by then is durable afterwards.

use std::path::PathBuf;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::{Error, ErrorKind};
use crate::files;
use crate::write::disk::AppendFile;
use crate::write::shared::{Next, Shared, Unwinding};
use crate::write::state::State;

/// How long the leader of a sync waits for the callers that the last sync served.
const GATHER: Duration = Duration::from_micros(100);

impl Shared {
    /// What someone who waits for `seq` to be durable should do.
    pub(crate) fn next_for_sync(state: &State, seq: u64, since: u64) -> Result<Next, Error> {
        if state.durable >= seq {
            return Ok(Next::Done);
        }
        if let Some(error) = &state.dead {
            return Err(error.duplicate().with_queued(state.unwritten()));
        }
        if let Some(error) = state.sync_failure.for_waiter(seq, since) {
            return Err(error.with_queued(state.unwritten()));
        }
        Ok(if state.syncing {
            Next::Wait
        } else {
            Next::Lead
        })
    }

    /// Waits, or leads, until everything up to `seq` is durable; it must be written already.
    pub(crate) fn wait_durable(&self, seq: u64) -> Result<(), Error> {
        let mut state = self.state();
        let since = state.sync_failure.count;
        state.durable_waiting += 1;
        self.arrived.notify_one();
        let result = loop {
            match Self::next_for_sync(&state, seq, since) {
                Err(error) => break Err(error),
                Ok(Next::Done) => break Ok(()),
                Ok(Next::Lead) => state = self.lead_sync(state),
                Ok(Next::Wait) => state = self.sleep(state),
            }
        };
        state.durable_waiting -= 1;
        result
    }

    /// Announces one more who waits for durability, for the leader that gathers.
    pub(crate) fn durable_arrives(&self) -> u64 {
        let mut state = self.state();
        state.durable_waiting += 1;
        self.arrived.notify_one();
        state.sync_failure.count
    }

    pub(crate) fn durable_leaves(&self) {
        let mut state = self.state();
        state.durable_waiting = state.durable_waiting.saturating_sub(1);
    }

    /// Leads a sync if it still is needed and nobody else does; for a thread that may block.
    pub(crate) fn lead_sync_if_free(&self, seq: u64) {
        let state = self.state();
        if !state.syncing && state.durable < seq && state.dead.is_none() {
            drop(self.lead_sync(state));
        }
    }

    /// Makes everything that is written durable, for everybody. Nobody else may be syncing.
    fn lead_sync<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.syncing = true;
        if state.last_sync_served > 1 {
            // The callers of the last sync are likely to come again at once.
            let expected = state.last_sync_served;
            state = self
                .arrived
                .wait_timeout_while(state, GATHER, |state| state.durable_waiting < expected)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        let (up_to, served) = (state.written, state.durable_waiting);
        let (file, len_bytes) = (state.file.clone(), state.len_bytes);
        let dirs = std::mem::take(&mut state.dirs_to_sync);
        let doubtful = state
            .in_doubt
            .then_some((state.durable_bytes, state.len_bytes));
        // Until it has succeeded it may have failed.
        state.in_doubt = true;
        drop(state);
        let unwinding = Unwinding(self);
        let result = match &file {
            Some(file) => self
                .look(&**file, len_bytes)
                .and_then(|()| self.sync(&**file, doubtful, &dirs)),
            // Nothing was ever written.
            None => Ok(()),
        };
        unwinding.did_not();
        state = self.state();
        state.last_sync_served = served;
        match result {
            Ok(()) => {
                state.durable = state.durable.max(up_to);
                state.durable_bytes = len_bytes;
                state.in_doubt = false;
            }
            Err(error) => {
                tracing::warn!(path = %self.path.display(), %error, "sync failed");
                state.dirs_to_sync.extend(dirs);
                if error.kind() == ErrorKind::Replaced {
                    state.dead = Some(error.duplicate());
                }
                state.sync_failure.note(up_to, error);
            }
        }
        state.syncing = false;
        self.notify(&state);
        state
    }

    /// Brings the file and the entries of its directories to the disk.
    fn sync(
        &self,
        file: &dyn AppendFile,
        doubtful: Option<(u64, u64)>,
        dirs: &[PathBuf],
    ) -> Result<(), Error> {
        let fail = |error| Error::io("make durable", &self.path, error);
        if let Some((from_bytes, to_bytes)) = doubtful {
            // A system may drop what it could not bring to the disk and call the next sync a
            // success: only what is written anew is sure to be tried again.
            file.rewrite(&self.path, from_bytes, to_bytes)
                .map_err(fail)?;
        }
        file.sync_data().map_err(fail)?;
        dirs.iter().try_for_each(|dir| {
            files::sync_dir(dir).map_err(|error| Error::io("make durable", dir, error))
        })
    }
}
