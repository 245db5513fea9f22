//! SplDoublyLinkedList, SplQueue and SplStack.

use super::linked_list_serial as serial;
use super::{failure, index_argument, kept, out_of_range};
use crate::members::{self, Methods};
use phlox_runtime::class::{FastElements, NativeHooks};
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Val, Vm};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

const DELETE: i64 = 1;
const LIFO: i64 = 2;
/// The direction cannot be changed: SplQueue and SplStack.
const FIXED: i64 = 4;

const METHODS: Methods = &[
    ("add", add),
    ("pop", pop),
    ("shift", shift),
    ("push", push),
    ("unshift", unshift),
    ("top", |call| peek(call, true)),
    ("bottom", |call| peek(call, false)),
    ("__debugInfo", debug_info),
    ("count", |call| Ok(Val::int(list(call.this()).len()))),
    ("isEmpty", |call| Ok((list(call.this()).len() == 0).into())),
    ("setIteratorMode", set_iterator_mode),
    ("getIteratorMode", |call| Ok(Val::int(list(call.this()).flags.get()))),
    ("offsetExists", offset_exists),
    ("offsetGet", offset_get),
    ("offsetSet", offset_set),
    ("offsetUnset", offset_unset),
    ("rewind", rewind),
    ("current", |call| Ok(list(call.this()).current())),
    ("key", |call| Ok(Val::int(list(call.this()).position.get()))),
    ("prev", |call| list(call.this()).go(false)),
    ("next", |call| list(call.this()).go(true)),
    ("valid", |call| Ok((list(call.this()).cursor.get() != Cursor::Nowhere).into())),
    ("unserialize", serial::unserialize),
    ("serialize", serial::serialize),
    ("__serialize", serial::serialize_array),
    ("__unserialize", serial::unserialize_array),
];

const fn hooks(create: fn(&Vm, &PhpObj)) -> NativeHooks {
    NativeHooks {
        create: Some(create),
        count: Some(|_, object| Ok(list(object).len())),
        steps_silently: true,
        fast_elements: Some(&QUICK),
        ..NativeHooks::NONE
    }
}

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "SplDoublyLinkedList",
        decl: include_str!("../../stubs/SplDoublyLinkedList.stub.php"),
        methods: METHODS,
        hooks: hooks(|_, object| create(object, 0)),
    },
    NativeClass {
        name: "SplQueue",
        decl: include_str!("../../stubs/SplQueue.stub.php"),
        methods: &[("enqueue", push), ("dequeue", shift)],
        hooks: hooks(|_, object| create(object, FIXED)),
    },
    NativeClass {
        name: "SplStack",
        decl: "class SplStack extends SplDoublyLinkedList {}",
        methods: &[],
        hooks: hooks(|_, object| create(object, FIXED | LIFO)),
    },
];

/// The position of the iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cursor {
    Nowhere,
    At(usize),
    /// The iteration stands at an element that was removed.
    Removed,
}

/// The native part.
pub struct List {
    pub elements: RefCell<VecDeque<Val>>,
    pub flags: Cell<i64>,
    cursor: Cell<Cursor>,
    position: Cell<i64>,
}

impl NativeData for List {
    fn trace(&self, edges: &mut Edges) {
        self.elements.borrow().iter().for_each(|value| edges.value(value));
    }

    fn clear(&self) {
        drop(self.elements.take());
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(List::new(self.elements.borrow().clone(), self.flags.get())))
    }
}

fn create(object: &PhpObj, flags: i64) {
    object.set_native(Rc::new(List::new(VecDeque::new(), flags)));
}

/// The native data of a list.
pub fn list(object: &PhpObj) -> &List {
    object.native().unwrap_or_else(|| unreachable!("every list is made with its data"))
}

impl List {
    fn new(elements: VecDeque<Val>, flags: i64) -> List {
        List {
            elements: RefCell::new(elements),
            flags: Cell::new(flags),
            cursor: Cell::new(Cursor::Nowhere),
            position: Cell::new(0),
        }
    }

    fn len(&self) -> i64 {
        self.elements.borrow().len() as i64
    }

    fn is_lifo(&self) -> bool {
        self.flags.get() & LIFO != 0
    }

    /// The index of an offset, which counts from the end in LIFO order.
    fn place(&self, offset: i64) -> Option<usize> {
        let len = self.len();
        if !(0..len).contains(&offset) {
            return None;
        }
        Some(if self.is_lifo() { len - 1 - offset } else { offset } as usize)
    }

    fn insert(&self, place: usize, value: Val) {
        self.elements.borrow_mut().insert(place, value);
        if let Cursor::At(at) = self.cursor.get() {
            self.cursor.set(Cursor::At(if place <= at { at + 1 } else { at }));
        }
    }

    /// Removes an element; `gone` is the cursor's new state if it stood there.
    fn remove(&self, place: usize, gone: Cursor) -> Option<Val> {
        let removed = self.elements.borrow_mut().remove(place)?;
        if let Cursor::At(at) = self.cursor.get() {
            self.cursor.set(match at.cmp(&place) {
                std::cmp::Ordering::Less => Cursor::At(at),
                std::cmp::Ordering::Equal => gone,
                std::cmp::Ordering::Greater => Cursor::At(at - 1),
            });
        }
        Some(removed)
    }

    fn pop(&self) -> Option<Val> {
        let last = self.elements.borrow().len().checked_sub(1)?;
        self.remove(last, Cursor::Removed)
    }

    fn shift(&self) -> Option<Val> {
        self.remove(0, Cursor::Removed)
    }

