//! From the image's tables to a machine ready to start: metaclasses, function sets, static objects.

use phlox_t3_image::image::StaticObject;
use phlox_t3_image::{Reader, WIDE};

use crate::heap::Flags;
use crate::meta::{INFO, Meta};
use crate::objects::{IntrinsicClass, Obj, TadsObject};
use crate::save::from_image;
use crate::value::{NO_OBJECT, ObjId, PropId, Value};
use crate::vm::{Load, Loader, Vm};

impl<'a> Loader<'a> {
    /// A loader of an image's object.
    pub fn new(vm: &'a mut Vm, data: Reader<'a>) -> Loader<'a> {
        Loader { vm, data, ids: None }
    }

    /// The number that an object has in this machine.
    pub fn translated(&self, id: ObjId) -> ObjId {
        self.ids.and_then(|ids| ids.get(&id).copied()).unwrap_or(id)
    }

    /// The next object number, as it is in this machine.
    pub fn object(&mut self) -> Load<ObjId> {
        let id = self.data.u32()?;
        Ok(self.translated(id))
    }

    /// The next holder as a value.
    pub fn value(&mut self) -> Load<Value> {
        let holder = self.data.holder()?;
        let image = self.vm.image.clone();
        let value = self.vm.heap.import(&image, holder.kind, holder.raw);
        Ok(match value.map_err(|_| self.data.error("the value is not valid"))? {
            Value::Obj(id) => Value::object(self.translated(id)),
            Value::ObjX(id) => Value::ObjX(self.translated(id)),
            other => other,
        })
    }

    /// The next `count` holders as values.
    pub fn values(&mut self, count: usize) -> Load<Vec<Value>> {
        if count * 5 > self.data.left() {
            return Err(self.data.error("there are more values than data"));
        }
        (0..count).map(|_| self.value()).collect()
    }
}

/// Object numbers that an image may use for each of its bytes: a larger one is damage, which would cost memory.
const IDS_PER_BYTE: usize = 8;
/// Object numbers that the smallest image may use.
const LEAST_ID_LIMIT: usize = 1 << 16;

impl Vm {
    /// Finds the intrinsic classes that the image names, and their methods by the image's properties.
    pub fn link_metaclasses(&mut self) -> Result<(), String> {
        let image = self.image.clone();
        for (index, row) in image.metaclasses.iter().enumerate() {
            let (name, version) = row.name.split_once('/').unwrap_or((&row.name, "000000"));
            let Some(meta) = Meta::from_name(name) else {
                return Err(format!("the program needs the intrinsic class {name}, which this machine does not have"));
            };
            if INFO[meta as usize].version < version {
                return Err(format!(
                    "the program needs {name}/{version}, this machine has {}",
                    INFO[meta as usize].version
                ));
            }
            self.metas.push(meta);
            let table = &mut self.meta_methods[meta as usize];
            for (at, prop) in row.properties.iter().enumerate() {
                if table.len() <= *prop as usize {
                    table.resize(*prop as usize + 1, 0);
                }
                table[*prop as usize] = at as u16 + 1;
            }
            self.meta_props[meta as usize] = row.properties.clone();
            debug_assert!(index < usize::from(u16::MAX));
        }
        Ok(())
    }

    /// Finds the function sets that the image names.
    pub fn link_function_sets(&mut self) -> Result<(), String> {
        for row in &self.image.function_sets {
            let (name, version) = row.split_once('/').unwrap_or((row, "000000"));
            let Some(set) = self.natives.set(name) else {
                return Err(format!("the program needs the function set {name}, which this machine does not have"));
            };
            if set.version < version {
                return Err(format!("the program needs {name}/{version}, this machine has {}", set.version));
            }
            self.sets.push(set);
        }
        Ok(())
    }

    /// Makes all static objects.
    pub fn load_objects(&mut self) -> Result<(), String> {
        let image = self.image.clone();
        for object in &image.objects {
            // What is transient outlives a restart.
            if self.heap.exists(object.id) && object.transient {
                continue;
            }
            self.load_object(object).map_err(|error| error.to_string())?;
        }
        self.heap.rebuild_free_list();
        self.hash_tables();
        self.compile_patterns();
        self.make_missing_classes();
        self.mark_superclasses();
        Ok(())
    }

