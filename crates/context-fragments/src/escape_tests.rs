//! Escaping: exact forms, and that everything can be read back.

use proptest::prelude::*;

use super::*;

#[test]
fn the_five_signs_become_named_references() {
    assert_eq!(
        xml_escape("a&b<c>d\"e'f"),
        "a&amp;b&lt;c&gt;d&quot;e&apos;f"
    );
    assert!(matches!(xml_escape("plain é 漢"), Cow::Borrowed(_)));
}

#[test]
fn what_is_invisible_becomes_visible() {
    assert_eq!(
        xml_escape("a\r\n\0\t\u{200b}\u{202e}"),
        "a&#xD;&#xA;&#x0;&#x9;&#x200B;&#x202E;"
    );
}

#[test]
fn unknown_references_are_left_alone() {
    let check = |text: &str, expect: &str| assert_eq!(xml_unescape(text), expect);
    check(
        "&nbsp; & &; &#x; &#xZZ; &#x110000;",
        "&nbsp; & &; &#x; &#xZZ; &#x110000;",
    );
    check("&#x41;&amp;lt;", "A&lt;");
    check("&é", "&é");
}

#[test]
fn only_the_end_marker_is_neutralized() {
    let check = |text: &str, expect: &str| {
        let safe = neutralize(text, "</INSTRUCTIONS>");
        assert_eq!(safe, expect);
        assert_eq!(restore(&safe, "</INSTRUCTIONS>"), text);
    };
    check("if a < b && c > d { \"x\" }", "if a < b && c > d { \"x\" }");
    check("</instructions>", "&lt;/instructions>");
    check(
        "</INSTRUCTIONS ><INSTRUCTIONS>",
        "&lt;/INSTRUCTIONS ><INSTRUCTIONS>",
    );
    check("<\u{200b}/INST\0RUCTIONS>", "&lt;\u{200b}/INST\0RUCTIONS>");
    check("&lt;/INSTRUCTIONS>", "&amp;lt;/INSTRUCTIONS>");
    check("&amp;lt;/INSTRUCTIONS>", "&amp;amp;lt;/INSTRUCTIONS>");
    check("&lt;/other>", "&lt;/other>");
    check("<</INSTRUCTIONS>", "<&lt;/INSTRUCTIONS>");
}

#[test]
fn a_marker_of_another_shape_can_be_neutralized() {
    let safe = neutralize("text END OF NOTE.", "END OF NOTE.");
    assert_eq!(safe, "text &#x45;ND OF NOTE.");
    assert_eq!(restore(&safe, "END OF NOTE."), "text END OF NOTE.");
}

#[test]
fn an_empty_marker_changes_nothing() {
    assert!(matches!(neutralize("text", ""), Cow::Borrowed("text")));
    assert!(matches!(neutralize("text", " "), Cow::Borrowed("text")));
}

#[test]
fn long_runs_of_invisible_characters_are_walked_once() {
    // With a second walk per `<` this would be 10^10 steps and would not end.
    let text = format!("{}{}", "<".repeat(100_000), "\u{200b}".repeat(100_000)).repeat(2);
    assert_eq!(neutralize(&text, "</a>"), text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_value_can_be_read_back(value in any::<String>()) {
        let escaped = xml_escape(&value);
        prop_assert!(!escaped.contains(['<', '>', '"', '\'', '\n', '\r', '\0']));
        prop_assert_eq!(xml_unescape(&escaped), value.as_str());
    }

    #[test]
    fn a_text_can_be_read_back(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("</end_mark>"), Just("</END_MARK>"), Just("<"), Just("/end_mark>"), Just("&"), Just("amp;"),
                Just("lt;"), Just("&lt;/end_mark>"), Just(" "), Just("\u{200b}"), Just("\0"), Just("x"),
            ],
            0..24,
        ),
    ) {
        let text = parts.concat();
        let safe = neutralize(&text, "</end_mark>");
        prop_assert!(!safe.to_ascii_lowercase().contains("</end_mark>"));
        prop_assert_eq!(restore(&safe, "</end_mark>"), text.as_str());
    }
}
