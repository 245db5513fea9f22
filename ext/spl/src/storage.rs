//! SplObjectStorage: objects in order, each with a value.

use crate::array::tagged;
use crate::functions::object_hash;
use crate::members::{self, ill_typed};
use phlox_ext_standard::serialize::{Sequence, serialize_each};
use phlox_runtime::class::{FastElements, NativeHooks};
use phlox_runtime::vm::Callee;
use phlox_runtime::{
    ArrKey, ByBytes, Call, Edges, Key, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, Slot, Throw, Val,
    Vm, compare, convert,
};
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SplObjectStorage",
    decl: include_str!("../stubs/SplObjectStorage.stub.php"),
    methods: &[
        ("attach", attach),
        ("detach", detach),
        ("contains", contains),
        ("addAll", add_all),
        ("removeAll", remove_all),
        ("removeAllExcept", remove_all_except),
        ("getInfo", |call| Ok(data(call.this()).current().map_or(Val::NULL, |(_, info)| info))),
        ("setInfo", set_info),
        ("count", count),
        ("rewind", |call| {
            data(call.this()).rewind();
            Ok(Val::NULL)
        }),
        ("valid", |call| Ok(data(call.this()).current().is_some().into())),
        ("key", |call| Ok(Val::int(data(call.this()).index.get()))),
        ("current", current),
        ("next", |call| {
            data(call.this()).advance();
            Ok(Val::NULL)
        }),
        ("seek", seek),
        ("unserialize", unserialize),
        ("serialize", serialize),
        ("offsetExists", contains),
        ("offsetGet", offset_get),
        ("offsetSet", attach),
        ("offsetUnset", detach),
        ("getHash", |call| Ok(call.opt_obj(0).map_or(Val::NULL, |o| object_hash(o.handle()).into()))),
        ("__serialize", serialize_array),
        ("__unserialize", unserialize_array),
        ("__debugInfo", debug_info),
    ],
    hooks: NativeHooks {
        create: Some(create),
        compare: Some(compare_storages),
        count: Some(|_, object| Ok(data(object).len())),
        fast_elements: Some(&QUICK),
        ..NativeHooks::NONE
    },
}];

/// The native data. The rows map a handle, or the result of `getHash`, to the pair of object and value.
pub struct Storage {
    rows: Slot,
    position: Cell<u32>,
    index: Cell<i64>,
    /// MultipleIterator's flags, which copies do not get.
    pub flags: Cell<i64>,
}

impl NativeData for Storage {
    fn trace(&self, edges: &mut Edges) {
        self.rows.trace(edges);
    }

    fn clear(&self) {
        self.rows.set(PhpArr::new().into());
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(Storage {
            rows: Slot::new(self.rows.get()),
            position: Cell::new(0),
            index: Cell::new(0),
            flags: Cell::new(0),
        }))
    }
}

impl Storage {
    /// All rows: under an object's key a pair of the object and its value.
    pub fn rows(&self) -> PhpArr {
        self.rows.get().into_arr().unwrap_or_default()
    }

    /// The pairs in order.
    pub fn pairs(&self) -> Vec<(PhpObj, Val)> {
        self.rows().values().filter_map(pair).collect()
    }

    /// Number of objects.
    pub fn len(&self) -> i64 {
        self.rows().len() as i64
    }

    /// Moves iteration to the first object.
    pub fn rewind(&self) {
        self.position.set(0);
        self.index.set(0);
    }

    fn at(&self, rows: &PhpArr) -> Option<u32> {
        rows.position_from(self.position.get())
    }

    fn current(&self) -> Option<(PhpObj, Val)> {
        let rows = self.rows();
        rows.at(self.at(&rows)?).and_then(|(_, row)| pair(row))
    }

    fn advance(&self) {
        let rows = self.rows();
        if let Some(at) = self.at(&rows) {
            self.position.set(rows.position_from(at + 1).unwrap_or(rows.positions()));
        }
        self.index.set(self.index.get() + 1);
    }

    fn update<R>(&self, change: impl FnOnce(&mut PhpArr) -> R) -> R {
        let mut rows = self.rows.take().into_arr().unwrap_or_default();
        let result = change(&mut rows);
        self.rows.set(rows.into());
        result
    }

