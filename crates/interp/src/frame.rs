//! Frames in memory, and the stack they are on.

use crate::code::{FuncCode, Op};
use phlox_lower::{HEADER_CELLS, ITER_CELLS};
use phlox_runtime::{Frame as FrameView, PhpObj, PhpStr, SymbolTable, Throw, Val, VarSlot};
use phlox_value::{Slot, raw};
use std::rc::Rc;
use std::sync::atomic::{Ordering, compiler_fence};

/// Bytes of a cell.
pub const CELL: u32 = size_of::<Val>() as u32;
/// Bytes of a frame's header.
pub const HEADER: u32 = HEADER_CELLS * CELL;

/// The header of an activation, and of a call that is being prepared: it lies where the callee's frame will be.
/// The locals follow (parameters first), then iterators, then temporaries.
#[repr(C)]
pub struct Frame {
    pub code: *const FuncCode,
    /// The opline that runs, or that called.
    pub ip: *const Op,
    /// The caller in the same run; null for a run's first frame. Under a frame with [`FLAG_ENTRY`]: the one from which it
    /// was called by way of builtin code.
    pub prev: *mut Frame,
    /// `$this` with a count of its own (or without: [`FLAG_BORROWS_THIS`]), or 0.
    pub this: u64,
    /// The late static binding class, not counted: classes live as long as the request.
    pub static_class: *const phlox_value::ClassHeader,
    /// The closure object with a count of its own, or 0.
    pub closure: u64,
    /// What few frames have; owned, or null.
    pub env: *mut Env,
    /// Arguments passed.
    pub argc: u32,
    pub flags: u32,
    /// A generator's body that runs inline: the block that it goes back to; see `generator`. A pending call with
    /// [`FLAG_MAGIC`]: the name that `__call` stands in for, a string handle.
    pub extra: u64,
    /// The Generator object that it is the body of, not counted: what resumed it holds it.
    pub generator: u64,
}

const _: () = assert!(size_of::<Frame>() == HEADER as usize);

/// [`Run::execute`](crate::context::Run::execute) ends when the frame returns.
pub const FLAG_ENTRY: u32 = 1;
/// The constructor call of `new`: on failure the object's destructor must not run.
pub const FLAG_CONSTRUCTOR: u32 = 1 << 1;
/// Called from builtin code.
pub const FLAG_FROM_NATIVE: u32 = 1 << 2;
/// Pending call: its arguments come from the array of `call_user_func_array`.
pub const FLAG_FROM_ARRAY: u32 = 1 << 4;
/// The body of a generator that is being resumed.
pub const FLAG_GENERATOR: u32 = 1 << 3;

/// The body of a generator that runs above the frame that asked for it, in the same run.
pub const FLAG_INLINE: u32 = 1 << 5;

/// A magic method that an opline called: a guard is on while it runs.
pub const FLAG_GUARDED: u32 = 1 << 6;
/// Called by an opline that has no use for a result.
pub const FLAG_DISCARDS: u32 = 1 << 7;
/// Called by an opline whose result is whether the value is true.
pub const FLAG_TO_BOOL: u32 = 1 << 8;
/// `$this` is that of the frame below, which holds it for as long.
pub const FLAG_BORROWS_THIS: u32 = 1 << 9;
/// Pending call: `__call` or `__callStatic` stands in for the method that [`Frame::extra`] names.
pub const FLAG_MAGIC: u32 = 1 << 10;
/// Called by an opline that goes on with the value: it is guarded, too.
pub const FLAG_MIDWAY: u32 = 1 << 11;
/// The frame below is that of a builtin function that returns what this one does.
pub const FLAG_ANSWERS: u32 = 1 << 12;
/// From this bit on, one for each of the first variables, the last for all others: compiled code has made a plain variable of a
/// reference that nobody else held.
const FLAG_UNBOXED: u32 = 1 << 16;
/// What a return must look at.
pub const FLAGS_SPECIAL: u32 =
    FLAG_ENTRY | FLAG_GENERATOR | FLAG_GUARDED | FLAG_DISCARDS | FLAG_TO_BOOL | FLAG_MIDWAY | FLAG_ANSWERS;

/// Parts of a frame that most frames lack.
#[derive(Default)]
pub struct Env {
    /// The frame as the runtime sees it, once somebody looked.
    pub view: Option<Rc<FrameView>>,
    pub extra_args: Vec<Val>,
    /// Variables by name; the locals are attached to them.
    pub symbols: Option<Symbols>,
    /// `include`, `eval`, ...
    pub include_kind: &'static str,
    /// While a fault funclet runs: what to go on unwinding with, and from which row.
    pub unwinding: Option<(Throw, usize)>,
    /// Where the throw was that the running funclet belongs to.
    pub fault_pc: u32,
    /// Pending call: names of arguments by position.
    pub names: Vec<(usize, PhpStr)>,
    /// Pending call: the name of the next argument.
    pub next_name: Option<PhpStr>,
}

/// A symbol table whose variables live in the frame.
pub struct Symbols {
    pub table: Rc<SymbolTable>,
    /// Each local's variable and where that was before.
    pub attached: Vec<(u32, Rc<VarSlot>, *const Slot)>,
}

impl Frame {
    /// The flag that says of a variable that it was a reference. One that lies elsewhere than in the frame is one of the others.
    ///
    /// # Safety
    /// It is a frame.
    pub unsafe fn unboxed_flag(frame: *mut Frame, variable: *const Val) -> u32 {
        // SAFETY: by the caller.
        let first = unsafe { Frame::local(frame, 0) };
        FLAG_UNBOXED << (variable.addr().wrapping_sub(first.addr()) / size_of::<Val>()).min(15)
    }

