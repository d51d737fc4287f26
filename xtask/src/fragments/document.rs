//! `docs/fragments.md`: written from what was read, and read for the caps that it had before.

use std::collections::BTreeMap;

use super::rules::largest;
use super::scan::{CapFact, Fragment, Row, Scanned};

const HEAD: &str = "# Fragments

Everything that is put into a model's context beside the conversation, as the code has it.
Written by `cargo xtask fragments`; never edited.

Sizes are estimated tokens of 4 bytes, markers included.
No fragment may have more than 10,000; one that may have more than 1,000 is reviewed, and stands in the first list.";

/// The document without the newline at its end.
pub(super) fn text(scanned: &Scanned) -> String {
    let mut fragments: Vec<&Fragment> = scanned.fragments.iter().collect();
    fragments.sort_by_key(|fragment| (std::cmp::Reverse(largest(fragment)), fragment.name.clone()));
    let mut out = vec![
        HEAD.to_owned(),
        String::new(),
        "## Reviewed".to_owned(),
        String::new(),
    ];
    for fragment in &fragments {
        if let Some(p0) = &fragment.p0 {
            out.push(format!(
                "- `{}`, {} tokens, reviewed {}: {}",
                fragment.name,
                cap_cell(fragment),
                p0.date,
                p0.text
            ));
        }
    }
    out.extend(["", "## All", "", TABLE_HEAD, TABLE_RULE].map(str::to_owned));
    for fragment in &fragments {
        let rows: Vec<&Row> = scanned
            .rows
            .iter()
            .filter(|row| row.owner == fragment.name)
            .collect();
        out.push(line(fragment, &rows));
    }
    let read_only: Vec<&Row> = scanned
        .rows
        .iter()
        .filter(|row| row.path.starts_with("legacy::"))
        .collect();
    if !read_only.is_empty() {
        out.extend(
            [
                "",
                "## Only recognized",
                "",
                "Texts of older programs; they are never written.",
                "",
                "| text | role | kind | markers |",
                "| --- | --- | --- | --- |",
            ]
            .map(str::to_owned),
        );
        for row in read_only {
            out.push(format!(
                "| {} | {} | {} | {} |",
                row.name,
                role(row),
                code(&row.kind),
                marker_cell(row)
            ));
        }
    }
    out.join("\n")
}

const TABLE_HEAD: &str = "| fragment | what it does | role | kind | markers | own message | cap | over the cap | reviewed |";
const TABLE_RULE: &str = "| --- | --- | --- | --- | --- | --- | --- | --- | --- |";

fn line(fragment: &Fragment, rows: &[&Row]) -> String {
    let joined = |cell: &dyn Fn(&Row) -> String| {
        let mut cells: Vec<String> = rows.iter().map(|row| cell(row)).collect();
        cells.dedup();
        if cells.is_empty() {
            "of the instance".to_owned()
        } else {
            cells.join(", ")
        }
    };
    let over = match fragment.cap {
        CapFact::Const(cap) if cap.refuses => "refused",
        CapFact::Const(_) => "cut",
        CapFact::Chosen => "as chosen",
        CapFact::Missing => "?",
    };
    format!(
        "| `{}` | {} | {} | {} | {} | {} | {} | {over} | {} |",
        fragment.name,
        fragment.summary.replace('|', "\\|"),
        joined(&role),
        joined(&|row| code(&row.kind)),
        joined(&marker_cell),
        if fragment.is_separate { "yes" } else { "no" },
        cap_cell(fragment),
        fragment.p0.as_ref().map_or("", |p0| p0.date.as_str()),
    )
}

fn role(row: &Row) -> String {
    let role = row.role.to_lowercase();
    let in_both = row.refinements.iter().any(|name| name == "in_both_roles");
    if in_both {
        format!("{role} (read in both)")
    } else {
        role
    }
}

fn marker_cell(row: &Row) -> String {
    let (start, end) = &row.markers;
    match (start.is_empty(), end.is_empty()) {
        (true, true) => "none".to_owned(),
        (false, true) => code(start),
        _ => format!("{} {}", code(start), code(end)),
    }
}

fn code(text: &str) -> String {
    let shown = text.trim_end().replace('|', "\\|");
    if shown.is_empty() {
        "none".to_owned()
    } else {
        format!("`{shown}`")
    }
}

fn cap_cell(fragment: &Fragment) -> String {
    largest(fragment).map_or_else(|| "?".to_owned(), |tokens| tokens.to_string())
}

/// The caps and the dates of their reviews in a document that was written before, by fragment.
pub(super) fn caps(document: &str) -> BTreeMap<String, (u64, String)> {
    let cells = |line: &str| -> Vec<String> {
        line.replace("\\|", "/")
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let rows = document
        .lines()
        .skip_while(|line| *line != TABLE_RULE)
        .skip(1);
    rows.take_while(|line| line.starts_with('|'))
        .filter_map(|line| {
            let cells = cells(line);
            let name = cells.get(1)?.trim_matches('`').to_owned();
            let cap = cells.get(7)?.parse().ok()?;
            Some((name, (cap, cells.get(9)?.clone())))
        })
        .collect()
}
