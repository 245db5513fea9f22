//! HTML escaping: `htmlspecialchars`, `htmlentities` and their inverses.
//!
//! The entity lists are data files: a name and its code points a line; `*` marks the name that is written
//! where several mean the same.

mod decode;
mod encode;
mod multibyte;

use phlox_runtime::settings::{self, Named};
use phlox_runtime::{Call, ConstValue, FnDef, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::collections::HashMap;
use std::sync::LazyLock;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "htmlspecialchars(string $string, int $flags = ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML401, ?string $encoding = null, bool $double_encode = true): string",
        htmlspecialchars,
    )
    .fast_path(|args| {
        let text = args.first()?.as_str()?;
        let flags = flags_argument(args, 1)?;
        let encodes_again = args.get(3).is_none_or(|again| again.as_bool() == Some(true));
        let passes = encodes_again && !flags.replace_disallowed && is_utf8_argument(args, 2)?;
        let valid = passes && (text.is_ascii() || std::str::from_utf8(text).is_ok());
        valid.then(|| encode::encode_special(text, flags).into())
    }),
    FnDef::new(
        "htmlspecialchars_decode(string $string, int $flags = ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML401): string",
        htmlspecialchars_decode,
    )
    .fast_path(|args| {
        let decoded = decode::decode(args.first()?.as_str()?, false, flags_argument(args, 1)?, Charset::Utf8);
        Some(decoded.into())
    }),
    FnDef::new(
        "html_entity_decode(string $string, int $flags = ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML401, ?string $encoding = null): string",
        html_entity_decode,
    )
    .fast_path(|args| {
        let passes = is_utf8_argument(args, 2)?;
        let text = args.first()?.as_str()?;
        let flags = flags_argument(args, 1)?;
        passes.then(|| decode::decode(text, true, flags, Charset::Utf8).into())
    }),
    FnDef::new(
        "htmlentities(string $string, int $flags = ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML401, ?string $encoding = null, bool $double_encode = true): string",
        htmlentities,
    ),
    FnDef::new(
        "get_html_translation_table(int $table = HTML_SPECIALCHARS, int $flags = ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML401, string $encoding = \"UTF-8\"): array",
        get_html_translation_table,
    ),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("HTML_SPECIALCHARS", ConstValue::Int(0)),
    ("HTML_ENTITIES", ConstValue::Int(1)),
    ("ENT_NOQUOTES", ConstValue::Int(0)),
    ("ENT_COMPAT", ConstValue::Int(2)),
    ("ENT_QUOTES", ConstValue::Int(3)),
    ("ENT_IGNORE", ConstValue::Int(4)),
    ("ENT_SUBSTITUTE", ConstValue::Int(8)),
    ("ENT_DISALLOWED", ConstValue::Int(128)),
    ("ENT_HTML401", ConstValue::Int(0)),
    ("ENT_XML1", ConstValue::Int(16)),
    ("ENT_XHTML", ConstValue::Int(32)),
    ("ENT_HTML5", ConstValue::Int(48)),
];

/// The language that is written; decides which entities exist and which characters are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doctype {
    Html401,
    Xml1,
    Xhtml,
    Html5,
}

/// The `ENT_*` flags, taken apart.
#[derive(Clone, Copy)]
struct Flags {
    single_quotes: bool,
    double_quotes: bool,
    ignore: bool,
    substitute: bool,
    replace_disallowed: bool,
    doctype: Doctype,
}

impl Flags {
    fn new(bits: i64) -> Flags {
        Flags {
            single_quotes: bits & 1 != 0,
            double_quotes: bits & 2 != 0,
            ignore: bits & 4 != 0,
            substitute: bits & 8 != 0,
            replace_disallowed: bits & 128 != 0,
            doctype: [Doctype::Html401, Doctype::Xml1, Doctype::Xhtml, Doctype::Html5][(bits >> 4 & 3) as usize],
        }
    }

    fn converts_quote(self, code: u32) -> bool {
        match code {
            0x27 => self.single_quotes,
            0x22 => self.double_quotes,
            _ => true,
        }
    }
}

/// The character encodings that are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charset {
    Utf8,
    Latin1,
    /// An encoding of one byte a character: the code points of the bytes from 0x80 on, 0 where there is none.
    Table(&'static [u32; 128]),
    /// An encoding of several bytes a character, in which only ASCII is converted to entities.
    MultiByte(multibyte::Encoding),
}

