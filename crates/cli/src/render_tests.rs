//! Tests of what people read.

use super::*;

fn style(width: Option<usize>) -> Style {
    Style {
        width,
        exact_bytes: false,
        now: Timestamp::parse("2026-03-15T09:12:05Z").unwrap(),
    }
}

#[test]
fn sizes_have_three_digits_and_a_unit() {
    let cases = [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 KB"),
        (12_345, "12.3 KB"),
        (999_999, "999 KB"),
        (1_000_000, "1.0 MB"),
        (264_000_000, "264 MB"),
        (u64::MAX, "18446 PB"),
    ];
    for (bytes, text) in cases {
        assert_eq!(units(bytes), text);
    }
}

#[test]
fn thousands_stand_apart() {
    assert_eq!(grouped(7), "7");
    assert_eq!(grouped(1_234), "1,234");
    assert_eq!(grouped(1_234_567), "1,234,567");
}

#[test]
fn times_stand_beside_how_long_ago_they_are() {
    let style = style(None);
    assert_eq!(
        style.time("2026-03-14T09:12:05.145Z"),
        "2026-03-14 09:12:05Z (23 h ago)"
    );
    assert_eq!(style.time("yesterday"), "yesterday");
    assert_eq!(
        style.time("2027-01-01T00:00:00Z"),
        "2027-01-01 00:00:00Z (in the future)"
    );
    assert_eq!(span(59), "59 s");
    assert_eq!(span(86_400 * 100), "3 months");
}

#[test]
fn a_table_fits_and_leans() {
    let mut table = Table::new(&["name", "#count", "what"]);
    table.row(["a".to_owned(), "12".to_owned(), "short".to_owned()]);
    table.row(["longer".to_owned(), "3".to_owned(), "word ".repeat(20)]);
    let mut out = Vec::new();
    table.write(&mut out, &style(Some(40))).unwrap();
    let text = anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string();
    insta::assert_snapshot!(text, @r"
    name    count  what
    a          12  short
    longer      3  word word word word word…
    ");
}

#[test]
fn nothing_from_a_file_moves_the_cursor() {
    assert_eq!(one_line("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb c");
    assert_eq!(harmless("a\u{7}\n\tb"), "a\u{fffd}\n\tb");
}
