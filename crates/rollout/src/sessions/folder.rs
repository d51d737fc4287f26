//! Whether two spellings name one folder.

use std::path::Path;

/// Compares two folders: by identity where both exist here, else by their normalized spelling.
///
/// Trailing separators don't count. Letter case does not count where the spelling shows a Windows
/// drive (`C:\…`, `/mnt/c/…`).
///
/// # Example
///
/// ```
/// use annals_rollout::same_folder;
///
/// assert!(same_folder(r"C:\Work\Demo", r"c:\work\demo\"));
/// assert!(same_folder("/home/dev/demo", "/home/dev/demo/"));
/// assert!(!same_folder("/home/dev/demo", "/home/dev/Demo"));
/// ```
pub fn same_folder(one: &str, other: &str) -> bool {
    if let (Ok(one), Ok(other)) = (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        return one == other;
    }
    normalized(one) == normalized(other)
}

fn normalized(folder: &str) -> String {
    let trimmed = folder.trim_end_matches(['/', '\\']);
    if trimmed.is_empty() {
        return "/".to_owned();
    }
    if drive_like(trimmed) {
        let slashes = trimmed.trim_start_matches(r"\\?\").replace('\\', "/");
        return slashes.to_lowercase();
    }
    Path::new(trimmed)
        .components()
        .as_path()
        .to_string_lossy()
        .into_owned()
}

fn drive_like(folder: &str) -> bool {
    let folder = folder.trim_start_matches(r"\\?\");
    let mut chars = folder.chars();
    let letter = chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic());
    if letter && chars.next() == Some(':') {
        return true;
    }
    folder.strip_prefix("/mnt/").is_some_and(|rest| {
        let mut rest = rest.chars();
        rest.next().is_some_and(|drive| drive.is_ascii_alphabetic())
            && matches!(rest.next(), None | Some('/'))
    })
}
