//! Faults that users of such programs met, each with its number in the log of cases: the file of the
//! case in, the model-visible input and the warnings out.
//!
//! The files are found through `ANNALS_SHARED`; where it is not set, nothing is looked at here, and
//! the tests of the crates have the same cases on inputs of their own.
#![expect(clippy::print_stdout, reason = "says that it looked at nothing")]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Folder, Run, annals, lines};

/// The file of a case; none, with a note, where the files are not at hand.
fn file(case: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("ANNALS_SHARED") else {
        println!("ANNALS_SHARED is not set: {case} is not looked at");
        return None;
    };
    let path = Path::new(&root).join(format!("cases/bug-inputs/{case}.jsonl"));
    assert!(path.exists(), "{case}");
    Some(path)
}

/// An item in the letters of the log: `U"text"`, `FC(id)`, `FO(id)="text"`, `R(enc)`.
fn shape(item: &Value) -> String {
    let parts = |list: &Value| -> Vec<String> {
        let parts = list.as_array().expect("a list").iter();
        parts
            .map(|part| part["text"].as_str().unwrap_or("[media]").to_owned())
            .collect()
    };
    let of = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
    match item["type"].as_str().expect("a type") {
        "message" => {
            let role = of("role").to_uppercase();
            let texts = parts(&item["content"]).join("\" + \"");
            format!("{}\"{texts}\"", role.get(..1).unwrap_or_default())
        }
        "function_call" => format!("FC({})", of("call_id")),
        "function_call_output" => format!("FO({})=\"{}\"", of("call_id"), of("output")),
        "reasoning" => format!("R({})", of("encrypted_content")),
        other => other.to_owned(),
    }
}

fn run(case: &str) -> Option<Run> {
    let path = file(case)?;
    let name = path.to_string_lossy();
    let before = std::fs::read(&path).expect("the case");
    let run = annals(["prompt-input", &name]);
    assert_eq!(annals(["prompt-input", &name]).stdout, run.stdout, "{case}");
    assert_eq!(std::fs::read(&path).expect("it is there still"), before);
    Some(run)
}

/// The input that a case must give, and the number of lines of warning.
fn check(case: &str, items: &[&str], n_warnings: usize) {
    let Some(run) = run(case) else { return };
    assert_eq!(run.code, 0, "{case}: {run:?}");
    let input = run.json();
    let shapes: Vec<String> = input
        .as_array()
        .expect("a list")
        .iter()
        .map(shape)
        .collect();
    assert_eq!(shapes, items, "{case}");
    assert_eq!(
        lines(&run.stderr).len(),
        n_warnings,
        "{case}: {}",
        run.stderr
    );
}

#[test]
fn cases_b10_to_b28_on_fragments_and_state() {
    let environment = |cwd: &str, more: &str| {
        format!("<environment_context>\n  <cwd>{cwd}</cwd>\n{more}</environment_context>")
    };
    let more = "  <shell>bash</shell>\n  <current_date>2026-01-01</current_date>\n";
    let demo = environment("/home/dev/demo", more);
    check(
        "B10",
        &[
            &format!("U\"{demo}\" + \"Rename the helper\""),
            "A\"done\"",
            "U\"Now add a test\"",
            "A\"done 2\"",
        ],
        0,
    );
    let marker =
        "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>";
    check(
        "B12",
        &[
            "U\"push the branch\"",
            "FC(call_1)",
            "FO(call_1)=\"aborted\"",
            &format!("U\"{marker}\""),
            "U\"what is the status?\"",
            "A\"clean\"",
        ],
        1,
    );
    check("B25", &["U\"keep me\"", "A\"summary: work so far\""], 0);
    let told = [environment("/a", more), environment("/b", "")];
    check(
        "B28",
        &[
            &format!("U\"{}\"", told[0]),
            "U\"one\"",
            "A\"ok\"",
            &format!("U\"{}\"", told[1]),
        ],
        0,
    );
}

#[test]
fn cases_b36_to_b60_on_what_a_service_would_refuse() {
    check("B36", &["U\"hello\"", "A\"hi\""], 2);
    check(
        "B37",
        &[
            "U\"check three\"",
            "FC(call_a)",
            "FC(call_b)",
            "FO(call_b)=\"aborted\"",
            "FC(call_c)",
            "FO(call_a)=\"A\"",
            "FO(call_c)=\"C\"",
            "A\"done\"",
        ],
        1,
    );
    let ran = |output: &str| format!("FO(call_1)=\"{output}\"");
    check(
        "B39",
        &["U\"run\"", "FC(call_1)", &ran("real"), "A\"ok\""],
        1,
    );
    check(
        "B41",
        &["U\"run\"", "FC(call_1)", &ran("early"), "A\"ok\""],
        1,
    );
    check(
        "B43",
        &["U\"one\"", "U\"two\"", "R(ENC-b)", "A\"answer\""],
        1,
    );
    let omitted = "image content omitted because it could not be processed";
    check(
        "B47",
        &[
            &format!("U\"look\" + \"{omitted}\""),
            "U\"skip that\"",
            "A\"ok\"",
        ],
        1,
    );
    check(
        "B49",
        &["U\"touch it\"", "FC(call_1)", &ran(""), "A\"done\""],
        2,
    );
    check(
        "B52",
        &[
            "U\"a\"",
            "FC(call_1)",
            "FO(call_1)=\"aborted\"",
            "U\"b\"",
            "A\"ok\"",
            "FC(call_2)",
            "FO(call_2)=\"aborted\"",
            "U\"c\"",
        ],
        2,
    );
    check("B55", &["D\"developer text\"", "U\"hi\"", "A\"ok\""], 1);
    check("B57", &["U\"go\"", "A\"ok\""], 2);
    check("B60", &["D\"rules\"", "U\"hi\"", "A\"ok\""], 1);
}

