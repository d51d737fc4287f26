//! Tests of the short cut: what is read from a compaction on equals what is read from the start.

use annals_rollout::ParentSearch;
use annals_test_support::session::{SessionSpec, write_session};

use super::*;
use crate::{PromptInput, PromptInputOptions, PromptOptions, ReadUpTo};

fn session(spec: &SessionSpec) -> String {
    let mut out = Vec::new();
    write_session(spec, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("UTF-8")
}

fn lineage(text: &str) -> Lineage {
    let source = Source::from_bytes("memory", text.to_owned()).expect("not empty");
    Lineage::resolve(source, &ParentSearch::default()).expect("a session")
}

fn input(text: &str, up_to: ReadUpTo) -> Vec<u8> {
    let source = Source::from_bytes("memory", text.to_owned()).expect("not empty");
    let options = PromptInputOptions::new(up_to, PromptOptions::default());
    let input = PromptInput::read(source, &ParentSearch::default(), options).expect("readable");
    let mut out = Vec::new();
    input.write_json(&mut out).expect("memory takes all");
    out
}

/// A bound that bounds nothing, and has all read from the start.
fn all_lines(text: &str) -> ReadUpTo {
    ReadUpTo::Line(text.lines().count() as u64)
}

fn large(compaction_at: Option<f64>) -> String {
    let text = session(&SessionSpec {
        compaction_at,
        output_bytes: 20_000,
        ..SessionSpec::new(1_200)
    });
    assert!(text.len() as u64 > LARGE_BYTES);
    text
}

#[test]
fn a_large_file_is_read_from_its_newest_compaction_on() {
    let text = large(Some(0.9));
    let offset = newest_checkpoint(&lineage(&text))
        .expect("readable")
        .expect("a compaction");
    let line = text
        .get(usize::try_from(offset).expect("small")..)
        .expect("a line's start");
    assert!(line.contains(r#""type":"compacted""#) && line.starts_with('{'));
    let searched = newest_compaction(&lineage(&text)).expect("readable");
    assert_eq!(searched, Some(offset), "a search finds what the rule finds");
    // A bound on lines forbids the short cut; at the last line it bounds nothing.
    assert_eq!(input(&text, ReadUpTo::End), input(&text, all_lines(&text)));
}

#[test]
fn a_rollback_behind_the_compaction_has_all_read() {
    let mut text = large(Some(0.9));
    text.push_str(r#"{"timestamp":"2026-03-02T00:00:00.000Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}"#);
    text.push('\n');
    assert_eq!(newest_checkpoint(&lineage(&text)).expect("readable"), None);
    assert_eq!(input(&text, ReadUpTo::End), input(&text, all_lines(&text)));
}

#[test]
fn damage_behind_the_compaction_has_all_read() {
    let mut text = large(Some(0.9));
    text.push_str("{\"torn\n");
    assert_eq!(newest_checkpoint(&lineage(&text)).expect("readable"), None);
}

#[test]
fn without_a_compaction_there_is_no_short_cut() {
    assert_eq!(
        newest_checkpoint(&lineage(&large(None))).expect("readable"),
        None
    );
    let small = session(&SessionSpec {
        compaction_at: Some(0.5),
        ..SessionSpec::new(60)
    });
    assert_eq!(newest_checkpoint(&lineage(&small)).expect("readable"), None);
}

#[test]
fn a_compaction_in_the_older_half_is_not_looked_for() {
    let text = large(Some(0.2));
    assert_eq!(newest_compaction(&lineage(&text)).expect("readable"), None);
    assert_eq!(input(&text, ReadUpTo::End), input(&text, all_lines(&text)));
}

#[test]
fn an_output_without_a_budget_of_its_own_looks_for_the_turn_before_the_compaction() {
    let mut text = large(Some(0.999));
    let output = "y".repeat(80_000);
    // Behind the compaction, and before any turn's settings stand there.
    let at = text.rfind(r#","type":"compacted""#).expect("a compaction");
    let end = at
        + text
            .get(at..)
            .and_then(|rest| rest.find('\n'))
            .expect("its end")
        + 1;
    text.truncate(end);
    text.push_str(r#"{"timestamp":"2026-03-02T00:00:00.000Z","type":"response_item","payload":{"type":"function_call","name":"a","arguments":"","call_id":"late"}}"#);
    text.push('\n');
    let output = format!(
        r#"{{"timestamp":"2026-03-02T00:00:00.000Z","type":"response_item","payload":{{"type":"function_call_output","call_id":"late","output":"{output}"}}}}"#
    );
    text.push_str(&output);
    text.push('\n');
    let at = |found: Result<Option<u64>, Error>| found.expect("readable").expect("found");
    let line = lineage(&text);
    assert!(at(newest_checkpoint(&line)) < at(newest_compaction(&line)));
    assert_eq!(input(&text, ReadUpTo::End), input(&text, all_lines(&text)));
}
