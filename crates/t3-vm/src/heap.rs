//! The object table: every object by its number, allocation, and the constants that values refer to.
//!
//! Collection is in `gc.rs`. What the machine does with the contents of objects is in `contents`; the methods that programs
//! call are native tables that the machine is given.

use std::rc::Rc;

use foldhash::HashMap;
use phlox_t3_image::{Image, Kind};

use crate::error::{self, Run, fail};
use crate::meta::Meta;
use crate::objects::{Obj, TadsObject};
use crate::shape::{ShapeId, Shapes};
use crate::text::Text;
use crate::value::{NO_OBJECT, ObjId, PropId, Value};

/// Facts about an object beside its contents.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flags {
    /// Left out of saved games and undo.
    pub transient: bool,
    /// Loaded from the image: never collected.
    pub image: bool,
    /// Something inherits from it.
    pub is_super: bool,
    /// Its finalizer has run.
    pub finalized: bool,
    /// Its class has a finalizer.
    pub finalizable: bool,
    /// The savepoint after which the object was made; undoing that savepoint does not change the object.
    pub born: u16,
}

/// A place in the object table.
pub struct Slot {
    /// The contents.
    pub obj: Obj,
    /// Facts beside them.
    pub flags: Flags,
}

/// A constant list: its offset in the pool and its elements.
pub struct ConstList {
    /// Offset in the constant pool.
    pub offset: u32,
    /// The elements.
    pub items: Rc<[Value]>,
}

/// Objects and constants.
#[derive(Default)]
pub struct Heap {
    /// All objects; index 0 is never used.
    pub slots: Vec<Slot>,
    /// Free numbers; the last one is used first.
    free: Vec<ObjId>,
    /// Property tables.
    pub shapes: Shapes,
    /// Constant strings with their pool offsets.
    pub strings: Vec<(u32, Text)>,
    string_index: HashMap<u32, u32>,
    /// Constant lists.
    pub lists: Vec<ConstList>,
    list_index: HashMap<u32, u32>,
    /// Functions by the index that values carry: pool offsets.
    pub functions: Vec<u32>,
    function_index: HashMap<u32, u32>,
    /// The number of the last savepoint.
    pub savepoint: u16,
    /// Allocation since the last collection, in rough units of an object.
    pub allocated: usize,
    /// Elements of constant lists so far: bounds what a damaged pool can ask for.
    list_elements: usize,
}

/// How many object numbers become free at a time.
const PAGE: usize = 4096;

/// No image has this many elements in its constant lists.
const MAX_LIST_ELEMENTS: usize = 1 << 25;

impl Heap {
    /// An empty heap.
    pub fn new() -> Heap {
        let mut heap = Heap::default();
        heap.slots.push(Slot { obj: Obj::Free, flags: Flags::default() });
        heap
    }

    /// A new object.
    pub fn alloc(&mut self, obj: Obj) -> ObjId {
        self.allocated += 1;
        let slot = Slot { obj, flags: Flags { born: self.savepoint, ..Flags::default() } };
        match self.free.pop() {
            Some(id) => {
                self.slots[id as usize] = slot;
                id
            }
            None => {
                self.add_page();
                match self.free.pop() {
                    Some(id) => {
                        self.slots[id as usize] = slot;
                        id
                    }
                    None => NO_OBJECT,
                }
            }
        }
    }

    /// Numbers become free by the page, and the highest is used first: programs see this order in `firstObj` and
    /// `nextObj`, and the reference has it.
    fn add_page(&mut self) {
        let start = self.slots.len();
        let end = (start / PAGE + 1) * PAGE;
        self.slots.resize_with(end, || Slot { obj: Obj::Free, flags: Flags::default() });
        self.free.extend(start as ObjId..end as ObjId);
    }

    /// Puts an object at a given number, as images and saved games demand.
    pub fn alloc_at(&mut self, id: ObjId, obj: Obj, flags: Flags) {
        while self.slots.len() <= id as usize {
            self.slots.push(Slot { obj: Obj::Free, flags: Flags::default() });
        }
        self.slots[id as usize] = Slot { obj, flags };
    }

    /// Makes the list of free numbers anew after objects were placed by number.
    pub fn rebuild_free_list(&mut self) {
        self.free.clear();
        let pages = self.slots.len().next_multiple_of(PAGE);
        self.slots.resize_with(pages, || Slot { obj: Obj::Free, flags: Flags::default() });
        for id in 1..self.slots.len() {
            if matches!(self.slots[id].obj, Obj::Free) {
                self.free.push(id as ObjId);
            }
        }
    }

