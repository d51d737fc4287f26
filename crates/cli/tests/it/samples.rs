//! What every command prints of the sessions in `examples/`, for people and for programs.

use std::fs;

use crate::support::{Folder, Run, program, repository, two_turns};

/// Runs the program at the root of the repository, always at the same moment.
fn annals(words: &str, more: &[&str]) -> Run {
    let output = program()
        .current_dir(repository(""))
        .env("SOURCE_DATE_EPOCH", "1776000000")
        .args(words.split_whitespace())
        .args(more)
        .output()
        .expect("the program starts");
    Run::of(&output)
}

/// A snapshot of both streams and the code; the name of the folder is taken out.
fn check(name: &str, run: &Run, folder: Option<&Folder>) {
    let mut text = format!("exit {}\n--- stdout\n{}", run.code, run.stdout);
    if !run.stderr.is_empty() {
        text = format!("{text}--- stderr\n{}", run.stderr);
    }
    if let Some(folder) = folder {
        text = folder.without_own_name(&text);
    }
    insta::assert_snapshot!(name, text);
}

/// Both forms of what a command says of a sample.
fn check_both(command: &str, sample: &str, more: &[&str]) {
    let words = format!("{command} examples/{sample}.jsonl");
    let name = format!("{command}_{}", sample.replace('-', "_"));
    check(&name, &annals(&words, more), None);
    let json = annals(&words, &[more, &["--json"]].concat());
    assert!(json.stderr.is_empty(), "{json:?}");
    check(&format!("{name}_json"), &json, None);
}

#[test]
fn show_prints_the_conversation() {
    check_both("show", "sample-session", &[]);
    check_both("show", "cache-misses", &["--full", "--context"]);
    check(
        "show_base",
        &annals("show --base examples/sample-session.jsonl", &[]),
        None,
    );
}

#[test]
fn context_lists_what_was_injected() {
    check_both("context", "sample-session", &[]);
    check_both("context", "cache-misses", &["--bytes"]);
}

#[test]
fn state_prints_what_was_told_last() {
    check_both("state", "sample-session", &[]);
}

#[test]
fn diff_prints_what_was_told_in_between() {
    check_both("diff", "sample-session", &["turn:1", "turn:3"]);
    let files = "diff examples/sample-session.jsonl examples/cache-misses.jsonl";
    check("diff_files", &annals(files, &[]), None);
}

#[test]
fn cache_says_why_it_missed() {
    check_both(
        "cache",
        "cache-misses",
        &["--price-input", "1.25", "--price-cached", "0.125"],
    );
    check_both("cache", "sample-session", &[]);
    // The README shows this one.
    let run = annals("cache examples/cache-misses.jsonl", &[]);
    check("cache_without_prices", &run, None);
}

#[test]
fn verify_lists_what_is_wrong() {
    check_both("verify", "sample-session", &[]);
    check_both("verify", "cache-misses", &[]);
}

#[test]
fn stats_counts() {
    check_both("stats", "cache-misses", &[]);
}

#[test]
fn export_is_for_reading_and_for_handing_on() {
    check(
        "export_markdown",
        &annals("export examples/cache-misses.jsonl", &[]),
        None,
    );
    let run = annals("export --format jsonl examples/sample-session.jsonl", &[]);
    check("export_jsonl", &run, None);
}

/// A home with both samples in it.
fn home() -> Folder {
    let folder = Folder::new();
    for (name, sample) in [
        (
            "2026/03/14/rollout-2026-03-14T09-12-05-019ceb9d-fafa-77c1-8cba-c817151dded9",
            "sample-session",
        ),
        (
            "2026/04/07/rollout-2026-04-07T08-30-00-019d6710-13b8-7392-80d1-e8a8dbbb6d7b",
            "cache-misses",
        ),
    ] {
        let content = fs::read(repository(&format!("examples/{sample}.jsonl"))).expect("a sample");
        let file = folder.write(&format!("home/sessions/{name}.jsonl"), content);
        // When a file was changed is shown; it is the same each time.
        let changed = std::time::UNIX_EPOCH + std::time::Duration::from_hours(493_300);
        fs::File::options()
            .append(true)
            .open(file)
            .expect("it was written")
            .set_modified(changed)
            .expect("a time");
    }
    folder
}

