//! The functions except those about handlers.

use crate::settings;
use crate::state::{Module, Status, Voice};
use crate::{control, headers, storage};
use phlox_runtime::ini::{IniDef, IniString};
use phlox_runtime::vm::Callee;
use phlox_runtime::{Call, FnDef, Key, Level, PhpArr, PhpResult, PhpStr, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("session_name(?string $name = null): string|false", session_name),
    FnDef::new("session_module_name(?string $module = null): string|false", session_module_name),
    FnDef::new("session_save_path(?string $path = null): string|false", session_save_path),
    FnDef::new("session_id(?string $id = null): string|false", session_id),
    FnDef::new("session_create_id(string $prefix = \"\"): string|false", session_create_id),
    FnDef::new("session_regenerate_id(bool $delete_old_session = false): bool", session_regenerate_id),
    FnDef::new("session_decode(string $data): bool", session_decode),
    FnDef::new("session_encode(): string|false", session_encode),
    FnDef::new("session_destroy(): bool", session_destroy),
    FnDef::new("session_unset(): bool", session_unset),
    FnDef::new("session_gc(): int|false", session_gc),
    FnDef::new("session_get_cookie_params(): array", session_get_cookie_params),
    FnDef::new("session_write_close(): bool", session_write_close),
    FnDef::new("session_abort(): bool", session_abort),
    FnDef::new("session_reset(): bool", session_reset),
    FnDef::new("session_status(): int", session_status),
    FnDef::new("session_register_shutdown(): void", session_register_shutdown),
    FnDef::new("session_commit(): bool", session_write_close),
    FnDef::new("session_cache_limiter(?string $value = null): string|false", session_cache_limiter),
    FnDef::new("session_cache_expire(?int $value = null): int|false", session_cache_expire),
    FnDef::new(
        "session_set_cookie_params(array|int $lifetime_or_options, ?string $path = null, ?string $domain = null, \
         ?bool $secure = null, ?bool $httponly = null): bool",
        session_set_cookie_params,
    ),
    FnDef::new("session_start(array $options = []): bool", session_start),
];

/// May the setting be changed now? `what` begins the warning if not.
pub fn may_change(voice: &Voice<'_>, what: &str) -> PhpResult<bool> {
    if voice.session().is_active() {
        voice.warning(&format!("{what} cannot be changed when a session is active"))?;
        return Ok(false);
    }
    if headers::is_sent(voice) {
        voice.warning(&format!("{what} cannot be changed after headers have already been sent"))?;
        return Ok(false);
    }
    Ok(true)
}

/// A setting, and its change if a value is given.
fn exchange(call: &Call<'_>, what: &str, setting: &'static IniString) -> PhpResult<Val> {
    let voice = Voice::of(call);
    let value = call.opt_str(0);
    if value.is_some() && !may_change(&voice, what)? {
        return Ok(Val::FALSE);
    }
    let old = voice.vm.ini.get(setting);
    if let Some(value) = value {
        voice.set(setting, value)?;
    }
    Ok(old.into())
}

fn session_name(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.opt_str(0).is_some_and(|name| name.contains(&0)) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    exchange(call, "Session name", &settings::NAME)
}

fn session_save_path(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.opt_str(0).is_some_and(|path| path.contains(&0)) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    exchange(call, "Session save path", &settings::SAVE_PATH)
}

fn session_cache_limiter(call: &mut Call<'_>) -> PhpResult<Val> {
    exchange(call, "Session cache limiter", &settings::CACHE_LIMITER)
}

fn session_cache_expire(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    let value = call.opt_int(0);
    let old = call.vm.ini.get(&settings::CACHE_EXPIRE);
    let changes = value.is_none() || may_change(&voice, "Session cache expiration")?;
    // The old value is given while a session is active, but not after headers were sent.
    if !changes && !voice.session().is_active() {
        return Ok(Val::FALSE);
    }
    if let Some(value) = value.filter(|_| changes) {
        voice.set(&settings::CACHE_EXPIRE, PhpStr::from(value.to_string().as_str()))?;
    }
    Ok(Val::int(old))
}

fn session_module_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    let name = call.opt_str(0);
    if name.is_some() && !may_change(&voice, "Session save handler module")? {
        return Ok(Val::FALSE);
    }
    let session = voice.session();
    let old = session.module.get().name();
    if let Some(name) = name {
        if name.eq_ignore_ascii_case(b"user") {
            return Err(call.value_error(0, "cannot be \"user\""));
        }
        if Module::find(&name).is_none() {
            voice.warning(&format!("Session handler module \"{name}\" cannot be found"))?;
            return Ok(Val::FALSE);
        }
        if session.is_open() {
            storage::close(&voice)?;
        }
        voice.set(&settings::SAVE_HANDLER, name)?;
    }
    Ok(old.into())
}

