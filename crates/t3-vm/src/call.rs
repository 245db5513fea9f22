//! Calls: frames, arguments, functions of every kind, and calls from native code into the program.

use crate::builtin::native_name;
use crate::code::{NOT_TRANSLATED, translate};
use crate::error::{self, Halt, Run, Throw, fail};
use crate::objects::Obj;
use crate::state::{NativeCall, NativeCallee};
use crate::value::{NO_PROP, PropId, Value};
use crate::vm::{Context, Frame, Sending, Vm};

/// Native code may call the program, which calls native code ..., this often.
const MAX_NATIVE_DEPTH: usize = 400;

/// Native code called back with a number of arguments that the program's function does not take.
fn wrong_callback(vm: &Vm, throw: Throw, native: NativeCallee) -> Throw {
    match throw {
        Throw::Error(error) if error.code == error::WRONG_NUM_OF_ARGS => {
            error::error_text(error::WRONG_NUM_OF_ARGS_CALLING, &native_name(vm, native))
        }
        other => other,
    }
}

impl Vm {
    // ---- stack

    /// Pushes a value, or fails when the stack is used up.
    pub fn push(&mut self, value: Value) -> Run<()> {
        match self.stack.get_mut(self.sp) {
            Some(slot) => {
                *slot = value;
                self.sp += 1;
                Ok(())
            }
            None => fail(error::STACK_OVERFLOW),
        }
    }

    /// Pops a value; nil from an empty stack.
    pub fn pop(&mut self) -> Value {
        self.sp = self.sp.saturating_sub(1);
        self.stack.get(self.sp).copied().unwrap_or_default()
    }

    /// Drops arguments.
    pub fn pop_args(&mut self, argc: usize) {
        self.sp = self.sp.saturating_sub(argc);
    }

    // ---- frames

    /// Makes a frame for a function whose arguments are on the stack; `self.ip` becomes its entry.
    pub fn enter(&mut self, function: u32, argc: usize, context: Context) -> Run<()> {
        self.poll -= 1;
        if self.poll == 0 {
            self.poll_now()?;
        }
        let entry = match self.code.functions.get(function as usize) {
            Some(callee) if callee.entry != NOT_TRANSLATED => callee,
            _ => {
                let image = self.image.clone();
                translate::translate(&image, &mut self.heap, &mut self.code, function);
                &self.code.functions[function as usize]
            }
        };
        if argc < entry.min_args as usize || argc > entry.max_args as usize {
            return fail(error::WRONG_NUM_OF_ARGS);
        }
        let fp = self.sp;
        let end = fp + entry.locals as usize;
        if fp + entry.stack as usize >= self.stack_limit || self.frames.len() >= self.frame_limit || argc > fp {
            return fail(error::STACK_OVERFLOW);
        }
        let ip = entry.entry;
        self.stack[fp..end].fill(Value::Nil);
        self.frames.push(Frame {
            fp: fp as u32,
            ret: self.ip as u32,
            argc: argc as u32,
            function,
            this: context.this,
            target: context.target,
            invokee: context.invokee,
            definer: context.definer,
            prop: context.prop,
            native: false,
        });
        self.sp = end;
        self.ip = ip as usize;
        Ok(())
    }

    /// Looks after memory and fuel; called every thousand calls and backward branches.
    #[cold]
    pub fn poll_now(&mut self) -> Run<()> {
        self.poll = 1024;
        self.code.grow_caches();
        self.fuel = self.fuel.saturating_sub(1024);
        if self.fuel == 0 {
            return Err(Throw::Halt(Halt::Fuel));
        }
        if self.heap.slots.len() > self.options.max_objects {
            return Err(Throw::Halt(Halt::Memory));
        }
        self.maybe_collect()
    }

    /// Enters anything that can be called; native functions are done at once.
    pub fn enter_callable(&mut self, callee: Value, argc: usize, context: Context) -> Run<()> {
        match callee {
            Value::Func(function) | Value::Code(function) => self.enter(function, argc, context),
            Value::Builtin(set, index) | Value::BuiltinX(set, index) => self.call_builtin(set, index, argc),
            Value::Obj(id) => match self.heap.get(id) {
                Obj::AnonFn(items) => match items.first() {
                    Some(Value::Func(function)) => {
                        let function = *function;
                        self.enter(function, argc, context)
                    }
                    _ => fail(error::FUNCPTR_VAL_REQD),
                },
                Obj::Dynamic(function) => {
                    let function = function.function;
                    self.enter(function, argc, context)
                }
                _ => fail(error::FUNCPTR_VAL_REQD),
            },
            _ => fail(error::FUNCPTR_VAL_REQD),
        }
    }

