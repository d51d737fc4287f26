//! The notice that a turn was interrupted.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Tells the model that the turn before was stopped, so that it does not take half-done work for done.
///
/// **Seen by**: the model, as an item right after what the interrupted turn had recorded.
///
/// **Shape**: `<turn_aborted>`, a line break, the notice, a line break, `</turn_aborted>`.
///
/// **Bounds**: one of two fixed texts, under 100 tokens; cap 150.
///
/// **Source**: the reference writes it as user or as developer; both are recognized, user is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TurnAborted {
    by: Interrupter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Interrupter {
    User,
    Host,
}

impl TurnAborted {
    const CAP: Cap = Cap::cutting_at::<150>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "TurnAborted",
        Role::User,
        "generic.turn_aborted",
        ("<turn_aborted>", "</turn_aborted>"),
        Self::CAP,
    )
    .event()
    .in_both_roles();

    /// The user stopped the turn.
    pub const fn by_user() -> Self {
        Self {
            by: Interrupter::User,
        }
    }

    /// The program that runs the model stopped the turn.
    pub const fn by_host() -> Self {
        Self {
            by: Interrupter::Host,
        }
    }

    const fn notice(self) -> &'static str {
        match self.by {
            Interrupter::User => {
                "The user stopped the turn before this point. \
                 Commands that were running may have done part of their work, or may still be running: \
                 look at the present state before doing anything again."
            }
            Interrupter::Host => {
                "The turn before this point was stopped by the program that runs it, not by the user. \
                 Commands that were running may have done part of their work, or may still be running: \
                 look at the present state before doing anything again."
            }
        }
    }
}

impl ContextualUserFragment for TurnAborted {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::framed("\n", self.notice(), "\n")
    }
}
