//! A request body that is parsed while it arrives.

use memchr::memmem;
use std::io::{ErrorKind, Read};
use std::ops::Range;

/// Bytes asked for at a time, as many as PHP asks for.
const CHUNK: usize = 5 * 1024;

/// The part of a body that has arrived, and the source of the rest.
pub struct Arriving<'r> {
    pub bytes: Vec<u8>,
    /// Position up to which the bytes were parsed.
    pub at: usize,
    reader: Option<Box<dyn Read + 'r>>,
}

impl<'r> Arriving<'r> {
    /// A body that has not begun to arrive.
    pub fn new(reader: Box<dyn Read + 'r>) -> Arriving<'r> {
        Arriving { bytes: Vec::new(), at: 0, reader: Some(reader) }
    }

    /// A body that has arrived completely.
    pub fn whole(bytes: Vec<u8>) -> Arriving<'static> {
        Arriving { bytes, at: 0, reader: None }
    }

    /// Waits for the next bytes; `false`: there are no more.
    pub fn more(&mut self) -> bool {
        let Some(reader) = &mut self.reader else { return false };
        let length = self.bytes.len();
        self.bytes.resize(length + CHUNK, 0);
        let count = loop {
            match reader.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => break result.unwrap_or(0),
            }
        };
        self.bytes.truncate(length + count);
        if count == 0 {
            self.reader = None;
        }
        count > 0
    }

    /// Whether the unread part begins with the text; waits for as many bytes as that takes.
    pub fn starts_with(&mut self, text: &[u8]) -> bool {
        while self.bytes.len() < self.at + text.len() {
            if !self.more() {
                return false;
            }
        }
        self.bytes[self.at..].starts_with(text)
    }

    /// Finds a text from a position on. `waiting` is called with the number of bytes that have arrived from there on,
    /// and in all.
    pub fn find(&mut self, text: &[u8], from: usize, waiting: &mut dyn FnMut(u64, u64)) -> Option<usize> {
        let mut searched = from;
        loop {
            if let Some(at) = memmem::find(&self.bytes[searched..], text) {
                return Some(searched + at);
            }
            searched = searched.max(self.bytes.len().saturating_sub(text.len() - 1));
            waiting((self.bytes.len() - from) as u64, self.bytes.len() as u64);
            if !self.more() {
                return None;
            }
        }
    }

    /// The rest of the line, without its end.
    pub fn line(&mut self) -> Vec<u8> {
        let end = self.find(b"\n", self.at, &mut |_, _| {}).unwrap_or(self.bytes.len());
        let line = &self.bytes[self.at..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
        self.at = (end + 1).min(self.bytes.len());
        line
    }

    /// The range of the data before a boundary, which is given with the line end before it, and whether the boundary was
    /// found.
    pub fn data(&mut self, marker: &[u8], waiting: &mut dyn FnMut(u64, u64)) -> (Range<usize>, bool) {
        let start = self.at;
        // An empty part has its boundary at once.
        if self.starts_with(&marker[1..]) {
            return (start..start, true);
        }
        let found = self.find(marker, start, waiting);
        let end = found.unwrap_or(self.bytes.len());
        self.at = found.map_or(end, |end| end + 1);
        let is_crlf = found.is_some() && self.bytes[start..end].ends_with(b"\r");
        let data = start..end - usize::from(is_crlf);
        if found.is_some() {
            waiting(data.len() as u64, self.bytes.len() as u64);
        }
        (data, found.is_some())
    }
}
