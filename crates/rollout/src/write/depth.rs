//! Writes compact JSON and knows how deep it nests, without a second look at the text.

use std::io;

use serde_json::ser::Formatter;

/// What `serde_json` writes without a formatter, watched.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    depth: usize,
    deepest: usize,
    has_raw: bool,
}

impl Watched {
    /// Whether no value in what was written lies under more than `limit` others: no means doubt.
    pub(crate) fn is_surely_within(&self, limit: usize) -> bool {
        self.deepest <= limit && !self.has_raw
    }

    fn enter(&mut self) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }
}

impl Formatter for &mut Watched {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.enter();
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        writer.write_all(b"]")
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.enter();
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        writer.write_all(b"}")
    }

    /// A value that comes as text is not gone through by the serializer.
    fn write_raw_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        self.has_raw = true;
        writer.write_all(fragment.as_bytes())
    }
}
