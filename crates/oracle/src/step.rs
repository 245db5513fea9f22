//! The execution of single instructions.

use crate::machine::{Exit, Flow, Machine};
use phlox_hhbc::{Base, Func as Code, Instr, SilenceOp, TypeTest};
use phlox_runtime::{Frame, PhpArr, PhpResult, PhpStr, Slot, Val, View, Vm, arith, compare, convert};
use std::rc::Rc;

impl Machine<'_> {
    /// Executes `instr`, the instruction at the frame's position.
    pub fn step(&mut self, frame: &Rc<Frame>, code: &Code, instr: Instr) -> PhpResult<Flow> {
        use arith::BinOp;
        let vm = self.vm;
        let unit = &frame.func.unit;
        match instr {
            // 1. Basic
            Instr::Nop {} | Instr::AssertRATL { .. } => {}
            Instr::PopC {} | Instr::PopV {} | Instr::PopR {} | Instr::PopA {} => drop(self.pop()),
            Instr::Dup {} => {
                let copy = self.top().clone();
                self.push(copy);
            }
            Instr::Swap {} => {
                let (right, left) = (self.pop(), self.pop());
                self.push(right);
                self.push(left);
            }
            Instr::Box {} | Instr::BoxR {} => {
                let value = self.pop();
                self.push_boxed(value);
            }
            Instr::BoxRNotice { kind } => self.box_with_notice(kind)?,
            Instr::Unbox {} | Instr::UnboxR {} => {
                let value = self.pop().into_deref().or_null();
                self.push(value);
            }

            // 2. Literals and constants
            Instr::Null {} => self.push(Val::NULL),
            Instr::True {} => self.push(Val::TRUE),
            Instr::False {} => self.push(Val::FALSE),
            Instr::NullUninit {} => self.push(Val::UNDEF),
            Instr::Int { value } => self.push(Val::int(value)),
            Instr::Double { value } => self.push(Val::double(value.get())),
            Instr::String { value } => self.push(unit.str(value).into()),
            Instr::Array { value } => self.push(unit.array(value).into()),
            Instr::NewArray {} => self.push(PhpArr::new().into()),
            Instr::NewTuple { count } => {
                let at = self.stack.len() - count as usize;
                let values = self.stack.split_off(at);
                self.push(PhpArr::from_vec(values).into());
            }
            Instr::AddElemC {} | Instr::AddElemV {} => self.add_element()?,
            Instr::AddNewElemC {} | Instr::AddNewElemV {} => self.add_new_element()?,
            Instr::UnpackElems {} => self.unpack_elements()?,
            Instr::UnpackArgs { args } => self.unpack_arguments(args)?,
            Instr::UnpackArgsL { args, local } => self.unpack_local_arguments(frame, args, local)?,
            Instr::CheckEnum {} => {
                if self.top().as_obj().is_some_and(|object| !phlox_runtime::ObjExt::class(object).is_enum()) {
                    let text = b"Fetching properties on non-enums in constant expressions is not allowed";
                    return Err(vm.throw_error(text));
                }
            }
            Instr::CheckNoObject {} => {
                if self.top().as_obj().is_some() {
                    return Err(vm.throw_error(b"Cannot use [] on objects in constant expression"));
                }
            }
            Instr::Cns { name } => {
                let value = self.constant(unit.str(name), None)?;
                self.push(value);
            }
            Instr::CnsU { name, fallback } => {
                let value = self.constant(unit.str(name), Some(unit.str(fallback)))?;
                self.push(value);
            }
            Instr::ClsCns { name } => self.class_constant(frame, unit.str(name))?,
            Instr::ClsCnsD { name, class } => {
                let written = unit.str(class);
                let class = self.class_named(written)?;
                let value = phlox_runtime::link::constant_as(vm, &class, written, unit.str(name), frame.scope())?;
                self.push(value);
            }
            Instr::ClsCnsC {} => self.class_constant_computed(frame)?,
            Instr::NameA {} => {
                let class = self.pop_class();
                self.push((&phlox_runtime::ClassExt::class(&*class).name).into());
            }
            Instr::ClassOfC {} => self.class_of()?,
            Instr::File {} => self.push((&unit.filename).into()),
            Instr::Dir {} => self.push(Val::str(directory_of(&unit.filename))),

            // 3. Operators
            Instr::Concat {} => self.binary(BinOp::Concat)?,
            Instr::ConcatN { count } => self.concat_many(count as usize)?,
            Instr::Add {} => self.binary(BinOp::Add)?,
            Instr::Sub {} => self.binary(BinOp::Sub)?,
            Instr::Mul {} => self.binary(BinOp::Mul)?,
            Instr::Div {} => self.binary(BinOp::Div)?,
            Instr::Mod {} => self.binary(BinOp::Mod)?,
            Instr::Pow {} => self.binary(BinOp::Pow)?,
            Instr::BitAnd {} => self.binary(BinOp::BitAnd)?,
            Instr::BitOr {} => self.binary(BinOp::BitOr)?,
            Instr::BitXor {} => self.binary(BinOp::BitXor)?,
            Instr::Shl {} => self.binary(BinOp::Shl)?,
            Instr::Shr {} => self.binary(BinOp::Shr)?,
            Instr::BitNot {} => {
                let value = self.pop();
                let result = arith::bit_not(vm, &value)?;
                self.push(result);
            }
            Instr::Xor {} => {
                let (right, left) = (self.pop(), self.pop());
                self.push(Val::bool(convert::to_bool(&left) != convert::to_bool(&right)));
            }
            Instr::Not {} => {
                let value = self.pop();
                self.push(Val::bool(!convert::to_bool(&value)));
            }
            Instr::Same {} | Instr::NSame {} => {
                let (right, left) = (self.pop(), self.pop());
                let same = compare::identical(&left, &right);
                self.push(Val::bool(same == matches!(instr, Instr::Same {})));
            }
            Instr::Eq {} | Instr::Neq {} => {
                let (right, left) = (self.pop(), self.pop());
                let equal = compare::loose_eq(vm, &left, &right)?;
                self.push(Val::bool(equal == matches!(instr, Instr::Eq {})));
            }
            Instr::Lt {} | Instr::Lte {} | Instr::Gt {} | Instr::Gte {} => {
                let (right, left) = (self.pop(), self.pop());
                let result = match instr {
                    Instr::Lt {} => compare::less(vm, &left, &right)?,
                    Instr::Lte {} => compare::less_equal(vm, &left, &right)?,
                    Instr::Gt {} => compare::less(vm, &right, &left)?,
                    _ => compare::less_equal(vm, &right, &left)?,
                };
                self.push(Val::bool(result));
            }
            Instr::Cmp {} => {
                let (right, left) = (self.pop(), self.pop());
                let order = compare::compare(vm, &left, &right)?;
                self.push(Val::int(order));
            }
            Instr::CastBool {} => {
                let value = self.pop();
                self.push(Val::bool(convert::to_bool(&value)));
            }
            Instr::CastInt {} => {
                let value = self.pop();
                let int = convert::to_int(vm, &value)?;
                self.push(Val::int(int));
            }
            Instr::CastDouble {} => {
                let value = self.pop();
                let double = convert::to_double(vm, &value)?;
                self.push(Val::double(double));
            }
            Instr::CastString {} => {
                let value = self.pop();
                let text = convert::to_str(vm, &value)?;
                self.push(text.into());
            }
            Instr::CastArray {} => {
                let value = self.pop();
                let array = convert::to_array(vm, value)?;
                self.push(array.into());
            }
            Instr::CastObject {} => {
                let value = self.pop();
                let object = convert::to_object(vm, value)?;
                self.push(object.into());
            }
            Instr::InstanceOf {} => self.instance_of()?,
            Instr::InstanceOfD { class } => self.instance_of_named(unit.str(class)),
            Instr::InstanceOfA {} => {
                let class = self.pop_class();
                let value = self.pop();
                self.push(Val::bool(value.as_obj().is_some_and(|o| phlox_runtime::ObjExt::is_a(o, &class))));
            }
            Instr::Echo {} => {
                let value = self.pop();
                match value.view() {
                    View::Str(text) => vm.echo(text),
                    _ => vm.echo(&convert::to_str(vm, &value)?),
                }
            }
            Instr::Print {} => {
                let value = self.pop();
                vm.echo(&convert::to_str(vm, &value)?);
                self.push(Val::int(1));
            }
            Instr::Clone {} => {
                let value = self.pop();
                let copy = phlox_runtime::objects::clone_value(vm, &value, frame.scope())?;
                self.push(copy);
            }
            Instr::Exit {} => {
                let status = self.pop();
                return Err(phlox_runtime::objects::exit(vm, &status)?);
            }
            Instr::Fatal { message } => return Err(vm.fatal(unit.str(message))),

            // 4. Control flow
            Instr::Jmp { target } => return Ok(Flow::Jump(target.0)),
            Instr::JmpZ { target } => {
                let value = self.pop();
                if !convert::to_bool(&value) {
                    return Ok(Flow::Jump(target.0));
                }
            }
            Instr::JmpNZ { target } => {
                let value = self.pop();
                if convert::to_bool(&value) {
                    return Ok(Flow::Jump(target.0));
                }
            }
            Instr::JmpNull { target } => {
                if self.top().is_null() {
                    return Ok(Flow::Jump(target.0));
                }
            }
            Instr::JmpNotNull { target } => {
                if !self.top().is_null() {
                    return Ok(Flow::Jump(target.0));
                }
            }
            Instr::DVSkip { param, target } => {
                if !frame.local(param.index()).is_undef() {
                    return Ok(Flow::Jump(target.0));
                }
            }
            Instr::AssertCheck { target } => {
                if vm.ini.get(&phlox_runtime::settings::ASSERTIONS) <= 0 {
                    return Ok(Flow::Jump(target.0));
                }
            }
            Instr::Switch { table } | Instr::SSwitch { table } => {
                return Ok(Flow::Jump(self.switch_target(frame, &code.switches[table.index()])));
            }
            Instr::RetC {} => {
                let value = self.pop();
                return Ok(self.leave(value));
            }
            Instr::RetV {} => {
                let value = self.pop();
                return Ok(self.leave(value));
            }
            Instr::Unwind {} => {
                let resumes = self.act().unwinding.is_some();
                return Ok(if resumes { Flow::Unwind } else { Flow::Next });
            }
            Instr::Throw {} => {
                let value = self.pop();
                return Err(self.throw_value(value));
            }
            Instr::ThrowMatchError {} => {
                let value = self.pop();
                return Err(phlox_runtime::objects::unhandled_match(vm, &value));
            }
            Instr::ThrowMatchErrorL { local } => {
                return Err(phlox_runtime::objects::unhandled_match(vm, &frame.local(local.index()).get()));
            }

            // 5. Get
            Instr::CGetL { local } => {
                let value = self.read_local(frame, local)?;
                self.push(value);
            }
            Instr::CGetL2 { local } => {
                let value = self.read_local(frame, local)?;
                let at = self.stack.len() - 1;
                self.stack.insert(at, value);
            }
            Instr::CGetL3 { local } => {
                let value = self.read_local(frame, local)?;
                let at = self.stack.len() - 2;
                self.stack.insert(at, value);
            }
            Instr::CGetQuietL { local } => self.push(frame.local(local.index()).get_deref().or_null()),
            Instr::CUGetL { local } => self.push(frame.local(local.index()).get_deref()),
            Instr::CGetN {} => self.get_named(frame, true)?,
            Instr::CGetQuietN {} => self.get_named(frame, false)?,
            Instr::CGetG {} => self.get_global(true)?,
            Instr::CGetQuietG {} => self.get_global(false)?,
            Instr::CGetS {} => self.get_static(frame, true)?,
            Instr::CGetQuietS {} => self.get_static(frame, false)?,
            Instr::CGetM { vector } => self.path_read(frame, &code.vectors[vector.index()])?,
            Instr::CGetQuietM { vector } => self.path_read_quiet(frame, &code.vectors[vector.index()])?,
            Instr::CGetListM { vector } => self.path_read_list(frame, &code.vectors[vector.index()])?,
            Instr::VGetL { local } => {
                let reference = frame.local(local.index()).make_ref();
                self.push(reference.into());
            }
            Instr::VGetN {} => self.ref_named(frame)?,
            Instr::VGetG {} => self.ref_global()?,
            Instr::VGetS {} => self.ref_static(frame)?,
            Instr::VGetM { vector } => self.path_ref(frame, &code.vectors[vector.index()])?,
            Instr::AGetC {} => self.class_from_value()?,
            Instr::AGetD { class } => {
                let class = unit.class_named(vm, class)?;
                self.push(Val::class(class));
            }
            Instr::Globals {} => self.push_globals(),

            // 6. Isset, empty, type tests
            Instr::IssetC {} => {
                let value = self.pop();
                self.push(Val::bool(!value.is_null()));
            }
            Instr::IssetL { local } => {
                let value = frame.local(local.index()).get_deref();
                self.push(Val::bool(!value.is_null()));
            }
            Instr::IssetN {} | Instr::EmptyN {} => self.isset_named(frame, matches!(instr, Instr::EmptyN {}))?,
            Instr::IssetG {} | Instr::EmptyG {} => self.isset_global(matches!(instr, Instr::EmptyG {}))?,
            Instr::IssetS {} | Instr::EmptyS {} => self.isset_static(frame, matches!(instr, Instr::EmptyS {}))?,
            Instr::IssetM { vector } => self.path_isset(frame, &code.vectors[vector.index()], false)?,
            Instr::EmptyM { vector } => self.path_isset(frame, &code.vectors[vector.index()], true)?,
            Instr::EmptyL { local } => {
                let value = frame.local(local.index()).get_deref();
                self.push(Val::bool(!convert::to_bool(&value)));
            }
            Instr::IsTypeC { test } => {
                let value = self.pop();
                self.push(Val::bool(is_type(&value, test)));
            }
            Instr::IsTypeL { local, test } => {
                let value = self.read_local(frame, local)?;
                self.push(Val::bool(is_type(&value, test)));
            }

            // 7. Mutators
            Instr::SetL { local } => self.set_local_keep(frame, local)?,
            Instr::SetN {} => self.set_named(frame)?,
            Instr::SetG {} => self.set_global()?,
            Instr::SetS {} => self.set_static(frame)?,
            Instr::SetM { vector } => self.path_set(frame, &code.vectors[vector.index()])?,
            Instr::SetOpL { local, op } => self.set_op_local(frame, local, op)?,
            Instr::SetOpN { op } => self.set_op_named(frame, op)?,
            Instr::SetOpG { op } => self.set_op_global(frame, op)?,
            Instr::SetOpS { op } => self.set_op_static(frame, op)?,
            Instr::SetOpM { op, vector } => self.path_set_op(frame, op, &code.vectors[vector.index()])?,
            Instr::IncDecL { local, op } => self.inc_dec_local(frame, local, op)?,
            Instr::IncDecN { op } => self.inc_dec_named(frame, op)?,
            Instr::IncDecG { op } => self.inc_dec_global(frame, op)?,
            Instr::IncDecS { op } => self.inc_dec_static(frame, op)?,
            Instr::IncDecM { op, vector } => self.path_inc_dec(frame, op, &code.vectors[vector.index()])?,
            Instr::BindL { local } => {
                let reference = self.top().clone();
                frame.local(local.index()).set(reference);
            }
            Instr::BindRL { local } => {
                if self.top().is_ref() {
                    let reference = self.pop();
                    frame.local(local.index()).set(reference);
                } else {
                    vm.notice(b"Only variables should be assigned by reference")?;
                    self.set_local_keep(frame, local)?;
                    self.pop();
                }
            }
            Instr::BindN {} => self.bind_named(frame)?,
            Instr::BindG {} => self.bind_global()?,
            Instr::BindS {} => self.bind_static(frame)?,
            Instr::BindM { vector } => self.path_bind(frame, &code.vectors[vector.index()])?,
            Instr::UnsetL { local } => frame.local(local.index()).set(Val::UNDEF),
            Instr::UnsetN {} => self.unset_named(frame)?,
            Instr::UnsetS {} => {
                let class = self.pop_class();
                let name = self.pop();
                let name = convert::to_str(vm, &name)?;
                let shown = [&phlox_runtime::ClassExt::class(&*class).name[..], b"::$", &name].concat();
                return Err(vm.throw_error(&[b"Attempt to unset static property ", &shown[..]].concat()));
            }
            Instr::UnsetG {} => self.unset_global()?,
            Instr::UnsetM { vector } => self.path_unset(frame, &code.vectors[vector.index()])?,

            // 8. Calls
            Instr::FPushFunc { .. } => self.push_function_value()?,
            Instr::FPushUserFunc { name, .. } => self.push_user_function(unit.str(name))?,
            Instr::FPassUser { param } => self.pass_user_argument(param)?,
            Instr::CheckArgArray {} => {
                if self.top().as_arr().is_none() {
                    let given = convert::value_name(self.top());
                    let text =
                        format!("call_user_func_array(): Argument #2 ($args) must be of type array, {given} given");
                    return Err(vm.throw_type_error(text.as_bytes()));
                }
            }
            Instr::FPushFuncD { name, .. } => self.push_function(unit, name, None)?,
            Instr::FPushFuncU { name, fallback, .. } => self.push_function(unit, name, Some(fallback))?,
            Instr::FPushObjMethod { .. } => {
                let name = self.pop();
                let object = self.pop();
                self.push_dynamic_method(frame, object, name)?;
            }
            Instr::FPushObjMethodD { name, .. } => {
                let object = self.pop();
                self.push_method(frame, object, unit.str(name))?;
            }
            Instr::FPushClsMethod { .. } | Instr::FPushClsMethodF { .. } => {
                let class = self.pop_class();
                let name = self.pop();
                let forward = matches!(instr, Instr::FPushClsMethodF { .. });
                self.push_dynamic_static_method(frame, &class, name, forward)?;
            }
            Instr::FPushClsMethodD { name, class, .. } => {
                let class = unit.class_named(vm, class)?;
                self.push_static_method(frame, &class, unit.str(name), false)?;
            }
            Instr::FPushCtor { .. } => {
                let class = self.pop_class();
                self.push_constructor(frame, &class)?;
            }
            Instr::FPushCtorD { class, .. } => {
                let class = unit.class_named(vm, class)?;
                self.push_constructor(frame, &class)?;
            }
            Instr::FPushCtorAnon { class, .. } => {
                let class = self.anonymous_class(unit, class)?;
                self.push_constructor(frame, &class)?;
            }
            Instr::FPushHookParent { prop, kind, .. } => self.push_parent_hook(frame, unit.str(prop), kind)?,
            Instr::FPassName { name } => self.name_next_argument(unit.str(name))?,
            Instr::FPassC { param } => self.pass_cell(param),
            Instr::FPassCE { param } => self.pass_expression(param)?,
            Instr::FPassV { param } => self.pass_var(param),
            Instr::FPassR { param } => self.pass_result(param)?,
            Instr::FPassL { param, local } => self.pass_local(frame, param, local)?,
            Instr::FPassN { param } => {
                if self.argument_is_ref(param) {
                    self.ref_named(frame)?
                } else {
                    self.get_named(frame, true)?
                }
                self.pass_done(param);
            }
            Instr::FPassG { param } => {
                if self.argument_is_ref(param) {
                    self.ref_global()?
                } else {
                    self.get_global(true)?
                }
                self.pass_done(param);
            }
            Instr::FPassS { param } => {
                if self.argument_is_ref(param) {
                    self.ref_static(frame)?
                } else {
                    self.get_static(frame, true)?
                }
                self.pass_done(param);
            }
            Instr::FPassM { param, vector } => {
                let vector = &code.vectors[vector.index()];
                if self.argument_is_ref(param) {
                    if vector.base == Base::C {
                        return Err(self.vm.throw_error(b"Cannot use temporary expression in write context"));
                    }
                    self.path_ref(frame, vector)?
                } else {
                    self.path_read(frame, vector)?
                }
                self.pass_done(param);
            }
            Instr::FIsByRef { param } => {
                let by_ref = self.argument_is_ref(param);
                self.push(Val::bool(by_ref));
            }
            Instr::FCall { args } | Instr::FCallCells { args } => return self.call(args as usize, None),
            Instr::FCallUnpack { args } => {
                let unpacked = self.pop();
                return self.call(args as usize, unpacked.into_arr());
            }
            Instr::FCallable {} => self.make_callable(frame)?,

            // 11. Iterators
            Instr::IterInit { iter, target, value } => {
                return self.iter_init(frame, iter, target, value, None);
            }
            Instr::IterInitK { iter, target, value, key } => {
                return self.iter_init(frame, iter, target, value, Some(key));
            }
            Instr::MIterInit { iter, target, value } => {
                return self.ref_iter_init(frame, iter, target, value, None);
            }
            Instr::MIterInitK { iter, target, value, key } => {
                return self.ref_iter_init(frame, iter, target, value, Some(key));
            }
            Instr::IterNext { iter, target, value } | Instr::MIterNext { iter, target, value } => {
                return self.iter_next(frame, iter, target, value, None);
            }
            Instr::IterNextK { iter, target, value, key } | Instr::MIterNextK { iter, target, value, key } => {
                return self.iter_next(frame, iter, target, value, Some(key));
            }
            Instr::IterFree { iter } | Instr::MIterFree { iter } => {
                let old = self.act().iters[iter.index()].take();
                drop(old);
            }

            // 12. Include, eval, define
            Instr::Incl {} => self.include(frame, "include")?,
            Instr::InclOnce {} => self.include(frame, "include_once")?,
            Instr::Req {} => self.include(frame, "require")?,
            Instr::ReqOnce {} => self.include(frame, "require_once")?,
            Instr::Eval {} => self.eval(frame)?,
            Instr::DefFunc { func } => vm.declare_function(unit.func(func))?,
            Instr::DefCls { class } => self.define_class(unit, class)?,
            Instr::DefCns { name } => self.define_constant(unit.str(name))?,

            // 13. Miscellaneous
            Instr::This {} => match &frame.this {
                Some(this) => self.push(this.into()),
                None => return Err(vm.throw_error(b"Using $this when not in object context")),
            },
            Instr::BareThis {} => self.push(frame.this.as_ref().map_or(Val::NULL, Val::from)),
            Instr::SelfCls {} => self.push_self(frame)?,
            Instr::ParentCls {} => self.push_parent(frame)?,
            Instr::LateBoundCls {} => self.push_late_bound(frame)?,
            Instr::StaticLoc { local, name } => {
                let initialized = self.static_local(frame, local, name, None);
                self.push(Val::bool(initialized));
            }
            Instr::StaticLocInit { local, name } => {
                let value = self.pop();
                self.static_local(frame, local, name, Some(value));
            }
            Instr::Catch {} => {
                let caught = self.act().caught.take();
                self.push(caught.map_or(Val::NULL, Val::from));
            }
            Instr::VerifyParamType { param } => self.verify_param(frame, param)?,
            Instr::VerifyRetTypeC {} | Instr::VerifyRetTypeV {} => self.verify_return(frame)?,
            Instr::VerifyNever {} => {
                let kind = if frame.scope().is_some() { "method" } else { "function" };
                let text = format!("(): never-returning {kind} must not implicitly return");
                return Err(vm.throw_type_error(&[&frame.func.display_name()[..], text.as_bytes()].concat()));
            }
            Instr::Silence { local, op } => silence(vm, frame.local(local.index()), op),
            Instr::CreateCl { captures, func } => self.create_closure(frame, captures as usize, func)?,
            Instr::ChainFaults { local } => {
                if let (Some(thrown), Some(earlier)) =
                    (self.top().as_obj().cloned(), frame.local(local.index()).get_deref().into_obj())
                {
                    phlox_runtime::errors::chain_previous(&thrown, earlier);
                }
            }
            Instr::Tick { count } => vm.tick(count)?,
            Instr::NativeImpl {} => return Err(vm.fatal(b"Builtin code cannot be interpreted")),

            // 14. Generators
            Instr::CreateCont {} => return self.create_generator(),
            Instr::Yield {} | Instr::YieldV {} => {
                let value = self.pop();
                return Ok(self.suspend(None, value));
            }
            Instr::YieldK {} | Instr::YieldVK {} => {
                let value = self.pop();
                let key = self.pop();
                return Ok(self.suspend(Some(key), value));
            }
            Instr::YieldFrom {} => {
                let source = self.pop();
                self.act().pc = frame.pc.get() + 1;
                return Ok(self.stop(Exit::Delegate(source)));
            }
        }
        Ok(Flow::Next)
    }

    fn suspend(&mut self, key: Option<Val>, value: Val) -> Flow {
        let act = self.act();
        act.pc = act.frame.pc.get() + 1;
        self.stop(Exit::Yield { key, value })
    }

    fn binary(&mut self, op: arith::BinOp) -> PhpResult<()> {
        let right = self.pop();
        let left = self.pop();
        let result = arith::binary(self.vm, op, &left, &right)?;
        self.push(result);
        Ok(())
    }

    fn concat_many(&mut self, count: usize) -> PhpResult<()> {
        let at = self.stack.len() - count;
        let parts = self.stack.split_off(at);
        let mut strings: Vec<PhpStr> = Vec::with_capacity(count);
        for part in &parts {
            strings.push(convert::to_str(self.vm, part)?);
        }
        let slices: Vec<&[u8]> = strings.iter().map(|s| s.as_bytes()).collect();
        self.push(PhpStr::concat(&slices).into());
        Ok(())
    }
}

