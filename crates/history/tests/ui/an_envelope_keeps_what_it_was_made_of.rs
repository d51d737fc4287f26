//! What an envelope holds can be looked at and not set, nor reached through a dereference.

use annals_history::ItemEnvelope;
use annals_protocol::RawJson;

fn main() {
    let mut envelope = ItemEnvelope::new(RawJson::parse("{}").unwrap());
    envelope.raw = RawJson::parse("[]").unwrap();
    *envelope.raw() = RawJson::parse("[]").unwrap();
    *envelope = RawJson::parse("[]").unwrap();
}
