//! What is told of deferred tools.

use super::DeferredToolsSection;
use crate::testing::{change, first, removal, stored};

fn tools(list: &[(&str, &str)]) -> DeferredToolsSection {
    DeferredToolsSection::new(list.iter().copied())
}

#[test]
fn all_namespaces_are_told_at_first() {
    insta::assert_snapshot!(
        "first",
        first(tools(&[("git", "Repositories."), ("db", "Tables.")]))
    );
}

#[test]
fn added_changed_and_removed_namespaces_are_told() {
    insta::assert_snapshot!(
        "added",
        change(tools(&[("a", "A.")]), tools(&[("a", "A."), ("b", "B.")]))
    );
    insta::assert_snapshot!(
        "changed",
        change(
            tools(&[("a", "A."), ("b", "B."), ("c", "C.")]),
            tools(&[("a", "Another."), ("c", "C."), ("d", "D.")])
        )
    );
    insta::assert_snapshot!("all_gone", change(tools(&[("a", "A.")]), tools(&[])));
}

#[test]
fn no_namespaces_are_not_stored() {
    assert_eq!(first(tools(&[])), "nothing told\nfull {}");
}

#[test]
fn a_state_that_does_not_decode_is_told_whole() {
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"tools":{"a":{}}}"#, tools(&[("a", "A.")]))
    );
}

#[test]
fn a_section_that_is_gone_removes_its_namespaces() {
    insta::assert_snapshot!("removed", removal(tools(&[("a", "A.")])));
}
