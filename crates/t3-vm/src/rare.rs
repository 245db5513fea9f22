//! Instructions that are rare: they run outside of the instruction loop, on the stack pointer in the machine.

use crate::code::inst::{Inst, Src, VARARGS};
use crate::error::{self, Run, fail};
use crate::value::{NO_PROP, Value};
use crate::vm::{Frame, Sending, Vm};

impl Vm {
    /// Runs an instruction for which the loop has no arm; `popped_argc` is the argument count that VARARGC popped.
    #[inline(never)]
    pub fn rare(&mut self, inst: Inst, popped_argc: usize) -> Run<()> {
        match inst {
            Inst::PtrInherit { .. }
            | Inst::ExpInherit { .. }
            | Inst::PtrExpInherit { .. }
            | Inst::PtrDelegate { .. }
            | Inst::GetPropData { .. }
            | Inst::PtrGetPropData
            | Inst::PtrSetProp => self.rare_property(inst, popped_argc),
            Inst::GetOuterLocal { .. }
            | Inst::SetOuterLocal { .. }
            | Inst::GetOuterArg { .. }
            | Inst::SetOuterArg { .. }
            | Inst::PushOuterArgc { .. } => self.outer_variable(inst),
            Inst::SetSelf(_) | Inst::LoadContext | Inst::StoreContext | Inst::PushContext(_) => {
                self.method_context(inst)
            }
            _ => self.rare_push(inst),
        }
    }

    /// The top slot, which is popped.
    fn take(&mut self) -> Run<Value> {
        self.sp = self.sp.wrapping_sub(1);
        match self.stack.get(self.sp) {
            Some(value) => Ok(*value),
            None => {
                self.sp = 0;
                fail(error::STACK_OUT_OF_BOUNDS)
            }
        }
    }

    fn self_value(&self) -> Value {
        self.frames.last().map_or(Value::Nil, |frame| frame.this)
    }

    fn operand(&mut self, src: Src) -> Run<Value> {
        match src {
            Src::Slot(slot) => {
                let fp = self.frames.last().map_or(0, |frame| frame.fp as usize);
                let value = self.stack.get(fp.wrapping_add_signed(slot as isize));
                value.copied().ok_or_else(|| error::error(error::STACK_OUT_OF_BOUNDS))
            }
            Src::Int(number) => Ok(Value::Int(number as i32)),
            Src::Pop => self.take(),
            Src::Const(index) => Ok(self.code.constants.get(index as usize).copied().unwrap_or_default()),
            Src::R0 => Ok(self.r0),
            Src::This => Ok(self.self_value()),
        }
    }

    fn rare_property(&mut self, inst: Inst, popped_argc: usize) -> Run<()> {
        let count = |argc: u8| if argc == VARARGS { popped_argc } else { argc as usize };
        match inst {
            Inst::PtrInherit { argc, prop } => {
                let prop = self.operand(prop)?;
                let prop = self.want_prop(prop)?;
                self.inherit(prop, count(argc))
            }
            Inst::ExpInherit { argc, prop, object } => {
                let this = self.self_value();
                self.send(Sending { prop, target: Value::object(object), this, argc: count(argc) })
            }
            Inst::PtrExpInherit { argc, object, prop } => {
                let prop = self.operand(prop)?;
                self.send_pointer(prop, Value::object(object), self.self_value(), count(argc))
            }
            Inst::PtrDelegate { argc, target, prop } => {
                let prop = self.operand(prop)?;
                let target = self.operand(target)?;
                self.send_pointer(prop, target, self.self_value(), count(argc))
            }
            Inst::GetPropData { prop } => {
                let target = self.take()?;
                self.get_data(target, prop)
            }
            Inst::PtrGetPropData => {
                let prop = self.take()?;
                let target = self.take()?;
                let prop = self.want_prop(prop)?;
                self.get_data(target, prop)
            }
            Inst::PtrSetProp => {
                let prop = self.take()?;
                let object = self.take()?;
                let value = self.take()?;
                let prop = self.want_prop(prop)?;
                self.set_prop(object, prop, value)
            }
            _ => fail(error::INVALID_OPCODE),
        }
    }

