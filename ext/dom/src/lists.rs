//! Node lists and maps: live views of a tree, or the fixed result of a query.

use crate::node::may_have_children;
use crate::objects::{Held, is_modern, node_of, wrap, wrap_other};
use phlox_ext_core::iterator::{self, Source as Walk};
use phlox_libxml::{Kind, Node, NotationText, edit_count};
use phlox_runtime::class::{Member, MemberHooks, MemberUse};
use phlox_runtime::{
    ArrKey, Call, Edges, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Slot, Throw, Val, View, Vm, convert,
    number,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The nodes that a list shows.
#[derive(Clone)]
pub enum Source {
    /// The children of the node.
    Children,
    /// The attributes of the element.
    Attributes,
    /// The elements below the node with a name. Without `uri`, `name` is a qualified name.
    Elements {
        uri: Option<Vec<u8>>,
        name: Vec<u8>,
    },
    Entities,
    Notations,
    /// The fixed result of a query.
    Fixed(Vec<Val>),
}

/// The native part of a list.
#[derive(Default)]
pub struct ListData {
    shown: RefCell<Option<(Node, Source)>>,
    /// The objects of a fixed list, which the cycle collector visits.
    fixed: FixedValues,
    /// The object of the node, which lives as long as the list.
    owner: FixedValues,
    /// The count of edits at which `length` and `last` were computed; they are stale at any other count.
    edits: Cell<u64>,
    length: Cell<Option<usize>>,
    last: RefCell<Option<(usize, Node)>>,
}

/// A slot whose default value is null.
pub struct FixedValues(Slot);

impl Default for FixedValues {
    fn default() -> FixedValues {
        FixedValues(Slot::new(Val::NULL))
    }
}

impl NativeData for ListData {
    fn trace(&self, edges: &mut Edges) {
        self.fixed.0.trace(edges);
        self.owner.0.trace(edges);
    }

    fn clear(&self) {
        self.fixed.0.set(Val::NULL);
        self.owner.0.set(Val::NULL);
    }

    /// A clone of a list is empty.
    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(ListData::default()))
    }
}

/// Gives a new list object its native part.
pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(ListData::default()));
}

fn make(vm: &Vm, class: &str, node: &Node, source: Source) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(class.as_bytes())?)?;
    let list = data(&object);
    if let Source::Fixed(values) = &source {
        list.fixed.0.set(PhpArr::from_vec(values.clone()).into());
    }
    if node.tag().is_some() {
        list.owner.0.set(wrap(vm, node)?);
    }
    let source = if matches!(source, Source::Fixed(_)) { Source::Fixed(Vec::new()) } else { source };
    *list.shown.borrow_mut() = Some((node.clone(), source));
    Ok(object.into())
}

/// A `NodeList` of the node's DOM that shows `source`.
pub fn node_list(vm: &Vm, node: &Node, source: Source) -> PhpResult<Val> {
    make(vm, if is_modern(node) { "Dom\\NodeList" } else { "DOMNodeList" }, node, source)
}

/// A map of the node's DOM that shows `source`.
pub fn named_node_map(vm: &Vm, node: &Node, source: Source) -> PhpResult<Val> {
    let class = match (is_modern(node), &source) {
        (true, Source::Attributes) => "Dom\\NamedNodeMap",
        (true, _) => "Dom\\DtdNamedNodeMap",
        (false, _) => "DOMNamedNodeMap",
    };
    make(vm, class, node, source)
}

/// A live list of the elements below a node with a name: a `Dom\HTMLCollection` or a `DOMNodeList`.
pub fn elements(vm: &Vm, node: &Node, uri: Option<&[u8]>, name: &[u8]) -> PhpResult<Val> {
    let class = if is_modern(node) { "Dom\\HTMLCollection" } else { "DOMNodeList" };
    make(vm, class, node, Source::Elements { uri: uri.map(<[u8]>::to_vec), name: name.to_vec() })
}

