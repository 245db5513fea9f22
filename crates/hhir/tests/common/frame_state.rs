//! What a frame's slots hold while the random tests build a unit, apart from memory.
//!
//! A construction reads and writes slots here; memory is written only where somebody looks ([`FrameState::sync`]), and
//! exits get snapshots of what memory does not have. Snapshots are shared while nothing changes.

use phlox_hhir::builder::Builder;
use phlox_hhir::ids::*;
use phlox_hhir::ops::Op;
use phlox_hhir::types::Type;
use phlox_hhir::unit::*;

#[derive(Clone, Copy, Debug)]
struct Known {
    value: ValueId,
    /// Memory holds something else, which is dead.
    dirty: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct FrameState {
    pub frame: FrameId,
    pub frame_ptr: ValueId,
    /// The caller's state after the call, for an inlined callee.
    pub caller: Option<SnapId>,
    locals: Vec<Option<Known>>,
    tmps: Vec<Option<Known>>,
    last: Option<(u32, SnapId)>,
}

impl FrameState {
    /// A frame of so many locals and temporaries, all of which are in memory.
    pub fn new(frame: FrameId, frame_ptr: ValueId, locals: usize, tmps: usize) -> FrameState {
        FrameState { frame, frame_ptr, caller: None, locals: vec![None; locals], tmps: vec![None; tmps], last: None }
    }

    fn known(&self, slot: Slot) -> Option<Known> {
        match slot {
            Slot::Local(at) => self.locals.get(at as usize).copied().flatten(),
            Slot::Tmp(at) => self.tmps.get(at as usize).copied().flatten(),
        }
    }

    fn put(&mut self, slot: Slot, known: Option<Known>) {
        let (slots, at) = match slot {
            Slot::Local(at) => (&mut self.locals, at as usize),
            Slot::Tmp(at) => (&mut self.tmps, at as usize),
        };
        if slots.len() <= at {
            slots.resize(at + 1, None);
        }
        slots[at] = known;
    }

    /// The value of a slot, if it is at hand.
    pub fn get(&self, slot: Slot) -> Option<ValueId> {
        self.known(slot).map(|known| known.value)
    }

    /// The value of a slot, which is loaded as of a type if it is not at hand.
    pub fn load(&mut self, builder: &mut Builder, slot: Slot, ty: Type) -> ValueId {
        if let Some(known) = self.known(slot) {
            return known.value;
        }
        let value = match slot {
            Slot::Local(local) => builder.ld_loc(self.frame_ptr, local, ty),
            Slot::Tmp(tmp) => builder.ld_stk(self.frame_ptr, tmp, ty),
        };
        self.put(slot, Some(Known { value, dirty: false }));
        value
    }

    /// The slot has a new value, which memory does not know.
    pub fn set(&mut self, slot: Slot, value: ValueId) {
        self.put(slot, Some(Known { value, dirty: true }));
        self.last = None;
    }

    /// The slot's value is known better: the same, checked.
    pub fn refine(&mut self, slot: Slot, value: ValueId) {
        if let Some(known) = self.known(slot) {
            self.put(slot, Some(Known { value, ..known }));
            self.last = None;
        }
    }

    /// What the slot holds is in memory alone: something else has written it, or nobody needs it any more.
    pub fn forget(&mut self, slot: Slot) {
        self.put(slot, None);
        self.last = None;
    }

    /// Temporaries from a number on are dead.
    pub fn drop_tmps(&mut self, first: u32) {
        for known in self.tmps.iter_mut().skip(first as usize) {
            if known.take().is_some_and(|known| known.dirty) {
                self.last = None;
            }
        }
    }

    fn slots(&self) -> impl Iterator<Item = (Slot, Known)> {
        let locals = self.locals.iter().enumerate().map(|(at, known)| (Slot::Local(at as u32), *known));
        let tmps = self.tmps.iter().enumerate().map(|(at, known)| (Slot::Tmp(at as u32), *known));
        locals.chain(tmps).filter_map(|(slot, known)| Some((slot, known?)))
    }

    /// The snapshot with which the interpreter goes on at an opline.
    pub fn snapshot(&mut self, builder: &mut Builder, opline: u32) -> SnapId {
        match self.last {
            Some((at, snap)) if at == opline => return snap,
            _ => {}
        }
        let dirty = self.slots().filter(|(_, known)| known.dirty);
        let entries = dirty.map(|(slot, known)| SnapEntry { slot, value: known.value, hold: Hold::Move }).collect();
        let snap = builder.snap(self.frame, opline, entries, self.caller);
        self.last = Some((opline, snap));
        snap
    }

