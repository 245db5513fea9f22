//! The instruction loop.
//!
//! The position, stack pointer and frame base live in locals while instructions run; anything that may call into the
//! program or fail writes them back first (`sync`) and reads them again afterwards (`reload`).

use crate::code::NOT_TRANSLATED;
use crate::code::inst::{BinOp, Cond, Inst, Src, VARARGS};
use crate::error::{self, Run, Throw, fail};
use crate::fast::{and_bits, int_compare, int_fast, is_active, simple_remainder};
use crate::value::{NO_PROP, Value};
use crate::vm::Context;
use crate::vm::Sending;
use crate::vm::{Frame, Vm};

impl Vm {
    /// Runs until the frame with number `depth` (counted from 1) has returned.
    pub fn run(&mut self, depth: usize) -> Run<()> {
        loop {
            match self.execute(depth) {
                Ok(()) => return Ok(()),
                Err(throw) => self.unwind(throw, depth)?,
            }
            // A handler may throw again at once, for ever: that costs fuel as well.
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

        // Arithmetic on integers without overflow; everything else goes the long way.
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
        // A call of a function of the program: the short way if it is translated and nothing is out of the ordinary.
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
            // By reference: each arm reads just the fields that it needs.
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
                Inst::PtrInherit { argc, prop } => {
                    let argc = argc!(argc);
                    let prop = read!(prop);
                    let prop = value!(self.want_prop(prop));
                    slow!(self.inherit(prop, argc));
                }
                Inst::ExpInherit { argc, prop, object } => {
                    let argc = argc!(argc);
                    slow!(self.send(Sending { prop, target: Value::object(object), this: this!(), argc }));
                }
                Inst::PtrExpInherit { argc, object, prop } => {
                    let argc = argc!(argc);
                    let prop = read!(prop);
                    slow!(self.send_pointer(prop, Value::object(object), this!(), argc));
                }
                Inst::Delegate { argc, target, prop } => {
                    let argc = argc!(argc);
                    let target = read!(target);
                    slow!(self.send(Sending { prop, target, this: this!(), argc }));
                }
                Inst::PtrDelegate { argc, target, prop } => {
                    let argc = argc!(argc);
                    let prop = read!(prop);
                    let target = read!(target);
                    slow!(self.send_pointer(prop, target, this!(), argc));
                }
                Inst::GetPropData { prop } => {
                    let target = pop!();
                    slow!(self.get_data(target, prop));
                }
                Inst::PtrGetPropData => {
                    let prop = pop!();
                    let target = pop!();
                    let prop = value!(self.want_prop(prop));
                    slow!(self.get_data(target, prop));
                }
                Inst::SetProp { target, value, prop, site } => {
                    let object = read!(target);
                    let value = read!(value);
                    if !self.set_own(object, prop, site, value) {
                        slow!(self.set_prop(object, prop, value));
                    }
                }
                Inst::PtrSetProp => {
                    let prop = pop!();
                    let object = pop!();
                    let value = pop!();
                    let prop = value!(self.want_prop(prop));
                    slow!(self.set_prop(object, prop, value));
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
                    let argc = if argc == u16::from(VARARGS) { popped_argc } else { argc as usize };
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
                Inst::Dup2 => {
                    let b = pop!();
                    let a = pop!();
                    for value in [a, b, a, b] {
                        push!(value);
                    }
                }
                Inst::Swap => {
                    let b = pop!();
                    let a = pop!();
                    push!(b);
                    push!(a);
                }
                Inst::Swap2 => {
                    let d = pop!();
                    let c = pop!();
                    let b = pop!();
                    let a = pop!();
                    for value in [c, d, a, b] {
                        push!(value);
                    }
                }
                Inst::SwapN(a, b) => {
                    let (a, b) = (sp.wrapping_sub(1 + a as usize), sp.wrapping_sub(1 + b as usize));
                    if a >= self.stack.len() || b >= self.stack.len() {
                        raise!(error::STACK_OUT_OF_BOUNDS);
                    }
                    self.stack.swap(a, b);
                }
                Inst::PushFromTop(n) => match self.stack.get(sp.wrapping_sub(1 + n as usize)) {
                    Some(value) => push!(*value),
                    None => raise!(error::STACK_OUT_OF_BOUNDS),
                },
                Inst::PushArgc => push!(Value::Int(self.frames.last().map_or(0, |frame| frame.argc as i32))),
                Inst::PushContext(element) => {
                    let Some(frame) = self.frames.last() else { raise!(error::BAD_FRAME) };
                    let value = match element {
                        1 if frame.prop == NO_PROP => Value::Nil,
                        1 => Value::Prop(frame.prop),
                        2 => frame.target,
                        3 => Value::object(frame.definer),
                        4 => frame.invokee,
                        _ => raise!(error::INVALID_OPCODE),
                    };
                    push!(value);
                }
                Inst::PushArgList(fixed) => {
                    let argc = self.frames.last().map_or(0, |frame| frame.argc as usize);
                    let start = fp.saturating_sub(argc);
                    let end = fp.saturating_sub(fixed as usize).max(start);
                    let items: Vec<Value> = self.stack[start..end].iter().rev().copied().collect();
                    push!(self.heap.new_list(items));
                }
                Inst::SpreadList => slow!(self.spread_arguments()),
                Inst::PushText(index) => {
                    let text = self.code.texts.get(index as usize).cloned().unwrap_or_default();
                    push!(self.heap.new_text(text));
                }
                Inst::NamedArgs { count, .. } => sp = sp.saturating_sub(count as usize),
                Inst::SetSelf(src) => {
                    let value = read!(src);
                    if !matches!(value, Value::Obj(_) | Value::Nil) {
                        raise!(error::OBJ_VAL_REQD);
                    }
                    if let Some(frame) = self.frames.last_mut() {
                        frame.this = value;
                    }
                }
                Inst::LoadContext => {
                    let context = pop!();
                    slow!(self.load_context(context));
                }
                Inst::StoreContext => {
                    let Some(frame) = self.frames.last().copied() else { raise!(error::BAD_FRAME) };
                    let prop = if frame.prop == NO_PROP { Value::Nil } else { Value::Prop(frame.prop) };
                    let items = vec![frame.this, prop, frame.target, Value::object(frame.definer)];
                    push!(self.heap.new_list(items));
                }
                Inst::GetOuterLocal { local, level } => {
                    let at = value!(self.outer_slot(level, |frame| frame.fp as usize + local as usize));
                    push!(self.stack[at]);
                }
                Inst::SetOuterLocal { local, level } => {
                    let value = pop!();
                    let at = value!(self.outer_slot(level, |frame| frame.fp as usize + local as usize));
                    self.stack[at] = value;
                }
                Inst::GetOuterArg { arg, level } => {
                    let at = value!(self.outer_slot(level, |frame| (frame.fp as usize).wrapping_sub(1 + arg as usize)));
                    push!(self.stack[at]);
                }
                Inst::SetOuterArg { arg, level } => {
                    let value = pop!();
                    let at = value!(self.outer_slot(level, |frame| (frame.fp as usize).wrapping_sub(1 + arg as usize)));
                    self.stack[at] = value;
                }
                Inst::PushOuterArgc { level } => {
                    let frame = value!(self.outer_frame(level));
                    push!(Value::Int(frame.argc as i32));
                }
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
                Inst::AddSS { a, b } => arith!(Add, i32::checked_add, slot!(a), slot!(b), |value| push!(value)),
                Inst::AddSI { a, b } => {
                    arith!(Add, i32::checked_add, slot!(a), Value::Int(b as i32), |value| push!(value))
                }
                Inst::AddPS { b } => arith!(Add, i32::checked_add, pop!(), slot!(b), |value| push!(value)),
                Inst::AddPI { b } => arith!(Add, i32::checked_add, pop!(), Value::Int(b as i32), |value| push!(value)),
                Inst::AddSSTo { a, b, dst } => {
                    arith!(Add, i32::checked_add, slot!(a), slot!(b), |value| set_slot!(dst, value))
                }
                Inst::AddSITo { a, b, dst } => {
                    arith!(Add, i32::checked_add, slot!(a), Value::Int(b as i32), |value| set_slot!(dst, value))
                }
                Inst::SubSS { a, b } => arith!(Sub, i32::checked_sub, slot!(a), slot!(b), |value| push!(value)),
                Inst::SubSI { a, b } => {
                    arith!(Sub, i32::checked_sub, slot!(a), Value::Int(b as i32), |value| push!(value))
                }
                Inst::SubPS { b } => arith!(Sub, i32::checked_sub, pop!(), slot!(b), |value| push!(value)),
                Inst::SubPI { b } => arith!(Sub, i32::checked_sub, pop!(), Value::Int(b as i32), |value| push!(value)),
                Inst::SubSSTo { a, b, dst } => {
                    arith!(Sub, i32::checked_sub, slot!(a), slot!(b), |value| set_slot!(dst, value))
                }
                Inst::SubSITo { a, b, dst } => {
                    arith!(Sub, i32::checked_sub, slot!(a), Value::Int(b as i32), |value| set_slot!(dst, value))
                }
                Inst::MulSS { a, b } => arith!(Mul, i32::checked_mul, slot!(a), slot!(b), |value| push!(value)),
                Inst::MulSI { a, b } => {
                    arith!(Mul, i32::checked_mul, slot!(a), Value::Int(b as i32), |value| push!(value))
                }
                Inst::MulPS { b } => arith!(Mul, i32::checked_mul, pop!(), slot!(b), |value| push!(value)),
                Inst::MulPI { b } => arith!(Mul, i32::checked_mul, pop!(), Value::Int(b as i32), |value| push!(value)),
                Inst::MulSSTo { a, b, dst } => {
                    arith!(Mul, i32::checked_mul, slot!(a), slot!(b), |value| set_slot!(dst, value))
                }
                Inst::MulSITo { a, b, dst } => {
                    arith!(Mul, i32::checked_mul, slot!(a), Value::Int(b as i32), |value| set_slot!(dst, value))
                }
                Inst::AndSS { a, b } => arith!(And, and_bits, slot!(a), slot!(b), |value| push!(value)),
                Inst::AndSI { a, b } => arith!(And, and_bits, slot!(a), Value::Int(b as i32), |value| push!(value)),
                Inst::AndPS { b } => arith!(And, and_bits, pop!(), slot!(b), |value| push!(value)),
                Inst::AndPI { b } => arith!(And, and_bits, pop!(), Value::Int(b as i32), |value| push!(value)),
                Inst::AndSSTo { a, b, dst } => arith!(And, and_bits, slot!(a), slot!(b), |value| set_slot!(dst, value)),
                Inst::AndSITo { a, b, dst } => {
                    arith!(And, and_bits, slot!(a), Value::Int(b as i32), |value| set_slot!(dst, value))
                }
                Inst::ModSS { a, b } => arith!(Mod, simple_remainder, slot!(a), slot!(b), |value| push!(value)),
                Inst::ModSI { a, b } => {
                    arith!(Mod, simple_remainder, slot!(a), Value::Int(b as i32), |value| push!(value))
                }
                Inst::ModPS { b } => arith!(Mod, simple_remainder, pop!(), slot!(b), |value| push!(value)),
                Inst::ModPI { b } => arith!(Mod, simple_remainder, pop!(), Value::Int(b as i32), |value| push!(value)),
                Inst::ModSSTo { a, b, dst } => {
                    arith!(Mod, simple_remainder, slot!(a), slot!(b), |value| set_slot!(dst, value))
                }
                Inst::ModSITo { a, b, dst } => {
                    arith!(Mod, simple_remainder, slot!(a), Value::Int(b as i32), |value| set_slot!(dst, value))
                }
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
            }
        }
    }
}
