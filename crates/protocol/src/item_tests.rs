//! Tests of `item`.
