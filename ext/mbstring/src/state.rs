//! The state that the functions share: the current encodings, the order of detection, the substitute, the language.

use crate::encoding::{ENCODINGS, Encoding, Kind, Mode, Substitute, find};
use phlox_runtime::ini::{IniAccess, IniBool, IniChange, IniDef, IniSetting, IniState, IniString, IniType};
use phlox_runtime::settings::{self as core, Named};
use phlox_runtime::{Call, DataKey, Level, PhpArr, PhpResult, PhpStr, Throw, Val, View, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::LazyLock;

/// The values that the script has set; `None` where the settings decide.
#[derive(Default)]
pub struct State {
    pub internal: Cell<Option<&'static Encoding>>,
    /// `Some(None)`: no conversion.
    pub http_output: Cell<Option<Option<&'static Encoding>>>,
    pub detect_order: RefCell<Option<Vec<&'static Encoding>>>,
    pub substitute: Cell<Option<Substitute>>,
    /// Characters that could not be converted so far.
    pub illegal_count: Cell<i64>,
    /// The encoding that `mb_parse_str` detected.
    pub http_input: Cell<Option<&'static Encoding>>,
    /// An output handler is converting a text of several parts.
    pub converts_output: Cell<bool>,
    /// The encoding that an argument named last, and its name.
    named_last: RefCell<Option<(PhpStr, &'static Encoding)>>,
}

static STATE: DataKey<State> = DataKey::new();

/// The extension's state of the request.
pub fn state(vm: &Vm) -> Rc<State> {
    vm.keyed(&STATE)
}

/// The encoding UTF-8.
pub fn utf8() -> &'static Encoding {
    static UTF8: LazyLock<&'static Encoding> = LazyLock::new(|| find(b"UTF-8").unwrap_or(&ENCODINGS[0]));
    &UTF8
}

/// The encoding of texts, where the script sets none and the core's settings do not count.
pub static INTERNAL_ENCODING: IniSetting<EncodingName> =
    IniSetting::unset("mbstring.internal_encoding", IniAccess::All).on_change(change_internal_encoding);

/// The encodings that requests may be in: names with commas between them, or `pass`.
pub static HTTP_INPUT: IniString = IniString::unset("mbstring.http_input", IniAccess::All).on_change(change_http_input);

/// The encoding of output, or `pass`.
pub static HTTP_OUTPUT: IniString =
    IniString::unset("mbstring.http_output", IniAccess::All).on_change(change_http_output);

/// The encodings that detection tries.
pub static DETECT_ORDER: IniString =
    IniString::unset("mbstring.detect_order", IniAccess::All).on_change(change_detect_order);

pub static LANGUAGE: IniString = IniString::new("mbstring.language", "neutral", IniAccess::All)
    .on_change(|change| Ok(find_language(change.text()).is_some()));

/// The substitute for characters that an encoding lacks.
pub static SUBSTITUTE_CHARACTER: IniSetting<SubstituteText> =
    IniSetting::unset("mbstring.substitute_character", IniAccess::All).on_change(|change| {
        state(change.vm).substitute.set(None);
        Ok(true)
    });

/// Whether detection accepts only encodings in which the whole text is valid.
pub static STRICT_DETECTION: IniBool = IniBool::new("mbstring.strict_detection", "0", IniAccess::All);

/// The type of [`INTERNAL_ENCODING`]: an encoding, UTF-8 for names of none.
pub struct EncodingName;

impl IniType for EncodingName {
    type Value = Option<&'static Encoding>;

    fn parse(text: Option<&[u8]>) -> u64 {
        let Some(name) = text.filter(|name| !name.is_empty()) else { return 0 };
        let found = find(name).unwrap_or_else(utf8);
        ENCODINGS.iter().position(|encoding| std::ptr::eq(encoding, found)).map_or(0, |index| index as u64 + 1)
    }

    fn value(state: &IniState) -> Option<&'static Encoding> {
        ENCODINGS.get((state.bits() as usize).checked_sub(1)?)
    }
}

/// The type of [`SUBSTITUTE_CHARACTER`].
pub struct SubstituteText;

impl SubstituteText {
    const MODES: [(&str, Mode); 3] = [("none", Mode::None), ("long", Mode::Long), ("entity", Mode::Entity)];
}

impl IniType for SubstituteText {
    type Value = Substitute;

    /// Behind the mode, 0 for a character, comes the character.
    fn parse(text: Option<&[u8]>) -> u64 {
        let text = String::from_utf8_lossy(text.unwrap_or_default()).to_ascii_lowercase();
        if let Some(mode) = SubstituteText::MODES.iter().position(|(name, _)| *name == text) {
            return mode as u64 + 1;
        }
        let code = match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        u64::from(code.unwrap_or(Substitute::QUESTION_MARK.character)) << 8
    }

