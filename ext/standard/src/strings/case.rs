//! Upper and lower case (ASCII, whatever the locale).

use super::words::char_mask;
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("strtolower(string $string): string", strtolower)
        .quick(|args| Some(map_bytes(args.first()?.as_str()?.clone(), u8::is_ascii_uppercase, u8::to_ascii_lowercase))),
    FnDef::new("strtoupper(string $string): string", strtoupper)
        .quick(|args| Some(map_bytes(args.first()?.as_str()?.clone(), u8::is_ascii_lowercase, u8::to_ascii_uppercase))),
    FnDef::new("ucfirst(string $string): string", ucfirst),
    FnDef::new("lcfirst(string $string): string", lcfirst),
    FnDef::new("ucwords(string $string, string $separators = \" \\t\\r\\n\\f\\v\"): string", ucwords),
];

/// The string with every byte for which `changes` holds replaced; the same string if there is none.
fn map_bytes(text: PhpStr, changes: fn(&u8) -> bool, map: fn(&u8) -> u8) -> Val {
    if !text.iter().any(changes) {
        return text.into();
    }
    PhpStr::build(text.len(), |out| out.iter_mut().zip(text.iter()).for_each(|(to, from)| *to = map(from))).into()
}

fn strtolower(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(map_bytes(call.str(0), u8::is_ascii_uppercase, u8::to_ascii_lowercase))
}

fn strtoupper(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(map_bytes(call.str(0), u8::is_ascii_lowercase, u8::to_ascii_uppercase))
}

fn map_first(mut text: PhpStr, map: fn(&u8) -> u8) -> Val {
    match text.first().map(|first| (map(first), *first)) {
        Some((mapped, first)) if mapped != first => {
            text.make_mut()[0] = mapped;
            text.into()
        }
        _ => text.into(),
    }
}

fn ucfirst(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(map_first(call.str(0), u8::to_ascii_uppercase))
}

fn lcfirst(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(map_first(call.str(0), u8::to_ascii_lowercase))
}

fn ucwords(call: &mut Call<'_>) -> PhpResult<Val> {
    let separators = char_mask(call, &call.str(1))?;
    let mut text = call.str(0).to_vec();
    let mut at_start = true;
    for byte in &mut text {
        if at_start {
            *byte = byte.to_ascii_uppercase();
        }
        at_start = separators[*byte as usize];
    }
    Ok(text.into())
}
