//! What is told of permissions.

use super::{ApprovedCommandPrefixesSection, PermissionsSection};
use crate::testing::{change, first, removal, stored, unknown, view, world};
use crate::{Fingerprint, HistoryView, TextPart};
use annals_context_fragments::ContextualUserFragment;
use annals_context_fragments::catalog::{
    ApprovalPolicy, ApprovalReviewer, PermissionsInstructions, SandboxMode,
};

fn words(prefix: &str) -> Vec<String> {
    prefix.split(' ').map(str::to_owned).collect()
}

fn rules(approval: ApprovalPolicy, prefixes: &[&str]) -> PermissionsInstructions {
    let mut rules = PermissionsInstructions::new(SandboxMode::WorkspaceWrite, approval);
    rules.approved_prefixes = prefixes.iter().map(|prefix| words(prefix)).collect();
    rules
}

fn on_request(prefixes: &[&str]) -> PermissionsSection {
    PermissionsSection::new(rules(ApprovalPolicy::OnRequest, prefixes))
}

#[test]
fn rules_are_told_in_full() {
    insta::assert_snapshot!("first", first(on_request(&["git pull", "cargo test"])));
}

#[test]
fn another_policy_is_told_in_full() {
    let never = PermissionsSection::new(rules(ApprovalPolicy::Never, &["git pull"]));
    insta::assert_snapshot!("policy", change(on_request(&["git pull"]), never));
}

#[test]
fn prefix_growth_tells_only_the_new_prefixes() {
    insta::assert_snapshot!(
        "growth",
        change(
            on_request(&["git pull"]),
            on_request(&["git pull", "cargo test", "ls"])
        )
    );
}

#[test]
fn a_prefix_that_is_gone_is_told_in_full() {
    insta::assert_snapshot!(
        "shrinking",
        change(on_request(&["git pull", "ls"]), on_request(&["git pull"]))
    );
    let swapped = change(on_request(&["git pull"]), on_request(&["ls"]));
    assert!(swapped.contains("<permissions instructions>"), "{swapped}");
}

#[test]
fn growth_together_with_another_change_is_told_in_full() {
    let mut wider = rules(ApprovalPolicy::OnRequest, &["git pull", "ls"]);
    wider.network_access = true;
    let told = change(on_request(&["git pull"]), PermissionsSection::new(wider));
    assert!(told.contains("<permissions instructions>"), "{told}");
    assert!(!told.contains("Approved command prefix saved"), "{told}");
}

#[test]
fn the_order_of_prefixes_and_repeated_ones_are_no_change() {
    assert_eq!(
        change(on_request(&["a", "b"]), on_request(&["b", "a", "b"])),
        "nothing told\nnothing stored"
    );
}

