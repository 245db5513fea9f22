//! The order of rules: those that say most come first.

use crate::kind::Shape;
use crate::rule::Rule;

/// What a byte of a test counts.
const UNIT: i64 = 10;

/// Characters of a regular expression that stand for themselves, and brackets; at least one.
fn plain_characters(pattern: &[u8]) -> i64 {
    let (mut count, mut at) = (0, 0);
    let skip_to = |at: usize, end: u8| {
        pattern[at..].iter().position(|&byte| byte == end).map_or(pattern.len(), |length| at + length)
    };
    while let Some(&byte) = pattern.get(at) {
        match byte {
            b'\\' => {
                at += usize::from(at + 1 < pattern.len());
                count += 1;
            }
            b'?' | b'*' | b'.' | b'+' | b'^' | b'$' => {}
            // The bracket at the end counts.
            b'[' => at = skip_to(at, b']') - 1,
            b'{' => at = skip_to(at, b'}').min(pattern.len() - 1),
            _ => count += 1,
        }
        at += 1;
    }
    count.max(1)
}

/// How much a rule says by itself.
fn own_strength(rule: &Rule) -> i64 {
    let kind = rule.kind();
    let length = i64::from(rule.length);
    let base = match kind.shape {
        Shape::Default => return 0,
        Shape::String | Shape::Pascal | Shape::Octal => length * UNIT,
        Shape::Wide => length * UNIT / 2,
        Shape::Search if length == 0 => 0,
        Shape::Search => length * (UNIT / length).max(1),
        Shape::Regex => {
            let count = plain_characters(rule.text());
            count * (UNIT / count).max(1)
        }
        Shape::Der => UNIT,
        Shape::Indirect | Shape::Name | Shape::Use | Shape::Clear | Shape::Invalid => 0,
        _ => kind.size as i64 * UNIT,
    };
    let base = base + 2 * UNIT;
    match rule.relation {
        b'x' | b'!' => 0,
        b'=' => base + UNIT,
        b'>' | b'<' => base - 2 * UNIT,
        b'^' | b'&' => base - UNIT,
        _ => base,
    }
}

/// How much a rule says, with what its file adds.
pub fn strength(rule: &Rule) -> i64 {
    let factor = i64::from(rule.factor);
    let own = own_strength(rule);
    let strength = match rule.factor_op {
        b'+' => own + factor,
        b'-' => own - factor,
        b'*' => own * factor,
        b'/' if factor != 0 => own / factor,
        _ => own,
    };
    strength.max(1) + i64::from(rule.description.is_empty())
}
