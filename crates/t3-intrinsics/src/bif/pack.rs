//! Packing values into bytes, after a format (see [`super::pack_format`]).

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use phlox_t3_library::bignum::{BigNum, Special};
use phlox_t3_vm::contents::bytes::new_bytes;
use phlox_t3_vm::error::{self, Run, error_int, fail};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

use super::pack_format::{self, Count, Group, Item, Node, after, before};
use super::unpack::unpack;

/// What values are taken from: the arguments of the call or the elements of a list.
struct Source {
    values: Vec<Value>,
    at: usize,
}

impl Source {
    fn one(value: Value) -> Source {
        Source { values: vec![value], at: 0 }
    }

    /// The elements of a list; another value is a list of itself.
    fn list(vm: &mut Vm, value: Value) -> Run<Source> {
        Ok(match vm.list_like(value)? {
            Some(values) => Source { values, at: 0 },
            None => Source::one(value),
        })
    }

    fn left(&self) -> usize {
        self.values.len().saturating_sub(self.at)
    }

    /// The value that is next; nil at the end.
    fn value(&self) -> Value {
        self.values.get(self.at).copied().unwrap_or(Value::Nil)
    }

    fn take(&mut self) -> Value {
        let value = self.value();
        self.at += 1;
        value
    }

    fn drain(&mut self) {
        self.at = self.at.max(self.values.len());
    }
}

/// The bytes so far and the place where the next go, which may be before the end.
struct Packer {
    out: Vec<u8>,
    at: usize,
    /// Items packed, bounded in case that a format counts very far.
    steps: usize,
}

/// Packs values; the bytes, and where the last item ended.
pub(crate) fn pack(vm: &mut Vm, format: &str, values: &[Value]) -> Run<(Vec<u8>, usize)> {
    let root = pack_format::parse(format)?;
    let mut packer = Packer { out: Vec::new(), at: 0, steps: 0 };
    let mut source = Source { values: values.to_vec(), at: 0 };
    for node in &root.nodes {
        packer.node(vm, node, &mut source, 0)?;
    }
    if source.left() > 0 {
        return Err(error_int(error::PACK_ARGC_MISMATCH, format.len() as i32 + 1));
    }
    Ok((packer.out, packer.at))
}

impl Packer {
    fn write(&mut self, vm: &Vm, bytes: &[u8]) -> Run<()> {
        let end = self.at + bytes.len();
        if end > vm.options.max_length {
            return fail(error::OUT_OF_MEMORY);
        }
        if end > self.out.len() {
            self.out.resize(end, 0);
        }
        self.out[self.at..end].copy_from_slice(bytes);
        self.at = end;
        Ok(())
    }

    fn pad(&mut self, vm: &Vm, bytes: &[u8], count: usize) -> Run<()> {
        if count > vm.options.max_length {
            return fail(error::OUT_OF_MEMORY);
        }
        let padding: Vec<u8> = bytes.iter().copied().cycle().take(count).collect();
        self.write(vm, &padding)
    }

    fn node(&mut self, vm: &mut Vm, node: &Node, source: &mut Source, start: usize) -> Run<()> {
        match node {
            Node::Item(item) => self.item(vm, item, source, None, start),
            Node::Group(group) => self.group(vm, group, source, group.mods.count).map(drop),
            Node::Counted(count, node) => match &**node {
                Node::Item(item) => self.item(vm, item, source, Some(count), start),
                Node::Group(group) => {
                    // The count is known afterwards only.
                    let place = self.at;
                    self.one(vm, count, &mut Source::one(Value::Int(0)), None, start)?;
                    let size = self.at - place;
                    let times = self.group(vm, group, source, Count::All)?;
                    let end = std::mem::replace(&mut self.at, place);
                    self.one(vm, count, &mut Source::one(Value::Int(times)), None, start)?;
                    if self.at != place + size {
                        return Err(error_int(error::PACK_ARG_MISMATCH, count.at as i32));
                    }
                    self.at = end;
                    Ok(())
                }
                Node::Counted(count, _) => Err(error_int(error::PACK_PARSE, count.at as i32)),
            },
        }
    }

