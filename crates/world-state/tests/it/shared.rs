//! Inputs that are shared apart from this crate, where the environment says where they are.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests read files and say what they did not read; the crate does neither"
)]

use std::path::{Path, PathBuf};

/// A folder of shared inputs; none, with a note, where they are not at hand.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let Some(shared) = std::env::var_os("ANNALS_SHARED") else {
        note(&format!(
            "ANNALS_SHARED is not set: nothing of {name} is read"
        ));
        return None;
    };
    Some(Path::new(&shared).join(name))
}

/// A shared input that shows a fault of some program.
pub(crate) fn case(name: &str) -> Option<String> {
    let path = folder("cases/bug-inputs")?.join(name);
    Some(std::fs::read_to_string(path).unwrap())
}

pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// All rollouts below a folder, sorted.
pub(crate) fn rollouts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Says something beside the results of the tests.
pub(crate) fn note(text: &str) {
    eprintln!("{text}");
}