    /// Adds an object with its value, or replaces the value.
    pub fn put(&self, key: &ArrKey, object: &PhpObj, info: Val) {
        let row = PhpArr::list(2, [object.into(), info].into_iter());
        let old = self.update(|rows| rows.insert(key.as_key(), row.into()));
        drop(old);
    }

    /// Removes a row; false when it is not there.
    pub fn remove(&self, key: &ArrKey) -> bool {
        let old = self.update(|rows| rows.remove(key.as_key()));
        old.is_some()
    }

    fn find(&self, key: &ArrKey) -> Option<Val> {
        self.rows.update(|rows| rows.as_arr()?.get(key.as_key())?.as_arr()?.get_int(1).map(Val::deref))
    }

    fn contains(&self, key: &ArrKey) -> bool {
        self.rows.update(|rows| rows.as_arr().is_some_and(|rows| rows.contains(key.as_key())))
    }
}

fn pair(row: &Val) -> Option<(PhpObj, Val)> {
    let row = row.as_arr()?;
    Some((row.get_int(0)?.as_obj()?.clone(), row.get_int(1)?.deref()))
}

/// Gives a new storage its native data.
pub fn create(_: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Storage {
        rows: Slot::new(PhpArr::new().into()),
        position: Cell::new(0),
        index: Cell::new(0),
        flags: Cell::new(0),
    }));
}

/// The native data of a storage.
pub fn data(object: &PhpObj) -> &Storage {
    object.native().unwrap_or_else(|| unreachable!("every storage is made with its data"))
}

/// The key of an object: its handle, unless a subclass replaces `getHash`.
fn key_of(vm: &Vm, storage: &PhpObj, object: &PhpObj) -> PhpResult<ArrKey> {
    if storage.class().is_internal() {
        return Ok(ArrKey::Int(object.handle().into()));
    }
    let method = storage.class().methods.get(&ByBytes(b"gethash")).cloned();
    match method.filter(|method| !method.is_native()) {
        None => Ok(ArrKey::Int(object.handle().into())),
        Some(method) => {
            let hash = vm.call(&Callee::method(method, storage.clone()), vec![object.into()])?.into_deref();
            match hash.as_str() {
                Some(hash) => Ok(ArrKey::Str(hash.clone())),
                None => {
                    let given = convert::value_name(&hash);
                    let tail = format!("::getHash(): Return value must be of type string, {given} returned");
                    Err(vm.throw_type_error(&[&storage.class_name()[..], tail.as_bytes()].concat()))
                }
            }
        }
    }
}

static QUICK: FastElements = FastElements {
    get: |this, offset| data(this).find(&quick_key(this, offset)?),
    set: |this, offset, value| {
        let (key, object) = (quick_key(this, offset?)?, offset?.as_obj()?);
        let row = PhpArr::list(2, [object.into(), value.deref()].into_iter());
        Some(data(this).update(|rows| rows.insert(key.as_key(), row.into())).unwrap_or(Val::NULL))
    },
    exists: |this, offset| Some(data(this).contains(&quick_key(this, offset)?)),
    refuse: None,
    missing: Some(|vm, this, offset| {
        quick_key(this, offset)?;
        Some(vm.throw_class(b"UnexpectedValueException", b"Object not found", 0))
    }),
};

/// The key of an object in a storage whose class cannot replace `getHash`.
fn quick_key(this: &PhpObj, offset: &Val) -> Option<ArrKey> {
    let object = offset.as_obj().filter(|_| this.class().is_internal())?;
    Some(ArrKey::Int(object.handle().into()))
}

/// The object argument; `offset...` methods are not typed but take objects only.
fn object(call: &Call<'_>) -> PhpResult<PhpObj> {
    call.opt_obj(0).ok_or_else(|| {
        let given = convert::value_name(&call.arg(0));
        call.type_error(0, &format!("must be of type object, {given} given"))
    })
}

fn attach(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, object) = (call.this().clone(), object(call)?);
    let key = key_of(call.vm, &this, &object)?;
    data(&this).put(&key, &object, call.arg(1));
    Ok(Val::NULL)
}

fn detach(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, object) = (call.this().clone(), object(call)?);
    let key = key_of(call.vm, &this, &object)?;
    data(&this).remove(&key);
    data(&this).rewind();
    Ok(Val::NULL)
}

fn contains(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, object) = (call.this().clone(), object(call)?);
    let key = key_of(call.vm, &this, &object)?;
    Ok(data(&this).contains(&key).into())
}

fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, object) = (call.this().clone(), object(call)?);
    let key = key_of(call.vm, &this, &object)?;
    match data(&this).find(&key) {
        Some(info) => Ok(info),
        None => Err(call.vm.throw_class(b"UnexpectedValueException", b"Object not found", 0)),
    }
}

fn other(call: &Call<'_>) -> Vec<(PhpObj, Val)> {
    call.opt_obj(0).map(|other| data(&other).pairs()).unwrap_or_default()
}

fn add_all(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    for (object, info) in other(call) {
        let key = key_of(call.vm, &this, &object)?;
        data(&this).put(&key, &object, info);
    }
    Ok(Val::int(data(&this).len()))
}

fn remove_all(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    for (object, _) in other(call) {
        let key = key_of(call.vm, &this, &object)?;
        data(&this).remove(&key);
    }
    data(&this).rewind();
    Ok(Val::int(data(&this).len()))
}

fn remove_all_except(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let Some(other) = call.opt_obj(0) else { return Ok(Val::NULL) };
    for (object, _) in data(&this).pairs() {
        let key = key_of(call.vm, &other, &object)?;
        if data(&other).find(&key).is_none() {
            let key = key_of(call.vm, &this, &object)?;
            data(&this).remove(&key);
        }
    }
    data(&this).rewind();
    Ok(Val::int(data(&this).len()))
}

fn set_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let storage = data(call.this());
    let rows = storage.rows();
    let Some(key) = storage.at(&rows).and_then(|at| rows.at(at)).map(|(key, _)| key.to_owned()) else {
        return Ok(Val::NULL);
    };
    let object = rows.get(key.as_key()).and_then(pair).map(|(object, _)| object);
    drop(rows);
    if let Some(object) = object {
        storage.put(&key, &object, call.arg(0));
    }
    Ok(Val::NULL)
}

fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    let storage = data(call.this());
    if call.int(0) != 1 {
        return Ok(Val::int(storage.len()));
    }
    let nested = |info: &Val| info.as_arr().map_or(0, count_recursive);
    let total: i64 = storage.pairs().iter().map(|(_, info)| 1 + nested(info)).sum();
    Ok(Val::int(total))
}

fn count_recursive(array: &PhpArr) -> i64 {
    if !array.protect() {
        return 0;
    }
    let nested = |value: &Val| 1 + value.deref().as_arr().map_or(0, count_recursive);
    let total = array.values().map(nested).sum();
    array.unprotect();
    total
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    match data(call.this()).current() {
        Some((object, _)) => Ok(object.into()),
        None => Err(call.vm.throw_class(b"RuntimeException", b"Called current() on invalid iterator", 0)),
    }
}

fn seek(call: &mut Call<'_>) -> PhpResult<Val> {
    let (wanted, storage) = (call.int(0), data(call.this()));
    if wanted < 0 || wanted >= storage.len() {
        let text = format!("Seek position {wanted} is out of range");
        return Err(call.vm.throw_class(b"OutOfBoundsException", text.as_bytes(), 0));
    }
    storage.rewind();
    while storage.index.get() < wanted {
        storage.advance();
    }
    Ok(Val::NULL)
}

fn invalid_text(vm: &Vm, at: usize, len: usize) -> Throw {
    let text = format!("Error at offset {at} of {len} bytes");
    vm.throw_class(b"UnexpectedValueException", text.as_bytes(), 0)
}

/// The old format: `x:i:COUNT;OBJECT,VALUE;...;m:MEMBERS`.
fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let storage = data(call.this());
    let mut values = vec![Val::int(storage.len() as i64)];
    values.extend(storage.pairs().into_iter().flat_map(|(object, info)| [Val::from(object), info]));
    values.push(members::table(call.this()).into());
    let texts = serialize_each(call.vm, |index| values.get(index).cloned())?;
    let (count, members) = (&texts[0], &texts[texts.len() - 1]);
    let pairs =
        texts[1..texts.len() - 1].chunks_exact(2).flat_map(|pair| [&pair[0][..], b",", &pair[1], b";"].concat());
    Ok([b"x:", &count[..], &pairs.collect::<Vec<u8>>(), b"m:", members].concat().into())
}

