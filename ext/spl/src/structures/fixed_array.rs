//! SplFixedArray.

use crate::members;
use phlox_ext_core::iterator::{self, Source};
use phlox_runtime::class::{ElementQuestions, FastElements, NativeHooks, Purpose};
use phlox_runtime::{
    ArrKey, Call, Edges, Key, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, Slot, Throw, Val, View, Vm,
    convert,
};
use std::cell::Cell;
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SplFixedArray",
    decl: include_str!("../../stubs/SplFixedArray.stub.php"),
    methods: &[
        ("__construct", construct),
        ("__wakeup", wakeup),
        ("__serialize", serialize),
        ("__unserialize", unserialize),
        ("count", |call| Ok(Val::int(fixed(call.this()).len()))),
        ("toArray", |call| Ok(fixed(call.this()).list().into())),
        ("fromArray", from_array),
        ("getSize", |call| Ok(Val::int(fixed(call.this()).len()))),
        ("setSize", set_size),
        ("offsetExists", offset_exists),
        ("offsetGet", offset_get),
        ("offsetSet", offset_set),
        ("offsetUnset", offset_unset),
        ("getIterator", get_iterator),
        ("jsonSerialize", |call| Ok(fixed(call.this()).list().into())),
    ],
    hooks: NativeHooks {
        create: Some(create),
        debug_info: Some(|_, object| Ok(elements_and_members(object))),
        count: Some(|_, object| Ok(fixed(object).len())),
        properties: Some(properties),
        fast_elements: Some(&QUICK),
        element_questions: Some(&QUESTIONS),
        ..NativeHooks::NONE
    },
}];

struct Fixed {
    /// The elements: a list.
    elements: Slot,
    /// The size that was requested last, while destructors of dropped elements run.
    wanted: Cell<Option<usize>>,
}

impl NativeData for Fixed {
    fn trace(&self, edges: &mut Edges) {
        self.elements.trace(edges);
    }

    fn clear(&self) {
        self.elements.set(PhpArr::new().into());
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(Fixed::new(self.elements.get())))
    }
}

impl Drop for Fixed {
    /// Drops the elements from the last to the first.
    fn drop(&mut self) {
        let Some(mut list) = self.elements.take().into_arr() else { return };
        let may_run_code = |value: &Val| matches!(value.view(), View::Obj(_) | View::Arr(_) | View::Ref(_));
        if list.refcount() == 1 && list.as_list().is_some_and(|elements| elements.iter().any(may_run_code)) {
            while let Some(value) = list.take_last() {
                drop(value);
            }
        }
    }
}

fn create(_: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Fixed::new(PhpArr::new().into())));
}

fn fixed(object: &PhpObj) -> &Fixed {
    object.native().unwrap_or_else(|| unreachable!("every fixed array is made with its data"))
}

impl Fixed {
    fn new(elements: Val) -> Fixed {
        Fixed { elements: Slot::new(elements), wanted: Cell::new(None) }
    }

    fn list(&self) -> PhpArr {
        self.elements.get().into_arr().unwrap_or_default()
    }

    fn len(&self) -> i64 {
        self.list().len() as i64
    }

    fn set_list(&self, list: PhpArr) {
        self.elements.set(list.into());
    }

    fn update<R>(&self, change: impl FnOnce(&mut PhpArr) -> R) -> R {
        let mut list = self.elements.take().into_arr().unwrap_or_default();
        let result = change(&mut list);
        self.elements.set(list.into());
        result
    }

    /// Sets the size. Destructors of dropped elements may set another size: the last one is applied after all of them
    /// have run.
    fn resize(&self, mut size: usize) {
        while size != self.len() as usize {
            if self.wanted.get().is_some() {
                return self.wanted.set(Some(size));
            }
            self.wanted.set(Some(size));
            for dropped in self.change_size(size) {
                drop(dropped);
            }
            match self.wanted.take() {
                Some(other) if other != size => size = other,
                _ => return,
            }
        }
    }

