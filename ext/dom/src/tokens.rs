//! `Dom\TokenList`: the words of an element's attribute `class`.

use crate::errors;
use crate::objects::this;
use phlox_ext_core::iterator::{self, Source as Walk};
use phlox_libxml::Node;
use phlox_runtime::class::{Member, MemberHooks, MemberUse, NativeHooks};
use phlox_runtime::{Call, Edges, NativeData, ObjExt, PhpObj, PhpResult, PhpStr, Val, View, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const CLASS: &[u8] = b"class";

/// Hooks of `Dom\TokenList`.
pub const HOOKS: NativeHooks = NativeHooks {
    create: Some(create),
    debug_info: Some(crate::objects::debug_info),
    no_clone: true,
    no_serialize: true,
    own_elements: Some(&ELEMENTS),
    ..NativeHooks::NONE
};

/// The native part of a token list: the element whose attribute it shows.
#[derive(Default)]
struct TokenData(RefCell<Option<Node>>);

impl NativeData for TokenData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {
        self.0.take();
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(TokenData::default()));
}

/// Reads `Dom\Element::$classList`: gives the same object as long as that lives.
pub fn get_class_list(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let known = crate::objects::token_list(call.this());
    if let Some(object) = phlox_value::object_by_handle(known.get()) {
        let same = object.native::<TokenData>().is_some_and(|data| data.0.borrow().as_ref() == Some(&element));
        if same {
            return Ok(object.into());
        }
    }
    let object = call.vm.instantiate(&call.vm.require_class(b"Dom\\TokenList")?)?;
    if let Some(data) = object.native::<TokenData>() {
        *data.0.borrow_mut() = Some(element);
    }
    known.set(object.handle());
    Ok(object.into())
}

fn element_of(object: &PhpObj) -> Option<Node> {
    object.native::<TokenData>().and_then(|data| data.0.borrow().clone())
}

fn text_of(object: &PhpObj) -> Vec<u8> {
    let attribute = element_of(object).and_then(|element| element.attribute_ns(None, CLASS));
    attribute.map(|attribute| attribute.text()).unwrap_or_default()
}

/// The words of the attribute in their order, without duplicates.
fn tokens_of(object: &PhpObj) -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    for word in text_of(object).split(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')) {
        if !word.is_empty() && !tokens.iter().any(|known| known == word) {
            tokens.push(word.to_vec());
        }
    }
    tokens
}

fn set_text(object: &PhpObj, text: &[u8]) {
    let Some(element) = element_of(object) else { return };
    match element.attribute_ns(None, CLASS) {
        Some(attribute) => attribute.set_attribute_text(text),
        None => {
            if let Some(attribute) = Node::new_attribute(element.document().as_ref(), CLASS, text) {
                element.add_attribute(&attribute);
            }
        }
    }
}

/// Writes the words back. No empty attribute is made for an element that has none.
fn update(object: &PhpObj, tokens: &[Vec<u8>]) {
    let present = element_of(object).is_some_and(|element| element.attribute_ns(None, CLASS).is_some());
    if present || !tokens.is_empty() {
        set_text(object, &tokens.join(&b' '));
    }
}

/// Reads `Dom\TokenList::$value`: the attribute's text.
pub fn get_value(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&text_of(call.this())))
}

/// Sets `Dom\TokenList::$value`.
pub fn set_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if text.contains(&0) {
        return Err(call.vm.throw_value_error(b"Value must not contain any null bytes"));
    }
    set_text(call.this(), &text);
    Ok(Val::NULL)
}

/// `Dom\TokenList::$length` and `Dom\TokenList::count()`.
pub fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(tokens_of(call.this()).len() as i64))
}

fn at(object: &PhpObj, index: i64) -> Val {
    let index = usize::try_from(index).ok();
    index.and_then(|index| tokens_of(object).get(index).map(|token| Val::str(token))).unwrap_or(Val::NULL)
}

/// `Dom\TokenList::item()`: null where there is no such token.
pub fn item(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(at(call.this(), call.int(0)))
}

