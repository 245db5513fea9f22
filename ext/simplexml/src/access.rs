//! Children as properties, attributes as array elements, and conversions.

use crate::element::{Element, View, data, element, object_like};
use phlox_libxml::{Kind, Node};
use phlox_runtime::class::{CastTo, Member, MemberHooks, MemberUse, Purpose};
use phlox_runtime::{Key, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Val, View as ValView, Vm, convert, number};

/// The handlers of both properties and array elements.
pub static MEMBERS: MemberHooks = MemberHooks { read, write, exists, unset };

/// The member that an access names.
enum Which {
    /// `[]`: a new member.
    New,
    Index(i64),
    Name(PhpStr),
}

fn which(vm: &Vm, member: Member<'_>) -> PhpResult<Which> {
    Ok(match member {
        Member::Property(name) => Which::Name(name.clone()),
        Member::Element(None) => Which::New,
        Member::Element(Some(value)) => {
            let value = value.deref();
            match value.view() {
                ValView::Int(index) => Which::Index(index),
                ValView::Str(name) => Which::Name(name.clone()),
                _ => Which::Name(convert::to_str(vm, &value)?),
            }
        }
    })
}

/// Whether an access is to attributes. Otherwise it is to children, and a number selects a node of the view.
fn means_attributes(element: &Element, member: Member<'_>, which: &Which) -> bool {
    if element.view == View::Attributes {
        return true;
    }
    matches!(member, Member::Element(_)) && matches!(which, Which::Name(_))
}

/// The attributes that the element's view and namespace show.
fn attributes(element: &Element, holder: &Node) -> Vec<Node> {
    let test = element.name.as_ref().filter(|_| element.view == View::Attributes);
    holder
        .attributes()
        .filter(|attribute| test.is_none_or(|name| attribute.name_is(name)) && element.in_namespace(attribute))
        .collect()
}

/// The node whose attributes or children an access is to.
fn holder(element: &Element) -> Option<Node> {
    match element.view {
        View::Attributes | View::Children | View::Itself => Some(element.node.clone()),
        View::Named => element.first(),
    }
}

fn find_attribute(element: &Element, holder: &Node, which: &Which) -> Option<Node> {
    let all = attributes(element, holder);
    match which {
        Which::Index(index) => usize::try_from(*index).ok().and_then(|index| all.get(index).cloned()),
        Which::Name(name) => all.into_iter().find(|attribute| attribute.name_is(name)),
        Which::New => None,
    }
}

fn find_child(element: &Element, parent: &Node, name: &[u8]) -> Option<Node> {
    parent.children().find(|child| child.is(Kind::Element) && element.in_namespace(child) && child.name_is(name))
}

/// The node of the view at an offset, and the number of nodes before it.
fn at_offset(element: &Element, offset: i64) -> (Option<Node>, i64) {
    if element.view == View::Itself {
        return (Some(element.node.clone()).filter(|_| offset == 0), 0);
    }
    let mut count = 0;
    for node in element.shown() {
        if count == offset {
            return (Some(node), count);
        }
        count += 1;
    }
    (None, count)
}

/// Warns in the name of the running function, because an access has no function of its own.
fn warn(vm: &Vm, message: &[u8]) -> PhpResult<()> {
    vm.warning(&[&vm.active_function()[..], b"(): ", message].concat())
}

fn cannot_add(vm: &Vm, name: &[u8], offset: i64, count: i64) -> PhpResult<()> {
    let tail = format!(" number {offset} when only {count} such elements exist");
    warn(vm, &[b"Cannot add element ", name, tail.as_bytes()].concat())
}

/// Adds a child with a plain text, in the namespace of `like` or of the parent.
fn add_child(parent: &Node, like: Option<&Node>, name: &[u8], text: Option<&[u8]>) -> Option<Node> {
    let child = Node::new_element(parent.document().as_ref(), name)?;
    let namespace = match like {
        Some(like) => like.namespace(),
        None => parent.namespace(),
    };
    parent.insert_child(&child, None);
    child.set_namespace(namespace.as_ref());
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        child.insert_child(&Node::new_text(parent.document().as_ref(), text)?, None);
    }
    Some(child)
}

