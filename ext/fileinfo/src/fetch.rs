//! Reading what a rule compares: the offset, which may itself be read from the file, and the value.

use crate::input::{Bytes, Input};
use crate::kind::{Kind, Order, Shape, kind};
use crate::output::Done;
use crate::rule::{self, LONGEST, Rule};
use crate::scan;
use crate::state::State;

/// Bytes that a regular expression looks at.
const REGEX_MOST: usize = 8192;
/// Bytes that a line counts for.
const LINE_BYTES: usize = 80;

/// What reading gave.
pub enum Fetched {
    /// The file has no such place.
    Nothing,
    Value,
    /// The rules of this name are to be tried here.
    Use(u32),
    /// All rules are to be tried with the rest of the file.
    Rest(u32),
}

/// The order of a number's bytes, turned round if the rules are used for the other order.
fn order(kind: &Kind, flip: bool) -> Order {
    let turns = flip && matches!(kind.shape, Shape::Int | Shape::Date(_) | Shape::Float | Shape::Double);
    match kind.order {
        Order::Big if turns => Order::Little,
        Order::Little if turns => Order::Big,
        order => order,
    }
}

/// A number of up to eight bytes in an order.
fn ordered(bytes: &[u8], order: Order) -> u64 {
    let forward = |bytes: &mut dyn Iterator<Item = &u8>| bytes.fold(0, |number, &byte| number << 8 | u64::from(byte));
    match order {
        Order::Big => forward(&mut bytes.iter()),
        Order::Middle if bytes.len() == 4 => forward(&mut [bytes[1], bytes[0], bytes[3], bytes[2]].iter()),
        _ => forward(&mut bytes.iter().rev()),
    }
}

fn sign_extended(number: u64, size: usize) -> i64 {
    let shift = 64 - 8 * size as u32;
    (number << shift) as i64 >> shift
}

/// Does a value of this size not fit at the offset?
pub fn is_outside(length: usize, offset: u32, size: usize) -> bool {
    length < offset as usize || size > length - offset as usize
}

/// The tag size of ID3 without the highest bit of each byte.
fn id3(number: u64) -> u64 {
    (0..4).fold(0, |size, index| size | (number >> (8 * index) & 0x7f) << (7 * index))
}

/// Applies an operator to an offset; `None`: the result is no offset.
fn operate(rule: &Rule, left: i64, right: i64) -> Option<u32> {
    let allowed = |value: i64| value < i64::from(u32::MAX) && value > i64::from(i32::MIN);
    if !allowed(left) || !allowed(right) {
        return None;
    }
    let mut offset = match rule.in_op & rule::OPERATOR_MASK {
        _ if right == 0 => left,
        0 => left & right,
        1 => left | right,
        2 => left ^ right,
        3 => left + right,
        4 => left - right,
        5 => left.wrapping_mul(right),
        6 => left / right,
        _ => left % right,
    };
    if rule.in_op & rule::INVERSE != 0 {
        offset = !offset;
    }
    (offset < i64::from(u32::MAX)).then_some(offset as u32)
}