fn session_id(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    let given = call.opt_str(0);
    let session = voice.session();
    if given.is_some() {
        if session.is_active() {
            voice.warning("Session ID cannot be changed when a session is active")?;
            return Ok(Val::FALSE);
        }
        if headers::is_sent(&voice) && call.vm.ini.get(&settings::USE_COOKIES) {
            voice.warning("Session ID cannot be changed after headers have already been sent")?;
            return Ok(Val::FALSE);
        }
    }
    let old = session.id.borrow().clone().unwrap_or_else(PhpStr::empty);
    if given.is_some() {
        *session.id.borrow_mut() = given;
    }
    let end = old.iter().position(|&byte| byte == 0).unwrap_or(old.len());
    Ok(Val::str(&old[..end]))
}

fn session_create_id(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    let prefix = call.str(0);
    if prefix.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    if prefix.len() > 256 {
        return Err(call.value_error(0, "cannot be longer than 256 characters"));
    }
    if !prefix.is_empty() && !storage::is_valid_id(&prefix) {
        voice.warning(
            "Prefix cannot contain special characters. Only the A-Z, a-z, 0-9, \"-\", and \",\" characters are allowed",
        )?;
        return Ok(Val::FALSE);
    }
    let session = voice.session();
    let mut id = None;
    if !session.in_handler.get() && session.is_active() {
        for _ in 0..3 {
            let candidate = storage::create_id(&voice)?;
            if !storage::validates(&voice) || !storage::validate(&voice, &candidate)? {
                id = Some(candidate);
                break;
            }
        }
    } else {
        id = Some(storage::random_id(&voice));
    }
    match id {
        Some(id) => Ok(Val::str(&[prefix.as_bytes(), &id].concat())),
        None => {
            voice.warning("Failed to create new ID")?;
            Ok(Val::FALSE)
        }
    }
}

fn session_regenerate_id(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    if !voice.session().is_active() {
        voice.warning("Session ID cannot be regenerated when there is no active session")?;
        return Ok(Val::FALSE);
    }
    if headers::is_sent(&voice) && call.vm.ini.get(&settings::USE_COOKIES) {
        voice.warning("Session ID cannot be regenerated after headers have already been sent")?;
        return Ok(Val::FALSE);
    }
    let result = control::regenerate(&voice, call.bool(0));
    if result.is_err() {
        storage::give_up(&voice);
    }
    result.map(Val::bool)
}

fn session_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    if !voice.session().is_active() {
        voice.warning("Session data cannot be decoded when there is no active session")?;
        return Ok(Val::FALSE);
    }
    control::decode(&voice, &call.str(0)).map(Val::bool)
}

fn session_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(control::encode(&Voice::of(call))?.map_or(Val::FALSE, Val::from))
}

fn session_destroy(call: &mut Call<'_>) -> PhpResult<Val> {
    control::destroy(&Voice::of(call)).map(Val::bool)
}

fn session_unset(call: &mut Call<'_>) -> PhpResult<Val> {
    let session = Voice::of(call).session();
    if !session.is_active() {
        return Ok(Val::FALSE);
    }
    session.clear_variables();
    Ok(Val::TRUE)
}

fn session_gc(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    if !voice.session().is_active() {
        voice.warning("Session cannot be garbage collected when there is no active session")?;
        return Ok(Val::FALSE);
    }
    let count = control::collect(&voice, true)?;
    Ok(if count < 0 { Val::FALSE } else { Val::int(count) })
}

/// The parameters of the cookie, and the settings that hold them.
static COOKIE: [(&str, &IniDef); 6] = [
    ("lifetime", &settings::COOKIE_LIFETIME.def),
    ("path", &settings::COOKIE_PATH.def),
    ("domain", &settings::COOKIE_DOMAIN.def),
    ("secure", &settings::COOKIE_SECURE.def),
    ("httponly", &settings::COOKIE_HTTPONLY.def),
    ("samesite", &settings::COOKIE_SAMESITE.def),
];

fn session_get_cookie_params(call: &mut Call<'_>) -> PhpResult<Val> {
    let ini = &call.vm.ini;
    let mut params = PhpArr::new();
    let values = [
        Val::int(ini.get(&settings::COOKIE_LIFETIME)),
        ini.get(&settings::COOKIE_PATH).into(),
        ini.get(&settings::COOKIE_DOMAIN).into(),
        Val::bool(ini.get(&settings::COOKIE_SECURE)),
        Val::bool(ini.get(&settings::COOKIE_HTTPONLY)),
        ini.get(&settings::COOKIE_SAMESITE).into(),
    ];
    for ((name, _), value) in COOKIE.iter().zip(values) {
        params.set_bytes(name.as_bytes(), value);
    }
    Ok(params.into())
}

