//! The part of libcurl's C interface that this crate uses. `curl-sys` builds and links libcurl.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

// The dependency that links libcurl.
use curl_sys as _;

macro_rules! opaque {
    ($($name:ident),*) => { $(#[repr(C)] pub struct $name { _hidden: [u8; 0] })* };
}

opaque!(Curl, CurlMulti, CurlShare, Mime, MimePart);

#[repr(C)]
pub struct Slist {
    pub data: *mut c_char,
    pub next: *mut Slist,
}

#[repr(C)]
pub struct CertInfo {
    pub count: c_int,
    pub lists: *mut *mut Slist,
}

#[repr(C)]
pub struct Blob {
    pub data: *mut c_void,
    pub len: usize,
    pub flags: c_uint,
}

#[repr(C)]
pub struct Message {
    pub msg: c_int,
    pub easy: *mut Curl,
    pub result: c_int,
}

/// The fields of `curl_version_info_data` up to its fifth version.
#[repr(C)]
pub struct VersionInfo {
    pub age: c_int,
    pub version: *const c_char,
    pub version_num: c_uint,
    pub host: *const c_char,
    pub features: c_int,
    pub ssl_version: *const c_char,
    pub ssl_version_num: c_long,
    pub libz_version: *const c_char,
    pub protocols: *const *const c_char,
    pub ares: *const c_char,
    pub ares_num: c_int,
    pub libidn: *const c_char,
    pub iconv_ver_num: c_int,
    pub libssh_version: *const c_char,
    pub brotli_ver_num: c_uint,
    pub brotli_version: *const c_char,
}

pub type ReadCallback = unsafe extern "C" fn(*mut c_char, usize, usize, *mut c_void) -> usize;
pub type SeekCallback = unsafe extern "C" fn(*mut c_void, i64, c_int) -> c_int;
pub type FreeCallback = unsafe extern "C" fn(*mut c_void);

unsafe extern "C" {
    pub fn curl_global_init_mem(
        flags: c_long,
        malloc: unsafe extern "C" fn(usize) -> *mut c_void,
        free: unsafe extern "C" fn(*mut c_void),
        realloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
        strdup: unsafe extern "C" fn(*const c_char) -> *mut c_char,
        calloc: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    ) -> c_int;
    pub fn curl_version_info(age: c_int) -> *const VersionInfo;
    pub fn curl_free(pointer: *mut c_void);
    pub fn curl_slist_append(list: *mut Slist, text: *const c_char) -> *mut Slist;
    pub fn curl_slist_free_all(list: *mut Slist);

    pub fn curl_easy_init() -> *mut Curl;
    pub fn curl_easy_cleanup(easy: *mut Curl);
    pub fn curl_easy_reset(easy: *mut Curl);
    pub fn curl_easy_duphandle(easy: *mut Curl) -> *mut Curl;
    pub fn curl_easy_perform(easy: *mut Curl) -> c_int;
    pub fn curl_easy_pause(easy: *mut Curl, flags: c_int) -> c_int;
    pub fn curl_easy_upkeep(easy: *mut Curl) -> c_int;
    pub fn curl_easy_strerror(code: c_int) -> *const c_char;
    pub fn curl_easy_escape(easy: *mut Curl, text: *const c_char, size: c_int) -> *mut c_char;
    pub fn curl_easy_unescape(easy: *mut Curl, text: *const c_char, size: c_int, out: *mut c_int) -> *mut c_char;
    pub fn curl_easy_setopt(easy: *mut Curl, option: c_int, ...) -> c_int;
    pub fn curl_easy_getinfo(easy: *mut Curl, info: c_int, ...) -> c_int;

    pub fn curl_mime_init(easy: *mut Curl) -> *mut Mime;
    pub fn curl_mime_free(mime: *mut Mime);
    pub fn curl_mime_addpart(mime: *mut Mime) -> *mut MimePart;
    pub fn curl_mime_name(part: *mut MimePart, name: *const c_char) -> c_int;
    pub fn curl_mime_filename(part: *mut MimePart, name: *const c_char) -> c_int;
    pub fn curl_mime_type(part: *mut MimePart, kind: *const c_char) -> c_int;
    pub fn curl_mime_data(part: *mut MimePart, data: *const c_char, size: usize) -> c_int;
    pub fn curl_mime_data_cb(
        part: *mut MimePart,
        size: i64,
        read: Option<ReadCallback>,
        seek: Option<SeekCallback>,
        free: Option<FreeCallback>,
        data: *mut c_void,
    ) -> c_int;

    pub fn curl_multi_init() -> *mut CurlMulti;
    pub fn curl_multi_cleanup(multi: *mut CurlMulti) -> c_int;
    pub fn curl_multi_add_handle(multi: *mut CurlMulti, easy: *mut Curl) -> c_int;
    pub fn curl_multi_remove_handle(multi: *mut CurlMulti, easy: *mut Curl) -> c_int;
    pub fn curl_multi_perform(multi: *mut CurlMulti, running: *mut c_int) -> c_int;
    pub fn curl_multi_wait(
        multi: *mut CurlMulti,
        extra: *mut c_void,
        extra_count: c_uint,
        milliseconds: c_int,
        ready: *mut c_int,
    ) -> c_int;
    pub fn curl_multi_info_read(multi: *mut CurlMulti, left: *mut c_int) -> *mut Message;
    pub fn curl_multi_setopt(multi: *mut CurlMulti, option: c_int, ...) -> c_int;
    pub fn curl_multi_strerror(code: c_int) -> *const c_char;

    pub fn curl_share_init() -> *mut CurlShare;
    pub fn curl_share_cleanup(share: *mut CurlShare) -> c_int;
    pub fn curl_share_setopt(share: *mut CurlShare, option: c_int, ...) -> c_int;
    pub fn curl_share_strerror(code: c_int) -> *const c_char;
}
