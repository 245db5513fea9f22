//! What compiled code knows of memory: frames, tags, tables.

use phlox_hhir::types::{self as hhir, Bits};
use phlox_hhir::unit::Slot;
use phlox_lower::HEADER_CELLS;
use phlox_value::{Val, raw};
use std::cell::Cell;
use std::sync::atomic::AtomicU32;

const CELL_BYTES: usize = 16;

/// What compiled code is given beside the frame.
#[repr(C)]
pub struct Context {
    /// Not zero: something wants attention.
    pub interrupt: *const AtomicU32,
    /// Set by code that is left: the frame that the interpreter goes on with.
    pub frame: *mut u8,
    /// The same: how many inlined frames there are above the one that the code runs in, whose function the exit is held against.
    pub inlined: u64,
    /// The frame that the code runs in, if there are any.
    pub outermost: *mut u8,
    /// One past the last byte that frames may use.
    pub limit: *const u8,
    /// Where the native stack of compiled code ends.
    pub native_limit: *const u8,
    /// The interpreter's run that has entered the code.
    pub run: *mut u8,
    /// A cell for results of helpers, and for what generators yield; their keys are in the one behind it.
    pub scratch: [u64; 2],
    pub key: [u64; 2],
    /// Checks until the next one that fails for no reason, in stress mode.
    pub until_failure: u64,
}

/// What a function's compiled code is reached through, and what it counts. Its address is part of the code of callers.
#[repr(C)]
#[derive(Debug, Default)]
pub struct Entry {
    /// The code; 0: there is none.
    pub code: Cell<u64>,
    /// How often it was called, and left other than by returning.
    pub calls: Cell<u64>,
    pub exits: Cell<u64>,
}

/// What the code of a whole function is made for.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The address of the function's [`Entry`].
    pub entry: u64,
    /// The object or class of a method.
    pub this: Option<Bits>,
    /// The types of the arguments.
    pub args: Vec<Bits>,
}

/// Integers and pointers, and floats, that an entry takes at most: floats only what there are registers for.
pub const MAX_INTS: usize = 10;
pub const MAX_FLOATS: usize = 8;

/// Below this, the first word that compiled functions give back is the tag of their result; else it is where to go on.
pub const TAGS_END: u64 = 4096;

/// Where a function's cells and oplines are.
#[derive(Clone, Copy, Debug)]
pub struct FrameShape {
    /// Cells before the temporaries: locals and iterators.
    pub before_tmps: u32,
    /// The address of the first opline, and the size of one.
    pub oplines: u64,
    pub opline_bytes: u32,
    /// The address of the thread's [`Context`].
    pub context: u64,
    pub header: HeaderShape,
    pub helpers: Helpers,
    /// The address of the word that is not zero when something wants attention.
    pub interrupt: u64,
    /// The payload of the first string of one byte; those of other bytes follow.
    pub bytes: u64,
    /// Stress mode: every so many checks one fails for no reason; 0: none does.
    pub fails_every: u32,
    /// The unit is the body of a generator from a resume point on: see [`BodyCode`](crate::backend::assembler::BodyCode).
    pub is_body: bool,
    /// PHP code may run when something is freed: the unit looks behind each opline that frees something whether it is to.
    pub has_destructors: bool,
}

