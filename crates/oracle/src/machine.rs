//! The machine of the reference interpreter: activations, the evaluation stack and the main loop.

use crate::iterators::Iter;
use phlox_hhbc::Instr;
use phlox_runtime::props::Access;
use phlox_runtime::{Callee, Frame, PhpObj, PhpResult, PhpStr, Throw, Val, Vm};
use std::rc::Rc;

/// A call that is being prepared: an FPush has opened it, and an FCall will make it.
pub struct Pending {
    /// `None`: `new` of a class without a constructor; arguments are evaluated and dropped.
    pub callee: Option<Callee>,
    /// The constructor call of `new`: on failure the object's destructor must not run.
    pub is_constructor: bool,
    /// Names of the named arguments, with their positions.
    pub names: Vec<(usize, PhpStr)>,
    /// The arguments come from the array of `call_user_func_array`: elements for by-reference parameters should be references.
    pub from_array: bool,
    /// The name that the next argument is passed under.
    pub next_name: Option<PhpStr>,
    /// `count` by a name that no other function can have: an instruction in PHP, which calls the method of an object itself.
    pub counts: bool,
    /// Where the arguments are, above the base of the activation's stack, and how many have been passed.
    pub args_at: usize,
    pub passed: usize,
}

/// What to do when an activation returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnReturn {
    /// Push the value for the caller in the same machine.
    Push,
    /// The activation is the machine's first one: stop the machine.
    Finish,
}

/// One function being executed.
pub struct Activation {
    pub frame: Rc<Frame>,
    pub pc: u32,
    pub stack_base: usize,
    pub pending_base: usize,
    pub iters: Vec<Option<Iter>>,
    pub on_return: OnReturn,
    pub is_constructor: bool,
    /// The exception for the next `Catch`.
    pub caught: Option<PhpObj>,
    /// While a fault funclet runs: the throwable to go on unwinding with, and the row of the exception table to go on from.
    pub unwinding: Option<(Throw, usize)>,
    /// The position of the throw that the running fault funclet belongs to.
    pub fault_pc: u32,
    /// Bytes charged to memory_limit for the frame.
    pub charged: usize,
}

impl Drop for Activation {
    #[inline]
    fn drop(&mut self) {
        phlox_runtime::heap::discharge(self.charged);
    }
}

/// How a machine stopped.
/// The first activation has returned a value.
pub enum Exit {
    Return(Val),
    /// The body of a generator has yielded.
    Yield {
        key: Option<Val>,
        value: Val,
    },
    /// The body of a generator delegates to a value (`yield from`).
    Delegate(Val),
}

/// What the main loop does after an instruction.
pub enum Flow {
    Next,
    Jump(u32),
    /// The top activation is another one now.
    Switch,
    /// A fault funclet has ended: unwinding goes on from its activation.
    Unwind,
    /// The machine stops; [`Machine::exit`] says how.
    Exit,
}

/// The reference interpreter's state for one native activation.
pub struct Machine<'v> {
    pub vm: &'v Vm,
    pub stack: Vec<Val>,
    pub pending: Vec<Pending>,
    pub acts: Vec<Activation>,
    /// How the machine stops, if a step has said that it does (kept out of [`Flow`], which is returned in registers).
    exit: Option<Exit>,
    checks: u32,
}

impl<'v> Machine<'v> {
    /// A machine without activations.
    pub fn new(vm: &'v Vm) -> Machine<'v> {
        Machine { vm, stack: Vec::new(), pending: Vec::new(), acts: Vec::new(), exit: None, checks: 0 }
    }

    /// Pushes a value onto the evaluation stack.
    #[inline]
    pub fn push(&mut self, value: Val) {
        self.stack.push(value);
    }

    /// Pops a value off the evaluation stack, which is not empty in verified code.
    #[inline]
    pub fn pop(&mut self) -> Val {
        self.stack.pop().unwrap_or_else(|| unreachable!("verified code never underflows"))
    }

    /// The top of the evaluation stack, which is not empty in verified code.
    #[inline]
    pub fn top(&mut self) -> &mut Val {
        self.stack.last_mut().unwrap_or_else(|| unreachable!("verified code never underflows"))
    }

    /// The running activation.
    #[inline]
    pub fn act(&mut self) -> &mut Activation {
        self.acts.last_mut().unwrap_or_else(|| unreachable!("a running machine has an activation"))
    }

    /// The frame of the running activation.
    #[inline]
    pub fn frame(&self) -> &Rc<Frame> {
        &self.acts.last().unwrap_or_else(|| unreachable!("a running machine has an activation")).frame
    }

    /// The scope and strictness with which the code of a frame accesses properties.
    #[inline]
    pub fn access(frame: &Frame) -> Access<'_> {
        Access { scope: frame.scope(), strict: frame.func.strict_types() }
    }

    /// Executes instructions until the first activation returns.
    pub fn run_to_return(&mut self) -> PhpResult<Val> {
        match self.run()? {
            Exit::Return(value) => Ok(value),
            Exit::Yield { .. } | Exit::Delegate(_) => unreachable!("only generator bodies yield, in their own machine"),
        }
    }

    /// Executes instructions until the first activation returns, yields or delegates.
    pub fn run(&mut self) -> PhpResult<Exit> {
        loop {
            let frame = self.frame().clone();
            let code = frame.func.code();
            let mut pc = self.act().pc;
            let mut resumes = false;
            let result = loop {
                frame.pc.set(pc);
                let instr: Instr = code.code[pc as usize];
                let flow = match self.step(&frame, code, instr) {
                    Ok(flow) if !self.vm.has_pending.get() => flow,
                    Ok(flow) => match self.vm.check_pending() {
                        Ok(()) => flow,
                        Err(throw) => match flow {
                            // The activation is gone already; the throwable goes to the code that has called the machine.
                            Flow::Exit => return Err(throw),
                            _ => break Err(throw),
                        },
                    },
                    Err(throw) => break Err(throw),
                };
                match flow {
                    Flow::Next => pc += 1,
                    Flow::Jump(target) => {
                        if target <= pc {
                            if let Err(throw) = self.safe_point() {
                                break Err(throw);
                            }
                        }
                        pc = target;
                    }
                    Flow::Switch => break Ok(None),
                    Flow::Unwind => {
                        resumes = true;
                        break Ok(None);
                    }
                    Flow::Exit => break Ok(self.exit.take()),
                }
            };
            match result {
                Ok(None) if resumes => {
                    // Only the activation may hold the frame, whose variables are released with it.
                    drop(frame);
                    self.resume_after_fault()?;
                }
                Ok(None) => {}
                Ok(Some(exit)) => return Ok(exit),
                Err(throw) => {
                    // Only the activation may hold the frame, whose variables are released with it.
                    drop(frame);
                    self.unwind(throw)?;
                }
            }
        }
    }

    /// Makes the machine stop after this step.
    #[inline]
    pub fn stop(&mut self, exit: Exit) -> Flow {
        self.exit = Some(exit);
        Flow::Exit
    }

    /// Does what has to be done now and then: collects cycles, and checks memory and time limits.
    pub fn safe_point(&mut self) -> PhpResult<()> {
        if phlox_runtime::gc_should_run() {
            phlox_runtime::collect_when_due();
            self.vm.check_pending()?;
        }
        phlox_runtime::outside::check();
        self.checks = self.checks.wrapping_add(1);
        if self.checks.is_multiple_of(1024) {
            self.vm.check_deadline()?;
        }
        Ok(())
    }
}
