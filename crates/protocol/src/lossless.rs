//! A typed value together with the exact JSON that stands for it.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::{DecodeError, RawJson};

/// A typed view and the exact bytes behind it.
///
/// What was read is written back byte for byte, whatever the typed view knows of it: unknown
/// fields, the order of keys, the digits of numbers. A value made in code gets its bytes once, when
/// it is wrapped. Neither half can be changed afterwards, so they can't come apart.
///
/// # Example
///
/// ```
/// use annals_protocol::{Lossless, RawJson, ResponseItem};
///
/// let text = r#"{"type":"message","role":"user","content":[],"from_the_future":1.50}"#;
/// let item: Lossless<ResponseItem> = Lossless::parse(RawJson::parse(text)?)?;
/// assert!(matches!(item.typed(), ResponseItem::Message(_)));
/// assert_eq!(item.raw().as_str(), text);
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lossless<T> {
    raw: RawJson,
    typed: T,
}

impl<T> Lossless<T> {
    /// Wraps a value made in code: its JSON is written once, now.
    ///
    /// # Errors
    ///
    /// As [`RawJson::from_serialize`].
    pub fn new(typed: T) -> Result<Self, DecodeError>
    where
        T: Serialize,
    {
        Ok(Self {
            raw: RawJson::from_serialize(&typed)?,
            typed,
        })
    }

    /// Reads the typed view of a JSON value and keeps the value.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Malformed`] if a known member does not have its shape.
    pub fn parse(raw: RawJson) -> Result<Self, DecodeError>
    where
        T: DeserializeOwned,
    {
        let typed = raw.decode()?;
        Ok(Self { raw, typed })
    }

    /// For a view that was just read from these very bytes.
    pub(crate) fn from_parts(raw: RawJson, typed: T) -> Self {
        Self { raw, typed }
    }

    /// The exact JSON.
    pub fn raw(&self) -> &RawJson {
        &self.raw
    }

    /// The typed view.
    pub fn typed(&self) -> &T {
        &self.typed
    }

    /// Both halves.
    pub fn into_parts(self) -> (RawJson, T) {
        (self.raw, self.typed)
    }
}

impl<T> Serialize for Lossless<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lossless<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(RawJson::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
