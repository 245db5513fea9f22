//! The `json` extension.
#![forbid(unsafe_code)]

mod decode;
mod encode;
mod error;

use error::{JsonError, State};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, ConstValue, Extension, FnDef, NativeClass, PhpResult, Val, Vm};

pub const HEX_TAG: i64 = 1;
pub const HEX_AMP: i64 = 2;
pub const HEX_APOS: i64 = 4;
pub const HEX_QUOT: i64 = 8;
pub const FORCE_OBJECT: i64 = 16;
pub const NUMERIC_CHECK: i64 = 32;
pub const UNESCAPED_SLASHES: i64 = 64;
pub const PRETTY_PRINT: i64 = 128;
pub const UNESCAPED_UNICODE: i64 = 256;
pub const PARTIAL_OUTPUT_ON_ERROR: i64 = 512;
pub const PRESERVE_ZERO_FRACTION: i64 = 1024;
pub const UNESCAPED_LINE_TERMINATORS: i64 = 2048;
pub const OBJECT_AS_ARRAY: i64 = 1;
pub const BIGINT_AS_STRING: i64 = 2;
pub const INVALID_UTF8_IGNORE: i64 = 1 << 20;
pub const INVALID_UTF8_SUBSTITUTE: i64 = 1 << 21;
pub const THROW_ON_ERROR: i64 = 1 << 22;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("json_encode(mixed $value, int $flags = 0, int $depth = 512): string|false", json_encode).fast_path(
        |args| {
            let flags = match args.get(1) {
                None => 0,
                Some(flags) => flags.as_int()?,
            };
            if args.len() > 2 {
                return None;
            }
            let vm = Vm::current()?;
            let text = encode::encode_plain(vm, args.first()?, flags, DEPTH_DEFAULT)?;
            if flags & (THROW_ON_ERROR | PARTIAL_OUTPUT_ON_ERROR) != THROW_ON_ERROR {
                State::of(vm).set(None);
            }
            Some(text)
        },
    ),
    FnDef::new(
        "json_decode(string $json, ?bool $associative = null, int $depth = 512, int $flags = 0): mixed",
        json_decode,
    ),
    FnDef::new("json_validate(string $json, int $depth = 512, int $flags = 0): bool", json_validate),
    FnDef::new("json_last_error(): int", json_last_error),
    FnDef::new("json_last_error_msg(): string", json_last_error_msg),
];

const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "JsonSerializable",
        decl: "interface JsonSerializable { /** @tentative-return-type */ public function jsonSerialize(): mixed; }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "JsonException",
        decl: "class JsonException extends Exception {}",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("JSON_HEX_TAG", ConstValue::Int(HEX_TAG)),
    ("JSON_HEX_AMP", ConstValue::Int(HEX_AMP)),
    ("JSON_HEX_APOS", ConstValue::Int(HEX_APOS)),
    ("JSON_HEX_QUOT", ConstValue::Int(HEX_QUOT)),
    ("JSON_FORCE_OBJECT", ConstValue::Int(FORCE_OBJECT)),
    ("JSON_NUMERIC_CHECK", ConstValue::Int(NUMERIC_CHECK)),
    ("JSON_UNESCAPED_SLASHES", ConstValue::Int(UNESCAPED_SLASHES)),
    ("JSON_PRETTY_PRINT", ConstValue::Int(PRETTY_PRINT)),
    ("JSON_UNESCAPED_UNICODE", ConstValue::Int(UNESCAPED_UNICODE)),
    ("JSON_PARTIAL_OUTPUT_ON_ERROR", ConstValue::Int(PARTIAL_OUTPUT_ON_ERROR)),
    ("JSON_PRESERVE_ZERO_FRACTION", ConstValue::Int(PRESERVE_ZERO_FRACTION)),
    ("JSON_UNESCAPED_LINE_TERMINATORS", ConstValue::Int(UNESCAPED_LINE_TERMINATORS)),
    ("JSON_OBJECT_AS_ARRAY", ConstValue::Int(OBJECT_AS_ARRAY)),
    ("JSON_BIGINT_AS_STRING", ConstValue::Int(BIGINT_AS_STRING)),
    ("JSON_INVALID_UTF8_IGNORE", ConstValue::Int(INVALID_UTF8_IGNORE)),
    ("JSON_INVALID_UTF8_SUBSTITUTE", ConstValue::Int(INVALID_UTF8_SUBSTITUTE)),
    ("JSON_THROW_ON_ERROR", ConstValue::Int(THROW_ON_ERROR)),
    ("JSON_ERROR_NONE", ConstValue::Int(0)),
    ("JSON_ERROR_DEPTH", ConstValue::Int(1)),
    ("JSON_ERROR_STATE_MISMATCH", ConstValue::Int(2)),
    ("JSON_ERROR_CTRL_CHAR", ConstValue::Int(3)),
    ("JSON_ERROR_SYNTAX", ConstValue::Int(4)),
    ("JSON_ERROR_UTF8", ConstValue::Int(5)),
    ("JSON_ERROR_RECURSION", ConstValue::Int(6)),
    ("JSON_ERROR_INF_OR_NAN", ConstValue::Int(7)),
    ("JSON_ERROR_UNSUPPORTED_TYPE", ConstValue::Int(8)),
    ("JSON_ERROR_INVALID_PROPERTY_NAME", ConstValue::Int(9)),
    ("JSON_ERROR_UTF16", ConstValue::Int(10)),
    ("JSON_ERROR_NON_BACKED_ENUM", ConstValue::Int(11)),
];

