//! Comparing strings: exactly, naturally, by sound and by similarity. The first five belong to "Core".

use phlox_ext_standard_array::natural;
use phlox_runtime::{Call, FnDef, PhpResult, Val};
use std::cmp::Ordering;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("strcoll(string $string1, string $string2): int", strcoll),
    FnDef::new("strnatcmp(string $string1, string $string2): int", strnatcmp)
        .fast_path(|args| of_two(args, |a, b| natural::compare(a, b, false) as i64)),
    FnDef::new("strnatcasecmp(string $string1, string $string2): int", strnatcasecmp)
        .fast_path(|args| of_two(args, |a, b| natural::compare(a, b, true) as i64)),
    FnDef::new("similar_text(string $string1, string $string2, &$percent = null): int", similar_text)
        .fast_path(|args| of_two(args, |a, b| common_bytes(a, b) as i64)),
    FnDef::new(
        "levenshtein(string $string1, string $string2, int $insertion_cost = 1, int $replacement_cost = 1, int $deletion_cost = 1): int",
        levenshtein,
    ),
    FnDef::new("soundex(string $string): string", soundex),
    FnDef::new("metaphone(string $string, int $max_phonemes = 0): string", metaphone),
];

/// The string functions of the extension "Core".
pub const CORE_FUNCTIONS: &[FnDef] = &[
    FnDef::new("strlen(string $string): int", strlen)
        .fast_path(|args| Some(Val::int(args.first()?.as_str()?.len() as i64))),
    FnDef::new("strcmp(string $string1, string $string2): int", strcmp).fast_path(|args| of_two(args, difference)),
    FnDef::new("strncmp(string $string1, string $string2, int $length): int", strncmp)
        .fast_path(|args| of_prefixes(args, difference)),
    FnDef::new("strcasecmp(string $string1, string $string2): int", strcasecmp)
        .fast_path(|args| of_two(args, folded_difference)),
    FnDef::new("strncasecmp(string $string1, string $string2, int $length): int", strncasecmp)
        .fast_path(|args| of_prefixes(args, folded_difference)),
];

fn of_two(args: &[Val], compare: fn(&[u8], &[u8]) -> i64) -> Option<Val> {
    let [a, b] = args else { return None };
    Some(Val::int(compare(a.as_str()?, b.as_str()?)))
}

fn of_prefixes(args: &[Val], compare: fn(&[u8], &[u8]) -> i64) -> Option<Val> {
    let [a, b, length] = args else { return None };
    let length = usize::try_from(length.as_int()?).ok()?;
    Some(Val::int(compare(prefix(a.as_str()?, length), prefix(b.as_str()?, length))))
}

fn prefix(text: &[u8], length: usize) -> &[u8] {
    &text[..text.len().min(length)]
}

fn strlen(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(call.str(0).len() as i64))
}

fn order_value(order: Ordering) -> PhpResult<Val> {
    Ok(Val::int(order as i64))
}

/// The result of the comparison functions: the difference of the first bytes that differ, otherwise -1, 0 or 1 by
/// length.
pub(super) fn difference(a: &[u8], b: &[u8]) -> i64 {
    const WORD: usize = 8;
    let equal_words = a.chunks_exact(WORD).zip(b.chunks_exact(WORD)).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[equal_words * WORD..], &b[equal_words * WORD..]);
    match rest_a.iter().zip(rest_b).find(|(x, y)| x != y) {
        Some((x, y)) => i64::from(*x) - i64::from(*y),
        None => a.len().cmp(&b.len()) as i64,
    }
}

/// The difference of the first bytes that differ when ASCII letters are in lower case; otherwise -1, 0 or 1 by length.
pub(super) fn folded_difference(a: &[u8], b: &[u8]) -> i64 {
    let pairs = a.iter().zip(b).map(|(x, y)| (x.to_ascii_lowercase(), y.to_ascii_lowercase()));
    match pairs.into_iter().find(|(x, y)| x != y) {
        Some((x, y)) => i64::from(x) - i64::from(y),
        None => a.len().cmp(&b.len()) as i64,
    }
}

fn strcmp(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(difference(&call.str(0), &call.str(1))))
}

fn strcasecmp(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(folded_difference(&call.str(0), &call.str(1))))
}

fn strcoll(call: &mut Call<'_>) -> PhpResult<Val> {
    // The result is the difference of the first bytes that differ, as the C library gives it.
    let (one, other) = (call.str(0), call.str(1));
    let at = |text: &[u8], index: usize| i64::from(text.get(index).copied().unwrap_or(0));
    let same = one.iter().zip(other.iter()).take_while(|(one, other)| one == other && **one != 0).count();
    Ok(Val::int(at(&one, same) - at(&other, same)))
}

