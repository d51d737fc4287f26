//! Sessions on the disk: listing, lookup, search, archive, repair, stats.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use annals_protocol::RecordKind;
use annals_rollout::{
    Cursor, CutPoint, Durability, ErrorKind, FaultKind, Home, Lineage, ListOptions, ListOrder,
    NewRecord, ParentSearch, RolloutName, RolloutStats, RolloutWriter, Scope, Source, Timestamp,
    WriterOptions, archive, compress, delete, list, lookup, repair, revert, search, unarchive,
};
use serde_json::json;

/// A home and what makes sessions in it.
struct Made {
    _dir: tempfile::TempDir,
    home: Home,
    mode: &'static str,
}

impl Made {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::new(dir.path().join("home"));
        Self {
            _dir: dir,
            home,
            mode: "legacy",
        }
    }

    /// A session made `hours` hours after a fixed moment.
    fn session(&self, hours: u64, cwd: &str, words: &str) -> (RolloutName, PathBuf) {
        let created = Timestamp::from_unix_ms(1_796_000_000_000 + hours * 3_600_000);
        let id = format!("01a22f4d-919e-7c60-8290-{:012x}", 0xabc0_0000 + hours);
        let name = RolloutName::new(created, id.parse().unwrap());
        let path = self.home.active_path(&name);
        let provider = if hours.is_multiple_of(2) {
            "even"
        } else {
            "odd"
        };
        let head = json!({"id": id, "history_mode": self.mode, "cwd": cwd, "source": "cli", "model_provider": provider,
            "timestamp": created.to_string(), "originator": "annals", "cli_version": "0.1.0"});
        let head = NewRecord::serialize(RecordKind::SessionMeta, &head).unwrap();
        let writer = RolloutWriter::create(&path, head, WriterOptions::default()).unwrap();
        let message = |text: &str| {
            let item = json!({"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": text}]});
            NewRecord::serialize(RecordKind::ResponseItem, &item).unwrap()
        };
        let records = [
            message("<environment_context>\n</environment_context>"),
            message(words),
        ];
        writer.append(&records, Durability::Written).unwrap();
        writer.close().unwrap();
        (name, path)
    }
}

#[test]
fn pages_follow_each_other_without_gap_or_repetition() {
    let made = Made::new();
    let names: Vec<_> = (0..40)
        .rev()
        .map(|n| made.session(n * 7, "/w", "hello").0)
        .collect();
    for (order, opened_files) in [
        (ListOrder::Created, 10_000),
        (ListOrder::Created, 3),
        (ListOrder::Updated, 10_000),
        (ListOrder::Updated, 3),
        (ListOrder::Updated, usize::MAX),
    ] {
        let mut options = ListOptions::default();
        options.page_sessions = 7;
        options.opened_files = opened_files;
        options.order = order;
        let mut seen = Vec::new();
        loop {
            let page = list(&made.home, &options).unwrap();
            seen.extend(page.sessions.iter().map(|session| session.name));
            let Some(next) = page.next else { break };
            options.cursor = Some(Cursor::parse(&next.to_string()).unwrap());
        }
        if order == ListOrder::Updated {
            seen.sort_unstable_by_key(|name| std::cmp::Reverse(*name));
        }
        assert_eq!(seen, names, "{order:?}, {opened_files}");
    }
}

