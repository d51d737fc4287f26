//! What people read: tables that fit, numbers with units, times beside how long ago they are.

use std::io::{self, IsTerminal as _, Write};

use annals_inspect::LineWindow;
use annals_rollout::Timestamp;

/// How numbers, times and lines are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// How many columns a line may have; nothing where it goes to a file or a pipe.
    width: Option<usize>,
    exact_bytes: bool,
    now: Timestamp,
}

/// Names of colors, as terminals know them; what prints them takes them out where they do not belong.
pub(crate) mod color {
    /// Ends every color.
    pub(crate) const OFF: &str = "\u{1b}[0m";
    /// For headings.
    pub(crate) const BOLD: &str = "\u{1b}[1m";
    /// For what is only there for completeness.
    pub(crate) const DIM: &str = "\u{1b}[2m";
    /// For what is bad.
    pub(crate) const RED: &str = "\u{1b}[31m";
    /// For what is good, or was added.
    pub(crate) const GREEN: &str = "\u{1b}[32m";
    /// For what deserves a look.
    pub(crate) const YELLOW: &str = "\u{1b}[33m";
    /// For names.
    pub(crate) const CYAN: &str = "\u{1b}[36m";
}

/// Puts a color around a text.
pub(crate) fn paint(text: &str, color: &str) -> String {
    format!("{color}{text}{}", color::OFF)
}

impl Style {
    /// The style that standard output calls for.
    pub(crate) fn new(exact_bytes: bool) -> Self {
        let columns = std::env::var("COLUMNS").ok();
        let told = columns.and_then(|columns| columns.parse().ok());
        let width = told.or_else(|| {
            io::stdout()
                .is_terminal()
                .then(terminal_size::terminal_size)
                .flatten()
                .map(|(width, _)| usize::from(width.0))
        });
        // Whoever wants the same output every time fixes the time, as for builds.
        let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
        let fixed = fixed.and_then(|seconds| seconds.parse::<u64>().ok());
        Self {
            width: width.map(|width: usize| width.max(40)),
            exact_bytes,
            now: fixed.map_or_else(Timestamp::now, |seconds| {
                Timestamp::from_unix_ms(seconds.saturating_mul(1000))
            }),
        }
    }

    /// Now.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// Whether a line has too little room for all that could stand in it.
    pub(crate) fn is_narrow(&self) -> bool {
        self.width.is_some_and(|width| width < 130)
    }

    /// A size.
    pub(crate) fn size(&self, bytes: u64) -> String {
        if self.exact_bytes {
            grouped(bytes)
        } else {
            units(bytes)
        }
    }

    /// A time as it stands in a file, and how long ago it is.
    pub(crate) fn time(&self, text: &str) -> String {
        match Timestamp::parse(text) {
            Some(time) => format!("{} ({})", short(time), self.ago(time)),
            None => text.to_owned(),
        }
    }

    /// How long ago a time is.
    pub(crate) fn ago(&self, time: Timestamp) -> String {
        match self.now.unix_ms().checked_sub(time.unix_ms()) {
            Some(ms) => format!("{} ago", span(ms / 1000)),
            None => "in the future".to_owned(),
        }
    }

    /// A piece of a damaged line, and beneath it a caret at the place that is meant.
    pub(crate) fn window(&self, window: &LineWindow) -> String {
        const INDENT: &str = "  ";
        let all: Vec<char> = window.text.chars().collect();
        // Two for the indent, two for the marks of what was cut.
        let room = self
            .width
            .map_or(all.len(), |width| width.saturating_sub(4));
        let room = room.min(all.len());
        // The caret may stand behind the last character.
        let start = window.caret.saturating_sub(room / 2);
        let start = start.min(all.len() - room);
        let piece: String = all.iter().skip(start).take(room).collect();
        let is_cut_before = start > 0 || window.is_cut_before;
        let is_cut_behind = start + room < all.len() || window.is_cut_behind;
        let mark = |is_cut| if is_cut { "…" } else { "" };
        let before = " ".repeat(window.caret.saturating_sub(start) + usize::from(is_cut_before));
        format!(
            "{INDENT}{}{piece}{}\n{INDENT}{before}^",
            mark(is_cut_before),
            mark(is_cut_behind)
        )
    }

    /// A text cut to what a line has room for beside `used` columns.
    pub(crate) fn fit(&self, text: &str, used: usize) -> String {
        match self.width {
            Some(width) => cut(text, width.saturating_sub(used).max(12)),
            None => text.to_owned(),
        }
    }
}

/// A time to the second, in UTC.
pub(crate) fn short(time: Timestamp) -> String {
    let text = time.to_string();
    let (whole, _) = text.split_once('.').unwrap_or((&text, ""));
    format!("{}Z", whole.replace('T', " "))
}

