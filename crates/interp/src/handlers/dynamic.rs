//! Calls of what a value names: closures, functions by name, objects with `__invoke`, array callables.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp` that opens a call. `a` is the
//! location of the header in that frame; `b` is the callee, or the first of several temporaries that name it. The header may
//! overlap those temporaries, which are therefore read before it is written.

use super::calls::{NO_CONSTRUCTOR, finish_init};
use super::{next, site, slow, slow_handler};
use crate::code::{FuncCode, Kind, Site};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::{FLAG_CONSTRUCTOR, FLAG_FROM_ARRAY, Frame};
use crate::named_sites::{self, Held};
use crate::{bridge, calls, megamorphic_cache};
use phlox_hhbc::{Base, Instr, Member, MemberVector};
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{
    ClassExt, ClassRef, FuncBody, ObjExt, PhpObj, PhpStr, Val, convert, dynamic_call, objects, unpack,
};
use phlox_value::raw;
use std::rc::Rc;

slow_handler!(init_dynamic, init_dynamic_slow);

/// `InitDynamic` of a temporary; the pending call takes over its count.
pub unsafe extern "C-unwind" fn init_dynamic_temporary(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `InitDynamic`: `b` is a full temporary, which `open_temporary` consumes or leaves as it was.
    unsafe {
        if open_temporary(ip, fp) {
            next!(ip, fp, run)
        }
        slow!(init_dynamic_slow, ip, fp, run)
    }
}

/// Opens the call of a closure, or of an object with `__invoke`, in a temporary. False: it is something else; nothing was done. A
/// function of its own because asking for an object's native data takes room on the stack.
#[inline(never)]
unsafe fn open_temporary(ip: Ip, fp: Fp) -> bool {
    // SAFETY: `a` is the location of the header, which may overlap the temporary `b`.
    unsafe { init_closure(cell(fp, (*ip).b), cell(fp, (*ip).a).cast(), Kind::Tmp) }
}

/// `InitDynamic` of a local, which mostly holds a closure.
pub unsafe extern "C-unwind" fn init_dynamic_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `InitDynamic`: `b` is a local, which keeps its value.
    unsafe {
        if open_variable(ip, fp) {
            next!(ip, fp, run)
        }
        slow!(init_dynamic_slow, ip, fp, run)
    }
}

/// Opens the call of a closure, or of an object with `__invoke`, in a local. False: it is something else; nothing was done. A
/// function of its own because asking for an object's native data takes room on the stack.
#[inline(never)]
unsafe fn open_variable(ip: Ip, fp: Fp) -> bool {
    // SAFETY: `b` is a local, `a` the location of the header.
    unsafe {
        let value = raw::look_through(cell(fp, (*ip).b));
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let payload = raw::payload(value);
        raw::tag(value) == raw::TI_OBJ
            && (open_closure(payload, header, false, false) || open_invoke(payload, header, false))
    }
}

/// Opens the call of an object's `__invoke`, if that is written in PHP. The header holds a count of the object: the one it is
/// given if it `takes` one, or a new one. False: the object has no such method; nothing was done.
unsafe fn open_invoke(payload: u64, header: *mut Frame, takes: bool) -> bool {
    // SAFETY: the callers pass the payload of a live object and the location of a header.
    unsafe {
        let object = &*(&raw const payload).cast::<PhpObj>();
        let Some(func) = object.class().magic.invoke.as_ref().filter(|func| matches!(func.body, FuncBody::User)) else {
            return false;
        };
        Frame::prepare(header, FuncCode::of(func));
        if !takes {
            raw::retain(payload, raw::TI_OBJ);
        }
        (*header).this = payload;
        (*header).static_class = raw::class_of(payload);
        true
    }
}

/// `InitDynamic` of all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn init_dynamic_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitDynamic`: the callee's cell is read before the header, which may overlap it, is written.
    unsafe {
        let meta = run.meta(ip);
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let value = match meta.b {
            Kind::Local => raw::look_through(cell(fp, (*ip).b)),
            Kind::Tmp => cell(fp, (*ip).b),
            Kind::Lit => literal(ip, (*ip).b),
            _ => std::ptr::null_mut(),
        };
        if !value.is_null() && (init_closure(value, header, meta.b) || init_named(ip, run, value, header)) {
            return ip.add(1);
        }
        let named = if value.is_null() { None } else { Named::of(value) };
        if named.as_ref().is_some_and(|named| named.open(run, value, meta.b, header, BY_CALL)) {
            return ip.add(1);
        }
        let result = run.fetch(ip, (*ip).b, meta.b).and_then(|value| {
            let value = value.into_deref();
            let callee = dynamic_call::callee(run.vm, &value)?;
            calls::set_header(header, callee);
            Ok(())
        });
        if let (Ok(()), Some(named)) = (&result, named) {
            named.remember(run, header, 0, BY_CALL);
        }
        finish_init(run, ip, fp, result)
    }
}

