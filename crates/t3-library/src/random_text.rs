//! Random strings from templates: alternatives, repetitions, classes of characters and literals.
//!
//! The generator is asked as often as the reference asks it, even where there is nothing to choose, so that the numbers
//! after a string are the reference's, too.

/// Characters that one letter of a template stands for.
type Ranges = &'static [(u32, u32)];

/// Letters and the ranges that they choose from.
const CLASSES: &[(char, Ranges)] = &[
    ('i', &[(32, 126)]),
    ('l', &[(32, 126), (160, 255)]),
    ('u', &[(32, 127), (160, 0xdfff), (0xf900, 0xfffe)]),
    ('d', &[(0x30, 0x39)]),
    ('X', &[(0x30, 0x39), (0x41, 0x46)]),
    ('x', &[(0x30, 0x39), (0x61, 0x66)]),
    ('A', &[(0x41, 0x5a)]),
    ('a', &[(0x61, 0x7a)]),
    ('b', &[(0, 255)]),
    ('c', &[(0x61, 0x7a), (0x41, 0x5a)]),
    ('z', &[(0x30, 0x39), (0x61, 0x7a), (0x41, 0x5a)]),
];

/// Repetitions without an upper bound end here at the latest.
const MAX_UNBOUNDED: u32 = 50;
/// Percentage with which such a repetition goes on.
const GO_ON: u32 = 67;
/// Parentheses may be nested this deep.
const MAX_DEPTH: usize = 1000;

/// Why there is no string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateError {
    /// Parentheses are nested too deep.
    TooDeep,
    /// The string would be longer than allowed.
    TooLong,
}

enum Item {
    Literal(String),
    Chosen(Vec<(u32, u32)>),
    /// A letter that stands for nothing; it costs a random number nevertheless.
    Unknown,
    Alternatives(Vec<Vec<Repeated>>),
}

struct Repeated {
    item: Item,
    low: u32,
    /// `None` without an upper bound.
    high: Option<u32>,
}

/// A random string from a template; `next` gives random numbers of 32 bits.
pub fn generate(template: &str, limit: usize, next: &mut dyn FnMut() -> u32) -> Result<String, TemplateError> {
    let mut parser = Parser { chars: template.chars().collect(), at: 0, depth: 0 };
    let tree = parser.alternatives(true)?;
    let mut writer = Writer { out: String::new(), limit, next };
    writer.alternatives(&tree)?;
    Ok(writer.out)
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn number(&mut self) -> u32 {
        let mut number = 0u32;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        number
    }

    fn alternatives(&mut self, outermost: bool) -> Result<Vec<Vec<Repeated>>, TemplateError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(TemplateError::TooDeep);
        }
        let mut all = Vec::new();
        while self.peek().is_some_and(|c| outermost || c != ')') {
            let mut sequence = Vec::new();
            while self.peek().is_some_and(|c| c != ')' && c != '|') {
                sequence.push(self.repeated()?);
            }
            all.push(sequence);
            if !self.accept('|') && outermost {
                self.accept(')');
            }
        }
        self.depth -= 1;
        Ok(all)
    }

    fn repeated(&mut self) -> Result<Repeated, TemplateError> {
        let item = if self.accept('(') {
            let inner = self.alternatives(false)?;
            self.accept(')');
            Item::Alternatives(inner)
        } else if self.accept('"') {
            self.literal()
        } else {
            self.atom()
        };
        let (low, high) = if self.accept('{') {
            self.bounds()
        } else if self.accept('+') {
            (1, None)
        } else if self.accept('*') {
            (0, None)
        } else if self.accept('?') {
            (0, Some(1))
        } else {
            (1, Some(1))
        };
        Ok(Repeated { item, low, high })
    }

    /// What stands in braces.
    fn bounds(&mut self) -> (u32, Option<u32>) {
        let low = self.number();
        let mut bounds = (low, Some(low));
        if self.accept(',') {
            while self.peek().is_some_and(char::is_whitespace) {
                self.at += 1;
            }
            bounds = match self.peek() {
                None | Some('}') => (low, None),
                Some(_) => {
                    let high = self.number();
                    (low.min(high), Some(low.max(high)))
                }
            };
        }
        self.accept('}');
        bounds
    }

    /// Text up to a quote; two quotes stand for one.
    fn literal(&mut self) -> Item {
        let mut text = String::new();
        while let Some(c) = self.take() {
            if c == '"' && !self.accept('"') {
                break;
            }
            text.push(c);
        }
        Item::Literal(text)
    }

    fn atom(&mut self) -> Item {
        match self.take() {
            Some('[') => self.choice(),
            Some('%') => Item::Literal(self.take().unwrap_or('%').to_string()),
            Some(c) => match CLASSES.iter().find(|row| row.0 == c) {
                Some((_, ranges)) => Item::Chosen(ranges.to_vec()),
                None => Item::Unknown,
            },
            None => Item::Unknown,
        }
    }

    /// Characters and ranges up to a bracket.
    fn choice(&mut self) -> Item {
        let mut ranges = Vec::new();
        while let Some(first) = self.take() {
            if first == ']' {
                break;
            }
            let first = if first == '%' { self.take().unwrap_or('%') } else { first };
            let mut last = first;
            if self.accept('-') {
                self.accept('%');
                last = self.take().unwrap_or(first);
            }
            ranges.push((first.min(last) as u32, first.max(last) as u32));
        }
        if ranges.is_empty() { Item::Unknown } else { Item::Chosen(ranges) }
    }
}

