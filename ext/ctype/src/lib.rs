//! The `ctype` extension: character classes of whole strings, in the C locale.
#![forbid(unsafe_code)]

use phlox_runtime::{Call, Extension, FnDef, Level, PhpResult, Val, View, convert};

static FUNCTIONS: &[FnDef] = &[
    FnDef::new("ctype_alnum(mixed $text): bool", |call| check(call, |b| b.is_ascii_alphanumeric()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_alphanumeric())),
    FnDef::new("ctype_alpha(mixed $text): bool", |call| check(call, |b| b.is_ascii_alphabetic()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_alphabetic())),
    FnDef::new("ctype_cntrl(mixed $text): bool", |call| check(call, |b| b.is_ascii_control()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_control())),
    FnDef::new("ctype_digit(mixed $text): bool", |call| check(call, |b| b.is_ascii_digit()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_digit())),
    FnDef::new("ctype_lower(mixed $text): bool", |call| check(call, |b| b.is_ascii_lowercase()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_lowercase())),
    FnDef::new("ctype_graph(mixed $text): bool", |call| check(call, |b| b.is_ascii_graphic()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_graphic())),
    FnDef::new("ctype_print(mixed $text): bool", |call| check(call, |b| b.is_ascii_graphic() || b == b' '))
        .fast_path(|args| is_all(args, |b| b.is_ascii_graphic() || b == b' ')),
    FnDef::new("ctype_punct(mixed $text): bool", |call| check(call, |b| b.is_ascii_punctuation()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_punctuation())),
    FnDef::new("ctype_space(mixed $text): bool", |call| check(call, |b| matches!(b, b' ' | b'\t'..=b'\r')))
        .fast_path(|args| is_all(args, |b| matches!(b, b' ' | b'\t'..=b'\r'))),
    FnDef::new("ctype_upper(mixed $text): bool", |call| check(call, |b| b.is_ascii_uppercase()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_uppercase())),
    FnDef::new("ctype_xdigit(mixed $text): bool", |call| check(call, |b| b.is_ascii_hexdigit()))
        .fast_path(|args| is_all(args, |b| b.is_ascii_hexdigit())),
];

pub static EXTENSION: Extension = Extension {
    name: "ctype",
    functions: &[FUNCTIONS],
    classes: &[],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// The answer for a string.
fn is_all(args: &[Val], class: impl Fn(u8) -> bool) -> Option<Val> {
    let text = args.first()?.as_str()?;
    Some(Val::bool(!text.is_empty() && text.iter().all(|&byte| class(byte))))
}

/// Are all bytes in the class? A small integer is a character's code, a larger one its digits (both deprecated).
fn check(call: &Call<'_>, class: fn(u8) -> bool) -> PhpResult<Val> {
    let value = call.arg(0);
    let answer = match value.view() {
        View::Str(text) => !text.is_empty() && text.iter().all(|&byte| class(byte)),
        _ => {
            let given = if value.as_obj().is_some() { convert::debug_type(&value) } else { convert::type_name(&value) };
            let text = format!("Argument of type {given} will be interpreted as string in the future");
            call.raise(Level::Deprecated, text.as_bytes())?;
            match value.view() {
                View::Int(code @ 0..=255) => class(code as u8),
                View::Int(code @ -128..=-1) => class((code + 256) as u8),
                View::Int(number) => number.to_string().bytes().all(class),
                _ => false,
            }
        }
    };
    Ok(Val::bool(answer))
}
