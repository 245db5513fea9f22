//! Entering functions and pseudo-mains: the frame, the arguments in its locals, and the position to start at.

use crate::machine::{Activation, Machine, OnReturn};
use phlox_hhbc::FuncFlags;
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{
    Callee, Frame, Func, Key, LinkedUnit, Locals, PhpArr, PhpResult, PhpStr, Slot, SymbolTable, Thrown, Val, VarSlot,
};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// Bytes that a frame costs memory_limit, beside its slots.
const FRAME_BYTES: usize = 96;

impl Machine<'_> {
    /// Enters a PHP function. If that succeeds, its activation is on top.
    pub fn enter_function(
        &mut self,
        callee: Callee,
        args: Vec<Val>,
        named: Vec<(PhpStr, Val)>,
        from_native: bool,
    ) -> PhpResult<()> {
        let func = callee.func.clone();
        self.vm.check_names(&func, args.len(), &named)?;
        let code = func.code();
        if code.code.is_empty() {
            return Err(self
                .vm
                .throw_error(&[b"Cannot call abstract method ", &func.display_name()[..], b"()"].concat()));
        }
        if func.deprecated.get() {
            let magic = callee.magic_name.as_ref().map(|name| &name[..]);
            phlox_runtime::attributes::report_deprecated_call(self.vm, &func, magic)?;
        }
        let symbols = OnceCell::new();
        let locals = make_locals(&func, &symbols);
        let frame = Rc::new(Frame {
            locals,
            this: callee.this,
            static_class: callee.static_class,
            arg_count: Cell::new(args.len() as u32),
            extra_args: RefCell::default(),
            extra_named: RefCell::default(),
            native_args: RefCell::default(),
            pc: Cell::new(code.main_entry.0),
            symbols,
            closure: callee.closure,
            statics: OnceCell::new(),
            include_kind: "",
            from_native: Cell::new(from_native),
            func: func.clone(),
        });
        self.push_activation(frame.clone());
        let entered = self.bind_arguments(&frame, args, named);
        match entered {
            Ok(pc) => {
                self.act().pc = pc;
                self.bind_captured(&frame);
                Ok(())
            }
            Err(throw) => {
                self.discard_activation();
                Err(throw)
            }
        }
    }

    fn discard_activation(&mut self) {
        let act = self.acts.pop();
        self.vm.frames.pop();
        drop(act);
    }

    /// Pushes an activation for a frame, which starts at the main entry.
    pub fn push_activation(&mut self, frame: Rc<Frame>) {
        let code = frame.func.code();
        let charged = FRAME_BYTES + 16 * (code.locals.len() + code.max_stack as usize);
        phlox_runtime::heap::charge(charged);
        let iters = (0..code.num_iters).map(|_| None).collect();
        self.vm.frames.push(frame.clone());
        self.acts.push(Activation {
            pc: code.main_entry.0,
            frame,
            stack_base: self.stack.len(),
            pending_base: self.pending.len(),
            iters,
            on_return: OnReturn::Finish,
            is_constructor: false,
            caught: None,
            unwinding: None,
            fault_pc: 0,
            charged,
        });
    }

    /// Moves arguments, whose names were checked, into the locals; gives the position to start at.
    fn bind_arguments(&mut self, frame: &Rc<Frame>, args: Vec<Val>, named: Vec<(PhpStr, Val)>) -> PhpResult<u32> {
        let func = &frame.func;
        let declared = func.params.iter().filter(|p| !p.variadic).count();
        let passed = args.len();
        let mut extra = Vec::new();
        for (index, value) in args.into_iter().enumerate() {
            if index < declared {
                frame.local(index).set(argument(value, func.params[index].by_ref));
            } else {
                extra.push(value);
            }
        }
        let mut highest = passed;
        let mut unknown = Vec::new();
        for (name, value) in named {
            match func.params.iter().position(|p| p.name == name && !p.variadic) {
                Some(index) => {
                    frame.local(index).set(argument(value, func.params[index].by_ref));
                    highest = highest.max(index + 1);
                }
                None => {
                    let by_ref = func.params.last().is_some_and(|p| p.by_ref);
                    unknown.push((name, argument(value, by_ref)));
                }
            }
        }
        frame.arg_count.set(highest as u32);
        if func.is_variadic() {
            self.bind_variadic(frame, declared, extra, unknown);
        } else {
            frame.extra_args.replace(extra);
        }
        if let Some(missing) = (0..func.required.min(declared)).find(|&index| frame.local(index).is_undef()) {
            if highest > missing {
                let name = &func.params[missing].name;
                let text = format!("(): Argument #{} (${name}) not passed", missing + 1);
                let text = [&func.display_name()[..], text.as_bytes()].concat();
                return Err(self.vm.throw(Thrown::ArgumentCountError, &text));
            }
            // PHP checks the types of the passed arguments before their number.
            for index in 0..highest.min(declared) {
                self.verify_param(frame, phlox_hhbc::LocalId(index as u32))?;
            }
            return Err(self.too_few_arguments(frame, highest));
        }
        Ok(self.entry_point(frame, declared))
    }

    fn bind_variadic(&mut self, frame: &Frame, position: usize, extra: Vec<Val>, unknown: Vec<(PhpStr, Val)>) {
        let by_ref = frame.func.params[position].by_ref;
        let mut rest = PhpArr::new();
        for value in extra {
            let _ = rest.push(argument(value, by_ref));
        }
        for (name, value) in unknown {
            rest.insert(Key::Str(&name), argument(value, by_ref));
        }
        if frame.func.changes_rest {
            frame.extra_args.replace(vec![(&rest).into()]);
        }
        frame.local(position).set(rest.into());
    }

    /// The position to start at: the default of the first missing optional parameter, or the main entry.
    fn entry_point(&self, frame: &Frame, declared: usize) -> u32 {
        let func = &frame.func;
        let code = func.code();
        let first_missing = (func.required..declared).find(|&index| frame.local(index).is_undef());
        match first_missing.and_then(|index| code.dv_entries.get(index - func.required)) {
            Some(entry) => entry.0,
            None => code.main_entry.0,
        }
    }

    fn bind_captured(&mut self, frame: &Frame) {
        let Some(closure) = &frame.closure else { return };
        let Some(data) = closure.native::<ClosureData>() else { return };
        for ((local, _), captured) in frame.func.code().captures.iter().zip(&data.captured) {
            frame.local(local.index()).set(captured.get());
        }
    }

    /// Enters a unit's pseudo-main, whose variables are those of a symbol table.
    pub fn enter_main(
        &mut self,
        unit: &Rc<LinkedUnit>,
        symbols: Rc<SymbolTable>,
        include_kind: &'static str,
    ) -> PhpResult<()> {
        // Included code runs in the scope of the method that includes it.
        let includer = self.vm.user_frame();
        let scope = includer.as_ref().and_then(|frame| frame.scope().cloned());
        let func = unit.main(scope.as_ref());
        let locals = shared_locals(&func, &symbols);
        let table = OnceCell::new();
        let _ = table.set(symbols);
        let frame = Rc::new(Frame {
            locals,
            this: includer.as_ref().and_then(|frame| frame.this.clone()),
            static_class: includer.as_ref().and_then(|frame| frame.static_class.clone()),
            arg_count: Cell::new(0),
            extra_args: RefCell::default(),
            extra_named: RefCell::default(),
            native_args: RefCell::default(),
            pc: Cell::new(func.code().main_entry.0),
            symbols: table,
            closure: None,
            statics: OnceCell::new(),
            include_kind,
            from_native: Cell::new(false),
            func,
        });
        self.push_activation(frame);
        Ok(())
    }
}

/// Makes an argument fit its parameter: a reference for one by reference, a plain value for others.
fn argument(mut value: Val, by_ref: bool) -> Val {
    if by_ref {
        value.make_ref();
        value
    } else {
        value.into_deref()
    }
}

fn make_locals(func: &Rc<Func>, symbols: &OnceCell<Rc<SymbolTable>>) -> Locals {
    if func.has(FuncFlags::DYNAMIC_VARS) {
        let table = symbols.get_or_init(|| Rc::new(SymbolTable::default())).clone();
        return shared_locals(func, &table);
    }
    Locals::Own(func.code().locals.iter().map(|_| Slot::default()).collect())
}

/// Locals of which the named ones are the table's variables.
fn shared_locals(func: &Rc<Func>, table: &SymbolTable) -> Locals {
    let slot = |name: &Option<phlox_hhbc::StrId>| match name {
        Some(name) => table.slot(func.unit.str(*name)),
        None => Rc::new(VarSlot::default()),
    };
    Locals::Shared(func.code().locals.iter().map(slot).collect())
}