    /// Frees an object; its number can be used again.
    pub fn release(&mut self, id: ObjId) {
        let slot = &mut self.slots[id as usize];
        if slot.flags.is_super {
            self.shapes.epoch += 1;
        }
        slot.obj = Obj::Free;
        slot.flags = Flags::default();
        self.free.push(id);
    }

    /// The contents of an object.
    #[inline]
    pub fn get(&self, id: ObjId) -> &Obj {
        match self.slots.get(id as usize) {
            Some(slot) => &slot.obj,
            None => &Obj::Free,
        }
    }

    /// The contents of an object, to change them.
    #[inline]
    pub fn get_mut(&mut self, id: ObjId) -> Option<&mut Obj> {
        self.slots.get_mut(id as usize).map(|slot| &mut slot.obj)
    }

    /// The facts about an object.
    #[inline]
    pub fn flags(&self, id: ObjId) -> Flags {
        self.slots.get(id as usize).map_or(Flags::default(), |slot| slot.flags)
    }

    /// The facts about an object, to change them.
    #[inline]
    pub fn flags_mut(&mut self, id: ObjId) -> Option<&mut Flags> {
        self.slots.get_mut(id as usize).map(|slot| &mut slot.flags)
    }

    /// Whether the number is an object's.
    #[inline]
    pub fn exists(&self, id: ObjId) -> bool {
        id != NO_OBJECT && !matches!(self.get(id), Obj::Free)
    }

    /// A TADS object or class modifier.
    #[inline]
    pub fn tads(&self, id: ObjId) -> Option<&TadsObject> {
        match self.get(id) {
            Obj::Tads(object) | Obj::Modifier(object) => Some(object),
            _ => None,
        }
    }

    /// The shape of a TADS object.
    #[inline]
    pub fn shape_of(&self, id: ObjId) -> Option<ShapeId> {
        self.tads(id).map(|object| object.shape)
    }

    /// The metaclass that a value's methods come from.
    #[inline]
    pub fn meta_of(&self, value: Value) -> Option<Meta> {
        match value {
            Value::Str(_) | Value::DStr(_) => Some(Meta::String),
            Value::List(_) => Some(Meta::List),
            Value::Func(_) | Value::Builtin(..) => None,
            Value::Obj(id) => self.get(id).meta(),
            _ => None,
        }
    }

    // ---- strings and lists

    /// A new string.
    pub fn new_text(&mut self, text: impl Into<Text>) -> Value {
        let text = text.into();
        self.allocated += text.len() / 64;
        Value::Obj(self.alloc(Obj::Text(text)))
    }

    /// A new list.
    pub fn new_list(&mut self, items: impl Into<Rc<[Value]>>) -> Value {
        let items = items.into();
        self.allocated += items.len() / 8;
        Value::Obj(self.alloc(Obj::List(items)))
    }