#[test]
fn growth_beyond_the_limit_is_told_in_words() {
    let many: Vec<String> = (0..300).map(|n| format!("tool-{n:03} run")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let told = world(on_request(&many)).render_diff(
        Some(world(on_request(&[])).render_full().snapshot()),
        HistoryView::Intact,
    );
    let [update] = told.updates() else {
        panic!("{} updates", told.n_updates())
    };
    let fragment = update.fragment().unwrap();
    assert_eq!(
        fragment
            .text()
            .lines()
            .filter(|line| line.starts_with("- ["))
            .count(),
        100
    );
    assert!(
        fragment.text().ends_with("[Some commands were truncated]"),
        "{}",
        fragment.text()
    );
    assert!(fragment.cut().is_some());
}

// The reference tells such prefixes, though the rules do not speak of prefixes at all.
#[test]
fn prefixes_that_the_rules_do_not_show_are_stored_in_silence() {
    let never = |prefixes: &[&str]| PermissionsSection::new(rules(ApprovalPolicy::Never, prefixes));
    let told = change(never(&[]), never(&["git pull"]));
    assert!(told.starts_with("nothing told\npatch"), "{told}");
    let told = change(never(&["git pull"]), never(&[]));
    assert!(told.starts_with("nothing told\npatch"), "{told}");
}

#[test]
fn another_reviewer_is_told_where_the_rules_speak_of_one() {
    let reviewed = |approval| {
        let mut rules = rules(approval, &[]);
        rules.reviewer = ApprovalReviewer::AutoReview;
        PermissionsSection::new(rules)
    };
    let by_user = |approval| PermissionsSection::new(rules(approval, &[]));
    insta::assert_snapshot!(
        "reviewer",
        change(
            by_user(ApprovalPolicy::OnRequest),
            reviewed(ApprovalPolicy::OnRequest)
        )
    );
    assert_eq!(
        change(
            by_user(ApprovalPolicy::Never),
            reviewed(ApprovalPolicy::Never)
        ),
        "nothing told\nnothing stored"
    );
}

#[test]
fn other_words_of_the_host_are_told() {
    let worded = |text: &str| {
        let mut rules = rules(ApprovalPolicy::OnRequest, &[]);
        rules.approval_wording = Some(text.to_owned());
        PermissionsSection::new(rules)
    };
    insta::assert_snapshot!("wording", change(worded("Ask."), worded("Ask twice.")));
}

#[test]
fn a_digest_of_everything_is_upgraded_in_silence_or_told_in_full() {
    let text = rules(ApprovalPolicy::OnRequest, &["git pull"]).render();
    let digest = Fingerprint::of_fragment("developer", &text);
    let told = stored(
        &format!("{{\"permissions\":\"{digest}\"}}"),
        on_request(&["git pull"]),
    );
    assert!(
        told.starts_with("nothing told\npatch {\"permissions\":{"),
        "{told}"
    );
    let told = stored(
        &format!("{{\"permissions\":\"{digest}\"}}"),
        on_request(&["git push"]),
    );
    assert!(told.contains("<permissions instructions>"), "{told}");
}

// The reference tells them a second time where no state was stored.
#[test]
fn rules_that_stand_in_the_history_are_not_told_again() {
    let text = rules(ApprovalPolicy::OnRequest, &["git pull"]).render();
    let same = unknown(on_request(&["git pull"]), TextPart::new("developer", &text));
    assert!(same.starts_with("nothing told\nfull"), "{same}");
    let other = unknown(on_request(&["git push"]), TextPart::new("developer", &text));
    assert!(other.contains("<permissions instructions>"), "{other}");
}

#[test]
fn rules_behind_which_prefixes_were_told_alone_are_told_again() {
    let text = rules(ApprovalPolicy::OnRequest, &[]).render();
    let added = "Approved command prefix saved:\n- [\"ls\"]";
    let history = [("developer", text.as_str()), ("developer", added)];
    let told = world(on_request(&[])).render_diff(None, HistoryView::Texts(&history));
    assert_eq!(told.n_updates(), 1);
}

#[test]
fn rules_that_left_the_history_are_told_again() {
    let known = world(on_request(&["git pull"])).render_full();
    let again = world(on_request(&["git pull"])).render_diff(
        Some(known.snapshot()),
        HistoryView::Texts(&[("user", "hello")]),
    );
    assert_eq!(again.updates(), known.updates());
    assert_eq!(again.n_updates(), 1);
}

#[test]
fn a_state_that_does_not_decode_is_told_in_full() {
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"permissions":[]}"#, on_request(&[]))
    );
}

#[test]
fn a_section_that_is_gone_says_nothing() {
    assert_eq!(
        removal(on_request(&[])),
        "nothing told\npatch {\"permissions\":null}"
    );
}

fn prefixes(list: &[&str]) -> ApprovedCommandPrefixesSection {
    ApprovedCommandPrefixesSection::new(list.iter().map(|prefix| words(prefix)))
}

#[test]
fn prefixes_alone_are_told_as_they_are_added() {
    assert_eq!(
        first(prefixes(&["git pull"])),
        "nothing told\nfull {\"approved_command_prefixes\":[[\"git\",\"pull\"]]}"
    );
    insta::assert_snapshot!("alone", change(prefixes(&["a"]), prefixes(&["b", "a"])));
    assert_eq!(
        change(prefixes(&["a", "b"]), prefixes(&["a"])),
        "nothing told\npatch {\"approved_command_prefixes\":[[\"a\"]]}"
    );
    let told = TextPart::new("developer", "Approved command prefix saved:\n- [\"a\"]");
    assert!(unknown(prefixes(&["a"]), told).starts_with("nothing told\nfull"));
    assert!(
        view(&world(prefixes(&["a"])).render_diff(None, HistoryView::Intact))
            .starts_with("nothing told\nfull")
    );
}
