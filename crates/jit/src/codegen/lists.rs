//! Elements of packed arrays and hash tables, in machine code; and what is kept in registers while a loop runs.

use crate::codegen::{Refusal, Translation};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types as clif};
use phlox_hhir::unit::Inst;
use phlox_hhir::{BlockId, Op, ValueId};
use phlox_value::raw::{self, offsets};

impl Translation<'_> {
    /// Loads, at the end of a preheader, the addresses and lengths of the packed arrays that its loop does not move.
    pub(crate) fn look_for_lists(&mut self, id: BlockId) -> Result<(), Refusal> {
        for list in self.loops.lists_before(id).to_vec() {
            let array = self.value(list)?;
            let cells = self.load(clif::I64, array, offsets::ARRAY_DATA);
            self.elements.insert((id, list), cells);
        }
        for list in self.loops.lengths_before(id).to_vec() {
            let array = self.value(list)?;
            let used = self.array_field(array, offsets::ARRAY_USED);
            self.lengths.insert((id, list), used);
        }
        for (number, group) in self.loops.groups_before(id) {
            let lengths = group.iter().filter_map(|list| self.lengths.get(&(id, *list)).copied()).collect::<Vec<_>>();
            let least = lengths.into_iter().reduce(|a, b| self.least(a, b));
            self.least.extend(least.map(|least| (number, least)));
        }
        Ok(())
    }

    /// The smaller of two lengths, as a parameter of a new block: Cranelift would compute an expression again at each use.
    fn least(&mut self, a: Value, b: Value) -> Value {
        let done = self.builder.create_block();
        let least = self.builder.append_block_param(done, clif::I64);
        let less = self.builder.ins().icmp(IntCC::UnsignedLessThan, a, b);
        self.builder.ins().brif(less, done, &[BlockArg::Value(a)], done, &[BlockArg::Value(b)]);
        self.builder.switch_to_block(done);
        least
    }

    /// Takes a side exit unless an array has a position. Where the checks of several arrays are grouped, the first one covers
    /// all of them.
    pub(crate) fn check_bounds(&mut self, id: BlockId, inst: &Inst, array: Value, index: Value) -> Result<(), Refusal> {
        let used = match self.loops.group_at(id, self.place) {
            Some(None) => return Ok(()),
            Some(Some(group)) => *self.least.get(&group).ok_or("lists whose lengths are not known")?,
            None => self.length(self.unit.src(inst, 0), array),
        };
        let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, used);
        self.leave_unless(id, inst, inside)
    }

    /// The number of a packed array's cells, holes included; loaded before the loop, if the loop does not change it.
    pub(crate) fn length(&mut self, list: ValueId, array: Value) -> Value {
        let known = self.loops.measured_at(self.at, list).and_then(|before| self.lengths.get(&(before, list)).copied());
        known.unwrap_or_else(|| self.array_field(array, offsets::ARRAY_USED))
    }

    /// The address of a packed array's first element.
    fn elements_of(&mut self, list: ValueId, array: Value) -> Value {
        let known = self.loops.pointed_at(self.at, list).and_then(|before| self.elements.get(&(before, list)).copied());
        known.unwrap_or_else(|| self.load(clif::I64, array, offsets::ARRAY_DATA))
    }

    /// The address of an element of an unboxed list.
    pub(crate) fn unboxed_element(&mut self, inst: &Inst, array: Value, index: Value) -> Value {
        let elements = self.elements_of(self.unit.src(inst, 0), array);
        let is_bool = matches!(inst.op, Op::LdPackedBool | Op::StPackedBool);
        let distance = if is_bool { index } else { self.builder.ins().ishl_imm_s(index, 3) };
        self.builder.ins().iadd(elements, distance)
    }

    /// The address of a packed array's cell.
    pub(crate) fn element(&mut self, list: ValueId, array: Value, index: Value) -> Value {
        let cells = self.elements_of(list, array);
        if let Some(index) = self.known_int(index) {
            return self.builder.ins().iadd_imm_s(cells, index.wrapping_mul(16));
        }
        let distance = self.builder.ins().ishl_imm_s(index, 4);
        self.builder.ins().iadd(cells, distance)
    }

    /// The address of a hash table's buckets, which are the start of its block of memory.
    fn buckets(&mut self, array: Value) -> Value {
        self.load(clif::I64, array, offsets::ARRAY_DATA)
    }

    /// The address of a hash table's bucket.
    pub(crate) fn bucket(&mut self, array: Value, position: Value) -> Value {
        let buckets = self.buckets(array);
        if let Some(position) = self.known_int(position) {
            return self.builder.ins().iadd_imm_s(buckets, position.wrapping_mul(offsets::BUCKET_BYTES as i64));
        }
        let distance = self.builder.ins().imul_imm_s(position, offsets::BUCKET_BYTES as i64);
        self.builder.ins().iadd(buckets, distance)
    }

    /// The first position from one on at which a hash table or packed array has an element; takes the edge if there is none.
    pub(crate) fn next_element(
        &mut self,
        id: BlockId,
        inst: &Inst,
        array: Value,
        from: Value,
    ) -> Result<Value, Refusal> {
        let (look, test, skip, done) = (
            self.builder.create_block(),
            self.builder.create_block(),
            self.builder.create_block(),
            self.builder.create_block(),
        );
        self.builder.set_cold_block(skip);
        let (places, stride) = match inst.op {
            Op::NextListElem => (self.load(clif::I64, array, offsets::ARRAY_DATA), size_of::<phlox_value::Val>()),
            _ => (self.buckets(array), offsets::BUCKET_BYTES),
        };
        let used = self.array_field(array, offsets::ARRAY_USED);
        let at = self.builder.append_block_param(look, clif::I64);
        self.builder.ins().jump(look, &[BlockArg::Value(from)]);
        self.builder.switch_to_block(look);
        let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, used);
        self.builder.ins().brif(inside, test, &[], done, &[]);
        self.builder.switch_to_block(test);
        let distance = self.builder.ins().imul_imm_s(at, stride as i64);
        let place = self.builder.ins().iadd(places, distance);
        let tag = self.load(clif::I32, place, offsets::CELL_TAG);
        let is_hole = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_UNDEF));
        self.builder.ins().brif(is_hole, skip, &[], done, &[]);
        self.builder.switch_to_block(skip);
        let next = self.builder.ins().iadd_imm_s(at, 1);
        self.builder.ins().jump(look, &[BlockArg::Value(next)]);
        self.builder.switch_to_block(done);
        let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, used);
        self.leave_unless(id, inst, inside)?;
        Ok(at)
    }

    /// Takes a side exit unless a hash table has a literal key at a position.
    pub(crate) fn check_position(&mut self, id: BlockId, inst: &Inst, array: Value, key: Value) -> Result<(), Refusal> {
        let kind = self.load(clif::I8, array, offsets::ARRAY_KIND);
        let hash = self.builder.ins().icmp_imm_s(IntCC::Equal, kind, i64::from(offsets::ARRAY_HASH));
        self.leave_unless(id, inst, hash)?;
        let used = self.load(clif::I32, array, offsets::ARRAY_USED);
        let inside = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, used, i64::from(inst.imm[0]));
        self.leave_unless(id, inst, inside)?;
        let position = self.int(i64::from(inst.imm[0]));
        let bucket = self.bucket(array, position);
        let own = self.load(clif::I64, bucket, offsets::BUCKET_KEY);
        let same = self.builder.ins().icmp(IntCC::Equal, own, key);
        self.leave_unless(id, inst, same)
    }

    /// Makes room in a packed array if it is full.
    pub(crate) fn grow_if(&mut self, id: BlockId, inst: &Inst, array: Value, full: Value) -> Result<(), Refusal> {
        let (grow, fits) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(grow);
        self.builder.ins().brif(full, grow, &[], fits, &[]);
        self.builder.switch_to_block(grow);
        let done = self.call_helper(self.shape.helpers.grow as *const (), &[array], true).unwrap_or(array);
        let refused = self.builder.ins().icmp_imm_s(IntCC::Equal, done, 0);
        self.refuse_if(id, inst, refused)?;
        self.builder.ins().jump(fits, &[]);
        self.builder.switch_to_block(fits);
        Ok(())
    }

    /// Makes room in a packed array if it is full, by a preserve-all call: an ordinary call, even in a cold block, would cost a
    /// loop without other calls its registers.
    fn grow_apart(&mut self, id: BlockId, inst: &Inst, array: Value, full: Value) -> Result<(), Refusal> {
        let (grow, fits) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(grow);
        self.builder.ins().brif(full, grow, &[], fits, &[]);
        self.builder.switch_to_block(grow);
        self.call_apart(self.shape.helpers.grow_apart, array, array);
        let used = self.load(clif::I32, array, offsets::ARRAY_USED);
        let capacity = self.load(clif::I32, array, offsets::ARRAY_CAPACITY);
        let refused = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, used, capacity);
        self.leave_if(id, inst, refused, true)?;
        self.builder.ins().jump(fits, &[]);
        self.builder.switch_to_block(fits);
        Ok(())
    }

    /// Makes room for one more element behind the last one, as `$a[] = ...` does; gives its position.
    pub(crate) fn reserve(&mut self, id: BlockId, inst: &Inst, array: Value) -> Result<Value, Refusal> {
        let used = self.load(clif::I32, array, offsets::ARRAY_USED);
        let capacity = self.load(clif::I32, array, offsets::ARRAY_CAPACITY);
        let full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, used, capacity);
        if inst.imm[0] == 0 {
            // The loop relies on the elements' staying where they are, so a full array leads to a side exit.
            self.leave_if(id, inst, full, true)?;
        } else {
            match self.taken.is_some() || self.loops.calls_at(self.at) {
                true => self.grow_if(id, inst, array, full)?,
                false => self.grow_apart(id, inst, array, full)?,
            }
        }
        let place = self.builder.ins().uextend(clif::I64, used);
        let next = self.load(clif::I64, array, offsets::ARRAY_NEXT_FREE);
        let other = self.builder.ins().icmp(IntCC::NotEqual, next, place);
        self.leave_if(id, inst, other, true)?;
        let count = self.load(clif::I32, array, offsets::ARRAY_COUNT);
        let count = self.builder.ins().iadd_imm_s(count, 1);
        self.store(count, array, offsets::ARRAY_COUNT);
        let used = self.builder.ins().iadd_imm_s(used, 1);
        self.store(used, array, offsets::ARRAY_USED);
        let next = self.builder.ins().iadd_imm_s(place, 1);
        self.store(next, array, offsets::ARRAY_NEXT_FREE);
        Ok(place)
    }
}
