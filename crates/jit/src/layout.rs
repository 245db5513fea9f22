//! What compiled code knows of the engine's memory: the layout of frames, the words of tags, and the functions that it may call.

use phlox_hhir::types::{self as hhir, Bits};
use phlox_hhir::unit::Slot;
use phlox_lower::HEADER_CELLS;
use phlox_value::{Val, raw};
use std::cell::Cell;
use std::sync::atomic::AtomicU32;

const CELL_BYTES: usize = 16;

/// What the interpreter shares with compiled code besides the frame; one for each thread.
#[repr(C)]
pub struct Context {
    /// The address of a word that is not zero when something (a signal, a time limit) wants attention.
    pub interrupt: *const AtomicU32,
    /// Written by a side exit: the frame in which the interpreter goes on.
    pub frame: *mut u8,
    /// Written by a side exit: how many inlined frames lie above the one that the code runs in. The side exit is counted for the
    /// function of the latter.
    pub inlined: u64,
    /// The frame that the code runs in, if a side exit has materialised inlined frames above it.
    pub outermost: *mut u8,
    /// The first address that frames may not use.
    pub limit: *const u8,
    /// Where the native stack for compiled code ends.
    pub native_limit: *const u8,
    /// The interpreter's run that has entered the code.
    pub run: *mut u8,
    /// A cell for the results of runtime functions and for the values that generators yield.
    pub scratch: [u64; 2],
    /// A cell for the keys that generators yield.
    pub key: [u64; 2],
    /// Stress mode: how many guards are still to hold before the next one is made to fail.
    pub until_failure: u64,
}

/// The compiled code of a function for one specialisation, with its counters. Callers' code contains the address of this record.
#[repr(C)]
#[derive(Debug, Default)]
pub struct Entry {
    /// The address of the code; 0 if there is none.
    pub code: Cell<u64>,
    /// How often the code was called.
    pub calls: Cell<u64>,
    /// How often the code has taken a side exit.
    pub exits: Cell<u64>,
}

/// The specialisation that a whole function's code is made for.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The address of the function's [`Entry`].
    pub entry: u64,
    /// The type of the object or class that a method is called with.
    pub this: Option<Bits>,
    /// The types of the arguments.
    pub args: Vec<Bits>,
}

/// The number of integers and pointers that an entry takes at most.
pub const MAX_INTS: usize = 10;
/// The number of floats that an entry takes at most: as many as the calling convention has registers for.
pub const MAX_FLOATS: usize = 8;

/// A compiled function's status word below this number is the tag of its result; otherwise it is the address of the opline with
/// which the interpreter goes on.
pub const TAGS_END: u64 = 4096;

/// Where a function's cells and oplines lie, and what compiled code needs of the engine.
#[derive(Clone, Copy, Debug)]
pub struct FrameShape {
    /// The number of cells before the temporaries: locals and iterators.
    pub before_tmps: u32,
    /// The address of the first opline.
    pub oplines: u64,
    /// The size of an opline.
    pub opline_bytes: u32,
    /// The address of the thread's [`Context`].
    pub context: u64,
    /// The layout of a frame's header.
    pub header: HeaderShape,
    /// The functions of the engine that the code may call.
    pub helpers: Helpers,
    /// The address of a word that is not zero when something wants attention.
    pub interrupt: u64,
    /// The payload of the string of the byte 0. The strings of the other bytes follow in order.
    pub bytes: u64,
    /// Stress mode: one guard in so many is made to fail; 0 turns the mode off.
    pub fails_every: u32,
    /// The unit is the body of a generator from a resume point on: see [`BodyCode`](crate::backend::assembler::BodyCode).
    pub is_body: bool,
    /// Freeing a value may have to run PHP code, so the unit checks for waiting destructors behind each opline that frees
    /// something.
    pub has_destructors: bool,
}

