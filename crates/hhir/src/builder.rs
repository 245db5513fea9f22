//! Builds a unit from front to back: blocks, instructions with the types of their results, snapshots.

use crate::ids::*;
use crate::ops::{B, ER, Op};
use crate::simplify::{self, Simplified};
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;

/// A unit under construction, and the block to which instructions are added.
///
/// Instructions are simplified as they are added: an addition of two constants becomes a constant, a check that cannot fail
/// becomes its operand.
pub struct Builder {
    pub unit: Unit,
    block: BlockId,
    mark: Mark,
}

impl Builder {
    /// Starts a unit.
    pub fn new(func: FuncId, entry_opline: u32) -> Builder {
        Builder::on(Unit::new(func, entry_opline))
    }

    /// Continues a unit at the end of its entry block.
    pub fn on(unit: Unit) -> Builder {
        let block = unit.entry;
        Builder { unit, block, mark: Mark::default() }
    }

    /// Ends the construction.
    pub fn finish(self) -> Unit {
        self.unit
    }

    /// The block to which instructions are added.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Adds instructions to another block from here on.
    pub fn switch_to(&mut self, block: BlockId) {
        self.block = block;
    }

    /// Makes instructions belong to an opline of a frame from here on.
    pub fn at(&mut self, frame: FrameId, opline: u32) {
        self.mark = Mark { frame: frame.0, opline };
    }

    /// Adds an empty block to the unit.
    pub fn new_block(&mut self, hint: Hint) -> BlockId {
        self.unit.add_block(hint)
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.unit.ty(value)
    }

    /// Adds an instruction. Gives its result, if it has one, or a value that a simpler instruction gives.
    pub fn emit(&mut self, op: Op, ty: Type, imm: [u32; 3], srcs: &[ValueId], edge: Edge) -> Option<ValueId> {
        let srcs = self.unit.list(srcs);
        // The operation never takes this edge, so it is dropped.
        let edge = if op.has(B | ER) { edge } else { Edge::None };
        let inst = Inst { op, srcs, dst: None, edge, ty, imm, mark: self.mark };
        match simplify::simplify(&mut self.unit, &inst) {
            Simplified::Value(value) => Some(value),
            Simplified::Gone => None,
            // An instruction that always takes its edge stays a branch here, because the caller goes on with this block.
            Simplified::Inst(new) if new.op.is_terminal() != op.is_terminal() => self.push(inst),
            Simplified::Inst(new) => self.push(new),
            Simplified::Same => self.push(inst),
        }
    }

    fn push(&mut self, inst: Inst) -> Option<ValueId> {
        let ty = result_type(&self.unit, &inst);
        let id = self.unit.add_inst(inst, ty);
        self.unit.blocks[self.block.at()].insts.push(id);
        self.unit.insts[id.at()].dst
    }

    fn value(&mut self, op: Op, ty: Type, imm: [u32; 3], srcs: &[ValueId], edge: Edge) -> ValueId {
        match self.emit(op, ty, imm, srcs, edge) {
            Some(value) => value,
            // Callers pass only operations with a result, so this does not happen.
            None => self.unit.constant(Const::Null),
        }
    }

    /// Adds an operation on values that gives a value: arithmetic, comparison, conversion.
    pub fn op(&mut self, op: Op, srcs: &[ValueId]) -> ValueId {
        self.value(op, Type::TOP, [0; 3], srcs, Edge::None)
    }

    /// Adds an operation that gives a value or takes a side exit: `AddIntO`, calls that may throw.
    pub fn op_or(&mut self, op: Op, srcs: &[ValueId], exit: SnapId) -> ValueId {
        self.value(op, Type::TOP, [0; 3], srcs, Edge::Exit(exit))
    }

    /// Adds the instruction that gives the frame pointer.
    pub fn frame_ptr(&mut self) -> ValueId {
        self.value(Op::DefFP, Type::TOP, [0; 3], &[], Edge::None)
    }

    /// Adds a load of a local.
    pub fn ld_loc(&mut self, frame: ValueId, local: u32, ty: Type) -> ValueId {
        self.value(Op::LdLoc, ty, [local, 0, 0], &[frame], Edge::None)
    }

    /// Adds a store to a local.
    pub fn st_loc(&mut self, frame: ValueId, local: u32, value: ValueId) {
        self.emit(Op::StLoc, Type::TOP, [local, 0, 0], &[frame, value], Edge::None);
    }

    /// Adds a load of a temporary.
    pub fn ld_stk(&mut self, frame: ValueId, tmp: u32, ty: Type) -> ValueId {
        self.value(Op::LdStk, ty, [tmp, 0, 0], &[frame], Edge::None)
    }