#[test]
fn a_home_is_listed_searched_counted_and_pruned() {
    let folder = home();
    let home = folder.arg("home");
    for (name, words) in [
        ("list", "list"),
        ("list_bytes", "list --bytes --cwd /home/ines/lanterns"),
        ("list_json", "list --json"),
        ("search", "search FAROL"),
        ("search_json", "search --json --per-session 1 farol"),
        ("search_nothing", "search no-such-text"),
        ("stats_home", "stats"),
        ("stats_home_json", "stats --json"),
        ("prune", "prune --older-than 5 --which active --dry-run"),
        (
            "prune_json",
            "prune --older-than 5 --which active --dry-run --json",
        ),
    ] {
        check(name, &annals(words, &["--home", &home]), Some(&folder));
    }
}

#[test]
fn files_are_mended_packed_moved_and_deleted() {
    let folder = home();
    let home = folder.arg("home");
    let damaged = fs::read_to_string(repository("examples/cache-misses.jsonl")).unwrap();
    let damaged = folder.write("damaged.jsonl", damaged.replacen('\n', "\nnot json\n", 1));
    let id = "019d6710-13b8-7392-80d1-e8a8dbbb6d7b";
    let other = "019ceb9d-fafa-77c1-8cba-c817151dded9";
    for (name, words, more) in [
        (
            "repair",
            "repair -o",
            vec![folder.arg("mended.jsonl"), damaged.clone()],
        ),
        (
            "repair_json",
            "repair --json -o",
            vec![folder.arg("again.jsonl"), damaged.clone()],
        ),
        ("verify_damaged", "verify", vec![damaged.clone()]),
        ("verify_damaged_json", "verify --json", vec![damaged]),
        ("verify_mended", "verify", vec![folder.arg("mended.jsonl")]),
        (
            "report",
            "report -o",
            vec![folder.arg("page.html"), id.to_owned()],
        ),
        ("compress", "compress", vec![id.to_owned()]),
        ("compress_undo", "compress --undo", vec![id.to_owned()]),
        ("archive", "archive", vec![id.to_owned()]),
        ("archive_undo", "archive --undo", vec![id.to_owned()]),
        ("compress_json", "compress --json", vec![id.to_owned()]),
        (
            "compress_undo_json",
            "compress --undo --json",
            vec![id.to_owned()],
        ),
        ("archive_json", "archive --json", vec![id.to_owned()]),
        (
            "archive_undo_json",
            "archive --undo --json",
            vec![id.to_owned()],
        ),
        ("delete_dry_run", "delete --dry-run", vec![id.to_owned()]),
        (
            "delete_dry_run_json",
            "delete --dry-run --json",
            vec![id.to_owned()],
        ),
        ("delete", "delete", vec![id.to_owned()]),
        ("delete_again", "delete", vec![id.to_owned()]),
        (
            "delete_json",
            "delete --json",
            vec![id.to_owned(), other.to_owned()],
        ),
    ] {
        let more: Vec<&str> = ["--home", &home]
            .into_iter()
            .chain(words.split_whitespace())
            .chain(more.iter().map(String::as_str))
            .collect();
        check(name, &annals("", &more), Some(&folder));
    }
}

