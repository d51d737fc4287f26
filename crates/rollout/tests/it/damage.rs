//! Damaged files of our own making, each after a fault that was seen in the wild.

use annals_rollout::{Entry, ErrorKind, FaultKind, Source};

/// A user message.
fn user(text: &str) -> String {
    format!(
        r#"{{"timestamp":"2026-03-01T08:00:00.000Z","type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}}}"#
    )
}

/// The texts that can be read, and the lines and kinds of the faults.
fn read(bytes: &[u8]) -> (Vec<String>, Vec<(u64, FaultKind)>) {
    let source = Source::from_bytes("case", bytes.to_vec()).unwrap();
    let mut reader = source.records();
    let (mut texts, mut faults) = (Vec::new(), Vec::new());
    while let Some(entry) = reader.next().unwrap() {
        match entry {
            Entry::Record(record) => {
                let payload: serde_json::Value =
                    serde_json::from_str(record.envelope.payload).unwrap();
                texts.push(
                    payload["content"][0]["text"]
                        .as_str()
                        .unwrap_or("-")
                        .to_owned(),
                );
            }
            Entry::Fault(fault) => faults.push((fault.line(), fault.kind())),
        }
    }
    (texts, faults)
}

#[test]
fn b63_half_a_record_glued_to_a_whole_one_costs_one_record() {
    let torn = &user("lost")[..90];
    let file = format!(
        "{}\n{torn}{}\n{}\n",
        user("one"),
        user("two"),
        user("three")
    );
    assert_eq!(
        read(file.as_bytes()),
        (
            vec!["one".into(), "two".into(), "three".into()],
            vec![(2, FaultKind::Torn)]
        )
    );
}

#[test]
fn b66_two_records_on_one_line_are_both_read() {
    let file = format!(
        "{}{}\n{}\n",
        user(r#"a {brace} \"q\" }{ \\"#),
        user("two"),
        user("three")
    );
    let (texts, faults) = read(file.as_bytes());
    assert_eq!(texts, ["a {brace} \"q\" }{ \\", "two", "three"]);
    assert_eq!(faults, [(1, FaultKind::Glued)]);
}

#[test]
fn b67_a_run_of_zeros_is_passed_over() {
    let file = [
        user("a").as_bytes(),
        b"\n",
        &[0; 300],
        b"\n",
        user("b").as_bytes(),
        b"\n",
        &[0; 90],
    ]
    .concat();
    assert_eq!(
        read(&file),
        (
            vec!["a".into(), "b".into()],
            vec![(2, FaultKind::NulRun), (4, FaultKind::NulRun)]
        )
    );
}

#[test]
fn b68_line_separators_of_unicode_do_not_split_a_record() {
    let file = user("x\u{2028}y\u{2029}z\u{85}") + "\n";
    assert_eq!(
        read(file.as_bytes()),
        (vec!["x\u{2028}y\u{2029}z\u{85}".into()], vec![])
    );
}

#[test]
fn b69_a_raw_line_end_in_a_text_costs_one_record_and_two_warnings() {
    let file = format!("{}\n{}\n{}\n", user("a"), user("b\nc"), user("d"));
    assert_eq!(
        read(file.as_bytes()),
        (
            vec!["a".into(), "d".into()],
            vec![(2, FaultKind::Torn), (3, FaultKind::NotJson)]
        )
    );
}

#[test]
fn b72_carriage_returns_at_line_ends_are_no_data() {
    let file = format!("{}\r\n{}\r\n", user(r"keeps\r\nits own"), user("b"));
    assert_eq!(
        read(file.as_bytes()),
        (vec!["keeps\r\nits own".into(), "b".into()], vec![])
    );
}

#[test]
fn b94_a_line_cut_inside_a_character_is_a_torn_line() {
    let whole = user("h\u{e9}");
    let cut = &whole.as_bytes()[..=whole.find('\u{e9}').unwrap()];
    let file = [cut, b"\n", user("b").as_bytes(), b"\n"].concat();
    assert_eq!(read(&file), (vec!["b".into()], vec![(1, FaultKind::Torn)]));
}

#[test]
fn b91_depth_beyond_the_parser_is_one_bad_line() {
    let deep = user("x").replace(
        r#""content":["#,
        &format!(
            r#""d":{}{},"content":["#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
    );
    let file = format!("{deep}\n{}\n", user("b"));
    assert_eq!(
        read(file.as_bytes()),
        (vec!["b".into()], vec![(1, FaultKind::TooDeep)])
    );
}

#[test]
fn b89_b118_a_file_without_one_readable_record_can_be_told_from_an_empty_one() {
    let source = Source::from_bytes("case", "not json\n{\"half\": \n[1,2]\n").unwrap();
    let mut reader = source.records();
    while reader.next().unwrap().is_some() {}
    assert_eq!((reader.counts().records, reader.counts().faults), (0, 3));
    let error = annals_rollout::SessionHead::read(&source).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreadable);
    let other = Source::from_bytes("case", user("a")).unwrap();
    assert_eq!(
        annals_rollout::SessionHead::read(&other)
            .unwrap_err()
            .kind(),
        ErrorKind::NoSessionMeta
    );
}

#[test]
fn the_first_session_meta_counts_wherever_it_stands() {
    let meta = |id: &str| {
        user("x")
            .replace("response_item", "session_meta")
            .replace("\"type\":\"message\"", &format!("\"id\":\"{id}\""))
    };
    let file = format!(
        "torn\n{}\n{}\n{}\n",
        user("a"),
        meta("first"),
        meta("parent")
    );
    let source = Source::from_bytes("case", file).unwrap();
    assert_eq!(
        annals_rollout::SessionHead::read(&source).unwrap().id,
        "first"
    );
}
