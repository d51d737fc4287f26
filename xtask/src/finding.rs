//! What a check found, and how it is shown: `file:line: rule: what to do`.

#[cfg(test)]
use std::error::Error;
use std::fmt;

use crate::out;
use crate::task::TaskResult;

/// One breach of one rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The file, relative to the workspace, with forward slashes.
    pub(crate) file: String,
    /// The line, counted from one; the first where the whole file is meant.
    pub(crate) line: usize,
    /// The rule's short name.
    pub(crate) rule: &'static str,
    /// What to do about it.
    pub(crate) advice: String,
}

impl Finding {
    /// A finding from its four parts.
    pub(crate) fn new(file: &str, line: usize, rule: &'static str, advice: &str) -> Self {
        Self {
            file: file.to_owned(),
            line,
            rule,
            advice: advice.to_owned(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}: {}",
            self.file, self.line, self.rule, self.advice
        )
    }
}

/// Shows every finding; with none says `all_well` and is done.
pub(crate) fn report(mut findings: Vec<Finding>, all_well: &str) -> TaskResult {
    if findings.is_empty() {
        out::line(all_well);
        return Ok(());
    }
    findings.sort();
    for finding in &findings {
        out::line(&finding.to_string());
    }
    Err(format!("{} found", plural(findings.len(), "breach", "breaches")).into())
}

/// A number with its noun.
pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// For a test: nothing when nothing was found, else all findings as the error.
#[cfg(test)]
pub(crate) fn none(findings: &[Finding]) -> Result<(), Box<dyn Error>> {
    if findings.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
    Err(format!("\n{}\n", lines.join("\n")).into())
}
