//! Takes a damaged line apart: whole records in it are found again, the rest becomes faults.
//! Only called for lines that do not read as one record, so it may be thorough.

use annals_protocol::{DecodeError, Envelope, next_record_start};
use serde::de::IgnoredAny;

use crate::read::fault::{Fault, FaultKind, Place};
use crate::read::lines::{Line, LineEnd};

/// How often, on average, a byte may be looked at before the rest of the line is given up.
const WORK_FACTOR: usize = 8;
/// How many faults one line can have; more of them say nothing new.
const FAULTS_PER_LINE: usize = 64;

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A whole record: first byte and end within the line's bytes.
    Record(usize, usize),
    /// Something that is none.
    Fault(Fault),
}

/// What is wrong with a text, in terms of a fault.
pub(crate) fn kind_of(error: &DecodeError) -> FaultKind {
    match error {
        DecodeError::Syntax { is_eof: true, .. } => FaultKind::Torn,
        DecodeError::TooDeep { .. } => FaultKind::TooDeep,
        DecodeError::LoneSurrogate { .. } => FaultKind::LoneSurrogate,
        DecodeError::TooLarge { .. } => FaultKind::TooLong,
        DecodeError::NotObject => FaultKind::NotObject,
        DecodeError::MissingMember {
            member: "timestamp",
        } => FaultKind::MissingTimestamp,
        DecodeError::MissingMember { member: "type" } => FaultKind::MissingType,
        DecodeError::MissingMember { .. } => FaultKind::MissingPayload,
        DecodeError::Malformed { .. } => FaultKind::Malformed,
        _ => FaultKind::NotJson,
    }
}

/// The parts of a line that does not read as one record, in order.
pub(crate) fn take_apart(place: &Place<'_>, line: &Line<'_>) -> Vec<Piece> {
    if line.end == LineEnd::TooLong {
        let reason = format!("{} bytes are more than the line limit", line.len_bytes);
        return vec![Piece::Fault(Fault::new(
            place,
            line.offset,
            FaultKind::TooLong,
            reason,
        ))];
    }
    let mut parts = Parts {
        place,
        line,
        pieces: Vec::new(),
        n_records: 0,
        n_faults: 0,
    };
    parts.run();
    parts.pieces
}

struct Parts<'a> {
    place: &'a Place<'a>,
    line: &'a Line<'a>,
    pieces: Vec<Piece>,
    n_records: usize,
    n_faults: usize,
}

impl Parts<'_> {
    fn run(&mut self) {
        let bytes = self.line.bytes;
        let mut work_left = bytes.len().saturating_mul(WORK_FACTOR);
        let mut at = 0;
        while at < bytes.len() {
            let rest = bytes.get(at..).unwrap_or_default();
            let blank = rest
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let nul = rest.iter().take_while(|&&byte| byte == 0).count();
            if blank > 0 {
                at += blank;
            } else if nul > 0 {
                self.fault(at, FaultKind::NulRun, format!("{nul} bytes"));
                at += nul;
            } else if let Some(len) = value_len(rest) {
                work_left = work_left.saturating_sub(len);
                self.value(at, at + len);
                at += len;
            } else {
                let next = next_record_start(rest).map_or(bytes.len(), |found| at + found);
                self.broken(at, next);
                // Without a record start ahead nothing is tried again, so nothing is spent.
                work_left = work_left.saturating_sub(rest.len());
                at = next;
                if work_left == 0 && at < bytes.len() {
                    self.fault(
                        at,
                        FaultKind::NotJson,
                        "too damaged to be taken apart".to_owned(),
                    );
                    break;
                }
            }
        }
        if self.n_records > 1 && self.n_faults == 0 {
            let reason = format!("{} records on one line, all recovered", self.n_records);
            let fault = Fault::new(self.place, self.line.offset, FaultKind::Glued, reason);
            self.pieces.insert(0, Piece::Fault(fault));
        }
    }

    /// A part that is one JSON value by its grammar.
    fn value(&mut self, start: usize, end: usize) {
        let bytes = self.line.bytes.get(start..end).unwrap_or_default();
        let Ok(text) = simdutf8::compat::from_utf8(bytes).map_err(|error| {
            let reason = format!("at byte {}", error.valid_up_to());
            self.fault_at(start, Some(error.valid_up_to()), FaultKind::NotUtf8, reason);
        }) else {
            return;
        };
        match Envelope::parse(text) {
            Ok(_) => {
                self.n_records += 1;
                self.pieces.push(Piece::Record(start, end));
            }
            Err(error) => {
                self.fault_at(
                    start,
                    error.byte_offset(),
                    kind_of(&error),
                    error.to_string(),
                );
            }
        }
    }

    /// A part that is no JSON value, up to the next record or the line's end.
    fn broken(&mut self, start: usize, end: usize) {
        let bytes = self.line.bytes.get(start..end).unwrap_or_default();
        let at_tail = end == self.line.bytes.len() && self.line.end == LineEnd::None;
        let (kind, reason, at) = match simdutf8::compat::from_utf8(bytes) {
            // A cut inside a character is a torn record like any other.
            Err(error) if !(error.error_len().is_none() && bytes.starts_with(b"{")) => (
                FaultKind::NotUtf8,
                format!("at byte {}", error.valid_up_to()),
                Some(error.valid_up_to()),
            ),
            Err(_) => {
                let reason = "cut inside a character".to_owned();
                (FaultKind::Torn, reason, Some(bytes.len()))
            }
            Ok(text) => match Envelope::parse(text) {
                Err(error) => (kind_of(&error), error.to_string(), error.byte_offset()),
                Ok(_) => (FaultKind::NotJson, String::new(), None),
            },
        };
        // A prefix with a record behind it ended where that record begins.
        let glued = end < self.line.bytes.len() && bytes.starts_with(b"{");
        let kind = match kind {
            FaultKind::Torn if at_tail => FaultKind::TornTail,
            FaultKind::NotJson if glued => FaultKind::Torn,
            other => other,
        };
        self.fault_at(start, at, kind, reason);
    }

    fn fault(&mut self, start: usize, kind: FaultKind, reason: String) {
        self.fault_at(start, None, kind, reason);
    }

    /// A fault of the part that begins at `start`, seen so many bytes behind that.
    fn fault_at(&mut self, start: usize, at: Option<usize>, kind: FaultKind, reason: String) {
        self.n_faults += 1;
        if self.n_faults <= FAULTS_PER_LINE {
            let offset = self.line.offset + start as u64;
            let fault = Fault::new(self.place, offset, kind, reason).seen_at(at);
            self.pieces.push(Piece::Fault(fault));
        }
    }
}

/// The length of the JSON value at the start of `bytes`; strings are not checked to be UTF-8.
fn value_len(bytes: &[u8]) -> Option<usize> {
    if !bytes.starts_with(b"{") && !bytes.starts_with(b"[") {
        // A bare word or number may go on in the next part; only a whole line of it counts.
        return serde_json::from_slice::<IgnoredAny>(bytes)
            .ok()
            .map(|_| bytes.len());
    }
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

#[cfg(test)]
#[path = "recover_tests.rs"]
mod tests;
