//! A safe layer over libcurl: transfers, several transfers at once, shared data, and forms. Options keep libcurl's
//! numbers; its header says what kind of value each takes.
//!
//! SAFETY.md beside this crate's manifest explains the unsafe code.
#![deny(unsafe_op_in_unsafe_fn)]

mod callbacks;
mod easy;
mod memory;
mod mime;
mod multi;
mod options;
mod sys;

pub use callbacks::{Event, Handler};
pub use easy::{CallbackKind, Easy, Info, InfoValue, UNKNOWN_OPTION};
pub use mime::{MimeContent, MimePart, MimeSource};
pub use multi::{Finished, Multi, Share};
pub use options::{OptionKind, option_kind};

use std::ffi::{CStr, CString, c_char};
use std::sync::Once;

/// libcurl's code of an error; 0 is success.
pub type Code = i32;

/// `CURLE_OK`
pub const OK: Code = 0;
/// `CURLE_OUT_OF_MEMORY`
pub const OUT_OF_MEMORY: Code = 27;

/// Initialises libcurl. Later calls do nothing.
fn start() {
    static STARTED: Once = Once::new();
    const ALL: i64 = 3;
    STARTED.call_once(|| {
        // SAFETY: the call happens once, before any other function of libcurl.
        unsafe {
            sys::curl_global_init_mem(
                ALL,
                memory::allocate,
                memory::release,
                memory::reallocate,
                memory::duplicate,
                memory::allocate_zeroed,
            )
        };
    });
}

/// A text for C, cut at its first NUL.
fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// Copies a C text; `None` for null.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL.
unsafe fn copied(pointer: *const c_char) -> Option<Vec<u8>> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the pointer is not null here, so the text ends with NUL.
    Some(unsafe { CStr::from_ptr(pointer) }.to_bytes().to_vec())
}

/// libcurl's text for an error of a transfer.
pub fn error_text(code: i64) -> Option<Vec<u8>> {
    // SAFETY: libcurl has a constant text for any number.
    unsafe { copied(sys::curl_easy_strerror(code as i32)) }
}

/// libcurl's text for an error of several transfers.
pub fn multi_error_text(code: i64) -> Option<Vec<u8>> {
    // SAFETY: libcurl has a constant text for any number.
    unsafe { copied(sys::curl_multi_strerror(code as i32)) }
}

/// libcurl's text for an error of shared data.
pub fn share_error_text(code: i64) -> Option<Vec<u8>> {
    // SAFETY: libcurl has a constant text for any number.
    unsafe { copied(sys::curl_share_strerror(code as i32)) }
}

/// libcurl's version, features, and the versions of the libraries that it uses.
pub struct Version {
    pub number: i64,
    pub age: i64,
    pub features: i64,
    pub ssl_number: i64,
    pub version: Vec<u8>,
    pub host: Vec<u8>,
    pub ssl: Vec<u8>,
    pub libz: Vec<u8>,
    pub protocols: Vec<Vec<u8>>,
    pub ares: Vec<u8>,
    pub ares_number: i64,
    pub libidn: Vec<u8>,
    pub iconv_number: i64,
    pub libssh: Vec<u8>,
    pub brotli_number: i64,
    pub brotli: Vec<u8>,
}

/// The version of the libcurl that is linked.
pub fn version() -> Version {
    const NOW: i32 = 4;
    start();
    // SAFETY: the result is a constant of libcurl, whose fields exist up to the age that is asked for.
    unsafe {
        let info = &*sys::curl_version_info(NOW);
        let text = |pointer| copied(pointer).unwrap_or_default();
        let mut protocols = Vec::new();
        let mut next = info.protocols;
        while !next.is_null() && !(*next).is_null() {
            protocols.push(text(*next));
            next = next.add(1);
        }
        Version {
            number: info.version_num as i64,
            age: info.age as i64,
            features: info.features as i64,
            ssl_number: info.ssl_version_num,
            version: text(info.version),
            host: text(info.host),
            ssl: text(info.ssl_version),
            libz: text(info.libz_version),
            protocols,
            ares: text(info.ares),
            ares_number: info.ares_num as i64,
            libidn: text(info.libidn),
            iconv_number: info.iconv_ver_num as i64,
            libssh: text(info.libssh_version),
            brotli_number: info.brotli_ver_num as i64,
            brotli: text(info.brotli_version),
        }
    }
}
