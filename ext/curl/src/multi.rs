//! The class `CurlMultiHandle`: transfers that run together.

use crate::handle::{Transfer, hooks, object, running, transfer};
use phlox_curl::{Multi, multi_error_text};
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Val, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The class `CurlMultiHandle`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "CurlMultiHandle",
    decl: "final class CurlMultiHandle {}",
    methods: &[],
    hooks: hooks("Cannot directly construct CurlMultiHandle, use curl_multi_init() instead"),
}];

/// The native part of a `CurlMultiHandle`.
struct MultiHandle {
    multi: Multi,
    /// The objects of the transfers, which live as long as they are added.
    handles: RefCell<Vec<Val>>,
    error: Cell<i32>,
}

impl NativeData for MultiHandle {
    fn trace(&self, edges: &mut Edges) {
        if let Ok(handles) = self.handles.try_borrow() {
            handles.iter().for_each(|value| edges.value(value));
        }
    }

    fn clear(&self) {
        self.multi.clear();
        self.handles.take();
    }
}

impl MultiHandle {
    fn objects(&self) -> Vec<PhpObj> {
        self.handles.borrow().iter().filter_map(|value| value.as_obj().cloned()).collect()
    }
}

fn handle<'a>(call: &Call<'_>, object: &'a Option<PhpObj>) -> PhpResult<&'a MultiHandle> {
    let handle = object.as_ref().and_then(|object| object.native::<MultiHandle>());
    handle.ok_or_else(|| call.vm.throw_error(b"CurlMultiHandle is not initialized"))
}

/// `curl_multi_init()`.
pub fn curl_multi_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(multi) = Multi::new() else {
        return Err(call.vm.throw_error(b"curl_multi_init(): Could not initialize a new cURL multi handle"));
    };
    let object = call.vm.instantiate(&call.vm.require_class(b"CurlMultiHandle")?)?;
    object.set_native(Rc::new(MultiHandle { multi, handles: RefCell::default(), error: Cell::new(0) }));
    Ok(object.into())
}

/// `curl_multi_add_handle()`.
pub fn curl_multi_add_handle(call: &mut Call<'_>) -> PhpResult<Val> {
    let (own, other) = (call.opt_obj(0), object(call, 1)?);
    let (handle, transfer) = (handle(call, &own)?, transfer(call, &other)?);
    transfer.state.check_streams(call.vm, true)?;
    transfer.state.begin();
    let code = running(call.vm, std::slice::from_ref(&other), || handle.multi.add(&transfer.easy))?;
    handle.error.set(code);
    if code == 0 {
        handle.handles.borrow_mut().push((&other).into());
    }
    Ok(Val::int(code as i64))
}

/// `curl_multi_remove_handle()`.
pub fn curl_multi_remove_handle(call: &mut Call<'_>) -> PhpResult<Val> {
    let (own, other) = (call.opt_obj(0), object(call, 1)?);
    let (handle, transfer) = (handle(call, &own)?, transfer(call, &other)?);
    let code = handle.multi.remove(&transfer.easy);
    handle.error.set(code);
    if code == 0 {
        handle.handles.borrow_mut().retain(|value| value.as_obj().is_none_or(|held| !held.ptr_eq(&other)));
    }
    Ok(Val::int(code as i64))
}

/// `curl_multi_close()`.
pub fn curl_multi_close(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = call.opt_obj(0);
    let handle = handle(call, &own)?;
    for object in handle.objects() {
        if let Some(transfer) = object.native::<Transfer>() {
            transfer.state.check_streams(call.vm, true)?;
        }
    }
    handle.multi.clear();
    handle.handles.take();
    Ok(Val::NULL)
}

/// `curl_multi_exec()`.
pub fn curl_multi_exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = call.opt_obj(0);
    let handle = handle(call, &own)?;
    let objects = handle.objects();
    for object in &objects {
        if let Some(transfer) = object.native::<Transfer>() {
            transfer.state.check_streams(call.vm, true)?;
        }
    }
    let (code, left) = running(call.vm, &objects, || handle.multi.perform())?;
    call.assign(1, Val::int(left))?;
    handle.error.set(code);
    Ok(Val::int(code as i64))
}

