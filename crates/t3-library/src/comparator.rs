//! Rules by which words that a user typed match the words of a program.

use std::cmp::Ordering;

use crate::case::folded_char;

/// The result of a match: it matches.
const MATCH: u32 = 1;

/// A letter differs in case.
const CASE_FOLD: u32 = 2;

/// The input is shorter than the word.
const TRUNCATED: u32 = 4;

/// One character of the dictionary with what may be typed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The character in words of the program.
    pub reference: char,
    /// What users may type for it.
    pub input: Vec<char>,
    /// Flags of the result if an upper-case character was mapped.
    pub upper_flags: u32,
    /// Flags of the result if a lower-case character was mapped.
    pub lower_flags: u32,
}

/// The rules of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparator {
    /// Least length of abbreviations; 0 allows none.
    pub truncation: usize,
    /// Whether case matters.
    pub case_sensitive: bool,
    /// Equivalent spellings.
    pub mappings: Vec<Mapping>,
    /// Whether a mapping is for an ASCII character.
    maps_ascii: bool,
}

/// The character that another folds to, if it is one alone.
fn folded_alone(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    let mut folded = folded_char(c);
    let first = folded.next();
    if folded.next().is_some() { None } else { first }
}

/// How many bytes at the start of two texts are the same but for case; "ß" is the same as "ss".
fn folded_match(a: &str, b: &str) -> Option<(usize, usize)> {
    let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
    let (first_a, first_b) = (rest_a.next()?, rest_b.next()?);
    if let (Some(x), Some(y)) = (folded_alone(first_a), folded_alone(first_b)) {
        return (x == y).then_some((first_a.len_utf8(), first_b.len_utf8()));
    }
    let mut left: Vec<char> = folded_char(first_a).collect();
    let mut right: Vec<char> = folded_char(first_b).collect();
    loop {
        if left.iter().zip(&right).any(|(a, b)| a != b) {
            return None;
        }
        match left.len().cmp(&right.len()) {
            Ordering::Equal => return Some((a.len() - rest_a.as_str().len(), b.len() - rest_b.as_str().len())),
            Ordering::Less => left.extend(folded_char(rest_a.next()?)),
            Ordering::Greater => right.extend(folded_char(rest_b.next()?)),
        }
    }
}

impl Comparator {
    /// The rules as images and saved games have them.
    pub fn save(&self, out: &mut Vec<u8>) {
        let word = |out: &mut Vec<u8>, number: usize| out.extend((number as u16).to_le_bytes());
        word(out, self.truncation);
        word(out, usize::from(self.case_sensitive));
        word(out, self.mappings.len());
        word(out, self.mappings.iter().map(|row| row.input.len()).sum());
        for row in &self.mappings {
            word(out, row.reference as usize);
            out.push(row.input.len() as u8);
            out.extend(row.upper_flags.to_le_bytes());
            out.extend(row.lower_flags.to_le_bytes());
            row.input.iter().for_each(|c| word(out, *c as usize));
        }
    }

    /// Rules with a least length of abbreviations, whether case matters, and mappings of characters.
    pub fn new(truncation: usize, case_sensitive: bool, mappings: Vec<Mapping>) -> Comparator {
        let maps_ascii = mappings.iter().any(|row| row.reference.is_ascii());
        Comparator { truncation, case_sensitive, mappings, maps_ascii }
    }

    /// The comparison that only knows equal and different.
    pub fn exact() -> Comparator {
        Comparator { case_sensitive: true, ..Comparator::default() }
    }

    fn mapping(&self, c: char) -> Option<&Mapping> {
        self.mappings.iter().find(|row| row.reference == c)
    }

    /// A number that is equal for matching strings.
    pub fn hash(&self, text: &str) -> u32 {
        let mut sum = 0u32;
        let mut left = if self.truncation == 0 { usize::MAX } else { self.truncation };
        if text.is_ascii() && !self.maps_ascii {
            let byte = |byte: &u8| u32::from(if self.case_sensitive { *byte } else { byte.to_ascii_lowercase() });
            return text.as_bytes().iter().take(left).map(byte).sum::<u32>() & 0xffff;
        }
        for c in text.chars() {
            let single = [c];
            let chars = self.mapping(c).map_or(&single[..], |row| &row.input);
            for c in chars {
                if left == 0 {
                    return sum & 0xffff;
                }
                let full = (!self.case_sensitive).then(|| folded_char(*c)).into_iter().flatten();
                let plain = self.case_sensitive.then_some(*c);
                sum = full.chain(plain).fold(sum, |sum, c| sum.wrapping_add(c as u32));
                left -= 1;
            }
        }
        sum & 0xffff
    }

    /// The commonest case: only case and truncation matter.
    fn matches_ascii(&self, typed: &[u8], word: &[u8]) -> u32 {
        let mut flags = MATCH;
        for (input, known) in typed.iter().zip(word) {
            if input != known {
                if self.case_sensitive || !input.eq_ignore_ascii_case(known) {
                    return 0;
                }
                flags |= CASE_FOLD;
            }
        }
        match typed.len().cmp(&word.len()) {
            Ordering::Equal => flags,
            Ordering::Less if self.truncation > 0 && typed.len() >= self.truncation => flags | TRUNCATED,
            _ => 0,
        }
    }

    /// Compares what was typed with a word; 0 if they do not match.
    pub fn matches(&self, typed: &str, word: &str) -> u32 {
        if typed.is_ascii() && word.is_ascii() && !self.maps_ascii {
            return self.matches_ascii(typed.as_bytes(), word.as_bytes());
        }
        let (mut input, mut known) = (typed, word);
        let mut flags = MATCH;
        while let Some(c) = known.chars().next() {
            let Some(first) = input.chars().next() else {
                let enough = self.truncation > 0 && typed.chars().count() >= self.truncation;
                return if enough { flags | TRUNCATED } else { 0 };
            };
            if first == c {
                (input, known) = (&input[first.len_utf8()..], &known[c.len_utf8()..]);
            } else if !self.case_sensitive
                && let Some((taken, matched)) = folded_match(input, known)
            {
                flags |= CASE_FOLD;
                (input, known) = (&input[taken..], &known[matched..]);
            } else if let Some(row) = self.mapping(c)
                && let Some((rest, folded)) = self.without_mapped(row, input)
            {
                flags |= folded | if first.is_uppercase() { row.upper_flags } else { row.lower_flags };
                (input, known) = (rest, &known[c.len_utf8()..]);
            } else {
                return 0;
            }
        }
        if input.is_empty() { flags } else { 0 }
    }

    /// What is left of a text that begins with a mapping's characters, and the flag of different case. The reference
    /// compares all of them with the first character of the text, and looks at the text itself only where they differ
    /// and case does not matter.
    fn without_mapped<'t>(&self, row: &Mapping, text: &'t str) -> Option<(&'t str, u32)> {
        let first = text.chars().next()?;
        let mapped: String = row.input.iter().collect();
        let (mut rest, mut mapped, mut flags) = (text, mapped.as_str(), 0);
        while let Some(c) = mapped.chars().next() {
            let next = rest.chars().next()?;
            let (taken, matched) = if c == first {
                (next.len_utf8(), c.len_utf8())
            } else if self.case_sensitive {
                return None;
            } else {
                flags = CASE_FOLD;
                folded_match(rest, mapped)?
            };
            (rest, mapped) = (&rest[taken..], &mapped[matched..]);
        }
        Some((rest, flags))
    }
}
