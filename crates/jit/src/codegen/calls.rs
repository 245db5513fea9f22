//! Calls between compiled functions, in machine code.
//!
//! The callee's frame is not written before a side exit. Then each function on the way out writes its own cells, and the header
//! of the frame that it has called, so that the interpreter finds all frames as if it had made the calls.

use crate::call_flags::{
    CALLS_CLOSURE, CELL_MASK, CLOSURE, CONSTRUCTS, DISCARDED, DISCARDS, GUARDED, NEEDS_FRAME, TO_BOOL,
};
use crate::codegen::exits::inlined::Way;
use crate::codegen::exits::tables::Known;
use crate::codegen::{Refusal, Translation, function_signature, passed_as};
use crate::layout::{ASSIGNS, CALLED, CALLED_LAST, Context, IS_FLUSHED, NOT_CALLED, TAGS_END, Tags};
use crate::tagged_types::is_tagged;
use crate::translate::state::kinds_of;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value, types as clif};
use phlox_hhir::types::{self as hhir, Bits};
use phlox_hhir::unit::{Const, Edge, Inst, Slot, SnapEntry, Snapshot};
use phlox_hhir::{BlockId, FLUSHED, Op, READY, SnapId, TO_LOCAL, ValueId};
use phlox_value::raw::{self, offsets};
use std::mem::offset_of;

