//! Tests of how the sum of all requests is worded.

use annals_inspect::Session;
use annals_rollout::{ParentSearch, Source};

use super::*;

/// The sum that is told of a session of two requests, of which some were measured.
fn told(measures: [Option<(u64, u64)>; 2]) -> String {
    let mut text = String::new();
    let mut record = |kind: &str, payload: &str| {
        let time = "2026-01-03T12:00:00.000Z";
        let line =
            format!("{{\"timestamp\":\"{time}\",\"type\":\"{kind}\",\"payload\":{payload}}}\n");
        text.push_str(&line);
    };
    record("session_meta", "{\"id\":\"x\"}");
    for measure in measures {
        for (role, part) in [("user", "input_text"), ("assistant", "output_text")] {
            let content = format!("[{{\"type\":\"{part}\",\"text\":\"some words\"}}]");
            let item =
                format!("{{\"type\":\"message\",\"role\":\"{role}\",\"content\":{content}}}");
            record("response_item", &item);
        }
        if let Some((input, cached)) = measure {
            let usage = format!(
                "{{\"input_tokens\":{input},\"cached_input_tokens\":{cached},\"output_tokens\":5,\"reasoning_output_tokens\":0,\"total_tokens\":{}}}",
                input + 5
            );
            record(
                "event_msg",
                &format!(
                    "{{\"type\":\"token_count\",\"info\":{{\"total_token_usage\":{usage},\"last_token_usage\":{usage},\"model_context_window\":9}}}}"
                ),
            );
        }
    }
    let source = Source::from_bytes("memory", text).expect("not empty");
    let session = Session::open(source, &ParentSearch::default()).expect("a session");
    let report = session.cache(ReadUpTo::End, None).expect("readable");
    let mut out = Vec::new();
    total(&mut out, &report).expect("memory takes all");
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn what_the_file_reports_stands_beside_what_could_have_been() {
    let could = "\n2 requests: 5,000 of 11,000 input tokens could have been read from the cache\n";
    assert_eq!(
        told([Some((5_000, 0)), Some((6_000, 4_864))]),
        format!("{could}the file reports 4,864 read from it\nnothing was missed\n")
    );
    assert_eq!(
        told([Some((5_000, 0)), Some((6_000, 0))]),
        format!("{could}the file reports 0 read from it\nmissed: 5,000 tokens in 1 request\n")
    );
}

#[test]
fn what_was_not_measured_is_told_to_be_an_estimate() {
    assert_eq!(
        told([None, None]),
        "\n2 requests: about 3 of 12 input tokens could have been read from the cache\n\
         the file does not report how many were\n"
    );
    let some = told([Some((5_000, 0)), None]);
    assert!(some.contains("2 requests: about "), "{some}");
    let measured = "\nthe file reports 0 read from it in the 1 request that it measured\n";
    assert!(some.contains(measured), "{some}");
}
