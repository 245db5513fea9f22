//! A run of the interpreter: its state, its main loop, and functions that slow paths share.

use crate::code::{FuncCode, Kind, Meta, Op};
use crate::frame::{Frame, Stack};
use crate::handlers;
use phlox_lower::facts::{ControlFlow, Runs};
use phlox_oracle::machine::{Exit, Machine};
use phlox_runtime::members::Input;
use phlox_runtime::props::Access;
use phlox_runtime::{PhpObj, PhpResult, PhpStr, Slot, Throw, Val, Vm};
use phlox_value::{interrupt, raw};
use std::cell::{Cell, RefCell};
use std::sync::atomic::AtomicU32;

/// A pointer to an opline: the one that is executed, or the next one.
pub type Ip = *const Op;
/// A pointer to the running frame, for operands' byte offsets.
pub type Fp = *mut u8;

/// One native activation of the interpreter. PHP calls inside it push frames; a call from builtin code starts another run, or goes
/// on in this one (`run_frames`, callbacks).
#[repr(C)]
pub struct Run {
    /// The innermost frame.
    pub frame: *mut Frame,
    /// Where the run's frames start on the stack.
    pub base: *mut u8,
    /// While a frame is being freed that is no longer the innermost one: its end. Nested runs start above it.
    pub floor: *mut u8,
    /// The next opline, which the loop backend executes.
    #[cfg(feature = "loop-dispatch")]
    pub ip: Ip,
    #[cfg(feature = "loop-dispatch")]
    pub is_running: bool,
    /// One past the last byte of the stack that frames may use without asking.
    pub limit: *mut u8,
    /// Not zero: something has to be done at the next safe point.
    pub interrupt: *const AtomicU32,
    /// A destructor has thrown.
    pub has_pending: *const Cell<bool>,
    pub vm: &'static Vm,
    /// What the run's first frame has returned, if it returned normally: payload and tag.
    pub returned: Option<(u64, u32)>,
    /// The value whose reference `release_and_next` releases.
    pub dying: (u64, u32),
    /// The opline that raises [`Run::thrown`].
    pub throw_op: Op,
    pub thrown: Option<Throw>,
    /// The exception of a builtin function's body that failed.
    pub failed: Option<Throw>,
    /// The exception for the `Catch` that is executed next.
    pub caught: Option<PhpObj>,
    /// How the run has ended, unless its first frame has returned normally.
    pub exit: Option<PhpResult<Exit>>,
    /// Whether [`Run::machine`] is executing an instruction.
    pub is_stepping: bool,
    /// The machine with which the reference interpreter executes rare instructions.
    pub machine: Machine<'static>,
}

thread_local! {
    /// The stack of the running fiber, or of the thread outside of fibers.
    static STACK: RefCell<Option<Stack>> = const { RefCell::new(None) };
}

/// Lets `f` use the current stack.
pub fn with_stack<R>(f: impl FnOnce(&mut Stack) -> R) -> R {
    STACK.with(|stack| f(stack.borrow_mut().get_or_insert_with(Stack::for_thread)))
}

/// Replaces the current stack, and gives the one before.
pub fn replace_stack(stack: Option<Stack>) -> Option<Stack> {
    STACK.with(|current| current.replace(stack))
}

impl Run {
    /// A run without frames, whose frames will start at `base`.
    pub fn new(vm: &'static Vm, base: *mut u8) -> Run {
        let limit = with_stack(|stack| stack.charged);
        Run {
            frame: std::ptr::null_mut(),
            base,
            floor: std::ptr::null_mut(),
            #[cfg(feature = "loop-dispatch")]
            ip: std::ptr::null(),
            #[cfg(feature = "loop-dispatch")]
            is_running: true,
            limit,
            interrupt: interrupt::word(),
            has_pending: &raw const vm.has_pending,
            vm,
            returned: None,
            dying: (0, 0),
            throw_op: Op { handler: handlers::THROW_PENDING, a: 0, b: 0, c: 0, d: 0 },
            thrown: None,
            failed: None,
            caught: None,
            exit: None,
            is_stepping: false,
            machine: Machine::new(vm),
        }
    }

