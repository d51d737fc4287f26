//! Tests of following a session that grows, without waiting for it.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Parser as _;

use super::*;
use crate::args::{Args, Command};

const HEAD: &str =
    r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"session_meta","payload":{"id":"x"}}"#;

fn said(text: &str) -> String {
    format!(
        r#"{{"timestamp":"2026-01-03T12:00:01.000Z","type":"response_item","payload":{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}}}"#
    )
}

/// A session that grows by one piece of text each time that somebody waits for it.
struct Growing {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Growing {
    fn new(content: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("session.jsonl");
        fs::write(&path, content).expect("a file");
        Self {
            _folder: folder,
            path,
        }
    }

    /// What has been printed before each piece came, and after the last.
    fn follow(&self, pieces: &[&str]) -> Vec<Vec<String>> {
        let path = self.path.to_string_lossy();
        let words = ["annals", "show", "--json", "--follow", &*path];
        let Command::Show(args) = Args::parse_from(words).command else {
            panic!("it is `show`");
        };
        let lookup = Lookup::new(None);
        let out = std::cell::RefCell::new(Vec::new());
        let mut shown = Shown {
            page: Page {
                out: Shared(&out),
                style: Style::new(/*exact_bytes*/ false),
                last_turn: None,
            },
            line: 0,
            n_faults: 0,
        };
        let session = lookup.session(&args.file).expect("a session");
        shown.look(&args, &session).expect("it is shown");
        let mut seen = vec![texts(&out.borrow())];
        let mut pieces = pieces.iter();
        let mut is_first = true;
        shown
            .follow(&args, &lookup, &mut || {
                if !is_first {
                    seen.push(texts(&out.borrow()));
                }
                is_first = false;
                let Some(piece) = pieces.next() else {
                    return ControlFlow::Break(());
                };
                let mut file = fs::File::options()
                    .append(true)
                    .open(&self.path)
                    .expect("it is there");
                file.write_all(piece.as_bytes()).expect("it is written");
                changed(&self.path)
            })
            .expect("it is followed");
        seen
    }
}

/// An output that the test can look into meanwhile.
struct Shared<'a>(&'a std::cell::RefCell<Vec<u8>>);

impl Write for Shared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn texts(out: &[u8]) -> Vec<String> {
    let entries = serde_json::Deserializer::from_slice(out).into_iter::<serde_json::Value>();
    let text = |entry: serde_json::Value| {
        let text = entry.get("text").and_then(serde_json::Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    entries.map(|entry| text(entry.expect("JSON"))).collect()
}

#[test]
fn what_is_new_is_shown_once() {
    let session = Growing::new(&format!("{HEAD}\n{}\n", said("one")));
    let two = format!("{}\n{}\n", said("two"), said("three"));
    let seen = session.follow(&[&two, "", &format!("{}\n", said("four"))]);
    assert_eq!(seen[0], ["one"]);
    assert_eq!(seen[1], ["one", "two", "three"]);
    assert_eq!(seen[2], ["one", "two", "three"]);
    assert_eq!(seen[3], ["one", "two", "three", "four"]);
    assert_eq!(seen.len(), 4);
}

#[test]
fn a_line_that_is_not_whole_waits_for_its_end() {
    let session = Growing::new(&format!("{HEAD}\n{}\n", said("one")));
    let line = said("two");
    let (head, tail) = line.split_at(70);
    let seen = session.follow(&[head, tail, "\n", &format!("{}\n", said("three"))]);
    assert_eq!(seen[1], ["one"]);
    assert_eq!(seen[2..4], [["one", "two"], ["one", "two"]]);
    assert_eq!(seen[4], ["one", "two", "three"]);
}

#[test]
fn a_damaged_line_costs_no_other() {
    let session = Growing::new(&format!("{HEAD}\n"));
    let seen = session.follow(&["not json\n", &format!("{}\n", said("one"))]);
    assert_eq!(seen[1], Vec::<String>::new());
    assert_eq!(seen[2], ["one"]);
}

#[test]
fn of_a_fork_the_lines_of_its_parent_hide_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let day = folder.path().join("sessions/2026/01/03");
    fs::create_dir_all(&day).expect("folders");
    let id = |n| format!("019cebf2-0000-7000-8000-00000000000{n}");
    let name = |n| day.join(format!("rollout-2026-01-03T12-00-0{n}-{}.jsonl", id(n)));
    let head = |n, base: &str| {
        format!(
            r#"{{"timestamp":"2026-01-03T12:00:00.000Z","ordinal":0,"type":"session_meta","payload":{{"id":"{}"{base}}}}}"#,
            id(n)
        )
    };
    let mut parent = head(1, "") + "\n";
    for ordinal in 1..9 {
        let line = said("old").replacen("\"type\"", &format!("\"ordinal\":{ordinal},\"type\""), 1);
        parent.push_str(&(line + "\n"));
    }
    fs::write(name(1), parent).expect("a file");
    let base = format!(
        r#","history_base":{{"thread_id":"{}","end_ordinal_exclusive":9}}"#,
        id(1)
    );
    let session = Growing {
        _folder: folder,
        path: name(2),
    };
    let head = head(2, &base).replace("\"ordinal\":0", "\"ordinal\":9");
    fs::write(&session.path, head + "\n").expect("a file");
    let seen = session.follow(&[&format!("{}\n", said("new"))]);
    assert_eq!(seen[0], ["old"; 8]);
    assert_eq!(seen[1].len(), 9, "{seen:?}");
    assert_eq!(seen[1][8], "new");
}
