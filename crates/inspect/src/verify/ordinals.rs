//! Whether the numbers of the records run on.

use super::FindingKind;

/// The ordinals of a lineage as they come.
#[derive(Debug, Default)]
pub(super) struct Ordinals {
    segment: Option<usize>,
    /// The next one, where the last record had one.
    next: Option<u64>,
}

impl Ordinals {
    /// What is wrong with the ordinal of the next record, if anything is.
    pub(super) fn next(
        &mut self,
        segment: usize,
        ordinal: Option<u64>,
    ) -> Option<(FindingKind, String)> {
        // A file counts for itself: how it goes on from its parent is told by its head.
        let expected = self.next.filter(|_| self.segment == Some(segment));
        self.segment = Some(segment);
        let ordinal = ordinal?;
        self.next = Some(ordinal.saturating_add(1).max(self.next.unwrap_or(0)));
        let expected = expected?;
        if ordinal > expected {
            let missing = ordinal - expected;
            let what = if missing == 1 {
                format!("record {expected} is missing")
            } else {
                format!("records {expected} to {} are missing", ordinal - 1)
            };
            return Some((FindingKind::LostOrdinals, what));
        }
        (ordinal < expected).then(|| {
            let what = format!("record {ordinal} comes where {expected} should");
            (FindingKind::OrdinalsOutOfOrder, what)
        })
    }
}
