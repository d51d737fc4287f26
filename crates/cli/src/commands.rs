//! One module a command.

mod prompt_input;

use crate::args::{Args, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::target::Lookup;

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let lookup = Lookup::new(args.home.as_deref());
    match &args.command {
        Command::PromptInput(args) => prompt_input::run(args, &lookup),
    }
}