/// Functions of the engine that compiled code calls. None of them unwinds. Only `step`, `call`, `conclude`, `next_element` and
/// `send` may run PHP code. The arguments of a [`Helper`] are a number, cells, and the cell for the result; the fields say what
/// they are.
#[derive(Clone, Copy, Debug)]
pub struct Helpers {
    /// Creates an object of a class, by its identity. Gives its payload, or 0 if there is no memory.
    pub new_object: extern "C" fn(u64) -> u64,
    /// Whether a class, the first argument, is another one or a subtype of it.
    pub instance_of: extern "C" fn(u64, u64) -> u64,
    /// Whether a class has a property layout; see [`CompilerHost::property_layout`](crate::CompilerHost::property_layout).
    pub has_layout: extern "C" fn(u64, u64) -> u64,
    /// The answer of `==` for two strings.
    pub equal_texts: extern "C" fn(u64, u64) -> u64,
    /// Concatenates strings and integers.
    pub concat: Helper,
    /// Appends a string or integer to the first string, which it consumes.
    pub append_text: Helper,
    /// Assigns a byte: the string, which is consumed, the position and a string of one byte. Refuses positions that the string does
    /// not have.
    pub set_byte: Helper,
    /// Compares two values; the number says how.
    pub compare: Helper,
    /// Reads an element: array and key. If the number is 1, the result is null where there is no element; otherwise the function
    /// refuses.
    pub element: Helper,
    /// Whether there is an element that is not null: array and key. If the number is 1: whether the element is missing or empty.
    pub has_element: Helper,
    /// Sets an element: array, key and value. The array is consumed unless the number says that it is borrowed.
    pub set_element: Helper,
    /// Appends an element: array and value. The array is consumed unless the number says that it is borrowed.
    pub push_element: Helper,
    /// Sets an element of the array that is itself an element: outer array, its key, the inner key, and the value.
    pub set_in_element: Helper,
    /// Sets an element of an array that has just one holder, in place: array, key and value. Refuses if the layout would change.
    pub set_in_place: Helper,
    /// Appends an element to an array that has just one holder, in place: array and value. Refuses if the layout would change.
    pub push_in_place: Helper,
    /// Makes room for one more element in a packed array that has just one holder. Gives 0 if there is no memory.
    pub grow: extern "C" fn(u64) -> u64,
    /// Makes room like `grow`, but saves all registers (see `codegen/preserve_all.rs`) and has no result: the caller reads the
    /// capacity of the array again. Both arguments are the array.
    pub grow_apart: extern "C" fn(u64, u64),
    /// Creates a packed array of the values.
    pub list: Helper,
    /// Calls the fast path of a builtin function, whose address is the number. The fast path borrows its arguments.
    pub fast_path: Helper,
    /// Creates a reference that holds the value, which is consumed; if the number is 1, the value is borrowed.
    pub make_reference: Helper,
    /// Takes the value out of a reference, which is consumed.
    pub open_reference: Helper,
    /// The reference of a global variable, by its name.
    pub global: Helper,
    /// The reference of a static variable: the number is the function's address, the argument the variable's index. Refuses if
    /// the variable has not been initialised.
    pub static_variable: Helper,
    /// Replaces the reference in a cell by the value that it holds. Refuses if the reference has other holders.
    pub unbox: HelperAt,
    /// Sets an element of the array in a cell: key and value.
    pub set_at: HelperAt,
    /// Appends an element to the array in a cell: value.
    pub push_at: HelperAt,
    /// Unsets an element of the array in a cell: key.
    pub unset_at: HelperAt,
    /// Assigns a copy of the value to a cell of an object, or through the reference in it. Refuses if the reference has a
    /// declared type.
    pub store_at: HelperAt,
    /// Compound assignment to an element, in place: array, key and a numeric operand; the number is the operator.
    pub change_element: Helper,
    /// Compound assignment to an element of the array in a cell: key and a numeric operand; the number is the operator.
    pub change_at: HelperAt,
    /// Assigns the value of the second cell, which it moves, to the variable in the first one, or through the reference in it.
    pub assign: extern "C" fn(*mut Val, *mut Val),
    /// Whether a value is true.
    pub truth: Helper,
    /// Writes the header of a call of the closure or function that the value names into the cells that start at the given one.
    /// Refuses functions that take references.
    pub open_call: HelperAt,
    /// Copies the frame of a generator's body, but for its temporaries, to the place on the stack where the interpreter runs it.
    pub materialize: extern "C" fn(*mut u8, *mut u8),
    /// Resumes the generator of an iterator by its compiled code: context, iterator, the frame that asks, the end of that frame,
    /// and whether the key is wanted. Gives [`YIELDED`], [`NOT_CALLED`], or the position at which the interpreter goes on.
    pub next_element: extern "C" fn(*mut Context, *mut Val, *mut u8, *mut u8, u64) -> u64,
    /// Resumes a generator for `Generator::send` and `next`: context, generator, the sent value or null, the place of the call's
    /// header, and where the stack is free. Gives the results of `next_element`.
    pub send: extern "C" fn(*mut Context, u64, *const Val, *mut u8, *mut u8) -> u64,
    /// Whether a Closure object is of a function and has no object, scope or captured values.
    pub is_closure_of: Helper,
    /// Protects a property from a recursive call of a magic method: object and name; the number says which method. Refuses if
    /// the method already runs for the property, or if the object may have the property.
    pub begin_guard: Helper,
    /// Ends the protection that `begin_guard` started last.
    pub end_guard: extern "C" fn(),
    /// Has the interpreter execute an opline as a single step: context, frame, the opline, the function that executes it, and
    /// flags (see [`IS_FLUSHED`]). Gives the results of `call`.
    pub step: extern "C" fn(*mut Context, *mut u8, u64, u64, u64) -> u64,
    /// Has the interpreter make a call: context, frame, header, number of arguments (with [`ASSIGNS`] and [`IS_FLUSHED`]), the
    /// call's opline, and a cell for the result. Gives one of the codes from [`CALLED`] on, or the position at which the
    /// interpreter goes on because of an exception.
    pub call: extern "C" fn(*mut Context, *mut u8, *mut u8, u64, u64, *mut Val) -> u64,
    /// Has the interpreter run the frame of a callee to its end after the callee's code has taken a side exit: context, frame,
    /// the callee's header, the position at which the callee goes on, and flags (those of the callee's frame, and
    /// [`IS_FLUSHED`]). Gives the results of `call`; the callee's result is in [`Context::scratch`].
    pub conclude: extern "C" fn(*mut Context, *mut u8, *mut u8, u64, u64) -> u64,
    /// Whether something else sees the variables of a frame: a symbol table, or a view of the variables that is held elsewhere.
    pub is_watched: extern "C" fn(*mut u8) -> u64,
}

