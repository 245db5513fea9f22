//! Calls of builtin functions with their arguments in place: checks of the arguments, defaults, the body, and the release of
//! everything afterwards.

use crate::calls::{arguments, call_with, reserve, take_arguments};
use crate::code::{FuncCode, GeneratorStep, Kind};
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_BORROWS_THIS, FLAG_CONSTRUCTOR, FLAG_MAGIC, Frame};
use crate::handlers::{next, slow, slow_switch};
use crate::{generator, implicit_calls, megamorphic_cache};
use phlox_hhbc::TypeMask;
use phlox_oracle::generators::{self, GeneratorData};
use phlox_runtime::closure::ClosureData;
use phlox_runtime::extension::FastPathFn;
use phlox_runtime::{Call, NativeFn, ObjExt, PhpObj, PhpResult, Throw, Val, coerce};
use phlox_value::raw::{self, Words};
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// The opline `Call` of a builtin function: the fast path, for arguments that need no conversion.
///
/// # Safety
/// `ip` is an opline of the innermost frame `fp` of `run`; its `a` is the header of a pending call of a builtin function.
pub unsafe extern "C-unwind" fn call_in_place(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the caller says that `a` is a pending call's header; the arguments are cells in a row behind it.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let code = &*(*header).code;
        let argc = (*ip).b;
        let first = arguments(header);
        let room = first.add(argc.max(code.params) as usize).cast::<u8>();
        let is_plain = code.is_plain_native
            && argc >= code.required
            && argc as usize <= code.taken_kinds.len()
            && (*header).flags & FLAG_MAGIC == 0
            && (*header).env.is_null()
            && (*header).closure == 0
            && room <= (*run).limit;
        if !is_plain {
            if code.generator_step.is_some() {
                return send(ip, fp, run);
            }
            slow_switch!(call_slowly, ip, fp, run)
        }
        let mut kinds = code.taken_kinds.as_ptr();
        let mut place = first;
        let end = first.add(argc as usize);
        while place < end {
            if !FuncCode::is_one_of(*kinds, place) {
                return call_with_objects(ip, fp, run);
            }
            kinds = kinds.add(1);
            place = place.add(1);
        }
        enter_in_place(ip, fp, run)
    }
}

/// Calls `Generator::send()` or `next()`: the generator's body runs above the method's frame.
#[inline(never)]
unsafe extern "C-unwind" fn send(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `call_in_place` jumps here with its opline, frame and run.
    unsafe {
        let position = generator::send_at_once(ip, fp, run);
        if position.is_null() {
            slow_switch!(call_slowly, ip, fp, run)
        }
        crate::handlers::go!(position, (*run).frame.cast(), run)
    }
}

/// The part of [`call_in_place`] after the arguments have been found to have the declared types.
#[inline(always)]
unsafe fn enter_in_place(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `call_in_place` and `call_with_objects` pass their opline, frame and run.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let code = &*(*header).code;
        let argc = (*ip).b;
        if argc < code.params && !put_defaults(code, arguments(header), argc) {
            slow_switch!(call_slowly, ip, fp, run)
        }
        (*header).argc = argc;
        (*header).prev = fp.cast();
        (*header).ip = std::ptr::null();
        (*fp.cast::<Frame>()).ip = ip;
        (*run).frame = header;
        run_in_place(ip, fp, run)
    }
}

/// The part of [`call_in_place`] for arguments whose types do not suffice: they may be objects of the declared classes.
#[inline(never)]
unsafe extern "C-unwind" fn call_with_objects(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `call_in_place` jumps here with its opline, frame and run.
    unsafe {
        if !takes_all(ip, fp, run) {
            slow_switch!(call_slowly, ip, fp, run)
        }
        enter_in_place(ip, fp, run)
    }
}

