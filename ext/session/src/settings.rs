//! The settings, and what may become of them when.

use crate::format::Format;
use crate::headers::FORBIDDEN;
use crate::state::{Module, Session, Status, Voice};
use phlox_runtime::extension::{IniAccess, IniDef};
use phlox_runtime::{Level, PhpResult, PhpStr, Vm};

const fn setting(name: &'static str, default: &'static str) -> IniDef {
    IniDef { name, default: Some(default), access: IniAccess::All }
}

const fn fixed(name: &'static str, default: &'static str) -> IniDef {
    IniDef { name, default: Some(default), access: IniAccess::PerDirOnly }
}

pub const INI: &[IniDef] = &[
    setting("session.save_path", ""),
    setting("session.name", "PHPSESSID"),
    setting("session.save_handler", "files"),
    fixed("session.auto_start", "0"),
    setting("session.gc_probability", "1"),
    setting("session.gc_divisor", "100"),
    setting("session.gc_maxlifetime", "1440"),
    setting("session.serialize_handler", "php"),
    setting("session.cookie_lifetime", "0"),
    setting("session.cookie_path", "/"),
    setting("session.cookie_domain", ""),
    setting("session.cookie_secure", "0"),
    setting("session.cookie_httponly", "0"),
    setting("session.cookie_samesite", ""),
    setting("session.use_cookies", "1"),
    setting("session.use_only_cookies", "1"),
    setting("session.use_strict_mode", "0"),
    setting("session.referer_check", ""),
    setting("session.cache_limiter", "nocache"),
    setting("session.cache_expire", "180"),
    setting("session.use_trans_sid", "0"),
    setting("session.sid_length", "32"),
    setting("session.sid_bits_per_character", "4"),
    setting("session.lazy_write", "1"),
    fixed("session.upload_progress.enabled", "1"),
    fixed("session.upload_progress.cleanup", "1"),
    fixed("session.upload_progress.prefix", "upload_progress_"),
    fixed("session.upload_progress.name", "PHP_SESSION_UPLOAD_PROGRESS"),
    fixed("session.upload_progress.freq", "1%"),
    fixed("session.upload_progress.min_freq", "1"),
];

pub fn watch(vm: &Vm) {
    // These are the rewriter's.
    vm.ini.watch("session.trans_sid_hosts", trans_sid_hosts);
    vm.ini.watch("session.trans_sid_tags", trans_sid_tags);
    for definition in INI {
        vm.ini.watch(
            definition.name,
            match definition.name {
                "session.name" => name,
                "session.save_path" => save_path,
                "session.save_handler" => save_handler,
                "session.serialize_handler" => serialize_handler,
                "session.gc_probability" => gc_probability,
                "session.gc_divisor" => gc_divisor,
                "session.cookie_lifetime" => cookie_lifetime,
                "session.use_only_cookies" => use_only_cookies,
                "session.use_trans_sid" => use_trans_sid,
                "session.referer_check" => referer_check,
                "session.sid_length" => sid_length,
                "session.sid_bits_per_character" => sid_bits,
                "session.upload_progress.freq" => upload_frequency,
                _ => any,
            },
        );
    }
    for definition in INI {
        let (value, default) = (vm.ini.string(definition.name), definition.default.unwrap_or_default());
        if value.as_bytes() != default.as_bytes()
            && !matches!(vm.ini.permits(vm, "PHP Startup: ", definition.name.as_bytes(), &value), Ok(true))
        {
            vm.ini.set(definition.name.as_bytes(), Some(default.into()));
        }
    }
    // Messages at start-up do not end the time for headers.
    vm.output.sent.set(false);
    vm.output.sent_at.borrow_mut().take();
}

fn voice<'a>(vm: &'a Vm, prefix: &str) -> Voice<'a> {
    Voice { vm, prefix: prefix.as_bytes().to_vec() }
}

/// No setting may change while a session is active or after output.
fn any(vm: &Vm, prefix: &str, _: &PhpStr) -> PhpResult<bool> {
    let voice = voice(vm, prefix);
    if Session::of(vm).is_active() {
        voice.warning("Session ini settings cannot be changed when a session is active")?;
        return Ok(false);
    }
    if vm.output.sent.get() && !prefix.starts_with("PHP") {
        voice.warning("Session ini settings cannot be changed after headers have already been sent")?;
        return Ok(false);
    }
    Ok(true)
}

fn refuse(vm: &Vm, prefix: &str, message: &str) -> PhpResult<bool> {
    voice(vm, prefix).warning(message)?;
    Ok(false)
}

fn deprecate(vm: &Vm, prefix: &str, message: &str) -> PhpResult<bool> {
    voice(vm, prefix).raise(Level::Deprecated, message)?;
    Ok(true)
}

fn truth(value: &[u8]) -> bool {
    let is = |text: &str| value.eq_ignore_ascii_case(text.as_bytes());
    is("true") || is("yes") || is("on") || number(value) != 0
}

fn number(value: &[u8]) -> i64 {
    phlox_runtime::ini::parse_quantity(value)
}

