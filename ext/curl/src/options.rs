//! `curl_setopt()`: the values that each option takes.

use crate::constants::CONSTANTS;
use crate::file::set_form;
use crate::handle::{Target, Transfer, object, transfer};
use crate::share::ShareHandle;
use phlox_curl::{CallbackKind, OK, OptionKind, UNKNOWN_OPTION, option_kind};
use phlox_ext_standard_file::stream::open::stream_of;
use phlox_runtime::basedir::OPEN_BASEDIR;
use phlox_runtime::{ArrKey, Call, ConstValue, PhpResult, Val, basedir, convert};

const FILE: i64 = 10_001;
const URL: i64 = 10_002;
const IN_FILE: i64 = 10_009;
const POST_FIELDS: i64 = 10_015;
const WRITE_HEADER: i64 = 10_029;
const STDERR: i64 = 10_037;
const SHARE: i64 = 10_100;
const PRIVATE: i64 = 10_103;
const RETURN_TRANSFER: i64 = 19_913;
const BINARY_TRANSFER: i64 = 19_914;
const SAFE_UPLOAD: i64 = -1;
const DNS_USE_GLOBAL_CACHE: i64 = 91;
const FOLLOW_LOCATION: i64 = 52;
const VERBOSE: i64 = 41;
const POST_REDIR: i64 = 161;
const PROTOCOLS: i64 = 181;
const REDIR_PROTOCOLS: i64 = 182;
const PROTOCOLS_STR: i64 = 10_318;
const REDIR_PROTOCOLS_STR: i64 = 10_319;
const HEADER_OUT: i64 = 2;
const PROTOCOL_FILE: i64 = 1 << 10;

/// Options for which null restores the default. For others it is an empty text.
const NULLABLE: [&str; 16] = [
    "CURLOPT_CUSTOMREQUEST",
    "CURLOPT_FTPPORT",
    "CURLOPT_RANGE",
    "CURLOPT_FTP_ACCOUNT",
    "CURLOPT_RTSP_SESSION_ID",
    "CURLOPT_ACCEPT_ENCODING",
    "CURLOPT_DNS_INTERFACE",
    "CURLOPT_DNS_LOCAL_IP4",
    "CURLOPT_DNS_LOCAL_IP6",
    "CURLOPT_XOAUTH2_BEARER",
    "CURLOPT_UNIX_SOCKET_PATH",
    "CURLOPT_DOH_URL",
    "CURLOPT_KRBLEVEL",
    "CURLOPT_USERPWD",
    "CURLOPT_USERNAME",
    "CURLOPT_PASSWORD",
];

/// Options that name files, which `open_basedir` restricts.
const PATHS: [&str; 10] = [
    "CURLOPT_COOKIEFILE",
    "CURLOPT_COOKIEJAR",
    "CURLOPT_RANDOM_FILE",
    "CURLOPT_SSLCERT",
    "CURLOPT_NETRC_FILE",
    "CURLOPT_SSH_PRIVATE_KEYFILE",
    "CURLOPT_SSH_PUBLIC_KEYFILE",
    "CURLOPT_CRLFILE",
    "CURLOPT_ISSUERCERT",
    "CURLOPT_SSH_KNOWNHOSTS",
];

fn number_of(name: &str) -> Option<i64> {
    CONSTANTS.iter().find(|(known, _)| *known == name).and_then(|(_, value)| match value {
        ConstValue::Int(number) => Some(*number),
        _ => None,
    })
}

/// The name of an option. `None`: PHP has no such option.
fn name_of(option: i64) -> Option<&'static str> {
    CONSTANTS.iter().find_map(|(name, value)| {
        (matches!(value, ConstValue::Int(number) if *number == option) && name.starts_with("CURLOPT_")).then_some(*name)
    })
}

fn is_among(option: i64, names: &[&str]) -> bool {
    names.iter().any(|name| number_of(name) == Some(option))
}

/// The function that sets an option, for messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Value,
    Array,
}

/// `curl_setopt()`.
pub fn curl_setopt(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let transfer = transfer(call, &object)?;
    Ok(Val::bool(set(call, transfer, call.int(1), &call.arg(2), Source::Value)?))
}

/// `curl_setopt_array()`.
pub fn curl_setopt_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let transfer = transfer(call, &object)?;
    for (key, value) in &call.arr(1) {
        let ArrKey::Int(option) = key.to_owned() else {
            return Err(call.value_error(1, "contains an invalid cURL option"));
        };
        if !set(call, transfer, option, &value.deref(), Source::Array)? {
            return Ok(Val::FALSE);
        }
    }
    Ok(Val::TRUE)
}

fn function(call: &Call<'_>) -> String {
    phlox_runtime::shown(&call.func.display_name()).into_owned()
}

/// The callback that an argument gives. `None`: null, which removes the callback.
fn callback(call: &Call<'_>, value: &Val, source: Source, name: &str) -> PhpResult<Option<Val>> {
    if value.is_null() {
        return Ok(None);
    }
    match call.vm.resolve_callable(value)? {
        Ok(_) => Ok(Some(value.clone())),
        Err(reason) => {
            let index = if source == Source::Array { 1 } else { 2 };
            Err(call.type_error(index, &format!("must be a valid callback for option {name}, {reason}")))
        }
    }
}

