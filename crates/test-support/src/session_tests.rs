//! Tests of the generator: valid lines, the same bytes every time, the sizes asked for.

use annals_protocol::{RecordKind, RolloutLine};

use super::*;

fn session(spec: &SessionSpec) -> (String, usize) {
    let mut out = Vec::new();
    let n_items = write_session(spec, &mut out).expect("memory takes all");
    (String::from_utf8(out).expect("UTF-8"), n_items)
}

#[test]
fn every_line_is_valid_and_the_items_are_counted() {
    for is_paginated in [true, false] {
        for compaction_at in [None, Some(0.5)] {
            let spec = SessionSpec {
                is_paginated,
                compaction_at,
                ..SessionSpec::new(60)
            };
            let (text, n_items) = session(&spec);
            let lines: Vec<RolloutLine> = text
                .lines()
                .map(|line| RolloutLine::parse(line).expect("valid"))
                .collect();
            let count = |kind| {
                lines
                    .iter()
                    .filter(|line| line.item().kind() == kind)
                    .count()
            };
            assert_eq!(count(RecordKind::ResponseItem), n_items);
            assert!(n_items >= 60);
            assert_eq!(
                count(RecordKind::Compacted),
                usize::from(compaction_at.is_some())
            );
            assert_eq!(count(RecordKind::Other), 0);
            assert!(
                lines
                    .iter()
                    .all(|line| line.ordinal().is_some() == is_paginated)
            );
        }
    }
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    let spec = SessionSpec::new(40);
    assert_eq!(session(&spec), session(&spec));
}
