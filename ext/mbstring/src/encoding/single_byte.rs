//! Encodings of one byte a character: tables of what the upper half means.

use super::BAD;
use encoding_rs::Encoding as Table;
use std::cell::RefCell;
use std::rc::Rc;

/// Where the upper half of a table comes from.
#[derive(Clone, Copy, Debug)]
pub enum Upper {
    /// The tables of `encoding_rs`, but for these bytes.
    Standard(&'static Table, Exceptions),
    /// A standard table with control characters at 0x80 to 0x9F.
    WithControls(&'static Table),
    /// The characters from 0x80 on; U+FFFD where there is none.
    Characters(&'static str),
}

/// Bytes with other characters than a standard table has.
pub type Exceptions = &'static [(u8, u32)];

impl PartialEq for Upper {
    fn eq(&self, other: &Upper) -> bool {
        match (self, other) {
            (Upper::Standard(a, _), Upper::Standard(b, _)) | (Upper::WithControls(a), Upper::WithControls(b)) => a == b,
            (Upper::Characters(a), Upper::Characters(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl Eq for Upper {}

/// The code point of a byte from 0x80 on.
fn upper(byte: u8, table: Upper) -> u32 {
    let character = match table {
        Upper::WithControls(_) if byte < 0xA0 => return byte as u32,
        Upper::Standard(_, exceptions) if let Some((_, code)) = exceptions.iter().find(|row| row.0 == byte) => {
            return *code;
        }
        Upper::Standard(table, _) | Upper::WithControls(table) => {
            table.decode_without_bom_handling(&[byte]).0.chars().next()
        }
        Upper::Characters(text) => text.chars().nth(byte as usize - 0x80),
    };
    match character {
        None | Some('\u{FFFD}') => BAD,
        Some(character) => character as u32,
    }
}

/// An upper half, read once for each thread.
struct Known {
    codes: [u32; 128],
    /// Code points with their bytes, in order; of two bytes the first comes first.
    bytes: Vec<(u32, u8)>,
}

thread_local! {
    static KNOWN: RefCell<Vec<(Upper, Rc<Known>)>> = const { RefCell::new(Vec::new()) };
}

fn known(table: Upper) -> Rc<Known> {
    KNOWN.with_borrow_mut(|all| {
        if let Some((_, known)) = all.iter().find(|(known, _)| *known == table) {
            return known.clone();
        }
        let codes: [u32; 128] = std::array::from_fn(|place| upper(place as u8 + 0x80, table));
        let mut bytes: Vec<(u32, u8)> = codes.iter().zip(0x80..=0xff).map(|(&code, byte)| (code, byte)).collect();
        bytes.sort_unstable();
        let known = Rc::new(Known { codes, bytes });
        all.push((table, known.clone()));
        known
    })
}

/// The code points of a text.
pub fn decode(text: &[u8], table: Upper) -> Vec<u32> {
    if text.is_ascii() {
        return text.iter().map(|&byte| byte.into()).collect();
    }
    let known = known(table);
    let lookup = |&byte: &u8| if byte < 0x80 { byte.into() } else { known.codes[byte as usize - 0x80] };
    text.iter().map(lookup).collect()
}

/// Writes a code point; false if the table does not have it.
pub fn put(out: &mut Vec<u8>, code: u32, table: Upper) -> bool {
    let byte = match code {
        BAD => None,
        // One table has a few ASCII characters in its upper half, too.
        0..0x80 if !matches!(table, Upper::Characters(_)) => Some(code as u8),
        _ => {
            let known = known(table);
            let at = known.bytes.partition_point(|&(other, _)| other < code);
            let upper = known.bytes.get(at).filter(|&&(found, _)| found == code).map(|&(_, byte)| byte);
            upper.or((code < 0x80).then_some(code as u8))
        }
    };
    out.extend(byte);
    byte.is_some()
}

pub const CP850: &str = "\u{C7}üéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";

pub const ARMSCII8: &str = "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}\u{A0}\u{FFFD}\u{587}\u{589})(»«—.՝,-֊…՜՛՞ԱաԲբԳգԴդԵեԶզԷէԸըԹթԺժԻիԼլԽխԾծԿկՀհՁձՂղՃճՄմՅյՆնՇշՈոՉչՊպՋջՌռՍսՎվՏտՐրՑցՒւՓփՔքՕօՖֆ՚\u{FFFD}";
