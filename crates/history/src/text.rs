//! Strings as they stand in JSON text: compared and read without decoding where that is possible.

use std::borrow::Cow;

/// The string that the JSON text `value` stands for; `None` if it is no string.
///
/// Borrows where the text holds no escape.
pub(crate) fn string(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str::<String>(value).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Whether the JSON text `value` is the empty string.
pub(crate) fn is_empty_string(value: &str) -> bool {
    value == "\"\""
}

/// Writes `text` as a JSON string behind what `out` holds.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if u32::from(c) < 0x20 => {
                let digits = format!("\\u{:04x}", u32::from(c));
                out.push_str(&digits);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A length that fits into the facts.
pub(crate) fn saturated(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
