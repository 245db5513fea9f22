//! The settings, and when they may be changed.

use crate::format::Format;
use crate::state::{Module, Session, Status};
use phlox_runtime::ini::{
    IniAccess, IniBool, IniChange, IniDef, IniFloat, IniInt, IniQuantity, IniSetting, IniStage, IniState, IniString,
    IniType, parse_quantity, text as c_text,
};
use phlox_runtime::quantity::quantity;
use phlox_runtime::{Level, PhpResult, basedir};

/// Characters that the name of a session cannot have.
pub const FORBIDDEN: &[u8] = b"=,;.[ \t\r\n\x0b\x0c";

const fn text(name: &'static str, default: &'static str) -> IniString {
    IniString::new(name, default, IniAccess::All).guard(changeable)
}

const fn switch(name: &'static str, default: &'static str) -> IniBool {
    IniBool::new(name, default, IniAccess::All).guard(changeable)
}

const fn number(name: &'static str, default: &'static str) -> IniQuantity {
    IniQuantity::new(name, default, IniAccess::All).guard(changeable)
}

pub static SAVE_PATH: IniString = text("session.save_path", "").on_change(save_path);
pub static NAME: IniString = text("session.name", "PHPSESSID").on_change(name);
pub static SAVE_HANDLER: IniString = text("session.save_handler", "files").on_change(save_handler);
pub static AUTO_START: IniBool = IniBool::new("session.auto_start", "0", IniAccess::PerDirOnly);
pub static GC_PROBABILITY: IniQuantity =
    number("session.gc_probability", "1").on_change(|change| match change.number() {
        0.. => Ok(true),
        _ => refuse(change, "session.gc_probability must be greater than or equal to 0"),
    });
pub static GC_DIVISOR: IniQuantity = number("session.gc_divisor", "100").on_change(|change| match change.number() {
    1.. => Ok(true),
    _ => refuse(change, "session.gc_divisor must be greater than 0"),
});
pub static GC_MAXLIFETIME: IniQuantity = number("session.gc_maxlifetime", "1440");
pub static SERIALIZE_HANDLER: IniString = text("session.serialize_handler", "php").on_change(serialize_handler);
pub static COOKIE_LIFETIME: IniSetting<Lifetime> = IniSetting::new("session.cookie_lifetime", "0", IniAccess::All)
    .at_least(0)
    .guard(|change| match c_text::int(change.text()) {
        _ if !changeable(change)? => Ok(false),
        0.. => Ok(true),
        _ => refuse(change, "CookieLifetime cannot be negative"),
    });
pub static COOKIE_PATH: IniString = text("session.cookie_path", "/");
pub static COOKIE_DOMAIN: IniString = text("session.cookie_domain", "");
pub static COOKIE_SECURE: IniBool = switch("session.cookie_secure", "0");
pub static COOKIE_HTTPONLY: IniBool = switch("session.cookie_httponly", "0");
pub static COOKIE_SAMESITE: IniString = text("session.cookie_samesite", "");
pub static USE_COOKIES: IniBool = switch("session.use_cookies", "1");
pub static USE_ONLY_COOKIES: IniBool = switch("session.use_only_cookies", "1").on_change(|change| {
    let text = "Disabling session.use_only_cookies INI setting is deprecated";
    deprecate_unless(change, change.truth(), text)
});
pub static USE_STRICT_MODE: IniBool = switch("session.use_strict_mode", "0");
pub static REFERER_CHECK: IniString = text("session.referer_check", "").on_change(|change| {
    let text = "Usage of session.referer_check INI setting is deprecated";
    deprecate_unless(change, change.text().is_empty(), text)
});
pub static CACHE_LIMITER: IniString = text("session.cache_limiter", "nocache");
pub static CACHE_EXPIRE: IniQuantity = number("session.cache_expire", "180");
pub static USE_TRANS_SID: IniBool = switch("session.use_trans_sid", "0").on_change(|change| {
    let text = "Enabling session.use_trans_sid INI setting is deprecated";
    deprecate_unless(change, !change.truth(), text)
});
pub static SID_LENGTH: IniInt =
    IniInt::new("session.sid_length", "32", IniAccess::All).guard(changeable).on_change(|change| {
        deprecate_unless(change, c_text::int(change.text()) == 32, "session.sid_length INI setting is deprecated")?;
        match whole_number(change.text()) {
            Some(22..=256) => Ok(true),
            _ => refuse(change, "session.configuration \"session.sid_length\" must be between 22 and 256"),
        }
    });