    /// Makes a run that has ended ready to be used again.
    pub fn start_again(&mut self, vm: &'static Vm, base: *mut u8) {
        self.frame = std::ptr::null_mut();
        self.base = base;
        self.floor = std::ptr::null_mut();
        self.limit = with_stack(|stack| stack.charged);
        #[cfg(feature = "loop-dispatch")]
        {
            self.is_running = true;
        }
        self.has_pending = &raw const vm.has_pending;
        self.is_stepping = false;
        self.vm = vm;
        self.machine.vm = vm;
        debug_assert!(self.machine.stack.is_empty() && self.thrown.is_none() && self.exit.is_none());
    }

    /// Executes oplines from `ip` on, in the innermost frame, until the run's first frame ends.
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame's function.
    pub unsafe fn execute(&mut self, ip: Ip) -> PhpResult<Exit> {
        // SAFETY: the caller says that `ip` is an opline of the innermost frame; its handler goes on by itself.
        unsafe {
            let fp = self.frame.cast::<u8>();
            #[cfg(feature = "count-oplines")]
            self.count(ip);
            ((*ip).handler)(ip, fp, self);
            #[cfg(feature = "loop-dispatch")]
            {
                while self.is_running {
                    #[cfg(feature = "count-oplines")]
                    self.count(self.ip);
                    ((*self.ip).handler)(self.ip, self.frame.cast(), self);
                }
                // Compiled code in a frame below may have called this in the middle of the run.
                self.is_running = true;
            }
        }
        if let Some((payload, tag)) = self.returned.take() {
            // SAFETY: the frame has given the reference of its result to `returned`.
            return Ok(Exit::Return(unsafe { raw::value(payload, tag) }));
        }
        self.take_exit()
    }

    /// How a run has ended that did not return normally.
    pub fn take_exit(&mut self) -> PhpResult<Exit> {
        self.exit.take().unwrap_or_else(|| unreachable!("a run that stops says how"))
    }

    /// Executes oplines from `ip` on until a callback's frame ends, which lies above the frame that called out of the run.
    /// [`Run::returned`] or [`Run::exit`] says how it ended.
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame's function.
    #[inline(always)]
    pub unsafe fn run_callback(run: *mut Run, ip: Ip) {
        // SAFETY: the caller says that `ip` is an opline of the innermost frame.
        unsafe {
            #[cfg(feature = "count-oplines")]
            (*run).count(ip);
            ((*ip).handler)(ip, (*run).frame.cast(), run);
            #[cfg(feature = "loop-dispatch")]
            {
                while (*run).is_running {
                    #[cfg(feature = "count-oplines")]
                    (*run).count((*run).ip);
                    ((*(*run).ip).handler)((*run).ip, (*run).frame.cast(), run);
                }
                (*run).is_running = true;
            }
        }
    }

    /// Counts an opline that is about to be executed.
    #[cfg(feature = "count-oplines")]
    fn count(&self, ip: Ip) {
        if !std::ptr::eq(ip, &raw const self.throw_op) {
            let meta = self.meta(ip);
            crate::stats::counts::executed(meta.op, meta.site != phlox_lower::NO_SITE);
            crate::stats::counts::follows(meta.op);
            // SAFETY: the innermost frame's function is alive, and the opline is one of its.
            unsafe {
                let code = &*(*self.frame).code;
                crate::stats::counts::executed_at(code, code.index_of(ip) as u32);
            }
        }
    }

    /// Makes a throwable the one to raise; gives the opline that raises it.
    pub fn raise(&mut self, throw: Throw) -> Ip {
        self.thrown = Some(throw);
        &raw const self.throw_op
    }

