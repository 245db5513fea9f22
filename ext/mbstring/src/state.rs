//! What the functions share: the current encodings, the order of detection, the substitute, the language.

use crate::encoding::{ENCODINGS, Encoding, Kind, Mode, Substitute, find};
use phlox_runtime::ini::{Cached, Ini};
use phlox_runtime::{Call, DataKey, Level, PhpArr, PhpResult, PhpStr, Throw, Val, View, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// `None` where the settings decide.
#[derive(Default)]
pub struct State {
    pub internal: Cell<Option<&'static Encoding>>,
    /// `Some(None)`: no conversion.
    pub http_output: Cell<Option<Option<&'static Encoding>>>,
    pub detect_order: RefCell<Option<Vec<&'static Encoding>>>,
    pub substitute: Cell<Option<Substitute>>,
    /// Characters that could not be converted so far.
    pub illegal_count: Cell<i64>,
    /// What `mb_parse_str` found its text to be.
    pub http_input: Cell<Option<&'static Encoding>>,
    /// An output handler is converting a text of several parts.
    pub converts_output: Cell<bool>,
    /// The encoding that an argument named last, and its name.
    named_last: RefCell<Option<(PhpStr, &'static Encoding)>>,
    /// What the settings say that [`internal`] is.
    configured_internal: Cached<&'static Encoding>,
}

static STATE: DataKey<State> = DataKey::new();

pub fn state(vm: &Vm) -> Rc<State> {
    vm.keyed(&STATE)
}

pub fn utf8() -> &'static Encoding {
    find(b"UTF-8").unwrap_or(&ENCODINGS[0])
}

/// The first of some settings that names an encoding.
fn configured(ini: &Ini, settings: [&str; 3]) -> &'static Encoding {
    for name in settings {
        let value = ini.string(name);
        if !value.is_empty() {
            return find(&value).unwrap_or_else(utf8);
        }
    }
    utf8()
}

/// The encoding that `mb_internal_encoding` set, or the settings.
pub fn internal(vm: &Vm) -> &'static Encoding {
    state(vm).internal.get().unwrap_or_else(|| configured_internal(vm))
}

/// The internal encoding of the settings.
pub fn configured_internal(vm: &Vm) -> &'static Encoding {
    let settings = ["mbstring.internal_encoding", "internal_encoding", "default_charset"];
    state(vm).configured_internal.get(&vm.ini, |ini| configured(ini, settings))
}

/// Does an optional argument choose UTF-8, or choose nothing where UTF-8 is the internal encoding?
pub fn is_utf8(argument: Option<&Val>) -> bool {
    match argument.map(Val::view) {
        None | Some(View::Null) => Vm::current().is_some_and(|vm| internal(vm).kind == Kind::Utf8),
        Some(View::Str(name)) => name.eq_ignore_ascii_case(b"UTF-8"),
        _ => false,
    }
}

/// `None`: output passes unchanged.
pub fn http_output(vm: &Vm) -> Option<&'static Encoding> {
    let settings = ["mbstring.http_output", "output_encoding", "default_charset"];
    match state(vm).http_output.get() {
        Some(encoding) => encoding,
        None => {
            let named = settings.iter().map(|name| vm.ini.string(name)).find(|value| !value.is_empty());
            let passes = named.is_some_and(|value| &value[..] == b"pass");
            (!passes).then(|| configured(&vm.ini, settings))
        }
    }
}

pub fn http_input_list(vm: &Vm) -> Vec<&'static Encoding> {
    let value = vm.ini.string("mbstring.http_input");
    if value.is_empty() {
        return vec![configured(&vm.ini, ["input_encoding", "default_charset", "default_charset"])];
    }
    parse_list(vm, &value).unwrap_or_default()
}

/// Languages: name, short name, encodings for mail (charset, header, body) and the order of detection.
pub struct Language {
    pub name: &'static str,
    pub short: &'static str,
    pub charset: &'static str,
    pub header: &'static str,
    pub body: &'static str,
    pub detection: &'static [&'static str],
}

