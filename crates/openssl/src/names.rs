//! Names of digests, ciphers, curves and objects.

use crate::{c_text, copied, start, sys};
use std::ffi::{c_char, c_void};

const DIGESTS: i32 = 1;

unsafe extern "C" fn collect(name: *const sys::ObjectName, list: *mut c_void) {
    // SAFETY: the list is that of `digest_names`; the name is alive during the call.
    unsafe {
        let list = &mut *list.cast::<Vec<(Vec<u8>, bool)>>();
        list.extend(copied((*name).name).map(|text| (text, (*name).alias != 0)));
    }
}

/// The names of all digests in order. The flag says that the name is an alias.
pub fn digest_names() -> Vec<(Vec<u8>, bool)> {
    start();
    let mut list: Vec<(Vec<u8>, bool)> = Vec::new();
    // SAFETY: the list outlives the call, and only the call uses it meanwhile.
    unsafe { sys::OBJ_NAME_do_all_sorted(DIGESTS, collect, (&raw mut list).cast()) };
    list
}

unsafe extern "C" fn collect_name(name: *const c_char, list: *mut c_void) {
    // SAFETY: the list is that of `cipher_names`; the name is null or ends with NUL.
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

/// The names of the ciphers that the loaded providers have, unsorted.
pub fn cipher_names(aliases: bool) -> Vec<Vec<u8>> {
    start();
    let mut list: Vec<Vec<u8>> = Vec::new();
    let visit = if aliases { collect_aliases } else { collect_cipher };
    // SAFETY: the list outlives the call, and only the call uses it meanwhile.
    unsafe { sys::EVP_CIPHER_do_all_provided(std::ptr::null_mut(), visit, (&raw mut list).cast()) };
    list
}

/// The short names of the curves.
pub fn curve_names() -> Vec<Vec<u8>> {
    start();
    // SAFETY: the vector has room for `count` curves, and the second call fills `filled` of them.
    unsafe {
        let count = sys::EC_get_builtin_curves(std::ptr::null_mut(), 0);
        let mut curves = Vec::with_capacity(count);
        let filled = sys::EC_get_builtin_curves(curves.as_mut_ptr(), count).min(count);
        curves.set_len(filled);
        curves.iter().filter_map(|curve: &sys::BuiltinCurve| copied(sys::OBJ_nid2sn(curve.nid))).collect()
    }
}

/// The number of an object by any of its names; `None` if it is unknown.
pub fn find_object(name: &[u8]) -> Option<i32> {
    let name = c_text(name);
    // SAFETY: libcrypto only reads the name, which ends with NUL.
    Some(unsafe { sys::OBJ_txt2nid(name.as_ptr()) }).filter(|&nid| nid != 0)
}

/// The number of the object with a short name; `None` if it is unknown.
pub fn is_short_name(name: &[u8]) -> Option<i32> {
    let name = c_text(name);
    // SAFETY: libcrypto only reads the name, which ends with NUL.
    Some(unsafe { sys::OBJ_sn2nid(name.as_ptr()) }).filter(|&nid| nid != 0)
}

/// The default places of certificates and configuration, by the names that `openssl_get_cert_locations()` gives them.
pub fn default_locations() -> [(&'static str, Vec<u8>); 6] {
    // SAFETY: the texts are constants of libcrypto and end with NUL.
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