/// Names of the encodings besides UTF-8, with the row of the data file for those of one byte.
const CHARSETS: [(&str, &str); 35] = [
    ("iso-8859-1", "latin1"),
    ("iso8859-1", "latin1"),
    ("windows-1252", "windows-1252"),
    ("1252", "windows-1252"),
    ("cp1252", "windows-1252"),
    ("iso-8859-15", "iso-8859-15"),
    ("iso8859-15", "iso-8859-15"),
    ("iso-8859-5", "iso-8859-5"),
    ("iso8859-5", "iso-8859-5"),
    ("cp866", "cp866"),
    ("866", "cp866"),
    ("ibm866", "cp866"),
    ("cp1251", "windows-1251"),
    ("1251", "windows-1251"),
    ("win-1251", "windows-1251"),
    ("windows-1251", "windows-1251"),
    ("koi8-r", "koi8-r"),
    ("koi8r", "koi8-r"),
    ("koi8-ru", "koi8-r"),
    ("macroman", "macroman"),
    ("big5", "big5"),
    ("950", "big5"),
    ("big5-hkscs", "big5-hkscs"),
    ("gb2312", "gb2312"),
    ("936", "gb2312"),
    ("shift_jis", "sjis"),
    ("sjis", "sjis"),
    ("sjis-win", "sjis"),
    ("cp932", "sjis"),
    ("932", "sjis"),
    ("euc-jp", "euc-jp"),
    ("eucjp", "euc-jp"),
    ("eucjp-win", "euc-jp"),
    ("euc-jp-ms", "euc-jp"),
    ("utf8", "utf-8"),
];

/// The tables of the encodings of one byte, by name.
static TABLES: LazyLock<HashMap<&'static str, [u32; 128]>> = LazyLock::new(|| {
    let lines = include_str!("charsets.txt").lines();
    let row = |line: &'static str| {
        let (name, codes) = line.split_once(' ')?;
        let mut table = [0; 128];
        for (entry, code) in table.iter_mut().zip(codes.split(' ')) {
            *entry = u32::from_str_radix(code, 16).ok()?;
        }
        Some((name, table))
    };
    lines.filter_map(row).collect()
});

/// The `$flags` argument of the functions, or its default. `None` if the argument is no integer.
fn flags_argument(args: &[Val], index: usize) -> Option<Flags> {
    const DEFAULT: i64 = 3 | 8;
    match args.get(index) {
        None => Some(Flags::new(DEFAULT)),
        Some(flags) => flags.as_int().map(Flags::new),
    }
}

/// Does the `$encoding` argument of the functions mean UTF-8? `None` if the argument is no string.
fn is_utf8_argument(args: &[Val], index: usize) -> Option<bool> {
    match args.get(index) {
        Some(name) if !name.is_null() => Some(name.as_str()?.eq_ignore_ascii_case(b"utf-8")),
        _ => Some(default_is_utf8(Vm::current()?)),
    }
}

/// Is UTF-8 the default encoding?
fn default_is_utf8(vm: &Vm) -> bool {
    let named = match vm.ini.get(&settings::INTERNAL_ENCODING) {
        Named::Nothing => vm.ini.get(&settings::DEFAULT_CHARSET),
        named => named,
    };
    named != Named::Another
}

impl Charset {
    fn of_argument(call: &Call<'_>, index: usize) -> PhpResult<Charset> {
        if call.opt_str(index).is_none_or(|name| name.is_empty()) && default_is_utf8(call.vm) {
            return Ok(Charset::Utf8);
        }
        let internal = call.vm.ini.text(&settings::INTERNAL_ENCODING);
        let default = if internal.is_empty() { call.vm.ini.text(&settings::DEFAULT_CHARSET) } else { internal };
        let name = call.opt_str(index).filter(|name| !name.is_empty()).unwrap_or(default);
        match Charset::named(&name) {
            Some(charset) => Ok(charset),
            None => {
                call.warning(&format!("Charset \"{name}\" is not supported, assuming UTF-8"))?;
                Ok(Charset::Utf8)
            }
        }
    }

