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
    each(&args.files, lookup, changed, |path| {
        if args.undo {
            return Ok(Some(annals_rollout::decompress(path)?));
        }
        refuse_other_files(path)?;
        Ok(Some(annals_rollout::compress(path)?))
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
    let changed = Changed::new("archive", args.form.json);
    each(&args.files, lookup, changed, |path| {
        let done = if args.undo {
            annals_rollout::unarchive(&home, path)?
        } else {
            annals_rollout::archive(&home, path)?
        };
        Ok(Some(done))
    })
}

/// Deletes sessions from which no other goes on.
pub(crate) fn delete(args: &DeleteArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let changed = Changed::new("delete", args.form.json).dry(args.dry_run);
    each(&args.files, lookup, changed, |path| {
        // What is no session is not ours to delete.
        let _head = SessionHead::read(&Source::open(path)?)?;
        if !args.force
            && let Some(child) = child_of(path, lookup)?
        {
            let what = format!("{}: {} goes on from it", path.display(), child.display());
            return Err(Failure::new(Exit::Bad, what)
                .hint("delete that one first, or use --force to leave it without its past"));
        }
        if !args.dry_run {
            annals_rollout::delete(path)?;
        }
        Ok(None)
    })
}

/// A session in the homes around that refers to this file.
pub(super) fn child_of(path: &Path, lookup: &Lookup) -> Result<Option<PathBuf>, Failure> {
    let Some(name) = RolloutName::parse(path) else {
        return Ok(None);
    };
    let id = name.rollout_id().to_string();
    let homes = Home::of_rollout(path).into_iter().chain(lookup.home());
    for home in homes {
        let found = find_child(&home, &id, path)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn find_child(home: &Home, id: &str, path: &Path) -> Result<Option<PathBuf>, Failure> {
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
                && session.path != path
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

/// Does something with each file, and says where it lies then; one that fails keeps none of the
/// others.
fn each<F>(
    files: &[String],
    lookup: &Lookup,
    mut changed: Changed,
    mut act: F,
) -> Result<Exit, Failure>
where
    F: FnMut(&Path) -> Result<Option<PathBuf>, Failure>,
{
    if files.iter().any(|file| file == "-") {
        let what = "standard input is no file that could be changed";
        return Err(Failure::new(Exit::Usage, what));
    }
    let mut exit = Exit::Done;
    for file in files {
        let done = lookup.path(file).and_then(|path| {
            let done = act(&path)?;
            Ok((path, done))
        });
        match done {
            Ok((from, path)) => changed.add(&from, path.as_deref())?,
            Err(failure) => exit = exit.max(failure.print(changed.listener())),
        }
    }
    changed.finish()?;
    Ok(exit)
}
