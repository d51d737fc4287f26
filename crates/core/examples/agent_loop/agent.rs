//! The loop itself: tell, ask, record, run the tool, ask again.

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::process::Command;

use annals_core::{AbortReason, ResponseOrder, Thread, TurnSettings, tool_output, user_message};
use annals_history::{ItemEnvelope, Prompt, PromptOptions};
use annals_protocol::{RawJson, ResponseItem, TokenUsage};
use serde_json::{Value, json};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A thread, a model behind an endpoint, and a shell.
pub(crate) struct Agent {
    pub(crate) thread: Thread,
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) key: String,
    pub(crate) shell: fn(&str) -> Outcome<String>,
    pub(crate) show: fn(&str),
}

impl Agent {
    /// One turn: from what the user says to the answer that asks for no tool.
    pub(crate) async fn turn(&mut self, words: &str) -> Outcome<()> {
        // The settings as they are now. The thread tells the model what of them it does not know:
        // everything on the first turn, afterwards only what changed.
        let cwd = std::env::current_dir()?;
        let settings = TurnSettings::new(&self.model, cwd.to_string_lossy()).with_shell("sh");
        let world = self.thread.world_state(&settings)?;
        self.thread.begin_turn(&settings, world).await?;
        self.thread.record([user_message(words)?]).await?;
        loop {
            let prompt = self.thread.prompt(PromptOptions::default());
            let (items, usage) = match self.ask(&prompt) {
                Ok(answer) => answer,
                Err(error) => {
                    // The model is told that it was cut off; the next turn goes on from here.
                    self.thread.abort(AbortReason::Interrupted).await?;
                    return Err(error);
                }
            };
            // Recorded before anything is run: a process that dies in a tool leaves the call behind,
            // and the next one sends a stand-in for its output.
            self.thread.record(items.iter().cloned()).await?;
            self.thread.record_usage(usage, None).await?;
            let calls = calls(&items)?;
            if calls.is_empty() {
                return Ok(self.thread.complete().await?);
            }
            for (call_id, command) in calls {
                let output = (self.shell)(&command)?;
                self.thread.record([tool_output(call_id, output)?]).await?;
            }
            // Whatever the tool changed of the world is told before the next request.
            let world = self.thread.world_state(&settings)?;
            self.thread.step(world).await?;
        }
    }

    /// Sends the prompt, and reads the answer as it comes.
    fn ask(&self, prompt: &Prompt) -> Outcome<(Vec<ItemEnvelope>, TokenUsage)> {
        let answer = ureq::post(format!("{}/responses", self.base_url))
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .send(self.body(prompt)?)?;
        let (mut items, mut order) = (Vec::new(), ResponseOrder::default());
        for line in BufReader::new(answer.into_body().into_reader()).lines() {
            let line = line?;
            let Some(data) = line.strip_prefix("data: ") else {
                continue;
            };
            let event: Value = serde_json::from_str(data)?;
            let text = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or_default();
            match text("type") {
                "response.output_text.delta" => (self.show)(text("delta")),
                "response.output_item.done" => {
                    // The item is kept as the service wrote it, to the byte.
                    let whole = RawJson::parse(data)?;
                    let item = RawJson::parse(whole.member("item").unwrap_or_default())?;
                    let place = event.get("output_index").and_then(Value::as_u64);
                    let place = place.unwrap_or(items.len() as u64);
                    items.extend(order.done(place, ItemEnvelope::new(item)));
                }
                "response.completed" => {
                    items.extend(order.finish());
                    let usage = event.pointer("/response/usage").cloned();
                    let usage = usage.map(serde_json::from_value).transpose()?;
                    return Ok((items, usage.unwrap_or_default()));
                }
                "response.failed" | "error" => return Err(data.into()),
                _ => {}
            }
        }
        Err("the stream ended before the response did".into())
    }

    /// The request's body: the prompt's bytes as they are, behind all the rest.
    fn body(&self, prompt: &Prompt) -> Outcome<Vec<u8>> {
        let command = json!({"type": "object", "properties": {"command": {"type": "string"}}});
        let mut body = serde_json::to_vec(&json!({
            "model": self.model,
            "instructions": self.thread.base_instructions(),
            "stream": true,
            "store": false,
            "tools": [{"type": "function", "name": "shell", "parameters": command,
                "description": "Runs a command and returns what it prints."}],
        }))?;
        body.pop();
        body.extend_from_slice(b",\"input\":");
        prompt.write_to(&mut body)?;
        body.push(b'}');
        Ok(body)
    }
}

/// The ids and commands of the calls among these items.
fn calls(items: &[ItemEnvelope]) -> Outcome<Vec<(String, String)>> {
    let mut calls = Vec::new();
    for item in items {
        if let ResponseItem::FunctionCall(call) = item.decode()? {
            let arguments: Value = serde_json::from_str(&call.arguments)?;
            let command = arguments.get("command").and_then(Value::as_str);
            calls.push((call.call_id, command.unwrap_or("true").to_owned()));
        }
    }
    Ok(calls)
}

/// The one tool. Nothing keeps the model from doing harm here: it is an example.
pub(crate) fn run_in_shell(command: &str) -> Outcome<String> {
    let output = Command::new("sh").arg("-c").arg(command).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    Ok(format!("{}\n{text}{errors}", output.status))
}
