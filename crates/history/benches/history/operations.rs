//! What each operation of a step costs by itself, in time and allocations, at each size.

use std::hint::black_box;
use std::time::Instant;

use annals_history::{ContextManager, PromptOptions};
use annals_protocol::ResponseItem;
use annals_test_support::bench::{Spread, Suite, Target};

use crate::{Bench, N_RUNS};

/// What is measured of each operation.
#[derive(Debug, Default, Clone, Copy)]
struct Costs {
    record: f64,
    prompt: f64,
    clone: f64,
}

/// Takes one operation's share out of the costs.
type Share = fn(&Costs) -> f64;

const OPERATIONS: [(&str, Share); 3] = [
    ("record 4 items of 15 KB", |costs| costs.record),
    ("make a prompt after a record", |costs| costs.prompt),
    ("clone a history", |costs| costs.clone),
];

/// Prints what each operation takes at one size, beside a vector of items.
pub(crate) fn rows(suite: &Suite, bench: &Bench) {
    let mut live = bench.history.clone();
    let n_naive = if bench.size > 10_000 { 3 } else { 7 };
    let (mut ours, mut naive) = (Vec::new(), Vec::new());
    for run in 0..=40 {
        ours.push(times(bench, &mut live));
        if run < n_naive {
            naive.push(naive_costs(bench, |work| seconds(work)));
        }
    }
    // The first run fills caches.
    ours.swap_remove(0);
    let (allocated, naive_allocated) = (
        allocations(bench, &mut live),
        naive_costs(bench, |work| counted(work)),
    );
    for (name, share) in OPERATIONS {
        suite
            .row(&format!("{name} at {} items", bench.size), Target::None)
            .record("s", of(&ours, share), of(&naive, share));
        let naive_allocated = of(&[naive_allocated], share);
        suite
            .row(
                &format!("allocations: {name} at {} items", bench.size),
                Target::None,
            )
            .record("allocations", of(&allocated, share), naive_allocated);
    }
}

/// Prints what each operation takes at the largest size against a small one, in turns.
pub(crate) fn growth(suite: &Suite, small: &Bench, large: &Bench) {
    let (mut small_live, mut large_live) = (small.history.clone(), large.history.clone());
    let (mut at_small, mut at_large) = (Vec::new(), Vec::new());
    for _ in 0..=60 {
        at_large.push(times(large, &mut large_live));
        at_small.push(times(small, &mut small_live));
    }
    at_large.swap_remove(0);
    at_small.swap_remove(0);
    for (name, share) in OPERATIONS {
        suite
            .row(
                &format!("{name} at the largest size, against 1,000 items"),
                Target::AtMost(1.2),
            )
            .record("s", of(&at_large, share), of(&at_small, share));
    }
}

/// Seconds of one of each, of many that were measured together.
fn times(bench: &Bench, live: &mut ContextManager) -> Costs {
    let mut costs = Costs::default();
    for _ in 0..N_RUNS {
        costs.record += seconds(|| live.record(bench.step.iter().cloned(), None));
        costs.prompt += seconds(|| live.for_prompt(PromptOptions::default()));
        costs.clone += seconds(|| live.clone());
    }
    let each = |sum: f64| sum / f64::from(N_RUNS);
    Costs {
        record: each(costs.record),
        prompt: each(costs.prompt),
        clone: each(costs.clone),
    }
}

fn allocations(bench: &Bench, live: &mut ContextManager) -> Vec<Costs> {
    let one = |live: &mut ContextManager| {
        let step = bench.step.clone();
        Costs {
            record: counted(|| live.record(step, None)),
            prompt: counted(|| live.for_prompt(PromptOptions::default())),
            clone: counted(|| live.clone()),
        }
    };
    (0..N_RUNS).map(|_| one(live)).collect()
}

/// The usual design: a vector that is copied and serialized.
fn naive_costs<F: FnMut(&mut dyn FnMut()) -> f64>(bench: &Bench, mut measure: F) -> Costs {
    let mut typed: Vec<ResponseItem> = bench.typed.clone();
    Costs {
        record: measure(&mut || typed.extend(bench.step_typed.iter().cloned())),
        prompt: measure(&mut || drop(black_box(bench.naive_step()))),
        clone: measure(&mut || drop(black_box(bench.typed.clone()))),
    }
}

fn seconds<T, F: FnOnce() -> T>(work: F) -> f64 {
    let start = Instant::now();
    let result = black_box(work());
    let elapsed = start.elapsed().as_secs_f64();
    drop(result);
    elapsed
}

fn counted<T, F: FnOnce() -> T>(work: F) -> f64 {
    let info = allocation_counter::measure(|| {
        black_box(work());
    });
    f64::from(u32::try_from(info.count_total).unwrap_or(u32::MAX))
}

fn of(costs: &[Costs], share: Share) -> Spread {
    Spread::of(costs.iter().map(share).collect())
}
