//! Benchmarks that compare: candidates take turns in one process, and what counts is the ratio.
//!
//! A suite is a program without a test harness. It prints one JSON object a row on standard output
//! and everything else on standard error, so that a runner can collect rows from many suites.

mod child;

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use serde::Serialize;

pub use child::{Usage, tell_usage, usage_of_child};

/// What a row is to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// The baseline takes at least this many times as long as ours.
    Faster(f64),
    /// Ours takes at most this many times as long as the baseline.
    AtMost(f64),
    /// The value itself is at most this.
    ValueAtMost(f64),
    /// Nothing: the row is for orientation.
    None,
}

/// One measured comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The suite that measured it.
    pub suite: String,
    /// What was measured.
    pub row: String,
    /// Ours: the median.
    pub ours: f64,
    /// Ours: the quickest and the slowest run.
    pub ours_range: (f64, f64),
    /// What it is compared with: the median.
    pub baseline: f64,
    /// What it is compared with: the quickest and the slowest run.
    pub baseline_range: (f64, f64),
    /// What the numbers are: `s`, `ns`, `bytes`, …
    pub unit: String,
    /// How many times as long the baseline takes; for a bound on ours, how many times as long ours
    /// takes.
    pub ratio: f64,
    /// What is to be reached.
    pub target: String,
    /// Whether it is.
    pub met: bool,
}

/// The median, the least and the largest of some measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub largest: f64,
}

impl Spread {
    /// Of a list that may stand in any order; all zero for an empty one.
    ///
    /// ```
    /// use annals_test_support::bench::Spread;
    ///
    /// assert_eq!(Spread::of(vec![3.0, 1.0, 2.0]).median, 2.0);
    /// ```
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().unwrap_or_default();
        Self {
            median: at(values.len() / 2),
            least: at(0),
            largest: at(values.len().saturating_sub(1)),
        }
    }

    /// The same value three times, for what does not vary.
    pub fn exact(value: f64) -> Self {
        Self {
            median: value,
            least: value,
            largest: value,
        }
    }

    /// What one of `n` took, of `n` that were measured together.
    #[must_use = "a spread is a value"]
    pub fn each_of(self, n: u32) -> Self {
        let n = f64::from(n.max(1));
        Self {
            median: self.median / n,
            least: self.least / n,
            largest: self.largest / n,
        }
    }
}

/// A suite of comparisons.
#[derive(Debug)]
pub struct Suite {
    name: String,
    is_quick: bool,
}

impl Suite {
    /// A suite; `--quick` among the program's words makes every run short.
    pub fn new(name: &str) -> Self {
        let is_quick = std::env::args().any(|word| word == "--quick");
        Self {
            name: name.to_owned(),
            is_quick,
        }
    }

    /// Whether runs are to be short: the suite shows that it works and measures roughly.
    pub fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// `full`, or `quick` where runs are to be short.
    pub fn size(&self, full: usize, quick: usize) -> usize {
        if self.is_quick { quick } else { full }
    }

    /// Starts a row: what is measured and what it is to reach.
    pub fn row(&self, row: &str, target: Target) -> Measurement<'_> {
        Measurement {
            suite: self,
            row: row.to_owned(),
            target,
            runs: 5,
        }
    }
}

/// A row that is about to be measured; made by [`Suite::row`].
#[derive(Debug)]
#[must_use = "a row is measured by `compare` or told by `record`"]
pub struct Measurement<'a> {
    suite: &'a Suite,
    row: String,
    target: Target,
    runs: usize,
}

impl Measurement<'_> {
    /// How often each candidate is run; 5 where nothing is said.
    pub fn runs(mut self, runs: usize) -> Self {
        self.runs = runs;
        self
    }

    /// Times two candidates in turns after a warm-up, and prints the row in seconds a run.
    pub fn compare<A, B, O: FnMut() -> A, C: FnMut() -> B>(self, ours: O, baseline: C) -> Row {
        let (ours, baseline) = in_turns(self.runs, ours, baseline);
        self.record("s", ours, baseline)
    }

    /// Prints the row with what was measured elsewhere.
    pub fn record(self, unit: &str, ours: Spread, baseline: Spread) -> Row {
        let faster = ratio(baseline.median, ours.median);
        let slower = ratio(ours.median, baseline.median);
        let (ratio, target, met) = match self.target {
            Target::Faster(times) => (faster, format!(">= {times}x"), faster >= times),
            Target::AtMost(times) => (slower, format!("<= {times}x"), slower <= times),
            Target::ValueAtMost(most) => (faster, format!("<= {most} {unit}"), ours.median <= most),
            Target::None => (faster, "-".to_owned(), true),
        };
        let row = Row {
            suite: self.suite.name.clone(),
            row: self.row,
            ours: ours.median,
            ours_range: (ours.least, ours.largest),
            baseline: baseline.median,
            baseline_range: (baseline.least, baseline.largest),
            unit: unit.to_owned(),
            ratio,
            target,
            met,
        };
        print_row(&row);
        row
    }
}

fn ratio(above: f64, below: f64) -> f64 {
    if below > 0.0 { above / below } else { 0.0 }
}

/// Times two candidates in turns, each `runs` times after one run that does not count.
pub fn in_turns<A, B, O: FnMut() -> A, C: FnMut() -> B>(
    runs: usize,
    mut ours: O,
    mut baseline: C,
) -> (Spread, Spread) {
    black_box(ours());
    black_box(baseline());
    let (mut ours_times, mut baseline_times) = (Vec::new(), Vec::new());
    for _ in 0..runs.max(1) {
        ours_times.push(seconds(&mut ours).as_secs_f64());
        baseline_times.push(seconds(&mut baseline).as_secs_f64());
    }
    (Spread::of(ours_times), Spread::of(baseline_times))
}

fn seconds<T, F: FnMut() -> T>(run: &mut F) -> Duration {
    let start = Instant::now();
    let result = run();
    let elapsed = start.elapsed();
    // Dropping a large result is not part of making it.
    drop(black_box(result));
    elapsed
}

fn print_row(row: &Row) {
    let mut out = std::io::stdout().lock();
    // A runner that went away is no reason to stop measuring.
    let _gone = serde_json::to_writer(&mut out, row).map(|()| out.write_all(b"\n"));
}