    /// Gives the elements that are cut off, in the order in which they are dropped: an array that becomes empty loses
    /// its last element first.
    fn change_size(&self, size: usize) -> Vec<Val> {
        let len = self.len() as usize;
        if len == 0 {
            self.set_list(PhpArr::list(size, std::iter::repeat_n(Val::NULL, size)));
            return Vec::new();
        }
        self.update(|list| {
            for _ in len..size {
                let _ = list.push(Val::NULL);
            }
            let mut dropped: Vec<Val> = (size..len).map_while(|_| list.take_last()).collect();
            if size > 0 {
                dropped.reverse();
            }
            dropped
        })
    }
}

fn size_argument(call: &Call<'_>) -> PhpResult<usize> {
    usize::try_from(call.int(0)).map_err(|_| call.value_error(0, "must be greater than or equal to 0"))
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let size = size_argument(call)?;
    if fixed(call.this()).len() == 0 {
        fixed(call.this()).resize(size);
    }
    Ok(Val::NULL)
}

fn set_size(call: &mut Call<'_>) -> PhpResult<Val> {
    let size = size_argument(call)?;
    fixed(call.this()).resize(size);
    Ok(Val::TRUE)
}

/// Old serialised data had the elements as properties.
fn wakeup(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    if fixed(this).len() == 0 {
        let table = members::table(this);
        fixed(this).set_list(table.values().map(Val::deref).collect());
        this.set_dynamic(None);
    }
    Ok(Val::NULL)
}

fn elements_and_members(object: &PhpObj) -> PhpArr {
    let mut shown = fixed(object).list();
    for (key, value) in members::table(object).iter() {
        shown.insert(key, value.clone());
    }
    shown
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(elements_and_members(call.this()).into())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, table) = (call.this(), call.arr(0));
    if fixed(this).len() > 0 {
        return Ok(Val::NULL);
    }
    let elements = table.iter().filter(|(key, _)| matches!(key, Key::Int(_)));
    fixed(this).set_list(elements.map(|(_, value)| value.deref()).collect());
    let mut named = PhpArr::new();
    for (key, value) in table.iter().filter(|(key, _)| matches!(key, Key::Str(_))) {
        named.insert(key, value.clone());
    }
    members::load(this, &named);
    Ok(Val::NULL)
}

fn from_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let (source, vm) = (call.arr(0), call.vm);
    let invalid = |text: &[u8]| Err(vm.throw_class(b"InvalidArgumentException", text, 0));
    let mut list = PhpArr::new();
    if call.bool(1) {
        let mut size = 0i64;
        for key in source.keys() {
            match key {
                Key::Int(index) if index >= 0 => size = size.max(index.wrapping_add(1)),
                _ => return invalid(b"array must contain only positive integer keys"),
            }
            if size <= 0 {
                return invalid(b"integer overflow detected");
            }
        }
        for index in 0..size {
            let _ = list.push(source.get_int(index).map_or(Val::NULL, Val::deref));
        }
    } else {
        list = source.values().map(Val::deref).collect();
    }
    let class = vm.require_class(b"SplFixedArray")?;
    let object = vm.instantiate(&class)?;
    fixed(&object).set_list(list);
    Ok(object.into())
}

static QUICK: FastElements = FastElements {
    get: |object, offset| fixed(object).elements.get().as_arr()?.get_int(offset.as_int()?).map(Val::deref),
    set: |object, offset, value| {
        let (index, fixed) = (offset?.as_int()?, fixed(object));
        fixed.elements.get().as_arr()?.get_int(index)?;
        fixed.update(|list| list.insert(Key::Int(index), value.deref()))
    },
    exists: |object, offset| {
        Some(
            fixed(object)
                .elements
                .get()
                .as_arr()?
                .get_int(offset.as_int()?)
                .is_some_and(|value| !value.deref().is_null()),
        )
    },
    refuse: Some(no_append),
    missing: None,
};

