//! Kills writers, fills their disk, breaks their calls, and checks each time that every
//! acknowledged record is in the file once and in order. `cargo xtask crash` runs it.
#![expect(clippy::print_stdout, reason = "it reports to a person")]

use std::error::Error;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use annals_protocol::RecordKind;
use annals_rollout::{
    Durability, Entry, ErrorKind, NewRecord, RolloutWriter, Source, WriterOptions,
};
use annals_test_support::{Dice, DiskCall, DiskFault, FaultyDisk, soak};
use serde_json::json;

type Outcome = Result<(), Box<dyn Error>>;

const ID: &str = "01a22f4d-919e-7c60-8290-89a0ff8f876a";

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["child", path, seed] => child(Path::new(path), seed.parse()?),
        ["filling-child", path] => filling_child(Path::new(path)),
        ["--runs", runs] => all(runs.parse()?, 0),
        ["--runs", runs, "--soak-secs", secs] => all(runs.parse()?, secs.parse()?),
        [] => all(200, 0),
        _ => Err("usage: crash [--runs N [--soak-secs N]]".into()),
    }
}

fn all(runs: u64, soak_secs: u64) -> Outcome {
    let start = Instant::now();
    killed(runs)?;
    println!(
        "killed: {runs} runs in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    let rounds = runs.div_ceil(20);
    for seed in 0..rounds {
        filled(seed)?;
    }
    println!("disk filled and freed: {rounds} runs");
    println!("calls broken one by one: {} runs", broken()?);
    if soak_secs > 0 {
        let dir = tempfile::tempdir()?;
        let start = Instant::now();
        let more = |_| start.elapsed().as_secs() < soak_secs;
        let report = soak(dir.path().to_path_buf(), 5, more)?;
        println!("{report:?}");
        ensure(report.wrongs.is_empty(), "the soak went wrong")?;
    }
    Ok(())
}

fn ensure(holds: bool, what: &str) -> Outcome {
    if holds {
        Ok(())
    } else {
        Err(what.to_owned().into())
    }
}

fn head() -> Result<NewRecord, annals_rollout::Error> {
    let payload = json!({"session_id": ID, "id": ID, "timestamp": "2026-12-01T01:52:46.402Z",
        "cwd": "/w", "originator": "crash", "cli_version": "0.0.0", "history_mode": "paginated"});
    NewRecord::serialize(RecordKind::SessionMeta, &payload)
}

fn event(number: u64, filler: usize) -> Result<NewRecord, annals_rollout::Error> {
    let payload = json!({"type": "crash", "n": number, "filler": "x".repeat(filler)});
    NewRecord::serialize(RecordKind::EventMsg, &payload)
}

/// The numbers in a file, checked to run from 1 without gap; ordinals run with them.
fn numbers(path: &Path) -> Result<u64, Box<dyn Error>> {
    let source = match Source::open(path) {
        Ok(source) => source,
        // Killed before the first byte.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Empty) => {
            return Ok(0);
        }
        Err(error) => return Err(error.into()),
    };
    let mut records = source.records();
    let mut next = 0;
    while let Some(entry) = records.next()? {
        let Entry::Record(record) = entry else {
            continue;
        };
        ensure(
            record.envelope.ordinal == Some(next),
            &format!("ordinal {next} is not in place"),
        )?;
        let payload: serde_json::Value = serde_json::from_str(record.envelope.payload)?;
        let number = payload
            .get("n")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(0);
        ensure(number == next, &format!("record {next} is not in place"))?;
        next += 1;
    }
    Ok(next.saturating_sub(1))
}

fn open(path: &Path) -> Result<RolloutWriter, annals_rollout::Error> {
    match RolloutWriter::resume(path, WriterOptions::default()) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Empty) => {
            RolloutWriter::create(path, head()?, WriterOptions::default())
        }
        // Killed inside the very first line: nothing was acknowledged, and nothing can go on.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::Unreadable | ErrorKind::NoSessionMeta
            ) =>
        {
            std::fs::remove_file(path).map_err(|_gone| error)?;
            RolloutWriter::create(path, head()?, WriterOptions::default())
        }
        other => other,
    }
}

/// Appends until it is killed, and says what was acknowledged.
fn child(path: &Path, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed);
    let writer = open(path)?;
    let mut next = writer.next_ordinal().ok_or("no ordinal")?;
    let mut out = io::stdout().lock();
    loop {
        let count = dice.below(3) + 1;
        let mut records = Vec::new();
        for number in next..next + count {
            let filler = if dice.below(20) == 0 {
                300_000
            } else {
                dice.below(3_000)
            };
            records.push(event(number, usize::try_from(filler)?)?);
        }
        let durability = if dice.below(4) == 0 {
            Durability::Durable
        } else {
            Durability::Written
        };
        writer.append(&records, durability)?;
        next += count;
        writeln!(out, "{}", next - 1)?;
        out.flush()?;
    }
}

fn start(words: &[&str]) -> io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(words)
        .stdout(Stdio::piped())
        .spawn()
}

/// The last number in what a child said before it died.
fn last_acknowledged(said: ChildStdout) -> u64 {
    let lines = BufReader::new(said).lines().map_while(Result::ok);
    lines
        .filter_map(|line| line.parse().ok())
        .last()
        .unwrap_or(0)
}

