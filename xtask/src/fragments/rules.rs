//! What is a fault of a fragment, of a row, or of a message.

use std::collections::BTreeMap;

use super::by_hand::{ByHand, Hand};
use super::scan::{CATALOG, CapFact, Fragment, Row, Scanned};
use super::{DOCUMENT, document};
use crate::finding::Finding;
use crate::workspace::TextFile;

/// No injected item may be larger, in estimated tokens.
const MAX_TOKENS: u64 = 10_000;
/// What is larger must be reviewed.
const REVIEW_TOKENS: u64 = 1_000;
/// The file that makes one instance of every fragment of the catalogue for its tests.
const EVERY: &str = "crates/context-fragments/tests/it/every.rs";

/// All faults.
pub(super) fn findings(scanned: &Scanned, files: &[TextFile]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = scanned
        .unreadable
        .iter()
        .map(|(file, line, error)| {
            Finding::new(
                file,
                *line,
                "unreadable",
                &format!("it is not read as Rust: {error}"),
            )
        })
        .collect();
    findings.extend(scanned.in_macros.iter().map(|(file, line)| {
        let advice = "a macro makes fragments here, which nobody can audit: write them out";
        Finding::new(file, *line, "in-macro", advice)
    }));
    let committed = files.iter().find(|file| file.path == DOCUMENT);
    let committed = committed
        .map(|file| document::caps(&file.text))
        .unwrap_or_default();
    for fragment in &scanned.fragments {
        findings.extend(cap(fragment));
        findings.extend(raised(fragment, &committed));
        findings.extend(untested(fragment, files));
        findings.extend(without_row(fragment, scanned));
    }
    findings.extend(unlisted(scanned));
    findings.extend(kinds(&scanned.rows));
    findings.extend(markers(&scanned.rows));
    findings.extend(
        scanned
            .by_hand
            .iter()
            .filter_map(|hand| by_hand(hand, &scanned.rows, files)),
    );
    findings
}

fn at(fragment: &Fragment, rule: &'static str, advice: &str) -> Finding {
    Finding::new(
        &fragment.file,
        fragment.line,
        rule,
        &format!("`{}` {advice}", fragment.name),
    )
}

/// The largest size that a fragment may have.
pub(super) fn largest(fragment: &Fragment) -> Option<u64> {
    match fragment.cap {
        CapFact::Const(cap) => Some(cap.tokens),
        CapFact::Chosen => Some(MAX_TOKENS),
        CapFact::Missing => None,
    }
}

fn cap(fragment: &Fragment) -> Option<Finding> {
    let Some(tokens) = largest(fragment) else {
        let advice = "has no cap that can be read: \
                      end `cap` with a constant of `Cap::cutting_at` or `Cap::refusing_over`";
        return Some(at(fragment, "cap-missing", advice));
    };
    if tokens > MAX_TOKENS {
        let advice = format!("has a cap of {tokens} tokens: at most {MAX_TOKENS} are allowed");
        return Some(at(fragment, "cap-too-large", &advice));
    }
    if tokens <= REVIEW_TOKENS {
        return None;
    }
    let form = "`// P0(YYYY-MM-DD): bound …; may grow: … Worth it: …`";
    match &fragment.p0 {
        None => {
            let advice = format!("may have {tokens} tokens: write {form} above its cap");
            Some(at(fragment, "p0-missing", &advice))
        }
        Some(p0) if !is_date(&p0.date) || !is_review(&p0.text) => Some(at(
            fragment,
            "p0-malformed",
            &format!("has a review of another form than {form}"),
        )),
        Some(_) => None,
    }
}

