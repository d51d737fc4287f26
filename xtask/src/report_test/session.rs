//! Sessions that the repository does not hold: one too large for it, one full of traps.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use serde_json::{Value, json};

fn record(kind: &str, payload: &Value) -> String {
    json!({"timestamp": "2026-05-02T07:00:00.000Z", "type": kind, "payload": payload}).to_string()
}

fn head() -> String {
    record(
        "session_meta",
        &json!({
            "id": "019de700-0000-7000-8000-000000000001", "timestamp": "2026-05-02T07:00:00.000Z",
            "cwd": "/home/ines/lanterns", "originator": "annals-example", "cli_version": "0.171.0",
            "source": "cli"
        }),
    )
}

fn message(role: &str, text: &str) -> String {
    let part = if role == "assistant" {
        "output_text"
    } else {
        "input_text"
    };
    let payload = json!({
        "type": "message", "role": role, "content": [{"type": part, "text": text}]
    });
    record("response_item", &payload)
}

/// Writes a session of so many items: turns of a question, a call, its output, and an answer.
pub(super) fn write(path: &Path, n_items: usize) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "{}", head())?;
    for item in 0..n_items {
        let turn = item / 4 + 1;
        let id = format!("call_{turn}");
        let line = match item % 4 {
            0 => message("user", &format!("Is light {turn} in its place?")),
            1 => record(
                "response_item",
                &json!({
                    "type": "function_call", "name": "exec_command", "call_id": id,
                    "arguments": format!("{{\"cmd\":\"grep -c {turn} lights.txt\"}}")
                }),
            ),
            2 => record(
                "response_item",
                &json!({
                    "type": "function_call_output", "call_id": id,
                    "output": format!("light {turn}\n{}", "no fault seen, lamp clean\n".repeat(8))
                }),
            ),
            _ => message("assistant", &format!("Light {turn} is in its place.")),
        };
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// A session whose texts would end the page, run a script or fetch a picture, were they not texts.
pub(super) fn hostile() -> String {
    let trap = "</script><script>document.title = 'caught'</script>\
                <img src=x onerror=\"document.title = 'caught'\"><!--<script>\u{2028}";
    [
        head(),
        message("user", trap),
        message("assistant", trap),
        String::new(),
    ]
    .join("\n")
}
