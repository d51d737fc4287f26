//! What people are used to: colors, widths, pipes, two streams, and help with the likeliest mistakes.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

use crate::support::{
    Folder, Run, annals, annals_fed, head, message, program, record, repository, sample, two_turns,
};

const ESCAPE: char = '\u{1b}';

/// The commands that look at one session, each with what else it needs.
const LOOKING: [&[&str]; 9] = [
    &["prompt-input"],
    &["show", "--full"],
    &["context"],
    &["state"],
    &["diff"],
    &["cache"],
    &["verify"],
    &["stats"],
    &["export"],
];

/// The words that look at `file` with one of [`LOOKING`].
fn looking<'a>(what: &[&'a str], file: &'a str) -> Vec<&'a str> {
    let mut words = what.to_vec();
    words.push(file);
    if what == ["diff"] {
        words.push("turn:1");
    }
    words
}

fn run(command: &mut Command) -> Run {
    Run::of(&command.output().expect("the program starts"))
}

#[test]
fn into_a_pipe_no_color_and_no_progress_go() {
    for what in LOOKING {
        let run = annals(looking(what, &sample()));
        assert_eq!(run.code, 0, "{what:?}");
        assert!(!run.stdout.is_empty(), "{what:?}");
        let text = run.stdout + &run.stderr;
        assert!(!text.contains(ESCAPE), "{what:?}: {text}");
    }
}

/// The sample has colors in the output of a tool.
#[test]
fn what_a_tool_printed_moves_no_cursor() {
    let sample = sample();
    for words in [
        &["prompt-input", "--format", "text"] as &[&str],
        &["prompt-input", "--format", "shape"],
        &["show", "--full", "--context"],
        &["export"],
    ] {
        let run = run(program().args(words).arg(&sample));
        assert!(run.stdout.contains("February"), "{words:?}");
        assert!(!run.stdout.contains(ESCAPE), "{words:?}: {}", run.stdout);
    }
}

/// Files come from elsewhere, and their names may hold anything.
#[cfg(unix)]
#[test]
fn the_name_of_a_file_moves_no_cursor_and_forges_no_line() {
    let folder = Folder::new();
    let call = r#"{"type":"function_call","name":"ls","arguments":"{}","call_id":"c"}"#;
    let file = folder.write(
        "e\u{1b}[2Jvil\nerror: x.jsonl",
        two_turns() + &record("response_item", call),
    );
    let missing = folder.arg("no\u{1b}[2J\nerror: x.jsonl");
    for name in [&file, &missing] {
        for what in LOOKING {
            let run = run(program()
                .env("CLICOLOR_FORCE", "1")
                .args(looking(what, name)));
            let text = run.stdout + &run.stderr;
            assert!(!text.contains("\u{1b}[2J"), "{what:?}: {text}");
            assert!(!text.contains("\nerror: x"), "{what:?}: {text}");
        }
    }
}

#[test]
fn colors_can_be_forced_and_no_color_wins_over_nothing_else() {
    let sample = sample();
    let words = ["cache", &sample];
    let forced = run(program().env("CLICOLOR_FORCE", "1").args(words));
    assert!(forced.stdout.contains(ESCAPE));
    let plain = run(program().env("NO_COLOR", "1").args(words));
    assert!(!plain.stdout.contains(ESCAPE));
    // Programs get the same bytes whatever a person likes.
    let json = run(program()
        .env("CLICOLOR_FORCE", "1")
        .args(words)
        .arg("--json"));
    assert!(!json.stdout.contains(ESCAPE));
}