/// Flag beside the number of arguments: the result is assigned to a variable that lies in the frame.
pub const ASSIGNS: u64 = 1 << 32;
/// Flag: the frame has all of its variables in memory, so that looking at it does not make the code take a side exit.
pub const IS_FLUSHED: u64 = 1 << 33;

/// What [`Helpers::call`] gives if the call was made and the result is there.
pub const CALLED: u64 = 0;
/// What [`Helpers::call`] gives if the call was made and the result is there, but the code must take a side exit behind it.
pub const CALLED_LAST: u64 = 1;
/// What [`Helpers::call`] gives if it refuses: nothing has been done.
pub const NOT_CALLED: u64 = 2;
/// What [`Helpers::next_element`] gives if the generator has yielded.
pub const YIELDED: u64 = 0;
/// Flag in the result of a body's code: the body has yielded, and the rest of the number is the address of its resume point.
pub const HAS_YIELDED: u64 = 2;
/// Flag in the result of a body's code: what it has yielded has a key.
pub const HAS_KEY: u64 = 4;
/// Positions are addresses, none of which is below this number.
pub const POSITIONS: u64 = 4096;

impl Helpers {
    /// Functions that refuse everything, for units that are compiled without an engine.
    pub const REFUSING: Helpers = Helpers {
        new_object: refuse_one,
        instance_of: refuse_two,
        has_layout: refuse_two,
        equal_texts: refuse_two,
        concat: refuse,
        append_text: refuse,
        set_byte: refuse,
        compare: refuse,
        element: refuse,
        has_element: refuse,
        set_element: refuse,
        push_element: refuse,
        set_in_element: refuse,
        set_in_place: refuse,
        push_in_place: refuse,
        grow: refuse_one,
        grow_apart: ignore_two,
        list: refuse,
        fast_path: refuse,
        make_reference: refuse,
        open_reference: refuse,
        global: refuse,
        static_variable: refuse,
        unbox: refuse_at,
        set_at: refuse_at,
        push_at: refuse_at,
        unset_at: refuse_at,
        store_at: refuse_at,
        change_element: refuse,
        change_at: refuse_at,
        assign: refuse_assign,
        truth: refuse,
        open_call: refuse_at,
        materialize: refuse_materialize,
        next_element: refuse_next,
        send: refuse_send,
        is_closure_of: refuse,
        begin_guard: refuse,
        end_guard: do_nothing,
        step: refuse_step,
        call: refuse_call,
        conclude: refuse_conclude,
        is_watched: always,
    };
}

