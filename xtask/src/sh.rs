//! Runs other programs.

use std::error::Error;
use std::process::Command;

use crate::workspace;

/// A cargo command that runs at the root of the workspace; its words are split at blanks.
pub(crate) fn cargo(words: &str) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command
        .args(words.split_whitespace())
        .current_dir(workspace::root());
    command
}

/// The standard output of a cargo command that only asks.
///
/// It is asked without the network first, so that it answers offline; with it only when that
/// fails, as on a machine that has not fetched the packages yet.
pub(crate) fn cargo_answer(words: &str) -> Result<String, Box<dyn Error>> {
    let offline = format!("--offline {words}");
    answer(&mut cargo(&offline)).or_else(|_needs_packages| answer(&mut cargo(words)))
}

/// The standard output of a program that ends well; else its standard error.
fn answer(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} ended with {}:\n{said}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
