//! `ZipArchive`: its native data and properties, opening and closing, and what is about the whole archive.

use crate::archive::{Archive, Progress, Result, ZipError, flags};
use phlox_runtime::class::{Member, MemberHooks, MemberUse};
use phlox_runtime::{
    Call, Edges, Level, NativeData, PhpArr, PhpObj, PhpResult, PhpStr, Throw, Val, Vm, basedir, convert, until_nul,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The data of an object of the class.
pub struct ZipData {
    pub archive: RefCell<Option<Archive>>,
    filename: RefCell<Vec<u8>>,
    pub last_id: Cell<i64>,
    /// The error of closing, which outlives the archive.
    error: Cell<ZipError>,
    /// How much is written between two calls, and the callback.
    progress: RefCell<Option<(f64, Val)>>,
    cancel: RefCell<Option<Val>>,
}

impl NativeData for ZipData {
    fn trace(&self, edges: &mut Edges) {
        if let Some((_, callback)) = &*self.progress.borrow() {
            edges.value(callback);
        }
        if let Some(callback) = &*self.cancel.borrow() {
            edges.value(callback);
        }
    }

    fn clear(&self) {
        let callbacks = (self.progress.take(), self.cancel.take());
        drop(callbacks);
    }
}

/// Gives a new object its data.
pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(ZipData {
        archive: RefCell::default(),
        filename: RefCell::default(),
        last_id: Cell::new(-1),
        error: Cell::default(),
        progress: RefCell::default(),
        cancel: RefCell::default(),
    }));
}

/// The data of `$this`.
pub fn data<'a>(call: &Call<'a>) -> &'a ZipData {
    match call.this().native::<ZipData>() {
        Some(data) => data,
        None => unreachable!("each object of the class gets its data when it is made"),
    }
}

/// Works on the archive of `$this`, which must be open.
pub fn with_archive<R>(call: &Call<'_>, work: impl FnOnce(&mut Archive) -> R) -> PhpResult<R> {
    match &mut *data(call).archive.borrow_mut() {
        Some(archive) => Ok(work(archive)),
        None => Err(invalid(call)),
    }
}

/// The error where no archive is open.
fn invalid(call: &Call<'_>) -> Throw {
    call.vm.throw_value_error(b"Invalid or uninitialized Zip object")
}

/// Throws where no archive is open.
pub fn require_open(call: &Call<'_>) -> PhpResult<()> {
    with_archive(call, |_| ())
}

/// Works on the archive; did that succeed? The error is kept.
pub fn attempt<R>(call: &Call<'_>, work: impl FnOnce(&mut Archive) -> Result<R>) -> PhpResult<Option<R>> {
    with_archive(call, |archive| {
        let result = work(archive);
        archive.note(result)
    })
}

/// Changes the archive; the result is true, or false after an error, which is kept.
pub fn change(call: &Call<'_>, work: impl FnOnce(&mut Archive) -> Result<()>) -> PhpResult<Val> {
    Ok(Val::bool(attempt(call, work)?.is_some()))
}

/// A string argument as the library reads it, up to a zero byte.
pub fn text(call: &Call<'_>, index: usize) -> PhpStr {
    let whole = call.str(index);
    match until_nul(&whole) {
        part if part.len() == whole.len() => whole,
        part => PhpStr::new(part),
    }
}

/// Throws if an argument is an empty string.
pub fn require_some(call: &Call<'_>, index: usize, text: &[u8]) -> PhpResult<()> {
    if text.is_empty() { Err(call.value_error(index, "must not be empty")) } else { Ok(()) }
}

/// An argument that consists of bits. More than 32 are cut, as the library's type does.
pub fn bits(call: &Call<'_>, index: usize) -> u32 {
    call.int(index) as u32
}

/// Calls the callbacks while an archive is written. What they throw is thrown when that is done.
struct Callbacks<'a> {
    vm: &'a Vm,
    progress: Option<(f64, Val)>,
    cancel: Option<Val>,
    thrown: Option<Throw>,
}

impl Callbacks<'_> {
    fn call(&mut self, callback: &Val, args: Vec<Val>) -> Val {
        if self.thrown.is_some() {
            return Val::NULL;
        }
        match self.vm.call_value(callback, args) {
            Ok(value) => value,
            Err(throw) => {
                self.thrown = Some(throw);
                Val::NULL
            }
        }
    }
}

