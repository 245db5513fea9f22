//! The `bcmath` extension: decimal arithmetic of any precision, cut off and never rounded.
#![forbid(unsafe_code)]

mod decimal;
mod functions;
mod number;

use phlox_runtime::extension::{IniAccess, IniDef};
use phlox_runtime::{Extension, PhpResult, PhpStr, Vm};

/// Refuses scales that are none.
fn check_scale(_vm: &Vm, _prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    let scale: Result<i64, _> = value.to_string().trim().parse();
    Ok(scale.is_ok_and(|scale| (0..=i32::MAX as i64).contains(&scale)))
}

fn startup(vm: &Vm) {
    vm.ini.watch("bcmath.scale", check_scale);
}

pub static EXTENSION: Extension = Extension {
    name: "bcmath",
    functions: &[functions::FUNCTIONS],
    classes: &[number::CLASSES],
    constants: &[],
    ini: &[IniDef { name: "bcmath.scale", default: Some("0"), access: IniAccess::All }],
    startup: Some(startup),
    shutdown: None,
};
