//! Where the workspace is, and which of its files are source.

use std::path::{Path, PathBuf};

use crate::out;
use crate::task::{TaskResult, flags};

/// The folder that holds the root `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    // Cargo says it at run time too: right even where a built binary was moved with its target.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent()
        .map_or_else(|| here.clone(), Path::to_path_buf)
}

/// Prints the folder of the workspace.
pub(crate) fn root_task(args: &[String]) -> TaskResult {
    let [] = flags(args, [])?;
    out::line(&root().display().to_string());
    Ok(())
}
