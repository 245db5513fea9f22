//! RecursiveIteratorIterator: walks a tree of iterators as if it were flat.

use super::outer::iterator_of;
use super::{ask, call as invoke, not_constructed, tolerate};
use phlox_runtime::class::{ElementOf, NativeHooks};
use phlox_runtime::{
    Call, Edges, NativeClass, NativeData, ObjExt, PhpObj, PhpResult, PhpStr, Throw, Val, Vm, convert, iteration,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const LEAVES_ONLY: i64 = 0;
pub const SELF_FIRST: i64 = 1;
const CHILD_FIRST: i64 = 2;
const CATCH_GET_CHILD: i64 = 16;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "RecursiveIteratorIterator",
    decl: include_str!("../../stubs/RecursiveIteratorIterator.stub.php"),
    methods: &[
        ("__construct", construct),
        ("rewind", rewind),
        ("valid", valid),
        ("key", |call| walk(call)?.key(call.vm)),
        ("current", |call| walk(call)?.current(call.vm)),
        ("next", next),
        ("getDepth", |call| Ok(Val::int(data(call.this()).map_or(0, Walk::depth)))),
        ("getSubIterator", get_sub_iterator),
        ("getInnerIterator", |call| Ok(walk(call)?.current_iterator(call.vm)?.into())),
        ("beginIteration", |_| Ok(Val::NULL)),
        ("endIteration", |_| Ok(Val::NULL)),
        ("callHasChildren", call_has_children),
        ("callGetChildren", |call| invoke(call.vm, &walk(call)?.current_iterator(call.vm)?, b"getchildren")),
        ("beginChildren", |_| Ok(Val::NULL)),
        ("endChildren", |_| Ok(Val::NULL)),
        ("nextElement", |_| Ok(Val::NULL)),
        ("setMaxDepth", set_max_depth),
        ("getMaxDepth", get_max_depth),
    ],
    hooks: NativeHooks {
        create: Some(create),
        no_clone: true,
        steps_silently: true,
        check_iteration: Some(check_constructed),
        method_target: Some(|object| data(object)?.levels.borrow().last()?.iterator.as_obj().cloned()),
        ..NativeHooks::NONE
    },
}];

/// The state of the iteration at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Next,
    Test,
    Itself,
    Child,
    Start,
}

struct Level {
    /// A RecursiveIterator.
    iterator: Val,
    state: State,
    /// The result of `current` of an iterator in PHP, which is called once for each element.
    current: Val,
}

impl Level {
    fn new(iterator: PhpObj) -> Level {
        Level { iterator: iterator.into(), state: State::Start, current: Val::UNDEF }
    }
}

/// The native part: the iterators from the root to the current one.
pub struct Walk {
    levels: RefCell<Vec<Level>>,
    mode: Cell<i64>,
    pub flags: Cell<i64>,
    max_depth: Cell<i64>,
    in_iteration: Cell<bool>,
    /// RecursiveTreeIterator: the parts of the prefix, and the postfix.
    pub prefix: RefCell<[PhpStr; 6]>,
    pub postfix: RefCell<PhpStr>,
}

impl NativeData for Walk {
    fn trace(&self, edges: &mut Edges) {
        for level in self.levels.borrow().iter() {
            edges.value(&level.iterator);
            edges.value(&level.current);
        }
    }

    fn clear(&self) {
        drop(self.levels.take());
    }
}

fn create(_: &Vm, object: &PhpObj) {
    let prefix: [&[u8]; 6] = [b"", b"| ", b"  ", b"|-", b"\\-", b""];
    object.set_native(Rc::new(Walk {
        levels: RefCell::default(),
        mode: Cell::new(LEAVES_ONLY),
        flags: Cell::new(0),
        max_depth: Cell::new(-1),
        in_iteration: Cell::new(false),
        prefix: RefCell::new(prefix.map(PhpStr::new)),
        postfix: RefCell::new(PhpStr::empty()),
    }));
}

/// The native data of an object, if its class walks trees.
pub fn data(object: &PhpObj) -> Option<&Walk> {
    object.native()
}

