//! Tests of the input that is rebuilt from a session.

use annals_rollout::ErrorKind;

use super::*;

const META: &str = r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"01a00000-0000-7000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p","cli_version":"0.171.0"}}"#;

fn line(payload: &str) -> String {
    format!(
        r#"{{"timestamp":"2026-01-01T00:00:00.000Z","type":"response_item","payload":{payload}}}"#
    )
}

fn message(role: &str, text: &str) -> String {
    let part = if role == "assistant" {
        "output_text"
    } else {
        "input_text"
    };
    format!(
        r#"{{"type":"message","role":"{role}","content":[{{"type":"{part}","text":"{text}"}}]}}"#
    )
}

fn read(lines: &[String], up_to: ReadUpTo) -> Result<PromptInput, PromptInputError> {
    let text = format!("{META}\n{}\n", lines.join("\n"));
    let source = Source::from_bytes("memory", text)?;
    let options = PromptInputOptions::new(up_to, PromptOptions::default());
    PromptInput::read(source, &ParentSearch::default(), options)
}

fn items(input: &PromptInput) -> Vec<serde_json::Value> {
    let mut out = Vec::new();
    input.write_json(&mut out).expect("memory takes all");
    serde_json::from_slice(&out).expect("a JSON array")
}

fn texts(lines: &[String], up_to: ReadUpTo) -> Vec<String> {
    items(&read(lines, up_to).expect("readable"))
        .iter()
        .map(|item| {
            item["content"][0]["text"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

#[test]
fn a_session_without_items_has_an_empty_input() {
    let input = read(&[], ReadUpTo::End).expect("readable");
    assert_eq!(items(&input), Vec::<serde_json::Value>::new());
    assert_eq!(input.n_items(), 0);
}

#[test]
fn an_unknown_member_behind_the_payload_is_no_part_of_it() {
    let odd = line(&message("user", "hi")).replace("}]}}", r#"}]},"later":{"metadata":[1]}}"#);
    assert!(odd.contains("later"));
    assert_eq!(texts(&[odd], ReadUpTo::End), ["hi"]);
}

#[test]
fn lines_and_turns_bound_what_is_read() {
    let lines = [
        line(&message("user", "one")),
        line(&message("assistant", "1")),
        line(&message("user", "two")),
        line(&message("assistant", "2")),
    ];
    assert_eq!(texts(&lines, ReadUpTo::Line(3)), ["one", "1"]);
    assert_eq!(texts(&lines, ReadUpTo::Line(1)), Vec::<String>::new());
    assert_eq!(texts(&lines, ReadUpTo::Turn(1)), ["one", "1"]);
    assert_eq!(texts(&lines, ReadUpTo::Turn(2)).len(), 4);
    for (bound, told) in [
        (
            ReadUpTo::Turn(3),
            "there is no user turn 3, the session has 2: give 1 to 2",
        ),
        (
            ReadUpTo::Turn(0),
            "there is no user turn 0, the session has 2: give 1 to 2",
        ),
        (
            ReadUpTo::Line(6),
            "there is no line 6, the file has 5: give 1 to 5",
        ),
        (
            ReadUpTo::Line(0),
            "there is no line 0, the file has 5: give 1 to 5",
        ),
    ] {
        let error = read(&lines, bound).expect_err("it is not there");
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn what_is_odd_is_told_with_its_place() {
    let lines = [
        line(&message("user", "one")),
        r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"response_it"#.to_owned(),
        line(r#"{"type":"function_call_output","call_id":"gone","output":"x"}"#),
        line(
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"\ud800"}]}"#,
        ),
    ];
    let input = read(&lines, ReadUpTo::End).expect("readable");
    let notices: Vec<String> = input.notices().map(|notice| notice.to_string()).collect();
    insta::assert_snapshot!(notices.join("\n"));
    assert_eq!(items(&input).len(), 1);
}

#[test]
fn a_file_without_an_identity_is_refused() {
    let source = Source::from_bytes("memory", line(&message("user", "one"))).expect("not empty");
    let error = PromptInput::read(
        source,
        &ParentSearch::default(),
        PromptInputOptions::default(),
    )
    .expect_err("no session_meta");
    assert!(
        matches!(&error, PromptInputError::Rollout(error) if error.kind() == ErrorKind::NoSessionMeta),
        "{error}"
    );
}

#[test]
fn items_of_another_shape_than_their_kind_stay_out_and_are_told() {
    let odd = [
        r#"{"type":"message","role":"user","content":"no list"}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":5}]}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text"}]}"#,
        r#"{"type":"message","role":"user","content":[{"text":"no type"}]}"#,
        r#"{"type":"message","content":[]}"#,
        r#"{"type":"function_call","name":"x","arguments":{},"call_id":"c1"}"#,
        r#"{"type":"function_call_output","call_id":"c1","output":7}"#,
        r#"{"type":"reasoning","summary":"x","encrypted_content":"e"}"#,
        "[1]",
        "null",
    ];
    let mut lines: Vec<String> = odd.into_iter().map(line).collect();
    lines.push(line(&message("user", "fine")));
    let input = read(&lines, ReadUpTo::End).expect("readable");
    let notices: Vec<String> = input.notices().map(|notice| notice.to_string()).collect();
    insta::assert_snapshot!(notices.join("\n"));
    assert_eq!(texts(&lines, ReadUpTo::End), ["fine"]);
}

#[test]
fn a_compaction_with_an_odd_item_changes_nothing() {
    let compacted = r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"compacted","payload":{"message":"m","replacement_history":[{"type":"message"}]}}"#;
    let lines = [line(&message("user", "one")), compacted.to_owned()];
    assert_eq!(texts(&lines, ReadUpTo::End), ["one"]);
}
