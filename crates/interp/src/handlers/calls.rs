//! Calls and arguments.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`. `a` is the offset of the
//! pending call's header in that frame, behind which its arguments lie in a row. In an `Init` opline the header's cells are empty,
//! and the opline fills them in; in a `Send` opline `b` is the argument's source and `c` its place behind the header; in a `Call`
//! `c` is the destination, 0 if the result is not used.

use super::builtins::{call_builtin, call_native};
use super::{
    Handler, fill_site, go, next, numbered_cache, numbered_site, second_site, site, slow, slow_handler, slow_switch,
    switch_handler,
};
use crate::code::{FuncCode, Kind, Site};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::{FLAG_BORROWS_THIS, FLAG_CONSTRUCTOR, FLAG_FROM_ARRAY, FLAG_MAGIC, Frame};
use crate::named_sites::{self, Held};
use crate::{bridge, calls, leave, megamorphic_cache};
use phlox_hhbc::Instr;
use phlox_lower::{ClassBy, NO_SITE, OpCode, Operand, Opline};
use phlox_runtime::{ClassExt, ClassRef, PhpObj, PhpResult, PhpStr, Val, convert, dynamic_call, objects};
use phlox_value::raw;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// The handler of an opline that opens, fills or makes a call, returns, or checks a parameter.
pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::InitFunc => init_func,
        OpCode::InitMethod => match opline.b {
            Operand::This => init_method::<{ Kind::This as u8 }>,
            Operand::Local(_) => init_method::<{ Kind::Local as u8 }>,
            Operand::Tmp(_) => init_method::<TMP>,
            _ => init_method_generic,
        },
        OpCode::InitStatic => super::static_calls::init_static,
        OpCode::InitNew => init_new,
        OpCode::InitDynamic if matches!(opline.b, Operand::Local(_)) => super::dynamic::init_dynamic_local,
        OpCode::InitDynamic if matches!(opline.b, Operand::Tmp(_)) => super::dynamic::init_dynamic_temporary,
        OpCode::InitDynamic => super::dynamic::init_dynamic,
        OpCode::InitSlow => init_slow,
        OpCode::InitUser => super::dynamic::init_user,
        OpCode::SendLocal => send_local,
        OpCode::SendSlow => send_slow_handler,
        OpCode::SendValue => send_value,
        OpCode::Call if opline.site != NO_SITE => call_builtin,
        OpCode::Call => call::<false>,
        OpCode::CallRef => call::<true>,
        OpCode::CallSlow => call_slow,
        OpCode::CallNamed => super::named_calls::call_named,
        OpCode::Callable => callable,
        OpCode::VerifyParam => super::params::verify_param,
        _ => super::returns::select(opline, true),
    }
}

/// `InitFunc`: opens a call of the function that the inline cache holds.
pub(super) unsafe extern "C-unwind" fn init_func(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `InitFunc` has an inline cache at `d`, and `a` is the location of the header that it fills in.
    unsafe {
        let code = site(ip).key as *const FuncCode;
        if code.is_null() {
            slow!(init_func_slow, ip, fp, run)
        }
        Frame::prepare(cell(fp, (*ip).a).cast(), code);
        next!(ip, fp, run)
    }
}

/// `InitFunc`, executed for compiled code.
pub(super) unsafe fn init_func_again(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: compiled code passes an `InitFunc` of the innermost frame, which has an inline cache at `d`.
    unsafe {
        let code = site(ip).key as *const FuncCode;
        if code.is_null() {
            return init_func_slow(ip, fp, run);
        }
        Frame::prepare(cell(fp, (*ip).a).cast(), code);
        ip.add(1)
    }
}