    fn value(state: &IniState) -> Substitute {
        match (state.bits() as u8).checked_sub(1) {
            Some(mode) => Substitute { mode: SubstituteText::MODES[usize::from(mode)].1, ..Substitute::QUESTION_MARK },
            None => Substitute { mode: Mode::Character, character: (state.bits() >> 8) as u32 },
        }
    }
}

/// Raises the deprecation of a setting.
fn outdated(change: &IniChange<'_>) -> PhpResult<()> {
    if change.value.is_none() {
        return Ok(());
    }
    change.deprecated(&format!("Use of {} is deprecated", change.setting.name))
}

fn check_list(change: &IniChange<'_>) -> PhpResult<bool> {
    match parse_list(change.vm, change.text()) {
        Ok(list) => Ok(!list.is_empty()),
        Err(name) => {
            let name = phlox_runtime::shown(phlox_runtime::until_nul(&name));
            change.warning(&format!("INI setting contains invalid encoding \"{name}\""))?;
            Ok(false)
        }
    }
}

fn change_http_input(change: &IniChange<'_>) -> PhpResult<bool> {
    outdated(change)?;
    Ok(matches!(change.text(), b"" | b"pass") || check_list(change)?)
}

fn change_http_output(change: &IniChange<'_>) -> PhpResult<bool> {
    outdated(change)?;
    let valid = matches!(change.text(), b"" | b"pass") || find(change.text()).is_some();
    if valid {
        state(change.vm).http_output.set(None);
    }
    Ok(valid)
}

fn change_internal_encoding(change: &IniChange<'_>) -> PhpResult<bool> {
    outdated(change)?;
    let own = change.value.filter(|name| !name.is_empty()).cloned();
    let name = own.or_else(|| first_text(change.vm, [&core::INTERNAL_ENCODING, &core::DEFAULT_CHARSET]));
    complain_unknown(change.vm, change.prefix, name.as_ref())?;
    state(change.vm).internal.set(None);
    crate::regex::follow_internal(change.vm, name.as_ref().map_or(b"UTF-8", |name| name.as_bytes()));
    Ok(true)
}

fn change_detect_order(change: &IniChange<'_>) -> PhpResult<bool> {
    Ok(change.value.is_none() || check_list(change)?)
}

/// The core's settings apply where neither the script nor the extension's own settings name an encoding.
pub fn follow_core(change: &IniChange<'_>) -> PhpResult<()> {
    let (vm, prefix) = (change.vm, change.prefix);
    let first = |settings: [&'static IniDef; 2]| {
        settings.map(|setting| change.text_of(setting)).into_iter().find(|name| !name.is_empty())
    };
    if vm.ini.get(&INTERNAL_ENCODING).is_none() && state(vm).internal.get().is_none() {
        let name = first([&core::INTERNAL_ENCODING, &core::DEFAULT_CHARSET]);
        complain_unknown(vm, prefix, name.as_ref())?;
        crate::regex::follow_internal(vm, name.as_ref().map_or(b"UTF-8", |name| name.as_bytes()));
    }
    if vm.ini.get(&HTTP_INPUT).is_empty() {
        complain_invalid(vm, prefix, first([&core::INPUT_ENCODING, &core::DEFAULT_CHARSET]).as_ref())?;
    }
    Ok(())
}

fn complain_unknown(vm: &Vm, prefix: &str, name: Option<&PhpStr>) -> PhpResult<()> {
    match name.filter(|name| find(name).is_none()) {
        Some(name) => {
            let name = phlox_runtime::shown(phlox_runtime::until_nul(name));
            vm.warning(format!("{prefix}Unknown encoding \"{name}\" in ini setting").as_bytes())
        }
        None => Ok(()),
    }
}

fn complain_invalid(vm: &Vm, prefix: &str, list: Option<&PhpStr>) -> PhpResult<()> {
    match list.filter(|list| list.as_bytes() != b"pass").and_then(|list| parse_list(vm, list).err()) {
        Some(name) => {
            let name = phlox_runtime::shown(phlox_runtime::until_nul(&name));
            vm.warning(format!("{prefix}INI setting contains invalid encoding \"{name}\"").as_bytes())
        }
        None => Ok(()),
    }
}

