//! Traces say how much and how long, and never what.
//!
//! A process of its own: whoever comes first to a place in the code decides for all threads whether
//! anybody listens there, so no other test may be there before.

#[expect(
    dead_code,
    reason = "shared with the other tests, which need more of it"
)]
#[path = "../it/support.rs"]
mod support;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use annals_core::{AbortReason, CompactionOutcome, Injection, Thread, ThreadSettings, tool_output};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{TestResult, asks, calls, memory, options, says, settings};

/// Stands in every text of the thread.
const SECRET: &str = "xyzzy";

/// Keeps all that it is told.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Vec<String>>>);

impl Kept {
    fn keep(&self, text: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(text);
    }
}

struct Fields<'k>(&'k Kept);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.keep(format!("{}={value:?}", field.name()));
    }
}

impl Subscriber for Kept {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.keep(format!("span {}", span.metadata().name()));
        span.record(&mut Fields(self));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(self));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Fields(self));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Everything that leaves traces.
async fn live() -> TestResult {
    let store = memory();
    let made = ThreadSettings::new(SECRET).with_thread_instructions(SECRET);
    let mut thread = Thread::create(Arc::clone(&store), made, options()).await?;
    let settings = settings()
        .with_agents_md(Some("/xyzzy"), SECRET)
        .with_model_instructions(SECRET);
    asks(&mut thread, &settings, SECRET).await?;
    thread
        .record([
            calls("xyzzy")?,
            tool_output("xyzzy", SECRET)?,
            says(SECRET)?,
        ])
        .await?;
    let _told = thread.step(thread.world_state(&settings)?).await?;
    thread
        .compact(
            CompactionOutcome::Summary(SECRET.to_owned()),
            Injection::None,
        )
        .await?;
    thread.abort(AbortReason::Interrupted).await?;
    thread.rollback(1).await?;
    thread.shutdown().await?;
    let _again = Thread::resume(store, thread.id(), options()).await?;
    Ok(())
}

#[tokio::test(flavor = "current_thread")]
async fn traces_hold_sizes_and_no_content() -> TestResult {
    let kept = Kept::default();
    let _guard = tracing::subscriber::set_default(kept.clone());
    live().await?;

    let kept = kept
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let told: Vec<_> = kept.iter().filter(|text| text.contains(SECRET)).collect();
    assert_eq!(told, Vec::<&String>::new());
    let spans: BTreeSet<&str> = kept
        .iter()
        .filter_map(|text| text.strip_prefix("span "))
        .collect();
    for name in ["thread", "turn", "step", "record", "flush"] {
        assert!(spans.contains(name), "{name} in {spans:?}");
    }
    for field in ["items=", "bytes=", "tokens=", "micros="] {
        assert!(kept.iter().any(|text| text.starts_with(field)), "{field}");
    }
    Ok(())
}