    /// After a slow path: gives the next opline, or the one that raises an error of the path or of a destructor.
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame's function.
    #[inline(always)]
    pub unsafe fn finish(&mut self, ip: Ip, result: PhpResult<()>) -> Ip {
        // SAFETY: an opline with a slow path is never the function's last one.
        unsafe { if result.is_ok() && !(*self.has_pending).get() { ip.add(1) } else { self.finish_slow(ip, result) } }
    }

    #[cold]
    #[inline(never)]
    unsafe fn finish_slow(&mut self, ip: Ip, result: PhpResult<()>) -> Ip {
        let result = result.and_then(|()| self.vm.check_pending());
        match result {
            // SAFETY: an opline with a slow path is never the function's last one.
            Ok(()) => unsafe { ip.add(1) },
            Err(throw) => self.raise(throw),
        }
    }

    /// The running function's code.
    #[inline(always)]
    pub fn code<'a>(&self) -> &'a FuncCode {
        // SAFETY: the innermost frame's function is alive while it runs.
        unsafe { &*(*self.frame).code }
    }

    /// The description of an opline of the running function.
    #[inline(always)]
    pub fn meta<'a>(&self, ip: Ip) -> &'a Meta {
        self.code().meta(ip)
    }

    /// In debug builds: checks that the opline at which the innermost frame stands may run such code, according to its row of the
    /// opline table. A jump may run interrupts.
    ///
    /// # Safety
    /// The innermost frame is alive, and its saved position is one of its oplines.
    pub unsafe fn check_row(&self, runs: Runs) {
        if !cfg!(debug_assertions) {
            return;
        }
        // SAFETY: the caller says that the frame is alive and its saved position one of its oplines.
        unsafe {
            let (code, ip) = (&*(*self.frame).code, (*self.frame).ip);
            // A frame that could not start for want of memory has no position.
            if code.is_native || ip.is_null() || code.ops.get().is_null() {
                return;
            }
            let op = code.meta(ip).op;
            let facts = op.facts();
            let is_jump = matches!(facts.flow, ControlFlow::Jump | ControlFlow::Branch);
            debug_assert!(is_jump || facts.runs >= runs, "the row of {op:?} says that it runs {:?}", facts.runs);
        }
    }

    /// The scope and strictness with which the running code accesses properties.
    pub fn access<'a>(&self) -> Access<'a> {
        let func = self.code().func();
        Access { scope: func.scope.get(), strict: func.strict_types() }
    }

    /// The name of the local at a byte offset.
    fn local_name(&self, offset: u32) -> PhpStr {
        let index = (offset - crate::frame::HEADER) / crate::frame::CELL;
        let func = self.code().func();
        let name = func.code().locals.get(index as usize).copied().flatten();
        name.map_or_else(PhpStr::empty, |id| func.unit.str(id).clone())
    }

    /// Warns about an undefined local.
    pub fn undefined_local(&self, offset: u32) -> PhpResult<()> {
        self.vm.undefined_variable(&self.local_name(offset))
    }

    /// The value of an operand for a walk along a member path, which reports an undefined local only when it needs the value.
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame, `offset` one of its operands of this kind.
    pub unsafe fn input(&mut self, ip: Ip, offset: u32, kind: Kind) -> PhpResult<Input> {
        // SAFETY: the caller says that the offset is that of an operand of the innermost frame.
        unsafe {
            if kind == Kind::Local && (*raw::look_through(cell(self.frame.cast(), offset))).is_undef() {
                return Ok(Input::Undefined(self.local_name(offset)));
            }
            self.fetch(ip, offset, kind).map(Input::Value)
        }
    }

