//! `annals agents-md`: which AGENTS.md files would be read for a folder.

use std::io::Write as _;

use annals_agents_md::{AgentsMd, FileOutcome, FileReport, LoadOptions, Tier, load};
use serde::Serialize;

use crate::args::AgentsMdArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, Table, color, one_line};
use crate::target::Lookup;

/// What would be read as JSON: `annals.agents-md/1`.
#[derive(Serialize)]
struct Loaded<'a> {
    schema: &'static str,
    /// The folder that was taken for the root of the project.
    root: String,
    /// What marks it as one.
    root_marker: Option<String>,
    /// Bytes of the text that the model would be told.
    bytes: usize,
    /// Every file that was looked at, in the order of reading.
    files: Vec<RulesFile<'a>>,
    /// What a person should know.
    warnings: Vec<String>,
}

/// One file with rules.
#[derive(Serialize)]
struct RulesFile<'a> {
    /// The file.
    path: String,
    /// Whose it is: the home's or the project's.
    tier: &'a str,
    /// Its bytes, if it could be seen.
    bytes_on_disk: Option<u64>,
    /// Bytes that the model would be told.
    kept_bytes: usize,
    /// Bytes that were cut off.
    cut_bytes: u64,
    /// Why nothing of it was read, if so.
    passed_over: Option<String>,
}

impl RulesFile<'static> {
    fn of(file: &FileReport) -> Self {
        let (kept_bytes, cut_bytes, passed_over) = match &file.outcome {
            FileOutcome::Read {
                kept_bytes,
                cut_bytes,
                ..
            } => (*kept_bytes, *cut_bytes, None),
            FileOutcome::PassedOver(why) => (0, 0, Some(why.to_string())),
            _ => (0, 0, None),
        };
        Self {
            path: file.path.display().to_string(),
            tier: match file.tier {
                Tier::Home => "home",
                Tier::Project => "project",
            },
            bytes_on_disk: file.len_bytes,
            kept_bytes,
            cut_bytes,
            passed_over,
        }
    }
}

/// Looks for the files, and prints what became of each.
pub(crate) fn run(args: &AgentsMdArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let given = args.dir.clone().unwrap_or_else(|| ".".into());
    let dir = std::fs::canonicalize(&given)
        .map_err(|error| Failure::new(Exit::NotThere, format!("{}: {error}", given.display())))?;
    if !dir.is_dir() {
        let what = format!("{} is no folder", given.display());
        return Err(Failure::new(Exit::NotThere, what));
    }
    let mut options = LoadOptions::new(&dir);
    if let Some(home) = lookup.home() {
        options = options.with_home(home.root());
    }
    let loaded = load(&options).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    if args.text {
        let mut out = out::results();
        if !loaded.text().is_empty() {
            writeln!(out, "{}", loaded.text())?;
        }
        out.flush()?;
    } else if args.look.json {
        out::json(&Loaded {
            schema: "annals.agents-md/1",
            root: loaded.root().path.display().to_string(),
            root_marker: loaded
                .root()
                .marker
                .as_ref()
                .map(|marker| marker.path.display().to_string()),
            bytes: loaded.text().len(),
            files: loaded.files().iter().map(RulesFile::of).collect(),
            warnings: warnings(&loaded),
        })?;
    } else {
        print(&loaded, &Style::new(args.look.bytes))?;
    }
    for warning in warnings(&loaded) {
        out::note(&format!("warning: {warning}"));
    }
    Ok(Exit::Done)
}

fn warnings(loaded: &AgentsMd) -> Vec<String> {
    loaded
        .warnings()
        .map(|warning| one_line(&warning.text))
        .collect()
}

fn print(loaded: &AgentsMd, style: &Style) -> Result<(), Failure> {
    let mut out = out::page();
    let root = loaded.root();
    let marker = root.marker.as_ref().map_or_else(
        || "no marker found: this folder alone is looked at".to_owned(),
        |marker| format!("marked by {}", marker.path.display()),
    );
    writeln!(out, "root {} ({marker})", root.path.display())?;
    writeln!(
        out,
        "{} of text for the model",
        style.size(loaded.text().len() as u64)
    )?;
    if !loaded.files().is_empty() {
        writeln!(out)?;
        let mut table = Table::new(&["of", "#kept", "#cut", "outcome", "file"]);
        for file in loaded.files() {
            let row = RulesFile::of(file);
            let is_read = row.passed_over.is_none();
            let outcome = row.passed_over.unwrap_or_else(|| "read".to_owned());
            table.row([
                row.tier.to_owned(),
                style.size(row.kept_bytes as u64),
                style.size(row.cut_bytes),
                outcome,
                row.path,
            ]);
            table.color(3, if is_read { color::GREEN } else { color::DIM });
            if row.cut_bytes > 0 {
                table.color(2, color::RED);
            }
        }
        table.write(&mut out, style)?;
    }
    Ok(out.flush()?)
}