pub static SID_BITS_PER_CHARACTER: IniInt =
    IniInt::new("session.sid_bits_per_character", "4", IniAccess::All).guard(changeable).on_change(|change| {
        let text = "session.sid_bits_per_character INI setting is deprecated";
        deprecate_unless(change, c_text::int(change.text()) == 4, text)?;
        match whole_number(change.text()) {
            Some(4..=6) => Ok(true),
            _ => refuse(change, "session.configuration \"session.sid_bits_per_character\" must be between 4 and 6"),
        }
    });
pub static LAZY_WRITE: IniBool = switch("session.lazy_write", "1");
pub static UPLOAD_ENABLED: IniBool = IniBool::new("session.upload_progress.enabled", "1", IniAccess::PerDirOnly);
pub static UPLOAD_CLEANUP: IniBool = IniBool::new("session.upload_progress.cleanup", "1", IniAccess::PerDirOnly);
pub static UPLOAD_PREFIX: IniString =
    IniString::new("session.upload_progress.prefix", "upload_progress_", IniAccess::PerDirOnly);
pub static UPLOAD_NAME: IniString =
    IniString::new("session.upload_progress.name", "PHP_SESSION_UPLOAD_PROGRESS", IniAccess::PerDirOnly);
pub static UPLOAD_FREQ: IniSetting<Frequency> =
    IniSetting::new("session.upload_progress.freq", "1%", IniAccess::PerDirOnly).on_change(|change| {
        match (c_text::short_int(change.text()), change.text().ends_with(b"%")) {
            (..0, _) => refuse(change, "session.upload_progress.freq must be greater than or equal to 0"),
            (101.., true) => refuse(change, "session.upload_progress.freq must be less than or equal to 100%"),
            _ => Ok(true),
        }
    });
pub static UPLOAD_MIN_FREQ: IniFloat = IniFloat::new("session.upload_progress.min_freq", "1", IniAccess::PerDirOnly);

pub static INI: &[&IniDef] = &[
    &SAVE_PATH.def,
    &NAME.def,
    &SAVE_HANDLER.def,
    &AUTO_START.def,
    &GC_PROBABILITY.def,
    &GC_DIVISOR.def,
    &GC_MAXLIFETIME.def,
    &SERIALIZE_HANDLER.def,
    &COOKIE_LIFETIME.def,
    &COOKIE_PATH.def,
    &COOKIE_DOMAIN.def,
    &COOKIE_SECURE.def,
    &COOKIE_HTTPONLY.def,
    &COOKIE_SAMESITE.def,
    &USE_COOKIES.def,
    &USE_ONLY_COOKIES.def,
    &USE_STRICT_MODE.def,
    &REFERER_CHECK.def,
    &CACHE_LIMITER.def,
    &CACHE_EXPIRE.def,
    &USE_TRANS_SID.def,
    &SID_LENGTH.def,
    &SID_BITS_PER_CHARACTER.def,
    &LAZY_WRITE.def,
    &UPLOAD_ENABLED.def,
    &UPLOAD_CLEANUP.def,
    &UPLOAD_PREFIX.def,
    &UPLOAD_NAME.def,
    &UPLOAD_FREQ.def,
    &UPLOAD_MIN_FREQ.def,
];

/// The type of [`COOKIE_LIFETIME`]: a quantity of seconds. A number that is too large is accepted and has no effect.
pub struct Lifetime;

impl Lifetime {
    fn is_endless(text: &[u8]) -> bool {
        c_text::int(text) > i64::MAX - i64::from(i32::MAX) - 1
    }
}

impl IniType for Lifetime {
    type Value = i64;

    fn parse(value: Option<&[u8]>) -> u64 {
        let text = value.unwrap_or_default();
        if Lifetime::is_endless(text) { 0 } else { parse_quantity(text) as u64 }
    }

    fn value(state: &IniState) -> i64 {
        state.bits() as i64
    }

    fn problem(text: &[u8]) -> Option<String> {
        if Lifetime::is_endless(text) { None } else { quantity(text).1 }
    }
}

/// How often the progress of an upload is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequency {
    Bytes(u64),
    Percent(u64),
}

