//! Request by request: how much of the input a provider's cache could have known, and why not more.

mod explain;
mod money;
mod settings;
mod view;

use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::{ItemType, RecordKind};
use annals_replay::Replayed;
use serde::Serialize;

use crate::error::Error;
use crate::part::{Origin, member, text_member};
use crate::prompt_input::ReadUpTo;
use crate::session::{About, At, Session, TracedReplay, Watch};
use crate::traced::Traced;

pub use money::Prices;
use settings::Settings;
pub(crate) use view::View;

/// What became of a cache, request by request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CacheReport {
    /// `annals.cache/1`
    pub schema: &'static str,
    /// Which session.
    pub session: About,
    /// Every request that the file shows, in order.
    pub requests: Vec<Request>,
    /// All of them together.
    pub total: CacheTotal,
}

/// One request to the model, as the file shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Request {
    /// From 1.
    pub number: usize,
    /// The user turn that it belongs to, from 1; 0 where there is none.
    pub turn: usize,
    /// The line of the first record that answers it.
    pub line: u64,
    /// When that was written, as written.
    pub timestamp: String,
    /// The model, as the turn's settings name it.
    pub model: Option<String>,
    /// Items in the input.
    pub n_items: usize,
    /// Bytes of those items.
    pub bytes: u64,
    /// Their estimated tokens.
    pub tokens: u64,
    /// Items that the request before began with just the same.
    pub same_items: usize,
    /// Bytes of those items.
    pub same_bytes: u64,
    /// Their estimated tokens.
    pub same_tokens: u64,
    /// Estimated tokens that the request before had behind them: what no cache can know any more.
    pub lost_tokens: u64,
    /// What the cache can be expected to have known, in the provider's tokens where the file has
    /// measured ones, else estimated.
    pub reusable_tokens: u64,
    /// What the provider measured.
    pub measured: Option<MeasuredUsage>,
    /// The first place at which the input does not go on as it was.
    pub divergence: Option<Break>,
    /// Settings that are other than at the request before.
    pub settings_changed: Vec<SettingChange>,
    /// Seconds since the request before.
    pub pause_s: Option<u64>,
    /// Tokens that the cache could have known and did not; `None` without a measure.
    pub missed_tokens: Option<u64>,
    /// Why the cache knew less than all of the request before.
    pub cause: Cause,
    /// What the missed tokens cost, in the currency of the prices.
    pub missed_cost: Option<f64>,
    /// Tokens by origin, in the order of [`Origin::ALL`].
    pub origins: Vec<u64>,
}

/// What a provider measured of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MeasuredUsage {
    /// Tokens of the input, cached ones included.
    pub input_tokens: u64,
    /// Those of them that came from the cache.
    pub cached_input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

/// The first place at which an input does not go on as the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Break {
    /// The first item that differs, from 0.
    pub item_idx: usize,
    /// Bytes of the items before it.
    pub byte_offset: u64,
    /// What stood there before.
    pub before: Option<ItemBrief>,
    /// What stands there now.
    pub now: Option<ItemBrief>,
}

/// An item in few words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ItemBrief {
    /// Where most of it comes from.
    pub origin: Origin,
    /// Estimated tokens.
    pub tokens: u64,
    /// The line of its record; 0 where it stands in none.
    pub line: u64,
}

/// A setting that changed between two requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SettingChange {
    /// Its name.
    pub setting: &'static str,
    /// What it was.
    pub before: Option<String>,
    /// What it is.
    pub now: Option<String>,
}

/// Why a cache knew less than all of the request before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// There was no request before.
    FirstRequest,
    /// Nothing was lost.
    None,
    /// A compaction replaced the history.
    Compaction,
    /// Turns were taken back.
    Rollback,
    /// An output took the place of its stand-in.
    LateOutput,
    /// The input changed in a way that no record tells.
    InputChanged,
    /// The input went on as it was, but the model is another one.
    ModelChanged,
    /// The input went on as it was, but settings that stand before it in a request changed.
    SettingsChanged,
    /// The input went on as it was, and so much time passed that a provider forgets.
    Expired,
    /// The input went on as it was; nothing in the file tells why the provider forgot.
    Provider,
}

