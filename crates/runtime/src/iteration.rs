//! Iteration over objects: Iterator, IteratorAggregate, generators, and the visible properties of plain objects.

use crate::call::{Call, Unusual};
use crate::class::{Class, ClassExt, ClassRef, ElementOf, ObjExt, PropInfo};
use crate::error::PhpResult;
use crate::func::{Func, FuncBody, NativeFn};
use crate::lookup::KnownClass;
use crate::props::{self, Found};
use crate::vm::Vm;
use phlox_value::{Key, PhpArr, PhpObj, PhpStr, ReservedHandle, Val, View};
use std::rc::Rc;

/// The way in which objects of a class are iterated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Iterates {
    /// The object is not traversable: its properties are iterated.
    Not,
    /// The object gives an iterator (IteratorAggregate).
    ByAnother,
    /// The object is an iterator itself.
    Itself,
}

fn iterates(vm: &Vm, object: &PhpObj) -> Iterates {
    *object.class().iterates.get_or_init(|| {
        if is_instance(vm, object, KnownClass::Iterator) {
            Iterates::Itself
        } else if is_instance(vm, object, KnownClass::Traversable) {
            Iterates::ByAnother
        } else {
            Iterates::Not
        }
    })
}

/// Whether `foreach` iterates elements that the object itself provides, not its properties.
pub fn is_traversable(vm: &Vm, object: &PhpObj) -> bool {
    iterates(vm, object) != Iterates::Not
}

fn is_instance(vm: &Vm, object: &PhpObj, class: KnownClass) -> bool {
    vm.known_class(class).is_ok_and(|class| object.is_a(class))
}

/// A running iteration over a Traversable.
pub struct Traversal {
    iterator: PhpObj,
    /// Whether values are references to the elements of an array object.
    by_element: bool,
    /// The class's hook that gives value and key in one call, unless a subclass overrides methods.
    at_once: Option<ElementOf>,
    /// The object id that Zend's iterator occupies while the iteration runs.
    _id: Option<ReservedHandle>,
    methods: Rc<Methods>,
}

/// The methods of an iterator's class that the engine calls.
pub struct Methods {
    /// The methods, indexed by [`Step`].
    steps: [Rc<Func>; 5],
    /// The hook of the class for value and key, if the methods that it replaces are all builtin.
    at_once: Option<ElementOf>,
}

impl Methods {
    /// The methods of a class, which are looked up once.
    fn of(vm: &Vm, class: &Class) -> PhpResult<Rc<Methods>> {
        if let Some(known) = class.iteration.get() {
            return Ok(known.clone());
        }
        let missing = || vm.throw_error(b"Call to undefined method of an iterator");
        let method = |name: &[u8]| class.methods.get(&crate::ByBytes(name)).cloned().ok_or_else(missing);
        let [rewind, valid, current, key, next] = STEP_NAMES.map(method);
        let steps = [rewind?, valid?, current?, key?, next?];
        let asked = [Step::Valid, Step::Current, Step::Key].map(|step| &steps[step as usize]);
        let at_once = class.native.current_element.filter(|_| asked.iter().all(|method| method.is_native()));
        Ok(class.iteration.get_or_init(|| Rc::new(Methods { steps, at_once })).clone())
    }
}

/// A method of `Iterator`.
#[derive(Clone, Copy)]
enum Step {
    Rewind,
    Valid,
    Current,
    Key,
    Next,
}

/// The names of the methods, in the order of [`Step`].
const STEP_NAMES: [&[u8]; 5] = [b"rewind", b"valid", b"current", b"key", b"next"];

/// The iterator of an object, found by calling `getIterator` as often as necessary.
pub fn iterator_of(vm: &Vm, object: PhpObj) -> PhpResult<PhpObj> {
    let mut iterator = object;
    while iterates(vm, &iterator) != Iterates::Itself {
        let class = iterator.class_name().clone();
        let next = match &iterator.class().magic.get_iterator {
            // Builtin aggregates give their iterators without a call that traces show.
            Some(method) => match method.body {
                FuncBody::Native(body) => call_silently(vm, method, body, &iterator)?,
                _ => vm.call_on(method, &iterator, &mut [])?,
            },
            None => vm.call_method(&iterator, b"getiterator", Vec::new())?,
        };
        match next.into_deref().into_obj() {
            Some(inner) if is_traversable(vm, &inner) => iterator = inner,
            _ => {
                let text = [
                    b"Objects returned by ",
                    &class[..],
                    b"::getIterator() must be traversable or implement interface Iterator",
                ];
                return Err(vm.throw_class(b"Exception", &text.concat(), 0));
            }
        }
    }
    Ok(iterator)
}

