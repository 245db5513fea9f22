//! The handle of one transfer, its options and its results.

use crate::callbacks::{
    Handler, Hooks, on_connected, on_debug, on_header, on_host_key, on_match, on_progress, on_read, on_transfer,
    on_write, resume,
};
use crate::mime::Form;
use crate::multi::Share;
use crate::options::{OptionKind, option_kind};
use crate::{Code, MimePart, OK, OUT_OF_MEMORY, c_text, copied, start, sys};
use std::cell::RefCell;
use std::ffi::{c_int, c_long, c_void};
use std::ptr;
use std::rc::Rc;

/// A list of texts that libcurl allocated.
struct List(*mut sys::Slist);

impl Drop for List {
    fn drop(&mut self) {
        // SAFETY: the list is freed only here. The handles that used it are cleaned up or use another list.
        unsafe { sys::curl_slist_free_all(self.0) };
    }
}

/// A property of a transfer, by libcurl's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info(pub i32);

/// The value of a property.
pub enum InfoValue {
    Text(Option<Vec<u8>>),
    Int(i64),
    Double(f64),
    List(Vec<Vec<u8>>),
    /// The certificates of the server's chain, each as a list of its parts.
    Certificates(Vec<Vec<Vec<u8>>>),
}

const INFO_KIND: i32 = 0xf0_0000;
const INFO_CERTIFICATES: i32 = 0x40_0000 + 34;

const OPT_WRITE_DATA: c_int = 10_001;
const OPT_READ_DATA: c_int = 10_009;
const OPT_ERROR_BUFFER: c_int = 10_010;
const OPT_WRITE: c_int = 20_011;
const OPT_READ: c_int = 20_012;
const OPT_HEADER_DATA: c_int = 10_029;
const OPT_SHARE: c_int = 10_100;
const OPT_HEADER: c_int = 20_079;
const OPT_COPY_POST_FIELDS: c_int = 10_165;
const OPT_POST_FIELD_SIZE_LARGE: c_int = 30_120;
const OPT_MIME_POST: c_int = 10_269;

/// The callbacks that are set only on demand: the option of the function, and that of its data.
const CALLBACKS: [(CallbackKind, c_int, c_int); 6] = [
    (CallbackKind::Progress, 20_056, 10_057),
    (CallbackKind::Transferred, 20_219, 10_057),
    (CallbackKind::Debug, 20_094, 10_095),
    (CallbackKind::Matches, 20_200, 10_202),
    (CallbackKind::Connected, 20_312, 10_313),
    (CallbackKind::HostKey, 20_316, 10_317),
];

/// A callback that is off at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallbackKind {
    Progress,
    Transferred,
    Debug,
    Matches,
    Connected,
    HostKey,
}

impl CallbackKind {
    fn function(self) -> *const c_void {
        match self {
            CallbackKind::Progress => on_progress as *const c_void,
            CallbackKind::Transferred => on_transfer as *const c_void,
            CallbackKind::Debug => on_debug as *const c_void,
            CallbackKind::Matches => on_match as *const c_void,
            CallbackKind::Connected => on_connected as *const c_void,
            CallbackKind::HostKey => on_host_key as *const c_void,
        }
    }
}

/// The maximum size of an error message with its NUL.
const MESSAGE_SIZE: usize = 257;

/// The handle of a transfer.
pub struct Easy {
    raw: *mut sys::Curl,
    hooks: Box<Hooks>,
    message: Box<RefCell<[u8; MESSAGE_SIZE]>>,
    /// Lists that are or were in use. Former ones stay, because duplicates of the handle refer to them.
    lists: RefCell<Vec<Rc<List>>>,
    forms: RefCell<Vec<Rc<Form>>>,
    share: RefCell<Option<Rc<Share>>>,
}

impl Easy {
    /// A new handle, whose events go to `handler`. `None` without memory.
    pub fn new(handler: Rc<dyn Handler>) -> Option<Easy> {
        start();
        // SAFETY: `start` initialised libcurl, which is all that this call needs.
        let raw = unsafe { sys::curl_easy_init() };
        (!raw.is_null()).then(|| Easy::with(raw, handler))
    }

