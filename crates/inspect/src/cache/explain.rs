//! What each request could have reused, what it missed, and why; worked out once all are known.

use super::{Cause, MeasuredUsage, Request, Requests};

/// Providers keep a cache in blocks of so many tokens; less than two of them missing says nothing.
const NOISE_TOKENS: u64 = 256;
/// Of what was cut off only an estimate is known, which may be wrong by a part of it.
const LOST_NOISE: u64 = 4;
/// Pauses after which providers have usually forgotten.
const FORGETS_AFTER_S: u64 = 5 * 60;

impl Requests {
    /// Works out, once all is known, what each request could have reused and what it missed.
    pub(crate) fn explain(&mut self) {
        let mut before: Option<(u64, Option<MeasuredUsage>)> = None;
        for request in &mut self.seen {
            request.reusable_tokens = reusable(request, before);
            if let Some(usage) = request.measured {
                let missed = request
                    .reusable_tokens
                    .saturating_sub(usage.cached_input_tokens);
                let noise = NOISE_TOKENS + request.lost_tokens / LOST_NOISE;
                let missed = if missed < noise { 0 } else { missed };
                request.missed_tokens = Some(missed);
                request.missed_cost = self.prices.map(|prices| prices.of_miss(missed));
                if missed > 0 && request.cause == Cause::None {
                    request.cause = cause_of_miss(request);
                }
            }
            before = Some((request.tokens, request.measured));
        }
    }
}

/// What the cache can be expected to have known of a request.
///
/// The provider's own count of the request before holds what the file does not: base instructions
/// and tools, which stand before the input. What is the same is that count, less what was cut off.
fn reusable(request: &Request, before: Option<(u64, Option<MeasuredUsage>)>) -> u64 {
    let Some((tokens, measured)) = before else {
        return 0;
    };
    let (Some(usage), Some(now)) = (measured, request.measured) else {
        return request.same_tokens;
    };
    let was = usage.input_tokens;
    let lost = if tokens <= was {
        request.lost_tokens
    } else {
        // The estimate is too high: of the count it is the same part.
        let part = u128::from(request.lost_tokens) * u128::from(was) / u128::from(tokens);
        u64::try_from(part).unwrap_or(u64::MAX)
    };
    was.saturating_sub(lost).min(now.input_tokens)
}

fn cause_of_miss(request: &Request) -> Cause {
    let changed = |name: &str| {
        request
            .settings_changed
            .iter()
            .any(|change| change.setting == name)
    };
    if changed("model") {
        Cause::ModelChanged
    } else if !request.settings_changed.is_empty() {
        Cause::SettingsChanged
    } else if request
        .pause_s
        .is_some_and(|pause| pause >= FORGETS_AFTER_S)
    {
        Cause::Expired
    } else {
        Cause::Provider
    }
}

/// Seconds from one time to another, as written.
pub(super) fn seconds_between(before: &str, now: &str) -> Option<u64> {
    let ms = |text| annals_rollout::Timestamp::parse(text).map(annals_rollout::Timestamp::unix_ms);
    Some(ms(now)?.saturating_sub(ms(before)?) / 1000)
}
