//! Calls of runtime functions, in machine code, and the memory of their answers about classes.

use crate::codegen::{Refusal, Translation};
use crate::layout::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, BlockArg, InstBuilder, Signature, Value, types as clif};
use cranelift_codegen::isa::CallConv;
use phlox_hhir::BlockId;
use phlox_hhir::unit::{Const, Inst};
use phlox_value::raw::{self, offsets};
use std::mem::offset_of;

/// The number of classes whose answers an `InstanceOf` remembers.
const INSTANCES: usize = 4;
/// The number of classes whose answers a `HasLayout` remembers; a power of two.
const LAYOUTS: usize = 16;

impl Translation<'_> {
    /// Calls a runtime function; gives the address of its result.
    pub(crate) fn helper(&mut self, id: BlockId, inst: &Inst) -> Result<Value, Refusal> {
        let unit = self.unit;
        let [function, data, args @ ..] = unit.srcs(inst) else { return Err("a call of nothing".to_owned()) };
        let Some(Const::Func(function)) = unit.as_const(*function) else { return Err("a call of nothing".to_owned()) };
        let cells = self.cells(args)?;
        let (data, count) = (self.value(*data)?, self.int(args.len() as i64));
        let out = match inst.imm[0] {
            0 => {
                let context = self.context();
                self.builder.ins().iadd_imm_s(context, offset_of!(Context, scratch) as i64)
            }
            to => {
                let (base, to) = (self.base(to - 1), self.shape.offset(phlox_hhir::unit::Slot::Local(to - 1)));
                self.builder.ins().iadd_imm_s(base, to as i64)
            }
        };
        let done = self.call_helper(function.0 as *const (), &[data, cells, count, out], true).unwrap_or(out);
        let refused = self.builder.ins().icmp_imm_s(IntCC::Equal, done, 0);
        self.refuse_if(id, inst, refused)?;
        Ok(out)
    }

    /// Calls a runtime function that changes a cell.
    pub(crate) fn helper_at(&mut self, id: BlockId, inst: &Inst) -> Result<(), Refusal> {
        let unit = self.unit;
        let [function, data, place, args @ ..] = unit.srcs(inst) else { return Err("a call of nothing".to_owned()) };
        let Some(Const::Func(function)) = unit.as_const(*function) else { return Err("a call of nothing".to_owned()) };
        let cells = self.cells(args)?;
        let (data, place, count) = (self.value(*data)?, self.value(*place)?, self.int(args.len() as i64));
        let function = function.0 as *const ();
        let done = self.call_helper(function, &[data, place, cells, count], true).unwrap_or(place);
        let refused = self.builder.ins().icmp_imm_s(IntCC::Equal, done, 0);
        self.refuse_if(id, inst, refused)
    }

    /// Takes the edge unless `fine` holds, which a runtime function gave. Stress mode does not take it, because the function has
    /// done its work.
    pub(crate) fn refuse_if_not(&mut self, id: BlockId, inst: &Inst, fine: Value) -> Result<(), Refusal> {
        let every = std::mem::replace(&mut self.shape.fails_every, 0);
        let left = self.leave_if(id, inst, fine, false);
        self.shape.fails_every = every;
        left
    }

    /// Takes the edge if a runtime function has refused. Stress mode does not take it, because a function that did not refuse
    /// has done its work.
    pub(crate) fn refuse_if(&mut self, id: BlockId, inst: &Inst, refused: Value) -> Result<(), Refusal> {
        let every = std::mem::replace(&mut self.shape.fails_every, 0);
        let left = self.leave_if(id, inst, refused, true);
        self.shape.fails_every = every;
        left
    }

    /// Calls a function that takes words, and gives one if `gives` is set.
    pub(crate) fn call_helper(&mut self, function: *const (), args: &[Value], gives: bool) -> Option<Value> {
        let mut signature = Signature::new(CallConv::SystemV);
        for &arg in args {
            let ty = self.builder.func.dfg.value_type(arg);
            signature.params.push(AbiParam::new(ty));
        }
        if gives {
            signature.returns.push(AbiParam::new(clif::I64));
        }
        let signature = self.import(signature);
        let function = self.int(function as i64);
        let call = self.builder.ins().call_indirect(signature, function, args);
        self.builder.inst_results(call).first().copied()
    }

    /// The identity of an object's class.
    pub(crate) fn class_of(&mut self, object: Value) -> Value {
        let word = self.load(clif::I64, object, offsets::OBJECT_CLASS);
        self.builder.ins().iadd_imm_s(word, raw::class_delta() as i64)
    }

    /// Whether a class is another one or a subtype of it.
    pub(crate) fn instance_of(&mut self, class: Value, wanted: Value) -> Value {
        let (other, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(done, clif::I8);
        let truth = self.builder.ins().iconst(clif::I8, 1);
        let same = self.builder.ins().icmp(IntCC::Equal, class, wanted);
        self.builder.ins().brif(same, done, &[BlockArg::Value(truth)], other, &[]);
        self.builder.switch_to_block(other);
        let function = self.shape.helpers.instance_of as *const ();
        self.ask_about_class(class, (function, wanted), INSTANCES, done)
    }

    /// Whether a class has a property layout.
    pub(crate) fn has_layout(&mut self, class: Value, layout: u64) -> Value {
        let done = self.builder.create_block();
        self.builder.append_block_param(done, clif::I8);
        let (function, layout) = (self.shape.helpers.has_layout as *const (), self.int(layout as i64));
        self.ask_about_class(class, (function, layout), LAYOUTS, done)
    }

    /// Asks a runtime function about a class. Its answers are remembered at this place in the code, because they never change.
    fn ask_about_class(
        &mut self,
        class: Value,
        (function, about): (*const (), Value),
        remembered: usize,
        done: Block,
    ) -> Value {
        let cache: &'static mut [u64] = Box::leak(vec![0; 2 * remembered].into_boxed_slice());
        let slow = self.builder.create_block();
        // Classes lie far apart, so some bits of their addresses choose the entry.
        let number = self.builder.ins().ushr_imm_u(class, 7);
        let distance = self.builder.ins().ishl_imm_s(number, 4);
        let distance = self.builder.ins().band_imm_s(distance, 16 * (remembered as i64 - 1));
        let first = self.int(cache.as_ptr() as i64);
        let entry = self.builder.ins().iadd(first, distance);
        let known = self.load(clif::I64, entry, 0);
        let answer = self.load(clif::I8, entry, 8);
        let hit = self.builder.ins().icmp(IntCC::Equal, known, class);
        self.builder.set_cold_block(slow);
        self.builder.ins().brif(hit, done, &[BlockArg::Value(answer)], slow, &[]);
        self.builder.switch_to_block(slow);
        let answer = self.call_helper(function, &[class, about], true).unwrap_or(class);
        self.store(answer, entry, 8);
        self.store(class, entry, 0);
        let answer = self.builder.ins().ireduce(clif::I8, answer);
        self.builder.ins().jump(done, &[BlockArg::Value(answer)]);
        self.builder.switch_to_block(done);
        self.builder.block_params(done)[0]
    }
}
