//! What FILE may be, and what is said when it is not there.

use std::fs;

use crate::support::{Folder, ID, Run, annals, head, lines, message, program, sample, two_turns};

const OTHER: &str = "019cebf2-0000-7000-8000-000000000002";

/// A home with two sessions whose ids begin alike.
fn home() -> Folder {
    let folder = Folder::new();
    let day = "home/sessions/2026/01/03";
    folder.write(
        &format!("{day}/rollout-2026-01-03T12-00-00-{ID}.jsonl"),
        two_turns(),
    );
    folder.write(
        &format!("{day}/rollout-2026-01-03T12-00-01-{OTHER}.jsonl"),
        head(OTHER) + &message("user", "other"),
    );
    folder.write("home/sessions/2026/01/04/note.txt", "no session");
    folder
}

/// Nothing there: one line, nothing printed, nothing made.
fn assert_not_there(run: &Run) {
    assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{run:?}");
    assert_eq!(lines(&run.stderr).len(), 1, "{run:?}");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
}

#[test]
fn a_file_that_is_not_there_is_told_in_one_line() {
    let folder = Folder::new();
    let run = annals(["prompt-input", &folder.arg("none.jsonl")]);
    assert_not_there(&run);
    assert!(run.stderr.contains("none.jsonl"), "{run:?}");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
}

#[test]
fn a_path_below_a_file_is_not_there() {
    let folder = Folder::new();
    folder.write("file", "x");
    assert_not_there(&annals(["prompt-input", &folder.arg("file/below.jsonl")]));
}

#[test]
fn a_folder_is_told_apart_from_a_file() {
    let folder = Folder::new();
    let run = annals(["prompt-input", &folder.arg("")]);
    assert_not_there(&run);
    assert!(run.stderr.contains("directory"), "{run:?}");
}

#[test]
fn an_id_names_a_session_below_the_home() {
    let folder = home();
    let home = folder.arg("home");
    let whole = annals(["--home", &home, "prompt-input", ID]);
    assert_eq!(whole.json().as_array().unwrap().len(), 4);
    let by_environment = program()
        .env("CODEX_HOME", &home)
        .args(["prompt-input", OTHER])
        .output()
        .unwrap();
    assert_eq!(
        Run::of(&by_environment).json()[0]["content"][0]["text"],
        "other"
    );
}

#[test]
fn the_start_of_an_id_is_enough_where_only_one_fits() {
    let folder = home();
    let home = folder.arg("home");
    let both = annals(["--home", &home, "prompt-input", "019cebf2"]);
    assert_eq!((both.code, both.stdout.as_str()), (2, ""));
    assert!(
        both.stderr.contains(ID) && both.stderr.contains(OTHER),
        "{both:?}"
    );
    fs::remove_dir_all(folder.path("home/sessions/2026/01/03")).unwrap();
    let day = "home/sessions/2026/01/03";
    folder.write(
        &format!("{day}/rollout-2026-01-03T12-00-00-{ID}.jsonl"),
        two_turns(),
    );
    let one = annals(["--home", &home, "prompt-input", "019cebf2"]);
    assert_eq!(one.code, 0, "{one:?}");
}

#[test]
fn an_id_that_is_nowhere_is_told_with_the_place_that_was_looked_in() {
    let folder = home();
    let home = folder.arg("home");
    let run = annals([
        "--home",
        &home,
        "prompt-input",
        "00000000-0000-7000-8000-00000000dead",
    ]);
    assert_not_there(&run);
    assert!(run.stderr.contains(&home), "{run:?}");
    assert_not_there(&annals([
        "--home",
        &home,
        "prompt-input",
        "a name that nobody gave",
    ]));
}

#[test]
fn wrong_usage_has_a_code_of_its_own() {
    assert_eq!(annals(["prompt-input"]).code, 2);
    assert_eq!(annals(["no-such-command"]).code, 2);
    assert_eq!(
        annals(["prompt-input", &sample(), "--at-line", "many"]).code,
        2
    );
    let help = annals(["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert_eq!(annals(["--version"]).code, 0);
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, OpenOptions, Permissions};
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_file_that_may_not_be_read_is_not_there_for_us() {
        let folder = Folder::new();
        let file = folder.write("secret.jsonl", two_turns());
        fs::set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
        let run = if File::open(&file).is_err() {
            annals(["prompt-input", &file])
        } else {
            // This user may read everything, so another one asks.
            fs::set_permissions(folder.path(""), Permissions::from_mode(0o755)).unwrap();
            fs::copy(env!("CARGO_BIN_EXE_annals"), folder.path("annals")).unwrap();
            let output = Command::new(folder.path("annals"))
                .args(["prompt-input", &file])
                .uid(65_534)
                .output()
                .unwrap();
            Run::of(&output)
        };
        assert_not_there(&run);
    }

    #[test]
    fn a_pipe_with_a_name_is_read_as_it_comes() {
        let folder = Folder::new();
        let pipe = folder.arg("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut out = OpenOptions::new().write(true).open(pipe).unwrap();
                out.write_all(two_turns().as_bytes()).unwrap();
            }
        });
        let run = annals(["prompt-input", &pipe]);
        writer.join().unwrap();
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.json().as_array().unwrap().len(), 4);
    }
}

#[test]
fn too_short_a_start_of_an_id_is_told_to_be_so() {
    let folder = Folder::new();
    let day = "home/sessions/2026/01/03";
    folder.write(
        &format!("{day}/rollout-2026-01-03T12-00-00-{ID}.jsonl"),
        two_turns(),
    );
    let home = folder.arg("home");
    let short = annals(["--home", &home, "prompt-input", "019"]);
    assert_not_there(&short);
    assert!(short.stderr.contains("give 4 characters"), "{short:?}");
    let enough = annals(["--home", &home, "prompt-input", "019c"]);
    assert_eq!(enough.code, 0, "{enough:?}");
    let word = annals(["--home", &home, "prompt-input", "xyz"]);
    assert!(!word.stderr.contains("characters"), "{word:?}");
}

#[test]
fn a_file_that_is_not_there_is_told_by_what_changes_files_too() {
    let folder = home();
    let home = folder.arg("home");
    for command in ["compress", "archive", "delete", "fork"] {
        let run = annals(["--home", &home, command, &folder.arg("none.jsonl")]);
        assert_not_there(&run);
        assert!(run.stderr.contains("no such file"), "{command}: {run:?}");
    }
}

#[test]
fn what_is_no_session_is_not_compressed() {
    let folder = Folder::new();
    for (name, content) in [
        ("doc.json", "{\n\"a\": 1\n}\n"),
        ("notes.txt", "hello\n"),
        ("program", "\u{0}\u{0}\n\u{0}"),
    ] {
        let file = folder.write(name, content);
        let run = annals(["compress", &file]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{run:?}");
        assert!(run.stderr.contains("hint: "), "{run:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 3);
    let headless = folder.write("headless.jsonl", message("user", "hello"));
    let run = annals(["compress", &headless]);
    assert_eq!(run.code, 0, "{run:?}");
}
