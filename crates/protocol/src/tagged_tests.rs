//! Tests of `tagged`.
