//! Proptest strategies for items and lines, as JSON text.
//!
//! They make what real files hold and what a future version or a foreign program may put there:
//! unknown kinds, members and parts, odd numbers, deep values, every sort of text.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Any valid JSON value, at most a few levels deep.
pub fn json_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        json_number(),
        json_string(),
        // Deep, but well within what is allowed.
        (1_usize..40).prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth))),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            vec((json_string(), inner), 0..4).prop_map(|members| {
                let members: Vec<String> = members
                    .into_iter()
                    .enumerate()
                    // The index keeps keys apart: a key that stands twice is another matter.
                    .map(|(index, (key, value))| format!("{}:{value}", suffixed(&key, index)))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn suffixed(key: &str, index: usize) -> String {
    format!("{}_{index}\"", key.strip_suffix('"').unwrap_or(key))
}

/// A JSON number, most of them odd.
pub fn json_number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        select(vec![
            "-0",
            "-0.0",
            "1e400",
            "1.50",
            "0.1E-7",
            "12345678901234567890",
            "-98765432109876543210.5e+3",
        ])
        .prop_map(str::to_owned),
    ]
}

/// A JSON string with its quotes: any characters, some of them needlessly escaped.
pub fn json_string() -> impl Strategy<Value = String> {
    vec(
        prop_oneof![
            8 => any::<char>().prop_map(|character| {
                let quoted = serde_json::Value::from(character.to_string()).to_string();
                quoted.trim_matches('"').to_owned()
            }),
            1 => select(vec![
                r"\u0041", r"\/", r"\ud83d\ude00", r#"\""#, r"\\", r"\n", "\u{2028}", "\u{85}",
                "<environment_context>", r"\\ud800",
            ])
            .prop_map(str::to_owned),
        ],
        0..12,
    )
    .prop_map(|parts| format!("\"{}\"", parts.concat().replace("\"\"", "")))
    .prop_filter("trimming may have cut an escape", |text| {
        serde_json::from_str::<String>(text).is_ok()
    })
}

/// Members that no version knows, as `,"key":value` runs; may be empty.
fn unknown_members() -> impl Strategy<Value = String> {
    vec(json_value(), 0..3).prop_map(|values| {
        let members: Vec<String> = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| format!(",\"x_unknown_{index}\":{value}"))
            .collect();
        members.concat()
    })
}

/// One content part of a message, known or not.
pub fn content_part() -> impl Strategy<Value = String> {
    let known = (
        select(vec!["input_text", "output_text"]),
        json_string(),
        unknown_members(),
    )
        .prop_map(|(tag, text, more)| format!(r#"{{"type":"{tag}","text":{text}{more}}}"#));
    let image = unknown_members().prop_map(|more| {
        format!(r#"{{"type":"input_image","image_url":"data:image/png;base64,AA=="{more}}}"#)
    });
    let unknown =
        unknown_members().prop_map(|more| format!(r#"{{"type":"part_of_tomorrow"{more}}}"#));
    prop_oneof![6 => known, 1 => image, 1 => unknown]
}

/// One response item of any kind, known or not, with members known and unknown.
pub fn item_text() -> impl Strategy<Value = String> {
    let id = select(vec!["", r#","id":"msg_1""#, r#","id":"""#]);
    let call = select(vec!["call_a", "call_b", "call_c"]);
    let message = (
        select(vec!["user", "assistant", "developer", "system", "critic"]),
        vec(content_part(), 0..4),
    )
        .prop_map(|(role, parts)| {
            format!(
                r#""type":"message","role":"{role}","content":[{}]"#,
                parts.join(",")
            )
        });
    let reasoning = (json_string(), any::<bool>()).prop_map(|(text, encrypted)| {
        let encrypted = if encrypted { r#""gAAA""# } else { "null" };
        format!(
            r#""type":"reasoning","summary":[{{"type":"summary_text","text":{text}}}],"content":null,"encrypted_content":{encrypted}"#
        )
    });
    let function = (call.clone(), json_string()).prop_map(|(call, arguments)| {
        format!(r#""type":"function_call","name":"f","arguments":{arguments},"call_id":"{call}""#)
    });
    let custom = (call.clone(), json_string()).prop_map(|(call, input)| {
        format!(r#""type":"custom_tool_call","call_id":"{call}","name":"exec","input":{input}"#)
    });
    let output = (
        select(vec!["function_call_output", "custom_tool_call_output"]),
        call,
        prop_oneof![
            json_string(),
            vec(json_string(), 0..3).prop_map(|texts| {
                let parts: Vec<String> = texts
                    .into_iter()
                    .map(|text| format!(r#"{{"type":"input_text","text":{text}}}"#))
                    .collect();
                format!("[{}]", parts.join(","))
            })
        ],
    )
        .prop_map(|(tag, call, output)| {
            format!(r#""type":"{tag}","call_id":"{call}","output":{output}"#)
        });
    let search = json_value().prop_map(|arguments| {
        format!(
            r#""type":"tool_search_call","call_id":null,"execution":"server","arguments":{arguments}"#
        )
    });
    let unknown = Just(r#""type":"item_of_tomorrow""#.to_owned());
    let body = prop_oneof![
        4 => message, 1 => reasoning, 2 => function, 2 => custom, 4 => output, 1 => search,
        1 => unknown
    ];
    (body, id, unknown_members(), any::<bool>()).prop_map(|(body, id, more, tag_last)| {
        if tag_last && !more.is_empty() {
            // The tag need not stand first.
            format!("{{{}{id},{body}}}", more.trim_start_matches(','))
        } else {
            format!("{{{body}{id}{more}}}")
        }
    })
}

/// One line of a rollout that holds a response item, without its line end.
pub fn line_text() -> impl Strategy<Value = String> {
    let ordinal = proptest::option::of(any::<u64>());
    let metadata = select(vec![
        "",
        r#","metadata":{"client_authored":false,"later":[1,{}]}"#,
    ]);
    (item_text(), ordinal, metadata).prop_map(|(item, ordinal, metadata)| {
        let ordinal = ordinal.map_or(String::new(), |ordinal| format!(r#","ordinal":{ordinal}"#));
        format!(
            r#"{{"timestamp":"2026-01-03T12:00:00.000Z"{ordinal},"type":"response_item","payload":{item}{metadata}}}"#
        )
    })
}