fn read(vm: &Vm, object: &PhpObj, member: Member<'_>, usage: MemberUse) -> PhpResult<Val> {
    let own = element(vm, object)?;
    let which = which(vm, member)?;
    if matches!(which, Which::New) {
        let at_root = own.target().and_then(|node| node.parent()).is_some_and(|parent| parent.kind().is_document());
        if own.view == View::Attributes || (own.view != View::Children && at_root) {
            return Err(vm.throw_error(b"Cannot create unnamed attribute"));
        }
    }
    let like = |node: Node, view, name| object_like(vm, object, own.with(node, view, name));
    if means_attributes(&own, member, &which) {
        let found = holder(&own).and_then(|holder| find_attribute(&own, &holder, &which));
        return found.map_or(Ok(Val::NULL), |attribute| like(attribute, View::Itself, None));
    }
    let creates = usage == MemberUse::Inside;
    // A missing child is made when something inside of it is written.
    let missing = || if creates { made_child(&own) } else { None };
    match which {
        Which::Name(name) => {
            let parent = if own.view == View::Children { Some(own.node.clone()) } else { own.target() };
            let Some(parent) = parent.or_else(missing) else {
                return Ok(Val::NULL);
            };
            let is_missing =
                matches!(usage, MemberUse::Quiet | MemberUse::Inside) && find_child(&own, &parent, &name).is_none();
            if usage == MemberUse::Quiet && is_missing {
                return Ok(Val::NULL);
            }
            let child = like(parent, View::Named, Some(name.to_vec()))?;
            if is_missing {
                data(object).inside.set(child.clone());
            }
            Ok(child)
        }
        Which::Index(_) | Which::New => {
            let Some(first) = own.target() else {
                return missing().map_or(Ok(Val::NULL), |child| like(child, View::Itself, None));
            };
            let offset = if let Which::Index(offset) = which { Some(offset) } else { None };
            if own.view == View::Itself {
                if let Some(offset) = offset.filter(|&offset| offset > 0) {
                    cannot_add(vm, &first.name(), offset, 0)?;
                }
                return like(first, View::Itself, None);
            }
            let (found, count) = match offset {
                Some(offset) => at_offset(&own, offset),
                None => (None, 0),
            };
            if let Some(node) = found {
                return like(node, View::Itself, None);
            }
            if !creates {
                return Ok(Val::NULL);
            }
            if let Some(offset) = offset.filter(|&offset| count < offset) {
                cannot_add(vm, &first.name(), offset, count)?;
            }
            let Some(parent) = first.parent() else { return Ok(Val::NULL) };
            match add_child(&parent, Some(&first), &first.name(), None) {
                Some(child) => like(child, View::Itself, None),
                None => Ok(Val::NULL),
            }
        }
    }
}

/// The text of an assigned value.
fn assigned_text(vm: &Vm, value: &Val, to_attribute: bool) -> PhpResult<PhpStr> {
    if let ValView::Obj(other) = value.view() {
        if phlox_runtime::ObjExt::class(other).lower_name.as_bytes() == b"simplexmlelement" {
            return Ok(PhpStr::new(&text_of(&element(vm, other)?)));
        }
    }
    match value.view() {
        ValView::Obj(_) | ValView::Arr(_) | ValView::Res(_) => {
            let target = if to_attribute { "attributes" } else { "properties" };
            let given = convert::value_name(value);
            let message = format!("It's not possible to assign a complex type to {target}, {given} given");
            Err(vm.throw_type_error(message.as_bytes()))
        }
        _ => convert::to_str(vm, value),
    }
}

/// Replaces the contents of a node by a text.
fn set_text(node: &Node, text: &[u8]) {
    if node.is(Kind::Attribute) {
        node.set_attribute_text(text);
        return;
    }
    node.take_children();
    if !text.is_empty() {
        if let Some(content) = Node::new_text(node.document().as_ref(), text) {
            node.insert_child(&content, None);
        }
    }
}

