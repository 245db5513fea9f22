//! Generators that are destroyed before they end: their `finally` blocks run.

use super::{Body, GeneratorData, Resume, State, data};
use crate::generators::resume::leaf_of;
use crate::machine::Exit;
use phlox_hhbc::{EhEntry, EhKind};
use phlox_runtime::{Func, PhpObj, PhpResult, Throw, Val, Vm};
use std::rc::Rc;

/// The destructor of a Generator object.
pub fn destruct(vm: &Vm, object: &PhpObj) {
    if object.native::<GeneratorData>().is_none() {
        return;
    }
    let generator = data(object);
    generator.closing.set(true);
    // A body that runs in a suspended fiber ends with the fiber. (The code that runs a body holds the object.)
    if object.refcount() > 1 && data(&leaf_of(object)).state.get() == State::Running {
        return;
    }
    // PHP releases what the generator delegates to before its body.
    let line = generator.line.take();
    drop(line);
    let delegate = generator.delegate.borrow_mut().take();
    drop(delegate);
    if generator.state.get() == State::Running {
        return;
    }
    let body = generator.body.borrow_mut().take();
    let state = generator.state.replace(State::Running);
    if let Some(body) = body {
        if state == State::Suspended && has_finally(&generator.func, &*body) {
            run_finally(vm, &generator, body);
        } else {
            drop(body);
        }
    }
    generator.state.set(State::Done);
}

/// Whether a `finally` block protects the position at which the body is suspended.
fn has_finally(func: &Func, body: &dyn Body) -> bool {
    let pc = body.pc();
    finally_blocks(func).any(|entry| entry.start.0 <= pc && pc < entry.end.0)
}

/// The exception table's rows for the `finally` blocks of a function.
pub fn finally_blocks(func: &Func) -> impl Iterator<Item = &EhEntry> {
    let catches_all = |entry: &&EhEntry| {
        let EhKind::Catch(clauses) = &entry.kind else { return false };
        clauses.iter().any(|(name, _)| func.unit.str(*name).is_empty())
    };
    func.code().eh.iter().filter(catches_all)
}

/// Throws a marker into the body that only `finally` blocks catch.
fn run_finally(vm: &Vm, generator: &GeneratorData, body: Box<dyn Body>) {
    let Ok(marker) = vm.make_throwable(b"Error", b"Generator destroyed", 0) else { return };
    vm.destroying.borrow_mut().push(marker.clone());
    let result = run_to_end(vm, generator, body, Resume::Throw(Throw::Exception(marker.clone())), false);
    vm.destroying.borrow_mut().retain(|other| !other.ptr_eq(&marker));
    match result {
        Err(Throw::Exception(exception)) if exception.ptr_eq(&marker) => {}
        Err(throw) => vm.set_pending(throw),
        Ok(_) => {}
    }
}

/// Runs a body to its next `yield` or its end; while the generator is destroyed, `yield`s throw instead.
pub fn run_to_end(
    vm: &Vm,
    generator: &GeneratorData,
    mut body: Box<dyn Body>,
    mut how: Resume,
    mut fresh: bool,
) -> PhpResult<(Exit, Option<Box<dyn Body>>)> {
    loop {
        // The generator can be asked for the frame meanwhile: its cells move, but the view stays the same object.
        generator.frame.replace(Rc::downgrade(&body.frame()));
        let (outcome, suspended) = body.resume(vm, how, fresh);
        let exit = outcome?;
        let refused: &[u8] = match &exit {
            Exit::Yield { .. } => b"Cannot yield from finally in a force-closed generator",
            Exit::Delegate(_) => b"Cannot use \"yield from\" in a force-closed generator",
            Exit::Return(_) => return Ok((exit, suspended)),
        };
        match suspended {
            Some(suspended) if generator.closing.get() => {
                vm.frames.push(suspended.frame());
                how = Resume::Throw(vm.throw_error(refused));
                vm.frames.pop();
                fresh = false;
                body = suspended;
            }
            suspended => return Ok((exit, suspended)),
        }
    }
}

/// Records that a body has ended, and its result unless it has thrown.
pub fn finish(generator: &GeneratorData, result: Option<Val>) {
    generator.state.set(State::Done);
    if let Some(result) = result {
        generator.result.set(result.into_deref());
        generator.returned.set(true);
    }
}
