//! Translation of HHIR to Cranelift's IR: one function for each unit, with cold blocks for its side exits.
//!
//! Integers, floats and booleans are SSA values of their machine types; counted values are their payload words; tagged values
//! are pairs. A unit with an instruction that has no translation is refused.

pub(crate) mod arithmetic;
pub(crate) mod branches;
pub(crate) mod calls;
pub(crate) mod cells;
pub(crate) mod exits;
pub(crate) mod headers;
pub(crate) mod helper_calls;
pub(crate) mod lists;
pub(crate) mod loops;
pub(crate) mod preserve_all;
pub(crate) mod tagged_values;

use crate::codegen::exits::blocks::Exits;
use crate::codegen::exits::tables::Known;
use crate::codegen::loops::Loops;
use crate::layout::{Context, Entry, FrameShape, MAX_FLOATS, MAX_INTS, Signature as Taken, Tags};
use crate::tagged_types::is_tagged;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self, AbiParam, BlockArg, InstBuilder, InstructionData, MemFlagsData, Signature, Value, types as clif,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use phlox_hhir::types::{self as hhir, ArrKind, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Inst, Literal, Unit};
use phlox_hhir::{BlockId, Op, SnapId, ValueId};
use phlox_value::raw::{self, offsets};
use std::collections::HashMap;
use std::mem::offset_of;

/// Why a unit has no code.
pub type Refusal = String;

/// Translates a unit into `func`. `taken` is the specialisation of a whole function, `None` for loops and generator bodies.
///
/// # Errors
/// The instruction or type that has no translation.
pub fn translate(
    unit: &Unit,
    shape: FrameShape,
    taken: Option<&Taken>,
    target: TargetFrontendConfig,
    func: &mut ir::Function,
    scratch: &mut FunctionBuilderContext,
) -> Result<(), Refusal> {
    func.signature = match taken {
        Some(taken) => function_signature(taken.this, &taken.args)?,
        None => signature(shape.is_body),
    };
    let mut builder = FunctionBuilder::new(func, scratch);
    let order = reverse_postorder(unit);
    let mut blocks = vec![None; unit.blocks.len()];
    for &block in &order {
        let made = builder.create_block();
        for &param in &unit.block(block).params {
            builder.append_block_param(made, representation(unit.ty(param))?);
        }
        blocks[block.at()] = Some(made);
    }
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let fp = builder.block_params(entry)[0];
    let stack = if shape.is_body { builder.block_params(entry)[1] } else { fp };
    let counters = taken.map(|taken| taken.entry);
    if let Some(counters) = counters {
        count(&mut builder, counters + offset_of!(Entry, calls) as u64);
    }
    let mut translation = Translation {
        unit,
        shape,
        fp,
        stack,
        values: vec![None; unit.values.len()],
        blocks,
        exits: Exits::default(),
        taken,
        entry,
        noted: None,
        loops: Loops::of(unit, &shape.helpers),
        at: unit.entry,
        elements: HashMap::new(),
        lengths: HashMap::new(),
        least: HashMap::new(),
        place: 0,
        signatures: Vec::new(),
        cells: None,
        builder,
    };
    let first = translation.block(unit.entry)?;
    translation.builder.ins().jump(first, &[]);
    for &block in &order {
        translation.fill(block)?;
    }
    translation.write_exits()?;
    translation.builder.seal_all_blocks();
    translation.builder.finalize(target);
    Ok(())
}

/// The signature of a loop's code, `fn(frame) -> position`. The code of a generator's body also takes the frame's place on the
/// stack.
fn signature(is_body: bool) -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.resize(if is_body { 2 } else { 1 }, AbiParam::new(clif::I64));
    signature.returns.push(AbiParam::new(clif::I64));
    signature
}

