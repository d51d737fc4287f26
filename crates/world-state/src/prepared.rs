//! A section with its snapshot made, to be kept from step to step.

use crate::{
    erased::{ErasedSection, TypedSection},
    error::StateError,
    extension::ExtensionSection,
    section::WorldStateSection,
};
use std::sync::Arc;

/// A section that is ready to be put into any number of world states.
///
/// Making a section's snapshot costs a pass over its texts. A host that builds a
/// [`WorldState`](crate::WorldState) for each step keeps those sections prepared that did not change.
///
/// # Bounds and cost
/// Cheap to clone: a pointer.
///
/// # Example
/// ```
/// use annals_world_state::{PreparedSection, WorldState, sections::AgentsMdSection};
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let rules = PreparedSection::new(AgentsMdSection::new(None, "Use tabs."))?;
/// for _step in 0..3 {
///     let mut world = WorldState::new();
///     world.insert_prepared(&rules)?;
///     assert_eq!(world.render_full().n_updates(), 1);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PreparedSection {
    pub(crate) section: Arc<dyn ErasedSection>,
}

impl PreparedSection {
    /// Prepares a section.
    ///
    /// # Errors
    /// When its snapshot cannot be stored.
    pub fn new<S: WorldStateSection>(section: S) -> Result<Self, StateError> {
        let section = TypedSection::new(section).map_err(|fault| StateError::Snapshot {
            id: S::ID.to_owned(),
            fault,
        })?;
        Ok(Self {
            section: Arc::new(section),
        })
    }

    /// The id of the section.
    pub fn id(&self) -> &str {
        self.section.id()
    }
}

impl From<ExtensionSection> for PreparedSection {
    fn from(section: ExtensionSection) -> Self {
        Self {
            section: Arc::new(section),
        }
    }
}

impl std::fmt::Debug for PreparedSection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PreparedSection").field(&self.id()).finish()
    }
}