/// The native part of `$this`, which must have been constructed.
pub fn walk<'a>(call: &'a Call<'_>) -> PhpResult<&'a Walk> {
    match data(call.this()) {
        Some(walk) if !walk.levels.borrow().is_empty() => Ok(walk),
        _ => Err(not_constructed(call.vm)),
    }
}

/// `foreach` needs a constructed object.
fn check_constructed(vm: &Vm, object: &PhpObj, _by_reference: bool) -> PhpResult<()> {
    match data(object) {
        Some(walk) if !walk.levels.borrow().is_empty() => Ok(()),
        _ => Err(vm.throw_error(b"Object is not initialized")),
    }
}

/// Has a subclass in PHP replaced a method?
fn overrides(object: &PhpObj, lower_name: &[u8]) -> bool {
    object.class().methods.get(&phlox_runtime::ByBytes(lower_name)).is_some_and(|method| !method.is_native())
}

/// The hook by which a builtin class gives value and key together, unless the method is replaced. At the end it gives
/// `None`, where the method might raise an error.
fn at_once(iterator: &PhpObj, lower_name: &[u8]) -> Option<ElementOf> {
    iterator.class().native.current_element.filter(|_| !overrides(iterator, lower_name))
}

/// Calls a method of `$this` that does nothing unless it is replaced.
fn notify(vm: &Vm, this: &PhpObj, lower_name: &[u8]) -> PhpResult<()> {
    if overrides(this, lower_name) { invoke(vm, this, lower_name).map(drop) } else { Ok(()) }
}

impl Walk {
    /// The depth of the current element; 0 is the root's level.
    pub fn depth(&self) -> i64 {
        (self.levels.borrow().len() as i64 - 1).max(0)
    }

    /// Starts with a root.
    pub fn begin(&self, root: PhpObj, mode: i64, flags: i64) {
        let old = self.levels.replace(vec![Level::new(root)]);
        drop(old);
        self.mode.set(mode);
        self.flags.set(flags);
        self.max_depth.set(-1);
        self.in_iteration.set(false);
    }

    /// The iterator of a level; `None` below the current depth.
    pub fn iterator_at(&self, level: usize) -> Option<PhpObj> {
        self.levels.borrow().get(level)?.iterator.as_obj().cloned()
    }

    /// The iterator of the current level, or the error about a constructor that has not run.
    pub fn current_iterator(&self, vm: &Vm) -> PhpResult<PhpObj> {
        let current = self.levels.borrow().last().and_then(|level| level.iterator.as_obj().cloned());
        current.ok_or_else(|| vm.throw_error(b"Object is not initialized"))
    }

    fn is_current(&self, iterator: &PhpObj) -> bool {
        let levels = self.levels.borrow();
        levels.last().and_then(|level| level.iterator.as_obj()).is_some_and(|current| current.ptr_eq(iterator))
    }

    fn state(&self) -> State {
        self.levels.borrow().last().map_or(State::Start, |level| level.state)
    }

    fn set_state(&self, state: State) {
        if let Some(level) = self.levels.borrow_mut().last_mut() {
            level.state = state;
        }
    }

    /// Stores the value of the current element; `Undef` forgets it.
    fn remember(&self, value: Val) {
        let old = self.levels.borrow_mut().last_mut().map(|level| std::mem::replace(&mut level.current, value));
        drop(old);
    }

    /// The value of the current element.
    pub fn current(&self, vm: &Vm) -> PhpResult<Val> {
        let known = self.levels.borrow().last().map(|level| level.current.clone());
        if let Some(known) = known.filter(|known| !known.is_undef()) {
            return Ok(known);
        }
        let iterator = self.current_iterator(vm)?;
        if let Some(at_once) = at_once(&iterator, b"current") {
            return Ok(at_once(vm, &iterator, false)?.map_or(Val::NULL, |(value, _)| value));
        }
        let value = invoke(vm, &iterator, b"current")?.into_deref().or_null();
        if overrides(&iterator, b"current") && self.is_current(&iterator) {
            self.remember(value.clone());
        }
        Ok(value)
    }

