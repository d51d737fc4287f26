//! Which context window the model is in, and which agent it is there.

use super::text::{self, escaped_within};
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, neutralize, xml_unescape};

/// Tells the model the ids of its context window.
///
/// **Seen by**: the model, as a message of its own, in the first context of each window; not again when only the ids
/// change.
///
/// **Shape**: `<context_window>`, one line each for the agent's name, the first, the current and the previous window,
/// then the hint, `</context_window>`. The four values are escaped.
///
/// **Bounds**: cap 1,000 tokens; a value keeps 256 bytes, the hint what is left, cut with a mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::ContextWindow};
///
/// let window = ContextWindow {
///     agent: "/root".to_owned(),
///     first_window: "w1".to_owned(),
///     window: "w2".to_owned(),
///     previous_window: Some("w1".to_owned()),
///     hint: None,
/// };
/// assert_eq!(ContextWindow::read(&window.render()), Some(window));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextWindow {
    /// The agent's path, such as `/root`.
    pub agent: String,
    /// The id of the thread's first window.
    pub first_window: String,
    /// The id of this window.
    pub window: String,
    /// The id of the window before.
    pub previous_window: Option<String>,
    /// What else the model should know of its window; nothing and an empty text are the same.
    pub hint: Option<String>,
}

const LINES: [&str; 4] = [
    "Agent name: ",
    "First context window id: ",
    "Current context window id: ",
    "Previous context window id: ",
];

impl ContextWindow {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ContextWindow",
        Role::Developer,
        "token_budget.context_window",
        ("<context_window>", "</context_window>"),
        Self::CAP,
    );

    const MAX_VALUE_BYTES: usize = 256;

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let body = text::read_text(&Self::SPEC, rendered, ("\n", ""))?;
        let [agent, first, current, previous] = LINES;
        let (agent, rest) = take_line(&body, agent)?;
        let (first_window, rest) = take_line(rest, first)?;
        let (window, rest) = take_line(rest, current)?;
        let (previous_window, rest) = match take_line(rest, previous) {
            Some((value, rest)) => (Some(value), rest),
            None => (None, rest),
        };
        let hint = rest.strip_suffix('\n').map(str::to_owned);
        Some(Self {
            agent,
            first_window,
            window,
            previous_window,
            hint,
        })
    }
}

fn take_line<'a>(text: &'a str, lead: &str) -> Option<(String, &'a str)> {
    let (value, rest) = text.strip_prefix(lead)?.split_once('\n')?;
    Some((xml_unescape(value).into_owned(), rest))
}

impl ContextualUserFragment for ContextWindow {
    facts_of_spec!();

    fn requires_separate_message(&self) -> bool {
        true
    }

    fn body(&self) -> Body {
        let values = [
            Some(&self.agent),
            Some(&self.first_window),
            Some(&self.window),
            self.previous_window.as_ref(),
        ];
        let mut lead = "\n".to_owned();
        let mut cut = None;
        for (label, value) in LINES.into_iter().zip(values) {
            let Some(value) = value else { continue };
            let (value, value_cut) = escaped_within(value, Self::MAX_VALUE_BYTES);
            lead.push_str(&[label, &value, "\n"].concat());
            cut = Cut::merged(cut, value_cut);
        }
        let hint = self.hint.as_deref().filter(|hint| !hint.is_empty());
        match hint {
            None => Body::framed(lead, "", ""),
            Some(hint) => Body::framed(lead, neutralize(hint, Self::SPEC.end()), "\n"),
        }
        .with_cut(cut)
    }
}
