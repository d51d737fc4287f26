//! Takes secrets out of texts: keys, tokens, mail addresses and names of home folders.
//!
//! What only names a secret (`os.getenv("API_KEY")`) stays; so does everything that is not known to
//! be one. It is no proof that nothing is left.

use std::collections::BTreeMap;

/// What a secret key begins with, whoever gave it out.
const KEY_STARTS: [&str; 16] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "npm_",
    "hf_",
    "AIza",
];
/// How long what follows is at least.
const KEY_CHARS: usize = 16;
/// Words that stand before a secret as its name.
const SECRET_NAMES: [&str; 6] = ["key", "token", "secret", "password", "passwd", "bearer"];
const PRIVATE_KEY_START: &str = "-----BEGIN ";
const PRIVATE_KEY_END: &str = "-----END ";
const DASHES: &str = "-----";

/// Replaces secrets by placeholders; the same secret by the same one, for as long as it lives.
///
/// # Example
///
/// ```
/// use annals_inspect::Redactor;
///
/// let mut redactor = Redactor::default();
/// assert_eq!(redactor.text("mail mara@example.org"), "mail [mail-1]");
/// assert_eq!(redactor.text("/home/mara/notes"), "/home/[user-1]/notes");
/// assert_eq!(redactor.text(r#"os.getenv("DEMO_API_KEY")"#), r#"os.getenv("DEMO_API_KEY")"#);
/// assert_eq!(redactor.n_replaced(), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    known: BTreeMap<Sort, BTreeMap<String, usize>>,
    n_replaced: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Secret,
    Mail,
    User,
}

impl Redactor {
    /// How many places were replaced so far.
    pub const fn n_replaced(&self) -> u64 {
        self.n_replaced
    }

    /// The text without its secrets.
    ///
    /// **Cost**: O(length).
    pub fn text(&mut self, text: &str) -> String {
        let text = self.without_private_keys(text);
        let mut out = String::with_capacity(text.len());
        // The word before, and whether what stands between makes it the name of the next one.
        let mut before = String::new();
        let mut between = String::new();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if end == 0 {
                let end = rest.find(is_word).unwrap_or(rest.len());
                let (gap, behind) = rest.split_at(end);
                out.push_str(gap);
                between.push_str(gap);
                rest = behind;
                continue;
            }
            let (word, behind) = rest.split_at(end);
            rest = behind;
            let core = word.trim_end_matches(['.', '-']);
            let replaced = if is_key(core) || (is_named(&before, &between) && is_random(core)) {
                Some(self.placeholder(Sort::Secret, core))
            } else if is_mail(core) {
                Some(self.placeholder(Sort::Mail, core))
            } else if is_user(&before, &between) && core == word {
                Some(self.placeholder(Sort::User, core))
            } else {
                None
            };
            match replaced {
                Some(placeholder) => {
                    out.push_str(&placeholder);
                    out.push_str(word.strip_prefix(core).unwrap_or_default());
                }
                None => out.push_str(word),
            }
            word.clone_into(&mut before);
            between.clear();
        }
        out
    }

    /// A JSON text with the secrets taken out of its strings; everything else keeps its bytes.
    ///
    /// Encrypted contents are left alone: nobody can read them.
    ///
    /// **Cost**: O(length).
    pub fn json(&mut self, json: &str) -> String {
        let mut out = String::with_capacity(json.len());
        let mut rest = json;
        let mut is_encrypted = false;
        while let Some(start) = rest.find('"') {
            let (gap, string) = rest.split_at(start);
            out.push_str(gap);
            let end = string_end(string);
            let (string, behind) = string.split_at(end);
            rest = behind;
            match serde_json::from_str::<String>(string) {
                Ok(text) if !is_encrypted => {
                    let clean = self.text(&text);
                    if clean == text {
                        out.push_str(string);
                    } else {
                        out.push_str(&serde_json::Value::from(clean).to_string());
                    }
                    is_encrypted = text == "encrypted_content" && behind.starts_with(':');
                }
                _ => {
                    out.push_str(string);
                    is_encrypted = false;
                }
            }
        }
        out.push_str(rest);
        out
    }

    fn placeholder(&mut self, sort: Sort, value: &str) -> String {
        self.n_replaced += 1;
        let known = self.known.entry(sort).or_default();
        let next = known.len() + 1;
        let number = *known.entry(value.to_owned()).or_insert(next);
        let word = match sort {
            Sort::Secret => "secret",
            Sort::Mail => "mail",
            Sort::User => "user",
        };
        format!("[{word}-{number}]")
    }

    fn without_private_keys(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(PRIVATE_KEY_START) {
            let (before, block) = rest.split_at(start);
            out.push_str(before);
            if let Some(behind) = behind_private_key(block) {
                let key = block.strip_suffix(behind).unwrap_or(block);
                out.push_str(&self.placeholder(Sort::Secret, key));
                rest = behind;
            } else {
                out.push_str(PRIVATE_KEY_START);
                rest = block.strip_prefix(PRIVATE_KEY_START).unwrap_or_default();
            }
        }
        out.push_str(rest);
        out
    }
}

