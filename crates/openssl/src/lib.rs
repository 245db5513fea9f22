//! A safe layer over libcrypto for what PHP's `openssl` extension shows and the `openssl` crate hides: lookups by
//! name, lengths that libcrypto checks, and the queue of errors.
//!
//! Functions that fail leave libcrypto's errors in its queue; [`take_errors`] empties it. TLS is not here, because
//! that part of the `openssl` crate fits. SAFETY.md beside this crate's manifest explains the unsafe code.
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

/// A call of libcrypto failed. The reason is in its queue of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// The result of a call of libcrypto.
pub type Outcome<T> = Result<T, Failed>;

const LOAD_CONFIG: u64 = 0x40;

/// Initialises libcrypto with the machine's configuration. Later calls do nothing.
pub fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // SAFETY: a null pointer stands for default settings.
        unsafe { sys::OPENSSL_init_crypto(LOAD_CONFIG, std::ptr::null()) };
    });
}

/// libcrypto's version as text.
pub fn version() -> &'static str {
    // SAFETY: the text is a constant of libcrypto and ends with NUL.
    unsafe { CStr::from_ptr(sys::OpenSSL_version(0)) }.to_str().unwrap_or("OpenSSL")
}

/// libcrypto's version as a number (`OPENSSL_VERSION_NUMBER`).
pub fn version_number() -> i64 {
    // SAFETY: the function has no preconditions.
    unsafe { sys::OpenSSL_version_num() as i64 }
}

/// Empties the queue of errors of this thread, the oldest first.
pub fn take_errors() -> Vec<u64> {
    let mut errors = Vec::new();
    loop {
        // SAFETY: the function has no preconditions; the queue belongs to this thread.
        match unsafe { sys::ERR_get_error() } {
            0 => return errors,
            code => errors.push(code),
        }
    }
}

/// An error in libcrypto's words, such as `error:0480006C:PEM routines::no start line`.
pub fn error_text(code: u64) -> Vec<u8> {
    let mut buffer = [0u8; 256];
    // SAFETY: the size is that of the buffer, and libcrypto ends the text inside of it.
    unsafe { sys::ERR_error_string_n(code, buffer.as_mut_ptr().cast(), buffer.len()) };
    buffer.iter().copied().take_while(|&byte| byte != 0).collect()
}

/// Runs something and drops the errors that it adds to the queue.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: the function has no preconditions; it marks the end of this thread's queue.
    unsafe { sys::ERR_set_mark() };
    let result = work();
    // SAFETY: the function has no preconditions; it removes what this thread's queue has behind the mark.
    unsafe { sys::ERR_pop_to_mark() };
    result
}

/// Fills a buffer with random bytes.
pub fn random_bytes(buffer: &mut [u8]) -> Outcome<()> {
    start();
    // SAFETY: the size is that of the buffer.
    passed(unsafe { sys::RAND_bytes(buffer.as_mut_ptr(), length(buffer)?) })
}

/// The outcome of most functions of libcrypto: positive is success.
fn passed(code: i32) -> Outcome<()> {
    if code > 0 { Ok(()) } else { Err(Failed) }
}

/// A length as a C `int`. Fails if it is too large.
fn length(bytes: &[u8]) -> Outcome<i32> {
    i32::try_from(bytes.len()).map_err(|_| Failed)
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

/// Copies a C text that libcrypto allocated for the caller, and frees it.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL and that the library allocated for the caller.
unsafe fn taken(pointer: *mut c_char) -> Option<Vec<u8>> {
    // SAFETY: the contract covers that of `copied`; the text belongs to the caller and is freed once.
    unsafe {
        let text = copied(pointer);
        sys::CRYPTO_free(pointer.cast(), c"".as_ptr(), 0);
        text
    }
}
