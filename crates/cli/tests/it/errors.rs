//! Failures for programs: with `--json` one object on standard error, and nothing but results elsewhere.

use serde_json::Value;

use crate::support::{Folder, Run, annals, head, lines, message, sample, two_turns};

/// The one object that a failed run told, with nothing beside it.
fn failure(run: &Run) -> Value {
    assert_eq!(run.stdout, "", "{run:?}");
    assert_eq!(lines(&run.stderr).len(), 1, "{run:?}");
    let told: Value = serde_json::from_str(&run.stderr).expect("JSON");
    let member = |name: &str| told.get(name).cloned().unwrap_or_default();
    assert_eq!(member("schema"), "annals.error/1");
    assert_eq!(member("exit_code"), run.code, "{run:?}");
    told
}

/// Commands that print JSON of one session, with what they need behind its name.
const LOOKING: [(&str, &[&str]); 7] = [
    ("show", &[]),
    ("context", &[]),
    ("state", &[]),
    ("diff", &["line:1"]),
    ("cache", &[]),
    ("verify", &[]),
    ("stats", &[]),
];

#[test]
fn a_file_that_is_not_there_is_told_by_every_command_alike() {
    let folder = Folder::new();
    let file = folder.arg("none.jsonl");
    for (command, more) in LOOKING {
        let run = annals([&[command, "--json", &file], more].concat());
        assert_eq!(run.code, 3, "{command}: {run:?}");
        let told = failure(&run);
        assert_eq!(told["kind"], "not_found", "{command}: {told}");
        assert_eq!(told["path"], file.as_str(), "{command}: {told}");
    }
}

#[test]
fn each_kind_of_failure_has_its_word_and_its_code() {
    let folder = Folder::new();
    let two = folder.write("two.jsonl", two_turns());
    let empty = folder.write("empty.jsonl", "");
    let headless = folder.write("headless.jsonl", message("user", "hi"));
    let settings = folder.write("config.toml", "model = \"x\"\n");
    let home = folder.arg("home");
    for id in ["1", "2"] {
        let id = format!("019cebf2-0000-7000-8000-00000000000{id}");
        let name = format!("home/sessions/2026/01/03/rollout-2026-01-03T12-00-00-{id}.jsonl");
        folder.write(&name, head(&id));
    }
    let cases: [(&[&str], i32, &str, &str); 9] = [
        (&["show", &folder.arg("")], 3, "is_directory", "directory"),
        (&["cache", &empty], 1, "empty", "empty.jsonl"),
        (&["state", &headless], 1, "no_session_meta", "session_meta"),
        (&["stats", &settings], 1, "unreadable", "config.toml"),
        (&["context", &two, "--turn", "3"], 2, "no_such_turn", "3"),
        (
            &["state", &two, "--at-line", "6"],
            2,
            "no_such_line",
            "1 to 5",
        ),
        (&["diff", &two, "3"], 2, "usage", "turn:3"),
        (
            &["--home", &home, "show", "019cebf2"],
            2,
            "ambiguous",
            "several",
        ),
        (
            &["--home", &home, "show", "no name"],
            3,
            "not_there",
            "no name",
        ),
    ];
    for (words, code, kind, what) in cases {
        let run = annals([words, &["--json"]].concat());
        assert_eq!(run.code, code, "{run:?}");
        let told = failure(&run);
        assert_eq!(told["kind"], kind, "{told}");
        let message = told["message"].as_str().expect("words");
        assert!(message.contains(what), "{told}");
        // The same words, and the same code, as for a person.
        let person = annals(words);
        assert_eq!((person.code, person.stdout.as_str()), (code, ""));
        assert!(person.stderr.contains(message), "{person:?} {told}");
        let hint = told["hint"].as_str().unwrap_or_default();
        assert!(person.stderr.contains(hint), "{person:?} {told}");
    }
}

#[test]
fn a_call_that_cannot_be_read_is_told_as_json_too() {
    let run = annals(["cache", &sample(), "--json", "--price-input", "1"]);
    assert_eq!(run.code, 2);
    let told = failure(&run);
    assert_eq!(told["kind"], "usage");
    let message = told["message"].as_str().expect("words");
    assert!(message.contains("required arguments"), "{told}");
    assert!(message.contains("--price-cached"), "{told}");
    let told = failure(&annals(["cache", &sample(), "--jso", "--json"]));
    assert_eq!(told["hint"], "a similar argument exists: '--json'");
    // Help is a result, and is for people.
    let help = annals(["cache", "--json", "--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
}

#[test]
fn of_several_files_each_failure_is_a_line_and_each_result_stays() {
    let folder = Folder::new();
    let two = folder.write("two.jsonl", two_turns());
    let none = folder.arg("none.jsonl");
    let run = annals(["verify", "--json", &none, &two, &folder.arg("")]);
    assert_eq!(run.code, 3, "{run:?}");
    let results: Value = serde_json::from_str(&run.stdout).expect("one result");
    assert_eq!(results["session"]["file"], two.as_str());
    let told: Vec<Value> = lines(&run.stderr)
        .into_iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let kinds: Vec<&Value> = told.iter().map(|told| &told["kind"]).collect();
    assert_eq!(kinds, ["not_found", "is_directory"]);
}
