//! Threads that another program wrote, of every version, go on as threads.
//!
//! They are not part of the project: without the environment variable `ANNALS_SHARED` this test
//! passes over nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_core::{ErrorKind, Thread, user_message};
use annals_history::PromptOptions;
use annals_replay::{KeptItems, Record, Replay};
use annals_rollout::store::{JsonlStore, RolloutStore};
use annals_rollout::{
    CutPoint, Entry, Home, Lineage, ParentSearch, ReadOptions, RolloutName, SessionHead, Source,
    lookup,
};
use uuid::Uuid;

use crate::support::{TestResult, options, settings};

/// The versions that wrote them.
const VERSIONS: [&str; 6] = [
    "0.100.0", "0.130.0", "0.150.1", "0.171.0", "0.40.0", "0.77.0",
];

/// The folders that hold session files, below `root`.
fn folders(root: &Path, found: &mut Vec<PathBuf>) -> TestResult {
    let mut has_sessions = false;
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() {
            folders(&path, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            has_sessions = true;
        }
    }
    if has_sessions {
        found.push(root.to_path_buf());
    }
    Ok(())
}

/// A home with the sessions of a folder, and the ids of their threads.
fn home(folder: &Path) -> TestResult<(tempfile::TempDir, Home, Vec<Uuid>)> {
    let dir = tempfile::tempdir()?;
    let sessions = dir.path().join("sessions/2026/12/01");
    fs::create_dir_all(&sessions)?;
    let mut ids = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = RolloutName::parse(&path) else {
            continue;
        };
        fs::copy(&path, sessions.join(path.file_name().unwrap_or_default()))?;
        ids.push(name.thread_id);
    }
    ids.sort_unstable();
    ids.dedup();
    let home = Home::new(dir.path());
    Ok((dir, home, ids))
}

/// The prompt of a plain replay of everything that a file and its parents hold.
fn replayed(path: &Path, home: &Home) -> TestResult<String> {
    let search = ParentSearch::in_home(home.clone());
    let lineage = Lineage::resolve(Source::open(path)?, &search)?;
    let mut reader = lineage.reader(ReadOptions::default());
    let mut replay = Replay::new(KeptItems);
    while let Some((segment, entry)) = reader.next()? {
        if let Entry::Record(record) = entry {
            replay.feed(&Record {
                segment: u32::try_from(segment)?,
                line: record.line,
                byte_offset: record.byte_offset,
                text: record.text,
                envelope: record.envelope,
            });
        }
    }
    let mut history = replay.finish().into_history();
    Ok(String::from_utf8(
        history.for_prompt(PromptOptions::default()).to_vec(),
    )?)
}

/// The version that a file says it was written by.
fn version(path: &Path) -> TestResult<String> {
    let head = SessionHead::read(&Source::open(path)?)?;
    Ok(head.cli_version.unwrap_or_default())
}

/// Forks a thread, and lives one turn in the fork.
async fn forks(home: &Home, id: Uuid) -> TestResult {
    let path = lookup(home, &id.to_string())?;
    let before = fs::read(&path)?;
    let store: Arc<dyn RolloutStore> = Arc::new(JsonlStore::new(home.clone()));
    let mut parent = Thread::resume(Arc::clone(&store), id, options()).await?;
    let whole = String::from_utf8(parent.prompt(PromptOptions::default()).to_vec())?;
    let mut fork = parent.fork(CutPoint::End).await?;
    assert_ne!(fork.id(), id);
    let same = String::from_utf8(fork.prompt(PromptOptions::default()).to_vec())?;
    assert_eq!(same, whole, "{}", path.display());
    let world = fork.world_state(&settings())?;
    let _told = fork.begin_turn(&settings(), world).await?;
    fork.record([user_message("Or so?")?]).await?;
    fork.complete().await?;
    let live = String::from_utf8(fork.prompt(PromptOptions::default()).to_vec())?;
    assert!(
        live.starts_with(whole.trim_end_matches(']')),
        "{}",
        path.display()
    );
    let forked = fork.id();
    fork.shutdown().await?;
    parent.shutdown().await?;
    let mut again = Thread::resume(Arc::clone(&store), forked, options()).await?;
    let resumed = String::from_utf8(again.prompt(PromptOptions::default()).to_vec())?;
    assert_eq!(resumed, live, "{}", path.display());
    again.shutdown().await?;
    assert!(
        fs::read(&path)? == before,
        "{}: its parent changed",
        path.display()
    );
    Ok(())
}