#[test]
fn cases_b63_to_b94_on_damaged_files() {
    // A damaged line is told with its piece and a caret below.
    check("B63", &["U\"hi\"", "A\"first try\"", "U\"next\""], 3);
    check(
        "B66",
        &[
            "U\"first {brace} \"q\" }{ inside\"",
            "A\"second\"",
            "U\"third\"",
        ],
        3,
    );
    check("B67", &["U\"before\"", "A\"after\"", "U\"last\""], 3);
    let separators = "line sep \u{2028} and par sep \u{2029} and nel \u{85} inside";
    check("B68", &[&format!("U\"{separators}\""), "A\"ok\""], 0);
    check(
        "B69",
        &[
            "U\"hi\"",
            "FC(call_1)",
            "FO(call_1)=\"aborted\"",
            "U\"next\"",
        ],
        7,
    );
    check("B72", &["U\"keeps\r\nits own\"", "A\"ok\""], 0);
    check(
        "B76",
        &["U\"hi\"", "A\"ok\"", "U\"written by an older build\""],
        0,
    );
    check(
        "B77",
        &[
            "U\"shared\"",
            "A\"ok\"",
            "U\"from window 1\"",
            "U\"from window 2\"",
            "FC(call_w1)",
            "FC(call_w2)",
            "FO(call_w2)=\"two\"",
            "A\"answer in 2\"",
            "FO(call_w1)=\"one\"",
            "A\"answer in 1\"",
        ],
        0,
    );
    check("B91", &["U\"hi\"", "A\"ok\""], 3);
    check("B94", &["U\"hi\"", "A\"whole again\"", "U\"next\""], 3);
    for (case, word) in [("B89", "empty"), ("B118", "none of 3 lines")] {
        let Some(run) = run(case) else { return };
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{case}");
        assert!(run.stderr.contains(word), "{case}: {}", run.stderr);
    }
}

#[test]
fn cases_b80_to_b122_on_rollbacks_compactions_and_exactness() {
    check("B80", &["U\"one\"", "A\"ok 1\""], 0);
    check("B81", &["U\"one\"", "A\"ok 1\""], 0);
    check("B84", &["U\"A\"", "A\"ra\""], 0);
    let rules =
        "# AGENTS.md instructions for /home/dev/demo\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>";
    check("B85", &[&format!("U\"{rules}\""), "U\"D\"", "A\"rd\""], 0);
    check(
        "B92",
        &[
            "U\"one\"",
            "A\"ok 1\"",
            "U\"two\"",
            "FC(call_1)",
            "FO(call_1)=\"aborted\"",
        ],
        1,
    );
    check("B97", &["U\"build it\"", "A\"summary: half done\""], 0);
    check("B105", &["U\"one\"", "A\"ok 1\""], 0);
    check(
        "B110",
        &[
            "U\"a\"",
            "FC(call_1)",
            "FO(call_1)=\"aborted\"",
            "U\"b\"",
            "U\"c\"",
        ],
        3,
    );
    let code = "key = os.getenv(\"DEMO_API_KEY\")\ntoken = \"demo-not-a-secret\"";
    check(
        "B122",
        &[
            "U\"show the config code\"",
            "FC(call_1)",
            &format!("FO(call_1)=\"{code}\""),
            "A\"shown\"",
        ],
        0,
    );
}

/// B81 with one turn taken back instead of two, and B10 with one and with two.
#[test]
fn cases_b10_and_b81_with_other_counts_of_turns() {
    for (case, turns, left) in [
        ("B81", "1", ["U\"one\"", "U\"two\"", "A\"sum\""].as_slice()),
        ("B10", "2", &[]),
    ] {
        let Some(path) = file(case) else { return };
        let text = std::fs::read_to_string(path).expect("the case");
        let text = text.replace("\"num_turns\":2", "\"num_turns\":0");
        let folder = Folder::new();
        let copy = folder.write("copy.jsonl", text);
        let done = annals(["rollback", &copy, turns]);
        assert_eq!(done.code, 0, "{case}: {done:?}");
        let input = annals(["prompt-input", &copy]).json();
        let shapes: Vec<String> = input
            .as_array()
            .expect("a list")
            .iter()
            .map(shape)
            .collect();
        assert_eq!(shapes, left, "{case}");
    }
}

/// What does not fit in one look at the input: the base instructions that are kept, and two names
/// of nothing.
#[test]
fn cases_b104_and_b117_on_base_instructions_and_missing_files() {
    let Some(path) = file("B104") else { return };
    let base = annals(["show", "--base", &path.to_string_lossy()]);
    assert_eq!(base.code, 0, "{base:?}");
    assert!(
        base.stdout.contains("BASE v1: you are a careful helper."),
        "{base:?}"
    );
    for name in [
        "00000000-0000-7000-8000-00000000dead",
        "/nope/rollout.jsonl",
    ] {
        let run = annals(["prompt-input", name]);
        assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{name}");
        assert_eq!(lines(&run.stderr).len(), 1, "{name}: {}", run.stderr);
    }
}
