//! What of the network and of the file system an environment lets the model reach, as one line each.

use super::markup::Element;
use super::text::list_within;
use crate::{Cut, xml_escape, xml_unescape};

/// The domains that may and may not be reached.
///
/// **Shape**: `<network enabled="true"><allowed>a,b</allowed><denied>c</denied></network>`, each list only if it holds
/// something. A comma in a name is escaped.
///
/// **Bounds**: each list at most 500 bytes; the rest is counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkRules {
    /// Domains that may be reached.
    pub allowed: Vec<String>,
    /// Domains that may not be reached.
    pub denied: Vec<String>,
}

impl NetworkRules {
    const LIST_BYTES: usize = 500;

    /// The rules as one line, and what was left out of it. A snapshot compares the line.
    pub fn render(&self) -> (String, Option<Cut>) {
        let mut line = "<network enabled=\"true\">".to_owned();
        let mut cut = None;
        for (name, domains) in [("allowed", &self.allowed), ("denied", &self.denied)] {
            if domains.is_empty() {
                continue;
            }
            let mut separator = "";
            let entries = domains.iter().map(|domain| {
                let domain = xml_escape(domain).replace(',', "&#x2C;");
                [std::mem::replace(&mut separator, ","), &domain].concat()
            });
            let (list, list_cut) =
                list_within(entries, Self::LIST_BYTES, |n| format!(",and {n} more"));
            cut = Cut::merged(cut, list_cut);
            for part in ["<", name, ">", &list, "</", name, ">"] {
                line.push_str(part);
            }
        }
        line.push_str("</network>");
        (line, cut)
    }

    pub(super) fn read(element: &Element) -> Option<Self> {
        let list = |name| {
            let Some(child) = element.child(name) else {
                return Vec::new();
            };
            child
                .raw_text()
                .split(',')
                .map(|part| xml_unescape(part).into_owned())
                .collect()
        };
        element.attribute("enabled")?;
        Some(Self {
            allowed: list("allowed"),
            denied: list("denied"),
        })
    }
}

/// Who keeps the rules of the file system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PermissionProfile {
    /// The host that runs the model.
    #[default]
    Managed,
    /// Nobody: there are no rules.
    Disabled,
    /// Something outside of the host.
    External,
}

/// How much of the file system there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilesystemKind {
    /// What the entries allow.
    #[default]
    Restricted,
    /// Everything.
    Unrestricted,
    /// What something outside of the host allows.
    External,
}

/// What may be done with the files of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileAccess {
    /// They may be read.
    Read,
    /// They may be read and written.
    Write,
    /// They may be neither read nor written, and nobody can be asked.
    Deny,
}

impl FileAccess {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Deny => "deny",
        }
    }
}

/// Which files an entry means.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileTarget {
    /// A path and everything below.
    Path(String),
    /// A pattern of paths.
    Glob(String),
    /// A place by its name, such as `:tmpdir`.
    Special(String),
}

impl FileTarget {
    const fn parts(&self) -> (&'static str, &String) {
        match self {
            Self::Path(value) => ("path", value),
            Self::Glob(value) => ("glob", value),
            Self::Special(value) => ("special", value),
        }
    }
}

/// The rules of a file system.
///
/// **Shape**: one line,
/// `<filesystem><workspace_roots><root>…</root></workspace_roots><permission_profile type="managed"><file_system
/// type="restricted"><entry access="write"><path>…</path></entry></file_system></permission_profile></filesystem>`.
///
/// **Bounds**: the roots at most 1,000 bytes, the entries at most 1,000; the rest is counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesystemRules {
    /// The roots of the workspace.
    pub workspace_roots: Vec<String>,
    /// Who keeps the rules.
    pub profile: PermissionProfile,
    /// How much there is.
    pub kind: FilesystemKind,
    /// How deep patterns are searched, where that is limited.
    pub glob_scan_max_depth: Option<u32>,
    /// The entries in order; repeated ones are shown once.
    pub entries: Vec<(FileAccess, FileTarget)>,
}