    /// Adds a store to a temporary.
    pub fn st_stk(&mut self, frame: ValueId, tmp: u32, value: ValueId) {
        self.emit(Op::StStk, Type::TOP, [tmp, 0, 0], &[frame, value], Edge::None);
    }

    /// Adds a guard that a local is of a type.
    pub fn check_loc(&mut self, frame: ValueId, local: u32, ty: Type, exit: SnapId) {
        self.emit(Op::CheckLoc, ty, [local, 0, 0], &[frame], Edge::Exit(exit));
    }

    /// Adds a guard that a temporary is of a type.
    pub fn check_stk(&mut self, frame: ValueId, tmp: u32, ty: Type, exit: SnapId) {
        self.emit(Op::CheckStk, ty, [tmp, 0, 0], &[frame], Edge::Exit(exit));
    }

    /// Adds a guard that a value is of a type; gives the value with that type.
    pub fn check_type(&mut self, value: ValueId, ty: Type, exit: SnapId) -> ValueId {
        self.value(Op::CheckType, ty, [0; 3], &[value], Edge::Exit(exit))
    }

    /// Adds a guard that an array has a layout; gives the array with that layout.
    pub fn check_arr_kind(&mut self, array: ValueId, kind: ArrKind, exit: SnapId) -> ValueId {
        self.value(Op::CheckArrKind, Type::TOP, [kind as u32, 0, 0], &[array], Edge::Exit(exit))
    }

    /// Adds a side exit for the case that a condition does not hold.
    pub fn exit_unless(&mut self, condition: ValueId, exit: SnapId) {
        self.emit(Op::JmpZero, Type::TOP, [0; 3], &[condition], Edge::Exit(exit));
    }

    /// Adds a side exit for the case that a condition holds.
    pub fn exit_if(&mut self, condition: ValueId, exit: SnapId) {
        self.emit(Op::JmpNZero, Type::TOP, [0; 3], &[condition], Edge::Exit(exit));
    }

    /// Ends the block with a two-way branch to blocks without parameters.
    pub fn branch(&mut self, condition: ValueId, if_true: BlockId, if_false: BlockId) {
        match self.ty(condition).as_bool() {
            Some(true) => return self.jmp(if_true, &[]),
            Some(false) => return self.jmp(if_false, &[]),
            None => {}
        }
        self.emit(Op::JmpNZero, Type::TOP, [0; 3], &[condition], Edge::Block(if_true));
        self.unit.blocks[self.block.at()].next = Some(if_false);
    }

    /// Ends the block with a jump that passes values for the target's parameters.
    pub fn jmp(&mut self, target: BlockId, args: &[ValueId]) {
        self.emit(Op::Jmp, Type::TOP, [0; 3], args, Edge::Block(target));
    }

    /// Ends the block and the unit: the interpreter goes on, without a guard having failed.
    pub fn exit(&mut self, snap: SnapId) {
        self.emit(Op::ReqBindJmp, Type::TOP, [0; 3], &[], Edge::Exit(snap));
    }

    /// Ends the block and the unit with a side exit, because what was assumed of types does not hold.
    pub fn retranslate(&mut self, snap: SnapId) {
        self.emit(Op::ReqRetranslate, Type::TOP, [0; 3], &[], Edge::Exit(snap));
    }

    /// Ends the block and the unit with a return.
    pub fn ret(&mut self, frame: ValueId, value: ValueId) {
        self.emit(Op::RetCtrl, Type::TOP, [0; 3], &[frame, value], Edge::None);
    }

    /// Marks a place just before a loop at which passes may add side exits.
    pub fn exit_placeholder(&mut self, snap: SnapId) {
        self.emit(Op::ExitPlaceholder, Type::TOP, [0; 3], &[], Edge::Exit(snap));
    }

    /// Has the interpreter execute one opline, which may change the given local, or any local if that is `None`.
    pub fn interp_one(&mut self, frame: ValueId, opline: u32, local: Option<u32>, exit: SnapId) {
        let local = local.unwrap_or(u32::MAX);
        self.emit(Op::InterpOne, Type::TOP, [opline, local, 0], &[frame], Edge::Exit(exit));
    }

    /// Adds a snapshot.
    pub fn snap(&mut self, frame: FrameId, opline: u32, entries: Vec<SnapEntry>, caller: Option<SnapId>) -> SnapId {
        self.unit.add_snap(Snapshot { frame, opline, entries, caller })
    }
}