pub static EXTENSION: Extension = Extension {
    name: "json",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// How deep values may nest if nothing else is said.
const DEPTH_DEFAULT: i64 = 512;

fn throw(call: &Call<'_>, error: JsonError) -> phlox_runtime::Throw {
    call.vm.throw_class(b"JsonException", error.message().as_bytes(), error as i64)
}

fn json_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    let (flags, depth) = (call.int(1), call.int(2));
    let (text, error) = encode::encode(call.vm, &call.arg(0), flags, depth)?;
    let partial = flags & PARTIAL_OUTPUT_ON_ERROR != 0;
    if flags & THROW_ON_ERROR != 0 && !partial {
        return match error {
            Some(error) => Err(throw(call, error)),
            None => Ok(text.into()),
        };
    }
    State::of(call.vm).set(error);
    if error.is_some() && !partial { Ok(Val::FALSE) } else { Ok(text.into()) }
}

fn check_depth(call: &Call<'_>, index: usize) -> PhpResult<usize> {
    let depth = call.int(index);
    if depth <= 0 {
        return Err(call.value_error(index, "must be greater than 0"));
    }
    if depth > i32::MAX as i64 {
        return Err(call.value_error(index, &format!("must be less than {}", i32::MAX)));
    }
    Ok(depth as usize)
}

fn json_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    let (json, mut flags) = (call.str(0), call.int(3));
    let throws = flags & THROW_ON_ERROR != 0;
    if !throws {
        State::of(call.vm).set(None);
    }
    if json.is_empty() {
        if throws {
            return Err(throw(call, JsonError::Syntax));
        }
        State::of(call.vm).set(Some(JsonError::Syntax));
        return Ok(Val::NULL);
    }
    let depth = check_depth(call, 2)?;
    match call.opt_bool(1) {
        Some(true) => flags |= OBJECT_AS_ARRAY,
        Some(false) => flags &= !OBJECT_AS_ARRAY,
        None => {}
    }
    match decode::decode(call.vm, &json, flags, depth)? {
        Ok(value) => Ok(value),
        Err(error) if throws => Err(throw(call, error)),
        Err(error) => {
            State::of(call.vm).set(Some(error));
            Ok(Val::NULL)
        }
    }
}

fn json_validate(call: &mut Call<'_>) -> PhpResult<Val> {
    let (json, flags) = (call.str(0), call.int(2));
    if flags != 0 && flags != INVALID_UTF8_IGNORE {
        return Err(call.value_error(2, "must be a valid flag (allowed flags: JSON_INVALID_UTF8_IGNORE)"));
    }
    if json.is_empty() {
        State::of(call.vm).set(Some(JsonError::Syntax));
        return Ok(Val::FALSE);
    }
    let depth = check_depth(call, 1)?;
    let error = decode::decode(call.vm, &json, flags | OBJECT_AS_ARRAY, depth)?.err();
    State::of(call.vm).set(error);
    Ok(Val::bool(error.is_none()))
}

fn json_last_error(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(State::of(call.vm).get().map_or(0, |error| error as i64)))
}

fn json_last_error_msg(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(State::of(call.vm).get().map_or("No error", JsonError::message).into())
}
