//! A bar on standard error, for a person who waits.

use std::io::{self, IsTerminal as _, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use annals_inspect::ReadProgress;

use crate::render::units;

/// Work that is shorter is not shown.
const SHOWN_AFTER: Duration = Duration::from_millis(500);
/// How often the bar moves.
const REDRAWN_AFTER: Duration = Duration::from_millis(100);
const BAR_COLUMNS: u64 = 24;

/// A bar that shows itself once the work takes long, and goes away when dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    progress: ReadProgress,
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// Starts to wait; shows nothing where standard error is no terminal.
    pub(crate) fn start() -> Self {
        Self::start_if(io::stderr().is_terminal())
    }

    fn start_if(is_terminal: bool) -> Self {
        let progress = ReadProgress::default();
        let running = is_terminal.then(|| {
            let seen = progress.clone();
            let (stop, stopped) = mpsc::channel();
            let thread = std::thread::spawn(move || {
                let began = Instant::now();
                draw(&mut io::stderr(), &seen, |wait| {
                    let is_over = stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout);
                    (!is_over).then(|| began.elapsed())
                });
            });
            (stop, thread)
        });
        Self { progress, running }
    }

    /// What the bar shows.
    pub(crate) const fn progress(&self) -> &ReadProgress {
        &self.progress
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ended = thread.join();
        }
    }
}

/// Draws the bar until the work is over, and takes it away.
///
/// `wait` waits so long, and says how long the work has taken; nothing once that is over.
fn draw<W, F>(out: &mut W, seen: &ReadProgress, mut wait: F)
where
    W: Write,
    F: FnMut(Duration) -> Option<Duration>,
{
    let mut pause = SHOWN_AFTER;
    let mut was_drawn = false;
    while let Some(elapsed) = wait(pause) {
        pause = REDRAWN_AFTER;
        was_drawn = true;
        // Whoever closed the stream sees no bar; the work goes on.
        let _gone = write!(out, "\r{}", line(seen, elapsed));
    }
    if was_drawn {
        let _gone = write!(out, "\r\u{1b}[K");
    }
}

fn line(progress: &ReadProgress, elapsed: Duration) -> String {
    let (done, all) = progress.done_and_all();
    let filled = (done * BAR_COLUMNS)
        .checked_div(all)
        .unwrap_or(0)
        .min(BAR_COLUMNS);
    let filled = usize::try_from(filled).unwrap_or(0);
    let empty = usize::try_from(BAR_COLUMNS).unwrap_or(0) - filled;
    format!(
        "[{}{}] {} of {}, {} s\u{1b}[K",
        "#".repeat(filled),
        "-".repeat(empty),
        units(done),
        units(all),
        elapsed.as_secs()
    )
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
