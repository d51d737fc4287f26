//! One module a command.

mod agents_md;
mod cache;
mod changed;
mod context;
mod diff;
mod export;
mod fork;
mod list;
mod manual;
mod prompt_input;
mod prune;
mod repair;
mod report;
mod search;
mod show;
mod state;
mod stats;
mod tidy_up;
mod verify;

use crate::args::{Args, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::target::Lookup;

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let lookup = Lookup::new(args.home.as_deref());
    match &args.command {
        Command::PromptInput(args) => prompt_input::run(args, &lookup),
        Command::Show(args) => show::run(args, &lookup),
        Command::Context(args) => context::run(args, &lookup),
        Command::State(args) => state::run(args, &lookup),
        Command::Diff(args) => diff::run(args, &lookup),
        Command::Cache(args) => cache::run(args, &lookup),
        Command::Verify(args) => verify::run(args, &lookup),
        Command::Repair(args) => repair::run(args, &lookup),
        Command::List(args) => list::run(args, &lookup),
        Command::Search(args) => search::run(args, &lookup),
        Command::Stats(args) => stats::run(args, &lookup),
        Command::Report(args) => report::run(args, &lookup),
        Command::Export(args) => export::run(args, &lookup),
        Command::AgentsMd(args) => agents_md::run(args, &lookup),
        Command::Fork(args) => fork::fork(args, &lookup),
        Command::Rollback(args) => fork::rollback(args, &lookup),
        Command::Compress(args) => tidy_up::compress(args, &lookup),
        Command::Archive(args) => tidy_up::archive(args, &lookup),
        Command::Delete(args) => tidy_up::delete(args, &lookup),
        Command::Prune(args) => prune::run(args, &lookup),
        Command::Completions(args) => manual::completions(args),
        Command::Man => manual::page(),
        Command::ManMarkdown => manual::markdown(),
    }
}
