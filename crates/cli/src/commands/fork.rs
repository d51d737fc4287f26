//! `annals fork` and `annals rollback`: new futures for an old past.

use annals_inspect::TurnStart;
use annals_rollout::{
    CutPoint, Durability, Lineage, NewRecord, RolloutName, RolloutWriter, SessionHead, Source,
    WriterOptions, fork_by_copy, fork_by_reference, revert,
};

use crate::args::{ForkArgs, RollbackArgs};
use crate::commands::changed::Changed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::plural;
use crate::target::Lookup;

/// Makes a new session, and prints where it lies.
pub(crate) fn fork(args: &ForkArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    refuse_stdin(&args.file)?;
    let cut = match args.turn {
        None => CutPoint::End,
        Some(turn) => {
            let turns = lookup.look_at(&args.file, annals_inspect::Session::turns)?;
            let n_turns = turns.len() as u64;
            if !(1..=n_turns).contains(&turn) {
                let asked = turn;
                return Err(annals_inspect::Error::NoSuchTurn { asked, n_turns }.into());
            }
            cut_behind(&turns, turn)
        }
    };
    let lineage = lineage(&args.file, lookup)?;
    let writer = if args.copy {
        fork_by_copy(&lineage, &cut)
    } else {
        fork_by_reference(&lineage, &cut)
    };
    let writer = writer.map_err(|error| {
        let is_legacy = error.kind() == annals_rollout::ErrorKind::Unsupported;
        let is_unnamed = error
            .path()
            .is_some_and(|path| RolloutName::parse(path).is_none());
        let failure = Failure::from(error);
        if is_legacy {
            failure.hint("this session has no ordinals: fork it with --copy")
        } else if is_unnamed && !args.copy {
            failure.hint("fork it with --copy, or give it a name like rollout-TIME-ID.jsonl first")
        } else {
            failure
        }
    })?;
    writer.persist(Durability::Durable)?;
    let mut changed = Changed::new("fork", args.form.json);
    changed.add(&lookup.path(&args.file)?, Some(writer.path()))?;
    writer.close()?;
    changed.finish()?;
    Ok(Exit::Done)
}

/// Goes back, in the way that the session's form has, and prints where it goes on.
pub(crate) fn rollback(args: &RollbackArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    refuse_stdin(&args.file)?;
    let turns = lookup.look_at(&args.file, annals_inspect::Session::turns)?;
    let kept = (turns.len() as u64)
        .checked_sub(u64::from(args.turns))
        .ok_or_else(|| {
            let has = plural(turns.len() as u64, "user turn", "user turns");
            let what = format!("the session has {has}, {} can't be taken back", args.turns);
            Failure::new(Exit::Usage, what)
        })?;
    let path = lookup.path(&args.file)?;
    let head = SessionHead::read(&Source::open(&path)?)?;
    let writer = if head.paginated {
        let lineage = lineage(&args.file, lookup)?;
        let writer = revert(&lineage, &cut_behind(&turns, kept))?;
        writer.persist(Durability::Durable)?;
        writer
    } else {
        let record = NewRecord::rolled_back(args.turns);
        let writer = RolloutWriter::resume(&path, WriterOptions::default())?;
        writer.append(&[record], Durability::Durable)?;
        writer
    };
    let mut changed = Changed::new("rollback", args.form.json);
    changed.add(&path, Some(writer.path()))?;
    writer.close()?;
    changed.finish()?;
    let left = plural(kept, "user turn is", "user turns are");
    out::note(&format!("{left} left"));
    Ok(Exit::Done)
}

/// The place behind so many turns.
fn cut_behind(turns: &[TurnStart], kept: u64) -> CutPoint {
    let next = usize::try_from(kept).ok().and_then(|kept| turns.get(kept));
    next.map_or(CutPoint::End, |turn| CutPoint::Ordinal(turn.ordinal))
}

fn lineage(file: &str, lookup: &Lookup) -> Result<Lineage, Failure> {
    let source = Source::open(lookup.path(file)?)?;
    Ok(Lineage::resolve(source, &lookup.parents())?)
}

fn refuse_stdin(file: &str) -> Result<(), Failure> {
    if file == "-" {
        let what = "standard input can't be written to: name a file or an id";
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
}
