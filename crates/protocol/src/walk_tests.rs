//! Tests of the walk over members and elements.

use proptest::prelude::*;

use super::*;
use crate::strategies::json_value;

#[test]
fn members_come_with_their_places() {
    let text = r#" { "a" : [1, {"x":"}"}] , "b\u0063":"\"," } "#;
    let found: Vec<Member<'_>> = members(text).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].value, r#"[1, {"x":"}"}]"#);
    assert!(found[1].is("bc"));
    for member in &found {
        assert!(
            text.get(member.start..member.end)
                .expect("inside")
                .starts_with('"')
        );
        assert!(
            text.get(..member.end)
                .expect("inside")
                .ends_with(member.value)
        );
    }
}

#[test]
fn other_values_have_no_members() {
    for text in [
        "", "[1]", "\"{\"", "12", "{", "{}", "{1:2}", "{\"a\"}", "{\"a\":}", "{,}",
    ] {
        assert_eq!(members(text).count(), 0, "{text}");
    }
    for text in ["", "{}", "[]", "[", "[,]"] {
        assert_eq!(elements(text).count(), 0, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn agrees_with_a_real_parser(text in json_value()) {
        type Raw = Box<serde_json::value::RawValue>;
        if let Ok(map) = serde_json::from_str::<std::collections::BTreeMap<String, Raw>>(&text) {
            let walked: Vec<_> = members(&text).collect();
            prop_assert_eq!(walked.len(), map.len());
            for (key, value) in map {
                let member = walked.iter().find(|member| member.is(&key)).expect("same keys");
                prop_assert_eq!(member.value, value.get());
            }
        }
        if let Ok(list) = serde_json::from_str::<Vec<Raw>>(&text) {
            let walked: Vec<&str> = elements(&text).collect();
            prop_assert_eq!(walked, list.iter().map(|value| value.get()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_text_makes_it_panic_or_run_on(text in r#"[\{\}\[\]",:\\ax1 é]{0,40}"#) {
        prop_assert!(members(&text).count() <= text.len());
        prop_assert!(elements(&text).count() <= text.len());
    }
}