/// The signature of a function's code, `fn(frame, object or class, arguments...) -> (tag or position, payload)`. Arguments whose
/// type has just one value are not passed.
pub(crate) fn function_signature(this: Option<Bits>, args: &[Bits]) -> Result<Signature, Refusal> {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.push(AbiParam::new(clif::I64));
    let (mut ints, mut floats) = (0, 0);
    for &bits in this.iter().chain(args) {
        let Some(machine) = passed_as(bits)? else { continue };
        if machine == clif::F64 {
            floats += 1
        } else {
            ints += 1
        }
        signature.params.push(AbiParam::new(machine));
    }
    if ints > MAX_INTS || floats > MAX_FLOATS {
        return Err("too many arguments".to_owned());
    }
    signature.returns.extend([AbiParam::new(clif::I64), AbiParam::new(clif::I64)]);
    Ok(signature)
}

/// The machine type in which an argument of a type is passed; `None` if it is not passed.
pub(crate) fn passed_as(bits: Bits) -> Result<Option<clif::Type>, Refusal> {
    let ty = Type::of(bits);
    if ty.is(hhir::CLS) {
        return Ok(Some(clif::I64));
    }
    match Unit::const_of_type(ty) {
        Some(_) => Ok(None),
        None => representation(ty).map(Some),
    }
}

/// Emits code that increments a counter in memory.
pub(crate) fn count(builder: &mut FunctionBuilder, address: u64) {
    let address = builder.ins().iconst(clif::I64, address as i64);
    let before = builder.ins().load(clif::I64, MemFlagsData::trusted(), address, 0);
    let after = builder.ins().iadd_imm_s(before, 1);
    builder.ins().store(MemFlagsData::trusted(), after, address, 0);
}

/// The reachable blocks, each behind its dominators.
fn reverse_postorder(unit: &Unit) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut seen = vec![false; unit.blocks.len()];
    let mut stack = vec![(unit.entry, false)];
    while let Some((block, done)) = stack.pop() {
        if done {
            order.push(block);
        } else if !std::mem::replace(&mut seen[block.at()], true) {
            stack.push((block, true));
            stack.extend(unit.successors(block).map(|next| (next, false)));
        }
    }
    order.reverse();
    order
}

/// The machine type of values of a type.
pub(crate) fn representation(ty: Type) -> Result<clif::Type, Refusal> {
    if ty.is(hhir::DBL) {
        Ok(clif::F64)
    } else if ty.is(hhir::BOOL) {
        Ok(clif::I8)
    } else if is_tagged(ty) {
        Ok(clif::I128)
    } else if ty.is_unboxed() || ty.is(hhir::NULL | hhir::CLS) || ty.is(hhir::PTR) || ty.is(hhir::BOXED) {
        Ok(clif::I64)
    } else {
        Err(format!("a value of type {ty}"))
    }
}

/// The translation of one unit.
pub(crate) struct Translation<'a> {
    pub unit: &'a Unit,
    pub(crate) shape: FrameShape,
    pub(crate) fp: Value,
    /// The frame's place on the stack, from which temporaries are addressed. It differs from `fp` in generators' bodies.
    pub(crate) stack: Value,
    values: Vec<Option<Value>>,
    blocks: Vec<Option<ir::Block>>,
    pub(crate) exits: Exits,
    /// The specialisation of a function; `None` if the unit is a loop or a generator's body.
    pub(crate) taken: Option<&'a Taken>,
    pub(crate) entry: ir::Block,
    /// While known writes are collected ([`Self::noting`]): those so far.
    pub(crate) noted: Option<Vec<Known>>,
    pub(crate) loops: Loops,
    /// The block that is being translated.
    pub(crate) at: BlockId,
    /// The addresses of packed arrays' elements, by the block at whose end they were loaded.
    pub(crate) elements: HashMap<(BlockId, ValueId), Value>,
    /// The lengths of packed arrays, by the block at whose end they were loaded.
    pub(crate) lengths: HashMap<(BlockId, ValueId), Value>,
    /// The least lengths of the groups of packed arrays in [`Loops`].
    pub(crate) least: HashMap<usize, Value>,
    /// The index in its block of the instruction that is being translated.
    pub(crate) place: usize,
    /// The signatures of called functions that have been imported so far.
    signatures: Vec<(Signature, ir::SigRef)>,
    /// The native stack slot for the argument cells of runtime functions, which all calls share.
    pub(crate) cells: Option<ir::StackSlot>,
    pub builder: FunctionBuilder<'a>,
}