/// Whether the parameters of a function take the arguments of a call without a conversion. Out of line: a handler that passes
/// addresses of cells on could not end in a jump.
#[inline(never)]
unsafe fn takes_all(ip: Ip, fp: Fp, run: *mut Run) -> bool {
    // SAFETY: `call_with_objects` passes its opline and frame, so `a` is a pending call's header with its arguments.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let (code, first) = (&*(*header).code, arguments(header));
        (0..(*ip).b as usize).all(|index| {
            let place = first.add(index);
            FuncCode::is_one_of(code.taken_kinds[index], place) || takes_object(&*run, code, index, place)
        })
    }
}

/// `count($object)` as an implicit call: the object's method runs above the opline's frame, and `count` has no frame.
///
/// # Safety
/// `ip` is an opline of the innermost frame `fp` of `run`, which calls `count` with one argument.
#[inline(never)]
pub unsafe fn count_object(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the caller says that the argument is in place behind the header `a`; it is taken once.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let first = arguments(header);
        let Some(object) = (*first).as_obj().cloned() else { return call_slowly(ip, fp, run) };
        let Some(func) = object.class().magic.count.clone() else { return call_slowly(ip, fp, run) };
        drop(raw::take(first));
        implicit_calls::count(run, &func, object)
    }
}

/// Whether an argument is an object of a class that its parameter is declared with.
unsafe fn takes_object(run: &Run, code: &FuncCode, index: usize, place: *mut Val) -> bool {
    // SAFETY: the callers pass the cell of an argument, which is alive.
    let Some(object) = (unsafe { (*place).as_obj() }) else { return false };
    let param = code.func().params.get(index).filter(|param| !param.by_ref);
    let Some(ty) = param.and_then(|param| param.ty.as_ref()) else { return false };
    let key = megamorphic_cache::Key::of_classes(Rc::as_ptr(object.class_header()) as u64, Rc::as_ptr(ty) as u64);
    if megamorphic_cache::find(key).is_some() {
        return true;
    }
    let is_callable = || ty.has(TypeMask::CALLABLE) && object.native::<ClosureData>().is_some();
    let fits = coerce::names_class_of(run.vm, ty, object) || is_callable();
    if fits {
        megamorphic_cache::remember(key, 1);
    }
    fits
}