extern "C" fn refuse_materialize(_: *mut u8, _: *mut u8) {}

extern "C" fn refuse_next(_: *mut Context, _: *mut Val, _: *mut u8, _: *mut u8, _: u64) -> u64 {
    NOT_CALLED
}

extern "C" fn refuse_send(_: *mut Context, _: u64, _: *const Val, _: *mut u8, _: *mut u8) -> u64 {
    NOT_CALLED
}

extern "C" fn do_nothing() {}

extern "C" fn refuse_call(_: *mut Context, _: *mut u8, _: *mut u8, _: u64, _: u64, _: *mut Val) -> u64 {
    NOT_CALLED
}

extern "C" fn always(_: *mut u8) -> u64 {
    1
}

extern "C" fn refuse_conclude(_: *mut Context, _: *mut u8, _: *mut u8, _: u64, _: u64) -> u64 {
    NOT_CALLED
}

extern "C" fn refuse_step(_: *mut Context, _: *mut u8, _: u64, _: u64, _: u64) -> u64 {
    NOT_CALLED
}

extern "C" fn refuse_assign(_: *mut Val, _: *mut Val) {}

extern "C" fn refuse_one(_: u64) -> u64 {
    0
}

extern "C" fn ignore_two(_: u64, _: u64) {}

extern "C" fn refuse_two(_: u64, _: u64) -> u64 {
    0
}

extern "C" fn refuse(_: u64, _: *const Val, _: u64, _: *mut Val) -> u64 {
    0
}

extern "C" fn refuse_at(_: u64, _: *mut Val, _: *const Val, _: u64) -> u64 {
    0
}

/// A runtime function: takes a number, the address and count of the argument cells, and a cell for its result. Gives 0 if it
/// refuses.
pub type Helper = extern "C" fn(u64, *const Val, u64, *mut Val) -> u64;
/// A runtime function that works on a cell: takes a number, the cell, and the address and count of the argument cells. Gives 0
/// if it refuses.
pub type HelperAt = extern "C" fn(u64, *mut Val, *const Val, u64) -> u64;

/// Releases a reference of a value that is known to be counted.
pub(crate) extern "C" fn release(payload: u64, tag: u64) {
    // SAFETY: compiled code owns a reference of the value, which it does not use afterwards (SAFETY.md, 5).
    unsafe { raw::release_counted(payload, tag as u32) }
}

/// Whether two strings of one length have the same bytes.
pub(crate) extern "C" fn same_bytes(a: u64, b: u64) -> u64 {
    // SAFETY: compiled code passes live strings, whose handles their payloads are.
    unsafe {
        let [a, b] = [&a, &b].map(|payload| raw::string_at(std::ptr::from_ref(payload).cast()).as_bytes());
        u64::from(a == b)
    }
}

/// Releases a reference of a value that may be uncounted.
pub(crate) extern "C" fn release_any(payload: u64, tag: u64) {
    // SAFETY: compiled code owns a reference of the value if it is counted, and does not use it afterwards (SAFETY.md, 5).
    unsafe { raw::release(payload, tag as u32) }
}

