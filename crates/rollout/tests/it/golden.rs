//! The exact bytes of files that are written, field for field as a 0.171 writer has them.

use annals_protocol::{RawJson, RecordKind};
use annals_rollout::{
    CutPoint, Durability, Home, Lineage, NewRecord, ParentSearch, RolloutName, RolloutWriter,
    Source, Timestamp, WriterOptions, fork_by_copy, fork_by_reference, revert,
};
use serde_json::json;

use crate::support::rollout_in;

const THREAD: &str = "01a22f4d-919e-7c60-8290-89a0ff8f876a";
const WINDOW: &str = "01a22f4d-e81b-7350-a6c3-6c7d377f64de";
const TURN: &str = "01a22f4d-91c2-7e11-9c4e-5f2a7d1b6e03";

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

/// The records of one short turn in the order in which the reference program writes them.
fn session(mode: &str) -> Vec<NewRecord> {
    let at = |ms: u64| Timestamp::from_unix_ms(1_796_089_966_402 + ms);
    let record = |kind, payload: &str, ms| NewRecord::new(kind, raw(payload)).unwrap().at(at(ms));
    let item = |payload: &str, metadata: &str, ms| {
        record(RecordKind::ResponseItem, payload, ms).with_metadata(raw(metadata))
    };
    let head = format!(
        r#"{{"account_scoped":true,"session_id":"{THREAD}","id":"{THREAD}","timestamp":"2026-12-01T01:52:46.396Z","cwd":"/home/dev/proj","runtime_workspace_roots":["/home/dev/proj"],"originator":"annals","cli_version":"0.171.0","source":"cli","model_provider":"mock","base_instructions":{{"text":"You help.","provenance":{{"type":"model","model":"gpt-5.5"}}}},"history_mode":"{mode}","multi_agent_version":"v1","context_window":{{"window_id":"{WINDOW}"}},"git":{{"commit_hash":"d5e5ee62b6f78b4914585ae3a5ee66db5e3421c5","branch":"main"}}}}"#
    );
    let passthrough = |kind: &str| {
        format!(
            r#""internal_chat_message_metadata_passthrough":{{"turn_id":"{TURN}","create_time":1796089966.482249,"content_item_kinds":["{kind}"]}}"#
        )
    };
    vec![
        record(RecordKind::SessionMeta, &head, 0),
        record(
            RecordKind::EventMsg,
            &format!(
                r#"{{"type":"task_started","turn_id":"{TURN}","root_turn_id":"{TURN}","started_at":1796089966,"model_context_window":258400,"collaboration_mode_kind":"default"}}"#
            ),
            10,
        ),
        item(
            &format!(
                r##"{{"type":"message","id":"msg_01a22f4d-ef92-7c73-9911-f3f770468805","role":"user","content":[{{"type":"input_text","text":"# AGENTS.md instructions for /home/dev/proj\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"}}],{}}}"##,
                passthrough("agents_md.instructions")
            ),
            r#"{"history_sequence":1,"sampled_through_sequence":0,"client_authored":false,"mcp_attribution":{"status":"none"},"model_search_state":"unused"}"#,
            12,
        ),
        record(
            RecordKind::WorldState,
            r#"{"full":true,"state":{"agents_md":{"directory":"/home/dev/proj","text":"Use tabs.\n"},"model":"gpt-5.5"}}"#,
            13,
        ),
        record(
            RecordKind::TurnContext,
            &format!(
                r#"{{"turn_id":"{TURN}","root_turn_id":"{TURN}","disabled_plugin_ids":[],"cwd":"/home/dev/proj","approval_policy":"never","approvals_reviewer":"user","permission_profile":{{"type":"disabled"}},"model":"gpt-5.5","comp_hash":"2911","collaboration_mode":{{"mode":"default","settings":{{"model":"gpt-5.5","reasoning_effort":null,"developer_instructions":null}}}},"multi_agent_version":"v1","realtime_active":false,"summary":"none","sandbox_policy":{{"type":"danger-full-access"}}}}"#
            ),
            14,
        ),
        item(
            &format!(
                r#"{{"type":"message","id":"msg_01a22f4d-ef93-7c73-9911-f3f770468805","role":"user","content":[{{"type":"input_text","text":"h{acute}llo\u0007"}}],{}}}"#,
                passthrough("user.text"),
                acute = '\u{e9}'
            ),
            r#"{"history_sequence":2,"sampled_through_sequence":0,"client_authored":true,"mcp_attribution":{"status":"none"},"model_search_state":"unused"}"#,
            20,
        ),
        record(
            RecordKind::EventMsg,
            &format!(r#"{{"type":"task_complete","turn_id":"{TURN}","last_agent_message":null}}"#),
            99,
        ),
    ]
}

fn write(mode: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let mut records = session(mode);
    let head = records.remove(0);
    let path = rollout_in(dir.path());
    let writer = RolloutWriter::create(&path, head, WriterOptions::default()).unwrap();
    writer.append(&records, Durability::Durable).unwrap();
    std::fs::read_to_string(&path).unwrap()
}

#[test]
fn a_paginated_file_carries_ordinals_from_zero() {
    insta::assert_snapshot!("paginated", write("paginated"));
}

#[test]
fn a_legacy_file_is_the_same_without_ordinals() {
    let legacy = write("legacy");
    insta::assert_snapshot!("legacy", legacy);
    let mut paginated = write("paginated").replace("paginated", "legacy");
    for ordinal in 0..7 {
        paginated = paginated.replace(&format!("\"ordinal\":{ordinal},"), "");
    }
    assert_eq!(legacy, paginated);
}

#[test]
fn a_segment_goes_on_where_its_base_ends() {
    let dir = tempfile::tempdir().unwrap();
    let head = json!({"id": THREAD, "history_mode": "paginated",
        "history_base": {"thread_id": THREAD, "end_ordinal_exclusive": 95, "end_byte_offset": 59454}});
    let head = NewRecord::serialize(RecordKind::SessionMeta, &head).unwrap();
    let path = rollout_in(dir.path());
    let writer = RolloutWriter::create(&path, head, WriterOptions::default()).unwrap();
    writer.persist(Durability::Written).unwrap();
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains(r#""ordinal":95,"type":"session_meta""#)
    );
    assert_eq!(writer.next_ordinal(), Some(96));
}

/// The first line of a file, with ids and times of this run made equal.
fn head_of(path: &std::path::Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let line = text.lines().next().unwrap();
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    let payload = &value["payload"];
    let mut line = line.to_owned();
    if payload["id"] != THREAD {
        line = line.replace(payload["id"].as_str().unwrap(), "<new-id>");
        // A fork is in a window of its own.
        let window = payload["context_window"]["window_id"].as_str().unwrap();
        assert_ne!(window, WINDOW);
        line = line.replace(window, "<new-window>");
    }
    for time in [&value["timestamp"], &payload["timestamp"]] {
        line = line.replace(time.as_str().unwrap(), "<now>");
    }
    line
}

/// A short session of the reference's shape in a home of its own.
fn parent(home: &Home) -> Lineage {
    let mut records = session("paginated");
    let head = records.remove(0);
    let created = Timestamp::from_unix_ms(1_796_089_966_402);
    let path = home.active_path(&RolloutName::new(created, THREAD.parse().unwrap()));
    let writer = RolloutWriter::create(&path, head, WriterOptions::default()).unwrap();
    writer.append(&records, Durability::Written).unwrap();
    writer.close().unwrap();
    Lineage::resolve(Source::open(&path).unwrap(), &ParentSearch::default()).unwrap()
}

#[test]
fn the_head_of_a_fork_has_its_members_where_the_reference_has_them() {
    let dir = tempfile::tempdir().unwrap();
    let lineage = parent(&Home::new(dir.path()));
    let fork = fork_by_reference(&lineage, &CutPoint::End).unwrap();
    fork.persist(Durability::Written).unwrap();
    insta::assert_snapshot!("fork_by_reference", head_of(fork.path()));
    let fork = fork_by_copy(&lineage, &CutPoint::End).unwrap();
    insta::assert_snapshot!("fork_by_copy", head_of(fork.path()));
}

#[test]
fn the_head_of_a_revert_has_its_members_where_the_reference_has_them() {
    let dir = tempfile::tempdir().unwrap();
    let segment = revert(&parent(&Home::new(dir.path())), &CutPoint::End).unwrap();
    segment.persist(Durability::Written).unwrap();
    insta::assert_snapshot!("revert", head_of(segment.path()));
}
