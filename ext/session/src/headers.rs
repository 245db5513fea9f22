//! The headers of a session: its cookie, and how pages may be cached.

use crate::control;
use crate::settings::{self, FORBIDDEN};
use crate::state::Voice;
use phlox_runtime::{PhpArr, PhpResult, PhpStr, Val};
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether the headers of the response have been sent already.
pub fn is_sent(voice: &Voice<'_>) -> bool {
    voice.vm.output.sent.get()
}

fn header(voice: &Voice<'_>, text: Vec<u8>, replaces: bool) -> PhpResult<()> {
    voice.vm.call_value(&"header".into(), vec![PhpStr::new(&text).into(), Val::bool(replaces)]).map(drop)
}

fn date(voice: &Voice<'_>, seconds: i64) -> PhpResult<PhpStr> {
    let format = "D, d M Y H:i:s \\G\\M\\T".into();
    let text = voice.vm.call_value(&"gmdate".into(), vec![format, Val::int(seconds)])?;
    Ok(text.into_str().unwrap_or_else(PhpStr::empty))
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// Sends the session's cookie; false, with a warning, if that is too late or the name is not allowed.
pub fn send_cookie(voice: &Voice<'_>, id: &PhpStr) -> PhpResult<bool> {
    if is_sent(voice) {
        voice.warning("Session cookie cannot be sent after headers have already been sent")?;
        return Ok(false);
    }
    let name = voice.vm.ini.get(&settings::NAME);
    if name.iter().any(|byte| FORBIDDEN.contains(byte)) {
        voice.warning("session.name cannot contain any of the following '=,;.[ \\t\\r\\n\\013\\014'")?;
        return Ok(false);
    }
    let id = voice.vm.call_value(&"urlencode".into(), vec![id.into()])?.into_str().unwrap_or_else(PhpStr::empty);
    let start = [b"Set-Cookie: ", name.as_bytes(), b"="].concat();
    let mut text = [&start[..], &id].concat();
    let lifetime = voice.vm.ini.get(&settings::COOKIE_LIFETIME);
    if lifetime > 0 {
        let expires = date(voice, now().saturating_add(lifetime))?;
        text.extend_from_slice(format!("; expires={expires}; Max-Age={lifetime}").as_bytes());
    }
    for (setting, label) in [(&settings::COOKIE_PATH, "; path="), (&settings::COOKIE_DOMAIN, "; domain=")] {
        let value = voice.vm.ini.get(setting);
        if !value.is_empty() {
            text.extend_from_slice(&[label.as_bytes(), &value].concat());
        }
    }
    for (setting, label) in [(&settings::COOKIE_SECURE, "; secure"), (&settings::COOKIE_HTTPONLY, "; HttpOnly")] {
        if voice.vm.ini.get(setting) {
            text.extend_from_slice(label.as_bytes());
        }
    }
    let same_site = voice.vm.ini.get(&settings::COOKIE_SAMESITE);
    if !same_site.is_empty() {
        text.extend_from_slice(&[b"; SameSite=", same_site.as_bytes()].concat());
    }
    remove_cookie(voice, &start)?;
    header(voice, text, false)?;
    Ok(true)
}

/// Removes a cookie of the session's name that is not sent yet; other cookies stay.
fn remove_cookie(voice: &Voice<'_>, start: &[u8]) -> PhpResult<()> {
    let list = voice.vm.call_value(&"headers_list".into(), Vec::new())?;
    let list = list.as_arr().cloned().unwrap_or_else(PhpArr::new);
    let cookies: Vec<PhpStr> = list.iter().filter_map(|(_, header)| header.deref().into_str()).collect();
    if !cookies.iter().any(|cookie| cookie.starts_with(start)) {
        return Ok(());
    }
    voice.vm.call_value(&"header_remove".into(), vec!["Set-Cookie".into()])?;
    for cookie in cookies.iter().filter(|cookie| cookie.starts_with(b"Set-Cookie:") && !cookie.starts_with(start)) {
        header(voice, cookie.to_vec(), false)?;
    }
    Ok(())
}

/// The headers of the setting `session.cache_limiter`.
pub fn limit_caching(voice: &Voice<'_>) -> PhpResult<()> {
    let limiter = voice.vm.ini.get(&settings::CACHE_LIMITER);
    if limiter.is_empty() || !voice.session().is_active() {
        return Ok(());
    }
    if is_sent(voice) {
        control::abort(voice)?;
        return voice.warning("Session cache limiter cannot be sent after headers have already been sent");
    }
    let expire = voice.vm.ini.get(&settings::CACHE_EXPIRE).saturating_mul(60);
    let expired = "Expires: Thu, 19 Nov 1981 08:52:00 GMT".to_owned();
    let mut lines = match limiter.as_bytes() {
        b"public" => {
            let expires = date(voice, now().saturating_add(expire))?;
            vec![format!("Expires: {expires}"), format!("Cache-Control: public, max-age={expire}")]
        }
        b"private_no_expire" => vec![format!("Cache-Control: private, max-age={expire}")],
        b"private" => vec![expired, format!("Cache-Control: private, max-age={expire}")],
        b"nocache" => {
            let control = "Cache-Control: no-store, no-cache, must-revalidate".to_owned();
            vec![expired, control, "Pragma: no-cache".to_owned()]
        }
        _ => Vec::new(),
    };
    if !matches!(limiter.as_bytes(), b"nocache") && !lines.is_empty() {
        let script = crate::state::request_value(voice.vm, "_SERVER", b"SCRIPT_FILENAME");
        let modified = script.and_then(|script| {
            let path = std::str::from_utf8(&script).ok()?.to_owned();
            let modified = std::fs::metadata(path).ok()?.modified().ok()?;
            Some(modified.duration_since(UNIX_EPOCH).ok()?.as_secs() as i64)
        });
        if let Some(modified) = modified {
            lines.push(format!("Last-Modified: {}", date(voice, modified)?));
        }
    }
    for line in lines {
        header(voice, line.into_bytes(), true)?;
    }
    Ok(())
}
