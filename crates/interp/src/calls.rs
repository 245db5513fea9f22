//! Calls beyond the fast path: headers of callees, and the binding of arguments. Builtin functions are run by `native`.

use crate::code::FuncCode;
use crate::context::{Ip, Run, with_stack};
use crate::frame::{CELL, FLAG_CONSTRUCTOR, FLAG_MAGIC, Frame, HEADER, Symbols, object};
use crate::{leave, native};
use phlox_hhbc::FuncFlags;
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{
    Args, Callee, CalleeRef, ClassRef, Func, Key, PhpArr, PhpObj, PhpResult, PhpStr, SymbolTable, Thrown, Val,
};
use phlox_value::{ClassHeader, raw};
use std::rc::Rc;

/// A handle of a class, with a reference of its own.
///
/// # Safety
/// `class` comes from [`raw::class_of`] or `Rc::as_ptr` of a class that is alive, or is null.
pub unsafe fn class_ref(class: *const ClassHeader) -> Option<ClassRef> {
    if class.is_null() {
        return None;
    }
    // SAFETY: the caller says that the class is alive, and its handles are `Rc`s.
    unsafe {
        Rc::increment_strong_count(class);
        Some(Rc::from_raw(class))
    }
}

/// Turns the handle of an object into its payload, which keeps the reference.
pub fn into_payload(object: PhpObj) -> u64 {
    let value = std::mem::ManuallyDrop::new(Val::from(object));
    // SAFETY: a value has the layout of a cell.
    unsafe { raw::payload(&raw const *value) }
}

/// Fills in the header of a pending call. The function is kept alive by its table, class, unit or closure; see `keep_alive`.
///
/// # Safety
/// `header` points to room for a header.
pub unsafe fn set_header(header: *mut Frame, callee: Callee) {
    // SAFETY: the caller says that there is room for a header; it takes over the callee's references.
    unsafe {
        Frame::prepare(header, FuncCode::of(&callee.func));
        (*header).static_class = callee.static_class.as_ref().map_or(std::ptr::null(), Rc::as_ptr);
        if let Some(this) = callee.this {
            (*header).this = into_payload(this);
        }
        if let Some(closure) = callee.closure {
            (*header).closure = into_payload(closure);
        }
        if let Some(name) = callee.magic_name {
            (&raw mut (*header).extra).cast::<PhpStr>().write(name);
            (*header).flags |= FLAG_MAGIC;
        }
        keep_alive(callee.func, header);
    }
}

/// Fills in the header of a pending call of `__call` or `__callStatic`, which stands in for a method with this name.
///
/// # Safety
/// `header` points to room for a header; `code` is a function of the class, and `class` is alive.
pub unsafe fn prepare_magic(header: *mut Frame, code: u64, class: u64, name: &PhpStr) {
    // SAFETY: the caller says that there is room for a header, which gets a reference of the name.
    unsafe {
        Frame::prepare(header, code as *const FuncCode);
        (*header).static_class = class as *const phlox_value::ClassHeader;
        (&raw mut (*header).extra).cast::<PhpStr>().write(name.clone());
        (*header).flags = FLAG_MAGIC;
    }
}

/// Fills in `$this`, the late static binding class and the closure of a prepared header without any.
///
/// # Safety
/// `header` was filled in by [`Frame::prepare`].
#[inline(always)]
pub unsafe fn fill_scope(header: *mut Frame, callee: CalleeRef<'_>) {
    // SAFETY: the caller says that this is a prepared header; it gets references of its own.
    unsafe {
        (*header).static_class = callee.static_class.map_or(std::ptr::null(), Rc::as_ptr);
        if let Some(this) = callee.this {
            (*header).this = into_payload(this.clone());
        }
        if let Some(closure) = callee.closure {
            (*header).closure = into_payload(closure.clone());
        }
    }
}

