//! Names and places, and what must not be taken for them.

use std::path::Path;

use super::{Home, RolloutName};
use crate::time::Timestamp;

const ID: &str = "01a22f4d-919e-7c60-8290-89a0ff8f876a";

#[test]
fn names_are_read_back_as_they_were_made() {
    let name = RolloutName::new(
        Timestamp::from_unix_ms(1_796_089_966_000),
        ID.parse().unwrap(),
    );
    assert_eq!(RolloutName::parse(name.file_name()), Some(name));
    let segment = name.with_segment("01a22f4d-ef3c-7f80-b2ef-1fe22e1167e2".parse().unwrap());
    assert_eq!(
        RolloutName::parse(format!("/x/{}.zst", segment.file_name())),
        Some(segment)
    );
    assert_ne!(segment.rollout_id(), segment.thread_id);
}

#[test]
fn other_names_are_not_taken_for_rollouts() {
    for name in [
        "rollout.jsonl",
        "rollout-2026-12-01T01-52-46.jsonl",
        "rollout-2026-12-01T01-52-46-not-a-uuid.jsonl",
        "rollout-2026-12-01T01-52-46-01a22f4d919e7c60829089a0ff8f876a.jsonl",
        "rollout-2026-12-01T01-52-46-{01a22f4d-919e-7c60-8290-89a0ff8f876a}.jsonl",
        "rollout-2026-12-01T01-52-46-01a22f4d-919e-7c60-8290-89a0ff8f876a.json",
        "rollout-2026-12-01T01-52-4\u{e9}-01a22f4d-919e-7c60-8290-89a0ff8f876a.jsonl",
        ".rollout-2026-12-01T01-52-46-01a22f4d-919e-7c60-8290-89a0ff8f876a.jsonl",
        "",
    ] {
        assert_eq!(RolloutName::parse(name), None, "{name}");
    }
}

#[test]
fn the_home_of_a_rollout_is_seen_from_its_path() {
    let home = Some(Home::new("/h"));
    assert_eq!(
        Home::of_rollout(Path::new("/h/sessions/2026/12/01/a.jsonl")),
        home
    );
    assert_eq!(
        Home::of_rollout(Path::new("/h/archived_sessions/a.jsonl")),
        home
    );
    assert_eq!(
        Home::of_rollout(Path::new("/h/sessions/2026/12/a.jsonl")),
        None
    );
    assert_eq!(
        Home::of_rollout(Path::new("/h/sessions/a/b/c/a.jsonl")),
        None
    );
    assert_eq!(Home::of_rollout(Path::new("a.jsonl")), None);
}

#[test]
fn a_rollout_is_found_by_day_in_the_archive_and_in_odd_places() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path());
    let id = ID.parse().unwrap();
    assert_eq!(home.find_rollout(id).unwrap(), None);
    let name = RolloutName::new(Timestamp::from_unix_ms(1_796_089_966_000), id);
    for path in [
        home.active_path(&name),
        home.archived_path(&name),
        dir.path()
            .join("sessions/2031/01/02")
            .join(name.file_name()),
        dir.path()
            .join("sessions/2026/12/01")
            .join(format!("{}.zst", name.file_name())),
    ] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "x").unwrap();
        assert_eq!(home.find_rollout(id).unwrap().as_deref(), Some(&*path));
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_home_are_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path());
    let name = RolloutName::new(
        Timestamp::from_unix_ms(1_796_089_966_000),
        ID.parse().unwrap(),
    );
    let target = outside.path().join(name.file_name());
    std::fs::write(&target, "x").unwrap();
    let path = home.active_path(&name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&target, &path).unwrap();
    assert_eq!(home.find_rollout(name.rollout_id()).unwrap(), None);
    assert!(!home.contains(&path));
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(outside.path(), dir.path().join("sessions/2025")).unwrap();
    assert_eq!(
        home.date_dirs()
            .unwrap()
            .map(|day| day.unwrap().ends_with("01"))
            .collect::<Vec<_>>(),
        [true]
    );
}
