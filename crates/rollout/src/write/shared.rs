//! The inline leader: whoever finds no one writing writes for everybody, the others wait.
//!
//! No thread and no queue stands between a caller and the file, so a lone caller pays for one
//! `write(2)` and nothing else, and many callers share one.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::error::{Error, ErrorKind};
use crate::files;
use crate::lock::WriterLock;
use crate::write::disk::{AppendFile, FileSystem};
use crate::write::durability::Durability;
use crate::write::line::DurableMark;
use crate::write::pending::Pending;
use crate::write::record::NewRecord;
use crate::write::state::{Queued, State};
use crate::write::writer::WriterOptions;

/// How often, at most, a writer looks whether its file is still in its place.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What all handles of one writer share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) path: PathBuf,
    pub(crate) options: WriterOptions,
    pub(crate) file_system: Arc<dyn FileSystem>,
    state: Mutex<State>,
    wake: Condvar,
    pub(crate) durable_mark: DurableMark,
    pub(crate) wake_async: Notify,
}

/// What the writing of one batch came to.
struct Written {
    taken: usize,
    /// A line end was put before the batch, because the file ended inside a line.
    freshened: bool,
    error: Option<Error>,
}

/// What a waiter should do next.
pub(crate) enum Next {
    Done,
    Lead,
    Wait,
}

impl Shared {
    pub(crate) fn new(
        path: PathBuf,
        options: WriterOptions,
        file_system: Arc<dyn FileSystem>,
        state: State,
    ) -> Self {
        Self {
            path,
            options,
            file_system,
            state: Mutex::new(state),
            wake: Condvar::new(),
            durable_mark: DurableMark::default(),
            wake_async: Notify::new(),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // The state is changed in steps that can't panic between them, so a poisoned one is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues records and says whether the caller may return at once.
    pub(crate) fn enqueue(
        &self,
        records: &[NewRecord],
        durability: Durability,
        expected: Option<u64>,
    ) -> Result<(Queued, bool), Error> {
        let mut state = self.state();
        state.usable().map_err(|error| error.at(&self.path))?;
        if let (Some(expected), Some(next)) = (expected, state.next_position) {
            let next = next + u64::from(state.deferred_head.is_some());
            if expected != next {
                let what = format!("record {expected} was expected, {next} is next");
                return Err(Error::new(ErrorKind::Fenced, what).at(&self.path));
            }
        }
        let queued = state
            .enqueue(records, &self.options)
            .map_err(|error| error.at(&self.path))?;
        let roomy = state.pending.bytes.len() < self.options.buffer_bytes;
        Ok((queued, durability == Durability::Buffered && roomy))
    }

    /// What someone who waits for `queued` to be written should do.
    pub(crate) fn next_for_write(state: &State, queued: &Queued) -> Result<Next, Error> {
        if state.written >= queued.last_seq {
            return Ok(Next::Done);
        }
        if let Some(error) = &state.dead {
            return Err(error.duplicate().with_queued(state.unwritten()));
        }
        if let Some(error) = state
            .write_failure
            .for_waiter(queued.last_seq, queued.failures_before)
        {
            return Err(error.with_queued(state.unwritten()));
        }
        Ok(if state.writing {
            Next::Wait
        } else {
            Next::Lead
        })
    }

    /// Waits, or leads, until `queued` is in the file.
    pub(crate) fn wait_written(&self, queued: &Queued) -> Result<(), Error> {
        let mut state = self.state();
        loop {
            match Self::next_for_write(&state, queued)? {
                Next::Done => return Ok(()),
                Next::Lead => state = self.lead_write(state),
                Next::Wait => state = self.sleep(state),
            }
        }
    }

    /// Writes everything that is pending, for everybody. Nobody else may be writing.
    pub(crate) fn lead_write<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
    ) -> MutexGuard<'s, State> {
        state.writing = true;
        let spare = std::mem::take(&mut state.spare);
        let mut batch = std::mem::replace(&mut state.pending, spare);
        if state.file.is_none() {
            match self.open_file(&mut state) {
                Ok(file) => state.file = Some(file),
                Err(error) => {
                    let failed = Written {
                        taken: 0,
                        freshened: false,
                        error: Some(error),
                    };
                    self.after_write(&mut state, batch, failed);
                    return state;
                }
            }
        }
        let look = state.looked_at.elapsed() >= LOOK_EVERY;
        let (file, torn, len_bytes) = (state.file.clone(), state.torn, state.len_bytes);
        drop(state);
        let unwinding = Unwinding(self);
        let outcome = match &file {
            Some(file) => self.write_batch(&**file, &batch, torn, look.then_some(len_bytes)),
            None => Written {
                taken: 0,
                freshened: false,
                error: None,
            },
        };
        unwinding.did_not();
        state = self.state();
        if look {
            state.looked_at = Instant::now();
        }
        if outcome.error.is_none() && outcome.taken == batch.bytes.len() {
            // The common case, without moving a byte.
            state.len_bytes += (outcome.taken + usize::from(outcome.freshened)) as u64;
            state.torn = false;
            state.written = batch.last_seq();
            state.write_failure.error = None;
            batch.clear();
            state.spare = batch;
            state.writing = false;
            self.notify_writers(&state);
        } else {
            self.after_write(&mut state, batch, outcome);
        }
        state
    }

    /// Leads a write if there still is something to write and nobody else does.
    pub(crate) fn lead_write_if_free(&self) {
        let state = self.state();
        if !state.writing && !state.pending.is_empty() {
            drop(self.lead_write(state));
        }
    }