/// The part of [`call_in_place`] after the frame has been completed: runs the body and releases the frame.
#[inline(never)]
unsafe extern "C-unwind" fn run_in_place(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `enter_in_place` jumps here with the opline of a call whose frame is complete and the innermost one.
    unsafe {
        let answer = answer(run, (*run).frame);
        if answer.is_undef() {
            slow_switch!(fail, ip, fp, run)
        }
        let (payload, tag) = answer.into_parts();
        let header = cell(fp, (*ip).a).cast::<Frame>();
        (*run).frame = fp.cast();
        release_arguments(run, header, (*header).argc.max((*(*header).code).params));
        // A view of the frame that somebody took holds copies of the arguments.
        if !(*header).env.is_null() {
            crate::leave::release_env(header);
        }
        let this = (*header).this;
        if this != 0 && (*header).flags & FLAG_BORROWS_THIS == 0 && !raw::release_shared(this, raw::TI_OBJ) {
            raw::release_counted(this, raw::TI_OBJ);
        }
        match (*ip).c {
            0 => raw::release(payload, tag),
            to => raw::write(cell(fp, to), payload, tag),
        }
        if (*(*run).has_pending).get() {
            slow!(crate::handlers::finish_only, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// The answer of a builtin function's fast path; undefined: it has none.
///
/// # Safety
/// `header` is that of a pending call with `argc` arguments in place.
#[inline(never)]
pub unsafe fn fast_path_answer(fast_path: FastPathFn, header: *mut Frame, argc: usize) -> Words {
    // SAFETY: the caller says that `argc` arguments are in place.
    let args = unsafe { std::slice::from_raw_parts(arguments(header), argc) };
    fast_path(args).map_or(Words::UNDEF, Words::of)
}

/// The answer of a builtin function's fast path for one argument in any cell; undefined: it has none.
///
/// # Safety
/// `argument` is a live cell that holds no reference.
#[inline(never)]
pub unsafe fn fast_path_answer_of(fast_path: FastPathFn, argument: *const Val) -> Words {
    // SAFETY: the caller says that the cell is alive.
    fast_path(std::slice::from_ref(unsafe { &*argument })).map_or(Words::UNDEF, Words::of)
}

/// Runs the body of a builtin function whose frame is complete. Undefined: it has thrown [`Run::failed`].
#[inline(never)]
unsafe fn answer(run: *mut Run, header: *mut Frame) -> Words {
    // SAFETY: `run_in_place` passes the innermost frame, which is that of a plain builtin function, so it has a body.
    unsafe {
        let code = (*header).code;
        let body = (*code).native.unwrap_unchecked();
        let places = (*header).argc.max((*code).params);
        match run_body(&*run, body, header, places) {
            Ok(value) => Words::of(if value.is_ref() { value.into_deref() } else { value }.or_null()),
            Err(throw) => {
                (*run).failed = Some(throw);
                Words::UNDEF
            }
        }
    }
}

/// Raises the error of a builtin function's body.
#[cold]
#[inline(never)]
unsafe fn fail(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `run_in_place` jumps here when the body has failed: its frame is the innermost one, and `failed` is set.
    unsafe {
        let throw = run.failed.take().unwrap_unchecked();
        throw_above(run, ip, throw)
    }
}

/// The slow path of [`call_in_place`].
#[inline(never)]
unsafe fn call_slowly(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `call_in_place` and its parts pass their opline, so `a` is a pending call's header.
    unsafe { call(run, ip, cell(fp, (*ip).a).cast(), (*ip).b) }
}

/// Adds the values of parameters that were not passed. False: they have not been computed yet, and nothing was written.
#[inline(always)]
unsafe fn put_defaults(code: &FuncCode, first: *mut Val, argc: u32) -> bool {
    // SAFETY: the caller passes a call with room for all parameters, and with all required arguments in place.
    unsafe {
        let Some(defaults) = code.defaults.get() else { return false };
        if defaults.len() != (code.params - code.required) as usize {
            return false;
        }
        let mut from = defaults.as_ptr().add((argc - code.required) as usize);
        let mut place = first.add(argc as usize);
        let end = first.add(code.params as usize);
        while place < end {
            let (payload, tag) = (raw::payload(from), raw::tag(from));
            raw::retain(payload, tag);
            raw::write(place, payload, tag);
            from = from.add(1);
            place = place.add(1);
        }
        true
    }
}

/// Runs a builtin function with its arguments in place; the header is its frame meanwhile.
///
/// # Safety
/// `header` is the innermost frame's pending call of a builtin function, with `argc` arguments in place; `ip` is its opline.
pub unsafe fn call(run: &mut Run, ip: Ip, header: *mut Frame, argc: u32) -> Ip {
    // SAFETY: the caller says that this is a pending call of the innermost frame with its arguments in place.
    unsafe { call_in::<true>(run, ip, header, argc) }
}

/// [`call`], but the function has returned or thrown when this does: no body of a generator goes on above it.
///
/// # Safety
/// `header` is the innermost frame's pending call of a builtin function, with `argc` arguments in place; `ip` is its opline.
pub unsafe fn call_to_end(run: &mut Run, ip: Ip, header: *mut Frame, argc: u32) -> Ip {
    // SAFETY: the caller says that this is a pending call of the innermost frame with its arguments in place.
    unsafe { call_in::<false>(run, ip, header, argc) }
}

/// Makes the call for [`call`] and [`call_to_end`]. `STEPS`: the body of a generator may be resumed above it.
#[inline(always)]
unsafe fn call_in<const STEPS: bool>(run: &mut Run, ip: Ip, header: *mut Frame, argc: u32) -> Ip {
    // SAFETY: the callers pass a pending call of the innermost frame with its arguments in place.
    unsafe {
        let code = &*(*header).code;
        let Some(body) = code.native else {
            let args = take_arguments(header, argc);
            return call_with(run, ip, header, args, Vec::new());
        };
        let first = arguments(header);
        let places = argc.max(code.params);
        (*header).argc = argc;
        (*header).prev = run.frame;
        (*header).ip = std::ptr::null();
        let room = reserve(run, first.add(places as usize).cast());
        run.frame = header;
        if let Err(throw) = room {
            return leave(run, ip, header, argc, Err(throw));
        }
        let ready = prepare(run, code, first, argc, places);
        if STEPS
            && code.generator_step.is_some()
            && let (Ok(()), Some(position)) = (&ready, generator_step(run, header, places))
        {
            return position;
        }
        let value = match ready {
            Ok(()) => run_body(run, body, header, places),
            Err(throw) => Err(throw),
        };
        leave(run, ip, header, places, value)
    }
}

/// Whether a pending call is one of `Generator::send` or `next`.
///
/// # Safety
/// `header` is the header of a pending call.
pub unsafe fn steps_generator(header: *const Frame) -> bool {
    // SAFETY: the caller says that the header is filled in.
    unsafe {
        let code = (*header).code.as_ref();
        (*header).flags & FLAG_MAGIC == 0 && code.is_some_and(|code| code.generator_step.is_some())
    }
}

/// Resumes the generator of a builtin method: the body runs above the method's frame. `None`: the method's own code has to resume
/// it.
unsafe fn generator_step(run: &mut Run, header: *mut Frame, places: u32) -> Option<Ip> {
    // SAFETY: `call_in` passes the innermost frame, which is that of a builtin function with its arguments.
    unsafe {
        let step = (*(*header).code).generator_step?;
        let generator = run.this()?;
        if generator.native::<GeneratorData>()?.is_fresh() {
            return None;
        }
        let sent = match step {
            GeneratorStep::Send if places > 0 => (*arguments(header)).clone(),
            _ => Val::NULL,
        };
        generator::resume_inline(run, generator, sent)
    }
}

/// Returns from the builtin method for which [`generator_step`] has run a body that has suspended or ended.
///
/// # Safety
/// The innermost frame is that of the method.
pub unsafe fn generator_stepped(run: &mut Run, generator: &PhpObj) -> Ip {
    // SAFETY: the caller says that the innermost frame is the method's.
    unsafe {
        let header = run.frame;
        let code = &*(*header).code;
        let value = match code.generator_step {
            Some(GeneratorStep::Send) => generators::element(run.vm, generator, false)
                .map(|element| element.map_or(Val::NULL, |(value, _)| value.into_deref())),
            _ => Ok(Val::NULL),
        };
        let places = (*header).argc.max(code.params);
        leave(run, (*(*header).prev).ip, header, places, value)
    }
}

/// [`generator_stepped`], for a body that has yielded.
///
/// # Safety
/// The innermost frame is that of the method.
pub unsafe fn generator_yielded(run: &mut Run, data: &GeneratorData) -> Ip {
    // SAFETY: the caller says that the innermost frame is the method's.
    unsafe {
        let header = run.frame;
        let code = &*(*header).code;
        let value = match code.generator_step {
            Some(GeneratorStep::Send) => data.value().get_deref(),
            _ => Val::NULL,
        };
        let places = (*header).argc.max(code.params);
        leave(run, (*(*header).prev).ip, header, places, Ok(value))
    }
}

/// Returns from the builtin function of the innermost frame with the value that a frame above it has returned.
///
/// # Safety
/// The innermost frame is that of a builtin function that an opline of the frame below has called.
pub unsafe fn return_above(run: &mut Run, value: Val) -> Ip {
    // SAFETY: the caller says that the innermost frame is a builtin function's.
    unsafe {
        let header = run.frame;
        let places = (*header).argc.max((*(*header).code).params);
        leave(run, (*(*header).prev).ip, header, places, Ok(value))
    }
}

/// Raises what a frame above the innermost one, which is that of a builtin function, has thrown.
///
/// # Safety
/// The innermost frame is that of a builtin function; `ip` is the opline of the frame below that has called it.
pub unsafe fn throw_above(run: &mut Run, ip: Ip, throw: Throw) -> Ip {
    // SAFETY: the caller says that the innermost frame is a builtin function's, called by `ip`.
    unsafe {
        let header = run.frame;
        leave(run, ip, header, (*header).argc.max((*(*header).code).params), Err(throw))
    }
}

/// Ends the frame of a builtin function that has returned or thrown.
unsafe fn leave(run: &mut Run, ip: Ip, header: *mut Frame, places: u32, value: PhpResult<Val>) -> Ip {
    // SAFETY: the callers pass the function's frame, which is the innermost one, and the call opline of the frame below.
    unsafe {
        let func = (*(*header).code).func();
        run.frame = (*header).prev;
        release_arguments(run, header, places);
        let this = (*header).this;
        let plain =
            (*header).env.is_null() && (*header).closure == 0 && (*header).flags & (FLAG_CONSTRUCTOR | FLAG_MAGIC) == 0;
        if plain {
            if this != 0 && (*header).flags & FLAG_BORROWS_THIS == 0 && !raw::release_shared(this, raw::TI_OBJ) {
                raw::release_counted(this, raw::TI_OBJ);
            }
        } else {
            if value.is_err()
                && (*header).flags & FLAG_CONSTRUCTOR != 0
                && let Some(this) = Frame::this_object(header)
            {
                this.mark_destructed();
            }
            crate::leave::release_header(header);
        }
        let value = match value {
            Ok(value) if value.is_ref() && !func.returns_by_ref() => value.into_deref(),
            Ok(value) => value,
            Err(throw) => return run.finish(ip, Err(throw)),
        };
        match run.meta(ip).c {
            Kind::Tmp => raw::put(cell(run.frame.cast(), (*ip).c), value),
            Kind::None => drop(value),
            _ => {
                let result = run.store(ip, value);
                return run.finish(ip, result);
            }
        }
        run.finish(ip, Ok(()))
    }
}

/// Releases the arguments of a builtin function that has ended. Destructors see the caller as the innermost frame, as in PHP.
#[inline(always)]
unsafe fn release_arguments(run: *mut Run, header: *mut Frame, places: u32) {
    // SAFETY: the callers pass the function's frame, whose arguments are not used again.
    unsafe {
        let mut place = arguments(header);
        let end = place.add(places as usize);
        while place < end {
            let (payload, tag) = (raw::payload(place), raw::tag(place));
            if !raw::release_passed(payload, tag) {
                if tag != raw::TI_STR {
                    return release_uncommon(run, place, end);
                }
                raw::release_counted(payload, tag);
            }
            place = place.add(1);
        }
    }
}

/// Releases the remaining arguments from `place` on, the first of which may have a destructor.
#[inline(never)]
unsafe fn release_uncommon(run: *mut Run, mut place: *mut Val, end: *mut Val) {
    // SAFETY: `release_arguments` passes the arguments that it has not released; nested runs start above them.
    unsafe {
        let floor = std::mem::replace(&mut (*run).floor, end.cast());
        while place < end {
            let (payload, tag) = (raw::payload(place), raw::tag(place));
            if !raw::release_passed(payload, tag) {
                raw::release_counted(payload, tag);
            }
            place = place.add(1);
        }
        (*run).floor = floor;
    }
}

/// Checks and converts the arguments of a builtin function and adds the defaults.
#[inline(always)]
unsafe fn prepare(run: &mut Run, code: &FuncCode, first: *mut Val, argc: u32, places: u32) -> PhpResult<()> {
    // SAFETY: `call_in` passes a call with its arguments in place and room for all parameters.
    unsafe {
        let mut taken = argc >= code.required && argc <= code.most;
        for index in 0..argc as usize {
            taken &= code.takes(index, first.add(index)) || takes_object(run, code, index, first.add(index));
        }
        if !taken {
            return coerce(run, code, first, argc, places);
        }
        if argc < places { add_defaults(run, code, first, argc, places) } else { Ok(()) }
    }
}

/// The slow path of [`prepare`]: some argument needs a conversion, or their number is wrong.
#[cold]
#[inline(never)]
unsafe fn coerce(run: &mut Run, code: &FuncCode, first: *mut Val, argc: u32, places: u32) -> PhpResult<()> {
    // SAFETY: `prepare` passes a call with its arguments in place and room for all parameters.
    unsafe {
        for index in argc..places {
            raw::write_tag(first.add(index as usize), raw::TI_UNDEF);
        }
        if argc < code.required || argc > code.most {
            run.vm.check_native_count(code.func(), argc as usize)?;
        }
        for index in 0..argc {
            let place = first.add(index as usize);
            if !code.takes(index as usize, place) && !takes_object(run, code, index as usize, place) {
                // The argument stays in place, because an error message may show it.
                let value = (*place).clone();
                let value = run.vm.native_argument(code.func(), index as usize, value, argc as usize)?;
                drop((*place).replace(value));
            }
        }
        if argc < places { add_defaults(run, code, first, argc, places) } else { Ok(()) }
    }
}

/// Adds the values of parameters that were not passed.
unsafe fn add_defaults(run: &mut Run, code: &FuncCode, first: *mut Val, argc: u32, places: u32) -> PhpResult<()> {
    // SAFETY: the callers pass a call with its arguments in place and room for all parameters; missing ones are undefined until all
    // are computed.
    unsafe {
        let computed;
        let defaults = match code.defaults.get() {
            Some(defaults) => defaults,
            None => {
                for index in argc..places {
                    raw::write_tag(first.add(index as usize), raw::TI_UNDEF);
                }
                let mut values = Vec::new();
                for index in code.required..code.params {
                    values.push(run.vm.native_argument(code.func(), index as usize, Val::UNDEF, index as usize)?);
                }
                // An object (an enum case) is the request's, the code the process's.
                if values.iter().any(|value: &Val| value.as_obj().is_some()) {
                    computed = values;
                    &computed
                } else {
                    code.defaults.get_or_init(|| values)
                }
            }
        };
        for index in argc..places {
            let place = first.add(index as usize);
            match defaults.get((index - code.required) as usize) {
                Some(value) => {
                    let (payload, tag) = (raw::payload(value), raw::tag(value));
                    raw::retain(payload, tag);
                    raw::write(place, payload, tag);
                }
                None => raw::write_tag(place, raw::TI_NULL),
            }
        }
        Ok(())
    }
}

/// Runs the body of a builtin function, whose frame is the innermost one.
#[inline(always)]
unsafe fn run_body(run: &Run, body: NativeFn, header: *mut Frame, places: u32) -> PhpResult<Val> {
    // SAFETY: the frame owns the arguments and `$this` until the function returns; the body only reads them.
    unsafe {
        // The handle has no reference of its own: classes live as long as the request.
        let static_class = match (*header).static_class {
            class if class.is_null() => None,
            class => Some(ManuallyDrop::new(Rc::from_raw(class))),
        };
        let mut result = body(&mut Call {
            vm: run.vm,
            func: (*(*header).code).func(),
            object: run.this(),
            static_class: static_class.as_deref(),
            args: std::slice::from_raw_parts(arguments(header), places as usize),
            passed: (*header).argc as usize,
            unusual: None,
        });
        if let Ok(result) = &mut result {
            phlox_value::stress::unbox_result(result);
        }
        result
    }
}