    /// Intrinsic classes that the image uses but has no objects for get one each.
    fn make_missing_classes(&mut self) {
        for index in 0..self.metas.len() {
            let meta = self.metas[index];
            if !self.heap.exists(self.class_objects[meta as usize]) {
                let class =
                    IntrinsicClass { meta: Some(meta), index: index as u16, modifier: NO_OBJECT, state: Value::Nil };
                let id = self.heap.alloc(Obj::Class(Box::new(class)));
                if let Some(flags) = self.heap.flags_mut(id) {
                    flags.image = true;
                }
                self.class_objects[meta as usize] = id;
            }
        }
    }

    /// Marks every object that another inherits from.
    pub fn mark_superclasses(&mut self) {
        for id in 1..self.heap.slots.len() as u32 {
            let Some(shape) = self.heap.shape_of(id) else { continue };
            for parent in self.heap.shapes.direct(shape).clone().iter() {
                if let Some(flags) = self.heap.flags_mut(*parent) {
                    flags.is_super = true;
                }
            }
        }
    }

    fn load_object(&mut self, object: &StaticObject) -> Load<()> {
        let image = self.image.clone();
        let bytes = &image.file[object.data.clone()];
        let reader = Reader::new("OBJS", bytes, object.data.start);
        let Some(meta) = self.metas.get(object.metaclass as usize).copied() else {
            return Err(reader.error(format!("object {} is of the unknown metaclass {}", object.id, object.metaclass)));
        };
        // Numbers are dense but for objects that were dropped before the image was written.
        let limit = self.options.max_objects.min((image.file.len() * IDS_PER_BYTE).max(LEAST_ID_LIMIT));
        if object.id as usize >= limit {
            return Err(reader.error(format!("object number {} is above this machine's limit", object.id)));
        }
        let obj = from_image(&mut Loader::new(self, reader), meta, object.id)?;
        if let Obj::Class(class) = &obj
            && let Some(meta) = class.meta
        {
            self.class_objects[meta as usize] = object.id;
        }
        let flags = Flags { image: true, transient: object.transient, ..Flags::default() };
        self.heap.alloc_at(object.id, obj, flags);
        Ok(())
    }

    /// Puts the image's objects back into their first state. Others stay until nothing refers to them.
    pub fn reset_objects(&mut self) -> Result<(), String> {
        self.heap.shapes.epoch += 1;
        self.load_objects()
    }
}

/// tads-object and int-class-mod.
pub fn load_tads(loader: &mut Loader<'_>, meta: Meta) -> Load<Obj> {
    let (supers, count, flags) = (loader.data.u16()?, loader.data.u16()?, loader.data.u16()?);
    let supers: Vec<u32> = (0..supers).map(|_| loader.data.u32()).collect::<Load<_>>()?;
    let mut props: Vec<PropId> = Vec::with_capacity(count.into());
    let mut values = Vec::with_capacity(count.into());
    for _ in 0..count {
        let prop = loader.data.u16()?;
        let value = loader.value()?;
        if !props.contains(&prop) {
            props.push(prop);
            values.push(value);
        }
    }
    let shape = loader.vm.heap.shapes.of_list(&supers, &props);
    let object = TadsObject { shape, values, is_class: flags & 1 != 0 };
    Ok(if meta == Meta::IntClassMod { Obj::Modifier(object) } else { Obj::Tads(object) })
}

/// intrinsic-class.
pub fn load_class(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let size = loader.data.u16()?;
    let index = loader.data.u16()?;
    let modifier = loader.data.u32()?;
    let state = if size >= 13 { loader.value()? } else { Value::Nil };
    let meta = loader.vm.metas.get(index as usize).copied();
    Ok(Obj::Class(Box::new(IntrinsicClass { meta, index, modifier, state })))
}

/// vector and anonymous functions.
pub fn load_vector(loader: &mut Loader<'_>, meta: Meta) -> Load<Obj> {
    let allocated = loader.data.u16()?;
    let used = loader.data.u16()?;
    // As many elements as the reference can have are there only if there is place for them.
    let used = if used == WIDE && allocated != WIDE { loader.data.u32()? as usize } else { usize::from(used) };
    let items = loader.values(used)?;
    Ok(if meta == Meta::Vector { Obj::Vector(items) } else { Obj::AnonFn(items) })
}

/// Strings in object form, which is the form of the constant pool.
pub fn load_text(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let text = loader.data.long_name()?;
    Ok(Obj::Text(text.into()))
}

/// Lists in object form, which is the form of the constant pool.
pub fn load_list(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let count = loader.data.wide_count()?;
    Ok(Obj::List(loader.values(count)?.into()))
}
