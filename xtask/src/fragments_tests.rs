//! The audit on code that breaks one rule each, and on the workspace itself.

use std::error::Error;

use super::{DOCUMENT, document, rules, scan};
use crate::finding::{Finding, none};
use crate::workspace::{self, TextFile};

const FILE: &str = "crates/context-fragments/src/catalog/note.rs";
const EVERY: &str = "crates/context-fragments/tests/it/every.rs";

fn file(path: &str, text: &str) -> TextFile {
    TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

/// A fragment of the catalogue, with a comment above its cap, its cap, its kind and its markers.
fn note(review: &str, cap: &str, kind: &str, markers: &str) -> String {
    format!(
        r#"//! A note.
/// Tells a note.
pub struct Note;
impl Note {{
    {review}
    const CAP: Cap = {cap};
    /// Its row.
    pub const SPEC: FragmentSpec =
        FragmentSpec::new("Note", Role::Developer, "{kind}", {markers}, Self::CAP);
}}
impl ContextualUserFragment for Note {{
    facts_of_spec!();
    fn requires_separate_message(&self) -> bool {{
        true
    }}
    fn body(&self) -> Body {{
        Body::new("x")
    }}
}}
"#
    )
}

/// The rest of a workspace in which the note breaks no rule.
fn around(note: &str) -> Vec<TextFile> {
    vec![
        file(FILE, note),
        file(
            "crates/context-fragments/src/catalog.rs",
            "//! All.\npub static ALL: &[FragmentSpec] = &[Note::SPEC];\n",
        ),
        file(
            EVERY,
            "//! Every.\nfn every() { boxed(Note::SPEC, Note); }\n",
        ),
    ]
}

const GOOD_CAP: &str = "Cap::cutting_at::<500>()";
const LARGE_CAP: &str = "Cap::refusing_over::<5_000>()";
const REVIEW: &str = "// P0(2026-12-01): bound 5,000 tokens; may grow: with the text.\n    // Worth it: it is asked for.";
const MARKERS: &str = r#"("<note>", "</note>")"#;

fn audit(files: &[TextFile]) -> Vec<Finding> {
    rules::findings(&scan::files(files), files)
}

/// Every finding as `rule at line`.
fn check(files: &[TextFile], expect: &[(&str, usize)]) {
    let findings = audit(files);
    let found: Vec<(&str, usize)> = findings
        .iter()
        .map(|finding| (finding.rule, finding.line))
        .collect();
    assert_eq!(found, expect, "{findings:#?}");
}

#[test]
fn a_good_fragment_has_no_fault() {
    check(&around(&note("", GOOD_CAP, "host.note", MARKERS)), &[]);
    check(&around(&note(REVIEW, LARGE_CAP, "host.note", MARKERS)), &[]);
}

#[test]
fn a_fragment_without_a_constant_cap_is_found() {
    let computed = note("", "Cap::lowest(self.size())", "host.note", MARKERS);
    check(&around(&computed), &[("cap-missing", 11)]);
    let missing = note("", GOOD_CAP, "host.note", MARKERS).replace("    facts_of_spec!();\n", "");
    check(&around(&missing), &[("cap-missing", 11)]);
}

#[test]
fn a_cap_over_ten_thousand_is_found() {
    let large = note(REVIEW, "Cap::cutting_at::<10_001>()", "host.note", MARKERS);
    check(&around(&large), &[("cap-too-large", 12)]);
}

#[test]
fn a_cap_over_a_thousand_without_a_review_is_found() {
    check(
        &around(&note("", LARGE_CAP, "host.note", MARKERS)),
        &[("p0-missing", 11)],
    );
    let elsewhere = note("", LARGE_CAP, "host.note", MARKERS)
        .replace("impl Note", &format!("{REVIEW}\nimpl Note"));
    check(&around(&elsewhere), &[("p0-missing", 13)]);
}

#[test]
fn a_review_that_says_too_little_is_found() {
    for review in [
        "// P0(soon): bound it is small; may grow: with the text. Worth it: it is asked for.",
        "// P0(2026-12-01): it is small.",
        "// P0(2026-12-01): bound it is small; Worth it: it is asked for.",
        "// P0(2026-12-01): bound ; may grow: . Worth it: .",
        "// P0(2026-12-01): bound it is small; may grow: with the text.",
    ] {
        check(
            &around(&note(review, LARGE_CAP, "host.note", MARKERS)),
            &[("p0-malformed", 11)],
        );
    }
}

#[test]
fn a_raised_cap_needs_a_new_review() {
    let mut files = around(&note(REVIEW, LARGE_CAP, "host.note", MARKERS));
    let before = document::text(&scan::files(&files)).replace("| 5000 |", "| 4000 |");
    files.push(file(DOCUMENT, &before));
    check(&files, &[("cap-raised", 12)]);
    files.remove(0);
    let later = REVIEW.replace("2026-12-01", "2027-01-31");
    files.push(file(FILE, &note(&later, LARGE_CAP, "host.note", MARKERS)));
    check(&files, &[]);
}

#[test]
fn markers_that_another_text_could_match_are_found() {
    let mut files = around(&note("", GOOD_CAP, "host.note", r#"("<note", "</note>")"#));
    let longer =
        note("", GOOD_CAP, "host.notes", r#"("<NOTES>", "</notes>")"#).replace("Note", "Notes");
    files.push(file(
        "crates/context-fragments/src/catalog/notes.rs",
        &longer,
    ));
    files[1].text = files[1]
        .text
        .replace("Note::SPEC", "Note::SPEC, Notes::SPEC");
    files[2].text.push_str("fn more() { Notes::SPEC; }\n");
    check(&files, &[("marker-clash", 8)]);
    // In another role it does no harm, unless one of them is read in both.
    files[3].text = longer.replace("Role::Developer", "Role::User");
    check(&files, &[]);
    files[3].text = files[3]
        .text
        .replace("Self::CAP);", "Self::CAP).in_both_roles();");
    check(&files, &[("marker-clash", 8)]);
}

#[test]
fn a_marker_without_the_other_is_found() {
    let alone = note("", GOOD_CAP, "host.note", r#"("NOTE:", "")"#);
    check(&around(&alone), &[("marker-alone", 8)]);
    let by_start = alone.replace("Self::CAP);", "Self::CAP).matched_by(Matching::Start);");
    check(&around(&by_start), &[]);
}

#[test]
fn markers_may_be_constants() {
    let by_const = note("", GOOD_CAP, "host.note", "TAG")
        + "const TAG: (&str, &str) = (START, \"</note>\");\nconst START: &str = \"<note>\";\n";
    let files = around(&by_const);
    assert_eq!(
        scan::files(&files).rows[0].markers,
        ("<note>".to_owned(), "</note>".to_owned())
    );
    check(&files, &[]);
}

#[test]
fn kinds_that_are_malformed_or_used_twice_are_found() {
    check(
        &around(&note("", GOOD_CAP, "note", MARKERS)),
        &[("kind-malformed", 8)],
    );
    let mut files = around(&note("", GOOD_CAP, "host.note", MARKERS));
    let other = note("", GOOD_CAP, "host.note", r#"("<memo>", "</memo>")"#).replace("Note", "Memo");
    files.push(file("crates/context-fragments/src/catalog/memo.rs", &other));
    files[1].text = files[1]
        .text
        .replace("Note::SPEC", "Note::SPEC, Memo::SPEC");
    files[2].text.push_str("fn more() { Memo::SPEC; }\n");
    check(&files, &[("kind-clash", 8)]);
}

#[test]
fn a_row_that_nobody_recognizes_is_found() {
    let mut files = around(&note("", GOOD_CAP, "host.note", MARKERS));
    files[1].text = files[1].text.replace("Note::SPEC", "");
    check(&files, &[("unlisted", 8)]);
    let rowless = "//! x\npub struct Note;\nimpl ContextualUserFragment for Note {\n    fn cap(&self) -> Cap {\n        Cap::cutting_at::<9>()\n    }\n}\n";
    check(&around(rowless), &[("row-missing", 3)]);
}

#[test]
fn a_fragment_that_no_test_makes_is_found() {
    let mut files = around(&note("", GOOD_CAP, "host.note", MARKERS));
    files[2].text = "//! Every.\n".to_owned();
    check(&files, &[("untested", 11)]);
    // The same in another crate, where any test will do.
    let ticket = "//! x\nimpl ContextualUserFragment for Ticket {\n    fn cap(&self) -> Cap {\n        Cap::cutting_at::<9>()\n    }\n}\n";
    let mut files = vec![file("crates/host/src/ticket.rs", ticket)];
    check(&files, &[("untested", 2)]);
    files.push(file(
        "crates/host/tests/it/ticket.rs",
        "//! x\nfn test() { Ticket; }\n",
    ));
    check(&files, &[]);
}

#[test]
fn a_message_that_is_put_together_by_hand_is_found() {
    let hand = |body: &str| {
        let mut files = around(&note("", GOOD_CAP, "host.note", MARKERS));
        files.push(file(
            "crates/host/src/lib.rs",
            &format!("//! x\nfn tell() {{\n    {body}\n}}\n"),
        ));
        files
    };
    check(
        &hand("Message::new(Role::Developer, vec![]);"),
        &[("by-hand", 3)],
    );
    check(
        &hand("let x = protocol::Message::new(protocol::Role::User, vec![]);"),
        &[("by-hand", 3)],
    );
    check(
        &hand("Message { role: Role::Developer, ..other };"),
        &[("by-hand", 3)],
    );
    check(&hand("push(\"<NOTE>x</note>\");"), &[("by-hand", 3)]);
    check(
        &hand(r##"push(r#"{"type":"message","role":"developer"}"#);"##),
        &[("by-hand", 3)],
    );
    check(
        &hand(r##"push(r#"{"type":"tools","role":"developer"}"#);"##),
        &[],
    );
    // In macros as well, whether their words read as expressions or not.
    check(
        &hand("vec![Message::new(Role::User, vec![])];"),
        &[("by-hand", 3)],
    );
    check(&hand("format!(\"{}<note>\", 1);"), &[("by-hand", 3)]);
    check(&hand("odd! { if => [\"<note>\"] };"), &[("by-hand", 3)]);
    check(&hand("Message::new(Role::Assistant, vec![]);"), &[]);
    check(&hand("push(\"a note\");"), &[]);
    check(
        &hand("// Only read: older files.\n    if text.starts_with(\"<note>\") {}"),
        &[],
    );
    check(
        &hand("// Own words: what the user typed.\n    Message::new(Role::User, vec![]);"),
        &[],
    );
}

#[test]
fn a_fragment_that_a_macro_makes_is_found() {
    let made = "//! x\nmacro_rules! make {\n    ($name:ident) => {\n        impl ContextualUserFragment for $name {}\n    };\n}\n";
    check(&[file("crates/host/src/lib.rs", made)], &[("in-macro", 2)]);
    let other = made.replace("ContextualUserFragment for", "Debug for");
    check(&[file("crates/host/src/lib.rs", &other)], &[]);
}

#[test]
fn tests_may_put_messages_together() {
    let mut files = around(&note("", GOOD_CAP, "host.note", MARKERS));
    let inline = "//! x\n/// `<note>`\nfn f() {}\n#[cfg(test)]\nmod tests {\n    fn t() { Message::new(Role::User, \"<note>\"); }\n}\n";
    files.push(file("crates/host/src/lib.rs", inline));
    files.push(file(
        "crates/host/src/lib_tests.rs",
        "//! x\nfn t() { Message::new(Role::User, \"<note>\"); }\n",
    ));
    check(&files, &[]);
}

#[test]
fn a_module_for_tests_in_a_file_of_its_own_is_passed_over() {
    let mut files = around(&note("", GOOD_CAP, "host.note", MARKERS));
    let declares = "//! x\n#[cfg(any(test, feature = \"proptest\"))]\nmod samples;\n";
    files.push(file("crates/host/src/lib.rs", declares));
    let by_hand = "//! x\nfn t() { Message::new(Role::User, \"<note>\"); }\n";
    files.push(file("crates/host/src/samples.rs", by_hand));
    check(&files, &[]);
    files.push(file("crates/host/src/other.rs", by_hand));
    check(&files, &[("by-hand", 2), ("by-hand", 2)]);
}

#[test]
fn a_file_that_is_no_rust_is_found() {
    check(
        &[file("crates/host/src/lib.rs", "//! x\nfn f( {\n")],
        &[("unreadable", 2)],
    );
}

#[test]
fn the_document_lists_what_was_read() {
    let text = document::text(&scan::files(&around(&note(
        REVIEW,
        LARGE_CAP,
        "host.note",
        MARKERS,
    ))));
    assert!(text.contains(
        "- `Note`, 5000 tokens, reviewed 2026-12-01: bound 5,000 tokens; may grow: with the text. Worth it: it is asked for."
    ), "{text}");
    assert!(text.ends_with(
        "| `Note` | Tells a note. | developer | `host.note` | `<note>` `</note>` | yes | 5000 | refused | 2026-12-01 |"
    ), "{text}");
    let caps = document::caps(&text);
    assert_eq!(caps.get("Note"), Some(&(5_000, "2026-12-01".to_owned())));
}

#[test]
fn the_fragments_of_the_workspace_have_no_fault() -> Result<(), Box<dyn Error>> {
    none(&audit(&workspace::text_files()?))
}