    /// The key of the current element.
    fn key(&self, vm: &Vm) -> PhpResult<Val> {
        let iterator = self.current_iterator(vm)?;
        match at_once(&iterator, b"key") {
            Some(at_once) => Ok(at_once(vm, &iterator, true)?.map_or(Val::NULL, |(_, key)| key)),
            None => invoke(vm, &iterator, b"key"),
        }
    }

    fn pop(&self) {
        let level = self.levels.borrow_mut().pop();
        drop(level);
    }

    fn catches(&self) -> bool {
        self.flags.get() & CATCH_GET_CHILD != 0
    }

    fn valid(&self, vm: &Vm, this: &PhpObj) -> PhpResult<bool> {
        let mut level = self.levels.borrow().len();
        while level > 0 {
            level -= 1;
            if let Some(iterator) = self.iterator_at(level) {
                if ask(vm, &iterator, b"valid")? {
                    return Ok(true);
                }
            }
        }
        if self.in_iteration.get() {
            notify(vm, this, b"enditeration")?;
        }
        self.in_iteration.set(false);
        Ok(false)
    }

    fn rewind(&self, vm: &Vm, this: &PhpObj) -> PhpResult<()> {
        while self.levels.borrow().len() > 1 {
            self.pop();
            notify(vm, this, b"endchildren")?;
        }
        self.set_state(State::Start);
        self.remember(Val::UNDEF);
        invoke(vm, &self.current_iterator(vm)?, b"rewind")?;
        if !self.in_iteration.get() {
            notify(vm, this, b"beginiteration")?;
        }
        self.in_iteration.set(true);
        self.advance(vm, this)
    }

    /// Goes to the next element that the mode shows.
    fn advance(&self, vm: &Vm, this: &PhpObj) -> PhpResult<()> {
        loop {
            let iterator = self.current_iterator(vm)?;
            let depth = self.depth();
            match self.state() {
                state @ (State::Next | State::Start) => {
                    if state == State::Next {
                        self.remember(Val::UNDEF);
                        tolerate(invoke(vm, &iterator, b"next"), self.catches())?;
                    }
                    let valid = ask(vm, &iterator, b"valid")?;
                    let same = self.is_current(&iterator);
                    if !same || self.depth() != depth {
                        return Ok(());
                    }
                    if valid {
                        self.set_state(State::Test);
                    } else if !self.leave(vm, this, &iterator)? {
                        return Ok(());
                    }
                }
                State::Test => {
                    if self.test(vm, this, &iterator)? {
                        return Ok(());
                    }
                }
                State::Itself => {
                    if matches!(self.mode.get(), SELF_FIRST | CHILD_FIRST) {
                        notify(vm, this, b"nextelement")?;
                    }
                    self.set_state(if self.mode.get() == SELF_FIRST { State::Child } else { State::Next });
                    return Ok(());
                }
                State::Child => self.enter(vm, this, &iterator)?,
            }
        }
    }

    /// Checks whether the element has children; true if the iteration stops at it.
    fn test(&self, vm: &Vm, this: &PhpObj, iterator: &PhpObj) -> PhpResult<bool> {
        let answer = if overrides(this, b"callhaschildren") {
            ask(vm, this, b"callhaschildren")
        } else {
            ask(vm, iterator, b"haschildren")
        };
        if answer.is_err() && !self.catches() {
            self.set_state(State::Next);
        }
        if tolerate(answer, self.catches())?.unwrap_or(false) {
            let max_depth = self.max_depth.get();
            if max_depth == -1 || max_depth > self.depth() {
                self.set_state(if self.mode.get() == SELF_FIRST { State::Itself } else { State::Child });
                return Ok(false);
            }
            if self.mode.get() == LEAVES_ONLY {
                self.set_state(State::Next);
                return Ok(false);
            }
        }
        let noted = notify(vm, this, b"nextelement");
        self.set_state(State::Next);
        tolerate(noted, self.catches())?;
        Ok(true)
    }