fn session_set_cookie_params(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    if !call.vm.ini.get(&settings::USE_COOKIES) {
        voice.warning("Session cookies cannot be used when session.use_cookies is disabled")?;
        return Ok(Val::FALSE);
    }
    if !may_change(&voice, "Session cookie parameters")? {
        return Ok(Val::FALSE);
    }
    let mut given: Vec<(&str, PhpStr)> = Vec::new();
    let truth = |truth: bool| PhpStr::from(if truth { "1" } else { "0" });
    match call.opt_arr(0).filter(|_| call.arg(0).as_arr().is_some()) {
        Some(options) => {
            if let Some(index) = (1..5).find(|&index| !call.is_null(index)) {
                return Err(call.value_error(index, "must be null when argument #1 ($lifetime_or_options) is an array"));
            }
            for (key, value) in options.iter() {
                let Key::Str(key) = key else {
                    voice.warning("Argument #1 ($lifetime_or_options) cannot contain numeric keys")?;
                    continue;
                };
                let Some((name, _)) = COOKIE.iter().find(|(name, _)| key.eq_ignore_ascii_case(name.as_bytes())) else {
                    let message = format!("Argument #1 ($lifetime_or_options) contains an unrecognized key \"{key}\"");
                    voice.warning(&message)?;
                    continue;
                };
                let value = value.deref();
                let text = match *name {
                    "secure" | "httponly" => truth(convert::to_bool(&value)),
                    _ => convert::to_str(call.vm, &value)?,
                };
                given.push((name, text));
            }
            if given.is_empty() {
                return Err(call.value_error(0, "must contain at least 1 valid key"));
            }
        }
        None => {
            given.push((COOKIE[0].0, PhpStr::from(call.int(0).to_string().as_str())));
            for (index, name) in [(1, COOKIE[1].0), (2, COOKIE[2].0)] {
                given.extend(call.opt_str(index).map(|value| (name, value)));
            }
            for (index, name) in [(3, COOKIE[3].0), (4, COOKIE[4].0)] {
                given.extend(call.opt_bool(index).map(|value| (name, truth(value))));
            }
        }
    }
    for (name, setting) in COOKIE {
        for (_, value) in given.iter().filter(|row| row.0 == name) {
            if !voice.set(setting, value.clone())? {
                return Ok(Val::FALSE);
            }
        }
    }
    Ok(Val::TRUE)
}

fn session_write_close(call: &mut Call<'_>) -> PhpResult<Val> {
    control::flush(&Voice::of(call), true).map(Val::bool)
}

fn session_abort(call: &mut Call<'_>) -> PhpResult<Val> {
    control::abort(&Voice::of(call)).map(Val::bool)
}

fn session_reset(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    Ok(Val::bool(voice.session().is_active() && control::initialize(&voice)?))
}

fn session_status(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(match Voice::of(call).session().status.get() {
        Status::Disabled => 0,
        Status::None => 1,
        Status::Active => 2,
    }))
}

fn session_register_shutdown(call: &mut Call<'_>) -> PhpResult<Val> {
    register_shutdown(&Voice::of(call))?;
    Ok(Val::NULL)
}

/// The session is saved with the shutdown functions, while objects live.
pub fn register_shutdown(voice: &Voice<'_>) -> PhpResult<()> {
    let callee: Callee = voice.vm.require_callable(&"session_write_close".into())?;
    voice.vm.shutdown_functions.borrow_mut().push_back((callee, Vec::new()));
    Ok(())
}

fn session_start(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    let session = voice.session();
    if session.is_active() {
        let message = match &*session.started_at.borrow() {
            Some((file, line)) if *line > 0 => format!(
                "Ignoring session_start() because a session is already active (started from {file} on line {line})"
            ),
            _ => "Ignoring session_start() because a session is already automatically active".to_owned(),
        };
        voice.raise(Level::Notice, &message)?;
        return Ok(Val::TRUE);
    }
    if call.vm.ini.get(&settings::USE_COOKIES) && headers::is_sent(&voice) {
        voice.warning("Session cannot be started after headers have already been sent")?;
        return Ok(Val::FALSE);
    }
    let mut closes = false;
    for (key, value) in call.arr(0).iter() {
        let Key::Str(key) = key else { continue };
        let value = value.deref();
        if !matches!(value.view(), View::Str(_) | View::Bool(_) | View::Int(_)) {
            let given = convert::value_name(&value);
            let text = format!("session_start(): Option \"{key}\" must be of type string|int|bool, {given} given");
            return Err(call.vm.throw_type_error(text.as_bytes()));
        }
        if key.as_bytes() == b"read_and_close" {
            closes = convert::to_int(call.vm, &value)? != 0;
            continue;
        }
        let text = convert::to_str(call.vm, &value)?;
        let setting = call.vm.ini.find(format!("session.{key}").as_bytes());
        if !setting.map_or(Ok(false), |setting| voice.set(setting.def, text))? {
            voice.warning(&format!("Setting option \"{key}\" failed"))?;
        }
    }
    control::start(&voice)?;
    if !session.is_active() {
        session.clear_variables();
        return Ok(Val::FALSE);
    }
    if closes {
        control::flush(&voice, false)?;
    }
    Ok(Val::TRUE)
}
