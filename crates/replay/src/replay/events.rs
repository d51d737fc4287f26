//! What a replay makes of events: where turns start and end, what was rolled back and measured.

use std::sync::Arc;

use annals_protocol::{RawJson, members};

use super::{Replay, text_member};
use crate::ignored::IgnoredReason;
use crate::outcome::{LastTurn, Measured};
use crate::place::ItemSource;
use crate::tracker::attribution_of;

impl<S: ItemSource> Replay<S> {
    pub(super) fn event(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        let tag = text_member(payload, "type").ok_or(IgnoredReason::MalformedPayload)?;
        match tag.as_str() {
            "task_started" | "turn_started" => self.turn_started(payload),
            "task_complete" | "turn_complete" => {
                self.last_turn = LastTurn::Completed;
                if let Some(tracker) = &mut self.tracker {
                    tracker.completed(text_member(payload, "turn_id").as_deref());
                    self.update_state();
                }
            }
            "turn_aborted" => {
                self.last_turn = LastTurn::Aborted;
                if let Some(tracker) = &mut self.tracker {
                    tracker.aborted(text_member(payload, "turn_id").as_deref());
                }
            }
            "user_message" => {
                if !self.has_user_item {
                    self.has_user_item = true;
                    self.ledger.start_turn();
                }
                self.spoke();
            }
            "thread_rolled_back" => return self.rolled_back(payload),
            "token_count" => self.token_count(payload),
            "thread_settings_applied" if self.tracker.is_some() => {
                self.thread_settings = RawJson::parse(payload).ok();
            }
            _ => {}
        }
        Ok(())
    }

    fn turn_started(&mut self, payload: &str) {
        self.ledger.begin_turn();
        self.has_user_item = false;
        self.last_turn = LastTurn::Unfinished;
        let Some(tracker) = &mut self.tracker else {
            return;
        };
        let turn_id = text_member(payload, "turn_id").filter(|id| !id.is_empty());
        let mut state = self.ledger.state().clone();
        tracker.start(&state, turn_id.as_deref());
        state.turn_attribution = attribution_of(payload, turn_id.as_deref()).map(Arc::new);
        self.ledger.set_state(state);
        self.last_started_turn_id = turn_id;
    }

    fn rolled_back(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        let turns = members(payload)
            .find(|member| member.is("num_turns"))
            .and_then(|member| member.value.parse::<u32>().ok())
            .ok_or(IgnoredReason::MalformedPayload)?;
        if turns == 0 {
            return Ok(());
        }
        let _done = self.ledger.roll_back(turns as usize);
        self.has_user_item = false;
        self.measured = None;
        self.last_turn = if self.ledger.turns() == 0 {
            LastTurn::None
        } else {
            LastTurn::Completed
        };
        if let Some(tracker) = &mut self.tracker {
            tracker.rolled_back(self.ledger.state());
        }
        Ok(())
    }

    fn token_count(&mut self, payload: &str) {
        // An event may hold rate limits alone: an older one with totals stays the newest then.
        let tokens = members(payload)
            .find(|member| member.is("info"))
            .and_then(|info| members(info.value).find(|member| member.is("last_token_usage")))
            .and_then(|usage| members(usage.value).find(|member| member.is("total_tokens")))
            .and_then(|total| total.value.parse::<u64>().ok());
        if let Some(tokens) = tokens {
            self.measured = Some(Measured {
                tokens,
                n_items: self.ledger.len(),
            });
        }
    }
}
