//! Tests of the bar, with a clock that the test moves.

use super::*;

/// What is drawn while the work takes so many milliseconds, and how long was waited each time.
fn drawn(work_ms: u64) -> (String, Vec<u64>) {
    let (mut out, mut waits) = (Vec::new(), Vec::new());
    let mut now = Duration::ZERO;
    draw(&mut out, &ReadProgress::default(), |wait| {
        waits.push(u64::try_from(wait.as_millis()).expect("short"));
        now += wait;
        (now < Duration::from_millis(work_ms)).then_some(now)
    });
    (String::from_utf8(out).expect("UTF-8"), waits)
}

#[test]
fn work_of_half_a_second_shows_nothing() {
    assert_eq!(drawn(0), (String::new(), vec![500]));
    assert_eq!(drawn(500), (String::new(), vec![500]));
}

#[test]
fn longer_work_is_shown_and_taken_away() {
    let bar = "\r[------------------------] 0 B of 0 B, 0 s\u{1b}[K";
    let gone = "\r\u{1b}[K";
    assert_eq!(drawn(501), (format!("{bar}{gone}"), vec![500, 100]));
    let twice = format!("{bar}{bar}{gone}");
    assert_eq!(drawn(700), (twice, vec![500, 100, 100]));
    let (long, _) = drawn(2_050);
    assert!(long.contains(", 2 s"), "{long:?}");
}

#[test]
fn where_nobody_looks_nothing_is_started() {
    assert!(Bar::start_if(false).running.is_none());
    let bar = Bar::start_if(true);
    assert!(bar.running.is_some());
    // Ending it waits for nothing, and short work has drawn nothing.
    drop(bar);
}

#[test]
fn the_bar_fills_as_bytes_are_read() {
    let session = annals_rollout::Source::from_bytes(
        "memory",
        "{\"timestamp\":\"2026-01-03T12:00:00.000Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n".repeat(20),
    )
    .expect("not empty");
    let progress = ReadProgress::default();
    let parents = annals_rollout::ParentSearch::default();
    annals_inspect::verify(session, &parents, &progress).expect("readable");
    // The last record of 20 was reached when it began.
    let line = line(&progress, Duration::from_secs(3));
    assert_eq!(
        line,
        "[######################--] 1.5 KB of 1.6 KB, 3 s\u{1b}[K"
    );
}
