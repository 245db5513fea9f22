//! Collection: mark from the roots, settle weak references, run finalizers, sweep.

use crate::error::Run;
use crate::heap::Heap;
use crate::objects::Obj;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

/// Collections are at least this many allocations apart.
pub const MIN_THRESHOLD: usize = 60_000;

/// Marks, and the work list of objects that are marked but not looked into. Number 0, which is no object, counts as
/// marked from the beginning.
struct Marker {
    marks: Vec<bool>,
    work: Vec<ObjId>,
}

impl Marker {
    fn new(heap: &Heap) -> Marker {
        let mut marks = vec![false; heap.slots.len()];
        if let Some(none) = marks.first_mut() {
            *none = true;
        }
        Marker { marks, work: Vec::with_capacity(1024) }
    }

    #[inline]
    fn value(&mut self, value: Value) {
        if let Value::Obj(id) | Value::ObjX(id) = value {
            self.object(id);
        }
    }

    #[inline]
    fn object(&mut self, id: ObjId) {
        if let Some(mark) = self.marks.get_mut(id as usize)
            && !*mark
        {
            *mark = true;
            self.work.push(id);
        }
    }

    /// The image's objects, which are there for ever.
    fn image(&mut self, heap: &Heap) {
        for (id, slot) in heap.slots.iter().enumerate() {
            if slot.flags.image {
                self.object(id as ObjId);
            }
        }
    }

    fn drain(&mut self, heap: &Heap) {
        while let Some(id) = self.work.pop() {
            let obj = heap.get(id);
            obj.references(|id| self.object(id));
            if let Obj::Tads(object) | Obj::Modifier(object) = obj {
                for parent in heap.shapes.direct(object.shape).iter() {
                    self.object(*parent);
                }
            }
        }
    }

    fn is_live(&self, id: ObjId) -> bool {
        self.marks.get(id as usize).copied().unwrap_or(false)
    }
}

impl Vm {
    /// Collects if enough was allocated since the last time.
    pub fn maybe_collect(&mut self) -> Run<()> {
        if self.heap.allocated < self.gc_threshold {
            return Ok(());
        }
        self.collect()
    }

    /// Frees every object that the program cannot reach; finalizers run first and may keep their objects.
    pub fn collect(&mut self) -> Run<()> {
        let mut marker = self.mark();
        self.clear_weak_references(&marker);
        let finalizers = self.take_finalizable(&marker);
        if !finalizers.is_empty() {
            // What a finalizer can see must survive until the next collection.
            finalizers.iter().for_each(|id| marker.object(*id));
            marker.drain(&self.heap);
        }
        self.forget_dead_frames(|id| marker.is_live(id));
        let live = self.sweep(&marker);
        self.heap.allocated = 0;
        self.gc_threshold = MIN_THRESHOLD.max(live);
        for id in finalizers {
            self.run_finalizer(id)?;
        }
        Ok(())
    }

    /// Which objects the image's objects lead to: what a saved game needs, whatever runs at the moment.
    pub fn reached_from_image(&mut self) -> Vec<bool> {
        let mut marker = Marker::new(&self.heap);
        marker.image(&self.heap);
        marker.drain(&self.heap);
        if let Some(none) = marker.marks.first_mut() {
            *none = false;
        }
        marker.marks
    }

    fn mark(&mut self) -> Marker {
        let mut marker = Marker::new(&self.heap);
        marker.image(&self.heap);
        self.stack[..self.sp.min(self.stack.len())].iter().for_each(|value| marker.value(*value));
        for frame in &self.frames {
            [frame.this, frame.target, frame.invokee].into_iter().for_each(|value| marker.value(value));
            marker.object(frame.definer);
        }
        self.rooted.iter().for_each(|value| marker.value(*value));
        self.global_values(&mut |value| marker.value(value));
        marker.drain(&self.heap);
        marker
    }

    /// Entries of weak tables whose referents are not marked go away.
    fn clear_weak_references(&mut self, marker: &Marker) {
        let is_dead = |value: Value| match value {
            Value::Obj(id) => !marker.is_live(id),
            _ => false,
        };
        for (slot, marked) in self.heap.slots.iter_mut().zip(&marker.marks) {
            match &mut slot.obj {
                Obj::Lookup(table) if *marked && table.weak => table.remove_dead(&is_dead),
                Obj::Dictionary(dictionary) if *marked => dictionary.remove_dead(&is_dead),
                _ => {}
            }
        }
    }

    fn take_finalizable(&mut self, marker: &Marker) -> Vec<ObjId> {
        let mut out = Vec::new();
        for (id, (slot, marked)) in self.heap.slots.iter_mut().zip(&marker.marks).enumerate() {
            let flags = &mut slot.flags;
            if !marked && flags.finalizable && !flags.finalized && !matches!(slot.obj, Obj::Free) {
                flags.finalized = true;
                out.push(id as ObjId);
            }
        }
        out
    }

    /// Releases what is not marked; how many objects are left.
    fn sweep(&mut self, marker: &Marker) -> usize {
        let mut live = 0;
        for (id, marked) in marker.marks.iter().enumerate().skip(1) {
            if *marked {
                live += 1;
            } else if !matches!(self.heap.slots[id].obj, Obj::Free) {
                self.heap.release(id as ObjId);
            }
        }
        live
    }

    /// Calls an object's finalizer; what it throws is dropped, as nobody could catch it.
    fn run_finalizer(&mut self, id: ObjId) -> Run<()> {
        let prop = self.predef.destructor;
        if prop == crate::value::NO_PROP {
            return Ok(());
        }
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