fn write(vm: &Vm, object: &PhpObj, member: Member<'_>, value: Val) -> PhpResult<()> {
    let own = element(vm, object)?;
    let mut which = which(vm, member)?;
    let to_attribute = means_attributes(&own, member, &which);
    match &which {
        Which::New if own.view == View::Attributes => {
            return Err(vm.throw_error(b"Cannot append to an attribute list"));
        }
        Which::Name(name) => {
            let was_text = matches!(member, Member::Property(_))
                || matches!(member, Member::Element(Some(value)) if value.deref().as_str().is_some());
            let name = if was_text { name.clone() } else { PhpStr::new(name.trim_ascii()) };
            if name.is_empty() {
                let what = if to_attribute { "attribute" } else { "element" };
                return Err(vm.throw_value_error(format!("Cannot create {what} with an empty name").as_bytes()));
            }
            which = Which::Name(name);
        }
        _ => {}
    }
    let target = if own.view == View::Children { Some(own.node.clone()) } else { own.target() };
    if matches!(which, Which::New) && own.view != View::Children {
        let at_root = target.as_ref().and_then(Node::parent).is_some_and(|parent| parent.kind().is_document());
        if at_root {
            return Err(vm.throw_value_error(b"Cannot append to an attribute list"));
        }
    }
    let text = assigned_text(vm, &value.deref(), to_attribute)?;
    if to_attribute {
        return write_attribute(vm, &own, &which, &text);
    }
    match which {
        Which::Name(name) => {
            let Some(parent) = target.or_else(|| made_child(&own)) else { return Ok(()) };
            let same =
                |child: &Node| !matches!(child.kind(), Kind::Text) && child.name_is(&name) && own.in_namespace(child);
            let found: Vec<_> = parent.children().filter(same).collect();
            match found.as_slice() {
                [] => {
                    let made = add_child(&parent, None, &name, Some(&text));
                    // An empty text node makes the element be written with two tags.
                    if let (Some(made), true) = (made, text.is_empty()) {
                        let empty = Node::new_text(made.document().as_ref(), b"");
                        empty.iter().for_each(|empty| made.insert_child(empty, None));
                    }
                }
                [one] => set_text(one, &text),
                _ => duplicate(vm)?,
            }
            Ok(())
        }
        Which::Index(_) | Which::New => write_index(vm, &own, target, &which, &text),
    }
}

fn duplicate(vm: &Vm) -> PhpResult<()> {
    warn(vm, b"Cannot assign to an array of nodes (duplicate subnodes or attr detected)")
}

/// Makes the child that a view names and that does not exist.
fn made_child(own: &Element) -> Option<Node> {
    match (&own.view, &own.name) {
        (View::Named, Some(name)) => add_child(&own.node, None, name, None),
        _ => None,
    }
}

fn write_index(vm: &Vm, own: &Element, target: Option<Node>, which: &Which, text: &[u8]) -> PhpResult<()> {
    let Some(first) = target else {
        if let (View::Named, Some(name)) = (own.view, &own.name) {
            add_child(&own.node, None, name, Some(text));
        }
        return Ok(());
    };
    if first.is(Kind::Attribute) {
        return Err(vm.throw_error(b"Cannot create duplicate attribute"));
    }
    let offset = if let Which::Index(offset) = which { Some(*offset) } else { None };
    if own.view == View::Itself {
        if let Some(offset) = offset.filter(|&offset| offset > 0) {
            return cannot_add(vm, &first.name(), offset, 0);
        }
        set_text(&first, text);
        return Ok(());
    }
    let (found, count) = offset.map_or((None, 0), |offset| at_offset(own, offset));
    match found {
        Some(node) => set_text(&node, text),
        None => {
            if let Some(offset) = offset.filter(|&offset| count < offset) {
                cannot_add(vm, &first.name(), offset, count)?;
            }
            if let Some(parent) = first.parent() {
                add_child(&parent, Some(&first), &first.name(), Some(text));
            }
        }
    }
    Ok(())
}

fn write_attribute(vm: &Vm, own: &Element, which: &Which, text: &[u8]) -> PhpResult<()> {
    let holder = match own.view {
        View::Attributes | View::Itself | View::Children => Some(own.node.clone()),
        View::Named => own.first().or_else(|| made_child(own)),
    };
    let Some(holder) = holder else { return Ok(()) };
    if let Some(found) = find_attribute(own, &holder, which) {
        found.set_attribute_text(text);
        return Ok(());
    }
    match which {
        Which::Index(index) => {
            let count = attributes(own, &holder).len();
            let message = format!("Cannot change attribute number {index} when only {count} attributes exist");
            warn(vm, message.as_bytes())
        }
        Which::Name(name) => {
            if let Some(attribute) = Node::new_attribute(holder.document().as_ref(), name, text) {
                holder.add_attribute(&attribute);
            }
            Ok(())
        }
        Which::New => Ok(()),
    }
}

