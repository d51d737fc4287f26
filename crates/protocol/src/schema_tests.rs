//! The schema names every kind that the types know, and every reference in it leads somewhere.

use super::*;
use crate::RecordKind;

/// Calls `each` with every object in a value.
fn walk(value: &Value, each: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            each(members);
            members.values().for_each(|member| walk(member, each));
        }
        Value::Array(elements) => elements.iter().for_each(|element| walk(element, each)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_to_a_definition() {
    let schema = rollout_line_schema();
    let mut n_references = 0;
    walk(&schema, &mut |object| {
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            n_references += 1;
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(schema.pointer(pointer).is_some(), "{reference}");
        }
    });
    assert!(n_references > 50, "{n_references}");
}

#[test]
fn every_kind_with_a_type_of_its_own_has_a_rule() {
    let schema = rollout_line_schema();
    let rules = schema["allOf"].as_array().unwrap();
    for rule in rules {
        let tag = rule["if"]["properties"]["type"]["const"].as_str().unwrap();
        assert_ne!(RecordKind::from_tag(tag), RecordKind::Other, "{tag}");
    }
    assert_eq!(rules.len(), 9);
}

#[test]
fn items_are_told_apart_by_the_tags_that_are_read() {
    let schema = rollout_line_schema();
    let items = &schema["$defs"]["ResponseItem"]["anyOf"];
    let mut tags = Vec::new();
    walk(items, &mut |object| {
        if let Some(list) = object.get("enum").and_then(Value::as_array) {
            tags.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        }
    });
    for tag in ["message", "function_call_output", "compaction_summary"] {
        assert!(tags.iter().any(|known| known == tag), "{tag}");
    }
}