    /// PTRCALL: a function pointer, a property of self, a function object, or an object with a call method.
    pub fn enter_pointer(&mut self, callee: Value, argc: usize) -> Run<()> {
        match callee {
            Value::Prop(prop) => {
                let this = self.frames.last().map_or(Value::Nil, |frame| frame.this);
                if this == Value::Nil {
                    return fail(error::FUNCPTR_VAL_REQD);
                }
                self.send(Sending { prop, target: this, this, argc })
            }
            Value::Obj(id) if self.heap.tads(id).is_some() => {
                let prop = self.predef.object_call;
                match self.find_prop(callee, prop) {
                    Some(_) if prop != NO_PROP => self.send(Sending { prop, target: callee, this: callee, argc }),
                    _ => fail(error::FUNCPTR_VAL_REQD),
                }
            }
            _ => self.enter_callable(callee, argc, Context { invokee: callee, ..Context::default() }),
        }
    }

    // ---- from native code

    /// Counts a call from native code into the program; fails when too many are active.
    pub fn enter_native(&mut self) -> Run<()> {
        if self.native_depth >= MAX_NATIVE_DEPTH {
            return fail(error::STACK_OVERFLOW);
        }
        self.native_depth += 1;
        Ok(())
    }

    /// Ends what [`Vm::enter_native`] began.
    pub fn leave_native(&mut self) {
        self.native_depth -= 1;
    }

    /// Runs what `start` enters until it returns; the result is in R0 and is returned.
    pub fn nested(&mut self, arguments: &[Value], start: impl FnOnce(&mut Vm) -> Run<()>) -> Run<Value> {
        self.enter_native()?;
        let (ip, sp, depth) = (self.ip, self.sp, self.frames.len());
        let mut result = Ok(());
        for value in arguments.iter().rev() {
            if result.is_ok() {
                result = self.push(*value);
            }
        }
        let native = self.state.native;
        self.native_calls.push(NativeCall { depth, ..native });
        result = result.and_then(|()| start(self)).map_err(|throw| wrong_callback(self, throw, native.callee));
        if result.is_ok() && self.frames.len() > depth {
            if let Some(frame) = self.frames.last_mut() {
                frame.native = true;
            }
            result = self.run(depth + 1);
        }
        self.leave_native();
        self.native_calls.pop();
        self.state.native = native;
        self.ip = ip;
        self.sp = sp;
        self.frames.truncate(depth);
        if depth < self.watch_floor {
            self.detach_frames();
        }
        result.map(|()| self.r0)
    }

    /// Calls a function pointer, function object or built-in function.
    pub fn call_value(&mut self, callee: Value, arguments: &[Value]) -> Run<Value> {
        let count = arguments.len();
        self.nested(arguments, |vm| match callee {
            Value::Prop(_) => vm.enter_pointer(callee, count),
            Value::Obj(id) if vm.heap.tads(id).is_some() => vm.enter_pointer(callee, count),
            _ => vm.enter_callable(callee, count, Context { invokee: callee, ..Context::default() }),
        })
    }

    /// Calls a property.
    pub fn call_prop(&mut self, target: Value, prop: PropId, arguments: &[Value]) -> Run<Value> {
        let argc = arguments.len();
        self.nested(arguments, |vm| vm.send(Sending { prop, target, this: target, argc }))
    }

    // ---- display

    /// Displays a value through the program's function or method.
    pub fn say(&mut self, value: Value, this: Value) -> Run<()> {
        let value = match value {
            Value::DStr(index) => Value::Str(index),
            other => other,
        };
        if let Value::Obj(_) = this
            && self.say_method != NO_PROP
            && self.find_prop(this, self.say_method).is_some()
        {
            self.push(value)?;
            let prop = self.say_method;
            return self.send(Sending { prop, target: this, this, argc: 1 });
        }
        if self.say_function == Value::Nil {
            return fail(error::SAY_IS_NOT_DEFINED);
        }
        self.push(value)?;
        let callee = self.say_function;
        self.enter_callable(callee, 1, Context { invokee: callee, ..Context::default() })
    }
}