const fn language(
    name: &'static str,
    short: &'static str,
    charset: &'static str,
    header: &'static str,
    body: &'static str,
    detection: &'static [&'static str],
) -> Language {
    Language { name, short, charset, header, body, detection }
}

const NEUTRAL: &[&str] = &["ASCII", "UTF-8"];

pub static LANGUAGES: &[Language] = &[
    language("neutral", "neutral", "UTF-8", "BASE64", "BASE64", NEUTRAL),
    language("uni", "universal", "UTF-8", "BASE64", "BASE64", NEUTRAL),
    language("Japanese", "ja", "ISO-2022-JP", "BASE64", "7bit", &["ASCII", "JIS", "UTF-8", "EUC-JP", "SJIS"]),
    language("Korean", "ko", "ISO-2022-KR", "BASE64", "7bit", &["ASCII", "UTF-8", "EUC-KR", "UHC"]),
    language("Simplified Chinese", "zh-cn", "HZ", "BASE64", "7bit", &["ASCII", "UTF-8", "EUC-CN", "CP936"]),
    language("Traditional Chinese", "zh-tw", "BIG-5", "BASE64", "8bit", &["ASCII", "UTF-8", "BIG-5"]),
    language("English", "en", "ISO-8859-1", "Quoted-Printable", "8bit", NEUTRAL),
    language("German", "de", "ISO-8859-15", "Quoted-Printable", "8bit", NEUTRAL),
    language("Armenian", "hy", "ArmSCII-8", "Quoted-Printable", "8bit", &["ASCII", "UTF-8", "ArmSCII-8"]),
    language("Russian", "ru", "KOI8-R", "Quoted-Printable", "8bit", &["ASCII", "UTF-8", "KOI8-R", "CP1251", "CP866"]),
    language("Turkish", "tr", "ISO-8859-9", "Quoted-Printable", "8bit", &["ASCII", "UTF-8", "CP1254", "ISO-8859-9"]),
    language("Ukrainian", "ua", "KOI8-U", "Quoted-Printable", "8bit", &["ASCII", "UTF-8", "KOI8-U"]),
];

pub fn find_language(name: &[u8]) -> Option<&'static Language> {
    let same = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
    LANGUAGES.iter().find(|row| same(row.name) || same(row.short))
}

pub fn current_language(vm: &Vm) -> &'static Language {
    find_language(&vm.ini.string("mbstring.language")).unwrap_or(&LANGUAGES[0])
}

fn default_order(vm: &Vm) -> Vec<&'static Encoding> {
    current_language(vm).detection.iter().filter_map(|name| find(name.as_bytes())).collect()
}

pub fn detect_order(vm: &Vm) -> Vec<&'static Encoding> {
    if let Some(order) = &*state(vm).detect_order.borrow() {
        return order.clone();
    }
    let value = vm.ini.string("mbstring.detect_order");
    let configured = (!value.is_empty()).then(|| parse_list(vm, &value).ok()).flatten();
    configured.filter(|order| !order.is_empty()).unwrap_or_else(|| default_order(vm))
}

pub fn substitute(vm: &Vm) -> Substitute {
    if let Some(substitute) = state(vm).substitute.get() {
        return substitute;
    }
    let value = vm.ini.string("mbstring.substitute_character").to_string();
    let mode = |mode| Substitute { mode, ..Substitute::QUESTION_MARK };
    match value.to_ascii_lowercase().as_str() {
        "" => Substitute::QUESTION_MARK,
        "none" => mode(Mode::None),
        "long" => mode(Mode::Long),
        "entity" => mode(Mode::Entity),
        text => {
            let code = match text.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            };
            code.map_or(Substitute::QUESTION_MARK, |character| Substitute { mode: Mode::Character, character })
        }
    }
}

