//! Tests of `raw`.