/// Lets a function that only the callee holds (a bound copy of a method, a rebound closure) live as long as the process: frames
/// have no references of their functions.
unsafe fn keep_alive(func: Rc<Func>, header: *mut Frame) {
    // SAFETY: `set_header` has just filled in the header.
    let held_by_closure = unsafe { (*header).closure != 0 };
    if Rc::strong_count(&func) == 1 && !held_by_closure {
        std::mem::forget(func);
    }
}

/// The callee of a pending call, in the runtime's form, with references of its own.
///
/// # Safety
/// `header` is a frame or the header of a pending call of a function.
pub unsafe fn callee_of(header: *const Frame) -> Callee {
    // SAFETY: the caller says that the header is filled in, so what it refers to is alive.
    unsafe {
        Callee {
            func: (*(*header).code).func_rc(),
            this: object((*header).this),
            static_class: class_ref((*header).static_class),
            closure: object((*header).closure),
            magic_name: Frame::magic_name(header),
        }
    }
}

/// Takes the callee out of a header, which holds nothing afterwards.
unsafe fn take_callee(header: *mut Frame) -> Callee {
    // SAFETY: the callers pass the filled-in header of a pending call.
    unsafe {
        let callee = callee_of(header);
        leave::release_header(header);
        callee
    }
}

/// Whether a pending call is that of `new` for a class without a constructor: its arguments are dropped.
///
/// # Safety
/// `header` is the header of a pending call.
#[inline]
pub unsafe fn calls_nothing(header: *const Frame) -> bool {
    // SAFETY: the caller says that this is a pending call's header.
    unsafe { (*header).code.is_null() }
}

/// Whether a pending call passes argument `param` by reference.
///
/// # Safety
/// `header` is the header of a pending call.
pub unsafe fn passes_by_ref(header: *const Frame, param: u32) -> bool {
    // SAFETY: the caller says that this is a pending call's header, so its function is alive or null.
    unsafe { takes_references(header) && (*(*header).code).func().is_by_ref(param as usize) }
}

/// Whether a pending call may pass argument `param` by reference: true for all that are, and for some that are not.
///
/// # Safety
/// `header` is the header of a pending call.
#[inline(always)]
pub unsafe fn may_pass_by_ref(header: *const Frame, param: u32) -> bool {
    // SAFETY: the caller says that this is a pending call's header, so its function is alive or null.
    unsafe { calls_nothing(header) || (*(*header).code).may_be_by_ref(param) }
}

/// Whether a pending call passes any argument by reference.
///
/// # Safety
/// `header` is the header of a pending call.
#[inline(always)]
pub unsafe fn takes_references(header: *const Frame) -> bool {
    // SAFETY: the caller says that this is a pending call's header, so its function is alive or null.
    unsafe { !calls_nothing(header) && (*(*header).code).has_by_ref && (*header).flags & FLAG_MAGIC == 0 }
}

/// The cell of the first argument.
///
/// # Safety
/// `header` is a frame or the header of a pending call.
pub unsafe fn arguments(header: *mut Frame) -> *mut Val {
    // SAFETY: arguments follow the header of a frame or pending call.
    unsafe { header.add(1).cast() }
}

/// Makes room for a frame that ends at `end`. The error is that of memory_limit or of a full stack.
///
/// # Safety
/// The innermost frame is alive.
pub unsafe fn reserve(run: &mut Run, end: *mut u8) -> PhpResult<()> {
    if end <= run.limit {
        return Ok(());
    }
    let fits = with_stack(|stack| {
        let fits = stack.reach(end);
        run.limit = stack.charged;
        fits
    });
    match fits {
        true => Ok(()),
        false => Err(run.vm.native_stack_error()),
    }
}