/// `InitFunc` for the first time: finds the function and fills the inline cache.
#[inline(never)]
unsafe fn init_func_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `b` of `InitFunc` is a literal string, and `a` is the location of the header.
    unsafe {
        let name = raw::string_at(literal(ip, (*ip).b));
        let fallback = run.meta(ip).n;
        let mut func = run.vm.find_function_literal(name);
        if func.is_none() && fallback > 0 {
            func = run.vm.find_function_literal(raw::string_at(run.code().literal(fallback - 1)));
        }
        match func {
            Some(func) => {
                let code = FuncCode::of(&func);
                site(ip).key = code as u64;
                // A builtin function without a namespace has its name in all requests.
                if !func.unit.internal || fallback > 0 {
                    named_sites::note(numbered_cache(fp, run.meta(ip).site), Held::Addresses);
                }
                Frame::prepare(cell(fp, (*ip).a).cast(), code);
                ip.add(1)
            }
            None => {
                let throw = run.vm.throw_error(&[b"Call to undefined function ", &name[..], b"()"].concat());
                run.raise(throw)
            }
        }
    }
}

const THIS: u8 = Kind::This as u8;
const LOCAL: u8 = Kind::Local as u8;
pub(super) const TMP: u8 = Kind::Tmp as u8;

/// `InitMethod` of an object of a class that is in one of the two inline caches. `KIND` says what the operand `b` is.
pub(super) unsafe extern "C-unwind" fn init_method<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `InitMethod`: `b` is `$this`, a local or a temporary; a cached value is the address of a method's code.
    unsafe {
        let object = match KIND {
            THIS => (*fp.cast::<Frame>()).this,
            LOCAL => {
                let place = raw::look_through(cell(fp, (*ip).b));
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
            _ => {
                let place = cell(fp, (*ip).b);
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
        };
        if object == 0 {
            slow!(init_method_slow, ip, fp, run)
        }
        let class = raw::class_of(object);
        let mut cache = site(ip);
        if cache.key != class as u64 {
            cache = second_site(ip);
            if cache.key != class as u64 {
                return init_method_of_many::<KIND>(ip, fp, run);
            }
        }
        if KIND == LOCAL {
            raw::retain(object, raw::TI_OBJ);
        }
        // The header may overlap the object's temporary, which was read before.
        let header = cell(fp, (*ip).a).cast::<Frame>();
        Frame::prepare(header, cache.value as *const FuncCode);
        if KIND == THIS {
            (*header).flags = FLAG_BORROWS_THIS;
        }
        (*header).this = object;
        (*header).static_class = class;
        next!(ip, fp, run)
    }
}

/// `InitMethod` of an object of a class that is in neither inline cache, by the megamorphic cache.
#[inline(never)]
unsafe extern "C-unwind" fn init_method_of_many<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `init_method` jumps here if `b` is an object; a literal `c` is the method's name.
    unsafe {
        let object = match KIND {
            THIS => (*fp.cast::<Frame>()).this,
            LOCAL => raw::payload(raw::look_through(cell(fp, (*ip).b))),
            _ => raw::payload(cell(fp, (*ip).b)),
        };
        let class = raw::class_of(object);
        let scope = (*(*fp.cast::<Frame>()).code).func().scope.get();
        let key = megamorphic_cache::Key::new(class as u64, raw::string_at(literal(ip, (*ip).c)), scope);
        let found = megamorphic_cache::find(key);
        let Some(code) = found.filter(|_| second_site(ip).key != 0) else { slow!(init_method_slow, ip, fp, run) };
        if KIND == LOCAL {
            raw::retain(object, raw::TI_OBJ);
        }
        let header = cell(fp, (*ip).a).cast::<Frame>();
        Frame::prepare(header, code as *const FuncCode);
        if KIND == THIS {
            (*header).flags = FLAG_BORROWS_THIS;
        }
        (*header).this = object;
        (*header).static_class = class;
        next!(ip, fp, run)
    }
}

slow_handler!(init_method_generic, init_method_slow);

