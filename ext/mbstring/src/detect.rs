//! Guesses the encoding of texts: the candidate whose decoded text has the lowest score of unusual characters wins.

use crate::encoding::{BAD, Encoding, Kind, decode, is_valid};

const BAD_BYTES: f64 = 1000.0;
const INVALID: f64 = 500.0;

/// The score of a character: how unusual it is in texts.
fn oddness(code: u32) -> f64 {
    match code {
        0x10000.. => 40.0,
        0x21..=0x2F => 6.0,
        _ if is_rare(code) => 30.0,
        _ => 1.0,
    }
}

/// Is the character one that most texts do not contain?
fn is_rare(code: u32) -> bool {
    match code {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E => false,
        0xA1 | 0xAB | 0xB0 | 0xBB | 0xBF..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x17F => false,
        0x386..=0x3CE | 0x401..=0x45F | 0x490 | 0x491 | 0x531..=0x556 | 0x561..=0x587 => false,
        0x5D0..=0x5EA
        | 0x60C
        | 0x61B
        | 0x61F
        | 0x621..=0x652
        | 0x660..=0x669
        | 0x67E
        | 0x686
        | 0x698
        | 0x6AF
        | 0x6CC => false,
        0x905..=0x939 | 0x93E..=0x94D | 0xE01..=0xE5B | 0x10D0..=0x10F0 | 0x1E00..=0x1EF9 => false,
        0x2013 | 0x2014 | 0x2018..=0x201E | 0x2026 | 0x20AC | 0x2116 | 0x2122 => false,
        0x3000..=0x3002 | 0x3008..=0x3011 | 0x3041..=0x3096 | 0x30A1..=0x30FE => false,
        0x4E00..=0x9FFF => !is_common_ideograph(code),
        0xAC00..=0xD7A3 => false,
        0xFF01 | 0xFF08 | 0xFF09 | 0xFF0C | 0xFF10..=0xFF1B | 0xFF1F | 0xFF21..=0xFF3A | 0xFF41..=0xFF5A => false,
        _ => true,
    }
}

/// Is the ideograph on the first level of the Japanese or the Chinese standard?
fn is_common_ideograph(code: u32) -> bool {
    let Some(character) = char::from_u32(code) else { return false };
    let text = character.to_string();
    let lead = |table: &'static encoding_rs::Encoding| {
        let (bytes, _, unmappable) = table.encode(&text);
        bytes.first().copied().filter(|_| !unmappable)
    };
    lead(encoding_rs::EUC_JP).is_some_and(|lead| (0xB0..=0xCF).contains(&lead))
        || lead(encoding_rs::GBK).is_some_and(|lead| (0xB0..=0xD7).contains(&lead))
}

/// The encoding that the texts are most likely in. `strict`: encodings in which a text is malformed are excluded;
/// `ordered`: earlier candidates are preferred.
pub fn detect(
    texts: &[&[u8]],
    candidates: &[&'static Encoding],
    strict: bool,
    ordered: bool,
) -> Option<&'static Encoding> {
    if let [single] = candidates {
        let valid = texts.iter().all(|text| is_valid(single, text));
        return (valid || !strict).then_some(*single);
    }
    let mut best: Option<(f64, &'static Encoding)> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let Some(demerits) = demerits(texts, candidate, strict) else { continue };
        let weight = if ordered { 1.0 + 0.3 * index as f64 / candidates.len() as f64 } else { 1.0 };
        let demerits = demerits * weight;
        if best.is_none_or(|(least, _)| demerits < least) {
            best = Some((demerits, candidate));
        }
    }
    best.map(|(_, encoding)| encoding)
}

fn demerits(texts: &[&[u8]], candidate: &Encoding, strict: bool) -> Option<f64> {
    let mut sum = 0.0;
    for text in texts {
        let codes = decode(candidate, without_mark(candidate, text));
        let bad = codes.iter().filter(|&&code| code == BAD).count();
        let valid = bad == 0 && is_valid(candidate, text);
        if strict && !valid {
            return None;
        }
        if !valid {
            sum += INVALID;
        }
        sum += bad as f64 * BAD_BYTES;
        sum += codes.iter().filter(|&&code| code != BAD).map(|&code| oddness(code)).sum::<f64>();
    }
    Some(sum)
}

fn without_mark<'a>(candidate: &Encoding, text: &'a [u8]) -> &'a [u8] {
    match (candidate.kind, candidate.name) {
        (Kind::Utf8, _) => text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text),
        (_, "UTF-16BE") => text.strip_prefix(b"\xFE\xFF").unwrap_or(text),
        (_, "UTF-16LE") => text.strip_prefix(b"\xFF\xFE").unwrap_or(text),
        _ => text,
    }
}