    /// The charset of a name; without one, UTF-8.
    fn named(name: &[u8]) -> Option<Charset> {
        if name.is_empty() || name.eq_ignore_ascii_case(b"utf-8") {
            return Some(Charset::Utf8);
        }
        let (_, row) = CHARSETS.iter().find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))?;
        Some(match *row {
            "latin1" => Charset::Latin1,
            row => match multibyte::Encoding::named(row) {
                Some(encoding) => Charset::MultiByte(encoding),
                None => Charset::Table(TABLES.get(row)?),
            },
        })
    }

    /// The code point of the character that a text starts with, and its length. `Err` has the number of invalid bytes.
    fn next(self, text: &[u8]) -> Result<(u32, usize), usize> {
        match (self, text[0]) {
            (Charset::Utf8, _) => next_utf8(text),
            (Charset::MultiByte(encoding), _) => encoding.next(text),
            (_, byte @ ..0x80) => Ok((byte.into(), 1)),
            (Charset::Latin1, byte) => Ok((byte.into(), 1)),
            (Charset::Table(table), byte) => match table[(byte - 0x80) as usize] {
                0 => Ok((u32::MAX, 1)),
                code => Ok((code, 1)),
            },
        }
    }

    /// Appends a character; `false` if the encoding does not have it.
    fn push(self, out: &mut Vec<u8>, code: u32) -> bool {
        let byte = match self {
            Charset::Utf8 => {
                let Some(character) = char::from_u32(code) else { return false };
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return true;
            }
            _ if code < 0x80 => Some(code as u8),
            Charset::Latin1 => u8::try_from(code).ok(),
            Charset::Table(table) => table.iter().position(|&known| known == code).map(|index| 0x80 + index as u8),
            Charset::MultiByte(_) => None,
        };
        out.extend(byte);
        byte.is_some()
    }
}

/// Is the code a Unicode code point, so that it can be checked against the document type? `all`: the charset's table is
/// loaded.
fn is_known(code: u32, charset: Charset, all: bool) -> bool {
    match charset {
        Charset::Utf8 | Charset::Latin1 => true,
        Charset::Table(_) if all => code != u32::MAX,
        // Only ASCII, without the two characters that Shift_JIS has in other places.
        _ => code <= 0x7d,
    }
}

fn is_trail(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn is_lead(byte: u8) -> bool {
    matches!(byte, 0..=0x7f | 0xc2..=0xf4)
}

/// An invalid sequence ends before the next byte that can start a character.
fn next_utf8(text: &[u8]) -> Result<(u32, usize), usize> {
    let length = match text[0] {
        0..=0x7f => return Ok((text[0].into(), 1)),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Err(1),
    };
    let trails = text[1..].iter().take(length - 1).take_while(|&&byte| is_trail(byte)).count();
    if trails == length - 1 {
        let decoded = std::str::from_utf8(&text[..length]).ok().and_then(|s| s.chars().next());
        return decoded.map(|character| (character as u32, length)).ok_or(length);
    }
    match text.get(1 + trails) {
        Some(&byte) if !is_lead(byte) => Err(2 + trails),
        _ => Err(1 + trails),
    }
}

/// Is the character allowed in a document of this type?
fn is_allowed(code: u32, doctype: Doctype) -> bool {
    match doctype {
        Doctype::Html401 => matches!(code, 0x20..=0x7e | 9 | 10 | 13 | 0xa0..=0xd7ff | 0xe000..=0x10ffff),
        Doctype::Html5 => {
            matches!(code, 0x20..=0x7e | 9..=13 | 0xa0..=0xd7ff | 0xe000..=0x10ffff)
                && code != 11
                && code & 0xfffe != 0xfffe
                && !(0xfdd0..=0xfdef).contains(&code)
        }
        Doctype::Xml1 | Doctype::Xhtml => {
            matches!(code, 0x20..=0xd7ff | 9 | 10 | 13 | 0xe000..=0x10ffff) && !matches!(code, 0xfffe | 0xffff)
        }
    }
}

/// Entities of a language: by name, and the name of a character (one code point, or two in HTML 5).
struct Entities {
    codes: HashMap<&'static str, Vec<u32>>,
    names: HashMap<Vec<u32>, &'static str>,
    /// The entities in the order of their characters.
    ordered: Vec<(Vec<u32>, &'static str)>,
}

impl Entities {
    fn parse(data: &'static str, marked_only: bool) -> Entities {
        let mut entities = Entities { codes: HashMap::new(), names: HashMap::new(), ordered: Vec::new() };
        for line in data.lines() {
            let mut words = line.split(' ');
            let Some(name) = words.next() else { continue };
            let mut codes = Vec::new();
            let mut marked = !marked_only;
            for word in words {
                match u32::from_str_radix(word, 16) {
                    Ok(code) => codes.push(code),
                    Err(_) => marked = true,
                }
            }
            if marked {
                entities.names.insert(codes.clone(), name);
                entities.ordered.push((codes.clone(), name));
            }
            entities.codes.insert(name, codes);
        }
        entities
    }
}

static HTML401: LazyLock<Entities> = LazyLock::new(|| Entities::parse(include_str!("html401.txt"), false));
/// The name of a character's entity in HTML 4.01.
pub fn entity_name(code: u32) -> Option<&'static str> {
    HTML401.names.get(&vec![code]).copied()
}

/// The character that an entity of HTML 4.01 names.
pub fn entity_code(name: &str) -> Option<u32> {
    match HTML401.codes.get(name).map(Vec::as_slice) {
        Some([code]) => Some(*code),
        _ => None,
    }
}

static HTML5: LazyLock<Entities> = LazyLock::new(|| Entities::parse(include_str!("html5.txt"), true));
static XML1: LazyLock<Entities> = LazyLock::new(|| Entities::parse("quot 22\namp 26\napos 27\nlt 3C\ngt 3E", false));

impl Doctype {
    fn entities(self) -> &'static Entities {
        match self {
            Doctype::Html401 | Doctype::Xhtml => &HTML401,
            Doctype::Xml1 => &XML1,
            Doctype::Html5 => &HTML5,
        }
    }

    /// The apostrophe's escape, which HTML 4 has no name for.
    fn apostrophe(self) -> &'static str {
        match self {
            Doctype::Html401 => "&#039;",
            _ => "&apos;",
        }
    }

    /// The escape of one of the five characters that markup needs.
    fn special(self, code: u32) -> Option<&'static str> {
        match code {
            0x22 => Some("&quot;"),
            0x26 => Some("&amp;"),
            0x27 => Some(self.apostrophe()),
            0x3c => Some("&lt;"),
            0x3e => Some("&gt;"),
            _ => None,
        }
    }
}

