//! The functions for one transfer.

use crate::file::set_form;
use crate::handle::{Callbacks, Origin, State, Target, Transfer, object, running, transfer};
use crate::options::set_url;
use phlox_curl::{CallbackKind, Easy, Info, InfoValue, error_text, version};
use phlox_ext_openssl::CAFILE;
use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::{Call, PhpArr, PhpResult, Val, Vm};
use std::path::Path;
use std::rc::Rc;
use std::sync::OnceLock;

/// `curl.cainfo`: the file with the certificates of trusted authorities.
pub static CAINFO: IniString = IniString::new("curl.cainfo", "", IniAccess::System);

const NO_PROGRESS: i32 = 43;
const MAX_REDIRECTS: i32 = 68;
const DNS_CACHE_TIMEOUT: i32 = 92;
const CA_INFO: i32 = 10_065;
const CA_PATH: i32 = 10_097;
const CA_INFO_TOLD: i32 = 0x10_003d;
const CA_PATH_TOLD: i32 = 0x10_003e;

fn set_defaults(vm: &Vm, easy: &Easy) {
    easy.set_long(NO_PROGRESS, 1);
    easy.set_long(DNS_CACHE_TIMEOUT, 120);
    easy.set_long(MAX_REDIRECTS, 20);
    let authorities = [vm.ini.text(&CAFILE), vm.ini.get(&CAINFO)];
    let chosen = authorities.iter().find(|path| !path.is_empty()).map(|path| path.to_vec());
    if let Some(path) = chosen.or_else(|| authorities_file().map(|path| path.as_bytes().to_vec())) {
        easy.set_text(CA_INFO, Some(&path));
    }
    if let Some(path) = authorities_folder() {
        easy.set_text(CA_PATH, Some(path.as_bytes()));
    }
}

/// The files in which systems keep the certificates of authorities. The linked libcurl was built without a default.
const AUTHORITIES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/ssl/cert.pem",
];
const AUTHORITIES_FOLDER: &str = "/etc/ssl/certs";

fn authorities_file() -> Option<&'static str> {
    static FOUND: OnceLock<Option<&str>> = OnceLock::new();
    *FOUND.get_or_init(|| AUTHORITIES.into_iter().find(|path| Path::new(path).is_file()))
}

fn authorities_folder() -> Option<&'static str> {
    Some(AUTHORITIES_FOLDER).filter(|path| Path::new(path).is_dir())
}

/// The default that libcurl would have, had it been built for this system.
fn built_in(info: i32) -> Option<Val> {
    match info {
        CA_INFO_TOLD => authorities_file().map(Val::from),
        CA_PATH_TOLD => authorities_folder().map(Val::from),
        _ => None,
    }
}

fn make(vm: &Vm, state: Rc<State>, easy: Easy) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(b"CurlHandle")?)?;
    object.set_native(Rc::new(Transfer { state, easy: Rc::new(easy) }));
    Ok(object.into())
}

/// `curl_init()`.
pub fn curl_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = Rc::new(State::default());
    let Some(easy) = Easy::new(state.clone()) else {
        call.warning("Could not initialize a new cURL handle")?;
        return Ok(Val::FALSE);
    };
    set_defaults(call.vm, &easy);
    let handle = make(call.vm, state, easy)?;
    if let Some(url) = call.opt_str(0)
        && let Some(object) = handle.as_obj()
        && !set_url(call, transfer(call, object)?, &url)?
    {
        return Ok(Val::FALSE);
    }
    Ok(handle)
}

