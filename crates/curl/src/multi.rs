//! Several transfers at once, and data that transfers share.

use crate::callbacks::resume;
use crate::{Code, Easy, OK, start, sys};
use std::cell::RefCell;
use std::ffi::{c_int, c_long};
use std::ptr;
use std::rc::Rc;

/// Transfers that run together.
pub struct Multi {
    raw: *mut sys::CurlMulti,
    running: RefCell<Vec<Rc<Easy>>>,
}

/// A transfer that ended.
pub struct Finished {
    /// libcurl's kind of the message (`CURLMSG_DONE`).
    pub message: i64,
    /// The code of the transfer's result.
    pub result: Code,
    /// The transfer, if it is still in the set.
    pub easy: Option<Rc<Easy>>,
    /// The number of further transfers that have ended.
    pub left: i64,
}

impl Multi {
    /// A set without transfers; `None` without memory.
    pub fn new() -> Option<Multi> {
        start();
        // SAFETY: `start` initialised libcurl, which is all that this call needs.
        let raw = unsafe { sys::curl_multi_init() };
        (!raw.is_null()).then(|| Multi { raw, running: RefCell::default() })
    }

    /// Adds a transfer, which starts at the next `perform`.
    pub fn add(&self, easy: &Rc<Easy>) -> Code {
        // SAFETY: `self` and `easy` own their handles; `running` keeps the transfer until it is removed.
        let code = unsafe { sys::curl_multi_add_handle(self.raw, easy.raw()) };
        resume();
        if code == OK {
            self.running.borrow_mut().push(easy.clone());
        }
        code
    }

    /// Removes a transfer.
    pub fn remove(&self, easy: &Rc<Easy>) -> Code {
        // SAFETY: `self` and `easy` own their handles; libcurl refuses a transfer that was not added.
        let code = unsafe { sys::curl_multi_remove_handle(self.raw, easy.raw()) };
        resume();
        if code == OK {
            let mut running = self.running.borrow_mut();
            if let Some(at) = running.iter().position(|other| Rc::ptr_eq(other, easy)) {
                running.remove(at);
            }
        }
        code
    }

    /// Removes all transfers.
    pub fn clear(&self) {
        let all: Vec<_> = self.running.borrow().clone();
        for easy in all {
            self.remove(&easy);
        }
        self.running.take();
    }

    /// Runs all transfers as far as possible without waiting, and gives the number of those that have not ended.
    pub fn perform(&self) -> (Code, i64) {
        let mut running = 0;
        // SAFETY: `self` owns its handle, and `running` keeps those of the transfers alive.
        let code = unsafe { sys::curl_multi_perform(self.raw, &mut running) };
        resume();
        (code, running as i64)
    }

    /// Waits until a transfer can go on, and gives the number of those that can.
    pub fn wait(&self, milliseconds: i32) -> (Code, i64) {
        let mut ready: c_int = 0;
        // SAFETY: a null array of length 0 stands for no further descriptors.
        let code = unsafe { sys::curl_multi_wait(self.raw, ptr::null_mut(), 0, milliseconds, &mut ready) };
        resume();
        (code, ready as i64)
    }

    /// The next transfer that has ended and was not given yet.
    pub fn finished(&self) -> Option<Finished> {
        let mut left = 0;
        // SAFETY: the message is alive until the next call of this function.
        let message = unsafe { sys::curl_multi_info_read(self.raw, &mut left).as_ref() }?;
        let easy = self.running.borrow().iter().find(|easy| easy.raw() == message.easy).cloned();
        Some(Finished { message: message.msg as i64, result: message.result, easy, left: left as i64 })
    }

    /// Sets an option that takes a number. The caller knows which options do.
    pub fn set_long(&self, option: i32, value: i64) -> Code {
        const LAST_LONG: i32 = 9_999;
        const LAST_LARGE: i32 = 39_999;
        const FIRST_LARGE: i32 = 30_000;
        // SAFETY: the range of an option's number says whether it takes a `long` or 64 bits.
        unsafe {
            match option {
                0..=LAST_LONG => sys::curl_multi_setopt(self.raw, option, value as c_long),
                FIRST_LARGE..=LAST_LARGE => sys::curl_multi_setopt(self.raw, option, value),
                _ => crate::UNKNOWN_OPTION,
            }
        }
    }
}

impl Drop for Multi {
    fn drop(&mut self) {
        self.clear();
        // SAFETY: the handle is cleaned up only here, when it has no transfers.
        unsafe { sys::curl_multi_cleanup(self.raw) };
    }
}

/// Data that transfers share.
pub struct Share(*mut sys::CurlShare);

impl Share {
    /// Shared data without any kind yet; `None` without memory.
    pub fn new() -> Option<Rc<Share>> {
        start();
        // SAFETY: `start` initialised libcurl, which is all that this call needs.
        let raw = unsafe { sys::curl_share_init() };
        (!raw.is_null()).then(|| Rc::new(Share(raw)))
    }

    pub(crate) fn raw(&self) -> *mut sys::CurlShare {
        self.0
    }

    /// Shares a kind of data, or stops sharing it.
    pub fn set(&self, shares: bool, what: i64) -> Code {
        // SAFETY: both options take a number.
        unsafe { sys::curl_share_setopt(self.0, if shares { 1 } else { 2 }, what as c_int) }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        // SAFETY: a transfer that uses the share keeps it, so none is left.
        unsafe { sys::curl_share_cleanup(self.0) };
    }
}
