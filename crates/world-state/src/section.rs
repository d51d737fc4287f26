//! A section: one part of what the model must know, and how a change of it is told.
//!
//! Which sections there are, and how their texts share messages, is left to the world state.

use crate::{history::TextPart, update::SectionUpdate};
use serde::{Serialize, de::DeserializeOwned};

/// One part of the state that a model is told: once in full, afterwards only what changed.
///
/// The trait is open: hosts implement it for state of their own. Contributions that are known only
/// when the program runs use [`ExtensionSection`](crate::ExtensionSection) instead.
///
/// # Invariants
/// A section is a value of one moment. Equal snapshots mean that there is nothing to tell: then
/// [`render_diff`](Self::render_diff) is not called at all.
///
/// The state *off* is a snapshot too, an empty object or `false`, and never null: null removes the
/// section from the stored state, and with it the knowledge that it is off.
///
/// # Example
/// ```
/// use annals_context_fragments::{Body, Cap, ContentKind, ContextualUserFragment, Markers, Role};
/// use annals_world_state::{
///     HistoryView, PreviousSectionState, SectionTransition, SectionUpdate, WorldState,
///     WorldStateSection,
/// };
///
/// struct TicketText(String);
/// impl ContextualUserFragment for TicketText {
///     fn role(&self) -> Role { Role::Developer }
///     fn content_kind(&self) -> ContentKind { ContentKind::from_static("tracker.ticket") }
///     fn markers(&self) -> Markers { Self::type_markers() }
///     fn type_markers() -> Markers { Markers::new("<ticket>", "</ticket>") }
///     fn body(&self) -> Body { Body::neutralized(&self.0, "</ticket>") }
///     fn cap(&self) -> Cap { Cap::cutting_at::<200>() }
/// }
///
/// struct Ticket(String);
/// impl WorldStateSection for Ticket {
///     const ID: &'static str = "ticket";
///     type Snapshot = String;
///     fn snapshot(&self) -> String { self.0.clone() }
///     fn render_diff(&self, _: PreviousSectionState<'_, String>) -> SectionTransition {
///         SectionTransition::telling(SectionUpdate::of(&TicketText(self.0.clone())))
///     }
/// }
///
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let mut first = WorldState::new();
/// first.insert(Ticket("fix the parser".to_owned()))?;
/// let told = first.render_full();
/// assert_eq!(told.n_updates(), 1);
///
/// let again = first.render_diff(Some(told.snapshot()), HistoryView::Intact);
/// assert_eq!(again.n_updates(), 0);
///
/// let mut second = WorldState::new();
/// second.insert(Ticket("write the docs".to_owned()))?;
/// let changed = second.render_diff(Some(told.snapshot()), HistoryView::Intact);
/// assert_eq!(changed.n_updates(), 1);
/// # Ok(())
/// # }
/// ```
pub trait WorldStateSection: Send + Sync + 'static {
    /// The key of the section in stored states. It is in files for ever: it may never change.
    const ID: &'static str;

    /// Whether a stored snapshot is worth nothing once its text has left the history.
    ///
    /// If so, and no text [matches](Self::matches_retained), the section sees
    /// [`PreviousSectionState::Absent`] and tells itself as if for the first time.
    const RETAINED: bool = false;

    /// What is compared and stored; for long texts a [`Fingerprint`](crate::Fingerprint).
    type Snapshot: Serialize + DeserializeOwned;

    /// The state to compare and to store.
    fn snapshot(&self) -> Self::Snapshot;

    /// What to tell a model that knows `previous`.
    fn render_diff(&self, previous: PreviousSectionState<'_, Self::Snapshot>) -> SectionTransition;

    /// Whether the state is stored at all. If not, the next step sees nothing stored.
    fn is_stored(&self) -> bool {
        true
    }

    /// Whether a text in the history is this section's, told before states were stored.
    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        let _ = part;
        false
    }

    /// Whether a text that [matches](Self::matches_legacy) says what this state would say.
    ///
    /// If so it is not told again. A text that is equal, byte for byte, to what would be told need
    /// not be recognized here.
    fn is_told_by(&self, text: &str) -> bool {
        let _ = text;
        false
    }

    /// Whether a text in the history is the one that the stored snapshot stands for.
    ///
    /// Asked only where [`RETAINED`](Self::RETAINED) is set.
    fn matches_retained(&self, part: TextPart<'_>) -> bool {
        self.matches_legacy(part)
    }

    /// What to tell when the section is not built any more and the model knows `previous`, which is
    /// never [`Absent`](PreviousSectionState::Absent).
    ///
    /// See [`WorldState::retire`](crate::WorldState::retire).
    fn render_removal(previous: PreviousSectionState<'_, Self::Snapshot>) -> Vec<SectionUpdate>
    where
        Self: Sized,
    {
        let _ = previous;
        Vec::new()
    }
}

/// What the model knows of a section.
#[derive(Debug, PartialEq, Eq)]
pub enum PreviousSectionState<'a, S> {
    /// Nothing: no snapshot is stored, and no text of the section is in the history.
    Absent,
    /// Something, but not what: its text is in the history without a snapshot, or the stored
    /// snapshot does not decode.
    Unknown,
    /// This.
    Known(&'a S),
}

impl<S> Clone for PreviousSectionState<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for PreviousSectionState<'_, S> {}

impl<'a, S> PreviousSectionState<'a, S> {
    /// The known state.
    pub fn known(self) -> Option<&'a S> {
        match self {
            Self::Known(snapshot) => Some(snapshot),
            Self::Absent | Self::Unknown => None,
        }
    }
}

/// What a section tells, and what becomes of its stored snapshot.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "what is not handed back is not told"]
pub struct SectionTransition {
    pub(crate) stored: Stored,
    pub(crate) updates: Vec<SectionUpdate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    Current,
    Kept,
    Removed,
}

impl SectionTransition {
    /// Tells nothing, and stores the current snapshot.
    pub fn silent() -> Self {
        Self::telling_all(Vec::new())
    }

    /// Tells one thing, and stores the current snapshot.
    pub fn telling(update: SectionUpdate) -> Self {
        Self::telling_all(vec![update])
    }

    /// Tells the updates in their order, and stores the current snapshot.
    pub fn telling_all(updates: Vec<SectionUpdate>) -> Self {
        Self {
            stored: Stored::Current,
            updates,
        }
    }

    /// Leaves the stored snapshot as it is, also if there is none.
    pub fn keeping_stored(mut self) -> Self {
        self.stored = Stored::Kept;
        self
    }

    /// Removes the section from the stored state.
    pub fn removing_stored(mut self) -> Self {
        self.stored = Stored::Removed;
        self
    }
}

impl From<Option<SectionUpdate>> for SectionTransition {
    fn from(update: Option<SectionUpdate>) -> Self {
        Self::telling_all(update.into_iter().collect())
    }
}