/// A copy of a transfer with its settings. `None`: libcurl cannot make one.
pub fn duplicated(transfer: &Transfer) -> Option<(Rc<State>, Easy)> {
    let Transfer { state, easy } = transfer;
    let copy = Rc::new(State::default());
    copy.body.replace(state.body.borrow().clone());
    copy.header.replace(state.header.borrow().clone());
    copy.origin.replace(state.origin.borrow().clone());
    copy.callbacks.replace(state.callbacks.borrow().clone());
    copy.messages.replace(state.messages.borrow().clone());
    copy.private.replace(state.private.borrow().clone());
    copy.share.replace(state.share.borrow().clone());
    copy.keeps_sent_header.set(state.keeps_sent_header.get());
    copy.verbose.set(state.verbose.get());
    let callbacks = state.callbacks.borrow().clone();
    let debugs = !callbacks.debug.is_null() || state.keeps_sent_header.get() || state.messages.borrow().is_some();
    let listens: Vec<CallbackKind> = [
        (CallbackKind::Progress, !callbacks.progress.is_null()),
        (CallbackKind::Transferred, !callbacks.transferred.is_null()),
        (CallbackKind::Matches, !callbacks.matches.is_null()),
        (CallbackKind::Debug, debugs),
        (CallbackKind::Connected, !callbacks.connected.is_null()),
        (CallbackKind::HostKey, !callbacks.host_key.is_null()),
    ]
    .into_iter()
    .filter_map(|(kind, on)| on.then_some(kind))
    .collect();
    let duplicate = easy.duplicate(copy.clone(), &listens)?;
    Some((copy, duplicate))
}

/// `curl_copy_handle()`.
pub fn curl_copy_handle(call: &mut Call<'_>) -> PhpResult<Val> {
    let original = object(call, 0)?;
    let Some((copy, duplicate)) = duplicated(transfer(call, &original)?) else {
        call.warning("Cannot duplicate cURL handle")?;
        return Ok(Val::FALSE);
    };
    let handle = make(call.vm, copy, duplicate)?;
    let form = transfer(call, &original)?.state.form.borrow().clone();
    if let (Some(form), Some(object)) = (form, handle.as_obj())
        && !set_form(call, transfer(call, object)?, &form)?
    {
        call.warning("Cannot rebuild mime structure")?;
        return Ok(Val::FALSE);
    }
    Ok(handle)
}

/// `curl_exec()`.
pub fn curl_exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let Transfer { state, easy } = transfer(call, &object)?;
    state.check_streams(call.vm, true)?;
    state.begin();
    call.vm.output.before_waiting();
    let easy = easy.clone();
    let code = running(call.vm, std::slice::from_ref(&object), || easy.perform())?;
    state.error.set(code);
    if code != 0 {
        state.received.borrow_mut().clear();
        return Ok(Val::FALSE);
    }
    state.flush(call.vm)?;
    let is_result = matches!(&*state.body.borrow(), Target::Result);
    Ok(if is_result { Val::str(&state.received.borrow()) } else { Val::TRUE })
}

fn refuse_in_callback(call: &Call<'_>, state: &State, what: &str) -> PhpResult<()> {
    if state.in_callback.get() {
        let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
        let text = format!("{name}(): Attempt to {what} cURL handle from a callback");
        return Err(call.vm.throw_error(text.as_bytes()));
    }
    Ok(())
}

/// `curl_close()`: has no effect except in a callback, where it throws.
pub fn curl_close(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    refuse_in_callback(call, &transfer(call, &object)?.state, "close")?;
    Ok(Val::NULL)
}

/// `curl_reset()`.
pub fn curl_reset(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let Transfer { state, easy } = transfer(call, &object)?;
    refuse_in_callback(call, state, "reset")?;
    easy.reset();
    state.body.replace(Target::Output);
    state.header.replace(Target::Ignored);
    state.origin.replace(Origin { file: None, callback: None });
    state.callbacks.replace(Callbacks::default());
    state.messages.replace(None);
    state.keeps_sent_header.set(false);
    state.verbose.set(false);
    set_defaults(call.vm, easy);
    Ok(Val::NULL)
}

/// `curl_errno()`.
pub fn curl_errno(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    Ok(Val::int(transfer(call, &object)?.state.error.get() as i64))
}

/// `curl_error()`.
pub fn curl_error(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let Transfer { state, easy } = transfer(call, &object)?;
    let code = state.error.get();
    if code == 0 {
        return Ok(Val::str(b""));
    }
    let message = easy.message();
    Ok(Val::str(&if message.is_empty() { error_text(code as i64).unwrap_or_default() } else { message }))
}

/// `curl_strerror()`.
pub fn curl_strerror(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(error_text(call.int(0)).map_or(Val::NULL, |text| Val::str(&text)))
}

