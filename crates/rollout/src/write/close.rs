//! Closing: nothing new is taken, what is queued is written, then the lock goes back.
//! A close that fails or is given up leaves the writer open.

use crate::error::{Error, ErrorKind};
use crate::write::shared::Shared;
use crate::write::state::Queued;

/// A writer that is being closed; open again if this is dropped before it is finished.
pub(crate) struct Closing<'s> {
    shared: &'s Shared,
    queued: Queued,
    finished: bool,
}

impl Shared {
    /// Refuses records from now on.
    pub(crate) fn begin_closing(&self) -> Result<Closing<'_>, Error> {
        let mut state = self.state();
        state.usable().map_err(|error| error.at(&self.path))?;
        state.closed = true;
        let queued = Queued {
            last_seq: state.queued,
            first_position: None,
            failures_before: state.write_failure.count,
        };
        Ok(Closing {
            shared: self,
            queued,
            finished: false,
        })
    }
}

impl Closing<'_> {
    /// What has to be written first.
    pub(crate) fn queued(&self) -> &Queued {
        &self.queued
    }

    /// Gives the lock back once everything is written, after a last look at the file.
    ///
    /// The file stays open as long as there are handles: someone may still wait for a sync.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let (file, len_bytes) = {
            let state = self.shared.state();
            (state.file.clone(), state.len_bytes)
        };
        let looked = match &file {
            Some(file) => self.shared.look(&**file, len_bytes),
            None => Ok(()),
        };
        let mut state = self.shared.state();
        if let Err(error) = looked {
            if error.kind() != ErrorKind::Replaced {
                return Err(error.with_queued(state.unwritten()));
            }
            state.dead = Some(error.duplicate());
            state.lock = None;
            return Err(error.with_queued(state.unwritten()));
        }
        state.lock = None;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.shared.state().closed = false;
        }
    }
}
