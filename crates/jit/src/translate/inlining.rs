//! Inlining of functions.
//!
//! The callee is translated to a unit of its own, for the types that it is called with; its blocks then become blocks of the
//! caller. Its frame exists only after a side exit, which materialises it above the caller's frame, which stands at the call
//! (`codegen/exits/inlined.rs`).

use crate::built::{Built, Inlined};
use crate::call_flags::{CELL_MASK, CLOSURE, CONSTRUCTS, NEEDS_FRAME};
use crate::host::Specialization;
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhir::cfg;
use phlox_hhir::ops::Imm;
use phlox_hhir::types::{self as hhir, Spec, Type};
use phlox_hhir::unit::{Const, Def, Edge, Hold, Inst, Literal, Slot, SnapEntry, Snapshot, Unit};
use phlox_hhir::{BlockId, ClassId, FrameId, FuncId, LitId, Op, SnapId, ValueId};
use phlox_lower::{HEADER_CELLS, Operand, Opline};
use std::collections::HashMap;

/// The number of oplines of inlined functions that a unit may have.
const MAX_INLINED: usize = 250;
/// The number of instructions that an inlined function may have before any pass.
const MAX_INSTS: usize = 300;

/// The number of instructions of a function that makes calls itself. Its calls are limited, too, because each has side exits of
/// its own.
const MAX_INSTS_WITH_CALLS: usize = 60;
/// The number of calls that an inlined function may make.
const MAX_CALLS: usize = 2;

/// A call that is replaced by the callee's blocks.
struct Site {
    this: ValueId,
    args: Vec<ValueId>,
    /// The cell where the header of the callee's frame would lie.
    header: usize,
    /// The object and the arguments, by number, that the call consumes.
    owned: Vec<(usize, ValueId)>,
}

