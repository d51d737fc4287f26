//! The tasks of this workspace: `cargo xtask` lists them, `cargo xtask NAME` runs one.
//!
//! This file holds the table alone; what a task does is in its module.

mod arrows;
mod bench;
mod ci;
mod crash;
mod examples;
mod finding;
mod fragments;
mod generate;
mod out;
mod report_test;
mod sh;
mod task;
mod tidy;
mod workspace;

use std::process::ExitCode;

use task::Task;

/// Every task, in the order in which it is listed.
///
/// A new one is a line here and a module beside: its name, what the list says of it, and the
/// function that takes the words after the name.
#[rustfmt::skip]
const TASKS: &[Task] = &[
    Task::new("arrows", "check that every crate imports only what it may", arrows::task),
    Task::new("bench", "run the comparisons; SUITE…, --quick, --json FILE; --instructions [--save] counts instead", bench::task),
    Task::new("ci", "run every check, one line a step; --fast without docs and doctests", ci::task),
    Task::new("fragments", "audit every fragment and write docs/fragments.md; --check, --dry-run", fragments::task),
    Task::new("crash", "kill, starve and break writers; --runs N, --soak-secs N", crash::task),
    Task::new("gen", "write the generated documents; --check, --dry-run", generate::task),
    Task::new("report-test", "open the pages of `annals report` in a browser without a window", report_test::task),
    Task::new("tidy", "check heads, sizes, manifests, snapshots, and what documents claim", tidy::task),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    task::dispatch(TASKS, &args)
}

#[cfg(test)]
mod tests {
    use super::TASKS;

    #[test]
    fn names_are_unique_and_every_task_says_what_it_does() {
        let mut names: Vec<_> = TASKS.iter().map(|task| task.name).collect();
        names.sort_unstable();
        let n_tasks = names.len();
        names.dedup();
        assert_eq!(names.len(), n_tasks);
        for task in TASKS {
            assert!(
                !task.help.is_empty() && !task.help.contains('\n'),
                "{}",
                task.name
            );
        }
    }
}
