//! Encodings of one to four bytes a character, without shifts.
//!
//! Each is a table of `encoding_rs` with the differences that a file of `sets/` names, one a line:
//!
//! ```text
//! leads 81-9f e0-fc    first bytes of characters of two
//! thirds a1 ee-fe      what follows 8F in characters of three
//! fourths a1 a2        what follows 8E in characters of four
//! area 40-fc           the bytes that may follow a first one
//! empty c8             first bytes without characters: what may follow one is read anew
//! 81ca ￢              characters of the sequences from here on
//! 8140= eeb8 63        so many code points in a row
//! ed40! 49             sequences without a character
//! 82f5+ か゚            several code points for one sequence
//! fa40< ⅰⅱ            sequences that are written for characters (with `=`, too); else it is the first that is read so
//! unwritten ▿          characters that are only read
//! ```

use super::BAD;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding as Table, GB18030, SHIFT_JIS};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// An encoding of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    EucJp,
    EucJpWin,
    EucJp2004,
    Cp51932,
    Sjis,
    SjisMac,
    Sjis2004,
    Cp932,
    SjisWin,
    SjisDocomo,
    SjisKddi,
    SjisSoftbank,
    Gb18030,
    Gb18030Of2022,
    EucCn,
    Cp936,
    /// GB 2312, for HZ.
    Hz,
    EucTw,
    Big5,
    Cp950,
    EucKr,
    /// KS X 1001, for ISO-2022-KR.
    Ksx1001,
    Uhc,
}

impl Set {
    /// Shift JIS of some kind?
    pub fn is_shift_jis(self) -> bool {
        use Set::*;
        matches!(self, Sjis | SjisMac | Sjis2004 | Cp932 | SjisWin | SjisDocomo | SjisKddi | SjisSoftbank)
    }

    /// Does the first byte of a character determine its length?
    pub fn is_told_by_lead(self) -> bool {
        !matches!(self, Set::Gb18030 | Set::Gb18030Of2022 | Set::Hz | Set::Ksx1001)
    }

    /// The length of a character with this first byte, in encodings where it determines that.
    pub fn lead_width(self, byte: u8) -> usize {
        use Set::*;
        match (self, byte) {
            (EucJp | EucJpWin | EucJp2004 | Cp51932, 0x8E) => 2,
            (EucJp | EucJpWin | EucJp2004 | Cp51932, 0x8F) => 3,
            (EucTw, 0x8E) => 4,
            (Cp936 | Big5 | Cp950 | Uhc, 0x81..=0xFE) => 2,
            (EucJp | EucJpWin | EucJp2004 | Cp51932 | EucCn | EucKr | EucTw, 0xA1..=0xFE) => 2,
            _ if self.is_shift_jis() && self.is_shift_jis_lead(byte) => 2,
            _ => 1,
        }
    }

    /// Does the byte begin a character of two bytes, even if the pair is not assigned?
    pub fn is_shift_jis_lead(self, byte: u8) -> bool {
        matches!(byte, 0x81..=0x9F | 0xE0..=0xED) || (self != Set::SjisMac && matches!(byte, 0xEE..=0xFC))
    }
}