fn compare_prefixes(call: &Call<'_>, compare: fn(&[u8], &[u8]) -> i64) -> PhpResult<Val> {
    let Ok(length) = usize::try_from(call.int(2)) else {
        return Err(call.value_error(2, "must be greater than or equal to 0"));
    };
    Ok(Val::int(compare(prefix(&call.str(0), length), prefix(&call.str(1), length))))
}

fn strncmp(call: &mut Call<'_>) -> PhpResult<Val> {
    compare_prefixes(call, difference)
}

fn strncasecmp(call: &mut Call<'_>) -> PhpResult<Val> {
    compare_prefixes(call, folded_difference)
}

fn strnatcmp(call: &mut Call<'_>) -> PhpResult<Val> {
    order_value(natural::compare(&call.str(0), &call.str(1), false))
}

fn strnatcasecmp(call: &mut Call<'_>) -> PhpResult<Val> {
    order_value(natural::compare(&call.str(0), &call.str(1), true))
}

fn similar_text(call: &mut Call<'_>) -> PhpResult<Val> {
    let (a, b) = (call.str(0), call.str(1));
    let similar = common_bytes(&a, &b);
    if call.was_passed(2) {
        let total = a.len() + b.len();
        let percent = if total == 0 { 0.0 } else { similar as f64 * 2.0 * 100.0 / total as f64 };
        call.assign(2, Val::double(percent))?;
    }
    Ok(Val::int(similar as i64))
}

/// Length of the longest common run, plus what the parts before and after it have in common.
fn common_bytes(a: &[u8], b: &[u8]) -> usize {
    let mut total = 0;
    let mut parts = vec![(a, b)];
    while let Some((a, b)) = parts.pop() {
        let (mut best, mut at_a, mut at_b) = (0, 0, 0);
        for i in 0..a.len() {
            if a.len() - i <= best {
                break;
            }
            for j in 0..b.len() {
                if b.len() - j <= best {
                    break;
                }
                let run = a[i..].iter().zip(&b[j..]).take_while(|(x, y)| x == y).count();
                if run > best {
                    (best, at_a, at_b) = (run, i, j);
                }
            }
        }
        if best > 0 {
            total += best;
            parts.push((&a[..at_a], &b[..at_b]));
            parts.push((&a[at_a + best..], &b[at_b + best..]));
        }
    }
    total
}

fn levenshtein(call: &mut Call<'_>) -> PhpResult<Val> {
    let (a, b) = (call.str(0), call.str(1));
    let (insertion, replacement, deletion) = (call.int(2), call.int(3), call.int(4));
    if a.is_empty() {
        return Ok(Val::int((b.len() as i64).wrapping_mul(insertion)));
    }
    if b.is_empty() {
        return Ok(Val::int((a.len() as i64).wrapping_mul(deletion)));
    }
    let mut row: Vec<i64> = (0..=b.len() as i64).map(|count| count.wrapping_mul(insertion)).collect();
    for x in a.iter() {
        // The row is overwritten from the left: `diagonal` is what stood where the last cost was written.
        let mut diagonal = row[0];
        row[0] = diagonal.wrapping_add(deletion);
        let mut left = row[0];
        for (cost, y) in row[1..].iter_mut().zip(b.iter()) {
            let replaced = diagonal.wrapping_add(if x == y { 0 } else { replacement });
            let deleted = cost.wrapping_add(deletion);
            diagonal = *cost;
            left = replaced.min(deleted).min(left.wrapping_add(insertion));
            *cost = left;
        }
    }
    Ok(Val::int(row[b.len()]))
}

/// Soundex code of each letter; 0: skipped, b'-': skipped and does not separate equal codes (H, W).
const SOUNDEX: [u8; 26] = *b"01230120022455012623010202";

fn soundex(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut code = Vec::with_capacity(4);
    let mut last = 0;
    for letter in call.str(0).iter().map(u8::to_ascii_uppercase).filter(u8::is_ascii_uppercase) {
        let class = SOUNDEX[(letter - b'A') as usize];
        if code.is_empty() {
            code.push(letter);
            last = class;
        } else if matches!(letter, b'H' | b'W') {
            continue;
        } else {
            if class != last && class != b'0' {
                code.push(class);
            }
            last = class;
        }
        if code.len() == 4 {
            break;
        }
    }
    code.resize(4, b'0');
    Ok(code.into())
}

fn metaphone(call: &mut Call<'_>) -> PhpResult<Val> {
    let limit = call.int(1);
    if limit < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    let limit = if limit == 0 { usize::MAX } else { limit as usize };
    // The algorithm is one of C's, whose texts end at a zero.
    let word = call.str(0);
    let word = word.split(|&byte| byte == 0).next().unwrap_or_default();
    Ok(super::metaphone::metaphone(word, limit).into())
}