/// What stands behind the private key that `block` starts with; `None` if it starts with none.
///
/// A key whose end was cut off ends where its text no longer looks like one. Nothing is looked at
/// behind the next five dashes, so a text full of beginnings costs one pass.
fn behind_private_key(block: &str) -> Option<&str> {
    let (label, body) = label(block.strip_prefix(PRIVATE_KEY_START)?);
    let body = body.strip_prefix(DASHES)?;
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let dashes = body.find(DASHES).unwrap_or(body.len());
    let Some(end) = body.split_at(dashes).1.strip_prefix(PRIVATE_KEY_END) else {
        return behind_key_lines(body);
    };
    let behind = self::label(end).1;
    Some(behind.strip_prefix(DASHES).unwrap_or(behind))
}

/// The words between the dashes of a private key's first or last line, and what follows them.
fn label(text: &str) -> (&str, &str) {
    let is_label = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == ' ';
    text.split_at(text.find(|c| !is_label(c)).unwrap_or(text.len()))
}

/// What stands behind the lines of a private key without an end; `None` if there is no such line.
fn behind_key_lines(body: &str) -> Option<&str> {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut behind = None;
    let mut rest = body;
    loop {
        // A text within a text has its line ends escaped.
        let line = rest.trim_start_matches(['\n', '\r', ' ', '\t', '\\']);
        let (line, next) = line.split_at(line.find(|c| !is_base64(c)).unwrap_or(line.len()));
        if line.len() < KEY_CHARS {
            return behind;
        }
        behind = Some(next);
        rest = next;
    }
}

/// Characters that keys, addresses and names are made of.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '+' | '@' | '~' | '%')
}

fn is_key(word: &str) -> bool {
    let body = KEY_STARTS
        .iter()
        .find_map(|start| word.strip_prefix(start))
        .or_else(|| word.strip_prefix("AKIA").filter(|body| body.len() == 16));
    let is_web_token = word.starts_with("eyJ") && word.matches('.').count() == 2;
    is_web_token && word.len() >= 40
        || body.is_some_and(|body| body.len() >= KEY_CHARS && is_random(body))
}

/// Whether a word looks made by a machine: long, with digits and letters.
fn is_random(word: &str) -> bool {
    word.len() >= KEY_CHARS
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.+~%".contains(&byte))
}

/// Whether the word before names what follows as a secret.
fn is_named(before: &str, between: &str) -> bool {
    let name = before.to_ascii_lowercase();
    let is_bearer = name == "bearer" && between == " ";
    let is_assigned = between.len() <= 8
        && between.contains(['=', ':'])
        && between.chars().all(|c| "\"'=: ".contains(c));
    is_bearer || (is_assigned && SECRET_NAMES.iter().any(|secret| name.ends_with(secret)))
}

fn is_mail(word: &str) -> bool {
    let Some((name, domain)) = word.split_once('@') else {
        return false;
    };
    let Some((host, end)) = domain.rsplit_once('.') else {
        return false;
    };
    !name.is_empty()
        && !host.is_empty()
        && !domain.contains('@')
        && (2..=24).contains(&end.len())
        && end.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether what follows is the name of a person's folder.
fn is_user(before: &str, between: &str) -> bool {
    matches!(
        (before, between),
        ("home" | "Users", "/") | ("Users", "\\" | "\\\\")
    )
}

/// Where the JSON string that `text` starts with ends.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
