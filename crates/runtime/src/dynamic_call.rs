//! Resolution of calls in PHP code, and the Errors that calls throw.

use crate::call::Call;
use crate::class::{Class, ClassExt, ClassRef, ObjExt, PropInfo};
use crate::closure::{self, ClosureData};
use crate::error::PhpResult;
use crate::frame::Frame;
use crate::func::{Func, NativeFn, Param};
use crate::props::{self, Access, ReadMode};
use crate::strmap::lower_str;
use crate::vm::{Callee, Vm};
use phlox_hhbc::{HookKind, caller_access};
use phlox_value::{PhpObj, PhpStr, Slot, Val, View};
use std::cell::RefCell;
use std::rc::Rc;

/// The callee of `$value(...)`.
pub fn callee(vm: &Vm, value: &Val) -> PhpResult<Callee> {
    match value.view() {
        View::Obj(object) => match closure::callee(object) {
            Some(callee) => Ok(callee),
            None => match object.class().magic.invoke.clone() {
                Some(func) => Ok(Callee::method(func, object.clone())),
                None => Err(not_callable(vm, object)),
            },
        },
        View::Str(name) => match name.windows(2).position(|pair| pair == b"::") {
            Some(at) => {
                let class = vm.require_class(&name[..at])?;
                dynamic_static(vm, &class, &PhpStr::new(&name[at + 2..]))
            }
            None => match vm.find_function(name) {
                Some(func) if needs_static_call(&func) => {
                    Err(vm.throw_error(&[b"Cannot call ", &func.name[..], b"() dynamically"].concat()))
                }
                Some(func) => Ok(Callee::function(func)),
                None => {
                    let name = name.strip_prefix(b"\\").unwrap_or(name);
                    Err(vm.throw_error(&[b"Call to undefined function ", crate::until_nul(name), b"()"].concat()))
                }
            },
        },
        View::Arr(pair) if pair.len() == 2 => {
            let (Some(target), Some(name)) = (pair.get_int(0), pair.get_int(1)) else {
                return Err(vm.throw_error(b"Array callback has to contain indices 0 and 1"));
            };
            let (target, name) = (target.deref(), name.deref());
            if !matches!(target.view(), View::Obj(_) | View::Str(_)) {
                return Err(vm.throw_error(b"First array member is not a valid class name or object"));
            }
            let View::Str(name) = name.view() else {
                return Err(vm.throw_error(b"Second array member is not a valid method"));
            };
            match target.view() {
                View::Obj(object) => {
                    if name.windows(2).any(|pair| pair == b"::") {
                        return match vm.resolve_callable(value)? {
                            Ok(callee) => Ok(callee),
                            Err(reason) => Err(vm.throw_error(reason.as_bytes())),
                        };
                    }
                    method(vm, object, name, vm.scope().as_ref())
                }
                View::Str(class) => {
                    let class = vm.require_class(class)?;
                    dynamic_static(vm, &class, name)
                }
                _ => Err(vm.throw_error(b"First array member is not a valid class name or object")),
            }
        }
        View::Arr(_) => Err(vm.throw_error(b"Array callback must have exactly two elements")),
        _ => {
            let text = format!("Value of type {} is not callable", crate::convert::type_name(value));
            Err(vm.throw_error(text.as_bytes()))
        }
    }
}

/// Whether a function may only be called by name, because it looks into its caller's frame.
pub fn needs_static_call(func: &Func) -> bool {
    func.is_native() && func.scope.get().is_none() && caller_access::of(&func.name).is_called_by_name
}

fn not_callable(vm: &Vm, object: &PhpObj) -> crate::Throw {
    vm.throw_error(&[b"Object of type ", &object.class_name()[..], b" is not callable"].concat())
}

fn dynamic_static(vm: &Vm, class: &ClassRef, name: &PhpStr) -> PhpResult<Callee> {
    match vm.user_frame() {
        Some(frame) => {
            let callee = static_method(vm, &frame, class, name, false)?;
            match callee.this {
                Some(_) => Err(not_static(vm, &callee)),
                None => Ok(callee),
            }
        }
        None => Err(vm.throw_error(b"Value not callable")),
    }
}

