//! What items cost by estimate.

use annals_history::estimate_item_tokens;
use annals_protocol::RawJson;
use serde_json::{Value, json};

use crate::items::{call, image, message, output, reasoning, text, user};

fn tokens(item: &Value) -> u64 {
    estimate_item_tokens(&RawJson::parse(item.to_string()).unwrap())
}

fn base64(data: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in data.chunks(3) {
        let bits = chunk
            .iter()
            .fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for idx in 0..4 {
            let digit = usize::try_from((bits >> (18 - 6 * idx)) & 63).unwrap();
            out.push(if idx <= chunk.len() {
                char::from(DIGITS[digit])
            } else {
                '='
            });
        }
    }
    out
}

fn original(kind: &str, data: &[u8]) -> Value {
    let url = format!("data:image/{kind};base64,{}", base64(data));
    let mut part = image(&url);
    part["detail"] = json!("original");
    message("user", &[part])
}

#[test]
fn texts_cost_a_quarter_of_their_bytes_and_escapes_nothing() {
    assert_eq!(tokens(&user("")), 0);
    assert_eq!(tokens(&user("123456789")), 3);
    assert_eq!(tokens(&user("\n\n\n\n")), 1);
    assert_eq!(tokens(&user("要約")), 2);
    let mut with_id = user("1234");
    with_id["id"] = json!("msg_0000000000000000000000000000");
    assert_eq!(tokens(&with_id), 1);
    assert_eq!(tokens(&output("c1", json!("12345678"))), 3);
    assert_eq!(tokens(&output("c1", json!([text("12345678")]))), 3);
    // `run` and `{}`
    assert_eq!(tokens(&call("c1")), 2);
}

#[test]
fn reasoning_costs_what_its_encryption_hides() {
    assert_eq!(tokens(&reasoning(&"x".repeat(900))), 7);
    assert_eq!(tokens(&reasoning(&"x".repeat(1_000))), 25);
    assert_eq!(tokens(&reasoning("short")), 0);
    assert_eq!(
        tokens(
            &json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "long enough"}]})
        ),
        0
    );
}

#[test]
fn images_cost_by_size_and_not_by_data() {
    let plain = |url: &str| message("user", &[image(url)]);
    assert_eq!(tokens(&plain("https://example.org/a.png")), 1_844);
    assert_eq!(
        tokens(&plain(&format!(
            "data:image/png;base64,{}",
            "A".repeat(40_000)
        ))),
        1_844
    );
    let by_id = message(
        "user",
        &[json!({"type": "input_image", "file_id": "f1", "detail": "original"})],
    );
    assert_eq!(tokens(&by_id), 10_000);
    let made = json!({"type": "image_generation_call", "status": "completed", "revised_prompt": "1234", "result": "AAAA"});
    assert_eq!(tokens(&made), 1_845);
}

#[test]
fn originals_cost_by_their_patches() {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend(65_u32.to_be_bytes());
    png.extend(32_u32.to_be_bytes());
    assert_eq!(tokens(&original("png", &png)), 3);

    let mut gif = b"GIF89a".to_vec();
    gif.extend(320_u16.to_le_bytes());
    gif.extend(64_u16.to_le_bytes());
    assert_eq!(tokens(&original("gif", &gif)), 20);

    let mut jpeg = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xC0\0\x11\x08".to_vec();
    jpeg.extend(33_u16.to_be_bytes());
    jpeg.extend(31_u16.to_be_bytes());
    assert_eq!(tokens(&original("jpeg", &jpeg)), 2);

    let mut webp = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0".to_vec();
    webp.extend([31, 0, 0, 63, 0, 0]);
    assert_eq!(tokens(&original("webp", &webp)), 2);

    let mut huge = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    huge.extend(u32::MAX.to_be_bytes());
    huge.extend(u32::MAX.to_be_bytes());
    assert_eq!(tokens(&original("png", &huge)), 10_000);
    assert_eq!(tokens(&original("png", b"no image at all")), 1_844);
    assert_eq!(tokens(&original("jpeg", b"\xFF\xD8\xFF")), 1_844);
}

fn wav(n_samples: u32) -> Value {
    let mut data = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0".to_vec();
    data.extend([1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]);
    data.extend(b"data");
    data.extend((n_samples * 2).to_le_bytes());
    data.resize(data.len() + n_samples as usize * 2, 0);
    let url = format!("data:audio/wav;base64,{}", base64(&data));
    message("user", &[json!({"type": "input_audio", "audio_url": url})])
}

#[test]
fn sound_costs_by_its_samples() {
    assert_eq!(tokens(&wav(800)), 1);
    assert_eq!(tokens(&wav(801)), 2);
    assert_eq!(tokens(&wav(80_000)), 100);
    let broken = message(
        "user",
        &[json!({"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"})],
    );
    assert_eq!(tokens(&broken), 7);
}

#[test]
fn encrypted_parts_cost_nine_sixteenths() {
    let part = json!({"type": "encrypted_content", "encrypted_content": "x".repeat(160)});
    // 90 bytes of the part, 2 of the call id.
    assert_eq!(tokens(&output("c1", json!([part]))), 23);
}
