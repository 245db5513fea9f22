//! The life of a session: start, save, destroy.

use crate::format::Format;
use crate::settings;
use crate::state::{Module, Session, Status, Voice, request_value};
use crate::{headers, storage};
use phlox_ext_standard::rewriter::{self, Owner};
use phlox_runtime::{Level, PhpArr, PhpResult, PhpStr};

/// The session's variables as text; `None`, with a warning, if there are none.
pub fn encode(voice: &Voice<'_>) -> PhpResult<Option<PhpStr>> {
    let Some(variables) = voice.session().variables() else {
        voice.warning("Cannot encode non-existent session")?;
        return Ok(None);
    };
    match Format::find(&voice.vm.ini.get(&settings::SERIALIZE_HANDLER)) {
        Some(format) => format.encode(voice, &variables),
        None => {
            voice.warning("Unknown session.serialize_handler. Failed to encode session object")?;
            Ok(None)
        }
    }
}

/// Reads the session's variables from a text; false, with a warning, if that is impossible.
pub fn decode(voice: &Voice<'_>, text: &PhpStr) -> PhpResult<bool> {
    let Some(format) = Format::find(&voice.vm.ini.get(&settings::SERIALIZE_HANDLER)) else {
        voice.warning("Unknown session.serialize_handler. Failed to decode session object")?;
        return Ok(false);
    };
    if format.decode(voice, text)? {
        return Ok(true);
    }
    destroy(voice)?;
    voice.session().track(voice.vm, PhpArr::new());
    voice.warning("Failed to decode session object. Session has been destroyed")?;
    Ok(false)
}

fn place(voice: &Voice<'_>) -> String {
    let module = voice.session().module.get().name();
    format!("{module} (path: {})", voice.vm.ini.get(&settings::SAVE_PATH))
}

/// Opens the module and reads the data.
pub fn initialize(voice: &Voice<'_>) -> PhpResult<bool> {
    let result = initialize_or_throw(voice);
    if result.is_err() {
        storage::give_up(voice);
    }
    result
}

fn initialize_or_throw(voice: &Voice<'_>) -> PhpResult<bool> {
    let session = voice.session();
    session.status.set(Status::Active);
    *session.started_at.borrow_mut() = Some(voice.vm.position());
    if !storage::open(voice)? {
        abort(voice)?;
        voice.warning(&format!("Failed to initialize storage module: {}", place(voice)))?;
        return Ok(false);
    }
    let given = session.id.borrow().clone().filter(|id| !id.is_empty());
    let uses_cookies = voice.vm.ini.get(&settings::USE_COOKIES);
    let accepted = match &given {
        None => false,
        Some(id) => !voice.vm.ini.get(&settings::USE_STRICT_MODE) || storage::validate(voice, id)?,
    };
    if !accepted {
        let id = storage::create_id(voice)?;
        *session.id.borrow_mut() = Some(id);
        if uses_cookies {
            session.send_cookie.set(true);
        }
    }
    if !reset_id(voice)? {
        abort(voice)?;
        return Ok(false);
    }
    session.track(voice.vm, PhpArr::new());
    let id = session.id.borrow().clone().unwrap_or_else(PhpStr::empty);
    let Some(text) = storage::read(voice, &id)? else {
        abort(voice)?;
        *session.id.borrow_mut() = None;
        voice.warning(&format!("Failed to read session data: {}", place(voice)))?;
        return Ok(false);
    };
    collect(voice, false)?;
    *session.old.borrow_mut() = voice.vm.ini.get(&settings::LAZY_WRITE).then(|| text.clone());
    decode(voice, &text)?;
    Ok(true)
}

/// Adds the id to the URLs and forms of pages, if no cookie has it.
fn rewrite_pages(voice: &Voice<'_>, name: &PhpStr, id: &PhpStr) -> PhpResult<()> {
    let ini = &voice.vm.ini;
    let by_cookie = || ini.get(&settings::USE_COOKIES) && request_value(voice.vm, "_COOKIE", name).is_some();
    if !ini.get(&settings::USE_TRANS_SID) || ini.get(&settings::USE_ONLY_COOKIES) || by_cookie() {
        return Ok(());
    }
    rewriter::remove(voice.vm, Owner::Session, name);
    rewriter::add(voice.vm, Owner::Session, name, id)
}

