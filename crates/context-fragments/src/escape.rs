//! Keeps values from closing the fragment they stand in, in a way that can be read back.
//! Which values stand in which fragment is the catalogue's.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes a value for a place between XML-like tags, or in an attribute.
///
/// `& < > " '` become named references. Control characters (line breaks and NUL among them), bidirectional controls and
/// zero-width characters become numeric ones, so a value stays on one line and shows what it holds.
///
/// **Cost**: O(length); nothing is copied when nothing needs escaping.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{xml_escape, xml_unescape};
///
/// let name = "R&D </cwd>\n\u{202e}";
/// let escaped = xml_escape(name);
/// assert_eq!(escaped, "R&amp;D &lt;/cwd&gt;&#xA;&#x202E;");
/// assert_eq!(xml_unescape(&escaped), name);
/// ```
pub fn xml_escape(value: &str) -> Cow<'_, str> {
    let Some(first) = value.find(needs_escape) else {
        return Cow::Borrowed(value);
    };
    let (clean, rest) = value.split_at(first);
    let mut out = String::with_capacity(value.len() + 16);
    out.push_str(clean);
    for c in rest.chars() {
        xml_escape_char(&mut out, c);
    }
    Cow::Owned(out)
}

/// Appends one character as [`xml_escape`] writes it.
pub(crate) fn xml_escape_char(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&apos;"),
        c if needs_escape(c) => push_reference(out, c),
        c => out.push(c),
    }
}

/// Reads back what [`xml_escape`] wrote. Anything that is not one of its references is left as it is.
pub fn xml_unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        if let Some((c, tail)) = reference(after) {
            out.push(c);
            rest = tail;
        } else {
            out.push('&');
            rest = after;
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of a reference, given the text behind its `&`, and what follows it.
fn reference(after: &str) -> Option<(char, &str)> {
    // The longest reference that is ever written is `#x10FFFF;`; looking no further keeps this linear.
    let window = after.get(..after.floor_char_boundary(9))?;
    let (name, _) = window.split_once(';')?;
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => char::from_u32(u32::from_str_radix(name.strip_prefix("#x")?, 16).ok()?)?,
    };
    Some((c, after.get(name.len() + 1..)?))
}

fn push_reference(out: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _written = write!(out, "&#x{:X};", u32::from(c));
}

fn needs_escape(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'') || c.is_control() || is_invisible(c)
}

/// Takes the power to close a fragment from a free text: whatever reads as `end_marker` gets its first character
/// replaced by a reference. All else stays byte for byte.
///
/// A marker is read as one in either case and with white space, control, zero-width or bidirectional characters between
/// its letters, as a model may read it so. What looks like the replacement already gains one more `amp;`, so that
/// [`restore`] always gives the text back. That holds for markers whose first character does not occur in them again.
///
/// **Cost**: O(length); nothing is copied when nothing needs it.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{neutralize, restore};
///
/// let text = "a < b && c\n</NOTE >";
/// let safe = neutralize(text, "</note>");
/// assert_eq!(safe, "a < b && c\n&lt;/NOTE >");
/// assert_eq!(restore(&safe, "</note>"), text);
/// ```
pub fn neutralize<'a>(text: &'a str, end_marker: &str) -> Cow<'a, str> {
    let Some(pattern) = Pattern::new(end_marker) else {
        return Cow::Borrowed(text);
    };
    pattern.rewrite(text, |pattern, out, found| match found {
        Found::Marker => {
            out.push('&');
            out.push_str(&pattern.reference);
            pattern.first.len_utf8()
        }
        Found::Reference { .. } => {
            out.push_str("&amp;");
            1
        }
    })
}

/// Reads back what [`neutralize`] wrote for the same marker.
pub fn restore<'a>(text: &'a str, end_marker: &str) -> Cow<'a, str> {
    let Some(pattern) = Pattern::new(end_marker) else {
        return Cow::Borrowed(text);
    };
    pattern.rewrite(text, |pattern, out, found| match found {
        Found::Marker => {
            out.push(pattern.first);
            pattern.first.len_utf8()
        }
        Found::Reference { amps: 0 } => {
            out.push(pattern.first);
            1 + pattern.reference.len()
        }
        Found::Reference { .. } => {
            out.push('&');
            1 + "amp;".len()
        }
    })
}

/// An end marker as it is looked for in a text.
struct Pattern {
    first: char,
    /// The characters behind the first, in lower case, without those that are passed over.
    rest: Vec<char>,
    /// What stands behind `&` in the replacement of the first character.
    reference: String,
}

/// What begins at a position of a text.
enum Found {
    /// The marker itself.
    Marker,
    /// The replacement of the marker, with so many `amp;` in it.
    Reference { amps: usize },
}

impl Pattern {
    fn new(marker: &str) -> Option<Self> {
        let mut chars = marker.chars().filter(|&c| !is_passed_over(c));
        let first = chars.next()?;
        let rest = chars.map(|c| c.to_ascii_lowercase()).collect();
        let reference = if first == '<' {
            "lt;".to_owned()
        } else {
            format!("#x{:X};", u32::from(first))
        };
        Some(Self {
            first,
            rest,
            reference,
        })
    }

    /// Copies a text, handing every place where something is found to `replace`, which writes in its stead and says
    /// how many bytes of the text that stands for.
    fn rewrite<'a>(
        &self,
        text: &'a str,
        replace: impl Fn(&Self, &mut String, Found) -> usize,
    ) -> Cow<'a, str> {
        let mut out = String::new();
        let mut copied = 0;
        let mut at = 0;
        while let Some(next) = text.get(at..).and_then(|rest| rest.find([self.first, '&'])) {
            at += next;
            let here = text.get(at..).unwrap_or_default();
            let Some(found) = self.look(here) else {
                at += here.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            out.push_str(text.get(copied..at).unwrap_or_default());
            at += replace(self, &mut out, found);
            copied = at;
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// What begins here, if anything.
    fn look(&self, here: &str) -> Option<Found> {
        if here
            .strip_prefix(self.first)
            .is_some_and(|rest| self.rest_follows(rest))
        {
            return Some(Found::Marker);
        }
        let mut rest = here.strip_prefix('&')?;
        let mut amps = 0;
        while let Some(inner) = rest.strip_prefix("amp;") {
            rest = inner;
            amps += 1;
        }
        let rest = rest.strip_prefix(self.reference.as_str())?;
        self.rest_follows(rest).then_some(Found::Reference { amps })
    }

    /// Whether the rest of the marker stands here, whatever invisible things stand between.
    ///
    /// A run of invisible characters ends at the next visible one, and a place where something may begin is visible,
    /// so no run is walked twice.
    fn rest_follows(&self, text: &str) -> bool {
        let mut visible = text.chars().filter(|&c| !is_passed_over(c));
        self.rest.iter().all(|&want| {
            visible
                .next()
                .is_some_and(|c| c.to_ascii_lowercase() == want)
        })
    }
}

/// Characters that do not keep a reader from seeing a marker.
fn is_passed_over(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_invisible(c)
}

/// Zero-width characters, bidirectional controls, fillers, variation selectors and tags.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
#[path = "escape_tests.rs"]
mod tests;