#[test]
fn prompt_input_prints_what_was_sent_in_three_forms() {
    for sample in ["sample-session", "cache-misses"] {
        for format in ["json", "shape", "text"] {
            let words = format!("prompt-input --format {format} examples/{sample}.jsonl");
            let name = format!("prompt_input_{}_{format}", sample.replace('-', "_"));
            check(&name, &annals(&words, &[]), None);
        }
    }
    let damaged = [two_turns(), "not json\n".into(), two_turns()].concat();
    let folder = Folder::new();
    let damaged = folder.write("damaged.jsonl", damaged);
    let run = annals("prompt-input --format shape", &[&damaged]);
    check("prompt_input_damaged", &run, Some(&folder));
}

/// A run that made a session, with its file; what the file is called is not the same each time.
fn making(words: &str, more: &[&str]) -> (Run, String) {
    let mut run = annals(words, more);
    let made = run.stdout.trim_end().to_owned();
    assert!(std::path::Path::new(&made).is_file(), "{run:?}");
    run.stdout = run.stdout.replace(&made, "NEW");
    run.stderr = run.stderr.replace(&made, "NEW");
    (run, made)
}

/// As [`making`], for a run that says it in JSON.
fn making_json(words: &str, more: &[&str]) -> Run {
    let mut run = annals(words, more);
    let said = run.json();
    let made = said.pointer("/files/0/path").and_then(|path| path.as_str());
    let made = made.unwrap_or_default().to_owned();
    assert!(std::path::Path::new(&made).is_file(), "{run:?}");
    run.stdout = run.stdout.replace(&made, "NEW");
    run
}

/// What the model of a session that was just made would be sent.
fn check_input(name: &str, folder: &Folder, made: &str) {
    let home = folder.arg("home");
    let mut run = annals("prompt-input --format shape", &["--home", &home, made]);
    run.stderr = run.stderr.replace(made, "NEW");
    check(name, &run, Some(folder));
}

#[test]
fn sessions_go_on_from_an_earlier_turn() {
    let folder = home();
    let home = folder.arg("home");
    let id = "019ceb9d-fafa-77c1-8cba-c817151dded9";
    for (name, words) in [
        ("fork", "fork --turn 1"),
        ("fork_copy", "fork --turn 2 --copy"),
    ] {
        let (run, made) = making(words, &["--home", &home, id]);
        check(name, &run, Some(&folder));
        check_input(&format!("{name}_input"), &folder, &made);
    }
    let run = making_json("fork --json --copy", &["--home", &home, id]);
    check("fork_json", &run, Some(&folder));
    let (run, made) = making("rollback", &["--home", &home, id, "1"]);
    check("rollback", &run, Some(&folder));
    check_input("rollback_input", &folder, &made);
    let run = annals("rollback", &["--home", &home, id, "9"]);
    check("rollback_too_far", &run, Some(&folder));
    let mut run = making_json("rollback --json", &["--home", &home, id, "1"]);
    // The segment that the rollback above made, whose name is not the same each time either.
    run.stdout = run.stdout.replace(&made, "OLD");
    check("rollback_json", &run, Some(&folder));
}

#[test]
fn rules_of_a_folder_are_listed() {
    let folder = Folder::new();
    folder.write("project/.git/HEAD", "ref: refs/heads/main\n");
    folder.write("project/AGENTS.md", "Lights keep their numbers.\n");
    folder.write("project/src/AGENTS.md", "Run `make test`.\n");
    let (home, dir) = (folder.arg("home"), folder.arg("project/src"));
    for (name, words) in [
        ("agents_md", "agents-md"),
        ("agents_md_text", "agents-md --text"),
        ("agents_md_json", "agents-md --json"),
    ] {
        check(
            name,
            &annals(words, &["--home", &home, &dir]),
            Some(&folder),
        );
    }
}

#[test]
fn what_is_generated_starts_as_it_should() {
    for (words, start) in [
        ("completions bash", "_annals() {"),
        ("completions zsh", "#compdef annals"),
        ("completions fish", "# Print an optspec"),
        ("man", ".ie"),
        ("man-markdown", "# The command line"),
    ] {
        let run = annals(words, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.starts_with(start), "{words}: {}", run.stdout);
    }
}
