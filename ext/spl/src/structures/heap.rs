//! SplHeap, SplMinHeap, SplMaxHeap and SplPriorityQueue: binary heaps in a vector.

use super::{failure, kept};
use crate::members::{self, Methods};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    ByBytes, Call, ClassExt, ClassRef, Edges, Func, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, Throw,
    Val, View, Vm, compare, convert,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const EXTRACT_DATA: i64 = 1;
const EXTRACT_PRIORITY: i64 = 2;
const EXTRACT_BOTH: i64 = 3;

const HEAP_METHODS: Methods = &[
    ("extract", extract),
    ("insert", |call| insert(call, Val::NULL)),
    ("top", top),
    ("count", |call| Ok(Val::int(heap(call.this()).len() as i64))),
    ("isEmpty", |call| Ok((heap(call.this()).len() == 0).into())),
    ("rewind", |_| Ok(Val::NULL)),
    ("current", |call| Ok(heap(call.this()).peek().unwrap_or(Val::NULL))),
    ("key", |call| Ok(Val::int(heap(call.this()).len() as i64 - 1))),
    ("next", next),
    ("valid", |call| Ok((heap(call.this()).len() != 0).into())),
    ("recoverFromCorruption", recover),
    ("isCorrupted", |call| Ok(heap(call.this()).corrupted.get().into())),
    ("__debugInfo", |call| debug_info(call, "SplHeap")),
];

const QUEUE_METHODS: Methods = &[
    ("compare", |call| Ok(Val::int(compare::compare(call.vm, &call.arg(0), &call.arg(1))?))),
    ("insert", |call| {
        let priority = kept(call, 1);
        insert(call, priority)
    }),
    ("setExtractFlags", set_extract_flags),
    ("getExtractFlags", |call| Ok(Val::int(heap(call.this()).flags.get()))),
    ("top", top),
    ("extract", extract),
    ("count", |call| Ok(Val::int(heap(call.this()).len() as i64))),
    ("isEmpty", |call| Ok((heap(call.this()).len() == 0).into())),
    ("rewind", |_| Ok(Val::NULL)),
    ("current", |call| Ok(heap(call.this()).peek().unwrap_or(Val::NULL))),
    ("key", |call| Ok(Val::int(heap(call.this()).len() as i64 - 1))),
    ("next", next),
    ("valid", |call| Ok((heap(call.this()).len() != 0).into())),
    ("recoverFromCorruption", recover),
    ("isCorrupted", |call| Ok(heap(call.this()).corrupted.get().into())),
    ("__debugInfo", |call| debug_info(call, "SplPriorityQueue")),
];

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "SplHeap",
        decl: include_str!("../../stubs/SplHeap.stub.php"),
        methods: HEAP_METHODS,
        hooks: NativeHooks {
            create: Some(|_, object| create(object, Kind::Heap)),
            count: Some(|_, object| Ok(heap(object).len() as i64)),
            steps_silently: true,
            ..NativeHooks::NONE
        },
    },
    NativeClass {
        name: "SplMinHeap",
        decl: include_str!("../../stubs/SplMinHeap.stub.php"),
        methods: &[("compare", |call| Ok(Val::int(compare::compare(call.vm, &call.arg(1), &call.arg(0))?)))],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "SplMaxHeap",
        decl: include_str!("../../stubs/SplMaxHeap.stub.php"),
        methods: &[("compare", |call| Ok(Val::int(compare::compare(call.vm, &call.arg(0), &call.arg(1))?)))],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "SplPriorityQueue",
        decl: include_str!("../../stubs/SplPriorityQueue.stub.php"),
        methods: QUEUE_METHODS,
        hooks: NativeHooks {
            create: Some(|_, object| create(object, Kind::Queue)),
            count: Some(|_, object| Ok(heap(object).len() as i64)),
            steps_silently: true,
            ..NativeHooks::NONE
        },
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Heap,
    Queue,
}

/// A value and, in a queue, its priority.
type Element = (Val, Val);

struct Heap {
    kind: Kind,
    elements: RefCell<Vec<Element>>,
    /// The extraction flags of a queue.
    flags: Cell<i64>,
    corrupted: Cell<bool>,
    /// A comparison is running, during which nothing may change.
    locked: Cell<bool>,
}

impl NativeData for Heap {
    fn trace(&self, edges: &mut Edges) {
        for (value, priority) in self.elements.borrow().iter() {
            edges.value(value);
            edges.value(priority);
        }
    }

    fn clear(&self) {
        drop(self.elements.take());
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(Heap {
            kind: self.kind,
            elements: RefCell::new(self.elements.borrow().clone()),
            flags: self.flags.clone(),
            corrupted: self.corrupted.clone(),
            locked: Cell::new(false),
        }))
    }
}

