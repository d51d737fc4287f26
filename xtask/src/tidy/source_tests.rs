//! What the rules on one source file let pass, and what they find.

use super::{file, has_word, shipped_lines, word};
use crate::workspace::TextFile;

fn check(path: &str, text: &str, expect: &[&str]) {
    let file_given = TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let found: Vec<_> = file(&file_given)
        .iter()
        .map(|finding| format!("{}:{}", finding.line, finding.rule))
        .collect();
    assert_eq!(found, expect, "{path}: {text:?}");
}

#[test]
fn a_file_without_a_head_is_found() {
    check("crates/a/src/x.rs", "//! Knows x.\n", &[]);
    check("crates/a/src/x.rs", "// Knows x.\n", &["1:head"]);
    check("crates/a/src/x.rs", "//! \n\nfn x() {}\n", &[]);
    check("crates/a/src/x.rs", "", &["1:head"]);
    check("crates/a/tests/it/x.rs", "use a::x;\n", &["1:head"]);
    check("docs/x.md", "# x\n", &[]);
}

#[test]
fn a_long_file_is_found_but_tests_do_not_count() {
    let long = format!("//! Long.\n{}", "// line\n".repeat(499));
    check("crates/a/src/x.rs", &long, &[]);
    check("crates/a/src/x.rs", &format!("{long}//\n"), &["501:size"]);
    check("crates/a/src/x_tests.rs", &format!("{long}//\n"), &[]);
    check("crates/a/tests/it/x.rs", &format!("{long}//\n"), &[]);
    check(
        "crates/a/src/x.rs",
        &format!("{long}#[cfg(test)]\nmod tests {{\n    //\n}}\n"),
        &[],
    );
}

#[test]
fn lines_after_an_inline_test_module_count_again() {
    let text = "//! X.\n#[cfg(test)]\nmod tests {\n    fn t() {\n    }\n}\nfn after() {}\n";
    assert_eq!(shipped_lines(text), 2);
    let text = "//! X.\n#[cfg(test)]\n#[path = \"x_tests.rs\"]\nmod tests;\n";
    assert_eq!(shipped_lines(text), 4);
}

#[test]
fn left_overs_and_tests_that_do_not_run_are_found() {
    for (parts, rule) in [
        (["to", "do!()"], "2:left-over"),
        (["db", "g!(x)"], "2:left-over"),
        (["unimpl", "emented!()"], "2:left-over"),
        (["#[ign", "ore = \"slow\"]"], "2:skipped"),
        (["/// ```ign", "ore"], "2:skipped"),
        (["#[should", "_panic]"], "2:panicking-test"),
    ] {
        let text = format!("//! X.\n{}\n", word(&parts));
        check("crates/a/src/x_tests.rs", &text, &[rule]);
    }
}

#[test]
fn a_note_without_a_link_is_found() {
    let note = word(&["TO", "DO"]);
    check(
        "crates/a/Cargo.toml",
        &format!("# {note}: later\n"),
        &["1:note"],
    );
    check(
        "crates/a/Cargo.toml",
        &format!("# {note}(https://example.com/1): later\n"),
        &[],
    );
    check("docs/x.md", &format!("{note}\n"), &[]);
    assert!(!has_word(&format!("MAS{note}"), &note));
    assert!(!has_word(&format!("{note}S"), &note));
    assert!(has_word(&format!("é{note}é {note}"), &note));
}
