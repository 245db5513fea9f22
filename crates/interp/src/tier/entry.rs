//! How arguments get into the registers of a function's compiled code.

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

/// What code takes for a parameter: a tag word under a mask, and the register for the payload.
#[derive(Clone, Copy, Debug)]
struct Parameter {
    mask: u32,
    word: u32,
    register: u8,
    is_truth: bool,
}

/// Registers: those for integers, those for floats, and one that nobody reads.
const FLOATS: usize = 21;
const NOWHERE: usize = 31;
const REGISTERS: usize = 32;

/// What code takes.
#[derive(Clone, Debug)]
pub struct Takes {
    this: This,
    args: SmallVec<[Parameter; 4]>,
    /// So few registers that a call without a frame loads no more than those.
    is_small: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum This {
    None,
    Object,
    Class,
}

/// What fits into [`SmallCode`].
const FEW_INTS: usize = 5;
const FEW_FLOATS: usize = 2;

/// Arguments of a call without a frame whose cells were written before.
const MAX_HELD: usize = 8;

/// Registers of a call without a frame: those for floats, and the one that nobody reads, come to follow the integers' there.
const FEW_REGISTERS: usize = 8;
const _: () = assert!(FLOATS % FEW_REGISTERS == FEW_INTS && NOWHERE % FEW_REGISTERS >= FEW_INTS + FEW_FLOATS);

type SmallCode = unsafe extern "C" fn(*mut u8, u64, u64, u64, u64, u64, f64, f64) -> Returned;

impl Takes {
    /// For an object or class, and parameters of these kinds. Literal strings are as good as counted ones. `None`: values of
    /// some kind are not told by their tags, or there are too many.
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

    /// Fetches an object or class and arguments, each from its place; false: they are not what the code is made for.
    ///
    /// # Safety
    /// There are so many live values.
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
            // SAFETY: by the caller.
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

    /// Fetches what a frame has.
    ///
    /// # Safety
    /// The frame is one of the function that the code is of, and has just started.
    #[inline(always)]
    unsafe fn fetch_from_frame<const COUNT: usize>(&self, registers: &mut Registers<COUNT>, frame: *mut Frame) -> bool {
        // SAFETY: by the caller.
        unsafe {
            let own = ((*frame).this, (*frame).static_class as u64);
            self.fetch(registers, own, |number| Frame::local(frame, number as u32))
        }
    }

    /// Whether that is few enough for calls without a frame.
    #[inline(always)]
    pub fn is_small(&self) -> bool {
        self.is_small
    }

    /// How many arguments there are, captured ones included.
    pub fn count(&self) -> usize {
        self.args.len()
    }
}

/// A function's code, for the interpreter.
pub struct Entrance {
    // All that is looked at on the way is in one place: what is called seldom is in no cache.
    takes: Takes,
    entry: &'static Entry,
    may_free: bool,
    needs_frame: bool,
    variant: Rc<Variant>,
}

impl Entrance {
    pub fn new(
        variant: Rc<Variant>,
        takes: Takes,
        entry: &'static Entry,
        (may_free, needs_frame): (bool, bool),
    ) -> Entrance {
        Entrance { takes, entry, may_free, needs_frame, variant }
    }

    #[inline(always)]
    pub fn takes(&self) -> &Takes {
        &self.takes
    }