fn create(object: &PhpObj, kind: Kind) {
    object.set_native(Rc::new(Heap {
        kind,
        elements: RefCell::default(),
        flags: Cell::new(if kind == Kind::Queue { EXTRACT_DATA } else { 0 }),
        corrupted: Cell::new(false),
        locked: Cell::new(false),
    }));
}

fn heap(object: &PhpObj) -> &Heap {
    object.native().unwrap_or_else(|| unreachable!("every heap is made with its data"))
}

impl Heap {
    fn len(&self) -> usize {
        self.elements.borrow().len()
    }

    fn at(&self, index: usize) -> Element {
        self.elements.borrow().get(index).cloned().unwrap_or((Val::NULL, Val::NULL))
    }

    fn put(&self, index: usize, element: Element) {
        let old = self.elements.borrow_mut().get_mut(index).map(|place| std::mem::replace(place, element));
        drop(old);
    }

    /// The top as scripts see it.
    fn peek(&self) -> Option<Val> {
        let top = self.elements.borrow().first().cloned();
        top.map(|top| self.shown(top))
    }

    /// An element as the extraction flags say.
    fn shown(&self, element: Element) -> Val {
        if self.kind == Kind::Heap {
            return element.0;
        }
        match self.flags.get() {
            EXTRACT_BOTH => both(element),
            EXTRACT_PRIORITY => element.1,
            _ => element.0,
        }
    }

    /// What an element is ordered by.
    fn key<'a>(&self, elements: &'a [Element], at: At<'a>) -> Option<&'a Val> {
        let element = match at {
            At::Index(index) => elements.get(index)?,
            At::Element(element) => element,
        };
        Some(if self.kind == Kind::Queue { &element.1 } else { &element.0 })
    }

    /// How two elements compare. PHP code may change the heap, so what it compares is copied.
    fn order(&self, by: &mut By<'_>, a: At<'_>, b: At<'_>) -> i64 {
        let elements = self.elements.borrow();
        let (Some(a), Some(b)) = (self.key(&elements, a), self.key(&elements, b)) else { return 0 };
        if by.thrown.is_none()
            && let Some(order) = by.compare_silently(a, b)
        {
            return order;
        }
        let (a, b) = (a.clone(), b.clone());
        drop(elements);
        by.compare(&a, &b)
    }

    /// Ends a change. An exception marks the heap as corrupted and is passed on.
    fn finish(&self, thrown: Option<Throw>) -> PhpResult<()> {
        self.locked.set(false);
        match thrown {
            Some(throw) => {
                self.corrupted.set(true);
                Err(throw)
            }
            None => Ok(()),
        }
    }

    fn insert(&self, vm: &Vm, this: &PhpObj, element: Element) -> PhpResult<()> {
        self.locked.set(true);
        let mut by = By::method_of(vm, this);
        let mut at = self.len();
        self.elements.borrow_mut().push((Val::NULL, Val::NULL));
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.order(&mut by, At::Index(parent), At::Element(&element)) >= 0 {
                break;
            }
            self.elements.borrow_mut().swap(at, parent);
            at = parent;
        }
        self.put(at, element);
        self.finish(by.thrown)
    }

    fn delete_top(&self, vm: &Vm, this: &PhpObj) -> PhpResult<Option<Element>> {
        let count = self.len();
        if count == 0 {
            return Ok(None);
        }
        self.locked.set(true);
        let mut by = By::method_of(vm, this);
        let top = self.at(0);
        let (last, limit) = (count - 1, (count - 1) / 2);
        let mut at = 0;
        while at < limit {
            let mut child = at * 2 + 1;
            if child != last && self.order(&mut by, At::Index(child + 1), At::Index(child)) > 0 {
                child += 1;
            }
            if self.order(&mut by, At::Index(last), At::Index(child)) >= 0 {
                break;
            }
            self.elements.borrow_mut().swap(at, child);
            at = child;
        }
        let bottom = self.elements.borrow_mut().pop();
        if let Some(bottom) = bottom.filter(|_| at != last) {
            self.put(at, bottom);
        }
        self.finish(by.thrown)?;
        Ok(Some(top))
    }
}

/// An element that is compared: one of the heap's, or another.
#[derive(Clone, Copy)]
enum At<'a> {
    Index(usize),
    Element(&'a Element),
}

/// Whether a comparison with the value can neither raise anything nor run PHP code: no trace shows whether the method was called.
fn is_silent(value: &Val) -> bool {
    /// Elements of an array that are looked at.
    const MOST: usize = 16;
    let is_scalar = |value: &Val| matches!(value.view(), View::Int(_) | View::Double(_) | View::Str(_));
    match value.view() {
        View::Arr(elements) => elements.len() <= MOST && elements.iter().all(|(_, value)| is_scalar(value)),
        _ => is_scalar(value),
    }
}

