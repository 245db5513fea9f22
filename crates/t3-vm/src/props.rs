//! Properties: lookup, evaluation and assignment.

use std::rc::Rc;

use crate::code::{ClassCache, ClassHit, InheritedCache, InstanceWalk, KindCache, SharedCache, SiteCache};
use crate::error::{self, Run, fail};
use crate::meta::{INFO, Meta};
use crate::objects::Obj;
use crate::shape::{Hit, ShapeId};
use crate::state::{NativeCall, NativeCallee};
use crate::value::{NO_OBJECT, NO_PROP, ObjId, PropId, Value};
use crate::vm::{Found, Sending, Vm};

impl Vm {
    // ---- lookup

    /// Looks a property up for a shape through the shared cache.
    #[inline]
    pub fn lookup(&mut self, shape: ShapeId, prop: PropId) -> Hit {
        let at = self.code.shared_index(shape, prop);
        let epoch = self.heap.shapes.epoch;
        if let Some(hit) = self.code.shared[at].hit(shape, prop, epoch) {
            return hit;
        }
        // The neighbour has what was here before.
        let neighbour = self.code.shared[at ^ 1];
        let hit = match neighbour.hit(shape, prop, epoch) {
            Some(hit) => hit,
            None => self.lookup_uncached(shape, prop),
        };
        self.code.shared[at ^ 1] = self.code.shared[at];
        self.code.shared[at] = SharedCache::new(shape, prop, epoch, hit);
        hit
    }

    /// Looks a property up for an instruction site whose inline cache has missed, and fills that cache.
    pub fn lookup_site(&mut self, site: usize, shape: ShapeId, prop: PropId) -> Hit {
        let hit = self.lookup(shape, prop);
        self.code.sites[site] = SiteCache { shape, epoch: self.heap.shapes.epoch, hit };
        hit
    }

    #[cold]
    fn lookup_uncached(&mut self, shape: ShapeId, prop: PropId) -> Hit {
        if let Some(slot) = self.heap.shapes.get(shape).slot(prop) {
            return Hit::Own(slot);
        }
        for parent in self.linear(shape).iter() {
            if let Some(shape) = self.heap.shape_of(*parent)
                && let Some(slot) = self.heap.shapes.get(shape).slot(prop)
            {
                return Hit::Inherited(*parent, slot);
            }
        }
        Hit::Missing
    }

    /// Everything that objects of a shape inherit from, in search order.
    pub fn linear(&mut self, shape: ShapeId) -> Rc<[ObjId]> {
        if let Some(linear) = self.heap.shapes.known_linear(shape) {
            return linear.clone();
        }
        let mut shapes = std::mem::take(&mut self.heap.shapes);
        let heap = &self.heap;
        let linear = shapes.linear(shape, &|id| heap.shape_of(id));
        self.heap.shapes = shapes;
        linear
    }

    /// The value behind a hit on an object.
    pub fn hit_value(&self, id: ObjId, hit: Hit) -> Option<(Value, ObjId)> {
        let (definer, slot) = match hit {
            Hit::Own(slot) => (id, slot),
            Hit::Inherited(definer, slot) => (definer, slot),
            Hit::Missing => return None,
        };
        let value = self.heap.tads(definer)?.values.get(slot as usize).copied()?;
        Some((value, definer))
    }

    /// Finds a property of any value.
    pub fn find_prop(&mut self, target: Value, prop: PropId) -> Option<Found> {
        if let Value::Obj(id) = target {
            if let Some(shape) = self.heap.shape_of(id) {
                let hit = self.lookup(shape, prop);
                if let Some((value, definer)) = self.hit_value(id, hit) {
                    return Some(Found::Value(value, definer));
                }
            } else if let Obj::Class(class) = self.heap.get(id)
                && let Some(meta) = class.meta
                && let Some(found) = self.find_static(meta, class.modifier, prop)
            {
                return Some(found);
            }
        }
        let meta = self.heap.meta_of(target)?;
        self.find_in_class(meta, prop)
    }