fn not_static(vm: &Vm, callee: &Callee) -> crate::Throw {
    let name = shown_name(&callee.func, callee.magic_name.as_ref());
    vm.throw_error(&[b"Non-static method ", &name[..], b"() cannot be called statically"].concat())
}

/// `C::m`, where `m` is the called name if a magic method handles the call.
fn shown_name(func: &Func, magic: Option<&PhpStr>) -> Vec<u8> {
    match (func.scope.get(), magic) {
        (Some(class), Some(magic)) => [&class.class().name[..], b"::", magic].concat(),
        _ => func.display_name(),
    }
}

fn note_trait_call(vm: &Vm, func: &Func, magic: Option<&PhpStr>) -> PhpResult<()> {
    let name = shown_name(func, magic);
    let tail = b" is deprecated, it should only be called on a class using the trait";
    vm.deprecated(&[b"Calling static trait method ", &name[..], tail].concat())
}

fn scope_words(scope: Option<&ClassRef>) -> Vec<u8> {
    match scope {
        Some(class) => [b"scope ".as_slice(), &class.class().name].concat(),
        None => b"global scope".to_vec(),
    }
}

fn hidden(vm: &Vm, class_name: &PhpStr, func: &Func, name: &PhpStr, scope: Option<&ClassRef>) -> crate::Throw {
    let kind = if func.is_private() { "private" } else { "protected" };
    let what = if func.name.eq_ignore_ascii_case(b"__construct") { "" } else { "method " };
    let class_name = func.scope.get().map_or(class_name, |owner| &owner.class().name);
    let text = [
        b"Call to ",
        kind.as_bytes(),
        b" ",
        what.as_bytes(),
        &class_name[..],
        b"::",
        name,
        b"() from ",
        &scope_words(scope),
    ];
    vm.throw_error(&text.concat())
}

/// The callee of `$object->name(...)`.
pub fn method(vm: &Vm, object: &PhpObj, name: &PhpStr, scope: Option<&ClassRef>) -> PhpResult<Callee> {
    let class = object.class();
    let key = lower_str(name);
    if let Some(func) = vm.visible_method(class, &key, scope) {
        if key.as_bytes() == b"__invoke" {
            if let Some(callee) = closure::callee(object) {
                return Ok(callee);
            }
        }
        if func.is_abstract() && func.code().code.is_empty() {
            return Err(abstract_call(vm, &func));
        }
        return Ok(if func.is_static() && class.native.static_sees_object && func.is_native() {
            let this = Some(object.clone());
            Callee { this, ..Callee::static_method(func, object.class_header().clone()) }
        } else if func.is_static() {
            Callee::static_method(func, object.class_header().clone())
        } else {
            Callee::method(func, object.clone())
        });
    }
    if key.as_bytes() == b"__invoke" {
        if let Some(callee) = closure::callee(object) {
            return Ok(callee);
        }
    }
    if let Some(call) = &class.magic.call {
        let mut callee = Callee::method(call.clone(), object.clone());
        callee.magic_name = Some(crate::callables::magic_call_name(name));
        return Ok(callee);
    }
    if let Some(target) = class.native.method_target.and_then(|hook| hook(object)) {
        let inner = target.class();
        // If the other object lacks the method, too, this object's class reports that.
        if inner.methods.get(&key).is_some() || inner.magic.call.is_some() || inner.native.method_target.is_some() {
            return method(vm, &target, name, scope);
        }
    }
    if let Some(missing) = class.native.missing_method {
        return Err(missing(vm, object));
    }
    Err(match class.methods.get(&key) {
        Some(func) => hidden(vm, &class.name, func, name, scope),
        None => undefined(vm, &class.name, name),
    })
}

fn undefined(vm: &Vm, class: &PhpStr, name: &PhpStr) -> crate::Throw {
    let (class, name) = (crate::until_nul(class), crate::until_nul(name));
    vm.throw_error(&[b"Call to undefined method ", class, b"::", name, b"()"].concat())
}