    /// A group; how many times.
    fn group(&mut self, vm: &mut Vm, group: &Group, outer: &mut Source, count: Count) -> Run<i32> {
        let (per_time, up_to) = (group.list && group.mods.bang, group.mods.up_to);
        let open = count == Count::All || up_to;
        // The elements of the list, if the values do not come from outside.
        let mut own = None;
        if group.list && !per_time {
            own = Some(Source::list(vm, outer.take())?);
        } else if per_time {
            if open && outer.left() == 0 {
                return Ok(1);
            }
            own = Some(Source::list(vm, outer.take())?);
        }
        if open && !per_time && own.as_ref().unwrap_or(outer).left() == 0 {
            return Ok(1);
        }
        let mut times = 1;
        loop {
            let start = self.at;
            let before = own.as_ref().unwrap_or(outer).at;
            for node in &group.nodes {
                self.node(vm, node, own.as_mut().unwrap_or(outer), start)?;
            }
            let mut more = own.as_ref().unwrap_or(outer).left() > 0;
            let stuck = !per_time && own.as_ref().unwrap_or(outer).at == before;
            if per_time {
                more = outer.left() > 0;
                own = Some(Source::list(vm, outer.take())?);
            }
            let done = match count {
                Count::All => !more || stuck,
                Count::Fixed(count) => times as usize >= count,
                Count::Unsaid => true,
            };
            if done || up_to && !more {
                if up_to {
                    if per_time { outer.drain() } else { own.as_mut().unwrap_or(outer).drain() }
                }
                return Ok(times);
            }
            times += 1;
        }
    }

    /// An item with its repetitions.
    fn item(&mut self, vm: &mut Vm, item: &Item, source: &mut Source, prefix: Option<&Item>, start: usize) -> Run<()> {
        let count = if prefix.is_some() { Count::All } else { item.count };
        if let Some(values) = vm.list_like(source.value())? {
            let mut list = Source { values, at: 0 };
            if item.takes_argument() {
                source.at += 1;
            }
            let len = list.left();
            if let Some(prefix) = prefix {
                self.one(vm, prefix, &mut Source::one(Value::Int(len as i32)), None, start)?;
            }
            let times = match count {
                Count::All => len,
                Count::Fixed(count) => count.max(1),
                Count::Unsaid => 1,
            };
            let times = if item.up_to { times.min(len) } else { times };
            for _ in 0..times {
                self.one(vm, item, &mut list, None, start)?;
            }
            return Ok(());
        }
        let many = match count {
            Count::All => true,
            Count::Fixed(count) => count > 1,
            Count::Unsaid => false,
        };
        if !item.is_repeated() || !many {
            return self.one(vm, item, source, prefix, start);
        }
        if let Some(prefix) = prefix {
            self.one(vm, prefix, &mut Source::one(Value::Int(source.left() as i32)), None, start)?;
        }
        let mut times = 0;
        while match count {
            Count::Fixed(count) => times < count && !(item.up_to && source.left() == 0),
            _ => source.left() > 0 && (item.takes_argument() || times == 0),
        } {
            self.one(vm, item, source, None, start)?;
            times += 1;
        }
        if item.up_to {
            source.drain();
        }
        Ok(())
    }

    /// An item, once.
    fn one(&mut self, vm: &mut Vm, item: &Item, source: &mut Source, prefix: Option<&Item>, start: usize) -> Run<()> {
        self.steps += 1;
        if self.steps > vm.options.max_length {
            return fail(error::OUT_OF_MEMORY);
        }
        match item.code {
            'x' if item.bang => return self.pad(vm, &[0], after(self.at, item)),
            'x' => return self.pad(vm, &[0], item.times()),
            'X' => {
                let back = if item.bang { before(self.at, item) } else { item.times() };
                self.at = self.at.saturating_sub(back);
                return Ok(());
            }
            '@' => {
                let to = item.times().saturating_add(if item.bang { 0 } else { start });
                if item.question {
                    return Ok(());
                }
                if to > self.at {
                    return self.pad(vm, &[0], to - self.at);
                }
                self.at = to;
                return Ok(());
            }
            '"' | '{' => {
                let bytes: Result<Vec<u8>, _> = item.literal.iter().map(|c| u8::try_from(*c as u32)).collect();
                return match bytes {
                    Ok(bytes) => self.write(vm, &bytes),
                    Err(_) => fail(error::NUM_OVERFLOW),
                };
            }
            _ => {}
        }
        let value = source.take();
        if item.is_text() {
            return self.text(vm, item, value, prefix, start);
        }
        let mut bytes = match item.code {
            'k' => {
                let bytes = base_128(whole(vm, value)?, item.cut)?;
                return self.write(vm, &bytes);
            }
            'f' | 'd' => real(vm, item, value)?,
            _ => fitted(whole(vm, value)?, item)?,
        };
        if item.big_endian {
            bytes.reverse();
        }
        self.write(vm, &bytes)
    }

