//! The difference of two texts, line by line, within fixed bounds of time and room.

use serde::Serialize;

/// The most cells of the table that is made for the middle of two texts; beyond it the middle
/// counts as replaced.
const MAX_CELLS: usize = 1 << 22;

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LineChange {
    /// Whether it was added, removed or kept.
    pub change: LineFate,
    /// The line, without its end.
    pub text: String,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LineFate {
    /// It stands in both texts.
    Kept,
    /// Only the earlier text has it.
    Removed,
    /// Only the later text has it.
    Added,
}

/// How `after` differs from `before`, line by line.
///
/// **Cost**: what both texts begin and end with alike costs nothing; for the rest O(n·m) lines, and
/// if that is more than four million, the rest counts as replaced.
///
/// # Example
///
/// ```
/// use annals_inspect::{LineFate, diff_lines};
///
/// let changes = diff_lines("one\ntwo\nthree", "one\n2\nthree");
/// let fates: Vec<_> = changes.iter().map(|line| line.change).collect();
/// assert_eq!(fates, [LineFate::Kept, LineFate::Removed, LineFate::Added, LineFate::Kept]);
/// ```
pub fn diff_lines(before: &str, after: &str) -> Vec<LineChange> {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    let room = old.len().min(new.len()) - head;
    let ends = old.iter().rev().zip(new.iter().rev());
    let tail = ends.take(room).take_while(same).count();
    let part = |lines: &[&'_ str], from: usize| -> Vec<String> {
        let end = lines.len() - tail;
        let middle = lines.get(from..end).unwrap_or_default();
        middle.iter().map(|line| (*line).to_owned()).collect()
    };
    let line = |change, text: &str| LineChange {
        change,
        text: text.to_owned(),
    };
    let mut changes: Vec<LineChange> = old
        .iter()
        .take(head)
        .map(|text| line(LineFate::Kept, text))
        .collect();
    middle(&part(&old, head), &part(&new, head), &mut changes);
    changes.extend(
        old.iter()
            .skip(old.len() - tail)
            .map(|text| line(LineFate::Kept, text)),
    );
    changes
}

fn middle(old: &[String], new: &[String], changes: &mut Vec<LineChange>) {
    let kept = common(old, new);
    let (mut from, mut to) = (0, 0);
    let mut push = |change, text: &String| {
        changes.push(LineChange {
            change,
            text: text.clone(),
        });
    };
    for (at_old, at_new) in kept.into_iter().chain([(old.len(), new.len())]) {
        for text in old.iter().take(at_old).skip(from) {
            push(LineFate::Removed, text);
        }
        for text in new.iter().take(at_new).skip(to) {
            push(LineFate::Added, text);
        }
        if let Some(text) = old.get(at_old) {
            push(LineFate::Kept, text);
        }
        (from, to) = (at_old + 1, at_new + 1);
    }
}

/// The places of a longest common subsequence.
fn common(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let cells = (old.len() + 1).saturating_mul(width);
    if cells > MAX_CELLS {
        return Vec::new();
    }
    let mut table = vec![0_u32; cells];
    let cell = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    for (i, left) in old.iter().enumerate().rev() {
        for (j, right) in new.iter().enumerate().rev() {
            let best = if left == right {
                cell(&table, i + 1, j + 1) + 1
            } else {
                cell(&table, i + 1, j).max(cell(&table, i, j + 1))
            };
            if let Some(place) = table.get_mut(i * width + j) {
                *place = best;
            }
        }
    }
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old.get(i) == new.get(j) {
            found.push((i, j));
            i += 1;
            j += 1;
        } else if cell(&table, i + 1, j) >= cell(&table, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// How many lines were added and removed.
pub(crate) fn count_changes(changes: &[LineChange]) -> (usize, usize) {
    let count = |fate| changes.iter().filter(|line| line.change == fate).count();
    (count(LineFate::Added), count(LineFate::Removed))
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