/// Sets an option that takes a callback. `None`: it is another option.
fn set_callback(
    call: &Call<'_>,
    transfer: &Transfer,
    name: &str,
    value: &Val,
    source: Source,
) -> PhpResult<Option<bool>> {
    let state = &transfer.state;
    let get = || callback(call, value, source, name);
    let kind = match name {
        "CURLOPT_WRITEFUNCTION" => {
            let found = get().inspect_err(|_| drop(state.body.replace(Target::Output)))?;
            state.body.replace(found.map_or(Target::Output, Target::Callback));
            return Ok(Some(true));
        }
        "CURLOPT_HEADERFUNCTION" => {
            let found = get().inspect_err(|_| drop(state.header.replace(Target::Ignored)))?;
            state.header.replace(found.map_or(Target::Ignored, Target::Callback));
            return Ok(Some(true));
        }
        "CURLOPT_READFUNCTION" => {
            let before = state.origin.borrow_mut().callback.take();
            drop(before);
            let found = get()?;
            let before = std::mem::replace(&mut state.origin.borrow_mut().callback, found);
            drop(before);
            return Ok(Some(true));
        }
        "CURLOPT_PROGRESSFUNCTION" => CallbackKind::Progress,
        "CURLOPT_XFERINFOFUNCTION" => CallbackKind::Transferred,
        "CURLOPT_FNMATCH_FUNCTION" => CallbackKind::Matches,
        "CURLOPT_DEBUGFUNCTION" => CallbackKind::Debug,
        "CURLOPT_PREREQFUNCTION" => CallbackKind::Connected,
        "CURLOPT_SSH_HOSTKEYFUNCTION" => CallbackKind::HostKey,
        _ => return Ok(None),
    };
    let found = get()?.unwrap_or(Val::NULL);
    let mut callbacks = state.callbacks.borrow_mut();
    let place = match kind {
        CallbackKind::Progress => &mut callbacks.progress,
        CallbackKind::Transferred => &mut callbacks.transferred,
        CallbackKind::Matches => &mut callbacks.matches,
        CallbackKind::Debug => &mut callbacks.debug,
        CallbackKind::Connected => &mut callbacks.connected,
        CallbackKind::HostKey => &mut callbacks.host_key,
    };
    let before = std::mem::replace(place, found);
    drop(callbacks);
    drop(before);
    Ok(Some(transfer.easy.listen(kind, true) == OK))
}

/// Sets the stream that bytes go to or come from.
fn set_stream(call: &Call<'_>, transfer: &Transfer, option: i64, value: &Val) -> PhpResult<bool> {
    let state = &transfer.state;
    let given = if value.is_null() {
        None
    } else {
        let Some(resource) = value.as_res() else {
            let name = function(call);
            let text = format!("{name}(): supplied argument is not a valid File-Handle resource");
            return Err(call.vm.throw_type_error(text.as_bytes()));
        };
        let Some(stream) = stream_of(resource) else {
            let text = format!("{}(): supplied resource is not a valid File-Handle resource", function(call));
            return Err(call.vm.throw_type_error(text.as_bytes()));
        };
        if option != IN_FILE && !stream.can_write() {
            let text = format!("{}(): The provided file handle must be writable", function(call));
            return Err(call.vm.throw_value_error(text.as_bytes()));
        }
        Some(value.clone())
    };
    match option {
        FILE => drop(state.body.replace(given.map_or(Target::Output, Target::File))),
        WRITE_HEADER => drop(state.header.replace(given.map_or(Target::Ignored, Target::File))),
        IN_FILE => {
            let before = std::mem::replace(&mut state.origin.borrow_mut().file, given);
            drop(before);
        }
        _ => {
            let listens = given.is_some();
            state.messages.replace(given);
            transfer.easy.listen(CallbackKind::Debug, listens || state.keeps_sent_header.get());
        }
    }
    Ok(true)
}

/// Sets an option to a text, which must not contain NUL bytes.
fn set_text(call: &Call<'_>, transfer: &Transfer, option: i64, text: Option<&[u8]>) -> PhpResult<bool> {
    if text.is_some_and(|text| text.contains(&0)) {
        let message = format!("{}(): cURL option must not contain any null bytes", function(call));
        return Err(call.vm.throw_value_error(message.as_bytes()));
    }
    let code = transfer.easy.set_text(option as i32, text);
    transfer.state.error.set(code);
    Ok(code == OK)
}

/// Sets the URL. Files cannot be used where `open_basedir` is set.
pub fn set_url(call: &Call<'_>, transfer: &Transfer, url: &[u8]) -> PhpResult<bool> {
    if !call.vm.ini.get(&OPEN_BASEDIR).is_empty() {
        transfer.easy.set_long(PROTOCOLS as i32, i64::from(u32::MAX) & !PROTOCOL_FILE);
    }
    set_text(call, transfer, URL, Some(url))
}

