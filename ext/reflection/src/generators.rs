//! ReflectionGenerator and ReflectionFiber: code that is suspended.

use crate::functions::closure_subject;
use crate::subject::*;
use phlox_oracle::fibers::{self, FiberData};
use phlox_oracle::generators::GeneratorData;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Frame, Func, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Slot, Throw, Val, trace};
use std::rc::Rc;

pub const GENERATOR_CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionGenerator",
    decl: include_str!("../stubs/ReflectionGenerator.stub.php"),
    methods: &[
        ("__construct", construct),
        ("getExecutingLine", |call| Ok(Val::int(i64::from(generator_frame(call)?.line())))),
        ("getExecutingFile", |call| Ok((&generator_frame(call)?.func.unit.filename).into())),
        ("getTrace", get_trace),
        ("getFunction", get_function),
        ("getThis", |call| Ok(generator_frame(call)?.this.clone().map_or(Val::NULL, Val::from))),
        ("getExecutingGenerator", get_executing_generator),
        ("isClosed", is_closed),
    ],
    hooks: SUSPENDED,
}];

pub const FIBER_CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionFiber",
    decl: include_str!("../stubs/ReflectionFiber.stub.php"),
    methods: &[
        ("__construct", construct_fiber),
        ("getFiber", |call| Ok(subject::<FiberSubject>(call)?.fiber.get())),
        ("getExecutingFile", get_fiber_file),
        ("getExecutingLine", get_fiber_line),
        ("getCallable", get_callable),
        ("getTrace", get_fiber_trace),
    ],
    hooks: SUSPENDED,
}];

const SUSPENDED: NativeHooks =
    NativeHooks { needs_constructor: true, no_clone: true, no_serialize: true, no_dynamic: true, ..NativeHooks::NONE };

/// A reflected generator, with its function, which is known even after the generator has ended.
struct GeneratorSubject {
    generator: Slot,
    func: Rc<Func>,
    closure: Slot,
}
native_data!(GeneratorSubject, generator, closure);

struct FiberSubject {
    fiber: Slot,
}
native_data!(FiberSubject, fiber);

fn closed(call: &Call<'_>) -> Throw {
    failure(call.vm, b"Cannot fetch information from a closed Generator")
}

/// The frame of a generator that has not ended.
fn frame_of(generator: &PhpObj) -> Option<Rc<Frame>> {
    generator.native::<GeneratorData>().and_then(GeneratorData::frame)
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(generator) = call.opt_obj(0) else { return Ok(Val::NULL) };
    let Some((func, closure)) = generator.native().map(|data: &GeneratorData| (data.func().clone(), data.closure()))
    else {
        return Ok(Val::NULL);
    };
    let data = GeneratorSubject { generator: Slot::new(generator.into()), func, closure: Slot::new(closure) };
    call.this().set_native(Rc::new(data));
    Ok(Val::NULL)
}

fn generator(call: &Call<'_>) -> PhpResult<PhpObj> {
    let value = subject::<GeneratorSubject>(call)?.generator.get();
    value.into_obj().ok_or_else(|| closed(call))
}

fn generator_frame(call: &Call<'_>) -> PhpResult<Rc<Frame>> {
    frame_of(&generator(call)?).ok_or_else(|| closed(call))
}

/// The generator and those that it delegates to with `yield from`, outermost first.
fn delegation(generator: PhpObj) -> Vec<PhpObj> {
    let mut chain = vec![generator];
    while let Some(next) = chain.last().and_then(|last| last.native::<GeneratorData>()?.delegate_generator()) {
        chain.push(next);
    }
    chain
}

fn trace_of(call: &Call<'_>, frames: &[Rc<Frame>]) -> PhpArr {
    let options = call.int(0);
    trace::of_frames(frames, options & 1 != 0, options & 2 == 0, 0)
}

fn get_trace(call: &mut Call<'_>) -> PhpResult<Val> {
    generator_frame(call)?;
    let frames: Vec<_> = delegation(generator(call)?).iter().filter_map(frame_of).collect();
    Ok(trace_of(call, &frames).into())
}

fn get_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject: &GeneratorSubject = subject(call)?;
    if let Some(found) = subject.closure.get().as_obj().and_then(|object| closure_subject(call.vm, object)) {
        return reflect_function(call.vm, found);
    }
    let function = FunctionSubject::plain(subject.func.clone());
    match subject.func.scope.get() {
        Some(_) => reflect_method(call.vm, function),
        None => reflect_function(call.vm, function),
    }
}

fn get_executing_generator(call: &mut Call<'_>) -> PhpResult<Val> {
    generator_frame(call)?;
    Ok(delegation(generator(call)?).pop().map_or(Val::NULL, Val::from))
}

fn is_closed(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(frame_of(&generator(call)?).is_none().into())
}

fn construct_fiber(call: &mut Call<'_>) -> PhpResult<Val> {
    call.this().set_native(Rc::new(FiberSubject { fiber: Slot::new(call.arg(0)) }));
    Ok(Val::NULL)
}

/// The fiber's frames, outermost first.
fn fiber_frames(call: &Call<'_>) -> PhpResult<Vec<Rc<Frame>>> {
    let fiber = subject::<FiberSubject>(call)?.fiber.get();
    let frames = fiber.as_obj().and_then(|fiber| fibers::frames(call.vm, fiber));
    let message = b"Cannot fetch information from a fiber that has not been started or is terminated";
    frames.ok_or_else(|| call.vm.throw_error(message))
}

/// The frame of the code that runs, or called `Fiber::suspend`, if it is PHP's.
fn executing(call: &Call<'_>) -> PhpResult<Option<Rc<Frame>>> {
    Ok(fiber_frames(call)?.into_iter().rev().find(|frame| !frame.is_native()))
}

fn get_fiber_file(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(executing(call)?.map_or(Val::NULL, |frame| (&frame.func.unit.filename).into()))
}

fn get_fiber_line(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(executing(call)?.map_or(Val::NULL, |frame| Val::int(i64::from(frame.line()))))
}

fn get_callable(call: &mut Call<'_>) -> PhpResult<Val> {
    let fiber = subject::<FiberSubject>(call)?.fiber.get();
    match fiber.as_obj().and_then(|fiber| fiber.native::<FiberData>()).and_then(FiberData::callable) {
        Some(callable) => Ok(callable),
        None => Err(call.vm.throw_error(b"Cannot fetch the callable from a fiber that has terminated")),
    }
}

fn get_fiber_trace(call: &mut Call<'_>) -> PhpResult<Val> {
    let frames = fiber_frames(call)?;
    Ok(trace_of(call, &frames).into())
}
