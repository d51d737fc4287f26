//! `cargo xtask crash`: writers that are killed, starved and broken lose nothing that they
//! acknowledged. The harness is an example of `annals-test-support`; this runs it.

use crate::sh;
use crate::task::TaskResult;

/// `cargo xtask crash [--runs N [--soak-secs N]]`: 200 runs without words.
pub(crate) fn task(args: &[String]) -> TaskResult {
    let mut command = sh::cargo("run --quiet --release --package annals-test-support");
    let status = command
        .args(["--example", "crash", "--"])
        .args(args)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the harness ended with {status}").into())
    }
}