/// `InitMethod` for all operands; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn init_method_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitMethod`: `b` is consumed once, `c` is a literal string, `a` the location of the header.
    unsafe {
        let meta = run.meta(ip);
        if let Some(next) = init_method_again(ip, fp, run, meta.b).or_else(|| init_magic(ip, fp, meta)) {
            return next;
        }
        let name = raw::string_at(literal(ip, (*ip).c)).clone();
        let result = run.fetch(ip, (*ip).b, meta.b).and_then(|target| {
            let target = target.into_deref();
            let Some(object) = target.as_obj() else {
                let given = convert::value_name(&target);
                let text = [b"Call to a member function ", &name[..], b"() on ", given.as_bytes()].concat();
                return Err(run.vm.throw_error(&text));
            };
            let callee = dynamic_call::method(run.vm, object, &name, run.access().scope)?;
            let plain = callee.magic_name.is_none() && callee.closure.is_none();
            if plain && callee.this.as_ref().is_some_and(|this| this.ptr_eq(object)) {
                let class = raw::class_of(raw::payload(&raw const target)) as u64;
                let value = FuncCode::of(&callee.func) as u64;
                fill_site(numbered_cache(fp, meta.site), Site { key: class, value, class: 0 });
                megamorphic_cache::remember(megamorphic_cache::Key::new(class, &name, run.access().scope), value);
            } else if callee.closure.is_none()
                && callee.magic_name.as_ref() == Some(&name)
                && callee.this.as_ref().is_some_and(|this| this.ptr_eq(object))
            {
                let class = raw::class_of(raw::payload(&raw const target)) as u64;
                let value = FuncCode::of(&callee.func) as u64;
                fill_site(numbered_cache(fp, meta.site), Site { key: class | MAGIC, value, class: 0 });
            }
            calls::set_header(cell(fp, (*ip).a).cast(), callee);
            Ok(())
        });
        finish_init(run, ip, fp, result)
    }
}

/// In the key of a method call's cache: the cached function is `__call` of the class.
const MAGIC: u64 = 1;

/// `InitMethod` of an object whose class has no such method, but a `__call` that is in the inline cache. `None`: nothing was done.
unsafe fn init_magic(ip: Ip, fp: Fp, meta: &crate::code::Meta) -> Option<Ip> {
    // SAFETY: operands of `InitMethod`; the object's temporary is read before the header, which may overlap it, is written.
    unsafe {
        let cache = numbered_site(fp, meta.site);
        let place = match meta.b {
            Kind::Local => raw::look_through(cell(fp, (*ip).b)),
            Kind::Tmp => cell(fp, (*ip).b),
            _ => return None,
        };
        if cache.key & MAGIC == 0 || raw::tag(place) != raw::TI_OBJ {
            return None;
        }
        let object = raw::payload(place);
        let class = raw::class_of(object);
        if cache.key != class as u64 | MAGIC {
            return None;
        }
        if meta.b == Kind::Local {
            raw::retain(object, raw::TI_OBJ);
        }
        // The header may overlap the object's temporary, which was read before.
        let header = cell(fp, (*ip).a).cast::<Frame>();
        calls::prepare_magic(header, cache.value, class as u64, raw::string_at(literal(ip, (*ip).c)));
        (*header).this = object;
        Some(ip.add(1))
    }
}

