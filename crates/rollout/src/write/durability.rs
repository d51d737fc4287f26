//! How safe a record is when an append returns.

/// What an append promises when it returns.
///
/// | level | survives | costs about |
/// | --- | --- | --- |
/// | `Buffered` | nothing yet; errors come with a later call | a copy |
/// | `Written` | the end of this process, however it ends | one `write(2)` |
/// | `Durable` | the end of the machine's power | one `fdatasync`, shared by callers |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Durability {
    /// In the writer's queue. It is written by the next stronger append or flush, or when the
    /// queue passes [`WriterOptions::buffer_bytes`](crate::WriterOptions::buffer_bytes).
    Buffered,
    /// In the file as every other process sees it (the page cache of the system).
    #[default]
    Written,
    /// On the disk, as far as the disk tells the truth; the directory's entry too.
    Durable,
}