impl<'a> State<'a, '_> {
    /// Copies the value at an offset, or remembers the part of the file that is searched.
    fn copy(&mut self, rule: &Rule, plain: bool, bytes: &Bytes<'a>, offset: u32) {
        let at = offset as usize;
        let mut size = LONGEST;
        if plain {
            match rule.kind().shape {
                Shape::Der | Shape::Search => {
                    let start = at.min(bytes.len());
                    self.search.bytes = bytes.clone();
                    (self.search.start, self.search.end, self.search.offset) = (start, bytes.len(), start);
                    self.search.is_set = true;
                    return;
                }
                Shape::Regex => return self.find_region(rule, bytes, at),
                Shape::Wide if at < bytes.len() => return self.copy_wide(rule, bytes, at),
                Shape::String | Shape::Pascal if (1..LONGEST).contains(&(rule.range() as usize)) => {
                    size = rule.range() as usize;
                }
                _ => {}
            }
        }
        self.value = [0; LONGEST];
        if rule.kind().shape == Shape::Offset {
            self.set_number(u64::from(offset), 8);
            return;
        }
        if let Some(rest) = bytes.get(at..) {
            let size = size.min(rest.len());
            self.value[..size].copy_from_slice(&rest[..size]);
        }
    }

    /// A text of 16-bit units as bytes. What was in the value before stays behind it.
    fn copy_wide(&mut self, rule: &Rule, bytes: &[u8], at: usize) {
        let big = rule.kind().order == Order::Big;
        let mut source = at + usize::from(big);
        for place in 0..LONGEST - 1 {
            let Some(&byte) = bytes.get(source) else { break };
            let other = if big { bytes.get(source - 1) } else { bytes.get(source + 1) };
            let is_end = byte == 0 && other.is_none_or(|&other| other == 0);
            self.value[place] = if byte == 0 && !is_end { b' ' } else { byte };
            source += 2;
        }
        self.value[LONGEST - 1] = 0;
    }

    /// Finds the part of the file that a regular expression looks at: lines, or bytes.
    fn find_region(&mut self, rule: &Rule, bytes: &Bytes<'a>, at: usize) {
        self.search.is_set = at <= bytes.len();
        (self.search.start, self.search.end) = (0, 0);
        if !self.search.is_set {
            return;
        }
        let by_lines = rule.text_flags() & rule::COUNTS_LINES != 0;
        let range = rule.range() as usize;
        let (mut lines, mut size) = if by_lines { (range, range * LINE_BYTES) } else { (0, range) };
        let left = bytes.len() - at;
        if size == 0 || size > left {
            size = left;
        }
        let end = at + size.min(REGEX_MOST);
        let (mut last, mut place) = (end, at);
        while lines > 0 && place < end {
            let rest = &bytes[place..end];
            let newline = memchr::memchr(b'\n', rest).or_else(|| memchr::memchr(b'\r', rest));
            let Some(found) = newline else { break };
            place += found;
            if place + 1 < end && bytes[place] == b'\r' && bytes[place + 1] == b'\n' {
                place += 1;
            }
            if place + 1 < end && bytes[place] == b'\n' {
                place += 1;
            }
            last = place;
            lines -= 1;
            place += 1;
        }
        if lines > 0 {
            last = end;
        }
        self.search.bytes = bytes.clone();
        (self.search.start, self.search.end) = (at, last.max(at));
        (self.search.offset, self.search.matched) = (at, 0);
    }

    /// A number at an offset for an indirection. `None`: it is outside, or no number.
    fn operand(&self, rule: &Rule, flip: bool, bytes: &[u8], at: i64) -> Option<i64> {
        let kind = kind(rule.in_kind);
        if kind.shape == Shape::Octal {
            return Some(scan::unsigned(crate::rule::until_nul(&self.value), 8).value as i64);
        }
        if !matches!(kind.shape, Shape::Int | Shape::Id3) {
            return None;
        }
        let at = usize::try_from(at).ok()?;
        let bytes = bytes.get(at..at.checked_add(kind.size)?)?;
        let number = ordered(bytes, order(kind, flip));
        let is_signed = rule.in_op & rule::SIGNED != 0;
        Some(if is_signed { sign_extended(number, kind.size) } else { number as i64 })
    }

    /// Follows an indirect offset. The value has been read from its place. `None`: there is no such place.
    fn follow(&mut self, rule: &Rule, flip: bool, bytes: &[u8], offset: u32, level: usize) -> Option<u32> {
        let mut change = i64::from(rule.in_offset);
        if rule.in_op & rule::OPERAND_INDIRECT != 0 {
            change = self.operand(rule, flip, bytes, i64::from(offset) + change)?;
        }
        let kind = kind(rule.in_kind);
        let size = if kind.shape == Shape::Octal { usize::from(rule.length) } else { kind.size };
        if is_outside(bytes.len(), offset, size) {
            return None;
        }
        let number = match kind.shape {
            Shape::Octal => scan::unsigned(crate::rule::until_nul(&self.value), 8).value,
            Shape::Id3 => id3(ordered(&self.value[..4], order(kind, flip))),
            Shape::Int => ordered(&self.value[..kind.size], order(kind, flip)),
            _ => return None,
        };
        let is_signed = rule.in_op & rule::SIGNED != 0 && kind.shape != Shape::Octal;
        let number = if is_signed { sign_extended(number, kind.size) } else { number as i64 };
        let mut offset = operate(rule, number, change)?;
        if rule.flags & rule::INDIRECT_RELATIVE != 0 {
            if level == 0 {
                return None;
            }
            offset = offset.wrapping_add(self.level(level - 1).end as u32);
            if offset == 0 {
                return None;
            }
        }
        Some(offset)
    }

    /// Reads what a rule compares. `base`: where the rules that are used start to count.
    pub fn fetch(&mut self, rule: &Rule, bytes: &Bytes<'a>, base: usize, level: usize, flip: bool) -> Done<Fetched> {
        let mut offset = self.offset;
        let is_indirect = rule.flags & rule::INDIRECT != 0;
        self.copy(rule, !is_indirect, bytes, offset.wrapping_add(base as u32));
        if is_indirect {
            let Some(followed) = self.follow(rule, flip, bytes, offset, level) else { return Ok(Fetched::Nothing) };
            offset = followed;
            self.copy(rule, true, bytes, offset);
            self.offset = offset;
        }
        let kind = rule.kind();
        let needed = match kind.shape {
            // Quads are zero where the file ends before them.
            Shape::Int | Shape::Date(_) if kind.size < 8 => kind.size,
            Shape::Float | Shape::Double | Shape::Guid => kind.size,
            Shape::String | Shape::Pascal | Shape::Search | Shape::Octal => usize::from(rule.length),
            _ => 0,
        };
        if needed > 0 && is_outside(bytes.len(), offset, needed) {
            return Ok(Fetched::Nothing);
        }
        let is_behind = bytes.len() < offset as usize;
        match kind.shape {
            Shape::String | Shape::Pascal | Shape::Search | Shape::Octal | Shape::Regex if is_behind => {
                Ok(Fetched::Nothing)
            }
            Shape::Indirect => {
                if rule.text_flags() & rule::REST_RELATIVE != 0 {
                    offset = offset.wrapping_add(base as u32);
                }
                let is_behind = bytes.len() < offset as usize;
                Ok(if offset == 0 || is_behind { Fetched::Nothing } else { Fetched::Rest(offset) })
            }
            Shape::Use => Ok(if is_behind { Fetched::Nothing } else { Fetched::Use(offset) }),
            Shape::Name => {
                if !self.out.has(crate::output::NO_DESCRIPTION) {
                    self.out.print(&rule.description)?;
                }
                Ok(Fetched::Value)
            }
            _ => Ok(if self.convert(rule, flip) { Fetched::Value } else { Fetched::Nothing }),
        }
    }

    /// Brings the value into the machine's order and applies the mask; false: it cannot be compared.
    fn convert(&mut self, rule: &Rule, flip: bool) -> bool {
        let kind = rule.kind();
        let is_masked = match kind.shape {
            Shape::Int | Shape::Date(_) | Shape::DosDate | Shape::DosTime => {
                let order =
                    if matches!(kind.shape, Shape::Int | Shape::Date(_)) { order(kind, flip) } else { Order::Native };
                let number = ordered(&self.value[..kind.size], order);
                self.set_number(number, kind.size);
                self.mask_integer(rule, kind.size)
            }
            Shape::Offset => self.mask_integer(rule, 8),
            Shape::Float | Shape::Double => {
                let number = ordered(&self.value[..kind.size], order(kind, flip));
                self.set_number(number, kind.size);
                self.mask_float(rule, kind.shape == Shape::Double)
            }
            Shape::String | Shape::Wide | Shape::Octal => {
                self.value[LONGEST - 1] = 0;
                return true;
            }
            Shape::Pascal => return self.convert_pascal(rule),
            Shape::Regex | Shape::Search | Shape::Default | Shape::Clear | Shape::Der | Shape::Guid => return true,
            Shape::Invalid | Shape::Id3 | Shape::Varint | Shape::Indirect | Shape::Name | Shape::Use => {
                self.error(&format!("invalid type {} in mconvert()", rule.kind));
                return false;
            }
        };
        if !is_masked {
            self.error("zerodivide in mconvert()");
        }
        is_masked
    }

    fn mask_integer(&mut self, rule: &Rule, size: usize) -> bool {
        let limit = |number: u64| if size >= 8 { number } else { number & ((1 << (8 * size)) - 1) };
        let mut number = self.number(size);
        if rule.mask != 0 {
            let mask = limit(rule.mask);
            number = match rule.mask_op & rule::OPERATOR_MASK {
                0 => number & mask,
                1 => number | mask,
                2 => number ^ mask,
                3 => number.wrapping_add(mask),
                4 => number.wrapping_sub(mask),
                5 => number.wrapping_mul(mask),
                _ if mask == 0 => return false,
                6 => number / mask,
                _ => number % mask,
            };
        }
        if rule.mask_op & rule::INVERSE != 0 {
            number = !number;
        }
        self.set_number(limit(number), size);
        true
    }

    fn mask_float(&mut self, rule: &Rule, is_double: bool) -> bool {
        if rule.mask == 0 {
            return true;
        }
        let mask = rule.mask as f64;
        let apply = |number: f64| match rule.mask_op & rule::OPERATOR_MASK {
            3 => number + mask,
            4 => number - mask,
            5 => number * mask,
            6 => number / mask,
            _ => number,
        };
        if is_double {
            self.set_number(apply(f64::from_le_bytes(self.bytes())).to_bits(), 8);
        } else {
            let number = apply(f64::from(f32::from_le_bytes(self.bytes()))) as f32;
            self.set_number(u64::from(number.to_bits()), 4);
        }
        true
    }

    /// Moves a Pascal string over its length, and ends it.
    fn convert_pascal(&mut self, rule: &Rule) -> bool {
        let Some(size) = self.length_size(rule) else { return false };
        let big = rule.text_flags() & (rule::LENGTH_2_BIG | rule::LENGTH_4_BIG) != 0;
        let mut length = ordered(&self.value[..size], if big { Order::Big } else { Order::Little }) as usize;
        if rule.text_flags() & rule::LENGTH_COUNTS_ITSELF != 0 {
            length = length.wrapping_sub(size);
        }
        let length = length.min(LONGEST - size);
        self.value.copy_within(size..size + length, 0);
        self.value[length] = 0;
        true
    }

    /// Where a rule looks, and in which bytes. `None`: there is no such place. The bytes stay those of the rule before in
    /// levels below the first.
    pub fn place(&mut self, rule: &Rule, input: &Input<'a>, base: usize, level: usize) -> Option<Option<Bytes<'a>>> {
        let relative = rule.flags & (rule::RELATIVE | rule::INDIRECT_RELATIVE) != 0;
        let from_end = rule.flags & rule::FROM_END != 0;
        if from_end && !(level > 0 && relative) {
            let tail = input.tail()?;
            if base != 0 {
                self.error(&format!("non zero offset {base} at level {level}"));
                return None;
            }
            let back = usize::try_from(rule.offset).ok().filter(|back| *back <= tail.len())?;
            self.offset = (tail.len() - back) as u32;
            self.end_offset = self.offset;
            return Some(Some(Bytes::Shared(tail)));
        }
        let offset = if from_end { rule.offset.wrapping_neg() } else { rule.offset };
        if from_end || level == 0 {
            self.offset = offset as u32;
            self.end_offset = 0;
            return Some(Some(input.data.clone()));
        }
        self.offset = self.end_offset.wrapping_add(offset as u32);
        Some(None)
    }
}
