//! The values of a frame's slots while the random tests build a unit, as opposed to what memory holds.
//!
//! The builder's client reads and writes slots here. Memory is written only where other code may look ([`FrameState::sync`]),
//! and snapshots contain the slots whose values memory does not have. A snapshot is shared until a slot changes.

use phlox_hhir::builder::Builder;
use phlox_hhir::ids::*;
use phlox_hhir::ops::Op;
use phlox_hhir::types::Type;
use phlox_hhir::unit::*;

#[derive(Clone, Copy, Debug)]
struct Known {
    value: ValueId,
    /// Memory holds another value, which is dead.
    dirty: bool,
}

/// The values of a frame's slots; see the module.
#[derive(Clone, Debug)]
pub struct FrameState {
    /// The frame.
    pub frame: FrameId,
    /// The frame pointer.
    pub frame_ptr: ValueId,
    /// The snapshot of the caller after the call, for an inlined callee.
    pub caller: Option<SnapId>,
    locals: Vec<Option<Known>>,
    tmps: Vec<Option<Known>>,
    last: Option<(u32, SnapId)>,
}

impl FrameState {
    /// The state of a frame all of whose slots are in memory.
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

    /// The value of a slot, if it is known.
    pub fn get(&self, slot: Slot) -> Option<ValueId> {
        self.known(slot).map(|known| known.value)
    }

    /// The value of a slot; if it is not known, it is loaded with a type.
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

    /// Gives a slot a new value, without writing it to memory.
    pub fn set(&mut self, slot: Slot, value: ValueId) {
        self.put(slot, Some(Known { value, dirty: true }));
        self.last = None;
    }

    /// Replaces the value of a slot by the same value with a better known type.
    pub fn refine(&mut self, slot: Slot, value: ValueId) {
        if let Some(known) = self.known(slot) {
            self.put(slot, Some(Known { value, ..known }));
            self.last = None;
        }
    }

    /// Forgets the value of a slot: memory has it, or nothing needs it any more.
    pub fn forget(&mut self, slot: Slot) {
        self.put(slot, None);
        self.last = None;
    }

    /// Forgets the temporaries from a number on, because they are dead.
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

    /// The value of a slot, guarded to be of a type; the side exit is to the opline.
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
        // The snapshot stays valid: it contains the same value under its unguarded name.
        if let Some(known) = self.known(slot) {
            self.put(slot, Some(Known { value: checked, ..known }));
        }
        checked
    }

    /// Writes all values to memory that are not there yet.
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

    /// Has the interpreter execute an opline: memory is brought up to date before, and what the opline may change is forgotten:
    /// one local, or all locals if that is `None`, and the temporaries from a number on.
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

    /// Starts a block that gets the values of some slots as parameters of the given types. All other slots are in memory.
    pub fn enter(&mut self, builder: &mut Builder, block: BlockId, params: &[(Slot, Type)]) {
        self.locals.iter_mut().chain(&mut self.tmps).for_each(|known| *known = None);
        self.last = None;
        for &(slot, ty) in params {
            let value = builder.unit.add_param(block, ty);
            self.put(slot, Some(Known { value, dirty: true }));
        }
    }

    /// Ends the block with a jump to one that gets the values of some slots as parameters (see [`FrameState::enter`]). All other
    /// slots are written to memory. Values are guarded to be of the parameters' types, with side exits to the opline at which
    /// the target starts. Before a loop, passes may add side exits there, too.
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
