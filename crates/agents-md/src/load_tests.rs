//! Loading from a file system that fails where it is told to, and the decoding of bytes.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::report::RootMarker;

/// The real file system, except for some paths.
struct Failing {
    no_entry: BTreeSet<PathBuf>,
    no_read: BTreeSet<PathBuf>,
}

impl FileSystem for Failing {
    fn entry(&self, path: &Path) -> io::Result<Entry> {
        if self.no_entry.contains(path) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Disk.entry(path)
    }
    fn is_link(&self, path: &Path) -> bool {
        Disk.is_link(path)
    }
    fn is_empty_directory(&self, path: &Path) -> io::Result<bool> {
        Disk.is_empty_directory(path)
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.canonical(path)
    }
    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
        if self.no_read.contains(path) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Disk.read(path, limit_bytes)
    }
}

#[test]
fn a_file_that_cannot_be_read_is_a_warning_that_says_what_failed() {
    let project = tempfile::tempdir().unwrap();
    let root = project.path().join("root");
    let nested = root.join("nested");
    std::fs::create_dir_all(nested.join("x")).unwrap();
    std::fs::create_dir(root.join(".git")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "x").unwrap();
    std::fs::write(root.join("AGENTS.md"), "secret").unwrap();
    std::fs::write(nested.join("AGENTS.md"), "nested").unwrap();
    let fs = Failing {
        no_entry: [nested.join("x/AGENTS.md")].into(),
        no_read: [root.join("AGENTS.md")].into(),
    };
    let loaded = load_from(&fs, &LoadOptions::new(nested.join("x"))).unwrap();
    assert_eq!(loaded.text(), "nested");
    let warnings: Vec<String> = loaded
        .warnings()
        .map(|warning| warning.to_string())
        .collect();
    assert_eq!(
        warnings,
        [
            format!(
                "{} was passed over: failed to read the file: permission denied",
                root.join("AGENTS.md").display()
            ),
            format!(
                "{} was passed over: failed to look at the file: permission denied",
                nested.join("x/AGENTS.md").display()
            ),
        ]
    );
}

#[test]
fn a_marker_that_cannot_be_looked_at_counts_as_not_there() {
    let project = tempfile::tempdir().unwrap();
    let app = project.path().join("app");
    std::fs::create_dir_all(app.join(".git")).unwrap();
    std::fs::create_dir(project.path().join(".git")).unwrap();
    std::fs::write(project.path().join(".git/HEAD"), "x").unwrap();
    let fs = Failing {
        no_entry: [app.join(".git")].into(),
        no_read: BTreeSet::new(),
    };
    let loaded = load_from(&fs, &LoadOptions::new(&app)).unwrap();
    assert_eq!(loaded.root().path, project.path());
    let marker = RootMarker {
        path: project.path().join(".git"),
        is_empty_directory: false,
    };
    assert_eq!(loaded.root().marker, Some(marker));
}

#[test]
fn bytes_that_are_no_text_are_replaced_one_by_one() {
    let check = |bytes: &[u8], is_whole: bool, expect: (&str, usize)| {
        let (text, n_replaced) = decode(bytes, is_whole);
        assert_eq!((text.as_str(), n_replaced), expect);
    };
    check(b"plain", true, ("plain", 0));
    check(
        b"\x93plain\x94 words",
        true,
        ("\u{fffd}plain\u{fffd} words", 2),
    );
    check(b"caf\xc3", true, ("caf\u{fffd}", 1));
    check(b"caf\xc3", false, ("caf", 0));
    check(b"a\x93caf\xe6\xbc", false, ("a\u{fffd}caf", 1));
    check(b"", true, ("", 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_projects_text_stays_within_its_budget(
        root in "[a-zé漢 \n]{0,60}", middle in "[a-zé漢 \n]{0,60}", leaf in "[a-zé漢 \n]{0,60}",
        budget in 0_usize..120,
    ) {
        let project = tempfile::tempdir().unwrap();
        let leaf_dir = project.path().join("m/l");
        std::fs::create_dir_all(&leaf_dir).unwrap();
        std::fs::write(project.path().join(".git"), "gitdir: x").unwrap();
        for (dir, text) in [("", &root), ("m", &middle), ("m/l", &leaf)] {
            std::fs::write(project.path().join(dir).join("AGENTS.md"), text).unwrap();
        }
        let loaded = load(&LoadOptions::new(&leaf_dir).with_max_project_bytes(budget)).unwrap();
        let kept: usize = loaded.files().iter().map(|file| match file.outcome {
            FileOutcome::Read { kept_bytes, .. } => kept_bytes,
            FileOutcome::PassedOver(_) => 0,
        }).sum();
        prop_assert!(kept <= budget);
        prop_assert!(!loaded.text().contains(char::REPLACEMENT_CHARACTER));
        // What was told is what was found, or a warning says what is missing.
        let wanted: usize = [&root, &middle, &leaf].iter().map(|text| text.trim().len()).sum();
        let is_warned = loaded.warnings().count() > 0;
        prop_assert_eq!(is_warned, kept < wanted && budget > 0);
    }
}
