//! Finds and loads the AGENTS.md files that hold for a directory, and says what was read, cut and passed over.
//!
//! Two tiers: one file of the user's home for the agent, and the project's files from its root down to the working
//! directory. Their texts are joined for
//! [`UserInstructions`](annals_context_fragments::catalog::UserInstructions).
//!
//! All work is done by [`load`], with blocking reads of the file system. Nothing that is wrong with a file ends it: a file
//! that cannot be used is passed over, and the [report](AgentsMd::files) says why.
//!
//! # Example
//!
//! ```
//! use annals_agents_md::{LoadOptions, load};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let project = tempfile::tempdir()?;
//! std::fs::write(project.path().join(".git"), "gitdir: elsewhere\n")?;
//! std::fs::write(project.path().join("AGENTS.md"), "Use tabs.\n")?;
//! let nested = project.path().join("crate");
//! std::fs::create_dir(&nested)?;
//! std::fs::write(nested.join("AGENTS.md"), "Here too.\n")?;
//!
//! let loaded = load(&LoadOptions::new(&nested))?;
//! assert_eq!(loaded.text(), "Use tabs.\n\nHere too.");
//! assert_eq!(loaded.files().len(), 2);
//! assert_eq!(loaded.warnings().count(), 0);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod discover;
mod disk;
mod error;
mod load;
mod options;
mod report;

pub use error::{Error, ErrorKind};
pub use load::load;
pub use options::LoadOptions;
pub use report::{
    AgentsMd, FileOutcome, FileReport, PassedOver, ProjectRoot, RootMarker, Tier, Warning,
};
