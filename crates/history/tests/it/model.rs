//! The rules of a history read literally, over a plain list: slow, and obviously right.

use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::ItemType;
use serde_json::Value;

/// One thing that was done to a history.
#[derive(Debug, Clone)]
pub(crate) enum Entry {
    Begin,
    Item(Value),
    Compacted(Vec<Value>),
    /// A rollback ended here: no turn is under way.
    Cut,
}

/// Everything that was done, in order; a rollback takes entries off its end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) log: Vec<Entry>,
}

fn facts(item: &Value) -> ItemFacts {
    ItemFacts::scan(&item.to_string())
}

fn is_turn(item: &Value) -> bool {
    facts(item).flags().has(ItemFlags::BOUNDARY)
}

fn is_trimmed(item: &Value) -> bool {
    let flags = facts(item).flags();
    let context = flags.has(ItemFlags::CONTEXTUAL)
        || flags.has(ItemFlags::DEVELOPER | ItemFlags::ANY_CONTEXTUAL);
    context && !flags.has(ItemFlags::EVENT)
}

impl Model {
    /// The items since the last compaction, with what it put in place.
    pub(crate) fn items(&self) -> Vec<Value> {
        let mut items = Vec::new();
        for entry in &self.log {
            match entry {
                Entry::Begin | Entry::Cut => {}
                Entry::Item(item) => items.push(item.clone()),
                Entry::Compacted(replacement) => items.clone_from(replacement),
            }
        }
        items
    }

    /// A history that starts with a compaction has no originals: its items are the originals.
    fn normalize_start(&mut self) {
        let start = self
            .log
            .iter()
            .position(|entry| !matches!(entry, Entry::Begin | Entry::Cut));
        if let Some(start) = start
            && let Entry::Compacted(items) = self.log[start].clone()
        {
            let before: Vec<Entry> = self.log.drain(..=start).collect();
            let last = before
                .iter()
                .rev()
                .find(|entry| matches!(entry, Entry::Begin | Entry::Cut));
            let begin = matches!(last, Some(Entry::Begin));
            let mut head: Vec<Entry> = items.into_iter().map(Entry::Item).collect();
            if begin {
                head.push(Entry::Begin);
            }
            head.append(&mut self.log);
            self.log = head;
        }
    }

    pub(crate) fn roll_back(&mut self, turns: usize) {
        self.normalize_start();
        let starts: Vec<usize> = (0..self.log.len())
            .filter(|at| matches!(&self.log[*at], Entry::Item(item) if is_turn(item)))
            .collect();
        let turns = turns.min(starts.len());
        if turns == 0 {
            return;
        }
        let first = starts.len() - turns;
        let mut cut = starts[first];
        let previous = if first == 0 { 0 } else { starts[first - 1] + 1 };
        // The latest beginning, unless a rollback ended the turn.
        let begin = (previous..cut)
            .rev()
            .find(|at| matches!(self.log[*at], Entry::Begin | Entry::Cut))
            .filter(|at| matches!(self.log[*at], Entry::Begin));
        if let Some(begin) = begin {
            // A compaction between a turn's beginning and its first item lies inside the turn.
            let inside = (begin..cut).find(|at| matches!(self.log[*at], Entry::Compacted(_)));
            cut = inside.unwrap_or(cut);
        }
        if first > 0 {
            while cut > 0 {
                match &self.log[cut - 1] {
                    Entry::Begin | Entry::Cut => cut -= 1,
                    Entry::Item(item) if is_trimmed(item) => cut -= 1,
                    _ => break,
                }
            }
        }
        self.log.truncate(cut);
        self.log.push(Entry::Cut);
    }

    /// What a prompt shows, an item a line; stand-ins as `stand-in for N`.
    pub(crate) fn prompt(&self) -> Vec<String> {
        let items = self.items();
        let facts: Vec<ItemFacts> = items.iter().map(facts).collect();
        let answers = answers(&items, &facts);
        let mut shown = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if !is_shown(at, &facts, &answers) {
                continue;
            }
            shown.push(item.to_string());
            if family(&facts[at]).is_some_and(|(is_call, _)| is_call) {
                match answers.of_call(at) {
                    None => shown.push(format!("stand-in for {at}")),
                    Some(output) if output < at => shown.push(items[output].to_string()),
                    Some(_) => {}
                }
            }
        }
        shown
    }
}

