//! Filters: the chain that a stream's bytes pass through, and the built-in ones.
//!
//! User filters are in `crate::user_filters`.

use super::Stream;
use crate::base64;
use phlox_runtime::{PhpRes, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Read,
    Write,
}

/// Whether filters must give what they hold back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flush {
    No,
    Incremental,
    Close,
}

impl Flush {
    /// How filters are run after a read from the source.
    pub fn for_read(got_data: bool, at_end: bool) -> Flush {
        match (at_end, got_data) {
            (true, _) => Flush::Close,
            (false, true) => Flush::No,
            (false, false) => Flush::Incremental,
        }
    }
}

pub trait Filter {
    /// Converts bytes. `None`: the filter failed for good.
    fn filter(&mut self, vm: &Vm, stream: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>>;
    /// How many of the bytes last given to it the filter has consumed; `None`: all.
    fn consumed(&self) -> Option<usize> {
        None
    }
    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        let _ = vm;
        Ok(())
    }
}

/// A filter in a stream's chain.
pub struct FilterEntry {
    filter: RefCell<Option<Box<dyn Filter>>>,
    /// The resource that scripts have of the filter. It is closed with the filter.
    resource: RefCell<Option<PhpRes>>,
}

impl FilterEntry {
    /// An entry for a filter that scripts have no resource of yet.
    pub fn new(filter: Box<dyn Filter>) -> Rc<FilterEntry> {
        Rc::new(FilterEntry { filter: RefCell::new(Some(filter)), resource: RefCell::default() })
    }

    /// The filter is known to the script as this resource.
    pub fn set_resource(&self, resource: &PhpRes) {
        self.resource.replace(Some(resource.clone()));
    }

    fn run(&self, vm: &Vm, stream: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let Some(mut filter) = self.filter.borrow_mut().take() else { return Ok(Some(data)) };
        let result = filter.filter(vm, stream, data, flush);
        *self.filter.borrow_mut() = Some(filter);
        result
    }

    /// How many of the bytes last given to it the filter has consumed; `None`: all.
    pub fn consumed(&self) -> Option<usize> {
        self.filter.borrow().as_ref()?.consumed()
    }

    /// Closes the filter and its resource.
    pub fn close(&self, vm: &Vm) -> PhpResult<()> {
        let filter = self.filter.borrow_mut().take();
        let closed = filter.map_or(Ok(()), |mut filter| filter.close(vm));
        if let Some(resource) = self.resource.borrow_mut().take() {
            drop(resource.close());
        }
        closed
    }
}

/// Passes bytes through a chain.
pub fn run(
    vm: &Vm,
    stream: &Stream,
    chain: &[Rc<FilterEntry>],
    data: Vec<u8>,
    flush: Flush,
) -> PhpResult<Option<Vec<u8>>> {
    let mut data = data;
    for entry in chain {
        match entry.run(vm, stream, data, flush)? {
            Some(filtered) => data = filtered,
            None => return Ok(None),
        }
    }
    Ok(Some(data))
}

/// A filter that maps each byte.
struct ByteMap(fn(u8) -> u8);

impl Filter for ByteMap {
    fn filter(&mut self, _: &Vm, _: &Stream, mut data: Vec<u8>, _: Flush) -> PhpResult<Option<Vec<u8>>> {
        for byte in &mut data {
            *byte = (self.0)(*byte);
        }
        Ok(Some(data))
    }
}

fn rot13(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => (byte - b'a' + 13) % 26 + b'a',
        b'A'..=b'Z' => (byte - b'A' + 13) % 26 + b'A',
        _ => byte,
    }
}

/// `consumed`: passes everything on.
struct Identity;

impl Filter for Identity {
    fn filter(&mut self, _: &Vm, _: &Stream, data: Vec<u8>, _: Flush) -> PhpResult<Option<Vec<u8>>> {
        Ok(Some(data))
    }
}

/// Breaks encoded text into lines.
struct LineBreaks {
    length: usize,
    end: Vec<u8>,
    column: usize,
}