/// Makes a call whose `argc` arguments are in place: enters a PHP function, or runs a builtin one, and gives the opline to go on
/// with.
///
/// # Safety
/// `header` is a pending call of the innermost frame, whose call opline is `ip`.
pub unsafe fn call(run: &mut Run, ip: Ip, header: *mut Frame, argc: u32) -> Ip {
    // SAFETY: the caller says that this is a pending call of the innermost frame with its arguments in place.
    unsafe {
        let asked = (*run.interrupt).load(std::sync::atomic::Ordering::Relaxed) != 0;
        if let (true, Err(throw)) = (asked, if asked { crate::handlers::safe_point(run) } else { Ok(()) }) {
            drop_arguments(header, argc);
            if !calls_nothing(header) {
                leave::release_header(header);
            }
            return run.raise(throw);
        }
        if calls_nothing(header) {
            drop_arguments(header, argc);
            let result = run.store(ip, Val::NULL);
            return run.finish(ip, result);
        }
        let code = &*(*header).code;
        if (*header).flags & FLAG_MAGIC != 0 {
            if code.is_native || code.has_by_ref || code.func().deprecated.get() {
                let args = take_arguments(header, argc);
                return call_with(run, ip, header, args, Vec::new());
            }
            return call_magic(run, header, argc);
        }
        if code.is_native {
            return native::call(run, ip, header, argc);
        }
        (*header).argc = argc;
        (*header).prev = run.frame;
        let object = constructed(header);
        match enter(run, header, argc) {
            Ok(entry) => entry,
            Err(throw) => fail_entry(run, object, throw),
        }
    }
}

/// Calls `__call` or `__callStatic` with the method's name and a list of the arguments, which are in place.
unsafe fn call_magic(run: &mut Run, header: *mut Frame, argc: u32) -> Ip {
    // SAFETY: `call` passes a pending call of the innermost frame with `FLAG_MAGIC`, so the header owns the name.
    unsafe {
        let first = arguments(header);
        let list = raw::list_of(first, argc as usize);
        if let Err(throw) = reserve(run, first.add(2).cast()) {
            drop(list);
            leave::release_header(header);
            return run.raise(throw);
        }
        let name = Frame::take_magic_name(header).unwrap_or_else(PhpStr::empty);
        raw::put(first, name.into());
        raw::put(first.add(1), list.into());
        (*header).argc = 2;
        (*header).prev = run.frame;
        match enter(run, header, 2) {
            Ok(entry) => entry,
            Err(throw) => run.raise(throw),
        }
    }
}

/// The object whose constructor is being called, if one is.
unsafe fn constructed(header: *const Frame) -> Option<PhpObj> {
    // SAFETY: the callers pass a filled-in header.
    unsafe { if (*header).flags & FLAG_CONSTRUCTOR != 0 { Frame::this_object(header) } else { None } }
}

/// Raises the error of a function that could not be entered. An object whose constructor it was is not destructed.
fn fail_entry(run: &mut Run, object: Option<PhpObj>, throw: phlox_runtime::Throw) -> Ip {
    if let Some(object) = object {
        object.mark_destructed();
    }
    run.raise(throw)
}

/// Releases the arguments of a pending call.
unsafe fn drop_arguments(header: *mut Frame, argc: u32) {
    // SAFETY: the callers pass a pending call with `argc` arguments in place, which are not used again.
    unsafe { drop(take_arguments(header, argc)) }
}

/// Moves the arguments of a pending call out.
///
/// # Safety
/// `argc` arguments are in place behind the header; they are not used again.
pub unsafe fn take_arguments(header: *mut Frame, argc: u32) -> Vec<Val> {
    // SAFETY: the caller says that `argc` arguments are in place.
    unsafe { (0..argc).map(|index| raw::take(arguments(header).add(index as usize))).collect() }
}

