//! Frames in the runtime's form (views), made when somebody asks for them.

use crate::calls::{attach, class_ref};
use crate::context::Run;
use crate::frame::{FLAG_FROM_NATIVE, Frame, object};
use crate::generator;
use phlox_hhbc::FuncFlags;
use phlox_runtime::{Frame as FrameView, Locals, Place, Segment, SymbolTable, Val, Visit};
use phlox_value::{BorrowedSlots, Edges, raw};
use std::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use std::ops::ControlFlow;
use std::rc::Rc;

/// A run, and its frames as a part of the runtime's stack of frames. The run does not move.
#[repr(transparent)]
pub struct RunSegment {
    run: UnsafeCell<Run>,
}

impl RunSegment {
    /// A segment for a run.
    pub fn new(run: Run) -> RunSegment {
        RunSegment { run: UnsafeCell::new(run) }
    }

    /// The run. It is used through this pointer only.
    pub fn run(&self) -> *mut Run {
        self.run.get()
    }
}

impl Segment for RunSegment {
    fn frame(&self, from_top: usize) -> Option<Rc<FrameView>> {
        // SAFETY: the frames of a run are alive; a run that has ended has none.
        unsafe {
            let mut frame = (*self.run()).frame;
            let mut outer = from_top;
            while !frame.is_null() {
                if outer == 0 {
                    return Some(of(frame));
                }
                outer -= 1;
                if let Some(delegating) = generator::Delegating::around(frame) {
                    if outer < delegating.len() {
                        return delegating.frame(outer).map(|frame| of(frame));
                    }
                    outer -= delegating.len();
                }
                frame = (*frame).prev;
            }
            None
        }
    }