impl Cause {
    /// The cause as a sentence fragment for a person.
    pub const fn text(self) -> &'static str {
        match self {
            Self::FirstRequest => "the first request: nothing was known yet",
            Self::None => "everything was known",
            Self::Compaction => "a compaction replaced the history",
            Self::Rollback => "turns were taken back",
            Self::LateOutput => "an output arrived late and took the place of its stand-in",
            Self::InputChanged => "the input changed in a way that no record tells",
            Self::ModelChanged => "another model, which has a cache of its own",
            Self::SettingsChanged => "settings changed that stand before the input in a request",
            Self::Expired => "a long pause, after which providers forget",
            Self::Provider => "the input went on as it was: the provider forgot by itself",
        }
    }
}

/// All requests together.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct CacheTotal {
    /// How many there are.
    pub n_requests: usize,
    /// How many the provider measured.
    pub n_measured: usize,
    /// Tokens of the inputs: measured where they were, else estimated.
    pub input_tokens: u64,
    /// Tokens that came from the cache.
    pub cached_input_tokens: u64,
    /// Tokens that could have.
    pub reusable_tokens: u64,
    /// Tokens that could have and did not.
    pub missed_tokens: u64,
    /// How many requests missed some.
    pub n_misses: usize,
    /// What the missed tokens cost.
    pub missed_cost: Option<f64>,
}

impl Session {
    /// What became of the cache, request by request.
    ///
    /// A request is seen where the model answers; its input is what stands before. `prices` tell
    /// what a miss costs.
    ///
    /// **Cost**: one pass; comparing costs O(what changed).
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read.
    pub fn cache(&self, up_to: ReadUpTo, prices: Option<Prices>) -> Result<CacheReport, Error> {
        let mut watch = Requests::new(prices);
        let replayed = self.walk(up_to, &mut watch)?;
        Ok(watch.report(self, &replayed))
    }
}

/// Watches requests go by.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    pub(crate) seen: Vec<Request>,
    prices: Option<Prices>,
    view: View,
    settings: Settings,
    /// The settings of the request before.
    sent: Settings,
    /// Whether the records that come are the answer to the last request.
    answering: bool,
    was_compacted: bool,
    was_rolled_back: bool,
    /// The usage that was read last, to know it again where it is told twice.
    last_usage: Option<MeasuredUsage>,
}

impl Requests {
    pub(crate) fn new(prices: Option<Prices>) -> Self {
        Self {
            prices,
            ..Self::default()
        }
    }

    fn report(mut self, session: &Session, replayed: &Replayed<Traced>) -> CacheReport {
        self.explain();
        let total = self.total();
        CacheReport {
            schema: "annals.cache/1",
            session: session.about(replayed),
            requests: self.seen,
            total,
        }
    }

    /// A request went out: its input is what the history shows now.
    fn sent(&mut self, at: &At<'_>, replay: &mut TracedReplay) {
        let kept = self.view.refresh(replay);
        let settings_changed = self.settings.changes_since(&self.sent);
        let cause = match (&kept.divergence, self.seen.is_empty()) {
            (_, true) => Cause::FirstRequest,
            (None, _) => Cause::None,
            (Some(_), _) if self.was_compacted => Cause::Compaction,
            (Some(_), _) if self.was_rolled_back => Cause::Rollback,
            (Some(_), _) if kept.was_stand_in => Cause::LateOutput,
            (Some(_), _) => Cause::InputChanged,
        };
        (self.was_compacted, self.was_rolled_back) = (false, false);
        self.sent = self.settings.clone();
        let timestamp = at.envelope.timestamp.to_owned();
        let pause_s = self
            .seen
            .last()
            .and_then(|before| explain::seconds_between(&before.timestamp, &timestamp));
        self.seen.push(Request {
            number: self.seen.len() + 1,
            turn: replay.ledger().turns(),
            line: at.line,
            timestamp,
            model: self.settings.model().map(str::to_owned),
            n_items: self.view.len(),
            bytes: self.view.bytes(),
            tokens: self.view.tokens(),
            same_items: kept.same_items,
            same_bytes: kept.same_bytes,
            same_tokens: kept.same_tokens,
            lost_tokens: self
                .seen
                .last()
                .map_or(0, |before| before.tokens.saturating_sub(kept.same_tokens)),
            reusable_tokens: 0,
            measured: None,
            divergence: kept.divergence,
            settings_changed: if cause == Cause::FirstRequest {
                Vec::new()
            } else {
                settings_changed
            },
            pause_s,
            missed_tokens: None,
            cause,
            missed_cost: None,
            origins: self.view.origins(),
        });
        self.answering = true;
    }

