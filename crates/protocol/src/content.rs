//! The parts that messages and outputs are made of.

use serde::{Deserialize, Serialize};

use crate::RawJson;
use crate::tagged::{open_enum, tagged_enum};

tagged_enum! {
    /// One part of a message.
    ContentPart, "a content part" {
        /// Text for the model.
        InputText(TextPart) = "input_text",
        /// An image for the model.
        InputImage(ImagePart) = "input_image",
        /// Sound for the model.
        InputAudio(AudioPart) = "input_audio",
        /// Text from the model.
        OutputText(OutputTextPart) = "output_text",
    }
}

impl ContentPart {
    /// A part of text for the model.
    pub fn input_text<T: Into<String>>(text: T) -> Self {
        Self::InputText(TextPart { text: text.into() })
    }

    /// The text of the part, if it is one of text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::InputText(part) => Some(&part.text),
            Self::OutputText(part) => Some(&part.text),
            Self::InputImage(_) | Self::InputAudio(_) | Self::Other(_) => None,
        }
    }
}

tagged_enum! {
    /// One part of a message between agents.
    AgentContentPart, "a part of an agent message" {
        /// Text.
        InputText(TextPart) = "input_text",
        /// Text that only the provider can read.
        EncryptedContent(EncryptedPart) = "encrypted_content",
    }
}

tagged_enum! {
    /// One part of a tool's output.
    OutputPart, "a part of an output" {
        /// Text.
        InputText(TextPart) = "input_text",
        /// An image.
        InputImage(ImagePart) = "input_image",
        /// Sound.
        InputAudio(AudioPart) = "input_audio",
        /// Content that only the provider can read.
        EncryptedContent(EncryptedPart) = "encrypted_content",
    }
}

/// `{"type":"input_text","text":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextPart {
    /// The text; may be empty.
    pub text: String,
}

/// `{"type":"input_image","image_url":"data:image/png;base64,…","detail":"high"}`, or with a
/// `file_id` in place of the `image_url`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImagePart {
    /// An address or the image itself as a data URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// The id of an uploaded image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_id: Option<String>,
    /// How closely the model looks at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<ImageDetail>,
}

open_enum! {
    /// How closely the model looks at an image.
    ImageDetail {
        /// As the provider thinks best.
        Auto = "auto",
        /// Coarsely.
        Low = "low",
        /// Closely; what holds where nothing is said.
        High = "high",
        /// At its own resolution.
        Original = "original",
    }
}

/// `{"type":"input_audio","audio_url":"data:audio/wav;base64,…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AudioPart {
    /// An address or the sound itself as a data URL.
    pub audio_url: String,
}

/// `{"type":"output_text","text":"…"}`; the provider's lists are kept, empty ones too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputTextPart {
    /// The text; may be empty.
    pub text: String,
    /// The provider's annotations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Vec<RawJson>>,
    /// The provider's log probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<RawJson>>,
}

/// `{"type":"encrypted_content","encrypted_content":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EncryptedPart {
    /// What only the provider can read.
    pub encrypted_content: String,
}