fn htmlspecialchars(call: &mut Call<'_>) -> PhpResult<Val> {
    escape(call, false)
}

fn htmlentities(call: &mut Call<'_>) -> PhpResult<Val> {
    escape(call, true)
}

/// A text as the value of an attribute in either kind of quotes; entities in it stay.
pub fn attribute(vm: &Vm, text: &PhpStr) -> PhpStr {
    const QUOTES_AND_SUBSTITUTE: i64 = 3 | 8;
    let name = vm.ini.text(&settings::DEFAULT_CHARSET);
    let charset = Charset::named(&name).unwrap_or(Charset::Utf8);
    encode::encode(text, false, Flags::new(QUOTES_AND_SUBSTITUTE), charset, false)
}

fn escape(call: &Call<'_>, mut all: bool) -> PhpResult<Val> {
    let charset = Charset::of_argument(call, 2)?;
    if all && matches!(charset, Charset::MultiByte(_)) {
        let text = "Only basic entities substitution is supported for multi-byte encodings other than UTF-8; \
                    functionality is equivalent to htmlspecialchars";
        call.raise(phlox_runtime::Level::Notice, text.as_bytes())?;
        all = false;
    }
    Ok(encode::encode(&call.str(0), all, Flags::new(call.int(1)), charset, call.bool(3)).into())
}

fn htmlspecialchars_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(decode::decode(&call.str(0), false, Flags::new(call.int(1)), Charset::Utf8).into())
}

fn html_entity_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    if !call.str(0).contains(&b'&') {
        return Ok(call.arg(0));
    }
    let charset = Charset::of_argument(call, 2)?;
    Ok(decode::decode(&call.str(0), true, Flags::new(call.int(1)), charset).into())
}

fn get_html_translation_table(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = Flags::new(call.int(1));
    let charset = match call.opt_str(2) {
        Some(_) => Charset::of_argument(call, 2)?,
        None => Charset::Utf8,
    };
    let mut table = PhpArr::new();
    let mut add = |codes: &[u32], entity: &[u8]| {
        let mut key = Vec::new();
        if codes.iter().all(|&code| charset.push(&mut key, code))
            && codes.iter().all(|&code| flags.converts_quote(code))
        {
            table.set_bytes(&key, Val::str(entity));
        }
    };
    let full = call.int(0) != 0;
    let apostrophe = if flags.doctype == Doctype::Xhtml && full { "&#039;" } else { flags.doctype.apostrophe() };
    if !full || matches!(charset, Charset::MultiByte(_)) {
        for code in [0x22, 0x26, 0x27, 0x3c, 0x3e] {
            let entity = if code == 0x27 { apostrophe } else { flags.doctype.special(code).unwrap_or("") };
            add(&[code], entity.as_bytes());
        }
        return Ok(table.into());
    }
    let named = flags.doctype.entities();
    let has_apostrophe = named.names.contains_key(&[0x27][..]);
    for (codes, name) in &named.ordered {
        if !has_apostrophe && codes[0] == 0x3c {
            add(&[0x27], apostrophe.as_bytes());
        }
        add(codes, format!("&{name};").as_bytes());
    }
    Ok(table.into())
}

/// U+FFFD as the charset can write it.
fn replacement(charset: Charset) -> PhpStr {
    PhpStr::from(if charset == Charset::Utf8 { "\u{fffd}" } else { "&#xFFFD;" })
}