    fn text(&mut self, vm: &mut Vm, item: &Item, value: Value, prefix: Option<&Item>, start: usize) -> Run<()> {
        let chars: Vec<char> = match vm.bytes(value) {
            Ok(bytes) => bytes.iter().map(|byte| char::from(*byte)).collect(),
            Err(_) if value == Value::Nil => Vec::new(),
            Err(_) => vm.to_text(value)?.chars().collect(),
        };
        if let Some(prefix) = prefix {
            let length = match item.code {
                'w' | 'W' if item.in_bytes => chars.len() * 2,
                'h' | 'H' if item.in_bytes => chars.len().div_ceil(2),
                'u' | 'U' => chars.iter().map(|c| c.len_utf8()).sum(),
                _ => chars.len(),
            };
            self.one(vm, prefix, &mut Source::one(Value::Int(length as i32)), None, start)?;
        }
        let all = prefix.is_some() || item.count == Count::All || item.count == Count::Unsaid && item.zero;
        let limit = if all { usize::MAX } else { item.width() };
        let mut bytes: Vec<u8> = Vec::with_capacity(chars.len());
        if matches!(item.code, 'h' | 'H') {
            let digits: Vec<u8> = chars.iter().map(|c| c.to_digit(16).unwrap_or(0) as u8).collect();
            bytes.extend(digits.chunks(2).take(limit).map(|pair| {
                let (first, second) = (pair[0], pair.get(1).copied().unwrap_or(0));
                if item.code == 'H' { first << 4 | second } else { second << 4 | first }
            }));
        } else {
            for c in chars {
                let fits = bytes.len();
                match item.code {
                    'u' | 'U' => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    'w' | 'W' if item.big_endian => bytes.extend((c as u32 as u16).to_be_bytes()),
                    'w' | 'W' => bytes.extend((c as u32 as u16).to_le_bytes()),
                    _ => bytes.push(match u8::try_from(c as u32) {
                        Ok(byte) => byte,
                        Err(_) if item.cut => c as u32 as u8,
                        Err(_) if item.code == 'b' => return fail(error::NUM_OVERFLOW),
                        Err(_) => b'?',
                    }),
                }
                if bytes.len() > limit {
                    bytes.truncate(fits);
                    break;
                }
            }
        }
        let used = bytes.len();
        self.write(vm, &bytes)?;
        if !all && !item.up_to && used < limit {
            match (item.code, item.big_endian) {
                ('w' | 'W', true) => self.pad(vm, &[0, item.padding()], limit - used)?,
                ('w' | 'W', false) => self.pad(vm, &[item.padding(), 0], limit - used)?,
                _ => self.pad(vm, &[item.padding()], limit - used)?,
            }
        }
        if item.zero {
            self.write(vm, if item.code == 'w' { &[0, 0] } else { &[0] })?;
        }
        Ok(())
    }
}

/// The integer that a value is or contains.
fn whole(vm: &mut Vm, value: Value) -> Run<BigInt> {
    let value = match value {
        Value::Int(number) => return Ok(number.into()),
        Value::Nil => return Ok(BigInt::zero()),
        Value::True => return Ok(1.into()),
        value if vm.heap.text(value).is_some() => {
            let text = vm.want_text(value)?;
            vm.parse_number(text.trim(), 10, false)?
        }
        value => value,
    };
    match (value, vm.big(value)) {
        (Value::Int(number), _) => Ok(number.into()),
        (_, Some(number)) if number.special == Special::Finite && number.scale() < 1000 => {
            let number = number.round_to(0);
            Ok(number.mantissa * BigInt::from(10u8).pow(number.exponent.max(0) as u32))
        }
        (_, Some(_)) => fail(error::NUM_OVERFLOW),
        _ => fail(error::NO_INT_CONV),
    }
}

/// A number in the bytes of an item.
fn fitted(number: BigInt, item: &Item) -> Run<Vec<u8>> {
    let bits = 8 * item.size();
    let range = BigInt::from(1u8) << bits;
    let least = if item.code.is_ascii_lowercase() { -(&range >> 1usize) } else { BigInt::zero() };
    let over = &least + &range;
    if !item.cut && (number < least || number >= over) {
        return fail(error::NUM_OVERFLOW);
    }
    let rest = ((number % &range) + &range) % &range;
    Ok(rest.to_u64().unwrap_or(0).to_le_bytes()[..item.size()].to_vec())
}