/// Functions of the engine that compiled code calls. None of them unwinds, and none runs PHP code.
#[derive(Clone, Copy, Debug)]
pub struct Helpers {
    /// A new object of a class, by its identity; its payload, or 0 if there is no memory.
    pub new_object: extern "C" fn(u64) -> u64,
    pub instance_of: extern "C" fn(u64, u64) -> u64,
    /// Whether a class has a layout ([`crate::input::CompileInput::layout`]).
    pub has_layout: extern "C" fn(u64, u64) -> u64,
    /// `==` of two strings.
    pub equal_texts: extern "C" fn(u64, u64) -> u64,
    pub concat: Helper,
    /// Appends to the first string.
    pub append_text: Helper,
    /// By the number of the comparison.
    pub compare: Helper,
    /// An element of an array; with 1, null if there is none.
    pub element: Helper,
    /// Whether there is an element that is not null; with 1, whether it is empty.
    pub has_element: Helper,
    /// Array, key and value; array and value.
    pub set_element: Helper,
    pub push_element: Helper,
    /// Array, two keys and value: sets an element of the array that is the element under the first key.
    pub set_in_element: Helper,
    /// The same for an array that is changed where it is, because only one place holds it.
    pub set_in_place: Helper,
    pub push_in_place: Helper,
    /// Makes room in a list that only one place holds, for one more element; 0 if there is no memory.
    pub grow: extern "C" fn(u64) -> u64,
    /// The same, of the list twice, which keeps all registers: whether there is room shows in the list.
    pub grow_apart: extern "C" fn(u64, u64),
    /// An array of values.
    pub list: Helper,
    /// A builtin function's short way, which is the number; it keeps no reference that it gets.
    pub quick: Helper,
    /// A reference that holds the value, which is given up; with 1, the value is borrowed.
    pub make_reference: Helper,
    /// What a reference holds, which is given up.
    pub open_reference: Helper,
    /// The reference of the global variable of a name.
    pub global: Helper,
    /// That of a static variable of a function, given its number; refuses if it has had no value.
    pub static_variable: Helper,
    /// Has a cell hold what the reference in it holds, if it is one that nobody else holds; refuses if others do.
    pub unbox: HelperAt,
    /// For the array in a cell: key and value; value; key.
    pub set_at: HelperAt,
    pub push_at: HelperAt,
    pub unset_at: HelperAt,
    /// Puts a copy of the value into a cell that holds something, through a reference if it is one whose type nobody declares.
    pub store_at: HelperAt,
    /// Element OP= number, by the operator: array, key and number, in place; for the array in a cell.
    pub change_element: Helper,
    pub change_at: HelperAt,
    /// Moves the second cell to the first, a variable's, through a reference if it is one.
    pub assign: extern "C" fn(*mut Val, *mut Val),
    /// Whether a value that is no object is true.
    pub truth: Helper,
    /// Prepares the call of what the value names, a closure or function that takes no references, in the header that starts at the
    /// cell.
    pub open_call: HelperAt,
    /// Puts the frame of a generator's body, but for its temporaries, where it lies on the stack while the interpreter runs it.
    pub materialize: extern "C" fn(*mut u8, *mut u8),
    /// Resumes the generator of an iterator by its code: context, iterator, the frame that asks and its end, and whether the key
    /// is wanted. Gives [`YIELDED`], [`NOT_CALLED`] or where to go on.
    pub next_element: extern "C" fn(*mut Context, *mut Val, *mut u8, *mut u8, u64) -> u64,
    /// The same for `Generator::send` and `next`: context, generator, what is sent or null, the place of the call's header, and
    /// where the stack is free.
    pub send: extern "C" fn(*mut Context, u64, *const Val, *mut u8, *mut u8) -> u64,
    /// Whether a Closure object is of a function, and needs nothing beside it: no object, scope or captured values.
    pub is_closure_of: Helper,
    /// Keeps a magic method from being called again for a property while it runs, by the number of the guard: object and name. Refuses
    /// if it is running, or the object may have the property.
    pub begin_guard: Helper,
    /// It has returned.
    pub end_guard: extern "C" fn(),
    /// Has the interpreter do an opline: context, frame, opline, its path, and flags; see [`IS_FLUSHED`]. Gives what `call` gives.
    pub step: extern "C" fn(*mut Context, *mut u8, u64, u64, u64) -> u64,
    /// Has the interpreter make a call: context, frame, header, number of arguments (see [`ASSIGNS`], too), the call's opline,
    /// and a cell for the result. Gives a number below [`POSITIONS`], or where to go on with an exception.
    pub call: extern "C" fn(*mut Context, *mut u8, *mut u8, u64, u64, *mut Val) -> u64,
    /// Compiled code that was called has been left: has the interpreter run its frame to the end. Context, frame, the callee's
    /// header, where it was left, and flags: those of the callee's frame, and [`IS_FLUSHED`]. Gives what `call` gives; the result
    /// is in [`Context::scratch`].
    pub conclude: extern "C" fn(*mut Context, *mut u8, *mut u8, u64, u64) -> u64,
    /// Whether somebody holds on to a frame that has more to it than most do.
    pub is_watched: extern "C" fn(*mut u8) -> u64,
}

/// Beside the number of arguments: the result goes to a variable, which the frame has; it has all of them.
pub const ASSIGNS: u64 = 1 << 32;
pub const IS_FLUSHED: u64 = 1 << 33;

