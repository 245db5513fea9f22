//! The bytes that are tested.

use std::cell::OnceCell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::rc::Rc;

/// Bytes that a test looks at.
#[derive(Clone)]
pub enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Shared(Rc<Vec<u8>>),
}

impl std::ops::Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Shared(bytes) => bytes,
        }
    }
}

/// The file that bytes were read from.
#[derive(Clone, Copy, Default)]
pub struct Origin<'a> {
    /// The system's file, if there is one.
    pub file: Option<&'a File>,
    /// The mode and the size that the system tells; 0 for bytes that are no file's.
    pub mode: u32,
    pub size: u64,
}

impl Origin<'_> {
    fn is_regular(&self) -> bool {
        const FORMAT: u32 = 0o170_000;
        const REGULAR: u32 = 0o100_000;
        self.mode & FORMAT == REGULAR
    }
}

/// The beginning of a file, and a way to its end.
pub struct Input<'a> {
    pub data: Bytes<'a>,
    pub origin: Origin<'a>,
    tail: OnceCell<Option<Rc<Vec<u8>>>>,
}

impl<'a> Input<'a> {
    /// Bytes of a file.
    pub fn new(data: Bytes<'a>, origin: Origin<'a>) -> Input<'a> {
        Input { data, origin, tail: OnceCell::new() }
    }

    /// The end of the file, as many bytes as there are of its beginning. `None`: nothing but a regular file has one.
    pub fn tail(&self) -> Option<Rc<Vec<u8>>> {
        self.tail.get_or_init(|| self.read_tail().map(Rc::new)).clone()
    }

    fn read_tail(&self) -> Option<Vec<u8>> {
        let file = self.origin.file.filter(|_| self.origin.is_regular())?;
        let length = usize::try_from(self.origin.size).unwrap_or(usize::MAX).min(self.data.len());
        let mut tail = vec![0; length];
        file.read_exact_at(&mut tail, self.origin.size - length as u64).ok()?;
        Some(tail)
    }
}
