//! Both ways of checking see the same records in the same places.

use proptest::prelude::*;

use super::{Check, Counts, Entry, ReadOptions, RecordReader};
use crate::read::fault::FaultKind;
use crate::read::source::Source;

fn record(ordinal: u64, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":{ordinal},"type":"event_msg","payload":{{"type":"x","text":{text}}}}}"#
    )
}

type Seen = (u64, u64, Result<String, FaultKind>);

fn read(bytes: &[u8], check: Check) -> (Vec<Seen>, Counts) {
    let options = ReadOptions {
        check,
        ..ReadOptions::default()
    };
    let mut reader = RecordReader::from_stream(std::path::Path::new("t"), bytes, options);
    let mut seen = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        seen.push(match entry {
            Entry::Record(record) => {
                let start = usize::try_from(record.byte_offset).unwrap();
                assert_eq!(
                    &bytes[start..start + record.text.len()],
                    record.text.as_bytes()
                );
                (record.line, record.byte_offset, Ok(record.text.to_owned()))
            }
            Entry::Fault(fault) => (fault.line(), fault.byte_offset(), Err(fault.kind())),
        });
    }
    (seen, reader.counts())
}

#[test]
fn blank_lines_and_carriage_returns_are_no_faults() {
    let bytes = format!(
        "{}\r\n\n \t \n{}",
        record(0, "keeps\r\nits own"),
        record(1, "b")
    );
    let (seen, counts) = read(bytes.as_bytes(), Check::Json);
    assert_eq!(seen.iter().map(|entry| entry.0).collect::<Vec<_>>(), [1, 4]);
    assert!(seen.iter().all(|entry| entry.2.is_ok()));
    assert_eq!((counts.lines, counts.records, counts.faults), (4, 2, 0));
}

#[test]
fn only_the_line_feed_ends_a_line() {
    let text = record(0, "a\u{2028}b\u{2029}c\u{85}d\u{b}e");
    let (seen, _) = read(format!("{text}\n").as_bytes(), Check::Json);
    assert_eq!(seen, [(1, 0, Ok(text))]);
}

#[test]
fn a_raw_line_end_inside_a_text_costs_that_record_only() {
    let bytes = format!(
        "{}\n{}\n",
        record(0, "one\ntwo").replace("\\n", "\n"),
        record(1, "next")
    );
    let (seen, _) = read(bytes.as_bytes(), Check::Json);
    let kinds: Vec<_> = seen
        .iter()
        .map(|entry| entry.2.as_ref().map(|_| ()).map_err(|k| *k))
        .collect();
    assert_eq!(
        kinds,
        [Err(FaultKind::Torn), Err(FaultKind::NotJson), Ok(())]
    );
}

#[test]
fn a_payload_broken_inside_passes_the_structure_check_only() {
    let broken = record(0, "x").replace(r#""type":"x""#, r#""type" "x""#);
    let bytes = format!("{broken}\n");
    assert_eq!(
        read(bytes.as_bytes(), Check::Json).0[0].2,
        Err(FaultKind::NotJson)
    );
    let source = Source::from_bytes("t", bytes).unwrap();
    let mut reader = source.scan();
    let Some(Entry::Record(record)) = reader.next().unwrap() else {
        panic!()
    };
    assert_eq!(
        record.check(source.path()).unwrap_err().kind(),
        FaultKind::NotJson
    );
    assert!(record.decode(source.path()).is_err());
}

fn part() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => ("[ -~\\n\u{e9}]{0,40}", 0_u64..9).prop_map(|(text, ordinal)| record(ordinal, &text).into_bytes()),
        // No brace: a torn text that ends in one is what the structure check lets pass.
        2 => ("[ -z]{0,40}", 0_usize..200).prop_map(|(text, at)| {
            let mut whole = record(1, &text).into_bytes();
            whole.truncate(at.min(whole.len() - 2));
            whole
        }),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
        1 => Just(vec![0; 17]),
        1 => Just(b"\r".to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn both_checks_agree_wherever_payloads_are_sound(
        parts in proptest::collection::vec((part(), prop_oneof![8 => Just(true), 1 => Just(false)]), 0..20),
    ) {
        let mut bytes = Vec::new();
        for (part, ends) in parts {
            bytes.extend(part);
            if ends {
                bytes.push(b'\n');
            }
        }
        let (json, _) = read(&bytes, Check::Json);
        let (structure, _) = read(&bytes, Check::Structure);
        prop_assert_eq!(&json, &structure);
        // Order, and nothing twice.
        for pair in json.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].1);
        }
    }
}
