//! Entering a function's compiled code: how its arguments get from cells into registers.

use crate::context::Ip;
use crate::frame::{FLAG_BORROWS_THIS, FLAG_ENTRY, FLAG_FROM_NATIVE, Frame};
use crate::tier::specializations::{Variant, was_left};
use crate::tier::{Deferral, context, destruct_before, destructors_wait, give_room, note_left, resume, unwind_on};
use crate::{calls, code, context::Run, leave};
use phlox_hhir::types::{self as hhir, Bits};
use phlox_jit::Entry;
use phlox_jit::code::{FuncCode as Native, Returned, function_code};
use phlox_jit::layout::{MAX_FLOATS, MAX_INTS, TAGS_END, tag_word};
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{CalleeRef, PhpObj, Val};
use phlox_value::raw::{self, Words};
use phlox_value::{Slot, interrupt};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// How code takes a parameter: the tag word under a mask that the guard expects, and the register for the payload.
#[derive(Clone, Copy, Debug)]
struct Parameter {
    mask: u32,
    word: u32,
    register: u8,
    is_truth: bool,
}

/// The number of registers, and the first one for floats; the last one is written for values without a payload and never read.
const FLOATS: usize = 21;
const NOWHERE: usize = 31;
const REGISTERS: usize = 32;

/// The arguments that code takes, in order.
#[derive(Clone, Debug)]
pub struct Takes {
    this: This,
    args: SmallVec<[Parameter; 4]>,
    /// The registers are few enough for [`SmallCode`], so that a call without a frame loads no more than those.
    is_small: bool,
}

/// What the code takes in its first register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum This {
    None,
    Object,
    Class,
}

/// The registers for integers and for floats of [`SmallCode`].
const FEW_INTS: usize = 5;
const FEW_FLOATS: usize = 2;

/// Arguments at most of a call by [`call_prepared`], whose cells are written before the call.
const MAX_HELD: usize = 8;

/// Words of [`SmallCode`]'s arguments. Register numbers modulo this give the integers' first, then the floats', then the unread
/// one.
const FEW_REGISTERS: usize = 8;
const _: () = assert!(FLOATS % FEW_REGISTERS == FEW_INTS && NOWHERE % FEW_REGISTERS >= FEW_INTS + FEW_FLOATS);

/// The signature under which code is called that takes few arguments; the other argument registers hold anything.
type SmallCode = unsafe extern "C" fn(*mut u8, u64, u64, u64, u64, u64, f64, f64) -> Returned;

impl Takes {
    /// The arguments of code that takes an object or class, and parameters of these types. A literal string is accepted for a
    /// refcounted one. `None`: a tag does not tell some of the types, or there are more arguments than registers.
    pub fn of(this: Option<Bits>, args: &[Bits]) -> Option<Takes> {
        let this = match this {
            None => This::None,
            Some(hhir::OBJ) => This::Object,
            Some(_) => This::Class,
        };
        let (mut ints, mut floats) = (usize::from(this != This::None), 0);
        let taken = |&bits: &Bits| {
            let (mask, word) = match bits {
                hhir::BOOL => (!(raw::TI_FALSE ^ raw::TI_TRUE), raw::TI_FALSE & raw::TI_TRUE),
                hhir::COUNTED_STR => (0xff, raw::TI_STR_STATIC),
                hhir::UNINIT => return None,
                bits => (u32::MAX, tag_word(bits)?),
            };
            let register = match bits {
                hhir::INIT_NULL => NOWHERE,
                hhir::DBL => {
                    floats += 1;
                    FLOATS + floats - 1
                }
                _ => {
                    ints += 1;
                    ints - 1
                }
            };
            Some(Parameter { mask, word, register: register as u8, is_truth: bits == hhir::BOOL })
        };
        let args = args.iter().map(taken).collect::<Option<_>>()?;
        let fits = ints <= MAX_INTS && floats <= MAX_FLOATS;
        fits.then_some(Takes { this, args, is_small: ints <= FEW_INTS && floats <= FEW_FLOATS })
    }

