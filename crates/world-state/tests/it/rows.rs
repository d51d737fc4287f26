//! What the reference was seen to do from turn to turn, one test a case, and where annals differs on
//! purpose.

use crate::host::{Settings, Thread, shapes};
use annals_context_fragments::catalog::{ApprovalPolicy, ApprovalReviewer};
use annals_world_state::sections::{EnvironmentsSection, ModelSection, PermissionsSection};
use annals_world_state::{BaselineChain, ChainStep, HistoryView, WorldState};

fn permission_texts(thread: &Thread) -> Vec<&str> {
    thread
        .parts
        .iter()
        .filter(|(_, _, kind)| kind.as_deref() == Some("permissions.instructions"))
        .map(|(_, text, _)| text.as_str())
        .collect()
}

fn with_policy(approval: ApprovalPolicy) -> Settings {
    let mut settings = Settings::plain();
    settings.permissions.approval = approval;
    settings
}

fn resumed(thread: &Thread) -> Thread {
    let baseline = thread.baseline.as_ref().unwrap();
    let mut chain = BaselineChain::new();
    assert_eq!(chain.full(&baseline.to_json()), ChainStep::Replaced);
    Thread {
        baseline: chain.into_baseline(),
        ..thread.clone()
    }
}

#[test]
fn the_first_turn_tells_exactly_one_permissions_text() {
    let mut thread = Thread::default();
    assert!(
        !thread
            .tell(&with_policy(ApprovalPolicy::OnRequest).small_world())
            .is_silent()
    );
    assert_eq!(permission_texts(&thread).len(), 1);
}

#[test]
fn a_second_turn_with_the_same_policy_tells_none() {
    let mut thread = Thread::default();
    for _ in 0..2 {
        thread.turn(&with_policy(ApprovalPolicy::OnRequest));
    }
    assert_eq!(permission_texts(&thread).len(), 1);
}

#[test]
fn a_policy_overridden_to_never_tells_a_second_and_different_text() {
    let mut thread = Thread::default();
    thread.turn(&with_policy(ApprovalPolicy::OnRequest));
    thread.turn(&with_policy(ApprovalPolicy::Never));
    let texts = permission_texts(&thread);
    assert_eq!(texts.len(), 2);
    assert_ne!(texts[0], texts[1]);
}

#[test]
fn permissions_that_are_not_built_tell_nothing_in_either_turn() {
    let world = || {
        let mut world = WorldState::new();
        world.insert(Settings::plain().environments).unwrap();
        world
    };
    let mut thread = Thread::default();
    for _ in 0..2 {
        assert!(thread.tell(&world()).items().len() <= 1);
    }
    assert_eq!(permission_texts(&thread).len(), 0);
}

// An earlier reference told a third text here, for its resume went back to the configured policy.
#[test]
fn a_resume_with_the_settings_of_the_last_turn_tells_no_third_text() {
    let mut thread = Thread::default();
    thread.turn(&with_policy(ApprovalPolicy::OnRequest));
    thread.turn(&with_policy(ApprovalPolicy::Never));
    let mut thread = resumed(&thread);
    thread.turn(&with_policy(ApprovalPolicy::Never));
    assert_eq!(permission_texts(&thread).len(), 2);
}

#[test]
fn a_resume_with_another_policy_keeps_the_texts_and_adds_exactly_one() {
    let mut thread = Thread::default();
    thread.turn(&with_policy(ApprovalPolicy::OnRequest));
    thread.turn(&with_policy(ApprovalPolicy::Never));
    let before: Vec<String> = permission_texts(&thread)
        .into_iter()
        .map(str::to_owned)
        .collect();
    let mut thread = resumed(&thread);
    thread.turn(&with_policy(ApprovalPolicy::UnlessTrusted));
    let after = permission_texts(&thread);
    assert_eq!(after.len(), 3);
    assert_eq!(after[..2], before);
    assert!(!before.iter().any(|text| text == after[2]));
}

#[test]
fn a_fork_with_another_policy_adds_exactly_one_text_to_those_it_inherits() {
    let mut parent = Thread::default();
    parent.turn(&with_policy(ApprovalPolicy::OnRequest));
    let mut fork = parent.clone();
    fork.turn(&with_policy(ApprovalPolicy::UnlessTrusted));
    assert_eq!(permission_texts(&fork).len(), 2);
    assert_eq!(fork.parts[..parent.parts.len()], parent.parts);
    assert_eq!(
        fork.messages[parent.messages.len()..][0],
        "developer[permissions.instructions]"
    );
}