    /// Fetches the arguments of a frame; none if they are others, or if there is no code any more.
    ///
    /// # Safety
    /// The frame is one of the function that the code is of, and has just started.
    #[inline(always)]
    pub unsafe fn fetch<const COUNT: usize>(
        &self,
        mut registers: Registers<COUNT>,
        frame: *mut Frame,
    ) -> Option<Taken<COUNT>> {
        let address = self.entry.code.get();
        // SAFETY: by the caller.
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

/// The arguments for code.
pub struct Taken<const COUNT: usize = REGISTERS> {
    pub registers: Registers<COUNT>,
    pub address: u64,
    /// Whether others may look at the frame while it runs.
    pub needs_frame: bool,
    /// How many there are.
    pub args: u32,
}

/// Registers for arguments.
pub struct Registers<const COUNT: usize = REGISTERS> {
    words: [u64; COUNT],
}

impl Registers {
    #[inline(always)]
    pub fn many() -> Registers {
        Registers { words: [0; REGISTERS] }
    }

    /// Calls code with what has been fetched.
    ///
    /// # Safety
    /// That is what the code takes; the frame has room, and the context says how much.
    #[inline(always)]
    pub unsafe fn call(&self, address: u64, frame: *mut Frame) -> Returned {
        let i = &self.words;
        let f = |at: usize| f64::from_bits(self.words[FLOATS + at]);
        // SAFETY: by the caller.
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
    #[inline(always)]
    pub fn few() -> Registers<FEW_REGISTERS> {
        Registers { words: [0; FEW_REGISTERS] }
    }

    /// As [`Registers::call`], for code that takes little.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    pub unsafe fn call_small(&self, address: u64, frame: *mut Frame) -> Returned {
        let i = &self.words;
        let f = |at: usize| f64::from_bits(self.words[FEW_INTS + at]);
        // SAFETY: by the caller; all of the arguments are in registers, of which the code reads those that it takes.
        unsafe {
            let code = std::mem::transmute::<*const u8, SmallCode>(address as *const u8);
            code(frame.cast(), i[0], i[1], i[2], i[3], i[4], f(0), f(1))
        }
    }
}

/// How a call without a frame of its own went.
pub enum Direct {
    Returned(Words),
    /// The code was left: the frame stands, and goes on here, maybe in one above it.
    Left(Ip),
}

/// Code that is called without a frame.
#[derive(Clone, Copy)]
pub struct Callable {
    entry: &'static Entry,
    takes: *const Takes,
    may_free: bool,
}

impl Callable {
    /// `None`: the code takes too much.
    pub fn of(entry: &'static Entry, takes: &Takes, may_free: bool) -> Option<Callable> {
        takes.is_small.then_some(Callable { entry, takes, may_free })
    }
}

/// Whether something wants attention that a call of code must not put off. The collector may be put off, and taking what was
/// compiled: code looks for it in its loops, and there may be no loop in what builtin code calls a million times.
#[inline(always)]
unsafe fn is_interrupted(run: *mut Run) -> bool {
    // SAFETY: by the caller.
    unsafe { (*(*run).interrupt).load(Ordering::Relaxed) & !(interrupt::COLLECT | interrupt::COMPILED) != 0 }
}

/// What a closure has captured, which code takes behind its arguments.
#[inline(always)]
pub fn captured_by<'a>(code: &code::FuncCode, closure: Option<&'a PhpObj>) -> Option<&'a [Slot]> {
    match closure {
        Some(closure) if code.has_captures => Some(&closure.native::<ClosureData>()?.captured),
        _ => Some(&[]),
    }
}

/// Calls a function's code from builtin code; none if there is none that fits. The code borrows the arguments, which lie in so
/// many places; `own` are the object and the class.
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
    // SAFETY: by the caller; a function's variants stay as long as the function.
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

/// Calls the code of a function whose header and arguments are in place; none if there is none that fits. What has returned has
/// given up its arguments and its header.
///
/// # Safety
/// The run is the innermost one; the frame would lie where the header is, for which there is room.
pub unsafe fn call_prepared(run: *mut Run, header: *mut Frame, argc: u32) -> Option<Direct> {
    // SAFETY: by the caller; a function's variants stay as long as the function.
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
        // Code that was left has written them once more, with counts of their own, or others in their places.
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

/// The code was left: it has written the cells of its frame, and those above it.
#[cold]
#[inline(never)]
unsafe fn left(run: *mut Run, code: &code::FuncCode, callee: CalleeRef<'_>, frame: *mut Frame, position: u64) -> Ip {
    // SAFETY: by the caller.
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