struct Writer<'a> {
    out: String,
    limit: usize,
    next: &'a mut dyn FnMut() -> u32,
}

impl Writer<'_> {
    /// A random number below a bound.
    fn below(&mut self, bound: u32) -> u32 {
        (u64::from((self.next)()) * u64::from(bound) >> 32) as u32
    }

    fn alternatives(&mut self, all: &[Vec<Repeated>]) -> Result<(), TemplateError> {
        let at = self.below(all.len() as u32) as usize;
        for part in all.get(at).into_iter().flatten() {
            match part.high {
                Some(high) => {
                    let span = u64::from(high - part.low) + 1;
                    let count = part.low + (u64::from((self.next)()) * span >> 32) as u32;
                    (0..count).try_for_each(|_| self.item(&part.item))?;
                }
                None => {
                    (0..part.low).try_for_each(|_| self.item(&part.item))?;
                    let mut more = 0;
                    while self.below(100) < GO_ON && more < MAX_UNBOUNDED {
                        self.item(&part.item)?;
                        more += 1;
                    }
                }
            }
        }
        Ok(())
    }

    fn item(&mut self, item: &Item) -> Result<(), TemplateError> {
        match item {
            Item::Literal(text) => self.out.push_str(text),
            Item::Unknown => {
                (self.next)();
            }
            Item::Chosen(ranges) => {
                let total: u32 = ranges.iter().map(|(low, high)| high - low + 1).sum();
                let mut at = self.below(total);
                for (low, high) in ranges {
                    if at <= high - low {
                        self.out.push(char::from_u32(low + at).unwrap_or(char::REPLACEMENT_CHARACTER));
                        break;
                    }
                    at -= high - low + 1;
                }
            }
            Item::Alternatives(all) => self.alternatives(all)?,
        }
        if self.out.len() > self.limit { Err(TemplateError::TooLong) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_zeros(template: &str) -> Result<String, TemplateError> {
        generate(template, 1000, &mut || 0)
    }

    #[test]
    fn parts_of_templates() {
        assert_eq!(with_zeros("[a-c]{3}\"x\"\"y\"%%").as_deref(), Ok("aaax\"y%"));
        assert_eq!(with_zeros("(A|d){2}-").as_deref(), Ok("AA"));
        assert_eq!(with_zeros(")a").as_deref(), Ok(""));
        assert_eq!(generate("a*", 1000, &mut || u32::MAX).as_deref(), Ok(""));
        assert_eq!(with_zeros(&"(".repeat(2000)), Err(TemplateError::TooDeep));
        assert_eq!(with_zeros("a{4000000000}"), Err(TemplateError::TooLong));
    }
}
