//! The class `CurlShareHandle`: data that transfers share.

use crate::handle::hooks;
use phlox_curl::{Share, share_error_text};
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpObj, PhpResult, Val, convert};
use std::cell::Cell;
use std::rc::Rc;

/// The class `CurlShareHandle`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "CurlShareHandle",
    decl: "final class CurlShareHandle {}",
    methods: &[],
    hooks: hooks("Cannot directly construct CurlShareHandle, use curl_share_init() instead"),
}];

/// The native part of a `CurlShareHandle`.
pub struct ShareHandle {
    pub share: Rc<Share>,
    error: Cell<i32>,
}

impl NativeData for ShareHandle {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

/// `curl_share_init()`.
pub fn curl_share_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(share) = Share::new() else {
        return Err(call.vm.throw_error(b"Could not initialize a cURL share handle"));
    };
    let object = call.vm.instantiate(&call.vm.require_class(b"CurlShareHandle")?)?;
    object.set_native(Rc::new(ShareHandle { share, error: Cell::new(0) }));
    Ok(object.into())
}

fn handle<'a>(call: &Call<'_>, object: &'a Option<PhpObj>) -> PhpResult<&'a ShareHandle> {
    let handle = object.as_ref().and_then(|object| object.native::<ShareHandle>());
    handle.ok_or_else(|| call.vm.throw_error(b"CurlShareHandle is not initialized"))
}

/// `curl_share_close()`: has no effect, because the handle's object owns the share.
pub fn curl_share_close(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}

/// `curl_share_setopt()`.
pub fn curl_share_setopt(call: &mut Call<'_>) -> PhpResult<Val> {
    const SHARE: i64 = 1;
    const UNSHARE: i64 = 2;
    const BAD_OPTION: i32 = 1;
    let object = call.opt_obj(0);
    let handle = handle(call, &object)?;
    let option = call.int(1);
    if !matches!(option, SHARE | UNSHARE) {
        handle.error.set(BAD_OPTION);
        return Err(call.value_error(1, "is not a valid cURL share option"));
    }
    let code = handle.share.set(option == SHARE, convert::to_int(call.vm, &call.arg(2))?);
    handle.error.set(code);
    Ok(Val::bool(code == 0))
}

/// `curl_share_errno()`.
pub fn curl_share_errno(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = call.opt_obj(0);
    Ok(Val::int(handle(call, &object)?.error.get() as i64))
}

/// `curl_share_strerror()`.
pub fn curl_share_strerror(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(share_error_text(call.int(0)).map_or(Val::NULL, |text| Val::str(&text)))
}
