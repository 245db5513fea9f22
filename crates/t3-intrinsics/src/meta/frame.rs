//! stack-frame-desc and stack-frame-ref: what `t3GetStackTrace` gives for a frame. The machine watches
//! the frames (`frames.rs` of `phlox-t3-vm`).

use phlox_t3_vm::error::Run;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::frame::FrameRef;
use phlox_t3_vm::value::{NO_PROP, Value};
use phlox_t3_vm::vm::{Args, Method, Vm};

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
    vm.frame_fact(args.this, active)
}

fn get_vars(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_table(args.this)
}

fn get_self(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, own_self)
}

fn get_defining_obj(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, definer)
}

fn get_target_obj(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, target)
}

fn get_target_prop(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, target_prop)
}

fn get_invokee(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.frame_fact(args.this, invokee)
}

/// isActive
fn active(frame: &FrameRef) -> Value {
    Value::truth(frame.live.is_some())
}

/// getSelf
fn own_self(frame: &FrameRef) -> Value {
    frame.this
}

/// getDefiningObj
fn definer(frame: &FrameRef) -> Value {
    Value::object(frame.definer)
}

/// getTargetObj
fn target(frame: &FrameRef) -> Value {
    frame.target
}

/// getTargetProp
fn target_prop(frame: &FrameRef) -> Value {
    if frame.prop == NO_PROP { Value::Nil } else { Value::Prop(frame.prop) }
}

/// getInvokee
fn invokee(frame: &FrameRef) -> Value {
    frame.invokee
}
