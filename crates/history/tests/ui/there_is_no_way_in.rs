//! None of the ways in which a vector is changed.

use annals_history::{ContextManager, ItemEnvelope};
use annals_protocol::RawJson;

fn main() {
    let mut history = ContextManager::new();
    let envelope = ItemEnvelope::new(RawJson::parse("{}").unwrap());
    history.items_mut();
    history.iter_mut();
    history.get_mut(0);
    history.insert(0, envelope.clone());
    history.remove(0);
    history.truncate(0);
    history.clear();
    history[0] = envelope;
}
