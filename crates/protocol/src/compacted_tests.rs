//! Tests of `compacted`.
