//! Runs the program, and makes sessions for it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().expect("the program was not killed"),
            stdout: String::from_utf8(output.stdout.clone()).expect("results are UTF-8"),
            stderr: String::from_utf8(output.stderr.clone()).expect("notes are UTF-8"),
        }
    }

    /// The results as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The program, with nothing of the person's own environment in it.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command
        .env_remove("CODEX_HOME")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("HOME", "/nonexistent")
        .env("COLUMNS", "100")
        .stdin(Stdio::null());
    command
}

/// Runs the program.
pub(crate) fn annals<I>(args: I) -> Run
where
    I: IntoIterator<Item: AsRef<OsStr>>,
{
    Run::of(&program().args(args).output().expect("the program starts"))
}

/// Runs the program with `input` on its standard input.
pub(crate) fn annals_fed<I>(args: I, input: &[u8]) -> Run
where
    I: IntoIterator<Item: AsRef<OsStr>>,
{
    let mut child = program()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).expect("it reads all");
    drop(stdin);
    Run::of(&child.wait_with_output().expect("it ends"))
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The sample session.
pub(crate) fn sample() -> String {
    repository("examples/sample-session.jsonl")
        .to_string_lossy()
        .into_owned()
}

/// One record as a line.
pub(crate) fn record(kind: &str, payload: &str) -> String {
    format!(
        "{{\"timestamp\":\"2026-01-03T12:00:00.000Z\",\"type\":\"{kind}\",\"payload\":{payload}}}\n"
    )
}

/// The head of a session.
pub(crate) fn head(id: &str) -> String {
    record(
        "session_meta",
        &format!(
            "{{\"id\":\"{id}\",\"timestamp\":\"2026-01-03T12:00:00.000Z\",\"cwd\":\"/home/dev/demo\",\"originator\":\"test\",\"cli_version\":\"0.171.0\",\"source\":\"cli\"}}"
        ),
    )
}

/// What somebody said.
pub(crate) fn message(role: &str, text: &str) -> String {
    let kind = if role == "assistant" {
        "output_text"
    } else {
        "input_text"
    };
    let text = serde_json::Value::from(text);
    record(
        "response_item",
        &format!(
            "{{\"type\":\"message\",\"role\":\"{role}\",\"content\":[{{\"type\":\"{kind}\",\"text\":{text}}}]}}"
        ),
    )
}

pub(crate) const ID: &str = "019cebf2-0000-7000-8000-000000000001";

/// A session of two turns.
pub(crate) fn two_turns() -> String {
    [
        head(ID),
        message("user", "first"),
        message("assistant", "one"),
        message("user", "second"),
        message("assistant", "two"),
    ]
    .concat()
}

/// A folder with files in it.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The name of a file as an argument.
    pub(crate) fn arg(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    /// Writes a file, with its folders, and gives its name as an argument.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a parent")).expect("folders");
        fs::write(&path, content).expect("a file");
        self.arg(name)
    }

    /// The text with the folder's own name taken out.
    pub(crate) fn without_own_name(&self, text: &str) -> String {
        text.replace(&*self.0.path().to_string_lossy(), "DIR")
    }
}

/// The lines of a run's standard error.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}
