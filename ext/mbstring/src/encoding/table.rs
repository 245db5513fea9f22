//! The encodings by name, in the order that `mb_list_encodings` gives.

use super::BAD;
use super::charset::Set;
use super::japanese::Member;
use super::mobile::Carrier;
use super::shifted::Form;
use super::single_byte::{ARMSCII8, CP850, Upper};
use super::unicode::Order;
use encoding_rs as standard;
use phlox_runtime::strmap::PassThrough;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

/// How the bytes of an encoding are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Utf8,
    Utf16(Order),
    Ucs2(Order),
    Utf32(Order),
    Ucs4(Order),
    Utf7,
    Utf7Imap,
    Ascii,
    Latin1,
    SingleByte(Upper),
    MultiByte(Set),
    Shifted(Form),
    Japanese(Member),
    Mobile(Carrier),
    Base64,
    Uuencode,
    HtmlEntities,
    QuotedPrintable,
    SevenBit,
    EightBit,
}

pub struct Encoding {
    pub name: &'static str,
    /// The name for mail headers; empty: there is none.
    pub mime: &'static str,
    pub aliases: &'static [&'static str],
    pub kind: Kind,
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Encoding) -> bool {
        self.name == other.name
    }
}

impl Encoding {
    /// Has each character one byte? PHP also counts and cuts uuencoded text by bytes, although it decodes it for other
    /// purposes.
    pub fn is_single_byte(&self) -> bool {
        use Kind::{Ascii, EightBit, Latin1, SevenBit, SingleByte, Uuencode};
        matches!(self.kind, Ascii | Latin1 | SingleByte(_) | SevenBit | EightBit | Uuencode)
    }

    /// Bytes a character, where that never changes.
    pub fn fixed_width(&self) -> Option<usize> {
        match self.kind {
            Kind::Ucs2(_) => Some(2),
            Kind::Utf32(_) | Kind::Ucs4(_) => Some(4),
            _ if self.is_single_byte() => Some(1),
            _ => None,
        }
    }

    /// The deprecation of encodings that encode bytes and not characters.
    pub fn deprecation(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Base64 => Some("Handling Base64 via mbstring is deprecated; use base64_encode/base64_decode instead"),
            Kind::QuotedPrintable => Some(
                "Handling QPrint via mbstring is deprecated; use quoted_printable_encode/quoted_printable_decode instead",
            ),
            Kind::HtmlEntities => Some(
                "Handling HTML entities via mbstring is deprecated; use htmlspecialchars, htmlentities, or mb_encode_numericentity/mb_decode_numericentity instead",
            ),
            Kind::Uuencode => {
                Some("Handling Uuencode via mbstring is deprecated; use convert_uuencode/convert_uudecode instead")
            }
            _ => None,
        }
    }

    /// Does it encode characters, and not just bytes?
    pub fn has_characters(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Base64
                | Kind::Uuencode
                | Kind::HtmlEntities
                | Kind::QuotedPrintable
                | Kind::SevenBit
                | Kind::EightBit
        )
    }

    /// A Unicode format?
    pub fn is_unicode(&self) -> bool {
        matches!(
            self.kind,
            Kind::Utf8 | Kind::Utf16(_) | Kind::Ucs2(_) | Kind::Utf32(_) | Kind::Ucs4(_) | Kind::Utf7 | Kind::Utf7Imap
        )
    }
}

/// An encoding by name, preferred mail name or alias, in any case.
pub fn find(name: &[u8]) -> Option<&'static Encoding> {
    const LONGEST: usize = 32;
    let mut buffer = [0; LONGEST];
    let lower = buffer.get_mut(..name.len())?;
    lower.iter_mut().zip(name).for_each(|(to, from)| *to = from.to_ascii_lowercase());
    NAMES.get(&*lower).copied()
}

/// Encodings by their names in lower case. The name of an encoding has precedence over an equal alias of another one.
static NAMES: LazyLock<HashMap<Vec<u8>, &'static Encoding, BuildHasherDefault<PassThrough>>> = LazyLock::new(|| {
    let mut names = HashMap::default();
    let mut add = |name: &str, encoding| {
        names.entry(name.to_ascii_lowercase().into_bytes()).or_insert(encoding);
    };
    ENCODINGS.iter().for_each(|encoding| add(encoding.name, encoding));
    ENCODINGS.iter().filter(|encoding| !encoding.mime.is_empty()).for_each(|encoding| add(encoding.mime, encoding));
    ENCODINGS.iter().for_each(|encoding| encoding.aliases.iter().for_each(|alias| add(alias, encoding)));
    names
});