    /// Fills in the header of a call that is being prepared.
    ///
    /// # Safety
    /// `frame` is the place of a header.
    #[inline(always)]
    pub unsafe fn prepare(frame: *mut Frame, code: *const FuncCode) {
        // SAFETY: by the caller.
        unsafe {
            (*frame).code = code;
            (*frame).this = 0;
            (*frame).static_class = std::ptr::null();
            (*frame).closure = 0;
            (*frame).env = std::ptr::null_mut();
            (*frame).flags = 0;
        }
    }

    /// # Safety
    /// `frame` is a frame.
    #[inline(always)]
    pub unsafe fn local(frame: *mut Frame, index: u32) -> *mut Val {
        // SAFETY: locals follow the header.
        unsafe { frame.add(1).cast::<Val>().add(index as usize) }
    }

    /// Makes the locals from one number to another undefined.
    ///
    /// # Safety
    /// `frame` is a frame with that many locals, which hold nothing.
    #[inline(always)]
    pub unsafe fn undefine(frame: *mut Frame, from: u32, to: u32) {
        // SAFETY: by the caller.
        unsafe {
            let mut local = Frame::local(frame, from);
            let end = Frame::local(frame, to);
            while local < end {
                raw::write_tag(local, raw::TI_UNDEF);
                local = local.add(1);
                // There are few: getting ready to write many at once takes longer than the writing.
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
        // SAFETY: iterators follow the locals.
        unsafe { Frame::local(frame, (*(*frame).code).locals + index * ITER_CELLS) }
    }

    /// Temporary `number`.
    ///
    /// # Safety
    /// `frame` is a frame.
    pub unsafe fn tmp(frame: *mut Frame, number: u32) -> *mut Val {
        // SAFETY: temporaries follow the iterators.
        unsafe { Frame::iter(frame, (*(*frame).code).iters).add(number as usize) }
    }

    /// The rare parts, made on first use.
    ///
    /// # Safety
    /// `frame` is a frame or the header of a pending call.
    pub unsafe fn env<'a>(frame: *mut Frame) -> &'a mut Env {
        // SAFETY: by the caller; the frame owns the parts.
        unsafe {
            if (*frame).env.is_null() {
                (*frame).env = Box::into_raw(Box::default());
            }
            &mut *(*frame).env
        }
    }

    /// `$this`, counted.
    ///
    /// # Safety
    /// `frame` is a frame.
    pub unsafe fn this_object(frame: *const Frame) -> Option<PhpObj> {
        // SAFETY: by the caller.
        unsafe { object((*frame).this) }
    }

    /// The name that `__call` stands in for, if it does.
    ///
    /// # Safety
    /// `frame` is the header of a pending call.
    pub unsafe fn magic_name(frame: *const Frame) -> Option<PhpStr> {
        // SAFETY: by the flag; a handle is its payload.
        unsafe {
            let name = (&raw const (*frame).extra).cast::<PhpStr>();
            ((*frame).flags & FLAG_MAGIC != 0).then(|| (*name).clone())
        }
    }

    /// Takes that name.
    ///
    /// # Safety
    /// As [`Frame::magic_name`].
    pub unsafe fn take_magic_name(frame: *mut Frame) -> Option<PhpStr> {
        // SAFETY: by the flag, which goes with the name.
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
        // SAFETY: by the caller.
        unsafe {
            let code = &*(*frame).code;
            let cells =
                if code.is_native { (*frame).argc.max(code.params) * CELL + HEADER } else { code.frame_bytes.get() };
            frame.cast::<u8>().add(cells as usize)
        }
    }
}

/// A counted handle of the object with this payload; 0 is none.
///
/// # Safety
/// The payload is a live object or 0.
pub unsafe fn object(payload: u64) -> Option<PhpObj> {
    if payload == 0 {
        return None;
    }
    // SAFETY: by the caller.
    unsafe {
        raw::retain(payload, raw::TI_OBJ);
        raw::value(payload, raw::TI_OBJ).into_obj()
    }
}

/// Bytes of a thread's stack; memory that is not touched costs nothing.
const STACK_BYTES: usize = 1 << 30;
/// Bytes of a fiber's stack.
const FIBER_STACK_BYTES: usize = 64 << 20;
/// The stack is charged to memory_limit in steps of this size.
pub const CHARGE_BYTES: usize = 256 << 10;

/// Memory for frames.
pub struct Stack {
    base: *mut u8,
    bytes: usize,
    /// Charged to memory_limit up to here.
    pub charged: *mut u8,
}

impl Stack {
    /// Reserves addresses; the system gives pages when they are touched.
    fn with_bytes(bytes: usize) -> Option<Stack> {
        use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a fresh mapping at an address that the system chooses.
        let base = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, flags) };
        let base = base.ok()?.cast();
        Some(Stack { base, bytes, charged: base })
    }

    /// The thread's stack: as large as there are addresses for.
    pub fn for_thread() -> Stack {
        let sizes = std::iter::successors(Some(STACK_BYTES), |bytes| (*bytes > CHARGE_BYTES).then_some(bytes / 4));
        match sizes.filter_map(Stack::with_bytes).next() {
            Some(stack) => stack,
            None => std::alloc::handle_alloc_error(std::alloc::Layout::new::<Stack>()),
        }
    }

    /// `None`: there are no addresses left.
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
            // SAFETY: within the block, as was just checked.
            self.charged = unsafe { self.charged.add(CHARGE_BYTES) };
        }
        true
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        phlox_runtime::heap::discharge(self.charged as usize - self.base as usize);
        // SAFETY: mapped with this size; no frame is left when its owner goes away.
        let unmapped = unsafe { rustix::mm::munmap(self.base.cast(), self.bytes) };
        debug_assert!(unmapped.is_ok());
    }
}