/// `Dom\TokenList::contains()`.
pub fn contains(call: &mut Call<'_>) -> PhpResult<Val> {
    let token = token_argument(call, 0)?;
    Ok(tokens_of(call.this()).contains(&token.to_vec()).into())
}

/// A string argument, which must not contain null bytes.
fn token_argument(call: &Call<'_>, index: usize) -> PhpResult<PhpStr> {
    let token = call.str(index);
    if token.contains(&0) {
        return Err(call.value_error(index, "must not contain any null bytes"));
    }
    Ok(token)
}

/// Throws unless the token is one word.
fn check(vm: &Vm, token: &[u8]) -> PhpResult<()> {
    if token.is_empty() {
        return Err(errors::raise_with(vm, errors::SYNTAX, "The empty string is not a valid token"));
    }
    if token.iter().any(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')) {
        let message = "The token must not contain any ASCII whitespace";
        return Err(errors::raise_with(vm, errors::INVALID_CHARACTER, message));
    }
    Ok(())
}

/// The words of a variadic call, each of which must be a valid token.
fn words(call: &Call<'_>) -> PhpResult<Vec<Vec<u8>>> {
    let mut words = Vec::new();
    for (index, value) in call.rest(0).iter().enumerate() {
        let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
        let number = index + 1;
        let View::Str(word) = value.view() else {
            let given = convert::value_name(value);
            let text = format!("{name}(): Argument #{number} must be of type string, {given} given");
            return Err(call.vm.throw_type_error(text.as_bytes()));
        };
        if word.contains(&0) {
            let text = format!("{name}(): Argument #{number} must not contain any null bytes");
            return Err(call.vm.throw_value_error(text.as_bytes()));
        }
        check(call.vm, word)?;
        words.push(word.to_vec());
    }
    Ok(words)
}

/// `Dom\TokenList::add()`.
pub fn add(call: &mut Call<'_>) -> PhpResult<Val> {
    let words = words(call)?;
    let mut tokens = tokens_of(call.this());
    for word in words {
        if !tokens.contains(&word) {
            tokens.push(word);
        }
    }
    update(call.this(), &tokens);
    Ok(Val::NULL)
}

/// `Dom\TokenList::remove()`.
pub fn remove(call: &mut Call<'_>) -> PhpResult<Val> {
    let words = words(call)?;
    let mut tokens = tokens_of(call.this());
    tokens.retain(|token| !words.contains(token));
    update(call.this(), &tokens);
    Ok(Val::NULL)
}

/// `Dom\TokenList::toggle()`.
pub fn toggle(call: &mut Call<'_>) -> PhpResult<Val> {
    let (token, force) = (token_argument(call, 0)?.to_vec(), call.opt_bool(1));
    check(call.vm, &token)?;
    let mut tokens = tokens_of(call.this());
    if let Some(index) = tokens.iter().position(|known| *known == token) {
        if force == Some(true) {
            return Ok(true.into());
        }
        tokens.remove(index);
        update(call.this(), &tokens);
        return Ok(false.into());
    }
    if force == Some(false) {
        return Ok(false.into());
    }
    tokens.push(token);
    update(call.this(), &tokens);
    Ok(true.into())
}

/// `Dom\TokenList::replace()`.
pub fn replace(call: &mut Call<'_>) -> PhpResult<Val> {
    let (token, new) = (token_argument(call, 0)?.to_vec(), token_argument(call, 1)?.to_vec());
    for word in [&token, &new] {
        if word.is_empty() {
            check(call.vm, word)?;
        }
    }
    check(call.vm, &token)?;
    check(call.vm, &new)?;
    let mut tokens = tokens_of(call.this());
    let Some(index) = tokens.iter().position(|known| *known == token) else { return Ok(false.into()) };
    match tokens.iter().position(|known| *known == new) {
        Some(other) if other < index => drop(tokens.remove(index)),
        Some(other) if other > index => {
            tokens[index] = new;
            tokens.remove(other);
        }
        _ => tokens[index] = new,
    }
    update(call.this(), &tokens);
    Ok(true.into())
}