    /// Variables and argument counts of enclosing frames.
    fn outer_variable(&mut self, inst: Inst) -> Run<()> {
        let local = |local: u16| move |frame: &Frame| frame.fp as usize + local as usize;
        let argument = |arg: u16| move |frame: &Frame| (frame.fp as usize).wrapping_sub(1 + arg as usize);
        match inst {
            Inst::GetOuterLocal { local: number, level } => {
                let at = self.outer_slot(level, local(number))?;
                self.push(self.stack[at])
            }
            Inst::SetOuterLocal { local: number, level } => {
                let value = self.take()?;
                let at = self.outer_slot(level, local(number))?;
                self.stack[at] = value;
                Ok(())
            }
            Inst::GetOuterArg { arg, level } => {
                let at = self.outer_slot(level, argument(arg))?;
                self.push(self.stack[at])
            }
            Inst::SetOuterArg { arg, level } => {
                let value = self.take()?;
                let at = self.outer_slot(level, argument(arg))?;
                self.stack[at] = value;
                Ok(())
            }
            Inst::PushOuterArgc { level } => {
                let frame = self.outer_frame(level)?;
                self.push(Value::Int(frame.argc as i32))
            }
            _ => fail(error::INVALID_OPCODE),
        }
    }

    /// The method context of the innermost frame: set, pushed as a whole, or one part of it pushed.
    fn method_context(&mut self, inst: Inst) -> Run<()> {
        match inst {
            Inst::SetSelf(src) => {
                let value = self.operand(src)?;
                if !matches!(value, Value::Obj(_) | Value::Nil) {
                    return fail(error::OBJ_VAL_REQD);
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.this = value;
                }
                Ok(())
            }
            Inst::LoadContext => {
                let context = self.take()?;
                self.load_context(context)
            }
            Inst::StoreContext => {
                let Some(frame) = self.frames.last().copied() else { return fail(error::BAD_FRAME) };
                let prop = if frame.prop == NO_PROP { Value::Nil } else { Value::Prop(frame.prop) };
                let items = vec![frame.this, prop, frame.target, Value::object(frame.definer)];
                let list = self.heap.new_list(items);
                self.push(list)
            }
            Inst::PushContext(element) => {
                let Some(frame) = self.frames.last() else { return fail(error::BAD_FRAME) };
                let value = match element {
                    1 if frame.prop == NO_PROP => Value::Nil,
                    1 => Value::Prop(frame.prop),
                    2 => frame.target,
                    3 => Value::object(frame.definer),
                    4 => frame.invokee,
                    _ => return fail(error::INVALID_OPCODE),
                };
                self.push(value)
            }
            _ => fail(error::INVALID_OPCODE),
        }
    }

    fn rare_push(&mut self, inst: Inst) -> Run<()> {
        match inst {
            Inst::Dup2 => {
                let (b, a) = (self.take()?, self.take()?);
                [a, b, a, b].into_iter().try_for_each(|value| self.push(value))
            }
            Inst::Swap2 => {
                let (d, c, b, a) = (self.take()?, self.take()?, self.take()?, self.take()?);
                [c, d, a, b].into_iter().try_for_each(|value| self.push(value))
            }
            Inst::SwapN(a, b) => {
                let (a, b) = (self.sp.wrapping_sub(1 + a as usize), self.sp.wrapping_sub(1 + b as usize));
                if a >= self.stack.len() || b >= self.stack.len() {
                    return fail(error::STACK_OUT_OF_BOUNDS);
                }
                self.stack.swap(a, b);
                Ok(())
            }
            Inst::PushArgList(fixed) => {
                let (fp, argc) = self.frames.last().map_or((0, 0), |frame| (frame.fp as usize, frame.argc as usize));
                let start = fp.saturating_sub(argc);
                let end = fp.saturating_sub(fixed as usize).max(start);
                let items: Vec<Value> = self.stack[start..end].iter().rev().copied().collect();
                let list = self.heap.new_list(items);
                self.push(list)
            }
            Inst::SpreadList => self.spread_arguments(),
            Inst::PushText(index) => {
                let text = self.code.texts.get(index as usize).cloned().unwrap_or_default();
                let text = self.heap.new_text(text);
                self.push(text)
            }
            _ => fail(error::INVALID_OPCODE),
        }
    }
}
