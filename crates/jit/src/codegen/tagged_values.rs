//! Tagged values: their types are known at run time only. Payload and tag word travel together as the halves of one wide value,
//! which the register allocator takes apart.
//!
//! Strings in tagged values always have the tag of counted ones: a literal becomes counted when it is loaded.

use crate::codegen::{Refusal, Translation, representation};
use crate::layout::Tags;
use crate::tagged_types::is_tagged;
use crate::translate::calls::tags_of;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types as clif};
use phlox_hhir::ValueId;
use phlox_hhir::types::{self as hhir, Type};
use phlox_value::raw::{self, offsets};

impl Translation<'_> {
    /// Makes a tagged value from a payload and a tag word.
    fn pair(&mut self, payload: Value, tag: Value) -> Value {
        let tag = self.builder.ins().uextend(clif::I64, tag);
        self.builder.ins().iconcat(payload, tag)
    }

    /// The payload and the tag word of a tagged value.
    pub(crate) fn halves(&mut self, value: Value) -> (Value, Value) {
        let (payload, tag) = self.builder.ins().isplit(value);
        (payload, self.builder.ins().ireduce(clif::I32, tag))
    }

    /// Loads a tagged value from a cell. `takes`: the reference in the cell moves to the value.
    pub(crate) fn load_tagged(&mut self, cell: Value, offset: usize, takes: bool) -> Value {
        let payload = self.load(clif::I64, cell, offset + offsets::CELL_PAYLOAD);
        let tag = self.load(clif::I32, cell, offset + offsets::CELL_TAG);
        let is_literal = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_STR_STATIC));
        if takes {
            let (literal, done) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(is_literal, literal, &[], done, &[]);
            self.builder.switch_to_block(literal);
            self.hold(payload);
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(done);
        }
        let counted = self.builder.ins().iconst(clif::I32, i64::from(raw::TI_STR));
        let tag = self.builder.ins().select(is_literal, counted, tag);
        self.pair(payload, tag)
    }

    /// Converts a value to the representation of another type, which the value is known to be of.
    pub(crate) fn convert(&mut self, value: Value, from: Type, to: Type) -> Result<Value, Refusal> {
        match (is_tagged(from), is_tagged(to)) {
            (true, false) => {
                let (payload, tag) = self.halves(value);
                Ok(if to.is(hhir::BOOL) {
                    self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_TRUE))
                } else if to.is(hhir::DBL) {
                    self.builder.ins().bitcast(clif::F64, MemFlagsData::new(), payload)
                } else {
                    payload
                })
            }
            (false, true) => {
                let (payload, tag) = self.words_of(value, from)?;
                Ok(self.pair(payload, tag))
            }
            _ if representation(from)? == representation(to)? => Ok(value),
            // No value is of both types, so this code is never reached, but it must be well-formed.
            _ => self.nothing(representation(to)?),
        }
    }

    /// An arbitrary value of a machine type.
    fn nothing(&mut self, machine: clif::Type) -> Result<Value, Refusal> {
        Ok(match machine {
            clif::F64 => self.builder.ins().f64const(0.0),
            clif::I128 => {
                let zero = self.int(0);
                self.builder.ins().iconcat(zero, zero)
            }
            machine => self.builder.ins().iconst(machine, 0),
        })
    }

    /// The payload and the tag word of any value.
    pub(crate) fn words(&mut self, value: ValueId) -> Result<(Value, Value), Refusal> {
        let ty = self.unit.ty(value);
        let value = self.value(value)?;
        self.words_of(value, ty)
    }

    fn words_of(&mut self, value: Value, ty: Type) -> Result<(Value, Value), Refusal> {
        if is_tagged(ty) {
            return Ok(self.halves(value));
        }
        if ty.is(hhir::BOOL) {
            let wide = self.builder.ins().uextend(clif::I32, value);
            let tag = self.builder.ins().iadd_imm_s(wide, i64::from(raw::TI_FALSE));
            return Ok((self.int(0), tag));
        }
        // Tagged values must have the tag of counted strings, but a literal has no reference that could be released.
        let Some(tag) = Tags::exact(ty.bits()).filter(|&tag| tag != raw::TI_STR_STATIC) else {
            return Err(format!("a value of type {ty} among others"));
        };
        let tag = self.builder.ins().iconst(clif::I32, i64::from(tag));
        let payload = if ty.is(hhir::DBL) { self.bits(value) } else { value };
        Ok((payload, tag))
    }

    /// The value of an operand, in the representation of a type that it is known to be of.
    pub(crate) fn value_as(&mut self, value: ValueId, to: Type) -> Result<Value, Refusal> {
        let from = self.unit.ty(value);
        let value = self.value(value)?;
        self.convert(value, from, to)
    }

    /// Whether a value is of a type.
    pub(crate) fn is_of(&mut self, value: ValueId, ty: Type) -> Result<Value, Refusal> {
        let own = self.unit.ty(value);
        if !is_tagged(own) {
            return match (own.le(ty), own.meet(ty).is_bottom()) {
                (true, _) => Ok(self.builder.ins().iconst(clif::I8, 1)),
                (_, true) => Ok(self.builder.ins().iconst(clif::I8, 0)),
                _ => Err(format!("a test of a value of type {own}")),
            };
        }
        let value = self.value(value)?;
        let (_, tag) = self.halves(value);
        self.test_tag(tag, ty)
    }

    /// Increments the reference count of a value, if it is counted.
    pub(crate) fn hold_value(&mut self, value: ValueId) -> Result<(), Refusal> {
        self.count_value(value, 1)
    }

    /// Decrements the reference count of a value, if it is counted; it does not become zero.
    pub(crate) fn let_go_value(&mut self, value: ValueId) -> Result<(), Refusal> {
        self.count_value(value, -1)
    }

    fn count_value(&mut self, value: ValueId, by: i64) -> Result<(), Refusal> {
        let ty = self.unit.ty(value);
        // A pass may have found out that the value is a number.
        if !ty.maybe_counted() {
            return Ok(());
        }
        let word = self.value(value)?;
        if !is_tagged(ty) {
            match by {
                1 => self.hold(word),
                _ => self.let_go(word),
            }
            return Ok(());
        }
        let (payload, tag) = self.halves(word);
        let counted = self.builder.ins().band_imm_s(tag, i64::from(raw::COUNTED));
        let (held, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(counted, held, &[], done, &[]);
        self.builder.switch_to_block(held);
        match by {
            1 => self.hold(payload),
            _ => self.let_go(payload),
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// Whether a tag word is one of those of a type.
    pub(crate) fn test_kinds(&mut self, tag: Value, ty: Type) -> Result<Value, Refusal> {
        let mask = tags_of(ty.bits()).ok_or_else(|| format!("a test of type {ty}"))?;
        // Counted and uncounted arrays have one number in the low bits of the tag word.
        let number = self.builder.ins().band_imm_s(tag, 0x1f);
        let mask = self.builder.ins().iconst(clif::I32, i64::from(mask));
        let bit = self.builder.ins().ushr(mask, number);
        let bit = self.builder.ins().band_imm_s(bit, 1);
        Ok(self.builder.ins().icmp_imm_s(IntCC::NotEqual, bit, 0))
    }
}