impl LineBreaks {
    fn from_params(params: &Val) -> LineBreaks {
        let option = |name: &[u8]| params.as_arr().and_then(|array| array.get_bytes(name).map(Val::deref));
        let length = option(b"line-length").and_then(|v| v.as_int()).map_or(0, |length| length.max(0) as usize);
        let end = option(b"line-break-chars").and_then(Val::into_str).map_or(b"\r\n".to_vec(), |s| s.to_vec());
        LineBreaks { length, end, column: 0 }
    }

    /// Appends a unit that must stay on one line.
    fn push(&mut self, into: &mut Vec<u8>, unit: &[u8], reserve: usize) {
        if self.length > 0 && self.column + unit.len() + reserve > self.length {
            into.extend_from_slice(&self.end);
            self.column = 0;
        }
        into.extend_from_slice(unit);
        self.column += unit.len();
    }
}

struct Base64Encode {
    rest: Vec<u8>,
    lines: LineBreaks,
}

impl Base64Encode {
    fn emit(&mut self, into: &mut Vec<u8>, group: &[u8]) {
        for digit in base64::encode(group) {
            self.lines.push(into, &[digit], 0);
        }
    }
}

impl Filter for Base64Encode {
    fn filter(&mut self, _: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut input = std::mem::take(&mut self.rest);
        input.extend(data);
        let whole = input.len() / 3 * 3;
        let mut output = Vec::new();
        for group in input[..whole].chunks(3) {
            self.emit(&mut output, group);
        }
        let rest = input[whole..].to_vec();
        if flush == Flush::Close && !rest.is_empty() {
            self.emit(&mut output, &rest);
        } else {
            self.rest = rest;
        }
        Ok(Some(output))
    }
}

#[derive(Default)]
struct Base64Decode {
    bits: u32,
    count: u32,
    padding: bool,
}

impl Filter for Base64Decode {
    fn filter(&mut self, vm: &Vm, _: &Stream, data: Vec<u8>, _: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut output = Vec::new();
        for byte in data {
            let value = base64::value(byte);
            self.padding |= byte == b'=';
            let Some(value) = value else {
                // Other bytes are skipped; padding may follow two or three digits of a group of four.
                if self.padding && matches!(self.count, 0 | 6) {
                    return invalid_bytes(vm, "convert.base64-decode");
                }
                continue;
            };
            if self.padding {
                return invalid_bytes(vm, "convert.base64-decode");
            }
            self.bits = self.bits << 6 | u32::from(value);
            self.count += 6;
            if self.count >= 8 {
                self.count -= 8;
                output.push((self.bits >> self.count) as u8);
                self.bits &= (1 << self.count) - 1;
            }
        }
        Ok(Some(output))
    }
}

fn invalid_bytes(vm: &Vm, name: &str) -> PhpResult<Option<Vec<u8>>> {
    let function = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
    let text = format!("(): Stream filter ({name}): invalid byte sequence");
    vm.warning(&[&function[..], text.as_bytes()].concat())?;
    Ok(None)
}

struct QuotedPrintableEncode {
    /// What ends lines, if they are broken.
    end: Option<Vec<u8>>,
    length: u32,
    /// Columns that are left of the line.
    left: u32,
    /// How many bytes of the line end have been matched, and how many of these were written as other text after all.
    seen: usize,
    written: usize,
    binary: bool,
    force_first: bool,
}

impl QuotedPrintableEncode {
    fn new(params: &Val, binary: bool, force_first: bool) -> QuotedPrintableEncode {
        let LineBreaks { length, end, .. } = LineBreaks::from_params(params);
        let length = length.min(u32::MAX as usize) as u32;
        let end = (length >= 4).then_some(end);
        QuotedPrintableEncode { end, length, left: length, seen: 0, written: 0, binary, force_first }
    }

    fn soft_break(&mut self, output: &mut Vec<u8>, needed: u32) {
        if let Some(end) = self.end.as_ref().filter(|_| self.left < needed) {
            output.push(b'=');
            output.extend_from_slice(end);
            self.left = self.length;
        }
    }

    /// Number of blanks from here on that a line end or the end of the data follows, which must be encoded.
    fn trailing_blanks(&self, ahead: &[u8]) -> u32 {
        let Some(end) = &self.end else { return 0 };
        let (mut blanks, mut matched) = (1, 0);
        for &byte in &ahead[..ahead.len().saturating_sub(1)] {
            if end.get(matched) == Some(&byte) {
                matched += 1;
                if matched >= end.len() {
                    break;
                }
            } else if matched != 0 || !matches!(byte, b'\t' | b' ') {
                return 0;
            } else {
                blanks += 1;
            }
        }
        blanks
    }
}

