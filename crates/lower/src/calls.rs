//! Pending calls: preparing, passing arguments, calling.

use crate::heights;
use crate::hints::{ByRef, literal_of};
use crate::lower::{Lowering, Parts};
use crate::opline::{ANY_PARAMETER, ClassBy, FORWARDS, HEADER_CELLS, Literal, NamedCall, Operand};
use crate::ops::OpCode;
use crate::pending::OpenCall;
use phlox_hhbc::{Base, Instr, LocalId, StrId, VectorId};

impl Lowering<'_> {
    /// The description of the call that the instruction at `push` opens, with what is known of the callee.
    pub fn open_call(&mut self, push: usize, depth: u32, header: u32) -> OpenCall {
        let instr = &self.code.code[push];
        let by_ref = match instr {
            Instr::FPushFuncD { name, .. } => self.hints.function(*name),
            _ => None,
        };
        let fast_path = match instr {
            Instr::FPushFuncD { name, args } if self.hints.has_fast_path(*name, *args) => Some(*name),
            _ => None,
        };
        OpenCall { push, depth, header, by_ref, fast_path, ..OpenCall::default() }
    }

    /// Opens the call of the instruction at `push` on top of the stack; gives its header.
    fn open(&mut self, push: usize) -> Operand {
        let depth = self.stack.len() as u32;
        let header = self.slot(depth);
        let call = self.open_call(push, depth, header);
        self.stack.open(call);
        self.out.tmps = self.out.tmps.max(header + HEADER_CELLS);
        Operand::Tmp(header)
    }

    /// The header of the innermost pending call.
    fn header(&self) -> Operand {
        self.stack.call().map_or(Operand::None, |call| Operand::Tmp(call.header))
    }

    /// The header that the next call to be opened gets.
    fn next_header(&mut self) -> Operand {
        Operand::Tmp(self.next_slot())
    }

    /// Lowers an FPush instruction; gives the number of instructions that were lowered.
    pub fn push_call(&mut self, instr: Instr) -> usize {
        self.flush_locals();
        match instr {
            Instr::FPushFuncD { name, args } if let Some(done) = self.constant_call(name, args) => return done,
            Instr::FPushFuncD { name, .. } => {
                let b = self.literal(Literal::Str(name));
                let a = self.next_header();
                self.emit(OpCode::InitFunc, Parts { a, b, site: true, ..Parts::default() });
                self.open(self.pc);
            }
            Instr::FPushFuncU { name, fallback, .. } => {
                let b = self.literal(Literal::Str(name));
                let Operand::Lit(fallback) = self.literal(Literal::Str(fallback)) else { return 1 };
                let a = self.next_header();
                self.emit(OpCode::InitFunc, Parts { a, b, n: fallback + 1, site: true, ..Parts::default() });
                self.open(self.pc);
            }
            Instr::FPushObjMethodD { name, .. } => {
                let object = self.pop();
                self.flush_locals();
                let c = self.literal(Literal::Str(name));
                let a = self.next_header();
                self.emit(OpCode::InitMethod, Parts { a, b: object, c, site: true, ..Parts::default() });
                self.open(self.pc);
            }
            Instr::FPushClsMethodD { name, class, .. } => {
                let (b, c) = (self.literal(Literal::Str(class)), self.literal(Literal::Str(name)));
                let a = self.next_header();
                self.emit(OpCode::InitStatic, Parts { a, b, c, site: true, ..Parts::default() });
                self.open(self.pc);
            }
            Instr::FPushFunc { .. } => {
                let b = self.pop();
                let a = self.next_header();
                self.emit(OpCode::InitDynamic, Parts { a, b, site: true, ..Parts::default() });
                self.open(self.pc);
            }
            Instr::FPushCtorD { class, .. } => {
                let b = self.literal(Literal::Str(class));
                self.push_constructor(self.pc, b, ClassBy::Name);
            }
            Instr::FPushUserFunc { .. } => self.push_slow(OpCode::InitUser, instr),
            _ => self.push_slow(OpCode::InitSlow, instr),
        }
        1
    }

    /// Lowers a call of a function that only returns a literal, with literals or locals as arguments; gives the number of
    /// instructions that were lowered. `None`: it is no such call.
    fn constant_call(&mut self, name: StrId, args: u32) -> Option<usize> {
        let result = self.hints.constant(name, args)?;
        let (mut ahead, mut locals) = (1, Vec::new());
        for _ in 0..args {
            ahead += match self.follower(ahead)? {
                Instr::FPassL { local, .. } => {
                    locals.push(Operand::Local(local));
                    1
                }
                pushes if literal_of(pushes).is_some() => match self.follower(ahead + 1)? {
                    Instr::FPassC { .. } | Instr::FPassCE { .. } => 2,
                    _ => return None,
                },
                _ => return None,
            };
        }
        let Instr::FCall { .. } = self.follower(ahead)? else { return None };
        for a in locals {
            // The local may be undefined, which PHP reports.
            self.emit_push(OpCode::Copy, Parts { a, ..Parts::default() });
            let a = self.pop();
            self.emit(OpCode::Free, Parts { a, ..Parts::default() });
        }
        let result = self.literal(result);
        self.push(result);
        Some(ahead + 1)
    }

    /// Emits the opline for `new`, which pushes the object, and opens the call of its constructor. `push`: the instruction that
    /// opens the call.
    fn push_constructor(&mut self, push: usize, class: Operand, by: ClassBy) {
        let object = Operand::Tmp(self.next_slot());
        // The object lies below the header on the stack; it is not live before it has been made.
        self.stack.push(Operand::None);
        let header = self.next_header();
        self.emit(OpCode::InitNew, Parts { a: header, b: class, c: object, n: by as u32, site: true });
        self.stack.pop();
        self.stack.push(object);
        self.open(push);
    }

    /// Lets the reference interpreter execute an instruction that opens a call, by opline `op`.
    fn push_slow(&mut self, op: OpCode, instr: Instr) {
        let (inputs, results) = heights::effect(self.code, &instr);
        self.flush_top(inputs as usize);
        for _ in 0..inputs {
            self.pop();
        }
        let b = Operand::Tmp(self.next_slot());
        for _ in 0..results {
            self.stack.push(Operand::None);
        }
        let a = self.next_header();
        self.emit(op, Parts { a, b, n: inputs, ..Parts::default() });
        for _ in 0..results {
            self.stack.pop();
        }
        for _ in 0..results {
            self.push_result();
        }
        self.open(self.pc);
    }

    /// Lowers a class reference together with the instruction that consumes it; gives the number of instructions that were lowered.
    pub fn class_reference(&mut self, by: ClassBy, class: Option<StrId>) -> Option<usize> {
        let class_name = class;
        let Some(next) = self.follower(1) else { return self.class_of_static(by, class_name) };
        let name_on_top = matches!(self.stack.last(), Some(&name) if self.is_text(name));
        let class = class.map_or(Operand::None, |class| self.literal(Literal::Str(class)));
        match next {
            Instr::FPushClsMethod { .. } | Instr::FPushClsMethodF { .. } if name_on_top => {
                let name = self.pop();
                self.flush_locals();
                let forwards = if matches!(next, Instr::FPushClsMethodF { .. }) { FORWARDS } else { 0 };
                let a = self.next_header();
                let n = by as u32 | forwards;
                self.emit(OpCode::InitStatic, Parts { a, b: class, c: name, n, site: true });
                self.open(self.pc + 1);
            }
            Instr::FPushCtor { .. } => {
                self.flush_locals();
                self.push_constructor(self.pc + 1, class, by);
            }
            Instr::CGetS {} if name_on_top => {
                let name = self.pop();
                self.flush_locals();
                let parts = Parts { a: class, b: name, n: by as u32, site: true, ..Parts::default() };
                self.emit_push(OpCode::GetStatic, parts);
            }
            Instr::NameA {} if by != ClassBy::Name => {
                self.flush_locals();
                self.emit_push(OpCode::ClassName, Parts { n: by as u32, ..Parts::default() });
            }
            Instr::ClsCns { name } => {
                self.flush_locals();
                let b = self.literal(Literal::Str(name));
                let parts = Parts { a: class, b, n: by as u32, site: true, ..Parts::default() };
                self.emit_push(OpCode::ClassConst, parts);
            }
            _ => return self.class_of_static(by, class_name),
        }
        Some(2)
    }

    /// What is known of the by-reference parameters of the innermost pending call's callee.
    fn by_ref(&self) -> Option<ByRef> {
        self.stack.call().and_then(|call| call.by_ref)
    }

    /// Whether the innermost pending call has named arguments so far.
    pub fn is_named(&self) -> bool {
        self.stack.call().is_some_and(|call| call.next_name.is_some() || !call.names.is_empty())
    }

    /// Lowers an FPass instruction.
    pub fn pass(&mut self, instr: Instr) {
        if self.is_named() {
            return self.pass_named(instr);
        }
        match instr {
            Instr::FPassC { .. } => self.flush_top(1),
            Instr::FPassCE { param } => {
                self.flush_top(1);
                if self.by_ref() != Some(ByRef::None) {
                    self.send_in_place(OpCode::SendValue, param);
                }
            }
            Instr::FPassV { param } | Instr::FPassR { param } | Instr::FPassUser { param } => {
                self.flush_top(1);
                match (self.by_ref(), instr) {
                    (Some(ByRef::None), Instr::FPassUser { .. }) => {}
                    // The call before has passed a value already.
                    (Some(ByRef::None), _) => self.deref_top(),
                    _ => self.send_in_place(OpCode::SendSlow, param),
                }
            }
            Instr::FPassL { param, local } => self.pass_local(param, local),
            Instr::FPassM { param, vector } => self.pass_member(instr, param, vector),
            _ => self.generic_step(instr),
        }
    }

    /// Emits an opline that passes the value on top of the stack in its own temporary.
    fn send_in_place(&mut self, op: OpCode, param: u32) {
        let b = self.pop();
        let a = self.header();
        self.emit(op, Parts { a, b, n: param, ..Parts::default() });
        self.push(b);
    }

    /// Turns the value on top of the stack, which may be a reference, into a plain value.
    fn deref_top(&mut self) {
        let a = self.pop();
        self.emit(OpCode::Deref, Parts { a, ..Parts::default() });
        self.push(a);
    }

    /// Lowers FPassL: a local is passed by value or by reference.
    fn pass_local(&mut self, param: u32, local: LocalId) {
        self.flush_locals();
        let a = self.header();
        let b = Operand::Local(local);
        match self.by_ref() {
            Some(ByRef::None) => self.emit_push(OpCode::Copy, Parts { a: b, ..Parts::default() }),
            _ => self.emit_push(OpCode::SendLocal, Parts { a, b, n: param, ..Parts::default() }),
        }
    }

    /// Lowers FPassM: the value that a member vector leads to is passed, or a reference to its place.
    fn pass_member(&mut self, instr: Instr, param: u32, vector: VectorId) {
        let vector = &self.code.vectors[vector.index()];
        if !self.is_plain_read(vector) {
            return self.generic_step(instr);
        }
        self.flush_all();
        if self.by_ref() == Some(ByRef::None) {
            return self.read_member(vector, false);
        }
        // No reference can be made to a part of a temporary value.
        if vector.base == Base::C {
            return self.unless_by_value(instr, |lowering| lowering.read_member(vector, false));
        }
        let a = self.header();
        let branch = self.emit(OpCode::JmpByValue, Parts { a, n: param, ..Parts::default() });
        let inputs = self.stack.top(heights::vector_inputs(vector) as usize);
        let below = self.stack.len() - inputs.len();
        self.reference_to_member(vector);
        let over = self.emit(OpCode::Jmp, Parts::default());
        self.land_here(branch);
        self.stack.restore(below, &inputs);
        self.read_member(vector, false);
        self.flush_all();
        self.land_here(over);
    }

    /// Lowers the name of the next argument. Names stand in a table for the call; while arguments are passed they matter only if
    /// the callee takes references.
    pub fn name_argument(&mut self, instr: Instr, name: StrId) {
        if let Some(call) = self.stack.call_mut() {
            call.next_name = Some(name);
        }
        self.unless_by_value(instr, |_| {});
    }

    /// Lowers an FPass instruction that passes a named argument.
    fn pass_named(&mut self, instr: Instr) {
        match instr {
            Instr::FPassC { param } | Instr::FPassCE { param } | Instr::FPassUser { param } => {
                self.note_name(param);
                self.unless_by_value(instr, |_| {});
            }
            Instr::FPassV { param } | Instr::FPassR { param } => {
                self.note_name(param);
                self.unless_by_value(instr, Self::deref_top);
            }
            Instr::FPassL { param, local } => {
                self.note_name(param);
                let copy = Parts { a: Operand::Local(local), ..Parts::default() };
                self.unless_by_value(instr, |lowering| lowering.emit_push(OpCode::Copy, copy));
            }
            Instr::FPassM { param, vector } => {
                self.note_name(param);
                let vector = &self.code.vectors[vector.index()];
                match self.is_plain_read(vector) {
                    true => self.unless_by_value(instr, |lowering| lowering.read_member(vector, false)),
                    false => self.generic_step(instr),
                }
            }
            Instr::FPassS { param } | Instr::FPassN { param } | Instr::FPassG { param } => {
                self.note_name(param);
                self.generic_step(instr);
            }
            _ => self.generic_step(instr),
        }
    }

    /// Gives argument `param` the name that came before it.
    fn note_name(&mut self, param: u32) {
        if let Some(call) = self.stack.call_mut()
            && let Some(name) = call.next_name.take()
        {
            call.names.push((param, name));
        }
    }

    /// Lets the reference interpreter execute the instruction if the callee takes references; otherwise `by_value` lowers it.
    fn unless_by_value(&mut self, instr: Instr, by_value: impl FnOnce(&mut Self)) {
        self.flush_all();
        if self.by_ref() == Some(ByRef::None) {
            return by_value(self);
        }
        let a = self.header();
        let branch = self.emit(OpCode::JmpByValue, Parts { a, n: ANY_PARAMETER, ..Parts::default() });
        let inputs = self.stack.top(heights::effect(self.code, &instr).0 as usize);
        let below = self.stack.len() - inputs.len();
        self.generic_step(instr);
        self.flush_all();
        let over = self.emit(OpCode::Jmp, Parts::default());
        self.land_here(branch);
        self.stack.restore(below, &inputs);
        by_value(self);
        self.flush_all();
        self.land_here(over);
    }

    /// Lowers an FCall instruction and the one that consumes its result; gives the number of instructions that were lowered.
    pub fn call(&mut self, instr: Instr) -> usize {
        let (inputs, _) = heights::effect(self.code, &instr);
        self.flush_all();
        let header = self.header();
        let array = match instr {
            Instr::FCallUnpack { .. } => self.stack.last().copied().unwrap_or_default(),
            _ => Operand::None,
        };
        let args = if array == Operand::None { inputs } else { inputs - 1 };
        for _ in 0..inputs {
            self.pop();
        }
        let (names, fast_path) = self.stack.close().map(|call| (call.names, call.fast_path)).unwrap_or_default();
        let named = !names.is_empty();
        let slow = named || array != Operand::None;
        let discarded = self.discarded(1);
        let by_value = match self.follower(1) {
            Some(Instr::UnboxR {}) => true,
            Some(Instr::FPassR { .. }) => self.by_ref() == Some(ByRef::None) && !self.is_named(),
            _ => false,
        };
        let op = match (slow, by_value || discarded) {
            (true, _) if named => OpCode::CallNamed,
            (true, _) => OpCode::CallSlow,
            (false, true) => OpCode::Call,
            (false, false) => OpCode::CallRef,
        };
        let c = if discarded { Operand::None } else { Operand::Tmp(self.next_slot()) };
        let (b, site) = match fast_path {
            Some(name) if op == OpCode::Call => (self.literal(Literal::Str(name)), true),
            _ => (array, false),
        };
        let (n, site) = match named {
            true => {
                self.out.named_calls.push(NamedCall { args, names });
                (self.out.named_calls.len() as u32 - 1, true)
            }
            false => (args, site),
        };
        self.emit(op, Parts { a: header, b, c, n, site });
        if discarded {
            return 2;
        }
        self.push(c);
        match self.follower(1) {
            Some(Instr::UnboxR {}) => {
                if slow {
                    self.deref_top();
                }
                2
            }
            _ => 1,
        }
    }

    /// Lowers FCallable.
    pub fn callable(&mut self) {
        self.flush_locals();
        let a = self.header();
        self.stack.close();
        self.emit_push(OpCode::Callable, Parts { a, ..Parts::default() });
    }

    /// Lets the reference interpreter execute an instruction.
    pub fn generic_step(&mut self, instr: Instr) {
        let (inputs, results) = heights::effect(self.code, &instr);
        self.flush_locals();
        self.flush_top(inputs as usize);
        let mut target = None;
        heights::targets(self.code, &instr, |found| target = Some(found.0));
        if target.is_some() {
            self.flush_all();
        }
        for _ in 0..inputs {
            self.pop();
        }
        let a = Operand::Tmp(self.next_slot());
        let b = self.header();
        let parts = Parts { a, b, n: inputs, ..Parts::default() };
        match (target, instr) {
            (Some(target), _) => self.emit_jump(OpCode::Step, parts, target),
            (None, Instr::UnpackArgsL { args: 0, local }) => {
                self.emit(OpCode::UnpackLocal, Parts { c: Operand::Local(local), ..parts })
            }
            (None, Instr::VerifyRetTypeC {}) => self.emit(OpCode::VerifyReturn, Parts { b: Operand::None, ..parts }),
            (None, instr) if stays_in_frame(instr) => {
                self.emit(OpCode::StepValue, Parts { b: Operand::None, c: a, ..parts })
            }
            (None, _) => self.emit(OpCode::Step, parts),
        };
        for _ in 0..results {
            self.push_result();
        }
    }
}

/// Whether an instruction computes one value from values, and any PHP code that it runs has returned when the instruction ends.
fn stays_in_frame(instr: Instr) -> bool {
    matches!(
        instr,
        Instr::InstanceOf {}
            | Instr::CastArray {}
            | Instr::CastObject {}
            | Instr::ClassOfC {}
            | Instr::UnpackElems {}
            | Instr::Print {}
    )
}