/// `curl_multi_select()`.
pub fn curl_multi_select(call: &mut Call<'_>) -> PhpResult<Val> {
    const LONGEST: f64 = i32::MAX as f64 / 1000.0;
    let own = call.opt_obj(0);
    let (handle, seconds) = (handle(call, &own)?, call.double(1));
    if !(0.0..=LONGEST).contains(&seconds) {
        return Err(call.value_error(1, &format!("must be between 0 and {}", LONGEST.ceil() as i64)));
    }
    call.vm.output.before_waiting();
    let (code, ready) = handle.multi.wait((seconds * 1000.0) as i32);
    if code != 0 {
        handle.error.set(code);
        return Ok(Val::int(-1));
    }
    Ok(Val::int(ready))
}

/// `curl_multi_getcontent()`: null unless the body is kept as the result.
pub fn curl_multi_getcontent(call: &mut Call<'_>) -> PhpResult<Val> {
    let other = object(call, 0)?;
    let state = &transfer(call, &other)?.state;
    let is_result = matches!(&*state.body.borrow(), crate::handle::Target::Result);
    let received = state.received.borrow();
    Ok(if is_result { Val::str(&received) } else { Val::NULL })
}

/// `curl_multi_info_read()`.
pub fn curl_multi_info_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = call.opt_obj(0);
    let handle = handle(call, &own)?;
    let Some(finished) = handle.multi.finished() else { return Ok(Val::FALSE) };
    if call.was_passed(1) {
        call.assign(1, Val::int(finished.left))?;
    }
    let mut shown = PhpArr::new();
    shown.set_bytes(b"msg", Val::int(finished.message));
    shown.set_bytes(b"result", Val::int(finished.result as i64));
    let found = handle.objects().into_iter().find(|object| {
        let transfer = object.native::<Transfer>();
        transfer.zip(finished.easy.as_ref()).is_some_and(|(transfer, easy)| Rc::ptr_eq(&transfer.easy, easy))
    });
    if let Some(object) = found {
        if let Some(transfer) = object.native::<Transfer>() {
            transfer.state.error.set(finished.result);
        }
        shown.set_bytes(b"handle", object.into());
    }
    Ok(shown.into())
}

/// `curl_multi_errno()`.
pub fn curl_multi_errno(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = call.opt_obj(0);
    Ok(Val::int(handle(call, &own)?.error.get() as i64))
}

/// `curl_multi_strerror()`.
pub fn curl_multi_strerror(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(multi_error_text(call.int(0)).map_or(Val::NULL, |text| Val::str(&text)))
}

/// `curl_multi_setopt()`.
pub fn curl_multi_setopt(call: &mut Call<'_>) -> PhpResult<Val> {
    const PIPELINING: i64 = 3;
    /// `MAXCONNECTS`; limits of hosts, pipelines and connections; penalties; streams.
    const NUMBERS: [i64; 8] = [PIPELINING, 6, 7, 8, 13, 16, 30_009, 30_010];
    const PUSH_FUNCTION: i64 = 20_014;
    const UNKNOWN: i32 = 6;
    let own = call.opt_obj(0);
    let (handle, option) = (handle(call, &own)?, call.int(1));
    if option == PUSH_FUNCTION {
        // The callback is only checked: servers push over HTTP/2 only, which this libcurl lacks.
        if let Err(reason) = call.vm.resolve_callable(&call.arg(2))? {
            let text = format!("must be a valid callback for option CURLMOPT_PUSHFUNCTION, {reason}");
            return Err(call.type_error(1, &text));
        }
        handle.error.set(0);
        return Ok(Val::TRUE);
    }
    if !NUMBERS.contains(&option) {
        handle.error.set(UNKNOWN);
        return Err(call.value_error(1, "is not a valid cURL multi option"));
    }
    let number = convert::to_int(call.vm, &call.arg(2))?;
    if option == PIPELINING && number & 1 != 0 {
        call.warning("CURLPIPE_HTTP1 is no longer supported")?;
    }
    let code = handle.multi.set_long(option as i32, number);
    handle.error.set(code);
    Ok(Val::bool(code == 0))
}
