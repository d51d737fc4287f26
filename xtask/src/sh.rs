//! Runs other programs.

use std::error::Error;
use std::process::Command;

use crate::workspace;

/// A cargo command that runs at the root of the workspace.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(workspace::root());
    command
}

/// The standard output of a cargo command that only asks.
///
/// It is asked without the network first, so that it answers offline; with it only when that
/// fails, as on a machine that has not fetched the packages yet.
pub(crate) fn cargo_answer(args: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut offline = args.to_vec();
    offline.push("--offline");
    answer(&mut cargo(&offline)).or_else(|_needs_packages| answer(&mut cargo(args)))
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