fn data(object: &PhpObj) -> &ListData {
    object.native::<ListData>().unwrap_or_else(|| unreachable!("every list has its data"))
}

/// Whether a node is an element that the list's URI and name select. `*` selects all.
fn matches(node: &Node, uri: Option<&[u8]>, name: &[u8], modern: bool) -> bool {
    if !node.is(Kind::Element) {
        return false;
    }
    let name_fits = name == b"*"
        || match (uri, modern) {
            (None, true) => {
                let html = node.document().is_some_and(|doc| doc.is(Kind::HtmlDocument));
                let qualified = node.qualified_name();
                if html && crate::objects::is_html_element(node) {
                    qualified == name.to_ascii_lowercase()
                } else {
                    qualified == name
                }
            }
            _ => node.name_is(name),
        };
    name_fits
        && match uri {
            None | Some(b"*") => true,
            Some(b"") => node.namespace().is_none_or(|ns| modern && ns.uri().is_none_or(|uri| uri.is_empty())),
            Some(uri) => node.namespace_uri().as_deref() == Some(uri),
        }
}

impl ListData {
    fn refresh(&self) {
        let now = edit_count();
        if self.edits.replace(now) != now {
            self.length.set(None);
            *self.last.borrow_mut() = None;
        }
    }

    fn first(&self, base: &Node, source: &Source) -> Option<Node> {
        match source {
            Source::Children => base.first_child().filter(|_| may_have_children(base)),
            Source::Attributes => base.first_attribute(),
            Source::Elements { uri, name } => self.matching(base, base.first_child(), uri.as_deref(), name),
            _ => None,
        }
    }

    fn after(&self, base: &Node, source: &Source, node: &Node) -> Option<Node> {
        match source {
            Source::Children | Source::Attributes => node.next(),
            Source::Elements { uri, name } => self.matching(base, node.following(base), uri.as_deref(), name),
            _ => None,
        }
    }

    fn matching(&self, base: &Node, from: Option<Node>, uri: Option<&[u8]>, name: &[u8]) -> Option<Node> {
        let modern = is_modern(base);
        let mut at = from;
        while let Some(node) = at {
            if matches(&node, uri, name, modern) {
                return Some(node);
            }
            at = node.following(base);
        }
        None
    }

    fn fixed(&self) -> PhpArr {
        self.fixed.0.get().into_arr().unwrap_or_default()
    }

    fn length(&self) -> usize {
        let shown = self.shown.borrow().clone();
        let Some((base, source)) = shown else { return 0 };
        self.refresh();
        match &source {
            Source::Fixed(_) => self.fixed().len(),
            Source::Entities => base.entities().len(),
            Source::Notations => base.notations().len(),
            _ => {
                if let Some(known) = self.length.get() {
                    return known;
                }
                let first = self.first(&base, &source);
                let count = std::iter::successors(first, |node| self.after(&base, &source, node)).count();
                self.length.set(Some(count));
                count
            }
        }
    }

    fn item(&self, vm: &Vm, index: i64) -> PhpResult<Val> {
        let shown = self.shown.borrow().clone();
        let (Some((base, source)), Ok(index)) = (shown, usize::try_from(index)) else { return Ok(Val::NULL) };
        self.refresh();
        match &source {
            Source::Fixed(_) => Ok(self.fixed().get_int(index as i64).map_or(Val::NULL, Val::deref)),
            Source::Entities => crate::objects::wrap_optional(vm, base.entities().get(index).cloned()),
            Source::Notations => match base.notations().get(index) {
                Some(notation) => wrap_notation(vm, &base, notation),
                None => Ok(Val::NULL),
            },
            _ => {
                let known = self.last.borrow().clone().filter(|(at, _)| *at <= index);
                let (mut at, mut node) = match known {
                    Some((at, node)) => (at, Some(node)),
                    None => (0, self.first(&base, &source)),
                };
                while at < index && node.is_some() {
                    node = node.and_then(|node| self.after(&base, &source, &node));
                    at += 1;
                }
                let Some(node) = node else { return Ok(Val::NULL) };
                *self.last.borrow_mut() = Some((index, node.clone()));
                wrap(vm, &node)
            }
        }
    }
}