    /// A property of a metaclass's objects, through a cache.
    fn find_in_class(&mut self, meta: Meta, prop: PropId) -> Option<Found> {
        let epoch = self.heap.shapes.epoch;
        let row = &mut self.code.classes[meta as usize];
        match row.get(prop as usize) {
            Some(cached) if cached.epoch == epoch => match cached.hit {
                ClassHit::Missing => return None,
                ClassHit::Native(meta, number) => return Some(Found::Native(meta, number)),
                ClassHit::Added(definer, slot) => {
                    let value = self.heap.tads(definer)?.values.get(slot as usize).copied()?;
                    return Some(Found::Value(value, definer));
                }
            },
            Some(_) => {}
            None => row.resize(prop as usize + 1, ClassCache::default()),
        }
        let found = self.find_in_metaclass(meta, prop, None);
        let hit = match found {
            None => ClassHit::Missing,
            Some(Found::Native(meta, number)) => ClassHit::Native(meta, number),
            Some(Found::Value(_, definer)) => {
                let slot = self.heap.tads(definer).and_then(|object| self.heap.shapes.get(object.shape).slot(prop))?;
                ClassHit::Added(definer, slot)
            }
        };
        self.code.classes[meta as usize][prop as usize] = ClassCache { epoch, hit };
        found
    }

    /// A property of an intrinsic class itself: its additions, then its static methods.
    fn find_static(&mut self, meta: Meta, modifier: ObjId, prop: PropId) -> Option<Found> {
        if let Some(found) = self.find_in_modifier(modifier, prop, None) {
            return Some(found);
        }
        // Function objects are vectors, and their class has the static methods of vectors.
        let meta = if meta == Meta::AnonFuncPtr { Meta::Vector } else { meta };
        let number = self.native_method(meta, prop)?;
        let method = self.natives.class(meta).methods.get(number as usize - 1)?;
        method.is_static.then_some(Found::Native(meta, number))
    }

    /// The number of the native method that a property calls in a metaclass.
    pub fn native_method(&self, meta: Meta, prop: PropId) -> Option<u16> {
        match self.meta_methods[meta as usize].get(prop as usize) {
            Some(0) | None => None,
            Some(number) => Some(*number),
        }
    }

    /// The number of a native method by its name.
    pub fn method_number(&self, meta: Meta, name: &str) -> u16 {
        let at = self.natives.class(meta).methods.iter().position(|method| method.name == name);
        at.map_or(0, |at| at as u16 + 1)
    }

    /// Walks a metaclass and its parents: native methods, then additions. `past` is the object to begin behind.
    fn find_in_metaclass(&mut self, meta: Meta, prop: PropId, past: Option<ObjId>) -> Option<Found> {
        let mut past = past;
        let mut next = Some(meta);
        while let Some(meta) = next {
            let class = self.class_objects[meta as usize];
            let modifier = match self.heap.get(class) {
                Obj::Class(class) => class.modifier,
                _ => NO_OBJECT,
            };
            match past {
                Some(object) if object == class && class != NO_OBJECT => {
                    past = None;
                    if let Some(found) = self.find_in_modifier(modifier, prop, None) {
                        return Some(found);
                    }
                }
                Some(object) if self.modifier_chain(modifier).contains(&object) => {
                    past = None;
                    if let Some(found) = self.find_in_modifier(modifier, prop, Some(object)) {
                        return Some(found);
                    }
                }
                Some(_) => {}
                None => {
                    if let Some(number) = self.native_method(meta, prop) {
                        return Some(Found::Native(meta, number));
                    }
                    if let Some(found) = self.find_in_modifier(modifier, prop, None) {
                        return Some(found);
                    }
                }
            }
            next = INFO[meta as usize].parent;
        }
        None
    }

    fn modifier_chain(&mut self, modifier: ObjId) -> Vec<ObjId> {
        let Some(shape) = self.heap.shape_of(modifier) else { return Vec::new() };
        std::iter::once(modifier).chain(self.linear(shape).iter().copied()).collect()
    }