/// Resumes a thread, lives one turn, and resumes it again. Says how many items the turn told.
async fn goes_on(home: &Home, id: Uuid) -> TestResult<usize> {
    let path = lookup(home, &id.to_string())?;
    let before = fs::read(&path)?;
    let store: Arc<dyn RolloutStore> = Arc::new(JsonlStore::new(home.clone()));
    let mut thread = Thread::resume(Arc::clone(&store), id, options()).await?;
    let first = String::from_utf8(thread.prompt(PromptOptions::default()).to_vec())?;
    assert_eq!(first, replayed(&path, home)?, "{}", path.display());

    let world = thread.world_state(&settings())?;
    let told = thread.begin_turn(&settings(), world).await?;
    thread.record([user_message("And now?")?]).await?;
    let live = String::from_utf8(thread.prompt(PromptOptions::default()).to_vec())?;
    assert!(
        live.starts_with(first.trim_end_matches(']')),
        "{}",
        path.display()
    );
    thread.complete().await?;
    thread.shutdown().await?;
    let after = fs::read(&path)?;
    assert!(
        after.starts_with(&before),
        "{}: only appended to",
        path.display()
    );

    let mut again = Thread::resume(Arc::clone(&store), id, options()).await?;
    let resumed = String::from_utf8(again.prompt(PromptOptions::default()).to_vec())?;
    assert_eq!(resumed, live, "{}", path.display());
    // What was just told is not told again.
    let world = again.world_state(&settings())?;
    let second = again.begin_turn(&settings(), world).await?;
    let shown = String::from_utf8(again.prompt(PromptOptions::default()).to_vec())?;
    let news = shown.strip_prefix(resumed.trim_end_matches(']'));
    assert_eq!(second.n_items, 0, "{}: {news:?}", path.display());
    again.complete().await?;
    again.shutdown().await?;

    // While nobody ran one thing changed: that alone is told, behind everything else.
    let mut last = Thread::resume(store, id, options()).await?;
    let other = settings().with_date("2031-05-06", "Etc/UTC");
    let world = last.world_state(&other)?;
    let third = last.begin_turn(&other, world).await?;
    assert_eq!(third.n_items, 1, "{}", path.display());
    let now = String::from_utf8(last.prompt(PromptOptions::default()).to_vec())?;
    let news = now.strip_prefix(shown.trim_end_matches(']'));
    let news = news.ok_or_else(|| format!("{}: the prefix broke", path.display()))?;
    assert!(news.contains("2031-05-06"), "{}: {news}", path.display());
    for known in ["Use tabs.", "<permissions instructions>", "<cwd>"] {
        assert!(!news.contains(known), "{}: {news}", path.display());
    }
    last.shutdown().await?;
    Ok(told.n_items)
}

#[tokio::test]
async fn threads_of_every_version_go_on() -> TestResult {
    let Some(shared) = std::env::var_os("ANNALS_SHARED") else {
        // A stranger's clone has none.
        return Ok(());
    };
    let mut found = Vec::new();
    folders(&Path::new(&shared).join("corpus"), &mut found)?;
    let (mut n_resumed, mut n_told, mut versions) = (0, 0, BTreeSet::new());
    for folder in found {
        let (_dir, home, ids) = home(&folder)?;
        for id in ids {
            versions.insert(version(&lookup(&home, &id.to_string())?)?);
            forks(&home, id).await?;
            n_told += goes_on(&home, id).await?;
            n_resumed += 1;
        }
    }
    assert!(
        n_resumed > 50 && n_told > 50,
        "{n_resumed} threads, {n_told} items"
    );
    assert_eq!(versions, VERSIONS.map(str::to_owned).into());
    Ok(())
}

/// The files of the log of cases; those that no thread can be read from.
const UNREADABLE: [&str; 2] = ["B118", "B89"];

#[tokio::test]
async fn threads_of_the_log_of_cases_go_on() -> TestResult {
    let Some(shared) = std::env::var_os("ANNALS_SHARED") else {
        return Ok(());
    };
    let mut n_resumed = 0;
    for entry in fs::read_dir(Path::new(&shared).join("cases/bug-inputs"))? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        let Some((name, true)) =
            name.map(|name| (name, path.extension() == Some("jsonl".as_ref())))
        else {
            continue;
        };
        let number = name.trim_start_matches('B');
        let id: Uuid = format!("00000000-0000-7000-8000-000000000{number:0>3}").parse()?;
        let dir = tempfile::tempdir()?;
        let day = dir.path().join("sessions/2026/01/01");
        fs::create_dir_all(&day)?;
        fs::copy(
            &path,
            day.join(format!("rollout-2026-01-01T00-00-00-{id}.jsonl")),
        )?;
        let home = Home::new(dir.path());
        if UNREADABLE.contains(&name) {
            let store: Arc<dyn RolloutStore> = Arc::new(JsonlStore::new(home));
            let refused = Thread::resume(store, id, options()).await.err();
            assert_eq!(
                refused.map(|error| error.kind()),
                Some(ErrorKind::NotFound),
                "{name}"
            );
            continue;
        }
        forks(&home, id).await?;
        goes_on(&home, id).await?;
        n_resumed += 1;
    }
    assert!(n_resumed > 30, "{n_resumed}");
    Ok(())
}