/// The text of the first of some settings that has one.
fn first_text(vm: &Vm, settings: [&'static IniDef; 2]) -> Option<PhpStr> {
    settings.map(|setting| vm.ini.text(setting)).into_iter().find(|name| !name.is_empty())
}

/// Warns at the start if the core's settings name no known encoding and the extension's own are not set.
pub fn complain_about_internal(vm: &Vm, prefix: &str) -> PhpResult<()> {
    if vm.ini.get(&INTERNAL_ENCODING).is_some() {
        return Ok(());
    }
    complain_unknown(vm, prefix, first_text(vm, [&core::INTERNAL_ENCODING, &core::DEFAULT_CHARSET]).as_ref())
}

/// [`complain_about_internal`] for the encodings of requests.
pub fn complain_about_input(vm: &Vm, prefix: &str) -> PhpResult<()> {
    if !vm.ini.get(&HTTP_INPUT).is_empty() {
        return Ok(());
    }
    complain_invalid(vm, prefix, first_text(vm, [&core::INPUT_ENCODING, &core::DEFAULT_CHARSET]).as_ref())
}

/// The encoding that the core's settings name: `setting`, or the one of all texts.
fn of_core(vm: &Vm, setting: &'static IniSetting<core::EncodingName>) -> &'static Encoding {
    let (named, setting) = match vm.ini.get(setting) {
        Named::Nothing => (vm.ini.get(&core::DEFAULT_CHARSET), &core::DEFAULT_CHARSET),
        named => (named, setting),
    };
    match named {
        Named::Nothing | Named::Utf8 => utf8(),
        Named::Another => find(&vm.ini.text(setting)).unwrap_or_else(utf8),
    }
}

/// The encoding that `mb_internal_encoding` set, or the settings.
pub fn internal(vm: &Vm) -> &'static Encoding {
    state(vm).internal.get().unwrap_or_else(|| configured_internal(vm))
}

/// The internal encoding of the settings.
pub fn configured_internal(vm: &Vm) -> &'static Encoding {
    vm.ini.get(&INTERNAL_ENCODING).unwrap_or_else(|| of_core(vm, &core::INTERNAL_ENCODING))
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
    if let Some(encoding) = state(vm).http_output.get() {
        return encoding;
    }
    let name = [vm.ini.get(&HTTP_OUTPUT), vm.ini.text(&core::OUTPUT_ENCODING), vm.ini.text(&core::DEFAULT_CHARSET)]
        .into_iter()
        .find(|name| !name.is_empty());
    match name {
        Some(name) if name.as_bytes() == b"pass" => None,
        Some(name) => Some(find(&name).unwrap_or_else(utf8)),
        None => Some(utf8()),
    }
}

/// The encodings of `mbstring.http_input`, or PHP's input encoding if the setting is empty.
pub fn http_input_list(vm: &Vm) -> Vec<&'static Encoding> {
    let value = vm.ini.get(&HTTP_INPUT);
    if value.is_empty() {
        return vec![of_core(vm, &core::INPUT_ENCODING)];
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

/// The language with this name or abbreviation, in any case of letters.
pub fn find_language(name: &[u8]) -> Option<&'static Language> {
    let same = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
    LANGUAGES.iter().find(|row| same(row.name) || same(row.short))
}

/// The language of the setting `mbstring.language`; the first of the table if it names none.
pub fn current_language(vm: &Vm) -> &'static Language {
    find_language(&vm.ini.get(&LANGUAGE)).unwrap_or(&LANGUAGES[0])
}

fn order_of(language: &Language) -> Vec<&'static Encoding> {
    language.detection.iter().filter_map(|name| find(name.as_bytes())).collect()
}

/// The encodings that `auto` stands for.
fn default_order(vm: &Vm) -> Vec<&'static Encoding> {
    order_of(current_language(vm))
}

/// The encodings that detection tries, in order: those that the script set, otherwise those of the settings.
pub fn detect_order(vm: &Vm) -> Vec<&'static Encoding> {
    if let Some(order) = &*state(vm).detect_order.borrow() {
        return order.clone();
    }
    // PHP takes the settings' values at the beginning of the request.
    let at_start =
        |setting: &IniDef| vm.ini.state(setting).and_then(IniState::original).filter(|text| !text.is_empty());
    let configured = at_start(&DETECT_ORDER).and_then(|value| parse_list(vm, &value).ok());
    configured
        .filter(|order| !order.is_empty())
        .unwrap_or_else(|| order_of(at_start(&LANGUAGE).and_then(|name| find_language(&name)).unwrap_or(&LANGUAGES[0])))
}

/// What replaces characters that cannot be converted: as the script set it, otherwise as the setting has it.
pub fn substitute(vm: &Vm) -> Substitute {
    state(vm).substitute.get().unwrap_or_else(|| vm.ini.get(&SUBSTITUTE_CHARACTER))
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
    // A comma at the end is ignored.
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
        // Names behind a wrong one are not checked.
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
    // The name that was given last is neither looked up nor reported again.
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

/// Encodes with the current substitute and counts the characters that the encoding lacks.
pub fn encode(vm: &Vm, encoding: &Encoding, codes: &[u32]) -> Vec<u8> {
    let (text, missing) = crate::encoding::encode(encoding, codes, substitute(vm));
    let state = state(vm);
    state.illegal_count.set(state.illegal_count.get() + missing as i64);
    text
}

/// The code points in an encoding, as a string value.
pub fn encoded(vm: &Vm, encoding: &Encoding, codes: &[u32]) -> Val {
    encode(vm, encoding, codes).into()
}

/// A text as C prints it: up to the first NUL.
pub fn as_c_text(text: &[u8]) -> String {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    phlox_runtime::shown(&text[..end]).into_owned()
}
