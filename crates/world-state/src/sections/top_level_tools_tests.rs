//! What is told of declared tools.

use super::{ToolError, TopLevelToolsSection};
use crate::testing::{change, first, removal, stored};
use serde_json::{Value, json};

fn tool(name: &str, version: u8) -> Value {
    json!({"type": "function", "name": name, "version": version})
}

fn namespace(name: &str, about: &str, members: &[Value]) -> Value {
    json!({"type": "namespace", "name": name, "about": about, "tools": members})
}

fn functions() -> Value {
    let members = [tool("changed", 1), tool("kept", 1), tool("removed", 1)];
    namespace("functions", "Functions.", &members)
}

fn other() -> Value {
    namespace("other", "Other.", &[tool("only", 1)])
}

fn tools(list: &[Value]) -> TopLevelToolsSection {
    TopLevelToolsSection::new(list.to_vec()).unwrap()
}

#[test]
fn all_tools_are_declared_in_front_without_a_hint() {
    insta::assert_snapshot!(
        "first",
        first(tools(&[functions(), other(), tool("plain", 1)]))
    );
}

#[test]
fn members_that_are_new_or_differ_are_declared_and_the_others_are_not() {
    let members = [tool("added", 1), tool("changed", 2), tool("kept", 1)];
    let after = namespace("functions", "Functions.", &members);
    insta::assert_snapshot!(
        "members",
        change(tools(&[functions(), other()]), tools(&[after, other()]))
    );
}

#[test]
fn a_namespace_that_is_gone_takes_its_members_with_it() {
    insta::assert_snapshot!(
        "namespace_gone",
        change(tools(&[functions(), other()]), tools(&[other()]))
    );
}

#[test]
fn a_namespace_that_comes_back_is_declared_whole_behind_a_hint() {
    insta::assert_snapshot!(
        "namespace_back",
        change(tools(&[other()]), tools(&[functions(), other()]))
    );
}

#[test]
fn namespaces_and_tools_that_are_gone_are_told_in_one_message() {
    let fewer = namespace("functions", "Functions.", &[tool("kept", 1)]);
    insta::assert_snapshot!(
        "both_gone",
        change(
            tools(&[functions(), other(), tool("plain", 1)]),
            tools(&[fewer])
        )
    );
}

#[test]
fn no_tools_at_all_are_known_to_be_none() {
    insta::assert_snapshot!("all_gone", change(tools(&[functions()]), tools(&[])));
    assert_eq!(
        first(tools(&[])),
        "nothing told\nfull {\"top_level_tools\":{}}"
    );
}

#[test]
fn tools_after_none_come_behind_a_hint() {
    insta::assert_snapshot!("after_none", change(tools(&[]), tools(&[other()])));
}

#[test]
fn another_plain_tool_is_declared_without_a_hint() {
    insta::assert_snapshot!(
        "plain",
        change(
            tools(&[tool("a", 1), tool("b", 1)]),
            tools(&[tool("a", 2), tool("b", 1)])
        )
    );
}

// The reference tells another head in words and declares no member again.
#[test]
fn another_head_declares_the_namespace_whole() {
    let renamed = namespace("other", "Something else.", &[tool("only", 1)]);
    insta::assert_snapshot!("head", change(tools(&[other()]), tools(&[renamed])));
}

#[test]
fn a_namespace_that_becomes_a_tool_loses_its_members() {
    insta::assert_snapshot!(
        "kind",
        change(tools(&[other()]), tools(&[tool("other", 1)]))
    );
}

#[test]
fn the_order_of_keys_and_of_tools_is_no_change() {
    let a: Value = serde_json::from_str(r#"{"name":"a","type":"function"}"#).unwrap();
    let b: Value = serde_json::from_str(r#"{"type":"function","name":"a"}"#).unwrap();
    assert_eq!(
        change(tools(&[a, tool("z", 1)]), tools(&[tool("z", 1), b])),
        "nothing told\nnothing stored"
    );
}

#[test]
fn a_state_that_does_not_decode_is_told_whole() {
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"top_level_tools":1}"#, tools(&[other()]))
    );
}

#[test]
fn a_section_that_is_gone_lists_its_tools() {
    insta::assert_snapshot!("removed", removal(tools(&[other(), tool("plain", 1)])));
}

#[test]
fn lists_that_are_not_usable_are_refused() {
    let error = |list: Vec<Value>| TopLevelToolsSection::new(list).unwrap_err();
    let named = |name: &str| name.to_owned();
    assert_eq!(
        error(vec![tool("a", 1), tool("a", 2)]),
        ToolError::Duplicate { name: named("a") }
    );
    assert_eq!(
        error(vec![namespace("n", "", &[tool("a", 1), tool("a", 1)])]),
        ToolError::Duplicate { name: named("n.a") }
    );
    assert_eq!(
        error(vec![json!({"tools": []})]),
        ToolError::NoName { position: 0 }
    );
    assert_eq!(error(vec![json!(7)]), ToolError::NoName { position: 0 });
    assert_eq!(
        error(vec![tool("a.b", 1)]),
        ToolError::DottedName { name: named("a.b") }
    );
    let deep = (0..120).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(
        error(vec![json!({"name": "deep", "schema": deep})]),
        ToolError::TooDeep {
            name: named("deep")
        }
    );
    assert!(TopLevelToolsSection::new(vec![json!({"type": "web_search"})]).is_ok());
}