/// Kills a writer at a random moment, again and again on one file, also while it resumes.
fn killed(runs: u64) -> Outcome {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let mut dice = Dice::new(now.as_secs() ^ u64::from(now.subsec_nanos()) << 20);
    let (mut dir, mut acknowledged) = (tempfile::tempdir()?, 0);
    for run in 0..runs {
        if run.is_multiple_of(25) {
            (dir, acknowledged) = (tempfile::tempdir()?, 0);
        }
        let path = dir
            .path()
            .join(format!("rollout-2026-12-01T01-52-46-{ID}.jsonl"));
        let seed = (run + 1).to_string();
        let mut child = start(&["child", &path.to_string_lossy(), &seed])?;
        let said = child.stdout.take().ok_or("no output")?;
        let listener = std::thread::spawn(move || last_acknowledged(said));
        // A third of them while they start; the rest while they write.
        let micros = if run.is_multiple_of(3) {
            dice.below(4_000)
        } else {
            dice.below(40_000)
        };
        std::thread::sleep(Duration::from_micros(micros));
        child.kill()?;
        child.wait()?;
        let said = listener.join().map_err(|_panic| "the listener panicked")?;
        acknowledged = said.max(acknowledged);
        let found = numbers(&path).map_err(|error| format!("run {run}: {error}"))?;
        ensure(
            found >= acknowledged,
            &format!("run {run}: {found} of {acknowledged} records"),
        )?;
        // The next writer opens at once, and what was torn does not eat its record.
        let writer = open(&path).map_err(|error| format!("run {run}: {error}"))?;
        let next = writer.next_ordinal().ok_or("no ordinal")?;
        ensure(
            next == found + 1,
            &format!("run {run}: goes on at {next} after {found}"),
        )?;
        writer.append(&[event(next, 10)?], Durability::Written)?;
        writer.close()?;
        acknowledged = numbers(&path).map_err(|error| format!("run {run}: {error}"))?;
        ensure(
            acknowledged == next,
            &format!("run {run}: the next record is not there"),
        )?;
    }
    Ok(())
}

/// Writes until there is no room, waits until there is, and goes on.
fn filling_child(path: &Path) -> Outcome {
    let writer = RolloutWriter::create(path, head()?, WriterOptions::default())?;
    let mut out = io::stdout().lock();
    let mut was_full = 0;
    for number in 1..=300 {
        match writer.append(&[event(number, 700)?], Durability::Written) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NoSpace && error.queued_records() > 0 => {
                was_full += 1;
                if was_full == 3 {
                    writeln!(out, "full")?;
                    out.flush()?;
                    while writer.flush(Durability::Durable).is_err() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    ensure(was_full >= 3, "the disk was never full")?;
    writer.flush(Durability::Durable)?;
    writer.close()?;
    writeln!(out, "done")?;
    Ok(())
}

/// A file that may not grow beyond a limit, which is lifted while the writer waits.
fn filled(seed: u64) -> Outcome {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("filled.jsonl");
    let limit = 20_000 + Dice::new(seed + 77).below(60_000);
    // A signal that the shell ignores stays ignored, so that the limit shows as an error.
    let script = "trap '' XFSZ; exec prlimit --fsize=\"$1\":unlimited \"$2\" filling-child \"$3\"";
    let mut child = Command::new("sh")
        .args(["-c", script, "sh", &limit.to_string()])
        .arg(std::env::current_exe()?)
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
    ensure(
        lines.next().transpose()?.as_deref() == Some("full"),
        "the child is not full",
    )?;
    let freed = Command::new("prlimit")
        .args(["--fsize=unlimited", "--pid", &child.id().to_string()])
        .status()?;
    ensure(freed.success(), "the limit was not lifted")?;
    ensure(
        lines.next().transpose()?.as_deref() == Some("done"),
        "the child did not go on",
    )?;
    ensure(child.wait()?.success(), "the child failed")?;
    ensure(numbers(&path)? == 300, "not every record is there")
}

/// Breaks each call of a writer's life in each way, one at a time.
fn broken() -> Result<u64, Box<dyn Error>> {
    let faults = [
        DiskFault::Fail(io::ErrorKind::StorageFull),
        DiskFault::Fail(io::ErrorKind::Other),
        DiskFault::Fail(io::ErrorKind::Interrupted),
        DiskFault::Short(1),
        DiskFault::Short(37),
        DiskFault::Stall(Duration::from_millis(1)),
    ];
    let mut runs = 0;
    for fault in faults {
        for at in 0.. {
            let disk = FaultyDisk::new(move |number, call| {
                // A write that was cut short meets a full disk when it goes on.
                let second = number == at + 1 && matches!(fault, DiskFault::Short(_));
                match call {
                    DiskCall::Write(_) if second => DiskFault::Fail(io::ErrorKind::StorageFull),
                    _ if number == at => fault,
                    _ => DiskFault::None,
                }
            });
            let calls = broken_once(&disk)?;
            runs += 1;
            if at > calls {
                break;
            }
        }
    }
    Ok(runs)
}

fn broken_once(disk: &FaultyDisk) -> Result<u64, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("broken.jsonl");
    let disk = Arc::new(disk.clone());
    let writer = RolloutWriter::create_on(
        &path,
        head()?,
        WriterOptions::default(),
        Arc::clone(&disk) as _,
    )?;
    for number in 1..=12 {
        let durability = match number % 4 {
            0 => Durability::Durable,
            1 => Durability::Buffered,
            _ => Durability::Written,
        };
        let records = [event(number, 50)?];
        let result = writer.append(&records, durability);
        if result.is_ok() && durability > Durability::Buffered {
            ensure(
                numbers(&path)? == number,
                "an acknowledged record is not there",
            )?;
        }
    }
    let mut tries = 0;
    while let Err(error) = writer.flush(Durability::Durable) {
        tries += 1;
        ensure(tries < 3, &format!("the writer does not recover: {error}"))?;
    }
    ensure(numbers(&path)? == 12, "not every record is there")?;
    Ok(disk.calls())
}
