//! What a file is that was taken for a session: the likeliest mistakes, told by its first bytes.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// How much of a file is looked at.
const HEAD_BYTES: u64 = 4096;

/// What a file seems to be, and what to do then; nothing where that can't be told.
pub(crate) fn guess(path: &Path) -> Option<&'static str> {
    let mut head = Vec::new();
    let file = File::open(path).ok()?;
    // A pipe gives its bytes once; what was read is gone.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    file.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    guess_by_head(&head)
}

fn guess_by_head(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(&[0x1F, 0x8B]) {
        return Some("the file is packed by gzip: unpack it first; only .zst is read as it is");
    }
    if head.starts_with(b"SQLite format 3\0") {
        return Some("the file is a database: name the session's .jsonl file, or its id");
    }
    let text = String::from_utf8_lossy(head);
    if text.contains('\0') || text.matches('\u{fffd}').count() > 8 {
        return Some("the file holds no text: name the session's .jsonl file, or its id");
    }
    let first = text.trim_start().lines().next().unwrap_or_default().trim();
    if first.starts_with('{') && first.ends_with('}') {
        let has = |name: &str| first.contains(&format!("\"{name}\""));
        if has("session_id") && has("ts") && has("text") {
            return Some(
                "the file is a list of what was typed: name the session's rollout-….jsonl file, or its id",
            );
        }
        if !has("payload") {
            return Some(
                "the lines are JSON, but no records of Codex: another agent's session? only Codex's and annals' own are read",
            );
        }
        return None;
    }
    if first.starts_with(['{', '[']) && !first.starts_with("[[") {
        let is_table = first.starts_with('[')
            && first.ends_with(']')
            && first.bytes().any(|byte| byte.is_ascii_alphabetic())
            && !first.contains('"');
        if !is_table {
            return Some("the file is one JSON document; a session has a JSON object on each line");
        }
    }
    if first.starts_with('[') || first.starts_with('#') || first.contains(" = ") {
        return Some(
            "the file looks like settings or notes: name the session's .jsonl file, or its id",
        );
    }
    None
}

#[cfg(test)]
#[path = "mistake_tests.rs"]
mod tests;