#[test]
fn a_thread_of_several_files_is_one_entry_of_a_list_of_threads() {
    let mut made = Made::new();
    made.mode = "paginated";
    let names: Vec<_> = (0..4)
        .map(|n| made.session(n, "/w", &format!("hello {n}")))
        .collect();
    let reverted = |path: &PathBuf, end: u64| {
        let search = ParentSearch::in_home(made.home.clone());
        let lineage = Lineage::resolve(Source::open(path).unwrap(), &search).unwrap();
        let writer = revert(&lineage, &CutPoint::Ordinal(end)).unwrap();
        writer.persist(Durability::Written).unwrap();
        let path = writer.path().to_path_buf();
        writer.close().unwrap();
        path
    };
    // Today, so they come before all others. Thread 0 goes on through three files; what the first
    // segment of thread 2 had is behind the place to which the second one goes back.
    let third = reverted(&reverted(&names[0].1, 3), 4);
    let second = reverted(&reverted(&names[2].1, 3), 2);
    let n_files = list(&made.home, &ListOptions::default())
        .unwrap()
        .sessions
        .len();
    assert_eq!(n_files, 8);
    for order in [ListOrder::Created, ListOrder::Updated] {
        for page_sessions in 1..=5 {
            let mut options = ListOptions::default();
            options.one_per_thread = true;
            options.order = order;
            options.page_sessions = page_sessions;
            let mut found = Vec::new();
            loop {
                let page = list(&made.home, &options).unwrap();
                found.extend(page.sessions);
                let Some(next) = page.next else { break };
                options.cursor = Some(next);
            }
            let mut threads: Vec<_> = found.iter().map(|one| one.name.thread_id).collect();
            threads.sort_unstable();
            let mut wanted: Vec<_> = names.iter().map(|(name, _)| name.thread_id).collect();
            wanted.sort_unstable();
            assert_eq!(threads, wanted, "{order:?} {page_sessions}");
            let of = |n: usize| {
                found
                    .iter()
                    .find(|one| one.name.thread_id == names[n].0.thread_id)
                    .unwrap()
            };
            assert_eq!((&of(0).path, &of(2).path), (&third, &second));
            assert_eq!([0, 1, 2, 3].map(|n| of(n).files), [3, 1, 2, 1]);
            for (n, (name, _)) in names.iter().enumerate() {
                let one = of(n);
                assert_eq!(one.preview.as_deref(), Some(format!("hello {n}").as_str()));
                assert_eq!(one.thread_created, name.created);
                assert_eq!(one.thread_bytes > one.len_bytes, one.files > 1);
            }
        }
    }
}

#[test]
fn a_list_shows_what_the_user_said_and_filters_by_folder_provider_and_time() {
    let made = Made::new();
    for hours in 0..6 {
        made.session(
            hours,
            if hours < 3 { "/srv/a/" } else { "/srv/b" },
            "Fix the\n  parser",
        );
    }
    let page = list(&made.home, &ListOptions::default()).unwrap();
    assert_eq!(page.sessions.len(), 6);
    assert_eq!(page.sessions[0].preview.as_deref(), Some("Fix the parser"));
    assert_eq!(page.sessions[0].head.source.as_deref(), Some("cli"));
    let count = |change: &dyn Fn(&mut ListOptions)| {
        let mut options = ListOptions::default();
        change(&mut options);
        list(&made.home, &options).unwrap().sessions.len()
    };
    assert_eq!(count(&|o| o.cwd = Some("/srv/a".into())), 3);
    assert_eq!(count(&|o| o.providers = vec!["odd".into()]), 3);
    assert_eq!(count(&|o| o.sources = vec!["vscode".into()]), 0);
    let third = Timestamp::from_unix_ms(1_796_000_000_000 + 3 * 3_600_000);
    assert_eq!(count(&|o| o.since = Some(third)), 3);
    assert_eq!(count(&|o| o.until = Some(third)), 3);
    assert_eq!(count(&|o| o.scope = Scope::Archived), 0);
}

#[test]
fn empty_and_unreadable_files_are_counted_and_twins_shown_once() {
    let made = Made::new();
    let (_, path) = made.session(1, "/w", "one");
    let (_, packed) = made.session(2, "/w", "two");
    let plain_copy = fs::read(&packed).unwrap();
    compress(&packed).unwrap();
    fs::write(&packed, plain_copy).unwrap();
    let (_, cold) = made.session(3, "/w", "cold words");
    compress(&cold).unwrap();
    let folder = path.parent().unwrap();
    let other = |n: u32| {
        folder.join(format!(
            "rollout-2026-11-30T00-00-0{n}-01a22f4d-919e-7c60-8290-89a0ff8f876{n}.jsonl"
        ))
    };
    fs::write(other(1), "").unwrap();
    fs::write(other(2), "noise\n").unwrap();
    fs::write(folder.join("notes.txt"), "x").unwrap();
    let page = list(&made.home, &ListOptions::default()).unwrap();
    assert_eq!(page.sessions.len(), 3);
    assert!(
        page.sessions
            .iter()
            .any(|s| s.preview.as_deref() == Some("cold words"))
    );
    assert_eq!((page.empty_files, page.unreadable_files), (1, 1));
    assert_eq!(page.unreadable, [(other(2), ErrorKind::Unreadable)]);
}