fn abstract_call(vm: &Vm, func: &Func) -> crate::Throw {
    vm.throw_error(&[b"Cannot call abstract method ", &func.display_name()[..], b"()"].concat())
}

/// The callee of `C::name(...)` in a frame. With `forward` (self, parent and static) the late static binding class is kept.
pub fn static_method(vm: &Vm, frame: &Frame, class: &ClassRef, name: &PhpStr, forward: bool) -> PhpResult<Callee> {
    let target = class.class();
    let scope = frame.scope();
    let this = frame.this.as_ref().filter(|this| this.is_a(class));
    let key = lower_str(name);
    if key.as_bytes() == b"__construct" {
        return constructor(vm, frame, target);
    }
    // Unlike in a call on an object, a private method of the calling scope has no precedence here.
    let func = target.method(&key).filter(|func| vm.can_call(func, scope)).cloned();
    let func = match func {
        Some(func) => func,
        None => {
            // The object's class may override the `__call` of the named class.
            let magic_call = |this: &PhpObj| target.magic.call.as_ref().and(this.class().magic.call.clone());
            if let Some((this, call)) = this.and_then(|this| Some((this, magic_call(this)?))) {
                let mut callee = Callee::method(call, this.clone());
                callee.magic_name = Some(crate::callables::magic_call_name(name));
                return Ok(callee);
            }
            if let Some(call) = &target.magic.call_static {
                if call.is_abstract() {
                    let name = shown_name(call, Some(name));
                    return Err(vm.throw_error(&[b"Cannot call abstract method ", &name[..], b"()"].concat()));
                }
                if target.is_trait() {
                    note_trait_call(vm, call, Some(name))?;
                }
                let static_class = static_class_for(frame, class, forward);
                let mut callee = Callee::static_method(call.clone(), static_class);
                callee.magic_name = Some(crate::callables::magic_call_name(name));
                return Ok(callee);
            }
            return Err(match target.methods.get(&key) {
                Some(func) => hidden(vm, &target.name, func, name, scope),
                None => undefined(vm, &target.name, name),
            });
        }
    };
    if func.is_abstract() {
        return Err(abstract_call(vm, &func));
    }
    if func.is_static() {
        if target.is_trait() {
            note_trait_call(vm, &func, None)?;
        }
        return Ok(Callee::static_method(func, static_class_for(frame, class, forward)));
    }
    match this {
        Some(this) => Ok(Callee::method(func, this.clone())),
        None => Err(not_static(vm, &Callee::function(func))),
    }
}

/// The callee of `C::__construct()`: the constructor of a class that `$this` belongs to.
fn constructor(vm: &Vm, frame: &Frame, class: &Class) -> PhpResult<Callee> {
    let Some(func) = class.magic.construct.clone() else {
        return Err(vm.throw_error(b"Cannot call constructor"));
    };
    if func.is_abstract() {
        return Err(abstract_call(vm, &func));
    }
    let owner = func.scope.get();
    let Some(this) = frame.this.as_ref().filter(|this| owner.is_some_and(|owner| this.is_a(owner))) else {
        return Err(not_static(vm, &Callee::function(func)));
    };
    let own = owner.is_some_and(|owner| owner.id() == this.class_header().id());
    if func.is_private() && !own {
        return Err(vm.throw_error(&[b"Cannot call private ", &func.display_name()[..], b"()"].concat()));
    }
    Ok(Callee::method(func, this.clone()))
}

fn static_class_for(frame: &Frame, class: &ClassRef, forward: bool) -> ClassRef {
    if forward {
        if let Some(late) = &frame.static_class {
            if late.class().is_a(class) {
                return late.clone();
            }
        }
    }
    class.clone()
}

