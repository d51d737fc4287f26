//! New base instructions for a thread whose model changed within one family.

use super::text;
use crate::{
    Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role, neutralize, restore,
};

const MODEL_LEAD: &str = "\nThe current model is ";
const TEXT_LEAD: &str = ".\nThe following instructions replace the previous base instructions:\n\n";

/// Tells a model which one it is, and gives it the base instructions that are its own.
///
/// **Seen by**: the model, when a thread goes on with another model that keeps the context as it is.
///
/// **Shape**: `<model_instructions>`, a line with the model's name, a line that says that earlier base instructions are
/// replaced, a blank line, the text, `</model_instructions>`.
///
/// **Bounds**: cap 10,000 tokens; a larger text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInstructions {
    model: String,
    text: String,
}

impl ModelInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, once per change of model; may grow: with the instructions that a
    // model's vendor ships (18 to 26 KB today). Worth it: a model without its own instructions works by another's.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ModelInstructions",
        Role::Developer,
        "model.instructions",
        ("<model_instructions>", "</model_instructions>"),
        Self::CAP,
    );

    /// The instructions of the model with this name.
    ///
    /// # Errors
    ///
    /// [`FragmentError::TooLarge`] when the rendering is over the cap; [`FragmentError::BadName`] when the name is empty,
    /// longer than 128 bytes, or holds a control character.
    pub fn new<M, T>(model: M, text: T) -> Result<Self, FragmentError>
    where
        M: Into<String>,
        T: Into<String>,
    {
        let (model, text) = (model.into(), text.into());
        if model.is_empty() || model.len() > 128 || model.chars().any(char::is_control) {
            return Err(FragmentError::BadName {
                what: "model name",
                value: FragmentError::excerpt(&model),
                allowed: "printable characters",
                max_bytes: 128,
            });
        }
        let fragment = Self { model, text };
        fragment.check()?;
        Ok(fragment)
    }

    /// The model's name.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The instructions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let inner = text::inner(&Self::SPEC, rendered)?.strip_prefix(MODEL_LEAD)?;
        let (model, text) = inner.split_once(TEXT_LEAD)?;
        let given = |text: &str| restore(text, Self::SPEC.end()).into_owned();
        Some(Self {
            model: given(model),
            text: given(text.strip_suffix('\n')?),
        })
    }
}

impl ContextualUserFragment for ModelInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        let model = neutralize(&self.model, Self::SPEC.end());
        let text = neutralize(&self.text, Self::SPEC.end());
        Body::framed([MODEL_LEAD, &model, TEXT_LEAD].concat(), text, "\n")
    }
}