    fn visit(&self, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()> {
        // SAFETY: the frames of a run are alive; the next frame is found before the visitor runs.
        unsafe {
            let mut frame = (*self.run()).frame;
            while !frame.is_null() {
                let outer = (*frame).prev;
                let delegating = generator::Delegating::around(frame);
                show(frame, with_args, visit)?;
                if let Some(delegating) = delegating {
                    for frame in (0..delegating.len()).filter_map(|steps| delegating.frame(steps)) {
                        show(frame, with_args, visit)?;
                    }
                }
                frame = outer;
            }
        }
        ControlFlow::Continue(())
    }

    fn trace(&self, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges) {
        // SAFETY: the frames of a run are alive, and nothing runs while the collector traces.
        unsafe {
            let mut frame = (*self.run()).frame;
            while !frame.is_null() {
                trace_frame(frame, seen, edges);
                frame = (*frame).prev;
            }
        }
    }
}

/// Shows the locals and the header of a frame to the cycle collector; temporaries count as roots.
///
/// # Safety
/// `frame` is alive and nothing runs meanwhile.
unsafe fn trace_frame(frame: *mut Frame, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges) {
    // SAFETY: the caller says that the frame is alive and that nothing runs meanwhile.
    unsafe {
        generator::trace_header(frame, edges);
        let code = &*(*frame).code;
        let locals = if code.is_native { (*frame).argc } else { code.locals };
        let symbols = (*frame).env.as_ref().and_then(|env| env.symbols.as_ref());
        for index in 0..locals {
            if !symbols.is_some_and(|symbols| symbols.attached.iter().any(|(local, ..)| *local == index)) {
                edges.value(&*Frame::local(frame, index));
            }
        }
        let Some(table) = symbols.map(|symbols| &symbols.table).filter(|table| !seen.contains(&Rc::as_ptr(table)))
        else {
            return;
        };
        seen.push(Rc::as_ptr(table));
        for (_, variable) in table.defined() {
            variable.trace(edges);
        }
    }
}

/// Shows a frame to a visitor.
unsafe fn show(frame: *mut Frame, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()> {
    // SAFETY: the callers pass a live frame whose position is saved; a visitor runs no code of its function.
    unsafe {
        let code = &*(*frame).code;
        let env = (*frame).env.as_ref();
        let with_args = with_args && !code.func().has(FuncFlags::PSEUDO_MAIN);
        // A local that is attached to a variable of a symbol table may be in another frame at the moment.
        if with_args && env.is_some_and(|env| env.symbols.is_some()) {
            return of(frame).show(true, visit);
        }
        let is_variadic = code.func().is_variadic();
        let passed = match (with_args, code.is_native) {
            (false, _) => 0,
            (true, true) => (*frame).argc,
            (true, false) => (*frame).argc.min(code.params),
        };
        let has_rest = with_args && !code.is_native && is_variadic;
        // The rest arguments that were passed, if they are kept, and else what the variable has now.
        let kept = env.filter(|_| code.func().changes_rest).and_then(|env| env.extra_args.first());
        visit(&Place {
            func: code.func(),
            pc: if code.is_native { 0 } else { code.meta((*frame).ip).pc },
            this: ((*frame).this != 0).then(|| &*(&raw const (*frame).this).cast()),
            has_this: (*frame).this != 0,
            include_kind: env.map_or("", |env| env.include_kind),
            from_native: (*frame).flags & FLAG_FROM_NATIVE != 0,
            arg_count: (*frame).argc,
            args: std::slice::from_raw_parts(Frame::local(frame, 0), passed as usize),
            extra: env.filter(|_| with_args && !is_variadic).map_or(&[], |env| &env.extra_args),
            rest: (has_rest && (kept.is_some() || !code.func().changes_rest))
                .then(|| kept.unwrap_or(&*raw::look_through(Frame::local(frame, code.params)))),
        })
    }
}

/// The view of a frame; always the same object while the frame runs.
///
/// # Safety
/// `frame` is alive, and its position is saved.
pub unsafe fn of(frame: *mut Frame) -> Rc<FrameView> {
    // SAFETY: the caller says that the frame is alive and its position saved.
    unsafe {
        let view = match &Frame::env(frame).view {
            Some(view) => view.clone(),
            None => {
                let view = make(frame);
                Frame::env(frame).view = Some(view.clone());
                view
            }
        };
        let code = &*(*frame).code;
        if code.is_native {
            // The arguments may have been converted since.
            view.native_args.replace(native_arguments(frame));
        } else {
            view.pc.set(code.meta((*frame).ip).pc);
            if view.extra_args.borrow().len() != Frame::env(frame).extra_args.len() {
                view.extra_args.replace(Frame::env(frame).extra_args.clone());
            }
        }
        view
    }
}

/// Copies of the arguments of a builtin function's frame.
unsafe fn native_arguments(frame: *mut Frame) -> Vec<Val> {
    // SAFETY: the arguments of a builtin function's frame follow its header.
    unsafe {
        let first = Frame::local(frame, 0);
        (0..(*frame).argc as usize).map(|index| (*first.add(index)).clone()).collect()
    }
}

/// Makes the view of a frame.
unsafe fn make(frame: *mut Frame) -> Rc<FrameView> {
    // SAFETY: the caller of `of` says that the frame is alive.
    unsafe {
        let code = &*(*frame).code;
        let func = code.func_rc();
        let symbols = OnceCell::new();
        if func.has(FuncFlags::DYNAMIC_VARS) && !code.is_native {
            if Frame::env(frame).symbols.is_none() {
                attach(frame, Rc::new(SymbolTable::default()));
            }
            if let Some(attached) = &Frame::env(frame).symbols {
                let _ = symbols.set(attached.table.clone());
            }
        }
        let first = Frame::local(frame, 0);
        let env = Frame::env(frame);
        // A variable of a symbol table may be in the frame of included code at the moment.
        let locals = match &env.symbols {
            Some(attached) => {
                Locals::Shared(attached.attached.iter().map(|(_, variable, _)| variable.clone()).collect())
            }
            None => Locals::Borrowed(BorrowedSlots::new(first.cast_const().cast(), code.locals as usize)),
        };
        Rc::new(FrameView {
            func,
            locals,
            this: object((*frame).this),
            static_class: class_ref((*frame).static_class),
            arg_count: Cell::new((*frame).argc),
            extra_args: RefCell::new(env.extra_args.clone()),
            extra_named: RefCell::default(),
            native_args: RefCell::default(),
            pc: Cell::new(0),
            symbols,
            closure: object((*frame).closure),
            statics: OnceCell::new(),
            include_kind: env.include_kind,
            from_native: Cell::new((*frame).flags & FLAG_FROM_NATIVE != 0),
        })
    }
}
