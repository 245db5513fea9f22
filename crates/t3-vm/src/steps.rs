//! Parts of instructions that are too long for the instruction loop.

use crate::error::{self, Run, error, fail};
use crate::fast::is_active;
use crate::value::{NO_OBJECT, NO_PROP, PropId, Value};
use crate::vm::{Context, Frame, Sending, Vm};

impl Vm {
    /// The code offset of the function in the innermost frame.
    pub fn current_function_offset(&self) -> u32 {
        let function = self.frames.last().map_or(0, |frame| frame.function);
        self.code.functions.get(function as usize).map_or(0, |function| function.offset)
    }

    /// The instruction at a code offset of the innermost frame's function.
    pub fn current_place(&self, offset: u32) -> Option<u32> {
        let frame = self.frames.last()?;
        self.code.functions.get(frame.function as usize)?.place(offset)
    }

    /// The instruction that a table of cases gives for a value.
    pub fn switch_target(&self, table: usize, value: Value) -> u32 {
        let Some(cases) = self.code.cases.get(table) else { return u32::MAX };
        if cases.plain {
            let row = match value {
                // Simple values equal only themselves.
                Value::Int(_) | Value::Enum(_) | Value::Nil | Value::True | Value::Prop(_) => {
                    Some(cases.index.get(&value))
                }
                value => self.heap.text(value).map(|text| cases.texts.get(text)),
            };
            if let Some(row) = row {
                return row.and_then(|row| cases.rows.get(*row as usize)).map_or(cases.default, |row| row.1);
            }
        }
        let found = cases.rows.iter().find(|row| self.heap.equals(value, row.0));
        found.map_or(cases.default, |row| row.1)
    }

    /// Calls a property that is given as a value: a property pointer or a method itself.
    pub fn send_pointer(&mut self, prop: Value, target: Value, this: Value, argc: usize) -> Run<()> {
        match prop {
            Value::Prop(prop) => self.send(Sending { prop, target, this, argc }),
            Value::Func(_) | Value::Builtin(..) | Value::Obj(_) => {
                // A method given by itself instead of by its property.
                let context = Context { this, target, invokee: prop, ..Context::default() };
                self.enter_callable(prop, argc, context)
            }
            _ => fail(error::PROPPTR_VAL_REQD),
        }
    }

    /// Calls the property that is inherited past the object that defines the running method.
    pub fn inherit(&mut self, prop: PropId, argc: usize) -> Run<()> {
        let Some(frame) = self.frames.last().copied() else { return fail(error::BAD_FRAME) };
        if frame.this == Value::Nil {
            return fail(error::NIL_SELF);
        }
        let Frame { this, target, definer, .. } = frame;
        let found = self.find_inherited(this, target, definer, prop);
        let sending = Sending { prop, target, this, argc };
        self.send_found(found, sending, |vm, prop| vm.find_inherited(this, target, definer, prop))
    }

    /// GETPROPDATA: a property's value if reading it has no side effects.
    pub fn get_data(&mut self, target: Value, prop: PropId) -> Run<()> {
        if !matches!(target, Value::Obj(_)) {
            return fail(error::BAD_SPEC_EVAL);
        }
        match self.find_prop(target, prop) {
            Some(crate::vm::Found::Value(value, _)) if !is_active(value) => {
                self.r0 = value;
                Ok(())
            }
            None => {
                self.r0 = Value::Nil;
                Ok(())
            }
            _ => fail(error::BAD_SPEC_EVAL),
        }
    }

    /// MAKELSTPAR.
    pub fn spread_arguments(&mut self) -> Run<()> {
        let list = self.pop();
        let Value::Int(count) = self.pop() else { return fail(error::INT_VAL_REQD) };
        let items = match self.list_like(list)? {
            Some(items) => items,
            None => vec![list],
        };
        if self.sp + items.len() + 64 >= self.stack_limit {
            return fail(error::STACK_OVERFLOW);
        }
        for item in items.iter().rev() {
            self.push(*item)?;
        }
        self.push(Value::Int(count.wrapping_add(items.len() as i32)))
    }

    /// Makes a stored method context, a list, the context of the innermost frame.
    pub fn load_context(&mut self, context: Value) -> Run<()> {
        let Some(items) = self.heap.list(context).cloned() else { return fail(error::LIST_VAL_REQD) };
        let [this, prop, target, definer] = items[..] else { return fail(error::LIST_VAL_REQD) };
        if let Some(frame) = self.frames.last_mut() {
            frame.this = this;
            frame.prop = if let Value::Prop(prop) = prop { prop } else { NO_PROP };
            frame.target = target;
            frame.definer = definer.as_object().unwrap_or(NO_OBJECT);
        }
        Ok(())
    }

    /// The frame a number of levels outside of the one that called the innermost.
    pub fn outer_frame(&self, level: u16) -> Run<Frame> {
        let at = self.frames.len().checked_sub(2 + level as usize);
        at.and_then(|at| self.frames.get(at)).copied().ok_or_else(|| error(error::BAD_FRAME))
    }

    /// The stack index of a slot of an enclosing frame.
    pub fn outer_slot(&self, level: u16, place: impl Fn(&Frame) -> usize) -> Run<usize> {
        let at = place(&self.outer_frame(level)?);
        if at < self.stack.len() { Ok(at) } else { fail(error::BAD_FRAME) }
    }
}
