//! Searches find what a plain look at every place finds.

use proptest::prelude::*;

use super::{RECORD_START, finder, next_record_start};

proptest! {
    #[test]
    fn a_search_finds_the_first_place(
        before in r#"[{"}timestap:, ]{0,80}"#,
        behind in r#"[{"}timestap:, ]{0,80}"#,
        is_there in any::<bool>(),
    ) {
        let there = if is_there { r#"{"timestamp""# } else { "" };
        let text = format!("{before}{there}{behind}");
        let plain = |from: usize| {
            let places = text.as_bytes().windows(RECORD_START.len()).enumerate();
            places.skip(from).find(|(_, window)| *window == RECORD_START).map(|(at, _)| at)
        };
        prop_assert_eq!(finder(RECORD_START).find(text.as_bytes()), plain(0));
        prop_assert_eq!(next_record_start(text.as_bytes()), plain(1));
    }
}