/// `InitMethod` by the inline caches or the megamorphic cache. `None`: no cache has the class, or `b` is no object; nothing was
/// done.
unsafe fn init_method_again(ip: Ip, fp: Fp, run: &mut Run, kind: Kind) -> Option<Ip> {
    // SAFETY: operands of `InitMethod`; the object's temporary is read before the header is written.
    unsafe {
        let object = match kind {
            Kind::This => (*run.frame).this,
            Kind::Local | Kind::Tmp => {
                let place = raw::look_through(cell(fp, (*ip).b));
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
            _ => 0,
        };
        if object == 0 || (kind == Kind::Tmp && raw::tag(cell(fp, (*ip).b)) == raw::TI_REF) {
            return None;
        }
        let class = raw::class_of(object);
        let cache = numbered_cache(fp, run.meta(ip).site);
        let (first, second) = (&*cache, &*cache.add(1));
        let code = if first.key == class as u64 {
            first.value
        } else if second.key == class as u64 {
            second.value
        } else {
            let name = raw::string_at(literal(ip, (*ip).c));
            let code = megamorphic_cache::find(megamorphic_cache::Key::new(class as u64, name, run.access().scope))?;
            if second.key == 0 {
                fill_site(cache, Site { key: class as u64, value: code, class: 0 });
            }
            code
        };
        if kind == Kind::Local {
            raw::retain(object, raw::TI_OBJ);
        }
        let header = cell(fp, (*ip).a).cast::<Frame>();
        Frame::prepare(header, code as *const FuncCode);
        if kind == Kind::This {
            (*header).flags = FLAG_BORROWS_THIS;
        }
        (*header).this = object;
        (*header).static_class = class;
        Some(ip.add(1))
    }
}

/// Finishes an opline that opens a call. If releasing an operand threw, the header that was filled in is released, too.
///
/// # Safety
/// `ip` is an opline of the innermost frame `fp` that opens a call; if `result` is `Ok`, the header at `a` is filled in.
pub unsafe fn finish_init(run: &mut Run, ip: Ip, fp: Fp, result: PhpResult<()>) -> Ip {
    // SAFETY: the header at `a` is filled in if `result` is `Ok`.
    unsafe {
        let made = result.is_ok();
        let next = run.finish(ip, result);
        if made && run.thrown.is_some() {
            let header = cell(fp, (*ip).a).cast::<Frame>();
            if !calls::calls_nothing(header) {
                leave::release_header(header);
            }
        }
        next
    }
}

/// The class that an opline names: by a literal, or as `self`, `parent` or `static`.
///
/// # Safety
/// `ip` is an opline of the innermost frame; `name` is the offset of a literal string if `by` says that the class is named.
pub unsafe fn class_of(run: &mut Run, ip: Ip, name: u32, by: ClassBy) -> PhpResult<ClassRef> {
    // SAFETY: `name` is a literal's offset from `ip`; `class_by` reads the literal only if the class is named.
    unsafe { class_by(run, ip, literal(ip, name), by) }
}

/// The class that an opline names, with the cell of the literal, which is read only if `by` says that the class is named.
///
/// # Safety
/// `ip` is an opline of the innermost frame; `name` is a cell with a string if `by` says that the class is named.
pub unsafe fn class_by(run: &mut Run, ip: Ip, name: *const Val, by: ClassBy) -> PhpResult<ClassRef> {
    // SAFETY: `name` is read only for `ClassBy::Name`; the innermost frame's static class lives as long as the request.
    unsafe {
        let scope = run.access().scope;
        // PHP's messages for `self::class` and its like differ from those of other uses.
        let names = run.meta(ip).op == OpCode::ClassName;
        let missing = |word: &str| {
            let text = match names {
                true => format!("Cannot use \"{word}\" in the global scope"),
                false => format!("Cannot access \"{word}\" when no class scope is active"),
            };
            run.vm.throw_error(text.as_bytes())
        };
        match by {
            ClassBy::Name => run.vm.require_class_literal(raw::string_at(name)),
            ClassBy::SelfClass => scope.cloned().ok_or_else(|| missing("self")),
            ClassBy::Parent => {
                let Some(scope) = scope else { return Err(missing("parent")) };
                scope.class().parent.clone().ok_or_else(|| {
                    let verb = if names { "use" } else { "access" };
                    let text = format!("Cannot {verb} \"parent\" when current class scope has no parent");
                    run.vm.throw_error(text.as_bytes())
                })
            }
            ClassBy::Static => match calls::class_ref((*run.frame).static_class) {
                Some(class) => Ok(class),
                None => scope.cloned().ok_or_else(|| missing("static")),
            },
        }
    }
}

/// The class that an opline names, by its number `n`.
///
/// # Safety
/// `ip` is an opline of the innermost frame; `name` is the offset of a literal string if `n` says that the class is named.
pub unsafe fn named_class(run: &mut Run, ip: Ip, name: u32, n: u32) -> PhpResult<ClassRef> {
    // SAFETY: the caller passes an operand of `ip`, a literal string if `n` says that the class is named.
    unsafe { class_of(run, ip, name, ClassBy::of(n)) }
}

slow_handler!(init_new, init_new_slow);

/// In the inline cache of `new`: the class has no constructor.
pub(super) const NO_CONSTRUCTOR: u64 = 1;

/// `InitNew` of a class that the inline cache knows; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn init_new_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitNew`; a cached class lives as long as the request, and `a` is the location of the header.
    unsafe {
        let cache = numbered_site(fp, run.meta(ip).site);
        if cache.value == 0 {
            return init_new_checked(ip, fp, run);
        }
        // The cache holds a constructor only for classes that can be instantiated without a check. Classes live as long as the
        // request: the handle is not counted.
        let class = ManuallyDrop::new(Rc::from_raw(cache.key as *const phlox_value::ClassHeader));
        let object = calls::into_payload(PhpObj::new(Rc::clone(&class), &class.class().defaults()));
        let header = cell(fp, (*ip).a).cast::<Frame>();
        if cache.value == NO_CONSTRUCTOR {
            Frame::prepare(header, std::ptr::null());
        } else {
            Frame::prepare(header, cache.value as *const FuncCode);
            raw::retain(object, raw::TI_OBJ);
            (*header).this = object;
            (*header).static_class = Rc::as_ptr(&class);
            (*header).flags = FLAG_CONSTRUCTOR;
        }
        raw::write(cell(fp, (*ip).c), object, raw::TI_OBJ);
        ip.add(1)
    }
}