const fn row(name: &'static str, mime: &'static str, aliases: &'static [&'static str], kind: Kind) -> Encoding {
    Encoding { name, mime, aliases, kind }
}

const fn standard_table(table: &'static standard::Encoding) -> Kind {
    Kind::SingleByte(Upper::Standard(table, &[]))
}

/// A standard table without bytes that only the web's standards assign.
const fn without<const N: usize>(table: &'static standard::Encoding, exceptions: &'static [(u8, u32); N]) -> Kind {
    Kind::SingleByte(Upper::Standard(table, exceptions))
}

const TURKISH: [(u8, u32); 7] =
    [(0x81, BAD), (0x8D, BAD), (0x8E, BAD), (0x8F, BAD), (0x90, BAD), (0x9D, BAD), (0x9E, BAD)];
const CYRILLIC: [(u8, u32); 1] = [(0x98, BAD)];
/// Box drawing where others have Belarusian letters.
const UKRAINIAN: [(u8, u32); 2] = [(0xAE, 0x255D), (0xBE, 0x256C)];

const fn iso_table(table: &'static standard::Encoding) -> Kind {
    Kind::SingleByte(Upper::WithControls(table))
}

/// Encodings that `iconv` knows and `mbstring` does not.
pub static MORE: &[Encoding] = &[
    row("WINDOWS-1250", "windows-1250", &["CP1250"], standard_table(standard::WINDOWS_1250)),
    row("WINDOWS-1253", "windows-1253", &["CP1253"], standard_table(standard::WINDOWS_1253)),
    row("WINDOWS-1255", "windows-1255", &["CP1255"], standard_table(standard::WINDOWS_1255)),
    row("WINDOWS-1256", "windows-1256", &["CP1256"], standard_table(standard::WINDOWS_1256)),
    row("WINDOWS-1257", "windows-1257", &["CP1257"], standard_table(standard::WINDOWS_1257)),
    row("WINDOWS-1258", "windows-1258", &["CP1258"], standard_table(standard::WINDOWS_1258)),
    row("MACINTOSH", "macintosh", &["MAC"], standard_table(standard::MACINTOSH)),
];

impl Encoding {
    /// Is this one of its names?
    pub fn is_named(&self, name: &[u8]) -> bool {
        let mut names = self.aliases.iter().chain([&self.name]);
        names.any(|known| known.as_bytes().eq_ignore_ascii_case(name))
    }
}