    fn find_in_modifier(&mut self, modifier: ObjId, prop: PropId, past: Option<ObjId>) -> Option<Found> {
        let chain = self.modifier_chain(modifier);
        let start = past.map_or(0, |object| chain.iter().position(|id| *id == object).map_or(0, |at| at + 1));
        chain[start.min(chain.len())..].iter().find_map(|id| {
            let value = self.heap.tads(*id)?.own(&self.heap.shapes, prop)?;
            Some(Found::Value(value, *id))
        })
    }

    /// Finds the definition that the one in `definer` overrides.
    pub fn find_inherited(&mut self, this: Value, target: Value, definer: ObjId, prop: PropId) -> Option<Found> {
        let in_program = matches!(self.heap.get(definer), Obj::Tads(_));
        let from = if self.heap.meta_of(target).is_some() { target } else { this };
        if let Value::Obj(id) = from
            && let Obj::Tads(object) = self.heap.get(id)
            && in_program
        {
            let shape = object.shape;
            if let Some((value, definer)) = self.inherited_hit(id, shape, definer, prop) {
                return Some(Found::Value(value, definer));
            }
            return self.find_in_metaclass(Meta::TadsObject, prop, None);
        }
        let meta = self.heap.meta_of(from)?;
        self.find_in_metaclass(meta, prop, (definer != NO_OBJECT).then_some(definer))
    }

    /// The definition behind `definer` in the search order of an object, through the shared cache.
    fn inherited_hit(&mut self, id: ObjId, shape: ShapeId, definer: ObjId, prop: PropId) -> Option<(Value, ObjId)> {
        let at = self.code.inherited_index(shape, definer, prop);
        let epoch = self.heap.shapes.epoch;
        let entry = &self.code.inherited[at];
        // What the object defines itself depends on the object, not only on its shape.
        let own = id == definer;
        if entry.site.shape == shape
            && entry.definer == definer
            && entry.prop == prop
            && entry.site.epoch == epoch
            && !own
        {
            return self.hit_value(id, entry.site.hit);
        }
        let linear = self.linear(shape);
        let start = if own { 0 } else { linear.iter().position(|id| *id == definer).map_or(0, |at| at + 1) };
        let hit = linear.iter().skip(start).find_map(|parent| {
            let object = self.heap.tads(*parent)?;
            let slot = self.heap.shapes.get(object.shape).slot(prop)?;
            Some(Hit::Inherited(*parent, slot))
        });
        let hit = hit.unwrap_or(Hit::Missing);
        if !own {
            self.code.inherited[at] = InheritedCache { prop, definer, site: SiteCache { shape, epoch, hit } };
        }
        self.hit_value(id, hit)
    }

    // ---- evaluation

    /// Evaluates a property: native methods and plain values finish here with the result in R0, methods of the program
    /// get a frame that the caller then runs.
    pub fn send(&mut self, sending: Sending) -> Run<()> {
        match sending.target {
            Value::Nil => return fail(error::NIL_DEREF),
            Value::Obj(_) | Value::Str(_) | Value::List(_) => {}
            _ => return fail(error::OBJ_VAL_REQD),
        }
        let found = self.find_prop(sending.target, sending.prop);
        self.send_found(found, sending, |vm, prop| vm.find_prop(sending.target, prop))
    }

    /// Calls what a search has found; `find` repeats that search for propNotDefined.
    pub fn send_found(
        &mut self,
        found: Option<Found>,
        mut sending: Sending,
        find: impl Fn(&mut Vm, PropId) -> Option<Found>,
    ) -> Run<()> {
        let mut found = found;
        if found.is_none() && self.predef.prop_not_defined != NO_PROP {
            let handler = self.predef.prop_not_defined;
            found = find(self, handler);
            if let Some(Found::Value(Value::Code(_) | Value::ObjX(_) | Value::BuiltinX(..), _)) = found {
                self.push(Value::Prop(sending.prop))?;
                sending.argc += 1;
                sending.prop = handler;
            }
        }
        match found {
            Some(Found::Value(value, definer)) => self.send_value(value, definer, sending),
            Some(Found::Native(meta, number)) => self.call_native(meta, number, sending.this, sending.argc),
            None => {
                self.pop_args(sending.argc);
                self.r0 = Value::Nil;
                Ok(())
            }
        }
    }