/// `InitNew` of a class that may refuse to be instantiated, or that the cache does not know.
#[inline(never)]
unsafe fn init_new_checked(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitNew`: `b` is a literal if the class is named, `c` an empty temporary, `a` the location of the
    // header.
    unsafe {
        let meta = run.meta(ip);
        let cache = numbered_site(fp, meta.site);
        let by = ClassBy::of(meta.n);
        let class = match calls::class_ref(cache.key as *const phlox_value::ClassHeader) {
            Some(class) => class,
            None => match class_of(run, ip, (*ip).b, by) {
                Ok(class) => class,
                Err(throw) => return run.raise(throw),
            },
        };
        let object = match objects::new(run.vm, &class, run.access().scope) {
            Ok(object) => object,
            Err(throw) => return run.raise(throw),
        };
        let constructor = class.class().magic.construct.as_ref().map(FuncCode::of);
        if by == ClassBy::Name {
            let native = &class.class().native;
            named_sites::note(cache, Held::Addresses);
            cache.key = Rc::as_ptr(&class) as u64;
            if native.create.is_none() && native.no_new.is_none() {
                cache.value = constructor.map_or(NO_CONSTRUCTOR, |code| code as u64);
            }
        }
        let header = cell(fp, (*ip).a).cast::<Frame>();
        match constructor {
            Some(constructor) => {
                Frame::prepare(header, constructor);
                (*header).this = calls::into_payload(object.clone());
                (*header).static_class = Rc::as_ptr(&class);
                (*header).flags = FLAG_CONSTRUCTOR;
            }
            None => Frame::prepare(header, std::ptr::null()),
        }
        raw::put(cell(fp, (*ip).c), object.into());
        match run.vm.check_pending() {
            Ok(()) => ip.add(1),
            Err(throw) => {
                leave::release_header(header);
                drop(raw::take(cell(fp, (*ip).c)));
                run.raise(throw)
            }
        }
    }
}

slow_handler!(init_slow, init_slow_slow);

/// `InitSlow`: opens a call as the reference interpreter does; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn init_slow_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `InitSlow` has `d` full temporaries from `b` on as its inputs, and `a` is the location of the header.
    unsafe {
        let count = (*ip).d as usize;
        let instr = &run.code().func().code().code[run.meta(ip).pc as usize];
        match instr {
            Instr::FPushObjMethod { .. } => return super::dynamic::init_method_by_name(ip, fp, run),
            Instr::FPushCtor { .. } => return super::dynamic::init_new_of_class(ip, fp, run),
            Instr::FPushClsMethod { .. } => return super::dynamic::init_static_by_name(ip, fp, run),
            _ => {}
        }
        let result = bridge::open_call(run, ip, cell(fp, (*ip).b), count, cell(fp, (*ip).a).cast());
        run.finish(ip, result)
    }
}

/// `SendLocal` of a defined local to a parameter that takes values.
pub(super) unsafe extern "C-unwind" fn send_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SendLocal`: a filled header, a local, and the empty location of the argument.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        if calls::may_pass_by_ref(header, (*ip).d as u32) {
            return send_local_closely(ip, fp, run);
        }
        let from = raw::look_through(cell(fp, (*ip).b));
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        if tag == raw::TI_UNDEF {
            slow!(send_undefined, ip, fp, run)
        }
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

/// `SendLocal` to a parameter that may take a reference: `by_ref` bits repeat every 64 parameters, so the parameter itself is
/// asked.
#[inline(never)]
unsafe extern "C-unwind" fn send_local_closely(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SendLocal`, as `send_local` passed them on.
    unsafe {
        let own = cell(fp, (*ip).b);
        if !calls::passes_by_ref(cell(fp, (*ip).a).cast(), (*ip).d as u32) {
            let from = raw::look_through(own);
            let (payload, tag) = (raw::payload(from), raw::tag(from));
            if tag == raw::TI_UNDEF {
                slow!(send_undefined, ip, fp, run)
            }
            raw::retain(payload, tag);
            raw::write(cell(fp, (*ip).c), payload, tag);
            next!(ip, fp, run)
        }
        if raw::tag(own) == raw::TI_REF {
            raw::retain(raw::payload(own), raw::TI_REF);
            raw::write(cell(fp, (*ip).c), raw::payload(own), raw::TI_REF);
            next!(ip, fp, run)
        }
        slow!(send_reference, ip, fp, run)
    }
}

/// `SendLocal` to a parameter that takes a reference: the local becomes one; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn send_reference(ip: Ip, fp: Fp, _run: &mut Run) -> Ip {
    // SAFETY: operands of `SendLocal`: `b` is a local, which becomes a reference, `c` the empty location of the argument.
    unsafe {
        let reference = (*cell(fp, (*ip).b)).make_ref();
        raw::put(cell(fp, (*ip).c), reference.into());
        ip.add(1)
    }
}

/// `SendLocal` of an undefined local: warns and passes null.
#[inline(never)]
unsafe fn send_undefined(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SendLocal`; the location of the argument gets its value before the warning runs PHP code.
    unsafe {
        let result = run.undefined_local((*ip).b);
        raw::write_tag(cell(fp, (*ip).c), raw::TI_NULL);
        run.finish(ip, result)
    }
}

/// `SendValue`: the argument is in its place already, and stays unless the parameter takes a reference.
pub(super) unsafe extern "C-unwind" fn send_value(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SendValue`: a filled header and the full temporary of the argument.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        if calls::may_pass_by_ref(header, (*ip).d as u32) {
            return send_value_closely(ip, fp, run);
        }
        next!(ip, fp, run)
    }
}

/// `SendValue` to a parameter that may take a reference.
#[inline(never)]
unsafe extern "C-unwind" fn send_value_closely(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SendValue`, as `send_value` passed them on.
    unsafe {
        if calls::passes_by_ref(cell(fp, (*ip).a).cast(), (*ip).d as u32) {
            slow!(send_slow, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `SendSlow`: the argument is in its place; a reference, or a parameter that takes one, needs the instruction of HHBC.
unsafe extern "C-unwind" fn send_slow_handler(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SendSlow`: a filled header and the temporary of the argument.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let tag = raw::tag(cell(fp, (*ip).b));
        if tag == raw::TI_REF || tag == raw::TI_UNDEF || calls::passes_by_ref(header, (*ip).d as u32) {
            slow!(send_slow, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `SendSlow` and `SendValue` as the reference interpreter executes the instruction.
#[inline(never)]
unsafe fn send_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `b` is the argument's temporary, which `bridge::step` takes and fills again; `a` is a filled header.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let result = bridge::step(run, ip, cell(fp, (*ip).b), 1, Some(header)).map(drop);
        run.finish(ip, result)
    }
}

/// `Call` and `CallRef`: enters a PHP function that needs nothing special. Everything else is for [`call_uncommon`].
pub(super) unsafe extern "C-unwind" fn call<const BY_REF: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the header at `a` is filled in, and its `b` arguments are in place; the callee's frame fits below `run.limit`.
    unsafe {
        let callee = cell(fp, (*ip).a).cast::<Frame>();
        let code = (*callee).code;
        if code.is_null() || !(*code).is_plain.get() {
            if !code.is_null() && (*code).is_native {
                return call_native(ip, fp, run);
            }
            return call_uncommon::<BY_REF>(ip, fp, run);
        }
        let argc = (*ip).b;
        let optional = argc.wrapping_sub((*code).required);
        let special = optional > (*code).optional
            || !(*callee).env.is_null()
            || (*callee).flags & FLAG_MAGIC != 0
            || (*(*run).interrupt).load(Ordering::Relaxed) != 0
            || callee.cast::<u8>().add((*code).frame_bytes.get() as usize) > (*run).limit;
        if special {
            return call_uncommon::<BY_REF>(ip, fp, run);
        }
        (*fp.cast::<Frame>()).ip = ip;
        (*callee).prev = fp.cast();
        (*callee).argc = argc;
        Frame::undefine(callee, argc, (*code).cleared);
        (*run).frame = callee;
        let entry = match optional {
            0 => (*code).start.get(),
            more => *(*code).entries.get().add(more as usize),
        };
        go!(entry, callee.cast(), run)
    }
}

/// `Call` and `CallRef` of everything that [`call`] does not enter.
#[inline(never)]
unsafe extern "C-unwind" fn call_uncommon<const BY_REF: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the header at `a` is filled in, and its `b` arguments are in place.
    unsafe {
        let callee = cell(fp, (*ip).a).cast::<Frame>();
        let code = (*callee).code;
        let argc = (*ip).b;
        (*fp.cast::<Frame>()).ip = ip;
        let simple = !code.is_null()
            && (*code).is_simple.get()
            && argc >= (*code).required
            && argc <= (*code).params
            && (*callee).env.is_null()
            && (*callee).flags & FLAG_MAGIC == 0
            && (*(*run).interrupt).load(Ordering::Relaxed) == 0;
        if !simple {
            slow_switch!(call_other, ip, fp, run)
        }
        let end = callee.cast::<u8>().add((*code).frame_bytes.get() as usize);
        if end > (*run).limit {
            slow_switch!(call_other, ip, fp, run)
        }
        (*callee).prev = fp.cast();
        (*callee).argc = argc;
        Frame::undefine(callee, argc, (*code).cleared);
        (*run).frame = callee;
        let entry = *(*code).entries.get().add((argc - (*code).required) as usize);
        if (*code).has_captures {
            return start_closure(entry, callee.cast(), run);
        }
        go!(entry, callee.cast(), run)
    }
}

/// Starts a closure whose frame is complete but for the captured variables, which are copied into it first.
unsafe extern "C-unwind" fn start_closure(entry: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `fp` is the new innermost frame, and `entry` an opline of its function.
    unsafe {
        (*fp.cast::<Frame>()).ip = entry;
        calls::bind_captures(fp.cast());
        go!(entry, fp, run)
    }
}

/// `Call` and `CallRef` of functions that need the slow path.
#[inline(never)]
pub(super) unsafe fn call_other(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the header at `a` is filled in, with `b` arguments behind it.
    unsafe { calls::call(run, ip, cell(fp, (*ip).a).cast(), (*ip).b) }
}

switch_handler!(call_slow, call_slow_slow);

/// `CallSlow`: a call with an array of further arguments.
#[inline(never)]
unsafe fn call_slow_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `CallSlow`: the header at `a` with `d` arguments behind it, and the array in temporary `b`.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let argc = (*ip).d as u32;
        match unpack_in_place(ip, fp, run, header, argc) {
            Some(total) => calls::call(run, ip, header, total),
            None => match super::named_calls::call_with_names(ip, fp, run, header, argc) {
                Some(next) => next,
                None => call_in_parts(ip, fp, run, argc, Vec::new()),
            },
        }
    }
}

/// A call whose arguments do not stay in the frame: positional ones, which may have names, and those in an array.
///
/// # Safety
/// `ip` is an opline of the innermost frame `fp` that makes a call; the header at `a` is filled in and `argc` arguments follow it;
/// `b` is the temporary with the array of further arguments, if there is one.
pub(super) unsafe fn call_in_parts(ip: Ip, fp: Fp, run: &mut Run, argc: u32, names: Vec<(usize, PhpStr)>) -> Ip {
    // SAFETY: the arguments and the array are full temporaries, which are taken once; the header is filled in.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let argc = argc as usize;
        let first = header.add(1).cast::<Val>();
        let mut args: Vec<Val> = (0..argc).map(|index| raw::take(first.add(index))).collect();
        let array = match run.meta(ip).b {
            Kind::None => None,
            _ => raw::take(cell(fp, (*ip).b)).into_arr(),
        };
        if calls::calls_nothing(header) {
            let name = names.into_iter().next().map(|(_, name)| name);
            let name = name.or_else(|| array.as_ref().and_then(phlox_oracle::first_name));
            drop((args, array));
            let checked = run.vm.check_unused_name(name.as_ref());
            let result = checked.and_then(|()| run.store(ip, Val::NULL));
            return run.finish(ip, result);
        }
        // The reference interpreter keeps the names of arguments that it passed in the header.
        let noted = (*header).env.as_mut().map(|env| std::mem::take(&mut env.names)).unwrap_or_default();
        let names = if noted.is_empty() { names } else { noted };
        let mut named = Vec::new();
        // In the row of arguments named ones follow the positional ones, so that a position stays right while later ones are
        // removed.
        for (position, name) in names.into_iter().rev() {
            if position < args.len() {
                named.push((name, args.remove(position)));
            }
        }
        named.reverse();
        if let Some(array) = array {
            let callee = calls::callee_of(header);
            let from_array = (*header).flags & FLAG_FROM_ARRAY != 0;
            let result = phlox_oracle::take_unpacked(run.vm, &callee, from_array, &array, &mut args, &mut named);
            drop(callee);
            if let Err(throw) = result {
                leave::release_header(header);
                drop((args, named));
                return run.raise(throw);
            }
        }
        calls::call_with(run, ip, header, args, named)
    }
}

/// Copies the elements of the array of further arguments behind the first ones; returns how many arguments there are then. `None`:
/// nothing was done, the call needs more than that.
unsafe fn unpack_in_place(ip: Ip, fp: Fp, run: &mut Run, header: *mut Frame, argc: u32) -> Option<u32> {
    // SAFETY: the header at `a` has `argc` arguments behind it, `b` is the array's temporary, and `reserve` makes room for the
    // rest.
    unsafe {
        let code = (*header).code;
        let is_plain = (*header).env.is_null() && (*header).flags & !(FLAG_FROM_ARRAY | FLAG_CONSTRUCTOR) == 0;
        if run.meta(ip).b == Kind::None || code.is_null() || !is_plain {
            return None;
        }
        let list = cell(fp, (*ip).b);
        if raw::tag(list) & 0xff != raw::TI_ARR_STATIC {
            return None;
        }
        let values = raw::array_at(list).as_list().filter(|values| !values.iter().any(Val::is_ref))?;
        let count = values.len() as u32;
        if (*code).has_by_ref && (*code).func().takes_references_behind(argc as usize) {
            return None;
        }
        let held = raw::take(list);
        let first = header.add(1).cast::<Val>().add(argc as usize);
        if calls::reserve(run, first.add(count as usize).cast()).is_err() {
            raw::put(list, held);
            return None;
        }
        // The array's temporary may lie where an argument goes, so the array was taken out first.
        for (index, value) in held.as_arr().and_then(|array| array.as_list()).unwrap_or(&[]).iter().enumerate() {
            raw::put(first.add(index), value.clone());
        }
        drop(held);
        Some(argc + count)
    }
}

slow_handler!(callable, callable_slow);

/// `Callable`: makes a closure of a pending call, which ends.
#[inline(never)]
unsafe fn callable_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the header at `a` is filled in and released once; `c` is the destination.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let is_constructor = calls::calls_nothing(header) || (*header).flags & FLAG_CONSTRUCTOR != 0;
        let result = if is_constructor {
            Err(run.vm.throw_error(b"Cannot create Closure for new expression"))
        } else {
            dynamic_call::first_class_closure(run.vm, calls::callee_of(header))
        };
        if !calls::calls_nothing(header) {
            leave::release_header(header);
        }
        let result = result.and_then(|closure| run.store(ip, closure.into()));
        run.finish(ip, result)
    }
}
