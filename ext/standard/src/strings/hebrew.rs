//! `hebrev`: Hebrew from the order of reading to the order on a page without bidirectional writing, in ISO 8859-8.

use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new("hebrev(string $string, int $max_chars_per_line = 0): string", hebrev)];

fn is_hebrew(byte: u8) -> bool {
    (0xe0..=0xfa).contains(&byte)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// The mirror image of a bracket or slash; other bytes stay.
fn mirrored(byte: u8) -> u8 {
    match byte {
        b'(' => b')',
        b')' => b'(',
        b'[' => b']',
        b']' => b'[',
        b'{' => b'}',
        b'}' => b'{',
        b'<' => b'>',
        b'>' => b'<',
        b'\\' => b'/',
        b'/' => b'\\',
        other => other,
    }
}

/// The whole text from its end to its start, but for the blocks that are not Hebrew.
fn reversed(text: &[u8]) -> Vec<u8> {
    let last = text.len() - 1;
    let after = |end: usize| text.get(end + 1).copied().unwrap_or(0);
    let mut backwards = Vec::with_capacity(text.len());
    let (mut start, mut end) = (0, 0);
    let mut hebrew = is_hebrew(text[0]);
    loop {
        if hebrew {
            let joins = |next: u8| is_hebrew(next) || is_blank(next) || next.is_ascii_punctuation();
            while end < last && joins(after(end)) {
                end += 1;
            }
            backwards.extend(text[start..end + 1].iter().map(|&byte| mirrored(byte)));
        } else {
            while end < last && !is_hebrew(after(end)) && after(end) != b'\n' {
                end += 1;
            }
            // Blanks and punctuation at the end belong to what follows.
            let is_loose = |byte: u8| (is_blank(byte) || byte.is_ascii_punctuation()) && byte != b'/' && byte != b'-';
            while end > start && is_loose(text[end]) {
                end -= 1;
            }
            backwards.extend(text[start..end + 1].iter().rev());
        }
        start = end + 1;
        hebrew = !hebrew;
        if end >= last {
            backwards.reverse();
            return backwards;
        }
    }
}

/// The lines of the reversed text from the last to the first, each at most so long (0: any length).
fn lines(mut text: Vec<u8>, longest: i64) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut end = text.len() - 1;
    let mut begin = end;
    loop {
        let mut count = 0;
        while (longest == 0 || count < longest) && begin > 0 {
            count += 1;
            begin -= 1;
            if is_newline(text[begin]) {
                while begin > 0 && is_newline(text[begin - 1]) {
                    begin -= 1;
                    count += 1;
                }
                break;
            }
        }
        // Words stay whole where they can.
        if longest >= 0 && count == longest {
            let line = &text[begin..(begin + count as usize).min(text.len())];
            if let Some(skipped) = line.iter().position(|&byte| is_blank(byte)) {
                begin += skipped;
            }
        }
        if is_blank(text[begin]) {
            text[begin] = b'\n';
        }
        let line = &text[begin..=end];
        let newlines = line.iter().take_while(|&&byte| is_newline(byte)).count();
        out.extend_from_slice(&line[newlines..]);
        out.extend_from_slice(&line[..newlines]);
        if begin == 0 {
            return out;
        }
        begin -= 1;
        end = begin;
    }
}

fn hebrev(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if text.is_empty() {
        return Ok("".into());
    }
    // A line has at least one character, or none would ever be done.
    Ok(lines(reversed(&text), call.int(1)).into())
}
