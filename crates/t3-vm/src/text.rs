//! Strings: shared UTF-8 with the number of characters beside it, so that plain ASCII is indexed without walking.

use std::rc::Rc;

/// An immutable string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    text: Rc<str>,
    chars: u32,
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text { chars: count_chars(text), text: Rc::from(text) }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::from(text.as_str())
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self)
    }
}

fn count_chars(text: &str) -> u32 {
    if text.is_ascii() { text.len() as u32 } else { text.chars().count() as u32 }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Text {
    /// Number of characters.
    pub fn chars_len(&self) -> usize {
        self.chars as usize
    }

    /// Whether every character is one byte.
    pub fn is_single_byte(&self) -> bool {
        self.chars as usize == self.text.len()
    }

    /// The byte offset of character `index` (0-based); the end if there are fewer.
    pub fn byte_of(&self, index: usize) -> usize {
        if self.is_single_byte() {
            return index.min(self.text.len());
        }
        self.text.char_indices().nth(index).map_or(self.text.len(), |(at, _)| at)
    }

    /// The character index of a byte offset.
    pub fn char_of(&self, byte: usize) -> usize {
        if self.is_single_byte() {
            return byte.min(self.text.len());
        }
        self.text.char_indices().take_while(|(at, _)| *at < byte).count()
    }

    /// The characters `start..start + count` (0-based, clipped).
    pub fn sub(&self, start: usize, count: usize) -> &str {
        let from = self.byte_of(start);
        let rest = &self.text[from..];
        if self.is_single_byte() {
            return &rest[..count.min(rest.len())];
        }
        match rest.char_indices().nth(count) {
            Some((at, _)) => &rest[..at],
            None => rest,
        }
    }

    /// The concatenation of two strings.
    pub fn concat(left: &str, right: &str) -> Text {
        let mut text = String::with_capacity(left.len() + right.len());
        text.push_str(left);
        text.push_str(right);
        Text::from(text)
    }
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        str::hash(self, state);
    }
}
