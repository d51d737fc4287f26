//! Encoded lines that are not in the file yet, and where each of them ends.
//! After a write that stopped anywhere, what is left is exactly what has still to be written.

/// Lines in order; the first has the number `first_seq`.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    pub(crate) bytes: Vec<u8>,
    /// Where each line ends in `bytes`.
    ends: Vec<usize>,
    first_seq: u64,
}

/// What a write that took `taken` bytes left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remainder {
    /// How many lines are whole in the file.
    pub(crate) whole_lines: u64,
    /// Whether the file now ends inside a line, so that the next write has to start a fresh one.
    pub(crate) torn: bool,
}

impl Pending {
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn n_records(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The number of the last line.
    pub(crate) fn last_seq(&self) -> u64 {
        (self.first_seq + self.n_records()).saturating_sub(1)
    }

    /// Notes that a line with the number `seq` ends at `end` in `bytes`.
    pub(crate) fn line_added(&mut self, seq: u64, end: usize) {
        if self.ends.is_empty() {
            self.first_seq = seq;
        }
        self.ends.push(end);
    }

    /// Forgets the lines behind the first `n_records`, which end at `len_bytes`.
    pub(crate) fn undo(&mut self, n_records: u64, len_bytes: usize) {
        self.ends
            .truncate(usize::try_from(n_records).unwrap_or(usize::MAX));
        self.bytes.truncate(len_bytes);
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        // One burst must not pin its room.
        if self.bytes.capacity() > 4 * 1024 * 1024 {
            self.bytes.shrink_to(256 * 1024);
            self.ends.shrink_to(1024);
        }
    }

    /// Takes off what a write of `taken` bytes brought into the file.
    pub(crate) fn take_off(&mut self, taken: usize) -> Remainder {
        let n_whole = self.ends.partition_point(|&end| end <= taken);
        let boundary = n_whole
            .checked_sub(1)
            .and_then(|at| self.ends.get(at))
            .copied()
            .unwrap_or(0);
        let mut cut = boundary;
        let mut torn = taken > boundary;
        // Only the line end is missing: writing the whole line again would double the record.
        if self
            .ends
            .get(n_whole)
            .is_some_and(|&end| torn && end - taken == 1)
        {
            cut = taken;
            torn = false;
        }
        self.bytes.drain(..cut);
        self.ends.drain(..n_whole);
        for end in &mut self.ends {
            *end -= cut;
        }
        self.first_seq += n_whole as u64;
        Remainder {
            whole_lines: n_whole as u64,
            torn,
        }
    }

    /// Puts the lines of `later` behind these.
    pub(crate) fn append(&mut self, later: &Self) {
        if self.ends.is_empty() {
            self.first_seq = later.first_seq;
        }
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(&later.bytes);
        self.ends.extend(later.ends.iter().map(|end| end + offset));
    }
}

#[cfg(test)]
#[path = "pending_tests.rs"]
mod tests;
