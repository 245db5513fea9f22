//! What a region is made from: a function's oplines, and a frame that stands at the head of a loop.

use crate::translate::inlining::Inlined;
use crate::layout::{FrameShape, Tags};
use phlox_hhbc::StrId;
use phlox_hhir::types::{self as hhir, ArrKind};
use phlox_lower::{ITER_CELLS, Lowered, NO_TARGET, OpCode, Operand, Opline};
use phlox_value::raw::{self, offsets};
use phlox_value::{Key, Val};

/// A loop of a function, seen at the moment when it is compiled.
pub struct Region<'a> {
    pub lowered: &'a Lowered,
    pub locals: u32,
    /// Of the locals, those that are parameters, but for a variadic one.
    pub params: u32,
    pub iters: u32,
    /// The opline that backward jumps of the loop go to.
    pub header: u32,
    pub shape: FrameShape,
    /// The frame's cells, the first local first.
    pub cells: *const Val,
    /// What the `yield` gives behind which a body starts, if it is wanted.
    pub sent: Option<Seen>,
    /// The address of the resume point behind a `yield`, if there may be code for that.
    pub resume_point: &'a dyn Fn(u32) -> Option<u64>,
    /// Whether an iterator is one over a generator.
    pub walks_generator: &'a dyn Fn(u32) -> bool,
    /// The function of a closure, by its payload, if that is all that a call of the closure needs.
    pub closure: &'a dyn Fn(u64) -> Option<u64>,
    /// Whether the method that an InitMethod finds resumes generators; and which one it is, if an object is a generator whose body
    /// has code from where it stands.
    pub steps_generator: &'a dyn Fn(u32) -> bool,
    pub step: &'a dyn Fn(u32, u64) -> Option<Step>,
    /// The builtin function that the InitFunc at an opline calls, if all of its parameters take values: what goes into the
    /// header of the call, its name, and its short way if it has one.
    pub builtin: &'a dyn Fn(u32) -> Option<(u64, Vec<u8>, Option<u64>)>,
    /// The builtin function that the InitFunc at an opline calls, with so many arguments, if it takes references and has a short
    /// way: its address, its name, and the short way.
    pub quick_by_reference: &'a dyn Fn(u32, u32) -> Option<(u64, Vec<u8>, u64)>,
    /// The table of the Switch at an opline.
    pub switch: &'a dyn Fn(u32) -> Option<Switch>,
    /// The first literal.
    pub literals: *const Val,
    pub start: Start<'a>,
    /// What the InitFunc, InitStatic or InitMethod at an opline calls, if those are PHP functions: two at most.
    pub callee: &'a dyn Fn(u32) -> Vec<Callee>,
    /// A function that is small enough to be inlined, as it is built for a call: types, and likely classes of the object and the
    /// arguments; and, if the code is made for that very call, whether it is framed.
    pub inline: &'a dyn Fn(&Wanted, &[Option<u64>], Option<bool>) -> Option<Inlined>,
    /// It is to be inlined itself: the classes that its object and arguments are likely to be of.
    pub inlined: Option<&'a [Option<u64>]>,
    /// It is inlined into itself, made for the same call.
    pub goes_round: bool,
    /// Has a function compiled for a call, if it is not.
    pub compiled: &'a dyn Fn(&Wanted) -> Option<Compiled>,
    /// The third operand word of an opline as it is laid out: the kinds that parameters and results may be of.
    pub taken_kinds: &'a dyn Fn(u32) -> u32,
    /// Whose methods the function is: there is `$this`, or a class only.
    pub this: This,
    /// The address of the function.
    pub func: u64,
    /// No exception is caught in the function, and nothing is done on its way but that loops end.
    pub has_no_handlers: bool,
    /// Whether the interpreter may run something else while the region does: nobody else changes its variables.
    pub may_nest: bool,
    /// Variables that a loop writes before it reads them are not looked at when it is entered: code that did was left.
    pub is_lazy: bool,
    /// The function is known to be [`crate::Built::framed`].
    pub is_framed: bool,
    /// A sample of `$this`.
    pub this_sample: Option<Seen>,
    /// The two entries of an inline cache.
    pub caches: &'a dyn Fn(u32) -> [Cache; 2],
    /// Where an inline cache lies, which stays there.
    pub cache_address: &'a dyn Fn(u32) -> u64,
    /// The kinds that a declared property of a class may be of, by its slot, as bits of tags.
    pub declared: &'a dyn Fn(u64, u32) -> u32,
    /// The one class that a property is declared with, by its class and slot.
    pub property_class: &'a dyn Fn(u64, u32) -> Option<u64>,
    /// What the reference holds now that a RefGlobal or StaticLocal binds, if there is one.
    pub bound: &'a dyn Fn(u32) -> Option<Seen>,
    /// The address of the cell of the static property in an inline cache, and what is in it.
    pub static_property: &'a dyn Fn(u32) -> Option<(u64, Option<Seen>)>,
    /// The kinds of what the opline was seen to read, as bits of tags.
    pub noted: &'a dyn Fn(u32) -> u32,
    /// What a variable was when the code of this loop did not fit, as bits of tags.
    pub entered_with: &'a dyn Fn(u32) -> u32,
    /// What the opline gave or read shortly before the first version, as bits of tags.
    pub observed: &'a dyn Fn(u32) -> u32,
    /// The kinds that a function's results may be of, as bits of tags; 0 if nothing is declared.
    pub returned: &'a dyn Fn(u64) -> u32,
    /// The one class that a parameter, result or instanceof at an opline names.
    pub declared_class: &'a dyn Fn(u32) -> Option<u64>,
    /// Whether a result is declared with `static`, a parameter or result with `callable` or Closure.
    pub names_static: &'a dyn Fn(u32) -> bool,
    pub takes_closures: &'a dyn Fn(u32) -> bool,
    pub is_closure: &'a dyn Fn(u64) -> bool,
    /// Whether objects of a class are like those that PHP code declares.
    pub is_plain: &'a dyn Fn(u64) -> bool,
    /// The InitNew at an opline: its class, if objects of it have nothing special, and its constructor, if it has one.
    pub made: &'a dyn Fn(u32) -> Option<(u64, Option<u64>)>,
    /// Whether what an opline prepares a call of is known to take references.
    pub takes_references: &'a dyn Fn(u32) -> bool,
    /// Whether the function that an InitFunc, or an InitStatic of a class, is known to call takes a reference for a parameter.
    pub passes_reference: &'a dyn Fn(u32, u32) -> bool,
    /// The address of the path by which the interpreter does oplines of this kind by themselves.
    pub whole: &'a dyn Fn(OpCode) -> Option<u64>,
    /// What an inline cache of a property of this name holds for objects of a class; whether it is written.
    pub property_of: &'a dyn Fn(u64, PropertyName, bool) -> Option<Cache>,
    /// What stands for where a class has its properties, as this function's code sees them: the class of the function if that has
    /// the property of a name at that place, else the one that declares it. Given a class, the place in it, the name, and whether
    /// it is written.
    pub layout: &'a dyn Fn(&Cache, PropertyName, bool) -> Option<u64>,
    /// Whether a class has such a layout.
    pub has_layout: &'a dyn Fn(u64, u64) -> bool,
    /// The classes that were met where an opline was left.
    pub noted_classes: &'a dyn Fn(u32) -> Vec<u64>,
    /// What a ClassConst gave for late static binding classes.
    pub late_constants: &'a dyn Fn(u32) -> Vec<(u64, Seen)>,
    /// The constructor of a class whose objects have nothing special, if it has one.
    pub made_of: &'a dyn Fn(u64) -> Option<Option<u64>>,
    /// The function that objects of a class have for something, if it is one that can be called like any method; for properties
    /// of a name that they do not have.
    pub method_of: &'a dyn Fn(u64, Special, Option<PropertyName>) -> Option<u64>,
    /// Whether a function can be called on what is in the context.
    pub can_call: &'a dyn Fn(u64, Context) -> bool,
    /// The bytes and the payload of a string of the unit.
    pub unit_string: &'a dyn Fn(StrId) -> (Box<[u8]>, u64),
    /// The value of the ClassConst or Const at an opline, if it has one that does not depend on the call.
    pub class_constant: &'a dyn Fn(u32) -> Option<Seen>,
}

