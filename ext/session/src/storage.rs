//! The operations of the modules: open, read, write and the others. PHP's own module keeps files; the module `user`
//! calls functions.

use crate::files::{self, Files};
use crate::settings;
use crate::state::{Module, Session, Status, Voice};
use phlox_runtime::{Level, PhpResult, PhpStr, Throw, Val, View, convert};

const OPEN: usize = 0;
const CLOSE: usize = 1;
const READ: usize = 2;
const WRITE: usize = 3;
const DESTROY: usize = 4;
const GC: usize = 5;
pub const CREATE_SID: usize = 6;
pub const VALIDATE: usize = 7;
const UPDATE: usize = 8;

fn defined(session: &Session, callback: usize) -> bool {
    !session.callbacks.borrow()[callback].is_null() && !session.callbacks.borrow()[callback].is_undef()
}

/// Calls a function of the handler. `None`, with a warning, if the handler is running already.
fn call(voice: &Voice<'_>, callback: usize, args: Vec<Val>) -> PhpResult<Option<Val>> {
    let session = voice.session();
    if session.in_handler.get() {
        session.in_handler.set(false);
        voice.warning("Cannot call session save handler in a recursive manner")?;
        return Ok(None);
    }
    let function = session.callbacks.borrow()[callback].clone();
    session.in_handler.set(true);
    let result = voice.vm.call_value(&function, args);
    if !matches!(result, Err(Throw::Fatal)) {
        session.in_handler.set(false);
    }
    result.map(|value| Some(value.into_deref()))
}

fn truth(voice: &Voice<'_>, value: Option<Val>) -> PhpResult<bool> {
    let Some(value) = value else { return Ok(false) };
    let wrong =
        || format!("Session callback must have a return value of type bool, {} returned", convert::value_name(&value));
    match value.view() {
        View::Bool(truth) => Ok(truth),
        View::Int(number @ (0 | -1)) => {
            voice.raise(Level::Deprecated, &wrong())?;
            Ok(number == 0)
        }
        _ => Err(voice.vm.throw_type_error(wrong().as_bytes())),
    }
}

/// Opens the storage that `session.save_handler` names; false if that fails.
pub fn open(voice: &Voice<'_>) -> PhpResult<bool> {
    let session = voice.session();
    let path = voice.vm.ini.get(&settings::SAVE_PATH);
    if session.module.get() == Module::Files {
        return open_files(voice, &path);
    }
    if !defined(&session, OPEN) {
        voice.warning("User session functions are not defined")?;
        return Ok(false);
    }
    let result = call(voice, OPEN, vec![path.into(), voice.vm.ini.get(&settings::NAME).into()]);
    if result.is_err() {
        session.status.set(Status::None);
    } else {
        session.user_open.set(true);
    }
    truth(voice, result?)
}

/// Opens the files module at a save path; false if that fails.
pub fn open_files(voice: &Voice<'_>, path: &[u8]) -> PhpResult<bool> {
    let files = Files::open(voice, path)?;
    let opened = files.is_some();
    *voice.session().files.borrow_mut() = files;
    Ok(opened)
}

/// Closes the storage; the user's handler is called only if it is open.
pub fn close(voice: &Voice<'_>) -> PhpResult<bool> {
    let session = voice.session();
    if session.module.get() == Module::Files {
        *session.files.borrow_mut() = None;
        return Ok(true);
    }
    if !session.user_open.get() {
        return Ok(true);
    }
    let result = call(voice, CLOSE, Vec::new());
    session.user_open.set(false);
    truth(voice, result?)
}

/// Closes the storage after an exception, without calling the handler.
pub fn give_up(voice: &Voice<'_>) {
    let session = voice.session();
    session.user_open.set(false);
    *session.files.borrow_mut() = None;
    session.status.set(Status::None);
}

/// Lets the files module work on its open data.
pub fn with_files<T>(voice: &Voice<'_>, absent: T, work: impl FnOnce(&mut Files) -> PhpResult<T>) -> PhpResult<T> {
    let session = voice.session();
    let taken = session.files.borrow_mut().take();
    let Some(mut files) = taken else { return Ok(absent) };
    let result = work(&mut files);
    *session.files.borrow_mut() = Some(files);
    result
}

fn is_files(voice: &Voice<'_>) -> bool {
    voice.session().module.get() == Module::Files
}