#[test]
fn a_session_is_found_by_id_by_its_start_and_by_name() {
    let made = Made::new();
    let (one, one_path) = made.session(1, "/w", "one");
    let (_, two_path) = made.session(2, "/w", "two");
    let id = one.thread_id.to_string();
    assert_eq!(lookup(&made.home, &id).unwrap(), one_path);
    assert_eq!(lookup(&made.home, &id.to_uppercase()).unwrap(), one_path);
    assert_eq!(
        lookup(&made.home, "01a22f4d").unwrap_err().kind(),
        ErrorKind::Ambiguous
    );
    assert_eq!(lookup(&made.home, &id[..36]).unwrap(), one_path);
    let missing = lookup(&made.home, "01a22f4d-0000-7000-8000-000000000000").unwrap_err();
    assert_eq!(
        (missing.kind(), missing.path()),
        (ErrorKind::NotFound, Some(made.home.root()))
    );
    // The newest name counts; a rename of a thread that was never written hides nothing.
    let row = |id: &str, name: &str| {
        json!({"id": id, "thread_name": name, "updated_at": "t"}).to_string() + "\n"
    };
    let ghost = "01a22f4d-0000-7000-8000-0000000000ff";
    let two = RolloutName::parse(&two_path).unwrap().thread_id.to_string();
    let rows = [
        row(&id, "old name"),
        row(&two, "parser"),
        row(&id, " parser "),
        "torn {\n".into(),
        row(ghost, "parser"),
    ];
    fs::write(made.home.session_index(), rows.concat()).unwrap();
    assert_eq!(lookup(&made.home, "parser").unwrap(), one_path);
    assert_eq!(
        lookup(&made.home, "old name").unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn a_text_is_found_in_items_with_what_stands_around_it() {
    let made = Made::new();
    made.session(
        1,
        "/w",
        &format!(
            "{} the \"Needle\"\n in a haystack {}",
            "a ".repeat(60),
            "b ".repeat(80)
        ),
    );
    let (_, cold) = made.session(2, "/w", "needle at the start");
    compress(&cold).unwrap();
    made.session(3, "/w", "nothing here");
    let hits: Vec<_> = search(&made.home, "\"needle", Scope::Both, 5)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(hits.len(), 1);
    let hits: Vec<_> = search(&made.home, "needle", Scope::Both, 5)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let snippets: Vec<_> = hits
        .iter()
        .map(|hit| (hit.line, hit.snippet.as_str()))
        .collect();
    let [(3, "needle at the start"), (3, found)] = snippets[..] else {
        panic!("{snippets:?}")
    };
    assert!(
        found.starts_with("... a a a") && found.contains("a a the \"Needle\" in a haystack b b")
    );
    assert!(
        found.ends_with("b b ...") && found.chars().count() < 170,
        "{found}"
    );
    assert_eq!(search(&made.home, "", Scope::Both, 5).unwrap().count(), 0);
}

#[test]
fn archiving_and_back_moves_the_file_and_refuses_an_open_one() {
    let made = Made::new();
    let (name, path) = made.session(1, "/w", "one");
    let writer = RolloutWriter::resume(&path, WriterOptions::default()).unwrap();
    assert_eq!(
        archive(&made.home, &path).unwrap_err().kind(),
        ErrorKind::AlreadyOpen
    );
    assert_eq!(delete(&path).unwrap_err().kind(), ErrorKind::AlreadyOpen);
    writer.close().unwrap();
    let old = SystemTime::now() - Duration::from_hours(24 * 30);
    fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    compress(&path).unwrap();
    let archived = archive(&made.home, &path).unwrap();
    assert!(archived.ends_with(format!("archived_sessions/{}.zst", name.file_name())));
    assert_eq!(fs::metadata(&archived).unwrap().modified().unwrap(), old);
    assert_eq!(
        lookup(&made.home, &name.thread_id.to_string()).unwrap(),
        archived
    );
    let back = unarchive(&made.home, &archived).unwrap();
    assert_eq!(back, path.with_extension("jsonl.zst"));
    assert!(fs::metadata(&back).unwrap().modified().unwrap() > old);
    let outside = made.home.root().join(name.file_name());
    fs::write(&outside, "x").unwrap();
    assert_eq!(
        archive(&made.home, &outside).unwrap_err().kind(),
        ErrorKind::InvalidInput
    );
    delete(&path).unwrap();
    assert!(!back.exists());
    for gone in [&path, &path.with_file_name("none.jsonl")] {
        let failed = [
            delete(gone).unwrap_err(),
            archive(&made.home, gone).unwrap_err(),
            unarchive(&made.home, gone).unwrap_err(),
        ];
        assert_eq!(failed.map(|error| error.kind()), [ErrorKind::NotFound; 3]);
    }
    // Neither locks nor temporary files stay behind.
    let left: Vec<_> = fs::read_dir(back.parent().unwrap()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_mended_copy_has_no_fault_and_the_original_stays() {
    let made = Made::new();
    let (_, path) = made.session(1, "/w", "one");
    let good = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let damaged = [
        lines[0].as_bytes(),
        b"\r\n",
        &[0; 9],
        b"\nnoise\n",
        lines[1].as_bytes(),
        lines[2].as_bytes(),
        b"\n\n",
        &lines[2].as_bytes()[..50],
    ]
    .concat();
    let source_path = path.with_file_name("damaged.jsonl");
    fs::write(&source_path, &damaged).unwrap();
    let out = path.with_file_name("mended.jsonl");
    let report = repair(&Source::open(&source_path).unwrap(), &out).unwrap();
    assert_eq!(report.records, 3);
    let counts: Vec<_> = report.fault_counts.into_iter().collect();
    assert_eq!(
        counts,
        [
            (FaultKind::TornTail, 1),
            (FaultKind::NulRun, 1),
            (FaultKind::NotJson, 1),
            (FaultKind::Glued, 1)
        ]
    );
    assert_eq!(fs::read_to_string(&out).unwrap(), good);
    assert_eq!(fs::read(&source_path).unwrap(), damaged);
    assert_eq!(
        repair(&Source::open(&source_path).unwrap(), &out)
            .unwrap_err()
            .kind(),
        ErrorKind::AlreadyExists
    );
    let again = path.with_file_name("again.jsonl");
    assert!(
        repair(&Source::open(&out).unwrap(), &again)
            .unwrap()
            .is_clean()
    );
    let noise = Source::from_bytes("noise", "noise\n").unwrap();
    let never = path.with_file_name("never.jsonl");
    assert_eq!(
        repair(&noise, &never).unwrap_err().kind(),
        ErrorKind::Unreadable
    );
    assert!(!never.exists());
}

#[test]
fn stats_count_records_by_type_and_faults_by_kind() {
    let made = Made::new();
    let (_, path) = made.session(1, "/w", "one");
    let text = fs::read_to_string(&path).unwrap() + "noise\n\n";
    let stats = RolloutStats::read(&Source::from_bytes("x", text.clone()).unwrap()).unwrap();
    assert_eq!((stats.lines, stats.bytes), (5, text.len() as u64));
    let kinds: Vec<_> = stats
        .kinds
        .iter()
        .map(|(tag, kind)| (tag.as_str(), kind.records))
        .collect();
    assert_eq!(kinds, [("response_item", 2), ("session_meta", 1)]);
    assert_eq!(stats.faults.get(&FaultKind::NotJson), Some(&1));
    assert!(stats.time_span.is_some() && stats.longest_record_bytes > 50);
}
