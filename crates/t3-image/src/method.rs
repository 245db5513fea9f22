//! Method headers and exception tables in the code pool.

/// A method header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// Where the header starts in the code pool.
    pub offset: usize,
    /// Where the code starts.
    pub code: usize,
    /// Arguments that must be given.
    pub required: u8,
    /// Further arguments that may be given.
    pub optional: u8,
    /// Whether any number of further arguments may be given.
    pub varargs: bool,
    /// Number of local variables.
    pub locals: u16,
    /// Stack slots that the compiler reckons with: locals and temporaries.
    pub stack: u16,
    /// Pool offset of the exception table; 0 if none.
    pub exceptions: usize,
    /// Pool offset of the debug records; 0 if none.
    pub debug: usize,
}

/// One row of an exception table, in pool offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler {
    /// First byte of the protected code.
    pub start: usize,
    /// Last byte of the protected code.
    pub end: usize,
    /// Class of exceptions; 0 catches all.
    pub class: u32,
    /// Where to continue.
    pub target: usize,
}

fn u16_at(code: &[u8], at: usize) -> Option<u16> {
    let bytes = code.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes([bytes[0], bytes[1]]))
}

impl Method {
    /// Reads the header at `offset`; `header_size` is the image's (at least 10).
    pub fn read(code: &[u8], offset: usize, header_size: usize) -> Option<Method> {
        let argc = *code.get(offset)?;
        let table = |at: usize| {
            let relative = u16_at(code, at)? as usize;
            Some(if relative == 0 { 0 } else { offset + relative })
        };
        Some(Method {
            offset,
            code: offset.checked_add(header_size)?,
            required: argc & 0x7f,
            optional: *code.get(offset + 1)?,
            varargs: argc & 0x80 != 0,
            locals: u16_at(code, offset + 2)?,
            stack: u16_at(code, offset + 4)?,
            exceptions: table(offset + 6)?,
            debug: table(offset + 8)?,
        })
    }

    /// The rows of the exception table.
    pub fn handlers(&self, code: &[u8], entry_size: usize) -> Option<Vec<Handler>> {
        if self.exceptions == 0 {
            return Some(Vec::new());
        }
        let count = u16_at(code, self.exceptions)? as usize;
        let mut rows = Vec::with_capacity(count);
        for n in 0..count {
            let at = self.exceptions + 2 + n * entry_size;
            let low = u16_at(code, at + 4)?;
            let high = u16_at(code, at + 6)?;
            rows.push(Handler {
                start: self.offset + u16_at(code, at)? as usize,
                end: self.offset + u16_at(code, at + 2)? as usize,
                class: u32::from(low) | u32::from(high) << 16,
                target: self.offset + u16_at(code, at + 8)? as usize,
            });
        }
        Some(rows)
    }
}
