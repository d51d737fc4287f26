//! Known counts, and that the cheap estimates are near the true ones.

use proptest::prelude::*;

use super::*;
use crate::KindDivisors;

#[test]
fn known_texts_have_known_counts() {
    for (text, tokens) in [("", 0), ("a", 1), ("hello world", 2), ("<|endoftext|>", 7)] {
        assert_eq!(O200k.count(text, TextKind::Prose), tokens, "{text:?}");
    }
}

#[test]
fn the_divisors_are_near_the_count_of_ordinary_texts() {
    let prose =
        "The history of a thread only grows, and what was sent stays as it was. ".repeat(40);
    let code = "fn main() {\n    let total: u64 = items.iter().map(|item| item.len()).sum();\n}\n"
        .repeat(40);
    for (text, kind) in [(prose, TextKind::Prose), (code, TextKind::Code)] {
        let (exact, near) = (O200k.count(&text, kind), KindDivisors.count(&text, kind));
        assert!(
            near * 2 > exact && near < exact * 2,
            "{near} is not near {exact}"
        );
    }
}

proptest! {
    #[test]
    fn a_count_is_never_over_the_bytes_nor_zero_for_a_text(text in any::<String>()) {
        let tokens = O200k.count(&text, TextKind::Prose);
        prop_assert!(tokens <= text.len() as u64);
        prop_assert_eq!(tokens == 0, text.is_empty());
    }
}