/// Whether an item is a call or an output, and of which family.
fn family(facts: &ItemFacts) -> Option<(bool, u8)> {
    let has_id = facts.flags().has(ItemFlags::CALL_ID);
    if facts.flags().has(ItemFlags::MALFORMED) {
        return None;
    }
    match facts.item_type() {
        ItemType::FunctionCall => Some((true, 0)),
        ItemType::LocalShellCall if has_id => Some((true, 0)),
        ItemType::CustomToolCall => Some((true, 1)),
        ItemType::FunctionCallOutput if has_id => Some((false, 0)),
        ItemType::CustomToolCallOutput if has_id => Some((false, 1)),
        ItemType::ToolSearchCall if has_id => Some((true, 2)),
        ItemType::ToolSearchOutput if has_id => Some((false, 2)),
        _ => None,
    }
}

#[derive(Default)]
struct Answers(Vec<(usize, usize)>);

impl Answers {
    fn of_call(&self, call: usize) -> Option<usize> {
        self.0.iter().find(|pair| pair.0 == call).map(|pair| pair.1)
    }

    fn of_output(&self, output: usize) -> Option<usize> {
        self.0
            .iter()
            .find(|pair| pair.1 == output)
            .map(|pair| pair.0)
    }
}

/// Which output belongs to which call: to the nearest unanswered one before it, else to the next
/// in the same turn.
fn answers(items: &[Value], facts: &[ItemFacts]) -> Answers {
    let mut answers = Answers::default();
    for output in 0..items.len() {
        let Some((false, kind)) = family(&facts[output]) else {
            continue;
        };
        let fits = |call: &usize, answers: &Answers| {
            family(&facts[*call]) == Some((true, kind))
                && items[*call]["call_id"] == items[output]["call_id"]
                && answers.of_call(*call).is_none()
        };
        let before = (0..output).rev().find(|call| fits(call, &answers));
        let turn_end = (output + 1..items.len())
            .find(|at| facts[*at].flags().has(ItemFlags::BOUNDARY))
            .unwrap_or(items.len());
        // What the service searched itself waits for no call.
        let turn_end = if facts[output].flags().has(ItemFlags::SERVER_SIDE) {
            output
        } else {
            turn_end
        };
        let call = before.or_else(|| (output..turn_end).find(|call| fits(call, &answers)));
        if let Some(call) = call {
            answers.0.push((call, output));
        }
    }
    answers
}

fn is_shown(at: usize, facts: &[ItemFacts], answers: &Answers) -> bool {
    let flags = facts[at].flags();
    let never = matches!(
        facts[at].item_type(),
        ItemType::GhostSnapshot | ItemType::Other | ItemType::ConfigurationUpdate
    ) || flags.has_any(ItemFlags::SYSTEM | ItemFlags::BAD_CALL | ItemFlags::MALFORMED)
        || flags.has(ItemFlags::EMPTY_TEXT);
    if never {
        return false;
    }
    if let Some((false, _)) = family(&facts[at]) {
        let Some(call) = answers.of_output(at) else {
            // What the service searched itself needs no call.
            return flags.has(ItemFlags::SERVER_SIDE);
        };
        return call < at && !facts[call].flags().has(ItemFlags::BAD_CALL);
    }
    if facts[at].item_type() == ItemType::Reasoning {
        // The next thing shown that is no reasoning decides; nothing yet means not yet.
        let next = (at + 1..facts.len()).find(|next| {
            facts[*next].item_type() != ItemType::Reasoning && is_shown(*next, facts, answers)
        });
        return next.is_some_and(|next| facts[next].flags().has(ItemFlags::MODEL_MADE));
    }
    true
}
