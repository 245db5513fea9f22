//! Instructions that open calls (FPush), pass arguments (FPass) and make calls (FCall).

use crate::machine::{Flow, Machine, Pending};
use phlox_hhbc::{HookKind, LocalId, StrId};
use phlox_runtime::{
    Args, Callee, ClassExt, ClassRef, Frame, FuncBody, Kind, LinkedUnit, ObjExt, PhpArr, PhpResult, PhpStr, Throw,
    Thrown, Val, View, Vm, convert,
};
use std::rc::Rc;

impl Machine<'_> {
    fn open_call(&mut self, callee: Callee) {
        self.open(Some(callee), false);
    }

    fn open(&mut self, callee: Option<Callee>, is_constructor: bool) {
        let args_at = self.stack.len() - self.acts.last().map_or(0, |act| act.stack_base);
        self.pending.push(Pending {
            callee,
            is_constructor,
            names: Vec::new(),
            from_array: false,
            next_name: None,
            counts: false,
            args_at,
            passed: 0,
        });
    }

    /// Opens a call of a function that is named in the source.
    pub fn push_function(&mut self, unit: &LinkedUnit, name: StrId, fallback: Option<StrId>) -> PhpResult<()> {
        match unit.func_named(self.vm, name, fallback) {
            Some(func) => {
                let counts = fallback.is_none() && func.is_native() && matches!(&func.name[..], b"count" | b"sizeof");
                self.open_call(Callee::function(func));
                self.pending().counts = counts;
                Ok(())
            }
            None => Err(self.vm.throw_error(&[b"Call to undefined function ", &unit.str(name)[..], b"()"].concat())),
        }
    }

    /// Opens a call of the value on the stack: `$f(...)`.
    pub fn push_function_value(&mut self) -> PhpResult<()> {
        let value = self.pop().into_deref();
        let callee = phlox_runtime::dynamic_call::callee(self.vm, &value)?;
        self.open_call(callee);
        Ok(())
    }

    /// Opens the call that `call_user_func` and `call_user_func_array` make (FPushUserFunc); `name` is the function's, for errors.
    pub fn push_user_function(&mut self, name: &PhpStr) -> PhpResult<()> {
        let value = self.pop().into_deref();
        let resolved = match self.vm.resolve_callable(&value) {
            Err(Throw::Exception(earlier)) => {
                // Zend goes on to complain about the callback, without knowing what is wrong with it.
                let text = [&name[..], b"(): Argument #1 ($callback) must be a valid callback, (null)"].concat();
                let later = self.vm.throw_type_error(&text);
                if let Throw::Exception(later) = &later {
                    phlox_runtime::errors::chain_previous(later, earlier);
                }
                return Err(later);
            }
            resolved => resolved?,
        };
        match resolved {
            Ok(callee) if phlox_runtime::dynamic_call::needs_static_call(&callee.func) => {
                let text = [b"Cannot call ", &callee.func.name[..], b"() dynamically"].concat();
                return Err(self.vm.throw_error(&text));
            }
            Ok(callee) => {
                self.open_call(callee);
                self.pending().from_array = true;
            }
            Err(why) => {
                let text = format!("(): Argument #1 ($callback) must be a valid callback, {why}");
                return Err(self.vm.throw_type_error(&[&name[..], text.as_bytes()].concat()));
            }
        }
        Ok(())
    }

    /// Opens `$object->$name(...)`.
    pub fn push_dynamic_method(&mut self, frame: &Frame, object: Val, name: Val) -> PhpResult<()> {
        match name.into_deref().view() {
            View::Str(name) => self.push_method(frame, object, name),
            View::Obj(closure) if phlox_runtime::closure::callee(closure).is_some() => {
                // `$object->$closure()` is a dynamic name that is no string.
                Err(self.vm.throw_error(b"Method name must be a string"))
            }
            _ => Err(self.vm.throw_error(b"Method name must be a string")),
        }
    }

    /// Opens `$object->name(...)`.
    pub fn push_method(&mut self, frame: &Frame, target: Val, name: &PhpStr) -> PhpResult<()> {
        let target = target.into_deref();
        let Some(object) = target.as_obj() else {
            let type_name = convert::value_name(&target);
            let text = [b"Call to a member function ", &name[..], b"() on ", type_name.as_bytes()].concat();
            return Err(self.vm.throw_error(&text));
        };
        let callee = phlox_runtime::dynamic_call::method(self.vm, object, name, frame.scope())?;
        self.open_call(callee);
        Ok(())
    }

    /// Opens `C::$name(...)`; `forward`: self, parent and static keep the late static binding class.
    pub fn push_dynamic_static_method(
        &mut self,
        frame: &Frame,
        class: &ClassRef,
        name: Val,
        forward: bool,
    ) -> PhpResult<()> {
        match name.into_deref().view() {
            View::Str(name) => self.push_static_method(frame, class, name, forward),
            _ => Err(self.vm.throw_error(b"Method name must be a string")),
        }
    }

    /// Opens `C::name(...)`; `forward`: self, parent and static keep the late static binding class.
    pub fn push_static_method(
        &mut self,
        frame: &Frame,
        class: &ClassRef,
        name: &PhpStr,
        forward: bool,
    ) -> PhpResult<()> {
        let callee = phlox_runtime::dynamic_call::static_method(self.vm, frame, class, name, forward)?;
        self.open_call(callee);
        Ok(())
    }

    /// Pushes a new object, and opens the call of its constructor: `new C(...)`.
    pub fn push_constructor(&mut self, frame: &Frame, class: &ClassRef) -> PhpResult<()> {
        let object = phlox_runtime::objects::new(self.vm, class, frame.scope())?;
        let constructor = class.class().magic.construct.clone();
        let callee = constructor.map(|func| Callee::method(func, object.clone()));
        self.push(object.into());
        self.open(callee, true);
        Ok(())
    }

    /// Opens `parent::$prop::get()`, the call of an inherited property hook.
    pub fn push_parent_hook(&mut self, frame: &Frame, prop: &PhpStr, kind: HookKind) -> PhpResult<()> {
        let callee = phlox_runtime::dynamic_call::parent_hook(self.vm, frame, prop, kind)?;
        self.open_call(callee);
        Ok(())
    }

    // ---- arguments

    fn pending(&mut self) -> &mut Pending {
        self.pending.last_mut().unwrap_or_else(|| unreachable!("verified code passes arguments inside calls only"))
    }

    /// The position of the parameter that the next argument goes to.
    fn parameter_index(&mut self, param: u32) -> usize {
        let pending = self.pending();
        match (&pending.next_name, &pending.callee) {
            (Some(name), Some(callee)) => callee.func.place_of_name(name).unwrap_or(usize::MAX),
            _ => param as usize,
        }
    }

    /// Whether the next argument is passed by reference.
    pub fn argument_is_ref(&mut self, param: u32) -> bool {
        let index = self.parameter_index(param);
        match &self.pending().callee {
            Some(callee) if callee.magic_name.is_none() => callee.func.is_by_ref(index),
            _ => false,
        }
    }

    /// Gives the next argument a name.
    pub fn name_next_argument(&mut self, name: &PhpStr) -> PhpResult<()> {
        let pending = self.pending();
        if pending.names.iter().any(|(_, earlier)| earlier == name) {
            let text = [b"Named parameter $", &name[..], b" overwrites previous argument"].concat();
            return Err(self.vm.throw_error(&text));
        }
        pending.next_name = Some(name.clone());
        Ok(())
    }

    /// Records that the argument on top of the stack has been passed.
    pub fn pass_done(&mut self, param: u32) {
        let pending = self.pending();
        pending.passed += 1;
        if let Some(name) = pending.next_name.take() {
            pending.names.push((param as usize, name));
        }
    }

    /// Passes the value on top of the stack (FPassC).
    pub fn pass_cell(&mut self, param: u32) {
        self.pass_done(param);
    }

    /// Passes the variable's value or reference on top of the stack (FPassV): a reference only if the parameter takes one.
    pub fn pass_var(&mut self, param: u32) {
        if !self.argument_is_ref(param) {
            let value = self.pop().into_deref();
            self.push(value);
        }
        self.pass_done(param);
    }

    /// Passes an expression that is no variable: a by-reference parameter refuses it.
    pub fn pass_expression(&mut self, param: u32) -> PhpResult<()> {
        if self.argument_is_ref(param) {
            let index = self.parameter_index(param);
            if let Some(callee) = self.pending().callee.clone() {
                let parameter = callee.func.param_for(index);
                if parameter.is_some_and(|p| !p.prefer_ref) {
                    let name = parameter.map_or_else(PhpStr::empty, |p| p.name.clone());
                    let place = match parameter.is_some_and(|p| p.variadic) {
                        true => format!("(): Argument #{} could not be passed by reference", index + 1),
                        false => format!("(): Argument #{} (${name}) could not be passed by reference", index + 1),
                    };
                    let text = [&callee.func.display_name()[..], place.as_bytes()].concat();
                    return Err(self.vm.throw_error(&text));
                }
            }
        }
        self.pass_done(param);
        Ok(())
    }

    /// Passes an argument of `call_user_func` (FPassUser): a value for a by-reference parameter raises a warning.
    pub fn pass_user_argument(&mut self, param: u32) -> PhpResult<()> {
        if self.argument_is_ref(param) {
            let index = self.parameter_index(param);
            let callee = self.pending().callee.clone();
            if let Some((callee, parameter)) = callee.as_ref().and_then(|c| Some((c, c.func.param_for(index)?)))
                && !parameter.prefer_ref
            {
                let name = if parameter.variadic { String::new() } else { format!(" (${})", parameter.name) };
                let text = format!("(): Argument #{}{name} must be passed by reference, value given", index + 1);
                self.vm.warning(&[&callee.func.display_name()[..], text.as_bytes()].concat())?;
            }
            let value = self.pop();
            self.push_boxed(value);
        }
        self.pass_done(param);
        Ok(())
    }

    /// Passes a call's result (FPassR): a value for a by-reference parameter raises a notice.
    pub fn pass_result(&mut self, param: u32) -> PhpResult<()> {
        let value = self.pop();
        if !self.argument_is_ref(param) {
            self.push(value.into_deref().or_null());
        } else if value.is_ref() {
            self.push(value);
        } else {
            let index = self.parameter_index(param);
            let prefers =
                self.pending().callee.as_ref().and_then(|c| c.func.param_for(index)).is_some_and(|p| p.prefer_ref);
            if !prefers {
                self.vm.notice(b"Only variables should be passed by reference")?;
            }
            self.push_boxed(value);
        }
        self.pass_done(param);
        Ok(())
    }

    /// Passes a local, by value or by reference as the parameter wants it.
    pub fn pass_local(&mut self, frame: &Frame, param: u32, local: LocalId) -> PhpResult<()> {
        if self.argument_is_ref(param) {
            let reference = frame.local(local.index()).make_ref();
            self.push(reference.into());
        } else {
            let value = self.read_local(frame, local)?;
            self.push(value);
        }
        self.pass_done(param);
        Ok(())
    }

    // ---- calling

    /// Makes the innermost pending call with the top `count` values as arguments, and the elements of `unpacked`.
    pub fn call(&mut self, count: usize, unpacked: Option<PhpArr>) -> PhpResult<Flow> {
        let at = self.stack.len() - count;
        let mut args = self.stack.split_off(at);
        let pending = self.pending.pop().unwrap_or_else(|| unreachable!("verified code closes calls it opened"));
        let Some(callee) = pending.callee else {
            let name = match (pending.names.first(), &unpacked) {
                (Some((_, name)), _) => Some(name.clone()),
                (None, Some(array)) => first_name(array),
                (None, None) => None,
            };
            drop(args);
            self.vm.check_unused_name(name.as_ref())?;
            self.push(Val::NULL);
            return Ok(Flow::Next);
        };
        if let ([value], true, None) = (&args[..], pending.counts && pending.names.is_empty(), &unpacked)
            && let Some(object) = value.deref().as_obj()
            && let Some(func) = object.class().magic.count.clone()
        {
            return self.invoke(Callee::method(func, object.clone()), Vec::new(), Vec::new(), false);
        }
        let mut named = Vec::new();
        // Named arguments follow the positional ones.
        for (position, name) in pending.names.iter().rev() {
            if *position < args.len() {
                named.push((name.clone(), args.remove(*position)));
            }
        }
        named.reverse();
        if let Some(array) = unpacked {
            take_unpacked(self.vm, &callee, pending.from_array, &array, &mut args, &mut named)?;
        }
        self.invoke(callee, args, named, pending.is_constructor)
    }

    /// Calls with complete arguments: a builtin function is run at once, a PHP function is entered.
    pub fn invoke(
        &mut self,
        callee: Callee,
        mut args: Vec<Val>,
        mut named: Vec<(PhpStr, Val)>,
        is_constructor: bool,
    ) -> PhpResult<Flow> {
        self.safe_point()?;
        if let Some(name) = callee.magic_name.clone() {
            let mut list: PhpArr = args.drain(..).collect();
            for (key, value) in named.drain(..) {
                list.insert(phlox_runtime::Key::Str(&key), value);
            }
            args = vec![name.into(), list.into()];
        }
        if matches!(callee.func.body, FuncBody::User) {
            let pc = self.frame().pc.get();
            self.act().pc = pc;
            let this = callee.this.clone().filter(|_| is_constructor);
            if let Err(throw) = self.enter_function(callee, args, named, false) {
                if let Some(this) = this {
                    this.mark_destructed();
                }
                return Err(throw);
            }
            let act = self.act();
            act.on_return = crate::machine::OnReturn::Push;
            act.is_constructor = is_constructor;
            return Ok(Flow::Switch);
        }
        let this = callee.this.clone();
        let by_ref = callee.func.returns_by_ref();
        match self.vm.call_native(callee, Args { positional: args, named }, false) {
            Ok(value) => {
                self.push(if by_ref { value } else { value.into_deref() });
                Ok(Flow::Next)
            }
            Err(throw) => {
                if let (true, Some(this)) = (is_constructor, this) {
                    this.mark_destructed();
                }
                Err(throw)
            }
        }
    }

    /// Makes a Closure of the innermost pending call: `f(...)`.
    pub fn make_callable(&mut self, frame: &Rc<Frame>) -> PhpResult<()> {
        let pending = self.pending.pop();
        let is_constructor = pending.as_ref().is_some_and(|p| p.is_constructor);
        let Some(callee) = pending.and_then(|p| p.callee) else {
            return Err(self.vm.throw_error(b"Cannot create Closure for new expression"));
        };
        if is_constructor {
            return Err(self.vm.throw_error(b"Cannot create Closure for new expression"));
        }
        let _ = frame;
        let closure = phlox_runtime::dynamic_call::first_class_closure(self.vm, callee)?;
        self.push(closure.into());
        Ok(())
    }

    /// The error of a call with too few arguments, when the callee's frame is on top already.
    pub fn too_few_arguments(&self, frame: &Frame, passed: usize) -> Throw {
        let func = &frame.func;
        let bound = if func.required == func.declared { "exactly" } else { "at least" };
        let mut text = [b"Too few arguments to function ", &func.display_name()[..]].concat();
        text.extend_from_slice(format!("(), {passed} passed").as_bytes());
        let caller = self.vm.frames.from_top().nth(1);
        if let Some(caller) = caller.filter(|c| !c.is_native()) {
            let line = format!(" on line {}", caller.line());
            text.extend_from_slice(&[b" in ", &caller.func.unit.filename[..], line.as_bytes()].concat());
        }
        text.extend_from_slice(format!(" and {bound} {} expected", func.required).as_bytes());
        let error = self.vm.throw(Thrown::ArgumentCountError, &text);
        if let Throw::Exception(object) = &error {
            phlox_runtime::throwable::set_position(object, &func.unit.filename, func.code().line_start);
        }
        error
    }

    /// Pops a class reference.
    pub fn pop_class(&mut self) -> ClassRef {
        let value = self.pop();
        value.to_class().unwrap_or_else(|| unreachable!("verified code has a class reference here"))
    }

    /// The class that is named in the source, which may be autoloaded.
    pub fn class_named(&mut self, name: &PhpStr) -> PhpResult<ClassRef> {
        match self.vm.find_class_no_autoload(name) {
            Some(class) => Ok(class),
            None => self.vm.require_class(name),
        }
    }

    /// Replaces the value on the stack by a class reference: the object's class, or the class that a string names (AGetC).
    pub fn class_from_value(&mut self) -> PhpResult<()> {
        let value = self.pop().into_deref();
        let class = match value.view() {
            View::Obj(object) => object.class_header().clone(),
            View::Str(name) => self.class_named(name)?,
            _ => return Err(self.vm.throw_error(b"Class name must be a valid object or a string")),
        };
        self.push(Val::class(class));
        Ok(())
    }

    /// Replaces the object on the stack by the name of its class: `$object::class`.
    pub fn class_of(&mut self) -> PhpResult<()> {
        let value = self.pop();
        match value.view() {
            View::Obj(object) => {
                self.push(object.class_name().into());
                Ok(())
            }
            _ => {
                let text = format!("Cannot use \"::class\" on {}", convert::value_name(&value));
                Err(self.vm.throw_type_error(text.as_bytes()))
            }
        }
    }

    /// `instanceof` with a class that is a value.
    pub fn instance_of(&mut self) -> PhpResult<()> {
        let class = self.pop().into_deref();
        let value = self.pop();
        let class = match class.view() {
            View::Obj(object) => Some(object.class_header().clone()),
            View::Str(name) => self.vm.find_class_no_autoload(name),
            _ => return Err(self.vm.throw_error(b"Class name must be a valid object or a string")),
        };
        let result = match (value.view(), class) {
            (View::Obj(object), Some(class)) => object.is_a(&class),
            _ => false,
        };
        self.push(Val::bool(result));
        Ok(())
    }

    /// `instanceof` with a class that is named in the source, which is not autoloaded.
    pub fn instance_of_named(&mut self, name: &PhpStr) {
        let value = self.pop();
        let result = value.kind() == Kind::Obj
            && self.vm.find_class_no_autoload(name).is_some_and(|class| value.as_obj().is_some_and(|o| o.is_a(&class)));
        self.push(Val::bool(result));
    }
}

