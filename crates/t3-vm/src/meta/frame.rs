//! stack-frame-desc and stack-frame-ref: what `t3GetStackTrace` gives for a frame. See `frames.rs`.

use super::{Method, methods};
use crate::call::Args;
use crate::error::Run;
use crate::frames;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    isActive 0 0 => is_active,
    getVars 0 0 => get_vars,
    getSelf 0 0 => get_self,
    getDefiningObj 0 0 => get_defining_obj,
    getTargetObj 0 0 => get_target_obj,
    getTargetProp 0 0 => get_target_prop,
    getInvokee 0 0 => get_invokee,
};

fn is_active(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, frames::is_active)
}

fn get_vars(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_table(args.this)
}

fn get_self(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, frames::this)
}

fn get_defining_obj(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, frames::definer)
}

fn get_target_obj(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, frames::target)
}

fn get_target_prop(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, frames::target_prop)
}

fn get_invokee(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, frames::invokee)
}
