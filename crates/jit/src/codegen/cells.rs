//! Values in cells: tests of tags, loads and stores.

use crate::codegen::{Refusal, Translation};
use crate::layout::Tags;
use crate::tagged_types::is_tagged;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value, types as clif};
use cranelift_frontend::FunctionBuilder;
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::Inst;
use phlox_hhir::{BlockId, ValueId};
use phlox_value::raw::{self, offsets};

impl Translation<'_> {
    /// Whether a tag word is one of those of a type.
    pub(crate) fn test_tag(&mut self, tag: Value, ty: Type) -> Result<Value, Refusal> {
        let ins = &mut self.builder;
        let bits = ty.bits() & hhir::GEN;
        // A string in memory may be a literal even where the type says that it is counted.
        if let Some(word) = Tags::exact(bits).filter(|_| bits != hhir::COUNTED_STR) {
            return Ok(ins.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(word)));
        }
        let of_kind = |ins: &mut FunctionBuilder, kind: u32| {
            let low = ins.ins().ireduce(clif::I8, tag);
            ins.ins().icmp_imm_s(IntCC::Equal, low, i64::from(kind))
        };
        Ok(match bits {
            hhir::BOOL => {
                let from_false = ins.ins().iadd_imm_s(tag, -i64::from(raw::TI_FALSE));
                ins.ins().icmp_imm_s(IntCC::UnsignedLessThan, from_false, 2)
            }
            hhir::NULL => ins.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, tag, i64::from(raw::TI_NULL)),
            hhir::STR | hhir::COUNTED_STR => of_kind(ins, raw::TI_STR_STATIC),
            hhir::ARR => of_kind(ins, raw::TI_ARR_STATIC),
            hhir::UNCOUNTED => ins.ins().icmp_imm_s(IntCC::UnsignedLessThan, tag, i64::from(raw::COUNTED)),
            _ if bits == hhir::UNCOUNTED & !hhir::UNINIT => {
                let before = ins.ins().iadd_imm_s(tag, -1);
                ins.ins().icmp_imm_s(IntCC::UnsignedLessThan, before, i64::from(raw::COUNTED) - 1)
            }
            hhir::CELL => {
                let low = ins.ins().ireduce(clif::I8, tag);
                ins.ins().icmp_imm_s(IntCC::UnsignedLessThan, low, i64::from(raw::TI_REF & 0xff))
            }
            _ if bits == hhir::INIT_CELL => {
                let low = ins.ins().ireduce(clif::I8, tag);
                let before = ins.ins().iadd_imm_s(low, -1);
                ins.ins().icmp_imm_s(IntCC::UnsignedLessThan, before, i64::from(raw::TI_REF & 0xff) - 1)
            }
            _ => return self.test_kinds(tag, ty),
        })
    }

    /// Loads the value of a cell, whose type is known.
    pub(crate) fn load_cell(&mut self, cell: Value, offset: usize, ty: Type) -> Result<Value, Refusal> {
        if ty.is(hhir::BOOL) {
            let tag = self.load(clif::I32, cell, offset + offsets::CELL_TAG);
            return Ok(self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_TRUE)));
        }
        if is_tagged(ty) {
            return Ok(self.load_tagged(cell, offset, false));
        }
        let machine = if ty.is(hhir::DBL) { clif::F64 } else { clif::I64 };
        Ok(self.load(machine, cell, offset + offsets::CELL_PAYLOAD))
    }

    /// Stores a value and its tag to a cell.
    pub(crate) fn store_cell(&mut self, value: ValueId, cell: Value, offset: usize) -> Result<(), Refusal> {
        let ty = self.unit.ty(value);
        let bits = ty.bits();
        if ty.is(hhir::BOOL) && Tags::exact(bits).is_none() {
            let truth = self.value(value)?;
            let wide = self.builder.ins().uextend(clif::I32, truth);
            let tag = self.builder.ins().iadd_imm_s(wide, i64::from(raw::TI_FALSE));
            self.store(tag, cell, offset + offsets::CELL_TAG);
            return Ok(());
        }
        if is_tagged(ty) {
            let (payload, tag) = self.words(value)?;
            self.store(payload, cell, offset + offsets::CELL_PAYLOAD);
            self.store(tag, cell, offset + offsets::CELL_TAG);
            return Ok(());
        }
        let Some(tag) = Tags::exact(bits) else { return Err(format!("a store of type {ty}")) };
        if !ty.is(hhir::NULL | hhir::BOOL) {
            let payload = self.value(value)?;
            self.store(payload, cell, offset + offsets::CELL_PAYLOAD);
        }
        let tag = self.builder.ins().iconst(clif::I32, i64::from(tag));
        self.store(tag, cell, offset + offsets::CELL_TAG);
        Ok(())
    }

    pub(crate) fn array_field(&mut self, array: Value, offset: usize) -> Value {
        // One instruction does not move, whereas a separate extension would be repeated at each use.
        self.builder.ins().uload32(MemFlagsData::trusted(), array, offset as i32)
    }

    /// Stores values to consecutive cells on the native stack, and gives their address.
    pub(crate) fn cells(&mut self, values: &[ValueId]) -> Result<Value, Refusal> {
        let bytes = 16 * values.len().max(1) as u32;
        let builder = &mut self.builder;
        let new = || builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3));
        let slot = *self.cells.get_or_insert_with(new);
        let size = &mut self.builder.func.sized_stack_slots[slot].size;
        *size = bytes.max(*size);
        let cells = self.builder.ins().stack_addr(clif::I64, slot, 0);
        for (index, &value) in values.iter().enumerate() {
            self.store_cell(value, cells, 16 * index)?;
        }
        Ok(cells)
    }

    /// Takes a side exit unless a tagged value is of a type.
    pub(crate) fn check_type(&mut self, id: BlockId, inst: &Inst) -> Result<Value, Refusal> {
        let value = self.unit.src(inst, 0);
        let (own, to) = (self.unit.ty(value), inst.dst.map_or(inst.ty, |dst| self.unit.ty(dst)));
        if !own.le(inst.ty) {
            let fits = self.is_of(value, inst.ty)?;
            self.leave_unless(id, inst, fits)?;
        }
        self.value_as(value, to)
    }

    /// Takes a side exit unless a property's cell may be written.
    pub(crate) fn check_writable(&mut self, id: BlockId, inst: &Inst, place: Value) -> Result<(), Refusal> {
        let tag = self.load(clif::I32, place, offsets::CELL_TAG);
        let unset = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_UNDEF));
        if inst.imm[0] != 0 {
            self.leave_if(id, inst, unset, false)?;
        }
        let reference = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_REF));
        let reason = self.load(clif::I32, place, offsets::CELL_OWN);
        let special = self.builder.ins().icmp_imm_s(IntCC::NotEqual, reason, 0);
        let special = self.builder.ins().band(unset, special);
        let wrong = self.builder.ins().bor(special, reference);
        self.leave_if(id, inst, wrong, true)
    }
}
