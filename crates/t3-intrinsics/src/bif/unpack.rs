//! Taking packed bytes apart, after a format (see [`super::pack_format`]).

use num_bigint::{BigInt, Sign};
use phlox_t3_library::bignum::{BigNum, Special};
use phlox_t3_vm::contents::bytes::new_bytes;
use phlox_t3_vm::contents::sequence::collect;
use phlox_t3_vm::error::{self, Run, error_int, fail};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::Vm;

use super::pack_format::{self, Count, Group, Item, Node, after, before};

/// The bytes, and how many of them are used.
struct Unpacker<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Items unpacked, bounded in case that a format counts very far.
    steps: usize,
}

/// Unpacks bytes; the values, and how many bytes were used.
pub(crate) fn unpack(vm: &mut Vm, format: &str, bytes: &[u8]) -> Run<(Vec<Value>, usize)> {
    let root = pack_format::parse(format)?;
    let mut unpacker = Unpacker { bytes, at: 0, steps: 0 };
    let values = collect(vm, |vm| unpacker.nodes(vm, &root.nodes))?;
    Ok((values, unpacker.at))
}

impl<'a> Unpacker<'a> {
    fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn read(&mut self, count: usize) -> Run<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let Some(end) = end else { return fail(error::READ_FILE) };
        let part = &self.bytes[self.at..end];
        self.at = end;
        Ok(part)
    }

    fn nodes(&mut self, vm: &mut Vm, nodes: &[Node]) -> Run<()> {
        let (base, start) = (vm.rooted.len(), self.at);
        for node in nodes {
            match node {
                Node::Item(item) => self.item(vm, item, item.count, start)?,
                Node::Group(group) => self.group(vm, group, group.mods.count)?,
                Node::Counted(count, node) => {
                    self.item(vm, count, count.count, start)?;
                    let value = if vm.rooted.len() > base { vm.rooted.pop() } else { None };
                    let Some(value) = value else { return Err(error_int(error::PACK_PARSE, count.at as i32)) };
                    let times = match value {
                        Value::Int(number) => number,
                        value => match vm.heap.text(value) {
                            Some(text) => text.trim().parse().unwrap_or(0),
                            None => vm.big_to_int(value)?,
                        },
                    };
                    let times = Count::Fixed(usize::try_from(times).unwrap_or(0));
                    match &**node {
                        Node::Item(item) => self.item(vm, item, times, start)?,
                        Node::Group(group) => self.group(vm, group, times)?,
                        Node::Counted(..) => return Err(error_int(error::PACK_PARSE, count.at as i32)),
                    }
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, vm: &mut Vm, group: &Group, count: Count) -> Run<()> {
        let up_to = group.mods.up_to;
        let per_time = group.list && group.mods.bang;
        if (count == Count::All || up_to) && self.at_end() {
            if group.list && !per_time {
                let list = vm.heap.new_list(Vec::new());
                vm.rooted.push(list);
            }
            return Ok(());
        }
        let values = collect(vm, |vm| {
            let mut times = 0;
            loop {
                let start = self.at;
                self.count_step(vm)?;
                if per_time {
                    let values = collect(vm, |vm| self.nodes(vm, &group.nodes))?;
                    let list = vm.heap.new_list(values);
                    vm.rooted.push(list);
                } else {
                    self.nodes(vm, &group.nodes)?;
                }
                times += 1;
                let done = match count {
                    Count::All => self.at_end() || self.at <= start,
                    Count::Fixed(count) => times >= count,
                    Count::Unsaid => true,
                };
                if done || up_to && self.at_end() {
                    return Ok(());
                }
            }
        })?;
        if group.list && !per_time {
            let list = vm.heap.new_list(values);
            vm.rooted.push(list);
        } else {
            vm.rooted.extend(values);
        }
        Ok(())
    }

    fn count_step(&mut self, vm: &Vm) -> Run<()> {
        self.steps += 1;
        if self.steps > vm.options.max_length { fail(error::OUT_OF_MEMORY) } else { Ok(()) }
    }

    fn item(&mut self, vm: &mut Vm, item: &Item, count: Count, start: usize) -> Run<()> {
        match item.code {
            'x' => self.at = self.at.saturating_add(if item.bang { after(self.at, item) } else { item.times() }),
            'X' => self.at = self.at.saturating_sub(if item.bang { before(self.at, item) } else { item.times() }),
            '"' | '{' => self.at = self.at.saturating_add(item.literal.len().saturating_mul(item.times())),
            '@' => {
                let base = if item.bang { 0 } else { start };
                if item.question {
                    vm.rooted.push(Value::Int(self.at as i32 - base as i32));
                } else {
                    self.at = base.saturating_add(item.times());
                }
            }
            _ if item.is_text() => {
                let value = self.text(vm, item, count)?;
                vm.rooted.push(value);
            }
            _ => {
                let mut times = 0;
                while match count {
                    Count::All => !self.at_end(),
                    Count::Fixed(count) => times < count && !(item.up_to && self.at_end()),
                    Count::Unsaid => times < 1,
                } {
                    self.count_step(vm)?;
                    let value = self.number(vm, item)?;
                    vm.rooted.push(value);
                    times += 1;
                }
            }
        }
        Ok(())
    }

    /// A character from here on.
    fn character(&mut self, item: &Item) -> Run<char> {
        let unknown = char::REPLACEMENT_CHARACTER;
        Ok(match item.code {
            'w' | 'W' => {
                let pair = self.read(2)?;
                let pair = [pair[0], pair[1]];
                let unit = if item.big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
                char::from_u32(unit.into()).unwrap_or(unknown)
            }
            'u' | 'U' => {
                let first = self.read(1)?[0];
                let more = self.read(first.leading_ones().saturating_sub(1).min(3) as usize)?;
                let all = [&[first], more].concat();
                std::str::from_utf8(&all).ok().and_then(|text| text.chars().next()).unwrap_or(unknown)
            }
            _ => char::from(self.read(1)?[0]),
        })
    }

    fn text(&mut self, vm: &mut Vm, item: &Item, count: Count) -> Run<Value> {
        if item.zero && !matches!(count, Count::Fixed(1..)) {
            let mut text = String::new();
            loop {
                match self.character(item)? {
                    '\0' => return Ok(vm.heap.new_text(text)),
                    c => text.push(c),
                }
            }
        }
        let (hex, wide) = (matches!(item.code, 'h' | 'H'), matches!(item.code, 'w' | 'W'));
        let in_items = |bytes: usize| match () {
            () if hex => bytes.saturating_mul(2),
            () if wide => bytes.div_ceil(2),
            () => bytes,
        };
        let left = in_items(self.bytes.len().saturating_sub(self.at));
        let count = match count {
            Count::All => left,
            Count::Fixed(count) => {
                let count = if item.in_bytes { in_items(count) } else { count };
                if item.up_to { count.min(left) } else { count }
            }
            Count::Unsaid => 1,
        };
        let part = self.read(match () {
            () if hex => count.div_ceil(2),
            () if wide => count.saturating_mul(2),
            () => count,
        })?;
        if item.code == 'b' {
            return Ok(new_bytes(vm, part.to_vec()));
        }
        let mut text: String = match item.code {
            'h' | 'H' => {
                let digits = part.iter().flat_map(|byte| {
                    let byte = if item.code == 'H' { *byte } else { byte.rotate_left(4) };
                    [byte >> 4, byte & 15]
                });
                digits.take(count).filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
            }
            'u' | 'U' => String::from_utf8_lossy(part).into_owned(),
            'w' | 'W' => {
                let mut inner = Unpacker { bytes: part, at: 0, steps: 0 };
                (0..count).map_while(|_| inner.character(item).ok()).collect()
            }
            _ => part.iter().map(|byte| char::from(*byte)).collect(),
        };
        if hex {
            text.make_ascii_uppercase();
        }
        text.truncate(text.trim_end_matches(char::from(item.padding())).len());
        if item.zero {
            self.character(item)?;
            text.truncate(text.find('\0').unwrap_or(text.len()));
        }
        Ok(vm.heap.new_text(text))
    }

    fn number(&mut self, vm: &mut Vm, item: &Item) -> Run<Value> {
        if item.code == 'k' {
            return self.base_128(vm);
        }
        let mut bytes = self.read(item.size())?.to_vec();
        if item.big_endian {
            bytes.reverse();
        }
        bytes.resize(8, 0);
        let raw = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let small = i32::try_from(raw).ok().filter(|_| item.tilde);
        Ok(match (item.code, small) {
            ('c', _) => Value::Int((raw as i8).into()),
            ('s', _) => Value::Int((raw as i16).into()),
            ('l', _) => Value::Int(raw as i32),
            ('C' | 'S', _) => Value::Int(raw as i32),
            ('L' | 'Q', Some(number)) => Value::Int(number),
            ('L', None) => vm.new_big(BigNum::new(raw.into(), 0, 10)),
            ('Q', None) => vm.new_big(BigNum::new(raw.into(), 0, 20)),
            ('q', _) => match i32::try_from(raw as i64) {
                Ok(number) if item.tilde => Value::Int(number),
                _ => vm.new_big(BigNum::new((raw as i64).into(), 0, 20)),
            },
            ('f', _) => real(vm, f32::from_bits(raw as u32).into(), 8),
            _ => real(vm, f64::from_bits(raw), 17),
        })
    }

    fn base_128(&mut self, vm: &mut Vm) -> Run<Value> {
        let mut digits = Vec::new();
        loop {
            if digits.len() == 256 {
                return fail(error::NUM_OVERFLOW);
            }
            let byte = self.read(1)?[0];
            digits.push(byte & 0x7f);
            if byte & 0x80 == 0 {
                break;
            }
        }
        let number = BigInt::from_radix_be(Sign::Plus, &digits, 128).unwrap_or_default();
        Ok(match i32::try_from(&number) {
            Ok(number) => Value::Int(number),
            Err(_) => {
                let precision = number.to_string().len();
                vm.new_big(BigNum::new(number, 0, precision))
            }
        })
    }
}

fn real(vm: &mut Vm, number: f64, precision: usize) -> Value {
    let mut big = BigNum::new(0.into(), 0, precision);
    if number.is_finite() {
        big = if precision > 8 && number.is_normal() {
            summed(number).with_precision(precision)
        } else {
            BigNum::parse(&format!("{number:.0$e}", precision - 1), Some(precision))
        };
    } else if number.is_nan() {
        big.special = Special::NotANumber;
    } else {
        big.special = Special::Infinite;
        big.mantissa = if number < 0.0 { (-1).into() } else { 1.into() };
    }
    vm.new_big(big)
}

/// The sum of a number's binary digits, each step rounded to two digits more than are kept: the reference's last digit,
/// where that is not the nearest.
fn summed(number: f64) -> BigNum {
    const BITS: i32 = 52;
    let exponent = (number.to_bits() >> BITS & 0x7ff) as i32 - 1023;
    let power = |exponent: i32| {
        let of = |base: u8| BigInt::from(base).pow(exponent.unsigned_abs());
        if exponent < 0 { BigNum::new(of(5), exponent.into(), 19) } else { BigNum::new(of(2), 0, 19) }
    };
    let bits = (0..BITS).rev().filter(|bit| number.to_bits() >> bit & 1 == 1);
    let sum = bits.fold(power(exponent), |sum, bit| sum.add(&power(exponent - BITS + bit)));
    if number < 0.0 { sum.negate() } else { sum }
}