    /// The value of a slot, checked to be of a type; leaves at the opline if it is not.
    pub fn check(&mut self, builder: &mut Builder, slot: Slot, ty: Type, opline: u32) -> ValueId {
        let value = match self.get(slot) {
            Some(value) => value,
            None => {
                let exit = self.snapshot(builder, opline);
                match slot {
                    Slot::Local(local) => builder.check_loc(self.frame_ptr, local, ty, exit),
                    Slot::Tmp(tmp) => builder.check_stk(self.frame_ptr, tmp, ty, exit),
                }
                return self.load(builder, slot, ty);
            }
        };
        if builder.ty(value).le(ty) {
            builder.unit.observe(value);
            return value;
        }
        let exit = self.snapshot(builder, opline);
        let checked = builder.check_type(value, ty, exit);
        // The snapshot stays good: it holds the same value under its old name.
        if let Some(known) = self.known(slot) {
            self.put(slot, Some(Known { value: checked, ..known }));
        }
        checked
    }

    /// Writes everything to memory that is not there yet.
    pub fn sync(&mut self, builder: &mut Builder) {
        let dirty: Vec<(Slot, ValueId)> =
            self.slots().filter(|(_, known)| known.dirty).map(|(slot, known)| (slot, known.value)).collect();
        for (slot, value) in dirty {
            match slot {
                Slot::Local(local) => builder.st_loc(self.frame_ptr, local, value),
                Slot::Tmp(tmp) => builder.st_stk(self.frame_ptr, tmp, value),
            }
            self.put(slot, Some(Known { value, dirty: false }));
            self.last = None;
        }
    }

    /// Leaves an opline to the interpreter: memory is made good before, and what the opline may change is forgotten:
    /// one local or all of them (`None`), and the temporaries from a number on.
    pub fn interpret(&mut self, builder: &mut Builder, opline: u32, local: Option<u32>, tmps: u32) {
        self.sync(builder);
        let exit = self.snapshot(builder, opline);
        builder.interp_one(self.frame_ptr, opline, local, exit);
        match local {
            Some(local) => self.forget(Slot::Local(local)),
            None => self.locals.iter_mut().for_each(|known| *known = None),
        }
        self.tmps.iter_mut().skip(tmps as usize).for_each(|known| *known = None);
        self.last = None;
    }

    /// The state at the start of a block that gets some slots as parameters: each slot with the type that it has there.
    /// What is not among them is in memory.
    pub fn enter(&mut self, builder: &mut Builder, block: BlockId, params: &[(Slot, Type)]) {
        self.locals.iter_mut().chain(&mut self.tmps).for_each(|known| *known = None);
        self.last = None;
        for &(slot, ty) in params {
            let value = builder.unit.add_param(block, ty);
            self.put(slot, Some(Known { value, dirty: true }));
        }
    }

    /// Ends the block: goes to one that has been entered (or will be) with some slots as parameters. Slots that are not
    /// among them are written to memory. Values that are not of the types there leave at the opline that the target
    /// starts with; before a loop, passes may leave there too.
    pub fn jump(
        &mut self,
        builder: &mut Builder,
        target: BlockId,
        params: &[(Slot, Type)],
        opline: u32,
        to_loop: bool,
    ) {
        let stays = |slot: Slot| params.iter().any(|row| row.0 == slot);
        let rest: Vec<Slot> =
            self.slots().filter(|(slot, known)| known.dirty && !stays(*slot)).map(|row| row.0).collect();
        for slot in rest {
            if let Some(known) = self.known(slot) {
                match slot {
                    Slot::Local(local) => builder.st_loc(self.frame_ptr, local, known.value),
                    Slot::Tmp(tmp) => builder.st_stk(self.frame_ptr, tmp, known.value),
                }
                self.put(slot, Some(Known { dirty: false, ..known }));
                self.last = None;
            }
        }
        let args: Vec<ValueId> = params.iter().map(|&(slot, ty)| self.check(builder, slot, ty, opline)).collect();
        if to_loop {
            let exit = self.snapshot(builder, opline);
            builder.emit(Op::ExitPlaceholder, Type::TOP, [0; 3], &[], Edge::Exit(exit));
        }
        builder.jmp(target, &args);
    }
}
