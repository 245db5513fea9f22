//! Inlining for the language of the random tests: the body of a callee takes the place of a call.
//!
//! The compiler has an inliner of its own, which builds callees for a call (`crates/jit/src/translate/inlining.rs`); this one splices
//! finished units, so that passes get units with frames of inlined callees. Arguments are stored to the callee's locals, from where
//! load elimination takes them and store elimination moves them into side exits.

use phlox_hhir::ids::*;
use phlox_hhir::ops::*;
use phlox_hhir::types::*;
use phlox_hhir::typing::result_type;
use phlox_hhir::unit::*;

/// A call site, with what the call instruction does not say.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The block of the `CallFast`.
    pub block: BlockId,
    /// The index of the `CallFast` in its block.
    pub at: usize,
    /// The snapshot with which the caller goes on when the callee returns to the interpreter, without the result's slot.
    pub after: SnapId,
    /// The temporary of the caller at which the callee's header would lie.
    pub base: u32,
    /// The number of the callee's locals; those without an argument are undefined.
    pub locals: u32,
}

/// Why a callee is not inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no `CallFast` at the site.
    NoCall,
    /// The callee has an instruction that needs its frame in memory.
    NeedsFrame(Op),
}

/// Replaces a call by the callee's blocks.
///
/// # Errors
/// The reason why that is impossible; the unit has not changed then.
pub fn inline(unit: &mut Unit, site: Site, callee: &Unit) -> Result<(), Refusal> {
    let call = unit.block(site.block).insts.get(site.at).copied().ok_or(Refusal::NoCall)?;
    if unit.inst(call).op != Op::CallFast {
        return Err(Refusal::NoCall);
    }
    let order = phlox_hhir::cfg::reverse_postorder(callee);
    let mut insts = order.iter().flat_map(|&block| &callee.block(block).insts).map(|&id| callee.inst(id).op);
    if let Some(op) = insts.find(|&op| needs_frame(op)) {
        return Err(Refusal::NeedsFrame(op));
    }
    Splice::new(unit, callee, site, call).run(&order);
    Ok(())
}

/// Whether the interpreter, or PHP code, may look at the frame while an operation runs.
fn needs_frame(op: Op) -> bool {
    let row = op.info();
    let looks = row.effects.reads & (FRAME | STK | CTXT) != 0 && row.flags & ER != 0;
    let whole =
        matches!(op, Op::InterpOneCF | Op::CreateGen | Op::ContEnter | Op::GenericRetDecRefs | Op::ReleaseVVAndSkip);
    (looks && op != Op::DecRef) || whole
}

struct Splice<'a> {
    unit: &'a mut Unit,
    callee: &'a Unit,
    site: Site,
    call: Inst,
    call_id: InstId,
    /// The first numbers that the callee's literals, frames, blocks and snapshots get in the unit.
    literals: u32,
    frames: u32,
    blocks: u32,
    snaps: u32,
    values: Vec<ValueId>,
    frame_ptr: ValueId,
    rest: BlockId,
}

