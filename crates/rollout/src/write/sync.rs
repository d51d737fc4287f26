//! The leader of a sync: one `fdatasync` for everybody who waits for durability.
//! Whoever finds nobody syncing leads; what was written by then is durable afterwards.

use std::path::PathBuf;
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind};
use crate::files;
use crate::write::disk::AppendFile;
use crate::write::shared::{Next, Shared, Unwinding};
use crate::write::state::{Queued, State};

/// How long the leader of a sync waits for the callers that were there when the last one ended.
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

    /// Waits, or leads, until `queued` is in the file and durable.
    ///
    /// Nobody writes for itself here: whoever leads the next sync writes for all who came by then.
    /// A write while a sync runs would wait for it anyway, as both want the file's last page.
    pub(crate) fn wait_durable(&self, queued: &Queued) -> Result<(), Error> {
        let seq = queued.last_seq;
        let mut state = self.state();
        let since = state.sync_failure.count;
        state.durable_waiting += 1;
        let result = loop {
            let next = Self::next_for_write(&state, queued)
                .and_then(|_| Self::next_for_sync(&state, seq, since));
            match next {
                Err(error) => break Err(error),
                Ok(Next::Done) => break Ok(()),
                Ok(Next::Lead) => state = self.lead_sync(state),
                Ok(Next::Wait) => {
                    state.line.join(seq);
                    drop(state);
                    std::thread::park();
                    if self.durable_mark.covers(seq) {
                        // The leader took this thread out of the line and off the count.
                        return Ok(());
                    }
                    state = self.state();
                    state.line.leave();
                }
            }
        };
        state.durable_waiting -= 1;
        result
    }

    /// Announces one more who waits for durability, for the leader that gathers.
    pub(crate) fn durable_arrives(&self) -> u64 {
        let mut state = self.state();
        state.durable_waiting += 1;
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

    /// Waits for the callers that were there when the last sync ended: they are likely to come
    /// again at once. It makes way for them instead of sleeping, as to be woken takes as long as
    /// all of it.
    fn gather<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let enough = state.returning;
        let began = Instant::now();
        while state.durable_waiting < enough && began.elapsed() < GATHER {
            drop(state);
            std::thread::yield_now();
            state = self.state();
        }
        state
    }

    /// Makes everything that is queued durable, for everybody. Nobody else may be syncing.
    fn lead_sync<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.syncing = true;
        state = self.gather(state);
        while state.writing {
            state = self.sleep(state);
        }
        if !state.pending.is_empty() && state.dead.is_none() {
            state = self.lead_write(state);
        }
        let up_to = state.written;
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
        // Those who were served are likely to come again at once, and some came meanwhile. To wait
        // for the ones without the others would have two halves take turns for ever.
        state.returning = state.durable_waiting;
        let failed = result.is_err();
        match result {
            Ok(()) => {
                state.durable = state.durable.max(up_to);
                self.durable_mark.raise(state.durable);
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
        let durable = state.durable;
        let served = state.line.served(durable);
        state.durable_waiting -= served.len();
        let others = if failed {
            state.line.all()
        } else {
            // One is enough to lead for the others.
            state.line.next()
        };
        self.notify_writers(&state);
        drop(state);
        served.and(others).wake();
        self.state()
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
