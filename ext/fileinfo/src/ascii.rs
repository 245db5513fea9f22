//! What is said of texts: encoding, length and ends of lines.

use crate::encoding::{self, Encoding};
use crate::input::{Bytes, Input};
use crate::output::{APPLE, CONTINUE, Done, EXTENSION, MIME, MIME_TYPE, NO_SOFT, Output};
use crate::rule::Rules;
use crate::soft;
use std::rc::Rc;

/// The longest line that is nothing special.
const LONGEST_LINE: usize = 300;

/// What the lines of a text are like.
#[derive(Default)]
struct Lines {
    crlf: usize,
    cr: usize,
    lf: usize,
    next_line: usize,
    longest: usize,
    has_escapes: bool,
    has_backspaces: bool,
}

fn look(characters: &[u32]) -> Lines {
    let mut lines = Lines::default();
    // The end of the last line; before the first one it is one below the first character.
    let mut last_end = usize::MAX;
    let mut after_return = false;
    for (at, &character) in characters.iter().enumerate() {
        match character {
            0x0a => {
                if after_return {
                    lines.crlf += 1;
                } else {
                    lines.lf += 1;
                }
                last_end = at;
            }
            _ if after_return => lines.cr += 1,
            _ => {}
        }
        after_return = character == 0x0d;
        if after_return {
            last_end = at;
        }
        if character == 0x85 {
            lines.next_line += 1;
            last_end = at;
        }
        if at > last_end.wrapping_add(LONGEST_LINE) {
            lines.longest = lines.longest.max(at.wrapping_sub(last_end));
        }
        lines.has_escapes |= character == 0x1b;
        lines.has_backspaces |= character == 0x08;
    }
    lines
}

fn without_nuls(data: &[u8]) -> usize {
    let mut length = data.len();
    while length > 1 && data[length - 1] == 0 {
        length -= 1;
    }
    length
}

/// Says what is to be said of a text; false: the file is none.
pub fn describe(out: &mut Output, sets: &[Rc<Rules>], input: &Input<'_>, looks_text: bool) -> Done<bool> {
    let data = &input.data[..];
    let mut length = without_nuls(data);
    // The last character of UTF-16 may end in a NUL.
    if length % 2 == 1 && data.len() % 2 == 0 {
        length += 1;
    }
    let data = &data[..length.min(data.len())];
    let encoding = encoding::detect(data);
    if !encoding.is_text || without_nuls(data) <= 1 {
        return Ok(false);
    }
    let (mut found, mut separates) = (false, false);
    if !encoding.characters.is_empty() && !out.has(NO_SOFT) {
        let Some(text) = encoding::to_utf8(&encoding.characters) else { return Ok(false) };
        let text = Input::new(Bytes::Borrowed(&text), input.origin);
        // Rules that cannot be tried to their end are as good as none, but what they wrote stays.
        let result = soft::run(out, sets, &text, true, looks_text);
        separates = !matches!(result, Ok(false));
        found = matches!(result, Ok(true));
    }
    if out.has(APPLE | EXTENSION) {
        return Ok(found);
    }
    if out.has(MIME) {
        describe_mime(out, separates)?;
    } else {
        describe_text(out, &encoding)?;
    }
    Ok(true)
}

fn describe_mime(out: &mut Output, separates: bool) -> Done<()> {
    if !out.has(MIME_TYPE) {
        return Ok(());
    }
    if out.written() > 0 {
        if !out.has(CONTINUE) {
            return Ok(());
        }
        if separates {
            out.separate()?;
        }
    }
    out.print(b"text/plain")
}

fn describe_text(out: &mut Output, encoding: &Encoding) -> Done<()> {
    let lines = look(&encoding.characters);
    let mut executable = false;
    if out.written() > 0 && !out.replace_endings(b" text", b", ") {
        executable = out.replace_endings(b" text executable", b", ");
        if !executable {
            out.print(b", ")?;
        }
    }
    out.print(encoding.name.as_bytes())?;
    out.print(b" text")?;
    if executable {
        out.print(b" executable")?;
    }
    if lines.longest > 0 {
        out.print(format!(", with very long lines ({})", lines.longest).as_bytes())?;
    }
    describe_ends(out, &lines)?;
    if lines.has_escapes {
        out.print(b", with escape sequences")?;
    }
    if lines.has_backspaces {
        out.print(b", with overstriking")?;
    }
    Ok(())
}

/// Names the ends of lines, unless all are the usual ones.
fn describe_ends(out: &mut Output, lines: &Lines) -> Done<()> {
    let kinds = [(" CRLF", lines.crlf), (" CR", lines.cr), (" LF", lines.lf), (" NEL", lines.next_line)];
    let there: Vec<&str> = kinds.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
    let text = match &there[..] {
        [] => " no".to_owned(),
        [" LF"] => return Ok(()),
        there => there.join(","),
    };
    out.print(format!(", with{text} line terminators").as_bytes())
}
