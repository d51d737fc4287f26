//! What a task is, and how the words of the command line find one.

use std::error::Error;
use std::process::ExitCode;

use crate::out;

/// What a task hands back: nothing, or the reason why it failed, to be shown to a person.
pub(crate) type TaskResult = Result<(), Box<dyn Error>>;

/// One line of the task table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task {
    /// The word that runs it.
    pub(crate) name: &'static str,
    /// One line for the list.
    pub(crate) help: &'static str,
    /// Does it, with the words that stand after the name.
    pub(crate) run: fn(&[String]) -> TaskResult,
}

impl Task {
    /// A task from its three parts.
    pub(crate) const fn new(
        name: &'static str,
        help: &'static str,
        run: fn(&[String]) -> TaskResult,
    ) -> Self {
        Self { name, help, run }
    }
}

/// Runs the task that the first word names; without a word lists them all.
///
/// The exit code is 0 when the task is done, 1 when it failed, 2 when there is no such task.
pub(crate) fn dispatch(tasks: &[Task], args: &[String]) -> ExitCode {
    let Some((name, rest)) = args.split_first() else {
        out::line(&listing(tasks));
        return ExitCode::SUCCESS;
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        out::line(&listing(tasks));
        return ExitCode::SUCCESS;
    }
    let Some(task) = tasks.iter().find(|task| task.name == name) else {
        out::error(&format!("no task is called {name:?}\n\n{}", listing(tasks)));
        return ExitCode::from(2);
    };
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            out::error(&format!("{name}: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Refuses words that a task does not know, and says which of `known` were given.
///
/// The answer has one entry for each entry of `known`, in that order.
pub(crate) fn flags<const N: usize>(
    args: &[String],
    known: [&str; N],
) -> Result<[bool; N], Box<dyn Error>> {
    if let Some(word) = args.iter().find(|word| !known.contains(&word.as_str())) {
        let known = if N == 0 {
            "none".to_owned()
        } else {
            known.join(", ")
        };
        return Err(format!("unknown argument {word:?} (known: {known})").into());
    }
    Ok(known.map(|flag| args.iter().any(|word| word == flag)))
}

/// The list of tasks, one line each, names aligned.
fn listing(tasks: &[Task]) -> String {
    let width = tasks.iter().map(|task| task.name.len()).max().unwrap_or(0);
    let mut lines = vec!["cargo xtask NAME [ARGUMENTS]".to_owned(), String::new()];
    lines.extend(
        tasks
            .iter()
            .map(|task| format!("  {:width$}  {}", task.name, task.help)),
    );
    lines.join("\n")
}

#[cfg(test)]
#[path = "task_tests.rs"]
mod tests;