/// The program on a terminal of its own, if this machine has `script` to make one.
#[cfg(target_os = "linux")]
fn on_a_terminal(variable: &str, words: &str) -> Option<String> {
    let command = format!(
        "stty rows 24 cols 72; {variable} {} {words}",
        env!("CARGO_BIN_EXE_annals")
    );
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_lines_fit_and_have_colors_unless_unwanted() {
    let file = repository("examples/cache-misses.jsonl");
    let words = format!("cache {}", file.display());
    let Some(shown) = on_a_terminal("", &words) else {
        return;
    };
    if !shown.contains("gpt-5.5-mini") {
        // A machine whose `script` knows other words.
        return;
    }
    assert!(shown.contains(ESCAPE), "{shown}");
    let plain = on_a_terminal("NO_COLOR=1", &words).unwrap();
    assert!(!plain.contains(ESCAPE), "{plain}");
    let table = plain.lines().take_while(|line| !line.trim().is_empty());
    for line in table {
        assert!(line.trim_end().chars().count() <= 72, "{line}");
    }
}

#[test]
fn a_table_is_as_wide_as_asked_for() {
    let file = repository("examples/cache-misses.jsonl");
    for columns in [80, 100, 140] {
        let run = run(program()
            .env("COLUMNS", columns.to_string())
            .arg("context")
            .arg(&file));
        // The heading names the file, however long that is.
        let rows = run.stdout.lines().filter(|line| !line.contains(".jsonl"));
        let widest = rows.map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{columns}: {}", run.stdout);
    }
}

#[test]
fn sizes_are_exact_when_asked_for() {
    let sample = sample();
    let exact = fs::metadata(&sample).unwrap().len();
    assert!(annals(["stats", &sample]).stdout.contains("33.0 KB"));
    let exact = format!("{},{:03}", exact / 1000, exact % 1000);
    assert!(
        annals(["stats", &sample, "--bytes"])
            .stdout
            .contains(&exact)
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error_of_any_command() {
    let folder = Folder::new();
    let turn = message("user", &"many words ".repeat(100)) + &message("assistant", "one");
    let file = folder.write("long.jsonl", head("x") + &turn.repeat(2_000));
    for what in LOOKING
        .into_iter()
        .chain([&["show", "--json"] as &[&str], &["cache", "--json"]])
    {
        let mut child = program()
            .args(looking(what, &file))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0_u8; 4];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let run = Run::of(&child.wait_with_output().unwrap());
        let told = format!("{what:?}: {} {}", run.code, run.stderr);
        assert!(run.code == 0 && !run.stderr.contains("error"), "{told}");
    }
}

#[test]
fn every_looking_command_reads_standard_input() {
    let content = fs::read(sample()).unwrap();
    for what in LOOKING {
        let fed = annals_fed(looking(what, "-"), &content);
        let read = annals(looking(what, &sample()));
        assert_eq!(fed.code, read.code, "{what:?}: {}", fed.stderr);
        let lines = |run: &Run| run.stdout.lines().count();
        assert_eq!(lines(&fed), lines(&read), "{what:?}");
    }
}

/// What is said to somebody who took `content` for a session.
fn check_mistake(name: &str, content: &[u8], code: i32, word: &str) {
    let folder = Folder::new();
    let file = folder.write(name, content);
    for command in ["show", "cache", "prompt-input"] {
        let run = annals([command, &file]);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (code, ""),
            "{command}: {run:?}"
        );
        assert!(
            run.stderr.contains(word),
            "{command} {name}: {}",
            run.stderr
        );
        assert!(
            run.stderr.contains(name),
            "{command} {name}: {}",
            run.stderr
        );
    }
}

#[test]
fn what_was_taken_for_a_session_is_named() {
    check_mistake("config.toml", b"model = \"gpt-5.5\"\n", 1, "settings");
    check_mistake("s.jsonl.gz", &[0x1F, 0x8B, 8, 0, 0, 0, 0, 0], 1, "gzip");
    check_mistake(
        "other.jsonl",
        b"{\"sessionId\":\"x\",\"type\":\"user\"}\n",
        1,
        "another agent",
    );
    check_mistake(
        "history.jsonl",
        b"{\"session_id\":\"x\",\"ts\":1,\"text\":\"hi\"}\n",
        1,
        "what was typed",
    );
    check_mistake("all.json", b"[\n{\"a\": 1}\n]\n", 1, "one JSON document");
    check_mistake("state.sqlite", b"SQLite format 3\0\x10\0\n", 1, "database");
    check_mistake("empty.jsonl", b"", 1, "hint: ");
}

#[test]
fn what_is_not_there_is_told_in_words_that_people_know() {
    let folder = Folder::new();
    let run = annals(["cache", &folder.arg("none.jsonl")]);
    let told = folder.without_own_name(&run.stderr);
    assert_eq!(
        (run.code, told.as_str()),
        (
            3,
            "error: no such file: DIR/none.jsonl; check the path, or list the sessions to find the id\n"
        )
    );
    let run = annals(["cache", &folder.arg("")]);
    assert!(run.code == 3 && run.stderr.contains("directory"), "{run:?}");
}

#[test]
fn a_wrong_call_says_what_a_right_one_is() {
    let sample = sample();
    let cases: [(&[&str], &str); 6] = [
        (&[&sample], "annals show "),
        (&["shwo", &sample], "'show'"),
        (&["diff", &sample, "3"], "turn:3"),
        (&["show", &sample, "--turn", "9"], "the session has 3"),
        (&["cache", &sample, "--price-input", "1"], "--price-cached"),
        (&["show", "-", "--follow"], "standard input"),
    ];
    for (words, told) in cases {
        let run = annals(words);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words:?}");
        assert!(run.stderr.contains(told), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn nothing_is_overwritten() {
    let folder = Folder::new();
    let file = folder.write("two.jsonl", two_turns());
    let run = annals(["repair", &file, "-o", &file]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("there is a file already"), "{run:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), two_turns());
}
