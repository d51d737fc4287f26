//! The thread: turns, steps, compaction, rollback, fork and exact resume.