fn set(call: &Call<'_>, transfer: &Transfer, option: i64, value: &Val, source: Source) -> PhpResult<bool> {
    let (vm, state, easy) = (call.vm, &transfer.state, &transfer.easy);
    let guarded = || !vm.ini.get(&OPEN_BASEDIR).is_empty();
    match option {
        HEADER_OUT => {
            if !state.callbacks.borrow().debug.is_null() {
                let text = b"CURLINFO_HEADER_OUT option must not be set when the CURLOPT_DEBUGFUNCTION option is set";
                return Err(vm.throw_value_error(text));
            }
            let on = convert::to_bool(value);
            state.keeps_sent_header.set(on);
            easy.listen(CallbackKind::Debug, on || state.messages.borrow().is_some());
            easy.set_long(VERBOSE as i32, on as i64);
            return Ok(true);
        }
        FILE | IN_FILE | WRITE_HEADER | STDERR => return set_stream(call, transfer, option, value),
        URL => return set_url(call, transfer, &convert::to_str(vm, value)?),
        PRIVATE => {
            state.private.replace(Some(value.clone()));
            return Ok(true);
        }
        RETURN_TRANSFER => {
            state.body.replace(if convert::to_bool(value) { Target::Result } else { Target::Output });
            return Ok(true);
        }
        BINARY_TRANSFER | DNS_USE_GLOBAL_CACHE => return Ok(true),
        SAFE_UPLOAD => {
            if !convert::to_bool(value) {
                let text = format!("{}(): Disabling safe uploads is no longer supported", function(call));
                return Err(vm.throw_value_error(text.as_bytes()));
            }
            return Ok(true);
        }
        POST_FIELDS => {
            let content = match value.as_arr() {
                Some(fields) if !fields.is_empty() => return set_form(call, transfer, fields),
                Some(_) => Vec::new(),
                None => convert::to_str(vm, value)?.to_vec(),
            };
            let code = easy.set_content(&content);
            state.error.set(code);
            return Ok(code == OK);
        }
        SHARE => {
            if let Some(object) = value.as_obj()
                && let Some(share) = object.native::<ShareHandle>()
            {
                easy.set_share(&share.share);
                state.share.replace(value.clone());
            }
            return Ok(true);
        }
        _ => {}
    }
    let unknown = || {
        let text = match source {
            Source::Array => "must contain only valid cURL options",
            Source::Value => "is not a valid cURL option",
        };
        state.error.set(UNKNOWN_OPTION);
        Err(call.value_error(1, text))
    };
    let Some(name) = name_of(option) else { return unknown() };
    if let Some(done) = set_callback(call, transfer, name, value, source)? {
        return Ok(done);
    }
    let kind = i32::try_from(option).map_or(OptionKind::Other, option_kind);
    let code = match kind {
        OptionKind::Long | OptionKind::Large => {
            let number = match option {
                FOLLOW_LOCATION => convert::to_bool(value) as i64,
                POST_REDIR => convert::to_int(vm, value)? & 7,
                _ => convert::to_int(vm, value)?,
            };
            if matches!(option, PROTOCOLS | REDIR_PROTOCOLS) && number & PROTOCOL_FILE != 0 && guarded() {
                call.warning("CURLPROTO_FILE cannot be activated when an open_basedir is set")?;
                return Ok(false);
            }
            if option == VERBOSE {
                state.verbose.set(number != 0);
            }
            if kind == OptionKind::Long {
                easy.set_long(option as i32, number)
            } else {
                easy.set_large(option as i32, number)
            }
        }
        OptionKind::Text => {
            if value.is_null() && is_among(option, &NULLABLE) {
                return set_text(call, transfer, option, None);
            }
            let text = convert::to_str(vm, value)?;
            let names_file = |text: &[u8]| {
                let lower = text.to_ascii_lowercase();
                lower.windows(4).any(|part| part == b"file") || lower.windows(3).any(|part| part == b"all")
            };
            if matches!(option, PROTOCOLS_STR | REDIR_PROTOCOLS_STR) && guarded() && names_file(&text) {
                call.warning("The FILE protocol cannot be activated when an open_basedir is set")?;
                return Ok(false);
            }
            if is_among(option, &PATHS) && !text.is_empty() && !basedir::allows(vm, &text)? {
                return Ok(false);
            }
            return set_text(call, transfer, option, Some(&text));
        }
        OptionKind::List => {
            let Some(list) = value.as_arr() else {
                let text = format!("{}(): The {name} option must have an array value", function(call));
                return Err(vm.throw_type_error(text.as_bytes()));
            };
            let texts = list.values().map(|value| Ok(convert::to_str(vm, &value.deref())?.to_vec()));
            easy.set_list(option as i32, &texts.collect::<PhpResult<Vec<_>>>()?)
        }
        OptionKind::Blob => easy.set_blob(option as i32, &convert::to_str(vm, value)?),
        OptionKind::Other => return unknown(),
    };
    state.error.set(code);
    Ok(code == OK)
}