/// Byte offsets in the header of a frame, or of a pending call's header, and the flags that a side exit writes there.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeaderShape {
    /// Offset of the function.
    pub callee: u32,
    /// Offsets of 64-bit fields that are zero in the header of a plain call.
    pub empty: [u32; 4],
    /// Offset of the 32-bit flags.
    pub flags: u32,
    /// Flag: the object is borrowed from the caller.
    pub borrows_this: u32,
    /// Flag: the call is one of a constructor.
    pub constructor: u32,
    /// Flag: a magic method stands in for another one, whose name is in `name`.
    pub magic: u32,
    /// Offset of the name of the method that a magic method stands in for.
    pub name: u32,
    /// Flag of an implicit call: a guard against recursion must be released at its end.
    pub guarded: u32,
    /// Flag of an implicit call: the result is not wanted.
    pub discards: u32,
    /// Flag of an implicit call: only the truth of the result is wanted.
    pub to_bool: u32,
    /// Offset of the saved opline.
    pub ip: u32,
    /// Offset of the caller's frame.
    pub prev: u32,
    /// Offset of the number of arguments.
    pub argc: u32,
    /// Offset of the object.
    pub this: u32,
    /// Offset of the class for late static binding.
    pub static_class: u32,
    /// Offset of the closure.
    pub closure: u32,
    /// Offset, in a function, of the byte that says whether it takes references.
    pub by_ref: u32,
}

impl FrameShape {
    /// The byte offset of a slot's cell in the frame. Locals beyond the function's own are the cells of its iterators.
    pub(crate) fn offset(&self, slot: Slot) -> usize {
        let cell = match slot {
            Slot::Local(number) => number,
            Slot::Tmp(number) => self.before_tmps.wrapping_add(number),
        };
        HEADER_CELLS as usize * CELL_BYTES + cell as usize * CELL_BYTES
    }

    /// The address of an opline, by its index.
    pub(crate) fn position(&self, opline: u32) -> u64 {
        self.oplines + u64::from(opline) * u64::from(self.opline_bytes)
    }
}

/// The tag words of types.
pub(crate) struct Tags;

impl Tags {
    const WORDS: [(hhir::Bits, u32); 12] = [
        (hhir::UNINIT, raw::TI_UNDEF),
        (hhir::INIT_NULL, raw::TI_NULL),
        (hhir::FALSE, raw::TI_FALSE),
        (hhir::TRUE, raw::TI_TRUE),
        (hhir::INT, raw::TI_INT),
        (hhir::DBL, raw::TI_DOUBLE),
        (hhir::STATIC_STR, raw::TI_STR_STATIC),
        (hhir::COUNTED_STR, raw::TI_STR),
        (hhir::STATIC_ARR, raw::TI_ARR_STATIC),
        (hhir::COUNTED_ARR, raw::TI_ARR),
        (hhir::OBJ, raw::TI_OBJ),
        (hhir::BOXED, raw::TI_REF),
    ];

    /// The tag word that all values of a type have, if there is just one.
    pub fn exact(bits: hhir::Bits) -> Option<u32> {
        Tags::WORDS.iter().find(|row| row.0 == bits).map(|row| row.1)
    }

    /// The type of the values with a tag word.
    pub fn type_of(tag: u32) -> Option<hhir::Bits> {
        Tags::WORDS.iter().find(|row| row.1 == tag).map(|row| row.0)
    }
}

/// The tag word that all values of a type have, if there is just one.
pub fn tag_word(bits: hhir::Bits) -> Option<u32> {
    Tags::exact(bits)
}

/// PHP's conversion of a float to an integer, for floats outside of the range of 64-bit integers, too.
pub(crate) extern "C" fn float_to_int(value: f64) -> i64 {
    phlox_hhir::dbl_to_int(value)
}

/// The byte offset of the cell in a reference.
pub(crate) fn inside_reference() -> usize {
    raw::offsets::REFERENCE_CELL
}
