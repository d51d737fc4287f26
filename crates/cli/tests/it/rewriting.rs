//! `fork`, `rollback` and `report`: what a session shows afterwards, and that no byte of it is lost.

use std::fs;

use crate::support::{Folder, ID, annals, lines, sample, two_turns};

/// A home with one session of two turns, as the name of its file.
fn session(folder: &Folder) -> String {
    folder.write(
        &format!("home/sessions/2026/01/03/rollout-2026-01-03T12-00-00-{ID}.jsonl"),
        two_turns(),
    )
}

/// How many items the model of a session would be sent.
fn n_items(folder: &Folder, file: &str) -> usize {
    let run = annals(["--home", &folder.arg("home"), "prompt-input", file]);
    assert_eq!(run.code, 0, "{run:?}");
    run.json().as_array().expect("an array").len()
}

#[test]
fn a_rollback_takes_turns_back_and_no_bytes_away() {
    let folder = Folder::new();
    let file = session(&folder);
    let run = annals(["--home", &folder.arg("home"), "rollback", ID, "1"]);
    assert_eq!(
        (run.code, run.stdout.trim_end()),
        (0, file.as_str()),
        "{run:?}"
    );
    assert_eq!(run.stderr, "1 user turn is left\n");
    assert_eq!(n_items(&folder, ID), 2);
    assert!(fs::read_to_string(&file).unwrap().starts_with(&two_turns()));
    let too_far = annals(["--home", &folder.arg("home"), "rollback", ID, "2"]);
    assert_eq!(too_far.code, 2, "{too_far:?}");
}

#[test]
fn a_session_that_was_taken_back_is_one_in_lists_and_counts_and_goes_as_one() {
    let folder = Folder::new();
    let home = folder.arg("home");
    let id = "019ceb9d-fafa-77c1-8cba-c817151dded9";
    let name = format!("rollout-2026-03-14T09-12-05-{id}.jsonl");
    let content = fs::read(sample()).unwrap();
    let file = folder.write(&format!("home/sessions/2026/03/14/{name}"), content);
    let list = |more: &[&str]| {
        let words = ["--home", &home, "list"]
            .into_iter()
            .chain(more.iter().copied());
        let run = annals(words);
        assert_eq!(run.code, 0, "{run:?}");
        run
    };
    let at = |said: &serde_json::Value, path: &str| said.pointer(path).cloned().unwrap_or_default();
    let one = list(&["--json"]).json();
    assert!(!list(&[]).stdout.contains("files"));
    let run = annals(["--home", &home, "rollback", id, "1"]);
    let segment = run.stdout.trim_end().to_owned();
    let both = list(&["--json"]).json();
    assert_eq!(
        at(&both, "/sessions").as_array().map(Vec::len),
        Some(1),
        "{both}"
    );
    for same in [
        "/sessions/0/id",
        "/sessions/0/created",
        "/sessions/0/preview",
    ] {
        assert_eq!(at(&both, same), at(&one, same), "{same}");
    }
    assert_eq!(at(&both, "/sessions/0/files"), 2);
    assert_eq!(at(&both, "/sessions/0/path"), segment.as_str());
    assert!(list(&[]).stdout.contains("files"));
    let stats = annals(["--home", &home, "stats", "--json"]).json();
    assert_eq!(at(&stats, "/sessions"), 1, "{stats}");

    // A name of a file is that file, an id is all of them.
    let run = annals(["--home", &home, "archive", id]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 2), "{run:?}");
    assert_eq!(
        at(&list(&["--json"]).json(), "/sessions")
            .as_array()
            .map(Vec::len),
        Some(0)
    );
    let run = annals(["--home", &home, "archive", "--undo", id]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 2), "{run:?}");
    let fork = annals(["--home", &home, "fork", &file]);
    for more in [&["--dry-run"][..], &[]] {
        let words = ["--home", &home, "delete", id]
            .into_iter()
            .chain(more.iter().copied());
        let run = annals(words);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (1, ""),
            "a fork goes on from it: {run:?}"
        );
    }
    let run = annals(["--home", &home, "delete", fork.stdout.trim_end()]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = annals(["--home", &home, "delete", "--dry-run", &file]);
    assert_eq!(run.code, 1, "the newer file goes on from it: {run:?}");
    let run = annals(["--home", &home, "delete", id]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 2), "{run:?}");
    assert!(!std::path::Path::new(&file).exists() && !std::path::Path::new(&segment).exists());
}

