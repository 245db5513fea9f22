//! What concerns objects and classes besides members: clones, closures, names of classes.

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

pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::Clone => clone,
        OpCode::Closure => create_closure,
        _ => class_name,
    }
}

slow_handler!(clone, clone_slow);

#[inline(never)]
pub(super) unsafe fn clone_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

#[inline(never)]
pub(super) unsafe fn create_closure_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline; the captured values are temporaries in a row.
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

/// The closure's function, which the cache holds for ever.
unsafe fn closure_function(cache: &mut Site, run: &Run, id: FuncId) -> ManuallyDrop<Rc<Func>> {
    if cache.key == 0 {
        let func = phlox_oracle::closures::closure_func(run.vm, run.code().func(), id);
        cache.key = Rc::into_raw(func) as u64;
    }
    // SAFETY: the cache has a count that is never given up.
    ManuallyDrop::new(unsafe { Rc::from_raw(cache.key as *const Func) })
}

slow_handler!(class_name, class_name_slow);

#[inline(never)]
pub(super) unsafe fn class_name_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let result = named_class(run, ip, (*ip).a, run.meta(ip).n)
            .and_then(|class| run.store(ip, Val::from(&class.class().name)));
        run.finish(ip, result)
    }
}
