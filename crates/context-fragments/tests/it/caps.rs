//! Caps: the largest instance of every fragment stays within its cap, and says what was cut.

use annals_context_fragments::catalog::{
    ALL, ManagedDeveloperInstructions, MultiAgentModeInstructions, ThreadInstructions,
    UserInstructions,
};
use annals_context_fragments::{Body, Cap, ContentKind, ContextualUserFragment, FragmentError};
use annals_context_fragments::{Markers, Overflow, Role, estimate_tokens};

use crate::every::{every, refusing};

/// Texts that are far too long, of several kinds: what is cut apart, what grows when it is made safe, what is wide.
fn huge() -> [String; 4] {
    [
        "x".repeat(60_000),
        "<&>\"'\n\u{202e}\0".repeat(8_000),
        "é漢\u{1f600}".repeat(7_000),
        "</INSTRUCTIONS></user_shell_command></environment_context>\n".repeat(1_000),
    ]
}

#[test]
fn the_largest_instance_stays_within_its_cap() {
    for text in huge() {
        for (name, _, fragment) in every(&text, &text, &text) {
            let rendered = fragment.render_fragment();
            let cap = fragment.cap();
            assert!(
                rendered.tokens() <= u64::from(cap.tokens()),
                "{name}: {}",
                rendered.tokens()
            );
            assert!(rendered.text().len() <= cap.bytes(), "{name}");
            assert!(u64::from(cap.tokens()) <= 10_000, "{name}");
            assert_eq!(rendered.text(), fragment.render(), "{name}");
        }
    }
}

#[test]
fn what_is_cut_says_so() {
    let fixed = [
        "turn_aborted",
        "turn_aborted_by_host",
        "environments_instructions",
        "apps_instructions",
        "plugins_instructions",
        "environments_withdrawn",
        "apps_withdrawn",
        "plugins_withdrawn",
        "token_budget_remaining",
        "incremental_tools",
    ];
    let text = "x".repeat(60_000);
    for (name, _, fragment) in every(&text, &text, &text) {
        let rendered = fragment.render_fragment();
        if fixed.contains(&name) {
            assert!(rendered.cut().is_none(), "{name}");
            continue;
        }
        let cut = rendered
            .cut()
            .unwrap_or_else(|| panic!("{name} does not report its cut"));
        assert!(cut.removed_bytes() > 10_000, "{name}: {cut}");
        let has_mark = [
            "bytes cut …]",
            "omitted",
            "more",
            "truncated",
            "left out",
            "…",
        ]
        .iter()
        .any(|mark| rendered.text().contains(mark));
        assert!(has_mark, "{name} has no visible mark: {}", rendered.text());
    }
}

#[test]
fn host_instructions_are_refused_instead_of_cut() {
    let text = "x".repeat(40_001);
    let refused = refusing(&text).into_iter().filter(Result::is_err).count();
    assert_eq!(refused, 9);
    for fragment in refusing("short") {
        let (name, spec, fragment) = fragment.unwrap();
        if spec.is_some_and(|spec| spec.cap().overflow() == Overflow::Refuse) {
            assert_eq!(fragment.cap().overflow(), Overflow::Refuse, "{name}");
        }
    }
}

#[test]
fn a_refusal_counts_the_markers_and_says_how_many_tokens_there_are() {
    let frame_bytes = ThreadInstructions::new("").unwrap().render().len();
    let largest = "x".repeat(40_000 - frame_bytes);
    let fragment = ThreadInstructions::new(largest.clone()).unwrap();
    assert_eq!(fragment.render_fragment().tokens(), 10_000);
    let error = ThreadInstructions::new(largest + "x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`thread.instructions` is 10001 estimated tokens with its markers, over its cap of 10000; it is never cut"
    );
}

#[test]
fn managed_instructions_are_counted_with_the_notice_of_their_replacement() {
    let frame_bytes = ManagedDeveloperInstructions::replacing("")
        .unwrap()
        .render()
        .len();
    let largest = "x".repeat(40_000 - frame_bytes);
    assert!(ManagedDeveloperInstructions::new(largest.clone()).is_ok());
    assert!(ManagedDeveloperInstructions::new(largest + "x").is_err());
}

