//! One JSON value as the exact text that it was read from.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::check::{check_structure, validate};
use crate::walk::{members, skip_space};
use crate::{DecodeError, Member};

/// One valid JSON value, kept as shared UTF-8 text.
///
/// The text is what [`validate`] accepts, without white space around it. It never changes: numbers
/// keep their digits, strings their escapes, objects their order. Equality is equality of bytes.
///
/// Cost: a clone and a [`slice_ref`](Self::slice_ref) copy nothing; a slice keeps the whole text
/// that it was cut from alive until [`detach`](Self::detach) gives it one of its own.
///
/// # Example
///
/// ```
/// use annals_protocol::RawJson;
///
/// let raw = RawJson::parse(r#"{"n":1e400,"x":-0.0}"#)?;
/// assert_eq!(raw.member("n"), Some("1e400"));
/// assert_eq!(serde_json::to_string(&raw).unwrap(), raw.as_str());
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Clone)]
pub struct RawJson {
    text: Arc<str>,
    start: u32,
    end: u32,
}

impl RawJson {
    /// Takes a text that holds exactly one JSON value; white space around it is left out.
    ///
    /// # Errors
    ///
    /// What [`validate`] finds, or [`DecodeError::TooLarge`] from 4 GiB on.
    pub fn parse<T: Into<Arc<str>>>(text: T) -> Result<Self, DecodeError> {
        let text = text.into();
        validate(&text)?;
        Self::from_checked(text)
    }

    /// Writes a value as JSON and keeps the text.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Malformed`] if the value can't be written as JSON (a map whose keys are no
    /// strings), or what [`validate`] finds.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, DecodeError> {
        let text =
            serde_json::to_string(value).map_err(|error| DecodeError::malformed("value", error))?;
        check_structure(&text)?;
        Self::from_checked(text.into())
    }

    /// For text that went through the checks already.
    pub(crate) fn from_checked(text: Arc<str>) -> Result<Self, DecodeError> {
        let trimmed_end = text.trim_end_matches([' ', '\t', '\n', '\r']).len();
        let (Ok(start), Ok(end)) = (
            u32::try_from(skip_space(text.as_bytes(), 0)),
            u32::try_from(trimmed_end),
        ) else {
            return Err(DecodeError::TooLarge {
                len_bytes: text.len(),
                limit_bytes: u32::MAX as usize,
            });
        };
        Ok(Self { text, start, end })
    }

    /// The value's text.
    pub fn as_str(&self) -> &str {
        self.text
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// The value's text as bytes of UTF-8.
    pub fn as_bytes(&self) -> &[u8] {
        self.as_str().as_bytes()
    }

    /// How many bytes of UTF-8 the text has.
    pub fn len_bytes(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// The value inside this one whose text is `part`, sharing this text.
    ///
    /// `part` must be a slice of [`as_str`](Self::as_str) that holds one whole value, as
    /// [`member`](Self::member) and [`members`](crate::members) give it; `None` if it lies
    /// elsewhere in memory.
    pub fn slice_ref(&self, part: &str) -> Option<Self> {
        let base = self.text.as_ptr().addr();
        let start = part.as_ptr().addr().checked_sub(base)?;
        let end = start.checked_add(part.len())?;
        if start < self.start as usize || end > self.end as usize {
            return None;
        }
        Some(Self {
            text: Arc::clone(&self.text),
            start: u32::try_from(start).ok()?,
            end: u32::try_from(end).ok()?,
        })
    }

    /// The same value in a text of its own, so that it keeps nothing else alive.
    #[must_use = "the value itself still shares its text"]
    pub fn detach(&self) -> Self {
        if self.len_bytes() == self.text.len() {
            return self.clone();
        }
        Self {
            text: self.as_str().into(),
            start: 0,
            end: self.end - self.start,
        }
    }

    /// Decodes the text into a type.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Malformed`] if the value does not have the type's shape.
    pub fn decode<'a, T: Deserialize<'a>>(&'a self) -> Result<T, DecodeError> {
        serde_json::from_str(self.as_str()).map_err(|error| {
            DecodeError::malformed(
                std::any::type_name::<T>()
                    .rsplit("::")
                    .next()
                    .unwrap_or("value"),
                error,
            )
        })
    }

    /// The text of a top-level member; the last one where a key stands twice.
    pub fn member(&self, key: &str) -> Option<&str> {
        self.find(key).map(|member| member.value)
    }

    fn find(&self, key: &str) -> Option<Member<'_>> {
        members(self.as_str())
            .filter(|member| member.is(key))
            .last()
    }

    /// This object with one member set: in its old place if it was there, else at the end.
    ///
    /// Everything else keeps its bytes. A value that is no object comes back unchanged.
    #[must_use = "the value itself never changes"]
    pub fn with_member(&self, key: &str, value: &Self) -> Self {
        let text = self.as_str();
        let (head, tail) = match self.find(key) {
            Some(found) => (
                text.get(..found.end - found.value.len())
                    .unwrap_or_default()
                    .to_owned(),
                text.get(found.end..).unwrap_or_default(),
            ),
            None if text.starts_with('{') => {
                let head = text.get(..text.len() - 1).unwrap_or_default();
                let comma = if members(text).next().is_some() {
                    ","
                } else {
                    ""
                };
                let key = serde_json::Value::from(key);
                (format!("{head}{comma}{key}:"), "}")
            }
            None => return self.clone(),
        };
        Self::from_checked(format!("{head}{}{tail}", value.as_str()).into())
            .unwrap_or_else(|_| self.clone())
    }

    /// This object without one member; everything else keeps its bytes.
    #[must_use = "the value itself never changes"]
    pub fn without_member(&self, key: &str) -> Self {
        match self.without_member_parts(key) {
            Some((head, tail)) => {
                Self::from_checked(format!("{head}{tail}").into()).unwrap_or_else(|_| self.clone())
            }
            None => self.clone(),
        }
    }

    /// The text around a member, so that it can be left out without copying; `None` if there is
    /// no such member.
    ///
    /// The two parts put together are a valid object.
    pub fn without_member_parts(&self, key: &str) -> Option<(&str, &str)> {
        let text = self.as_str();
        let mut previous_end = None;
        let mut found = None;
        for member in members(text) {
            if member.is(key) {
                found = Some((previous_end, member));
            }
            previous_end = Some(member.end);
        }
        let (previous_end, member) = found?;
        let (cut_start, cut_end) = if let Some(end) = previous_end {
            (end, member.end)
        } else {
            let behind = skip_space(text.as_bytes(), member.end);
            let has_comma = text.as_bytes().get(behind) == Some(&b',');
            (
                member.start,
                if has_comma { behind + 1 } else { member.end },
            )
        };
        Some((text.get(..cut_start)?, text.get(cut_end..)?))
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({})", self.as_str())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for RawJson {}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(self.as_str()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        check_structure(raw.get()).map_err(D::Error::custom)?;
        Self::from_checked(Box::<str>::from(raw).into()).map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[path = "raw_tests.rs"]
mod tests;
