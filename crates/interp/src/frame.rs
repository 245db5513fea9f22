//! Frames in memory, and the stack they are on.

use crate::code::{FuncCode, Op};
use phlox_lower::{HEADER_CELLS, ITER_CELLS};
use phlox_runtime::{Frame as FrameView, PhpObj, PhpStr, SymbolTable, Throw, Val, VarSlot};
use phlox_value::{Slot, raw};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{Ordering, compiler_fence};

/// Bytes of a cell.
pub const CELL: u32 = size_of::<Val>() as u32;
/// Bytes of a frame's header.
pub const HEADER: u32 = HEADER_CELLS * CELL;

/// The header of an activation, or of a pending call: that one lies where the callee's frame will be. The locals follow (parameters
/// first), then iterators, then temporaries.
#[repr(C)]
pub struct Frame {
    pub code: *const FuncCode,
    /// The opline that the frame executes, or that has made a call.
    pub ip: *const Op,
    /// The caller in the same run; null for a run's first frame. Of a frame with [`FLAG_ENTRY`]: the frame from which it was called
    /// by way of builtin code.
    pub prev: *mut Frame,
    /// `$this` with a reference of its own (or without one: [`FLAG_BORROWS_THIS`]), or 0.
    pub this: u64,
    /// The late static binding class, without a reference: classes live as long as the request.
    pub static_class: *const phlox_value::ClassHeader,
    /// The closure object with a reference of its own, or 0.
    pub closure: u64,
    /// Parts that few frames have; owned, or null.
    pub env: *mut Env,
    /// How many arguments were passed.
    pub argc: u32,
    pub flags: u32,
    /// Of a generator's body that runs inline: the block that the frame goes back to; see `generator`. Of a pending call with
    /// [`FLAG_MAGIC`]: the name that `__call` stands in for, a string handle.
    pub extra: u64,
    /// Of a generator's body: the Generator object, without a reference: what has resumed the body holds one.
    pub generator: u64,
}

const _: () = assert!(size_of::<Frame>() == HEADER as usize);

/// [`Run::execute`](crate::context::Run::execute) ends when the frame returns.
pub const FLAG_ENTRY: u32 = 1;
/// The constructor call of `new`: on failure the object's destructor must not run.
pub const FLAG_CONSTRUCTOR: u32 = 1 << 1;
/// The frame was called from builtin code.
pub const FLAG_FROM_NATIVE: u32 = 1 << 2;
/// Pending call: its arguments come from the array of `call_user_func_array`.
pub const FLAG_FROM_ARRAY: u32 = 1 << 4;
/// The frame is that of a generator's body.
pub const FLAG_GENERATOR: u32 = 1 << 3;

/// The frame is that of a generator's body that runs above the frame that has resumed it, in the same run.
pub const FLAG_INLINE: u32 = 1 << 5;

/// The frame is that of a magic method that an opline has called: a recursion guard is on while it runs.
pub const FLAG_GUARDED: u32 = 1 << 6;
/// The frame was called by an opline that discards the result.
pub const FLAG_DISCARDS: u32 = 1 << 7;
/// The frame was called by an opline whose result is whether the returned value is true.
pub const FLAG_TO_BOOL: u32 = 1 << 8;
/// `$this` is that of the frame below, which holds a reference for as long.
pub const FLAG_BORROWS_THIS: u32 = 1 << 9;
/// Pending call: `__call` or `__callStatic` stands in for the method that [`Frame::extra`] names.
pub const FLAG_MAGIC: u32 = 1 << 10;
/// The frame was called by an opline that goes on with the returned value; a recursion guard is on, too.
pub const FLAG_MIDWAY: u32 = 1 << 11;
/// The frame below is that of a builtin function that returns what this frame returns.
pub const FLAG_ANSWERS: u32 = 1 << 12;
/// The first of sixteen flags, one for each of the first fifteen variables and the last for all others: compiled code has unboxed
/// the variable, whose reference nobody else held.
const FLAG_UNBOXED: u32 = 1 << 16;
/// The flags that a return must look at.
pub const FLAGS_SPECIAL: u32 =
    FLAG_ENTRY | FLAG_GENERATOR | FLAG_GUARDED | FLAG_DISCARDS | FLAG_TO_BOOL | FLAG_MIDWAY | FLAG_ANSWERS;

/// Parts of a frame that most frames lack.
#[derive(Default)]
pub struct Env {
    /// The frame in the runtime's form, once somebody has asked for it.
    pub view: Option<Rc<FrameView>>,
    pub extra_args: Vec<Val>,
    /// Variables by name, to which the frame's locals are attached.
    pub symbols: Option<Symbols>,
    /// The name of the construct that runs the file: `include`, `eval`, ...
    pub include_kind: &'static str,
    /// While a fault funclet runs: the throwable to go on unwinding with, and the row of the exception table to go on from.
    pub unwinding: Option<(Throw, usize)>,
    /// The HHBC position of the throw that the running funclet belongs to.
    pub fault_pc: u32,
    /// Pending call: names of arguments with their positions.
    pub names: Vec<(usize, PhpStr)>,
    /// Pending call: the name of the next argument.
    pub next_name: Option<PhpStr>,
}