/// Sends the client a new id.
pub fn reset_id(voice: &Voice<'_>) -> PhpResult<bool> {
    let session = voice.session();
    let Some(id) = session.id.borrow().clone() else {
        voice.warning("Cannot set session ID - session ID is not initialized")?;
        return Ok(false);
    };
    if voice.vm.ini.get(&settings::USE_COOKIES) && session.send_cookie.get() {
        headers::send_cookie(voice, &id)?;
        session.send_cookie.set(false);
    }
    let name = voice.vm.ini.get(&settings::NAME);
    let sid = if session.define_sid.get() { [name.as_bytes(), b"=", &id].concat() } else { Vec::new() };
    voice.vm.constants.borrow_mut().insert(PhpStr::intern(b"SID"), PhpStr::new(&sid).into());
    rewrite_pages(voice, &name, &id)?;
    Ok(true)
}

/// `session_start` after its options.
pub fn start(voice: &Voice<'_>) -> PhpResult<bool> {
    let session = voice.session();
    match session.status.get() {
        Status::Active => return Ok(false),
        Status::Disabled => {
            let handler = voice.vm.ini.get(&settings::SAVE_HANDLER);
            match Module::find(&handler) {
                Some(module) => session.module.set(module),
                None => {
                    voice
                        .warning(&format!("Cannot find session save handler \"{handler}\" - session startup failed"))?;
                    return Ok(false);
                }
            }
            let format = voice.vm.ini.get(&settings::SERIALIZE_HANDLER);
            if Format::find(&format).is_none() {
                voice.warning(&format!(
                    "Cannot find session serialization handler \"{format}\" - session startup failed"
                ))?;
                return Ok(false);
            }
            session.status.set(Status::None);
        }
        Status::None => {}
    }
    let ini = &voice.vm.ini;
    let only_cookies = ini.get(&settings::USE_ONLY_COOKIES);
    session.define_sid.set(!only_cookies);
    session.send_cookie.set(ini.get(&settings::USE_COOKIES) || only_cookies);
    let absent = session.id.borrow().is_none();
    if absent {
        find_id(voice, &session, only_cookies);
    }
    if !initialize(voice)? {
        return Ok(false);
    }
    headers::limit_caching(voice)?;
    Ok(true)
}

/// The id that the client sent.
fn find_id(voice: &Voice<'_>, session: &Session, only_cookies: bool) {
    let name = voice.vm.ini.get(&settings::NAME);
    let mut found = None;
    if voice.vm.ini.get(&settings::USE_COOKIES) {
        found = request_value(voice.vm, "_COOKIE", &name);
        if found.is_some() {
            session.send_cookie.set(false);
            session.define_sid.set(false);
        }
    }
    if !only_cookies && found.is_none() {
        found = request_value(voice.vm, "_GET", &name).or_else(|| request_value(voice.vm, "_POST", &name));
    }
    let referer = voice.vm.ini.get(&settings::REFERER_CHECK);
    if !only_cookies && found.is_some() && !referer.is_empty() {
        let from = request_value(voice.vm, "_SERVER", b"HTTP_REFERER").filter(|from| !from.is_empty());
        // Ids that come from pages of other sites are ignored.
        if from.is_some_and(|from| !from.windows(referer.len()).any(|part| part == referer.as_bytes())) {
            found = None;
        }
    }
    let dangerous = |byte: &u8| matches!(byte, b'\r' | b'\n' | b'\t' | b' ' | b'<' | b'>' | b'\'' | b'"' | b'\\');
    *session.id.borrow_mut() = found.filter(|id| !id.is_empty() && !id.iter().any(dangerous));
}

/// Writes the session's variables, or only renews its time if `session.lazy_write` is set and nothing has changed.
pub fn save(voice: &Voice<'_>) -> PhpResult<()> {
    let session = voice.session();
    if session.variables().is_none() || !session.is_open() {
        return Ok(());
    }
    let text = encode(voice)?.unwrap_or_else(PhpStr::empty);
    let id = session.id.borrow().clone().unwrap_or_else(PhpStr::empty);
    // A session without variables is always written.
    let unchanged =
        voice.vm.ini.get(&settings::LAZY_WRITE) && !text.is_empty() && session.old.borrow().as_ref() == Some(&text);
    let (written, function) = match unchanged {
        true if session.handler_class.borrow().is_some() => (storage::update(voice, &id, &text)?, "updateTimestamp"),
        true => (storage::update(voice, &id, &text)?, "update_timestamp"),
        false => (storage::write(voice, &id, &text)?, "write"),
    };
    if written {
        return Ok(());
    }
    let path = voice.vm.ini.get(&settings::SAVE_PATH);
    let class = session.handler_class.borrow().clone();
    let message = match (session.module.get(), class) {
        (Module::User, Some(class)) => format!(
            "Failed to write session data using user defined save handler. (session.save_path: {path}, handler: \
             {class}::{function})"
        ),
        (Module::User, None) => format!(
            "Failed to write session data using user defined save handler. (session.save_path: {path}, handler: \
             {function})"
        ),
        (module, _) => format!(
            "Failed to write session data ({}). Please verify that the current setting of session.save_path is \
             correct ({path})",
            module.name()
        ),
    };
    voice.warning(&message)
}

