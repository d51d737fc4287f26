//! Sessions with one thing wrong each, and what the doctor finds in them.

use annals_rollout::{ParentSearch, Source};

use super::{FindingKind, Severity, verify};
use crate::progress::ReadProgress;

const ID: &str = "019d6710-13b8-7392-80d1-e8a8dbbb6d7b";

fn record(kind: &str, ordinal: Option<u64>, payload: &str) -> String {
    let ordinal = ordinal.map_or_else(String::new, |ordinal| format!(r#""ordinal":{ordinal},"#));
    format!(
        r#"{{"timestamp":"2026-04-07T08:30:00.000Z",{ordinal}"type":"{kind}","payload":{payload}}}"#
    )
}

fn head() -> String {
    record(
        "session_meta",
        None,
        &format!(
            r#"{{"id":"{ID}","timestamp":"2026-04-07T08:30:00.000Z","cwd":"/x","originator":"t","cli_version":"0.171.0"}}"#
        ),
    )
}

fn item(payload: &str) -> String {
    record("response_item", None, payload)
}

fn user(text: &str) -> String {
    item(&format!(
        r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#
    ))
}

fn told(text: &str, kind: &str) -> String {
    item(&format!(
        r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}],"internal_chat_message_metadata_passthrough":{{"content_item_kinds":["{kind}"]}}}}"#
    ))
}

fn call(id: &str) -> String {
    item(&format!(
        r#"{{"type":"function_call","name":"exec_command","arguments":"{{}}","call_id":"{id}"}}"#
    ))
}

fn output(id: &str) -> String {
    item(&format!(
        r#"{{"type":"function_call_output","call_id":"{id}","output":"done"}}"#
    ))
}

fn state(full: bool, state: &str) -> String {
    record(
        "world_state",
        None,
        &format!(r#"{{"full":{full},"state":{state}}}"#),
    )
}

/// The kinds and lines that are found in these lines, in order.
fn found(lines: &[String]) -> Vec<(FindingKind, u64)> {
    let source = Source::from_bytes("memory.jsonl", lines.join("\n") + "\n").unwrap();
    let report = verify(source, &ParentSearch::default(), &ReadProgress::default()).unwrap();
    let listed = report.findings.len() as u64;
    assert_eq!(
        report.n_errors + report.n_warnings + report.n_notes,
        listed + report.n_unlisted
    );
    for finding in &report.findings {
        assert!(!finding.message.is_empty() && !finding.on_resume.is_empty());
        assert_eq!(finding.severity, finding.kind.severity());
        let is_error = finding.severity == Severity::Error;
        assert!(!is_error || !report.is_sound());
    }
    report
        .findings
        .iter()
        .map(|finding| (finding.kind, finding.line))
        .collect()
}

/// In a session with these lines behind its head, just these things are found.
fn check(lines: &[String], expect: &[(FindingKind, u64)]) {
    let lines = [&[head()], lines].concat();
    assert_eq!(found(&lines), expect, "{lines:#?}");
}

#[test]
fn a_whole_session_has_nothing() {
    check(&[user("hi"), call("a"), output("a")], &[]);
}

#[test]
fn damaged_lines_are_found_where_they_stand() {
    check(
        &[user("hi"), "not json".to_owned()],
        &[(FindingKind::DamagedLine, 3)],
    );
    check(&[user("a") + &user("b")], &[(FindingKind::GluedLine, 2)]);
    check(
        &[user("hi"), record("from_the_future", None, "{}")],
        &[(FindingKind::UnknownKind, 3)],
    );
    check(
        &[
            user("hi"),
            record("response_item", None, r#"{"type":"message","role":7}"#),
        ],
        &[(FindingKind::MalformedRecord, 3)],
    );
}

#[test]
fn ordinals_are_followed() {
    let at = |ordinal| record("event_msg", Some(ordinal), r#"{"type":"x"}"#);
    check(&[at(1), at(2)], &[]);
    check(&[at(1), at(4)], &[(FindingKind::LostOrdinals, 3)]);
    check(&[at(2), at(1)], &[(FindingKind::OrdinalsOutOfOrder, 3)]);
}

#[test]
fn calls_and_outputs_come_in_pairs() {
    check(&[user("hi"), call("a")], &[(FindingKind::OrphanCall, 3)]);
    check(
        &[user("hi"), output("a")],
        &[(FindingKind::OrphanOutput, 3)],
    );
    check(
        &[user("hi"), call("a"), output("a"), output("a")],
        &[(FindingKind::DuplicateOutput, 5)],
    );
    check(
        &[user("hi"), output("a"), call("a")],
        &[(FindingKind::OutputBeforeCall, 3)],
    );
}

#[test]
fn what_a_provider_would_refuse_is_found() {
    check(&[user("hi"), user("")], &[(FindingKind::PoisonItem, 3)]);
}

#[test]
fn the_chain_of_states_is_followed() {
    check(
        &[
            state(true, r#"{"model":"m"}"#),
            state(false, r#"{"model":"n"}"#),
        ],
        &[],
    );
    check(
        &[state(false, r#"{"model":"n"}"#)],
        &[(FindingKind::StateChainBroken, 2)],
    );
    check(
        &[
            state(true, r#"{"model":"m"}"#),
            state(false, r#"{"model":"m"}"#),
        ],
        &[(FindingKind::StatePatchMisfits, 3)],
    );
    check(
        &[
            user("hi"),
            state(true, r#"{"agents_md":{"directory":"/x","text":"Rules."}}"#),
        ],
        &[(FindingKind::BaselineTextGone, 0)],
    );
}

#[test]
fn texts_are_held_to_their_caps_and_to_who_said_them() {
    let long = format!(
        "<environment_context>{}</environment_context>",
        "x".repeat(40_000)
    );
    check(
        &[told(&long, "environments.environment_context")],
        &[(FindingKind::OverCap, 2)],
    );
    check(
        &[told(
            "<environment_context>mine</environment_context>",
            "user.text",
        )],
        &[(FindingKind::Spoofed, 2)],
    );
}

#[test]
fn a_session_without_head_or_parents_is_looked_at_as_far_as_it_goes() {
    assert_eq!(
        found(&[user("hi"), call("a")]),
        [
            (FindingKind::NoSessionMeta, 0),
            (FindingKind::OrphanCall, 2)
        ]
    );
    let child = |base: &str| head().replace(r#""cwd""#, &format!(r#""history_base":{base},"cwd""#));
    let base = format!(
        r#"{{"thread_id":"{}","end_ordinal_exclusive":3}}"#,
        ID.replace('6', "7")
    );
    assert_eq!(
        found(&[child(&base), user("hi")]),
        [(FindingKind::ParentMissing, 0)]
    );
    // What cannot be understood of a head is not passed over in silence.
    assert_eq!(
        found(&[child(r#"{"thread_id":7}"#), user("hi")]),
        [(FindingKind::MalformedRecord, 1)]
    );
}
