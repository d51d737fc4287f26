//! What a stored record says of itself, and what it refuses to be.

use annals_protocol::{DecodeError, RecordKind};

use super::StoredRecord;

const LINE: &str = r#"{"timestamp":"2026-01-03T12:00:00.000Z","ordinal":4,"type":"response_item","payload":{"type":"x"},"metadata":{"a":1}}"#;

#[test]
fn members_in_another_order_are_found_as_well() -> Result<(), DecodeError> {
    let usual = StoredRecord::parse(4, LINE)?;
    let turned = r#"{"payload":{"type":"x"},"metadata":{"a":1},"type":"response_item","ordinal":4,"timestamp":"2026-01-03T12:00:00.000Z"}"#;
    let turned = StoredRecord::parse(4, turned)?;
    assert_eq!(usual.envelope()?, turned.envelope()?);
    assert_eq!(turned.kind(), RecordKind::ResponseItem);
    assert_ne!(usual, turned, "a record is its bytes");
    Ok(())
}

#[test]
fn what_is_no_record_is_refused() {
    for text in [
        "",
        "{}",
        "[]",
        r#"{"timestamp":"x","type":"y"}"#,
        LINE.get(1..).unwrap_or_default(),
        LINE.get(..90).unwrap_or_default(),
    ] {
        assert!(StoredRecord::parse(0, text).is_err(), "{text}");
    }
}

#[test]
fn a_payload_of_another_shape_is_found_when_it_is_decoded() -> Result<(), DecodeError> {
    let record = StoredRecord::parse(0, LINE.replace(r#"{"type":"x"}"#, "7"))?;
    assert_eq!(record.envelope()?.payload, "7");
    assert!(record.decode().is_err());
    Ok(())
}