/// Ends the session, with or without saving it.
pub fn flush(voice: &Voice<'_>, saves: bool) -> PhpResult<bool> {
    let session = voice.session();
    if !session.is_active() {
        return Ok(false);
    }
    let result = if saves { save(voice) } else { Ok(()) };
    let result = result.and_then(|()| if session.is_open() { storage::close(voice).map(drop) } else { Ok(()) });
    if result.is_err() {
        storage::give_up(voice);
    }
    session.status.set(Status::None);
    result.map(|()| true)
}

/// Ends the session without saving it.
pub fn abort(voice: &Voice<'_>) -> PhpResult<bool> {
    flush(voice, false)
}

/// Removes the session from its storage and ends it.
pub fn destroy(voice: &Voice<'_>) -> PhpResult<bool> {
    let session = voice.session();
    if !session.is_active() {
        voice.warning("Trying to destroy uninitialized session")?;
        return Ok(false);
    }
    let id = session.id.borrow().clone();
    let result = match &id {
        Some(id) => storage::destroy(voice, id),
        None => Ok(true),
    };
    let destroyed = match result {
        Ok(destroyed) => destroyed,
        Err(thrown) => {
            forget(voice)?;
            return Err(thrown);
        }
    };
    if !destroyed {
        voice.warning("Session object destruction failed")?;
    }
    forget(voice)?;
    Ok(destroyed)
}

/// Resets the engine's state of the session; `$_SESSION` stays.
fn forget(voice: &Voice<'_>) -> PhpResult<()> {
    let session = voice.session();
    drop(session.vars.replace(None));
    if session.is_open() {
        let closed = storage::close(voice);
        if closed.is_err() {
            storage::give_up(voice);
        }
        closed?;
    }
    *session.id.borrow_mut() = None;
    *session.old.borrow_mut() = None;
    session.in_handler.set(false);
    session.parent_open.set(false);
    session.status.set(Status::None);
    Ok(())
}

/// Removes old sessions: always, or with the probability of the settings.
pub fn collect(voice: &Voice<'_>, always: bool) -> PhpResult<i64> {
    if !voice.session().is_open() {
        return Ok(-1);
    }
    let (probability, divisor) = (voice.vm.ini.get(&settings::GC_PROBABILITY), voice.vm.ini.get(&settings::GC_DIVISOR));
    let chosen = || {
        let mut bytes = [0; 4];
        let drawn = getrandom::fill(&mut bytes).map_or(0, |()| u32::from_ne_bytes(bytes));
        probability > 0 && (drawn as f64 / u32::MAX as f64 * divisor as f64) < probability as f64
    };
    if always || chosen() { storage::collect(voice) } else { Ok(-1) }
}

/// `session_regenerate_id`
pub fn regenerate(voice: &Voice<'_>, deletes: bool) -> PhpResult<bool> {
    let session = voice.session();
    let old = session.id.borrow().clone().unwrap_or_else(PhpStr::empty);
    let failed = |what: &str| {
        let module = session.module.get().name();
        format!("{what}: {module} (path: {})", voice.vm.ini.get(&settings::SAVE_PATH))
    };
    if deletes {
        if !storage::destroy(voice, &old)? {
            storage::close(voice)?;
            session.status.set(Status::None);
            voice.raise(Level::Warning, &failed("Session object destruction failed. ID"))?;
            return Ok(false);
        }
    } else {
        let text = encode(voice)?.unwrap_or_else(PhpStr::empty);
        if !storage::write(voice, &old, &text)? {
            storage::close(voice)?;
            session.status.set(Status::None);
            voice.warning(&failed("Session write failed. ID"))?;
            return Ok(false);
        }
    }
    storage::close(voice)?;
    *session.old.borrow_mut() = None;
    *session.id.borrow_mut() = None;
    let fail = |what: &str| {
        session.status.set(Status::None);
        voice.vm.throw_error(failed(what).as_bytes())
    };
    if !storage::open(voice)? {
        return Err(fail("Failed to open session"));
    }
    let mut id = storage::create_id(voice)?;
    if voice.vm.ini.get(&settings::USE_STRICT_MODE) && storage::validates(voice) && storage::validate(voice, &id)? {
        id = storage::create_id(voice)?;
    }
    *session.id.borrow_mut() = Some(id.clone());
    if storage::read(voice, &id)?.is_none() {
        storage::close(voice)?;
        return Err(fail("Failed to create(read) session ID"));
    }
    if voice.vm.ini.get(&settings::USE_COOKIES) {
        session.send_cookie.set(true);
    }
    reset_id(voice)
}