impl Filter for QuotedPrintableEncode {
    fn filter(&mut self, _: &Vm, _: &Stream, data: Vec<u8>, _: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut output = Vec::new();
        let (mut at, mut blanks) = (0, 0);
        // PHP starts with room for as many bytes as came, and each time it takes more it forgets which blanks it counted.
        let mut room = data.len().max(1);
        loop {
            let end = self.end.as_deref().filter(|end| !self.binary && !end.is_empty());
            if let (Some(end), Some(byte)) = (end, data.get(at))
                && end[self.seen] == *byte
            {
                if self.seen + 1 == end.len() && output.len() + end.len() > room {
                    (room, blanks) = (room * 2, 0);
                    continue;
                }
                self.seen += 1;
                if self.seen == end.len() {
                    output.extend_from_slice(end);
                    self.left = self.length;
                    (self.seen, self.written) = (0, 0);
                }
                at += 1;
                continue;
            }
            let pending = end.filter(|_| self.written < self.seen).map(|end| end[self.written]);
            let Some(byte) = pending.or(data.get(at).copied()) else { break };
            let blank = !self.binary && blanks == 0 && matches!(byte, b'\t' | b' ');
            let graphic = matches!(byte, 33..=60 | 62..=126) && (!self.force_first || self.left < self.length);
            let columns = if blank || graphic { 1 } else { 3 };
            let breaks = self.end.as_ref().filter(|_| self.left < columns + 1);
            let needed = breaks.map_or(columns as usize, |end| end.len() + 1);
            if output.len() + needed > room {
                (room, blanks) = (room * 2, 0);
                continue;
            }
            if blank && breaks.is_none() {
                blanks = self.trailing_blanks(data.get(at..).unwrap_or_default());
                if blanks > 0 {
                    continue;
                }
            } else {
                let broken = breaks.is_some();
                self.soft_break(&mut output, columns + 1);
                if broken && (blank || output.len() + columns as usize > room) {
                    continue;
                }
            }
            if columns == 1 {
                output.push(byte);
            } else {
                output.extend_from_slice(format!("={byte:02X}").as_bytes());
                blanks = blanks.saturating_sub(1);
            }
            self.left = self.left.wrapping_sub(columns);
            match pending {
                Some(_) => self.written += 1,
                None => {
                    at += 1;
                    (self.seen, self.written) = (0, 0);
                }
            }
        }
        Ok(Some(output))
    }
}

struct QuotedPrintableDecode {
    rest: Vec<u8>,
    line_break: Vec<u8>,
}

impl Filter for QuotedPrintableDecode {
    fn filter(&mut self, vm: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut input = std::mem::take(&mut self.rest);
        input.extend(data);
        let mut output = Vec::new();
        let mut at = 0;
        while at < input.len() {
            if input[at] != b'=' {
                output.push(input[at]);
                at += 1;
                continue;
            }
            let tail = &input[at + 1..];
            if tail.starts_with(&self.line_break) {
                at += 1 + self.line_break.len();
            } else if tail.first() == Some(&b'\n') {
                at += 2;
            } else if let [high, low, ..] = *tail {
                let digit = |byte: u8| (byte as char).to_digit(16);
                let (Some(high), Some(low)) = (digit(high), digit(low)) else {
                    return invalid_bytes(vm, "convert.quoted-printable-decode");
                };
                output.push((high * 16 + low) as u8);
                at += 3;
            } else if flush == Flush::No {
                self.rest = input[at..].to_vec();
                break;
            } else {
                break;
            }
        }
        Ok(Some(output))
    }
}