/// `curl_escape()`.
pub fn curl_escape(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    Ok(transfer(call, &object)?.easy.escape(&call.str(1)).map_or(Val::FALSE, |text| Val::str(&text)))
}

/// `curl_unescape()`.
pub fn curl_unescape(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    Ok(transfer(call, &object)?.easy.unescape(&call.str(1)).map_or(Val::FALSE, |text| Val::str(&text)))
}

/// `curl_pause()`.
pub fn curl_pause(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let transfer = transfer(call, &object)?;
    let flags = call.int(1) as i32;
    Ok(Val::int(running(call.vm, std::slice::from_ref(&object), || transfer.easy.pause(flags))? as i64))
}

/// `curl_upkeep()`.
pub fn curl_upkeep(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object(call, 0)?;
    let transfer = transfer(call, &object)?;
    let code = transfer.easy.upkeep();
    transfer.state.error.set(code);
    Ok(Val::bool(code == 0))
}

/// The properties that `curl_getinfo()` shows without an option: PHP's name and libcurl's number.
const ALL_INFO: [(&str, i32); 39] = [
    ("url", 0x10_0001),
    ("content_type", 0x10_0012),
    ("http_code", 0x20_0002),
    ("header_size", 0x20_000b),
    ("request_size", 0x20_000c),
    ("filetime", 0x20_000e),
    ("ssl_verify_result", 0x20_000d),
    ("redirect_count", 0x20_0014),
    ("total_time", 0x30_0003),
    ("namelookup_time", 0x30_0004),
    ("connect_time", 0x30_0005),
    ("pretransfer_time", 0x30_0006),
    ("size_upload", 0x30_0007),
    ("size_download", 0x30_0008),
    ("speed_download", 0x30_0009),
    ("speed_upload", 0x30_000a),
    ("download_content_length", 0x30_000f),
    ("upload_content_length", 0x30_0010),
    ("starttransfer_time", 0x30_0011),
    ("redirect_time", 0x30_0013),
    ("redirect_url", 0x10_001f),
    ("primary_ip", 0x10_0020),
    ("certinfo", 0x40_0022),
    ("primary_port", 0x20_0028),
    ("local_ip", 0x10_0029),
    ("local_port", 0x20_002a),
    ("http_version", 0x20_002e),
    ("protocol", 0x20_0030),
    ("ssl_verifyresult", 0x20_002f),
    ("scheme", 0x10_0031),
    ("appconnect_time_us", 0x60_0038),
    ("connect_time_us", 0x60_0034),
    ("namelookup_time_us", 0x60_0033),
    ("pretransfer_time_us", 0x60_0035),
    ("redirect_time_us", 0x60_0037),
    ("starttransfer_time_us", 0x60_0036),
    ("posttransfer_time_us", 0x60_0043),
    ("total_time_us", 0x60_0032),
    ("effective_method", 0x10_003a),
];
/// The properties that follow the request's header.
const LAST_INFO: [(&str, i32); 2] = [("capath", CA_PATH_TOLD), ("cainfo", CA_INFO_TOLD)];

/// The parts of each certificate, by their names.
fn certificates(lists: Vec<Vec<Vec<u8>>>) -> PhpArr {
    let shown = lists.into_iter().map(|parts| {
        let mut fields = PhpArr::new();
        for part in parts {
            if let Some(colon) = part.iter().position(|&byte| byte == b':') {
                fields.set_bytes(&part[..colon], Val::str(&part[colon + 1..]));
            }
        }
        Val::from(fields)
    });
    shown.collect()
}

fn shown(value: InfoValue) -> Option<Val> {
    Some(match value {
        InfoValue::Text(text) => Val::str(&text?),
        InfoValue::Int(number) => Val::int(number),
        InfoValue::Double(number) => number.into(),
        InfoValue::List(texts) => texts.iter().map(|text| Val::str(text)).collect::<PhpArr>().into(),
        InfoValue::Certificates(lists) => certificates(lists).into(),
    })
}