fn is_date(date: &str) -> bool {
    let parts: Vec<&str> = date.split('-').collect();
    let lens: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lens == [4, 2, 2]
        && parts
            .iter()
            .all(|part| part.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a review says what bounds the text, what may make it grow, and why it is worth it.
fn is_review(text: &str) -> bool {
    let Some((bound, rest)) = text
        .strip_prefix("bound ")
        .and_then(|rest| rest.split_once("may grow: "))
    else {
        return false;
    };
    let Some((growth, worth)) = rest.split_once("Worth it: ") else {
        return false;
    };
    [bound, growth, worth]
        .iter()
        .all(|part| part.trim().len() > 3)
}

/// A cap that is larger than the committed document has it must be reviewed again.
fn raised(fragment: &Fragment, committed: &BTreeMap<String, (u64, String)>) -> Option<Finding> {
    let tokens = largest(fragment)?;
    let (before, reviewed) = committed.get(&fragment.name)?;
    let date = fragment.p0.as_ref().map_or("", |p0| p0.date.as_str());
    if tokens <= *before || tokens <= REVIEW_TOKENS || date > reviewed.as_str() {
        return None;
    }
    let advice =
        format!("was raised from {before} to {tokens} tokens: review it again, with a new date");
    Some(at(fragment, "cap-raised", &advice))
}

/// A fragment whose largest instance and whose shape no test looks at.
fn untested(fragment: &Fragment, files: &[TextFile]) -> Option<Finding> {
    if fragment.file.starts_with(CATALOG) {
        let every = files.iter().find(|file| file.path == EVERY);
        let is_made = every.is_some_and(|file| {
            file.text.contains(&format!("{}::", fragment.name))
                || file.text.contains(&format!("{} {{", fragment.name))
                || file.text.contains(&format!(", {})", fragment.name))
        });
        let advice = format!("is not made in {EVERY}: its cap and its shape are not tested");
        return (!is_made).then(|| at(fragment, "untested", &advice));
    }
    let (crate_folder, _) = fragment.file.split_once("/src/")?;
    let is_test = |file: &&TextFile| {
        file.path.starts_with(crate_folder)
            && (file.path.contains("/tests/") || file.path.ends_with("tests.rs"))
    };
    let is_named = files
        .iter()
        .filter(is_test)
        .any(|file| file.text.contains(&fragment.name));
    let advice = "is named in no test of its crate: test its largest instance and its shape";
    (!is_named).then(|| at(fragment, "untested", advice))
}

/// A fragment of the catalogue without a row, unless its kind and markers are those of an instance.
fn without_row(fragment: &Fragment, scanned: &Scanned) -> Option<Finding> {
    let has_row = scanned.rows.iter().any(|row| row.owner == fragment.name);
    let is_of_instances = fragment.cap == CapFact::Chosen;
    (fragment.file.starts_with(CATALOG) && !has_row && !is_of_instances)
        .then(|| at(fragment, "row-missing", "has no `FragmentSpec` of its own"))
}

fn unlisted(scanned: &Scanned) -> Vec<Finding> {
    let is_unlisted =
        |row: &&Row| row.file.starts_with(CATALOG) && !scanned.listed.contains(&row.path);
    let advice = |row: &Row| {
        format!(
            "`{}` is not in `catalog::ALL`: nobody recognizes it",
            row.path
        )
    };
    scanned
        .rows
        .iter()
        .filter(is_unlisted)
        .map(|row| Finding::new(&row.file, row.line, "unlisted", &advice(row)))
        .collect()
}

fn kinds(rows: &[Row]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut first: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.kind.is_empty()) {
        let is_part = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
        };
        if !row.kind.contains('.') || !row.kind.split('.').all(is_part) {
            let advice = format!("kind {:?} is not of the form `<feature>.<name>`", row.kind);
            findings.push(Finding::new(&row.file, row.line, "kind-malformed", &advice));
        }
        if let Some(other) = first.insert(&row.kind, row) {
            let advice = format!("kind {:?} is that of `{}` too", row.kind, other.path);
            findings.push(Finding::new(&row.file, row.line, "kind-clash", &advice));
        }
    }
    findings
}

/// Markers that the text of another fragment could match. Rows with the same pair are a family.
fn markers(rows: &[Row]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let (start, end) = lower(row);
        let is_matched_otherwise = row.refinements.iter().any(|name| name == "matched_by");
        if start.is_empty() != end.is_empty() && !is_matched_otherwise {
            let advice = format!("`{}` has one marker: give it both, or none", row.path);
            findings.push(Finding::new(&row.file, row.line, "marker-alone", &advice));
        }
        for other in rows.get(..at).unwrap_or_default() {
            let (other_start, other_end) = lower(other);
            let is_family = start == other_start && end == other_end;
            let is_unmarked = start.is_empty() || other_start.is_empty();
            let is_prefix = start.starts_with(&other_start) || other_start.starts_with(&start);
            if !is_unmarked && !is_family && is_prefix && shares_role(row, other) {
                let advice = format!(
                    "a text of `{}` could be taken for one of `{}`: choose another start marker",
                    row.path, other.path
                );
                findings.push(Finding::new(&row.file, row.line, "marker-clash", &advice));
            }
        }
    }
    findings
}

fn lower(row: &Row) -> (String, String) {
    (row.markers.0.to_lowercase(), row.markers.1.to_lowercase())
}

fn shares_role(a: &Row, b: &Row) -> bool {
    let in_both = |row: &Row| row.refinements.iter().any(|name| name == "in_both_roles");
    a.role == b.role || in_both(a) || in_both(b)
}

/// A message of a contextual role, or a marker, that stands in code outside of the fragments.
fn by_hand(hand: &ByHand, rows: &[Row], files: &[TextFile]) -> Option<Finding> {
    let what = match &hand.what {
        Hand::Message(role) => format!("a {role} message is put together by hand"),
        Hand::Text(text) => marker_in(text, rows)?,
    };
    let file = files.iter().find(|file| file.path == hand.file)?;
    if is_explained(&file.text, hand.line) {
        return None;
    }
    let advice = format!(
        "{what}: make it of a fragment; if it is somebody's own words, or text that is only read, say so above in a line `// Own words: …` or `// Only read: …`"
    );
    Some(Finding::new(&hand.file, hand.line, "by-hand", &advice))
}

/// The marker that stands in a text, if any.
fn marker_in(text: &str, rows: &[Row]) -> Option<String> {
    let text = text.to_lowercase();
    let is_message = text.contains(r#""type":"message""#);
    if is_message
        && [r#""role":"user""#, r#""role":"developer""#]
            .iter()
            .any(|role| text.contains(role))
    {
        return Some("a message is written as JSON".to_owned());
    }
    let marker = rows
        .iter()
        .map(|row| row.markers.0.as_str())
        .find(|start| !start.is_empty() && text.contains(&start.to_lowercase()))?;
    Some(format!("the marker {marker:?} is written by hand"))
}

/// Whether the comment above a line, or above the statement that it is in, says whose words it holds.
fn is_explained(text: &str, line: usize) -> bool {
    let lines: Vec<&str> = text.lines().take(line).collect();
    lines.iter().rev().take(4).any(|line| {
        let line = line.trim();
        line.starts_with("// Own words: ") || line.starts_with("// Only read: ")
    })
}
