//! The arguments, as clap reads them; every text here is also in the manual.

mod changing;
mod looking;

use std::path::PathBuf;

use annals_inspect::ReadUpTo;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

pub(crate) use changing::*;
pub(crate) use looking::*;

/// See what an agent's model really received, why its cache missed, and mend session files.
///
/// FILE is a path, `-` for standard input, or a session under the home: its id, the start of its
/// id, or its name. Results go to standard output, everything else to standard error. Exit codes:
/// 0 done; 1 the data is bad or a check failed; 2 wrong usage; 3 no such file or id, or it may not
/// be read.
#[derive(Debug, Parser)]
#[command(
    name = "annals",
    version,
    propagate_version = true,
    max_term_width = 100,
    infer_subcommands = true
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
    /// Print the conversation as its user saw it
    Show(ShowArgs),
    /// List every injected piece of the input: what, when, how large, what it changed
    Context(ContextArgs),
    /// Print what the model was last told of the world
    State(StateArgs),
    /// Print what the model was told between two points, or in two sessions
    Diff(DiffArgs),
    /// Say of each request what a cache could reuse, where the input broke, and why
    Cache(CacheArgs),
    /// Find everything that is wrong with sessions
    Verify(VerifyArgs),
    /// Write a mended copy of a damaged session; the original stays untouched
    Repair(RepairArgs),
    /// List the sessions on disk, newest first
    List(ListArgs),
    /// Find a text in all sessions; exit code 1 where it stands nowhere
    Search(SearchArgs),
    /// Show a session, or all of them, in numbers
    Stats(StatsArgs),
    /// Write a page about a session that opens in a browser, without network
    Report(ReportArgs),
    /// Print a session as Markdown, or as JSON lines without secrets
    Export(ExportArgs),
    /// Say which AGENTS.md files would be read for a folder, cut and passed over
    AgentsMd(AgentsMdArgs),
    /// Make a new session that starts with a part of another
    Fork(ForkArgs),
    /// Go back to an earlier turn of a session; what came after stays in its file
    Rollback(RollbackArgs),
    /// Compress a session's file, or take it apart again
    Compress(CompressArgs),
    /// Move a session to the archive, or back
    Archive(ArchiveArgs),
    /// Delete a session's file for good
    Delete(DeleteArgs),
    /// Delete sessions that nobody touched for long
    Prune(PruneArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
    /// Print the manual of all commands as Markdown
    #[command(hide = true)]
    ManMarkdown,
}

impl Command {
    /// Whether a program reads what is printed.
    pub(crate) const fn wants_json(&self) -> bool {
        match self {
            Self::Show(args) => args.json,
            Self::Context(args) => args.look.json,
            Self::State(args) => args.look.json,
            Self::Diff(args) => args.look.json,
            Self::Cache(args) => args.look.json,
            Self::Verify(args) => args.json,
            Self::List(args) => args.look.json,
            Self::Search(args) => args.json,
            Self::Stats(args) => args.look.json,
            Self::AgentsMd(args) => args.look.json,
            Self::Prune(args) => args.look.json,
            Self::Repair(args) => args.form.json,
            Self::Fork(args) => args.form.json,
            Self::Rollback(args) => args.form.json,
            Self::Compress(args) => args.form.json,
            Self::Archive(args) => args.form.json,
            Self::Delete(args) => args.form.json,
            Self::PromptInput(_)
            | Self::Report(_)
            | Self::Export(_)
            | Self::Completions(_)
            | Self::Man
            | Self::ManMarkdown => false,
        }
    }
}

/// How numbers are printed.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct Look {
    /// Print JSON; its `schema` member names the form and its version
    #[arg(long)]
    pub(crate) json: bool,

    /// Print exact bytes in place of units for people
    #[arg(long)]
    pub(crate) bytes: bool,
}

/// In which form it is said what was done.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct Form {
    /// Print JSON; its `schema` member names the form and its version
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which part of a session is looked at.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct Part {
    /// Read only the first N physical lines of FILE (decompressed; from 1)
    #[arg(long, value_name = "N")]
    pub(crate) at_line: Option<u64>,

    /// Stop before the user turn behind the Nth surviving one (from 1)
    #[arg(long, value_name = "N", conflicts_with = "at_line")]
    pub(crate) turn: Option<u64>,
}

impl Part {
    /// The same as the libraries name it.
    pub(crate) fn up_to(self) -> ReadUpTo {
        match (self.at_line, self.turn) {
            (Some(lines), _) => ReadUpTo::Line(lines),
            (None, Some(turns)) => ReadUpTo::Turn(turns),
            (None, None) => ReadUpTo::End,
        }
    }
}

/// Which sessions of a home are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// Those in use
    Active,
    /// Those in the archive
    Archived,
    /// Both
    All,
}
