//! What it costs to come back: a resume from a compaction near the end, whatever stands before it.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use annals_core::{Thread, ThreadOptions};
use annals_history::PromptOptions;
use annals_rollout::Home;
use annals_rollout::store::{JsonlStore, RolloutStore};
use annals_test_support::bench::{Spread, Suite, Target, in_turns, tell_usage, usage_of_child};
use annals_test_support::session::{SessionSpec, write_session};
use tokio::runtime::Runtime;
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The word that tells a child what it is.
const CHILD: &str = "resume-in";

/// How many items stand behind the compaction, where times are compared.
const BEHIND: usize = 50;

/// The id that generated sessions have.
const THREAD: &str = "01a22f4d-919e-7c60-8290-7a1d3c5b0001";

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == CHILD) {
        let home = words.get(at + 1).ok_or("no home")?;
        let (_thread, live_bytes) = resume(&Runtime::new()?, Path::new(home))?;
        return Ok(tell_usage(live_bytes)?);
    }
    let suite = Suite::new("resume");
    times(&suite)?;
    memory(&suite)
}

async fn resumed(home: &Path) -> Outcome<Thread> {
    let store: Arc<dyn RolloutStore> = Arc::new(JsonlStore::new(Home::new(home)));
    let id: Uuid = THREAD.parse()?;
    Ok(Thread::resume(store, id, ThreadOptions::default()).await?)
}

fn resume(runtime: &Runtime, home: &Path) -> Outcome<(Thread, u64)> {
    let mut thread = runtime.block_on(resumed(home))?;
    let live_bytes = thread.prompt(PromptOptions::default()).len_bytes();
    Ok((thread, live_bytes))
}

/// A home with one session.
struct Session {
    _dir: tempfile::TempDir,
    home: PathBuf,
    len_bytes: u64,
}

impl Session {
    fn new(spec: &SessionSpec) -> Outcome<Self> {
        let dir = tempfile::tempdir()?;
        let home = dir.path().to_path_buf();
        let folder = home.join("sessions/2026/12/01");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("rollout-2026-12-01T01-52-46-{THREAD}.jsonl"));
        write_session(spec, BufWriter::new(File::create(&path)?))?;
        Ok(Self {
            _dir: dir,
            home,
            len_bytes: path.metadata()?.len(),
        })
    }
}

fn times(suite: &Suite) -> Outcome<()> {
    let sizes: &[usize] = if suite.is_quick() {
        &[100, 1_000]
    } else {
        &[100, 1_000, 10_000, 100_000]
    };
    let runtime = Runtime::new()?;
    let mut all = Vec::new();
    for &size in sizes {
        #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
        let share = 1.0 - BEHIND as f64 / size as f64;
        let spec = |compaction_at| SessionSpec {
            compaction_at,
            ..SessionSpec::new(size)
        };
        let (near_end, whole) = (
            Session::new(&spec(Some(share)))?,
            Session::new(&spec(None))?,
        );
        let (ours, all_read) = in_turns(
            suite.size(7, 2),
            || resume(&runtime, &near_end.home).is_ok(),
            || resume(&runtime, &whole.home).is_ok(),
        );
        suite
            .row(
                &format!(
                    "resume {BEHIND} items behind a compaction, {size} in all, beside all read"
                ),
                Target::None,
            )
            .record("s", ours, all_read);
        allocations(suite, size, &near_end, &whole)?;
        all.push(near_end);
    }
    if let (Some(small), Some(large)) = (all.get(1), all.last()) {
        // In turns of their own: what else the machine does then slows both alike.
        let (large, small) = in_turns(
            suite.size(25, 2),
            || resume(&runtime, &large.home).is_ok(),
            || resume(&runtime, &small.home).is_ok(),
        );
        suite
            .row(
                "a resume from near the end at the largest size, against one at 1,000 items",
                Target::AtMost(1.5),
            )
            .record("s", large, small);
    }
    Ok(())
}

/// Outside a runtime all of a resume happens on one thread, whose allocations can be counted.
fn allocations(suite: &Suite, size: usize, near_end: &Session, whole: &Session) -> Outcome<()> {
    let count = |session: &Session| {
        let mut done = Ok(());
        let info = allocation_counter::measure(|| {
            done = block_on(pin!(resumed(&session.home))).map(drop);
        });
        #[expect(clippy::cast_precision_loss, reason = "a count need not be exact")]
        done.map(|()| Spread::exact(info.count_total as f64))
    };
    suite
        .row(
            &format!(
                "allocations: resume {BEHIND} items behind a compaction, {size} in all, beside all read"
            ),
            Target::None,
        )
        .record("allocations", count(near_end)?, count(whole)?);
    Ok(())
}

fn block_on<F: Future>(mut future: Pin<&mut F>) -> F::Output {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        std::thread::yield_now();
    }
}

/// A large session with a compaction in its last 1 %: what is held is what is live.
fn memory(suite: &Suite) -> Outcome<()> {
    let session = Session::new(&SessionSpec {
        output_bytes: 1_800,
        compaction_at: Some(0.99),
        ..SessionSpec::new(suite.size(4_100_000, 40_000))
    })?;
    let usage = usage_of_child(&[CHILD.as_ref(), session.home.as_os_str()])?;
    let live = megabytes(usage.told);
    suite
        .row(
            &format!(
                "peak memory of a resume of {:.0} MB of which {live:.0} MB are live, beside the file",
                megabytes(session.len_bytes)
            ),
            Target::ValueAtMost((1.5 * live + 64.0).ceil()),
        )
        .record(
            "MB",
            Spread::exact(megabytes(usage.peak_bytes)),
            Spread::exact(megabytes(session.len_bytes)),
        );
    suite
        .row("share of that file that is read", Target::AtMost(0.03))
        .record(
            "MB",
            Spread::exact(megabytes(usage.read_bytes)),
            Spread::exact(megabytes(session.len_bytes)),
        );
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
