//! What the library has names for.

use crate::{c_text, copied, start, sys};
use std::ffi::{c_char, c_void};

const DIGESTS: i32 = 1;

unsafe extern "C" fn collect(name: *const sys::ObjectName, list: *mut c_void) {
    // SAFETY: the list is the one of `digest_names`; the name is alive during the call.
    unsafe {
        let list = &mut *list.cast::<Vec<(Vec<u8>, bool)>>();
        list.extend(copied((*name).name).map(|text| (text, (*name).alias != 0)));
    }
}

/// All digests in order; the flag: it is another name of one.
pub fn digest_names() -> Vec<(Vec<u8>, bool)> {
    start();
    let mut list: Vec<(Vec<u8>, bool)> = Vec::new();
    // SAFETY: the list outlives the call, which alone uses it.
    unsafe { sys::OBJ_NAME_do_all_sorted(DIGESTS, collect, (&raw mut list).cast()) };
    list
}

unsafe extern "C" fn collect_name(name: *const c_char, list: *mut c_void) {
    // SAFETY: the list is the one of `cipher_names`.
    unsafe { (*list.cast::<Vec<Vec<u8>>>()).extend(copied(name)) };
}

unsafe extern "C" fn collect_cipher(cipher: *mut sys::Cipher, list: *mut c_void) {
    // SAFETY: the cipher is alive during the call.
    unsafe { collect_name(sys::EVP_CIPHER_get0_name(cipher), list) };
}

unsafe extern "C" fn collect_aliases(cipher: *mut sys::Cipher, list: *mut c_void) {
    // SAFETY: the cipher is alive during the call.
    unsafe { sys::EVP_CIPHER_names_do_all(cipher, collect_name, list) };
}

/// The ciphers that the loaded providers have, in no order.
pub fn cipher_names(aliases: bool) -> Vec<Vec<u8>> {
    start();
    let mut list: Vec<Vec<u8>> = Vec::new();
    let visit = if aliases { collect_aliases } else { collect_cipher };
    // SAFETY: the list outlives the call, which alone uses it.
    unsafe { sys::EVP_CIPHER_do_all_provided(std::ptr::null_mut(), visit, (&raw mut list).cast()) };
    list
}

/// Short names of the curves.
pub fn curve_names() -> Vec<Vec<u8>> {
    start();
    // SAFETY: the second call fills as many entries as the first counted.
    unsafe {
        let count = sys::EC_get_builtin_curves(std::ptr::null_mut(), 0);
        let mut curves = Vec::with_capacity(count);
        let filled = sys::EC_get_builtin_curves(curves.as_mut_ptr(), count).min(count);
        curves.set_len(filled);
        curves.iter().filter_map(|curve: &sys::BuiltinCurve| copied(sys::OBJ_nid2sn(curve.nid))).collect()
    }
}

/// The number of an object by any of its names; `None`: unknown.
pub fn find_object(name: &[u8]) -> Option<i32> {
    let name = c_text(name);
    // SAFETY: the name ends with NUL.
    Some(unsafe { sys::OBJ_txt2nid(name.as_ptr()) }).filter(|&nid| nid != 0)
}

/// The number of the object that has this short name.
pub fn is_short_name(name: &[u8]) -> Option<i32> {
    let name = c_text(name);
    // SAFETY: the name ends with NUL.
    Some(unsafe { sys::OBJ_sn2nid(name.as_ptr()) }).filter(|&nid| nid != 0)
}

/// Where certificates and configuration are looked for, by the names that `openssl_get_cert_locations` has for them.
pub fn default_locations() -> [(&'static str, Vec<u8>); 6] {
    // SAFETY: constants of the library.
    unsafe {
        let text = |pointer| copied(pointer).unwrap_or_default();
        [
            ("default_cert_file", text(sys::X509_get_default_cert_file())),
            ("default_cert_file_env", text(sys::X509_get_default_cert_file_env())),
            ("default_cert_dir", text(sys::X509_get_default_cert_dir())),
            ("default_cert_dir_env", text(sys::X509_get_default_cert_dir_env())),
            ("default_private_dir", text(sys::X509_get_default_private_dir())),
            ("default_default_cert_area", text(sys::X509_get_default_cert_area())),
        ]
    }
}