    /// Puts back what a failed write left, in order, and tells the waiters.
    fn after_write(&self, state: &mut State, mut batch: Pending, outcome: Written) {
        let tried_up_to = batch.last_seq();
        let remainder = batch.take_off(outcome.taken);
        state.len_bytes += (outcome.taken + usize::from(outcome.freshened)) as u64;
        if outcome.freshened {
            state.torn = false;
        }
        if outcome.taken > 0 {
            state.torn = remainder.torn;
        }
        state.written += remainder.whole_lines;
        batch.append(&state.pending);
        state.pending = batch;
        if let Some(error) = outcome.error {
            let error = error.at(&self.path);
            tracing::warn!(path = %self.path.display(), %error, queued = state.unwritten(), "append failed");
            if error.kind() == ErrorKind::Replaced {
                state.dead = Some(error.duplicate());
            }
            state.write_failure.note(tried_up_to, error);
        }
        state.writing = false;
        self.notify(state);
    }

    fn write_batch(
        &self,
        file: &dyn AppendFile,
        batch: &Pending,
        torn: bool,
        look_at_len: Option<u64>,
    ) -> Written {
        let mut written = Written {
            taken: 0,
            freshened: false,
            error: None,
        };
        if let Some(len_bytes) = look_at_len
            && let Err(error) = self.look(file, len_bytes)
        {
            written.error = Some(error);
            return written;
        }
        if torn {
            match write_some(file, b"\n") {
                Ok(_) => written.freshened = true,
                Err(error) => {
                    written.error = Some(Error::io("append to", &self.path, error));
                    return written;
                }
            }
        }
        while let Some(rest) = batch
            .bytes
            .get(written.taken..)
            .filter(|rest| !rest.is_empty())
        {
            match write_some(file, rest) {
                Ok(n_bytes) => written.taken += n_bytes.min(rest.len()),
                Err(error) => {
                    written.error = Some(Error::io("append to", &self.path, error));
                    break;
                }
            }
        }
        written
    }

    /// Notices a file that was removed, replaced or truncated, and a lock that is lost.
    pub(crate) fn look(&self, file: &dyn AppendFile, len_bytes: u64) -> Result<(), Error> {
        let gone = |what: &str| Err(Error::new(ErrorKind::Replaced, what).at(&self.path));
        match file.look(&self.path) {
            Err(error) => return Err(Error::io("look at", &self.path, error)),
            Ok(look) if !look.same_file => return gone("the file was removed or replaced"),
            Ok(look) if look.len_bytes < len_bytes => return gone("the file was truncated"),
            Ok(_) => {}
        }
        match &self.state().lock {
            Some(lock) if !lock.still_has_a_name() => gone("the lock file was removed or replaced"),
            _ => Ok(()),
        }
    }

    /// Creates the file of a new thread, or opens it again.
    fn open_file(&self, state: &mut State) -> Result<Arc<dyn AppendFile>, Error> {
        let dir = files::parent_of(&self.path);
        let changed = files::create_private_dirs(dir)?;
        state.dirs_to_sync.extend(changed);
        if state.lock.is_none() {
            state.lock = Some(WriterLock::acquire(&self.path)?);
        }
        let other = crate::read::source::other_representation(&self.path);
        if other.exists() {
            return Err(Error::new(
                ErrorKind::AlreadyExists,
                "a compressed file of that name is there",
            ));
        }
        let created = self.file_system.create(&self.path).or_else(|error| {
            // A program that died between creating and writing leaves an empty file.
            let empty = std::fs::metadata(&self.path).is_ok_and(|found| found.len() == 0);
            if empty {
                self.file_system.open(&self.path)
            } else {
                Err(error)
            }
        });
        let file = created.map_err(|error| Error::io("create", &self.path, error))?;
        state.dirs_to_sync.push(dir.to_path_buf());
        state.looked_at = Instant::now();
        Ok(Arc::from(file))
    }

    /// Wakes everybody who waits for anything.
    pub(crate) fn notify(&self, state: &mut State) {
        state.line.all().wake();
        self.notify_writers(state);
    }

    /// Wakes those who wait for a write.
    pub(crate) fn notify_writers(&self, state: &State) {
        // Waking nobody would be a system call at every append.
        if state.sleepers > 0 {
            self.wake.notify_all();
        }
        self.wake_async.notify_waiters();
    }

    /// Sleeps until something was written, or went wrong.
    pub(crate) fn sleep<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.sleepers += 1;
        state = self
            .wake
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner);
        state.sleepers -= 1;
        state
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let queued = {
            let state = self.state();
            if state.dead.is_some() || state.pending.is_empty() {
                return;
            }
            Queued {
                last_seq: state.queued,
                first_position: None,
                failures_before: state.write_failure.count,
            }
        };
        if let Err(error) = self.wait_written(&queued) {
            tracing::error!(path = %self.path.display(), %error, "records are lost: the writer was dropped while they could not be written");
        }
    }
}

/// Ends a lead whose file panicked, so that nobody waits for it for ever.
pub(crate) struct Unwinding<'s>(pub(crate) &'s Shared);

impl Unwinding<'_> {
    pub(crate) fn did_not(self) {
        std::mem::forget(self);
    }
}

impl Drop for Unwinding<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        let what = "the file system beneath the writer panicked";
        state.dead = Some(Error::new(ErrorKind::Io, what).at(&self.0.path));
        (state.writing, state.syncing) = (false, false);
        self.0.notify(&mut state);
    }
}

/// One write, tried again when a signal came between; no progress is an error.
fn write_some(file: &dyn AppendFile, bytes: &[u8]) -> std::io::Result<usize> {
    loop {
        match file.write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            other => return other,
        }
    }
}