/// The session's text; `None` on failure.
pub fn read(voice: &Voice<'_>, id: &PhpStr) -> PhpResult<Option<PhpStr>> {
    if is_files(voice) {
        return with_files(voice, None, |files| files.read(voice, id));
    }
    let text = call(voice, READ, vec![id.into()])?;
    Ok(text.filter(|text| text.as_str().is_some()).and_then(Val::into_str))
}

/// Writes the session's text; false on failure.
pub fn write(voice: &Voice<'_>, id: &PhpStr, text: &PhpStr) -> PhpResult<bool> {
    if is_files(voice) {
        return with_files(voice, false, |files| files.write(voice, id, text));
    }
    let written = call(voice, WRITE, vec![id.into(), text.into()])?;
    truth(voice, written)
}

/// Renews the time of a session whose text has not changed. A handler without `updateTimestamp` writes the text.
pub fn update(voice: &Voice<'_>, id: &PhpStr, text: &PhpStr) -> PhpResult<bool> {
    if is_files(voice) {
        return with_files(voice, false, |files| files.touch(voice, id, text));
    }
    let callback = if defined(&voice.session(), UPDATE) { UPDATE } else { WRITE };
    let updated = call(voice, callback, vec![id.into(), text.into()])?;
    truth(voice, updated)
}

/// Removes the session; false on failure.
pub fn destroy(voice: &Voice<'_>, id: &PhpStr) -> PhpResult<bool> {
    if is_files(voice) {
        return with_files(voice, false, |files| Ok(files.destroy(id)));
    }
    let destroyed = call(voice, DESTROY, vec![id.into()])?;
    truth(voice, destroyed)
}

/// Removes old sessions; gives their number, which is negative on failure.
pub fn collect(voice: &Voice<'_>) -> PhpResult<i64> {
    let lifetime = voice.vm.ini.get(&settings::GC_MAXLIFETIME);
    if is_files(voice) {
        return with_files(voice, -1, |files| files.collect(voice, lifetime));
    }
    let count = call(voice, GC, vec![Val::int(lifetime)])?;
    Ok(match count.as_ref().map(Val::view) {
        Some(View::Int(count)) => count,
        Some(View::Bool(true)) => 1,
        _ => -1,
    })
}

/// Does a session of this id exist, as far as the module can tell?
pub fn validate(voice: &Voice<'_>, id: &PhpStr) -> PhpResult<bool> {
    if is_files(voice) {
        return with_files(voice, false, |files| Ok(files.exists(id)));
    }
    if !defined(&voice.session(), VALIDATE) {
        return Ok(true);
    }
    let valid = call(voice, VALIDATE, vec![id.into()])?;
    truth(voice, valid)
}

/// Can the module tell whether a session exists?
pub fn validates(voice: &Voice<'_>) -> bool {
    is_files(voice) || defined(&voice.session(), VALIDATE)
}

/// A new id by the module.
pub fn create_id(voice: &Voice<'_>) -> PhpResult<PhpStr> {
    let session = voice.session();
    if is_files(voice) || !defined(&session, CREATE_SID) {
        return create_file_id(voice);
    }
    match call(voice, CREATE_SID, Vec::new())? {
        None => Err(voice.vm.throw_error(b"No session id returned by function")),
        Some(id) if id.as_str().is_none() => Err(voice.vm.throw_error(b"Session id must be a string")),
        Some(id) => Ok(id.into_str().unwrap_or_else(PhpStr::empty)),
    }
}

/// A new id that no file has.
pub fn create_file_id(voice: &Voice<'_>) -> PhpResult<PhpStr> {
    loop {
        let id = random_id(voice);
        if !with_files(voice, false, |files| Ok(files.exists(&id)))? {
            return Ok(id);
        }
    }
}

/// A random id with the length and the alphabet of the settings; empty if the system gives no random bytes.
pub fn random_id(voice: &Voice<'_>) -> PhpStr {
    const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-,";
    let bits = voice.vm.ini.get(&settings::SID_BITS_PER_CHARACTER).clamp(4, 6);
    let length = voice.vm.ini.get(&settings::SID_LENGTH).clamp(22, 256);
    let mut bytes = vec![0; length as usize];
    if getrandom::fill(&mut bytes).is_err() {
        bytes.clear();
    }
    let mask = (1u8 << bits) - 1;
    let id: Vec<u8> = bytes.iter().map(|byte| DIGITS[(byte & mask) as usize]).collect();
    PhpStr::new(&id)
}

/// Whether the files module accepts the id.
pub fn is_valid_id(id: &[u8]) -> bool {
    files::is_id(id)
}