    /// Goes down to the children of the element.
    fn enter(&self, vm: &Vm, this: &PhpObj, iterator: &PhpObj) -> PhpResult<()> {
        let answer = if overrides(this, b"callgetchildren") {
            invoke(vm, this, b"callgetchildren")
        } else {
            invoke(vm, iterator, b"getchildren")
        };
        let Some(child) = tolerate(answer, self.catches())? else {
            self.set_state(State::Next);
            return Ok(());
        };
        let child = child
            .into_obj()
            .filter(|child| iteration::class_implements(vm, child.class_header(), b"recursiveiterator"));
        let Some(child) = child else {
            let text = b"Objects returned by RecursiveIterator::getChildren() must implement RecursiveIterator";
            return Err(vm.throw_class(b"UnexpectedValueException", text, 0));
        };
        self.set_state(if self.mode.get() == CHILD_FIRST { State::Itself } else { State::Next });
        self.levels.borrow_mut().push(Level::new(child.clone()));
        invoke(vm, &child, b"rewind")?;
        tolerate(notify(vm, this, b"beginchildren"), self.catches())?;
        Ok(())
    }

    /// Goes up from a level without further elements; false at the root.
    fn leave(&self, vm: &Vm, this: &PhpObj, iterator: &PhpObj) -> PhpResult<bool> {
        if self.depth() == 0 {
            return Ok(false);
        }
        tolerate(notify(vm, this, b"endchildren"), self.catches())?;
        if self.depth() > 0 && self.is_current(iterator) {
            self.pop();
        }
        Ok(true)
    }
}

/// The RecursiveIterator of the first argument: the argument, or the iterator of an aggregate.
pub fn root_argument(call: &Call<'_>) -> PhpResult<PhpObj> {
    if let Some(object) = call.opt_obj(0) {
        let is_aggregate = iteration::class_implements(call.vm, object.class_header(), b"iteratoraggregate");
        return if is_aggregate { iterator_of(call.vm, &object) } else { Ok(object) };
    }
    let given = convert::value_name(&call.arg(0));
    Err(call.type_error(0, &format!("must be of type object, {given} given")))
}

/// The exception about a root that is not recursive.
pub fn not_recursive(vm: &Vm) -> Throw {
    let text = b"An instance of RecursiveIterator or IteratorAggregate creating it is required";
    vm.throw_class(b"InvalidArgumentException", text, 0)
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let root = root_argument(call)?;
    if !iteration::class_implements(call.vm, root.class_header(), b"recursiveiterator") {
        return Err(not_recursive(call.vm));
    }
    if let Some(walk) = data(call.this()) {
        walk.begin(root, call.int(1), call.int(2));
    }
    Ok(Val::NULL)
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    walk(call)?.rewind(call.vm, &this)?;
    Ok(Val::NULL)
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    match data(&this) {
        Some(walk) if !walk.levels.borrow().is_empty() => {}
        _ => return Ok(Val::FALSE),
    }
    Ok(walk(call)?.valid(call.vm, &this)?.into())
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    walk(call)?.advance(call.vm, &this)?;
    Ok(Val::NULL)
}

fn get_sub_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let depth = data(call.this()).map_or(0, Walk::depth);
    let level = call.opt_int(0).unwrap_or(depth);
    if !(0..=depth).contains(&level) {
        return Ok(Val::NULL);
    }
    Ok(walk(call)?.iterator_at(level as usize).map_or(Val::NULL, Val::from))
}

fn call_has_children(call: &mut Call<'_>) -> PhpResult<Val> {
    if data(call.this()).is_none_or(|walk| walk.levels.borrow().is_empty()) {
        return Ok(Val::FALSE);
    }
    invoke(call.vm, &walk(call)?.current_iterator(call.vm)?, b"haschildren")
}

fn set_max_depth(call: &mut Call<'_>) -> PhpResult<Val> {
    let depth = call.int(0);
    if depth < -1 {
        return Err(call.value_error(0, "must be greater than or equal to -1"));
    }
    if let Some(walk) = data(call.this()) {
        walk.max_depth.set(depth.min(i32::MAX.into()));
    }
    Ok(Val::NULL)
}

fn get_max_depth(call: &mut Call<'_>) -> PhpResult<Val> {
    let depth = data(call.this()).map_or(-1, |walk| walk.max_depth.get());
    Ok(if depth == -1 { Val::FALSE } else { Val::int(depth) })
}