    /// A provider told what a request cost.
    fn measured(
        &mut self,
        at: &At<'_>,
        usage: MeasuredUsage,
        replay: &mut TracedReplay,
        twice: bool,
    ) {
        self.answering = false;
        if twice && self.last_usage == Some(usage) {
            return;
        }
        let has_room = self
            .seen
            .last()
            .is_some_and(|request| request.measured.is_none());
        if !has_room {
            if twice {
                return;
            }
            // A request whose answer left no item: a compaction's, or a failed one.
            self.sent(at, replay);
            self.answering = false;
        }
        if let Some(request) = self.seen.last_mut() {
            request.measured = Some(usage);
        }
        self.last_usage = Some(usage);
    }

    fn total(&self) -> CacheTotal {
        let mut total = CacheTotal {
            n_requests: self.seen.len(),
            missed_cost: self.prices.map(|_| 0.0),
            ..CacheTotal::default()
        };
        for request in &self.seen {
            total.reusable_tokens += request.reusable_tokens;
            match request.measured {
                Some(usage) => {
                    total.n_measured += 1;
                    total.input_tokens += usage.input_tokens;
                    total.cached_input_tokens += usage.cached_input_tokens;
                }
                None => total.input_tokens += request.tokens,
            }
            let missed = request.missed_tokens.unwrap_or(0);
            total.missed_tokens += missed;
            total.n_misses += usize::from(missed > 0);
            if let (Some(sum), Some(cost)) = (&mut total.missed_cost, request.missed_cost) {
                *sum += cost;
            }
        }
        total
    }
}

impl Watch for Requests {
    fn before(&mut self, at: &At<'_>, replay: &mut TracedReplay) {
        let payload = at.envelope.payload;
        match at.envelope.kind {
            RecordKind::ResponseItem => {
                let facts = ItemFacts::scan(payload);
                let is_answer = facts.flags().has(ItemFlags::GENERATED)
                    && !facts.flags().has(ItemFlags::MALFORMED)
                    && !matches!(
                        facts.item_type(),
                        ItemType::Compaction | ItemType::ContextCompaction
                    );
                if is_answer && !self.answering {
                    self.sent(at, replay);
                } else if !is_answer {
                    self.answering = false;
                }
            }
            RecordKind::TurnContext => {
                self.settings = Settings::of(payload);
                self.answering = false;
            }
            RecordKind::Compacted => {
                self.was_compacted = true;
                self.answering = false;
            }
            RecordKind::TokenUsageRecord => {
                if let Some(usage) = member(payload, "usage").and_then(usage_of) {
                    self.measured(at, usage, replay, /*twice*/ false);
                }
            }
            RecordKind::EventMsg => match text_member(payload, "type").as_deref() {
                Some("token_count") => {
                    let usage = member(payload, "info")
                        .and_then(|info| member(info, "last_token_usage"))
                        .and_then(usage_of);
                    if let Some(usage) = usage {
                        self.measured(at, usage, replay, /*twice*/ true);
                    }
                }
                Some("thread_rolled_back") => {
                    self.was_rolled_back = true;
                    self.answering = false;
                }
                Some("task_started" | "turn_started" | "task_complete" | "turn_complete") => {
                    self.answering = false;
                }
                _ => {}
            },
            RecordKind::SessionMeta => self.answering = false,
            _ => {}
        }
    }
}

pub(crate) fn usage_of(usage: &str) -> Option<MeasuredUsage> {
    let number = |key: &str| member(usage, key).and_then(|value| value.parse().ok());
    Some(MeasuredUsage {
        input_tokens: number("input_tokens")?,
        cached_input_tokens: number("cached_input_tokens").unwrap_or(0),
        output_tokens: number("output_tokens").unwrap_or(0),
    })
}
