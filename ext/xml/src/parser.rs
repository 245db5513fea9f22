//! The native part of an `XMLParser`: libxml2's parser, the handlers, and the tables of `xml_parse_into_struct`.

use phlox_libxml::{Attribute, ElementName, EventParser, Events};
use phlox_runtime::vm::Callee;
use phlox_runtime::{Edges, Key, NativeData, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Slot, Val, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// An event for which a script can set a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handler {
    Start,
    End,
    Characters,
    Instruction,
    Default,
    UnparsedEntity,
    Notation,
    ExternalEntity,
    StartNamespace,
    EndNamespace,
}

const HANDLERS: usize = 10;

/// The encoding of the texts that handlers get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Latin1,
    Ascii,
    Utf8,
}

impl Target {
    /// The encoding with a name, in any case; `None` for encodings that handlers cannot get.
    pub fn named(name: &[u8]) -> Option<Target> {
        match &name.to_ascii_uppercase()[..] {
            b"ISO-8859-1" => Some(Target::Latin1),
            b"US-ASCII" => Some(Target::Ascii),
            b"UTF-8" => Some(Target::Utf8),
            _ => None,
        }
    }

    /// The name of the encoding.
    pub fn name(self) -> &'static str {
        match self {
            Target::Latin1 => "ISO-8859-1",
            Target::Ascii => "US-ASCII",
            Target::Utf8 => "UTF-8",
        }
    }

    /// Converts UTF-8 to this encoding. Characters that it lacks become question marks.
    fn encode(self, text: &[u8]) -> Vec<u8> {
        let last = match self {
            Target::Utf8 => return text.to_vec(),
            Target::Latin1 => 0xff,
            Target::Ascii => 0x7f,
        };
        let byte = |c: char| u8::try_from(c as u32).ok().filter(|&byte| byte <= last).unwrap_or(b'?');
        String::from_utf8_lossy(text).chars().map(byte).collect()
    }
}

/// The depth up to which `xml_parse_into_struct` describes elements.
const LEVEL_MAX: i64 = 255;

/// The tables that `xml_parse_into_struct` fills.
#[derive(Default)]
struct Struct {
    values: RefCell<Option<PhpRef>>,
    index: RefCell<Option<PhpRef>>,
    /// The index of the last opened element's row in the values.
    last_opened: Cell<i64>,
    was_opened: Cell<bool>,
    rows: Cell<i64>,
}

/// The native part of an `XMLParser`, to which libxml2's parser sends its events.
pub struct Data {
    /// libxml2's parser, from `start` on.
    pub parser: RefCell<Option<Rc<EventParser>>>,
    handlers: [Slot; HANDLERS],
    /// Whether each handler was set, even to null.
    known: [Cell<bool>; HANDLERS],
    /// The object whose methods handlers name.
    pub object: Slot,
    own: Cell<Option<u32>>,
    separator: RefCell<Option<Vec<u8>>>,
    /// The encoding of what handlers get.
    pub target: Cell<Target>,
    /// `XML_OPTION_CASE_FOLDING`.
    pub folds_case: Cell<bool>,
    /// `XML_OPTION_SKIP_WHITE`.
    pub skips_white: Cell<bool>,
    /// `XML_OPTION_SKIP_TAGSTART`.
    pub skips_start: Cell<i64>,
    /// `XML_OPTION_PARSE_HUGE`.
    pub is_huge: Cell<bool>,
    /// Whether a parse is running, in which the parser must not be fed.
    pub is_parsing: Cell<bool>,
    level: Cell<i64>,
    /// The open tags, which rows of text name.
    open_tags: RefCell<Vec<Vec<u8>>>,
    tables: Struct,
}

impl NativeData for Holder {
    fn trace(&self, edges: &mut Edges) {
        self.0.handlers.iter().for_each(|slot| slot.trace(edges));
        self.0.object.trace(edges);
    }

    fn clear(&self) {
        self.0.handlers.iter().for_each(|slot| slot.set(Val::NULL));
        self.0.object.set(Val::NULL);
    }
}

