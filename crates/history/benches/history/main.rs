//! A step of a live history, beside the usual design: a vector that is copied, mended and
//! serialized for each request.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod items;
mod operations;

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Instant;

use annals_history::{ContextManager, ItemEnvelope, Prompt, PromptOptions};
use annals_protocol::ResponseItem;
use annals_test_support::bench::{Spread, Suite, Target, in_turns};
use twox_hash::XxHash3_128;

use crate::items::{call_id, envelope, is_call, item, typed_item};

/// How many runs are timed at once: short enough that most are not interrupted on a busy machine.
const N_RUNS: u32 = 40;

fn main() {
    let suite = Suite::new("history");
    let sizes: &[usize] = if suite.is_quick() {
        &[100, 1_000]
    } else {
        &[100, 1_000, 10_000, 100_000]
    };
    let mut benches = Vec::new();
    for &size in sizes {
        let Some(bench) = Bench::new(size) else {
            return;
        };
        bench.step(&suite);
        bench.clone_and_record(&suite);
        bench.write_all(&suite);
        bench.allocations(&suite);
        operations::rows(&suite, &bench);
        benches.push(bench);
    }
    if let (Some(small), Some(large)) = (benches.get(1), benches.last()) {
        growth(&suite, small, large);
        operations::growth(&suite, small, large);
    }
}

/// What a size costs, in turns with a small one: what else the machine does slows both alike.
fn growth(suite: &Suite, small: &Bench, large: &Bench) {
    let (mut small_steps, mut large_steps) = (small.steps(), large.steps());
    let (large_step, small_step) = in_turns(60, || large_steps.run(), || small_steps.run());
    suite
        .row(
            "a step at the largest size, against one at 1,000 items",
            Target::AtMost(1.1),
        )
        .record("s", large_step.each_of(N_RUNS), small_step.each_of(N_RUNS));
    let (large, small) = in_turns(
        60,
        || large.clones_and_records(),
        || small.clones_and_records(),
    );
    suite
        .row(
            "clone and record at the largest size, against 1,000 items",
            Target::AtMost(1.2),
        )
        .record("s", large.each_of(N_RUNS), small.each_of(N_RUNS));
}

/// A history that goes on, step by step.
struct Steps<'a> {
    bench: &'a Bench,
    history: ContextManager,
    earlier: Prompt,
}

impl Steps<'_> {
    /// Record, make the prompt, hand its bytes over as chunks, prove the prefix.
    fn run(&mut self) {
        for _ in 0..N_RUNS {
            self.history.record(self.bench.step.iter().cloned(), None);
            let prompt = self.history.for_prompt(PromptOptions::default());
            black_box(prompt.chunks().next());
            let _report = black_box(prompt.compare(&self.earlier));
            self.earlier = prompt;
        }
    }
}

/// A history of one size, and what one step adds to it.
struct Bench {
    size: usize,
    history: ContextManager,
    typed: Vec<ResponseItem>,
    step: Vec<ItemEnvelope>,
    step_typed: Vec<ResponseItem>,
}

impl Bench {
    fn new(size: usize) -> Option<Self> {
        let texts: Vec<String> = (0..size).map(item).collect();
        let step: Vec<String> = (size..size + 4).map(item).collect();
        let mut history = ContextManager::new();
        history.record(texts.iter().filter_map(|text| envelope(text)), None);
        let typed = texts.iter().filter_map(|text| typed_item(text)).collect();
        let bench = Self {
            size,
            history,
            typed,
            step: step.iter().filter_map(|text| envelope(text)).collect(),
            step_typed: step.iter().filter_map(|text| typed_item(text)).collect(),
        };
        (bench.history.len() == size && bench.step.len() == 4).then_some(bench)
    }