/// What [`Helpers::call`] gives: the result is there; it is there, but the code must be left; nothing has been done.
pub const CALLED: u64 = 0;
pub const CALLED_LAST: u64 = 1;
pub const NOT_CALLED: u64 = 2;
/// What [`Helpers::next_element`] gives if the generator has yielded.
pub const YIELDED: u64 = 0;
/// In what the code of a body gives: it has yielded, and what precedes is the address of its resume point; with a key.
pub const HAS_YIELDED: u64 = 2;
pub const HAS_KEY: u64 = 4;
/// Positions are no smaller numbers.
pub const POSITIONS: u64 = 4096;

impl Helpers {
    /// Functions that refuse everything.
    pub const REFUSING: Helpers = Helpers {
        new_object: refuse_one,
        instance_of: refuse_two,
        has_layout: refuse_two,
        equal_texts: refuse_two,
        concat: refuse,
        append_text: refuse,
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
        quick: refuse,
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

/// Takes a number and values and writes a result; 0 if it refuses.
pub type Helper = extern "C" fn(u64, *const Val, u64, *mut Val) -> u64;
/// Takes a number, a cell and values; 0 if it refuses.
pub type HelperAt = extern "C" fn(u64, *mut Val, *const Val, u64) -> u64;

/// Gives up a counted value.
pub(crate) extern "C" fn release(payload: u64, tag: u64) {
    // SAFETY: compiled code owns a reference of the value, and gives it up.
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

/// Gives up a value of any kind.
pub(crate) extern "C" fn release_any(payload: u64, tag: u64) {
    // SAFETY: as `release`.
    unsafe { raw::release(payload, tag as u32) }
}

/// What an exit writes into the header of a pending call: byte offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeaderShape {
    /// The function.
    pub callee: u32,
    /// 64-bit fields that are empty.
    pub empty: [u32; 4],
    /// A 32-bit field that is 0, or this if the object is the caller's.
    pub flags: u32,
    pub borrows_this: u32,
    /// The same flags' bit for a constructor.
    pub constructor: u32,
    /// And for a method that stands in for another one, whose name is in a field of its own.
    pub magic: u32,
    pub name: u32,
    /// And for frames of methods that oplines call: a guard is on; the result is not wanted; its truth is.
    pub guarded: u32,
    pub discards: u32,
    pub to_bool: u32,
    /// What the header of a frame has besides: the saved opline, the caller, the number of arguments.
    pub ip: u32,
    pub prev: u32,
    pub argc: u32,
    pub this: u32,
    pub static_class: u32,
    pub closure: u32,
    /// Of a function: the byte that says whether it takes references.
    pub by_ref: u32,
}

impl FrameShape {
    /// Byte offset of a slot's cell in the frame. Locals beyond the function's own are the cells of its iterators.
    pub(crate) fn offset(&self, slot: Slot) -> usize {
        let cell = match slot {
            Slot::Local(number) => number,
            Slot::Tmp(number) => self.before_tmps.wrapping_add(number),
        };
        HEADER_CELLS as usize * CELL_BYTES + cell as usize * CELL_BYTES
    }

    /// The address of an opline.
    pub(crate) fn position(&self, opline: u32) -> u64 {
        self.oplines + u64::from(opline) * u64::from(self.opline_bytes)
    }
}

/// Tag words of types.
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

    /// The one tag word of a type.
    pub fn exact(bits: hhir::Bits) -> Option<u32> {
        Tags::WORDS.iter().find(|row| row.0 == bits).map(|row| row.1)
    }

    /// The type of a tag word.
    pub fn type_of(tag: u32) -> Option<hhir::Bits> {
        Tags::WORDS.iter().find(|row| row.1 == tag).map(|row| row.0)
    }
}

/// The one tag word that values of a type have.
pub fn tag_word(bits: hhir::Bits) -> Option<u32> {
    Tags::exact(bits)
}

/// PHP's conversion of a float, for those that are no 64-bit integers.
pub(crate) extern "C" fn float_to_int(value: f64) -> i64 {
    phlox_hhir::dbl_to_int(value)
}

/// Where the cell of a reference lies, in bytes.
pub(crate) fn inside_reference() -> usize {
    raw::offsets::REFERENCE_CELL
}
