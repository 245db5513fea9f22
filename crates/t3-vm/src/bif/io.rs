//! tads-io

use super::{Builtin, functions};
use crate::call::Args;
use crate::error::Run;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    tadsSay 1 any => say,
};

fn say(vm: &mut Vm, args: Args) -> Run<Value> {
    for n in 0..args.count {
        let text = vm.to_text(args.get(vm, n))?;
        vm.state.console.write(&text);
        vm.io.write(&text);
    }
    Ok(Value::Nil)
}

impl Vm {
    pub(crate) fn finish_output(&mut self) {
        self.io.flush();
    }
}
