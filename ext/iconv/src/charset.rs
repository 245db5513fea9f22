//! Names of encodings with their suffixes, and conversion that stops at what it cannot convert.

use crate::transliteration;
use phlox_ext_mbstring::encoding::{self, BAD, Encoder, Encoding};
use phlox_runtime::{Call, Level, PhpResult, until_nul};

const NAME_MAX: usize = 64;

/// An encoding with what to do about characters that it lacks.
pub struct Target {
    pub encoding: &'static Encoding,
    /// Texts begin with a mark that tells the order of their bytes. The encoding is of this machine's order, the other one
    /// is that of texts whose mark says so.
    swapped: Option<&'static Encoding>,
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
    ("UCS-2", "UCS-2LE"),
    ("UCS2", "UCS-2LE"),
    ("UCS-4", "UCS-4BE"),
    ("UCS4", "UCS-4BE"),
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

/// Encodings of more than one order of bytes, in the order that this machine writes and in the other one.
const MARKED: &[(&[&str], &str, &str)] = &[
    (&["UTF-16", "UTF16"], "UTF-16LE", "UTF-16BE"),
    (&["UTF-32", "UTF32"], "UTF-32LE", "UTF-32BE"),
    (&["UNICODE"], "UCS-2LE", "UCS-2BE"),
];

const MARK: u32 = 0xFEFF;

fn find(name: &str) -> Option<&'static Encoding> {
    let alias = ALIASES.iter().find(|row| row.0.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |row| row.1).as_bytes();
    let own = encoding::MORE.iter().find(|encoding| encoding.is_named(name));
    let found = own.or_else(|| encoding::find(name))?;
    found.has_characters().then_some(found)
}

/// An encoding by name; suffixes say what to do about missing characters.
pub fn parse(name: &[u8]) -> Option<Target> {
    // As in the GNU C library other characters do not count, and no name at all means the locale's encoding.
    let counts = |&byte: &u8| byte.is_ascii_alphanumeric() || b"_-/.,:".contains(&byte);
    let name: String = until_nul(name).iter().copied().filter(counts).map(char::from).collect();
    let mut parts = name.split("//");
    let name = Some(parts.next()?.trim_end_matches('/')).filter(|name| !name.is_empty()).unwrap_or("UTF-8");
    let marked = MARKED.iter().find(|row| row.0.iter().any(|known| known.eq_ignore_ascii_case(name)));
    let encoding = find(marked.map_or(name, |row| row.1))?;
    let swapped = marked.and_then(|row| find(row.2));
    let mut target = Target { encoding, swapped, transliterates: false, ignores: false };
    for suffix in parts {
        target.transliterates |= suffix.eq_ignore_ascii_case("TRANSLIT");
        target.ignores |= suffix.eq_ignore_ascii_case("IGNORE");
    }
    Some(target)
}

impl Target {
    /// The encoding of a text that has begun with these bytes, and how many of them are its mark.
    pub fn settle(&self, text: &[u8]) -> (Target, usize) {
        let settled = |encoding| Target { encoding, swapped: None, ..*self };
        let Some(swapped) = self.swapped else { return (settled(self.encoding), 0) };
        for encoding in [self.encoding, swapped] {
            let mut encoder = Encoder::new(encoding);
            encoder.put(MARK);
            let mark = encoder.finish();
            if text.starts_with(&mark) {
                return (settled(encoding), mark.len());
            }
        }
        (settled(self.encoding), 0)
    }

    /// The same encoding, for what follows the beginning of a text.
    pub fn unmarked(&self) -> Target {
        Target { swapped: None, ..*self }
    }
}

/// Code points of a whole text.
pub fn decode(source: &Target, text: &[u8]) -> Result<Vec<u32>, Problem> {
    let (source, mark) = source.settle(text);
    let (source, text) = (source.encoding, &text[mark..]);
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
    if target.swapped.is_some() && !codes.is_empty() {
        encoder.put(MARK);
    }
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

pub fn convert(source: &Target, target: &Target, text: &[u8]) -> Result<Vec<u8>, Problem> {
    let codes = match decode(source, text) {
        Err(Problem::Illegal) if target.ignores => {
            let (source, mark) = source.settle(text);
            encoding::decode(source.encoding, &text[mark..]).into_iter().filter(|&code| code != BAD).collect()
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
    let (from, to) = (until_nul(from), until_nul(to));
    let parts: [&[u8]; 5] = [b"Wrong encoding, conversion from \"", from, b"\" to \"", to, b"\" is not allowed"];
    call.raise(Level::Warning, &parts.concat())
}
