//! What a program used of memory and how much it read: measured in a process of its own.
//!
//! A benchmark starts itself again with other words, and the child tells what the system counted.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// What a process used until it told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// The most memory that was resident at once, in bytes.
    pub peak_bytes: u64,
    /// How much was read by system calls, from files and pipes, in bytes.
    pub read_bytes: u64,
    /// What the child measured itself, in a unit that both sides know; 0 if nothing.
    pub told: u64,
}

/// Starts this program again with `words` and gives back what the child told in [`tell_usage`].
///
/// # Errors
///
/// If the child can't be started, fails, or tells nothing, as on systems without `/proc`.
pub fn usage_of_child<W: AsRef<OsStr>>(words: &[W]) -> io::Result<Usage> {
    let output = Command::new(std::env::current_exe()?)
        .args(words)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!(
            "the child ended with {}",
            output.status
        )));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Tells the parent what this process used so far, as the last thing before it ends.
///
/// # Errors
///
/// If the system does not count, or the parent is gone.
pub fn tell_usage(told: u64) -> io::Result<()> {
    let usage = Usage {
        peak_bytes: counted("/proc/self/status", "VmHWM:")? * 1024,
        read_bytes: counted("/proc/self/io", "rchar:")?,
        told,
    };
    serde_json::to_writer(io::stdout().lock(), &usage)?;
    io::stdout().flush()
}

/// The number behind a name in a file of lines.
fn counted(path: &str, name: &str) -> io::Result<u64> {
    let text = fs::read_to_string(path)?;
    text.lines()
        .find_map(|line| {
            line.strip_prefix(name)?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        })
        .ok_or_else(|| io::Error::other(format!("{path} has no number behind {name}")))
}