impl Translator<'_> {
    /// Inlines a call, if that is possible; otherwise nothing has changed.
    pub(crate) fn inline_call(
        &mut self,
        at: u32,
        op: &Opline,
        wanted: &Specialization,
        this: ValueId,
        args: &[ValueId],
        state: &mut FrameState,
    ) -> Option<Flow> {
        let header = self.input.cell(op.a)? as usize;
        let is_odd = |kind: hhir::Bits| kind & (hhir::UNINIT | hhir::BOXED) != 0;
        if self.is_body()
            || self.progress.inlined_oplines >= MAX_INLINED
            || !self.dying.is_empty()
            || !self.retained.is_empty()
        {
            return None;
        }
        let refers = self.cell(op.c).is_some_and(|cell| match state.cells[cell] {
            Loc::Value(value) | Loc::Owned(value) => self.kind(value) == hhir::BOXED,
            _ => false,
        });
        if refers || args.iter().any(|&arg| is_odd(self.kind(arg))) {
            return None;
        }
        // The inlined code may know which arguments are literals.
        let wanted = Specialization { args: args.iter().map(|&arg| self.kind(arg)).collect(), ..wanted.clone() };
        let mut classes: Vec<Option<ClassId>> =
            [this].iter().chain(args).map(|value| self.known.classes.get(value).copied()).collect();
        let mut wanted = wanted;
        if let Some(class) = self.guarded_class(header, state) {
            // The sample may be of another class than the one that the guard has established.
            classes[0] = Some(class);
            wanted.this_sample = wanted.this_sample.filter(|seen| seen.class() == Some(class));
        }
        let own = self.is_own(&wanted).then_some(self.input.needs_frame);
        let inlined = self.input.host.inline_candidate(&wanted, &classes, own)?;
        let mut after = state.clone();
        let (closure, owner) = self.pending_closure(header, state);
        if closure.is_some() && owner == header + 1 {
            return None;
        }
        let first = header + HEADER_CELLS as usize;
        let owned = self.take_owned(owner, first..first + args.len(), &mut after)?;
        after.cells[header..first + args.len()].fill(Loc::Empty);
        let site = Site { this, args: args.to_vec(), header, owned };
        if !self.can_inline(&inlined.built, &site, &after) {
            return None;
        }
        let mut below = after.clone();
        below.cells[header..first].copy_from_slice(&state.cells[header..first]);
        let below = self.snap(at, &below);
        *state = after;
        self.outcome.compiled_calls.push(at);
        self.progress.inlined_oplines += inlined.built.oplines;
        self.progress.oplines += inlined.built.oplines;
        self.frees_in_callee(inlined.built.may_free);
        self.outcome.collects_feedback |= inlined.built.collects_feedback;
        self.outcome.calls_itself |= inlined.built.calls_itself;
        let returns = Splice::new(self, &inlined, &site, below).run();
        self.b.at(FrameId(0), at);
        let finish = |build: &mut Self, value: ValueId, state: &mut FrameState| {
            build.dying.extend(site.owned.iter().map(|row| row.1));
            if build.is_counted(value) {
                build.dying.push(value);
            }
            op.c == Operand::None || build.store(op.c, value, state)
        };
        if let [(block, value)] = returns[..] {
            self.b.switch_to(block);
            return finish(self, value, state).then_some(Flow::Next);
        }
        self.meet_behind(at);
        for (block, value) in returns {
            self.b.switch_to(block);
            let mut inner = state.clone();
            if !finish(self, value, &mut inner) {
                return None;
            }
            self.go(at + 1, inner);
        }
        Some(Flow::Done)
    }

    /// Takes the values that a call consumes out of their cells. A temporary that borrows one of them owns it behind the call.
    fn take_owned(
        &self,
        owner: usize,
        cells: std::ops::Range<usize>,
        state: &mut FrameState,
    ) -> Option<Vec<(usize, ValueId)>> {
        let mut owned = Vec::new();
        for (number, cell) in [owner].into_iter().chain(cells).enumerate() {
            let Loc::Owned(value) = state.cells[cell] else { continue };
            state.cells[cell] = Loc::Empty;
            let tmps = self.input.before_tmps() as usize;
            let mut others = state.cells[tmps..].iter_mut();
            match others.find(|other| **other == Loc::Value(value)).filter(|_| number > 0) {
                Some(other) => *other = Loc::Owned(value),
                None => owned.push((number, value)),
            }
        }
        Some(owned)
    }

    fn can_inline(&self, built: &Built, site: &Site, after: &FrameState) -> bool {
        let unit = &built.unit;
        if built.needs_frame || unit.insts.len() > MAX_INSTS {
            return false;
        }
        let order = cfg::reverse_postorder(unit);
        let insts = || order.iter().flat_map(|&block| &unit.block(block).insts).map(|&id| unit.inst(id));
        let calls = insts().filter(|inst| inst.op == Op::CallUnit).count();
        if calls > MAX_CALLS || calls > 0 && unit.insts.len() > MAX_INSTS_WITH_CALLS {
            return false;
        }
        if !insts().all(|inst| needs_no_frame(unit, inst) || calls_above(inst, built.before_tmps)) {
            return false;
        }
        // Arrays that are read behind the call have no counted reference, so the callee must not change arrays in place.
        let reads = |place: &Loc| match *place {
            Loc::Value(value) | Loc::Owned(value) | Loc::Fixed(value) => self.b.ty(value).maybe(hhir::COUNTED_ARR),
            _ => false,
        };
        let passes = site.args.iter().any(|&arg| self.b.ty(arg).maybe(hhir::COUNTED_ARR));
        if (passes || after.cells.iter().any(reads)) && insts().any(|inst| self.changes_arrays(unit, inst)) {
            return false;
        }
        // A side exit in the callee moves the values that the call consumes to the callee's frame, so each snapshot must have
        // them.
        let given = || site.owned.iter().filter(|row| row.0 > 0).map(|row| row.0 as u32 - 1);
        let copies = |snap: &Snapshot, number: u32| {
            let mut own = snap.entries.iter().filter(|entry| entry.slot == Slot::Local(number));
            own.any(|entry| entry.hold == Hold::Copy)
        };
        insts().all(|inst| match inst.edge {
            Edge::Exit(snap) => {
                let own = own_snap(unit, snap);
                given().all(|number| copies(own, number))
            }
            _ => true,
        })
    }

    /// Whether an instruction may change an array in place.
    fn changes_arrays(&self, unit: &Unit, inst: &Inst) -> bool {
        let helpers = self.input.shape.helpers;
        match inst.op {
            Op::CallHelper | Op::CallHelperTake => {
                let harmless = [
                    helpers.concat,
                    helpers.append_text,
                    helpers.set_byte,
                    helpers.compare,
                    helpers.element,
                    helpers.has_element,
                    helpers.list,
                    helpers.truth,
                    helpers.fast_path,
                ];
                let harmless = harmless.map(|helper| Const::Func(FuncId(helper as usize as u64)));
                !unit.as_const(unit.src(inst, 0)).is_some_and(|called| harmless.contains(&called))
            }
            Op::CallHelperMem | Op::CheckArrayCOW => true,
            // StMem and DropMem write properties, or elements behind a CheckArrayCOW of their array, which is listed above.
            Op::StMem | Op::DropMem => false,
            op => {
                let writes = op.info().effects.writes;
                writes & phlox_hhir::ops::ELEM != 0
            }
        }
    }
}

/// The part of a snapshot that describes the unit's own frame.
fn own_snap(unit: &Unit, mut snap: SnapId) -> &Snapshot {
    while let Some(caller) = unit.snap(snap).caller {
        snap = caller;
    }
    unit.snap(snap)
}

