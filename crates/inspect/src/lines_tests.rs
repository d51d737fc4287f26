//! Tests of the line difference.

use proptest::prelude::*;

use super::*;

fn shown(before: &str, after: &str) -> String {
    diff_lines(before, after)
        .iter()
        .map(|line| {
            let sign = match line.change {
                LineFate::Kept => ' ',
                LineFate::Removed => '-',
                LineFate::Added => '+',
            };
            format!("{sign}{}\n", line.text)
        })
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn a_changed_line_stands_between_what_stayed() {
    assert_eq!(shown("a\nb\nc", "a\nx\nc"), " a\n-b\n+x\n c\n");
    assert_eq!(shown("", "a"), "+a\n");
    assert_eq!(shown("a", ""), "-a\n");
    assert_eq!(shown("a\nb", "b\na"), "-a\n b\n+a\n");
    assert_eq!(shown("a\na", "a"), " a\n-a\n");
}

#[test]
fn texts_too_long_for_a_table_count_as_replaced() {
    let old: Vec<String> = (0..3_000).map(|number| format!("old {number}")).collect();
    let new: Vec<String> = (0..3_000).map(|number| format!("new {number}")).collect();
    let changes = diff_lines(&old.join("\n"), &new.join("\n"));
    assert_eq!(count_changes(&changes), (3_000, 3_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn both_texts_can_be_read_off_the_difference(
        before in proptest::collection::vec("[abc]", 0..12),
        after in proptest::collection::vec("[abc]", 0..12),
    ) {
        let changes = diff_lines(&before.join("\n"), &after.join("\n"));
        let without = |fate| -> Vec<String> {
            changes.iter().filter(|line| line.change != fate).map(|line| line.text.clone()).collect()
        };
        prop_assert_eq!(without(LineFate::Added), before);
        prop_assert_eq!(without(LineFate::Removed), after);
    }
}
