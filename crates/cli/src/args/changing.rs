//! The arguments of commands that make, move or delete files, and of those about the program itself.

use clap::Args as ClapArgs;

use super::{Form, Look, Which};

/// The arguments of `fork`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ForkArgs {
    /// The session: a path, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Keep only the first N user turns (from 1)
    #[arg(long, value_name = "N")]
    pub(crate) turn: Option<u64>,

    /// Copy the records in place of referring to the original's file
    #[arg(long)]
    pub(crate) copy: bool,

    #[command(flatten)]
    pub(crate) form: Form,
}

/// The arguments of `rollback`.
#[derive(Debug, ClapArgs)]
pub(crate) struct RollbackArgs {
    /// The session: a path, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// How many user turns to take back
    #[arg(value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) turns: u32,

    #[command(flatten)]
    pub(crate) form: Form,
}

/// The arguments of `compress`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CompressArgs {
    /// The sessions: paths of files, or ids, which stand for all files of a session
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    /// Take them apart again
    #[arg(long)]
    pub(crate) undo: bool,

    #[command(flatten)]
    pub(crate) form: Form,
}

/// The arguments of `archive`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ArchiveArgs {
    /// The sessions: ids, which stand for all files of a session, or paths under the home
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    /// Move them back
    #[arg(long)]
    pub(crate) undo: bool,

    #[command(flatten)]
    pub(crate) form: Form,
}

/// The arguments of `delete`.
#[derive(Debug, ClapArgs)]
pub(crate) struct DeleteArgs {
    /// The sessions: paths of files, or ids, which stand for all files of a session
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    /// Only say what would be deleted
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Delete a session even if others go on from it
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) form: Form,
}

/// The arguments of `prune`.
#[derive(Debug, ClapArgs)]
pub(crate) struct PruneArgs {
    /// Sessions that were not changed for so many days
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) older_than: u32,

    /// Which sessions
    #[arg(long, value_enum, default_value_t = Which::Archived)]
    pub(crate) which: Which,

    /// Only say what would be deleted
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `completions`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
