//! NEW: objects of metaclasses and of the program's classes.

use crate::error::{self, Run, fail};
use crate::meta::Meta;
use crate::objects::{Obj, TadsObject};
use crate::value::{NO_PROP, ObjId, Value};
use crate::vm::{Sending, Vm};

impl Vm {
    /// NEW: creates an object of the image's n-th metaclass from arguments on the stack.
    pub fn create(&mut self, metaclass: u16, argc: usize, transient: bool) -> Run<()> {
        let Some(meta) = self.metas.get(metaclass as usize).copied() else { return fail(error::BAD_METACLASS_INDEX) };
        if meta == Meta::TadsObject {
            return self.create_tads(argc, transient);
        }
        let Some(create) = self.natives.class(meta).create else {
            return fail(if meta == Meta::IntrinsicClass { error::ILLEGAL_NEW } else { error::BAD_DYNAMIC_NEW });
        };
        let sp = self.sp;
        let args = crate::vm::Args { this: Value::Nil, top: sp, count: argc };
        let object = create(self, args)?;
        self.sp = sp.saturating_sub(argc);
        if transient
            && let Value::Obj(id) = object
            && let Some(flags) = self.heap.flags_mut(id)
        {
            flags.transient = true;
        }
        self.r0 = object;
        Ok(())
    }

    /// Creates a TADS object whose class is the first argument and enters its constructor with the others.
    pub fn create_tads(&mut self, argc: usize, transient: bool) -> Run<()> {
        let class = if argc == 0 { Value::Nil } else { self.pop() };
        let argc = argc.saturating_sub(1);
        let supers: &[ObjId] = match &class {
            Value::Nil => &[],
            Value::Obj(id) if self.heap.tads(*id).is_some() => std::slice::from_ref(id),
            Value::Obj(id) if matches!(self.heap.get(*id), Obj::Class(class) if class.meta == Some(Meta::TadsObject)) => {
                &[]
            }
            Value::Obj(_) => return fail(error::CANNOT_CREATE_INST),
            _ => return fail(error::OBJ_VAL_REQD_SC),
        };
        let object = self.new_instance(supers, transient);
        self.r0 = object;
        let constructor = self.predef.constructor;
        if constructor != NO_PROP && self.find_prop(object, constructor).is_some() {
            return self.send(Sending { prop: constructor, target: object, this: object, argc });
        }
        self.pop_args(argc);
        self.r0 = object;
        Ok(())
    }

    /// An object without properties of its own.
    pub fn new_instance(&mut self, supers: &[ObjId], transient: bool) -> Value {
        let shape = self.heap.shapes.root(supers);
        let values = Vec::with_capacity(4);
        let id = self.heap.alloc(Obj::Tads(TadsObject { shape, values, is_class: false }));
        for parent in supers {
            if let Some(flags) = self.heap.flags_mut(*parent) {
                flags.is_super = true;
            }
        }
        let finalizable =
            self.predef.destructor != NO_PROP && self.find_prop(Value::Obj(id), self.predef.destructor).is_some();
        if let Some(flags) = self.heap.flags_mut(id) {
            flags.transient = transient;
            flags.finalizable = finalizable;
        }
        Value::Obj(id)
    }
}
