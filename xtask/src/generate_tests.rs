//! The generated documents are fresh, and a region is replaced without touching the rest.

use std::error::Error;

use super::{documents, stale, with_region};
use crate::finding::none;

#[test]
fn every_generated_document_is_as_the_code_makes_it() -> Result<(), Box<dyn Error>> {
    none(&stale(&documents())?)
}

#[test]
fn only_the_named_region_changes() {
    let text = "a\n<!-- gen:x -->\nold\n<!-- /gen:x -->\nb\n<!-- gen:y -->\n<!-- /gen:y -->\n";
    assert_eq!(
        with_region(text, "x", "new\nlines\n\n").as_deref(),
        Some(
            "a\n<!-- gen:x -->\nnew\nlines\n<!-- /gen:x -->\nb\n<!-- gen:y -->\n<!-- /gen:y -->\n"
        )
    );
}

#[test]
fn a_region_that_is_missing_or_open_is_not_written() {
    for text in [
        "a\n",
        "<!-- gen:x -->\nold\n",
        "<!-- /gen:x -->\n<!-- gen:x -->\n",
    ] {
        assert_eq!(with_region(text, "x", "new"), None, "{text:?}");
    }
}
