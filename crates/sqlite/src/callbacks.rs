//! Functions, aggregates, collations and authorizers that SQL calls.

use crate::statement::value;
use crate::{Connection, Failure, Value, c_text, sys, text};
use std::any::Any;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::rc::Rc;

/// A function for SQL. It gives a value, or the message of an error.
pub type Function = dyn Fn(&[Value]) -> Result<Value, String>;

/// Compares two texts in UTF-8.
pub type Collation = dyn Fn(&[u8], &[u8]) -> Ordering;

/// Decides about an action, by SQLite's codes. Gets the action, up to two names that it concerns, the database, and
/// the trigger or view.
pub type Authorizer = dyn Fn(i32, [Option<String>; 4]) -> i32;

/// The state of an aggregate function for one group of rows.
pub trait Aggregate {
    /// Adds a row to the group.
    fn step(&mut self, args: &[Value]) -> Result<(), String>;
    /// Gives the result of the group.
    fn finish(self: Box<Self>) -> Result<Value, String>;
}

type Groups = dyn Fn() -> Box<dyn Aggregate>;

thread_local! {
    /// Callbacks that SQLite released during a call.
    static GIVEN_BACK: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Runs code whose panic must not unwind into C. The panic is kept for `resume`.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        PANIC.with(|panic| *panic.borrow_mut() = Some(payload));
        otherwise
    })
}

/// Continues the panic that a callback left, if any.
pub(crate) fn resume() {
    if let Some(payload) = PANIC.with(|panic| panic.borrow_mut().take()) {
        resume_unwind(payload);
    }
}

/// # Safety
/// SQLite passed the arguments to a callback that is running.
unsafe fn args(count: c_int, raw: *mut *mut sys::sqlite3_value) -> Vec<Value> {
    // SAFETY: SQLite passes an array of `count` values that live through the callback.
    (0..count as usize).map(|index| unsafe { value(*raw.add(index)) }).collect()
}

/// # Safety
/// SQLite passed the context to a callback that is running.
unsafe fn give(context: *mut sys::sqlite3_context, result: Result<Value, String>) {
    // SAFETY: the contract keeps the context valid; SQLite copies texts and blobs.
    unsafe {
        match result {
            Ok(Value::Null) => sys::sqlite3_result_null(context),
            Ok(Value::Int(number)) => sys::sqlite3_result_int64(context, number),
            Ok(Value::Real(number)) => sys::sqlite3_result_double(context, number),
            Ok(Value::Text(text)) => sys::sqlite3_result_text64(
                context,
                text.as_ptr().cast(),
                text.len() as u64,
                sys::SQLITE_TRANSIENT(),
                sys::SQLITE_UTF8 as u8,
            ),
            Ok(Value::Blob(blob)) => {
                sys::sqlite3_result_blob64(context, blob.as_ptr().cast(), blob.len() as u64, sys::SQLITE_TRANSIENT())
            }
            Err(message) => sys::sqlite3_result_error(context, message.as_ptr().cast(), message.len() as c_int),
        }
    }
}

unsafe extern "C" fn call_function(
    context: *mut sys::sqlite3_context,
    count: c_int,
    raw: *mut *mut sys::sqlite3_value,
) {
    // SAFETY: the user data is the box that `create_function` made, which lives until SQLite drops the function.
    unsafe {
        let function = &*sys::sqlite3_user_data(context).cast::<Box<Function>>();
        let args = args(count, raw);
        give(context, guarded(Err(String::new()), || function(&args)));
    }
}

/// Keeps a callback that SQLite releases until SQLite's call returns. Dropping it may call SQLite, which must not
/// happen now.
fn give_back(data: Box<dyn Any>) {
    let mut data = Some(data);
    // The thread's storage may be destroyed already; the callback is dropped at once then.
    let _ = GIVEN_BACK.try_with(|given| given.borrow_mut().extend(data.take()));
}

/// Frees the callbacks that SQLite released. It is called after SQLite's call has returned.
pub(crate) fn free_given_back() {
    while let Ok(Some(data)) = GIVEN_BACK.try_with(|given| given.borrow_mut().pop()) {
        drop(data);
    }
}

unsafe extern "C" fn drop_function(data: *mut c_void) {
    // SAFETY: `create_function` made the pointer by `Box::into_raw` of this type; SQLite calls this once.
    give_back(unsafe { Box::from_raw(data.cast::<Box<Function>>()) });
}

/// The place for the state of a group: a pointer that SQLite clears at first.
///
/// # Safety
/// SQLite passed the context to a callback that is running.
unsafe fn group(context: *mut sys::sqlite3_context, size: usize) -> *mut *mut Box<dyn Aggregate> {
    // SAFETY: the contract keeps the context valid; SQLite clears the memory and keeps it as long as the group.
    unsafe { sys::sqlite3_aggregate_context(context, size as c_int).cast() }
}

unsafe extern "C" fn call_step(context: *mut sys::sqlite3_context, count: c_int, raw: *mut *mut sys::sqlite3_value) {
    // SAFETY: the user data is the box that `create_aggregate` made; `call_finish` frees the state.
    unsafe {
        let place = group(context, size_of::<*mut Box<dyn Aggregate>>());
        if place.is_null() {
            return;
        }
        if (*place).is_null() {
            let groups = &*sys::sqlite3_user_data(context).cast::<Box<Groups>>();
            let Some(state) = guarded(None, || Some(groups())) else { return };
            *place = Box::into_raw(Box::new(state));
        }
        let args = args(count, raw);
        let state = &mut **place;
        if let Err(message) = guarded(Err(String::new()), || state.step(&args)) {
            give(context, Err(message));
        }
    }
}

