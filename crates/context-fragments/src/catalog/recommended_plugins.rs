//! Plugins that the user does not have yet.

use super::text::{self, list_within};
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, xml_escape, xml_unescape};

const LEAD: &str = "\nThese plugins are not installed. \
    If one of them would serve what the user asks for, you may say so once; do not install anything unasked.\n";

/// Gives the model a list of plugins that it may suggest.
///
/// **Seen by**: the model, first among the user's context in the first context of a thread; never as a change.
///
/// **Shape**: `<recommended_plugins>`, a fixed line, one line `- name (id)` a plugin, `</recommended_plugins>`. Values
/// are escaped.
///
/// **Bounds**: cap 1,000 tokens and 50 plugins; the rest is counted in a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecommendedPlugins {
    /// Names and ids, in order.
    pub plugins: Vec<(String, String)>,
}

impl RecommendedPlugins {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "RecommendedPlugins",
        Role::User,
        "plugins.recommendations",
        ("<recommended_plugins>", "</recommended_plugins>"),
        Self::CAP,
    );

    /// The most plugins that are shown.
    pub const MAX_PLUGINS: usize = 50;

    /// The plugins that a rendering shows.
    pub fn read(rendered: &str) -> Option<Self> {
        let body = text::inner(&Self::SPEC, rendered)?;
        let plugins = body.lines().filter_map(|line| {
            // The id is the last thing on the line and holds no parenthesis of its own.
            let (name, id) = line
                .strip_prefix("- ")?
                .strip_suffix(')')?
                .rsplit_once(" (")?;
            Some((
                xml_unescape(name).into_owned(),
                xml_unescape(id).into_owned(),
            ))
        });
        Some(Self {
            plugins: plugins.collect(),
        })
    }
}

impl ContextualUserFragment for RecommendedPlugins {
    facts_of_spec!();

    fn body(&self) -> Body {
        let lines = self
            .plugins
            .iter()
            .take(Self::MAX_PLUGINS)
            .map(|(name, id)| {
                format!(
                    "- {} ({})\n",
                    xml_escape(name),
                    xml_escape(id).replace('(', "&#x28;")
                )
            });
        let room =
            Self::CAP.bytes() - Self::SPEC.start().len() - Self::SPEC.end().len() - LEAD.len();
        let (list, mut cut) =
            list_within(lines, room, |n| format!("... {n} more plugins left out\n"));
        let over: usize = self
            .plugins
            .iter()
            .skip(Self::MAX_PLUGINS)
            .map(|(name, id)| name.len() + id.len())
            .sum();
        if over > 0 {
            cut = Cut::merged(cut, Some(Cut::new(list.len() + over, list.len())));
        }
        Body::framed([LEAD, &list].concat(), "", "").with_cut(cut)
    }
}