fn exists(vm: &Vm, object: &PhpObj, member: Member<'_>, empty: bool) -> PhpResult<bool> {
    let own = element(vm, object)?;
    let which = which(vm, member)?;
    let is_zero = |text: &[u8]| text.is_empty() || text == b"0";
    if means_attributes(&own, member, &which) {
        let found = holder(&own).and_then(|holder| find_attribute(&own, &holder, &which));
        return Ok(found.is_some_and(|attribute| !empty || !is_zero(&attribute.text())));
    }
    let found = match &which {
        Which::Index(index) => at_offset(&own, *index).0,
        Which::Name(name) => {
            let parent = if own.view == View::Children { Some(own.node.clone()) } else { own.target() };
            parent.and_then(|parent| find_child(&own, &parent, name))
        }
        Which::New => None,
    };
    Ok(found.is_some_and(|node| !empty || !is_empty_node(&node)))
}

/// Whether a node has no content or a text that is false.
fn is_empty_node(node: &Node) -> bool {
    match node.first_child() {
        None => true,
        Some(only) if only.is(Kind::Text) && only.next().is_none() => {
            matches!(only.own_text().unwrap_or_default().as_slice(), b"" | b"0")
        }
        Some(_) => false,
    }
}

fn unset(vm: &Vm, object: &PhpObj, member: Member<'_>) -> PhpResult<()> {
    let own = element(vm, object)?;
    let which = which(vm, member)?;
    if means_attributes(&own, member, &which) {
        if let Some(found) = holder(&own).and_then(|holder| find_attribute(&own, &holder, &which)) {
            found.unlink();
        }
        return Ok(());
    }
    match which {
        Which::Index(index) => {
            if let (Some(node), _) = at_offset(&own, index) {
                node.unlink();
            }
        }
        Which::Name(name) => {
            let parent = if own.view == View::Children { Some(own.node.clone()) } else { own.target() };
            let Some(parent) = parent else { return Ok(()) };
            let same = |child: &Node| !child.is(Kind::Text) && child.name_is(&name) && own.in_namespace(child);
            let found: Vec<_> = parent.children().filter(same).collect();
            found.iter().for_each(Node::unlink);
        }
        Which::New => {}
    }
    Ok(())
}

