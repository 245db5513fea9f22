//! Upper, lower, title and folded case.

use crate::encoding::{BAD, decode};
use crate::state::{encoded, encoding_argument, is_utf8};
use phlox_runtime::{Call, ConstValue, FnDef, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("mb_convert_case(string $string, int $mode, ?string $encoding = null): string", mb_convert_case),
    FnDef::new("mb_strtoupper(string $string, ?string $encoding = null): string", mb_strtoupper)
        .fast_path(|args| ascii(args, u8::to_ascii_uppercase)),
    FnDef::new("mb_strtolower(string $string, ?string $encoding = null): string", mb_strtolower)
        .fast_path(|args| ascii(args, u8::to_ascii_lowercase)),
    FnDef::new("mb_ucfirst(string $string, ?string $encoding = null): string", mb_ucfirst),
    FnDef::new("mb_lcfirst(string $string, ?string $encoding = null): string", mb_lcfirst),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("MB_CASE_UPPER", ConstValue::Int(0)),
    ("MB_CASE_LOWER", ConstValue::Int(1)),
    ("MB_CASE_TITLE", ConstValue::Int(2)),
    ("MB_CASE_FOLD", ConstValue::Int(3)),
    ("MB_CASE_UPPER_SIMPLE", ConstValue::Int(4)),
    ("MB_CASE_LOWER_SIMPLE", ConstValue::Int(5)),
    ("MB_CASE_TITLE_SIMPLE", ConstValue::Int(6)),
    ("MB_CASE_FOLD_SIMPLE", ConstValue::Int(7)),
    // The library whose syntax and results `mb_ereg` follows.
    ("MB_ONIGURUMA_VERSION", ConstValue::Str("6.9.10")),
];

/// Fast path: maps the case of a text of ASCII only, where a character's neighbours do not matter.
fn ascii(args: &[Val], map: fn(&u8) -> u8) -> Option<Val> {
    let text = args.first()?.as_str()?;
    if !is_utf8(args.get(1)) || !text.is_ascii() {
        return None;
    }
    if text.iter().all(|byte| map(byte) == *byte) {
        return Some(text.into());
    }
    let mapped =
        PhpStr::build(text.len(), |out| out.iter_mut().zip(text.iter()).for_each(|(to, from)| *to = map(from)));
    Some(mapped.into())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Upper,
    Lower,
    Title,
    Fold,
}

/// A mapping of one character, at most three long.
fn full(code: u32, case: Case) -> Vec<u32> {
    let Some(character) = char::from_u32(code) else { return vec![code] };
    match case {
        Case::Upper => character.to_uppercase().map(u32::from).collect(),
        Case::Lower => character.to_lowercase().map(u32::from).collect(),
        Case::Title => title(character),
        Case::Fold => fold(character),
    }
}

/// Letters that stand for two: the forms with two capitals, with two small letters, and with one capital.
const DIGRAPHS: [(u32, u32, u32); 4] =
    [(0x1C4, 0x1C6, 0x1C5), (0x1C7, 0x1C9, 0x1C8), (0x1CA, 0x1CC, 0x1CB), (0x1F1, 0x1F3, 0x1F2)];

fn title(character: char) -> Vec<u32> {
    let code = character as u32;
    if let Some(row) = DIGRAPHS.iter().find(|row| [row.0, row.1, row.2].contains(&code)) {
        return vec![row.2];
    }
    // The apostrophe in front of the letter is part of it.
    if code == 0x149 {
        return vec![0x2BC, 'N' as u32];
    }
    // Georgian has no titlecase.
    if (0x10D0..=0x10FF).contains(&code) {
        return vec![code];
    }
    let upper: Vec<char> = character.to_uppercase().collect();
    let Some((first, rest)) = upper.split_first() else { return vec![code] };
    // Greek letters with iota subscript keep it.
    if let 0x1F80..=0x1FFF = code
        && rest.last() == Some(&'\u{399}')
    {
        return iota_below(code, &upper);
    }
    std::iter::once(*first as u32).chain(rest.iter().flat_map(|letter| letter.to_lowercase()).map(u32::from)).collect()
}

fn iota_below(code: u32, upper: &[char]) -> Vec<u32> {
    match code {
        0x1F80..=0x1FAF => vec![code | 8],
        0x1FB3 | 0x1FBC => vec![0x1FBC],
        0x1FC3 | 0x1FCC => vec![0x1FCC],
        0x1FF3 | 0x1FFC => vec![0x1FFC],
        _ => {
            let mut codes: Vec<u32> = upper.iter().map(|&letter| letter as u32).collect();
            codes.pop();
            codes.push(0x345);
            codes
        }
    }
}

/// The folded form of a character, in which characters that differ only in case are equal.
fn fold(character: char) -> Vec<u32> {
    match character as u32 {
        // Dotless i is no variant of i; Cherokee folds to its capitals.
        code @ (0x131 | 0x13A0..=0x13F5) => vec![code],
        0x13F8..=0x13FD | 0xAB70..=0xABBF => character.to_uppercase().map(u32::from).collect(),
        0x1E9E => vec![0x73, 0x73],
        _ => character.to_uppercase().flat_map(char::to_lowercase).map(u32::from).collect(),
    }
}

