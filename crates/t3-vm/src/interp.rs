//! The instruction loop.
//!
//! The position, stack pointer and frame base live in locals while instructions run; anything that may call into the
//! program or fail writes them back first (`sync`) and reads them again afterwards (`reload`).

use crate::code::NOT_TRANSLATED;
use crate::code::forms::arithmetic;
use crate::code::inst::{BinOp, Cond, Inst, NEW_VARARGS, Src, VARARGS};
use crate::error::{self, Run, Throw, fail};
use crate::fast::{int_compare, int_fast, is_active};
use crate::value::Value;
use crate::vm::{Context, Frame, Sending, Vm};

impl Vm {
    /// Runs until the frame with number `depth` (counted from 1) has returned.
    pub fn run(&mut self, depth: usize) -> Run<()> {
        loop {
            match self.execute(depth) {
                Ok(()) => return Ok(()),
                Err(throw) => self.unwind(throw, depth)?,
            }
            // A handler that throws again at once could run for ever, so each throw costs fuel.
            self.poll = self.poll.saturating_sub(1);
            if self.poll == 0 {
                self.poll_now()?;
            }
        }
    }

    fn execute(&mut self, depth: usize) -> Run<()> {
        let mut ip = self.ip;
        let mut sp = self.sp;
        let mut fp = match self.frames.last() {
            Some(frame) => frame.fp as usize,
            None => return Ok(()),
        };
        // The argument count that VARARGC popped.
        let mut popped_argc = 0usize;

        macro_rules! sync {
            () => {
                self.ip = ip;
                self.sp = sp;
            };
        }
        macro_rules! reload {
            () => {
                ip = self.ip;
                sp = self.sp;
                if let Some(frame) = self.frames.last() {
                    fp = frame.fp as usize;
                }
            };
        }
        macro_rules! this {
            () => {
                self.frames.last().map_or(Value::Nil, |frame| frame.this)
            };
        }
        macro_rules! raise {
            ($code:expr) => {{
                sync!();
                return fail($code);
            }};
        }
        macro_rules! push {
            ($value:expr) => {{
                let value = $value;
                match self.stack.get_mut(sp) {
                    Some(slot) => *slot = value,
                    None => raise!(error::STACK_OVERFLOW),
                }
                sp += 1;
            }};
        }
        macro_rules! pop {
            () => {{
                sp = sp.wrapping_sub(1);
                match self.stack.get(sp) {
                    Some(value) => *value,
                    None => {
                        sp = 0;
                        raise!(error::STACK_OUT_OF_BOUNDS)
                    }
                }
            }};
        }
        macro_rules! slot {
            ($slot:expr) => {
                match self.stack.get(fp.wrapping_add_signed($slot as isize)) {
                    Some(value) => *value,
                    None => raise!(error::STACK_OUT_OF_BOUNDS),
                }
            };
        }
        macro_rules! set_slot {
            ($slot:expr, $value:expr) => {{
                let value = $value;
                match self.stack.get_mut(fp.wrapping_add_signed($slot as isize)) {
                    Some(place) => *place = value,
                    None => raise!(error::STACK_OUT_OF_BOUNDS),
                }
            }};
        }
        macro_rules! read {
            ($src:expr) => {
                match $src {
                    Src::Slot(slot) => slot!(slot),
                    Src::Int(number) => Value::Int(number as i32),
                    Src::Pop => pop!(),
                    Src::Const(index) => self.code.constants.get(index as usize).copied().unwrap_or_default(),
                    Src::R0 => self.r0,
                    Src::This => this!(),
                }
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target = $target as usize;
                if target <= ip {
                    self.poll -= 1;
                    if self.poll == 0 {
                        sync!();
                        self.poll_now()?;
                    }
                }
                ip = target;
            }};
        }
        // Runs a method that may enter a frame or call the program.
        macro_rules! slow {
            ($run:expr) => {{
                sync!();
                $run?;
                reload!();
            }};
        }
        // Runs a method that gives a value.
        macro_rules! value {
            ($run:expr) => {{
                sync!();
                $run?
            }};
        }
        macro_rules! argc {
            ($argc:expr) => {
                if $argc == VARARGS { popped_argc } else { $argc as usize }
            };
        }