thread_local! {
    /// Rare parts of frames that have ended, for the next ones: callbacks that are passed more arguments than they declare have such
    /// parts in each call.
    static SPARE: RefCell<Vec<Box<Env>>> = const { RefCell::new(Vec::new()) };
}

impl Env {
    /// How many rare parts are kept.
    const MOST_SPARE: usize = 32;

    /// Empty rare parts.
    fn spare() -> Box<Env> {
        SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
    }

    /// Whether there are extra arguments and nothing else.
    pub fn has_only_extra_arguments(&self) -> bool {
        !self.extra_args.is_empty() && self.view.is_none() && self.is_plain()
    }

    /// Whether nothing is there but a view and extra arguments.
    fn is_plain(&self) -> bool {
        self.symbols.is_none() && self.unwinding.is_none() && self.names.is_empty() && self.next_name.is_none()
    }

    /// Drops what the rare parts of a frame hold that has ended, and keeps them for another frame. Destructors may run.
    pub fn end(mut self: Box<Env>) {
        drop(self.view.take());
        self.extra_args.clear();
        if !self.is_plain() || self.extra_args.capacity() > Env::MOST_SPARE {
            return;
        }
        (self.include_kind, self.fault_pc) = ("", 0);
        // Threads that end have no such list any more.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < Env::MOST_SPARE {
                spare.push(self);
            }
        });
    }
}

/// A symbol table whose variables live in the frame.
pub struct Symbols {
    pub table: Rc<SymbolTable>,
    /// Each attached local, its variable, and the variable's cell before.
    pub attached: Vec<(u32, Rc<VarSlot>, *const Slot)>,
}

impl Frame {
    /// The flag that says of a variable that it was unboxed. A variable outside of the frame shares the last flag.
    ///
    /// # Safety
    /// `frame` is a frame.
    pub unsafe fn unboxed_flag(frame: *mut Frame, variable: *const Val) -> u32 {
        // SAFETY: the caller says that this is a frame, and locals follow the header.
        let first = unsafe { Frame::local(frame, 0) };
        FLAG_UNBOXED << (variable.addr().wrapping_sub(first.addr()) / size_of::<Val>()).min(15)
    }

    /// Fills in the header of a pending call.
    ///
    /// # Safety
    /// `frame` points to room for a header.
    #[inline(always)]
    pub unsafe fn prepare(frame: *mut Frame, code: *const FuncCode) {
        // SAFETY: the caller says that there is room for a header.
        unsafe {
            (*frame).code = code;
            (*frame).this = 0;
            (*frame).static_class = std::ptr::null();
            (*frame).closure = 0;
            (*frame).env = std::ptr::null_mut();
            (*frame).flags = 0;
        }
    }

    /// The cell of a local.
    ///
    /// # Safety
    /// `frame` is a frame.
    #[inline(always)]
    pub unsafe fn local(frame: *mut Frame, index: u32) -> *mut Val {
        // SAFETY: the caller says that this is a frame, and locals follow the header.
        unsafe { frame.add(1).cast::<Val>().add(index as usize) }
    }

    /// Makes the locals from one number to before another undefined.
    ///
    /// # Safety
    /// `frame` is a frame with that many locals, which hold nothing.
    #[inline(always)]
    pub unsafe fn undefine(frame: *mut Frame, from: u32, to: u32) {
        // SAFETY: the caller says that the frame has these locals, and that they hold nothing.
        unsafe {
            let mut local = Frame::local(frame, from);
            let end = Frame::local(frame, to);
            while local < end {
                raw::write_tag(local, raw::TI_UNDEF);
                local = local.add(1);
                // There are few locals: setting up vector stores takes longer than writing the cells one by one.
                compiler_fence(Ordering::SeqCst);
            }
        }
    }

    /// The first cell of an iterator.
    ///
    /// # Safety
    /// `frame` is a frame.
    #[inline(always)]
    pub unsafe fn iter(frame: *mut Frame, index: u32) -> *mut Val {
        // SAFETY: the caller says that this is a frame, and iterators follow the locals.
        unsafe { Frame::local(frame, (*(*frame).code).locals + index * ITER_CELLS) }
    }

    /// The cell of a temporary.
    ///
    /// # Safety
    /// `frame` is a frame.
    pub unsafe fn tmp(frame: *mut Frame, number: u32) -> *mut Val {
        // SAFETY: the caller says that this is a frame, and temporaries follow the iterators.
        unsafe { Frame::iter(frame, (*(*frame).code).iters).add(number as usize) }
    }

    /// The rare parts of a frame, made on first use.
    ///
    /// # Safety
    /// `frame` is a frame or the header of a pending call.
    pub unsafe fn env<'a>(frame: *mut Frame) -> &'a mut Env {
        // SAFETY: the caller says that this is a frame or a header; it owns the rare parts.
        unsafe {
            if (*frame).env.is_null() {
                (*frame).env = Box::into_raw(Env::spare());
            }
            &mut *(*frame).env
        }
    }

