//! The progress of uploads, which other requests of the session can ask for while a form arrives.

use crate::control;
use crate::settings::{self, Frequency};
use crate::state::{Session, Status, Voice, request_value};
use phlox_ext_standard::request::multipart::Observer;
use phlox_runtime::{Key, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// An observer, if the settings want one.
pub fn observer(vm: &Vm, content_length: u64) -> Option<Box<dyn Observer>> {
    if !vm.ini.get(&settings::UPLOAD_ENABLED) {
        return None;
    }
    Some(Box::new(Progress {
        content_length,
        id: None,
        key: None,
        carries_id: false,
        data: None,
        files: Vec::new(),
        processed: 0,
        next_bytes: 0,
        next_time: None,
        is_cancelled: false,
    }))
}

/// The progress of a form that arrives.
struct Progress {
    content_length: u64,
    /// The session's id, from a place that the settings allow.
    id: Option<PhpStr>,
    /// The name of the session's variable, once a field of the form has named it.
    key: Option<PhpStr>,
    /// The id came with the form and not in a cookie.
    carries_id: bool,
    /// The progress data without the files; `None` until a file has begun.
    data: Option<PhpArr>,
    files: Vec<PhpArr>,
    processed: u64,
    /// The number of bytes at which the session is written again.
    next_bytes: u64,
    next_time: Option<Instant>,
    /// A script has cancelled the upload.
    is_cancelled: bool,
}

fn now() -> Val {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Val::int(time.as_secs() as i64)
}

fn number(value: u64) -> Val {
    Val::int(i64::try_from(value).unwrap_or(i64::MAX))
}

impl Progress {
    fn voice(vm: &Vm) -> Voice<'_> {
        Voice { vm, prefix: b"PHP Request Startup: ".to_vec() }
    }

    fn is_followed(&self) -> bool {
        self.id.is_some() && self.key.is_some()
    }

    fn find_id(&mut self, vm: &Vm) {
        let name = vm.ini.get(&settings::NAME);
        if vm.ini.get(&settings::USE_COOKIES)
            && let Some(id) = request_value(vm, "_COOKIE", &name)
        {
            self.carries_id = false;
            self.id = Some(id);
        } else if !vm.ini.get(&settings::USE_ONLY_COOKIES)
            && let Some(id) = request_value(vm, "_GET", &name)
        {
            self.id = Some(id);
        }
    }

    /// Bytes between two writes of the session: a number, or a share of the body.
    fn step(&self, vm: &Vm) -> u64 {
        match vm.ini.get(&settings::UPLOAD_FREQ) {
            Frequency::Bytes(bytes) => bytes,
            Frequency::Percent(share) => self.content_length.saturating_mul(share) / 100,
        }
    }

    fn begin(&mut self, vm: &Vm) {
        let rows = [
            ("start_time", now()),
            ("content_length", number(self.content_length)),
            ("bytes_processed", number(self.processed)),
            ("done", Val::FALSE),
            ("files", PhpArr::new().into()),
        ];
        let mut data = PhpArr::new();
        for (name, value) in rows {
            data.set_bytes(name.as_bytes(), value);
        }
        self.data = Some(data);
        *Session::of(vm).id.borrow_mut() = self.id.clone();
        if self.carries_id {
            vm.ini.put(&settings::USE_TRANS_SID, PhpStr::intern(b"1"));
            vm.ini.put(&settings::USE_ONLY_COOKIES, PhpStr::intern(b"0"));
        }
        Session::of(vm).send_cookie.set(false);
    }

    fn set_in_file(&mut self, name: &str, value: Val) {
        if let Some(file) = self.files.last_mut() {
            file.set_bytes(name.as_bytes(), value);
        }
    }

    /// Writes the session, if it is time.
    fn update(&mut self, vm: &Vm, is_last: bool) {
        if !is_last {
            if self.processed < self.next_bytes {
                return;
            }
            if let Ok(pause) = Duration::try_from_secs_f64(vm.ini.get(&settings::UPLOAD_MIN_FREQ))
                && !pause.is_zero()
            {
                if self.next_time.is_some_and(|next| Instant::now() < next) {
                    return;
                }
                self.next_time = Instant::now().checked_add(pause);
            }
            self.next_bytes = self.processed.saturating_add(self.step(vm));
        }
        let _ = self.write(vm, true);
    }

    /// Opens the session, sets or removes the variable, and closes it again.
    fn write(&mut self, vm: &Vm, stays: bool) -> PhpResult<()> {
        let (voice, session) = (Self::voice(vm), Session::of(vm));
        control::initialize(&voice)?;
        session.status.set(Status::Active);
        if let (Some(mut variables), Some(key)) = (session.variables(), &self.key) {
            let known = variables.get_bytes(key).map(Val::deref);
            let is_true = |value: &Val| value.deref().as_bool() == Some(true);
            let known = known.as_ref().and_then(|known| known.as_arr()?.get_bytes(b"cancel_upload"));
            self.is_cancelled |= known.is_some_and(is_true);
            match &self.data {
                Some(data) if stays => {
                    let mut data = data.clone();
                    data.set_bytes(b"bytes_processed", number(self.processed));
                    let files: PhpArr = self.files.iter().map(|file| Val::from(file.clone())).collect();
                    data.set_bytes(b"files", files.into());
                    variables.insert(Key::Str(key), data.into());
                }
                _ => drop(variables.remove(Key::Str(key))),
            }
            if let Some(place) = &*session.vars.borrow() {
                place.set(variables.into());
            }
        }
        control::flush(&voice, true).map(drop)
    }
}