impl Progress for Callbacks<'_> {
    fn tell(&mut self, state: f64) {
        if let Some((_, callback)) = self.progress.clone() {
            let result = self.call(&callback, vec![Val::double(state)]);
            drop(result);
        }
    }

    fn is_cancelled(&mut self) -> bool {
        let Some(callback) = self.cancel.clone() else { return false };
        let result = self.call(&callback, Vec::new());
        match convert::to_int(self.vm, &result) {
            Ok(number) => number as i32 != 0,
            Err(throw) => {
                self.thrown.get_or_insert(throw);
                false
            }
        }
    }

    fn precision(&self) -> f64 {
        self.progress.as_ref().map_or(0.0, |(precision, _)| *precision)
    }
}

/// Writes and closes the archive; gives its error, and the archive if that was not written. `None`: no archive is open.
fn close_archive(vm: &Vm, data: &ZipData) -> PhpResult<Option<(Result<()>, Archive)>> {
    // Callbacks see an object without an archive.
    let taken = data.archive.take();
    let Some(mut archive) = taken else { return Ok(None) };
    let (progress, cancel) = (data.progress.borrow().clone(), data.cancel.borrow().clone());
    let mut callbacks = Callbacks { vm, progress, cancel, thrown: None };
    let result = archive.close(&mut callbacks);
    match callbacks.thrown {
        Some(throw) => Err(throw),
        None => Ok(Some((result, archive))),
    }
}

fn forget_callbacks(data: &ZipData) {
    let callbacks = (data.progress.take(), data.cancel.take());
    drop(callbacks);
}

/// Writes the archive of an object that goes away.
pub fn destruct(vm: &Vm, object: &PhpObj) {
    let Some(data) = object.native::<ZipData>() else { return };
    let closed = close_archive(vm, data);
    forget_callbacks(data);
    let reported = match closed {
        Ok(Some((Err(error), _))) => {
            let place = if vm.frame().is_some() { vm.innermost_function() } else { Vec::new() };
            let place =
                if place.is_empty() { b"PHP Request Shutdown: ".to_vec() } else { [&place[..], b"(): "].concat() };
            vm.warning(
                &[&place[..], format!("Cannot destroy the zip context: {}", error.message()).as_bytes()].concat(),
            )
        }
        Ok(_) => Ok(()),
        Err(throw) => Err(throw),
    };
    if let Err(throw) = reported {
        vm.set_pending(throw);
    }
}

/// `open()`: true, or the number of the error.
pub fn open(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, path, mut opening) = (call.vm, call.path(0)?, call.int(1));
    require_some(call, 0, &path)?;
    if !basedir::allows(vm, &path)? {
        return Ok(Val::FALSE);
    }
    let data = data(call);
    if let Some((Err(_), archive)) = close_archive(vm, data)? {
        data.archive.replace(Some(archive));
        call.warning("Empty string as source")?;
        return Ok(Val::FALSE);
    }
    data.filename.borrow_mut().clear();
    let path = basedir::absolute(&path, None);
    let keeps = i64::from(flags::open::TRUNCATE | flags::open::RDONLY);
    let is_empty = || std::fs::metadata(crate::archive::source::os(&path)).is_ok_and(|meta| meta.len() == 0);
    if opening & keeps == 0 && is_empty() {
        call.raise(Level::Deprecated, b"Using empty file as ZipArchive is deprecated")?;
        opening |= i64::from(flags::open::TRUNCATE);
    }
    match Archive::open(&path, opening) {
        Ok(archive) => {
            data.filename.replace(path);
            let former = data.archive.replace(Some(archive));
            drop(former);
            Ok(Val::TRUE)
        }
        Err(error) => Ok(Val::int(error.number())),
    }
}

/// `close()`.
pub fn close(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = data(call);
    let closed = close_archive(call.vm, data);
    data.filename.borrow_mut().clear();
    forget_callbacks(data);
    match closed? {
        None => Err(invalid(call)),
        Some((Ok(()), archive)) => {
            drop(archive);
            data.error.set(ZipError::default());
            Ok(Val::TRUE)
        }
        Some((Err(error), archive)) => {
            drop(archive);
            data.error.set(error);
            call.warning(&error.message())?;
            Ok(Val::FALSE)
        }
    }
}

/// `setPassword()`.
pub fn set_password(call: &mut Call<'_>) -> PhpResult<Val> {
    let password = call.str(0);
    with_archive(call, |archive| {
        if password.is_empty() {
            return Val::FALSE;
        }
        archive.set_password(until_nul(&password));
        Val::TRUE
    })
}

/// `count()`.
pub fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    with_archive(call, |archive| Val::int(archive.len() as i64))
}

/// `clearError()`.
pub fn clear_error(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = data(call);
    match &mut *data.archive.borrow_mut() {
        Some(archive) => archive.error = ZipError::default(),
        None => data.error.set(ZipError::default()),
    }
    Ok(Val::NULL)
}

impl ZipData {
    fn last_error(&self) -> ZipError {
        self.archive.borrow().as_ref().map_or(self.error.get(), |archive| archive.error)
    }
}