#[test]
fn a_fork_starts_with_what_was_asked_for_and_leaves_its_parent_alone() {
    // Without ordinals nothing can be referred to: only a copy can be made.
    let folder = Folder::new();
    let file = session(&folder);
    let home = folder.arg("home");
    let refused = annals(["--home", &home, "fork", ID, "--turn", "1"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("--copy"), "{refused:?}");
    check_fork(&folder, &file, &["--copy"], [2, 4]);

    let folder = Folder::new();
    let content = fs::read(sample()).unwrap();
    let name = "rollout-2026-03-14T09-12-05-019ceb9d-fafa-77c1-8cba-c817151dded9.jsonl";
    let file = folder.write(&format!("home/sessions/2026/03/14/{name}"), content);
    check_fork(&folder, &file, &[], [9, 18]);
    check_fork(&folder, &file, &["--copy"], [9, 18]);
}

/// A fork with one turn has so many items, and its parent as many as before.
fn check_fork(folder: &Folder, file: &str, more: &[&str], [forked, whole]: [usize; 2]) {
    let before = fs::read(file).expect("a session");
    let home = folder.arg("home");
    let words = ["--home", &home, "fork", file, "--turn", "1"];
    let run = annals([&words as &[&str], more].concat());
    assert_eq!((run.code, lines(&run.stdout).len()), (0, 1), "{run:?}");
    let fork = run.stdout.trim_end();
    assert_ne!(fork, file);
    assert_eq!(n_items(folder, fork), forked, "{more:?}");
    assert_eq!(n_items(folder, file), whole, "{more:?}");
    assert_eq!(fs::read(file).expect("it is still there"), before);
    let verified = annals(["--home", &home, "verify", fork]);
    assert_eq!(verified.code, 0, "{more:?}: {verified:?}");
}

#[test]
fn a_fork_that_needs_a_name_says_how_to_do_without() {
    let folder = Folder::new();
    let file = folder.write("mine.jsonl", fs::read(sample()).unwrap());
    let run = annals(["fork", &file]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(run.stderr.contains("mine.jsonl"), "{run:?}");
    assert!(run.stderr.contains("--copy"), "{run:?}");
    let copied = annals(["fork", "--copy", &file]);
    assert_eq!(copied.code, 0, "{copied:?}");
}

#[test]
fn a_page_takes_the_place_of_a_page_and_of_nothing_else() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", two_turns());
    let notes = folder.write("notes.html", "my notes");
    for output in [&file, &notes] {
        let before = fs::read(output).unwrap();
        let refused = annals(["report", &file, "-o", output]);
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
        assert!(refused.stderr.contains("is no page"), "{refused:?}");
        assert_eq!(fs::read(output).unwrap(), before);
    }
    let page = folder.write("page.html", "");
    for _ in 0..2 {
        let made = annals(["report", &file, "-o", &page]);
        assert_eq!((made.code, made.stdout.trim_end()), (0, page.as_str()));
        assert!(fs::read_to_string(&page).unwrap().ends_with("</html>\n"));
    }
}

#[cfg(unix)]
#[test]
fn a_page_does_not_take_the_place_of_what_a_link_leads_to() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", two_turns());
    std::os::unix::fs::symlink(&file, folder.path("link.html")).unwrap();
    let refused = annals(["report", &file, "-o", &folder.arg("link.html")]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), two_turns());
}
