//! What a hook asks of the model in the user's place.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role, xml_escape, xml_unescape};

const START: &str = "<hook_prompt hook_run_id=\"";
const END: &str = "</hook_prompt>";

/// Asks the model to go on, in the words of a hook that ran when it stopped.
///
/// **Seen by**: the model, as what makes it go on; a person sees it too, as a prompt of the hook.
///
/// **Shape**: `<hook_prompt hook_run_id="ID">`, the text, `</hook_prompt>`; id and text escaped.
///
/// **Bounds**: cap 2,500 tokens; a longer text is cut with a mark. The id keeps 256 bytes.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::HookPrompt};
///
/// let prompt = HookPrompt::new("run-1", "Fix \"a\" & <b>.");
/// let text = prompt.render();
/// assert_eq!(text, "<hook_prompt hook_run_id=\"run-1\">Fix &quot;a&quot; &amp; &lt;b&gt;.</hook_prompt>");
/// assert_eq!(HookPrompt::read(&text), Some(prompt));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPrompt {
    run_id: String,
    text: String,
}

impl HookPrompt {
    // P0(2026-12-01): bound cut at 2,500 tokens a hook that ran; may grow: with what hooks print. Worth it: the hook stands
    // in for the user, who set it up.
    const CAP: Cap = Cap::cutting_at::<2_500>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "HookPrompt",
        Role::User,
        "hooks.prompt",
        (START, END),
        Self::CAP,
    )
    .event();

    /// The prompt of a run of a hook.
    pub fn new<R, T>(run_id: R, text: T) -> Self
    where
        R: Into<String>,
        T: Into<String>,
    {
        Self {
            run_id: run_id.into(),
            text: text.into(),
        }
    }

    /// The id of the run.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let (run_id, text) = text::inner(&Self::SPEC, rendered)?.split_once("\">")?;
        Some(Self {
            run_id: xml_unescape(run_id).into_owned(),
            text: xml_unescape(text).into_owned(),
        })
    }
}

impl ContextualUserFragment for HookPrompt {
    facts_of_spec!();

    fn body(&self) -> Body {
        let (run_id, cut) = text::escaped_within(&self.run_id, 256);
        Body::framed([&run_id, "\">"].concat(), xml_escape(&self.text), "").with_cut(cut)
    }
}