/// A property's name: a literal, or a string of the unit.
#[derive(Clone, Copy, Debug)]
pub enum PropertyName {
    Literal(u32),
    String(StrId),
}

/// A method that resumes generators, and its class.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub class: u64,
    pub func: u64,
    pub sends: bool,
}

/// What a class may have a method for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Get,
    Set,
    Isset,
    Unset,
    OffsetGet,
    OffsetSet,
    OffsetExists,
    OffsetUnset,
    Count,
    Call,
    Invoke,
}

/// An inline cache.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    pub key: u64,
    pub value: u64,
    pub class: u64,
}

/// What a region is of.
pub enum Start<'a> {
    Loop,
    /// The body of a generator, from behind a `yield` on.
    Body,
    /// A whole function: the types of its arguments, and samples of them.
    Function(&'a Wanted),
}

/// Whether a function has an object or class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum This {
    None,
    Class,
    Object,
}

/// The target of a call.
#[derive(Clone, Debug)]
pub struct Callee {
    pub func: u64,
    pub this: Context,
    /// The class that the object, or the caller's own static context, must be.
    pub guard: Option<u64>,
}

/// What a function is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    None,
    /// The caller's object.
    Own,
    /// The operand of the call.
    Operand,
    Class(u64),
}

/// A function with the types that it is called with.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub func: u64,
    pub this: Option<hhir::Bits>,
    pub this_sample: Option<Seen>,
    pub args: Vec<hhir::Bits>,
    pub samples: Vec<Option<Seen>>,
}

