//! The example's loop over real HTTP: a tool, a death in the middle, a resume, and every request
//! extends the one before it.

#[path = "../../examples/agent_loop/agent.rs"]
#[expect(dead_code, reason = "the shell of the example is not run here")]
mod agent;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;

use agent::{Agent, Outcome};
use annals_core::{Thread, ThreadOptions, ThreadSettings};
use annals_protocol::members;
use annals_rollout::Home;
use annals_rollout::store::{JsonlStore, RolloutStore};
use serde_json::{Value, json};

/// Answers one request after the other from a script; gives the bodies that it got.
fn serve(script: Vec<Vec<Value>>) -> Outcome<(String, JoinHandle<std::io::Result<Vec<String>>>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    let server = std::thread::spawn(move || {
        let mut bodies = Vec::new();
        for events in script {
            let (mut stream, _) = listener.accept()?;
            let mut reader = BufReader::new(stream.try_clone()?);
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line)? > 2 {
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body)?;
            bodies.push(String::from_utf8_lossy(&body).into_owned());
            stream.write_all(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
            )?;
            for event in events {
                write!(stream, "event: x\ndata: {event}\n\n")?;
            }
        }
        Ok(bodies)
    });
    Ok((base_url, server))
}

fn done(item: &Value) -> Vec<Value> {
    vec![
        json!({"type": "response.created"}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": "resp_1",
            "usage": {"input_tokens": 90, "output_tokens": 10, "total_tokens": 100}}}),
    ]
}

fn call(id: &str, command: &str) -> Vec<Value> {
    let arguments = json!({"command": command}).to_string();
    done(
        &json!({"type": "function_call", "id": format!("fc_{id}"), "name": "shell",
        "arguments": arguments, "call_id": id}),
    )
}

fn answer(text: &str) -> Vec<Value> {
    let mut events = done(&json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": text}]}));
    events.insert(
        1,
        json!({"type": "response.output_text.delta", "delta": text}),
    );
    events
}

/// What the model was sent, without the brackets of the list.
fn input(body: &str) -> &str {
    let input = members(body).find(|member| member.is("input"));
    let input = input.map_or("", |member| member.value);
    input.trim_start_matches('[').trim_end_matches(']')
}

fn agent(thread: Thread, base_url: &str) -> Agent {
    Agent {
        thread,
        base_url: base_url.to_owned(),
        model: "model-a".to_owned(),
        key: "key".to_owned(),
        shell: |command| match command {
            "die" => Err("the process is gone".into()),
            other => Ok(format!("ran {other}")),
        },
        show: |_text| {},
    }
}

#[tokio::test]
async fn an_agent_that_died_in_a_tool_goes_on_where_it_was() -> Outcome<()> {
    let (base_url, server) = serve(vec![
        call("c1", "ls"),
        answer("Two files."),
        call("c2", "die"),
        answer("It is gone."),
        answer("Nothing more."),
    ])?;
    let dir = tempfile::tempdir()?;
    let store: Arc<dyn RolloutStore> = Arc::new(JsonlStore::new(Home::new(dir.path())));
    let options = ThreadOptions::default;
    let made = ThreadSettings::new("Be careful.");
    let thread = Thread::create(Arc::clone(&store), made, options()).await?;
    let id = thread.id();
    let mut first = agent(thread, &base_url);
    first.turn("What is here?").await?;
    let died = first.turn("And then?").await;
    assert_eq!(
        died.err().map(|error| error.to_string()).as_deref(),
        Some("the process is gone")
    );
    drop(first);

    let mut second = agent(Thread::resume(store, id, options()).await?, &base_url);
    second.turn("What happened?").await?;
    second.turn("Anything else?").await?;
    second.thread.shutdown().await?;

    let bodies = server.join().map_err(|_panic| "the server panicked")??;
    assert_eq!(bodies.len(), 5);
    for pair in bodies.windows(2) {
        let [earlier, later] = pair else { continue };
        assert!(
            input(later).starts_with(input(earlier)),
            "{earlier}\n{later}"
        );
    }
    let body: Value = serde_json::from_str(bodies.get(3).ok_or("no fourth request")?)?;
    let items = body
        .get("input")
        .and_then(Value::as_array)
        .ok_or("no list")?;
    let at = items
        .iter()
        .position(|item| item["call_id"] == "c2")
        .ok_or("no call")?;
    let stand_in = items.get(at + 1).ok_or("nothing behind the call")?;
    assert_eq!(stand_in["output"], "aborted");
    assert_eq!(stand_in["call_id"], "c2");
    Ok(())
}