/// Part of the key that a static call of a method is remembered by, beside its class.
const BY_STATIC_CALL: u64 = 1;
/// Part of the key that a call of a method by `call_user_func` is remembered by, beside its class.
const BY_USER_CALL: u64 = 2;
/// Part of the key that a call of an array callable is remembered by, beside its class.
const BY_CALL: u64 = 4;

/// The function or method that a value names: a string, or a list of an object and a string.
struct Named {
    /// The object's payload, or 0.
    object: u64,
    name: PhpStr,
}

impl Named {
    /// The function or method that the value in a cell names.
    ///
    /// # Safety
    /// `place` is a live cell.
    unsafe fn of(place: *const Val) -> Option<Named> {
        // SAFETY: `place` is a live cell; the name is cloned, the object is only borrowed.
        unsafe {
            if let Some(name) = (*place).as_str() {
                return Some(Named { object: 0, name: name.clone() });
            }
            let [target, name] = (*place).as_arr()?.as_list()? else { return None };
            target.as_obj()?;
            Some(Named { object: raw::payload(target), name: name.as_str()?.clone() })
        }
    }

    /// The class in the key that a call is remembered by; `by` says what kind of call it is.
    unsafe fn class(&self, by: u64) -> u64 {
        // SAFETY: the value that names the method keeps its object alive.
        unsafe { if self.object == 0 { by } else { raw::class_of(self.object) as u64 | by } }
    }

    /// Opens a call that is remembered, and releases the value if it is a temporary, which the header may overlap. False: the call
    /// is not remembered; nothing was done.
    unsafe fn open(&self, run: &Run, place: *mut Val, kind: Kind, header: *mut Frame, by: u64) -> bool {
        // SAFETY: the callers pass the cell that the value was read from, and the location of a header; the object is retained
        // before the cell is released.
        unsafe {
            let Some(code) = megamorphic_cache::find_method(self.class(by), &self.name, run.access().scope) else {
                return false;
            };
            if self.object != 0 {
                raw::retain(self.object, raw::TI_OBJ);
            }
            if kind == Kind::Tmp {
                drop(raw::take(place));
            }
            Frame::prepare(header, code as *const FuncCode);
            if self.object != 0 {
                (*header).this = self.object;
                (*header).static_class = raw::class_of(self.object);
            }
            true
        }
    }

    /// Remembers the function or method that a call was opened for, unless the call goes through `__call`, a closure or a
    /// forwarded class.
    unsafe fn remember(&self, run: &Run, header: *const Frame, flags: u32, by: u64) {
        // SAFETY: the callers pass a header that was filled in.
        unsafe {
            let is_plain = !(*header).code.is_null()
                && (*header).flags == flags
                && (*header).closure == 0
                && (*header).env.is_null()
                && (*header).this == self.object
                && (self.object != 0 || (*header).static_class.is_null());
            if is_plain && !self.name.contains(&b':') {
                megamorphic_cache::remember_method(
                    self.class(by),
                    &self.name,
                    run.access().scope,
                    (*header).code as u64,
                );
            }
        }
    }
}

slow_handler!(init_user, init_user_slow);

