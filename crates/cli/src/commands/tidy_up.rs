//! `annals compress`, `archive` and `delete`: what is done with files as a whole.

use std::path::{Path, PathBuf};

use annals_rollout::{ErrorKind, Home, ListOptions, RolloutName, Scope, SessionHead, Source};

use crate::args::{ArchiveArgs, CompressArgs, DeleteArgs};
use crate::commands::changed::Changed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::target::Lookup;

/// Compresses files, or takes them apart again.
pub(crate) fn compress(args: &CompressArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let changed = Changed::new("compress", args.form.json);
    each(&args.files, lookup, changed, |_group| {
        Ok(|path: &Path| {
            if args.undo {
                return Ok(Some(annals_rollout::decompress(path)?));
            }
            refuse_other_files(path)?;
            Ok(Some(annals_rollout::compress(path)?))
        })
    })
}

/// Refuses a plain file in which no line is a record: whoever named it meant another one, and would
/// find it gone from its place. A session that lost its head is still one.
fn refuse_other_files(path: &Path) -> Result<(), Failure> {
    if !path.exists() || path.extension().is_some_and(|end| end == "zst") {
        return Ok(());
    }
    match SessionHead::read(&Source::open(path)?) {
        Err(error) if error.kind() != ErrorKind::NoSessionMeta => Err(error.into()),
        _ => Ok(()),
    }
}

/// Moves sessions to the archive, or back.
pub(crate) fn archive(args: &ArchiveArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let home = lookup.needed_home()?;
    let is_meant = |path: &Path| path.starts_with(home.archive_dir()) == args.undo;
    let changed = Changed::new("archive", args.form.json);
    each(&args.files, lookup, changed, |group| {
        // Of a session with several files some may be where they shall be.
        if group.iter().any(|path| is_meant(path)) {
            group.retain(|path| is_meant(path));
        }
        Ok(|path: &Path| {
            let done = if args.undo {
                annals_rollout::unarchive(&home, path)?
            } else {
                annals_rollout::archive(&home, path)?
            };
            Ok(Some(done))
        })
    })
}

/// Deletes sessions from which no other goes on.
pub(crate) fn delete(args: &DeleteArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let changed = Changed::new("delete", args.form.json).dry(args.dry_run);
    each(&args.files, lookup, changed, |group| {
        for path in &*group {
            // What is no session is not ours to delete.
            let _head = SessionHead::read(&Source::open(path)?)?;
            let child = if args.force {
                None
            } else {
                child_of(path, lookup, group)?
            };
            if let Some(child) = child {
                let what = format!("{}: {} goes on from it", path.display(), child.display());
                return Err(Failure::new(Exit::Bad, what)
                    .hint("delete that one first, or use --force to leave it without its past"));
            }
        }
        Ok(|path: &Path| {
            if !args.dry_run {
                annals_rollout::delete(path)?;
            }
            Ok(None)
        })
    })
}

/// A session in the homes around that refers to this file, other than those that go with it.
fn child_of(path: &Path, lookup: &Lookup, group: &[PathBuf]) -> Result<Option<PathBuf>, Failure> {
    let Some(name) = RolloutName::parse(path) else {
        return Ok(None);
    };
    let id = name.rollout_id().to_string();
    let homes = Home::of_rollout(path).into_iter().chain(lookup.home());
    for home in homes {
        let found = find_child(&home, &id, group)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn find_child(home: &Home, id: &str, group: &[PathBuf]) -> Result<Option<PathBuf>, Failure> {
    let mut options = ListOptions::default();
    options.scope = Scope::Both;
    options.page_sessions = 1_000;
    loop {
        let page = match annals_rollout::list(home, &options) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            page => page?,
        };
        for session in page.sessions {
            let base = session.head.history_base.as_ref();
            if base.is_some_and(|base| base.rollout_id.eq_ignore_ascii_case(id))
                && !group.contains(&session.path)
            {
                return Ok(Some(session.path));
            }
        }
        options.cursor = page.next;
        if options.cursor.is_none() {
            return Ok(None);
        }
    }
}

/// Does something with each file of each session, and says where it lies then; a session that fails
/// keeps none of the others. What is to be done is decided when all files of a session are known.
fn each<D, A>(
    files: &[String],
    lookup: &Lookup,
    mut changed: Changed,
    decide: D,
) -> Result<Exit, Failure>
where
    D: Fn(&mut Vec<PathBuf>) -> Result<A, Failure>,
    A: Fn(&Path) -> Result<Option<PathBuf>, Failure>,
{
    if files.iter().any(|file| file == "-") {
        let what = "standard input is no file that could be changed";
        return Err(Failure::new(Exit::Usage, what));
    }
    let mut exit = Exit::Done;
    for file in files {
        let mut one = || -> Result<(), Failure> {
            let mut group = lookup.paths(file)?;
            let act = decide(&mut group)?;
            group
                .iter()
                .try_for_each(|from| changed.add(from, act(from)?.as_deref()))
        };
        if let Err(failure) = one() {
            exit = exit.max(failure.print(changed.listener()));
        }
    }
    changed.finish()?;
    Ok(exit)
}
