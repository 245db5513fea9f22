//! The activation of a function, as traces, scopes and variable functions see it.

use crate::class::ClassRef;
use crate::frame_stack::{Place, Visit};
use crate::func::{Func, StaticVars};
use crate::symbols::SymbolTable;
use phlox_value::{BorrowedSlots, Edges, PhpObj, PhpStr, Slot, Val, VarSlot};
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The local variables of a frame.
pub enum Locals {
    /// One slot for each local.
    Own(Box<[Slot]>),
    /// Named locals are variables of a symbol table (pseudo-mains, functions with dynamic variables).
    Shared(Box<[Rc<VarSlot>]>),
    /// Cells of a frame of the engine.
    Borrowed(BorrowedSlots),
}

/// One activation. Builtin functions have a frame, too, without locals.
pub struct Frame {
    pub func: Rc<Func>,
    pub locals: Locals,
    pub this: Option<PhpObj>,
    /// The late static binding class.
    pub static_class: Option<ClassRef>,
    /// Number of arguments passed, named and extra ones included.
    pub arg_count: Cell<u32>,
    /// Arguments beyond the declared parameters.
    pub extra_args: RefCell<Vec<Val>>,
    /// Unknown named arguments that a variadic parameter collected (for traces).
    pub extra_named: RefCell<Vec<(PhpStr, Val)>>,
    /// A builtin function's arguments, for traces.
    pub native_args: RefCell<Vec<Val>>,
    /// The instruction being executed.
    pub pc: Cell<u32>,
    /// The symbol table for `$$x` and similar accesses, when the function needs one.
    pub symbols: OnceCell<Rc<SymbolTable>>,
    /// The closure object that was called, which holds the static variables.
    pub closure: Option<PhpObj>,
    pub statics: OnceCell<Rc<StaticVars>>,
    /// `include`, `require`, `eval` ... for pseudo-main frames in traces; empty for functions.
    pub include_kind: &'static str,
    /// Whether builtin code made the call, as for destructors and callbacks (traces then show no file and line).
    pub from_native: Cell<bool>,
}

impl Frame {
    /// A frame without locals or object.
    pub fn outside(func: Rc<Func>) -> Frame {
        Frame {
            func,
            locals: Locals::Own(Box::new([])),
            this: None,
            static_class: None,
            arg_count: Cell::new(0),
            extra_args: RefCell::default(),
            extra_named: RefCell::default(),
            native_args: RefCell::default(),
            pc: Cell::new(0),
            symbols: OnceCell::new(),
            closure: None,
            statics: OnceCell::new(),
            include_kind: "",
            from_native: Cell::new(false),
        }
    }

    /// Shows the frame to a visitor of the frame stack.
    pub fn show(&self, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let declared = self.func.declared;
        let native_args = self.native_args.borrow().clone();
        let extra_args = self.extra_args.borrow().clone();
        let has_locals = with_args && !self.is_native();
        let passed = if has_locals { (self.arg_count.get() as usize).min(declared) } else { 0 };
        let locals: Vec<Val> = (0..passed).map(|index| self.local(index).get()).collect();
        let is_variadic = self.func.is_variadic();
        let kept = extra_args.first().filter(|_| self.func.changes_rest);
        let rest =
            (has_locals && is_variadic).then(|| kept.cloned().unwrap_or_else(|| self.local(declared).get_deref()));
        visit(&Place {
            func: &self.func,
            pc: self.pc.get(),
            this: self.this.as_ref(),
            has_this: self.this.is_some(),
            include_kind: self.include_kind,
            from_native: self.from_native.get(),
            arg_count: self.arg_count.get(),
            args: if with_args && self.is_native() { &native_args } else { &locals },
            extra: if has_locals && !is_variadic { &extra_args } else { &[] },
            rest: rest.as_ref(),
        })
    }

    /// The slot of a local.
    #[inline]
    pub fn local(&self, index: usize) -> &Slot {
        match &self.locals {
            Locals::Own(slots) => &slots[index],
            Locals::Shared(slots) => &slots[index],
            Locals::Borrowed(slots) => slots.get(index),
        }
    }

    /// The number of locals.
    #[inline]
    pub fn local_count(&self) -> usize {
        match &self.locals {
            Locals::Own(slots) => slots.len(),
            Locals::Shared(slots) => slots.len(),
            Locals::Borrowed(slots) => slots.len(),
        }
    }

    /// Tells the collector the values that the frame of a suspended body holds. `seen` has the symbol tables that were told
    /// already, for frames that share one.
    pub fn trace(&self, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges) {
        self.trace_handles(edges);
        self.trace_locals(seen, edges);
    }

    /// Tells the collector the values that the frame holds besides its variables.
    pub fn trace_handles(&self, edges: &mut Edges) {
        for object in self.this.iter().chain(&self.closure) {
            edges.object(object);
        }
        for values in [&self.extra_args, &self.native_args] {
            if let Ok(values) = values.try_borrow() {
                values.iter().for_each(|value| edges.value(value));
            }
        }
    }

    fn trace_locals(&self, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges) {
        match &self.locals {
            Locals::Own(slots) => slots.iter().for_each(|slot| slot.trace(edges)),
            Locals::Shared(slots) => {
                let names = &self.func.code().locals;
                let unnamed = slots.iter().zip(names).filter(|(_, name)| name.is_none());
                unnamed.for_each(|(slot, _)| slot.trace(edges));
                let Some(table) = self.symbols.get() else { return };
                if seen.contains(&Rc::as_ptr(table)) {
                    return;
                }
                seen.push(Rc::as_ptr(table));
                for (_, slot) in table.defined() {
                    slot.trace(edges);
                }
            }
            Locals::Borrowed(_) => {}
        }
    }

    /// Whether this is the frame of a builtin function.
    #[inline]
    pub fn is_native(&self) -> bool {
        self.func.is_native()
    }

    /// The source line being executed; 0 for builtin functions.
    #[inline]
    pub fn line(&self) -> u32 {
        if self.is_native() { 0 } else { self.func.code().line_at(self.pc.get()) }
    }

    /// The class scope of the code.
    #[inline]
    pub fn scope(&self) -> Option<&ClassRef> {
        self.func.scope.get()
    }
}
