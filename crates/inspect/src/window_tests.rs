//! Tests of the piece of a line that is shown.

use super::*;

fn around(text: &[u8], at: u64) -> LineWindow {
    let source = Source::from_bytes("memory", text.to_vec()).expect("not empty");
    LineWindow::around(&source, at).expect("it is in the text")
}

/// The piece with a caret beneath, as a person sees it.
fn drawn(text: &[u8], at: u64) -> String {
    let window = around(text, at);
    format!("{}\n{}^", window.text, " ".repeat(window.caret))
}

#[test]
fn a_short_line_is_shown_whole_and_no_other_one() {
    let text = b"{\"first\": 1}\n{\"second\": x}\n{\"third\": 3}\n";
    let at = 13 + 11;
    assert_eq!(drawn(text, at), "{\"second\": x}\n           ^");
    let window = around(text, at);
    assert!(!window.is_cut_before && !window.is_cut_behind);
}

#[test]
fn the_start_the_end_and_the_line_end_can_be_meant() {
    assert_eq!(drawn(b"ab\ncd", 0), "ab\n^");
    assert_eq!(drawn(b"ab\ncd", 2), "ab\n  ^");
    assert_eq!(drawn(b"ab\ncd", 3), "cd\n^");
    assert_eq!(drawn(b"ab\ncd", 5), "cd\n  ^");
    let source = Source::from_bytes("memory", "ab").expect("not empty");
    assert_eq!(LineWindow::around(&source, 900), None);
}

#[test]
fn of_a_long_line_both_sides_are_cut() {
    let mut text = vec![b'a'; 1_000];
    text[500] = b'X';
    let window = around(&text, 500);
    assert!(window.is_cut_before && window.is_cut_behind);
    assert_eq!((window.text.len(), window.caret), (120, 60));
    assert_eq!(window.text.chars().nth(window.caret), Some('X'));
}

#[test]
fn what_is_no_text_takes_one_column_a_character_and_moves_no_cursor() {
    let text = format!("{}X{}", "é".repeat(100), "\u{1b}[2J\r\tend");
    let window = around(text.as_bytes(), 200);
    assert_eq!(window.text.chars().nth(window.caret), Some('X'));
    assert!(
        window.text.ends_with("X\u{fffd}[2J\u{fffd} end"),
        "{window:?}"
    );
    // Either end may lie in a character, which is left out then.
    let text = format!("{}a{}", "é".repeat(50), "é".repeat(50));
    for (at, caret) in [(100, 30), (101, 30)] {
        let window = around(text.as_bytes(), at);
        assert!(!window.text.contains('\u{fffd}'), "{window:?}");
        assert_eq!(window.caret, caret, "{window:?}");
    }
    let bad = [b"ok ".as_slice(), &[0xFF, 0xFE], b" on"].concat();
    assert_eq!(drawn(&bad, 3), "ok \u{fffd}\u{fffd} on\n   ^");
}