fn name(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    let text = value.trim_ascii();
    let numeric = std::str::from_utf8(text).is_ok_and(|text| {
        text.parse::<f64>().is_ok()
            && text.bytes().all(|byte| !byte.is_ascii_alphabetic() || matches!(byte, b'e' | b'E'))
    });
    if !numeric && !value.is_empty() && !value.iter().any(|byte| *byte == 0 || FORBIDDEN.contains(byte)) {
        return Ok(true);
    }
    let message = format!(
        "session.name \"{value}\" must not be numeric, empty, contain null bytes or any of the following characters \
         \"=,;.[ \\t\\r\\n\\013\\014\""
    );
    refuse(vm, prefix, &message)
}

fn save_path(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? || value.contains(&0) {
        return Ok(false);
    }
    // What stands before the last semicolon is no path.
    let path = value.rsplit(|&byte| byte == b';').next().unwrap_or_default();
    Ok(prefix.starts_with("PHP") || path.is_empty() || phlox_runtime::basedir::allows(vm, path)?)
}

fn save_handler(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    let session = Session::of(vm);
    let Some(module) = Module::find(value) else {
        return match prefix.starts_with("PHP") {
            true => Ok(true),
            false => refuse(vm, prefix, &format!("Session save handler \"{value}\" cannot be found")),
        };
    };
    if module == Module::User && prefix.starts_with("PHP") {
        let message = format!("{prefix}Session save handler \"user\" cannot be set by ini_set()");
        vm.report(Level::Error, message.as_bytes(), &"Unknown".into(), 0);
        return Ok(false);
    }
    if module == Module::User && !session.sets_user.get() {
        return refuse(vm, prefix, "Session save handler \"user\" cannot be set by ini_set()");
    }
    session.default_module.set(session.module.get());
    session.module.set(module);
    Ok(true)
}

fn serialize_handler(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    if Format::find(value).is_none() && !prefix.starts_with("PHP") {
        return refuse(vm, prefix, &format!("Serialization handler \"{value}\" cannot be found"));
    }
    let session = Session::of(vm);
    if session.status.get() == Status::Disabled && session.module.get() != Module::Unknown {
        session.status.set(Status::None);
    }
    Ok(true)
}

fn gc_probability(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    match number(value) {
        _ if !any(vm, prefix, value)? => Ok(false),
        0.. => Ok(true),
        _ => refuse(vm, prefix, "session.gc_probability must be greater than or equal to 0"),
    }
}

fn gc_divisor(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    match number(value) {
        _ if !any(vm, prefix, value)? => Ok(false),
        1.. => Ok(true),
        _ => refuse(vm, prefix, "session.gc_divisor must be greater than 0"),
    }
}

fn cookie_lifetime(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    match number(value) {
        _ if !any(vm, prefix, value)? => Ok(false),
        0.. => Ok(true),
        _ => refuse(vm, prefix, "CookieLifetime cannot be negative"),
    }
}

fn use_only_cookies(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    Ok(truth(value) || deprecate(vm, prefix, "Disabling session.use_only_cookies INI setting is deprecated")?)
}

fn use_trans_sid(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    Ok(!truth(value) || deprecate(vm, prefix, "Enabling session.use_trans_sid INI setting is deprecated")?)
}

fn referer_check(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    Ok(value.is_empty() || deprecate(vm, prefix, "Usage of session.referer_check INI setting is deprecated")?)
}

fn trans_sid_hosts(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    Ok(value.is_empty() || deprecate(vm, prefix, "Usage of session.trans_sid_hosts INI setting is deprecated")?)
}

fn trans_sid_tags(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if value.starts_with(b"a=href,area=href,frame=src,form=") {
        return Ok(true);
    }
    deprecate(vm, prefix, "Usage of session.trans_sid_tags INI setting is deprecated")
}

fn sid_length(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    if !(22..=256).contains(&number(value)) {
        return refuse(vm, prefix, "session.configuration \"session.sid_length\" must be between 22 and 256");
    }
    Ok(value.as_bytes() == b"32" || deprecate(vm, prefix, "session.sid_length INI setting is deprecated")?)
}

fn sid_bits(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    if !any(vm, prefix, value)? {
        return Ok(false);
    }
    if !(4..=6).contains(&number(value)) {
        let message = "session.configuration \"session.sid_bits_per_character\" must be between 4 and 6";
        return refuse(vm, prefix, message);
    }
    Ok(value.as_bytes() == b"4" || deprecate(vm, prefix, "session.sid_bits_per_character INI setting is deprecated")?)
}

fn upload_frequency(vm: &Vm, prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    let percent = value.ends_with(b"%");
    let number = number(if percent { &value[..value.len() - 1] } else { value });
    match number {
        ..0 => refuse(vm, prefix, "session.upload_progress.freq must be greater than or equal to 0"),
        101.. if percent => refuse(vm, prefix, "session.upload_progress.freq must be less than or equal to 100%"),
        _ => Ok(true),
    }
}
