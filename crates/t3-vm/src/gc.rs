//! Collection: mark from the roots, settle weak references, run finalizers, sweep.

use crate::error::Run;
use crate::objects::Obj;
use crate::value::{NO_OBJECT, ObjId, Value};
use crate::vm::Vm;

/// Collections are at least this many allocations apart.
const MIN_THRESHOLD: usize = 25_000;

/// Work list of a collection: objects that are marked but not looked into.
struct Marker<'a> {
    vm: &'a mut Vm,
    work: Vec<ObjId>,
}

impl Marker<'_> {
    fn value(&mut self, value: Value) {
        if let Value::Obj(id) | Value::ObjX(id) = value {
            self.object(id);
        }
    }

    fn object(&mut self, id: ObjId) {
        if let Some(slot) = self.vm.heap.slots.get_mut(id as usize)
            && id != NO_OBJECT
            && !slot.flags.mark
            && !matches!(slot.obj, Obj::Free)
        {
            slot.flags.mark = true;
            self.work.push(id);
        }
    }

    /// The image's objects, which are there for ever.
    fn image(&mut self) {
        for id in 1..self.vm.heap.slots.len() {
            if self.vm.heap.slots[id].flags.image {
                self.object(id as ObjId);
            }
        }
    }

    fn drain(&mut self) {
        let mut found = Vec::new();
        while let Some(id) = self.work.pop() {
            let heap = &self.vm.heap;
            let obj = heap.get(id);
            obj.references(&mut |id| found.push(id));
            if let Some(shape) = heap.shape_of(id) {
                found.extend(heap.shapes.direct(shape).iter());
            }
            for id in found.drain(..) {
                self.object(id);
            }
        }
    }
}

impl Vm {
    /// Collects if enough was allocated since the last time.
    pub(crate) fn maybe_collect(&mut self) -> Run<()> {
        if self.heap.allocated < self.gc_threshold {
            return Ok(());
        }
        self.collect()
    }

    /// Frees every object that the program cannot reach; finalizers run first and may keep their objects.
    pub fn collect(&mut self) -> Run<()> {
        let live = self.mark();
        self.clear_weak_references();
        let finalizers = self.take_finalizable();
        if !finalizers.is_empty() {
            // What a finalizer can see must survive until the next collection.
            let mut marker = Marker { vm: self, work: Vec::new() };
            finalizers.iter().for_each(|id| marker.object(*id));
            marker.drain();
        }
        self.sweep();
        self.heap.allocated = 0;
        self.gc_threshold = MIN_THRESHOLD.max(live);
        for id in finalizers {
            self.run_finalizer(id)?;
        }
        Ok(())
    }

    /// Which objects the image's objects lead to: what a saved game needs, whatever runs at the moment.
    pub(crate) fn reached_from_image(&mut self) -> Vec<bool> {
        let mut marker = Marker { vm: self, work: Vec::new() };
        marker.image();
        marker.drain();
        self.heap.slots.iter_mut().map(|slot| std::mem::take(&mut slot.flags.mark)).collect()
    }

    fn mark(&mut self) -> usize {
        let mut marker = Marker { vm: self, work: Vec::new() };
        marker.image();
        for at in 0..marker.vm.sp.min(marker.vm.stack.len()) {
            let value = marker.vm.stack[at];
            marker.value(value);
        }
        for at in 0..marker.vm.frames.len() {
            let frame = &marker.vm.frames[at];
            let values = [frame.this, frame.target, frame.invokee, Value::object(frame.definer)];
            values.into_iter().for_each(|value| marker.value(value));
        }
        for at in 0..marker.vm.rooted.len() {
            let value = marker.vm.rooted[at];
            marker.value(value);
        }
        let mut globals = Vec::new();
        marker.vm.global_values(&mut globals);
        globals.into_iter().for_each(|value| marker.value(value));
        marker.drain();
        marker.vm.heap.slots.iter().filter(|slot| slot.flags.mark).count()
    }

    /// Entries of weak tables whose referents are not marked go away.
    fn clear_weak_references(&mut self) {
        let dead: Vec<bool> = self.heap.slots.iter().map(|slot| !slot.flags.mark).collect();
        let is_dead = |value: Value| match value {
            Value::Obj(id) => dead.get(id as usize).copied().unwrap_or(true),
            _ => false,
        };
        for slot in &mut self.heap.slots {
            match &mut slot.obj {
                Obj::Lookup(table) if slot.flags.mark && table.weak => table.remove_dead(&is_dead),
                Obj::Dictionary(dictionary) if slot.flags.mark => dictionary.remove_dead(&is_dead),
                _ => {}
            }
        }
    }

    fn take_finalizable(&mut self) -> Vec<ObjId> {
        let mut out = Vec::new();
        for (id, slot) in self.heap.slots.iter_mut().enumerate() {
            let flags = &mut slot.flags;
            if !flags.mark && flags.finalizable && !flags.finalized && !matches!(slot.obj, Obj::Free) {
                flags.finalized = true;
                out.push(id as ObjId);
            }
        }
        out
    }

    fn sweep(&mut self) {
        for id in 1..self.heap.slots.len() {
            let slot = &mut self.heap.slots[id];
            if slot.flags.mark {
                slot.flags.mark = false;
            } else if !matches!(slot.obj, Obj::Free) {
                self.heap.release(id as ObjId);
            }
        }
    }

    /// Calls an object's finalizer; what it throws is dropped, as nobody could catch it.
    fn run_finalizer(&mut self, id: ObjId) -> Run<()> {
        let Some(prop) = self.predef.prop("Destructor") else { return Ok(()) };
        let saved = self.r0;
        self.rooted.push(saved);
        let result = self.call_prop(Value::Obj(id), prop, &[]);
        self.rooted.pop();
        self.r0 = saved;
        match result {
            Err(crate::error::Throw::Exception(_) | crate::error::Throw::Error(_)) | Ok(_) => Ok(()),
            Err(other) => Err(other),
        }
    }
}
