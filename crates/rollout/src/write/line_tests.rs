//! Who is served, who leads next, and who sleeps on; that nobody is forgotten is shown in tests/it/waking.rs.

use super::{DurableMark, Line};

/// A line in which a thread that has ended waits for each of the records.
fn line_for(seqs: &[u64]) -> Line {
    let mut line = Line::default();
    for &seq in seqs {
        std::thread::scope(|scope| {
            scope.spawn(|| line.join(seq)).join().unwrap();
        });
    }
    line
}

#[test]
fn only_those_whose_record_is_durable_are_served() {
    let mut line = line_for(&[3, 9, 5, 7]);
    assert_eq!(line.served(5).len(), 2);
    assert_eq!(line.served(5).len(), 0);
    assert_eq!(line.all().len(), 2);
    assert_eq!(line.all().len(), 0);
}

#[test]
fn one_of_the_others_is_woken_to_lead() {
    let mut line = line_for(&[3, 9]);
    assert_eq!(line.next().len(), 1);
    assert_eq!(line.next().len(), 1);
    assert_eq!(line.next().len(), 0);
}

#[test]
fn a_thread_leaves_for_itself_alone() {
    let mut line = line_for(&[3]);
    assert!(!line.leave());
    line.join(4);
    assert!(line.leave());
    assert!(!line.leave());
    assert_eq!(line.all().len(), 1);
}

#[test]
fn a_thread_that_was_woken_before_it_slept_does_not_sleep() {
    let mut line = Line::default();
    line.join(1);
    line.served(1).and(line.next()).wake();
    std::thread::park();
    assert!(!line.leave());
}

#[test]
fn the_mark_never_falls() {
    let mark = DurableMark::default();
    mark.raise(7);
    mark.raise(3);
    assert!(mark.covers(7));
    assert!(!mark.covers(8));
}
