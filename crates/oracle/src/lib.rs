//! The reference interpreter: a plain stack interpreter of HHBC, small and obviously right, with which the faster forms of
//! execution are compared.
//!
//! One [`machine::Machine`] runs one native activation: PHP calls inside it push activations, calls from builtin code start another
//! machine. The semantics of values are in `phlox-runtime`; this crate has the execution of instructions.
#![forbid(unsafe_code)]

mod calls;
mod classes;
pub mod closures;
mod enter;
pub mod fibers;
pub mod generators;
mod include;
pub mod iterators;
mod locals;
pub mod machine;
mod paths;
mod repeated;
mod step;
mod unwind;

pub use calls::{first_name, take_unpacked};
pub use include::{compile_and_link, load_only, run_file, run_path, run_source, run_unit};

pub use step::{is_type, silence};

use machine::Machine;
use phlox_runtime::{Args, Callee, Executor, LinkedUnit, PhpObj, PhpResult, SymbolTable, Val, Vm};
use std::rc::Rc;

/// The reference interpreter as the runtime's executor.
pub struct Oracle;

impl Executor for Oracle {
    fn call_user(&self, vm: &Vm, callee: Callee, args: Args) -> PhpResult<Val> {
        let mut machine = Machine::new(vm);
        machine.enter_function(callee, args.positional, args.named, true)?;
        machine.run_to_return()
    }

    fn destruct_garbage(&self, object: &PhpObj) {
        fibers::destruct_garbage(object);
    }

    fn run_main(
        &self,
        vm: &Vm,
        unit: &Rc<LinkedUnit>,
        symbols: Rc<SymbolTable>,
        include_kind: &'static str,
    ) -> PhpResult<Val> {
        let mut machine = Machine::new(vm);
        machine.enter_main(unit, symbols, include_kind)?;
        machine.run_to_return()
    }
}