/// The callee of `parent::$prop::get()` inside a hook of the property.
pub fn parent_hook(vm: &Vm, frame: &Frame, prop: &PhpStr, kind: HookKind) -> PhpResult<Callee> {
    let (Some(scope), Some(this)) = (frame.scope(), &frame.this) else {
        return Err(vm.throw_error(b"Cannot use \"parent\" when no class scope is active"));
    };
    let Some(parent) = &scope.class().parent else {
        return Err(vm.throw_error(b"Cannot use \"parent\" when current class scope has no parent"));
    };
    let shown = [&parent.class().name[..], b"::$", prop].concat();
    let hidden = parent.class().slots.iter().any(|info| info.name == *prop && info.is_private());
    let Some(info) = parent.class().props.get(prop).filter(|info| !info.is_private()).cloned() else {
        let what: &[u8] = if hidden { b"Cannot access private property " } else { b"Undefined property " };
        return Err(vm.throw_error(&[what, &shown].concat()));
    };
    let hook = match kind {
        HookKind::Get => &info.get_hook,
        HookKind::Set => &info.set_hook,
    };
    match hook {
        Some(hook) => Ok(Callee::method(hook.clone(), this.clone())),
        None => Ok(Callee::method(Rc::new(plain_hook(&info, parent, kind)), this.clone())),
    }
}

/// A function that stands for the missing hook of a property: it reads or writes the stored value.
fn plain_hook(info: &PropInfo, class: &ClassRef, kind: HookKind) -> Func {
    let value = Param {
        name: PhpStr::intern(b"value"),
        ty: None,
        by_ref: false,
        resource: false,
        any_name: false,
        prefer_ref: false,
        variadic: false,
        promoted: false,
        default: None,
    };
    let (suffix, params, body): (&[u8], _, NativeFn) = match kind {
        HookKind::Get => (b"::get", Vec::new(), plain_get),
        HookKind::Set => (b"::set", vec![value], plain_set),
    };
    let name = PhpStr::concat(&[b"$", &info.name, suffix]);
    Func::native_stand_in(&info.unit, name, params, body, class.clone())
}

/// The name of the property that a stand-in hook is for; throws if the property is virtual.
fn stored_property(call: &Call<'_>, verb: &str) -> PhpResult<PhpStr> {
    let hook = &call.func.name;
    let name = hook.strip_prefix(b"$").and_then(|rest| rest.get(..rest.len().checked_sub(5)?)).unwrap_or(hook);
    let name = PhpStr::new(name);
    let class = call.this().class();
    if class.props.get(&name).is_some_and(|info| info.is_virtual()) {
        let text = [b"Must not ", verb.as_bytes(), b" virtual property ", &class.name[..], b"::$", &name];
        return Err(call.vm.throw_error(&text.concat()));
    }
    Ok(name)
}

fn plain_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = stored_property(call, "read from")?;
    let access = Access { scope: call.scope(), strict: false };
    props::read(call.vm, call.this(), &name, access, ReadMode::Warn)
}

fn plain_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = stored_property(call, "write to")?;
    let access = Access { scope: call.scope(), strict: call.vm.caller_is_strict() };
    props::write(call.vm, call.this(), &name, call.arg(0), access)
}

/// The closure of a resolved callee, like that of `Closure::fromCallable`.
pub fn closure_of(vm: &Vm, callee: Callee) -> PhpResult<PhpObj> {
    make_closure(vm, callee, false)
}

/// The closure of a resolved callee, like that of `f(...)`.
pub fn first_class_closure(vm: &Vm, callee: Callee) -> PhpResult<PhpObj> {
    make_closure(vm, callee, true)
}

fn make_closure(vm: &Vm, callee: Callee, lists_arguments: bool) -> PhpResult<PhpObj> {
    if let Some(existing) = &callee.closure {
        return Ok(existing.clone());
    }
    closure::create(
        vm,
        ClosureData {
            func: callee.func,
            this: Slot::new(callee.this.map_or(Val::UNDEF, Val::from)),
            called_scope: callee.static_class,
            captured: Default::default(),
            statics: RefCell::new(None),
            is_fake: true,
            magic_name: callee.magic_name,
            lists_arguments,
        },
    )
}
