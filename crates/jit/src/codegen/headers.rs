//! Headers of pending calls, and of materialised frames above that of the compiled code.

use crate::codegen::exits::tables::{Base, Stored};
use crate::codegen::{Refusal, Translation};
use cranelift_codegen::ir::Value;
use phlox_hhir::types as hhir;
use phlox_hhir::{Op, ValueId};

impl Translation<'_> {
    /// Writes the header of a pending call to the frame.
    pub(crate) fn write_header(&mut self, callee: u64, offset: usize) {
        let header = self.shape.header;
        self.put(Base::Stack, offset + header.callee as usize, Stored::Word(callee));
        for field in header.empty {
            self.put(Base::Stack, offset + field as usize, Stored::Word(0));
        }
        self.write_flags(0, offset);
    }

    fn write_field(&mut self, value: Value, offset: usize) {
        self.put(Base::Stack, offset, Stored::Value(value));
    }

    /// Writes the flags of a call's header.
    pub(crate) fn write_flags(&mut self, flags: u32, offset: usize) {
        self.put(Base::Stack, offset + self.shape.header.flags as usize, Stored::Half(flags));
    }

    /// Writes the closure of a call's header.
    pub(crate) fn write_closure(&mut self, closure: ValueId, is_owned: bool, offset: usize) -> Result<(), Refusal> {
        let closure = self.value(closure)?;
        if !is_owned {
            self.hold(closure);
        }
        self.write_field(closure, offset + self.shape.header.closure as usize);
        Ok(())
    }

    /// Writes the name of the method that a magic method stands in for to a call's header.
    pub(crate) fn write_name(&mut self, name: ValueId, flags: u32, offset: usize) -> Result<(), Refusal> {
        let name = self.value(name)?;
        self.write_field(name, offset + self.shape.header.name as usize);
        self.write_flags(self.shape.header.magic | flags, offset);
        Ok(())
    }

    /// Writes the object or class of a call's header.
    pub(crate) fn write_context(&mut self, context: ValueId, is_owned: bool, offset: usize) -> Result<(), Refusal> {
        let header = self.shape.header;
        let ty = self.unit.ty(context);
        if ty.is(hhir::NULLPTR) {
            return Ok(());
        }
        let value = self.value(context)?;
        if ty.is(hhir::CLS) {
            self.write_field(value, offset + header.static_class as usize);
            return Ok(());
        }
        let class = self.class_of(value);
        self.write_field(class, offset + header.static_class as usize);
        self.write_field(value, offset + header.this as usize);
        if self.borrows(context, is_owned) {
            self.write_flags(header.borrows_this, offset);
        } else if !is_owned {
            self.hold(value);
        }
        Ok(())
    }

    /// Whether the object of a call is the caller's own, which the caller holds longer than the call takes.
    pub(crate) fn borrows(&self, context: ValueId, is_owned: bool) -> bool {
        let own = self.unit.def_inst(context);
        !is_owned && own.is_some_and(|inst| matches!((inst.op, inst.imm[0]), (Op::LdArg, u32::MAX) | (Op::LdCtx, _)))
    }

    /// Completes the header of a frame above the one that starts `start` bytes above that of the unit's function: writes its
    /// caller and the number of arguments.
    pub(crate) fn stand_below(&mut self, start: usize, header: usize, argc: usize) {
        let shape = self.shape.header;
        self.put(Base::Stack, header + shape.prev as usize, Stored::ImplicitCall(start));
        self.put(Base::Stack, header + shape.argc as usize, Stored::Half(argc as u32));
    }
}
