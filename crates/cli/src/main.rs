//! The terminal face of annals: reads arguments, lets the libraries think, prints, and exits.

mod args;
mod commands;
mod exit;
mod failure;
mod mistake;
mod out;
mod progress;
mod render;
mod target;

use std::process::ExitCode;

use clap::Parser as _;

use crate::failure::Listener;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return exit::usage(&error),
    };
    match commands::run(&args) {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report(Listener::of(args.command.wants_json())),
    }
}
