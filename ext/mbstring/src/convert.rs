//! Conversion between encodings, and detection of a text's encoding.

use crate::detect::detect;
use crate::encoding::{Encoding, Kind, decode, find, is_valid};
use crate::state::STRICT_DETECTION;
use crate::state::{detect_order, encode, encoding_argument, internal, is_utf8, list_argument};
use phlox_runtime::{Call, FnDef, Level, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "mb_convert_encoding(array|string $string, string $to_encoding, array|string|null $from_encoding = null): array|string|false",
        mb_convert_encoding,
    )
    .fast_path(|args| {
        // Text of ASCII only is the same in UTF-8, Latin-1 and ASCII.
        let text = args.first()?.as_str().filter(|text| text.is_ascii())?;
        let same = |name: &Val| {
            let encoding = find(name.as_str()?)?;
            matches!(encoding.kind, Kind::Utf8 | Kind::Latin1 | Kind::Ascii).then_some(())
        };
        same(args.get(1)?)?;
        match args.get(2) {
            None => is_utf8(None).then_some(())?,
            Some(from) => same(from)?,
        }
        Some(text.into())
    }),
    FnDef::new(
        "mb_convert_variables(string $to_encoding, array|string $from_encoding, mixed &$var, mixed &...$vars): string|false",
        mb_convert_variables,
    ),
    FnDef::new(
        "mb_detect_encoding(string $string, array|string|null $encodings = null, bool $strict = false): string|false",
        mb_detect_encoding,
    ),
    FnDef::new("mb_check_encoding(array|string|null $value = null, ?string $encoding = null): bool", mb_check_encoding)
        .fast_path(|args| {
            let text = args.first()?.as_str()?;
            is_utf8(args.get(1)).then(|| Val::bool(std::str::from_utf8(text).is_ok()))
        }),
    FnDef::new("mb_scrub(string $string, ?string $encoding = null): string", mb_scrub),
];

/// Converts a text; `None` if it is in none of the source encodings.
fn convert_text(
    call: &Call<'_>,
    text: &PhpStr,
    to: &Encoding,
    from: &[&'static Encoding],
) -> PhpResult<Option<PhpStr>> {
    let from = match from {
        [single] => *single,
        _ => match detect(&[text], from, call.vm.ini.get(&STRICT_DETECTION), true) {
            Some(found) => found,
            None => {
                call.warning("Unable to detect character encoding")?;
                return Ok(None);
            }
        },
    };
    // Valid UTF-8 needs no conversion to UTF-8.
    if to.kind == Kind::Utf8 && from.kind == Kind::Utf8 && is_valid(to, text) {
        return Ok(Some(text.clone()));
    }
    if text.is_empty() {
        return Ok(Some(PhpStr::empty()));
    }
    // Encodings of bytes encode the text's bytes and decode to bytes, whatever the other encoding is.
    match (from.kind, to.kind) {
        (_, Kind::Base64 | Kind::QuotedPrintable) => {
            let codes: Vec<u32> = text.iter().map(|&byte| byte as u32).collect();
            Ok(Some(encode(call.vm, to, &codes).into()))
        }
        (Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode, _) => {
            let bytes = find(b"8bit").unwrap_or(to);
            Ok(Some(encode(call.vm, bytes, &decode(from, text)).into()))
        }
        _ => Ok(Some(encode(call.vm, to, &decode(from, text)).into())),
    }
}

/// Converts an array with all its keys and strings.
fn convert_array(call: &Call<'_>, array: &PhpArr, to: &Encoding, from: &[&'static Encoding]) -> PhpResult<PhpArr> {
    let mut out = PhpArr::with_capacity(array.len());
    if !array.protect() {
        call.warning("Cannot convert recursively referenced values")?;
        return Ok(out);
    }
    let result = fill(call, array, to, from, &mut out);
    array.unprotect();
    result.map(|()| out)
}

fn fill(call: &Call<'_>, array: &PhpArr, to: &Encoding, from: &[&'static Encoding], out: &mut PhpArr) -> PhpResult<()> {
    for (key, value) in array {
        let key = match key {
            phlox_runtime::Key::Str(name) => {
                let Some(name) = convert_text(call, name, to, from)? else { continue };
                phlox_runtime::ArrKey::from_str(name)
            }
            key => key.to_owned(),
        };
        let value = value.deref();
        let converted = match value.view() {
            View::Str(text) => convert_text(call, text, to, from)?.map_or(Val::FALSE, Val::from),
            View::Arr(inner) => convert_array(call, inner, to, from)?.into(),
            View::Obj(_) => {
                call.warning("Object is not supported")?;
                continue;
            }
            _ => value,
        };
        out.insert(key.as_key(), converted);
    }
    Ok(())
}

fn mb_convert_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let to = encoding_argument(call, 1)?;
    let from = match call.is_null(2) {
        true => vec![internal(call.vm)],
        false => list_argument(call, 2)?,
    };
    if from.is_empty() {
        return Err(call.value_error(2, "must specify at least one encoding"));
    }
    let value = call.arg(0);
    match value.view() {
        View::Arr(array) => Ok(convert_array(call, array, to, &from)?.into()),
        _ => Ok(convert_text(call, &call.str(0), to, &from)?.map_or(Val::FALSE, Val::from)),
    }
}