/// An offset as an index; throws for types that cannot be one.
fn index_of(vm: &Vm, offset: &Val) -> PhpResult<i64> {
    let offset = offset.deref();
    match offset.view() {
        View::Int(index) => return Ok(index),
        View::Bool(bool) => return Ok(bool.into()),
        View::Double(double) => return convert::double_to_int_checked(vm, double),
        View::Str(text) => {
            if let ArrKey::Int(index) = ArrKey::from_str(text.clone()) {
                return Ok(index);
            }
        }
        View::Res(_) => {
            if let ArrKey::Int(index) = convert::to_key(vm, &offset, convert::OffsetUse::Read)? {
                return Ok(index);
            }
        }
        _ => {}
    }
    let given = convert::value_name(&offset);
    Err(vm.throw_type_error(format!("Cannot access offset of type {given} on SplFixedArray").as_bytes()))
}

fn no_append(vm: &Vm) -> Throw {
    vm.throw_error(b"[] operator not supported for SplFixedArray")
}

/// The index of an offset, which must be inside the array.
fn place(vm: &Vm, object: &PhpObj, offset: &Val) -> PhpResult<i64> {
    let index = index_of(vm, offset)?;
    if (0..fixed(object).len()).contains(&index) {
        return Ok(index);
    }
    Err(vm.throw_class(b"OutOfBoundsException", b"Index invalid or out of range", 0))
}

fn offset_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = index_of(call.vm, &call.arg(0))?;
    Ok(fixed(call.this()).list().get_int(index).is_some_and(|value| !value.deref().is_null()).into())
}

/// `empty` does not call a subclass's `offsetGet` and relies on its `offsetExists`.
static QUESTIONS: ElementQuestions = ElementQuestions {
    exists: |vm, this, offset, empty| {
        if let Some(exists) = &this.class().magic.offset_exists {
            return Ok(convert::to_bool(&vm.call_on(exists, this, &mut [offset.clone()])?));
        }
        if let Some(exists) = (QUICK.exists)(this, offset).filter(|_| !empty) {
            return Ok(exists);
        }
        let index = index_of(vm, offset)?;
        let judge = |value: &Val| if empty { convert::to_bool(value) } else { !value.is_null() };
        Ok(fixed(this).list().get_int(index).is_some_and(|value| judge(&value.deref())))
    },
    read_quietly: |vm, this, offset| {
        if !(QUESTIONS.exists)(vm, this, offset, false)? {
            return Ok(Val::NULL);
        }
        match &this.class().magic.offset_get {
            Some(get) => vm.call_on(get, this, &mut [offset.clone()]),
            None => Ok(fixed(this).list().get_int(place(vm, this, offset)?).map_or(Val::NULL, Val::deref)),
        }
    },
};

fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = place(call.vm, call.this(), &call.arg(0))?;
    Ok(fixed(call.this()).list().get_int(index).map_or(Val::NULL, Val::deref))
}

fn offset_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = place(call.vm, call.this(), &call.arg(0))?;
    let value = call.arg(1);
    let old = fixed(call.this()).update(|list| list.insert(Key::Int(index), value));
    drop(old);
    Ok(Val::NULL)
}

fn offset_unset(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = place(call.vm, call.this(), &call.arg(0))?;
    let old = fixed(call.this()).update(|list| list.insert(Key::Int(index), Val::NULL));
    drop(old);
    Ok(Val::NULL)
}

fn properties(_: &Vm, object: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    Ok((!matches!(purpose, Purpose::Serialize | Purpose::ObjectVars)).then(|| elements_and_members(object)))
}

fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    iterator::create(call, Box::new(Walk { array: call.this().into(), at: Cell::new(0) }))
}

/// An iteration over the present elements.
struct Walk {
    array: Val,
    at: Cell<i64>,
}

impl Walk {
    fn list(&self) -> PhpArr {
        self.array.as_obj().map(|array| fixed(array).list()).unwrap_or_default()
    }
}

impl Source for Walk {
    fn rewind(&self) {
        self.at.set(0);
    }

    fn valid(&self) -> bool {
        (0..self.list().len() as i64).contains(&self.at.get())
    }

    fn current(&self) -> Val {
        self.list().get_int(self.at.get()).map_or(Val::NULL, Val::deref)
    }

    fn key(&self) -> Val {
        Val::int(self.at.get())
    }

    fn advance(&self) {
        self.at.set(self.at.get() + 1);
    }

    fn trace(&self, edges: &mut Edges) {
        edges.value(&self.array);
    }
}