/// A function that has code, or will have.
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// The address of its [`crate::layout::Entry`].
    pub entry: u64,
    /// The type of its results; `None`: not known yet.
    pub result: Option<hhir::Bits>,
    /// A sample of them.
    pub sample: Option<Seen>,
    pub frame_bytes: u32,
    /// See [`crate::Built`].
    pub frees: bool,
    pub framed: bool,
}

/// Where a Switch goes.
pub enum Switch {
    /// By integers, sorted; and where others go.
    Int(Vec<(i64, u32)>, u32),
    /// By literal strings: their bytes, payloads and targets; and where others go.
    Str(Vec<(Box<[u8]>, u64, u32)>, u32),
}

/// What was seen in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub bits: hhir::Bits,
    pub payload: u64,
}

impl Seen {
    /// # Safety
    /// `cell` is a live cell.
    pub unsafe fn of(cell: *const Val) -> Option<Seen> {
        // SAFETY: by the caller.
        let (tag, payload) = unsafe { (raw::tag(cell), raw::payload(cell)) };
        let bits = match tag {
            raw::TI_FALSE | raw::TI_TRUE => hhir::BOOL,
            tag => Tags::type_of(tag)?,
        };
        Some(Seen { bits, payload })
    }

    /// As [`Seen::of`], where literal strings are as good as counted ones.
    ///
    /// # Safety
    /// As [`Seen::of`].
    pub unsafe fn loosely(cell: *const Val) -> Option<Seen> {
        // SAFETY: by the caller.
        let seen = unsafe { Seen::of(cell)? };
        Some(Seen { bits: crate::translate::calls::counted_strings(seen.bits), ..seen })
    }