/// The text of the node that an object stands for.
pub fn text_of(own: &Element) -> Vec<u8> {
    let Some(node) = own.target() else { return Vec::new() };
    if node.first_child().is_some() {
        return node.children_text(false).unwrap_or_default();
    }
    match node.kind() {
        Kind::Comment | Kind::Instruction if own.view == View::Itself => node.own_text().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Converts an element for the engine: `None` leaves a string to the subclass's own `__toString()`.
pub fn cast(vm: &Vm, object: &PhpObj, to: CastTo) -> PhpResult<Option<Val>> {
    let own_method = object.class().magic.to_string.as_ref().is_some_and(|method| !method.is_native());
    if to == CastTo::String && own_method {
        return Ok(None);
    }
    let own = data(object).element.borrow().clone();
    if to == CastTo::Bool {
        let Some(own) = own else { return Ok(Some(false.into())) };
        let only = own.node.first_child().filter(|only| own.view == View::Itself && only.next().is_none());
        // An element with a single text is true even if the text is blank.
        if only.is_some_and(|only| only.is(Kind::Text) && only.own_text().is_some_and(|text| !text.is_empty())) {
            return Ok(Some(true.into()));
        }
        let has_children = match own.view {
            View::Itself => own.shown_from(own.node.first_child()).is_some(),
            _ => own.first().is_some(),
        };
        if has_children {
            return Ok(Some(true.into()));
        }
        return Ok(Some((!property_table(vm, object, &own, true)?.is_empty()).into()));
    }
    let text = Val::str(&own.map(|own| text_of(&own)).unwrap_or_default());
    Ok(Some(match to {
        CastTo::Int => Val::int(convert::to_int(vm, &text)?),
        CastTo::Float => Val::double(convert::to_double(vm, &text)?),
        CastTo::Number => match text.as_str().and_then(|text| number::numeric_prefix(text)).map(|found| found.number) {
            Some(number::Number::Double(double)) => Val::double(double),
            Some(number::Number::Int(int)) => Val::int(int),
            None => Val::int(0),
        },
        _ => text,
    }))
}

/// The properties that the engine sees, which the object keeps.
pub fn properties(vm: &Vm, object: &PhpObj, _purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    let own = data(object).element.borrow().clone();
    let Some(own) = own else { return Ok(Some(PhpArr::new())) };
    let kept = &data(object).table;
    kept.set(Val::UNDEF);
    let table = property_table(vm, object, &own, false)?;
    kept.set((&table).into());
    Ok(Some(table))
}

/// A child as a value: its text if it begins with a text, otherwise an object.
fn child_value(vm: &Vm, object: &PhpObj, own: &Element, node: &Node) -> PhpResult<Val> {
    match node.first_child() {
        Some(first) if first.is(Kind::Text) && !first.is_blank() => {
            Ok(Val::str(&node.children_text(false).unwrap_or_default()))
        }
        _ => object_like(vm, object, own.with(node.clone(), View::Itself, None)),
    }
}

fn add(table: &mut PhpArr, key: &[u8], value: Val) {
    let name = PhpStr::new(key);
    let key = Key::from_str(&name);
    match table.get(key).cloned() {
        None => drop(table.insert(key, value)),
        Some(known) => {
            let mut list = match known.view() {
                ValView::Arr(list) => list.clone(),
                _ => PhpArr::from_vec(vec![known.clone()]),
            };
            let _ = list.push(value);
            drop(table.insert(key, list.into()));
        }
    }
}

/// A table of the attributes and children, which `var_dump` and conversions to arrays show.
pub fn property_table(vm: &Vm, object: &PhpObj, own: &Element, debug: bool) -> PhpResult<PhpArr> {
    let mut table = PhpArr::new();
    if debug || own.view != View::Children {
        let holder = if own.view == View::Named { own.first() } else { Some(own.node.clone()) };
        if let Some(holder) = holder {
            let mut shown = PhpArr::new();
            for attribute in attributes(own, &holder) {
                let value = Val::str(&attribute.children_text(false).unwrap_or_default());
                shown.insert(Key::from_str(&PhpStr::new(&attribute.name())), value);
            }
            if !shown.is_empty() {
                add(&mut table, b"@attributes", shown.into());
            }
        }
    }
    if own.view == View::Attributes {
        return Ok(table);
    }
    let Some(node) = own.target() else { return Ok(table) };
    if node.is(Kind::Attribute) {
        let _ = table.push(Val::str(&node.children_text(false).unwrap_or_default()));
        return Ok(table);
    }
    let mut in_list = false;
    let mut at = match own.view {
        View::Children => Some(node),
        View::Itself => node.first_child(),
        _ => {
            let only_text =
                node.first_child().is_some_and(|first| first.next().is_none() && first.first_child().is_none());
            let alone = node.parent().is_none_or(|parent| parent.first_child() == parent.last_child());
            if !only_text || alone || node.next().is_none() {
                node.first_child()
            } else {
                in_list = true;
                own.first()
            }
        }
    };
    while let Some(node) = at {
        let skips_text =
            node.first_child().is_some() || node.previous().is_some() || node.next().is_some() || node.is_blank();
        let shown = if node.is(Kind::Text) {
            if !skips_text && !node.own_text().unwrap_or_default().is_empty() {
                let _ = table.push(Val::str(&node.own_text().unwrap_or_default()));
            }
            false
        } else {
            !(node.is(Kind::Element) && !own.in_namespace(&node)) && !node.name().is_empty()
        };
        if shown {
            let value = child_value(vm, object, own, &node)?;
            if in_list {
                let _ = table.push(value);
            } else {
                let name = node.name();
                let name: &[u8] = match node.kind() {
                    Kind::Comment => b"comment",
                    _ => &name,
                };
                add(&mut table, name, value);
            }
        }
        if node.is(Kind::EntityDeclaration) {
            break;
        }
        at = if in_list { own.after(&node) } else { node.next() };
    }
    Ok(table)
}