/// `Dom\TokenList::supports()`: always throws, because `class` has no list of supported tokens.
pub fn supports(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(call.vm.throw_type_error(b"Attribute \"class\" does not define any supported tokens"))
}

struct Walker {
    list: PhpObj,
    index: Cell<usize>,
    /// The words at the iterator's last step.
    seen: RefCell<Vec<Vec<u8>>>,
}

impl Walker {
    /// The index of the current word in the list as it is now, and true. If the word was removed, the index of the next
    /// one that still exists, and false.
    fn place(&self) -> (usize, bool) {
        let (tokens, index) = (tokens_of(&self.list), self.index.get());
        let seen = self.seen.borrow();
        let place = |word: &Vec<u8>| tokens.iter().position(|token| token == word);
        let found = seen.iter().skip(index).enumerate().find_map(|(steps, word)| Some((place(word)?, steps == 0)));
        let gone =
            if index < seen.len() && seen.iter().any(|word| place(word).is_some()) { tokens.len() } else { index };
        let found = found.unwrap_or((gone, true));
        drop(seen);
        self.index.set(found.0);
        self.seen.replace(tokens);
        found
    }
}

impl Walk for Walker {
    fn rewind(&self) {
        self.index.set(0);
        self.seen.replace(tokens_of(&self.list));
    }

    fn valid(&self) -> bool {
        self.place().0 < self.seen.borrow().len()
    }

    fn current(&self) -> Val {
        at(&self.list, self.place().0 as i64)
    }

    fn key(&self) -> Val {
        Val::int(self.place().0 as i64)
    }

    fn advance(&self) {
        let (place, is_current) = self.place();
        self.index.set(place + usize::from(is_current));
    }

    fn trace(&self, edges: &mut Edges) {
        edges.object(&self.list);
    }
}

/// `Dom\TokenList::getIterator()`.
pub fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let list = call.this().clone();
    let walker = Walker { seen: RefCell::new(tokens_of(&list)), list, index: Cell::new(0) };
    iterator::create(call, Box::new(walker))
}

/// The index that an offset in brackets stands for.
fn offset(vm: &Vm, object: &PhpObj, member: Member<'_>, testing: bool) -> PhpResult<i64> {
    let Member::Element(Some(value)) = member else {
        return Err(vm.throw_error(&[b"Cannot append to ", &object.class_name()[..]].concat()));
    };
    let value = value.deref();
    let illegal = |value: &Val| {
        let given = convert::type_or_class_name(value);
        let text = match testing {
            true => format!("Cannot access offset of type {given} in isset or empty"),
            false => format!("Cannot access offset of type {given} on Dom\\TokenList"),
        };
        vm.throw_type_error(text.as_bytes())
    };
    match value.view() {
        View::Arr(_) | View::Obj(_) | View::Null => Err(illegal(&value)),
        _ => match convert::to_key(vm, &value, convert::OffsetUse::Isset)? {
            phlox_runtime::ArrKey::Int(index) => Ok(index),
            phlox_runtime::ArrKey::Str(_) => Err(illegal(&value)),
        },
    }
}

fn read_element(vm: &Vm, object: &PhpObj, member: Member<'_>, _usage: MemberUse) -> PhpResult<Val> {
    Ok(at(object, offset(vm, object, member, false)?))
}

fn element_exists(vm: &Vm, object: &PhpObj, member: Member<'_>, empty: bool) -> PhpResult<bool> {
    let value = at(object, offset(vm, object, member, true)?);
    Ok(if empty { convert::to_bool(&value) } else { !value.is_null() })
}

fn refuse_write(vm: &Vm, _object: &PhpObj, _member: Member<'_>, _value: Val) -> PhpResult<()> {
    Err(vm.throw_error(b"Cannot use object of type Dom\\TokenList as array"))
}

fn refuse_unset(vm: &Vm, object: &PhpObj, member: Member<'_>) -> PhpResult<()> {
    refuse_write(vm, object, member, Val::NULL)
}

static ELEMENTS: MemberHooks =
    MemberHooks { read: read_element, write: refuse_write, exists: element_exists, unset: refuse_unset };