/// `getStatusString()`.
pub fn status_string(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(data(call).last_error().message().into())
}

/// `setArchiveComment()`.
pub fn set_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    let comment = call.str(0);
    require_open(call)?;
    if comment.len() > usize::from(u16::MAX) {
        return Err(call.value_error(0, "must be less than 65535 bytes"));
    }
    change(call, |archive| archive.set_comment(&comment))
}

/// `getArchiveComment()`.
pub fn comment(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = bits(call, 0);
    with_archive(call, |archive| Val::str(&archive.comment(flags)))
}

/// `setArchiveFlag()`.
pub fn set_flag(call: &mut Call<'_>) -> PhpResult<Val> {
    let (flag, value) = (bits(call, 0), call.int(1) as i32 != 0);
    change(call, |archive| archive.set_flag(flag, value))
}

/// `getArchiveFlag()`.
pub fn flag(call: &mut Call<'_>) -> PhpResult<Val> {
    let (flag, flags) = (bits(call, 0), bits(call, 1));
    with_archive(call, |archive| Val::int(i64::from(archive.flag(flag, flags))))
}

/// `unchangeAll()`.
pub fn revert_all(call: &mut Call<'_>) -> PhpResult<Val> {
    change(call, Archive::revert_all)
}

/// `unchangeArchive()`.
pub fn revert_archive(call: &mut Call<'_>) -> PhpResult<Val> {
    with_archive(call, |archive| {
        archive.revert_archive();
        Val::TRUE
    })
}

/// `registerProgressCallback()`.
pub fn register_progress(call: &mut Call<'_>) -> PhpResult<Val> {
    require_open(call)?;
    let former = data(call).progress.replace(Some((call.double(0), call.arg(1))));
    drop(former);
    Ok(Val::TRUE)
}

/// `registerCancelCallback()`.
pub fn register_cancel(call: &mut Call<'_>) -> PhpResult<Val> {
    require_open(call)?;
    let former = data(call).cancel.replace(Some(call.arg(0)));
    drop(former);
    Ok(Val::TRUE)
}

type Read = fn(&ZipData) -> Val;

/// The properties, which cannot be assigned, in the order in which they are shown.
const PROPERTIES: [(&[u8], Read); 6] = [
    (b"lastId", |data| Val::int(data.last_id.get())),
    (b"status", |data| Val::int(data.last_error().number())),
    (b"statusSys", |data| Val::int(data.last_error().cause)),
    (b"numFiles", |data| Val::int(data.archive.borrow().as_ref().map_or(0, |archive| archive.len() as i64))),
    (b"filename", |data| Val::str(&data.filename.borrow())),
    (b"comment", |data| match &*data.archive.borrow() {
        Some(archive) => Val::str(&archive.comment(0)),
        None => Val::str(b""),
    }),
];

fn property(object: &PhpObj, name: &[u8]) -> Option<Val> {
    let data = object.native::<ZipData>()?;
    PROPERTIES.iter().find(|(known, _)| *known == name).map(|(_, read)| read(data))
}

/// Is a property one of the class's own?
pub fn owns(object: &PhpObj, name: &PhpStr) -> bool {
    property(object, name).is_some()
}

/// Access to the properties.
pub const MEMBERS: MemberHooks = MemberHooks { read, write, exists, unset: |_, _, _| Ok(()) };

fn name<'a>(member: Member<'a>) -> &'a [u8] {
    match member {
        Member::Property(name) => name,
        Member::Element(_) => b"",
    }
}

fn read(_vm: &Vm, object: &PhpObj, member: Member<'_>, _usage: MemberUse) -> PhpResult<Val> {
    Ok(property(object, name(member)).unwrap_or_default())
}

fn write(vm: &Vm, object: &PhpObj, member: Member<'_>, _value: Val) -> PhpResult<()> {
    let class = phlox_runtime::ObjExt::class_name(object).clone();
    let text = [b"Cannot write read-only property ", &class[..], b"::$", name(member)].concat();
    Err(vm.throw_error(&text))
}

fn exists(_vm: &Vm, object: &PhpObj, member: Member<'_>, not_empty: bool) -> PhpResult<bool> {
    let value = property(object, name(member));
    Ok(value.is_some_and(|value| !not_empty || convert::to_bool(&value)))
}

/// The table of all properties.
pub fn shown(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = PhpArr::new();
    if let Some(data) = object.native::<ZipData>() {
        PROPERTIES.iter().for_each(|(name, read)| table.set_bytes(name, read(data)));
    }
    for (key, value) in convert::object_properties(object).iter() {
        if !table.contains(key) {
            table.insert(key, value.clone());
        }
    }
    Ok(table)
}
