//! Which references to images and sound a service can read.

use crate::text::string;

/// Whether the JSON text `value` of an `image_url` is something that no service takes: the empty
/// string, or a data URL without a type, without `base64`, or without sound base64 data.
///
/// Links are left alone: whether they lead anywhere is not to be seen from here.
pub(crate) fn is_bad_image_url(value: &str) -> bool {
    let Some(url) = string(value) else {
        return true;
    };
    let Some(rest) = strip_prefix_ignore_case(&url, "data:") else {
        return url.trim().is_empty();
    };
    let Some((head, data)) = rest.split_once(',') else {
        return true;
    };
    let mut head = head.split(';');
    let mime = head.next().unwrap_or_default();
    let is_image =
        strip_prefix_ignore_case(mime, "image/").is_some_and(|subtype| !subtype.is_empty());
    let is_base64 = head.any(|part| part.trim().eq_ignore_ascii_case("base64"));
    !is_image || !is_base64 || !is_base64_data(data)
}

fn is_base64_data(data: &str) -> bool {
    let body = data.trim_end_matches('=');
    let padding = data.len() - body.len();
    !body.is_empty()
        && padding <= 2
        && body.len() % 4 != 1
        && body
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}

fn strip_prefix_ignore_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| text.get(prefix.len()..))
        .flatten()
}

#[cfg(test)]
#[path = "media_tests.rs"]
mod tests;