        // Arithmetic with a fast path for integers without overflow.
        macro_rules! arith {
            ($op:ident, $function:path, $a:expr, $b:expr, |$value:ident| $store:expr) => {{
                let b = $b;
                let a = $a;
                if let (Value::Int(x), Value::Int(y)) = (a, b)
                    && let Some(number) = $function(x, y)
                {
                    let $value = Value::Int(number);
                    $store;
                } else {
                    let $value = value!(self.binary(BinOp::$op, a, b));
                    $store;
                }
            }};
        }
        // An arm for each form of operands of each operator, by the rows of `code/forms.rs`.
        macro_rules! arithmetic_arms {
            (($inst:ident) $($op:ident $function:path:
                $slots:ident $slot_int:ident $pop_slot:ident $pop_int:ident $slots_to:ident $slot_int_to:ident;)*) => {
                match *$inst {
                    $(Inst::$slots { a, b } => arith!($op, $function, slot!(a), slot!(b), |value| push!(value)),
                    Inst::$slot_int { a, b } => arith!($op, $function, slot!(a), Value::Int(b as i32), |value| push!(value)),
                    Inst::$pop_slot { b } => arith!($op, $function, pop!(), slot!(b), |value| push!(value)),
                    Inst::$pop_int { b } => arith!($op, $function, pop!(), Value::Int(b as i32), |value| push!(value)),
                    Inst::$slots_to { a, b, dst } => {
                        arith!($op, $function, slot!(a), slot!(b), |value| set_slot!(dst, value))
                    }
                    Inst::$slot_int_to { a, b, dst } => {
                        arith!($op, $function, slot!(a), Value::Int(b as i32), |value| set_slot!(dst, value))
                    })*
                    rare => {
                        slow!(self.rare(rare, popped_argc));
                    }
                }
            };
        }
        macro_rules! element {
            ($container:expr, $index:expr) => {{
                let (container, index) = ($container, $index);
                match self.index_fast(container, index) {
                    Some(value) => value,
                    None => value!(self.binary(BinOp::Index, container, index)),
                }
            }};
        }
        macro_rules! compare_jump {
            ($order:expr, $a:expr, $b:expr, $target:expr) => {{
                let b = $b;
                let a = $a;
                let holds = match (a, b) {
                    (Value::Int(a), Value::Int(b)) => $order.hold(a, b),
                    _ => value!(self.compare($order.op(), a, b)),
                };
                if holds {
                    jump!($target);
                }
            }};
        }
        // A call of a function of the program. The fast path needs a translated function, a fitting number of arguments and
        // room on the stack.
        macro_rules! enter {
            ($function:expr, $argc:expr, $context:expr) => {{
                let (function, argc): (u32, usize) = ($function, $argc);
                let context = $context;
                self.poll -= 1;
                match self.code.functions.get(function as usize) {
                    Some(callee)
                        if self.poll > 0
                            && callee.entry != NOT_TRANSLATED
                            && argc >= callee.min_args as usize
                            && argc <= callee.max_args as usize
                            && argc <= sp
                            && sp + (callee.stack as usize) < self.stack_limit
                            && self.frames.len() < self.frame_limit =>
                    {
                        let end = sp + callee.locals as usize;
                        let entry = callee.entry;
                        if let Some(locals) = self.stack.get_mut(sp..end) {
                            locals.fill(Value::Nil);
                        }
                        self.frames.push(Frame {
                            fp: sp as u32,
                            ret: ip as u32,
                            argc: argc as u32,
                            function,
                            this: context.this,
                            target: context.target,
                            invokee: context.invokee,
                            definer: context.definer,
                            prop: context.prop,
                            native: false,
                        });
                        fp = sp;
                        sp = end;
                        ip = entry as usize;
                    }
                    _ => {
                        self.poll += 1;
                        slow!(self.enter(function, argc, context));
                    }
                }
            }};
        }
        macro_rules! get_prop {
            ($object:expr, $prop:expr, $site:expr) => {{
                let (object, prop) = ($object, $prop);
                match self.own_value(object, prop, $site) {
                    Some((Value::Code(function), definer)) => {
                        if let Some(value) = self.code.constant_of(function, 0) {
                            self.r0 = value;
                            continue;
                        }
                        let invokee = Value::Func(function);
                        enter!(function, 0, Context { this: object, target: object, invokee, definer, prop });
                    }
                    Some((value, _)) if !is_active(value) => self.r0 = value,
                    _ => slow!(self.send(Sending { prop, target: object, this: object, argc: 0 })),
                }
            }};
        }
        macro_rules! leave {
            ($value:expr) => {{
                self.r0 = $value;
                let Some(frame) = self.frames.pop() else { return Ok(()) };
                if self.frames.len() < self.watch_floor {
                    self.detach_frames();
                }
                sp = (frame.fp - frame.argc) as usize;
                ip = frame.ret as usize;
                match self.frames.last() {
                    Some(outer) if self.frames.len() >= depth => {
                        fp = outer.fp as usize;
                    }
                    _ => {
                        sync!();
                        return Ok(());
                    }
                }
            }};
        }

