//! One writer, and a file that was left behind stops nobody.

use super::{WriterLock, writer_of};
use crate::error::ErrorKind;

#[test]
fn a_second_writer_is_refused_with_the_name_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    assert_eq!(writer_of(&path).unwrap(), None);
    let first = WriterLock::acquire(&path).unwrap();
    let error = WriterLock::acquire(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyOpen);
    let holder = error.holder().unwrap();
    assert_eq!(holder.pid, std::process::id());
    assert_eq!(writer_of(&path).unwrap().as_ref(), Some(holder));
    assert!(
        error
            .to_string()
            .contains(&format!("process {}", holder.pid)),
        "{error}"
    );
    drop(first);
    assert_eq!(writer_of(&path).unwrap(), None);
    WriterLock::acquire(&path).unwrap();
}

#[test]
fn b78_files_left_behind_by_a_dead_process_lock_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    std::fs::write(dir.path().join(".a.jsonl.lock"), "").unwrap();
    std::fs::write(dir.path().join(".a.jsonl.holder"), "torn {").unwrap();
    assert_eq!(writer_of(&path).unwrap(), None);
    let lock = WriterLock::acquire(&path).unwrap();
    assert_eq!(writer_of(&path).unwrap().unwrap().pid, std::process::id());
    std::fs::remove_file(dir.path().join(".a.jsonl.lock")).unwrap();
    assert!(!lock.is_current());
}
