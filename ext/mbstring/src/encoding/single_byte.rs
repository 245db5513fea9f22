//! Encodings of one byte a character: tables of what the upper half means.

use super::BAD;
use encoding_rs::Encoding as Table;

/// Where the upper half of a table comes from.
#[derive(Clone, Copy, Debug)]
pub enum Upper {
    /// The tables of `encoding_rs`.
    Standard(&'static Table),
    /// As a standard table, but the control characters stand at 0x80 to 0x9F.
    WithControls(&'static Table),
    /// The characters from 0x80 on; U+FFFD where there is none.
    Characters(&'static str),
}

impl PartialEq for Upper {
    fn eq(&self, other: &Upper) -> bool {
        match (self, other) {
            (Upper::Standard(a), Upper::Standard(b)) | (Upper::WithControls(a), Upper::WithControls(b)) => a == b,
            (Upper::Characters(a), Upper::Characters(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Upper {}

/// What a byte from 0x80 on means.
fn upper(byte: u8, table: Upper) -> u32 {
    let character = match table {
        Upper::WithControls(_) if byte < 0xA0 => return byte as u32,
        Upper::Standard(table) | Upper::WithControls(table) => {
            table.decode_without_bom_handling(&[byte]).0.chars().next()
        }
        Upper::Characters(text) => text.chars().nth(byte as usize - 0x80),
    };
    match character {
        None | Some('\u{FFFD}') => BAD,
        Some(character) => character as u32,
    }
}

pub fn decode(text: &[u8], table: Upper) -> Vec<u32> {
    let mut known = [0u32; 128];
    let lookup = |&byte: &u8| match byte {
        0..0x80 => byte as u32,
        _ => {
            let place = &mut known[byte as usize - 0x80];
            if *place == 0 {
                *place = upper(byte, table);
            }
            *place
        }
    };
    text.iter().map(lookup).collect::<Vec<u32>>()
}

pub fn put(out: &mut Vec<u8>, code: u32, table: Upper) -> bool {
    let byte = match code {
        0..0x80 => Some(code as u8),
        _ => (0x80..=0xFFu8).find(|&byte| upper(byte, table) == code),
    };
    out.extend(byte);
    byte.is_some()
}

pub const CP850: &str = "\u{C7}üéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";

pub const ARMSCII8: &str = "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}\u{A0}\u{FFFD}\u{587}\u{589})(»«—.՝,-֊…՜՛՞ԱաԲբԳգԴդԵեԶզԷէԸըԹթԺժԻիԼլԽխԾծԿկՀհՁձՂղՃճՄմՅյՆնՇշՈոՉչՊպՋջՌռՍսՎվՏտՐրՑցՒւՓփՔքՕօՖֆ՚\u{FFFD}";