    fn with(raw: *mut sys::Curl, handler: Rc<dyn Handler>) -> Easy {
        let easy = Easy {
            raw,
            hooks: Box::new(Hooks(handler)),
            message: Box::new(RefCell::new([0; MESSAGE_SIZE])),
            lists: RefCell::default(),
            forms: RefCell::default(),
            share: RefCell::new(None),
        };
        easy.connect();
        easy
    }

    pub(crate) fn raw(&self) -> *mut sys::Curl {
        self.raw
    }

    fn data(&self) -> *const c_void {
        ptr::from_ref(&*self.hooks).cast()
    }

    /// Sets the callbacks for body, header and content, and the place for error messages.
    fn connect(&self) {
        let (data, message) = (self.data(), self.message.as_ptr());
        // SAFETY: hooks and message are boxed and live as long as the handle; the functions have the types that
        // libcurl expects.
        unsafe {
            sys::curl_easy_setopt(self.raw, OPT_ERROR_BUFFER, message.cast::<c_void>());
            for (option, function) in [
                (OPT_WRITE, on_write as *const c_void),
                (OPT_READ, on_read as *const c_void),
                (OPT_HEADER, on_header as *const c_void),
            ] {
                sys::curl_easy_setopt(self.raw, option, function);
            }
            for option in [OPT_WRITE_DATA, OPT_READ_DATA, OPT_HEADER_DATA] {
                sys::curl_easy_setopt(self.raw, option, data);
            }
        }
    }

    /// A handle with the same options. The callbacks that are on get their new data.
    pub fn duplicate(&self, handler: Rc<dyn Handler>, listens: &[CallbackKind]) -> Option<Easy> {
        // SAFETY: `self` owns the handle; the copy keeps the lists and forms that it refers to.
        let raw = unsafe { sys::curl_easy_duphandle(self.raw) };
        if raw.is_null() {
            return None;
        }
        let easy = Easy::with(raw, handler);
        easy.lists.borrow_mut().extend(self.lists.borrow().iter().cloned());
        easy.forms.borrow_mut().extend(self.forms.borrow().iter().cloned());
        *easy.share.borrow_mut() = self.share.borrow().clone();
        for kind in listens {
            easy.listen(*kind, true);
        }
        Some(easy)
    }

    /// Switches a callback on or off.
    pub fn listen(&self, kind: CallbackKind, on: bool) -> Code {
        let Some((_, function, data)) = CALLBACKS.iter().find(|(known, _, _)| *known == kind) else { return OK };
        let target = if on { kind.function() } else { ptr::null() };
        // SAFETY: the function has the type that this option takes; the hooks live as long as the handle.
        unsafe {
            sys::curl_easy_setopt(self.raw, *data, self.data());
            sys::curl_easy_setopt(self.raw, *function, target)
        }
    }

    /// Resets all options to those of a new handle.
    pub fn reset(&self) {
        // SAFETY: `self` owns the handle, and no transfer of it runs.
        unsafe { sys::curl_easy_reset(self.raw) };
        self.connect();
    }

    /// Sets an option that takes a `long`. Other options are refused.
    pub fn set_long(&self, option: i32, value: i64) -> Code {
        if option_kind(option) != OptionKind::Long {
            return UNKNOWN_OPTION;
        }
        // SAFETY: by libcurl's header this option takes a `long`.
        unsafe { sys::curl_easy_setopt(self.raw, option, value as c_long) }
    }

    /// Sets an option that takes 64 bits. Other options are refused.
    pub fn set_large(&self, option: i32, value: i64) -> Code {
        if option_kind(option) != OptionKind::Large {
            return UNKNOWN_OPTION;
        }
        // SAFETY: by libcurl's header this option takes 64 bits.
        unsafe { sys::curl_easy_setopt(self.raw, option, value) }
    }

    /// Sets an option that takes a text. `None` restores the default. Other options are refused.
    pub fn set_text(&self, option: i32, value: Option<&[u8]>) -> Code {
        if option_kind(option) != OptionKind::Text {
            return UNKNOWN_OPTION;
        }
        let text = value.map(c_text);
        let text = text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        // SAFETY: by libcurl's header this option takes a text, which it copies.
        unsafe { sys::curl_easy_setopt(self.raw, option, text) }
    }