#[test]
fn another_model_alone_says_nothing_of_permissions() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let mut other = Settings::plain();
    other.model = "model-b".to_owned();
    other.model_of_turn_before = Some("model-a".to_owned());
    let told = thread.tell(&other.small_world());
    assert_eq!(shapes(&told), ["developer[model_switch.instructions]"]);
}

#[test]
fn another_reviewer_is_told_under_on_request_and_not_under_never() {
    for (approval, n_told) in [(ApprovalPolicy::OnRequest, 1), (ApprovalPolicy::Never, 0)] {
        let mut thread = Thread::default();
        let mut settings = with_policy(approval);
        thread.turn(&settings);
        settings.permissions.reviewer = ApprovalReviewer::AutoReview;
        assert_eq!(thread.tell(&settings.small_world()).n_updates(), n_told);
    }
}

#[test]
fn identical_settings_add_the_users_text_alone() {
    let mut thread = Thread::default();
    thread.turn(&Settings::rich());
    let n_messages = thread.messages.len();
    thread.turn(&Settings::rich());
    assert_eq!(thread.messages[n_messages..], ["user text go on"]);
}

#[test]
fn a_new_directory_and_policy_add_one_message_each_before_the_users_text() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let n_messages = thread.messages.len();
    let mut settings = with_policy(ApprovalPolicy::Never);
    settings.set_cwd("/elsewhere");
    thread.turn(&settings);
    assert_eq!(
        thread.messages[n_messages..],
        [
            "developer[permissions.instructions]",
            "user[environments.environment_context]",
            "user text go on"
        ]
    );
}

#[test]
fn a_directory_with_other_instructions_tells_both_in_one_message() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let mut settings = Settings::plain();
    settings.set_cwd("/elsewhere");
    settings.agents_md = "Use blanks.".to_owned();
    let told = thread.tell(&settings.small_world());
    assert_eq!(
        shapes(&told),
        ["user[agents_md.instructions, environments.environment_context]"]
    );
    let text = told.updates()[0].fragment().unwrap().text();
    assert!(text.contains("These AGENTS.md instructions replace all previously provided"));
}

#[test]
fn instructions_edited_between_two_steps_are_told_in_the_same_turn() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let mut edited = Settings::plain();
    edited.agents_md = "Use blanks.".to_owned();
    // A second step of the turn: the state is built anew before each request.
    let told = thread.tell(&edited.small_world());
    assert_eq!(shapes(&told), ["user[agents_md.instructions]"]);
}

#[test]
fn a_switch_of_the_model_stands_alone_before_the_other_changes() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let mut settings = with_policy(ApprovalPolicy::Never);
    settings.model = "model-b".to_owned();
    settings.model_of_turn_before = Some("model-a".to_owned());
    let told = thread.tell(&settings.small_world());
    assert_eq!(
        shapes(&told),
        [
            "developer[model_switch.instructions]",
            "developer[permissions.instructions]"
        ]
    );
}

#[test]
fn a_resume_with_another_model_and_directory_tells_the_switch_first() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let mut thread = resumed(&thread);
    let mut settings = with_policy(ApprovalPolicy::Never);
    settings.model = "model-b".to_owned();
    settings.model_of_turn_before = Some("model-a".to_owned());
    settings.set_cwd("/elsewhere");
    let told = thread.tell(&settings.small_world());
    assert_eq!(
        shapes(&told),
        [
            "developer[model_switch.instructions]",
            "developer[permissions.instructions]",
            "user[environments.environment_context]"
        ]
    );
}

#[test]
fn after_a_compaction_the_switch_is_the_first_part_of_the_full_telling() {
    let mut settings = Settings::plain();
    settings.model = "model-b".to_owned();
    settings.model_of_turn_before = Some("model-a".to_owned());
    let told = settings.small_world().render_full();
    assert_eq!(
        shapes(&told),
        [
            "developer[model_switch.instructions, permissions.instructions]",
            "user[agents_md.instructions, environments.environment_context]"
        ]
    );
}

