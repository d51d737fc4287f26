//! A move to another segment that may be interrupted: what a dropped future left is done later.
//!
//! The store cannot take back what it began, so the thread keeps the future itself, and goes on with
//! it in the next call before anything else.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use annals_history::Rewrite;
use annals_rollout::store::WriteLease;

use crate::error::Error;
use crate::load::Loaded;
use crate::thread::Thread;

type Cutting =
    Pin<Box<dyn Future<Output = Result<Box<dyn WriteLease>, annals_rollout::Error>> + Send>>;

/// How far a move is.
pub(crate) enum Moving {
    /// The store is at work. The mutex is never locked: it lets the thread be shared meanwhile.
    Cutting(Mutex<Cutting>),
    /// The store is there, and the history is not.
    Loading(Box<dyn WriteLease>),
}

impl fmt::Debug for Moving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cutting(_) => "Cutting",
            Self::Loading(_) => "Loading",
        })
    }
}

impl Thread {
    /// Moves to the segment that `cutting` makes.
    pub(crate) async fn move_by<F>(&mut self, cutting: F) -> Result<(), Error>
    where
        F: Future<Output = Result<Box<dyn WriteLease>, annals_rollout::Error>> + Send + 'static,
    {
        self.moving = Some(Moving::Cutting(Mutex::new(Box::pin(cutting))));
        self.go_on_moving().await?;
        self.log.write(self.durability).await
    }

    /// Does what a dropped future left of a move, before anything else is done.
    pub(crate) async fn settle(&mut self) -> Result<(), Error> {
        if self.moving.is_none() {
            return Ok(());
        }
        match self.go_on_moving().await {
            // Nobody waits for that move any more, and it changed nothing.
            Err(error) if self.moving.is_none() => {
                tracing::warn!(thread = %self.id(), %error, "a move that was given up failed");
                Ok(())
            }
            outcome => outcome,
        }
    }

    async fn go_on_moving(&mut self) -> Result<(), Error> {
        if let Some(Moving::Cutting(cutting)) = &mut self.moving {
            let cutting = cutting.get_mut().unwrap_or_else(PoisonError::into_inner);
            match cutting.as_mut().await {
                Ok(lease) => self.moving = Some(Moving::Loading(lease)),
                Err(error) => {
                    self.moving = None;
                    return Err(error.into());
                }
            }
        }
        let loaded = Loaded::read(&*self.store, self.session.id).await?;
        if let Some(Moving::Loading(lease)) = self.moving.take() {
            self.log.moved_to(lease);
            self.arrive(loaded);
        }
        Ok(())
    }

    fn arrive(&mut self, loaded: Loaded) {
        self.history = loaded.history.following(&self.history, Rewrite::Rollback);
        self.live = loaded.live;
        self.is_unsettled = loaded.is_unsettled;
        self.last_started_turn = loaded.last_started_turn;
        self.marks.cuts = loaded.marks.cuts;
        self.marks.has_all_cuts = loaded.marks.has_all_cuts;
        self.marks.turn_start = loaded.marks.turn_start;
        self.marks.settings_applied = loaded.marks.settings_applied;
        self.marks.sequence = self.marks.sequence.max(loaded.marks.sequence);
        self.usage = loaded.usage;
        self.rewritten();
    }
}