impl Translation<'_> {
    /// The function parameter that holds an argument, or the object or class if `local` is `u32::MAX`.
    pub(crate) fn argument(&mut self, local: u32) -> Result<Value, Refusal> {
        let Some(taken) = self.taken else { return Err("an argument of a loop".to_owned()) };
        let mut at = 1;
        let own = taken.this.iter().map(|bits| (u32::MAX, *bits));
        for (number, bits) in own.chain((0..).zip(taken.args.iter().copied())) {
            let is_passed = passed_as(bits)?.is_some();
            if number == local {
                return match is_passed {
                    true => Ok(self.builder.block_params(self.entry)[at]),
                    false => Err("an argument that is not passed".to_owned()),
                };
            }
            at += usize::from(is_passed);
        }
        Err("an argument that is not there".to_owned())
    }

    /// Returns a value from the function.
    pub(crate) fn give_result(&mut self, result: ValueId) -> Result<(), Refusal> {
        let ty = self.unit.ty(result);
        let (tag, payload) = if ty.is(hhir::BOOL) {
            let truth = self.value(result)?;
            let wide = self.builder.ins().uextend(clif::I64, truth);
            let tag = self.builder.ins().iadd_imm_s(wide, i64::from(raw::TI_FALSE));
            (tag, tag)
        } else if is_tagged(ty) {
            let (payload, tag) = self.words(result)?;
            (self.builder.ins().uextend(clif::I64, tag), payload)
        } else {
            let Some(tag) = Tags::exact(ty.bits()) else { return Err(format!("a result of type {ty}")) };
            let mut payload = self.value(result)?;
            if ty.is(hhir::DBL) {
                payload = self.bits(payload);
            }
            (self.int(i64::from(tag)), payload)
        };
        self.give_words(tag, payload);
        Ok(())
    }

    pub(crate) fn give_words(&mut self, tag: Value, payload: Value) {
        self.builder.ins().return_(&[tag, payload]);
    }

    /// Takes a side exit unless a callee can be entered: it has code, both stacks have room, and nothing wants attention.
    pub(crate) fn check_room(&mut self, id: BlockId, inst: &Inst) -> Result<(), Refusal> {
        let slot = self.unit.src(inst, 1);
        let slot = self.value(slot)?;
        let code = self.load(clif::I64, slot, 0);
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, code, 0);
        let (stack, context) = (self.stack, self.context());
        let offset = self.shape.offset(Slot::Local(inst.imm[0])) + inst.imm[1] as usize;
        let end = self.builder.ins().iadd_imm_s(stack, offset as i64);
        let limit = self.load(clif::I64, context, offset_of!(Context, limit));
        let full = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, limit);
        let own = self.builder.ins().get_stack_pointer(clif::I64);
        let limit = self.load(clif::I64, context, offset_of!(Context, native_limit));
        let deep = self.builder.ins().icmp(IntCC::UnsignedLessThan, own, limit);
        let word = self.int(self.shape.interrupt as i64);
        let asked = self.builder.ins().load(clif::I32, MemFlagsData::trusted(), word, 0);
        let asked = self.builder.ins().icmp_imm_s(IntCC::NotEqual, asked, 0);
        let conditions = [none, full, deep, asked];
        if let Edge::Block(_) = inst.edge {
            let any = conditions.into_iter().reduce(|a, b| self.builder.ins().bor(a, b)).unwrap_or(none);
            return self.leave_if(id, inst, any, true);
        }
        conditions.into_iter().try_for_each(|condition| self.leave_if(id, inst, condition, true))
    }

    /// The arrays among the arguments and the snapshot's values, which this code may read behind a call without counted
    /// references. They are retained during the call, so that the callee does not change them in place.
    fn shared_arrays(&self, args: &[ValueId], entries: &[SnapEntry]) -> Vec<ValueId> {
        let mut found: Vec<ValueId> = args.iter().copied().chain(entries.iter().map(|entry| entry.value)).collect();
        found.retain(|&value| self.unit.ty(value).maybe(hhir::COUNTED_ARR));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Writes the frame, and the header of the frame that is about to be called, for code that looks at them. The references in
    /// them stay the compiled code's.
    fn write_frame(
        &mut self,
        func: u64,
        (this, is_closure): (ValueId, bool),
        argc: usize,
        header: usize,
        entries: &[SnapEntry],
        opline: u32,
    ) -> Result<(), Refusal> {
        self.show_variables(entries)?;
        self.write_header(func, header);
        let (fp, shape) = (self.fp, self.shape);
        let ty = self.unit.ty(this);
        if is_closure {
            let closure = self.value(this)?;
            self.store(closure, fp, header + shape.header.closure as usize);
        } else if ty.is(hhir::OBJ) {
            let this = self.value(this)?;
            let class = self.class_of(this);
            self.store(class, fp, header + shape.header.static_class as usize);
            self.store(this, fp, header + shape.header.this as usize);
            self.write_flags(shape.header.borrows_this, header);
        } else if ty.is(hhir::CLS) {
            let class = self.value(this)?;
            self.store(class, fp, header + shape.header.static_class as usize);
        }
        self.store(fp, fp, header + shape.header.prev as usize);
        let argc = self.builder.ins().iconst(clif::I32, argc as i64);
        self.store(argc, fp, header + shape.header.argc as usize);
        let own = self.int(shape.position(opline) as i64);
        self.store(own, fp, shape.header.ip as usize);
        Ok(())
    }

    /// Writes the variables to the frame, for code that looks at it during a call. Their references stay the compiled code's.
    fn show_variables(&mut self, entries: &[SnapEntry]) -> Result<(), Refusal> {
        for entry in entries {
            let is_variable = matches!(entry.slot, Slot::Local(cell) if cell < self.shape.before_tmps);
            if is_variable && self.unit.ty(entry.value).is(hhir::GEN) {
                let (fp, offset) = (self.fp, self.shape.offset(entry.slot));
                self.store_cell(entry.value, fp, offset)?;
            }
        }
        Ok(())
    }

    /// Has the interpreter make a call; gives the address of the result's cell.
    pub(crate) fn call_interp(&mut self, inst: &Inst) -> Result<Value, Refusal> {
        let unit = self.unit;
        let [_, func, this, args @ ..] = unit.srcs(inst) else {
            return Err("a call without a function".to_owned());
        };
        let (Some(Const::Func(func)), Edge::Exit(snap)) = (unit.as_const(*func), inst.edge) else {
            return Err("a call without a function".to_owned());
        };
        let (snap, shape, fp) = (unit.snap(snap), self.shape, self.fp);
        let header = shape.offset(Slot::Local(inst.imm[0]));
        // The variables are written first, because the header may lie over cells whose values are passed.
        let first = header + phlox_lower::HEADER_CELLS as usize * 16;
        self.show_variables(&snap.entries)?;
        let is_ready = inst.imm[2] & READY != 0;
        if !is_ready {
            self.write_header(func.0, header);
            match inst.imm[2] & CALLS_CLOSURE != 0 {
                true => self.write_closure(*this, true, header)?,
                false => self.write_context(*this, true, header)?,
            }
        }
        if inst.imm[2] & 1 != 0 {
            self.write_flags(shape.header.constructor, header);
        }
        for (index, &arg) in args.iter().enumerate() {
            self.store_cell(arg, fp, first + 16 * index)?;
        }
        let to = shape.offset(Slot::Local(inst.imm[1].wrapping_sub(1)));
        let context = self.context();
        let place = self.builder.ins().iadd_imm_s(fp, header as i64);
        let out = self.builder.ins().iadd_imm_s(fp, to as i64);
        let mut argc = match unit.as_const(*this) {
            Some(Const::Int(count)) => count as u64,
            _ => args.len() as u64,
        };
        for (flag, word) in [(TO_LOCAL, ASSIGNS), (FLUSHED, IS_FLUSHED)] {
            argc |= if inst.imm[2] & flag != 0 { word } else { 0 };
        }
        let argc = self.int(argc as i64);
        let position = self.int(shape.position(snap.opline) as i64);
        let function = shape.helpers.call as *const ();
        let status = self.call_helper(function, &[context, fp, place, argc, position, out], true).unwrap_or(out);
        self.after_interpreter(snap, status)?;
        Ok(out)
    }

    /// Has the interpreter execute an opline as a single step; gives the address of the result's cell.
    pub(crate) fn call_opline(&mut self, inst: &Inst) -> Result<Value, Refusal> {
        let unit = self.unit;
        let (Some(Const::Func(path)), Edge::Exit(snap)) = (unit.as_const(unit.src(inst, 1)), inst.edge) else {
            return Err("an opline without a path".to_owned());
        };
        let (snap, shape, fp) = (unit.snap(snap), self.shape, self.fp);
        self.show_variables(&snap.entries)?;
        let flags = if inst.imm[2] & FLUSHED != 0 { IS_FLUSHED } else { 0 };
        let [position, path, flags] = [shape.position(snap.opline), path.0, flags].map(|word| self.int(word as i64));
        let (context, function) = (self.context(), shape.helpers.step as *const ());
        let status = self.call_helper(function, &[context, fp, position, path, flags], true).unwrap_or(fp);
        self.after_interpreter(snap, status)?;
        let to = shape.offset(Slot::Local(inst.imm[1].saturating_sub(1)));
        Ok(self.builder.ins().iadd_imm_s(fp, to as i64))
    }

    /// Continues after the interpreter has run, or takes a side exit if the status says so.
    fn after_interpreter(&mut self, snap: &Snapshot, status: Value) -> Result<(), Refusal> {
        let (other, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(other);
        let called = self.builder.ins().icmp_imm_s(IntCC::Equal, status, CALLED as i64);
        self.branch_out(called, false, other, next);
        self.builder.switch_to_block(other);
        let noted = self.noting(|code| code.write_back(&snap.entries))?;
        let (last, failed) = (self.builder.create_block(), self.builder.create_block());
        let (again, thrown) = (self.builder.create_block(), self.builder.create_block());
        for block in [last, failed, again, thrown] {
            self.builder.set_cold_block(block);
        }
        let is_last = self.builder.ins().icmp_imm_s(IntCC::Equal, status, CALLED_LAST as i64);
        self.builder.ins().brif(is_last, last, &[], failed, &[]);
        self.builder.switch_to_block(last);
        self.leave_with(snap.opline + 1, true, noted.clone());
        self.builder.switch_to_block(failed);
        let refused = self.builder.ins().icmp_imm_s(IntCC::Equal, status, NOT_CALLED as i64);
        self.builder.ins().brif(refused, again, &[], thrown, &[]);
        self.builder.switch_to_block(again);
        self.leave_with(snap.opline, true, noted.clone());
        self.builder.switch_to_block(thrown);
        self.leave_above(true, noted, status);
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// The flags of an implicit call's frame.
    fn frame_flags(&self, words: u32) -> u32 {
        let header = self.shape.header;
        let flags = [(GUARDED, header.guarded), (DISCARDED, header.discards), (TO_BOOL, header.to_bool)];
        flags.iter().filter(|row| words & row.0 != 0).fold(0, |all, row| all | row.1)
    }

    /// Calls another function's compiled code.
    pub(crate) fn call_unit(&mut self, inst: &Inst) -> Result<Option<Value>, Refusal> {
        let unit = self.unit;
        let [_, func, slot, this, args @ ..] = unit.srcs(inst) else {
            return Err("a call without a function".to_owned());
        };
        let (Some(Const::Func(func)), Edge::Exit(snap)) = (unit.as_const(*func), inst.edge) else {
            return Err("a call without a function".to_owned());
        };
        let (at, snap) = (snap, unit.snap(snap));
        let header = self.shape.offset(Slot::Local(inst.imm[0] & CELL_MASK));
        let (how, start) = (self.frame_flags(inst.imm[0]), self.start_of(snap.frame));
        let call = UnitCall { inst, func: func.0, this: *this, args, at, snap, start, header, how };
        let kinds = |value: ValueId| kinds_of(unit.ty(value));
        let this_kind = (!unit.ty(*this).is(hhir::NULLPTR) && !call.is_closure()).then(|| kinds(*this));
        let arg_kinds: Vec<Bits> = args.iter().map(|arg| crate::profile::counted_strings(kinds(*arg))).collect();
        let signature = function_signature(this_kind, &arg_kinds)?;
        let signature = self.import(signature);
        let callee_frame = {
            let stack = self.stack;
            self.builder.ins().iadd_imm_s(stack, header as i64)
        };
        let mut passed = vec![callee_frame];
        for (&value, bits) in this_kind.iter().map(|bits| (this, *bits)).chain(args.iter().zip(arg_kinds)) {
            if passed_as(bits)?.is_some() {
                passed.push(self.value(value)?);
            }
        }
        if call.needs_frame() {
            self.write_frame(func.0, (*this, call.is_closure()), args.len(), header, &snap.entries, snap.opline)?;
            if how != 0 {
                let borrows = if unit.ty(*this).is(hhir::OBJ) { self.shape.header.borrows_this } else { 0 };
                self.write_flags(how | borrows, header);
            }
        }
        let shared = self.shared_arrays(args, &snap.entries);
        shared.iter().try_for_each(|&array| self.hold_value(array))?;
        let slot = self.value(*slot)?;
        let code = self.load(clif::I64, slot, 0);
        let results = self.builder.ins().call_indirect(signature, code, &passed);
        let results: &[Value] = self.builder.inst_results(results);
        let (status, payload) = (results[0], results[1]);
        let as_expected = self.is_as_expected(&call, status)?;
        let is_seen = call.needs_frame() && inst.imm[2] & FLUSHED == 0;
        let as_expected = if is_seen { self.and_unseen(as_expected) } else { as_expected };
        let (other, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(other);
        for block in [other, next] {
            self.builder.append_block_param(block, clif::I64);
            self.builder.append_block_param(block, clif::I64);
        }
        let words = [status, payload].map(BlockArg::Value);
        let is_concluded = call.needs_frame() && how == 0 && !self.shape.is_body;
        if is_concluded {
            let ended = self.builder.append_block_param(other, clif::I64);
            let test = self.builder.create_block();
            self.builder.set_cold_block(test);
            self.builder.ins().brif(as_expected, next, &words, test, &[]);
            self.builder.switch_to_block(test);
            self.conclude(&call, [status, payload], other, next)?;
            self.builder.switch_to_block(other);
            self.end_otherwise(&call, &shared, other, Some(ended))?;
        } else {
            self.builder.ins().brif(as_expected, next, &words, other, &words);
            self.builder.switch_to_block(other);
            self.end_otherwise(&call, &shared, other, None)?;
        }
        self.builder.switch_to_block(next);
        let (status, payload) = (self.builder.block_params(next)[0], self.builder.block_params(next)[1]);
        shared.iter().try_for_each(|&array| self.let_go_value(array))?;
        self.end_guard(inst);
        self.result_of_unit(inst, status, payload)
    }

    /// Whether `is_so` holds and nothing has created a view of the frame's variables.
    fn and_unseen(&mut self, is_so: Value) -> Value {
        let (fp, env) = (self.fp, self.shape.header.empty[3]);
        let env = self.load(clif::I64, fp, env as usize);
        let unseen = self.builder.ins().icmp_imm_s(IntCC::Equal, env, 0);
        self.builder.ins().band(is_so, unseen)
    }

    /// Whether a compiled function has returned a result of the expected type.
    fn is_as_expected(&mut self, call: &UnitCall, status: Value) -> Result<Value, Refusal> {
        let inst = call.inst;
        Ok(if inst.op == Op::CallUnitMem {
            self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, status, TAGS_END as i64)
        } else if inst.ty.is(hhir::BOOL) {
            let from_false = self.builder.ins().iadd_imm_s(status, -i64::from(raw::TI_FALSE));
            self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, from_false, 2)
        } else {
            let Some(tag) = Tags::exact(inst.ty.bits()) else { return Err(format!("a result of type {}", inst.ty)) };
            self.builder.ins().icmp_imm_s(IntCC::Equal, status, i64::from(tag))
        })
    }

    /// Decides how to continue after a call with another outcome than a plain result. If the callee took a side exit, the
    /// interpreter runs it to its end. If it returned, but the frame has been looked at, the code continues unless a view of the
    /// frame is still held.
    fn conclude(
        &mut self,
        call: &UnitCall,
        [status, payload]: [Value; 2],
        other: Block,
        next: Block,
    ) -> Result<(), Refusal> {
        let (left, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(left);
        self.builder.set_cold_block(done);
        let has_returned = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, status, TAGS_END as i64);
        let returned = self.builder.create_block();
        self.builder.set_cold_block(returned);
        self.builder.ins().brif(has_returned, returned, &[], left, &[]);
        self.builder.switch_to_block(returned);
        let (fp, function) = (self.fp, self.shape.helpers.is_watched as *const ());
        let watched = self.call_helper(function, &[fp], true).unwrap_or(status);
        let unwatched = self.builder.ins().icmp_imm_s(IntCC::Equal, watched, 0);
        let as_expected = self.is_as_expected(call, status)?;
        let goes_on = self.builder.ins().band(as_expected, unwatched);
        let called = self.int(CALLED as i64);
        let words = [status, payload, called].map(BlockArg::Value);
        self.builder.ins().brif(goes_on, next, &words[..2], other, &words);
        self.builder.switch_to_block(left);
        let mut flags = if call.inst.imm[2] & FLUSHED != 0 { IS_FLUSHED } else { 0 };
        if call.inst.imm[2] & CONSTRUCTS != 0 {
            flags |= u64::from(self.shape.header.constructor);
        }
        let (context, fp, flags) = (self.context(), self.fp, self.int(flags as i64));
        let header = self.builder.ins().iadd_imm_s(fp, call.header as i64);
        let function = self.shape.helpers.conclude as *const ();
        let ended = self.call_helper(function, &[context, fp, header, status, flags], true).unwrap_or(status);
        let refused = self.builder.ins().icmp_imm_s(IntCC::Equal, ended, NOT_CALLED as i64);
        let words = [status, payload, ended].map(BlockArg::Value);
        self.builder.ins().brif(refused, other, &words, done, &[]);
        self.builder.switch_to_block(done);
        let scratch = offset_of!(Context, scratch);
        let payload = self.load(clif::I64, context, scratch);
        let status = self.load(clif::I64, context, scratch + 8);
        let as_expected = self.is_as_expected(call, status)?;
        let called = self.builder.ins().icmp_imm_s(IntCC::Equal, ended, CALLED as i64);
        let as_expected = self.builder.ins().band(as_expected, called);
        let words = [status, payload, ended].map(BlockArg::Value);
        self.builder.ins().brif(as_expected, next, &words[..2], other, &words);
        Ok(())
    }

    /// Takes a side exit because the callee returned a result of an unexpected type, or took a side exit itself. `ended` is the
    /// status from [`Self::conclude`].
    fn end_otherwise(
        &mut self,
        call: &UnitCall,
        shared: &[ValueId],
        other: Block,
        ended: Option<Value>,
    ) -> Result<(), Refusal> {
        let (status, payload) = (self.builder.block_params(other)[0], self.builder.block_params(other)[1]);
        shared.iter().try_for_each(|&array| self.let_go_value(array))?;
        let noted = self.noting(|code| code.write_back_at(&call.snap.entries, call.start))?;
        let (returned, left) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(returned);
        self.builder.set_cold_block(left);
        let has_returned = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, status, TAGS_END as i64);
        self.builder.ins().brif(has_returned, returned, &[], left, &[]);
        let released = call.released();
        self.builder.switch_to_block(returned);
        self.end_guard(call.inst);
        for &value in &released {
            self.release(value)?;
        }
        if let Some(ended) = ended {
            // An exception that the callee threw, or that was thrown after its end, is thrown in this frame.
            let (thrown, kept) = (self.block_of_position(), self.builder.create_block());
            self.builder.set_cold_block(kept);
            let has_thrown = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, ended, NOT_CALLED as i64);
            self.builder.ins().brif(has_thrown, thrown, &[BlockArg::Value(ended)], kept, &[]);
            self.builder.switch_to_block(thrown);
            self.write_noted(&noted);
            self.leave_at(ended);
            self.builder.switch_to_block(kept);
        }
        // Storing the result to a variable releases the old value, so the variables must have been written by then.
        let is_written = call.is_inlined() || call.inst.imm[1] <= self.shape.before_tmps;
        if is_written {
            self.write_noted(&noted);
        }
        self.keep_result(call.inst, status, payload);
        match (call.is_inlined(), is_written) {
            (true, _) => self.leave_inlined(call.at, Way::Behind, &[]),
            (false, true) => self.leave(call.snap.opline + 1, true),
            (false, false) => self.leave_with(call.snap.opline + 1, true, noted.clone()),
        }
        self.builder.switch_to_block(left);
        self.write_frame_above(call, &released, status, noted)
    }

    /// Stores a result of an unexpected type to its cell; the interpreter goes on behind the call.
    fn keep_result(&mut self, inst: &Inst, status: Value, payload: Value) {
        let is_unused = inst.imm[2] & DISCARDS != 0;
        if inst.imm[1] > 0 && !is_unused {
            let to = self.shape.offset(Slot::Local(inst.imm[1] - 1));
            let base = self.base(inst.imm[1] - 1);
            if inst.imm[1] <= self.shape.before_tmps {
                // The variable has just been written back with its old value, which is released here.
                let variable = self.builder.ins().iadd_imm_s(base, to as i64);
                self.release_cell(variable);
            }
            self.store(payload, base, to + offsets::CELL_PAYLOAD);
            let tag = self.builder.ins().ireduce(clif::I32, status);
            self.store(tag, base, to + offsets::CELL_TAG);
        }
        if inst.imm[1] == 0 || is_unused {
            self.call_helper(crate::layout::release_any as *const (), &[payload, status], false);
        }
    }

    /// Takes a side exit because the callee took one: writes this frame, below the callee's.
    fn write_frame_above(
        &mut self,
        call: &UnitCall,
        released: &[ValueId],
        status: Value,
        mut noted: Vec<Known>,
    ) -> Result<(), Refusal> {
        let owns_this = call.inst.imm[2] & 1 != 0;
        noted.extend(self.noting(|code| code.write_header_above(call, owns_this))?);
        if call.is_inlined() {
            self.write_noted(&noted);
        }
        // The callee's frame has taken references of its own to the arguments.
        for &value in released.iter().skip(usize::from(owns_this)) {
            self.release(value)?;
        }
        match call.is_inlined() {
            true => self.leave_inlined(call.at, Way::Below, &[BlockArg::Value(status)]),
            false => self.leave_above(false, noted, status),
        }
        Ok(())
    }

    /// Writes the header of the callee's frame, and the opline at which its caller stands.
    fn write_header_above(&mut self, call: &UnitCall, owns_this: bool) -> Result<(), Refusal> {
        let (header, shape) = (call.header, self.shape.header);
        match call.needs_frame() {
            // The header was written before the call. A backtrace may have made a view of the callee's frame since then, which the
            // frame owns.
            true => self.write_flags(0, header),
            false => self.write_header(call.func, header),
        }
        match call.is_closure() {
            true => self.write_closure(call.this, owns_this, header)?,
            false => self.write_context(call.this, owns_this, header)?,
        }
        if call.inst.imm[2] & CONSTRUCTS != 0 {
            self.write_flags(shape.constructor, header);
        }
        if call.how != 0 {
            let borrows = if self.borrows(call.this, owns_this) { shape.borrows_this } else { 0 };
            self.write_flags(call.how | borrows, header);
        }
        self.stand_below(call.start, header, call.args.len());
        if !call.is_inlined() {
            self.stand_at(call.snap.opline);
        }
        Ok(())
    }

    /// Releases the guard against recursion after a magic method's call.
    fn end_guard(&mut self, inst: &Inst) {
        if inst.imm[0] & GUARDED != 0 {
            self.call_helper(self.shape.helpers.end_guard as *const (), &[], false);
        }
    }

    /// The result of a compiled function, as the value or the cell's address that the instruction gives.
    fn result_of_unit(&mut self, inst: &Inst, status: Value, payload: Value) -> Result<Option<Value>, Refusal> {
        if inst.op == Op::CallUnitMem {
            // A result for a variable waits in the cells of the call's header.
            let place = if inst.imm[1] <= self.shape.before_tmps { inst.imm[0] & CELL_MASK } else { inst.imm[1] - 1 };
            let (base, to) = (self.base(place), self.shape.offset(Slot::Local(place)));
            let cell = self.builder.ins().iadd_imm_s(base, to as i64);
            self.store(payload, cell, offsets::CELL_PAYLOAD);
            let tag = self.builder.ins().ireduce(clif::I32, status);
            self.store(tag, cell, offsets::CELL_TAG);
            return Ok(Some(cell));
        }
        Ok(inst.dst.map(|_| {
            if inst.ty.is(hhir::BOOL) {
                self.builder.ins().icmp_imm_s(IntCC::Equal, status, i64::from(raw::TI_TRUE))
            } else if inst.ty.is(hhir::DBL) {
                self.builder.ins().bitcast(clif::F64, MemFlagsData::new(), payload)
            } else {
                payload
            }
        }))
    }
}

/// A call of a function's compiled code.
struct UnitCall<'a> {
    inst: &'a Inst,
    func: u64,
    this: ValueId,
    args: &'a [ValueId],
    /// The snapshot behind the call.
    at: SnapId,
    /// The snapshot that `at` names.
    snap: &'a Snapshot,
    /// The byte offset at which the frame that makes the call starts.
    start: usize,
    /// The byte offset of the callee's header.
    header: usize,
    /// The flags of the callee's frame, if it is a magic method.
    how: u32,
}

impl UnitCall<'_> {
    /// Whether an inlined function makes the call.
    fn is_inlined(&self) -> bool {
        self.snap.caller.is_some()
    }

    fn is_closure(&self) -> bool {
        self.inst.imm[2] & CLOSURE != 0
    }

    fn needs_frame(&self) -> bool {
        self.inst.imm[2] & NEEDS_FRAME != 0
    }

    /// The values that the call consumes, which are released behind it.
    fn released(&self) -> Vec<ValueId> {
        let passed = [self.this].into_iter().chain(self.args.iter().copied()).enumerate();
        passed.filter(|(at, _)| *at < 31 && self.inst.imm[2] >> at & 1 != 0).map(|(_, value)| value).collect()
    }
}