/// The native part of the object: data that libxml2's parser refers to as well.
struct Holder(Rc<Data>);

/// Gives a new object its native part, without a parser yet.
pub fn create(_vm: &Vm, object: &PhpObj) {
    let data = Data {
        parser: RefCell::default(),
        handlers: std::array::from_fn(|_| Slot::new(Val::NULL)),
        known: std::array::from_fn(|_| Cell::new(false)),
        object: Slot::new(Val::NULL),
        own: Cell::new(None),
        separator: RefCell::default(),
        target: Cell::new(Target::Utf8),
        folds_case: Cell::new(true),
        skips_white: Cell::new(false),
        skips_start: Cell::new(0),
        is_huge: Cell::new(false),
        is_parsing: Cell::new(false),
        level: Cell::new(0),
        open_tags: RefCell::default(),
        tables: Struct::default(),
    };
    object.set_native(Rc::new(Holder(Rc::new(data))));
}

/// The native part of an `XMLParser`.
pub fn data(object: &PhpObj) -> Rc<Data> {
    match object.native::<Holder>() {
        Some(holder) => holder.0.clone(),
        None => unreachable!("every XMLParser has its data"),
    }
}

/// Makes libxml2's parser. With a separator, names are combined with their namespaces.
pub fn start(object: &PhpObj, separator: Option<&[u8]>, target: Target) {
    let data = data(object);
    data.own.set(Some(object.handle()));
    data.target.set(target);
    *data.separator.borrow_mut() = separator.map(<[u8]>::to_vec);
    // The parser refers to the data weakly, because the data owns the parser.
    let events = Rc::new(Sink(Rc::downgrade(&data)));
    *data.parser.borrow_mut() = EventParser::new(events, separator.is_some()).map(Rc::new);
}

struct Sink(std::rc::Weak<Data>);

impl Data {
    /// Sets a handler, or removes it by null.
    pub fn set_handler(&self, which: Handler, handler: Val) {
        self.handlers[which as usize].set(handler);
        self.known[which as usize].set(true);
    }

    /// The handler of an event; null if there is none.
    pub fn handler(&self, which: Handler) -> Val {
        self.handlers[which as usize].get()
    }

    fn knows(&self, which: Handler) -> bool {
        self.known[which as usize].get()
    }

    /// Makes events fill the tables of `xml_parse_into_struct` from now on.
    pub fn fill(&self, values: PhpRef, index: Option<PhpRef>) {
        drop(self.tables.values.replace(Some(values)));
        drop(self.tables.index.replace(index));
        self.tables.rows.set(0);
        self.tables.was_opened.set(false);
        self.level.set(0);
        for which in [Handler::Start, Handler::End, Handler::Characters] {
            self.known[which as usize].set(true);
        }
    }

    /// Makes events leave the tables alone again.
    pub fn stop_filling(&self) {
        drop(self.tables.values.replace(None));
        drop(self.tables.index.replace(None));
    }

    fn value(&self, text: Option<&[u8]>) -> Val {
        text.map_or(false.into(), |text| Val::str(&self.target.get().encode(text)))
    }

    /// Calls a handler with the parser and the arguments, and gives its result; `None` without a handler or with a
    /// pending exception.
    fn call(&self, which: Handler, arguments: Vec<Val>) -> Option<Val> {
        let handler = self.handler(which);
        let vm = Vm::current()?;
        if handler.is_null() || vm.has_pending.get() {
            return None;
        }
        let own = self.own.get().and_then(phlox_value::object_by_handle)?;
        let mut all = vec![Val::from(own)];
        all.extend(arguments);
        match self.call_handler(vm, &handler, all) {
            Ok(value) => Some(value),
            Err(throw) => {
                vm.set_pending(throw);
                None
            }
        }
    }

