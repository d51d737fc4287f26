//! The items of one response in their own order, however they finish.

use std::collections::BTreeMap;

use annals_history::ItemEnvelope;

/// Puts the items of a response in order: they finish as they like, and are recorded by their place
/// in the response. A message that was recorded before the reasoning that it came from would be
/// refused in every request from then on.
///
/// # Bounds
///
/// Holds what waits for an earlier item.
///
/// # Example
///
/// ```
/// use annals_core::{ResponseOrder, user_message};
///
/// let mut order = ResponseOrder::default();
/// assert_eq!(order.done(1, user_message("second")?).len(), 0);
/// assert_eq!(order.done(0, user_message("first")?).len(), 2);
/// assert!(order.finish().is_empty());
/// # Ok::<(), annals_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ResponseOrder {
    next: u64,
    waiting: BTreeMap<u64, ItemEnvelope>,
}

impl ResponseOrder {
    /// The item at this place (`output_index`) is done; gives those that can be recorded now.
    #[must_use = "the items are to be recorded"]
    pub fn done<I: Into<ItemEnvelope>>(&mut self, place: u64, item: I) -> Vec<ItemEnvelope> {
        self.waiting.insert(place, item.into());
        let mut ready = Vec::new();
        while let Some(item) = self.waiting.remove(&self.next) {
            ready.push(item);
            self.next = self.next.saturating_add(1);
        }
        ready
    }

    /// The response has ended, wherever it broke off; gives what still waits, in order.
    #[must_use = "the items are to be recorded"]
    pub fn finish(self) -> Vec<ItemEnvelope> {
        self.waiting.into_values().collect()
    }
}