    /// Sets an option that takes bytes. Other options are refused.
    pub fn set_blob(&self, option: i32, value: &[u8]) -> Code {
        if option_kind(option) != OptionKind::Blob {
            return UNKNOWN_OPTION;
        }
        const COPY: u32 = 1;
        let blob = sys::Blob { data: value.as_ptr().cast_mut().cast(), len: value.len(), flags: COPY };
        // SAFETY: by libcurl's header this option takes bytes, which it copies because of the flag.
        unsafe { sys::curl_easy_setopt(self.raw, option, &raw const blob) }
    }

    /// Sets an option that takes a list of texts. Other options are refused.
    pub fn set_list(&self, option: i32, values: &[Vec<u8>]) -> Code {
        if option_kind(option) != OptionKind::List {
            return UNKNOWN_OPTION;
        }
        let mut list = List(ptr::null_mut());
        for value in values {
            let text = c_text(value);
            // SAFETY: the list belongs to `list`; the text is copied. A failure leaves the list unchanged.
            let longer = unsafe { sys::curl_slist_append(list.0, text.as_ptr()) };
            if longer.is_null() {
                return OUT_OF_MEMORY;
            }
            list.0 = longer;
        }
        // SAFETY: by libcurl's header this option takes a list, which lives as long as the handle.
        let code = unsafe { sys::curl_easy_setopt(self.raw, option, list.0) };
        self.lists.borrow_mut().push(Rc::new(list));
        code
    }

    /// Sets the body of a POST request.
    pub fn set_content(&self, content: &[u8]) -> Code {
        // SAFETY: the size is set before the bytes, which are copied.
        unsafe {
            sys::curl_easy_setopt(self.raw, OPT_POST_FIELD_SIZE_LARGE, content.len() as i64);
            // libcurl needs a pointer that is not null, even for no bytes.
            let content = if content.is_empty() { b"\0" } else { content };
            sys::curl_easy_setopt(self.raw, OPT_COPY_POST_FIELDS, content.as_ptr())
        }
    }

    /// Sets the form that a POST request sends.
    pub fn set_form(&self, parts: &[MimePart]) -> Code {
        // SAFETY: `self` owns the handle, which is alive.
        let form = match unsafe { Form::build(self.raw, parts) } {
            Ok(form) => form,
            Err(code) => return code,
        };
        // SAFETY: `forms` keeps the form until the handle is cleaned up.
        let code = unsafe { sys::curl_easy_setopt(self.raw, OPT_MIME_POST, form.raw) };
        self.forms.borrow_mut().push(Rc::new(form));
        code
    }

    /// Makes the transfer use shared data.
    pub fn set_share(&self, share: &Rc<Share>) -> Code {
        // SAFETY: the handle keeps the share alive from here on.
        let code = unsafe { sys::curl_easy_setopt(self.raw, OPT_SHARE, share.raw()) };
        *self.share.borrow_mut() = Some(share.clone());
        code
    }

    /// Runs the transfer to its end.
    pub fn perform(&self) -> Code {
        self.message.borrow_mut()[0] = 0;
        // SAFETY: `self` owns the handle, and the data of its callbacks lives as long.
        let code = unsafe { sys::curl_easy_perform(self.raw) };
        resume();
        code
    }

    /// Pauses or continues the transfer, by the bits of `CURLPAUSE_…`.
    pub fn pause(&self, flags: i32) -> Code {
        // SAFETY: `self` owns the handle, and the data of its callbacks lives as long.
        let code = unsafe { sys::curl_easy_pause(self.raw, flags) };
        resume();
        code
    }

    /// Keeps idle connections of the handle alive.
    pub fn upkeep(&self) -> Code {
        // SAFETY: `curl_easy_upkeep` only needs a handle that is alive, which `self` owns.
        unsafe { sys::curl_easy_upkeep(self.raw) }
    }

    /// libcurl's message about the last error; empty if there is none.
    pub fn message(&self) -> Vec<u8> {
        self.message.borrow().iter().copied().take_while(|&byte| byte != 0).collect()
    }

