//! Runs one command with its output kept back.

use std::io::{BufRead, BufReader, pipe};
use std::process::{Command, Stdio};

/// When a step can run at all.
#[derive(Debug)]
pub(super) enum When {
    /// On every machine.
    Always,
    /// Where rustup has this toolchain.
    Toolchain(&'static str),
    /// Where the toolchain in use has the standard library of this target.
    Target(&'static str),
    /// Where there is a browser to open pages with.
    Browser,
}

/// How a step went.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// It did what it should.
    Done,
    /// It could not run here.
    Skipped {
        /// What is missing.
        why: String,
    },
    /// It failed.
    Failed {
        /// All that it printed.
        output: String,
    },
}

/// Runs a command if it can run here; `each_line` sees what it prints as it comes.
pub(super) fn run(when: &When, command: &mut Command, each_line: &mut dyn FnMut(&str)) -> Ran {
    if let Some(why) = missing(when) {
        return Ran::Skipped { why };
    }
    let mut output = String::new();
    let success = listen(command, &mut |line| {
        each_line(line);
        output.push_str(line);
        output.push('\n');
    });
    match success {
        Ok(true) => Ran::Done,
        Ok(false) => Ran::Failed { output },
        Err(error) => Ran::Failed {
            output: format!("{output}{command:?}: {error}"),
        },
    }
}

/// Runs a command and hands over every line of both its outputs, in the order of writing.
fn listen(command: &mut Command, each_line: &mut dyn FnMut(&str)) -> std::io::Result<bool> {
    let (reader, writer) = pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the ends for writing: as long as it does, the reader waits for more.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        each_line(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']));
        line.clear();
    }
    Ok(child.wait()?.success())
}

/// What a step needs and this machine does not have.
fn missing(when: &When) -> Option<String> {
    match when {
        When::Always => None,
        When::Toolchain(toolchain) => {
            let known = rustup(&["toolchain", "list"]).lines().any(|line| {
                line.starts_with(&format!("{toolchain}."))
                    || line.starts_with(&format!("{toolchain}-"))
            });
            (!known).then(|| format!("toolchain {toolchain} not installed"))
        }
        When::Target(target) => {
            let known = rustup(&["target", "list", "--installed"])
                .lines()
                .any(|line| line == *target);
            (!known).then(|| "target not installed".to_owned())
        }
        When::Browser => crate::report_test::missing(),
    }
}

/// What rustup answers; nothing where there is none.
fn rustup(args: &[&str]) -> String {
    let output = Command::new("rustup").args(args).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Ran, When, run};
    use crate::sh;

    /// Runs cargo with these words; what came, and all lines seen.
    fn cargo(when: &When, words: &str) -> (Ran, Vec<String>) {
        let mut seen = Vec::new();
        let ran = run(when, &mut sh::cargo(words), &mut |line| {
            seen.push(line.to_owned());
        });
        (ran, seen)
    }

    #[test]
    fn what_a_command_prints_is_seen_and_kept_when_it_fails() {
        let (ran, seen) = cargo(&When::Always, "--version");
        assert_eq!(ran, Ran::Done);
        assert!(
            seen.iter().any(|line| line.starts_with("cargo ")),
            "{seen:?}"
        );

        let (ran, seen) = cargo(&When::Always, "no-such-command");
        let Ran::Failed { output } = ran else {
            panic!("{ran:?}")
        };
        assert!(output.contains("no-such-command"), "{output}");
        assert_eq!(output.lines().collect::<Vec<_>>(), seen);
    }

    #[test]
    fn a_command_that_cannot_start_fails_with_its_name() {
        let ran = run(
            &When::Always,
            &mut Command::new("./no/such/program"),
            &mut |_| {},
        );
        let Ran::Failed { output } = ran else {
            panic!("{ran:?}")
        };
        assert!(output.contains("./no/such/program"), "{output}");
    }

    #[test]
    fn what_this_machine_lacks_is_skipped_and_said() {
        let (ran, seen) = cargo(&When::Target("no-such-target"), "--version");
        assert_eq!(
            ran,
            Ran::Skipped {
                why: "target not installed".to_owned()
            }
        );
        assert!(seen.is_empty());
        let (ran, _) = cargo(&When::Toolchain("0.1"), "--version");
        assert_eq!(
            ran,
            Ran::Skipped {
                why: "toolchain 0.1 not installed".to_owned()
            }
        );
    }
}