/// Makes a call whose arguments are not in place: named ones, unpacked arrays, `__call`.
///
/// # Safety
/// `header` is a pending call of the innermost frame, whose call opline is `ip`; its arguments were taken out.
pub unsafe fn call_with(
    run: &mut Run,
    ip: Ip,
    header: *mut Frame,
    mut args: Vec<Val>,
    mut named: Vec<(PhpStr, Val)>,
) -> Ip {
    // SAFETY: the caller says that this is a pending call of the innermost frame without arguments in place.
    unsafe {
        let magic = Frame::take_magic_name(header);
        if let Some(name) = &magic {
            let mut list: PhpArr = args.drain(..).collect();
            for (key, value) in named.drain(..) {
                list.insert(Key::Str(&key), value);
            }
            args = vec![name.into(), list.into()];
        }
        if (*(*header).code).is_native {
            let is_constructor = (*header).flags & FLAG_CONSTRUCTOR != 0;
            let callee = take_callee(header);
            let result = native_with(run, callee, args, named, is_constructor);
            let result = result.and_then(|value| run.store(ip, value));
            return run.finish(ip, result);
        }
        (*header).prev = run.frame;
        let object = constructed(header);
        match bind(run, header, args, named, magic.as_deref()) {
            Ok(entry) => entry,
            Err(throw) => fail_entry(run, object, throw),
        }
    }
}

/// Runs a builtin function with arguments that are not in place.
fn native_with(
    run: &Run,
    callee: Callee,
    positional: Vec<Val>,
    named: Vec<(PhpStr, Val)>,
    is_constructor: bool,
) -> PhpResult<Val> {
    let this = callee.this.clone();
    let by_ref = callee.func.returns_by_ref();
    match run.vm.call_native(callee, Args { positional, named }, false) {
        Ok(value) => Ok(if by_ref { value } else { value.into_deref() }),
        Err(throw) => {
            if let (true, Some(this)) = (is_constructor, this) {
                this.mark_destructed();
            }
            Err(throw)
        }
    }
}

/// Makes the frame of a PHP function whose arguments are in place, makes it the innermost one, and gives the opline to start with.
/// On failure the arguments and the header are released, and the caller is the innermost frame again.
///
/// # Safety
/// `header` is a filled-in header with its arguments behind it; `prev` is set.
pub unsafe fn enter(run: &mut Run, header: *mut Frame, argc: u32) -> PhpResult<Ip> {
    // SAFETY: the caller says that the header is filled in and `argc` arguments lie behind it.
    unsafe {
        let code = &*(*header).code;
        if code.is_simple.get()
            && argc >= code.required
            && argc <= code.params
            && header.cast::<u8>().add(code.frame_bytes.get() as usize) <= run.limit
        {
            clear_from(header, argc);
            run.frame = header;
            let entry = *code.entries.get().add((argc - code.required) as usize);
            (*header).ip = entry;
            return Ok(started(header, entry));
        }
        code.prepare(run.vm);
        if let Some(entry) = enter_variadic(run, header, argc) {
            return Ok(entry);
        }
        if let Some(entry) = enter_with_extra(run, header, argc) {
            return Ok(entry);
        }
        let special = FuncFlags::VARIADIC | FuncFlags::PSEUDO_MAIN;
        let in_place = argc >= code.required && argc <= code.params && !code.func().has(special);
        if !in_place || code.ops.get().is_null() || code.func().code().code.is_empty() {
            let args = take_arguments(header, argc);
            return bind(run, header, args, Vec::new(), None);
        }
        if let Err(throw) = report_deprecated(run, header, argc, None) {
            give_up(run, header, argc);
            return Err(throw);
        }
        if let Err(throw) = reserve(run, header.cast::<u8>().add(code.frame_bytes.get() as usize)) {
            give_up(run, header, argc);
            return Err(throw);
        }
        clear_from(header, argc);
        run.frame = header;
        let entry = *code.entries.get().add((argc - code.required) as usize);
        (*header).ip = entry;
        Ok(started(header, entry))
    }
}