        loop {
            let Some(inst) = self.code.insts.get(ip) else { raise!(error::INVALID_OPCODE) };
            ip += 1;
            // The instruction is not copied, so that each arm reads only the fields that it needs.
            match *inst {
                Inst::Push(src) => push!(read!(src)),
                Inst::PushConst(value) => push!(value),
                Inst::Set { dst, src } => set_slot!(dst, read!(src)),
                Inst::AddInt { slot, add, dst } => {
                    let value = slot!(slot);
                    if let Value::Int(number) = value
                        && let Some(sum) = number.checked_add(add as i32)
                    {
                        set_slot!(dst, Value::Int(sum));
                    } else {
                        let sum = value!(self.binary(BinOp::Add, value, Value::Int(add as i32)));
                        set_slot!(dst, sum);
                    }
                }
                Inst::Bin { op, a, b } => {
                    let b = read!(b);
                    let a = read!(a);
                    let result = match (a, b) {
                        (Value::Int(x), Value::Int(y)) => match int_fast(op, x, y) {
                            Some(number) => Value::Int(number),
                            None => value!(self.binary(op, a, b)),
                        },
                        _ => value!(self.binary(op, a, b)),
                    };
                    push!(result);
                }
                Inst::BinSet { op, a, b, dst } => {
                    let b = read!(b);
                    let a = read!(a);
                    let result = match (a, b) {
                        (Value::Int(x), Value::Int(y)) => match int_fast(op, x, y) {
                            Some(number) => Value::Int(number),
                            None => value!(self.binary(op, a, b)),
                        },
                        _ => value!(self.binary(op, a, b)),
                    };
                    set_slot!(dst, result);
                }
                Inst::Un { op, a } => {
                    let a = read!(a);
                    push!(value!(self.unary(op, a)));
                }
                Inst::Cmp { op, a, b } => {
                    let b = read!(b);
                    let a = read!(a);
                    let holds = match (a, b) {
                        (Value::Int(a), Value::Int(b)) => int_compare(op, a, b),
                        _ => value!(self.compare(op, a, b)),
                    };
                    push!(Value::truth(holds));
                }
                Inst::CmpJump { op, a, b, target } => {
                    let b = read!(b);
                    let a = read!(a);
                    let holds = match (a, b) {
                        (Value::Int(a), Value::Int(b)) => int_compare(op, a, b),
                        _ => value!(self.compare(op, a, b)),
                    };
                    if holds {
                        jump!(target);
                    }
                }
                Inst::CmpIntJump { op, slot, with, target } => {
                    let a = slot!(slot);
                    let holds = match a {
                        Value::Int(a) => int_compare(op, a, with as i32),
                        _ => value!(self.compare(op, a, Value::Int(with as i32))),
                    };
                    if holds {
                        jump!(target);
                    }
                }
                Inst::Jump(target) => jump!(target),
                Inst::Branch { cond, src, target } => {
                    let value = read!(src);
                    let holds = match cond {
                        Cond::True => !value.is_false(),
                        Cond::False => value.is_false(),
                        Cond::Nil => value == Value::Nil,
                        Cond::NotNil => value != Value::Nil,
                    };
                    if holds {
                        jump!(target);
                    }
                }
                Inst::BranchKeep { if_true, target } => {
                    let value = pop!();
                    if value.is_false() != if_true {
                        push!(value);
                        jump!(target);
                    }
                }
                Inst::SubCall { target, back } => {
                    let start = self.current_function_offset();
                    push!(Value::Int(back.wrapping_sub(start) as i32));
                    jump!(target);
                }
                Inst::SubReturn { slot } => {
                    let Value::Int(back) = slot!(slot) else { raise!(error::INT_VAL_REQD) };
                    let offset = self.current_function_offset().wrapping_add(back as u32);
                    match self.current_place(offset) {
                        Some(target) => jump!(target),
                        None => raise!(error::INVALID_OPCODE),
                    }
                }
                Inst::Switch { src, table } => {
                    let value = read!(src);
                    let target = self.switch_target(table as usize, value);
                    jump!(target);
                }
                Inst::IterNext { slot, target } => {
                    let iter = slot!(slot);
                    match value!(self.iterator_next(iter)) {
                        Some(value) => push!(value),
                        None => jump!(target),
                    }
                }
                Inst::GetProp { target, prop, site } => {
                    let object = read!(target);
                    get_prop!(object, prop, site)
                }
                Inst::CallProp { argc, target, prop, site } => {
                    let argc = argc!(argc);
                    let object = read!(target);
                    match self.own_value(object, prop, site) {
                        Some((Value::Code(function), definer)) => {
                            if argc <= sp
                                && let Some(value) = self.code.constant_of(function, argc)
                            {
                                sp -= argc;
                                self.r0 = value;
                                continue;
                            }
                            let invokee = Value::Func(function);
                            enter!(function, argc, Context { this: object, target: object, invokee, definer, prop });
                        }
                        _ => slow!(self.send(Sending { prop, target: object, this: object, argc })),
                    }
                }
                Inst::PtrCallProp { argc, target, prop } => {
                    let argc = argc!(argc);
                    let prop = read!(prop);
                    let target = read!(target);
                    slow!(self.send_pointer(prop, target, target, argc));
                }
                Inst::Inherit { argc, prop } => {
                    let argc = argc!(argc);
                    slow!(self.inherit(prop, argc));
                }
                Inst::Delegate { argc, target, prop } => {
                    let argc = argc!(argc);
                    let target = read!(target);
                    slow!(self.send(Sending { prop, target, this: this!(), argc }));
                }
                Inst::SetProp { target, value, prop, site } => {
                    let object = read!(target);
                    let value = read!(value);
                    if !self.set_own(object, prop, site, value) {
                        slow!(self.set_prop(object, prop, value));
                    }
                }
                Inst::SetElement { container, index, value } => {
                    let index = read!(index);
                    let container = read!(container);
                    let value = read!(value);
                    if self.set_index_fast(container, index, value) {
                        push!(container);
                    } else {
                        let container = value!(self.set_index(container, index, value));
                        push!(container);
                    }
                }
                Inst::SetElementOf { slot, index, value } => {
                    let index = read!(index);
                    let container = slot!(slot);
                    let value = read!(value);
                    if !self.set_index_fast(container, index, value) {
                        let container = value!(self.set_index(container, index, value));
                        set_slot!(slot, container);
                    }
                }
                Inst::SetIndexLocal { slot, index, value } => {
                    let value = read!(value);
                    let container = slot!(slot);
                    if !self.set_index_fast(container, Value::Int(index as i32), value) {
                        let container = value!(self.set_index(container, Value::Int(index as i32), value));
                        set_slot!(slot, container);
                    }
                }
                Inst::Call { argc, function } => {
                    let argc = argc!(argc);
                    enter!(function, argc, Context { invokee: Value::Func(function), ..Context::default() });
                }
                Inst::PtrCall { argc, callee } => {
                    let argc = argc!(argc);
                    let callee = read!(callee);
                    slow!(self.enter_pointer(callee, argc));
                }
                Inst::Builtin { argc, set, index } => {
                    let argc = argc!(argc);
                    slow!(self.call_builtin(set as u16, index, argc));
                }
                Inst::New { argc, metaclass, transient } => {
                    let argc = if argc == NEW_VARARGS { popped_argc } else { argc as usize };
                    slow!(self.create(metaclass, argc, transient));
                }
                Inst::Return(src) => {
                    let value = read!(src);
                    leave!(value);
                }
                Inst::ReturnPop => {
                    let value = pop!();
                    leave!(value);
                }
                Inst::ReturnSlot(slot) => {
                    let value = slot!(slot);
                    leave!(value);
                }
                Inst::ReturnR0 => {
                    let value = self.r0;
                    leave!(value);
                }
                Inst::Throw(src) => {
                    let object = read!(src);
                    sync!();
                    return match object {
                        Value::Obj(_) => Err(Throw::Exception(object)),
                        _ => fail(error::OBJ_VAL_REQD),
                    };
                }
                Inst::Say(text) => slow!(self.say(Value::Str(text), this!())),
                Inst::SayValue(src) => {
                    let value = read!(src);
                    slow!(self.say(value, this!()));
                }
                Inst::PopArgc => {
                    let value = pop!();
                    let Value::Int(count) = value else { raise!(error::NUM_VAL_REQD) };
                    popped_argc = usize::try_from(count).unwrap_or(usize::MAX).min(sp);
                }
                Inst::Drop(count) => sp = sp.saturating_sub(count as usize),
                Inst::Dup => {
                    let value = pop!();
                    push!(value);
                    push!(value);
                }
                Inst::Swap => {
                    let b = pop!();
                    let a = pop!();
                    push!(b);
                    push!(a);
                }
                Inst::PushFromTop(n) => match self.stack.get(sp.wrapping_sub(1 + n as usize)) {
                    Some(value) => push!(*value),
                    None => raise!(error::STACK_OUT_OF_BOUNDS),
                },
                Inst::PushArgc => push!(Value::Int(self.frames.last().map_or(0, |frame| frame.argc as i32))),
                Inst::NamedArgs { count, .. } => sp = sp.saturating_sub(count as usize),
                Inst::Error(code) => raise!(u32::from(code)),
                Inst::PushSlot(slot) => push!(slot!(slot)),
                Inst::PushInt(number) => push!(Value::Int(number as i32)),
                Inst::PushR0 => push!(self.r0),
                Inst::PushThis => push!(this!()),
                Inst::PushConstant(index) => {
                    push!(self.code.constants.get(index as usize).copied().unwrap_or_default());
                }
                Inst::SetPop { dst } => {
                    let value = pop!();
                    set_slot!(dst, value);
                }
                Inst::SetSlot { dst, src } => set_slot!(dst, slot!(src)),
                Inst::SetInt { dst, number } => set_slot!(dst, Value::Int(number as i32)),
                Inst::SetR0 { dst } => set_slot!(dst, self.r0),
                Inst::Index { a, b } => {
                    let b = read!(b);
                    let a = read!(a);
                    let value = element!(a, b);
                    push!(value);
                }
                Inst::IndexSS { a, b } => {
                    let value = element!(slot!(a), slot!(b));
                    push!(value);
                }
                Inst::IndexSI { a, b } => {
                    let value = element!(slot!(a), Value::Int(b as i32));
                    push!(value);
                }
                Inst::IndexTo { a, b, dst } => {
                    let b = read!(b);
                    let a = read!(a);
                    let value = element!(a, b);
                    set_slot!(dst, value);
                }
                Inst::JumpSS { order, a, b, target } => compare_jump!(order, slot!(a), slot!(b), target),
                Inst::JumpSI { order, a, b, target } => {
                    compare_jump!(order, slot!(a), Value::Int(b as i32), target)
                }
                Inst::JumpPI { order, b, target } => compare_jump!(order, pop!(), Value::Int(b as i32), target),
                Inst::JumpPS { order, b, target } => compare_jump!(order, pop!(), slot!(b), target),
                Inst::GetPropThis { prop, site } => get_prop!(this!(), prop, site),
                Inst::GetPropSlot { slot, prop, site } => {
                    let object = slot!(slot);
                    get_prop!(object, prop, site)
                }
                // Instructions for arithmetic with operands of known forms, and in the end those that are rare. Both are
                // decided by the tag that this match decides by, so that the compiler makes one table of jumps.
                _ => arithmetic!(arithmetic_arms!(inst)),
            }
        }
    }
}