    /// `$this`, with a reference of its own.
    ///
    /// # Safety
    /// `frame` is a frame.
    pub unsafe fn this_object(frame: *const Frame) -> Option<PhpObj> {
        // SAFETY: the caller says that this is a frame, whose `this` is a live object or 0.
        unsafe { object((*frame).this) }
    }

    /// The name of the method that `__call` stands in for, if it does.
    ///
    /// # Safety
    /// `frame` is the header of a pending call.
    pub unsafe fn magic_name(frame: *const Frame) -> Option<PhpStr> {
        // SAFETY: with `FLAG_MAGIC`, `extra` owns the name; a string handle has the layout of its payload.
        unsafe {
            let name = (&raw const (*frame).extra).cast::<PhpStr>();
            ((*frame).flags & FLAG_MAGIC != 0).then(|| (*name).clone())
        }
    }

    /// Takes the name of the method that `__call` stands in for out of the header.
    ///
    /// # Safety
    /// `frame` is the header of a pending call.
    pub unsafe fn take_magic_name(frame: *mut Frame) -> Option<PhpStr> {
        // SAFETY: with `FLAG_MAGIC`, `extra` owns the name; the flag is removed together with the name.
        unsafe {
            if (*frame).flags & FLAG_MAGIC == 0 {
                return None;
            }
            (*frame).flags &= !FLAG_MAGIC;
            Some((&raw const (*frame).extra).cast::<PhpStr>().read())
        }
    }

    /// One past the last byte that the frame uses.
    ///
    /// # Safety
    /// `frame` is the innermost frame of a run.
    pub unsafe fn end(frame: *mut Frame) -> *mut u8 {
        // SAFETY: the caller says that this is a frame, so its function is alive.
        unsafe {
            let code = &*(*frame).code;
            let cells =
                if code.is_native { (*frame).argc.max(code.params) * CELL + HEADER } else { code.frame_bytes.get() };
            frame.cast::<u8>().add(cells as usize)
        }
    }
}

/// A handle of the object with this payload, with a reference of its own; 0 is none.
///
/// # Safety
/// The payload is a live object or 0.
pub unsafe fn object(payload: u64) -> Option<PhpObj> {
    if payload == 0 {
        return None;
    }
    // SAFETY: the caller says that the payload is a live object.
    unsafe {
        raw::retain(payload, raw::TI_OBJ);
        raw::value(payload, raw::TI_OBJ).into_obj()
    }
}

/// Bytes of a thread's stack; pages that are not touched take no memory.
const STACK_BYTES: usize = 1 << 30;
/// Bytes of a fiber's stack for frames.
const FIBER_STACK_BYTES: usize = 64 << 20;
/// The stack is charged to memory_limit in steps of so many bytes.
pub const CHARGE_BYTES: usize = 256 << 10;

/// Memory for frames.
pub struct Stack {
    base: *mut u8,
    bytes: usize,
    /// The stack is charged to memory_limit up to here.
    pub charged: *mut u8,
}

impl Stack {
    /// Reserves addresses; the system allocates pages when they are touched. `None`: there are no addresses left.
    fn with_bytes(bytes: usize) -> Option<Stack> {
        use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: the system chooses the address, so the mapping overlaps no other.
        let base = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, flags) };
        let base = base.ok()?.cast();
        Some(Stack { base, bytes, charged: base })
    }

    /// The thread's stack, as large as there are addresses for.
    pub fn for_thread() -> Stack {
        let sizes = std::iter::successors(Some(STACK_BYTES), |bytes| (*bytes > CHARGE_BYTES).then_some(bytes / 4));
        match sizes.filter_map(Stack::with_bytes).next() {
            Some(stack) => stack,
            None => std::alloc::handle_alloc_error(std::alloc::Layout::new::<Stack>()),
        }
    }

    /// A fiber's stack. `None`: there are no addresses left.
    pub fn for_fiber() -> Option<Stack> {
        Stack::with_bytes(FIBER_STACK_BYTES)
    }

    /// Where the first run's frames start.
    pub fn base(&self) -> *mut u8 {
        self.base
    }

    /// Makes room up to `end`: charges memory_limit, which may end the script. False: the stack is full.
    pub fn reach(&mut self, end: *mut u8) -> bool {
        if end as usize > self.base as usize + self.bytes - CHARGE_BYTES {
            return false;
        }
        while end > self.charged {
            phlox_runtime::heap::charge(CHARGE_BYTES);
            // SAFETY: the charged part stays within the block, as the first check makes sure.
            self.charged = unsafe { self.charged.add(CHARGE_BYTES) };
        }
        true
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        phlox_runtime::heap::discharge(self.charged as usize - self.base as usize);
        // SAFETY: the block was mapped with this size, and no frame lies on it when its owner goes away.
        let unmapped = unsafe { rustix::mm::munmap(self.base.cast(), self.bytes) };
        debug_assert!(unmapped.is_ok());
    }
}
