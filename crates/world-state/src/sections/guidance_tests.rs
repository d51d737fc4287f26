//! What is told of guidance that turns on and off.

use super::{AppsInstructionsSection, EnvironmentsInstructionsSection, PluginsInstructionsSection};
use crate::testing::{change, first, removal, stored, unknown, view, world};
use crate::{HistoryView, TextPart};
use annals_context_fragments::{ContextualUserFragment, catalog::AppsWithdrawn};

#[test]
fn guidance_is_told_when_it_turns_on() {
    insta::assert_snapshot!("apps_first", first(AppsInstructionsSection::on()));
    insta::assert_snapshot!("plugins_first", first(PluginsInstructionsSection::on()));
    insta::assert_snapshot!(
        "environments_first",
        first(EnvironmentsInstructionsSection::on())
    );
    insta::assert_snapshot!(
        "apps_turned_on",
        change(
            AppsInstructionsSection::off(),
            AppsInstructionsSection::from(true)
        )
    );
}

// The reference lets guidance that turns off stand.
#[test]
fn guidance_that_turns_off_says_so() {
    insta::assert_snapshot!(
        "apps_off",
        change(
            AppsInstructionsSection::on(),
            AppsInstructionsSection::off()
        )
    );
    insta::assert_snapshot!(
        "plugins_off",
        change(
            PluginsInstructionsSection::on(),
            PluginsInstructionsSection::off()
        )
    );
    insta::assert_snapshot!(
        "environments_off",
        change(
            EnvironmentsInstructionsSection::on(),
            EnvironmentsInstructionsSection::off()
        )
    );
}

#[test]
fn off_is_known_to_be_off() {
    assert_eq!(
        first(AppsInstructionsSection::off()),
        "nothing told\nfull {\"apps_instructions\":false}"
    );
}

#[test]
fn guidance_that_stands_in_the_history_holds_whatever_its_words() {
    let told = TextPart::new(
        "developer",
        "<apps_instructions>other words</apps_instructions>",
    );
    assert_eq!(
        unknown(AppsInstructionsSection::on(), told),
        "nothing told\nfull {\"apps_instructions\":true}"
    );
    insta::assert_snapshot!("unknown_off", unknown(AppsInstructionsSection::off(), told));
    let withdrawn = AppsWithdrawn.render();
    let withdrawn = TextPart::new("developer", &withdrawn);
    assert_eq!(
        unknown(AppsInstructionsSection::off(), withdrawn),
        "nothing told\nfull {\"apps_instructions\":false}"
    );
    let history = [told, withdrawn];
    let on_again =
        world(AppsInstructionsSection::on()).render_diff(None, HistoryView::Texts(&history));
    assert!(
        view(&on_again).contains("<apps_instructions>"),
        "{}",
        view(&on_again)
    );
}

#[test]
fn a_state_that_does_not_decode_is_told() {
    insta::assert_snapshot!(
        "undecodable",
        stored(
            r#"{"apps_instructions":"yes"}"#,
            AppsInstructionsSection::on()
        )
    );
}

#[test]
fn a_section_that_is_gone_takes_its_guidance_back() {
    insta::assert_snapshot!("removed", removal(PluginsInstructionsSection::on()));
    assert_eq!(
        removal(PluginsInstructionsSection::off()),
        "nothing told\npatch {\"plugins_instructions\":null}"
    );
}
