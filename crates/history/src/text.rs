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

/// How many bytes of UTF-8 the string has that the JSON text `value` stands for; 0 if it is none.
///
/// Nothing is decoded: what an escape stands for is told by its form.
pub(crate) fn decoded_len(value: &str) -> usize {
    let Some(inner) = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    else {
        return 0;
    };
    let mut len = 0;
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        len += at;
        let escape = rest.get(at + 1..).unwrap_or_default();
        let hex = |digits: Option<&str>| digits.and_then(|text| u32::from_str_radix(text, 16).ok());
        let (stands_for, written) = match escape.strip_prefix('u').map(|rest| hex(rest.get(..4))) {
            None => (1, 1),
            Some(Some(0..=0x7F)) => (1, 5),
            // The two halves of a surrogate pair count for two bytes each.
            Some(Some(0x80..=0x7FF | 0xD800..=0xDFFF)) => (2, 5),
            Some(_) => (3, 5),
        };
        len += stands_for;
        rest = escape.get(written..).unwrap_or_default();
    }
    len + rest.len()
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

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
