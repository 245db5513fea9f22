//! Debug records of functions: source lines and the variables of blocks.

use crate::Image;
use crate::method::Method;

/// Where a variable's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A local.
    Local(u16),
    /// An argument.
    Param(u16),
    /// An element (from 1) of the vector in a local, which closures share.
    Shared(u16, u16),
}

/// A variable as the source names it.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub place: Place,
}

/// Reads the debug records of one function.
struct Records<'a> {
    image: &'a Image,
    at: usize,
}

/// Blocks nested deeper than this are a damaged image.
const MAX_BLOCKS: usize = 1000;

impl Records<'_> {
    fn u16(&self, at: usize) -> Option<usize> {
        let bytes = self.image.code.bytes.get(at..at.checked_add(2)?)?;
        Some(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    fn u32(&self, at: usize) -> Option<usize> {
        Some(self.u16(at)? | self.u16(at + 2)? << 16)
    }

    fn lines(&self) -> usize {
        self.at + self.image.entry.debug_header_size
    }

    /// The place of a block's record, by its number from 1.
    fn block(&self, number: usize) -> Option<usize> {
        let table = self.lines() + 2 + self.u16(self.lines())? * self.image.entry.line_entry_size + 2;
        if number == 0 || number > self.u16(table)? {
            return None;
        }
        let index = table + 2 * number;
        Some(index + self.u16(index)?)
    }

    /// The innermost block around a code offset from the function's start.
    fn block_at(&self, offset: usize) -> Option<usize> {
        if self.image.entry.frame_header_size < 8 {
            return Some(1);
        }
        let blocks = (1..).map_while(|number| Some((number, self.block(number)?))).take(MAX_BLOCKS);
        let around = blocks.filter_map(|(number, at)| {
            let (start, end) = (self.u16(at + 4)?, self.u16(at + 6)?);
            (start..=end).contains(&offset).then_some((end - start, std::cmp::Reverse(number)))
        });
        // Of two blocks of the same extent, the later is inside.
        around.min().map(|row| row.1.0)
    }

    fn variables(&self, block: usize, out: &mut Vec<Variable>) -> Option<usize> {
        let at = self.block(block)?;
        let enclosing = self.u16(at)?;
        let count = self.u16(at + 2)?;
        let mut at = at + self.image.entry.frame_header_size.max(4);
        for _ in 0..count {
            let (number, flags, element) = (self.u16(at)?, self.u16(at + 2)?, self.u16(at + 4)?);
            at += self.image.entry.local_record_size;
            let name = if flags & 4 == 0 {
                let length = self.u16(at)?;
                let bytes = self.image.code.bytes.get(at + 2..at + 2 + length)?;
                at += 2 + length;
                bytes
            } else {
                let bytes = self.image.string_bytes(self.u32(at)? as u32)?;
                at += 4;
                bytes
            };
            let place = match flags & 3 {
                1 => Place::Param(number as u16),
                0 => Place::Local(number as u16),
                _ => Place::Shared(number as u16, element as u16),
            };
            out.push(Variable { name: String::from_utf8_lossy(name).into_owned(), place });
        }
        Some(enclosing)
    }

    fn line(&self, offset: usize) -> Option<(usize, usize)> {
        let size = self.image.entry.line_entry_size;
        let first = self.lines() + 2;
        let rows = (0..self.u16(self.lines())?).map(|row| first + row * size);
        let row = rows.take_while(|at| self.u16(*at).is_some_and(|start| start <= offset)).last()?;
        Some((self.u16(row + 2)?, self.u32(row + 4)?))
    }
}

fn records(image: &Image, function: u32) -> Option<Records<'_>> {
    let method = Method::read(&image.code.bytes, function as usize, image.entry.method_header_size)?;
    (method.debug != 0).then_some(Records { image, at: method.debug })
}

/// The variables that can be seen at a code offset of a function, the innermost first.
pub fn variables(image: &Image, function: u32, at: u32) -> Vec<Variable> {
    let mut out = Vec::new();
    let Some(records) = records(image, function) else { return out };
    let mut block = records.block_at(at.wrapping_sub(function) as usize);
    for _ in 0..MAX_BLOCKS {
        match block {
            None | Some(0) => break,
            Some(number) => block = records.variables(number, &mut out),
        }
    }
    out
}

/// The source file's number and the line for a code offset of a function.
pub fn line(image: &Image, function: u32, at: u32) -> Option<(usize, usize)> {
    records(image, function)?.line(at.wrapping_sub(function) as usize)
}
