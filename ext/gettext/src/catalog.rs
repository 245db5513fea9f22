//! Catalogs: files with texts and their translations.

use crate::plural::Plural;
use phlox_runtime::until_nul;
use std::collections::HashMap;
use std::ops::Range;

const MAGIC: u32 = 0x9504_12de;

/// A catalog in memory.
pub struct Catalog {
    data: Vec<u8>,
    /// The places of translations by their texts. Those for several numbers of things have zeros between their forms.
    messages: HashMap<Vec<u8>, Range<usize>>,
    pub plural: Plural,
    /// The encoding that the header names.
    pub charset: Option<Vec<u8>>,
}

impl Catalog {
    /// Reads a catalog. `None`: it is none, or of a format that is not known.
    pub fn parse(data: Vec<u8>) -> Option<Catalog> {
        let bytes = |at: usize| -> Option<[u8; 4]> { data.get(at..at.checked_add(4)?)?.try_into().ok() };
        let is_big = match bytes(0)? {
            magic if u32::from_le_bytes(magic) == MAGIC => false,
            magic if u32::from_be_bytes(magic) == MAGIC => true,
            _ => return None,
        };
        let number = |at: usize| -> Option<usize> {
            let word = bytes(at)?;
            usize::try_from(if is_big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }).ok()
        };
        if number(4)? >> 16 > 1 {
            return None;
        }
        let (count, originals, translations) = (number(8)?, number(12)?, number(16)?);
        let place = |table: usize, index: usize| -> Option<Range<usize>> {
            let row = table.checked_add(index.checked_mul(8)?)?;
            let (length, start) = (number(row)?, number(row.checked_add(4)?)?);
            Some(start..start.checked_add(length)?).filter(|place| place.end <= data.len())
        };
        let mut messages = HashMap::new();
        // All texts together are no longer than the file, so that a damaged table takes no memory that the file does not.
        let mut room = data.len();
        for index in 0..count {
            // A table that leads out of the file ends the catalog; what came before it can be used.
            let Some((text, translation)) = place(originals, index).zip(place(translations, index)) else { break };
            let text = until_nul(&data[text]);
            let Some(left) = room.checked_sub(text.len()) else { break };
            room = left;
            messages.entry(text.to_vec()).or_insert(translation);
        }
        let header = messages.get(&b""[..]).map_or(&b""[..], |place| until_nul(&data[place.clone()]));
        let (plural, charset) = (Plural::of_header(header), charset(header));
        Some(Catalog { data, messages, plural, charset })
    }

    /// The translation of a text, with all its forms.
    pub fn find(&self, text: &[u8]) -> Option<&[u8]> {
        self.messages.get(text).map(|place| &self.data[place.clone()])
    }
}

/// The encoding in a header.
fn charset(header: &[u8]) -> Option<Vec<u8>> {
    const NAME: &[u8] = b"charset=";
    let at = header.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
    let name = header[at..].split(|byte| b" \t\n".contains(byte)).next()?;
    Some(name.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A catalog of two texts, made by hand.
    fn sample() -> Vec<u8> {
        let header = b"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n\0";
        let (texts, start) = (b"\0one\0many\0eins\0viele\0", 28 + 32);
        let at = start + header.len();
        let rows = [0, at, 8, at + 1, header.len() - 1, start, 10, at + 10];
        let head = [MAGIC as usize, 0, 2, 28, 44, 0, 0];
        let words = head.iter().chain(&rows).flat_map(|&word| (word as u32).to_le_bytes());
        words.chain(header.iter().copied()).chain(texts.iter().copied()).collect()
    }

    #[test]
    fn texts_are_found() {
        let catalog = Catalog::parse(sample()).expect("a catalog");
        assert_eq!(catalog.find(b"one"), Some(&b"eins\0viele"[..]));
        assert_eq!(catalog.find(b"two"), None);
        assert_eq!(catalog.charset.as_deref(), Some(&b"UTF-8"[..]));
        assert_eq!(catalog.plural.form(1), 0);
    }

    #[test]
    fn damaged_catalogs_do_no_harm() {
        let whole = sample();
        for at in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                if let Some(catalog) = Catalog::parse(damaged) {
                    let _ = (catalog.find(b"one"), catalog.plural.form(7));
                }
            }
            let _ = Catalog::parse(whole[..at].to_vec());
        }
    }
}
