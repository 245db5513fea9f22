//! The state of running digests as PHP serialises it: the fields of PHP's C structures as numbers of 32 bits and
//! strings.

use crate::algorithm::Algorithm;
use phlox_runtime::{PhpArr, Val};

/// A digest's state, in one form for all algorithms.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    /// The chained words, least significant byte first.
    pub state: Vec<u8>,
    /// Blocks taken in.
    pub blocks: u64,
    /// Bytes that are no whole block yet.
    pub rest: Vec<u8>,
}

/// The form of PHP's structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Words, the number of bits in `2 * word` bytes, the buffer.
    Counted {
        word: usize,
    },
    Md2,
    Md5,
    Sponge,
    Whirlpool,
    Tiger,
    Snefru,
    Gost,
    Sum,
    /// Hash, bytes that wait in words of this size, length.
    Murmur {
        word: usize,
    },
    /// Length, lanes of words of this size, what waits and how much that is.
    Xxh {
        word: usize,
    },
}

/// A field: `count` numbers of a size, one text where the size is 1 and the count more, or bytes that are not kept.
#[derive(Clone, Copy)]
enum Field {
    Numbers { size: usize, count: usize },
    Text(usize),
    Skipped(usize),
}

const fn words(count: usize) -> Field {
    Field::Numbers { size: 4, count }
}

const fn longs(count: usize) -> Field {
    Field::Numbers { size: 8, count }
}

const BYTE: Field = Field::Numbers { size: 1, count: 1 };

pub struct Layout {
    form: Form,
    fields: Vec<Field>,
    /// The number by which PHP marks the format of the state.
    pub magic: i64,
    /// Bytes of a block.
    block: usize,
}

/// The layout of an algorithm; `None`: its state is the library's secret.
pub fn layout(algorithm: &Algorithm) -> Option<Layout> {
    use Field::{Skipped, Text};
    let counted = |count: usize| (Form::Counted { word: 4 }, vec![words(count), words(2), Text(algorithm.block)]);
    let name = algorithm.name;
    let (form, fields) = match name {
        "md2" => (Form::Md2, vec![Text(48), Text(16), Text(16), BYTE]),
        "md4" | "ripemd128" => counted(4),
        "md5" => (Form::Md5, vec![words(6), Text(64), words(16)]),
        "sha1" | "ripemd160" => counted(5),
        "sha224" | "sha256" | "ripemd256" => counted(8),
        "ripemd320" => counted(10),
        "sha384" | "sha512/224" | "sha512/256" | "sha512" => {
            (Form::Counted { word: 8 }, vec![longs(8), longs(2), Text(128)])
        }
        "whirlpool" => (Form::Whirlpool, vec![longs(8), Text(32), words(2), Text(64)]),
        "snefru" | "snefru256" => (Form::Snefru, vec![words(16), words(2), BYTE, Text(32)]),
        "gost" | "gost-crypto" => (Form::Gost, vec![words(16), words(2), BYTE, Text(32)]),
        "adler32" | "crc32" | "crc32b" | "crc32c" | "fnv132" | "fnv1a32" | "joaat" => (Form::Sum, vec![words(1)]),
        "fnv164" | "fnv1a64" => (Form::Sum, vec![longs(1)]),
        "murmur3a" => (Form::Murmur { word: 4 }, vec![words(3)]),
        "murmur3c" => (Form::Murmur { word: 4 }, vec![words(9)]),
        "murmur3f" => (Form::Murmur { word: 8 }, vec![longs(4), words(1)]),
        "xxh32" => (Form::Xxh { word: 4 }, vec![words(12)]),
        "xxh64" => (Form::Xxh { word: 8 }, vec![longs(9), words(2), longs(1)]),
        _ if name.starts_with("sha3-") => (Form::Sponge, vec![Text(200), Skipped(4), words(1)]),
        _ if name.starts_with("tiger") => (Form::Tiger, vec![longs(3), longs(1), Text(64), words(1)]),
        _ if name.starts_with("haval") => counted(8),
        _ => return None,
    };
    let block = match name {
        "murmur3a" => 4,
        "murmur3c" | "murmur3f" | "xxh32" => 16,
        "xxh64" => 32,
        _ => algorithm.block,
    };
    let magic = if form == Form::Sponge { 100 } else { 2 };
    Some(Layout { form, fields, magic, block })
}

