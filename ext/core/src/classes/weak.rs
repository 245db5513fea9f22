//! WeakReference and WeakMap: objects held without keeping them alive.

use phlox_runtime::class::{FastElements, NativeHooks};
use phlox_runtime::vm::WeakHolder;
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpArr, PhpObj, PhpRef, PhpResult, Slot, Throw, Val, Vm};
use phlox_value::Ephemeron;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::iterator;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "WeakReference",
        decl: include_str!("../../stubs/WeakReference.stub.php"),
        methods: &[("__construct", construct_reference), ("create", create_reference), ("get", get_reference)],
        hooks: NativeHooks {
            debug_info: Some(reference_debug_info),
            needs_constructor: true,
            no_clone: true,
            no_dynamic: true,
            no_serialize: true,
            ..NativeHooks::NONE
        },
    },
    NativeClass {
        name: "WeakMap",
        decl: include_str!("../../stubs/WeakMap.stub.php"),
        methods: &[
            ("offsetGet", offset_get),
            ("offsetSet", offset_set),
            ("offsetExists", offset_exists),
            ("offsetUnset", offset_unset),
            ("count", count),
            ("getIterator", get_iterator),
        ],
        hooks: NativeHooks {
            create: Some(create_map),
            debug_info: Some(map_debug_info),
            element: Some(map_element),
            bind_element: Some(bind_element),
            fast_elements: Some(&QUICK),
            count: Some(|_, map| Ok(map_data(map).len())),
            no_dynamic: true,
            no_serialize: true,
            ..NativeHooks::NONE
        },
    },
];

/// What a WeakReference points at: the object's handle while it lives.
struct Target {
    handle: Cell<Option<u32>>,
}

impl WeakHolder for Target {
    fn forget(&self, _: usize) {
        self.handle.set(None);
    }
}

struct ReferenceData(Rc<Target>);

impl NativeData for ReferenceData {
    fn trace(&self, _: &mut Edges) {}

    fn clear(&self) {}
}

/// The WeakReference object of each referenced object, by address: `create` gives the same one again.
#[derive(Default)]
struct Known(RefCell<HashMap<usize, u32>>);

fn construct_reference(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = b"Direct instantiation of WeakReference is not allowed, use WeakReference::create instead";
    Err(call.vm.throw_error(text))
}

fn create_reference(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(object) = call.opt_obj(0) else { return Ok(Val::NULL) };
    let known = call.vm.data::<Known>("weak references");
    let earlier = known.0.borrow().get(&object.address()).copied();
    if let Some(reference) = earlier.and_then(phlox_value::object_by_handle) {
        let target = reference.native::<ReferenceData>().and_then(|data| data.0.handle.get());
        if target == Some(object.handle()) {
            return Ok(reference.into());
        }
    }
    let class = call.vm.require_class(b"WeakReference")?;
    let reference = call.vm.instantiate(&class)?;
    let target = Rc::new(Target { handle: Cell::new(Some(object.handle())) });
    call.vm.watch(&object, target.clone());
    reference.set_native(Rc::new(ReferenceData(target)));
    known.0.borrow_mut().insert(object.address(), reference.handle());
    Ok(reference.into())
}

fn get_reference(call: &mut Call<'_>) -> PhpResult<Val> {
    let handle = call.this().native::<ReferenceData>().and_then(|data| data.0.handle.get());
    Ok(handle.and_then(phlox_value::object_by_handle).map_or(Val::NULL, Val::from))
}

/// `var_dump` shows the object, or null when it is gone.
fn reference_debug_info(_: &Vm, reference: &PhpObj) -> PhpResult<PhpArr> {
    let handle = reference.native::<ReferenceData>().and_then(|data| data.0.handle.get());
    let object = handle.and_then(phlox_value::object_by_handle).map_or(Val::NULL, Val::from);
    let mut info = PhpArr::new();
    info.set_bytes(b"object", object);
    Ok(info)
}

/// A map's entries by the address of the key object. They are numbered in order of insertion, and a number is never given
/// out again: iterators keep their place whatever is removed.
#[derive(Default)]
struct Rows {
    by_address: HashMap<usize, Entry>,
    order: BTreeMap<u64, usize>,
    next: u64,
}

impl Rows {
    /// Sets the entry of a key; a key that has an entry keeps its position. Gives the old entry, which may hold the last
    /// reference to a value.
    fn put(&mut self, address: usize, handle: u32, value: Val) -> Option<Entry> {
        let number = match self.by_address.get(&address) {
            Some(entry) => entry.number,
            None => {
                self.next += 1;
                self.order.insert(self.next, address);
                self.next
            }
        };
        self.by_address.insert(address, Entry::new(handle, number, value))
    }