/// Encodings separated by commas, `auto` for those of the language; an error is the name that is none.
pub fn parse_list(vm: &Vm, text: &[u8]) -> Result<Vec<&'static Encoding>, Vec<u8>> {
    let text = match text {
        [b'"', inner @ .., b'"'] if !inner.is_empty() => inner,
        _ => text,
    };
    if text.is_empty() {
        return Ok(Vec::new());
    }
    // A comma at the end is none.
    let text = text.strip_suffix(b",").unwrap_or(text);
    let names = text.split(|&byte| byte == b',').map(|name| name.trim_ascii().to_vec());
    expand(vm, names.collect())
}

fn expand(vm: &Vm, names: Vec<Vec<u8>>) -> Result<Vec<&'static Encoding>, Vec<u8>> {
    let mut list = Vec::new();
    let mut auto_seen = false;
    for name in names {
        if name.eq_ignore_ascii_case(b"auto") {
            if !auto_seen {
                list.extend(default_order(vm));
            }
            auto_seen = true;
            continue;
        }
        match find(&name) {
            Some(encoding) => list.push(encoding),
            None => return Err(name),
        }
    }
    Ok(list)
}

/// A list of encodings as an array or a text.
pub fn list_argument(call: &Call<'_>, index: usize) -> PhpResult<Vec<&'static Encoding>> {
    let value = call.arg(index);
    let list = match value.view() {
        View::Arr(array) => list_of_array(call.vm, array)?,
        _ => parse_list(call.vm, &call.str(index)),
    };
    list.map_err(|name| invalid_in_list(call, index, &name))
}

fn list_of_array(vm: &Vm, array: &PhpArr) -> PhpResult<Result<Vec<&'static Encoding>, Vec<u8>>> {
    let mut names = Vec::new();
    for value in array.values() {
        names.push(convert::to_str(vm, &value.deref())?.to_vec());
        // What comes behind a wrong name is not looked at.
        let last = names.last().filter(|name| !name.eq_ignore_ascii_case(b"auto"));
        if last.is_some_and(|name| find(name).is_none()) {
            break;
        }
    }
    Ok(expand(vm, names))
}

fn invalid_in_list(call: &Call<'_>, index: usize, name: &[u8]) -> Throw {
    let name = phlox_runtime::shown(phlox_runtime::until_nul(name));
    call.value_error(index, &format!("contains invalid encoding \"{name}\""))
}

fn warn_about_transfer(call: &Call<'_>, encoding: &Encoding) -> PhpResult<()> {
    match encoding.deprecation() {
        Some(text) => call.raise(Level::Deprecated, text.as_bytes()),
        None => Ok(()),
    }
}

/// The encoding that an optional argument names; the internal one without it.
pub fn encoding_argument(call: &Call<'_>, index: usize) -> PhpResult<&'static Encoding> {
    let Some(name) = call.opt_str(index) else { return Ok(internal(call.vm)) };
    let state = state(call.vm);
    // The name that was given last is not looked at again, nor complained about.
    if let Some((_, encoding)) = state.named_last.borrow().as_ref().filter(|last| last.0.eq_ignore_ascii_case(&name)) {
        return Ok(encoding);
    }
    match find(phlox_runtime::until_nul(&name)) {
        Some(encoding) => {
            warn_about_transfer(call, encoding)?;
            *state.named_last.borrow_mut() = Some((name, encoding));
            Ok(encoding)
        }
        None => {
            Err(call
                .value_error(index, &format!("must be a valid encoding, \"{}\" given", crate::state::as_c_text(&name))))
        }
    }
}

/// Encodes with the current substitute and counts what is missing.
pub fn encode(vm: &Vm, encoding: &Encoding, codes: &[u32]) -> Vec<u8> {
    let (text, missing) = crate::encoding::encode(encoding, codes, substitute(vm));
    let state = state(vm);
    state.illegal_count.set(state.illegal_count.get() + missing as i64);
    text
}

pub fn encoded(vm: &Vm, encoding: &Encoding, codes: &[u32]) -> Val {
    encode(vm, encoding, codes).into()
}

/// A text as C prints it: up to the first NUL.
pub fn as_c_text(text: &[u8]) -> String {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    phlox_runtime::shown(&text[..end]).into_owned()
}