/// Bytes of a structure, one field after the other.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Writer {
        self.0.extend_from_slice(bytes);
        self
    }

    fn number(&mut self, value: u64, size: usize) -> &mut Writer {
        self.bytes(&value.to_le_bytes()[..size])
    }

    fn padded(&mut self, bytes: &[u8], size: usize) -> &mut Writer {
        self.0.extend_from_slice(bytes);
        self.0.resize(self.0.len() + size - bytes.len(), 0);
        self
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, size: usize) -> &'a [u8] {
        let (head, tail) = self.0.split_at(size.min(self.0.len()));
        self.0 = tail;
        head
    }

    fn number(&mut self, size: usize) -> u64 {
        self.bytes(size).iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

/// Words of 64 bits with their bytes the other way round.
fn swapped(words: &[u8]) -> Vec<u8> {
    words.chunks(8).flat_map(|word| word.iter().rev().copied()).collect()
}

impl Layout {
    /// The values that stand for a state.
    pub fn write(&self, raw: &Raw) -> Val {
        let structure = self.structure(raw);
        let mut reader = Reader(&structure);
        let mut values = PhpArr::new();
        // An array of so few elements has room.
        let mut push = |value: Val| {
            let _ = values.push(value);
        };
        for field in &self.fields {
            match *field {
                Field::Skipped(size) => drop(reader.bytes(size)),
                Field::Text(size) => push(Val::str(reader.bytes(size))),
                Field::Numbers { size, count } => {
                    for _ in 0..count {
                        let number = reader.number(size);
                        push(Val::int((number as i32).into()));
                        if size == 8 {
                            push(Val::int(((number >> 32) as i32).into()));
                        }
                    }
                }
            }
        }
        values.into()
    }

    /// The state that values stand for, or PHP's number of what is wrong.
    pub fn read(&self, values: &PhpArr) -> Result<Raw, i64> {
        let mut writer = Writer::default();
        let mut index = 0;
        let mut next = |at: usize| {
            index += 1;
            values.get_int(index - 1).map(Val::deref).ok_or(-1000 - at as i64)
        };
        for field in &self.fields {
            let at = writer.0.len();
            let wrong = |at: usize| -1000 - at as i64;
            match *field {
                Field::Skipped(size) => drop(writer.padded(&[], size)),
                Field::Text(size) => {
                    let text = next(at)?.into_str().filter(|text| text.len() == size).ok_or(wrong(at))?;
                    writer.bytes(&text);
                }
                Field::Numbers { size, count } => {
                    for _ in 0..count {
                        let at = writer.0.len();
                        let mut number = u64::from(next(at)?.as_int().ok_or(wrong(at))? as u32);
                        if size == 8 {
                            number |= (next(at)?.as_int().ok_or(wrong(at))? as u64) << 32;
                        }
                        writer.number(number, size);
                    }
                }
            }
        }
        const IMPOSSIBLE: i64 = -2000;
        self.state(&writer.0).filter(|raw| self.form == Form::Sum || raw.rest.len() < self.block).ok_or(IMPOSSIBLE)
    }

    /// PHP's structure.
    fn structure(&self, raw: &Raw) -> Vec<u8> {
        let Raw { state, blocks, rest } = raw;
        let waiting = rest.len() as u64;
        let length = blocks.wrapping_mul(self.block as u64).wrapping_add(waiting);
        let bits = u128::from(length) << 3;
        let mut to = Writer::default();
        match self.form {
            Form::Counted { word } => {
                to.bytes(state).bytes(&bits.to_le_bytes()[..2 * word]).padded(rest, self.block);
            }
            Form::Md2 => drop(to.bytes(state).padded(rest, 16).number(waiting, 1)),
            Form::Md5 => {
                to.number(length & 0x1fff_ffff, 4)
                    .number(length >> 29, 4)
                    .bytes(state)
                    .padded(rest, 64)
                    .padded(&[], 64);
            }
            Form::Sponge => {
                let mut mixed = state.clone();
                mixed.iter_mut().zip(rest).for_each(|(byte, with)| *byte ^= with);
                to.bytes(&mixed).padded(&[], 4).number(waiting, 4);
            }
            Form::Whirlpool => {
                let mut count = [0; 32];
                count[16..].copy_from_slice(&bits.to_be_bytes());
                to.bytes(&swapped(state)).bytes(&count).number(waiting, 4).number(8 * waiting, 4).padded(rest, 64);
            }
            Form::Tiger => drop(to.bytes(state).number(blocks << 9, 8).padded(rest, 64).number(waiting, 4)),
            Form::Snefru => {
                to.padded(state, 64).number(length >> 29, 4).number(length << 3, 4).number(waiting, 1).padded(rest, 32);
            }
            Form::Gost => {
                // The library's order: hash, number of bits in whole blocks, sum.
                let bits = Reader(&state[32..64]).number(8).wrapping_add(8 * waiting);
                to.bytes(&state[..32]).bytes(&state[64..]).number(bits, 8).number(waiting, 1).padded(rest, 32);
            }
            Form::Sum => drop(to.bytes(state)),
            Form::Murmur { word } => {
                // Words that are not full have their bytes at the top; the number of bytes is in the last one.
                let mut carry = vec![0; self.block];
                for (part, bytes) in carry.chunks_mut(word).zip(rest.chunks(word)) {
                    part[word - bytes.len()..].copy_from_slice(bytes);
                }
                carry[self.block - word] |= rest.len() as u8;
                to.bytes(state).bytes(&carry).number(length, 4);
            }
            Form::Xxh { word } => {
                to.number(length, word);
                if word == 4 {
                    to.number(u64::from(length >= self.block as u64), 4);
                }
                to.bytes(state).padded(rest, self.block).number(waiting, 4).padded(&[], 4);
                if word == 8 {
                    to.padded(&[], 8);
                }
            }
        }
        to.0
    }

    fn state(&self, structure: &[u8]) -> Option<Raw> {
        let mut from = Reader(structure);
        let block = self.block as u64;
        let rest = |buffer: &[u8], size: u64| buffer.get(..usize::try_from(size).ok()?).map(<[u8]>::to_vec);
        Some(match self.form {
            Form::Counted { word } => {
                let state = from.bytes(structure.len() - self.block - 2 * word).to_vec();
                let count = from.bytes(2 * word).iter().rev().fold(0u128, |count, &byte| count << 8 | u128::from(byte));
                let length = u64::try_from(count >> 3).ok()?;
                Raw { state, blocks: length / block, rest: rest(from.bytes(self.block), length % block)? }
            }
            Form::Md2 => {
                let (state, buffer) = (from.bytes(64).to_vec(), from.bytes(16));
                Raw { state, blocks: 0, rest: rest(buffer, from.number(1))? }
            }
            Form::Md5 => {
                let length = from.number(4) | from.number(4) << 29;
                let state = from.bytes(16).to_vec();
                Raw { state, blocks: length / block, rest: rest(from.bytes(64), length % block)? }
            }
            Form::Sponge => {
                let state = from.bytes(200).to_vec();
                from.bytes(4);
                let size = usize::try_from(from.number(4)).ok().filter(|size| *size < self.block)?;
                // The bytes of the last block were mixed in already, so zeros in their place change nothing.
                Raw { state, blocks: 0, rest: vec![0; size] }
            }
            Form::Whirlpool => {
                let state = swapped(from.bytes(64));
                let count = from.bytes(32)[16..].iter().fold(0u128, |count, &byte| count << 8 | u128::from(byte));
                let waiting = from.number(4);
                from.bytes(4);
                let length = u64::try_from(count >> 3).ok()?;
                Raw { state, blocks: length / block, rest: rest(from.bytes(64), waiting)? }
            }
            Form::Tiger => {
                let (state, blocks) = (from.bytes(24).to_vec(), from.number(8) >> 9);
                let buffer = from.bytes(64);
                Raw { state, blocks, rest: rest(buffer, from.number(4))? }
            }
            Form::Snefru => {
                let state = from.bytes(64)[..32].to_vec();
                let length = from.number(4) << 29 | from.number(4) >> 3;
                let waiting = from.number(1);
                Raw { state, blocks: length / block, rest: rest(from.bytes(32), waiting)? }
            }
            Form::Gost => {
                let (hash, sum) = (from.bytes(32), from.bytes(32));
                let length = from.number(8) >> 3;
                let waiting = from.number(1);
                let mut bits = [0; 32];
                bits[..8].copy_from_slice(&(length.checked_sub(waiting)? << 3).to_le_bytes());
                Raw { state: [hash, &bits, sum].concat(), blocks: length / block, rest: rest(from.bytes(32), waiting)? }
            }
            Form::Sum => Raw { state: structure.to_vec(), ..Raw::default() },
            Form::Murmur { word } => {
                let state = from.bytes(structure.len() - 4 - self.block).to_vec();
                let carry = from.bytes(self.block);
                let waiting = usize::from(carry[self.block - word]) % self.block;
                let mut bytes = Vec::new();
                for part in carry.chunks(word) {
                    let size = (waiting - bytes.len()).min(word);
                    bytes.extend_from_slice(&part[word - size..]);
                }
                let length = from.number(4);
                Raw { state, blocks: length.checked_sub(waiting as u64)? / block, rest: bytes }
            }
            Form::Xxh { word } => {
                let length = from.number(word);
                if word == 4 {
                    from.number(4);
                }
                let (state, buffer) = (from.bytes(4 * word).to_vec(), from.bytes(self.block));
                let waiting = from.number(4);
                if waiting >= block {
                    return None;
                }
                Raw { state, blocks: length.wrapping_sub(waiting) / block, rest: rest(buffer, waiting)? }
            }
        })
    }
}
