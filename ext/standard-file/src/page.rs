//! What a page says of itself: its `<meta>` tags, and the headers that it comes with.

use crate::contents::options;
use crate::stream::open;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("get_meta_tags(string $filename, bool $use_include_path = false): array|false", get_meta_tags),
    FnDef::new("get_headers(string $url, bool $associative = false, $context = null): array|false", get_headers),
];

/// A token of a tag's inside.
enum Token<'t> {
    Equals,
    /// A word, or a text in quotes.
    Word(&'t [u8]),
}

/// The first token and what follows it; `None` at the end of the tag's inside.
fn token(text: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let text = text.trim_ascii_start();
    let (&first, rest) = text.split_first()?;
    match first {
        b'=' => Some((Token::Equals, rest)),
        b'"' | b'\'' => {
            let end = rest.iter().position(|&byte| byte == first).unwrap_or(rest.len());
            Some((Token::Word(&rest[..end]), rest.get(end + 1..).unwrap_or_default()))
        }
        _ => {
            let end = text.iter().position(|byte| b"= \t\r\n\"'".contains(byte)).unwrap_or(text.len());
            Some((Token::Word(&text[..end]), &text[end..]))
        }
    }
}

/// An attribute of a tag.
fn attribute<'t>(tag: &'t [u8], wanted: &[u8]) -> Option<&'t [u8]> {
    let mut rest = tag;
    let mut name: &[u8] = b"";
    let mut after_equals = false;
    while let Some((token, tail)) = token(rest) {
        rest = tail;
        match token {
            Token::Equals => after_equals = true,
            Token::Word(word) if after_equals => {
                if name.eq_ignore_ascii_case(wanted) {
                    return Some(word);
                }
                after_equals = false;
            }
            Token::Word(word) => name = word,
        }
    }
    None
}

/// The inside of the tag that ends first, and what follows it. Even a bracket in quotes ends a tag, and another `<meta`
/// takes the place of the tag it is in. `None`: no tag ends any more.
fn inside(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|&byte| byte == b'>')?;
    let again = text[..end].windows(5).rposition(|part| part.eq_ignore_ascii_case(b"<meta"));
    Some((&text[again.map_or(0, |at| at + 1)..end], &text[end + 1..]))
}

/// A name as the key of an array.
fn key(name: &[u8]) -> Vec<u8> {
    let byte = |byte: &u8| if b".\\+*?[^]$() ".contains(byte) { b'_' } else { byte.to_ascii_lowercase() };
    name.iter().map(byte).collect()
}

fn get_meta_tags(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call, call.bool(1), usize::MAX)?;
    let Some(stream) = open::open(call.vm, &call.path(0)?, "rb", &options)? else { return Ok(Val::FALSE) };
    let page = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    let mut tags = PhpArr::new();
    let mut rest = &page[..];
    while let Some(start) = rest.iter().position(|&byte| byte == b'<') {
        let Some((tag, tail)) = inside(&rest[start + 1..]) else { break };
        rest = tail;
        let end = tag.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(tag.len());
        match &tag[..end].to_ascii_lowercase()[..] {
            b"/head" => break,
            b"meta" => {
                if let Some(name) = attribute(&tag[end..], b"name") {
                    let content = attribute(&tag[end..], b"content").unwrap_or_default();
                    tags.set_bytes(&key(name), Val::str(content));
                }
            }
            _ => {}
        }
    }
    Ok(tags.into())
}

fn get_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call, false, 2)?;
    let url = call.path(0)?;
    if url.is_empty() {
        return Err(call.vm.throw_value_error(b"Path must not be empty"));
    }
    if open::scheme(&url).is_none() {
        call.warning("This function may only be used against URLs")?;
        return Ok(Val::FALSE);
    }
    let Some(stream) = open::open(call.vm, &url, "r", &options)? else { return Ok(Val::FALSE) };
    let lines = stream.wrapper_data().and_then(Val::into_arr);
    stream.close(call.vm)?;
    let Some(lines) = lines else { return Ok(Val::FALSE) };
    if !call.bool(1) {
        return Ok(lines.into());
    }
    let mut headers = PhpArr::new();
    for line in lines.values().filter_map(Val::as_str) {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            let _ = headers.push(line.into());
            continue;
        };
        let (name, value) = (PhpStr::new(&line[..colon]), Val::str(line[colon + 1..].trim_ascii_start()));
        // A header that comes again makes a list.
        let value = match headers.get(Key::Str(&name)).cloned() {
            None => value,
            Some(earlier) => {
                let mut list = earlier.as_arr().cloned().unwrap_or_else(|| PhpArr::from_vec(vec![earlier]));
                let _ = list.push(value);
                list.into()
            }
        };
        headers.insert(Key::Str(&name), value);
    }
    Ok(headers.into())
}
