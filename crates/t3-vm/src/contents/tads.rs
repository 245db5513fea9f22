//! Superclasses of objects.

use crate::objects::Obj;
use crate::value::ObjId;
use crate::vm::Vm;

impl Vm {
    /// Gives an object other superclasses.
    pub fn change_supers(&mut self, id: ObjId, supers: &[ObjId]) {
        let Some(object) = self.heap.tads(id) else { return };
        let shape = object.shape;
        let old = self.heap.shapes.direct(shape).clone();
        let props = self.heap.shapes.get(shape).props.clone();
        let shape = self.heap.shapes.of_list(supers, &props);
        if self.is_kept_for_undo(id) {
            self.state.undo.supers(id, &old);
        }
        if let Some(Obj::Tads(object) | Obj::Modifier(object)) = self.heap.get_mut(id) {
            object.shape = shape;
        }
        for parent in supers {
            if let Some(flags) = self.heap.flags_mut(*parent) {
                flags.is_super = true;
            }
        }
        if self.heap.flags(id).is_super {
            self.heap.shapes.epoch += 1;
        }
    }
}
