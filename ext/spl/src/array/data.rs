//! The native data of array objects, and access to the table that an array object stands for.

use crate::members;
use phlox_runtime::{
    ArrKey, ClassRef, Edges, Key, NativeData, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, Slot, Throw, Val, Vm, convert,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const ARRAY_AS_PROPS: i64 = 2;
pub const STD_PROP_LIST: i64 = 1;
pub const CHILD_ARRAYS_ONLY: i64 = 4;
/// The table is the object's own properties.
pub const IS_SELF: i64 = 0x0100_0000;
/// Flags that scripts cannot set.
pub const INTERNAL: i64 = 0xffff_0000;
/// Flags that clones and serialised data keep.
pub const KEPT: i64 = 0x0100_ffff;

/// The native part.
pub struct ArrayData {
    /// An array, or an object whose elements or properties the array object stands for.
    pub storage: Slot,
    pub flags: Cell<i64>,
    pub iterator_class: RefCell<Option<ClassRef>>,
    /// Position of the iteration in the table; `key` has the key that was there.
    pub position: Cell<u32>,
    pub key: RefCell<Option<ArrKey>>,
    /// Number of running sorts, during which nothing may change.
    pub sorting: Cell<u32>,
}

/// Makes a copy of an iterator iterate over the table of the original, through the original.
pub fn go_over_original(original: &PhpObj, copy: &PhpObj) {
    let own = data(copy);
    if own.flags.get() & IS_SELF == 0 {
        own.storage.set(original.into());
    }
}

impl NativeData for ArrayData {
    fn trace(&self, edges: &mut Edges) {
        self.storage.trace(edges);
    }

    fn clear(&self) {
        self.storage.set(PhpArr::new().into());
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        let storage = if self.flags.get() & IS_SELF != 0 {
            Val::NULL
        } else {
            match self.storage.get().as_obj() {
                Some(object) => Table::of(object).snapshot().into(),
                None => self.storage.get(),
            }
        };
        Some(Rc::new(ArrayData {
            storage: Slot::new(storage),
            flags: Cell::new(self.flags.get() & KEPT),
            iterator_class: RefCell::new(self.iterator_class.borrow().clone()),
            position: Cell::new(0),
            key: RefCell::new(None),
            sorting: Cell::new(0),
        }))
    }
}

impl ArrayData {
    /// The array, if the object holds one itself.
    #[inline]
    pub fn array(&self) -> Option<PhpArr> {
        if self.flags.get() & IS_SELF != 0 {
            return None;
        }
        self.storage.get().into_arr()
    }
}

/// Gives a new object of an array class its native data.
pub fn create(_: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(ArrayData {
        storage: Slot::new(PhpArr::new().into()),
        flags: Cell::new(0),
        iterator_class: RefCell::new(None),
        position: Cell::new(0),
        key: RefCell::new(None),
        sorting: Cell::new(0),
    }));
}

/// The native data of an object of an array class.
pub fn data(object: &PhpObj) -> &ArrayData {
    object.native().unwrap_or_else(|| unreachable!("every array object is made with its data"))
}

/// Do undeclared properties stand for elements (`ARRAY_AS_PROPS`)?
pub fn as_properties(object: &PhpObj) -> bool {
    object.native::<ArrayData>().is_some_and(|data| data.flags.get() & ARRAY_AS_PROPS != 0)
}

/// The table that an array object stands for.
pub enum Table {
    /// The array that this array object holds.
    Array(PhpObj),
    /// The properties of an object.
    Properties(PhpObj),
}

impl Table {
    /// The table behind the object: array objects that stand for other objects are followed to the last one.
    pub fn of(object: &PhpObj) -> Table {
        let mut object = object.clone();
        loop {
            let Some(data) = object.native::<ArrayData>() else { return Table::Properties(object) };
            if data.flags.get() & IS_SELF != 0 {
                return Table::Properties(object);
            }
            match data.storage.get().into_obj() {
                Some(next) => object = next,
                None => return Table::Array(object),
            }
        }
    }

    /// The table as it is now; properties by mangled name.
    pub fn snapshot(&self) -> PhpArr {
        match self {
            Table::Array(holder) => data(holder).storage.get().into_arr().unwrap_or_default(),
            Table::Properties(object) => members::table(object),
        }
    }

    /// Whether the table consists of an object's properties.
    pub fn is_properties(&self) -> bool {
        matches!(self, Table::Properties(_))
    }

    /// Lets `change` work on the array itself; `None`: the table is no array.
    fn update<R>(holder: &PhpObj, change: impl FnOnce(&mut PhpArr) -> R) -> R {
        let slot = &data(holder).storage;
        let mut array = slot.take().into_arr().unwrap_or_default();
        let result = change(&mut array);
        slot.set(array.into());
        result
    }

