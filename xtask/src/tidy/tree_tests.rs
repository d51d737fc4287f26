//! Lost sources, lost snapshots and paths of one machine are found; nothing else is.

use super::{machine_paths, snapshots, undeclared};
use crate::finding::Finding;
use crate::workspace::TextFile;

fn files(files: &[(&str, &str)]) -> Vec<TextFile> {
    files
        .iter()
        .map(|(path, text)| TextFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect()
}

fn places(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| format!("{}:{}", finding.file, finding.line))
        .collect()
}

#[test]
fn a_source_that_nothing_declares_is_found() {
    let tree = files(&[
        ("crates/a/src/lib.rs", "mod x;\n"),
        (
            "crates/a/src/x.rs",
            "#[path = \"x_tests.rs\"]\nmod tests;\npub(crate) mod deep;\n",
        ),
        ("crates/a/src/x/deep.rs", ""),
        ("crates/a/src/x_tests.rs", ""),
        ("crates/a/src/lost.rs", ""),
        ("crates/a/tests/it/main.rs", "mod read;\n"),
        ("crates/a/tests/it/read.rs", ""),
        ("crates/a/tests/it/unread.rs", "mod unread;\n"),
        ("crates/a/tests/ui/refused.rs", ""),
        ("crates/a/benches/fast.rs", ""),
        ("crates/b/src/lib.rs", "mod other;\n"),
        ("crates/b/src/x.rs", ""),
    ]);
    assert_eq!(
        places(&undeclared(&tree)),
        [
            "crates/a/src/lost.rs:1",
            "crates/a/tests/it/unread.rs:1",
            "crates/b/src/x.rs:1"
        ]
    );
}

#[test]
fn a_snapshot_needs_an_accepted_text_and_a_source() {
    let tree = files(&[
        ("crates/a/tests/it/shape.rs", ""),
        (
            "crates/a/tests/it/snapshots/it__shape__one.snap",
            "---\nsource: crates/a/tests/it/shape.rs\n---\n",
        ),
        (
            "crates/a/tests/it/snapshots/it__gone__two.snap",
            "---\nsource: crates/a/tests/it/gone.rs\n---\n",
        ),
        (
            "crates/a/tests/it/snapshots/it__shape__three.snap.new",
            "---\nsource: crates/a/tests/it/shape.rs\n---\n",
        ),
        ("crates/a/tests/it/snapshots/empty.snap", ""),
    ]);
    assert_eq!(
        places(&snapshots(&tree)),
        [
            "crates/a/tests/it/snapshots/it__gone__two.snap:1",
            "crates/a/tests/it/snapshots/it__shape__three.snap.new:1",
            "crates/a/tests/it/snapshots/empty.snap:1",
        ]
    );
}

#[test]
fn a_path_of_this_machine_is_found_with_its_line() {
    let tree = files(&[
        ("README.md", "one\nsee /garden/main/docs\n"),
        ("docs/x.md", "see /garden/other and docs\n"),
    ]);
    assert_eq!(
        places(&machine_paths(&tree, &["/garden/main".to_owned()])),
        ["README.md:2"]
    );
    assert_eq!(machine_paths(&tree, &[]), []);
}
