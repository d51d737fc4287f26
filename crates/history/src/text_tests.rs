//! Strings in JSON text against what `serde_json` makes of them.

use proptest::prelude::*;

use super::{decoded_len, push_string, string};

proptest! {
    #[test]
    fn lengths_and_texts_are_those_of_the_decoded_string(text in ".*") {
        let mut written = String::new();
        push_string(&mut written, &text);
        let decoded: String = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(&decoded, &text);
        prop_assert_eq!(&serde_json::to_string(&text).unwrap(), &written);
        prop_assert_eq!(string(&written).unwrap(), text.as_str());
        prop_assert_eq!(decoded_len(&written), text.len());
        let escaped: Vec<String> =
            text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        prop_assert_eq!(decoded_len(&format!("\"{}\"", escaped.concat())), text.len());
    }
}

#[test]
fn what_is_no_string_has_no_length() {
    for value in ["null", "7", "", "\"", "{\"a\":1}"] {
        assert_eq!(decoded_len(value), 0, "{value}");
    }
}
