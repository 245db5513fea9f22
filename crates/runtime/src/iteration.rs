//! Iterating objects: Iterator, IteratorAggregate, generators, and the visible properties of plain objects.

use crate::call::{Call, Unusual};
use crate::class::{Class, ClassExt, ClassRef, ElementOf, ObjExt, PropInfo};
use crate::error::PhpResult;
use crate::func::{Func, FuncBody, NativeFn};
use crate::lookup::KnownClass;
use crate::props::{self, Found};
use crate::vm::Vm;
use phlox_value::{Key, PhpArr, PhpObj, PhpStr, ReservedHandle, Val, View};
use std::rc::Rc;

/// How objects of a class are iterated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Iterates {
    /// Their properties are.
    Not,
    /// They give an iterator.
    ByAnother,
    /// They are iterators.
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

/// Can `foreach` ask the object itself for its elements?
pub fn is_traversable(vm: &Vm, object: &PhpObj) -> bool {
    iterates(vm, object) != Iterates::Not
}

fn is_instance(vm: &Vm, object: &PhpObj, class: KnownClass) -> bool {
    vm.known_class(class).is_ok_and(|class| object.is_a(class))
}

/// A running iteration over a Traversable.
pub struct Traversal {
    iterator: PhpObj,
    /// Values are references to the elements of an array object.
    by_element: bool,
    /// How the class gives an element at once, unless a subclass replaces methods.
    at_once: Option<ElementOf>,
    /// Zend's iterator takes an object id of its own while the iteration runs.
    _id: Option<ReservedHandle>,
    methods: Rc<Methods>,
}

/// What the engine needs of an iterator's class.
pub struct Methods {
    /// By [`Step`].
    steps: [Rc<Func>; 5],
    /// The class's hook, if none of its methods that ask is written in PHP.
    at_once: Option<ElementOf>,
}

impl Methods {
    /// Those of a class, which are looked up once.
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

/// The methods in the order of [`Step`].
const STEP_NAMES: [&[u8]; 5] = [b"rewind", b"valid", b"current", b"key", b"next"];

/// The iterator that an object gives, through `getIterator` as often as needed.
pub fn iterator_of(vm: &Vm, object: PhpObj) -> PhpResult<PhpObj> {
    let mut iterator = object;
    while iterates(vm, &iterator) != Iterates::Itself {
        let class = iterator.class_name().clone();
        let next = match &iterator.class().magic.get_iterator {
            // Builtin aggregates give their iterators without a call that anybody could see.
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

/// The array that an iteration over an iterator goes over, which nobody else has and nobody asks: it is part of the iterator.
pub fn walked_array(iterator: &PhpObj) -> Option<PhpArr> {
    let class = iterator.class();
    let hook = class.native.walked_array.filter(|_| class.is_internal())?;
    if iterator.refcount() == 1 && !iterator.is_weakly_referenced() { hook(iterator) } else { None }
}

impl Traversal {
    /// Gets the iterator (through `getIterator` as often as needed) and rewinds it.
    pub fn start(vm: &Vm, object: &PhpObj, by_ref: bool) -> PhpResult<Traversal> {
        Traversal::over(vm, iterator_of(vm, object.clone())?, by_ref)
    }

    /// Rewinds an iterator.
    pub fn over(vm: &Vm, iterator: PhpObj, by_ref: bool) -> PhpResult<Traversal> {
        if let Some(check) = iterator.class().native.check_iteration {
            check(vm, &iterator, by_ref)?;
        }
        let methods = Methods::of(vm, iterator.class())?;
        // A `current` in PHP gives values, whatever the builtin one can give.
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
            // Many builtin iterators make their steps without a call that anybody could see.
            FuncBody::Native(body) if self.iterator.class().native.steps_silently => {
                call_silently(vm, func, body, &self.iterator)
            }
            _ => vm.call_on(func, &self.iterator, &mut []),
        }
    }

    /// Value (as returned) and key of the current element; `None`: the end.
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

    pub fn valid(&self, vm: &Vm) -> PhpResult<bool> {
        // Builtin iterators may go on for ever without running any code of the script, and methods without a loop never look.
        if phlox_value::interrupt::is_raised(phlox_value::interrupt::TIMEOUT) {
            vm.check_deadline()?;
        }
        Ok(crate::convert::to_bool(&self.call(vm, Step::Valid)?.into_deref()))
    }

    /// As returned: a generator by reference gives references.
    pub fn current(&self, vm: &Vm) -> PhpResult<Val> {
        if let Some(hook) = self.iterator.class().native.element.filter(|_| self.by_element) {
            let key = self.key(vm)?;
            if let Some(reference) = hook(vm, &self.iterator, Some(&key), false)? {
                return Ok(reference.into());
            }
        }
        self.call(vm, Step::Current)
    }

    pub fn key(&self, vm: &Vm) -> PhpResult<Val> {
        Ok(self.call(vm, Step::Key)?.into_deref())
    }

    pub fn advance(&self, vm: &Vm) -> PhpResult<()> {
        self.call(vm, Step::Next).map(drop)
    }
}

/// Visits the elements of an array or Traversable until `visit` gives false. Anything else throws `message`.
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

/// Names of an object's properties that code in `scope` can see, in order; uninitialised ones are left out, but not those with
/// hooks.
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
        // A class with hooks lists virtual properties, too.
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

/// Has a property of the class hooks?
pub fn has_hooks(class: &Class) -> bool {
    class.props.values().any(|info| info.has_hooks())
}

/// The instance properties that can be read, as lists of a class with hooks have them: from the topmost class down, each in
/// its order of declaration; one that is redeclared keeps its place.
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

/// The name that a loop shows for a property: a mangled one (from a cast array) loses its prefix.
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

/// Adds the names of dynamic properties that are not listed yet; false if there are none.
pub fn add_new_properties(object: &PhpObj, names: &mut Vec<PhpStr>) -> bool {
    let Some(table) = object.dynamic().filter(|table| !table.is_empty()) else { return false };
    let known: std::collections::HashSet<PhpStr> = names.iter().cloned().collect();
    let before = names.len();
    names.extend(table.keys().map(|key| key_name(&key)).filter(|name| !known.contains(name)));
    names.len() > before
}

/// Does a class implement an interface given by lower-case name?
pub fn class_implements(vm: &Vm, class: &ClassRef, lower_name: &[u8]) -> bool {
    vm.find_class_no_autoload(lower_name).is_some_and(|interface| class.class().is_a(&interface))
}