    fn current(&self) -> Val {
        match self.cursor.get() {
            Cursor::At(at) => self.elements.borrow().get(at).map_or(Val::NULL, Val::deref),
            _ => Val::NULL,
        }
    }

    fn start(&self) {
        let len = self.len();
        let first = if self.is_lifo() { len - 1 } else { 0 };
        self.position.set(first);
        self.cursor.set(if len == 0 { Cursor::Nowhere } else { Cursor::At(first as usize) });
    }

    /// One step in the list's direction or against it.
    fn go(&self, forward: bool) -> PhpResult<Val> {
        let old = self.cursor.get();
        if old == Cursor::Nowhere {
            return Ok(Val::NULL);
        }
        let (down, deletes) = (self.is_lifo() == forward, self.flags.get() & DELETE != 0);
        let next = match old {
            Cursor::At(at) if down => at.checked_sub(1),
            Cursor::At(at) => Some(at + 1).filter(|&at| (at as i64) < self.len()),
            _ => None,
        };
        self.cursor.set(next.map_or(Cursor::Nowhere, Cursor::At));
        if down {
            self.position.set(self.position.get() - 1);
        } else if !deletes {
            self.position.set(self.position.get() + 1);
        }
        if deletes {
            let removed = if down { self.pop() } else { self.shift() };
            drop(removed);
        }
        Ok(Val::NULL)
    }
}

fn add(call: &mut Call<'_>) -> PhpResult<Val> {
    let (list, index) = (list(call.this()), call.int(0));
    if index < 0 || index > list.len() {
        return Err(out_of_range(call, "is out of range"));
    }
    match list.place(index) {
        Some(place) => list.insert(place, kept(call, 1)),
        None => list.elements.borrow_mut().push_back(kept(call, 1)),
    }
    Ok(Val::NULL)
}

fn push(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = kept(call, 0);
    list(call.this()).elements.borrow_mut().push_back(value);
    Ok(Val::NULL)
}

fn unshift(call: &mut Call<'_>) -> PhpResult<Val> {
    list(call.this()).insert(0, kept(call, 0));
    Ok(Val::NULL)
}

fn pop(call: &mut Call<'_>) -> PhpResult<Val> {
    match list(call.this()).pop() {
        Some(value) => Ok(value),
        None => failure(call, b"Can't pop from an empty datastructure"),
    }
}

fn shift(call: &mut Call<'_>) -> PhpResult<Val> {
    match list(call.this()).shift() {
        Some(value) => Ok(value),
        None => failure(call, b"Can't shift from an empty datastructure"),
    }
}

fn peek(call: &Call<'_>, last: bool) -> PhpResult<Val> {
    let value = {
        let elements = list(call.this()).elements.borrow();
        if last { elements.back().cloned() } else { elements.front().cloned() }
    };
    match value {
        Some(value) => Ok(value.into_deref()),
        None => failure(call, b"Can't peek at an empty datastructure"),
    }
}

fn set_iterator_mode(call: &mut Call<'_>) -> PhpResult<Val> {
    let (list, mode) = (list(call.this()), call.int(0));
    let old = list.flags.get();
    if old & FIXED != 0 && (old ^ mode) & LIFO != 0 {
        return failure(call, b"Iterators' LIFO/FIFO modes for SplStack/SplQueue objects are frozen");
    }
    list.flags.set(mode & (LIFO | DELETE) | old & FIXED);
    Ok(Val::int(list.flags.get()))
}

static QUICK: FastElements = FastElements {
    get: |this, offset| {
        let list = list(this);
        let place = list.place(offset.as_int()?)?;
        list.elements.borrow().get(place).map(Val::deref)
    },
    set: |this, offset, value| {
        let list = list(this);
        match offset.filter(|offset| !offset.is_null()) {
            None => list.elements.borrow_mut().push_back(value.deref()),
            Some(offset) => {
                let place = list.place(offset.as_int()?)?;
                return list.elements.borrow_mut().get_mut(place).map(|element| element.replace(value.deref()));
            }
        }
        Some(Val::NULL)
    },
    exists: |this, offset| Some(list(this).place(offset.as_int()?).is_some()),
    refuse: None,
    missing: None,
};

fn offset_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = index_argument(call, 0)?;
    Ok(list(call.this()).place(index).is_some().into())
}

fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = index_argument(call, 0)?;
    let list = list(call.this());
    match list.place(index) {
        Some(place) => Ok(list.elements.borrow().get(place).map_or(Val::NULL, Val::deref)),
        None => Err(out_of_range(call, "is out of range")),
    }
}

fn offset_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = kept(call, 1);
    if call.is_null(0) {
        list(call.this()).elements.borrow_mut().push_back(value);
        return Ok(Val::NULL);
    }
    let index = index_argument(call, 0)?;
    let list = list(call.this());
    let Some(place) = list.place(index) else { return Err(out_of_range(call, "is out of range")) };
    let old = list.elements.borrow_mut().get_mut(place).map(|element| element.replace(value));
    drop(old);
    Ok(Val::NULL)
}

fn offset_unset(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = index_argument(call, 0)?;
    let list = list(call.this());
    match list.place(index) {
        Some(place) => {
            let removed = list.remove(place, Cursor::Nowhere);
            drop(removed);
            Ok(Val::NULL)
        }
        None => Err(out_of_range(call, "is out of range")),
    }
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    list(call.this()).start();
    Ok(Val::NULL)
}

fn debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let list = list(call.this());
    let elements: PhpArr = list.elements.borrow().iter().cloned().collect();
    let class = "SplDoublyLinkedList";
    let rows = [(class, "flags", Val::int(list.flags.get())), (class, "dllist", elements.into())];
    Ok(members::with_private(call.this(), &rows).into())
}
