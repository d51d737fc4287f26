//! The record of a compaction.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::walk::elements;
use crate::{DecodeError, ItemMetadata, Lossless, RawJson, ResponseItem, TokenUsageRecord};

/// The history was replaced by a summary.
///
/// # Shape
///
/// `{"message":"…","replacement_history":[…],"window_number":1,…,"compaction_response_id":null,
/// "latest_token_usage_record":null}`. Files up to 0.100 have the `message` alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compacted {
    /// The summary; empty where only the provider can read it.
    pub message: String,
    /// The whole history from here on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement_history: Option<Vec<Lossless<ResponseItem>>>,
    /// The metadata of each item of the replacement history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement_history_metadata: Option<Vec<ItemMetadata>>,
    /// What a guardian saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guardian_history: Option<RawJson>,
    /// Facts that outlive the compaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retained_context: Option<RawJson>,
    /// Where tools came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_resource_origins: Option<RawJson>,
    /// The number of the context window that starts here, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_number: Option<u64>,
    /// The id of the thread's first window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_window_id: Option<String>,
    /// The id of the window that ends here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_window_id: Option<String>,
    /// The id of the window that starts here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_id: Option<String>,
    /// The response that made the summary; written as null when there is none.
    pub compaction_response_id: Option<String>,
    /// The last measured usage; written as null when there is none.
    pub latest_token_usage_record: Option<TokenUsageRecord>,
    /// What a resume from here needs to know. That it is there means something by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume_metadata: Option<ResumeMetadata>,
}

/// What a resume from a compaction needs to know; each member speaks even by being null.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResumeMetadata {
    /// Tools that a client declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamic_tools: Option<RawJson>,
    /// `disabled`, `v1` or `v2`.
    pub multi_agent_version: Option<String>,
    /// The turn that was running.
    pub last_started_turn_id: Option<String>,
    /// Where that turn came from.
    pub turn_attribution: Option<TurnAttribution>,
    /// The settings of the last turn that counted.
    pub previous_turn_settings: Option<PreviousTurnSettings>,
}

/// The settings of a turn that the next one is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PreviousTurnSettings {
    /// The model.
    pub model: String,
    /// What makes two models compatible without a compaction.
    pub comp_hash: Option<String>,
    /// Whether a realtime conversation was on.
    pub realtime_active: Option<bool>,
    /// The access program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cyber_access_program: Option<RawJson>,
}

/// Where a turn came from. Members that are `None` are written as null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnAttribution {
    /// The turn.
    pub turn_id: Option<String>,
    /// What started it.
    pub turn_trigger: Option<String>,
    /// The turn that started it.
    pub parent_turn_id: Option<String>,
    /// The agent that started it.
    pub initiating_agent_path: Option<String>,
    /// The turn at the root of it all.
    pub root_turn_id: Option<String>,
}

#[derive(Deserialize)]
struct Members<'a> {
    message: String,
    #[serde(borrow, default)]
    replacement_history: Option<&'a RawValue>,
    #[serde(default)]
    replacement_history_metadata: Option<Vec<ItemMetadata>>,
    #[serde(default)]
    guardian_history: Option<RawJson>,
    #[serde(default)]
    retained_context: Option<RawJson>,
    #[serde(default)]
    mcp_resource_origins: Option<RawJson>,
    #[serde(default)]
    window_number: Option<u64>,
    #[serde(default)]
    first_window_id: Option<String>,
    #[serde(default)]
    previous_window_id: Option<String>,
    #[serde(default)]
    window_id: Option<WindowId>,
    #[serde(default)]
    compaction_response_id: Option<String>,
    #[serde(default)]
    latest_token_usage_record: Option<TokenUsageRecord>,
    #[serde(default)]
    resume_metadata: Option<ResumeMetadata>,
}

/// An id, or the number that stood in its place before there were ids.
enum WindowId {
    Id(String),
    Number(u64),
}

impl<'de> Deserialize<'de> for WindowId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = WindowId;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a window id or a window number")
            }

            fn visit_str<E: serde::de::Error>(self, id: &str) -> Result<WindowId, E> {
                Ok(WindowId::Id(id.to_owned()))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<WindowId, E> {
                Ok(WindowId::Number(number))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Compacted {
    /// Reads a payload; the items of the replacement history share its text.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Malformed`] if a member does not have its shape, if the metadata is not as
    /// long as the history, or if there is metadata without a history.
    pub fn parse(raw: RawJson) -> Result<Lossless<Self>, DecodeError> {
        let members: Members<'_> = raw.decode()?;
        let replacement_history = match members.replacement_history.map(RawValue::get) {
            None | Some("null") => None,
            Some(list) if list.starts_with('[') => Some(
                elements(list)
                    .map(|item| {
                        raw.slice_ref(item)
                            .ok_or(DecodeError::NotObject)
                            .and_then(Lossless::parse)
                    })
                    .collect::<Result<Vec<Lossless<ResponseItem>>, _>>()?,
            ),
            Some(_) => {
                return Err(DecodeError::malformed(
                    "replacement_history",
                    "not an array",
                ));
            }
        };
        let (mut window_number, mut window_id) = (members.window_number, None);
        match members.window_id {
            Some(WindowId::Id(id)) => window_id = Some(id),
            Some(WindowId::Number(number)) => window_number = window_number.or(Some(number)),
            None => {}
        }
        let typed = Self {
            message: members.message,
            replacement_history,
            replacement_history_metadata: members.replacement_history_metadata,
            guardian_history: members.guardian_history,
            retained_context: members.retained_context,
            mcp_resource_origins: members.mcp_resource_origins,
            window_number,
            first_window_id: members.first_window_id,
            previous_window_id: members.previous_window_id,
            window_id,
            compaction_response_id: members.compaction_response_id,
            latest_token_usage_record: members.latest_token_usage_record,
            resume_metadata: members.resume_metadata,
        };
        typed.check_sidecar()?;
        Ok(Lossless::from_parts(raw, typed))
    }

    fn check_sidecar(&self) -> Result<(), DecodeError> {
        let Some(metadata) = &self.replacement_history_metadata else {
            return Ok(());
        };
        let items = self.replacement_history.as_ref().map(Vec::len);
        if items == Some(metadata.len()) {
            Ok(())
        } else {
            Err(DecodeError::malformed(
                "replacement_history_metadata",
                format!(
                    "{} entries beside {} items",
                    metadata.len(),
                    items.map_or_else(|| "no".to_owned(), |items| items.to_string())
                ),
            ))
        }
    }
}

#[cfg(test)]
#[path = "compacted_tests.rs"]
mod tests;