impl Translation<'_> {
    pub(crate) fn block(&self, block: BlockId) -> Result<ir::Block, Refusal> {
        self.blocks[block.at()].ok_or_else(|| "a block that is not reached".to_owned())
    }

    fn fill(&mut self, id: BlockId) -> Result<(), Refusal> {
        let block = self.block(id)?;
        self.builder.switch_to_block(block);
        self.at = id;
        let unit = self.unit;
        for (position, &param) in unit.block(id).params.iter().enumerate() {
            self.values[param.at()] = Some(self.builder.block_params(block)[position]);
        }
        for (place, &inst) in unit.block(id).insts.iter().enumerate() {
            self.place = place;
            let inst = unit.inst(inst);
            if inst.op == Op::Jmp {
                self.look_for_lists(id)?;
            }
            let result = self.instruction(id, inst)?;
            if let (Some(dst), Some(result)) = (inst.dst, result) {
                self.values[dst.at()] = Some(result);
            }
            if inst.op.is_terminal() || matches!(inst.edge, Edge::Block(_)) {
                return Ok(());
            }
        }
        self.look_for_lists(id)?;
        let Some(next) = unit.block(id).next else { return Err("a block without an end".to_owned()) };
        let next = self.block(next)?;
        self.builder.ins().jump(next, &[]);
        Ok(())
    }

    /// The base from which a cell's offset counts: the stack for temporaries, the frame for all others.
    pub(crate) fn base(&self, cell: u32) -> Value {
        if cell >= self.shape.before_tmps { self.stack } else { self.fp }
    }

    /// The Cranelift value of a value of the unit.
    pub fn value(&mut self, id: ValueId) -> Result<Value, Refusal> {
        if let Some(value) = self.values[id.at()] {
            return Ok(value);
        }
        let ins = self.builder.ins();
        Ok(match self.unit.as_const(id) {
            Some(Const::Int(int)) => ins.iconst(clif::I64, int),
            Some(Const::Dbl(bits)) => ins.f64const(f64::from_bits(bits)),
            Some(Const::Bool(truth)) => ins.iconst(clif::I8, i64::from(truth)),
            Some(Const::Uninit | Const::Null | Const::Nullptr) => ins.iconst(clif::I64, 0),
            Some(Const::Cls(class)) => ins.iconst(clif::I64, class.0 as i64),
            Some(Const::Func(func)) => ins.iconst(clif::I64, func.0 as i64),
            Some(Const::Lit(literal)) => match self.unit.literals[literal.at()] {
                Literal::Str { handle, .. } | Literal::Arr { handle, .. } => ins.iconst(clif::I64, handle as i64),
            },
            other => return Err(format!("value {id}: {other:?}")),
        })
    }

    /// The integer that a constant is; 0 if the value is no constant integer.
    fn constant_int(&self, value: ValueId) -> i64 {
        match self.unit.as_const(value) {
            Some(Const::Int(int)) => int,
            _ => 0,
        }
    }

    /// The address of the thread's context, as a new constant each time: most code needs it in side exits only, so it must not
    /// occupy a register.
    pub(crate) fn context(&mut self) -> Value {
        self.int(self.shape.context as i64)
    }

    pub(crate) fn int(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(clif::I64, value)
    }

    /// The integer that a Cranelift value is, if it is a constant.
    pub(crate) fn known_int(&self, value: Value) -> Option<i64> {
        let dfg = &self.builder.func.dfg;
        match dfg.insts[dfg.value_def(value).inst()?] {
            InstructionData::UnaryImm { imm, .. } => Some(imm.bits()),
            _ => None,
        }
    }

    pub(crate) fn load(&mut self, ty: clif::Type, at: Value, offset: usize) -> Value {
        self.builder.ins().load(ty, MemFlagsData::trusted(), at, offset as i32)
    }

    pub(crate) fn store(&mut self, value: Value, at: Value, offset: usize) {
        self.builder.ins().store(MemFlagsData::trusted(), value, at, offset as i32);
    }

    /// Imports the signature of a called function, once for each unit.
    pub(crate) fn import(&mut self, signature: Signature) -> ir::SigRef {
        if let Some(row) = self.signatures.iter().find(|row| row.0 == signature) {
            return row.1;
        }
        let imported = self.builder.import_signature(signature.clone());
        self.signatures.push((signature, imported));
        imported
    }

    /// The cold block for the side exit with a snapshot.
    pub(crate) fn exit_block(&mut self, snap: SnapId, is_side: bool) -> ir::Block {
        if let Some(block) = self.exits.find(snap, is_side) {
            return block;
        }
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.exits.add(snap, is_side, block);
        block
    }

    /// The base from which the offset of the local or temporary of an instruction counts.
    fn base_of(&self, inst: &Inst) -> Value {
        if matches!(inst.op, Op::StStk | Op::LdStk | Op::CheckStk) { self.stack } else { self.base(inst.imm[0]) }
    }

    fn instruction(&mut self, id: BlockId, inst: &Inst) -> Result<Option<Value>, Refusal> {
        let srcs = self.unit.srcs(inst);
        if inst.op == Op::Jmp {
            return self.jump(inst).map(|()| None);
        }
        let local = self.shape.offset(phlox_hhir::unit::Slot::Local(inst.imm[0]));
        let tmp = self.shape.offset(phlox_hhir::unit::Slot::Tmp(inst.imm[0]));
        // Stores write their operand as its type says.
        match inst.op {
            Op::Nop | Op::ExitPlaceholder | Op::AssertLoc | Op::AssertStk | Op::EndGuards => return Ok(None),
            Op::StLoc | Op::StStk => {
                let base = self.base_of(inst);
                self.store_cell(srcs[1], base, if inst.op == Op::StLoc { local } else { tmp })?;
                return Ok(None);
            }
            Op::CallUnit | Op::CallUnitMem => return self.call_unit(inst),
            Op::IncRef => {
                self.hold_value(srcs[0])?;
                return Ok(None);
            }
            Op::CheckType => return self.check_type(id, inst).map(Some),
            Op::Mov | Op::AssertType => {
                let to = inst.dst.map_or(inst.ty, |dst| self.unit.ty(dst));
                return self.value_as(srcs[0], to).map(Some);
            }
            Op::IsType => return self.is_of(srcs[0], inst.ty).map(Some),
            Op::CallInterp => return self.call_interp(inst).map(Some),
            Op::CallOpline => return self.call_opline(inst).map(Some),
            Op::Yield => return self.yield_to(inst).map(|()| None),
            Op::ContNext => return self.next_of_generator(inst).map(Some),
            Op::ContSend => return self.send_to_generator(inst).map(Some),
            Op::CheckPending => {
                let (stack, header) = (self.stack, self.shape.header);
                let func = self.load(clif::I64, stack, local + header.callee as usize);
                let there = self.builder.ins().icmp_imm_s(IntCC::NotEqual, func, 0);
                self.refuse_if_not(id, inst, there)?;
                let takes = self.load(clif::I8, func, header.by_ref as usize);
                let plain = self.builder.ins().icmp_imm_s(IntCC::Equal, takes, 0);
                return self.refuse_if_not(id, inst, plain).map(|()| None);
            }
            Op::RetMem => {
                let cell = self.value(srcs[1])?;
                let tag = self.load(clif::I32, cell, offsets::CELL_TAG);
                let tag = self.builder.ins().uextend(clif::I64, tag);
                let payload = self.load(clif::I64, cell, offsets::CELL_PAYLOAD);
                // All strings that functions return count as counted ones, so a literal gets a reference.
                let (literal, done) = (self.builder.create_block(), self.builder.create_block());
                self.builder.append_block_param(done, clif::I64);
                let is_literal = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_STR_STATIC));
                self.builder.ins().brif(is_literal, literal, &[], done, &[BlockArg::Value(tag)]);
                self.builder.switch_to_block(literal);
                self.hold(payload);
                let counted = self.int(i64::from(raw::TI_STR));
                self.builder.ins().jump(done, &[BlockArg::Value(counted)]);
                self.builder.switch_to_block(done);
                let tag = self.builder.block_params(done)[0];
                self.give_words(tag, payload);
                return Ok(None);
            }
            Op::LdConstObj => {
                return Ok(Some(self.int(crate::translate::translator::address(inst) as i64)));
            }
            Op::CallHelper | Op::CallHelperTake => return self.helper(id, inst).map(Some),
            Op::CallHelperMem => return self.helper_at(id, inst).map(|()| None),
            Op::DecRefNZ => {
                self.let_go_value(srcs[0])?;
                return Ok(None);
            }
            Op::DecRefFree => {
                self.release(srcs[0])?;
                return Ok(None);
            }
            Op::StRef => {
                let reference = self.value(srcs[0])?;
                self.store_cell(srcs[1], reference, crate::layout::inside_reference())?;
                return Ok(None);
            }
            Op::StMem => {
                let place = self.value(srcs[0])?;
                self.store_cell(srcs[1], place, 0)?;
                return Ok(None);
            }
            Op::RetCtrl | Op::RetUnit => {
                self.give_result(srcs[1])?;
                return Ok(None);
            }
            Op::StPackedInt | Op::StPackedDbl | Op::StPackedBool => {
                let (array, index) = (self.value(srcs[0])?, self.value(srcs[1])?);
                let place = self.unboxed_element(inst, array, index);
                let value = self.value(srcs[2])?;
                self.store(value, place, 0);
                return Ok(None);
            }
            Op::StPackedElem => {
                let (array, index) = (self.value(srcs[0])?, self.value(srcs[1])?);
                let cell = self.element(srcs[0], array, index);
                self.store_cell(srcs[2], cell, 0)?;
                return Ok(None);
            }
            _ => {}
        }
        let mut args = [self.fp; 3];
        for (arg, &src) in args.iter_mut().zip(srcs) {
            let ty = self.unit.ty(src);
            if is_tagged(ty) && inst.op != Op::Select {
                return Err(format!("{} of a value of type {ty}", inst.op.name()));
            }
            *arg = self.value(src)?;
        }
        let [a, b, _] = args;
        // A pass may have narrowed the result's type below what the instruction says.
        let loaded = inst.dst.map_or(inst.ty, |dst| self.unit.ty(dst));
        Ok(Some(match inst.op {
            Op::DefFP => self.fp,
            Op::LdArg => self.argument(inst.imm[0])?,
            Op::CheckRoom => {
                self.check_room(id, inst)?;
                return Ok(None);
            }
            Op::NewObj => {
                let function = self.shape.helpers.new_object as *const ();
                let object = self.call_helper(function, &[a], true).unwrap_or(a);
                let none = self.builder.ins().icmp_imm_s(IntCC::Equal, object, 0);
                self.refuse_if(id, inst, none)?;
                object
            }
            Op::DropMem => {
                self.release_cell(a);
                return Ok(None);
            }
            Op::LdLocAddr => {
                let base = self.base_of(inst);
                self.builder.ins().iadd_imm_s(base, local as i64)
            }
            Op::LdContKeyAddr => {
                let distance = offset_of!(Context, key) - offset_of!(Context, scratch);
                self.builder.ins().iadd_imm_s(a, distance as i64)
            }
            Op::AssignLocMem => {
                let place = self.builder.ins().iadd_imm_s(a, local as i64);
                let function = self.shape.helpers.assign as *const ();
                self.call_helper(function, &[place, b], false);
                return Ok(None);
            }
            Op::CheckWritable => {
                self.check_writable(id, inst, a)?;
                return Ok(None);
            }
            Op::InstanceOf => self.instance_of(a, b),
            Op::HasLayout => self.has_layout(a, crate::translate::translator::address(inst)),
            Op::LdObjClass => self.class_of(a),
            Op::UnboxPtr => {
                let tag = self.load(clif::I32, a, offsets::CELL_TAG);
                let is_reference = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_REF));
                let reference = self.load(clif::I64, a, offsets::CELL_PAYLOAD);
                let inside = self.builder.ins().iadd_imm_s(reference, crate::layout::inside_reference() as i64);
                self.builder.ins().select(is_reference, inside, a)
            }
            Op::LdRDSAddr => a,
            Op::LdPropAddr => self.builder.ins().iadd_imm_s(a, i64::from(inst.imm[0])),
            Op::LdPackedArrayDataElemAddr => self.element(srcs[0], a, b),
            Op::CheckMixedArrayOffset => {
                self.check_position(id, inst, a, b)?;
                return Ok(None);
            }
            Op::ElemMixedArrayK => {
                let position = self.int(i64::from(inst.imm[0]));
                self.bucket(a, position)
            }
            Op::CheckTypeMem => {
                let tag = self.load(clif::I32, a, offsets::CELL_TAG);
                let fits = self.test_tag(tag, inst.ty)?;
                self.leave_unless(id, inst, fits)?;
                return Ok(None);
            }
            Op::SameStr | Op::EqStr => match self.literal_of(inst) {
                Some((text, bytes)) => self.has_bytes(if text == srcs[0] { a } else { b }, &bytes),
                None => self.same_text(inst.op, a, b),
            },
            Op::IsTypeMem => {
                let tag = self.load(clif::I32, a, offsets::CELL_TAG);
                self.test_tag(tag, inst.ty)?
            }
            Op::CountStr => {
                self.hold(a);
                a
            }
            Op::TakeMem if loaded.bits() == hhir::COUNTED_STR => {
                let tag = self.load(clif::I32, a, offsets::CELL_TAG);
                let payload = self.load(clif::I64, a, offsets::CELL_PAYLOAD);
                let literal = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(raw::TI_STR_STATIC));
                let literal = self.builder.ins().uextend(clif::I32, literal);
                let holders = self.load(clif::I32, payload, offsets::HOLDERS);
                let holders = self.builder.ins().iadd(holders, literal);
                self.store(holders, payload, offsets::HOLDERS);
                payload
            }
            Op::TakeMem if is_tagged(loaded) => self.load_tagged(a, 0, true),
            Op::LdMem | Op::TakeMem => self.load_cell(a, 0, loaded)?,
            Op::LdCtx if inst.ty.is(hhir::OBJ | hhir::NULLPTR) => {
                let fp = self.fp;
                self.load(clif::I64, fp, self.shape.header.this as usize)
            }
            Op::CheckCtxThis => {
                let is_object = self.builder.ins().icmp_imm_s(IntCC::NotEqual, a, 0);
                self.leave_unless(id, inst, is_object)?;
                return Ok(None);
            }
            Op::LdCctx => {
                let fp = self.fp;
                self.load(clif::I64, fp, self.shape.header.static_class as usize)
            }
            Op::LdClsCctx => a,
            Op::LdLoc | Op::LdStk => {
                let base = self.base_of(inst);
                self.load_cell(base, if inst.op == Op::LdLoc { local } else { tmp }, loaded)?
            }
            Op::CheckLoc | Op::CheckStk => {
                let offset = if inst.op == Op::CheckLoc { local } else { tmp };
                let base = self.base_of(inst);
                let tag = self.load(clif::I32, base, offset + offsets::CELL_TAG);
                let fits = self.test_tag(tag, inst.ty)?;
                self.leave_unless(id, inst, fits)?;
                return Ok(None);
            }
            Op::JmpZero | Op::JmpNZero => {
                self.leave_if(id, inst, a, inst.op == Op::JmpNZero)?;
                return Ok(None);
            }
            Op::ReqBindJmp | Op::ReqRetranslate => {
                let Edge::Exit(snap) = inst.edge else { return Err("an exit without a snapshot".to_owned()) };
                let block = self.exit_block(snap, inst.op == Op::ReqRetranslate);
                self.builder.ins().jump(block, &[]);
                return Ok(None);
            }
            Op::CheckSurpriseFlags => {
                let word = self.int(self.shape.interrupt as i64);
                let asked = self.load(clif::I32, word, 0);
                self.leave_if(id, inst, asked, true)?;
                return Ok(None);
            }
            Op::CheckCacheWord => {
                self.check_cache_word(inst, a, b)?;
                return Ok(None);
            }
            Op::CheckDestructors => {
                let word = self.int(self.shape.interrupt as i64);
                let asked = self.load(clif::I32, word, 0);
                let waiting = self.builder.ins().band_imm_s(asked, i64::from(phlox_value::interrupt::DESTRUCT));
                self.leave_if(id, inst, waiting, true)?;
                return Ok(None);
            }
            Op::CheckArrKind | Op::IsArrKind | Op::CheckUnboxed => {
                let kind = self.load(clif::I8, a, offsets::ARRAY_KIND);
                let wanted = match ArrKind::ALL.get(inst.imm[0] as usize) {
                    Some(ArrKind::Packed) => offsets::ARRAY_PACKED,
                    Some(ArrKind::Hash) => offsets::ARRAY_HASH,
                    Some(ArrKind::PackedInt) => offsets::ARRAY_PACKED_INT,
                    Some(ArrKind::PackedDbl) => offsets::ARRAY_PACKED_DBL,
                    Some(ArrKind::PackedBool) => offsets::ARRAY_PACKED_BOOL,
                    None => return Err("a layout that there is not".to_owned()),
                };
                let fits = self.builder.ins().icmp_imm_s(IntCC::Equal, kind, i64::from(wanted));
                if inst.op == Op::IsArrKind {
                    return Ok(Some(fits));
                }
                self.leave_unless(id, inst, fits)?;
                a
            }
            Op::CheckArrayCOW => {
                let holders = self.load(clif::I32, a, offsets::HOLDERS);
                let shared = self.builder.ins().icmp_imm_s(IntCC::NotEqual, holders, 1);
                self.leave_if(id, inst, shared, true)?;
                return Ok(None);
            }
            Op::CheckPackedArrayDataBounds => {
                self.check_bounds(id, inst, a, b)?;
                return Ok(None);
            }
            Op::LdPackedSize => self.array_field(a, offsets::ARRAY_USED),
            Op::CountArray | Op::CountArrayFast => self.array_field(a, offsets::ARRAY_COUNT),
            Op::CheckPackedElem | Op::LdPackedElem => {
                let cell = self.element(srcs[0], a, b);
                if inst.op == Op::CheckPackedElem {
                    let tag = self.load(clif::I32, cell, offsets::CELL_TAG);
                    let fits = self.test_tag(tag, inst.ty)?;
                    self.leave_unless(id, inst, fits)?;
                    let is_one_kind = inst.ty.is(hhir::BOOL) || Tags::exact(inst.ty.bits() & hhir::GEN).is_some();
                    if !is_one_kind {
                        // A guard for a type with several tag words checks only; its result is not used as a value.
                        return Ok(Some(cell));
                    }
                }
                self.load_cell(cell, 0, loaded)?
            }
            Op::LdPackedInt | Op::LdPackedDbl | Op::LdPackedBool => {
                let place = self.unboxed_element(inst, a, b);
                let ty = match inst.op {
                    Op::LdPackedInt => clif::I64,
                    Op::LdPackedDbl => clif::F64,
                    _ => clif::I8,
                };
                self.load(ty, place, 0)
            }
            Op::ReservePackedArrayDataNewElem => self.reserve(id, inst, a)?,
            Op::NextTableElem | Op::NextListElem => self.next_element(id, inst, a, b)?,
            Op::LdTableElemAddr => self.bucket(a, b),
            Op::CheckTableKey | Op::LdTableKey => {
                let bucket = self.bucket(a, b);
                let key = self.load(clif::I64, bucket, offsets::BUCKET_KEY);
                let is_int = inst.ty.is(hhir::INT);
                if inst.op == Op::CheckTableKey {
                    let wrong = self.builder.ins().icmp_imm_s(IntCC::NotEqual, key, 0);
                    self.leave_if(id, inst, wrong, is_int)?;
                    return Ok(None);
                }
                if is_int { self.load(clif::I64, bucket, offsets::BUCKET_HASH) } else { key }
            }
            Op::CheckRefInner | Op::LdRef => {
                let cell = crate::layout::inside_reference();
                if inst.op == Op::CheckRefInner {
                    let tag = self.load(clif::I32, a, cell + offsets::CELL_TAG);
                    let fits = self.test_tag(tag, inst.ty)?;
                    self.leave_unless(id, inst, fits)?;
                    return Ok(None);
                }
                self.load_cell(a, cell, loaded)?
            }
            Op::LdStrLen => self.load(clif::I64, a, offsets::STRING_LENGTH),
            Op::LdStrByte => {
                let at = self.builder.ins().iadd(a, b);
                let byte = self.load(clif::I8, at, offsets::STRING_BYTES);
                self.builder.ins().uextend(clif::I64, byte)
            }
            Op::ChrInt => {
                let low = self.builder.ins().band_imm_s(a, 0xff);
                let distance = self.builder.ins().imul_imm_s(low, offsets::BYTE_STRING as i64);
                self.builder.ins().iadd_imm_s(distance, self.shape.bytes as i64)
            }
            Op::AddIntO | Op::SubIntO if self.wrong_side(inst).is_some() => {
                // The sign of an operand is known, so a comparison of the result with the other operand tells of an overflow, which
                // is cheaper than a test of the overflow flag.
                let result = match inst.op {
                    Op::AddIntO => self.builder.ins().iadd(a, b),
                    _ => self.builder.ins().isub(a, b),
                };
                if let Some((wrong, of_first)) = self.wrong_side(inst) {
                    let overflow = self.builder.ins().icmp(wrong, result, if of_first { a } else { b });
                    self.leave_if(id, inst, overflow, true)?;
                }
                result
            }
            Op::AndInt if self.constant_int(srcs[1]) == i64::from(u32::MAX) => {
                let low = self.builder.ins().ireduce(clif::I32, a);
                self.builder.ins().uextend(clif::I64, low)
            }
            Op::AddIntO | Op::SubIntO | Op::MulIntO => {
                let (result, overflow) = match inst.op {
                    Op::AddIntO => self.builder.ins().sadd_overflow(a, b),
                    Op::SubIntO => self.builder.ins().ssub_overflow(a, b),
                    _ => self.builder.ins().smul_overflow(a, b),
                };
                self.leave_if(id, inst, overflow, true)?;
                result
            }
            Op::DivIntO | Op::ModO => self.divide(id, inst, a, b)?,
            Op::ShlO | Op::ShrO => {
                let negative = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, b, 0);
                self.leave_if(id, inst, negative, true)?;
                let most = self.int(63);
                let within = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, b, most);
                if inst.op == Op::ShrO {
                    let by = self.builder.ins().select(within, b, most);
                    self.builder.ins().sshr(a, by)
                } else {
                    let shifted = self.builder.ins().ishl(a, b);
                    let zero = self.int(0);
                    self.builder.ins().select(within, shifted, zero)
                }
            }
            Op::ConvDblToInt => self.truncate(a),
            Op::ConvDblToIntO => {
                let int = self.builder.ins().fcvt_to_sint_sat(clif::I64, a);
                let back = self.builder.ins().fcvt_from_sint(clif::F64, int);
                let (before, after) = (self.bits(a), self.bits(back));
                let changed = self.builder.ins().icmp(IntCC::NotEqual, before, after);
                // Larger floats saturate to the largest integer, which converts to 2 to the 63rd as one of them does.
                let limit = self.builder.ins().icmp_imm_s(IntCC::Equal, int, i64::MAX);
                let inexact = self.builder.ins().bor(changed, limit);
                self.leave_if(id, inst, inexact, true)?;
                int
            }
            Op::Select => {
                let to = inst.dst.map_or(Type::BOTTOM, |dst| self.unit.ty(dst));
                let (b, c) = (self.value_as(srcs[1], to)?, self.value_as(srcs[2], to)?);
                self.builder.ins().select(a, b, c)
            }
            op => self.compute(op, a, b)?,
        }))
    }

    pub(crate) fn bits(&mut self, float: Value) -> Value {
        self.builder.ins().bitcast(clif::I64, MemFlagsData::new(), float)
    }

    fn jump(&mut self, inst: &Inst) -> Result<(), Refusal> {
        let Edge::Block(target) = inst.edge else { return Err("a jump to nowhere".to_owned()) };
        let mut args = Vec::with_capacity(inst.srcs.len());
        let unit = self.unit;
        for (&src, &param) in unit.srcs(inst).iter().zip(&unit.block(target).params) {
            args.push(BlockArg::Value(self.value_as(src, unit.ty(param))?));
        }
        let target = self.block(target)?;
        self.builder.ins().jump(target, &args);
        Ok(())
    }
}
