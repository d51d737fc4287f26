//! Replaying full states and patches.

use super::{BaselineChain, ChainStep};
use crate::error::SnapshotFault;

fn baseline(chain: &BaselineChain) -> Option<String> {
    chain.baseline().map(super::WorldStateSnapshot::to_json)
}

#[test]
fn a_full_state_replaces_and_patches_add_up() {
    let mut chain = BaselineChain::new();
    assert_eq!(chain.full(r#"{"a":1,"b":{"x":1}}"#), ChainStep::Replaced);
    assert_eq!(
        chain.patch(r#"{"b":{"y":2}}"#),
        ChainStep::Patched { fits: true }
    );
    assert_eq!(
        baseline(&chain).as_deref(),
        Some(r#"{"a":1,"b":{"x":1,"y":2}}"#)
    );
    assert_eq!(chain.full(r#"{"c":3}"#), ChainStep::Replaced);
    assert_eq!(baseline(&chain).as_deref(), Some(r#"{"c":3}"#));
}

#[test]
fn a_patch_without_a_base_says_nothing() {
    let mut chain = BaselineChain::new();
    assert_eq!(chain.patch(r#"{"a":1}"#), ChainStep::PatchWithoutBase);
    assert_eq!(baseline(&chain), None);
    chain.full(r#"{"a":1}"#);
    chain.compacted();
    assert_eq!(chain.patch(r#"{"a":2}"#), ChainStep::PatchWithoutBase);
    assert_eq!(baseline(&chain), None);
}

#[test]
fn a_missing_link_breaks_the_chain_until_the_next_full_state() {
    let mut chain = BaselineChain::new();
    chain.full(r#"{"a":1}"#);
    chain.lost();
    assert_eq!(chain.patch(r#"{"b":2}"#), ChainStep::PatchWithoutBase);
    assert_eq!(baseline(&chain), None);
    chain.full(r#"{"a":3}"#);
    assert_eq!(baseline(&chain).as_deref(), Some(r#"{"a":3}"#));
}

#[test]
fn an_unreadable_record_leaves_no_baseline() {
    for patch in ["[1]", "{", "null"] {
        let mut chain = BaselineChain::new();
        chain.full(r#"{"a":1}"#);
        assert!(
            matches!(chain.patch(patch), ChainStep::Unreadable(_)),
            "{patch}"
        );
        assert_eq!(baseline(&chain), None, "{patch}");
    }
    let mut chain = BaselineChain::new();
    chain.full(r#"{"a":1}"#);
    assert_eq!(
        chain.full("7"),
        ChainStep::Unreadable(SnapshotFault::NotAnObject { found: "a number" })
    );
    assert_eq!(baseline(&chain), None);
}

#[test]
fn a_patch_that_does_not_fit_is_applied_and_reported() {
    let mut chain = BaselineChain::new();
    chain.full(r#"{"a":{"x":1}}"#);
    assert_eq!(
        chain.patch(r#"{"a":{"x":1}}"#),
        ChainStep::Patched { fits: false }
    );
    assert_eq!(
        chain.patch(r#"{"b":null,"c":1}"#),
        ChainStep::Patched { fits: false }
    );
    assert_eq!(baseline(&chain).as_deref(), Some(r#"{"a":{"x":1},"c":1}"#));
}

#[test]
fn unknown_sections_are_carried_over() {
    let mut chain = BaselineChain::new();
    chain.full(r#"{"of_the_future":{"deep":[null,{"n":null}]},"a":1}"#);
    chain.patch(r#"{"a":2}"#);
    assert_eq!(
        baseline(&chain).as_deref(),
        Some(r#"{"a":2,"of_the_future":{"deep":[null,{"n":null}]}}"#)
    );
}