/// The tables to start from, and the differences.
const SOURCES: [(Set, Option<&'static Table>, &str); 23] = [
    (Set::EucJp, Some(EUC_JP), include_str!("sets/euc-jp.txt")),
    (Set::EucJpWin, Some(EUC_JP), include_str!("sets/eucjp-win.txt")),
    (Set::EucJp2004, None, include_str!("sets/euc-jp-2004.txt")),
    (Set::Cp51932, Some(EUC_JP), include_str!("sets/cp51932.txt")),
    (Set::Sjis, Some(SHIFT_JIS), include_str!("sets/sjis.txt")),
    (Set::SjisMac, Some(SHIFT_JIS), include_str!("sets/sjis-mac.txt")),
    (Set::Sjis2004, Some(SHIFT_JIS), include_str!("sets/sjis-2004.txt")),
    (Set::Cp932, Some(SHIFT_JIS), include_str!("sets/cp932.txt")),
    (Set::SjisWin, Some(SHIFT_JIS), include_str!("sets/sjis-win.txt")),
    (Set::SjisDocomo, Some(SHIFT_JIS), include_str!("sets/sjis-mobile-docomo.txt")),
    (Set::SjisKddi, Some(SHIFT_JIS), include_str!("sets/sjis-mobile-kddi.txt")),
    (Set::SjisSoftbank, Some(SHIFT_JIS), include_str!("sets/sjis-mobile-softbank.txt")),
    (Set::Gb18030, Some(GB18030), include_str!("sets/gb18030.txt")),
    (Set::Gb18030Of2022, Some(GB18030), include_str!("sets/gb18030-2022.txt")),
    (Set::EucCn, Some(GB18030), include_str!("sets/euc-cn.txt")),
    (Set::Cp936, Some(GB18030), include_str!("sets/cp936.txt")),
    (Set::Hz, Some(GB18030), include_str!("sets/hz.txt")),
    (Set::EucTw, None, include_str!("sets/euc-tw.txt")),
    (Set::Big5, Some(BIG5), include_str!("sets/big-5.txt")),
    (Set::Cp950, Some(BIG5), include_str!("sets/cp950.txt")),
    (Set::EucKr, Some(EUC_KR), include_str!("sets/euc-kr.txt")),
    (Set::Ksx1001, Some(EUC_KR), include_str!("sets/iso-2022-kr.txt")),
    (Set::Uhc, Some(EUC_KR), include_str!("sets/uhc.txt")),
];

/// Marks sequences in the table of pairs that stand for several code points.
const SEVERAL: u32 = BAD - 1;
/// The first bytes of the characters of three and of four.
const THREE: u8 = 0x8F;
const FOUR: u8 = 0x8E;
const ESC: u8 = 0x1B;

type Bytes256 = [bool; 256];

/// An encoding's tables.
pub struct Charset {
    singles: [u32; 256],
    leads: Bytes256,
    thirds: Bytes256,
    fourths: Bytes256,
    area: Bytes256,
    empty: Bytes256,
    /// The code points of sequences of two bytes, indexed by the big-endian number.
    pairs: Vec<u32>,
    /// The code points of sequences of three or four bytes.
    longer: HashMap<u32, u32>,
    several: HashMap<u32, Vec<u32>>,
    /// The bytes that are written for a code point.
    written: HashMap<u32, u32>,
    /// The bytes for several code points together, how many that may be, and what they begin with.
    together: HashMap<Vec<u32>, u32>,
    longest: usize,
    begins: HashSet<u32>,
    /// Characters of four bytes are computed instead of looked up (GB 18030).
    computed: bool,
    /// Emoji also stand behind an escape sequence.
    has_emoji_escapes: bool,
}

fn number(sequence: &[u8]) -> u32 {
    sequence.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn push_number(out: &mut Vec<u8>, sequence: u32) {
    let bytes = sequence.to_be_bytes();
    let skip = (sequence.leading_zeros() as usize / 8).min(3);
    out.extend_from_slice(&bytes[skip..]);
}

/// The one character that a table of `encoding_rs` has for the bytes.
fn lookup(table: &'static Table, bytes: &[u8]) -> u32 {
    let (text, malformed) = table.decode_without_bom_handling(bytes);
    let mut characters = text.chars();
    match (malformed, characters.next(), characters.next()) {
        (false, Some(character), None) => character.into(),
        _ => BAD,
    }
}

/// `81-9f e0`
fn byte_ranges(text: &str) -> Bytes256 {
    let mut set = [false; 256];
    for range in text.split(' ') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let byte = |digits: &str| u8::from_str_radix(digits, 16).unwrap_or_default();
        set[usize::from(byte(first))..=usize::from(byte(last))].fill(true);
    }
    set
}

/// The contents of a file of differences.
struct Differences {
    leads: Bytes256,
    thirds: Bytes256,
    fourths: Bytes256,
    area: Bytes256,
    empty: Bytes256,
    read: BTreeMap<u32, Vec<u32>>,
    written: Vec<(u32, u32)>,
    unwritten: Vec<u32>,
}

fn parse(text: &str) -> Differences {
    let none = [false; 256];
    let mut all = Differences {
        leads: none,
        thirds: none,
        fourths: none,
        area: none,
        empty: none,
        read: BTreeMap::new(),
        written: Vec::new(),
        unwritten: Vec::new(),
    };
    for line in text.lines() {
        let Some((head, rest)) = line.split_once(' ') else { continue };
        match head {
            "leads" => all.leads = byte_ranges(rest),
            "thirds" => all.thirds = byte_ranges(rest),
            "fourths" => all.fourths = byte_ranges(rest),
            "area" => all.area = byte_ranges(rest),
            "empty" => all.empty = byte_ranges(rest),
            "unwritten" => all.unwritten = rest.chars().map(u32::from).collect(),
            _ => difference(&mut all, head, rest),
        }
    }
    all
}

/// A line with sequences.
fn difference(all: &mut Differences, head: &str, rest: &str) {
    let digits = head.trim_end_matches(['+', '<', '=', '!']);
    let marks = &head[digits.len()..];
    let start = u32::from_str_radix(digits, 16).unwrap_or_default();
    let codes: Vec<u32> = if marks.contains('=') {
        let (first, count) = rest.split_once(' ').unwrap_or((rest, "1"));
        let first = u32::from_str_radix(first, 16).unwrap_or_default();
        (first..first + count.parse::<u32>().unwrap_or_default()).collect()
    } else if marks.contains('!') {
        vec![BAD; rest.parse().unwrap_or_default()]
    } else {
        rest.chars().map(u32::from).collect()
    };
    if marks.contains('+') {
        all.read.insert(start, codes);
    } else if marks.contains('<') {
        all.written.extend((start..).zip(codes).map(|(sequence, code)| (code, sequence)));
    } else {
        all.read.extend((start..).zip(codes).map(|(sequence, code)| (sequence, vec![code])));
    }
}

impl Charset {
    /// The character set, whose tables are made at its first use.
    pub fn of(set: Set) -> &'static Charset {
        static MADE: [OnceLock<Charset>; SOURCES.len()] = [const { OnceLock::new() }; SOURCES.len()];
        let index = SOURCES.iter().position(|(known, ..)| *known == set).unwrap_or_default();
        let (_, table, differences) = SOURCES[index];
        MADE[index].get_or_init(|| {
            let computed = matches!(set, Set::Gb18030 | Set::Gb18030Of2022);
            let charset = Charset::new(table, &parse(differences), computed);
            Charset { has_emoji_escapes: set == Set::SjisSoftbank, ..charset }
        })
    }

    fn new(table: Option<&'static Table>, differences: &Differences, computed: bool) -> Charset {
        let mut set = Charset {
            singles: std::array::from_fn(|byte| if byte < 0x80 { byte as u32 } else { BAD }),
            leads: differences.leads,
            thirds: differences.thirds,
            fourths: differences.fourths,
            area: differences.area,
            empty: differences.empty,
            pairs: vec![BAD; 1 << 16],
            longer: HashMap::new(),
            several: HashMap::new(),
            written: HashMap::new(),
            together: HashMap::new(),
            longest: 0,
            begins: HashSet::new(),
            computed,
            has_emoji_escapes: false,
        };
        if let Some(table) = table {
            set.start_from(table, differences);
        }
        for (&sequence, codes) in &differences.read {
            set.read(sequence, codes);
        }
        set.index();
        set.written.retain(|code, _| !differences.unwritten.contains(code));
        for &(code, sequence) in &differences.written {
            set.written.insert(code, sequence);
        }
        set
    }

    fn start_from(&mut self, table: &'static Table, differences: &Differences) {
        let area: Vec<u8> = (0..=255).filter(|&byte| differences.area[usize::from(byte)]).collect();
        for lead in 0x80..=255u8 {
            if !self.leads[usize::from(lead)] {
                self.singles[usize::from(lead)] = lookup(table, &[lead]);
                continue;
            }
            for &trail in &area {
                let code = lookup(table, &[lead, trail]);
                self.pairs[number(&[lead, trail]) as usize] = code;
            }
        }
        if differences.thirds.contains(&true) {
            for sequence in area.iter().flat_map(|&second| area.iter().map(move |&third| [THREE, second, third])) {
                let code = lookup(table, &sequence);
                if code != BAD {
                    self.longer.insert(number(&sequence), code);
                }
            }
        }
    }

    fn read(&mut self, sequence: u32, codes: &[u32]) {
        let code = match codes {
            [code] => *code,
            _ => {
                self.several.insert(sequence, codes.to_vec());
                SEVERAL
            }
        };
        match sequence {
            0..0x100 => self.singles[sequence as usize] = code,
            0x100..0x1_0000 => self.pairs[sequence as usize] = code,
            _ if code == BAD => drop(self.longer.remove(&sequence)),
            _ => drop(self.longer.insert(sequence, code)),
        }
    }

    /// Fills the table of written sequences: for each code point the first sequence in byte order that decodes to it.
    fn index(&mut self) {
        let mut sequences: Vec<(Vec<u8>, u32)> = Vec::new();
        let mut add = |sequence: u32, code: u32| {
            let mut bytes = Vec::new();
            push_number(&mut bytes, sequence);
            sequences.push((bytes, code));
        };
        self.singles.iter().enumerate().for_each(|(byte, &code)| add(byte as u32, code));
        let pairs = self.pairs.iter().enumerate().filter(|(_, code)| **code != BAD);
        pairs.for_each(|(pair, &code)| add(pair as u32, code));
        self.longer.iter().for_each(|(&sequence, &code)| add(sequence, code));
        sequences.sort_unstable();
        for (bytes, code) in sequences.into_iter().filter(|(_, code)| *code < SEVERAL) {
            self.written.entry(code).or_insert(number(&bytes));
        }
        for (&sequence, codes) in &self.several {
            if let [first, _, ..] = codes[..] {
                self.together.insert(codes.clone(), sequence);
                self.longest = self.longest.max(codes.len());
                self.begins.insert(first);
            }
        }
    }

    /// The code point of two bytes, for encodings that write them in another way.
    pub fn pair(&self, lead: u8, trail: u8) -> u32 {
        let code = self.pairs[number(&[lead, trail]) as usize];
        if code == SEVERAL { BAD } else { code }
    }

    /// Appends the code point or code points of two bytes, for encodings that write them in another way.
    pub fn push_pair(&self, codes: &mut Vec<u32>, lead: u8, trail: u8) {
        match self.several.get(&number(&[lead, trail])) {
            Some(several) => codes.extend(several),
            None => codes.push(self.pair(lead, trail)),
        }
    }

    /// The bytes of several code points of which this is the first.
    pub fn beginning(&self, code: u32) -> Option<Vec<u8>> {
        if !self.begins.contains(&code) {
            return None;
        }
        let sequence =
            self.together.iter().filter(|(codes, _)| codes[0] == code).map(|(_, &sequence)| sequence).min()?;
        let mut bytes = Vec::new();
        push_number(&mut bytes, sequence);
        Some(bytes)
    }

    /// The code point of three bytes, for encodings that write them in another way.
    pub fn triple(&self, bytes: [u8; 3]) -> u32 {
        self.longer.get(&number(&bytes)).copied().unwrap_or(BAD)
    }

    /// The bytes of a code point.
    pub fn bytes(&self, code: u32) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        push_number(&mut bytes, *self.written.get(&code)?);
        Some(bytes)
    }

    /// The code points of a text; what is malformed becomes `BAD`.
    pub fn decode(&self, text: &[u8]) -> Vec<u32> {
        let mut codes = Vec::with_capacity(text.len());
        let mut rest = text;
        while let [first, ..] = *rest {
            if first == ESC && self.has_emoji_escapes {
                rest = super::mobile::escaped_emoji(self, &mut codes, &rest[1..]);
                continue;
            }
            let code = self.singles[usize::from(first)];
            if code < SEVERAL {
                codes.push(code);
                rest = &rest[1..];
                continue;
            }
            let (length, code) = if code == SEVERAL { (1, code) } else { self.character(rest) };
            let sequence = &rest[..length.min(rest.len())];
            match self.several.get(&number(sequence)) {
                Some(several) if code == SEVERAL => codes.extend(several),
                _ => codes.push(code),
            }
            rest = &rest[sequence.len()..];
        }
        codes
    }

    /// Length and code point of the character at the beginning, which is either malformed or longer than one byte.
    fn character(&self, text: &[u8]) -> (usize, u32) {
        let at = |index: usize| text.get(index).copied();
        let first = text[0];
        let among = |set: &Bytes256, byte: u8| set[usize::from(byte)];
        match (at(1), at(2)) {
            (second, third) if first == THREE && self.thirds.contains(&true) => match (second, third) {
                (Some(second), _) if !among(&self.thirds, second) => (2, BAD),
                (Some(second), Some(third)) => (3, self.triple([first, second, third])),
                _ => (text.len(), BAD),
            },
            (second, third) if first == FOUR && self.fourths.contains(&true) => match (second, third) {
                (Some(second), _) if !among(&self.fourths, second) => (2, BAD),
                (Some(_), Some(0xA1..=0xFE)) => match text.get(..4) {
                    Some(sequence) => (4, self.longer.get(&number(sequence)).copied().unwrap_or(BAD)),
                    None => (text.len(), BAD),
                },
                _ => (3, BAD),
            },
            _ if !among(&self.leads, first) => (1, BAD),
            (Some(b'0'..=b'9'), third) if self.computed && matches!(first, 0x81..=0x84 | 0x90..=0xE3) => {
                match (third, text.get(..4)) {
                    (Some(0x81..=0xFE), Some(sequence)) => {
                        let known = self.longer.get(&number(sequence));
                        (4, known.copied().unwrap_or_else(|| lookup(GB18030, sequence)))
                    }
                    _ => (3, BAD),
                }
            }
            (Some(second), _) if among(&self.empty, first) && among(&self.area, second) => (1, BAD),
            (Some(second), _) => (2, self.pairs[number(&[first, second]) as usize]),
            (None, _) => (1, BAD),
        }
    }

    /// Writes the first of the code points, or as many as one sequence stands for; gives how many. `None`: the encoding lacks it.
    pub fn put(&self, out: &mut Vec<u8>, codes: &[u32]) -> Option<usize> {
        if let Some((length, bytes)) = self.joined(codes) {
            out.extend_from_slice(&bytes);
            return Some(length);
        }
        self.put_alone(out, *codes.first()?).then_some(1)
    }

    /// The bytes that stand for as many code points as possible, and for how many: two at least.
    pub fn joined(&self, codes: &[u32]) -> Option<(usize, Vec<u8>)> {
        if !self.begins.contains(codes.first()?) {
            return None;
        }
        let longest = self.longest.min(codes.len());
        let found = (2..=longest).rev().find_map(|length| Some((length, *self.together.get(&codes[..length])?)));
        found.map(|(length, sequence)| {
            let mut bytes = Vec::new();
            push_number(&mut bytes, sequence);
            (length, bytes)
        })
    }

    fn put_alone(&self, out: &mut Vec<u8>, code: u32) -> bool {
        if let Some(&sequence) = self.written.get(&code) {
            push_number(out, sequence);
            return true;
        }
        if code < 0x80 {
            out.push(code as u8);
            return true;
        }
        let computed = char::from_u32(code).filter(|_| self.computed);
        let Some(character) = computed else { return false };
        let mut buffer = [0; 4];
        let (bytes, _, missing) = GB18030.encode(character.encode_utf8(&mut buffer));
        let fits = !missing && bytes.len() == 4;
        if fits {
            out.extend_from_slice(&bytes);
        }
        fits
    }
}