unsafe extern "C" fn call_finish(context: *mut sys::sqlite3_context) {
    // SAFETY: the user data is the box that `create_aggregate` made; the state is taken out of its place, so it is
    // freed once.
    unsafe {
        let place = group(context, 0);
        let taken = if place.is_null() { ptr::null_mut() } else { std::mem::replace(&mut *place, ptr::null_mut()) };
        let result = if taken.is_null() {
            let groups = &*sys::sqlite3_user_data(context).cast::<Box<Groups>>();
            guarded(Err(String::new()), || groups().finish())
        } else {
            let state = *Box::from_raw(taken);
            guarded(Err(String::new()), || state.finish())
        };
        give(context, result);
    }
}

unsafe extern "C" fn drop_groups(data: *mut c_void) {
    // SAFETY: `create_aggregate` made the pointer by `Box::into_raw` of this type; SQLite calls this once.
    give_back(unsafe { Box::from_raw(data.cast::<Box<Groups>>()) });
}

unsafe extern "C" fn call_collation(
    data: *mut c_void,
    left_size: c_int,
    left: *const c_void,
    right_size: c_int,
    right: *const c_void,
) -> c_int {
    // SAFETY: the data is the box that `create_collation` made; the lengths are those of the texts.
    unsafe {
        let collation = &*data.cast::<Box<Collation>>();
        let slice = |text: *const c_void, size: c_int| {
            if text.is_null() || size <= 0 { &[] } else { std::slice::from_raw_parts(text.cast::<u8>(), size as usize) }
        };
        let (left, right) = (slice(left, left_size), slice(right, right_size));
        guarded(Ordering::Equal, || collation(left, right)) as c_int
    }
}

unsafe extern "C" fn drop_collation(data: *mut c_void) {
    // SAFETY: `create_collation` made the pointer by `Box::into_raw` of this type; SQLite calls this once.
    give_back(unsafe { Box::from_raw(data.cast::<Box<Collation>>()) });
}

unsafe extern "C" fn call_authorizer(
    data: *mut c_void,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    database: *const c_char,
    trigger: *const c_char,
) -> c_int {
    // SAFETY: the data is a value that the connection keeps; the texts are null or end with NUL.
    unsafe {
        let authorizer = &*data.cast::<Kept>();
        let texts = [first, second, database, trigger]
            .map(|pointer| if pointer.is_null() { None } else { Some(text(pointer)) });
        guarded(sys::SQLITE_DENY, || (authorizer.0)(action, texts))
    }
}

/// An authorizer behind a thin pointer, which SQLite can keep.
pub(crate) struct Kept(Box<Authorizer>);

impl Connection {
    /// Defines a function of SQL. An `arity` of -1 allows any number of arguments.
    pub fn create_function(&self, name: &[u8], arity: i32, flags: i32, function: Box<Function>) -> Result<(), Failure> {
        let name = c_text(name);
        let data = Box::into_raw(Box::new(function));
        // SAFETY: SQLite owns `data` from here on, even if the call fails, and frees it by `drop_function`.
        let result = self.check(unsafe {
            sys::sqlite3_create_function_v2(
                self.db(),
                name.as_ptr(),
                arity,
                sys::SQLITE_UTF8 | flags,
                data.cast(),
                Some(call_function),
                None,
                None,
                Some(drop_function),
            )
        });
        free_given_back();
        result
    }

    /// Defines an aggregate function of SQL. `groups` makes the state of each group.
    pub fn create_aggregate(
        &self,
        name: &[u8],
        arity: i32,
        groups: Box<dyn Fn() -> Box<dyn Aggregate>>,
    ) -> Result<(), Failure> {
        let name = c_text(name);
        let data: *mut Box<Groups> = Box::into_raw(Box::new(groups));
        // SAFETY: SQLite owns `data` from here on, even if the call fails, and frees it by `drop_groups`.
        let result = self.check(unsafe {
            sys::sqlite3_create_function_v2(
                self.db(),
                name.as_ptr(),
                arity,
                sys::SQLITE_UTF8,
                data.cast(),
                None,
                Some(call_step),
                Some(call_finish),
                Some(drop_groups),
            )
        });
        free_given_back();
        result
    }

    /// Defines a collation, which compares texts in UTF-8.
    pub fn create_collation(&self, name: &[u8], collation: Box<Collation>) -> Result<(), Failure> {
        let name = c_text(name);
        let data = Box::into_raw(Box::new(collation));
        // SAFETY: SQLite owns `data` if the call succeeds. Otherwise it is freed here, because SQLite does not free
        // it.
        let code = unsafe {
            let code = sys::sqlite3_create_collation_v2(
                self.db(),
                name.as_ptr(),
                sys::SQLITE_UTF8,
                data.cast(),
                Some(call_collation),
                Some(drop_collation),
            );
            if code != crate::OK {
                drop_collation(data.cast());
            }
            code
        };
        let result = self.check(code);
        free_given_back();
        result
    }

    /// Sets or removes the authorizer. The connection keeps the former one, because it may be running.
    pub fn set_authorizer(&self, authorizer: Option<Box<Authorizer>>) -> Result<(), Failure> {
        let Some(authorizer) = authorizer else {
            // SAFETY: a null function with null data removes the authorizer.
            return self.check(unsafe { sys::sqlite3_set_authorizer(self.db(), None, ptr::null_mut()) });
        };
        let kept = Rc::new(Kept(authorizer));
        let data = Rc::as_ptr(&kept);
        self.authorizers.borrow_mut().push(kept);
        // SAFETY: the connection keeps the value until it closes.
        self.check(unsafe { sys::sqlite3_set_authorizer(self.db(), Some(call_authorizer), data.cast_mut().cast()) })
    }
}