    /// Fetches an object or class and the arguments from their cells; false: the guard on a type fails.
    ///
    /// # Safety
    /// `place_of` gives a live cell for each of the arguments.
    #[inline(always)]
    unsafe fn fetch<const COUNT: usize>(
        &self,
        registers: &mut Registers<COUNT>,
        (this, static_class): (u64, u64),
        place_of: impl Fn(usize) -> *const Val,
    ) -> bool {
        match self.this {
            This::None => {}
            This::Object if this == 0 => return false,
            This::Object => registers.words[0] = this,
            This::Class => registers.words[0] = static_class,
        }
        for (number, taken) in self.args.iter().enumerate() {
            // SAFETY: the caller says that `place_of` gives live cells.
            let (tag, payload) = unsafe {
                let place = place_of(number);
                (raw::tag(place), raw::payload(place))
            };
            if tag & taken.mask != taken.word {
                return false;
            }
            let word = if taken.is_truth { u64::from(tag == raw::TI_TRUE) } else { payload };
            registers.words[taken.register as usize % COUNT] = word;
        }
        true
    }

    /// Fetches the arguments from the cells of a frame; false: the guard on a type fails.
    ///
    /// # Safety
    /// The frame is one of the function that the code was compiled for, and has just started.
    #[inline(always)]
    unsafe fn fetch_from_frame<const COUNT: usize>(&self, registers: &mut Registers<COUNT>, frame: *mut Frame) -> bool {
        // SAFETY: the caller says that the frame has just started, so its first locals are the arguments.
        unsafe {
            let own = ((*frame).this, (*frame).static_class as u64);
            self.fetch(registers, own, |number| Frame::local(frame, number as u32))
        }
    }

    /// Whether the registers are few enough for [`SmallCode`].
    #[inline(always)]
    pub fn is_small(&self) -> bool {
        self.is_small
    }

    /// How many arguments there are, captured variables included.
    pub fn count(&self) -> usize {
        self.args.len()
    }
}

/// A function's code, for the interpreter.
pub struct Entrance {
    // What an entry reads lies here side by side: a function that is called seldom is not in the processor's cache.
    takes: Takes,
    entry: &'static Entry,
    may_free: bool,
    needs_frame: bool,
    variant: Rc<Variant>,
}

impl Entrance {
    /// The entrance of a specialisation's current code.
    pub fn new(
        variant: Rc<Variant>,
        takes: Takes,
        entry: &'static Entry,
        (may_free, needs_frame): (bool, bool),
    ) -> Entrance {
        Entrance { takes, entry, may_free, needs_frame, variant }
    }

    /// The arguments that the code takes.
    #[inline(always)]
    pub fn takes(&self) -> &Takes {
        &self.takes
    }

    /// Fetches the arguments of a frame; `None` if their types do not fit, or if there is no code any more.
    ///
    /// # Safety
    /// The frame is one of the function that the code was compiled for, and has just started.
    #[inline(always)]
    pub unsafe fn fetch<const COUNT: usize>(
        &self,
        mut registers: Registers<COUNT>,
        frame: *mut Frame,
    ) -> Option<Taken<COUNT>> {
        let address = self.entry.code.get();
        // SAFETY: the caller says that the frame is the function's and has just started.
        if address == 0 || !unsafe { self.takes.fetch_from_frame(&mut registers, frame) } {
            return None;
        }
        if self.may_free && raw::frees_run_code() {
            self.variant.outdate();
            return None;
        }
        Some(Taken { registers, address, needs_frame: self.needs_frame, args: self.takes.count() as u32 })
    }
}

/// Arguments that were fetched, and the code to call with them.
pub struct Taken<const COUNT: usize = REGISTERS> {
    pub registers: Registers<COUNT>,
    pub address: u64,
    /// Whether the frame may be looked at while the code runs; see [`phlox_jit::Built`].
    pub needs_frame: bool,
    /// How many arguments there are.
    pub args: u32,
}

/// The words of the argument registers: those for integers, those for floats, and one that is not read.
pub struct Registers<const COUNT: usize = REGISTERS> {
    words: [u64; COUNT],
}

impl Registers {
    /// Zeroed registers for code of any number of arguments.
    #[inline(always)]
    pub fn many() -> Registers {
        Registers { words: [0; REGISTERS] }
    }

    /// Calls code with the arguments that have been fetched.
    ///
    /// # Safety
    /// The registers hold what the code at `address` takes, `frame` has room for its cells, and [`give_room`] was called.
    #[inline(always)]
    pub unsafe fn call(&self, address: u64, frame: *mut Frame) -> Returned {
        let i = &self.words;
        let f = |at: usize| f64::from_bits(self.words[FLOATS + at]);
        // SAFETY: the caller says that the address is that of a function's code and the registers hold its arguments.
        unsafe {
            let code: Native = function_code(address);
            #[rustfmt::skip]
            let returned = code(
                frame.cast(), i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9],
                f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7),
            );
            returned
        }
    }
}

