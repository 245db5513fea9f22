//! Character sets: text to bytes and back.

/// How a set encodes characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Ascii,
    Latin1,
    /// Windows 1252: Latin-1 with other characters from 80 to 9F.
    Windows,
    Utf8,
    Utf16 {
        big: bool,
    },
    /// One byte for each character, by a table of the Web's encodings.
    Table(&'static encoding_rs::Encoding),
    /// The first PCs' set: a table from 80 on.
    Pc,
    /// A set whose table this machine does not have.
    Unknown,
}

/// Code page 437 from 80 on.
const PC: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The table of a set with one byte for each character.
fn table(name: &str) -> Option<&'static encoding_rs::Encoding> {
    let label = match name.strip_prefix("latin-").or_else(|| name.strip_prefix("iso")) {
        Some(number) if number.bytes().all(|digit| digit.is_ascii_digit()) => format!("latin{number}"),
        _ => match name.strip_prefix("cp") {
            Some(number) => format!("windows-{number}"),
            None => name.to_owned(),
        },
    };
    encoding_rs::Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_single_byte())
}

/// A character set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterSet {
    /// The name that the program gave.
    pub name: String,
    encoding: Encoding,
}

/// Windows 1252 from 80 to 9F; blanks are unassigned.
const WINDOWS: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

impl CharacterSet {
    /// The set with a name, known or not.
    pub fn new(name: &str) -> CharacterSet {
        let encoding = match name.to_ascii_lowercase().as_str() {
            "us-ascii" | "ascii" | "asc7dflt" => Encoding::Ascii,
            "iso-8859-1" | "iso8859-1" | "latin1" | "latin-1" => Encoding::Latin1,
            "cp1252" | "windows-1252" | "1252" => Encoding::Windows,
            "utf-8" | "utf8" => Encoding::Utf8,
            "utf-16le" | "unicodel" | "utf16le" | "ucs2le" => Encoding::Utf16 { big: false },
            "utf-16be" | "unicodeb" | "utf16be" | "ucs2be" => Encoding::Utf16 { big: true },
            "cp437" | "437" => Encoding::Pc,
            name => table(name).map_or(Encoding::Unknown, Encoding::Table),
        };
        CharacterSet { name: name.to_owned(), encoding }
    }

    /// Whether its table is there.
    pub fn is_known(&self) -> bool {
        self.encoding != Encoding::Unknown
    }

    fn single(&self, c: char) -> Option<u8> {
        let code = c as u32;
        match self.encoding {
            _ if code < 0x80 => Some(code as u8),
            Encoding::Latin1 => u8::try_from(code).ok(),
            Encoding::Windows => match WINDOWS.chars().position(|known| known == c && known != ' ') {
                Some(at) => Some(0x80 + at as u8),
                None => u8::try_from(code).ok().filter(|byte| *byte >= 0xa0),
            },
            Encoding::Pc => PC.chars().position(|known| known == c).map(|at| 0x80 + at as u8),
            Encoding::Table(table) => {
                let mut text = [0; 4];
                match table.encode(c.encode_utf8(&mut text)) {
                    (bytes, _, false) => bytes.first().copied(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a character has a code of its own.
    pub fn has(&self, c: char) -> bool {
        match self.encoding {
            Encoding::Utf8 | Encoding::Utf16 { .. } => true,
            Encoding::Unknown => c.is_ascii(),
            _ => self.single(c).is_some(),
        }
    }

    /// Whether a character has a code or is written as similar ones.
    pub fn maps(&self, c: char) -> bool {
        self.has(c) || similar(c) != "?"
    }

    /// The bytes of a text; characters without a code become similar ones or a question mark.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf16 { big } => {
                text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
            }
            _ => {
                let mut out = Vec::new();
                for c in text.chars() {
                    match self.single(c) {
                        Some(byte) => out.push(byte),
                        None => out.extend(similar(c).bytes()),
                    }
                }
                out
            }
        }
    }

    /// The text of bytes.
    pub fn decode(&self, bytes: &[u8]) -> String {
        match self.encoding {
            Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Utf16 { big } => {
                let units = bytes.chunks_exact(2).map(|pair| {
                    let pair = [pair[0], pair[1]];
                    if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
                });
                char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }
            Encoding::Table(table) => table.decode_without_bom_handling(bytes).0.into_owned(),
            encoding => bytes
                .iter()
                .map(|byte| match (encoding, byte) {
                    // The reference's table of this set begins behind NUL.
                    (Encoding::Ascii, 0) => char::REPLACEMENT_CHARACTER,
                    (_, 0..0x80) | (Encoding::Latin1, _) => *byte as char,
                    (Encoding::Windows, 0x80..0xa0) => {
                        let c = WINDOWS.chars().nth(usize::from(byte - 0x80)).unwrap_or(' ');
                        if c == ' ' { char::REPLACEMENT_CHARACTER } else { c }
                    }
                    (Encoding::Windows, _) => *byte as char,
                    (Encoding::Pc, _) => PC.chars().nth(usize::from(byte - 0x80)).unwrap_or('?'),
                    _ => char::REPLACEMENT_CHARACTER,
                })
                .collect(),
        }
    }
}

/// What a character looks like in plain ASCII.
fn similar(c: char) -> &'static str {
    match c {
        'å' => "aa",
        'Å' => "AA",
        'à'..='ä' => "a",
        'À'..='Ä' => "A",
        'ç' => "c",
        'Ç' => "C",
        'è'..='ë' => "e",
        'È'..='Ë' => "E",
        'ì'..='ï' => "i",
        'Ì'..='Ï' => "I",
        'ñ' => "n",
        'Ñ' => "N",
        'ò'..='ö' | 'ø' => "o",
        'Ò'..='Ö' | 'Ø' => "O",
        'ù'..='ü' => "u",
        'Ù'..='Ü' => "U",
        'ý' | 'ÿ' => "y",
        'ß' => "ss",
        'æ' => "ae",
        'Æ' => "AE",
        '‘' | '’' | '′' => "'",
        '“' | '”' | '″' | '«' | '»' => "\"",
        '–' | '\u{2010}' | '\u{2011}' => "-",
        '—' => "--",
        '…' => "...",
        '\u{a0}' => " ",
        '©' => "(c)",
        '®' => "(R)",
        '™' => "(tm)",
        _ => "?",
    }
}
