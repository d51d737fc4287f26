//! Every command on every file of recorded sessions and of inputs that broke other programs.
//!
//! The files are found through `ANNALS_SHARED`; where it is not set, the walk goes over files of
//! the repository, which are no sessions for the most part.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Folder, Run, annals, annals_fed, repository};

/// All files below a folder, in order.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files_below(&entry, found);
        } else {
            found.push(entry);
        }
    }
}

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(shared) = std::env::var_os("ANNALS_SHARED").map(PathBuf::from) {
        files_below(&shared.join("corpus"), &mut found);
        files_below(&shared.join("cases"), &mut found);
    } else {
        files_below(&repository("examples"), &mut found);
        files_below(&repository("docs"), &mut found);
    }
    assert!(found.len() > 3, "{found:?}");
    found
}

/// Ended with a documented code, and without a panic.
fn assert_ended(run: &Run, file: &Path, what: &[&str]) {
    let told = format!("{what:?} on {}: {run:?}", file.display());
    assert!((0..=3).contains(&run.code), "{told}");
    assert!(!run.stderr.contains("panicked"), "{told}");
    // What was found wrong is a result; and that a text stands nowhere needs no word.
    let is_told = !run.stderr.is_empty() || matches!(what, ["verify"] | ["search", _]);
    assert!(run.code == 0 || is_told, "{told}");
}

/// Runs `annals WHAT FILE MORE` on every file.
fn check(what: &[&str], more: &[&str]) {
    for file in files() {
        let name = file.to_string_lossy();
        let run = annals([what, &[&name], more].concat());
        assert_ended(&run, &file, what);
        if run.code == 0 && more.contains(&"--json") {
            let values = serde_json::Deserializer::from_str(&run.stdout);
            for value in values.into_iter::<serde_json::Value>() {
                let value = value.expect("JSON");
                assert!(value.is_object(), "{what:?}: {value}");
            }
        }
    }
}

#[test]
fn prompt_input_takes_any_file() {
    check(&["prompt-input"], &[]);
    check(&["prompt-input", "--format", "text"], &["--at-line", "7"]);
}

#[test]
fn show_takes_any_file() {
    check(&["show"], &["--full", "--context"]);
    check(&["show"], &["--json"]);
}

#[test]
fn context_takes_any_file() {
    check(&["context"], &[]);
    check(&["context"], &["--json"]);
}

#[test]
fn state_takes_any_file() {
    check(&["state"], &[]);
    check(&["state"], &["--json"]);
}

#[test]
fn diff_takes_any_file() {
    check(&["diff"], &["line:3"]);
    check(&["diff"], &["line:3", "end", "--json"]);
}

#[test]
fn cache_takes_any_file() {
    check(&["cache"], &["--price-input", "2", "--price-cached", "0.2"]);
    check(&["cache"], &["--json"]);
}

#[test]
fn verify_takes_any_file() {
    check(&["verify"], &[]);
    check(&["verify"], &["--json"]);
}

#[test]
fn stats_takes_any_file() {
    check(&["stats"], &[]);
    check(&["stats"], &["--json"]);
}

#[test]
fn export_takes_any_file() {
    check(&["export"], &[]);
    check(&["export"], &["--format", "jsonl"]);
}

#[test]
fn what_is_written_elsewhere_takes_any_file() {
    for file in files() {
        let folder = Folder::new();
        let name = file.to_string_lossy();
        let (page, copy) = (folder.arg("page.html"), folder.arg("copy.jsonl"));
        assert_ended(&annals(["report", &name, "-o", &page]), &file, &["report"]);
        let mended = annals(["repair", &name, "-o", &copy]);
        assert_ended(&mended, &file, &["repair"]);
        if mended.code == 0 {
            let run = annals(["verify", "--json", &copy]);
            for kind in ["damaged_line", "glued_line"] {
                assert!(!run.stdout.contains(kind), "{name}: {run:?}");
            }
        }
        let fed = annals_fed(["cache", "-"], &fs::read(&file).unwrap());
        assert_ended(&fed, &file, &["cache", "-"]);
    }
}

#[test]
fn what_changes_files_takes_a_copy_of_any_file() {
    for file in files() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let content = fs::read(&file).unwrap();
        let folder = Folder::new();
        let home = folder.arg("home");
        for what in [
            &["fork", "--copy"] as &[&str],
            &["fork"],
            &["rollback"],
            &["compress"],
            &["compress", "--undo"],
            &["archive"],
            &["delete", "--dry-run"],
            &["delete"],
        ] {
            let copy = folder.write(&format!("home/sessions/2026/01/03/{name}"), &content);
            let mut args = vec!["--home", &home];
            args.extend(what);
            args.push(&copy);
            if what.contains(&"rollback") {
                args.push("1");
            }
            assert_ended(&annals(args), &file, what);
        }
        for what in [
            &["list", "--json"] as &[&str],
            &["search", "the"],
            &["stats"],
        ] {
            assert_ended(&annals([&["--home", &home], what].concat()), &file, what);
        }
    }
}