fn wrap_notation(vm: &Vm, doctype: &Node, notation: &NotationText) -> PhpResult<Val> {
    let class = if is_modern(doctype) { "Dom\\Notation" } else { "DOMNotation" };
    wrap_other(vm, class, Held::Notation { doctype: doctype.clone(), notation: notation.clone() })
}

/// Reads `DOMNodeList::$length` and `Dom\NodeList::$length`.
pub fn get_length(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(data(call.this()).length() as i64))
}

/// `DOMNodeList::count()` and `Dom\NodeList::count()`.
pub fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    get_length(call)
}

/// The indexes that a map of nodes accepts.
const PLACES: std::ops::RangeInclusive<i64> = 0..=i32::MAX as i64;

/// `DOMNamedNodeMap::item()` and `Dom\NamedNodeMap::item()`: indexes outside of 0 to 2³¹ - 1 are refused.
pub fn map_item(call: &mut Call<'_>) -> PhpResult<Val> {
    if !PLACES.contains(&call.int(0)) {
        return Err(call.value_error(0, &format!("must be between 0 and {}", PLACES.end())));
    }
    item(call)
}

/// `DOMNodeList::item()` and `Dom\NodeList::item()`: null where the list has no such index.
pub fn item(call: &mut Call<'_>) -> PhpResult<Val> {
    data(call.this()).item(call.vm, call.int(0))
}

/// The member of a map with a name, or null.
fn named(vm: &Vm, list: &ListData, uri: Option<&[u8]>, name: &[u8]) -> PhpResult<Val> {
    let shown = list.shown.borrow().clone();
    let Some((base, source)) = shown else { return Ok(Val::NULL) };
    match source {
        Source::Attributes => {
            let found = match uri {
                None if is_modern(&base) => base.attributes().find(|attribute| attribute.qualified_name() == name),
                None => base.attribute(name),
                Some(uri) => base.attribute_ns(Some(uri).filter(|uri| !uri.is_empty()), name),
            };
            crate::objects::wrap_optional(vm, found.filter(|found| found.is(Kind::Attribute)))
        }
        Source::Entities => crate::objects::wrap_optional(vm, base.entity_named(name)),
        Source::Notations => match base.notations().iter().find(|notation| notation.name == name) {
            Some(notation) => wrap_notation(vm, &base, notation),
            None => Ok(Val::NULL),
        },
        _ => Ok(Val::NULL),
    }
}

/// `DOMNamedNodeMap::getNamedItem()` and `Dom\NamedNodeMap::getNamedItem()`.
pub fn get_named_item(call: &mut Call<'_>) -> PhpResult<Val> {
    named(call.vm, data(call.this()), None, &call.str(0))
}

/// `DOMNamedNodeMap::getNamedItemNS()` and `Dom\NamedNodeMap::getNamedItemNS()`.
pub fn get_named_item_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let uri = call.opt_str(0).unwrap_or_else(PhpStr::empty);
    named(call.vm, data(call.this()), Some(&uri), &call.str(1))
}

/// `Dom\HTMLCollection::namedItem()`: the first element with that id or, for HTML elements, that name.
pub fn named_item(call: &mut Call<'_>) -> PhpResult<Val> {
    element_named(call.vm, data(call.this()), &call.str(0))
}

