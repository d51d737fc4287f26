//! Whatever a write takes, the file ends up with every line once and in order.

use proptest::prelude::*;

use super::{Pending, Remainder};

fn pending(lines: &[&str]) -> Pending {
    let mut pending = Pending::default();
    for (idx, line) in lines.iter().enumerate() {
        pending.bytes.extend_from_slice(line.as_bytes());
        pending.bytes.push(b'\n');
        pending.line_added(idx as u64 + 1, pending.bytes.len());
    }
    pending
}

#[test]
fn a_write_that_stops_inside_a_line_leaves_that_line_whole() {
    let mut pending = pending(&["one", "two", "three"]);
    assert_eq!(
        pending.take_off(6),
        Remainder {
            whole_lines: 1,
            torn: true
        }
    );
    assert_eq!(pending.bytes, b"two\nthree\n");
    assert_eq!(pending.last_seq(), 3);
}

#[test]
fn a_write_that_stops_before_a_line_end_leaves_that_line_end_only() {
    let mut pending = pending(&["one", "two"]);
    assert_eq!(
        pending.take_off(3),
        Remainder {
            whole_lines: 0,
            torn: false
        }
    );
    assert_eq!(pending.bytes, b"\ntwo\n");
    assert_eq!(
        pending.take_off(1),
        Remainder {
            whole_lines: 1,
            torn: false
        }
    );
    assert_eq!(pending.bytes, b"two\n");
}

proptest! {
    #[test]
    fn any_sequence_of_short_writes_brings_every_line_once(
        lines in proptest::collection::vec("[a-z]{1,6}", 1..8),
        steps in proptest::collection::vec(0_usize..9, 0..30),
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut pending = pending(&lines);
        let mut file = Vec::new();
        let mut torn = false;
        for step in steps.into_iter().chain([usize::MAX]) {
            if torn {
                file.push(b'\n');
            }
            let taken = step.min(pending.bytes.len());
            file.extend_from_slice(&pending.bytes[..taken]);
            torn = pending.take_off(taken).torn;
        }
        prop_assert!(pending.is_empty());
        let text = String::from_utf8(file).unwrap();
        // Each torn piece is a proper prefix of the line that was then written whole.
        let mut whole = lines.iter().peekable();
        for line in text.lines() {
            if whole.peek().is_some_and(|next| **next == line) {
                whole.next();
            } else {
                prop_assert!(whole.peek().is_some_and(|next| next.starts_with(line)), "{text:?}");
            }
        }
        prop_assert!(whole.next().is_none(), "{text:?}");
    }
}
