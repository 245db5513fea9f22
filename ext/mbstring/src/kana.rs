//! Forms of Japanese characters: narrow and wide, hiragana and katakana.

use crate::encoding::{Encoding, decode};
use crate::state::{encoded, encoding_argument};
use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "mb_convert_kana(string $string, string $mode = \"KV\", ?string $encoding = null): string",
    mb_convert_kana,
)];

/// The wide katakana of the narrow forms from U+FF61 on.
const KATAKANA: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";

const FLAGS: &[u8] = b"rRnNaAsSkKhHcCVMm";
const FIRST_NARROW: u32 = 0xFF61;
const VOICED: u32 = 0xFF9E;
const HALF_VOICED: u32 = 0xFF9F;
const TO_HIRAGANA: u32 = 0x60;

fn katakana(index: usize) -> u32 {
    KATAKANA.chars().nth(index).map_or(0, |letter| letter as u32)
}

fn narrow_index(wide: u32) -> Option<u32> {
    KATAKANA.chars().position(|letter| letter as u32 == wide).map(|index| index as u32)
}

fn check(call: &Call<'_>, mode: &[u8]) -> PhpResult<()> {
    if let Some(flag) = mode.iter().find(|flag| !FLAGS.contains(flag)) {
        // A NUL byte ends PHP's message.
        let shown = if *flag == 0 { String::new() } else { format!("{}'", phlox_runtime::shown(&[*flag])) };
        return Err(call.value_error(1, &format!("contains invalid flag: '{shown}")));
    }
    let has = |flag: u8| mode.contains(&flag);
    for pair in [b"Aa", b"Rr", b"Nn", b"Ss", b"Kk", b"Hh", b"Cc", b"Mm"] {
        if has(pair[0]) && has(pair[1]) {
            let text = format!("must not combine '{}' and '{}' flags", pair[0] as char, pair[1] as char);
            return Err(call.value_error(1, &text));
        }
    }
    for (one, two) in [(b'H', b'K'), (b'h', b'C'), (b'h', b'c'), (b'k', b'C'), (b'k', b'c')] {
        if has(one) && has(two) {
            let text = format!("must not combine '{}' and '{}' flags", one as char, two as char);
            return Err(call.value_error(1, &text));
        }
    }
    Ok(())
}

fn mb_convert_kana(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.str(1);
    check(call, &mode)?;
    let encoding: &Encoding = encoding_argument(call, 2)?;
    let codes = decode(encoding, &call.str(0));
    Ok(encoded(call.vm, encoding, &convert(&codes, &mode)))
}

fn convert(codes: &[u32], mode: &[u8]) -> Vec<u32> {
    let has = |flag: u8| mode.contains(&flag);
    let mut out = Vec::with_capacity(codes.len());
    let mut rest = codes;
    while let [code, tail @ ..] = rest {
        rest = tail;
        match code {
            FIRST_NARROW..=HALF_VOICED if has(b'K') || has(b'H') => {
                let mut letter = wide(*code);
                if has(b'V')
                    && let Some(joined) = tail.first().and_then(|mark| with_mark(letter, *mark))
                {
                    letter = joined;
                    rest = &tail[1..];
                }
                let hiragana = has(b'H') && (0x30A1..=0x30F3).contains(&letter);
                out.push(if hiragana { letter - TO_HIRAGANA } else { letter });
            }
            0x3041..=0x3093 if has(b'h') => push_narrow(&mut out, code + TO_HIRAGANA),
            0x30A1..=0x30FC if has(b'k') => push_narrow(&mut out, *code),
            0x3001 | 0x3002 | 0x300C | 0x300D | 0x309B | 0x309C | 0x30FB | 0x30FC if has(b'k') || has(b'h') => {
                push_narrow(&mut out, *code)
            }
            0x3041..=0x3093 | 0x309D | 0x309E if has(b'C') => out.push(code + TO_HIRAGANA),
            0x30A1..=0x30F3 | 0x30FD | 0x30FE if has(b'c') => out.push(code - TO_HIRAGANA),
            _ => out.push(ascii(*code, &has)),
        }
    }
    out
}

/// The wide form of a narrow character.
pub fn wide(narrow: u32) -> u32 {
    katakana(narrow.wrapping_sub(FIRST_NARROW) as usize)
}

/// The wide form of a narrow letter with a narrow mark of voicing.
pub fn voiced(letter: u32, mark: u32) -> Option<u32> {
    if !(FIRST_NARROW..VOICED).contains(&letter) { None } else { with_mark(wide(letter), mark) }
}

/// A letter with a mark of voicing.
fn with_mark(wide: u32, mark: u32) -> Option<u32> {
    let voiced = matches!(wide, 0x30AB..=0x30C8) && ((wide < 0x30C4) != wide.is_multiple_of(2));
    match mark {
        VOICED if wide == 0x30A6 => Some(0x30F4),
        VOICED if voiced => Some(wide + 1),
        VOICED if (0x30CF..=0x30DB).contains(&wide) && wide.is_multiple_of(3) => Some(wide + 1),
        HALF_VOICED if (0x30CF..=0x30DB).contains(&wide) && wide.is_multiple_of(3) => Some(wide + 2),
        _ => None,
    }
}

fn push_narrow(out: &mut Vec<u32>, wide: u32) {
    if let Some(index) = narrow_index(wide) {
        out.push(FIRST_NARROW + index);
        return;
    }
    for (mark, back) in [(VOICED, 1), (HALF_VOICED, 2)] {
        let plain = if wide == 0x30F4 { 0x30A6 } else { wide - back };
        if with_mark(plain, mark) == Some(wide)
            && let Some(index) = narrow_index(plain)
        {
            out.extend_from_slice(&[FIRST_NARROW + index, mark]);
            return;
        }
    }
    out.push(wide);
}

/// Letters, digits, signs and the blank.
fn ascii(code: u32, has: &impl Fn(u8) -> bool) -> u32 {
    let narrow = code.wrapping_sub(0xFEE0);
    let byte = u8::try_from(if (0xFF01..=0xFF5E).contains(&code) { narrow } else { code }).unwrap_or(0);
    let excluded = matches!(byte, b'"' | b'\'' | b'\\' | b'~');
    let is_wide = code > 0xFF;
    let applies = |lower: u8, upper: u8| if is_wide { has(lower) } else { has(upper) };
    let wanted = match byte {
        _ if code == 0x3000 => return if has(b's') { 0x20 } else { code },
        b' ' => return if has(b'S') { 0x3000 } else { code },
        0x21..=0x7E if !excluded && applies(b'a', b'A') => true,
        b'A'..=b'Z' | b'a'..=b'z' => applies(b'r', b'R'),
        b'0'..=b'9' => applies(b'n', b'N'),
        _ => false,
    };
    match (wanted, is_wide) {
        (true, true) => narrow,
        (true, false) => code + 0xFEE0,
        (false, _) => code,
    }
}