    fn remove(&mut self, address: usize) -> Option<Entry> {
        let entry = self.by_address.remove(&address)?;
        self.order.remove(&entry.number);
        Some(entry)
    }

    /// The first entry from a number on.
    fn from(&self, number: u64) -> Option<&Entry> {
        let (_, address) = self.order.range(number..).next()?;
        self.by_address.get(address)
    }

    /// The entries in order.
    fn iter(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.order.values().filter_map(|address| Some((*address, self.by_address.get(address)?)))
    }
}

#[derive(Default)]
struct Entries {
    rows: RefCell<Rows>,
    /// Id of the map; 0 for a copy that was not used yet.
    map: Cell<u32>,
}

struct Entry {
    handle: u32,
    number: u64,
    value: Slot,
    /// The value is a reference only because something inside it was changed.
    boxed: Cell<bool>,
}

impl Entry {
    fn new(handle: u32, number: u64, value: Val) -> Entry {
        Entry { handle, number, value: Slot::new(value), boxed: Cell::new(false) }
    }

    /// The value as `var_dump` shows it: a reference that only the map holds is shown as a value.
    fn shown(&self) -> Val {
        let value = self.value.get();
        let only_boxed = self.boxed.get() && value.as_ref().is_some_and(|reference| reference.refcount() <= 2);
        if only_boxed { value.deref() } else { value }
    }
}

impl WeakHolder for Entries {
    fn forget(&self, address: usize) {
        let removed = self.rows.borrow_mut().remove(address);
        // The value may run a destructor, which may use the map.
        drop(removed);
    }

    fn entry(&self, address: usize) -> Option<Ephemeron> {
        let rows = self.rows.borrow();
        let entry = rows.by_address.get(&address)?;
        let map = phlox_value::object_by_handle(self.map.get());
        let key = phlox_value::object_by_handle(entry.handle)?;
        Ephemeron::new(map.as_ref(), &key, &entry.value)
    }
}

struct MapData(Rc<Entries>);

impl MapData {
    fn len(&self) -> i64 {
        self.0.rows.borrow().order.len() as i64
    }

    fn value(&self, key: &PhpObj) -> Option<Val> {
        self.0.rows.borrow().by_address.get(&key.address()).map(|entry| entry.value.get_deref())
    }
}

impl NativeData for MapData {
    /// The map itself has no edges: the cycle collector asks for the entries, since a value lives only as long as its
    /// key.
    fn trace(&self, _: &mut Edges) {}

    fn clear(&self) {
        drop(self.0.rows.take());
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        let copy = Rc::new(Entries::default());
        for (address, entry) in self.0.rows.borrow().iter() {
            let handle = entry.handle;
            copy.rows.borrow_mut().put(address, handle, entry.value.get_deref());
            if let (Some(vm), Some(object)) = (Vm::current(), phlox_value::object_by_handle(handle)) {
                vm.watch(&object, copy.clone());
            }
        }
        Some(Rc::new(MapData(copy)))
    }
}

fn create_map(_: &Vm, map: &PhpObj) {
    map.set_native(Rc::new(MapData(Rc::default())));
}

fn map_data(map: &PhpObj) -> &MapData {
    let data: &MapData = map.native().unwrap_or_else(|| unreachable!("every WeakMap is made with its data"));
    data.0.map.set(map.handle());
    data
}

/// The key argument; throws for what is no object.
fn key(call: &Call<'_>) -> PhpResult<PhpObj> {
    match call.opt_obj(0) {
        Some(object) => Ok(object),
        None => Err(call.vm.throw_type_error(b"WeakMap key must be an object")),
    }
}

fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = key(call)?;
    match map_data(call.this()).value(&key) {
        Some(value) => Ok(value),
        None => Err(not_contained(call.vm, &key)),
    }
}

static QUICK: FastElements = FastElements {
    get: |map, offset| map_data(map).value(offset.as_obj()?),
    set: |map, offset, value| {
        let key = offset?.as_obj()?;
        let mut rows = map_data(map).0.rows.borrow_mut();
        rows.by_address.get(&key.address())?;
        let old = rows.put(key.address(), key.handle(), value.deref());
        drop(rows);
        drop(old);
        Some(Val::NULL)
    },
    exists: |map, offset| Some(map_data(map).value(offset.as_obj()?).is_some_and(|value| !value.is_null())),
    refuse: Some(cannot_append),
    missing: Some(|vm, _, offset| match offset.deref().into_obj() {
        Some(key) => Some(not_contained(vm, &key)),
        None => Some(vm.throw_type_error(b"WeakMap key must be an object")),
    }),
};

