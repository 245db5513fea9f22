//! Upper and lower case (ASCII, whatever the locale).

use super::words::char_mask;
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("strtolower(string $string): string", strtolower).fast_path(|args| Some(lower(args.first()?.as_str()?))),
    FnDef::new("strtoupper(string $string): string", strtoupper).fast_path(|args| Some(upper(args.first()?.as_str()?))),
    FnDef::new("ucfirst(string $string): string", ucfirst)
        .fast_path(|args| Some(map_first(args.first()?.as_str()?, u8::to_ascii_uppercase))),
    FnDef::new("lcfirst(string $string): string", lcfirst)
        .fast_path(|args| Some(map_first(args.first()?.as_str()?, u8::to_ascii_lowercase))),
    FnDef::new("ucwords(string $string, string $separators = \" \\t\\r\\n\\f\\v\"): string", ucwords).fast_path(
        |args| match args {
            [text] => Some(capitalised(text.as_str()?, |byte| matches!(byte, b' ' | b'\t'..=b'\r'))),
            _ => None,
        },
    ),
];

/// The string with every byte for which `changes` holds replaced; the same string if there is none.
#[inline]
fn map_bytes(text: &PhpStr, changes: impl Fn(&u8) -> bool, map: impl Fn(&u8) -> u8) -> Val {
    if !text.iter().any(changes) {
        return text.into();
    }
    PhpStr::build(text.len(), |out| out.iter_mut().zip(text.iter()).for_each(|(to, from)| *to = map(from))).into()
}

fn lower(text: &PhpStr) -> Val {
    map_bytes(text, u8::is_ascii_uppercase, u8::to_ascii_lowercase)
}

fn upper(text: &PhpStr) -> Val {
    map_bytes(text, u8::is_ascii_lowercase, u8::to_ascii_uppercase)
}

fn strtolower(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(lower(&call.str(0)))
}

fn strtoupper(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(upper(&call.str(0)))
}

fn map_first(text: &PhpStr, map: fn(&u8) -> u8) -> Val {
    match text.as_bytes() {
        [first, rest @ ..] if map(first) != *first => PhpStr::concat(&[&[map(first)], rest]).into(),
        _ => text.into(),
    }
}

fn ucfirst(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(map_first(&call.str(0), u8::to_ascii_uppercase))
}

fn lcfirst(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(map_first(&call.str(0), u8::to_ascii_lowercase))
}

/// The text with every byte in upper case that stands at the start or behind a separator.
fn capitalised(text: &PhpStr, is_separator: impl Fn(u8) -> bool) -> Val {
    let mut at_start = true;
    PhpStr::build(text.len(), |out| {
        for (to, from) in out.iter_mut().zip(text.iter()) {
            *to = if at_start { from.to_ascii_uppercase() } else { *from };
            at_start = is_separator(*to);
        }
    })
    .into()
}

fn ucwords(call: &mut Call<'_>) -> PhpResult<Val> {
    let separators = char_mask(call, &call.str(1))?;
    Ok(capitalised(&call.str(0), |byte| separators[byte as usize]))
}