/// `dechunk`: HTTP's chunked encoding (RFC 9112, section 7.1). Where it is broken, the rest passes as it is.
#[derive(Default)]
struct Dechunk {
    state: ChunkPart,
    left: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ChunkPart {
    #[default]
    SizeStart,
    Size,
    Extension,
    SizeEnd,
    Body,
    BodyReturn,
    BodyEnd,
    Trailer,
    Broken,
}

impl Dechunk {
    /// What comes after a byte that is no part of a body.
    fn next(&mut self, byte: u8) -> ChunkPart {
        let digit = (byte as char).to_digit(16).map(|digit| digit as usize);
        match (self.state, byte, digit) {
            (ChunkPart::SizeStart, _, Some(digit)) => {
                self.left = digit;
                ChunkPart::Size
            }
            (ChunkPart::Size, _, Some(digit)) => {
                self.left = self.left.wrapping_mul(16).wrapping_add(digit);
                ChunkPart::Size
            }
            (ChunkPart::Size | ChunkPart::Extension, b'\r', _) => ChunkPart::SizeEnd,
            (ChunkPart::Size | ChunkPart::Extension | ChunkPart::SizeEnd, b'\n', _) => match self.left {
                0 => ChunkPart::Trailer,
                _ => ChunkPart::Body,
            },
            (ChunkPart::Size | ChunkPart::Extension, ..) => ChunkPart::Extension,
            (ChunkPart::BodyReturn, b'\r', _) => ChunkPart::BodyEnd,
            (ChunkPart::BodyReturn | ChunkPart::BodyEnd, b'\n', _) => ChunkPart::SizeStart,
            _ => ChunkPart::Broken,
        }
    }
}

impl Filter for Dechunk {
    fn filter(&mut self, _: &Vm, _: &Stream, data: Vec<u8>, _: Flush) -> PhpResult<Option<Vec<u8>>> {
        let mut output = Vec::new();
        let mut rest = &data[..];
        while let Some(&byte) = rest.first() {
            match self.state {
                ChunkPart::Body => {
                    let (body, behind) = rest.split_at(self.left.min(rest.len()));
                    output.extend_from_slice(body);
                    self.left -= body.len();
                    rest = behind;
                    if self.left == 0 {
                        self.state = ChunkPart::BodyReturn;
                    }
                }
                ChunkPart::Trailer => break,
                ChunkPart::Broken => {
                    output.extend_from_slice(rest);
                    break;
                }
                _ => {
                    self.state = self.next(byte);
                    // The first byte that breaks the encoding is passed on, too.
                    rest = &rest[usize::from(self.state != ChunkPart::Broken)..];
                }
            }
        }
        Ok(Some(output))
    }
}

/// Filters of other extensions: the pattern that `stream_get_filters` lists, and what makes one by name.
#[derive(Default)]
pub struct NativeFilters(pub RefCell<Vec<(&'static str, NativeFilter)>>);

/// Makes a filter; `None` if the name is not its own, or if the parameters are wrong, which was reported.
pub type NativeFilter = fn(&Vm, &str, &Val) -> PhpResult<Option<Box<dyn Filter>>>;

/// Names that `stream_get_filters` lists.
pub const BUILTIN: &[&str] = &["string.rot13", "string.toupper", "string.tolower", "convert.*", "consumed", "dechunk"];

/// A built-in filter by name.
pub fn builtin(name: &str, params: &Val) -> Option<Box<dyn Filter>> {
    let flag = |name: &[u8]| {
        let option = params.as_arr().and_then(|array| array.get_bytes(name).map(Val::deref));
        option.is_some_and(|value| phlox_runtime::convert::to_bool(&value))
    };
    Some(match name {
        "string.rot13" => Box::new(ByteMap(rot13)),
        "string.toupper" => Box::new(ByteMap(|byte| byte.to_ascii_uppercase())),
        "string.tolower" => Box::new(ByteMap(|byte| byte.to_ascii_lowercase())),
        "convert.base64-encode" => Box::new(Base64Encode { rest: Vec::new(), lines: LineBreaks::from_params(params) }),
        "convert.base64-decode" => Box::new(Base64Decode::default()),
        "convert.quoted-printable-encode" => {
            Box::new(QuotedPrintableEncode::new(params, flag(b"binary"), flag(b"force-encode-first")))
        }
        "convert.quoted-printable-decode" => {
            Box::new(QuotedPrintableDecode { rest: Vec::new(), line_break: LineBreaks::from_params(params).end })
        }
        "consumed" => Box::new(Identity),
        "dechunk" => Box::new(Dechunk::default()),
        _ => return None,
    })
}