pub static ENCODINGS: &[Encoding] = &[
    row("BASE64", "BASE64", &[], Kind::Base64),
    row("UUENCODE", "x-uuencode", &[], Kind::Uuencode),
    row("HTML-ENTITIES", "HTML-ENTITIES", &["HTML", "html"], Kind::HtmlEntities),
    row("Quoted-Printable", "Quoted-Printable", &["qprint"], Kind::QuotedPrintable),
    row("7bit", "7bit", &[], Kind::SevenBit),
    row("8bit", "8bit", &["binary"], Kind::EightBit),
    row("UCS-4", "UCS-4", &["ISO-10646-UCS-4", "UCS4"], Kind::Ucs4(Order::Marked)),
    row("UCS-4BE", "UCS-4BE", &["byte4be"], Kind::Ucs4(Order::Big)),
    row("UCS-4LE", "UCS-4LE", &["byte4le"], Kind::Ucs4(Order::Little)),
    row("UCS-2", "UCS-2", &["ISO-10646-UCS-2", "UCS2", "UNICODE"], Kind::Ucs2(Order::Marked)),
    row("UCS-2BE", "UCS-2BE", &["byte2be"], Kind::Ucs2(Order::Big)),
    row("UCS-2LE", "UCS-2LE", &["byte2le"], Kind::Ucs2(Order::Little)),
    row("UTF-32", "UTF-32", &["utf32"], Kind::Utf32(Order::Marked)),
    row("UTF-32BE", "UTF-32BE", &[], Kind::Utf32(Order::Big)),
    row("UTF-32LE", "UTF-32LE", &[], Kind::Utf32(Order::Little)),
    row("UTF-16", "UTF-16", &["utf16"], Kind::Utf16(Order::Marked)),
    row("UTF-16BE", "UTF-16BE", &[], Kind::Utf16(Order::Big)),
    row("UTF-16LE", "UTF-16LE", &[], Kind::Utf16(Order::Little)),
    row("UTF-8", "UTF-8", &["utf8"], Kind::Utf8),
    row("UTF-7", "UTF-7", &["utf7"], Kind::Utf7),
    row("UTF7-IMAP", "", &["mUTF-7"], Kind::Utf7Imap),
    row(
        "ASCII",
        "US-ASCII",
        &[
            "ANSI_X3.4-1968",
            "iso-ir-6",
            "ANSI_X3.4-1986",
            "ISO_646.irv:1991",
            "US-ASCII",
            "ISO646-US",
            "us",
            "IBM367",
            "IBM-367",
            "cp367",
            "csASCII",
        ],
        Kind::Ascii,
    ),
    row("EUC-JP", "EUC-JP", &["EUC", "EUC_JP", "eucJP", "x-euc-jp"], Kind::MultiByte(Set::EucJp)),
    row("SJIS", "Shift_JIS", &["x-sjis", "SHIFT-JIS"], Kind::MultiByte(Set::Sjis)),
    row("eucJP-win", "EUC-JP", &["eucJP-open", "eucJP-ms"], Kind::MultiByte(Set::EucJpWin)),
    row("EUC-JP-2004", "EUC-JP", &["EUC_JP-2004"], Kind::MultiByte(Set::EucJp2004)),
    row(
        "SJIS-Mobile#DOCOMO",
        "Shift_JIS",
        &["SJIS-DOCOMO", "shift_jis-imode", "x-sjis-emoji-docomo"],
        Kind::MultiByte(Set::SjisDocomo),
    ),
    row(
        "SJIS-Mobile#KDDI",
        "Shift_JIS",
        &["SJIS-KDDI", "shift_jis-kddi", "x-sjis-emoji-kddi"],
        Kind::MultiByte(Set::SjisKddi),
    ),
    row(
        "SJIS-Mobile#SOFTBANK",
        "Shift_JIS",
        &["SJIS-SOFTBANK", "shift_jis-softbank", "x-sjis-emoji-softbank"],
        Kind::MultiByte(Set::SjisSoftbank),
    ),
    row("SJIS-mac", "Shift_JIS", &["MacJapanese", "x-Mac-Japanese"], Kind::MultiByte(Set::SjisMac)),
    row("SJIS-2004", "Shift_JIS", &["SJIS2004", "Shift_JIS-2004"], Kind::MultiByte(Set::Sjis2004)),
    row("UTF-8-Mobile#DOCOMO", "UTF-8", &["UTF-8-DOCOMO", "UTF8-DOCOMO"], Kind::Mobile(Carrier::Docomo)),
    row("UTF-8-Mobile#KDDI-A", "UTF-8", &[], Kind::Mobile(Carrier::KddiA)),
    row(
        "UTF-8-Mobile#KDDI-B",
        "UTF-8",
        &["UTF-8-Mobile#KDDI", "UTF-8-KDDI", "UTF8-KDDI"],
        Kind::Mobile(Carrier::KddiB),
    ),
    row("UTF-8-Mobile#SOFTBANK", "UTF-8", &["UTF-8-SOFTBANK", "UTF8-SOFTBANK"], Kind::Mobile(Carrier::Softbank)),
    row("CP932", "Shift_JIS", &["MS932", "Windows-31J", "MS_Kanji"], Kind::MultiByte(Set::Cp932)),
    row("SJIS-win", "Shift_JIS", &["SJIS-ms", "SJIS-open"], Kind::MultiByte(Set::SjisWin)),
    row("CP51932", "CP51932", &["cp51932"], Kind::MultiByte(Set::Cp51932)),
    row("JIS", "ISO-2022-JP", &[], Kind::Japanese(Member::Jis)),
    row("ISO-2022-JP", "ISO-2022-JP", &[], Kind::Japanese(Member::Iso2022Jp)),
    row("ISO-2022-JP-MS", "ISO-2022-JP", &["ISO2022JPMS"], Kind::Japanese(Member::Microsoft)),
    row("GB18030", "GB18030", &["gb-18030", "gb-18030-2000"], Kind::MultiByte(Set::Gb18030)),
    row("GB18030-2022", "GB18030-2022", &[], Kind::MultiByte(Set::Gb18030Of2022)),
    row("Windows-1252", "Windows-1252", &["cp1252"], standard_table(standard::WINDOWS_1252)),
    row(
        "Windows-1254",
        "Windows-1254",
        &["CP1254", "CP-1254", "WINDOWS-1254"],
        without(standard::WINDOWS_1254, &TURKISH),
    ),
    row("ISO-8859-1", "ISO-8859-1", &["ISO8859-1", "latin1"], Kind::Latin1),
    row("ISO-8859-2", "ISO-8859-2", &["ISO8859-2", "latin2"], iso_table(standard::ISO_8859_2)),
    row("ISO-8859-3", "ISO-8859-3", &["ISO8859-3", "latin3"], iso_table(standard::ISO_8859_3)),
    row("ISO-8859-4", "ISO-8859-4", &["ISO8859-4", "latin4"], iso_table(standard::ISO_8859_4)),
    row("ISO-8859-5", "ISO-8859-5", &["ISO8859-5", "cyrillic"], iso_table(standard::ISO_8859_5)),
    row("ISO-8859-6", "ISO-8859-6", &["ISO8859-6", "arabic"], iso_table(standard::ISO_8859_6)),
    row("ISO-8859-7", "ISO-8859-7", &["ISO8859-7", "greek"], iso_table(standard::ISO_8859_7)),
    row("ISO-8859-8", "ISO-8859-8", &["ISO8859-8", "hebrew"], iso_table(standard::ISO_8859_8)),
    row("ISO-8859-9", "ISO-8859-9", &["ISO8859-9", "latin5"], iso_table(standard::WINDOWS_1254)),
    row("ISO-8859-10", "ISO-8859-10", &["ISO8859-10", "latin6"], iso_table(standard::ISO_8859_10)),
    row("ISO-8859-13", "ISO-8859-13", &["ISO8859-13"], iso_table(standard::ISO_8859_13)),
    row("ISO-8859-14", "ISO-8859-14", &["ISO8859-14", "latin8"], iso_table(standard::ISO_8859_14)),
    row("ISO-8859-15", "ISO-8859-15", &["ISO8859-15"], iso_table(standard::ISO_8859_15)),
    row("ISO-8859-16", "ISO-8859-16", &["ISO8859-16"], iso_table(standard::ISO_8859_16)),
    row("EUC-CN", "CN-GB", &["CN-GB", "EUC_CN", "eucCN", "x-euc-cn", "gb2312"], Kind::MultiByte(Set::EucCn)),
    row("CP936", "CP936", &["CP-936", "GBK"], Kind::MultiByte(Set::Cp936)),
    row("HZ", "HZ-GB-2312", &[], Kind::Shifted(Form::Hz)),
    row("EUC-TW", "EUC-TW", &["EUC_TW", "eucTW", "x-euc-tw"], Kind::MultiByte(Set::EucTw)),
    row("BIG-5", "BIG5", &["CN-BIG5", "BIG-FIVE", "BIGFIVE"], Kind::MultiByte(Set::Big5)),
    row("CP950", "BIG5", &[], Kind::MultiByte(Set::Cp950)),
    row("EUC-KR", "EUC-KR", &["EUC_KR", "eucKR", "x-euc-kr"], Kind::MultiByte(Set::EucKr)),
    row("UHC", "UHC", &["CP949"], Kind::MultiByte(Set::Uhc)),
    row("ISO-2022-KR", "ISO-2022-KR", &[], Kind::Shifted(Form::Korean)),
    row(
        "Windows-1251",
        "Windows-1251",
        &["CP1251", "CP-1251", "WINDOWS-1251"],
        without(standard::WINDOWS_1251, &CYRILLIC),
    ),
    row("CP866", "CP866", &["CP-866", "IBM866", "IBM-866"], standard_table(standard::IBM866)),
    row("KOI8-R", "KOI8-R", &["KOI8R"], standard_table(standard::KOI8_R)),
    row("KOI8-U", "KOI8-U", &["KOI8U"], without(standard::KOI8_U, &UKRAINIAN)),
    row(
        "ArmSCII-8",
        "ArmSCII-8",
        &["ArmSCII8", "ARMSCII-8", "ARMSCII8"],
        Kind::SingleByte(Upper::Characters(ARMSCII8)),
    ),
    row("CP850", "CP850", &["CP-850", "IBM850", "IBM-850"], Kind::SingleByte(Upper::Characters(CP850))),
    row("ISO-2022-JP-2004", "ISO-2022-JP-2004", &[], Kind::Japanese(Member::Jis2004)),
    row("ISO-2022-JP-MOBILE#KDDI", "ISO-2022-JP", &["ISO-2022-JP-KDDI"], Kind::Japanese(Member::Kddi)),
    row("CP50220", "ISO-2022-JP", &["cp50220raw", "cp50220-raw", "JIS-ms"], Kind::Japanese(Member::Cp50220)),
    row("CP50221", "ISO-2022-JP", &[], Kind::Japanese(Member::Cp50221)),
    row("CP50222", "ISO-2022-JP", &[], Kind::Japanese(Member::Cp50222)),
];