fn element_named(vm: &Vm, list: &ListData, name: &PhpStr) -> PhpResult<Val> {
    if name.is_empty() {
        return Ok(Val::NULL);
    }
    for index in 0..list.length() {
        let value = list.item(vm, index as i64)?;
        let View::Obj(object) = value.view() else { continue };
        let node = node_of(vm, object)?;
        let has =
            |key: &[u8]| node.attribute_ns(None, key).is_some_and(|attribute| attribute.text() == name.as_bytes());
        if has(b"id") || (crate::objects::is_html_element(&node) && has(b"name")) {
            return Ok(value.clone());
        }
    }
    Ok(Val::NULL)
}

/// An iterator over a list. The next node is found from the current one, so edits during the iteration show.
struct Walker {
    list: PhpObj,
    index: Cell<i64>,
    current: Slot,
    started: Cell<bool>,
}

impl Walker {
    fn load(&self) {
        let Some(vm) = Vm::current() else { return };
        match data(&self.list).item(vm, self.index.get()) {
            Ok(value) => self.current.set(value),
            Err(throw) => {
                self.current.set(Val::NULL);
                vm.set_pending(throw);
            }
        }
    }
}

impl Walk for Walker {
    fn is_rewindable(&self) -> bool {
        false
    }

    fn rewind(&self) {
        if !self.started.replace(true) {
            self.load();
        }
    }

    fn valid(&self) -> bool {
        !self.current.get().is_null()
    }

    fn current(&self) -> Val {
        self.current.get()
    }

    fn key(&self) -> Val {
        let list = data(&self.list);
        let by_name =
            matches!(&*list.shown.borrow(), Some((_, Source::Attributes | Source::Entities | Source::Notations)));
        if !by_name {
            return Val::int(self.index.get());
        }
        let value = self.current.get();
        let View::Obj(object) = value.view() else { return Val::NULL };
        match crate::objects::held(object) {
            Held::Node(node) if is_modern(&node) => Val::str(&node.qualified_name()),
            Held::Node(node) => Val::str(&node.name()),
            Held::Notation { notation, .. } => Val::str(&notation.name),
            _ => Val::NULL,
        }
    }

    fn advance(&self) {
        self.index.set(self.index.get() + 1);
        let shown = data(&self.list).shown.borrow().clone();
        // The next sibling is valid even if nodes before the current one were removed.
        if let Some((_, Source::Children | Source::Attributes)) = shown {
            let value = self.current.get();
            if let (View::Obj(object), Some(vm)) = (value.view(), Vm::current()) {
                let next = match crate::objects::held(object) {
                    Held::Node(node) if !is_modern(&node) => Some(node.next()),
                    _ => None,
                };
                if let Some(next) = next {
                    match crate::objects::wrap_optional(vm, next) {
                        Ok(value) => self.current.set(value),
                        Err(throw) => vm.set_pending(throw),
                    }
                    return;
                }
            }
        }
        self.load();
    }

    fn trace(&self, edges: &mut Edges) {
        edges.object(&self.list);
        self.current.trace(edges);
    }
}

/// `DOMNodeList::getIterator()` and `Dom\NodeList::getIterator()`.
pub fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let walker = Walker {
        list: call.this().clone(),
        index: Cell::new(0),
        current: Slot::new(Val::NULL),
        started: Cell::new(false),
    };
    iterator::create(call, Box::new(walker))
}

/// What an offset in brackets stands for.
enum Offset {
    Index(i64),
    Name(PhpStr),
}

/// The offset of a list of the old DOM: a string that is not numeric is a name, and any other value is converted to an
/// integer.
fn classic_offset(vm: &Vm, value: &Val) -> PhpResult<Offset> {
    Ok(match value.view() {
        View::Str(text) => match number::numeric(text) {
            Some(number::Number::Int(index)) => Offset::Index(index),
            Some(number::Number::Double(index)) => Offset::Index(index as i64),
            None => Offset::Name(text.clone()),
        },
        _ => Offset::Index(convert::to_int(vm, value)?),
    })
}