    /// What a reference holds.
    pub fn inner(self) -> Option<Seen> {
        if self.bits != hhir::BOXED {
            return None;
        }
        // SAFETY: the payload is a live reference.
        unsafe { Seen::loosely(raw::ref_place(self.payload)) }
    }

    /// Is it a reference with one holder?
    pub fn is_alone(self) -> bool {
        // SAFETY: the payload is a live reference.
        self.bits == hhir::BOXED && unsafe { raw::count(self.payload) == 1 }
    }

    /// An element of an array: what the others are likely to be.
    pub fn element(self) -> Option<Seen> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        if let Some(kind) = self.unboxed() {
            return Some(Seen { bits: kind.elem(), payload: 0 });
        }
        // SAFETY: the payload is a live array; cells below `used` are initialised.
        unsafe {
            let (cells, used) = raw::packed(self.payload);
            if cells.is_null() {
                let first = raw::array_at((&raw const self.payload).cast()).iter().next()?.1;
                return Seen::loosely(first).filter(|seen| seen.bits != hhir::UNINIT);
            }
            if used == 0 {
                return None;
            }
            // The first element may be a marker, the last one may be the one that is being made.
            let at = if used > 2 { used / 2 } else { 0 };
            Seen::loosely(cells.add(at as usize)).filter(|seen| seen.bits != hhir::UNINIT)
        }
    }

    /// The kind of an array's first key, if it is a hash table.
    pub fn first_key(self) -> Option<hhir::Bits> {
        if !self.is_table() {
            return None;
        }
        // SAFETY: the payload is a live array, whose handle it is.
        let (key, _) = unsafe { raw::array_at((&raw const self.payload).cast()) }.iter().next()?;
        Some(if matches!(key, Key::Int(_)) { hhir::INT } else { hhir::COUNTED_STR })
    }

    /// The element of a hash table under a string that it has as a key, and its position.
    pub fn keyed(self, key: u64) -> Option<(u32, Seen)> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array, the key a live string.
        unsafe {
            let (at, cell) = raw::position_of(self.payload, key)?;
            Some((at, Seen::loosely(cell)?))
        }
    }

    /// How many elements an array has.
    pub fn count(self) -> u32 {
        // SAFETY: the payload is a live array, whose handle it is.
        unsafe { raw::array_at((&raw const self.payload).cast()).len() as u32 }
    }

    /// The bytes of a string.
    pub fn bytes(self) -> Box<[u8]> {
        // SAFETY: the payload is a live string, whose handle it is.
        unsafe { raw::string_at((&raw const self.payload).cast()).as_bytes().into() }
    }

    /// The identity of an object's class, or that of a class.
    pub fn class(self) -> Option<u64> {
        match self.bits {
            // SAFETY: the payload is a live object.
            hhir::OBJ => Some(unsafe { raw::class_of(self.payload) } as u64),
            hhir::CLS => Some(self.payload),
            _ => None,
        }
    }

    /// A declared property.
    pub fn property(self, slot: usize) -> Option<Seen> {
        if self.bits != hhir::OBJ {
            return None;
        }
        // SAFETY: the payload is a live object, the slot one of its class.
        unsafe { Seen::loosely(raw::property(self.payload, slot)) }
    }

    /// Is it an array that is laid out as a hash table?
    pub fn is_table(self) -> bool {
        // SAFETY: the payload is a live array.
        self.bits & hhir::ARR != 0 && unsafe { raw::is_table(self.payload) }
    }

    /// How a list is laid out that has no cells.
    pub fn unboxed(self) -> Option<ArrKind> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array.
        unsafe { raw::unboxed(self.payload) }.map(|kind| match kind {
            offsets::ARRAY_PACKED_BOOL => ArrKind::PackedBool,
            offsets::ARRAY_PACKED_DBL => ArrKind::PackedDbl,
            _ => ArrKind::PackedInt,
        })
    }

    /// Is it an array that is laid out as a list?
    pub fn is_packed(self) -> bool {
        self.length().is_some()
    }

    /// Whether places of a list are empty.
    pub fn has_holes(self) -> bool {
        // SAFETY: the payload is a live array, whose handle it is.
        self.length()
            .is_some_and(|used| unsafe { raw::array_at((&raw const self.payload).cast()) }.len() as u64 != used)
    }

    /// Places of a list.
    pub fn length(self) -> Option<u64> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array.
        let (cells, used) = unsafe { raw::packed(self.payload) };
        (!cells.is_null()).then_some(used.into())
    }
}

