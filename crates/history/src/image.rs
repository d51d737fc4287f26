//! The sizes of media, read from the first bytes of their data.

use crate::text::string;

/// What an image costs whose size is not known or does not matter, in bytes of text.
pub(crate) const IMAGE_BYTES: u64 = 7_373;

/// What an image behind a file id costs at its original size, in bytes of text.
const ORIGINAL_FILE_BYTES: u64 = 40_000;

/// The most patches that an image is cut into.
const MAX_PATCHES: u64 = 10_000;

/// What an image at its original size costs: 4 bytes for each patch of 32 × 32 pixels.
pub(crate) fn original_image_bytes(url: Option<&str>) -> u64 {
    let Some(url) = url.and_then(string) else {
        return ORIGINAL_FILE_BYTES;
    };
    let Some((width, height)) = data_of(&url, "image/", 64 * 1024).and_then(|data| size_of(&data))
    else {
        return IMAGE_BYTES;
    };
    let patches = u64::from(width).div_ceil(32) * u64::from(height).div_ceil(32);
    patches.min(MAX_PATCHES) * 4
}

/// How many samples a WAV in a data URL has, all channels counted once; `None` if it is no WAV.
pub(crate) fn wav_samples(url: &str) -> Option<u64> {
    let data = data_of(url, "audio/", usize::MAX)?;
    if data.get(..4)? != b"RIFF" || data.get(8..12)? != b"WAVE" {
        return None;
    }
    let mut at = 12;
    let mut block = 0_u64;
    while let Some(head) = data.get(at..at + 8) {
        let len = u64::from(little(head.get(4..8)?)?);
        let body = data.get(at + 8..)?;
        match head.get(..4)? {
            b"fmt " => block = u64::from(little_16(body.get(12..14)?)?),
            b"data" => return (block > 0).then(|| len.min(body.len() as u64) / block),
            _ => {}
        }
        let step = usize::try_from(len + len % 2).ok()?;
        at = at.checked_add(8)?.checked_add(step)?;
    }
    None
}

/// Up to `most` bytes of what a base64 data URL of a kind holds.
fn data_of(url: &str, kind: &str, most: usize) -> Option<Vec<u8>> {
    let head = url.get(..5)?;
    if !head.eq_ignore_ascii_case("data:") {
        return None;
    }
    let (mime, data) = url.get(5..)?.split_once(',')?;
    let is_kind = mime.get(..kind.len())?.eq_ignore_ascii_case(kind);
    let is_base64 = mime
        .rsplit(';')
        .next()?
        .trim()
        .eq_ignore_ascii_case("base64");
    if !is_kind || !is_base64 {
        return None;
    }
    let wanted = most.saturating_mul(4).div_ceil(3).min(data.len());
    let mut out = Vec::with_capacity(wanted);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in data.bytes().take(wanted) {
        let Some(value) = base64_value(byte) else {
            return (byte == b'=').then_some(out);
        };
        bits = (bits << 6) | value;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xFF).ok()?);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

fn base64_value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// Width and height of a PNG, GIF, WebP or JPEG.
fn size_of(data: &[u8]) -> Option<(u32, u32)> {
    if data.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some((big(data.get(16..20)?)?, big(data.get(20..24)?)?));
    }
    if data.starts_with(b"GIF8") {
        return Some((little_16(data.get(6..8)?)?, little_16(data.get(8..10)?)?));
    }
    if data.starts_with(b"RIFF") && data.get(8..12)? == b"WEBP" {
        return webp_size(data);
    }
    if data.starts_with(b"\xFF\xD8") {
        return jpeg_size(data);
    }
    None
}

fn webp_size(data: &[u8]) -> Option<(u32, u32)> {
    match data.get(12..16)? {
        b"VP8X" => {
            let three = |at: usize| {
                let bytes = data.get(at..at + 3)?;
                Some(
                    bytes
                        .iter()
                        .rev()
                        .fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte))
                        + 1,
                )
            };
            Some((three(24)?, three(27)?))
        }
        b"VP8 " => {
            let side = |at: usize| Some(little_16(data.get(at..at + 2)?)? & 0x3FFF);
            Some((side(26)?, side(28)?))
        }
        b"VP8L" => {
            let bits = little(data.get(21..25)?)?;
            Some(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1))
        }
        _ => None,
    }
}

/// A JPEG's size stands in its frame header, behind segments of any number.
fn jpeg_size(data: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        if *data.get(at)? != 0xFF {
            return None;
        }
        let marker = *data.get(at + 1)?;
        match marker {
            0xFF => at += 1,
            0x01 | 0xD0..=0xD8 => at += 2,
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                let big_16 = |at: usize| {
                    let bytes = data.get(at..at + 2)?;
                    Some(
                        bytes
                            .iter()
                            .fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte)),
                    )
                };
                return Some((big_16(at + 7)?, big_16(at + 5)?));
            }
            _ => {
                let len = data.get(at + 2..at + 4)?;
                let len = len
                    .iter()
                    .fold(0_usize, |sum, byte| (sum << 8) | usize::from(*byte));
                at += 2 + len.max(2);
            }
        }
    }
}

fn big(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

fn little(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn little_16(bytes: &[u8]) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(bytes.try_into().ok()?)))
}