/// The offset of a list of the new DOM, which takes integers, floats and, if its members have names, strings.
fn modern_offset(vm: &Vm, object: &PhpObj, value: &Val, testing: bool) -> PhpResult<Offset> {
    let found = match value.view() {
        View::Int(_) | View::Double(_) | View::Str(_) => convert::to_key(vm, value, convert::OffsetUse::Isset)?,
        _ => return Err(illegal_offset(vm, object, value, testing)),
    };
    match found {
        ArrKey::Int(index) => Ok(Offset::Index(index)),
        ArrKey::Str(_) if !is_named(object) => Err(illegal_offset(vm, object, value, testing)),
        ArrKey::Str(name) => Ok(Offset::Name(name)),
    }
}

fn illegal_offset(vm: &Vm, object: &PhpObj, value: &Val, testing: bool) -> Throw {
    let given = convert::type_or_class_name(value);
    let text = match testing {
        true => format!("Cannot access offset of type {given} in isset or empty"),
        false => format!("Cannot access offset of type {given} on {}", object.class_name()),
    };
    vm.throw_type_error(text.as_bytes())
}

fn is_modern_list(object: &PhpObj) -> bool {
    object.class().lower_name.starts_with(b"dom\\")
}

fn is_named(object: &PhpObj) -> bool {
    match &*data(object).shown.borrow() {
        Some((_, Source::Attributes | Source::Entities | Source::Notations)) => true,
        Some((_, Source::Elements { .. })) => is_modern_list(object),
        _ => false,
    }
}

/// The member of a list at an offset, or null.
fn element_at(vm: &Vm, object: &PhpObj, member: Member<'_>, testing: bool) -> PhpResult<Val> {
    let (list, modern) = (data(object), is_modern_list(object));
    let by_name = is_named(object);
    let Member::Element(Some(value)) = member else {
        let class = object.class_name();
        let text =
            if modern { format!("Cannot append to {class}") } else { format!("Cannot access {class} without offset") };
        return Err(vm.throw_error(text.as_bytes()));
    };
    let value = value.deref();
    let offset = if modern { modern_offset(vm, object, &value, testing)? } else { classic_offset(vm, &value)? };
    let is_map = by_name && !matches!(&*list.shown.borrow(), Some((_, Source::Elements { .. })));
    match offset {
        // PHP's search for a negative index in a map ends at the first member.
        Offset::Index(index) if index < 0 && is_map && modern && !testing => list.item(vm, 0),
        Offset::Index(index) if !PLACES.contains(&index) && is_map && !modern && !testing => {
            Err(vm.throw_value_error(format!("must be between 0 and {}", PLACES.end()).as_bytes()))
        }
        Offset::Index(index) => list.item(vm, index),
        Offset::Name(name) if is_map => named(vm, list, None, &name),
        Offset::Name(name) if by_name => element_named(vm, list, &name),
        Offset::Name(_) => Ok(Val::NULL),
    }
}

fn read_element(vm: &Vm, object: &PhpObj, member: Member<'_>, _usage: MemberUse) -> PhpResult<Val> {
    element_at(vm, object, member, false)
}

fn element_exists(vm: &Vm, object: &PhpObj, member: Member<'_>, empty: bool) -> PhpResult<bool> {
    let value = element_at(vm, object, member, true)?;
    Ok(if empty { convert::to_bool(&value) } else { !value.is_null() })
}

fn refuse_write(vm: &Vm, object: &PhpObj, _member: Member<'_>, _value: Val) -> PhpResult<()> {
    Err(vm.throw_error(&[b"Cannot use object of type ", &object.class_name()[..], b" as array"].concat()))
}

fn refuse_unset(vm: &Vm, object: &PhpObj, member: Member<'_>) -> PhpResult<()> {
    refuse_write(vm, object, member, Val::NULL)
}

/// The handlers of `$list[..]`, which can be read but not written.
pub static ELEMENTS: MemberHooks =
    MemberHooks { read: read_element, write: refuse_write, exists: element_exists, unset: refuse_unset };
