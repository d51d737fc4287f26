//! Tests of the enums that are told apart by a tag.

use crate::{ContentPart, Lossless, RawJson, ResponseItem, Role, TextPart, Unknown};

fn decode(text: &str) -> serde_json::Result<ContentPart> {
    serde_json::from_str(text)
}

#[test]
fn the_tag_may_stand_anywhere() {
    let expected = ContentPart::InputText(TextPart {
        text: "x".to_owned(),
    });
    for text in [
        r#"{"type":"input_text","text":"x"}"#,
        r#"{"text":"x","type":"input_text"}"#,
        r#"{"n":[1,{"type":"no"}],"text":"\u0078","type":"input_text","m":1e400}"#,
    ] {
        assert_eq!(decode(text).expect("decodes"), expected, "{text}");
    }
}

#[test]
fn an_unknown_tag_keeps_its_object() {
    let part = decode(r#"{"a":1.50,"type":"hologram","b":{"c":[]}}"#).expect("decodes");
    let ContentPart::Other(unknown) = &part else {
        panic!("{part:?} is not unknown")
    };
    assert_eq!(unknown.tag(), "hologram");
    assert_eq!(
        unknown.raw().as_str(),
        r#"{"type":"hologram","a":1.50,"b":{"c":[]}}"#
    );
    assert_eq!(
        serde_json::to_string(&part).expect("encodes"),
        unknown.raw().as_str()
    );
    let _: &Unknown = unknown;
}

#[test]
fn what_is_wrong_is_said() {
    let message = |text: &str| decode(text).expect_err("refused").to_string();
    insta::assert_snapshot!(message("{}"), @"missing field `type` at line 1 column 2");
    insta::assert_snapshot!(message(r#"{"type":1}"#), @"invalid type: integer `1`, expected a string at line 1 column 9");
    insta::assert_snapshot!(message(r#"{"type":"input_text"}"#), @"missing field `text` at line 1 column 21");
    insta::assert_snapshot!(message("[]"), @"invalid type: sequence, expected a content part with a `type` at line 1 column 0");
}

#[test]
fn an_unknown_value_of_a_known_member_survives() {
    let text = r#"{"type":"message","role":"critic","content":[],"phase":"afterthought"}"#;
    let item: Lossless<ResponseItem> =
        Lossless::parse(RawJson::parse(text).expect("valid")).expect("decodes");
    let ResponseItem::Message(message) = item.typed() else {
        panic!("no message")
    };
    assert_eq!(message.role, Role::Other("critic".to_owned()));
    assert_eq!(serde_json::to_string(item.typed()).expect("encodes"), text);
}