    fn send_value(&mut self, value: Value, definer: ObjId, sending: Sending) -> Run<()> {
        let Sending { prop, target, this, argc } = sending;
        match value {
            Value::Code(function) => self.enter(
                function,
                argc,
                crate::vm::Context { this, target, invokee: Value::Func(function), definer, prop },
            ),
            Value::DStr(_) if argc == 0 => self.say(value, this),
            Value::ObjX(id) => {
                if self.heap.text(Value::Obj(id)).is_some() {
                    return self.say(Value::Obj(id), this);
                }
                let context = crate::vm::Context { this, target, invokee: Value::Obj(id), definer, prop };
                self.enter_callable(Value::Obj(id), argc, context)
            }
            Value::BuiltinX(set, index) => self.call_builtin(set, index, argc),
            _ if argc != 0 => fail(error::WRONG_NUM_OF_ARGS),
            value => {
                self.r0 = value;
                Ok(())
            }
        }
    }

    /// Calls a native method; the arguments are on the stack and are gone afterwards.
    pub fn call_native(&mut self, meta: Meta, number: u16, this: Value, argc: usize) -> Run<()> {
        let Some(method) = self.natives.class(meta).methods.get(number as usize - 1) else {
            self.pop_args(argc);
            self.r0 = Value::Nil;
            return Ok(());
        };
        if argc < method.min as usize || argc > method.max as usize {
            return fail(error::WRONG_NUM_OF_ARGS);
        }
        let sp = self.sp;
        let call = crate::vm::Args { this, top: sp, count: argc };
        let rooted = self.rooted.len();
        let callee = NativeCallee::Method(meta, number);
        self.state.native = NativeCall { callee, this, top: sp, count: argc, depth: 0 };
        self.rooted.push(this);
        let result = (method.run)(self, call);
        self.rooted.truncate(rooted);
        self.r0 = result?;
        self.sp = sp - argc.min(sp);
        Ok(())
    }

    // ---- assignment

    /// Sets a property of an object.
    pub fn set_prop(&mut self, target: Value, prop: PropId, value: Value) -> Run<()> {
        let id = match target {
            Value::Obj(id) => id,
            Value::Nil => return fail(error::NIL_DEREF),
            _ => return fail(error::OBJ_VAL_REQD),
        };
        match self.heap.get(id) {
            Obj::Tads(object) | Obj::Modifier(object) => {
                let slot = self.heap.shapes.get(object.shape).slot(prop);
                self.set_slot(id, prop, slot, value);
                Ok(())
            }
            // What is set on an intrinsic class goes to the object with the program's additions.
            Obj::Class(class) if class.modifier != NO_OBJECT => {
                let modifier = class.modifier;
                self.set_prop(Value::Obj(modifier), prop, value)
            }
            _ => fail(error::INVALID_SETPROP),
        }
    }

    /// Sets an own property whose slot is known, or adds it.
    pub fn set_slot(&mut self, id: ObjId, prop: PropId, slot: Option<u16>, value: Value) {
        let flags = self.heap.flags(id);
        let Some(object) = self.heap.tads(id) else { return };
        let old = slot.and_then(|slot| object.values.get(slot as usize).copied()).unwrap_or(Value::Empty);
        if flags.born < self.state.undo.current && !flags.transient {
            self.state.undo.property(id, prop, old);
        }
        let shape = object.shape;
        let shape = if slot.is_some() { shape } else { self.heap.shapes.with(shape, prop) };
        if let Some(Obj::Tads(object) | Obj::Modifier(object)) = self.heap.get_mut(id) {
            match slot {
                Some(slot) => {
                    if let Some(place) = object.values.get_mut(slot as usize) {
                        *place = value;
                    }
                }
                None => {
                    object.values.push(value);
                    object.shape = shape;
                }
            }
        }
        if slot.is_none() && (flags.is_super || matches!(self.heap.get(id), Obj::Modifier(_))) {
            self.heap.shapes.epoch += 1;
        }
    }

