//! What the fragments share: values within a room, lists within a room, and reading a text back.

use crate::body::cut_mark;
use crate::escape::xml_escape_char;
use crate::markers::matches_trimmed;
use crate::{Cut, FragmentSpec, restore};

/// The text between the markers of a rendering, white space around the whole left aside.
pub(super) fn inner<'a>(spec: &FragmentSpec, text: &'a str) -> Option<&'a str> {
    let trimmed = text.trim();
    if !matches_trimmed(spec.start(), spec.end(), trimmed) {
        return None;
    }
    trimmed.get(spec.start().len()..trimmed.len() - spec.end().len())
}

/// The free text of a rendering: between the markers, without lead and tail, with the end marker given back.
pub(super) fn read_text(
    spec: &FragmentSpec,
    text: &str,
    (lead, tail): (&str, &str),
) -> Option<String> {
    let text = inner(spec, text)?.strip_prefix(lead)?.strip_suffix(tail)?;
    Some(restore(text, spec.end()).into_owned())
}

/// A value, escaped for its place between tags, of at most `room_bytes`; cut at its end with a mark if it must be.
pub(super) fn escaped_within(value: &str, room_bytes: usize) -> (String, Option<Cut>) {
    let mark_bytes = cut_mark(value.len()).len();
    let mut out = String::new();
    // Where the text still leaves room for a mark: how much is written, how much of the value that is.
    let mut fallback = (0, 0);
    for (at, c) in value.char_indices() {
        if out.len() + mark_bytes <= room_bytes {
            fallback = (out.len(), at);
        }
        xml_escape_char(&mut out, c);
        if out.len() > room_bytes {
            let (written, kept) = fallback;
            out.truncate(written);
            out.push_str(&cut_mark(value.len() - kept));
            return (out, Some(Cut::new(value.len(), kept)));
        }
    }
    (out, None)
}

/// The entries that fit into `room_bytes`, in order, then a line that counts the rest.
///
/// An entry is written whole or not at all, and the list ends at the first that does not fit. The line of the rest is
/// made by `omitted` from their number, and its room is kept free.
pub(super) fn list_within<I, F>(entries: I, room_bytes: usize, omitted: F) -> (String, Option<Cut>)
where
    I: IntoIterator<Item = String>,
    F: Fn(usize) -> String,
{
    let entries: Vec<String> = entries.into_iter().collect();
    let all_bytes: usize = entries.iter().map(String::len).sum();
    if all_bytes <= room_bytes {
        return (entries.concat(), None);
    }
    let room = room_bytes.saturating_sub(omitted(entries.len()).len());
    let mut out = String::new();
    let mut n_kept = 0;
    for entry in &entries {
        if out.len() + entry.len() > room {
            break;
        }
        out.push_str(entry);
        n_kept += 1;
    }
    let cut = Cut::new(all_bytes, out.len());
    let line = omitted(entries.len() - n_kept);
    if out.len() + line.len() <= room_bytes {
        out.push_str(&line);
    }
    (out, Some(cut))
}

/// A value on one line: line breaks and other control characters become blanks. For lists that nobody reads back.
pub(super) fn one_line(value: &str) -> String {
    value
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The first line of a description, trimmed, of at most `max_chars` characters, with an ellipsis where it is cut.
pub(super) fn description(value: &str, max_chars: usize) -> String {
    let line = value.trim().lines().next().unwrap_or_default().trim();
    let line = one_line(line);
    if line.char_indices().nth(max_chars).is_none() {
        return line;
    }
    let kept: String = line.chars().take(max_chars.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