impl Region<'_> {
    /// Cells before the temporaries.
    pub(crate) fn before_tmps(&self) -> u32 {
        self.locals + self.iters * ITER_CELLS
    }

    /// All cells of the frame.
    pub(crate) fn cell_count(&self) -> u32 {
        self.before_tmps() + self.lowered.tmps
    }

    /// The number of an operand's cell.
    pub(crate) fn cell(&self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Local(local) => Some(local.0),
            Operand::Tmp(number) => Some(self.before_tmps() + number),
            _ => None,
        }
    }

    /// The first cell of an iterator.
    pub(crate) fn iter_cell(&self, number: u32) -> u32 {
        self.locals + number * ITER_CELLS
    }

    pub(crate) fn op(&self, at: u32) -> &Opline {
        &self.lowered.ops[at as usize]
    }

    /// What is in a cell of the frame of a loop.
    pub(crate) fn seen(&self, cell: u32) -> Option<Seen> {
        if self.cells.is_null() {
            return None;
        }
        // SAFETY: locals and iterators of a running frame are initialised.
        unsafe { Seen::of(self.cells.add(cell as usize)) }
    }

    /// The bytes and the payload of a literal string.
    pub(crate) fn string_literal(&self, index: u32) -> (Box<[u8]>, u64) {
        // SAFETY: the literal is a string; literals stay as they are.
        unsafe {
            let cell = self.literals.add(index as usize);
            (raw::string_at(cell).as_bytes().into(), raw::payload(cell))
        }
    }

    /// A literal array.
    pub(crate) fn array_literal(&self, index: u32) -> Option<Seen> {
        // SAFETY: literals stay as they are.
        unsafe { Seen::of(self.literals.add(index as usize)) }.filter(|seen| seen.bits == hhir::STATIC_ARR)
    }

    /// The byte of a literal string that is one long.
    pub(crate) fn byte_literal(&self, index: u32) -> Option<u8> {
        if !matches!(self.lowered.literals[index as usize], phlox_lower::Literal::Str(_)) {
            return None;
        }
        // SAFETY: literals stay as they are.
        let text = unsafe { raw::string_at(self.literals.add(index as usize)) };
        match text.as_bytes() {
            [byte] => Some(*byte),
            _ => None,
        }
    }

    /// The first and the last opline of the region: the last one of a loop jumps back to its head.
    pub(crate) fn range(&self) -> (u32, u32) {
        if !matches!(self.start, Start::Loop) {
            return (0, self.lowered.ops.len() as u32 - 1);
        }
        (self.header, loop_end(self.lowered, self.header))
    }
}

/// The last opline that jumps back to the head of a loop.
pub fn loop_end(lowered: &Lowered, header: u32) -> u32 {
    let jumps = lowered.ops.iter().enumerate().skip(header as usize);
    let back = jumps.filter(|(_, op)| op.target == header).map(|(at, _)| at as u32);
    back.max().unwrap_or(header)
}

/// The oplines that backward jumps go to.
pub fn loop_headers(lowered: &Lowered) -> Vec<u32> {
    let jumps = lowered.ops.iter().enumerate();
    let back = jumps.filter(|(at, op)| op.target != NO_TARGET && op.target as usize <= *at);
    let mut headers: Vec<u32> = back.map(|(_, op)| op.target).collect();
    headers.sort_unstable();
    headers.dedup();
    headers
}