/// Calls a builtin method without arguments and without a frame of its own.
fn call_silently(vm: &Vm, func: &Rc<Func>, body: NativeFn, object: &PhpObj) -> PhpResult<Val> {
    let (object, static_class) = (Some(object), Some(object.class_header()));
    let unusual = Some(&mut Unusual { from_native: true, skipped: Vec::new(), named: Vec::new() });
    let result = body(&mut Call { vm, func, object, static_class, args: &[], passed: 0, unusual })?;
    vm.check_pending()?;
    Ok(result)
}

/// The array that an iterator goes over, if nothing else holds the iterator: then the array itself can be iterated.
pub fn walked_array(iterator: &PhpObj) -> Option<PhpArr> {
    let class = iterator.class();
    let hook = class.native.walked_array.filter(|_| class.is_internal())?;
    if iterator.refcount() == 1 && !iterator.is_weakly_referenced() { hook(iterator) } else { None }
}

impl Traversal {
    /// Finds the iterator (by calling `getIterator` as often as necessary) and rewinds it.
    pub fn start(vm: &Vm, object: &PhpObj, by_ref: bool) -> PhpResult<Traversal> {
        Traversal::over(vm, iterator_of(vm, object.clone())?, by_ref)
    }

    /// Starts an iteration over an iterator, which is rewound.
    pub fn over(vm: &Vm, iterator: PhpObj, by_ref: bool) -> PhpResult<Traversal> {
        if let Some(check) = iterator.class().native.check_iteration {
            check(vm, &iterator, by_ref)?;
        }
        let methods = Methods::of(vm, iterator.class())?;
        // A `current` written in PHP gives values, even if the builtin method could give references.
        let own_current = !methods.steps[Step::Current as usize].is_native();
        let gives_elements = iterator.class().native.element.is_some() && !own_current;
        if by_ref && !gives_elements && !is_instance(vm, &iterator, KnownClass::Generator) {
            return Err(vm.throw_error(b"An iterator cannot be used with foreach by reference"));
        }
        let id = match iterator.class().native.takes_no_iterator_id {
            true => None,
            false => Some(ReservedHandle::new()),
        };
        let by_element = by_ref && gives_elements;
        let at_once = methods.at_once.filter(|_| !by_element);
        let traversal = Traversal { iterator, by_element, at_once, _id: id, methods };
        traversal.call(vm, Step::Rewind)?;
        Ok(traversal)
    }

    fn call(&self, vm: &Vm, step: Step) -> PhpResult<Val> {
        let func = &self.methods.steps[step as usize];
        match func.body {
            // The steps of many builtin iterators are calls that traces do not show.
            FuncBody::Native(body) if self.iterator.class().native.steps_silently => {
                call_silently(vm, func, body, &self.iterator)
            }
            _ => vm.call_on(func, &self.iterator, &mut []),
        }
    }

    /// Value (as returned) and key of the current element; `None` at the end.
    pub fn element(&self, vm: &Vm, wants_key: bool) -> PhpResult<Option<(Val, Val)>> {
        if let Some(hook) = self.at_once {
            return hook(vm, &self.iterator, wants_key);
        }
        if !self.valid(vm)? {
            return Ok(None);
        }
        let value = self.current(vm)?;
        let key = if wants_key { self.key(vm)? } else { Val::NULL };
        Ok(Some((value, key)))
    }

    /// Whether there is a current element.
    pub fn valid(&self, vm: &Vm) -> PhpResult<bool> {
        // The time limit is checked here, because a builtin iterator may go on for ever without running code of the script.
        if phlox_value::interrupt::is_raised(phlox_value::interrupt::TIMEOUT) {
            vm.check_deadline()?;
        }
        Ok(crate::convert::to_bool(&self.call(vm, Step::Valid)?.into_deref()))
    }

    /// The current value, as returned: a generator by reference gives references.
    pub fn current(&self, vm: &Vm) -> PhpResult<Val> {
        if let Some(hook) = self.iterator.class().native.element.filter(|_| self.by_element) {
            let key = self.key(vm)?;
            if let Some(reference) = hook(vm, &self.iterator, Some(&key), false)? {
                return Ok(reference.into());
            }
        }
        self.call(vm, Step::Current)
    }

    /// The current key.
    pub fn key(&self, vm: &Vm) -> PhpResult<Val> {
        Ok(self.call(vm, Step::Key)?.into_deref())
    }

    /// Moves on to the next element.
    pub fn advance(&self, vm: &Vm) -> PhpResult<()> {
        self.call(vm, Step::Next).map(drop)
    }
}