impl<'a> Splice<'a> {
    fn new(unit: &'a mut Unit, callee: &'a Unit, site: Site, call_id: InstId) -> Splice<'a> {
        let call = *unit.inst(call_id);
        let rest = unit.add_block(unit.block(site.block).hint);
        Splice {
            literals: unit.literals.len() as u32,
            frames: unit.frames.len() as u32,
            blocks: unit.blocks.len() as u32,
            snaps: unit.snaps.len() as u32,
            values: Vec::new(),
            frame_ptr: ValueId(0),
            rest,
            unit,
            callee,
            site,
            call,
            call_id,
        }
    }

    fn run(mut self, order: &[BlockId]) {
        self.unit.literals.extend_from_slice(&self.callee.literals);
        self.frames();
        self.split();
        self.enter();
        for block in &self.callee.blocks {
            let new = self.unit.add_block(block.hint);
            self.unit.blocks[new.at()].count = block.count;
        }
        self.values();
        self.snapshots();
        for &block in order {
            self.block(block);
        }
        let target = Edge::Block(self.block_id(self.callee.entry));
        self.push(self.site.block, Op::Jmp, [0; 3], &[], target);
    }

    fn frames(&mut self) {
        let caller = FrameId(self.call.mark.frame);
        let args = self.unit.srcs(&self.call)[2..].len() as u32;
        for (at, frame) in self.callee.frames.iter().enumerate() {
            let new = match frame.caller {
                None => Frame { func: frame.func, caller: Some(caller), base: self.site.base, args },
                Some(outer) => Frame { caller: Some(self.frame_id(outer)), ..frame.clone() },
            };
            debug_assert_eq!(self.unit.frames.len(), self.frames as usize + at);
            self.unit.frames.push(new);
        }
    }

    /// Splits the block at the call: what follows it moves to a new block, which gets the result as a parameter.
    fn split(&mut self) {
        let block = &mut self.unit.blocks[self.site.block.at()];
        let after = block.insts.split_off(self.site.at + 1);
        block.insts.pop();
        let (next, count) = (block.next.take(), block.count);
        let rest = &mut self.unit.blocks[self.rest.at()];
        (rest.next, rest.count) = (next, count);
        let frame = self.frames;
        if let Some(dst) = self.call.dst {
            self.unit.blocks[self.rest.at()].params.push(dst);
            self.unit.values[dst.at()].def = Def::Param(self.rest, 0);
        }
        self.push(self.rest, Op::InlineReturnNoFrame, [frame, 0, 0], &[], Edge::None);
        self.unit.blocks[self.rest.at()].insts.extend(after);
        self.unit.insts[self.call_id.at()].dst = None;
    }

    /// Creates the frame and stores the arguments.
    fn enter(&mut self) {
        let args = self.unit.srcs(&self.call)[2..].to_vec();
        let caller = self.unit.src(&self.call, 0);
        let frame = [self.frames, 0, 0];
        if let Some(frame_ptr) = self.push(self.site.block, Op::DefInlineFP, frame, &[caller], Edge::None) {
            self.frame_ptr = frame_ptr;
        }
        for local in 0..self.site.locals {
            let value = match args.get(local as usize) {
                Some(&arg) => arg,
                None => self.unit.constant(Const::Uninit),
            };
            self.push(self.site.block, Op::StLoc, [local, 0, 0], &[self.frame_ptr, value], Edge::None);
        }
    }

    fn push(&mut self, block: BlockId, op: Op, imm: [u32; 3], srcs: &[ValueId], edge: Edge) -> Option<ValueId> {
        let srcs = self.unit.list(srcs);
        let inst = Inst { op, srcs, dst: None, edge, ty: Type::TOP, imm, mark: self.call.mark };
        let ty = result_type(self.unit, &inst);
        let id = self.unit.add_inst(inst, ty);
        self.unit.blocks[block.at()].insts.push(id);
        self.unit.insts[id.at()].dst
    }

    fn frame_id(&self, frame: FrameId) -> FrameId {
        FrameId(self.frames + frame.0)
    }

    fn block_id(&self, block: BlockId) -> BlockId {
        BlockId(self.blocks + block.0)
    }

    fn ty(&self, ty: Type) -> Type {
        match ty.spec() {
            Spec::Lit(lit) => Type::with(ty.bits(), Spec::Lit(LitId(self.literals + lit.0))),
            _ => ty,
        }
    }

    fn values(&mut self) {
        let first = InstId::new(self.unit.insts.len()).0;
        for value in &self.callee.values {
            let def = match value.def {
                Def::Const(constant) => {
                    let constant = match constant {
                        Const::Lit(lit) => Const::Lit(LitId(self.literals + lit.0)),
                        other => other,
                    };
                    let constant = self.unit.constant(constant);
                    self.values.push(constant);
                    continue;
                }
                // All of the callee's instructions will follow, in order.
                Def::Inst(id) => Def::Inst(InstId(first.wrapping_add(id.0))),
                Def::Param(block, at) => Def::Param(self.block_id(block), at),
            };
            let ty = self.ty(value.ty);
            self.values.push(ValueId::new(self.unit.values.len()));
            self.unit.values.push(ValueData { ty, def, observed: value.observed });
        }
        for inst in &self.callee.insts {
            let srcs: Vec<ValueId> = self.callee.srcs(inst).iter().map(|src| self.values[src.at()]).collect();
            let srcs = self.unit.list(&srcs);
            let edge = match inst.edge {
                Edge::None => Edge::None,
                Edge::Block(block) => Edge::Block(self.block_id(block)),
                Edge::Exit(snap) => Edge::Exit(SnapId(self.snaps + snap.0)),
            };
            let mut imm = inst.imm;
            for (word, kind) in imm.iter_mut().zip(inst.op.info().imms.iter().filter(|imm| **imm != Imm::T)) {
                match kind {
                    Imm::Lit => *word += self.literals,
                    Imm::Frame => *word += self.frames,
                    _ => {}
                }
            }
            let mark = Mark { frame: self.frames + inst.mark.frame, ..inst.mark };
            let dst = inst.dst.map(|dst| self.values[dst.at()]);
            self.unit.insts.push(Inst { op: inst.op, srcs, dst, edge, ty: self.ty(inst.ty), imm, mark });
        }
    }

    fn snapshots(&mut self) {
        for snap in &self.callee.snaps {
            let entries = snap.entries.iter();
            let entries = entries.map(|entry| SnapEntry { value: self.values[entry.value.at()], ..*entry }).collect();
            let caller = match snap.caller {
                Some(caller) => SnapId(self.snaps + caller.0),
                None => self.site.after,
            };
            let frame = self.frame_id(snap.frame);
            self.unit.snaps.push(Snapshot { frame, opline: snap.opline, entries, caller: Some(caller) });
        }
    }

    fn block(&mut self, block: BlockId) {
        let first = self.unit.insts.len() - self.callee.insts.len();
        let (old, new) = (self.callee.block(block), self.block_id(block));
        let params = old.params.iter().map(|param| self.values[param.at()]).collect();
        let insts: Vec<InstId> = old.insts.iter().map(|id| InstId::new(first + id.at())).collect();
        for &id in &insts {
            match self.unit.inst(id).op {
                Op::DefFP => self.unit.replace_with_mov(id, self.frame_ptr),
                Op::RetCtrl => self.ret(id),
                _ => {}
            }
        }
        let next = old.next.map(|next| self.block_id(next));
        let block = &mut self.unit.blocks[new.at()];
        (block.params, block.insts, block.next) = (params, insts, next);
    }

    /// Turns a return into a jump to the block behind the call.
    fn ret(&mut self, id: InstId) {
        let value = self.unit.src(self.unit.inst(id), 1);
        let passes = self.call.dst.is_some();
        let srcs = if passes { self.unit.list(&[value]) } else { self.unit.list(&[]) };
        let edge = Edge::Block(self.rest);
        let inst = &mut self.unit.insts[id.at()];
        *inst = Inst { op: Op::Jmp, srcs, edge, imm: [0; 3], ..*inst };
        if let Some(dst) = self.call.dst {
            // The callee's result may be of a type that the call's result does not include.
            let ty = self.unit.ty(value);
            let known = self.unit.ty(dst);
            if !ty.le(known) {
                self.unit.values[dst.at()].ty = known.union(ty);
            }
        }
    }
}
