//! Why an analysis could not be made.

use crate::places::no_such;

/// Why an analysis could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The session can't be read.
    #[error(transparent)]
    Rollout(#[from] annals_rollout::Error),
    /// The session has fewer user turns than were asked for.
    #[error("{}", no_such("user turn", *asked, "the session has", *n_turns))]
    NoSuchTurn {
        /// The turn that was asked for.
        asked: u64,
        /// How many there are.
        n_turns: u64,
    },
    /// The session's own file has fewer lines than were asked for; lines count from 1.
    #[error("{}", no_such("line", *asked, "the file has", *n_lines))]
    NoSuchLine {
        /// The line that was asked for.
        asked: u64,
        /// How many there are.
        n_lines: u64,
    },
}
