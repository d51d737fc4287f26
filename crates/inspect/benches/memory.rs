//! How much memory a session's input takes and how much of the file is read, however large it is.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::Path;

use annals_inspect::{PromptInput, PromptInputOptions, PromptOptions, ReadUpTo};
use annals_rollout::{ParentSearch, Source};
use annals_test_support::bench::{Spread, Suite, Target, tell_usage, usage_of_child};
use annals_test_support::session::{SessionSpec, write_session};

/// The word that tells a child what it is.
const CHILD: &str = "write-the-input-of";

/// What the program may take beside its longest line.
const ALLOWED_MB: f64 = 64.0;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == CHILD) {
        let path = words.get(at + 1).ok_or("no file")?;
        write_input(Path::new(path))?;
        return Ok(tell_usage(0)?);
    }
    let suite = Suite::new("memory");
    // 1 GB without a compaction: all of it is live, and streamed.
    measure(&suite, suite.size(410_000, 8_000), None)?;
    // 10 GB with a compaction in the last 1 %: read backward to there.
    measure(&suite, suite.size(4_100_000, 40_000), Some(0.99))
}

fn write_input(path: &Path) -> Result<(), Box<dyn Error>> {
    let options = PromptInputOptions::new(ReadUpTo::End, PromptOptions::default());
    let input = PromptInput::read(Source::open(path)?, &ParentSearch::default(), options)?;
    input.write_json(&mut BufWriter::new(io::sink()))?;
    Ok(())
}

fn measure(
    suite: &Suite,
    n_items: usize,
    compaction_at: Option<f64>,
) -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("session.jsonl");
    let spec = SessionSpec {
        output_bytes: 1_800,
        compaction_at,
        ..SessionSpec::new(n_items)
    };
    write_session(&spec, BufWriter::new(File::create(&path)?))?;
    let usage = usage_of_child(&[CHILD.as_ref(), path.as_os_str()])?;
    let size = path.metadata()?.len();
    let what = match compaction_at {
        None => "without a compaction".to_owned(),
        Some(_) => "with a compaction in the last 1 %".to_owned(),
    };
    let what = format!("prompt-input on {:.0} MB {what}", megabytes(size));
    suite
        .row(
            &format!("peak memory of {what}, beside the file"),
            Target::ValueAtMost((ALLOWED_MB + megabytes(longest_line(&path)?)).ceil()),
        )
        .record(
            "MB",
            Spread::exact(megabytes(usage.peak_bytes)),
            Spread::exact(megabytes(size)),
        );
    if compaction_at.is_some() {
        suite
            .row(
                &format!("share of the file that is read by {what}"),
                Target::AtMost(0.03),
            )
            .record(
                "MB",
                Spread::exact(megabytes(usage.read_bytes)),
                Spread::exact(megabytes(size)),
            );
    }
    Ok(())
}

fn longest_line(path: &Path) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    let (mut line, mut longest) = (Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        longest = longest.max(line.len() as u64);
        line.clear();
    }
    Ok(longest)
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
