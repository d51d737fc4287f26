//! Truncation: the exact arithmetic and marks, and the invariants of any cut.

use proptest::prelude::*;

use super::TruncationBudget::{Bytes, Tokens};
use super::*;

#[test]
fn marks_and_arithmetic_are_those_of_the_format() {
    let check = |text: &str, budget, expect: &str| {
        assert_eq!(
            truncate_text(text, budget).text,
            expect,
            "{text:?} {budget:?}"
        );
    };
    let digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    check("abcdefghijklmn", Bytes(1), "…13 chars truncated…n");
    check("abcdefghijklmn", Tokens(1), "ab…3 tokens truncated…mn");
    check(digits, Bytes(10), "01234…26 chars truncated…vwxyz");
    check(digits, Tokens(3), "012345…6 tokens truncated…uvwxyz");
    check("ééééé|zzzzz", Bytes(7), "é…6 chars truncated…zzzz");
    check("abc", Bytes(0), "…3 chars truncated…");
    check("abc", Tokens(0), "…1 tokens truncated…");
    check("", Bytes(0), "");
    check("", Tokens(9), "");
    check("abcd", Bytes(4), "abcd");
    check("abcd", Tokens(1), "abcd");
}

#[test]
fn tokens_in_the_mark_come_from_the_budget() {
    let check = |bytes: usize, expect: &str| {
        let text = "x".repeat(bytes);
        let cut = truncate_text(&text, Tokens(2_500));
        assert!(cut.text.contains(expect), "{bytes}");
    };
    check(155_000, "…36250 tokens truncated…");
    check(20_000, "…2500 tokens truncated…");
}

#[test]
fn a_cut_output_names_its_lines() {
    let check = |text: &str, budget, expect: &str| {
        assert_eq!(truncate_formatted(text, budget).text, expect);
    };
    check(
        "ab\ncd\nef",
        Bytes(4),
        "Total output lines: 3\n\nab…4 chars truncated…ef",
    );
    check("ab\ncd\n", Bytes(6), "ab\ncd\n");
    check(
        "ab\ncd\n",
        Bytes(2),
        "Total output lines: 2\n\na…4 chars truncated…\n",
    );
}

#[test]
fn parts_share_one_budget() {
    let text = OutputPart::Text;
    let cut = truncate_parts(
        [text("aaaa"), text("bbbbbbbb"), text("c"), text("d")],
        Tokens(2),
    );
    let replaced = PartFate::Replaced("bb…1 tokens truncated…bb".to_owned());
    let omitted = PartFate::Omitted;
    assert_eq!(
        cut.fates,
        [PartFate::Kept, replaced, omitted.clone(), omitted]
    );
    assert_eq!(cut.notes, ["[omitted 2 text items ...]"]);
}

#[test]
fn audio_is_kept_whole_or_left_out() {
    let parts = [
        OutputPart::Audio { bytes: 8 },
        OutputPart::Text("abc"),
        OutputPart::Audio { bytes: 3 },
        OutputPart::Free,
    ];
    let cut = truncate_parts(parts, Bytes(6));
    let (kept, omitted) = (PartFate::Kept, PartFate::Omitted);
    assert_eq!(cut.fates, [omitted, kept.clone(), kept.clone(), kept]);
    assert_eq!(cut.notes, ["[omitted 1 audio items ...]"]);
    assert!(truncate_parts(parts, Bytes(14)).is_unchanged());
}

#[test]
fn a_used_up_budget_leaves_even_empty_texts_out() {
    let cut = truncate_parts([OutputPart::Text("ab"), OutputPart::Text("")], Bytes(2));
    assert_eq!(cut.fates, [PartFate::Kept, PartFate::Omitted]);
}

#[test]
fn texts_can_be_joined_and_cut_as_one() {
    assert_eq!(truncate_merged(["", "ab", "", "cd"], Bytes(6)), None);
    assert_eq!(truncate_merged([], Bytes(0)), None);
    let merged = truncate_merged(["", "ab", "cd"], Bytes(2)).unwrap();
    assert_eq!(
        merged.text,
        "Total output lines: 2\n\na…3 chars truncated…d"
    );
    assert_eq!(merged.original_tokens, 2);
}

#[test]
fn the_allowance_is_a_fifth_rounded_up() {
    let check = |limit, expect| {
        assert_eq!(Tokens(limit).with_allowance(), Tokens(expect));
        assert_eq!(Bytes(limit).with_allowance(), Bytes(expect));
    };
    check(10_000, 12_000);
    check(1, 2);
    check(0, 0);
    check(u64::MAX, u64::MAX);
}

#[test]
fn a_policy_of_the_wire_is_a_budget() {
    let mut policy = TruncationPolicy::bytes(7);
    assert_eq!(TruncationBudget::from_policy(&policy), Some(Bytes(7)));
    policy.mode = TruncationMode::from("words");
    assert_eq!(TruncationBudget::from_policy(&policy), None);
    assert_eq!(
        TruncationBudget::from_policy(&TruncationPolicy::tokens(9)),
        Some(Tokens(9))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn head_and_tail_are_of_the_text(text in any::<String>(), limit in 0_u64..64, tokens: bool) {
        let budget = if tokens { Tokens(limit) } else { Bytes(limit) };
        let cut = truncate_text(&text, budget);
        if text.len() <= budget.bytes() {
            prop_assert_eq!(&cut.text, &text);
            prop_assert_eq!(cut.removed_bytes, 0);
        } else {
            let head = prefix(&text, budget.bytes() / 2);
            let tail = suffix(&text, budget.bytes() - budget.bytes() / 2);
            prop_assert!(cut.text.starts_with(head) && cut.text.ends_with(tail));
            prop_assert_eq!(head.len() + tail.len() + cut.removed_bytes, text.len());
            prop_assert!(head.len() + tail.len() <= budget.bytes());
        }
    }
}
