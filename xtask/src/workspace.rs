//! Where the workspace is, and which files are in it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// One text file of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Its path from the root, with forward slashes on every system.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

impl TextFile {
    /// Whether the file is of a kind, such as `rs`.
    pub(crate) fn is(&self, extension: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|found| found == extension)
    }
}

/// The folder that holds the root `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    // Cargo says it at run time too: right even where a built binary was moved with its target.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent()
        .map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The text of one file, with the path in the error.
pub(crate) fn read(path: &str) -> Result<String, Box<dyn Error>> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}").into())
}

/// All UTF-8 files of the workspace, sorted by path; build output and version control are not
/// looked into.
pub(crate) fn text_files() -> Result<Vec<TextFile>, Box<dyn Error>> {
    text_files_in(&root())
}

/// All UTF-8 files below a folder, sorted by path.
pub(crate) fn text_files_in(root: &Path) -> Result<Vec<TextFile>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let file_type = entry.file_type()?;
            if file_type.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(entry.path());
                }
            } else if file_type.is_file()
                && let Ok(text) = String::from_utf8(fs::read(entry.path())?)
            {
                files.push(TextFile {
                    path: relative(root, &entry.path()),
                    text,
                });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// A path from the root, with forward slashes.
fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}
