//! Names of encodings with their suffixes, and conversion that stops at what it cannot convert.

use crate::transliteration;
use phlox_ext_mbstring::encoding::{self, BAD, Encoder, Encoding};
use phlox_runtime::{Call, Level, PhpResult};

const NAME_MAX: usize = 64;

/// An encoding with what to do about characters that it lacks.
pub struct Target {
    pub encoding: &'static Encoding,
    transliterates: bool,
    ignores: bool,
}

/// Why a text cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The text ends within a character.
    Incomplete,
    Illegal,
}

/// Names that iconv knows and mbstring does not.
const ALIASES: &[(&str, &str)] = &[
    ("LATIN1", "ISO-8859-1"),
    ("UCS-2-INTERNAL", "UCS-2LE"),
    ("UCS-4-INTERNAL", "UCS-4LE"),
    ("ISO_8859-1", "ISO-8859-1"),
    ("BIG5", "BIG-5"),
    ("EUC-CN", "EUC-CN"),
    ("SHIFT_JIS", "SJIS"),
    ("WINDOWS-31J", "CP932"),
    ("ANSI_X3.4-1968", "ASCII"),
    ("646", "ASCII"),
];

fn find(name: &str) -> Option<&'static Encoding> {
    let alias = ALIASES.iter().find(|row| row.0.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |row| row.1).as_bytes();
    let own = encoding::MORE.iter().find(|encoding| encoding.is_named(name));
    let found = own.or_else(|| encoding::find(name))?;
    found.has_characters().then_some(found)
}

/// An encoding by name; suffixes say what to do about missing characters.
pub fn parse(name: &[u8]) -> Option<Target> {
    let name = std::str::from_utf8(name).ok()?;
    let mut parts = name.split("//");
    let encoding = find(parts.next()?)?;
    let mut target = Target { encoding, transliterates: false, ignores: false };
    for suffix in parts {
        target.transliterates |= suffix.eq_ignore_ascii_case("TRANSLIT");
        target.ignores |= suffix.eq_ignore_ascii_case("IGNORE");
    }
    Some(target)
}

/// Code points of a whole text.
pub fn decode(source: &Encoding, text: &[u8]) -> Result<Vec<u32>, Problem> {
    let codes = encoding::decode(source, text);
    match codes.iter().position(|&code| code == BAD) {
        None => Ok(codes),
        Some(at) if at + 1 == codes.len() && is_cut(source, text) => Err(Problem::Incomplete),
        Some(_) => Err(Problem::Illegal),
    }
}

/// Could more bytes make the text valid?
fn is_cut(source: &Encoding, text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        _ if source.name != "UTF-8" => source.fixed_width() != Some(1),
        Err(error) => error.error_len().is_none(),
        Ok(_) => false,
    }
}

/// What an encoding has in place of a character that it lacks.
fn transliterated(encoding: &'static Encoding, code: u32) -> String {
    let fits = |text: &String| {
        let mut encoder = Encoder::new(encoding);
        text.chars().all(|letter| encoder.put(letter as u32))
    };
    transliteration::candidates(code).into_iter().find(fits).unwrap_or_else(|| "?".to_owned())
}

pub fn encode(target: &Target, codes: &[u32]) -> Result<Vec<u8>, Problem> {
    let mut encoder = Encoder::new(target.encoding);
    let mut rest = codes;
    while let [code, tail @ ..] = rest {
        if let Some(written) = encoder.put_next(rest) {
            rest = &rest[written..];
            continue;
        }
        rest = tail;
        if target.transliterates {
            for letter in transliterated(target.encoding, *code).chars() {
                encoder.put(letter as u32);
            }
        } else if !target.ignores {
            return Err(Problem::Illegal);
        }
    }
    Ok(encoder.finish())
}

pub fn convert(source: &Encoding, target: &Target, text: &[u8]) -> Result<Vec<u8>, Problem> {
    let codes = match decode(source, text) {
        Err(Problem::Illegal) if target.ignores => {
            encoding::decode(source, text).into_iter().filter(|&code| code != BAD).collect()
        }
        result => result?,
    };
    encode(target, &codes)
}

/// `false`: the name is too long, and a warning says so.
pub fn check_length(call: &Call<'_>, name: &[u8]) -> PhpResult<bool> {
    let fits = name.len() < NAME_MAX;
    if !fits {
        let text = format!("Encoding parameter exceeds the maximum allowed length of {NAME_MAX} characters");
        call.warning(&text)?;
    }
    Ok(fits)
}

pub fn report(call: &Call<'_>, problem: Problem) -> PhpResult<()> {
    call.raise(
        Level::Notice,
        match problem {
            Problem::Incomplete => b"Detected an incomplete multibyte character in input string",
            Problem::Illegal => b"Detected an illegal character in input string",
        },
    )
}

pub fn report_names(call: &Call<'_>, from: &[u8], to: &[u8]) -> PhpResult<()> {
    let parts: [&[u8]; 5] = [b"Wrong encoding, conversion from \"", from, b"\" to \"", to, b"\" is not allowed"];
    call.raise(Level::Warning, &parts.concat())
}