/// `curl_getinfo()`.
pub fn curl_getinfo(call: &mut Call<'_>) -> PhpResult<Val> {
    const HEADER_OUT: i64 = 2;
    const PRIVATE: i64 = 0x10_0015;
    let object = object(call, 0)?;
    let Transfer { state, easy } = transfer(call, &object)?;
    let sent_header = state.sent_header.borrow().as_ref().map(|text| Val::str(text));
    if let Some(option) = call.opt_int(1) {
        return Ok(match option {
            HEADER_OUT => sent_header.unwrap_or(Val::FALSE),
            PRIVATE => state.private.borrow().clone().unwrap_or(Val::FALSE),
            _ => {
                let option = i32::try_from(option).ok();
                let value = option.and_then(|option| built_in(option).or_else(|| shown(easy.info(Info(option))?)));
                value.unwrap_or(Val::FALSE)
            }
        });
    }
    let mut all = PhpArr::new();
    let mut add = |name: &str, number: i32| {
        let Some(value) = easy.info(Info(number)) else { return };
        // Of the missing texts, only the content type is shown, as null.
        if let Some(value) = shown(value).or((name == "content_type").then_some(Val::NULL)) {
            all.set_bytes(name.as_bytes(), value);
        }
    };
    ALL_INFO[..38].iter().for_each(|(name, number)| add(name, *number));
    if let Some(header) = sent_header {
        all.set_bytes(b"request_header", header);
    }
    let mut add = |name: &str, number: i32| {
        if let Some(value) = built_in(number).or_else(|| shown(easy.info(Info(number))?)) {
            all.set_bytes(name.as_bytes(), value);
        }
    };
    ALL_INFO[38..].iter().chain(&LAST_INFO).for_each(|(name, number)| add(name, *number));
    Ok(all.into())
}

/// The bits of libcurl's features, by PHP's names.
const FEATURES: [(&str, u32); 29] = [
    ("AsynchDNS", 7),
    ("CharConv", 12),
    ("Debug", 6),
    ("GSS-Negotiate", 5),
    ("IDN", 10),
    ("IPv6", 0),
    ("krb4", 1),
    ("Largefile", 9),
    ("libz", 3),
    ("NTLM", 4),
    ("NTLMWB", 15),
    ("SPNEGO", 8),
    ("SSL", 2),
    ("SSPI", 11),
    ("TLS-SRP", 14),
    ("HTTP2", 16),
    ("GSSAPI", 17),
    ("KERBEROS5", 18),
    ("UNIX_SOCKETS", 19),
    ("PSL", 20),
    ("HTTPS_PROXY", 21),
    ("MULTI_SSL", 22),
    ("BROTLI", 23),
    ("ALTSVC", 24),
    ("HTTP3", 25),
    ("UNICODE", 27),
    ("ZSTD", 26),
    ("HSTS", 28),
    ("GSASL", 29),
];

/// `curl_version()`.
pub fn curl_version(_call: &mut Call<'_>) -> PhpResult<Val> {
    let version = version();
    let mut shown = PhpArr::new();
    let mut set = |name: &str, value: Val| shown.set_bytes(name.as_bytes(), value);
    set("version_number", Val::int(version.number));
    set("age", Val::int(version.age));
    set("features", Val::int(version.features));
    let mut features = PhpArr::new();
    for (name, bit) in FEATURES {
        features.set_bytes(name.as_bytes(), Val::bool(version.features & (1 << bit) != 0));
    }
    set("feature_list", features.into());
    set("ssl_version_number", Val::int(version.ssl_number));
    set("version", Val::str(&version.version));
    set("host", Val::str(&version.host));
    set("ssl_version", Val::str(&version.ssl));
    set("libz_version", Val::str(&version.libz));
    set("protocols", version.protocols.iter().map(|name| Val::str(name)).collect::<PhpArr>().into());
    set("ares", Val::str(&version.ares));
    set("ares_num", Val::int(version.ares_number));
    set("libidn", Val::str(&version.libidn));
    set("iconv_ver_num", Val::int(version.iconv_number));
    set("libssh_version", Val::str(&version.libssh));
    set("brotli_ver_num", Val::int(version.brotli_number));
    set("brotli_version", Val::str(&version.brotli));
    Ok(shown.into())
}
