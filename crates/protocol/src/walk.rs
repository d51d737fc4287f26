//! Walks the top level of a JSON object or array without decoding or allocating.
//!
//! Meant for text that [`validate`](crate::validate) accepted. On any other text a walk ends early
//! or yields nonsense slices of that text, but never panics and never runs past its end.

use crate::quick::unescaped_len;

/// One member of a JSON object, as slices of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key between its quotes, escapes as they stand.
    pub key: &'a str,
    /// The value's own text.
    pub value: &'a str,
    /// Where the key's opening quote stands, in bytes from the start of the walked text.
    pub start: usize,
    /// Where the value ends.
    pub end: usize,
}

impl Member<'_> {
    pub(crate) const NONE: Self = Self {
        key: "",
        value: "",
        start: 0,
        end: 0,
    };

    /// Whether the key is `key`, escapes taken into account.
    pub fn is(&self, key: &str) -> bool {
        if self.key.contains('\\') {
            serde_json::from_str::<String>(&format!("\"{}\"", self.key))
                .is_ok_and(|decoded| decoded == key)
        } else {
            self.key == key
        }
    }
}

/// The members of the object `text`, in the order in which they stand.
///
/// Yields nothing if `text` is no object. Cost: one pass over the text up to the member asked for.
///
/// ```
/// use annals_protocol::members;
///
/// let keys: Vec<&str> = members(r#"{"a":[1,2],"b":"x"}"#).map(|member| member.key).collect();
/// assert_eq!(keys, ["a", "b"]);
/// ```
pub fn members(text: &str) -> Members<'_> {
    Members {
        inner: Walk::new(text, b'{'),
    }
}

/// The elements of the array `text`, in the order in which they stand.
///
/// Yields nothing if `text` is no array.
///
/// ```
/// use annals_protocol::elements;
///
/// let parts: Vec<&str> = elements(r#"[1, {"a":2}]"#).collect();
/// assert_eq!(parts, ["1", r#"{"a":2}"#]);
/// ```
pub fn elements(text: &str) -> Elements<'_> {
    Elements {
        inner: Walk::new(text, b'['),
    }
}

/// Iterator over the members of an object; made by [`members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    inner: Walk<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let start = self.inner.next_start()?;
        let key_end = skip_string(self.inner.bytes(), start)?;
        let colon = skip_space(self.inner.bytes(), key_end);
        if self.inner.bytes().get(colon) != Some(&b':') {
            return self.inner.stop();
        }
        let value_start = skip_space(self.inner.bytes(), colon + 1);
        let end = self.inner.take_value(value_start)?;
        Some(Member {
            key: self.inner.text.get(start + 1..key_end - 1)?,
            value: self.inner.text.get(value_start..end)?,
            start,
            end,
        })
    }
}

/// Iterator over the elements of an array; made by [`elements`].
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    inner: Walk<'a>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.inner.next_start()?;
        let end = self.inner.take_value(start)?;
        self.inner.text.get(start..end)
    }
}

#[derive(Debug, Clone)]
struct Walk<'a> {
    text: &'a str,
    /// Where the next entry may start; `None` once the walk is over.
    at: Option<usize>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, open: u8) -> Self {
        let start = skip_space(text.as_bytes(), 0);
        let at = (text.as_bytes().get(start) == Some(&open)).then_some(start + 1);
        Self { text, at }
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn stop<T>(&mut self) -> Option<T> {
        self.at = None;
        None
    }

    fn next_start(&mut self) -> Option<usize> {
        let mut start = skip_space(self.bytes(), self.at?);
        if self.bytes().get(start) == Some(&b',') {
            start = skip_space(self.bytes(), start + 1);
        }
        match self.bytes().get(start) {
            None | Some(b'}' | b']') => self.stop(),
            Some(_) => Some(start),
        }
    }

    fn take_value(&mut self, start: usize) -> Option<usize> {
        // Set first: a value that cannot be skipped ends the walk instead of repeating it.
        self.at = None;
        let end = skip_value(self.bytes(), start)?;
        self.at = Some(end);
        Some(end)
    }
}

/// The first place at or behind `at` that holds no JSON white space.
pub(crate) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
        .count()
}

/// The end of the string whose opening quote stands at `at`; `None` if there is no such string.
pub(crate) fn skip_string(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let mut at = at + 1;
    loop {
        at += unescaped_len(bytes.get(at..)?);
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            // A control character, which whoever checks will refuse.
            _ => at += 1,
        }
    }
}

/// The end of the value that starts at `at`.
pub(crate) fn skip_value(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => skip_string(bytes, at),
        b'{' | b'[' => skip_container(bytes, at),
        b',' | b':' | b'}' | b']' => None,
        _ => {
            let rest = bytes.get(at..)?;
            let len = rest
                .iter()
                .take_while(|byte| {
                    !matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r')
                })
                .count();
            Some(at + len)
        }
    }
}

fn skip_container(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = at;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = skip_string(bytes, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
