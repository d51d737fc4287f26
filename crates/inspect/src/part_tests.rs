//! Tests of where parts come from.

use super::*;

fn origins(item: &str) -> Vec<(Origin, u64)> {
    shares_of(item).iter().collect()
}

fn message(role: &str, parts: &[&str], kinds: &[&str]) -> String {
    let parts: Vec<_> = parts
        .iter()
        .map(|text| serde_json::json!({"type": "input_text", "text": text}))
        .collect();
    let mut item = serde_json::json!({"type": "message", "role": role, "content": parts});
    if !kinds.is_empty() {
        item["internal_chat_message_metadata_passthrough"] =
            serde_json::json!({ "content_item_kinds": kinds });
    }
    item.to_string()
}

#[test]
fn a_message_comes_from_whoever_said_it() {
    assert_eq!(
        origins(&message("user", &["hello"], &[])),
        [(Origin::User, 2)]
    );
    assert_eq!(
        origins(&message("assistant", &["hi"], &[])),
        [(Origin::Assistant, 1)]
    );
    assert_eq!(
        origins(&message("developer", &["Be kind."], &[])),
        [(Origin::Base, 2)]
    );
}

#[test]
fn parts_of_one_message_come_from_different_places() {
    let rules = "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>";
    let place = "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>";
    let shares = origins(&message("user", &[rules, place, "do it"], &[]));
    let places: Vec<Origin> = shares.iter().map(|(origin, _)| *origin).collect();
    assert_eq!(places, [Origin::Rules, Origin::Environment, Origin::User]);
}

#[test]
fn a_recorded_kind_decides_over_markers() {
    let spoof = "<environment_context>\n</environment_context>";
    assert_eq!(
        origins(&message("user", &[spoof], &["user.text"]))[0].0,
        Origin::User
    );
    assert_eq!(
        origins(&message("user", &["plain"], &["skills.instructions"]))[0].0,
        Origin::OtherContext
    );
}

#[test]
fn an_output_without_a_call_is_told_by_the_host() {
    let told = r#"{"type":"function_call_output","name":"n","output":"x"}"#;
    let answer = r#"{"type":"function_call_output","call_id":"c","output":"x"}"#;
    assert_eq!(origins(told)[0].0, Origin::OtherContext);
    assert_eq!(origins(answer)[0].0, Origin::Outputs);
}

#[test]
fn what_is_no_item_costs_nothing() {
    assert_eq!(origins("null"), [(Origin::Other, 0)]);
}
