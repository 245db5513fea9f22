//! Lines of rules as text.

use crate::annotation;
use crate::compare::sign_extended;
use crate::kind::{self, Order, Shape, Shown, is_text};
use crate::pattern;
use crate::rule::{self, LONGEST, OPERATORS, Rule, trimmed};
use crate::scan::{self, is_space, spaces};
use crate::state::length_size;

/// The longest description.
const DESCRIPTION_MOST: usize = 63;
/// The range of a search that has none.
const DEFAULT_RANGE: u32 = 100;

/// The line is wrong; a warning says how, where there is one.
pub struct Wrong;

/// Reads the lines of a file.
#[derive(Default)]
pub struct Parser {
    /// The rules so far: each first-level one with those below it.
    pub entries: Vec<Vec<Rule>>,
    current: Option<Vec<Rule>>,
    pub warnings: Vec<Vec<u8>>,
    /// The last condition of each level.
    conditions: Vec<u8>,
    last_level: usize,
    /// Was a line wrong?
    pub failed: bool,
}

/// A line and the place in it.
struct Line<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Line<'a> {
    fn peek(&self) -> u8 {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> u8 {
        self.text.get(self.at + count).copied().unwrap_or(0)
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == byte;
        self.at += usize::from(is_there);
        is_there
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    fn skip_space(&mut self) {
        self.at += spaces(self.rest());
    }

    /// A signed number of 32 bits, if there is one.
    fn signed(&mut self) -> Option<i32> {
        let (value, end) = scan::signed(self.rest());
        self.at += end;
        (end > 0).then_some(value as i32)
    }

    /// The letters of a size that numbers may end in.
    fn skip_size(&mut self) {
        self.at += usize::from(self.peek() | 0x20 == b'u');
        self.at += usize::from(b"lshbc".contains(&(self.peek() | 0x20)));
    }
}

fn operator(byte: u8) -> Option<u8> {
    OPERATORS.iter().position(|&known| known == byte).map(|index| index as u8)
}

impl Parser {
    fn warn(&mut self, text: &str) {
        self.warnings.push(text.as_bytes().to_vec());
    }

    fn warn_of(&mut self, before: &str, text: &[u8], after: &str) {
        self.warnings.push([before.as_bytes(), text, after.as_bytes()].concat());
    }

    /// Reads all lines of a file.
    pub fn read(&mut self, data: &[u8]) {
        /// Longer lines are cut, as PHP's buffer does it.
        const LINE_MOST: usize = 8191;
        let (mut at, mut number) = (0, 0);
        while at < data.len() {
            let most = &data[at..data.len().min(at + LINE_MOST)];
            let length = most.iter().position(|&byte| byte == b'\n').map_or(most.len(), |end| end + 1);
            let line = &most[..length];
            at += length;
            let line = match line.strip_suffix(b"\n") {
                Some(line) => {
                    number += 1;
                    line
                }
                None => line,
            };
            if self.line(rule::until_nul(line), number).is_err() {
                self.failed = true;
            }
        }
        self.finish_entry();
    }

    fn finish_entry(&mut self) {
        self.entries.extend(self.current.take());
    }

    fn line(&mut self, text: &[u8], number: u32) -> Result<(), Wrong> {
        match text {
            [] | [b'#', ..] => Ok(()),
            [b'!', b':', rest @ ..] => {
                annotation::add(rest, self.current.as_mut(), &mut self.warnings).map_err(|()| Wrong)
            }
            _ => self.rule(text, number),
        }
    }

    fn level_condition(&mut self, level: usize) -> &mut u8 {
        if level >= self.conditions.len() {
            self.conditions.resize(level + 20, 0);
        }
        &mut self.conditions[level]
    }

    /// Reads a rule, which is added even if it is wrong.
    fn rule(&mut self, text: &[u8], number: u32) -> Result<(), Wrong> {
        let level = text.iter().take_while(|&&byte| byte == b'>').count();
        if level == 0 || level > self.last_level {
            *self.level_condition(level) = 0;
        }
        self.last_level = level;
        let mut rule = Rule { level: level.min(usize::from(u16::MAX)) as u16, line: number, ..Rule::default() };
        if level == 0 {
            self.finish_entry();
        } else {
            let Some(last) = self.current.as_ref().and_then(|rules| rules.last()) else { return Err(Wrong) };
            let above = last.level;
            if level > usize::from(above) + 1 {
                let text = format!("New continuation level {level} is more than one larger than current level {above}");
                self.warn(&text);
            }
        }
        let mut line = Line { text, at: level };
        let result = self.fields(&mut line, &mut rule);
        self.current.get_or_insert_default().push(rule);
        result
    }

    fn fields(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        self.offset(line, rule)?;
        line.skip_space();
        self.condition(line, rule)?;
        line.skip_space();
        self.kind(line, rule)?;
        self.modifiers(line, rule)?;
        line.skip_space();
        self.relation(line, rule)?;
        if rule.relation != b'x' {
            self.value(line, rule)?;
        }
        line.skip_space();
        if line.take(0x08) {
            rule.flags |= rule::NO_SPACE;
        } else if line.rest().starts_with(b"\\b") {
            line.at += 2;
            rule.flags |= rule::NO_SPACE;
        }
        let description = line.rest();
        rule.description = description[..description.len().min(DESCRIPTION_MOST)].into();
        if description.len() >= DESCRIPTION_MOST {
            self.warn_of("description `", &rule.description, "' truncated");
        }
        self.check_format(rule)
    }

    fn offset(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        if line.take(b'&') {
            rule.flags |= rule::RELATIVE;
        }
        if line.take(b'(') {
            rule.flags |= rule::INDIRECT;
            if rule.flags & rule::RELATIVE != 0 {
                rule.flags = rule.flags & !rule::RELATIVE | rule::INDIRECT_RELATIVE;
            }
            if line.take(b'&') {
                rule.flags |= rule::RELATIVE;
            }
        }
        if rule.level == 0 && rule.flags & (rule::RELATIVE | rule::INDIRECT_RELATIVE) != 0 {
            self.warn("relative offset at level 0");
            return Err(Wrong);
        }
        if line.take(b'-') {
            rule.flags |= rule::FROM_END;
        }
        let Some(offset) = line.signed() else {
            self.warn_of("offset `", line.rest(), "' invalid");
            return Err(Wrong);
        };
        rule.offset = offset;
        if rule.flags & rule::INDIRECT != 0 { self.indirection(line, rule) } else { Ok(()) }
    }

    fn indirection(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        rule.in_kind = kind::number("long");
        if matches!(line.peek(), b'.' | b',') {
            if line.peek() == b',' {
                rule.in_op |= rule::SIGNED;
            }
            line.at += 1;
            let name = match line.peek() {
                b'l' => "lelong",
                b'L' => "belong",
                b'm' => "melong",
                b'h' | b's' => "leshort",
                b'H' | b'S' => "beshort",
                b'c' | b'b' | b'C' | b'B' => "byte",
                b'e' | b'f' | b'g' => "ledouble",
                b'E' | b'F' | b'G' => "bedouble",
                b'i' => "leid3",
                b'I' => "beid3",
                b'o' => "octal",
                b'q' => "lequad",
                b'Q' => "bequad",
                other => {
                    self.warn_of("indirect offset type `", &[other], "' invalid");
                    return Err(Wrong);
                }
            };
            rule.in_kind = kind::number(name);
            line.at += 1;
        }
        if line.take(b'~') {
            rule.in_op |= rule::INVERSE;
        }
        if let Some(operator) = operator(line.peek()) {
            rule.in_op |= operator;
            line.at += 1;
        }
        let is_nested = line.take(b'(');
        if is_nested {
            rule.in_op |= rule::OPERAND_INDIRECT;
        }
        if line.peek().is_ascii_digit() || line.peek() == b'-' {
            let Some(offset) = line.signed() else {
                self.warn_of("in_offset `", line.rest(), "' invalid");
                return Err(Wrong);
            };
            rule.in_offset = offset;
        }
        if !line.take(b')') || is_nested && !line.take(b')') {
            self.warn("missing ')' in indirect offset");
            return Err(Wrong);
        }
        Ok(())
    }

    fn condition(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        let names = [("if", rule::IF), ("elif", rule::ELSE_IF), ("else", rule::ELSE)];
        let rest = line.rest();
        let is_it =
            |name: &str| rest.starts_with(name.as_bytes()) && rest.get(name.len()).is_some_and(|&byte| is_space(byte));
        let found = names.iter().find(|(name, _)| is_it(name));
        let (name, condition) = found.map_or(("", 0), |(name, condition)| (*name, *condition));
        line.at += name.len();
        rule.condition = condition;
        let last = self.level_condition(usize::from(rule.level));
        let (fits, next) = match condition {
            rule::IF => (matches!(*last, 0 | rule::ELSE_IF), rule::IF),
            rule::ELSE_IF => (matches!(*last, rule::IF | rule::ELSE_IF), rule::ELSE_IF),
            rule::ELSE => (matches!(*last, rule::IF | rule::ELSE_IF), 0),
            _ => (true, 0),
        };
        if !fits {
            self.warn(&format!("syntax error: `{name}'"));
            return Err(Wrong);
        }
        *last = next;
        Ok(())
    }

    fn kind(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        let known = |text: &[u8]| kind::KINDS.iter().position(|row| text.starts_with(row.name.as_bytes()));
        let is_unsigned = line.peek() == b'u';
        let found = known(&line.rest()[usize::from(is_unsigned).min(line.rest().len())..]);
        match found {
            Some(number) if number > 0 => {
                line.at += usize::from(is_unsigned) + kind::KINDS[number].name.len();
                rule.kind = number as u8;
            }
            _ if is_unsigned || line.peek() == b'd' => rule.kind = standard_integer(line),
            _ if line.peek() == b's' && !line.ahead(1).is_ascii_alphabetic() => {
                line.at += 1;
                rule.kind = kind::number("string");
            }
            _ => {}
        }
        if is_unsigned && rule.kind != 0 {
            rule.flags |= rule::UNSIGNED;
        }
        if rule.kind == 0 && is_unsigned {
            // A name that begins with the letter itself.
            if let Some(number) = known(line.rest()).filter(|number| *number > 0) {
                line.at += kind::KINDS[number].name.len();
                rule.kind = number as u8;
            }
        }
        if rule.kind == 0 {
            self.warn_of("type `", line.rest(), "' invalid");
            return Err(Wrong);
        }
        if rule.kind().shape == Shape::Name && rule.level != 0 {
            self.warn_of("`name", line.rest(), "' entries can only be declared at top level");
            return Err(Wrong);
        }
        Ok(())
    }

    fn modifiers(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        let shape = rule.kind().shape;
        if line.take(b'~') {
            if is_text(shape) {
                self.warn("'~' invalid for string types");
            } else {
                rule.mask_op |= rule::INVERSE;
            }
        }
        rule.set_text(0, if shape == Shape::Pascal { rule::LENGTH_1 } else { 0 });
        let Some(operator) = operator(line.peek()) else { return Ok(()) };
        if !is_text(shape) {
            line.at += 1;
            rule.mask_op |= operator;
            let scanned = scan::unsigned(line.rest(), 0);
            line.at += scanned.end;
            rule.mask = sign_extended(rule, scanned.value);
            line.skip_size();
            return Ok(());
        }
        if line.peek() != b'/' {
            self.warn_of("invalid string/indirect op: `", &[line.peek()], "'");
            return Err(Wrong);
        }
        if shape == Shape::Indirect { self.indirect_modifiers(line, rule) } else { self.text_modifiers(line, rule) }
    }

    fn indirect_modifiers(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        line.at += 1;
        while !is_space(line.peek()) {
            if !line.take(b'r') {
                self.warn_of("indirect modifier `", &[line.peek()], "' invalid");
                return Err(Wrong);
            }
            rule.set_text(rule.range(), rule.text_flags() | rule::REST_RELATIVE);
        }
        Ok(())
    }

    fn text_modifiers(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        let shape = rule.kind().shape;
        let is_pascal = shape == Shape::Pascal;
        let (mut range, mut flags, mut has_range) = (0, rule.text_flags(), false);
        line.at += 1;
        while !is_space(line.peek()) {
            let letter = line.peek();
            let length = |flags: u32, length: u32| flags & !rule::LENGTHS | length;
            flags = match letter {
                b'0'..=b'9' => {
                    if has_range {
                        self.warn("multiple ranges");
                    }
                    has_range = true;
                    let scanned = scan::unsigned(line.rest(), 0);
                    range = scanned.value as u32;
                    if range == 0 {
                        self.warn("zero range");
                    }
                    line.at += scanned.end.max(1) - 1;
                    flags
                }
                b'W' => flags | rule::COMPACT,
                b'w' => flags | rule::COMPACT_OPTIONAL,
                b'c' => flags | rule::FOLD_LOWER,
                b'C' => flags | rule::FOLD_UPPER,
                b's' => flags | rule::FROM_START,
                b'b' => flags | rule::FOR_BINARY,
                b't' => flags | rule::FOR_TEXT,
                b'T' => flags | rule::TRIM,
                b'f' => flags | rule::WHOLE_WORD,
                b'B' if is_pascal => length(flags, rule::LENGTH_1),
                b'H' if is_pascal => length(flags, rule::LENGTH_2_BIG),
                b'h' if is_pascal => length(flags, rule::LENGTH_2_LITTLE),
                b'L' if is_pascal => length(flags, rule::LENGTH_4_BIG),
                b'l' if is_pascal || shape == Shape::Regex => length(flags, rule::LENGTH_4_LITTLE),
                b'J' if is_pascal => flags | rule::LENGTH_COUNTS_ITSELF,
                other => {
                    self.warn_of("string modifier `", &[other], "' invalid");
                    return Err(Wrong);
                }
            };
            if line.ahead(1) == b'/' && !is_space(line.ahead(2)) {
                line.at += 1;
            }
            line.at += 1;
        }
        rule.set_text(range, flags);
        self.check_modifiers(rule)
    }

    fn check_modifiers(&mut self, rule: &mut Rule) -> Result<(), Wrong> {
        let (shape, flags) = (rule.kind().shape, rule.text_flags());
        let counts_lines = shape == Shape::Regex && flags & rule::COUNTS_LINES != 0;
        let problem = match shape {
            _ if !counts_lines && shape != Shape::Pascal && flags & rule::LENGTHS != 0 => {
                "'/BHhLl' modifiers are only allowed for pascal strings\n".to_owned()
            }
            Shape::Wide if flags != 0 => "no modifiers allowed for 16-bit strings\n".to_owned(),
            Shape::String | Shape::Pascal if flags & rule::FROM_START != 0 => {
                "'/s' only allowed on regex and search\n".to_owned()
            }
            Shape::Search if rule.range() == 0 => {
                rule.set_text(DEFAULT_RANGE, flags);
                format!("missing range; defaulting to {DEFAULT_RANGE}\n")
            }
            Shape::Regex if flags & rule::COMPACT != 0 => "'/W' not allowed on regex\n".to_owned(),
            Shape::Regex if flags & rule::COMPACT_OPTIONAL != 0 => "'/w' not allowed on regex\n".to_owned(),
            Shape::Wide | Shape::String | Shape::Pascal | Shape::Search | Shape::Regex => return Ok(()),
            _ => format!("coding error: m->type={}\n", rule.kind),
        };
        self.warn(&problem);
        Err(Wrong)
    }

    fn relation(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        rule.relation = b'=';
        match line.peek() {
            relation @ (b'>' | b'<') => {
                rule.relation = relation;
                line.at += 1;
                if line.peek() == b'=' {
                    self.warn(&format!("{}= not supported", relation as char));
                    return Err(Wrong);
                }
            }
            relation @ (b'&' | b'^' | b'=') => {
                rule.relation = relation;
                line.at += 1;
                line.take(b'=');
            }
            b'!' => {
                rule.relation = b'!';
                line.at += 1;
            }
            b'x' if line.ahead(1) == 0 || is_space(line.ahead(1)) => {
                rule.relation = b'x';
                line.at += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn value(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        match rule.kind().shape {
            Shape::Wide
            | Shape::String
            | Shape::Pascal
            | Shape::Regex
            | Shape::Search
            | Shape::Name
            | Shape::Use
            | Shape::Der
            | Shape::Octal => self.text_value(line, rule),
            Shape::Float => {
                let (number, end) = scan::float(line.rest());
                line.at += end;
                rule.value = trimmed(&(number as f32).to_le_bytes());
                Ok(())
            }
            Shape::Double => {
                let (number, end) = scan::float(line.rest());
                line.at += end;
                rule.value = trimmed(&number.to_le_bytes());
                Ok(())
            }
            Shape::Guid => {
                const LENGTH: usize = 36;
                rule.value = trimmed(&guid(line.rest()).ok_or(Wrong)?);
                line.at = (line.at + LENGTH).min(line.text.len());
                Ok(())
            }
            _ => self.number_value(line, rule),
        }
    }

    fn number_value(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        let kind = rule.kind();
        let scanned = scan::unsigned(line.rest(), 0);
        if scanned.end == 0 {
            self.warn_of("Unparsable number `", line.rest(), "'");
            return Err(Wrong);
        }
        rule.value = trimmed(&sign_extended(rule, scanned.value).to_le_bytes());
        if kind.size == 0 {
            self.warn(&format!("Expected numeric type got `{}'", kind.name));
            return Err(Wrong);
        }
        let mut number = scanned.value;
        let is_negative = line.rest().get(spaces(line.rest())) == Some(&b'-');
        if is_negative && number != u64::MAX {
            number = number.wrapping_neg();
        }
        let above = if kind.size >= 8 { 0 } else { u64::MAX << (8 * kind.size) };
        if number & above != 0 && number & above != above {
            self.warn(&format!("Overflow for numeric type `{}' value {number:#x}", kind.name));
            return Err(Wrong);
        }
        if !scanned.overflow {
            line.at += scanned.end;
            line.skip_size();
        }
        Ok(())
    }

    fn text_value(&mut self, line: &mut Line<'_>, rule: &mut Rule) -> Result<(), Wrong> {
        let Some((text, length)) = unescaped(line.rest()) else {
            let start = line.rest();
            self.warn_of("cannot get string from `", &start[..start.len().min(LONGEST - 1)], "'");
            return Err(Wrong);
        };
        line.at += length;
        rule.length = text.len() as u8;
        rule.value = trimmed(&text);
        match rule.kind().shape {
            Shape::Pascal => match length_size(rule) {
                Some(size) => rule.length = rule.length.wrapping_add(size as u8),
                None => return Err(Wrong),
            },
            Shape::Regex => {
                if let Some(problem) = pattern::problem(rule.text()) {
                    self.warn(&problem);
                    return Err(Wrong);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The format in a description must fit the kind.
    fn check_format(&mut self, rule: &Rule) -> Result<(), Wrong> {
        let kind = rule.kind();
        let Some(at) = rule.description.iter().position(|&byte| byte == b'%') else { return Ok(()) };
        let format = &rule.description[at + 1..];
        if kind.shown == Shown::Nothing {
            self.warn_of("No format string for `", &rule.description, &format!("' with description `{}'", kind.name));
            return Err(Wrong);
        }
        let problem = annotation::format_problem(format, kind.shown, kind.size == 1 && kind.order == Order::Native);
        if let Some(problem) = problem {
            let before = format!("Printf format is {problem} for type `{}' in description `", kind.name);
            self.warn_of(&before, &rule.description, "'");
            return Err(Wrong);
        }
        if format.contains(&b'%') {
            let before =
                format!("Too many format strings (should have at most one) for `{}' with description `", kind.name);
            self.warn_of(&before, &rule.description, "'");
            return Err(Wrong);
        }
        Ok(())
    }
}

/// The integer kinds of the Single UNIX Specification: `d` or `u`, and a size.
fn standard_integer(line: &mut Line<'_>) -> u8 {
    let (name, length) = match (line.ahead(1), line.ahead(2)) {
        (b'C', _) => ("byte", 2),
        (b'S', _) => ("short", 2),
        (b'I' | b'L', _) => ("long", 2),
        (b'Q', _) => ("quad", 2),
        (first, second) if first.is_ascii_digit() && second.is_ascii_digit() => return 0,
        (b'1', _) => ("byte", 2),
        (b'2', _) => ("short", 2),
        (b'4', _) => ("long", 2),
        (b'8', _) => ("quad", 2),
        (first, _) if first.is_ascii_alphanumeric() => return 0,
        _ => ("long", 1),
    };
    line.at += length;
    kind::number(name)
}

/// A value up to the next blank, with its escapes resolved, and the length that it has in the line. `None`: it is too long.
fn unescaped(source: &[u8]) -> Option<(Vec<u8>, usize)> {
    let (mut text, mut at) = (Vec::new(), 0);
    while let Some(&byte) = source.get(at).filter(|byte| !is_space(**byte)) {
        at += 1;
        if text.len() >= LONGEST - 1 {
            return None;
        }
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        let Some(&escaped) = source.get(at) else { break };
        at += 1;
        text.push(match escaped {
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'0'..=b'7' => {
                let more = source[at..].iter().take(2).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
                let digits = &source[at - 1..at + more];
                at += more;
                digits.iter().fold(0u32, |value, digit| value << 3 | u32::from(digit - b'0')) as u8
            }
            b'x' => {
                let more = source[at..].iter().take(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
                let digits = &source[at..at + more];
                at += more;
                let value = |digit: &u8| (*digit as char).to_digit(16).unwrap_or(0);
                if more == 0 { b'x' } else { digits.iter().fold(0, |sum, digit| sum << 4 | value(digit)) as u8 }
            }
            other => other,
        });
    }
    Some((text, at))
}

/// A GUID in its usual form.
fn guid(text: &[u8]) -> Option<[u8; 16]> {
    let mut at = 0;
    let mut digits = |most: usize| -> Option<u32> {
        let count = text.get(at..)?.iter().take(most).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let number = std::str::from_utf8(&text[at..at + count]).ok()?;
        at += count;
        // A hyphen may follow each group.
        at += usize::from(text.get(at) == Some(&b'-'));
        u32::from_str_radix(number, 16).ok()
    };
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&digits(8)?.to_le_bytes());
    for place in [4, 6] {
        bytes[place..place + 2].copy_from_slice(&(digits(4)? as u16).to_le_bytes());
    }
    for place in &mut bytes[8..] {
        *place = digits(2)? as u8;
    }
    Some(bytes)
}
