//! Compressing and back never loses a byte.

use std::fs;
use std::time::{Duration, SystemTime};

use annals_rollout::{
    Durability, ErrorKind, RolloutWriter, Source, SourceKind, WriterOptions, compress, decompress,
};

use crate::support::{event, head, numbers, rollout_in};

fn written(dir: &std::path::Path, count: u64) -> RolloutWriter {
    let writer =
        RolloutWriter::create(rollout_in(dir), head(true), WriterOptions::default()).unwrap();
    let records: Vec<_> = (0..count).map(event).collect();
    writer.append(&records, Durability::Written).unwrap();
    writer
}

#[test]
fn there_and_back_keeps_every_byte_the_time_and_the_mode() {
    let dir = tempfile::tempdir().unwrap();
    let writer = written(dir.path(), 5_000);
    assert_eq!(
        compress(writer.path()).unwrap_err().kind(),
        ErrorKind::AlreadyOpen
    );
    writer.close().unwrap();
    let plain = writer.path();
    let old = SystemTime::now() - Duration::from_hours(24);
    fs::OpenOptions::new()
        .write(true)
        .open(plain)
        .unwrap()
        .set_modified(old)
        .unwrap();
    let before = (fs::read(plain).unwrap(), fs::metadata(plain).unwrap());
    let packed = compress(plain).unwrap();
    assert!(!plain.exists());
    let after = fs::metadata(&packed).unwrap();
    assert!(after.len() < before.1.len() / 5);
    assert_eq!(after.modified().unwrap(), before.1.modified().unwrap());
    assert_eq!(after.permissions(), before.1.permissions());
    assert_eq!(Source::open(plain).unwrap().kind(), SourceKind::Compressed);
    assert_eq!(compress(plain).unwrap(), packed);
    assert_eq!(decompress(&packed).unwrap(), plain);
    assert!(!packed.exists());
    assert_eq!(fs::read(plain).unwrap(), before.0);
    assert_eq!(
        fs::metadata(plain).unwrap().permissions(),
        before.1.permissions()
    );
}

#[test]
fn resuming_a_compressed_thread_unpacks_it_under_either_name() {
    let dir = tempfile::tempdir().unwrap();
    let writer = written(dir.path(), 10);
    writer.close().unwrap();
    for n in 10..14 {
        let packed = compress(writer.path()).unwrap();
        let name = if n % 2 == 0 { writer.path() } else { &packed };
        let resumed = RolloutWriter::resume(name, WriterOptions::default()).unwrap();
        resumed.append(&[event(n)], Durability::Written).unwrap();
        assert_eq!(resumed.path(), writer.path());
        assert_eq!(numbers(writer.path()), (0..=n).collect::<Vec<_>>());
        assert!(!packed.exists());
        resumed.close().unwrap();
    }
}

#[test]
fn a_damaged_archive_is_kept_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let writer = written(dir.path(), 5_000);
    writer.close().unwrap();
    let packed = compress(writer.path()).unwrap();
    let mut bytes = fs::read(&packed).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&packed, &bytes).unwrap();
    let error = decompress(&packed).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::VerifyFailed);
    assert_eq!(fs::read(&packed).unwrap(), bytes);
    assert!(!writer.path().exists());
    let leftovers = fs::read_dir(dir.path()).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .ends_with(".tmp")
    });
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn a_swap_that_died_half_way_is_finished_only_if_both_agree() {
    let dir = tempfile::tempdir().unwrap();
    let writer = written(dir.path(), 100);
    writer.close().unwrap();
    let plain = fs::read(writer.path()).unwrap();
    let packed = compress(writer.path()).unwrap();
    fs::write(writer.path(), &plain).unwrap();
    assert_eq!(compress(writer.path()).unwrap(), packed);
    fs::write(writer.path(), [&plain[..], b"more\n"].concat()).unwrap();
    assert_eq!(
        compress(writer.path()).unwrap_err().kind(),
        ErrorKind::VerifyFailed
    );
    assert!(writer.path().exists() && packed.exists());
}
