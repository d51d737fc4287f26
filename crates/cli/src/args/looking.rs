//! The arguments of commands that look at sessions, and change nothing.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::{Form, Look, Part, Which};

/// The arguments of `prompt-input`.
#[derive(Debug, ClapArgs)]
pub(crate) struct PromptInputArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    #[command(flatten)]
    pub(crate) part: Part,

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

/// The arguments of `show`.
#[derive(Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line, and stands for itself"
)]
pub(crate) struct ShowArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    #[command(flatten)]
    pub(crate) part: Part,

    /// Print calls, outputs and summaries in full
    #[arg(long)]
    pub(crate) full: bool,

    /// Print injected context too
    #[arg(long)]
    pub(crate) context: bool,

    /// Print the base instructions, and nothing else
    #[arg(long, conflicts_with_all = ["full", "context"])]
    pub(crate) base: bool,

    /// Go on printing as the session grows, until interrupted
    #[arg(long, conflicts_with_all = ["base", "at_line", "turn"])]
    pub(crate) follow: bool,

    /// Print a JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `context`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ContextArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    #[command(flatten)]
    pub(crate) part: Part,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `state`.
#[derive(Debug, ClapArgs)]
pub(crate) struct StateArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    #[command(flatten)]
    pub(crate) part: Part,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `diff`.
#[derive(Debug, ClapArgs)]
#[command(override_usage = "annals diff FILE A [B]\n       annals diff FILE OTHER-FILE")]
pub(crate) struct DiffArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// A point (`line:12`, `turn:3`, `end`), or another session
    #[arg(value_name = "A")]
    pub(crate) before: String,

    /// The point to compare it with [default: end]
    #[arg(value_name = "B")]
    pub(crate) after: Option<String>,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `cache`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CacheArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Read only the first N physical lines of FILE (decompressed; from 1)
    #[arg(long, value_name = "N")]
    pub(crate) at_line: Option<u64>,

    /// What a million tokens of input cost that the cache does not know
    #[arg(long, value_name = "PRICE", requires = "price_cached")]
    pub(crate) price_input: Option<f64>,

    /// What a million tokens of input cost that the cache knows
    #[arg(long, value_name = "PRICE", requires = "price_input")]
    pub(crate) price_cached: Option<f64>,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `verify`.
#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// The sessions: paths, `-`, or ids
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    /// Print JSON, a line a file
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `repair`.
#[derive(Debug, ClapArgs)]
pub(crate) struct RepairArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Where the copy goes; must not be there yet
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) form: Form,
}

/// The arguments of `list`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    /// Only sessions that work in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<String>,

    /// Which sessions
    #[arg(long, value_enum, default_value_t = Which::Active)]
    pub(crate) which: Which,

    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,

    /// Where the list before ended, as it said
    #[arg(long, value_name = "CURSOR")]
    pub(crate) after: Option<String>,

    /// Order by the time of the last change
    #[arg(long)]
    pub(crate) updated: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `search`.
#[derive(Debug, ClapArgs)]
pub(crate) struct SearchArgs {
    /// What to find; upper and lower case are the same
    #[arg(value_name = "TEXT")]
    pub(crate) text: String,

    /// Which sessions
    #[arg(long, value_enum, default_value_t = Which::Active)]
    pub(crate) which: Which,

    /// How many places of one session at most
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) per_session: usize,

    /// How many places at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,

    /// Print a JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `stats`.
#[derive(Debug, ClapArgs)]
pub(crate) struct StatsArgs {
    /// The session: a path, `-`, or an id; none for all sessions of the home
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<String>,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// The arguments of `report`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Where the page goes
    #[arg(short, long, value_name = "OUT.html")]
    pub(crate) output: PathBuf,

    /// The most bytes of one text in the page
    #[arg(long, value_name = "BYTES", default_value_t = 16 * 1024)]
    pub(crate) text_bytes: usize,
}

/// The arguments of `export`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// The session: a path, `-`, or an id
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// What to print
    #[arg(long, value_enum, default_value_t = ExportFormat::Markdown)]
    pub(crate) format: ExportFormat,

    /// Keep keys, tokens, mail addresses and home folders as they are
    #[arg(long)]
    pub(crate) keep_secrets: bool,
}

/// What an export prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The conversation as Markdown, tools included
    Markdown,
    /// Every record, parents' records included, a line each
    Jsonl,
}

/// The arguments of `agents-md`.
#[derive(Debug, ClapArgs)]
pub(crate) struct AgentsMdArgs {
    /// The folder that a session would work in [default: this one]
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// Print the text that the model would be told, and nothing else
    #[arg(long)]
    pub(crate) text: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}
