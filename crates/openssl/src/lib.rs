//! A safe layer over libcrypto: what PHP's `openssl` extension shows of it and the `openssl` crate hides, from lookups by
//! name and lengths that are judged by the library to the queue of errors.
//!
//! Functions that fail leave libcrypto's errors in its queue; [`take_errors`] empties it. TLS is not here: that part of
//! the `openssl` crate fits. Unsafe code is explained in SAFETY.md beside this crate's manifest.
#![deny(unsafe_op_in_unsafe_fn)]

mod bio;
mod cipher;
mod config;
mod digest;
mod handle;
mod key;
mod key_data;
mod names;
mod pkcs12;
mod request;
mod smime;
mod spki;
mod sys;
mod x509;

pub use bio::Bio;
pub use cipher::{Cipher, CipherRun, Sealed, open, seal};
pub use config::{Config, ConfigEntry};
pub use digest::{Digest, pbkdf2};
pub use key::{Key, KeyKind, RsaWork};
pub use key_data::{EcFailure, EcPart, KeyParts};
pub use names::{cipher_names, curve_names, default_locations, digest_names, find_object, is_short_name};
pub use pkcs12::Pkcs12;
pub use request::Request;
pub use smime::{Cms, Encoding, Pkcs7, flags};
pub use spki::Spki;
pub use x509::{Certificate, Certificates, Extension, NameEntry, Purpose, Store, Time};

use std::ffi::{CStr, CString, c_char};
use std::sync::Once;

/// A call of libcrypto failed; why is in its queue of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

pub type Outcome<T> = Result<T, Failed>;

const LOAD_CONFIG: u64 = 0x40;

/// Makes the library ready, with the machine's configuration. Cheap when that has happened.
pub fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // SAFETY: no settings are passed.
        unsafe { sys::OPENSSL_init_crypto(LOAD_CONFIG, std::ptr::null()) };
    });
}

/// The library's version as text.
pub fn version() -> &'static str {
    // SAFETY: a constant text of the library.
    unsafe { CStr::from_ptr(sys::OpenSSL_version(0)) }.to_str().unwrap_or("OpenSSL")
}

pub fn version_number() -> i64 {
    // SAFETY: takes nothing.
    unsafe { sys::OpenSSL_version_num() as i64 }
}

/// Empties the queue of errors; the oldest comes first.
pub fn take_errors() -> Vec<u64> {
    let mut errors = Vec::new();
    loop {
        // SAFETY: takes nothing; the queue is the thread's.
        match unsafe { sys::ERR_get_error() } {
            0 => return errors,
            code => errors.push(code),
        }
    }
}

/// An error in the library's words: `error:0480006C:PEM routines::no start line`.
pub fn error_text(code: u64) -> Vec<u8> {
    let mut buffer = [0u8; 256];
    // SAFETY: the buffer goes with its size; the text ends inside of it.
    unsafe { sys::ERR_error_string_n(code, buffer.as_mut_ptr().cast(), buffer.len()) };
    buffer.iter().copied().take_while(|&byte| byte != 0).collect()
}

/// Runs something whose errors do not matter.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: takes nothing.
    unsafe { sys::ERR_set_mark() };
    let result = work();
    // SAFETY: as above.
    unsafe { sys::ERR_pop_to_mark() };
    result
}

/// Fills a buffer with random bytes.
pub fn random_bytes(buffer: &mut [u8]) -> Outcome<()> {
    start();
    // SAFETY: the buffer goes with its size.
    passed(unsafe { sys::RAND_bytes(buffer.as_mut_ptr(), length(buffer)?) })
}

/// What most functions of libcrypto return: 1, or 0 and less when they fail.
fn passed(code: i32) -> Outcome<()> {
    if code > 0 { Ok(()) } else { Err(Failed) }
}

/// A size as C has it.
fn length(bytes: &[u8]) -> Outcome<i32> {
    i32::try_from(bytes.len()).map_err(|_| Failed)
}

/// A text for C, up to its first NUL.
fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// A C text, copied; null is none.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL.
unsafe fn copied(pointer: *const c_char) -> Option<Vec<u8>> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: by the contract.
    Some(unsafe { CStr::from_ptr(pointer) }.to_bytes().to_vec())
}

/// A C text that was made for us: copied and freed.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL and that the library allocated for the caller.
unsafe fn taken(pointer: *mut c_char) -> Option<Vec<u8>> {
    // SAFETY: by the contract; freed once.
    unsafe {
        let text = copied(pointer);
        sys::CRYPTO_free(pointer.cast(), c"".as_ptr(), 0);
        text
    }
}
