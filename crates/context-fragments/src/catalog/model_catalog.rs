//! The models that sub-agents may be started with.

use super::text::{self, description, list_within};
use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role, xml_escape};

const LEAD: &str = "\nModels that a sub-agent can be started with:\n";
const EMPTY: &str =
    "\nNo model can be chosen for a sub-agent. Any catalog given before no longer applies.\n";

/// Gives the model the list of models that a sub-agent may use.
///
/// **Seen by**: the model, in the first context if there are any, and whole again when the list changes.
///
/// **Shape**: `<model_catalog>`, a fixed line, one line a model sorted by id:
/// `- id: description (reasoning: low, medium (default))`, `</model_catalog>`. Values are escaped.
///
/// **Bounds**: cap 250 tokens; a description keeps 250 characters of its first line; a model that does not fit whole is
/// counted with the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelCatalog {
    /// The models; they are shown sorted by id.
    pub models: Vec<CatalogModel>,
}

/// A model in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogModel {
    /// Its id, never cut.
    pub id: String,
    /// What it is good for.
    pub description: String,
    /// The efforts it can reason with.
    pub efforts: Vec<String>,
    /// Which of them holds if none is named.
    pub default_effort: Option<String>,
    /// The tiers of service that it can be used on.
    pub service_tiers: Vec<String>,
}

impl ModelCatalog {
    const CAP: Cap = Cap::cutting_at::<250>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ModelCatalog",
        Role::Developer,
        "multi_agent.model_catalog",
        ("<model_catalog>", "</model_catalog>"),
        Self::CAP,
    );

    const MAX_DESCRIPTION_CHARS: usize = 250;

    /// The ids of the models that a rendering shows, in order.
    pub fn read_ids(rendered: &str) -> Option<Vec<String>> {
        let body = text::inner(&Self::SPEC, rendered)?;
        let ids = body
            .lines()
            .filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
        Some(
            ids.map(|(id, _)| crate::xml_unescape(id).into_owned())
                .collect(),
        )
    }
}

impl CatalogModel {
    fn line(&self) -> String {
        let mut traits = Vec::new();
        if !self.efforts.is_empty() {
            let efforts: Vec<String> = self
                .efforts
                .iter()
                .map(|effort| {
                    let is_default = self.default_effort.as_ref() == Some(effort);
                    [
                        xml_escape(effort).as_ref(),
                        if is_default { " (default)" } else { "" },
                    ]
                    .concat()
                })
                .collect();
            traits.push(format!("reasoning: {}", efforts.join(", ")));
        }
        if !self.service_tiers.is_empty() {
            let tiers: Vec<_> = self
                .service_tiers
                .iter()
                .map(|tier| xml_escape(tier))
                .collect();
            traits.push(format!("service tiers: {}", tiers.join(", ")));
        }
        let traits = if traits.is_empty() {
            String::new()
        } else {
            format!(" ({})", traits.join("; "))
        };
        let what = description(&self.description, ModelCatalog::MAX_DESCRIPTION_CHARS);
        // A colon in an id would read as its end.
        let id = xml_escape(&self.id).replace(':', "&#x3A;");
        format!("- {id}: {}{traits}\n", xml_escape(&what))
    }
}

impl ContextualUserFragment for ModelCatalog {
    facts_of_spec!();

    fn body(&self) -> Body {
        if self.models.is_empty() {
            return Body::framed(EMPTY, "", "");
        }
        let mut models: Vec<&CatalogModel> = self.models.iter().collect();
        models.sort();
        let room =
            Self::CAP.bytes() - Self::SPEC.start().len() - Self::SPEC.end().len() - LEAD.len();
        let (list, cut) = list_within(models.into_iter().map(CatalogModel::line), room, |n| {
            format!("... {n} additional models omitted.\n")
        });
        Body::framed([LEAD, &list].concat(), "", "").with_cut(cut)
    }
}
