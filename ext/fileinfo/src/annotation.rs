//! The lines below a rule that add to it (`!:mime`, `!:ext`, `!:apple`, `!:strength`), and the formats in descriptions.

use crate::kind::{Shape, Shown};
use crate::rule::{Rule, until_nul};
use crate::scan::{self, is_space, spaces};

/// What a line adds to.
struct Field {
    name: &'static str,
    label: &'static str,
    size: usize,
    /// Is one byte kept free for the end?
    ends: bool,
    /// Characters besides letters and digits.
    characters: &'static [u8],
    of: fn(&mut Rule) -> &mut Box<[u8]>,
}

const FIELDS: [Field; 3] = [
    Field { name: "mime", label: "MIME", size: 80, ends: true, characters: b"+-/.$?:{}", of: |rule| &mut rule.mime },
    Field { name: "apple", label: "APPLE", size: 8, ends: false, characters: b"!+-./?", of: |rule| &mut rule.apple },
    Field {
        name: "ext",
        label: "EXTENSION",
        size: 64,
        ends: false,
        characters: b",!+-/@?_$&~",
        of: |rule| &mut rule.extensions,
    },
];

/// Adds what a line says, without its `!:`, to the last rule. The error: the line is wrong.
pub fn add(line: &[u8], entry: Option<&mut Vec<Rule>>, warnings: &mut Vec<Vec<u8>>) -> Result<(), ()> {
    if let Some(rest) = line.strip_prefix(b"strength") {
        let rule = entry.and_then(|rules| rules.first_mut()).ok_or(())?;
        return strength(rest, rule).map_err(|problem| warnings.push(problem));
    }
    let field = FIELDS.iter().find(|field| line.starts_with(field.name.as_bytes())).ok_or(())?;
    let rule = entry.and_then(|rules| rules.last_mut()).ok_or(())?;
    extra(field, &line[field.name.len()..], rule, warnings)
}

fn extra(field: &Field, line: &[u8], rule: &mut Rule, warnings: &mut Vec<Vec<u8>>) -> Result<(), ()> {
    let label = field.label;
    let has_description = !rule.description.is_empty();
    let place = (field.of)(rule);
    if !place.is_empty() {
        let before = format!("Current entry already has a {label} type `");
        warnings.push([before.as_bytes(), place, b"', new type `", line, b"'"].concat());
        return Err(());
    }
    if !has_description {
        let text = format!("Current entry does not yet have a description for adding a {label} type");
        warnings.push(text.into_bytes());
        return Err(());
    }
    let text = &line[spaces(line)..];
    let is_good = |byte: &u8| byte.is_ascii_alphanumeric() || field.characters.contains(byte);
    let length = text.iter().take(field.size).take_while(|byte| is_good(byte)).count();
    let start = |text: &str| [label.as_bytes(), b" type `", line, b"' ", text.as_bytes()].concat();
    match text.get(length) {
        Some(_) if length == field.size => warnings.push(start(&format!("truncated {length}"))),
        Some(&byte) if !is_space(byte) && !is_good(&byte) => {
            warnings.push([&start("has bad char '")[..], &[byte], b"'"].concat());
        }
        _ => {}
    }
    let kept = if field.ends { length.min(field.size - 1) } else { length };
    *place = until_nul(&text[..kept]).into();
    if length > 0 { Ok(()) } else { Err(()) }
}

/// Reads what changes the strength of a rule; the error is a warning.
fn strength(line: &[u8], rule: &mut Rule) -> Result<(), Vec<u8>> {
    if rule.factor_op != 0 {
        let text = format!("Current entry already has a strength type: {} {}", rule.factor_op as char, rule.factor);
        return Err(text.into_bytes());
    }
    if rule.kind().shape == Shape::Name {
        return Err([rule.text(), b": Strength setting is not supported in \"name\" magic entries"].concat());
    }
    let mut at = spaces(line);
    let operator = line.get(at).copied().unwrap_or(0);
    if !b"+-*/\0".contains(&operator) {
        return Err(format!("Unknown factor op `{}'", operator as char).into_bytes());
    }
    at += usize::from(operator != 0);
    at += spaces(&line[at..]);
    let number = &line[at..];
    let scanned = scan::unsigned(number, 0);
    if scanned.value > 255 {
        return Err(format!("Too large factor `{}'", scanned.value).into_bytes());
    }
    if number.get(scanned.end).is_some_and(|&byte| !is_space(byte)) {
        return Err([b"Bad factor `", number, b"'"].concat());
    }
    if scanned.value == 0 && operator == b'/' {
        return Err(b"Cannot have factor op `/' and factor 0".to_vec());
    }
    rule.factor_op = operator;
    rule.factor = scanned.value as u8;
    Ok(())
}

/// Skips digits; false: they are too many.
fn skip_digits(text: &[u8], at: &mut usize) -> bool {
    let digits = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = text[*at..*at + digits]
        .iter()
        .fold(0usize, |number, digit| number.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    *at += digits;
    digits <= 5 && number <= 1024
}

/// Says what is wrong with a format, after its percent sign.
pub fn format_problem(format: &[u8], shown: Shown, is_byte: bool) -> Option<&'static str> {
    const INVALID: Option<&str> = Some("not valid");
    const TOO_LONG: Option<&str> = Some("too long");
    let byte = |at: usize| format.get(at).copied().unwrap_or(0);
    if format.is_empty() {
        return Some("missing format spec");
    }
    let mut at = 0;
    match shown {
        Shown::Number | Shown::Quad => {
            at += format.iter().take_while(|byte| b"-.#".contains(byte)).count();
        }
        Shown::Float => {
            at += usize::from(byte(at) == b'-');
            at += usize::from(byte(at) == b'.');
        }
        Shown::Text | Shown::Nothing => at += usize::from(byte(at) == b'-'),
    }
    let fits = skip_digits(format, &mut at);
    at += usize::from(byte(at) == b'.');
    if !(skip_digits(format, &mut at) && fits) && shown != Shown::Text {
        return TOO_LONG;
    }
    if shown == Shown::Quad {
        if byte(at) != b'l' || byte(at + 1) != b'l' {
            return INVALID;
        }
        at += 2;
    }
    let is_good = match (shown, byte(at)) {
        (Shown::Number, b'c') => is_byte,
        (Shown::Number | Shown::Quad, b'i' | b'd' | b'u' | b'o' | b'x' | b'X') => true,
        (Shown::Float, b'e' | b'E' | b'f' | b'F' | b'g' | b'G') => true,
        (Shown::Text, b's') => true,
        _ => false,
    };
    if is_good { None } else { INVALID }
}
