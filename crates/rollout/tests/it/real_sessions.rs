//! Sessions that the reference program wrote, where they are at hand.

use std::path::{Path, PathBuf};

use annals_rollout::{Entry, Lineage, ParentSearch, Source, TypedEntry};

/// The rollout files below `ANNALS_SHARED/corpus`; none, with a note, where that is not set.
fn files() -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("ANNALS_SHARED") else {
        println!("ANNALS_SHARED is not set: nothing to read");
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut dirs = vec![Path::new(&root).join("corpus")];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|ext| ext == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 50, "{}", found.len());
    found
}

#[test]
fn every_record_reads_and_only_damaged_files_have_faults() {
    for path in files() {
        let source = Source::open(&path).unwrap();
        let mut faults = Vec::new();
        let mut records = 0;
        for entry in source.typed() {
            match entry.unwrap() {
                TypedEntry::Line(_) => records += 1,
                TypedEntry::Fault(fault) => faults.push(fault),
            }
        }
        assert!(records > 0, "{}", path.display());
        let damaged = path
            .components()
            .any(|part| part.as_os_str().to_string_lossy().starts_with("corrupt-"));
        assert!(damaged || faults.is_empty(), "{faults:?}");
    }
}

#[test]
fn every_lineage_is_found_and_its_ordinals_run_on() {
    for path in files() {
        let lineage =
            Lineage::resolve(Source::open(&path).unwrap(), &ParentSearch::default()).unwrap();
        if lineage.segments().len() == 1 {
            continue;
        }
        let mut reader = lineage.scan();
        let mut expected = 0;
        while let Some((_, entry)) = reader.next().unwrap() {
            let Entry::Record(record) = entry else {
                panic!("{}", path.display())
            };
            assert_eq!(
                record.envelope.ordinal,
                Some(expected),
                "{}",
                path.display()
            );
            expected += 1;
        }
    }
}