    fn steps(&self) -> Steps<'_> {
        let mut history = self.history.clone();
        Steps {
            bench: self,
            earlier: history.for_prompt(PromptOptions::default()),
            history,
        }
    }

    fn step(&self, suite: &Suite) {
        let mut steps = self.steps();
        let mut proofs = Vec::new();
        let mut times = Vec::new();
        for _ in 0..60 {
            let start = Instant::now();
            steps.run();
            times.push(start.elapsed().as_secs_f64() / f64::from(N_RUNS));
            proofs.push(self.proof(&steps.earlier));
        }
        let ours = Spread::of(times.into_iter().skip(2).collect());
        let runs = if self.size > 10_000 { 3 } else { 7 };
        let (naive, _) = in_turns(runs, || self.naive_step(), || ());
        suite
            .row(
                &format!("one step (4 items, 15 KB) at {} items", self.size),
                if self.size == 100_000 {
                    Target::Faster(30_000.0)
                } else {
                    Target::None
                },
            )
            .record("s", ours, naive);
        suite
            .row(
                &format!(
                    "the prefix proof as part of that step at {} items",
                    self.size
                ),
                Target::AtMost(0.05),
            )
            .record("s", Spread::of(proofs), ours);
    }

    /// What the proof costs in one step: hashing what was added, and one comparison.
    fn proof(&self, prompt: &Prompt) -> f64 {
        let start = Instant::now();
        for _ in 0..200 {
            for envelope in &self.step {
                black_box(XxHash3_128::oneshot(envelope.raw().as_bytes()));
            }
            let _report = black_box(prompt.compare(prompt));
        }
        start.elapsed().as_secs_f64() / 200.0
    }

    /// The usual design: copy the list, mend it, serialize all of it.
    fn naive_step(&self) -> Vec<u8> {
        let mut items = self.typed.clone();
        items.extend(self.step_typed.iter().cloned());
        let calls: BTreeSet<String> = items
            .iter()
            .filter(|item| is_call(item))
            .filter_map(call_id)
            .collect();
        let outputs: BTreeSet<String> = items
            .iter()
            .filter(|item| !is_call(item))
            .filter_map(call_id)
            .collect();
        items.retain(|item| {
            call_id(item).is_none_or(|id| {
                if is_call(item) {
                    outputs.contains(&id)
                } else {
                    calls.contains(&id)
                }
            })
        });
        serde_json::to_vec(&items).unwrap_or_default()
    }

    fn clones_and_records(&self) {
        for _ in 0..N_RUNS {
            let mut fork = self.history.clone();
            fork.record(self.step.iter().cloned(), None);
            black_box(fork);
        }
    }

    fn clone_and_record(&self, suite: &Suite) {
        let mut times = Vec::new();
        for _ in 0..60 {
            let start = Instant::now();
            self.clones_and_records();
            times.push(start.elapsed().as_secs_f64() / f64::from(N_RUNS));
        }
        let ours = Spread::of(times.into_iter().skip(2).collect());
        let runs = if self.size > 10_000 { 3 } else { 7 };
        let (naive, _) = in_turns(
            runs,
            || {
                let mut fork = self.typed.clone();
                fork.extend(self.step_typed.iter().cloned());
                fork
            },
            || (),
        );
        suite
            .row(
                &format!("clone and record 15 KB at {} items", self.size),
                Target::None,
            )
            .record("s", ours, naive);
    }

    fn write_all(&self, suite: &Suite) {
        let mut history = self.history.clone();
        let prompt = history.for_prompt(PromptOptions::default());
        let bytes = prompt.to_vec();
        let mut ours = Vec::with_capacity(bytes.len());
        let mut copy = Vec::with_capacity(bytes.len());
        let (ours, copied) = in_turns(
            9,
            || {
                ours.clear();
                let written = prompt.write_to(&mut ours);
                black_box(&ours);
                written.is_ok()
            },
            || {
                copy.clear();
                copy.extend_from_slice(&bytes);
                black_box(&copy);
            },
        );
        suite
            .row(
                &format!(
                    "the whole prompt into a reused buffer at {} items, against memcpy",
                    self.size
                ),
                Target::AtMost(2.0),
            )
            .record("s", ours, copied);
    }

    fn allocations(&self, suite: &Suite) {
        let mut history = self.history.clone();
        let mut earlier = history.for_prompt(PromptOptions::default());
        let mut counts = Vec::new();
        for _ in 0..50 {
            let step = self.step.clone();
            let info = allocation_counter::measure(|| {
                history.record(step, None);
                let prompt = history.for_prompt(PromptOptions::default());
                let _report = black_box(prompt.compare(&earlier));
                earlier = prompt;
            });
            counts.push(f64::from(
                u32::try_from(info.count_total).unwrap_or(u32::MAX),
            ));
        }
        suite
            .row(
                &format!("allocations of one step at {} items", self.size),
                Target::ValueAtMost(100.0),
            )
            .record("allocations", Spread::of(counts), Spread::exact(0.0));
        let texts: Vec<String> = (0..self.size).map(item).collect();
        let mut held = ContextManager::new();
        let info = allocation_counter::measure(|| {
            held.record(texts.iter().filter_map(|text| envelope(text)), None);
            let _prompt = black_box(held.for_prompt(PromptOptions::default()));
        });
        let bytes = held.for_prompt(PromptOptions::default()).len_bytes();
        let current = f64::from(u32::try_from(info.bytes_current).unwrap_or(u32::MAX));
        let prompt = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        suite
            .row(
                &format!(
                    "memory held at {} items, against the prompt's bytes",
                    self.size
                ),
                Target::AtMost(1.5),
            )
            .record("bytes", Spread::exact(current), Spread::exact(prompt));
    }
}
