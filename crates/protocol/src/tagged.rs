//! Enums told apart by a `type` member, decoded without buffering.
//!
//! serde's own internally tagged enums buffer the whole object and drop what they don't know. Here
//! the tag is read first and the rest goes straight into the variant's struct; only if the tag does
//! not stand first are the members before it held back. A tag that nobody knows keeps its object.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer, StringDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::RawJson;

/// An object whose `type` is not known: its tag and all of it as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    tag: String,
    raw: RawJson,
}

impl Unknown {
    /// The value of `type`.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The whole object, `type` included.
    pub fn raw(&self) -> &RawJson {
        &self.raw
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

/// What a tagged enum does with a tag and the members that follow it.
pub(crate) trait FromTagged<'de>: Sized {
    /// What is being read, for messages.
    const EXPECTED: &'static str;

    fn from_tagged<A: MapAccess<'de>>(tag: &str, rest: Rest<'de, A>) -> Result<Self, A::Error>;
}

/// The members of a tagged object without its tag.
pub(crate) struct Rest<'de, A> {
    /// Members that stood before the tag.
    held: std::vec::IntoIter<(Cow<'de, str>, Box<RawValue>)>,
    held_value: Option<Box<RawValue>>,
    map: A,
}

impl<'de, A: MapAccess<'de>> Rest<'de, A> {
    /// Decodes the members into a variant's struct.
    pub(crate) fn into_struct<T: Deserialize<'de>>(self) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(self))
    }

    /// Keeps the members, in their order, with the tag in front.
    pub(crate) fn into_unknown(mut self, tag: &str) -> Result<Unknown, A::Error> {
        let mut text = format!("{{\"type\":{}", serde_json::Value::from(tag));
        while let Some(key) = self.next_key::<Cow<'de, str>>()? {
            let value: Box<RawValue> = self.next_value()?;
            text.push(',');
            text.push_str(&serde_json::Value::from(key.as_ref()).to_string());
            text.push(':');
            text.push_str(value.get());
        }
        text.push('}');
        let raw = RawJson::parse(text).map_err(A::Error::custom)?;
        Ok(Unknown {
            tag: tag.to_owned(),
            raw,
        })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        match self.held.next() {
            Some((key, value)) => {
                self.held_value = Some(value);
                match key {
                    Cow::Borrowed(key) => seed.deserialize(BorrowedStrDeserializer::new(key)),
                    Cow::Owned(key) => seed.deserialize(StringDeserializer::new(key)),
                }
                .map(Some)
            }
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.held_value.take() {
            // The text is owned here, so nothing may be borrowed from it.
            Some(value) => {
                let mut deserializer =
                    serde_json::Deserializer::from_reader(value.get().as_bytes());
                seed.deserialize(&mut deserializer)
                    .map_err(A::Error::custom)
            }
            None => self.map.next_value_seed(seed),
        }
    }
}

/// Decodes any type that implements [`FromTagged`].
pub(crate) fn deserialize<'de, T: FromTagged<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_map(TaggedVisitor(PhantomData))
}

struct TaggedVisitor<T>(PhantomData<T>);

impl<'de, T: FromTagged<'de>> Visitor<'de> for TaggedVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with a `type`", T::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut held = Vec::new();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            if key.0 == "type" {
                let tag: Key<'de> = map.next_value()?;
                let rest = Rest {
                    held: held.into_iter(),
                    held_value: None,
                    map,
                };
                return T::from_tagged(&tag.0, rest);
            }
            held.push((key.0, map.next_value()?));
        }
        Err(A::Error::missing_field("type"))
    }
}

/// A string that is borrowed where the input allows it.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// A struct with its tag in front, for writing.
#[derive(serde::Serialize)]
pub(crate) struct Tagged<'a, T> {
    #[serde(rename = "type")]
    pub(crate) tag: &'a str,
    #[serde(flatten)]
    pub(crate) inner: &'a T,
}

/// Defines an enum told apart by `type`, with `Other` for tags that it does not know.
macro_rules! tagged_enum {
    (
        $(#[$meta:meta])*
        $name:ident, $expected:literal {
            $( $(#[$variant_meta:meta])* $variant:ident($payload:ty) = $tag:literal $(| $alias:literal)*, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$variant_meta])* $variant($payload), )+
            /// A kind that this version does not know, kept whole.
            Other(crate::Unknown),
        }

        impl $name {
            /// The value of the `type` member.
            pub fn tag(&self) -> &str {
                match self {
                    $( Self::$variant(_) => $tag, )+
                    Self::Other(unknown) => unknown.tag(),
                }
            }
        }

        impl<'de> crate::tagged::FromTagged<'de> for $name {
            const EXPECTED: &'static str = $expected;

            fn from_tagged<A: serde::de::MapAccess<'de>>(
                tag: &str,
                rest: crate::tagged::Rest<'de, A>,
            ) -> Result<Self, A::Error> {
                match tag {
                    $( $tag $(| $alias)* => rest.into_struct().map(Self::$variant), )+
                    _ => rest.into_unknown(tag).map(Self::Other),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::tagged::deserialize(deserializer)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                crate::schema::tagged(
                    $expected,
                    &[$( (&[$tag $(, $alias)*], generator.subschema_for::<$payload>()), )+],
                )
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $( Self::$variant(inner) => {
                        crate::tagged::Tagged { tag: $tag, inner }.serialize(serializer)
                    } )+
                    Self::Other(unknown) => unknown.serialize(serializer),
                }
            }
        }
    };
}
pub(crate) use tagged_enum;

/// Defines an enum of strings that keeps the strings that it does not know.
macro_rules! open_enum {
    (
        $(#[$meta:meta])*
        $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $text:literal $(| $alias:literal)*, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )+
            /// A value that this version does not know, as it stands on the wire.
            Other(String),
        }

        impl $name {
            /// The value as it stands on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $text, )+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $( $text $(| $alias)* => Self::$variant, )+
                    _ => Self::Other(text.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "examples": [$( $text ),+]})
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Ok(Self::from(text.as_ref()))
            }
        }
    };
}
pub(crate) use open_enum;

#[cfg(test)]
#[path = "tagged_tests.rs"]
mod tests;
