//! Compiled rules: libmagic's file format, and the packed form of the rules that are built in.

use crate::rule::{Rule, Rules, trimmed};

const MAGIC: u32 = 0xF11E_041C;
const VERSION: u32 = 18;
/// Bytes of a rule in libmagic's format.
pub const RECORD: usize = 376;
/// Where the texts of a record lie: value, description, MIME type, Apple's types, extensions.
const TEXTS: [(usize, usize); 5] = [(32, 160), (160, 224), (224, 304), (304, 312), (312, 376)];
/// Bytes of a record's numbers.
const NUMBERS: usize = 32;

fn u32_at(data: &[u8], at: usize) -> u32 {
    let bytes = data.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    u32::from_le_bytes(bytes.unwrap_or_default())
}

/// A rule of the numbers of its record and its texts.
fn rule(numbers: &[u8; NUMBERS], texts: [&[u8]; 5]) -> Rule {
    let [value, description, mime, apple, extensions] = texts.map(trimmed);
    let n = numbers;
    Rule {
        level: u16::from_le_bytes([n[0], n[1]]),
        flags: n[2],
        factor: n[3],
        relation: n[4],
        length: n[5],
        kind: n[6],
        in_kind: n[7],
        in_op: n[8],
        mask_op: n[9],
        condition: n[10],
        factor_op: n[11],
        offset: u32_at(n, 12) as i32,
        in_offset: u32_at(n, 16) as i32,
        line: u32_at(n, 20),
        mask: u64::from(u32_at(n, 28)) << 32 | u64::from(u32_at(n, 24)),
        value,
        description,
        mime,
        apple,
        extensions,
    }
}

fn numbers(rule: &Rule) -> [u8; NUMBERS] {
    let mut n = [0; NUMBERS];
    n[..2].copy_from_slice(&rule.level.to_le_bytes());
    n[2..12].copy_from_slice(&[
        rule.flags,
        rule.factor,
        rule.relation,
        rule.length,
        rule.kind,
        rule.in_kind,
        rule.in_op,
        rule.mask_op,
        rule.condition,
        rule.factor_op,
    ]);
    n[12..16].copy_from_slice(&rule.offset.to_le_bytes());
    n[16..20].copy_from_slice(&rule.in_offset.to_le_bytes());
    n[20..24].copy_from_slice(&rule.line.to_le_bytes());
    n[24..].copy_from_slice(&rule.mask.to_le_bytes());
    n
}

/// Reads a file of libmagic's format; `None`: it is none, or damaged, or of another version or byte order.
pub fn read(data: &[u8]) -> Option<Rules> {
    if data.len() < RECORD || data.len() % RECORD != 0 || u32_at(data, 0) != MAGIC || u32_at(data, 4) != VERSION {
        return None;
    }
    let (tried, named) = (u32_at(data, 8) as usize, u32_at(data, 12) as usize);
    let records = &data[RECORD..];
    if records.len() / RECORD != tried.checked_add(named)? {
        return None;
    }
    let read = |record: &[u8]| {
        let numbers = record[..NUMBERS].try_into().unwrap_or(&[0; NUMBERS]);
        rule(numbers, TEXTS.map(|(start, end)| &record[start..end]))
    };
    Some(Rules::new(records.chunks_exact(RECORD).map(read).collect(), tried))
}

fn texts(rule: &Rule) -> [&[u8]; 5] {
    [&rule.value, &rule.description, &rule.mime, &rule.apple, &rule.extensions]
}

/// Writes rules so that they compress well: column by column, with lines as differences.
pub fn pack(rules: &Rules) -> Vec<u8> {
    let mut packed = Vec::new();
    packed.extend_from_slice(&(rules.all.len() as u32).to_le_bytes());
    packed.extend_from_slice(&(rules.tried as u32).to_le_bytes());
    let mut line = 0;
    let rows = rules.all.iter().map(|rule| {
        let step = rule.line.wrapping_sub(line);
        line = rule.line;
        numbers(&Rule { line: step, ..rule.clone() })
    });
    let rows = rows.collect::<Vec<_>>();
    for column in 0..NUMBERS {
        packed.extend(rows.iter().map(|row| row[column]));
    }
    for column in 0..TEXTS.len() {
        packed.extend(rules.all.iter().map(|rule| texts(rule)[column].len() as u8));
    }
    for column in 0..TEXTS.len() {
        packed.extend(rules.all.iter().flat_map(|rule| texts(rule)[column]));
    }
    packed
}

/// Reads what [`pack`] wrote; `None`: it is damaged.
pub fn unpack(packed: &[u8]) -> Option<Rules> {
    let (count, tried) = (u32_at(packed, 0) as usize, u32_at(packed, 4) as usize);
    let columns = packed.get(8..)?;
    let texts_start = count.checked_mul(NUMBERS)?;
    let mut starts = [0; TEXTS.len()];
    let mut start = texts_start.checked_add(count.checked_mul(TEXTS.len())?)?;
    for (column, place) in starts.iter_mut().enumerate() {
        *place = start;
        let lengths = columns.get(texts_start + column * count..texts_start + (column + 1) * count)?;
        start += lengths.iter().map(|&length| usize::from(length)).sum::<usize>();
    }
    let mut rules = Vec::with_capacity(count);
    let mut line = 0u32;
    for index in 0..count {
        let numbers: [u8; NUMBERS] = std::array::from_fn(|column| columns[column * count + index]);
        let mut parts = [&[][..]; TEXTS.len()];
        for (column, part) in parts.iter_mut().enumerate() {
            let length = usize::from(columns[texts_start + column * count + index]);
            *part = columns.get(starts[column]..starts[column] + length)?;
            starts[column] += length;
        }
        let mut rule = rule(&numbers, parts);
        line = line.wrapping_add(rule.line);
        rule.line = line;
        rules.push(rule);
    }
    Some(Rules::new(rules, tried))
}
