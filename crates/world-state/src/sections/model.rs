//! Which model answers: a switch is told with the new model's instructions.
//!
//! What the instructions say, and which model answered before, is left to the caller.

use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{FragmentError, catalog::ModelSwitchInstructions};
use serde::{Deserialize, Serialize};

/// The model of this turn.
///
/// Tells nothing on a thread's first turn. Afterwards, whenever the model differs from that of the
/// turn before, it tells the new model's instructions: as a message of its own, or, in a full
/// telling such as that after a compaction, as the first part of the developer bundle.
///
/// # Shape
/// Stored as `"model-b"`. Also read: `{"model":"model-b","instructions":"…"}`.
///
/// # Example
/// ```
/// use annals_world_state::{HistoryView, WorldState, sections::ModelSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut first = WorldState::new();
/// first.insert(ModelSection::new("model-a").with_instructions("Be brief.")?)?;
/// let told = first.render_full();
/// assert!(told.is_silent());
///
/// let mut second = WorldState::new();
/// second.insert(ModelSection::new("model-b").with_instructions("Be kind.")?.after("model-a"))?;
/// let told = second.render_diff(Some(told.snapshot()), HistoryView::Intact);
/// assert!(told.updates()[0].fragment().is_some_and(|f| f.text().contains("Be kind.")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ModelSection {
    model: String,
    switch: Option<ModelSwitchInstructions>,
    previous_turn: Option<String>,
}

/// The stored form of a [`ModelSection`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredModel", into = "String")]
pub struct ModelSnapshot {
    model: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StoredModel {
    Name(String),
    Detailed { model: String },
}

impl From<StoredModel> for ModelSnapshot {
    fn from(stored: StoredModel) -> Self {
        match stored {
            StoredModel::Name(model) | StoredModel::Detailed { model } => Self { model },
        }
    }
}

impl From<ModelSnapshot> for String {
    fn from(snapshot: ModelSnapshot) -> Self {
        snapshot.model
    }
}

impl ModelSection {
    /// The model with this name, about whose way of working there is nothing to tell.
    pub fn new<T: Into<String>>(model: T) -> Self {
        Self {
            model: model.into(),
            switch: None,
            previous_turn: None,
        }
    }

    /// Adds what to tell when the conversation goes over to this model; blank text is none.
    ///
    /// # Errors
    /// When the text is over the cap of the fragment: instructions are never cut.
    pub fn with_instructions<T: Into<String>>(mut self, text: T) -> Result<Self, FragmentError> {
        let text = text.into();
        self.switch = if text.trim().is_empty() {
            None
        } else {
            Some(ModelSwitchInstructions::new(text)?)
        };
        Ok(self)
    }

    /// Names the model of the turn before; without it this is a thread's first turn.
    #[must_use]
    pub fn after<T: Into<String>>(mut self, model: T) -> Self {
        self.previous_turn = Some(model.into());
        self
    }
}

impl WorldStateSection for ModelSection {
    const ID: &'static str = "model";
    type Snapshot = ModelSnapshot;

    fn snapshot(&self) -> ModelSnapshot {
        ModelSnapshot {
            model: self.model.clone(),
        }
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, ModelSnapshot>) -> SectionTransition {
        let before = match previous {
            PreviousSectionState::Known(known) => Some(&known.model),
            PreviousSectionState::Absent | PreviousSectionState::Unknown => {
                self.previous_turn.as_ref()
            }
        };
        let switch = self
            .switch
            .as_ref()
            .filter(|_| before.is_some_and(|b| *b != self.model));
        switch
            .map(|switch| SectionUpdate::placed(Placement::Lead, switch))
            .into()
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<ModelSwitchInstructions>("developer")
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