/// Enters a variadic function that takes all arguments by value. `None`: the function is not of that kind, or needs more; nothing
/// has changed.
#[inline(never)]
unsafe fn enter_variadic(run: &mut Run, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: `enter` passes a filled-in header with its arguments; those of the list move out of cells of locals, which are
    // cleared then.
    unsafe {
        let code = &*(*header).code;
        let func = code.func();
        let plain = func.has(FuncFlags::VARIADIC) && !func.has(FuncFlags::PSEUDO_MAIN) && !func.deprecated.get();
        let fits = header.cast::<u8>().add(code.frame_bytes.get() as usize) <= run.limit;
        if !plain || code.has_by_ref || argc < code.required || !fits || code.ops.get().is_null() {
            return None;
        }
        let declared = argc.min(code.params);
        let rest = raw::list_of(arguments(header).add(declared as usize), (argc - declared) as usize);
        clear_from(header, declared);
        if func.changes_rest && !rest.is_empty() {
            Frame::env(header).extra_args.push((&rest).into());
        }
        raw::put(Frame::local(header, code.params), rest.into());
        run.frame = header;
        let entry = *code.entries.get().add((declared - code.required) as usize);
        (*header).ip = entry;
        Some(started(header, entry))
    }
}

/// Enters a function with more arguments than it has parameters. `None`: there are not more, or the function needs the slow path;
/// nothing has changed.
#[inline(never)]
unsafe fn enter_with_extra(run: &mut Run, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: `enter` passes a filled-in header with its arguments; the extra ones move out of cells of locals, which are cleared
    // then.
    unsafe {
        let code = &*(*header).code;
        let fits = header.cast::<u8>().add(code.frame_bytes.get() as usize) <= run.limit;
        if argc <= code.params || !code.is_simple.get() || code.has_by_ref || !fits || code.ops.get().is_null() {
            return None;
        }
        let first = arguments(header);
        let extra = (code.params..argc).map(|index| raw::take(first.add(index as usize)));
        Frame::env(header).extra_args.extend(extra);
        clear_from(header, code.params);
        run.frame = header;
        let entry = *code.entries.get().add((code.params - code.required) as usize);
        (*header).ip = entry;
        Some(started(header, entry))
    }
}

/// Enters a function with the arguments in a list, which move into place. On failure they and the header are released.
///
/// # Safety
/// `header` is filled in and lies at the top of the stack; `prev` is set.
pub unsafe fn enter_with(run: &mut Run, header: *mut Frame, args: Vec<Val>) -> PhpResult<Ip> {
    // SAFETY: the caller says that the header is filled in and that nothing lies above it.
    unsafe {
        let argc = args.len() as u32;
        if let Err(throw) = reserve(run, header.cast::<u8>().add((HEADER + argc * CELL) as usize)) {
            give_up(run, header, 0);
            return Err(throw);
        }
        let by_ref = (*(*header).code).has_by_ref;
        for (index, value) in args.into_iter().enumerate() {
            let value =
                if by_ref { argument(value, (*(*header).code).func().is_by_ref(index)) } else { value.into_deref() };
            raw::put(arguments(header).add(index), value);
        }
        (*header).argc = argc;
        enter(run, header, argc)
    }
}

/// Reports `#[Deprecated]` on the line of the call.
unsafe fn report_deprecated(run: &mut Run, header: *mut Frame, argc: u32, magic: Option<&[u8]>) -> PhpResult<()> {
    // SAFETY: `enter` and `bind` pass a filled-in header with `argc` arguments in place.
    unsafe {
        let code = &*(*header).code;
        match code.func().deprecated.get() {
            true => above_pending(run, header, argc, |run| {
                phlox_runtime::attributes::report_deprecated_call(run.vm, code.func(), magic)
            }),
            false => Ok(()),
        }
    }
}

/// Does `work`, which may run PHP code, while a call is pending. The call's header and arguments may lie above the innermost frame,
/// so frames of `work` are put above them.
unsafe fn above_pending<R>(run: &mut Run, header: *mut Frame, argc: u32, work: impl FnOnce(&mut Run) -> R) -> R {
    // SAFETY: the callers pass the header of a pending call and the number of its arguments in place.
    let end = unsafe { arguments(header).add(argc as usize).cast::<u8>() };
    let floor = run.floor;
    run.floor = floor.max(end);
    let result = work(run);
    run.floor = floor;
    result
}