/// Begins or ends `@`, which stores the level of error reporting in `kept`.
pub fn silence(vm: &Vm, kept: &Slot, op: SilenceOp) {
    let reporting = &vm.errors.reporting;
    match op {
        SilenceOp::Start => {
            let old = reporting.get();
            kept.set(Val::int(old));
            reporting.set(old & phlox_runtime::errors::UNSILENCED);
        }
        SilenceOp::End => {
            // A level that error_reporting() has set inside the silenced expression stays.
            if let Some(old) = kept.as_int()
                && reporting.get() & !phlox_runtime::errors::UNSILENCED == 0
            {
                reporting.set(old);
            }
            kept.set(Val::UNDEF);
        }
    }
}

/// The directory part of a path, as `__DIR__` and `dirname` see it.
fn directory_of(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&b| b == b'/') {
        Some(0) => b"/",
        Some(at) => &path[..at],
        None => b".",
    }
}

/// The type tests of the `IsType` instructions.
pub fn is_type(value: &Val, test: TypeTest) -> bool {
    match (test, value.view()) {
        (_, View::Ref(reference)) => is_type(&reference.get(), test),
        (TypeTest::Null, view) => matches!(view, View::Null | View::Undef),
        (TypeTest::Bool, view) => matches!(view, View::Bool(_)),
        (TypeTest::Int, view) => matches!(view, View::Int(_)),
        (TypeTest::Dbl, view) => matches!(view, View::Double(_)),
        (TypeTest::Str, view) => matches!(view, View::Str(_)),
        (TypeTest::Arr, view) => matches!(view, View::Arr(_)),
        (TypeTest::Obj, view) => matches!(view, View::Obj(_)),
        (TypeTest::Res, View::Res(resource)) => !resource.is_closed(),
        (TypeTest::Res, _) => false,
        (TypeTest::Scalar, view) => matches!(view, View::Bool(_) | View::Int(_) | View::Double(_) | View::Str(_)),
        (TypeTest::Numeric, View::Str(text)) => phlox_runtime::number::is_numeric(text),
        (TypeTest::Numeric, view) => matches!(view, View::Int(_) | View::Double(_)),
    }
}
