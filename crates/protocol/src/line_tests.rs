//! Tests of whole lines.

use proptest::prelude::*;

use super::*;
use crate::strategies::{item_text, line_text};
use crate::{ContentPart, Message, Role};

#[test]
fn a_line_made_in_code_reads_back() {
    let message = Message::new(Role::User, vec![ContentPart::input_text("hi \u{1}")]);
    let item = Lossless::new(ResponseItem::Message(message)).expect("serializes");
    let metadata = Lossless::new(ItemMetadata::default()).expect("serializes");
    let line = RolloutLine::new(
        "2026-01-03T12:00:00.000Z",
        Some(4),
        RolloutItem::ResponseItem(item),
        Some(metadata),
    )
    .expect("small");
    insta::assert_snapshot!(line.raw().as_str(), @r#"{"timestamp":"2026-01-03T12:00:00.000Z","ordinal":4,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi \u0001"}]},"metadata":{"client_authored":false}}"#);
    assert_eq!(RolloutLine::parse(line.raw().as_str()), Ok(line));
}

#[test]
fn unknown_kinds_of_lines_are_kept() {
    let text = r#"{"timestamp":"t","type":"of_tomorrow","payload":[1.50],"more":{}}"#;
    let line = RolloutLine::parse(text).expect("valid");
    assert_eq!(line.raw().as_str(), text);
    assert_eq!(line.item().tag(), "of_tomorrow");
    assert_eq!(line.item().payload().as_str(), "[1.50]");
}

#[test]
fn a_malformed_known_kind_names_itself() {
    let line = r#"{"timestamp":"t","type":"turn_context","payload":{"cwd":"/p"}}"#;
    insta::assert_snapshot!(RolloutLine::parse(line).expect_err("no model"), @"malformed turn_context: missing field `model`, at byte 11 of it");
}

#[test]
fn odd_metadata_does_not_cost_the_item() {
    let line = r#"{"timestamp":"t","type":"response_item","payload":{"type":"x"},"metadata":{"history_sequence":"?"}}"#;
    let line = RolloutLine::parse(line).expect("valid");
    assert!(line.metadata().is_none());
    assert!(matches!(line.item(), RolloutItem::ResponseItem(_)));
}

#[test]
fn a_carriage_return_is_no_part_of_a_line() {
    let text = r#"{"timestamp":"t","type":"x","payload":"a\r\n"}"#;
    let line = RolloutLine::parse(&format!("{text}\r")).expect("valid");
    assert_eq!(line.raw().as_str(), text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn lines_come_back_byte_for_byte(text in line_text()) {
        let line = RolloutLine::parse(&text).expect("valid");
        prop_assert_eq!(line.raw().as_str(), text.as_str());
        let mut written = Vec::new();
        write_line(&mut written, &LineParts {
            timestamp: line.timestamp(),
            ordinal: line.ordinal(),
            tag: line.item().tag(),
            payload: line.item().payload().as_str(),
            metadata: line.metadata().map(|metadata| metadata.raw().as_str()),
        });
        prop_assert_eq!(written, format!("{text}\n").into_bytes());
    }

    #[test]
    fn the_quick_way_takes_and_gives_what_the_careful_one_does(
        text in line_text(),
        at in any::<prop::sample::Index>(),
        put in prop::sample::select(vec!["", "\"", "\\", "{", "]", "\\ud800", "\u{1}", ",", "1", " "]),
    ) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut changed = text.clone();
        changed.insert_str(*at.get(&places), put);
        let raw = RawJson::from_checked(changed.as_str().into()).expect("small");
        let careful = Envelope::parse(raw.as_str())
            .and_then(|envelope| RolloutLine::from_envelope(&raw, &envelope));
        if let Ok(envelope) = Envelope::parse(raw.as_str()) {
            let checked = RolloutItem::check(envelope.kind, envelope.payload);
            prop_assert_eq!(checked.err(), careful.clone().err());
        }
        prop_assert_eq!(RolloutLine::parse(&changed), careful, "{}", changed);
    }

    #[test]
    fn items_come_back_byte_for_byte(text in item_text()) {
        let item: Lossless<ResponseItem> =
            Lossless::parse(RawJson::parse(text.as_str()).expect("valid")).expect("decodes");
        prop_assert_eq!(serde_json::to_string(&item).expect("encodes"), text.clone());
        // What the typed view knows survives without the text behind it.
        let written = serde_json::to_string(item.typed()).expect("encodes");
        let again: ResponseItem = serde_json::from_str(&written).expect("decodes");
        prop_assert_eq!(&again, item.typed());
        let head = crate::ItemHead::scan(&text).expect("an item");
        prop_assert_eq!(head.item_type, item.typed().item_type());
        if !matches!(item.typed(), ResponseItem::Other(_)) {
            prop_assert_eq!(head.id.as_deref(), item.typed().id());
        }
        prop_assert_eq!(head.call_id.as_deref(), item.typed().call_id());
    }
}
