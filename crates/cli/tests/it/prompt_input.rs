//! `prompt-input`: what is printed where, and what the exit code says.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::process::Stdio;

use crate::support::{
    Folder, ID, Run, annals, annals_fed, head, lines, message, program, record, repository, sample,
    two_turns,
};

#[test]
fn the_sample_is_printed_exactly() {
    let run = annals(["prompt-input", &sample()]);
    let expected = fs::read_to_string(repository("examples/sample-session.expected.json")).unwrap();
    assert_eq!(run.stdout, expected);
    assert_eq!(run.code, 0);
}

#[test]
fn results_go_to_one_stream_and_notes_to_the_other() {
    let folder = Folder::new();
    let file = folder.write("damaged.jsonl", two_turns() + "not json\n");
    let run = annals(["prompt-input", &file]);
    assert_eq!(run.code, 0);
    assert_eq!(run.json().as_array().unwrap().len(), 4);
    let notes = folder.without_own_name(&run.stderr);
    insta::assert_snapshot!(notes, @r"
    warning: DIR/damaged.jsonl:6: byte 873: not JSON: not valid JSON at byte 1: expected ident
      not json
       ^
    ");
}

#[test]
fn an_empty_file_is_bad_data() {
    let folder = Folder::new();
    let run = annals(["prompt-input", &folder.write("empty.jsonl", "")]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
}

#[test]
fn a_file_without_a_head_is_bad_data_with_a_hint() {
    let folder = Folder::new();
    let run = annals([
        "prompt-input",
        &folder.write("x.jsonl", message("user", "hi")),
    ]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("no session_meta"), "{}", run.stderr);
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
}

#[test]
fn a_file_in_which_nothing_can_be_read_is_no_success() {
    let folder = Folder::new();
    let run = annals(["prompt-input", &folder.write("x.jsonl", "{\n[\nnull\n")]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("3 lines"), "{}", run.stderr);
}

#[test]
fn lines_and_turns_cut_the_session() {
    let folder = Folder::new();
    let file = folder.write("two.jsonl", two_turns());
    let count = |args: &[&str]| -> usize {
        let run = annals([&["prompt-input", &file], args].concat());
        assert_eq!(run.code, 0, "{run:?}");
        run.json().as_array().unwrap().len()
    };
    assert_eq!(count(&["--at-line", "1"]), 0);
    assert_eq!(count(&["--at-line", "3"]), 2);
    assert_eq!(count(&["--at-line", "5"]), 4);
    assert_eq!(count(&["--turn", "1"]), 2);
    assert_eq!(count(&["--turn", "2"]), 4);
}

#[test]
fn a_turn_that_is_not_there_is_a_wrong_call() {
    let folder = Folder::new();
    let file = folder.write("two.jsonl", two_turns());
    for command in ["prompt-input", "show", "context", "state", "fork"] {
        for turn in ["0", "3"] {
            let run = annals([command, &file, "--turn", turn]);
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
            let told =
                format!("error: there is no user turn {turn}, the session has 2: give 1 to 2\n");
            assert_eq!(run.stderr, told, "{command}");
        }
    }
    let both = annals(["prompt-input", &file, "--turn", "1", "--at-line", "1"]);
    assert_eq!(both.code, 2);
}

#[test]
fn a_line_that_is_not_there_is_a_wrong_call() {
    let folder = Folder::new();
    let file = folder.write("two.jsonl", two_turns());
    for command in ["prompt-input", "show", "context", "state", "cache"] {
        for line in ["0", "6"] {
            let run = annals([command, &file, "--at-line", line]);
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
            let told = format!("error: there is no line {line}, the file has 5: give 1 to 5\n");
            assert_eq!(run.stderr, told, "{command}");
        }
    }
    let fed = annals_fed(
        ["prompt-input", "-", "--at-line", "6"],
        two_turns().as_bytes(),
    );
    assert_eq!(fed.code, 2, "{fed:?}");
    let diff = annals(["diff", &file, "line:6"]);
    assert!(diff.code == 2 && diff.stderr.contains("1 to 5"), "{diff:?}");
}

#[test]
fn the_shape_and_the_texts_are_for_people() {
    let folder = Folder::new();
    let file = folder.write("two.jsonl", two_turns());
    let shape = annals(["prompt-input", &file, "--format", "shape"]);
    insta::assert_snapshot!(shape.stdout, @r"
    user message
      first (5 bytes)
    assistant message
      one (3 bytes)
    user message
      second (6 bytes)
    assistant message
      two (3 bytes)
    ");
    let text = annals(["prompt-input", &file, "--format", "text", "--turn", "1"]);
    insta::assert_snapshot!(text.stdout, @r"
    == 1: user message
    first

    == 2: assistant message
    one
    ");
}

#[test]
fn what_names_a_secret_is_printed_as_it_was_sent() {
    let folder = Folder::new();
    let code = "key = os.getenv(\"OTHER_API_KEY\")  # sk-not-a-key";
    let file = folder.write("s.jsonl", head(ID) + &message("user", code));
    let run = annals(["prompt-input", &file]);
    assert_eq!(run.json()[0]["content"][0]["text"], code);
}

#[test]
fn twenty_faults_are_named_and_the_rest_is_counted() {
    let folder = Folder::new();
    let file = folder.write("bad.jsonl", two_turns() + &"bad\n".repeat(35));
    let run = annals(["prompt-input", &file]);
    assert_eq!(run.code, 0);
    let notes = lines(&run.stderr);
    let warnings = notes.iter().filter(|line| line.starts_with("warning: "));
    assert_eq!(warnings.count(), 21, "{notes:?}");
    let shown = notes.iter().filter(|line| **line == "  bad");
    assert_eq!(shown.count(), 20, "{notes:?}");
    assert_eq!(
        notes.last(),
        Some(&"warning: 15 more lines that could not be used, 35 in all")
    );
}

#[test]
fn a_file_is_never_changed_by_reading() {
    let folder = Folder::new();
    let content = two_turns() + "{\"torn";
    let file = folder.write("torn.jsonl", &content);
    let first = annals(["prompt-input", &file]);
    let second = annals(["prompt-input", &file]);
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(fs::read_to_string(&file).unwrap(), content);
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);
}

#[test]
fn standard_input_is_read_like_a_file() {
    let folder = Folder::new();
    let file = folder.write("two.jsonl", two_turns());
    let fed = annals_fed(["prompt-input", "-"], two_turns().as_bytes());
    assert_eq!(fed.code, 0, "{fed:?}");
    assert_eq!(fed.stdout, annals(["prompt-input", &file]).stdout);
    let nothing = annals(["prompt-input", "-"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (1, ""));
}

#[test]
fn a_compressed_session_reads_as_it_was() {
    let folder = Folder::new();
    let name = format!("rollout-2026-01-03T12-00-00-{ID}.jsonl");
    let file = folder.write(&name, two_turns());
    let plain = annals(["prompt-input", &file]).stdout;
    let packed = annals_rollout::compress(&file).unwrap();
    assert!(packed.to_string_lossy().ends_with(".jsonl.zst"));
    let packed = packed.to_string_lossy().into_owned();
    assert_eq!(annals(["prompt-input", &packed]).stdout, plain);
    let cut = annals(["prompt-input", &packed, "--at-line", "2"]);
    assert_eq!(cut.json().as_array().unwrap().len(), 1);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let long = message("user", &"many words ".repeat(1_000));
    let file = folder.write("long.jsonl", head(ID) + &long.repeat(200));
    let mut child = program()
        .args(["prompt-input", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0_u8; 8];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let run = Run::of(&child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

/// A line of 1 GB, of which nothing but its ends is on the disk.
#[cfg(unix)]
#[test]
fn an_endless_line_is_passed_over_without_being_held() {
    const LINE_BYTES: i64 = 1_000_000_000;
    let folder = Folder::new();
    let file = folder.arg("long.jsonl");
    let mut out = File::create(&file).unwrap();
    out.write_all((head(ID) + &message("user", "before")).as_bytes())
        .unwrap();
    out.write_all(b"{").unwrap();
    out.seek(SeekFrom::Current(LINE_BYTES)).unwrap();
    out.write_all(("\n".to_owned() + &message("user", "behind")).as_bytes())
        .unwrap();
    drop(out);
    // With half the room that the line would take, holding it would end the program.
    let output = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v 500000 && exec {} prompt-input '{file}'",
            env!("CARGO_BIN_EXE_annals")
        ))
        .output()
        .unwrap();
    let run = Run::of(&output);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.json().as_array().unwrap().len(), 2);
    assert!(run.stderr.contains("line too long"), "{}", run.stderr);
}

#[test]
fn a_record_of_an_unknown_kind_is_told_and_costs_nothing_else() {
    let folder = Folder::new();
    let file = folder.write("new.jsonl", two_turns() + &record("from_the_future", "{}"));
    let run = annals(["prompt-input", &file]);
    assert_eq!(run.json().as_array().unwrap().len(), 4);
    assert!(
        run.stderr
            .contains(":6: byte 873: a record of a kind that is not known"),
        "{}",
        run.stderr
    );
}

/// The place of a fault in a long line, as wide as asked for.
#[test]
fn a_damaged_line_is_shown_around_its_fault() {
    let folder = Folder::new();
    let long = message("user", &"many words ".repeat(40));
    let broken = long.replacen("\"role\"", "role", 1);
    let file = folder.write("d.jsonl", two_turns() + &broken + "{\"timestamp\":\"20");
    let mut shown = String::new();
    for columns in ["40", "100"] {
        for command in ["show", "prompt-input", "verify"] {
            let output = program()
                .env("COLUMNS", columns)
                .args([command, &file])
                .output()
                .unwrap();
            let run = Run::of(&output);
            let text = if command == "verify" {
                run.stdout
            } else {
                run.stderr
            };
            shown.extend(["--- ", command, ", ", columns, " columns\n", &text]);
        }
    }
    insta::assert_snapshot!(folder.without_own_name(&shown));
}
