//! The list of tasks, and what unknown words lead to.

use super::{Task, TaskResult, flags, listing};

fn nothing(args: &[String]) -> TaskResult {
    let [] = flags(args, [])?;
    Ok(())
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_list_has_one_aligned_line_for_each_task() {
    let tasks = [
        Task::new("a", "does a", nothing),
        Task::new("long", "does more", nothing),
    ];
    assert_eq!(
        listing(&tasks),
        "cargo xtask NAME [ARGUMENTS]\n\n  a     does a\n  long  does more"
    );
}

#[test]
fn flags_are_told_in_the_order_in_which_they_are_known() {
    let given = flags(&words("--check --fast"), ["--fast", "--dry-run", "--check"]);
    assert_eq!(given.ok(), Some([true, false, true]));
}

#[test]
fn an_unknown_word_is_refused_by_name() {
    let error = flags(&words("--fast --chekc"), ["--fast", "--check"]).err();
    assert_eq!(
        error.map(|error| error.to_string()).as_deref(),
        Some("unknown argument \"--chekc\" (known: --fast, --check)")
    );
    let error = flags(&words("x"), []).err();
    assert_eq!(
        error.map(|error| error.to_string()).as_deref(),
        Some("unknown argument \"x\" (known: none)")
    );
}