/// `InitUser`: opens the call that `call_user_func` or `call_user_func_array` makes.
#[inline(never)]
unsafe fn init_user_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitUser`: `b` is a full temporary, which is consumed before the header, which may overlap it, is
    // written.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let place = cell(fp, (*ip).b);
        let named = Named::of(place);
        let opened = init_closure(place, header, Kind::Tmp)
            || named.as_ref().is_some_and(|named| named.open(run, place, Kind::Tmp, header, BY_USER_CALL));
        if opened {
            (*header).flags |= FLAG_FROM_ARRAY;
            return ip.add(1);
        }
        let result = bridge::open_call(run, ip, place, 1, header);
        if let (Ok(()), Some(named)) = (&result, named) {
            named.remember(run, header, FLAG_FROM_ARRAY, BY_USER_CALL);
        }
        run.finish(ip, result)
    }
}

/// Opens the call of a closure, or of an `__invoke` that is written in PHP. False: the value is something else; nothing was done.
unsafe fn init_closure(value: *mut Val, header: *mut Frame, kind: Kind) -> bool {
    // SAFETY: the callers pass the callee's cell and the location of a header; the payload is read before the header is written.
    unsafe {
        if raw::tag(value) != raw::TI_OBJ {
            return false;
        }
        let payload = raw::payload(value);
        // The header takes over the count of a temporary.
        let takes = kind == Kind::Tmp;
        open_closure(payload, header, takes, false) || open_invoke(payload, header, takes)
    }
}

/// Opens the call of a closure, or of the function that a fake closure was made from. If it `takes` a count of the closure, the
/// header takes that over; otherwise the header retains the closure. The header does not hold a fake closure: a count of it that
/// was given is released. False: it is no closure, it stands for a magic method, or it takes references where `passes_values` says
/// that only values are passed; nothing was done.
///
/// # Safety
/// `payload` is that of a live object, and `header` is the location of a header.
#[inline(always)]
pub unsafe fn open_closure(payload: u64, header: *mut Frame, takes: bool, passes_values: bool) -> bool {
    // SAFETY: `payload` is that of a live object, whose handle has the same bits.
    unsafe {
        let object = &*(&raw const payload).cast::<PhpObj>();
        let Some(data) = object.native::<ClosureData>().filter(|data| data.magic_name.is_none()) else {
            return false;
        };
        // A function that only this closure holds would be freed with it.
        if data.is_fake && Rc::strong_count(&data.func) < 2 {
            return false;
        }
        let code = FuncCode::of(&data.func);
        if passes_values && (*code).has_by_ref {
            return false;
        }
        let bound = (&raw const data.this).cast::<Val>();
        let this = if raw::tag(bound) == raw::TI_OBJ { raw::payload(bound) } else { 0 };
        let static_class = match &data.called_scope {
            Some(class) => Rc::as_ptr(class),
            None if this != 0 => raw::class_of(this),
            None => std::ptr::null(),
        };
        if this != 0 {
            raw::retain(this, raw::TI_OBJ);
        }
        Frame::prepare(header, code);
        (*header).this = this;
        (*header).static_class = static_class;
        match (data.is_fake, takes) {
            (false, takes) => {
                (*header).closure = payload;
                if !takes {
                    raw::retain(payload, raw::TI_OBJ);
                }
            }
            (true, true) => raw::release(payload, raw::TI_OBJ),
            (true, false) => {}
        }
        true
    }
}

/// Opens `$object->$name(...)`: the methods of a class are remembered by the names that they are called by.
///
/// # Safety
/// `ip` is an `InitSlow` of the innermost frame `fp`; the object and the name are full temporaries from `b` on, which the header
/// may overlap.
pub(super) unsafe fn init_method_by_name(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: two full temporaries lie at `b`; the header takes over the object's count, and the name is taken before the header
    // is written.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let place = cell(fp, (*ip).b);
        let is_known_form =
            raw::tag(place) == raw::TI_OBJ && raw::tag(place.add(1)) & 0xff == raw::TI_STR_STATIC & 0xff;
        if !is_known_form {
            let result = bridge::open_call(run, ip, place, 2, header);
            return run.finish(ip, result);
        }
        let object = raw::payload(place);
        let class = raw::class_of(object);
        let scope = run.access().scope;
        let name = raw::string_at(place.add(1));
        if let Some(code) = megamorphic_cache::find_method(class as u64, name, scope) {
            drop(raw::take(place.add(1)));
            Frame::prepare(header, code as *const FuncCode);
            (*header).this = object;
            (*header).static_class = class;
            return ip.add(1);
        }
        let name = name.clone();
        let result = bridge::open_call(run, ip, place, 2, header);
        let is_own = result.is_ok() && (*header).flags == 0 && (*header).closure == 0 && (*header).env.is_null();
        if is_own && !(*header).code.is_null() && (*header).this == object {
            megamorphic_cache::remember_method(class as u64, &name, scope, (*header).code as u64);
        }
        run.finish(ip, result)
    }
}

/// Opens `$class::name(...)`: the methods of a class are remembered by the names that they are called by.
///
/// # Safety
/// `ip` is an `InitSlow` of the innermost frame `fp`; the name and the class are full temporaries from `b` on, which the header
/// may overlap.
pub(super) unsafe fn init_static_by_name(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: two full temporaries lie at `b`, which are taken before the header is written.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let place = cell(fp, (*ip).b);
        let (Some(name), Some(class)) = ((*place).as_str().cloned(), (*place.add(1)).to_class()) else {
            let result = bridge::open_call(run, ip, place, 2, header);
            return run.finish(ip, result);
        };
        let (key, scope) = (Rc::as_ptr(&class) as u64 | BY_STATIC_CALL, run.access().scope);
        if let Some(code) = megamorphic_cache::find_method(key, &name, scope) {
            drop((raw::take(place), raw::take(place.add(1))));
            Frame::prepare(header, code as *const FuncCode);
            (*header).static_class = Rc::as_ptr(&class);
            return ip.add(1);
        }
        let result = bridge::open_call(run, ip, place, 2, header);
        let is_plain = result.is_ok()
            && !(*header).code.is_null()
            && (*header).flags == 0
            && (*header).this == 0
            && (*header).closure == 0
            && (*header).env.is_null()
            && (*header).static_class == Rc::as_ptr(&class)
            && !class.class().is_trait();
        if is_plain {
            megamorphic_cache::remember_method(key, &name, scope, (*header).code as u64);
        }
        run.finish(ip, result)
    }
}

/// Opens `new` of a class that a temporary holds: how its objects are made in this scope is remembered.
///
/// # Safety
/// `ip` is an `InitSlow` of the innermost frame `fp`; `b` is the full temporary with the class, in which the object takes its
/// place.
pub(super) unsafe fn init_new_of_class(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `b` is a full temporary, which is taken and then filled with the object; `a` is the location of the header.
    unsafe {
        let place = cell(fp, (*ip).b);
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let Some(class) = (*place).to_class() else {
            let result = bridge::open_call(run, ip, place, 1, header);
            return run.finish(ip, result);
        };
        let scope = run.access().scope;
        let key = megamorphic_cache::Key::of_new(Rc::as_ptr(&class) as u64, scope);
        drop(raw::take(place));
        let (object, code) = match megamorphic_cache::find(key) {
            Some(code) => (PhpObj::new(Rc::clone(&class), &class.class().defaults()), code),
            None => {
                let object = match objects::new(run.vm, &class, scope) {
                    Ok(object) => object,
                    Err(throw) => return run.raise(throw),
                };
                let constructor = class.class().magic.construct.as_ref();
                let code = constructor.map_or(NO_CONSTRUCTOR, |func| FuncCode::of(func) as u64);
                let native = &class.class().native;
                if native.create.is_none() && native.no_new.is_none() {
                    megamorphic_cache::remember(key, code);
                }
                (object, code)
            }
        };
        let object = calls::into_payload(object);
        if code == NO_CONSTRUCTOR {
            Frame::prepare(header, std::ptr::null());
        } else {
            Frame::prepare(header, code as *const FuncCode);
            raw::retain(object, raw::TI_OBJ);
            (*header).this = object;
            (*header).static_class = Rc::as_ptr(&class);
            (*header).flags = FLAG_CONSTRUCTOR;
        }
        raw::write(place, object, raw::TI_OBJ);
        finish_init(run, ip, fp, Ok(()))
    }
}

/// The location of the property `$object->$name`, where the object is a local or `$this`, and the name is an interned string in a
/// local. `None`: the caches do not know it, or it is not set.
unsafe fn property_by_name(fp: Fp, run: &Run, vector: &MemberVector) -> Option<*mut Val> {
    // SAFETY: `fp` is the innermost frame; the vector belongs to its function, so its locals are in the frame.
    unsafe {
        let [Member::PL(name)] = vector.members[..] else { return None };
        let frame = fp.cast::<Frame>();
        let object = match vector.base {
            Base::H => (*frame).this,
            Base::L(local) => {
                let place = raw::look_through(Frame::local(frame, local.0));
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
            _ => 0,
        };
        let name = raw::look_through(Frame::local(frame, name.0));
        if object == 0 || raw::tag(name) != raw::TI_STR_STATIC {
            return None;
        }
        let access = run.access();
        let name = raw::string_at(name);
        let key =
            megamorphic_cache::Key::new(raw::class_of(object) as u64 | megamorphic_cache::PROPERTY, name, access.scope);
        let slot = megamorphic_cache::find(key).or_else(|| {
            let object = &*(&raw const object).cast::<PhpObj>();
            super::props::remember(&mut Site::default(), object, name, access, false);
            megamorphic_cache::find(key)
        })?;
        let place = match slot {
            megamorphic_cache::DYNAMIC => raw::dynamic_property(object, name),
            _ => raw::property(object, slot as usize),
        };
        if place.is_null() {
            return None;
        }
        let place = raw::look_through(place);
        (raw::tag(place) != raw::TI_UNDEF).then_some(place)
    }
}

/// Includes the file with the path in a temporary, where the result goes, too.
unsafe fn include(ip: Ip, run: &mut Run, place: *mut Val, kind: &'static str) -> Ip {
    // SAFETY: `step_at_once` passes the input of its opline, which belongs to the innermost frame.
    unsafe {
        let path = raw::take(place);
        let frame = run.frame;
        let mut symbols = || {
            let view = crate::view::of(frame);
            phlox_oracle::machine::Machine::symbols(&view)
        };
        let result = run.machine.include_path(path, kind, &mut symbols);
        let result = result.map(|value| raw::put(place, value));
        run.finish(ip, result)
    }
}

/// Executes an instruction of HHBC that `Step` stands for without the reference interpreter, if it is one of the common ones.
/// `None`: nothing was done.
///
/// # Safety
/// `ip` is a `Step` of the innermost frame `fp`, and `pc` is its instruction, whose inputs are full temporaries from `a` on; its
/// result goes to `a`.
pub(super) unsafe fn step_at_once(ip: Ip, fp: Fp, run: &mut Run, pc: u32) -> Option<Ip> {
    // SAFETY: the instruction's inputs lie from `a` on; each arm reads as many of them as its instruction has.
    unsafe {
        let code = run.code().func().code();
        let place = cell(fp, (*ip).a);
        match code.code[pc as usize] {
            Instr::IssetM { vector } => {
                let from = property_by_name(fp, run, &code.vectors[vector.index()])?;
                raw::put(place, Val::bool(raw::tag(from) != raw::TI_NULL));
                Some(ip.add(1))
            }
            Instr::UnpackArgs { args } if run.meta(ip).b != Kind::None => {
                let further = place.add(1);
                let code = (*cell(fp, (*ip).b).cast::<Frame>()).code;
                let are_arrays = [place, further].iter().all(|&cell| raw::tag(cell) & 0xff == raw::TI_ARR_STATIC);
                let is_first = !code.is_null() && are_arrays && raw::array_at(place).is_empty();
                if !is_first || !unpack::are_arguments((*code).func(), args as usize, raw::array_at(further)) {
                    return None;
                }
                let arguments = raw::take(further);
                drop((*place).replace(arguments));
                Some(ip.add(1))
            }
            Instr::FPassM { param, vector } => {
                let is_about_call = run.meta(ip).b != Kind::None;
                if !is_about_call || calls::may_pass_by_ref(cell(fp, (*ip).b).cast(), param) {
                    return None;
                }
                let from = property_by_name(fp, run, &code.vectors[vector.index()])?;
                raw::put(place, (*from).clone());
                Some(ip.add(1))
            }
            Instr::AGetC {} => {
                let class = class_by_name(run, place)?;
                drop(raw::take(place));
                raw::put(place, Val::class(class));
                Some(ip.add(1))
            }
            Instr::DefCls { class } => {
                let unit = run.code().func().unit.clone();
                let result = run.machine.define_class(&unit, class);
                Some(run.finish(ip, result))
            }
            Instr::DefFunc { func } => {
                let declared = run.vm.declare_function(run.code().func().unit.func(func));
                Some(run.finish(ip, declared))
            }
            Instr::CGetG {} | Instr::CGetQuietG {} => {
                let variable = match raw::tag(place) & 0xff == raw::TI_STR_STATIC & 0xff {
                    true => run.vm.globals.find(raw::string_at(place))?,
                    false => return None,
                };
                drop(raw::take(place));
                raw::put(place, variable.get_deref());
                Some(ip.add(1))
            }
            Instr::Incl {} => Some(include(ip, run, place, "include")),
            Instr::InclOnce {} => Some(include(ip, run, place, "include_once")),
            Instr::Req {} => Some(include(ip, run, place, "require")),
            Instr::ReqOnce {} => Some(include(ip, run, place, "require_once")),
            Instr::SelfCls {} => {
                raw::put(place, Val::class(run.access().scope?.clone()));
                Some(ip.add(1))
            }
            Instr::LateBoundCls {} => {
                let late = calls::class_ref((*fp.cast::<Frame>()).static_class);
                raw::put(place, Val::class(late.or_else(|| run.access().scope.cloned())?));
                Some(ip.add(1))
            }
            Instr::InstanceOf {} => match class_by_name(run, place.add(1)) {
                Some(class) => Some(is_instance(ip, run, place, &class)),
                None if raw::tag(place.add(1)) & 0xff == raw::TI_STR_STATIC & 0xff => {
                    // No object is of a class that is not declared.
                    drop((raw::take(place.add(1)), raw::take(place)));
                    raw::put(place, Val::FALSE);
                    Some(run.finish(ip, Ok(())))
                }
                None => None,
            },
            Instr::InstanceOfA {} => {
                let class = (*place.add(1)).to_class()?;
                Some(is_instance(ip, run, place, &class))
            }
            Instr::CheckArgArray {} => (*place).as_arr().map(|_| ip.add(1)),
            Instr::CastArray {} => cast_array(ip, run, place),
            Instr::ClassOfC {} => {
                let name = Val::from((*place).as_obj()?.class_name());
                drop(raw::take(place));
                raw::put(place, name);
                Some(run.finish(ip, Ok(())))
            }
            _ => None,
        }
    }
}

/// `(array)` of a value that needs no PHP code: of all but some objects of builtin classes. `None`: nothing was done.
unsafe fn cast_array(ip: Ip, run: &mut Run, place: *mut Val) -> Option<Ip> {
    // SAFETY: the caller passes the full temporary that a cast replaces.
    unsafe {
        if raw::tag(place) & 0xff == raw::TI_ARR_STATIC {
            return Some(ip.add(1));
        }
        let is_plain = (*place).as_obj().is_none_or(|object| object.class().native.properties.is_none());
        if !is_plain || raw::tag(place) == raw::TI_REF {
            return None;
        }
        let value = raw::take(place);
        let array = convert::to_array(run.vm, value.clone()).map(|array| raw::put(place, array.into()));
        drop(value);
        Some(run.finish(ip, array))
    }
}

/// The class that a string names, if it is declared already.
unsafe fn class_by_name(run: &Run, place: *mut Val) -> Option<ClassRef> {
    // SAFETY: the caller passes a full temporary.
    unsafe {
        let is_string = raw::tag(place) & 0xff == raw::TI_STR_STATIC & 0xff;
        if is_string { run.vm.find_class_no_autoload(raw::string_at(place)) } else { None }
    }
}

/// Replaces a value in a temporary by whether it is an instance of `class`; the temporary behind it, with the class or its name,
/// is released.
unsafe fn is_instance(ip: Ip, run: &mut Run, place: *mut Val, class: &ClassRef) -> Ip {
    // SAFETY: the caller passes the first of two full temporaries, which are taken once.
    unsafe {
        drop(raw::take(place.add(1)));
        let value = raw::take(place);
        let answer = value.as_obj().is_some_and(|object| object.is_a(class));
        raw::put(place, Val::bool(answer));
        drop(value);
        let next = run.finish(ip, Ok(()));
        if run.thrown.is_some() {
            raw::write_tag(place, raw::TI_UNDEF);
        }
        next
    }
}

/// Opens the call of a function by a literal name that the inline cache knows or that is found. False: it is something else;
/// nothing was done.
unsafe fn init_named(ip: Ip, run: &Run, value: *mut Val, header: *mut Frame) -> bool {
    // SAFETY: the caller passes the cell of an operand of an `InitDynamic`, which has an inline cache at `d`, and the place of a
    // header.
    unsafe {
        if raw::tag(value) != raw::TI_STR_STATIC {
            return false;
        }
        let cache = site(ip);
        if cache.key != raw::payload(value) {
            let name = raw::string_at(value);
            let func = run.vm.find_function(name).filter(|func| !dynamic_call::needs_static_call(func));
            let Some(func) = func else { return false };
            // A literal string is never freed, and a function stays declared, so the name's address can be the key.
            named_sites::note(cache, Held::Addresses);
            *cache = Site { key: raw::payload(value), value: FuncCode::of(&func) as u64, class: 0 };
        }
        Frame::prepare(header, cache.value as *const FuncCode);
        true
    }
}
