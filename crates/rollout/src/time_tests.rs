//! Times against values known from elsewhere, and both ways.

use proptest::prelude::*;

use super::Timestamp;

#[test]
fn known_moments_have_their_text() {
    for (unix_ms, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
        (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] {
        assert_eq!(Timestamp::from_unix_ms(unix_ms).to_string(), text);
        assert_eq!(
            Timestamp::parse(text),
            Some(Timestamp::from_unix_ms(unix_ms))
        );
    }
}

#[test]
fn texts_that_are_no_time_are_refused() {
    for text in [
        "",
        "2026-12-01",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-12-01T24:00:00Z",
        "2026-12-01T00:00:00.x",
        "2026-12-0\u{e9}T00:00:00",
        "1969-12-31T23:59:59Z",
    ] {
        assert_eq!(Timestamp::parse(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn text_and_moment_are_each_others_inverse(unix_ms in 0..=super::MAX_UNIX_MS) {
        let time = Timestamp::from_unix_ms(unix_ms);
        prop_assert_eq!(Timestamp::parse(&time.to_string()), Some(time));
        let seconds = Timestamp::from_unix_ms(unix_ms / 1000 * 1000);
        prop_assert_eq!(Timestamp::parse(&time.file_name_part()), Some(seconds));
    }
}
