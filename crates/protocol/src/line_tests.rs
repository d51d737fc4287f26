//! Tests of `line`.