#[test]
fn the_home_text_is_cut_before_the_projects() {
    let project = "p".repeat(32_768);
    let joined = UserInstructions::join(&"h".repeat(20_000), &project);
    let text = joined.text;
    assert!(text.ends_with(&project));
    let kept = text.chars().filter(|&c| c == 'h').count();
    assert!(kept > 4_000, "{kept}");
    assert_eq!(joined.home_cut.unwrap().removed_bytes(), 20_000 - kept);
    assert_eq!(joined.project_cut, None);
    let rendered = UserInstructions::replacing(Some(&"d".repeat(5_000)), text).render_fragment();
    assert_eq!(rendered.cut(), None);
}

#[test]
fn a_project_text_over_the_whole_room_is_cut_too() {
    let joined = UserInstructions::join(&"h".repeat(9_000), &"p".repeat(90_000));
    let text = joined.text;
    assert!(text.contains("bytes cut …]\n\n--- project-doc ---\n\nppp"));
    assert!(text.ends_with("bytes cut …]"));
    assert!(joined.home_cut.unwrap().removed_bytes() > 8_900);
    assert!(joined.project_cut.unwrap().removed_bytes() > 50_000);
    assert_eq!(
        UserInstructions::replacing(Some("/d"), text)
            .render_fragment()
            .cut(),
        None
    );
}

#[test]
fn a_custom_agent_mode_keeps_four_hundred_tokens() {
    let rendered = MultiAgentModeInstructions::custom("x".repeat(5_000)).render_fragment();
    assert!(rendered.text().len() <= 1_600 + 40);
    assert_eq!(
        rendered.text().matches('x').count(),
        1_600 - "[… 3424 bytes cut …]".len()
    );
}

/// An implementation from outside that does everything wrong.
struct Unruly {
    markers: Markers,
    body_bytes: usize,
}

impl ContextualUserFragment for Unruly {
    fn role(&self) -> Role {
        Role::Developer
    }
    fn content_kind(&self) -> ContentKind {
        ContentKind::from_static("test.unruly")
    }
    fn markers(&self) -> Markers {
        self.markers.clone()
    }
    fn type_markers() -> Markers {
        Markers::NONE
    }
    fn body(&self) -> Body {
        Body::framed("é".repeat(self.body_bytes), "", "é".repeat(self.body_bytes))
    }
    fn cap(&self) -> Cap {
        Cap::refusing_over::<5>()
    }
}

#[test]
fn no_implementation_can_exceed_its_cap() {
    for marker_bytes in [0, 1, 9, 10, 11, 50] {
        for body_bytes in [0, 1, 5, 100] {
            let markers = Markers::from_owned("é".repeat(marker_bytes), "m".repeat(marker_bytes));
            let unruly = Unruly {
                markers,
                body_bytes,
            };
            let rendered = unruly.render_fragment();
            assert!(rendered.tokens() <= 5, "{marker_bytes} {body_bytes}");
            let size_bytes = marker_bytes * 3 + body_bytes * 4;
            assert_eq!(
                rendered.cut().is_some(),
                size_bytes > 20,
                "{marker_bytes} {body_bytes}"
            );
            let refused = matches!(unruly.check(), Err(FragmentError::TooLarge { .. }));
            assert_eq!(refused, size_bytes > 20);
        }
    }
}

#[test]
fn every_row_of_the_catalogue_has_an_instance_here() {
    let made = every("a", "b", "c");
    for spec in ALL.iter().filter(|spec| !spec.is_legacy()) {
        let found = made.iter().any(|(_, row, _)| {
            row.is_some_and(|row| row.name() == spec.name() && row.kind() == spec.kind())
        });
        assert!(found, "{} is not tested", spec.name());
    }
    assert_eq!(estimate_tokens("abcde"), 2);
}
