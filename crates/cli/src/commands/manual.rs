//! `annals completions` and `annals man`: what is generated from the arguments themselves.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::args::{Args, CompletionsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;

/// Prints completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "annals", &mut script);
    print(&script)
}

/// Prints the manual page: the program, then every command.
pub(crate) fn page() -> Result<Exit, Failure> {
    let mut page = Vec::new();
    let mut command = Args::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        clap_mangen::Man::new(sub.clone()).render(&mut page)?;
    }
    print(&page)
}

/// Prints the manual of all commands as Markdown.
pub(crate) fn markdown() -> Result<Exit, Failure> {
    let mut text = String::from(
        "# The command line\n\nGenerated from the program's own arguments by `cargo xtask gen`.\n",
    );
    let mut command = Args::command().term_width(96);
    command.build();
    section(&mut text, "annals", &mut command);
    let names: Vec<String> = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in names {
        if let Some(sub) = command.find_subcommand_mut(&name) {
            let mut sub = sub.clone().term_width(96);
            section(&mut text, &format!("annals {name}"), &mut sub);
        }
    }
    print(text.as_bytes())
}

fn section(text: &mut String, name: &str, command: &mut clap::Command) {
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    text.push_str("\n## ");
    text.push_str(name);
    text.push_str("\n\n```text\n");
    text.push_str(help.join("\n").trim_end());
    text.push_str("\n```\n");
}

fn print(text: &[u8]) -> Result<Exit, Failure> {
    let mut out = out::results();
    out.write_all(text)?;
    out.flush()?;
    Ok(Exit::Done)
}
