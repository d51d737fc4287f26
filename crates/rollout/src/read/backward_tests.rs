//! Backward is forward, reversed: for any bytes, any limit, any chain of parents.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::BackwardReader;
use crate::read::fault::FaultKind;
use crate::read::records::{Entry, ReadOptions, RecordReader};
use crate::read::source::Source;

type Seen = (u64, Result<String, FaultKind>);

fn seen(entry: &Entry<'_>) -> Seen {
    match entry {
        Entry::Record(record) => (record.byte_offset, Ok(record.text.to_owned())),
        Entry::Fault(fault) => (fault.byte_offset(), Err(fault.kind())),
    }
}

fn forward(source: &Source, options: ReadOptions) -> Vec<Seen> {
    let mut reader = RecordReader::new(source, options);
    let mut found = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        found.push(seen(&entry));
    }
    found
}

fn backward(source: &Source, options: ReadOptions) -> Vec<Seen> {
    let mut reader = BackwardReader::new(source, options);
    let mut found = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        found.push(seen(&entry));
    }
    found.reverse();
    found
}

fn record(ordinal: usize, len: usize) -> String {
    format!(
        r#"{{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":{ordinal},"type":"event_msg","payload":{{"x":"{}"}}}}"#,
        "y".repeat(len)
    )
}

#[test]
fn lines_longer_than_a_block_and_files_without_a_last_line_end_read_the_same() {
    let mut text = String::new();
    for (n, len) in [0, 70_000, 3, 200_000, 65_400, 65_500, 1_000_000, 0]
        .into_iter()
        .enumerate()
    {
        text.push_str(&record(n, len));
        text.push_str(if n == 4 { "\r\n" } else { "\n" });
    }
    for tail in [
        "",
        "\n",
        "\n\n",
        "torn {",
        "{\"timestamp\":\"t\",\"type\":\"x\",\"payload\":{}}",
    ] {
        let source = Source::from_bytes("t", format!("{text}{tail}")).unwrap();
        for limit in [u64::MAX, 100_000, 1_000] {
            let options = ReadOptions::default().with_line_limit(limit);
            assert_eq!(backward(&source, options), forward(&source, options));
        }
    }
}

#[test]
fn a_reader_that_stops_early_has_read_little() {
    let text: String = (0..20_000).map(|n| record(n, 100) + "\n").collect();
    let source = Source::from_bytes("t", text).unwrap();
    let mut reader = source.backward();
    let found = reader
        .visit(|entry| match entry {
            Entry::Record(record) if record.envelope.ordinal == Some(19_990) => {
                ControlFlow::Break(record.byte_offset)
            }
            _ => ControlFlow::Continue(()),
        })
        .unwrap();
    assert!(found.is_some());
    assert!(reader.read_bytes() <= 64 * 1024, "{}", reader.read_bytes());
}

fn part() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        5 => (0_usize..9, 0_usize..60).prop_map(|(n, len)| record(n, len).into_bytes()),
        2 => (0_usize..200).prop_map(|at| {
            let mut whole = record(1, 30).into_bytes();
            whole.truncate(at);
            whole
        }),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
        1 => Just(vec![0; 7]),
        1 => Just(b"\r".to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn any_file_reads_backward_as_it_reads_forward(
        parts in proptest::collection::vec((part(), prop_oneof![6 => Just(true), 1 => Just(false)]), 1..20),
        limit in prop_oneof![Just(u64::MAX), 0_u64..150],
    ) {
        let mut bytes = Vec::new();
        for (part, ends) in parts {
            bytes.extend(part);
            if ends {
                bytes.push(b'\n');
            }
        }
        prop_assume!(!bytes.is_empty());
        let source = Source::from_bytes("t", bytes).unwrap();
        for options in [ReadOptions::default(), ReadOptions::structure_only()] {
            let options = options.with_line_limit(limit);
            prop_assert_eq!(backward(&source, options), forward(&source, options));
        }
    }
}