    /// An operand's value: a temporary is moved out, a local copied (with a warning if it is undefined).
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame, `offset` one of its operands of this kind.
    #[inline]
    pub unsafe fn fetch(&mut self, ip: Ip, offset: u32, kind: Kind) -> PhpResult<Val> {
        // SAFETY: the caller says that the offset is that of an operand of the innermost frame, so its cell is alive.
        unsafe {
            match kind {
                Kind::Tmp => Ok(raw::take(cell(self.frame.cast(), offset))),
                Kind::Local => {
                    let value = (*raw::look_through(cell(self.frame.cast(), offset))).clone();
                    if value.is_undef() {
                        self.undefined_local(offset)?;
                        return Ok(Val::NULL);
                    }
                    Ok(value)
                }
                Kind::Lit => Ok((*literal(ip, offset)).clone()),
                Kind::This => match Frame::this_object(self.frame) {
                    Some(this) => Ok(this.into()),
                    None => Err(self.vm.throw_error(b"Using $this when not in object context")),
                },
                Kind::None => Ok(Val::NULL),
            }
        }
    }

    /// Both sources of an opline, a evaluated before b; temporaries are consumed even on failure.
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame.
    pub unsafe fn fetch_both(&mut self, ip: Ip) -> PhpResult<(Val, Val)> {
        let meta = self.meta(ip);
        // SAFETY: the caller says that `ip` is an opline of the innermost frame, so these are its operands.
        unsafe {
            let b = if meta.b == Kind::Tmp { Some(self.fetch(ip, (*ip).b, Kind::Tmp)?) } else { None };
            let a = self.fetch(ip, (*ip).a, meta.a)?;
            let b = match b {
                Some(b) => b,
                None => self.fetch(ip, (*ip).b, meta.b)?,
            };
            Ok((a, b))
        }
    }

    /// Puts a result into the opline's destination: a temporary, a local, or nowhere.
    ///
    /// # Safety
    /// `ip` is an opline of the innermost frame, whose operand c is its destination.
    #[inline]
    pub unsafe fn store(&mut self, ip: Ip, value: Val) -> PhpResult<()> {
        // SAFETY: the caller says that `ip` is an opline of the innermost frame; a temporary that is a destination is empty.
        unsafe {
            let place = cell(self.frame.cast(), (*ip).c);
            match self.meta(ip).c {
                Kind::Tmp => raw::put(place, value),
                Kind::Local => return self.assign(place, value),
                _ => drop(value),
            }
        }
        Ok(())
    }

    /// Assigns to a local, through its reference if it is boxed.
    ///
    /// # Safety
    /// `place` is a local's cell.
    pub unsafe fn assign(&mut self, place: *mut Val, value: Val) -> PhpResult<()> {
        // SAFETY: the caller says that `place` is a local's cell; no borrow of it lives while PHP code may run.
        unsafe {
            if raw::tag(place) == raw::TI_REF {
                let strict = self.code().func().strict_types();
                return phlox_runtime::props::store(self.vm, slot(place), value, strict);
            }
            drop((*place).replace(value));
        }
        Ok(())
    }

    /// `$this`, without a reference of its own.
    pub fn this<'a>(&self) -> Option<&'a PhpObj> {
        // SAFETY: the frame holds a reference while its code runs; an object handle has the layout of its payload.
        unsafe { ((*self.frame).this != 0).then(|| &*(&raw const (*self.frame).this).cast::<PhpObj>()) }
    }
}

/// The cell at a byte offset of a frame.
///
/// # Safety
/// `offset` is that of an operand of the frame's function.
#[inline(always)]
pub unsafe fn cell(fp: Fp, offset: u32) -> *mut Val {
    // SAFETY: the caller says that the offset lies inside of the frame.
    unsafe { fp.add(offset as usize).cast() }
}

/// The literal at a byte offset of an opline.
///
/// # Safety
/// `offset` is that of a literal operand of the opline.
#[inline(always)]
pub unsafe fn literal(ip: Ip, offset: u32) -> *mut Val {
    // SAFETY: the caller says that the offset leads to a literal, which lies in the block of the opline.
    unsafe { ip.cast::<u8>().add(offset as usize).cast_mut().cast() }
}

/// A cell as a slot.
///
/// # Safety
/// `cell` is a live cell.
pub unsafe fn slot<'a>(cell: *mut Val) -> &'a Slot {
    // SAFETY: a slot has the layout of a cell, and the caller says that the cell is alive.
    unsafe { &*cell.cast::<Slot>() }
}
