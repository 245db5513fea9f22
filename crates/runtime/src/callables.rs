//! Calls from builtin code, and the resolution of callable values to callees.

use crate::call::{Call, Unusual};
use crate::class::{Class, ClassExt, ClassRef, ObjExt};
use crate::error::{PhpResult, Throw, Thrown};
use crate::frame::{Frame, Locals};
use crate::func::{Func, FuncBody};
use crate::settings::{LEAST_RESERVED, RESERVED_STACK_SIZE};
use crate::strmap::{lower, lower_str};
use crate::vm::{Args, Callee, CalleeRef, Vm};
use phlox_hhbc::Init;
use phlox_value::raw::Words;
use phlox_value::{PhpObj, PhpStr, Val, View};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The number of nested interpreter runs through builtin code at which a call throws an Error.
pub const NATIVE_DEPTH_MAX: u32 = 20_000;

/// The class that the class part of a callable names.
struct CallableClass {
    class: ClassRef,
    object: Option<PhpObj>,
    /// The late static binding class of the call.
    called: ClassRef,
    /// Whether the callable names a class, not an object.
    is_named: bool,
}

impl CallableClass {
    fn of_object(object: &PhpObj) -> CallableClass {
        let class = object.class_header().clone();
        CallableClass { called: class.clone(), class, object: Some(object.clone()), is_named: false }
    }
}

/// Moves named arguments, which were checked, to their positions; returns the unknown ones, for a variadic function.
fn place_named(func: &Func, positional: &mut Vec<Val>, named: Vec<(PhpStr, Val)>) -> Vec<(PhpStr, Val)> {
    let mut rest = Vec::new();
    for (name, value) in named {
        match func.params.iter().position(|param| param.name == name && !param.variadic) {
            Some(index) => {
                while positional.len() <= index {
                    positional.push(Val::UNDEF);
                }
                positional[index].set(value);
            }
            None => {
                let by_ref = func.params.last().is_some_and(|param| param.by_ref);
                rest.push((name, if by_ref { value } else { value.into_deref() }));
            }
        }
    }
    rest
}

/// Whether the builtin function accepts arguments with any names.
fn takes_any_name(func: &Func) -> bool {
    func.params.last().is_some_and(|param| param.any_name)
}

/// Whether a parameter is optional without a default that can be written down, which PHP's stubs mark with `UNKNOWN`.
fn has_unknown_default(func: &Func, index: usize) -> bool {
    let text = func.code().params.get(index).and_then(|param| param.default_text);
    text.is_some_and(|text| func.unit.str(text).as_bytes() == b"UNKNOWN")
}

/// The name that `__call` gets: the bytes before the first NUL byte.
pub fn magic_call_name(name: &PhpStr) -> PhpStr {
    match name.iter().position(|&byte| byte == 0) {
        Some(end) => PhpStr::new(&name[..end]),
        None => name.clone(),
    }
}

/// Calls the fast path of a builtin function, if the arguments fit it. `None` if the fast path refuses; otherwise the arguments
/// are consumed.
#[inline(never)]
fn answer_at_once(func: &Func, fast_path: crate::extension::FastPathFn, args: &mut [Val]) -> Option<Val> {
    let takes = func.required <= args.len() && (func.is_variadic() || args.len() <= func.declared);
    if !takes
        || func.deprecated.get()
        || func.params.iter().any(|param| param.by_ref)
        || args.iter().any(|value| value.is_ref() || value.is_undef())
    {
        return None;
    }
    let value = fast_path(args).filter(|value| !value.is_ref())?;
    args.iter_mut().for_each(|arg| drop(arg.take()));
    Some(value)
}

impl Vm {
    /// Calls a function with arguments from builtin code. Values for by-reference parameters become references.
    pub fn call(&self, callee: &Callee, args: impl Into<Args>) -> PhpResult<Val> {
        self.call_owned(callee.clone(), args)
    }

