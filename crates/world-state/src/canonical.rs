//! The one form in which a JSON value is kept and written: object members that are null are gone,
//! keys stand in byte order, nothing is between the tokens.
//!
//! What the value means is left to the sections.

use crate::error::SnapshotFault;
use serde_json::Value;

/// How deep a section's snapshot may nest.
///
/// A snapshot travels inside three more levels (line, payload, state), and readers refuse lines
/// deeper than 127 levels.
pub const MAX_SNAPSHOT_DEPTH: usize = 100;

/// Strips null members from objects and puts keys in order.
///
/// Arrays are kept as they stand, nulls included, because a merge patch replaces them whole; only
/// the keys of objects inside them are put in order.
pub(crate) fn canonicalize(value: Value) -> Result<Value, SnapshotFault> {
    shape(value, MAX_SNAPSHOT_DEPTH, Nulls::Stripped)
}

#[derive(Clone, Copy)]
enum Nulls {
    Stripped,
    Kept,
}

fn shape(value: Value, depth_left: usize, nulls: Nulls) -> Result<Value, SnapshotFault> {
    match value {
        Value::Object(members) => {
            let depth_left = deeper(depth_left)?;
            let mut kept = Vec::with_capacity(members.len());
            for (key, member) in members {
                if matches!(nulls, Nulls::Stripped) && member.is_null() {
                    continue;
                }
                kept.push((key, shape(member, depth_left, nulls)?));
            }
            // `serde_json` keeps insertion order when some crate of the build asks for it.
            if !kept.is_sorted_by(|a, b| a.0 < b.0) {
                kept.sort_by(|a, b| a.0.cmp(&b.0));
            }
            Ok(Value::Object(kept.into_iter().collect()))
        }
        Value::Array(elements) => {
            let depth_left = deeper(depth_left)?;
            elements
                .into_iter()
                .map(|element| shape(element, depth_left, Nulls::Kept))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::Array)
        }
        scalar => Ok(scalar),
    }
}

fn deeper(depth_left: usize) -> Result<usize, SnapshotFault> {
    depth_left.checked_sub(1).ok_or(SnapshotFault::TooDeep {
        limit: MAX_SNAPSHOT_DEPTH,
    })
}

/// Appends the value as compact JSON, objects in the order in which they stand.
pub(crate) fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => write_string(text, out),
        Value::Array(elements) => {
            out.push('[');
            for (position, element) in elements.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_value(element, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (position, (key, member)) in members.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write_value(member, out);
            }
            out.push('}');
        }
    }
}

/// Appends the value as compact JSON, the keys of all objects in byte order, nulls kept.
pub(crate) fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(b.0));
            out.push('{');
            for (position, (key, member)) in sorted.into_iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write_sorted(member, out);
            }
            out.push('}');
        }
        Value::Array(elements) => {
            out.push('[');
            for (position, element) in elements.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_sorted(element, out);
            }
            out.push(']');
        }
        scalar => write_value(scalar, out),
    }
}

/// Appends a JSON string: control characters, the quote and the backslash escaped, all else raw.
pub(crate) fn write_string(text: &str, out: &mut String) {
    const HEX: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest
        .bytes()
        .position(|b| b < 0x20 || b == b'"' || b == b'\\')
    {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut tail_chars = tail.chars();
        match tail_chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some(control) => {
                let code = u32::from(control);
                out.push_str("\\u00");
                out.push(hex_digit(&HEX, code >> 4));
                out.push(hex_digit(&HEX, code));
            }
            None => {}
        }
        rest = tail_chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn hex_digit(digits: &[char; 16], code: u32) -> char {
    digits.get((code & 0xf) as usize).copied().unwrap_or('0')
}

#[cfg(test)]
#[path = "canonical_tests.rs"]
mod tests;
