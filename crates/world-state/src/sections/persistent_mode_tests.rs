//! What is told of persistent mode.

use super::PersistentModeSection;
use crate::TextPart;
use crate::testing::{change, first, removal, stored, unknown};

fn mode(text: &str) -> PersistentModeSection {
    PersistentModeSection::new(text).unwrap()
}

#[test]
fn the_mode_is_told_changed_and_turned_off() {
    insta::assert_snapshot!("first", first(mode("Work on.")));
    insta::assert_snapshot!(
        "changed",
        change(mode("Work on."), mode("Work on, slowly."))
    );
    insta::assert_snapshot!(
        "turned_off",
        change(mode("Work on."), PersistentModeSection::off())
    );
    insta::assert_snapshot!(
        "turned_on",
        change(PersistentModeSection::off(), mode("Work on."))
    );
}

#[test]
fn off_is_stored_as_an_object() {
    assert_eq!(
        first(PersistentModeSection::off()),
        "nothing told\nfull {\"persistent_mode\":{}}"
    );
}

#[test]
fn what_is_not_known_is_replaced_or_taken_back() {
    let told = TextPart::new("developer", "<persistent_mode>\nolder\n</persistent_mode>");
    insta::assert_snapshot!("unknown_on", unknown(mode("Work on."), told));
    insta::assert_snapshot!("unknown_off", unknown(PersistentModeSection::off(), told));
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"persistent_mode":1}"#, mode("Work on."))
    );
}

#[test]
fn a_section_that_is_gone_takes_its_mode_back() {
    insta::assert_snapshot!("removed", removal(mode("Work on.")));
}