fn cannot_append(vm: &Vm) -> Throw {
    vm.throw_error(b"Cannot append to WeakMap")
}

fn not_contained(vm: &Vm, key: &PhpObj) -> Throw {
    let name = phlox_runtime::ObjExt::class_name(key);
    let tail = format!("#{} not contained in WeakMap", key.handle());
    vm.throw_error(&[b"Object ", &name[..], tail.as_bytes()].concat())
}

/// An entry as a reference, for a change inside its value. The key must exist.
fn map_element(vm: &Vm, map: &PhpObj, offset: Option<&Val>, _: bool) -> PhpResult<Option<PhpRef>> {
    let Some(offset) = offset else { return Err(cannot_append(vm)) };
    let Some(key) = offset.deref().into_obj() else {
        return Err(vm.throw_type_error(b"WeakMap key must be an object"));
    };
    let found = map_data(map).0.rows.borrow().by_address.get(&key.address()).map(|entry| {
        entry.boxed.set(entry.boxed.get() || entry.value.as_ref().is_none());
        entry.value.make_ref()
    });
    found.map(Some).ok_or_else(|| not_contained(vm, &key))
}

/// `$map[$object] = &$reference`, of a key that is there.
fn bind_element(vm: &Vm, map: &PhpObj, offset: &Val, reference: PhpRef) -> PhpResult<bool> {
    map_element(vm, map, Some(offset), false)?;
    let Some(key) = offset.deref().into_obj() else { return Ok(false) };
    let old = map_data(map).0.rows.borrow().by_address.get(&key.address()).map(|entry| {
        entry.boxed.set(false);
        entry.value.replace(reference.into())
    });
    drop(old);
    Ok(true)
}

fn offset_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = key(call)?;
    let entries = map_data(call.this()).0.clone();
    let is_new = !entries.rows.borrow().by_address.contains_key(&key.address());
    if is_new {
        call.vm.watch(&key, entries.clone());
    }
    let old = entries.rows.borrow_mut().put(key.address(), key.handle(), call.arg(1));
    drop(old);
    Ok(Val::NULL)
}

fn offset_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = key(call)?;
    Ok(map_data(call.this()).value(&key).is_some_and(|value| !value.is_null()).into())
}

fn offset_unset(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = key(call)?;
    map_data(call.this()).0.forget(key.address());
    Ok(Val::NULL)
}

fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(map_data(call.this()).len()))
}

fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let source = Box::new(MapIteration { map: call.this().clone(), at: Cell::new(0) });
    iterator::create(call, source)
}

/// An iteration over a map, by the number of the current entry. If that entry is removed, the next one is the current
/// one.
struct MapIteration {
    map: PhpObj,
    at: Cell<u64>,
}

impl MapIteration {
    fn with_entry<R>(&self, read: impl FnOnce(&Entry) -> R) -> Option<R> {
        map_data(&self.map).0.rows.borrow().from(self.at.get()).map(read)
    }
}

impl iterator::Source for MapIteration {
    fn rewind(&self) {
        self.at.set(0);
    }

    fn valid(&self) -> bool {
        self.with_entry(|_| ()).is_some()
    }

    fn current(&self) -> Val {
        self.with_entry(|entry| entry.value.get_deref()).unwrap_or(Val::NULL)
    }

    fn key(&self) -> Val {
        let key = self.with_entry(|entry| phlox_value::object_by_handle(entry.handle));
        key.flatten().map_or(Val::NULL, Val::from)
    }

    fn advance(&self) {
        if let Some(number) = self.with_entry(|entry| entry.number) {
            self.at.set(number + 1);
        }
    }

    fn trace(&self, edges: &mut Edges) {
        edges.object(&self.map);
    }

    fn gives_references(&self) -> bool {
        true
    }

    fn reference(&self) -> Option<PhpRef> {
        self.with_entry(|entry| {
            entry.boxed.set(false);
            entry.value.make_ref()
        })
    }
}

/// `var_dump` shows a list of keys with their values.
fn map_debug_info(_: &Vm, map: &PhpObj) -> PhpResult<PhpArr> {
    let mut info = PhpArr::new();
    for (_, entry) in map_data(map).0.rows.borrow().iter() {
        let Some(key) = phlox_value::object_by_handle(entry.handle) else { continue };
        let mut row = PhpArr::new();
        row.set_bytes(b"key", key.into());
        row.set_bytes(b"value", entry.shown());
        let _ = info.push(row.into());
    }
    Ok(info)
}
