//! Rendering and recognition: both are linear, and recognition does not look at what stands between the markers.

use annals_context_fragments::catalog::{EnvironmentContext, EnvironmentFacts, UserInstructions};
use annals_context_fragments::{
    ContextualUserFragment, Role, classify_message, classify_part, neutralize,
};
use annals_test_support::bench::{Suite, Target};

// Ten times the work at once, beside ten times the work: linear is 1, quadratic would be 10. The targets leave room for a
// busy machine.
fn main() {
    let suite = Suite::new("fragments");
    rendering(&suite);
    recognition(&suite);
}

fn rendering(suite: &Suite) {
    let repeats = suite.size(200, 20);
    let rules =
        |bytes: usize| UserInstructions::new(Some("/repo"), "Use tabs & <b>.\n".repeat(bytes / 16));
    let (small, large) = (rules(3_200), rules(32_000));
    suite
        .row(
            "render rules of 32 KB, beside ten of 3.2 KB",
            Target::AtMost(1.5),
        )
        .compare(
            || times(repeats, || large.render().len()),
            || times(repeats * 10, || small.render().len()),
        );

    let environments = |n: usize| EnvironmentContext {
        environments: (0..n)
            .map(|at| {
                let mut facts = EnvironmentFacts::new(format!("env-{at}"));
                facts.cwd = Some(format!("/srv/R&D/{at}"));
                facts
            })
            .collect(),
        ..EnvironmentContext::default()
    };
    let (few, many) = (environments(6), environments(60));
    suite
        .row(
            "render 60 environments, beside ten times 6",
            Target::AtMost(1.5),
        )
        .compare(
            || times(repeats, || many.render().len()),
            || times(repeats * 10, || few.render().len()),
        );

    // Every sign could begin the marker, and every run of invisible ones belong to it.
    let hostile = |n: usize| ["<", "\u{200b}\u{200b}", "&amp;"].concat().repeat(n);
    let (short, long) = (hostile(10_000), hostile(100_000));
    suite
        .row(
            "make 1.2 MB of hostile text safe, beside ten times 120 KB",
            Target::AtMost(1.5),
        )
        .compare(
            || neutralize(&long, "</note>").len(),
            || times(10, || neutralize(&short, "</note>").len()),
        );
}

fn recognition(suite: &Suite) {
    let repeats = suite.size(100_000, 10_000);
    let recognize =
        |text: &str| usize::from(classify_part(Role::User, Some(text), None).is_contextual());
    let (short, long) = ("Fix it now. ".repeat(84), "Fix it now. ".repeat(84_000));
    suite
        .row(
            "recognize a user's text of 1 MB, beside one of 1 KB",
            Target::AtMost(1.5),
        )
        .compare(
            || times(repeats, || recognize(&long)),
            || times(repeats, || recognize(&short)),
        );

    let context = |bytes: usize| {
        format!(
            "<environment_context>{}</environment_context>",
            "x".repeat(bytes)
        )
    };
    let (short, long) = (context(1_000), context(1_000_000));
    suite
        .row(
            "recognize a fragment of 1 MB, beside one of 1 KB",
            Target::AtMost(1.5),
        )
        .compare(
            || times(repeats, || recognize(&long)),
            || times(repeats, || recognize(&short)),
        );

    let parts = |n: usize| vec![(Some("<turn_aborted>\n</turn_aborted>"), None); n];
    let (few, many) = (parts(100), parts(1_000));
    suite
        .row(
            "classify a message of 1,000 parts, beside ten of 100",
            Target::AtMost(1.5),
        )
        .compare(
            || {
                times(100, || {
                    classify_message("user", many.iter().copied()).n_contextual
                })
            },
            || {
                times(1_000, || {
                    classify_message("user", few.iter().copied()).n_contextual
                })
            },
        );
}

/// Does the same many times; the sum keeps it from being left out.
fn times<F: FnMut() -> usize>(n: usize, mut run: F) -> usize {
    (0..n).map(|_| std::hint::black_box(run())).sum()
}