    /// The slot of a declared public property.
    fn declared<'a>(object: &'a PhpObj, key: &ArrKey) -> Option<&'a Slot> {
        let ArrKey::Str(name) = key else { return None };
        let info = object.class().props.get(name)?;
        if info.is_static() || !info.is_public() {
            return None;
        }
        object.slots().get(info.slot)
    }

    /// The element with this key.
    pub fn get(&self, key: &ArrKey) -> Option<Val> {
        match self {
            Table::Array(holder) => data(holder).storage.get().as_arr()?.get(key.as_key()).cloned(),
            Table::Properties(object) => match Table::declared(object, key) {
                Some(slot) => Some(slot.get()).filter(|value| !value.is_undef()),
                None => object.dynamic()?.get(key.as_key()).cloned(),
            },
        }
    }

    /// Assigns an element. A declared property is written with its checks, which may throw.
    pub fn set(&self, vm: &Vm, key: &ArrKey, value: Val) -> PhpResult<()> {
        let old = match self {
            Table::Array(holder) => Table::update(holder, |array| array.assign(key.as_key(), value)),
            Table::Properties(object) => match Table::declared(object, key) {
                Some(_) => {
                    let ArrKey::Str(name) = key else { return Ok(()) };
                    let access = phlox_runtime::Access { scope: None, strict: false };
                    Some(phlox_runtime::props::write(vm, object, name, value, access)?)
                }
                None => object.update_dynamic(|table| table.assign(key.as_key(), value)),
            },
        };
        drop(old);
        Ok(())
    }

    /// Removes the element with this key.
    pub fn unset(&self, key: &ArrKey) {
        let old = match self {
            Table::Array(holder) => Table::update(holder, |array| array.remove(key.as_key())),
            Table::Properties(object) => match Table::declared(object, key) {
                Some(slot) => Some(slot.take()),
                None => object.update_dynamic(|table| table.remove(key.as_key())),
            },
        };
        drop(old);
    }

    /// Appends; false when no index is left.
    pub fn push(&self, value: Val) -> bool {
        match self {
            Table::Array(holder) => Table::update(holder, |array| array.push(value).is_ok()),
            Table::Properties(object) => object.update_dynamic(|table| table.push(value).is_ok()),
        }
    }

    /// Makes an element a reference, creating it.
    pub fn make_ref(&self, key: &ArrKey) -> Option<PhpRef> {
        let in_array = |array: &mut PhpArr| Some(array.entry(key.as_key()).0.make_ref());
        match self {
            Table::Array(holder) => Table::update(holder, in_array),
            Table::Properties(object) => match Table::declared(object, key) {
                Some(slot) => {
                    let fresh = slot.as_ref().is_none();
                    let reference = slot.make_ref();
                    let info = object.class().slots.iter().find(|info| std::ptr::eq(&object.slots()[info.slot], slot));
                    if let Some(info) = info.filter(|info| fresh && info.ty.is_some()) {
                        reference.add_source(info.clone());
                    }
                    Some(reference)
                }
                None => object.update_dynamic(in_array),
            },
        }
    }

    /// The readonly property that has the key.
    pub fn readonly<'a>(&'a self, key: &ArrKey) -> Option<&'a phlox_runtime::PropInfo> {
        let (Table::Properties(object), ArrKey::Str(name)) = (self, key) else { return None };
        object.class().props.get(name).filter(|info| info.is_readonly() && !info.is_static()).map(|info| &**info)
    }

    /// Makes an element an alias. False: it is a declared property.
    pub fn bind(&self, key: &ArrKey, reference: PhpRef) -> bool {
        let in_array = |array: &mut PhpArr| array.insert(key.as_key(), reference.into());
        let old = match self {
            Table::Array(holder) => Table::update(holder, in_array),
            Table::Properties(object) if Table::declared(object, key).is_none() => object.update_dynamic(in_array),
            Table::Properties(_) => return false,
        };
        drop(old);
        true
    }

    /// Replaces the whole table.
    pub fn replace(&self, array: PhpArr) {
        match self {
            Table::Array(holder) => data(holder).storage.set(array.into()),
            Table::Properties(object) => {
                object.set_dynamic(None);
                members::load(object, &array);
            }
        }
    }
}

/// Is a key of a table of properties the name of a public property?
pub fn is_shown(key: Key<'_>) -> bool {
    !matches!(key, Key::Str(name) if name.first() == Some(&0))
}

/// The error about a change while the array is being sorted.
pub fn sorting_error(vm: &Vm) -> Throw {
    vm.throw_error(b"Modification of ArrayObject during sorting is prohibited")
}

/// An offset as a key of the table.
pub fn key_of(vm: &Vm, object: &PhpObj, offset: &Val, purpose: convert::OffsetUse) -> PhpResult<ArrKey> {
    let offset = offset.deref();
    if offset.as_arr().is_none() && offset.as_obj().is_none() {
        return convert::to_key(vm, &offset, purpose);
    }
    let given = convert::value_name(&offset);
    let class = phlox_runtime::shown(convert::printable_name(object.class_name())).into_owned();
    let text = match purpose {
        convert::OffsetUse::Isset => format!("Cannot access offset of type {given} in isset or empty"),
        convert::OffsetUse::Unset => format!("Cannot unset offset of type {given} on {class}"),
        _ => format!("Cannot access offset of type {given} on {class}"),
    };
    Err(vm.throw_type_error(text.as_bytes()))
}