    /// Takes an own property away, as undo does.
    pub fn remove_own(&mut self, id: ObjId, prop: PropId) {
        let Some(object) = self.heap.tads(id) else { return };
        let props = self.heap.shapes.get(object.shape).props.clone();
        let supers = self.heap.shapes.direct(object.shape).clone();
        let Some(at) = props.iter().position(|own| *own == prop) else { return };
        let left: Vec<PropId> = props.iter().copied().filter(|own| *own != prop).collect();
        let shape = self.heap.shapes.of_list(&supers, &left);
        if let Some(Obj::Tads(object) | Obj::Modifier(object)) = self.heap.get_mut(id) {
            object.values.remove(at);
            object.shape = shape;
        }
        if self.heap.flags(id).is_super || matches!(self.heap.get(id), Obj::Modifier(_)) {
            self.heap.shapes.epoch += 1;
        }
    }

    // ---- questions about classes

    /// Whether objects of a shape inherit from a class, through a cache.
    fn inherits(&mut self, shape: ShapeId, class: ObjId) -> bool {
        let supers = self.heap.shapes.list_of(shape) as u32;
        let epoch = self.heap.shapes.epoch;
        let at =
            (supers.wrapping_mul(31) ^ class.wrapping_mul(0x9E37_79B1) >> 8) as usize & (self.code.kinds.len() - 1);
        let entry = self.code.kinds[at];
        if entry.supers == supers && entry.class == class && entry.epoch == epoch {
            return entry.inherits;
        }
        let inherits = self.linear(shape).contains(&class);
        self.code.kinds[at] = KindCache { supers, class, epoch, inherits };
        inherits
    }

    /// Whether an object is of a class, for walks over all objects: the answers for the last class are remembered.
    #[inline]
    pub fn is_instance(&mut self, id: ObjId, class: ObjId) -> bool {
        let Some(shape) = self.heap.shape_of(id) else { return self.is_kind_of(Value::Obj(id), class) };
        let supers = self.heap.shapes.list_of(shape);
        let epoch = self.heap.shapes.epoch;
        let walk = &mut self.code.walk;
        if walk.class != class || walk.epoch != epoch {
            *walk = InstanceWalk { class, epoch, answers: Vec::new() };
        }
        if let Some(Some(answer)) = walk.answers.get(supers) {
            return *answer;
        }
        // Without superclasses it depends on the object, not on its shape.
        let answer = self.is_kind_of(Value::Obj(id), class);
        if !self.heap.shapes.direct(shape).is_empty() {
            let answers = &mut self.code.walk.answers;
            if answers.len() <= supers {
                answers.resize(supers + 1, None);
            }
            answers[supers] = Some(answer);
        }
        answer
    }

    /// Whether an object is an instance of a class, or the class itself derives from it.
    pub fn is_kind_of(&mut self, value: Value, class: ObjId) -> bool {
        if let Value::Obj(id) = value {
            if id == class {
                return true;
            }
            if let Some(shape) = self.heap.shape_of(id)
                && self.inherits(shape, class)
            {
                return true;
            }
        }
        if !matches!(self.heap.get(class), Obj::Class(_)) {
            return false;
        }
        // An intrinsic class is a kind of its parent classes, not of IntrinsicClass.
        let own = match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Class(own) => Some(own.meta),
                _ => None,
            },
            _ => None,
        };
        let mut next = own.unwrap_or_else(|| self.heap.meta_of(value));
        while let Some(meta) = next {
            if self.class_objects[meta as usize] == class {
                return true;
            }
            next = meta.kind_of();
        }
        false
    }
}
