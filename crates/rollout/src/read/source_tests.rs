//! Every way to open something, and what each says when it can't.

use std::io::Write as _;

use super::{Source, SourceKind, open_stream, other_representation};
use crate::error::ErrorKind;
use crate::read::fault::FaultKind;
use crate::read::records::Entry;

const LINE: &str =
    "{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"event_msg\",\"payload\":{}}\n";

fn count(source: &Source) -> (u64, Vec<FaultKind>) {
    let mut reader = source.records();
    let mut faults = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        if let Entry::Fault(fault) = entry {
            faults.push(fault.kind());
        }
    }
    (reader.counts().records, faults)
}

#[test]
fn what_can_not_be_opened_says_so_by_kind_and_path() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    for (path, kind) in [
        (dir.path().join("missing.jsonl"), ErrorKind::NotFound),
        (dir.path().to_path_buf(), ErrorKind::IsDirectory),
        (empty, ErrorKind::Empty),
    ] {
        let error = Source::open(&path).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert_eq!(error.path(), Some(&*path));
        assert!(error.hint().is_some());
        if kind == ErrorKind::NotFound {
            let why = std::error::Error::source(&error).unwrap().to_string();
            assert_eq!(why, "no such file");
        }
        if kind != ErrorKind::IsDirectory {
            assert_eq!(open_stream(&path).err().unwrap().kind(), kind);
        }
    }
    assert_eq!(
        Source::from_bytes("x", "").unwrap_err().kind(),
        ErrorKind::Empty
    );
    assert_eq!(
        Source::from_reader("x", &b""[..]).unwrap_err().kind(),
        ErrorKind::Empty
    );
}

#[test]
fn a_compressed_file_reads_like_a_plain_one_under_either_name() {
    let dir = tempfile::tempdir().unwrap();
    let plain = dir.path().join("a.jsonl");
    let packed = other_representation(&plain);
    std::fs::write(
        &packed,
        zstd::encode_all(LINE.repeat(1000).as_bytes(), 3).unwrap(),
    )
    .unwrap();
    for path in [&plain, &packed] {
        let source = Source::open(path).unwrap();
        assert_eq!(
            (source.kind(), source.len_bytes()),
            (SourceKind::Compressed, 1000 * LINE.len() as u64)
        );
        assert_eq!(count(&source), (1000, vec![]));
        let mut buffer = Vec::new();
        source
            .read_at(999 * LINE.len() as u64, LINE.len(), &mut buffer)
            .unwrap();
        assert_eq!(buffer, LINE.as_bytes());
    }
    std::fs::write(&plain, LINE).unwrap();
    assert_eq!(Source::open(&plain).unwrap().kind(), SourceKind::Plain);
    assert_eq!(other_representation(&packed), plain);
}

#[test]
fn a_compressed_file_that_breaks_off_gives_what_it_holds_and_a_fault() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl.zst");
    let mut noise = String::new();
    for n in 0..50_000_u64 {
        let odd = n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_string();
        noise.push_str(&LINE.replace("{}", &odd));
    }
    let packed = zstd::encode_all(noise.as_bytes(), 3).unwrap();
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let (records, faults) = count(&Source::open(&path).unwrap());
    assert!(records > 1000 && records < 50_000, "{records}");
    assert_eq!(faults.last(), Some(&FaultKind::Decompression));
    let mut streamed = crate::RecordReader::from_stream(
        &*path,
        open_stream(&path).unwrap(),
        crate::ReadOptions::default(),
    );
    let mut last = None;
    while let Some(entry) = streamed.next().unwrap() {
        last =
            Some(matches!(entry, Entry::Fault(fault) if fault.kind() == FaultKind::Decompression));
    }
    assert_eq!(last, Some(true));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_stream_that_can_be_read_twice() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            std::fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .write_all(LINE.repeat(5).as_bytes())
                .unwrap();
        }
    });
    let source = Source::open(&path).unwrap();
    writer.join().unwrap();
    assert_eq!(source.kind(), SourceKind::Stream);
    assert_eq!(count(&source), (5, vec![]));
    assert_eq!(count(&source), (5, vec![]));
}

#[test]
fn reading_beyond_the_end_reserves_nothing() {
    let source = Source::from_bytes("m", LINE).unwrap();
    let mut buffer = Vec::new();
    let error = source.read_at(0, 1 << 40, &mut buffer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(buffer.capacity() < 1024);
}

#[test]
fn a_file_that_grows_is_read_on_from_where_the_reader_stood() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("live.jsonl");
    std::fs::write(&path, LINE).unwrap();
    let source = Source::open(&path).unwrap();
    let mut reader = source.records();
    assert!(reader.next().unwrap().is_some());
    assert!(reader.next().unwrap().is_none());
    std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap()
        .write_all(LINE.as_bytes())
        .unwrap();
    let Some(Entry::Record(record)) = reader.next().unwrap() else {
        panic!()
    };
    assert_eq!((record.line, record.byte_offset), (2, LINE.len() as u64));
}