/// A mapping to exactly one character.
fn simple(code: u32, case: Case) -> u32 {
    match (code, case) {
        (0x130, Case::Lower) => return 0x69,
        (0x130, Case::Fold) => return code,
        (0x1E9E, Case::Fold) => return 0xDF,
        _ => {}
    }
    match full(code, case)[..] {
        [single] => single,
        _ if case == Case::Upper && (0x1F80..=0x1FFF).contains(&code) => match iota_below(code, &[])[..] {
            [single] if single != 0x345 => single,
            _ => code,
        },
        _ if case == Case::Fold => simple(code, Case::Lower),
        _ => code,
    }
}

/// The code points folded for comparison, character by character.
pub fn fold_simple(codes: &[u32]) -> Vec<u32> {
    codes.iter().map(|&code| simple(code, Case::Fold)).collect()
}

fn is_cased(code: u32) -> bool {
    char::from_u32(code).is_some_and(|character| {
        character.is_lowercase() || character.is_uppercase() || DIGRAPHS.iter().any(|row| row.2 == code)
    })
}

/// Marks and signs that stand within words.
fn is_ignorable(code: u32) -> bool {
    matches!(
        code,
        0x27 | 0x2E | 0x3A | 0x5E | 0x60 | 0xA8 | 0xAD | 0xAF | 0xB4 | 0xB7 | 0xB8 | 0x2B0..=0x36F | 0x374 | 0x375
            | 0x37A | 0x384 | 0x385 | 0x387 | 0x483..=0x489 | 0x591..=0x5BD | 0x610..=0x61A | 0x64B..=0x65F
            | 0x1AB0..=0x1AFF | 0x1D2C..=0x1D6A | 0x1DC0..=0x1DFF | 0x200B..=0x200F | 0x2018 | 0x2019 | 0x2024 | 0x2027
            | 0x202A..=0x202E | 0x2060..=0x206F | 0x20D0..=0x20F0 | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0xFEFF
    )
}

/// Does a final sigma stand here: after a letter, and before none?
fn is_final(codes: &[u32], at: usize) -> bool {
    let before = codes[..at].iter().rev().find(|&&code| !is_ignorable(code));
    let after = codes[at + 1..].iter().find(|&&code| !is_ignorable(code));
    before.is_some_and(|&code| is_cased(code)) && !after.is_some_and(|&code| is_cased(code))
}

const SIGMA: u32 = 0x3A3;
const FINAL_SIGMA: u32 = 0x3C2;

fn convert(codes: &[u32], case: Case, keeps_length: bool) -> Vec<u32> {
    let mut out = Vec::with_capacity(codes.len());
    let mut in_word = false;
    for (at, &code) in codes.iter().enumerate() {
        if code == BAD {
            out.push(code);
            in_word = false;
            continue;
        }
        let mut wanted = case;
        if case == Case::Title {
            if in_word {
                wanted = Case::Lower;
            }
            in_word = match (is_cased(code), is_ignorable(code)) {
                (true, _) => true,
                (false, true) => in_word,
                (false, false) => false,
            };
        }
        if wanted == Case::Lower && code == SIGMA && !keeps_length && is_final(codes, at) {
            out.push(FINAL_SIGMA);
        } else if keeps_length {
            out.push(simple(code, wanted));
        } else {
            out.extend(full(code, wanted));
        }
    }
    out
}

fn run(call: &Call<'_>, encoding_index: usize, case: Case, keeps_length: bool) -> PhpResult<Val> {
    let encoding = encoding_argument(call, encoding_index)?;
    let codes = decode(encoding, &call.str(0));
    Ok(encoded(call.vm, encoding, &convert(&codes, case, keeps_length)))
}

fn mb_convert_case(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.int(1);
    let case = match mode & 3 {
        0 => Case::Upper,
        1 => Case::Lower,
        2 => Case::Title,
        _ => Case::Fold,
    };
    if !(0..8).contains(&mode) {
        encoding_argument(call, 2)?;
        return Err(call.value_error(1, "must be one of the MB_CASE_* constants"));
    }
    run(call, 2, case, mode >= 4)
}

fn mb_strtoupper(call: &mut Call<'_>) -> PhpResult<Val> {
    run(call, 1, Case::Upper, false)
}

fn mb_strtolower(call: &mut Call<'_>) -> PhpResult<Val> {
    run(call, 1, Case::Lower, false)
}

fn first(call: &Call<'_>, case: Case) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 1)?;
    let text = call.str(0);
    let codes = decode(encoding, &text);
    let Some((&first, rest)) = codes.split_first() else { return Ok(text.into()) };
    let mut out = if first == BAD { vec![first] } else { full(first, case) };
    if out == [first] {
        return Ok(text.into());
    }
    out.extend_from_slice(rest);
    Ok(encoded(call.vm, encoding, &out))
}

fn mb_ucfirst(call: &mut Call<'_>) -> PhpResult<Val> {
    first(call, Case::Title)
}

fn mb_lcfirst(call: &mut Call<'_>) -> PhpResult<Val> {
    first(call, Case::Lower)
}