    /// A text with percent escapes for URLs. `None` if it is too long or memory is missing.
    pub fn escape(&self, text: &[u8]) -> Option<Vec<u8>> {
        let size = c_int::try_from(text.len()).ok()?;
        if text.is_empty() {
            return Some(Vec::new());
        }
        // SAFETY: the size is that of the text; the result is copied and freed.
        unsafe {
            let result = sys::curl_easy_escape(self.raw, text.as_ptr().cast(), size);
            let copy = copied(result);
            sys::curl_free(result.cast());
            copy
        }
    }

    /// A text with its percent escapes decoded. `None` if it is too long or memory is missing.
    pub fn unescape(&self, text: &[u8]) -> Option<Vec<u8>> {
        let (size, mut count) = (c_int::try_from(text.len()).ok()?, 0);
        if text.is_empty() {
            return Some(Vec::new());
        }
        // SAFETY: the size is that of the text; the result has the size that comes with it, is copied and freed.
        unsafe {
            let result = sys::curl_easy_unescape(self.raw, text.as_ptr().cast(), size, &mut count);
            if result.is_null() {
                return None;
            }
            let copy = std::slice::from_raw_parts(result.cast::<u8>(), count.max(0) as usize).to_vec();
            sys::curl_free(result.cast());
            Some(copy)
        }
    }

    /// A property of the transfer; `None` if libcurl has no value.
    pub fn info(&self, info: Info) -> Option<InfoValue> {
        let Info(info) = info;
        // SAFETY: the kind, which is part of the number, says what libcurl writes; lists are copied, and freed if
        // they belong to the caller.
        unsafe {
            match info & INFO_KIND {
                0x10_0000 => {
                    let mut text = ptr::null();
                    let code = sys::curl_easy_getinfo(self.raw, info, &raw mut text);
                    (code == OK).then(|| InfoValue::Text(copied(text)))
                }
                0x20_0000 => {
                    let mut number: c_long = 0;
                    let code = sys::curl_easy_getinfo(self.raw, info, &raw mut number);
                    (code == OK).then_some(InfoValue::Int(number))
                }
                0x30_0000 => {
                    let mut number = 0f64;
                    let code = sys::curl_easy_getinfo(self.raw, info, &raw mut number);
                    (code == OK).then_some(InfoValue::Double(number))
                }
                0x40_0000 if info == INFO_CERTIFICATES => {
                    let mut found: *const sys::CertInfo = ptr::null();
                    let code = sys::curl_easy_getinfo(self.raw, info, &raw mut found);
                    let found = found.as_ref().filter(|_| code == OK)?;
                    let lists = (0..found.count.max(0) as usize).map(|index| texts(*found.lists.add(index)));
                    Some(InfoValue::Certificates(lists.collect()))
                }
                0x40_0000 => {
                    let mut list: *mut sys::Slist = ptr::null_mut();
                    if sys::curl_easy_getinfo(self.raw, info, &raw mut list) != OK {
                        return None;
                    }
                    let owned = List(list);
                    Some(InfoValue::List(texts(owned.0)))
                }
                0x60_0000 => {
                    let mut number = 0i64;
                    let code = sys::curl_easy_getinfo(self.raw, info, &raw mut number);
                    (code == OK).then_some(InfoValue::Int(number))
                }
                _ => None,
            }
        }
    }
}

/// `CURLE_UNKNOWN_OPTION`
pub const UNKNOWN_OPTION: Code = 48;

/// # Safety
/// The pointer is null, or a list that is alive.
unsafe fn texts(list: *const sys::Slist) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    let mut next = list;
    // SAFETY: the contract keeps all entries of the list alive.
    while let Some(entry) = unsafe { next.as_ref() } {
        // SAFETY: the text of an entry ends with NUL.
        texts.extend(unsafe { copied(entry.data) });
        next = entry.next;
    }
    texts
}

impl Drop for Easy {
    fn drop(&mut self) {
        // SAFETY: the handle is cleaned up only here. Forms, lists, share and hooks are dropped after it.
        unsafe { sys::curl_easy_cleanup(self.raw) };
    }
}