/// A span of time in its two largest units at most.
pub(crate) fn span(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if seconds < 60 => format!("{seconds} s"),
        () if minutes < 60 => format!("{minutes} min"),
        () if hours < 48 => format!("{hours} h"),
        () if days < 60 => format!("{days} days"),
        () if days < 730 => format!("{} months", days / 30),
        () => format!("{} years", days / 365),
    }
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in the largest unit that fits, to three digits.
pub(crate) fn units(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut scaled = bytes;
    let mut unit = "B";
    for name in UNITS {
        if scaled < 1000 {
            break;
        }
        unit = name;
        if scaled < 1_000_000 {
            let tenths = scaled / 100;
            let (whole, tenth) = (tenths / 10, tenths % 10);
            return if whole < 100 {
                format!("{whole}.{tenth} {unit}")
            } else {
                format!("{whole} {unit}")
            };
        }
        scaled /= 1000;
    }
    format!("{scaled} {unit}")
}

/// A share from 0 to 1 in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// One and many of something.
pub(crate) fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// The first `columns` characters of a text, on one line, without anything that moves a cursor.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let clean = one_line(text);
    if clean.chars().count() <= columns {
        return clean;
    }
    let mut short: String = clean.chars().take(columns.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// A text on one line, without anything that moves a cursor.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\r' | '\t' => ' ',
            character if character.is_control() => '\u{fffd}',
            character => character,
        })
        .collect()
}

/// A text of several lines, without anything that moves a cursor.
pub(crate) fn harmless(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\t' => character,
            character if character.is_control() => '\u{fffd}',
            character => character,
        })
        .collect()
}

/// Which way a column leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// The least that a column of texts is cut to.
const MIN_COLUMNS: usize = 10;

/// Rows under headings; the last column takes what room is left.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<(&'static str, Lean)>,
    rows: Vec<Vec<(String, &'static str)>>,
}

impl Table {
    /// A table without rows; a heading that starts with `#` is one of numbers.
    pub(crate) fn new(head: &[&'static str]) -> Self {
        let head = head
            .iter()
            .map(|name| match name.strip_prefix('#') {
                Some(name) => (name, Lean::Right),
                None => (*name, Lean::Left),
            })
            .collect();
        Self {
            head,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row<I>(&mut self, cells: I)
    where
        I: IntoIterator<Item = String>,
    {
        self.rows
            .push(cells.into_iter().map(|cell| (cell, "")).collect());
    }

    /// Gives the last row's cell in that column a color.
    pub(crate) fn color(&mut self, column: usize, color: &'static str) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.get_mut(column)) {
            cell.1 = color;
        }
    }

    /// Takes from the widest columns of texts until the last one has some room, and says where that
    /// one starts. Numbers are never cut.
    fn squeeze(&self, widths: &mut [usize], style: &Style) -> usize {
        let start = |widths: &[usize]| widths.iter().rev().skip(1).map(|width| width + 2).sum();
        let mut before: usize = start(widths);
        let room = style.width.unwrap_or(usize::MAX);
        let last = self.head.len().saturating_sub(1);
        while before.saturating_add(MIN_COLUMNS) > room {
            let texts = self.head.iter().zip(widths.iter_mut()).take(last);
            let widest = texts
                .filter(|((name, lean), width)| {
                    *lean == Lean::Left && **width > name.len().max(MIN_COLUMNS)
                })
                .map(|(_, width)| width)
                .max();
            let Some(widest) = widest else {
                break;
            };
            *widest -= 1;
            before = start(widths);
        }
        before
    }

    /// Writes the table.
    pub(crate) fn write<W: Write>(&self, out: &mut W, style: &Style) -> io::Result<()> {
        let mut widths: Vec<usize> = self.head.iter().map(|(name, _)| name.len()).collect();
        for row in &self.rows {
            for (width, (cell, _)) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let before = self.squeeze(&mut widths, style);
        let head: Vec<(String, &'static str)> = self
            .head
            .iter()
            .map(|(name, _)| ((*name).to_owned(), color::DIM))
            .collect();
        for row in std::iter::once(&head).chain(&self.rows) {
            let mut line = String::new();
            for (idx, (cell, color)) in row.iter().enumerate() {
                let is_last = idx + 1 == self.head.len();
                let lean = self.head.get(idx).map_or(Lean::Left, |(_, lean)| *lean);
                let width = widths.get(idx).copied().unwrap_or(0);
                let cell = match (is_last, style.width) {
                    (true, Some(room)) => cut(cell, room.saturating_sub(before).max(MIN_COLUMNS)),
                    (true, None) => one_line(cell),
                    (false, _) => cut(cell, width),
                };
                let room = " ".repeat(width.saturating_sub(cell.chars().count()));
                let cell = if color.is_empty() {
                    cell
                } else {
                    paint(&cell, color)
                };
                match lean {
                    Lean::Right => line += &(room + &cell),
                    Lean::Left if is_last => line += &cell,
                    Lean::Left => line += &(cell + &room),
                }
                if !is_last {
                    line += "  ";
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