    /// The string that a value is.
    #[inline]
    pub fn text(&self, value: Value) -> Option<&Text> {
        match value {
            Value::Str(index) | Value::DStr(index) => self.strings.get(index as usize).map(|row| &row.1),
            Value::Obj(id) => match self.get(id) {
                Obj::Text(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// The list that a value is.
    #[inline]
    pub fn list(&self, value: Value) -> Option<&Rc<[Value]>> {
        match value {
            Value::List(index) => self.lists.get(index as usize).map(|row| &row.items),
            Value::Obj(id) => match self.get(id) {
                Obj::List(items) => Some(items),
                _ => None,
            },
            _ => None,
        }
    }

    // ---- constants of the image

    /// The index of the function at a pool offset.
    pub fn function(&mut self, offset: u32) -> u32 {
        let functions = &mut self.functions;
        *self.function_index.entry(offset).or_insert_with(|| {
            functions.push(offset);
            functions.len() as u32 - 1
        })
    }

    /// The index of the constant string at a pool offset.
    pub fn const_string(&mut self, image: &Image, offset: u32) -> u32 {
        if let Some(index) = self.string_index.get(&offset) {
            return *index;
        }
        let text = String::from_utf8_lossy(image.string_bytes(offset).unwrap_or_default()).into_owned();
        self.strings.push((offset, Text::from(text)));
        let index = self.strings.len() as u32 - 1;
        self.string_index.insert(offset, index);
        index
    }

    /// The index of the constant list at a pool offset; lists inside it are read too.
    pub fn const_list(&mut self, image: &Image, offset: u32) -> Run<u32> {
        if let Some(index) = self.list_index.get(&offset) {
            return Ok(*index);
        }
        let first = self.reserve_list(offset);
        let mut next = first as usize;
        while next < self.lists.len() {
            let items = self.read_list(image, self.lists[next].offset)?;
            self.lists[next].items = Rc::from(items);
            next += 1;
        }
        Ok(first)
    }

    fn reserve_list(&mut self, offset: u32) -> u32 {
        if let Some(index) = self.list_index.get(&offset) {
            return *index;
        }
        self.lists.push(ConstList { offset, items: Rc::from([]) });
        let index = self.lists.len() as u32 - 1;
        self.list_index.insert(offset, index);
        index
    }

    fn read_list(&mut self, image: &Image, offset: u32) -> Run<Vec<Value>> {
        let pool = &image.constants.bytes;
        let at = offset as usize;
        let Some(count) = pool.get(at..at.saturating_add(2)) else { return fail(error::LIST_VAL_REQD) };
        let count = u16::from_le_bytes([count[0], count[1]]) as usize;
        self.list_elements += count;
        let Some(body) = pool.get(at + 2..at + 2 + 5 * count) else { return fail(error::LIST_VAL_REQD) };
        if self.list_elements > MAX_LIST_ELEMENTS {
            return fail(error::OUT_OF_MEMORY);
        }
        let mut items = Vec::with_capacity(count);
        for cell in body.chunks_exact(5) {
            let raw = u32::from_le_bytes([cell[1], cell[2], cell[3], cell[4]]);
            items.push(match Kind::from_code(cell[0]) {
                Some(Kind::List) => Value::List(self.reserve_list(raw)),
                _ => self.import(image, cell[0], raw)?,
            });
        }
        Ok(items)
    }

    /// The value that a data holder of the image stands for.
    pub fn import(&mut self, image: &Image, kind: u8, raw: u32) -> Run<Value> {
        Ok(match Kind::from_code(kind) {
            Some(Kind::Nil) => Value::Nil,
            Some(Kind::True) => Value::True,
            Some(Kind::Int) => Value::Int(raw as i32),
            Some(Kind::Object) => Value::object(raw),
            Some(Kind::Property) => Value::Prop(raw as PropId),
            Some(Kind::String) => Value::Str(self.const_string(image, raw)),
            Some(Kind::DoubleString) => Value::DStr(self.const_string(image, raw)),
            Some(Kind::List) => Value::List(self.const_list(image, raw)?),
            Some(Kind::Code) => Value::Code(self.function(raw)),
            Some(Kind::Function) => Value::Func(self.function(raw)),
            Some(Kind::Enum) => Value::Enum(raw),
            Some(Kind::Builtin) => Value::Builtin((raw >> 16) as u16, raw as u16),
            Some(Kind::ObjectX) => Value::ObjX(raw),
            Some(Kind::BuiltinX) => Value::BuiltinX((raw >> 16) as u16, raw as u16),
            Some(Kind::Empty) => Value::Empty,
            Some(Kind::Native) => Value::Native,
            Some(Kind::Stack | Kind::CodePtr) | None => Value::Nil,
        })
    }

    /// The data holder for a value: type code and four bytes.
    pub fn export(&self, value: Value) -> (Kind, u32) {
        let offset_of = |index: u32| self.functions.get(index as usize).copied().unwrap_or(0);
        let string_of = |index: u32| self.strings.get(index as usize).map_or(0, |row| row.0);
        match value {
            Value::Nil => (Kind::Nil, 0),
            Value::True => (Kind::True, 0),
            Value::Int(number) => (Kind::Int, number as u32),
            Value::Obj(id) => (Kind::Object, id),
            Value::Prop(prop) => (Kind::Property, u32::from(prop)),
            Value::Str(index) => (Kind::String, string_of(index)),
            Value::DStr(index) => (Kind::DoubleString, string_of(index)),
            Value::List(index) => (Kind::List, self.lists.get(index as usize).map_or(0, |row| row.offset)),
            Value::Code(index) => (Kind::Code, offset_of(index)),
            Value::Func(index) => (Kind::Function, offset_of(index)),
            Value::Enum(number) => (Kind::Enum, number),
            Value::Builtin(set, index) => (Kind::Builtin, u32::from(set) << 16 | u32::from(index)),
            Value::ObjX(id) => (Kind::ObjectX, id),
            Value::BuiltinX(set, index) => (Kind::BuiltinX, u32::from(set) << 16 | u32::from(index)),
            Value::Native => (Kind::Native, 0),
            Value::Empty => (Kind::Empty, 0),
        }
    }
}