/// The order of a heap while it changes: the object's `compare` method.
struct By<'a> {
    vm: &'a Vm,
    this: &'a PhpObj,
    method: Option<Rc<Func>>,
    /// Set if the method is builtin: whether it has the least element on top.
    builtin: Option<bool>,
    /// The exception of a comparison, after which all elements compare as equal.
    thrown: Option<Throw>,
}

impl<'a> By<'a> {
    fn method_of(vm: &'a Vm, this: &'a PhpObj) -> By<'a> {
        let method = this.class().methods.get(&ByBytes(b"compare")).cloned();
        let is_least = |class: &ClassRef| class.class().name.as_bytes() == b"SplMinHeap";
        let builtin = method.as_ref().filter(|method| method.is_native());
        let builtin = builtin.map(|method| method.scope.get().is_some_and(is_least));
        By { vm, this, method, builtin, thrown: None }
    }

    /// Compares two values by a builtin method, without calling it, if nobody can see that.
    fn compare_silently(&self, a: &Val, b: &Val) -> Option<i64> {
        let (a, b) = if self.builtin? { (b, a) } else { (a, b) };
        if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
            return Some(a.cmp(&b) as i64);
        }
        if is_silent(a) && is_silent(b) { compare::compare(self.vm, a, b).ok() } else { None }
    }

    fn compare(&mut self, a: &Val, b: &Val) -> i64 {
        if self.thrown.is_some() {
            return 0;
        }
        let result = match &self.method {
            Some(method) => self.vm.call_on(method, self.this, &mut [a.clone(), b.clone()]),
            None => compare::compare(self.vm, a, b).map(Val::int),
        };
        let order = result.and_then(|order| convert::to_int(self.vm, &order));
        order.unwrap_or_else(|throw| {
            self.thrown = Some(throw);
            0
        })
    }
}

fn both((value, priority): Element) -> Val {
    let mut row = PhpArr::new();
    row.set_bytes(b"data", value);
    row.set_bytes(b"priority", priority);
    row.into()
}

/// Refuses a corrupted heap, and a change during another change.
fn check(call: &Call<'_>, changes: bool) -> PhpResult<()> {
    let heap = heap(call.this());
    if heap.corrupted.get() {
        return failure(call, b"Heap is corrupted, heap properties are no longer ensured.");
    }
    if changes && heap.locked.get() {
        return failure(call, b"Heap cannot be changed when it is already being modified.");
    }
    Ok(())
}

fn insert(call: &mut Call<'_>, priority: Val) -> PhpResult<Val> {
    check(call, true)?;
    let this = call.this().clone();
    heap(&this).insert(call.vm, &this, (kept(call, 0), priority))?;
    Ok(Val::TRUE)
}

fn extract(call: &mut Call<'_>) -> PhpResult<Val> {
    check(call, true)?;
    let this = call.this().clone();
    match heap(&this).delete_top(call.vm, &this)? {
        Some(element) => Ok(heap(&this).shown(element)),
        None => failure(call, b"Can't extract from an empty heap"),
    }
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    check(call, true)?;
    let this = call.this().clone();
    heap(&this).delete_top(call.vm, &this)?;
    Ok(Val::NULL)
}

fn top(call: &mut Call<'_>) -> PhpResult<Val> {
    check(call, false)?;
    match heap(call.this()).peek() {
        Some(value) => Ok(value),
        None => failure(call, b"Can't peek at an empty heap"),
    }
}

fn recover(call: &mut Call<'_>) -> PhpResult<Val> {
    heap(call.this()).corrupted.set(false);
    Ok(Val::TRUE)
}

fn set_extract_flags(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(0) & EXTRACT_BOTH;
    if flags == 0 {
        return failure(call, b"Must specify at least one extract flag");
    }
    heap(call.this()).flags.set(flags);
    Ok(Val::int(flags))
}

fn debug_info(call: &Call<'_>, class: &str) -> PhpResult<Val> {
    let heap = heap(call.this());
    let element = |element: &Element| match heap.kind {
        Kind::Queue => both(element.clone()),
        Kind::Heap => element.0.clone(),
    };
    let elements: PhpArr = heap.elements.borrow().iter().map(element).collect();
    let rows = [
        (class, "flags", Val::int(heap.flags.get())),
        (class, "isCorrupted", heap.corrupted.get().into()),
        (class, "heap", elements.into()),
    ];
    Ok(members::with_private(call.this(), &rows).into())
}