    fn call_handler(&self, vm: &Vm, handler: &Val, arguments: Vec<Val>) -> PhpResult<Val> {
        if let (Some(name), Some(object)) = (handler.as_str(), self.object.get().into_obj()) {
            let lower = PhpStr::new(&name.to_ascii_lowercase());
            if let Some(method) = phlox_runtime::ObjExt::class(&object).method(&lower).cloned() {
                return vm.call(&Callee::method(method, object), arguments).map(Val::into_deref);
            }
        }
        vm.call_value(handler, arguments).map(Val::into_deref)
    }

    fn tag(&self, name: &[u8]) -> Vec<u8> {
        let name = self.target.get().encode(name);
        if self.folds_case.get() { name.to_ascii_uppercase() } else { name }
    }

    /// A tag without the bytes that `XML_OPTION_SKIP_TAGSTART` skips.
    fn shown<'a>(&self, tag: &'a [u8]) -> &'a [u8] {
        let skip = usize::try_from(self.skips_start.get()).unwrap_or(0);
        &tag[skip.min(tag.len())..]
    }

    fn qualified(&self, name: &[u8], uri: Option<&[u8]>) -> Vec<u8> {
        match (uri, &*self.separator.borrow()) {
            (Some(uri), Some(separator)) => [uri, &separator[..separator.len().min(1)], name].concat(),
            _ => name.to_vec(),
        }
    }

    fn attribute_table(&self, attributes: &[Attribute]) -> PhpArr {
        let mut table = PhpArr::new();
        for attribute in attributes {
            let uri = attribute.prefix.as_ref().and(attribute.uri.as_deref());
            let name = self.tag(&self.qualified(&attribute.name, uri));
            let value = Val::str(&self.target.get().encode(&attribute.value));
            let key = phlox_runtime::ArrKey::from_bytes(&name);
            table.insert(key.as_key(), value);
        }
        table
    }

    fn is_filling(&self) -> bool {
        self.tables.values.borrow().is_some() && Vm::current().is_some_and(|vm| !vm.has_pending.get())
    }

    /// Changes the table of values. If the script made it something else than an array, nothing happens.
    fn with_values<R>(&self, change: impl FnOnce(&mut PhpArr) -> R) -> Option<R> {
        let reference = self.tables.values.borrow().clone()?;
        let mut table = reference.slot().replace(Val::NULL);
        let result = table.as_arr_mut().map(change);
        reference.set(table);
        result
    }

    /// Adds the row's number to the index, under its tag.
    fn note(&self, tag: &[u8]) {
        let Some(reference) = self.tables.index.borrow().clone() else { return };
        let mut table = reference.slot().replace(Val::NULL);
        if let Some(table) = table.as_arr_mut() {
            let key = PhpStr::new(tag);
            let (place, _) = table.entry(Key::from_str(&key));
            let mut list = place.take().into_arr().unwrap_or_default();
            let _ = list.push(Val::int(self.tables.rows.get()));
            place.set(list.into());
            self.tables.rows.set(self.tables.rows.get() + 1);
        }
        reference.set(table);
    }

    fn row(&self, tag: Option<&[u8]>, kind: &str) -> PhpArr {
        let mut row = PhpArr::new();
        if let Some(tag) = tag {
            row.set_bytes(b"tag", Val::str(tag));
        }
        row.set_bytes(b"type", kind.into_val());
        row.set_bytes(b"level", Val::int(self.level.get()));
        row
    }

    fn opened(&self, tag: &[u8], attributes: &[Attribute]) {
        if !self.is_filling() {
            return;
        }
        if self.level.get() > LEVEL_MAX {
            if self.level.get() == LEVEL_MAX + 1 {
                if let Some(vm) = Vm::current() {
                    let text = b"xml_parse_into_struct(): Maximum depth exceeded - Results truncated";
                    if let Err(throw) = vm.warning(text) {
                        vm.set_pending(throw);
                    }
                }
            }
            return;
        }
        let shown = self.shown(tag).to_vec();
        self.note(&shown);
        let mut row = self.row(Some(&shown), "open");
        if !attributes.is_empty() {
            row.set_bytes(b"attributes", self.attribute_table(attributes).into());
        }
        self.tables.was_opened.set(true);
        let at = self.with_values(|values| {
            let at = values.next_index();
            let _ = values.push(row.into());
            at
        });
        if let Some(Some(at)) = at {
            self.tables.last_opened.set(at);
        }
    }

    fn closed(&self, tag: &[u8]) {
        if !self.is_filling() {
            return;
        }
        if self.tables.was_opened.replace(false) {
            self.change_opened(|row| row.set_bytes(b"type", "complete".into_val()));
            return;
        }
        let shown = self.shown(tag).to_vec();
        self.note(&shown);
        let row = self.row(Some(&shown), "close");
        self.with_values(|values| {
            let _ = values.push(row.into());
        });
    }

    /// Changes the row of the last opened element.
    fn change_opened(&self, change: impl FnOnce(&mut PhpArr)) {
        let at = self.tables.last_opened.get();
        self.with_values(|values| {
            if let Some(row) = values.get_mut(Key::Int(at)).and_then(Val::as_arr_mut) {
                change(row);
            }
        });
    }

    fn filled(&self, text: &[u8]) {
        if !self.is_filling() {
            return;
        }
        let text = self.target.get().encode(text);
        let is_white = text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
        let wanted = !(self.skips_white.get() && is_white);
        let append = |row: &mut PhpArr| -> bool {
            let key = PhpStr::new(b"value");
            match row.get(Key::from_str(&key)).and_then(|value| value.as_str().cloned()) {
                Some(known) => {
                    row.set_bytes(b"value", Val::str(&[&known[..], &text].concat()));
                    true
                }
                None => false,
            }
        };
        if self.tables.was_opened.get() {
            self.change_opened(|row| {
                if !append(row) && wanted {
                    row.set_bytes(b"value", Val::str(&text));
                }
            });
            return;
        }
        let level = self.level.get();
        let fresh = {
            let mut row = PhpArr::new();
            if let Some(tag) = self.open_tags.borrow().last() {
                row.set_bytes(b"tag", Val::str(self.shown(tag)));
            }
            row.set_bytes(b"value", Val::str(&text));
            row.set_bytes(b"type", "cdata".into_val());
            row.set_bytes(b"level", Val::int(level));
            row
        };
        let within = level <= LEVEL_MAX && level > 0;
        let tag = self.open_tags.borrow().last().map(|tag| self.shown(tag).to_vec());
        let added = self.with_values(|values| {
            // A text continues the last row only.
            let last = values.values().next_back().and_then(Val::as_arr);
            let continues = last
                .and_then(|row| row.get_bytes(b"type"))
                .is_some_and(|kind| kind.as_str().is_some_and(|kind| &kind[..] == b"cdata"));
            let at = values.positions().checked_sub(1);
            if let (true, Some(at)) = (continues, at) {
                if let Some(row) = values.place_at(at).and_then(Val::as_arr_mut) {
                    append(row);
                }
                return false;
            }
            if within && wanted {
                let _ = values.push(fresh.into());
                return true;
            }
            false
        });
        if let (Some(true), Some(tag)) = (added, tag) {
            self.note(&tag);
        }
    }
}

