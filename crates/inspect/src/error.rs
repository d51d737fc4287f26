//! Why an analysis could not be made.

/// Why an analysis could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The session can't be read.
    #[error(transparent)]
    Rollout(#[from] annals_rollout::Error),
    /// The session has fewer user turns than were asked for.
    #[error("there is no user turn {asked}, the session has {n_turns}")]
    NoSuchTurn {
        /// The turn that was asked for.
        asked: u64,
        /// How many there are.
        n_turns: u64,
    },
}