/// A number in base 128, the most significant digit first, all but the last marked.
fn base_128(number: BigInt, cut: bool) -> Run<Vec<u8>> {
    if number.is_negative() && !cut {
        return fail(error::NUM_OVERFLOW);
    }
    let mut digits = number.magnitude().to_radix_be(128);
    let last = digits.len() - 1;
    digits[..last].iter_mut().for_each(|digit| *digit |= 0x80);
    Ok(digits)
}

fn real(vm: &mut Vm, item: &Item, value: Value) -> Run<Vec<u8>> {
    let text = match value {
        Value::Nil => "0".to_owned(),
        Value::Int(number) => number.to_string(),
        value => match vm.big(value) {
            Some(number) if number.special == Special::NotANumber => "NaN".to_owned(),
            Some(number) if number.special == Special::Infinite => {
                if number.is_negative() { "-inf" } else { "inf" }.to_owned()
            }
            Some(number) => number.display(),
            None => {
                let Some(text) = vm.heap.text(value) else { return fail(error::NO_BIGNUM_CONV) };
                BigNum::parse(text, None).display()
            }
        },
    };
    let wide: f64 = text.parse().unwrap_or(f64::NAN);
    let narrow: f32 = text.parse().unwrap_or(f32::NAN);
    let endless = if item.code == 'f' { narrow.is_infinite() } else { wide.is_infinite() };
    if endless && !text.ends_with("inf") && !item.cut {
        return fail(error::NUM_OVERFLOW);
    }
    Ok(if item.code == 'f' { narrow.to_le_bytes().to_vec() } else { wide.to_le_bytes().to_vec() })
}

/// `String.packBytes(format, ...)`: a string whose characters are the bytes.
pub(crate) fn pack_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let format = vm.want_text(args.get(vm, 0))?;
    let values = args.all(vm);
    let (bytes, _) = pack(vm, &format, &values[1..])?;
    let text: String = bytes.into_iter().map(|byte| byte as char).collect();
    Ok(vm.heap.new_text(text))
}

/// `unpackBytes(format)` of a string whose characters are bytes.
pub(crate) fn unpack_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let format = vm.want_text(args.get(vm, 0))?;
    let bytes: Result<Vec<u8>, _> = text.chars().map(|c| u8::try_from(c as u32)).collect();
    let bytes = bytes.map_err(|_| error::error(error::NUM_OVERFLOW))?;
    let (values, _) = unpack(vm, &format, &bytes)?;
    Ok(vm.heap.new_list(values))
}

/// `packBytes(index, format, ...)` into an array; `ByteArray.packBytes(format, ...)` makes one.
pub(crate) fn pack_array(vm: &mut Vm, args: Args) -> Run<Value> {
    let values = args.all(vm);
    if vm.bytes(args.this).is_err() {
        let format = vm.want_text(values[0])?;
        let (bytes, _) = pack(vm, &format, &values[1..])?;
        return Ok(new_bytes(vm, bytes));
    }
    if values.len() < 2 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let at = vm.want_int(values[0])?;
    let format = vm.want_text(values[1])?;
    let (bytes, count) = pack(vm, &format, &values[2..])?;
    let len = vm.bytes(args.this)?.len();
    let start = (at.max(1) as usize).min(len.max(1)) - 1;
    let fitting = bytes.len().min(len - start);
    vm.change_bytes(args.this, |own| own[start..start + fitting].copy_from_slice(&bytes[..fitting]))?;
    if fitting < bytes.len() {
        return fail(error::WRITE_FILE);
    }
    Ok(Value::Int(count as i32))
}

/// `unpackBytes(index, format)` of an array.
pub(crate) fn unpack_array(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = vm.want_int(args.get(vm, 0))?;
    let format = vm.want_text(args.get(vm, 1))?;
    let bytes = vm.bytes(args.this)?.clone();
    let Some(start) = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).filter(|at| *at <= bytes.len()) else {
        return fail(error::INDEX_OUT_OF_RANGE);
    };
    let (values, _) = unpack(vm, &format, &bytes[start..])?;
    Ok(vm.heap.new_list(values))
}