/// Whether an instruction works without the frame in memory.
fn needs_no_frame(unit: &Unit, inst: &Inst) -> bool {
    match inst.op {
        Op::DefFP
        | Op::LdArg
        | Op::RetUnit
        | Op::CheckSurpriseFlags
        | Op::CheckDestructors
        | Op::CallHelper
        | Op::CallHelperTake => true,
        op => {
            let is_frame = |&src: &ValueId| unit.ty(src).maybe(hhir::FRAME_PTR);
            let names = |imm: &Imm| matches!(imm, Imm::Local | Imm::Tmp | Imm::Iter | Imm::Opline | Imm::Frame);
            !unit.srcs(inst).iter().any(is_frame) && !op.info().imms.iter().any(names)
        }
    }
}

/// Whether an instruction belongs to a call of compiled code that does not look at frames, and whose result is no variable. Such
/// a call works from a frame that is not there, because a side exit of the callee materialises it.
fn calls_above(inst: &Inst, before_tmps: u32) -> bool {
    let is_plain = || inst.imm[0] & !CELL_MASK == 0 && inst.imm[2] & (NEEDS_FRAME | CLOSURE | CONSTRUCTS) == 0;
    match inst.op {
        Op::CheckRoom => true,
        Op::CallUnit => is_plain() && (inst.imm[1] == 0 || inst.imm[1] > before_tmps),
        _ => false,
    }
}

/// The callee's unit while its blocks are copied into the caller's.
struct Splice<'a, 'b, 'c> {
    to: &'a mut Translator<'b>,
    from: &'c Unit,
    site: &'c Site,
    below: SnapId,
    frames: Vec<FrameId>,
    blocks: HashMap<BlockId, BlockId>,
    values: Vec<Option<ValueId>>,
    snaps: HashMap<SnapId, SnapId>,
    reached: Vec<bool>,
    built: &'c Built,
}

