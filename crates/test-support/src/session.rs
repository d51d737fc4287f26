//! Session files as large as asked, the same bytes for the same numbers.
//!
//! The shape is that of real sessions: the kinds of lines and their sizes, tool output that stands
//! twice in paginated files, usage records between. The words are made up.

use std::io::{self, Write};

/// What a generated session is like.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSpec {
    /// How many model-visible items it has, about.
    pub n_items: usize,
    /// Whether records have ordinals and items are repeated for display.
    pub is_paginated: bool,
    /// How many bytes a tool output has, about.
    pub output_bytes: usize,
    /// After which share of the items a compaction stands, if one does: 0.99 for the last 1 %.
    pub compaction_at: Option<f64>,
}

impl SessionSpec {
    /// A paginated session without a compaction, sized like the sessions that were measured.
    pub fn new(n_items: usize) -> Self {
        Self {
            n_items,
            is_paginated: true,
            output_bytes: 900,
            compaction_at: None,
        }
    }
}

/// Writes a session and returns how many items of it a model sees, compaction aside.
///
/// # Errors
///
/// Those of the writer.
pub fn write_session<W: Write>(spec: &SessionSpec, out: W) -> io::Result<usize> {
    let mut session = Session {
        out,
        spec,
        ordinal: 0,
        n_items: 0,
        words: Words(0x9E37_79B9),
    };
    session.start()?;
    let mut is_compacted = spec.compaction_at.is_none();
    while session.n_items < spec.n_items {
        session.turn()?;
        if !is_compacted
            && progress(session.n_items, spec.n_items) >= spec.compaction_at.unwrap_or(1.0)
        {
            session.compaction()?;
            is_compacted = true;
        }
    }
    session.out.flush()?;
    Ok(session.n_items)
}

#[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
fn progress(done: usize, all: usize) -> f64 {
    done as f64 / all.max(1) as f64
}

/// Made-up words, always the same.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Text of about `n_bytes`, with the escapes that code and logs bring.
    fn text(&mut self, n_bytes: usize) -> String {
        const PARTS: [&str; 12] = [
            "alpha ",
            "beta.rs:12 ",
            "warning ",
            "fn main() ",
            "0x7f3a ",
            "done\\n",
            "\\\"quoted\\\" ",
            "path/to/file ",
            "caf\u{e9} ",
            "value = 42 ",
            "\\t- item ",
            "the quick brown fox ",
        ];
        let mut text = String::with_capacity(n_bytes + 24);
        while text.len() < n_bytes {
            let at = usize::try_from(self.next() % PARTS.len() as u64).unwrap_or_default();
            text.push_str(PARTS.get(at).copied().unwrap_or_default());
        }
        text
    }
}

struct Session<'a, W> {
    out: W,
    spec: &'a SessionSpec,
    ordinal: u64,
    n_items: usize,
    words: Words,
}

