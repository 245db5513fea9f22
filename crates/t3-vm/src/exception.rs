//! Exceptions: from errors to objects, from a throw to its handler, and the text of what nobody caught.

use crate::error::{self, ErrorParameter, Halt, Run, Throw, VmError};
use crate::objects::{Obj, TadsObject};
use crate::run::MAX_FRAMES;
use crate::value::{NO_OBJECT, Value};
use crate::vm::Vm;

/// Exceptions may run into errors when they are made, and the exceptions of those errors, too, this often.
const MAX_MAKING: usize = 16;

/// Stack that making an exception may use beyond the limit.
const RESERVE: usize = 1500;

impl Vm {
    /// Finds the handler of what was thrown, among the frames from number `depth` up, and goes there. Without one, the
    /// frames are gone and the exception is returned.
    pub fn unwind(&mut self, throw: Throw, depth: usize) -> Run<()> {
        let exception = match throw {
            Throw::Exception(object) => object,
            Throw::Error(error) => self.exception_object(&error)?,
            other => return Err(other),
        };
        let mut ip = self.ip;
        while self.frames.len() >= depth {
            let Some(frame) = self.frames.last().copied() else { break };
            if let Some(target) = self.handler(frame.function, ip, exception) {
                self.sp = frame.fp as usize + self.code.functions[frame.function as usize].locals as usize;
                self.ip = target as usize;
                return self.push(exception);
            }
            self.frames.pop();
            if self.frames.len() < self.watch_floor {
                self.detach_frames();
            }
            ip = frame.ret as usize;
        }
        Err(Throw::Exception(exception))
    }

    fn handler(&mut self, function: u32, ip: usize, exception: Value) -> Option<u32> {
        let at = self.code.offset_of(ip.wrapping_sub(1)) as usize;
        let count = self.code.functions.get(function as usize)?.tables.handlers.len();
        for n in 0..count {
            let row = self.code.functions[function as usize].tables.handlers[n];
            if at >= row.start && at <= row.end && (row.class == NO_OBJECT || self.is_kind_of(exception, row.class)) {
                return self.code.functions[function as usize].place(row.target as u32);
            }
        }
        None
    }

    /// Makes the program's exception object for an error of the machine.
    fn exception_object(&mut self, error: &VmError) -> Run<Value> {
        let message = error.message();
        let Some(class) = self.predef.object("RuntimeError") else {
            let shape = self.heap.shapes.root(&[]);
            let object = TadsObject { shape, values: Vec::new(), is_class: false };
            let id = self.heap.alloc(Obj::Tads(object));
            self.set_message(Value::Obj(id), &message)?;
            self.state.plain_error = Some((id, message));
            return Ok(Value::Obj(id));
        };
        let mut arguments = vec![Value::Obj(class), Value::Int(error.code as i32)];
        for parameter in &error.parameters {
            arguments.push(match parameter {
                ErrorParameter::Int(number) => Value::Int(*number),
                ErrorParameter::Text(text) => self.heap.new_text(text.as_str()),
            });
        }
        let saved = (self.stack_limit, self.frame_limit);
        if error.code == error::STACK_OVERFLOW {
            self.stack_limit += RESERVE;
            self.frame_limit = MAX_FRAMES + 100;
        }
        let count = arguments.len();
        if self.state.making_exceptions >= MAX_MAKING {
            return Err(Throw::Halt(Halt::Exceptions));
        }
        self.state.making_exceptions += 1;
        let result = self.nested(&arguments, |vm| vm.create_tads(count, false));
        self.state.making_exceptions -= 1;
        (self.stack_limit, self.frame_limit) = saved;
        let object = result?;
        self.set_message(object, &message)?;
        Ok(object)
    }

    fn set_message(&mut self, object: Value, message: &str) -> Run<()> {
        let Some(prop) = self.predef.prop("exceptionMessage") else { return Ok(()) };
        if self.heap.tads(object.as_object().unwrap_or(NO_OBJECT)).is_none() {
            return Ok(());
        }
        let text = self.heap.new_text(message);
        self.set_prop(object, prop, text)
    }

    /// What to show for an exception that nobody caught.
    pub fn exception_text(&mut self, exception: Value) -> String {
        let text = self.predef.prop("exceptionMessage").and_then(|prop| {
            let found = self.find_prop(exception, prop)?;
            match found {
                crate::vm::Found::Value(value, _) => self.heap.text(value).map(|text| text.to_string()),
                crate::vm::Found::Native(..) => None,
            }
        });
        match text {
            Some(text) if !text.is_empty() => text,
            // An error for which the program has no class.
            _ => match &self.state.plain_error {
                Some((id, message)) if exception == Value::Obj(*id) => format!("Unhandled exception: {message}"),
                _ => "Unhandled exception".to_owned(),
            },
        }
    }
}

/// An exception of a class that the image exports, made with arguments.
impl Vm {
    /// Throws a new object of the exported class, or the machine's error if there is none.
    pub fn throw_class<T>(&mut self, export: &str, code: u32, arguments: &[Value]) -> Run<T> {
        let Some(class) = self.predef.object(export) else {
            let text = match export {
                "File.FileSafetyException" => "prohibited file access",
                _ => error::message(code),
            };
            return Err(error::error_text(error::INTCLS_GENERAL_ERROR, text));
        };
        let mut all = vec![Value::Obj(class)];
        all.extend_from_slice(arguments);
        let count = all.len();
        let object = self.nested(&all, |vm| vm.create_tads(count, false))?;
        Err(Throw::Exception(object))
    }
}
