//! Files that people take for sessions, told apart by how they start.

use super::guess_by_head;

/// The guess at a file that starts so holds that word; no word means no guess.
fn check(head: &[u8], word: &str) {
    let guess = guess_by_head(head);
    let shown = String::from_utf8_lossy(head);
    match guess {
        Some(guess) => assert!(!word.is_empty() && guess.contains(word), "{shown}: {guess}"),
        None => assert_eq!(word, "", "{shown}"),
    }
}

#[test]
fn the_likeliest_mistakes_are_told_apart() {
    check(&[0x1F, 0x8B, 8, 0], "gzip");
    check(b"SQLite format 3\0\x10\0", "database");
    check(&[0, 159, 146, 150], "no text");
    check(br#"{"sessionId":"x","type":"user"}"#, "another agent");
    check(
        br#"{"session_id":"x","ts":1,"text":"hi"}"#,
        "what was typed",
    );
    check(b"[\n  1\n]", "one JSON document");
    check(b"{\n  \"a\": 1\n}", "one JSON document");
    check(b"model = \"gpt-5.5\"\n", "settings");
    check(b"[mcp_servers.docs]\ncommand = \"x\"", "settings");
    check(b"# AGENTS.md\n", "notes");
}

#[test]
fn of_a_damaged_session_nothing_else_is_guessed() {
    check(br#"{"timestamp":"x","type":"event_msg","payload":{}}"#, "");
    check(b"torn", "");
    check(b"", "");
}