impl<W: Write> Session<'_, W> {
    fn line(&mut self, kind: &str, payload: &str, metadata: Option<&str>) -> io::Result<()> {
        let seconds = self.ordinal / 20;
        write!(
            self.out,
            r#"{{"timestamp":"2026-03-{:02}T{:02}:{:02}:{:02}.{:03}Z""#,
            1 + seconds / 86_400 % 28,
            seconds / 3_600 % 24,
            seconds / 60 % 60,
            seconds % 60,
            self.ordinal * 50 % 1_000,
        )?;
        if self.spec.is_paginated {
            write!(self.out, r#","ordinal":{}"#, self.ordinal)?;
        }
        write!(self.out, r#","type":"{kind}","payload":{payload}"#)?;
        if let Some(metadata) = metadata {
            write!(self.out, r#","metadata":{metadata}"#)?;
        }
        self.ordinal += 1;
        self.out.write_all(b"}\n")
    }

    fn item(&mut self, body: &str) -> io::Result<()> {
        self.n_items += 1;
        let payload = format!(
            r#"{{{body},"internal_chat_message_metadata_passthrough":{{"turn_id":"{}","create_time":1772323200.5}}}}"#,
            turn_id(self.n_items)
        );
        let metadata = format!(
            r#"{{"history_sequence":{0},"sampled_through_sequence":{0},"client_authored":false,"mcp_attribution":{{"status":"none"}},"model_search_state":"unused"}}"#,
            self.n_items
        );
        self.line("response_item", &payload, Some(&metadata))
    }

    fn start(&mut self) -> io::Result<()> {
        let mode = if self.spec.is_paginated {
            "paginated"
        } else {
            "legacy"
        };
        self.line(
            "session_meta",
            &format!(
                r#"{{"session_id":"{THREAD}","id":"{THREAD}","timestamp":"2026-03-01T00:00:00.000Z","cwd":"/home/dev/proj","originator":"annals","cli_version":"0.171.0","source":"exec","model_provider":"mock","base_instructions":{{"text":"You are a careful helper."}},"history_mode":"{mode}"}}"#
            ),
            None,
        )?;
        self.item(r#""type":"message","id":"msg_c1","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>\nEverything is allowed.\n</permissions instructions>"}]"#)?;
        self.item(r##""type":"message","id":"msg_c2","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /home/dev/proj\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"},{"type":"input_text","text":"<environment_context>\n  <cwd>/home/dev/proj</cwd>\n</environment_context>"}]"##)?;
        self.line("world_state", r#"{"full":true,"state":{"agents_md":{"directory":"/home/dev/proj","text":"Use tabs."},"environments":{"environments":{"local":{"cwd":"/home/dev/proj","status":"available"}}}}}"#, None)
    }

    fn turn(&mut self) -> io::Result<()> {
        let turn = turn_id(self.n_items);
        self.line("event_msg", &format!(r#"{{"type":"task_started","turn_id":"{turn}","started_at":1772323200,"model_context_window":272000,"collaboration_mode_kind":"default"}}"#), None)?;
        self.line("turn_context", &format!(r#"{{"turn_id":"{turn}","cwd":"/home/dev/proj","approval_policy":"never","permission_profile":{{"type":"disabled"}},"model":"model-a","comp_hash":"1","effort":"medium","summary":"auto"}}"#), None)?;
        let asked = self.words.text(160);
        self.item(&format!(r#""type":"message","id":"msg_u{}","role":"user","content":[{{"type":"input_text","text":"{asked}"}}]"#, self.n_items))?;
        self.shown("UserMessage", "user_message", &asked)?;
        for _ in 0..5 {
            self.step(&turn)?;
        }
        let said = self.words.text(280);
        self.shown("AgentMessage", "agent_message", &said)?;
        self.item(&format!(r#""type":"message","status":"completed","id":"msg_a{}","role":"assistant","content":[{{"type":"output_text","text":"{said}","annotations":[],"logprobs":[]}}]"#, self.n_items))?;
        self.line("event_msg", &format!(r#"{{"type":"task_complete","turn_id":"{turn}","last_agent_message":null,"completed_at":1772323260,"duration_ms":60000}}"#), None)
    }

    fn step(&mut self, turn: &str) -> io::Result<()> {
        let call = format!("call_{}", self.n_items);
        let arguments = self.words.text(90);
        let output = self.words.text(self.spec.output_bytes);
        let noise = self.words.next();
        self.item(&format!(r#""type":"reasoning","id":"rs_{0}","summary":[],"content":null,"encrypted_content":"{1:0>240x}""#, self.n_items, noise))?;
        self.item(&format!(r#""type":"function_call","status":"completed","id":"fc_{0}","name":"exec_command","arguments":"{{\"cmd\":\"{1}\"}}","call_id":"{call}""#, self.n_items, arguments.replace('\\', r"\\").replace('"', "\\\"")))?;
        if self.spec.is_paginated {
            self.line("event_msg", &format!(r#"{{"type":"item_completed","thread_id":"{THREAD}","turn_id":"{turn}","item":{{"type":"CommandExecution","id":"{call}","process_id":"1","command":["/bin/bash","-lc","{arguments}"],"cwd":"/home/dev/proj","parsed_cmd":[{{"type":"unknown","cmd":"{arguments}"}}],"source":"agent","status":"completed","aggregated_output":"{output}","exit_code":0,"duration":{{"secs":0,"nanos":1200000}}}},"started_at_ms":1772323200000,"completed_at_ms":1772323201000}}"#), None)?;
        }
        self.item(&format!(r#""type":"function_call_output","id":"fco_{0}","call_id":"{call}","output":"{output}""#, self.n_items))?;
        let usage = r#"{"input_tokens":60000,"cached_input_tokens":50000,"cache_write_input_tokens":0,"output_tokens":120,"reasoning_output_tokens":20,"total_tokens":60120}"#;
        if self.spec.is_paginated {
            self.line("token_usage_record", &format!(r#"{{"thread_id":"{THREAD}","turn_id":"{turn}","session_id":"{THREAD}","root_turn_id":"{turn}","response_id":"resp_{0:0>32}","usage":{usage},"turn_token_usage":{usage},"thread_token_usage":{usage}}}"#, self.n_items), None)?;
        }
        self.line("event_msg", &format!(r#"{{"type":"token_count","info":{{"total_token_usage":{usage},"last_token_usage":{usage},"model_context_window":272000}},"rate_limits":{{"limit_id":"codex","limit_name":null,"primary":null,"secondary":null,"credits":null,"plan_type":null,"rate_limit_reached_type":null}}}}"#), None)
    }

    /// What a user interface shows of a message.
    fn shown(&mut self, item: &str, event: &str, text: &str) -> io::Result<()> {
        let payload = if self.spec.is_paginated {
            format!(
                r#"{{"type":"item_completed","thread_id":"{THREAD}","turn_id":"{0}","item":{{"type":"{item}","id":"msg_{1}","content":[{{"type":"text","text":"{text}"}}]}},"started_at_ms":1772323200000,"completed_at_ms":1772323200000}}"#,
                turn_id(self.n_items),
                self.n_items
            )
        } else {
            format!(r#"{{"type":"{event}","message":"{text}"}}"#)
        };
        self.line("event_msg", &payload, None)
    }

    fn compaction(&mut self) -> io::Result<()> {
        let summary = self.words.text(2_000);
        self.line("compacted", &format!(r#"{{"message":"{summary}","replacement_history":[{{"type":"message","role":"user","content":[{{"type":"input_text","text":"earlier"}}]}},{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{summary}"}}]}}],"window_number":1,"window_id":"{THREAD}","compaction_response_id":null,"latest_token_usage_record":null}}"#), None)
    }
}

const THREAD: &str = "01a00000-0000-7000-8000-000000000001";

fn turn_id(n_items: usize) -> String {
    format!("01a00000-0000-7000-9000-{n_items:012}")
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