/// Releases what a pending call holds that is not made: destructors may run.
unsafe fn give_up(run: &mut Run, header: *mut Frame, argc: u32) {
    // SAFETY: the callers pass the header of a pending call with `argc` arguments in place; neither is used again.
    unsafe {
        above_pending(run, header, argc, |_| {
            drop(take_arguments(header, argc));
            leave::release_header(header);
        });
    }
}

/// Makes all cells of locals from `first` on, and the iterators, empty.
///
/// # Safety
/// `frame` is a frame whose header is filled in, with nothing in these cells.
#[inline]
pub unsafe fn clear_from(frame: *mut Frame, first: u32) {
    // SAFETY: the caller says that the header is filled in, so there is room for its locals and iterators.
    unsafe {
        Frame::undefine(frame, first, (*(*frame).code).cleared);
    }
}

/// Binds captured variables of a frame that has been set up; gives `entry`.
unsafe fn started(frame: *mut Frame, entry: Ip) -> Ip {
    // SAFETY: the callers pass the innermost frame, whose cells are initialised.
    unsafe {
        if (*(*frame).code).has_captures {
            bind_captures(frame);
        }
        entry
    }
}

/// Gives the captured variables of a closure their values.
///
/// # Safety
/// `frame` is a frame of a function with captures, whose locals are empty except for the arguments.
#[inline(never)]
pub unsafe fn bind_captures(frame: *mut Frame) {
    // SAFETY: the caller says that the locals are initialised; the frame owns a reference of the closure object.
    unsafe {
        let payload = (*frame).closure;
        if payload == 0 {
            return;
        }
        let closure = &*(&raw const payload).cast::<PhpObj>();
        let Some(data) = closure.native::<ClosureData>() else { return };
        let captures = &(*(*frame).code).func().code().captures;
        for ((local, _), captured) in captures.iter().zip(&data.captured) {
            let from = (&raw const *captured).cast::<Val>();
            let (payload, tag) = (raw::payload(from), raw::tag(from));
            raw::retain(payload, tag);
            let to = Frame::local(frame, local.0);
            raw::release(raw::payload(to), raw::tag(to));
            raw::write(to, payload, tag);
        }
    }
}

/// Releases what a frame holds that could not start.
unsafe fn discard(run: &mut Run, frame: *mut Frame) {
    // SAFETY: `bind` passes the innermost frame, which is not used again.
    unsafe {
        leave::leave_frame(run, frame);
    }
}

/// Enters a function with arguments outside of the frame: moves them into the locals. `magic`: the name that `__call` stands in
/// for. On failure everything is released, and the caller is the innermost frame again.
///
/// # Safety
/// `frame` is a filled-in header without arguments in place; `prev` is set.
pub unsafe fn bind(
    run: &mut Run,
    frame: *mut Frame,
    args: Vec<Val>,
    named: Vec<(PhpStr, Val)>,
    magic: Option<&[u8]>,
) -> PhpResult<Ip> {
    // SAFETY: the caller says that the header is filled in and no arguments are in place.
    unsafe {
        let code = &*(*frame).code;
        let func = code.func();
        let checked = run.vm.check_names(func, args.len(), &named);
        if let Err(throw) = checked.and_then(|()| report_deprecated(run, frame, 0, magic)) {
            give_up(run, frame, 0);
            return Err(throw);
        }
        if func.code().code.is_empty() {
            let text = [b"Cannot call abstract method ", &func.display_name()[..], b"()"].concat();
            give_up(run, frame, 0);
            return Err(run.vm.throw_error(&text));
        }
        code.prepare(run.vm);
        if let Err(throw) = reserve(run, frame.cast::<u8>().add(code.frame_bytes.get() as usize)) {
            give_up(run, frame, 0);
            return Err(throw);
        }
        (*frame).argc = args.len() as u32;
        (*frame).ip = code.entry(func.code().main_entry.0);
        clear_from(frame, 0);
        run.frame = frame;
        match bind_arguments(run, frame, args, named) {
            Ok(entry) => {
                (*frame).ip = entry;
                Ok(started(frame, entry))
            }
            Err(throw) => {
                discard(run, frame);
                Err(throw)
            }
        }
    }
}

