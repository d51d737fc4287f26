//! Writes a made-up session as large as asked: `generate_session N_ITEMS [--compaction-at SHARE]
//! [--legacy] > FILE`.

use std::io::{self, BufWriter};
use std::process::ExitCode;

use annals_test_support::session::{SessionSpec, write_session};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(n_items) = words.first().and_then(|word| word.parse().ok()) else {
        return ExitCode::from(2);
    };
    let share = words
        .iter()
        .skip_while(|word| *word != "--compaction-at")
        .nth(1);
    let spec = SessionSpec {
        compaction_at: share.and_then(|share| share.parse().ok()),
        is_paginated: !words.iter().any(|word| word == "--legacy"),
        ..SessionSpec::new(n_items)
    };
    match write_session(
        &spec,
        BufWriter::with_capacity(1 << 20, io::stdout().lock()),
    ) {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
