//! Clones, closures and names of classes.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; its operands are cells of that
//! frame, literals or `$this`, and `c` is the destination.

use super::calls::named_class;
use super::{Handler, numbered_site, slow_handler};
use crate::calls::class_ref;
use crate::code::Site;
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::Frame;
use phlox_hhbc::FuncId;
use phlox_lower::{OpCode, Opline};
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::{ClassExt, Func, Slot, Val, objects};
use phlox_value::raw;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// The handler of a `Clone`, `Closure` or `ClassName`.
pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::Clone => clone,
        OpCode::Closure => create_closure,
        _ => class_name,
    }
}

slow_handler!(clone, clone_slow);

/// `Clone`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn clone_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is a source of `Clone`, which `fetch` consumes; `store` writes the destination.
    unsafe {
        let result = run.fetch(ip, (*ip).a, run.meta(ip).a).and_then(|value| {
            let value = value.into_deref();
            let copy = objects::clone_value(run.vm, &value, run.access().scope)?;
            drop(value);
            run.store(ip, copy)
        });
        run.finish(ip, result)
    }
}

slow_handler!(create_closure, create_closure_slow);

/// `Closure`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn create_closure_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `Closure` has as many full temporaries in a row from `a` on as the literal `b` says; they move into the closure.
    unsafe {
        let meta = run.meta(ip);
        let func = closure_function(numbered_site(fp, meta.site), run, FuncId(meta.n));
        let first = cell(fp, (*ip).a);
        let count = raw::payload(literal(ip, (*ip).b)) as usize;
        let captured = (0..count).map(|index| Slot::new(raw::take(first.add(index)))).collect();
        let this = if func.is_static() { None } else { Frame::this_object(run.frame) };
        let data = ClosureData {
            func: Rc::clone(&func),
            this: Slot::new(this.map_or(Val::UNDEF, Val::from)),
            called_scope: class_ref((*run.frame).static_class),
            captured,
            statics: RefCell::new(None),
            is_fake: false,
            magic_name: None,
            lists_arguments: false,
        };
        let result = closure::create(run.vm, data).and_then(|object| run.store(ip, object.into()));
        run.finish(ip, result)
    }
}

/// The closure's function, whose address the inline cache keeps. Its unit holds the function as long as this code may run, or the
/// request does ([`phlox_oracle::closures::closure_func`]).
unsafe fn closure_function(cache: &mut Site, run: &Run, id: FuncId) -> ManuallyDrop<Rc<Func>> {
    if cache.key == 0 {
        let func = phlox_oracle::closures::closure_func(run.vm, run.code().func(), id);
        cache.key = Rc::as_ptr(&func) as u64;
    }
    // SAFETY: the function lives until the request ends, or longer; the cache has no count of it, so this handle must not be dropped.
    ManuallyDrop::new(unsafe { Rc::from_raw(cache.key as *const Func) })
}

slow_handler!(class_name, class_name_slow);

/// `ClassName`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn class_name_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is a literal if `n` says that the class is named; `store` writes the destination.
    unsafe {
        let result = named_class(run, ip, (*ip).a, run.meta(ip).n)
            .and_then(|class| run.store(ip, Val::from(&class.class().name)));
        run.finish(ip, result)
    }
}
