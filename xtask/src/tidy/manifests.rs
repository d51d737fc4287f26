//! Rules on `Cargo.toml`: what is said once for all crates is inherited, dependencies are
//! sorted, and one crate's tests never bind another crate's version.

use crate::finding::Finding;
use crate::workspace::TextFile;

/// What every crate takes from the workspace.
const INHERITED: &[&str] = &["edition", "license", "rust-version"];

/// What every published crate takes from the workspace as well.
const INHERITED_IF_PUBLISHED: &[&str] = &["categories", "keywords", "repository", "version"];

const RULE: &str = "manifest";

/// All rules on one manifest; nothing for other files and for the root's.
pub(super) fn file(file: &TextFile) -> Vec<Finding> {
    let ours = file.path.starts_with("crates/") || file.path.starts_with("xtask/");
    if !ours || !file.path.ends_with("/Cargo.toml") {
        return Vec::new();
    }
    let sections = sections(&file.text);
    let mut advice = inherited(&sections);
    for section in &sections {
        match section.name {
            "dependencies" | "dev-dependencies" | "build-dependencies" => {
                advice.extend(dependencies(section));
            }
            _ => {}
        }
    }
    advice
        .into_iter()
        .map(|(line, advice)| Finding::new(&file.path, line, RULE, &advice))
        .collect()
}

/// One table of a manifest: its name, the line of its head, and its lines with their numbers.
struct Section<'a> {
    name: &'a str,
    line: usize,
    lines: Vec<(usize, &'a str)>,
}

impl Section<'_> {
    fn has(&self, line: &str) -> bool {
        self.lines.iter().any(|(_, text)| *text == line)
    }
}

/// The tables of a manifest. Manifests here hold one key a line, so no parser is needed.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        let line = line.trim();
        let name = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Some(name) = name {
            sections.push(Section {
                name,
                line: line_idx + 1,
                lines: Vec::new(),
            });
        } else if let Some(section) = sections.last_mut()
            && !line.is_empty()
            && !line.starts_with('#')
        {
            section.lines.push((line_idx + 1, line));
        }
    }
    sections
}

/// What the package and its lints must take from the workspace.
fn inherited(sections: &[Section<'_>]) -> Vec<(usize, String)> {
    let mut advice = Vec::new();
    let lints = sections.iter().find(|section| section.name == "lints");
    if !lints.is_some_and(|lints| lints.has("workspace = true")) {
        advice.push((1, "add `[lints]` with `workspace = true`".to_owned()));
    }
    let Some(package) = sections.iter().find(|section| section.name == "package") else {
        advice.push((1, "add a `[package]` table".to_owned()));
        return advice;
    };
    let published = !package.has("publish = false");
    let more = if published {
        INHERITED_IF_PUBLISHED
    } else {
        &[]
    };
    for field in INHERITED.iter().chain(more) {
        if !package.has(&format!("{field}.workspace = true")) {
            advice.push((package.line, format!("write `{field}.workspace = true`")));
        }
    }
    if !package
        .lines
        .iter()
        .any(|(_, line)| line.starts_with("description = \""))
    {
        advice.push((package.line, "add a one-line `description`".to_owned()));
    }
    advice
}

/// Dependencies are sorted and take their version from the workspace; those on crates of this
/// workspace that only tests need have a path and no version, so that the crates can be published
/// one after another.
fn dependencies(section: &Section<'_>) -> Vec<(usize, String)> {
    let mut advice = Vec::new();
    let mut previous = "";
    for (line, text) in &section.lines {
        let Some(name) = text.split(['.', ' ', '=']).next() else {
            continue;
        };
        if name < previous {
            advice.push((
                *line,
                format!("put {name} before {previous}: dependencies are sorted"),
            ));
        }
        previous = name;
        let from_workspace = text.contains("workspace = true");
        let by_path = text.contains("path = ") && !text.contains("version");
        let internal = name.starts_with("annals-");
        let for_tests = section.name == "dev-dependencies";
        if internal && for_tests && !by_path {
            advice.push((
                *line,
                format!("give {name} a `path` and no version: tests bind none"),
            ));
        } else if !(from_workspace
            || internal && by_path && (for_tests || name.ends_with("-support")))
        {
            advice.push((
                *line,
                format!("take {name} from the workspace: `workspace = true`"),
            ));
        }
    }
    advice
}

#[cfg(test)]
#[path = "manifests_tests.rs"]
mod tests;