/// Makes an argument fit its parameter: a reference for one by reference, a plain value for others.
fn argument(mut value: Val, by_ref: bool) -> Val {
    if by_ref {
        value.make_ref();
        value
    } else {
        value.into_deref()
    }
}

/// Moves arguments into the locals of a frame; gives the opline to start with.
unsafe fn bind_arguments(run: &mut Run, frame: *mut Frame, args: Vec<Val>, named: Vec<(PhpStr, Val)>) -> PhpResult<Ip> {
    // SAFETY: `bind` passes the innermost frame, whose locals are initialised and empty.
    unsafe {
        let code = &*(*frame).code;
        let func = code.func();
        let first = Frame::local(frame, 0);
        let local = |index: usize| &mut *first.add(index);
        let declared = func.declared;
        let passed = args.len();
        let mut extra = Vec::new();
        for (index, value) in args.into_iter().enumerate() {
            match index < declared {
                true => drop(local(index).replace(argument(value, func.params[index].by_ref))),
                false => extra.push(value),
            }
        }
        let mut highest = passed;
        let mut unknown = Vec::new();
        for (name, value) in named {
            match func.params.iter().position(|p| p.name == name && !p.variadic) {
                Some(index) => {
                    drop(local(index).replace(argument(value, func.params[index].by_ref)));
                    highest = highest.max(index + 1);
                }
                None => unknown.push((name, value)),
            }
        }
        (*frame).argc = highest as u32;
        if func.is_variadic() {
            let by_ref = func.params[declared].by_ref;
            let mut rest: PhpArr = extra.into_iter().map(|value| argument(value, by_ref)).collect();
            for (name, value) in unknown {
                rest.insert(Key::Str(&name), argument(value, by_ref));
            }
            if func.changes_rest && !rest.is_empty() {
                Frame::env(frame).extra_args = vec![(&rest).into()];
            }
            drop(local(declared).replace(rest.into()));
        } else if !extra.is_empty() {
            Frame::env(frame).extra_args = extra;
        }
        if let Some(missing) = (0..func.required.min(declared)).find(|&index| local(index).is_undef()) {
            if highest > missing {
                let name = &func.params[missing].name;
                let text = format!("(): Argument #{} (${name}) not passed", missing + 1);
                let text = [&func.display_name()[..], text.as_bytes()].concat();
                return Err(run.vm.throw(Thrown::ArgumentCountError, &text));
            }
            let view = crate::view::of(frame);
            // PHP checks the types of the passed arguments before their number.
            for index in 0..highest.min(declared) {
                run.machine.verify_param(&view, phlox_hhbc::LocalId(index as u32))?;
            }
            return Err(run.machine.too_few_arguments(&view, highest));
        }
        let first_missing = (func.required..declared).find(|&index| local(index).is_undef());
        let entry = first_missing.and_then(|index| func.code().dv_entries.get(index - func.required));
        Ok(code.entry(entry.unwrap_or(&func.code().main_entry).0))
    }
}

/// Attaches the locals of a frame to variables of a symbol table; unnamed locals to variables of their own.
///
/// # Safety
/// The frame is alive, and its locals are not attached.
pub unsafe fn attach(frame: *mut Frame, table: Rc<SymbolTable>) {
    // SAFETY: the caller says that the locals are the frame's own; their variables are detached when the frame ends.
    unsafe {
        let func = (*(*frame).code).func();
        let mut attached = Vec::new();
        for (index, name) in func.code().locals.iter().enumerate() {
            let place = Frame::local(frame, index as u32);
            let variable = match name {
                Some(name) => table.slot(func.unit.str(*name)),
                None => Rc::default(),
            };
            let own = (*place).take();
            let before = variable.attach(place.cast_const().cast());
            if !own.is_undef() {
                drop((*place).replace(own));
            }
            attached.push((index as u32, variable, before));
        }
        Frame::env(frame).symbols = Some(Symbols { table, attached });
    }
}