impl<'a, 'b, 'c> Splice<'a, 'b, 'c> {
    fn new(to: &'a mut Translator<'b>, inlined: &'c Inlined, site: &'c Site, below: SnapId) -> Splice<'a, 'b, 'c> {
        let from = &inlined.built.unit;
        let mut frames = Vec::new();
        for frame in &from.frames {
            let unit = &mut to.b.unit;
            frames.push(match frame.caller {
                None => {
                    let args = site.args.len() as u32;
                    unit.add_frame(FuncId(inlined.oplines), FrameId(0), site.header as u32, args)
                }
                Some(caller) => unit.add_frame(frame.func, frames[caller.at()], frame.base, frame.args),
            });
        }
        Splice {
            to,
            from,
            site,
            below,
            frames,
            blocks: HashMap::new(),
            values: vec![None; from.values.len()],
            snaps: HashMap::new(),
            reached: vec![false; from.blocks.len()],
            built: &inlined.built,
        }
    }

    /// Copies all reachable blocks. Gives the blocks that end where the callee returns, each with the callee's result.
    fn run(mut self) -> Vec<(BlockId, ValueId)> {
        let order = cfg::reverse_postorder(self.from);
        for &block in &order {
            let to = if block == self.from.entry {
                self.to.b.block()
            } else {
                self.to.b.new_block(self.from.block(block).hint)
            };
            self.blocks.insert(block, to);
            for &param in &self.from.block(block).params {
                let ty = self.ty(self.from.ty(param));
                let value = self.to.b.unit.add_param(to, ty);
                self.define(param, value);
            }
        }
        self.reached[self.from.entry.at()] = true;
        let mut returns = Vec::new();
        let mut left = order;
        while let Some(at) = left.iter().position(|block| self.reached[block.at()]) {
            let block = left.remove(at);
            self.to.b.switch_to(self.blocks[&block]);
            returns.extend(self.block(block));
        }
        returns
    }

    fn block(&mut self, block: BlockId) -> Option<(BlockId, ValueId)> {
        for &id in &self.from.block(block).insts {
            let inst = *self.from.inst(id);
            let srcs: Vec<ValueId> = self.from.srcs(&inst).iter().map(|&src| self.value(src)).collect();
            match inst.op {
                Op::DefFP => {
                    let fp = self.to.fp;
                    self.result(&inst, Some(fp));
                    continue;
                }
                Op::LdArg => {
                    let value = match inst.imm[0] {
                        u32::MAX => self.site.this,
                        number => self.site.args[number as usize],
                    };
                    self.result(&inst, Some(value));
                    continue;
                }
                Op::RetUnit => return Some((self.to.b.block(), srcs[1])),
                Op::JmpZero | Op::JmpNZero => {
                    let truth = self.to.b.ty(srcs[0]).as_bool();
                    if let (Some(truth), Edge::Block(target)) = (truth, inst.edge) {
                        if truth == (inst.op == Op::JmpNZero) {
                            let to = self.reach(target);
                            self.to.b.jmp(to, &[]);
                            return None;
                        }
                        continue;
                    }
                }
                _ => {}
            }
            let edge = match inst.edge {
                Edge::None => Edge::None,
                Edge::Block(target) => Edge::Block(self.reach(target)),
                Edge::Exit(snap) => Edge::Exit(self.snap(snap)),
            };
            let (mut imm, first) = (inst.imm, self.site.header as u32 + HEADER_CELLS);
            match inst.op {
                Op::CallHelper | Op::CallHelperTake if imm[0] > 0 => imm[0] += first,
                Op::CheckRoom => imm[0] += first,
                Op::CallUnit => {
                    imm[0] += first;
                    imm[1] += if imm[1] > 0 { first } else { 0 };
                }
                _ => {}
            }
            self.to.b.at(self.frames[inst.mark.frame as usize], inst.mark.opline);
            let result = self.to.b.emit(inst.op, self.ty(inst.ty), imm, &srcs, edge);
            self.result(&inst, result);
            if inst.op.is_terminal() {
                return None;
            }
        }
        if let Some(next) = self.from.block(block).next {
            let (at, next) = (self.to.b.block(), self.reach(next));
            self.to.b.unit.blocks[at.at()].next = Some(next);
        }
        None
    }

    fn reach(&mut self, block: BlockId) -> BlockId {
        self.reached[block.at()] = true;
        self.blocks[&block]
    }

    fn result(&mut self, inst: &Inst, result: Option<ValueId>) {
        if let Some(dst) = inst.dst {
            let value = result.unwrap_or_else(|| self.to.b.unit.constant(Const::Null));
            self.define(dst, value);
        }
    }

    /// Maps a value of the callee to one of the caller.
    fn define(&mut self, from: ValueId, to: ValueId) {
        self.values[from.at()] = Some(to);
        if self.from.values[from.at()].observed {
            self.to.b.unit.observe(to);
        }
        if let Some(&seen) = self.built.seen.get(&from) {
            self.to.known.samples.entry(to).or_insert(seen);
        }
        if let Some(&class) = self.built.classes.get(&from) {
            self.to.known.classes.entry(to).or_insert(class);
        }
    }

    fn value(&mut self, from: ValueId) -> ValueId {
        if let Some(value) = self.values[from.at()] {
            return value;
        }
        let constant = match self.from.values[from.at()].def {
            Def::Const(Const::Lit(literal)) => Const::Lit(self.literal(literal)),
            Def::Const(constant) => constant,
            // In reverse postorder a block comes after its dominators, so all other values have been mapped.
            Def::Inst(_) | Def::Param(..) => Const::Null,
        };
        let value = self.to.b.unit.constant(constant);
        self.define(from, value);
        value
    }

    fn literal(&mut self, from: LitId) -> LitId {
        let handle_of = |literal: &Literal| match literal {
            Literal::Str { handle, .. } | Literal::Arr { handle, .. } => *handle,
        };
        let wanted = &self.from.literals[from.at()];
        let unit = &mut self.to.b.unit;
        match unit.literals.iter().position(|own| handle_of(own) == handle_of(wanted)) {
            Some(at) => LitId::new(at),
            None => unit.add_literal(wanted.clone()),
        }
    }

    fn ty(&self, ty: Type) -> Type {
        if matches!(ty.spec(), Spec::Lit(_)) { Type::of(ty.bits()) } else { ty }
    }

    /// A snapshot of the callee's frame, above that of the caller at the call.
    fn snap(&mut self, from: SnapId) -> SnapId {
        if let Some(&snap) = self.snaps.get(&from) {
            return snap;
        }
        let old = self.from.snap(from).clone();
        let is_own = old.caller.is_none();
        let caller = match old.caller {
            Some(caller) => self.snap(caller),
            None => self.below,
        };
        let moved = |slot: Slot| {
            let mut owned = self.site.owned.iter();
            is_own && owned.any(|row| row.0 > 0 && slot == Slot::Local(row.0 as u32 - 1))
        };
        let moved: Vec<bool> = old.entries.iter().map(|entry| moved(entry.slot)).collect();
        let mut entries = Vec::new();
        for (entry, moved) in old.entries.iter().zip(moved) {
            let hold = if moved { Hold::Move } else { entry.hold };
            entries.push(SnapEntry { value: self.value(entry.value), hold, ..*entry });
        }
        let frame = self.frames[old.frame.at()];
        let snap = self.to.b.snap(frame, old.opline, entries, Some(caller));
        self.snaps.insert(from, snap);
        snap
    }
}
