//! The arguments, as clap reads them; every text here is also in the manual.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// See what an agent's model really received, why its cache missed, and mend session files.
///
/// FILE is a path, `-` for standard input, or the id of a session under the home. Results go to
/// standard output, everything else to standard error. Exit codes: 0 done; 1 the data is bad or a
/// check failed; 2 wrong usage; 3 no such file or id, or it may not be read.
#[derive(Debug, Parser)]
#[command(
    name = "annals",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Args {
    /// The directory with the sessions [default: `$CODEX_HOME`, else `~/.codex`]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the exact input that the model received, as a JSON array
    PromptInput(PromptInputArgs),
}

/// The arguments of `prompt-input`.
#[derive(Debug, ClapArgs)]
pub(crate) struct PromptInputArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Read only the first N physical lines of FILE (decompressed)
    #[arg(long, value_name = "N")]
    pub(crate) at_line: Option<u64>,

    /// Stop before the user turn behind the Nth surviving one (from 1)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "at_line")]
    pub(crate) turn: Option<u64>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub(crate) format: Format,

    /// Show images as a model without eyes is told of them
    #[arg(long)]
    pub(crate) no_images: bool,

    /// Show sound as a model without ears is told of it
    #[arg(long)]
    pub(crate) no_audio: bool,
}

/// How a prompt is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The exact JSON array
    Json,
    /// A line an item: kind, role, size, first words
    Shape,
    /// The texts, with a heading an item
    Text,
}