/// All texts in a value. `false`: it contains itself.
fn collect_texts(value: &Val, texts: &mut Vec<PhpStr>) -> bool {
    match value.view() {
        View::Str(text) => {
            texts.push(text.clone());
            true
        }
        View::Ref(reference) => collect_texts(&reference.get(), texts),
        View::Arr(array) => {
            if !array.protect() {
                return false;
            }
            let whole = array.values().all(|value| collect_texts(value, texts));
            array.unprotect();
            whole
        }
        View::Obj(object) => {
            if !object.protect() {
                return false;
            }
            let whole = convert::object_properties(object).values().all(|value| collect_texts(value, texts));
            object.unprotect();
            whole
        }
        _ => true,
    }
}

fn convert_value(call: &Call<'_>, value: &Val, to: &Encoding, from: &[&'static Encoding]) -> PhpResult<Val> {
    match value.view() {
        View::Str(text) => Ok(convert_text(call, text, to, from)?.map_or(Val::FALSE, Val::from)),
        // A reference to a string is replaced by the string.
        View::Ref(reference) if reference.get().as_str().is_some() => convert_value(call, &reference.get(), to, from),
        View::Ref(reference) => {
            let converted = convert_value(call, &reference.get(), to, from)?;
            PhpRef::set(reference, converted);
            Ok(value.clone())
        }
        View::Arr(array) => {
            let mut out = PhpArr::with_capacity(array.len());
            for (key, value) in array {
                let converted = convert_value(call, value, to, from)?;
                out.insert(key, converted);
            }
            Ok(out.into())
        }
        View::Obj(object) => {
            convert_object(call, object, to, from)?;
            Ok(value.clone())
        }
        _ => Ok(value.clone()),
    }
}

fn convert_object(call: &Call<'_>, object: &PhpObj, to: &Encoding, from: &[&'static Encoding]) -> PhpResult<()> {
    for slot in object.slots() {
        let value = slot.get();
        if !value.is_undef() {
            let converted = convert_value(call, &value, to, from)?;
            slot.set(converted);
        }
    }
    if let Some(dynamic) = object.dynamic() {
        let mut table = PhpArr::new();
        for (key, value) in &dynamic {
            let converted = convert_value(call, value, to, from)?;
            table.insert(key, converted);
        }
        object.set_dynamic(Some(table));
    }
    Ok(())
}

fn mb_convert_variables(call: &mut Call<'_>) -> PhpResult<Val> {
    let to = encoding_argument(call, 0)?;
    let mut from = list_argument(call, 1)?;
    if from.is_empty() {
        return Err(call.value_error(1, "must specify at least one encoding"));
    }
    let count = call.args.len();
    let mut texts = Vec::new();
    for index in 2..count {
        if !collect_texts(&call.arg(index), &mut texts) {
            call.warning("Cannot handle recursive references")?;
            return Ok(Val::FALSE);
        }
    }
    if from.len() > 1 {
        let parts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
        match detect(&parts, &from, call.vm.ini.get(&STRICT_DETECTION), true) {
            Some(found) => from = vec![found],
            None => {
                call.warning("Unable to detect encoding")?;
                return Ok(Val::FALSE);
            }
        }
    }
    for index in 2..count {
        let converted = convert_value(call, &call.arg(index), to, &from)?;
        call.assign(index, converted)?;
    }
    Ok(from[0].name.into())
}

fn mb_detect_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let given = !call.is_null(1);
    let candidates = if given { list_argument(call, 1)? } else { detect_order(call.vm) };
    if candidates.is_empty() {
        return Err(call.value_error(1, "must specify at least one encoding"));
    }
    let candidates: Vec<_> = candidates.into_iter().filter(|encoding| encoding.has_characters()).collect();
    let strict = match call.was_passed(2) {
        true => call.bool(2),
        false => call.vm.ini.get(&STRICT_DETECTION),
    };
    let text = call.str(0);
    let ordered = given && call.arg(1).as_arr().is_none_or(|list| list.is_list());
    Ok(detect(&[&text], &candidates, strict, ordered).map_or(Val::FALSE, |found| found.name.into()))
}

fn check_value(call: &Call<'_>, value: &Val, encoding: &Encoding) -> PhpResult<bool> {
    match value.view() {
        View::Str(text) => Ok(is_valid(encoding, text)),
        View::Ref(reference) => check_value(call, &reference.get(), encoding),
        View::Arr(array) => {
            if !array.protect() {
                call.warning("Cannot not handle circular references")?;
                return Ok(false);
            }
            let mut valid = true;
            for (key, value) in array {
                valid &= match key {
                    phlox_runtime::Key::Str(name) => is_valid(encoding, name),
                    phlox_runtime::Key::Int(_) => true,
                };
                valid = valid && check_value(call, value, encoding)?;
                if !valid {
                    break;
                }
            }
            array.unprotect();
            Ok(valid)
        }
        View::Int(_) | View::Double(_) | View::Null | View::Bool(_) => Ok(true),
        _ => Ok(false),
    }
}

fn mb_check_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 1)?;
    if call.is_null(0) {
        let text = b"Calling mb_check_encoding() without argument is deprecated";
        call.vm.raise(Level::Deprecated, &[&call.func.display_name()[..], b"(): ", &text[..]].concat())?;
        // The input of a request is valid, or was replaced when it arrived.
        return Ok(Val::TRUE);
    }
    Ok(check_value(call, &call.arg(0), encoding)?.into())
}

fn mb_scrub(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 1)?;
    let text = call.str(0);
    if encoding.kind == Kind::Utf8 && is_valid(encoding, &text) {
        return Ok(text.into());
    }
    Ok(encode(call.vm, encoding, &decode(encoding, &text)).into())
}
