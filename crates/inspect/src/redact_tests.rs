//! Tests of what counts as a secret.

use proptest::prelude::*;

use super::*;

fn clean(text: &str) -> String {
    Redactor::default().text(text)
}

#[test]
fn secrets_are_replaced_and_what_names_them_is_not() {
    let cases = [
        ("sk-abcdef0123456789abcdef", "[secret-1]"),
        ("key=sk-abcdef0123456789abcdef.", "key=[secret-1]."),
        ("ghp_0123456789abcdefABCDEF", "[secret-1]"),
        ("AKIAABCDEFGHIJ012345", "[secret-1]"),
        (
            "Authorization: Bearer abcdef0123456789xyz",
            "Authorization: Bearer [secret-1]",
        ),
        (
            r#"{"api_key": "a1b2c3d4e5f6a7b8"}"#,
            r#"{"api_key": "[secret-1]"}"#,
        ),
        ("PASSWORD=hunter2hunter2hunter2", "PASSWORD=[secret-1]"),
        (
            "write to mara.x+y@mail.example.org, please",
            "write to [mail-1], please",
        ),
        (
            "/home/mara/x and /home/mara/y",
            "/home/[user-1]/x and /home/[user-1]/y",
        ),
        ("/Users/Mara", "/Users/[user-1]"),
        (r"C:\Users\mara\notes", r"C:\Users\[user-1]\notes"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx",
            "[secret-1]\nx",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- and what follows\nx",
            "[secret-1] and what follows\nx",
        ),
        (
            r#"{"key":"-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----\n","b":1}"#,
            r#"{"key":"[secret-1]\n","b":1}"#,
        ),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK",
            "[secret-1]",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\na\n-----END PRIVATE KEY-----\n\
             -----BEGIN PRIVATE KEY-----\nb\n-----END PRIVATE KEY-----\n",
            "[secret-1]\n[secret-2]\n",
        ),
        // The end was cut off.
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234\nAAAABBBBCCCC1234zz+/\n(cut)",
            "[secret-1]\n(cut)",
        ),
        (
            r#""-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234\nAAAABBBBCCCC1234zz+/", 5"#,
            r#""[secret-1]", 5"#,
        ),
        // These stay as they are.
        (
            "the line -----BEGIN PRIVATE KEY----- is the first\n-----\n-----END PRIVATE KEY-----",
            "the line -----BEGIN PRIVATE KEY----- is the first\n-----\n-----END PRIVATE KEY-----",
        ),
        (
            "-----BEGIN -----BEGIN PRIVATE KEY",
            "-----BEGIN -----BEGIN PRIVATE KEY",
        ),
        (
            r#"os.getenv("DEMO_API_KEY")"#,
            r#"os.getenv("DEMO_API_KEY")"#,
        ),
        ("token = next_token(stream)", "token = next_token(stream)"),
        ("sk-not-a-key-but-some-words", "sk-not-a-key-but-some-words"),
        ("user@localhost", "user@localhost"),
        (
            "-----BEGIN CERTIFICATE-----\nabc",
            "-----BEGIN CERTIFICATE-----\nabc",
        ),
        ("key: value", "key: value"),
        ("/home", "/home"),
    ];
    for (text, expected) in cases {
        assert_eq!(clean(text), expected);
    }
}

#[test]
fn the_same_secret_has_the_same_placeholder() {
    let mut redactor = Redactor::default();
    assert_eq!(redactor.text("a@b.org c@d.org"), "[mail-1] [mail-2]");
    assert_eq!(redactor.text("c@d.org"), "[mail-2]");
    assert_eq!(redactor.n_replaced(), 3);
}

#[test]
fn json_keeps_its_bytes_but_for_strings_with_secrets() {
    let mut redactor = Redactor::default();
    let json = r#"{ "a" : 1.50, "cwd":"\/home\/mara","b":"\u00e4","encrypted_content":"sk-abcdef0123456789abcdef"}"#;
    assert_eq!(
        redactor.json(json),
        r#"{ "a" : 1.50, "cwd":"/home/[user-1]","b":"\u00e4","encrypted_content":"sk-abcdef0123456789abcdef"}"#
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn cleaning_twice_changes_nothing_more(text in "[a-zA-Z0-9@./: =\"-]{0,60}") {
        let once = clean(&text);
        prop_assert_eq!(clean(&once), once);
    }

    #[test]
    fn what_stands_around_a_private_key_stays(
        before in "[a-z \\n\"\\\\]{0,20}",
        after in "[a-z \\n\"\\\\]{0,40}",
    ) {
        let text = format!(
            "{before}-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----{after}"
        );
        prop_assert_eq!(clean(&text), format!("{before}[secret-1]{after}"));
    }

    #[test]
    fn any_json_string_stays_json(text in "\\PC*") {
        let json = serde_json::Value::from(text).to_string();
        let cleaned = Redactor::default().json(&json);
        prop_assert!(serde_json::from_str::<String>(&cleaned).is_ok());
    }
}
