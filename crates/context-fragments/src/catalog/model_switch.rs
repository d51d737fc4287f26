//! The instructions of a model that takes over from another.

use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role, notices};

/// Tells a model that the conversation so far was another model's, and how this one is to work.
///
/// **Seen by**: the model, when the model of a turn differs from that of the turn before.
///
/// **Shape**: `<model_switch>`, a line break, the fixed lead-in, a blank line, the new model's instructions, a line
/// break, `</model_switch>`.
///
/// **Bounds**: cap 10,000 tokens; instructions that are larger are refused, as half a rule may mean something else.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::ModelSwitchInstructions};
///
/// let switch = ModelSwitchInstructions::new("Answer briefly.")?;
/// let text = switch.render();
/// assert!(text.starts_with("<model_switch>\nThe user was previously using a different model."));
/// assert!(text.ends_with("Answer briefly.\n</model_switch>"));
/// assert!(ModelSwitchInstructions::new("x".repeat(40_000)).is_err());
/// # Ok::<(), annals_context_fragments::FragmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSwitchInstructions {
    instructions: String,
}

impl ModelSwitchInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, at most once a turn; may grow: with the instructions that a
    // model's vendor ships (17 to 26 KB today). Worth it: a model without its own instructions works by another's.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ModelSwitchInstructions",
        Role::Developer,
        "model_switch.instructions",
        ("<model_switch>", "</model_switch>"),
        Self::CAP,
    );

    /// The switch to a model with these instructions.
    ///
    /// # Errors
    ///
    /// [`FragmentError::TooLarge`] when they are over the cap.
    pub fn new<T: Into<String>>(instructions: T) -> Result<Self, FragmentError> {
        let fragment = Self {
            instructions: instructions.into(),
        };
        fragment.check()?;
        Ok(fragment)
    }

    /// The new model's instructions.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }
}

impl ContextualUserFragment for ModelSwitchInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        let text = crate::neutralize(&self.instructions, Self::SPEC.end());
        Body::framed(
            format!("\n{}\n\n", notices::MODEL_SWITCH_LEAD_IN),
            text,
            "\n",
        )
    }
}