    /// Calls a function from builtin code, moving the arguments out of their places; for callbacks that are called often.
    #[inline(always)]
    pub fn call_moving(&self, callee: &Callee, args: &mut [Val]) -> PhpResult<Val> {
        let Callee { func, this, static_class, closure, magic_name } = callee;
        if magic_name.is_none() {
            if let (Some(fast_path), None) = (func.fast_path, closure)
                && let Some(value) = answer_at_once(func, fast_path, args)
            {
                return Ok(value);
            }
            let (this, static_class, closure) = (this.as_ref(), static_class.as_ref(), closure.as_ref());
            let value = self.call_at_once(CalleeRef { func, this, static_class, closure }, args);
            if !value.is_undef() {
                return Ok(value.into_val());
            }
        }
        self.call_slowly(callee, args)
    }

    /// Calls a method of an object, moving the arguments out of their places.
    #[inline(always)]
    pub fn call_on(&self, func: &Rc<Func>, object: &PhpObj, args: &mut [Val]) -> PhpResult<Val> {
        let (this, static_class) = (Some(object), Some(object.class_header()));
        let value = self.call_at_once(CalleeRef { func, this, static_class, closure: None }, args);
        if !value.is_undef() {
            return Ok(value.into_val());
        }
        self.call_slowly(&Callee::method(func.clone(), object.clone()), args)
    }

    /// The fast path of a call. Undefined where [`crate::vm::Executor::call_at_once`] gives no value.
    #[inline(always)]
    fn call_at_once(&self, callee: CalleeRef<'_>, args: &mut [Val]) -> Words {
        if !matches!(callee.func.body, FuncBody::User) || self.native_stack_is_low() {
            return Words::UNDEF;
        }
        self.depth.set(self.depth.get() + 1);
        let value = self.executor().call_at_once(self, callee, args);
        self.depth.set(self.depth.get() - 1);
        value
    }

    /// Handles a fast path that gave no value: returns what it threw, or takes the slow path.
    #[inline(never)]
    fn call_slowly(&self, callee: &Callee, args: &mut [Val]) -> PhpResult<Val> {
        match self.failed.take() {
            Some(throw) => Err(throw),
            None => self.call(callee, args.iter_mut().map(Val::take).collect::<Vec<_>>()),
        }
    }

    /// Calls a function, consuming the callee, so that only the call itself keeps it alive.
    pub fn call_owned(&self, callee: Callee, args: impl Into<Args>) -> PhpResult<Val> {
        let mut args = args.into();
        for (index, value) in args.positional.iter_mut().enumerate() {
            if callee.func.is_by_ref(index) {
                if !value.is_ref() {
                    self.warn_value_for_reference(&callee.func, index)?;
                }
                value.make_ref();
            } else if value.is_ref() && callee.magic_name.is_none() {
                let plain = value.deref();
                value.set(plain);
            }
        }
        for (name, value) in &mut args.named {
            let Some(index) = callee.func.place_of_name(name).filter(|&index| callee.func.is_by_ref(index)) else {
                continue;
            };
            if !value.is_ref() {
                self.warn_value_for_reference(&callee.func, index)?;
            }
            value.make_ref();
        }
        self.call_prepared(callee, args)
    }

    /// Warns `f(): Argument #1 ($x) must be passed by reference, value given`, unless the parameter only prefers a reference.
    pub fn warn_value_for_reference(&self, func: &Func, index: usize) -> PhpResult<()> {
        let Some(param) = func.param_for(index).filter(|param| !param.prefer_ref) else { return Ok(()) };
        let name = if param.variadic { String::new() } else { format!(" (${})", param.name) };
        let text = format!("(): Argument #{}{name} must be passed by reference, value given", index + 1);
        self.warning(&[&func.display_name()[..], text.as_bytes()].concat())
    }

    /// Whether calls from builtin code must not nest any deeper. Fibers have smaller stacks than threads, so depth alone does not
    /// tell.
    pub fn native_stack_is_low(&self) -> bool {
        let here = 0u8;
        self.depth.get() >= NATIVE_DEPTH_MAX || (&raw const here) as usize <= self.native_floor.get()
    }

