//! What was injected into a model's input: piece by piece, with size, cap and what it changed.

use std::collections::BTreeMap;

use annals_history::{ItemFacts, ItemFlags, Ledger, Slot};
use annals_protocol::{ItemHead, ItemType};
use serde::Serialize;

use crate::error::Error;
use crate::lines::{count_changes, diff_lines};
use crate::part::{Origin, Part, parts_of};
use crate::prompt_input::ReadUpTo;
use crate::session::{About, Nobody, Session};
use crate::traced::Traced;

/// How many characters of a text are shown as its beginning.
const PREVIEW_CHARS: usize = 120;

/// What a model's input is made of, and every piece of it that a host injected.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContextReport {
    /// `annals.context/1`
    pub schema: &'static str,
    /// Which session.
    pub session: About,
    /// Items in the input, stand-ins included.
    pub n_items: usize,
    /// Estimated tokens of the input.
    pub tokens: u64,
    /// Estimated tokens that a host injected.
    pub injected_tokens: u64,
    /// The input by origin, in a fixed order; what has no item is left out.
    pub origins: Vec<OriginShare>,
    /// Every injected piece, in the order of the input.
    pub fragments: Vec<FragmentUse>,
}

/// What comes from one origin.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OriginShare {
    /// The origin.
    pub origin: Origin,
    /// Items that have a part of it.
    pub n_items: usize,
    /// Estimated tokens.
    pub tokens: u64,
    /// Of all tokens, from 0 to 1.
    pub share: f64,
}

/// One injected piece.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FragmentUse {
    /// The item in the input, from 0.
    pub item_idx: usize,
    /// The part of that item, from 0.
    pub part_idx: usize,
    /// The user turn before which it was told, from 1; 0 where there is none.
    pub turn: usize,
    /// The line of its record; 0 where it stands in none.
    pub line: u64,
    /// Its content kind, as recorded, or as its markers tell.
    pub kind: String,
    /// The fragment type's name in the catalogue.
    pub name: Option<&'static str>,
    /// How it was told from a person's own words.
    pub known_by: KnownBy,
    /// The role of its message.
    pub role: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Bytes of UTF-8.
    pub bytes: usize,
    /// Estimated tokens.
    pub tokens: u64,
    /// Of all tokens of the input, from 0 to 1.
    pub share: f64,
    /// The most tokens that a fragment of this type may have.
    pub cap_tokens: Option<u32>,
    /// Whether it has more.
    pub is_over_cap: bool,
    /// What it changed.
    pub change: Change,
    /// Its first characters, on one line.
    pub preview: String,
}

/// How an injected piece was told from a person's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KnownBy {
    /// By the kind that was recorded beside it.
    Kind,
    /// By its markers.
    Markers,
    /// By the type of its item.
    ItemType,
}

/// What an injected piece says beside the last one of its kind. In JSON the member `type` holds the
/// word, and with `changed` come the numbers `lines_added` and `lines_removed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// There was none before.
    First,
    /// The same once more.
    Repeated,
    /// Something else.
    Changed {
        /// Lines that the one before did not have.
        lines_added: usize,
        /// Lines that only the one before had.
        lines_removed: usize,
    },
}

impl Session {
    /// What the input is made of, and every injected piece of it.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read; [`Error::NoSuchTurn`]; [`Error::NoSuchLine`].
    pub fn context(&self, up_to: ReadUpTo) -> Result<ContextReport, Error> {
        let replayed = self.walk(up_to, &mut Nobody)?;
        let ledger = &replayed.ledger;
        let turns = TurnsOfItems::of(ledger);
        let mut origins: BTreeMap<Origin, (usize, u64)> = BTreeMap::new();
        let mut fragments = Vec::new();
        let mut before: BTreeMap<String, String> = BTreeMap::new();
        let mut texts = self.texts();
        let mut n_items = 0;
        for slot in ledger.slots() {
            let item_idx = n_items;
            n_items += 1;
            let Slot::Item { at, facts, body } = slot else {
                let entry = origins.entry(Origin::Outputs).or_default();
                entry.0 += 1;
                entry.1 += STAND_IN_TOKENS;
                continue;
            };
            let mut seen = Vec::new();
            for (origin, tokens) in body.shares.iter() {
                let entry = origins.entry(origin).or_default();
                entry.0 += usize::from(!seen.contains(&origin));
                entry.1 += tokens;
                seen.push(origin);
            }
            if !may_be_injected(facts, body) {
                continue;
            }
            let item = texts.of(body, facts)?;
            let place = Place {
                item_idx,
                turn: turns.of_item(at),
                line: body.line,
            };
            add_fragments(&item, body, &place, &mut before, &mut fragments);
        }
        let tokens = origins.values().map(|(_, tokens)| tokens).sum();
        for fragment in &mut fragments {
            fragment.share = share(fragment.tokens, tokens);
        }
        let origins: Vec<OriginShare> = Origin::ALL
            .into_iter()
            .filter_map(|origin| {
                let (n_items, own) = origins.get(&origin).copied()?;
                Some(OriginShare {
                    origin,
                    n_items,
                    tokens: own,
                    share: share(own, tokens),
                })
            })
            .collect();
        let injected = origins.iter().filter(|row| row.origin.is_injected());
        Ok(ContextReport {
            schema: "annals.context/1",
            session: self.about(&replayed),
            n_items,
            tokens,
            injected_tokens: injected.map(|row| row.tokens).sum(),
            origins,
            fragments,
        })
    }
}

/// What the output costs that stands in for one that never came.
pub(crate) const STAND_IN_TOKENS: u64 = 8;