#[test]
fn a_fork_with_another_policy_and_mode_tells_both_in_one_message() {
    let mut parent = Thread::default();
    parent.turn(&Settings::plain());
    let mut settings = with_policy(ApprovalPolicy::Never);
    settings.mode = "Plan first.".to_owned();
    let told = parent.clone().tell(&settings.small_world());
    assert_eq!(
        shapes(&told),
        ["developer[permissions.instructions, collaboration_mode.instructions]"]
    );
}

#[test]
fn a_first_turn_with_a_file_of_instructions_has_two_messages() {
    let told = Settings::plain().small_world().render_full();
    assert_eq!(
        shapes(&told),
        [
            "developer[permissions.instructions]",
            "user[agents_md.instructions, environments.environment_context]"
        ]
    );
}

#[test]
fn a_compaction_in_the_middle_of_a_turn_installs_rules_and_environment() {
    let mut settings = Settings::plain();
    settings.agents_md = String::new();
    let told = settings.small_world().render_full();
    assert_eq!(
        shapes(&told),
        [
            "developer[permissions.instructions]",
            "user[environments.environment_context]"
        ]
    );
    // What is installed and the new baseline are one value.
    assert!(told.record().unwrap().unwrap().full);
    let next = settings
        .small_world()
        .render_diff(Some(told.snapshot()), HistoryView::Intact);
    assert!(next.is_silent());
}

#[test]
fn a_resume_with_the_state_and_its_texts_tells_nothing() {
    let mut thread = Thread::default();
    assert!(!thread.tell(&Settings::rich().world()).is_silent());
    let thread = resumed(&thread);
    let texts = thread.texts();
    let told = Settings::rich()
        .world()
        .render_diff(thread.baseline.as_ref(), HistoryView::Texts(&texts));
    assert!(told.is_silent());
    assert_eq!(told.record().unwrap(), None);
}

#[test]
fn a_rollback_tells_the_changes_of_the_dropped_turn_again() {
    let mut thread = Thread::default();
    thread.turn(&Settings::plain());
    let cut = thread.clone();
    let mut settings = with_policy(ApprovalPolicy::Never);
    settings.mode = "Plan first.".to_owned();
    settings.set_cwd("/elsewhere");
    let dropped = thread.tell(&settings.small_world());
    // Texts and baseline are those at the cut; the settings still hold.
    let again = cut.clone().tell(&settings.small_world());
    assert_eq!(again.updates(), dropped.updates());
    assert_eq!(again.n_updates(), 3);
}

#[test]
fn a_rollback_that_took_the_first_context_makes_the_next_telling_full() {
    let mut thread = Thread::default();
    let first = thread.tell(&Settings::rich().world());
    let again = Thread::default().tell(&Settings::rich().world());
    assert_eq!(again.updates(), first.updates());
    assert!(again.record().unwrap().unwrap().full);
}

#[test]
fn a_first_turn_without_an_environment_tells_date_and_zone_alone() {
    let mut settings = Settings::plain();
    settings.environments = EnvironmentsSection {
        environments: std::collections::BTreeMap::new(),
        ..settings.environments
    };
    let mut world = WorldState::new();
    world.insert(settings.environments).unwrap();
    let told = world.render_full();
    assert_eq!(
        told.updates()[0].fragment().unwrap().text(),
        "<environment_context>\n  <current_date>2026-12-01</current_date>\n  <timezone>Etc/UTC</timezone>\n</environment_context>"
    );
}

#[test]
fn a_state_of_another_program_is_carried_through_all_of_this() {
    let mut chain = BaselineChain::new();
    let mut world = WorldState::new();
    world
        .insert(PermissionsSection::new(Settings::plain().permissions))
        .unwrap();
    world.insert(ModelSection::new("model-a")).unwrap();
    assert_eq!(
        chain.full(r#"{"git_attribution":false,"personality":{"personality":"pragmatic"}}"#),
        ChainStep::Replaced
    );
    let told = world.render_diff(chain.baseline(), HistoryView::Intact);
    let record = told.record().unwrap().unwrap();
    assert!(!record.full);
    assert!(matches!(
        chain.record(&record),
        ChainStep::Patched { fits: true }
    ));
    assert_eq!(chain.baseline(), Some(told.snapshot()));
    for id in ["git_attribution", "personality", "permissions", "model"] {
        assert!(told.snapshot().get(id).is_some(), "{id}");
    }
}