    /// Bytes of the native stack that PHP reserves for code that does not check.
    pub fn reserved_stack_bytes(&self) -> usize {
        self.ini.get(&RESERVED_STACK_SIZE).max(LEAST_RESERVED) as usize
    }

    /// Changes to another native stack, given by `native_floor` and `native_bytes`; returns the values of the stack before.
    pub fn replace_native_stack(&self, (floor, bytes): (usize, usize)) -> (usize, usize) {
        (self.native_floor.replace(floor), self.native_bytes.replace(bytes))
    }

    /// Checks that the native stack has room for another nested call.
    ///
    /// # Errors
    /// Throws an Error if it has not.
    pub fn check_native_stack(&self) -> PhpResult<()> {
        if self.native_stack_is_low() { Err(self.native_stack_error()) } else { Ok(()) }
    }

    /// The Error that PHP throws when the native stack is low.
    #[cold]
    pub fn native_stack_error(&self) -> crate::Throw {
        let text = format!(
            "Maximum call stack size of {} bytes (zend.max_allowed_stack_size - zend.reserved_stack_size) reached. Infinite \
             recursion?",
            self.native_bytes.get()
        );
        self.throw_error(text.as_bytes())
    }

    /// Calls a function with arguments that are references exactly for by-reference parameters.
    pub fn call_prepared(&self, callee: Callee, mut args: Args) -> PhpResult<Val> {
        self.check_native_stack()?;
        if let Some(name) = &callee.magic_name {
            let mut list: phlox_value::PhpArr = args.positional.drain(..).collect();
            for (key, value) in args.named.drain(..) {
                list.insert(phlox_value::Key::Str(&key), value);
            }
            args = vec![name.into(), list.into()].into();
        }
        self.depth.set(self.depth.get() + 1);
        let result = match callee.func.body {
            FuncBody::User => self.executor().call_user(self, callee, args),
            _ => self.call_native(callee, args, true),
        };
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// Calls a builtin function: checks and coerces the arguments, and pushes a frame for traces. `from_native`: builtin code
    /// makes the call, not PHP code.
    pub fn call_native(&self, callee: Callee, args: Args, from_native: bool) -> PhpResult<Val> {
        let func = callee.func.clone();
        let passed = args.positional.len();
        self.check_names(&func, passed, &args.named)?;
        let frame = Rc::new(Frame {
            func: func.clone(),
            locals: Locals::Own(Box::new([])),
            this: callee.this,
            static_class: callee.static_class,
            arg_count: Cell::new(passed as u32),
            extra_args: RefCell::default(),
            extra_named: RefCell::default(),
            native_args: RefCell::new(args.positional.clone()),
            pc: Cell::new(0),
            symbols: OnceCell::new(),
            closure: callee.closure,
            statics: OnceCell::new(),
            include_kind: "",
            from_native: Cell::new(from_native),
        });
        self.frames.push(frame.clone());
        let result = self.run_native(&func, frame.clone(), args, passed);
        self.frames.pop();
        let result = result?;
        drop(frame);
        self.check_pending()?;
        Ok(result)
    }

    fn run_native(&self, func: &Rc<Func>, frame: Rc<Frame>, args: Args, passed: usize) -> PhpResult<Val> {
        let FuncBody::Native(body) = func.body else {
            let text = [&func.display_name()[..], b"() is not implemented in Phlox yet"].concat();
            return Err(self.throw_error(&text));
        };
        if func.deprecated.get() {
            crate::attributes::report_deprecated_call(self, func, None)?;
        }
        let mut positional = args.positional;
        let named = place_named(func, &mut positional, args.named);
        let passed = passed.max(positional.len());
        let skipped = (0..positional.len()).filter(|&index| positional[index].is_undef()).collect();
        self.check_native_count(func, positional.len())?;
        if !named.is_empty() && !takes_any_name(func) {
            let text = [&func.display_name()[..], b"() does not accept unknown named parameters"].concat();
            return Err(self.throw(Thrown::ArgumentCountError, &text));
        }
        while positional.len() < func.declared {
            positional.push(Val::UNDEF);
        }
        for (index, place) in positional.iter_mut().enumerate() {
            if !func.takes_as_is(index, place) {
                let value = self.native_argument(func, index, place.take(), passed)?;
                place.set(value);
            }
        }
        // Traces show the arguments that were passed, after coercion, without default values.
        frame.native_args.replace(positional[..passed.min(positional.len())].to_vec());
        if frame.from_native.get() && crate::dynamic_call::needs_static_call(func) {
            return Err(self.throw_error(&[b"Cannot call ", &func.name[..], b"() dynamically"].concat()));
        }
        let (object, static_class) = (frame.this.as_ref(), frame.static_class.as_ref());
        let args = &positional[..];
        let unusual = Some(&mut Unusual { from_native: frame.from_native.get(), skipped, named });
        body(&mut Call { vm: self, func, object, static_class, args, passed, unusual })
    }

    /// Checks that every named argument has a parameter of its own. Called before the function has a frame.
    pub fn check_names(&self, func: &Func, positional: usize, named: &[(PhpStr, Val)]) -> PhpResult<()> {
        for (at, (name, _)) in named.iter().enumerate() {
            match func.params.iter().position(|param| param.name == *name && !param.variadic) {
                Some(index) if index < positional || named[..at].iter().any(|(earlier, _)| earlier == name) => {
                    let text = [b"Named parameter $", &name[..], b" overwrites previous argument"].concat();
                    return Err(self.throw_error(&text));
                }
                None if !func.is_variadic() => return Err(self.unknown_name(name)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Throws for a named argument of `new` for a class without a constructor, whose name no parameter can have. Constant
    /// expressions accept it, as in PHP.
    pub fn check_unused_name(&self, name: Option<&PhpStr>) -> PhpResult<()> {
        let Some(name) = name else { return Ok(()) };
        let in_constant = self.user_frame().is_some_and(|frame| frame.func.has(phlox_hhbc::FuncFlags::THUNK));
        if in_constant { Ok(()) } else { Err(self.unknown_name(name)) }
    }

    /// The Error about a named argument that no parameter has.
    pub fn unknown_name(&self, name: &PhpStr) -> Throw {
        self.throw_error(&[b"Unknown named parameter $", crate::until_nul(name)].concat())
    }

    /// Throws if there are too few or too many arguments for a builtin function.
    pub fn check_native_count(&self, func: &Func, passed: usize) -> PhpResult<()> {
        if passed < func.needed || (passed > func.declared && !func.is_variadic()) {
            return Err(self.argument_count_error(func, passed));
        }
        Ok(())
    }

    /// Makes an argument fit a builtin function's declaration: coerces it, makes it a reference, or replaces Undef by the
    /// default. `passed` is the number of arguments.
    pub fn native_argument(&self, func: &Rc<Func>, index: usize, mut value: Val, passed: usize) -> PhpResult<Val> {
        let Some(param) = func.param_for(index) else { return Ok(value) };
        if value.is_undef() {
            let has_default = param.default.is_some() && !has_unknown_default(func, index);
            if index < passed && !has_default && !param.variadic {
                let reason = if index < func.required {
                    "not passed"
                } else {
                    "must be passed explicitly, because the default value is not known"
                };
                let text = format!("(): Argument #{} (${}) {reason}", index + 1, param.name);
                let text = [&func.display_name()[..], text.as_bytes()].concat();
                return Err(self.throw(Thrown::ArgumentCountError, &text));
            }
            return self.native_default(func, index);
        }
        // Untyped out parameters are checked by the body; typed by-reference ones are checked in place.
        if param.by_ref && !param.prefer_ref && !value.is_ref() {
            value.make_ref();
        }
        if param.resource && !matches!(value.view(), View::Res(_)) {
            let given = crate::convert::value_name(&value);
            let text = format!("(): Argument #{} (${}) must be of type resource, {given} given", index + 1, param.name);
            let text = [&func.display_name()[..], text.as_bytes()].concat();
            return Err(self.throw_type_error(&text));
        }
        if let Some(ty) = &param.ty {
            // Whether the caller uses strict types needs a walk over the frames, so it is looked up only for values that may need
            // coercion.
            let fits = match value.as_ref() {
                Some(reference) => crate::coerce::quick_match(ty, &reference.get()),
                None => crate::coerce::quick_match(ty, &value),
            };
            if !fits {
                crate::coerce::native_argument(self, func, index, ty, &mut value, self.caller_is_strict())?;
            }
        }
        Ok(value)
    }

    /// The default value of a builtin function's parameter, which is evaluated once unless it is an object.
    fn native_default(&self, func: &Rc<Func>, index: usize) -> PhpResult<Val> {
        if let Some(Some(value)) = func.default_cache.borrow().get(index) {
            return Ok(value.clone());
        }
        let value = match func.params[index].default.filter(|_| !has_unknown_default(func, index)) {
            Some(init) => {
                let outer = self.in_native_default.replace(true);
                let value = self.evaluate_init(&func.unit, init, func.scope.get());
                self.in_native_default.set(outer);
                value?
            }
            None => Val::UNDEF,
        };
        // An object (an enum case) is the request's, the cache the process's.
        if let Some(cell) = func.default_cache.borrow_mut().get_mut(index).filter(|_| value.as_obj().is_none()) {
            *cell = Some(value.clone());
        }
        Ok(value)
    }

    /// The value of a literal or thunk, evaluated in the scope of a class.
    pub fn evaluate_init(&self, unit: &Rc<crate::LinkedUnit>, init: Init, scope: Option<&ClassRef>) -> PhpResult<Val> {
        match init {
            Init::Literal(literal) => Ok(unit.literal(literal)),
            Init::Thunk(id) => {
                let func = match scope {
                    None => unit.func(id),
                    Some(class) => unit.func_in(id, class),
                };
                let static_class = scope.cloned();
                let callee = Callee { func, this: None, static_class, closure: None, magic_name: None };
                self.executor().call_user(self, callee, Args::default())
            }
        }
    }

    /// The ArgumentCountError `f() expects exactly 2 arguments, 1 given`.
    fn argument_count_error(&self, func: &Func, passed: usize) -> Throw {
        let declared = func.params.iter().filter(|p| !p.variadic).count();
        let too_few = passed < func.needed;
        let (bound, count) = match (func.required == declared && !func.is_variadic(), too_few) {
            (true, _) => ("exactly", declared),
            (false, true) => ("at least", func.needed),
            (false, false) => ("at most", declared),
        };
        let plural = if count == 1 { "" } else { "s" };
        let text = format!("() expects {bound} {count} argument{plural}, {passed} given");
        self.throw(Thrown::ArgumentCountError, &[&func.display_name()[..], text.as_bytes()].concat())
    }

    /// Whether the PHP code that calls a builtin function uses strict types. Callbacks from builtin code never do.
    pub fn caller_is_strict(&self) -> bool {
        let mut inner = 0;
        let caller = self.frames.find_map(|place| {
            inner += 1;
            (inner == 2).then(|| !place.is_native() && place.func.strict_types())
        });
        caller.unwrap_or(false)
    }

    /// Calls a callable value; throws an Error if it is not callable.
    pub fn call_value(&self, callable: &Val, args: Vec<Val>) -> PhpResult<Val> {
        let callee = self.require_callable(callable)?;
        self.call(&callee, args)
    }

    /// The callee of a callable value that was checked before (which reported deprecated forms); throws an Error if there is
    /// none.
    pub fn require_callable(&self, callable: &Val) -> PhpResult<Callee> {
        match self.resolve(callable, true)? {
            Ok(callee) => Ok(callee),
            Err(reason) => Err(self.throw_error(reason.as_bytes())),
        }
    }

    /// The callee of a callable value, or the reason why there is none, in PHP's words after `must be a valid callback, `.
    pub fn resolve_callable(&self, callable: &Val) -> PhpResult<Result<Callee, String>> {
        self.resolve(callable, false)
    }

    /// Resolves a callable value; with `quiet`, deprecated forms are not reported.
    fn resolve(&self, callable: &Val, quiet: bool) -> PhpResult<Result<Callee, String>> {
        match callable.view() {
            View::Ref(reference) => self.resolve(&reference.get(), quiet),
            View::Str(name) => self.resolve_callable_string(name, quiet),
            View::Arr(pair) => {
                let (Some(target), Some(method), 2) = (pair.get_int(0), pair.get_int(1), pair.len()) else {
                    return Ok(Err(match pair.len() {
                        2 => "array callback has to contain indices 0 and 1".into(),
                        _ => "array callback must have exactly two members".into(),
                    }));
                };
                let (target, method) = (target.deref(), method.deref());
                let View::Str(method) = method.view() else {
                    let known_target = matches!(target.view(), View::Obj(_) | View::Str(_));
                    let part = if known_target {
                        "second array member is not a valid method"
                    } else {
                        "first array member is not a valid class name or object"
                    };
                    return Ok(Err(part.into()));
                };
                match target.view() {
                    View::Obj(object) => {
                        let target = CallableClass::of_object(object);
                        self.resolve_method(&target, method, quiet)
                    }
                    View::Str(class) => match self.class_for_callable(class, quiet)? {
                        Some(target) => self.resolve_method(&target, method, quiet),
                        None => Ok(Err(self.unknown_class(class.as_bytes()))),
                    },
                    _ => Ok(Err("first array member is not a valid class name or object".into())),
                }
            }
            View::Obj(object) => match crate::closure::callee(object) {
                Some(callee) => Ok(Ok(callee)),
                None => match object.class().magic.invoke.clone() {
                    Some(func) => Ok(Ok(Callee::method(func, object.clone()))),
                    None => Ok(Err("no array or string given".into())),
                },
            },
            _ => Ok(Err("no array or string given".into())),
        }
    }

    fn resolve_callable_string(&self, name: &PhpStr, quiet: bool) -> PhpResult<Result<Callee, String>> {
        if let Some(at) = name.windows(2).position(|pair| pair == b"::") {
            let (class, method) = (PhpStr::new(&name[..at]), PhpStr::new(&name[at + 2..]));
            if class.is_empty() {
                return Ok(Err("invalid function name".into()));
            }
            return match self.class_for_callable(&class, quiet)? {
                Some(target) => self.resolve_method(&target, &method, quiet),
                None => Ok(Err(self.unknown_class(class.as_bytes()))),
            };
        }
        match self.find_function(name) {
            Some(func) => Ok(Ok(Callee::function(func))),
            None => {
                // PHP prints the name as a C string, up to the first NUL byte.
                let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
                let shown = PhpStr::new(&name[..end]);
                Ok(Err(format!("function \"{shown}\" not found or invalid function name")))
            }
        }
    }

    /// The class that a callable names; `None` if there is no such class. `self`, `parent` and `static` are deprecated but work,
    /// and keep the late static binding class.
    fn class_for_callable(&self, name: &PhpStr, quiet: bool) -> PhpResult<Option<CallableClass>> {
        let lower_name = lower(name);
        let relative_name = lower_name.as_bytes();
        let relative = match relative_name {
            b"self" => self.user_scope(),
            b"parent" => self.user_scope().and_then(|class| class.class().parent.clone()),
            b"static" => self.user_frame().and_then(|frame| frame.static_class.clone()),
            _ => {
                let Some(class) = self.find_class(name)? else { return Ok(None) };
                let scope = self.user_scope();
                let within = scope.is_some_and(|scope| scope.class().is_a(&class));
                let object = self.this().filter(|this| within && this.is_a(&class));
                let called = object.as_ref().map_or_else(|| class.clone(), |object| object.class_header().clone());
                return Ok(Some(CallableClass { class, object, called, is_named: true }));
            }
        };
        let Some(class) = relative else { return Ok(None) };
        if !quiet {
            let text = [b"Use of \"", &name[..], b"\" in callables is deprecated"].concat();
            self.deprecated(&text)?;
        }
        let late = self.user_frame().and_then(|frame| frame.static_class.clone());
        let called = late.filter(|late| late.class().is_a(&class)).unwrap_or_else(|| class.clone());
        Ok(Some(CallableClass { class, object: self.this(), called, is_named: relative_name != b"self" }))
    }

    /// The message about a class of a callable that does not exist.
    fn unknown_class(&self, name: &[u8]) -> String {
        let relative = name.to_ascii_lowercase();
        match relative.as_slice() {
            b"parent" if self.user_scope().is_some() => {
                "cannot access \"parent\" when current class scope has no parent".into()
            }
            b"self" | b"parent" | b"static" => {
                let name = phlox_text::shown(&relative);
                format!("cannot access \"{name}\" when no class scope is active")
            }
            _ => format!("class \"{}\" not found", phlox_text::shown(crate::until_nul(name))),
        }
    }

    /// `$this` of the running PHP code.
    pub fn this(&self) -> Option<PhpObj> {
        self.user_frame().and_then(|frame| frame.this.clone())
    }

    fn resolve_method(&self, found: &CallableClass, name: &PhpStr, quiet: bool) -> PhpResult<Result<Callee, String>> {
        let (class, object) = (&found.class, found.object.as_ref());
        // The method part of an array callable may be `parent::m` or `Base::m`.
        if let Some(at) = name.windows(2).position(|pair| pair == b"::") {
            let qualifier = PhpStr::new(&name[..at]);
            let base = match lower(&qualifier).as_bytes() {
                b"parent" => class.class().parent.clone(),
                b"self" => Some(class.clone()),
                b"static" => Some(found.called.clone()),
                _ => self.find_class(&qualifier)?,
            };
            let Some(base) = base else { return Ok(Err(format!("class \"{qualifier}\" not found"))) };
            if !class.class().is_a(&base) {
                let (child, parent) = (&class.class().name, &base.class().name);
                return Ok(Err(format!("class {child} is not a subclass of {parent}")));
            }
            let callable = [class.class().name.as_bytes(), b"\", \"", &name[..], b"\""].concat();
            let text = [b"Callables of the form [\"", &callable[..], b"] are deprecated"].concat();
            if !quiet {
                self.deprecated(&text)?;
            }
            let late = self.user_frame().and_then(|frame| frame.static_class.clone());
            let called = late.filter(|late| late.class().is_a(&base)).unwrap_or_else(|| base.clone());
            let inner = CallableClass { class: base, object: object.cloned(), called, is_named: true };
            return self.resolve_method(&inner, &PhpStr::new(&name[at + 2..]), quiet);
        }
        let scope = self.user_scope();
        let key = lower_str(name);
        if let Some(callee) = object.filter(|_| key.as_bytes() == b"__invoke").and_then(crate::closure::callee) {
            return Ok(Ok(callee));
        }
        let target = class.class();
        let shown_name = magic_call_name(name);
        // A callable that names a class gets that class's method, even if the scope has a private method of that name.
        let method = match found.is_named {
            true => target.method(&key).filter(|func| self.can_call(func, scope.as_ref())).cloned(),
            false => self.visible_method(target, &key, scope.as_ref()),
        };
        if let Some(func) = method {
            if func.is_abstract() {
                let owner = func.scope.get().map_or(&target.name, |c| &c.class().name);
                return Ok(Err(format!("cannot call abstract method {owner}::{}()", func.name)));
            }
            return Ok(Self::bind_method(found, func));
        }
        let caller = if object.is_none() { self.this().filter(|this| this.is_a(class)) } else { None };
        if let (Some(object), Some(call)) = (object.or(caller.as_ref()), &target.magic.call) {
            let mut callee = Callee::method(call.clone(), object.clone());
            callee.magic_name = Some(shown_name);
            return Ok(Ok(callee));
        }
        if let Some(call) = target.magic.call_static.as_ref().filter(|_| object.is_none()) {
            let mut callee = Callee::static_method(call.clone(), found.called.clone());
            callee.magic_name = Some(shown_name);
            return Ok(Ok(callee));
        }
        Ok(Err(match target.methods.get(&key) {
            Some(func) => {
                let kind = if func.is_private() { "private" } else { "protected" };
                format!("cannot access {kind} method {}::{}()", target.name, func.name)
            }
            None => {
                let name = phlox_text::shown(crate::until_nul(name));
                format!("class {} does not have a method \"{name}\"", target.name)
            }
        }))
    }

    fn bind_method(found: &CallableClass, func: Rc<Func>) -> Result<Callee, String> {
        if func.is_static() {
            return Ok(Callee::static_method(func, found.called.clone()));
        }
        match &found.object {
            Some(object) => Ok(Callee::method(func, object.clone())),
            None => {
                let class = &found.class.class().name;
                Err(format!("non-static method {class}::{}() cannot be called statically", func.name))
            }
        }
    }

    /// The method that a call from `scope` reaches: a private method of the scope has precedence over the object's class.
    pub fn visible_method(&self, class: &Class, key: &PhpStr, scope: Option<&ClassRef>) -> Option<Rc<Func>> {
        if let Some(scope) = scope {
            if scope.id() != class.handle().id() && class.is_a(scope) {
                if let Some(own) = scope.class().methods.get(key) {
                    if own.is_private() && own.scope.get().is_some_and(|c| c.id() == scope.id()) {
                        return Some(own.clone());
                    }
                }
            }
        }
        let func = class.methods.get(key)?;
        self.can_call(func, scope).then(|| func.clone())
    }

    /// Whether code in `scope` may call the method.
    pub fn can_call(&self, func: &Func, scope: Option<&ClassRef>) -> bool {
        if func.is_public() {
            return true;
        }
        let (Some(scope), Some(owner)) = (scope, func.scope.get()) else { return false };
        if func.is_private() {
            return scope.id() == owner.id();
        }
        let root = func.prototype.borrow().as_ref().and_then(|p| p.scope.get().cloned());
        let root = root.as_ref().unwrap_or(owner);
        scope.class().is_a(root) || root.class().is_a(scope) || scope.class().is_a(owner) || owner.class().is_a(scope)
    }

    /// A new object of a class, whose constructor is not called. Throws for interfaces, abstract classes and enums.
    pub fn instantiate(&self, class: &ClassRef) -> PhpResult<PhpObj> {
        let target = class.class();
        if target.is_abstract() || target.kind != crate::class::ClassKind::Class {
            let kind =
                if target.kind == crate::class::ClassKind::Class { "abstract class" } else { target.kind_word() };
            let text = [b"Cannot instantiate ", kind.as_bytes(), b" ", &target.name[..]].concat();
            return Err(self.throw_error(&text));
        }
        self.instantiate_unchecked(class)
    }

    /// A new object of any class, enums included, whose constructor is not called.
    pub fn instantiate_unchecked(&self, class: &ClassRef) -> PhpResult<PhpObj> {
        let target = class.class();
        if !target.has_defaults() {
            crate::link::evaluate_defaults(self, class)?;
        }
        let object = PhpObj::new(class.clone(), &target.defaults());
        if let Some(create) = target.native.create {
            create(self, &object);
        }
        Ok(object)
    }

    /// Creates an object for `new C(args)` in builtin code.
    pub fn new_object(&self, class: &ClassRef, args: Vec<Val>) -> PhpResult<PhpObj> {
        let object = self.instantiate(class)?;
        if let Some(constructor) = class.class().magic.construct.clone() {
            if let Err(throw) = self.call(&Callee::method(constructor, object.clone()), args) {
                object.mark_destructed();
                return Err(throw);
            }
        }
        Ok(object)
    }

    /// Calls a method by its lower-case name without a visibility check; throws an Error if the object does not have it.
    pub fn call_method(&self, object: &PhpObj, lower_name: &[u8], args: Vec<Val>) -> PhpResult<Val> {
        let func = object.class().methods.get(&crate::ByBytes(lower_name)).cloned();
        match func {
            Some(func) => self.call(&Callee::method(func, object.clone()), args),
            None => {
                let name = [object.class_name().as_bytes(), b"::", lower_name].concat();
                Err(self.throw_error(&[b"Call to undefined method ", &name[..], b"()"].concat()))
            }
        }
    }
}
