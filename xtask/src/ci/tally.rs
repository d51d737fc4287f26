//! Reads the result lines of `cargo test` and adds them up.

use std::fmt;
use std::ops::AddAssign;

/// How many tests passed, failed, and did not run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Tally {
    /// The numbers of a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; …`.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let count = |word| {
            let part = counts
                .split(';')
                .find_map(|part| part.trim().strip_suffix(word))?;
            part.trim_end().parse().ok()
        };
        Some(Self {
            passed: count("passed")?,
            failed: count("failed")?,
            ignored: count("ignored")?,
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.ignored > 0 {
            write!(f, ", {} skipped", self.ignored)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn result_lines_add_up() {
        let mut sum = Tally::default();
        for line in [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.20s",
            "test result: ok. many passed",
            "test result: nonsense",
        ] {
            if let Some(tally) = Tally::of_line(line) {
                sum += tally;
            }
        }
        assert_eq!(
            sum,
            Tally {
                passed: 13,
                failed: 2,
                ignored: 1
            }
        );
        assert_eq!(sum.to_string(), "13 passed, 2 failed, 1 skipped");
        assert_eq!(Tally::default().to_string(), "0 passed, 0 failed");
    }
}
