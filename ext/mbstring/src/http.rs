//! Input and output of requests.

use crate::detect::detect;
use crate::encoding::{Encoding, decode, encode};
use crate::state::{self, http_input_list, http_output, internal, substitute};
use onig::{Regex, RegexOptions, Syntax};
use phlox_ext_standard::url;
use phlox_ext_standard_file::http::{content_type, set_content_type};
use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::settings::{ARG_SEPARATOR_INPUT, DEFAULT_MIMETYPE};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

/// The types of content whose output is converted, as a regular expression.
pub static OUTPUT_CONV_MIMETYPES: IniString =
    IniString::new("mbstring.http_output_conv_mimetypes", "^(text/|application/xhtml\\+xml)", IniAccess::All)
        .on_change(|change| Ok(change.text().trim_ascii().is_empty() || type_pattern(change.text()).is_some()));

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("mb_parse_str(string $string, &$result): bool", mb_parse_str),
    FnDef::new("mb_output_handler(string $string, int $status): string", mb_output_handler),
];

const OUTPUT_START: i64 = 1;
const OUTPUT_END: i64 = 8;

fn mb_parse_str(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let separators = call.vm.ini.get(&ARG_SEPARATOR_INPUT);
    let separators: &[u8] = if separators.is_empty() { b"&" } else { &separators };
    let mut parts = Vec::new();
    for pair in text.split(|byte| separators.contains(byte)).filter(|pair| !pair.is_empty()) {
        let at = pair.iter().position(|&byte| byte == b'=').unwrap_or(pair.len());
        parts.push(url::decode(&pair[..at], false));
        parts.push(url::decode(pair.get(at + 1..).unwrap_or_default(), false));
    }
    let to = internal(call.vm);
    let candidates = http_input_list(call.vm);
    let texts: Vec<&[u8]> = parts.iter().map(|part| &part[..]).collect();
    let from = match candidates[..] {
        [only] => Some(only),
        _ => detect(&texts, &candidates, call.vm.ini.get(&state::STRICT_DETECTION), true),
    };
    state::state(call.vm).http_input.set(from);
    let mut result = Val::from(PhpArr::new());
    for pair in parts.chunks(2) {
        let convert = |part: &[u8]| match from {
            Some(from) => encode(to, &decode(from, part), substitute(call.vm)).0,
            None => part.to_vec(),
        };
        let value = pair.get(1).map_or(Vec::new(), |value| convert(value));
        url::register_variable(&mut result, &convert(&pair[0]), value.into());
    }
    call.assign(1, result)?;
    // In an empty text no encoding is found.
    Ok((from.is_some() && !text.is_empty()).into())
}

/// Is output of this content type converted?
fn converts_type(call: &Call<'_>, content_type: &[u8]) -> bool {
    let regex = type_pattern(&call.vm.ini.get(&OUTPUT_CONV_MIMETYPES));
    regex.is_some_and(|regex| regex.find(&String::from_utf8_lossy(content_type)).is_some())
}

/// The pattern of types that get converted; `None`: the text is none.
fn type_pattern(text: &[u8]) -> Option<Regex> {
    let pattern = phlox_runtime::shown(text);
    Regex::with_options(pattern.trim(), RegexOptions::REGEX_OPTION_IGNORECASE, Syntax::perl_ng()).ok()
}

/// Begins the conversion of the output. If the script gave a content type, that decides whether the output is converted;
/// the default type always is. The header names the encoding.
fn begin_output(call: &Call<'_>, target: &Encoding) {
    let given = content_type(call.vm);
    let content_type = match &given {
        Some(given) if !converts_type(call, given) => return,
        Some(given) => given.split(|&byte| byte == b';').next().unwrap_or_default().to_vec(),
        None => match call.vm.ini.get(&DEFAULT_MIMETYPE) {
            default if default.is_empty() => b"text/html".to_vec(),
            default => default.to_vec(),
        },
    };
    if !target.mime.is_empty() {
        set_content_type(call.vm, &[&content_type[..], b"; charset=", target.mime.as_bytes()].concat());
    }
    state::state(call.vm).converts_output.set(true);
}

fn mb_output_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let status = call.int(1);
    let Some(target) = http_output(call.vm) else { return Ok(text.into()) };
    let state = state::state(call.vm);
    if status & OUTPUT_START != 0 {
        begin_output(call, target);
    }
    if !state.converts_output.get() {
        return Ok(text.into());
    }
    if status & OUTPUT_END != 0 {
        state.converts_output.set(false);
    }
    let converted = encode(target, &decode(internal(call.vm), &text), substitute(call.vm)).0;
    Ok(converted.into())
}