impl FilesystemRules {
    const LIST_BYTES: usize = 1_000;

    /// The rules as one line, and what was left out of it. A snapshot compares the line.
    pub fn render(&self) -> (String, Option<Cut>) {
        let mut line = "<filesystem>".to_owned();
        let mut cut = None;
        if !self.workspace_roots.is_empty() {
            let roots = self
                .workspace_roots
                .iter()
                .map(|root| format!("<root>{}</root>", xml_escape(root)));
            let (list, list_cut) = list_within(roots, Self::LIST_BYTES, |n| {
                format!("<omitted roots=\"{n}\" />")
            });
            cut = Cut::merged(cut, list_cut);
            for part in ["<workspace_roots>", &list, "</workspace_roots>"] {
                line.push_str(part);
            }
        }
        let profile = match self.profile {
            PermissionProfile::Managed => "managed",
            PermissionProfile::Disabled => "disabled",
            PermissionProfile::External => "external",
        };
        let kind = match self.kind {
            FilesystemKind::Restricted => "restricted",
            FilesystemKind::Unrestricted => "unrestricted",
            FilesystemKind::External => "external",
        };
        let depth = self.glob_scan_max_depth.map_or(String::new(), |depth| {
            format!(" glob_scan_max_depth=\"{depth}\"")
        });
        let (entries, entries_cut) = self.entry_list();
        cut = Cut::merged(cut, entries_cut);
        let open =
            format!("<permission_profile type=\"{profile}\"><file_system type=\"{kind}\"{depth}");
        line.push_str(&open);
        if entries.is_empty() {
            line.push_str(" />");
        } else {
            for part in [">", &entries, "</file_system>"] {
                line.push_str(part);
            }
        }
        line.push_str("</permission_profile></filesystem>");
        (line, cut)
    }

    fn entry_list(&self) -> (String, Option<Cut>) {
        let mut seen = std::collections::BTreeSet::new();
        let entries = self.entries.iter().filter_map(|(access, target)| {
            let (name, value) = target.parts();
            let asked = if *access == FileAccess::Deny {
                " escalatable=\"false\""
            } else {
                ""
            };
            let entry = format!(
                "<entry access=\"{}\"{asked}><{name}>{}</{name}></entry>",
                access.as_str(),
                xml_escape(value)
            );
            seen.insert(entry.clone()).then_some(entry)
        });
        list_within(entries, Self::LIST_BYTES, |n| {
            format!("<omitted entries=\"{n}\" />")
        })
    }

    pub(super) fn read(element: &Element) -> Option<Self> {
        let roots = element.child("workspace_roots");
        let profile = element.child("permission_profile")?;
        let system = profile.child("file_system")?;
        let root_names = roots.map_or(&[][..], |roots| &roots.children);
        Some(Self {
            workspace_roots: root_names
                .iter()
                .filter(|e| e.name == "root")
                .map(Element::text)
                .collect(),
            profile: match profile.attribute("type")? {
                "managed" => PermissionProfile::Managed,
                "disabled" => PermissionProfile::Disabled,
                _ => PermissionProfile::External,
            },
            kind: match system.attribute("type")? {
                "restricted" => FilesystemKind::Restricted,
                "unrestricted" => FilesystemKind::Unrestricted,
                _ => FilesystemKind::External,
            },
            glob_scan_max_depth: system
                .attribute("glob_scan_max_depth")
                .and_then(|depth| depth.parse().ok()),
            entries: system.children.iter().filter_map(read_entry).collect(),
        })
    }
}

fn read_entry(element: &Element) -> Option<(FileAccess, FileTarget)> {
    let access = match element.attribute("access")? {
        "read" => FileAccess::Read,
        "write" => FileAccess::Write,
        "deny" => FileAccess::Deny,
        _ => return None,
    };
    let target = element.children.first()?;
    let target = match target.name.as_str() {
        "path" => FileTarget::Path(target.text()),
        "glob" => FileTarget::Glob(target.text()),
        "special" => FileTarget::Special(target.text()),
        _ => return None,
    };
    Some((access, target))
}
