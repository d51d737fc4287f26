//! The line format as a JSON Schema, for readers that are not written in Rust.
//! Made of the types themselves; what a version does not know is allowed everywhere.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::{
    Compacted, EventMsg, InterAgentCommunication, InterAgentCommunicationMetadata, ItemMetadata,
    Lossless, OutputPart, OutputPayload, RawJson, ResponseItem, SessionMeta, TokenUsageRecord,
    TurnContext, WorldStateRecord,
};

/// The JSON Schema (draft 2020-12) of one line of a rollout.
///
/// It describes what is known and refuses nothing else: unknown members, kinds and values are part
/// of the format.
///
/// # Example
///
/// ```
/// let schema = annals_protocol::rollout_line_schema();
/// assert_eq!(schema["required"], serde_json::json!(["timestamp", "type", "payload"]));
/// ```
pub fn rollout_line_schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let kinds: Vec<(&str, Schema)> = vec![
        ("session_meta", generator.subschema_for::<SessionMeta>()),
        ("response_item", generator.subschema_for::<ResponseItem>()),
        (
            "inter_agent_communication",
            generator.subschema_for::<InterAgentCommunication>(),
        ),
        (
            "inter_agent_communication_metadata",
            generator.subschema_for::<InterAgentCommunicationMetadata>(),
        ),
        ("compacted", generator.subschema_for::<Compacted>()),
        ("turn_context", generator.subschema_for::<TurnContext>()),
        (
            "token_usage_record",
            generator.subschema_for::<TokenUsageRecord>(),
        ),
        ("world_state", generator.subschema_for::<WorldStateRecord>()),
        ("event_msg", generator.subschema_for::<EventMsg>()),
    ];
    let rules: Vec<Value> = kinds
        .into_iter()
        .map(|(tag, payload)| {
            json!({
                "if": {"properties": {"type": {"const": tag}}, "required": ["type"]},
                "then": {"properties": {"payload": payload}},
            })
        })
        .collect();
    let metadata = generator.subschema_for::<ItemMetadata>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a rollout",
        "type": "object",
        "required": ["timestamp", "type", "payload"],
        "properties": {
            "timestamp": {"type": "string", "examples": ["2026-01-03T12:00:00.000Z"]},
            "ordinal": {"type": ["integer", "null"], "minimum": 0},
            "type": {"type": "string"},
            "payload": true,
            "metadata": {"anyOf": [metadata, {"type": "null"}]},
        },
        "allOf": rules,
        "$defs": generator.take_definitions(true),
    })
}

/// The schema of an enum that is told apart by `type`.
pub(crate) fn tagged(expected: &str, variants: &[(&[&str], Schema)]) -> Schema {
    let tags: Vec<&str> = variants
        .iter()
        .flat_map(|(tags, _)| *tags)
        .copied()
        .collect();
    let unknown = json!({"properties": {"type": {"not": {"enum": tags}}}});
    let known = variants.iter().map(
        |(tags, payload)| json!({"allOf": [{"properties": {"type": {"enum": tags}}}, payload]}),
    );
    let all: Vec<Value> = known.chain(std::iter::once(unknown)).collect();
    json_schema!({
        "description": expected,
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "anyOf": all,
    })
}

impl JsonSchema for RawJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RawJson".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

impl<T: JsonSchema> JsonSchema for Lossless<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl JsonSchema for OutputPayload {
    fn schema_name() -> Cow<'static, str> {
        "OutputPayload".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let part = generator.subschema_for::<OutputPart>();
        json_schema!({"anyOf": [
            {"type": "string"},
            {"type": "array", "items": part},
            {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
        ]})
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