/// Visits the elements of an array or Traversable until `visit` returns false. For any other value an Error with `message` is
/// thrown.
pub fn each(vm: &Vm, source: &Val, message: &str, visit: &mut dyn FnMut(Val, Val) -> PhpResult<bool>) -> PhpResult<()> {
    match source.view() {
        View::Ref(reference) => each(vm, &reference.get(), message, visit),
        View::Arr(array) => {
            for (key, value) in array {
                if !visit(key.to_val(), value.deref())? {
                    break;
                }
            }
            Ok(())
        }
        View::Obj(object) if is_traversable(vm, object) => {
            let traversal = Traversal::start(vm, object, false)?;
            while traversal.valid(vm)? {
                let value = traversal.current(vm)?.into_deref();
                let key = traversal.key(vm)?;
                if !visit(key, value)? {
                    break;
                }
                traversal.advance(vm)?;
            }
            Ok(())
        }
        _ => Err(vm.throw_error(message.as_bytes())),
    }
}

/// The names of an object's properties that code in `scope` can see, in order. Uninitialised properties are left out, unless they
/// have hooks.
pub fn visible_properties(vm: &Vm, object: &PhpObj, scope: Option<&ClassRef>) -> Vec<PhpStr> {
    let _ = vm;
    let class = object.class();
    class.native.refresh(object);
    let mut names = Vec::new();
    let is_listed = |info: &Rc<PropInfo>| {
        let found = matches!(props::find(class, &info.name, scope), Found::Declared(found) if Rc::ptr_eq(&found, info));
        found
            && (info.has_hooks() && !info.is_computed()
                || object.slots().get(info.slot).is_some_and(|slot| !slot.is_undef()))
    };
    if has_hooks(class) {
        // If the class has hooks, its virtual properties are listed, too.
        let declared = readable_in_order(class);
        names.extend(declared.iter().filter(|info| is_listed(info)).map(|info| info.name.clone()));
    } else {
        names.extend(class.slots.iter().filter(|info| is_listed(info)).map(|info| info.name.clone()));
    }
    if let Some(table) = object.dynamic() {
        for key in table.keys() {
            let name = key_name(&key);
            // A private property of the scope hides a dynamic one of the same name.
            if class.slots.is_empty() || !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Whether some property of the class has hooks.
pub fn has_hooks(class: &Class) -> bool {
    class.props.values().any(|info| info.has_hooks())
}

/// The readable instance properties in the order in which a class with hooks lists them: from the topmost class down, each class
/// in order of declaration; a redeclared property keeps its position.
pub fn readable_in_order(class: &Class) -> Vec<Rc<PropInfo>> {
    let mut order = class.parent.as_ref().map_or_else(Vec::new, |parent| readable_in_order(parent.class()));
    for info in class.props.values().filter(|info| !info.is_static()) {
        let same = |old: &Rc<PropInfo>| Rc::ptr_eq(old, info) || old.name == info.name && !old.is_private();
        match order.iter().position(same) {
            Some(at) => order[at] = info.clone(),
            None => order.push(info.clone()),
        }
    }
    order.retain(|info| !info.is_computed() && (info.get_hook.is_some() || !info.is_virtual()));
    order
}

/// The name that a loop shows for a property: a mangled name (from a cast array) loses its prefix.
pub fn shown_name(name: &PhpStr) -> PhpStr {
    let end = name.strip_prefix(b"\0").and_then(|rest| rest.iter().position(|&byte| byte == 0));
    match end {
        Some(end) => PhpStr::new(&name[end + 2..]),
        None => name.clone(),
    }
}

fn key_name(key: &Key<'_>) -> PhpStr {
    match key {
        Key::Int(i) => crate::convert::int_to_str(*i),
        Key::Str(s) => (*s).clone(),
    }
}

/// Adds the names of dynamic properties that are not in the list yet; false if there are none.
pub fn add_new_properties(object: &PhpObj, names: &mut Vec<PhpStr>) -> bool {
    let Some(table) = object.dynamic().filter(|table| !table.is_empty()) else { return false };
    let known: std::collections::HashSet<PhpStr> = names.iter().cloned().collect();
    let before = names.len();
    names.extend(table.keys().map(|key| key_name(&key)).filter(|name| !known.contains(name)));
    names.len() > before
}

/// Whether a class implements an interface, which is given by its lower-case name.
pub fn class_implements(vm: &Vm, class: &ClassRef, lower_name: &[u8]) -> bool {
    vm.find_class_no_autoload(lower_name).is_some_and(|interface| class.class().is_a(&interface))
}
