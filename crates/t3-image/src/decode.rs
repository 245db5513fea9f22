//! One instruction out of the bytes of the code pool.

use crate::ops::Operand;
use crate::{DataHolder, Op};

/// The decoded operands of one instruction: at most three numbers, and what does not fit a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// The instruction.
    pub op: Op,
    /// Where it starts in the pool.
    pub offset: usize,
    /// Where the next one starts.
    pub next: usize,
    /// The numeric operands, in the table's order, sign-extended; a branch is the pool offset that it leads to.
    pub values: [i64; 3],
    /// An operand of varying length.
    pub extra: Extra<'a>,
}

/// Operands that have no fixed size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extra<'a> {
    /// Nothing.
    None,
    /// PUSHSTRI's text.
    Text(&'a [u8]),
    /// SWITCH's cases with pool offsets, and the default's.
    Cases(Vec<(DataHolder, i64)>, i64),
    /// Names of a NAMEDARGTAB.
    Names(Vec<&'a [u8]>),
}

impl Instruction<'_> {
    /// Pool offsets that it may branch to.
    pub fn targets(&self) -> Vec<usize> {
        let mut out = Vec::new();
        if let Extra::Cases(rows, default) = &self.extra {
            out.extend(rows.iter().map(|row| row.1));
            out.push(*default);
        }
        for (operand, value) in self.op.info().operands.iter().zip(self.values) {
            if *operand == Operand::Branch {
                out.push(value);
            }
        }
        out.into_iter().map(|target| usize::try_from(target).unwrap_or(usize::MAX)).collect()
    }
}

/// Why there is no instruction at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// The byte is no instruction's code.
    Unknown(u8),
    /// The code pool ends inside the instruction.
    Truncated,
}

struct Cursor<'a> {
    code: &'a [u8],
    pos: usize,
}

impl<'a> Cursor<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.pos.checked_add(count).ok_or(DecodeError::Truncated)?;
        let bytes = self.code.get(self.pos..end).ok_or(DecodeError::Truncated)?;
        self.pos = end;
        Ok(bytes)
    }

    fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(self.bytes(1)?[0])
    }

    fn u16(&mut self) -> Result<u16, DecodeError> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn branch(&mut self) -> Result<i64, DecodeError> {
        let base = self.pos as i64;
        Ok(base + i64::from(self.u16()? as i16))
    }

    fn cases(&mut self) -> Result<Extra<'a>, DecodeError> {
        let count = self.u16()?;
        let mut cases = Vec::new();
        for _ in 0..count {
            let holder = DataHolder { kind: self.u8()?, raw: self.u32()? };
            cases.push((holder, self.branch()?));
        }
        let default = self.branch()?;
        Ok(Extra::Cases(cases, default))
    }
}

/// The names in a named argument table whose UINT2 size field is at `at`, and the offset behind the table.
pub fn named_table(code: &[u8], at: usize) -> Result<(Vec<&[u8]>, usize), DecodeError> {
    let mut cursor = Cursor { code, pos: at };
    let size = cursor.u16()? as usize;
    let body = cursor.pos;
    let count = cursor.u16()?;
    let index = cursor.pos;
    let mut names = Vec::new();
    for n in 0..=count as usize {
        cursor.pos = index + 2 * n;
        names.push(cursor.u16()? as usize);
    }
    let mut texts = Vec::new();
    for pair in names.windows(2) {
        texts.push(code.get(index + pair[0]..index + pair[1]).ok_or(DecodeError::Truncated)?);
    }
    Ok((texts, body + size))
}

/// Decodes the instruction at `offset` of the flat code pool.
pub fn decode(code: &[u8], offset: usize) -> Result<Instruction<'_>, DecodeError> {
    let mut cursor = Cursor { code, pos: offset };
    let byte = cursor.u8()?;
    let op = Op::from_code(byte).ok_or(DecodeError::Unknown(byte))?;
    let mut out = Instruction { op, offset, next: 0, values: [0; 3], extra: Extra::None };
    let mut at = 0;
    for operand in op.info().operands {
        let mut value = 0;
        match operand {
            Operand::Int8 => value = i64::from(cursor.u8()? as i8),
            Operand::Int32 => value = i64::from(cursor.u32()? as i32),
            Operand::Byte | Operand::Argc | Operand::Local | Operand::Param => value = i64::from(cursor.u8()?),
            Operand::Word | Operand::Argc2 | Operand::Local2 | Operand::Param2 | Operand::Prop => {
                value = i64::from(cursor.u16()?);
            }
            Operand::Object | Operand::String | Operand::List | Operand::Function | Operand::Enum => {
                value = i64::from(cursor.u32()?);
            }
            Operand::Branch => value = cursor.branch()?,
            Operand::InlineString => {
                let length = cursor.u16()? as usize;
                out.extra = Extra::Text(cursor.bytes(length)?);
            }
            Operand::Cases => out.extra = cursor.cases()?,
            Operand::NamedPointer => {
                out.values[0] = i64::from(cursor.u8()?);
                at = 1;
                value = cursor.pos as i64 + i64::from(cursor.u16()?);
            }
            Operand::NamedTable => {
                let (names, next) = named_table(code, cursor.pos)?;
                value = names.len() as i64;
                out.extra = Extra::Names(names);
                cursor.pos = next;
            }
        }
        out.values[at] = value;
        at += 1;
    }
    out.next = cursor.pos;
    Ok(out)
}