fn may_be_injected(facts: &ItemFacts, body: &Traced) -> bool {
    facts.flags().has(ItemFlags::ANY_CONTEXTUAL)
        || body.shares.iter().any(|(origin, _)| origin.is_injected())
}

struct Place {
    item_idx: usize,
    turn: usize,
    line: u64,
}

fn add_fragments(
    item: &str,
    body: &Traced,
    place: &Place,
    before: &mut BTreeMap<String, String>,
    out: &mut Vec<FragmentUse>,
) {
    let Some(head) = ItemHead::scan(item) else {
        return;
    };
    if head.item_type != ItemType::Message {
        let origin = body
            .shares
            .iter()
            .next()
            .map_or(Origin::Other, |(origin, _)| origin);
        let kind = head.tag.to_owned();
        let change = change_of(before, &kind, item);
        out.push(FragmentUse {
            item_idx: place.item_idx,
            part_idx: 0,
            turn: place.turn,
            line: place.line,
            kind,
            name: None,
            known_by: KnownBy::ItemType,
            role: head.role.unwrap_or_default().into_owned(),
            origin,
            bytes: body.bytes as usize,
            tokens: body.tokens(),
            share: 0.0,
            cap_tokens: None,
            is_over_cap: false,
            change,
            preview: preview(head.name.as_deref().unwrap_or(item)),
        });
        return;
    }
    for (part_idx, part) in parts_of(item, &head).iter().enumerate() {
        if !part.origin.is_injected() {
            continue;
        }
        let role = head.role.as_deref().unwrap_or_default();
        let fragment = fragment_of(part, part_idx, role, place, before);
        out.push(fragment);
    }
}

fn fragment_of(
    part: &Part<'_>,
    part_idx: usize,
    role: &str,
    place: &Place,
    before: &mut BTreeMap<String, String>,
) -> FragmentUse {
    let text = part.text.as_deref().unwrap_or_default();
    let recorded = part.kind.clone().filter(|kind| kind != "unknown");
    let known_by = if recorded.is_some() && part.is_injected {
        KnownBy::Kind
    } else if part.is_injected {
        KnownBy::Markers
    } else {
        KnownBy::ItemType
    };
    let kind = recorded
        .or_else(|| part.spec.map(|spec| spec.kind().to_owned()))
        .unwrap_or_else(|| "developer message".to_owned());
    let tokens = part.tokens();
    let cap_tokens = part.spec.map(|spec| spec.cap().tokens());
    FragmentUse {
        item_idx: place.item_idx,
        part_idx,
        turn: place.turn,
        line: place.line,
        name: part.spec.map(annals_context_fragments::FragmentSpec::name),
        known_by,
        role: role.to_owned(),
        origin: part.origin,
        bytes: text.len(),
        tokens,
        share: 0.0,
        cap_tokens,
        is_over_cap: cap_tokens.is_some_and(|cap| tokens > u64::from(cap)),
        change: change_of(before, &kind, text),
        preview: preview(text),
        kind,
    }
}

fn change_of(before: &mut BTreeMap<String, String>, kind: &str, text: &str) -> Change {
    match before.insert(kind.to_owned(), text.to_owned()) {
        None => Change::First,
        Some(old) if old == text => Change::Repeated,
        Some(old) => {
            let (lines_added, lines_removed) = count_changes(&diff_lines(&old, text));
            Change::Changed {
                lines_added,
                lines_removed,
            }
        }
    }
}

/// The first characters of a text, on one line.
pub(crate) fn preview(text: &str) -> String {
    let mut shown = String::new();
    let mut was_blank = true;
    for character in text.chars() {
        let is_blank = character.is_whitespace() || character.is_control();
        if is_blank && was_blank {
            continue;
        }
        was_blank = is_blank;
        if shown.chars().count() >= PREVIEW_CHARS {
            shown.push('…');
            break;
        }
        shown.push(if is_blank { ' ' } else { character });
    }
    shown.trim_end().to_owned()
}

#[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
pub(crate) fn share(part: u64, all: u64) -> f64 {
    if all == 0 {
        0.0
    } else {
        let thousandths = (part as f64 / all as f64 * 10_000.0).round();
        thousandths / 10_000.0
    }
}

/// Which user turn each item belongs to; what is told right before a turn belongs to it.
pub(crate) struct TurnsOfItems {
    /// The first item of each turn, what was told before it included.
    starts: Vec<usize>,
    /// Turns that stand before the first of them.
    before: usize,
}

impl TurnsOfItems {
    pub(crate) fn of(ledger: &Ledger<Traced>) -> Self {
        let own: Vec<usize> = ledger.turn_starts().collect();
        let before = ledger.turns().saturating_sub(own.len());
        let mut floor = 0;
        let starts = own
            .iter()
            .map(|start| {
                let mut first = *start;
                while first > floor && is_told_ahead(ledger.facts(first - 1)) {
                    first -= 1;
                }
                floor = start + 1;
                first
            })
            .collect();
        Self { starts, before }
    }

    /// The number of the turn, from 1; 0 if no turn had begun.
    pub(crate) fn of_item(&self, at: usize) -> usize {
        let own = self.starts.partition_point(|start| *start <= at);
        if own == 0 && self.before == 0 {
            return usize::from(!self.starts.is_empty());
        }
        self.before + own
    }
}

fn is_told_ahead(facts: Option<&ItemFacts>) -> bool {
    facts.is_some_and(|facts| {
        let flags = facts.flags();
        let is_told = flags.has(ItemFlags::CONTEXTUAL) || flags.has(ItemFlags::DEVELOPER);
        let is_other = facts.item_type() == ItemType::AdditionalTools;
        (is_told && !flags.has(ItemFlags::EVENT)) || is_other
    })
}