impl Observer for Progress {
    fn field(&mut self, vm: &Vm, name: &[u8], value: &[u8]) {
        if self.is_followed() {
            return;
        }
        if name == vm.ini.get(&settings::NAME).as_bytes() {
            self.id = Some(PhpStr::new(value));
        } else if name == vm.ini.get(&settings::UPLOAD_NAME).as_bytes() {
            let prefix = vm.ini.get(&settings::UPLOAD_PREFIX);
            self.key = Some(PhpStr::new(&[&prefix[..], value].concat()));
            self.carries_id = vm.ini.get(&settings::USE_TRANS_SID) && !vm.ini.get(&settings::USE_ONLY_COOKIES);
            self.find_id(vm);
        }
    }

    fn file_start(&mut self, vm: &Vm, field: &[u8], name: &[u8], arrived: u64) -> bool {
        if !self.is_followed() {
            return true;
        }
        self.processed = arrived;
        if self.data.is_none() {
            self.begin(vm);
        }
        let rows = [
            ("field_name", Val::str(field)),
            ("name", Val::str(name)),
            ("tmp_name", Val::NULL),
            ("error", Val::int(0)),
            ("done", Val::FALSE),
            ("start_time", now()),
            ("bytes_processed", number(arrived)),
        ];
        let mut file = PhpArr::new();
        for (name, value) in rows {
            file.set_bytes(name.as_bytes(), value);
        }
        self.files.push(file);
        self.update(vm, false);
        !self.is_cancelled
    }

    fn file_data(&mut self, vm: &Vm, length: u64, arrived: u64) -> bool {
        if self.is_followed() {
            self.set_in_file("bytes_processed", number(length));
            self.processed = arrived;
            self.update(vm, false);
        }
        !self.is_cancelled
    }

    fn file_end(&mut self, vm: &Vm, stored: Option<&[u8]>, error: i64, arrived: u64) {
        if !self.is_followed() {
            return;
        }
        if let Some(path) = stored {
            self.set_in_file("tmp_name", Val::str(path));
        }
        self.set_in_file("error", Val::int(error));
        self.set_in_file("done", Val::TRUE);
        self.processed = arrived;
        self.update(vm, false);
    }

    fn end(&mut self, vm: &Vm, arrived: u64) {
        if !self.is_followed() {
            return;
        }
        if vm.ini.get(&settings::UPLOAD_CLEANUP) {
            let _ = self.write(vm, false);
        } else if let Some(data) = &mut self.data {
            data.set_bytes(b"done", Val::TRUE);
            self.processed = arrived;
            self.update(vm, true);
        }
        // The script's own session starts afresh.
        let session = Session::of(vm);
        session.status.set(Status::None);
        drop(session.id.replace(None));
        drop(session.vars.replace(None));
        session.define_sid.set(true);
        vm.globals.unset(&PhpStr::intern(b"_SESSION"));
    }
}