trait IntoVal {
    fn into_val(self) -> Val;
}

impl IntoVal for &str {
    fn into_val(self) -> Val {
        Val::str(self.as_bytes())
    }
}

impl Events for Sink {
    fn start(&self, name: ElementName, attributes: Vec<Attribute>) -> bool {
        let Some(data) = self.0.upgrade() else { return true };
        if !data.knows(Handler::Start) {
            return !data.knows(Handler::Default);
        }
        data.level.set(data.level.get() + 1);
        let tag = data.tag(&data.qualified(&name.name, name.uri.as_deref()));
        data.open_tags.borrow_mut().push(tag.clone());
        if !data.handler(Handler::Start).is_null() {
            let table = data.attribute_table(&attributes);
            data.call(Handler::Start, vec![Val::str(data.shown(&tag)), table.into()]);
        }
        data.opened(&tag, &attributes);
        true
    }

    fn source(&self, text: Vec<u8>) {
        self.default(&text);
    }

    fn end(&self, name: ElementName) {
        let Some(data) = self.0.upgrade() else { return };
        if !data.knows(Handler::End) {
            let shown = match &name.prefix {
                Some(prefix) => [&prefix[..], b":", &name.name].concat(),
                None => name.name,
            };
            return self.default(&[b"</", &shown[..], b">"].concat());
        }
        let tag = data.tag(&data.qualified(&name.name, name.uri.as_deref()));
        data.call(Handler::End, vec![Val::str(data.shown(&tag))]);
        data.closed(&tag);
        data.open_tags.borrow_mut().pop();
        data.level.set(data.level.get() - 1);
    }