impl Registers<FEW_REGISTERS> {
    /// Zeroed registers for [`SmallCode`].
    #[inline(always)]
    pub fn few() -> Registers<FEW_REGISTERS> {
        Registers { words: [0; FEW_REGISTERS] }
    }

    /// Calls code that takes few arguments, whose registers are those of [`SmallCode`].
    ///
    /// # Safety
    /// The registers hold what the code at `address` takes, which is few enough ([`Takes::is_small`]); `frame` has room for its
    /// cells, and [`give_room`] was called.
    #[inline(always)]
    pub unsafe fn call_small(&self, address: u64, frame: *mut Frame) -> Returned {
        let i = &self.words;
        let f = |at: usize| f64::from_bits(self.words[FEW_INTS + at]);
        // SAFETY: the caller says that the address is that of a function's code; all its arguments are in registers, of which it
        // reads those that it takes.
        unsafe {
            let code = std::mem::transmute::<*const u8, SmallCode>(address as *const u8);
            code(frame.cast(), i[0], i[1], i[2], i[3], i[4], f(0), f(1))
        }
    }
}

/// How a call without a frame of its own has ended.
pub enum Direct {
    /// The function has returned this value.
    Returned(Words),
    /// The code has left by a side exit: the frame is materialised, and the interpreter goes on with this opline of the innermost
    /// frame.
    Left(Ip),
}

/// Code that builtin code calls without a frame.
#[derive(Clone, Copy)]
pub struct Callable {
    entry: &'static Entry,
    takes: *const Takes,
    may_free: bool,
}

impl Callable {
    /// `None`: the code takes more arguments than [`SmallCode`].
    pub fn of(entry: &'static Entry, takes: &Takes, may_free: bool) -> Option<Callable> {
        takes.is_small.then_some(Callable { entry, takes, may_free })
    }
}

/// Whether an interrupt is pending that a call of code must not put off. The cycle collector and the installing of compiled code
/// may be put off: code checks for them in its loops, and a function that builtin code calls a million times may have no loop.
#[inline(always)]
unsafe fn is_interrupted(run: *mut Run) -> bool {
    // SAFETY: the callers pass the innermost run; the interrupt word is never freed.
    unsafe { (*(*run).interrupt).load(Ordering::Relaxed) & !(interrupt::COLLECT | interrupt::COMPILED) != 0 }
}

/// The captured variables of a closure, which code takes behind its arguments. `None`: the object holds no closure.
#[inline(always)]
pub fn captured_by<'a>(code: &code::FuncCode, closure: Option<&'a PhpObj>) -> Option<&'a [Slot]> {
    match closure {
        Some(closure) if code.has_captures => Some(&closure.native::<ClosureData>()?.captured),
        _ => Some(&[]),
    }
}

/// Calls a function's code from builtin code; `None` if there is no code that fits. The code borrows the arguments, which
/// `place_of` gives the cells of; `own` are the object and the class.
///
/// # Safety
/// The run is the innermost one; `frame` is where the function's frame would lie, for which there is room.
#[inline(always)]
pub unsafe fn call_directly<'a>(
    run: *mut Run,
    code: &code::FuncCode,
    own: (u64, u64),
    (count, place_of): (usize, impl Fn(usize) -> *const Val),
    captured: (usize, *const Val),
    frame: *mut Frame,
    callee: impl FnOnce() -> CalleeRef<'a>,
) -> Option<Direct> {
    let callable = code.func_site()?.callable()?;
    // SAFETY: the caller says that the run is the innermost one and that there is room; a function's specialisations live as long
    // as the function.
    unsafe {
        let takes = &*callable.takes;
        if count as u32 != code.params || takes.count() != count + captured.0 {
            return None;
        }
        let mut registers = Registers::few();
        let place_of = |number: usize| match number < count {
            true => place_of(number),
            false => captured.1.add(number - count),
        };
        if !takes.fetch(&mut registers, own, place_of) {
            return None;
        }
        if callable.may_free && raw::frees_run_code() || is_interrupted(run) {
            return None;
        }
        let context = context();
        give_room(context, run);
        let deferral = Deferral::begin();
        let returned = registers.call_small(callable.entry.code.get(), frame);
        deferral.end();
        if returned.status < TAGS_END {
            if destructors_wait(run) {
                phlox_value::run_deferred_destructors();
            }
            return Some(Direct::Returned(Words::new(returned.payload, returned.status as u32)));
        }
        Some(Direct::Left(left(run, code, callee(), frame, returned.status)))
    }
}

