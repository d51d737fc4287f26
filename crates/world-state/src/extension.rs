//! Sections that are made of closures: for contributions that are known only when the program runs.

use crate::{
    erased::{ErasedSection, ErasedStored, ErasedTransition},
    error::{SnapshotFault, StateError},
    history::TextPart,
    section::PreviousSectionState,
    snapshot::SectionSnapshot,
    update::SectionUpdate,
};
use annals_context_fragments::{ContentKind, ContextualUserFragment, RenderedFragment};
use serde_json::Value;

type RenderFn =
    dyn Fn(PreviousSectionState<'_, Value>) -> ExtensionTransition + Send + Sync + 'static;
type MatchFn = dyn Fn(TextPart<'_>) -> bool + Send + Sync + 'static;

/// What an extension tells and stores.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use = "what is not handed back is not told"]
pub struct ExtensionTransition {
    snapshot: Option<Value>,
    fragment: Option<RenderedFragment>,
}

impl ExtensionTransition {
    /// Tells nothing and leaves the stored snapshot as it is.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// The snapshot to store. Null removes the stored one; null members are stripped.
    pub fn storing(mut self, snapshot: Value) -> Self {
        self.snapshot = Some(snapshot);
        self
    }

    /// The one text to tell. It may share a message with its neighbours.
    pub fn telling<F: ContextualUserFragment + ?Sized>(mut self, fragment: &F) -> Self {
        self.fragment = Some(fragment.render_fragment());
        self
    }
}

/// A section made of closures.
///
/// Its render closure is asked at every telling and decides itself whether there is something to
/// tell; a section that implements [`WorldStateSection`](crate::WorldStateSection) is asked only
/// when its snapshot differs.
///
/// # Example
/// ```
/// use annals_context_fragments::{Body, Cap, ContentKind, ContextualUserFragment, Markers, Role};
/// use annals_world_state::{
///     ExtensionSection, ExtensionTransition, HistoryView, PreviousSectionState, WorldState,
/// };
/// use serde_json::json;
///
/// struct Weather(&'static str);
/// impl ContextualUserFragment for Weather {
///     fn role(&self) -> Role { Role::Developer }
///     fn content_kind(&self) -> ContentKind { ContentKind::from_static("weather.instructions") }
///     fn markers(&self) -> Markers { Self::type_markers() }
///     fn type_markers() -> Markers { Markers::new("<weather>", "</weather>") }
///     fn body(&self) -> Body { Body::new(self.0) }
///     fn cap(&self) -> Cap { Cap::cutting_at::<100>() }
/// }
///
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let mut world = WorldState::new();
/// world.insert_extension(ExtensionSection::new("weather", |previous| {
///     match previous {
///         PreviousSectionState::Known(stored) if *stored == json!("rain") => {
///             ExtensionTransition::nothing()
///         }
///         _ => ExtensionTransition::nothing().storing(json!("rain")).telling(&Weather("It rains.")),
///     }
/// })?)?;
/// let told = world.render_full();
/// assert_eq!(told.n_updates(), 1);
/// assert_eq!(world.render_diff(Some(told.snapshot()), HistoryView::Intact).n_updates(), 0);
/// # Ok(())
/// # }
/// ```
pub struct ExtensionSection {
    id: Box<str>,
    render: Box<RenderFn>,
    legacy: Option<Box<MatchFn>>,
    retained: Option<Box<MatchFn>>,
}

impl ExtensionSection {
    /// A section with this id, told by this closure.
    ///
    /// # Errors
    /// When the id is not one word of ASCII letters, digits, `_` and `-`.
    pub fn new<F>(id: &str, render: F) -> Result<Self, StateError>
    where
        F: Fn(PreviousSectionState<'_, Value>) -> ExtensionTransition + Send + Sync + 'static,
    {
        if !ContentKind::is_well_formed(&format!("{id}.instructions")) || id.contains('.') {
            return Err(StateError::BadSectionId {
                id: id.chars().take(80).collect(),
            });
        }
        Ok(Self {
            id: id.into(),
            render: Box::new(render),
            legacy: None,
            retained: None,
        })
    }

    /// Recognizes texts of this section that were told before its state was stored.
    #[must_use]
    pub fn with_legacy_matcher<F>(mut self, matches: F) -> Self
    where
        F: Fn(TextPart<'_>) -> bool + Send + Sync + 'static,
    {
        self.legacy = Some(Box::new(matches));
        self
    }

    /// Declares that a stored snapshot holds only while a matching text is in the history.
    #[must_use]
    pub fn with_retained_matcher<F>(mut self, matches: F) -> Self
    where
        F: Fn(TextPart<'_>) -> bool + Send + Sync + 'static,
    {
        self.retained = Some(Box::new(matches));
        self
    }
}

impl std::fmt::Debug for ExtensionSection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExtensionSection")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl ErasedSection for ExtensionSection {
    fn id(&self) -> &str {
        &self.id
    }

    fn current(&self) -> Option<&SectionSnapshot> {
        None
    }

    fn needs_text(&self) -> bool {
        self.retained.is_some()
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        self.legacy.as_ref().is_some_and(|matches| matches(part))
    }

    fn matches_retained(&self, part: TextPart<'_>) -> bool {
        self.retained.as_ref().is_some_and(|matches| matches(part))
    }

    fn is_told_by(&self, _: &str) -> bool {
        false
    }

    fn render(&self, previous: PreviousSectionState<'_, SectionSnapshot>) -> ErasedTransition {
        let previous = match previous {
            PreviousSectionState::Absent => PreviousSectionState::Absent,
            PreviousSectionState::Unknown => PreviousSectionState::Unknown,
            PreviousSectionState::Known(stored) => PreviousSectionState::Known(stored.value()),
        };
        let transition = (self.render)(previous);
        let (stored, fault) = match transition.snapshot.map(SectionSnapshot::from_value) {
            None => (ErasedStored::Kept, None),
            Some(Ok(snapshot)) => (ErasedStored::Set(snapshot), None),
            Some(Err(SnapshotFault::Null)) => (ErasedStored::Removed, None),
            // What cannot be stored must not be taken as known by the next step.
            Some(Err(fault)) => (ErasedStored::Removed, Some(fault)),
        };
        ErasedTransition {
            stored,
            updates: transition
                .fragment
                .map(SectionUpdate::from)
                .into_iter()
                .collect(),
            undecodable: fault,
        }
    }
}
