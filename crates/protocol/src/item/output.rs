//! What tools answered.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{MessageMetadata, OutputPart};

/// What a function tool or the local shell answered.
///
/// # Shape
///
/// `{"type":"function_call_output","call_id":"call_1","output":"text"}`. Without a `call_id` it is
/// a *named external output*: it has a name and a namespace, stands alone and answers no call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionCallOutput {
    /// `fco_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The call that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The name of an external output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The namespace of an external output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The answer.
    pub output: OutputPayload,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// What a custom tool answered.
///
/// # Shape
///
/// `{"type":"custom_tool_call_output","call_id":"call_1","output":[{"type":"input_text",…}]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CustomToolCallOutput {
    /// `ctco_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The call that it answers.
    pub call_id: String,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The answer.
    pub output: OutputPayload,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// An answer: one text, or a list of parts.
///
/// # Shape
///
/// A JSON string or an array. Files from before 0.77 may hold an object `{"content":"…",…}`,
/// which reads as its text.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputPayload {
    /// A text; may be empty.
    Text(String),
    /// Parts, in order.
    Parts(Vec<OutputPart>),
}

impl OutputPayload {
    /// The texts of the answer, in order; media are passed over.
    pub fn texts(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Self::Text(text) => Box::new(std::iter::once(text.as_str())),
            Self::Parts(parts) => Box::new(parts.iter().filter_map(|part| match part {
                OutputPart::InputText(part) => Some(part.text.as_str()),
                _ => None,
            })),
        }
    }
}

impl Serialize for OutputPayload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => parts.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for OutputPayload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PayloadVisitor)
    }
}

struct PayloadVisitor;

impl<'de> Visitor<'de> for PayloadVisitor {
    type Value = OutputPayload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of parts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<OutputPayload, E> {
        Ok(OutputPayload::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<OutputPayload, E> {
        Ok(OutputPayload::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<OutputPayload, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(OutputPayload::Parts)
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<OutputPayload, A::Error> {
        #[derive(Deserialize)]
        struct Legacy {
            content: String,
        }
        let legacy = Legacy::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(OutputPayload::Text(legacy.content))
    }
}
