//! Returns from activations, and unwinding when something is thrown.

use crate::machine::{Activation, Exit, Flow, Machine, OnReturn};
use phlox_hhbc::{EhKind, Instr};
use phlox_runtime::{ObjExt, PhpObj, PhpResult, Throw, Val, errors, throwable};

impl Machine<'_> {
    /// Ends the top activation with a return value.
    pub fn leave(&mut self, mut value: Val) -> Flow {
        if self.is_unused() {
            // PHP releases an unused value before the function's variables.
            drop(std::mem::replace(&mut value, Val::NULL));
        }
        let Some(act) = self.acts.pop() else { return self.stop(Exit::Return(value)) };
        self.stack.truncate(act.stack_base);
        self.vm.frames.pop();
        let on_return = act.on_return;
        drop(act);
        match on_return {
            OnReturn::Finish => self.stop(Exit::Return(value)),
            OnReturn::Push => {
                // The call instruction has been executed.
                self.act().pc += 1;
                self.push(value);
                Flow::Switch
            }
        }
    }

    /// Whether the caller discards the value that the top activation returns.
    fn is_unused(&self) -> bool {
        let [.., caller, act] = &self.acts[..] else { return false };
        let next = caller.frame.func.code().code.get(caller.pc as usize + 1);
        matches!(act.on_return, OnReturn::Push) && matches!(next, Some(Instr::PopR {}))
    }

    /// The throwable of a `throw` operand, or the error that it is none.
    pub fn throw_value(&mut self, value: Val) -> Throw {
        match value.into_deref().into_obj() {
            Some(object) if throwable::is_throwable(self.vm, &(&object).into()) => Throw::Exception(object),
            Some(_) => self.vm.throw_error(b"Cannot throw objects that do not implement Throwable"),
            None => self.vm.throw_error(b"Can only throw objects"),
        }
    }

    /// Unwinds to the handler of a throwable, where the machine goes on; the error is that nothing in the machine handles it.
    pub fn unwind(&mut self, mut throw: Throw) -> PhpResult<()> {
        throw = errors::with_pending(self.vm, throw);
        if self.acts.is_empty() {
            return Err(throw);
        }
        // A fault funclet may free a generator, which may throw, too.
        match self.act().unwinding.take() {
            Some((earlier, row)) => self.resume_unwinding(errors::with_earlier(earlier, throw), row),
            None => self.resume_unwinding(throw, 0),
        }
    }

    /// Goes on unwinding at the end of a fault funclet.
    pub fn resume_after_fault(&mut self) -> PhpResult<()> {
        match self.act().unwinding.take() {
            Some((throw, row)) => {
                let throw = errors::with_pending(self.vm, throw);
                self.resume_unwinding(throw, row)
            }
            None => Ok(()),
        }
    }

    /// Goes on unwinding from row `row` of the top activation's exception table.
    fn resume_unwinding(&mut self, mut throw: Throw, mut row: usize) -> PhpResult<()> {
        loop {
            match self.find_handler(&throw, row) {
                Some(Handler::Catch { target, exception }) => {
                    self.clear_to_base();
                    let act = self.act();
                    act.caught = Some(exception);
                    act.pc = target;
                    return Ok(());
                }
                Some(Handler::Fault { target, next_row }) => {
                    self.clear_to_base();
                    let act = self.act();
                    act.unwinding = Some((throw, next_row));
                    act.pc = target;
                    return Ok(());
                }
                None => {}
            }
            row = 0;
            let Some(act) = self.drop_activation(&throw) else { return Err(throw) };
            throw = errors::with_pending(self.vm, throw);
            if act == OnReturn::Finish {
                return Err(throw);
            }
        }
    }

    /// Drops the top activation; gives what its return would have done.
    fn drop_activation(&mut self, throw: &Throw) -> Option<OnReturn> {
        self.clear_to_base();
        let mut act: Activation = self.acts.pop()?;
        if act.is_constructor && matches!(throw, Throw::Exception(_)) {
            if let Some(this) = &act.frame.this {
                this.mark_destructed();
            }
        }
        let on_return = act.on_return;
        self.vm.frames.pop();
        // Iterators and unnamed locals belong to statements that have not ended: PHP frees them before the variables.
        act.iters.clear();
        for (index, _) in act.frame.func.code().locals.iter().enumerate().filter(|(_, name)| name.is_none()) {
            drop(act.frame.local(index).replace(Val::UNDEF));
        }
        drop(act);
        Some(on_return)
    }

    /// Drops the top activation's pending calls with their arguments, the innermost call first, and then its temporaries.
    fn clear_to_base(&mut self) {
        let (stack_base, pending_base) = (self.act().stack_base, self.act().pending_base);
        while self.pending.len() > pending_base
            && let Some(pending) = self.pending.pop()
        {
            let args = stack_base + pending.args_at..stack_base + pending.args_at + pending.passed;
            if args.end <= self.stack.len() {
                self.stack.drain(args).collect::<Vec<_>>().into_iter().for_each(drop);
            }
            if pending.is_constructor
                && let Some(this) = pending.callee.as_ref().and_then(|callee| callee.this.as_ref())
            {
                this.mark_destructed();
            }
        }
        if self.stack.len() > stack_base {
            self.stack.split_off(stack_base).into_iter().for_each(drop);
        }
    }

    /// The handler of the top activation for a throwable, from a row of the exception table on.
    fn find_handler(&mut self, throw: &Throw, from_row: usize) -> Option<Handler> {
        let Throw::Exception(exception) = throw else { return None };
        let frame = self.frame().clone();
        let pc = frame.pc.get();
        // Inside of a funclet, the position that counts is that of the throw, and the rows after the funclet's are looked at.
        let pc = self.act().unwinding_pc(pc, from_row);
        let code = frame.func.code();
        for (row, entry) in code.eh.iter().enumerate().skip(from_row) {
            if pc < entry.start.0 || pc >= entry.end.0 {
                continue;
            }
            match &entry.kind {
                EhKind::Fault(target) => {
                    self.act().fault_pc = pc;
                    return Some(Handler::Fault { target: target.0, next_row: row + 1 });
                }
                EhKind::Catch(clauses) => {
                    for (name, target) in clauses {
                        let name = frame.func.unit.str(*name);
                        let destroying = self.vm.destroying.borrow().iter().any(|marker| marker.ptr_eq(exception));
                        if name.is_empty() || (!destroying && self.catches(name, exception)) {
                            return Some(Handler::Catch { target: target.0, exception: exception.clone() });
                        }
                    }
                }
            }
        }
        None
    }

    /// Whether a catch clause names the exception's class or a supertype. The name is never autoloaded.
    fn catches(&self, name: &[u8], exception: &PhpObj) -> bool {
        self.vm.find_class_no_autoload(name).is_some_and(|class| exception.is_a(&class))
    }
}

enum Handler {
    Catch { target: u32, exception: PhpObj },
    Fault { target: u32, next_row: usize },
}

impl Activation {
    /// The position that exception regions are looked up for: in a funclet that goes on unwinding, that of the throw.
    fn unwinding_pc(&self, pc: u32, from_row: usize) -> u32 {
        if from_row > 0 { self.fault_pc } else { pc }
    }
}
