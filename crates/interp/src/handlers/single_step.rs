//! Single steps: oplines that the interpreter executes by itself for compiled code, which has no code of its own for them.
//!
//! Such a function stays in its frame: PHP code that it runs has ended when it returns. It is a slow path, under the contract of
//! handlers ([`super`]): the opline belongs to the innermost frame, and its sources are in that frame.

use super::{
    arith, building, calls, classes, compare, dynamic, elements, isset, iterate, misc, named_props, params, path_slow,
    props, static_calls,
};
use crate::context::{Fp, Ip, Run};
use phlox_lower::OpCode;

/// Executes an opline; returns the opline to go on with.
pub type StepFn = unsafe fn(Ip, Fp, &mut Run) -> Ip;

/// The function that executes an opline of this opcode from its sources to its result; `None`: the opcode has no single step.
pub const fn function(op: OpCode) -> Option<StepFn> {
    Some(match op {
        OpCode::Binary => arith::binary_slow,
        OpCode::AssignOp => arith::assign_slow,
        OpCode::IncDec => arith::step_slow,
        OpCode::Unary => arith::unary_slow,
        OpCode::ConcatN => arith::concat_n_slow,
        // Compiled code has this executed only for a parameter that takes a reference.
        OpCode::SendLocal => calls::send_reference,
        OpCode::InitFunc => calls::init_func_again,
        OpCode::InitMethod => calls::init_method_slow,
        OpCode::InitNew => calls::init_new_slow,
        OpCode::InitStatic => static_calls::init_static_slow,
        OpCode::InitDynamic => dynamic::init_dynamic_slow,
        OpCode::InitSlow => calls::init_slow_slow,
        OpCode::Clone => classes::clone_slow,
        OpCode::Closure => classes::create_closure_slow,
        OpCode::ClassName => classes::class_name_slow,
        OpCode::InstanceOf => compare::instance_of_alone_slow,
        OpCode::IsType => compare::is_type_slow,
        OpCode::GetElemList => elements::get_list_slow,
        OpCode::GetElemQuiet => elements::get_quiet_slow,
        OpCode::Append => elements::append_slow,
        OpCode::NewTuple => building::new_tuple_slow,
        OpCode::AddNewElem => building::add_new_slow,
        OpCode::AddElem => building::add_slow,
        OpCode::Echo => misc::echo_slow,
        OpCode::StepValue => misc::step_slow,
        OpCode::SilenceBegin => misc::silence_begin_slow,
        OpCode::SilenceEnd => misc::silence_end_slow,
        OpCode::SetPath => path_slow::set_slow,
        OpCode::SetOpPath => path_slow::set_op_slow,
        OpCode::IncDecPath => path_slow::inc_dec_slow,
        OpCode::UnsetPath => path_slow::unset_slow,
        OpCode::RefPath => path_slow::make_ref_slow,
        OpCode::GetElem => elements::get_alone_slow,
        OpCode::IssetElem => isset::isset_alone_slow,
        OpCode::GetProp => named_props::get_literal_slow,
        OpCode::SetProp => named_props::set_literal_slow,
        OpCode::IssetProp => props::isset_alone_slow,
        OpCode::GetPropNamed => named_props::get_slow,
        OpCode::SetPropNamed => named_props::set_slow,
        OpCode::GetPropQuiet => props::get_quiet_slow,
        OpCode::GetStatic => props::get_static_slow,
        OpCode::Const => props::constant_slow,
        OpCode::ClassConst => props::class_constant_slow,
        OpCode::VerifyParam => params::verify_param_slow,
        OpCode::IterInit => iterate::init_alone_slow,
        OpCode::IterNext => iterate::advance_alone_slow,
        OpCode::IterFree => iterate::free_slow,
        _ => return None,
    })
}

// The opline table says which opcodes have a single step.
const _: () = {
    let mut at = 0;
    while at < OpCode::ALL.len() {
        let op = OpCode::ALL[at];
        assert!(
            function(op).is_some() == op.is_single_step(),
            "an opcode's row says `Single`, or has a path here, but not both"
        );
        at += 1;
    }
};