/// The first string key of an array of arguments.
pub fn first_name(array: &PhpArr) -> Option<PhpStr> {
    array.keys().find_map(|key| match key {
        phlox_runtime::Key::Str(name) => Some(name.clone()),
        phlox_runtime::Key::Int(_) => None,
    })
}

/// Adds the elements of an unpacked array to the arguments of a call; string keys make named arguments. `from_array`: the array is
/// that of `call_user_func_array`.
pub fn take_unpacked(
    vm: &Vm,
    callee: &Callee,
    from_array: bool,
    array: &PhpArr,
    args: &mut Vec<Val>,
    named: &mut Vec<(PhpStr, Val)>,
) -> PhpResult<()> {
    for (key, value) in array {
        match key {
            phlox_runtime::Key::Int(_) if from_array && !named.is_empty() => {
                let is_unknown = |name: &PhpStr| callee.func.params.iter().all(|param| param.name != *name);
                if let Some((name, _)) = named.iter().find(|(name, _)| !callee.func.is_variadic() && is_unknown(name)) {
                    return Err(vm.throw_error(&[b"Unknown named parameter $", &name[..]].concat()));
                }
                return Err(vm.throw_error(b"Cannot use positional argument after named argument"));
            }
            phlox_runtime::Key::Int(_) => {
                args.push(unpacked_argument(vm, callee, from_array, args.len(), value)?);
            }
            phlox_runtime::Key::Str(name) => {
                let index = callee.func.place_of_name(name).unwrap_or(usize::MAX);
                named.push((name.clone(), unpacked_argument(vm, callee, from_array, index, value)?));
            }
        }
    }
    Ok(())
}

/// An element of an unpacked array in the form that its parameter takes.
fn unpacked_argument(vm: &Vm, callee: &Callee, from_array: bool, index: usize, value: &Val) -> PhpResult<Val> {
    let mut value = value.clone();
    if callee.magic_name.is_some() {
        // The list that `__call` gets keeps references.
        return Ok(value);
    }
    if !callee.func.is_by_ref(index) {
        return Ok(value.into_deref());
    }
    if !value.is_ref() {
        if from_array {
            vm.warn_value_for_reference(&callee.func, index)?;
        }
        value.make_ref();
    }
    Ok(value)
}
