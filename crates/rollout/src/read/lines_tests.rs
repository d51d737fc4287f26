//! Lines against a plain split of the same bytes.

use std::io::{self, Read};

use proptest::prelude::*;

use super::{LineEnd, LineReader};

/// A stream that hands out its bytes a few at a time, with interruptions between.
struct Trickle<'a> {
    bytes: &'a [u8],
    step: usize,
    interrupted: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = self.step.min(room.len()).min(self.bytes.len());
        room[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

type Owned = (u64, u64, u64, Vec<u8>, LineEnd);

fn read_all(bytes: &[u8], step: usize, limit: u64) -> Vec<Owned> {
    let stream = Trickle {
        bytes,
        step,
        interrupted: false,
    };
    let mut lines = LineReader::with_limit(stream, limit);
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        assert_eq!(lines_len(&found), line.offset);
        found.push((
            line.number,
            line.offset,
            line.len_bytes,
            line.bytes.to_vec(),
            line.end,
        ));
    }
    found
}

fn lines_len(found: &[Owned]) -> u64 {
    found.iter().map(|line| line.2).sum()
}

/// What the reader must find, by a plain split.
fn expected(bytes: &[u8], limit: u64) -> Vec<Owned> {
    let mut offset = 0;
    let mut found = Vec::new();
    for (idx, part) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let (text, end) = match part.strip_suffix(b"\n") {
            None => (part, LineEnd::None),
            Some(text) => match text.strip_suffix(b"\r") {
                Some(text) => (text, LineEnd::CrLf),
                None => (text, LineEnd::Lf),
            },
        };
        let (text, end) = if text.len() as u64 > limit {
            (&[][..], LineEnd::TooLong)
        } else {
            (text, end)
        };
        let len = part.len() as u64;
        found.push((idx as u64 + 1, offset, len, text.to_vec(), end));
        offset += len;
    }
    found
}

#[test]
fn lines_of_every_length_around_the_block_are_whole() {
    let mut bytes = Vec::new();
    for len in [
        0, 1, 131_071, 131_072, 262_143, 262_144, 262_145, 1_000_000, 3, 700_000,
    ] {
        bytes.extend(std::iter::repeat_n(b'x', len));
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(b"tail");
    for step in [7_777, 262_144, usize::MAX] {
        assert_eq!(read_all(&bytes, step, u64::MAX), expected(&bytes, u64::MAX));
    }
}

#[test]
fn a_line_over_the_limit_is_passed_over_without_being_held() {
    let mut bytes = b"before\n".to_vec();
    bytes.extend(std::iter::repeat_n(b'x', 40 * 1024 * 1024));
    bytes.extend_from_slice(b"\nafter\n");
    let mut lines = LineReader::with_limit(&bytes[..], 1024);
    assert_eq!(lines.next_line().unwrap().unwrap().bytes, b"before");
    let long = lines.next_line().unwrap().unwrap();
    assert_eq!(
        (long.number, long.offset, long.end),
        (2, 7, LineEnd::TooLong)
    );
    assert_eq!(long.len_bytes, 40 * 1024 * 1024 + 1);
    assert!(
        lines.buf.capacity() <= 2 * 1024 * 1024,
        "held {}",
        lines.buf.capacity()
    );
    let after = lines.next_line().unwrap().unwrap();
    assert_eq!((after.number, after.bytes), (3, &b"after"[..]));
    assert!(lines.next_line().unwrap().is_none());
}

#[test]
fn the_room_of_one_giant_line_is_given_back() {
    let mut bytes = vec![b'x'; 30 * 1024 * 1024];
    for _ in 0..200_000 {
        bytes.extend_from_slice(b"\nshort line");
    }
    let mut lines = LineReader::new(&bytes[..]);
    while lines.next_line().unwrap().is_some() {}
    assert!(
        lines.buf.capacity() <= 2 * 1024 * 1024,
        "held {}",
        lines.buf.capacity()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_bytes_split_as_a_plain_split_does(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..400),
        step in 1_usize..60,
        limit in prop_oneof![Just(u64::MAX), 0_u64..30],
    ) {
        prop_assert_eq!(read_all(&bytes, step, limit), expected(&bytes, limit));
    }
}
