//! Numbers in little-endian bytes.

/// Reads numbers; what is missing is 0 and noted.
pub struct Bytes<'a> {
    data: &'a [u8],
    at: usize,
    /// Was all that was asked for there?
    pub is_whole: bool,
}

impl<'a> Bytes<'a> {
    /// Bytes that are read from their start on.
    pub fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes { data, at: 0, is_whole: true }
    }

    /// The next bytes; `None` if there are not so many.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let found = self.at.checked_add(count).and_then(|end| self.data.get(self.at..end));
        match found {
            Some(_) => self.at += count,
            None => self.is_whole = false,
        }
        found
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N])
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    /// The next number of 16 bits.
    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    /// The next number of 32 bits.
    pub fn long(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// The next number of 64 bits.
    pub fn quad(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    /// Goes to a place, which must be inside the bytes or at their end.
    pub fn go_to(&mut self, at: usize) {
        self.is_whole &= at <= self.data.len();
        self.at = at.min(self.data.len());
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.data.len() - self.at
    }

    /// Is the end reached, and no more was asked for?
    pub fn is_at_end(&self) -> bool {
        self.is_whole && self.left() == 0
    }
}

/// Appends numbers to bytes.
pub trait Put {
    fn put_16(&mut self, number: u16);
    fn put_32(&mut self, number: u32);
    fn put_64(&mut self, number: u64);
}

impl Put for Vec<u8> {
    fn put_16(&mut self, number: u16) {
        self.extend_from_slice(&number.to_le_bytes());
    }

    fn put_32(&mut self, number: u32) {
        self.extend_from_slice(&number.to_le_bytes());
    }

    fn put_64(&mut self, number: u64) {
        self.extend_from_slice(&number.to_le_bytes());
    }
}
