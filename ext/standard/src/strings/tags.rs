//! `strip_tags`.

use phlox_runtime::{Call, FnDef, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("strip_tags(string $string, array|string|null $allowed_tags = null): string", strip_tags).quick(
        |args| {
            // Without brackets there is nothing to strip.
            let [text] = args else { return None };
            let text = text.as_str()?;
            (!text.iter().any(|byte| matches!(byte, b'<' | b'>' | 0))).then(|| text.into())
        },
    )];

fn strip_tags(call: &mut Call<'_>) -> PhpResult<Val> {
    let allowed = call.arg(1);
    let mut names: Vec<Vec<u8>> = Vec::new();
    match allowed.view() {
        View::Arr(list) => {
            for name in list.values() {
                names.push(convert::to_str(call.vm, name)?.to_ascii_lowercase());
            }
        }
        View::Str(list) => {
            let tags = list.split(|&b| b == b'<').skip(1);
            names.extend(tags.map(|tag| tag_name(tag.split(|&b| b == b'>').next().unwrap_or(tag))));
        }
        _ => {}
    }
    Ok(strip(&call.str(0), &names, false).into())
}

/// The name of a tag between `<` and `>`: lower case, without the slashes of closing and empty tags.
fn tag_name(body: &[u8]) -> Vec<u8> {
    let body = body.strip_prefix(b"/").unwrap_or(body);
    let end = body.iter().position(|b| b.is_ascii_whitespace() || matches!(b, b'>')).unwrap_or(body.len());
    let name = &body[..end];
    name.strip_suffix(b"/").unwrap_or(name).to_ascii_lowercase()
}

/// What the text being read is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Text,
    /// `<tag ...>`
    Tag,
    /// `<? ... >`
    Code,
    /// `<!...>`
    Declaration,
    /// `<!-- ... -->`
    Comment,
}

/// Removes tags, comments and PHP code; tags with an allowed name stay. `spaced`: white space may follow the bracket.
pub fn strip(text: &[u8], allowed: &[Vec<u8>], spaced: bool) -> Vec<u8> {
    let is_space = |at: usize| !spaced && text.get(at).is_some_and(u8::is_ascii_whitespace);
    let mut out = Vec::with_capacity(text.len());
    let mut inside = Inside::Text;
    let (mut quote, mut depth) = (0u8, 0u32);
    // The tag being read, without brackets nested in it.
    let mut tag = Vec::new();
    let mut parens = 0i32;
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        match inside {
            Inside::Text => match byte {
                b'<' if is_space(at + 1) => out.push(byte),
                b'<' => {
                    inside = Inside::Tag;
                    (quote, depth, parens) = (0, 0, 0);
                    tag = vec![b'<'];
                    if let Some(next) = text.get(at + 1) {
                        inside = match next {
                            // An XML declaration is no PHP code.
                            b'?' if text[at..].len() >= 5 && text[at..at + 5].eq_ignore_ascii_case(b"<?xml") => {
                                Inside::Tag
                            }
                            b'?' => Inside::Code,
                            b'!' if text[at..].starts_with(b"<!--") => Inside::Comment,
                            b'!' => Inside::Declaration,
                            _ => Inside::Tag,
                        };
                        if inside == Inside::Comment {
                            at += 3;
                        }
                    }
                }
                0 => {}
                _ => out.push(byte),
            },
            Inside::Tag | Inside::Code | Inside::Declaration => match byte {
                b'"' | b'\'' if inside == Inside::Code && text[at - 1] == b'\\' => {}
                b'"' | b'\'' => {
                    if quote == byte {
                        quote = 0;
                    } else if quote == 0 {
                        quote = byte;
                    }
                    tag.push(byte);
                }
                b'<' if quote == 0 && inside == Inside::Tag && !is_space(at + 1) => depth += 1,
                b'(' if quote == 0 && inside == Inside::Code => parens += 1,
                b')' if quote == 0 && inside == Inside::Code => parens -= 1,
                b'>' if depth > 0 && quote == 0 => depth -= 1,
                b'>' if quote == 0 => {
                    let ends = match inside {
                        Inside::Code => parens <= 0 && text[at - 1] == b'?',
                        // An arrow in code that looks like an XML declaration.
                        Inside::Tag => {
                            !(tag.len() >= 4 && tag[..4].eq_ignore_ascii_case(b"<?xm") && text[at - 1] == b'-')
                        }
                        _ => true,
                    };
                    if ends {
                        if inside == Inside::Tag && !allowed.is_empty() && allowed.contains(&tag_name(&tag[1..])) {
                            tag.push(b'>');
                            out.append(&mut tag);
                        }
                        inside = Inside::Text;
                    }
                }
                _ => tag.push(byte),
            },
            Inside::Comment => {
                if byte == b'>' && at >= 2 && &text[at - 2..at] == b"--" {
                    inside = Inside::Text;
                }
            }
        }
        at += 1;
    }
    out
}