/// Reads the old format.
fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if text.is_empty() {
        return Ok(Val::NULL);
    }
    let fail = |at: usize| Err(invalid_text(call.vm, at, text.len()));
    if let Err(at) = tagged(&text, 0, b'x') {
        return fail(at);
    }
    let this = call.this().clone();
    let mut reader = Sequence::new(call.vm, &text, "SplObjectStorage::unserialize");
    let Some((count, end)) = reader.next(2)? else { return fail(reader.position()) };
    let Some(count) = count.deref().as_int() else { return fail(end) };
    // The semicolon belongs to what follows.
    let mut at = end - 1;
    if count < 0 {
        return fail(at);
    }
    for _ in 0..count {
        if text.get(at) != Some(&b';') {
            return fail(at);
        }
        if !matches!(text.get(at + 1), Some(b'O' | b'C' | b'r')) {
            return fail(at + 1);
        }
        let Some((object, next)) = reader.next(at + 1)? else { return fail(reader.position()) };
        at = next;
        let mut info = Val::NULL;
        if text.get(at) == Some(&b',') {
            let Some((value, next)) = reader.next(at + 1)? else { return fail(reader.position()) };
            (info, at) = (value.into_deref(), next);
        }
        let Some(object) = object.into_deref().into_obj() else { return fail(at) };
        let key = key_of(call.vm, &this, &object)?;
        data(&this).put(&key, &object, info);
    }
    if text.get(at) != Some(&b';') {
        return fail(at);
    }
    if let Err(at) = tagged(&text, at + 1, b'm') {
        return fail(at);
    }
    let Some(members) = reader.next(at + 3)?.and_then(|(members, _)| members.into_deref().into_arr()) else {
        return fail(reader.position());
    };
    members::load(&this, &members);
    reader.finish()?;
    Ok(Val::NULL)
}

fn serialize_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let pairs = data(call.this()).pairs().into_iter();
    let flat: PhpArr = pairs.flat_map(|(object, info)| [Val::from(object), info]).collect();
    Ok(PhpArr::from_vec(vec![flat.into(), members::table(call.this()).into()]).into())
}

fn unserialize_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, parts) = (call.this().clone(), call.arr(0));
    let part = |index: i64| parts.get_int(index).and_then(|part| part.deref().into_arr());
    let (Some(flat), Some(members)) = (part(0), part(1)) else { return Err(ill_typed(call.vm)) };
    let values: Vec<Val> = flat.values().map(Val::deref).collect();
    if !values.len().is_multiple_of(2) {
        return Err(call.vm.throw_class(b"UnexpectedValueException", b"Odd number of elements", 0));
    }
    for row in values.chunks_exact(2) {
        let Some(object) = row[0].as_obj() else {
            return Err(call.vm.throw_class(b"UnexpectedValueException", b"Non-object key", 0));
        };
        let key = key_of(call.vm, &this, object)?;
        data(&this).put(&key, object, row[1].clone());
    }
    members::load(&this, &members);
    Ok(Val::NULL)
}

/// Shows the pairs as a private property.
pub fn debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let row = |(object, info): (PhpObj, Val)| {
        let mut row = PhpArr::new();
        row.set_bytes(b"obj", object.into());
        row.set_bytes(b"inf", info);
        Val::from(row)
    };
    let rows: PhpArr = data(call.this()).pairs().into_iter().map(row).collect();
    Ok(members::with_private(call.this(), &[("SplObjectStorage", "storage", rows.into())]).into())
}

/// Equal: the same objects with equal values.
fn compare_storages(vm: &Vm, a: &PhpObj, b: &PhpObj) -> PhpResult<Option<Ordering>> {
    let plain = |object: &PhpObj| &object.class_name()[..] == b"SplObjectStorage";
    if !plain(a) || !plain(b) {
        return Ok(None);
    }
    let (x, y) = (data(a).rows(), data(b).rows());
    if x.len() != y.len() {
        return Ok(Some(x.len().cmp(&y.len())));
    }
    for (key, row) in x.iter() {
        let (Some((_, left)), Some((_, right))) = (pair(row), y.get(key).and_then(pair)) else { return Ok(None) };
        match compare::compare(vm, &left, &right)? {
            0 => {}
            order => return Ok(Some(order.cmp(&0))),
        }
    }
    let (x, y) = (members::table(a), members::table(b));
    Ok(Some(compare::compare(vm, &x.into(), &y.into())?.cmp(&0)))
}

/// A row's key, for callers that attach natively.
pub fn handle_key(object: &PhpObj) -> ArrKey {
    Key::Int(object.handle().into()).to_owned()
}
