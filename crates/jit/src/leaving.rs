//! How compiled code is left: what is written into frames, and what is told to who has entered it.

use crate::layout::{Context, Entry};
use crate::native::{Refusal, Translation, count};
use cranelift_codegen::ir::{InstBuilder, Value, types as clif};
use phlox_hhir::types as hhir;
use phlox_hhir::unit::{Const, Hold, Slot, SnapEntry};
use phlox_hhir::{Op, ValueId};
use phlox_value::raw::{self, offsets};
use std::mem::offset_of;

impl Translation<'_> {
    /// All cold blocks.
    pub(crate) fn write_exits(&mut self) -> Result<(), Refusal> {
        for (snap, is_side, block) in self.exits.take() {
            self.builder.switch_to_block(block);
            let unit = self.unit;
            let snap = unit.snap(snap);
            if snap.caller.is_some() {
                return Err("an exit of an inlined frame".to_owned());
            }
            self.write_back(&snap.entries)?;
            self.leave(snap.opline, is_side);
        }
        Ok(())
    }

    /// Writes what a snapshot says into the frame.
    pub(crate) fn write_back(&mut self, entries: &[SnapEntry]) -> Result<(), Refusal> {
        let unit = self.unit;
        let mut header = None;
        for entry in entries {
            let ty = unit.ty(entry.value);
            let offset = self.shape.offset(entry.slot);
            if let Some(Const::Func(callee)) = unit.as_const(entry.value) {
                self.write_header(callee.0, offset);
                header = Some((entry.slot, offset));
                continue;
            }
            if let (Some((Slot::Local(at), offset)), Slot::Local(own)) = (header, entry.slot)
                && own == at + 1
            {
                self.write_context(entry.value, offset)?;
                continue;
            }
            if ty.maybe_counted() && entry.hold == Hold::Copy {
                let payload = self.value(entry.value)?;
                self.hold(payload);
            }
            let fp = self.fp;
            self.store_cell(entry.value, fp, offset)?;
        }
        Ok(())
    }

    /// Counts another holder.
    pub(crate) fn hold(&mut self, payload: Value) {
        let holders = self.load(clif::I32, payload, offsets::HOLDERS);
        let more = self.builder.ins().iadd_imm_s(holders, 1);
        self.store(more, payload, offsets::HOLDERS);
    }

    /// Counts a holder off who is not the last one.
    pub(crate) fn let_go(&mut self, payload: Value) {
        let holders = self.load(clif::I32, payload, offsets::HOLDERS);
        let less = self.builder.ins().iadd_imm_s(holders, -1);
        self.store(less, payload, offsets::HOLDERS);
    }

    /// Returns to who has entered the code: the interpreter goes on with an opline of this frame.
    pub(crate) fn leave(&mut self, opline: u32, is_side: bool) {
        let (fp, context) = (self.fp, self.context);
        self.store(fp, context, offset_of!(Context, frame));
        if let (Some(taken), true) = (self.taken, is_side) {
            count(&mut self.builder, taken.entry + offset_of!(Entry, exits) as u64);
        }
        let position = self.shape.position(opline) | u64::from(is_side);
        let position = self.int(position as i64);
        self.give_position(position);
    }

    pub(crate) fn give_position(&mut self, position: Value) {
        let trips = self.builder.use_var(self.trips);
        let context = self.context;
        self.store(trips, context, offset_of!(Context, trips));
        match self.taken {
            Some(_) => self.builder.ins().return_(&[position, position]),
            None => self.builder.ins().return_(&[position]),
        };
    }

    /// The header of a pending call, in the frame.
    pub(crate) fn write_header(&mut self, callee: u64, offset: usize) {
        let (fp, header) = (self.fp, self.shape.header);
        let callee = self.int(callee as i64);
        self.store(callee, fp, offset + header.callee as usize);
        let zero = self.int(0);
        for field in header.empty {
            self.store(zero, fp, offset + field as usize);
        }
        let zero = self.builder.ins().iconst(clif::I32, 0);
        self.store(zero, fp, offset + header.flags as usize);
    }

    /// The object or class of a pending call, in its header.
    pub(crate) fn write_context(&mut self, context: ValueId, offset: usize) -> Result<(), Refusal> {
        let (fp, header) = (self.fp, self.shape.header);
        let ty = self.unit.ty(context);
        if ty.is(hhir::NULLPTR) {
            return Ok(());
        }
        let own = self.unit.def_inst(context);
        let is_own = own.is_some_and(|inst| matches!((inst.op, inst.imm[0]), (Op::LdArg, u32::MAX) | (Op::LdCtx, _)));
        let value = self.value(context)?;
        if ty.is(hhir::CLS) {
            self.store(value, fp, offset + header.static_class as usize);
            return Ok(());
        }
        let class = self.class_of(value);
        self.store(class, fp, offset + header.static_class as usize);
        self.store(value, fp, offset + header.this as usize);
        if is_own {
            let flag = self.builder.ins().iconst(clif::I32, i64::from(header.borrows_this));
            self.store(flag, fp, offset + header.flags as usize);
        } else {
            self.hold(value);
        }
        Ok(())
    }

    /// The identity of an object's class.
    pub(crate) fn class_of(&mut self, object: Value) -> Value {
        let word = self.load(clif::I64, object, offsets::OBJECT_CLASS);
        self.builder.ins().iadd_imm_s(word, raw::class_delta() as i64)
    }
}