impl IniType for Frequency {
    type Value = Frequency;

    /// A share is a negative number.
    fn parse(value: Option<&[u8]>) -> u64 {
        let text = value.unwrap_or_default();
        let number = c_text::int(text).max(0);
        (if text.ends_with(b"%") { -number } else { number }) as u64
    }

    fn value(state: &IniState) -> Frequency {
        match state.bits() as i64 {
            share @ ..0 => Frequency::Percent(share.unsigned_abs()),
            bytes => Frequency::Bytes(bytes as u64),
        }
    }
}

/// No setting may change while a session is active or after output.
fn changeable(change: &IniChange<'_>) -> PhpResult<bool> {
    if Session::of(change.vm).is_active() {
        return refuse(change, "Session ini settings cannot be changed when a session is active");
    }
    if change.vm.output.sent.get() && change.stage == IniStage::Runtime {
        return refuse(change, "Session ini settings cannot be changed after headers have already been sent");
    }
    Ok(true)
}

fn refuse(change: &IniChange<'_>, message: &str) -> PhpResult<bool> {
    change.warning(message)?;
    Ok(false)
}

/// [`refuse`], without a message at the end of the request.
fn refuse_then(change: &IniChange<'_>, message: &str) -> PhpResult<bool> {
    if change.stage == IniStage::End { Ok(false) } else { refuse(change, message) }
}

fn deprecate_unless(change: &IniChange<'_>, fine: bool, message: &str) -> PhpResult<bool> {
    if !fine {
        change.deprecated(message)?;
    }
    Ok(true)
}

/// A text that is an integer and nothing else.
fn whole_number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text.trim_ascii_start()).ok()?.parse().ok()
}

fn name(change: &IniChange<'_>) -> PhpResult<bool> {
    let value = change.text();
    let numeric = std::str::from_utf8(value.trim_ascii()).is_ok_and(|text| {
        text.parse::<f64>().is_ok()
            && text.bytes().all(|byte| !byte.is_ascii_alphabetic() || matches!(byte, b'e' | b'E'))
    });
    if !numeric && !value.is_empty() && !value.iter().any(|byte| *byte == 0 || FORBIDDEN.contains(byte)) {
        return Ok(true);
    }
    let message = format!(
        "session.name \"{}\" must not be numeric, empty, contain null bytes or any of the following characters \
         \"=,;.[ \\t\\r\\n\\013\\014\"",
        phlox_runtime::shown(phlox_runtime::until_nul(value))
    );
    refuse_then(change, &message)
}

fn save_path(change: &IniChange<'_>) -> PhpResult<bool> {
    if change.stage != IniStage::Runtime {
        return Ok(true);
    }
    // The parts before the first two semicolons are not the path.
    let path = change.text().splitn(3, |&byte| byte == b';').last().unwrap_or_default();
    Ok(!change.text().contains(&0) && (path.is_empty() || basedir::allows(change.vm, path)?))
}

fn save_handler(change: &IniChange<'_>) -> PhpResult<bool> {
    let session = Session::of(change.vm);
    let Some(module) = Module::find(change.text()) else {
        let name = phlox_runtime::shown(phlox_runtime::until_nul(change.text()));
        return match change.stage {
            IniStage::Startup => Ok(true),
            _ => refuse_then(change, &format!("Session save handler \"{name}\" cannot be found")),
        };
    };
    if module == Module::User && !session.sets_user.get() {
        let text = "Session save handler \"user\" cannot be set by ini_set()";
        if change.stage == IniStage::Startup {
            let message = format!("{}{text}", change.prefix);
            change.vm.report(Level::Error, message.as_bytes(), &"Unknown".into(), 0);
            return Ok(false);
        }
        return refuse(change, text);
    }
    session.default_module.set(session.module.get());
    session.module.set(module);
    Ok(true)
}

fn serialize_handler(change: &IniChange<'_>) -> PhpResult<bool> {
    if Format::find(change.text()).is_none() && change.stage != IniStage::Startup {
        let name = phlox_runtime::shown(phlox_runtime::until_nul(change.text()));
        return refuse_then(change, &format!("Serialization handler \"{name}\" cannot be found"));
    }
    let session = Session::of(change.vm);
    if session.status.get() == Status::Disabled && session.module.get() != Module::Unknown {
        session.status.set(Status::None);
    }
    Ok(true)
}
