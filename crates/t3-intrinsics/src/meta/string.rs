//! string: immutable text. Positions count characters from 1, negative ones from the end.

use phlox_t3_library::case::{folded, title};
use phlox_t3_library::digest;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

use super::string_find as find;
use crate::bif::pack;

pub(crate) static METHODS: &[Method] = methods! {
    length 0 0 => length,
    substr 1 2 => substr,
    toUpper 0 0 => to_upper,
    toLower 0 0 => to_lower,
    find 1 2 => find::find,
    toUnicode 0 1 => to_unicode,
    htmlify 0 1 => htmlify,
    startsWith 1 1 => starts_with,
    endsWith 1 1 => ends_with,
    mapToByteArray 0 1 => super::bytearray::map_string,
    findReplace 2 5 => find::find_replace,
    splice 2 3 => splice,
    split 0 2 => find::split,
    specialsToHtml 0 1 => super::string_html::specials_to_html,
    specialsToText 0 1 => super::string_html::specials_to_text,
    urlEncode 0 0 => url_encode,
    urlDecode 0 0 => url_decode,
    sha256 0 0 => sha256,
    digestMD5 0 0 => digest_md5,
    packBytes 1 any => pack::pack_string,
    unpackBytes 1 1 => pack::unpack_string,
    toTitleCase 0 0 => to_title_case,
    toFoldedCase 0 0 => to_folded_case,
    compareTo 1 1 => compare_to,
    compareIgnoreCase 1 1 => compare_ignore_case,
    findLast 1 2 => find::find_last,
    findAll 1 2 => find::find_all,
    match 1 2 => find::match_at,
};

fn this(vm: &Vm, args: Args) -> Run<Text> {
    vm.want_text(args.this)
}

fn length(vm: &mut Vm, args: Args) -> Run<Value> {
    match vm.heap.text(args.this) {
        Some(text) => Ok(Value::Int(text.chars_len() as i32)),
        None => fail(error::STRING_VAL_REQD),
    }
}

fn substr(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    let len = text.chars_len() as i64;
    let start = i64::from(vm.want_int(args.get(vm, 0))?);
    let start = match start {
        1.. => (start - 1).min(len),
        0 => 0,
        _ => (len + start).max(0),
    };
    let count = match args.count {
        2 => {
            let count = i64::from(vm.want_int(args.get(vm, 1))?);
            if count >= 0 { count } else { (len - start + count).max(0) }
        }
        _ => len,
    };
    let part = text.sub(start as usize, count as usize);
    Ok(vm.heap.new_text(part))
}

fn to_upper(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?.to_uppercase();
    Ok(vm.heap.new_text(text))
}

fn to_lower(vm: &mut Vm, args: Args) -> Run<Value> {
    let text: String = this(vm, args)?.chars().flat_map(char::to_lowercase).collect();
    Ok(vm.heap.new_text(text))
}

fn to_title_case(vm: &mut Vm, args: Args) -> Run<Value> {
    let text: String = this(vm, args)?.chars().map(title).collect();
    Ok(vm.heap.new_text(text))
}

fn to_folded_case(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = folded(&this(vm, args)?);
    Ok(vm.heap.new_text(text))
}

fn to_unicode(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    if args.count == 0 {
        let codes: Vec<Value> = text.chars().map(|c| Value::Int(c as i32)).collect();
        return Ok(vm.heap.new_list(codes));
    }
    let at = i64::from(vm.want_int(args.get(vm, 0))?);
    let at = if at < 0 { at + text.chars_len() as i64 } else { at - 1 };
    let c = usize::try_from(at).ok().and_then(|at| text.sub(at, 1).chars().next());
    Ok(c.map_or(Value::Nil, |c| Value::Int(c as i32)))
}

/// htmlify: keep runs of spaces.
const KEEP_SPACES: i32 = 1;
/// htmlify: keep line ends.
const KEEP_NEWLINES: i32 = 2;
/// htmlify: keep tabs.
const KEEP_TABS: i32 = 4;

fn htmlify(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    let flags = match args.count {
        0 => 0,
        _ => vm.want_int(args.get(vm, 0))?,
    };
    let mut out = String::with_capacity(text.len() + 8);
    let mut after_space = false;
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            ' ' if after_space && flags & KEEP_SPACES != 0 => out.push_str("&nbsp;"),
            '\t' if flags & KEEP_TABS != 0 => out.push_str("<tab>"),
            '\n' | '\u{2028}' if flags & KEEP_NEWLINES != 0 => out.push_str("<br>"),
            c => out.push(c),
        }
        after_space = matches!(c, ' ' | '\t' | '\n' | '\u{2028}');
    }
    Ok(vm.heap.new_text(out))
}

fn starts_with(vm: &mut Vm, args: Args) -> Run<Value> {
    let (text, other) = (this(vm, args)?, vm.want_text(args.get(vm, 0))?);
    Ok(Value::truth(text.starts_with(&*other)))
}

fn ends_with(vm: &mut Vm, args: Args) -> Run<Value> {
    let (text, other) = (this(vm, args)?, vm.want_text(args.get(vm, 0))?);
    Ok(Value::truth(text.ends_with(&*other)))
}

fn splice(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    let len = text.chars_len() as i64;
    let start = i64::from(vm.want_int(args.get(vm, 0))?);
    let start = (if start < 0 { start + len } else { start - 1 }).clamp(0, len);
    let delete = i64::from(vm.want_int(args.get(vm, 1))?).clamp(0, len - start);
    let insert = match args.given(vm, 2) {
        Some(value) => vm.display_text(value)?,
        None => Text::from(""),
    };
    let (from, to) = (text.byte_of(start as usize), text.byte_of((start + delete) as usize));
    let out = format!("{}{}{}", &text[..from], &*insert, &text[to..]);
    Ok(vm.heap.new_text(out))
}

fn url_encode(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => out.push(byte as char),
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(vm.heap.new_text(out))
}

fn url_decode(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at).and_then(|byte| (*byte as char).to_digit(16));
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match (byte, hex(at), hex(at + 1)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', ..) => out.push(b' '),
            (byte, ..) => out.push(*byte),
        }
    }
    Ok(vm.heap.new_text(String::from_utf8_lossy(&out).into_owned()))
}

fn sha256(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    Ok(vm.heap.new_text(digest::sha256(text.as_bytes())))
}

fn digest_md5(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = this(vm, args)?;
    Ok(vm.heap.new_text(digest::md5(text.as_bytes())))
}

fn compare_to(vm: &mut Vm, args: Args) -> Run<Value> {
    let (text, other) = (this(vm, args)?, vm.want_text(args.get(vm, 0))?);
    Ok(Value::Int(difference(&text, &other)))
}

fn compare_ignore_case(vm: &mut Vm, args: Args) -> Run<Value> {
    let (text, other) = (this(vm, args)?, vm.want_text(args.get(vm, 0))?);
    let (text, other) = (folded(&text), folded(&other));
    let differ = text.chars().zip(other.chars()).any(|(a, b)| a != b);
    Ok(Value::Int(if differ { difference(&text, &other) } else { text.len().cmp(&other.len()) as i32 }))
}

/// The difference of the first characters in which texts differ, or that of their lengths.
fn difference(text: &str, other: &str) -> i32 {
    match text.chars().zip(other.chars()).find(|(a, b)| a != b) {
        Some((a, b)) => a as i32 - b as i32,
        None => text.len() as i32 - other.len() as i32,
    }
}
