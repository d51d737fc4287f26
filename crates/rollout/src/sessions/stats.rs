//! What a rollout is made of, in numbers.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::read::fault::FaultKind;
use crate::read::records::Entry;
use crate::read::source::Source;

/// Records of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct KindStats {
    /// How many.
    pub records: u64,
    /// Their lines' bytes, line ends not counted.
    pub bytes: u64,
}

/// Counts over one rollout file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RolloutStats {
    /// Physical lines.
    pub lines: u64,
    /// Bytes, decompressed.
    pub bytes: u64,
    /// Records by their type; what lies beyond a thousand types is counted under `…`.
    pub kinds: BTreeMap<String, KindStats>,
    /// Faults by kind.
    pub faults: BTreeMap<FaultKind, u64>,
    /// The first and the last timestamp, as written.
    pub time_span: Option<(String, String)>,
    /// The longest record, in bytes.
    pub longest_record_bytes: u64,
}

impl RolloutStats {
    /// Counts a rollout in one pass; payloads are not decoded.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if it can't be read.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let mut stats = Self::default();
        let mut records = source.scan();
        while let Some(entry) = records.next()? {
            match entry {
                Entry::Fault(fault) => *stats.faults.entry(fault.kind()).or_default() += 1,
                Entry::Record(record) => {
                    let len = record.text.len() as u64;
                    let tag = record.envelope.tag;
                    let known = stats.kinds.contains_key(tag) || stats.kinds.len() < 1000;
                    let tag = if known { tag } else { "\u{2026}" };
                    // Looked up first: a known type costs no allocation.
                    if let Some(kind) = stats.kinds.get_mut(tag) {
                        kind.records += 1;
                        kind.bytes += len;
                    } else {
                        let kind = KindStats {
                            records: 1,
                            bytes: len,
                        };
                        stats.kinds.insert(tag.to_owned(), kind);
                    }
                    stats.longest_record_bytes = stats.longest_record_bytes.max(len);
                    let time = record.envelope.timestamp;
                    match &mut stats.time_span {
                        Some((_, last)) => {
                            last.clear();
                            last.push_str(time);
                        }
                        None => stats.time_span = Some((time.to_owned(), time.to_owned())),
                    }
                }
            }
        }
        stats.lines = records.counts().lines;
        stats.bytes = source.len_bytes();
        Ok(stats)
    }
}