/// Calls the code of a function whose header and arguments are in place; `None` if there is no code that fits. If the code returns,
/// the references of its arguments and its header have been released.
///
/// # Safety
/// The run is the innermost one; the frame would lie where the header is, for which there is room.
pub unsafe fn call_prepared(run: *mut Run, header: *mut Frame, argc: u32) -> Option<Direct> {
    // SAFETY: the caller says that the run is the innermost one and the header complete; a function's specialisations live as long
    // as the function.
    unsafe {
        let code = (*header).code.as_ref()?;
        let callable = code.func_site()?.callable()?;
        let is_plain = (*header).flags & !FLAG_BORROWS_THIS == 0 && (*header).env.is_null();
        let takes = &*callable.takes;
        let captured: &[Slot] = match (*header).closure {
            closure if closure != 0 && code.has_captures => {
                &(*(&raw const (*header).closure).cast::<PhpObj>()).native::<ClosureData>()?.captured
            }
            _ => &[],
        };
        if !is_plain
            || !code.is_simple.get()
            || argc != code.params
            || argc as usize > MAX_HELD
            || takes.count() != argc as usize + captured.len()
        {
            return None;
        }
        let room = header.cast::<u8>().add(code.frame_bytes.get() as usize) <= (*run).limit;
        let mut registers = Registers::few();
        let (first, others) = (Frame::local(header, 0), captured.as_ptr().cast::<Val>());
        let own = ((*header).this, (*header).static_class as u64);
        let place_of = |number: usize| match number < argc as usize {
            true => first.add(number).cast_const(),
            false => others.add(number - argc as usize),
        };
        if !room || !takes.fetch(&mut registers, own, place_of) {
            return None;
        }
        if callable.may_free && raw::frees_run_code() || is_interrupted(run) {
            return None;
        }
        let mut held = [(0, raw::TI_UNDEF); MAX_HELD];
        for (index, place) in held.iter_mut().take(argc as usize).enumerate() {
            *place = (raw::payload(first.add(index)), raw::tag(first.add(index)));
        }
        let context = context();
        give_room(context, run);
        let deferral = Deferral::begin();
        let returned = registers.call_small(callable.entry.code.get(), header);
        deferral.end();
        let is_left = returned.status >= TAGS_END;
        let left = is_left.then(|| {
            unwind_on();
            (*header).prev = (*run).frame;
            (*header).flags |= FLAG_ENTRY;
            (*header).argc = argc;
            resume(context, returned.status, run)
        });
        // A side exit has written the arguments to the cells with references of their own, or has overwritten them.
        for (payload, tag) in held {
            raw::release(payload, tag);
        }
        let Some((next, innermost, own)) = left else {
            leave::release_header(header);
            if destructors_wait(run) {
                phlox_value::run_deferred_destructors();
            }
            return Some(Direct::Returned(Words::new(returned.payload, returned.status as u32)));
        };
        if returned.status & 1 != 0 {
            note_left(next, innermost);
            was_left(own, (next, innermost));
        }
        Some(Direct::Left(destruct_before(run, next)))
    }
}

/// Materialises the frame of code that has left by a side exit: the code has written the cells of the frame and the frames above
/// it, and the header is filled in here.
#[cold]
#[inline(never)]
unsafe fn left(run: *mut Run, code: &code::FuncCode, callee: CalleeRef<'_>, frame: *mut Frame, position: u64) -> Ip {
    // SAFETY: `call_directly` passes the innermost run and the place of the frame that the code has written.
    unsafe {
        unwind_on();
        let below = (*run).frame;
        Frame::prepare(frame, code);
        calls::fill_scope(frame, callee);
        (*frame).prev = below;
        (*frame).flags = FLAG_ENTRY | FLAG_FROM_NATIVE;
        (*frame).argc = code.params;
        let (next, innermost, own) = resume(context(), position, run);
        if position & 1 != 0 {
            note_left(next, innermost);
            was_left(own, (next, innermost));
        }
        destruct_before(run, next)
    }
}