    fn characters(&self, text: Vec<u8>) {
        let Some(data) = self.0.upgrade() else { return };
        if !data.knows(Handler::Characters) {
            return self.default(&text);
        }
        data.call(Handler::Characters, vec![data.value(Some(&text))]);
        data.filled(&text);
    }

    fn instruction(&self, target: Vec<u8>, text: Vec<u8>) {
        let Some(data) = self.0.upgrade() else { return };
        if !data.knows(Handler::Instruction) {
            return self.default(&[b"<?", &target[..], b" ", &text, b"?>"].concat());
        }
        data.call(Handler::Instruction, vec![data.value(Some(&target)), data.value(Some(&text))]);
    }

    fn comment(&self, text: Vec<u8>) {
        self.default(&[b"<!--", &text[..], b"-->"].concat());
    }

    fn start_namespace(&self, prefix: Option<Vec<u8>>, uri: Option<Vec<u8>>) {
        let Some(data) = self.0.upgrade() else { return };
        data.call(Handler::StartNamespace, vec![data.value(prefix.as_deref()), data.value(uri.as_deref())]);
    }

    fn unparsed_entity(&self, name: Vec<u8>, public: Option<Vec<u8>>, system: Option<Vec<u8>>, notation: Vec<u8>) {
        let Some(data) = self.0.upgrade() else { return };
        let arguments = [Some(&name[..]), None, system.as_deref(), public.as_deref(), Some(&notation)];
        data.call(Handler::UnparsedEntity, arguments.map(|text| data.value(text)).into());
    }

    fn notation(&self, name: Vec<u8>, public: Option<Vec<u8>>, system: Option<Vec<u8>>) {
        let Some(data) = self.0.upgrade() else { return };
        let arguments = [Some(&name[..]), None, system.as_deref(), public.as_deref()];
        data.call(Handler::Notation, arguments.map(|text| data.value(text)).into());
    }

    fn external_entity(&self, name: Vec<u8>, system: Option<Vec<u8>>, public: Option<Vec<u8>>) -> bool {
        let Some(data) = self.0.upgrade() else { return true };
        if !data.knows(Handler::ExternalEntity) {
            return true;
        }
        let arguments = [Some(&name[..]), Some(&b""[..]), system.as_deref(), public.as_deref()];
        let answer = data.call(Handler::ExternalEntity, arguments.map(|text| data.value(text)).into());
        let Some(vm) = Vm::current() else { return false };
        answer.is_some_and(|answer| convert::to_int(vm, &answer).unwrap_or(0) != 0)
    }

    fn entity(&self, name: Vec<u8>, text: Option<Vec<u8>>, predefined: bool) {
        let Some(data) = self.0.upgrade() else { return };
        let (default, characters) = (data.knows(Handler::Default), data.knows(Handler::Characters));
        if default && !(predefined && characters) {
            return self.default(&[b"&", &name[..], b";"].concat());
        }
        if let (true, Some(text)) = (characters, text) {
            self.characters(text);
        }
    }
}

impl Sink {
    fn default(&self, text: &[u8]) {
        let Some(data) = self.0.upgrade() else { return };
        data.call(Handler::Default, vec![data.value(Some(text))]);
    }
}
